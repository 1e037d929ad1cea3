//! Linear conflicts, and tiles that have to make way for the corner beside them.
//!
//! A corner has two neighbours. If the wrong tile is in it, that tile has to go out by one neighbour's square, and another
//! tile come in by the other's: if it came in by the same square, it would have to pass the first one there. So both
//! neighbours have to be out of the way at some time. One that is at home already has to go and come back, two moves that its
//! Manhattan distance of 0 does not count (Korf & Taylor 1996):
//!
//! ```text
//! goal  1 2 3 4       here  9 2 3 4      9 is in 1's corner, and both 2 and 5 are at home: + 4
//!       5 6 7 8             5 6 7 8
//! ```
//!
//! What is counted twice has to be left out:
//!
//! * a neighbour that is in a linear conflict, in its row or in its column, may be the one for which two moves are counted
//!   there. One that is in none is never counted there: which tiles leave a line is settled among those in conflict;
//! * a neighbour of two corners, on a side of three squares, moves out of the way of both at once.
//!
//! Nothing is known of the corner where the blank belongs, since nothing has to come into it after the wrong tile has gone; of a
//! corner where the blank is, since nothing has to go; and of a neighbour's square that is the blank's, since no tile belongs
//! there. Sides of two need no rule of their own: their corners have two neighbours, too.
//!
//! The bound is not consistent: when the wrong tile goes out of the corner, nothing is known of the corner any more.

use tilebase_puzzle::{Size, Slide, Square, State};

use crate::about::{About, Finding, FindingKind, Listed, Promise};
use crate::afresh::{Afresh, Fresh};
use crate::heuristic::Heuristic;
use crate::line::{Layout, Line, Rule};
use crate::linear_conflict::{Conflicts, LinearConflict};
use crate::lines::{Lines, LinesNode, LinesStep};
use crate::manhattan::Manhattan;

/// [`LinearConflict`] plus two moves for each tile beside a corner that has to make way for it.
#[derive(Clone, Debug)]
pub struct CornerTiles {
    lines: LinearConflict,
    rule: CornerRule,
    /// Which places of a line are in conflict, by the number of its content.
    in_conflict: Box<[u8; 1 << 13]>,
    /// Which neighbours may have to make way, by flags.
    makes_way: Box<[u8; 1 << 12]>,
    /// The flags of a square, which are lowered when a tile leaves it.
    flags_of: [u16; 32],
    /// The flag of a square that goes up when its own tile comes; and the one for another tile.
    own_flag: [u16; 32],
    wrong_flag: [u16; 32],
}

/// [`CornerTiles`] for sides longer than five.
pub type LongCornerTiles = Afresh<CornerRule>;

const ABOUT: About = About {
    name: "corner-tiles",
    summary: "linear-conflict, and tiles that make way for the wrong tile in the corner beside them",
    promise: Promise::Admissible,
    promise_of_runs: Promise::Nothing,
};

/// The corners of a board, and the tiles beside them; computes the bound anew at every state.
#[derive(Clone, Debug)]
pub struct CornerRule {
    layout: Layout,
    manhattan: Manhattan,
    /// The corners where tiles belong.
    corners: Vec<Square>,
    neighbours: Vec<Neighbour>,
}

/// A square beside a corner, where a tile belongs.
#[derive(Clone, Debug)]
struct Neighbour {
    square: Square,
    /// The numbers of the corners it is beside.
    corners: Vec<usize>,
    /// Number of its row and place there; the same of its column.
    lines: [(usize, usize); 2],
}

impl CornerRule {
    /// Whether a tile is in a corner that is not its own.
    fn is_wrong(&self, state: &State, corner: usize) -> bool {
        let square = self.corners[corner];
        square != state.blank() && state.tile(square).goal() != square
    }

    /// The neighbours that have to make way.
    fn making_way(&self, state: &State, lines: &[Line]) -> impl Iterator<Item = &Neighbour> {
        let in_conflict = |&(line, place): &(usize, usize)| lines[line].in_conflict().any(|tile| tile.place == place);
        self.neighbours.iter().filter(move |neighbour| {
            let is_home = neighbour.square != state.blank() && state.tile(neighbour.square).goal() == neighbour.square;
            is_home
                && neighbour.corners.iter().any(|&corner| self.is_wrong(state, corner))
                && !neighbour.lines.iter().any(in_conflict)
        })
    }
}

impl Fresh for CornerRule {
    const ABOUT: About = ABOUT;

    fn new_for(size: Size, home: Square) -> Option<CornerRule> {
        let layout = Layout { size };
        let ends = |square: Square| {
            let (row, column) = size.row_column(square);
            [0, size.height() - 1].contains(&row) && [0, size.width() - 1].contains(&column)
        };
        let corners: Vec<Square> = size.squares().filter(|&square| ends(square) && square != home).collect();
        let neighbour = |square: Square| {
            let beside = |number: &usize| size.distance(square, corners[*number]) == 1;
            let corners: Vec<usize> = (0..corners.len()).filter(beside).collect();
            let lines = [layout.row(square), layout.column(square)];
            (!corners.is_empty()).then_some(Neighbour { square, corners, lines })
        };
        let neighbours = size.squares().filter(|&square| square != home).filter_map(neighbour).collect();
        Some(CornerRule { layout, manhattan: Manhattan::new(size), corners, neighbours })
    }

    fn value(&self, state: &State) -> u32 {
        let lines = self.layout.lines(state);
        let leavers: u32 = lines.iter().map(Conflicts::leavers).sum();
        let making_way = self.making_way(state, &lines).count() as u32;
        self.manhattan.root(state).unwrap_or(0) + 2 * (leavers + making_way)
    }

    fn findings(&self, state: &State) -> Vec<Finding> {
        let mut findings = self.layout.findings::<Conflicts>(state);
        let lines = self.layout.lines(state);
        findings.extend(self.making_way(state, &lines).map(|neighbour| {
            let wrong = neighbour.corners.iter().filter(|&&corner| self.is_wrong(state, corner));
            let squares = std::iter::once(neighbour.square).chain(wrong.map(|&corner| self.corners[corner]));
            Finding { kind: FindingKind::Corner, squares: squares.collect(), moves: 2 }
        }));
        findings
    }
}

impl Listed for CornerTiles {
    const ABOUT: About = ABOUT;

    const SUITS: &'static str = LinearConflict::SUITS;

    fn new_for(size: Size, home: Square) -> Option<CornerTiles> {
        let lines = LinearConflict::new_for(size, home)?;
        let rule = CornerRule::new_for(size, home)?;
        let mut in_conflict = Box::new([0; 1 << 13]);
        for (line, number) in lines.contents() {
            in_conflict[number] = line.in_conflict().map(|tile| 1 << tile.place).sum();
        }
        // The wrong tile in a corner is one of the lower four flags, a neighbour at home one of the eight above.
        let (mut own_flag, mut wrong_flag) = ([0; 32], [0; 32]);
        rule.corners.iter().enumerate().for_each(|(number, corner)| wrong_flag[corner.index()] = 1 << number);
        let mut makes_way = Box::new([0; 1 << 12]);
        for (number, neighbour) in rule.neighbours.iter().enumerate() {
            own_flag[neighbour.square.index()] = 16 << number;
            let corners: usize = neighbour.corners.iter().map(|corner| 1 << corner).sum();
            for (flags, making_way) in makes_way.iter_mut().enumerate() {
                if flags & 16 << number != 0 && flags & corners != 0 {
                    *making_way |= 1 << number;
                }
            }
        }
        let flags_of = std::array::from_fn(|square| own_flag[square] | wrong_flag[square]);
        Some(CornerTiles { lines, rule, in_conflict, makes_way, flags_of, own_flag, wrong_flag })
    }

    fn findings(&self, state: &State) -> Vec<Finding> {
        self.rule.findings(state)
    }

    fn bytes(&self) -> usize {
        Listed::bytes(&self.lines) + size_of_val(&*self.in_conflict) + size_of_val(&*self.makes_way)
    }
}

/// The lines of a node, or what changes in them; the flags of corners and neighbours, and how many neighbours make way.
#[derive(Clone, Copy, Debug)]
pub struct Corners<L> {
    lines: L,
    flags: u16,
    making_way: u16,
}

/// All that is known about a state.
pub type CornerNode = Corners<LinesNode>;

impl CornerTiles {
    /// The flag that goes up when a tile comes to a square.
    #[inline]
    fn raised(&self, tile_home: Square, square: Square) -> u16 {
        let flags = if tile_home == square { &self.own_flag } else { &self.wrong_flag };
        flags[square.index() % 32]
    }

    #[inline]
    fn making_way(&self, lines: &LinesNode, flags: u16) -> u16 {
        let mut candidates = self.makes_way[flags as usize % (1 << 12)];
        let mut count = 0;
        while candidates != 0 {
            let neighbour = &self.rule.neighbours[candidates.trailing_zeros() as usize];
            candidates &= candidates - 1;
            let in_conflict = |(line, place): (usize, usize)| {
                self.in_conflict[Lines::<Conflicts>::number(lines, line)] >> place & 1 != 0
            };
            count += u16::from(!in_conflict(neighbour.lines[0]) && !in_conflict(neighbour.lines[1]));
        }
        count
    }
}

impl Heuristic for CornerTiles {
    type Node = CornerNode;
    type Step = Corners<LinesStep>;

    fn root(&self, state: &State) -> Option<CornerNode> {
        let lines = self.lines.root(state)?;
        let flags = state.tiles().fold(0, |flags, (square, tile)| flags | self.raised(tile.goal(), square));
        Some(Corners { lines, flags, making_way: self.making_way(&lines, flags) })
    }

    fn cost(&self, node: &CornerNode) -> u32 {
        self.lines.cost(&node.lines) + 2 * u32::from(node.making_way)
    }

    #[inline]
    fn begin(&self, stage: usize, node: &CornerNode, slide: Slide) -> Self::Step {
        let step = self.lines.begin(stage, &node.lines, slide);
        let lowered = self.flags_of[slide.from.index() % 32];
        let flags = node.flags & !lowered | self.raised(slide.tile.goal(), slide.to);
        let mut lines = node.lines;
        self.lines.apply(stage, &mut lines, &step);
        Corners { lines: step, flags, making_way: self.making_way(&lines, flags) }
    }

    #[inline]
    fn finish(&self, stage: usize, step: &mut Self::Step) -> u32 {
        self.lines.finish(stage, &mut step.lines) + 2 * u32::from(step.making_way)
    }

    #[inline]
    fn apply(&self, stage: usize, node: &mut CornerNode, step: &Self::Step) {
        self.lines.apply(stage, &mut node.lines, &step.lines);
        node.flags = step.flags;
        node.making_way = step.making_way;
    }
}
