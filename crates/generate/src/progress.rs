//! How a build tells how far it is.

/// Is told about a build while it runs, and may stop it.
pub trait Progress: Sync {
    /// All states that cost up to `level` moves are found: `found` of `total`.
    fn level(&self, level: u32, found: u64, total: u64);

    /// Asked often; the build stops soon after the answer is `true`.
    fn is_cancelled(&self) -> bool {
        false
    }
}

/// A progress that nobody watches.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Progress for Silent {
    fn level(&self, _level: u32, _found: u64, _total: u64) {}
}

/// How much of the work is done when `found` of `total` states are found, from 0 to 1.
///
/// The first and the last levels have few states and take long all the same: what takes time are rows, and these have
/// something to do from the early levels to the last. Over the levels of a build, √f / (√f + √(1−f)) for the fraction f
/// of states follows the time within a few percent (7-8: at f = 0.001, 0.07, 0.49, 0.9 and 0.99, this is 0.03, 0.22, 0.49,
/// 0.75 and 0.91, and the time was 0.03, 0.23, 0.48, 0.73 and 0.88).
pub fn work_done(found: u64, total: u64) -> f64 {
    let fraction = found as f64 / total as f64;
    fraction.sqrt() / (fraction.sqrt() + (1.0 - fraction).max(0.0).sqrt())
}
