//! Limits how much work runs at a time, orders it, and cancels searches whose client has gone.
//!
//! No client waits for another client's hard board:
//! * *quick* work has threads that do nothing else. A search that takes longer than a moment ends there, and starts again as slow work;
//! * *slow* work has the same number of threads of its own. Clients take turns, however much each of them asks;
//! * *preparing*, which may build tables, has one thread. The same thread frees the memory of what was prepared, before it prepares more;
//! * *long* work, which reports its progress, has a few places, and is refused when they are taken.
//!
//! A thread that is done takes the next piece of work at once, without a wakeup in between. (With a semaphore and the runtime's own
//! threads, a fifth of two cores' time was spent waiting: 870 boards a second instead of 1,340, by `tilebase bench serve`.)

use std::collections::VecDeque;
use std::fmt;
use std::io::{self, ErrorKind};
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;
use tilebase::progress::threads::{ThreadShortage, report_shortage, spawn};
use tokio::sync::{Semaphore, oneshot};

use crate::error::{ApiError, Result};

/// One thread for each queue.
const LEAST_THREADS: usize = 3;

/// Long searches at a time; each may use all threads.
const LONG: usize = 4;

/// The most pieces of clients' work that wait for their turn in a queue.
const WAITING: usize = 256;

/// The message when work panics.
pub(crate) const OUR_MISTAKE: &str = "the answer could not be worked out: this is our mistake";

type Work = Box<dyn FnOnce() + Send>;

/// The address of a client. Clients take turns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Client(pub(crate) IpAddr);

/// Work that waits for its turn, and for a thread of the queue.
#[derive(Default)]
pub(crate) struct Queue {
    waiting: Mutex<Waiting>,
    has_work: Condvar,
}

#[derive(Default)]
struct Waiting {
    /// Work of the server itself, which comes first.
    first: VecDeque<Work>,
    /// The work of each client that has any, in the order of their turns.
    clients: VecDeque<(Client, VecDeque<Work>)>,
}

impl Waiting {
    /// How many pieces of clients' work wait.
    fn of_clients(&self) -> usize {
        self.clients.iter().map(|(_, works)| works.len()).sum()
    }

    /// The first work of the client whose turn it is, unless the server has some.
    fn next(&mut self) -> Option<Work> {
        if let Some(work) = self.first.pop_front() {
            return Some(work);
        }
        let (client, mut works) = self.clients.pop_front()?;
        let work = works.pop_front();
        if !works.is_empty() {
            self.clients.push_back((client, works));
        }
        work
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue").finish_non_exhaustive()
    }
}

impl Queue {
    /// Starts one more thread that does the work of the queue. Returns whether it started.
    fn start_thread(self: &Arc<Queue>, name: &str) -> bool {
        let queue = Arc::clone(self);
        spawn(name, move || queue.work_off()).is_ok()
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds work after the client's other work.
    ///
    /// # Errors
    /// When too much work waits.
    pub(crate) fn put(&self, client: Client, work: Work) -> Result<()> {
        let mut waiting = self.lock();
        if waiting.of_clients() >= WAITING {
            let message = format!("{WAITING} questions are waiting already: try again in a second");
            return Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message));
        }
        match waiting.clients.iter_mut().find(|(known, _)| *known == client) {
            Some((_, works)) => works.push_back(work),
            None => waiting.clients.push_back((client, VecDeque::from([work]))),
        }
        self.has_work.notify_one();
        Ok(())
    }

    /// Adds work that is done before that of all clients.
    pub(crate) fn put_first(&self, work: Work) {
        self.lock().first.push_back(work);
        self.has_work.notify_one();
    }

    /// The next work. Waits until there is some.
    fn take(&self) -> Work {
        let mut waiting = self.lock();
        loop {
            if let Some(work) = waiting.next() {
                return work;
            }
            waiting = self.has_work.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Does work when its turn comes, and waits for the answer. Cancels the work when the future is dropped.
    pub(crate) async fn done<T: Send + 'static>(&self, client: Client, work: impl Job<T>) -> Result<T> {
        let cancel = Cancel::default();
        let _guard = EndsWithClient(Arc::clone(&cancel));
        let (answer, answered) = oneshot::channel();
        let work = move || {
            if !cancel.load(Ordering::Relaxed) {
                // The client may be gone by now.
                let _ = answer.send(work(&cancel));
            }
        };
        self.put(client, Box::new(work))?;
        answered.await.unwrap_or_else(|_| Err(ApiError::ours(OUR_MISTAKE)))
    }

    fn work_off(&self) {
        loop {
            do_work(self.take());
        }
    }

    /// For tests of queues without threads: does the next work on this thread. Returns whether there was any.
    #[cfg(test)]
    pub(crate) fn do_next(&self) -> bool {
        let next = self.lock().next();
        next.map(do_work).is_some()
    }

    /// For tests of queues without threads: does all work on this thread.
    #[cfg(test)]
    pub(crate) fn do_all(&self) {
        while self.do_next() {}
    }

    /// How many pieces of work wait.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        let waiting = self.lock();
        waiting.first.len() + waiting.of_clients()
    }
}

/// Work that panics drops the sender of its answer, which ends the wait for it; the thread continues.
fn do_work(work: Work) {
    let _ = catch_unwind(AssertUnwindSafe(work));
}

pub(crate) struct Workers {
    pub(crate) quick: Arc<Queue>,
    pub(crate) slow: Arc<Queue>,
    pub(crate) preparing: Arc<Queue>,
    long: Arc<Semaphore>,
}

/// Set when no client waits for the answer any more.
type Cancel = Arc<AtomicBool>;

/// Cancels a piece of work when it is dropped, which happens when the client's connection closes.
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

    /// Starts work that may take long, and does not wait for it. Dropping the returned guard cancels it.
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

/// Work that can be cancelled when no client waits for it any more.
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
            let (sender, receiver) = mpsc::channel();
            for queue in [&workers.quick, &workers.slow, &workers.preparing] {
                let sender = sender.clone();
                queue.put(Client(IpAddr::from([127, 0, 0, 1])), Box::new(move || sender.send(()).unwrap())).unwrap();
                receiver.recv().unwrap();
            }
            let long = refusing(|_| true, || workers.long(|_| ())).0;
            assert!(long.is_err_and(|error| error.status() == StatusCode::SERVICE_UNAVAILABLE), "{started} threads");
        }
    }

    #[test]
    fn clients_take_turns_however_early_and_often_they_asked() {
        let queue = Arc::<Queue>::default();
        assert!(queue.start_thread("test"));
        let (sender, order) = mpsc::channel();
        let (go, gate) = mpsc::channel();
        let client = |last| Client(IpAddr::from([127, 0, 0, last]));
        // The only thread waits until all questions have come.
        queue.put(client(9), Box::new(move || gate.recv().unwrap())).unwrap();
        for (who, what) in [(1, "a"), (1, "b"), (1, "c"), (2, "d"), (3, "e"), (2, "f")] {
            let sender = sender.clone();
            queue.put(client(who), Box::new(move || sender.send(what).unwrap())).unwrap();
        }
        go.send(()).unwrap();
        let order: Vec<&str> = order.iter().take(6).collect();
        assert_eq!(order.concat(), "adebfc");
    }

    #[test]
    fn work_of_the_server_comes_first_and_is_never_refused() {
        let queue = Queue::default();
        let (sender, order) = mpsc::channel();
        let work = |what: &'static str| -> Work {
            let sender = sender.clone();
            Box::new(move || sender.send(what).unwrap())
        };
        let client = Client(IpAddr::from([127, 0, 0, 1]));
        (0..WAITING).for_each(|_| queue.put(client, work("client")).unwrap());
        queue.put_first(work("server"));
        assert!(queue.do_next());
        assert_eq!(order.recv(), Ok("server"));
        queue.do_all();
        assert_eq!(order.try_iter().filter(|what| *what == "client").count(), WAITING);
    }

    #[test]
    fn too_many_questions_are_refused_and_a_panic_ends_only_its_own() {
        let queue = Arc::<Queue>::default();
        assert!(queue.start_thread("test"));
        let (go, gate) = mpsc::channel::<()>();
        let client = Client(IpAddr::from([127, 0, 0, 1]));
        queue.put(client, Box::new(move || panic!("{:?}", gate.recv()))).unwrap();
        while queue.waiting() > 0 {
            std::thread::yield_now();
        }
        (0..WAITING).for_each(|_| queue.put(client, Box::new(|| {})).unwrap());
        assert!(queue.put(client, Box::new(|| {})).is_err());
        go.send(()).unwrap();
        let (sender, receiver) = mpsc::channel();
        let report = || {
            let sender = sender.clone();
            Box::new(move || sender.send(()).unwrap())
        };
        while queue.put(client, report()).is_err() {
            std::thread::yield_now();
        }
        receiver.recv().unwrap();
    }
}
