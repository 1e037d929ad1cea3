//! Solvers as commands open them: with a bar, Ctrl-C, and warnings about tables that had to be passed over.

use tilebase::lookup::Verified;
use tilebase::{Event, Solver, SolverBuilder, SolverError, Step, TableSource};

use crate::{Result, Session, bars};

/// Opens a solver, with the tables of a source.
pub(crate) fn open(builder: SolverBuilder<'_>, source: &TableSource, session: &Session) -> Result<Solver> {
    let solver = bars::watched(session, |watch| {
        let watch = |event: &Event<'_>| {
            if matches!(event, Event::Begin { .. }) {
                session.use_threads();
            }
            watch(event)
        };
        builder.source(source).watch(&watch).open()
    });
    let steps = match &solver {
        Ok(solver) => solver.steps(),
        Err(SolverError::NoTables(steps)) => steps,
        Err(_) => &[],
    };
    for step in steps {
        if let Step::PassedOver(name, error) = step {
            session.warning(format!("the tables of {name} are not used: {error}"));
        }
    }
    let solver = solver?;
    if session.common.trust && solver.tables().iter().any(|table| table.verified() == Verified::Not) {
        session.warning(format!(
            "the tables of {} were not verified: if they are damaged, answers are wrong",
            solver.name()
        ));
    }
    Ok(solver)
}
