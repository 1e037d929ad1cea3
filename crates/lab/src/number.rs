//! Numbers as people read them.

/// A whole number with its thousands apart: 7,530,405.
pub(crate) fn grouped(number: u64) -> String {
    group(&number.to_string())
}

/// A number with this many decimals and its thousands apart.
pub(crate) fn decimals(number: f64, decimals: usize) -> String {
    if !number.is_finite() {
        return "–".to_owned();
    }
    let text = format!("{:.decimals$}", number.abs());
    let (whole, fraction) = text.split_at(text.find('.').unwrap_or(text.len()));
    let sign = if number < 0.0 && text.contains(|digit| ('1'..='9').contains(&digit)) { "−" } else { "" };
    format!("{sign}{}{fraction}", group(whole))
}

fn group(digits: &str) -> String {
    let mut text = String::new();
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with about three digits that count.
pub(crate) fn short(number: f64) -> String {
    let size = number.abs();
    let shown = [100.0, 10.0, 1.0, 0.1].iter().position(|&least| size >= least || size == 0.0);
    decimals(number, shown.unwrap_or(4))
}

/// A time in the unit that suits it.
pub(crate) fn seconds(seconds: f64) -> String {
    match seconds {
        _ if !seconds.is_finite() => "–".to_owned(),
        _ if seconds >= 1.0 => format!("{} s", short(seconds)),
        _ if seconds >= 1e-3 => format!("{} ms", short(seconds * 1e3)),
        _ => format!("{} µs", short(seconds * 1e6)),
    }
}

/// A time to wait, roughly: "about 3 minutes".
pub(crate) fn roughly(seconds: f64) -> String {
    match seconds {
        _ if seconds < 2.0 => "a second or two".to_owned(),
        _ if seconds < 90.0 => format!("about {seconds:.0} seconds"),
        _ if seconds < 5400.0 => format!("about {:.0} minutes", seconds / 60.0),
        _ => format!("about {:.1} hours", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_apart() {
        assert_eq!([0, 12, 999, 1000, 7_530_405].map(grouped), ["0", "12", "999", "1,000", "7,530,405"]);
        assert_eq!(decimals(12_995_448.5, 1), "12,995,448.5");
        assert_eq!(decimals(-0.04, 1), "0.0");
        assert_eq!(decimals(-1234.0, 0), "−1,234");
        assert_eq!([0.031_24, 1.5, 12.0, 1234.4, f64::NAN].map(short), ["0.0312", "1.50", "12.0", "1,234", "–"]);
        assert_eq!([0.000_012, 0.5, 12.0].map(seconds), ["12.0 µs", "500 ms", "12.0 s"]);
    }
}
