//! End models trained on the labels of the training items, scored on the test items.

use std::time::Instant;

use consilience::end_model::{EndModel, TrainOptions, Trainer, TrainingItem};
use consilience::labels::{Labels, Ties, silent_shares};
use consilience::rng::{Streams, unit};
use consilience::sources::Vote;
use consilience::votes::Votes;
use consilience_reproduce::set::{Set, Texts, chosen};
use serde::Serialize;

use crate::models::LabelModel;
use crate::score::Scores;

/// What a set with texts shows of a label model and of the end model trained on its labels.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct EndRun {
    pub(crate) model: String,
    /// The labels, on the training items they were fitted on and on the test items, if there is a vote.
    pub(crate) labels_train: Scores,
    pub(crate) labels_test: Scores,
    /// The end model, on all test items.
    pub(crate) end_model_test: Scores,
    pub(crate) trained_on: usize,
    pub(crate) iterations: usize,
    pub(crate) converged: bool,
    pub(crate) seconds: f64,
}

/// Labels of a set's training items with their texts, to train on with several options.
pub(crate) struct Material<'a> {
    set: &'a Set,
    texts: &'a Texts,
    train_votes: Votes,
    labels: Labels,
    train_texts: Vec<Vec<String>>,
    test_texts: Vec<Vec<String>>,
    test_gold: Vec<Vote>,
}

/// What is done to the probabilities of the labels before training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Change {
    None,
    /// This share of them is made certain of a class next to the one they have.
    Wrong(f64),
    /// Raised to this power, and scaled to the sum 1.
    Power(f64),
    /// Certain of the most probable class.
    Certain,
    /// The same, and the item weighs what its confidence is above chance.
    CertainWeighted,
}

/// Whether items that nobody votes on are learned from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Silent {
    LeftOut,
    Learned,
}

impl Change {
    /// The new probabilities and the item's weight; `drawn` is uniform between 0 and 1.
    fn of(self, p: &[f64], drawn: f64) -> (Vec<f64>, f64) {
        let best = p.iter().enumerate().fold(0, |best, (c, &at)| if at > p[best] { c } else { best });
        let certain =
            |class: usize| (0..p.len()).map(|c| f64::from(u8::from(c == class))).collect::<Vec<_>>();
        match self {
            Self::Wrong(share) if drawn < share => (certain((best + 1) % p.len()), 1.0),
            Self::None | Self::Wrong(_) => (p.to_vec(), 1.0),
            Self::Power(power) => {
                let raised: Vec<f64> = p.iter().map(|p| p.powf(power)).collect();
                let sum: f64 = raised.iter().sum();
                (raised.iter().map(|p| p / sum).collect(), 1.0)
            }
            Self::Certain => (certain(best), 1.0),
            Self::CertainWeighted => {
                let chance = 1.0 / p.len() as f64;
                (certain(best), (p[best] - chance) / (1.0 - chance) + 1e-6)
            }
        }
    }
}

impl<'a> Material<'a> {
    pub(crate) fn new(model: LabelModel, set: &'a Set, texts: &'a Texts) -> anyhow::Result<Self> {
        let train_votes = set.votes_of(&texts.train)?;
        Ok(Self {
            set,
            texts,
            labels: model.label(&train_votes, &train_votes)?,
            train_votes,
            train_texts: chosen(&texts.items, &texts.train),
            test_texts: chosen(&texts.items, &texts.test),
            test_gold: chosen(&set.gold, &texts.test),
        })
    }

    /// Trains on the items that the labels say something about, as `consilience train` does, on probabilities made of
    /// theirs by `change`; and on those that nobody votes on, as `consilience train --votes` does.
    pub(crate) fn train(
        &self,
        options: TrainOptions,
        change: Change,
        silent: Silent,
    ) -> anyhow::Result<EndModel> {
        let labels = &self.labels;
        let texts: Vec<Vec<&str>> =
            self.train_texts.iter().map(|texts| texts.iter().map(String::as_str).collect()).collect();
        let fields = texts.first().map_or(1, Vec::len);
        let even = 1.0 / labels.classes().len() as f64 + 1e-9;
        let says_something =
            |&i: &usize| labels.decide(i, Ties::Empty).is_some() && labels.confidence(i) > even;
        let mut rng = Streams::new(1).stream(0);
        let changed: Vec<(Vec<f64>, f64)> =
            (0..labels.items()).map(|i| change.of(labels.item(i), unit(&mut rng))).collect();
        let items: Vec<TrainingItem<'_>> = (0..labels.items())
            .filter(says_something)
            .map(|i| TrainingItem { texts: &texts[i], probabilities: &changed[i].0, weight: changed[i].1 })
            .collect();
        let mut trainer = Trainer::new(labels.classes().clone(), fields, options)?;
        trainer.extend(&items)?;
        match silent_shares(&self.train_votes, |i| changed[i].0.as_slice()) {
            Some(shares) if silent == Silent::Learned => {
                let silent = (0..labels.items()).filter(|&i| !labels.has_votes(i));
                trainer.extend_silent(&silent.map(|i| &texts[i]).collect::<Vec<_>>())?;
                Ok(trainer.finish_with_silent(&shares)?)
            }
            _ => Ok(trainer.finish()?),
        }
    }

    /// The scores of an end model on the test items.
    pub(crate) fn test(&self, model: &EndModel) -> anyhow::Result<Scores> {
        let texts: Vec<Vec<&str>> =
            self.test_texts.iter().map(|texts| texts.iter().map(String::as_str).collect()).collect();
        Scores::of_probabilities(&model.predict_all(&texts)?, &self.test_gold, self.set.metric)
    }

    pub(crate) fn run(&self, model: LabelModel) -> anyhow::Result<EndRun> {
        let start = Instant::now();
        let end_model = self.train(TrainOptions::default(), Change::None, Silent::Learned)?;
        let seconds = start.elapsed().as_secs_f64();
        let train_gold = chosen(&self.set.gold, &self.texts.train);
        let test_labels = model.label(&self.train_votes, &self.set.votes_of(&self.texts.test)?)?;
        Ok(EndRun {
            model: model.name().to_string(),
            labels_train: Scores::of_labels(&self.labels, &train_gold, self.set.metric)?.0,
            labels_test: Scores::of_labels(&test_labels, &self.test_gold, self.set.metric)?.0,
            end_model_test: self.test(&end_model)?,
            trained_on: end_model.training().items,
            iterations: end_model.training().iterations,
            converged: end_model.training().converged,
            seconds,
        })
    }
}
