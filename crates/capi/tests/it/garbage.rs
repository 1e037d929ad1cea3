//! Whatever bytes a program gives, it gets a code and words, and what it would have written is as it was.

use std::ffi::{CStr, CString};

use proptest::prelude::*;
use tilebase_c::{Board, Code, MAX_SQUARES, Options, Solution, Solver, tilebase_solution_free, tilebase_solver_free};

use crate::face::{bound, check, from_tiles, last_error, length_of_moves, open, options, parse, slide, text_of};

/// Bytes that C could take for a text.
fn bytes() -> impl Strategy<Value = CString> {
    let any = proptest::collection::vec(1..=255_u8, 0..200);
    // What boards are written with, so that some are nearly one.
    let nearly = "[0-9 ,/;|\\[\\]{}\"x_.#\n:a-zé]{0,120}".prop_map(String::into_bytes);
    // Tiles in any order: half of them are no square, or have a tile missing.
    let shuffled =
        (2..26_u8, 0..2_u8).prop_flat_map(|(count, first)| Just((first..count).collect::<Vec<u8>>()).prop_shuffle());
    let shuffled =
        shuffled.prop_map(|tiles| tiles.iter().map(u8::to_string).collect::<Vec<_>>().join(" ").into_bytes());
    prop_oneof![any, nearly, shuffled].prop_map(|bytes| CString::new(bytes).expect("no byte is 0"))
}

/// A struct that may be a board.
fn board() -> impl Strategy<Value = Board> {
    let any = (any::<u8>(), any::<u8>(), any::<[u8; MAX_SQUARES]>());
    let small = (2..6_u8, 2..6_u8, proptest::array::uniform(0..9_u8));
    let tiles = Just((0..MAX_SQUARES as u8).collect::<Vec<u8>>()).prop_shuffle();
    let whole = tiles.prop_map(|tiles| (5, 5, tiles.try_into().expect("there are as many")));
    prop_oneof![any, small, whole].prop_map(|(width, height, tiles)| Board { width, height, tiles })
}

/// A solver of 5×5 boards without tables.
fn solver() -> *mut Solver {
    open(&Options { width: 5, height: 5, tables: c"none".as_ptr(), ..options() }).unwrap()
}

proptest! {
    #[test]
    fn any_text_is_a_board_that_is_written_and_read_again_or_is_refused(
        text in bytes(), width in 0..7_u32, height in 0..7_u32,
    ) {
        let untouched = Board { width: 77, ..Board::default() };
        let mut board = untouched;
        let code = parse(&text, width, height, &mut board);
        if code == Code::OK {
            let (again, mut read) = (CString::new(text_of(&board)).unwrap(), untouched);
            prop_assert_eq!(parse(&again, 0, 0, &mut read), Code::OK);
            prop_assert_eq!(read, board);
        } else {
            prop_assert!(matches!(code, Code::BAD_BOARD | Code::BAD_TEXT | Code::BAD_SIZE), "{:?}", code);
            prop_assert_eq!(code == Code::BAD_TEXT, text.to_str().is_err() && code != Code::BAD_SIZE);
            prop_assert!(!last_error().is_empty());
            prop_assert_eq!(board, untouched);
        }
    }

    #[test]
    fn any_text_as_goal_or_tables_opens_a_solver_or_is_refused(text in bytes(), is_goal: bool) {
        let name: &CStr = &text;
        let options = Options { width: 3, height: 3, ..options() };
        let options = if is_goal {
            Options { goal: name.as_ptr(), tables: c"none".as_ptr(), ..options }
        } else {
            Options { tables: name.as_ptr(), ..options }
        };
        match open(&options) {
            Ok(solver) => prop_assert_eq!(tilebase_solver_free(solver), Code::OK),
            Err((code, text)) => {
                prop_assert!(matches!(code, Code::BAD_GOAL | Code::BAD_TABLES | Code::BAD_TEXT), "{:?}", code);
                prop_assert!(!text.is_empty());
            }
        }
    }

    #[test]
    fn any_array_is_a_board_or_is_refused(
        tiles in proptest::collection::vec(0..12_u8, 0..30), width in 0..7_u32, height in 0..7_u32,
    ) {
        let mut board = Board::default();
        match from_tiles(&tiles, width, height, &mut board) {
            Code::OK => prop_assert_eq!(&board.tiles[..tiles.len()], &tiles[..]),
            code => prop_assert!(matches!(code, Code::BAD_BOARD | Code::BAD_SIZE), "{:?}", code),
        }
    }

    #[test]
    fn any_struct_is_a_board_or_is_refused_by_whatever_takes_one(
        board in board(), letter in prop_oneof![any::<u8>(), proptest::sample::select(b"ULRD")],
    ) {
        let (solver, mut slid) = (solver(), board);
        let checked = check(solver, &board);
        prop_assert!(matches!(checked, Code::OK | Code::UNSOLVABLE | Code::BAD_BOARD | Code::BAD_SIZE), "{:?}", checked);
        prop_assert_eq!(bound(solver, &board).map_or_else(|(code, _)| code, |_| Code::OK), checked);
        if slide(&mut slid, letter) == Code::OK {
            prop_assert!(b"ULRD".contains(&letter));
            prop_assert_ne!(text_of(&slid), text_of(&board));
        } else {
            prop_assert_eq!(slid, board);
        }
        prop_assert_eq!(tilebase_solver_free(solver), Code::OK);
    }

    #[test]
    fn any_address_is_a_handle_that_is_refused(address: usize) {
        // What other tests have opened has small numbers.
        let address = address.saturating_add(1 << 20);
        let solver = std::ptr::without_provenance_mut::<Solver>(address);
        let solution = std::ptr::without_provenance_mut::<Solution>(address);
        prop_assert_eq!(check(solver, &Board::default()), Code::BAD_HANDLE);
        prop_assert_eq!(length_of_moves(solution).unwrap_err().0, Code::BAD_HANDLE);
        prop_assert_eq!(tilebase_solver_free(solver), Code::BAD_HANDLE);
        prop_assert_eq!(tilebase_solution_free(solution), Code::BAD_HANDLE);
        prop_assert!(last_error().contains("not the handle of a living solution"));
    }
}
