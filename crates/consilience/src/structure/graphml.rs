//! A structure as GraphML, for Gephi, Cytoscape, yEd, networkx and igraph.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::candidates::LinkType;
use super::graph::{LearnedDependency, Structure};
use crate::dependency::DependencyType as _;

/// What nodes and edges carry: id, whose it is, name, type.
const KEYS: [(&str, &str, &str, &str); 9] = [
    ("name", "node", "name", "string"),
    ("group", "node", "group", "int"),
    ("type", "edge", "type", "string"),
    ("weight", "edge", "weight", "double"),
    ("stderr", "edge", "stderr", "double"),
    ("z", "edge", "z", "double"),
    ("p", "edge", "p", "double"),
    ("q", "edge", "q", "double"),
    ("selected", "edge", "selected", "boolean"),
];

/// `structure` as a GraphML document; with `all`, including candidates that were not selected.
///
/// Sources are the nodes `s0`, `s1`, ... in order, with `name`, and `group` if they depend on others.
/// Edges have `type`, `weight`, `selected` and if known `stderr`, `z`, `p` and `q`; edges of directed types go from the
/// source that backs up or corrects to the other. The weight of a repetition is the share of repeated votes. Exact copies
/// are joined to the first of their group by edges of type copy.
///
/// ```
/// use consilience::sources::{Classes, Sources};
/// use consilience::structure::{Structure, graphml};
///
/// let sources = Sources::new(vec!["ann & bob".into(), "c".into()])?;
/// let xml = graphml(&Structure::without_dependencies(sources, Classes::numbered(2)?, 10), false);
/// assert!(xml.contains("ann &amp; bob") && xml.ends_with("</graphml>\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn graphml(structure: &Structure, all: bool) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text.push_str("<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
    for (id, of, name, kind) in KEYS {
        push(
            &mut text,
            format_args!("  <key id=\"{id}\" for=\"{of}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>\n"),
        );
    }
    text.push_str("  <graph id=\"structure\" edgedefault=\"undirected\">\n");
    let groups = structure.groups();
    for (j, name) in structure.sources.names().iter().enumerate() {
        push(&mut text, format_args!("    <node id=\"s{j}\"><data key=\"name\">{}</data>", escape(name)));
        if let Some(group) = groups.iter().position(|group| group.contains(&j)) {
            push(&mut text, format_args!("<data key=\"group\">{group}</data>"));
        }
        text.push_str("</node>\n");
    }
    for learned in structure.most_certain_first().filter(|learned| all || learned.selected) {
        edge(&mut text, learned);
    }
    for pair in structure.repetitions.iter().flat_map(|found| &found.pairs) {
        let [j, l] = pair.sources;
        push(
            &mut text,
            format_args!(
                "    <edge source=\"s{j}\" target=\"s{l}\"><data key=\"type\">repetition</data><data key=\"weight\">{}</data>",
                decimal(pair.share)
            ),
        );
        if let Some(z) = pair.z {
            push(&mut text, format_args!("<data key=\"z\">{}</data>", decimal(z)));
        }
        text.push_str("<data key=\"selected\">true</data></edge>\n");
    }
    for group in &structure.copies {
        for copy in group.iter().skip(1) {
            push(
                &mut text,
                format_args!(
                    "    <edge source=\"s{}\" target=\"s{copy}\"><data key=\"type\">copy</data></edge>\n",
                    group[0]
                ),
            );
        }
    }
    text.push_str("  </graph>\n</graphml>\n");
    text
}

fn edge(text: &mut String, learned: &LearnedDependency) {
    let sources = learned.dependency.sources();
    let name = learned.dependency.name();
    // j <- l goes from l to j.
    if name.parse::<LinkType>().is_ok_and(LinkType::directed) {
        let (from, to) = (sources[1], sources[0]);
        push(text, format_args!("    <edge source=\"s{from}\" target=\"s{to}\" directed=\"true\">"));
    } else {
        push(text, format_args!("    <edge source=\"s{}\" target=\"s{}\">", sources[0], sources[1]));
    }
    push(text, format_args!("<data key=\"type\">{name}</data>"));
    let numbers = [
        ("weight", Some(learned.weight)),
        ("stderr", learned.stderr),
        ("z", learned.z),
        ("p", learned.p),
        ("q", learned.q),
    ];
    for (key, number) in numbers {
        if let Some(number) = number {
            push(text, format_args!("<data key=\"{key}\">{}</data>", decimal(number)));
        }
    }
    push(text, format_args!("<data key=\"selected\">{}</data></edge>\n", learned.selected));
}

/// Writing into a string cannot fail.
fn push(text: &mut String, part: std::fmt::Arguments<'_>) {
    let _ = text.write_fmt(part);
}

/// The shortest decimal number that reads back as `number`; p-values have no hundred zeros.
pub(super) fn decimal(number: f64) -> String {
    if number.abs() < 1e-4 { format!("{number:e}") } else { number.to_string() }
}

/// `text` as the content of an element; what no XML document can hold becomes U+FFFD.
fn escape(text: &str) -> Cow<'_, str> {
    let plain = |c: char| !matches!(c, '&' | '<' | '>' | '\u{fffe}' | '\u{ffff}') && !c.is_control();
    if text.chars().all(plain) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            // Readers turn a plain carriage return into a line feed.
            '\t' | '\n' | '\r' | '\u{7f}'..='\u{9f}' => {
                push(&mut escaped, format_args!("&#{};", u32::from(c)));
            }
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}
