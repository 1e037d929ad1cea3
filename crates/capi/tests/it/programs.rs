//! Programs in C and C++ that are compiled against the header, linked with the static and with the shared library, and run under the
//! sanitizers for addresses, leaks and undefined behaviour.
//!
//! Cargo has built both libraries before it runs this, because the package is a Rust library as well: they are beside the test.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use tempfile::TempDir;
use tilebase_tests::skip::skip;

use crate::solvers::directory_with_tables;

/// What the static library needs beside itself on Linux; the README says the same. `rustc --print native-static-libs` tells.
#[cfg(target_os = "linux")]
const NATIVE_LIBRARIES: &str = "-lgcc_s -lutil -lrt -lpthread -lm -ldl -lc";
#[cfg(not(target_os = "linux"))]
const NATIVE_LIBRARIES: &str = "-lpthread -lm";

const SANITIZERS: [&str; 2] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Language {
    C,
    Cpp,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Library {
    Static,
    Shared,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The directory where Cargo puts libraries, and this test.
fn built() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a path");
    test.parent().expect("a test is in a directory").to_owned()
}

/// A compiler with all warnings, which are errors.
fn compiler(language: Language) -> Command {
    let (variable, usual, standard) = match language {
        Language::C => ("CC", "cc", "-std=c11"),
        Language::Cpp => ("CXX", "c++", "-std=c++17"),
    };
    let named = std::env::var(variable).unwrap_or_else(|_| usual.to_owned());
    // There may be arguments behind its name.
    let mut words = named.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or(usual));
    command.args(words).args([standard, "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-O1", "-g"]);
    command
}

/// Runs a compiler or a program, and returns what it wrote.
fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| {
        panic!("{command:?}: {error}. A compiler of C and C++ is needed, such as gcc; CC and CXX name another one")
    })
}

fn check(command: &mut Command) -> String {
    let output = run(command);
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{stdout}{stderr}", output.status);
    stdout.into_owned()
}

/// Whether the compilers have the sanitizers, and leaks are found: a program that does nothing runs, one that leaks does not.
fn has_sanitizers() -> bool {
    static HAS: OnceLock<bool> = OnceLock::new();
    *HAS.get_or_init(|| {
        let directory = TempDir::new().unwrap();
        let runs = |language: Language, body: &str| {
            let (source, program) = (directory.path().join("trial.c"), directory.path().join("trial"));
            std::fs::write(&source, format!("#include <stdlib.h>\nint main(void) {{ {body} return 0; }}\n")).unwrap();
            let language_flag = if language == Language::C { "c" } else { "c++" };
            let mut compile = compiler(language);
            compile.args(SANITIZERS).args(["-x", language_flag]).arg(&source).arg("-o").arg(&program);
            run(&mut compile).status.success() && run(&mut sanitized(&program)).status.success()
        };
        let has = [Language::C, Language::Cpp].iter().all(|&language| runs(language, ""));
        let has =
            has && !runs(Language::C, "static void *volatile lost; for (int i = 0; i < 100; i++) lost = malloc(100);");
        if !has {
            skip(&format!("compilers of C and C++ with {} that find leaks; programs run without", SANITIZERS[0]));
        }
        has
    })
}

/// How a program is run: by the sanitizers' rules, and by somebody who keeps no tables.
fn sanitized(program: &Path) -> Command {
    let home = program.parent().expect("a program is in a directory");
    let mut command = Command::new(program);
    command.env("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1");
    command.env("HOME", home).env_remove("XDG_CACHE_HOME").env_remove("TILEBASE_TABLES");
    // Cargo's own would lead to a library of an earlier build, before the path in the program does.
    command.env_remove("LD_LIBRARY_PATH").env_remove("DYLD_FALLBACK_LIBRARY_PATH");
    command
}

/// Compiles a program of this package, links it with a library, and returns how it is run.
fn program(directory: &TempDir, source: &str, library: Library) -> Command {
    let is_cpp = Path::new(source).extension().is_some_and(|extension| extension == "cpp");
    let language = if is_cpp { Language::Cpp } else { Language::C };
    let program = directory.path().join(format!("{}-{library:?}", source.replace(['/', '.'], "-")));
    let built = built();
    let mut compile = compiler(language);
    if has_sanitizers() {
        compile.args(SANITIZERS);
    }
    compile.arg(format!("-DVERSION=\"{}\"", env!("CARGO_PKG_VERSION")));
    compile.arg("-I").arg(root().join("include")).arg(root().join(source)).arg("-o").arg(&program).arg("-pthread");
    match library {
        Library::Static => compile.arg(built.join("libtilebase_c.a")).args(NATIVE_LIBRARIES.split(' ')),
        Library::Shared => {
            let path = built.display();
            compile.args([format!("-L{path}"), "-ltilebase_c".to_owned(), format!("-Wl,-rpath,{path}")])
        }
    };
    check(&mut compile);
    sanitized(&program)
}

/// Runs a program with each library, and returns what it wrote, which has to be the same.
fn output_of(source: &str, arguments: &[&str]) -> String {
    let directory = TempDir::new().unwrap();
    let [with_static, with_shared] =
        [Library::Static, Library::Shared].map(|library| check(program(&directory, source, library).args(arguments)));
    assert_eq!(with_static, with_shared);
    with_shared
}

#[test]
fn the_example_in_c_gives_a_hint_and_all_moves() {
    let output = output_of("examples/hint.c", &[]);
    assert!(output.starts_with("slide tile 13 (D): 9 moves left, at least 9 were certain before\n"), "{output}");
    assert!(output.contains("all moves: DDDLLUUUL ("), "{output}");
}

#[test]
fn the_example_in_cpp_plays_a_board_to_its_end() {
    let output = output_of("examples/hint.cpp", &["1 2 3 / 4 0 6 / 7 5 8"]);
    assert_eq!(output, "to be played: UL\ntile 5 slides U\ntile 8 slides L\nsolved\n");
}

#[test]
fn the_examples_say_what_is_wrong_with_a_board() {
    let directory = TempDir::new().unwrap();
    for source in ["examples/hint.c", "examples/hint.cpp"] {
        for (board, words) in [("1 2 / 2 0", "tile 2 appears twice"), ("2 1 / 3 0", "cannot be solved")] {
            let output = run(program(&directory, source, Library::Shared).arg(board));
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.code() == Some(1) && stderr.contains(words), "{source} {board}: {stderr}");
        }
    }
}

#[test]
fn everything_that_is_wrong_gets_a_code_and_words() {
    assert_eq!(output_of("tests/it/misuse.c", &[]), "everything was refused as it should be\n");
}

#[test]
fn many_threads_solve_with_one_solver_while_handles_are_freed() {
    assert_eq!(output_of("tests/it/threads.c", &[]), "all threads agree\n");
}

#[test]
fn mapped_tables_leave_the_handlers_of_the_program_alone() {
    let tables = directory_with_tables();
    let output = output_of("tests/it/maps.c", &[tables.path().to_str().unwrap()]);
    assert_eq!(output, "the handler is the program's own\n");
}

#[test]
fn a_table_that_is_cut_short_is_named_by_programs_that_install_the_handler() {
    let directory = TempDir::new().unwrap();
    for library in [Library::Static, Library::Shared] {
        let tables = directory_with_tables();
        let table = tables.path().join("4x4-0-1.2.4.5.8.9.bit.tbl");
        let output = run(program(&directory, "tests/it/maps.c", library).arg(tables.path()).arg(&table));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{library:?}: {stderr}");
        assert!(stderr.contains(&format!("error: {} was cut short", table.display())), "{library:?}: {stderr}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_program_of_the_readme_does_what_it_says_linked_as_it_says() {
    let readme = include_str!("../../README.md");
    assert!(readme.contains(NATIVE_LIBRARIES), "README.md does not say {NATIVE_LIBRARIES}");
    let program = readme.split("```c\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a program in C");
    let directory = TempDir::new().unwrap();
    let source = directory.path().join("program.c");
    std::fs::write(&source, program).unwrap();
    assert_eq!(output_of(source.to_str().unwrap(), &[]), "9 moves: DDDLLUUUL\n");
}

#[test]
fn the_lines_of_c_in_the_readme_of_the_project_give_a_hint() {
    let readme = std::fs::read_to_string(root().join("../../README.md")).unwrap();
    let lines = readme.split("```c\n").nth(1).and_then(|rest| rest.split("```").next()).expect("lines in C");
    let program = format!(
        "#include <stdio.h>\n#include \"tilebase.h\"\nint main(void) {{\ntilebase_solver *solver;\ntilebase_board board;\n\
         tilebase_board_parse(\"5 1 2 4 / 9 6 3 8 / 13 10 7 12 / 0 14 11 15\", 0, 0, &board);\n{lines}return 0;\n}}\n"
    );
    let directory = TempDir::new().unwrap();
    let source = directory.path().join("hint.c");
    std::fs::write(&source, program).unwrap();
    assert_eq!(output_of(source.to_str().unwrap(), &[]), "slide tile 13; 9 moves left\n");
}

#[test]
#[cfg(target_os = "linux")]
fn the_shared_library_exports_what_the_header_declares_and_nothing_else() {
    let listed = check(
        Command::new("nm")
            .args(["--dynamic", "--defined-only", "--format=posix"])
            .arg(built().join("libtilebase_c.so")),
    );
    let exported: std::collections::BTreeSet<&str> = listed.lines().filter_map(|line| line.split(' ').next()).collect();
    let declared: std::collections::BTreeSet<&str> =
        crate::header::functions(include_str!("../../include/tilebase.h")).into_iter().collect();
    assert_eq!(exported, declared);
}
