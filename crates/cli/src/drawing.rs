//! Boards drawn for people.

use clap::builder::styling::{AnsiColor, Style};
use tilebase::puzzle::{Board, Square};

use crate::Session;

/// The board in a grid, with marks behind some tiles; with colours, tiles that are where they belong are green.
pub(crate) fn grid(board: &Board, goal: &Board, marks: &[(Square, char)], session: &Session) -> String {
    let size = board.size();
    let digits = (size.count() - 1).to_string().len();
    let marks_of = |square: Square| marks.iter().filter(move |(marked, _)| *marked == square).map(|(_, mark)| *mark);
    let room = size.squares().map(|square| marks_of(square).count()).max().unwrap_or(0);
    let line = |left: &str, middle: &str, right: &str| {
        let cells = vec!["─".repeat(digits + room + 2); size.width()];
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
            let marks: String = marks_of(square).collect();
            let marks = session.styled(format!("{marks:<room$}"), AnsiColor::Yellow.on_default().bold());
            format!(" {}{marks} ", session.styled(format!("{text:>digits$}"), style))
        });
        lines.push(format!("│{}│", cells.collect::<Vec<_>>().join("│")));
    }
    lines.push(line("└", "┴", "┘"));
    lines.join("\n")
}
