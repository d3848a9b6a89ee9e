//! The impression of a fitted model, which determines its labels.

use super::class_term::class_term;
use super::refit::refitted;
use crate::model::Model;
use crate::model::fit::likelihood::prior::Counted;
use crate::model::fit::likelihood::rows::Rows;
use crate::model::fit::options::{ClassBalance, FitError, FitOptions};
use crate::model::fit::repetition::pairs::Pairs;
use crate::model::impression::{Believed, Impression, ImpressionLink, Sample, Seen, Surface, Voices};
use crate::optim::dispatch;
use crate::parallel;
use crate::sources::Domain;
use crate::votes::Votes;

/// Level and spread are estimated from about so many rows, divided by the number of classes: for labels, and to compare sources.
const ROWS: usize = 1 << 14;
const ROWS_TO_COMPARE: usize = 1 << 13;
/// ... and no fewer than this.
const FEWEST_ROWS: usize = 1 << 10;
/// Two classes and at least this many votes of sources of several classes per item: accuracies are fitted again, given the
/// impression. On sparser tables they drift.
const DENSE: f64 = 8.0;
/// Rows of one piece of work.
const PIECE: usize = 1 << 9;

/// The share of sources of one class in the votes that count.
pub(crate) fn one_class_share(domains: &[Domain], counted: &Counted, shares: &[f64]) -> f64 {
    let (mut one, mut all) = (0.0, 0.0);
    for (j, domain) in domains.iter().enumerate() {
        let votes = counted.total(j) * shares[j];
        all += votes;
        one += if domain.classes().len() < 2 { votes } else { 0.0 };
    }
    if all > 0.0 { one / all } else { 0.0 }
}

/// About as many of the rows as are enough for level and spread.
fn sample(rows: &Rows<'_>, most: usize, k: usize) -> Sample {
    let part = rows.thinned((most / k).max(FEWEST_ROWS));
    let patterns = part.votes.patterns();
    let list = |row: usize| patterns.row(part.pattern(row)).map(|(j, vote)| (j as u32, vote)).collect();
    Sample {
        rows: (0..part.len()).map(list).collect(),
        counts: (0..part.len()).map(|row| part.count(row)).collect(),
    }
}

/// The impression of `model`, whose weights have the `shares`, and the model itself, its accuracies fitted again if votes are
/// dense. Nothing where dependencies over several sources read the class.
pub(crate) fn with_impression(
    model: Model,
    votes: &Votes,
    counted: &Counted,
    shares: &[f64],
    options: &FitOptions,
) -> Result<(Model, Option<Impression>), FitError> {
    let k = votes.classes().len();
    let Some(voices) = options.impression.then(|| Voices::of(&model, shares)).flatten() else {
        return Ok((model, None));
    };
    let one_class = one_class_share(votes.domains(), counted, shares);
    let class_term = match options.class_balance {
        ClassBalance::Even => class_term(k, votes.domains(), counted, one_class),
        _ => vec![0.0; k],
    };
    let sample = sample(&Rows::voted(votes), ROWS, k);
    let of_several =
        (0..voices.sources()).filter(|&j| voices.several[j]).map(|j| counted.total(j)).sum::<f64>();
    if k == 2 && of_several >= DENSE * counted.items && voices.tables.is_empty() {
        let (model, level, spread) =
            refitted(&model, voices, &sample, one_class, &options.priors.impression())?;
        return Ok((model, Some(Impression { level, spread, link: ImpressionLink::Ogive, class_term })));
    }
    let (level, spread) =
        Surface::scaled(&voices, &sample, one_class, &options.priors.impression()).estimate(None);
    Ok((model, Some(Impression { level, spread, link: ImpressionLink::Scaled, class_term })))
}

/// P(class, weak or strong impression) of the rows of `pairs`, by a `model` whose weights count every vote in full; `None` if
/// no source votes for several classes. `strength` is where level and spread are looked for first, then what they are.
pub(crate) fn states(
    model: &Model,
    pairs: &Pairs,
    rows: &Rows<'_>,
    counted: &Counted,
    shares: &[f64],
    believed: &Believed,
    strength: &mut Option<(f64, f64)>,
) -> Option<Vec<f64>> {
    let ones = vec![1.0; shares.len()];
    let voices = Voices { shares: shares.to_vec(), ..Voices::of(model, &ones)?.without_tables() };
    if !voices.several.contains(&true) {
        return None;
    }
    let one_class = one_class_share(rows.votes.domains(), counted, shares);
    let sample = sample(rows, ROWS_TO_COMPARE, voices.k);
    let (level, spread) = Surface::scaled(&voices, &sample, one_class, believed).estimate(*strength);
    *strength = Some((level, spread));
    let seen = Seen::for_states(&voices, level, spread);
    let count = 2 * voices.k;
    let of_rows = |lists: &[Vec<(u32, crate::sources::Vote)>]| {
        crate::watch::look();
        let mut q = vec![0.0; lists.len() * count];
        dispatch(
            #[inline(always)]
            || {
                let mut cast = Vec::new();
                for (row, q) in lists.iter().zip(q.chunks_exact_mut(count)) {
                    cast.clear();
                    cast.extend(row.iter().map(|&(j, vote)| (j as usize, vote)));
                    seen.states(&cast, level, q);
                }
            },
        );
        q
    };
    Some(parallel::flat_map(pairs.rows.chunks(PIECE), of_rows))
}
