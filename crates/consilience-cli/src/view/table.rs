//! How every table looks: no frame, a line under the head, words to the left and numbers to the right.

use comfy_table::{Cell, CellAlignment, ContentArrangement, LineStyle, Table, TableStyle};
use unicode_width::UnicodeWidthStr as _;

use crate::terminal::printable;

/// Blanks between columns, and if the terminal is narrow.
const GAPS: [usize; 2] = [2, 1];

/// Names are not cut shorter than this.
const SHORTEST_NAME: usize = 12;

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(super) enum Column {
    /// A name that may be cut if the terminal is narrow.
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
    let fit = Fit::new(columns, rows, width);
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
            let text = match column {
                Column::Name(_) => shorten(&text, fit.longest_name),
                Column::Word(_) | Column::Number(_) => text.into_owned(),
            };
            Cell::new(text).set_alignment(align(column))
        }));
    }
    for (i, column) in table.column_iter_mut().enumerate() {
        // The table itself puts one blank between columns.
        column.set_padding((if i == 0 { 0 } else { fit.gap as u16 - 1 }, 0));
    }
    table.trim_fmt()
}

/// How a table is fitted into the terminal.
struct Fit {
    gap: usize,
    longest_name: usize,
}

impl Fit {
    fn new(columns: &[Column], rows: &[Vec<String>], width: Option<usize>) -> Self {
        let widest =
            |i: usize, head: &str| rows.iter().map(|row| row[i].width()).fold(head.width(), usize::max);
        let (mut names, mut name_widths, mut others) = (0, 0, 0);
        for (i, column) in columns.iter().enumerate() {
            match column {
                Column::Name(head) => {
                    names += 1;
                    name_widths += widest(i, head);
                }
                Column::Word(head) | Column::Number(head) => others += widest(i, head),
            }
        }
        let width = width.unwrap_or(usize::MAX);
        let between = columns.len().saturating_sub(1);
        let fits = |gap: &usize| name_widths + others + gap * between <= width;
        if let Some(gap) = GAPS.into_iter().find(fits) {
            return Self { gap, longest_name: usize::MAX };
        }
        let gap = GAPS[GAPS.len() - 1];
        let left = width.saturating_sub(others + gap * between);
        Self { gap, longest_name: (left / names.max(1)).max(SHORTEST_NAME) }
    }
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
        assert_eq!(shorten("語語語語語語", 7), "語…語");
    }

    #[test]
    fn numbers_stand_to_the_right() {
        let columns = [Column::Name("Source"), Column::Number("Votes")];
        let rows = [vec!["a".to_string(), "1".to_string()], vec!["bcdefghi".to_string(), "12".to_string()]];
        assert_eq!(
            table(&columns, &rows, None),
            "Source    Votes\n\
             ───────────────\n\
             a             1\n\
             bcdefghi     12"
        );
    }

    #[test]
    fn narrow_terminals_get_narrow_tables() {
        let columns = [Column::Name("Source"), Column::Number("Coverage"), Column::Number("Overlaps")];
        let rows = [vec!["a_name_of_twenty_sign".to_string(), "1.00%".to_string(), "0.50%".to_string()]];
        for width in [30, 38, 39, 40, 41, 42, 80] {
            let table = table(&columns, &rows, Some(width));
            let widest = table.lines().map(str::width).max().unwrap();
            assert!(widest <= width.max(SHORTEST_NAME + 18), "{width}\n{table}");
            assert_eq!(table.contains('…'), width < 39, "{width}\n{table}");
        }
    }
}
