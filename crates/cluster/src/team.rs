//! The processes of a job, as one of them sees them. Its threads put messages out and take them in here; the
//! [wire](crate::wire::Wire) carries them.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tilebase::generate::{Lane, Peers, PeersGone};

/// Words of rows that may wait to be read, and as many that may be on their way; at least two of the largest messages.
const LEAST_ROOM: usize = 1 << 18;

/// Messages whose memory is kept for others.
const KEPT: usize = 16;

/// One of the processes of a job.
pub(crate) struct Team {
    rank: usize,
    count: usize,
    /// The machine's name.
    pub(crate) machine: String,
    /// How many processes there are on the machine.
    pub(crate) on_machine: usize,
    posts: Mutex<Vec<Post>>,
    /// The wire sleeps until something is posted.
    posted: Condvar,
    inbox: Mutex<Inbox>,
    /// Workers sleep until something comes, or has gone.
    changed: Condvar,
    buffers: Mutex<Vec<Vec<u64>>>,
    /// Words of rows that have been posted and have not gone.
    going: AtomicUsize,
    /// Words of rows for which there is room, on the way out and on the way in.
    room: AtomicUsize,
    is_over: AtomicBool,
    is_waited_for: AtomicBool,
    /// The exit code with which all processes are to end, or [`GOES_ON`].
    abort: AtomicU16,
}

const GOES_ON: u16 = u16::MAX;

/// Ends all processes when a thread panics: the others would wait for ever for what it was to send.
pub(crate) struct AbortOnPanic<'a>(pub(crate) &'a Team);

impl Drop for AbortOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.abort(crate::PANICKED);
        }
    }
}

/// A message that is to be sent.
pub(crate) struct Post {
    pub(crate) to: usize,
    pub(crate) lane: Lane,
    pub(crate) message: Vec<u64>,
}

#[derive(Default)]
struct Inbox {
    words: VecDeque<(usize, Vec<u64>)>,
    rows: VecDeque<(usize, Vec<u64>)>,
    /// Words of rows that are there or coming.
    len: usize,
    /// Whether something has happened since the last look.
    has_changed: bool,
}

impl Team {
    pub(crate) fn new((rank, count): (usize, usize), machine: String, on_machine: usize) -> Team {
        Team {
            rank,
            count,
            machine,
            on_machine,
            posts: Mutex::default(),
            posted: Condvar::new(),
            inbox: Mutex::default(),
            changed: Condvar::new(),
            buffers: Mutex::default(),
            going: AtomicUsize::new(0),
            room: AtomicUsize::new(LEAST_ROOM),
            is_over: AtomicBool::new(false),
            is_waited_for: AtomicBool::new(false),
            abort: AtomicU16::new(GOES_ON),
        }
    }

    /// How many processes there are, for people.
    pub(crate) fn processes(&self) -> String {
        if self.count == 1 { "1 process".to_owned() } else { format!("{} processes", self.count) }
    }

    /// Whether this process speaks for all.
    pub(crate) fn is_first(&self) -> bool {
        self.rank == 0
    }

    /// The work of this process is over: the wire ends when all that was sent has gone.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Release);
        self.posted.notify_all();
    }

    /// Whether work waits for messages, so that the wire should look for them often.
    pub(crate) fn is_waited_for(&self) -> bool {
        self.is_waited_for.load(Ordering::Relaxed)
    }

    /// All processes are to end at once, with this exit code.
    pub(crate) fn abort(&self, code: u8) {
        self.abort.store(code.into(), Ordering::Release);
        self.posted.notify_all();
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    pub(crate) fn abort_code(&self) -> Option<u8> {
        u8::try_from(self.abort.load(Ordering::Acquire)).ok()
    }

    /// What is to be sent.
    pub(crate) fn take_posts(&self) -> Vec<Post> {
        std::mem::take(&mut *locked(&self.posts))
    }

    /// Sleeps until something is posted, or this time is over.
    pub(crate) fn sleep(&self, time: Duration) {
        let posts = locked(&self.posts);
        if posts.is_empty() {
            drop(self.posted.wait_timeout(posts, time));
        }
    }

    /// A message has gone.
    pub(crate) fn has_gone(&self, lane: Lane, message: Vec<u64>) {
        if lane == Lane::Rows {
            self.going.fetch_sub(message.len(), Ordering::Relaxed);
        }
        self.recycle(message);
        self.change(&mut self.inbox());
    }

    /// Whether a message of a lane may come.
    pub(crate) fn has_room_for(&self, lane: Lane) -> bool {
        lane == Lane::Words || self.inbox().len < self.room.load(Ordering::Relaxed)
    }

    /// A message of so many words is coming.
    pub(crate) fn is_coming(&self, lane: Lane, len: usize) {
        if lane == Lane::Rows {
            self.make_room_for(len);
            self.inbox().len += len;
        }
    }

    /// A message has come.
    pub(crate) fn has_come(&self, lane: Lane, from: usize, message: Vec<u64>) {
        let mut inbox = self.inbox();
        match lane {
            Lane::Words => inbox.words.push_back((from, message)),
            Lane::Rows => inbox.rows.push_back((from, message)),
        }
        self.change(&mut inbox);
    }

    /// Memory for a message.
    pub(crate) fn buffer(&self) -> Vec<u64> {
        locked(&self.buffers).pop().unwrap_or_default()
    }

    /// Waits until a message has come, or this time is over.
    pub(crate) fn wait_for(&self, time: Duration) {
        let mut inbox = self.inbox();
        if !std::mem::take(&mut inbox.has_changed) {
            inbox = self.changed.wait_timeout(inbox, time).unwrap_or_else(PoisonError::into_inner).0;
            inbox.has_changed = false;
        }
    }

    fn make_room_for(&self, len: usize) {
        self.room.fetch_max(2 * len, Ordering::Relaxed);
    }

    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        locked(&self.inbox)
    }

    fn change(&self, inbox: &mut MutexGuard<'_, Inbox>) {
        inbox.has_changed = true;
        self.changed.notify_all();
    }
}

impl Peers for Team {
    fn rank(&self) -> usize {
        self.rank
    }

    fn count(&self) -> usize {
        self.count
    }

    fn send(&self, to: usize, lane: Lane, message: Vec<u64>) {
        if lane == Lane::Rows {
            self.make_room_for(message.len());
            self.going.fetch_add(message.len(), Ordering::Relaxed);
        }
        locked(&self.posts).push(Post { to, lane, message });
        self.posted.notify_all();
    }

    fn has_room(&self) -> bool {
        self.going.load(Ordering::Relaxed) < self.room.load(Ordering::Relaxed)
    }

    fn receive(&self, lane: Lane) -> Option<(usize, Vec<u64>)> {
        let mut inbox = self.inbox();
        if lane == Lane::Words {
            return inbox.words.pop_front();
        }
        let message = inbox.rows.pop_front()?;
        inbox.len -= message.1.len();
        Some(message)
    }

    fn recycle(&self, mut message: Vec<u64>) {
        let mut buffers = locked(&self.buffers);
        if buffers.len() < KEPT && message.capacity() >= 1 << 12 {
            message.clear();
            buffers.push(message);
        }
    }

    fn empty_message(&self) -> Vec<u64> {
        self.buffer()
    }

    fn wait(&self) -> Result<(), PeersGone> {
        let mut inbox = self.inbox();
        while !std::mem::take(&mut inbox.has_changed) {
            self.is_waited_for.store(true, Ordering::Relaxed);
            self.posted.notify_all();
            inbox = self.changed.wait(inbox).unwrap_or_else(PoisonError::into_inner);
        }
        self.is_waited_for.store(false, Ordering::Relaxed);
        Ok(())
    }
}

/// What a panicking thread leaves behind is a job that ends.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
