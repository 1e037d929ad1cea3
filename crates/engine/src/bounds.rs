//! What lower bounds a solver is to ask for, put together while the program runs.

use tilebase_heuristics::{Additive, AllMoves, AnyListed, any_heuristic};
use tilebase_lookup::{AdditiveTable, AllMovesTable, Table};
use tilebase_puzzle::{Partition, Pattern, Symmetry};

use crate::runs;

/// Where a solver gets its bounds. The largest of all that are given counts.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Bounds {
    /// Heuristics of the list.
    pub listed: Vec<AnyListed>,
    /// Tables that count their own tiles' moves: for each partition, those of its patterns, to be added.
    pub partitions: Vec<Vec<Table>>,
    /// Tables that count all moves.
    pub all_moves: Vec<Table>,
    /// Tables of lines: for the metric `mtm`, where no others are.
    pub lines: Vec<Table>,
    /// How the board is seen by sums of tables, and by tables of lines.
    pub views: Views,
}

impl Bounds {
    /// The sum of the tables of a partition.
    pub fn sum(tables: Vec<Table>) -> Bounds {
        Bounds::sums(vec![tables])
    }

    /// The largest sum of several partitions.
    pub fn sums(partitions: Vec<Vec<Table>>) -> Bounds {
        Bounds { partitions, ..Bounds::default() }
    }

    /// The largest of some tables of lines.
    pub fn lines(tables: Vec<Table>) -> Bounds {
        Bounds { lines: tables, ..Bounds::default() }
    }

    /// Every table.
    pub fn tables(&self) -> impl Iterator<Item = &Table> {
        self.partitions.iter().flatten().chain(&self.all_moves).chain(&self.lines)
    }

    /// Every table, to be replaced by the same one with its bytes elsewhere.
    pub fn tables_mut(&mut self) -> impl Iterator<Item = &mut Table> {
        self.partitions.iter_mut().flatten().chain(&mut self.all_moves).chain(&mut self.lines)
    }

    /// The patterns of the tables of lines, those of every view, in the order in which a search asks them.
    pub fn patterns_of_lines(&self) -> Vec<Pattern> {
        let tables = runs::tables(&self.lines, self.views).unwrap_or_default();
        tables.iter().map(|table| *table.table().pattern()).collect()
    }

    /// A heuristic of the list.
    pub fn listed(heuristic: AnyListed) -> Bounds {
        Bounds { listed: vec![heuristic], ..Bounds::default() }
    }
}

/// Through which symmetries the tables of a partition see a board. A reflected board is as far from its goal, and the same
/// tables often know more about it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Views {
    /// Every symmetry that gives another view.
    #[default]
    All,
    /// The board as it is.
    One,
}

impl Views {
    /// The symmetries for a partition.
    pub fn of(self, partition: &Partition) -> Vec<Symmetry> {
        match self {
            Views::All => partition.views(),
            Views::One => vec![Symmetry::IDENTITY],
        }
    }
}

/// The most views of tables that count all moves.
pub(crate) const ALL_MOVES_VIEWS: usize = 8;

any_heuristic! {
    /// Anything that gives bounds, with at most `SLOTS` patterns in a sum.
    pub(crate) enum Member, MemberNode, MemberStep [SLOTS] {
        Listed(AnyListed),
        Sums(Additive<AdditiveTable, SLOTS>),
        AllMoves(AllMoves<AllMovesTable, ALL_MOVES_VIEWS>),
    }
}
