//! Classes whose names say that there was no vote, or that it failed.

use crate::votes::marks::is_usual;

/// Whole names, lower case, letters and digits only.
const NAMES: [&str; 80] = [
    "abstain",
    "skip",
    "skipped",
    "ignore",
    "ignored",
    "idk",
    "dk",
    "nk",
    "unk",
    "na",
    "nan",
    "null",
    "blank",
    "empty",
    "missing",
    "error",
    "parseerror",
    "apierror",
    "timeout",
    "refused",
    "refusal",
    "failed",
    "invalid",
    "inconclusive",
    "indeterminate",
    "ambiguous",
    "pending",
    "void",
    "tbd",
    "nd",
    "nr",
    "ns",
    "nsnr",
    "ka",
    "noresponse",
    "nonloso",
    "keinurteil",
    "niewiem",
    "vetej",
    "vetinte",
    "seecomment",
    "seecomments",
    "seenotes",
    "outofscope",
    "ungradable",
    "ungradeable",
    "uncodable",
    "uncodeable",
    "unreadable",
    "illegible",
    "uninterpretable",
    "needssecondlook",
    "needsreview",
    "secondopinion",
    "poorquality",
    "poorimagequality",
    "defer",
    "deferred",
    "不确定",
    "不知道",
    "わからない",
    "모름",
    "незнаю",
    "nosé",
    "nsnc",
    "naosei",
    "nãosei",
    "nonso",
    "indeciso",
    "indecisa",
    "ungültig",
    "incertain",
    "bilmiyorum",
    "لاأعرف",
    "неизвестно",
    "contentfilter",
    "contentfiltered",
    "ratelimit",
    "ratelimited",
    "ratelimitexceeded",
];

/// Words that deny what follows them.
const DENYING: [&str; 27] = [
    "no",
    "not",
    "cannot",
    "cant",
    "couldnt",
    "dont",
    "didnt",
    "unable",
    "insufficient",
    "neither",
    "without",
    "lacks",
    // In other languages.
    "kein",
    "keine",
    "nicht",
    "ohne",
    "sans",
    "pas",
    "sin",
    "non",
    "senza",
    "geen",
    "niet",
    "ingen",
    "sem",
    "nao",
    "não",
];

/// Beginnings of words about voting: denied, they say that there is no vote.
const VOTING: [&str; 50] = [
    "sure",
    "know",
    "tell",
    "say",
    "decid",
    "decision",
    "determin",
    "judg",
    "answer",
    "label",
    "rated",
    "rating",
    "opinion",
    "idea",
    "info",
    "vote",
    "verdict",
    "respon",
    "applicable",
    "available",
    "consensus",
    "certain",
    "clear",
    "assess",
    "pars",
    "data",
    // In other languages.
    "angabe",
    "antwort",
    "weiß",
    "weiss",
    "wertung",
    "bewertet",
    "beurteil",
    "réponse",
    "reponse",
    "avis",
    "sais",
    "sait",
    "respuesta",
    "sabe",
    "opini",
    "resposta",
    "risposta",
    "antwoord",
    "mening",
    "svar",
    "annotat",
    "beantwort",
    "klar",
    "weet",
];

/// Words that say what failed, and that it did.
const FAILED: [[&str; 5]; 2] =
    [["parse", "parsing", "api", "json", "request"], ["error", "fail", "failed", "failure", "timeout"]];

/// Longer names describe something.
const MOST_WORDS: usize = 5;

/// Whether the name of a class sounds like no vote at all: `unsure`, `cannot tell`, `Not enough information`, `parse error`.
pub(super) fn is_like_abstaining(name: &str) -> bool {
    let plain: String = name.to_lowercase().chars().filter(|c| !"'\u{2019}".contains(*c)).collect();
    let words: Vec<&str> =
        plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.is_empty() || words.len() > MOST_WORDS {
        return has_remark(name);
    }
    let is_voting = |word: &str| VOTING.iter().any(|begin| word.starts_with(begin));
    let denied = words.iter().position(|word| DENYING.contains(word));
    let is_denied = denied.is_some_and(|at| words[at + 1..].iter().any(|word| is_voting(word)))
        // "weiß nicht" denies what comes before.
        || words.windows(2).any(|pair| ["nicht", "pas", "niet"].contains(&pair[1]) && is_voting(pair[0]));
    let is_undone = words.iter().any(|word| word.strip_prefix("un").is_some_and(is_voting));
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    // "ERROR: timeout" and "error 429" say nothing but that it failed.
    let says_only_that = words.iter().all(|word| {
        FAILED.iter().any(|list| list.contains(word)) || word.chars().all(|c| c.is_ascii_digit())
    });
    NAMES.contains(&words.concat().as_str())
        || is_denied
        || is_undone
        || FAILED.iter().all(|list| has(list))
        || (says_only_that && has(&["error", "timeout"]))
        || has_remark(name)
        || (has(&["prefer"]) && has(&["not"]))
        || (has(&["null"]) && words.iter().any(|word| is_voting(word)))
}

/// Whether a mark of abstaining comes with a remark: `N/A (broken link)`, `skip - too long`.
fn has_remark(name: &str) -> bool {
    // "none: ..." may be a class that says more.
    let is_mark = |mark: &str| {
        mark.chars().any(char::is_alphabetic)
            && !mark.eq_ignore_ascii_case("none")
            && (is_usual(mark) || NAMES.contains(&mark.to_lowercase().as_str()))
    };
    ["(", ":", " - ", " \u{2013} ", " \u{2014} "].iter().any(|sign| {
        name.split_once(sign).is_some_and(|(mark, remark)| !remark.is_empty() && is_mark(mark.trim()))
    })
}

/// Whether the name is `pass` where nothing can fail.
pub(super) fn passes(name: &str, classes: &[String]) -> bool {
    let is = |name: &str, word: &str| name.to_lowercase().starts_with(word);
    name.eq_ignore_ascii_case("pass") && !classes.iter().any(|class| is(class, "fail") || is(class, "not"))
}

/// What a name is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Sign,
    Word,
}

impl Kind {
    /// `None` for words with numbers in them, which are of no kind.
    fn of(name: &str) -> Option<Self> {
        if name.parse::<u64>().is_ok() {
            Some(Self::Number)
        } else if !name.chars().any(char::is_alphanumeric) {
            Some(Self::Sign)
        } else {
            (!name.chars().any(char::is_numeric)).then_some(Self::Word)
        }
    }
}

/// The class that is of another kind than all others, if there are at least two of these: the only number among words, the
/// only word among numbers, or the only sign.
pub(super) fn odd_one(classes: &[String]) -> Option<String> {
    let kinds: Vec<Kind> = classes.iter().map(|name| Kind::of(name)).collect::<Option<_>>()?;
    if kinds.len() < 3 {
        return None;
    }
    // Of the first three, at least two are of the common kind.
    let common = if kinds[0] == kinds[1] || kinds[0] == kinds[2] { kinds[0] } else { kinds[1] };
    let mut odd = (0..kinds.len()).filter(|&at| kinds[at] != common);
    match (odd.next(), odd.next()) {
        (Some(at), None) if common != Kind::Sign => Some(classes[at].clone()),
        (None, _) if common == Kind::Word => odd_word(classes),
        _ => None,
    }
}

/// The only letter among longer words, or the only word in capitals among others: `x`, `NR`.
fn odd_word(classes: &[String]) -> Option<String> {
    const LONGER: usize = 3;
    let is_letter = |name: &str| name.chars().count() == 1;
    let is_shouted = |name: &str| !is_letter(name) && name.chars().all(char::is_uppercase);
    let only = |is_odd: &dyn Fn(&str) -> bool, is_usual: &dyn Fn(&str) -> bool| {
        let (odd, others): (Vec<&String>, Vec<&String>) = classes.iter().partition(|name| is_odd(name));
        match odd[..] {
            [odd] if others.iter().all(|name| is_usual(name)) => Some(odd.clone()),
            _ => None,
        }
    };
    only(&is_letter, &|name| name.chars().count() >= LONGER)
        .or_else(|| only(&is_shouted, &|name| name.chars().any(char::is_lowercase)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_deny_a_vote_are_told_from_classes() {
        for name in [
            "unsure",
            "Not sure",
            "don't know",
            "I cannot answer",
            "no verdict",
            "PARSE FAIL",
            "parse_error",
            "undecidable",
            "Other/unclear",
            "prefer not to answer",
            "not enough information",
            "n.a",
            "UNK",
            "can not decide",
            "no idea",
            "unanswered",
            "IDK",
            "not rated",
            "keine Angabe",
            "weiß nicht",
            "sans réponse",
            "n.d.",
            "NS/NR",
            "ignore",
            "ERROR: timeout",
            "error 429",
            "n/a (broken link)",
            "skip - too long",
            "rate limit exceeded",
            "not annotated",
            "content_filter",
            "no sé",
            "não sei",
            "non so",
            "weet niet",
            "Nicht beantwortet",
            "unklar",
            "لا أعرف",
        ] {
            assert!(is_like_abstaining(name), "{name}");
        }
        for name in [
            "not relevant",
            "no",
            "unsafe",
            "not spam",
            "neither",
            "other",
            "tie",
            "pass",
            "fail",
            "none of these",
            "syntax error",
            "unrelated",
            "not supported",
            "no finding",
            "none (of these)",
            "e-mail - spam",
            "type 2 error",
            "nose",
            "nicht sicher",
        ] {
            assert!(!is_like_abstaining(name), "{name}");
        }
    }

    #[test]
    fn pass_is_a_class_beside_fail() {
        let of = |classes: &[&str]| {
            passes(classes[0], &classes.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        assert!(of(&["Pass", "cat", "dog"]) && !of(&["pass", "fail", "skip"]) && !of(&["passed", "cat"]));
    }

    #[test]
    fn the_only_class_of_its_kind_is_found() {
        let of = |classes: &[&str]| odd_one(&classes.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(of(&["0", "bird", "cat"]), Some("0".to_string()));
        assert_eq!(of(&["1", "2", "x"]), Some("x".to_string()));
        assert_eq!(of(&["*", "cat", "dog"]), Some("*".to_string()));
        assert_eq!(of(&["cat", "dog", "x"]), Some("x".to_string()));
        assert_eq!(of(&["NR", "no", "yes"]), Some("NR".to_string()));
        for classes in [
            &["1", "cat"][..],
            &["1", "2", "3"],
            &["1", "2", "5+"],
            &["1", "2", "a", "b"],
            &["+", "-", "x"],
            &["A", "B", "tie"],
            &["NO", "YES", "maybe"],
            &["a", "an", "the"],
        ] {
            assert_eq!(of(classes), None, "{classes:?}");
        }
    }
}
