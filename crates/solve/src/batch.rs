//! Many jobs on all cores, with memory for only a few at a time.

use std::sync::{Condvar, Mutex, PoisonError};

/// Takes jobs from an iterator as threads become free, works on them, and hands over the results.
///
/// With `ordered` the results come in the order of the jobs; otherwise as soon as they are there. Either way no more than
/// `threads` jobs are in hand at any time, so the memory needed does not grow with the number of jobs, and every result
/// is handed over before the next job is taken by that thread. `done` returns whether to go on; when it does not, no
/// further job is taken.
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
    let jobs = Mutex::new(jobs.enumerate());
    let output = Mutex::new(Output { next: 0, stopped: false, done });
    let turn = Condvar::new();
    let worker = || {
        loop {
            if output.lock().expect("no thread panics while it holds the lock").stopped {
                return;
            }
            let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((number, job)) = job else { return };
            let result = work(job);
            let mut output = output.lock().expect("no thread panics while it holds the lock");
            while ordered && output.next != number && !output.stopped {
                output = turn.wait(output).expect("no thread panics while it holds the lock");
            }
            if output.stopped {
                return;
            }
            output.stopped = !(output.done)(result);
            output.next += 1;
            turn.notify_all();
        }
    };
    std::thread::scope(|scope| {
        (1..threads.max(1)).for_each(|_| {
            scope.spawn(worker);
        });
        worker();
    });
}

struct Output<D> {
    next: usize,
    stopped: bool,
    done: D,
}

#[cfg(test)]
mod tests {
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
    fn it_stops_when_told_and_takes_few_jobs_more() {
        for threads in [1, 3] {
            let mut results = 0;
            let mut taken = 0;
            let jobs = std::iter::from_fn(|| {
                taken += 1;
                Some(taken)
            });
            run(
                threads,
                true,
                jobs,
                |job| job,
                |_| {
                    results += 1;
                    results < 10
                },
            );
            assert_eq!(results, 10);
            assert!(taken <= 10 + threads);
        }
    }
}
