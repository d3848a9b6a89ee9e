//! Sources made of other sources, in a plan.

use arrow::array::{Array as _, ArrayRef, Int16Array};

use crate::rules::Way;

/// What the source of these parts says, if it votes for `class`.
pub(super) fn compose(way: Way, class: i16, parts: &[ArrayRef], rows: usize) -> Result<Int16Array, String> {
    let parts: Option<Vec<&Int16Array>> =
        parts.iter().map(|part| part.as_any().downcast_ref::<Int16Array>()).collect();
    let parts = parts.ok_or("its parts are not sources")?;
    let of = |part: &Int16Array, row: usize| part.is_valid(row).then(|| part.value(row));
    Ok((0..rows).map(|row| way.compose(class, parts.iter().map(|part| of(part, row)))).collect())
}
