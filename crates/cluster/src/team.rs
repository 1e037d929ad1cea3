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
    /// The number of this process among those on the same machine, and how many these are.
    pub(crate) on_machine: (usize, usize),
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
    pub(crate) fn new((rank, count): (usize, usize), on_machine: (usize, usize)) -> Team {
        Team {
            rank,
            count,
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

    /// Cores for this process: those that it is bound to, or its share of all.
    pub(crate) fn cores(&self) -> usize {
        let (_, here) = self.on_machine;
        let cores = tilebase_cli::session::cores();
        let allowed = std::fs::read_to_string("/proc/self/status").ok();
        let allowed =
            allowed.iter().flat_map(|status| status.lines()).find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        let online = std::fs::read_to_string("/sys/devices/system/cpu/online").ok();
        let is_bound = allowed.map(count_of_list) < online.as_deref().map(count_of_list);
        if is_bound { cores } else { (cores / here).max(1) }
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

impl Team {
    /// Waits until a message has come, or this time is over.
    pub(crate) fn wait_for(&self, time: Duration) {
        let mut inbox = self.inbox();
        if !std::mem::take(&mut inbox.has_changed) {
            inbox = self.changed.wait_timeout(inbox, time).unwrap_or_else(PoisonError::into_inner).0;
            inbox.has_changed = false;
        }
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

/// How many numbers a list such as `0-3,8` has.
fn count_of_list(numbers: &str) -> usize {
    let part = |part: &str| -> Option<usize> {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(last.trim().parse::<usize>().ok()?.checked_sub(first.trim().parse().ok()?)? + 1)
    };
    numbers.split(',').filter_map(part).sum()
}

/// What a panicking thread leaves behind is a job that ends.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_cores_are_counted() {
        for (list, count) in [("0-3,8", 5), ("0\n", 1), (" 0-1\n", 2), ("", 0), ("2,4,6-7", 4)] {
            assert_eq!(count_of_list(list), count, "{list}");
        }
    }
}
