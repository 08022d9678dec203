//! Pictures of lanes: well-formed, whatever names they have, and with everything in its place.

use rely_testkit::rng::{Rng, seeds};

use super::xml;
use crate::{Lane, LaneRow, Lanes, lanes};

const NAMES: [&str; 6] = [
    "CLIENT",
    "ring.1:NODE(1)",
    "<script>alert('&')</script>",
    "\u{202e}\u{7}",
    "",
    "a.very.long.name.of.a.part.that.goes.on:PART",
];

fn random(rng: &mut Rng) -> Lanes {
    let columns = (0..rng.below(8))
        .map(|_| Lane {
            name: (*rng.pick(&NAMES)).to_owned(),
            tone: rng.below(9),
            looks_on: rng.chance(1, 3),
        })
        .collect::<Vec<_>>();
    let rows = (0..rng.below(6))
        .map(|i| LaneRow {
            number: if rng.chance(1, 2) { i.to_string() } else { String::new() },
            names: (0..rng.below(9)).map(|_| (*rng.pick(&NAMES)).to_owned()).collect(),
            marks: (0..columns.len()).filter(|_| rng.chance(1, 2)).collect(),
            fails: rng.chance(1, 4),
        })
        .collect();
    Lanes { title: (*rng.pick(&NAMES)).to_owned(), columns, rows }
}

/// The numbers of an attribute of the elements whose tag contains a text.
fn numbers(document: &str, tag: &str, attribute: &str) -> Vec<f64> {
    let tags =
        document.split('<').filter(|text| text.split('>').next().is_some_and(|head| head.contains(tag)));
    let value = |text: &str| {
        let after = text.split(&format!(" {attribute}=\"")).nth(1)?;
        after.split('"').next()?.parse().ok()
    };
    tags.filter_map(value).collect()
}

#[test]
fn pictures_are_well_formed_and_marks_are_on_their_lanes() {
    for seed in seeds(300) {
        let picture = random(&mut Rng::new(seed));
        let document = lanes(&picture);
        let elements = xml::check(&document).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        let marks: usize = picture.rows.iter().map(|row| row.marks.len()).sum();
        assert_eq!(elements.iter().filter(|name| *name == "circle").count(), marks, "seed {seed}");
        assert!(!document.contains("<script"), "seed {seed}");
        let columns = numbers(&document, "class=\"lane", "x1");
        assert_eq!(columns.len(), picture.columns.len(), "seed {seed}");
        let expected: Vec<f64> =
            picture.rows.iter().flat_map(|row| row.marks.iter().map(|&mark| columns[mark])).collect();
        assert_eq!(numbers(&document, "class=\"mark", "cx"), expected, "seed {seed}");
        let width = numbers(&document, "svg", "width")[0];
        assert!(columns.iter().all(|&x| x > 0.0 && x < width), "seed {seed}");
        assert_eq!(document, lanes(&picture), "seed {seed}");
    }
}

#[test]
fn rows_do_not_overlap() {
    let row = |names: usize| LaneRow {
        number: "7".to_owned(),
        names: (0..names).map(|i| format!("controller.{i}.acknowledge")).collect(),
        marks: vec![0],
        fails: false,
    };
    let column = Lane { name: "M".to_owned(), tone: 0, looks_on: false };
    let picture = Lanes { title: String::new(), columns: vec![column], rows: vec![row(5), row(1), row(3)] };
    let document = lanes(&picture);
    let mut labels = numbers(&document, "class=\"label", "y");
    let sorted = labels.is_sorted_by(|one, next| next - one > 10.0);
    assert!(sorted, "{labels:?}");
    labels.dedup();
    assert!(labels.len() > 5);
}
