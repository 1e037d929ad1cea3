//! Rows that cross between processes in one level: what is sent, what comes, and what is done meanwhile.

use rayon::prelude::*;

use crate::error::BuildError;
use crate::message::{Received, Writer};
use crate::peers::{Lane, Peers};

/// A message has about this part of a process's rows, so that the few that are on their way at a time take little memory.
const PART_OF_ROWS: usize = 128;

/// Messages have at least this many words, unless there is less to send, and at most this many: half a megabyte and 64.
const FEWEST_WORDS: usize = 1 << 16;
const MOST_WORDS: usize = 1 << 23;

/// The most words of a message, given how many words of rows a process has.
pub(crate) fn words_of_message(words: usize) -> usize {
    (words / PART_OF_ROWS).clamp(FEWEST_WORDS, MOST_WORDS)
}

/// The most messages that are written at the same time: more take memory, and gain nothing.
const WRITTEN_AT_ONCE: usize = 4;

/// What a search does with the rows that cross in a level.
pub(crate) trait Traffic: Sync {
    /// About how many words a row takes in a message; none when there is nothing to send.
    fn words_of(&self, slot: usize) -> usize;

    /// Writes what the rows of a load have found. Several loads are written at the same time.
    fn write(&self, load: &Load<'_>, writer: &mut Writer<'_>);

    /// Takes the rows of a message.
    fn receive(&mut self, sender: usize, rows: Received) -> Result<(), BuildError>;

    /// Does a part of the work that needs no more messages. Returns false when none is left.
    fn work(&mut self) -> Result<bool, BuildError>;
}

/// Sends all loads and takes the messages of this many other processes. Works while there is nothing to send or to take. Returns the
/// bytes that were sent.
pub(crate) fn run(
    traffic: &mut impl Traffic,
    mut loads: Loads<'_>,
    mut senders: usize,
    (level, words_of_row): (u32, usize),
    peers: &dyn Peers,
) -> Result<u64, BuildError> {
    let mut sent = 0;
    loop {
        if !loads.is_empty() && peers.has_room() {
            sent += send(&mut loads, traffic, level, peers);
        } else if let Some((sender, message)) = peers.receive(Lane::Rows) {
            let received = Received::read(message, words_of_row);
            assert_eq!(received.level, level, "no process begins a level before all have ended the one before");
            senders -= usize::from(received.is_last);
            traffic.receive(sender, received)?;
        } else if !traffic.work()? {
            if loads.is_empty() && senders == 0 {
                return Ok(sent);
            }
            peers.wait()?;
        }
    }
}

/// Sends messages, several at a time if there are threads to write them. Returns their bytes.
fn send(loads: &mut Loads<'_>, traffic: &impl Traffic, level: u32, peers: &dyn Peers) -> u64 {
    let at_once = rayon::current_num_threads().min(WRITTEN_AT_ONCE);
    let loads: Vec<Load<'_>> = std::iter::from_fn(|| loads.next(traffic)).take(at_once).collect();
    let write = |load: &Load<'_>| {
        let mut message = peers.empty_message();
        message.reserve(load.words);
        traffic.write(load, &mut Writer::new(&mut message, level, load.is_last));
        message
    };
    let messages: Vec<Vec<u64>> = loads.par_iter().with_max_len(1).map(write).collect();
    loads
        .iter()
        .zip(messages)
        .map(|(load, message)| {
            let bytes = message.len() as u64 * 8;
            peers.send(load.peer, Lane::Rows, message);
            bytes
        })
        .sum()
}

/// Rows for one message.
pub(crate) struct Load<'a> {
    peer: usize,
    slots: &'a [u32],
    /// The place of the first of them in the list of all rows that the other process gets.
    first: usize,
    /// About how many words they take.
    words: usize,
    /// Whether they are the last of the level.
    is_last: bool,
}

impl Load<'_> {
    /// The rows: the place of each in the list that both processes have, and its slot.
    pub(crate) fn rows(&self) -> impl Iterator<Item = (usize, usize)> {
        (self.first..).zip(self.slots.iter().map(|&slot| slot as usize))
    }
}

/// The messages of a level, one after the other. Each process that may get rows gets at least one, so that it knows when it has all.
pub(crate) struct Loads<'a> {
    /// The processes, and the slots of the rows that each may get.
    lists: Vec<(usize, &'a [u32])>,
    most_words: usize,
    list: usize,
    place: usize,
}

impl<'a> Loads<'a> {
    pub(crate) fn new(lists: impl Iterator<Item = (usize, &'a [u32])>, most_words: usize) -> Loads<'a> {
        Loads { lists: lists.filter(|(_, slots)| !slots.is_empty()).collect(), most_words, list: 0, place: 0 }
    }

    fn is_empty(&self) -> bool {
        self.list == self.lists.len()
    }

    fn next(&mut self, traffic: &impl Traffic) -> Option<Load<'a>> {
        let &(peer, slots) = self.lists.get(self.list)?;
        let (first, mut words) = (self.place, 0);
        while self.place < slots.len() && words < self.most_words {
            words += traffic.words_of(slots[self.place] as usize);
            self.place += 1;
        }
        let is_last = self.place == slots.len();
        let load = Load { peer, slots: &slots[first..self.place], first, words: words + 1, is_last };
        if is_last {
            (self.list, self.place) = (self.list + 1, 0);
        }
        Some(load)
    }
}
