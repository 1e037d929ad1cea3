//! The bounds of many unrelated boards.
//!
//! A table of bits gives the cost of a single board by a walk to the goal: some microseconds. For many boards it is faster to unpack the
//! tables first, a byte for each state, and then to read one byte for each pattern and view. As in the ski rental problem, the tables are
//! unpacked when as much time has gone into walks as unpacking would take, if there is memory for it. The answers are the same.

mod unpacked;

use std::ops::ControlFlow;
use std::sync::{Arc, TryLockError};
use std::time::Duration;

use rayon::prelude::*;
use tilebase_lookup::{UnpackError, UnpackedTable};
use tilebase_progress::threads::prepare_pool;
use tilebase_progress::{Event, Watch};
use tilebase_puzzle::{Board, FrameError, State, Symmetry};
use tilebase_solve::SolveError;

use crate::solver::Solver;
use unpacked::{Costs, Unpacked, different, labels_of, sums_of};

/// Boards that a thread takes at a time. Their entries are prefetched together.
const BOARDS_AT_A_TIME: usize = 64;

/// The number of states that are unpacked in the time of one walk, all patterns of a board counted: 3,800 for 6-6-3 and 2,200 for 7-8, going by
/// `bench bounds` on two cores.
const STATES_A_WALK: u64 = 2_500;

/// A thread that waits while another one unpacks the tables polls its watch this often.
const WAIT: Duration = Duration::from_millis(5);

/// Unpacked tables take at most this fraction of the available memory: one half.
const PART_OF_MEMORY: u64 = 2;

/// Numbered boards, wherever and in whatever form they are stored.
pub trait ManyBoards: Sync {
    /// The error of an entry that is not a board.
    type Error: Send;

    /// The board with a number.
    ///
    /// # Errors
    /// When the entry is not a board.
    fn board(&self, number: usize) -> Result<Board, Self::Error>;
}

impl ManyBoards for [Board] {
    type Error = std::convert::Infallible;

    fn board(&self, number: usize) -> Result<Board, Self::Error> {
        Ok(self[number])
    }
}

impl Solver {
    /// The lower bounds of the boards 0, 1, 2 …, as many as `bounds` has places, computed on the threads of the current pool: the same as [`bound_of`](Solver::bound_of) gives for each. `watch` is told of the boards. A byte has room for every bound
    /// of tables, and for all others but on the longest of boards.
    ///
    /// # Errors
    /// [`ManyError`] about the first entry that is not a board, is of another size, cannot be solved or has too large a bound; when a table
    /// is damaged; and if cancelled.
    pub fn bounds_of_many<B: ManyBoards + ?Sized, T: TryFrom<u32> + Send>(
        &self,
        boards: &B,
        bounds: &mut [T],
        watch: Watch<'_>,
    ) -> Result<(), ManyError<B::Error>> {
        let put = |found: u32, bound: &mut [T]| {
            bound[0] = found.try_into().map_err(|_| WrongBoard::TooLarge(found))?;
            Ok(())
        };
        let by_state = |state: &State, bound: &mut [T]| put(self.bound(state).ok_or(WrongBoard::Damaged)?, bound);
        let by_entries = |costs: &Costs<'_>, bound: &mut [T]| {
            let mut largest = 0;
            for sum in costs.sums {
                largest = largest.max(costs.sum(sum)?);
            }
            put(largest, bound)
        };
        self.of_many(boards, bounds, 1, watch, by_state, by_entries)
    }

    /// The number of sums of costs, those of every partition and view, and the number of patterns of the longest; 0 without tables that can
    /// be added.
    pub fn shape_of_costs(&self) -> (usize, usize) {
        let sums = sums_of(&self.opened.bounds);
        (sums.len(), sums.iter().map(|(tables, _)| tables.len()).max().unwrap_or(0))
    }

    /// The parts of the sums of costs: the symmetry through which each sees a board, and the labels of each pattern's tiles.
    pub fn patterns_of_costs(&self) -> Vec<(Symmetry, Vec<Vec<u8>>)> {
        let sums = sums_of(&self.opened.bounds).into_iter().map(|(tables, symmetry)| {
            (symmetry, tables.iter().map(|table| labels_of(self.frame(), table, symmetry)).collect())
        });
        sums.collect()
    }

    /// The costs of patterns on the boards 0, 1, 2 …, as many as `costs` has places for: for each board those of every sum, in the order
    /// of [`costs`](Solver::costs), each sum having as many places as the [longest](Solver::shape_of_costs). Unused places are 0.
    ///
    /// # Errors
    /// As for [`bounds_of_many`](Solver::bounds_of_many).
    ///
    /// # Panics
    /// When the solver has no tables that can be added, or `costs` has places for a part of a board.
    pub fn costs_of_many<B: ManyBoards + ?Sized>(
        &self,
        boards: &B,
        costs: &mut [u8],
        watch: Watch<'_>,
    ) -> Result<(), ManyError<B::Error>> {
        let (sums, patterns) = self.shape_of_costs();
        let places = sums * patterns;
        assert!(places > 0 && costs.len().is_multiple_of(places), "there are places for the costs of whole boards");
        let by_state = |state: &State, places: &mut [u8]| {
            let found = self.costs(state).ok_or(WrongBoard::Damaged)?;
            for ((_, costs), places) in found.iter().zip(places.chunks_mut(patterns)) {
                for (&cost, place) in costs.iter().zip(places) {
                    *place = cost.try_into().map_err(|_| WrongBoard::TooLarge(cost))?;
                }
            }
            Ok(())
        };
        let by_entries = |costs: &Costs<'_>, places: &mut [u8]| {
            for (sum, places) in costs.sums.iter().zip(places.chunks_mut(patterns)) {
                for (slot, place) in sum.clone().zip(places) {
                    *place = costs.cost(slot)?;
                }
            }
            Ok(())
        };
        costs.fill(0);
        self.of_many(boards, costs, places, watch, by_state, by_entries)
    }

    /// Computes `places` numbers for each of many boards: from their states, or from their entries in unpacked tables.
    fn of_many<B: ManyBoards + ?Sized, T: Send>(
        &self,
        boards: &B,
        found: &mut [T],
        places: usize,
        watch: Watch<'_>,
        by_state: impl Fn(&State, &mut [T]) -> Result<(), WrongBoard> + Sync,
        by_entries: impl Fn(&Costs<'_>, &mut [T]) -> Result<(), WrongBoard> + Sync,
    ) -> Result<(), ManyError<B::Error>> {
        let unpacked = self.unpacked(found.len() / places, watch).map_err(|error| ManyError::of_all(&error))?;
        let frame = self.frame();
        prepare_pool();
        let parts = found.par_chunks_mut(BOARDS_AT_A_TIME * places).enumerate();
        let done = parts.map(|(part, found)| {
            let first = part * BOARDS_AT_A_TIME;
            let result = match &unpacked {
                Some(unpacked) => unpacked.look_up(first, boards, frame, (found, places), &by_entries),
                None => found.chunks_mut(places).zip(first..).try_for_each(|(found, number)| {
                    let board = boards.board(number).map_err(|error| ManyError::Board(number, error))?;
                    let state = frame.state(&board).map_err(|error| ManyError::Frame(number, error))?;
                    by_state(&state, found).map_err(|wrong| ManyError::of_board(number, wrong))
                }),
            };
            let boards = (found.len() / places) as u64;
            result.and_then(|()| match watch(&Event::Advance(boards)) {
                ControlFlow::Continue(()) => Ok(()),
                ControlFlow::Break(()) => Err(ManyError::Stopped),
            })
        });
        // The first error in the order of the boards. After an error no other part is begun.
        let first_error = done.filter_map(Result::err).find_first(|_| true);
        let is_confirmed = self.opened.evidence.confirm(watch).map_err(ManyError::Damaged)?;
        first_error.map_or(Ok(()), Err)?;
        if is_confirmed { Ok(()) } else { Err(ManyError::Stopped) }
    }

    /// The unpacked tables, if there are tables of bits, they fit into memory, and this many more boards are worth it.
    fn unpacked(&self, boards: usize, watch: Watch<'_>) -> Result<Option<Arc<Unpacked>>, UnpackError> {
        let bounds = &self.opened.bounds;
        let sums = sums_of(bounds);
        let is_of_sums = bounds.listed.is_empty() && bounds.all_moves.is_empty() && bounds.lines.is_empty();
        let is_of_bits = sums.iter().flat_map(|(tables, _)| *tables).all(|table| table.kind().is_blank_aware());
        if !is_of_sums || !is_of_bits {
            return Ok(None);
        }
        let mut known = loop {
            match self.many.try_lock() {
                Ok(known) => break known,
                Err(TryLockError::Poisoned(known)) => break known.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    watch(&Event::Poll).continue_value().ok_or(UnpackError::Stopped)?;
                    std::thread::sleep(WAIT);
                }
            }
        };
        if let Some(unpacked) = &known.unpacked {
            return Ok(Some(Arc::clone(unpacked)));
        }
        let states = different(&sums).iter().map(|table| UnpackedTable::bytes(table)).sum::<u64>();
        known.asked = known.asked.saturating_add(boards as u64);
        let fits = tilebase_memory::available().is_none_or(|available| states <= available / PART_OF_MEMORY);
        if !fits || known.asked.saturating_mul(STATES_A_WALK) < states {
            return Ok(None);
        }
        let unpacked = match Unpacked::new(self.frame(), &sums, watch) {
            Ok(unpacked) => Arc::new(unpacked),
            // Without unpacked tables, costs are found by walks.
            Err(UnpackError::Memory(_) | UnpackError::TooLarge(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        known.unpacked = Some(Arc::clone(&unpacked));
        Ok(Some(unpacked))
    }
}

/// The state of a solver for many boards. Locked while the tables are being unpacked: other callers wait, and poll their watches. Unpacking
/// uses no threads of a pool, so a pool's thread may wait.
#[derive(Debug, Default)]
pub(crate) struct Many {
    /// Boards looked up before the tables were unpacked.
    asked: u64,
    unpacked: Option<Arc<Unpacked>>,
}

impl Many {
    /// The bytes of memory that unpacked tables take.
    pub(crate) fn bytes(&self) -> u64 {
        self.unpacked.as_ref().map_or(0, |unpacked| unpacked.bytes())
    }
}

/// Why a board has no bound.
#[derive(Clone, Copy)]
enum WrongBoard {
    Damaged,
    TooLarge(u32),
}

/// An error of one of many boards.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManyError<E> {
    /// The entry with this number is not a board.
    #[error("{1} (board {0})")]
    Board(usize, E),
    /// The board with this number is of another size than the goal, or cannot be solved.
    #[error("{1} (board {0})")]
    Frame(usize, FrameError),
    /// The bound of the board with this number is this, which does not fit into the type of the bounds.
    #[error("the bound of board {0} is {1}, for which there is no room: ask for larger numbers")]
    TooLarge(usize, u32),
    /// A table is not whole, or no longer.
    #[error("{0}")]
    Damaged(SolveError),
    /// The watch cancelled it.
    #[error("stopped before all boards were looked at")]
    Stopped,
}

impl<E> ManyError<E> {
    fn of_board(number: usize, wrong: WrongBoard) -> ManyError<E> {
        match wrong {
            WrongBoard::Damaged => ManyError::Damaged(SolveError::Damaged(None)),
            WrongBoard::TooLarge(bound) => ManyError::TooLarge(number, bound),
        }
    }

    fn of_all(error: &UnpackError) -> ManyError<E> {
        match error {
            UnpackError::Stopped => ManyError::Stopped,
            _ => ManyError::Damaged(SolveError::Damaged(None)),
        }
    }
}
