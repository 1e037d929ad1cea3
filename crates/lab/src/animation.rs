//! A solution as a picture that moves.

use std::fmt::Write;

use tilebase::puzzle::{Board, Direction, Square};

/// Pixels of a square.
const SIDE: usize = 64;
const MARGIN: usize = 20;
const TITLE: usize = 34;

/// Seconds of a move, of which the tile slides for a part.
const MOVE: f64 = 0.4;
const SLIDING: f64 = 0.25;

/// Seconds at the start and at the end.
const PAUSE: f64 = 1.5;

/// An SVG that plays the slides made from a board again and again. It needs no script; where nothing moves, it shows the board.
///
/// # Panics
/// When a slide cannot be made.
pub(crate) fn animation(board: &Board, slides: &[Direction], title: &str) -> String {
    let size = board.size();
    let (width, height) = (size.width() * SIDE + 2 * MARGIN, size.height() * SIDE + 2 * MARGIN + TITLE);
    let total = 2.0 * PAUSE + slides.len() as f64 * MOVE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"'Noto Sans',sans-serif\" text-anchor=\"middle\">\n<rect width=\"{width}\" height=\"{height}\" \
         fill=\"#fff\"/>\n<text x=\"{}\" y=\"{}\" font-size=\"15\" font-weight=\"bold\" fill=\"#1f2328\">{}</text>\n\
         <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"#57606a\"/>\n",
        width / 2,
        MARGIN + 12,
        crate::report::escape(title),
        MARGIN - 4,
        MARGIN + TITLE - 4,
        size.width() * SIDE + 8,
        size.height() * SIDE + 8,
    );
    let place = |board: &Board, label: usize| {
        let (row, column) = size.row_column(board.squares_by_label()[label]);
        format!("{},{}", MARGIN + column * SIDE, MARGIN + TITLE + row * SIDE)
    };
    // For each label when it is where.
    let mut stops: Vec<Vec<(f64, String)>> = (0..size.count()).map(|label| vec![(0.0, place(board, label))]).collect();
    let mut now = *board;
    for (number, &slide) in slides.iter().enumerate() {
        let start = (PAUSE + number as f64 * MOVE) / total;
        let label = usize::from(now.slide(slide).expect("a solution can be walked"));
        let before = stops[label][stops[label].len() - 1].1.clone();
        stops[label].extend([(start, before), (start + SLIDING / total, place(&now, label))]);
    }
    for (label, mut stops) in stops.into_iter().enumerate().skip(1) {
        let home = size.row_column(Square(label as u8 - 1));
        let fill = if (home.0 + home.1).is_multiple_of(2) { "#0072b2" } else { "#56b4e9" };
        _ = write!(
            svg,
            "<g transform=\"translate({})\"><rect x=\"2\" y=\"2\" width=\"{w}\" height=\"{w}\" rx=\"6\" fill=\"{fill}\"/>\
             <text x=\"{m}\" y=\"{y}\" font-size=\"24\" font-weight=\"bold\" fill=\"#fff\">{label}</text>",
            stops[0].1,
            w = SIDE - 4,
            m = SIDE / 2,
            y = SIDE / 2 + 8,
        );
        if stops.len() > 1 {
            stops.push((1.0, stops[stops.len() - 1].1.clone()));
            let (times, values): (Vec<String>, Vec<String>) =
                stops.into_iter().map(|(time, place)| (format!("{time:.5}"), place)).unzip();
            _ = write!(
                svg,
                "<animateTransform attributeName=\"transform\" type=\"translate\" dur=\"{total:.2}s\" \
                 repeatCount=\"indefinite\" values=\"{}\" keyTimes=\"{}\"/>",
                values.join(";"),
                times.join(";")
            );
        }
        svg += "</g>\n";
    }
    svg + "</svg>\n"
}
