//! The commands, a file each.

mod analyse;
mod bench;
mod completions;
mod convert;
mod generate;
#[cfg(feature = "lab")]
mod lab;
mod man;
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
        $($(#[cfg($feature:meta)])? $(#[command($nested:ident)])? $file:ident::$Name:ident,)*
    ) => {
        $(#[$about])*
        #[derive(clap::Subcommand, Debug)]
        pub(crate) enum $Commands {
            $($(#[cfg($feature)])? $(#[command($nested)])? $Name($file::$Name)),*
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
    analyse::Analyse,
    scramble::Scramble,
    convert::Convert,
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
