//! A cluster in one process: a search that leads and searches that follow it, as threads that send each other messages.
//!
//! Nothing is shared but channels, and a flag for each follower in place of the message that tells it to stop, which a process
//! looks for while it searches. So whatever goes through here can go through a network.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tilebase_puzzle::{Direction, State};
use tilebase_solve::{Algorithm, Helpers, Ida, Lead, Limit, Outcome, Request, SharedBound, Space, UnitEffort, Units};

use crate::fixtures::threads;

/// A process that follows.
#[derive(Clone, Copy, Debug)]
pub struct Process {
    /// How many threads it has.
    pub threads: usize,
    /// It dies without a word when it has begun this many units.
    pub dies_after: Option<usize>,
}

impl Process {
    /// One that lives as long as it is needed.
    pub fn new(threads: usize) -> Process {
        Process { threads, dies_after: None }
    }
}

/// What followers did in a search.
#[derive(Debug, Default)]
pub struct Account {
    /// Units that they finished.
    pub finished: AtomicUsize,
    /// Units that they were stopped in, or died in.
    pub put_back: AtomicUsize,
    /// Bounds that were told to followers.
    pub bounds: AtomicUsize,
}

/// Searches with a request that leads, and some processes that follow.
///
/// # Panics
/// When a follower does not end as it should.
pub fn search<S: Space>(
    ida: Ida,
    space: &S,
    state: &State,
    request: &Request<'_>,
    processes: &[Process],
    account: &Account,
) -> Outcome {
    let (to_leader, from_followers) = channel();
    std::thread::scope(|scope| {
        let mut followers = Vec::new();
        for (number, process) in processes.iter().enumerate() {
            let (bounds, next_bounds) = channel();
            let stop = Arc::new(AtomicBool::new(false));
            followers.push(Contact { bounds, stop: Arc::clone(&stop), units: Vec::new(), is_there: true });
            let follower = Follower {
                number,
                to_leader: to_leader.clone(),
                bounds: Mutex::new(next_bounds),
                is_at_work: AtomicBool::new(false),
                stop,
                dies_after: process.dies_after.unwrap_or(usize::MAX),
                begun: AtomicUsize::new(0),
                is_dead: AtomicBool::new(false),
            };
            let threads = threads(process.threads);
            scope.spawn(move || {
                let request = Request::default().threads(threads).lead(&follower);
                let Some(Outcome::Limited(limited)) = ida.search(space, state, &request) else {
                    panic!("a follower has no solution of its own")
                };
                assert_eq!(limited.limit, Limit::Released);
            });
        }
        let leader = Leader { office: Mutex::new(Office { from_followers, followers }), account };
        // Those who follow are released when the leader is dropped, and their channels with it.
        ida.search(space, state, &request.helpers(&leader)).expect("the heuristic is for every state")
    })
}

/// What followers tell, with the number of the follower.
enum Message {
    /// A thread wants a unit, and tells which one it has done.
    Next {
        done: Option<(usize, UnitEffort)>,
        answer: Sender<Option<usize>>,
    },
    Found(Vec<Direction>),
    Stopped(usize, UnitEffort),
    /// It has done with the bound, in whatever way.
    Ended,
    /// It is gone, which the network tells in its place.
    Died,
}

/// A follower, as the leader knows it.
struct Contact {
    bounds: Sender<SharedBound>,
    stop: Arc<AtomicBool>,
    /// The units that it is at.
    units: Vec<usize>,
    is_there: bool,
}

struct Office {
    from_followers: Receiver<(usize, Message)>,
    followers: Vec<Contact>,
}

struct Leader<'a> {
    office: Mutex<Office>,
    account: &'a Account,
}

impl Leader<'_> {
    fn put_back(&self, units: &dyn Units, unit: usize, wasted: &UnitEffort) {
        units.put_back(unit, wasted);
        self.account.put_back.fetch_add(1, Ordering::Relaxed);
    }
}

impl Helpers for Leader<'_> {
    fn help(&self, bound: &SharedBound, units: &dyn Units) {
        let mut office = self.office.lock().unwrap();
        let Office { from_followers, followers } = &mut *office;
        let mut at_work = 0;
        for follower in followers.iter().filter(|follower| follower.is_there) {
            follower.stop.store(false, Ordering::Relaxed);
            follower.bounds.send(*bound).expect("whoever is there listens");
            at_work += 1;
        }
        self.account.bounds.fetch_add(at_work, Ordering::Relaxed);
        while at_work > 0 {
            if !units.goes_on() {
                followers.iter().for_each(|follower| follower.stop.store(true, Ordering::Relaxed));
            }
            let (number, message) = match from_followers.recv_timeout(Duration::from_millis(1)) {
                Ok(message) => message,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let follower = &mut followers[number];
            match message {
                Message::Next { done, answer } => {
                    if let Some((unit, effort)) = done {
                        follower.units.retain(|known| *known != unit);
                        units.finish(unit, &effort);
                        self.account.finished.fetch_add(1, Ordering::Relaxed);
                    }
                    let next = units.take();
                    follower.units.extend(next);
                    // Who died meanwhile does not listen; that will be told.
                    let _ = answer.send(next);
                }
                Message::Found(moves) => units.found(&moves),
                Message::Stopped(unit, wasted) => {
                    follower.units.retain(|known| *known != unit);
                    self.put_back(units, unit, &wasted);
                }
                Message::Ended => at_work -= 1,
                Message::Died => {
                    follower.is_there = false;
                    at_work -= 1;
                    follower.units.drain(..).for_each(|unit| self.put_back(units, unit, &UnitEffort::default()));
                }
            }
        }
    }
}

/// The leader, as a follower knows it.
struct Follower {
    number: usize,
    to_leader: Sender<(usize, Message)>,
    bounds: Mutex<Receiver<SharedBound>>,
    is_at_work: AtomicBool,
    stop: Arc<AtomicBool>,
    dies_after: usize,
    begun: AtomicUsize,
    is_dead: AtomicBool,
}

impl Follower {
    /// Tells something, unless this process is dead.
    fn tell(&self, message: Message) {
        if !self.is_dead() {
            let _ = self.to_leader.send((self.number, message));
        }
    }

    fn is_dead(&self) -> bool {
        self.is_dead.load(Ordering::Relaxed)
    }
}

impl Lead for Follower {
    fn next_bound(&self) -> Option<SharedBound> {
        if self.is_dead.swap(false, Ordering::Relaxed) {
            self.tell(Message::Died);
            return None;
        }
        if self.is_at_work.swap(true, Ordering::Relaxed) {
            self.tell(Message::Ended);
        }
        self.bounds.lock().unwrap().recv().ok()
    }

    fn next_unit(&self, done: Option<(usize, UnitEffort)>) -> Option<usize> {
        let (answer, next) = channel();
        self.tell(Message::Next { done, answer });
        let next = next.recv().ok().flatten()?;
        if self.begun.fetch_add(1, Ordering::Relaxed) + 1 >= self.dies_after {
            self.is_dead.store(true, Ordering::Relaxed);
        }
        Some(next)
    }

    fn found(&self, moves: &[Direction]) {
        self.tell(Message::Found(moves.to_vec()));
    }

    fn stopped(&self, unit: usize, wasted: UnitEffort) {
        self.tell(Message::Stopped(unit, wasted));
    }

    fn goes_on(&self) -> bool {
        !self.is_dead() && !self.stop.load(Ordering::Relaxed)
    }
}

/// Calls a function with the units of each bound.
#[derive(Debug)]
pub struct Each<F>(pub F);

impl<F: Fn(&SharedBound, &dyn Units) + Sync> Helpers for Each<F> {
    fn help(&self, bound: &SharedBound, units: &dyn Units) {
        self.0(bound, units);
    }
}

/// Leads through one bound, once, with one unit after the other.
#[derive(Debug)]
pub struct Once {
    bound: Mutex<Option<SharedBound>>,
    next: AtomicUsize,
    units: usize,
    /// Nodes of units that are done.
    pub done: AtomicU64,
    /// Nodes of units that are not.
    pub wasted: AtomicU64,
    /// How many these are.
    pub stopped: AtomicUsize,
}

impl Once {
    /// Leads through a bound, from a unit on. One past the last is told as well, which there is not.
    pub fn new(bound: SharedBound, first: usize) -> Once {
        Once {
            bound: Mutex::new(Some(bound)),
            next: AtomicUsize::new(first),
            units: bound.units,
            done: AtomicU64::new(0),
            wasted: AtomicU64::new(0),
            stopped: AtomicUsize::new(0),
        }
    }
}

impl Lead for Once {
    fn next_bound(&self) -> Option<SharedBound> {
        self.bound.lock().unwrap().take()
    }

    fn next_unit(&self, done: Option<(usize, UnitEffort)>) -> Option<usize> {
        self.done.fetch_add(done.map_or(0, |(_, effort)| effort.generated), Ordering::Relaxed);
        Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|unit| *unit <= self.units)
    }

    fn found(&self, _moves: &[Direction]) {}

    fn stopped(&self, _unit: usize, wasted: UnitEffort) {
        self.wasted.fetch_add(wasted.generated, Ordering::Relaxed);
        self.stopped.fetch_add(1, Ordering::Relaxed);
    }

    fn goes_on(&self) -> bool {
        true
    }
}
