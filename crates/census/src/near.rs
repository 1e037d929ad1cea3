//! Breadth-first search over the boards near the goal, for sizes of which nobody can hold them all.
//!
//! Only the last distance is kept, as a sorted list of boards. With each board goes what need not be tried there: the directions
//! that lead back. In the metric of single tiles that is where it came from. Where several tiles in a line are one move, all of
//! the line it was reached along is as near as the board itself, so the other direction of that line need not be tried either.
//! What leads back is known from every neighbour before, so a move that is tried leads to a board of the same distance or of the
//! next; those of the same are taken out of the next. This is frontier search (Korf and others 2005, "Frontier search").
//!
//! A board is a number with a few bits for the label of each square, the first square's the lowest. What stands there follows
//! from the others, so its bits tell what need not be tried.

use std::io;

use rayon::prelude::*;
use tilebase_progress::threads::prepare_pool;
use tilebase_progress::{Event, Watch};
use tilebase_puzzle::{Board, Direction, Metric, Size, Square};

use crate::census::CensusError;

/// Boards that a thread works on at a time.
const BOARDS_AT_A_TIME: usize = 1 << 12;

/// Bits of what need not be tried: one for each direction.
const SHUT: u128 = 0b1111;

/// A board in memory.
trait Packed: Copy + Default + Ord + Send + Sync {
    fn new(word: u128) -> Self;
    fn word(self) -> u128;
}

impl Packed for u64 {
    fn new(word: u128) -> u64 {
        word as u64
    }

    fn word(self) -> u128 {
        self.into()
    }
}

impl Packed for u128 {
    fn new(word: u128) -> u128 {
        word
    }

    fn word(self) -> u128 {
        self
    }
}

/// How many boards are 0, 1, 2 … moves from a goal, up to `depth`, or as far as `memory` bytes are enough for.
pub(crate) fn counts(
    goal: &Board,
    metric: Metric,
    depth: u32,
    memory: Option<u64>,
    watch: Watch<'_>,
) -> Result<Vec<u64>, CensusError> {
    let what = format!("counting the boards of {} to {depth} moves from the goal", goal.size());
    if watch(&Event::Begin { what: &what, total: depth.into() }).is_break() {
        return Err(CensusError::Stopped);
    }
    prepare_pool();
    let search = Search::new(goal.size(), metric, watch);
    let counts = match search.bits {
        4 => search.counts::<u64>(goal, depth, memory)?,
        _ => search.counts::<u128>(goal, depth, memory)?,
    };
    let _ = watch(&Event::End);
    Ok(counts)
}

struct Search<'a> {
    size: Size,
    /// Bits of a label.
    bits: u32,
    /// All labels together: each bit is set if it is set in an odd number of them.
    all: u128,
    /// By the blank's square and the direction in which tiles slide: the squares that can slide into it, the nearest first.
    moves: Vec<[Vec<Square>; 4]>,
    /// By direction: what need not be tried after it.
    shut: [u128; 4],
    watch: Watch<'a>,
}

impl<'a> Search<'a> {
    fn new(size: Size, metric: Metric, watch: Watch<'a>) -> Search<'a> {
        // Four bits are enough for what need not be tried, and for the labels of 16 squares.
        let bits = if size.count() <= 16 { 4 } else { 5 };
        let together = if metric == Metric::Stm { 1 } else { usize::MAX };
        let moves = |blank: Square| {
            Direction::ALL.map(|direction| {
                // Tiles slide towards the blank, which goes the other way.
                let next = |square: &Square| size.neighbour(*square, direction.opposite());
                std::iter::successors(next(&blank), next).take(together).collect()
            })
        };
        let bit = |direction: Direction| 1 << direction as u32;
        let shut = Direction::ALL.map(|direction| {
            let along = if metric == Metric::Stm { 0 } else { bit(direction) };
            along | bit(direction.opposite())
        });
        let all = (0..size.count() as u128).fold(0, |all, label| all ^ label);
        Search { size, bits, all, moves: size.squares().map(moves).collect(), shut, watch }
    }

    fn label(&self, word: u128, square: Square) -> u128 {
        word >> (self.bits * u32::from(square.0)) & ((1 << self.bits) - 1)
    }

    /// All labels of a board, instead of what need not be tried in the place of the first; and the blank's square.
    fn unpacked(&self, word: u128) -> (u128, Square) {
        let first = self.size.squares().skip(1).fold(self.all, |rest, square| rest ^ self.label(word, square));
        let whole = word >> self.bits << self.bits | first;
        let blank = self.size.squares().find(|&square| self.label(whole, square) == 0);
        (whole, blank.expect("every board has a blank"))
    }

    fn open(&self, word: u128, blank: Square) -> impl Iterator<Item = (Direction, &[Square])> {
        let moves = Direction::ALL.into_iter().zip(&self.moves[blank.index()]);
        moves
            .filter(move |(direction, _)| word >> *direction as u32 & 1 == 0)
            .map(|(direction, all)| (direction, &**all))
    }

    /// How many boards are reached from some, if one that is reached twice counts twice.
    fn width<T: Packed>(&self, boards: &[T]) -> usize {
        let of_board = |board: &T| {
            let (_, blank) = self.unpacked(board.word());
            self.open(board.word(), blank).map(|(_, squares)| squares.len()).sum::<usize>()
        };
        boards.iter().map(of_board).sum()
    }

    /// Tells all boards that are reached from some.
    fn expand<T: Packed>(&self, boards: &[T], mut tell: impl FnMut(T)) {
        for board in boards {
            let (whole, blank) = self.unpacked(board.word());
            for (direction, squares) in self.open(board.word(), blank) {
                let (mut word, mut to) = (whole, blank);
                for &from in squares {
                    let tile = self.label(word, from);
                    word ^= tile << (self.bits * u32::from(from.0)) | tile << (self.bits * u32::from(to.0));
                    to = from;
                    tell(T::new(word >> self.bits << self.bits | self.shut[direction as usize]));
                }
            }
        }
    }

    fn counts<T: Packed>(&self, goal: &Board, depth: u32, memory: Option<u64>) -> Result<Vec<u64>, CensusError> {
        let squares = goal.size().squares().skip(1);
        let word =
            squares.fold(0, |word, square| word | u128::from(goal.label(square)) << (self.bits * u32::from(square.0)));
        let mut last = vec![T::new(word)];
        let mut counts = vec![1];
        for _ in 0..depth {
            let Some(next) = self.next(&last, memory)? else { break };
            if next.is_empty() {
                break;
            }
            counts.push(next.len() as u64);
            last = next;
            if (self.watch)(&Event::Advance(1)).is_break() {
                return Err(CensusError::Stopped);
            }
        }
        Ok(counts)
    }

    /// The boards at the next distance, sorted; `None` if there is too little memory.
    fn next<T: Packed>(&self, last: &[T], memory: Option<u64>) -> Result<Option<Vec<T>>, CensusError> {
        let poll = || (self.watch)(&Event::Poll).continue_value().ok_or(CensusError::Stopped);
        let parts: Vec<&[T]> = last.chunks(BOARDS_AT_A_TIME).collect();
        let widths: Vec<usize> = parts
            .par_iter()
            .map(|part| {
                poll()?;
                Ok(self.width(part))
            })
            .collect::<Result<_, CensusError>>()?;
        let width = widths.iter().sum();
        let needed = ((last.len() + width) * size_of::<T>()) as u64;
        if memory.is_some_and(|memory| needed > memory) {
            return Ok(None);
        }
        let mut next: Vec<T> = Vec::new();
        let no_memory = |error| CensusError::Memory(io::Error::new(io::ErrorKind::OutOfMemory, error));
        next.try_reserve_exact(width).map_err(no_memory)?;
        next.resize(width, T::default());
        let (mut rest, mut tasks) = (&mut *next, Vec::with_capacity(parts.len()));
        for (part, width) in parts.into_iter().zip(widths) {
            let (own, others) = rest.split_at_mut(width);
            tasks.push((part, own));
            rest = others;
        }
        tasks.into_par_iter().try_for_each(|(part, own)| {
            poll()?;
            let mut own = own.iter_mut();
            self.expand(part, |board| *own.next().expect("as many as were counted") = board);
            Ok::<_, CensusError>(())
        })?;
        next.par_sort_unstable();
        poll()?;
        merge(&mut next, last);
        Ok(Some(next))
    }
}

/// The bits that tell which board it is.
fn board(word: u128) -> u128 {
    word & !SHUT
}

/// Leaves one of each board in a sorted list, with all that need not be tried there, and none that is in another list.
fn merge<T: Packed>(boards: &mut Vec<T>, without: &[T]) {
    boards.dedup_by(|next, kept| {
        let is_same = board(next.word()) == board(kept.word());
        if is_same {
            *kept = T::new(kept.word() | next.word());
        }
        is_same
    });
    let mut without = without.iter().map(|there| board(there.word())).peekable();
    boards.retain(|one| {
        let one = board(one.word());
        while without.next_if(|&there| there < one).is_some() {}
        without.peek() != Some(&one)
    });
    boards.shrink_to_fit();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_merged_with_all_that_need_not_be_tried() {
        let mut boards = vec![0x11, 0x14, 0x21, 0x32, 0x41, 0x48, 0x51];
        merge::<u64>(&mut boards, &[0x08, 0x22, 0x51, 0x60]);
        assert_eq!(boards, [0x15, 0x32, 0x49]);
    }

    #[test]
    fn whatever_need_not_be_tried_boards_are_found_again_by_their_labels() {
        for (size, goal) in [((4, 4), "15 2 1 12 8 5 6 11 4 9 10 7 3 14 13 0"), ((3, 2), "0 1 2 3 4 5")] {
            let size = Size::new(size.0, size.1).unwrap();
            let goal = Board::parse(goal, Some(size)).unwrap();
            let search = Search::new(size, Metric::Mtm, &tilebase_progress::unwatched);
            let pack = |word: u128, square: Square| word | u128::from(goal.label(square)) << (4 * square.0);
            let whole = size.squares().fold(0, pack);
            for shut in 0..16 {
                assert_eq!(search.unpacked(whole & !SHUT | shut), (whole, goal.blank()));
            }
        }
    }
}
