//! A solution as the boards that it leads through.

use tilebase::puzzle::{Board, Direction, Metric, Rows};
use tilebase::solve::Solved;

use crate::options::NotationOptions;
use crate::session::counted;

/// What `--report` can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Report {
    /// What the n-puzzle exercise asks for.
    Exercise,
}

/// All boards of a solution, from the first to the last: one after each move.
pub(crate) fn along(board: &Board, slides: &[Direction], metric: Metric) -> Vec<Board> {
    let replay = |board: &Board, made: &[Direction]| board.replay(made).expect("solutions have been replayed");
    let after = metric.moves(slides).scan(*board, |board, made| {
        *board = replay(board, made);
        Some(*board)
    });
    std::iter::once(*board).chain(after).collect()
}

/// The boards of a solution, each on a line that is indented, or as a grid after an empty line.
pub(crate) fn text(board: &Board, slides: &[Direction], metric: Metric, options: &NotationOptions) -> String {
    let notation = options.notation();
    let gap = if notation.rows == Rows::Lines { "\n\n" } else { "\n  " };
    let boards = along(board, slides, metric);
    let lines = std::iter::once(String::new()).chain(boards.iter().map(|board| notation.write(board)));
    lines.collect::<Vec<_>>().join(gap)
}

/// What the n-puzzle exercise asks for: how many states were selected in the open set, the most states in memory at a time, the number
/// of moves, and every state from the first to the last.
pub(crate) fn exercise(board: &Board, solved: &Solved, metric: Metric) -> String {
    let effort = solved.effort;
    let digits = (board.size().count() - 1).to_string().len();
    let row = |labels: &[u8]| labels.iter().map(|label| format!("{label:>digits$}")).collect::<Vec<_>>().join(" ");
    let grid = |board: &Board| {
        let rows = board.labels().chunks(board.size().width());
        rows.map(row).collect::<Vec<_>>().join("\n")
    };
    let slides = solved.solutions.first().map(Vec::as_slice).unwrap_or_default();
    format!(
        "{} selected (complexity in time)\n{} in memory at most (complexity in size)\n{}\n\n{}",
        counted(effort.expanded, "state"),
        counted(effort.peak_nodes, "state"),
        counted(solved.length.into(), "move"),
        along(board, slides, metric).iter().map(grid).collect::<Vec<_>>().join("\n\n"),
    )
}
