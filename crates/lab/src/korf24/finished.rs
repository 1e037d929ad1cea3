//! The file of finished boards: a line for each board and set of tables. It is small enough to be kept with the project.

use std::str::FromStr;

use crate::kept_lines::{KeptLines, Line};

/// What the file begins with.
const HEAD: &str = "\
# Boards of Korf & Felner 2002 that have been solved, a line for each board and set of tables; made by tilebase lab korf24.
# complete nodes: of all iterations but the last; last bound: of the whole last iteration, where it was searched to its end.
# board\tlength\tnodes\tcomplete nodes\tlast bound\tseconds\tcpu seconds\tthreads\ttables\tprogram
";

/// A board that has been solved.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Finished {
    /// Its number.
    pub board: u32,
    /// Moves of a shortest solution.
    pub length: u32,
    /// Nodes generated, to the first solution.
    pub nodes: u64,
    /// Those of them in iterations that were searched to their end: no luck is in these. Not known when the search ended before it
    /// told.
    pub complete_nodes: Option<u64>,
    /// Nodes of the last iteration, if it was searched to its end, too.
    pub last_bound_nodes: Option<u64>,
    /// Time from start to end.
    pub seconds: f64,
    /// What all threads took together, if the system told.
    pub cpu_seconds: Option<f64>,
    /// Threads that searched.
    pub threads: usize,
    /// The tables.
    pub tables: String,
    /// The version of the program.
    pub program: String,
}

impl Line for Finished {
    const HEAD: &str = HEAD;

    fn line(&self) -> String {
        let Finished { board, length, nodes, seconds, threads, tables, program, .. } = self;
        let or_none = |number: Option<String>| number.unwrap_or_else(|| "-".to_owned());
        let complete = or_none(self.complete_nodes.map(|nodes| nodes.to_string()));
        let last = or_none(self.last_bound_nodes.map(|nodes| nodes.to_string()));
        let cpu = or_none(self.cpu_seconds.map(|seconds| format!("{seconds:.2}")));
        format!("{board}\t{length}\t{nodes}\t{complete}\t{last}\t{seconds:.2}\t{cpu}\t{threads}\t{tables}\t{program}\n")
    }

    fn parse(line: &str) -> Option<Finished> {
        fn or_none<T: FromStr>(cell: &str) -> Result<Option<T>, T::Err> {
            if cell == "-" { Ok(None) } else { cell.parse().map(Some) }
        }
        let cells: Vec<&str> = line.split('\t').collect();
        let [board, length, nodes, complete, last, seconds, cpu, threads, tables, program] = cells[..] else {
            return None;
        };
        Some(Finished {
            board: board.parse().ok()?,
            length: length.parse().ok()?,
            nodes: nodes.parse().ok()?,
            complete_nodes: or_none(complete).ok()?,
            last_bound_nodes: or_none(last).ok()?,
            seconds: seconds.parse().ok()?,
            cpu_seconds: or_none(cpu).ok()?,
            threads: threads.parse().ok()?,
            tables: tables.to_owned(),
            program: program.to_owned(),
        })
    }
}

impl Finished {
    /// What all threads took together: as the system told, or as they had.
    pub(super) fn cpu(&self) -> f64 {
        self.cpu_seconds.unwrap_or(self.seconds * self.threads as f64)
    }
}

/// The boards that have been solved, and the file that has them.
pub(super) type FinishedBoards = KeptLines<Finished>;

impl FinishedBoards {
    /// Whether a board has been solved with certain tables, the last iteration to its end where that is wanted.
    pub(super) fn has(&self, board: u32, tables: &str, to_the_end: bool) -> bool {
        self.with(board, tables).any(|finished| !to_the_end || finished.last_bound_nodes.is_some())
    }

    /// Nodes of the whole last iteration of a board with certain tables, if some search went to its end.
    pub(super) fn last_bound_nodes(&self, board: u32, tables: &str) -> Option<u64> {
        self.with(board, tables).find_map(|finished| finished.last_bound_nodes)
    }

    /// The searches of a board with certain tables.
    fn with(&self, board: u32, tables: &str) -> impl Iterator<Item = &Finished> {
        self.all().iter().filter(move |finished| finished.board == board && finished.tables == tables)
    }

    /// The search of a board that took the threads least time.
    pub(super) fn best(&self, board: u32) -> Option<&Finished> {
        let of_board = self.all().iter().filter(|finished| finished.board == board);
        of_board.min_by(|a, b| a.cpu().total_cmp(&b.cpu()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finished(board: u32, tables: &str) -> Finished {
        Finished {
            board,
            length: 95,
            nodes: 163_000_000,
            complete_nodes: Some(150_000_000),
            last_bound_nodes: None,
            seconds: 7.5,
            cpu_seconds: Some(15.25),
            threads: 2,
            tables: tables.to_owned(),
            program: "0.1.0".to_owned(),
        }
    }

    #[test]
    fn what_was_finished_is_found_again() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.tsv");
        let mut boards = FinishedBoards::open(&path).unwrap();
        let unknown =
            Finished { complete_nodes: None, last_bound_nodes: Some(7), cpu_seconds: None, ..finished(2, "a") };
        boards.add(finished(1, "a")).unwrap();
        boards.add(unknown).unwrap();
        boards.add(Finished { cpu_seconds: Some(1.0), ..finished(1, "b") }).unwrap();
        let again = FinishedBoards::open(&path).unwrap();
        assert_eq!(again.all(), boards.all());
        assert_eq!((again.has(1, "a", false), again.has(1, "b", false), again.has(2, "b", false)), (true, true, false));
        assert_eq!((again.has(1, "a", true), again.has(2, "a", true)), (false, true), "to the end");
        assert_eq!((again.last_bound_nodes(1, "a"), again.last_bound_nodes(2, "a")), (None, Some(7)));
        assert_eq!(again.best(1).map(|best| &*best.tables), Some("b"));
        assert_eq!(again.best(2).map(Finished::cpu), Some(15.0));
        assert_eq!(again.best(3), None);
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().filter(|line| line.starts_with('#')).count(), 3, "the head is written once: {text}");
    }

    #[test]
    fn a_line_that_was_interrupted_is_passed_over_and_one_that_is_wrong_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.tsv");
        let mut boards = FinishedBoards::open(&path).unwrap();
        boards.add(finished(1, "a")).unwrap();
        boards.add(finished(2, "a")).unwrap();
        let whole = std::fs::read_to_string(&path).unwrap();
        let second = whole.trim_end().rfind('\n').unwrap() + 1;
        for length in [second + 1, second + 10, whole.len() - 8, whole.len() - 1] {
            std::fs::write(&path, &whole[..length]).unwrap();
            let mut boards = FinishedBoards::open(&path).unwrap();
            assert_eq!((boards.has(1, "a", false), boards.has(2, "a", false)), (true, false));
            boards.add(finished(2, "a")).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
        }
        std::fs::write(&path, whole.replacen("163000000", "many", 1)).unwrap();
        let error = FinishedBoards::open(&path).err().unwrap().to_string();
        assert!(error.contains("results.tsv, line 4: it is no result of a board"), "{error}");
    }
}
