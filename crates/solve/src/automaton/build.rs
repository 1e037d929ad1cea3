//! Finds the forbidden strings and joins them to a machine that meets them all at once (Aho and Corasick 1975).
//!
//! The strings that are *not* forbidden form a tree for each start square, with one node for each board: the first string
//! that makes it. So the tree is that of a breadth-first search. Each node knows its *suffix*, the node of the same string
//! without its first move, in the tree of the square where that move leads. Then a string s·d, one move longer than a
//! string s of the tree, is
//!
//! * forbidden because of a part of it, when the suffix of s has no child d;
//! * a minimal forbidden string, when it has, but the board of s·d is already known;
//! * the next string of the tree otherwise.
//!
//! A state of the machine is a proper prefix of a minimal forbidden string. After any allowed string it is in the state
//! of the longest of them that the string ends with.

use tilebase_puzzle::{Direction, Size, Square};

use super::GoOn;
use super::table::BoardTable;

/// The move is not allowed, or leads off the board.
pub(super) const NONE: u32 = u32::MAX;

/// The move is allowed, but the string is so long that its node is not needed.
const LEAF: u32 = u32::MAX - 1;

/// An automaton of any number of states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Machine {
    /// The first `starts` states are those before the first move, one for each square.
    pub(super) starts: usize,
    /// Where the blank is in each state.
    pub(super) blanks: Vec<Square>,
    /// The state after each move, or [`NONE`].
    pub(super) rows: Vec<[u32; 4]>,
}

impl Machine {
    /// Forbids all forbidden strings of at most `depth` moves. `None` when told to stop.
    pub(super) fn new(size: Size, depth: usize, go_on: GoOn<'_>) -> Option<Machine> {
        // A string of one move is never forbidden.
        Tree::new(size, depth.max(1), go_on).map(|tree| tree.machine())
    }
}

/// A string that is not forbidden.
struct Node {
    parent: u32,
    suffix: u32,
    /// For each move a node, [`LEAF`] or [`NONE`].
    children: [u32; 4],
    /// Where the blank is afterwards.
    blank: Square,
    /// Whether a minimal forbidden string begins like this.
    prefix: bool,
}

/// A string that may be forbidden.
struct Candidate {
    /// The node of all moves but the last.
    parent: u32,
    suffix: u32,
    last: Direction,
    blank: Square,
}

/// The strings of one start square and one length that are not forbidden.
#[derive(Default)]
struct Level {
    /// The first one's node; the others follow.
    first: usize,
    /// The board after each string: five bits for each square, 0 for the blank.
    boards: Vec<u128>,
}

/// All strings that are not forbidden, shorter ones first, then by start square, then in their order.
struct Tree {
    size: Size,
    nodes: Vec<Node>,
}

impl Tree {
    fn new(size: Size, depth: usize, go_on: GoOn<'_>) -> Option<Tree> {
        // The string of no moves is always a state.
        let root = |blank| Node { parent: NONE, suffix: NONE, children: [NONE; 4], blank, prefix: true };
        let mut tree = Tree { size, nodes: size.squares().map(root).collect() };
        let mut growth = Growth::new(size);
        // The strings of each start square that are two moves and one move shorter than those that come next.
        let mut two_shorter: Vec<Level> = size.squares().map(|_| Level::default()).collect();
        let no_moves = |start: Square| Level { first: start.index(), boards: vec![first_board(size, start)] };
        let mut one_shorter: Vec<Level> = size.squares().map(no_moves).collect();
        for length in 1..=depth {
            let levels = two_shorter.iter().zip(&one_shorter);
            let extend =
                |(known, parents)| go_on().then(|| growth.extend(&mut tree.nodes, known, parents, length == depth));
            let longest = levels.map(extend).collect::<Option<_>>()?;
            (two_shorter, one_shorter) = (one_shorter, longest);
        }
        go_on().then_some(tree)
    }

    fn machine(&self) -> Machine {
        // The state of each node: that of the longest prefix the string ends with.
        let mut states: Vec<u32> = Vec::with_capacity(self.nodes.len());
        let mut count = 0;
        for node in &self.nodes {
            let state = if node.prefix { count } else { states[node.suffix as usize] };
            count += u32::from(node.prefix);
            states.push(state);
        }
        let mut machine = Machine { starts: self.size.count(), blanks: Vec::new(), rows: Vec::new() };
        for node in self.nodes.iter().filter(|node| node.prefix) {
            machine.blanks.push(node.blank);
            machine.rows.push(Direction::ALL.map(|last| match node.children[last as usize] {
                NONE => NONE,
                LEAF => self.state_of_leaf(&states, node, last),
                child => states[child as usize],
            }));
        }
        machine
    }

    /// The state after a string that has no node, which is no prefix.
    fn state_of_leaf(&self, states: &[u32], parent: &Node, last: Direction) -> u32 {
        if parent.suffix == NONE {
            let to = self.size.neighbour(parent.blank, last).expect("an allowed move stays on the board");
            return to.index() as u32;
        }
        states[self.nodes[parent.suffix as usize].children[last as usize] as usize]
    }
}

/// What the growing tree needs and the grown one does not.
struct Growth {
    /// Where the blank gets from each square with each move.
    steps: Vec<[Option<Square>; 4]>,
    candidates: Vec<Candidate>,
    /// Their boards.
    boards: Vec<u128>,
    table: BoardTable,
}

impl Growth {
    fn new(size: Size) -> Growth {
        let steps =
            size.squares().map(|from| Direction::ALL.map(|direction| size.neighbour(from, direction))).collect();
        Growth { steps, candidates: Vec::new(), boards: Vec::new(), table: BoardTable::default() }
    }

    /// Extends strings by one move. The new ones have no nodes when they are the `last` ones.
    ///
    /// A board that is known already is one of those of `known`, two moves shorter, or has been met here: if it were
    /// nearer to the start, the parent would not be the first string that makes its board.
    fn extend(&mut self, nodes: &mut Vec<Node>, known: &Level, parents: &Level, last: bool) -> Level {
        self.collect_candidates(nodes, parents);
        self.table.clear(known.boards.len() + self.candidates.len());
        for &board in &known.boards {
            self.table.insert(board);
        }
        let first = nodes.len();
        for (candidate, &board) in self.candidates.iter().zip(&self.boards) {
            let parent = candidate.parent as usize;
            if !self.table.insert(board) {
                mark(nodes, parent);
                continue;
            }
            nodes[parent].children[candidate.last as usize] = if last { LEAF } else { nodes.len() as u32 };
            if !last {
                nodes.push(Node {
                    parent: candidate.parent,
                    suffix: candidate.suffix,
                    children: [NONE; 4],
                    blank: candidate.blank,
                    prefix: false,
                });
            }
        }
        let boards = if last { Vec::new() } else { self.table.boards[known.boards.len()..].to_vec() };
        Level { first, boards }
    }

    /// The strings that are one move longer and whose suffixes are not forbidden, in their order.
    fn collect_candidates(&mut self, nodes: &[Node], parents: &Level) {
        self.candidates.clear();
        self.boards.clear();
        for (parent, &board) in (parents.first..).zip(&parents.boards) {
            let node = &nodes[parent];
            for last in Direction::ALL {
                let Some(to) = self.steps[node.blank.index()][last as usize] else { continue };
                let suffix = match node.suffix {
                    NONE => to.index() as u32,
                    suffix => nodes[suffix as usize].children[last as usize],
                };
                if suffix != NONE {
                    self.candidates.push(Candidate { parent: parent as u32, suffix, last, blank: to });
                    self.boards.push(slide(board, to, node.blank));
                }
            }
        }
    }
}

/// Makes a string and all that it begins with states.
fn mark(nodes: &mut [Node], mut node: usize) {
    while !nodes[node].prefix {
        nodes[node].prefix = true;
        node = nodes[node].parent as usize;
    }
}

/// A board of distinct tiles, each named by one more than its square, with the blank in a square.
fn first_board(size: Size, blank: Square) -> u128 {
    let tiles = size.squares().filter(|&square| square != blank);
    tiles.map(|square| (u128::from(square.0) + 1) << place(square)).sum()
}

/// Moves a tile from its square to that of the blank.
fn slide(board: u128, from: Square, to: Square) -> u128 {
    let tile = (board >> place(from)) & 31;
    board ^ (tile << place(from)) ^ (tile << place(to))
}

/// The lowest bit of a square.
fn place(square: Square) -> u32 {
    5 * u32::from(square.0)
}
