//! Boards as `tilebase show` draws them, read back.

use std::borrow::Cow;

/// Whether a text has lines of a drawn board in it.
pub(crate) fn is_drawn(text: &str) -> bool {
    text.contains(is_line)
}

/// Whether a line of text is the last of a drawn board.
pub(crate) fn is_last(line: &str) -> bool {
    line.contains(['└', '┘'])
}

fn is_line(character: char) -> bool {
    ('\u{2500}'..='\u{257f}').contains(&character)
}

/// The cells of the first drawn board in a text, row by row. The blank's is empty.
pub(crate) fn cells(text: &str) -> Vec<Vec<&str>> {
    let mut rows = Vec::new();
    for line in text.lines().filter(|line| is_drawn(line)) {
        if line.contains('│') {
            let line = line.trim();
            let line = line.strip_prefix('│').unwrap_or(line);
            let line = line.strip_suffix('│').unwrap_or(line);
            rows.push(line.split('│').map(str::trim).collect());
        }
        if is_last(line) {
            break;
        }
    }
    rows
}

/// The number in a cell, without the marks behind it, which say what heuristics found there.
pub(crate) fn number(cell: &str) -> &str {
    cell.trim_end_matches(|character: char| character.is_ascii_lowercase())
}

/// Whether any cell has a mark.
pub(crate) fn is_marked(text: &str) -> bool {
    cells(text).concat().into_iter().any(|cell| number(cell) != cell)
}

/// The text without the colours of a terminal.
pub(crate) fn without_colours(text: &str) -> Cow<'_, str> {
    const ESCAPE: &str = "\x1b[";
    if !text.contains(ESCAPE) {
        return Cow::Borrowed(text);
    }
    let mut parts = text.split(ESCAPE);
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.trim_start_matches(|character: char| character.is_ascii_digit() || character == ';');
        match digits.strip_prefix('m') {
            Some(rest) => plain.push_str(rest),
            // Something else than a colour: whoever reads on will say what is wrong.
            None => plain.extend([ESCAPE, part]),
        }
    }
    Cow::Owned(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_found_in_a_drawing_and_in_what_stands_around_it() {
        let text = "a title\n┌───┬───┐\n│ 3a│ 1 │\n├───┼───┤\n│   │ 2 │\n└───┴───┘\n│ 9 │\nthe end";
        assert_eq!(cells(text), [["3a", "1"], ["", "2"]]);
        assert!(is_marked(text) && number("3a") == "3" && !is_marked("│ 3 │ 1 │"));
    }

    #[test]
    fn colours_are_taken_out_and_nothing_else() {
        assert_eq!(without_colours("1 \x1b[32m2\x1b[0m 3\x1b[1;31m4"), "1 2 34");
        assert_eq!(without_colours("1 \x1b[2J 2"), "1 \x1b[2J 2");
    }
}
