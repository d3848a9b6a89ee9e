//! The compiled part of the Python package. One file a noun; the Python side of each noun has the same name.

#![expect(clippy::needless_pass_by_value, reason = "arguments from Python come by value")]

mod answers;
mod bytes;
mod column;
mod document;
mod end_model;
mod errors;
mod labels;
mod model;
mod notes;
mod plan;
mod reader;
mod report;
mod run;
mod simulate;
mod sources;
mod structure;
mod survey;
mod texts;
mod votes;

use pyo3::prelude::*;

/// What `consilience._core` holds.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::add_to(module)?;
    module.add_class::<votes::Votes>()?;
    module.add_class::<structure::Structure>()?;
    module.add_class::<model::Model>()?;
    module.add_class::<labels::Labels>()?;
    module.add_class::<end_model::EndModel>()?;
    module.add_class::<sources::Sources>()?;
    module.add_class::<sources::Voter>()?;
    module.add_class::<texts::Texts>()?;
    module.add_class::<texts::Keywords>()?;
    module.add_class::<texts::Pattern>()?;
    module.add_class::<texts::Lookup>()?;
    module.add_function(wrap_pyfunction!(structure::learn_exact, module)?)?;
    module.add_function(wrap_pyfunction!(structure::learn_sgd, module)?)?;
    module.add_function(wrap_pyfunction!(simulate::simulate, module)?)?;
    module.add_function(wrap_pyfunction!(plan::curvature, module)?)?;
    module.add_function(wrap_pyfunction!(plan::plan, module)?)?;
    module.add_function(wrap_pyfunction!(labels::majority_vote, module)?)?;
    module.add_function(wrap_pyfunction!(answers::sample, module)?)?;
    module.add_function(wrap_pyfunction!(answers::where_models_differ, module)?)?;
    module.add_function(wrap_pyfunction!(answers::certify, module)?)?;
    module.add_function(wrap_pyfunction!(report::analyze, module)?)?;
    module.add_function(wrap_pyfunction!(report::report, module)?)?;
    module.add_function(wrap_pyfunction!(survey::survey_columns, module)?)?;
    Ok(())
}
