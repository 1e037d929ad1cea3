//! The backward breadth-first search, level by level.
//!
//! Rows are in two halves by colour: the states of one half have even costs, those of the other odd costs. The states
//! of a level have one colour, and their neighbours have the other. So a level reads the rows of one half and writes
//! those of the other. Every row collects (pulls) the states that its sources send. So no two tasks write to the same
//! row, and the result does not depend on the number of threads.
//!
//! Several processes can search together. Each has the rows of some maps ([`Shares`]), and all finish a level before
//! any of them begins the next.

use bitvec::field::BitField;
use rayon::prelude::*;
use tilebase_format::layout::UNREACHED_NIBBLE;
use tilebase_index::{BuilderIndex, Row};
use tilebase_memory::Bits;
use tilebase_progress::Watch;

use crate::borders::borders;
use crate::build::Build;
use crate::crossing::Crossing;
use crate::error::BuildError;
use crate::exchange::Exchanges;
use crate::level::{Step, Tally};
use crate::levels;
use crate::manhattan::ManhattanRows;
use crate::nibbles;
use crate::peers::Peers;
use crate::scratch::Scratch;
use crate::shares::Shares;
use crate::sources::{Source, Sources};
use crate::store::{Half, StateRows, empty_row, words_of_map};

/// Replaces the colour of rows that belong to other processes.
const ELSEWHERE: u8 = 2;

/// The result of a search.
pub(crate) struct Found {
    /// The rows of each colour, in order.
    pub(crate) rows: [Vec<Row>; 2],
    /// The states whose cost has the second bit set, by colour.
    pub(crate) costs: [StateRows; 2],
    /// Half the excess of every entry of the collapsed table, by colour, two entries to a byte; one row per map.
    pub(crate) excess: Option<[StateRows; 2]>,
    /// The number of states with each cost.
    pub(crate) states: Vec<u64>,
    /// The number of entries of the collapsed table with each cost: that of the best region of the blank. Empty unless
    /// the build makes this table.
    pub(crate) entries: Vec<u64>,
}

/// A search, with the rows of this process.
struct Search<'a> {
    index: &'a BuilderIndex,
    build: &'a Build,
    exchanges: Exchanges,
    /// The rows, by colour.
    halves: [Half; 2],
    /// The sources of the rows that collect only from rows of this process.
    sources: [Sources; 2],
    /// The rows of other processes, and the sources of the rows that collect from them.
    crossing: Crossing<'a>,
    /// The colour of the goal's row, and the slot of that row in its half if it belongs to this process.
    goal_colour: usize,
    goal: Option<usize>,
}

impl<'a> Search<'a> {
    fn new(
        index: &'a BuilderIndex,
        build: &'a Build,
        peers: &'a dyn Peers,
        shares: &Shares,
    ) -> Result<Search<'a>, BuildError> {
        let rows = 0..index.rows() as u32;
        let colour = |row| if shares.owner(index, row) == peers.rank() { index.colour(row) as u8 } else { ELSEWHERE };
        let colours: Vec<u8> = rows.clone().into_par_iter().map(|row| colour(Row(row))).collect();
        let of_colour =
            |wanted| rows.clone().map(Row).filter(|row| colours[row.0 as usize] == wanted).collect::<Vec<Row>>();
        let [even, odd] = [0, 1].map(of_colour);
        let mut slot_of_row = vec![0; index.rows()];
        for rows in [&even, &odd] {
            rows.iter().zip(0..).for_each(|(row, slot)| slot_of_row[row.0 as usize] = slot);
        }
        let is_here = |row: Row| colours[row.0 as usize] != ELSEWHERE;
        // An inner row collects only from rows of this process. The sources of the other rows are listed separately.
        let is_inner = |row: &Row| shares.count() == 1 || index.moves(*row).all(|step| is_here(step.row));
        let inner = [&even, &odd].map(|rows| rows.par_iter().map(is_inner).collect::<Vec<bool>>());
        let is_inner = |row: Row| inner[usize::from(colours[row.0 as usize])][slot_of_row[row.0 as usize] as usize];
        let count = |row: Row| if is_inner(row) { index.move_count(row) } else { 0 };
        let moves = |row: Row| index.moves(row).filter(move |_| is_inner(row));
        let sources = |rows| Sources::new(rows, &slot_of_row, count, moves).map_err(BuildError::Memory);
        let sources = rayon::join(|| sources(&even), || sources(&odd));
        let outer = [&even, &odd].map(|rows| {
            let outer = rows.iter().zip(0..).filter(|(row, _)| !is_inner(**row));
            let own = outer.flat_map(|(&row, slot)| {
                let own = index.moves(row).filter(|step| is_here(step.row));
                own.map(move |step| (slot, step.row, step.enters, step.leaves))
            });
            own.map(|(slot, row, from, to)| (slot, Source { slot: slot_of_row[row.0 as usize], from, to })).collect()
        });
        let goal = goal_row(index, build);
        let goal_colour = index.colour(goal) as usize;
        let goal = is_here(goal).then_some(slot_of_row[goal.0 as usize] as usize);
        drop((colours, slot_of_row));
        let borders = borders(index, shares, peers.rank(), [&even, &odd]);
        let half = |rows| Half::new(index, rows, build).map_err(BuildError::Memory);
        let halves = rayon::join(|| half(even), || half(odd));
        let mut halves = [halves.0?, halves.1?];
        for (colour, borders) in borders.iter().enumerate() {
            borders.iter().for_each(|border| halves[1 - colour].keep_news(border.sent.iter().copied()));
        }
        let words = halves.iter().map(|half| half.rows.len() * half.words()).sum();
        let crossing = Crossing::new(peers, borders, outer, words).map_err(BuildError::Memory)?;
        let (exchanges, sources) = (Exchanges::new(index.tiles()), [sources.0?, sources.1?]);
        Ok(Search { index, build, exchanges, halves, sources, crossing, goal_colour, goal })
    }
}

impl levels::Search for Search<'_> {
    type Half = Half;

    fn halves(&mut self) -> &mut [Half; 2] {
        &mut self.halves
    }

    fn start(&mut self) -> Tally {
        self.goal.into_iter().for_each(|slot| self.halves[self.goal_colour].start(slot));
        Tally { states: 1, entries: 1, ..Tally::default() }
    }

    fn resume(&mut self) {
        self.halves.iter_mut().for_each(|half| half.count_unseen(self.index.perms()));
    }

    fn level(&mut self, level: u32, watch: Watch<'_>) -> Result<Tally, BuildError> {
        let Search { index, build, exchanges, halves: [even, odd], sources, crossing, goal_colour, .. } = self;
        let colour = *goal_colour ^ (level as usize & 1);
        let (into, from) = if colour == 0 { (even, &*odd) } else { (odd, &*even) };
        let step = Step { index, build, exchanges, sources: &sources[colour], from, level, watch };
        into.begin_level();
        crossing.run(&step, colour, into)
    }
}

/// The row of the goal.
fn goal_row(index: &BuilderIndex, build: &Build) -> Row {
    index.row(index.map(build.pattern().mask()), build.pattern().home())
}

/// Searches all states of a pattern backwards from its goal, together with the other processes of the build. Resumes
/// from a checkpoint if the scratch directory has one.
pub(crate) fn search(
    index: &BuilderIndex,
    build: &Build,
    (peers, shares): (&dyn Peers, &Shares),
    scratch: Option<&Scratch>,
    watch: Watch<'_>,
) -> Result<Found, BuildError> {
    let mut search = Search::new(index, build, peers, shares)?;
    let tallies = levels::run(&mut search, build, peers, scratch, watch)?;
    let mut halves = search.halves;
    halves.iter_mut().filter(|half| half.excess.is_some()).for_each(|half| subtract_manhattan(index, build, half));
    let mut entries: Vec<u64> = tallies.iter().filter(|_| build.has_nibbles()).map(|tally| tally.entries).collect();
    while entries.pop_if(|count| *count == 0).is_some() {}
    let [even, odd] = halves;
    Ok(Found {
        rows: [even.rows, odd.rows],
        costs: [even.costs, odd.costs],
        excess: even.excess.zip(odd.excess).map(Into::into),
        states: tallies.iter().map(|tally| tally.states).collect(),
        entries,
    })
}

/// Turns the halves of costs, modulo 16, into the halves of their excess over the Manhattan distance. The subtraction
/// modulo 16 is exact, because the search has checked that half of every excess fits into a nibble.
fn subtract_manhattan(index: &BuilderIndex, build: &Build, half: &mut Half) {
    half.tasks().for_each_init(
        || (ManhattanRows::new(index.tiles()), empty_row(index), vec![0; words_of_map(index)]),
        |(manhattan, reached, planes), task| {
            task.each_map(|map, mut rows| {
                rows.seen_in_any(reached.as_raw_mut_slice());
                let excess = rows.excess.take().expect("nibbles are wanted");
                planes.copy_from_slice(excess);
                nibbles::join(planes, excess);
                nibbles::subtract_halves(excess, manhattan.of(index, build.pattern(), map));
                // Mark the unreachable entries, which few patterns have.
                let unreached = reached[..index.perms() as usize].iter_zeros();
                let excess = Bits::from_slice_mut(excess);
                unreached.for_each(|perm| excess[4 * perm..][..4].store_le(UNREACHED_NIBBLE));
            });
        },
    );
}
