//! Limits how much is done at a time, in which order, and ends searches whose client has gone.
//!
//! Nobody waits for a stranger's hard board:
//! * *quick* work has threads that do nothing else. A search that is not done in a moment ends there, and begins again as slow work;
//! * *slow* work has as many threads of its own. Clients take turns, whoever has asked how much;
//! * *preparing*, which may build tables, is done by one thread, one goal after the other;
//! * *long* work, which tells how it gets on, has a few places, and is refused when they are taken.
//!
//! When a thread is done it takes the next piece at once, without anybody having to be woken in between. (With a semaphore and
//! the runtime's own threads, a fifth of two cores' time was spent waiting: 870 boards a second instead of 1,340, by
//! `tilebase bench serve`.)

use std::collections::VecDeque;
use std::io::{self, ErrorKind};
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use axum::http::StatusCode;
use tilebase::progress::threads::{ThreadShortage, report_shortage, spawn};
use tokio::sync::{Semaphore, oneshot};

use crate::error::{ApiError, Result};

/// One thread for each queue.
const LEAST_THREADS: usize = 3;

/// Long searches at a time; each may use all threads.
const LONG: usize = 4;

/// Pieces of work that may wait for their turn in a queue.
const WAITING: usize = 256;

/// Said when work has failed although it should not.
pub(crate) const OUR_MISTAKE: &str = "the answer could not be worked out: this is our mistake";

type Work = Box<dyn FnOnce() + Send>;

/// Who asks: clients take turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Client(pub(crate) IpAddr);

/// Work that waits for its turn: for each client that has any, in the order of their turns.
#[derive(Default)]
pub(crate) struct Queue {
    waiting: Mutex<VecDeque<(Client, VecDeque<Work>)>>,
    work_is_there: Condvar,
}

impl Queue {
    /// Starts one more thread that works a queue off. Returns whether it started.
    fn start_thread(self: &Arc<Queue>, name: &str) -> bool {
        let queue = Arc::clone(self);
        spawn(name, move || queue.work_off()).is_ok()
    }

    /// Puts work behind the client's other work, if not too much is waiting.
    fn put(&self, client: Client, work: Work) -> Result<()> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.iter().map(|(_, works)| works.len()).sum::<usize>() >= WAITING {
            let message = format!("{WAITING} questions are waiting already: try again in a second");
            return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message));
        }
        match waiting.iter_mut().find(|(known, _)| *known == client) {
            Some((_, works)) => works.push_back(work),
            None => waiting.push_back((client, VecDeque::from([work]))),
        }
        self.work_is_there.notify_one();
        Ok(())
    }

    /// The first work of the client whose turn it is. Waits until there is some.
    fn take(&self) -> Work {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some((client, mut works)) = waiting.pop_front()
                && let Some(work) = works.pop_front()
            {
                if !works.is_empty() {
                    waiting.push_back((client, works));
                }
                return work;
            }
            waiting = self.work_is_there.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Has work done when its turn comes, and waits for it.
    pub(crate) async fn done<T: Send + 'static>(&self, client: Client, work: impl Job<T>) -> Result<T> {
        let cancel = Cancel::default();
        let _guard = EndsWithClient(Arc::clone(&cancel));
        let (answer, answered) = oneshot::channel();
        let work = move || {
            if !cancel.load(Ordering::Relaxed) {
                // Whoever asked may be gone by now.
                let _ = answer.send(work(&cancel));
            }
        };
        self.put(client, Box::new(work))?;
        answered.await.unwrap_or_else(|_| Err(ApiError::ours(OUR_MISTAKE)))
    }

    fn work_off(&self) {
        loop {
            // Work that fails takes its answer with it, which tells whoever waits; the thread goes on.
            let _ = catch_unwind(AssertUnwindSafe(self.take()));
        }
    }
}

pub(crate) struct Workers {
    pub(crate) quick: Arc<Queue>,
    pub(crate) slow: Arc<Queue>,
    pub(crate) preparing: Arc<Queue>,
    long: Arc<Semaphore>,
}

/// Set when nobody waits for the answer any more.
type Cancel = Arc<AtomicBool>;

/// Ends a piece of work when it is dropped, which happens when the client's connection closes.
pub(crate) struct EndsWithClient(Cancel);

impl Drop for EndsWithClient {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Workers {
    /// Starts a number of threads for quick work, and as many for slow work; fewer if not all can start.
    ///
    /// # Errors
    /// When not even one thread for each queue can start.
    pub(crate) fn new(threads: usize) -> io::Result<Workers> {
        let queue = Arc::<Queue>::default;
        let workers =
            Workers { quick: queue(), slow: queue(), preparing: queue(), long: Arc::new(Semaphore::new(LONG)) };
        let Workers { quick, slow, preparing, .. } = &workers;
        // One for each queue comes first.
        let each = [(quick, "quick"), (slow, "slow")];
        let more = each.into_iter().cycle().take(2 * threads.saturating_sub(1));
        let all = each.into_iter().chain([(preparing, "preparing")]).chain(more);
        let started = all.take_while(|(queue, name)| queue.start_thread(name)).count();
        if started < LEAST_THREADS {
            let message = format!("it needs {LEAST_THREADS} threads next to its own, and {started} could start");
            return Err(io::Error::new(ErrorKind::WouldBlock, message));
        }
        let wanted = LEAST_THREADS + 2 * threads.saturating_sub(1);
        if started < wanted {
            report_shortage(ThreadShortage { wanted, started });
        }
        Ok(workers)
    }

    /// Starts some work that may take long, and does not wait for it. It ends when what is returned is dropped.
    pub(crate) fn long(&self, work: impl FnOnce(&AtomicBool) + Send + 'static) -> Result<EndsWithClient> {
        let turn = Arc::clone(&self.long).try_acquire_owned().map_err(|_| {
            let message = format!("{LONG} long searches are running already: stop one of them, or try again later");
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
        })?;
        let cancel = Cancel::default();
        let guard = EndsWithClient(Arc::clone(&cancel));
        let work = move || {
            let _until_done = turn;
            work(&cancel);
        };
        spawn("long", work).map_err(|_| {
            let message = "the system allows no more threads: try again later";
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
        })?;
        Ok(guard)
    }
}

/// Work that can be told that nobody waits for it any more.
pub(crate) trait Job<T>: FnOnce(&AtomicBool) -> Result<T> + Send + 'static {}

impl<T, F: FnOnce(&AtomicBool) -> Result<T> + Send + 'static> Job<T> for F {}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use tilebase::progress::threads::refusing;

    use super::*;

    #[test]
    fn the_threads_that_start_have_work_of_each_kind() {
        for started in 0..8 {
            let (workers, asked) = refusing(move |number| number >= started, || Workers::new(3));
            assert_eq!(asked, 7.min(started + 1));
            let workers = match workers {
                Ok(workers) if started >= LEAST_THREADS => workers,
                Err(error) if started < LEAST_THREADS => {
                    assert!(error.to_string().contains(&format!("{started} could start")), "{error}");
                    continue;
                }
                other => panic!("{started} threads: {:?}", other.err()),
            };
            let (told, heard) = mpsc::channel();
            for queue in [&workers.quick, &workers.slow, &workers.preparing] {
                let told = told.clone();
                queue.put(Client(IpAddr::from([127, 0, 0, 1])), Box::new(move || told.send(()).unwrap())).unwrap();
                heard.recv().unwrap();
            }
            let long = refusing(|_| true, || workers.long(|_| ())).0;
            assert!(long.is_err_and(|error| error.status() == StatusCode::SERVICE_UNAVAILABLE), "{started} threads");
        }
    }

    #[test]
    fn clients_take_turns_whoever_asked_first_and_most() {
        let queue = Arc::<Queue>::default();
        assert!(queue.start_thread("test"));
        let (told, order) = mpsc::channel();
        let (go, gate) = mpsc::channel();
        let client = |last| Client(IpAddr::from([127, 0, 0, last]));
        // The only thread waits until all questions are there.
        queue.put(client(9), Box::new(move || gate.recv().unwrap())).unwrap();
        for (who, what) in [(1, "a"), (1, "b"), (1, "c"), (2, "d"), (3, "e"), (2, "f")] {
            let told = told.clone();
            queue.put(client(who), Box::new(move || told.send(what).unwrap())).unwrap();
        }
        go.send(()).unwrap();
        let order: Vec<&str> = order.iter().take(6).collect();
        assert_eq!(order.concat(), "adebfc");
    }

    #[test]
    fn too_many_questions_are_refused_and_a_panic_ends_only_its_own() {
        let queue = Arc::<Queue>::default();
        assert!(queue.start_thread("test"));
        let (go, gate) = mpsc::channel::<()>();
        let client = Client(IpAddr::from([127, 0, 0, 1]));
        queue.put(client, Box::new(move || panic!("{:?}", gate.recv()))).unwrap();
        while !queue.waiting.lock().unwrap().is_empty() {
            std::thread::yield_now();
        }
        (0..WAITING).for_each(|_| queue.put(client, Box::new(|| {})).unwrap());
        assert!(queue.put(client, Box::new(|| {})).is_err());
        go.send(()).unwrap();
        let (told, heard) = mpsc::channel();
        let tell = || {
            let told = told.clone();
            Box::new(move || told.send(()).unwrap())
        };
        while queue.put(client, tell()).is_err() {
            std::thread::yield_now();
        }
        heard.recv().unwrap();
    }
}
