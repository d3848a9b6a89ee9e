//! Items whose class is known, in expectation maximisation: their posterior is held at that class.

use crate::answers::Answers;
use crate::model::fit::likelihood::layout::{Layout, Tables};
use crate::num::softmax_in_place;
use crate::sources::Vote;
use crate::votes::Votes;

/// The known items of one class and one pattern of votes.
struct KnownRow {
    votes: Vec<(usize, Vote)>,
    class: usize,
    count: f64,
}

/// The items whose class is known, by pattern.
pub(crate) struct Known {
    rows: Vec<KnownRow>,
}

impl Known {
    pub(crate) fn new(votes: &Votes, answers: &Answers) -> Self {
        let mut list: Vec<(u32, Vote)> =
            answers.iter().map(|(i, class)| (votes.item_pattern()[i], class)).collect();
        list.sort_unstable();
        let row = |group: &[(u32, Vote)]| KnownRow {
            votes: votes.patterns().row(group[0].0 as usize).collect(),
            class: usize::from(group[0].1) - 1,
            count: group.len() as f64,
        };
        Self { rows: list.chunk_by(|a, b| a == b).map(row).collect() }
    }

    /// Turns expected counts under `energies` into those with known items held at their class, and returns what that adds to
    /// the log likelihood.
    ///
    /// # Formula
    /// ```text
    /// counts += Σ over known items of ( 1{y = class} - q(y) ),    added = Σ log p(λ, class) - log Σ_y p(λ, y)
    /// ```
    pub(crate) fn hold(&self, layout: &Layout, energies: &Tables, counts: &mut Tables) -> f64 {
        let k = layout.k;
        let mut added = 0.0;
        for KnownRow { votes, class, count } in &self.rows {
            let mut q = energies.class.clone();
            for &(j, vote) in votes {
                let energy = &energies.unary[layout.place(j, vote) * k..][..k];
                q.iter_mut().zip(energy).for_each(|(q, energy)| *q += energy);
            }
            let at_class = q[*class];
            added += count * (at_class - softmax_in_place(&mut q));
            self::add(layout, counts, votes, *class, *count, &q);
        }
        added
    }

    /// The same if the posterior of an item is the share of its votes.
    pub(crate) fn hold_majority(&self, layout: &Layout, counts: &mut Tables) {
        for KnownRow { votes, class, count } in &self.rows {
            let mut q = vec![if votes.is_empty() { 1.0 / layout.k as f64 } else { 0.0 }; layout.k];
            for &(_, vote) in votes {
                q[usize::from(vote) - 1] += 1.0 / votes.len() as f64;
            }
            self::add(layout, counts, votes, *class, *count, &q);
        }
    }
}

fn add(layout: &Layout, counts: &mut Tables, votes: &[(usize, Vote)], class: usize, count: f64, q: &[f64]) {
    let k = layout.k;
    let change = |y: usize| count * (f64::from(u8::from(y == class)) - q[y]);
    (0..k).for_each(|y| counts.class[y] += change(y));
    for &(j, vote) in votes {
        let cells = &mut counts.unary[layout.place(j, vote) * k..][..k];
        (0..k).for_each(|y| cells[y] += change(y));
    }
}
