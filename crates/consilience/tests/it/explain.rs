//! What labels are made of, and what votes of other sources than the model's lead to.

use consilience::labels::{explain_item, explain_panel, explain_source, infer};
use consilience::model::{CellLimit, Dependence, FitOptions, Links, Planted, Spread, fit, simulate};
use consilience::sources::Vote;
use consilience_testing::structure_of;
use consilience_testing::tables::votes_of;

/// What a vote adds is what is lost without it: votes for the label add, others take off.
#[test]
fn explanations_have_the_right_sign() {
    let planted = Planted {
        accuracy: Spread { low: 0.4, high: 1.1 },
        abstain: Some(Spread::constant(0.4)),
        links: Links::Pairs(2),
        link_type: "agreement".to_string(),
        strength: 0.8,
        seed: 4,
        ..Planted::new(8).unwrap()
    };
    let truth = planted.model().unwrap();
    let votes = simulate(&truth, 2_000, 5, CellLimit::default(), |_| {}).unwrap().votes;
    let structure = structure_of(&truth, 2_000);
    for dependence in [
        Dependence::Repeats,
        Dependence::Structure(&structure),
        Dependence::Linked(&structure),
        Dependence::Independent,
    ] {
        let fitted = fit(&votes, dependence, &FitOptions::default()).unwrap();
        let labels = infer(&fitted, &votes).unwrap();
        for i in 0..50 {
            let explained = explain_item(&fitted, &votes, i).unwrap();
            let p = labels.item(i);
            assert!(explained.probabilities.iter().zip(p).all(|(a, b)| (a - b).abs() < 1e-12));
            let (high, low) = (p[0].max(p[1]), p[0].min(p[1]));
            assert!((explained.log_odds - (high / low).ln()).abs() < 1e-9, "{explained:?}");
            for contribution in &explained.contributions {
                // What a vote adds has the sign of what is lost without it.
                let lost = high - contribution.probability_without;
                assert!(contribution.log_odds * lost >= -1e-12, "{explained:?}");
                let supports = contribution.vote == explained.label;
                assert!((contribution.log_odds >= -1e-9) == supports || lost.abs() < 1e-9, "{explained:?}");
            }
            assert!(explained.prior.abs() < 0.5);
            assert_eq!(explained.contributions.len(), votes.row_of_item(i).count());
        }
        let panel = explain_panel(&fitted, &votes).unwrap();
        assert!(panel.effective_votes > 1.0 && panel.effective_votes <= 8.5, "{}", panel.effective_votes);
        for (j, source) in panel.sources.iter().enumerate() {
            let [low, high] = source.interval.unwrap();
            let accuracy = source.accuracy.unwrap();
            assert!(low < accuracy && accuracy < high && high - low < 0.2, "{source:?}");
            assert!((0.0..=1.0).contains(&source.discount), "{source:?}");
            assert_eq!(source.source, format!("s{j}"));
        }
        assert!(explain_source(&fitted, &votes, "nobody").is_err());
        assert!(explain_item(&fitted, &votes, 2_000).is_err());
    }
}

/// Sources that the model does not know are an error that names them; missing ones count as abstaining, and are named.
#[test]
fn other_sources_are_told_apart() {
    let rows: Vec<Vec<Vote>> = (0..60u16).map(|i| vec![1 + i % 2, 1 + i / 2 % 2, 1 + i / 5 % 2]).collect();
    let fitted =
        fit(&votes_of(&["a", "b", "c"], 2, &rows), Dependence::Independent, &FitOptions::default()).unwrap();
    let fewer = votes_of(&["c", "a"], 2, &[vec![1, 2], vec![0, 1]]);
    let labels = infer(&fitted, &fewer).unwrap();
    let missing = labels.missing_sources().unwrap().to_string();
    assert_eq!(missing, "the source \"b\" of the model is not in these votes and counts as abstaining");
    let straight = votes_of(&["a", "b", "c"], 2, &[vec![2, 0, 1], vec![1, 0, 0]]);
    let expected = infer(&fitted, &straight).unwrap();
    assert!((0..2).all(|i| (labels.item(i)[0] - expected.item(i)[0]).abs() < 1e-12));
    let more = votes_of(&["a", "x"], 2, &[vec![1, 2]]);
    let error = infer(&fitted, &more).unwrap_err().to_string();
    assert_eq!(
        error,
        "the model does not know the source \"x\"; leave out unknown sources, or fit a model to these votes"
    );
    let classes = votes_of(&["a"], 3, &[vec![1]]);
    assert!(infer(&fitted, &classes).unwrap_err().to_string().contains("the class \"2\""));
}

/// Two sources cannot tell how accurate either is; a third one can.
#[test]
fn accuracies_that_are_assumed_have_no_interval() {
    let rows: Vec<Vec<Vote>> =
        (0..60).map(|i| vec![1 + i % 2, 1 + (i / 2) % 2, 1 + (i / 3) % 2, 0]).collect();
    let fitted_to = |sources: usize| {
        let rows: Vec<Vec<Vote>> = rows.iter().map(|row| row[..sources].to_vec()).collect();
        let votes = votes_of(&["a", "b", "c", "d"][..sources], 2, &rows);
        let fitted = fit(&votes, Dependence::Independent, &FitOptions::default()).unwrap();
        explain_panel(&fitted, &votes).unwrap()
    };
    let two = fitted_to(2);
    assert!(
        two.sources.iter().all(|source| source.accuracy.is_some() && source.interval.is_none()),
        "{two:?}"
    );
    let four = fitted_to(4);
    assert!(four.sources[..3].iter().all(|source| source.interval.is_some()), "{four:?}");
    assert!(four.sources[3].accuracy.is_none());
}
