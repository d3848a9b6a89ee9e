//! The sentence of each note.

use std::fmt;

use super::ReadingNote;
use crate::votes::marks::spelled;
use crate::votes::vocabulary::quoted;

fn plural<'a>(count: usize, one: &'a str, many: &'a str) -> &'a str {
    if count == 1 { one } else { many }
}

impl fmt::Display for ReadingNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.about_columns(f)
            .or_else(|| self.about_classes(f))
            .or_else(|| self.about_sources(f))
            .or_else(|| self.about_votes(f))
            .unwrap_or_else(|| self.about_rows(f))
    }
}

impl ReadingNote {
    /// Its text, if it is about columns.
    fn about_columns(&self, f: &mut fmt::Formatter<'_>) -> Option<fmt::Result> {
        Some(match self {
            Self::GoldByName { column } => {
                write!(
                    f,
                    "column \"{column}\" is read as gold because of its name; it is used for scoring only"
                )
            }
            Self::GoldSource { source } => write!(
                f,
                "the votes of \"{source}\" are read as gold because of its name; they are used for scoring only"
            ),
            Self::ItemsByName { column } => write!(f, "column \"{column}\" names the items"),
            Self::LeftOut { columns } => {
                const SHOWN: usize = 12;
                let listed: Vec<String> =
                    columns.iter().take(SHOWN).map(|(name, why)| format!("\"{name}\" ({why})")).collect();
                let more = columns.len().saturating_sub(SHOWN);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                write!(
                    f,
                    "{} left out because {} not look like {}: {}{more}",
                    plural(columns.len(), "one column is", "some columns are"),
                    plural(columns.len(), "it does", "they do"),
                    plural(columns.len(), "a source", "sources"),
                    listed.join(", ")
                )
            }
            Self::OnlyHere { column, classes } => {
                write!(f, "only column \"{column}\" votes for {}; check that it is a source", quoted(classes))
            }
            Self::Long { item, source, vote, unused } => {
                let unused =
                    if unused.is_empty() { String::new() } else { format!("; not used: {}", quoted(unused)) };
                write!(
                    f,
                    "read as one row per vote: item \"{item}\", source \"{source}\", vote \"{vote}\"{unused}"
                )
            }
            Self::WideDespiteHeader { columns } => write!(
                f,
                "read as one row per item, although {} suggest one row per vote: no item occurs twice, and the columns share their values",
                quoted(columns)
            ),
            _ => return None,
        })
    }

    /// Its text, if it is about classes.
    fn about_classes(&self, f: &mut fmt::Formatter<'_>) -> Option<fmt::Result> {
        Some(match self {
            Self::AbstainMarks { marks } => write!(f, "{} read as abstaining: {}", plural(marks.len(), "this mark is", "these marks are"), quoted(marks)),
            Self::MinusOneIsClass => {
                f.write_str("-1 and 1 are the only votes, so -1 is read as a class and not as abstaining")
            }
            Self::MinusOneIsNoClass => f.write_str(
                "-1 and 1 are the only votes; -1 is read as abstaining because it is not one of the classes",
            ),
            Self::ZeroMayAbstain { percent } => write!(
                f,
                "0 is read as a class, but {percent}% of all votes are 0; it may mean abstain"
            ),
            Self::MinusOneMayBeClass => f.write_str(
                "-1 is read as abstaining and 0 as a class, but most votes are 0; it may be the other way round",
            ),
            Self::ClassesMayAbstain { classes } => write!(
                f,
                "{} {}, but may mean abstain",
                quoted(classes),
                plural(classes.len(), "is read as a class", "are read as classes")
            ),
            Self::Spellings { merged } => {
                const SHOWN: usize = 8;
                let listed: Vec<String> = merged
                    .iter()
                    .take(SHOWN)
                    .map(|(name, others)| format!("{} as \"{name}\"", quoted(others)))
                    .collect();
                let more = if merged.len() > SHOWN { ", ..." } else { "" };
                write!(f, "spellings that differ only in case are one class: {}{more}", listed.join(", "))
            }
            Self::RareMinusOne { percent } => write!(
                f,
                "-1 is read as abstaining, but {percent}% of the cells are -1, so it may be a class"
            ),
            Self::AlikeClasses { pairs } | Self::AlikeSources { pairs } => {
                const SHOWN: usize = 8;
                let what = if matches!(self, Self::AlikeSources { .. }) { "sources" } else { "classes" };
                let listed: Vec<String> =
                    pairs.iter().take(SHOWN).map(|(a, b)| format!("\"{a}\" and \"{b}\"")).collect();
                let more = if pairs.len() > SHOWN { ", ..." } else { "" };
                write!(f, "these {what} are read as two, but may be one: {}{more}", listed.join(", "))
            }
            Self::MixedKinds { numbers, words } => write!(
                f,
                "some classes are numbers ({}) and others words ({}); they may be the same classes in two spellings",
                quoted(numbers),
                quoted(words)
            ),
            Self::SeveralInOne { classes } => write!(
                f,
                "{} {}, but may be several classes in one cell",
                quoted(classes),
                plural(classes.len(), "is read as one class", "are read as single classes")
            ),
            Self::QuotedClasses { example } => write!(
                f,
                "the quotation marks of {example} and the other classes are read as part of their names; in a text file, spaces \
                 before a quoted cell cause this"
            ),
            Self::Lists { example } => write!(
                f,
                "cells such as {example} are read as one class each, but look like lists; write one vote per cell"
            ),
            Self::LeadingZeros { written } => write!(
                f,
                "leading zeros of numbers are ignored: {}",
                written
                    .iter()
                    .take(8)
                    .map(|text| format!("\"{text}\" is read as {}", spelled(text)))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            Self::Booleans => f.write_str("true and false are read as the classes 1 and 0, which other columns use"),
            Self::ByPosition { classes } => {
                let listed: Vec<String> =
                    classes.iter().take(8).enumerate().map(|(i, name)| format!("{i} is \"{name}\"")).collect();
                let more = if classes.len() > 8 { ", ..." } else { "" };
                write!(f, "numbers are read as positions among the classes: {}{more}", listed.join(", "))
            }
            _ => return None,
        })
    }

    /// Its text, if it is about sources that may be none.
    fn about_sources(&self, f: &mut fmt::Formatter<'_>) -> Option<fmt::Result> {
        Some(match self {
            Self::MaySumUp { sources } => write!(
                f,
                "{} {}, but, judging by {} may summarize the others or be gold",
                quoted(sources),
                plural(sources.len(), "is read as a source", "are read as sources"),
                plural(sources.len(), "its name, it", "their names, they")
            ),
            Self::MayDescribe { sources } => write!(
                f,
                "{} {}, but, judging by {} may describe the items",
                quoted(sources),
                plural(sources.len(), "is read as a source", "are read as sources"),
                plural(sources.len(), "its name, it", "their names, they")
            ),
            Self::WithMajority { sources } => write!(
                f,
                "{} {}, but always {} with the majority of the others; {}",
                quoted(sources),
                plural(sources.len(), "is read as a source", "are read as sources"),
                plural(sources.len(), "votes", "vote"),
                plural(sources.len(), "it may summarize them", "they may summarize them")
            ),
            Self::WithExtreme { sources } => write!(
                f,
                "{} {}, but always {} the highest or always the lowest vote of the others; {}",
                quoted(sources),
                plural(sources.len(), "is read as a source", "are read as sources"),
                plural(sources.len(), "casts", "cast"),
                plural(sources.len(), "it may summarize them", "they may summarize them")
            ),
            Self::ByChance { sources } => write!(
                f,
                "{} {}, but {} with the others no more often than by chance; {} describe the items",
                quoted(sources),
                plural(sources.len(), "is read as a source", "are read as sources"),
                plural(sources.len(), "agrees", "agree"),
                plural(sources.len(), "it may", "they may")
            ),
            Self::InOrder { sources } => write!(
                f,
                "{} {}, but {} votes come in order down the table; {} describe the items",
                quoted(sources),
                plural(sources.len(), "is read as a source", "are read as sources"),
                plural(sources.len(), "its", "their"),
                plural(sources.len(), "it may", "they may")
            ),
            Self::Beside { sources, of } => write!(
                f,
                "{} are read as sources, but, judging by their names, they may describe the votes of \"{of}\" and others",
                quoted(sources)
            ),
            Self::SeveralQuestions { questions, .. } => write!(
                f,
                "judging by their names, the sources answer several questions ({}), and votes on one say little about the others; \
                 keep one question",
                quoted(questions)
            ),
            Self::LikeItems { sources } => write!(
                f,
                "{} are read as sources, but are named like items and do not agree; if each row is a voter, the table is \
                 transposed: write one row per item and one column per voter",
                quoted(sources)
            ),
            Self::NamedApart { sources, like } => write!(
                f,
                "{} {}, but {} not named like \"{like}\" and others; check that {}",
                quoted(sources),
                plural(sources.len(), "is read as a source", "are read as sources"),
                plural(sources.len(), "is", "are"),
                plural(sources.len(), "it is one", "they are sources")
            ),
            _ => return None,
        })
    }

    /// Its text, if it is about what the votes alone say of the sources.
    fn about_votes(&self, f: &mut fmt::Formatter<'_>) -> Option<fmt::Result> {
        Some(match self {
            Self::Constant { sources } => write!(
                f,
                "{} {}, but {} for the same class in every row; {} describe the items",
                quoted(sources),
                plural(sources.len(), "is read as a source", "are read as sources"),
                plural(sources.len(), "votes", "each of them votes"),
                plural(sources.len(), "it may", "they may")
            ),
            Self::WhetherOthersAgree { sources } => write!(
                f,
                "{} {}, but {} whether all others agree; {} computed from them",
                quoted(sources),
                plural(sources.len(), "is read as a source", "are read as sources"),
                plural(sources.len(), "says only", "say only"),
                plural(sources.len(), "it may be", "they may be")
            ),
            Self::Opposed { sources } => write!(
                f,
                "where one of {} is high, the others are low; they may be counts for each class, not votes: write one \
                 column per source, with the class as the vote",
                quoted(sources)
            ),
            Self::Reversed { source } => write!(
                f,
                "\"{source}\" votes against all other sources, which agree; its scale may be reversed, or its classes exchanged"
            ),
            Self::RowsAgree => f.write_str(
                "the sources agree no more often than by chance, but the rows do; if each row is a voter, the table is \
                 transposed: write one row per item and one column per voter",
            ),
            _ => return None,
        })
    }

    /// Its text, if it is about sources and rows.
    fn about_rows(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OddRow { last, classes } => write!(
                f,
                "only the {} row votes for {}; it may be {}, not an item",
                if *last { "last" } else { "first" },
                quoted(classes),
                if *last { "a total or a legend" } else { "a second header" }
            ),
            Self::SilentSources { sources } if sources.len() == 1 => {
                write!(f, "the source {} never votes; it is kept, but has no effect", quoted(sources))
            }
            Self::SilentSources { sources } => write!(
                f,
                "{} sources never vote ({}); they are kept, but have no effect",
                sources.len(),
                quoted(sources)
            ),
            Self::RepeatedVotes { votes } => {
                write!(f, "{votes} {} repeated; each counts once", plural(*votes, "vote is", "votes are"))
            }
            Self::OtherGold { items, classes } => write!(
                f,
                "{items} {} a gold class that no source votes for ({}); every label of such an item counts as wrong",
                plural(*items, "item has", "items have"),
                quoted(classes)
            ),
            Self::GoldMinusOne { items } => write!(
                f,
                "the gold of {items} {} is -1, which is read as unknown, but since all other gold is 1, it may be a class",
                plural(*items, "item", "items")
            ),
            Self::RepeatedItem { column, example } => write!(
                f,
                "\"{example}\" occurs more than once in \"{column}\"; each row is read as a separate item"
            ),
            Self::AlikeItems { items, example: (a, b) } => write!(
                f,
                "\"{a}\" and \"{b}\" are read as two items, but may be one ({items} {} two spellings of a {})",
                plural(*items, "pair has", "pairs have"),
                if a.bytes().all(|byte| byte.is_ascii_digit()) { "number" } else { "name" }
            ),
            Self::Remarks { rows, example } => write!(
                f,
                "nobody votes in the last {}, which may be {} and not {} (\"{example}\")",
                if *rows == 1 { "row".to_string() } else { format!("{rows} rows") },
                plural(*rows, "a remark", "remarks"),
                plural(*rows, "an item", "items")
            ),
            Self::FewItems { items, sources } => write!(
                f,
                "there are {sources} sources, but only {items} {}; the table may be transposed, with one row per source",
                plural(*items, "item", "items")
            ),
            Self::BlankRows { rows } => {
                write!(f, "{rows} blank {} ignored", if *rows == 1 { "row is" } else { "rows are" })
            }
            Self::ByOrder { what } => write!(
                f,
                "the {what} is matched by row order, because at least one file does not name its items"
            ),
            Self::WithoutMatch { what, items, others } => {
                let mut said = Vec::new();
                if *items > 0 {
                    said.push(format!("{items} {} no {what}", plural(*items, "item has", "items have")));
                }
                if *others > 0 {
                    said.push(format!(
                        "{others} {} of the {what} {} not in the votes",
                        plural(*others, "row", "rows"),
                        plural(*others, "is", "are")
                    ));
                }
                write!(f, "matched by item: {}", said.join(", "))
            }
            _ => Ok(()),
        }
    }
}
