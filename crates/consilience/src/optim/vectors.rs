//! Which vector instructions kernels may use.

use std::sync::OnceLock;

/// From the narrowest to the widest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vectors {
    /// What every processor of this kind has.
    Plain,
    /// Up to AVX2.
    Avx2,
    /// All that the processor has.
    Widest,
}

/// The environment variable that holds kernels back; results are the same bytes whatever it says.
const VARIABLE: &str = "CONSILIENCE_VECTORS";

/// What kernels may use: all that the processor has, unless `CONSILIENCE_VECTORS` is `plain` or `avx2`.
pub(crate) fn vectors() -> Vectors {
    static CHOSEN: OnceLock<Vectors> = OnceLock::new();
    *CHOSEN.get_or_init(|| match std::env::var(VARIABLE).as_deref() {
        Ok("plain") => Vectors::Plain,
        Ok("avx2") => Vectors::Avx2,
        _ => Vectors::Widest,
    })
}
