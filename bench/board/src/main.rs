//! Runs label models on every vote table in a folder, and end models on those with texts; writes Markdown tables and
//! pictures.
//!
//! ```text
//! cargo run -p consilience-board -- DATA -o board
//! cargo run -p consilience-board -- DATA --settings
//! cargo run -p consilience-board -- DATA --priors
//! cargo run -p consilience-board -- DATA --answers
//! cargo run -p consilience-board -- DATA --certificates
//! cargo run -p consilience-board -- DATA --widening --planted 2
//! ```

mod answers;
mod answers_priors;
mod balance;
mod board;
mod certificates;
#[cfg(test)]
mod documented;
mod end_model;
mod few_sources;
mod kind;
mod label_priors;
mod markdown;
mod memory;
mod models;
mod peers;
mod planted;
mod plot;
mod publish;
mod rules;
mod run;
mod score;
mod settings;
mod sub_panels;
mod table;
mod thin;
mod widening;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser;
use consilience_reproduce::set::{Set, folders};

use board::{Board, SetRuns};
use end_model::Material;
use models::LabelModel;
use score::Run;

/// Score label models and end models on vote tables with gold
#[derive(Debug, Parser)]
#[expect(clippy::struct_excessive_bools, reason = "one per flag")]
#[command(max_term_width = 80)]
struct Args {
    /// Folder of tables, each a folder with votes.csv, gold.csv and meta.json
    #[arg(value_name = "DATA", env = "CONSILIENCE_DATA", default_value = "../shared/data")]
    data: PathBuf,
    /// Folder for board.md, board.json, board.csv and the pictures
    #[arg(short, long, value_name = "DIR", default_value = "board")]
    output: PathBuf,
    /// Documentation folder to copy the page and its pictures to, unless only seconds and memory have changed
    #[arg(long, value_name = "DIR")]
    docs: Option<PathBuf>,
    /// Only these tables, separated by commas
    #[arg(long, value_name = "SET,...", value_delimiter = ',')]
    sets: Vec<String>,
    /// Folder of labels from other models: SET/MODEL.csv, one row per item
    ///
    /// In the format of `consilience label`, with SET/MODEL.json for seconds, peak_bytes and version.
    #[arg(long, value_name = "DIR")]
    peers: Option<PathBuf>,
    /// Print instead the end model's test scores over a grid of its settings
    #[arg(long)]
    settings: bool,
    /// The same for ways of preparing the labels before training
    #[arg(long)]
    trained_on: bool,
    /// Print instead how much the label model's priors matter, chosen without the kind of table they are scored on
    #[arg(long)]
    priors: bool,
    /// Use this many random parts of each set's sources instead of the set (--priors)
    #[arg(long, value_name = "N", requires = "priors")]
    sub_panels: Option<u64>,
    /// Print instead scores and log losses of random parts of 3 to 8 sources of each set (--draws parts of each size)
    #[arg(long)]
    few_sources: bool,
    /// Print instead how much 10 to 200 answers improve the labels
    #[arg(long)]
    answers: bool,
    /// Print instead how much the widths of the answers' priors matter, chosen without the kind of table they are scored on
    #[arg(long)]
    answers_priors: bool,
    /// Print instead how much knowing the class shares improves the labels
    #[arg(long)]
    balance: bool,
    /// Thin the second class to this share of the items (--answers, --balance; sets with two classes)
    #[arg(long, value_name = "SHARE", value_parser = share)]
    thin: Option<f64>,
    /// Print instead how often the intervals of certify cover the truth
    #[arg(long)]
    certificates: bool,
    /// Print instead by how much intervals must be wider if their answers also correct the model
    #[arg(long)]
    widening: bool,
    /// As many planted tables of each kind: instead of DATA with --certificates, to choose by in addition to DATA with --widening and --priors
    #[arg(long, value_name = "N")]
    planted: Option<u64>,
    /// Draws of answers [default: 20; 1000 with --certificates]
    #[arg(long, value_name = "N")]
    draws: Option<u64>,
    /// Draws of answers that also correct the model, with --certificates and --widening
    #[arg(long, value_name = "N", default_value_t = 100)]
    cross_fitted_draws: u64,
    /// Print instead what each selection rule keeps, and its effect
    #[arg(long)]
    rules: bool,
}

/// The share of the second class in the sets that priors are also chosen on.
const RARE: f64 = 0.08;

fn share(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("{text} is not a number"))?;
    if number > 0.0 && number < 1.0 { Ok(number) } else { Err("a share is above 0 and below 1".to_string()) }
}

#[expect(clippy::print_stderr, reason = "a command's output")]
fn main() -> ExitCode {
    match make() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a command's output")]
fn make() -> anyhow::Result<()> {
    let given: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, folder, model] = given.as_slice()
        && flag == run::ALONE
    {
        println!("{}", run::alone(Path::new(folder), model)?);
        return Ok(());
    }
    let args = Args::parse();
    let mut folders = folders(&args.data)?;
    for name in &args.sets {
        let known = folders.iter().any(|folder| folder.ends_with(name));
        anyhow::ensure!(known, "{}: there is no table {name}", args.data.display());
    }
    folders.retain(|folder| args.sets.is_empty() || args.sets.iter().any(|name| folder.ends_with(name)));
    if let Some(peers) = &args.peers {
        anyhow::ensure!(peers.is_dir(), "{}: there is no such folder of peers", peers.display());
    }
    if args.settings || args.trained_on {
        let sets = folders.iter().map(|folder| Set::read(folder)).collect::<Result<Vec<_>, _>>()?;
        println!("{}", if args.settings { settings::tables(&sets)? } else { settings::of_labels(&sets)? });
        return Ok(());
    }
    let of_intervals = args.certificates || args.widening;
    if args.rules
        || args.priors
        || args.answers
        || args.answers_priors
        || args.balance
        || args.few_sources
        || of_intervals
    {
        let read = |folder: &PathBuf| Set::read_votes(folder);
        let mut sets = folders.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let thinned = |share: f64| -> anyhow::Result<Vec<Set>> {
            sets.iter().filter_map(|set| thin::thinned(set, share).transpose()).collect()
        };
        let planted = args.planted.map(planted::sets).transpose()?.unwrap_or_default();
        if let Some(share) = args.thin {
            sets = thinned(share)?;
        } else if args.answers_priors {
            let rare = thinned(RARE)?;
            sets.extend(rare);
        } else if let Some(parts) = args.sub_panels {
            let each =
                (1..=parts).flat_map(|draw| sets.iter().map(move |set| sub_panels::sub_panel(set, draw)));
            sets = each.collect::<anyhow::Result<_>>()?;
        }
        let text = if args.rules {
            rules::tables(&sets)?
        } else if args.priors {
            label_priors::tables(&sets, &planted)?
        } else if args.answers {
            answers::tables(&sets, args.draws.unwrap_or(20))?
        } else if args.answers_priors {
            answers_priors::tables(&sets, args.draws.unwrap_or(20))?
        } else if args.few_sources {
            few_sources::tables(&sets, args.draws.unwrap_or(20))?
        } else if args.balance {
            balance::table(&sets)?
        } else if args.widening {
            widening::tables(&sets, &planted, args.cross_fitted_draws)?
        } else {
            let sets = if planted.is_empty() { &sets } else { &planted };
            certificates::tables(sets, args.draws.unwrap_or(1000), args.cross_fitted_draws)?
        };
        println!("{text}");
        return Ok(());
    }
    let mut sets = Vec::new();
    for folder in &folders {
        eprintln!("{}", folder.display());
        let set = Set::read(folder)?;
        let peers = args.peers.as_deref();
        sets.push(
            runs(&set, peers, |model| run::run_alone(model, folder)).with_context(|| set.name.clone())?,
        );
    }
    let board = Board { sets };
    fs::create_dir_all(&args.output).with_context(|| args.output.display().to_string())?;
    let text = markdown::page(&board)?;
    let write = |name: &str, text: &str| {
        let file = args.output.join(name);
        fs::write(&file, text).with_context(|| file.display().to_string())
    };
    write("board.md", &text)?;
    write("board.csv", &table::csv(&board))?;
    write("board.json", &serde_json::to_string_pretty(&board)?)?;
    plot::draw(&board, &args.output)?;
    if let Some(docs) = &args.docs {
        publish::publish(&args.output, docs)?;
    }
    println!("{text}");
    eprintln!("wrote {}", args.output.display());
    Ok(())
}

/// Runs our models by `run`, reads the peers' labels, and trains end models if there are texts.
fn runs(
    set: &Set,
    peers: Option<&Path>,
    run: impl Fn(LabelModel) -> anyhow::Result<Run>,
) -> anyhow::Result<SetRuns> {
    let mut runs = LabelModel::ALL.into_iter().map(run).collect::<anyhow::Result<Vec<_>>>()?;
    let items = runs.first().map_or(0, |run| run.scores.items);
    if let Some(peers) = peers {
        runs.extend(peers::runs(peers, set)?);
    }
    let end_runs = match &set.texts {
        Some(texts) => LabelModel::ALL
            .into_iter()
            .map(|model| Material::new(model, set, texts)?.run(model))
            .collect::<anyhow::Result<_>>()?,
        None => Vec::new(),
    };
    let sources = set.votes.sources().len();
    Ok(SetRuns { name: set.name.clone(), metric: set.metric, items, sources, runs, end_runs })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six items to train on and two to test on, of which one has no vote; scores by hand.
    #[test]
    fn a_folder_becomes_a_board() {
        let folder = tempfile::tempdir().unwrap();
        let set = folder.path().join("tiny");
        fs::create_dir(&set).unwrap();
        let write = |name: &str, text: &str| fs::write(set.join(name), text).unwrap();
        write("meta.json", r#"{"classes": 2, "metric": "f1"}"#);
        write("votes.csv", "a,b\n1,1\n1,\n0,0\n,0\n0,0\n1,1\n0,\n,\n");
        write("gold.csv", "gold\n1\n1\n0\n0\n1\n1\n0\n1\n");
        write("split.csv", "split\ntrain\ntrain\ntrain\ntrain\ntrain\ntrain\ntest\ntest\n");
        let texts = ["good", "good", "bad", "bad", "bad", "good", "bad", "good"];
        write("text.csv", &format!("text\n{}\n", texts.join("\n")));

        // A peer that is sure of the second class everywhere, its columns in another order.
        let peers = folder.path().join("peers/tiny");
        fs::create_dir_all(&peers).unwrap();
        fs::write(peers.join("sure.csv"), format!("p_1,p_0\n{}", "1,0\n".repeat(8))).unwrap();
        fs::write(peers.join("sure.json"), r#"{"seconds": 1.5, "version": "2.0"}"#).unwrap();

        let peers = peers.parent();
        let set_of = |folder: &PathBuf| Set::read(folder).unwrap();
        let sets: Vec<Set> = folders(folder.path()).unwrap().iter().map(set_of).collect();
        let all = sets.iter().map(|set| runs(set, peers, |model| run::run(model, set)).unwrap()).collect();
        let board = Board { sets: all };
        let text = markdown::page(&board).unwrap();
        // Seven items have a vote: 2 * 3 / (3 + 4) of the second class, six right.
        assert!(text.contains("| tiny | 7 x 2 | 85.7 |"), "{text}");
        // All seven for the second class, three are: 2 * 4 / (7 + 4).
        assert!(text.contains("## sure 2.0") && text.contains("| tiny | 7 x 2 | 72.7 |"), "{text}");
        assert!(table::csv(&board).contains("tiny,f1,sure,labels,7,72.7"), "{}", table::csv(&board));
        // 2 * 3 / (3 + 4) among the six to train on; the one to test on that has a vote is of the first class.
        assert!(
            text.contains("| tiny | majority vote | labels, train | 6 | 100.0 | 75.0 | 85.7 |"),
            "{text}"
        );
        assert!(text.contains("| tiny | majority vote | labels, test | 1 | 0.0 | 0.0 | 0.0 |"), "{text}");
        // The end model speaks about both, and rightly.
        assert!(
            text.contains("| tiny | majority vote | end model, test | 2 | 100.0 | 100.0 | 100.0 |"),
            "{text}"
        );
        plot::draw(&board, folder.path()).unwrap();
        assert!(fs::read(folder.path().join("board.png")).unwrap().starts_with(b"\x89PNG"));
        assert!(fs::read_to_string(folder.path().join("board.svg")).unwrap().contains("majority vote"));
        assert!(fs::read_to_string(folder.path().join("reliability.svg")).unwrap().contains("sure"));
    }
}
