//! Searches as they are given on the command line.

use clap::builder::TypedValueParser;
use tilebase::Search;
use tilebase::solve::Weight;

use crate::options::one_of;
use crate::{Failure, Result};

/// A search by its name; weighted ones have a name of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Algorithm {
    pub(crate) name: &'static str,
    pub(crate) search: Search,
    is_weighted: bool,
}

impl Algorithm {
    /// Reads a name; `--help` shows all of them.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Algorithm> {
        let named = |name, summary, search, is_weighted| (name, summary, Algorithm { name, search, is_weighted });
        let plain = move |search: Search| named(search.about().name, search.about().summary, search, false);
        let weighted = move |search: Search| {
            let (name, summary) = search.about().weighted?;
            Some(named(name, summary, search, true))
        };
        let searches = || Search::all().into_iter();
        one_of(searches().map(plain).chain(searches().filter_map(weighted)))
    }

    /// Refuses what makes no sense together.
    pub(crate) fn check(self, weight: Weight, has_heuristic: bool) -> Result<()> {
        if self.is_weighted && weight == Weight::ONE {
            return Err(Failure::new(format!("{} needs a weight: add --weight 2, for example", self.name)));
        }
        if has_heuristic && !self.search.about().uses_heuristic {
            return Err(Failure::new(format!("{} asks no heuristic: leave --heuristic and --tables out", self.name)));
        }
        Ok(())
    }
}
