//! Small runs of every figure: the claims hold, the files are whole, and nothing depends on threads or interruptions.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use consilience_reproduce::{Figure, Options, ReproduceError, Section, published, reproduce};
use tempfile::TempDir;

fn options(folder: &Path, figure: Figure, trials: usize) -> Options {
    Options {
        folder: folder.to_path_buf(),
        figures: vec![figure],
        trials: Some(trials),
        quick: true,
        seed: 1,
    }
}

/// Runs one figure and checks what all figures promise.
fn run(figure: Figure, trials: usize) -> (TempDir, Section) {
    let folder = tempfile::tempdir().unwrap();
    let mut sections = reproduce(&options(folder.path(), figure, trials), &|_| {}).unwrap();
    let section = sections.pop().unwrap();
    assert!(sections.is_empty() && section.figure == figure);
    for claim in &section.claims {
        assert!(claim.holds, "{figure}: {} ({})", claim.text, claim.seen);
    }
    let page = fs::read_to_string(folder.path().join("index.html")).unwrap();
    for (name, seen) in &section.pictures {
        let svg = fs::read_to_string(folder.path().join(format!("{name}.svg"))).unwrap();
        roxmltree::Document::parse(&svg).unwrap();
        let png = fs::read(folder.path().join(format!("{name}.png"))).unwrap();
        assert!(png.starts_with(b"\x89PNG") && png.ends_with(b"IEND\xaeB`\x82"), "{name}");
        assert!(page.contains(&format!("src=\"{name}.svg\"")) && page.contains(seen.as_str()), "{name}");
    }
    for name in &section.data {
        let mut table = csv::Reader::from_path(folder.path().join(format!("{name}.csv"))).unwrap();
        assert!(table.records().map(Result::unwrap).count() > 1, "{name}");
    }
    (folder, section)
}

#[test]
fn figure_1() {
    run(Figure::Fig1, 5);
}

#[test]
fn figure_2() {
    run(Figure::Fig2, 4);
}

#[test]
fn figure_3() {
    run(Figure::Fig3, 1);
}

#[test]
fn figure_4() {
    run(Figure::Fig4, 3);
}

#[test]
fn theory() {
    run(Figure::Theory, 2);
}

/// All files of a folder, by name.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            let inside = contents(&entry.path()).into_iter();
            all.extend(inside.map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            all.push((name, fs::read(entry.path()).unwrap()));
        }
    }
    all.sort();
    all
}

#[test]
fn the_same_bytes_for_any_number_of_threads_and_after_an_interruption() {
    let folders: Vec<TempDir> = (0..2).map(|_| tempfile::tempdir().unwrap()).collect();
    let tables = AtomicUsize::new(0);
    let run = |folder: &TempDir, threads: usize| {
        tables.store(0, Ordering::Relaxed);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let options = options(folder.path(), Figure::Fig2, 1);
        pool.install(|| reproduce(&options, &|_| _ = tables.fetch_add(1, Ordering::Relaxed))).unwrap();
        tables.load(Ordering::Relaxed)
    };
    assert_eq!((run(&folders[0], 1), run(&folders[1], 3)), (16, 16));
    let whole = contents(folders[0].path());
    assert!(whole.len() > 5 && whole == contents(folders[1].path()));

    // Nothing is computed twice; what is missing is.
    assert_eq!(run(&folders[0], 1), 0);
    assert!(whole == contents(folders[0].path()));
    let points = folders[0].path().join("points/recovery.csv");
    let text = fs::read_to_string(&points).unwrap();
    let half: Vec<&str> = text.lines().take(33).collect();
    fs::write(&points, half.join("\n") + "\n").unwrap();
    assert_eq!(run(&folders[0], 1), 8);
    assert!(whole == contents(folders[0].path()));
}

#[test]
fn other_settings_are_other_points() {
    let folder = tempfile::tempdir().unwrap();
    let tables = AtomicUsize::new(0);
    let mut points = Vec::new();
    for (trials, seed) in [(1, 1), (1, 2), (1, 1)] {
        let options = Options { seed, ..options(folder.path(), Figure::Fig2, trials) };
        reproduce(&options, &|_| _ = tables.fetch_add(1, Ordering::Relaxed)).unwrap();
        points.push(fs::read_to_string(folder.path().join("fig2.csv")).unwrap());
    }
    assert!(points[0] == points[2] && points[0] != points[1]);
    assert_eq!(tables.load(Ordering::Relaxed), 32);
}

#[test]
fn what_cannot_be_run_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |options: &Options| reproduce(options, &|_| {}).unwrap_err().to_string();
    let told = refused(&options(folder.path(), Figure::Fig2, 0));
    assert_eq!(told, "trials must be between 1 and 100000, but is 0");
    fs::write(folder.path().join("file"), "").unwrap();
    let told = refused(&options(&folder.path().join("file"), Figure::Fig2, 1));
    assert!(told.contains("this folder cannot be made") && told.lines().count() == 1, "{told}");
    fs::create_dir(folder.path().join("points")).unwrap();
    for damage in ["sources,classes\n1\n", "\u{0}\u{1}", "a,b\n1,2\n"] {
        fs::write(folder.path().join("points/recovery.csv"), damage).unwrap();
        let error = reproduce(&options(folder.path(), Figure::Fig2, 1), &|_| {});
        // Bytes that make no row at all are an empty table, which is written anew.
        if let Err(error) = error {
            assert!(matches!(error, ReproduceError::Points { .. }), "{error}");
            assert!(error.to_string().contains("remove it to run them again"), "{error}");
        } else {
            assert_eq!(damage, "\u{0}\u{1}");
        }
    }
}

#[test]
fn the_published_values_are_there() {
    assert_eq!(published("table1", "Chemical-Disease: structure F1")[0].low.to_bits(), 55.9f64.to_bits());
    for (figure, series) in [("fig3", "maximum likelihood seconds"), ("fig5", "independent accuracy")] {
        assert_eq!(published(figure, series).len(), 5);
    }
}
