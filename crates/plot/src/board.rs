//! A board of a sliding-tile puzzle as a picture, standing still or moving.

use std::fmt::Write;

use crate::look::{self, FAINT_INK, INK};
#[cfg(feature = "png")]
use crate::raster;
use crate::text::{self, Ruler, escape};

/// Pixels of a square.
const SIDE: usize = 64;
const MARGIN: usize = 20;
const TITLE_SIZE: usize = 15;
const TITLE_LINE: usize = 20;
const NOTE_SIZE: usize = 13;
const NOTE_LINE: usize = 18;
/// Pixels between two notes.
const NOTE_GAP: usize = 5;

/// Where the text of a note begins, behind its sign.
const INDENT: usize = 22;

/// A browser's font may be this much wider than ours.
const SLACK: f64 = 1.06;

/// Seconds of a move, of which the tile slides for a part.
const MOVE: f64 = 0.4;
const SLIDING: f64 = 0.25;

/// Seconds at the start and at the end.
const PAUSE: f64 = 1.5;

const TRAY: &str = "#57606a";
/// Tiles that belong to no group, as the squares of a chess board. White numbers can be read on both.
const DARK: &str = "#0072b2";
const LIGHT: &str = "#3a8dc0";
/// The yellow of Okabe and Ito, which no group has.
const MARK: &str = "#f0e442";

/// A board, and what is to be seen on it. Like a [`Chart`](crate::Chart) it is plain data.
///
/// ```
/// use tilebase_plot::{BoardPicture, Fill};
///
/// let mut picture = BoardPicture::new(2, &[1, 2, 0, 3]);
/// picture.fills[2] = Fill::Group(0);
/// picture.marks.push((0, 'a'));
/// picture.slides.push((3, 2)); // tile 3 slides to square 2
/// assert!(picture.svg().contains("<animateTransform"));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct BoardPicture {
    /// A headline; may be missing.
    pub title: Option<String>,
    /// The number of columns.
    pub columns: usize,
    /// The numbers on the squares, row by row; 0 is the blank.
    pub labels: Vec<u8>,
    /// How each tile looks, by its number; that of the blank is not used.
    pub fills: Vec<Fill>,
    /// Squares whose tiles are marked, and with what.
    pub marks: Vec<(usize, char)>,
    /// What is written below.
    pub notes: Vec<Note>,
    /// Tiles that slide one after the other, and the squares that they slide to. The picture plays them again and again; it needs
    /// no script, and where nothing moves, it shows the board.
    pub slides: Vec<(u8, usize)>,
}

/// The colour of a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Fill {
    /// One of the two colours of tiles that belong to no group.
    Dark,
    /// The other one.
    Light,
    /// The colour and the letter of a group, the first of which is 0.
    Group(usize),
}

/// A line below the board, with a sign that is to be found on it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Note {
    /// About a group of tiles.
    Group(usize, String),
    /// About tiles with a mark.
    Mark(char, String),
}

impl Fill {
    /// The colour, and that of the number on it.
    fn colours(self) -> (&'static str, &'static str) {
        match self {
            Fill::Dark => (DARK, "#fff"),
            Fill::Light => (LIGHT, "#fff"),
            Fill::Group(group) => {
                let colour = look::colour(group);
                let is_light = ["#cc79a7", "#e69f00", "#56b4e9"].contains(&colour);
                (colour, if is_light { INK } else { "#fff" })
            }
        }
    }
}

/// What a group is called: A to Z, a to z, and nothing.
fn letter(group: usize) -> String {
    ('A'..='Z').chain('a'..='z').nth(group).map(String::from).unwrap_or_default()
}

/// A piece of text in a picture.
fn text_at(x: f64, y: f64, size: usize, fill: &str, more: &str, words: &str) -> String {
    let (x, y) = (look::number_of(x), look::number_of(y));
    format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\"{more}>{}</text>", escape(words))
}

impl BoardPicture {
    /// A board with its tiles in one colour. Squares beyond the last full row are left empty.
    pub fn new(columns: usize, labels: &[u8]) -> BoardPicture {
        let count = usize::from(labels.iter().copied().max().unwrap_or(0)) + 1;
        BoardPicture {
            title: None,
            columns: columns.max(1),
            labels: labels.to_vec(),
            fills: vec![Fill::Dark; count],
            marks: Vec::new(),
            notes: Vec::new(),
            slides: Vec::new(),
        }
    }

    /// A board whose tiles are coloured by where they belong, like the squares of a chess board: `solved` has the numbers on the squares
    /// of the solved board.
    ///
    /// ```
    /// use tilebase_plot::{BoardPicture, Fill};
    ///
    /// let picture = BoardPicture::chequered(2, &[1, 2, 0, 3], &[1, 2, 3, 0]);
    /// assert_eq!(picture.fills[1..], [Fill::Dark, Fill::Light, Fill::Light]);
    /// ```
    pub fn chequered(columns: usize, labels: &[u8], solved: &[u8]) -> BoardPicture {
        let mut picture = BoardPicture::new(columns, labels);
        for (home, &label) in solved.iter().enumerate() {
            let (row, column) = (home / picture.columns, home % picture.columns);
            if let Some(fill) = picture.fills.get_mut(usize::from(label)) {
                *fill = if (row + column).is_multiple_of(2) { Fill::Dark } else { Fill::Light };
            }
        }
        picture
    }

    /// The picture as SVG text that needs nothing else.
    pub fn svg(&self) -> String {
        self.picture().0
    }

    /// The picture as the bytes of a PNG file of the given width. It shows the board before anything slides.
    ///
    /// # Errors
    ///
    /// If the width is zero or more than [`MAX_WIDTH`](crate::MAX_WIDTH).
    #[cfg(feature = "png")]
    pub fn png(&self, width_in_pixels: u32) -> Result<Vec<u8>, raster::PlotError> {
        raster::check_width(width_in_pixels)?;
        let (svg, size) = self.picture();
        Ok(raster::png(&svg, size, width_in_pixels))
    }

    fn picture(&self) -> (String, (f64, f64)) {
        let rows = self.labels.len().div_ceil(self.columns);
        let (wide, high) = (self.columns * SIDE, rows * SIDE);
        let lines = |words: &str, font, size: usize, width: usize| {
            Ruler::new(font, size as f64 * SLACK).wrap(words, width as f64, 4)
        };
        let title = self.title.as_deref().unwrap_or_default();
        let title_lines = lines(title, text::BOLD, TITLE_SIZE, wide);
        let notes = self.notes.iter().map(|note| match note {
            Note::Group(_, words) | Note::Mark(_, words) => lines(words, text::REGULAR, NOTE_SIZE, wide - INDENT),
        });
        let notes: Vec<Vec<String>> = notes.collect();
        let note_lines: usize = notes.iter().map(Vec::len).sum();
        let top = MARGIN + if title_lines.is_empty() { 0 } else { title_lines.len() * TITLE_LINE + 14 };
        let bottom =
            top + high + if notes.is_empty() { 0 } else { 14 + note_lines * NOTE_LINE + (notes.len() - 1) * NOTE_GAP };
        let (width, height) = (wide + 2 * MARGIN, bottom + MARGIN);

        let name = if title.is_empty() { format!("A board of {}×{rows}", self.columns) } else { title.to_owned() };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" role=\"img\" aria-label=\"{0}\" font-family=\"'Noto Sans',system-ui,sans-serif\">\n\
             <title>{0}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n",
            escape(&name)
        );
        for (number, line) in title_lines.iter().enumerate() {
            let (x, y) = (width as f64 / 2.0, (MARGIN + 12 + number * TITLE_LINE) as f64);
            svg += &text_at(x, y, TITLE_SIZE, INK, " font-weight=\"bold\" text-anchor=\"middle\"", line);
            svg.push('\n');
        }
        let (x, y, w, h) = (MARGIN - 4, top - 4, wide + 8, high + 8);
        _ = writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"8\" fill=\"{TRAY}\"/>");
        svg += &self.tiles(top);
        let mut y = top + high + 14;
        for (note, lines) in self.notes.iter().zip(&notes) {
            svg += &sign(note, y);
            for line in lines {
                svg += &text_at((MARGIN + INDENT) as f64, (y + NOTE_SIZE) as f64, NOTE_SIZE, FAINT_INK, "", line);
                svg.push('\n');
                y += NOTE_LINE;
            }
            y += NOTE_GAP;
        }
        svg += "</svg>\n";
        (svg, (width as f64, height as f64))
    }

    /// The tiles, and how they move.
    fn tiles(&self, top: usize) -> String {
        let mut svg = String::new();
        let place =
            |square: usize| format!("{},{}", MARGIN + square % self.columns * SIDE, top + square / self.columns * SIDE);
        let total = 2.0 * PAUSE + self.slides.len() as f64 * MOVE;
        for (square, &label) in self.labels.iter().enumerate().filter(|(_, label)| **label != 0) {
            let fill = self.fills.get(usize::from(label)).copied().unwrap_or(Fill::Dark);
            let (colour, ink) = fill.colours();
            let half = SIDE as f64 / 2.0;
            _ = write!(
                svg,
                "<g transform=\"translate({})\"><rect x=\"2\" y=\"2\" width=\"{w}\" height=\"{w}\" rx=\"6\" \
                 fill=\"{colour}\"/>",
                place(square),
                w = SIDE - 4,
            );
            let number = " font-weight=\"bold\" text-anchor=\"middle\"";
            svg += &text_at(half, half + 8.5, 24, ink, number, &label.to_string());
            if let Fill::Group(group) = fill {
                svg += &text_at(8.0, SIDE as f64 - 9.0, 11, ink, " font-weight=\"bold\"", &letter(group));
            }
            svg += &self.marks_on(square);
            // When the tile is where.
            let mut stops = vec![(0.0, place(square))];
            let moves = self.slides.iter().enumerate().filter(|(_, (moved, _))| *moved == label);
            for (number, &(_, to)) in moves {
                let start = (PAUSE + number as f64 * MOVE) / total;
                let before = stops[stops.len() - 1].1.clone();
                stops.extend([(start, before), (start + SLIDING / total, place(to))]);
            }
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
        svg
    }

    /// A frame around a tile that is marked, and its marks in the upper corners.
    fn marks_on(&self, square: usize) -> String {
        let marks: Vec<char> =
            self.marks.iter().filter(|(marked, _)| *marked == square).map(|(_, mark)| *mark).collect();
        if marks.is_empty() {
            return String::new();
        }
        let mut svg = format!(
            "<rect x=\"4\" y=\"4\" width=\"{w}\" height=\"{w}\" rx=\"5\" fill=\"none\" stroke=\"{MARK}\" \
             stroke-width=\"4\"/>",
            w = SIDE - 8
        );
        for (number, mark) in marks.iter().enumerate() {
            svg += &badge(SIDE as f64 - 12.0 - 17.0 * number as f64, 12.0, *mark);
        }
        svg
    }
}

/// A mark in a disc.
fn badge(x: f64, y: f64, mark: char) -> String {
    let (left, top) = (look::number_of(x), look::number_of(y));
    format!("<circle cx=\"{left}\" cy=\"{top}\" r=\"8.5\" fill=\"{MARK}\" stroke=\"{INK}\" stroke-width=\"1\"/>")
        + &text_at(x, y + 4.0, 11, INK, " font-weight=\"bold\" text-anchor=\"middle\"", &mark.to_string())
}

/// The sign before a note: what is to be found on the board.
fn sign(note: &Note, y: usize) -> String {
    match note {
        Note::Mark(mark, _) => badge((MARGIN + 8) as f64, (y + 8) as f64, *mark) + "\n",
        Note::Group(group, _) => {
            let (colour, ink) = Fill::Group(*group).colours();
            let more = " font-weight=\"bold\" text-anchor=\"middle\"";
            let (x, middle) = (MARGIN, (MARGIN + 8) as f64);
            format!("<rect x=\"{x}\" y=\"{y}\" width=\"16\" height=\"16\" rx=\"3\" fill=\"{colour}\"/>")
                + &text_at(middle, y as f64 + 12.0, 11, ink, more, &letter(*group))
                + "\n"
        }
    }
}
