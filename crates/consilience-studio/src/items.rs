//! Which items a search finds, page by page.

use std::sync::Arc;

use consilience::sources::Vote;
use rayon::prelude::*;
use serde::Deserialize;

use crate::error::RequestError;
use crate::routes::Scene;
use crate::views::View;

/// Items on a page.
pub(crate) const PAGE: usize = 50;

/// What is searched for.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub(crate) struct Query {
    /// Part of the name or the text, in any case.
    pub(crate) q: String,
    /// Confidence from here on.
    pub(crate) low: Option<f64>,
    /// Confidence up to here.
    pub(crate) high: Option<f64>,
    /// The label, counted from 1.
    pub(crate) label: Option<Vote>,
    /// A source that votes on it, counted from 0.
    pub(crate) source: Option<usize>,
    /// That source's vote, counted from 1.
    pub(crate) vote: Option<Vote>,
    /// Only items on which that source does not vote for the label.
    pub(crate) against: bool,
    /// Only items with votes for different classes.
    pub(crate) disputed: bool,
    /// Only items that this model labels otherwise.
    pub(crate) differ: Option<String>,
    /// "sure", "unsure", or the table's order.
    pub(crate) sort: String,
    /// Which page, counted from 0.
    pub(crate) page: usize,
}

/// What was found.
pub(crate) struct Found {
    pub(crate) total: usize,
    /// The items of the page.
    pub(crate) items: Vec<usize>,
}

/// Finds the items that `query` asks for.
pub(crate) fn find(scene: &Scene, view: &View, query: &Query) -> Result<Found, RequestError> {
    let votes = &scene.table.votes;
    if query.source.is_some_and(|source| source >= votes.sources().len()) {
        return Err(RequestError::NotFound("there is no such source".to_string()));
    }
    let fitting = fitting(scene, view, query)?;
    let skipped = query.page.saturating_mul(PAGE);
    // Where nothing is left, all items would be looked at in vain.
    let most = if skipped < fitting.total { PAGE } else { 0 };
    let page = |items: &mut dyn Iterator<Item = usize>| {
        items.filter(|&i| fitting.has(i)).skip(skipped).take(most).collect()
    };
    let items = match query.sort.as_str() {
        "" | "table" if fitting.bits.is_none() => (skipped..fitting.total.min(skipped + most)).collect(),
        "" | "table" => page(&mut (0..votes.items())),
        "unsure" => page(&mut view.least_sure_first(votes).iter().map(|&i| i as usize)),
        "sure" => page(&mut view.surest_first(votes).iter().map(|&i| i as usize)),
        other => return Err(RequestError::Wrong(format!("items cannot be sorted by \"{other}\""))),
    };
    Ok(Found { total: fitting.total, items })
}

/// Whether `find` takes little time.
pub(crate) fn is_quick(view: &View, query: &Query) -> bool {
    view.fitting.get(&asked(query)).is_some()
}

/// What decides which items fit.
fn asked(query: &Query) -> Query {
    Query { page: 0, sort: String::new(), q: query.q.trim().to_string(), ..query.clone() }
}

/// Which items fit a query, whatever their order.
pub(crate) struct Fitting {
    total: usize,
    /// One bit per item; nothing if all fit.
    bits: Option<Vec<u64>>,
}

impl Fitting {
    fn has(&self, i: usize) -> bool {
        self.bits.as_ref().is_none_or(|bits| bits[i / 64] >> (i % 64) & 1 == 1)
    }
}

/// Which items fit: kept by the view for the latest queries, since pages follow each other and readers ask for the same.
fn fitting(scene: &Scene, view: &View, query: &Query) -> Result<Arc<Fitting>, RequestError> {
    let asked = asked(query);
    if let Some(known) = view.fitting.get(&asked) {
        return Ok(known);
    }
    let words = scene.search.items(&scene.table, &query.q)?;
    let patterns = patterns(scene, view, query)?;
    let pattern_of_item = scene.table.votes.item_pattern();
    let found = if words.is_none() && patterns.is_none() {
        Fitting { total: pattern_of_item.len(), bits: None }
    } else {
        let has = |i: usize| {
            words.as_ref().is_none_or(|words| words[i])
                && patterns.as_ref().is_none_or(|patterns| patterns[pattern_of_item[i] as usize])
        };
        let word = |n: usize| {
            let items = 64 * n..pattern_of_item.len().min(64 * (n + 1));
            items.fold(0, |word, i| word | u64::from(has(i)) << (i % 64))
        };
        let bits: Vec<u64> = (0..pattern_of_item.len().div_ceil(64)).into_par_iter().map(word).collect();
        Fitting { total: bits.iter().map(|word| word.count_ones() as usize).sum(), bits: Some(bits) }
    };
    Ok(view.fitting.keep(asked, found))
}

/// Which distinct rows of votes fit; nothing if all do.
fn patterns(scene: &Scene, view: &View, query: &Query) -> Result<Option<Vec<bool>>, RequestError> {
    let other =
        query.differ.as_deref().map(|name| view.labels_of_patterns(scene.views.first(), name)).transpose()?;
    let Query { low, high, label, source, disputed, .. } = *query;
    if other.is_none() && low.is_none() && high.is_none() && label.is_none() && source.is_none() && !disputed
    {
        return Ok(None);
    }
    let rows = scene.table.votes.patterns();
    let fits = |p: usize| {
        let (own, sure) = (view.label_of_pattern[p], view.confidence_of_pattern[p]);
        if low.is_some_and(|low| sure < low) || high.is_some_and(|high| sure > high) {
            return false;
        }
        if label.is_some_and(|wanted| wanted != own) {
            return false;
        }
        if other.is_some_and(|other| other[p] == 0 || own == 0 || other[p] == own) {
            return false;
        }
        if let Some(source) = source {
            // Rows are ordered by source.
            let vote = rows.row(p).find(|&(j, _)| j >= source).filter(|&(j, _)| j == source);
            let Some((_, vote)) = vote else { return false };
            if query.vote.is_some_and(|wanted| wanted != vote) || (query.against && (own == 0 || vote == own))
            {
                return false;
            }
        }
        if disputed {
            let mut row = rows.row(p).map(|(_, vote)| vote);
            let Some(first) = row.next() else { return false };
            return row.any(|vote| vote != first);
        }
        true
    };
    Ok(Some((0..rows.len()).into_par_iter().map(fits).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Search;
    use crate::table::{Table, Texts};
    use crate::views::Views;
    use consilience::labels::Ties;
    use consilience::votes::Votes;

    const ITEMS: usize = 330;

    fn scene() -> Scene {
        // Two good sources and three poor ones, so that majority vote differs.
        let vote = |i: usize, j: usize| {
            let drawn = (i.wrapping_mul(2_654_435_761 + 97 * j) >> 9) % 10;
            let right = drawn < if j < 2 { 9 } else { 6 };
            if (i + j).is_multiple_of(7) { "" } else { ["ham", "spam"][(i + usize::from(right)) % 2] }
        };
        let rows = (0..ITEMS).map(|i| [0, 1, 2, 3, 4].map(|j| vote(i, j)));
        let texts = (0..ITEMS).map(|i| Box::from([Box::from(["Free MONEY", "lunch at noon"][i % 3 % 2])]));
        let table = Table {
            name: "votes.csv".to_string(),
            votes: Votes::from_text(&["a", "b", "c", "d", "e"], rows).unwrap(),
            items: Arc::new((0..ITEMS).map(|i| format!("x{i}")).collect()),
            gold: None,
            texts: Some(Arc::new(Texts::new(vec!["text".to_string()], texts.collect()))),
            compositions: Vec::new(),
        };
        let views = Views::new(&table).unwrap();
        let search = Arc::new(Search::new(&table));
        Scene::new(table, views, search, None)
    }

    /// What a look at each item finds.
    fn looked_up(scene: &Scene, query: &Query) -> Vec<usize> {
        let (votes, study) = (&scene.table.votes, &scene.views.first().study);
        let words = query.q.trim().to_lowercase();
        let fits = |&i: &usize| {
            let (label, sure) = (study.labels.decide(i, Ties::Empty), study.labels.confidence(i));
            let cast: Vec<Vote> = votes.row_of_item(i).map(|(_, vote)| vote).collect();
            let own = votes.row_of_item(i).find(|&(j, _)| Some(j) == query.source).map(|(_, vote)| vote);
            let other = study.majority.decide(i, Ties::Empty);
            let has = |text: &str| text.to_lowercase().contains(&words);
            query.low.is_none_or(|low| sure >= low)
                && query.high.is_none_or(|high| sure <= high)
                && query.label.is_none_or(|wanted| label == Some(wanted))
                && (query.source.is_none() || own.is_some())
                && query.vote.is_none_or(|wanted| own == Some(wanted))
                && (!query.against || label.is_some_and(|label| own != Some(label)))
                && (!query.disputed || cast.iter().any(|vote| *vote != cast[0]))
                && (query.differ.is_none() || label.is_some() && other.is_some() && label != other)
                && (has(&scene.table.items.name(i)) || has(scene.table.text(i)[0].1))
        };
        let mut found: Vec<usize> = (0..ITEMS).filter(fits).collect();
        let sure = |i: &usize| study.labels.confidence(*i);
        match query.sort.as_str() {
            "sure" => found.sort_by(|a, b| sure(b).total_cmp(&sure(a)).then(a.cmp(b))),
            "unsure" => found.sort_by(|a, b| sure(a).total_cmp(&sure(b)).then(a.cmp(b))),
            _ => {}
        }
        found
    }

    #[test]
    fn pages_have_what_a_look_at_each_item_finds() {
        let scene = scene();
        let view = scene.views.first();
        let queries = [
            Query::default(),
            Query { q: "money".to_string(), ..Query::default() },
            Query { q: " X12 ".to_string(), ..Query::default() },
            Query { q: "nothing".to_string(), ..Query::default() },
            Query { low: Some(0.6), high: Some(0.95), ..Query::default() },
            Query { label: Some(1), ..Query::default() },
            Query { source: Some(2), ..Query::default() },
            Query { source: Some(4), vote: Some(2), ..Query::default() },
            Query { source: Some(0), against: true, ..Query::default() },
            Query { disputed: true, q: "lunch".to_string(), ..Query::default() },
            Query { differ: Some("majority".to_string()), ..Query::default() },
        ];
        for query in &queries {
            for sort in ["", "table", "sure", "unsure"] {
                let query = Query { sort: sort.to_string(), ..query.clone() };
                let expected = looked_up(&scene, &query);
                let mut items = Vec::new();
                for page in 0..=expected.len() / PAGE + 1 {
                    let found = find(&scene, view, &Query { page, ..query.clone() }).unwrap();
                    assert_eq!(found.total, expected.len(), "{query:?}");
                    items.extend(found.items);
                }
                assert_eq!(items, expected, "{query:?}");
            }
        }
        assert!(!looked_up(&scene, &queries[10]).is_empty());
        let wrong = |query: Query| find(&scene, view, &query).is_err();
        assert!(wrong(Query { sort: "colour".to_string(), ..Query::default() }));
        assert!(wrong(Query { source: Some(5), ..Query::default() }));
        assert!(wrong(Query { differ: Some("oracle".to_string()), ..Query::default() }));
        assert!(wrong(Query { q: "x".repeat(201), ..Query::default() }));
    }
}
