//! Nothing is lost: no output takes the place of an input, however the two are named.

use std::ffi::OsStr;
use std::path::Path;

use anyhow::bail;
use consilience_io::{Output, is_same_file};

/// Refuses an output that would take the place of the input `input`, which holds the `what`.
pub fn keep(output: &Output, what: &str, input: &OsStr) -> anyhow::Result<()> {
    let input = if input == "-" { Path::new("/dev/stdin") } else { Path::new(input) };
    let path = output.path().unwrap_or(Path::new("/dev/stdout"));
    if same_place(path, input) {
        bail!(
            "the output would overwrite the {what} in {}; use another file for -o",
            if output.path().is_some() { output.name().to_string() } else { input.display().to_string() }
        );
    }
    Ok(())
}

/// Refuses to read two inputs from standard input.
pub fn one_stdin(inputs: &[(&str, &OsStr)]) -> anyhow::Result<()> {
    let mut streams = inputs.iter().filter(|(_, input)| *input == "-");
    if let (Some((first, _)), Some((second, _))) = (streams.next(), streams.next()) {
        bail!(
            "the {first} and the {second} cannot both come from standard input; name a file for one of them"
        );
    }
    Ok(())
}

/// Whether two names, spelled alike or not, are those of one file, or would be.
pub fn same_place(a: &Path, b: &Path) -> bool {
    if is_same_file(a, b) {
        return true;
    }
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        path.canonicalize().ok().or_else(|| Some(folder.canonicalize().ok()?.join(path.file_name()?)))
    };
    // Pipes and terminals can be read and written at once.
    let is_stream = |path: &Path| path.exists() && !path.is_file();
    !is_stream(a) && !is_stream(b) && place(a).is_some_and(|place_a| Some(place_a) == place(b))
}
