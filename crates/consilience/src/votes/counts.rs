//! How often each source votes, and for what.

use super::patterns::Patterns;
use crate::parallel;
use crate::sources::{Domain, Vote};

/// Rows of one piece of work.
const CHUNK: usize = 1 << 16;
/// Up to this many pairs of a source and a class are counted in one pass; with more, a first pass finds out which of them occur.
const FEW_CELLS: usize = 1 << 20;

/// For each source, abstain plus the classes it ever votes for, and how often it votes for each of these classes.
pub(super) fn domains_and_counts(
    patterns: &Patterns,
    sources: usize,
    classes: usize,
) -> (Vec<Domain>, Vec<Vec<u64>>) {
    if sources.saturating_mul(classes + 1) > FEW_CELLS {
        let domains = domains(patterns, sources, classes);
        let counts = counts_in_domains(patterns, &domains);
        return (domains, counts);
    }
    let width = classes + 1;
    let cells = sum_over_rows(patterns, sources * width, |cells, p| {
        let count = patterns.counts()[p];
        patterns.row(p).for_each(|(source, vote)| cells[source * width + usize::from(vote)] += count);
    });
    let of_source = |cells: &[u64]| {
        let cast = (1..=classes as Vote).filter(|&class| cells[usize::from(class)] > 0);
        let counts = cells[1..].iter().copied().filter(|&count| count > 0).collect();
        (Domain::of(cast), counts)
    };
    cells.chunks_exact(width).map(of_source).unzip()
}

/// Whole numbers added up over all rows, so that the order does not matter.
fn sum_over_rows(patterns: &Patterns, length: usize, add: impl Fn(&mut [u64], usize) + Sync) -> Vec<u64> {
    let zeros = || vec![0u64; length];
    let of_rows = |rows: std::ops::Range<usize>| {
        let mut sums = zeros();
        rows.for_each(|p| add(&mut sums, p));
        sums
    };
    let both = |mut a: Vec<u64>, b: Vec<u64>| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    parallel::map(parallel::few_ranges(patterns.len(), CHUNK), of_rows).into_iter().fold(zeros(), both)
}

/// Which classes each source ever votes for, by one bit per class.
fn domains(patterns: &Patterns, sources: usize, classes: usize) -> Vec<Domain> {
    let words = (classes + 64) / 64;
    let nobody = || vec![0u64; sources * words];
    let parts = parallel::map(parallel::few_ranges(patterns.len(), CHUNK), |rows| {
        let mut voted = nobody();
        for p in rows {
            patterns.row(p).for_each(|(source, vote)| {
                voted[source * words + usize::from(vote) / 64] |= 1 << (vote % 64);
            });
        }
        voted
    });
    let voted = parts.into_iter().fold(nobody(), |mut a, b| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a |= b);
        a
    });
    let cast = |bits: &[u64], class: Vote| bits[usize::from(class) / 64] >> (class % 64) & 1 == 1;
    let of_source = |bits: &[u64]| Domain::of((1..=classes as Vote).filter(|&class| cast(bits, class)));
    voted.chunks_exact(words).map(of_source).collect()
}

/// How often each source votes for each class of its domain, one place per class that occurs.
fn counts_in_domains(patterns: &Patterns, domains: &[Domain]) -> Vec<Vec<u64>> {
    let mut starts = Vec::with_capacity(domains.len());
    let mut length = 0;
    for domain in domains {
        starts.push(length);
        length += domain.len();
    }
    let places = sum_over_rows(patterns, length, |places, p| {
        let count = patterns.counts()[p];
        patterns.row(p).for_each(|(source, vote)| {
            if let Some(place) = domains[source].position(vote) {
                places[starts[source] + place] += count;
            }
        });
    });
    // The first place of a source is that of abstaining.
    let of_source = |(start, domain): (&usize, &Domain)| places[start + 1..start + domain.len()].to_vec();
    starts.iter().zip(domains).map(of_source).collect()
}

#[cfg(test)]
mod tests {
    use crate::sources::{Classes, Sources};
    use crate::votes::VotesBuilder;

    use super::*;

    /// One pass over all cells and two over those that occur agree with counting by hand.
    #[test]
    fn both_ways_of_counting_agree() {
        let (sources, classes) = (5, 70);
        let mut builder = VotesBuilder::new(Sources::numbered(sources).unwrap());
        let mut expected = vec![vec![0u64; classes + 1]; sources];
        for i in 0..400_usize {
            let mut row = Vec::new();
            for (j, expected) in expected.iter_mut().enumerate().take(4) {
                let vote = (i * (3 * j + 7) + i / 50) % (classes + 40);
                if vote > 0 && vote <= classes {
                    row.push((j as u32, vote as Vote));
                    expected[vote] += 1;
                }
            }
            builder.push(&row).unwrap();
        }
        let votes = builder.finish_as(Classes::numbered(classes).unwrap()).unwrap();
        let (found, counts) = domains_and_counts(votes.patterns(), sources, classes);
        assert_eq!(found, domains(votes.patterns(), sources, classes));
        assert_eq!(counts, counts_in_domains(votes.patterns(), &found));
        for (j, expected) in expected.iter().enumerate() {
            let cast: Vec<Vote> = (1..=classes as Vote).filter(|&v| expected[usize::from(v)] > 0).collect();
            assert_eq!(found[j].classes(), cast);
            let of_cast: Vec<u64> = cast.iter().map(|&v| expected[usize::from(v)]).collect();
            assert_eq!(counts[j], of_cast);
        }
        assert_eq!(votes.vote_counts(), counts);
    }
}
