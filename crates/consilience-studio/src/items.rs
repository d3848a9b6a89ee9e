//! Which items a search finds, page by page.

use consilience::labels::Ties;
use consilience::sources::Vote;
use rayon::prelude::*;
use regex::{Regex, RegexBuilder};
use serde::Deserialize;

use crate::error::RequestError;
use crate::table::Table;
use crate::views::View;

/// Items on a page.
pub(crate) const PAGE: usize = 50;
/// Longer searches are refused.
const LONGEST_SEARCH: usize = 200;

/// What is searched for.
#[derive(Clone, Debug, Default, Deserialize)]
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
pub(crate) fn find(table: &Table, first: &View, view: &View, query: &Query) -> Result<Found, RequestError> {
    let votes = &table.votes;
    if query.source.is_some_and(|source| source >= votes.sources().len()) {
        return Err(RequestError::NotFound("there is no such source".to_string()));
    }
    let pattern_fits = patterns(table, view, query);
    let other = query.differ.as_deref().map(|name| view.labels(first, name)).transpose()?;
    let search = search(&query.q)?;
    let fits = |i: usize| {
        let pattern = votes.item_pattern()[i] as usize;
        pattern_fits[pattern]
            && other.is_none_or(|other| {
                let label = view.label_of_pattern[pattern];
                other.decide(i, Ties::Empty).is_some_and(|class| label != 0 && class != label)
            })
            && search.as_ref().is_none_or(|search| matches(table, search, i))
    };
    let mut found: Vec<usize> = (0..votes.items()).into_par_iter().filter(|&i| fits(i)).collect();
    let total = found.len();
    let start = query.page.saturating_mul(PAGE).min(total);
    let end = (start + PAGE).min(total);
    let sign = match query.sort.as_str() {
        "sure" => -1.0,
        "unsure" => 1.0,
        "" | "table" => return Ok(Found { total, items: found.drain(start..end).collect() }),
        other => return Err(RequestError::Wrong(format!("items cannot be sorted by \"{other}\""))),
    };
    let sure = |i: usize| sign * view.confidence_of_pattern[votes.item_pattern()[i] as usize];
    let by_confidence = |a: &usize, b: &usize| sure(*a).total_cmp(&sure(*b)).then(a.cmp(b));
    if end < total {
        found.select_nth_unstable_by(end, by_confidence);
        found.truncate(end);
    }
    found.sort_by(by_confidence);
    Ok(Found { total, items: found.drain(start..).collect() })
}

/// Which distinct rows of votes fit.
fn patterns(table: &Table, view: &View, query: &Query) -> Vec<bool> {
    let patterns = table.votes.patterns();
    let fits = |p: usize| {
        let (label, sure) = (view.label_of_pattern[p], view.confidence_of_pattern[p]);
        if query.low.is_some_and(|low| sure < low) || query.high.is_some_and(|high| sure > high) {
            return false;
        }
        if query.label.is_some_and(|wanted| wanted != label) {
            return false;
        }
        if let Some(source) = query.source {
            let vote = patterns.row(p).find(|&(j, _)| j == source).map(|(_, vote)| vote);
            let Some(vote) = vote else { return false };
            if query.vote.is_some_and(|wanted| wanted != vote)
                || (query.against && (label == 0 || vote == label))
            {
                return false;
            }
        }
        if query.disputed {
            let mut row = patterns.row(p).map(|(_, vote)| vote);
            let Some(first) = row.next() else { return false };
            return row.any(|vote| vote != first);
        }
        true
    };
    (0..patterns.len()).into_par_iter().map(fits).collect()
}

/// A search for the words as they are, in any case.
fn search(text: &str) -> Result<Option<Regex>, RequestError> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    if text.chars().count() > LONGEST_SEARCH {
        return Err(RequestError::Wrong(format!("search for at most {LONGEST_SEARCH} characters")));
    }
    let built = RegexBuilder::new(&regex::escape(text)).case_insensitive(true).build();
    built.map(Some).map_err(|error| RequestError::Wrong(error.to_string()))
}

fn matches(table: &Table, search: &Regex, i: usize) -> bool {
    search.is_match(&table.items.name(i)) || table.text(i).iter().any(|(_, text)| search.is_match(text))
}
