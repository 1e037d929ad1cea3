//! Rows as they cross from one process to another.
//!
//! A message has a first word, which says to which level it belongs and whether it is the last one of its sender, and then rows: a
//! word each with the row's place in the list of rows that cross ([`Border`]) and how many states follow, and then the states. Few
//! states are written as the distances from each to the next, seven bits to a byte; more of them as the bits of the whole row.

use crate::borders::Border;
use crate::sources::Source;
use crate::store::{Half, Rows, Sent};

/// What stands for the number of states where all bits of the row follow.
const ALL_BITS: u32 = u32::MAX;

/// Distances between few states of a row take two bytes, seldom one or three: about this many in a word.
const STATES_IN_WORD: usize = 4;

/// Rows of a border to be put into one message: their places in the list, about how many words they take, and
/// whether they are the last of the level.
pub(crate) struct Load<'a> {
    pub(crate) border: &'a Border,
    pub(crate) places: std::ops::Range<usize>,
    pub(crate) words: usize,
    pub(crate) is_last: bool,
}

/// About how many words a row takes in a message; none when there is nothing to send.
pub(crate) fn words_of(half: &Half, slot: usize) -> usize {
    match half.news(slot) {
        _ if half.found(slot) == 0 => 0,
        Some(states) => 1 + states.len().div_ceil(STATES_IN_WORD),
        None => 1 + half.words(),
    }
}

/// Writes a message: of each row of the load what the last level found, or, when that is not few, all that it sends.
pub(crate) fn write(load: &Load<'_>, half: &Half, level: u32, sent_bit: bool, message: &mut Vec<u64>) {
    message.push(u64::from(level) << 1 | u64::from(load.is_last));
    let mut bytes = Vec::new();
    for place in load.places.clone() {
        let slot = load.border.sent[place] as usize;
        if half.found(slot) == 0 {
            continue;
        }
        if let Some(states) = half.news(slot) {
            message.push((place as u64) << 32 | states.len() as u64);
            write_states(states, &mut bytes);
            message.extend(bytes.chunks(8).map(|bytes| {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                u64::from_le_bytes(word)
            }));
        } else {
            message.push((place as u64) << 32 | u64::from(ALL_BITS));
            match half.sent(slot, sent_bit) {
                Sent::Bits(bits) => message.extend_from_slice(bits),
                Sent::Without(bits, others) => {
                    message.extend(bits.iter().zip(others).map(|(bits, others)| bits & !others));
                }
                Sent::Few(_) => unreachable!("a half has bits"),
            }
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
