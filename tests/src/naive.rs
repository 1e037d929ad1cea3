//! The naive references: breadth-first searches over squares of tiles and blank.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

use tilebase_index::Kind;
use tilebase_puzzle::{Direction, Pattern, Size, Square, State, Tile};

/// A map whose order is the same in every run.
pub type FixedMap<K, V> = HashMap<K, V, BuildHasherDefault<Mix>>;

/// A set whose order is the same in every run.
pub type FixedSet<K> = HashSet<K, BuildHasherDefault<Mix>>;

/// Where the tiles of a pattern and the blank are: five bits for each square, the blank's lowest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Placement(u64);

impl Placement {
    /// From the squares of the pattern's tiles, in the order of the tiles, and the blank's.
    ///
    /// # Panics
    /// When there are more than eleven tiles: the twelfth does not fit.
    pub fn new(tiles: &[Square], blank: Square) -> Placement {
        assert!(tiles.len() <= 11, "a placement holds at most eleven tiles");
        let mut bits = 0;
        for square in tiles.iter().rev() {
            bits = bits << 5 | u64::from(square.0);
        }
        Placement(bits << 5 | u64::from(blank.0))
    }

    /// The blank's square.
    pub fn blank(self) -> Square {
        Square((self.0 & 31) as u8)
    }

    /// The square of the pattern's tile with a number, from 0.
    pub fn tile(self, number: usize) -> Square {
        Square((self.0 >> (5 * (number + 1)) & 31) as u8)
    }

    /// The number of the tile on a square, among the first `tiles` tiles.
    pub fn tile_on(self, square: Square, tiles: usize) -> Option<usize> {
        (0..tiles).find(|&number| self.tile(number) == square)
    }

    /// The placement after the blank goes to the square beside it, and a tile that is there to where the blank was.
    #[must_use]
    pub fn after(self, blank: Square, tiles: usize) -> Placement {
        let exchanged = u64::from(self.blank().0 ^ blank.0);
        let tile = self.tile_on(blank, tiles).map_or(0, |number| exchanged << (5 * (number + 1)));
        Placement(self.0 ^ exchanged ^ tile)
    }
}

/// The cost of every placement of a pattern from which the goal can be reached: how many moves are needed at least. Where
/// only moves of the pattern's tiles count, those of other tiles are free.
///
/// A 0-1 breadth-first search: placements to which a free move leads go to the front of the queue, others to its end.
pub fn pattern_costs(pattern: &Pattern, counting: Kind) -> FixedMap<Placement, u32> {
    let (size, tiles) = (pattern.size(), pattern.len());
    let goals: Vec<Square> = pattern.tiles().map(Tile::goal).collect();
    let goal = Placement::new(&goals, pattern.home());
    let mut costs = FixedMap::default();
    costs.insert(goal, 0);
    let mut queue = VecDeque::from([(goal, 0)]);
    while let Some((placement, cost)) = queue.pop_front() {
        if costs[&placement] < cost {
            continue;
        }
        for blank in neighbours(size, placement.blank()) {
            let counts = counting == Kind::AllMoves || placement.tile_on(blank, tiles).is_some();
            let (next, next_cost) = (placement.after(blank, tiles), cost + u32::from(counts));
            if costs.get(&next).is_none_or(|&known| next_cost < known) {
                costs.insert(next, next_cost);
                if counts {
                    queue.push_back((next, next_cost));
                } else {
                    queue.push_front((next, next_cost));
                }
            }
        }
    }
    costs
}

/// The squares beside a square.
pub fn neighbours(size: Size, square: Square) -> impl Iterator<Item = Square> {
    Direction::ALL.into_iter().filter_map(move |direction| size.neighbour(square, direction))
}

/// The states one slide away from a state.
pub fn successors(state: &State) -> impl Iterator<Item = State> {
    Direction::ALL.into_iter().filter_map(|direction| {
        let mut next = *state;
        next.make(state.slide_in(direction)?);
        Some(next)
    })
}

/// How far states are from the goal.
#[derive(Clone, Debug)]
pub struct Distances {
    states: Vec<State>,
    distance: FixedMap<State, u32>,
}

impl Distances {
    /// The true distance of a state, if it is one of those found.
    pub fn get(&self, state: &State) -> Option<u32> {
        self.distance.get(state).copied()
    }

    /// All states found, near ones first.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The largest distance.
    ///
    /// # Panics
    /// Never: the goal is always there.
    pub fn deepest(&self) -> u32 {
        self.distance[self.states.last().expect("the goal is always there")]
    }

    /// How many shortest ways lead from each state to the goal: as many as from all neighbours that are nearer, together.
    pub fn shortest_paths(&self) -> FixedMap<State, u64> {
        let mut paths: FixedMap<State, u64> = FixedMap::default();
        for state in &self.states {
            let distance = self.distance[state];
            let nearer = successors(state).filter(|next| self.get(next).is_some_and(|there| there < distance));
            let count: u64 = nearer.map(|next| paths[&next]).sum();
            paths.insert(*state, if distance == 0 { 1 } else { count });
        }
        paths
    }
}

/// The distances of all states up to `most` moves from the goal whose blank is on `home`, by breadth-first search.
pub fn distances(size: Size, home: Square, most: u32) -> Distances {
    let goal = State::solved(size, home);
    let mut found = Distances { states: vec![goal], distance: FixedMap::default() };
    found.distance.insert(goal, 0);
    let mut next = 0;
    while let Some(state) = found.states.get(next).copied() {
        next += 1;
        let distance = found.distance[&state] + 1;
        if distance > most {
            break;
        }
        for successor in successors(&state) {
            if let Entry::Vacant(unseen) = found.distance.entry(successor) {
                unseen.insert(distance);
                found.states.push(successor);
            }
        }
    }
    found
}

/// All boards of at most 16 squares that are at most so far from the goal. Searches from elsewhere meet them half way.
#[derive(Clone, Debug)]
pub struct Ball {
    distance: FixedMap<u64, u32>,
}

/// A board: four bits for each square, the blank's those of its home; and where the blank is.
type Packed = (u64, Square);

fn packed(state: &State) -> Packed {
    let tiles = state.size().squares().map(|square| u64::from(state.tile(square).0) << (4 * square.0));
    (tiles.sum(), state.blank())
}

/// The boards one slide away that have not been seen, which they are from now on.
fn next_level(size: Size, home: Square, level: &[Packed], mut is_new: impl FnMut(u64) -> bool) -> Vec<Packed> {
    let mut next = Vec::new();
    for &(tiles, blank) in level {
        for from in neighbours(size, blank) {
            let exchanged = tiles >> (4 * from.0) & 15 ^ u64::from(home.0);
            let after = tiles ^ exchanged << (4 * from.0) ^ exchanged << (4 * blank.0);
            if is_new(after) {
                next.push((after, from));
            }
        }
    }
    next
}

impl Ball {
    /// All boards up to `most` moves from the goal.
    pub fn new(size: Size, home: Square, most: u32) -> Ball {
        let mut level = vec![packed(&State::solved(size, home))];
        let mut distance: FixedMap<u64, u32> = level.iter().map(|&(tiles, _)| (tiles, 0)).collect();
        for moves in 1..=most {
            level = next_level(size, home, &level, |tiles| match distance.entry(tiles) {
                Entry::Vacant(unseen) => {
                    unseen.insert(moves);
                    true
                }
                Entry::Occupied(_) => false,
            });
        }
        Ball { distance }
    }

    /// The true distance of any state: a breadth-first search from it until it meets the ball.
    ///
    /// # Panics
    /// When the goal cannot be reached.
    pub fn meet(&self, state: &State) -> u32 {
        let mut level = vec![packed(state)];
        let mut seen: FixedSet<u64> = level.iter().map(|&(tiles, _)| tiles).collect();
        for made in 0.. {
            if let Some(left) = level.iter().filter_map(|(tiles, _)| self.distance.get(tiles)).min() {
                return made + left;
            }
            assert!(!level.is_empty(), "the board cannot be solved");
            let is_new = |tiles| seen.insert(tiles);
            level = next_level(state.size(), state.home(), &level, is_new);
        }
        unreachable!("a level is empty in the end")
    }
}

/// A small, fast hasher: rotate, exclusive or, multiply. The standard one takes most of the time of these searches.
#[derive(Clone, Copy, Default, Debug)]
pub struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_depths_and_numbers_of_states_are_found() {
        let known = [(2, 2, 12, 6), (3, 2, 360, 21), (2, 3, 360, 21), (2, 4, 20_160, 36), (3, 3, 181_440, 31)];
        for (width, height, states, deepest) in known {
            let found = distances(Size::new(width, height).unwrap(), Square(0), u32::MAX);
            assert_eq!((found.states().len(), found.deepest()), (states, deepest), "{width}x{height}");
        }
    }

    #[test]
    fn a_pattern_of_all_tiles_costs_the_true_distance() {
        let size = Size::new(3, 2).unwrap();
        let pattern = Pattern::new(size, Square(0), &[1, 2, 3, 4, 5]).unwrap();
        let costs = pattern_costs(&pattern, Kind::Bit);
        let found = distances(size, Square(0), u32::MAX);
        assert_eq!(costs.len(), found.states().len());
        for state in found.states() {
            let mut tiles = [Square(0); 5];
            for square in size.squares().filter(|&square| square != state.blank()) {
                tiles[state.tile(square).index() - 1] = square;
            }
            assert_eq!(Some(costs[&Placement::new(&tiles, state.blank())]), found.get(state));
        }
    }

    #[test]
    fn searches_in_both_directions_find_the_true_distance() {
        let size = Size::new(3, 3).unwrap();
        let found = distances(size, Square(4), u32::MAX);
        let ball = Ball::new(size, Square(4), 9);
        assert!(found.states().iter().step_by(997).all(|state| found.get(state) == Some(ball.meet(state))));
    }

    #[test]
    fn one_tile_alone_costs_its_manhattan_distance() {
        let size = Size::new(3, 3).unwrap();
        let costs = pattern_costs(&Pattern::new(size, Square(0), &[4]).unwrap(), Kind::Bit);
        assert_eq!(costs.len(), 72);
        assert!(costs.iter().all(|(placement, &cost)| cost == size.distance(placement.tile(0), Square(4))));
    }
}
