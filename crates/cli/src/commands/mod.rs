//! The commands, a file each.

mod analyse;
mod bench;
mod census;
mod completions;
mod convert;
#[cfg(feature = "plot")]
mod draw;
mod generate;
#[cfg(feature = "lab")]
mod lab;
mod man;
mod moves;
mod scramble;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod solve;
mod tables;

/// Commands to choose from, each of a type with its name that runs it.
macro_rules! commands {
    (
        $(#[$about:meta])* $Commands:ident:
        $($(#[cfg($feature:meta)])? $(#[command($($nested:tt)+)])? $file:ident::$Name:ident,)*
    ) => {
        #[derive(clap::Subcommand, Debug)]
        $(#[$about])*
        pub(crate) enum $Commands {
            $($(#[cfg($feature)])? $(#[command($($nested)+)])? $Name($file::$Name)),*
        }

        impl $Commands {
            pub(crate) fn run(&self, session: &crate::Session) -> crate::Result {
                match self {
                    $($(#[cfg($feature)])? $Commands::$Name(command) => command.run(session)),*
                }
            }
        }
    };
}
use commands;

commands! {
    Command:
    solve::Solve,
    generate::Generate,
    #[command(subcommand)] tables::Tables,
    show::Show,
    #[command(alias = "analyze")] analyse::Analyse,
    census::Census,
    scramble::Scramble,
    convert::Convert,
    #[command(subcommand)] moves::Moves,
    #[cfg(feature = "plot")] draw::Draw,
    #[cfg(feature = "lab")] lab::Lab,
    #[cfg(feature = "serve")] serve::Serve,
    #[command(subcommand)] bench::Bench,
    completions::Completions,
    man::Man,
}

impl Command {
    /// Whether work is spread over rayon's threads, which have to be started for it.
    pub(crate) fn is_parallel(&self) -> bool {
        match self {
            Command::Tables(tables) => !matches!(tables, tables::Tables::Path(_) | tables::Tables::Info(_)),
            other => matches!(other, Command::Bench(_)),
        }
    }
}
