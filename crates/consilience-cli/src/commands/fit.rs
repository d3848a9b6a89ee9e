//! `consilience fit`: estimates how reliable each source is.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use consilience::labels::{explain_panel, infer, infer_changed};
use consilience::model::{
    CellLimit, ClassBalance, DawidSkeneOptions, Dependence, FitError, FitOptions, Fitted, Inference, fit,
    fit_dawid_skene,
};
use consilience::sources::Classes;
use consilience::structure::Structure;
use consilience::votes::Votes;
use consilience_io::{
    DocumentError, DocumentProblem, Input, ModelFile, Output, StructureFile, read_document, write_document,
};

use super::{answers, comparison, input, no_overwrite};
use crate::args::{BalanceArg, FitArgs, InferenceArg, ModelArgs};
use crate::terminal::{Talk, counted};
use crate::view;

/// A model and, if its sources depend on each other, the independent model for comparison.
pub struct Models {
    pub chosen: Fitted,
    pub independent: Option<Fitted>,
}

pub(super) fn run(args: &FitArgs, talk: Talk) -> anyhow::Result<()> {
    let output = Output::from_arg(args.output.as_deref().unwrap_or(OsStr::new("-")))?;
    check_format(&output)?;
    keep_apart(&output, args.model.structure.as_deref(), "structure")?;
    keep_apart(&output, args.answers.answers.as_deref(), "answers")?;
    let mut request = Request::new(&args.model, args.seed)?;
    let votes_args = answers::without_answers(&args.votes, &args.answers)?;
    let of_all = [
        (args.answers.answers.is_some(), "--answers"),
        (args.answers.answers_column.is_some(), "--answers-column"),
    ];
    let budget = args.budget.patterns(&args.votes.table, &of_all)?;
    let sampled = input::read_within(&votes_args, budget, &output, talk)?;
    talk.notes(&sampled.named.table.notes);
    sampled.note(budget, "fitted to", talk);
    let votes = sampled.named;
    request.name_balance(&args.model, votes.table.votes.classes())?;
    let given = answers::read(&args.answers, &args.votes.votes, &args.votes.table, &votes.table)?;
    let (models, told) = talk.watched("fitting", || request.models(&votes.table.votes));
    let mut models = models.with_context(|| votes.name.clone())?;
    talk.other_notes(&models.chosen.notes, &told);
    let mut taught = None;
    let table = &votes.table.votes;
    let labels = match &given {
        Some(given) => {
            models.chosen = answers::correct(&models.chosen, table, given, talk)?;
            let (labels, change) = infer_changed(&models.chosen, table, &given.answers)?;
            if !given.answers.is_empty() {
                taught = Some(answers::told(&change, labels.classes(), &given.answers));
            }
            labels
        }
        None => infer(&models.chosen, table)?,
    };
    if args.output.is_some() {
        write_document(output, &ModelFile::new(&models.chosen, models.independent.as_ref()))?;
    } else {
        let panel = explain_panel(&models.chosen, &votes.table.votes)?;
        let text = view::panel(&panel, view::width(&output));
        output.write_whole(text.as_bytes())?;
    }
    talk.say(&summary(&models.chosen));
    if let Some(line) = taught {
        talk.say(&line);
    }
    talk.say(&comparison::line(&request, &models, &labels, &votes.table.votes, votes.table.gold.as_deref())?);
    Ok(())
}

/// Models are JSON, whatever their name says.
fn check_format(output: &Output) -> anyhow::Result<()> {
    let ending = |path: &Path| path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let name = output.path().map_or(PathBuf::new(), Path::to_path_buf);
    let packed = matches!(ending(&name).as_deref(), Some("gz" | "gzip" | "zst"));
    let name = if packed { name.with_extension("") } else { name };
    match ending(&name).as_deref() {
        None | Some("json") => Ok(()),
        Some(other) => {
            bail!("{}: a model cannot be written as .{other}; use .json", output.name())
        }
    }
}

/// Refuses an output that would take the place of an input.
pub fn keep_apart(output: &Output, input: Option<&OsStr>, what: &str) -> anyhow::Result<()> {
    input.map_or(Ok(()), |input| no_overwrite::keep(output, what, input))
}

/// What was asked for, understood before any vote is read.
pub enum Request {
    Independent(FitOptions),
    Repeats(FitOptions),
    Structure(Box<GivenStructure>, FitOptions),
    Linked(Box<GivenStructure>, FitOptions),
    AllPairs(FitOptions),
    DawidSkene(DawidSkeneOptions),
}

impl Request {
    pub(super) fn new(args: &ModelArgs, seed: u64) -> anyhow::Result<Self> {
        if args.dawid_skene {
            return Ok(Self::DawidSkene(dawid_skene_options(args)?));
        }
        let options = options(args, seed);
        if args.independent {
            return Ok(Self::Independent(options));
        }
        if let Some(file) = args.structure.as_deref() {
            let structure = Box::new(GivenStructure::read(file)?);
            let linked = args.link_weights || options.inference != Inference::Auto;
            return Ok(if linked {
                Self::Linked(structure, options)
            } else {
                Self::Structure(structure, options)
            });
        }
        if args.all_pairs {
            return Ok(Self::AllPairs(options));
        }
        if !matches!(args.inference, InferenceArg::Auto | InferenceArg::Exact) {
            bail!(
                "--inference {} is for --structure, --all-pairs or --independent; the default model always uses exact inference",
                options.inference.name()
            );
        }
        Ok(Self::Repeats(options))
    }

    /// Puts a balance that was given by name into the order of the classes; those left out share the rest.
    pub(super) fn name_balance(&mut self, args: &ModelArgs, classes: &Classes) -> anyhow::Result<()> {
        let Some(BalanceArg::Named(named)) = &args.balance else { return Ok(()) };
        let mut shares = vec![None; classes.len()];
        for (name, share) in named {
            let Some(class) = classes.vote(name) else {
                bail!("--balance: \"{name}\" is not a class; the classes are {}", classes.names().join(", "));
            };
            if shares[usize::from(class) - 1].replace(*share).is_some() {
                bail!("duplicate class \"{name}\" in --balance; name each class once");
            }
        }
        let left_out = shares.iter().filter(|share| share.is_none()).count();
        let rest = 1.0 - shares.iter().flatten().sum::<f64>();
        let each = rest / left_out.max(1) as f64;
        if left_out > 0 && each <= 0.0 {
            bail!("--balance: the shares add up to {}, leaving nothing for the other classes", 1.0 - rest);
        }
        let balance = ClassBalance::Given(shares.into_iter().map(|share| share.unwrap_or(each)).collect());
        match self {
            Self::Independent(options) | Self::Repeats(options) | Self::AllPairs(options) => {
                options.class_balance = balance;
            }
            Self::Structure(_, options) | Self::Linked(_, options) => options.class_balance = balance,
            Self::DawidSkene(options) => options.class_balance = balance,
        }
        Ok(())
    }

    /// Fits it.
    pub(super) fn models(&self, votes: &Votes) -> anyhow::Result<Models> {
        let beside = |options: &FitOptions, chosen: &Fitted| -> Result<Option<Fitted>, FitError> {
            if chosen.is_independent() {
                return Ok(Some(chosen.clone()));
            }
            let exact = options.clone().with_inference(Inference::Exact);
            fit(votes, Dependence::Independent, &exact).map(Some)
        };
        let given;
        let (dependence, options) = match self {
            Self::DawidSkene(options) => {
                return Ok(Models { chosen: fit_dawid_skene(votes, options, |_| {})?, independent: None });
            }
            Self::Independent(options) => {
                return Ok(Models {
                    chosen: fit(votes, Dependence::Independent, options)?,
                    independent: None,
                });
            }
            Self::Repeats(options) => (Dependence::Repeats, options),
            Self::Structure(structure, options) => {
                given = structure.for_votes(votes)?;
                (Dependence::Structure(&given), options)
            }
            Self::Linked(structure, options) => {
                given = structure.for_votes(votes)?;
                (Dependence::Linked(&given), options)
            }
            Self::AllPairs(options) => {
                given = Structure::all_pairs(votes);
                (Dependence::Linked(&given), options)
            }
        };
        let chosen = fit(votes, dependence, options)?;
        let independent = beside(options, &chosen)?;
        Ok(Models { chosen, independent })
    }
}

fn options(args: &ModelArgs, seed: u64) -> FitOptions {
    let mut options = FitOptions::default().with_seed(seed).with_impression(!args.equal_difficulty);
    options.inference = match args.inference {
        InferenceArg::Auto => Inference::Auto,
        InferenceArg::Exact => Inference::Exact,
        InferenceArg::Pseudo => Inference::Pseudo,
        InferenceArg::Gibbs => Inference::Gibbs,
    };
    options.iterations = args.steps.unwrap_or(options.iterations);
    options.cells = args.cells.map_or(options.cells, CellLimit);
    if let Some(balance) = &args.balance {
        options.class_balance = class_balance(balance);
    }
    let priors = &mut options.priors;
    priors.accuracy = args.accuracy.or(priors.accuracy);
    priors.one_class_accuracy = args.one_class_accuracy.unwrap_or(priors.one_class_accuracy);
    priors.precision = args.precision.unwrap_or(priors.precision);
    priors.vote_precision = args.vote_precision.unwrap_or(priors.vote_precision);
    priors.one_class_precision = args.one_class_precision.unwrap_or(priors.one_class_precision);
    priors.below_chance = args.below_chance;
    options
}

fn class_balance(balance: &BalanceArg) -> ClassBalance {
    match balance {
        // Of shares by name the classes are not known yet; `name_balance` puts it right.
        BalanceArg::Even | BalanceArg::Named(_) => ClassBalance::Even,
        BalanceArg::Estimated => ClassBalance::Estimated,
        BalanceArg::Given(shares) => ClassBalance::Given(shares.clone()),
    }
}

/// Dawid and Skene's model has fewer settings; those it has not are refused rather than ignored.
fn dawid_skene_options(args: &ModelArgs) -> anyhow::Result<DawidSkeneOptions> {
    let refused = [
        (args.inference != InferenceArg::Auto, "--inference"),
        (args.accuracy.is_some(), "--accuracy"),
        (args.one_class_accuracy.is_some(), "--one-class-accuracy"),
        (args.precision.is_some(), "--precision"),
        (args.vote_precision.is_some(), "--vote-precision"),
        (args.one_class_precision.is_some(), "--one-class-precision"),
        (args.below_chance, "--below-chance"),
        (args.equal_difficulty, "--equal-difficulty"),
        (args.cells.is_some(), "--cells"),
    ];
    if let Some((_, flag)) = refused.iter().find(|(given, _)| *given) {
        bail!("{flag} has no effect with --dawid-skene; leave it out");
    }
    let mut options = DawidSkeneOptions::default();
    options.iterations = args.steps.unwrap_or(options.iterations);
    if let Some(balance) = &args.balance {
        options.class_balance = class_balance(balance);
    }
    Ok(options)
}

/// A structure from a file, which takes from the votes what a file written by hand leaves out.
pub struct GivenStructure {
    input: Input,
    file: StructureFile,
}

impl GivenStructure {
    /// Reads and checks it.
    pub(super) fn read(file: &OsStr) -> anyhow::Result<Self> {
        let input = Input::from_arg(file);
        let file: StructureFile = read_document(&input, StructureFile::KIND)?;
        file.structure().map_err(|problem| wrong(&input, problem))?;
        Ok(Self { input, file })
    }

    /// The structure for `votes`.
    pub(super) fn for_votes(&self, votes: &Votes) -> Result<Structure, DocumentError> {
        self.file.for_votes(votes).map_err(|problem| wrong(&self.input, problem))
    }
}

/// Reads a model, and the independent model for comparison.
pub fn read_models(file: &OsStr) -> anyhow::Result<Models> {
    let input = Input::from_arg(file);
    let document: ModelFile = read_document(&input, ModelFile::KIND)?;
    let fitted = |file: &ModelFile| file.fitted().map_err(|problem| wrong(&input, problem));
    Ok(Models {
        chosen: fitted(&document)?,
        independent: document.independent.as_deref().map(fitted).transpose()?,
    })
}

fn wrong(input: &Input, problem: DocumentProblem) -> DocumentError {
    DocumentError::new(input.name(), problem)
}

fn summary(fitted: &Fitted) -> String {
    let ending = &fitted.ending;
    let sources = fitted.model.sources().len() as u64;
    let repeating = fitted.shares.iter().filter(|&&share| share < 1.0).count() as u64;
    let mut said = vec![format!(
        "fitted {} to {} ({}, {})",
        counted(sources, "source", "sources"),
        counted(fitted.items as u64, "item", "items"),
        ending.estimator,
        if ending.converged {
            format!("converged after {}", counted(ending.iterations as u64, "step", "steps"))
        } else {
            format!("not converged after {}", counted(ending.iterations as u64, "step", "steps"))
        }
    )];
    if repeating > 0 {
        let share = fitted.shares.iter().sum::<f64>();
        said.push(format!(
            "{} in part: together, all sources count as {share:.1} independent ones",
            counted(repeating, "source repeats others and counts", "sources repeat others and count")
        ));
    }
    said.join("; ")
}
