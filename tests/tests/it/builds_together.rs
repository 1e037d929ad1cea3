//! Processes that build together give the tables of one process to the byte. Here they are threads; `scripts/check-cluster` runs real ones.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tilebase_generate::{Build, BuildError, Built, Memory, Peers, Scratch};
use tilebase_index::Kind;
use tilebase_progress::{Event, Watch, unwatched};
use tilebase_puzzle::{Pattern, Random, Square};
use tilebase_tests::fixtures::size;
use tilebase_tests::threads::Thread;

fn build(width: usize, height: usize, home: u8, tiles: &[u64], kinds: &[Kind]) -> Build {
    Build::new(&Pattern::new(size(width, height), Square(home), tiles).unwrap(), kinds).unwrap()
}

type Tables = Vec<Vec<u8>>;

fn alone(build: &Build) -> Tables {
    build.run(2, &Memory, &unwatched).unwrap().into_iter().map(Built::into_bytes).collect()
}

/// What each process returns, and how many bytes of rows and words all of them sent.
fn together(
    build: &Build,
    processes: usize,
    scratch: Option<&Path>,
    watch: impl Fn(usize, &Event<'_>) -> ControlFlow<()> + Sync,
) -> (Vec<Result<Tables, BuildError>>, u64) {
    together_by(&Thread::new(processes), build, scratch, watch)
}

fn together_by(
    threads: &[Thread],
    build: &Build,
    scratch: Option<&Path>,
    watch: impl Fn(usize, &Event<'_>) -> ControlFlow<()> + Sync,
) -> (Vec<Result<Tables, BuildError>>, u64) {
    let processes = threads.len();
    let run = |peers: &Thread| {
        let scratch = scratch.map(|directory| {
            Scratch::new(directory.to_owned(), Duration::ZERO).unwrap().of_process(peers.rank(), processes)
        });
        let watch: Watch<'_> = &|event| watch(peers.rank(), event);
        // Odd numbers of threads, and not the same in all processes.
        let leaves = LeaveOnPanic(peers);
        let ended = build.run_together(peers, 1 + peers.rank() % 3, &Memory, scratch.as_ref(), watch);
        drop(leaves);
        if ended.is_err() {
            peers.leave();
        }
        ended.map(|tables| tables.into_iter().map(Built::into_bytes).collect())
    };
    let ended = std::thread::scope(|scope| {
        let running: Vec<_> = threads.iter().map(|peers| scope.spawn(|| run(peers))).collect();
        running.into_iter().map(|running| running.join().unwrap()).collect()
    });
    (ended, threads.iter().map(|thread| thread.sent.load(Ordering::Relaxed) * 8).sum())
}

/// Lets nobody wait for a thread that failed.
struct LeaveOnPanic<'a>(&'a Thread);

impl Drop for LeaveOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.leave();
        }
    }
}

fn goes_on(_: usize, _: &Event<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn check(build: &Build, processes: usize) {
    let (ended, _) = together(build, processes, None, goes_on);
    for (rank, tables) in ended.into_iter().enumerate() {
        let expected = if rank == 0 { alone(build) } else { Vec::new() };
        assert!(tables.unwrap() == expected, "{} by {processes} processes, rank {rank}", build.pattern());
    }
}

#[test]
fn any_number_of_processes_gives_the_same_bytes() {
    let builds = [
        build(4, 4, 0, &[1, 2, 4, 5, 8], &[Kind::Bit, Kind::Nibble]),
        build(4, 4, 0, &[9, 12, 13, 14, 15], &[Kind::Bit]),
        build(4, 4, 0, &[3, 6, 7, 10, 11, 15], &[Kind::Bit]),
        build(3, 3, 4, &[0, 1, 2, 5], &[Kind::Nibble]),
        build(3, 3, 0, &[1, 2, 3, 4, 5, 6, 7, 8], &[Kind::Bit]),
        build(5, 5, 0, &[3, 4, 9], &[Kind::AllMoves]),
        build(2, 4, 0, &[1, 2, 3], &[Kind::Bit]),
        build(5, 2, 7, &[1, 2, 3, 4], &[Kind::Bit]),
        build(2, 2, 0, &[1], &[Kind::Bit]),
        build(4, 4, 0, &[1, 2, 4, 5, 8], &[Kind::Lines]),
        build(3, 3, 4, &[0, 1, 2, 5], &[Kind::Lines]),
        build(3, 3, 0, &[1, 2, 3, 4, 5, 6, 7, 8], &[Kind::Lines]),
        build(5, 2, 7, &[1, 2, 3], &[Kind::Lines]),
        build(5, 5, 0, &[3, 4, 9], &[Kind::Lines]),
        build(2, 2, 0, &[1], &[Kind::Lines]),
    ];
    for build in builds {
        (1..=5).for_each(|processes| check(&build, processes));
    }
}

#[test]
fn more_processes_than_maps_give_the_same_bytes() {
    check(&build(2, 2, 0, &[1, 2], &[Kind::Bit]), 9);
    check(&build(3, 2, 0, &[1], &[Kind::Bit]), 12);
    check(&build(2, 2, 0, &[1, 2, 3], &[Kind::Lines]), 9);
    check(&build(3, 2, 0, &[1], &[Kind::Lines]), 40);
}

/// Then rows collect again and again within a level, of single rows that have come.
#[test]
fn messages_of_any_size_give_the_same_bytes() {
    for build in [
        build(4, 4, 0, &[1, 2, 4, 5, 8], &[Kind::Bit, Kind::Nibble]),
        build(3, 3, 4, &[0, 1, 2, 5], &[Kind::Nibble]),
        build(5, 5, 0, &[3, 4, 9], &[Kind::AllMoves]),
        build(4, 3, 0, &[1, 2, 4, 5, 8], &[Kind::Lines]),
    ] {
        let expected = alone(&build);
        for most_words in [1, 10, 300] {
            let mut threads = Thread::new(3);
            threads.iter_mut().for_each(|thread| thread.most_words = most_words);
            let (mut ended, _) = together_by(&threads, &build, None, goes_on);
            assert!(ended.swap_remove(0).unwrap() == expected, "{}, {most_words} words", build.pattern());
        }
    }
}

#[test]
fn rows_cross_in_many_messages_and_mostly_stay_where_they_are() {
    let build = build(4, 4, 0, &[1, 2, 4, 5, 8, 9, 12], &[Kind::Bit]);
    let touched = AtomicU64::new(0);
    let watch = |rank: usize, event: &Event<'_>| {
        if let (0, Event::Level(level)) = (rank, event) {
            touched.store(level.touched, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    };
    let (ended, sent) = together(&build, 2, None, watch);
    assert!(ended.into_iter().next().unwrap().unwrap() == alone(&build));
    let touched = touched.into_inner();
    assert!(sent > 10_000_000 && sent < touched / 8, "{sent} bytes of {touched} touched");
}

#[test]
fn a_build_that_was_stopped_goes_on_from_the_last_level_that_all_have_kept() {
    let mut random = Random::new(4);
    let mut ends = 0;
    for build in [
        build(4, 4, 0, &[1, 4, 5, 8], &[Kind::Bit]),
        build(4, 4, 0, &[1, 2, 4, 5], &[Kind::Bit, Kind::Nibble]),
        build(3, 3, 0, &[1, 2, 3, 4, 5, 6, 7, 8], &[Kind::Bit]),
        build(4, 4, 0, &[1, 2, 4, 5, 8], &[Kind::Lines]),
    ] {
        let expected = alone(&build);
        for processes in [2, 3] {
            let directory = tempfile::tempdir().unwrap();
            for turn in 0.. {
                // One of them stops in the middle of something, later and later; the others notice when it is gone.
                let (who, most) = (random.below(processes as u64) as usize, 1 + random.below(20 + turn));
                let events = AtomicU64::new(0);
                let watch = |rank: usize, _: &Event<'_>| {
                    let stops = rank == who && events.fetch_add(1, Ordering::Relaxed) == most;
                    if stops { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                let (mut ended, _) = together(&build, processes, Some(directory.path()), watch);
                match ended.swap_remove(0) {
                    Ok(tables) => {
                        assert!(tables == expected, "{} by {processes}", build.pattern());
                        break;
                    }
                    Err(BuildError::Stopped | BuildError::Peers(_)) => ends += 1,
                    Err(error) => panic!("{error}"),
                }
                let files = std::fs::read_dir(directory.path()).unwrap().count();
                assert!(files <= 2 * processes, "{files} files for {processes} processes");
            }
        }
    }
    assert!(ends > 20, "it was stopped only {ends} times");
}

#[test]
fn what_is_kept_by_another_number_of_processes_is_left_alone_and_what_is_damaged_is_refused_by_all() {
    for kind in [Kind::Bit, Kind::Lines] {
        is_left_alone_or_refused(&build(4, 4, 0, &[1, 4, 5, 8], &[kind]));
    }
}

fn is_left_alone_or_refused(build: &Build) {
    let directory = tempfile::tempdir().unwrap();
    let stop = |_: usize, event: &Event<'_>| match event {
        Event::Level(level) if level.number == 6 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    together(build, 2, Some(directory.path()), stop);
    let first_level = |processes| {
        let first = AtomicU64::new(u64::MAX);
        let watch = |_: usize, event: &Event<'_>| {
            if let Event::Level(level) = event {
                first.fetch_min(level.number.into(), Ordering::Relaxed);
            }
            ControlFlow::Continue(())
        };
        let (ended, _) = together(build, processes, Some(directory.path()), watch);
        assert!(ended.into_iter().next().unwrap().unwrap() == alone(build));
        first.into_inner()
    };
    assert_eq!(first_level(3), 0, "three processes begin anew");
    assert_eq!(first_level(2), 6, "two go on");

    together(build, 2, Some(directory.path()), stop);
    let files = std::fs::read_dir(directory.path()).unwrap().map(|file| file.unwrap().path());
    let of_second = files.filter(|path| path.to_string_lossy().contains(".1-of-2.")).max().unwrap();
    let mut bytes = std::fs::read(&of_second).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    std::fs::write(&of_second, bytes).unwrap();
    let (ended, _) = together(build, 2, Some(directory.path()), goes_on);
    assert!(matches!(ended[0], Err(BuildError::Elsewhere)), "{:?}", ended[0].as_ref().err());
    assert!(matches!(ended[1], Err(BuildError::Kept(_))), "{:?}", ended[1].as_ref().err());
}

#[test]
fn a_table_that_is_not_what_was_written_is_not_verified() {
    let build = build(4, 4, 0, &[1, 2, 4, 5, 8], &[Kind::Bit]);
    let mut table = build.run(1, &Memory, &unwatched).unwrap().remove(0);
    let read = AtomicU64::new(0);
    let count = |event: &Event<'_>| {
        if let Event::Advance(more) = event {
            read.fetch_add(*more, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    };
    table.verify(&count).unwrap();
    assert_eq!(read.into_inner(), table.header.payload_len());
    for at in [4096, 4096 + 50_000, 4096 + table.payload().len() - 1] {
        table.sink.get_mut()[at] ^= 1;
        let error = table.verify(&unwatched).unwrap_err();
        assert!(error.to_string().contains("not what is read back"), "{error}");
        table.sink.get_mut()[at] ^= 1;
    }
}
