//! `tables prune`: what goes, and what stays.

use super::{NAMES, flip, pack, with_small_tables};
use crate::common::{files, slashed};

#[test]
fn prune_removes_what_is_of_no_use_and_nothing_else() {
    let (home, tables) = with_small_tables();
    let [a, b] = NAMES;
    for name in [a, b] {
        pack(&home, &[&format!("t/{name}.nibble.tbl")]);
    }
    // The packed one of a stays without its table, that of b has it.
    std::fs::remove_file(tables.join(format!("{a}.nibble.tbl"))).unwrap();
    std::fs::write(tables.join(".tilebase-Ab12.tmp"), "half a table").unwrap();
    std::fs::write(tables.join("cut.tbl"), &std::fs::read(tables.join(format!("{a}.bit.tbl"))).unwrap()[..4500])
        .unwrap();
    for other in ["notes.txt", ".hidden.tmp", "tilebase-.tmp", "table.tbl.bak"] {
        std::fs::write(tables.join(other), "not ours").unwrap();
    }
    // Somebody is still writing this one.
    let busy = tables.join(".tilebase-busy.tmp");
    let writer = std::fs::File::create(&busy).unwrap();
    writer.lock().unwrap();

    let before = files(&tables);
    let useless = [".tilebase-Ab12.tmp".to_owned(), "cut.tbl".to_owned(), format!("{b}.nibble.tbl.zst")];
    let ran = home.done(&["tables", "prune", "--dry-run", "--table-dir", "t"]);
    assert_eq!(files(&tables), before, "a dry run removes nothing");
    assert_eq!(ran.stdout.lines().count(), 3, "{}", ran.stdout);
    let said = slashed(&ran.stdout);
    assert!(useless.iter().all(|name| said.contains(&format!("would remove t/{name}: "))), "{said}");
    let ran = home.done(&["tables", "prune", "--json", "--table-dir", "t"]);
    assert!(ran.json_lines().iter().all(|line| line["removed"] == true), "{}", ran.stdout);
    let left: Vec<String> = before.into_iter().filter(|name| !useless.contains(name)).collect();
    assert_eq!(files(&tables), left);
    let ran = home.done(&["tables", "prune", "--table-dir", "t"]);
    assert_eq!((ran.stdout.as_str(), files(&tables)), ("", left), "there is nothing more to do");
    drop(writer);
    home.done(&["tables", "prune", "--table-dir", "t"]);
    assert!(!busy.exists(), "its writer is gone");
    assert_eq!(home.done(&["tables", "prune", "--table-dir", "nowhere"]).stdout, "");
}

#[test]
fn prune_keeps_a_packed_table_whose_table_is_damaged_and_with_verify_removes_that() {
    for verify in [&[][..], &["--verify"]] {
        let (home, tables) = with_small_tables();
        let name = format!("{}.nibble.tbl", NAMES[0]);
        pack(&home, &[&format!("t/{name}")]);
        flip(&tables.join(&name), 5000);
        let ran = home.done(&[&["tables", "prune", "--table-dir", "t"], verify].concat());
        assert!(verify.is_empty() || !tables.join(&name).exists(), "{}", ran.stdout);
        assert!(tables.join(format!("{name}.zst")).exists(), "the only whole copy is gone: {}", ran.stdout);
    }
}

#[test]
fn prune_keeps_a_packed_table_when_another_table_has_its_name() {
    let (home, tables) = with_small_tables();
    let [a, b] = NAMES.map(|name| format!("{name}.nibble.tbl"));
    pack(&home, &[&format!("t/{a}")]);
    std::fs::rename(tables.join(&b), tables.join(&a)).unwrap();
    let ran = home.done(&["tables", "prune", "--table-dir", "t"]);
    assert!(tables.join(format!("{a}.zst")).exists(), "the only copy is gone: {}", ran.stdout);
}

#[test]
fn prune_is_not_stopped_by_a_directory_with_the_name_of_a_table() {
    let (home, tables) = with_small_tables();
    std::fs::create_dir(tables.join("directory.tbl")).unwrap();
    std::fs::write(tables.join("empty.tbl"), "").unwrap();
    let ran = home.run(&["tables", "prune", "--table-dir", "t"]);
    assert!(!tables.join("empty.tbl").exists(), "{}{}", ran.stdout, ran.stderr);
    assert!(tables.join("directory.tbl").exists());
}

#[test]
#[cfg(unix)]
fn prune_keeps_tables_that_it_may_not_read() {
    use std::os::unix::fs::PermissionsExt;
    let (home, tables) = with_small_tables();
    let secret = tables.join(format!("{}.bit.tbl", NAMES[0]));
    std::fs::set_permissions(&secret, std::fs::Permissions::from_mode(0o000)).unwrap();
    let ran = home.run(&["tables", "prune", "--table-dir", "t"]);
    assert!(secret.exists(), "nobody knows what is wrong with it: {}", ran.stdout);
}

#[test]
fn prune_keeps_tables_of_newer_programs() {
    let (home, tables) = with_small_tables();
    let newer = tables.join(format!("{}.bit.tbl", NAMES[0]));
    let mut bytes = std::fs::read(&newer).unwrap();
    bytes[8] = 2;
    std::fs::write(&newer, bytes).unwrap();
    let ran = home.run(&["tables", "prune", "--table-dir", "t"]);
    assert!(newer.exists(), "it is of use to the program that made it: {}", ran.stdout);
}

#[test]
fn prune_removes_what_was_fetched_in_part_when_the_table_is_there() {
    let (home, tables) = with_small_tables();
    let [a, b] = NAMES;
    let part = |name: &str| tables.join(format!("{name}.part"));
    let of_no_use = [format!("{a}.bit.tbl"), format!("{a}.nibble.tbl.zst")];
    // Its table is not there, is damaged, is still being fetched; and what has nothing to do with tables.
    let of_use =
        ["4x4-0-1.2.bit.tbl".to_owned(), format!("{b}.bit.tbl"), format!("{b}.nibble.tbl"), "notes".to_owned()];
    for name in of_no_use.iter().chain(&of_use) {
        std::fs::write(part(name), "half a table").unwrap();
    }
    flip(&tables.join(&of_use[1]), 4100);
    let fetching = std::fs::File::open(part(&of_use[2])).unwrap();
    fetching.lock().unwrap();
    let ran = home.done(&["tables", "prune", "--table-dir", "t"]);
    assert_eq!(ran.stdout.matches(".part: its table is there").count(), 2, "{}", ran.stdout);
    assert!(of_no_use.iter().all(|name| !part(name).exists()) && of_use.iter().all(|name| part(name).exists()));
}
