//! A fence around decoders of other people's bytes.
//!
//! The Parquet and Arrow libraries check most of what a file says about itself, but a damaged file can still make them
//! panic. That is the file's fault, not a bug to report, so it becomes an error here.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is decoding a file, so that a panic would be caught and reported as a damaged file.
///
/// A panic hook should keep silent then.
pub fn is_decoding() -> bool {
    DECODING.get()
}

/// Runs `decode`; a panic in it is an error with the panic's message.
pub fn fenced<T, E: ToString>(decode: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    let before = DECODING.replace(true);
    let result = catch_unwind(AssertUnwindSafe(decode));
    DECODING.set(before);
    match result {
        Ok(result) => result.map_err(|error| error.to_string()),
        Err(panic) => {
            let text = panic.downcast_ref::<&str>().map(ToString::to_string);
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            Err(text.unwrap_or_else(|| "it cannot be decoded".to_string()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error() {
        assert_eq!(fenced(|| Ok::<_, String>(is_decoding())), Ok(true));
        assert_eq!(
            fenced(|| -> Result<(), String> { panic!("bad length {}", 7) }),
            Err("bad length 7".into())
        );
        assert!(!is_decoding());
    }
}
