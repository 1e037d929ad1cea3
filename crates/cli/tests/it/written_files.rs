//! Files that the command writes: who may read them, and what is left of them when they become too large.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::common::{Home, Ran, files};

const DRAWING: &str = ".AA/BAA/BBB";
const BOARD: &str = "1 2 3 / 4 5 6 / 7 0 8";

/// Runs the command from a shell in which something has been set.
fn run_after(setting: &str, home: &Home, arguments: &[&str]) -> Ran {
    let script = format!("{setting}; exec \"$@\"");
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_tilebase"), "--quiet"]).args(arguments);
    Ran::new(shell.env_clear().env("HOME", home.path()).current_dir(home.path()).output().unwrap())
}

/// The permissions of every file below a directory.
fn modes(directory: &Path) -> Vec<(String, u32)> {
    let mut modes = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap().map(Result::unwrap) {
        let data = entry.metadata().unwrap();
        if data.is_dir() {
            modes.extend(self::modes(&entry.path()));
        } else {
            modes.push((entry.path().display().to_string(), data.permissions().mode() & 0o777));
        }
    }
    modes
}

#[test]
fn the_umask_decides_who_may_read_files() {
    for (umask, expected) in [("077", 0o600), ("027", 0o640), ("002", 0o664)] {
        let home = Home::new();
        let done = |arguments: &[&str]| {
            let ran = run_after(&format!("umask {umask}"), &home, arguments);
            assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
        };
        done(&["generate", DRAWING, "--out", "t"]);
        let tables: Vec<String> = files(&home.join("t")).iter().map(|name| format!("t/{name}")).collect();
        done(&["tables", "pack", &tables[0], "--out", "packed"]);
        let packed = format!("packed/{}", files(&home.join("packed"))[0]);
        done(&["tables", "unpack", &packed, "--out", "unpacked"]);
        done(&["solve", "--checkpoint", "kept", BOARD]);
        done(&["man", "--out", "man"]);
        if cfg!(feature = "plot") {
            done(&["draw", BOARD, "--svg", "board.svg"]);
            done(&["tables", "stats", &tables[0], "--svg", "costs.svg"]);
        }
        if cfg!(feature = "png") {
            done(&["draw", BOARD, "--png", "board.png"]);
        }
        if cfg!(feature = "fetch") {
            let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../pdb/packed");
            done(&["tables", "fetch", "4x4-0-12.13.14.nibble.tbl", "--from", source, "--out", "fetched"]);
        }
        let modes = modes(home.path());
        assert!(modes.len() > 6, "{modes:?}");
        for (file, mode) in modes {
            assert_eq!(mode, expected, "umask {umask}: {file} has {mode:o}");
        }
    }
}

#[test]
#[cfg(feature = "plot")]
fn a_file_that_replaces_another_one_has_its_own_permissions() {
    for (before, umask, after) in [(0o666, "077", 0o600), (0o600, "022", 0o644)] {
        let home = Home::new();
        let file = home.join("board.svg");
        std::fs::write(&file, "a picture").unwrap();
        std::fs::set_permissions(&file, PermissionsExt::from_mode(before)).unwrap();
        assert_eq!(run_after(&format!("umask {umask}"), &home, &["draw", BOARD, "--svg", "board.svg"]).code, 0);
        assert_eq!(modes(home.path())[0].1, after, "{before:o} before");
    }
}

/// `ulimit -f` counts blocks of 512 or 1024 bytes; a header alone has 4096.
#[test]
fn a_file_that_becomes_too_large_is_an_error_that_leaves_nothing() {
    let home = Home::new();
    let refused = |arguments: &[&str]| {
        let ran = run_after("ulimit -f 1", &home, arguments);
        assert!(ran.code == 2 && ran.stderr.starts_with("error: "), "{arguments:?}: {} {}", ran.code, ran.stderr);
        assert!(ran.stderr.contains("File too large"), "{arguments:?}: {}", ran.stderr);
    };
    refused(&["generate", DRAWING, "--out", "t"]);
    refused(&["generate", "--audit", DRAWING, "--out", "t"]);
    assert_eq!(files(home.path()), [] as [&str; 0]);
    home.done(&["generate", "--quiet", DRAWING, "--out", "t"]);
    let before = files(&home.join("t"));
    refused(&["generate", "--force", DRAWING, "--out", "t"]);
    assert_eq!(files(&home.join("t")), before);
    home.done(&["tables", "verify", "--quiet", &format!("t/{}", before[0])]);
    #[cfg(feature = "plot")]
    {
        refused(&["draw", BOARD, "--svg", "board.svg"]);
        assert_eq!(files(home.path()), ["t"]);
    }
}
