//! One level where several processes build together: own rows are worked on while rows of others come and go.

use std::io;
use std::ops::Range;

use crate::borders::Border;
use crate::error::BuildError;
use crate::level::{Step, Tally};
use crate::message::{Received, Writer};
use crate::peers::Peers;
use crate::sources::{Source, Sources};
use crate::store::{Half, Rows, Sent};
use crate::traffic::{self, Load, Loads, Traffic, words_of_message};

/// Own rows are worked on in this many parts, between which messages are looked for.
const PARTS_OF_LEVEL: usize = 16;

/// Distances between few states of a row take two bytes, seldom one or three: about this many in a word.
const STATES_IN_WORD: usize = 4;

/// Messages are kept until there is nothing else to do, so that the rows that collect from them and from own rows need be gone through
/// only once; but no more than this many.
const KEPT_MESSAGES: usize = 6;

/// The rows that cross between this process and the others.
pub(crate) struct Crossing<'a> {
    peers: &'a dyn Peers,
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
        Ok(Crossing { peers, borders, outer, words_of_message, room })
    }

    /// Works through a level: rows that collect from own rows only, and those at the borders when others have sent theirs.
    pub(crate) fn run(&mut self, step: &Step<'_, Half>, colour: usize, into: &mut Half) -> Result<Tally, BuildError> {
        let (peers, borders) = (self.peers, &self.borders[colour]);
        let lists = borders.iter().map(|border| (border.peer, &border.sent[..]));
        let loads = Loads::new(lists, self.words_of_message);
        let senders = borders.iter().filter(|border| border.received() > 0).count();
        let message = (step.level, into.words());
        let gathered = Gathered { own: step.from, messages: Vec::new(), words: 0, room: &mut self.room };
        let parts = if borders.is_empty() { 1 } else { PARTS_OF_LEVEL };
        let most_words = KEPT_MESSAGES * self.words_of_message;
        let tally = Tally::default();
        let mut level = Level { step, into, peers, borders, gathered, most_words, parts: 0..parts, of: parts, tally };
        let sent = traffic::run(&mut level, loads, senders, message, peers)?;
        level.gathered.room.sources.extend_from_slice(&self.outer[colour]);
        level.collect()?;
        Ok(level.tally.and(Tally { sent, ..Tally::default() }))
    }
}

/// A level while rows come and go.
struct Level<'a> {
    step: &'a Step<'a, Half>,
    into: &'a mut Half,
    peers: &'a dyn Peers,
    borders: &'a [Border],
    gathered: Gathered<'a>,
    /// Words of messages that may be gathered before rows collect from them.
    most_words: usize,
    /// The parts of the own rows that are left, and the number of all parts.
    parts: Range<usize>,
    of: usize,
    tally: Tally,
}

impl Level<'_> {
    /// Has rows collect from what is gathered.
    fn collect(&mut self) -> Result<(), BuildError> {
        self.tally = self.tally.and(self.gathered.collect(self.step, self.into, self.peers)?);
        Ok(())
    }
}

impl Traffic for Level<'_> {
    fn words_of(&self, slot: usize) -> usize {
        let from = self.step.from;
        match from.news(slot) {
            _ if from.found(slot) == 0 => 0,
            Some(states) => 1 + states.len().div_ceil(STATES_IN_WORD),
            None => 1 + from.words(),
        }
    }

    /// Writes what the last level found in each row or, when that is not few, all that the row sends.
    fn write(&self, load: &Load<'_>, writer: &mut Writer<'_>) {
        let from = self.step.from;
        for (place, slot) in load.rows().filter(|&(_, slot)| from.found(slot) > 0) {
            writer.row(place, from.news(slot).map_or_else(|| from.sent(slot, self.step.sent_bit()), Sent::Few));
        }
    }

    fn receive(&mut self, sender: usize, rows: Received) -> Result<(), BuildError> {
        let border = self.borders.iter().find(|border| border.peer == sender).expect("only neighbours send rows");
        self.gathered.add(rows, border);
        if self.gathered.words > self.most_words { self.collect() } else { Ok(()) }
    }

    fn work(&mut self) -> Result<bool, BuildError> {
        let Some(part) = self.parts.next() else { return Ok(false) };
        let maps = self.into.maps();
        let maps = maps * part / self.of..maps * (part + 1) / self.of;
        self.tally = self.tally.and(self.step.run_all(self.into.tasks_of(maps))?);
        Ok(true)
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
