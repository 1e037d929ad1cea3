//! Pictures of boards are whole SVGs that show every tile, and every tile ends where it slid to.

use roxmltree::{Document, Node};
use tilebase_plot::{BoardPicture, Fill, Note};

fn example() -> BoardPicture {
    let mut picture = BoardPicture::new(3, &[1, 2, 3, 4, 5, 6, 7, 0, 8]);
    picture.title = Some("A & <B>".into());
    picture.fills = (0..9).map(|label| if label % 2 == 0 { Fill::Group(label) } else { Fill::Light }).collect();
    picture.marks = vec![(0, 'a'), (1, 'a'), (1, 'b')];
    picture.notes = vec![
        Note::Mark('a', "conflict 1 and 2 in a row, 2 more moves than their own distances".into()),
        Note::Group(2, "tiles 2".into()),
    ];
    picture
}

fn tiles<'a>(document: &'a Document<'_>) -> Vec<Node<'a, 'a>> {
    document.descendants().filter(|node| node.has_tag_name("g")).collect()
}

#[test]
fn a_board_has_its_tiles_marks_and_notes() {
    let svg = example().svg();
    let document = Document::parse(&svg).unwrap();
    assert_eq!(document.root_element().attribute("aria-label"), Some("A & <B>"));
    let numbers: Vec<&str> =
        tiles(&document).iter().filter_map(|tile| tile.descendants().find(roxmltree::Node::is_text)?.text()).collect();
    assert_eq!(numbers, ["1", "2", "3", "4", "5", "6", "7", "8"]);
    let discs = |node: &Node<'_, '_>| node.descendants().filter(|node| node.has_tag_name("circle")).count();
    assert_eq!(tiles(&document).iter().map(discs).collect::<Vec<_>>(), [1, 2, 0, 0, 0, 0, 0, 0]);
    assert_eq!(discs(&document.root_element()), 4, "and one before the note");
    assert!(svg.contains("more moves") && !svg.contains("animateTransform"));
}

#[test]
fn all_that_is_drawn_is_inside_of_the_picture() {
    for columns in [2, 3, 5] {
        let mut picture = BoardPicture::new(columns, &(0..columns as u8 * 3).collect::<Vec<_>>());
        picture.notes = (0..9).map(|group| Note::Group(group, "tiles 1, 2, 3, 4, 5, 6, 7, 8, 9".into())).collect();
        let svg = picture.svg();
        let document = Document::parse(&svg).unwrap();
        let number = |node: Node<'_, '_>, name: &str| node.attribute(name).and_then(|text| text.parse::<f64>().ok());
        let root = document.root_element();
        let (width, height) = (number(root, "width").unwrap(), number(root, "height").unwrap());
        for node in root.children().filter(roxmltree::Node::is_element) {
            let at = |name| number(node, name).unwrap_or(0.0);
            assert!(at("x") + at("width") <= width && at("y") + at("height") < height + 1.0, "{node:?}");
        }
    }
}

#[test]
fn tiles_slide_one_after_the_other_to_their_squares() {
    let mut picture = BoardPicture::new(2, &[1, 2, 3, 0]);
    picture.slides = vec![(2, 3), (1, 1), (2, 3)];
    let svg = picture.svg();
    let document = Document::parse(&svg).unwrap();
    let moving = document.descendants().filter(|node| node.has_tag_name("animateTransform"));
    let mut count = 0;
    for node in moving {
        let times: Vec<f64> =
            node.attribute("keyTimes").unwrap().split(';').map(|time| time.parse().unwrap()).collect();
        let values: Vec<&str> = node.attribute("values").unwrap().split(';').collect();
        assert_eq!(times.len(), values.len());
        assert!(times.windows(2).all(|pair| pair[0] <= pair[1]) && times[0] <= 0.0 && times[times.len() - 1] >= 1.0);
        let start = node.parent().unwrap().attribute("transform").unwrap();
        assert_eq!(start, format!("translate({})", values[0]));
        assert_eq!(*values.last().unwrap(), ["84,20", "84,84"][count], "tile {}", count + 1);
        count += 1;
    }
    assert_eq!(count, 2);
}

#[test]
fn a_png_has_the_width_asked_for() {
    let png = example().png(300).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!(u32::from_be_bytes(png[16..20].try_into().unwrap()), 300);
    assert!(example().png(0).is_err());
}
