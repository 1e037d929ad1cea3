//! Whole charts, as SVG and as PNG: well formed, complete, and never a panic.

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use resvg::tiny_skia::Pixmap;
use roxmltree::{Document, Node};
use tilebase_plot::{Axis, Chart, MAX_WIDTH, PlotError, Scale, Series, Style};

const STYLES: [Style; 4] = [Style::Bars, Style::Line, Style::Points, Style::Steps];
const SCALES: [Scale; 2] = [Scale::Linear, Scale::Log10];

fn chart(series: Vec<Series>) -> Chart {
    Chart {
        title: "A title".into(),
        subtitle: Some("and more".into()),
        x: Axis::linear("across"),
        y: Axis::linear("upwards"),
        series,
    }
}

/// Draws a chart of these points in every style on every pair of scales.
fn in_every_way(points: &[(f64, f64)]) -> Vec<Chart> {
    let mut charts = Vec::new();
    for style in STYLES {
        for x in SCALES {
            for y in SCALES {
                let mut chart = chart(vec![Series::new("points", style, points.iter().copied())]);
                chart.x.scale = x;
                chart.y.scale = y;
                charts.push(chart);
            }
        }
    }
    charts
}

/// Parses the SVG of a chart and checks what holds for every chart.
fn check(chart: &Chart) -> String {
    let svg = chart.svg();
    let document = Document::parse(&svg).unwrap_or_else(|error| panic!("{error} in\n{svg}"));
    assert_eq!(document.root_element().tag_name().name(), "svg");
    for element in document.descendants().filter(Node::is_element) {
        for attribute in element.attributes().filter(|attribute| attribute.name() != "aria-label") {
            let value = attribute.value();
            assert!(!value.contains("NaN") && !value.contains("inf"), "{}: {value}", attribute.name());
        }
    }
    svg
}

fn texts(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).unwrap();
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.map(|node| node.descendants().filter_map(|part| part.text().filter(|_| part.is_text())).collect()).collect()
}

fn pixels(chart: &Chart, width: u32) -> Pixmap {
    Pixmap::decode_png(&chart.png(width).unwrap()).unwrap()
}

fn count(pixels: &Pixmap, (red, green, blue): (u8, u8, u8)) -> usize {
    let same = |pixel: &&resvg::tiny_skia::PremultipliedColorU8| {
        (pixel.red(), pixel.green(), pixel.blue()) == (red, green, blue)
    };
    pixels.pixels().iter().filter(same).count()
}

#[test]
fn all_texts_are_in_the_picture_and_escaped() {
    let mut chart = chart(vec![
        Series::new("a < b & c", Style::Line, [(0.0, 0.0), (1.0, 1.0)]),
        Series::new("</g> ]]> '\"", Style::Points, [(0.0, 0.0)]),
    ]);
    chart.title = "<script>alert(1)</script>".into();
    chart.subtitle = Some("\u{0}\u{8}&amp;".into());
    chart.x.label = "x & y".into();
    let svg = check(&chart);
    assert!(!svg.contains("<script"));
    let texts = texts(&svg);
    for text in ["<script>alert(1)</script>", "\u{fffd}\u{fffd}&amp;", "x & y", "upwards", "a < b & c", "</g> ]]> '\""]
    {
        assert!(texts.iter().any(|found| found == text), "{text} is not among {texts:?}");
    }
}

#[test]
fn a_screen_reader_finds_title_and_description() {
    let svg = check(&chart(vec![Series::new("costs", Style::Bars, [(0.0, 1.0)])]));
    assert!(svg.contains("<title>A title</title>"));
    assert!(svg.contains("<desc>upwards against across: costs (1 point).</desc>"));
}

#[test]
fn the_same_chart_gives_the_same_bytes() {
    let points = (0..50).map(|x| (f64::from(x), f64::from(x).sin()));
    let chart = chart(STYLES.map(|style| Series::new("series", style, points.clone())).to_vec());
    assert_eq!(chart.svg(), chart.clone().svg());
    assert_eq!(chart.png(300), chart.clone().png(300));
}

#[test]
fn a_chart_without_data_says_so() {
    let nowhere = [(f64::NAN, 1.0), (1.0, f64::INFINITY), (f64::NEG_INFINITY, 0.0)];
    for empty in [chart(Vec::new())].into_iter().chain(in_every_way(&[])).chain(in_every_way(&nowhere)) {
        assert!(texts(&check(&empty)).iter().any(|text| text == "no data"));
    }
}

#[test]
fn odd_points_are_drawn() {
    let cases: [&[(f64, f64)]; 10] = [
        &[(5.0, 7.0)],
        &[(0.0, 0.0)],
        &[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)],
        &[(1.0, -5.0), (2.0, 0.0), (3.0, 5.0)],
        &[(1.0, 1.0), (f64::NAN, 2.0), (3.0, f64::NAN), (4.0, 4.0)],
        &[(f64::MIN, f64::MAX), (f64::MAX, f64::MIN), (5e-324, 5e-324)],
        &[(1e-300, 1e-300), (1e300, 1e300)],
        &[(1.0, 1.0), (1.0 + f64::EPSILON, 1.0 + f64::EPSILON)],
        &[(1e15, 1e15), (1e15 + 1.0, 1e15 + 1.0)],
        &[(3.0, 2.0), (3.0, 2.0), (3.0, 4.0)],
    ];
    for points in cases {
        for chart in in_every_way(points) {
            check(&chart);
            pixels(&chart, 60);
        }
    }
}

#[test]
fn zero_has_no_place_on_a_logarithmic_axis() {
    let mut chart = chart(vec![Series::new("", Style::Points, [(0.0, 0.0), (1.0, 10.0), (2.0, -3.0), (3.0, 1000.0)])]);
    chart.y.scale = Scale::Log10;
    let svg = check(&chart);
    assert_eq!(svg.matches("a3.2 3.2").count(), 2 * 2, "two circles of two arcs each");
    let texts = texts(&svg);
    assert!(["10", "100", "1\u{a0}k"].iter().all(|label| texts.iter().any(|text| text == label)), "{texts:?}");
}

#[test]
fn a_fixed_range_cuts_off_what_is_outside() {
    for style in STYLES {
        let mut chart = chart(vec![Series::new("", style, (0..100).map(|x| (f64::from(x), f64::from(x * x))))]);
        chart.x = chart.x.with_range(10.0, 20.0);
        chart.y = chart.y.with_range(0.0, 200.0);
        check(&chart);
        // The margin to the right of the plot is as white as without data.
        let picture = pixels(&chart, 720);
        let edge = (0..picture.height()).flat_map(|y| (712..720).map(move |x| (x, y)));
        assert!(edge.into_iter().all(|(x, y)| picture.pixel(x, y).unwrap().red() == 255), "{style:?}");
    }
}

#[test]
fn a_legend_names_several_series_and_not_one() {
    let line = |name: String| Series::new(name, Style::Line, [(0.0, 0.0), (1.0, 1.0)]);
    let one = texts(&check(&chart(vec![line("alone".into())])));
    assert!(!one.iter().any(|text| text == "alone"));
    let thirty = texts(&check(&chart((0..30).map(|number| line(format!("series {number}"))).collect())));
    for number in 0..30 {
        assert!(thirty.iter().any(|text| *text == format!("series {number}")));
    }
    let thousands = chart((0..3000).map(|number| line(format!("series {number}"))).collect());
    assert!(texts(&check(&thousands)).iter().any(|text| text.starts_with("… and ")));
}

#[test]
fn long_texts_stay_inside_of_the_picture() {
    let mut chart = chart(vec![
        Series::new("n".repeat(500), Style::Line, [(0.0, 0.0), (1.0, 1.0)]),
        Series::new("many words ".repeat(100), Style::Bars, [(0.0, 0.0), (1.0, 1.0)]),
    ]);
    chart.title = "A title that goes on and on ".repeat(40);
    chart.subtitle = Some("W".repeat(3000));
    chart.x.label = "x ".repeat(1000);
    chart.y.label = "y ".repeat(1000);
    check(&chart);
    let picture = pixels(&chart, 720);
    assert!(picture.height() < 1000);
    let (width, height) = (picture.width(), picture.height());
    let white = |x, y| picture.pixel(x, y).unwrap().green() == 255;
    assert!(
        (0..height).all(|y| white(0, y) && white(width - 1, y))
            && (0..width).all(|x| white(x, 0) && white(x, height - 1))
    );
}

#[test]
fn a_png_has_the_width_that_was_asked_for_and_shows_data_and_texts() {
    for style in STYLES {
        let chart = chart(vec![Series::new("series", style, (0..20).map(|x| (f64::from(x), f64::from(x % 7))))]);
        for width in [1, 333, 720, 1440] {
            assert_eq!(pixels(&chart, width).width(), width);
        }
        let picture = pixels(&chart, 1440);
        assert!(count(&picture, (0x00, 0x72, 0xb2)) > 300, "{style:?} in blue");
        assert!(count(&picture, (0x1f, 0x23, 0x28)) > 300, "letters in dark grey");
        assert!(count(&picture, (255, 255, 255)) > 100_000, "background in white");
    }
}

#[test]
fn a_width_that_cannot_be_is_an_error() {
    for found in [0, MAX_WIDTH + 1, u32::MAX] {
        assert_eq!(chart(Vec::new()).png(found), Err(PlotError::Width { found }));
    }
}

#[test]
fn bars_of_several_series_are_hatched() {
    let bars = |name: &str| Series::new(name, Style::Bars, [(0.0, 3.0), (1.0, 4.0)]);
    let svg = check(&chart(vec![bars("one"), bars("two"), bars("three")]));
    assert!(svg.contains("url(#tilebase-hatch-1)") && svg.contains("id=\"tilebase-hatch-1\""));
    assert!(svg.contains("url(#tilebase-hatch-2)") && svg.contains("id=\"tilebase-hatch-2\""));
}

/// Numbers of every kind: plain ones, those of every size, and those that are none.
fn numbers() -> impl Strategy<Value = f64> {
    prop_oneof![4 => -100.0..100.0, 2 => (-20_i32..20).prop_map(f64::from), 2 => any::<f64>(), 1 => Just(f64::NAN), 1 => Just(0.0)]
}

fn axes() -> impl Strategy<Value = Axis> {
    let range = proptest::option::weighted(0.3, (numbers(), numbers()));
    (any::<String>(), any::<bool>(), range).prop_map(|(label, log, range)| {
        let axis = if log { Axis::log10(label) } else { Axis::linear(label) };
        range.map_or(axis.clone(), |(low, high)| axis.with_range(low, high))
    })
}

fn charts() -> impl Strategy<Value = Chart> {
    let points = proptest::collection::vec((numbers(), numbers()), 0..40);
    let series = (any::<String>(), proptest::sample::select(STYLES.to_vec()), points)
        .prop_map(|(name, style, points)| Series::new(name, style, points));
    let texts = (any::<String>(), any::<Option<String>>());
    (texts, axes(), axes(), proptest::collection::vec(series, 0..6))
        .prop_map(|((title, subtitle), x, y, series)| Chart { title, subtitle, x, y, series })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, rng_seed: RngSeed::Fixed(15), ..ProptestConfig::default() })]

    #[test]
    fn any_chart_is_drawn_as_well_formed_svg(chart in charts()) {
        check(&chart);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, rng_seed: RngSeed::Fixed(15), ..ProptestConfig::default() })]

    #[test]
    fn any_chart_is_rasterised(chart in charts(), width in 1_u32..300) {
        prop_assert_eq!(pixels(&chart, width).width(), width);
    }
}
