//! Korf's hundred boards, and what has been published about them.

use tilebase_puzzle::{Board, Goal};

/// A board of Korf 1985. Its goal has the blank first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Korf {
    /// Its number, from 1.
    pub(crate) id: u32,
    /// Nodes that IDA\* generates with the Manhattan distance.
    pub(crate) nodes: u64,
    pub(crate) board: Board,
}

/// What the boards are to reach.
pub(crate) const GOAL: Goal = Goal::BlankFirst;

/// All hundred.
pub(crate) fn korf() -> Vec<Korf> {
    let lines = include_str!("../../../tests/data/korf15.tsv").lines().filter(|line| !line.starts_with('#'));
    let korf = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [id, _, _, nodes, _, tiles] = cells[..] else { return None };
        Some(Korf { id: id.parse().ok()?, nodes: nodes.parse().ok()?, board: tiles.parse().ok()? })
    };
    lines.map(|line| korf(line).expect("the data of the tests is right")).collect()
}

/// The ones with the fewest nodes.
pub(crate) fn easiest(count: usize) -> Vec<Korf> {
    let mut boards = by_nodes();
    boards.truncate(count);
    boards
}

/// All of them, those with the fewest nodes first.
pub(crate) fn by_nodes() -> Vec<Korf> {
    let mut boards = korf();
    boards.sort_by_key(|korf| korf.nodes);
    boards
}
