//! Rows as they cross from one process to another.
//!
//! A message has a first word, which says to which level it belongs and whether it is the last one of its sender, and then rows: a
//! word each with the row's place in the list of rows that cross ([`Border`]) and how many states follow, and then the states. Few
//! states are written as the distances from each to the next, seven bits to a byte; more of them as the bits of the whole row.

use crate::borders::Border;
use crate::sources::Source;
use crate::store::Sent;

/// What stands for the number of states where all bits of the row follow.
const ALL_BITS: u32 = u32::MAX;

/// Writes a message, row by row.
pub(crate) struct Writer<'a> {
    message: &'a mut Vec<u64>,
    bytes: Vec<u8>,
}

impl<'a> Writer<'a> {
    /// Begins a message of a level.
    pub(crate) fn new(message: &'a mut Vec<u64>, level: u32, is_last: bool) -> Writer<'a> {
        message.push(u64::from(level) << 1 | u64::from(is_last));
        Writer { message, bytes: Vec::new() }
    }

    /// Adds what a row sends, given its place in the list of rows that cross.
    pub(crate) fn row(&mut self, place: usize, sent: Sent<'_>) {
        let place = (place as u64) << 32;
        if let Sent::Few(states) = sent {
            self.message.push(place | states.len() as u64);
            write_states(states, &mut self.bytes);
            self.message.extend(self.bytes.chunks(8).map(|bytes| {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                u64::from_le_bytes(word)
            }));
            return;
        }
        self.message.push(place | u64::from(ALL_BITS));
        match sent {
            Sent::Bits(bits) => self.message.extend_from_slice(bits),
            Sent::Without(bits, others) => {
                self.message.extend(bits.iter().zip(others).map(|(bits, others)| bits & !others));
            }
            Sent::Few(_) => unreachable!("few states are written above"),
        }
    }
}

/// Writes states as distances. Those that came with one message are in order, and so are those of the next.
fn write_states(states: &[u32], bytes: &mut Vec<u8>) {
    let mut sorted = states.to_vec();
    sorted.sort_unstable();
    bytes.clear();
    let mut last = 0;
    for state in sorted {
        let mut distance = state - last;
        last = state;
        while distance >= 128 {
            bytes.push(distance as u8 | 128);
            distance >>= 7;
        }
        bytes.push(distance as u8);
    }
}

/// The rows of a message.
pub(crate) struct Received {
    message: Vec<u64>,
    pub(crate) level: u32,
    pub(crate) is_last: bool,
    words_of_row: usize,
    rows: Vec<ReceivedRow>,
    /// The states of rows that have few.
    states: Vec<u32>,
}

struct ReceivedRow {
    place: u32,
    /// Where its bits begin in the message, or where its states are.
    at: usize,
    /// How many states it has, if they are few.
    few: Option<usize>,
}

impl Received {
    /// Reads a message of rows, each of this many words.
    pub(crate) fn read(message: Vec<u64>, words_of_row: usize) -> Received {
        let first = message[0];
        let (mut rows, mut states, mut at) = (Vec::new(), Vec::new(), 1);
        while at < message.len() {
            let (place, count) = ((message[at] >> 32) as u32, message[at] as u32);
            at += 1;
            if count == ALL_BITS {
                rows.push(ReceivedRow { place, at, few: None });
                at += words_of_row;
            } else {
                rows.push(ReceivedRow { place, at: states.len(), few: Some(count as usize) });
                let bytes = read_states(&message[at..], count as usize, &mut states);
                at += bytes.div_ceil(8);
            }
        }
        assert_eq!(at, message.len(), "all processes run the same program");
        Received { level: (first >> 1) as u32, is_last: first & 1 == 1, message, words_of_row, rows, states }
    }

    /// The own rows that collect from these, with their sources, whose slots begin with a number.
    pub(crate) fn collectors<'a>(
        &'a self,
        border: &'a Border,
        first: usize,
    ) -> impl Iterator<Item = (u32, Source)> + 'a {
        let rows = self.rows.iter().zip(first..);
        rows.flat_map(|(row, slot)| border.collectors(row.place as usize, slot))
    }

    /// How many rows there are.
    pub(crate) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The row that has a place in the list of rows that cross, if it is in the message.
    pub(crate) fn find(&self, place: usize) -> Option<usize> {
        self.rows.binary_search_by_key(&place, |row| row.place as usize).ok()
    }

    /// Words that the message takes, with the states that were unpacked.
    pub(crate) fn memory(&self) -> usize {
        self.message.len() + self.states.len() / 2
    }

    /// What one of the rows sends.
    pub(crate) fn sent(&self, row: usize) -> Sent<'_> {
        let row = &self.rows[row];
        match row.few {
            Some(count) => Sent::Few(&self.states[row.at..][..count]),
            None => Sent::Bits(&self.message[row.at..][..self.words_of_row]),
        }
    }

    pub(crate) fn into_message(self) -> Vec<u64> {
        self.message
    }
}

/// Reads states, and returns how many bytes they took.
fn read_states(words: &[u64], count: usize, states: &mut Vec<u32>) -> usize {
    let byte = |at: usize| (words[at / 8] >> (at % 8 * 8)) as u8;
    let (mut at, mut state) = (0, 0);
    for _ in 0..count {
        let mut shift = 0;
        loop {
            let next = byte(at);
            at += 1;
            state += u32::from(next & 127) << shift;
            shift += 7;
            if next < 128 {
                break;
            }
        }
        states.push(state);
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_read_as_they_were_written() {
        for states in [&[0][..], &[5, 3, 4], &[0, 127, 128, 129, 300, 40_319], &[362_879, 0, 1 << 20, (1 << 21) - 1]] {
            let mut bytes = Vec::new();
            write_states(states, &mut bytes);
            let mut padded = bytes.clone();
            padded.resize(bytes.len().next_multiple_of(8), 0);
            let words: Vec<u64> = padded.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect();
            let mut read = Vec::new();
            assert_eq!(read_states(&words, states.len(), &mut read), bytes.len());
            let mut expected = states.to_vec();
            expected.sort_unstable();
            assert_eq!(read, expected);
        }
    }
}
