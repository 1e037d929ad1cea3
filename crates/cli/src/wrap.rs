//! Text broken into lines that fit the terminal.

/// In fewer columns than these nothing is broken, and a column of words is not narrower.
const LEAST: usize = 20;

/// How far lines are indented where there is little room.
const NARROW: usize = 4;

/// Breaks a line between words where it would be longer than there are columns; what follows is indented. A word that is too long
/// by itself stays whole, and so does everything when the number of columns is not known.
///
/// Escapes for colours take no room.
pub(crate) fn wrapped(line: &str, columns: Option<usize>, indent: usize) -> String {
    let Some(columns) = columns.filter(|&columns| columns >= LEAST && length(line) > columns) else {
        return line.to_owned();
    };
    // A narrow column of words is hard to read.
    let indent = if columns < indent + LEAST { indent.min(NARROW) } else { indent };
    // Spaces between words that stay on a line stay as they are: they align columns.
    let mut lines = vec![String::new()];
    let mut used = 0;
    let mut rest = line;
    while !rest.is_empty() {
        let spaces = rest.len() - rest.trim_start_matches(' ').len();
        let end = rest[spaces..].find(' ').map_or(rest.len(), |end| spaces + end);
        let (space, word) = (&rest[..spaces], &rest[spaces..end]);
        if used > indent && used + spaces + length(word) > columns {
            lines.push(format!("{:indent$}{word}", ""));
            used = indent + length(word);
        } else {
            let current = lines.last_mut().expect("there is always a line");
            current.push_str(space);
            current.push_str(word);
            used += spaces + length(word);
        }
        rest = &rest[end..];
    }
    lines.join("\n")
}

/// How many columns a text takes.
fn length(text: &str) -> usize {
    let mut in_escape = false;
    let shown = text.chars().filter(|&letter| {
        let is_shown = !in_escape && letter != '\u{1b}';
        in_escape = letter == '\u{1b}' || (in_escape && letter != 'm');
        is_shown
    });
    shown.count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str =
        "  manhattan   9  the distances of all tiles along rows and columns, \u{1b}[1mnever\u{1b}[0m too many of them";

    #[test]
    fn every_line_fits_and_no_word_is_lost() {
        for indent in [0, 4, 17] {
            for columns in LEAST..120 {
                let text = wrapped(LINE, Some(columns), indent);
                let indent = if columns < indent + LEAST { indent.min(NARROW) } else { indent };
                assert!(text.lines().all(|line| length(line) <= columns), "{columns}: {text}");
                assert!(text.lines().skip(1).all(|line| line.starts_with(&" ".repeat(indent))), "{text}");
                assert!(text.split_whitespace().eq(LINE.split_whitespace()), "{text}");
                assert_eq!(text == LINE, columns >= length(LINE), "{columns}");
            }
        }
    }

    #[test]
    fn nothing_is_broken_without_a_terminal_or_with_hardly_any_room() {
        assert_eq!(wrapped(LINE, None, 4), LINE);
        assert_eq!(wrapped(LINE, Some(19), 17), LINE);
        assert_eq!(wrapped("", Some(40), 4), "");
    }

    #[test]
    fn a_word_that_is_too_long_stays_whole() {
        let long = "x".repeat(50);
        assert_eq!(wrapped(&format!("aaaa {long} b"), Some(30), 2), format!("aaaa\n  {long}\n  b"));
    }
}
