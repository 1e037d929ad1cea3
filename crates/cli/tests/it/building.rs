//! Building tables: what is shared, what is proved, and what is left behind when something goes wrong.

#[cfg(unix)]
use std::path::Path;
#[cfg(unix)]
use std::process::{Child, Command};
use std::time::Duration;

use serde_json::Value;
use tilebase::format::Header;

use crate::common::{Home, files};
#[cfg(unix)]
use crate::common::{Ran, interrupt};

#[test]
fn a_pattern_and_its_mirror_image_share_one_table() {
    let home = Home::new();
    // A and B are each other's reflection on the diagonal; C is its own.
    let drawing = ".AA/BCA/BBC";
    assert_eq!(home.done(&["generate", "--out", "tables", drawing]).stdout.lines().count(), 2);
    assert_eq!(files(&home.join("tables")), ["3x3-0-1.2.5.bit.tbl", "3x3-0-4.8.bit.tbl"]);
    // The table serves both, and gives shortest solutions.
    let boards = home.run(&["scramble", "--size", "3x3", "--seed", "5", "--count", "30"]).stdout;
    let lengths = |arguments: &[&str]| -> Vec<Value> {
        let ran = home.run_with(&[&["solve", "--json", "--ordered"], arguments].concat(), boards.as_bytes());
        ran.json_lines().iter().map(|line| line["length"].clone()).collect()
    };
    assert_eq!(lengths(&["--table-dir", "tables", "--tables", drawing]), lengths(&["--tables", "none"]));
    // What is there as a mirror image need not be built again.
    let mirrored = ["generate", "--out", "tables", "--tiles", "3,6,7", "--size", "3x3"];
    home.says(&mirrored, 0, "already there");
}

#[test]
fn all_moves_are_counted_when_asked() {
    let home = Home::new();
    let of_three = ["--audit", "--count", "all", "--tiles", "1,2,5", "--size", "3x3", "--out", "tables"];
    let built = home.run(&[&["generate", "--json"], &of_three[..]].concat()).json();
    assert_eq!((built["encoding"].as_str(), built["count"].as_str()), (Some("bit"), Some("all")));
    assert_eq!(built["entries"], 9 * 8 * 7 * 6);
    assert_eq!(files(&home.join("tables")), ["3x3-0-1.2.5.all.tbl"]);
    let info = home.run(&["tables", "info", "--json", "tables/3x3-0-1.2.5.all.tbl"]).json();
    assert_eq!((info["count"].as_str(), info["blank_aware"].as_bool()), (Some("all"), Some(true)));
    // It cannot be added to others, so it is no table for them.
    let solved = home.run(&["solve", "--json", "--table-dir", "tables", "1 2 3 / 4 5 6 / 7 0 8"]);
    assert!(solved.stdout.contains("\"tables\":\".AA/AAA/AAA\""), "{}", solved.stdout);
}

#[test]
fn verify_and_audit_pass_whole_tables_and_find_a_single_wrong_bit() {
    let home = Home::new();
    let tables = home.join("tables");
    home.done(&["generate", "--encoding", "both", "--out", "tables", ".AB/AAB/ABB"]);
    for name in files(&tables) {
        let file = tables.join(&name);
        let name = file.to_str().unwrap();
        assert_eq!(home.done(&["tables", "audit", name]).stdout, format!("{name}: every entry is right\n"));
        assert_eq!(home.done(&["tables", "verify", name]).stdout, format!("{name}: whole\n"));
        let mut bytes = std::fs::read(&file).unwrap();
        bytes[4096 + 100] ^= 4;
        std::fs::write(&file, &bytes).unwrap();
        for check in ["verify", "audit"] {
            let expected = format!("{name}: damaged in block 0 (bytes 4096 to {})", bytes.len() - 33);
            home.says(&["tables", check, name], 1, &expected);
        }
        // The same wrong bit under hashes that fit: whole, and wrong.
        let header = Header::parse(&bytes).unwrap();
        let payload = &bytes[4096..][..header.payload_len() as usize];
        let header = Header::new(*header.pattern(), header.kind(), header.histogram().to_vec(), payload).unwrap();
        tilebase::format::write(&tables, &header, payload).unwrap();
        home.done(&["tables", "verify", name]);
        let ran = home.run(&["tables", "audit", "--json", name]);
        assert_eq!(ran.code, 1, "{name}: {}", ran.stderr);
        assert!(ran.stdout.contains("the table is wrong") && ran.stdout.contains("\"right\":false"), "{}", ran.stdout);
    }
    assert_eq!(home.run(&["tables", "audit", "missing.tbl"]).code, 2);
}

/// Starts a build that takes a while and returns when it has begun.
#[cfg(unix)]
fn start_long_build(home: &Home, tables: &Path) -> Child {
    let arguments = ["generate", "--threads", "1", "--out", tables.to_str().unwrap(), "6-6-6-6"];
    let child = home.start(&arguments);
    while !tables.is_dir() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(200));
    child
}

#[test]
#[cfg(unix)]
fn an_interrupted_build_leaves_a_message_code_130_and_no_half_file() {
    let home = Home::new();
    let tables = home.join("tables");
    let ran = interrupt(start_long_build(&home, &tables));
    assert!(ran.code == 130 && ran.stderr.contains("interrupted at pattern"), "{}: {}", ran.code, ran.stderr);
    let whole = |name: &String| Path::new(name).extension().is_some_and(|end| end == "tbl") && !name.starts_with('.');
    // Without a finished table even the directory that was made for them is gone.
    assert!(!tables.exists() || files(&tables).iter().all(whole));
}

#[test]
fn a_build_that_is_killed_resumes_from_its_scratch_directory_and_gives_the_same_file() {
    is_killed_and_resumes(&["--tiles", "1,2,4,5,8,9", "--size", "4x4"]);
    is_killed_and_resumes(&["--tiles", "1,2,4,5,8,9", "--size", "4x4", "--metric", "mtm"]);
}

fn is_killed_and_resumes(pattern: &[&str]) {
    let home = Home::new();
    let (tables, scratch) = (home.join("tables"), home.join("scratch"));
    home.done(&[&["generate", "--out", "plain"], pattern].concat());
    let name = files(&home.join("plain")).remove(0);
    let arguments = [&["generate", "--out", "tables", "--scratch", "scratch", "--keep-every", "0s"], pattern].concat();
    home.says(&arguments, 2, "scratch: builds cannot be saved there");
    assert!(!tables.exists(), "before anything is built");
    std::fs::create_dir(&scratch).unwrap();
    let mut kept = 0;
    for milliseconds in (0..).step_by(15) {
        let mut child = home.start(&arguments);
        std::thread::sleep(Duration::from_millis(milliseconds));
        // It may have come to its end.
        let _ = child.kill();
        child.wait().unwrap();
        if tables.join(&name).exists() {
            break;
        }
        kept += usize::from(files(&scratch).contains(&format!("{name}.build")));
    }
    assert!(kept > 0, "it was killed when something was kept");
    home.done(&arguments);
    assert_eq!(std::fs::read(tables.join(&name)).unwrap(), std::fs::read(home.join("plain").join(&name)).unwrap());
    home.done(&[&arguments[..], &["--force"]].concat());
    assert_eq!(files(&scratch), Vec::<String>::new(), "nothing is left when the table is there");
}

#[test]
#[cfg(unix)]
fn a_directory_that_vanishes_during_the_build_is_an_error() {
    let home = Home::new();
    let tables = home.join("tables");
    let child = start_long_build(&home, &tables);
    std::fs::remove_dir_all(&tables).unwrap();
    let Ran { code, stderr, .. } = Ran::new(child.wait_with_output().unwrap());
    assert!(code == 2 && stderr.contains("cannot write tables into") && stderr.contains("--out"), "{code}: {stderr}");
}

#[test]
#[cfg(unix)]
fn a_full_disk_is_an_error_and_leaves_no_file() {
    let home = Home::new();
    let tables = home.join("tables");
    // A limit on the size of files, with its signal ignored, makes writing fail as a full disk does.
    let (program, out) = (env!("CARGO_BIN_EXE_tilebase"), tables.display());
    let script = format!("trap '' XFSZ; ulimit -f 20; exec '{program}' generate 5-5-5 --out '{out}'");
    let ran = Ran::new(Command::new("sh").args(["-c", &script]).output().unwrap());
    assert!(ran.code == 2 && ran.stderr.contains("cannot write tables into"), "{}: {}", ran.code, ran.stderr);
    assert!(!tables.exists(), "the directory made for the tables is gone too");
}

#[test]
#[cfg(unix)]
fn a_scratch_directory_without_room_is_refused_before_work_begins() {
    let home = Home::new();
    let (program, out) = (env!("CARGO_BIN_EXE_tilebase"), home.join("t").display().to_string());
    let scratch = home.join("s");
    std::fs::create_dir(&scratch).unwrap();
    let build = format!("generate 5-5-5 --out '{out}' --scratch '{}'", scratch.display());
    let script = format!("trap '' XFSZ; ulimit -f 20; exec '{program}' {build}");
    let ran = Ran::new(Command::new("sh").args(["-c", &script]).output().unwrap());
    assert!(ran.code == 2 && ran.stderr.contains("builds cannot be saved there"), "{}: {}", ran.code, ran.stderr);
    assert_eq!(files(&scratch), Vec::<String>::new());
}

#[test]
fn only_kinds_that_are_missing_are_built_and_mirror_images_count() {
    let home = Home::new();
    let run =
        |arguments: &[&str]| home.run(&[&["generate", "--quiet", "--size", "3x3", "--out", "t"], arguments].concat());
    let table = home.join("t/3x3-0-1.2.5.bit.tbl");
    assert_eq!(run(&["--tiles", "1,2,5"]).code, 0);
    let written = || std::fs::metadata(&table).unwrap().modified().unwrap();
    let before = written();
    // The mirror image of 1,2,5 is 3,6,7; only its nibble table is not there yet.
    assert_eq!(run(&["--tiles", "3,6,7", "--encoding", "both"]).stdout.lines().count(), 1);
    assert_eq!(files(&home.join("t")), ["3x3-0-1.2.5.bit.tbl", "3x3-0-3.6.7.nibble.tbl"]);
    assert_eq!(written(), before, "what is whole is not touched");
    assert_eq!(run(&["--tiles", "3,6,7", "--force"]).code, 0);
    assert_eq!(files(&home.join("t")).len(), 2, "what was replaced is the mirror image that was there");
    assert_ne!(written(), before);
}

#[test]
fn nobody_listening_does_not_keep_tables_from_being_built() {
    let home = Home::new();
    let mut child = home.start(&["generate", "--out", "t", "5-5-5"]);
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(files(&home.join("t")).len(), 3);
}

/// The same command, loaded to the same place each time, where the system does that: how much of a program comes into memory with
/// the part that it uses depends on where it is.
#[cfg(target_os = "linux")]
fn at_the_same_place(command: Command) -> Command {
    let mut fixed = Command::new("setarch");
    if !fixed.args(["-R", "true"]).status().is_ok_and(|status| status.success()) {
        return command;
    }
    let mut fixed = Command::new("setarch");
    fixed.arg("-R").arg(command.get_program()).args(command.get_args());
    fixed.current_dir(command.get_current_dir().unwrap()).env("HOME", command.get_current_dir().unwrap());
    fixed
}

#[test]
#[cfg(target_os = "linux")]
fn the_memory_used_is_the_memory_planned() {
    let home = Home::new();
    let memory = |arguments: &[&str]| -> [f64; 2] {
        let run = |more: &[&str]| -> Value {
            let command =
                home.command(&[&["generate", "--json", "--out", "tables", "--force"], arguments, more].concat());
            let ran = Ran::new(at_the_same_place(command).output().unwrap());
            crate::common::json(ran.stdout.lines().last().unwrap())
        };
        [run(&[])["peak_memory"].as_f64().unwrap(), run(&["--dry-run"])["memory"].as_f64().unwrap()]
    };
    // A build of nothing is the program itself, which is larger here than in a release.
    let [used_by_program, planned_for_program] = memory(&["--tiles", "1", "--size", "2x2"]);
    let far = (used_by_program - planned_for_program).abs();
    assert!(far < 3e6, "{used_by_program} used, {planned_for_program} planned");
    let check = |[used, planned]: [f64; 2], what: &str| {
        let (of_tables, planned_for_tables) = (used - used_by_program, planned - planned_for_program);
        // What the program itself takes varies by this much from run to run, whatever it builds.
        let of_the_program = 0.6e6;
        let far = (of_tables - planned_for_tables).abs();
        assert!(far < planned_for_tables / 10.0 + of_the_program, "{what}: {used} used, {planned} planned");
    };
    for arguments in [
        &["--tiles", "1,4,5,8,9,12,13", "--size", "4x4"][..],
        &["--tiles", "1,4,5,8,9,12,13", "--size", "4x4", "--encoding", "both"],
        &["--tiles", "1,2,5,6,7,12", "--size", "5x5"],
        &["--tiles", "1,2,3,4,5,6,7,8,9", "--size", "5x2"],
        &["--tiles", "1,2,4,5,8", "--size", "4x4"],
        &["--tiles", "3,7,11,12,13,14", "--size", "4x4", "--count", "all"],
    ] {
        check(memory(arguments), &format!("{arguments:?}"));
    }
    // Small patterns, one after the other on one thread; on several it is a matter of luck how many are searched at once.
    let arguments = ["bench", "generate", "6-6-3", "--encoding", "both", "--repeat", "1", "--json", "--threads", "1"];
    let measured = home.run(&arguments).json();
    check(["peak_memory", "planned_memory"].map(|key| measured[key].as_f64().unwrap()), "6-6-3 on one thread");
}

#[test]
fn the_environment_names_the_directory_of_tables_and_an_empty_value_means_none() {
    let home = Home::new();
    let tables = home.join("elsewhere");
    let built = home.command(&["generate", ".AB/AAB/ABB"]).env("TILEBASE_TABLES", &tables).output().unwrap();
    assert!(built.status.success());
    assert_eq!(files(&tables), ["3x3-0-1.3.4.6.bit.tbl", "3x3-0-2.5.7.8.bit.tbl"]);
    let scrambled = home.command(&["scramble", "--seed", "1"]).env("TILEBASE_TABLES", "").output().unwrap();
    assert!(scrambled.status.success());
}
