//! Builds that are kept go on after any end, and give the same tables to the byte.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use tilebase_generate::{Build, BuildError, Memory, Refused, Scratch};
use tilebase_index::Kind;
use tilebase_progress::{Event, unwatched};
use tilebase_puzzle::{Pattern, Random, Square};
use tilebase_tests::fixtures::size;

fn scratch(directory: &Path) -> Scratch {
    Scratch::new(directory.to_owned(), Duration::ZERO).unwrap()
}

fn builds() -> Vec<Build> {
    let build = |width, height, home, tiles: &[u64], kinds: &[Kind]| {
        Build::new(&Pattern::new(size(width, height), Square(home), tiles).unwrap(), kinds).unwrap()
    };
    vec![
        build(4, 4, 0, &[1, 4, 5, 8], &[Kind::Bit]),
        build(4, 4, 0, &[1, 2, 4, 5, 8], &[Kind::Bit, Kind::Nibble]),
        build(3, 3, 4, &[0, 1, 2, 5], &[Kind::Nibble]),
        build(3, 2, 0, &[1, 2, 3, 4, 5], &[Kind::Bit]),
        build(5, 5, 0, &[3, 4, 9], &[Kind::AllMoves]),
        build(3, 3, 0, &[1, 2], &[Kind::Bit]),
        build(4, 4, 0, &[1, 4, 5, 8], &[Kind::Lines]),
        build(3, 3, 4, &[0, 1, 2], &[Kind::Lines]),
    ]
}

fn bytes(build: &Build, threads: usize, scratch: Option<&Scratch>) -> Result<Vec<Vec<u8>>, BuildError> {
    bytes_watched(build, threads, scratch, &unwatched)
}

fn bytes_watched(
    build: &Build,
    threads: usize,
    scratch: Option<&Scratch>,
    watch: tilebase_progress::Watch<'_>,
) -> Result<Vec<Vec<u8>>, BuildError> {
    let mut tables = Build::run_kept(&[*build], threads, &Memory, scratch, watch)?;
    Ok(tables.remove(0).into_iter().map(tilebase_generate::Built::into_bytes).collect())
}

#[test]
fn a_build_that_was_stopped_after_a_level_resumes_from_it_and_gives_the_same_bytes() {
    for build in builds() {
        let last = AtomicU32::new(0);
        let note_last = |event: &Event<'_>| {
            if let Event::Level(level) = event {
                last.fetch_max(level.number, Ordering::Relaxed);
            }
            ControlFlow::Continue(())
        };
        let expected = bytes_watched(&build, 1, None, &note_last).unwrap();
        // Each stop writes files, which takes its time.
        let apart = if build.kinds() == [Kind::Lines] { 1 } else { 4 };
        for stop_at in (0..=last.into_inner()).step_by(apart) {
            let threads = 1 + stop_at as usize % 3;
            let directory = tempfile::tempdir().unwrap();
            let stop = |event: &Event<'_>| match event {
                Event::Level(level) if level.number == stop_at => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            };
            let stopped = bytes_watched(&build, threads, Some(&scratch(directory.path())), &stop);
            assert!(matches!(stopped, Err(BuildError::Stopped)), "{} at level {stop_at}", build.pattern());
            let first = AtomicU32::new(u32::MAX);
            let note = |event: &Event<'_>| {
                if let Event::Level(level) = event {
                    first.fetch_min(level.number, Ordering::Relaxed);
                }
                ControlFlow::Continue(())
            };
            let scratch = scratch(directory.path());
            let found = bytes_watched(&build, 4 - threads, Some(&scratch), &note).unwrap();
            assert_eq!(found, expected, "{}", build.pattern());
            assert_eq!(first.into_inner(), stop_at, "nothing is done again");
            assert!(scratch.file(&build).exists(), "whoever has the tables says so");
            scratch.forget(&build);
            assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        }
    }
}

#[test]
fn a_build_that_is_stopped_again_and_again_in_the_middle_of_levels_comes_to_its_end() {
    let mut random = Random::new(9);
    for build in builds() {
        let expected = bytes(&build, 2, None).unwrap();
        let directory = tempfile::tempdir().unwrap();
        let found = loop {
            let left = AtomicU32::new(random.below(300) as u32 + 1);
            let stop = |_: &Event<'_>| {
                let was = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
                if was.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            match bytes_watched(&build, 2, Some(&scratch(directory.path())), &stop) {
                Ok(found) => break found,
                Err(BuildError::Stopped) => {}
                Err(error) => panic!("{error}"),
            }
        };
        assert_eq!(found, expected, "{}", build.pattern());
    }
}

/// Builds side by side once shared the time of the last file: whichever was first kept the others from being kept.
#[test]
fn builds_side_by_side_are_kept_each_in_its_own_time() {
    let both = &builds()[..2];
    let directory = tempfile::tempdir().unwrap();
    // Both have some twenty levels, and take turns to tell of them: long enough for one time, too short for two.
    let scratch = Scratch::new(directory.path().to_owned(), Duration::from_secs(1)).unwrap();
    let lines = |build: &Build| {
        let kept = std::fs::read(scratch.file(build)).unwrap();
        String::from_utf8_lossy(&kept[..kept.len().min(2000)]).lines().nth(4).unwrap().split(' ').count()
    };
    let slowly = |event: &Event<'_>| {
        if let Event::Level(_) = event {
            std::thread::sleep(Duration::from_millis(40));
        }
        ControlFlow::Continue(())
    };
    Build::run_kept(both, 2, &Memory, Some(&scratch), &slowly).unwrap();
    for build in both {
        assert!(lines(build) > 3, "{} was kept after level {} only", build.pattern(), lines(build) - 1);
    }
}

#[test]
fn what_is_damaged_or_of_another_build_is_refused() {
    // A line table is refused for the bit table of the same pattern, and a bit table for it.
    let builds = builds();
    is_refused(&builds[0], &builds[6]);
    is_refused(&builds[6], &builds[0]);
}

fn is_refused(build: &Build, other: &Build) {
    let directory = tempfile::tempdir().unwrap();
    let scratch = scratch(directory.path());
    let stop = |event: &Event<'_>| match event {
        Event::Level(level) if level.number == 5 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    };
    assert!(bytes_watched(build, 1, Some(&scratch), &stop).is_err());
    let file = scratch.file(build);
    let whole = std::fs::read(&file).unwrap();
    let refused = |bytes: &[u8]| {
        std::fs::write(&file, bytes).unwrap();
        match bytes_watched(build, 1, Some(&scratch), &unwatched) {
            Err(BuildError::Kept(error)) => error.why,
            other => panic!("{:?}", other.map(|_| ())),
        }
    };
    let mut random = Random::new(1);
    for _ in 0..100 {
        let mut damaged = whole.clone();
        let at = random.below(whole.len() as u64) as usize;
        damaged[at] ^= 1 << random.below(8);
        assert!(matches!(refused(&damaged), Refused::Damaged | Refused::Other { .. }), "byte {at}");
        let cut = random.below(whole.len() as u64) as usize;
        assert!(matches!(refused(&whole[..cut]), Refused::Damaged | Refused::Other { .. }), "cut to {cut}");
    }
    assert!(matches!(refused(&[&whole[..], b"x"].concat()), Refused::Damaged));
    assert!(matches!(refused(b""), Refused::Damaged));
    assert!(bytes(other, 1, Some(&scratch)).is_ok());
    let other = std::fs::read(scratch.file(other)).unwrap();
    assert!(matches!(refused(&other), Refused::Other { .. }));
    std::fs::write(&file, &whole).unwrap();
    assert_eq!(bytes(build, 1, Some(&scratch)).unwrap(), bytes(build, 1, None).unwrap());
}

#[test]
fn a_directory_that_is_missing_or_none_is_refused_before_work_begins() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    std::fs::write(&file, "").unwrap();
    for path in [directory.path().join("missing"), file] {
        let refused = Scratch::new(path.clone(), Duration::ZERO).unwrap_err();
        assert!(matches!(refused.why, Refused::Write(_)));
        assert!(refused.to_string().contains(&*path.display().to_string()), "{refused}");
    }
}
