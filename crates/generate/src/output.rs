//! From what a search found to tables: rows or maps in order, packed and written from where they are, without a second copy.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io;
use std::ops::Range;

use bitvec::field::BitField;
use tilebase_format::{Header, TableWriter, file_len};
use tilebase_index::{BuilderIndex, Kind, Map, Row};
use tilebase_memory::Bits;
use tilebase_progress::{Event, Watch};

use crate::build::Build;
use crate::destination::{Built, Destination, Outcome};
use crate::error::BuildError;
use crate::peers::{Agreement, Lane, Peers};
use crate::search::Found;
use crate::shares::Shares;
use crate::store::StateRows;

/// Writes the tables of a build. Of several processes the first does, and the others send it their rows when it asks for them; they have
/// no tables.
pub(crate) struct Output<'a, D> {
    build: &'a Build,
    agreement: Agreement<'a>,
    destination: &'a D,
    watch: Watch<'a>,
}

impl<'a, D: Destination> Output<'a, D> {
    pub(crate) fn new(build: &'a Build, peers: &'a dyn Peers, destination: &'a D, watch: Watch<'a>) -> Output<'a, D> {
        Output { build, agreement: Agreement::new(peers), destination, watch }
    }

    /// Writes a table.
    pub(crate) fn table(
        &mut self,
        payload: &Payload<'_>,
        kind: Kind,
        histogram: Vec<u64>,
    ) -> Result<Option<Built<D::Sink>>, BuildError> {
        let peers = self.agreement.peers;
        if peers.rank() > 0 {
            payload.serve(&mut self.agreement)?;
            return Ok(None);
        }
        let pattern = self.build.pattern();
        let sink = self.destination.sink(&Header::file_name_of(pattern, kind), file_len(payload.len()))?;
        let mut writer = TableWriter::new(sink)?;
        let mut fetching = Fetching { payload, peers, asked: VecDeque::new(), words: 0 };
        let fill = |fetched: &Fetched, start: u64, bytes: &mut [u8]| payload.fill(fetched, start as usize, bytes);
        writer.add_fetched(payload.len(), |part| fetching.fetch(part), fill, self.watch)?;
        (1..peers.count()).for_each(|peer| peers.send(peer, Lane::Words, Vec::new()));
        let _ = (self.watch)(&Event::Sent(fetching.words * 8));
        let (header, sink) = writer.finish(*pattern, kind, histogram)?;
        Ok(Some(Built { header, sink }))
    }
}

/// Writes the tables that follow from the states of a search.
pub(crate) fn write<D: Destination>(
    index: &BuilderIndex,
    build: &Build,
    found: Found,
    (peers, shares): (&dyn Peers, &Shares),
    destination: &D,
    watch: Watch<'_>,
) -> Outcome<D> {
    let mut output = Output::new(build, peers, destination, watch);
    let Found { rows, costs, excess, states, entries } = found;
    let mut tables = Vec::new();
    if build.has_bits() {
        let places = places(index.rows(), rows.each_ref().map(|rows| rows.iter().map(|row| row.0)));
        let owner = |row: usize| shares.owner(index, Row(row as u32));
        let payload = Payload { places, halves: &costs, owner: &owner, perms: index.perms(), bits: 1 };
        tables.extend(output.table(&payload, index.kind(), states)?);
    }
    drop(costs);
    if let Some(excess) = excess {
        // All rows of a map have the same colour; the first of them stands for the map.
        let maps = rows.each_ref().map(|rows| {
            let firsts = rows.iter().filter(|row| index.rows_of(index.map_of(**row)).start == row.0);
            firsts.map(|row| index.map_of(*row).0)
        });
        let places = places(index.maps(), maps);
        let owner = |map: usize| shares.owner_of_map(Map(map as u32));
        let payload = Payload { places, halves: &excess, owner: &owner, perms: index.perms(), bits: 4 };
        tables.extend(output.table(&payload, Kind::Nibble, entries)?);
    }
    Ok(tables)
}

/// The place of rows that other processes have.
const ELSEWHERE: u32 = u32::MAX;

/// The entries of a table: those of all rows (or maps) in order, without the unused bits at their ends.
pub(crate) struct Payload<'a> {
    /// The [`places`] of all rows.
    pub(crate) places: Vec<u32>,
    /// The rows of each half.
    pub(crate) halves: &'a [StateRows; 2],
    /// The process that has a row.
    pub(crate) owner: &'a (dyn Fn(usize) -> usize + Sync),
    /// Entries of a row.
    pub(crate) perms: u32,
    /// Bits of an entry.
    pub(crate) bits: usize,
}

/// Rows of other processes, as many as one part of the payload needs.
struct Fetched {
    /// The first row of the part, own ones counted.
    first: usize,
    /// What each process sent: its rows in order.
    messages: HashMap<usize, Vec<u64>>,
    /// For each row from the first on, its place among those of its process.
    places: Vec<u32>,
}

/// Rows that have been asked for, but have not come.
struct Asked {
    rows: Range<usize>,
    /// How many rows each other process has of them.
    counts: BTreeMap<usize, u32>,
    places: Vec<u32>,
    messages: HashMap<usize, Vec<u64>>,
}

/// Fetches the rows of other processes, one part of the payload after the other. While one is used, the next one is on its way.
struct Fetching<'a> {
    payload: &'a Payload<'a>,
    peers: &'a dyn Peers,
    asked: VecDeque<Asked>,
    /// Words that have come.
    words: u64,
}

impl Fetching<'_> {
    fn fetch(&mut self, part: Range<u64>) -> io::Result<Fetched> {
        if self.asked.is_empty() {
            self.ask(&part);
        }
        let next = part.end..(part.end + (part.end - part.start)).min(self.payload.len());
        if !next.is_empty() {
            self.ask(&next);
        }
        while self.asked[0].messages.len() < self.asked[0].counts.len() {
            match self.peers.receive(Lane::Rows) {
                // Each process answers in the order in which it was asked.
                Some((sender, rows)) => {
                    self.words += rows.len() as u64;
                    let asked = self.asked.iter_mut();
                    let mut open = asked
                        .filter(|asked| asked.counts.contains_key(&sender) && !asked.messages.contains_key(&sender));
                    open.next().expect("nobody sends what was not asked for").messages.insert(sender, rows);
                }
                None => self.peers.wait().map_err(io::Error::other)?,
            }
        }
        let Asked { rows, places, messages, .. } = self.asked.pop_front().expect("it was asked for");
        Ok(Fetched { first: rows.start, messages, places })
    }

    /// Asks the processes for the rows of a part of the payload.
    fn ask(&mut self, part: &Range<u64>) {
        let rows = self.payload.rows_of(part);
        let mut counts: BTreeMap<usize, u32> = BTreeMap::new();
        let mut places = Vec::new();
        if self.peers.count() > 1 {
            places.extend(rows.clone().map(|row| {
                if self.payload.places[row] != ELSEWHERE {
                    return 0;
                }
                let count = counts.entry((self.payload.owner)(row)).or_default();
                *count += 1;
                *count - 1
            }));
        }
        for &owner in counts.keys() {
            self.peers.send(owner, Lane::Words, vec![rows.start as u64, rows.end as u64]);
        }
        self.asked.push_back(Asked { rows, counts, places, messages: HashMap::new() });
    }
}

impl Payload<'_> {
    /// Sends own rows to the first process whenever it asks for some, until it has all.
    fn serve(&self, agreement: &mut Agreement<'_>) -> Result<(), BuildError> {
        while let [first, end] = agreement.words_from(0)?[..] {
            let own = (first as usize..end as usize).filter(|&row| self.places[row] != ELSEWHERE);
            let rows: Vec<u64> = own.flat_map(|row| self.own_row(row).iter().copied()).collect();
            agreement.peers.send(0, Lane::Rows, rows);
        }
        Ok(())
    }

    /// The rows that some bytes of the payload belong to.
    fn rows_of(&self, bytes: &Range<u64>) -> Range<usize> {
        let bits_of_row = self.perms as usize * self.bits;
        let last_bit = (bytes.end as usize * 8).min(self.entries() * self.bits);
        bytes.start as usize * 8 / bits_of_row..last_bit.div_ceil(bits_of_row)
    }

    fn entries(&self) -> usize {
        self.places.len() * self.perms as usize
    }

    fn len(&self) -> u64 {
        (self.entries() * self.bits).div_ceil(8) as u64
    }

    /// Words of a row with entries.
    fn words(&self) -> usize {
        (self.perms as usize * self.bits).div_ceil(64)
    }

    fn own_row(&self, number: usize) -> &[u64] {
        let place = self.places[number] as usize;
        &self.halves[place & 1].raw(place >> 1)[..self.words()]
    }

    fn row<'a>(&'a self, fetched: &'a Fetched, number: usize) -> &'a [u64] {
        if self.places[number] != ELSEWHERE {
            return self.own_row(number);
        }
        let place = fetched.places[number - fetched.first] as usize;
        let words = self.words();
        &fetched.messages[&(self.owner)(number)][place * words..][..words]
    }

    /// Fills some bytes of the payload, given where they start.
    fn fill(&self, fetched: &Fetched, start: usize, bytes: &mut [u8]) {
        let bits_of_row = self.perms as usize * self.bits;
        if !bits_of_row.is_multiple_of(8) {
            // Rows of up to three tiles, which share bytes.
            bytes.iter_mut().zip(start..).for_each(|(byte, at)| *byte = self.byte(fetched, at));
            return;
        }
        let bytes_of_row = bits_of_row / 8;
        let (mut row, mut from) = (start / bytes_of_row, start % bytes_of_row);
        let mut rest = bytes;
        while !rest.is_empty() {
            let (front, others) = rest.split_at_mut(rest.len().min(bytes_of_row - from));
            copy_bytes(front, self.row(fetched, row), from);
            (row, from, rest) = (row + 1, 0, others);
        }
    }

    /// One byte, an entry after the other.
    fn byte(&self, fetched: &Fetched, at: usize) -> u8 {
        let in_byte = 8 / self.bits;
        let entries = (at * in_byte..self.entries()).take(in_byte).enumerate();
        entries.fold(0, |byte, (place, entry)| {
            let (row, bit) = (entry / self.perms as usize, entry % self.perms as usize * self.bits);
            byte | Bits::from_slice(self.row(fetched, row))[bit..][..self.bits].load_le::<u8>() << (place * self.bits)
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

/// Where each row or map is, given the numbers of those of each half that are here: its place in its half, shifted by one, and the number
/// of the half; or [`ELSEWHERE`].
pub(crate) fn places(count: usize, of_half: [impl Iterator<Item = u32>; 2]) -> Vec<u32> {
    let mut places = vec![ELSEWHERE; count];
    for (half, numbers) in (0..).zip(of_half) {
        numbers.zip(0..).for_each(|(number, slot)| places[number as usize] = slot << 1 | half);
    }
    places
}
