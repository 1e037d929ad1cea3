//! Linear conflicts: tiles in the line where they belong that cannot pass each other.
//!
//! Of the tiles in the line where they belong, those that never leave it keep their order. So they must be in the right order
//! already, and the others leave the line and come back, two moves each that their Manhattan distances do not count. Most
//! tiles can stay if the longest sequence in the right order stays (Hansson, Mayer & Yung 1992 remove tiles one by one, one
//! with most conflicts first; of 2 4 1 5 3 that may remove 4 and then two more, where 1 and 3 would
//! do. The longest increasing subsequence is exact):
//!
//! ```text
//! goal row  1 2 3 4      here  4 1 3 2      1 3 or 1 2 can stay; two tiles leave: + 4
//! ```
//!
//! It is consistent: a tile that leaves its line goes one further from home and frees it of one leaver at most, so the bound
//! changes by + 1 or by + 1 − 2.

use crate::about::{About, FindingKind, Promise};
use crate::line::{Line, Rule};
use crate::lines::Lines;
use crate::long_lines::LongLines;

/// Manhattan distance plus two moves for each tile that has to leave its line: [the fewest](Conflicts) by which the others are
/// in the right order.
pub type LinearConflict = Lines<Conflicts>;

/// [`LinearConflict`] for sides longer than five.
pub type LongLinearConflict = LongLines<Conflicts>;

/// The rule of linear conflicts: all tiles leave that are not in a longest sequence in the right order.
#[derive(Clone, Debug)]
pub enum Conflicts {}

impl Rule for Conflicts {
    const ABOUT: About = About {
        name: "linear-conflict",
        summary: "manhattan, and the fewest tiles that leave a row or column to let others pass",
        promise: Promise::Consistent,
        promise_of_runs: Promise::Nothing,
    };

    fn leavers(line: &Line) -> u32 {
        // For each tile the length of the longest sequence in the right order that ends with it.
        let mut lengths: Vec<(usize, u32)> = Vec::new();
        for tile in line.tiles() {
            let before = lengths.iter().filter(|(goal, _)| *goal < tile.goal).map(|(_, length)| *length);
            lengths.push((tile.goal, before.max().unwrap_or(0) + 1));
        }
        let longest = lengths.iter().map(|(_, length)| *length).max().unwrap_or(0);
        lengths.len() as u32 - longest
    }

    fn findings(line: &Line) -> Vec<(FindingKind, Vec<usize>, u32)> {
        let places: Vec<usize> = line.in_conflict().map(|tile| tile.place).collect();
        if places.is_empty() { Vec::new() } else { vec![(FindingKind::Conflict, places, 2 * Self::leavers(line))] }
    }
}
