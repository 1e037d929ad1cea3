//! From what the search found to the bytes of the tables.

use std::io;

use bitvec::order::Lsb0;
use bitvec::view::BitView;
use rayon::prelude::*;
use tilebase_format::{BlockHashes, Header};
use tilebase_index::{BuilderIndex as Index, Kind, Row};
use tilebase_memory::Zeroed;
use tilebase_puzzle::Pattern;

use crate::build::BuildError;
use crate::search::{Bits, Found, words_of_map, words_of_row};

/// A finished table: what [`tilebase_format::write`] needs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// What it is.
    pub header: Header,
    /// Its entries.
    pub payload: Zeroed<u8>,
}

impl Table {
    /// Header, payload and block hashes in one piece, as in a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        [&self.header.to_bytes()[..], &self.payload, &BlockHashes::of(&self.payload).to_bytes()].concat()
    }

    /// The tables that were asked for.
    pub(crate) fn all(index: &Index, pattern: &Pattern, found: Found) -> Result<Vec<Table>, BuildError> {
        let mut tables = Vec::new();
        let mut add = |kind, histogram, payload: io::Result<Zeroed<u8>>| -> Result<(), BuildError> {
            let payload = payload.map_err(|error| BuildError::memory(&error))?;
            let header = Header::new(*pattern, kind, histogram, &payload).map_err(BuildError::Header)?;
            tables.push(Table { header, payload });
            Ok(())
        };
        if let Some(costs) = found.costs {
            add(index.kind(), found.states, pack_rows(index, &found.rows, &costs))?;
        }
        if let Some(excess) = found.excess {
            add(Kind::Nibble, found.entries, pack_maps(index, &found.rows, &excess))?;
        }
        Ok(tables)
    }
}

/// The bits of all rows in order, without the unused ones at the ends of rows.
fn pack_rows(index: &Index, rows: &[Vec<Row>; 2], costs: &[Bits; 2]) -> io::Result<Zeroed<u8>> {
    let words = words_of_row(index);
    let places = places(index.rows(), rows.each_ref().map(|rows| rows.iter().map(|row| row.0)));
    let row = |place: &Place| &costs[place.colour()][place.slot() * words..][..words];
    let perms = index.perms() as usize;
    let mut payload = Zeroed::new((index.states() as usize).div_ceil(8))?;
    if !perms.is_multiple_of(8) {
        let bits = places.iter().flat_map(|place| row(place).view_bits::<Lsb0>()[..perms].iter().by_vals());
        let payload_bits = payload.view_bits_mut::<Lsb0>();
        bits.enumerate().for_each(|(entry, bit)| payload_bits.set(entry, bit));
        return Ok(payload);
    }
    payload.par_chunks_mut(perms / 8).zip(&places).for_each(|(payload, place)| copy_words(payload, row(place)));
    Ok(payload)
}

/// Fills bytes from words, the lowest byte of each first.
fn copy_words(bytes: &mut [u8], words: &[u64]) {
    for (bytes, word) in bytes.chunks_mut(8).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
    }
}

/// The nibbles of all maps in order.
fn pack_maps(index: &Index, rows: &[Vec<Row>; 2], excess: &[Bits; 2]) -> io::Result<Zeroed<u8>> {
    // All rows of a map have the same colour; the first of them stands for the map.
    let maps = rows.each_ref().map(|rows| {
        let firsts = rows.iter().filter(|row| index.rows_of(index.map_of(**row)).start == row.0);
        firsts.map(|row| index.map_of(*row).0)
    });
    let words = words_of_map(index);
    let places = places(index.maps(), maps);
    let map = |place: &Place| &excess[place.colour()][place.slot() * words..][..words];
    let mut payload = Zeroed::new((index.entries() as usize).div_ceil(2))?;
    if index.perms() == 1 {
        // With one tile a map has a single entry, and two maps share a byte.
        for (byte, pair) in payload.iter_mut().zip(places.chunks(2)) {
            *byte = pair.iter().rev().fold(0, |byte, place| byte << 4 | map(place)[0] as u8);
        }
        return Ok(payload);
    }
    let bytes = index.perms() as usize / 2;
    payload.par_chunks_mut(bytes).zip(&places).for_each(|(payload, place)| copy_words(payload, map(place)));
    Ok(payload)
}

/// Where something is kept: in which of the two halves, and as which of those there.
#[derive(Clone, Copy)]
struct Place(u32);

impl Place {
    fn colour(self) -> usize {
        self.0 as usize & 1
    }

    fn slot(self) -> usize {
        self.0 as usize >> 1
    }
}

/// The places of all rows or maps in order, given those of each colour.
fn places(count: usize, of_colour: [impl Iterator<Item = u32>; 2]) -> Vec<Place> {
    let mut places = vec![Place(0); count];
    for (colour, numbers) in (0..).zip(of_colour) {
        numbers.zip(0..).for_each(|(number, slot)| places[number as usize] = Place(slot << 1 | colour));
    }
    places
}
