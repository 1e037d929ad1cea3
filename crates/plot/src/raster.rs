//! Turns the SVG of a chart into the bytes of a PNG.

use std::fmt;
use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{Options, Tree};

use crate::text;

/// The widest picture that is drawn, in pixels: enough for a poster, and it fits in memory.
pub const MAX_WIDTH: u32 = 10_000;

/// Why a chart could not be drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PlotError {
    /// The width that was asked for is zero or too large.
    Width {
        /// The width that was asked for.
        found: u32,
    },
}

impl fmt::Display for PlotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlotError::Width { found } => {
                write!(f, "a picture is 1 to {MAX_WIDTH} pixels wide, found {found}; for any other size write an SVG")
            }
        }
    }
}

impl std::error::Error for PlotError {}

pub(crate) fn check_width(width: u32) -> Result<(), PlotError> {
    if (1..=MAX_WIDTH).contains(&width) { Ok(()) } else { Err(PlotError::Width { found: width }) }
}

/// The font that comes with this crate, and no other: pictures do not depend on the machine.
static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for font in [text::REGULAR, text::BOLD] {
        fonts.load_font_source(Source::Binary(Arc::new(font)));
    }
    fonts.set_sans_serif_family("Noto Sans");
    Arc::new(fonts)
});

/// Rasterises one of our own pictures, whose size is given in its own units.
pub(crate) fn png(svg: &str, size: (f64, f64), width: u32) -> Vec<u8> {
    let options = Options { fontdb: FONTS.clone(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).expect("a chart is drawn as valid SVG");
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
    fn the_font_has_the_family_that_charts_ask_for() {
        let families: Vec<_> = FONTS.faces().map(|face| (face.families[0].0.as_str(), face.weight.0)).collect();
        assert_eq!(families, [("Noto Sans", 400), ("Noto Sans", 700)]);
    }

    #[test]
    fn an_error_says_what_to_do() {
        let text = check_width(0).unwrap_err().to_string();
        assert_eq!(text, "a picture is 1 to 10000 pixels wide, found 0; for any other size write an SVG");
        assert!(check_width(MAX_WIDTH + 1).is_err() && check_width(MAX_WIDTH).is_ok() && check_width(1).is_ok());
    }
}
