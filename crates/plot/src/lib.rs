//! Draws charts for reports and papers, and boards.
//!
//! A [`Chart`] is plain data: a title, two [`Axis`], and [`Series`] of points in a [`Style`]. [`Chart::svg`] draws it as
//! SVG text; `Chart::png`, with the feature `png`, rasterises the same picture. Ranges, ticks, colours, legend and margins are chosen from the
//! data; the same chart gives the same bytes.
//!
//! ```
//! use tilebase_plot::{Axis, Chart, Series, Style};
//!
//! let states_by_cost = [1.0, 2.0, 4.0, 10.0, 24.0, 54.0, 107.0, 212.0, 446.0, 946.0, 1948.0];
//! let points = states_by_cost.iter().enumerate().map(|(cost, &states)| (cost as f64, states));
//! let chart = Chart {
//!     title: "States of the 15-puzzle by depth".into(),
//!     subtitle: Some("Counted from the solved board".into()),
//!     x: Axis::linear("depth in moves"),
//!     y: Axis::log10("states"),
//!     series: vec![Series::new("15-puzzle", Style::Bars, points)],
//! };
//! assert!(chart.svg().starts_with("<svg"));
//! assert!(chart.png(1200)?.starts_with(b"\x89PNG")); // with the feature `png`
//! # Ok::<(), tilebase_plot::PlotError>(())
//! ```
//!
//! A [`BoardPicture`] is a board with its tiles, marks and notes, drawn in the same two forms; as SVG it can play moves.
//!
//! Nothing that stands in a chart makes drawing fail: points that have no place on the axes (NaN, infinities, zero on a
//! logarithmic axis) are left out, and texts too long for their place are wrapped and then shortened with an ellipsis.
//!
//! The picture has its own white background, so that it reads the same on a light page, on a dark page and on paper. The
//! font of the PNG (Noto Sans, Apache-2.0) comes with this crate: a machine without fonts draws the same picture.

mod axis;
mod board;
mod chart;
mod clip;
mod draw;
mod legend;
mod look;
mod marks;
#[cfg(feature = "png")]
mod raster;
mod text;
mod ticks;
mod view;

pub use axis::{Axis, Scale};
pub use board::{BoardPicture, Fill, Note};
pub use chart::{Chart, Series, Style};
#[cfg(feature = "png")]
pub use raster::{MAX_WIDTH, PlotError};
