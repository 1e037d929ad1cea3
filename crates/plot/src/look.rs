//! What tells series apart: colours, dashes, markers and hatches.
//!
//! The four cycles have lengths that share no factor with the number of colours, so that at least 35 series of a style
//! look different, and the first five do so without any colour.

/// Colours of Okabe and Ito, which people with any common form of colour blindness can tell apart. Their yellow is left
/// out: it cannot be seen on white.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

/// Lengths of dashes and gaps; the first is a solid line.
const DASHES: [&str; 5] = ["", "7 3", "2 2.5", "9 3 2 3", "13 4"];

/// Texts: title and tick labels, and what should stand back.
pub(crate) const INK: &str = "#1f2328";
pub(crate) const FAINT_INK: &str = "#57606a";
/// Lines: of the axes, of the grid.
pub(crate) const AXIS: &str = "#57606a";
pub(crate) const GRID: &str = "#e4e7eb";

/// The colour of a series by its place in the chart.
pub(crate) fn colour(index: usize) -> &'static str {
    COLOURS[index % COLOURS.len()]
}

/// The attributes of the line of a series.
pub(crate) fn stroke(index: usize) -> String {
    let (kind, value) = match DASHES[index % DASHES.len()] {
        "" => ("linecap", "round"),
        dashes => ("dasharray", dashes),
    };
    let colour = colour(index);
    format!(r#"fill="none" stroke="{colour}" stroke-width="1.8" stroke-linejoin="round" stroke-{kind}="{value}""#)
}

/// Directions in degrees of the lines that fill the second to fifth series of bars.
const HATCHES: [i32; 4] = [45, -45, 0, 90];

/// The `fill` of the bars of a series: the first is solid, the others are hatched.
pub(crate) fn fill(index: usize) -> String {
    match index % (HATCHES.len() + 1) {
        0 => colour(index).into(),
        _ => format!("url(#tilebase-hatch-{})", index % (COLOURS.len() * (HATCHES.len() + 1))),
    }
}

/// The definition that [`fill`] refers to, if it does. Its name says all about it: two charts on one page that both
/// define it define the same.
pub(crate) fn hatch(index: usize) -> Option<String> {
    let kind = index % (HATCHES.len() + 1);
    let angle = HATCHES.get(kind.checked_sub(1)?)?;
    let name = index % (COLOURS.len() * (HATCHES.len() + 1));
    let colour = colour(index);
    Some(format!(
        r#"<pattern id="tilebase-hatch-{name}" patternUnits="userSpaceOnUse" width="5" height="5" patternTransform="rotate({angle})"><path d="M0 0h5v5h-5z" fill="{colour}" fill-opacity="0.3"/><path d="M0 0h5v2h-5z" fill="{colour}"/></pattern>"#
    ))
}

/// The outline of the marker of a series around a place, for the `d` of a path.
pub(crate) fn marker(index: usize, x: f64, y: f64, radius: f64) -> String {
    let polygon = |corners: &[(f64, f64)]| {
        let place = |(dx, dy): &(f64, f64)| format!("{} {}", number_of(x + dx * radius), number_of(y + dy * radius));
        format!("M{}z", corners.iter().map(place).collect::<Vec<_>>().join("L"))
    };
    match index % 6 {
        0 => {
            let (r, d) = (number_of(radius), number_of(2.0 * radius));
            format!("M{} {}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z", number_of(x - radius), number_of(y))
        }
        1 => polygon(&[(0.0, -1.25), (1.15, 0.8), (-1.15, 0.8)]),
        2 => polygon(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        3 => polygon(&[(0.0, -1.35), (1.35, 0.0), (0.0, 1.35), (-1.35, 0.0)]),
        4 => polygon(&[(0.0, 1.25), (-1.15, -0.8), (1.15, -0.8)]),
        _ => {
            // A plus sign: three corners in each quarter, the quarters turned by right angles.
            let quarter = [(-0.42, -1.3), (0.42, -1.3), (0.42, -0.42)];
            let turned = |turns| quarter.map(|corner| (0..turns).fold(corner, |(dx, dy), _| (-dy, dx)));
            let corners: Vec<(f64, f64)> = (0..4).flat_map(turned).collect();
            polygon(&corners)
        }
    }
}

/// A length or coordinate with at most two decimals, as short as it can be written.
pub(crate) fn number_of(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn thirty_series_of_a_style_look_different() {
        let all = 0..30;
        let differ = |look: &dyn Fn(usize) -> String| all.clone().map(look).collect::<BTreeSet<_>>().len();
        assert_eq!(differ(&stroke), 30);
        assert_eq!(differ(&|index| fill(index) + colour(index)), 30);
        assert_eq!(differ(&|index| marker(index, 0.0, 0.0, 1.0) + colour(index)), 30);
    }

    #[test]
    fn every_hatch_that_is_used_is_defined() {
        for index in 0..100 {
            match hatch(index) {
                None => assert_eq!(fill(index), colour(index)),
                Some(definition) => {
                    let name = fill(index).replace("url(#", "id=\"").replace(')', "\"");
                    assert!(definition.contains(&name), "{name} is not defined by {definition}");
                }
            }
        }
    }

    #[test]
    fn numbers_are_short() {
        let texts = [1.0, -0.001, 0.125, 10.0, -2.5].map(number_of);
        assert_eq!(texts, ["1", "0", "0.12", "10", "-2.5"]);
    }
}
