//! What it takes to look at boards.

use tilebase_engine::Solver;
use tilebase_heuristics::{About, AnyListed};
use tilebase_puzzle::{Frame, Partition};

/// Tables or heuristics, ready to be used, and what they are called.
#[derive(Debug)]
pub struct Chosen {
    /// What they are called.
    pub name: String,
    /// The patterns of the first sum, if there is one.
    pub partition: Option<Partition>,
    /// Solves boards by them.
    pub solver: Solver,
    /// A known catalogue with larger patterns whose tables are not there.
    pub stronger: Option<String>,
}

/// Tables and all heuristics for boards with one goal. Some take a moment to make; to use them takes none.
#[derive(Debug)]
pub struct Lookout {
    /// The tables.
    pub chosen: Chosen,
    pub(crate) listed: Vec<(About, AnyListed)>,
}

impl Lookout {
    /// One with these tables, and the heuristics of the list that suit their boards.
    pub fn new(chosen: Chosen) -> Lookout {
        let frame = chosen.solver.frame();
        let suits = |about: About| Some((about, AnyListed::new(about.name, frame.size(), frame.home()).ok()?));
        let listed = AnyListed::abouts().into_iter().filter_map(suits).collect();
        Lookout { chosen, listed }
    }

    /// The goal's frame.
    pub fn frame(&self) -> &Frame {
        self.chosen.solver.frame()
    }
}
