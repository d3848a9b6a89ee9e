//! `index.html` and `reproduction.md`: every figure that was run in a folder, told in a few sentences.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use consilience_io::{Output, VERSION};

use crate::error::ReproduceError;
use crate::section::Section;
use crate::{Figure, Run};

const HEAD: &str = include_str!("page_head.html");

const MARKDOWN_HEAD: &str = "\
# The paper's experiments, reproduced

Stephen H. Bach, Bryan He, Alexander Ratner and Christopher Ré, *Learning the Structure of Generative Models without Labeled
Data*, ICML 2017. Written by `consilience reproduce`, version VERSION. The paper's values were read off its figures by eye, so
that their last digit is uncertain. Bars are 95% intervals. A claim holds unless chance alone would let so little be seen less
than once in a thousand runs.
";

/// Where the section of a figure is kept, so that a page holds all figures however they were run.
fn place(folder: &Path, figure: Figure, ending: &str) -> PathBuf {
    folder.join("points").join(format!("{figure}.{ending}"))
}

/// Writes the section of one figure.
pub(crate) fn write_section(run: &Run<'_>, section: &Section) -> Result<(), ReproduceError> {
    for (ending, text) in [("html", html(section)), ("md", markdown(section))] {
        let path = place(&run.path(""), section.figure, ending);
        Output::create(&path)?.write_whole(text.as_bytes())?;
    }
    Ok(())
}

/// Writes the pages of all sections in `folder`.
pub(crate) fn write_index(folder: &Path) -> Result<(), ReproduceError> {
    let html = HEAD.replace("VERSION", &escape(VERSION))
        + &sections(folder, "html")?
        + "</main>\n</body>\n</html>\n";
    Output::create(&folder.join("index.html"))?.write_whole(html.as_bytes())?;
    let markdown = MARKDOWN_HEAD.replace("VERSION", VERSION) + &sections(folder, "md")?;
    Ok(Output::create(&folder.join("reproduction.md"))?.write_whole(markdown.as_bytes())?)
}

/// All sections that were ever written, in the order of the figures.
fn sections(folder: &Path, ending: &str) -> Result<String, ReproduceError> {
    let mut text = String::new();
    for figure in Figure::ALL {
        let path = place(folder, figure, ending);
        match std::fs::read_to_string(&path) {
            Ok(section) => text.push_str(&section),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(ReproduceError::points(&path, &error)),
        }
    }
    Ok(text)
}

fn markdown(section: &Section) -> String {
    let mut text = format!("\n## {}\n", section.title);
    for (name, seen) in &section.pictures {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "\n![{seen}]({name}.svg)");
    }
    let one = |part: &String| std::slice::from_ref(part).to_vec();
    for (title, parts) in [
        ("What was run.", one(&section.ran)),
        ("What the paper reports.", one(&section.paper)),
        ("What came out.", section.came_out.clone()),
        ("Where it differs, and why.", section.differs.clone()),
    ] {
        if !parts.is_empty() {
            let _ = writeln!(text, "\n**{title}** {}", parts.join(" "));
        }
    }
    if !section.claims.is_empty() {
        text.push_str("\n| claim | seen | |\n|---|---|---|\n");
        for claim in &section.claims {
            let word = if claim.holds { "holds" } else { "**does not hold**" };
            let _ = writeln!(text, "| {} | {} | {word} |", claim.text, claim.seen);
        }
    }
    text
}

fn html(section: &Section) -> String {
    let mut text = format!("<section id=\"{}\">\n<h2>{}</h2>\n", section.figure, escape(&section.title));
    for (name, seen) in &section.pictures {
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "<figure><a href=\"{name}.png\"><img src=\"{name}.svg\" alt=\"{}\"></a></figure>",
            escape(seen)
        );
    }
    for (title, part) in [("What was run", &section.ran), ("What the paper reports", &section.paper)] {
        let _ = writeln!(text, "<h3>{title}</h3>\n<p>{}</p>", escape(part));
    }
    for (title, parts) in
        [("What came out", &section.came_out), ("Where it differs, and why", &section.differs)]
    {
        if !parts.is_empty() {
            let _ = writeln!(text, "<h3>{title}</h3>");
        }
        for part in parts {
            let _ = writeln!(text, "<p>{}</p>", escape(part));
        }
    }
    if !section.claims.is_empty() {
        text.push_str("<table>\n<tr><th>Claim</th><th>Seen</th><th></th></tr>\n");
        for claim in &section.claims {
            let (class, word) = if claim.holds { ("yes", "holds") } else { ("no", "does not hold") };
            let _ = writeln!(
                text,
                "<tr><td>{}</td><td>{}</td><td class=\"{class}\">{word}</td></tr>",
                escape(&claim.text),
                escape(&claim.seen)
            );
        }
        text.push_str("</table>\n");
    }
    let links: Vec<String> =
        section.data.iter().map(|name| format!("<a href=\"{name}.csv\">{name}.csv</a>")).collect();
    let _ = writeln!(text, "<p class=\"data\">Data: {}</p>\n</section>", links.join(", "));
    text
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
