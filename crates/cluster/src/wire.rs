//! Messages by MPI: the only place that talks to it.
//!
//! One thread has MPI to itself, the main one ([`Wire::carry`]): it sends what others have put out, takes in what has come, and sleeps in
//! between, so that it takes no time from those that work. MPI would rather spin.

#![allow(unsafe_code)]

use std::os::raw::c_int;
use std::time::{Duration, Instant};

use mpi::environment::Universe;
use mpi::ffi;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{AsRaw, Communicator};
use tilebase::generate::Lane;

use crate::team::{Post, Team};

/// How long the wire sleeps when there is nothing to carry. Whoever has something to send wakes it; this is for what comes.
const SHORT_SLEEP: Duration = Duration::from_micros(100);
const LONG_SLEEP: Duration = Duration::from_millis(1);

/// It sleeps longer when nothing has come or gone for this long, and no work [waits](Team::is_waited_for).
const QUIET: Duration = Duration::from_millis(1);

const LANES: [(Lane, c_int); 2] = [(Lane::Words, 1), (Lane::Rows, 2)];

/// MPI, as long as the program runs.
pub(crate) struct Wire {
    world: SimpleCommunicator,
    sending: Vec<(Lane, UnderWay)>,
    receiving: Vec<(Lane, usize, UnderWay)>,
    // It ends MPI when it goes, so that it goes last.
    _universe: Universe,
}

/// A message that MPI is reading from, or writing into.
struct UnderWay {
    /// It stays where it is on the heap until the request is done.
    message: Vec<u64>,
    /// How many words it has then, and has room for.
    len: usize,
    request: ffi::MPI_Request,
}

impl UnderWay {
    /// Whether MPI is done with the message.
    fn is_done(&mut self) -> bool {
        let mut is_done = 0;
        // SAFETY: the request is one that MPI gave for this message, and is done once; `Wire` forgets it then.
        unsafe { ffi::MPI_Test(&raw mut self.request, &raw mut is_done, ffi::RSMPI_STATUS_IGNORE) };
        if is_done != 0 {
            // SAFETY: there is room for as many words, and they were there before or MPI has written them.
            unsafe { self.message.set_len(self.len) };
        }
        is_done != 0
    }
}

impl Wire {
    /// Begins to use MPI, on this thread.
    pub(crate) fn new() -> Result<Wire, String> {
        let started = mpi::initialize_with_threading(mpi::Threading::Funneled);
        let (universe, threading) = started.ok_or("MPI cannot be started twice")?;
        if threading < mpi::Threading::Funneled {
            return Err("this MPI cannot be used by a program with threads: use one that was built for it".to_owned());
        }
        let world = universe.world();
        Ok(Wire { world, sending: Vec::new(), receiving: Vec::new(), _universe: universe })
    }

    /// The machine's name.
    #[expect(clippy::unused_self, reason = "MPI must have been started")]
    pub(crate) fn machine(&self) -> String {
        mpi::environment::processor_name().unwrap_or_default()
    }

    /// The number of this process, and how many there are.
    pub(crate) fn place(&self) -> (usize, usize) {
        (self.world.rank() as usize, self.world.size() as usize)
    }

    /// How many processes there are on this machine.
    pub(crate) fn on_machine(&self) -> usize {
        self.world.split_shared(self.world.rank()).size() as usize
    }

    /// Ends all processes at once.
    pub(crate) fn abort(&self, code: u8) -> ! {
        self.world.abort(code.into())
    }

    /// Carries messages until the team's work is over and all that was sent has arrived, or until it is told to end everything.
    pub(crate) fn carry(&mut self, team: &Team) {
        let mut last = Instant::now();
        loop {
            // In this order: who ends everything says so before its work is over.
            let is_over = team.is_over();
            if let Some(code) = team.abort_code() {
                self.abort(code);
            }
            let has_sent = self.send(team);
            let has_received = self.receive(team);
            if has_sent || has_received {
                last = Instant::now();
            } else if is_over && self.sending.is_empty() {
                return;
            } else {
                let is_short = team.is_waited_for() || last.elapsed() < QUIET;
                team.sleep(if is_short { SHORT_SLEEP } else { LONG_SLEEP });
            }
        }
    }

    /// Hands messages to MPI, and takes back those that have gone. Returns whether there were any.
    fn send(&mut self, team: &Team) -> bool {
        let posts = team.take_posts();
        let mut has_worked = !posts.is_empty();
        for Post { to, lane, message } in posts {
            let mut request = std::mem::MaybeUninit::uninit();
            // SAFETY: the message has this many words, and stays where it is until `is_done` says that MPI is done with it.
            let request = unsafe {
                ffi::MPI_Isend(
                    message.as_ptr().cast(),
                    count(&message),
                    ffi::RSMPI_UINT64_T,
                    to as c_int,
                    tag(lane),
                    self.world.as_raw(),
                    request.as_mut_ptr(),
                );
                request.assume_init()
            };
            self.sending.push((lane, UnderWay { len: message.len(), message, request }));
        }
        for (lane, UnderWay { message, .. }) in self.sending.extract_if(.., |(_, under_way)| under_way.is_done()) {
            has_worked = true;
            team.has_gone(lane, message);
        }
        has_worked
    }

    /// Takes in messages for which there is room. Returns whether there were any.
    fn receive(&mut self, team: &Team) -> bool {
        let mut has_worked = false;
        for (lane, tag) in LANES {
            while team.has_room_for(lane) {
                let Some(receiving) = self.next_message(tag, team) else { break };
                has_worked = true;
                team.is_coming(lane, receiving.1.len);
                self.receiving.push((lane, receiving.0, receiving.1));
            }
        }
        // In the order in which they were sent: the first of each lane and sender before the next.
        let mut blocked: Vec<(Lane, usize)> = Vec::new();
        let come = self.receiving.extract_if(.., |(lane, from, under_way)| {
            let is_next = !blocked.contains(&(*lane, *from));
            let has_come = is_next && under_way.is_done();
            if !has_come {
                blocked.push((*lane, *from));
            }
            has_come
        });
        for (lane, from, UnderWay { message, .. }) in come {
            has_worked = true;
            team.has_come(lane, from, message);
        }
        has_worked
    }

    /// The next message of a lane that MPI knows of, and who sends it.
    fn next_message(&self, tag: c_int, team: &Team) -> Option<(usize, UnderWay)> {
        let (mut is_there, mut len) = (0, 0);
        let mut matched = std::mem::MaybeUninit::uninit();
        let mut status = std::mem::MaybeUninit::<ffi::MPI_Status>::uninit();
        // SAFETY: MPI writes the message's handle and status if there is one, and they are read only then.
        let (mut matched, status) = unsafe {
            ffi::MPI_Improbe(
                ffi::RSMPI_ANY_SOURCE,
                tag,
                self.world.as_raw(),
                &raw mut is_there,
                matched.as_mut_ptr(),
                status.as_mut_ptr(),
            );
            if is_there == 0 {
                return None;
            }
            (matched.assume_init(), status.assume_init())
        };
        // SAFETY: the status is that of a message of such words.
        unsafe { ffi::MPI_Get_count(&raw const status, ffi::RSMPI_UINT64_T, &raw mut len) };
        let mut message = team.buffer();
        let words = usize::try_from(len).expect("a message has some words or none");
        message.reserve(words);
        let mut request = std::mem::MaybeUninit::uninit();
        // SAFETY: there is room for as many words as the message has, which stays where it is until `is_done` says that MPI is done
        // with it.
        let request = unsafe {
            ffi::MPI_Imrecv(
                message.as_mut_ptr().cast(),
                len,
                ffi::RSMPI_UINT64_T,
                &raw mut matched,
                request.as_mut_ptr(),
            );
            request.assume_init()
        };
        Some((status.MPI_SOURCE as usize, UnderWay { message, len: words, request }))
    }
}

fn count(message: &[u64]) -> c_int {
    assert!(message.len() < 1 << 28, "messages have fewer than 2²⁸ words");
    message.len() as c_int
}

fn tag(lane: Lane) -> c_int {
    LANES.iter().find(|(known, _)| *known == lane).expect("every lane has a tag").1
}
