//! What the system says about memory and time. Linux tells; elsewhere we do not know.

use std::fs;

pub(crate) use tilebase::memory::available as available_memory;
use tilebase::memory::kilobytes;

/// The most bytes of memory that the process has used since [`forget_peak_memory`].
pub fn peak_memory() -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// Starts to measure the peak anew. Where that is not possible the peak is that of the whole process.
pub fn forget_peak_memory() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// Seconds that all threads of the process have run, in user mode and in the kernel, to a hundredth.
pub(crate) fn cpu_seconds() -> Option<f64> {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The fields behind the command's name, which is in parentheses and may itself have spaces.
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field).and_then(|ticks| ticks.parse::<f64>().ok());
    Some((ticks(11)? + ticks(12)?) / TICKS_PER_SECOND)
}

/// What the processor or the system counts, as JSON and as people call it.
pub(crate) const COUNTED: [(&str, &str); 3] =
    [("cache_misses", "cache misses"), ("tlb_misses", "TLB misses"), ("page_faults", "page faults")];

/// Counters of this thread that are running. Those that the machine does not offer, or does not let us use, are missing.
pub(crate) struct Counters {
    #[cfg(all(target_os = "linux", feature = "counters"))]
    running: [Option<perf_event::Counter>; 3],
}

#[cfg(all(target_os = "linux", feature = "counters"))]
impl Counters {
    pub(crate) fn start() -> Counters {
        use perf_event::Builder;
        use perf_event::events::{Cache, CacheId, CacheOp, CacheResult, Hardware, Software};
        let of_tlb = Cache { which: CacheId::DTLB, operation: CacheOp::READ, result: CacheResult::MISS };
        let cache_misses = Builder::new(Hardware::CACHE_MISSES);
        let builders = [cache_misses, Builder::new(of_tlb), Builder::new(Software::PAGE_FAULTS)];
        let running = builders.map(|builder| {
            let mut running = builder.build().ok()?;
            running.enable().ok()?;
            Some(running)
        });
        Counters { running }
    }

    pub(crate) fn stop(&mut self) -> [Option<u64>; 3] {
        self.running.each_mut().map(|running| {
            let running = running.as_mut()?;
            running.disable().ok()?;
            running.read().ok()
        })
    }
}

#[cfg(not(all(target_os = "linux", feature = "counters")))]
impl Counters {
    pub(crate) fn start() -> Counters {
        Counters {}
    }

    #[expect(clippy::unused_self, reason = "as where there are counters")]
    pub(crate) fn stop(&mut self) -> [Option<u64>; 3] {
        [None; 3]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linux_tells_what_the_process_used() {
        if cfg!(target_os = "linux") {
            assert!(peak_memory().is_some_and(|bytes| bytes > 100_000));
            assert!(cpu_seconds().is_some());
        }
    }
}
