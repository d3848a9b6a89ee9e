//! Runs label models over every vote table in a folder, and end models where there are texts; writes a Markdown table and
//! a picture.
//!
//! ```text
//! cargo run -p consilience-board -- ../shared/data -o board
//! cargo run -p consilience-board -- ../shared/data --settings
//! ```

mod end_model;
mod markdown;
mod memory;
mod models;
mod plot;
mod score;
mod set;
mod settings;

use std::fs;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Parser;

use end_model::Material;
use markdown::SetRuns;
use models::LabelModel;
use score::Run;
use set::Set;

/// Score label models and end models on vote tables with gold
#[derive(Debug, Parser)]
#[command(max_term_width = 80)]
struct Args {
    /// Folder of tables: each a folder with votes.csv, gold.csv, meta.json
    #[arg(value_name = "DATA", env = "CONSILIENCE_DATA", default_value = "../shared/data")]
    data: PathBuf,
    /// Folder for board.md, board.svg and board.png
    #[arg(short, long, value_name = "DIR", default_value = "board")]
    output: PathBuf,
    /// Only these tables, with commas between
    #[arg(long, value_name = "SET,...", value_delimiter = ',')]
    sets: Vec<String>,
    /// Print the end model's test scores over a grid of its settings instead
    #[arg(long)]
    settings: bool,
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a command's output")]
fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let mut folders = set::folders(&args.data)?;
    for name in &args.sets {
        let known = folders.iter().any(|folder| folder.ends_with(name));
        anyhow::ensure!(known, "{}: there is no table {name}", args.data.display());
    }
    folders.retain(|folder| args.sets.is_empty() || args.sets.iter().any(|name| folder.ends_with(name)));
    let sets = folders.iter().map(|folder| Set::read(folder)).collect::<anyhow::Result<Vec<_>>>()?;
    if args.settings {
        println!("{}", settings::tables(&sets)?);
        return Ok(());
    }
    let runs = sets.iter().map(run).collect::<anyhow::Result<Vec<_>>>()?;
    fs::create_dir_all(&args.output).with_context(|| args.output.display().to_string())?;
    let text = markdown::board(&runs);
    let file = args.output.join("board.md");
    fs::write(&file, &text).with_context(|| file.display().to_string())?;
    println!("{text}");
    plot::draw(&runs, &args.output)?;
    eprintln!("wrote {}", args.output.display());
    Ok(())
}

fn run(set: &Set) -> anyhow::Result<SetRuns> {
    let runs = LabelModel::ALL
        .into_iter()
        .map(|model| Run::new(model, set))
        .collect::<anyhow::Result<Vec<_>>>()
        .with_context(|| set.name.clone())?;
    let items = runs.first().map_or(0, |run| run.scores.items);
    let end_runs = match &set.texts {
        Some(texts) => LabelModel::ALL
            .into_iter()
            .map(|model| Material::new(model, set, texts)?.run(model))
            .collect::<anyhow::Result<_>>()
            .with_context(|| set.name.clone())?,
        None => Vec::new(),
    };
    Ok(SetRuns {
        name: set.name.clone(),
        metric: set.metric,
        size: format!("{items} x {}", set.votes.sources().len()),
        runs,
        end_runs,
    })
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

        let sets: Vec<Set> =
            set::folders(folder.path()).unwrap().iter().map(|folder| Set::read(folder).unwrap()).collect();
        let runs: Vec<SetRuns> = sets.iter().map(|set| run(set).unwrap()).collect();
        let text = markdown::board(&runs);
        // Seven items have a vote: 2 * 3 / (3 + 4) of the second class, six right.
        assert!(text.contains("| tiny | 7 x 2 | f1 | 85.7 |"), "{text}");
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
        plot::draw(&runs, folder.path()).unwrap();
        assert!(fs::read(folder.path().join("board.png")).unwrap().starts_with(b"\x89PNG"));
        assert!(fs::read_to_string(folder.path().join("board.svg")).unwrap().contains("majority vote"));
    }
}
