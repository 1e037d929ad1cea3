//! The examples of the help are there to be copied.

use clap::{Command, CommandFactory};

use crate::Cli;

/// Columns of an ordinary terminal, less two.
const COLUMNS: usize = 78;

/// Calls something with every command that the help lists, and what comes after its options.
fn each_command(call: &mut impl FnMut(&Command, &str)) {
    fn visit(command: &Command, call: &mut impl FnMut(&Command, &str)) {
        let help = command.get_after_long_help().or_else(|| command.get_after_help());
        call(command, &help.map(ToString::to_string).unwrap_or_default());
        command.get_subcommands().filter(|nested| !nested.is_hide_set()).for_each(|nested| visit(nested, call));
    }
    // What the help says about itself is clap's.
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    visit(&program, call);
}

/// The lines of a command's examples, explanations between them included.
fn examples<'a>(command: &Command, help: &'a str) -> Vec<&'a str> {
    let name = command.get_bin_name().unwrap_or_default();
    let paragraph = help
        .split("\n\n")
        .find(|paragraph| ["Example:\n", "Examples:\n"].iter().any(|head| paragraph.starts_with(head)));
    paragraph.unwrap_or_else(|| panic!("{name} --help has no examples")).lines().skip(1).collect()
}

/// The words of each command of a line, without where their output goes.
fn commands(line: &str) -> Vec<Vec<String>> {
    let words = shlex::split(line).unwrap_or_else(|| panic!("a shell does not read {line}"));
    let parts = words.split(|word| ["|", "||", "&&"].contains(&&**word));
    let without_files = |part: &[String]| {
        let end = part.iter().position(|word| [">", "<"].contains(&&**word)).unwrap_or(part.len());
        part[..end].to_vec()
    };
    parts.map(without_files).collect()
}

#[test]
fn every_command_has_examples_that_stay_in_their_lines() {
    let mut seen = 0;
    each_command(&mut |command, help| {
        seen += 1;
        let shown = command.clone().term_width(COLUMNS + 2).render_long_help().to_string();
        for line in examples(command, help) {
            assert!(line.starts_with("  ") && line.chars().count() <= COLUMNS, "too long, or not indented: {line}");
            assert!(shown.lines().any(|shown| shown == line), "{line} is not in {shown}");
            let explains = line.trim_start().starts_with("# ");
            assert!(
                explains || !line.trim_start().contains("   "),
                "an explanation stands in a line of its own: {line}"
            );
        }
    });
    assert!(seen > 25, "{seen} commands");
}

#[test]
fn every_example_is_understood() {
    let mut understood = 0;
    each_command(&mut |command, help| {
        let text = examples(command, help).join("\n").replace(" \\\n", " ");
        for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
            for words in commands(line).iter().filter(|words| words[0] == "tilebase") {
                understood += 1;
                if let Err(refused) = Cli::read(words.iter().map(Into::into)) {
                    panic!("{line}: {refused}");
                }
            }
        }
    });
    assert!(understood > 60, "{understood} examples");
}
