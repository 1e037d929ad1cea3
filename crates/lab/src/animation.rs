//! A solution as a picture that moves.

use tilebase::puzzle::{Board, Direction, Square};
use tilebase_plot::{BoardPicture, Fill};

/// An SVG that plays the slides made from a board again and again.
///
/// # Panics
/// When a slide cannot be made.
pub(crate) fn animation(board: &Board, slides: &[Direction], title: &str) -> String {
    let size = board.size();
    let mut picture = BoardPicture::new(size.width(), board.labels());
    picture.title = Some(title.to_owned());
    for label in 1..size.count() {
        let (row, column) = size.row_column(Square(label as u8 - 1));
        picture.fills[label] = if (row + column).is_multiple_of(2) { Fill::Dark } else { Fill::Light };
    }
    let mut now = *board;
    for &slide in slides {
        let to = now.blank();
        let label = now.slide(slide).expect("a solution can be walked");
        picture.slides.push((label, to.index()));
    }
    picture.svg()
}
