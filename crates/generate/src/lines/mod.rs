//! Tables of lines, for the metric `mtm`: see [`LineIndex`].
//!
//! A line crosses one other line in each of its states, all of the other axis. So a level reads the lines of one axis and writes those of
//! the other, and then the other way round: no row is read and written at the same time. The new lines cost one move more than those that
//! a level looks for, which is never the same modulo 3. An unseen line crosses no line that was found before the last level. So two bits
//! are enough: the cost modulo 3, or unseen. Each row collects from the rows that cross it, so that the table does not depend on the
//! threads.
//!
//! The two axes count the tiles in different orders. What that does to the numbers of permutations is in [`turns`]; one level is in
//! [`search`], and the proof that a table is right in [`audit`].
//!
//! When several processes build together, each has an equal part of the rows ([`shares`]), and copies of the rows of others that cross
//! its own ([`guests`]).
pub(crate) mod audit;
mod guests;
mod search;
mod shares;
mod turns;

use tilebase_index::{Kind, LineIndex};
use tilebase_progress::Watch;
use tilebase_puzzle::Axis;

use crate::build::Build;
use crate::destination::{Destination, Outcome};
use crate::error::BuildError;
use crate::levels;
use crate::output::{Output, Payload, places};
use crate::peers::Peers;
use crate::scratch::Scratch;
use search::Search;
use shares::Shares;

pub(crate) use search::memory;
pub(crate) use shares::{Part, parts};

/// Bits of an entry.
const BITS: usize = 2;

/// Builds a table of lines, together with other processes if there are some.
pub(crate) fn build<D: Destination>(
    build: &Build,
    peers: &dyn Peers,
    destination: &D,
    scratch: Option<&Scratch>,
    watch: Watch<'_>,
) -> Outcome<D> {
    let index = LineIndex::new(build.pattern().size(), build.pattern().len())?;
    let shares = Shares::new(&index, peers.count());
    let mut search = Search::new(&index, build, peers, &shares).map_err(BuildError::Memory)?;
    let tallies = levels::run(&mut search, build, peers, scratch, watch)?;
    let (rows, entries) = search.pack();
    // Horizontal rows come first.
    let horizontal = index.rows_of(Axis::Horizontal);
    let [of_horizontal, of_vertical] = &rows;
    let of_vertical: Vec<u32> = of_vertical.iter().map(|row| horizontal as u32 + row).collect();
    let numbers = [of_horizontal, &of_vertical].map(|rows| rows.iter().copied());
    let places = places(horizontal + index.rows_of(Axis::Vertical), numbers);
    let owner = |row: usize| match row.checked_sub(horizontal) {
        None => shares.owner(Axis::Horizontal, row as u32),
        Some(row) => shares.owner(Axis::Vertical, row as u32),
    };
    let payload = Payload { places, halves: &entries, owner: &owner, perms: index.perms(), bits: BITS };
    let histogram = tallies.iter().map(|tally| tally.states).collect();
    let table = Output::new(build, peers, destination, watch).table(&payload, Kind::Lines, histogram)?;
    Ok(table.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Memory;
    use std::collections::HashMap;
    use tilebase_index::{LineView, UNREACHED_LINE};
    use tilebase_progress::unwatched;
    use tilebase_puzzle::{Axis, Pattern, Size, Square, State, Symmetry, Tile};

    /// Where the tiles of a pattern are, and the blank.
    type Seen = (Vec<Square>, Square);

    /// All states one move along an axis away, by sliding one tile after the other.
    fn along(size: Size, (tiles, blank): &Seen, axis: Axis) -> Vec<Seen> {
        let mut states = Vec::new();
        for direction in axis.directions() {
            let (mut tiles, mut blank) = (tiles.clone(), *blank);
            while let Some(next) = size.neighbour(blank, direction) {
                tiles.iter_mut().filter(|tile| **tile == next).for_each(|tile| *tile = blank);
                blank = next;
                states.push((tiles.clone(), blank));
            }
        }
        states
    }

    /// For each state and axis, how many moves lead to the goal if the first is along that axis, by a plain search over states: none of
    /// the code above. Moves are single slides, one after the other.
    fn costs(pattern: &Pattern) -> HashMap<(Seen, Axis), u32> {
        let (size, home) = (pattern.size(), pattern.home());
        let goal: Seen = (pattern.tiles().map(Tile::goal).collect(), home);
        let mut costs = HashMap::new();
        // Having come to the goal along an axis, backwards, the move before was along the other.
        let mut level: Vec<(Seen, Axis)> = Axis::BOTH.map(|axis| (goal.clone(), axis)).to_vec();
        for cost in 1.. {
            let mut next = Vec::new();
            for (state, axis) in &level {
                for before in along(size, state, *axis) {
                    if let std::collections::hash_map::Entry::Vacant(place) = costs.entry((before.clone(), *axis)) {
                        place.insert(cost);
                        next.push((before, axis.other()));
                    }
                }
            }
            if next.is_empty() {
                return costs;
            }
            level = next;
        }
        unreachable!("a search ends")
    }

    #[test]
    fn tables_are_those_of_a_plain_search_over_states_value_by_value() {
        for (width, height, home, tiles) in [
            (2, 2, 0, &[1][..]),
            (2, 2, 0, &[1, 2, 3]),
            (3, 2, 0, &[1, 4]),
            (3, 2, 1, &[0, 2, 3, 4, 5]),
            (2, 3, 0, &[1, 2, 3]),
            (2, 4, 3, &[0, 1, 6, 7]),
            (4, 2, 0, &[1, 2, 5, 6, 7]),
            (3, 3, 0, &[1, 2, 3, 4]),
            (3, 3, 4, &[0, 2, 6, 7, 8]),
            (3, 3, 1, &[0, 2, 3, 4, 5, 6]),
            (3, 3, 0, &[1, 2, 3, 4, 5, 6, 7]),
            (4, 4, 0, &[1, 6, 15]),
            (5, 3, 0, &[2, 7, 14]),
        ] {
            let size = Size::new(width, height).unwrap();
            let mask = tiles.iter().fold(0, |mask, tile| mask | 1u32 << tile);
            let pattern = Pattern::from_mask(size, Square(home), mask).unwrap();
            let expected = costs(&pattern);
            let built = Build::new(&pattern, &[Kind::Lines]).unwrap().run(2, &Memory, &unwatched).unwrap().remove(0);
            let index = LineIndex::new(size, pattern.len()).unwrap();
            let entry = |line: u64| built.payload()[line as usize / 4] >> (line % 4 * 2) & 3;
            let goals = index.goals(&pattern);
            let mut histogram = vec![0; built.header.histogram().len()];
            for line in 0..index.lines() {
                let axis = if line < index.rows_of(Axis::Horizontal) as u64 * u64::from(index.perms()) {
                    Axis::Horizontal
                } else {
                    Axis::Vertical
                };
                // Going on from the best state of a line takes no move along it, so that the others are what tells its cost.
                let cost = along(size, &index.first_state(line), axis).into_iter().chain([index.first_state(line)]);
                let cost = cost.filter_map(|state| expected.get(&(state, axis))).min().map(|cost| cost - 1);
                assert_eq!(entry(line), cost.map_or(UNREACHED_LINE, |cost| (cost % 3) as u8), "{pattern} {line}");
                assert_eq!(index.walk_down(goals, line, built.header.max(), entry), cost);
                if let Some(cost) = cost {
                    histogram[cost as usize] += 1;
                }
            }
            assert_eq!(built.header.histogram(), histogram);
            let view = LineView::new(&index, &pattern, Symmetry::IDENTITY);
            let solved = State::solved(size, Square(home));
            assert_eq!(Axis::BOTH.map(|axis| view.line_of(&index, axis, &solved)), goals);
        }
    }

    #[test]
    fn tables_do_not_depend_on_the_threads() {
        let pattern = Pattern::new(Size::new(4, 3).unwrap(), Square(0), &[1, 2, 4, 5, 8]).unwrap();
        let build = Build::new(&pattern, &[Kind::Lines]).unwrap();
        let tables = [1, 2, 5].map(|threads| build.run(threads, &Memory, &unwatched).unwrap().remove(0).into_bytes());
        assert!(tables[0] == tables[1] && tables[1] == tables[2]);
    }
}
