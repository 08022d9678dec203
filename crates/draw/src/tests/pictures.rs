//! What a reader may expect of every picture.

use rely_base::{Id, Label, StateId};
use rely_lts::{Lts, Transition};
use rely_testkit::rng::Rng;

use super::{gallery, random, system, xml};
use crate::{Layout, Options, Point, Rect, TooLarge, layout, svg};

/// Every system that is drawn in these tests.
fn for_each_system(check: impl Fn(&str, &Lts)) {
    for (name, lts) in gallery() {
        check(name, &lts);
    }
    for seed in 0..120 {
        check(&format!("seed {seed}"), &random(&mut Rng::new(seed), 12));
    }
    for seed in 0..8 {
        check(&format!("seed {seed}, larger"), &random(&mut Rng::new(seed), 60));
    }
}

fn layout_of(lts: &Lts) -> Layout {
    layout(lts, &Options::default()).expect("the system is small")
}

fn shrunk(area: Rect) -> Rect {
    Rect { x: area.x + 0.01, y: area.y + 0.01, width: area.width - 0.02, height: area.height - 0.02 }
}

fn distance(one: Point, other: Point) -> f64 {
    (one - other).x.hypot((one - other).y)
}

#[test]
fn circles_and_labels_are_apart() {
    for_each_system(|name, lts| {
        let layout = layout_of(lts);
        for (i, one) in layout.states.iter().enumerate() {
            for other in &layout.states[i + 1..] {
                let gap = distance(one.center, other.center) - one.radius - other.radius;
                assert!(gap > 5.0, "{name}: {:?} and {:?}", one.state, other.state);
            }
        }
        for (i, arrow) in layout.arrows.iter().enumerate() {
            let area = shrunk(arrow.label.area);
            for state in &layout.states {
                let circle = Rect::around(state.center, state.radius);
                assert!(!area.overlaps(&circle), "{name}: {:?} on {:?}", arrow.label, state.state);
            }
            for other in &layout.arrows[i + 1..] {
                assert!(
                    !area.overlaps(&shrunk(other.label.area)),
                    "{name}: {:?} on {:?}",
                    arrow.label,
                    other.label
                );
            }
        }
    });
}

#[test]
fn lines_keep_off_labels_and_foreign_circles() {
    for_each_system(|name, lts| {
        let layout = layout_of(lts);
        for arrow in &layout.arrows {
            let points = arrow.path.samples(16);
            for other in &layout.arrows {
                let area = shrunk(other.label.area);
                let dot = |point: &Point| Rect { x: point.x, y: point.y, width: 0.001, height: 0.001 };
                let hit = points.iter().find(|point| area.overlaps(&dot(point)));
                assert_eq!(
                    hit, None,
                    "{name}: {:?} to {:?} through {:?}",
                    arrow.source, arrow.target, other.label
                );
            }
            for state in layout
                .states
                .iter()
                .filter(|state| state.state != arrow.source && state.state != arrow.target)
            {
                let nearest =
                    points.iter().map(|&point| distance(point, state.center)).fold(f64::MAX, f64::min);
                assert!(
                    nearest > state.radius,
                    "{name}: {:?} to {:?} through {:?}",
                    arrow.source,
                    arrow.target,
                    state
                );
            }
        }
    });
}

#[test]
fn arrows_join_their_circles() {
    for_each_system(|name, lts| {
        let layout = layout_of(lts);
        for arrow in &layout.arrows {
            let (source, target) =
                (&layout.states[arrow.source.index()], &layout.states[arrow.target.index()]);
            let from = distance(arrow.path.start, source.center) - source.radius;
            let to = distance(arrow.head[0], target.center) - target.radius;
            assert!(from.abs() < 0.01, "{name}: {:?} begins {from} away from its source", arrow.labels);
            assert!((0.0..2.0).contains(&to), "{name}: {:?} ends {to} away from its target", arrow.labels);
            let neck = distance(arrow.path.end(), arrow.head[0]);
            assert!((5.0..10.0).contains(&neck), "{name}: {:?} ends {neck} before its tip", arrow.labels);
        }
    });
}

#[test]
fn every_transition_is_drawn_once() {
    for_each_system(|name, lts| {
        let layout = layout_of(lts);
        let mut drawn: Vec<Transition> = Vec::new();
        for arrow in &layout.arrows {
            let transition =
                |&label: &Label| Transition { source: arrow.source, label, target: arrow.target };
            drawn.extend(arrow.labels.iter().map(transition));
        }
        drawn.sort_unstable();
        assert_eq!(drawn, lts.transitions().collect::<Vec<_>>(), "{name}");
        assert_eq!(layout.states.len(), lts.state_count(), "{name}");
    });
}

#[test]
fn nothing_is_cut_off() {
    for_each_system(|name, lts| {
        let layout = layout_of(lts);
        let is_inside = |point: Point| {
            (0.0..=layout.width).contains(&point.x) && (0.0..=layout.height).contains(&point.y)
        };
        let corners =
            |area: Rect| [Point::new(area.x, area.y), Point::new(area.x + area.width, area.y + area.height)];
        let labels = layout.arrows.iter().flat_map(|arrow| corners(arrow.label.area));
        let circles =
            layout.states.iter().flat_map(|state| corners(Rect::around(state.center, state.radius)));
        let lines = layout.arrows.iter().flat_map(|arrow| arrow.path.samples(16));
        let entry = layout.entry.0.points();
        assert!(labels.chain(circles).chain(lines).chain(entry).all(is_inside), "{name}");
    });
}

#[test]
fn the_initial_state_is_at_the_left() {
    for_each_system(|name, lts| {
        let layout = layout_of(lts);
        let initial = layout.states[lts.initial().index()].center.x;
        assert!(layout.states.iter().all(|state| state.center.x >= initial - 0.01), "{name}");
    });
}

#[test]
fn pictures_are_well_formed_and_always_the_same() {
    for_each_system(|name, lts| {
        let options = Options { title: "a <title> & \u{1b} more".to_owned(), ..Options::default() };
        let picture = svg(lts, &options).unwrap();
        assert_eq!(svg(&lts.clone(), &options).as_ref(), Ok(&picture), "{name}");
        let elements = xml::check(&picture).unwrap_or_else(|problem| panic!("{name}: {problem}"));
        let count = |wanted: &str| elements.iter().filter(|element| *element == wanted).count();
        let layout = layout_of(lts);
        assert_eq!(count("path"), layout.arrows.len() + 1, "{name}");
        assert_eq!(count("circle"), lts.state_count() + usize::from(lts.end().is_some()), "{name}");
    });
}

#[test]
fn hostile_names_stay_text() {
    let names = [
        "</text><script>alert(1)</script>",
        "]]>",
        "&amp;",
        "a\u{0}b\r\n\tc",
        "\u{202e}reversed",
        "\u{ffff}",
    ];
    let transitions: Vec<_> = (1..=6).flat_map(|label| [(0, label, 0), (0, label, 1)]).collect();
    let picture = svg(&system(&names, 2, &transitions).build(), &Options::default()).unwrap();
    let elements = xml::check(&picture).expect("well-formed");
    assert!(!elements.iter().any(|element| element == "script"));
    assert!(picture.contains("\\u{202e}reversed") && picture.contains("a\\u{0}b\\r\\n\\tc"), "{picture}");
}

#[test]
fn large_systems_are_refused() {
    let options = Options { max_states: 3, max_arrows: 4, ..Options::default() };
    let states = svg(&system(&[], 4, &[]).build(), &options);
    assert_eq!(states, Err(TooLarge::States { found: 4, limit: 3 }));
    let all: Vec<_> = (0..3).flat_map(|i| (0..3).map(move |j| (i, 1, j))).collect();
    assert_eq!(svg(&system(&["a"], 3, &all).build(), &options), Err(TooLarge::Arrows { found: 9, limit: 4 }));
    let steps = (0..399).map(|i| (i, 1, i + 1));
    let jumps = (0..200).map(|i| (i, 1, 399 - i));
    let tangled: Vec<_> = steps.chain(jumps).collect();
    let lts = system(&["a"], 400, &tangled).build();
    assert_eq!(svg(&lts, &Options::default()), Err(TooLarge::Tangled));
    assert_eq!(
        TooLarge::States { found: 4, limit: 3 }.to_string(),
        "too large to draw: 4 states, at most 3 can be drawn"
    );
}

#[test]
fn a_cycle_has_its_states_on_one_line() {
    let lts = system(&["red", "orange", "green"], 4, &[(0, 1, 1), (1, 2, 2), (2, 3, 3), (3, 2, 0)]).build();
    let layout = layout_of(&lts);
    assert!(layout.states.iter().all(|state| (state.center.y - layout.states[0].center.y).abs() < 0.5));
}

#[test]
fn a_tree_has_parents_in_the_middle_of_their_children() {
    let (_, lts) = gallery().into_iter().find(|(name, _)| *name == "tree").unwrap();
    let layout = layout_of(&lts);
    let y = |state: usize| layout.states[state].center.y;
    assert!((0..15).all(|i| (y(i) - (y(2 * i + 1) + y(2 * i + 2)) / 2.0).abs() < 3.0));
}

#[test]
fn silent_and_erroneous_arrows_look_different() {
    let mut builder = system(&["a"], 3, &[(0, 0, 1), (1, 1, 2), (0, 0, 2)]);
    builder.set_error(Some(StateId::from_raw(2)));
    let picture = svg(&builder.build(), &Options::default()).unwrap();
    assert!(picture.contains("class=\"arrow silent\" data-from=\"0\" data-to=\"1\""));
    assert!(picture.contains("class=\"arrow to-error\" data-from=\"1\" data-to=\"2\""));
    assert!(picture.contains("class=\"arrow silent to-error\" data-from=\"0\" data-to=\"2\""));
    assert!(picture.contains(">ERROR</text>"));
}
