//! Searches as they are given on the command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tilebase::Search;
use tilebase::solve::Weight;

use crate::failure::Failure;

/// A search by its name; weighted ones have a name of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Algorithm {
    pub(crate) name: &'static str,
    pub(crate) search: Search,
    is_weighted: bool,
}

impl Algorithm {
    fn all() -> impl Iterator<Item = (Algorithm, &'static str)> {
        let plain = Search::all().into_iter().map(|search| {
            let about = search.about();
            (Algorithm { name: about.name, search, is_weighted: false }, about.summary)
        });
        let weighted = Search::all().into_iter().filter_map(|search| {
            let (name, summary) = search.about().weighted?;
            Some((Algorithm { name, search, is_weighted: true }, summary))
        });
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
