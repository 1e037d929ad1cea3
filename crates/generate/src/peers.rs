//! The processes that build together, and what they say to each other.

use std::collections::VecDeque;

use crate::error::BuildError;
use crate::level::Tally;

/// The processes that build together, as one of them sees them: numbered from 0, this one included. Whoever implements it carries
/// messages: MPI does, and so do threads of one program.
///
/// A message is some words, fewer than 2²⁸ of them. It arrives once, and messages of one lane from one process to another arrive in the order in which they were sent. No
/// function but [`wait`](Peers::wait) waits for anything.
pub trait Peers: Sync {
    /// The number of this process.
    fn rank(&self) -> usize;

    /// How many processes there are.
    fn count(&self) -> usize;

    /// Sends a message to another process.
    fn send(&self, to: usize, lane: Lane, message: Vec<u64>);

    /// Whether so little is on its way that more rows may be sent. Words can always be sent.
    fn has_room(&self) -> bool;

    /// The next message of a lane, and who sent it, if one is there.
    fn receive(&self, lane: Lane) -> Option<(usize, Vec<u64>)>;

    /// The most words that a message of rows should have.
    fn most_words(&self) -> usize {
        1 << 23
    }

    /// Takes back the memory of a message that is of no more use, so that the next one need not ask the system for it.
    fn recycle(&self, _message: Vec<u64>) {}

    /// An empty message, in memory that was taken back if there is some.
    fn empty_message(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Waits until something has happened since the last call: a message has come, or there is room. It may return sooner.
    ///
    /// # Errors
    /// [`PeersGone`] when another process is gone, so that its messages will never come.
    fn wait(&self) -> Result<(), PeersGone>;
}

/// Messages come on two lanes, so that those of which there are few and small ones are never held up by the others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lane {
    /// Few and small: what the processes agree upon.
    Words,
    /// Many and large: rows. They may be left unread for a while when there is no room for them.
    Rows,
}

/// Another process is gone.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("another process of the build is gone")]
pub struct PeersGone;

/// One process that has everything to itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alone;

impl Peers for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn count(&self) -> usize {
        1
    }

    fn send(&self, _to: usize, _lane: Lane, _message: Vec<u64>) {
        unreachable!("there is nobody to send anything to");
    }

    fn has_room(&self) -> bool {
        true
    }

    fn receive(&self, _lane: Lane) -> Option<(usize, Vec<u64>)> {
        None
    }

    fn wait(&self) -> Result<(), PeersGone> {
        Err(PeersGone)
    }
}

/// What the processes agree upon, one thing after the other. Every process must ask for the same things in the same order.
pub(crate) struct Agreement<'a> {
    pub(crate) peers: &'a dyn Peers,
    /// Words that came before they were asked for, by sender.
    early: Vec<VecDeque<Vec<u64>>>,
}

impl<'a> Agreement<'a> {
    pub(crate) fn new(peers: &'a dyn Peers) -> Agreement<'a> {
        Agreement { peers, early: vec![VecDeque::new(); peers.count()] }
    }

    /// The numbers of all processes, combined one by one by the first process and told to all.
    pub(crate) fn combine<const N: usize>(
        &mut self,
        mine: [u64; N],
        add: impl Fn([u64; N], [u64; N]) -> [u64; N],
    ) -> Result<[u64; N], BuildError> {
        let (rank, count) = (self.peers.rank(), self.peers.count());
        if rank > 0 {
            self.peers.send(0, Lane::Words, mine.to_vec());
            return Ok(exactly(self.words_from(0)?));
        }
        let mut all = mine;
        for from in 1..count {
            all = add(all, exactly(self.words_from(from)?));
        }
        (1..count).for_each(|to| self.peers.send(to, Lane::Words, all.to_vec()));
        Ok(all)
    }

    /// What all processes found at a level, and whether the first of them says that it is time to keep the build.
    pub(crate) fn on_level(&mut self, tally: Tally, is_due: bool) -> Result<(Tally, bool), BuildError> {
        let [states, entries, touched, sent, overflow] = tally.to_numbers();
        let mine = [states, entries, touched, sent, overflow, u64::from(is_due && self.peers.rank() == 0)];
        let [states, entries, touched, sent, overflow, is_due] = self.combine(mine, |a, b| {
            // Of what does not fit the largest counts.
            let largest = |at: usize| a[at].max(b[at]);
            let [states, entries, touched, sent] = std::array::from_fn(|at| a[at] + b[at]);
            [states, entries, touched, sent, largest(4), largest(5)]
        })?;
        Ok((Tally::from_numbers([states, entries, touched, sent, overflow]), is_due == 1))
    }

    /// What this process could do, if all could.
    ///
    /// # Errors
    /// Its own error, or [`BuildError::Elsewhere`] when another process has one.
    pub(crate) fn all_can<T, E: Into<BuildError>>(&mut self, mine: Result<T, E>) -> Result<T, BuildError> {
        let [failures] = self.combine([u64::from(mine.is_err())], |[a], [b]| [a + b])?;
        let done = mine.map_err(Into::into)?;
        if failures == 0 { Ok(done) } else { Err(BuildError::Elsewhere) }
    }

    /// The next words of a process.
    pub(crate) fn words_from(&mut self, from: usize) -> Result<Vec<u64>, BuildError> {
        loop {
            if let Some(words) = self.early[from].pop_front() {
                return Ok(words);
            }
            match self.peers.receive(Lane::Words) {
                Some((sender, words)) => self.early[sender].push_back(words),
                None => self.peers.wait()?,
            }
        }
    }
}

/// As many numbers as are expected.
fn exactly<const N: usize>(words: Vec<u64>) -> [u64; N] {
    words.try_into().expect("all processes run the same program")
}
