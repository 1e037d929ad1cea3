//! Completions and manual pages.

use crate::common::{Home, files};

/// The commands that the help of a command lists.
fn commands(home: &Home, of: &[&str]) -> Vec<String> {
    let help = home.done(&[of, &["--help"]].concat()).stdout;
    let Some((_, list)) = help.split_once("\nCommands:\n") else { return Vec::new() };
    let lines = list.lines().take_while(|line| line.starts_with("  "));
    let names = lines.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn every_shell_completes_every_command() {
    let home = Home::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = home.done(&["completions", shell]).stdout;
        for command in commands(&home, &[]).iter().chain(&commands(&home, &["tables"])) {
            assert!(script.contains(command.as_str()), "{shell} does not know {command}");
        }
        assert!(script.contains("time-limit"), "{shell}");
    }
    let answer = home.done(&["completions", "--json", "fish"]).json();
    assert!(answer["shell"] == "fish" && answer["script"].as_str().unwrap().contains("tilebase"));
    home.says(&["completions", "dos"], 2, "[possible values: bash, elvish, fish, powershell, zsh]");
}

#[test]
fn every_command_has_a_page() {
    let home = Home::new();
    let told = home.done(&["man", "--out", "man/man1"]).stdout;
    let pages = files(&home.join("man/man1"));
    assert_eq!(told.lines().count(), pages.len());
    let mut expected = vec!["tilebase.1".to_owned()];
    for command in commands(&home, &[]) {
        expected.push(format!("tilebase-{command}.1"));
        let nested = commands(&home, &[&command]);
        expected.extend(nested.iter().map(|nested| format!("tilebase-{command}-{nested}.1")));
    }
    expected.sort();
    assert!(expected.len() > 20, "{expected:?}");
    assert_eq!(pages, expected);
    for page in pages {
        let text = std::fs::read_to_string(home.join("man/man1").join(&page)).unwrap();
        assert!(text.contains(".SH NAME") && text.contains(".SH SYNOPSIS"), "{page}: {text}");
        let words: Vec<&str> = page.trim_end_matches(".1").split('-').skip(1).collect();
        let printed = home.done(&[&["man"], &words[..]].concat()).stdout;
        assert_eq!(printed.trim_end(), text.trim_end(), "{page}");
    }
}

#[test]
fn a_page_has_version_and_date_all_values_of_options_and_examples_line_by_line() {
    let home = Home::new();
    let solve = home.done(&["man", "solve"]).stdout;
    let title = solve.lines().find(|line| line.starts_with(".TH ")).unwrap();
    let end = concat!(" \"tilebase ", env!("CARGO_PKG_VERSION"), "\" \"Manual of tilebase\"");
    let date = title.strip_prefix(".TH tilebase-solve 1 ").and_then(|rest| rest.strip_suffix(end)).expect(title);
    assert!(date.len() == 10 && date.split('-').all(|number| number.parse::<u32>().is_ok()), "{title}");
    let section = |name: &str| {
        let (_, text) = solve.split_once(&format!(".SH {name}\n")).unwrap_or_else(|| panic!("{name}: {solve}"));
        text.split(".SH ").next().unwrap()
    };
    let synopsis = section("SYNOPSIS");
    assert!(synopsis.starts_with(".nh\n"), "an option is never broken: {synopsis}");
    for usage in [
        r"\fBtilebase solve\fR",
        r"[\fB\-\-time\-limit\fR \fITIME\fR]",
        r"[\fB\-q\fR|\fB\-\-quiet\fR]",
        r"[\fIBOARD\fR]...",
    ] {
        assert!(synopsis.contains(usage), "{usage}: {synopsis}");
    }
    assert!(section("EXAMPLES").starts_with(".nf\ntilebase solve "), "{solve}");
    assert!(section("NOTES").starts_with("Moves: R2U3L means "), "{solve}");
    assert_eq!(solve.matches(r".ie \n(.g").count(), 1, "one definition of the apostrophe");
    let fetch = home.run(&["man", "tables", "fetch"]).stdout;
    assert!(!cfg!(feature = "fetch") || fetch.contains(r" \fB\-\-from\fR \fISOURCE\fR"), "{fetch}");
}

#[test]
fn pages_that_do_not_exist_are_refused_with_those_that_do() {
    let home = Home::new();
    home.says(&["man", "solv"], 2, "there is no command \"solv\" of tilebase: expected solve, generate, tables");
    home.says(&["man", "solve", "it"], 2, "there is no command \"it\": tilebase solve has no commands of its own");
    home.says(&["man", "--out", "x", "solve"], 2, "cannot be used with");
}

#[test]
#[cfg(not(feature = "fetch"))]
fn a_program_that_was_built_without_fetching_says_how_to_get_it() {
    let home = Home::new();
    for arguments in [&[][..], &["7-8", "--from", "http://127.0.0.1:1/"], &["--help"]] {
        let ran =
            home.says(&[&["tables", "fetch"], arguments].concat(), 2, "this program was built without fetching: ");
        assert_eq!(ran.stdout, "");
    }
}
