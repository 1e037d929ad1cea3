//! For searches that ask for no bound.

use tilebase_puzzle::Axis;

use super::{Position, RunHeuristic};

/// Knows only that a board that is not solved needs a move.
#[derive(Clone, Copy, Debug)]
pub struct NoBoundOfRuns;

impl RunHeuristic for NoBoundOfRuns {
    type Node = ();
    type Begun = ();

    fn root(&self, _position: &Position, _axis: Axis) -> Option<()> {
        Some(())
    }

    fn cost(&self, (): &()) -> u32 {
        1
    }

    fn begin(&self, _position: &Position, _axis: Axis) {}

    fn finish(&self, (): &(), (): (), _position: &Position, _axis: Axis, most: u32) -> Result<(), u32> {
        if most == 0 { Err(1) } else { Ok(()) }
    }
}
