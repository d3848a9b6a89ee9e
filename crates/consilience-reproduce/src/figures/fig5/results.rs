//! What figure 5 shows, in pictures, tables and words.

use super::{COPIES, Copied, MODELS, NOISES, STAND_IN};
use crate::labelling::LabelModel;
use crate::plot::{Axis, Marker, Panel, Picture, Series};
use crate::published;
use crate::section::{Claim, Table};

/// All rows: kinds of copies in order, models within, numbers of copies within.
pub(super) struct Results(pub(super) Vec<Copied>);

impl Results {
    /// One model's row for each number of copies.
    fn of(&self, noise: usize, model: usize) -> &[Copied] {
        let start = (noise * MODELS.len() + model) * COPIES.len();
        &self.0[start..start + COPIES.len()]
    }

    /// The table in words.
    pub(super) fn named(&self) -> String {
        let name = &self.0[0].table;
        if name == STAND_IN {
            format!("{STAND_IN} for a real table, in which all sources are independent")
        } else {
            format!("the table {name}")
        }
    }

    fn accuracy(&self, noise: usize, model: usize, copies: usize) -> f64 {
        self.of(noise, model)[copies].accuracy.unwrap_or_default()
    }

    /// F1 if there are two classes, else the accuracy.
    fn score(row: &Copied) -> Option<f64> {
        if row.classes == 2 { row.label_f1 } else { row.label_accuracy }
    }

    fn score_name(&self) -> &'static str {
        if self.0[0].classes == 2 { "F1 of the second class" } else { "accuracy of the labels" }
    }

    pub(super) fn picture(&self) -> Picture {
        let x = |from: usize| {
            let ticks: Vec<f64> = (from..=5).map(|copies| copies as f64).collect();
            Axis::linear("copies of the coin", (from as f64 - 0.3, 5.3), &ticks)
        };
        let chance = 1.0 / self.0[0].classes as f64;
        let accuracies: Vec<f64> = self.0.iter().filter_map(|row| row.highest).collect();
        let highest = accuracies.iter().copied().fold(0.7f64, f64::max);
        let low = (10.0 * chance.min(0.5)).floor() / 10.0 - 0.1;
        let high = ((10.0 * highest).ceil() / 10.0).min(1.0);
        let ticks: Vec<f64> = (0..=10)
            .map(|tick| tick as f64 / 10.0)
            .filter(|&tick| tick >= low - 1e-9 && tick <= high + 1e-9)
            .collect();
        let mut panels = Vec::new();
        for (noise, title) in ["exact copies", "copies with 10% redrawn"].into_iter().enumerate() {
            let mut series = vec![Series::paper("truth", Marker::None, vec![(0.7, chance), (5.3, chance)])];
            if noise == 0 && self.0[0].classes == 2 {
                for (name, curve, marker) in [
                    ("paper, independent", "independent accuracy", Marker::Circle),
                    ("paper, learned structure", "structured accuracy", Marker::Diamond),
                ] {
                    series.push(Series::paper(name, marker, published::curve("fig5", curve)));
                }
            }
            for (number, model) in MODELS.into_iter().enumerate() {
                let rows = &self.of(noise, number)[1..];
                let at = |row: &Copied| row.copies as f64;
                let points = rows.iter().filter_map(|row| Some((at(row), row.accuracy?))).collect();
                let bars = rows.iter().filter_map(|row| Some((at(row), row.lowest?, row.highest?))).collect();
                series.push(Series::ours(number, model.name(), points).with_bars(bars));
            }
            let y = Axis::linear("estimated accuracy of the copies", (low - 0.01, high + 0.01), &ticks);
            panels.push(Panel {
                title: title.to_string(),
                x: x(1),
                y,
                bands: Vec::new(),
                series,
                dodge: 5.0,
            });
        }
        let scores: Vec<f64> = self.0.iter().filter_map(Self::score).collect();
        if !scores.is_empty() {
            let low = (10.0 * scores.iter().copied().fold(1.0, f64::min)).floor() / 10.0;
            let high = (10.0 * scores.iter().copied().fold(0.0, f64::max)).ceil() / 10.0;
            let high = if high - low < 0.15 { low + 0.2 } else { high };
            let ticks: Vec<f64> = (0..=20)
                .map(|tick| tick as f64 / 20.0)
                .filter(|&tick| tick >= low - 1e-9 && tick <= high + 1e-9)
                .collect();
            let series = |number: usize| {
                let points =
                    self.of(0, number).iter().filter_map(|row| Some((row.copies as f64, Self::score(row)?)));
                Series::ours(number, MODELS[number].name(), points.collect())
            };
            panels.push(Panel {
                title: "labels, exact copies".to_string(),
                x: x(0),
                y: Axis::linear(self.score_name(), (low, high), &ticks),
                bands: Vec::new(),
                series: (0..MODELS.len()).map(series).collect(),
                dodge: 5.0,
            });
        }
        Picture { title: format!("Figure 5: a coin among the sources of {}", self.0[0].table), panels }
    }

    pub(super) fn came_out(&self) -> Vec<String> {
        let mut said = Vec::new();
        for (noise, kind) in
            ["Exact copies", "Copies with 10% of their votes redrawn"].into_iter().enumerate()
        {
            let of = |(model, name): (usize, LabelModel)| {
                format!(
                    "{:.3} for one and {:.3} for five ({})",
                    self.accuracy(noise, model, 1),
                    self.accuracy(noise, model, 5),
                    name.name()
                )
            };
            let all: Vec<String> = MODELS.into_iter().enumerate().map(of).collect();
            said.push(format!("{kind} are estimated at {}.", all.join(", ")));
        }
        said
    }

    /// Scores of the labels for both kinds of copies.
    pub(super) fn tables(&self) -> Vec<Table> {
        if self.0.iter().all(|row| Self::score(row).is_none()) {
            return Vec::new();
        }
        let mut header = vec!["copies".to_string()];
        for kind in ["exact", "10% redrawn"] {
            header.extend(MODELS.map(|model| format!("{}, {kind}", model.name())));
        }
        let row = |copies: usize| {
            let mut row = vec![copies.to_string()];
            for noise in 0..NOISES.len() {
                for model in 0..MODELS.len() {
                    let score = Self::score(&self.of(noise, model)[copies]);
                    row.push(score.map_or("-".to_string(), |score| format!("{:.1}", 100.0 * score)));
                }
            }
            row
        };
        vec![Table {
            title: format!("Percent, {}", self.score_name()),
            header,
            rows: COPIES.map(row).to_vec(),
        }]
    }

    pub(super) fn differs(&self) -> Vec<String> {
        let mut said = Vec::new();
        let first = &self.0[0];
        if first.table == STAND_IN {
            said.push(
                "No table was given (--votes, or --data with cdr33), so the sources are simulated; only the direction of \
                 the paper's curves can be compared."
                    .to_string(),
            );
        }
        let [one, five] = [1, 5].map(|copies| self.accuracy(0, 0, copies));
        let [paper_one, paper_five] = [1, 5].map(|copies| {
            let curve = published::curve("fig5", "independent accuracy");
            curve.iter().find(|(x, _)| (x - f64::from(copies)).abs() < 0.5).map_or(0.0, |&(_, y)| y)
        });
        if five - one > 2.0 * (paper_five - paper_one) {
            said.push(format!(
                "Our independent model goes further astray than the paper's: from {one:.2} to {five:.2}, instead of from \
                 {paper_one:.2} to {paper_five:.2}. It is fitted to the optimum of its likelihood, and copies that vote on \
                 every item agree with each other more than sparse sources agree with anything. The paper's few small \
                 steps probably keep its model closer to its starting point."
            ));
        }
        let chance = 1.0 / first.classes as f64;
        let fooled: Vec<String> = [1, 2]
            .into_iter()
            .filter_map(|model| {
                let from = (1..=5).find(|&copies| self.accuracy(1, model, copies) > chance + 0.1)?;
                Some(format!("{} from {from} copies on", MODELS[model].name()))
            })
            .collect();
        if !fooled.is_empty() {
            said.push(format!(
                "The paper did not try noisy copies, and they are harder: {} still estimate(s) them as accurate. To a \
                 model that knows only the votes, copies that vote on every item and agree with each other but with nobody \
                 else look like a class of their own. The only evidence against this is that the other, sparse sources \
                 agree a little among themselves.",
                fooled.join(", ")
            ));
        }
        said
    }

    pub(super) fn claims(&self) -> Vec<Claim> {
        // Coins agree with the rest by chance; the accuracy of one on m items has a standard error of ½ / √m.
        let room = 0.02 + 1.5 / (self.0[0].items as f64).sqrt();
        let [one, five] = [1, 5].map(|copies| self.accuracy(0, 0, copies));
        let mut claims = vec![Claim::new(
            "the independent model is no less confident in five copies of a coin than in one",
            format!("{one:.3} to {five:.3}"),
            five >= one - room,
        )];
        for model in [1, 2] {
            let name = MODELS[model].name();
            let [ours_one, ours_five] = [1, 5].map(|copies| self.accuracy(0, model, copies));
            claims.push(Claim::new(
                format!("{name}: five exact copies of a coin are not estimated as more accurate than one"),
                format!("{ours_one:.3} to {ours_five:.3}"),
                ours_five <= ours_one + room,
            ));
            claims.push(Claim::new(
                format!("{name}: the estimate for five exact copies is closer to the truth than that of the independent \
                model"),
                format!("{ours_five:.3}, independent {five:.3}"),
                ours_five <= five + room,
            ));
            let score = |model: usize, copies: usize| Self::score(&self.of(0, model)[copies]);
            if let (Some(ours), Some(independent)) = (score(model, 5), score(0, 5)) {
                claims.push(Claim::new(
                    format!("{name}: labels with five exact copies are no worse than those of the independent model"),
                    format!("{:.1}, independent {:.1}", 100.0 * ours, 100.0 * independent),
                    ours >= independent - 0.02,
                ));
            }
        }
        claims
    }
}
