//! What was decided while a table was read, for the user to know and, if it was not meant, to overrule.

mod not_source;
mod text;

pub use not_source::NotSource;

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
}
