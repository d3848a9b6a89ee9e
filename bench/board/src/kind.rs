//! Kinds of tables: constants are chosen without the kind that they are scored on.

/// The kinds of sources.
pub(crate) const KINDS: [&str; 3] = ["rules", "language models", "crowds"];

/// Which kind of sources a set has, by its name.
pub(crate) fn kind(name: &str) -> &'static str {
    let name = name.rsplit(' ').next().unwrap_or(name);
    if name.starts_with("crowd") {
        "crowds"
    } else if name.starts_with("llmbar") || name.starts_with("prompted") {
        "language models"
    } else {
        "rules"
    }
}
