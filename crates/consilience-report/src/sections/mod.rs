//! The sections of the page, one per file, in the order of the page.

pub(crate) mod agreement;
pub(crate) mod certificate;
pub(crate) mod comparison;
pub(crate) mod confidence;
pub(crate) mod headline;
pub(crate) mod settings;
pub(crate) mod sources;
pub(crate) mod structure;

use std::fmt::Write as _;

/// Opens a section with its heading and what it shows.
fn open(page: &mut String, id: &str, title: &str, lead: &str) {
    let _ = write!(page, "<section id=\"{id}\">\n<h2>{title}</h2>\n");
    if !lead.is_empty() {
        let _ = writeln!(page, "<p class=\"lead\">{lead}</p>");
    }
}

/// Closes a section.
fn close(page: &mut String) {
    page.push_str("</section>\n");
}
