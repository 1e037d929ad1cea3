//! A text cut into rows and tokens, whatever stands between them.

use crate::forms;

/// What a text has, before anybody asks whether it is a board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Cut<'t> {
    /// The tokens of each row. A row is empty where nothing stands between two separators.
    pub(crate) rows: Vec<Vec<&'t str>>,
    /// Row and column, from 0, of the first place where a comma has no tile before it.
    pub(crate) missing: Option<(usize, usize)>,
}

/// Where in a text we are.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Place {
    /// Before anything.
    #[default]
    Start,
    /// In a row that has tokens.
    Inside,
    /// After a row that a bracket or the line's end has ended; a separator may follow, and says nothing new.
    Ended,
    /// After a separator: a row has to follow, or the end.
    Separated,
}

/// Where a text may have comments, which begin with `#`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comments {
    /// Anywhere, up to the line's end.
    ToLineEnd,
    /// On lines of their own.
    WholeLines,
    /// Nowhere.
    None,
}

impl Comments {
    /// A line without its comment.
    pub(crate) fn without(self, line: &str) -> &str {
        let end = match self {
            Comments::ToLineEnd => line.find('#'),
            Comments::WholeLines if line.trim_start().starts_with('#') => Some(0),
            _ => None,
        };
        &line[..end.unwrap_or(line.len())]
    }
}

/// Cuts a text. Rows end at slashes, semicolons, bars, brackets of any kind, and line ends; a separator before all rows or behind
/// them says nothing, and so does a line's end behind a comma in brackets. Tokens end at white space, commas and quotation marks.
pub(crate) fn cut(text: &str, comments: Comments) -> Cut<'_> {
    let mut cutter = Cutter::default();
    for line in text.lines() {
        cutter.line(comments.without(line));
        // JSON that was made readable has one number on a line.
        if cutter.depth == 0 || !cutter.after_comma {
            cutter.end_row();
        }
    }
    cutter.end_row();
    cutter.cut
}

#[derive(Default)]
struct Cutter<'t> {
    cut: Cut<'t>,
    row: Vec<&'t str>,
    place: Place,
    after_comma: bool,
    /// How many brackets are open.
    depth: usize,
}

impl<'t> Cutter<'t> {
    fn line(&mut self, line: &'t str) {
        let mut rest = line;
        while let Some(place) = rest.find(is_apart) {
            self.token(&rest[..place]);
            let mut characters = rest[place..].chars();
            match characters.next() {
                Some(',') => self.comma(),
                Some('/' | ';' | '|') => self.separator(),
                Some(character) if is_opening(character) => {
                    self.end_row();
                    self.depth += 1;
                }
                Some(character) if is_closing(character) => {
                    self.end_row();
                    self.depth = self.depth.saturating_sub(1);
                }
                _ => {}
            }
            rest = characters.as_str();
        }
        self.token(rest);
    }

    fn token(&mut self, token: &'t str) {
        if !token.is_empty() {
            self.row.push(token);
            self.place = Place::Inside;
            self.after_comma = false;
        }
    }

    fn comma(&mut self) {
        let is_missing = match self.place {
            Place::Inside => self.after_comma,
            Place::Ended => false,
            Place::Start | Place::Separated => true,
        };
        if is_missing {
            self.cut.missing.get_or_insert((self.cut.rows.len(), self.row.len()));
        }
        self.after_comma = true;
    }

    fn separator(&mut self) {
        match self.place {
            Place::Start => self.place = Place::Ended,
            Place::Ended => self.place = Place::Separated,
            Place::Inside | Place::Separated => {
                self.push_row();
                self.place = Place::Separated;
            }
        }
    }

    /// At a bracket or at the line's end.
    fn end_row(&mut self) {
        if self.place == Place::Inside {
            self.push_row();
            self.place = Place::Ended;
        }
    }

    fn push_row(&mut self) {
        self.cut.rows.push(std::mem::take(&mut self.row));
        self.after_comma = false;
    }
}

/// Whether a character is no part of any token.
fn is_apart(character: char) -> bool {
    character.is_whitespace()
        || is_opening(character)
        || is_closing(character)
        || matches!(character, ',' | '/' | ';' | '|' | '"' | '\'' | '`' | '\u{feff}')
}

pub(crate) fn is_opening(character: char) -> bool {
    matches!(character, '[' | '(' | '{' | '<')
}

pub(crate) fn is_closing(character: char) -> bool {
    matches!(character, ']' | ')' | '}' | '>')
}

/// The label of a tile, 0 for any sign of the blank; `None` for a token that is neither. A number that does not fit is too large for
/// any board, and becomes the largest.
pub(crate) fn label(token: &str) -> Option<u64> {
    match token {
        _ if forms::is_blank(token) => Some(0),
        _ if is_number(token) => Some(token.parse().unwrap_or(u64::MAX)),
        _ => None,
    }
}

pub(crate) fn is_number(token: &str) -> bool {
    !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Cut<'_> {
        super::cut(text, Comments::ToLineEnd)
    }

    fn rows(text: &str) -> String {
        cut(text).rows.iter().map(|row| row.join(" ")).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn rows_end_where_somebody_ends_them() {
        for text in [
            "1 2/3 4",
            "1 2 / 3 4 /",
            "/1,2/3,4/",
            "1 2;3 4",
            "|1 2|3 4|",
            "[[1,2],[3,4]]",
            "[[1 2]\n [3 4]]",
            "(1, 2), (3, 4)",
            "{{1,2},{3,4}};",
            "[1 2] / [3 4]",
            "[\n  [\n    1,\n    2\n  ],\n  [\n    3,\n    4\n  ]\n]\n",
            "1 2 # a row\n# none\n\n3 4#",
            "1 2 /\r\n3 4 /\r\n",
            "1,2,\n3,4,",
            "'1' '2' / \"3\" \"4\"",
            "\u{feff}1 2\n3 4",
        ] {
            assert_eq!((&*rows(text), cut(text).missing), ("1 2|3 4", None), "{text}");
        }
    }

    #[test]
    fn what_is_missing_is_noticed() {
        assert_eq!(rows("1 2 // 3 4"), "1 2||3 4");
        assert_eq!(rows("1 2 / \n / 3 4"), "1 2||3 4");
        for (text, place) in [("1,,2", (0, 1)), (",1", (0, 0)), ("1 2 / 3,,4", (1, 1)), ("1 2 / ,3", (1, 0))] {
            assert_eq!(cut(text).missing, Some(place), "{text}");
        }
        assert_eq!(cut(" # 1 2").rows.len(), 0);
    }
}
