//! The Manhattan pair distance: conflicts counted in pairs, and carried along cheaply.
//!
//! Two tiles in the line where they belong, but in the wrong order, are a pair: one of them has to leave the line and come
//! back, two moves that the Manhattan distance does not count. Pairs that share no tile add up, so each tile has at most one
//! partner in its row and one in its column (Bauer 1994, *The Manhattan Pair Distance Heuristic for the 15-Puzzle*):
//!
//! ```text
//! goal row  12 13 14 15      here  14 15 12 13      12 with 14, and 13 with 15: + 4
//! ```
//!
//! At the first state the pairs are made as in Bauer's Definition 4: tiles in the order of their numbers, each that has no
//! partner takes one. The definition leaves open which; here it is the first that suits from the left, or from the top. That
//! makes the pairs that Bauer names beside figure 3a, where the row 10 9 8 3 has the pair 10–8; by numbers it would be 9–8.
//!
//! During a search only the tile that moves is seen to, as in Bauer's program. It leaves its partner when it leaves the line
//! (*remove-pairs*), and after its move it looks for a partner in its row and in its column, where it has none (*set-pairs*).
//! The partner left behind looks for none until it moves itself. So what a node knows depends on the path to it. Mostly it
//! knows no more than a fresh one, and a slide can raise the bound by 3; on lines of four or more it can even know of one pair
//! more, because Definition 4 does not always make the most pairs. Whatever pairs it knows are true, so the
//! bound is admissible; it is never above [`LinearConflict`](crate::LinearConflict).

use crate::about::{About, Promise};
use crate::line::{InLine, Line, Rule};
use crate::lines::Lines;
use crate::long_lines::LongLines;

/// Manhattan distance plus two moves for each [pair](Pairs), only the moving tile's pairs being made anew.
pub type PairDistance = Lines<Pairs>;

/// [`PairDistance`] for sides longer than five.
pub type LongPairDistance = LongLines<Pairs>;

/// Bauer's rule: the tile that moves leaves its partner, and looks for another.
#[derive(Clone, Debug)]
pub enum Pairs {}

/// Gives a tile without a partner the first in the line that suits.
fn find_partner(line: &mut Line, tile: InLine) {
    if line.partner(tile.goal).is_some() {
        return;
    }
    let suits = |other: &InLine| line.partner(other.goal).is_none() && tile.conflicts_with(*other);
    let partner = line.tiles().find(suits);
    if let Some(partner) = partner {
        line.pair(tile.goal, partner.goal);
    }
}

/// Makes all pairs of a line, tiles in the order of their numbers.
pub(crate) fn make_pairs(line: &mut Line) {
    line.part_all();
    let mut tiles: Vec<InLine> = line.tiles().collect();
    tiles.sort_by_key(|tile| tile.goal);
    tiles.into_iter().for_each(|tile| find_partner(line, tile));
}

impl Rule for Pairs {
    const ABOUT: About = About {
        name: "pair-distance",
        summary: "manhattan, and pairs in the wrong order; only the moving tile looks for a partner (Bauer)",
        promise: Promise::Admissible,
        promise_of_runs: Promise::Nothing,
    };

    fn begin(line: &mut Line) {
        make_pairs(line);
    }

    fn changed(line: &mut Line, moved: Option<InLine>) {
        if let Some(tile) = moved {
            find_partner(line, tile);
        }
    }
}
