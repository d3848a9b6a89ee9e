//! The position of each source in the text of a file, so that one can be edited without changing any other byte.

use std::ops::Range;

use toml::de::DeTable;

/// The part of a file's text that declares one source: its `[[source]]`, the keys below it and the comment right above it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The name of the source.
    pub name: String,
    /// Its bytes: whole lines, without the empty ones that follow.
    pub range: Range<usize>,
    /// Its first line, from 1.
    pub line: usize,
}

impl Block {
    /// The blocks of `text`; `None` if a source has no `[[source]]` of its own, as in `source = [{ ... }]`, or no name.
    ///
    /// ```
    /// use consilience_sources::Block;
    ///
    /// let text = "classes = ['a', 'b']\n\n# Long ones.\n[[source]]\nname = 'long'\n\n[[source]]\nname = 'short'\n";
    /// let blocks = Block::all(text).unwrap();
    /// assert_eq!(&text[blocks[0].range.clone()], "# Long ones.\n[[source]]\nname = 'long'\n");
    /// assert_eq!((blocks[1].name.as_str(), blocks[1].line), ("short", 7));
    /// ```
    pub fn all(text: &str) -> Option<Vec<Self>> {
        let document = DeTable::parse(text).ok()?;
        let mut list = Vec::new();
        let sources = document.get_ref().iter().find(|(key, _)| key.get_ref() == "source")?.1;
        for entry in sources.get_ref().as_array()? {
            let header = text[..entry.span().start].rfind('\n').map_or(0, |at| at + 1);
            if !text[header..].trim_start().starts_with("[[") {
                return None;
            }
            let keys = entry.get_ref().as_table()?;
            let name = keys.iter().find(|(key, _)| key.get_ref() == "name")?.1;
            list.push((name.get_ref().as_str()?.to_string(), above(text, header)));
        }
        let ends: Vec<usize> = list.iter().skip(1).map(|(_, start)| *start).chain([text.len()]).collect();
        let block = |((name, start), end): ((String, usize), usize)| {
            let used = text[start..end].trim_end().len();
            let end = text[start + used..end].find('\n').map_or(end, |at| start + used + at + 1);
            Self { name, range: start..end, line: text[..start].matches('\n').count() + 1 }
        };
        Some(list.into_iter().zip(ends).map(block).collect())
    }

    /// `text` with `part` in place of the bytes `range`, in the line ends of `text`.
    pub fn replace(text: &str, range: &Range<usize>, part: &str) -> String {
        let mut part = part.replace("\r\n", "\n");
        if !part.is_empty() && !part.ends_with('\n') && range.end < text.len() {
            part.push('\n');
        }
        if text.contains("\r\n") {
            part = part.replace('\n', "\r\n");
        }
        format!("{}{part}{}", &text[..range.start], &text[range.end..])
    }
}

/// Where the comment right above the line that starts at `header` begins.
fn above(text: &str, header: usize) -> usize {
    let mut start = header;
    while start > 0 {
        let line = text[..start - 1].rfind('\n').map_or(0, |at| at + 1);
        let above = text[line..start].trim_start();
        // The last line of a text of many lines may look like a comment.
        if !above.starts_with('#') || above.contains("\"\"\"") || above.contains("'''") {
            break;
        }
        start = line;
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# The head.\nclasses = ['a', 'b']\ntext = 't'\n\n# One,\n# in two lines.\n[[source]]\nname = 'one'\nsql = \"\"\"\n\
                        [[source]]\n# not a comment\"\"\"\n[[source]] # two\nname = 'two'\n[source.map]\nx = 'a'\n\n\n  [[source]]\nname = 'three'";

    fn parts(text: &str) -> Vec<&str> {
        Block::all(text).unwrap().into_iter().map(|block| &text[block.range]).collect()
    }

    #[test]
    fn blocks_are_whole() {
        let parts = parts(TEXT);
        assert!(
            parts[0].starts_with("# One,\n") && parts[0].ends_with("# not a comment\"\"\"\n"),
            "{}",
            parts[0]
        );
        assert_eq!(parts[1], "[[source]] # two\nname = 'two'\n[source.map]\nx = 'a'\n");
        assert_eq!(parts[2], "  [[source]]\nname = 'three'");
        let lines: Vec<usize> = Block::all(TEXT).unwrap().iter().map(|block| block.line).collect();
        assert_eq!(lines, [5, 12, 18]);
    }

    #[test]
    fn the_rest_stays() {
        let two = &Block::all(TEXT).unwrap()[1];
        let edited = Block::replace(TEXT, &two.range, "[[source]]\nname = '2'");
        assert_eq!(edited.len(), TEXT.len() - two.range.len() + "[[source]]\nname = '2'\n".len());
        assert_eq!(parts(&edited)[0], parts(TEXT)[0]);
        assert_eq!(parts(&edited)[1], "[[source]]\nname = '2'\n");
        assert_eq!(Block::replace(TEXT, &two.range, &TEXT[two.range.clone()]), TEXT);
        assert_eq!(parts(&Block::replace(TEXT, &two.range, "")).len(), 2);
        // Editors in browsers end lines with one sign.
        let dos = TEXT.replace('\n', "\r\n");
        let two = &Block::all(&dos).unwrap()[1];
        let edited = Block::replace(&dos, &two.range, "[[source]]\nname = '2'\n");
        assert_eq!(edited.matches('\n').count(), edited.matches("\r\n").count());
        assert_eq!(Block::replace(&dos, &two.range, &dos[two.range.clone()].replace("\r\n", "\n")), dos);
    }

    #[test]
    fn other_forms_have_no_blocks() {
        for text in [
            "source = [{ name = 'a' }]",
            "classes = ['a'",
            "",
            "[[source]]\nvote = 'a'",
            "[source]\nname = 'a'",
        ] {
            assert_eq!(Block::all(text), None, "{text}");
        }
    }
}
