//! Limits as people write them, and as they are told when one was reached.

use std::time::Duration;

use bytesize::ByteSize;
use tilebase::puzzle::quoted;
use tilebase::solve::{Limit, Limited, Limits, Weight};

use crate::session::{bytes, counted};

/// The units of time, each with how many seconds it has.
const UNITS: [(&str, f64); 5] = [("", 1.0), ("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];

/// Reads a time: a number with a unit, or of seconds.
pub fn time(text: &str) -> Result<Duration, String> {
    let number = text.trim_end_matches(|letter: char| letter.is_alphabetic());
    let unit = UNITS.iter().find(|(unit, _)| *unit == &text[number.len()..]);
    let seconds = unit.and_then(|(_, seconds)| Some(number.trim_end().parse::<f64>().ok()? * seconds));
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| {
        format!(
            "{} is not a time: expected a number with ms, s, m or h, such as 500ms, 2s or 1.5m, or seconds, such as 10",
            quoted(text)
        )
    })
}

/// Reads an amount of memory.
pub fn memory(text: &str) -> Result<ByteSize, String> {
    text.parse()
        .map_err(|_| format!("{} is not an amount of memory: expected bytes, for example 500MB or 2GiB", quoted(text)))
}

/// Reads how much longer than the shortest a solution may be, in percent: as the weight that promises as much.
pub(crate) fn percent(text: &str) -> Result<Weight, String> {
    let number = text.trim_end_matches('%').trim_end();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    // In tenths, as a promise of a thousandth of a few hundred moves is one of none.
    let (whole, tenths) = number.split_once('.').unwrap_or((number, "0"));
    let tenths = (is_number(whole) && is_number(tenths) && tenths.len() == 1).then(|| format!("{whole}{tenths}"));
    let tenths: Option<u32> = tenths.and_then(|tenths| tenths.parse().ok());
    let weight = tenths.and_then(|tenths| Weight::new(tenths.checked_add(1000)?, 1000));
    weight.ok_or_else(|| {
        format!("{} is not a part of the shortest: expected percent from 0 to 99900, such as 5% or 2.5%", quoted(text))
    })
}

/// A time as it is told: 500 ms, 2 s, 1.5 m, 2 h.
fn time_text(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let unit = match seconds {
        0.0 => "s",
        _ if seconds < 1.0 => "ms",
        _ if seconds < 120.0 => "s",
        _ if seconds < 7200.0 => "m",
        _ => "h",
    };
    let (_, length) = UNITS.into_iter().find(|(name, _)| *name == unit).expect("these are units");
    // To a thousandth, without zeros at the end.
    format!("{} {unit}", (seconds / length * 1000.0).round() / 1000.0)
}

/// What ended a search, such as "the time limit of 2 s was reached after 12345 nodes".
pub(crate) fn reached(Limited { limit, effort, .. }: &Limited, limits: &Limits) -> String {
    let reached = named(*limit, limits);
    if *limit == Limit::Nodes { reached } else { format!("{reached} after {}", counted(effort.generated, "node")) }
}

/// A limit that was reached, such as "the time limit of 2 s was reached".
pub(crate) fn named(limit: Limit, limits: &Limits) -> String {
    let of = |what: Option<String>| what.map(|what| format!(" of {what}")).unwrap_or_default();
    let limit = match limit {
        Limit::Nodes => format!("the limit{}", of(limits.nodes.map(|most| format!("{most} nodes")))),
        Limit::Time => format!("the time limit{}", of(limits.time.map(time_text))),
        Limit::Memory => format!("the memory limit{}", of(limits.memory.map(|most| bytes(most).to_string()))),
        Limit::Cancelled => return "interrupted".to_owned(),
        other => format!("the limit of {other}"),
    };
    format!("{limit} was reached")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_or_are_seconds() {
        for (text, milliseconds) in [
            ("2s", 2000),
            ("2 s", 2000),
            ("500ms", 500),
            ("1.5", 1500),
            ("0", 0),
            ("2m", 120_000),
            ("0.5m", 30_000),
            ("1h", 3_600_000),
            ("1e1", 10_000),
        ] {
            assert_eq!(time(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
    }

    #[test]
    fn what_is_not_a_time_is_refused_with_examples() {
        for text in
            ["", "s", "ms", "2x", "2S", "-1", "-1s", "inf", "nan", "infs", "1h30m", "2.s.", "1e99h", "2 s s", "ü"]
        {
            let refused = time(text).unwrap_err();
            assert!(refused.contains("is not a time: expected a number with ms, s, m or h"), "{text}: {refused}");
        }
    }

    #[test]
    fn the_limit_that_was_reached_is_told_as_it_was_given() {
        let told = |text| named(Limit::Time, &Limits::default().time(time(text).unwrap()));
        for (given, expected) in [
            ("2s", "2 s"),
            ("500ms", "500 ms"),
            ("1.5", "1.5 s"),
            ("90s", "90 s"),
            ("2m", "2 m"),
            ("3h", "3 h"),
            ("0", "0 s"),
        ] {
            assert_eq!(told(given), format!("the time limit of {expected} was reached"));
        }
        let nodes = named(Limit::Nodes, &Limits::default().nodes(1000));
        assert_eq!(nodes, "the limit of 1000 nodes was reached");
        let memory = named(Limit::Memory, &Limits::default().memory(2_000_000));
        assert_eq!(memory, "the memory limit of 2.0 MB was reached");
    }
}
