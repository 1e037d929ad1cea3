//! Breadth-first search over all boards, one bit each, where one tile at a time slides.
//!
//! Every such move takes the blank to a square of the other colour, as on a chess board. So the boards that are d moves away all have
//! their blank on squares of one colour, and those one move nearer or farther on squares of the other. What is reached from
//! distance d is at distance d − 1 or d + 1, and the search need not remember anything older: for each square of the one
//! colour it keeps the boards at distance d, for each square of the other those at distance d − 1, and puts those at
//! distance d + 1 in their place. That makes one bit a board; the usual two-bit search marks each as unseen, old, last or next.

use std::mem;

use rayon::prelude::*;
use tilebase_progress::{Event, Level, Watch};
use tilebase_puzzle::{Direction, Size, Square};

use crate::census::CensusError;
use crate::index::{Layout, Set};
use crate::links::Link;
use crate::search::BLOCKS_AT_A_TIME;

/// The boards with the blank on one square that are at the distance at hand.
struct Row {
    /// From where they are reached: the number of the blank's square among those of its colour, and the link.
    links: Vec<(usize, Link)>,
    boards: Set,
}

/// Sets of permutations that are kept.
pub(crate) fn sets(size: Size) -> usize {
    size.count()
}

/// How many boards are 0, 1, 2 … moves from the goal that has the blank on `home`. There are `total`.
pub(crate) fn counts(
    size: Size,
    home: Square,
    layout: &Layout,
    total: u64,
    watch: Watch<'_>,
) -> Result<Vec<u64>, CensusError> {
    let parity = |square: Square| size.distance(home, square) % 2;
    let number =
        |square: Square| size.squares().take(square.index()).filter(|&other| parity(other) == parity(square)).count();
    let row = |to: Square| -> Result<Row, CensusError> {
        let link = |direction: Direction| {
            let link = Link::new(size, layout, to, direction, home)?;
            Some((number(link.from), link))
        };
        let links = Direction::ALL.into_iter().filter_map(link).collect();
        Ok(Row { links, boards: layout.set().map_err(CensusError::Memory)? })
    };
    let rows = |colour: u32| -> Result<Vec<Row>, CensusError> {
        size.squares().filter(|&square| parity(square) == colour).map(row).collect()
    };
    let (mut last, mut next) = (rows(0)?, rows(1)?);
    // The goal's permutation has no item before a smaller one: its number is 0.
    last[number(home)].boards.row_mut(0).set(0, true);
    let mut counts = vec![1];
    let (mut found, mut touched) = (1, 0);
    loop {
        let reached = advance(layout, &last, &mut next, watch).ok_or(CensusError::Stopped)?;
        if reached == 0 {
            return Ok(counts);
        }
        counts.push(reached);
        found += reached;
        touched += (next.len() * layout.words() * 8) as u64;
        mem::swap(&mut last, &mut next);
        let level = Level { number: counts.len() as u32 - 1, found, total, touched, sent: 0 };
        if watch(&Event::Level(&level)).is_break() {
            return Err(CensusError::Stopped);
        }
    }
}

/// Puts what is reached from the last boards in the place of those that they were reached from, and counts it. `None` when the
/// watch says so.
fn advance(layout: &Layout, last: &[Row], next: &mut [Row], watch: Watch<'_>) -> Option<u64> {
    let of_row = |row: &mut Row| {
        let Row { links, boards } = row;
        let chunks = boards.memory_mut().par_chunks_mut(BLOCKS_AT_A_TIME * layout.block_words).enumerate();
        let counted = chunks.map(|(chunk, words)| {
            watch(&Event::Poll).continue_value()?;
            let mut reached = vec![0; layout.block_words];
            let blocks = words.chunks_mut(layout.block_words).zip(chunk * BLOCKS_AT_A_TIME..);
            let counts = blocks.map(|(words, block)| {
                reached.fill(0);
                for (from, link) in &*links {
                    link.collect(layout, &last[*from].boards, block, &mut reached);
                }
                let mut count = 0;
                for (word, reached) in words.iter_mut().zip(&reached) {
                    *word = reached & !*word;
                    count += u64::from(word.count_ones());
                }
                count
            });
            Some(counts.sum::<u64>())
        });
        counted.try_reduce(|| 0, |a, b| Some(a + b))
    };
    next.par_iter_mut().map(of_row).try_reduce(|| 0, |a, b| Some(a + b))
}
