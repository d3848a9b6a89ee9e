//! Curves of exact recovery against gamma: figures 1 and 2, and those of other types and more classes.

use crate::Run;
use crate::error::ReproduceError;
use crate::method::Method;
use crate::plot::{Axis, Band, Panel, Picture, Series};
use crate::recovery::{Cell, Recovery, measure};
use crate::statistics::{crossing, difference, plausible};
use crate::world::World;

use super::RECOVERY;

/// One curve a world, over the same gammas and methods.
pub(super) struct Curves {
    pub(super) names: Vec<String>,
    pub(super) gammas: Vec<f64>,
    pub(super) methods: Vec<Method>,
    /// Worlds in order, gammas within, methods within.
    pub(super) rows: Vec<Recovery>,
}

impl Curves {
    pub(super) fn measure(
        run: &Run<'_>,
        what: &'static str,
        worlds: Vec<(String, World)>,
        gammas: &[f64],
        methods: &[Method],
        trials: usize,
    ) -> Result<Self, ReproduceError> {
        let mut points = run.points(RECOVERY)?;
        let cell = |world: &World, gamma: f64| Cell::of_gamma(world.clone(), gamma);
        let cells: Vec<Cell> = worlds
            .iter()
            .flat_map(|(_, world)| gammas.iter().map(move |&gamma| cell(world, gamma)))
            .collect();
        let rows = measure(run, run.seed(), what, &mut points, &cells, methods, trials)?;
        let names = worlds.into_iter().map(|(name, _)| name).collect();
        Ok(Self { names, gammas: gammas.to_vec(), methods: methods.to_vec(), rows })
    }

    /// One point.
    pub(super) fn at(&self, world: usize, gamma: usize, method: usize) -> &Recovery {
        &self.rows[(world * self.gammas.len() + gamma) * self.methods.len() + method]
    }

    /// The curve of one world by one method: gamma and share.
    pub(super) fn curve(&self, world: usize, method: usize) -> Vec<(f64, f64)> {
        let point = |(g, &gamma): (usize, &f64)| (gamma, self.at(world, g, method).share());
        self.gammas.iter().enumerate().map(point).collect()
    }

    /// Where a curve reaches `level`.
    pub(super) fn crossing(&self, world: usize, method: usize, level: f64) -> Option<f64> {
        crossing(&self.curve(world, method), level)
    }

    /// Where a curve is at one half, in words: beyond the gammas that were run only on which side.
    pub(super) fn half(&self, world: usize, method: usize) -> String {
        let first = self.gammas[0];
        match self.crossing(world, method, 0.5) {
            Some(gamma) if gamma <= first => format!("{first} or less"),
            Some(gamma) => format!("{gamma:.2}"),
            None => format!("more than {}", self.gammas[self.gammas.len() - 1]),
        }
    }

    fn bars(&self, world: usize, method: usize) -> Vec<(f64, f64, f64)> {
        let bar = |(g, &gamma): (usize, &f64)| {
            let (low, high) = self.at(world, g, method).share_interval();
            (gamma, low, high)
        };
        self.gammas.iter().enumerate().map(bar).collect()
    }

    /// One panel for each of `panels` (number of the method, title), with the paper's band in all of them.
    pub(super) fn picture(
        &self,
        title: &str,
        panels: &[(usize, &str)],
        x: &Axis,
        band: Option<&Band>,
    ) -> Picture {
        let panel = |&(method, title): &(usize, &str)| Panel {
            title: title.to_string(),
            x: x.clone(),
            y: Axis::share("share of exact recoveries"),
            bands: band.cloned().into_iter().collect(),
            series: (0..self.names.len())
                .map(|world| {
                    let name = &self.names[world];
                    Series::ours(world, name.clone(), self.curve(world, method))
                        .with_bars(self.bars(world, method))
                })
                .collect(),
            dodge: 3.5,
        };
        Picture { title: title.to_string(), panels: panels.iter().map(panel).collect() }
    }

    /// Gammas of at least `from`: the lowest share of all worlds, and whether none is further below `p` than chance allows.
    pub(super) fn lowest(&self, method: usize, from: f64, p: f64) -> (f64, bool) {
        self.lowest_of(&(0..self.names.len()).collect::<Vec<_>>(), method, from, p)
    }

    /// The same of some worlds.
    pub(super) fn lowest_of(&self, worlds: &[usize], method: usize, from: f64, p: f64) -> (f64, bool) {
        let mut lowest = (1.0f64, true);
        for &world in worlds {
            for g in (0..self.gammas.len()).filter(|&g| self.gammas[g] >= from - 1e-9) {
                let row = self.at(world, g, method);
                lowest.0 = lowest.0.min(row.share());
                lowest.1 &= plausible(row.exact, row.trials, p);
            }
        }
        lowest
    }

    /// For each published gamma that was run: how far the lowest world is below (negative) or above `edge` of the band, and
    /// whether that can be chance.
    pub(super) fn against(
        &self,
        method: usize,
        band: &[(f64, f64, f64)],
        edge: impl Fn(f64, f64) -> f64,
    ) -> (f64, bool) {
        let mut worst = (f64::INFINITY, true);
        for &(gamma, low, high) in band {
            let Some(g) = self.gammas.iter().position(|&g| (g - gamma).abs() < 1e-9) else { continue };
            for world in 0..self.names.len() {
                let row = self.at(world, g, method);
                let p = edge(low, high);
                worst.0 = worst.0.min(row.share() - p);
                // What looks like 1 in a figure may be a little less.
                worst.1 &= plausible(row.exact, row.trials, p.min(0.97));
            }
        }
        worst
    }

    /// The widest gap between two worlds at one gamma, and whether it is more than `room` by more than chance.
    pub(super) fn widest_gap(&self, method: usize, from: f64, room: f64) -> (f64, bool) {
        let mut widest = (0.0f64, true);
        for g in (0..self.gammas.len()).filter(|&g| self.gammas[g] >= from - 1e-9) {
            let shares: Vec<f64> =
                (0..self.names.len()).map(|world| self.at(world, g, method).share()).collect();
            let (low, high) =
                shares.iter().fold((1.0f64, 0.0f64), |(low, high), &s| (low.min(s), high.max(s)));
            widest.0 = widest.0.max(high - low);
            widest.1 &= high - low <= room + difference(self.at(0, g, method).trials);
        }
        widest
    }
}
