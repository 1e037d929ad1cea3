//! One level where several processes build together: own rows are worked on while rows of others come and go.

use std::io;

use rayon::prelude::*;

use crate::borders::Border;
use crate::error::BuildError;
use crate::level::{Step, Tally};
use crate::message::{self, Load, Received};
use crate::peers::{Agreement, Lane, Peers};
use crate::sources::{Source, Sources};
use crate::store::{Half, Rows, Sent};

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

/// Messages are kept until there is nothing else to do, so that the rows that collect from them and from own rows need be gone through
/// only once; but no more than this many.
const KEPT_MESSAGES: usize = 6;

/// The rows that cross between this process and the others.
pub(crate) struct Crossing<'a> {
    pub(crate) agreement: Agreement<'a>,
    /// By the colour of the rows that are written.
    borders: [Vec<Border>; 2],
    /// The own sources of rows that collect from rows of others as well, likewise.
    outer: [Vec<(u32, Source)>; 2],
    words_of_message: usize,
    /// Memory that every level needs again.
    room: Room,
}

/// What is gathered of messages, and which rows collect from what.
struct Room {
    /// The message and the place in it of each row.
    rows: Vec<(u32, u32)>,
    /// Rows that collect from these, each with its source.
    sources: Vec<(u32, Source)>,
    by_collector: Sources,
}

impl<'a> Crossing<'a> {
    pub(crate) fn new(
        peers: &'a dyn Peers,
        borders: [Vec<Border>; 2],
        outer: [Vec<(u32, Source)>; 2],
        words_of_rows: usize,
    ) -> io::Result<Crossing<'a>> {
        let room = Room { rows: Vec::new(), sources: Vec::new(), by_collector: Sources::empty()? };
        let words_of_message = words_of_message(words_of_rows).min(peers.most_words());
        Ok(Crossing { agreement: Agreement::new(peers), borders, outer, words_of_message, room })
    }

    /// Works through a level: rows that collect from own rows only, and those at the borders when others have sent theirs.
    pub(crate) fn run(&mut self, step: &Step<'_, Half>, colour: usize, into: &mut Half) -> Result<Tally, BuildError> {
        let (peers, borders) = (self.agreement.peers, &self.borders[colour]);
        let mut tally = Tally::default();
        let parts = if borders.is_empty() { 1 } else { PARTS_OF_LEVEL };
        let maps = into.maps();
        let mut parts = (0..parts).map(|part| maps * part / parts..maps * (part + 1) / parts);
        let mut loads = Loads::new(borders, step.from, self.words_of_message);
        let mut senders_left = borders.iter().filter(|border| border.received() > 0).count();
        let mut gathered = Gathered { own: step.from, messages: Vec::new(), words: 0, room: &mut self.room };
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
                gathered.add(received, border);
                if gathered.words > KEPT_MESSAGES * self.words_of_message {
                    tally = tally.and(gathered.collect(step, into, peers)?);
                }
            } else if let Some(maps) = parts.next() {
                tally = tally.and(step.run_all(into.tasks_of(maps))?);
            } else if loads.is_empty() && senders_left == 0 {
                gathered.room.sources.extend_from_slice(&self.outer[colour]);
                return Ok(tally.and(gathered.collect(step, into, peers)?));
            } else {
                peers.wait()?;
            }
        }
    }
}

/// Rows of messages, beside own rows: their slots follow those of the own rows.
struct Gathered<'a> {
    own: &'a Half,
    messages: Vec<Received>,
    /// Words that all messages take.
    words: usize,
    room: &'a mut Room,
}

impl Gathered<'_> {
    fn add(&mut self, message: Received, border: &Border) {
        let first = self.own.rows.len() + self.room.rows.len();
        self.room.sources.extend(message.collectors(border, first));
        let number = self.messages.len() as u32;
        self.room.rows.extend((0..message.rows() as u32).map(|place| (number, place)));
        self.words += message.memory();
        self.messages.push(message);
    }

    /// Has rows collect from their sources, and forgets the messages.
    fn collect(&mut self, step: &Step<'_, Half>, into: &mut Half, peers: &dyn Peers) -> Result<Tally, BuildError> {
        if self.room.sources.is_empty() {
            return Ok(Tally::default());
        }
        let Room { sources, by_collector, .. } = &mut *self.room;
        by_collector.fill(into.rows.len(), sources).map_err(BuildError::Memory)?;
        let tally = step.collecting(&*self, &self.room.by_collector).run_all(into.tasks())?;
        self.messages.drain(..).for_each(|message| peers.recycle(message.into_message()));
        self.room.rows.clear();
        self.room.sources.clear();
        self.words = 0;
        Ok(tally)
    }

    /// The message and the place in it of a row that is not an own one.
    fn place(&self, slot: usize) -> Option<(&Received, usize)> {
        let (message, place) = self.room.rows[slot.checked_sub(self.own.rows.len())?];
        Some((&self.messages[message as usize], place as usize))
    }
}

impl Rows for Gathered<'_> {
    fn found(&self, slot: usize) -> u32 {
        // Nobody sends a row that found nothing.
        if slot < self.own.rows.len() { self.own.found(slot) } else { 1 }
    }

    fn unseen(&self, slot: usize) -> u32 {
        // Rows of which few states are seen come as few states.
        if slot < self.own.rows.len() { self.own.unseen(slot) } else { 0 }
    }

    fn sent(&self, slot: usize, bit: bool) -> Sent<'_> {
        match self.place(slot) {
            Some((message, place)) => message.sent(place),
            None => self.own.sent(slot, bit),
        }
    }
}

/// The most messages that are written at the same time: more take memory, and gain nothing.
pub(crate) const WRITTEN_AT_ONCE: usize = 4;

/// Sends messages, several at a time if there are threads to write them. Returns their bytes.
fn send(loads: &mut Loads<'_>, step: &Step<'_, Half>, peers: &dyn Peers) -> u64 {
    let loads: Vec<Load<'_>> = loads.by_ref().take(rayon::current_num_threads().min(WRITTEN_AT_ONCE)).collect();
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
