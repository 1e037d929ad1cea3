//! Costs from nothing but their second bits, by walking downhill to the goal.

use tilebase_puzzle::Square;

use crate::numbers::below;
use crate::{Follow, Index, Map, Perm, Rotation, Row, Standing, regions};

impl Index {
    /// The cost of a state in a table that has the second bit of every cost, by walking downhill to the goal, a step at a
    /// time; `second_bit` gives the bit of the state with a number. `None` when the walk ends elsewhere or is longer than `max`:
    /// the state cannot be reached from the goal, or the table is damaged.
    ///
    /// The first bit of a cost follows from the row's [`colour`](crate::BuilderIndex::colour), so costs are known modulo 4;
    /// neighbours differ by one, which tells the cheaper ones from the others.
    pub fn walk_down(&self, goal: Row, start: (Row, Perm), max: u32, second_bit: impl Fn(u64) -> u32) -> Option<u32> {
        self.walk_down_by(self, goal, start, max, |_| {}, second_bit)
    }

    /// The same with a follower. If that is [quick](Follow::IS_QUICK), all bits that a step may need are prefetched before the
    /// first is read.
    pub fn walk_down_by<F: Follow>(
        &self,
        follower: &F,
        goal: Row,
        (row, perm): (Row, Perm),
        max: u32,
        prefetch: impl Fn(u64),
        second_bit: impl Fn(u64) -> u32,
    ) -> Option<u32> {
        let (squares, mut region) = self.squares_and_region(row);
        let (goal_squares, goal_region) = self.squares_and_region(goal);
        let goal = Standing { squares: goal_squares, perm: Perm(0) };
        let mut standing = Standing { squares, perm };
        let colour = self.colour_of(squares, region) ^ self.colour_of(goal_squares, goal_region);
        let mut cost_mod_4 = 2 * second_bit(self.state_number(row, perm)) + colour;
        for steps in 0..=max {
            if (standing, region) == (goal, goal_region) {
                return Some(steps);
            }
            let neighbours = || {
                let contacts = regions::contacts(self.size(), region, self.movable(standing.squares));
                contacts.map(|(to, from)| {
                    let mut after = standing;
                    if standing.squares & from.bit() != 0 {
                        follower.step(&mut after, from, to);
                    }
                    (after, from, follower.state_number(&after, from))
                })
            };
            if F::IS_QUICK {
                neighbours().for_each(|(_, _, number)| prefetch(number));
            }
            // Each step changes the colour, so that the second bit decides.
            cost_mod_4 = (cost_mod_4 + 3) % 4;
            let (after, blank, _) = neighbours().find(|&(_, _, number)| second_bit(number) == cost_mod_4 / 2)?;
            standing = after;
            let free = self.size().all_squares() & !after.squares;
            region =
                if self.kind().counts_all_moves() { blank.bit() } else { regions::around(self.size(), blank, free) };
        }
        None
    }
}

/// Follows states by counting, without any tables.
impl Follow for Index {
    const IS_QUICK: bool = false;

    fn step(&self, standing: &mut Standing, from: Square, to: Square) {
        let squares = standing.squares ^ from.bit() ^ to.bit();
        let (leaves, enters) = (below(standing.squares, from), below(squares, to));
        let rotation = Rotation::new(self.tiles(), leaves.into(), enters.into());
        *standing = Standing { squares, perm: rotation.apply(standing.perm) };
    }

    fn map(&self, standing: &Standing) -> Map {
        Index::map(self, standing.squares)
    }

    fn number_of_map(&self, standing: &Standing, _map: Map, blank: Square) -> u64 {
        Follow::state_number(self, standing, blank)
    }

    /// The row is counted without the map's number.
    fn state_number(&self, standing: &Standing, blank: Square) -> u64 {
        Index::state_number(self, self.row_of(standing.squares, blank), standing.perm)
    }
}
