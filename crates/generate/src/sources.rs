//! Which rows lead to which: a row's neighbours, and what a move between them does to the permutations.

use std::io;

use rayon::prelude::*;
use tilebase_index::{Row, RowMove};
use tilebase_memory::Zeroed;

use crate::store::take_front;

/// Sources are worked out for this many rows at a time.
const ROWS_OF_PART: usize = 256;

/// A row from which another one collects: its slot in the other half, and the item that moves, from a position to another. Kept
/// in 32 bits, because there are as many of them as rows have moves: no half of a table that fits into memory has 2²⁴ rows, and no
/// pattern of one has more than 16 tiles.
#[derive(Clone, Copy)]
pub(crate) struct Source {
    pub(crate) slot: u32,
    pub(crate) from: u8,
    pub(crate) to: u8,
}

impl Source {
    fn to_word(self) -> u32 {
        assert!(self.slot < 1 << 24 && self.from < 16 && self.to < 16, "a table that fits into memory");
        self.slot | u32::from(self.from) << 24 | u32::from(self.to) << 28
    }

    fn from_word(word: u32) -> Source {
        Source { slot: word & 0xff_ffff, from: (word >> 24 & 15) as u8, to: (word >> 28) as u8 }
    }
}

/// For each row of a half the rows of the other from which it collects.
pub(crate) struct Sources {
    first: Vec<u32>,
    all: Zeroed<u32>,
}

impl Sources {
    /// The sources of rows, given how many moves each has, and which.
    pub(crate) fn new<I: Iterator<Item = RowMove>>(
        rows: &[Row],
        slot_of_row: &[u32],
        count: impl Fn(Row) -> usize + Sync,
        moves: impl Fn(Row) -> I + Sync,
    ) -> io::Result<Sources> {
        let counts: Vec<u32> = rows.par_iter().map(|&row| count(row) as u32).collect();
        let mut first = Vec::with_capacity(rows.len() + 1);
        first.push(0);
        counts.iter().for_each(|count| first.push(first[first.len() - 1] + count));
        let mut all = Zeroed::new(first[rows.len()] as usize)?;
        let mut rest = &mut all[..];
        let parts = rows
            .chunks(ROWS_OF_PART)
            .zip(counts.chunks(ROWS_OF_PART))
            .map(|(rows, counts)| (rows, take_front(&mut rest, counts.iter().sum::<u32>() as usize)));
        let parts: Vec<(&[Row], &mut [u32])> = parts.collect();
        parts.into_par_iter().with_max_len(1).for_each(|(rows, sources)| {
            let steps = rows.iter().flat_map(|&row| moves(row));
            for (source, step) in sources.iter_mut().zip(steps) {
                // Every move can be taken back, and that undoes what it did to the permutation.
                let slot = slot_of_row[step.row.0 as usize];
                *source = Source { slot, from: step.enters, to: step.leaves }.to_word();
            }
        });
        Ok(Sources { first, all })
    }

    /// Room for sources that change from level to level.
    pub(crate) fn empty() -> io::Result<Sources> {
        Ok(Sources { first: Vec::new(), all: Zeroed::new(0)? })
    }

    /// Puts other sources of some rows of a half in the place of these, each with the slot of the row that collects from it.
    pub(crate) fn fill(&mut self, rows: usize, sources: &[(u32, Source)]) -> io::Result<()> {
        let Sources { first, all } = self;
        // One place further than at the end: each row's place is where the next of its sources goes until all are there.
        first.clear();
        first.resize(rows + 2, 0);
        sources.iter().for_each(|(collector, _)| first[*collector as usize + 2] += 1);
        (2..rows + 2).for_each(|row| first[row] += first[row - 1]);
        if all.len() < sources.len() {
            *all = Zeroed::new(sources.len() + sources.len() / 4)?;
        }
        for &(collector, source) in sources {
            let place = &mut first[collector as usize + 1];
            all[*place as usize] = source.to_word();
            *place += 1;
        }
        first.pop();
        Ok(())
    }

    pub(crate) fn of(&self, slot: usize) -> impl Iterator<Item = Source> {
        self.all[self.first[slot] as usize..self.first[slot + 1] as usize].iter().map(|&word| Source::from_word(word))
    }
}
