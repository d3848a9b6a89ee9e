//! The board into a folder of documents, which stays as it is if only seconds and memory have changed.

use std::fs;
use std::path::Path;

use anyhow::Context as _;

/// Columns that differ from run to run.
const COSTS: [&str; 2] = ["seconds", "MB"];

/// Copies the page and its pictures from `output` to `docs`, each only if it says something else.
pub(crate) fn publish(output: &Path, docs: &Path) -> anyhow::Result<()> {
    for name in ["board.md", "board.svg", "reliability.svg"] {
        let (from, to) = (output.join(name), docs.join(name));
        let new = fs::read_to_string(&from).with_context(|| from.display().to_string())?;
        let same = fs::read_to_string(&to).is_ok_and(|old| without_costs(&old) == without_costs(&new));
        if !same {
            fs::write(&to, new).with_context(|| to.display().to_string())?;
        }
    }
    Ok(())
}

/// The page with the cells of [`COSTS`] left empty, and without the seconds at the end of lines.
fn without_costs(page: &str) -> String {
    let mut costs: Option<Vec<bool>> = None;
    let mut text = String::with_capacity(page.len());
    for line in page.lines() {
        if line.starts_with('|') {
            let is_cost = |cell: &str| COSTS.contains(&cell.trim());
            let costs = costs.get_or_insert_with(|| line.split('|').map(is_cost).collect());
            let kept = |(column, cell): (usize, &str)| {
                if costs.get(column) == Some(&true) { String::new() } else { cell.to_string() }
            };
            text.push_str(&line.split('|').enumerate().map(kept).collect::<Vec<_>>().join("|"));
        } else {
            costs = None;
            text.push_str(without_seconds(line));
        }
        text.push('\n');
    }
    text
}

/// A line without `, 1.25 s.` at its end.
fn without_seconds(line: &str) -> &str {
    match line.trim_end().strip_suffix(" s.").and_then(|line| line.rsplit_once(", ")) {
        Some((rest, seconds)) if seconds.parse::<f64>().is_ok() => rest,
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: &str = "# Board\n\n| set | score | seconds | MB |\n|---|---|---|---|\n| a | 1.0 | 0.5 | 9 |\n\na: 12 steps, 0.25 s.  \n";

    fn published(new: &str) -> String {
        let (output, docs) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        for name in ["board.svg", "reliability.svg"] {
            fs::write(output.path().join(name), "<svg/>").unwrap();
        }
        fs::write(docs.path().join("board.md"), OLD).unwrap();
        fs::write(output.path().join("board.md"), new).unwrap();
        publish(output.path(), docs.path()).unwrap();
        assert_eq!(fs::read_to_string(docs.path().join("board.svg")).unwrap(), "<svg/>");
        fs::read_to_string(docs.path().join("board.md")).unwrap()
    }

    #[test]
    fn a_page_stays_where_only_costs_have_changed() {
        assert_eq!(published(&OLD.replace("| 0.5 | 9 |", "| 0.7 | 11 |").replace("0.25 s.", "1.5 s.")), OLD);
    }

    #[test]
    fn a_page_is_replaced_where_a_score_has_changed() {
        for (old, new) in [("| 1.0 |", "| 1.1 |"), ("12 steps", "13 steps")] {
            let new = OLD.replace(old, new);
            assert_eq!(published(&new), new);
        }
    }
}
