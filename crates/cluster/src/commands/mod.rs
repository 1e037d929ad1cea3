//! The commands, a file each, and what they have in common.

mod generate;
mod plan;
mod solve;

use clap::Subcommand;
use tilebase::format::layout;
use tilebase_cli::failure::{Exit, Failure, Result};
use tilebase_cli::session::Session;

use crate::agree::Texts;
use crate::team::Team;

/// What to do.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    Generate(generate::Generate),
    Plan(plan::Plan),
    Solve(solve::Solve),
}

impl Command {
    pub(crate) fn run(&self, session: &Session, team: &Team) -> Result {
        match self {
            Command::Generate(command) => command.run(session, team),
            Command::Plan(command) => command.run(session, team),
            Command::Solve(command) => command.run(session, team),
        }
    }
}

/// What the processes know of each other before work begins.
pub(crate) struct Roll<'a> {
    pub(crate) texts: Texts<'a>,
    team: &'a Team,
    /// The machine of each process.
    machines: Vec<String>,
}

impl<'a> Roll<'a> {
    /// Calls the processes: each says where it is and what it is. They must all be the same program.
    pub(crate) fn call(session: &Session, team: &'a Team) -> Result<std::result::Result<Roll<'a>, Exit>> {
        let texts = Texts::new(team);
        let machines = texts.of_all(&mpi::environment::processor_name().unwrap_or_default())?;
        let roll = Roll { texts, team, machines };
        let program = program()?;
        let of_first = roll.texts.of_first(|| program.clone())?;
        let refusal = (program != of_first)
            .then(|| format!("this is {program}, but process 0 is {of_first}: start the same program everywhere"));
        Ok(roll.all_can(session, refusal)?.map(|()| roll))
    }

    /// Whether all processes can go on. Otherwise the first one tells why not, and all end with the same exit code.
    pub(crate) fn all_can(&self, session: &Session, refusal: Option<String>) -> Result<std::result::Result<(), Exit>> {
        let refusals = self.texts.of_all(&refusal.unwrap_or_default())?;
        let refused: Vec<(usize, &String)> = refusals.iter().enumerate().filter(|(_, why)| !why.is_empty()).collect();
        if refused.is_empty() {
            return Ok(Ok(()));
        }
        if self.team.is_first() {
            for (rank, why) in refused {
                session.error(format!("{}: {why}", self.name(rank)));
            }
        }
        Ok(Err(Exit::Error))
    }

    /// How a process is called.
    pub(crate) fn name(&self, rank: usize) -> String {
        format!("process {rank} of {} on {}", self.machines.len(), self.machines[rank])
    }
}

/// What this program is: its version, and the hash of its file.
fn program() -> Result<String> {
    let file = std::env::current_exe().and_then(std::fs::read);
    let file = file.map_err(|error| Failure::new(format!("the program cannot read itself: {error}")))?;
    let hash = blake3::hash(&file).to_hex();
    Ok(format!("tilebase-cluster {} ({}, ranking {})", env!("CARGO_PKG_VERSION"), &hash[..12], layout::RANKING))
}
