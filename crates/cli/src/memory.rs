//! How much memory there is, and how much was used. Linux tells; elsewhere we do not know.

use std::fs;

/// Bytes of memory that could be used now without swapping.
pub(crate) fn available() -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")
}

/// The most bytes of memory that the process has used since [`forget_peak`].
pub(crate) fn peak() -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// Starts to measure the peak anew. Where that is not possible the peak is that of the whole process.
pub(crate) fn forget_peak() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The value of a line such as `VmHWM:   1234 kB`, in bytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
