//! The command `tilebase`.

use std::process::ExitCode;

fn main() -> ExitCode {
    tilebase_cli::run(std::env::args_os()).into()
}
