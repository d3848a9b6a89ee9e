//! A text as counts of hashed n-grams.
//!
//! Words are runs of letters and digits. Character n-grams run over the whole text, punctuation included, with runs of
//! blanks as one blank and one blank at both ends. The hash is written out here, so that a saved model reads texts in the
//! same way on every machine and in every later version.

use super::options::{Lengths, TextOptions};

/// How often each bucket of n-grams occurs, in the order of the buckets.
pub(super) type Counts = Vec<(u32, u32)>;

/// The n-grams of text number `field` of an item: those of words, then those of characters.
pub(super) fn ngrams(text: &str, field: usize, options: &TextOptions) -> [Counts; KINDS] {
    let lowered;
    let text = if options.lower {
        lowered = text.to_lowercase();
        &lowered
    } else {
        text
    };
    let bucket = |kind: u64| {
        let space = mix(2 * field as u64 + kind + 1);
        move |hash: u64| (mix(hash ^ space) >> (64 - options.bits)) as u32
    };
    let words: Vec<u64> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(hash_word).collect();
    let characters: Vec<u64> = if options.characters.is_none() {
        Vec::new()
    } else {
        spaced(text).map(|c| mix(u64::from(u32::from(c)) + 1)).collect()
    };
    [count(&words, options.words, bucket(0)), count(&characters, options.characters, bucket(1))]
}

/// Words, and characters.
pub(super) const KINDS: usize = 2;

fn spaced(text: &str) -> impl Iterator<Item = char> {
    let words = text.split_whitespace();
    std::iter::once(' ').chain(words.flat_map(|word| word.chars().chain(std::iter::once(' '))))
}

fn count(units: &[u64], lengths: Lengths, bucket: impl Fn(u64) -> u32) -> Counts {
    if lengths.is_none() {
        return Vec::new();
    }
    let mut buckets = Vec::with_capacity(units.len() * (lengths.longest + 1 - lengths.shortest));
    for start in 0..units.len() {
        let mut hash = 0;
        for (length, &unit) in (1..=lengths.longest).zip(&units[start..]) {
            hash = mix(hash ^ unit);
            if length >= lengths.shortest {
                buckets.push(bucket(hash));
            }
        }
    }
    buckets.sort_unstable();
    let same = buckets.chunk_by(|a, b| a == b);
    same.map(|group| (group[0], group.len() as u32)).collect()
}

/// FNV-1a over the bytes, in 64 bits.
fn hash_word(word: &str) -> u64 {
    word.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The finishing steps of SplitMix64: every bit of the input moves every bit of the result.
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(words: Lengths, characters: Lengths) -> TextOptions {
        TextOptions { words, characters, bits: 26, ..TextOptions::default() }
    }

    fn total(counts: &Counts) -> u32 {
        counts.iter().map(|&(_, count)| count).sum()
    }

    #[test]
    fn words_and_characters_are_counted() {
        let options = options(Lengths::new(1, 2), Lengths::new(3, 3));
        let [words, characters] = ngrams("To be, or  not to be!", 0, &options);
        // to be or not to be: 6 words, 4 of them distinct; 5 pairs, "to be" twice.
        assert_eq!((total(&words), words.len()), (11, 8));
        // " to be, or not to be! " has 22 characters.
        assert_eq!(total(&characters), 20);
        assert_eq!(ngrams("", 0, &options), [vec![], vec![]]);
        assert_eq!(ngrams(" \n", 0, &options), [vec![], vec![]]);
    }

    #[test]
    fn order_case_and_field_tell_n_grams_apart_where_they_should() {
        let options = options(Lengths::new(2, 2), Lengths::NONE);
        let of = |text: &str, field| ngrams(text, field, &options)[0].clone();
        assert_eq!(of("Übel dran", 0), of("übel  DRAN.", 0));
        assert_ne!(of("a b", 0), of("b a", 0));
        assert_ne!(of("a b", 0), of("a b", 1));
        let exact = TextOptions { lower: false, ..options };
        assert_ne!(ngrams("A b", 0, &exact), ngrams("a b", 0, &exact));
    }

    /// A saved model relies on these buckets; the number was worked out by a few lines of another language.
    #[test]
    fn buckets_last() {
        let [words, characters] = ngrams("naïve", 0, &TextOptions { bits: 20, ..TextOptions::default() });
        assert_eq!(words, [(BUCKET_OF_NAIVE, 1)]);
        assert_eq!(characters.len(), 5 + 4 + 3);
    }

    const BUCKET_OF_NAIVE: u32 = 177_873;

    #[test]
    fn buckets_are_even() {
        let text = (0..20_000).map(|i| format!("w{i} ")).collect::<Vec<_>>().concat();
        let options =
            TextOptions { words: Lengths::new(1, 1), bits: 8, ..options(Lengths::NONE, Lengths::NONE) };
        let [words, _] = ngrams(&text, 0, &options);
        // 20,000 balls in 256 boxes: 78 on average, with a standard deviation of 8.8.
        assert_eq!(words.len(), 256);
        assert!(words.iter().all(|&(_, count)| (34..=122).contains(&count)), "{words:?}");
    }
}
