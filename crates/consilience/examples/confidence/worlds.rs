//! Made-up panels with true classes, one kind of table each.

use consilience::rng::{Stream, Streams, unit};
use consilience::sources::{ABSTAIN, Vote};
use consilience::votes::Votes;
use consilience_testing::tables::numbered_votes;

/// A table and the true classes.
pub(crate) struct Drawn {
    pub(crate) votes: Votes,
    pub(crate) truth: Vec<Vote>,
}

/// A standard normal number.
fn normal(random: &mut Stream) -> f64 {
    (-2.0 * (1.0 - unit(random)).ln()).sqrt() * (std::f64::consts::TAU * unit(random)).cos()
}

fn between(random: &mut Stream, low: f64, high: f64) -> f64 {
    low + (high - low) * unit(random)
}

fn one_of<T: Copy>(random: &mut Stream, list: &[T]) -> T {
    list[(unit(random) * list.len() as f64) as usize]
}

fn other_than(random: &mut Stream, class: Vote, k: usize) -> Vote {
    1 + (class + (unit(random) * (k as f64 - 1.0)) as Vote) % k as Vote
}

/// A class drawn by these shares.
fn class_of(random: &mut Stream, shares: &[f64]) -> Vote {
    let mut at = unit(random) * shares.iter().sum::<f64>();
    for (c, share) in shares.iter().enumerate() {
        at -= share;
        if at < 0.0 {
            return 1 + c as Vote;
        }
    }
    shares.len() as Vote
}

fn drawn(sources: usize, k: usize, rows: &[Vec<Vote>], truth: Vec<Vote>) -> Drawn {
    Drawn { votes: numbered_votes(sources, k, rows), truth }
}

/// Judges that threshold much the same impression of an item, each at its own level in -`width` to `width`.
pub(crate) struct Thresholds {
    pub(crate) judges: usize,
    pub(crate) items: usize,
    pub(crate) signal: f64,
    pub(crate) noise: f64,
    pub(crate) width: f64,
}

impl Thresholds {
    /// The table, and for each item the probability of the second class given the impression itself.
    pub(crate) fn draw(&self, seed: u64) -> (Drawn, Vec<f64>) {
        let mut random = Streams::new(seed).stream(0);
        let levels: Vec<f64> =
            (0..self.judges).map(|_| between(&mut random, -self.width, self.width)).collect();
        let (mut rows, mut truth, mut known) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..self.items {
            let second = unit(&mut random) < 0.5;
            let seen = if second { self.signal } else { -self.signal } + normal(&mut random);
            let vote = |level: &f64| 1 + Vote::from(seen + self.noise * normal(&mut random) > *level);
            rows.push(levels.iter().map(vote).collect());
            truth.push(1 + Vote::from(second));
            known.push(1.0 / (1.0 + (-2.0 * self.signal * seen).exp()));
        }
        (drawn(self.judges, 2, &rows, truth), known)
    }

    /// One of these panels at random.
    pub(crate) fn any(seed: u64) -> Self {
        let mut random = Streams::new(seed).stream(10);
        Self {
            judges: between(&mut random, 6.0, 40.0) as usize,
            items: between(&mut random, 500.0, 5_000.0) as usize,
            signal: between(&mut random, 0.4, 1.5),
            noise: between(&mut random, 0.4, 1.6),
            width: between(&mut random, 0.5, 2.0),
        }
    }
}

/// Sources of two classes with these accuracies that vote on half of 2,000 items.
pub(crate) fn panel(accuracies: &[f64], second: f64, seed: u64) -> Drawn {
    let mut random = Streams::new(seed).stream(1);
    let (mut rows, mut truth) = (Vec::new(), Vec::new());
    for _ in 0..2_000 {
        let class: Vote = 1 + Vote::from(unit(&mut random) < second);
        let vote = |accuracy: &f64| match (unit(&mut random) < 0.5, unit(&mut random) < *accuracy) {
            (false, _) => ABSTAIN,
            (true, true) => class,
            (true, false) => 3 - class,
        };
        rows.push(accuracies.iter().map(vote).collect());
        truth.push(class);
    }
    drawn(accuracies.len(), 2, &rows, truth)
}

/// Ten rules that fire on 40% of the items of one class and on 5% of the other; the first `wrong` fire on the wrong class.
pub(crate) fn ten_rules(second: f64, wrong: usize, seed: u64) -> Drawn {
    let mut random = Streams::new(seed).stream(2);
    let (mut rows, mut truth) = (Vec::new(), Vec::new());
    for _ in 0..2_000 {
        let class: Vote = 1 + Vote::from(unit(&mut random) < second);
        let vote = |j: usize| {
            let own = 1 + (j % 2) as Vote;
            let fires = if (own == class) == (j >= wrong) { 0.4 } else { 0.05 };
            if unit(&mut random) < fires { own } else { ABSTAIN }
        };
        rows.push((0..10).map(vote).collect());
        truth.push(class);
    }
    drawn(10, 2, &rows, truth)
}

/// Rules of one class each: coverage, precision, class shares and near copies at random.
pub(crate) fn any_rules(seed: u64) -> Drawn {
    let mut random = Streams::new(seed).stream(3);
    let k = one_of(&mut random, &[2, 2, 3, 5]);
    let n = between(&mut random, 6.0, 40.0) as usize;
    let items = between(&mut random, 500.0, 5_000.0) as usize;
    let shares: Vec<f64> = (0..k).map(|_| between(&mut random, 0.5, 1.5)).collect();
    // How often a rule fires on its class, and how many times less often on each other one.
    let rules: Vec<(Vote, f64, f64)> = (0..n)
        .map(|j| {
            let fires = 0.5 * between(&mut random, 0.15, 1.0).powi(2);
            (1 + (j % k) as Vote, fires, between(&mut random, 2.0, 20.0))
        })
        .collect();
    let copied = one_of(&mut random, &[0.0, 0.0, 0.2]);
    let (mut rows, mut truth) = (Vec::new(), Vec::new());
    for _ in 0..items {
        let class = class_of(&mut random, &shares);
        let mut row: Vec<Vote> = Vec::with_capacity(n);
        for j in 0..n {
            let (own, fires, times) = rules[j];
            let p = if own == class { fires } else { fires / times };
            let first = unit(&mut random) < p;
            // Some rules are mostly another rule of their class.
            let repeats = j >= k && (j as f64) < copied * n as f64 + k as f64 && unit(&mut random) < 0.8;
            let fires = if repeats { row[j - k] != ABSTAIN } else { first };
            row.push(if fires { own } else { ABSTAIN });
        }
        rows.push(row);
        truth.push(class);
    }
    drawn(n, k, &rows, truth)
}

/// Judges that vote on nearly everything; some of them are prompts of one model and err together.
pub(crate) fn any_judges(seed: u64) -> Drawn {
    let mut random = Streams::new(seed).stream(4);
    let k = one_of(&mut random, &[2, 2, 3]);
    let n = between(&mut random, 5.0, 30.0) as usize;
    let items = between(&mut random, 300.0, 4_000.0) as usize;
    let votes = between(&mut random, 0.85, 1.0);
    let accuracies: Vec<f64> = (0..n).map(|_| between(&mut random, 0.55, 0.92)).collect();
    // The first judges say what their model says, but for some votes.
    let family = one_of(&mut random, &[0.0, 0.2, 0.4]) * n as f64;
    let (model_right, follows) = (between(&mut random, 0.55, 0.9), between(&mut random, 0.4, 0.9));
    let shares: Vec<f64> = (0..k).map(|_| between(&mut random, 0.6, 1.4)).collect();
    let (mut rows, mut truth) = (Vec::new(), Vec::new());
    for _ in 0..items {
        let class = class_of(&mut random, &shares);
        let said = if unit(&mut random) < model_right { class } else { other_than(&mut random, class, k) };
        let mut row = Vec::with_capacity(n);
        for (j, &accuracy) in accuracies.iter().enumerate() {
            let own = if unit(&mut random) < accuracy { class } else { other_than(&mut random, class, k) };
            let follows = (j as f64) < family && unit(&mut random) < follows;
            row.push(if unit(&mut random) >= votes {
                ABSTAIN
            } else if follows {
                said
            } else {
                own
            });
        }
        rows.push(row);
        truth.push(class);
    }
    drawn(n, k, &rows, truth)
}

/// A crowd: each item goes to a few of many workers of different skill; some items are hard for all.
pub(crate) fn any_crowd(seed: u64) -> Drawn {
    let mut random = Streams::new(seed).stream(5);
    let k = one_of(&mut random, &[2, 2, 4]);
    let n = between(&mut random, 15.0, 120.0) as usize;
    let items = between(&mut random, 300.0, 2_000.0) as usize;
    let per_item = between(&mut random, 3.0, 12.0).min(n as f64) / n as f64;
    let skill = between(&mut random, 0.6, 0.85);
    let accuracies: Vec<f64> =
        (0..n).map(|_| (skill + 0.15 * normal(&mut random)).clamp(0.4, 0.98)).collect();
    let hard = one_of(&mut random, &[0.0, 0.0, 0.3]);
    let shares: Vec<f64> = (0..k).map(|_| between(&mut random, 0.6, 1.4)).collect();
    let (mut rows, mut truth) = (Vec::new(), Vec::new());
    for _ in 0..items {
        let class = class_of(&mut random, &shares);
        let is_hard = unit(&mut random) < hard;
        let mut row = Vec::with_capacity(n);
        for &accuracy in &accuracies {
            let right = unit(&mut random) < if is_hard { 0.5 } else { accuracy };
            let vote = if right { class } else { other_than(&mut random, class, k) };
            row.push(if unit(&mut random) < per_item { vote } else { ABSTAIN });
        }
        rows.push(row);
        truth.push(class);
    }
    drawn(n, k, &rows, truth)
}

/// A few judges that vote on nearly everything; some of them repeat another one.
pub(crate) fn a_few_judges(seed: u64) -> Drawn {
    let mut random = Streams::new(seed).stream(6);
    let k = one_of(&mut random, &[2, 2, 3]);
    let n = between(&mut random, 3.0, 6.0) as usize;
    let items = between(&mut random, 300.0, 4_000.0) as usize;
    let votes = between(&mut random, 0.85, 1.0);
    let accuracies: Vec<f64> = (0..n).map(|_| between(&mut random, 0.55, 0.92)).collect();
    // The last judges repeat the first one, but for some votes.
    let followers = one_of(&mut random, &[0, 1, 1, 2]);
    let follows = between(&mut random, 0.4, 0.95);
    let shares: Vec<f64> = (0..k).map(|_| between(&mut random, 0.6, 1.4)).collect();
    let (mut rows, mut truth) = (Vec::new(), Vec::new());
    for _ in 0..items {
        let class = class_of(&mut random, &shares);
        let mut said: Vec<Vote> = Vec::with_capacity(n);
        for (j, &accuracy) in accuracies.iter().enumerate() {
            let own = if unit(&mut random) < accuracy { class } else { other_than(&mut random, class, k) };
            let repeats = j > 0 && j + followers >= n && unit(&mut random) < follows;
            said.push(if repeats { said[0] } else { own });
        }
        let abstains = |vote| if unit(&mut random) < votes { vote } else { ABSTAIN };
        rows.push(said.into_iter().map(abstains).collect());
        truth.push(class);
    }
    drawn(n, k, &rows, truth)
}

/// Judges of two classes with these accuracies that vote on all items; the last one casts the vote of the first on the share `follows`
/// of the items.
pub(crate) fn known_judges(accuracies: &[f64], follows: f64, seed: u64) -> Drawn {
    let mut random = Streams::new(seed).stream(7);
    let items = [300, 1_000, 3_000][(seed % 3) as usize];
    let (mut rows, mut truth) = (Vec::new(), Vec::new());
    for _ in 0..items {
        let class = 1 + Vote::from(unit(&mut random) < 0.5);
        let says = |&accuracy: &f64| if unit(&mut random) < accuracy { class } else { 3 - class };
        let mut row: Vec<Vote> = accuracies.iter().map(says).collect();
        if unit(&mut random) < follows {
            row[accuracies.len() - 1] = row[0];
        }
        rows.push(row);
        truth.push(class);
    }
    drawn(accuracies.len(), 2, &rows, truth)
}
