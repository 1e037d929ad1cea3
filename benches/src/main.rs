//! `compare-benches OLD NEW`: the last part of `scripts/compare-benches`.

use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use tilebase_benches::{Compared, Program, Report, Rules, Side};

/// Compares two programs of benchmarks in turns
///
/// Exits with 1 if a benchmark of both is slower in the new program, by more than the noise of the turns and the floor allow, and with 2 if
/// there is nothing to compare.
#[derive(Parser, Debug)]
#[command(name = "compare-benches")]
struct Options {
    /// The program to compare with, as `cargo bench --no-run` made it
    old: PathBuf,
    /// The other
    new: PathBuf,
    /// Compare only benchmarks that have one of these texts in their names
    #[arg(long, value_name = "TEXT")]
    only: Vec<String>,
    /// Percents up to which a change never counts
    #[arg(long, value_name = "PERCENT", default_value_t = 100.0 * Rules::default().floor, value_parser = percent)]
    floor: f64,
    /// Most pairs of turns for each benchmark; there are fewer when these tell enough
    #[arg(long, value_name = "N", default_value_t = Rules::default().most, value_parser = pairs)]
    pairs: usize,
    /// One JSON object per benchmark instead of a table
    #[arg(long)]
    json: bool,
}

fn percent(text: &str) -> Result<f64, String> {
    let percent = text.parse().ok().filter(|percent| (0.1..=1000.0).contains(percent));
    percent.ok_or_else(|| "expected a number from 0.1 to 1000".into())
}

fn pairs(text: &str) -> Result<usize, String> {
    let least = Rules::default().least;
    let pairs = text.parse().ok().filter(|pairs| (least..=1000).contains(pairs));
    pairs.ok_or_else(|| format!("expected a number from {least} to 1000"))
}

fn main() -> ExitCode {
    let options = Options::parse();
    match run(&options) {
        Ok(is_slower) => ExitCode::from(u8::from(is_slower)),
        Err(error) => {
            eprintln!("compare-benches: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether a benchmark is slower.
fn run(options: &Options) -> Result<bool, Box<dyn Error>> {
    let programs = [&options.old, &options.new].map(Program::new);
    let [old, new] = [programs[0].names()?, programs[1].names()?];
    let is_meant = |name: &&String| options.only.is_empty() || options.only.iter().any(|text| name.contains(text));
    let without = |names: &[String], others: &[String]| {
        names.iter().filter(is_meant).filter(|name| !others.contains(name)).cloned().collect::<Vec<String>>()
    };
    let both: Vec<&String> = new.iter().filter(is_meant).filter(|name| old.contains(name)).collect();
    if both.is_empty() {
        let only = if options.only.is_empty() { String::new() } else { format!(" with {}", options.only.join(" or ")) };
        let [old, new] = [old, new].map(|names| names.join("; "));
        let expected = format!("no benchmark to compare: expected one{only} in both programs");
        return Err(format!("{expected}; the old one has: {old}; the new one has: {new}").into());
    }
    let rules = Rules { floor: options.floor / 100.0, most: options.pairs, ..Rules::default() };
    let (only_old, only_new) = (without(&old, &new), without(&new, &old));
    let mut report = Report { floor: rules.floor, compared: Vec::new(), only_old, only_new };
    for (number, name) in both.iter().enumerate() {
        if io::stderr().is_terminal() {
            eprintln!("{} of {}: {name}", number + 1, both.len());
        }
        let compared = compare(&rules, &programs, name)?;
        if options.json {
            writeln!(io::stdout(), "{}", compared.to_json())?;
        }
        report.compared.push(compared);
    }
    if !options.json {
        write!(io::stdout(), "{report}")?;
    }
    Ok(report.slower().next().is_some())
}

fn compare(rules: &Rules, programs: &[Program; 2], name: &str) -> Result<Compared, Box<dyn Error>> {
    let mut throughputs = [None, None];
    let judgement = rules.compare(|side| {
        let side = usize::from(side == Side::New);
        let turn = programs[side].measure(name)?;
        throughputs[side] = turn.throughput;
        Ok::<f64, Box<dyn Error>>(turn.nanoseconds)
    })?;
    Ok(Compared { name: name.to_owned(), judgement, throughputs })
}
