//! Many processes with the same tables.

use std::path::Path;
use std::process::Stdio;

use super::{BOARD, NAMES, SMALL, with_packed_5_5_5, with_small_tables};
use crate::common::{Home, Ran, files};

/// Starts the same command four times at once and gives what each said.
fn four_at_once(home: &Home, arguments: &[&str]) -> Vec<Ran> {
    let children: Vec<_> = (0..4).map(|_| home.start(arguments)).collect();
    children.into_iter().map(|child| Ran::new(child.wait_with_output().unwrap())).collect()
}

/// Lets four processes make the same tables, five times, every other time by force; they must be those that are there.
fn make_at_once(home: &Home, arguments: &[&str], there: &Path, is_fine: impl Fn(&Ran) -> bool) {
    let names = files(there);
    for round in 0..5 {
        let name = format!("made{round}");
        let force = if round % 2 == 1 { &["--force"][..] } else { &[] };
        for ran in four_at_once(home, &[arguments, &["--out", &name], force].concat()) {
            assert!(is_fine(&ran), "round {round}: {}{}", ran.stdout, ran.stderr);
        }
        let made = home.join(name);
        assert_eq!(files(&made), names, "round {round}");
        for name in &names {
            let [made, there] = [&made, there].map(|directory| std::fs::read(directory.join(name)).unwrap());
            assert!(made == there, "round {round}: {name}");
        }
    }
}

#[test]
fn processes_that_unpack_the_same_tables_at_once_all_succeed() {
    let (home, _, names) = with_packed_5_5_5();
    let packed: Vec<String> = names.iter().map(|name| format!("t/{name}.zst")).collect();
    let arguments: Vec<&str> = ["tables", "unpack"].into_iter().chain(packed.iter().map(String::as_str)).collect();
    make_at_once(&home, &arguments, &home.join("made"), |ran| ran.code == 0 && ran.stdout.lines().count() == 3);
}

#[test]
fn processes_that_solve_with_the_same_packed_tables_at_once_all_succeed() {
    let (home, tables, names) = with_packed_5_5_5();
    for ran in four_at_once(&home, &["solve", "--json", "--tables", "5-5-5", "--table-dir", "t", BOARD]) {
        assert!(ran.code == 0 && ran.stdout.contains("\"length\":2"), "{}{}", ran.stdout, ran.stderr);
    }
    assert_eq!(files(&tables).len(), 2 * names.len());
    home.done(&["tables", "list", "--verify", "--table-dir", "t"]);
}

#[test]
fn processes_that_build_the_same_tables_at_once_all_succeed() {
    let (home, tables) = with_small_tables();
    let arguments = ["generate", "--encoding", "both", SMALL];
    make_at_once(&home, &arguments, &tables, |ran| ran.code == 0);
}

#[test]
fn tables_are_packed_by_many_at_once_and_pruned_meanwhile() {
    let (home, tables) = with_small_tables();
    let name = format!("t/{}.bit.tbl", NAMES[0]);
    for _ in 0..5 {
        let prune = || home.command(&["tables", "prune", "--table-dir", "p"]).stderr(Stdio::null()).spawn().unwrap();
        let pruning: Vec<_> = (0..2).map(|_| prune()).collect();
        for ran in four_at_once(&home, &["tables", "pack", "--level", "1", "--force", "--out", "p", &name]) {
            assert_eq!(ran.code, 0, "{}", ran.stderr);
        }
        pruning.into_iter().for_each(|mut child| assert!(child.wait().unwrap().success()));
    }
    assert_eq!(files(&home.join("p")).len(), 1);
    assert_eq!(files(&tables).len(), 4);
}
