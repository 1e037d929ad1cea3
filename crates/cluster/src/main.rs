//! `tilebase-cluster`: builds and searches that are larger than one machine, run by `mpirun` or `srun` as any other MPI program.
//!
//! Each process has one thread that carries messages ([`wire`]), and others that work ([`commands`]); between them is the
//! [`team`]. What is built and how is in `tilebase_generate`, what is searched in `tilebase_solve`: neither knows of MPI.

mod agree;
mod boards;
mod commands;
mod model;
mod notes;
mod team;
mod units;
mod wire;

use std::panic;
use std::process::ExitCode;

use clap::Parser;
use tilebase_cli::failure::Exit;
use tilebase_cli::interrupt;
use tilebase_cli::options::Common;
use tilebase_cli::session::Session;

use commands::{Command, Roll};
use team::Team;
use tilebase::generate::Peers;
use tilebase::lookup::install_truncation_handler;
use wire::Wire;

/// Pattern databases and searches that are larger than one machine, by MPI.
///
/// Runs under mpirun, srun or whatever starts the MPI programs of a cluster: mpirun -n 16 tilebase-cluster generate
/// 9-9-6. Tables, answers and checkpoints are those of tilebase, to the byte.
#[derive(Parser, Debug)]
#[command(name = "tilebase-cluster", version, max_term_width = 100)]
#[command(after_help = "\
Examples:
  tilebase-cluster plan 8-8-8 --ranks 8 --memory 16GB
  mpirun -n 2 tilebase-cluster generate 7-8
  mpirun -n 64 tilebase-cluster generate --tiles 1,2,5,6,7,10,11,12,15 \\
    --size 5x5 --scratch /local/scratch
  mpirun -n 2 tilebase-cluster solve --tables 6-6-6-6 \\
    --checkpoint hard.ckpt hard.txt

Exit codes: 0 done, 1 a negative answer (unsolvable, a check failed), 2 wrong usage or input,
3 a limit was reached, 130 interrupted.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    let mut wire = match Wire::new() {
        Ok(wire) => wire,
        Err(why) => {
            eprintln!("error: {why}");
            return ExitCode::from(Exit::Error.code());
        }
    };
    let team = Team::new(wire.place(), wire.machine(), wire.on_machine());
    interrupt::install();
    install_truncation_handler();
    let code = std::thread::scope(|scope| {
        let work = scope.spawn(|| {
            let code = panic::catch_unwind(|| run(&team));
            // The others would wait for ever for what this one was to send.
            let code = code.unwrap_or_else(|_| {
                team.abort(PANICKED);
                PANICKED
            });
            team.end();
            code
        });
        wire.carry(&team);
        work.join().unwrap_or(PANICKED)
    });
    ExitCode::from(code)
}

/// How many tasks a job of Slurm has, if this is one.
fn tasks_of_slurm() -> Option<usize> {
    std::env::var("SLURM_NTASKS").ok()?.parse().ok()
}

/// The exit code of a program that panicked.
pub(crate) const PANICKED: u8 = 101;

/// Does what this process was asked for, if all were asked for the same, and returns the exit code. If it fails in one process alone, all
/// are ended.
fn run(team: &Team) -> u8 {
    let agreed = Roll::call(team).and_then(|roll| {
        let agreed = roll.agree(Cli::try_parse(), |cli| cli.command.common())?;
        Ok((roll, agreed))
    });
    let (roll, cli) = match agreed {
        Ok((roll, Ok(cli))) => (roll, cli),
        Ok((_, Err(code))) => return code,
        Err(gone) => {
            eprintln!("error: {gone}");
            return Exit::Error.code();
        }
    };
    if let Some(tasks) = tasks_of_slurm().filter(|tasks| *tasks > 1 && team.count() == 1 && cli.command.is_shared()) {
        eprintln!(
            "error: Slurm has {tasks} tasks, but MPI knows of one process: start it by srun --mpi=pmix, or by the mpirun of the \
             MPI that it was built with"
        );
        return Exit::Error.code();
    }
    let session = Session::new(Common { quiet: cli.common.quiet || !team.is_first(), ..cli.common });
    let exit = cli.command.run(&session, team, &roll).unwrap_or_else(|failure| {
        if failure.exit != Exit::Done {
            session.error(format!("{}: {failure}", roll.name(team.rank())));
        }
        team.abort(failure.exit.code());
        failure.exit
    });
    exit.code()
}
