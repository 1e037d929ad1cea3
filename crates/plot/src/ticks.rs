//! Where an axis has ticks and what stands beside them.
//!
//! Steps are 1, 2 or 5 times a power of ten. A tick is a whole number of steps, so its label is written from integers and
//! shows no rounding.

/// A labelled place on an axis.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Tick {
    /// The place, in units of the scale.
    pub(crate) at: f64,
    pub(crate) label: String,
    /// Stands raised behind the label.
    pub(crate) exponent: Option<String>,
}

/// A step of `digit` times ten to the power of `exponent`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    digit: i64,
    exponent: i32,
}

impl Step {
    /// The smallest step that divides a span into at most `parts`.
    pub(crate) fn dividing(span: f64, parts: usize, whole: bool) -> Step {
        let least = span / parts as f64;
        let exponent = least.log10().floor() as i32;
        if whole && exponent < 0 {
            return Step { digit: 1, exponent: 0 };
        }
        // One part in 10^9 of tolerance: 0.2 is a step for 1.0 in 5 parts, whatever its last bit says.
        let is_enough = |&digit: &i64| digit as f64 * 10_f64.powi(exponent) >= least * (1.0 - 1e-9);
        let digit = [1, 2, 5].into_iter().find(is_enough);
        digit.map_or(Step { digit: 1, exponent: exponent + 1 }, |digit| Step { digit, exponent })
    }

    pub(crate) fn times(self, count: i64) -> f64 {
        let (units, power) = ((count * self.digit) as f64, 10_f64.powi(self.exponent.abs()));
        if self.exponent < 0 { units / power } else { units * power }
    }

    /// The whole number of steps at or below a value.
    pub(crate) fn floor(self, value: f64) -> i64 {
        (value / self.times(1) + 1e-6).floor() as i64
    }

    /// The whole number of steps at or above a value.
    pub(crate) fn ceil(self, value: f64) -> i64 {
        (value / self.times(1) - 1e-6).ceil() as i64
    }
}

/// Ticks of a linear axis from `low` to `high`, about `parts` of them; only at whole numbers if `whole`.
pub(crate) fn linear(low: f64, high: f64, parts: usize, whole: bool) -> Vec<Tick> {
    let step = Step::dividing(high - low, parts, whole);
    let (first, last) = (step.ceil(low), step.floor(high));
    let notation = Notation::reaching(step.times(first).abs().max(step.times(last).abs()));
    let tick = |count: i64| notation.tick(step.times(count), count * step.digit, step.exponent);
    (first..=last).map(tick).collect()
}

/// Ticks of a logarithmic axis, whose ends are given as powers of ten: at powers of ten, at most `parts` of them.
///
/// An axis that is too short to have two of them has ticks at the values of a linear axis.
pub(crate) fn log10(low: f64, high: f64, parts: usize) -> Vec<Tick> {
    let (first, last) = ((low - 1e-9).ceil() as i32, (high + 1e-9).floor() as i32);
    if last <= first {
        let mut ticks = linear(10_f64.powf(low), 10_f64.powf(high), parts, false);
        ticks.retain(|tick| tick.at > 0.0);
        ticks.iter_mut().for_each(|tick| tick.at = tick.at.log10());
        return ticks;
    }
    let needed = (last - first) / parts as i32 + 1;
    let stride = [1, 2, 3, 5, 10, 20, 50, 100, 200].into_iter().find(|&stride| stride >= needed).unwrap_or(500);
    let tick = |power: i32| match (first, last) {
        (-3.., ..15) => Notation::Letter(power.max(0) as usize / 3).tick(power.into(), 1, power),
        _ => Tick { at: power.into(), label: "10".into(), exponent: Some(signed(power)) },
    };
    (first..=last).filter(|power| power % stride == 0).map(tick).collect()
}

/// Where a logarithmic axis has small ticks without labels: at two to nine times powers of ten, on a long axis at powers
/// of ten, nowhere if even those would be too close.
pub(crate) fn log10_between(low: f64, high: f64) -> Vec<f64> {
    let last_digit = match high - low {
        ..=MANY_DECADES => 9,
        ..=60.0 => 1,
        _ => return Vec::new(),
    };
    let decades = low.floor() as i32..=high.floor() as i32;
    let places =
        decades.flat_map(|power| (1..=last_digit).map(move |digit| f64::from(power) + f64::from(digit).log10()));
    places.filter(|place| (low..=high).contains(place)).collect()
}

/// Up to this many powers of ten, all of them have labels and there is room for small ticks between them.
pub(crate) const MANY_DECADES: f64 = 9.0;

/// Letters of the metric system for powers of a thousand, from the first, behind a space that does not break.
const LETTERS: [&str; 5] = ["", "\u{a0}k", "\u{a0}M", "\u{a0}G", "\u{a0}T"];

/// How all labels of one axis are written, so that they can be compared at a glance.
#[derive(Clone, Copy)]
enum Notation {
    /// In units of a power of a thousand, which a letter names: `0.5 M`.
    Letter(usize),
    /// Times a power of ten: `5×10^-6`.
    Power(i32),
}

impl Notation {
    /// The notation for an axis whose largest tick is this.
    fn reaching(largest: f64) -> Notation {
        let exponent = (largest.log10() + 1e-9).floor() as i32;
        match exponent {
            _ if largest == 0.0 => Notation::Letter(0),
            -3..4 => Notation::Letter(0),
            4..15 => Notation::Letter(exponent as usize / 3),
            _ => Notation::Power(exponent),
        }
    }

    /// The tick at a place that is `units` times ten to the power of `exponent`.
    fn tick(self, at: f64, units: i64, exponent: i32) -> Tick {
        let number = |power: i32| decimal(units, exponent - power);
        match self {
            _ if units == 0 => Tick { at, label: "0".into(), exponent: None },
            Notation::Letter(letter) => Tick { at, label: number(3 * letter as i32) + LETTERS[letter], exponent: None },
            Notation::Power(power) => Tick { at, label: number(power) + "×10", exponent: Some(signed(power)) },
        }
    }
}

/// `units` times ten to the power of `exponent` as a decimal number; `-exponent` digits stand behind the point.
fn decimal(units: i64, exponent: i32) -> String {
    let mut digits = units.unsigned_abs().to_string();
    if exponent >= 0 {
        digits.extend(std::iter::repeat_n('0', exponent as usize));
    } else {
        let decimals = -exponent as usize;
        digits = format!("{digits:0>0$}", decimals + 1);
        digits.insert(digits.len() - decimals, '.');
    }
    if units < 0 { format!("−{digits}") } else { digits }
}

/// A number with a minus sign as long as a plus sign, not a hyphen.
fn signed(number: i32) -> String {
    number.to_string().replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(ticks: &[Tick]) -> Vec<String> {
        let raised = |tick: &Tick| tick.exponent.as_ref().map_or(String::new(), |exponent| format!("^{exponent}"));
        ticks.iter().map(|tick| tick.label.replace('\u{a0}', " ") + &raised(tick)).collect()
    }

    #[test]
    fn steps_are_one_two_or_five_times_a_power_of_ten() {
        let cases = [(10.0, 5, 2.0), (100.0, 10, 10.0), (7.0, 5, 2.0), (1.0, 5, 0.2), (0.11, 5, 0.05), (6e9, 7, 1e9)];
        for (span, parts, expected) in cases {
            let found = Step::dividing(span, parts, false).times(1);
            assert!((found / expected - 1.0).abs() < 1e-12, "{found}");
        }
    }

    #[test]
    fn linear_ticks_are_nice_numbers() {
        assert_eq!(texts(&linear(0.0, 35.0, 8, true)), ["0", "5", "10", "15", "20", "25", "30", "35"]);
        assert_eq!(texts(&linear(0.0, 2.0, 8, true)), ["0", "1", "2"]);
        assert_eq!(texts(&linear(-0.1, 0.32, 5, false)), ["−0.1", "0", "0.1", "0.2", "0.3"]);
        assert_eq!(texts(&linear(0.0, 0.12, 6, false)), ["0", "0.02", "0.04", "0.06", "0.08", "0.10", "0.12"]);
        assert_eq!(texts(&linear(1985.0, 2005.0, 4, true)), ["1985", "1990", "1995", "2000", "2005"]);
    }

    #[test]
    fn large_and_small_numbers_share_a_unit() {
        assert_eq!(texts(&linear(0.0, 40_000.0, 4, true)), ["0", "10 k", "20 k", "30 k", "40 k"]);
        assert_eq!(texts(&linear(0.0, 1.5e6, 3, true)), ["0", "0.5 M", "1.0 M", "1.5 M"]);
        assert_eq!(texts(&linear(0.0, 4e12, 2, true)), ["0", "2 T", "4 T"]);
        assert_eq!(texts(&linear(0.0, 4e18, 2, true)), ["0", "2×10^18", "4×10^18"]);
        assert_eq!(texts(&linear(0.0, 4e-5, 2, false)), ["0", "2×10^−5", "4×10^−5"]);
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten() {
        assert_eq!(texts(&log10(0.0, 4.0, 10)), ["1", "10", "100", "1 k", "10 k"]);
        assert_eq!(texts(&log10(-2.0, 1.0, 10)), ["0.01", "0.1", "1", "10"]);
        assert_eq!(texts(&log10(5.0, 10.0, 3)), ["1 M", "100 M", "10 G"]);
        assert_eq!(texts(&log10(0.0, 30.0, 4)), ["10^0", "10^10", "10^20", "10^30"]);
        assert_eq!(texts(&log10(-300.0, 300.0, 4)).len(), 3);
    }

    #[test]
    fn a_short_logarithmic_axis_has_other_ticks() {
        let ticks = log10(2_f64.log10(), 8_f64.log10(), 6);
        assert_eq!(texts(&ticks), ["2", "3", "4", "5", "6", "7", "8"]);
        assert!((ticks[0].at - 2_f64.log10()).abs() < 1e-12);
    }

    #[test]
    fn small_ticks_stand_between_powers_of_ten() {
        assert_eq!(log10_between(0.0, 2.0).len(), 19);
        assert_eq!(log10_between(0.0, 20.0).len(), 21);
        assert!(log10_between(0.0, 200.0).is_empty());
    }
}
