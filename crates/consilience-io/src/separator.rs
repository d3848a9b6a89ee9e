//! Which separator a line of text uses.

/// The possible separators, the most common first.
pub(crate) const SIGNS: [u8; 4] = [b',', b'\t', b';', b'|'];

/// Stands for one or more blanks.
pub(crate) const BLANKS: u8 = b' ';

/// Lines that are looked at.
const LINES: usize = 50;

/// The sign between cells of text that begins with `head`: the one that parts all lines into the same number of cells, or else one
/// that the first line has. `whole` says that `head` is all there is, `tabs` that the file is named as one with tabs.
pub(crate) fn separator(head: &[u8], whole: bool, tabs: bool) -> u8 {
    let lines = lines(head, whole);
    let mut signs = SIGNS;
    if tabs {
        signs.swap(0, 1);
    }
    let even = |sign: u8| {
        let mut counts = lines.iter().map(|line| cells(line, sign));
        counts.next().is_some_and(|first| first > 1 && counts.all(|count| count == first))
    };
    if let Some(sign) = signs.into_iter().find(|&sign| even(sign)) {
        return sign;
    }
    let in_first_line = |sign: u8| lines.first().is_some_and(|line| cells(line, sign) > 1);
    if let Some(sign) = signs.into_iter().find(|&sign| in_first_line(sign)) {
        return sign;
    }
    let any = |sign: u8| lines.iter().any(|line| cells(line, sign) > 1);
    // A table with row names, as R writes it, has a header that is one name short.
    let is_short = || match lines.as_slice() {
        [header, first, rest @ ..] => {
            let count = cells(first, BLANKS);
            cells(header, BLANKS) > 1
                && cells(header, BLANKS) + 1 == count
                && rest.len() > 1
                && rest.iter().all(|line| cells(line, BLANKS) == count)
        }
        _ => false,
    };
    if lines.len() > 1 && (even(BLANKS) || is_short()) && !signs.into_iter().any(any) {
        return BLANKS;
    }
    if tabs { b'\t' } else { b',' }
}

/// A sign that parts all lines into the same number of cells, although tables are not separated by it here.
pub(crate) fn other_sign(head: &[u8], whole: bool) -> Option<char> {
    const OTHERS: [u8; 12] = [b'^', b':', b'~', b'#', b'&', b'=', b'$', b'%', b'!', b'\\', b'\x01', b'\x1f'];
    /// In fewer lines, a sign may be there by chance.
    const FEWEST: usize = 3;
    let lines = lines(head, whole);
    let is_even = |sign: u8| {
        let mut counts = lines.iter().map(|line| cells(line, sign));
        counts.next().is_some_and(|first| first > 1 && counts.all(|count| count == first))
    };
    OTHERS.into_iter().find(|&sign| lines.len() >= FEWEST && is_even(sign)).map(char::from)
}

/// The first lines that are not blank; a line break in quotes ends none. The last line of a part may be cut short and is left out.
fn lines(head: &[u8], whole: bool) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let (mut quoted, mut start) = (false, 0);
    for (at, &sign) in head.iter().enumerate() {
        match sign {
            b'"' => quoted = !quoted,
            b'\n' | b'\r' if !quoted => {
                lines.push(&head[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if whole || lines.is_empty() {
        lines.push(&head[start..]);
    }
    lines.retain(|line| !line.trim_ascii().is_empty());
    lines.truncate(LINES);
    lines
}

/// How many cells `sign` splits a line into, ignoring quoted text.
fn cells(line: &[u8], sign: u8) -> usize {
    let mut quoted = false;
    let mut between = |byte: u8| {
        if byte == b'"' {
            quoted = !quoted;
        }
        !quoted && (byte == sign || (sign == BLANKS && byte == b'\t'))
    };
    if sign != BLANKS {
        return 1 + line.iter().filter(|&&byte| between(byte)).count();
    }
    let (mut count, mut inside) = (0, false);
    for &byte in line {
        let blank = between(byte);
        count += usize::from(!blank && !inside);
        inside = !blank;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_that_separate_nothing_here_are_found() {
        let of = |text: &str| other_sign(text.as_bytes(), true);
        assert_eq!(of("id^a^b\n1^yes^no\n2^no^no\n"), Some('^'));
        assert_eq!(of("a:b\nyes:no\nno:no\n"), Some(':'));
        assert_eq!(of("vote\n10:30\n11:15\n"), None);
        assert_eq!(of("vote\nyes\nno\n"), None);
        assert_eq!(of("a:b\nyes:no\n"), None);
    }

    #[test]
    fn the_sign_that_parts_all_lines_alike_is_taken() {
        let of = |text: &str| separator(text.as_bytes(), true, false);
        assert_eq!(of("a,b\n1,0\n"), b',');
        assert_eq!(of("a;b\n1,0;0,0\n"), b';');
        assert_eq!(of("a|b|c\n1|0|1\n"), b'|');
        assert_eq!(of("x|y,z|w\n1,0\n0,1\n"), b',');
        assert_eq!(of("a b c\n1  0 1\n 0 1 0 \n"), BLANKS);
        assert_eq!(of("a b\n1 x y\n2 y y\n3 x x\n"), BLANKS);
        assert_eq!(of("a text\nhello\nhow are you\n"), b',');
        assert_eq!(of("\"a,\n\"\tb\n1\t0\n"), b'\t');
        assert_eq!(of("id,text\n1,\"a; b\"\n2,c\n"), b',');
        assert_eq!(of("votes\n1\n0\n"), b',');
        assert_eq!(of("a,b\n1,0,1\n"), b',');
        assert_eq!(separator(b"a\n", true, true), b'\t');
    }
}
