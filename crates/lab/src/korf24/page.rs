//! The page about the fifty boards: a row for each, what they took, and what the rest may take.

use tilebase::puzzle::known::OthersNodes;

use super::Task;
use super::finished::{Finished, FinishedBoards};
use crate::number;
use crate::report::markdown_of;
use crate::table::{Cell, Table};

const SECONDS_PER_HOUR: f64 = 3600.0;

/// Fewer boards say nothing about the rest.
const ENOUGH_FOR_AN_ESTIMATE: usize = 3;

/// A board, and its best search if it has been solved.
type Row<'a> = (&'a Task, Option<&'a Finished>);

fn rows<'a>(tasks: &'a [Task], finished: &'a FinishedBoards) -> Vec<Row<'a>> {
    let mut rows: Vec<Row<'a>> = tasks.iter().map(|task| (task, finished.best(task.id))).collect();
    rows.sort_by_key(|(task, _)| task.id);
    rows
}

/// All boards, in the order of their numbers.
pub(super) fn table(tasks: &[Task], finished: &FinishedBoards, quick: bool) -> Table {
    let rows = rows(tasks, finished);
    let ours = |row: &Row<'_>, cell: fn(&Finished) -> Cell| row.1.map(cell);
    let of_others = |row: &Row<'_>, nodes: fn(&OthersNodes) -> u64| (!quick).then(|| nodes(&row.0.others));
    let title = if quick { "Three boards near to the goal" } else { "The fifty boards" };
    Table::of("korf24", title, &rows)
        .column("board", |row| row.0.id)
        .column("moves", |row| row.1.map(|finished| finished.length).or(row.0.length))
        .column("solved", |row| row.1.map_or("not yet".to_owned(), |finished| format!("with {}", finished.tables)))
        .column("here: nodes", |row| ours(row, |finished| finished.nodes.into()))
        .column("here: of complete iterations", |row| ours(row, |finished| finished.complete_nodes.into()))
        .column("here: of the whole last one", |row| {
            row.1.and_then(|best| finished.last_bound_nodes(best.board, &best.tables))
        })
        .column("here: time †", |row| ours(row, |finished| Cell::Seconds(finished.seconds)))
        .column("here: CPU time †", |row| ours(row, |finished| Cell::Seconds(finished.cpu())))
        .column("Korf & Felner: 6-6-6-6", |row| of_others(row, |others| others.korf_felner))
        .column("Döbbelin et al.: 6-6-6-6", |row| of_others(row, |others| others.doebbelin[0]))
        .column("Döbbelin et al.: 8-8-8", |row| of_others(row, |others| others.doebbelin[1]))
        .column("Döbbelin et al.: maximum of four", |row| of_others(row, |others| others.doebbelin[4]))
        .column("Clausecker & Reinefeld: 6-6-6-6", |row| of_others(row, |others| others.clausecker[0]))
        .column("Clausecker & Reinefeld: small", |row| of_others(row, |others| others.clausecker[1]))
        .notes([
            "Nodes here are generated ones, to the first solution; those of complete iterations are all but the last iteration's, whose \
             number is luck. The others counted expanded nodes, to the first solution. A board that was solved with several sets of \
             tables has the search that took least CPU time.",
            "Moves of boards that are not solved yet are the published ones; every board that is solved has as many as published.",
        ])
        .table
}

/// The whole page.
pub(super) fn markdown(tasks: &[Task], finished: &FinishedBoards, quick: bool) -> String {
    let about = if quick {
        "This is the quick lab: boards a few random moves from the goal, to see that everything works. They are not those of \
         Korf & Felner, and are not to be compared with anything. Without --quick they are."
    } else {
        "Richard E. Korf & Ariel Felner, Disjoint Pattern Database Heuristics, Artificial Intelligence 134 (2002), solved fifty random boards \
         of the 24-puzzle. Robert Döbbelin, Thorsten Schütt & Alexander Reinefeld, Building Large Compressed PDBs for the Sliding Tile \
         Puzzle (2013), and Robert Clausecker & Alexander Reinefeld, Zero-Aware Pattern Databases with 1-Bit Compression for Sliding Tile \
         Puzzles (2019), solved them again with larger tables, and with more of them. Here they are beside ours."
    };
    let made = "Made by `tilebase lab korf24 --out docs/lab`, which solves the easiest board that is left, adds a line to `results.tsv`, and writes \
                this page; it goes on where it was, on any day.";
    let summary = summary(tasks, finished);
    let how = estimate_text(tasks, finished);
    let table = markdown_of(&table(tasks, finished, quick), 2);
    format!("# The 24-puzzle\n\n{about}\n\n{made}\n\n{summary}\n\n{how}{table}").trim_end().to_owned() + "\n"
}

/// How many boards are solved, what that took, and what the rest may take.
pub(super) fn summary(tasks: &[Task], finished: &FinishedBoards) -> String {
    let rows = rows(tasks, finished);
    let best: Vec<&Finished> = rows.iter().filter_map(|row| row.1).collect();
    if best.is_empty() {
        return format!("None of {} boards is solved yet.", rows.len());
    }
    let cpu: f64 = best.iter().map(|finished| finished.cpu()).sum();
    let solved = format!("{} of {} boards are solved, in {}", best.len(), rows.len(), hours(cpu));
    let Some(Estimate { least, most }) = estimate(&rows) else { return format!("{solved}.") };
    format!("{solved}. The rest is estimated to take {} to {}.", hours(least), hours(most))
}

/// Seconds of all threads as CPU-hours.
fn hours(seconds: f64) -> String {
    let hours = seconds / SECONDS_PER_HOUR;
    let decimals = match hours {
        _ if hours < 0.1 => 4,
        _ if hours < 10.0 => 2,
        _ => 0,
    };
    format!("{} CPU-hours", number::decimals(hours, decimals))
}

/// What the boards that are left may take, in CPU-seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Estimate {
    least: f64,
    most: f64,
}

/// What others needed, column by column of those with tables of about our strength.
const COLUMNS: [fn(&OthersNodes) -> u64; 4] = [
    |others| others.korf_felner,
    |others| others.doebbelin[1],
    |others| others.clausecker[0],
    |others| others.clausecker[1],
];

/// An estimate from each column: our CPU time for each of their nodes on the boards that are solved, times their nodes for the rest.
/// `None` when nothing is left, or too little is solved.
fn estimate(rows: &[Row<'_>]) -> Option<Estimate> {
    let solved: Vec<(&Task, &Finished)> = rows.iter().filter_map(|(task, best)| Some((*task, (*best)?))).collect();
    if solved.len() < ENOUGH_FOR_AN_ESTIMATE || solved.len() == rows.len() {
        return None;
    }
    let cpu: f64 = solved.iter().map(|(_, finished)| finished.cpu()).sum();
    let of_column = COLUMNS.map(|nodes| {
        let done: u64 = solved.iter().map(|(task, _)| nodes(&task.others)).sum();
        let left: u64 = rows.iter().filter(|row| row.1.is_none()).map(|row| nodes(&row.0.others)).sum();
        cpu * left as f64 / done as f64
    });
    let least = of_column.iter().copied().fold(f64::INFINITY, f64::min);
    Some(Estimate { least, most: of_column.iter().copied().fold(0.0, f64::max) })
}

/// Where the estimate comes from, if there is one.
fn estimate_text(tasks: &[Task], finished: &FinishedBoards) -> String {
    let rows = rows(tasks, finished);
    if estimate(&rows).is_none() {
        return String::new();
    }
    let solved: Vec<(&Task, &Finished)> = rows.iter().filter_map(|(task, best)| Some((*task, (*best)?))).collect();
    let ours: u64 = solved.iter().map(|(_, finished)| finished.nodes).sum();
    let theirs = |nodes: fn(&OthersNodes) -> u64| solved.iter().map(|(task, _)| nodes(&task.others)).sum::<u64>();
    let ratio = |nodes| number::decimals(ours as f64 / theirs(nodes) as f64, 2);
    let cpu: f64 = solved.iter().map(|(_, finished)| finished.cpu()).sum();
    format!(
        "The estimate: on the boards that are solved we generated {} times the nodes of Korf & Felner, {} times those of Döbbelin et al. with \
         8-8-8, {} and {} times those of Clausecker & Reinefeld with 6-6-6-6 and small, {} million a CPU-second. If these ratios and \
         this speed hold for the rest, each column gives an estimate; the least and the largest are told. Hard boards may well \
         have other ratios than easy ones.\n\n",
        ratio(COLUMNS[0]),
        ratio(COLUMNS[1]),
        ratio(COLUMNS[2]),
        ratio(COLUMNS[3]),
        number::decimals(ours as f64 / cpu / 1e6, 1),
    )
}

#[cfg(test)]
mod tests {
    use super::super::tasks;
    use super::*;

    /// A file with the first boards solved, each in as many seconds as Clausecker & Reinefeld's `small` had million nodes, on two
    /// threads.
    fn solved(count: usize) -> (tempfile::TempDir, FinishedBoards) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("results.tsv");
        let lines = tasks(false).into_iter().take(count).map(|task| {
            let nodes = task.others.clausecker[1];
            format!("{}\t{}\t{nodes}\t-\t-\t{}\t-\t2\ta\t0\n", task.id, task.length.unwrap(), nodes as f64 / 1e6)
        });
        std::fs::write(&path, lines.collect::<String>()).unwrap();
        let finished = FinishedBoards::open(&path).unwrap();
        (directory, finished)
    }

    #[test]
    fn every_board_has_a_row_and_those_not_solved_say_so() {
        let (_directory, finished) = solved(20);
        let page = markdown(&tasks(false), &finished, false);
        let is_row = |line: &&str| line.starts_with("| ") && line.as_bytes()[2].is_ascii_digit();
        let rows: Vec<&str> = page.lines().filter(is_row).collect();
        assert_eq!(rows.len(), 50);
        assert!(page.contains("| board | moves | solved |"), "{page}");
        assert_eq!(rows.iter().filter(|row| row.contains("| not yet |")).count(), 30);
        assert!(rows[0].starts_with("| 1 | 95 | with a | 53,848,738 |"), "{}", rows[0]);
        assert!(page.contains("20 of 50 boards are solved"), "{page}");
    }

    #[test]
    fn the_estimate_is_what_the_ratio_gives_and_there_is_none_without_need_or_ground() {
        let all = tasks(false);
        let of = |count| {
            let (_directory, finished) = solved(count);
            estimate(&rows(&all, &finished))
        };
        assert_eq!((of(0), of(2), of(50)), (None, None, None));
        let Estimate { least, most } = of(20).unwrap();
        let left: u64 = all[20..].iter().map(|task| task.others.clausecker[1]).sum();
        // By the column that the times were made from, it would be exactly this.
        let exact = 2.0 * left as f64 / 1e6;
        assert!(least <= exact * 1.000_001 && exact <= most * 1.000_001, "{least} {exact} {most}");
        let (_directory, finished) = solved(50);
        let total: u64 = all.iter().map(|task| task.others.clausecker[1]).sum();
        let expected = format!("50 of 50 boards are solved, in {}.", hours(2.0 * total as f64 / 1e6));
        assert_eq!(summary(&all, &finished), expected);
    }
}
