//! Where the model and the one of independent sources disagree.

use consilience::labels::Labels;
use consilience_io::ItemNames;

use crate::terminal::{counted, thousands};

/// Below this share of differently labelled items, nothing is reported.
const MUCH: f64 = 0.05;
/// At most this many items are named.
const MOST_ITEMS: usize = 8;

/// The items that two models label differently, the surest ones by name.
#[derive(Debug, Default)]
pub(super) struct Disagreement {
    voted: u64,
    differ: u64,
    /// How sure the less sure model is, and the item's name; surest first.
    surest: Vec<(f64, String)>,
}

impl Disagreement {
    /// Adds the next items of the table.
    pub(super) fn add(&mut self, labels: &Labels, independent: &Labels, items: &ItemNames) {
        self.voted += (0..labels.items()).filter(|&i| labels.has_votes(i)).count() as u64;
        for i in labels.differing(independent) {
            self.differ += 1;
            let sure = labels.confidence(i).min(independent.confidence(i));
            // Items come in order, so that of equally sure ones the first stay.
            let place = self.surest.partition_point(|(other, _)| other.total_cmp(&sure).is_ge());
            if place < MOST_ITEMS {
                self.surest.insert(place, (sure, items.name(i).into_owned()));
                self.surest.truncate(MOST_ITEMS);
            }
        }
    }

    /// What to say if there are many.
    pub(super) fn line(&self) -> Option<String> {
        if self.differ == 0 || (self.differ as f64) < MUCH * self.voted as f64 {
            return None;
        }
        let named: Vec<&str> = self.surest.iter().map(|(_, name)| name.as_str()).collect();
        let more = if self.differ > MOST_ITEMS as u64 { ", ..." } else { "" };
        Some(format!(
            "independent sources would label {} of {} differently (items {}{more}); look at some of them, or compare with --independent",
            thousands(self.differ),
            counted(self.voted, "item", "items"),
            named.join(", ")
        ))
    }
}
