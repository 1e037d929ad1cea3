//! Solvers as commands open them: with a bar, Ctrl-C, and warnings about tables that had to be passed over.

use tilebase::{Event, Solver, SolverBuilder, SolverError, Step, TableSource, TablesError};

use crate::bars;
use crate::failure::{Exit, Failure};
use crate::options::{Common, use_threads};
use crate::output::Output;

/// Where a command's tables come from.
pub(crate) fn source(common: &Common) -> TableSource {
    TableSource::new(common.store()).with_threads(common.threads())
}

/// Opens a solver, with the tables of a source.
pub(crate) fn open(
    builder: SolverBuilder<'_>,
    source: &TableSource,
    threads: usize,
    output: &Output,
) -> Result<Solver, Failure> {
    let solver = bars::watched(output, |watch| {
        let watch = |event: &Event<'_>| {
            if matches!(event, Event::Begin { .. }) {
                use_threads(threads);
            }
            watch(event)
        };
        builder.source(source).watch(&watch).open()
    });
    match &solver {
        Ok(solver) => warn(solver.steps(), output),
        Err(SolverError::NoTables(steps)) => warn(steps, output),
        Err(_) => {}
    }
    solver.map_err(|error| {
        let is_damaged = match &error {
            SolverError::Tables { error, .. } => {
                matches!(&**error, TablesError::Packed(packed) if packed.is_damage())
            }
            _ => false,
        };
        Failure::new(error).with_exit(if is_damaged { Exit::Negative } else { Exit::Error })
    })
}

/// Says which tables were passed over, and why.
fn warn(steps: &[Step], output: &Output) {
    for step in steps {
        if let Step::PassedOver(name, error) = step {
            output.warning(format!("the tables of {name} are not used: {error}"));
        }
    }
}
