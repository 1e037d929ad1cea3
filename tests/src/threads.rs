//! Processes that build together, as threads of one program.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use tilebase_generate::{Lane, Peers, PeersGone};

/// More words of rows than this on their way to a thread, and no other should send it any.
const ROOM: usize = 1 << 16;

/// A thread that plays a process.
pub struct Thread {
    rank: usize,
    shared: Arc<Shared>,
    /// Words that this thread has sent.
    pub sent: AtomicU64,
    /// The most words that a message of rows should have.
    pub most_words: usize,
}

struct Shared {
    inboxes: Mutex<Vec<Inbox>>,
    changed: Condvar,
    is_gone: AtomicBool,
}

#[derive(Default)]
struct Inbox {
    words: VecDeque<(usize, Vec<u64>)>,
    rows: VecDeque<(usize, Vec<u64>)>,
}

impl Thread {
    /// This many of them.
    pub fn new(count: usize) -> Vec<Thread> {
        let inboxes = Mutex::new((0..count).map(|_| Inbox::default()).collect());
        let shared = Arc::new(Shared { inboxes, changed: Condvar::new(), is_gone: AtomicBool::new(false) });
        (0..count)
            .map(|rank| Thread { rank, shared: Arc::clone(&shared), sent: AtomicU64::new(0), most_words: 1 << 16 })
            .collect()
    }

    /// Tells the others that this one is gone.
    pub fn leave(&self) {
        self.shared.is_gone.store(true, Ordering::Relaxed);
        let _held = self.inboxes();
        self.shared.changed.notify_all();
    }

    fn inboxes(&self) -> MutexGuard<'_, Vec<Inbox>> {
        self.shared.inboxes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Peers for Thread {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.inboxes().len()
    }

    fn send(&self, to: usize, lane: Lane, message: Vec<u64>) {
        assert_ne!(to, self.rank, "nobody sends anything to itself");
        self.sent.fetch_add(message.len() as u64, Ordering::Relaxed);
        let inbox = &mut self.inboxes()[to];
        match lane {
            Lane::Words => inbox.words.push_back((self.rank, message)),
            Lane::Rows => inbox.rows.push_back((self.rank, message)),
        }
        self.shared.changed.notify_all();
    }

    fn has_room(&self) -> bool {
        let own = |(from, rows): &(usize, Vec<u64>)| if *from == self.rank { rows.len() } else { 0 };
        self.inboxes().iter().flat_map(|inbox| &inbox.rows).map(own).sum::<usize>() < ROOM
    }

    fn most_words(&self) -> usize {
        self.most_words
    }

    fn receive(&self, lane: Lane) -> Option<(usize, Vec<u64>)> {
        let inbox = &mut self.inboxes()[self.rank];
        let message = match lane {
            Lane::Words => inbox.words.pop_front(),
            Lane::Rows => inbox.rows.pop_front(),
        };
        self.shared.changed.notify_all();
        message
    }

    fn wait(&self) -> Result<(), PeersGone> {
        if self.shared.is_gone.load(Ordering::Relaxed) {
            return Err(PeersGone);
        }
        // What happened just before is not heard; but not for long.
        let timeout = std::time::Duration::from_micros(200);
        drop(self.shared.changed.wait_timeout(self.inboxes(), timeout).unwrap_or_else(PoisonError::into_inner));
        Ok(())
    }
}
