//! What the paper reports, from `data/published.csv`.

use serde::Deserialize;

/// The table, with its source in `data/README.md`.
const TABLE: &str = include_str!("../data/published.csv");

/// One published value.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Published {
    /// Which figure or table: fig1 to fig5, table1.
    pub figure: String,
    /// Which curve, or which row and column.
    pub series: String,
    /// Where on the horizontal axis.
    pub x: Option<f64>,
    /// The value, or the lowest of the curves that lie on each other.
    pub low: f64,
    /// The value, or the highest of the curves that lie on each other.
    pub high: f64,
}

/// The values of one curve.
pub fn published(figure: &str, series: &str) -> Vec<Published> {
    let mut reader = csv::Reader::from_reader(TABLE.as_bytes());
    let rows = reader.deserialize::<Published>().filter_map(Result::ok);
    rows.filter(|row| row.figure == figure && row.series == series).collect()
}

/// The curve as points; the middle where curves lie on each other.
pub(crate) fn curve(figure: &str, series: &str) -> Vec<(f64, f64)> {
    let point = |row: &Published| Some((row.x?, f64::midpoint(row.low, row.high)));
    published(figure, series).iter().filter_map(point).collect()
}

/// The curve as a band: where, lowest, highest.
pub(crate) fn band(figure: &str, series: &str) -> Vec<(f64, f64, f64)> {
    published(figure, series).iter().filter_map(|row| Some((row.x?, row.low, row.high))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read_and_is_a_range() {
        let mut reader = csv::Reader::from_reader(TABLE.as_bytes());
        let rows: Vec<Published> = reader.deserialize().collect::<Result<_, _>>().unwrap();
        assert_eq!(rows.len(), TABLE.lines().count() - 1);
        assert!(rows.iter().all(|row| row.low <= row.high && row.low >= 0.0));
        let of = |figure: &str| rows.iter().filter(|row| row.figure == figure).count();
        assert_eq!(["fig1", "fig2", "fig3", "fig4", "fig5", "table1"].map(of), [9, 3, 10, 32, 10, 30]);
    }

    #[test]
    fn curves_and_bands() {
        assert_eq!(band("fig1", "success")[2], (0.5, 0.2, 0.42));
        assert_eq!(curve("fig3", "maximum likelihood seconds").last(), Some(&(100.0, 2600.0)));
        assert!(curve("fig3", "no such curve").is_empty());
    }
}
