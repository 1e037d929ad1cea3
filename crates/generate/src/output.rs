//! From what the search found to tables: rows and maps in order, packed and written as they lie, without a second copy.

use tilebase_format::{Header, TableWriter, file_len};
use tilebase_index::{BuilderIndex, Kind};
use tilebase_progress::Watch;

use crate::build::Build;
use crate::destination::{Built, Destination, Outcome};
use crate::error::BuildError;
use crate::search::Found;
use crate::store::{Bits, words_of_map, words_of_row};

pub(crate) fn write<D: Destination>(
    index: &BuilderIndex,
    build: &Build,
    found: Found,
    destination: &D,
    watch: Watch<'_>,
) -> Outcome<D> {
    let write = |payload: Payload<'_>, kind, histogram| -> Result<Built<D::Sink>, BuildError> {
        let sink = destination.sink(&Header::file_name_of(build.pattern(), kind), file_len(payload.len()))?;
        let mut writer = TableWriter::new(sink)?;
        writer.add_made(payload.len(), |start, bytes| payload.fill(start as usize, bytes), watch)?;
        let (header, sink) = writer.finish(*build.pattern(), kind, histogram)?;
        Ok(Built { header, sink })
    };
    let Found { rows, costs, excess, states, entries } = found;
    let mut tables = Vec::new();
    if build.has_bits() {
        let places = places(index.rows(), rows.each_ref().map(|rows| rows.iter().map(|row| row.0)));
        let payload = Payload { places, halves: &costs, words: words_of_row(index), perms: index.perms(), bits: 1 };
        tables.push(write(payload, index.kind(), states)?);
    }
    drop(costs);
    if let Some(excess) = excess {
        // All rows of a map have the same colour; the first of them stands for the map.
        let maps = rows.each_ref().map(|rows| {
            let firsts = rows.iter().filter(|row| index.rows_of(index.map_of(**row)).start == row.0);
            firsts.map(|row| index.map_of(*row).0)
        });
        let places = places(index.maps(), maps);
        let payload = Payload { places, halves: &excess, words: words_of_map(index), perms: index.perms(), bits: 4 };
        tables.push(write(payload, Kind::Nibble, entries)?);
    }
    Ok(tables)
}

/// The entries of a table: those of all rows (or maps) in order, without the unused bits at their ends.
struct Payload<'a> {
    /// Where each row is: its place in its half, shifted by one, and the number of the half.
    places: Vec<u32>,
    /// The rows of each colour, each on words of its own.
    halves: &'a [Bits; 2],
    /// Words of a row.
    words: usize,
    /// Entries of a row.
    perms: u32,
    /// Bits of an entry.
    bits: usize,
}

impl Payload<'_> {
    fn entries(&self) -> usize {
        self.places.len() * self.perms as usize
    }

    fn len(&self) -> u64 {
        (self.entries() * self.bits).div_ceil(8) as u64
    }

    fn row(&self, number: usize) -> &[u64] {
        let place = self.places[number] as usize;
        &self.halves[place & 1][(place >> 1) * self.words..][..self.words]
    }

    /// Fills some bytes of the payload, given where they start.
    fn fill(&self, start: usize, bytes: &mut [u8]) {
        let bits_of_row = self.perms as usize * self.bits;
        if !bits_of_row.is_multiple_of(8) {
            // Rows of up to three tiles, which share bytes.
            bytes.iter_mut().zip(start..).for_each(|(byte, at)| *byte = self.byte(at));
            return;
        }
        let bytes_of_row = bits_of_row / 8;
        let (mut row, mut from) = (start / bytes_of_row, start % bytes_of_row);
        let mut rest = bytes;
        while !rest.is_empty() {
            let (front, others) = rest.split_at_mut(rest.len().min(bytes_of_row - from));
            copy_bytes(front, self.row(row), from);
            (row, from, rest) = (row + 1, 0, others);
        }
    }

    /// One byte, an entry after the other.
    fn byte(&self, at: usize) -> u8 {
        let in_byte = 8 / self.bits;
        let entries = (at * in_byte..self.entries()).take(in_byte).enumerate();
        entries.fold(0, |byte, (place, entry)| {
            let (row, bit) = (entry / self.perms as usize, entry % self.perms as usize * self.bits);
            let value = self.row(row)[bit / 64] >> (bit % 64) & ((1 << self.bits) - 1);
            byte | (value as u8) << (place * self.bits)
        })
    }
}

/// Fills bytes from words, the lowest byte of each first, beginning with one of their bytes.
fn copy_bytes(mut bytes: &mut [u8], words: &[u64], from: usize) {
    let (mut words, skipped) = (&words[from / 8..], from % 8);
    if skipped > 0 {
        let (front, rest) = bytes.split_at_mut(bytes.len().min(8 - skipped));
        front.copy_from_slice(&words[0].to_le_bytes()[skipped..][..front.len()]);
        (bytes, words) = (rest, &words[1..]);
    }
    for (bytes, word) in bytes.chunks_mut(8).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes()[..bytes.len()]);
    }
}

/// The places of all rows or maps in order, given those of each colour.
fn places(count: usize, of_colour: [impl Iterator<Item = u32>; 2]) -> Vec<u32> {
    let mut places = vec![0; count];
    for (colour, numbers) in (0..).zip(of_colour) {
        numbers.zip(0..).for_each(|(number, slot)| places[number as usize] = slot << 1 | colour);
    }
    places
}
