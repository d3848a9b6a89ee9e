//! JSON documents with a version.

use consilience_io::{DependencyFile, Input, Output, TruthFile, VERSION, read_document, write_document};

use crate::folder::{Folder, text_list};

fn truth() -> TruthFile {
    TruthFile {
        sources: text_list(&["a", "b"]),
        classes: text_list(&["no", "yes"]),
        dependencies: vec![
            DependencyFile::new("correlation", text_list(&["a", "b"]), None, 0.25),
            DependencyFile::new("class accuracy", text_list(&["a"]), Some("yes".into()), 1.0 / 3.0),
        ],
        labels: text_list(&["yes", "no"]),
    }
}

#[test]
fn a_document_comes_back_and_says_its_version() {
    let folder = Folder::new();
    let path = folder.path("truth.json");
    write_document(Output::create(&path).unwrap(), &truth()).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.ends_with(&format!("\"version\": \"{VERSION}\"\n}}\n")), "{text}");
    assert!(!text.contains("stderr"));
    assert_eq!(read_document::<TruthFile>(&Input::Path(path), "truth file").unwrap(), truth());
}

#[test]
fn a_later_version_is_refused() {
    let folder = Folder::new();
    let input = folder.file("truth.json", "{\"version\": \"1000.0.0\", \"sources\": []}");
    let error = read_document::<TruthFile>(&input, "truth file").unwrap_err().to_string();
    assert_eq!(
        folder.without_folder(&error),
        format!(
            "truth.json: it was written by Consilience 1000.0.0, this is {VERSION}; update Consilience or write the file again"
        )
    );
    let missing = Input::Path(folder.path("none.json"));
    let error = read_document::<TruthFile>(&missing, "truth file").unwrap_err().to_string();
    assert_eq!(folder.without_folder(&error), "none.json: there is no such file; check the path");
}
