//! The page: its sections in order.

use std::fmt::Write as _;

use consilience::findings::Report;

use crate::sections;
use crate::text::escape;

const STYLE: &str = include_str!("page.css");

/// The report as one page that holds all it needs and loads nothing.
pub fn html(report: &Report) -> String {
    let mut page = String::with_capacity(1 << 17);
    let _ = write!(
        page,
        r#"<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"/>
<title>{} · Consilience report</title>
<style>{STYLE}</style>
</head>
<body>
<main>
"#,
        escape(&report.table)
    );
    sections::headline::write(&mut page, report);
    sections::structure::write(&mut page, report);
    sections::sources::write(&mut page, report);
    sections::agreement::write(&mut page, report);
    sections::confidence::write(&mut page, report);
    sections::comparison::write(&mut page, report);
    sections::certificate::write(&mut page, report);
    sections::settings::write(&mut page, report);
    page.push_str("</main>\n</body>\n</html>\n");
    page
}
