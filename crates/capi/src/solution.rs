//! Solutions.

#![allow(unsafe_code, reason = "names are exported to C, which gives pointers")]

use std::ffi::c_char;

use tilebase::Direction;

use crate::board::letter;
use crate::failure::{Code, call};
use crate::pointers::Buffer;
use crate::registry::{self, Object};

/// The moves that solve a board.
pub struct Solution {
    pub(crate) board: tilebase::Board,
    pub(crate) slides: Vec<Direction>,
}

impl Object for Solution {
    const NAME: &'static str = "solution";
}

/// Writes the moves, a letter for each, with a zero at the end, such as "DDDLLUUUL": the directions in which tiles slide, up, left,
/// right or down.
///
/// `buffer` has room for `capacity` bytes, and may be NULL when that is 0. `*needed` becomes the number of bytes that are needed: one
/// more than there are moves, for the zero; needed may be NULL.
///
/// Returns TILEBASE_SMALL_BUFFER when there is not enough room; TILEBASE_BAD_HANDLE, TILEBASE_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_solution_moves(
    solution: *const Solution,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> Code {
    // SAFETY: C promises what the header says of these pointers.
    let buffer = unsafe { Buffer::new(buffer, capacity, needed) };
    call(|| {
        let moves: String = registry::get(solution)?.slides.iter().copied().map(letter).collect();
        buffer.fill_text(&moves)
    })
}

/// Writes the numbers of the tiles that slide, in their order.
///
/// `buffer` has room for `capacity` numbers, and may be NULL when that is 0. `*needed` becomes the number of moves; needed may be NULL.
///
/// Returns TILEBASE_SMALL_BUFFER when there is not enough room; TILEBASE_BAD_HANDLE, TILEBASE_NULL_POINTER.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tilebase_solution_tiles(
    solution: *const Solution,
    buffer: *mut u8,
    capacity: usize,
    needed: *mut usize,
) -> Code {
    // SAFETY: C promises what the header says of these pointers.
    let buffer = unsafe { Buffer::new(buffer, capacity, needed) };
    call(|| {
        let solution = registry::get(solution)?;
        let slid = solution.board.tiles_along(&solution.slides).expect("solutions have been replayed");
        let tiles: Vec<u8> = slid.into_iter().map(|(tile, _)| tile).collect();
        buffer.fill(&tiles)
    })
}

/// Frees a solution. NULL is left alone.
///
/// Returns TILEBASE_BAD_HANDLE, when it was freed before for instance.
#[unsafe(no_mangle)]
pub extern "C" fn tilebase_solution_free(solution: *mut Solution) -> Code {
    call(|| registry::remove(solution))
}
