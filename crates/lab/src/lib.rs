//! Repeats the experiments of papers on sliding-tile puzzles, and sets their figures beside ours.
//!
//! * a [`Paper`] is a plain description in `papers`: which searches it made, and its tables and plots;
//! * a [`Run`] is one search; what came of it is a line in the file of [`Results`], so that a lab that was interrupted goes on
//!   where it was, and two papers that ask the same thing have it searched once;
//! * a [`Lab`] plans the searches of papers, makes those that are missing, on all cores, and writes a [`Report`];
//! * a report has [plots](Plot) and [tables](Table), as a page of HTML, as Markdown, and each in files of its own.
//! * [`Korf24`] is the fifty boards of the 24-puzzle, whose searches take hours: its results grow over days;
//! * [`Anytime`] measures how soon a good solution is there, and how good it is proven to be.
//!
//! ```
//! use tilebase_lab::{Lab, Options, Paper};
//!
//! # let directory = std::env::temp_dir().join(format!("tilebase-lab-{}", std::process::id()));
//! let mut options = Options::new(directory.clone());
//! options.quick = true;
//! let mut lab = Lab::open(options)?;
//! let plan = lab.plan(&[Paper::Bauer]);
//! assert!(plan.left() > 0);
//! lab.search(&plan)?;
//! let report = lab.report(Paper::Bauer)?;
//! let page = lab.write(&report)?;
//! assert!(page.ends_with("bauer/index.html"));
//! # drop(lab);
//! # std::fs::remove_dir_all(directory)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod animation;
mod anytime;
mod bench;
mod error;
mod kept_lines;
mod korf24;
mod lab;
mod number;
mod pairs;
mod papers;
mod report;
mod results;
mod rezk_program;
mod run;
mod table;
mod tables;

pub use anytime::{Anytime, AnytimeOptions, Task};
pub use error::LabError;
pub use korf24::{Finished, Korf24, Korf24Options};
pub use lab::{Lab, Options, Plan};
pub use papers::{About, Paper};
pub use report::{Plot, Report};
pub use results::Results;
pub use run::{Done, How, Run, Tables};
pub use table::{Cell, Column, Table};
