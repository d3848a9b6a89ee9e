//! `index.html` and `reproduction.md`: every figure that was run in a folder, described in a few sentences.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use consilience_io::Output;

use crate::Figure;
use crate::error::ReproduceError;
use crate::section::{Claim, Made, Section, Table};

const HEAD: &str = include_str!("page_head.html");

const MARKDOWN_HEAD: &str = "\
# The paper's experiments, reproduced

Stephen H. Bach, Bryan He, Alexander Ratner and Christopher Ré, *Learning the Structure of Generative Models without Labeled
Data*, ICML 2017. `consilience reproduce` wrote this page; all numbers come from the tables next to it, and none is typed
by hand. The paper's values were read off its figures by eye, so their last digit is uncertain. Bars are 95% intervals. A
claim counts as failed only if chance alone would produce such a shortfall in fewer than one run in a thousand.
";

/// Where the section of a figure is kept, so that a page holds all figures however they were run.
fn place(folder: &Path, figure: Figure) -> PathBuf {
    folder.join("points").join(format!("{figure}.json"))
}

/// Writes the section of one figure.
pub(crate) fn write_section(folder: &Path, section: &Section) -> Result<(), ReproduceError> {
    let path = place(folder, section.figure);
    let text =
        serde_json::to_string_pretty(section).map_err(|error| ReproduceError::points(&path, &error))?;
    Ok(Output::create(&path)?.write_whole(format!("{text}\n").as_bytes())?)
}

/// All sections that were ever written, in the order of the figures.
pub(crate) fn read_sections(folder: &Path) -> Result<Vec<Section>, ReproduceError> {
    let mut sections = Vec::new();
    for figure in Figure::ALL {
        let path = place(folder, figure);
        match std::fs::read_to_string(&path) {
            Ok(text) => sections
                .push(serde_json::from_str(&text).map_err(|error| ReproduceError::points(&path, &error))?),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(ReproduceError::points(&path, &error)),
        }
    }
    Ok(sections)
}

/// Writes the pages of all sections in `folder`.
pub(crate) fn write_index(folder: &Path) -> Result<(), ReproduceError> {
    let sections = read_sections(folder)?;
    let mut page = HEAD.to_string();
    if let Some(warning) = mixed(&sections) {
        let _ = writeln!(page, "<p class=\"no\">{}</p>", escape(&warning));
    }
    page.push_str("<nav>");
    for section in &sections {
        let name = section.title.split_once(". ").map_or(section.title.as_str(), |(name, _)| name);
        let _ = write!(page, "<a href=\"#{}\">{}</a> ", section.figure, escape(name));
    }
    page.push_str("</nav>\n");
    for section in &sections {
        html(&mut page, section);
    }
    page.push_str("</main>\n</body>\n</html>\n");
    Output::create(&folder.join("index.html"))?.write_whole(page.as_bytes())?;
    let text = markdown(&sections, "");
    Ok(Output::create(&folder.join("reproduction.md"))?.write_whole(text.as_bytes())?)
}

/// The page as Markdown; `prefix` is the path from it to the pictures and tables.
pub(crate) fn markdown(sections: &[Section], prefix: &str) -> String {
    let mut text = MARKDOWN_HEAD.to_string();
    if let Some(warning) = mixed(sections) {
        let _ = writeln!(text, "\n**{warning}**");
    }
    for section in sections {
        markdown_of(&mut text, section, prefix);
    }
    text
}

/// The warning if sections come from different versions of the code.
fn mixed(sections: &[Section]) -> Option<String> {
    let first = &sections.first()?.made;
    let same =
        |section: &Section| section.made.version == first.version && section.made.solver == first.solver;
    let others: Vec<&str> =
        sections.iter().filter(|section| !same(section)).map(|section| section.figure.name()).collect();
    (!others.is_empty()).then(|| {
        format!(
            "Not all sections come from the same version of the code: {} differ(s) from the first.",
            others.join(", ")
        )
    })
}

/// How a section was produced, in words.
fn made(made: &Made) -> String {
    let run = if made.quick { ", a quick run with few points and tables" } else { "" };
    let trials = made.trials.map_or(String::new(), |trials| format!(", {trials} tables per point requested"));
    format!("Made by version {} (code {}), seed {}{run}{trials}.", made.version, made.solver, made.seed)
}

/// The parts of a section that are sentences: title and paragraphs.
fn told(section: &Section) -> [(&'static str, Vec<String>); 4] {
    let one = |part: &String| if part.is_empty() { Vec::new() } else { vec![part.clone()] };
    [
        ("What was run", one(&section.ran)),
        ("What the paper reports", one(&section.paper)),
        ("What came out", section.came_out.clone()),
        ("Where it differs, and why", section.differs.clone()),
    ]
}

fn word(claim: &Claim) -> &'static str {
    if claim.holds { "holds" } else { "does not hold" }
}

fn markdown_of(text: &mut String, section: &Section, prefix: &str) {
    // Writing into a string cannot fail.
    let _ = writeln!(text, "\n## {}", section.title);
    for (name, seen) in &section.pictures {
        let _ = writeln!(text, "\n![{seen}]({prefix}{name}.svg)");
    }
    for (title, parts) in told(section) {
        match parts.as_slice() {
            [] => {}
            [part] => _ = writeln!(text, "\n**{title}.** {part}"),
            parts => {
                let _ = writeln!(text, "\n**{title}.**\n");
                for part in parts {
                    let _ = writeln!(text, "- {part}");
                }
            }
        }
    }
    for Table { title, header, rows } in &section.tables {
        let rule: String = std::iter::once("|---|").chain((1..header.len()).map(|_| "--:|")).collect();
        let _ = writeln!(text, "\n{title}\n\n| {} |\n{rule}", header.join(" | "));
        for row in rows {
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
    }
    if !section.claims.is_empty() {
        text.push_str("\n| claim | seen | |\n|---|---|---|\n");
        for claim in &section.claims {
            let word = if claim.holds { word(claim).to_string() } else { format!("**{}**", word(claim)) };
            let _ = writeln!(text, "| {} | {} | {word} |", claim.text, claim.seen);
        }
    }
    let links: Vec<String> =
        section.data.iter().map(|name| format!("[{name}.csv]({prefix}{name}.csv)")).collect();
    let data = if links.is_empty() { String::new() } else { format!(" Data: {}.", links.join(", ")) };
    let _ = writeln!(text, "\n{}{data}", made(&section.made));
}

fn html(text: &mut String, section: &Section) {
    // Writing into a string cannot fail.
    let _ = writeln!(text, "<section id=\"{}\">\n<h2>{}</h2>", section.figure, escape(&section.title));
    for (name, seen) in &section.pictures {
        let alt = escape(seen);
        let _ = writeln!(
            text,
            "<figure><a href=\"{name}.png\"><img src=\"{name}.svg\" alt=\"{alt}\"></a><figcaption>{alt}</figcaption></figure>"
        );
    }
    for (title, parts) in told(section) {
        match parts.as_slice() {
            [] => {}
            [part] => _ = writeln!(text, "<h3>{title}</h3>\n<p>{}</p>", escape(part)),
            parts => {
                let _ = writeln!(text, "<h3>{title}</h3>\n<ul>");
                for part in parts {
                    let _ = writeln!(text, "<li>{}</li>", escape(part));
                }
                text.push_str("</ul>\n");
            }
        }
    }
    for Table { title, header, rows } in &section.tables {
        let _ = writeln!(text, "<h3>{}</h3>\n<div class=\"wide\"><table class=\"numbers\">", escape(title));
        let _ = writeln!(text, "<tr>{}</tr>", cells(header, "th"));
        for row in rows {
            let _ = writeln!(text, "<tr>{}</tr>", cells(row, "td"));
        }
        text.push_str("</table></div>\n");
    }
    if !section.claims.is_empty() {
        text.push_str("<h3>Claims</h3>\n<table>\n<tr><th>Claim</th><th>Seen</th><th></th></tr>\n");
        for claim in &section.claims {
            let class = if claim.holds { "yes" } else { "no" };
            let _ = writeln!(
                text,
                "<tr><td>{}</td><td>{}</td><td class=\"{class}\">{}</td></tr>",
                escape(&claim.text),
                escape(&claim.seen),
                word(claim)
            );
        }
        text.push_str("</table>\n");
    }
    let links: Vec<String> =
        section.data.iter().map(|name| format!("<a href=\"{name}.csv\">{name}.csv</a>")).collect();
    let data = if links.is_empty() { String::new() } else { format!(" Data: {}.", links.join(", ")) };
    let _ = writeln!(text, "<p class=\"data\">{}{data}</p>\n</section>", escape(&made(&section.made)));
}

/// The cells of one row of a table.
fn cells(cells: &[String], tag: &str) -> String {
    let mut text = String::new();
    for cell in cells {
        let _ = write!(text, "<{tag}>{}</{tag}>", escape(cell));
    }
    text
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
