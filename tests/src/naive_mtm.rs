//! The naive reference for the metric `mtm`, where one tile or several that slide together in a line are one move: a breadth-first search
//! over states, in which moves are slides of single tiles, one after the other. It knows nothing of lines, tables or alternating axes.

use tilebase_puzzle::{Axis, Board, Random, Size, Square, State};

use crate::naive::{FixedMap, FixedSet};

/// All states one move along an axis away.
pub fn along(state: &State, axis: Axis) -> Vec<State> {
    let mut states = Vec::new();
    for direction in axis.directions() {
        let mut after = *state;
        while let Some(slide) = after.slide_in(direction) {
            after.make(slide);
            states.push(after);
        }
    }
    states
}

/// All states one move away.
pub fn successors(state: &State) -> impl Iterator<Item = State> {
    Axis::BOTH.into_iter().flat_map(|axis| along(state, axis))
}

/// The board of a state, with the labels of a goal whose blank is on the state's home. No frame is asked.
///
/// # Panics
/// When the goal's blank is elsewhere.
pub fn board(goal: &Board, state: &State) -> Board {
    assert_eq!(goal.blank(), state.home(), "the goal is another puzzle's");
    let labels: Vec<u64> =
        goal.size().squares().map(|square| u64::from(goal.label(state.tile(square).goal()))).collect();
    Board::new(goal.size(), &labels).expect("as many labels as the goal has")
}

/// How far all states of a puzzle are from the goal, and by how many ways.
#[derive(Clone, Debug)]
pub struct Distances {
    states: Vec<State>,
    numbers: FixedMap<State, usize>,
    /// For each state the others on its line along each axis.
    along: Vec<[Vec<u32>; 2]>,
    moves: Vec<u32>,
    ways: Vec<u64>,
}

impl Distances {
    /// All states of a size whose blank belongs on `home`.
    pub fn new(size: Size, home: Square) -> Distances {
        let goal = State::solved(size, home);
        let mut found = Distances {
            states: vec![goal],
            numbers: [(goal, 0)].into_iter().collect(),
            along: Vec::new(),
            moves: vec![0],
            ways: vec![1],
        };
        let mut number = 0;
        while let Some(state) = found.states.get(number).copied() {
            let lines =
                Axis::BOTH.map(|axis| along(&state, axis).iter().map(|next| found.reach(next, number)).collect());
            found.along.push(lines);
            number += 1;
        }
        found
    }

    /// Notes that a state is one move from another. States are reached in the order of their distances, so that all ways to a state are
    /// known before it is left.
    fn reach(&mut self, state: &State, from: usize) -> u32 {
        let distance = self.moves[from] + 1;
        let number = *self.numbers.entry(*state).or_insert_with(|| {
            self.states.push(*state);
            self.moves.push(distance);
            self.ways.push(0);
            self.states.len() - 1
        });
        if self.moves[number] == distance {
            self.ways[number] += self.ways[from];
        }
        number as u32
    }

    /// All states, near ones first.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The number of a state among them.
    pub fn number(&self, state: &State) -> usize {
        self.numbers[state]
    }

    /// The numbers of the states one move along an axis from the one with a number.
    pub fn along(&self, number: usize, axis: Axis) -> impl Iterator<Item = usize> {
        self.along[number][axis as usize].iter().map(|&other| other as usize)
    }

    /// The distance of the state with a number.
    pub fn distance(&self, number: usize) -> u32 {
        self.moves[number]
    }

    /// How many shortest solutions it has.
    pub fn ways(&self, number: usize) -> u64 {
        self.ways[number]
    }

    /// How many moves the shortest solution has whose first move is along an axis. The second may be, too.
    ///
    /// # Panics
    /// Never: every line has two states or more.
    pub fn beginning_along(&self, number: usize, axis: Axis) -> u32 {
        let others = self.along(number, axis).map(|other| self.distance(other));
        others.min().expect("every line has two states or more") + 1
    }
}

/// All states that are at most some moves from the goal, each with its distance and the number of shortest ways. Searches from elsewhere
/// meet them half way.
#[derive(Clone, Debug)]
pub struct Ball {
    reached: FixedMap<State, (u32, u64)>,
    most: u32,
}

impl Ball {
    /// All states up to `most` moves from the goal.
    pub fn new(size: Size, home: Square, most: u32) -> Ball {
        let goal = State::solved(size, home);
        let mut reached = FixedMap::default();
        reached.insert(goal, (0, 1));
        let mut level = vec![(goal, 1)];
        for distance in 1..=most {
            let seen: FixedSet<State> = reached.keys().copied().collect();
            level = next_level(&level, |state| !seen.contains(state));
            reached.extend(level.iter().map(|&(state, ways)| (state, (distance, ways))));
        }
        Ball { reached, most }
    }

    /// The distance of a state, and how many shortest solutions it has.
    ///
    /// # Panics
    /// When the goal cannot be reached.
    pub fn meet(&self, state: &State) -> (u32, u64) {
        let mut seen: FixedSet<State> = FixedSet::default();
        seen.insert(*state);
        let mut level = vec![(*state, 1)];
        for made in 0.. {
            assert!(!level.is_empty(), "the board cannot be solved");
            let met = |&(state, ways): &(State, u64)| {
                let (left, rest) = *self.reached.get(&state)?;
                Some((left, ways * rest))
            };
            let met: Vec<(u32, u64)> = level.iter().filter_map(met).collect();
            if let Some(left) = met.iter().map(|&(left, _)| left).min() {
                // All shortest solutions go on from this level: it is the first that meets the ball, or the start.
                debug_assert!(made == 0 || left == self.most);
                return (made + left, met.iter().filter(|met| met.0 == left).map(|met| met.1).sum());
            }
            level = next_level(&level, |state| !seen.contains(state));
            seen.extend(level.iter().map(|&(state, _)| state));
        }
        unreachable!("a level is empty in the end")
    }
}

/// The states one move from those of a level that are new, each with the number of ways to it.
fn next_level(level: &[(State, u64)], is_new: impl Fn(&State) -> bool) -> Vec<(State, u64)> {
    let mut ways: FixedMap<State, u64> = FixedMap::default();
    for (state, of_state) in level {
        for next in successors(state).filter(|next| is_new(next)) {
            *ways.entry(next).or_default() += of_state;
        }
    }
    ways.into_iter().collect()
}

/// Where a random walk of some moves ends, each along another axis than the one before.
pub fn random_walk(start: &State, moves: u32, random: &mut Random) -> State {
    let mut state = *start;
    let mut axis = Axis::BOTH[random.below(2) as usize];
    for _ in 0..moves {
        let next = along(&state, axis);
        state = next[random.below(next.len() as u64) as usize];
        axis = axis.other();
    }
    state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_depths_and_numbers_of_states_are_found() {
        // The farthest boards and how many they are, as `tilebase census --metric mtm` has them.
        for (width, height, home, states, farthest) in [
            (2, 2, 0, 12, (6, 1)),
            (3, 3, 0, 181_440, (24, 1)),
            (3, 3, 1, 181_440, (24, 2)),
            (3, 3, 4, 181_440, (24, 4)),
        ] {
            let found = Distances::new(Size::new(width, height).unwrap(), Square(home));
            let deepest = *found.moves.last().unwrap();
            let count = found.moves.iter().filter(|&&distance| distance == deepest).count();
            assert_eq!((found.states().len(), (deepest, count)), (states, farthest), "{width}x{height}");
        }
    }

    #[test]
    fn searches_in_both_directions_find_the_distance_and_all_ways() {
        let size = Size::new(3, 3).unwrap();
        let found = Distances::new(size, Square(1));
        let ball = Ball::new(size, Square(1), 8);
        for number in (0..found.states().len()).step_by(1009).chain(0..100) {
            assert_eq!(ball.meet(&found.states()[number]), (found.distance(number), found.ways(number)));
        }
    }
}
