//! Compares the benchmarks of two commits in one run.
//!
//! The benchmarks themselves are in `benches/hot_paths`. `scripts/compare-benches` builds those of both commits and hands the two programs
//! to `compare-benches`, which is made of the parts here:
//!
//! * [`Program`] is a program of benchmarks: it lists them, and measures one of them once, which is a *turn*;
//! * [`Turn`] is what Criterion wrote about it;
//! * [`Rules::compare`] has both programs take turns until the noise is small enough, and [`Judgement`] says which one is slower, if one is;
//! * [`Report`] is how that is told.
//!
//! ```
//! use tilebase_benches::{Rules, Side, Verdict};
//!
//! // The new program takes a quarter longer, and every turn is a little different.
//! let mut turns = 0;
//! let measure = |side| {
//!     turns += 1;
//!     let noise = f64::from(turns * 7 % 5) / 1000.0;
//!     Ok::<f64, ()>(if side == Side::Old { 100.0 } else { 125.0 } * (1.0 + noise))
//! };
//! let judgement = Rules::default().compare(measure)?;
//! assert_eq!(judgement.verdict, Verdict::Slower);
//! assert!((judgement.change - 0.25).abs() < 0.01);
//! # Ok::<(), ()>(())
//! ```

mod judge;
mod program;
mod report;
mod turn;

pub use judge::{Judgement, Pair, Rules, Side, Verdict};
pub use program::{Program, ProgramError};
pub use report::{Compared, Report};
pub use turn::{Turn, TurnError};
