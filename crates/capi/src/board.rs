//! Boards of C: a width, a height, and the tiles.

#![allow(unsafe_code, reason = "names are exported to C, which gives pointers")]

use std::ffi::c_char;

use tilebase::puzzle::{BoardError, ParseError};
use tilebase::{Direction, MoveForm, Size};

use crate::failure::{Code, Failure, call};
use crate::pointers::{Array, Buffer, In, Out, Text};

/// The most squares that a board has.
pub const MAX_SQUARES: usize = 25;
const _: () = assert!(MAX_SQUARES == tilebase::puzzle::MAX_SQUARES, "the header has the number of the library");

/// A board: width × height squares, row after row from the top left, each with the number of its tile; 0 is the blank.
///
/// It may be made by hand, from a text by tilebase_board_parse(), or from an array by tilebase_board_from_tiles(). Every function
/// that takes a board checks it.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Board {
    /// Number of columns, at least 2.
    pub width: u8,
    /// Number of rows, at least 2.
    pub height: u8,
    /// The tiles. Those behind the first width × height mean nothing.
    pub tiles: [u8; MAX_SQUARES],
}

impl From<tilebase::Board> for Board {
    fn from(board: tilebase::Board) -> Board {
        let size = board.size();
        let mut tiles = [0; MAX_SQUARES];
        tiles[..size.count()].copy_from_slice(board.labels());
        Board { width: size.width() as u8, height: size.height() as u8, tiles }
    }
}

impl In<Board> {
    /// The board, if it is one.
    pub(crate) fn board(self) -> Result<tilebase::Board, Failure> {
        let Board { width, height, tiles } = self.read()?;
        let size = size(width.into(), height.into())?;
        of_tiles(size, &tiles[..size.count()])
    }
}

fn of_tiles(size: Size, tiles: &[u8]) -> Result<tilebase::Board, Failure> {
    let labels: Vec<u64> = tiles.iter().copied().map(u64::from).collect();
    tilebase::Board::new(size, &labels).map_err(|error: BoardError| Failure::new(Code::BAD_BOARD, error))
}

/// A size, if boards can have it.
pub(crate) fn size(width: u32, height: u32) -> Result<Size, Failure> {
    Size::new(width as usize, height as usize).map_err(|error| Failure::new(Code::BAD_SIZE, error))
}

/// A size, if boards can have it; nothing when both numbers are 0.
pub(crate) fn size_if_given(width: u32, height: u32) -> Result<Option<Size>, Failure> {
    if (width, height) == (0, 0) { Ok(None) } else { size(width, height).map(Some) }
}

/// The letters of moves.
pub(crate) fn letter(direction: Direction) -> char {
    MoveForm::Tile.sign(direction).expect("directions of tiles have signs")
}

fn direction(letter: c_char) -> Result<Direction, Failure> {
    let found = char::from(letter as u8);
    Direction::ALL.into_iter().find(|&direction| self::letter(direction) == found).ok_or_else(|| {
        let text =
            format!("{found:?} is not a move: expected 'U', 'L', 'R' or 'D', the direction in which the tile slides");
        Failure::new(Code::BAD_MOVE, text)
    })
}

/// Reads a board in any notation: rows separated by '/', line ends or brackets, or one list; tiles separated by spaces or commas; the
/// blank as 0, '_', '.' or 'x'; JSON; what the command writes and draws.
///
/// width and height may both be 0: then rows say how wide the board is, and one list without rows is a square.
///
/// Returns TILEBASE_BAD_BOARD for what is not a board, or none of that size; TILEBASE_BAD_SIZE for a size that boards cannot have;
/// TILEBASE_BAD_TEXT, TILEBASE_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_board_parse(text: *const c_char, width: u32, height: u32, board: *mut Board) -> Code {
    // SAFETY: C promises what the header says of these pointers.
    let (text, board) = unsafe { (Text::new(text, "text"), Out::new(board, "board")) };
    call(|| {
        let place = board.place()?;
        let size = size_if_given(width, height)?;
        let parsed = tilebase::Board::parse(text.read()?, size);
        place.write(parsed.map_err(|error: ParseError| Failure::new(Code::BAD_BOARD, error))?.into());
        Ok(())
    })
}

/// Makes a board from an array of `count` tiles, row after row; 0 is the blank. width and height may both be 0 for a square.
///
/// Returns TILEBASE_BAD_SIZE when count is not width × height, or boards cannot have that size; TILEBASE_BAD_BOARD for what is not a
/// board; TILEBASE_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_board_from_tiles(
    tiles: *const u8,
    count: usize,
    width: u32,
    height: u32,
    board: *mut Board,
) -> Code {
    // SAFETY: C promises what the header says of these pointers.
    let (tiles, board) = unsafe { (Array::new(tiles, count, "tiles"), Out::new(board, "board")) };
    call(|| {
        let place = board.place()?;
        let size = match size_if_given(width, height)? {
            Some(size) => size,
            None => square_of(count)?,
        };
        place.write(of_tiles(size, tiles.read(size.count())?)?.into());
        Ok(())
    })
}

fn square_of(count: usize) -> Result<Size, Failure> {
    let side = count.isqrt();
    Size::new(side, side).ok().filter(|size| size.count() == count).ok_or_else(|| {
        let text =
            format!("{count} tiles are no square from 2x2 to 5x5: expected 4, 9, 16 or 25, or a width and a height");
        Failure::new(Code::BAD_SIZE, text)
    })
}

/// Writes a board as a text such as "1 2 3 / 4 5 6 / 7 8 0", with a zero at its end.
///
/// `buffer` has room for `capacity` bytes, and may be NULL when that is 0. `*needed` becomes the number of bytes that are needed,
/// the zero included; needed may be NULL.
///
/// Returns TILEBASE_SMALL_BUFFER when there is not enough room; TILEBASE_BAD_BOARD, TILEBASE_BAD_SIZE, TILEBASE_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_board_text(
    board: *const Board,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> Code {
    // SAFETY: C promises what the header says of these pointers.
    let (board, buffer) = unsafe { (In::new(board, "board"), Buffer::new(buffer, capacity, needed)) };
    call(|| buffer.fill_text(&board.board()?.to_string()))
}

/// Makes a move on a board. The letter is the direction in which the tile slides: 'U' up, 'L' left, 'R' right, 'D' down.
///
/// Returns TILEBASE_BAD_MOVE, and leaves the board as it was, when the letter is another one or no tile can slide that way;
/// TILEBASE_BAD_BOARD, TILEBASE_BAD_SIZE, TILEBASE_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_board_slide(board: *mut Board, letter: c_char) -> Code {
    // SAFETY: C promises what the header says of this pointer.
    let (before, after) = unsafe { (In::new(board.cast_const(), "board"), Out::new(board, "board")) };
    call(|| {
        let mut board = before.board()?;
        let place = after.place()?;
        board.slide(direction(letter)?).map_err(|blocked| Failure::new(Code::BAD_MOVE, blocked))?;
        place.write(board.into());
        Ok(())
    })
}
