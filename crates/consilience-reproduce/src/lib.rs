//! The experiments of Bach, He, Ratner and Ré, *Learning the Structure of Generative Models without Labeled Data* (ICML
//! 2017), run by Consilience and drawn next to the values that the paper reports.
//!
//! [`reproduce`] runs the requested figures and writes into one folder, for each figure: its data as CSV, its
//! pictures as SVG and PNG, and a section of `index.html` (and of `reproduction.md`) that describes what was run, what the paper
//! reports, what came out, and where it differs. Finished points are kept in `points/` and used again where the settings agree, so that a run that
//! was interrupted can be resumed. Except for times, results depend only on the seed, not on the number of threads.
//!
//! One file per figure in `figures`; `published` holds the paper's values, `recovery` the measurement that most figures
//! share, `plot` the drawing.

mod error;
mod figures;
mod labelling;
mod machine;
mod method;
mod page;
mod plot;
mod points;
mod publish;
mod published;
mod recovery;
mod run;
mod section;
pub mod set;
mod statistics;
mod world;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use consilience::sources::Vote;
use consilience::votes::Votes;
use serde::{Deserialize, Serialize};

pub use error::ReproduceError;
pub use publish::{publish, retell};
pub use published::{Published, published};
pub use run::{SOLVER, Step};
pub use section::{Claim, Made, Section, Table};

pub(crate) use run::Run;

/// More trials than this are a typing mistake.
pub const MOST_TRIALS: usize = 100_000;

/// A part of the paper that can be reproduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Figure {
    /// Exact recovery against the number of items, for several numbers of sources.
    Fig1,
    /// Exact recovery against the number of items, for cliques.
    Fig2,
    /// Time against the number of sources.
    Fig3,
    /// Recall and extraneous links against the number of sources.
    Fig4,
    /// What a model makes of copies of a coin among the sources.
    Fig5,
    /// Labels and end models on real tables, with and without structure.
    Table1,
    /// Sample complexity against what the theory promises, other types of dependencies, more classes.
    Theory,
}

impl Figure {
    /// All of them, in order.
    pub const ALL: [Self; 7] =
        [Self::Fig1, Self::Fig2, Self::Fig3, Self::Fig4, Self::Fig5, Self::Table1, Self::Theory];

    /// Its name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fig1 => "fig1",
            Self::Fig2 => "fig2",
            Self::Fig3 => "fig3",
            Self::Fig4 => "fig4",
            Self::Fig5 => "fig5",
            Self::Table1 => "table1",
            Self::Theory => "theory",
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No figure has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a figure; choose from fig1, fig2, fig3, fig4, fig5, table1, theory")]
pub struct UnknownFigure(pub String);

impl FromStr for Figure {
    type Err = UnknownFigure;
    fn from_str(text: &str) -> Result<Self, UnknownFigure> {
        let named = Self::ALL.into_iter().find(|figure| figure.name() == text);
        named.ok_or_else(|| UnknownFigure(text.to_string()))
    }
}

/// What to run.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Where everything is written; made if it is missing.
    pub folder: PathBuf,
    /// Which figures.
    pub figures: Vec<Figure>,
    /// Tables a point, 1 to [`MOST_TRIALS`]; the paper's 100 for most figures, and fewer for `quick`, by default.
    pub trials: Option<usize>,
    /// Fewer points and tables, to be done in minutes.
    pub quick: bool,
    /// Seed of all tables.
    pub seed: u64,
    /// The table of votes that figure 5 adds copies of a coin to; a simulated one by default.
    pub votes: Option<Given>,
    /// A folder of folders with `votes.csv`, `gold.csv` and `meta.json`, some with `split.csv` and `text.csv`: the real tables
    /// of table 1. Figure 5 takes the paper's own task from it (`cdr33`, else `cdr`) if no votes are given.
    pub data: Option<PathBuf>,
}

/// A table of votes that was given.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// What it is called.
    pub name: String,
    /// The votes.
    pub votes: Votes,
    /// The true class of each item, abstain where unknown; for scoring only.
    pub gold: Option<Vec<Vote>>,
}

/// Runs the figures and writes everything into the folder; `progress` is called for every finished table.
pub fn reproduce(
    options: &Options,
    progress: &(dyn Fn(Step) + Sync),
) -> Result<Vec<Section>, ReproduceError> {
    if let Some(value) = options.trials.filter(|trials| !(1..=MOST_TRIALS).contains(trials)) {
        return Err(ReproduceError::Trials { value, most: MOST_TRIALS });
    }
    if let Some(data) = options.data.as_ref().filter(|_| options.figures.contains(&Figure::Table1)) {
        set::folders(data)?;
    }
    make_folder(&options.folder)?;
    let mut sections = Vec::new();
    for figure in Figure::ALL.into_iter().filter(|figure| options.figures.contains(figure)) {
        let run = Run::new(options, figure, progress);
        let section = figures::run(&run)?;
        page::write_section(&options.folder, &section)?;
        page::write_index(&options.folder)?;
        sections.push(section);
    }
    Ok(sections)
}

/// Makes a folder with one for points in it, and sees that both can be written into before anything is computed.
fn make_folder(folder: &std::path::Path) -> Result<(), ReproduceError> {
    let failed = |problem| ReproduceError::Folder { path: folder.to_path_buf(), problem };
    std::fs::create_dir_all(folder.join("points")).map_err(failed)?;
    for inside in [folder.to_path_buf(), folder.join("points")] {
        let probe = inside.join(".writable");
        std::fs::write(&probe, "").and_then(|()| std::fs::remove_file(&probe)).map_err(failed)?;
    }
    Ok(())
}
