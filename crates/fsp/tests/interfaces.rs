//! Signatures of random composites, against definitions 2 and 3 of [Emmi, Giannakopoulou, Păsăreanu 2008] taken word for
//! word: two automata at a time.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::Budget;
use rely_fsp::{Elaborator, parse};
use rely_lts::Role;
use rely_model::{Target, compose};
use rely_testkit::rng::{Rng, seeds};

const ACTIONS: &[&str] = &["a", "b", "c", "d.1", "d.2"];

/// ⟨αᴵ, αᴼ, αᴴ⟩
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Naive {
    inputs: BTreeSet<String>,
    outputs: BTreeSet<String>,
    internal: BTreeSet<String>,
}

impl Naive {
    fn random(rng: &mut Rng, actions: &[&str]) -> Self {
        let mut signature = Self::default();
        for &action in actions {
            match rng.below(8) {
                0 | 1 => _ = signature.inputs.insert(action.to_owned()),
                2 | 3 => _ = signature.outputs.insert(action.to_owned()),
                4 => _ = signature.internal.insert(action.to_owned()),
                _ => {}
            }
        }
        signature
    }

    fn all(&self) -> BTreeSet<String> {
        self.inputs.iter().chain(&self.outputs).chain(&self.internal).cloned().collect()
    }

    /// αAᴵ ∩ αBᴵ = αAᴼ ∩ αBᴼ = αAᴴ ∩ αB = αA ∩ αBᴴ = ∅
    fn is_composable(&self, other: &Self) -> bool {
        self.inputs.is_disjoint(&other.inputs)
            && self.outputs.is_disjoint(&other.outputs)
            && self.internal.is_disjoint(&other.all())
            && self.all().is_disjoint(&other.internal)
    }

    fn composed(&self, other: &Self) -> Option<Self> {
        let shared: BTreeSet<String> = self.all().intersection(&other.all()).cloned().collect();
        let union = |one: &BTreeSet<String>, two: &BTreeSet<String>| -> BTreeSet<String> {
            one.union(two).filter(|name| !shared.contains(*name)).cloned().collect()
        };
        let mut internal = union(&self.internal, &other.internal);
        internal.extend(shared.iter().cloned());
        self.is_composable(other).then(|| Self {
            inputs: union(&self.inputs, &other.inputs),
            outputs: union(&self.outputs, &other.outputs),
            internal,
        })
    }

    /// A definition with this signature: every action from its only state, or some of them behind `+`.
    fn text(&self, rng: &mut Rng, name: &str) -> String {
        let marked = |names: &BTreeSet<String>, mark: &str| -> Vec<String> {
            names
                .iter()
                .map(|name| format!("{}{mark}", name.replace(".1", "[1]").replace(".2", "[2]")))
                .collect()
        };
        let all =
            [marked(&self.inputs, "?"), marked(&self.outputs, "!"), marked(&self.internal, "")].concat();
        let (taken, idle): (Vec<String>, Vec<String>) = all.into_iter().partition(|_| rng.chance(2, 3));
        let body = match (taken.is_empty(), rng.chance(1, 2)) {
            (true, _) => "STOP".to_owned(),
            (false, true) => format!("({{{}}} -> {name})", taken.join(", ")),
            (false, false) => format!("({} -> {name})", taken.join(" -> ")),
        };
        let extension = if idle.is_empty() { String::new() } else { format!(" + {{{}}}", idle.join(", ")) };
        format!("interface {name} = {body}{extension}.\n")
    }
}

/// The signature of a target as the three sets.
fn signature_of(target: &Target) -> Naive {
    let automaton = target
        .signature()
        .expect("its parts have roles")
        .automaton(compose(target, &Budget::UNLIMITED).expect("there is no limit"));
    let names = |role| automaton.names(role).names().map(str::to_owned).collect();
    Naive { inputs: names(Role::Input), outputs: names(Role::Output), internal: names(Role::Internal) }
}

/// Elaborates SYSTEM.
fn system(text: &str) -> Result<Target, Vec<&'static str>> {
    let parse = parse(text);
    assert_eq!(parse.diagnostics(), [], "{text}");
    let loader = |_: &str| Err("there are no imports here".to_owned());
    let mut elaborator = Elaborator::new(parse.file(), &loader, Budget::UNLIMITED);
    let target = elaborator.target("SYSTEM");
    target.map_err(|_| elaborator.diagnostics().iter().map(|diagnostic| diagnostic.code.0).collect())
}

#[test]
fn composites_have_the_signature_of_the_definition() {
    let mut composable = 0;
    for seed in seeds(4000) {
        let mut rng = Rng::new(seed);
        let count = 2 + rng.below(3);
        let parts: Vec<Naive> = (0..count).map(|_| Naive::random(&mut rng, ACTIONS)).collect();
        let mut text: String =
            parts.iter().enumerate().map(|(i, part)| part.text(&mut rng, &format!("P{i}"))).collect();
        // Nested or flat: composition is associative.
        text += &match rng.below(3) {
            0 => format!(
                "||SYSTEM = ({}).",
                (0..count).map(|i| format!("P{i}")).collect::<Vec<_>>().join(" || ")
            ),
            1 => (1..count).fold(String::new(), |text, i| {
                let inner = if i == 1 { "P0".to_owned() } else { format!("S{}", i - 1) };
                let outer = if i + 1 == count { "SYSTEM".to_owned() } else { format!("S{i}") };
                format!("{text}||{outer} = ({inner} || P{i}).\n")
            }),
            // Built before it is composed further.
            _ => (1..count).fold(String::new(), |text, i| {
                let inner = if i == 1 { "P0".to_owned() } else { format!("S{}", i - 1) };
                let outer = if i + 1 == count { "SYSTEM".to_owned() } else { format!("S{i}") };
                format!("{text}minimal ||{outer} = ({inner} || P{i}).\n")
            }),
        };
        let expected = parts[1..].iter().try_fold(parts[0].clone(), |whole, part| whole.composed(part));
        match (system(&text), expected) {
            (Ok(target), Some(expected)) => {
                composable += 1;
                assert_eq!(signature_of(&target), expected, "seed {seed}:\n{text}");
            }
            (Err(codes), None) => assert!(codes.contains(&"E0329"), "seed {seed}: {codes:?}\n{text}"),
            (found, expected) => panic!("seed {seed}: {found:?}, not {expected:?}\n{text}"),
        }
    }
    assert!(composable > 100 || rely_testkit::rng::is_single_seed(), "only {composable} were composable");
}

#[test]
fn roles_follow_relabelling_prefixing_and_hiding() {
    for seed in seeds(3000) {
        let mut rng = Rng::new(seed);
        let part = Naive::random(&mut rng, ACTIONS);
        let hidden: BTreeSet<String> =
            part.outputs.iter().chain(&part.internal).filter(|_| rng.chance(1, 3)).cloned().collect();
        let spell = |name: &str| name.replace(".1", "[1]").replace(".2", "[2]");
        // Two of them may get the same name.
        let new: BTreeMap<&str, &str> =
            ["a", "b", "c"].into_iter().map(|old| (old, *rng.pick(&["x", "y", old]))).collect();
        let relabelling: Vec<String> = new.iter().map(|(old, new)| format!("p.{new}/p.{old}")).collect();
        let clauses = [
            (!relabelling.is_empty()).then(|| format!("/{{{}}}", relabelling.join(", "))),
            (!hidden.is_empty()).then(|| {
                let names: Vec<String> =
                    hidden.iter().map(|name| format!("p.{}", spell(&renamed(name, &new)))).collect();
                format!("\\{{{}}}", names.join(", "))
            }),
        ];
        let text = format!(
            "{}||SYSTEM = (p:P){}.",
            part.text(&mut rng, "P"),
            clauses.into_iter().flatten().collect::<String>()
        );
        match (system(&text), expected_after(&part, &new, &hidden)) {
            (Ok(target), Some(expected)) => {
                assert_eq!(signature_of(&target), expected, "seed {seed}:\n{text}");
            }
            (Err(codes), None) => {
                let is_fitting = codes.contains(&"E0328") || codes.contains(&"E0330");
                assert!(is_fitting, "seed {seed}: {codes:?}\n{text}");
            }
            (found, expected) => panic!("seed {seed}: {found:?}, not {expected:?}\n{text}"),
        }
    }
}

/// What a name becomes by the relabelling, without its prefix.
fn renamed(name: &str, new: &BTreeMap<&str, &str>) -> String {
    new.get(name).map_or_else(|| name.to_owned(), ToString::to_string)
}

/// The signature of `(p:P)/{…}\{…}`; nothing if an action has two roles, or an input is hidden.
fn expected_after(part: &Naive, new: &BTreeMap<&str, &str>, hidden: &BTreeSet<String>) -> Option<Naive> {
    let hidden: BTreeSet<String> = hidden.iter().map(|name| format!("p.{}", renamed(name, new))).collect();
    let image = |names: &BTreeSet<String>| -> BTreeSet<String> {
        names.iter().map(|name| format!("p.{}", renamed(name, new))).collect()
    };
    let (inputs, outputs, internal) = (image(&part.inputs), image(&part.outputs), image(&part.internal));
    let has_one_role =
        inputs.is_disjoint(&outputs) && inputs.is_disjoint(&internal) && outputs.is_disjoint(&internal);
    let kept = |names: BTreeSet<String>| names.difference(&hidden).cloned().collect();
    (has_one_role && inputs.is_disjoint(&hidden)).then(|| Naive {
        outputs: kept(outputs),
        internal: kept(internal),
        inputs,
    })
}
