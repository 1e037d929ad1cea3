//! Many boards for all processes: the first one hands them out, some at a time, and the others send back what became of them.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tilebase::generate::{Lane, Peers};
use tilebase::puzzle::Board;

use crate::agree::{from_words, to_words};
use crate::team::{AbortOnPanic, Team};

/// A thread is handed an eighth of its share of the boards that are left, and at most 64, so that at the end none waits long for
/// another.
const PART: usize = 8;
const MOST_AT_A_TIME: usize = 64;

/// Boards in the order in which they were given, each with its number.
type Batch = Vec<(usize, Board)>;

/// What became of a board: its number, and a text.
pub(crate) type Answers = Vec<(usize, String)>;

/// The boards that nobody has taken yet.
pub(crate) struct Pile {
    left: Mutex<VecDeque<(usize, Board)>>,
    /// Threads of all processes.
    threads: usize,
}

impl Pile {
    pub(crate) fn new(boards: impl Iterator<Item = (usize, Board)>, threads: usize) -> Pile {
        Pile { left: Mutex::new(boards.collect()), threads }
    }

    /// The next boards for a thread; none when there are none left.
    fn take(&self) -> Batch {
        let mut left = locked(&self.left);
        let count = (left.len() / (PART * self.threads)).clamp(1, MOST_AT_A_TIME).min(left.len());
        left.drain(..count).collect()
    }

    /// Nobody takes any more.
    fn clear(&self) {
        locked(&self.left).clear();
    }
}

/// Has boards answered by this process and all others. `done` is told what became of them, as it comes, until it says to stop.
pub(crate) fn lead(
    team: &Team,
    pile: &Pile,
    threads: usize,
    answer: impl Fn(&Board) -> String + Sync,
    done: impl Fn(Answers) -> bool + Sync,
) {
    let others = team.count() - 1;
    let answer_all = |batch: Batch| -> Answers { batch.into_iter().map(|(id, board)| (id, answer(&board))).collect() };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let _all_end = AbortOnPanic(team);
                loop {
                    let batch = pile.take();
                    if batch.is_empty() {
                        return;
                    }
                    if !done(answer_all(batch)) {
                        pile.clear();
                    }
                }
            });
        }
        // Those who have been told that there is nothing left, and have answered all that they had.
        let mut ended = 0;
        while ended < others {
            let Some((from, words)) = team.receive(Lane::Words) else {
                team.wait_for(Duration::from_secs(1));
                continue;
            };
            match words[..] {
                [ASK] => team.send(from, Lane::Words, batch_words(&pile.take())),
                [END] => ended += 1,
                _ => {
                    if !done(numbered_of(&words)) {
                        pile.clear();
                    }
                }
            }
        }
    });
}

const ASK: u64 = u64::MAX;
const END: u64 = u64::MAX - 1;

/// Answers boards that the first process hands out, on some threads, until there are none left.
pub(crate) fn follow(team: &Team, threads: usize, answer: impl Fn(&Board) -> String + Sync) {
    let waiting = Waiting { batches: Mutex::default(), changed: Condvar::new(), closed: AtomicUsize::new(0) };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            // Each has a batch at hand while it asks for the next.
            team.send(0, Lane::Words, vec![ASK]);
            team.send(0, Lane::Words, vec![ASK]);
            scope.spawn(|| {
                let _all_end = AbortOnPanic(team);
                while let Some(batch) = waiting.take() {
                    let answers: Answers = batch.into_iter().map(|(id, board)| (id, answer(&board))).collect();
                    team.send(0, Lane::Words, numbered_words(answers.into_iter()));
                    team.send(0, Lane::Words, vec![ASK]);
                }
            });
        }
        // Every request is answered; the last ones with nothing.
        while waiting.closed.load(Ordering::Relaxed) < 2 * threads {
            match team.receive(Lane::Words) {
                Some((_, words)) => waiting.put(batch_of(&words)),
                None => team.wait_for(Duration::from_secs(1)),
            }
        }
    });
    team.send(0, Lane::Words, vec![END]);
}

/// Batches that have come and are not taken yet.
struct Waiting {
    batches: Mutex<VecDeque<Batch>>,
    changed: Condvar,
    /// How many requests were answered with nothing.
    closed: AtomicUsize,
}

impl Waiting {
    fn put(&self, batch: Batch) {
        let mut batches = locked(&self.batches);
        if batch.is_empty() {
            self.closed.fetch_add(1, Ordering::Relaxed);
        } else {
            batches.push_back(batch);
        }
        self.changed.notify_all();
    }

    /// The next batch; `None` when there is none, and one request has been answered with nothing: then all will be.
    fn take(&self) -> Option<Batch> {
        let mut batches = locked(&self.batches);
        loop {
            if let Some(batch) = batches.pop_front() {
                return Some(batch);
            }
            if self.closed.load(Ordering::Relaxed) > 0 {
                return None;
            }
            batches = self.changed.wait(batches).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn batch_words(batch: &Batch) -> Vec<u64> {
    numbered_words(batch.iter().map(|(id, board)| (*id, board.to_string())))
}

fn batch_of(words: &[u64]) -> Batch {
    let board = |(id, text): (usize, String)| (id, text.parse().expect(SAME_PROGRAM));
    numbered_of(words).into_iter().map(board).collect()
}

/// Texts with numbers, for another process: a line each.
fn numbered_words(texts: impl Iterator<Item = (usize, String)>) -> Vec<u64> {
    let lines: Vec<String> = texts.map(|(id, text)| format!("{id} {text}")).collect();
    to_words(&lines.join("\n"))
}

fn numbered_of(words: &[u64]) -> Vec<(usize, String)> {
    let numbered = |line: &str| {
        let (id, text) = line.split_once(' ')?;
        Some((id.parse().ok()?, text.to_owned()))
    };
    from_words(words).lines().map(|line| numbered(line).expect(SAME_PROGRAM)).collect()
}

const SAME_PROGRAM: &str = "all processes run the same program";
