//! One level where several processes build together: own rows are worked on while rows of others come and go.

use rayon::prelude::*;

use crate::borders::Border;
use crate::error::BuildError;
use crate::level::{Step, Tally};
use crate::message::{self, Load, Received};
use crate::peers::{Agreement, Lane, Peers};
use crate::sources::Sources;
use crate::store::Half;

/// Own rows are worked on in this many parts, between which messages are looked for.
const PARTS_OF_LEVEL: usize = 16;

/// A message has about this part of a process's rows, so that the few that are on their way at a time take little memory.
const PART_OF_ROWS: usize = 128;

/// Messages have at least this many words, unless there is less to send, and at most this many: half a megabyte and 64.
const FEWEST_WORDS: usize = 1 << 16;
const MOST_WORDS: usize = 1 << 23;

/// The most words of a message, given how many words of rows a process has.
pub(crate) fn words_of_message(words: usize) -> usize {
    (words / PART_OF_ROWS).clamp(FEWEST_WORDS, MOST_WORDS)
}

/// The rows that cross between this process and the others.
pub(crate) struct Crossing<'a> {
    pub(crate) agreement: Agreement<'a>,
    /// By the colour of the rows that are written.
    pub(crate) borders: [Vec<Border>; 2],
    pub(crate) words_of_message: usize,
}

impl Crossing<'_> {
    /// Works through a level: own rows by their own sources, and by those that other processes send, in whatever order they come.
    pub(crate) fn run(&self, step: &Step<'_, Half>, colour: usize, into: &mut Half) -> Result<Tally, BuildError> {
        let (peers, borders) = (self.agreement.peers, &self.borders[colour]);
        let mut tally = Tally::default();
        let parts = if borders.is_empty() { 1 } else { PARTS_OF_LEVEL };
        let mut parts =
            (0..parts).map(|part| into.maps() * part / parts..into.maps() * (part + 1) / parts).collect::<Vec<_>>();
        let mut loads = Loads::new(borders, step.from, self.words_of_message);
        let mut senders_left = borders.iter().filter(|border| border.received() > 0).count();
        loop {
            if !loads.is_empty() && peers.has_room() {
                tally.sent += send(&mut loads, step, peers);
            } else if let Some((sender, message)) = peers.receive(Lane::Rows) {
                let received = Received::read(message, into.words());
                assert_eq!(
                    received.level, step.level,
                    "nobody goes on to the next level before all have ended this one"
                );
                senders_left -= usize::from(received.is_last);
                let border = borders.iter().find(|border| border.peer == sender).expect("only neighbours send rows");
                if !received.is_empty() {
                    let sources = Sources::of_few(into.rows.len(), &received.collectors(border));
                    let sources = sources.map_err(BuildError::Memory)?;
                    tally = tally.and(step.collecting(&received, &sources).run_all(into.tasks())?);
                }
                peers.recycle(received.into_message());
            } else if let Some(maps) = parts.pop() {
                tally = tally.and(step.run_all(into.tasks_of(maps))?);
            } else if loads.is_empty() && senders_left == 0 {
                return Ok(tally);
            } else {
                peers.wait()?;
            }
        }
    }
}

/// Sends messages, as many as there are threads to write them. Returns their bytes.
fn send(loads: &mut Loads<'_>, step: &Step<'_, Half>, peers: &dyn Peers) -> u64 {
    let loads: Vec<Load<'_>> = loads.by_ref().take(rayon::current_num_threads()).collect();
    let write = |load: &Load<'_>| {
        let mut message = peers.empty_message();
        message.reserve(load.words);
        message::write(load, step.from, step.level, step.sent_bit(), &mut message);
        message
    };
    let messages: Vec<Vec<u64>> = loads.par_iter().with_max_len(1).map(write).collect();
    loads
        .iter()
        .zip(messages)
        .map(|(load, message)| {
            let bytes = message.len() as u64 * 8;
            peers.send(load.border.peer, Lane::Rows, message);
            bytes
        })
        .sum()
}

/// The messages of a level, one after the other: each border over which rows can be sent has at least one, so that its other side knows
/// when it has all.
struct Loads<'a> {
    borders: &'a [Border],
    half: &'a Half,
    most_words: usize,
    border: usize,
    place: usize,
}

impl<'a> Loads<'a> {
    fn new(borders: &'a [Border], half: &'a Half, most_words: usize) -> Loads<'a> {
        let mut loads = Loads { borders, half, most_words, border: 0, place: 0 };
        loads.skip_empty();
        loads
    }

    fn is_empty(&self) -> bool {
        self.border == self.borders.len()
    }

    /// Goes on to the next border where there are rows to be sent.
    fn skip_empty(&mut self) {
        while self.borders.get(self.border).is_some_and(|border| border.sent.is_empty()) {
            self.border += 1;
        }
    }
}

impl<'a> Iterator for Loads<'a> {
    type Item = Load<'a>;

    fn next(&mut self) -> Option<Load<'a>> {
        let border = self.borders.get(self.border)?;
        let (start, mut words) = (self.place, 0);
        while self.place < border.sent.len() && words < self.most_words {
            words += message::words_of(self.half, border.sent[self.place] as usize);
            self.place += 1;
        }
        let load =
            Load { border, places: start..self.place, words: words + 1, is_last: self.place == border.sent.len() };
        if load.is_last {
            (self.border, self.place) = (self.border + 1, 0);
            self.skip_empty();
        }
        Some(load)
    }
}
