//! A literal that no text contains, for lists that would take quadratic time to prepare without it.

/// Lists of fewer bytes are prepared in no time as they are.
const SHORT: usize = 1 << 14;

/// One byte of the spacer stands for this many bytes of the list.
const SHARE: usize = 64;

/// The spacer to search for before all `literals`, if they need one.
///
/// The automaton moves the states that end a literal to the front by swaps, and then follows every chain of swaps from each of its
/// states. Where almost every state ends a literal, as with consecutive numbers, there are few chains, each as long as the list.
/// The spacer's states end none and come first, so there are as many chains as it has bytes.
pub(super) fn spacer<'a>(literals: impl Iterator<Item = &'a [u8]>) -> Option<Vec<u8>> {
    let bytes: usize = literals.map(<[u8]>::len).sum();
    // 255 is not part of any UTF-8 text.
    (bytes >= SHORT).then(|| vec![u8::MAX; bytes / SHARE])
}
