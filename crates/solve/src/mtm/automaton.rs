//! Which moves are worth trying after which, in the metric `mtm`.
//!
//! As in the metric of single tiles ([`Automaton`](crate::Automaton)), different strings of moves may do the same to every board, and a
//! search for one solution needs only the first of them: the shortest, and of equally long ones the smallest in the order in which
//! moves are tried. A string with a forbidden one in it is forbidden. That no board loses all its shortest solutions is seen as there,
//! with one thing to add: where the better string is put in the place of the forbidden one, two moves along the same line may meet, which
//! are one; then the solution would be even shorter.
//!
//! Strings here alternate between the axes, and a move is one of the other squares of the blank's line. Nothing keeps parity, so a
//! string may do what one does that is shorter by one move.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use tilebase_puzzle::{Axis, MAX_SQUARES, Size, Square, State};

use crate::automaton::{GoOn, built_once};
use crate::packed::Packed;

/// No state, or a move that is allowed but needs no node.
const NONE: u32 = u32::MAX;
const LEAF: u32 = u32::MAX - 1;

/// What stands for the state after a move where there is no automaton.
pub(crate) const NEVER_FORBIDDEN: u32 = 0;

/// More than any side of a board.
const SIDES: usize = MAX_SQUARES / 2 + 1;

/// Knows, from the moves so far, which may come next.
#[derive(Debug)]
pub struct Automaton {
    /// How many numbers a row has: as many as a line of the board has other squares, the longer line.
    moves: usize,
    /// The state before the first move, for each square of the blank and axis of the move.
    starts: Vec<u32>,
    /// For each state the state after each move, in the order in which a search makes them, or [`Automaton::FORBIDDEN`].
    rows: Vec<u32>,
}

impl Automaton {
    /// What a row has for moves that are forbidden.
    pub const FORBIDDEN: u32 = NONE;

    /// Forbids all forbidden strings of at most `depth` moves.
    pub fn new(size: Size, depth: usize) -> Automaton {
        Automaton::new_while(size, depth, &|| true).expect("it is not stopped")
    }

    /// The same. `None` when told to stop, which is asked for every ten milliseconds or so.
    fn new_while(size: Size, depth: usize, go_on: GoOn<'_>) -> Option<Automaton> {
        minimised(&Tree::new(size, depth.max(1), go_on)?.automaton(), go_on)
    }

    /// The automaton that large iterations use; built at first use, in a tenth of a second.
    pub fn of(size: Size) -> &'static Automaton {
        Automaton::of_while(size, &|| true).expect("it is not stopped")
    }

    /// The same. `None` for a search that is told to stop while it is built.
    pub(crate) fn of_while(size: Size, go_on: GoOn<'_>) -> Option<&'static Automaton> {
        static AUTOMATA: [OnceLock<Automaton>; SIDES * SIDES] = [const { OnceLock::new() }; SIDES * SIDES];
        let place = &AUTOMATA[size.width() * SIDES + size.height()];
        built_once(place, go_on, || Automaton::new_while(size, Automaton::default_depth(size), go_on))
    }

    /// The depth of that one.
    pub fn default_depth(size: Size) -> usize {
        if size.count() <= 16 { 9 } else { 7 }
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.rows.len() / self.moves
    }

    /// The state before the first move, which is along an axis.
    pub fn start(&self, blank: Square, axis: Axis) -> u32 {
        self.starts[root(blank, axis) as usize]
    }

    /// The state after each move, in the order in which a search makes them: along the line in its first direction, nearest first, and
    /// then in the other.
    #[inline(always)]
    pub fn next(&self, state: u32) -> &[u32] {
        &self.rows[state as usize * self.moves..][..self.moves]
    }
}

/// A string that is not forbidden.
struct Node {
    parent: u32,
    /// The same without its first move.
    suffix: u32,
    /// The axis of the next move.
    axis: Axis,
    /// For each move a node, [`LEAF`] or [`NONE`].
    children: Vec<u32>,
    /// The blank's square afterwards.
    blank: Square,
    /// Whether a minimal forbidden string begins like this.
    prefix: bool,
}

/// All strings that are not forbidden, shorter ones first, then by start square and axis, then in their order.
struct Tree {
    size: Size,
    moves: usize,
    nodes: Vec<Node>,
}

impl Tree {
    fn new(size: Size, depth: usize, go_on: GoOn<'_>) -> Option<Tree> {
        let moves = size.width().max(size.height()) - 1;
        let starts = size.squares().flat_map(|blank| Axis::BOTH.map(|axis| (blank, axis)));
        let node =
            |(blank, axis)| Node { parent: NONE, suffix: NONE, axis, children: vec![NONE; moves], blank, prefix: true };
        let mut tree = Tree { size, moves, nodes: starts.map(node).collect() };
        // Of each start square, the boards that are known, and the last strings with their boards.
        let mut known: Vec<HashSet<u128>> = Vec::new();
        let mut levels: Vec<Vec<(u32, State)>> = Vec::new();
        for square in size.squares() {
            let start = State::solved(size, square);
            known.push(HashSet::from([u128::of(&start)]));
            levels.push(Axis::BOTH.map(|axis| (root(square, axis), start)).to_vec());
        }
        for length in 1..=depth {
            let extended = levels.iter().zip(&mut known);
            let extend = |(parents, known): (&Vec<_>, _)| go_on().then(|| tree.extend(parents, known, length == depth));
            levels = extended.map(extend).collect::<Option<_>>()?;
        }
        go_on().then_some(tree)
    }

    /// Extends the strings of a start square by one move. The new ones have no nodes when they are the `last` ones.
    fn extend(&mut self, parents: &[(u32, State)], known: &mut HashSet<u128>, last: bool) -> Vec<(u32, State)> {
        let mut level = Vec::new();
        for &(parent, board) in parents {
            let (axis, suffix) = (self.nodes[parent as usize].axis, self.nodes[parent as usize].suffix);
            for (number, after) in along(&board, axis).enumerate() {
                let suffix = match suffix {
                    NONE => root(after.blank(), axis.other()),
                    suffix => self.nodes[suffix as usize].children[number],
                };
                if suffix == NONE {
                    continue;
                }
                if !known.insert(u128::of(&after)) {
                    self.mark(parent);
                    continue;
                }
                self.nodes[parent as usize].children[number] = if last { LEAF } else { self.nodes.len() as u32 };
                if !last {
                    level.push((self.nodes.len() as u32, after));
                    self.nodes.push(Node {
                        parent,
                        suffix,
                        axis: axis.other(),
                        children: vec![NONE; self.moves],
                        blank: after.blank(),
                        prefix: false,
                    });
                }
            }
        }
        level
    }

    /// Makes a string and all that it begins with states.
    fn mark(&mut self, mut node: u32) {
        while !self.nodes[node as usize].prefix {
            self.nodes[node as usize].prefix = true;
            node = self.nodes[node as usize].parent;
        }
    }

    fn automaton(&self) -> Automaton {
        // The state of each node: that of the longest prefix the string ends with.
        let mut states: Vec<u32> = Vec::with_capacity(self.nodes.len());
        let mut count = 0;
        for node in &self.nodes {
            let state = if node.prefix { count } else { states[node.suffix as usize] };
            count += u32::from(node.prefix);
            states.push(state);
        }
        let mut rows = Vec::new();
        for node in self.nodes.iter().filter(|node| node.prefix) {
            rows.extend((0..self.moves).map(|number| match node.children[number] {
                NONE => NONE,
                LEAF if node.suffix == NONE => {
                    let state = State::solved(self.size, node.blank);
                    let after = along(&state, node.axis).nth(number).expect("an allowed move stays on the board");
                    states[root(after.blank(), node.axis.other()) as usize]
                }
                LEAF => states[self.nodes[node.suffix as usize].children[number] as usize],
                child => states[child as usize],
            }));
        }
        let starts = (0..2 * self.size.count() as u32).collect();
        Automaton { moves: self.moves, starts, rows }
    }
}

/// The node of the string of no moves.
fn root(blank: Square, axis: Axis) -> u32 {
    u32::from(blank.0) * 2 + axis as u32
}

/// The states one move along an axis away, in the order in which a search makes them.
fn along(state: &State, axis: Axis) -> impl Iterator<Item = State> {
    axis.directions().into_iter().flat_map(move |blank_goes| {
        let mut after = *state;
        std::iter::from_fn(move || {
            after.make(after.slide_in(blank_goes.opposite())?);
            Some(after)
        })
    })
}

/// The same with states joined that nothing in the future tells apart (Moore 1956). The starts stay what they are.
/// `None` when told to stop.
fn minimised(automaton: &Automaton, go_on: GoOn<'_>) -> Option<Automaton> {
    let moves = automaton.moves;
    let mut classes = vec![0; automaton.states()];
    let mut count = 1;
    loop {
        if !go_on() {
            return None;
        }
        let mut numbers: HashMap<Vec<u32>, u32> = HashMap::new();
        let next: Vec<u32> = (automaton.rows.chunks(moves).zip(&classes))
            .map(|(row, &own)| {
                let class = |&state: &u32| if state == NONE { NONE } else { classes[state as usize] };
                let key: Vec<u32> = [own].into_iter().chain(row.iter().map(class)).collect();
                let number = numbers.len() as u32;
                *numbers.entry(key).or_insert(number)
            })
            .collect();
        let is_done = numbers.len() == count;
        (classes, count) = (next, numbers.len());
        if is_done {
            break;
        }
    }
    // In the order of a search from the starts, so that states that are visited often are near each other.
    let mut names = vec![NONE; count];
    let mut states: Vec<u32> = Vec::new();
    let mut name = |state: u32, states: &mut Vec<u32>| {
        let name = &mut names[classes[state as usize] as usize];
        if *name == NONE {
            *name = states.len() as u32;
            states.push(state);
        }
        *name
    };
    let starts = automaton.starts.iter().map(|&start| name(start, &mut states)).collect();
    let mut rows = Vec::new();
    let mut done = 0;
    while let Some(&state) = states.get(done) {
        let row = automaton.next(state);
        rows.extend(row.iter().map(|&next| if next == NONE { NONE } else { name(next, &mut states) }));
        done += 1;
    }
    Some(Automaton { moves, starts, rows })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All strings of up to some moves that the automaton allows, by the board that they make from a start square: for each board the
    /// least number of moves.
    fn allowed(automaton: &Automaton, size: Size, start: Square, depth: u32) -> HashMap<u128, u32> {
        let board = State::solved(size, start);
        let mut least = HashMap::from([(u128::of(&board), 0)]);
        let mut level: Vec<(State, Axis, u32)> =
            Axis::BOTH.map(|axis| (board, axis, automaton.start(start, axis))).to_vec();
        for length in 1..=depth {
            let mut next = Vec::new();
            for (board, axis, state) in level {
                for (after, &state) in along(&board, axis).zip(automaton.next(state)) {
                    if state != Automaton::FORBIDDEN {
                        least.entry(u128::of(&after)).or_insert(length);
                        next.push((after, axis.other(), state));
                    }
                }
            }
            level = next;
        }
        least
    }

    #[test]
    fn every_board_is_reached_by_an_allowed_string_that_is_a_shortest_one() {
        for (width, height, depth, longer) in [(2, 2, 5, 9), (3, 2, 5, 9), (3, 3, 6, 8), (2, 4, 6, 8), (4, 4, 6, 7)] {
            let size = Size::new(width, height).unwrap();
            let [some, all] = [depth, 1].map(|depth| Automaton::new(size, depth));
            for start in [Square(0), Square(1), Square(width as u8 + 1)] {
                assert_eq!(allowed(&some, size, start, longer), allowed(&all, size, start, longer), "{size} {start:?}");
            }
        }
    }

    #[test]
    fn building_stops_at_the_next_piece_when_told_to() {
        let size = Size::new(3, 3).unwrap();
        let asked = std::cell::Cell::new(0);
        let go_on = |most: u32| {
            asked.set(asked.get() + 1);
            asked.get() <= most
        };
        let whole = Automaton::new_while(size, 6, &|| go_on(u32::MAX)).unwrap();
        assert_eq!(whole.states(), Automaton::new(size, 6).states());
        let pieces = asked.take();
        assert!(pieces > 6 * 9, "at least one for each square and length, found {pieces}");
        for most in [0, 1, 20, pieces - 1] {
            assert!(Automaton::new_while(size, 6, &|| go_on(most)).is_none());
            assert_eq!(asked.take(), most + 1);
        }
    }

    #[test]
    fn strings_of_six_moves_around_a_block_are_the_first_that_are_forbidden() {
        let size = Size::new(4, 4).unwrap();
        let count = |automaton: &Automaton, moves: u32| {
            let mut level: Vec<(State, Axis, u32)> = Axis::BOTH
                .map(|axis| (State::solved(size, Square(0)), axis, automaton.start(Square(0), axis)))
                .to_vec();
            for _ in 0..moves {
                let strings = level.iter().flat_map(|(board, axis, state)| {
                    let moves = along(board, *axis).zip(automaton.next(*state));
                    moves
                        .filter(|(_, state)| **state != Automaton::FORBIDDEN)
                        .map(|(after, &state)| (after, axis.other(), state))
                });
                level = strings.collect();
            }
            level.len()
        };
        let automaton = Automaton::new(size, 7);
        // As many as there are boards: the published counts.
        for (moves, boards) in [(1, 6), (2, 18), (3, 54), (4, 162), (5, 486), (6, 1457), (7, 4334)] {
            assert_eq!(count(&automaton, moves), boards, "{moves} moves");
        }
    }
}
