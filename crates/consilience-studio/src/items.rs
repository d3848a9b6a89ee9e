//! Which items a search finds, page by page.

use std::sync::Arc;

use consilience::sources::{ABSTAIN, Vote};
use serde::Deserialize;

use crate::bits::Bits;
use crate::error::RequestError;
use crate::routes::Scene;
use crate::views::{ByItem, View};

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
    let ordered = |order: &[u32]| {
        let items = order.iter().map(|&i| i as usize).filter(|&i| fitting.has(i));
        items.skip(skipped).take(most).collect()
    };
    let items = match (query.sort.as_str(), &fitting.items) {
        ("" | "table", None) => (skipped..fitting.total.min(skipped + most)).collect(),
        ("" | "table", Some(items)) => items.after(skipped).take(most).collect(),
        ("unsure", _) => ordered(view.least_sure_first(votes)),
        ("sure", _) => ordered(view.surest_first(votes)),
        (other, _) => return Err(RequestError::Wrong(format!("items cannot be sorted by \"{other}\""))),
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
    /// Nothing where all fit.
    items: Option<Bits>,
}

impl Fitting {
    fn has(&self, i: usize) -> bool {
        self.items.as_ref().is_none_or(|items| items.has(i))
    }
}

/// Which items fit: kept by the view for the latest queries, since pages follow each other and readers ask for the same.
fn fitting(scene: &Scene, view: &View, query: &Query) -> Result<Arc<Fitting>, RequestError> {
    let asked = asked(query);
    if let Some(known) = view.fitting.get(&asked) {
        return Ok(known);
    }
    let mut items = filtered(scene, view, query)?;
    if let Some(words) = scene.search.items(&scene.table, &query.q)? {
        items = Some(both(items, &words));
    }
    let total = items.as_ref().map_or(scene.table.votes.items(), Bits::count);
    Ok(view.fitting.keep(asked, Fitting { total, items }))
}

/// The items that fit all of `query` but its words; nothing where all do.
fn filtered(scene: &Scene, view: &View, query: &Query) -> Result<Option<Bits>, RequestError> {
    let votes = &scene.table.votes;
    let Query { low, high, label, source, disputed, .. } = *query;
    let other = query.differ.as_deref().map(|name| view.labels_of_items(scene, name)).transpose()?;
    let mut items = source.map(|source| by_source(scene, view, query, source));
    if other.is_some() || low.is_some() || high.is_some() || label.is_some() {
        let ByItem { labels, confidences } = view.by_item(votes);
        let fits = |i: usize| {
            let (own, sure) = (labels[i], confidences[i]);
            low.is_none_or(|low| sure >= low)
                && high.is_none_or(|high| sure <= high)
                && label.is_none_or(|wanted| wanted == own)
                && other.is_none_or(|other| other[i] != ABSTAIN && own != ABSTAIN && other[i] != own)
        };
        items = Some(both(items, &Bits::of(votes.items(), fits)));
    }
    if disputed {
        items = Some(both(items, scene.in_conflict()));
    }
    Ok(items)
}

/// The items of two sets; all items where there is no first one.
fn both(items: Option<Bits>, others: &Bits) -> Bits {
    let mut all = items.unwrap_or_else(|| others.clone());
    all.retain(others);
    all
}

/// The items on which `source` votes as `query` wants it.
fn by_source(scene: &Scene, view: &View, query: &Query, source: usize) -> Bits {
    let votes = &scene.table.votes;
    let labels = query.against.then(|| &view.by_item(votes).labels);
    let fits = |i: usize, vote: Vote| {
        query.vote.is_none_or(|wanted| wanted == vote)
            && labels.is_none_or(|labels| labels[i] != ABSTAIN && labels[i] != vote)
    };
    let Some(columns) = &scene.columns else {
        // Rows are ordered by source.
        let vote = |i: usize| votes.row_of_item(i).find(|&(j, _)| j >= source).filter(|&(j, _)| j == source);
        return Bits::of(votes.items(), |i| vote(i).is_some_and(|(_, vote)| fits(i, vote)));
    };
    let mut items = Bits::of(votes.items(), |_| false);
    for (vote, column) in columns.of_source(source) {
        items.add(column, |i| fits(i, vote));
    }
    items
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
