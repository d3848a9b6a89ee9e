//! `consilience sample`: draws items for people to label.

use std::collections::{HashMap, HashSet};

use anyhow::{Context as _, bail};
use consilience::answers::sample;
use consilience::pipeline::where_models_differ;
use consilience::votes::survey::gold_rank;
use consilience_io::{
    ANSWER_COLUMN, DRAWN_COLUMN, DRAWN_WHERE_MODELS_DIFFER, ITEM_COLUMN, Input, ItemNames, Output, ReadError,
    TableHeader, TextTableWriter, VoteTable, check_format, read_table,
};

use super::input;
use super::texts::{check_files, check_joined, say_missing};
use crate::args::SampleArgs;
use crate::terminal::{Talk, counted, thousands};

/// The value of the column "drawn" for items drawn from all items.
const DRAWN_FROM_ALL: &str = "from all items";

/// Columns of the sample itself.
const OWN: [&str; 3] = [ITEM_COLUMN, DRAWN_COLUMN, ANSWER_COLUMN];

pub(super) fn run(args: &SampleArgs, talk: Talk) -> anyhow::Result<()> {
    let output = Output::from_arg(&args.output)?;
    check_format(&output)?;
    let mut files = vec![("votes", args.votes.votes.as_os_str())];
    files.extend(args.text.as_deref().map(|file| ("text", file)));
    files.extend(args.extend.as_deref().map(|file| ("sample", file)));
    check_files(&output, &files)?;
    let named = input::read(&args.votes, &output, talk)?;
    let (votes, items) = (&named.table.votes, &named.table.items);
    talk.notes(&named.table.notes);

    let earlier = args.extend.as_deref().map(|file| Earlier::read(&Input::from_arg(file))).transpose()?;
    let rows = || earlier.iter().flat_map(|earlier| &earlier.rows);
    let known: HashSet<&str> = rows().map(|row| row.item.as_str()).collect();
    // Items of which only a comparison of models made rows remain to be drawn: a uniform sample without them would not be one.
    let uniform: HashSet<&str> =
        rows().filter(|row| !row.where_models_differ()).map(|row| row.item.as_str()).collect();
    if let (Some(file), Some(first)) = (&args.extend, rows().map(|row| &row.item).next()) {
        check_same_table(&Input::from_arg(file).name(), first, &known, &named, talk)?;
    }
    let is_in = |sample: &HashSet<&str>, i: usize| sample.contains(items.name(i).as_ref());
    let (drawn, from): (Vec<usize>, usize) = if args.differ {
        let wait = talk.wait("fitting");
        let differing = where_models_differ(votes).with_context(|| named.name.clone())?;
        drop(wait);
        let count = differing.len();
        let order = sample(count, count, args.seed);
        let new = order.into_iter().map(|place| differing[place]).filter(|&i| !is_in(&known, i));
        (new.take(args.number).collect(), count)
    } else {
        let all = sample(votes.items(), args.number.saturating_add(uniform.len()), args.seed);
        let new = all.into_iter().filter(|&i| !is_in(&uniform, i));
        (new.take(args.number).collect(), votes.items())
    };
    let drawn_again: HashSet<String> =
        drawn.iter().filter(|&&i| is_in(&known, i)).map(|&i| items.name(i).into_owned()).collect();
    if drawn.is_empty() {
        match (&earlier, args.differ) {
            (Some(_), _) => bail!(
                "{}: all {} are already in the sample",
                named.name,
                counted(from as u64, "item", "items")
            ),
            (None, true) => bail!("{}: the two models agree on every item; leave out --differ", named.name),
            (None, false) => {}
        }
    }

    let texts = match &args.text {
        Some(file) => Texts::read(&Input::from_arg(file), args, &named.table, &drawn, talk)?,
        None => Texts::default(),
    };
    let mut columns: Vec<String> = earlier.as_ref().map_or_else(Vec::new, |earlier| earlier.columns.clone());
    if earlier.is_none() {
        columns.clone_from(&texts.columns);
    }
    let marked = args.differ || earlier.as_ref().is_some_and(|earlier| earlier.marked);
    let mut head = vec![ITEM_COLUMN.to_string()];
    head.extend(columns.iter().cloned());
    if marked {
        head.push(DRAWN_COLUMN.to_string());
    }
    head.push(ANSWER_COLUMN.to_string());
    let mut writer = TextTableWriter::new(output, &head, None)?;
    let mut write = |item: &str, cells: &[String], drawn: &str, answer: &str| {
        let mut row = vec![item];
        row.extend(cells.iter().map(String::as_str));
        if marked {
            row.push(drawn);
        }
        row.push(answer);
        writer.write(&row)
    };
    for row in rows() {
        let from_all = row.drawn.is_empty() || drawn_again.contains(&row.item);
        let drawn = if from_all { DRAWN_FROM_ALL } else { &row.drawn };
        write(&row.item, &row.cells, drawn, &row.answer)?;
    }
    let way = if args.differ { DRAWN_WHERE_MODELS_DIFFER } else { DRAWN_FROM_ALL };
    for &i in drawn.iter().filter(|&&i| !is_in(&known, i)) {
        let cells: Vec<String> = columns.iter().map(|column| texts.cell(i, column).to_string()).collect();
        write(&items.name(i), &cells, way, "")?;
    }
    writer.finish()?;
    if drawn.len() < args.number {
        talk.notes(&[format!("only {} can be drawn", counted(drawn.len() as u64, "item", "items"))]);
    }
    talk.say(&format!(
        "drew {} of {}{}; fill in the column \"answer\", then use --answers with fit or label, or certify",
        counted(drawn.len() as u64, "item", "items"),
        thousands(from as u64),
        match (args.differ, &earlier) {
            (true, _) =>
                " on which two models disagree (not a random sample: certify rejects it)".to_string(),
            (false, Some(earlier)) => format!(", in addition to {}", thousands(earlier.rows.len() as u64)),
            (false, None) => String::new(),
        }
    ));
    Ok(())
}

/// Refuses to extend a sample of which no item is in the table, and notes items that are not.
fn check_same_table(
    file: &str,
    first: &str,
    known: &HashSet<&str>,
    named: &input::NamedTable,
    talk: Talk,
) -> anyhow::Result<()> {
    let items = &named.table.items;
    let found = if items.are_row_numbers() {
        known.iter().filter(|name| items.position(name).is_some()).count()
    } else {
        items.iter().filter(|name| known.contains(name.as_ref())).count()
    };
    let others = known.len().saturating_sub(found);
    if found == 0 {
        bail!(
            "{file}: none of its {} is in {} (the first is \"{first}\"); extend a sample of the same table, or select the \
             column with the item names with --item",
            counted(others as u64, "item", "items"),
            named.name
        );
    }
    if others > 0 {
        talk.notes(&[format!(
            "{file}: {} not in {}; the new sample keeps {}",
            counted(others as u64, "item is", "items are"),
            named.name,
            if others == 1 { "it" } else { "them" }
        )]);
    }
    Ok(())
}

/// A sample that was written earlier.
struct Earlier {
    columns: Vec<String>,
    marked: bool,
    rows: Vec<EarlierRow>,
}

struct EarlierRow {
    item: String,
    cells: Vec<String>,
    drawn: String,
    answer: String,
}

impl EarlierRow {
    fn where_models_differ(&self) -> bool {
        self.drawn.trim() == DRAWN_WHERE_MODELS_DIFFER
    }
}

impl Earlier {
    fn read(input: &Input) -> Result<Self, ReadError> {
        read_table(
            input,
            None,
            |header: &TableHeader| {
                let (item, answer) =
                    (header.find("the sample", ITEM_COLUMN)?, header.find("the sample", ANSWER_COLUMN)?);
                let drawn = header.position(DRAWN_COLUMN);
                let texts: Vec<usize> = (0..header.names().len())
                    .filter(|&place| !OWN.contains(&header.names()[place].as_str()))
                    .collect();
                let columns = texts.iter().map(|&place| header.names()[place].clone()).collect();
                let wanted = [item, answer].into_iter().chain(drawn).chain(texts).collect();
                Ok((wanted, Self { columns, marked: drawn.is_some(), rows: Vec::new() }))
            },
            |earlier, row| {
                let first = 2 + usize::from(earlier.marked);
                earlier.rows.push(EarlierRow {
                    item: row.cell(0).to_string(),
                    answer: row.cell(1).to_string(),
                    drawn: if earlier.marked { row.cell(2).to_string() } else { String::new() },
                    cells: (first..first + earlier.columns.len()).map(|i| row.cell(i).to_string()).collect(),
                });
                Ok(())
            },
            &|_| {},
        )
    }
}

/// The texts of the drawn items.
#[derive(Default)]
struct Texts {
    columns: Vec<String>,
    of_item: HashMap<usize, Vec<String>>,
}

impl Texts {
    fn cell(&self, item: usize, column: &str) -> &str {
        let place = self.columns.iter().position(|name| name == column);
        let cells = self.of_item.get(&item);
        place.and_then(|place| cells.map(|cells| cells[place].as_str())).unwrap_or("")
    }

    fn read(
        input: &Input,
        args: &SampleArgs,
        table: &VoteTable,
        drawn: &[usize],
        talk: Talk,
    ) -> anyhow::Result<Self> {
        struct Reading {
            texts: Texts,
            by_name: bool,
            rows: usize,
            hidden: Vec<String>,
        }
        let items = &table.items;
        let gold = args.votes.table.gold.as_deref();
        let leads = |name: &str| {
            table.votes.sources().position(name).is_some() || Some(name) == gold || is_a_label(name)
        };
        let by_name: HashMap<String, usize> =
            drawn.iter().map(|&i| (items.name(i).into_owned(), i)).collect();
        let asked = args.votes.table.item.as_deref();
        let wait = talk.wait("reading text");
        let reading = read_table(
            input,
            None,
            |header: &TableHeader| {
                let item =
                    asked.and_then(|name| header.position(name)).or_else(|| header.position(ITEM_COLUMN));
                let mut hidden = Vec::new();
                let columns: Vec<usize> = if args.column.is_empty() {
                    let own = |name: &String| OWN.contains(&name.as_str());
                    let names = header.names();
                    let all = (0..names.len()).filter(|&place| Some(place) != item && !own(&names[place]));
                    let (leading, texts): (Vec<usize>, Vec<usize>) =
                        all.partition(|&place| leads(&names[place]));
                    hidden = leading.into_iter().map(|place| names[place].clone()).collect();
                    texts
                } else {
                    args.column.iter().map(|name| header.find("text", name)).collect::<Result<_, _>>()?
                };
                let names = columns.iter().map(|&place| header.names()[place].clone()).collect();
                let texts = Texts { columns: names, of_item: HashMap::new() };
                let wanted = columns.into_iter().chain(item).collect();
                Ok::<_, ReadError>((wanted, Reading { texts, by_name: item.is_some(), rows: 0, hidden }))
            },
            |reading, row| {
                let width = reading.texts.columns.len();
                let item = if reading.by_name {
                    by_name.get(row.cell(width)).copied()
                } else {
                    by_name.get(items_name(items, reading.rows).as_ref()).copied()
                };
                reading.rows += 1;
                if let Some(item) = item {
                    let cells = (0..width).map(|i| row.cell(i).to_string()).collect();
                    reading.texts.of_item.insert(item, cells);
                }
                Ok(())
            },
            &|_| {},
        )?;
        drop(wait);
        let Reading { texts, by_name, rows, hidden } = reading;
        if !hidden.is_empty() {
            talk.notes(&[format!(
                "{}: {} {} left out, so that votes and labels do not influence the answers: {} (to show columns all the same, use --column)",
                input.name(),
                counted(hidden.len() as u64, "column", "columns"),
                if hidden.len() == 1 { "is" } else { "are" },
                listed(&hidden)
            )]);
        }
        check_joined(input, by_name, rows, items)?;
        let missing = drawn.iter().filter(|i| !texts.of_item.contains_key(i)).count();
        say_missing(input, missing, drawn.len(), talk)?;
        Ok(texts)
    }
}

/// Whether a column of this name holds labels, probabilities of classes, or gold.
fn is_a_label(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase();
    let of_labels_file = ["label", "confidence", "held_out"].contains(&name.as_str());
    of_labels_file || name.starts_with("p_") || name.starts_with("held_out_") || gold_rank(&name).is_some()
}

/// At most this many columns are named.
const MOST_NAMED: usize = 6;

fn listed(names: &[String]) -> String {
    let shown = names[..names.len().min(MOST_NAMED)].join(", ");
    if names.len() > MOST_NAMED { format!("{shown}, ...") } else { shown }
}

fn items_name(items: &ItemNames, row: usize) -> std::borrow::Cow<'_, str> {
    if row < items.len() { items.name(row) } else { "".into() }
}
