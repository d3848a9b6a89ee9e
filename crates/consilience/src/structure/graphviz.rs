//! A structure as a Graphviz graph, for `dot`, `neato` and any viewer of that format.

use std::fmt::Write as _;

use super::candidates::LinkType;
use super::graph::{LearnedDependency, Structure};
use super::graphml::decimal;
use crate::dependency::DependencyType as _;

/// `structure` in the DOT language; with `all`, including candidates that were not selected, as thin grey lines.
///
/// Sources are the nodes `s0`, `s1`, ... in order, labelled with their names. A dependency has the attributes `type`,
/// `value` (its weight; Graphviz would use an attribute called weight for the layout) and, if known, `stderr`, `z`, `p` and
/// `q`. Stronger dependencies have wider lines, and negative weights have dashed ones.
/// Blue lines of the type `repetition` join sources that repeat each other; their value is the share of votes.
/// Dotted lines join exact copies to the first of their group. The graph is directed only if a dependency is.
///
/// ```
/// # use consilience::dependency::{Correlation, DependencyError};
/// # use consilience::sources::{Classes, NamesError, Sources};
/// # use consilience::structure::{LearnedDependency, Structure, graphviz};
/// # let sources = Sources::new(vec!["a".to_string(), "b".to_string()])?;
/// # let dependency = Correlation::new(0, 1)?.into();
/// # let learned = LearnedDependency { dependency, weight: 0.5, stderr: None, z: None, p: None, q: None, selected: true };
/// # let structure = Structure::new(sources, Classes::numbered(2)?, vec![learned], 10)?;
/// let dot = graphviz(&structure, false);
/// assert!(dot.starts_with("graph structure {") && dot.contains("s0 -- s1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn graphviz(structure: &Structure, all: bool) -> String {
    let shown: Vec<&LearnedDependency> =
        structure.most_certain_first().filter(|learned| all || learned.selected).collect();
    let directed = shown.iter().any(|learned| is_directed(learned));
    let (kind, line) = if directed { ("digraph", "->") } else { ("graph", "--") };
    let mut text = format!("{kind} structure {{\n");
    text.push_str("  node [shape=box, style=\"rounded\", fontname=\"sans-serif\"];\n");
    text.push_str("  edge [fontname=\"sans-serif\", fontsize=10];\n");
    for (j, name) in structure.sources.names().iter().enumerate() {
        push(&mut text, format_args!("  s{j} [label=\"{}\"];\n", escape(name)));
    }
    for learned in shown {
        let sources = learned.dependency.sources();
        // j <- l is an arrow from l to j.
        let ends = if is_directed(learned) { (sources[1], sources[0]) } else { (sources[0], sources[1]) };
        push(
            &mut text,
            format_args!("  s{} {line} s{} [{}];\n", ends.0, ends.1, attributes(learned, directed)),
        );
    }
    for pair in structure.repetitions.iter().flat_map(|found| &found.pairs) {
        let still = if directed { ", dir=none" } else { "" };
        let z = pair.z.map_or(String::new(), |z| format!(", z=\"{}\"", decimal(z)));
        let ([j, l], share) = (pair.sources, pair.share);
        push(
            &mut text,
            format_args!(
                "  s{j} {line} s{l} [type=\"repetition\", value=\"{}\"{z}, tooltip=\"repetition\", label=\"{:.0}%\", penwidth=\"{:.2}\", color=\"blue\"{still}];\n",
                decimal(share),
                100.0 * share,
                line_width(share)
            ),
        );
    }
    for group in &structure.copies {
        for copy in group.iter().skip(1) {
            let still = if directed { ", dir=none" } else { "" };
            let first = group[0];
            push(
                &mut text,
                format_args!(
                    "  s{first} {line} s{copy} [type=\"copy\", label=\"copy\", style=\"dotted\"{still}];\n"
                ),
            );
        }
    }
    text.push_str("}\n");
    text
}

/// Writing into a string cannot fail.
fn push(text: &mut String, part: std::fmt::Arguments<'_>) {
    let _ = text.write_fmt(part);
}

fn is_directed(learned: &LearnedDependency) -> bool {
    learned.dependency.name().parse::<LinkType>().is_ok_and(LinkType::directed)
}

/// The attributes of one dependency, in a graph that is `directed` or not.
fn attributes(learned: &LearnedDependency, directed: bool) -> String {
    let name = learned.dependency.name();
    let mut list = format!("type=\"{name}\", value=\"{}\"", decimal(learned.weight));
    for (what, number) in [("stderr", learned.stderr), ("z", learned.z), ("p", learned.p), ("q", learned.q)] {
        if let Some(number) = number {
            push(&mut list, format_args!(", {what}=\"{}\"", decimal(number)));
        }
    }
    push(&mut list, format_args!(", tooltip=\"{name}\", label=\"{:.2}\"", learned.weight));
    push(&mut list, format_args!(", penwidth=\"{:.2}\"", line_width(learned.weight)));
    if learned.weight < 0.0 {
        list.push_str(", style=\"dashed\"");
    }
    if !learned.selected {
        list.push_str(", selected=\"false\", color=\"grey\", fontcolor=\"grey\"");
    }
    if directed && !is_directed(learned) {
        list.push_str(", dir=none");
    }
    list
}

/// From 0.5 to 5 points; a weight of 1 is as good as a copy and has 4.
fn line_width(weight: f64) -> f64 {
    (0.5 + 3.5 * weight.abs()).min(5.0)
}

/// `text` within double quotes of a label: quotes and backslashes are marked, line ends are written as `\n`.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => escaped.extend(['\\', c]),
            '\n' => escaped.push_str("\\n"),
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn a_backslash_at_the_end_does_not_swallow_the_quote() {
        // Graphviz reads \\\\ as one backslash, so that the quote behind it ends the label.
        assert_eq!(escape("a\\"), "a\\\\");
        assert_eq!(escape("\"\\\""), "\\\"\\\\\\\"");
    }
}
