//! Whether two names are those of one file.

use std::path::Path;

/// Whether both names lead to the same regular file: by links of either kind, by another spelling, or by the name of an open
/// file such as `/dev/stdin`. Anything else, such as a pipe or a terminal, can be read and written at once.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let (Ok(a), Ok(b)) = (std::fs::metadata(a), std::fs::metadata(b)) else { return false };
        a.is_file() && b.is_file() && a.dev() == b.dev() && a.ino() == b.ino()
    }
    #[cfg(not(unix))]
    {
        matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b && a.is_file())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn links_lead_to_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("a"), "1").unwrap();
        fs::write(path("b"), "1").unwrap();
        fs::hard_link(path("a"), path("hard")).unwrap();
        std::os::unix::fs::symlink(path("a"), path("soft")).unwrap();
        assert!(is_same_file(&path("a"), &path("hard")));
        assert!(is_same_file(&path("soft"), &path("hard")));
        assert!(is_same_file(&path("a"), &folder.path().join("./a")));
        assert!(!is_same_file(&path("a"), &path("b")));
        assert!(!is_same_file(&path("a"), &path("none")));
        assert!(!is_same_file(Path::new("/dev/null"), Path::new("/dev/null")));
    }
}
