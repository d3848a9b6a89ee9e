//! Tables whose truth is planted: constants that are chosen on them have seen no real table.

use consilience::rng::{Stream, Streams, unit};
use consilience::sources::{Classes, Sources, Vote};
use consilience::votes::VotesBuilder;
use consilience_reproduce::set::{Metric, Set};

/// What one kind of planted table looks like.
struct Plan {
    kind: &'static str,
    items: usize,
    sources: usize,
    classes: usize,
    /// The shares of items that sources vote on lie between these.
    coverage: (f64, f64),
    /// And the shares of correct votes.
    correct: (f64, f64),
    /// Sources vote for one class each.
    one_class: bool,
    /// The share of the first class; the others share the rest equally.
    first: f64,
}

/// Rules for one class each, panels of a few sources that always vote, panels of many, and crowds of which few vote on an item.
const PLANS: [Plan; 10] = [
    rules(8, 2, (0.05, 0.3), 0.5),
    rules(20, 2, (0.02, 0.3), 0.7),
    rules(40, 5, (0.01, 0.15), 0.2),
    Plan { correct: (0.4, 0.7), ..rules(12, 3, (0.05, 0.4), 0.4) },
    voters("few", 4, 2, (0.5, 1.0), 0.5),
    voters("few", 5, 3, (0.3, 0.9), 0.4),
    voters("judges", 12, 2, (0.9, 1.0), 0.6),
    voters("judges", 25, 2, (0.9, 1.0), 0.8),
    voters("crowd", 60, 2, (0.03, 0.15), 0.5),
    voters("crowd", 60, 4, (0.05, 0.2), 0.25),
];

const fn rules(sources: usize, classes: usize, coverage: (f64, f64), first: f64) -> Plan {
    let correct = (0.45, 0.95);
    Plan { kind: "rules", items: 3_000, sources, classes, coverage, correct, one_class: true, first }
}

const fn voters(
    kind: &'static str,
    sources: usize,
    classes: usize,
    coverage: (f64, f64),
    first: f64,
) -> Plan {
    let correct = (0.5, 0.85);
    Plan { kind, items: 2_000, sources, classes, coverage, correct, one_class: false, first }
}

/// `each` tables of every kind.
pub(crate) fn sets(each: u64) -> anyhow::Result<Vec<Set>> {
    let drawn = |plan: usize| (0..each).map(move |draw| PLANS[plan].draw(plan, draw));
    (0..PLANS.len()).flat_map(drawn).collect()
}

impl Plan {
    fn draw(&self, number: usize, draw: u64) -> anyhow::Result<Set> {
        let mut rng = Streams::new(1_000 * number as u64).stream(draw);
        let within = |(low, high): (f64, f64), rng: &mut Stream| low + (high - low) * unit(rng);
        let any = |count: usize, rng: &mut Stream| ((unit(rng) * count as f64) as usize).min(count - 1);
        let sources: Vec<(f64, f64, usize)> = (0..self.sources)
            .map(|_| {
                (within(self.coverage, &mut rng), within(self.correct, &mut rng), any(self.classes, &mut rng))
            })
            .collect();
        let mut builder = VotesBuilder::new(Sources::numbered(self.sources)?);
        let mut gold: Vec<Vote> = Vec::new();
        for _ in 0..self.items {
            let truth = if unit(&mut rng) < self.first { 0 } else { 1 + any(self.classes - 1, &mut rng) };
            let mut row: Vec<(u32, Vote)> = Vec::new();
            for (j, &(coverage, correct, own)) in (0..).zip(&sources) {
                let is_right = unit(&mut rng) < correct;
                let other = (truth + 1 + any(self.classes - 1, &mut rng)) % self.classes;
                let votes = unit(&mut rng) < coverage;
                let vote = if is_right { truth } else { other };
                if votes && (!self.one_class || vote == own) {
                    row.push((j, vote as Vote + 1));
                }
            }
            builder.push(&row)?;
            gold.push(truth as Vote + 1);
        }
        let votes = builder.finish_as(Classes::numbered(self.classes)?)?;
        let name = format!("{} {}x{} {draw}", self.kind, self.sources, self.classes);
        Ok(Set { name, metric: Metric::Accuracy, votes, gold, texts: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planted_tables_are_what_their_plans_say() {
        let sets = sets(1).unwrap();
        assert_eq!(sets.len(), PLANS.len());
        for (set, plan) in sets.iter().zip(&PLANS) {
            assert_eq!((set.votes.items(), set.votes.sources().len()), (plan.items, plan.sources));
            let is_one = |j: usize| set.votes.domains()[j].classes().len() == 1;
            assert!(!plan.one_class || (0..plan.sources).all(is_one), "{}", set.name);
            let first = set.gold.iter().filter(|&&gold| gold == 1).count() as f64 / plan.items as f64;
            assert!((first - plan.first).abs() < 0.05, "{}: {first}", set.name);
        }
    }
}
