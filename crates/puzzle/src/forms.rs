//! Everything that people may write instead of the plain form: names, sizes, signs of the blank, digits.
//!
//! This is the one table of such forms. The command, the library, Python and the server accept the same, because [`Goal::parse`],
//! [`Metric`], [`Size`], [`Board::parse`] and the lists of heuristics and searches look here. What is written is always the plain form.
//!
//! | of | plain | accepted as well |
//! |---|---|---|
//! | names | `blank-first` | any case: `Blank-First` |
//! | goals | `blank-first`, `snail` | `korf`, `spiral` |
//! | heuristics | `manhattan`, `linear-conflict`, `walking-distance` | `md`, `lc`, `wd` |
//! | searches | `astar`, `ida` | `a*`, `ida*` |
//! | sizes | `4x4` | `4`, `4X4`, `4×4`, `4*4`, `4 x 4` |
//! | the blank | `0` | `_`, `.`, `x`, `X`, `-`, `*`, `null`, a square such as `⬜`, an empty cell between tabs, or the number of squares |
//! | digits | `12` | full-width `１２`, keycaps `1️⃣` |
//! | boards | `1 2 3 / 4 5 6 / 7 8 0` | a character for each square: `123/456/780`, `123 456 780`, `123456780` |
//! | tiles in such boards | `10 11 12` | `A B C` (as in hexadecimal numbers), or letters for all tiles: `ABC/DEF/GH_` |
//!
//! [`Goal::parse`]: crate::Goal::parse
//! [`Metric`]: crate::Metric
//! [`Size`]: crate::Size
//! [`Board::parse`]: crate::Board::parse

use std::borrow::Cow;

/// Signs of the blank, besides 0.
const BLANKS: [&str; 11] = ["_", ".", "x", "X", "-", "*", "null", "⬜", "⬛", "🔲", "🔳"];

/// What stands between the width and the height of a size.
const TIMES: [char; 4] = ['x', 'X', '×', '*'];

/// Other names of goals, and the plain ones.
pub(crate) const GOALS: [(&str, &str); 2] = [("korf", "blank-first"), ("spiral", "snail")];

/// Other names of heuristics, and the plain ones.
pub const HEURISTICS: [(&str, &str); 3] = [("md", "manhattan"), ("lc", "linear-conflict"), ("wd", "walking-distance")];

/// Other names of searches, and the plain ones.
pub const SEARCHES: [(&str, &str); 2] = [("a*", "astar"), ("ida*", "ida")];

/// The other names of a search.
pub fn aliases_of(search: &str) -> impl Iterator<Item = &'static str> {
    SEARCHES.into_iter().filter_map(move |(alias, plain)| (plain == search).then_some(alias))
}

/// Whether a token is a sign of the blank, other than 0.
pub(crate) fn is_blank(token: &str) -> bool {
    BLANKS.contains(&token)
}

/// Whether a character is a sign of the blank, other than 0.
pub(crate) fn is_blank_character(character: char) -> bool {
    BLANKS.iter().any(|sign| sign.chars().eq([character]))
}

/// Whether a token is a sign of the blank that may as well be a dash, a bullet or a word: where a line has no other tile, it has
/// none.
pub(crate) fn is_doubtful(token: &str) -> bool {
    matches!(token, "-" | "*" | "null")
}

/// The sides of a size, as they are written; one number is that of a square.
pub(crate) fn sides(text: &str) -> (&str, &str) {
    let (width, height) = text.split_once(TIMES).unwrap_or((text, text));
    (width.trim(), height.trim())
}

/// The text with plain digits and signs instead of full-width ones and keycaps.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    /// What makes a keycap of the digit before it.
    const KEYCAP: [char; 2] = ['\u{fe0f}', '\u{20e3}'];
    /// From `！` to `～`, in the order of ASCII.
    const FULL_WIDTH: std::ops::RangeInclusive<char> = '\u{ff01}'..='\u{ff5e}';
    let is_other =
        |character: char| FULL_WIDTH.contains(&character) || KEYCAP.contains(&character) || character == '🔟';
    if text.is_ascii() || !text.contains(is_other) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '🔟' => plain.push_str(" 10 "),
            _ if KEYCAP.contains(&character) => {}
            _ if FULL_WIDTH.contains(&character) => {
                let code = u32::from(character) - u32::from(*FULL_WIDTH.start()) + u32::from('!');
                plain.extend(char::from_u32(code));
            }
            _ => plain.push(character),
        }
    }
    Cow::Owned(plain)
}

/// The plain form of a name that may be written in any case, or be an alias: one of `names`, of which `aliases` are others.
///
/// ```
/// use tilebase_puzzle::forms::known_name;
/// let known = |text| known_name(text, ["stm", "mtm"], &[("single", "stm")]);
/// assert_eq!((known("MTM"), known("Single"), known("htm")), (Some("mtm"), Some("stm"), None));
/// ```
pub fn known_name<'n>(
    text: &str,
    names: impl IntoIterator<Item = &'n str>,
    aliases: &[(&str, &'n str)],
) -> Option<&'n str> {
    let text = text.trim();
    let plain = names.into_iter().find(|name| name.eq_ignore_ascii_case(text));
    plain.or_else(|| aliases.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(text)).map(|(_, plain)| *plain))
}

/// The name that was probably meant: the nearest one, if no more than a third of it is mistyped and no other is as near.
///
/// ```
/// use tilebase_puzzle::forms::nearest_name;
/// let names = ["manhattan", "linear-conflict", "md"];
/// assert_eq!(nearest_name("manhatan", names), Some("manhattan"));
/// assert_eq!(nearest_name("Linear_Conflict", names), Some("linear-conflict"));
/// assert_eq!(nearest_name("7-8", names), None);
/// ```
pub fn nearest_name<'n>(text: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    /// No name is much longer, and nothing longer is worth comparing.
    const LONGEST: usize = 40;
    let typed: Vec<char> = text.trim().to_lowercase().chars().take(LONGEST).collect();
    let with_edits = names.into_iter().map(|name| (edits(&typed, &name.chars().collect::<Vec<_>>()), name));
    let mut by_edits: Vec<(usize, &str)> = with_edits.collect();
    by_edits.sort_by_key(|(edits, _)| *edits);
    let (fewest, name) = *by_edits.first()?;
    let is_unique = by_edits.get(1).is_none_or(|(edits, _)| *edits > fewest);
    (is_unique && fewest * 3 <= name.chars().count().min(typed.len())).then_some(name)
}

/// `did you mean NAME? ` for the [nearest name](nearest_name), to stand first in a message; nothing when no name is near.
pub fn did_you_mean<'n>(text: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    nearest_name(text, names).map(|name| format!("did you mean {name}? ")).unwrap_or_default()
}

/// How many characters have to be inserted, left out or exchanged to make one word of the other, where two neighbours that swap
/// places count once (restricted Damerau–Levenshtein distance).
fn edits(one: &[char], other: &[char]) -> usize {
    let mut before = Vec::new();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, &a) in one.iter().enumerate() {
        let mut next = vec![i + 1];
        for (j, &b) in other.iter().enumerate() {
            let mut fewest = (row[j] + usize::from(a != b)).min(row[j + 1] + 1).min(next[j] + 1);
            if i > 0 && j > 0 && a == other[j - 1] && one[i - 1] == b {
                fewest = fewest.min(before_at(&before, j - 1) + 1);
            }
            next.push(fewest);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[other.len()]
}

fn before_at(before: &[usize], place: usize) -> usize {
    before.get(place).copied().unwrap_or(usize::MAX - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::goal::Goal;
    use crate::metric::Metric;
    use crate::size::Size;

    /// Other forms, and the plain one of each.
    const BOARDS: [(&str, &[&str]); 8] = [
        (
            "1 2 3 / 4 0 6 / 7 5 8",
            &[
                "1 2 3 / 4 - 6 / 7 5 8",
                "1 2 3 / 4 * 6 / 7 5 8",
                "1 2 3 / 4 X 6 / 7 5 8",
                "1 2 3 / 4 null 6 / 7 5 8",
                "[[1,2,3],[4,null,6],[7,5,8]]",
                "[1,2,3,4,null,6,7,5,8]",
                "{\"board\": [[1,2,3],[4,null,6],[7,5,8]]}",
                "1\t2\t3\n4\t\t6\n7\t5\t8",
                "1\t2\t3\r\n4\t\t6\r\n7\t5\t8\r\n",
                "# a table\n3\n1\t2\t3\n4\t\t6\n7\t5\t8\n",
                "1\t2\t3\t4\t\t6\t7\t5\t8",
                "1️⃣ 2️⃣ 3️⃣ / 4️⃣ 0️⃣ 6️⃣ / 7️⃣ 5️⃣ 8️⃣",
                "1️⃣2️⃣3️⃣\n4️⃣0️⃣6️⃣\n7️⃣5️⃣8️⃣",
                "1️⃣2️⃣3️⃣\n4️⃣⬜6️⃣\n7️⃣5️⃣8️⃣",
                "1 2 3 / 4 ⬛ 6 / 7 5 8",
                "１ ２ ３ ／ ４ ０ ６ ／ ７ ５ ８",
                "１２３\n４＿６\n７５８",
                "123/406/758",
                "123\n406\n758\n",
                "3\n123\n406\n758\n",
                "123 406 758",
                "[123, 4_6, 758]",
                "123406758",
                "1234_6758",
                "1234.6758",
                "1234-6758",
                "1234*6758",
                "1234x6758",
                "1234X6758",
                "\"123406758\"",
                "ABC/D_F/GEH",
                "abcd0fgeh",
                "A B C / D - F / G E H",
                "A B C D x F G E H",
            ],
        ),
        ("1 2 3 / 4 5 6 / 7 8 0", &["1\t2\t3\n4\t5\t6\n7\t8\t", "123456789", "123/456/78*", "123\n456\n78-"]),
        ("0 1 2 / 3 4 5 / 6 7 8", &["\t1\t2\n3\t4\t5\n6\t7\t8", "012345678", "_12/345/678", "_ABCDEFGH"]),
        ("1 2 / 3 0", &["1230", "123_", "1234", "12/30", "12\n3.", "12\n30", "12 30", "ABC_", "abc0", "1\t2\t3\t"]),
        ("3 1 2 0", &["312_"]),
        (
            "15 14 1 6 / 9 11 4 12 / 0 10 7 3 / 13 8 5 2",
            &[
                "FE169B4C0A73D852",
                "fe169b4c0a73d852",
                "FE16/9B4C/0A73/D852",
                "FE16 9B4C 0A73 D852",
                "F E 1 6 / 9 B 4 C / 0 A 7 3 / D 8 5 2",
                "F E 1 6 9 B 4 C _ A 7 3 D 8 5 2",
                "ONAFIKDL_JGCMHEB",
                "ONAF/IKDL/xJGC/MHEB",
            ],
        ),
        (
            "1 2 3 4 5 / 6 7 8 9 10 / 11 12 13 14 15 / 16 17 18 19 20 / 21 22 23 24 0",
            &["123456789ABCDEFGHIJKLMNO0", "ABCDEFGHIJKLMNOPQRSTUVWX_", "ABCDE/FGHIJ/KLMNO/PQRST/UVWX0"],
        ),
        ("1 2 3 / 4 5 0", &["123/450", "123 450", "123\n45_"]),
    ];

    #[test]
    fn every_accepted_form_is_the_same_board_as_its_plain_form() {
        for (plain, forms) in BOARDS {
            let plain: Board = plain.parse().unwrap();
            for form in forms {
                assert_eq!(form.parse(), Ok(plain), "{form}");
                assert_eq!(Board::parse(form, Some(plain.size())), Ok(plain), "{form} with its size");
                assert_eq!(Goal::parse(form, None), Ok(Goal::Board(plain)), "{form}");
            }
        }
        let size = |text: &str| text.parse::<Size>().unwrap();
        for (form, of, plain) in [
            ("123450", "3x2", "1 2 3 / 4 5 0"),
            ("123450", "2x3", "1 2 / 3 4 / 5 0"),
            ("ABCDE_", "3x2", "1 2 3 / 4 5 0"),
            ("1\t2\t3\n4\t5\t", "3x2", "1 2 3 / 4 5 0"),
            ("123456789AB0", "4x3", "1 2 3 4 / 5 6 7 8 / 9 10 11 0"),
        ] {
            assert_eq!(Board::parse(form, Some(size(of))), Ok(plain.parse().unwrap()), "{form}");
        }
    }

    #[test]
    fn a_text_that_can_be_two_boards_is_refused_with_both() {
        let message = "12345_".parse::<Board>().unwrap_err().to_string();
        let both = "\"12345_\" can be several boards: write \"1 2 3 / 4 5 0\" (--size 3x2) or \"1 2 / 3 4 / 5 0\" (--size 2x3)";
        assert_eq!(message, both);
        let message = "ABCDEFGHIJK0".parse::<Board>().unwrap_err().to_string();
        assert_eq!(message.matches("--size").count(), 4, "{message}");
        // The rule that holds for lists: what can be square is.
        let board = "1 2 3 4 / 5 6 7 8 / 9 0 10 11 / 12 13 14 15".parse::<Board>().unwrap();
        assert_eq!("1234567890ABCDEF".parse(), Ok(board));
        assert!("0123456789ABCDEF".parse::<Board>().unwrap().size().is_square());
    }

    #[test]
    fn what_is_nearly_a_form_has_a_message_about_its_squares() {
        for (text, expected) in [
            ("123456788", "tile 8 appears twice, at row 3, column 2 and at row 3, column 3"),
            ("12345678", "8 squares are one short of a square board: the blank is missing"),
            ("1234567", "7 squares do not make a square board"),
            ("123\n456\n788", "tile 8 appears twice, at row 3, column 2"),
            ("123/456/790", "tile 9 at row 3, column 2 is too large"),
            ("FE169B4C0A73D85F", "tile 15 appears twice"),
            ("12", "1 square is not a board"),
            ("1 2 3 / 4 -5 6 / 7 8 0", "\"-5\" at row 2, column 2 is not a tile"),
            ("1 2 3 / 4 -- 6 / 7 5 8", "\"--\" at row 2, column 2 is not a tile"),
            ("1 2 3 / - 5 6 / 7 - 8", "two blanks, at row 2, column 1 and at row 3, column 2"),
            ("-123", "\"-123\" at row 1, column 1 is not a tile"),
            ("-12/345/678", "is not a tile"),
            ("nonsense", "\"nonsense\" at row 1, column 1 is not a tile"),
            ("nofile.txt", "is not a tile"),
            ("a b c d", "\"a\" at row 1, column 1 is not a tile"),
            ("ABCD", "\"ABCD\" at row 1, column 1 is not a tile"),
            ("1\t\t3\n4\t\t6\n7\t5\t8", "row 3 has 3 tiles, but row 1 has 2"),
            ("null", "1 square is not a board"),
        ] {
            let message = text.parse::<Board>().expect_err(text).to_string();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }

    #[test]
    fn names_and_sizes_are_accepted_in_every_form() {
        for (plain, forms) in [
            ("blank-first", &["Blank-First", "korf", "KORF", " korf "][..]),
            ("blank-last", &["BLANK-LAST"]),
            ("snail", &["Snail", "spiral", "Spiral"]),
            ("blank-top-right", &["Blank-Top-Right"]),
            ("blank-bottom-left", &["BLANK-BOTTOM-LEFT"]),
        ] {
            let goal = Goal::parse(plain, None).unwrap();
            assert_eq!(goal.to_string(), plain);
            for form in forms {
                assert_eq!(Goal::parse(form, None), Ok(goal.clone()), "{form}");
            }
        }
        for form in ["MTM", "Mtm", "mtm"] {
            assert_eq!(form.parse(), Ok(Metric::Mtm), "{form}");
        }
        for form in ["4", "4X4", "4×4", "4*4", "4 x 4", " 4 × 4 ", "４", "４×４", "4️⃣"] {
            assert_eq!(form.parse(), Ok(Size::new(4, 4).unwrap()), "{form}");
        }
        assert_eq!("3 X 4".parse(), Ok(Size::new(3, 4).unwrap()));
    }

    #[test]
    fn edits_are_counted_as_people_make_them() {
        for (one, other, expected) in
            [("", "", 0), ("", "ab", 2), ("snial", "snail", 1), ("snal", "snail", 1), ("ca", "abc", 3), ("md", "wd", 1)]
        {
            let letters = |word: &str| word.chars().collect::<Vec<_>>();
            assert_eq!(edits(&letters(one), &letters(other)), expected, "{one} {other}");
            assert_eq!(edits(&letters(other), &letters(one)), expected, "{other} {one}");
        }
        assert_eq!(did_you_mean("spirl", ["spiral", "snail"]), "did you mean spiral? ");
        assert_eq!(did_you_mean("middle", ["spiral", "snail"]), "");
        assert_eq!(did_you_mean("htm", ["stm", "mtm"]), "", "both are one letter away");
        assert_eq!(did_you_mean("mtn", ["stm", "mtm"]), "did you mean mtm? ");
    }
}
