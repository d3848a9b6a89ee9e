//! A uniform sample of the rows of a table whose length is not known.
//!
//! Every row has a hash of its number, and the sample is the rows with the smallest hashes. It is the same whatever the sizes of
//! batches and the number of threads, and no row is more likely than another.

/// Rows of a sample, in the order of the table.
#[derive(Clone, Debug)]
pub(super) struct RowSample {
    size: usize,
    /// The largest hash that may still belong to the sample.
    threshold: u64,
    /// The numbers of the rows at or below the threshold, ascending.
    rows: Vec<u64>,
}

/// What makes the hashes of a table other than the plain mixture of its row numbers.
const SEED: u64 = 0x5851_f42d_4c95_7f2d;

/// Mixes the bits of a row's number (splitmix64), one to one, so that no two rows have the same hash.
fn hash(row: u64) -> u64 {
    let mut bits = row.wrapping_add(SEED).wrapping_add(0x9e37_79b9_7f4a_7c15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

impl RowSample {
    /// A sample of `size` rows of a table of which `rows` rows have been read.
    pub(super) fn of_first(rows: u64, size: usize) -> Self {
        let wanted = rows.min(size as u64);
        // About twice as many as wanted; the numbers of all rows might not fit into memory.
        let share = 2.0 * size as f64 / rows.max(1) as f64;
        let mut threshold = if share < 1.0 { (share * u64::MAX as f64) as u64 } else { u64::MAX };
        loop {
            let below: Vec<u64> = (0..rows).filter(|&row| hash(row) <= threshold).collect();
            if below.len() as u64 >= wanted {
                return Self { size, threshold, rows: below };
            }
            threshold = threshold.saturating_mul(2);
        }
    }

    /// Whether `row` may belong to the sample.
    #[inline]
    pub(super) fn may_keep(&self, row: u64) -> bool {
        hash(row) <= self.threshold
    }

    /// Adds a row that may belong to the sample, behind all others.
    pub(super) fn push(&mut self, row: u64) {
        self.rows.push(row);
    }

    /// Whether there are so many rows that some should be dropped.
    pub(super) fn is_crowded(&self) -> bool {
        self.rows.len() >= 2 * self.size.max(1)
    }

    /// Drops all rows that are too many; whether each of them was kept, if any was dropped.
    pub(super) fn trim(&mut self) -> Option<Vec<bool>> {
        if self.rows.len() <= self.size {
            return None;
        }
        let mut hashes: Vec<u64> = self.rows.iter().map(|&row| hash(row)).collect();
        let (_, last, _) = hashes.select_nth_unstable(self.size.max(1) - 1);
        self.threshold = *last;
        let kept: Vec<bool> = self.rows.iter().map(|&row| hash(row) <= self.threshold).collect();
        self.rows.retain(|&row| hash(row) <= self.threshold);
        Some(kept)
    }

    /// The numbers of the rows.
    pub(super) fn rows(&self) -> &[u64] {
        &self.rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(all: u64, first: u64, size: usize) -> Vec<u64> {
        let mut sample = RowSample::of_first(first, size);
        for row in first..all {
            if sample.may_keep(row) {
                sample.push(row);
            }
            if sample.is_crowded() {
                sample.trim();
            }
        }
        sample.trim();
        sample.rows().to_vec()
    }

    #[test]
    fn a_sample_is_the_same_whenever_it_began() {
        let whole = sample(10_000, 10_000, 100);
        assert_eq!(whole.len(), 100);
        for first in [0, 1, 99, 100, 101, 5_000, 9_999] {
            assert_eq!(sample(10_000, first, 100), whole, "{first}");
        }
        assert_eq!(sample(50, 20, 100), (0..50).collect::<Vec<_>>());
        assert_eq!(sample(9, 3, 1).len(), 1);
    }

    /// The mean of 10,000 of the numbers below a million has a standard error of 2,887.
    #[test]
    fn every_row_is_as_likely() {
        let rows = sample(1_000_000, 30_000, 10_000);
        let mean = rows.iter().sum::<u64>() as f64 / rows.len() as f64;
        assert!((mean - 500_000.0).abs() < 4.0 * 2_887.0, "{mean}");
        let even = rows.iter().filter(|&&row| row % 2 == 0).count();
        assert!(even.abs_diff(5_000) < 200, "{even}");
        let mut tenths = [0u32; 10];
        for &row in &rows {
            tenths[(row / 100_000) as usize] += 1;
        }
        assert!(tenths.iter().all(|&tenth| tenth.abs_diff(1_000) < 120), "{tenths:?}");
    }
}
