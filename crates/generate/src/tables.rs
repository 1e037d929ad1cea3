//! From what the search found to the bytes of the tables.

use bitvec::prelude::{BitVec, Lsb0};
use bitvec::view::BitView;
use tilebase_format::{Encoding, Header};
use tilebase_puzzle::Pattern;
use tilebase_puzzle::index::{Index, Map};

use crate::build::BuildError;
use crate::search::{Bits, Found, bytes_of_map, words_of_row};

/// A finished table: what [`tilebase_format::write`] needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// What it is.
    pub header: Header,
    /// Its entries.
    pub payload: Vec<u8>,
}

impl Table {
    /// Header and payload in one piece, as in a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        [&self.header.to_bytes()[..], &self.payload].concat()
    }

    /// The tables that were asked for.
    pub(crate) fn all(index: &Index, pattern: &Pattern, found: Found) -> Result<Vec<Table>, BuildError> {
        let mut tables = Vec::new();
        let mut add = |encoding, histogram, payload: Vec<u8>| -> Result<(), BuildError> {
            let header = Header::new(*pattern, encoding, histogram, &payload).map_err(BuildError::Header)?;
            tables.push(Table { header, payload });
            Ok(())
        };
        if let Some(costs) = found.costs {
            add(Encoding::Bit, found.states, pack_rows(index, &found.maps, &costs))?;
        }
        if let Some(excess) = found.excess {
            add(Encoding::Nibble, found.entries, pack_maps(index, &found.maps, &excess))?;
        }
        Ok(tables)
    }
}

/// The bits of all rows in order, without the unused ones at the ends of rows.
fn pack_rows(index: &Index, maps: &[Vec<Map>; 2], costs: &[Bits; 2]) -> Vec<u8> {
    let perms = index.perms() as usize;
    let mut payload = Vec::with_capacity((index.states() as usize).div_ceil(8));
    let mut few: BitVec<u8, Lsb0> = BitVec::new();
    let mut slots = [0; 2];
    in_order(maps, |colour, map| {
        for _ in index.rows_of(map) {
            let row = slots[colour] * words_of_row(index);
            let words = &costs[colour].as_raw_slice()[row..][..words_of_row(index)];
            if perms.is_multiple_of(8) {
                let end = payload.len() + perms / 8;
                words.iter().for_each(|word| payload.extend_from_slice(&word.to_le_bytes()));
                payload.truncate(end);
            } else {
                few.extend(words.view_bits::<Lsb0>()[..perms].iter().by_vals());
            }
            slots[colour] += 1;
        }
    });
    few.set_uninitialized(false);
    payload.extend(few.into_vec());
    payload
}

/// The nibbles of all maps in order.
fn pack_maps(index: &Index, maps: &[Vec<Map>; 2], excess: &[Vec<u8>; 2]) -> Vec<u8> {
    let mut payload = Vec::with_capacity((index.entries() as usize).div_ceil(2));
    let mut places = [0; 2];
    in_order(maps, |colour, map| {
        let bytes = &excess[colour][places[colour] * bytes_of_map(index)..][..bytes_of_map(index)];
        places[colour] += 1;
        // With one tile a map has a single entry, and two maps share a byte.
        if index.perms() > 1 {
            payload.extend_from_slice(bytes);
        } else if map.0 % 2 == 0 {
            payload.push(bytes[0] & 0x0f);
        } else {
            *payload.last_mut().expect("an even map came before") |= bytes[0] << 4;
        }
    });
    payload
}

/// Visits all maps in order, each with its colour.
fn in_order(maps: &[Vec<Map>; 2], mut visit: impl FnMut(usize, Map)) {
    let [mut even, mut odd] = [0, 1].map(|colour: usize| maps[colour].iter().peekable());
    loop {
        let colour = match (even.peek(), odd.peek()) {
            (Some(even), Some(odd)) => usize::from(odd < even),
            (Some(_), None) => 0,
            (None, Some(_)) => 1,
            (None, None) => return,
        };
        let maps = if colour == 0 { &mut even } else { &mut odd };
        visit(colour, *maps.next().expect("just seen"));
    }
}
