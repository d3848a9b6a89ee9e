//! What was decided while a table was read, for the user to know and, if it was not meant, to overrule.

use std::fmt;

use super::marks::spelled;
use super::vocabulary::quoted;

/// Why a column is not taken as a source.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotSource {
    /// No name and no values.
    Empty,
    /// It numbers the rows.
    RowNumbers,
    /// Its name is that of identifiers.
    NamedId,
    /// Its name is that of the items, but some of them are there more than once.
    RepeatedIds {
        /// One of them.
        example: String,
    },
    /// Nearly every row has a value of its own.
    Identifiers {
        /// Different values.
        values: usize,
        /// Cells with a value.
        cells: usize,
    },
    /// Free text.
    Text,
    /// Numbers with fractions.
    Fractions,
    /// Values that no other column has.
    Unshared {
        /// How many.
        values: usize,
    },
    /// One and the same value in every row, which no other column has.
    Constant,
    /// What its name says about the votes of another column, such as a confidence.
    About {
        /// The other column.
        column: String,
    },
    /// Named like gold, where another column is the gold or its values are not votes.
    LikeGold,
    /// A type that holds no votes, such as a date.
    Type(String),
    /// It names the sources of votes that no other column holds.
    NamesSources,
}

impl fmt::Display for NotSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("no name and no values"),
            Self::RowNumbers => f.write_str("row numbers"),
            Self::NamedId => f.write_str("named like identifiers"),
            Self::RepeatedIds { example } => {
                write!(f, "named like identifiers, but \"{example}\" occurs more than once")
            }
            Self::Identifiers { values, cells } => {
                write!(f, "{values} different values in {cells} cells")
            }
            Self::Text => f.write_str("free text"),
            Self::Fractions => f.write_str("numbers with fractions"),
            Self::Unshared { values } => write!(f, "{values} values that no other column has"),
            Self::Constant => f.write_str("one value in every row that no other column has"),
            Self::About { column } => write!(f, "describes the votes of \"{column}\""),
            Self::LikeGold => f.write_str("named like gold"),
            Self::Type(kind) => write!(f, "type {kind}"),
            Self::NamesSources => f.write_str("names sources, but no column holds their votes"),
        }
    }
}

/// What was decided about a table, or what may be other than it seems. Its text names no option of any program.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadingNote {
    /// A column is gold because of its name.
    GoldByName {
        /// The column.
        column: String,
    },
    /// A source of a table with one row per vote is gold because of its name.
    GoldSource {
        /// The source.
        source: String,
    },
    /// A column names the items because of its name.
    ItemsByName {
        /// The column.
        column: String,
    },
    /// Columns that are not sources.
    LeftOut {
        /// Each with the reason.
        columns: Vec<(String, NotSource)>,
    },
    /// A column alone votes for some classes.
    OnlyHere {
        /// The column.
        column: String,
        /// The classes.
        classes: Vec<String>,
    },
    /// The table has one row per vote.
    Long {
        /// The column of the items.
        item: String,
        /// The column of the sources.
        source: String,
        /// The column of the votes.
        vote: String,
        /// Columns that are not used.
        unused: Vec<String>,
    },
    /// The table has one row per item, although its header could be that of one row per vote.
    WideDespiteHeader {
        /// The columns that could be item, source and vote.
        columns: Vec<String>,
    },
    /// Words and signs that were read as abstaining.
    AbstainMarks {
        /// As written.
        marks: Vec<String>,
    },
    /// -1 and 1 are the only votes, and both are classes.
    MinusOneIsClass,
    /// -1 and 1 are the only votes, but the classes were given and -1 is none of them.
    MinusOneIsNoClass,
    /// 0 is a class but may be meant to abstain.
    ZeroMayAbstain {
        /// The share of votes that are 0, in percent.
        percent: u8,
    },
    /// -1 abstains and 0 is a class, but it may be the other way round.
    MinusOneMayBeClass,
    /// Classes whose names sound like abstaining.
    ClassesMayAbstain {
        /// The classes.
        classes: Vec<String>,
    },
    /// -1 abstains next to the classes 0 and 1 and is rarer than they are, so it may be a class.
    RareMinusOne {
        /// The share of cells that are -1, in percent.
        percent: u8,
    },
    /// Classes that may be one class.
    AlikeClasses {
        /// Two by two.
        pairs: Vec<(String, String)>,
    },
    /// Classes that may be several classes in one cell.
    SeveralInOne {
        /// The classes.
        classes: Vec<String>,
    },
    /// All classes have quotation marks around them.
    QuotedClasses {
        /// One of them.
        example: String,
    },
    /// All classes look like lists of votes.
    Lists {
        /// One of them.
        example: String,
    },
    /// Numbers that were written with leading zeros.
    LeadingZeros {
        /// As written.
        written: Vec<String>,
    },
    /// The first or the last row has classes that no other row has.
    OddRow {
        /// Whether it is the last one.
        last: bool,
        /// The classes.
        classes: Vec<String>,
    },
    /// Sources whose names suggest that they sum up the others or are gold.
    MaySumUp {
        /// The sources.
        sources: Vec<String>,
    },
    /// Sources whose names suggest that they are properties of the items.
    MayDescribe {
        /// The sources.
        sources: Vec<String>,
    },
    /// Sources that always vote as most of the others do.
    WithMajority {
        /// The sources.
        sources: Vec<String>,
    },
    /// Sources that always cast the highest, or always the lowest, vote of the others.
    WithExtreme {
        /// The sources.
        sources: Vec<String>,
    },
    /// Sources that vote for one class in every row, where others vote for several.
    Constant {
        /// The sources.
        sources: Vec<String>,
    },
    /// Sources that say whether the others agree.
    WhetherOthersAgree {
        /// The sources.
        sources: Vec<String>,
    },
    /// All sources, where the higher the number of one is, the lower are those of the others.
    Opposed {
        /// The sources.
        sources: Vec<String>,
    },
    /// A source that votes against all others, who agree.
    Reversed {
        /// The source.
        source: String,
    },
    /// The last rows have no votes, and names of another kind.
    Remarks {
        /// How many.
        rows: usize,
        /// One of the names.
        example: String,
    },
    /// The sources do not agree, but the rows do.
    RowsAgree,
    /// Sources that agree with the others no more often than by chance.
    ByChance {
        /// The sources.
        sources: Vec<String>,
    },
    /// Sources that may be one source in two spellings.
    AlikeSources {
        /// Two by two.
        pairs: Vec<(String, String)>,
    },
    /// Sources whose votes come in order down the table.
    InOrder {
        /// The sources.
        sources: Vec<String>,
    },
    /// Sources that are named after other sources and may describe their votes.
    Beside {
        /// The sources.
        sources: Vec<String>,
        /// One that they are named after.
        of: String,
    },
    /// Sources whose names and votes suggest that they answer several questions.
    SeveralQuestions {
        /// The questions.
        questions: Vec<String>,
        /// The sources of all questions but one.
        sources: Vec<String>,
    },
    /// Sources that are named like items and do not agree.
    LikeItems {
        /// The sources.
        sources: Vec<String>,
    },
    /// Sources that are not named like the others.
    NamedApart {
        /// The sources.
        sources: Vec<String>,
        /// One of the others.
        like: String,
    },
    /// Some classes are numbers and others are words.
    MixedKinds {
        /// The numbers.
        numbers: Vec<String>,
        /// The words.
        words: Vec<String>,
    },
    /// Classes that were written in several ways.
    Spellings {
        /// The name of each class, and its other spellings.
        merged: Vec<(String, Vec<String>)>,
    },
    /// Booleans and 0/1 in one table.
    Booleans,
    /// Numbers stand for declared classes by their position.
    ByPosition {
        /// The declared classes.
        classes: Vec<String>,
    },
    /// Sources without any vote.
    SilentSources {
        /// The sources.
        sources: Vec<String>,
    },
    /// Votes that are given more than once.
    RepeatedVotes {
        /// How many.
        votes: usize,
    },
    /// Items whose gold class nobody votes for.
    OtherGold {
        /// How many items.
        items: usize,
        /// The classes.
        classes: Vec<String>,
    },
    /// Items whose gold is -1, which is unknown, where all others have 1.
    GoldMinusOne {
        /// How many items.
        items: usize,
    },
    /// Rows without any cell were passed over.
    BlankRows {
        /// How many.
        rows: u64,
    },
    /// Some items are there more than once.
    RepeatedItem {
        /// The column that names the items.
        column: String,
        /// One of them.
        example: String,
    },
    /// Items that may be one item, its number or its name in two spellings.
    AlikeItems {
        /// How many.
        items: usize,
        /// Two of them.
        example: (String, String),
    },
    /// There are so few items for so many sources that rows and columns may be exchanged.
    FewItems {
        /// How many items.
        items: usize,
        /// How many sources.
        sources: usize,
    },
    /// Two files were joined by the order of their rows.
    ByOrder {
        /// What was joined to the votes.
        what: &'static str,
    },
    /// Items of the votes that another file does not have.
    WithoutMatch {
        /// What was joined to the votes.
        what: &'static str,
        /// Items of the votes without it.
        items: usize,
        /// Rows of the file without an item.
        others: usize,
    },
}

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
    /// Whether the note is about sources that may be none, and the user says of all of them that they are.
    pub fn doubts_only(&self, declared: &[String]) -> bool {
        let doubted = self.doubted();
        !doubted.is_empty() && doubted.iter().all(|source| declared.contains(source))
    }

    /// The sources that may be none, if the note is about such.
    pub(super) fn doubted(&self) -> &[String] {
        match self {
            Self::MaySumUp { sources }
            | Self::MayDescribe { sources }
            | Self::WithMajority { sources }
            | Self::WithExtreme { sources }
            | Self::Constant { sources }
            | Self::WhetherOthersAgree { sources }
            | Self::ByChance { sources }
            | Self::InOrder { sources }
            | Self::Beside { sources, .. }
            | Self::NamedApart { sources, .. } => sources,
            _ => &[],
        }
    }

    /// The note without what it says of these sources; `None` if nothing is left.
    pub(super) fn without(mut self, told: &[String]) -> Option<Self> {
        if let Self::MaySumUp { sources } | Self::MayDescribe { sources } | Self::Beside { sources, .. } =
            &mut self
        {
            sources.retain(|source| !told.contains(source));
            return (!sources.is_empty()).then_some(self);
        }
        Some(self)
    }

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
                if *last { "a total" } else { "a second header" }
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
