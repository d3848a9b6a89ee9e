//! `consilience studio`: a local app over the report.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use consilience_io::{Input, ItemNames, Output, ReadError, TableHeader, TableRow, is_same_file, read_table};
#[cfg(feature = "apply")]
use consilience_sources::{Data, SourcesFile};
use consilience_studio::{AnswerBook, Desk, Studio, Table, Texts};

#[cfg(feature = "apply")]
use crate::apply::{Applied, options, votes_with_texts};
use consilience_cli::args::StudioArgs;
#[cfg(feature = "apply")]
use consilience_cli::args::{TableArgs, VotesArgs};
use consilience_cli::commands::input::NamedTable;
use consilience_cli::commands::texts::{check_joined, join_column, say_missing};
use consilience_cli::commands::{input, no_overwrite};
use consilience_cli::terminal::Talk;

/// What is shown, and the sources that may be edited.
struct Shown {
    named: NamedTable,
    texts: Option<Texts>,
    desk: Option<Desk>,
}

pub(super) fn run(args: &StudioArgs, talk: Talk) -> anyhow::Result<()> {
    check_answers(args)?;
    let mut files = vec![("votes", args.votes.votes.as_os_str())];
    files.extend(args.text.as_deref().map(|file| ("text", file)));
    no_overwrite::one_stdin(&files)?;
    let Shown { named, texts, desk } = shown(args, talk)?;
    talk.notes(&named.table.notes);
    let texts = match &args.text {
        Some(file) => Some(read_texts(file, args.votes.table.item.as_deref(), &named.table.items, talk)?),
        None => texts,
    };
    let book = args.answers.as_deref();
    let book = book.map(|path| AnswerBook::open(path, &named.table.items, named.table.votes.classes()));
    let book = book.transpose()?;
    let name =
        Path::new(&named.name).file_name().map_or(named.name.clone(), |name| name.to_string_lossy().into());
    let table = Table {
        name,
        votes: named.table.votes,
        items: Arc::new(named.table.items),
        gold: named.table.gold.map(Arc::from),
        texts: texts.map(Arc::new),
        compositions: named.compositions,
    };
    let port = args.port;
    let (studio, _) = talk.watched("fitting", move || Studio::open(table, book, desk, port));
    let studio = studio.with_context(|| named.name.clone())?;
    let address = studio.address();
    // The address is what the command makes: a program that starts the studio reads it from standard output.
    Output::stdout().write_whole(format!("{address}\n").as_bytes())?;
    talk.say("the studio is running at this address; press Ctrl-C to stop it");
    if !args.no_open && open::that_detached(&address).is_err() {
        talk.notes(&["no browser could be started; open the address yourself".to_string()]);
    }
    Ok(studio.serve()?)
}

/// The votes: of declared sources, or of a table.
#[cfg(feature = "apply")]
fn shown(args: &StudioArgs, talk: Talk) -> anyhow::Result<Shown> {
    let Some(sources) = &args.sources else { return read(args, talk) };
    #[cfg(feature = "cluster")]
    if args.how.cluster.is_some() {
        bail!("the studio runs sources on this machine; leave out --cluster, or use a part of the data");
    }
    if sources.exists() && !sources.is_file() {
        bail!("{}: is not a regular file, so it cannot be saved", sources.display());
    }
    let stdout = Output::stdout();
    let read = data_of(args, sources, talk)?;
    let Applied { named, file, data, columns, cells } =
        votes_with_texts(sources, &read, &args.how, &stdout, talk, args.text.is_none())?;
    if let Some(answers) = &args.answers
        && data.paths().any(|path| is_same_file(answers, path))
    {
        bail!(
            "the answers would overwrite the data in {}; use another file for --answers",
            answers.display()
        );
    }
    let texts = (!columns.is_empty()).then(|| Texts::new(columns, cells));
    let options = options(&file, &args.how, Vec::new());
    let desk = Desk::new(sources, &file, data, options);
    Ok(Shown { named, texts, desk: Some(desk) })
}

/// What the sources read: VOTES, or the file of --text if VOTES has a column for each of them, as `apply` writes it.
#[cfg(feature = "apply")]
fn data_of(args: &StudioArgs, sources: &Path, talk: Talk) -> anyhow::Result<VotesArgs> {
    let Some(text) = &args.text else { return Ok(args.votes.clone()) };
    let VotesArgs { votes, table } = &args.votes;
    let given = Data::find(std::slice::from_ref(votes), table.format.map(input::format))?;
    let texts = Data::find(std::slice::from_ref(text), None)?;
    if given.is_stdin() || texts.is_stdin() {
        return Ok(args.votes.clone());
    }
    let declared = SourcesFile::read(sources)?;
    let (there, of_text) = (given.columns()?, texts.columns()?);
    if !declared.sources.iter().all(|source| there.contains(&source.name)) {
        return Ok(args.votes.clone());
    }
    let known = |name: &&String| declared.position(name).is_some() || of_text.contains(name);
    let unknown: Vec<&str> = there.iter().filter(|name| !known(name)).map(String::as_str).collect();
    let (votes, text_name) = (given.name(), texts.name());
    let mut notes = vec![format!(
        "the votes of {votes} are recomputed from {text_name}, so that the sources can be edited"
    )];
    if !unknown.is_empty() {
        let (sources, unknown) = (sources.display(), unknown.join(", "));
        notes.push(format!("{votes}: left out, because {sources} does not declare them: {unknown}"));
    }
    talk.notes(&notes);
    Ok(VotesArgs { votes: text.clone(), table: TableArgs { format: None, ..table.clone() } })
}

#[cfg(not(feature = "apply"))]
fn shown(args: &StudioArgs, talk: Talk) -> anyhow::Result<Shown> {
    read(args, talk)
}

fn read(args: &StudioArgs, talk: Talk) -> anyhow::Result<Shown> {
    Ok(Shown { named: input::read(&args.votes, &Output::stdout(), talk)?, texts: None, desk: None })
}

/// The file of the sources, if one is named.
#[cfg(feature = "apply")]
fn sources(args: &StudioArgs) -> Option<&OsStr> {
    args.sources.as_ref().map(|path| path.as_os_str())
}

#[cfg(not(feature = "apply"))]
fn sources(_: &StudioArgs) -> Option<&OsStr> {
    None
}

/// Answers are written as they are given: their file must be none of those that are read.
fn check_answers(args: &StudioArgs) -> anyhow::Result<()> {
    let Some(answers) = &args.answers else { return Ok(()) };
    let gold = args.votes.table.gold_file.as_deref();
    let read = [
        ("votes", Some(args.votes.votes.as_os_str())),
        ("text", args.text.as_deref()),
        ("gold", gold),
        ("sources", sources(args)),
    ];
    for (what, file) in read {
        if file.is_some_and(|file| is_same_file(answers, Path::new(file))) {
            bail!(
                "the answers would overwrite the {what} in {}; use another file for --answers",
                answers.display()
            );
        }
    }
    let folder = answers.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        bail!("{}: the folder {} does not exist; create it first", answers.display(), folder.display());
    }
    Ok(())
}

/// Texts while they are read.
struct Reading {
    columns: Vec<String>,
    of_item: Vec<Box<[Box<str>]>>,
    named: bool,
    rows: usize,
}

fn read_texts(file: &OsStr, item: Option<&str>, items: &ItemNames, talk: Talk) -> anyhow::Result<Texts> {
    let input = Input::from_arg(file);
    let by_name: HashMap<String, usize> = if items.are_row_numbers() {
        HashMap::new()
    } else {
        items.iter().map(std::borrow::Cow::into_owned).zip(0..).collect()
    };
    let wait = talk.wait("reading text");
    let begin = |header: &TableHeader| {
        let join = join_column(header, item, &[], !items.are_row_numbers())?;
        let columns: Vec<usize> = (0..header.names().len()).filter(|&place| Some(place) != join).collect();
        let names = columns.iter().map(|&place| header.names()[place].clone()).collect();
        let of_item = vec![Box::default(); items.len()];
        let wanted = columns.into_iter().chain(join).collect();
        Ok::<_, ReadError>((wanted, Reading { columns: names, of_item, named: join.is_some(), rows: 0 }))
    };
    let take = |reading: &mut Reading, row: &TableRow<'_>| {
        let width = reading.columns.len();
        let place = match reading.named {
            true if items.are_row_numbers() => {
                row.cell(width).parse().ok().filter(|&i: &usize| i < items.len())
            }
            true => by_name.get(row.cell(width)).copied(),
            false => Some(reading.rows).filter(|&row| row < items.len()),
        };
        reading.rows += 1;
        if let Some(place) = place {
            reading.of_item[place] = (0..width).map(|cell| row.cell(cell).into()).collect();
        }
        Ok::<(), ReadError>(())
    };
    let Reading { columns, of_item, named, rows } = read_table(&input, None, begin, take, &|_| {})?;
    drop(wait);
    check_joined(&input, named, rows, items)?;
    let missing = of_item.iter().filter(|cells| cells.is_empty()).count();
    say_missing(&input, missing, items.len(), talk)?;
    Ok(Texts::new(columns, of_item))
}
