//! Items: searched for, and one of them explained.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use consilience::labels::{Ties, Waterfall, waterfall};
use consilience::sources::ABSTAIN;
use serde::Serialize;

use super::{Scene, Shared, ViewQuery, at_once, on_view};
use crate::error::RequestError;
use crate::items::{self, PAGE, find, is_quick};
use crate::views::View;

/// An item in a list. Classes count from 0.
#[derive(Serialize)]
pub(crate) struct ItemRow {
    item: usize,
    name: String,
    text: String,
    label: Option<usize>,
    confidence: f64,
    majority: Option<usize>,
    gold: Option<usize>,
    /// How many votes there are for each class.
    votes: Vec<(usize, usize)>,
}

/// Longer texts are cut in lists.
const LONGEST_TEXT: usize = 240;

pub(crate) fn row(scene: &Scene, view: &View, i: usize) -> ItemRow {
    let table = &scene.table;
    let text = table.text(i).iter().map(|(_, text)| *text).collect::<Vec<_>>().join(" · ");
    let text = if text.chars().count() > LONGEST_TEXT {
        text.chars().take(LONGEST_TEXT - 1).chain(['…']).collect()
    } else {
        text
    };
    let mut votes = vec![0; table.votes.classes().len()];
    table.votes.row_of_item(i).for_each(|(_, vote)| votes[usize::from(vote) - 1] += 1);
    let class = |class: u16| usize::from(class) - 1;
    ItemRow {
        item: i,
        name: table.items.name(i).into_owned(),
        text,
        label: view.study.labels.decide(i, Ties::Empty).map(class),
        confidence: view.study.labels.confidence(i),
        majority: view.study.majority.decide(i, Ties::Empty).map(class),
        gold: table.gold.as_ref().map(|gold| gold[i]).filter(|&gold| gold != ABSTAIN).map(class),
        votes: votes.into_iter().enumerate().filter(|&(_, count)| count > 0).collect(),
    }
}

#[derive(Serialize)]
pub(super) struct ItemPage {
    total: usize,
    page_size: usize,
    items: Vec<ItemRow>,
}

pub(super) async fn list(
    shared: State<Arc<Shared>>,
    Query(view): Query<ViewQuery>,
    Query(query): Query<items::Query>,
) -> Result<Json<ItemPage>, RequestError> {
    let quick = is_quick(&super::view(&shared, &view).await?.1, &query);
    let work = move |scene: &Scene, view: &View| {
        let found = find(scene, view, &query)?;
        let items = found.items.iter().map(|&i| row(scene, view, i)).collect();
        Ok(ItemPage { total: found.total, page_size: PAGE, items })
    };
    let page = if quick {
        at_once(shared, view, work).await
    } else {
        on_view(shared, view, move |scene, view| work(scene, view)).await
    };
    page.map(Json)
}

/// One item with all that is known of it.
#[derive(Serialize)]
pub(super) struct ItemAnswer {
    #[serde(flatten)]
    row: ItemRow,
    cells: Vec<(String, String)>,
    /// By majority vote, by independent sources and by the model.
    probabilities: [Vec<f64>; 3],
    waterfall: Waterfall,
}

pub(super) async fn one(
    shared: State<Arc<Shared>>,
    Path(item): Path<usize>,
    Query(view): Query<ViewQuery>,
) -> Result<Json<ItemAnswer>, RequestError> {
    let answer = at_once(shared, view, move |scene, view| {
        let table = &scene.table;
        if item >= table.votes.items() {
            return Err(RequestError::NotFound(format!("there is no item number {item}")));
        }
        let study = &view.study;
        let cells =
            table.text(item).into_iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
        Ok(ItemAnswer {
            row: row(scene, view, item),
            cells,
            probabilities: [&study.majority, &study.independent_labels, &study.labels]
                .map(|labels| labels.item(item).to_vec()),
            waterfall: waterfall(&study.model, &table.votes, item)?,
        })
    });
    answer.await.map(Json)
}
