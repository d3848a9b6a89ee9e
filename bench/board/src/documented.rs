//! The figures in the documentation are those that the models give.

use std::fs;
use std::path::{Path, PathBuf};

use consilience_reproduce::set::{Set, folders};
use consilience_testing::real_tables;

use crate::board::{Board, SetRuns};
use crate::models::LabelModel;
use crate::run::run;

/// Learning all pairs of more sources takes too long for a test; those cells are not compared.
const MANY_SOURCES: usize = 100;

fn read(file: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file)).unwrap()
}

/// The cells of the table under the line that starts with `head`.
fn table(text: &str, head: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect();
    let lines =
        text.lines().skip_while(|line| !line.starts_with(head)).take_while(|line| line.starts_with('|'));
    lines.map(cells).collect()
}

/// A score to 0.1 and a log loss to 0.01.
fn compare(what: &str, written: (&str, &str), measured: (f64, f64)) {
    let number = |text: &str| text.trim().parse::<f64>().unwrap_or(f64::NAN);
    let (score, loss) = (number(written.0), number(written.1));
    assert!(
        (score - measured.0).abs() <= 0.1 && (loss - measured.1).abs() <= 0.01,
        "{what}: {score} / {loss} is written, {:.2} / {:.3} measured; run make board",
        measured.0,
        measured.1
    );
}

#[test]
fn documented_figures_are_measured_ones() {
    let Some(data) = real_tables("documented_figures_are_measured_ones") else { return };
    let of_set = |folder: &PathBuf| {
        let set = Set::read_votes(folder).unwrap();
        let sources = set.votes.sources().len();
        let quick = |model: &LabelModel| *model != LabelModel::Structured || sources <= MANY_SOURCES;
        let runs: Vec<_> =
            LabelModel::ALL.into_iter().filter(quick).map(|model| run(model, &set).unwrap()).collect();
        let items = runs[0].scores.items;
        SetRuns { name: set.name, metric: set.metric, items, sources, runs, end_runs: Vec::new() }
    };
    let board = Board { sets: folders(&data).unwrap().iter().map(of_set).collect() };
    let page = read("docs/board.md");
    let by_set = table(&page, "| set | metric |");
    assert_eq!(by_set.len(), board.sets.len() + 2, "docs/board.md is about other sets; run make board");
    for (row, set) in by_set[2..].iter().zip(&board.sets) {
        assert_eq!(row[0], set.name);
        for (model, cell) in LabelModel::ALL.iter().zip(&row[2..]) {
            let Some(scores) = set.run(model.name()).map(|run| run.scores) else { continue };
            let what = format!("docs/board.md, {} on {}", model.name(), set.name);
            compare(&what, cell.split_once('/').unwrap(), (scores.score, scores.log_loss));
        }
    }
    let mean = |model: LabelModel| {
        (board.mean(model.name(), |s| s.score).0, board.mean(model.name(), |s| s.log_loss).0)
    };
    let averages = table(&page, "| model | sets |");
    for (row, model) in averages[2..].iter().zip(LabelModel::ALL) {
        assert_eq!(row[0], model.name());
        if board.runs_of(model.name()).count() == board.sets.len() {
            compare("docs/board.md, averages", (&row[2], &row[3]), mean(model));
        }
    }
    let readme = table(&read("README.md"), "| | score");
    let rows = [
        ("majority vote", LabelModel::Majority),
        ("ours, independent sources", LabelModel::Independent),
        ("ours, the default", LabelModel::Default),
    ];
    for (name, model) in rows {
        let row = readme.iter().find(|row| row[0].starts_with(name));
        let row = row.unwrap_or_else(|| panic!("README.md has no row {name}"));
        compare(&format!("README.md, {name}"), (&row[1], &row[2]), mean(model));
    }
}
