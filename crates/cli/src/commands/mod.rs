//! The commands, a file each.

mod bench;
mod convert;
mod generate;
#[cfg(feature = "lab")]
mod lab;
mod scramble;
#[cfg(feature = "serve")]
mod serve;
mod show;
mod solve;
mod tables;

use clap::Subcommand;

use crate::failure::{Exit, Failure};
use crate::options::Common;
use crate::output::Output;

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Solve(solve::Solve),
    Generate(generate::Generate),
    #[command(subcommand)]
    Tables(tables::Tables),
    Show(show::Show),
    Scramble(scramble::Scramble),
    Convert(convert::Convert),
    #[cfg(feature = "lab")]
    Lab(lab::Lab),
    #[cfg(feature = "serve")]
    Serve(serve::Serve),
    #[command(subcommand)]
    Bench(bench::Bench),
}

impl Command {
    pub(crate) fn run(&self, common: &Common, output: &Output) -> Result<Exit, Failure> {
        match self {
            Command::Solve(solve) => solve.run(common, output),
            Command::Generate(generate) => generate.run(common, output),
            Command::Tables(tables) => tables.run(common, output),
            Command::Show(show) => show.run(common, output),
            Command::Scramble(scramble) => scramble.run(common, output),
            Command::Convert(convert) => convert.run(output),
            #[cfg(feature = "lab")]
            Command::Lab(lab) => lab.run(common, output),
            #[cfg(feature = "serve")]
            Command::Serve(serve) => serve.run(common, output),
            Command::Bench(bench) => bench.run(common, output),
        }
    }
}
