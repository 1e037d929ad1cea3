//! Which process has which rows, when several build together.
//!
//! Maps stay whole, and what moves sideways stays with its process as far as possible: a tile that slides sideways keeps the number of
//! tiles in every row of the board, so that maps with equal numbers belong together. They are lined up by *height*, the sum of the
//! rows in which the tiles are. A tile that slides up or down changes it by one, so that a process has neighbours just above and just
//! below, and of its rows only the highest and the lowest are asked for by others.

use std::collections::BTreeMap;

use tilebase_index::{BuilderIndex, Map, Row, bits};

/// Changes whenever maps are divided otherwise: rows that were kept by a process are then those of another.
pub(crate) const SHARES_VERSION: u32 = 1;

/// A group of maps is cut in two when that evens out more than this part of a share.
const WORTH_CUTTING: u64 = 64;

/// The processes of a build, and the maps of each.
#[derive(Clone, Debug)]
pub(crate) struct Shares {
    count: usize,
    of_map: Vec<u16>,
}

impl Shares {
    /// Shares of one process, which has everything.
    pub(crate) fn whole(index: &BuilderIndex) -> Shares {
        Shares { count: 1, of_map: vec![0; index.maps()] }
    }

    /// Even shares of some processes: each has as many rows as the next, but for one map.
    pub(crate) fn new(index: &BuilderIndex, count: usize) -> Shares {
        if count <= 1 {
            return Shares::whole(index);
        }
        let rows_of = |map: Map| index.rows_of(map).len() as u64;
        // Maps with the same number of tiles in every row of the board, by height.
        let mut heights: BTreeMap<u32, BTreeMap<u64, Vec<Map>>> = BTreeMap::new();
        for map in (0..index.maps() as u32).map(Map) {
            let (height, tiles_by_row) = place(index, map);
            heights.entry(height).or_default().entry(tiles_by_row).or_default().push(map);
        }
        let total = index.rows() as u64;
        let mut shares = Shares { count, of_map: vec![0; index.maps()] };
        let (mut process, mut given) = (0, 0);
        // What the processes up to this one should have.
        let enough = |process: usize| total * (process as u64 + 1) / count as u64;
        for groups in heights.into_values() {
            let weigh = |maps: Vec<Map>| (maps.iter().map(|&map| rows_of(map)).sum::<u64>(), maps);
            let mut groups: Vec<(u64, Vec<Map>)> = groups.into_values().map(weigh).collect();
            groups.sort_by_key(|(rows, maps)| (*rows, maps[0]));
            while !groups.is_empty() {
                let room = enough(process).saturating_sub(given);
                let is_last = process + 1 == count;
                // The largest that fits.
                let fits = groups.iter().rposition(|(rows, _)| *rows <= room || is_last);
                let (rows, maps) = if let Some(group) = fits {
                    groups.remove(group)
                } else if room * WORTH_CUTTING * count as u64 > total {
                    cut(&mut groups[0], room, rows_of)
                } else {
                    process += 1;
                    continue;
                };
                maps.iter().for_each(|map| shares.of_map[map.0 as usize] = process as u16);
                given += rows;
                if given >= enough(process) && !is_last {
                    process += 1;
                }
            }
        }
        shares
    }

    /// How many processes there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The process that has a row.
    #[inline]
    pub(crate) fn owner(&self, index: &BuilderIndex, row: Row) -> usize {
        self.owner_of_map(index.map_of(row))
    }

    /// The process that has a map.
    #[inline]
    pub(crate) fn owner_of_map(&self, map: Map) -> usize {
        self.of_map[map.0 as usize].into()
    }
}

/// The height of a map, and its number of tiles in every row of the board, four bits each.
fn place(index: &BuilderIndex, map: Map) -> (u32, u64) {
    let width = index.size().width() as u32;
    bits(index.squares(map)).fold((0, 0), |(height, tiles), square| {
        let row = u32::from(square.0) / width;
        (height + row, tiles + (1 << (4 * row)))
    })
}

/// Cuts maps off the front of a group, about as many as have this many rows; at least one, and not all if there are several.
fn cut(group: &mut (u64, Vec<Map>), room: u64, rows_of: impl Fn(Map) -> u64) -> (u64, Vec<Map>) {
    let mut taken = 0;
    let fit = group.1.iter().take_while(|&&map| {
        taken += rows_of(map);
        taken <= room
    });
    let count = fit.count().clamp(1, (group.1.len() - 1).max(1));
    let rest = group.1.split_off(count);
    let front = std::mem::replace(&mut group.1, rest);
    let rows = front.iter().map(|&map| rows_of(map)).sum();
    group.0 -= rows;
    (rows, front)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tilebase_index::{Index, Kind};
    use tilebase_puzzle::Size;

    #[test]
    fn shares_are_even_and_sideways_moves_stay_within_them() {
        for (width, height, tiles, kind) in
            [(4, 4, 6, Kind::Bit), (5, 5, 4, Kind::Bit), (3, 4, 5, Kind::AllMoves), (2, 3, 2, Kind::Bit)]
        {
            let size = Size::new(width, height).unwrap();
            let index = BuilderIndex::new(Index::new(size, tiles, kind).unwrap());
            let largest_map = (0..index.maps() as u32).map(|map| index.rows_of(Map(map)).len()).max().unwrap();
            for count in 1..=9 {
                let shares = Shares::new(&index, count);
                let mut rows = vec![0; count];
                (0..index.rows() as u32).for_each(|row| rows[shares.owner(&index, Row(row))] += 1);
                let even = index.rows().div_ceil(count);
                let most = rows.iter().max().unwrap();
                assert!(*most <= even + even / 60 + largest_map, "{tiles} tiles on {size}: {rows:?}");
                if count > 3 {
                    continue;
                }
                let crossing = |sideways: bool| {
                    let rows = (0..index.rows() as u32).map(Row);
                    let moves = rows.flat_map(|row| index.moves(row).map(move |step| (row, step)));
                    let moves = moves.filter(|(_, step)| (step.from.0.abs_diff(step.to.0) == 1) == sideways);
                    let crosses = |row, to| shares.owner(&index, row) != shares.owner(&index, to);
                    let (all, across) = moves.fold((0, 0), |(all, across), (row, step)| {
                        (all + 1, across + u32::from(crosses(row, step.row)))
                    });
                    f64::from(across) / f64::from(all)
                };
                if index.maps() > 100 {
                    assert!(crossing(true) < 0.02 * count as f64, "{tiles} tiles on {size}: {}", crossing(true));
                    assert!(crossing(false) < 0.3 * count as f64, "{tiles} tiles on {size}: {}", crossing(false));
                }
            }
        }
    }

    #[test]
    fn there_may_be_more_processes_than_maps() {
        let index = BuilderIndex::new(Index::new(Size::new(2, 2).unwrap(), 1, Kind::Bit).unwrap());
        let shares = Shares::new(&index, 7);
        assert!((0..index.rows() as u32).all(|row| shares.owner(&index, Row(row)) < 7));
    }
}
