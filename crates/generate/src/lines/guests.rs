//! Rows of other processes that cross own rows: *guests*, copies that learn after each level what the level found in the originals.
//!
//! Copies cost memory, for at most as many rows as a line has states for each own row, and far fewer as long as processes have many rows
//! ([`Shares`](super::shares::Shares)). With them a level does not differ from that of a single process.

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;
use tilebase_index::LineIndex;
use tilebase_puzzle::Axis;

use super::search::{Half, Wanted, planes};
use super::shares::{Shares, others};
use crate::error::BuildError;
use crate::message::{Received, Writer};
use crate::peers::Peers;
use crate::store::Sent;
use crate::traffic::{self, Load, Loads, Traffic};

/// The new lines of a row are sent one by one if they are at most one in this many, and else as bits.
const FEW_NEW: u32 = 128;

/// What this process has to do with another one.
///
/// Both list the rows that cross, those of the horizontal axis first and each axis in the order of row numbers. A message names a row by
/// its place in the list.
pub(super) struct Border {
    /// The other process.
    pub(super) peer: usize,
    /// The own rows that it has copies of: their slots, shifted by one, and the axis.
    pub(super) sent: Vec<u32>,
    /// The slots of the copies of its rows, for each axis.
    pub(super) guests: [Range<usize>; 2],
}

/// Rows of other processes that cross own rows, each with its process: for each axis by process and number.
pub(super) type Guests = [Vec<(usize, u32)>; 2];

/// The guests of a process and its borders, given its rows of each axis, and the rows that cross them one after the other.
pub(super) fn meet(
    index: &LineIndex,
    shares: &Shares,
    rank: usize,
    rows: &[Vec<u32>; 2],
    crossed: &[Vec<u32>; 2],
) -> (Guests, Vec<Border>) {
    let guests = Axis::BOTH.map(|axis| {
        let all = crossed[axis.other() as usize].par_iter().map(|&row| (shares.owner(axis, row), row));
        let mut guests: Vec<(usize, u32)> = all.filter(|(peer, _)| *peer != rank).collect();
        guests.par_sort_unstable();
        guests.dedup();
        guests
    });
    // Rows that cross each other do so both ways: a process has guests from those to which it sends rows.
    let mut sent: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for axis in Axis::BOTH {
        for (slot, crossed) in (0..).zip(crossed[axis as usize].chunks(index.states_on_line(axis))) {
            for peer in others(crossed.iter().map(|&row| shares.owner(axis.other(), row)), rank) {
                sent.entry(peer).or_default().push(slot << 1 | axis as u32);
            }
        }
    }
    let border = |(peer, sent)| {
        let slots = Axis::BOTH.map(|axis| {
            let (own, guests) = (rows[axis as usize].len(), &guests[axis as usize]);
            let [start, end] = [peer, peer + 1].map(|peer| guests.partition_point(|(owner, _)| *owner < peer));
            own + start..own + end
        });
        Border { peer, sent, guests: slots }
    };
    let borders = sent.into_iter().map(border).collect();
    (guests, borders)
}

/// Sends what the last level found in own rows to the processes that have copies of them, and completes the own copies. Returns the
/// bytes that were sent.
pub(super) fn update(
    halves: &mut [Half; 2],
    borders: &[Border],
    (cost, of_group): (u32, usize),
    most_words: usize,
    peers: &dyn Peers,
) -> Result<u64, BuildError> {
    halves.iter_mut().for_each(|half| {
        let own = half.rows.len();
        half.found[own..].fill(0);
    });
    let loads = Loads::new(borders.iter().map(|border| (border.peer, &border.sent[..])), most_words);
    let words_of_row = words_of_row(&halves[0]);
    let mut update = Update { halves, borders, cost, of_group, peers };
    traffic::run(&mut update, loads, borders.len(), (cost + 1, words_of_row), peers)
}

/// Words of a row in a message: the lines of two groups in each.
fn words_of_row(half: &Half) -> usize {
    half.words.words().div_ceil(2)
}

struct Update<'a> {
    halves: &'a mut [Half; 2],
    borders: &'a [Border],
    /// The cost of what the last level found.
    cost: u32,
    /// Lines of a group.
    of_group: usize,
    peers: &'a dyn Peers,
}

impl Traffic for Update<'_> {
    fn words_of(&self, place: usize) -> usize {
        let half = &self.halves[place & 1];
        if half.found[place >> 1] == 0 { 0 } else { 1 + words_of_row(half) }
    }

    /// Writes all lines with the last cost modulo 3: the older ones among them are known, and change nothing.
    fn write(&self, load: &Load<'_>, writer: &mut Writer<'_>) {
        let wanted = Wanted::of(self.cost);
        let (mut few, mut all) = (Vec::new(), Vec::new());
        for (place, slot) in load.rows() {
            let half = &self.halves[slot & 1];
            if half.found[slot >> 1] == 0 {
                continue;
            }
            let groups = half.words.raw(slot >> 1).iter().map(|&word| wanted.of_word(word));
            let count: u32 = groups.clone().map(u32::count_ones).sum();
            if count as usize <= half.words.words() * self.of_group / FEW_NEW as usize {
                few.clear();
                for (group, lines) in (0..).step_by(self.of_group).zip(groups) {
                    few.extend(tilebase_index::bits(lines).map(|line| group + line.index() as u32));
                }
                writer.row(place, Sent::Few(&few));
            } else {
                all.clear();
                all.resize(words_of_row(half), 0);
                groups.zip(0usize..).for_each(|(lines, group)| all[group / 2] |= u64::from(lines) << (group % 2 * 32));
                writer.row(place, Sent::Bits(&all));
            }
        }
    }

    fn receive(&mut self, sender: usize, rows: Received) -> Result<(), BuildError> {
        let border = self.borders.iter().find(|border| border.peer == sender).expect("only neighbours send rows");
        let (of_group, planes) = (self.of_group, planes(self.cost));
        let mut first = 0;
        for (half, guests) in self.halves.iter_mut().zip(&border.guests) {
            let groups = half.words.words();
            let copies = half.words.memory_mut()[guests.start * groups..guests.end * groups].par_chunks_mut(groups);
            let copies = copies.zip(&mut half.found[guests.clone()]).enumerate();
            copies.for_each(|(copy, (words, found))| {
                let Some(row) = rows.find(first + copy) else { return };
                *found = 1;
                let mut add = |group: usize, lines: u32| {
                    words[group] |= u64::from(lines & planes[0]) | u64::from(lines & planes[1]) << 32;
                };
                match rows.sent(row) {
                    Sent::Few(lines) => {
                        lines.iter().for_each(|&line| add(line as usize / of_group, 1 << (line as usize % of_group)));
                    }
                    Sent::Bits(bits) => {
                        (0..groups).for_each(|group| add(group, (bits[group / 2] >> (group % 2 * 32)) as u32));
                    }
                    Sent::Without(..) => unreachable!("no message has two sets"),
                }
            });
            first += guests.len();
        }
        self.peers.recycle(rows.into_message());
        Ok(())
    }

    fn work(&mut self) -> Result<bool, BuildError> {
        Ok(false)
    }
}
