//! Limits how many searches run at a time, and ends those whose client has gone.
//!
//! Short work waits in a queue for threads that do nothing else: when one of them is done it takes the next piece at once, without
//! anybody having to be woken in between. (With a semaphore and the runtime's own threads, a fifth of two cores' time was spent
//! waiting: 870 boards a second instead of 1,340, by `tilebase bench serve`.) Long work has threads of its own, so that short
//! questions never wait for it.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use axum::http::StatusCode;
use tokio::sync::{Semaphore, oneshot};
use tokio::task::spawn_blocking;

use crate::error::{ApiError, Result};

/// Long searches at a time; each may use all threads.
const LONG: usize = 4;

/// Pieces of short work that may wait for their turn.
const WAITING: usize = 256;

/// Said when work has failed although it should not.
pub(crate) const OUR_MISTAKE: &str = "the answer could not be worked out: this is our mistake";

type Work = Box<dyn FnOnce() + Send>;

/// The threads for short work, and places for long work.
pub(crate) struct Workers {
    short: SyncSender<Work>,
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
    /// Starts a number of threads for short work.
    ///
    /// # Errors
    /// When the system gives none.
    pub(crate) fn new(threads: usize) -> io::Result<Workers> {
        let (short, queue) = sync_channel::<Work>(WAITING);
        let queue = Arc::new(Mutex::new(queue));
        for number in 1..=threads {
            let queue = Arc::clone(&queue);
            thread::Builder::new().name(format!("worker {number}")).spawn(move || work_off(&queue))?;
        }
        Ok(Workers { short, long: Arc::new(Semaphore::new(LONG)) })
    }

    /// Does some work when its turn comes, and waits for it.
    pub(crate) async fn short<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let cancel = Cancel::default();
        let _guard = EndsWithClient(Arc::clone(&cancel));
        let (answer, answered) = oneshot::channel();
        let work = move || {
            if !cancel.load(Ordering::Relaxed) {
                // Whoever asked may be gone by now.
                let _ = answer.send(work(&cancel));
            }
        };
        self.short.try_send(Box::new(work)).map_err(|_| {
            let message = format!("{WAITING} questions are waiting already: try again in a second");
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
        })?;
        answered.await.unwrap_or_else(|_| Err(ApiError::ours(OUR_MISTAKE)))
    }

    /// Starts some work that may take long, and does not wait for it. It ends when what is returned is dropped.
    pub(crate) fn long(&self, work: impl FnOnce(&AtomicBool) + Send + 'static) -> Result<EndsWithClient> {
        let turn = Arc::clone(&self.long).try_acquire_owned().map_err(|_| {
            let message = format!("{LONG} long searches are running already: stop one of them, or try again later");
            ApiError::new(StatusCode::SERVICE_UNAVAILABLE, message)
        })?;
        let cancel = Cancel::default();
        let guard = EndsWithClient(Arc::clone(&cancel));
        spawn_blocking(move || {
            let _until_done = turn;
            work(&cancel);
        });
        Ok(guard)
    }
}

/// Takes work from the queue until nobody can bring any more.
fn work_off(queue: &Mutex<Receiver<Work>>) {
    loop {
        // The lock is given back before the work begins.
        let next = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(work) = next else { return };
        // Work that fails takes its answer with it, which tells whoever waits; the thread goes on.
        let _ = catch_unwind(AssertUnwindSafe(work));
    }
}
