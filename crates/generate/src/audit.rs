//! Proves that a table is right, without trusting how it was built.
//!
//! Costs that satisfy three local conditions are the true ones: the goal costs 0; neighbouring states differ by exactly one
//! (so no cost is too large: along a shortest path it grows by at most one a step); and every state but the goal has a
//! neighbour that costs one less (so no cost is too small: going down from neighbour to neighbour takes as many steps and
//! can only end at the goal).
//!
//! A bit table has costs only modulo 4, where the conditions prove nothing. So they are first made absolute: the goal's row
//! by walking downhill state by state, every other row from a neighbour. That and the checks use single states and their
//! rotations, not the builder's moves of whole rows.

use std::io;

use rayon::prelude::*;
use tilebase_format::Header;
use tilebase_format::layout::UNREACHED_NIBBLE;
use tilebase_index::{BuilderIndex, Kind, Perm, Row};
use tilebase_memory::Zeroed;
use tilebase_progress::{Event, Watch};

use crate::build::{Build, thread_pool};
use crate::destination::Memory;
use crate::error::BuildError;

/// The cost of a state that cannot be reached.
pub(crate) const UNREACHED: u8 = u8::MAX;

/// Proves that a table has the right costs, on `threads` threads or, when that is 0, on all cores. A blank-aware table
/// needs a byte of memory for each state; a collapsed one is compared with a blank-aware one that is built and audited
/// for that. `watch` is asked whether to stop, and told of the levels of that build. The error is the first thing found wrong.
///
/// # Panics
/// When the payload is not as long as the header says.
pub fn audit(header: &Header, payload: &[u8], threads: usize, watch: Watch<'_>) -> Result<(), AuditError> {
    assert_eq!(payload.len() as u64, header.payload_len(), "a header goes with its own payload");
    let used = header.entries() * u64::from(header.kind().bits()) % 8;
    if used > 0 && payload[payload.len() - 1] >> used != 0 {
        return Err(AuditError::Padding);
    }
    thread_pool(threads)?.install(|| prove(header, payload, watch))
}

fn prove(header: &Header, payload: &[u8], watch: Watch<'_>) -> Result<(), AuditError> {
    if header.kind().is_blank_aware() {
        return Costs::of(header, payload, watch)?.check_all(header);
    }
    let tables = Build::new(header.pattern(), &[Kind::Bit])?.run_here(&Memory, watch)?;
    let aware = &tables[0];
    let costs = Costs::of(&aware.header, aware.payload(), watch)?;
    costs.check_all(&aware.header)?;
    costs.check_collapsed(header, payload)
}

/// Absolute costs of all states, a byte each.
pub(crate) struct Costs<'a> {
    watch: Watch<'a>,
    payload: &'a [u8],
    pub(crate) index: BuilderIndex,
    goal: Row,
    of_state: Zeroed<u8>,
}

impl<'a> Costs<'a> {
    /// Makes the costs of a bit table absolute.
    pub(crate) fn of(header: &Header, payload: &'a [u8], watch: Watch<'a>) -> Result<Costs<'a>, AuditError> {
        let index = BuilderIndex::new(header.index());
        let goal = index.row(index.map(header.pattern().mask()), header.pattern().home());
        let perms = index.perms() as usize;
        let mut of_state: Zeroed<u8> = Zeroed::new(index.states() as usize).map_err(AuditError::Memory)?;
        let walk_down = |perm: u32| {
            watch(&Event::Poll).continue_value().ok_or(AuditError::Stopped)?;
            let cost = index.walk_down(goal, (goal, Perm(perm)), header.max(), |state| bit(payload, state).into());
            Ok(cost.map_or(UNREACHED, |cost| cost as u8))
        };
        let goal_row: Vec<u8> = (0..index.perms()).into_par_iter().map(walk_down).collect::<Result<_, AuditError>>()?;
        of_state[goal.0 as usize * perms..][..perms].copy_from_slice(&goal_row);

        // Rows at the same number of moves from the goal's row get their costs together, each from an earlier one.
        let mut done = vec![false; index.rows()];
        done[goal.0 as usize] = true;
        let mut layer = vec![goal];
        while !layer.is_empty() {
            let mut next = Vec::new();
            for &row in &layer {
                for step in index.moves(row) {
                    if !std::mem::replace(&mut done[step.row.0 as usize], true) {
                        next.push((row, step));
                    }
                }
            }
            let rows = next.par_iter().map(|(row, step)| {
                watch(&Event::Poll).continue_value().ok_or(AuditError::Stopped)?;
                let known = &of_state[row.0 as usize * perms..][..perms];
                let rotation = index.rotations().get(step.leaves, step.enters);
                let mut costs = vec![UNREACHED; perms];
                for (perm, &before) in known.iter().enumerate() {
                    let moved = rotation.apply(Perm(perm as u32));
                    costs[moved.0 as usize] = match before {
                        UNREACHED => UNREACHED,
                        _ if bit(payload, index.state_number(step.row, moved)) == (before + 1) >> 1 & 1 => before + 1,
                        _ => before.checked_sub(1).ok_or(AuditError::BelowZero)?,
                    };
                }
                Ok(costs)
            });
            let rows: Vec<Vec<u8>> = rows.collect::<Result<_, AuditError>>()?;
            for ((_, step), costs) in next.iter().zip(rows) {
                of_state[step.row.0 as usize * perms..][..perms].copy_from_slice(&costs);
            }
            layer = next.into_iter().map(|(_, step)| step.row).collect();
        }
        Ok(Costs { watch, payload, index, goal, of_state })
    }

    pub(crate) fn row(&self, row: Row) -> &[u8] {
        let perms = self.index.perms() as usize;
        &self.of_state[row.0 as usize * perms..][..perms]
    }

    /// The three conditions for every state, and the histogram.
    fn check_all(&self, header: &Header) -> Result<(), AuditError> {
        let rows = (0..self.index.rows() as u32).into_par_iter().map(Row);
        let histogram = rows.map(|row| self.check_row(row)).try_reduce(|| vec![0; 256], |a, b| Ok(added(a, &b)))?;
        compare_histogram(header, &histogram)
    }

    fn check_row(&self, row: Row) -> Result<Vec<u64>, AuditError> {
        (self.watch)(&Event::Poll).continue_value().ok_or(AuditError::Stopped)?;
        let mut histogram = vec![0; 256];
        let mut has_cheaper = vec![false; self.index.perms() as usize];
        for step in self.index.moves(row) {
            let rotation = self.index.rotations().get(step.leaves, step.enters);
            let neighbours = self.row(step.row);
            for (perm, &cost) in self.row(row).iter().enumerate() {
                let neighbour = neighbours[rotation.apply(Perm(perm as u32)).0 as usize];
                let both_unreached = cost == UNREACHED && neighbour == UNREACHED;
                if !both_unreached && cost.abs_diff(neighbour) != 1 {
                    return Err(self.wrong(row, perm, Condition::NeighboursDifferByOne));
                }
                has_cheaper[perm] |= neighbour < cost;
            }
        }
        for (perm, &cost) in self.row(row).iter().enumerate() {
            let is_goal = row == self.goal && perm == 0;
            if is_goal != (cost == 0) {
                return Err(self.wrong(row, perm, Condition::OnlyTheGoalCostsNothing));
            }
            let expected = if cost == UNREACHED { 0 } else { cost >> 1 & 1 };
            if bit(self.payload, self.index.state_number(row, Perm(perm as u32))) != expected {
                return Err(self.wrong(row, perm, Condition::BitIsOfCost));
            }
            if cost != UNREACHED && !is_goal && !has_cheaper[perm] {
                return Err(self.wrong(row, perm, Condition::SomeNeighbourIsCheaper));
            }
            histogram[cost as usize] += 1;
        }
        Ok(histogram)
    }

    /// Every entry of a nibble table is the smallest cost over the blank's regions.
    fn check_collapsed(&self, header: &Header, payload: &[u8]) -> Result<(), AuditError> {
        let maps = (0..self.index.maps() as u32).into_par_iter().map(tilebase_index::Map);
        let histograms = maps.map(|map| {
            let mut histogram = vec![0; 256];
            for perm in (0..self.index.perms()).map(Perm) {
                let costs = self.index.rows_of(map).map(|row| self.row(Row(row))[perm.0 as usize]);
                let cost = costs.min().unwrap_or(UNREACHED);
                let squares = self.index.tile_squares(map, perm);
                let tiles = header.pattern().tiles().zip(squares);
                let manhattan: u32 = tiles.map(|(tile, square)| self.index.size().distance(tile.goal(), square)).sum();
                let entry = self.index.entry_number(map, perm);
                let half = u32::from(payload[(entry / 2) as usize] >> (entry % 2 * 4) & 15);
                let found =
                    if half == u32::from(UNREACHED_NIBBLE) { u32::from(UNREACHED) } else { manhattan + 2 * half };
                if found != u32::from(cost) {
                    let row = Row(self.index.rows_of(map).start);
                    return Err(self.wrong(row, perm.0 as usize, Condition::SmallestOverRegions));
                }
                histogram[cost as usize] += 1;
            }
            Ok(histogram)
        });
        compare_histogram(header, &histograms.try_reduce(|| vec![0; 256], |a, b| Ok(added(a, &b)))?)
    }

    fn wrong(&self, row: Row, perm: usize, condition: Condition) -> AuditError {
        let squares = self.index.tile_squares(self.index.map_of(row), Perm(perm as u32));
        AuditError::Wrong(condition, squares.iter().map(|square| square.0).collect())
    }
}

/// The second bit of the cost of a state, by its number.
fn bit(payload: &[u8], state: u64) -> u8 {
    payload[(state / 8) as usize] >> (state % 8) & 1
}

pub(crate) fn added(mut a: Vec<u64>, b: &[u64]) -> Vec<u64> {
    a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
    a
}

/// The counts by cost, the last being the unreached, against the header's.
fn compare_histogram(header: &Header, counts: &[u64]) -> Result<(), AuditError> {
    let (unreached, reached) = counts.split_last().expect("there are 256 counts");
    let expected = header.histogram().iter().chain(std::iter::repeat(&0));
    // A blank-aware table of a pattern that leaves at most one tile out can reach just half of its states; how many
    // entries of a collapsed one cannot be reached has been compared one by one.
    let half_is_reached = *unreached == if header.pattern().reaches_half() { header.entries() / 2 } else { 0 };
    let sound = half_is_reached || !header.kind().is_blank_aware();
    let counted = reached.iter().zip(expected).all(|(count, expected)| count == expected);
    if counted && sound { Ok(()) } else { Err(AuditError::Histogram) }
}

/// What must be true of every state, and is not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Condition {
    /// The goal costs 0, and nothing else does.
    #[error("the goal, and nothing else, costs 0")]
    OnlyTheGoalCostsNothing,
    /// Neighbouring states differ by exactly one.
    #[error("neighbouring states differ by exactly 1")]
    NeighboursDifferByOne,
    /// Every state but the goal has a neighbour that costs one less.
    #[error("every state but the goal has a cheaper neighbour")]
    SomeNeighbourIsCheaper,
    /// The bit is the second of the cost, and 0 where the state cannot be reached.
    #[error("the bit is the second of the cost, and 0 for what cannot be reached")]
    BitIsOfCost,
    /// A collapsed entry is the smallest over the blank's regions.
    #[error("an entry is the smallest cost over the blank's regions")]
    SmallestOverRegions,
}

/// A table that is wrong, or was not audited.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuditError {
    /// A state breaks a condition: that with the pattern's tiles on these squares.
    #[error("the table is wrong: with the tiles on the squares {1:?} it is not true that {0}")]
    Wrong(Condition, Vec<u8>),
    /// Bits behind the last entry are not 0.
    #[error("the table is wrong: bits behind its last entry are not 0")]
    Padding,
    /// Going from neighbour to neighbour, a cost would fall below 0.
    #[error("the table is wrong: a cost would fall below 0")]
    BelowZero,
    /// The costs are right, but the header counts them wrongly.
    #[error("the table is wrong: its histogram does not count its costs")]
    Histogram,
    /// The system gave us no memory.
    #[error("cannot get the memory for the audit: {0}")]
    Memory(#[source] io::Error),
    /// The table to compare with could not be built.
    #[error("the table to compare with was not built: {0}")]
    Build(#[source] BuildError),
    /// Whoever watches it stopped it.
    #[error("the audit was stopped")]
    Stopped,
}

impl From<BuildError> for AuditError {
    fn from(error: BuildError) -> AuditError {
        if matches!(error, BuildError::Stopped) { AuditError::Stopped } else { AuditError::Build(error) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;
    use tilebase_progress::unwatched;
    use tilebase_puzzle::{Pattern, Size, Square};

    type Table = crate::Built<Cursor<Vec<u8>>>;

    /// A table of each kind.
    fn built(tiles: &[u64]) -> Vec<Table> {
        built_on(Size::new(3, 3).unwrap(), tiles)
    }

    fn built_on(size: Size, tiles: &[u64]) -> Vec<Table> {
        let pattern = Pattern::new(size, Square(0), tiles).unwrap();
        let build = |kinds| Build::new(&pattern, kinds).unwrap().run(2, &Memory, &unwatched).unwrap();
        [build(&[Kind::Bit, Kind::Nibble][..]), build(&[Kind::AllMoves])].concat()
    }

    fn verdict(table: &Table, payload: &[u8]) -> Result<(), AuditError> {
        let header =
            Header::new(*table.header.pattern(), table.header.kind(), table.header.histogram().to_vec(), payload);
        audit(&header.unwrap(), payload, 1, &unwatched)
    }

    #[test]
    fn built_tables_pass_with_and_without_unreachable_states() {
        for tiles in [
            &[1][..],
            &[8],
            &[1, 2],
            &[1, 3, 4, 7],
            &[2, 3, 5, 6, 7],
            &[1, 2, 3, 4, 5, 6, 7],
            &[1, 2, 3, 4, 5, 6, 7, 8],
        ] {
            for table in built(tiles) {
                let verdict = audit(&table.header, table.payload(), 2, &unwatched);
                assert!(verdict.is_ok(), "{tiles:?} {}: {verdict:?}", table.header.kind());
            }
        }
    }

    #[test]
    fn every_single_wrong_bit_is_found() {
        let all_reachable = built(&[1, 5, 8]);
        let half_reachable = built_on(Size::new(2, 2).unwrap(), &[1, 2, 3]);
        let padded = built(&[4]);
        for table in [all_reachable, half_reachable, padded].concat() {
            for bit in 0..8 * table.payload().len() {
                let mut payload = table.payload().to_vec();
                payload[bit / 8] ^= 1 << (bit % 8);
                assert!(verdict(&table, &payload).is_err(), "{} bit {bit}", table.header.kind());
            }
        }
    }

    #[test]
    fn tables_that_look_consistent_but_are_wrong_are_refused() {
        let tables = built(&[1, 2, 3]);
        for table in &tables {
            // All zero: neighbours never differ by more than they may modulo 4.
            assert!(verdict(table, &vec![0; table.payload().len()]).is_err());
            // Built for other tiles, and so with its zero at another place.
            let others = built(&[5, 6, 7]);
            let other = others.iter().find(|other| other.header.kind() == table.header.kind()).unwrap();
            assert!(verdict(table, other.payload()).is_err());
        }
        // Right costs, wrong histogram.
        let mut histogram = tables[0].header.histogram().to_vec();
        histogram.swap(1, 2);
        let header = Header::new(*tables[0].header.pattern(), Kind::Bit, histogram, tables[0].payload()).unwrap();
        let verdict = audit(&header, tables[0].payload(), 1, &unwatched);
        assert!(matches!(verdict, Err(AuditError::Histogram)), "{verdict:?}");
    }
}
