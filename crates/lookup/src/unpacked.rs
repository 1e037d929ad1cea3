//! The costs of a table of bits, a byte each.
//!
//! A bit table has the second bit of every cost: enough for a search, which comes from a neighbour whose cost it knows. The cost of any
//! other board takes a walk to the goal. Unpacked once, the table answers with one access.
//!
//! Unpacking needs no search either. All states of a row go to the same neighbouring row by one move, each to its own state there,
//! whose cost is one more or one less, and the bit says which. So one row after the other is computed from a known neighbour, each
//! state once; only the states of the first row, that of the goal, take walks.

use std::collections::HashMap;
use std::io;
use std::ops::Range;

use tilebase_index::{BuilderIndex, Kind, Perm, Row};
use tilebase_memory::Zeroed;
use tilebase_progress::{Event, Watch};

use crate::coding::bit;
use crate::table::Table;

/// The watch is polled at least once for this many walks to the goal: a few milliseconds.
const WALKS_BETWEEN_POLLS: u32 = 1 << 10;

/// The watch is polled at least once for this many bytes that are counted: a few milliseconds.
const BYTES_BETWEEN_POLLS: usize = 8 << 20;

/// The entry of a state that cannot be reached from the goal.
const UNREACHED: u8 = u8::MAX;

/// The costs of a table, a byte for each state.
///
/// ```
/// use tilebase_lookup::{Table, UnpackedTable};
/// use tilebase_progress::unwatched;
/// use tilebase_puzzle::{Board, Catalogue, Frame, Goal};
///
/// let board: Board = "1 2 3 4 / 5 6 7 8 / 9 10 0 11 / 13 14 15 12".parse()?;
/// let state = Frame::new(&Goal::BlankLast.board(board.size())?).state(&board)?;
/// let pattern = Catalogue::known("6-6-3").unwrap().patterns()[2];
/// let table = Table::in_program(&pattern).expect("6-6-3 is part of the program");
/// let unpacked = UnpackedTable::new(&table, &unwatched)?;
/// let place = table.locate(&state).expect("the board is one of 4x4");
/// let entry = table.entry(&place).expect("the place is one of the table");
/// assert_eq!(unpacked.cost(entry).map(u32::from), table.cost(&place));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct UnpackedTable {
    costs: Zeroed<u8>,
}

impl UnpackedTable {
    /// The bytes of memory that it takes.
    pub fn own_memory(&self) -> u64 {
        self.costs.len() as u64
    }

    /// Unpacks a table of bits, on this thread: a byte of memory and about a nanosecond for each state. `watch` is polled every few
    /// milliseconds.
    ///
    /// # Errors
    /// [`UnpackError`] when the table is not one of bits, there is not enough memory, the costs are not those that the header counts, or
    /// unpacking is cancelled.
    pub fn new(table: &Table, watch: Watch<'_>) -> Result<UnpackedTable, UnpackError> {
        if !matches!(table.kind(), Kind::Bit | Kind::AllMoves) {
            return Err(UnpackError::NotBits(table.kind()));
        }
        if table.header().max() >= UNREACHED.into() {
            return Err(UnpackError::TooLarge(table.header().max()));
        }
        let index = BuilderIndex::new(table.header().index().map_err(|_| UnpackError::NotBits(table.kind()))?);
        // One thread fills it, and need not wait until others have touched every page.
        let costs = Zeroed::untouched(index.states() as usize).map_err(UnpackError::Memory)?;
        let mut unpacking = Unpacking { payload: table.payload(), costs, places: HashMap::new(), index };
        unpacking.run(table, watch)?;
        Ok(UnpackedTable { costs: unpacking.costs })
    }

    /// The length of a table's costs in bytes.
    pub fn bytes(table: &Table) -> u64 {
        table.header().entries()
    }

    /// The cost in the entry with a number. `None` when no board that can be solved has it, or there is no such entry.
    #[inline(always)]
    pub fn cost(&self, entry: u64) -> Option<u8> {
        self.costs.get(entry as usize).copied().filter(|&cost| cost != UNREACHED)
    }

    /// Fetches an entry that will be read soon.
    #[inline(always)]
    pub fn prefetch(&self, entry: u64) {
        tilebase_memory::prefetch(&self.costs, entry as usize);
    }
}

/// A table that is being unpacked.
struct Unpacking<'a> {
    index: BuilderIndex,
    payload: &'a [u8],
    costs: Zeroed<u8>,
    /// For each pair of positions at which a tile leaves and enters the order of the others: where each permutation was before.
    places: HashMap<(u8, u8), Vec<u32>>,
}

impl Unpacking<'_> {
    fn run(&mut self, table: &Table, watch: Watch<'_>) -> Result<(), UnpackError> {
        let pattern = table.header().pattern();
        let goal = self.index.row_of(pattern.mask(), pattern.home());
        let second_bit = |entry| bit(self.payload, entry).into();
        let cost = |perm| self.index.walk_down(goal, (goal, Perm(perm)), table.header().max(), second_bit);
        let mut first = Vec::with_capacity(self.index.perms() as usize);
        for perm in 0..self.index.perms() {
            if perm.is_multiple_of(WALKS_BETWEEN_POLLS) {
                poll(watch)?;
            }
            first.push(cost(perm).and_then(|cost| cost.try_into().ok()).unwrap_or(UNREACHED));
        }
        let at = self.of_row(goal);
        self.costs[at].copy_from_slice(&first);
        let mut is_known = vec![false; self.index.rows()];
        is_known[goal.0 as usize] = true;
        let mut rows = vec![goal];
        while let Some(row) = rows.pop() {
            poll(watch)?;
            let moves: Vec<_> = self.index.moves(row).filter(|step| !is_known[step.row.0 as usize]).collect();
            for step in moves {
                // Two moves may lead to the same row.
                if !std::mem::replace(&mut is_known[step.row.0 as usize], true) {
                    self.fill(row, step.row, (step.leaves, step.enters));
                    rows.push(step.row);
                }
            }
        }
        check(&self.costs, table.header().histogram(), watch)
    }

    /// Where the costs of a row are.
    fn of_row(&self, row: Row) -> Range<usize> {
        let start = self.index.state_number(row, Perm(0)) as usize;
        start..start + self.index.perms() as usize
    }

    /// Computes the costs of a row from those of one that is a move away.
    fn fill(&mut self, from: Row, to: Row, (leaves, enters): (u8, u8)) {
        let (from, to) = (self.of_row(from), self.of_row(to));
        let first_entry = to.start as u64;
        let (known, new) = if from.start < to.start {
            let (low, high) = self.costs.split_at_mut(to.start);
            (&low[from], &mut high[..to.len()])
        } else {
            let (low, high) = self.costs.split_at_mut(from.start);
            (&high[..from.len()], &mut low[to])
        };
        let bits = Bits { payload: self.payload, first_entry };
        if leaves == enters {
            // A move sideways changes no order.
            return bits.fill(new, |perm| known[perm]);
        }
        let places = self.places.entry((leaves, enters)).or_insert_with(|| {
            let back = self.index.rotations().get(enters, leaves);
            (0..self.index.perms()).map(|perm| back.apply(Perm(perm)).0).collect()
        });
        bits.fill(new, |perm| known[places[perm] as usize]);
    }
}

/// Compares the number of states at each cost with the header's.
fn check(costs: &[u8], histogram: &[u64], watch: Watch<'_>) -> Result<(), UnpackError> {
    // Neighbours are often equal; if they were counted in the same place, one would wait for the other.
    let mut counts = [[0u64; 256]; 4];
    for piece in costs.chunks(BYTES_BETWEEN_POLLS) {
        poll(watch)?;
        for four in piece.chunks(4) {
            four.iter().zip(&mut counts).for_each(|(&cost, counts)| counts[usize::from(cost)] += 1);
        }
    }
    let count = |cost: usize| counts.iter().map(|counts| counts[cost]).sum::<u64>();
    let expected = |cost: usize| histogram.get(cost).copied().unwrap_or(0);
    let is_right = (0..usize::from(UNREACHED)).all(|cost| count(cost) == expected(cost));
    if is_right { Ok(()) } else { Err(UnpackError::Damaged) }
}

fn poll(watch: Watch<'_>) -> Result<(), UnpackError> {
    watch(&Event::Poll).continue_value().ok_or(UnpackError::Stopped)
}

/// The second bits of the costs of a row.
struct Bits<'a> {
    payload: &'a [u8],
    first_entry: u64,
}

impl Bits<'_> {
    /// Computes the costs of a row from those that its states have a move away.
    #[inline(always)]
    fn fill(&self, new: &mut [u8], known: impl Fn(usize) -> u8) {
        if !new.len().is_multiple_of(8) {
            // Rows of up to three tiles are not whole bytes.
            for ((perm, new), entry) in new.iter_mut().enumerate().zip(self.first_entry..) {
                *new = after(known(perm), bit(self.payload, entry));
            }
            return;
        }
        let bytes = &self.payload[(self.first_entry / 8) as usize..][..new.len() / 8];
        for (number, (eight, byte)) in new.chunks_exact_mut(8).zip(bytes).enumerate() {
            for (place, new) in eight.iter_mut().enumerate() {
                *new = after(known(8 * number + place), byte >> place & 1);
            }
        }
    }
}

/// The cost of a state with this second bit, a move away from one that has a cost.
#[inline(always)]
fn after(known: u8, second_bit: u8) -> u8 {
    // The two candidates, one more and one less, differ in their second bit.
    let more = known.wrapping_add(1);
    let cost = if more >> 1 & 1 == second_bit { more } else { known.wrapping_sub(1) };
    if known == UNREACHED { UNREACHED } else { cost }
}

/// A table that cannot be unpacked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UnpackError {
    /// It does not have a bit for each state.
    #[error("a table of kind {0} cannot be unpacked: expected one of kind {bit} or {all}", bit = Kind::Bit, all = Kind::AllMoves)]
    NotBits(Kind),
    /// There is not enough memory.
    #[error("no memory for the costs of a table: {0}")]
    Memory(#[source] io::Error),
    /// It has a cost as large as this.
    #[error("its largest cost is {0}, and a byte has room for less than {UNREACHED}")]
    TooLarge(u32),
    /// The costs are not those that the header counts.
    #[error("its costs are not those that its header counts: copy or build the table again")]
    Damaged,
    /// The watch cancelled it.
    #[error("stopped before every entry was unpacked")]
    Stopped,
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tilebase_progress::unwatched;
    use tilebase_puzzle::Catalogue;

    use super::*;

    /// Unpacks a table until the watch has been polled so often. Returns the result and the number of polls.
    fn polled(table: &Table, most: usize) -> (Result<UnpackedTable, UnpackError>, usize) {
        let polls = AtomicUsize::new(0);
        let watch = |_: &Event<'_>| {
            let is_last = polls.fetch_add(1, Ordering::Relaxed) + 1 == most;
            if is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        (UnpackedTable::new(table, &watch), polls.into_inner())
    }

    #[test]
    fn unpacking_polls_before_each_row_and_each_piece_that_is_counted_and_stops_at_any_of_them() {
        let catalogues = ["6-6-3", "5-5-5"].map(|name| Catalogue::known(name).unwrap().patterns());
        // Which of them are part of the program is a choice of features.
        let tables: Vec<Table> = catalogues.iter().flatten().filter_map(Table::in_program).collect();
        assert!(tables.len() >= 3);
        for table in tables {
            let index = BuilderIndex::new(table.header().index().unwrap());
            let states = index.states() as usize;
            // At most 720 walks, every row once, and the check.
            let expected = 1 + index.rows() + states.div_ceil(BYTES_BETWEEN_POLLS);
            assert!(index.perms() <= WALKS_BETWEEN_POLLS && index.rows() < 1 << 17);
            let (unpacked, polls) = polled(&table, usize::MAX);
            assert_eq!(unpacked.unwrap().own_memory(), states as u64);
            assert_eq!(polls, expected);
            for last in [1, 2, expected / 2, expected - 1, expected] {
                let (stopped, polls) = polled(&table, last);
                assert!(matches!(stopped, Err(UnpackError::Stopped)), "{last} of {expected}");
                assert_eq!(polls, last);
            }
        }
    }

    #[test]
    fn counting_polls_every_8_mib() {
        let len = 2 * BYTES_BETWEEN_POLLS + 5;
        let costs = vec![3; len];
        let histogram = [0, 0, 0, len as u64];
        check(&costs, &histogram, &unwatched).unwrap();
        for most in 1..=3 {
            let polls = AtomicUsize::new(0);
            let watch = |_: &Event<'_>| {
                let is_last = polls.fetch_add(1, Ordering::Relaxed) + 1 == most;
                if is_last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            assert!(matches!(check(&costs, &histogram, &watch), Err(UnpackError::Stopped)));
            assert_eq!(polls.into_inner(), most);
        }
        assert!(matches!(check(&costs[1..], &histogram, &unwatched), Err(UnpackError::Damaged)));
    }
}
