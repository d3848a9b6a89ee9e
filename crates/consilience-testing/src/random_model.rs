//! Small models with random domains, dependencies of every type and random weights.

use consilience::dependency::{Dependency, Factor, Table};
use consilience::model::Model;
use consilience::sources::{Classes, Domain, Sources, Vote};
use proptest::prelude::*;

/// The factor of type `name` (or "table") over the first sources of `sources` that it needs, about `class` if it is
/// about one; `None` if there are too few sources.
pub fn factor_of(
    name: &str,
    sources: &[usize],
    class: Vote,
    k: usize,
    weight: f64,
    values: &[f64],
) -> Option<Factor> {
    if name == Table::NAME {
        let scope: Vec<usize> = sources.iter().copied().take(3).collect();
        let place = |votes: &[Vote], y: Vote| {
            let cell = votes.iter().fold(usize::from(y), |cell, &v| cell * (k + 1) + usize::from(v));
            values[cell % values.len()]
        };
        return Table::from_fn(scope, k, place).ok().map(|table| Factor::new(table, weight));
    }
    let arity = (0..=2).find(|&arity| {
        sources.len() >= arity
            && [None, Some(class)]
                .iter()
                .any(|&class| Dependency::new(name, &sources[..arity], class).is_ok())
    })?;
    let about = [None, Some(class)]
        .into_iter()
        .find_map(|class| Dependency::new(name, &sources[..arity], class).ok())?;
    Some(Factor::new(about, weight))
}

/// Models of up to `most_sources` sources and 2 to 4 classes, with mixed domains and up to 12 factors of all types.
///
/// # Panics
/// Never: all parts are sound.
pub fn random_model(most_sources: usize) -> impl Strategy<Value = Model> {
    (1..=most_sources, 2..=4usize).prop_flat_map(|(n, k)| {
        let domains = proptest::collection::vec(0u32..1 << k, n);
        let names: Vec<&'static str> = Dependency::TYPES.iter().copied().chain([Table::NAME]).collect();
        let factor = (
            proptest::sample::select(names),
            Just((0..n).collect::<Vec<usize>>()).prop_shuffle(),
            1..=k as Vote,
            -2.0..2.0f64,
            proptest::collection::vec(-1.0..1.0f64, 7),
        );
        (domains, proptest::collection::vec(factor, 0..=12)).prop_map(move |(domains, factors)| {
            let domains = domains
                .iter()
                .map(|bits| Domain::of((1..=k as Vote).filter(|c| bits >> (c - 1) & 1 == 1)))
                .collect();
            let factors = factors
                .iter()
                .filter_map(|(name, sources, class, weight, values)| {
                    factor_of(name, sources, *class, k, *weight, values)
                })
                .collect();
            let sources = Sources::numbered(n).expect("distinct names");
            let classes = Classes::numbered(k).expect("at least two classes");
            Model::new(sources, classes, domains, factors).expect("a model of sound parts")
        })
    })
}
