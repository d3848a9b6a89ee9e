//! Numbers by which surveys code a missing answer: 9, 99, 999 and the like, far above all other classes.

/// Codes of missing answers.
const CODES: [u64; 9] = [8, 9, 77, 88, 99, 777, 888, 999, 9999];

/// Other classes end at least this far below the code.
const GAP: u64 = 3;

/// The class that may be the code of a missing answer, if all classes are numbers.
pub(super) fn missing(classes: &[String]) -> Option<String> {
    let mut numbers: Vec<u64> = classes.iter().map(|name| name.parse().ok()).collect::<Option<_>>()?;
    numbers.sort_unstable();
    let [rest @ .., before, last] = numbers.as_slice() else { return None };
    (!rest.is_empty() && CODES.contains(last) && before + GAP <= *last).then(|| last.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_stand_far_above_the_other_classes() {
        let of = |classes: &[&str]| missing(&classes.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(of(&["1", "2", "9"]), Some("9".to_string()));
        assert_eq!(of(&["0", "1", "99"]), Some("99".to_string()));
        for classes in
            [&["7", "8", "9"][..], &["1", "9"], &["1", "2", "10"], &["a", "b", "9"], &["0", "1", "2"]]
        {
            assert_eq!(of(classes), None, "{classes:?}");
        }
    }
}
