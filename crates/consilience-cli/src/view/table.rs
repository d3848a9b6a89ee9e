//! How every table looks: no frame, a line under the head, words to the left and numbers to the right.

use comfy_table::{Cell, CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use unicode_width::UnicodeWidthStr as _;

use crate::terminal::printable;

/// Blanks between columns.
const GAP: usize = 3;

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(super) enum Column {
    /// A name that may be cut where the terminal is narrow.
    Name(&'static str),
    Word(&'static str),
    Number(&'static str),
}

/// `rows` under `columns`, no wider than `width` where names can be cut to fit.
pub(super) fn table(columns: &[Column], rows: &[Vec<String>], width: Option<usize>) -> String {
    let mut table = Table::new();
    table
        .force_no_tty()
        .set_content_arrangement(ContentArrangement::Disabled)
        .load_style(TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─')));
    let longest_name = width.map(|width| longest_name(columns, rows, width));
    let align = |column: &Column| match column {
        Column::Name(_) | Column::Word(_) => CellAlignment::Left,
        Column::Number(_) => CellAlignment::Right,
    };
    let head = |column: &Column| match column {
        Column::Name(head) | Column::Word(head) | Column::Number(head) => *head,
    };
    table.set_header(columns.iter().map(|column| Cell::new(head(column)).set_alignment(align(column))));
    for row in rows {
        table.add_row(columns.iter().zip(row).map(|(column, text)| {
            let text = printable(text);
            let text = match (column, longest_name) {
                (Column::Name(_), Some(longest)) => shorten(&text, longest),
                _ => text.into_owned(),
            };
            Cell::new(text).set_alignment(align(column))
        }));
    }
    for (i, column) in table.column_iter_mut().enumerate() {
        // The table itself puts one blank between columns.
        column.set_padding((if i == 0 { 0 } else { GAP as u16 - 1 }, 0));
    }
    table.trim_fmt()
}

/// What is left for a name when all else has its place.
fn longest_name(columns: &[Column], rows: &[Vec<String>], width: usize) -> usize {
    const SHORTEST: usize = 12;
    let names = columns.iter().filter(|column| matches!(column, Column::Name(_))).count();
    let taken: usize = columns
        .iter()
        .enumerate()
        .map(|(i, column)| match column {
            Column::Name(_) => 0,
            Column::Word(head) | Column::Number(head) => {
                rows.iter().map(|row| row[i].width()).fold(head.width(), usize::max)
            }
        })
        .sum();
    let gaps = GAP * (columns.len() - 1);
    (width.saturating_sub(taken + gaps) / names.max(1)).max(SHORTEST)
}

/// `text` in at most `longest` columns; the middle goes, since names often differ at either end.
fn shorten(text: &str, longest: usize) -> String {
    if text.width() <= longest {
        return text.to_string();
    }
    let room = longest.saturating_sub(1);
    let take = |chars: &mut dyn Iterator<Item = char>, room: usize| {
        let mut taken = String::new();
        for c in chars {
            let mut buffer = [0; 4];
            if taken.width() + c.encode_utf8(&mut buffer).width() > room {
                break;
            }
            taken.push(c);
        }
        taken
    };
    let head = take(&mut text.chars(), room - room / 2);
    let tail: String = take(&mut text.chars().rev(), room / 2).chars().rev().collect();
    format!("{head}…{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_lose_their_middle() {
        assert_eq!(shorten("LF_c_cause_d", 12), "LF_c_cause_d");
        assert_eq!(shorten("LF_develop_d_following_c", 13), "LF_dev…wing_c");
        assert_eq!(shorten("語語語語語語", 7).width(), 7);
    }

    #[test]
    fn numbers_stand_to_the_right() {
        let columns = [Column::Name("Source"), Column::Number("Votes")];
        let rows = [vec!["a".to_string(), "1".to_string()], vec!["bcdefghi".to_string(), "12".to_string()]];
        assert_eq!(
            table(&columns, &rows, None),
            "Source     Votes\n\
             ────────────────\n\
             a              1\n\
             bcdefghi      12"
        );
    }
}
