//! The chart as its caller describes it: plain data, drawn as SVG or PNG.

use crate::axis::Axis;
use crate::draw;
#[cfg(feature = "png")]
use crate::raster;

/// A picture of some series of points over two axes. It is written out field by field wherever one is drawn, so that the code
/// reads like the chart; a new field is a change that every caller should see.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// The headline, in bold; may be empty.
    pub title: String,
    /// A smaller line below the title, such as where the numbers are from.
    pub subtitle: Option<String>,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// What is drawn, the first one at the back. A legend names them if they are more than one.
    pub series: Vec<Series>,
}

impl Chart {
    /// The chart as SVG text that needs nothing else: no script, no style sheet, no font.
    pub fn svg(&self) -> String {
        draw::picture(self).0
    }

    /// The chart as the bytes of a PNG file of the given width; the height follows from the chart.
    ///
    /// # Errors
    ///
    /// If the width is zero or more than [`MAX_WIDTH`](crate::MAX_WIDTH).
    #[cfg(feature = "png")]
    pub fn png(&self, width_in_pixels: u32) -> Result<Vec<u8>, raster::PlotError> {
        raster::check_width(width_in_pixels)?;
        let (svg, size) = draw::picture(self);
        Ok(raster::png(&svg, size, width_in_pixels))
    }
}

/// Points that belong together.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Series {
    /// What the legend calls it.
    pub name: String,
    /// How the points are drawn.
    pub style: Style,
    /// Pairs of x and y. Those without a place on the axes are left out.
    pub points: Vec<(f64, f64)>,
}

impl Series {
    /// A series of some points.
    pub fn new(name: impl Into<String>, style: Style, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        Series { name: name.into(), style, points: points.into_iter().collect() }
    }
}

/// How the points of a series are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Style {
    /// A bar from the bottom of the axis (or from zero) to each point; several series stand side by side.
    Bars,
    /// A line through the points in their order, interrupted where a point has no place on the axes.
    Line,
    /// A marker at each point.
    Points,
    /// The outline of a histogram: each value holds halfway to its neighbours in x. Best for several histograms.
    Steps,
}

impl Style {
    /// Whether the eye compares areas, which therefore have to begin at the bottom.
    pub(crate) fn is_filled(self) -> bool {
        matches!(self, Style::Bars | Style::Steps)
    }
}
