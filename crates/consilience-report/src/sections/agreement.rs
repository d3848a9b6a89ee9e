//! How often each two sources agree.

use std::fmt::Write as _;

use consilience::findings::Report;

use crate::heat_map;

const WIDE: f64 = 860.0;

pub(crate) fn write(page: &mut String, report: &Report) {
    let Some(picture) = heat_map::svg(report, WIDE) else { return };
    super::open(
        page,
        "agreement",
        "Agreement",
        "Cohen's kappa of each pair of sources over the items on which both vote: 0 means agreement by chance, 1 means always the same vote. Groups come first.",
    );
    let left_out = report.agreement.as_ref().map_or(0, |agreement| agreement.left_out);
    let more = if left_out > 0 { format!(" {left_out} more sources are left out.") } else { String::new() };
    let _ = writeln!(
        page,
        "<figure><div class=\"scroll\">{picture}</div><figcaption><span class=\"scale differ\"></span> differ <span class=\"scale agree\"></span> agree.{more}</figcaption></figure>"
    );
    super::close(page);
}
