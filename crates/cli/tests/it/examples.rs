//! Examples of the help, copied into a shell. That all of them are understood is tested in `src/examples.rs`.

use std::path::Path;
use std::process::Command;

use crate::common::Home;

/// Commands whose examples take a moment and need nothing but the program and the files below.
const QUICK: [&[&str]; 10] = [
    &["show"],
    &["convert"],
    &["scramble"],
    &["analyse"],
    &["moves", "invert"],
    &["moves", "simplify"],
    &["moves", "concat"],
    &["moves", "apply"],
    &["moves", "optimise"],
    &["tables", "list"],
];

#[test]
fn quick_examples_do_what_they_are_shown_for() {
    let home = Home::new();
    std::fs::write(home.join("boards.txt"), "1 2 3 / 4 5 6 / 7 0 8\n").unwrap();
    std::fs::write(home.join("solutions.txt"), "1 2 3 / 4 5 6 / 7 0 8\tL\n").unwrap();
    let programs = Path::new(env!("CARGO_BIN_EXE_tilebase")).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let drawing: &[&[&str]] = if cfg!(feature = "plot") { &[&["draw"]] } else { &[] };
    for command in QUICK.iter().chain(drawing) {
        let help = home.done(&[command, &["--help"][..]].concat()).stdout;
        let (_, examples) = help.split_once("\nExamples:\n").unwrap_or_else(|| panic!("{command:?}: {help}"));
        let examples = examples.split("\n\n").next().unwrap().replace(" \\\n", " ");
        for example in examples.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
            let mut shell = Command::new("sh");
            shell.args(["-c", example]).env_clear().env("HOME", home.path()).env("PATH", &path);
            let ran = shell.current_dir(home.path()).output().unwrap();
            let (code, said) = (ran.status.code(), String::from_utf8_lossy(&ran.stderr));
            // 1 is an answer as well: one of the boards is famous for being unsolvable.
            assert!(matches!(code, Some(0 | 1)) && !said.contains("error: "), "{example}: {code:?}, {said}");
        }
    }
}
