//! tilebase for Python: the Rust half of the package `tilebase`, which is called `tilebase._tilebase` there.
//!
//! It is a face: it reads what Python gives (`boards`), asks the library, and hands over what Python expects (`board`, `solution`,
//! `solver`, `table`, `functions`). What takes long goes through `work`, which releases the interpreter, hears Ctrl-C and shows progress;
//! `errors` says what is raised. The other half, `python/tilebase`, has what is easier said in Python: names with defaults, bars,
//! plots. `_tilebase.pyi` has the types; a test holds it against what is here.

// Python passes arguments by value, and a frozen object has methods that need nothing of it.
#![allow(clippy::needless_pass_by_value, clippy::unused_self)]

mod board;
mod boards;
mod errors;
mod functions;
mod solution;
mod solver;
mod store;
mod table;
mod work;

use pyo3::prelude::*;

/// The Rust half of tilebase.
#[pymodule]
mod _tilebase {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::board::PyBoard;
    #[pymodule_export]
    use crate::errors::{LimitReached, TableError, UnsolvableError};
    #[pymodule_export]
    use crate::functions::{
        branching_factor, install_truncation_handler, is_solvable, listed_heuristics, main, neighbours, scramble,
    };
    #[pymodule_export]
    use crate::solution::Solution;
    #[pymodule_export]
    use crate::solver::{PySolver, heuristic};
    #[pymodule_export]
    use crate::table::{PyTable, generate, tables};
    #[pymodule_export]
    use crate::work::_after_fork;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        let os = module.py().import("os")?;
        if os.hasattr("register_at_fork")? {
            let after = pyo3::types::PyDict::new(module.py());
            after.set_item("after_in_child", module.getattr("_after_fork")?)?;
            os.getattr("register_at_fork")?.call((), Some(&after))?;
        }
        Ok(())
    }
}
