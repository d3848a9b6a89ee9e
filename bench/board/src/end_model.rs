//! End models trained on the labels of the training items, scored on the test items.

use std::time::Instant;

use consilience::end_model::{EndModel, TrainOptions, Trainer, TrainingItem};
use consilience::labels::{Labels, Ties};
use consilience::rng::{Streams, unit};
use consilience::sources::Vote;
use consilience::votes::Votes;

use crate::models::LabelModel;
use crate::score::Scores;
use crate::set::{Set, Texts, chosen};

/// What a set with texts shows of a label model and of the end model trained on its labels.
pub(crate) struct EndRun {
    pub(crate) model: LabelModel,
    /// The labels, on the training items they were fitted on and on the test items, where there is a vote.
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

    /// Trains on the items that the labels say something about, as `consilience train` does; the labels of a share of
    /// them (`noise`) are made certain of a class next to the one they have.
    pub(crate) fn train(&self, options: TrainOptions, noise: f64) -> anyhow::Result<EndModel> {
        let labels = &self.labels;
        let texts: Vec<Vec<&str>> =
            self.train_texts.iter().map(|texts| texts.iter().map(String::as_str).collect()).collect();
        let fields = texts.first().map_or(1, Vec::len);
        let even = 1.0 / labels.classes().len() as f64 + 1e-9;
        let says_something =
            |&i: &usize| labels.decide(i, Ties::Empty).is_some() && labels.confidence(i) > even;
        let mut rng = Streams::new(1).stream(0);
        let probabilities: Vec<Vec<f64>> = (0..labels.items())
            .map(|i| {
                let mut p = labels.item(i).to_vec();
                if unit(&mut rng) < noise {
                    let highest = labels.confidence(i);
                    let class = p.iter().position(|&p| p >= highest).unwrap_or_default();
                    let wrong = (class + 1) % p.len();
                    p.fill(0.0);
                    p[wrong] = 1.0;
                }
                p
            })
            .collect();
        let items: Vec<TrainingItem<'_>> = (0..labels.items())
            .filter(says_something)
            .map(|i| TrainingItem { texts: &texts[i], probabilities: &probabilities[i], weight: 1.0 })
            .collect();
        let mut trainer = Trainer::new(labels.classes().clone(), fields, options)?;
        trainer.extend(&items)?;
        Ok(trainer.finish()?)
    }

    /// The scores of an end model on the test items.
    pub(crate) fn test(&self, model: &EndModel) -> anyhow::Result<Scores> {
        let texts: Vec<Vec<&str>> =
            self.test_texts.iter().map(|texts| texts.iter().map(String::as_str).collect()).collect();
        Scores::of_probabilities(&model.predict_all(&texts)?, &self.test_gold, self.set.metric)
    }

    pub(crate) fn run(&self, model: LabelModel) -> anyhow::Result<EndRun> {
        let start = Instant::now();
        let end_model = self.train(TrainOptions::default(), 0.0)?;
        let seconds = start.elapsed().as_secs_f64();
        let train_gold = chosen(&self.set.gold, &self.texts.train);
        let test_labels = model.label(&self.train_votes, &self.set.votes_of(&self.texts.test)?)?;
        Ok(EndRun {
            model,
            labels_train: Scores::of_labels(&self.labels, &train_gold, self.set.metric)?,
            labels_test: Scores::of_labels(&test_labels, &self.test_gold, self.set.metric)?,
            end_model_test: self.test(&end_model)?,
            trained_on: end_model.training().items,
            iterations: end_model.training().iterations,
            converged: end_model.training().converged,
            seconds,
        })
    }
}
