//! Exported graphs, read back by parsers that others wrote.

use consilience::dependency::DependencyType as _;
use consilience::sources::{Classes, Sources};
use consilience::structure::{LearnedDependency, LinkType, Structure, graphml, graphviz};

/// Names that break a writer that forgets to escape.
const NAMES: [&str; 6] =
    ["plain", "say \"hi\" & <bye>", "\\back\\\\slash\\n", "two\nlines\t\r", "bell\u{7}", "語 [x=1]; }"];

fn structure(kinds: [LinkType; 3]) -> Structure {
    let link = |kind: LinkType, j, l, weight: f64, selected| LearnedDependency {
        dependency: kind.between(j, l).unwrap(),
        weight,
        stderr: Some(0.1),
        z: Some(weight / 0.1),
        p: Some(1e-9),
        q: Some(1e-8),
        selected,
    };
    let sources = Sources::new(NAMES.map(str::to_string).to_vec()).unwrap();
    let links = vec![
        link(kinds[0], 0, 1, 0.75, true),
        link(kinds[1], 2, 1, -1.0 / 3.0, true),
        link(kinds[2], 3, 4, 0.01, false),
    ];
    let mut structure = Structure::new(sources, Classes::numbered(2).unwrap(), links, 9).unwrap();
    structure.copies = vec![vec![3, 5]];
    structure
}

const SYMMETRIC: [LinkType; 3] = [LinkType::Correlation, LinkType::Exclusive, LinkType::Agreement];
const MIXED: [LinkType; 3] = [LinkType::Correlation, LinkType::Fixing, LinkType::Agreement];

type Dot = dot_parser::canonical::Graph<(String, String)>;

fn parsed(text: &str) -> Dot {
    let ast = dot_parser::ast::Graph::try_from(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    Dot::from(ast.filter_map(&|(key, value)| Some((key.into(), value.into()))))
}

fn attribute(list: &[(String, String)], name: &str) -> Option<String> {
    list.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone())
}

fn edges(graph: &Dot) -> Vec<(String, String, String, Option<f64>)> {
    let edge = |edge: &dot_parser::canonical::Edge<(String, String)>| {
        let get = |name| attribute(&edge.attr.elems, name);
        let value = get("value").map(|value| value.parse().unwrap());
        (edge.from.clone(), edge.to.clone(), get("type").unwrap(), value)
    };
    graph.edges.set.iter().map(edge).collect()
}

fn expected(rows: &[(&str, &str, &str, Option<f64>)]) -> Vec<(String, String, String, Option<f64>)> {
    rows.iter().map(|&(a, b, kind, value)| (a.into(), b.into(), kind.into(), value)).collect()
}

#[test]
fn graphviz_reads_what_was_written() {
    let graph = parsed(&graphviz(&structure(SYMMETRIC), false));
    assert!(!graph.is_digraph && graph.nodes.set.len() == NAMES.len());
    assert_eq!(
        edges(&graph),
        expected(&[
            ("s0", "s1", "correlation", Some(0.75)),
            ("s1", "s2", "exclusive", Some(-1.0 / 3.0)),
            ("s3", "s5", "copy", None)
        ])
    );
    for (j, name) in NAMES.iter().enumerate() {
        let label = attribute(&graph.nodes.set[&format!("s{j}")].attr.elems, "label").unwrap();
        // As the manual of Graphviz says: \" is a quote, \\ a backslash, \n a new line.
        let read =
            label.replace("\\\\", "\u{1}").replace("\\\"", "\"").replace("\\n", "\n").replace('\u{1}', "\\");
        let shown: String =
            name.chars().map(|c| if c.is_control() && c != '\n' { '\u{fffd}' } else { c }).collect();
        assert_eq!(read, shown);
    }
    assert_eq!(edges(&parsed(&graphviz(&structure(SYMMETRIC), true))).len(), 4);
}

#[test]
fn graphviz_has_arrows_where_dependencies_have_directions() {
    let graph = parsed(&graphviz(&structure(MIXED), false));
    assert!(graph.is_digraph);
    // fixing[2 <- 1]: source 1 corrects source 2.
    assert_eq!(
        edges(&graph),
        expected(&[
            ("s0", "s1", "correlation", Some(0.75)),
            ("s1", "s2", "fixing", Some(-1.0 / 3.0)),
            ("s3", "s5", "copy", None)
        ])
    );
    let still: Vec<bool> = graph
        .edges
        .set
        .iter()
        .map(|edge| attribute(&edge.attr.elems, "dir").as_deref() == Some("none"))
        .collect();
    assert_eq!(still, [true, false, true]);
}

#[test]
fn graphml_reads_what_was_written() {
    for (kinds, all) in [(SYMMETRIC, false), (MIXED, false), (MIXED, true)] {
        let structure = structure(kinds);
        let text = graphml(&structure, all);
        let document = roxmltree::Document::parse(&text).unwrap();
        let of = |tag: &'static str| document.descendants().filter(move |node| node.has_tag_name(tag));
        let declared: Vec<&str> = of("key").map(|key| key.attribute("id").unwrap()).collect();
        let data = |node: roxmltree::Node<'_, '_>, key: &str| {
            let found = node.children().find(|data| data.attribute("key") == Some(key));
            found.map(|data| data.text().unwrap_or_default().to_string())
        };
        for node in of("data") {
            assert!(declared.contains(&node.attribute("key").unwrap()));
        }
        let names: Vec<String> = of("node").map(|node| data(node, "name").unwrap()).collect();
        assert_eq!(names, NAMES.map(|name| name.replace('\u{7}', "\u{fffd}")));
        let groups: Vec<Option<String>> = of("node").map(|node| data(node, "group")).collect();
        let group = |number: &str| Some(number.to_string());
        assert_eq!(groups, [group("0"), group("0"), group("0"), group("1"), None, group("1")]);
        let mut read = of("edge").filter(|edge| data(*edge, "type").as_deref() != Some("copy"));
        for learned in structure.most_certain_first().filter(|learned| all || learned.selected) {
            let edge = read.next().unwrap();
            let directed = matches!(learned.dependency.name(), "fixing" | "reinforcing");
            let [j, l] = [0, 1].map(|end| format!("s{}", learned.dependency.sources()[end]));
            let ends = if directed { [l, j] } else { [j, l] };
            assert_eq!(["source", "target"].map(|end| edge.attribute(end).unwrap().to_string()), ends);
            assert_eq!(edge.attribute("directed"), directed.then_some("true"));
            let weight: f64 = data(edge, "weight").unwrap().parse().unwrap();
            assert_eq!(weight.to_bits(), learned.weight.to_bits());
            assert_eq!(data(edge, "type").as_deref(), Some(learned.dependency.name()));
            assert_eq!(data(edge, "selected"), Some(learned.selected.to_string()));
        }
        assert!(read.next().is_none());
        assert_eq!(of("edge").filter(|edge| data(*edge, "type").as_deref() == Some("copy")).count(), 1);
    }
}
