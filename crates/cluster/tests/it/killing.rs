//! Processes that die in the middle of a build: the job ends, nothing that is left is wrong, and the next job goes on.

use std::path::Path;
use std::time::{Duration, Instant};

use tilebase::Random;
use tilebase::index::Kind;

use crate::jobs::{Home, Ran, signal};
use crate::tables::{Files, check, names, of_pattern};

/// Long enough to be killed in the middle, and small enough to be kept after each level.
const WHAT: [&str; 4] = ["--tiles", "1,4,5,8,9,12,13", "--size", "4x4"];

/// A job ends this soon after one of its processes was killed.
const SOON: Duration = Duration::from_secs(10);

const PROCESSES: usize = 2;

fn arguments(scratch: &str) -> Vec<&str> {
    let kept = ["generate", "--threads", "1", "--out", "tables", "--scratch", scratch, "--keep-every", "0s"];
    [&kept[..], &WHAT].concat()
}

/// Starts the build, and kills one of its processes a time after all of them have begun. Returns what the job gave, if it had not ended
/// before that.
fn kill(home: &Home, which: usize, after: Duration) -> Option<Ran> {
    let mut job = home.start(PROCESSES, &arguments("scratch"));
    let processes = job.wait_for_processes(PROCESSES);
    std::thread::sleep(after);
    let is_killed = processes.len() == PROCESSES && signal("-KILL", processes[which]);
    let ran = job.wait_at_most(SOON);
    (is_killed && ran.code() != 0).then_some(ran)
}

/// Whatever is in the directory under a table's name must be right.
fn check_tables(directory: &Path, expected: &Files) {
    for name in names(directory).iter().filter(|name| !name.starts_with('.')) {
        assert!(std::fs::read(directory.join(name)).unwrap() == expected[name], "{name} is wrong");
    }
}

/// The levels that are kept in a scratch directory; what is still being written has another name.
fn levels(scratch: &Path) -> Vec<String> {
    names(scratch).into_iter().filter(|name| !name.starts_with('.') && name.contains(".level-")).collect()
}

#[test]
fn a_build_that_lost_a_process_again_and_again_goes_on_and_gives_the_same_file() {
    let expected = Files::from([of_pattern("4x4", WHAT[1], Kind::Bit)]);
    let home = Home::new();
    let (tables, scratch) = (home.join("tables"), home.directory("scratch"));
    // How long it takes when nobody disturbs it.
    let started = Instant::now();
    home.done(PROCESSES, &arguments("scratch"));
    let takes = started.elapsed();
    check(&tables, &expected, "undisturbed");
    assert_eq!(names(&scratch), Vec::<String>::new());
    std::fs::remove_dir_all(&tables).unwrap();

    let mut random = Random::new(22);
    let (mut kills, mut kept, mut turns) = (0, 0, 0);
    // A kill may come before anything is kept; some must come later.
    while kills < 3 || kept == 0 {
        turns += 1;
        assert!(turns < 50, "of {turns} jobs {kills} were killed before their end, {kept} when something was kept");
        let after = Duration::from_micros(random.below(takes.as_micros() as u64));
        if let Some(ran) = kill(&home, random.below(PROCESSES as u64) as usize, after) {
            kills += 1;
            assert!(ran.stderr.to_lowercase().contains("killed"), "it says why it ended: {ran}");
            check_tables(&tables, &expected);
            kept += usize::from(!levels(&scratch).is_empty());
        } else {
            // It came to its end, and begins anew.
            check(&tables, &expected, "a build that came to its end");
            assert_eq!(names(&scratch), Vec::<String>::new());
            std::fs::remove_dir_all(&tables).unwrap();
        }
    }
    home.done(PROCESSES, &arguments("scratch"));
    check(&tables, &expected, "after all kills");
    assert_eq!(names(&scratch), Vec::<String>::new(), "nothing is left when the table is there");
}

#[test]
fn what_is_kept_is_used_and_refused_when_it_is_damaged() {
    let home = Home::new();
    let scratch = home.directory("scratch");
    let files_of_second =
        || -> Vec<String> { levels(&scratch).into_iter().filter(|name| name.contains(".1-of-2.")).collect() };
    // Killed when the second process has kept something after level 0, which both of them have kept then.
    let mut job = home.start(PROCESSES, &arguments("scratch"));
    let is_kept = || files_of_second().iter().any(|name| !name.contains(".level-0."));
    while !is_kept() && !job.has_ended() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let process = job.processes().pop().expect("it is still at work");
    assert!(signal("-KILL", process));
    let ran = job.wait_at_most(SOON);
    assert_ne!(ran.code(), 0, "{ran}");

    let sound: Vec<(String, Vec<u8>)> =
        files_of_second().into_iter().map(|name| (name.clone(), std::fs::read(scratch.join(name)).unwrap())).collect();
    for (name, bytes) in &sound {
        let mut damaged = bytes.clone();
        damaged[bytes.len() / 2] ^= 4;
        std::fs::write(scratch.join(name), damaged).unwrap();
    }
    let ran = home.run(PROCESSES, &arguments("scratch"));
    ran.refused(&["process 1 of 2 on "]);
    assert!(ran.stderr.contains("the saved build is damaged: remove the file"), "{ran}");
    assert_eq!(names(&home.join("tables")), Vec::<String>::new());

    sound.iter().for_each(|(name, bytes)| std::fs::write(scratch.join(name), bytes).unwrap());
    home.done(PROCESSES, &arguments("scratch"));
    check(&home.join("tables"), &Files::from([of_pattern("4x4", WHAT[1], Kind::Bit)]), "from what was kept");
}

#[test]
fn ctrl_c_ends_the_job_and_leaves_no_half_file() {
    let home = Home::new();
    let mut job = home.start(PROCESSES, &["generate", "7-8", "--threads", "1", "--out", "tables"]);
    let first = home.join("tables/4x4-0-1.4.5.8.9.12.13.bit.tbl");
    while !first.exists() && !job.has_ended() {
        std::thread::sleep(Duration::from_millis(5));
    }
    job.interrupt();
    let ran = job.wait_at_most(SOON);
    assert_ne!(ran.code(), 0, "{ran}");
    assert!(ran.stderr.contains("interrupted at pattern 2,3,6,7,10,11,14,15"), "{ran}");
    check(&home.join("tables"), &Files::from([of_pattern("4x4", "1,4,5,8,9,12,13", Kind::Bit)]), "the first is whole");
}
