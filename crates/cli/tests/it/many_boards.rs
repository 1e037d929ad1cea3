//! Many boards on stdin: every line is answered, and answers come while there is more to read.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout};

use serde_json::Value;
use tilebase::puzzle::{Board, Goal, Random, Size};

use crate::common::{Home, Ran, json};

/// What a line of the input is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Line {
    /// A board that can be solved.
    Solvable,
    /// A board that cannot.
    Unsolvable,
    /// No board.
    Bad,
    /// Skipped.
    Empty,
}

/// The kinds of the lines, one in ten of them something else than a board that can be solved.
fn kind(number: usize) -> Line {
    match number % 40 {
        7 | 23 => Line::Bad,
        13 => Line::Unsolvable,
        31 => Line::Empty,
        _ => Line::Solvable,
    }
}

/// Exchanges two tiles, so that the board cannot be solved.
fn spoil(board: &Board) -> Board {
    let mut labels: Vec<u64> = board.labels().iter().map(|&label| u64::from(label)).collect();
    let squares: Vec<usize> = (0..labels.len()).filter(|&square| labels[square] != 0).collect();
    labels.swap(squares[0], squares[1]);
    Board::new(board.size(), &labels).unwrap()
}

/// The lines from one number to another.
fn lines(numbers: std::ops::Range<usize>, random: &mut Random) -> String {
    let goal = Goal::BlankLast.board(Size::new(3, 3).unwrap()).unwrap();
    let mut text = String::new();
    for number in numbers {
        let board = random.solvable_board(&goal);
        match kind(number) {
            Line::Solvable => writeln!(text, "{board}").unwrap(),
            Line::Unsolvable => writeln!(text, "{}", spoil(&board)).unwrap(),
            Line::Bad if number % 2 == 0 => text.push_str("1 2 3 / 4 x 5\n"),
            Line::Bad => text.push_str("no board at all\n"),
            Line::Empty if number % 3 == 0 => text.push('\n'),
            Line::Empty => text.push_str("# a remark\n"),
        }
    }
    text
}

struct Running {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

fn start(home: &Home, arguments: &[&str]) -> Running {
    let mut child = home.start(&[&["solve", "--json"], arguments].concat());
    let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    Running { child, stdin, stdout: BufReader::new(stdout) }
}

/// The largest amount of memory that a process has used so far, in kB.
fn peak_memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse().ok()
}

/// Writes a number of lines on a thread of its own, and reads the answers until all are there.
fn exchange(running: &mut Running, numbers: std::ops::Range<usize>, random: &mut Random) -> Vec<Value> {
    let expected = numbers.clone().filter(|&number| kind(number) != Line::Empty).count();
    let text = lines(numbers, random);
    let Running { stdin, stdout, .. } = running;
    std::thread::scope(|scope| {
        scope.spawn(move || {
            stdin.write_all(text.as_bytes()).unwrap();
            stdin.flush().unwrap();
        });
        let answers = stdout.lines().take(expected).map(|line| json(&line.unwrap()));
        answers.collect()
    })
}

fn check(answers: &[Value], numbers: std::ops::Range<usize>, ordered: bool) {
    let mut ids: Vec<usize> = answers.iter().map(|answer| answer["id"].as_u64().unwrap() as usize).collect();
    if !ordered {
        ids.sort_unstable();
    }
    assert!(ids.into_iter().eq(numbers.filter(|&number| kind(number) != Line::Empty)), "every line has its answer");
    for answer in answers {
        let kind = kind(answer["id"].as_u64().unwrap() as usize);
        let length = answer["length"].as_u64();
        match kind {
            Line::Solvable => assert!(length.is_some_and(|length| length <= 31), "{answer}"),
            Line::Unsolvable => assert!(answer["solvable"] == false && length.is_none(), "{answer}"),
            _ => assert!(answer["error"].is_string() && length.is_none(), "{answer}"),
        }
    }
}

/// A first part and the rest of 100,000 lines. Answers to the first part come while stdin is open, and the rest takes hardly
/// more memory.
fn solve_many(arguments: &[&str], ordered: bool) {
    const FIRST: usize = 5_000;
    const LAST: usize = 100_000;
    let home = Home::new();
    let mut random = Random::new(9);
    let mut running = start(&home, arguments);
    check(&exchange(&mut running, 1..FIRST + 1, &mut random), 1..FIRST + 1, ordered);
    let before = peak_memory(running.child.id());
    check(&exchange(&mut running, FIRST + 1..LAST + 1, &mut random), FIRST + 1..LAST + 1, ordered);
    if let (Some(before), Some(after)) = (before, peak_memory(running.child.id())) {
        assert!(after < before + 8_000, "{before} kB for the first {FIRST} boards, {after} kB for {LAST}");
    }
    let Running { child, stdin, mut stdout } = running;
    drop(stdin);
    let mut rest = String::new();
    assert_eq!(stdout.read_line(&mut rest).unwrap(), 0, "more answers than lines: {rest}");
    let ran = Ran::new(child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.stderr.as_str()), (2, ""));
}

#[test]
fn a_hundred_thousand_lines_are_answered_as_answers_come() {
    solve_many(&["--threads", "2"], false);
}

#[test]
fn a_hundred_thousand_lines_are_answered_in_order() {
    solve_many(&["--threads", "3", "--ordered"], true);
}

#[test]
fn each_line_is_answered_before_the_next_is_written() {
    let home = Home::new();
    for arguments in [&["--threads", "1"][..], &["--threads", "1", "--ordered"]] {
        let mut random = Random::new(1);
        let mut running = start(&home, arguments);
        for number in (0..20).map(|number| 40 * number + 1) {
            running.stdin.write_all(lines(number..number + 1, &mut random).as_bytes()).unwrap();
            let mut answer = String::new();
            running.stdout.read_line(&mut answer).unwrap();
            assert!(json(&answer)["length"].is_u64(), "{answer}");
        }
        drop(running.stdin);
        assert!(running.child.wait().unwrap().success());
    }
}

#[test]
fn lines_that_are_no_boards_are_named_and_the_others_answered() {
    let home = Home::new();
    assert_eq!(home.run(&["solve", "-"]).code, 2, "nothing on stdin is a mistake");
    let mut random = Random::new(2);
    for arguments in [&["solve", "--ordered"][..], &["solve", "--ordered", "-"]] {
        let ran = home.run_with(arguments, lines(1..41, &mut random).as_bytes());
        assert_eq!((ran.code, ran.stdout.lines().count()), (2, 37), "{}", ran.stdout);
        assert!(ran.stdout.contains("13: unsolvable: "), "{}", ran.stdout);
        assert!(ran.stderr.contains("7: ") && ran.stderr.contains("23: "), "{}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 2, "{}", ran.stderr);
    }
}
