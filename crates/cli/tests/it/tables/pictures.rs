//! The pictures of `tables stats`.

use super::{NAMES, with_small_tables};
use crate::common::files;

#[test]
fn stats_draw_pictures_of_one_table_and_of_several() {
    let (home, tables) = with_small_tables();
    let names: Vec<String> = files(&tables).iter().map(|name| format!("t/{name}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for (tables, more) in [(&names[..1], &[][..]), (&names, &[]), (&names, &["--excess", "--width", "300"])] {
        let pictures = ["--svg", "costs.svg", "--png", "costs.png"];
        let ran = home.done(&[&["tables", "stats"], tables, &pictures, more].concat());
        assert!(tables.iter().all(|name| ran.stdout.contains(name)));
        let svg = std::fs::read_to_string(home.join("costs.svg")).unwrap();
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
        let png = std::fs::read(home.join("costs.png")).unwrap();
        assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
        let width = u32::from_be_bytes(png[16..20].try_into().unwrap());
        assert_eq!(width, if more.is_empty() { 1440 } else { 300 });
    }
    for option in ["--svg", "--png"] {
        let arguments = ["tables", "stats", names[0], option, "no/such/place"];
        home.says(&arguments, 2, "cannot write no/such/place: ");
    }
    assert_eq!(files(home.path()), ["costs.png", "costs.svg", "t"], "no temporary file is left");
    for (arguments, message) in [
        (&["missing.tbl"][..], "cannot read missing.tbl"),
        (&["costs.svg"], "costs.svg: this is not a tilebase table"),
        (&[names[0], "--png", "x.png", "--width", "1"], "1 is not in 100..=10000"),
    ] {
        assert_eq!(home.says(&[&["tables", "stats"], arguments].concat(), 2, message).stdout, "");
    }
}

#[test]
fn pictures_have_no_names_of_pictures_of_another_form() {
    let (home, _) = with_small_tables();
    let table = format!("t/{}.bit.tbl", NAMES[0]);
    let board = "1 2 3 / 4 5 6 / 7 0 8";
    let before = files(home.path());
    for (option, file, message) in [
        ("--png", "x.svg", "--png writes PNG, not what .svg says: end the name in .png"),
        ("--svg", "x.png", "--svg writes SVG, not what .png says: end the name in .svg"),
        ("--svg", "x.PNG", "--svg writes SVG, not what .png says"),
        ("--png", "x.y.jpeg", "--png writes PNG, not what .jpeg says"),
    ] {
        for command in [
            &["draw", board][..],
            &["tables", "stats", &table],
            &["census", "2x2"],
            &["analyse", "--summary", board, "R"],
        ] {
            home.says(&[command, &[option, file]].concat(), 2, message);
            assert_eq!(files(home.path()), before, "{command:?}");
        }
    }
    for name in ["x.SVG", "x", "x.svg.old"] {
        home.done(&["draw", board, "--svg", name]);
        assert!(std::fs::read_to_string(home.join(name)).unwrap().starts_with("<svg"), "{name}");
    }
}

#[test]
fn pictures_do_not_replace_tables_or_each_other() {
    let (home, tables) = with_small_tables();
    let [a, b] = NAMES.map(|name| format!("t/{name}.bit.tbl"));
    let before = std::fs::read(home.join(&a)).unwrap();
    home.says(&["tables", "stats", "--svg", &a, &b], 2, "is the name of a table");
    assert!(std::fs::read(home.join(&a)).unwrap() == before);
    home.says(&["tables", "stats", "--svg", "same", "--png", "same", &b], 2, "give each its own file");
    assert_eq!(files(&tables).len(), 4);
}
