//! The evidence for the label model's constants: chosen without one kind of table, and scored on that kind.

use std::fmt::Write as _;

use consilience::labels::infer;
use consilience::model::{Dependence, FitOptions, Priors, fit};
use consilience_reproduce::set::Set;

use crate::kind::{KINDS, kind};
use crate::score::Scores;

/// The score of the most probable classes, that of the decisions with the highest expected score, and the log loss.
#[derive(Clone, Copy, Default)]
struct Scored {
    likeliest: f64,
    for_metric: f64,
    loss: f64,
}

/// A setting, and what it reaches on each set: by default, and with independent sources under the same priors.
struct Tried {
    name: String,
    ours: On,
    independent: On,
}

/// What a model reaches on each real set and on each planted one.
struct On {
    real: Vec<Scored>,
    planted: Vec<Scored>,
}

/// Priors over a grid, each choice made on all kinds of tables but one and scored on that one, next to independent sources. Planted
/// tables always take part in the choice, and are never scored.
#[expect(clippy::print_stderr, reason = "progress")]
pub(crate) fn tables(sets: &[Set], planted: &[Set]) -> anyhow::Result<String> {
    let mut all = Vec::new();
    let grid = grid();
    let number = grid.len();
    for (at, (name, priors)) in grid.into_iter().enumerate() {
        eprintln!("{} of {number}: {name}", at + 1);
        let of_sets = |dependence: fn() -> Dependence<'static>| -> anyhow::Result<On> {
            let all = |sets: &[Set]| sets.iter().map(|set| scores(set, dependence(), priors)).collect();
            let (real, planted): (anyhow::Result<_>, anyhow::Result<_>) = (all(sets), all(planted));
            Ok(On { real: real?, planted: planted? })
        };
        let (ours, independent) = (of_sets(|| Dependence::Repeats)?, of_sets(|| Dependence::Independent)?);
        all.push(Tried { name, ours, independent });
    }
    let mut text =
        "| score / log loss | all | rules | language models | crowds | independent, all | planted |\n\
                    |---|---|---|---|---|---|---|\n"
            .to_string();
    for Tried { name, ours, independent } in &all {
        let of_kinds =
            KINDS.map(|one| shown(mean(sets, &ours.real, |kind| kind == one), |scored| scored.likeliest));
        let planted = shown(mean_of(&ours.planted), |scored| scored.likeliest);
        let [ours, independent] =
            [ours, independent].map(|on| shown(mean_of(&on.real), |scored| scored.likeliest));
        let _ = writeln!(text, "| {name} | {ours} | {} | {independent} | {planted} |", of_kinds.join(" | "));
    }
    text.push_str(
        "\nPriors are chosen by the lowest log loss on the other kinds and on the planted tables, if there are any, in the same way\n\
        for ours and for independent sources. Gains in score:\n\
        over independent sources whose priors were chosen that way, over those with the same priors as ours, over those with the\n\
        default priors (as --independent), and of our default priors over --independent.\n\n\
        Every item gets its most probable class:\n\n",
    );
    text.push_str(&left_out(sets, &all, |scored| scored.likeliest));
    text.push_str("\nTables scored by F1 are decided by expected F1 (--decide f1=CLASS), on both sides:\n\n");
    text.push_str(&left_out(sets, &all, |scored| scored.for_metric));
    Ok(text)
}

/// The gains on each kind, with priors chosen on the other kinds.
fn left_out(sets: &[Set], all: &[Tried], score: fn(Scored) -> f64) -> String {
    let mut text =
        "| left out | chosen for ours | chosen for independent | scored on it | gain | same priors | --independent | defaults |\n\
         |---|---|---|---|---|---|---|---|\n"
            .to_string();
    let mut gains = [0.0; 4];
    for left_out in KINDS {
        let best = |of: fn(&Tried) -> &On| {
            let loss = |tried: &Tried| {
                let on = of(tried);
                let seen = of_kinds(sets, &on.real, |kind| kind != left_out).chain(&on.planted);
                mean_of(seen).loss
            };
            all.iter().min_by(|a, b| loss(a).total_cmp(&loss(b)))
        };
        let (Some(chosen), Some(other)) = (best(|tried| &tried.ours), best(|tried| &tried.independent))
        else {
            continue;
        };
        let own = |on: &On| mean(sets, &on.real, |kind| kind == left_out);
        let default = &all[0];
        let gain = [(chosen, other), (chosen, chosen), (chosen, default), (default, default)]
            .map(|(ours, other)| score(own(&ours.ours)) - score(own(&other.independent)));
        let there = shown(own(&chosen.ours), score);
        let (ours, other) = (&chosen.name, &other.name);
        let _ = writeln!(text, "| {left_out} | {ours} | {other} | {there} | {} |", signed(gain));
        gains = std::array::from_fn(|i| gains[i] + gain[i] / KINDS.len() as f64);
    }
    let _ = writeln!(text, "| **average** | | | | {} |", signed(gains));
    text
}

/// The mean over the sets whose kind is `chosen`.
fn mean(sets: &[Set], all: &[Scored], chosen: impl Fn(&str) -> bool) -> Scored {
    mean_of(of_kinds(sets, all, chosen))
}

/// The sets whose kind is `chosen`.
fn of_kinds<'a>(
    sets: &'a [Set],
    all: &'a [Scored],
    chosen: impl Fn(&str) -> bool + 'a,
) -> impl Iterator<Item = &'a Scored> {
    sets.iter().zip(all).filter(move |(set, _)| chosen(kind(&set.name))).map(|(_, scored)| scored)
}

fn mean_of<'a>(all: impl IntoIterator<Item = &'a Scored>) -> Scored {
    let all: Vec<&Scored> = all.into_iter().collect();
    let mean = |part: fn(&Scored) -> f64| {
        all.iter().map(|scored| part(scored)).sum::<f64>() / all.len().max(1) as f64
    };
    Scored {
        likeliest: mean(|scored| scored.likeliest),
        for_metric: mean(|scored| scored.for_metric),
        loss: mean(|scored| scored.loss),
    }
}

fn signed(gains: [f64; 4]) -> String {
    gains.map(|gain| format!("{gain:+.2}")).join(" | ")
}

fn shown(scored: Scored, score: fn(Scored) -> f64) -> String {
    format!("{:.2} / {:.4}", score(scored), scored.loss)
}

fn scores(set: &Set, dependence: Dependence<'_>, priors: Priors) -> anyhow::Result<Scored> {
    let fitted = fit(&set.votes, dependence, &FitOptions::default().with_priors(priors))?;
    let labels = infer(&fitted, &set.votes)?;
    let (scores, _) = Scores::of_labels(&labels, &set.gold, set.metric)?;
    let for_metric = Scores::by_expected_f1(&labels, &set.gold, set.metric).unwrap_or(scores.score);
    Ok(Scored { likeliest: scores.score, for_metric, loss: scores.log_loss })
}

/// The defaults first, then with one or two of them changed.
fn grid() -> Vec<(String, Priors)> {
    let default = Priors::default();
    let mut grid = vec![("defaults".to_string(), default)];
    let mut add = |name: String, priors: Priors| grid.push((name, priors));
    for clarity in [0.4, 0.6] {
        add(format!("clarity {clarity}"), default.with_clarity(clarity));
    }
    for clarity_spread in [0.3, 0.6] {
        add(format!("clarity spread {clarity_spread}"), default.with_clarity_spread(clarity_spread));
    }
    for level in [1.0, 1.5] {
        add(format!("level {level}"), default.with_level(level));
    }
    for accuracy in [0.55, 0.7, 0.8] {
        add(format!("accuracy {accuracy}"), default.with_accuracy(accuracy));
    }
    for one_class_accuracy in [0.6, 0.65, 0.75, 0.8, 0.85, 0.9] {
        add(
            format!("one-class accuracy {one_class_accuracy}"),
            default.with_one_class_accuracy(one_class_accuracy),
        );
    }
    for one_class_precision in [0.0, 0.1, 1.0] {
        add(
            format!("one-class precision {one_class_precision}"),
            default.with_one_class_precision(one_class_precision),
        );
    }
    for votes in [100.0, 1600.0] {
        add(format!("vote precision 1/{votes}"), default.with_vote_precision(1.0 / votes));
    }
    for spread in [1.0, 10.0] {
        add(format!("rate spread {spread}"), default.with_rate_spread(spread));
    }
    for (clarity, clarity_spread) in [(0.4, 0.3), (0.6, 0.3), (0.4, 0.6), (0.6, 0.6)] {
        let name = format!("clarity {clarity}, its spread {clarity_spread}");
        add(name, default.with_clarity(clarity).with_clarity_spread(clarity_spread));
    }
    grid
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Three tables, one of each kind, on which every setting labels alike.
    #[test]
    fn each_kind_is_left_out_once() {
        let folder = tempfile::tempdir().unwrap();
        let sets: Vec<Set> = ["rules_here", "llmbar_here", "crowd_here"]
            .map(|name| {
                let set = folder.path().join(name);
                fs::create_dir(&set).unwrap();
                let write = |name: &str, text: &str| fs::write(set.join(name), text).unwrap();
                write("meta.json", r#"{"classes": 2, "metric": "accuracy"}"#);
                write("votes.csv", &format!("a,b,c\n{}", "1,1,1\n0,0,0\n1,1,0\n0,1,0\n".repeat(10)));
                write("gold.csv", &format!("gold\n{}", "1\n0\n1\n1\n".repeat(10)));
                Set::read_votes(&set).unwrap()
            })
            .into();
        let text = tables(&sets, &[]).unwrap();
        let (all, left_out) = text.split_once("Priors are chosen").unwrap();
        assert_eq!(all.matches("75.00 / ").count(), 5 * grid().len(), "{text}");
        for kind in KINDS {
            assert!(left_out.contains(&format!("| {kind} |")), "{text}");
        }
        let average = "| **average** | | | | +0.00 | +0.00 | +0.00 | +0.00 |";
        assert_eq!(left_out.matches(average).count(), 2, "{text}");
    }
}
