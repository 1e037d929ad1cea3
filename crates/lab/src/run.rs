//! One search of an experiment, and what came of it.

use std::fmt;

use serde::{Deserialize, Serialize};
use tilebase::Search;
use tilebase::index::Kind;
use tilebase::puzzle::{Board, Goal};
use tilebase::solve::{Ids, Wanted, Weight};

/// Changes whenever a search counts its nodes in another way: what was found before is then searched again.
const COUNTING: u32 = 1;

/// Where a search gets its lower bounds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum How {
    /// A heuristic of the list, by name.
    Listed(&'static str),
    /// The tables of a catalogue.
    Tables(Tables),
    /// Bauer's pair distance with one partner for each tile, as in his program; it counts how many nodes have pairs.
    OnePartner,
    /// The program of Rezk's article: its Manhattan distance counts the blank as a tile.
    ArticleProgram,
}

/// The tables of a catalogue, and how they are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tables {
    /// The name of the catalogue.
    pub catalogue: &'static str,
    /// Blank-aware bits, or nibbles, as in the papers.
    pub kind: Kind,
    /// Whether the reflected board is looked up as well.
    pub reflected: bool,
}

impl Tables {
    /// As the papers have them: one entry for each placement of the tiles, wherever the blank is.
    pub const fn classic(catalogue: &'static str) -> Tables {
        Tables { catalogue, kind: Kind::Nibble, reflected: false }
    }

    /// As the papers have them, and the reflected board looked up as well.
    pub const fn classic_reflected(catalogue: &'static str) -> Tables {
        Tables { reflected: true, ..Tables::classic(catalogue) }
    }

    /// Blank-aware, and the reflected board looked up as well.
    pub const fn blank_aware(catalogue: &'static str) -> Tables {
        Tables { catalogue, kind: Kind::Bit, reflected: true }
    }
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            How::Listed(name) => f.write_str(name),
            How::Tables(Tables { catalogue, kind, reflected }) => {
                let kind = if kind.is_blank_aware() { "blank-aware" } else { "classic" };
                write!(f, "{catalogue} {kind}{}", if *reflected { " reflected" } else { "" })
            }
            How::OnePartner => f.write_str("pair-distance one partner"),
            How::ArticleProgram => f.write_str("manhattan with blank"),
        }
    }
}

/// A search to be made. Everything that its nodes depend on is part of its [key](Run::key).
#[derive(Clone, Debug)]
pub struct Run {
    /// The board.
    pub board: Board,
    /// What is to be reached.
    pub goal: Goal,
    /// Where bounds come from.
    pub how: How,
    /// The search.
    pub search: Search,
    /// One solution, or the number of all.
    pub wanted: Wanted,
    /// The weight of the bounds.
    pub weight: Weight,
    /// Nodes after which to give up.
    pub most_nodes: Option<u64>,
    /// About how many nodes it will generate: the largest are searched first, and the time left is told by it.
    pub expected: u64,
}

impl Run {
    /// The search for one shortest solution.
    pub fn new(board: Board, goal: Goal, how: How, search: Search, expected: u64) -> Run {
        let (wanted, weight) = (Wanted::First, Weight::ONE);
        Run { board, goal, how, search, wanted, weight, most_nodes: None, expected }
    }

    /// What tells it from every other search, the same in every version that counts in the same way. It does not name a paper:
    /// what two papers ask is searched once.
    pub fn key(&self) -> String {
        let Run { board, goal, how, search, weight, .. } = self;
        let wanted = if self.wanted == Wanted::First { "first" } else { "count" };
        let most = self.most_nodes.map(|nodes| format!(" | at most {nodes}")).unwrap_or_default();
        format!("{COUNTING} | {board} | {goal} | {how} | {search} | {wanted} | {weight}{most}")
    }

    /// About how many seconds it will take on one core of today. The rates are rough, and were taken on a virtual core.
    pub fn expected_seconds(&self) -> f64 {
        let rate = match (self.how, self.search) {
            (How::ArticleProgram, _) => 5e6,
            (_, Search::Astar(_)) => 3e6,
            (_, Search::Rbfs(_)) => 10e6,
            (_, Search::Ids(Ids { graph: true })) => 8e6,
            (How::Listed("manhattan"), _) => 100e6,
            (How::Listed(_), _) => 45e6,
            (How::OnePartner, _) => 20e6,
            (How::Tables(_), _) => 12e6,
        };
        1e-5 + self.expected as f64 / rate
    }
}

/// What came of a search. Counts are the same on every machine; times vary.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Done {
    /// Moves of the solution, unless a limit was reached.
    pub length: Option<u32>,
    /// How many shortest solutions there are, if they were counted.
    pub solutions: u64,
    /// The bound at the start.
    pub bound: u32,
    /// Nodes generated.
    pub generated: u64,
    /// Nodes expanded.
    pub expanded: u64,
    /// The most nodes kept at a time.
    pub peak_nodes: u64,
    /// The most bytes that they took.
    pub peak_bytes: u64,
    /// Which limit was reached, if one was.
    pub limit: Option<String>,
    /// What was counted besides: of [`How::OnePartner`], nodes with 0, 1, 2 and more pairs, and nodes with more pairs than the
    /// node before.
    pub counts: Vec<u64>,
    /// The solution, as tiles slide.
    pub moves: String,
    /// Seconds; they vary.
    pub seconds: f64,
    /// Seconds of them that the heuristic took, estimated from samples.
    pub heuristic_seconds: f64,
}

impl Done {
    /// Whether a solution was found.
    pub fn is_solved(&self) -> bool {
        self.length.is_some()
    }
}
