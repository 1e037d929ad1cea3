//! The commands, a file each, and what they have in common.

mod generate;
mod plan;
mod solve;

use clap::Subcommand;
use tilebase::format::layout;
use tilebase::generate::PeersGone;
use tilebase_cli::failure::{Exit, Failure, Result};
use tilebase_cli::session::{Session, cores};

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
    /// What must be the same in all processes.
    pub(crate) fn common(&self) -> String {
        match self {
            Command::Generate(command) => command.common(),
            Command::Plan(_) => "plan".to_owned(),
            Command::Solve(command) => command.common(),
        }
    }

    /// Whether several processes do it together.
    pub(crate) fn is_shared(&self) -> bool {
        !matches!(self, Command::Plan(_))
    }

    pub(crate) fn run(&self, session: &Session, team: &Team, roll: &Roll<'_>) -> Result {
        let program = program()?;
        let of_first = roll.texts.of_first(|| program.clone())?;
        let refusal = (program != of_first)
            .then(|| format!("this is {program}, but process 0 is {of_first}: start the same program everywhere"));
        if let Err(exit) = roll.all_can(session, refusal)? {
            return Ok(exit);
        }
        match self {
            Command::Generate(command) => command.run(session, team, roll),
            Command::Plan(command) => command.run(session, team),
            Command::Solve(command) => command.run(session, team, roll),
        }
    }
}

/// The version of the messages between processes. It changes with every message that does, so that programs of different versions refuse
/// each other before they misunderstand each other.
///
/// | version | difference |
/// |---|---|
/// | 1 | tilebase 0.2: the first text of a process is its machine |
/// | 2 | it begins with the version; searches count in a metric |
const MESSAGES_VERSION: u32 = 2;

/// The first text of a process: the version of its messages, and its machine.
fn introduction(machine: &str) -> String {
    format!("messages {MESSAGES_VERSION} {machine}")
}

/// The version and the machine of an introduction. One without a version is from a process with the first.
fn introduced(text: &str) -> (u32, &str) {
    let with_version = text.strip_prefix("messages ").and_then(|rest| rest.split_once(' '));
    let numbered = with_version.and_then(|(version, machine)| Some((version.parse().ok()?, machine)));
    numbered.unwrap_or((1, text))
}

/// What the processes know of each other before work begins.
pub(crate) struct Roll<'a> {
    pub(crate) texts: Texts<'a>,
    team: &'a Team,
    /// The machine of each process.
    machines: Vec<String>,
    /// How many processes share the cores that this one may use.
    sharing: usize,
}

impl<'a> Roll<'a> {
    /// Calls the processes: each says where it is, and which cores it may use.
    pub(crate) fn call(team: &'a Team) -> Result<Roll<'a>, PeersGone> {
        let texts = Texts::new(team);
        let introductions = texts.of_all(&introduction(&team.machine))?;
        let introduced: Vec<(u32, &str)> = introductions.iter().map(|text| introduced(text)).collect();
        if let Some((version, machine)) = introduced.iter().find(|(version, _)| *version != MESSAGES_VERSION) {
            if team.is_first() {
                eprintln!(
                    "error: the program on {machine} has messages of version {version}, but process 0 has version {MESSAGES_VERSION}: \
                     start the same program everywhere"
                );
            }
            // Another program would wait for an answer that it understands.
            team.abort(Exit::Error.code());
            return Err(PeersGone);
        }
        let machines: Vec<String> = introduced.iter().map(|(_, machine)| (*machine).to_owned()).collect();
        let mine = format!("{} {}", team.machine, allowed_cores());
        let sharing = texts.of_all(&mine)?.iter().filter(|other| **other == mine).count();
        Ok(Roll { texts, team, machines, sharing })
    }

    /// Cores for this process: its share of those that it may use.
    pub(crate) fn cores(&self) -> usize {
        (cores() / self.sharing).max(1)
    }

    /// Threads that work in this process: as many as were asked for, or one for each of its cores.
    pub(crate) fn threads(&self, session: &Session) -> usize {
        session.common.threads.map_or_else(|| self.cores(), usize::from)
    }

    /// What all processes have been asked to do, if it is the same; otherwise the first one tells what is wrong, and all end with the
    /// same exit code. Whoever refused alone would leave the others waiting.
    pub(crate) fn agree<C>(
        &self,
        asked: std::result::Result<C, clap::Error>,
        common: impl Fn(&C) -> String,
    ) -> Result<std::result::Result<C, u8>, PeersGone> {
        const REFUSED: char = '!';
        let said = match &asked {
            Ok(command) => common(command),
            Err(refused) => format!("{REFUSED}{}{}", refused.exit_code(), refused.render()),
        };
        let all = self.texts.of_all(&said)?;
        let code = |said: &str| said.strip_prefix(REFUSED).and_then(|refused| refused[..1].parse().ok());
        // One that is asked for help gives it, whatever the others are asked for.
        if let Some(code) = code(&all[0]) {
            if let (true, Err(refused)) = (self.team.is_first(), asked) {
                let _ = refused.print();
            }
            return Ok(Err(code));
        }
        let Some(other) = all.iter().position(|said| *said != all[0]) else {
            return Ok(Ok(
                asked.unwrap_or_else(|_| unreachable!("all were asked for the same, and the first can do it"))
            ));
        };
        if self.team.is_first() {
            let name = self.name(other);
            match code(&all[other]) {
                Some(_) => {
                    eprint!("error: {name} refuses its options: {}", all[other][2..].trim_start_matches("error: "));
                }
                None => eprintln!(
                    "error: {name} was asked for something else ({}) than process 0 ({}): start all with the same options",
                    all[other], all[0]
                ),
            }
        }
        Ok(Err(Exit::Error.code()))
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

/// The cores that this process may use, as Linux lists them.
fn allowed_cores() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    allowed.unwrap_or_default().trim().to_owned()
}

/// What this program is: its version, and the hash of its file.
fn program() -> Result<String> {
    let file = std::env::current_exe().and_then(std::fs::read);
    let file = file.map_err(|error| Failure::new(format!("the program cannot read itself: {error}")))?;
    let hash = blake3::hash(&file).to_hex();
    Ok(format!("tilebase-cluster {} ({}, ranking {})", env!("CARGO_PKG_VERSION"), &hash[..12], layout::RANKING))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_know_the_version_of_each_others_messages() {
        assert_eq!(introduced(&introduction("node 7")), (MESSAGES_VERSION, "node 7"));
        assert_eq!(introduced("node7"), (1, "node7"), "as version 0.2 says it");
        assert_eq!(introduced("messages 3 node7"), (3, "node7"));
    }
}
