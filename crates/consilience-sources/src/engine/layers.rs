//! Sources in layers: those that read the data, those composed of them, and so on.

use hashbrown::HashMap;

use crate::file::SourcesFile;

/// The sources of each layer in the order of the file, or one that depends on itself or on a source that is not there.
///
/// A file that was read has no such source; one that was built by hand may.
pub(super) fn layers(file: &SourcesFile) -> Result<Vec<Vec<usize>>, usize> {
    let positions: HashMap<&str, usize> =
        file.sources.iter().enumerate().map(|(i, source)| (source.name.as_str(), i)).collect();
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); file.sources.len()];
    let mut missing: Vec<usize> = Vec::with_capacity(file.sources.len());
    for (i, source) in file.sources.iter().enumerate() {
        let parts = source.kind.parts();
        for part in parts {
            users[*positions.get(part.as_str()).ok_or(i)?].push(i);
        }
        missing.push(parts.len());
    }
    let mut layers = Vec::new();
    let mut layer: Vec<usize> = (0..missing.len()).filter(|&i| missing[i] == 0).collect();
    while !layer.is_empty() {
        let mut next = Vec::new();
        for user in layer.iter().flat_map(|&i| &users[i]) {
            missing[*user] -= 1;
            if missing[*user] == 0 {
                next.push(*user);
            }
        }
        next.sort_unstable();
        layers.push(std::mem::replace(&mut layer, next));
    }
    match missing.iter().position(|&missing| missing > 0) {
        Some(source) => Err(source),
        None => Ok(layers),
    }
}
