//! How much memory there is. Linux tells; elsewhere we do not know.

use std::fs;
use std::path::{Path, PathBuf};

/// Bytes of memory that could be used now without swapping: what the machine has, what the process may address, and what
/// its control groups may use, whichever is least. Files that the system only keeps because nobody needs the memory count as
/// memory that can be used.
pub fn available() -> Option<u64> {
    available_to_each_of(1)
}

/// The same for each of some processes on this machine, which share what it has and what their control groups may use.
pub fn available_to_each_of(processes: u64) -> Option<u64> {
    let of_machine = kilobytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:");
    let shared = [of_machine, of_control_groups()].into_iter().flatten().min();
    [shared.map(|bytes| bytes / processes), addressable()].into_iter().flatten().min()
}

/// What a limit on the address space (`ulimit -v`) leaves.
fn addressable() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let limit = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = limit.split_whitespace().next()?.parse().ok()?;
    Some(limit.saturating_sub(kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmSize:")?))
}

/// What the limits on the memory of a container, or of a group of processes, leave.
fn of_control_groups() -> Option<u64> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    directories(&groups).iter().filter_map(|directory| of_control_group(directory)).min()
}

/// The directories of the groups that limit the memory of a process, given what `/proc/self/cgroup` says: its own group and
/// those around it, of the first version of control groups or of the second.
fn directories(groups: &str) -> Vec<PathBuf> {
    let of_memory = groups.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, group) = (fields.next()?, fields.next()?);
        let root = match controllers {
            "" => "/sys/fs/cgroup",
            _ if controllers.split(',').any(|controller| controller == "memory") => "/sys/fs/cgroup/memory",
            _ => return None,
        };
        Some((root, group.trim_start_matches('/')))
    });
    // In a container the group's own path may not be there, but its limit is at the root.
    let with_parents = of_memory.flat_map(|(root, group)| {
        Path::new(group).ancestors().map(|group| Path::new(root).join(group)).collect::<Vec<_>>()
    });
    with_parents.collect()
}

/// What the limit of one group leaves. Files that are kept in memory count for the group that read them first, but they make
/// room when it is needed.
fn of_control_group(directory: &Path) -> Option<u64> {
    let text = |file: &str| fs::read_to_string(directory.join(file)).ok();
    let number = |file: &str| text(file)?.trim().parse::<u64>().ok();
    let limit = number("memory.max").or_else(|| number("memory.limit_in_bytes"))?;
    let used = number("memory.current").or_else(|| number("memory.usage_in_bytes"))?;
    let kept_files = text("memory.stat").map_or(0, |stat| of_files(&stat));
    Some(limit.saturating_sub(used.saturating_sub(kept_files)))
}

/// Bytes of files that a group keeps in memory, given what its `memory.stat` says. In the first version of control groups only
/// the lines that begin with `total_` count the groups within.
fn of_files(stat: &str) -> u64 {
    let values = |prefix: &str| {
        let value = |name: &str| {
            let mut lines = stat.lines().filter_map(|line| line.split_once(' '));
            lines
                .find(|(key, _)| *key == format!("{prefix}{name}"))
                .and_then(|(_, value)| value.trim().parse::<u64>().ok())
        };
        Some(value("inactive_file")?.saturating_add(value("active_file")?))
    };
    values("total_").or_else(|| values("")).unwrap_or(0)
}

/// The value of a line such as `VmHWM:   1234 kB`, in bytes.
pub fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linux_tells_how_much_there_is() {
        assert_eq!(kilobytes("A:  1 kB\nVmHWM:\t  12 kB\n", "VmHWM:"), Some(12 * 1024));
        assert_eq!(kilobytes("A:  1 kB\n", "VmHWM:"), None);
        if cfg!(target_os = "linux") {
            assert!(available().is_some_and(|bytes| bytes > 0));
        }
    }

    #[test]
    #[cfg(unix)]
    fn control_groups_of_both_versions_are_found_with_those_around_them() {
        let of = |text| directories(text).iter().map(|path| path.display().to_string()).collect::<Vec<_>>();
        assert_eq!(of("0::/\n"), ["/sys/fs/cgroup/"]);
        assert_eq!(of("0::/a/b\n"), ["/sys/fs/cgroup/a/b", "/sys/fs/cgroup/a", "/sys/fs/cgroup/"]);
        assert_eq!(of("5:cpu:/\n4:hugetlb,memory:/a\n"), ["/sys/fs/cgroup/memory/a", "/sys/fs/cgroup/memory/"]);
        assert!(of("5:cpu:/\nnonsense\n").is_empty());
    }

    #[test]
    fn a_group_has_left_what_it_does_not_use_and_what_files_take() {
        let directory = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| fs::write(directory.path().join(file), text).unwrap();
        assert_eq!(of_control_group(directory.path()), None);
        write("memory.max", "max\n");
        assert_eq!(of_control_group(directory.path()), None, "without a limit");
        write("memory.max", "1000\n");
        write("memory.current", "700\n");
        assert_eq!(of_control_group(directory.path()), Some(300));
        write("memory.stat", "anon 100\ninactive_file 200\nactive_file 50\n");
        assert_eq!(of_control_group(directory.path()), Some(550));
        write("memory.stat", "inactive_file 1\nactive_file 1\ntotal_inactive_file 400\ntotal_active_file 50\n");
        assert_eq!(of_control_group(directory.path()), Some(750));
        write("memory.current", "5000\n");
        assert_eq!(of_control_group(directory.path()), Some(0));
    }
}
