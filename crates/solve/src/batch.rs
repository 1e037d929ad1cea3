//! Many jobs on all cores, with memory for only a few at a time.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use tilebase_progress::threads::on_threads;

/// How many results may wait for an earlier one, for each thread.
const AHEAD: usize = 64;

/// Takes jobs from an iterator as threads become free, works on them, and hands over the results.
///
/// With `ordered` the results come in the order of the jobs; otherwise as soon as they are there. Results that come too early
/// are kept, but only a certain number; a thread with another one waits. So the memory needed does not grow with the number of jobs.
/// `done` returns whether to go on; when it does not, no further job is taken. Where threads cannot start, the others do all jobs.
///
/// # Panics
/// When `work` or `done` panics.
pub fn run<J: Send, R: Send>(
    threads: usize,
    ordered: bool,
    jobs: impl Iterator<Item = J> + Send,
    work: impl Fn(J) -> R + Sync,
    done: impl FnMut(R) -> bool + Send,
) {
    let threads = threads.max(1);
    let jobs = Mutex::new(jobs.enumerate());
    let output = Mutex::new(Output { next: 0, early: BTreeMap::new(), stopped: false, done });
    let turn = Condvar::new();
    let worker = || {
        let _others_stop = StopOnPanic { output: &output, turn: &turn };
        loop {
            if locked(&output).stopped {
                return;
            }
            let job = locked(&jobs).next();
            let Some((number, job)) = job else { return };
            let result = work(job);
            let mut output = locked(&output);
            while ordered && output.next != number && output.early.len() >= AHEAD * threads && !output.stopped {
                output = turn.wait(output).unwrap_or_else(PoisonError::into_inner);
            }
            if output.stopped {
                return;
            }
            if ordered && output.next != number {
                output.early.insert(number, result);
                continue;
            }
            let mut next = Some(result);
            while let Some(result) = next.take() {
                output.stopped = !(output.done)(result);
                output.next += 1;
                if !output.stopped {
                    let number = output.next;
                    next = output.early.remove(&number);
                }
            }
            turn.notify_all();
        }
    };
    on_threads(threads, &worker);
}

/// What a panicking thread leaves behind is never worse than a job that was taken and not done.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes the other threads stop when this one panics, instead of waiting for its turn to pass.
struct StopOnPanic<'a, R, D> {
    output: &'a Mutex<Output<R, D>>,
    turn: &'a Condvar,
}

impl<R, D> Drop for StopOnPanic<'_, R, D> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            locked(self.output).stopped = true;
            self.turn.notify_all();
        }
    }
}

struct Output<R, D> {
    /// The number of the next result to be handed over.
    next: usize,
    /// Results that wait for earlier ones.
    early: BTreeMap<usize, R>,
    stopped: bool,
    done: D,
}

#[cfg(test)]
mod tests {
    use tilebase_progress::threads::without_each_thread;

    use super::*;

    #[test]
    fn every_job_is_done_once_and_in_order_when_asked() {
        for threads in [1, 2, 7] {
            for ordered in [false, true] {
                let mut results = Vec::new();
                let work = |job: u64| {
                    std::thread::sleep(std::time::Duration::from_micros(job * 7919 % 300));
                    job
                };
                run(threads, ordered, 0..200, work, |result| {
                    results.push(result);
                    true
                });
                if !ordered {
                    results.sort_unstable();
                }
                assert!(results.into_iter().eq(0..200), "{threads} threads, ordered {ordered}");
            }
        }
    }

    #[test]
    fn every_job_is_done_in_order_by_the_threads_that_start() {
        let all = || {
            let mut results = Vec::new();
            run(
                4,
                true,
                0..200,
                |job| job,
                |result| {
                    results.push(result);
                    true
                },
            );
            results
        };
        let asked = without_each_thread(all, |results, case| assert!(results.into_iter().eq(0..200), "{case}"));
        assert_eq!(asked, 3);
    }

    #[test]
    fn a_panic_ends_the_batch_and_does_not_hang_it() {
        for threads in [1, 4] {
            let work = |job: u32| assert_ne!(job, 5, "job 5 fails");
            let ended = std::panic::catch_unwind(|| run(threads, true, 0..100, work, |()| true));
            assert!(ended.is_err(), "{threads} threads");
        }
    }

    #[test]
    fn it_stops_when_told_and_takes_few_jobs_more() {
        for threads in [1, 3] {
            let mut results = 0;
            let mut taken = 0;
            let jobs = std::iter::from_fn(|| {
                taken += 1;
                Some(taken)
            });
            let mut count = |_| {
                results += 1;
                results < 10
            };
            run(threads, true, jobs, |job| job, &mut count);
            assert_eq!(results, 10);
            assert!(taken <= 10 + (AHEAD + 1) * threads);
        }
    }
}
