//! The largest of several tables of lines.

use tilebase_index::LineCosts;
use tilebase_puzzle::{Axis, State, Symmetry};

use super::{Position, RunHeuristic};

/// The largest cost of up to `N` tables of lines. A table that sees the board through a symmetry is one for itself.
#[derive(Clone, Debug)]
pub struct LineTables<T, const N: usize> {
    tables: Vec<T>,
}

impl<T: LineCosts, const N: usize> LineTables<T, N> {
    /// The largest of these. `None` when there are none, or more than `N`.
    pub fn new(tables: Vec<T>) -> Option<LineTables<T, N>> {
        (1..=N).contains(&tables.len()).then_some(LineTables { tables })
    }

    /// The tables.
    pub fn tables(&self) -> &[T] {
        &self.tables
    }

    #[inline(always)]
    fn line(table: &T, position: &Position, axis: Axis) -> u64 {
        table.view().line(table.index(), axis, position.squares(), position.blank())
    }
}

impl<T: LineCosts, const N: usize> RunHeuristic for LineTables<T, N> {
    /// The cost of the line in each table.
    type Node = [u8; N];

    /// The line in the first table.
    type Begun = u64;

    fn root(&self, position: &Position, axis: Axis) -> Option<[u8; N]> {
        let mut costs = [0; N];
        for (table, cost) in self.tables.iter().zip(&mut costs) {
            *cost = table.cost(Self::line(table, position, axis))?.try_into().ok()?;
        }
        Some(costs)
    }

    #[inline(always)]
    fn cost(&self, costs: &[u8; N]) -> u32 {
        // From a line of the goal it is one move along that line.
        u32::from(costs.iter().fold(0, |largest, &cost| largest.max(cost))) + 1
    }

    #[inline(always)]
    fn begin(&self, position: &Position, axis: Axis) -> u64 {
        let first = &self.tables[0];
        let line = Self::line(first, position, axis);
        first.prefetch(line);
        line
    }

    #[inline(always)]
    fn finish(&self, costs: &[u8; N], begun: u64, position: &Position, axis: Axis, most: u32) -> Result<[u8; N], u32> {
        let mut after = *costs;
        let mut line = begun;
        for (number, (table, cost)) in self.tables.iter().zip(&mut after).enumerate() {
            if number > 0 {
                line = Self::line(table, position, axis);
            }
            *cost = crossing(*cost, table.entry(line));
            if u32::from(*cost) + 1 > most {
                return Err(u32::from(*cost) + 1);
            }
        }
        Ok(after)
    }

    fn pattern_costs(&self, state: &State) -> Option<Vec<(Symmetry, Vec<u32>)>> {
        let position = Position::of(state);
        let cost = |table: &T| {
            let [horizontal, vertical] = Axis::BOTH.map(|axis| table.cost(Self::line(table, &position, axis)));
            let is_home = table.pattern().tiles().all(|tile| position.squares()[tile.index()] == tile.goal())
                && position.blank() == state.home();
            Some(if is_home { 0 } else { horizontal?.min(vertical?) + 1 })
        };
        // Each stands for itself: they are not added.
        self.tables.iter().map(|table| Some((Symmetry::IDENTITY, vec![cost(table)?]))).collect()
    }
}

/// The cost of a line that crosses one with a known cost, given its own modulo 3: it differs by one at most. What a damaged table says
/// makes the cost wrong, and nothing worse.
#[inline(always)]
fn crossing(cost: u8, entry: u8) -> u8 {
    // By how much the entry is ahead, modulo 3: 0, 1, or 2, which is one behind.
    let ahead = (entry + 3 - cost % 3) % 3;
    cost.saturating_add(u8::from(ahead == 1)).saturating_sub(u8::from(ahead == 2))
}
