//! `consilience fit`, `label` and `explain` with a model.

use insta::assert_snapshot;

use crate::folder::Folder;

/// Eight sources of which two pairs err together, and the class of every item.
fn simulated() -> Folder {
    let folder = Folder::new();
    let run = folder.run(
        "simulate --sources 8 --items 400 --pairs 2 --correlation 1.5 --seed 3 --gold truth -o votes.csv --truth truth.json",
    );
    assert!(run.starts_with("exit code 0\n"), "{run}");
    folder
}

/// Four sources and two copies of a coin that is often wrong where they agree.
fn with_copies() -> Folder {
    let row = |i: u32| {
        let y = i * 7 % 3 % 2;
        let vote = |wrong: bool| if wrong { 1 - y } else { y };
        let coin = i / 2 % 2;
        format!(
            "i{i},{},{},{},{},{coin},{coin},{coin}\n",
            vote(i.is_multiple_of(5)),
            vote(i % 4 == 1),
            vote(i % 6 == 2),
            vote(i % 7 == 3)
        )
    };
    Folder::with_votes(&format!("id,a,b,c,d,x,y,z\n{}", (0..120).map(row).collect::<String>()))
}

/// Probabilities to four digits, and steps uncounted: other machines may round otherwise.
fn steady(run: &str) -> String {
    let cell = |cell: &str| match cell.parse::<f64>() {
        Ok(number) if cell.len() > 6 => format!("{number:.4}"),
        _ => cell.to_string(),
    };
    let line = |line: &str| match (line.find("converged after "), line.find(" steps")) {
        (Some(start), Some(end)) => format!("{}converged after [..]{}", &line[..start], &line[end..]),
        _ => line.split(',').map(cell).collect::<Vec<_>>().join(","),
    };
    run.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_model_is_fitted_and_labels_new_votes() {
    let folder = simulated();
    assert_snapshot!(steady(&folder.run("fit votes.csv --gold truth -o model.json")));
    let all = folder.run("label votes.csv --gold truth -o labels.csv");
    let saved = folder.run("label votes.csv --gold truth --model model.json -o again.csv");
    assert!(all.contains("labelled 400 of 400 items by the model"), "{all}");
    assert!(saved.starts_with("exit code 0\n"), "{saved}");
    assert_eq!(folder.bytes("labels.csv"), folder.bytes("again.csv"));
}

/// One command gives what three give one after the other, and a structure that is edited by hand is read the same way.
#[test]
fn one_structure_goes_from_votes_to_labels() {
    let folder = simulated();
    for words in [
        "label votes.csv --gold truth -o one.csv",
        "learn votes.csv --gold truth -o structure.json",
        "fit votes.csv --gold truth --structure structure.json -o model.json",
        "label votes.csv --gold truth --model model.json -o three.csv",
        "label votes.csv --gold truth --independent -o independent.csv",
    ] {
        let run = folder.run(words);
        assert!(run.starts_with("exit code 0\n"), "{run}");
    }
    assert_eq!(folder.bytes("one.csv"), folder.bytes("three.csv"));
    let structure = folder.read("structure.json");
    assert!(structure.contains("\"repetition\""), "{structure}");
    let panel = folder.run("explain votes.csv --gold truth --model model.json");
    assert!(panel.contains("they count as 6.") || panel.contains("they count as 7."), "{panel}");
    let without = "{\"version\": \"0.1.0\", \"sources\": [\"s0\", \"s1\", \"s2\", \"s3\", \"s4\", \"s5\", \"s6\", \"s7\"], \"classes\": \
        [\"0\", \"1\"], \"dependencies\": [REPETITION], \"copies\": [], \"method\": \"given\", \"select\": \"all\", \"items\": 400}";
    let repetition = "{\"type\": \"repetition\", \"sources\": [\"s0\", \"s1\"]}";
    folder.write("hand.json", without.replace("REPETITION", repetition));
    let fitted = folder.run("fit votes.csv --gold truth --structure hand.json -o hand-model.json");
    assert!(fitted.contains("2 sources repeat others"), "{fitted}");
    // Whoever writes one may leave out all but sources and dependencies, and list the sources in another order.
    let short = format!(
        r#"{{"sources": ["s7", "s6", "s5", "s4", "s3", "s2", "s1", "s0"], "dependencies": [{repetition}]}}"#
    );
    folder.write("short.json", &short);
    folder.run("fit votes.csv --gold truth --structure short.json -o short-model.json");
    assert_eq!(folder.read("short-model.json"), folder.read("hand-model.json"));
    folder.write("strange.json", short.replace("\"s7\"", "\"s77\""));
    let refused = folder.run("fit votes.csv --gold truth --structure strange.json -o strange-model.json");
    assert!(refused.contains("\"s77\" is missing from the votes"), "{refused}");
    folder.write("typo.json", without.replace("REPETITION", &repetition.replace("s1", "s11")));
    let refused = folder.run("fit votes.csv --gold truth --structure typo.json -o typo-model.json");
    assert!(refused.contains("\"s11\" is not one of the sources"), "{refused}");
}

#[test]
fn decisions_for_f1_name_their_class() {
    let folder = simulated();
    let run = folder.run("label votes.csv --gold truth --decide f1=1 -o labels.csv");
    assert!(run.contains("labelled as 1 with a probability of"), "{run}");
    let refused = folder.run("label votes.csv --gold truth --decide f1=spam -o labels.csv");
    assert!(refused.contains("\"spam\" is not a class; the classes are"), "{refused}");
    let refused = folder.run("label votes.csv --gold truth --decide recall -o labels.csv");
    assert!(refused.contains("use f1= and the name of a class"), "{refused}");
}

#[test]
fn every_way_of_fitting_labels() {
    let folder = simulated();
    folder.run("learn votes.csv --gold truth -o structure.json");
    for flags in [
        "--independent",
        "--dawid-skene",
        "--dawid-skene --balance even",
        "--structure structure.json",
        "--structure structure.json --link-weights",
        "--structure structure.json --inference pseudo",
        "--structure structure.json --inference gibbs --seed 4",
        "--independent --inference pseudo",
        "--all-pairs --inference gibbs --seed 4",
        "--all-pairs --inference pseudo",
        "--precision 4 --vote-precision 0 --one-class-precision 1",
        "--balance estimated",
        "--balance 0.3,0.7 --equal-difficulty --accuracy 0.7 --below-chance",
    ] {
        let run = folder.run(&format!("fit votes.csv --gold truth {flags} -o model.json"));
        assert!(
            run.starts_with("exit code 0\n") && run.contains("fitted 8 sources to 400 items"),
            "{flags}: {run}"
        );
        let run = folder.run("label votes.csv --gold truth --model model.json -o labels.csv");
        assert!(run.contains("labelled 400 of 400 items by the model"), "{flags}: {run}");
        assert!(!folder.read("labels.csv").contains("NaN"));
    }
}

#[test]
fn copies_count_once_and_it_is_said() {
    let folder = with_copies();
    assert_snapshot!(steady(&folder.run("fit votes.csv --item id -o model.json")));
    assert_snapshot!(
        "explained_item",
        folder.run("explain votes.csv --item id --model model.json --named i7")
    );
    assert_snapshot!(
        "explained_source",
        folder.run("explain votes.csv --item id --model model.json --source x")
    );
    assert_snapshot!("explained_panel", folder.run("explain votes.csv --item id --model model.json"));
    for flags in ["--row 7", "--source x", ""] {
        let run = folder.run(&format!("explain votes.csv --item id --model model.json --json {flags}"));
        assert!(
            run.starts_with("exit code 0\n--- stdout\n{") && run.contains("\"version\""),
            "{flags}: {run}"
        );
    }
}

#[test]
fn labels_that_are_unsure_or_without_votes_stay_empty() {
    let folder = with_copies();
    folder.run("fit votes.csv --item id --balance 0.25,0.75 -o model.json");
    folder.write("new.csv", "id,a,b,c,d,x,y,z\np,0,0,0,0,,,\nq,,,,,,,\nr,0,,,1,,,\n");
    assert_snapshot!(steady(&folder.run("label new.csv --item id --model model.json --abstain-below 0.9")));
    assert_snapshot!(
        "labelled_by_ties",
        steady(&folder.run("label new.csv --item id --model model.json --ties first"))
    );
}

#[test]
fn other_votes_are_told_apart() {
    let folder = with_copies();
    folder.run("fit votes.csv --item id -o model.json");
    folder.write("fewer.csv", "a,c\n1,0\n");
    folder.write("more.csv", "a,c,stranger\n1,0,1\n");
    folder.write("class.csv", "a,c\n1,2\n");
    assert_snapshot!("missing_sources", steady(&folder.run("label fewer.csv --model model.json")));
    assert_snapshot!("unknown_source", folder.run("label more.csv --model model.json"));
    assert_snapshot!("unknown_class", folder.run("label class.csv --model model.json"));
}

#[test]
fn bad_requests_are_refused() {
    let folder = with_copies();
    folder.run("fit votes.csv --item id -o model.json");
    folder.write("other.json", "{\"version\": \"0.0.1\"}");
    let mut said = String::new();
    for words in [
        "fit votes.csv --item id --structure other.json",
        "fit votes.csv --item id --structure none.json",
        "fit votes.csv --item id --structure model.json -o model.json",
        "fit votes.csv --item id --independent --dawid-skene",
        "fit votes.csv --item id --inference gibbs",
        "fit votes.csv --item id --dawid-skene --accuracy 0.7",
        "fit votes.csv --item id --balance 0.5,0.6",
        "fit votes.csv --item id --balance odd",
        "fit votes.csv --item id --accuracy 1.5",
        "label votes.csv --item id --model votes.csv",
        "label votes.csv --item id --model model.json --majority",
        "label votes.csv --item id --model model.json --accuracy 0.7",
        "label votes.csv --item id --majority --equal-difficulty",
        "label votes.csv --item id --abstain-below 2",
        "label votes.csv --item id --model model.json -o model.json",
        "explain votes.csv --item id --model model.json --row 120",
        "explain votes.csv --item id --model model.json --named nobody",
        "explain votes.csv --item id --model model.json --source nobody",
        "explain votes.csv --item id --model other.json",
    ] {
        let run = folder.run(words);
        assert!(run.starts_with("exit code 1\n--- stdout\n--- stderr\n"), "{words}: {run}");
        let error = run.split("--- stderr\n").nth(1).unwrap_or_default();
        said.extend([words, "\n  ", error]);
    }
    assert_snapshot!(said);
}

/// Without a file a person gets a summary, with a name that is not JSON's a refusal, and machines still get JSON.
#[test]
fn a_fit_without_a_file_prints_a_summary() {
    let folder = simulated();
    let run = folder.run("fit votes.csv --gold truth");
    assert!(run.contains("independent ones") && run.contains("Beyond others") && !run.contains('{'), "{run}");
    let run = folder.run("fit votes.csv --gold truth -o -");
    assert!(run.contains("\"votes_for\""), "{run}");
    let run = folder.run("fit votes.csv --gold truth -o model.parquet");
    assert!(run.contains("a model cannot be written as .parquet; use .json"), "{run}");
    assert!(!folder.path("model.parquet").exists());
    let run = folder.run("fit votes.csv --gold truth -o model.json.gz");
    assert!(run.starts_with("exit code 0\n") && folder.path("model.json.gz").exists(), "{run}");
}

/// A tie and an item without votes have no label, here as in the labels themselves.
#[test]
fn explanations_name_no_label_where_there_is_none() {
    let folder = Folder::with_votes("a,b,c\n1,0,\n,,\n1,1,1\n0,0,0\n1,1,0\n");
    assert!(folder.run("fit votes.csv --independent -o model.json").starts_with("exit code 0\n"));
    let of_row = |row: usize| folder.run(&format!("explain votes.csv --model model.json --row {row}"));
    assert!(of_row(1).contains("no label, nobody votes on it"), "{}", of_row(1));
    assert!(of_row(2).contains("item 2: 1\n"), "{}", of_row(2));
}

#[test]
fn manual_pages_are_written() {
    let folder = simulated();
    let page = folder.run("man label");
    assert!(page.contains(".TH consilience-label 1") && page.contains("abstain"), "{page}");
    let refused = folder.run("man fly");
    assert!(
        refused.contains("\"fly\" is not a command; the commands are simulate, apply, analyze, learn"),
        "{refused}"
    );
}

/// What could be raised is named as it is typed.
#[test]
fn limits_are_named_with_their_flags() {
    let folder = Folder::new();
    let made = folder.run("simulate --sources 8 --items 400 -o votes.csv");
    assert!(made.starts_with("exit code 0\n"), "{made}");
    let few = folder.run("fit votes.csv --independent --steps 1 -o model.json");
    assert!(few.starts_with("exit code 0\n") && few.contains("(use --steps N to allow more)"), "{few}");
    let wide = folder.run("fit votes.csv --all-pairs --inference exact --cells 10 -o model.json");
    assert!(wide.starts_with("exit code 1\n") && wide.contains("more than the limit of 10"), "{wide}");
    assert!(wide.contains("--cells ") && wide.contains("--inference gibbs"), "{wide}");
    let refused = folder.run("fit votes.csv --dawid-skene --cells 10 -o model.json");
    assert!(refused.contains("--cells has no effect with --dawid-skene"), "{refused}");
}
