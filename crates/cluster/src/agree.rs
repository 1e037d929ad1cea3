//! What the processes of a job tell each other before work begins: texts, in step.

use std::collections::VecDeque;
use std::sync::Mutex;

use tilebase::generate::{Lane, Peers, PeersGone};

use crate::team::Team;

/// Texts of all processes. Every process must ask for the same things in the same order.
pub(crate) struct Texts<'a> {
    team: &'a Team,
    /// Texts that came before they were asked for, by sender.
    early: Mutex<Vec<VecDeque<String>>>,
}

impl<'a> Texts<'a> {
    pub(crate) fn new(team: &'a Team) -> Texts<'a> {
        Texts { team, early: Mutex::new(vec![VecDeque::new(); team.count()]) }
    }

    /// The text of every process, told to all.
    pub(crate) fn of_all(&self, mine: &str) -> Result<Vec<String>, PeersGone> {
        let count = self.team.count();
        if self.team.is_first() {
            let mut all = vec![mine.to_owned()];
            for from in 1..count {
                all.push(self.from(from)?);
            }
            for to in 1..count {
                all.iter().for_each(|text| self.team.send(to, Lane::Words, to_words(text)));
            }
            Ok(all)
        } else {
            self.team.send(0, Lane::Words, to_words(mine));
            (0..count).map(|_| self.from(0)).collect()
        }
    }

    /// The text of the first process, told to all.
    pub(crate) fn of_first(&self, mine: impl FnOnce() -> String) -> Result<String, PeersGone> {
        if !self.team.is_first() {
            return self.from(0);
        }
        let text = mine();
        (1..self.team.count()).for_each(|to| self.team.send(to, Lane::Words, to_words(&text)));
        Ok(text)
    }

    fn from(&self, from: usize) -> Result<String, PeersGone> {
        let mut early = self.early.lock().expect("no thread panics with it");
        loop {
            if let Some(text) = early[from].pop_front() {
                return Ok(text);
            }
            match self.team.receive(Lane::Words) {
                Some((sender, words)) => early[sender].push_back(from_words(&words)),
                None => self.team.wait()?,
            }
        }
    }
}

/// A text as words: its length in bytes, and its bytes.
pub(crate) fn to_words(text: &str) -> Vec<u64> {
    let words = text.as_bytes().chunks(8).map(|bytes| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(word)
    });
    std::iter::once(text.len() as u64).chain(words).collect()
}

/// The text that words were made of.
pub(crate) fn from_words(words: &[u64]) -> String {
    let bytes: Vec<u8> = words[1..].iter().flat_map(|word| word.to_le_bytes()).collect();
    String::from_utf8_lossy(&bytes[..words[0] as usize]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_they_were_written() {
        for text in ["", "a", "12345678", "123456789", "größer als eine Maschine"] {
            assert_eq!(from_words(&to_words(text)), text);
        }
    }
}
