//! Searches as they are given on the command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tilebase::Search;
use tilebase_solve::Weight;

use crate::failure::Failure;

/// A search by its name; weighted ones have a name of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Algorithm {
    pub(crate) name: &'static str,
    pub(crate) search: Search,
    is_weighted: bool,
}

/// The weighted searches of the papers, which are others with a weight.
const WEIGHTED: [(&str, Search, &str); 2] = [
    ("weighted-ida", Search::IdaPlain, "ida-plain with a --weight: sooner there, by a longer way"),
    ("weighted-astar", Search::Astar, "astar with a --weight: sooner there, by a longer way"),
];

impl Algorithm {
    fn all() -> impl Iterator<Item = (Algorithm, &'static str)> {
        let plain = Search::ALL.into_iter().map(|search| {
            let about = search.about();
            (Algorithm { name: about.name, search, is_weighted: false }, about.summary)
        });
        let weighted = WEIGHTED
            .into_iter()
            .map(|(name, search, summary)| (Algorithm { name, search, is_weighted: true }, summary));
        plain.chain(weighted)
    }

    /// Reads a name; `--help` shows all of them.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Algorithm> {
        let names = Algorithm::all().map(|(algorithm, summary)| PossibleValue::new(algorithm.name).help(summary));
        PossibleValuesParser::new(names).map(|name| {
            let found = Algorithm::all().find(|(algorithm, _)| algorithm.name == name);
            found.expect("only names of searches are accepted").0
        })
    }

    /// Refuses what makes no sense together.
    pub(crate) fn check(self, weight: Weight, has_heuristic: bool) -> Result<(), Failure> {
        if self.is_weighted && weight == Weight::ONE {
            return Err(Failure::new(format!("{} needs a weight: add --weight 2, for example", self.name)));
        }
        if has_heuristic && !self.search.about().uses_heuristic {
            return Err(Failure::new(format!("{} asks no heuristic: leave --heuristic and --tables out", self.name)));
        }
        Ok(())
    }
}
