//! Figure 2: how often exactly the true structure comes back, against the number of items, for cliques of growing degree.

use consilience::model::Links;

use super::curves::Curves;
use super::fig1::{METHODS, PANELS, came_out, gamma_axis};
use crate::Run;
use crate::error::ReproduceError;
use crate::plot::Band;
use crate::published;
use crate::section::{Claim, Section};
use crate::world::World;

const SOURCES: usize = 25;
const DEGREES: [usize; 4] = [2, 3, 4, 5];
const GAMMAS: [f64; 11] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0, 1.5, 2.0];
const QUICK_GAMMAS: [f64; 4] = [0.25, 0.5, 0.7, 1.0];

pub(super) fn run(run: &Run<'_>) -> Result<Section, ReproduceError> {
    let trials = run.trials(100, 10);
    let gammas = run.choose(&GAMMAS[..], &QUICK_GAMMAS[..]);
    let world =
        |size: usize| (format!("d* = {size}"), World::new(SOURCES, Links::Cliques { size, count: 1 }));
    let curves =
        Curves::measure(run, "exact recovery", DEGREES.map(world).to_vec(), gammas, &METHODS, trials)?;
    let paper = published::band("fig2", "success");
    let band = Band { name: "paper, all d*".to_string(), points: paper.clone() };
    let title = "Figure 2: one clique of d* among 25 sources";
    run.write_data("fig2", &curves.rows)?;
    run.write_picture("fig2", &curves.picture(title, &PANELS, &gamma_axis(), Some(&band)))?;
    Ok(Section {
        figure: run.figure,
        made: run.made.clone(),
        title: "Figure 2. Rows needed grow with the true degree, and no faster".to_string(),
        ran: format!(
            "Tables of {SOURCES} sources, d* = 2, 3, 4 or 5 of which form a clique of correlations (weight 0.25; all \
             accuracies \
             1), with 750 · gamma · d* · ln {SOURCES} items; {trials} tables per point, the same ones for every method. As \
             in the paper, d* also counts a source's accuracy, so d* = 2 is a single pair."
        ),
        paper: "Success is 0.20 to 0.55 at gamma = 0.5, 0.65 to 0.95 at 0.7, and 0.95 to 1.00 at 1.0; the curves of all d* \
                are aligned."
            .to_string(),
        came_out: came_out(&curves, &paper),
        differs: differs(&curves),
        claims: claims(&curves, &paper),
        tables: Vec::new(),
        pictures: vec![("fig2".to_string(), "Share of exact recoveries against gamma, by method".to_string())],
        data: vec!["fig2".to_string()],
        notes: run.take_notes(),
    })
}

fn differs(curves: &Curves) -> Vec<String> {
    let halves = |method: usize| -> Vec<String> {
        let half = |world: usize| format!("{} at {}", curves.names[world], curves.half(world, method));
        (0..curves.names.len()).map(half).collect()
    };
    vec![
        format!(
            "If the number of rows needed grew in proportion to d*, all curves would coincide. They reach one half at \
             these gammas, for Algorithm 1 (epsilon 0.03): {}; for exact (fwer 0.05): {}. A gamma that falls with d* means \
             slower growth.",
            halves(1).join(", "),
            halves(2).join(", ")
        ),
        "The paper says that correlations are added to form cliques of increasing degree, but not how many cliques there \
         are; we use one."
            .to_string(),
    ]
}

fn claims(curves: &Curves, paper: &[(f64, f64, f64)]) -> Vec<Claim> {
    let mut claims = Vec::new();
    for (method, name) in [(1, "Algorithm 1 (epsilon 0.03)"), (2, "exact (fwer 0.05)")] {
        let p = if method == 1 { 0.95 } else { 0.94 };
        let (lowest, holds) = curves.lowest(method, 1.0, p);
        let text = format!("{name} succeeds in {:.0}% from gamma = 1.0 on for every d*", 100.0 * p);
        claims.push(Claim::new(text, format!("lowest {lowest:.2}"), holds));
        let (worst, holds) = curves.against(method, &paper[..paper.len() - 1], |low, _| low);
        let text = format!("{name} reaches the paper's band below gamma = 1.0");
        claims.push(Claim::new(text, format!("worst point {worst:+.2}"), holds));
    }
    claims
}
