//! Cuts line segments at the edges of the plot.

/// A point in the unit square of the plot: (0, 0) is bottom left, (1, 1) top right.
pub(crate) type Point = (f64, f64);

/// The part of a segment inside the unit square, by the method of Liang and Barsky: the segment is `a + t (b - a)`, and
/// each of the four edges narrows the interval of `t`.
pub(crate) fn segment(a: Point, b: Point) -> Option<(Point, Point)> {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for (towards, room) in [(-dx, a.0), (dx, 1.0 - a.0), (-dy, a.1), (dy, 1.0 - a.1)] {
        if towards < 0.0 {
            enter = enter.max(room / towards);
        } else if towards > 0.0 {
            leave = leave.min(room / towards);
        } else if room < 0.0 {
            return None;
        }
    }
    let at = |t: f64| match t {
        ..=0.0 => a,
        1.0.. => b,
        _ => (a.0 + t * dx, a.1 + t * dy),
    };
    (enter <= leave).then(|| (at(enter), at(leave)))
}

/// Whether a point is inside, or on the edge but for rounding.
pub(crate) fn contains(point: Point) -> bool {
    let inside = -1e-9..=1.0 + 1e-9;
    inside.contains(&point.0) && inside.contains(&point.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_inside_stays_as_it_is() {
        let (a, b) = ((0.1, 0.9), (0.7, 0.3));
        assert_eq!(segment(a, b), Some((a, b)));
        assert_eq!(segment(a, a), Some((a, a)));
    }

    #[test]
    fn a_segment_that_crosses_is_cut_at_the_edges() {
        assert_eq!(segment((-1.0, 0.5), (3.0, 0.5)), Some(((0.0, 0.5), (1.0, 0.5))));
        assert_eq!(segment((0.5, 0.5), (0.5, 2.0)), Some(((0.5, 0.5), (0.5, 1.0))));
    }

    #[test]
    fn a_segment_outside_vanishes() {
        assert_eq!(segment((-1.0, 0.5), (0.5, 2.5)), None);
        assert_eq!(segment((1.5, 0.5), (1.5, 0.6)), None);
    }
}
