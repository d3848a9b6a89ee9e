//! Which n-grams count, and how much.
//!
//! # Formula
//! ```text
//! rarity(f)  = 1 + log( (1 + N) / (1 + N_f) )     N training items, N_f of them have n-gram f; 1 where rarity is ignored
//! raw(f)     = (1 + log count(f)) * rarity(f)
//! value(f)   = raw(f) / ( sqrt(B) * norm of raw over all n-grams of the same text and kind )
//! ```
//! with B the number of texts and kinds (words, characters) that are not empty in this item, so that an item has norm 1
//! at most and its fewer word n-grams are not drowned by its many character n-grams. N-grams that too few training items
//! have, or none, have no weight in the model, but count in the norm as if N_f were 0: a text that is mostly unknown
//! moves the model little.

use super::ngrams::{Counts, KINDS, ngrams};
use super::options::TextOptions;

const UNKNOWN: u32 = u32::MAX;

/// The n-grams that a model knows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Vocabulary {
    options: TextOptions,
    fields: usize,
    /// The known buckets, ascending.
    buckets: Vec<u32>,
    /// The rarity of each.
    rarity: Vec<f64>,
    rarity_of_unknown: f64,
    /// The position of each bucket among the known ones.
    position: Vec<u32>,
}

/// The numbers of one item: features, ascending within each text and kind, with their values.
pub(super) type Values = Vec<(u32, f32)>;

impl Vocabulary {
    /// Takes the n-grams that at least `min_items` of `items` training items have; `items_with` says for each bucket how
    /// many have it.
    pub(super) fn learn(options: TextOptions, fields: usize, items: usize, items_with: &[u32]) -> Self {
        let least = options.min_items.max(1);
        let known = |&bucket: &u32| items_with[bucket as usize] >= least;
        let buckets: Vec<u32> = (0..items_with.len() as u32).filter(known).collect();
        let rarity = |with: u32| {
            if options.rarity { 1.0 + ((1.0 + items as f64) / (1.0 + f64::from(with))).ln() } else { 1.0 }
        };
        let rarities = buckets.iter().map(|&bucket| rarity(items_with[bucket as usize])).collect();
        Self::new(options, fields, buckets, rarities, rarity(0))
    }

    pub(super) fn new(
        options: TextOptions,
        fields: usize,
        buckets: Vec<u32>,
        rarity: Vec<f64>,
        rarity_of_unknown: f64,
    ) -> Self {
        let mut position = vec![UNKNOWN; 1 << options.bits];
        for (feature, &bucket) in (0..).zip(&buckets) {
            position[bucket as usize] = feature;
        }
        Self { options, fields, buckets, rarity, rarity_of_unknown, position }
    }

    pub(super) fn options(&self) -> &TextOptions {
        &self.options
    }

    pub(super) fn fields(&self) -> usize {
        self.fields
    }

    /// How many n-grams are known.
    pub(super) fn len(&self) -> usize {
        self.buckets.len()
    }

    pub(super) fn buckets(&self) -> &[u32] {
        &self.buckets
    }

    pub(super) fn rarity(&self) -> &[f64] {
        &self.rarity
    }

    pub(super) fn rarity_of_unknown(&self) -> f64 {
        self.rarity_of_unknown
    }

    /// The values of an item with these texts.
    pub(super) fn values_of(&self, texts: &[&str]) -> Values {
        let groups: Vec<Counts> =
            texts.iter().enumerate().flat_map(|(field, text)| ngrams(text, field, &self.options)).collect();
        self.values(groups.iter().map(Vec::as_slice))
    }

    /// The values of an item with these counts, one group a text and kind.
    pub(super) fn values<'a>(&self, groups: impl Iterator<Item = &'a [(u32, u32)]> + Clone) -> Values {
        let filled = groups.clone().filter(|group| !group.is_empty()).count();
        let mut values = Vec::with_capacity(groups.clone().map(<[_]>::len).sum());
        for group in groups {
            let raw = |&(bucket, count): &(u32, u32)| {
                let feature = self.position[bucket as usize];
                let rarity = self.rarity.get(feature as usize).copied().unwrap_or(self.rarity_of_unknown);
                (feature, (1.0 + f64::from(count).ln()) * rarity)
            };
            let squares: f64 = group.iter().map(|entry| raw(entry).1.powi(2)).sum();
            let norm = (squares * filled as f64).sqrt();
            let known = group.iter().map(raw).filter(|&(feature, _)| feature != UNKNOWN);
            values.extend(known.map(|(feature, value)| (feature, (value / norm) as f32)));
        }
        values
    }
}

/// The groups of counts of many items, one behind the other.
#[derive(Clone, Debug, Default)]
pub(super) struct CountedItems {
    entries: Vec<(u32, u32)>,
    /// Where each group ends; [`KINDS`] groups a text.
    ends: Vec<usize>,
}

impl CountedItems {
    pub(super) fn push(&mut self, groups: &[[Counts; KINDS]]) {
        for group in groups.iter().flatten() {
            self.entries.extend_from_slice(group);
            self.ends.push(self.entries.len());
        }
    }

    /// How many items have each of the buckets, of which there are `buckets`.
    pub(super) fn items_with(&self, buckets: usize, fields: usize) -> Vec<u32> {
        let mut items_with = vec![0; buckets];
        // One more than the last item that had the bucket: texts and kinds may share one.
        let mut last = vec![0u32; buckets];
        for i in 0..self.ends.len() / (fields * KINDS) {
            let number = i as u32 + 1;
            for &(bucket, _) in self.item(i, fields).flatten() {
                if std::mem::replace(&mut last[bucket as usize], number) != number {
                    items_with[bucket as usize] += 1;
                }
            }
        }
        items_with
    }

    /// The groups of item `i`, of which all have `fields` texts.
    pub(super) fn item(&self, i: usize, fields: usize) -> impl Iterator<Item = &[(u32, u32)]> + Clone {
        let groups = fields * KINDS;
        (i * groups..(i + 1) * groups).map(|group| {
            let start = if group == 0 { 0 } else { self.ends[group - 1] };
            &self.entries[start..self.ends[group]]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::end_model::Lengths;

    /// Three items of words only: "a b", "a b b", "a c"; counts by hand.
    #[test]
    fn values_are_those_of_the_formula() {
        let options = TextOptions {
            words: Lengths::new(1, 1),
            characters: Lengths::NONE,
            bits: 16,
            rarity: true,
            ..TextOptions::default()
        };
        let bucket = |text: &str| ngrams(text, 0, &options)[0][0].0;
        let mut items_with = vec![0; 1 << 16];
        for (word, items) in [("a", 3), ("b", 2), ("c", 1)] {
            items_with[bucket(word) as usize] = items;
        }
        let vocabulary = Vocabulary::learn(options, 1, 3, &items_with);
        assert_eq!(vocabulary.len(), 2);
        let feature = |word: &str| vocabulary.position[bucket(word) as usize];
        let (a, b, other) = (1.0, 1.0 + (4.0f64 / 3.0).ln(), 1.0 + 4.0f64.ln());

        let bb = b * (1.0 + 2.0f64.ln());
        let norm = (a * a + bb * bb).sqrt();
        let mut expected = vec![(feature("a"), a / norm), (feature("b"), bb / norm)];
        expected.sort_by_key(|&(feature, _)| feature);
        let close = |found: &Values, expected: &[(u32, f64)]| {
            found.len() == expected.len()
                && found.iter().zip(expected).all(|(f, e)| f.0 == e.0 && (f64::from(f.1) - e.1).abs() < 1e-7)
        };
        assert!(close(&vocabulary.values_of(&["a b b"]), &expected));
        // c is too rare to be known, d was never seen: both count in the norm alone.
        let norm = (a * a + 2.0 * other * other).sqrt();
        assert!(close(&vocabulary.values_of(&["d a c"]), &[(feature("a"), a / norm)]));
        assert!(vocabulary.values_of(&["c d"]).is_empty() && vocabulary.values_of(&[""]).is_empty());
    }

    /// With few buckets, texts and kinds share them; an item still counts once.
    #[test]
    fn an_item_counts_once_a_bucket() {
        let options = TextOptions { bits: 8, ..TextOptions::default() };
        let text = (0..500).map(|i| format!("w{i} ")).collect::<Vec<_>>().concat();
        let mut items = CountedItems::default();
        for _ in 0..3 {
            items.push(&[ngrams(&text, 0, &options), ngrams(&text, 1, &options)]);
        }
        assert_eq!(items.items_with(256, 2), vec![3; 256]);
    }

    #[test]
    fn texts_and_kinds_share_the_norm() {
        let options = TextOptions::default();
        let vocabulary =
            Vocabulary::new(options, 2, (0..1 << options.bits).collect(), vec![1.0; 1 << 20], 1.0);
        for (texts, blocks) in [(["one two", "three"], 4), (["one two", ""], 2)] {
            let values = vocabulary.values_of(&texts);
            let squares: f64 = values.iter().map(|v| f64::from(v.1).powi(2)).sum();
            assert!((squares - 1.0).abs() < 1e-5, "{squares}");
            let words: f64 = values[..3].iter().map(|v| f64::from(v.1).powi(2)).sum();
            assert!((words - 1.0 / f64::from(blocks)).abs() < 1e-5, "{words}");
        }
    }
}
