//! Beyond the paper's figures: sufficient rows by the theory against rows needed, other types of links, more classes.

mod rows;
mod types;

use crate::Run;
use crate::error::ReproduceError;
use crate::section::Section;

pub(super) fn run(run: &Run<'_>) -> Result<Section, ReproduceError> {
    let rows = rows::run(run)?;
    let types = types::of_links(run)?;
    let classes = types::of_classes(run)?;
    let parts = [&rows, &types, &classes];
    let all = |of: fn(&Part) -> &Vec<String>| parts.iter().flat_map(|part| of(part).clone()).collect();
    Ok(Section {
        figure: run.figure,
        made: run.made.clone(),
        title: "Theory. Sufficient rows and rows needed; other types; more classes".to_string(),
        ran: parts.map(|part| part.ran.clone()).join(" "),
        paper: "Theorem 1 and Corollary 2 give sufficient numbers of rows, of order n log n; the experiments need fewer, \
                of order d* log n (figures 1 and 2). The paper leaves open whether higher-order dependencies converge at \
                similar rates, and all its experiments have two classes."
            .to_string(),
        came_out: all(|part| &part.came_out),
        differs: all(|part| &part.differs),
        claims: parts.iter().flat_map(|part| part.claims.clone()).collect(),
        tables: Vec::new(),
        pictures: parts.map(|part| part.picture.clone()).to_vec(),
        data: parts.map(|part| part.picture.0.clone()).to_vec(),
        notes: run.take_notes(),
    })
}

/// The text for one picture.
struct Part {
    ran: String,
    came_out: Vec<String>,
    differs: Vec<String>,
    claims: Vec<crate::section::Claim>,
    picture: (String, String),
}
