//! Lets only so many searches run at a time, and ends those whose client has gone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use axum::http::StatusCode;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;

use crate::problem::Problem;

/// Long searches at a time; each may use all threads.
const LONG: usize = 2;

/// Questions that may wait for their turn.
const WAITING: usize = 256;

/// Where work is taken in.
pub(crate) struct Desk {
    short: Arc<Semaphore>,
    long: Arc<Semaphore>,
    waiting: AtomicUsize,
}

/// Set when nobody waits for the answer any more.
#[derive(Clone, Default)]
pub(crate) struct Cancel(pub(crate) Arc<AtomicBool>);

/// Ends a piece of work when it is dropped, which happens when the client's connection closes.
pub(crate) struct EndsWithClient(Cancel);

impl Drop for EndsWithClient {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

impl Desk {
    pub(crate) fn new(threads: usize) -> Desk {
        Desk {
            short: Arc::new(Semaphore::new(threads)),
            long: Arc::new(Semaphore::new(LONG)),
            waiting: AtomicUsize::new(0),
        }
    }

    /// Does some work when its turn comes, and waits for it.
    pub(crate) async fn short<T: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let turn = self.turn().await?;
        let cancel = Cancel::default();
        let _guard = EndsWithClient(cancel.clone());
        let done = spawn_blocking(move || {
            let _until_done = turn;
            work(&cancel.0)
        });
        done.await.unwrap_or_else(|_| {
            Err(Problem::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "the answer could not be worked out: this is our mistake",
            ))
        })
    }

    /// Starts some work that may take long, and does not wait for it. It ends when what is returned is dropped.
    pub(crate) fn long(&self, work: impl FnOnce(&AtomicBool) + Send + 'static) -> Result<EndsWithClient, Problem> {
        let turn = Arc::clone(&self.long).try_acquire_owned().map_err(|_| {
            let message = format!("{LONG} long searches are running already: stop one of them, or try again later");
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, message)
        })?;
        let cancel = Cancel::default();
        let guard = EndsWithClient(cancel.clone());
        spawn_blocking(move || {
            let _until_done = turn;
            work(&cancel.0);
        });
        Ok(guard)
    }

    async fn turn(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let waiting = Waiting::begin(&self.waiting).ok_or_else(|| {
            let message = format!("{WAITING} questions are waiting already: try again in a second");
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, message)
        })?;
        let turn = Arc::clone(&self.short).acquire_owned().await.expect("the semaphore is never closed");
        drop(waiting);
        Ok(turn)
    }
}

/// Counts who waits, also when a client goes away while waiting.
struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn begin(count: &'a AtomicUsize) -> Option<Waiting<'a>> {
        let waiting = Waiting(count);
        (count.fetch_add(1, Ordering::Relaxed) < WAITING).then_some(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
