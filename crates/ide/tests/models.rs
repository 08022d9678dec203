//! What editors show, on every model of the project.

use std::collections::BTreeSet;
use std::path::PathBuf;

use rely_base::{Budget, Limits, Span};
use rely_ide::{Board, Document, Lines};
use rely_model::NameClass;
use rely_session::report::{Kind, Verdict};
use rely_session::{CheckQuery, Project, check, review};
use rely_testkit::rng::{Rng, seeds};

/// The models, by name.
fn models() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut models = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the models") {
        let path = entry.expect("a model").path();
        if let Ok(text) = std::fs::read_to_string(&path) {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            models.push((name, text));
        }
    }
    models.sort();
    models
}

fn project(name: &str, text: &str) -> Project {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let load = move |import: &str| std::fs::read(folder.join(import)).map_err(|error| error.to_string());
    Project::new(name, text, Box::new(load))
}

const LIMITS: Limits = Limits { states: Some(3_000), bytes: None };

/// The verdicts about a text, whatever its definitions are called.
fn verdicts(project: &Project) -> Vec<(Kind, Verdict)> {
    let report = check(project, &CheckQuery::default(), Budget::new(LIMITS, None)).expect("no mistake");
    report.results.iter().map(|it| (it.kind, it.verdict)).collect()
}

/// Whether two lists of verdicts agree. What is met first within a limit may depend on names.
fn agree(one: &[(Kind, Verdict)], other: &[(Kind, Verdict)]) -> bool {
    let is_alike = |((kind, verdict), (other_kind, other)): (&(Kind, Verdict), &(Kind, Verdict))| {
        kind == other_kind && (verdict == other || [*verdict, *other].contains(&Verdict::Unknown))
    };
    one.len() == other.len() && one.iter().zip(other).all(is_alike)
}

fn changed(text: &str, places: &[Span], to: &str) -> String {
    let mut text = text.to_owned();
    for place in places.iter().rev() {
        text.replace_range(place.start as usize..place.end as usize, to);
    }
    text
}

#[test]
fn the_usual_layout_has_the_same_meaning_and_is_its_own() {
    let mut formatted = 0;
    for (name, text) in models() {
        let before = project(&name, &text);
        let Some(usual) = before.formatted() else {
            assert!(!name.ends_with(".lts"), "{name} has no layout");
            continue;
        };
        formatted += 1;
        let after = project(&name, &usual);
        assert_eq!(after.formatted().as_deref(), Some(&*usual), "{name}: a second time");
        assert!(agree(&verdicts(&before), &verdicts(&after)), "{name}");
        let comments = |project: &Project| project.text().matches("//").count();
        assert_eq!(comments(&before), comments(&after), "{name}");
    }
    assert!(formatted > 20);
}

#[test]
fn in_the_models_every_name_means_something() {
    for (name, text) in models().into_iter().filter(|(name, _)| name.ends_with(".lts")) {
        let project = project(&name, &text);
        let names = project.names().expect("FSP tells");
        assert!(!names.is_empty(), "{name}");
        for found in names {
            let word = &text[found.place.start as usize..found.place.end as usize];
            assert_ne!(found.class, NameClass::Unknown, "{name}: {word}");
        }
    }
}

#[test]
fn a_new_name_changes_no_verdict() {
    let mut renamed = 0;
    for (name, text) in models().into_iter().filter(|(name, _)| name.ends_with(".lts")) {
        let before = project(&name, &text);
        let document = Document::new(&before);
        let expected = verdicts(&before);
        let names = before.names().expect("FSP tells");
        let mut seen: BTreeSet<(Option<Span>, String)> = BTreeSet::new();
        for (number, found) in names.iter().enumerate() {
            let word = &text[found.place.start as usize..found.place.end as usize];
            let is_new = seen
                .insert((found.means, if found.means.is_some() { String::new() } else { word.to_owned() }));
            // Every name of small models, and a few of large ones.
            if !is_new || found.class == NameClass::Predefined || (names.len() > 150 && number % 17 > 0) {
                continue;
            }
            let to = if word.starts_with(char::is_uppercase) { "FRESH_Name" } else { "fresh_name" };
            let places = document.rename(found.place.start, to);
            let places = places.unwrap_or_else(|error| panic!("{name}: {word}: {error:?}"));
            let text = changed(&text, &places, to);
            let after = project(&name, &text);
            assert!(agree(&verdicts(&after), &expected), "{name}: {word} is called {to}");
            renamed += 1;
        }
    }
    assert!(renamed > 200, "{renamed}");
}

#[test]
fn a_name_that_is_taken_is_refused() {
    let text = "const N = 2\nP(K = 1) = (a[i:0..N] -> b[i][K] -> Q),\nQ = (c -> P).\n||S = (P || x:P(N)).\n";
    let project = project("x.lts", text);
    let document = Document::new(&project);
    let at = |word: &str| u32::try_from(text.find(word).expect("it is there")).expect("small");
    for (word, to) in [
        ("N = 2", "K"),
        ("K = 1", "N"),
        ("Q)", "P"),
        ("a[", "b"),
        ("P(K", "STOP"),
        ("i:0", "0x"),
        ("S =", "lower"),
    ] {
        assert!(document.rename(at(word), to).is_err(), "{word} to {to}");
    }
    assert!(document.rename(at("S ="), "T").is_ok());
    assert_eq!(document.references(at("N = 2")).len(), 3);
    assert_eq!(document.references(at("i:0")).len(), 2);
    assert_eq!(document.definition(at("Q)")), Some(Span::new(at("Q ="), at("Q =") + 1)));
}

#[test]
fn what_is_wrong_is_what_check_finds() {
    for (name, text) in models() {
        // What has to be searched is not looked at here.
        if text.len() > 7_000 {
            continue;
        }
        let project = project(&name, &text);
        let budget = Budget::new(LIMITS, None);
        let checked = check(&project, &CheckQuery::default(), budget).expect("no mistake").diagnostics;
        assert_eq!(review(&project, budget), checked, "{name}");
    }
}

#[test]
fn no_edit_makes_it_fail() {
    let models = models();
    for seed in seeds(150) {
        let mut rng = Rng::new(seed);
        let (name, text) = rng.pick(&models).clone();
        let mut text = if text.len() > 4_000 { text.chars().take(1_500).collect() } else { text };
        for _ in 0..1 + rng.below(8) {
            let place = |rng: &mut Rng| {
                let mut place = rng.below(text.len() + 1);
                while !text.is_char_boundary(place) {
                    place -= 1;
                }
                place
            };
            let (one, other) = (place(&mut rng), place(&mut rng));
            let end = if rng.chance(1, 2) { one } else { other.clamp(one, one + 20.min(text.len() - one)) };
            let end = (one..=end).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(one);
            let inserted =
                rng.pick(&["", "(", ")", "]", "{", "->", "é", "/*", "\"", "P", "||", ".", "\n", "😀", "9"]);
            text.replace_range(one..end, inserted);
        }
        let project = project(&name, &text);
        let document = Document::new(&project);
        let lines = Lines::new(&text);
        let board = Board::default();
        let _ = (document.colours(), document.folds(), document.symbols(), document.lenses(&board));
        for colour in document.colours() {
            assert!(text.get(colour.span.start as usize..colour.span.end as usize).is_some(), "seed {seed}");
        }
        for _ in 0..4 {
            let byte = lines.byte_of_unit(u32::try_from(rng.below(text.len() + 2)).expect("small"));
            let _ = (document.hover(byte, &board), document.completions(byte), document.definition(byte));
            let _ = (document.references(byte), document.rename(byte, "Fresh"));
        }
        let _ = review(&project, Budget::new(LIMITS, None));
        if let Some(usual) = project.formatted() {
            assert_eq!(
                self::project(&name, &usual).formatted().as_deref(),
                Some(&*usual),
                "seed {seed}: {text}"
            );
        }
    }
}
