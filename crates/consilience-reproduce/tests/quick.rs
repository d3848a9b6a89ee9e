//! Small runs of every figure: the claims hold, the files are whole, and nothing depends on threads or interruptions.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use consilience::sources::{Classes, Sources};
use consilience::votes::VotesBuilder;
use consilience_reproduce::{
    Figure, Given, Options, ReproduceError, SOLVER, Section, publish, published, reproduce, retell,
};
use consilience_testing::real_tables;
use tempfile::TempDir;

fn options(folder: &Path, figure: Figure, trials: usize) -> Options {
    Options {
        folder: folder.to_path_buf(),
        figures: vec![figure],
        trials: Some(trials),
        quick: true,
        seed: 1,
        votes: None,
        data: None,
    }
}

/// Runs one figure and checks what all figures promise.
fn run(figure: Figure, trials: usize) -> (TempDir, Section) {
    run_with(|folder| options(folder, figure, trials), figure)
}

fn run_with(options: impl Fn(&Path) -> Options, figure: Figure) -> (TempDir, Section) {
    let folder = tempfile::tempdir().unwrap();
    let mut sections = reproduce(&options(folder.path()), &|_| {}).unwrap();
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
fn figure_5() {
    let (folder, section) = run(Figure::Fig5, 1);
    assert!(section.ran.contains("simulated stand-in"), "{}", section.ran);
    retold(folder.path());
}

/// Real tables, where they are at hand.
#[test]
fn table_1() {
    let folder = tempfile::tempdir().unwrap();
    let Some(data) = real_tables("table_1") else {
        // Nothing to measure on: what is told then is tested all the same.
        let section = reproduce(&options(folder.path(), Figure::Table1, 1), &|_| {}).unwrap().pop().unwrap();
        assert!(
            section.claims.is_empty() && section.tables.len() == 1 && section.notes[0].contains("--data")
        );
        return;
    };
    let few = tempfile::tempdir().unwrap();
    for name in ["youtube", "imdb"] {
        let to = few.path().join(name);
        fs::create_dir(&to).unwrap();
        for file in fs::read_dir(data.join(name)).unwrap().map(Result::unwrap) {
            fs::copy(file.path(), to.join(file.file_name())).unwrap();
        }
    }
    let with_data =
        |folder: &Path| Options { data: Some(few.path().into()), ..options(folder, Figure::Table1, 1) };
    let (folder, section) = run_with(with_data, Figure::Table1);
    let rows =
        |table: usize| section.tables[table].rows.iter().map(|row| row[0].as_str()).collect::<Vec<_>>();
    assert_eq!((rows(0), rows(1), rows(2).len()), (vec!["imdb", "youtube"], vec!["youtube"], 3));
    retold(folder.path());
    // What is known is told where the data are not at hand any more.
    let again = reproduce(&options(folder.path(), Figure::Table1, 1), &|_| {}).unwrap().pop().unwrap();
    assert_eq!(again.tables, section.tables);
}

/// Everything in a folder can be told again from its finished points, with the same bytes.
fn retold(folder: &Path) {
    let before = contents(folder);
    retell(folder).unwrap();
    fs::remove_file(folder.join("published.md")).unwrap();
    let after = contents(folder);
    for ((name, old), (other, new)) in before.iter().zip(&after) {
        assert!(name == other && old == new, "{name}");
    }
    assert_eq!(before.len(), after.len());
}

#[test]
fn a_given_table_without_gold_and_with_a_source_called_coin() {
    let mut builder =
        VotesBuilder::new(Sources::new(["coin 1", "b", "c"].map(str::to_string).to_vec()).unwrap());
    for i in 0..300u32 {
        let vote =
            |j: u32| (j, if (i + j).is_multiple_of(7) { 2 - (i % 2) as u16 } else { (i % 2) as u16 + 1 });
        builder.push(&[0, 1, 2].map(vote)).unwrap();
    }
    let votes = builder.finish_as(Classes::numbered(2).unwrap()).unwrap();
    let given = Given { name: "three".to_string(), votes, gold: None };
    let folder = tempfile::tempdir().unwrap();
    let options = Options { votes: Some(given), ..options(folder.path(), Figure::Fig5, 1) };
    let section = reproduce(&options, &|_| {}).unwrap().pop().unwrap();
    assert!(section.ran.contains("The table three") && section.ran.contains("not scored"), "{}", section.ran);
    assert!(section.tables.is_empty());
}

#[test]
fn points_of_another_solver_are_told_of_and_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let tables = AtomicUsize::new(0);
    let run = || {
        tables.store(0, Ordering::Relaxed);
        let options = options(folder.path(), Figure::Fig2, 1);
        let sections = reproduce(&options, &|_| _ = tables.fetch_add(1, Ordering::Relaxed)).unwrap();
        (sections[0].notes.clone(), tables.load(Ordering::Relaxed))
    };
    assert_eq!(run(), (vec![], 16));
    let points = folder.path().join("points/recovery.csv");
    let text = fs::read_to_string(&points).unwrap();
    fs::write(&points, text.replace(SOLVER, "0123456789abcdef")).unwrap();
    let (notes, computed) = run();
    assert_eq!(computed, 16);
    assert_eq!(
        notes,
        [
            "64 finished point(s) in points/recovery.csv come from another version of the code and are not used"
        ]
    );
    assert_eq!(run().1, 0);
}

#[test]
fn a_run_is_published_and_its_page_told_again() {
    let folder = tempfile::tempdir().unwrap();
    let docs = tempfile::tempdir().unwrap();
    let refused = publish(folder.path(), docs.path()).unwrap_err().to_string();
    assert!(refused.ends_with("no figure was run here; run some before publishing them"), "{refused}");
    reproduce(&options(folder.path(), Figure::Fig2, 1), &|_| {}).unwrap();
    for _ in 0..2 {
        publish(folder.path(), docs.path()).unwrap();
        page_agrees(docs.path());
    }
    // A number that was changed by hand is found out, in the page or in the points.
    let points = docs.path().join("reproduction/points/recovery.csv");
    let text = fs::read_to_string(&points).unwrap();
    fs::write(&points, text.replacen(",1,1,0,0,0.0", ",0,0,1,0,0.0", 1)).unwrap();
    assert!(std::panic::catch_unwind(|| page_agrees(docs.path())).is_err());
    fs::remove_dir_all(docs.path().join("reproduction/points")).unwrap();
    let refused = publish(folder.path(), docs.path()).unwrap_err().to_string();
    assert!(refused.contains("was not written by reproduce"), "{refused}");
}

/// `reproduction.md`, and the tables and pictures beside it, say what the finished points say.
fn page_agrees(docs: &Path) {
    let copy = tempfile::tempdir().unwrap();
    for (name, bytes) in contents(&docs.join("reproduction")) {
        let to = copy.path().join(name);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, bytes).unwrap();
    }
    retell(copy.path()).unwrap();
    let page = fs::read_to_string(docs.join("reproduction.md")).unwrap();
    let again = fs::read_to_string(copy.path().join("published.md")).unwrap();
    for (line, other) in page.lines().zip(again.lines()) {
        assert_eq!(
            line, other,
            "reproduction.md does not say what its tables say; write it again: make reproduction"
        );
    }
    assert_eq!(page, again);
    for (name, bytes) in contents(&docs.join("reproduction")) {
        // How a picture is drawn may change; the numbers may not.
        if Path::new(&name).extension().is_some_and(|ending| ending == "csv") {
            assert!(bytes == fs::read(copy.path().join(&name)).unwrap(), "{name}");
        }
    }
}

#[test]
fn the_documented_run_says_what_its_tables_say() {
    page_agrees(Path::new("../../docs"));
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
    assert!(
        told.contains("this folder cannot be created or written to") && told.lines().count() == 1,
        "{told}"
    );
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
