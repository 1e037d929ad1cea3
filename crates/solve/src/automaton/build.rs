//! Finds the forbidden strings and joins them to a machine that recognises them all at once (Aho and Corasick 1975).
//!
//! The strings that are *not* forbidden form a tree for each start, with one node for each board: the first string that makes it. So
//! the tree is that of a breadth-first search. Each node has a *suffix*, the node of the same string without its first move, in the
//! tree of the place where that move leads. A string s·d, one move longer than a string s of the tree, is
//!
//! * forbidden because a part of it is, if the suffix of s has no child d;
//! * a minimal forbidden string, if it has, but the board of s·d is already known;
//! * the next string of the tree otherwise.
//!
//! A state of the machine is a proper prefix of a minimal forbidden string. After any allowed string the machine is in the state
//! of the longest such prefix that the string ends with.

use tilebase_puzzle::{Size, Square};

use super::GoOn;
use super::alphabet::{Alphabet, lowest_bit};
use super::table::BoardTable;

/// The move is not allowed, or leads off the board.
pub(super) const NONE: u32 = u32::MAX;

/// The move is allowed, but the string is so long that its node is not needed.
const LEAF: u32 = u32::MAX - 1;

/// An automaton with any number of states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Machine<R> {
    /// The states before the first move, by place.
    pub(super) starts: Vec<u32>,
    /// For each state a number. Only states with the same number can be equivalent.
    pub(super) kinds: Vec<u32>,
    /// For each state the state after each move, or [`NONE`].
    pub(super) rows: Vec<R>,
}

impl<R: Copy> Machine<R> {
    /// Forbids all forbidden strings of at most `depth` moves. `None` if cancelled.
    pub(super) fn new<A: Alphabet<Row = R>>(size: Size, depth: usize, go_on: GoOn<'_>) -> Option<Machine<R>> {
        // A string of one move is never forbidden.
        Tree::new(A::new(size), size, depth.max(1), go_on).map(|tree| tree.machine())
    }
}

/// A string that is not forbidden.
struct Node<R> {
    parent: u32,
    suffix: u32,
    /// For each move a node, [`LEAF`] or [`NONE`].
    children: R,
    /// Where the string leads.
    place: u16,
    /// Whether a minimal forbidden string begins like this.
    prefix: bool,
}

/// A string that may be forbidden.
struct Candidate {
    /// The node of all moves but the last.
    parent: u32,
    suffix: u32,
    /// The number of the last move.
    last: u8,
    place: u16,
}

/// The strings of one length that are not forbidden, for one start square.
#[derive(Default)]
struct Level {
    /// The node of the first string; the others follow.
    first: usize,
    /// The board after each string: five bits for each square, 0 for the blank.
    boards: Vec<u128>,
}

/// All strings that are not forbidden: shorter ones first, then by start, then in the order of their moves.
struct Tree<A: Alphabet> {
    alphabet: A,
    nodes: Vec<Node<A::Row>>,
    starts: usize,
}

impl<A: Alphabet> Tree<A> {
    fn new(alphabet: A, size: Size, depth: usize, go_on: GoOn<'_>) -> Option<Tree<A>> {
        let starts = size.count() * A::PLACES;
        // The string of no moves is always a state.
        let root = |place: usize| Node {
            parent: NONE,
            suffix: NONE,
            children: A::NO_MOVES,
            place: place as u16,
            prefix: true,
        };
        let mut tree = Tree { alphabet, nodes: (0..starts).map(root).collect(), starts };
        let mut growth = Growth::default();
        // The strings of each start square that are two moves and one move shorter than the next ones.
        let mut two_shorter: Vec<Level> = size.squares().map(|_| Level::default()).collect();
        let no_moves = |start: Square| Level {
            first: start.index() * A::PLACES,
            boards: vec![first_board(size, start); A::PLACES],
        };
        let mut one_shorter: Vec<Level> = size.squares().map(no_moves).collect();
        for length in 1..=depth {
            let levels = two_shorter.iter().zip(&one_shorter);
            let extend = |(known, parents)| go_on().then(|| growth.extend(&mut tree, known, parents, length == depth));
            let longest = levels.map(extend).collect::<Option<_>>()?;
            (two_shorter, one_shorter) = (one_shorter, longest);
        }
        go_on().then_some(tree)
    }

    fn machine(&self) -> Machine<A::Row> {
        // The state of each node: that of the longest prefix that the string ends with.
        let mut states: Vec<u32> = Vec::with_capacity(self.nodes.len());
        let mut count = 0;
        for node in &self.nodes {
            let state = if node.prefix { count } else { states[node.suffix as usize] };
            count += u32::from(node.prefix);
            states.push(state);
        }
        let mut machine = Machine { starts: (0..self.starts as u32).collect(), kinds: Vec::new(), rows: Vec::new() };
        for node in self.nodes.iter().filter(|node| node.prefix) {
            machine.kinds.push(if A::KEEPS_PLACES { node.place.into() } else { 0 });
            let mut row = node.children;
            for (last, child) in row.as_mut().iter_mut().enumerate() {
                *child = match *child {
                    NONE => NONE,
                    LEAF => self.state_of_leaf(&states, node, last),
                    child => states[child as usize],
                };
            }
            machine.rows.push(row);
        }
        machine
    }

    /// The state after a string that has no node, which is no prefix.
    fn state_of_leaf(&self, states: &[u32], parent: &Node<A::Row>, last: usize) -> u32 {
        if parent.suffix == NONE {
            let place = self.alphabet.places(parent.place.into()).nth(last).flatten();
            return place.expect("an allowed move stays on the board") as u32;
        }
        states[self.nodes[parent.suffix as usize].children.as_ref()[last] as usize]
    }
}

/// What the growing tree needs and the grown one does not.
#[derive(Default)]
struct Growth {
    candidates: Vec<Candidate>,
    /// Their boards.
    boards: Vec<u128>,
    table: BoardTable,
}

impl Growth {
    /// Extends strings by one move. The new ones have no nodes when they are the `last` ones.
    ///
    /// A board that is known already is one of `two_shorter`, or, without parity, of the parents, or has been met here: if it were
    /// nearer to the start, the parent would not be the first string that makes its board.
    fn extend<A: Alphabet>(&mut self, tree: &mut Tree<A>, two_shorter: &Level, parents: &Level, last: bool) -> Level {
        self.collect_candidates(tree, parents);
        let nodes = &mut tree.nodes;
        let parents = if A::KEEPS_PARITY { &[][..] } else { &parents.boards };
        self.table.clear(two_shorter.boards.len() + parents.len() + self.candidates.len());
        for &board in two_shorter.boards.iter().chain(parents) {
            self.table.insert(board);
        }
        let known = self.table.boards.len();
        let first = nodes.len();
        for (candidate, &board) in self.candidates.iter().zip(&self.boards) {
            let parent = candidate.parent as usize;
            if !self.table.insert(board) {
                mark(nodes, parent);
                continue;
            }
            let child = if last { LEAF } else { nodes.len() as u32 };
            nodes[parent].children.as_mut()[usize::from(candidate.last)] = child;
            if !last {
                nodes.push(Node {
                    parent: candidate.parent,
                    suffix: candidate.suffix,
                    children: A::NO_MOVES,
                    place: candidate.place,
                    prefix: false,
                });
            }
        }
        let boards = if last { Vec::new() } else { self.table.boards[known..].to_vec() };
        Level { first, boards }
    }

    /// The strings that are one move longer and whose suffixes are not forbidden, in their order.
    fn collect_candidates<A: Alphabet>(&mut self, tree: &Tree<A>, parents: &Level) {
        self.candidates.clear();
        self.boards.clear();
        for (parent, &board) in (parents.first..).zip(&parents.boards) {
            let node = &tree.nodes[parent];
            let from = usize::from(node.place);
            for (last, to) in tree.alphabet.places(from).enumerate() {
                let Some(place) = to else { continue };
                let suffix = match node.suffix {
                    NONE => place as u32,
                    suffix => tree.nodes[suffix as usize].children.as_ref()[last],
                };
                if suffix != NONE {
                    let place = place as u16;
                    self.candidates.push(Candidate { parent: parent as u32, suffix, last: last as u8, place });
                    self.boards.push(tree.alphabet.after(board, from, last));
                }
            }
        }
    }
}

/// Makes a string and all that it begins with states.
fn mark<R>(nodes: &mut [Node<R>], mut node: usize) {
    while !nodes[node].prefix {
        nodes[node].prefix = true;
        node = nodes[node].parent as usize;
    }
}

/// A board of distinct tiles, each named by one more than its square, with the blank on a square.
fn first_board(size: Size, blank: Square) -> u128 {
    let tiles = size.squares().filter(|&square| square != blank);
    tiles.map(|square| (u128::from(square.0) + 1) << lowest_bit(square)).sum()
}
