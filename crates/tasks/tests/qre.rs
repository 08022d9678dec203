//! Quantified regular expressions: their automata accept what the expressions mean, and they watch programs.

mod common;

use std::collections::BTreeSet;

use common::{network, with_tasks};
use rely_base::{ActionId, Budget, Id};
use rely_decide::check_safety;
use rely_lts::Component;
use rely_lts::operators::relabel;
use rely_tasks::{Exact, parse_qre};
use rely_testkit::rng::{Rng, seeds};

/// A regular expression, and its text.
enum Regex {
    OneOf(Vec<usize>),
    Sequence(Vec<Regex>),
    Choice(Vec<Regex>),
    Repeat(Box<Regex>, char),
}

const EVENTS: [&str; 3] = ["a", "b", "c"];

impl Regex {
    fn random(rng: &mut Rng, depth: usize) -> Self {
        match if depth == 0 { 0 } else { rng.below(4) } {
            0 => Self::OneOf((0..3).filter(|_| rng.chance(1, 2)).collect()),
            1 => Self::Sequence((0..1 + rng.below(3)).map(|_| Self::random(rng, depth - 1)).collect()),
            2 => Self::Choice((0..1 + rng.below(3)).map(|_| Self::random(rng, depth - 1)).collect()),
            _ => Self::Repeat(Box::new(Self::random(rng, depth - 1)), *rng.pick(&['*', '+', '?'])),
        }
    }

    fn text(&self) -> String {
        let joined = |parts: &[Self], sign: &str| {
            format!("({})", parts.iter().map(Self::text).collect::<Vec<_>>().join(sign))
        };
        match self {
            Self::OneOf(letters) => match letters.len() {
                3 => ".".to_owned(),
                // Everything but everything is nothing.
                0 => "[-a, b, c]".to_owned(),
                1 => EVENTS[letters[0]].to_owned(),
                _ => {
                    let other = (0..3).find(|at| !letters.contains(at)).expect("one is left");
                    format!("[-{}]", EVENTS[other])
                }
            },
            Self::Sequence(parts) => joined(parts, "; "),
            Self::Choice(parts) => joined(parts, " | "),
            Self::Repeat(inner, sign) => format!("({}){sign}", inner.text()),
        }
    }

    /// Where a match that begins at a place of a word can end.
    fn ends(&self, word: &[usize], from: usize) -> BTreeSet<usize> {
        match self {
            Self::OneOf(letters) => {
                word.get(from).filter(|at| letters.contains(at)).map(|_| from + 1).into_iter().collect()
            }
            Self::Sequence(parts) => parts.iter().fold([from].into(), |ends: BTreeSet<usize>, part| {
                ends.into_iter().flat_map(|end| part.ends(word, end)).collect()
            }),
            Self::Choice(parts) => parts.iter().flat_map(|part| part.ends(word, from)).collect(),
            Self::Repeat(inner, sign) => {
                let once = inner.ends(word, from);
                let mut all = once.clone();
                if *sign != '?' {
                    for _ in 0..=word.len() {
                        all.extend(all.clone().into_iter().flat_map(|end| inner.ends(word, end)));
                    }
                }
                if *sign != '+' {
                    all.insert(from);
                }
                all
            }
        }
    }
}

#[test]
fn automata_accept_what_expressions_mean() {
    for seed in seeds(400) {
        let mut rng = Rng::new(seed);
        let regex = Regex::random(&mut rng, 3);
        let is_no = rng.chance(1, 2);
        let quantifier = if is_no { "no" } else { "all" };
        let text = format!("for events {{a, b, c}} show {quantifier} executions satisfy {}", regex.text());
        let (properties, diagnostics) = parse_qre(&text);
        assert!(diagnostics.is_empty(), "seed {seed}: {text}\n{diagnostics:?}");
        for _ in 0..60 {
            let word: Vec<usize> = (0..rng.below(7)).map(|_| rng.below(3)).collect();
            let matches = regex.ends(&word, 0).contains(&word.len());
            let letters: Vec<ActionId> = word.iter().map(|&letter| ActionId::from_index(letter)).collect();
            assert_eq!(
                properties[0].allowed.accepts(&letters),
                matches != is_no,
                "seed {seed}: {text} on {word:?}"
            );
        }
    }
}

/// Whether a program has a property.
fn holds(exact: &Exact, text: &str) -> bool {
    let (properties, diagnostics) = parse_qre(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let lts = properties[0].lts(exact.end.as_deref());
    let relabelling = exact.naming.relabelling(lts.alphabet().names()).expect("names mean different events");
    let property = Component::new(&properties[0].name, relabel(&lts, &relabelling));
    let network = exact.network.clone().with_components([property]);
    check_safety(&network, &Budget::UNLIMITED).expect("it can be replayed").verdict.holds()
}

#[test]
fn the_elevator_has_its_property() {
    let exact = network(include_str!("../../../models/elevator.adb"));
    let renaming = "where open = car.open_doors, close = Car.Close_Doors, move = car.move_car";
    let doors =
        "DOORS: for events {open, close, move} show no executions satisfy .*; open; [-close]*; move; .*";
    assert!(holds(&exact, &format!("{doors} {renaming}")));
    let opens = "for events {open, close, move} show no executions satisfy .*; open; .*";
    assert!(!holds(&exact, &format!("{opens} {renaming}")));
    // Judged where the program ends: it always moves.
    assert!(holds(&exact, "for events {car.move_car} show all executions satisfy .*; car.move_car"));
    assert!(!holds(&exact, "for events {car.open_doors} show all executions satisfy car.open_doors"));
    // Tests and assignments of variables.
    assert!(holds(
        &exact,
        "for events {x=true, x=false} show all executions satisfy (x=true; x=false) | (x=false; x=true)"
    ));
    assert!(!holds(&exact, "for events {x=true, x=false} show all executions satisfy x=true; x=false"));
    assert!(!holds(&exact, "for events {x==true, x=false} show all executions satisfy x=false; x==true"));
}

#[test]
fn a_program_that_never_ends_is_judged_on_the_way() {
    let text = with_tasks(
        "",
        &[
            ("S", "entry A; entry B;", "loop accept A; accept B; end loop;"),
            ("C", "", "loop S.A; S.B; end loop;"),
        ],
        "null;",
    );
    let exact = network(&text);
    assert!(exact.end.is_none());
    assert!(holds(&exact, "for events {a, b} show all executions satisfy (a; b)* where a = s.a, b = s.b"));
    assert!(!holds(&exact, "for events {a, b} show all executions satisfy a* where a = s.a, b = s.b"));
}

#[test]
fn mistakes_are_located() {
    let text = "for events {open, close} show all executions satisfy opne; close
    //                                                   ^^^^ E0642 not among the events
    for events {a} show some executions satisfy a
    //                  ^^^^ E0641 expected `all` or `no`
    for events {a} show no executions satisfy (a
    for events {a} show no executions satisfy a | | a where a = b
    //                                            ^ E0641 expected an event
";
    let (_, diagnostics) = parse_qre(text);
    let found: Vec<(&str, &str)> =
        diagnostics.iter().map(|d| (d.code.0, &text[d.span.start as usize..d.span.end as usize])).collect();
    assert_eq!(found, [("E0642", "opne"), ("E0641", "some"), ("E0641", "for"), ("E0641", "|")]);
    for hostile in
        ["(".repeat(100_000), "for events {a} show no executions satisfy ".to_owned() + &"(".repeat(9999)]
    {
        assert!(!parse_qre(&hostile).1.is_empty());
    }
    let stars = format!("for events {{a}} show no executions satisfy a{}", "+?*".repeat(5000));
    assert!(!parse_qre(&stars).1.is_empty());
    let nested =
        format!("for events {{a}} show no executions satisfy {}a{}", "(".repeat(200), ")+".repeat(200));
    assert!(parse_qre(&nested).1.is_empty());
}
