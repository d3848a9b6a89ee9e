//! `index.html`: every figure that was run in a folder, told in a few sentences.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use consilience_io::{Output, VERSION};

use crate::error::ReproduceError;
use crate::section::Section;
use crate::{Figure, Run};

const HEAD: &str = include_str!("page_head.html");

/// Where the section of a figure is kept, so that a page holds all figures however they were run.
fn place(folder: &Path, figure: Figure) -> PathBuf {
    folder.join("points").join(format!("{figure}.html"))
}

/// Writes the section of one figure.
pub(crate) fn write_section(run: &Run<'_>, section: &Section) -> Result<(), ReproduceError> {
    let path = place(&run.path(""), section.figure);
    Ok(Output::create(&path)?.write_whole(html(section).as_bytes())?)
}

/// Writes the page of all sections in `folder`.
pub(crate) fn write_index(folder: &Path) -> Result<(), ReproduceError> {
    let mut page = HEAD.replace("VERSION", &escape(VERSION));
    for figure in Figure::ALL {
        let path = place(folder, figure);
        match std::fs::read_to_string(&path) {
            Ok(section) => page.push_str(&section),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(ReproduceError::points(&path, &error)),
        }
    }
    page.push_str("</main>\n</body>\n</html>\n");
    Ok(Output::create(&folder.join("index.html"))?.write_whole(page.as_bytes())?)
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
