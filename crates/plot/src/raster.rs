//! Turns the SVG of a chart into the bytes of a PNG.

use std::fmt::Write;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use roxmltree::{Document, Node};

use crate::text::{BOLD, REGULAR, Ruler};

/// The widest picture that is drawn, in pixels: enough for a poster, and it fits in memory.
pub const MAX_WIDTH: u32 = 10_000;

/// Why a chart could not be drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// The width that was asked for is zero or too large.
    #[error("a picture is 1 to {MAX_WIDTH} pixels wide, found {found}; for any other size write an SVG")]
    Width {
        /// The width that was asked for.
        found: u32,
    },
}

pub(crate) fn check_width(width: u32) -> Result<(), PlotError> {
    if (1..=MAX_WIDTH).contains(&width) { Ok(()) } else { Err(PlotError::Width { found: width }) }
}

/// A picture with its texts as outlines of the font that comes with this crate, and no other: pictures do not depend on the machine,
/// and the rasteriser need not know fonts.
fn outlined(svg: &str) -> String {
    let document = Document::parse(svg).expect("a chart is drawn as valid SVG");
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    let mut drawn = String::with_capacity(4 * svg.len());
    let mut end = 0;
    for text in texts {
        drawn += &svg[end..text.range().start];
        outline(text, &mut drawn);
        end = text.range().end;
    }
    drawn + &svg[end..]
}

fn outline(text: Node<'_, '_>, svg: &mut String) {
    let number = |node: Node<'_, '_>, name: &str| node.attribute(name).and_then(|value| value.parse::<f64>().ok());
    let inherited =
        |node: Node<'_, '_>, name: &str| node.ancestors().find_map(|node| node.attribute(name).map(str::to_owned));
    let font = if inherited(text, "font-weight").as_deref() == Some("bold") { BOLD } else { REGULAR };
    let pieces = text.descendants().filter(Node::is_text).filter_map(|piece| {
        let parent = piece.parent()?;
        let size = inherited(parent, "font-size")?.parse().ok()?;
        Some((Ruler::new(font, size), piece.text()?, number(parent, "dy").unwrap_or(0.0)))
    });
    let pieces: Vec<(Ruler, &str, f64)> = pieces.collect();
    let width: f64 = pieces.iter().map(|(ruler, text, _)| ruler.width(text)).sum();
    let shift = match inherited(text, "text-anchor").as_deref() {
        Some("middle") => width / 2.0,
        Some("end") => width,
        _ => 0.0,
    };
    let (mut x, mut y) = (number(text, "x").unwrap_or(0.0) - shift, number(text, "y").unwrap_or(0.0));
    svg.push_str("<path");
    for name in ["fill", "transform"] {
        if let Some(value) = text.attribute(name) {
            _ = write!(svg, r#" {name}="{value}""#);
        }
    }
    svg.push_str(r#" d=""#);
    for (ruler, text, dy) in pieces {
        y += dy;
        for character in text.chars() {
            x += ruler.outline(character, &mut Pen { svg, x, y, scale: ruler.scale });
        }
    }
    svg.push_str(r#""/>"#);
}

/// Writes the outline of a character as the commands of a path.
struct Pen<'a> {
    svg: &'a mut String,
    x: f64,
    y: f64,
    scale: f64,
}

impl Pen<'_> {
    fn command(&mut self, letter: char, points: &[(f32, f32)]) {
        self.svg.push(letter);
        for &(x, y) in points {
            let (x, y) = (self.x + f64::from(x) * self.scale, self.y - f64::from(y) * self.scale);
            _ = write!(self.svg, "{x:.2} {y:.2} ");
        }
    }
}

impl ttf_parser::OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        self.command('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.command('L', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.command('Q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.command('C', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.command('Z', &[]);
    }
}

/// Rasterises one of our own pictures, whose size is given in its own units.
pub(crate) fn png(svg: &str, size: (f64, f64), width: u32) -> Vec<u8> {
    let tree = Tree::from_str(&outlined(svg), &Options::default()).expect("a chart is drawn as valid SVG");
    let scale = f64::from(width) / size.0;
    let height = ((size.1 * scale).round() as u32).max(1);
    let mut pixels = Pixmap::new(width, height).expect("the width of a picture has been checked");
    resvg::render(&tree, Transform::from_scale(scale as f32, scale as f32), &mut pixels.as_mut());
    pixels.encode_png().expect("a picture in memory can be written to memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_paths_where_they_stand() {
        let svg = r##"<svg xmlns="http://www.w3.org/2000/svg"><g font-size="10" text-anchor="middle"><text x="50" y="20" fill="#123456">10<tspan dy="-4" font-size="8">3</tspan></text></g></svg>"##;
        let drawn = outlined(svg);
        assert!(!drawn.contains("<text") && drawn.contains(r##"<path fill="#123456" d="M"##), "{drawn}");
        let (start, end) = (drawn.find("d=\"").unwrap() + 3, drawn.rfind("\"/>").unwrap());
        let numbers =
            drawn[start..end].split(|c: char| c.is_ascii_alphabetic() || c == ' ').filter(|text| !text.is_empty());
        let points: Vec<f64> = numbers.map(|number| number.parse().unwrap()).collect();
        let (left, right) = points.iter().step_by(2).fold((f64::MAX, f64::MIN), |(a, b), &x| (a.min(x), b.max(x)));
        assert!((40.0..50.0).contains(&left) && (50.0..60.0).contains(&right), "centred: {left} to {right}");
        assert!(
            points.iter().skip(1).step_by(2).all(|&y| (8.0..=20.5).contains(&y)),
            "above the line, the last raised"
        );
    }

    #[test]
    fn an_error_says_what_to_do() {
        let text = check_width(0).unwrap_err().to_string();
        assert_eq!(text, "a picture is 1 to 10000 pixels wide, found 0; for any other size write an SVG");
        assert!(check_width(MAX_WIDTH + 1).is_err() && check_width(MAX_WIDTH).is_ok() && check_width(1).is_ok());
    }
}
