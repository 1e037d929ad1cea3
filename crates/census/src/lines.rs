//! Breadth-first search over all boards where several tiles in a line slide as one move.
//!
//! Boards that differ only in where the blank is in its row, with the tiles between shifted, are one move from each other: they
//! are a *line*, and so are those that differ in where it is in its column. Every board is where a line of a row crosses one of
//! a column. So the search goes from line to line: the two lines of the goal are at level 0, and a line that crosses one at
//! level k, and none before, is at level k + 1. A board but for the goal is one move farther than the nearer of its two lines.
//!
//! A line of a row is its permutation in reading order, which the blank left out does not change. A line of a column is the
//! permutation with the blank at the top. There are as many sets of lines as the board has rows and columns, instead of one for
//! each square. Lines that cross are at most one level apart, so the search keeps the last two levels only.
//!
//! Boards are counted without looking at each. Let b(k) be those whose nearer line is at level k, and x(k) those with both lines
//! there. The lines of level k hold b(k) + x(k) boards, if crossings count twice, and besides those that lines of level k − 1
//! have, too: b(k − 1) − x(k − 1). For the goal's lines on 3×3 that is 3 + 3 = 5 + 1: five boards, of which the goal is a crossing.

use std::mem;

use rayon::prelude::*;
use tilebase_progress::{Event, Level, Watch};
use tilebase_puzzle::{Direction, Size, Square};

use crate::census::CensusError;
use crate::index::{Layout, Set};
use crate::links::Link;
use crate::search::BLOCKS_AT_A_TIME;

/// The lines of rows, or those of columns: a set for each row, or column.
struct Lines {
    /// Those of the last level.
    last: Vec<Set>,
    /// Those of the level before it, and then those of the next.
    other: Vec<Set>,
}

/// How many lines are reached, and how many boards are on two lines of the last level.
#[derive(Clone, Copy, Default)]
struct Found {
    lines: u64,
    crossings: u64,
}

/// Sets of permutations that are kept: two for each row and column, and one for each column and another to carry them from row to
/// row.
pub(crate) fn sets(size: Size) -> usize {
    2 * (size.width() + size.height()) + size.width() + 1
}

/// How many boards are 0, 1, 2 … moves from the goal that has the blank on `home`. There are `total`.
pub(crate) fn counts(
    size: Size,
    home: Square,
    layout: &Layout,
    total: u64,
    watch: Watch<'_>,
) -> Result<Vec<u64>, CensusError> {
    let (width, height) = (size.width() as u64, size.height() as u64);
    let mut search = Search::new(size, home, layout, watch)?;
    search.begin(home).ok_or(CensusError::Stopped)?;
    let mut counts = vec![1];
    let (mut rows, mut columns) = (1, 1);
    let (mut found, mut touched, mut already) = (1, 0, 0);
    loop {
        let (next_rows, next_columns) = search.advance().ok_or(CensusError::Stopped)?;
        let crossings = next_rows.crossings;
        let boards = width * rows + height * columns - crossings - already;
        if boards == 0 {
            return Ok(counts);
        }
        already = boards - crossings;
        // The goal is on lines of level 0, and has been counted.
        let reached = boards - u64::from(counts.len() == 1);
        (rows, columns) = (next_rows.lines, next_columns.lines);
        counts.push(reached);
        found += reached;
        touched += (sets(size) * layout.words() * 8) as u64;
        let level = Level { number: counts.len() as u32 - 1, found, total, touched, sent: 0 };
        if watch(&Event::Level(&level)).is_break() {
            return Err(CensusError::Stopped);
        }
    }
}

struct Search<'a> {
    size: Size,
    layout: &'a Layout,
    watch: Watch<'a>,
    /// By the blank's square: how boards are reached from those with the blank below it, and above it.
    from_below: Vec<Option<Link>>,
    from_above: Vec<Option<Link>>,
    rows: Lines,
    columns: Lines,
    /// For each column, the boards on its lines that have the blank in the row at hand.
    carried: Vec<Set>,
    spare: Set,
}

impl<'a> Search<'a> {
    fn new(size: Size, home: Square, layout: &'a Layout, watch: Watch<'a>) -> Result<Search<'a>, CensusError> {
        let set = || layout.set().map_err(CensusError::Memory);
        let some = |count: usize| (0..count).map(|_| set()).collect::<Result<Vec<Set>, CensusError>>();
        let lines = |count: usize| Ok::<_, CensusError>(Lines { last: some(count)?, other: some(count)? });
        let all_links =
            |direction: Direction| size.squares().map(|to| Link::new(size, layout, to, direction, home)).collect();
        Ok(Search {
            size,
            layout,
            watch,
            from_below: all_links(Direction::Down),
            from_above: all_links(Direction::Up),
            rows: lines(size.height())?,
            columns: lines(size.width())?,
            carried: some(size.width())?,
            spare: set()?,
        })
    }

    /// Puts the lines of the goal at level 0. `None` when the watch says so, here and below.
    fn begin(&mut self, home: Square) -> Option<()> {
        let (row, column) = self.size.row_column(home);
        // The goal's permutation has no item before a smaller one: its number is 0.
        self.rows.last[row].row_mut(0).set(0, true);
        self.columns.last[column].row_mut(0).set(0, true);
        for row in (0..row).rev() {
            let link = link(&self.from_below, self.size.square(row, column));
            let from = &self.columns.last[column];
            carry(self.layout, link, from, None, &mut self.spare, self.watch)?;
            mem::swap(&mut self.columns.last[column], &mut self.spare);
        }
        Some(())
    }

    /// Goes on to the next level. Returns what is found of rows, and of columns.
    fn advance(&mut self) -> Option<(Found, Found)> {
        let found = (self.reach_rows()?, self.reach_columns()?);
        for lines in [&mut self.rows, &mut self.columns] {
            mem::swap(&mut lines.last, &mut lines.other);
        }
        Some(found)
    }

    /// The lines of rows that the last lines of columns cross.
    fn reach_rows(&mut self) -> Option<Found> {
        let (size, layout) = (self.size, self.layout);
        let mut found = Found::default();
        for row in 0..size.height() {
            if row > 0 {
                for column in 0..size.width() {
                    let link = link(&self.from_above, size.square(row, column));
                    let from = if row == 1 { &self.columns.last[column] } else { &self.carried[column] };
                    carry(layout, link, from, None, &mut self.spare, self.watch)?;
                    mem::swap(&mut self.carried[column], &mut self.spare);
                }
            }
            let crossing = if row == 0 { &self.columns.last } else { &self.carried };
            let last = &self.rows.last[row];
            found += each_block(layout, &mut self.rows.other[row], self.watch, |block, words| {
                let mut found = Found::default();
                let mut reached = vec![0; layout.block_words];
                let last = last.raw(block);
                for set in crossing {
                    for ((reached, crossing), last) in reached.iter_mut().zip(set.raw(block)).zip(last) {
                        *reached |= crossing;
                        found.crossings += u64::from((crossing & last).count_ones());
                    }
                }
                for ((word, reached), last) in words.iter_mut().zip(reached).zip(last) {
                    *word = reached & !last & !*word;
                    found.lines += u64::from(word.count_ones());
                }
                found
            })?;
        }
        Some(found)
    }

    /// The lines of columns that the last lines of rows cross: from the bottom to the top, each row adds its own.
    fn reach_columns(&mut self) -> Option<Found> {
        let (size, layout, rows) = (self.size, self.layout, &self.rows.last);
        let bottom = size.height() - 1;
        let mut found = Found::default();
        for column in 0..size.width() {
            for row in (1..bottom).rev() {
                let link = link(&self.from_below, size.square(row, column));
                let from = if row + 1 == bottom { &rows[bottom] } else { &self.carried[column] };
                carry(layout, link, from, Some(&rows[row]), &mut self.spare, self.watch)?;
                mem::swap(&mut self.carried[column], &mut self.spare);
            }
            let link = link(&self.from_below, size.square(0, column));
            let from = if bottom == 1 { &rows[bottom] } else { &self.carried[column] };
            let last = &self.columns.last[column];
            found += each_block(layout, &mut self.columns.other[column], self.watch, |block, words| {
                let mut reached = rows[0].raw(block).to_vec();
                link.collect(layout, from, block, &mut reached);
                let mut lines = 0;
                for ((word, reached), last) in words.iter_mut().zip(reached).zip(last.raw(block)) {
                    *word = reached & !last & !*word;
                    lines += u64::from(word.count_ones());
                }
                Found { lines, crossings: 0 }
            })?;
        }
        Some(found)
    }
}

impl std::ops::AddAssign for Found {
    fn add_assign(&mut self, other: Found) {
        self.lines += other.lines;
        self.crossings += other.crossings;
    }
}

fn link(links: &[Option<Link>], to: Square) -> &Link {
    links[to.index()].as_ref().expect("there is a square above all but the first row, and one below all but the last")
}

/// Makes a set of what a link brings from another set, beside what is there in any case.
fn carry(layout: &Layout, link: &Link, from: &Set, beside: Option<&Set>, to: &mut Set, watch: Watch<'_>) -> Option<()> {
    each_block(layout, to, watch, |block, words| {
        match beside {
            Some(set) => words.copy_from_slice(set.raw(block)),
            None => words.fill(0),
        }
        link.collect(layout, from, block, words);
        Found::default()
    })?;
    Some(())
}

/// Works on the blocks of a set, on all threads, and adds up what is found. `None` when the watch says so.
fn each_block(
    layout: &Layout,
    set: &mut Set,
    watch: Watch<'_>,
    work: impl Fn(usize, &mut [u64]) -> Found + Sync,
) -> Option<Found> {
    let chunks = set.memory_mut().par_chunks_mut(BLOCKS_AT_A_TIME * layout.block_words).enumerate();
    let found = chunks.map(|(chunk, words)| {
        watch(&Event::Poll).continue_value()?;
        let mut found = Found::default();
        for (words, block) in words.chunks_mut(layout.block_words).zip(chunk * BLOCKS_AT_A_TIME..) {
            found += work(block, words);
        }
        Some(found)
    });
    found.try_reduce(Found::default, |mut a, b| {
        a += b;
        Some(a)
    })
}
