//! The code has the fields, the magic and the version of the specification.

use tilebase_format::layout::{FIELDS, MAGIC, MINOR_OF_LINES, VERSION};

const PAGE: &str = include_str!("../../../docs/format.md");

#[test]
fn the_specification_lists_exactly_the_fields_of_the_code() {
    let rows = PAGE.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, name, offset, len, ..] = cells[..] else { return None };
        Some((name, offset.parse::<usize>().ok()?, len.parse::<usize>().ok()?))
    });
    let fields = FIELDS.iter().map(|field| (field.name, field.offset, field.len));
    assert_eq!(rows.collect::<Vec<_>>(), fields.collect::<Vec<_>>());
}

#[test]
fn the_specification_has_the_magic_and_version_of_the_code() {
    let magic: Vec<String> = MAGIC.iter().map(|byte| format!("{byte:02X}")).collect();
    assert!(PAGE.contains(&format!("`{}`", magic.join(" "))));
    assert!(
        PAGE.contains(&format!("Version {}.{}.", VERSION.0, MINOR_OF_LINES)),
        "the last kind of table came with it"
    );
    assert_eq!(VERSION.1, 0, "older kinds of tables stay what they are");
}
