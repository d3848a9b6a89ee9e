//! Sources that are mirror images of each other: they vote on the same items, and the vote of one determines the vote of the other.

use hashbrown::HashMap;

use super::candidates::exact_copies;
use crate::sources::{ABSTAIN, Vote};
use crate::votes::Votes;

/// Pairs of a source and its mirror image: both vote on the same items, and a one-to-one exchange of classes turns the votes of
/// one into those of the other, such as a source that always votes the opposite. In ascending order of the images.
///
/// A source that casts the same vote on all items has no image. Exact copies are not mirror images, and only the first of a
/// group of copies has one. A source and its image differ only in the names of the classes, so learning keeps the first of
/// them.
///
/// ```
/// use consilience::structure::mirror_images;
/// use consilience::votes::Votes;
///
/// let votes = Votes::from_text(&["a", "b", "not_a"], [["yes", "no", "no"], ["no", "no", "yes"]])?;
/// assert_eq!(mirror_images(&votes), [[0, 2]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn mirror_images(votes: &Votes) -> Vec<[usize; 2]> {
    let copies = exact_copies(votes);
    let repeated = |j: &usize| copies.iter().any(|group| group[1..].contains(j));
    let mut by_items: HashMap<u64, Vec<usize>> = HashMap::new();
    for (j, &print) in prints(votes).iter().enumerate() {
        if says_two_things(votes, j) && !repeated(&j) {
            by_items.entry(print).or_default().push(j);
        }
    }
    let mut mirrors = Vec::new();
    for sources in by_items.into_values().filter(|sources| sources.len() > 1) {
        let mut kept: Vec<usize> = Vec::new();
        for j in sources {
            match kept.iter().find(|&&first| determines(votes, first, j)) {
                Some(&first) => mirrors.push([first, j]),
                None => kept.push(j),
            }
        }
    }
    mirrors.sort_unstable_by_key(|mirror| mirror[1]);
    mirrors
}

/// For each source a number that sources with votes on the same items share.
fn prints(votes: &Votes) -> Vec<u64> {
    let patterns = votes.patterns();
    let mut prints = vec![0u64; votes.sources().len()];
    for p in 0..patterns.len() {
        let number =
            (p as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29).wrapping_mul(p as u64 | 1);
        for (j, _) in patterns.row(p) {
            prints[j] = prints[j].wrapping_add(number);
        }
    }
    prints
}

/// Whether source `j` votes for two classes, or for one and abstains somewhere.
fn says_two_things(votes: &Votes, j: usize) -> bool {
    let patterns = votes.patterns();
    let votes_in = |p: usize| patterns.row(p).any(|(source, _)| source == j);
    match votes.domains()[j].classes().len() {
        0 => false,
        1 => !(0..patterns.len()).all(votes_in),
        _ => true,
    }
}

/// Whether `a` and `b` vote on the same items, and each vote of one goes with one vote of the other.
fn determines(votes: &Votes, a: usize, b: usize) -> bool {
    let classes = votes.classes().len();
    let (mut there, mut back) = (vec![ABSTAIN; classes + 1], vec![ABSTAIN; classes + 1]);
    let patterns = votes.patterns();
    (0..patterns.len()).all(|p| {
        let (mut vote_a, mut vote_b): (Vote, Vote) = (ABSTAIN, ABSTAIN);
        for (j, vote) in patterns.row(p) {
            if j == a {
                vote_a = vote;
            } else if j == b {
                vote_b = vote;
            }
        }
        if vote_a == ABSTAIN || vote_b == ABSTAIN {
            return vote_a == vote_b;
        }
        let (to, from) = (&mut there[usize::from(vote_a)], &mut back[usize::from(vote_b)]);
        if *to == ABSTAIN && *from == ABSTAIN {
            (*to, *from) = (vote_b, vote_a);
        }
        *to == vote_b && *from == vote_a
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::{Classes, Sources};
    use crate::votes::VotesBuilder;

    #[test]
    fn opposites_are_found_and_near_ones_are_not() {
        let sources = Sources::numbered(6).unwrap();
        let mut builder = VotesBuilder::new(sources);
        // 1 is 0's opposite, 2 is 0's copy, 3 its opposite but for one vote, 4 votes on one item more, 5 never votes.
        for row in [[1, 2, 1, 2, 2, 0], [0, 0, 0, 0, 1, 0], [2, 1, 2, 1, 1, 0], [1, 2, 1, 1, 2, 0]] {
            builder.push_dense(&row).unwrap();
        }
        let votes = builder.finish_as(Classes::numbered(2).unwrap()).unwrap();
        assert_eq!(mirror_images(&votes), [[0, 1]]);
    }

    #[test]
    fn classes_are_exchanged_one_to_one() {
        let sources = Sources::numbered(3).unwrap();
        let mut builder = VotesBuilder::new(sources);
        // 1 has 0's classes in a circle; 2 puts two of them together.
        for row in [[1, 2, 3], [2, 3, 3], [3, 1, 1]] {
            builder.push_dense(&row).unwrap();
        }
        let votes = builder.finish_as(Classes::numbered(3).unwrap()).unwrap();
        assert_eq!(mirror_images(&votes), [[0, 1]]);
    }
}
