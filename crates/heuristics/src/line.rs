//! A row or a column with the tiles that belong into it: what bounds beyond the Manhattan distance look at.
//!
//! Two tiles that are both in the line where they belong, but in the wrong order, are in *conflict*: they cannot pass each
//! other without one of them leaving the line. It comes back later, so that is two moves which its Manhattan distance does not
//! count: these moves go across the line, and the tile has no rows (or no columns) to go. For the same reason moves counted
//! for a row and moves counted for a column are never the same ones, even those of one tile.
//!
//! ```text
//! goal row  1 2 3 4      here  4 . 2 x      4 and 2 are in conflict; x belongs elsewhere and does not matter
//! ```
//!
//! A slide moves one tile, and changes at most two of the lines: the tile shifts within the line along which it goes, if it
//! belongs there, and it leaves or enters a line across, if it belongs there. All other tiles and lines stay as they are.
//!
//! How many moves a line adds is a [`Rule`]. Two heuristics work with any rule: [`Lines`](crate::Lines) with tables, for sides
//! up to five, and [`LongLines`](crate::LongLines) without.

use std::fmt;

use tilebase_puzzle::{Size, Square, State};

use crate::about::{About, Finding, FindingKind};

/// The longest side of a board.
const LONGEST: usize = 12;

/// The content of a line: for each place the goal place of the tile there, if the tile belongs into the line; and which of
/// these tiles are partners. The blank, and tiles that belong elsewhere, are gaps.
///
/// Places are counted from 0, columns in a row and rows in a column. A tile is named by its goal place; that is the order of
/// the tiles' numbers, too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Line {
    /// Four bits for each place: 0 for a gap, else one more than the goal place of the tile.
    goals: u64,
    /// Four bits for each goal place: 0 for a tile without a partner, else one more than the goal place of the partner.
    partners: u64,
}

/// A tile in the line where it belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InLine {
    /// Where in the line it is.
    pub place: usize,
    /// Where in the line it belongs.
    pub goal: usize,
}

impl InLine {
    /// Whether two tiles are in each other's way: one is before the other, and belongs behind it.
    pub fn conflicts_with(self, other: InLine) -> bool {
        (self.place < other.place && self.goal > other.goal) || (self.place > other.place && self.goal < other.goal)
    }
}

fn nibble(nibbles: u64, number: usize) -> Option<usize> {
    ((nibbles >> (4 * number) & 15) as usize).checked_sub(1)
}

fn set_nibble(nibbles: &mut u64, number: usize, value: Option<usize>) {
    let value = value.map_or(0, |value| value as u64 + 1);
    *nibbles = *nibbles & !(15 << (4 * number)) | value << (4 * number);
}

impl Line {
    /// The goal place of the tile on a place, if a tile is there that belongs into the line.
    pub fn goal(&self, place: usize) -> Option<usize> {
        nibble(self.goals, place)
    }

    /// The tiles that belong into the line, from its first place on.
    pub fn tiles(&self) -> impl Iterator<Item = InLine> {
        (0..LONGEST).filter_map(|place| Some(InLine { place, goal: self.goal(place)? }))
    }

    /// The tile with a goal place, if it is in the line.
    pub fn tile(&self, goal: usize) -> Option<InLine> {
        self.tiles().find(|tile| tile.goal == goal)
    }

    /// The partner of a tile, both named by goal place.
    pub fn partner(&self, goal: usize) -> Option<usize> {
        nibble(self.partners, goal)
    }

    /// Each two partners once.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..LONGEST).filter_map(|goal| Some((goal, self.partner(goal)?))).filter(|(goal, partner)| goal < partner)
    }

    /// Makes two tiles partners.
    pub fn pair(&mut self, a: usize, b: usize) {
        set_nibble(&mut self.partners, a, Some(b));
        set_nibble(&mut self.partners, b, Some(a));
    }

    /// Makes an end of all partnerships.
    pub fn part_all(&mut self) {
        self.partners = 0;
    }

    /// The tiles in conflict with another tile.
    pub fn in_conflict(&self) -> impl Iterator<Item = InLine> {
        self.tiles().filter(|&tile| self.tiles().any(|other| tile.conflicts_with(other)))
    }

    /// A tile that belongs into the line comes to a place.
    pub(crate) fn enter(&mut self, tile: InLine) {
        set_nibble(&mut self.goals, tile.place, Some(tile.goal));
    }

    /// Changes the line, as the rule has it.
    pub(crate) fn change<R: Rule>(&mut self, change: Change) {
        match change {
            Change::Stay => {}
            Change::Leave { place } => {
                let tile = self.goal(place);
                for goal in [tile, tile.and_then(|goal| self.partner(goal))].into_iter().flatten() {
                    set_nibble(&mut self.partners, goal, None);
                }
                set_nibble(&mut self.goals, place, None);
                R::changed(self, None);
            }
            Change::Enter(tile) => {
                self.enter(tile);
                R::changed(self, Some(tile));
            }
            Change::Shift { from, to } => {
                let tile = self.goal(from);
                set_nibble(&mut self.goals, from, None);
                set_nibble(&mut self.goals, to, tile);
                R::changed(self, tile.map(|goal| InLine { place: to, goal }));
            }
        }
    }
}

impl fmt::Debug for Line {
    /// Goal places with `.` for gaps, then the pairs: `3.12 (1-3)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for place in 0..self.tiles().last().map_or(0, |tile| tile.place + 1) {
            let goal = self.goal(place).map_or(String::from('.'), |goal| format!("{goal:x}"));
            f.write_str(&goal)?;
        }
        self.pairs().try_for_each(|(a, b)| write!(f, " ({a:x}-{b:x})"))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    /// Nothing.
    Stay,
    /// A tile that belongs here goes, and leaves its partner.
    Leave { place: usize },
    /// A tile that belongs here comes.
    Enter(InLine),
    /// A tile that belongs here goes to the next place, and so passes no other.
    Shift { from: usize, to: usize },
}

/// How many moves a line adds to the Manhattan distance.
pub trait Rule: fmt::Debug + Send + Sync + 'static {
    /// What the heuristic with this rule is called, sees and promises.
    const ABOUT: About;

    /// Makes the partners in a line that has none, at the first state of a search.
    fn begin(_line: &mut Line) {}

    /// Sees to the partners after a slide. `moved` is the tile that came into the line or shifted in it; `None` when a tile
    /// left, whose partner is alone then.
    fn changed(_line: &mut Line, _moved: Option<InLine>) {}

    /// How many tiles have to leave the line and come back, which is two moves each: one of each pair.
    fn leavers(line: &Line) -> u32 {
        line.pairs().count() as u32
    }

    /// What is to be seen in the line: the places concerned, and the moves they add. Each pair adds two.
    fn findings(line: &Line) -> Vec<(FindingKind, Vec<usize>, u32)> {
        let places = |(a, b)| line.tiles().filter(|tile| [a, b].contains(&tile.goal)).map(|tile| tile.place).collect();
        line.pairs().map(|pair| (FindingKind::Pair, places(pair), 2)).collect()
    }
}

/// Where the lines of a board are: its rows first, then its columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    pub(crate) size: Size,
}

impl Layout {
    pub(crate) fn count(self) -> usize {
        self.size.height() + self.size.width()
    }

    /// The number of the row, and the place in it.
    pub(crate) fn row(self, square: Square) -> (usize, usize) {
        self.size.row_column(square)
    }

    /// The number of the column, and the place in it.
    pub(crate) fn column(self, square: Square) -> (usize, usize) {
        let (row, column) = self.size.row_column(square);
        (self.size.height() + column, row)
    }

    pub(crate) fn squares(self, line: usize) -> impl Iterator<Item = Square> {
        self.size.squares().filter(move |&square| self.row(square).0 == line || self.column(square).0 == line)
    }

    /// The lines of a state, without partners.
    pub(crate) fn lines(self, state: &State) -> Vec<Line> {
        let mut lines = vec![Line::default(); self.count()];
        for (square, tile) in state.tiles() {
            for line_and_place in [Layout::row, Layout::column] {
                let ((line, place), (home, goal)) = (line_and_place(self, square), line_and_place(self, tile.goal()));
                if line == home {
                    lines[line].enter(InLine { place, goal });
                }
            }
        }
        lines
    }

    /// What a slide of a tile with a goal square does: to the line along which it goes, and to a line across.
    pub(crate) fn changes(self, home: Square, from: Square, to: Square) -> [(usize, Change); 2] {
        let along_row = self.row(from).0 == self.row(to).0;
        let along = |square| if along_row { self.row(square) } else { self.column(square) };
        let across = |square| if along_row { self.column(square) } else { self.row(square) };
        let shift = if along(home).0 == along(from).0 {
            Change::Shift { from: along(from).1, to: along(to).1 }
        } else {
            Change::Stay
        };
        let (place, goal) = (across(from).1, across(home).1);
        let (line, change) = if across(home).0 == across(from).0 {
            (across(from).0, Change::Leave { place })
        } else if across(home).0 == across(to).0 {
            (across(to).0, Change::Enter(InLine { place, goal }))
        } else {
            (across(from).0, Change::Stay)
        };
        [(along(from).0, shift), (line, change)]
    }

    /// What a rule sees on a board.
    pub(crate) fn findings<R: Rule>(self, state: &State) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (number, mut line) in self.lines(state).into_iter().enumerate() {
            R::begin(&mut line);
            let squares: Vec<Square> = self.squares(number).collect();
            for (kind, places, moves) in R::findings(&line) {
                let squares = places.into_iter().map(|place| squares[place]).collect();
                findings.push(Finding { kind, squares, moves });
            }
        }
        findings
    }
}
