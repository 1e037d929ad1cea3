//! Boards drawn for people.

use clap::builder::styling::{AnsiColor, Style};
use tilebase_puzzle::Board;

use crate::output::Output;

/// The board in a grid; with colours, tiles that are where they belong are green.
pub(crate) fn grid(board: &Board, goal: &Board, output: &Output) -> String {
    let size = board.size();
    let digits = (size.count() - 1).to_string().len();
    let line = |left: &str, middle: &str, right: &str| {
        let cells = vec!["─".repeat(digits + 2); size.width()];
        format!("{left}{}{right}", cells.join(middle))
    };
    let mut lines = vec![line("┌", "┬", "┐")];
    for row in 0..size.height() {
        if row > 0 {
            lines.push(line("├", "┼", "┤"));
        }
        let cells = (0..size.width()).map(|column| {
            let square = size.square(row, column);
            let label = board.label(square);
            let text = if label == 0 { String::new() } else { label.to_string() };
            let at_home = label != 0 && goal.label(square) == label;
            let style = if at_home { AnsiColor::Green.on_default() } else { Style::new() };
            format!(" {} ", output.styled(format!("{text:>digits$}"), style))
        });
        lines.push(format!("│{}│", cells.collect::<Vec<_>>().join("│")));
    }
    lines.push(line("└", "┴", "┘"));
    lines.join("\n")
}
