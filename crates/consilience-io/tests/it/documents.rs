//! JSON documents with a version.

use consilience::labels::infer;
use consilience::model::{
    CellLimit, DawidSkeneOptions, Dependence, FitOptions, Links, Planted, fit, fit_dawid_skene, simulate,
};
use consilience::structure::{ExactOptions, Select, Structure, learn_exact};
use consilience::votes::Votes;
use consilience_io::{
    DependencyFile, ImpressionFile, Input, ModelFile, Output, StructureFile, TruthFile, VERSION,
    read_document, write_document,
};

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
            "truth.json: it was written by Consilience 1000.0.0, but this is {VERSION}; update Consilience or write the file again"
        )
    );
    let missing = Input::Path(folder.path("none.json"));
    let error = read_document::<TruthFile>(&missing, "truth file").unwrap_err().to_string();
    assert_eq!(folder.without_folder(&error), "none.json: there is no such file; check the path");
}

fn planted_votes() -> Votes {
    let planted = Planted { links: Links::Pairs(2), strength: 0.7, seed: 2, ..Planted::new(7).unwrap() };
    simulate(&planted.model().unwrap(), 800, 3, CellLimit::default(), |_| {}).unwrap().votes
}

/// Saved and read again, a model labels to the last bit as before; Dawid and Skene's, whose tables have values, too.
#[test]
fn a_model_comes_back_to_the_last_bit() {
    let votes = planted_votes();
    let structure = learn_exact(&votes, &ExactOptions::default(), Select::Fwer(0.05)).unwrap();
    assert!(structure.selected().count() > 0);
    let structured = fit(&votes, Dependence::Linked(&structure), &FitOptions::default()).unwrap();
    let independent = fit(&votes, Dependence::Independent, &FitOptions::default()).unwrap();
    let dawid_skene = fit_dawid_skene(&votes, &DawidSkeneOptions::default(), |_| {}).unwrap();
    let folder = Folder::new();
    let repeats = fit(&votes, Dependence::Repeats, &FitOptions::default()).unwrap();
    for (fitted, beside) in [(&structured, Some(&independent)), (&dawid_skene, None), (&repeats, None)] {
        let path = folder.path("model.json");
        write_document(Output::create(&path).unwrap(), &ModelFile::new(fitted, beside)).unwrap();
        let file: ModelFile = read_document(&Input::Path(path), ModelFile::KIND).unwrap();
        let again = file.fitted().unwrap();
        assert_eq!(again.model, fitted.model);
        assert_eq!(again.shares, fitted.shares);
        assert_eq!(again.repeats, fitted.repeats);
        let (before, after) = (infer(fitted, &votes).unwrap(), infer(&again, &votes).unwrap());
        for i in 0..votes.items() {
            let bits = |p: &[f64]| p.iter().map(|p| p.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(before.item(i)), bits(after.item(i)));
        }
        assert_eq!(file.independent.is_some(), beside.is_some());
    }
}

#[test]
fn a_structure_comes_back() {
    let votes = planted_votes();
    let structure = learn_exact(&votes, &ExactOptions::default(), Select::Fwer(0.05)).unwrap();
    let again = StructureFile::new(&structure, true).structure().unwrap();
    let sorted = |structure: &Structure| {
        let mut list = structure.dependencies.clone();
        list.sort_by_key(|learned| learned.dependency.to_string());
        list
    };
    assert_eq!(sorted(&again), sorted(&structure));
    assert_eq!(again.sources, structure.sources);
}

#[test]
fn a_damaged_model_is_refused_with_a_reason() {
    let votes = planted_votes();
    let file = ModelFile::new(&fit(&votes, Dependence::Independent, &FitOptions::default()).unwrap(), None);
    let refused = |change: &dyn Fn(&mut ModelFile)| {
        let mut file = file.clone();
        change(&mut file);
        file.fitted().unwrap_err().to_string()
    };
    assert!(
        refused(&|file: &mut ModelFile| file.dependencies[0].sources[0] = "x".into())
            .contains("\"x\" is not one of the sources")
    );
    assert!(
        refused(&|file: &mut ModelFile| file.dependencies[0].kind = "x".into())
            .contains("no dependency type \"x\"")
    );
    assert!(
        refused(&|file: &mut ModelFile| file.votes_for[0][0] = "x".into())
            .contains("there is no class \"x\"")
    );
    assert!(refused(&|file: &mut ModelFile| drop(file.votes_for.pop())).contains("7 sources, but 6 domains"));
    let impression = |file: &mut ModelFile, change: fn(&mut ImpressionFile)| {
        change(file.impression.as_mut().unwrap());
    };
    assert!(
        refused(&move |file: &mut ModelFile| impression(file, |it| it.level = 0.0))
            .contains("must be above 0, but are 0 and")
    );
    assert!(
        refused(&move |file: &mut ModelFile| impression(file, |it| it.link = "x".into()))
            .contains("not \"scaled\" or")
    );
    assert!(
        refused(&move |file: &mut ModelFile| impression(file, |it| it.class_term.clear()))
            .contains("2 numbers")
    );
    assert!(refused(&|file: &mut ModelFile| file.temper = Some(true.into())).contains("fit the model again"));
    assert!(refused(&|file: &mut ModelFile| file.shares[0] = 2.0).contains("7 shares between 0 and 1"));
    assert!(refused(&|file: &mut ModelFile| file.classes.truncate(1)).contains("the only class"));
}
