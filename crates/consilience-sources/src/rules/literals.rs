//! Which texts an expression must contain, so that most items never meet the expression itself.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind};

/// More alternatives than this are not worth looking for.
const MOST: usize = 64;
/// Longer literals are not more selective.
const LONGEST: usize = 24;
/// Shorter literals are in too many texts.
const SHORTEST: usize = 2;

type Literals = Vec<Vec<u8>>;

/// Literals of which every text that matches has at least one; `None` if there are no such, or they say too little.
///
/// With `fold`, they are meant whatever the case of ASCII letters, and are given in small ones.
pub(super) fn required(pattern: &str, ignore_case: bool, fold: bool) -> Option<Literals> {
    let hir = ParserBuilder::new().case_insensitive(ignore_case).build().parse(pattern).ok()?;
    let found = needed(&hir, fold)?;
    (shortest(&found) >= SHORTEST).then_some(found)
}

fn shortest(literals: &Literals) -> usize {
    literals.iter().map(Vec::len).min().unwrap_or(0)
}

/// How much a set says: long literals first, then few of them.
fn worth(literals: &Literals) -> (usize, std::cmp::Reverse<usize>) {
    (shortest(literals).min(6), std::cmp::Reverse(literals.len()))
}

fn needed(hir: &Hir, fold: bool) -> Option<Literals> {
    let whole = exact(hir, fold).map(distinct).filter(|literals| shortest(literals) > 0);
    let parts = match hir.kind() {
        HirKind::Concat(parts) => in_sequence(parts, fold),
        HirKind::Alternation(ways) => {
            let mut all = Literals::new();
            for way in ways {
                all.extend(needed(way, fold)?);
            }
            Some(distinct(all)).filter(|all| all.len() <= MOST)
        }
        HirKind::Capture(capture) => needed(&capture.sub, fold),
        HirKind::Repetition(repetition) if repetition.min > 0 => needed(&repetition.sub, fold),
        _ => None,
    };
    whole.into_iter().chain(parts).max_by_key(worth)
}

/// The best literals of a sequence: runs of parts that are known whole, or what one part needs.
fn in_sequence(parts: &[Hir], fold: bool) -> Option<Literals> {
    let mut best: Option<Literals> = None;
    let mut take = |literals: Literals| {
        let literals = distinct(literals);
        if shortest(&literals) > 0 && best.as_ref().is_none_or(|best| worth(best) < worth(&literals)) {
            best = Some(literals);
        }
    };
    let mut run: Literals = vec![Vec::new()];
    for part in parts {
        if let Some(next) = exact(part, fold) {
            match product(&run, &next) {
                Some(longer) => run = longer,
                None => take(std::mem::replace(&mut run, next)),
            }
            continue;
        }
        take(std::mem::replace(&mut run, vec![Vec::new()]));
        if let Some(inner) = needed(part, fold) {
            take(inner);
        }
    }
    take(run);
    best
}

/// All texts that the expression matches, if they are few.
fn exact(hir: &Hir, fold: bool) -> Option<Literals> {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => Some(vec![Vec::new()]),
        HirKind::Literal(literal) => {
            let literal = if fold { literal.0.to_ascii_lowercase() } else { literal.0.to_vec() };
            (literal.len() <= LONGEST).then(|| vec![literal])
        }
        HirKind::Class(class) => letters(class, fold),
        HirKind::Capture(capture) => exact(&capture.sub, fold),
        HirKind::Concat(parts) => {
            parts.iter().try_fold(vec![Vec::new()], |run, part| product(&run, &exact(part, fold)?))
        }
        HirKind::Alternation(ways) => {
            let mut all = Literals::new();
            for way in ways {
                all.extend(exact(way, fold)?);
            }
            (all.len() <= MOST).then_some(all)
        }
        HirKind::Repetition(repetition) => {
            let most = repetition.max.filter(|&most| most <= 3)?;
            let once = exact(&repetition.sub, fold)?;
            let mut run = vec![Vec::new()];
            let mut all = Literals::new();
            for times in 0..=most {
                if times >= repetition.min {
                    all.extend(run.iter().cloned());
                }
                if times < most {
                    run = product(&run, &once)?;
                }
            }
            (all.len() <= MOST).then_some(all)
        }
    }
}

fn letters(class: &Class, fold: bool) -> Option<Literals> {
    let Class::Unicode(class) = class else { return None };
    let count: u32 = class.iter().map(|range| range.end() as u32 - range.start() as u32 + 1).sum();
    if count > 8 {
        return None;
    }
    let all = class.iter().flat_map(|range| range.start()..=range.end());
    let all = all.map(|c| if fold { c.to_ascii_lowercase() } else { c }.to_string().into_bytes());
    let mut all: Literals = all.collect();
    all.sort();
    all.dedup();
    Some(all)
}

/// Every text of `a` before every one of `b`, where these are few and short.
fn product(a: &Literals, b: &Literals) -> Option<Literals> {
    if a.len() * b.len() > MOST {
        return None;
    }
    let joined = |x: &Vec<u8>, y: &Vec<u8>| {
        let mut joined = x.clone();
        joined.extend(y);
        joined
    };
    let all: Literals = a.iter().flat_map(|x| b.iter().map(move |y| joined(x, y))).collect();
    all.iter().all(|literal| literal.len() <= LONGEST).then_some(all)
}

/// Without those that contain another one: where they are, the other is too.
fn distinct(mut literals: Literals) -> Literals {
    literals.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    literals.dedup();
    let mut kept = Literals::new();
    for literal in literals {
        let contains =
            |short: &Vec<u8>| short.is_empty() || literal.windows(short.len()).any(|part| part == short);
        if !kept.iter().any(contains) {
            kept.push(literal);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pattern: &str, ignore_case: bool, fold: bool) -> Option<Vec<String>> {
        let found = required(pattern, ignore_case, fold)?;
        Some(found.into_iter().map(|literal| String::from_utf8(literal).unwrap()).collect())
    }

    #[test]
    fn the_longest_part_is_taken() {
        let pattern = r"( |^)(how|how)[^\w]* (\w+ ){0,1}(does|should|would)[^\w]*( |$)";
        assert_eq!(texts(pattern, false, false).unwrap(), ["does", "would", "should"]);
        assert_eq!(texts(r"check\s+(this )?out", false, false).unwrap(), ["check"]);
        assert_eq!(
            texts("(?:http|ftp)s?://", false, false).unwrap(),
            ["ftp://", "ftps://", "http://", "https://"]
        );
    }

    #[test]
    fn case_is_folded() {
        assert_eq!(texts("(?i)CHECK out", false, true).unwrap(), vec!["check out", "chec\u{212a} out"]);
    }

    #[test]
    fn what_says_nothing_is_left_aside() {
        for pattern in [r"\d+", "a?b*", ".", "", "(spam|)", "x|spam"] {
            assert_eq!(texts(pattern, false, false), None, "{pattern}");
        }
    }
}
