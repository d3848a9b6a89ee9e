//! The commands of the README and of the pages it points to run as they are printed, one after the other in one folder.

use std::fs;
use std::path::Path;

use crate::folder::Folder;

/// The commands of a page: lines of indented blocks that start with the command's name, continued lines joined, comments left out.
fn commands(page: &str) -> Vec<String> {
    let joined = page.replace("\\\n", " ");
    let lines = joined.lines().filter_map(|line| line.strip_prefix("    consilience "));
    let spaced = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    lines.map(|line| spaced(line.split(" # ").next().unwrap_or(line))).collect()
}

/// What a person would fill in: the true class of each drawn row.
fn answer(folder: &Folder, table: &str) {
    let votes = folder.read(table);
    let truth: Vec<&str> = votes.lines().skip(1).filter_map(|row| row.rsplit(',').next()).collect();
    let asked = folder.read("to-label.csv");
    let (header, rows) = asked.split_once('\n').unwrap();
    let answered = rows.lines().map(|row| {
        let item = row.split(',').next().unwrap();
        format!("{item},{}", truth[item.parse::<usize>().unwrap()])
    });
    let answered = std::iter::once(header.to_string()).chain(answered).collect::<Vec<_>>().join("\n");
    folder.write("to-label.csv", answered);
}

#[test]
#[cfg(unix)]
fn commands_run_as_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = Folder::new();
    std::os::unix::fs::symlink(root.join("docs"), folder.path("docs")).unwrap();
    for (page, least) in [("README.md", 8), ("docs/learning.md", 2), ("docs/labels.md", 6)] {
        let commands = commands(&fs::read_to_string(root.join(page)).unwrap());
        assert!(commands.len() >= least, "{page}: {commands:?}");
        for words in commands {
            let run = folder.run(&words);
            assert!(run.starts_with("exit code 0\n"), "{page}: {words}: {run}");
            if let Some(("sample", rest)) = words.split_once(' ') {
                answer(&folder, rest.split(' ').next().unwrap());
            }
        }
    }
}
