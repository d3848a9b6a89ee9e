//! The page as a reader gets it: complete, self-contained, and safe whatever the names are.
#![allow(missing_docs)]

use consilience::answers::{Answers, sample};
use consilience::findings::{Flag, Link, Report, ReportInput, Setting, Study};
use consilience::model::FitOptions;
use consilience::sources::{Classes, Sources, Vote};
use consilience::votes::{Votes, VotesBuilder};
use consilience_report::{Graph, html, markdown};
use consilience_testing::repeating_panel;
use roxmltree::{Document, ParsingOptions};

const HOSTILE: &str = "<script>alert('x')</script>\"&";

fn hostile_sources(n: usize) -> Sources {
    Sources::new((0..n).map(|j| format!("{HOSTILE} {j}")).collect()).unwrap()
}

/// The panel with these sources.
fn renamed(votes: &Votes, sources: Sources) -> Votes {
    let mut builder = VotesBuilder::new(sources);
    let mut row = vec![0; votes.sources().len()];
    for &pattern in votes.item_pattern() {
        votes.patterns().read_into(pattern as usize, &mut row);
        builder.push_dense(&row).unwrap();
    }
    builder.finish_as(Classes::new(vec!["ham".to_string(), HOSTILE.to_string()]).unwrap()).unwrap()
}

fn report(votes: &Votes, gold: Option<&[Vote]>, answers: Option<&Answers>) -> Report {
    let mut study = Study::new(votes, None, &FitOptions::default()).unwrap();
    if let Some(answers) = answers {
        study = study.teach(votes, answers).unwrap();
    }
    Report::new(ReportInput {
        table: "votes<b>.csv",
        votes,
        study: &study,
        gold,
        answers,
        item_name: &|i| format!("item {i} {HOSTILE}"),
        settings: vec![Setting::new("Votes", HOSTILE)],
    })
    .unwrap()
}

fn parsed(page: &str) -> Document<'_> {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    Document::parse_with_options(page, options).unwrap()
}

#[test]
fn names_are_text_and_nothing_is_loaded() {
    let votes = renamed(&repeating_panel(12, 400, 0.8), hostile_sources(12));
    let page = html(&report(&votes, None, None));
    let document = parsed(&page);
    let names: Vec<&str> = document
        .descendants()
        .filter(roxmltree::Node::is_element)
        .map(|node| node.tag_name().name())
        .collect();
    for tag in ["script", "b", "iframe", "object", "link"] {
        let inside_names = names.iter().filter(|name| **name == tag).count();
        assert!(tag == "b" || inside_names == 0, "{tag}");
    }
    for node in document.descendants() {
        for attribute in node.attributes() {
            assert!(!attribute.name().starts_with("on"), "{attribute:?}");
            let loads = ["src", "href", "data", "action"].contains(&attribute.name());
            assert!(!loads || attribute.value().starts_with("data:image/png;base64,"), "{attribute:?}");
        }
    }
    // Every name is on the page, as text.
    let heads: Vec<String> = document
        .descendants()
        .filter(|node| node.has_tag_name("th"))
        .map(|node| node.descendants().filter_map(|node| node.text().filter(|_| node.is_text())).collect())
        .collect();
    for j in 0..12 {
        assert!(heads.contains(&format!("{HOSTILE} {j}")), "{j}");
    }
}

#[test]
fn planted_repetition_is_named_and_drawn() {
    let votes = renamed(&repeating_panel(20, 3000, 1.0), Sources::numbered(20).unwrap());
    let report = report(&votes, None, None);
    let pairs: Vec<[usize; 2]> = report.links.iter().map(|link: &Link| link.sources).collect();
    assert!(pairs.contains(&[8, 9]) && pairs.contains(&[18, 19]), "{pairs:?}");
    assert!(report.headline.effective_votes < 20.0 && report.headline.effective_votes > 17.0);
    assert!(
        report.sources[9].flags.iter().any(|flag| matches!(flag, Flag::Repeats { of, .. } if of == "s8"))
    );
    let page = html(&report);
    assert!(page.contains("<title>s8 and s9: repeat each other"), "the link is not drawn");
    assert!(markdown(&report).contains("| s8 | s9 |"));
}

/// Gold and answers add their sections; without them the report mentions neither.
#[test]
fn gold_and_answers_have_their_sections() {
    let votes = renamed(&repeating_panel(9, 600, 1.0), Sources::numbered(9).unwrap());
    let majority: Vec<Vote> = (0..600)
        .map(|i| if votes.row_of_item(i).filter(|&(_, vote)| vote == 1).count() > 4 { 1 } else { 2 })
        .collect();
    let drawn = sample(600, 60, 1);
    let mut of_item = vec![0; 600];
    for &i in &drawn {
        of_item[i] = majority[i];
    }
    let answers = Answers::new(of_item, 600, votes.classes()).unwrap();
    let plain = html(&report(&votes, None, None));
    assert!(!plain.contains("id=\"certificate\"") && !plain.contains("by gold"));
    let full = report(&votes, Some(&majority), Some(&answers));
    let page = html(&full);
    parsed(&page);
    assert!(page.contains("id=\"certificate\"") && page.contains("Right by gold"));
    // Gold is majority vote here, which is therefore always right.
    let scores: Vec<f64> =
        full.comparison.methods.iter().map(|method| method.scores.unwrap().accuracy).collect();
    assert!((scores[0] - 1.0).abs() < 1e-12, "{scores:?}");
    assert!(scores[2] < 1.0 && scores[2] > 0.8, "{scores:?}");
    let judged: u64 = full.confidence.iter().map(|bin| bin.judged).sum();
    assert_eq!(judged, 600);
    let certificate = full.certificate.unwrap();
    assert_eq!((certificate.answers, certificate.cross_fitted), (60, true));
}

/// Three hundred sources and their heat map stay far below 3 MB; one source still makes a page.
#[test]
fn any_number_of_sources() {
    let many = repeating_panel(300, 300, 0.3);
    let page = html(&report(&many, None, None));
    parsed(&page);
    assert!(page.len() < 1_500_000, "{}", page.len());
    assert!(page.contains("data:image/png;base64,"));
    let one = html(&report(&repeating_panel(1, 20, 1.0), None, None));
    parsed(&one);
    assert!(one.contains("1 source"));
}

/// The disputed items are those whose probabilities differ most, found here by comparing all items.
#[test]
fn disputed_items_are_the_most_disputed() {
    let votes = repeating_panel(11, 800, 0.9);
    let study = Study::new(&votes, None, &FitOptions::default()).unwrap();
    let report = report(&votes, None, None);
    let distance = |i: usize| {
        let p = [study.majority.item(i), study.independent_labels.item(i), study.labels.item(i)];
        let between =
            |a: usize, b: usize| 0.5 * p[a].iter().zip(p[b]).map(|(a, b)| (a - b).abs()).sum::<f64>();
        between(0, 1).max(between(0, 2)).max(between(1, 2))
    };
    let worst = (0..800).map(distance).fold(0.0, f64::max);
    let listed = &report.comparison.disputed;
    assert!((listed[0].distance - worst).abs() < 1e-12);
    assert!(listed.windows(2).all(|pair| pair[0].distance >= pair[1].distance));
    assert!((distance(listed[3].item) - listed[3].distance).abs() < 1e-12);
}

/// The picture of a structure stands alone: valid XML, its own style, hostile names as text.
#[test]
fn a_structure_is_drawn_alone() {
    let votes = renamed(&repeating_panel(12, 400, 0.8), hostile_sources(12));
    let study = Study::new(&votes, None, &FitOptions::default()).unwrap();
    let graph = Graph::of_structure(&study.structure);
    let svg = graph.svg_alone(600.0);
    let document = Document::parse(&svg).unwrap();
    let of = |tag: &str| document.descendants().filter(|node| node.tag_name().name() == tag).count();
    assert_eq!((of("style"), of("script")), (1, 0));
    assert_eq!(of("line"), graph.links.len());
    assert!(of("circle") >= 2, "{svg}");
}
