//! Where the rows of one process meet those of another.

use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;
use tilebase_index::{BuilderIndex, Row};

use crate::shares::Shares;
use crate::sources::Source;

/// What this process has to do with another one at levels that write rows of one colour.
///
/// Both list the rows that cross in the order of their numbers, so that a row's place in the list is all that a message has to say.
pub(crate) struct Border {
    /// The other process.
    pub(crate) peer: usize,
    /// The own rows from which its rows collect, by their slots among those of the other colour.
    pub(crate) sent: Vec<u32>,
    /// For each of its rows from which own ones collect, the first of these, and at the end how many there are.
    first: Vec<u32>,
    collectors: Vec<Collector>,
}

/// An own row that collects from a row of another process: its slot, and the item that moves, from a position to another.
#[derive(Clone, Copy)]
struct Collector {
    slot: u32,
    from: u8,
    to: u8,
}

impl Border {
    /// How many rows of the other process own ones collect from.
    pub(crate) fn received(&self) -> usize {
        self.first.len() - 1
    }

    /// The own rows that collect from a row of the other process, as sources at a place of a message.
    pub(crate) fn collectors(&self, received: usize, place: usize) -> impl Iterator<Item = (u32, Source)> {
        let collectors = &self.collectors[self.first[received] as usize..self.first[received + 1] as usize];
        collectors.iter().map(move |&Collector { slot, from, to }| (slot, Source { slot: place as u32, from, to }))
    }
}

/// A move across a border: the process on the other side, its row, the own row, and the item that moves from there to here.
type Crossing = (usize, Row, Collector);

/// The borders of a process, by the colour of the rows that are written, given the own rows of each colour.
pub(crate) fn borders(index: &BuilderIndex, shares: &Shares, rank: usize, rows: [&[Row]; 2]) -> [Vec<Border>; 2] {
    if shares.count() == 1 {
        return [Vec::new(), Vec::new()];
    }
    let crossings = rows.map(|rows| {
        let of_row = |(slot, &row): (usize, &Row)| {
            let steps = index.moves(row).map(move |step| {
                let collector = Collector { slot: slot as u32, from: step.enters, to: step.leaves };
                (shares.owner(index, step.row), step.row, collector)
            });
            steps.filter(|(owner, ..)| *owner != rank).collect::<Vec<Crossing>>()
        };
        let mut crossings: Vec<Crossing> = rows.par_iter().enumerate().flat_map_iter(of_row).collect();
        crossings.par_sort_unstable_by_key(|(owner, row, collector)| (*owner, *row, collector.slot));
        crossings
    });
    // Every move can be taken back: whoever collects at one level is collected from at the next.
    let sent = crossings.each_ref().map(|crossings| {
        let mut sent: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        crossings.iter().for_each(|(owner, _, collector)| sent.entry(*owner).or_default().push(collector.slot));
        sent.values_mut().for_each(|slots| {
            slots.sort_unstable();
            slots.dedup();
        });
        sent
    });
    let [of_even, of_odd] = sent;
    [(&crossings[0], of_odd), (&crossings[1], of_even)].map(|(crossings, mut sent)| {
        let of_peers = crossings.chunk_by(|a, b| a.0 == b.0);
        let mut received: BTreeMap<usize, &[Crossing]> =
            of_peers.map(|crossings| (crossings[0].0, crossings)).collect();
        // Rows of the same colour may cross in one direction only.
        let peers: BTreeSet<usize> = sent.keys().chain(received.keys()).copied().collect();
        let borders = peers.into_iter().map(|peer| {
            let crossings = received.remove(&peer).unwrap_or_default();
            let mut first = vec![0];
            crossings.chunk_by(|a, b| a.1 == b.1).for_each(|row| first.push(first[first.len() - 1] + row.len() as u32));
            let collectors = crossings.iter().map(|(_, _, collector)| *collector).collect();
            Border { peer, sent: sent.remove(&peer).unwrap_or_default(), first, collectors }
        });
        borders.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_index::{Index, Kind};
    use tilebase_puzzle::Size;

    #[test]
    fn what_one_process_sends_the_other_expects() {
        let index = BuilderIndex::new(Index::new(Size::new(4, 3).unwrap(), 5, Kind::Bit).unwrap());
        for count in 2..=5 {
            let shares = Shares::new(&index, count);
            let rows = |rank, colour| {
                let rows = (0..index.rows() as u32).map(Row);
                rows.filter(|&row| shares.owner(&index, row) == rank && index.colour(row) == colour).collect::<Vec<_>>()
            };
            let of_all: Vec<_> =
                (0..count).map(|rank| borders(&index, &shares, rank, [&rows(rank, 0), &rows(rank, 1)])).collect();
            let mut crossing = 0;
            for (rank, of_colours) in of_all.iter().enumerate() {
                for colour in 0..2 {
                    for border in &of_colours[colour] {
                        let back = of_all[border.peer][colour].iter().find(|back| back.peer == rank);
                        let back = back.expect("a border has two sides");
                        assert_eq!(border.sent.len(), back.received());
                        let own = rows(rank, 1 - colour as u32);
                        let theirs = rows(border.peer, colour as u32);
                        for (place, &slot) in border.sent.iter().enumerate() {
                            for (collector, source) in back.collectors(place, 7) {
                                let collects = index.moves(theirs[collector as usize]).any(|step| {
                                    step.row == own[slot as usize]
                                        && (step.enters, step.leaves) == (source.from, source.to)
                                });
                                assert!(collects && source.slot == 7);
                                crossing += 1;
                            }
                        }
                    }
                }
            }
            let rows = (0..index.rows() as u32).map(Row);
            let moves = rows.flat_map(|row| index.moves(row).map(move |step| (row, step.row)));
            let across = moves.filter(|&(row, to)| shares.owner(&index, row) != shares.owner(&index, to)).count();
            assert_eq!(crossing, across, "{count} processes");
        }
    }
}
