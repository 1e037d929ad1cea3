//! Pictures in files.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use tilebase::format::{Draft, PACKED};
#[cfg(feature = "png")]
use tilebase_plot::PlotError;
use tilebase_plot::{BoardPicture, Chart};

use crate::{Failure, Result};

/// Pixels of pictures.
#[cfg(feature = "png")]
const WIDTH: u32 = 1440;

/// What can be drawn.
pub(crate) trait Picture {
    fn svg(&self) -> String;
    #[cfg(feature = "png")]
    fn png(&self, width: u32) -> Result<Vec<u8>, PlotError>;
}

macro_rules! pictures {
    ($($Type:ident),*) => {$(
        impl Picture for $Type {
            fn svg(&self) -> String {
                $Type::svg(self)
            }

            #[cfg(feature = "png")]
            fn png(&self, width: u32) -> Result<Vec<u8>, PlotError> {
                $Type::png(self, width)
            }
        }
    )*};
}
pictures!(BoardPicture, Chart);

/// Options of commands that can draw a picture.
#[derive(Args, Debug)]
pub(crate) struct PictureOptions {
    /// Draw the picture as SVG into this file
    #[arg(long, value_name = "FILE", value_parser = file("svg"))]
    svg: Option<PathBuf>,
    /// Draw the picture as PNG into this file
    #[cfg(feature = "png")]
    #[arg(long, value_name = "FILE", value_parser = file("png"))]
    png: Option<PathBuf>,
    /// Width of the PNG in pixels
    #[cfg(feature = "png")]
    #[arg(long, value_name = "N", default_value_t = WIDTH, requires = "png", value_parser = clap::value_parser!(u32).range(100..=10_000))]
    width: u32,
}

/// What names of pictures end with.
const PICTURES: [&str; 14] =
    ["avif", "bmp", "eps", "gif", "jpeg", "jpg", "pdf", "png", "ps", "svg", "svgz", "tif", "tiff", "webp"];

/// Reads the name of a file for a picture of a form.
fn file(form: &'static str) -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(move |file| match misnomer(&file, form) {
        Some(why) => Err(why),
        None => Ok(file),
    })
}

/// Why a file must not hold a picture of a form: its name is that of a table, or of a picture of another form. Any other ending is fine, and
/// so is none.
fn misnomer(file: &Path, form: &str) -> Option<String> {
    let ending = file.extension()?.to_string_lossy().to_lowercase();
    if ending == "tbl" || ending == PACKED {
        return Some("it is the name of a table, not of a picture".to_owned());
    }
    let is_other = ending != form && PICTURES.contains(&&*ending);
    is_other
        .then(|| format!("--{form} writes {}, not what .{ending} says: end the name in .{form}", form.to_uppercase()))
}

impl PictureOptions {
    /// Refuses two pictures in one file.
    #[cfg(feature = "png")]
    pub(crate) fn check(&self) -> Result<()> {
        match &self.svg {
            Some(file) if self.svg == self.png => {
                Err(Failure::new(format!("--svg and --png are both {}: give each its own file", file.display())))
            }
            _ => Ok(()),
        }
    }

    /// The files asked for, and what they are.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let svg = self.svg.iter().map(|file| ("svg", file.as_path()));
        #[cfg(feature = "png")]
        let svg = svg.chain(self.png.iter().map(|file| ("png", file.as_path())));
        svg
    }

    pub(crate) fn is_wanted(&self) -> bool {
        self.files().next().is_some()
    }

    /// Draws what was asked for.
    pub(crate) fn draw(&self, picture: &impl Picture) -> Result<()> {
        if let Some(file) = &self.svg {
            save(file, picture.svg().as_bytes())?;
        }
        #[cfg(feature = "png")]
        if let Some(file) = &self.png {
            save(file, &picture.png(self.width)?)?;
        }
        Ok(())
    }
}

/// Draws a chart into a directory, in every form that there is.
pub(crate) fn draw_into(directory: &Path, name: &str, chart: &Chart) -> Result<()> {
    save(&directory.join(format!("{name}.svg")), chart.svg().as_bytes())?;
    #[cfg(feature = "png")]
    save(&directory.join(format!("{name}.png")), &chart.png(WIDTH)?)?;
    Ok(())
}

/// Writes a picture: whole or not at all where a file is or will be, to whatever else the path is. Links are followed.
fn save(file: &Path, bytes: &[u8]) -> Result<()> {
    let target = std::fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let saved = if target.exists() && !target.is_file() {
        std::fs::write(&target, bytes)
    } else {
        Draft::new(target).and_then(|mut draft| draft.write_all(bytes).and_then(|()| draft.seal()).map(drop))
    };
    saved.map_err(|error| Failure::new(format!("cannot write {}: {error}", file.display())))
}
