//! One board for all processes: the first one leads the search, and hands out units to the others, which follow.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tilebase::generate::{Lane, Peers};
use tilebase::puzzle::Direction;
use tilebase::solve::{Helpers, Lead, SharedBound, UnitEffort, Units};

use crate::team::Team;

/// How often the first process looks whether the search goes on, when nobody asks for anything.
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

/// What the first process tells those that follow.
enum Order {
    /// Cut this bound into units, and ask for some.
    Bound(SharedBound),
    /// The answer to a request: a unit, or none.
    Unit(u64, Option<usize>),
    /// Leave this bound.
    Stop,
    /// There are no more bounds.
    Release,
}

/// What those that follow tell the first process.
enum Word {
    /// A thread wants a unit: the number of the request, and the unit that it has done.
    Next(u64, Option<(usize, UnitEffort)>),
    Found(Vec<Direction>),
    /// A unit that was left before its end.
    Stopped(usize, UnitEffort),
    /// It has left the bound, in whatever way.
    Ended,
}

/// The search that leads.
pub(crate) struct Leader<'a> {
    team: &'a Team,
    /// When the first unit could be handed out.
    begun: OnceLock<Instant>,
    /// Units that others have done.
    pub(crate) done_elsewhere: AtomicU64,
}

impl<'a> Leader<'a> {
    pub(crate) fn new(team: &'a Team) -> Leader<'a> {
        Leader { team, begun: OnceLock::new(), done_elsewhere: AtomicU64::new(0) }
    }

    /// Time since the first unit was handed out, if one was.
    pub(crate) fn time(&self) -> Option<Duration> {
        self.begun.get().map(Instant::elapsed)
    }

    /// Lets all others go.
    pub(crate) fn release(&self) {
        self.tell_all(|| Order::Release);
    }

    fn tell_all(&self, order: impl Fn() -> Order) {
        (1..self.team.count()).for_each(|to| self.team.send(to, Lane::Words, order().to_words()));
    }
}

impl Helpers for Leader<'_> {
    fn help(&self, bound: &SharedBound, units: &dyn Units) {
        self.begun.get_or_init(Instant::now);
        self.tell_all(|| Order::Bound(*bound));
        let mut at_work = self.team.count() - 1;
        let mut is_stopped = false;
        while at_work > 0 {
            if !is_stopped && !units.goes_on() {
                is_stopped = true;
                self.tell_all(|| Order::Stop);
            }
            let Some((from, words)) = self.team.receive(Lane::Words) else {
                self.team.wait_for(BETWEEN_LOOKS);
                continue;
            };
            match Word::from_words(&words) {
                Word::Next(request, done) => {
                    if let Some((unit, effort)) = done {
                        units.finish(unit, &effort);
                        self.done_elsewhere.fetch_add(1, Ordering::Relaxed);
                    }
                    let next = if is_stopped { None } else { units.take() };
                    self.team.send(from, Lane::Words, Order::Unit(request, next).to_words());
                }
                Word::Found(moves) => units.found(&moves),
                Word::Stopped(unit, wasted) => units.put_back(unit, &wasted),
                Word::Ended => at_work -= 1,
            }
        }
    }
}

/// The first process, as one that follows knows it.
pub(crate) struct Follower<'a> {
    team: &'a Team,
    heard: Mutex<Heard>,
    changed: Condvar,
    is_at_work: AtomicBool,
    stop: AtomicBool,
    requests: AtomicU64,
}

/// What the first process has said.
#[derive(Default)]
struct Heard {
    bounds: VecDeque<SharedBound>,
    /// Answers to requests.
    units: HashMap<u64, Option<usize>>,
    is_released: bool,
}

impl<'a> Follower<'a> {
    pub(crate) fn new(team: &'a Team) -> Follower<'a> {
        Follower {
            team,
            heard: Mutex::default(),
            changed: Condvar::new(),
            is_at_work: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            requests: AtomicU64::new(0),
        }
    }

    /// Listens to the first process until that lets this one go, on a thread of its own.
    pub(crate) fn listen(&self) {
        loop {
            let Some((_, words)) = self.team.receive(Lane::Words) else {
                self.team.wait_for(Duration::from_secs(1));
                continue;
            };
            let mut heard = self.heard();
            match Order::from_words(&words) {
                Order::Bound(bound) => {
                    self.stop.store(false, Ordering::Relaxed);
                    heard.bounds.push_back(bound);
                }
                Order::Unit(request, unit) => _ = heard.units.insert(request, unit),
                Order::Stop => self.stop.store(true, Ordering::Relaxed),
                Order::Release => heard.is_released = true,
            }
            self.changed.notify_all();
            if heard.is_released {
                return;
            }
        }
    }

    /// Whether the first process has let this one go.
    pub(crate) fn is_released(&self) -> bool {
        self.heard().is_released
    }

    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, word: &Word) {
        self.team.send(0, Lane::Words, word.to_words());
    }
}

impl Lead for Follower<'_> {
    fn next_bound(&self) -> Option<SharedBound> {
        if self.is_at_work.swap(true, Ordering::Relaxed) {
            self.tell(&Word::Ended);
        }
        let mut heard = self.heard();
        loop {
            if let Some(bound) = heard.bounds.pop_front() {
                return Some(bound);
            }
            if heard.is_released {
                return None;
            }
            heard = self.changed.wait(heard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn next_unit(&self, done: Option<(usize, UnitEffort)>) -> Option<usize> {
        let request = self.requests.fetch_add(1, Ordering::Relaxed);
        self.tell(&Word::Next(request, done));
        let mut heard = self.heard();
        loop {
            if let Some(unit) = heard.units.remove(&request) {
                return unit;
            }
            heard = self.changed.wait(heard).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn found(&self, moves: &[Direction]) {
        self.tell(&Word::Found(moves.to_vec()));
    }

    fn stopped(&self, unit: usize, wasted: UnitEffort) {
        self.tell(&Word::Stopped(unit, wasted));
    }

    fn goes_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }
}

impl Order {
    fn to_words(&self) -> Vec<u64> {
        match self {
            Order::Bound(bound) => {
                let SharedBound { bound, generated_before, nodes_of_unit, units, digest } = *bound;
                vec![0, bound.into(), generated_before, nodes_of_unit, units as u64, digest]
            }
            Order::Unit(request, unit) => vec![1, *request, unit.map_or(0, |unit| unit as u64 + 1)],
            Order::Stop => vec![2],
            Order::Release => vec![3],
        }
    }

    fn from_words(words: &[u64]) -> Order {
        match *words {
            [0, bound, generated_before, nodes_of_unit, units, digest] => {
                let (bound, units) = (bound as u32, units as usize);
                Order::Bound(SharedBound { bound, generated_before, nodes_of_unit, units, digest })
            }
            [1, request, unit] => Order::Unit(request, unit.checked_sub(1).map(|unit| unit as usize)),
            [2] => Order::Stop,
            [3] => Order::Release,
            _ => unreachable!("all processes run the same program"),
        }
    }
}

impl Word {
    fn to_words(&self) -> Vec<u64> {
        match self {
            Word::Next(request, None) => vec![0, *request],
            Word::Next(request, Some((unit, effort))) => {
                [&[0, *request, *unit as u64][..], &of_effort(effort)].concat()
            }
            Word::Found(moves) => std::iter::once(1).chain(moves.iter().map(|&way| way as u64)).collect(),
            Word::Stopped(unit, effort) => [&[2, *unit as u64][..], &of_effort(effort)].concat(),
            Word::Ended => vec![3],
        }
    }

    fn from_words(words: &[u64]) -> Word {
        match *words {
            [0, request] => Word::Next(request, None),
            [0, request, unit, ref effort @ ..] => Word::Next(request, Some((unit as usize, effort_of(effort)))),
            [1, ref moves @ ..] => Word::Found(moves.iter().map(|&way| Direction::ALL[way as usize]).collect()),
            [2, unit, ref effort @ ..] => Word::Stopped(unit as usize, effort_of(effort)),
            [3] => Word::Ended,
            _ => unreachable!("all processes run the same program"),
        }
    }
}

fn of_effort(effort: &UnitEffort) -> [u64; 3] {
    [effort.generated, effort.expanded, effort.next.map_or(0, |next| u64::from(next) + 1)]
}

fn effort_of(words: &[u64]) -> UnitEffort {
    let next = words[2].checked_sub(1).map(|next| next as u32);
    UnitEffort { generated: words[0], expanded: words[1], next }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_is_understood() {
        let effort = UnitEffort { generated: 7, expanded: 3, next: Some(81) };
        let words = [
            Word::Next(4, None),
            Word::Next(5, Some((0, effort))),
            Word::Found(vec![Direction::Up, Direction::Left, Direction::Right, Direction::Down]),
            Word::Stopped(9, UnitEffort::default()),
            Word::Ended,
        ];
        for word in words {
            assert_eq!(Word::from_words(&word.to_words()).to_words(), word.to_words());
        }
        let bound =
            SharedBound { bound: 81, generated_before: 1 << 40, nodes_of_unit: 250_000, units: 65, digest: u64::MAX };
        for order in [Order::Bound(bound), Order::Unit(1, None), Order::Unit(2, Some(0)), Order::Stop, Order::Release] {
            assert_eq!(Order::from_words(&order.to_words()).to_words(), order.to_words());
        }
        assert_eq!(effort_of(&of_effort(&effort)), effort);
    }
}
