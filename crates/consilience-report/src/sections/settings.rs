//! How the report was made, and what to know.

use std::fmt::Write as _;

use consilience::findings::Report;

use crate::text::escape;

pub(crate) fn write(page: &mut String, report: &Report) {
    super::open(page, "settings", "How this was made", "");
    page.push_str("<dl class=\"settings\">\n");
    for setting in &report.settings {
        let _ = writeln!(
            page,
            "<div><dt>{}</dt><dd>{}</dd></div>",
            escape(&setting.name),
            escape(&setting.value)
        );
    }
    page.push_str("</dl>\n");
    if !report.notes.is_empty() {
        page.push_str("<ul class=\"notes\">\n");
        for note in &report.notes {
            let _ = writeln!(page, "<li>{}</li>", escape(note));
        }
        page.push_str("</ul>\n");
    }
    super::close(page);
}
