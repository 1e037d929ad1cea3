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

    /// The labelled ticks, about `parts` of them.
    pub(crate) fn ticks(&self, parts: usize) -> Vec<Tick> {
        match self.scale {
            Scale::Linear => ticks::linear(self.low, self.high, parts, self.whole),
            Scale::Log10 => ticks::log10(self.low, self.high, parts),
        }
    }

    /// The labelled ticks of a vertical axis.
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

    /// The view of the ends that an axis asks for, if they are ends.
    fn fixed(axis: &Axis, whole: bool) -> Option<View> {
        let (one, other) = axis.range?;
        let (one, other) = (axis.scale.place(one)?, axis.scale.place(other)?);
        let (low, high) = (one.min(other), one.max(other));
        spans_something(axis.scale, low, high).then_some(View { scale: axis.scale, low, high, whole })
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

/// The least distance between neighbours of some places; what would be lost in rounding does not count.
pub(crate) fn least_gap(scale: Scale, mut places: Vec<f64>) -> f64 {
    places.sort_by(f64::total_cmp);
    let span = places.last().zip(places.first()).map_or(0.0, |(last, first)| last - first);
    let gaps = places.windows(2).map(|pair| pair[1] - pair[0]).filter(|&gap| gap > span * 1e-9);
    let alone = if scale == Scale::Linear { 1.0 } else { 0.3 };
    gaps.min_by(f64::total_cmp).unwrap_or(alone)
}

/// The view of the horizontal axis.
pub(crate) fn horizontal(chart: &Chart) -> View {
    let whole = all_whole(chart, |(x, _)| x);
    let scale = chart.x.scale;
    if let Some(view) = View::fixed(&chart.x, whole) {
        return view;
    }
    let view = |low, high| View { scale, low, high, whole };
    let places = |of: &dyn Fn(Style) -> bool| -> Vec<f64> {
        let series = chart.series.iter().filter(|series| of(series.style));
        series.flat_map(|series| placed(chart, series)).flatten().map(|(x, _)| x).collect()
    };
    let Some((low, high)) = ends(&places(&|_| true)) else { return view(0.0, 1.0) };
    let (mut low, mut high) = match scale {
        Scale::Log10 => (low, high),
        Scale::Linear => {
            let room = 0.03 * (high - low);
            (if low >= 0.0 { (low - room).max(0.0) } else { low - room }, high + room)
        }
    };
    if let (Scale::Log10, false) = (scale, chart.series.iter().any(|series| series.style.is_filled())) {
        (low, high) = decades(low, high);
    }
    for style in [Style::Bars, Style::Steps] {
        let places = places(&|other| other == style);
        if let Some((first, last)) = ends(&places) {
            let room = least_gap(scale, places) * if style == Style::Bars { 0.7 } else { 0.5 };
            (low, high) = (low.min(first - room), high.max(last + room));
        }
    }
    if !spans_something(scale, low, high) {
        let room = if scale == Scale::Linear { low.abs().max(1.0) / 2.0 } else { 0.5 };
        (low, high) = (low - room, high + room);
    }
    view(low, high)
}

/// The view of the vertical axis; its ends are ticks.
pub(crate) fn vertical(chart: &Chart) -> View {
    let whole = all_whole(chart, |(_, y)| y);
    let scale = chart.y.scale;
    if let Some(view) = View::fixed(&chart.y, whole) {
        return view;
    }
    let view = |low, high| View { scale, low, high, whole };
    let places: Vec<f64> =
        chart.series.iter().flat_map(|series| placed(chart, series)).flatten().map(|p| p.1).collect();
    let filled = chart.series.iter().any(|series| series.style.is_filled());
    let Some((mut low, mut high)) = ends(&places) else { return view(0.0, 1.0) };
    if scale == Scale::Log10 {
        let least = low;
        (low, high) = decades(low, high);
        // Something of the lowest bar should be seen.
        if filled && least - low < 0.15 {
            low -= 0.3;
        }
        return view(low, high);
    }
    if filled || (low > 0.0 && low < high / 2.0) {
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
    view(low, high)
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

fn all_whole(chart: &Chart, part: impl Fn((f64, f64)) -> f64) -> bool {
    let mut values = chart.series.iter().flat_map(|series| &series.points).map(|&point| part(point));
    values.all(|value| !value.is_finite() || value.fract() == 0.0)
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
