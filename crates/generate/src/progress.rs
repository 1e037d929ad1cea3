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
