//! Files are written completely or not at all.

use std::io::Write as _;
use std::path::Path;

use consilience::sources::Classes;
use consilience_io::{LabelRow, Output, WriteVotes, write_votes};

use crate::folder::{Folder, text_list, votes, write_rows};

fn message(folder: &Folder, name: &str) -> String {
    let error = Output::create(&folder.path(name)).err().unwrap();
    folder.without_folder(&error.to_string())
}

#[test]
fn a_file_appears_when_it_is_complete() {
    let folder = Folder::new();
    let mut output = Output::create(&folder.path("x.csv")).unwrap();
    output.write_all(b"new").unwrap();
    output.flush().unwrap();
    if cfg!(target_os = "linux") {
        assert_eq!(folder.entries(), Vec::<String>::new());
    }
    output.commit().unwrap();
    assert_eq!(folder.entries(), ["x.csv"]);
    let mut output = Output::create(&folder.path("x.csv")).unwrap();
    output.write_all(b"newer").unwrap();
    drop(output);
    assert_eq!(std::fs::read(folder.path("x.csv")).unwrap(), b"new");
    let mut output = Output::create(&folder.path("x.csv")).unwrap();
    output.write_all(b"newest").unwrap();
    output.commit().unwrap();
    assert_eq!(std::fs::read(folder.path("x.csv")).unwrap(), b"newest");
    assert_eq!(folder.entries(), ["x.csv"]);
}

#[cfg(unix)]
#[test]
fn modes_and_links_stay() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    let mode = |name: &str| std::fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o7777;
    std::fs::write(folder.path("plain"), "").unwrap();
    Output::create(&folder.path("new")).unwrap().commit().unwrap();
    assert_eq!(mode("new"), mode("plain"));
    std::fs::set_permissions(folder.path("plain"), std::fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("plain", folder.path("link")).unwrap();
    std::os::unix::fs::symlink("later", folder.path("dangling")).unwrap();
    for (link, file) in [("link", "plain"), ("dangling", "later")] {
        let mut output = Output::create(&folder.path(link)).unwrap();
        output.write_all(b"x").unwrap();
        output.commit().unwrap();
        assert!(std::fs::symlink_metadata(folder.path(link)).unwrap().is_symlink());
        assert_eq!(std::fs::read(folder.path(file)).unwrap(), b"x");
    }
    assert_eq!(mode("plain"), 0o640);
    assert_eq!(folder.entries(), ["dangling", "later", "link", "new", "plain"]);
}

#[test]
fn names_that_cannot_be_written() {
    let folder = Folder::new();
    assert_eq!(message(&folder, "none/x.csv"), "none/x.csv: its folder does not exist; create it first");
    std::fs::create_dir(folder.path("dir")).unwrap();
    assert_eq!(message(&folder, "dir"), "dir: this is a directory; name a file in it");
    std::fs::write(folder.path("file"), "").unwrap();
    assert_eq!(message(&folder, "file/x.csv"), "file/x.csv: its folder does not exist; create it first");
}

#[cfg(unix)]
#[test]
fn no_permission_to_write() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    std::fs::write(folder.path("kept.csv"), "old").unwrap();
    std::fs::set_permissions(folder.path("kept.csv"), std::fs::Permissions::from_mode(0o444)).unwrap();
    if std::fs::OpenOptions::new().append(true).open(folder.path("kept.csv")).is_ok() {
        consilience_testing::skip("no_permission_to_write", "this user (root?) may write every file");
        return;
    }
    assert_eq!(
        message(&folder, "kept.csv"),
        "kept.csv: no permission to write it; check the owner and mode of the file and its folder"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_written_directly() {
    let table = votes(&["a"], &["no", "yes"], &[&[1], &[2]]);
    write_votes(Output::create(Path::new("/dev/null")).unwrap(), &table, &WriteVotes::default()).unwrap();
    let full = write_votes(Output::create(Path::new("/dev/full")).unwrap(), &table, &WriteVotes::default());
    assert_eq!(
        full.unwrap_err().to_string(),
        "/dev/full: no space left on the device; what was written so far is incomplete: free some space and run again"
    );
    let parquet = WriteVotes { format: Some(consilience_io::Format::Parquet), ..WriteVotes::default() };
    let full = write_votes(Output::create(Path::new("/dev/full")).unwrap(), &table, &parquet);
    assert!(full.unwrap_err().to_string().starts_with("/dev/full: no space left"));
}

#[test]
fn labels_are_short_and_exact() {
    let folder = Folder::new();
    let classes = Classes::new(text_list(&["ham", "spam"])).unwrap();
    let rows = [
        LabelRow { item: "x,1", label: Some("spam"), confidence: 0.75, probabilities: &[0.25, 0.75] },
        LabelRow { item: "y", label: None, confidence: 0.5, probabilities: &[0.5, 0.5] },
        LabelRow { item: "z", label: Some("ham"), confidence: 1.0, probabilities: &[1.0, 1e-20] },
    ];
    for name in ["l.csv", "l.jsonl", "l.parquet", "l.arrow"] {
        write_rows(Output::create(&folder.path(name)).unwrap(), &classes, rows);
    }
    assert_eq!(
        std::fs::read_to_string(folder.path("l.csv")).unwrap(),
        "item,label,confidence,p_ham,p_spam\n\"x,1\",spam,0.75,0.25,0.75\ny,,0.5,0.5,0.5\nz,ham,1,1,1e-20\n"
    );
    assert_eq!(
        std::fs::read_to_string(folder.path("l.jsonl")).unwrap().lines().nth(1).unwrap(),
        "{\"item\":\"y\",\"label\":null,\"confidence\":0.5,\"p_ham\":0.5,\"p_spam\":0.5}"
    );
}
