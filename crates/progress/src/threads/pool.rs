//! Rayon's pools on the threads that start.
//!
//! A pool whose threads do not all start is an error as a whole, and rayon panics when it cannot start the global pool, then and
//! ever after. So threads start first, and wait; as many as there are become the threads of a pool.

use std::io::ErrorKind::BrokenPipe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::{ThreadBuilder, ThreadPoolBuilder};

use super::{ThreadShortage, report_shortage, spawn};

/// Does some work in a pool of its own of this many threads, 0 meaning one for each core. If fewer start, the pool has fewer. If none
/// does, this thread does the work alone.
///
/// In the last case this thread is the only one of a pool from then on, unless it belongs to a pool already: rayon has no way to
/// take that back. The pool takes a few kilobytes, once for each such thread.
pub fn on_pool<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    let waiting = Waiting::start(threads);
    let pool = waiting.map(|Waiting { count, hand }| {
        let builder = ThreadPoolBuilder::new().num_threads(count);
        builder.spawn_handler(|thread| hand.send(thread).map_err(|_| BrokenPipe.into())).build()
    });
    if let Some(Ok(pool)) = pool {
        return pool.install(work);
    }
    work_alone();
    work()
}

/// Starts the global pool with this many threads, 0 meaning one for each core, or with as many as start. Nothing happens if this has
/// been done before, by this function or by [`prepare_pool`].
pub fn start_pool(threads: usize) {
    /// Whether there is a global pool: then it needs no more threads.
    static IS_STARTED: AtomicBool = AtomicBool::new(false);
    static TURN: Mutex<()> = Mutex::new(());
    if IS_STARTED.load(Ordering::Acquire) {
        return;
    }
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    if IS_STARTED.load(Ordering::Acquire) {
        return;
    }
    let Some(Waiting { count, hand }) = Waiting::start(threads) else { return work_alone() };
    let builder = ThreadPoolBuilder::new().num_threads(count);
    // The only error is that the caller of the library has started the pool: then the new threads end.
    let _ = builder.spawn_handler(|thread| hand.send(thread).map_err(|_| BrokenPipe.into())).build_global();
    IS_STARTED.store(true, Ordering::Release);
}

/// To be called before rayon is used without a pool at hand: rayon's own start of the global pool panics where a thread cannot
/// start. Cheap after the first time.
pub fn prepare_pool() {
    if rayon::current_thread_index().is_none() {
        start_pool(0);
    }
}

/// Makes this thread the only one of a pool, unless it belongs to one.
fn work_alone() {
    if rayon::current_thread_index().is_none() {
        let pool = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build();
        // Dropping it would tell the only thread, this one, to end.
        std::mem::forget(pool);
    }
}

/// Threads that wait until they are made part of a pool. They end when the sender is dropped.
struct Waiting {
    count: usize,
    hand: Sender<ThreadBuilder>,
}

impl Waiting {
    /// Starts threads, as many as wanted if possible; `None` when there is none.
    fn start(wanted: usize) -> Option<Waiting> {
        let wanted = if wanted > 0 { wanted } else { default_threads() };
        let (hand, take) = channel::<ThreadBuilder>();
        let take = Arc::new(Mutex::new(take));
        let wait = || {
            let take = Arc::clone(&take);
            move || {
                let thread = take.lock().unwrap_or_else(PoisonError::into_inner).recv();
                if let Ok(thread) = thread {
                    thread.run();
                }
            }
        };
        let count = (0..wanted).take_while(|_| spawn("pool", wait()).is_ok()).count();
        if count < wanted {
            report_shortage(ThreadShortage { wanted, started: count.max(1) });
        }
        (count > 0).then_some(Waiting { count, hand })
    }
}

/// The threads of a pool of which no number is given, as rayon has it.
fn default_threads() -> usize {
    let given = std::env::var("RAYON_NUM_THREADS").ok().and_then(|threads| threads.parse().ok());
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    given.filter(|&threads| threads > 0).unwrap_or_else(cores)
}

#[cfg(test)]
mod tests {
    use rayon::prelude::*;

    use super::*;
    use crate::threads::refusing;

    fn sum() -> (u32, usize) {
        ((0..10_000_u32).into_par_iter().with_max_len(100).sum(), rayon::current_num_threads())
    }

    #[test]
    fn a_pool_has_the_threads_that_start() {
        for (refused, threads) in [(0, 1), (1, 1), (2, 2), (3, 3)] {
            // On a thread of its own, which may become that of a pool.
            let found = std::thread::spawn(move || refusing(move |number| number >= refused, || on_pool(3, sum)).0);
            assert_eq!(found.join().unwrap(), (49_995_000, threads), "{refused} threads start");
        }
    }

    #[test]
    fn a_thread_that_worked_alone_has_pools_again_when_threads_start() {
        let alone_and_not = || {
            let alone = refusing(|_| true, || (on_pool(3, sum), on_pool(2, sum))).0;
            let here = refusing(
                |_| true,
                || {
                    prepare_pool();
                    sum()
                },
            );
            (alone, here.0, on_pool(3, sum))
        };
        let found = std::thread::spawn(alone_and_not).join().unwrap();
        let one = (49_995_000, 1);
        assert_eq!(found, ((one, one), one, (49_995_000, 3)));
    }

    #[test]
    fn the_global_pool_is_started_once_and_again_after_no_thread_could() {
        let alone = std::thread::spawn(|| {
            refusing(
                |_| true,
                || {
                    start_pool(2);
                    sum()
                },
            )
        });
        assert_eq!(alone.join().unwrap(), ((49_995_000, 1), 1));
        let (threads, asked) = refusing(
            |_| false,
            || {
                start_pool(2);
                prepare_pool();
                sum().1
            },
        );
        assert_eq!((threads, asked), (2, 2));
    }
}
