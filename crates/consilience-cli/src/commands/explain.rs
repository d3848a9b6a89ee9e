//! `consilience explain`: why an item has its label, how reliable a source is, how reliable the panel is.

use anyhow::{Context as _, bail};
use consilience::labels::{Matching, explain_item, explain_panel, explain_source};
use consilience_io::{Output, write_document};

use super::{fit, input};
use crate::args::ExplainArgs;
use crate::terminal::Talk;
use crate::view;

pub(super) fn run(args: &ExplainArgs, talk: Talk) -> anyhow::Result<()> {
    let output = Output::from_arg(&args.output)?;
    fit::keep_apart(&output, Some(&args.model), "model")?;
    if let [_, second, ..] = args.votes.table.source.as_slice() {
        bail!("--source also names \"{second}\"; explain one source at a time");
    }
    let fitted = fit::read_models(&args.model)?.chosen;
    let named = input::read_for(&args.votes, &fitted.model, &output, talk)?;
    let votes = &named.table.votes;
    talk.notes(&named.table.notes);
    talk.notes(
        &Matching::new(&fitted, votes)
            .with_context(|| named.name.clone())?
            .missing()
            .into_iter()
            .collect::<Vec<_>>(),
    );
    let row = match (&args.named, args.row) {
        (Some(name), _) => match named.table.items.position(name) {
            Some(row) => Some(row),
            None => {
                bail!(
                    "{}: there is no item \"{name}\"; use --item to select the column with the item names",
                    named.name
                )
            }
        },
        (None, row) => row,
    };
    let wait = talk.wait("explaining");
    if let Some(row) = row {
        let explained = explain_item(&fitted, votes, row).with_context(|| named.name.clone())?;
        drop(wait);
        if args.json {
            return Ok(write_document(output, &explained)?);
        }
        let text = view::item(
            &explained,
            &named.table.items.name(row),
            fitted.model.classes(),
            view::width(&output),
        );
        return Ok(output.write_whole(text.as_bytes())?);
    }
    if let Some(source) = args.votes.table.source.first() {
        let explained = explain_source(&fitted, votes, source).with_context(|| named.name.clone())?;
        drop(wait);
        if args.json {
            return Ok(write_document(output, &explained)?);
        }
        let text = view::source(&explained);
        return Ok(output.write_whole(text.as_bytes())?);
    }
    let explained = explain_panel(&fitted, votes).with_context(|| named.name.clone())?;
    drop(wait);
    if args.json {
        return Ok(write_document(output, &explained)?);
    }
    let text = view::panel(&explained, view::width(&output));
    Ok(output.write_whole(text.as_bytes())?)
}
