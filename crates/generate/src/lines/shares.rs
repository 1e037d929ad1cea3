//! Which process has which rows, when several build together.
//!
//! Rows that cross should belong to the same process, because everything else is sent. A horizontal line keeps the number of tiles in every
//! row of the board, and a vertical one changes the row of few tiles. So rows of both axes are sorted by *height*, the sum of the board
//! rows of the tiles over all states of a line, and then by the sum of the board columns, and each process gets an equal part of each axis.

use rayon::prelude::*;
use tilebase_index::{LineIndex, Map, bits};
use tilebase_puzzle::Axis;

/// The processes of a build, and the rows of each.
#[derive(Clone, Debug)]
pub(super) struct Shares {
    /// The process of each row of both axes; empty when there is only one.
    of_row: [Vec<u16>; 2],
}

impl Shares {
    /// Even shares for some processes.
    pub(super) fn new(index: &LineIndex, count: usize) -> Shares {
        let of_axis = |axis| {
            let rows = index.rows_of(axis) as u32;
            let mut order: Vec<_> = (0..rows).into_par_iter().map(|row| (place(index, axis, row), row)).collect();
            order.par_sort_unstable();
            let mut of_row = vec![0; rows as usize];
            for (at, (_, row)) in (0..).zip(order) {
                of_row[row as usize] = (at * count as u64 / u64::from(rows)) as u16;
            }
            of_row
        };
        Shares { of_row: if count > 1 { Axis::BOTH.map(of_axis) } else { Default::default() } }
    }

    /// The process that has a row.
    #[inline]
    pub(super) fn owner(&self, axis: Axis, row: u32) -> usize {
        self.of_row[axis as usize].get(row as usize).copied().unwrap_or(0).into()
    }
}

/// The height of a row, and the sum of the board columns of its tiles, both over as many states for either axis.
fn place(index: &LineIndex, axis: Axis, row: u32) -> (u32, u32) {
    let times = index.states_on_line(axis.other()) as u32;
    crossed(index, axis, row as usize).fold((0, 0), |sums, Crossed { squares, .. }| {
        bits(squares).fold(sums, |(rows, columns), square| {
            let (row, column) = index.size().row_column(square);
            (rows + row as u32 * times, columns + column as u32 * times)
        })
    })
}

/// A row that crosses another in one of the states of its lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossed {
    /// Its number among those of the other axis.
    pub(super) row: u32,
    /// The squares of the tiles in that state.
    pub(super) squares: u32,
}

/// The rows that cross a row: one for each state of its lines.
pub(super) fn crossed(index: &LineIndex, axis: Axis, row: usize) -> impl Iterator<Item = Crossed> {
    let (of_board, map) = (row / index.maps(), Map((row % index.maps()) as u32));
    let places = index.places(map);
    let along = index.states_on_line(axis);
    (0..along).map(move |at| {
        let blank = of_board * along + at;
        let blank_square = index.square(axis, blank);
        let squares = bits(places).map(|place| index.square(axis, place.index() + usize::from(place.index() >= blank)));
        let squares = squares.fold(0, |set, square| set | square.bit());
        let other = axis.other();
        let crossed = index.place(other, blank_square);
        let there = bits(squares).map(|square| index.place(other, square));
        let there = there.fold(0, |set, place| set | 1u32 << (place - u8::from(place > crossed)));
        let row = index.line_of_board(other, blank_square) * index.maps() + index.map(there).0 as usize;
        Crossed { row: row as u32, squares }
    })
}

/// What one of several processes has.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Part {
    /// Its rows.
    pub(crate) rows: u64,
    /// Rows of other processes that cross its rows.
    pub(crate) guests: u64,
    /// Its rows that cross rows of others: each counts once for each of these processes.
    pub(crate) sent: u64,
}

impl Part {
    fn add(&mut self, other: Part) {
        self.rows += other.rows;
        self.guests += other.guests;
        self.sent += other.sent;
    }
}

/// What each of some processes has.
pub(crate) fn parts(index: &LineIndex, processes: usize) -> Vec<Part> {
    let shares = Shares::new(index, processes);
    let none = || vec![Part::default(); processes];
    let add = |mut all: Vec<Part>, parts: Vec<Part>| {
        all.iter_mut().zip(parts).for_each(|(all, part)| all.add(part));
        all
    };
    let of_axis = |axis: Axis| {
        let of_row = |mut parts: Vec<Part>, row: u32| {
            let owner = shares.owner(axis, row);
            let crossed = crossed(index, axis, row as usize);
            let others = others(crossed.map(|crossed| shares.owner(axis.other(), crossed.row)), owner);
            parts[owner].add(Part { rows: 1, guests: 0, sent: others.len() as u64 });
            others.into_iter().for_each(|other| parts[other].guests += 1);
            parts
        };
        (0..index.rows_of(axis) as u32).into_par_iter().fold(none, of_row).reduce(none, add)
    };
    add(of_axis(Axis::Horizontal), of_axis(Axis::Vertical))
}

/// The processes among these other than the owner, each once.
pub(super) fn others(owners: impl Iterator<Item = usize>, owner: usize) -> Vec<usize> {
    let mut others: Vec<usize> = owners.filter(|&other| other != owner).collect();
    others.sort_unstable();
    others.dedup();
    others
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_puzzle::Size;

    #[test]
    fn shares_are_even_and_few_rows_cross_between_two() {
        for (width, height, tiles) in [(4, 4, 6), (4, 4, 7), (5, 4, 5), (3, 5, 4), (5, 5, 4)] {
            let index = LineIndex::new(Size::new(width, height).unwrap(), tiles).unwrap();
            let all = Axis::BOTH.map(|axis| index.rows_of(axis) as u64);
            for processes in 1..=7 {
                let parts = parts(&index, processes);
                assert_eq!(parts.iter().map(|part| part.rows).sum::<u64>(), all.iter().sum::<u64>());
                let (least, most) =
                    (all.map(|rows| rows / processes as u64), all.map(|rows| rows.div_ceil(processes as u64)));
                let is_even = |part: &Part| (least.iter().sum()..=most.iter().sum()).contains(&part.rows);
                assert!(parts.iter().all(is_even), "{tiles} tiles on {width}x{height}: {parts:?}");
                let guests: u64 = parts.iter().map(|part| part.guests).sum();
                assert_eq!(guests, parts.iter().map(|part| part.sent).sum::<u64>());
                let part = guests as f64 / all.iter().sum::<u64>() as f64;
                assert!(part <= 0.22 * (processes as f64 - 1.0), "{tiles} tiles on {width}x{height}: {part}");
            }
        }
    }

    #[test]
    fn rows_cross_each_other() {
        for (width, height, tiles) in [(3, 3, 3), (4, 2, 3), (2, 3, 5)] {
            let index = LineIndex::new(Size::new(width, height).unwrap(), tiles).unwrap();
            for axis in Axis::BOTH {
                for row in 0..index.rows_of(axis) {
                    for there in crossed(&index, axis, row) {
                        let back = crossed(&index, axis.other(), there.row as usize);
                        assert!(back.into_iter().any(|back| back.row as usize == row && back.squares == there.squares));
                    }
                }
            }
        }
    }
}
