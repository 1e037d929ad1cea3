//! Boards of every kind in one file, mistakes among them, and answers in between.

use std::io::{self, BufRead, Read};

use super::{Boards, ReadBoard};
use crate::board::Board;
use crate::notation::{Blank, Notation, Rows, Separator};
use crate::random::Random;
use crate::size::Size;
use proptest::prelude::*;

/// What is read: lines, and boards or the errors' words.
fn read(text: &str, size: Option<Size>) -> Vec<(usize, String)> {
    let told = |read: ReadBoard| (read.line, read.board.map_or_else(|error| error.to_string(), |b| b.to_string()));
    Boards::new(text.as_bytes(), size).map(told).collect()
}

#[track_caller]
fn check(text: &str, expected: &[(usize, &str)]) {
    let found = read(text, None);
    assert_eq!(found.len(), expected.len(), "{text}: {found:?}");
    for ((line, found), (expected_line, expected)) in found.iter().zip(expected) {
        assert!(line == expected_line && found.contains(expected), "{text}: {line}: {found}, expected {expected}");
    }
}

#[test]
fn boards_are_read_in_every_form() {
    check("1 2 3 / 4 5 6 / 7 0 8\n1 2 3 4 5 6 7 8 0\n", &[(1, "1 2 3 / 4 5 6 / 7 0 8"), (2, "1 2 3 / 4 5 6 / 7 8 0")]);
    check("\u{feff}1 2 3\r\n4 5 6\r\n7 0 8\r\n\r\n1 2\r\n3 0", &[(1, "1 2 3 / 4 5 6 / 7 0 8"), (5, "1 2 / 3 0")]);
    check("# Puzzle de taille 3\n3\n0 2 3 #coucou\n1 4 5\n8 7 6\n", &[(2, "0 2 3 / 1 4 5 / 8 7 6")]);
    check("3\n1 2 3\n4 5 6\n7 0 8\n2\n1 2\n0 3\n", &[(1, "1 2 3 / 4 5 6 / 7 0 8"), (5, "1 2 / 0 3")]);
    check("# one\n\n4\n\n 1  2  3  4\n 5  6  7  8\n 9 10 11 12\n13 14 15  0\n", &[(3, "13 14 15 0")]);
    check("[[1,2],[3,0]]\n[0,1,2,3]\n", &[(1, "1 2 / 3 0"), (2, "0 1 / 2 3")]);
    check("[[1, 2, 3],\n [4, 5, 6],\n [7, 8, 0]]\n1 2 / 0 3", &[(1, "1 2 3 / 4 5 6 / 7 8 0"), (4, "1 2 / 0 3")]);
    check("[1, 2, 3]\n[4, 5, 6]\n[7, 8, 0]\n", &[(1, "1 2 3 / 4 5 6 / 7 8 0")]);
    check("{\"id\":1,\"board\":\"1 2 / 3 0\"}\n{\n \"board\":\n[0,1,2,3]\n}\n", &[(1, "1 2 / 3 0"), (2, "0 1 / 2 3")]);
    check("1 2 3 /\n4 5 6 /\n7 8 0 /\n", &[(1, "1 2 3 / 4 5 6 / 7 8 0")]);
    check("1 2 3 # remark\n# another\n4 5 6\n7 8 0\n", &[(1, "1 2 3 / 4 5 6 / 7 8 0")]);
}

#[test]
fn four_tiles_are_a_board_or_the_first_row_of_one() {
    let fifteen = "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0\n";
    check(fifteen, &[(1, "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 13 14 15 0")]);
    check("0 1 2 3\n# a remark\n4 5 6 7\n", &[(1, "0 1 2 3 / 4 5 6 7")]);
    check("5 6 7 4\n0 1 2 3\n", &[(1, "5 6 7 4 / 0 1 2 3")]);
    check("1 2 3 0\n1 2 0 3\n1 2 3 4\n", &[(1, "1 2 / 3 0"), (2, "1 2 / 0 3"), (3, "1 2 / 3 0")]);
    check("1 2 3 0\n\n5 6 7 8\n", &[(1, "1 2 / 3 0"), (3, "tile 5 at row 1, column 1 is too large")]);
    check("1 2 3 0\n1 2 2 0\n1 0 2 3", &[(1, "1 2 / 3 0"), (2, "tile 2 appears twice"), (3, "1 0 / 2 3")]);
    check("1 2 3 0\nnonsense\n", &[(1, "1 2 / 3 0"), (2, "\"nonsense\" at row 1")]);
}

/// Every grid of four columns whose first row is a board of 2×2, with the rest in any order.
#[test]
fn grids_that_begin_like_a_small_board_are_read_whole() {
    let mut random = Random::new(4);
    for height in 2..=6 {
        let size = Size::new(4, height).unwrap();
        for (smallest, blank) in [(0, Blank::Zero), (1, Blank::Zero), (1, Blank::Largest)] {
            for _ in 0..60 {
                let mut first: Vec<u64> = (smallest..smallest + 4).collect();
                let mut rest: Vec<u64> = (0..size.count() as u64).filter(|label| !first.contains(label)).collect();
                random.shuffle(&mut first);
                random.shuffle(&mut rest);
                let board = Board::new(size, &[first, rest].concat()).unwrap();
                let text = Notation::new(Rows::Lines, Separator::Space, blank).write(&board);
                assert_eq!(read(&text, None), [(1, board.to_string())], "{text}");
            }
        }
    }
}

#[test]
fn one_mistake_is_one_error_and_the_rest_is_read() {
    let good = "1 2 3 / 4 5 6 / 7 8 0";
    check("1 2 3\n4 5\n7 8 0\n\n1 2 3\n4 5 6\n7 8 0", &[(1, "row 2 has 2 tiles, but row 1 has 3"), (5, good)]);
    check("1 2 3\n4 b 6\n7 8 0\n\n1 2 / 3 0", &[(1, "\"b\" at row 2, column 2"), (5, "1 2 / 3 0")]);
    check("1 b 3\n4 5 6\n7 8 0\n\n1 2 / 3 0", &[(1, "\"b\" at row 1, column 2"), (5, "1 2 / 3 0")]);
    check("1 2 3\n4 5 6\n7 8 8\n", &[(1, "tile 8 appears twice")]);
    check("1 2 3\n4 5 0\n1 7 8\n", &[(1, "tile 1 appears twice")]);
    check("1 2 3\nfour\n7 8 0\n", &[(1, "\"four\" at row 2, column 1")]);
    check("3\n1 2 3\n4 5 6 9\n7 8 0\n\n1 2 / 3 0", &[(1, "row 2 has 4 tiles, but row 1 has 3"), (6, "1 2 / 3 0")]);
    check("1 2 3\n1 2 / 3 0\n", &[(1, "3 squares are one short"), (2, "1 2 / 3 0")]);
    check("1 2 3 4 6 7 8 0\n1 2 3 4 5 6 7 8 0\n", &[(1, "tile 5 is missing"), (2, good)]);
    check("1 2 3 4 5 0\n2 1 3 4 5 0\n", &[(1, "6 squares do not make"), (2, "6 squares do not make")]);
    check("[[1,2],[3,\n\n1 2 / 3 0", &[(1, "row 2 has 1 tile"), (3, "1 2 / 3 0")]);
    check("{\"board\":\n\n1 2 / 3 0", &[(1, "this is not JSON"), (3, "1 2 / 3 0")]);
    check("{\"id\":1,\"error\":\"none\"}\n1 2 / 3 0", &[(1, "the object has no \"board\""), (2, "1 2 / 3 0")]);
    check(&"3 2 1\n".repeat(30_000), &[(1, "30000 lines of 3 tiles each are too many for one board")]);
    check("board 1\n1 2 3\n4 5 6\n7 8 0\n", &[(1, "\"board\" at row 1, column 1"), (2, good)]);
    check("7\n1 2 / 3 0\n", &[(1, "1 square is not a board"), (2, "1 2 / 3 0")]);
    check("3\n", &[(1, "1 square is not a board")]);
    check("nonsense\n1 2 / 3 0\n", &[(1, "\"nonsense\" at row 1, column 1"), (2, "1 2 / 3 0")]);
    let long = format!("[{}\n1 2 / 3 0\n", "7 ".repeat(1 << 16));
    check(&long, &[(1, "the line has more than 65536 bytes, which no board has: \"[7 7"), (2, "1 2 / 3 0")]);
    let endless = format!("{}\n1 2 / 3 0", "[ 7\n".repeat(1 << 15));
    check(&endless, &[(1, "the line has more than 65536 bytes"), (32_770, "1 2 / 3 0")]);
}

#[test]
fn drawings_are_read_and_what_stands_beside_them_is_passed_over() {
    let drawn = "┌───┬───┐\n│ 3 │ 1 │\n├───┼───┤\n│ 2 │   │\n└───┴───┘\n";
    let marked = drawn.replace(" 1 ", " 1a").replace(" 2 ", " 2a");
    let remarks = "solvable: 3 exchanges\n  tables  9  .AB/AC\n     3 + 4 = 7, as it is\n\nmanhattan found:\n";
    check(drawn, &[(1, "3 1 / 2 0")]);
    check(&marked, &[(1, "3 1 / 2 0")]);
    let text =
        format!("{drawn}{remarks}{marked}  a: pair 1 and 2, 2 more moves\n{drawn}{remarks}0 1 / 2 3\nnonsense\n");
    check(&text, &[(1, "3 1 / 2 0"), (17, "3 1 / 2 0"), (27, "0 1 / 2 3"), (28, "\"nonsense\"")]);
    check("│ 3 │ 1 │\n│ 2 │   │\n\n1 2 / 3 0", &[(1, "3 1 / 2 0"), (4, "1 2 / 3 0")]);
}

#[test]
fn a_size_that_is_given_says_when_a_grid_is_whole() {
    let size = |width, height| Some(Size::new(width, height).unwrap());
    let text = "0 1 2 3\n4 5 6 7\n1 0 2 3\n4 5 6 7\n1 2 3 4 5 6 7 0\n";
    let expected = [(1, "0 1 2 3 / 4 5 6 7"), (3, "1 0 2 3 / 4 5 6 7"), (5, "1 2 3 4 / 5 6 7 0")];
    assert_eq!(read(text, size(4, 2)), expected.map(|(line, board)| (line, board.to_owned())));
    let nine = "1 2 3 4 5 6 7 8 9\n10 11 12 13 14 15 16 17 0\n";
    assert_eq!(read(nine, size(9, 2)).len(), 1);
    assert_eq!(
        read("3\n1 2 3\n4 5 6\n7 8 0", size(4, 4))[0].1,
        "expected a board of 4x4, found rows that make 3x3 (width x height)"
    );
}

#[test]
fn boards_with_a_character_for_each_square_are_read_from_files() {
    let (one, other) = ("1 2 3 / 4 5 6 / 7 0 8", "1 2 3 / 4 5 6 / 7 8 0");
    check("123456708\n12345678_\n1234567-8\n", &[(1, one), (2, other), (3, one)]);
    check("123\n456\n708\n\n123\n456\n78*\n", &[(1, one), (5, other)]);
    check("123\n456\n708\n123\n456\n780\n", &[(1, one), (4, other)]);
    check("123/456/708\n123 456 780\nABC/DEF/GH_\n", &[(1, one), (2, other), (3, other)]);
    check("3\n123\n456\n708\n# a remark\n3x3\n123\n# another\n456 # and another\n780\n", &[(1, one), (6, other)]);
    check("1230\n3120\n1_23\n", &[(1, "1 2 / 3 0"), (2, "3 1 / 2 0"), (3, "1 0 / 2 3")]);
    check("12\n3_\n\n3_\n12\n\n12\n03\n", &[(1, "1 2 / 3 0"), (4, "3 0 / 1 2"), (7, "1 2 / 0 3")]);
    check("1x2\n345\n678\n", &[(1, "1 0 2 / 3 4 5 / 6 7 8")]);
    let fifteen = "15 14 1 6 / 9 11 4 12 / 0 10 7 3 / 13 8 5 2";
    check("FE169B4C0A73D852\nfe16/9b4c/0a73/d852\n", &[(1, fifteen), (2, fifteen)]);
    check("FE16\n9B4C\n0A73\nD852\n\nFE16 9B4C 0A73 D852\n", &[(1, fifteen), (6, fifteen)]);
    // The first row is a board of 2×2, and the next one has other tiles.
    check("1230\n4567\n89AB\nCDEF\n", &[(1, "1 2 3 0 / 4 5 6 7 / 8 9 10 11 / 12 13 14 15")]);
    check("1️⃣2️⃣3️⃣\n4️⃣5️⃣6️⃣\n7️⃣0️⃣8️⃣\n\n１ ２ ３\n４ ５ ６\n７ ８ ０\n", &[(1, one), (5, other)]);
    check("nonsense\nboard\n1 2 3\n4 5 6\n7 8 0\n", &[(1, "\"nonsense\""), (2, "\"board\""), (3, other)]);
    check("123456788\n1 2 / 3 0\n", &[(1, "tile 8 appears twice"), (2, "1 2 / 3 0")]);
    check("123456\n1 2 / 3 0\n", &[(1, "can be several"), (2, "1 2 / 3 0")]);
    check("12345_\n1 2 / 3 0\n", &[(1, "can be several boards"), (2, "1 2 / 3 0")]);
    let size = Size::new(3, 2).ok();
    assert_eq!(read("12345_\n123\n45_\n123450\n", size).len(), 3);
    assert_eq!(read("123\n45_\n123\n450", size)[1], (3, "1 2 3 / 4 5 0".to_owned()));
    let drawn = "┌───┬───┐\n│ 3 │ 1 │\n├───┼───┤\n│ 2 │   │\n└───┴───┘\n";
    check(&format!("{drawn}manhattan\nABCDEFGH_\n"), &[(1, "3 1 / 2 0"), (7, other)]);
}

#[test]
fn tables_with_an_empty_cell_are_read_from_files() {
    let [middle, first, last] = ["1 2 3 / 4 0 6 / 7 5 8", "0 1 2 / 3 4 5 / 6 7 8", "1 2 3 / 4 5 6 / 7 8 0"];
    let tables = ["1\t2\t3\n4\t\t6\n7\t5\t8\n", "\t1\t2\n3\t4\t5\n6\t7\t8\n", "1\t2\t3\n4\t5\t6\n7\t8\t\n"];
    check(&tables.join("\n"), &[(1, middle), (5, first), (9, last)]);
    check(&format!("3\n{}3\n{}", tables[0], tables[1]), &[(1, middle), (5, first)]);
    assert_eq!(read(&tables.concat(), Size::new(3, 3).ok()).len(), 3, "a known size says where each is whole");
    // The first row is a board of 2×2.
    let five = "\t1\t2\t3\t4\n5\t6\t7\t8\t9\n10\t11\t12\t13\t14\n15\t16\t17\t18\t19\n20\t21\t22\t23\t24\n";
    check(five, &[(1, "0 1 2 3 4 / 5 6 7 8 9 / 10 11 12 13 14")]);
    let four = "5\t6\t7\t8\t9\n1\t2\t\t3\t4\n10\t11\t12\t13\t14\n15\t16\t17\t18\t19\n20\t21\t22\t23\t24\n";
    check(four, &[(1, "5 6 7 8 9 / 1 2 0 3 4 / 10 11 12 13 14")]);
    // The first row has the tiles of a board of 2×2.
    let of_four = "1\t\t3\t2\n5\t7\t4\t6\n";
    check(&format!("{of_four}\n{of_four}"), &[(1, "1 0 3 2 / 5 7 4 6"), (4, "1 0 3 2 / 5 7 4 6")]);
    check("\t0 1 2 3\n4 5 6 7\n\n\t0\t1\t2\t3\n\t4\t5\t6\t7\n", &[(1, "0 1 2 3 / 4 5 6 7"), (4, "0 1 2 3 / 4 5 6 7")]);
    // Two tabs where one would do are no empty cell.
    check("1\t\t2\t\t3\n4\t\t5\t\t6\n7\t\t8\t\t0\n", &[(1, last)]);
    check("1\t2\t\t3\t4\n5\t6\t\t7\t8\n", &[(1, "1 2 3 4 / 5 6 7 0")]);
}

#[test]
fn a_board_too_large_is_refused_for_its_size() {
    let rows = |side: u64| -> String {
        let row = |row: u64| (0..side).map(|column| format!("{:4}", row * side + column)).collect::<Vec<_>>().concat();
        (0..side).map(row).collect::<Vec<_>>().join("\n") + "\n"
    };
    for side in [6, 7, 10, 12] {
        let expected =
            format!("a board of {side}x{side} squares is not supported: expected at least 2x2 and at most 25");
        let text = format!("# {side}\n{side}\n{}\n1 2 / 3 0\n", rows(side));
        check(&text, &[(2, &expected), (side as usize + 4, "1 2 / 3 0")]);
        check(&format!("{}\n1 2 / 3 0\n", rows(side)), &[(1, &expected), (side as usize + 2, "1 2 / 3 0")]);
        assert!(text.parse::<Board>().unwrap_err().to_string().contains(&expected));
    }
}

#[test]
fn a_line_with_the_length_of_a_side_is_reported_with_its_board() {
    let announced = |text: &str| Boards::new(text.as_bytes(), None).map(|read| read.has_size_line).collect::<Vec<_>>();
    let grid = "1 2 3\n4 5 6\n7 8 0\n\n";
    let text = format!(
        "# solvable\n3 # a side\n{grid}{grid}3\n# a remark\n{grid}3x3\n{grid}1 2 / 3 0\n123\n456\n780\n123456780\n"
    );
    assert_eq!(announced(&text), [true, false, true, false, false, false, false]);
    assert_eq!(announced("3\n123\n456\n780\n"), [true]);
    assert_eq!(announced("1230\n1203\n"), [false, false]);
}

#[test]
fn lines_of_dashes_are_no_rows() {
    check(
        "1 2 3\n4 5 6\n7 8 0\n- - -\n1 2 / 3 0\n",
        &[(1, "1 2 3 / 4 5 6 / 7 8 0"), (4, "3 squares do not"), (5, "1 2 / 3 0")],
    );
}

/// An input that must not be asked for more than it has.
struct Typed<'t> {
    text: &'t [u8],
    may_end: bool,
}

impl Read for Typed<'_> {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        unreachable!("lines are read by the buffer")
    }
}

impl BufRead for Typed<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        assert!(self.may_end || !self.text.is_empty(), "more was asked for before there was an answer");
        Ok(self.text)
    }

    fn consume(&mut self, bytes: usize) {
        self.text = &self.text[bytes..];
    }
}

#[test]
fn what_is_whole_is_handed_over_before_more_is_asked_for() {
    for text in [
        "1 2 3 / 4 5 6 / 7 8 0\n",
        "1 2 3 4 5 6 7 8 0\n",
        "5 3 8 9/0 2 4 1/6 7 10 11/12 13 14 15\n",
        "[[1,2],[3,0]]\n",
        "[[1,2],\n[3,0]]\n",
        "{\"board\":\"1 2 3 0\"}\n",
        "3\n1 2 3\n4 5 6\n7 8 0\n",
        "1 2 3\n4 5 6\n7 8 0\n\n",
        "1 2 3 0\n\n",
        "┌───┬───┐\n│ 3 │ 1 │\n├───┼───┤\n│ 2 │   │\n└───┴───┘\n",
    ] {
        let mut boards = Boards::new(Typed { text: text.as_bytes(), may_end: false }, None);
        assert!(boards.next().unwrap().board.is_ok(), "{text}");
    }
    for text in ["nonsense\n", "1 2 3 / 4 5\n", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 14\n", "{}\n"] {
        let mut boards = Boards::new(Typed { text: text.as_bytes(), may_end: false }, None);
        assert!(boards.next().unwrap().board.is_err(), "{text}");
    }
    let mut boards = Boards::new(Typed { text: b"1 2 3 0\n", may_end: true }, None);
    assert!(boards.next().unwrap().board.is_ok() && boards.next().is_none());
}

#[test]
fn a_row_whose_labels_spell_a_board_of_words_is_a_row_when_others_follow() {
    let grid = "10 23\n7 14\n1 17\n8 22\n16 9\n2 4\n21 12\n18 15\n13 11\n19 20\n5 6\n3 .\n";
    let found: Vec<_> = Boards::new(grid.as_bytes(), None).map(|read| read.board.unwrap().size().to_string()).collect();
    assert_eq!(found, ["2x12"]);
    let grid = "17,22\n20,13\n18,3\n12,19\n4,2\n14,10\n8,11\n21,9\n6,16\n1,15\n7,5\n";
    let found: Vec<_> = Boards::new(grid.as_bytes(), None).map(|read| read.board.unwrap().size().to_string()).collect();
    assert_eq!(found, ["2x11"]);
    let boards = "10 23\n12 30\n\n10 23\n";
    let found: Vec<_> = Boards::new(boards.as_bytes(), None).map(|read| read.board.unwrap().to_string()).collect();
    assert_eq!(found, ["1 0 / 2 3", "1 2 / 3 0", "1 0 / 2 3"]);
}

fn sizes() -> Vec<Size> {
    let sides = (2..=12).flat_map(|width| (2..=12).map(move |height| (width, height)));
    sides.filter_map(|(width, height)| Size::new(width, height).ok()).collect()
}

/// A board in some form; those on several lines, and lists that could be rows, have an empty line behind them.
fn written(board: &Board, form: u64) -> String {
    let rows = [Rows::Slashes, Rows::Lines, Rows::Tight, Rows::Flat][form as usize % 4];
    let rows = if rows == Rows::Flat && !board.size().is_square() { Rows::Tight } else { rows };
    let separator = [Separator::Space, Separator::Comma][form as usize / 4 % 2];
    let blank = [Blank::Zero, Blank::Underscore, Blank::Dot, Blank::X, Blank::Largest][form as usize / 8 % 5];
    let text = Notation::new(rows, separator, blank).write(board);
    let nested: Vec<_> = board.labels().chunks(board.size().width()).collect();
    match form / 40 % 8 {
        0 => text.replace(" / ", ";") + "\n\n",
        1 => text.replace('/', "|") + "\r\n\r\n",
        2 => format!("{nested:?}\n"),
        3 => format!("{nested:#?}\n"),
        4 => serde_json::json!({ "id": 3, "board": text, "more": [{ "board": "no" }] }).to_string() + "\n",
        5 => serde_json::json!({ "board": nested }).to_string() + "\n",
        7 if board.size().count() <= 16 => {
            let row = |labels: &[u8]| labels.iter().map(|label| format!("{label:X}")).collect::<Vec<_>>().concat();
            board
                .labels()
                .chunks(board.size().width())
                .map(row)
                .collect::<Vec<_>>()
                .join(["/", "\n"][form as usize % 2])
                + "\n\n"
        }
        6 => format!("{}\n{}\n", board.size(), Notation::new(Rows::Lines, separator, blank).write(board)),
        _ => text + "\n\n",
    }
}

proptest! {
    #[test]
    fn boards_of_all_sizes_in_all_forms_are_read_from_one_file(
        seed in any::<u64>(), forms in prop::collection::vec(0..320_u64, 1..20)
    ) {
        let (mut random, sizes) = (Random::new(seed), sizes());
        let boards: Vec<Board> =
            forms.iter().map(|_| random.any_board(sizes[random.clone().below(38) as usize])).collect();
        let text: String = boards.iter().zip(&forms).map(|(board, &form)| written(board, form)).collect();
        let found: Vec<_> = Boards::new(text.as_bytes(), None).map(|read| read.board.unwrap()).collect();
        prop_assert_eq!(found, boards, "{}", text);
    }

    #[test]
    fn what_is_written_is_read_by_itself(seed in any::<u64>(), form in 0..320_u64) {
        let mut random = Random::new(seed);
        let size = sizes()[random.below(38) as usize];
        let board = random.any_board(size);
        prop_assert_eq!(written(&board, form).parse(), Ok(board));
    }

    #[test]
    fn random_bytes_and_random_pieces_never_panic_and_end(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        pieces in "([0-9]{1,2}|[_.x/,;|#\\[\\](){}\"│┌└b\\\\]|[ \n]|\r\n){0,80}",
        size in prop::option::of((2_usize..6, 2_usize..6)),
    ) {
        let size = size.and_then(|(width, height)| Size::new(width, height).ok());
        for input in [&bytes[..], pieces.as_bytes()] {
            let lines = input.split(|&byte| byte == b'\n').count();
            let read: Vec<usize> = Boards::new(input, size).map(|read| read.line).collect();
            prop_assert!(read.is_sorted_by(|a, b| a < b) && read.iter().all(|&line| line <= lines), "{:?}", read);
        }
    }
}
