//! Random FSP texts with interface automata. Whatever is not refused has the verdict of definition 3 on the automata that
//! are written in the text, however they are put together; and what would be lost is refused.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use rely_base::{Budget, Id, StateId};
use rely_lts::operators::{self, Relabelling};
use rely_lts::{InterfaceAutomaton, Lts, Role};
use rely_session::report::{Level, Verdict};
use rely_session::{CompatibleQuery, Project, compatible};
use rely_testkit::interfaces::{self, Shape, Signature};
use rely_testkit::naive::interface as naive;
use rely_testkit::rng::{Rng, is_single_seed, seeds};

/// Something that is written in the text.
#[derive(Clone, Debug)]
enum Item {
    /// An interface automaton, and whether it reaches ERROR.
    Automaton { name: String, automaton: InterfaceAutomaton, fails: bool },
    /// A process without roles.
    Process { name: String, lts: Lts },
    /// A composite.
    Composite(Composite),
}

#[derive(Clone, Debug)]
struct Composite {
    name: String,
    parts: Vec<Item>,
    /// A relabelling: the new name and the old one.
    renamed: Option<(String, String)>,
    hidden: BTreeSet<String>,
    minimal: bool,
    /// Whether an action of it goes last.
    ranked: Option<String>,
}

/// What composites are made of, and what is known of it.
#[derive(Clone, Default)]
struct Flat {
    automata: Vec<InterfaceAutomaton>,
    processes: Vec<Lts>,
    /// Whether an automaton reaches ERROR by itself.
    fails: bool,
    /// Whether a composite that is built has automata that send to each other.
    loses: bool,
    /// Whether a composite that is built has a process in it.
    may_lose: bool,
}

impl Flat {
    fn add(&mut self, other: Self) {
        self.automata.extend(other.automata);
        self.processes.extend(other.processes);
        self.fails |= other.fails;
        self.loses |= other.loses;
        self.may_lose |= other.may_lose;
    }

    /// The actions, with the automata that have them.
    fn users(&self) -> BTreeMap<String, Vec<Role>> {
        let mut users: BTreeMap<String, Vec<Role>> = BTreeMap::new();
        for automaton in &self.automata {
            for (action, name) in automaton.lts().alphabet().iter() {
                users.entry(name.to_owned()).or_default().push(automaton.role(action));
            }
        }
        users
    }

    /// Definition 2, for any number of automata.
    fn is_composable(&self) -> bool {
        self.users().values().all(|roles| {
            matches!(roles.as_slice(), [_] | [Role::Input, Role::Output] | [Role::Output, Role::Input])
        })
    }

    fn is_linked(&self) -> bool {
        self.users().values().any(|roles| roles.len() > 1)
    }

    /// Renames an action everywhere; no automaton has the new name yet.
    fn rename(&mut self, name: &str, new: &str, role: impl Fn(Role) -> Role) {
        let mut relabelling = Relabelling::new();
        relabelling.add(new.to_owned(), name);
        for automaton in &mut self.automata {
            let old: BTreeMap<String, Role> = automaton
                .lts()
                .alphabet()
                .iter()
                .map(|(id, name)| (name.to_owned(), automaton.role(id)))
                .collect();
            let lts = operators::relabel(automaton.lts(), &relabelling);
            *automaton =
                InterfaceAutomaton::with_roles(
                    lts,
                    |now| if now == new { role(old[name]) } else { old[now] },
                );
        }
        self.processes.iter_mut().for_each(|lts| *lts = operators::relabel(lts, &relabelling));
    }
}

impl Item {
    fn name(&self) -> &str {
        match self {
            Self::Automaton { name, .. } | Self::Process { name, .. } => name,
            Self::Composite(composite) => &composite.name,
        }
    }

    /// The automata and processes in it. Inside of another composite it is built, unless it is a mere composition.
    fn flat(&self, is_inside: bool) -> Flat {
        match self {
            Self::Automaton { automaton, fails, .. } => {
                Flat { automata: vec![automaton.clone()], fails: *fails, ..Flat::default() }
            }
            Self::Process { lts, .. } => Flat { processes: vec![lts.clone()], ..Flat::default() },
            Self::Composite(composite) => {
                let mut flat = Flat::default();
                composite.parts.iter().for_each(|part| flat.add(part.flat(true)));
                let is_built = composite.ranked.is_some()
                    || is_inside && (composite.minimal || !composite.hidden.is_empty());
                if is_built {
                    flat.loses |= flat.is_linked();
                    flat.may_lose |= !flat.processes.is_empty() && !flat.automata.is_empty();
                }
                if let Some((new, old)) = &composite.renamed {
                    flat.rename(old, new, |role| role);
                }
                for hidden in &composite.hidden {
                    let is_shared = flat.users().get(hidden).is_some_and(|roles| roles.len() > 1);
                    let role = |role| if is_shared { role } else { Role::Internal };
                    flat.rename(hidden, &format!("{}:{hidden}", composite.name), role);
                }
                flat
            }
        }
    }

    /// The definitions, parts before composites.
    fn text(&self, text: &mut String) {
        match self {
            Self::Automaton { name, automaton, .. } => {
                let minimal = if name.ends_with('M') { "minimal " } else { "" };
                let mark = |action: &str| match automaton.role_named(action) {
                    Some(Role::Internal) | None => String::new(),
                    Some(role) => role.mark().to_string(),
                };
                let _ = writeln!(text, "{minimal}interface {}", definition(name, automaton.lts(), mark));
            }
            Self::Process { name, lts } => {
                let _ = writeln!(text, "{}", definition(name, lts, |_| String::new()));
            }
            Self::Composite(Composite { name, parts, renamed, hidden, minimal, ranked }) => {
                parts.iter().for_each(|part| part.text(text));
                let minimal = if *minimal { "minimal " } else { "" };
                let names: Vec<&str> = parts.iter().map(Self::name).collect();
                let _ = write!(text, "{minimal}||{name} = ({})", names.join(" || "));
                if let Some((new, old)) = renamed {
                    let _ = write!(text, "/{{{new}/{old}}}");
                }
                if let Some(action) = ranked {
                    let _ = write!(text, " >> {{{action}}}");
                }
                if !hidden.is_empty() {
                    let hidden: Vec<&str> = hidden.iter().map(String::as_str).collect();
                    let _ = write!(text, "\\{{{}}}", hidden.join(", "));
                }
                text.push_str(".\n");
            }
        }
    }
}

/// A process in FSP, with a local process for each state.
fn definition(name: &str, lts: &Lts, mark: impl Fn(&str) -> String) -> String {
    let mut text = format!("{name} = Q{}", lts.initial().index());
    for state in lts.states().filter(|&state| Some(state) != lts.error()) {
        let steps: Vec<String> = lts
            .edges(state)
            .iter()
            .map(|edge| {
                let action = lts.alphabet().label_name(edge.label);
                let target = match Some(edge.target) == lts.error() {
                    true => "ERROR".to_owned(),
                    false => format!("Q{}", edge.target.index()),
                };
                format!("{action}{} -> {target}", mark(action))
            })
            .collect();
        let body = if steps.is_empty() { "STOP".to_owned() } else { format!("({})", steps.join(" | ")) };
        let _ = write!(text, ",\n  Q{} = {body}", state.index());
    }
    let all: Vec<String> = lts.alphabet().names().map(|name| format!("{name}{}", mark(name))).collect();
    if !all.is_empty() {
        let _ = write!(text, " + {{{}}}", all.join(", "));
    }
    text + "."
}

const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// A composite of everything, with composites in it.
fn composite(rng: &mut Rng, mut parts: Vec<Item>, number: &mut usize) -> Composite {
    while parts.len() > 2 && rng.chance(2, 3) {
        let count = 1 + rng.below(parts.len() - 1);
        let start = rng.below(parts.len() - count + 1);
        let inner: Vec<Item> = parts.drain(start..start + count).collect();
        parts.insert(start, Item::Composite(composite(rng, inner, number)));
    }
    *number += 1;
    let name = format!("C{number}");
    let mut whole =
        Composite { name, parts, renamed: None, hidden: BTreeSet::new(), minimal: false, ranked: None };
    decorate(rng, &mut whole, *number);
    whole
}

/// Operators and keywords that a composite may have.
fn decorate(rng: &mut Rng, whole: &mut Composite, number: usize) {
    let known = |whole: &Composite| -> (Flat, Vec<String>) {
        let flat = Item::Composite(whole.clone()).flat(false);
        let visible = flat.users().into_keys().filter(|name| !name.contains(':')).collect();
        (flat, visible)
    };
    let (flat, visible) = known(whole);
    if rng.chance(1, 5) && !visible.is_empty() {
        // A name that another part has connects the two, or makes a conflict.
        let new =
            if rng.chance(1, 2) { format!("r{number}") } else { NAMES[rng.below(NAMES.len())].to_owned() };
        let is_new =
            !visible.contains(&new) && !flat.processes.iter().any(|lts| lts.alphabet().contains(&new));
        if is_new {
            whole.renamed = Some((new, visible[rng.below(visible.len())].clone()));
        }
    }
    let (flat, visible) = known(whole);
    for name in visible {
        // An input that no part sends cannot be hidden.
        if flat.users()[&name] != [Role::Input] && rng.chance(1, 6) {
            whole.hidden.insert(name);
        }
    }
    whole.minimal = rng.chance(1, 6);
    if flat.is_linked() && rng.chance(1, 12) {
        whole.ranked = flat.users().into_keys().find(|name| !name.contains(':'));
    }
}

fn random_text(rng: &mut Rng) -> Composite {
    let count = 2 + rng.below(3);
    let open = rng.chance(1, 2);
    let mut items = Vec::new();
    for (i, signature) in interfaces::signatures(rng, count, &NAMES, open).iter().enumerate() {
        let percent = 45 + rng.below(55);
        let shape = Shape { states: 3, percent, silent: false, ..Shape::ANY };
        let automaton = interfaces::automaton(rng, signature, &shape);
        let (automaton, fails) =
            if rng.chance(1, 20) { failing(rng, &automaton) } else { (automaton, false) };
        let minimal = if rng.chance(1, 6) { "M" } else { "" };
        items.push(Item::Automaton { name: format!("A{i}{minimal}"), automaton, fails });
    }
    if rng.chance(1, 3) {
        let known = NAMES.iter().filter(|_| rng.chance(1, 2));
        let signature: Signature = known.map(|name| ((*name).to_owned(), Role::Internal)).collect();
        let shape = Shape { states: 2, percent: 70, silent: false, ..Shape::ANY };
        let lts = interfaces::automaton(rng, &signature, &shape).into_lts();
        let place = rng.below(items.len() + 1);
        items.insert(place, Item::Process { name: "T".to_owned(), lts });
    }
    let mut number = 0;
    composite(rng, items, &mut number)
}

/// The automaton with a transition to ERROR, and whether that can happen.
fn failing(rng: &mut Rng, automaton: &InterfaceAutomaton) -> (InterfaceAutomaton, bool) {
    let lts = automaton.lts();
    if lts.alphabet().is_empty() {
        return (automaton.clone(), false);
    }
    let mut builder = rely_lts::LtsBuilder::with_states(lts.alphabet().clone(), lts.state_count());
    for step in lts.transitions() {
        builder.add_transition(step.source, step.label, step.target);
    }
    let error = builder.error_state();
    let source = StateId::from_index(rng.below(lts.state_count()));
    let action = rely_base::ActionId::from_index(rng.below(lts.alphabet().len()));
    builder.add_transition(source, rely_base::Label::visible(action), error);
    let with_error = builder.build();
    let fails = operators::trim(&with_error).error().is_some();
    (InterfaceAutomaton::new(with_error, automaton.roles().to_vec()), fails)
}

#[test]
fn what_is_not_refused_has_the_verdict_of_the_flat_parts() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in seeds(4000) {
        let mut rng = Rng::new(seed);
        let whole = random_text(&mut rng);
        let names: Vec<String> = whole.parts.iter().map(|part| part.name().to_owned()).collect();
        let mut all = Flat::default();
        whole.parts.iter().for_each(|part| all.add(part.flat(false)));
        let has_roles = |part: &Item| !part.flat(false).automata.is_empty();
        let whole = Item::Composite(whole.clone());
        let mut text = String::new();
        whole.text(&mut text);
        let Item::Composite(Composite { parts, .. }) = &whole else { panic!("it is a composite") };
        let questions = match parts.iter().all(has_roles) {
            true => vec![(vec![whole.name().to_owned()], whole.flat(false)), (names, all)],
            false => vec![(vec![whole.name().to_owned()], whole.flat(false))],
        };
        for (components, flat) in questions {
            let kind = judge(&mut rng, &text, components, &flat, seed);
            *counts.entry(kind).or_default() += 1;
        }
    }
    let least = [("compatible", 800), ("incompatible", 800), ("conflict", 50), ("lost", 200), ("fails", 100)];
    for (kind, least) in least {
        assert!(
            is_single_seed() || counts.get(kind).is_some_and(|&count| count > least),
            "{kind}: {counts:?}"
        );
    }
}

/// Asks about components of a text, compares with what they are made of, and says which case it was.
fn judge(rng: &mut Rng, text: &str, components: Vec<String>, flat: &Flat, seed: u64) -> &'static str {
    let shown = format!("seed {seed}: {components:?}\n{text}");
    let query = CompatibleQuery {
        components,
        // A process may keep a receiver from the internal steps before an input.
        weak: flat.processes.is_empty() && rng.chance(1, 4),
        every_environment: rng.chance(1, 2),
        ..CompatibleQuery::default()
    };
    let project = Project::new("random.lts", text, Box::new(|_| Err("there are no imports".to_owned())));
    let report = compatible(&project, &query, Budget::UNLIMITED).expect("no mistake").report;
    let errors = report.diagnostics.iter().filter(|finding| finding.severity == Level::Error);
    let codes: BTreeSet<&str> = errors.map(|finding| finding.code.as_str()).collect();
    let Some(result) = report.results.first() else {
        return match codes.contains("E0008") {
            true if flat.fails => "fails",
            true => {
                assert!(flat.loses || flat.may_lose, "nothing is lost: {shown}");
                "lost"
            }
            false => {
                // What only a process of a composite has is internal to the composite, once that is built.
                assert!(!flat.is_composable() || flat.may_lose, "{codes:?}: {shown}");
                "conflict"
            }
        };
    };
    assert!(flat.is_composable() && !flat.fails && !flat.loses, "{shown}");
    let distance = naive::distance_to_illegal_under(
        &flat.automata,
        &flat.processes,
        query.every_environment,
        query.weak,
    );
    let expected = if distance.is_none() { Verdict::Holds } else { Verdict::Violated };
    assert_eq!(result.verdict, expected, "{query:?} {shown}");
    if let Some(distance) = distance {
        assert_eq!(result.trace.len(), distance + 1, "{query:?} {shown}");
        return "incompatible";
    }
    "compatible"
}

#[test]
fn the_alphabet_of_a_text_is_that_of_its_automata() {
    let automaton = interfaces::from_marked(2, &[(0, "a?", 1)], &["b!", "h;"]);
    let item = Item::Automaton { name: "A".to_owned(), automaton, fails: false };
    let mut text = String::new();
    item.text(&mut text);
    assert_eq!(text, "interface A = Q0,\n  Q0 = (a? -> Q1),\n  Q1 = STOP + {a?, b!, h}.\n");
}
