//! The processor's time instead of the clock's: while other programs wait for the same cores, a benchmark's clock goes on, and its
//! processor time does not.

use std::time::Duration;

use criterion::measurement::{Measurement, ValueFormatter, WallTime};

/// Measures processor time of all threads of this process, where the system tells; else the clock's.
pub(crate) struct CpuTime;

/// The processor time that this process has had.
#[cfg(unix)]
pub(crate) fn now() -> Duration {
    let clock = nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID;
    clock.now().expect("every process has a clock of its own").into()
}

/// The time since this was first asked for.
#[cfg(not(unix))]
pub(crate) fn now() -> Duration {
    use std::sync::LazyLock;
    use std::time::Instant;
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

impl Measurement for CpuTime {
    type Intermediate = Duration;
    type Value = Duration;

    fn start(&self) -> Duration {
        now()
    }

    fn end(&self, started: Duration) -> Duration {
        now() - started
    }

    fn add(&self, first: &Duration, second: &Duration) -> Duration {
        *first + *second
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        value.as_nanos() as f64
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}
