//! A finished run as a page of the documentation, and the check that the page says what its tables say.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use consilience_io::Output;

use crate::error::ReproduceError;
use crate::run::Run;
use crate::section::Section;
use crate::{figures, make_folder, page};

/// The name of the page and of the folder next to it.
const NAME: &str = "reproduction";

/// Writes the run in `folder` into `docs`: `reproduction.md`, and its pictures, tables and finished points in `reproduction/`.
pub fn publish(folder: &Path, docs: &Path) -> Result<Vec<Section>, ReproduceError> {
    let sections = page::read_sections(folder)?;
    if sections.is_empty() {
        return Err(ReproduceError::data(folder, "no figure was run here; run some before publishing them"));
    }
    let beside = docs.join(NAME);
    let is_ours = |beside: &Path| beside.join("points").is_dir();
    if beside.exists() && !is_ours(&beside) {
        return Err(ReproduceError::data(&beside, "this was not written by reproduce; move it away first"));
    }
    // What an earlier run left must not stand beside this one's.
    match fs::remove_dir_all(&beside) {
        Err(problem) if problem.kind() != std::io::ErrorKind::NotFound => {
            return Err(ReproduceError::Folder { path: beside, problem });
        }
        _ => make_folder(&beside)?,
    }
    let solvers: BTreeSet<&str> = sections.iter().map(|section| section.made.solver.as_str()).collect();
    for section in &sections {
        let pictures =
            section.pictures.iter().flat_map(|(name, _)| [format!("{name}.svg"), format!("{name}.png")]);
        for name in pictures.chain(section.data.iter().map(|name| format!("{name}.csv"))) {
            copy(&folder.join(&name), &beside.join(&name))?;
        }
        page::write_section(&beside, section)?;
    }
    for entry in fs::read_dir(folder.join("points")).map_err(|error| ReproduceError::data(folder, &error))? {
        let path = entry.map_err(|error| ReproduceError::data(folder, &error))?.path();
        if path.extension().is_some_and(|ending| ending == "csv") {
            let name = path.file_name().unwrap_or_default();
            copy_points(&path, &beside.join("points").join(name), &solvers)?;
        }
    }
    let text = page::markdown(&sections, &format!("{NAME}/"));
    Output::create(&docs.join(format!("{NAME}.md")))?.write_whole(text.as_bytes())?;
    Ok(sections)
}

/// Tells every figure of `folder` again from its finished points alone, whatever version made them: tables, pictures and
/// pages are rewritten, and nothing is computed.
pub fn retell(folder: &Path) -> Result<Vec<Section>, ReproduceError> {
    let mut sections = Vec::new();
    for told in page::read_sections(folder)? {
        let run = Run::retold(folder, told.figure, told.made);
        let section = figures::run(&run)?;
        page::write_section(folder, &section)?;
        sections.push(section);
    }
    page::write_index(folder)?;
    let text = page::markdown(&sections, &format!("{NAME}/"));
    Output::create(&folder.join("published.md"))?.write_whole(text.as_bytes())?;
    Ok(sections)
}

fn copy(from: &Path, to: &Path) -> Result<(), ReproduceError> {
    let bytes = fs::read(from).map_err(|error| ReproduceError::data(from, &error))?;
    Ok(Output::create(to)?.write_whole(&bytes)?)
}

/// The points that `solvers` have finished.
fn copy_points(from: &Path, to: &Path, solvers: &BTreeSet<&str>) -> Result<(), ReproduceError> {
    let failed = |error: csv::Error| ReproduceError::points(from, &error);
    let mut reader = csv::Reader::from_path(from).map_err(failed)?;
    let header = reader.headers().map_err(failed)?.clone();
    let Some(column) = header.iter().position(|name| name == "solver") else {
        return Err(ReproduceError::points(from, "it has no column solver"));
    };
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&header).map_err(failed)?;
    for row in reader.records() {
        let row = row.map_err(failed)?;
        if solvers.contains(&row[column]) {
            writer.write_record(&row).map_err(failed)?;
        }
    }
    let text = writer.into_inner().map_err(|error| ReproduceError::points(from, &error))?;
    Ok(Output::create(to)?.write_whole(&text)?)
}
