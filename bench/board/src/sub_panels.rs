//! Random parts of panels: more tables to choose constants on than there are sets.

use consilience::answers::sample;
use consilience::sources::{ABSTAIN, Sources, Vote};
use consilience::votes::VotesBuilder;
use consilience_reproduce::set::Set;

/// The share of the sources that a part keeps, and the fewest of them.
const SHARE: f64 = 0.6;
const FEWEST: usize = 3;

/// The `draw`-th random part of the sources of `set`, over all its items; items that lose all votes lose their gold, too.
pub(crate) fn sub_panel(set: &Set, draw: u64) -> anyhow::Result<Set> {
    let n = set.votes.sources().len();
    let count = ((SHARE * n as f64).ceil() as usize).clamp(FEWEST.min(n), n);
    of_sources(set, count, draw)
}

/// The `draw`-th random part of `count` sources of `set`.
pub(crate) fn of_sources(set: &Set, count: usize, draw: u64) -> anyhow::Result<Set> {
    let n = set.votes.sources().len();
    let count = count.min(n);
    let mut kept = sample(n, count, draw);
    kept.sort_unstable();
    let mut place = vec![None; n];
    for (at, &j) in kept.iter().enumerate() {
        place[j] = Some(at as u32);
    }
    let names = kept.iter().map(|&j| set.votes.sources().name(j).to_string()).collect();
    let mut builder = VotesBuilder::new(Sources::new(names)?);
    let mut gold = set.gold.clone();
    let mut row: Vec<(u32, Vote)> = Vec::new();
    for (i, gold) in gold.iter_mut().enumerate() {
        row.clear();
        row.extend(set.votes.row_of_item(i).filter_map(|(j, vote)| Some((place[j]?, vote))));
        builder.push(&row)?;
        if row.is_empty() {
            *gold = ABSTAIN;
        }
    }
    let votes = builder.finish_as(set.votes.classes().clone())?;
    Ok(Set { name: format!("part {draw} of {}", set.name), metric: set.metric, votes, gold, texts: None })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_part_keeps_the_votes_of_its_sources() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("meta.json", r#"{"classes": 2, "metric": "accuracy"}"#);
        write("votes.csv", "a,b,c,d,e\n1,,,,\n,1,,,\n,,1,,\n,,,1,\n,,,,1\n0,0,0,0,0\n");
        write("gold.csv", "gold\n1\n1\n1\n1\n1\n0\n");
        let set = Set::read_votes(folder.path()).unwrap();
        let (part, other) = (sub_panel(&set, 1).unwrap(), sub_panel(&set, 2).unwrap());
        assert_eq!(part.votes.sources().len(), 3);
        assert_ne!(part.votes.sources().names(), other.votes.sources().names());
        assert_eq!(part.votes.items(), 6);
        for i in 0..6 {
            let own = |set: &Set| -> Vec<(String, Vote)> {
                let name = |j: usize| set.votes.sources().name(j).to_string();
                set.votes.row_of_item(i).map(|(j, vote)| (name(j), vote)).collect()
            };
            let mut expected = own(&set);
            expected.retain(|(name, _)| part.votes.sources().position(name).is_some());
            assert_eq!(own(&part), expected);
            assert_eq!(part.gold[i] == ABSTAIN, expected.is_empty());
        }
    }
}
