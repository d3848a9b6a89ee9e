//! How much of a table of votes is held at once.

use anyhow::bail;
use clap::Args;

use super::values;
use super::votes::TableArgs;

/// By the practical rule (`consilience plan`), enough rows to find links a tenth as strong as those in the
/// paper's simulations, for as many sources as a table may have, if each depends on at most three others.
const MOST_PATTERNS: usize = 4_000_000;

/// A limit on the distinct rows of votes.
#[derive(Clone, Copy, Debug, Args)]
pub struct BudgetArgs {
    /// Maximum number of distinct rows of votes in memory [default: 4000000]
    ///
    /// If a table has more, the structure and the model are estimated from a uniform sample of that size, and
    /// a note says so; `label` still labels all rows, in chunks. Tables with one row per vote are always read
    /// completely.
    #[arg(help_heading = "Advanced", long, hide_short_help = true, value_name = "N", value_parser = values::rows)]
    most_patterns: Option<u64>,
}

impl BudgetArgs {
    /// How many distinct rows may be held; `None` if a flag needs all items at once.
    pub fn patterns(
        self,
        table: &TableArgs,
        of_all: &[(bool, &'static str)],
    ) -> anyhow::Result<Option<usize>> {
        let of_table = [(table.count.is_some(), "--count"), (table.gold_file.is_some(), "--gold-file")];
        let needed = of_all.iter().chain(&of_table).find(|(given, _)| *given);
        match (needed, self.most_patterns) {
            (Some((_, flag)), Some(_)) => {
                bail!(
                    "{flag} needs all items at once, so --most-patterns has no effect; leave out one of the two"
                )
            }
            (Some(_), None) => Ok(None),
            (None, most) => {
                Ok(Some(most.map_or(MOST_PATTERNS, |most| usize::try_from(most).unwrap_or(usize::MAX))))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use consilience::sources::MAX_SOURCES;
    use consilience::structure::practice_rows;

    use super::*;

    #[test]
    fn the_default_is_enough_for_weak_links_among_all_sources() {
        assert!(practice_rows(MAX_SOURCES as f64, 4.0, 0.025) <= MOST_PATTERNS as f64);
    }
}
