//! Chooses the part of an axis that a chart shows.

use crate::axis::{Axis, Scale};
use crate::chart::{Chart, Series, Style};
use crate::ticks::{self, Step, Tick};

/// The part of an axis that is shown, in units of its scale.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct View {
    pub(crate) scale: Scale,
    pub(crate) low: f64,
    pub(crate) high: f64,
    /// All values are whole numbers, so ticks between them would make no sense.
    whole: bool,
}

/// About how many labelled steps a vertical axis has.
const VERTICAL_STEPS: usize = 6;

/// Further than this many times the plot's size outside of it, all places are alike. Keeps products finite.
const FAR: f64 = 1e9;

impl View {
    /// Where a place is between the ends: 0 at the low one, 1 at the high one.
    pub(crate) fn fraction(&self, place: f64) -> f64 {
        ((place - self.low) / (self.high - self.low)).clamp(-FAR, FAR)
    }

    pub(crate) fn ticks(&self, parts: usize) -> Vec<Tick> {
        match self.scale {
            Scale::Linear => ticks::linear(self.low, self.high, parts, self.whole),
            Scale::Log10 => ticks::log10(self.low, self.high, parts),
        }
    }

    pub(crate) fn vertical_ticks(&self) -> Vec<Tick> {
        self.ticks(if self.scale == Scale::Linear { VERTICAL_STEPS } else { ticks::MANY_DECADES as usize + 1 })
    }

    /// The places of the ticks without labels.
    pub(crate) fn small_ticks(&self) -> Vec<f64> {
        match self.scale {
            Scale::Linear => Vec::new(),
            Scale::Log10 => ticks::log10_between(self.low, self.high),
        }
    }

    /// Where bars stand: at zero if that is shown, at the edge nearest to it otherwise.
    pub(crate) fn base(&self) -> f64 {
        match self.scale {
            Scale::Linear => 0_f64.clamp(self.low, self.high),
            Scale::Log10 => self.low,
        }
    }

    /// The view of an axis: what it asks for if those are ends, or else what is chosen for the least and the greatest place of the data
    /// and whether all values are whole numbers.
    fn new(
        chart: &Chart,
        axis: &Axis,
        part: fn((f64, f64)) -> f64,
        choose: impl FnOnce(f64, f64, bool) -> (f64, f64),
    ) -> View {
        let mut values = chart.series.iter().flat_map(|series| &series.points).map(|&point| part(point));
        let whole = values.all(|value| !value.is_finite() || value.fract() == 0.0);
        let fixed = axis.range.and_then(|(one, other)| {
            let (one, other) = (axis.scale.place(one)?, axis.scale.place(other)?);
            Some((one.min(other), one.max(other))).filter(|&(low, high)| spans_something(axis.scale, low, high))
        });
        let chosen = || ends(&places(chart, |_| true, part)).map(|(low, high)| choose(low, high, whole));
        let (low, high) = fixed.or_else(chosen).unwrap_or((0.0, 1.0));
        View { scale: axis.scale, low, high, whole }
    }
}

/// The points of a series that have a place, in units of the scales.
///
/// On a logarithmic axis an area that ends at zero or below is as low as can be: negative infinity.
pub(crate) fn placed(chart: &Chart, series: &Series) -> Vec<Option<(f64, f64)>> {
    let height = |y: f64| match chart.y.scale.place(y) {
        None if series.style.is_filled() && y <= 0.0 && y.is_finite() => Some(f64::NEG_INFINITY),
        place => place,
    };
    series.points.iter().map(|&(x, y)| Some((chart.x.scale.place(x)?, height(y)?))).collect()
}

/// The horizontal or the vertical places of all points of some styles.
pub(crate) fn places(chart: &Chart, of: impl Fn(Style) -> bool, part: fn((f64, f64)) -> f64) -> Vec<f64> {
    let series = chart.series.iter().filter(|series| of(series.style));
    series.flat_map(|series| placed(chart, series)).flatten().map(part).collect()
}

/// The least distance between neighbours of some places; what would be lost in rounding does not count.
pub(crate) fn least_gap(scale: Scale, mut places: Vec<f64>) -> f64 {
    places.sort_by(f64::total_cmp);
    let span = places.last().zip(places.first()).map_or(0.0, |(last, first)| last - first);
    let gaps = places.windows(2).map(|pair| pair[1] - pair[0]).filter(|&gap| gap > span * 1e-9);
    let alone = if scale == Scale::Linear { 1.0 } else { 0.3 };
    gaps.min_by(f64::total_cmp).unwrap_or(alone)
}

pub(crate) fn horizontal(chart: &Chart) -> View {
    let scale = chart.x.scale;
    let choose = |mut low: f64, mut high: f64, _: bool| {
        if scale == Scale::Linear {
            let room = 0.03 * (high - low);
            (low, high) = (if low >= 0.0 { (low - room).max(0.0) } else { low - room }, high + room);
        } else if !is_filled(chart) {
            (low, high) = decades(low, high);
        }
        for (style, share) in [(Style::Bars, 0.7), (Style::Steps, 0.5)] {
            let places = places(chart, |other| other == style, |(x, _)| x);
            if let Some((first, last)) = ends(&places) {
                let room = least_gap(scale, places) * share;
                (low, high) = (low.min(first - room), high.max(last + room));
            }
        }
        if !spans_something(scale, low, high) {
            let room = if scale == Scale::Linear { low.abs().max(1.0) / 2.0 } else { 0.5 };
            (low, high) = (low - room, high + room);
        }
        (low, high)
    };
    View::new(chart, &chart.x, |(x, _)| x, choose)
}

/// The view of the vertical axis; its ends are ticks.
pub(crate) fn vertical(chart: &Chart) -> View {
    let scale = chart.y.scale;
    let choose = |mut low: f64, mut high: f64, whole: bool| {
        if scale == Scale::Log10 {
            let (bottom, top) = decades(low, high);
            // Something of the lowest bar should be seen.
            return (if is_filled(chart) && low - bottom < 0.15 { bottom - 0.3 } else { bottom }, top);
        }
        if is_filled(chart) || (low > 0.0 && low < high / 2.0) {
            (low, high) = (low.min(0.0), high.max(0.0));
        }
        if !spans_something(scale, low, high) {
            let room = low.abs() / 2.0;
            (low, high) = if room < 1e-200 { (0.0, 1.0) } else { (low - room, high + room) };
        }
        // The wider view may need a wider step, and that one a wider view.
        for _ in 0..3 {
            let step = Step::dividing(high - low, VERTICAL_STEPS, whole);
            (low, high) = (step.times(step.floor(low)), step.times(step.ceil(high)));
        }
        (low, high)
    };
    View::new(chart, &chart.y, |(_, y)| y, choose)
}

fn is_filled(chart: &Chart) -> bool {
    chart.series.iter().any(|series| series.style.is_filled())
}

/// The least and the greatest of the finite places.
fn ends(places: &[f64]) -> Option<(f64, f64)> {
    let finite = || places.iter().copied().filter(|place| place.is_finite());
    finite().min_by(f64::total_cmp).zip(finite().max_by(f64::total_cmp))
}

/// The whole powers of ten around two.
fn decades(low: f64, high: f64) -> (f64, f64) {
    let (low, high) = ((low + 1e-9).floor(), (high - 1e-9).ceil());
    (low, high.max(low + 1.0))
}

/// Whether there are enough different numbers between two for ticks.
fn spans_something(scale: Scale, low: f64, high: f64) -> bool {
    let least = match scale {
        Scale::Linear => 1e-11 * low.abs().max(high.abs()),
        Scale::Log10 => 1e-9,
    };
    high - low > 1e-250 && high - low > least
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(style: Style, x: Axis, y: Axis, points: &[(f64, f64)]) -> Chart {
        let series = vec![Series::new("", style, points.iter().copied())];
        Chart { title: String::new(), subtitle: None, x, y, series }
    }

    fn vertical_ends(style: Style, y: Axis, values: &[f64]) -> (f64, f64) {
        let points: Vec<_> = values.iter().enumerate().map(|(x, &y)| (x as f64, y)).collect();
        let view = vertical(&chart(style, Axis::linear(""), y, &points));
        (view.low, view.high)
    }

    #[test]
    fn bars_stand_on_zero_and_points_need_not() {
        assert_eq!(vertical_ends(Style::Bars, Axis::linear(""), &[96.0, 104.0]), (0.0, 120.0));
        assert_eq!(vertical_ends(Style::Points, Axis::linear(""), &[96.0, 104.0]), (96.0, 104.0));
        assert_eq!(vertical_ends(Style::Bars, Axis::linear(""), &[-9.0, -2.0]), (-10.0, 0.0));
    }

    #[test]
    fn values_that_are_all_the_same_have_room() {
        assert_eq!(vertical_ends(Style::Bars, Axis::linear(""), &[0.0, 0.0]), (0.0, 1.0));
        assert_eq!(vertical_ends(Style::Line, Axis::linear(""), &[8.0]), (4.0, 12.0));
        assert_eq!(vertical_ends(Style::Points, Axis::log10(""), &[10.0]), (1.0, 2.0));
    }

    #[test]
    fn a_bar_of_one_is_seen_on_a_logarithmic_axis() {
        assert_eq!(vertical_ends(Style::Bars, Axis::log10(""), &[1.0, 100.0]), (-0.3, 2.0));
        assert_eq!(vertical_ends(Style::Bars, Axis::log10(""), &[0.0, 5.0, 100.0]), (0.0, 2.0));
    }

    #[test]
    fn a_range_that_is_none_is_ignored() {
        let auto = vertical_ends(Style::Line, Axis::linear(""), &[0.0, 10.0]);
        for (low, high) in [(f64::NAN, 1.0), (3.0, 3.0), (0.0, f64::INFINITY)] {
            assert_eq!(vertical_ends(Style::Line, Axis::linear("").with_range(low, high), &[0.0, 10.0]), auto);
        }
        assert_eq!(vertical_ends(Style::Line, Axis::linear("").with_range(7.0, 2.0), &[0.0, 10.0]), (2.0, 7.0));
        assert_eq!(vertical_ends(Style::Line, Axis::log10("").with_range(0.0, 2.0), &[1.0, 10.0]), (0.0, 1.0));
    }

    #[test]
    fn a_histogram_has_room_for_its_outer_bars() {
        let view =
            horizontal(&chart(Style::Bars, Axis::linear(""), Axis::linear(""), &[(0.0, 1.0), (9.0, 1.0), (8.0, 2.0)]));
        assert!((view.low, view.high) == (-0.7, 9.7), "{view:?}");
        let view = horizontal(&chart(Style::Points, Axis::linear(""), Axis::linear(""), &[(0.0, 1.0), (10.0, 1.0)]));
        assert!((view.low, view.high) == (0.0, 10.3), "{view:?}");
    }
}
