//! Axes: from values to places.

/// An axis with its ticks.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    pub(crate) label: String,
    /// Where, and what is written there.
    pub(crate) ticks: Vec<(f64, String)>,
    low: f64,
    high: f64,
    log: bool,
}

impl Axis {
    /// From `low` to `high` with these ticks.
    pub(crate) fn linear(label: &str, (low, high): (f64, f64), ticks: &[f64]) -> Self {
        let ticks = ticks.iter().map(|&tick| (tick, written(tick))).collect();
        Self { label: label.to_string(), ticks, low, high, log: false }
    }

    /// Shares from 0 to 1.
    pub(crate) fn share(label: &str) -> Self {
        Self::linear(label, (-0.02, 1.02), &[0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    }

    /// Places with names, from `low` to `high`.
    pub(crate) fn named((low, high): (f64, f64), ticks: Vec<(f64, String)>) -> Self {
        Self { label: String::new(), ticks, low, high, log: false }
    }

    /// Logarithmic, with these ticks.
    pub(crate) fn log(label: &str, (low, high): (f64, f64), ticks: &[f64]) -> Self {
        Self { log: true, ..Self::linear(label, (low, high), ticks) }
    }

    /// Logarithmic, with a tick at every power of ten.
    pub(crate) fn decades(label: &str, (low, high): (f64, f64)) -> Self {
        let powers = low.log10().ceil() as i32..=high.log10().floor() as i32;
        let ticks: Vec<f64> = powers.map(|power| 10f64.powi(power)).collect();
        Self::log(label, (low, high), &ticks)
    }

    /// The position of `value`, from 0 (low) to 1 (high); values beyond the axis are clipped.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let scaled = |x: f64| if self.log { x.max(f64::MIN_POSITIVE).log10() } else { x };
        let (low, high) = (scaled(self.low), scaled(self.high));
        ((scaled(value) - low) / (high - low)).clamp(0.0, 1.0)
    }
}

/// `1500` as `1,500`, `20000` as `20k`, powers of ten from a million on as such, `0.250` as `0.25`.
fn written(value: f64) -> String {
    let power = value.log10().round();
    if value >= 1e6 && (value / 10f64.powf(power) - 1.0).abs() < 1e-9 {
        let raised = |digit: char| match digit {
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            _ => char::from_u32('⁰' as u32 + digit.to_digit(10).unwrap_or(0)).unwrap_or(digit),
        };
        return format!("10{}", power.to_string().chars().map(raised).collect::<String>());
    }
    match value {
        value if value >= 1e4 => format!("{}k", value / 1e3),
        value if value >= 1e3 => format!("{},{:03}", (value / 1e3) as u64, (value % 1e3) as u64),
        value => format!("{}", (value * 1e6).round() / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_shares_of_the_axis() {
        let linear = Axis::linear("", (0.0, 4.0), &[0.0, 2.0]);
        assert!(
            (linear.place(1.0) - 0.25).abs() < 1e-12 && linear.place(9.0) <= 1.0 && linear.place(-1.0) >= 0.0
        );
        let log = Axis::decades("", (0.01, 100.0));
        assert!((log.place(1.0) - 0.5).abs() < 1e-12 && log.place(0.0).abs() < 1e-12);
        let ticks: Vec<&str> = log.ticks.iter().map(|(_, text)| text.as_str()).collect();
        assert_eq!(ticks, ["0.01", "0.1", "1", "10", "100"]);
    }

    #[test]
    fn numbers_are_written_short() {
        assert_eq!(
            [0.25, 1.0, 1500.0, 20_000.0, 1e6, 1e12].map(written),
            ["0.25", "1", "1,500", "20k", "10⁶", "10¹²"]
        );
    }
}
