//! Harnesses: test crates that check the premises of a design on the program that implements it.
//!
//! *Problem*: a design M1 ∥ M2 has been proved with an assumption, ⟨A⟩ M1 ⟨P⟩ and ⟨true⟩ M2 ⟨A⟩. A program has components
//! S1 and S2. Are ⟨A⟩ S1 ⟨P⟩ and ⟨true⟩ S2 ⟨A⟩ true? [Cobleigh 2007, chapter 6]
//!
//! *Idea*: the answer is a crate that runs S1 and S2, each on its own, under an explorer of schedules. For S1 it has a
//! universal environment: zero or more calls in any order, under locks where the mapping has some (figure 6.5). For S2 it has
//! stubs with any of their results. The automata of the design watch the events (`rely-runtime`). Besides: S1 in an
//! environment that has the assumption encoded in it, the whole program, and whether S1 and S2 refine M1 and M2.
//!
//! For refinement, L(S1) ⊆ L(M1), an event of the other side that M1 does not allow ends the execution, as an assumption
//! does, and one of S1 itself that M1 does not allow is a failure.
//!
//! *Invariants*: the same input gives the same files, byte for byte. Whatever is watched can be made by the environments
//! that are generated, or there is an error: an execution that is missing would make a premise seem to hold.

mod codes;
mod events;
mod mapping;
mod reader;
mod write;

use std::collections::BTreeSet;

use rely_base::{Diagnostic, Span};
use rely_lts::Lts;
use rely_monitor::{Table, WatchInput};

pub use crate::codes::{CODES, UNKNOWN_KEY};
pub use crate::mapping::Mapping;
pub use crate::write::MARK;

use crate::codes::{NO_MONITOR, NOT_GENERATED};
use crate::events::Events;
use crate::mapping::Side;
use crate::reader::Findings;

/// Which explorer runs the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Explorer {
    /// shuttle, with a depth-first search of our own over schedules and values.
    Shuttle,
    /// loom, which leaves out schedules that make no difference.
    Loom,
}

impl Explorer {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Shuttle, Self::Loom];

    /// Its name, as users write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Shuttle => "shuttle",
            Self::Loom => "loom",
        }
    }
}

/// A part of the design.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// What it allows: a deterministic system. For a component, over its events only.
    pub lts: Lts,
}

/// What a harness is made of.
#[derive(Clone, Debug)]
pub struct Input<'a> {
    /// The mapping.
    pub mapping: &'a Mapping,
    /// The explorer.
    pub explorer: Explorer,
    /// The name of the design.
    pub name: &'a str,
    /// The name of the crate.
    pub package: &'a str,
    /// What the design was read from: paths from the folder of the harness, and digests.
    pub sources: &'a [(String, u64)],
    /// The folder of the mapping, from that of the harness.
    pub folder: &'a str,
    /// The property.
    pub properties: &'a [Part],
    /// The assumptions, all of which hold together.
    pub assumptions: &'a [Part],
    /// The component.
    pub component: Part,
    /// Its environment, if there is one in the design.
    pub environment: Option<Part>,
    /// All actions of component and environment, before those that are no events were hidden.
    pub modelled: &'a BTreeSet<String>,
}

/// A file of a harness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its path from the folder of the harness.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// An automaton, as the generated crate has it.
pub(crate) struct Watched {
    /// Its name in Rust.
    pub(crate) constant: String,
    /// Its name in the design.
    pub(crate) name: String,
    pub(crate) table: Table,
    /// Which actions, where they are not allowed, are no violation.
    pub(crate) forgiven: BTreeSet<String>,
}

/// Everything that is written.
pub(crate) struct Plan<'a> {
    pub(crate) input: &'a Input<'a>,
    pub(crate) events: Events,
    pub(crate) properties: Vec<Watched>,
    pub(crate) assumptions: Vec<Watched>,
    /// For component and environment: what the others may do, and what it may do itself.
    pub(crate) component: [Watched; 2],
    pub(crate) environment: Option<[Watched; 2]>,
    /// Whether there is enough for premise 2, and for the whole.
    pub(crate) has_premise_2: bool,
    pub(crate) has_whole: bool,
}

/// The actions that the calls of a program are, by a mapping.
#[derive(Debug)]
pub struct Actions(Events);

impl Actions {
    /// The actions of a mapping.
    pub fn of(mapping: &Mapping) -> Self {
        Self(Events::of(mapping, &mut Findings::default()))
    }

    /// The action that a call is; nothing if it is none.
    pub fn of_call(&self, thread: &str, method: &str, object: &str, values: &[i64]) -> Option<String> {
        self.0.action(thread, method, object, values)
    }

    /// Whether some event is about this object.
    pub fn has_object(&self, object: &str) -> bool {
        self.0.events.keys().any(|key| key.object == object)
    }

    /// Whether an object is locked and unlocked.
    pub fn is_lock(&self, object: &str) -> bool {
        let has = |method: &str| self.0.events.keys().any(|key| key.object == object && key.method == method);
        has("lock") && has("unlock")
    }

    /// Whether some call is this action.
    pub fn contains(&self, action: &str) -> bool {
        self.0.number(action).is_some()
    }

    /// Those that the component's own threads do not make: its interface to its environment.
    pub fn of_others(&self) -> Vec<String> {
        self.0.actions.iter().filter(|name| !self.0.is_components(name)).cloned().collect()
    }
}

/// A harness.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Harness {
    /// Its files.
    pub files: Vec<File>,
    /// The premises that are tests of it, by name.
    pub premises: Vec<String>,
    /// How many actions have events.
    pub actions: usize,
}

/// A harness, and what was found; nothing in it if there are errors.
pub fn generate(input: &Input<'_>) -> (Harness, Vec<Diagnostic>) {
    let mut findings = Findings::default();
    let harness = Plan::new(input, &mut findings).map(|plan| Harness {
        files: write::files(&plan),
        premises: write::premise_names(&plan),
        actions: plan.events.actions.len(),
    });
    match findings.0.iter().any(Diagnostic::is_error) {
        true => (Harness::default(), findings.0),
        false => (harness.unwrap_or_default(), findings.0),
    }
}

/// What a watch of assumptions and properties is made of, and what was found; nothing if there are errors.
///
/// Events of the mapping that none of them has are known, and change nothing.
pub fn watch_of(
    name: &str,
    mapping: &Mapping,
    assumptions: &[Part],
    properties: &[Part],
) -> (Option<WatchInput>, Vec<Diagnostic>) {
    let mut findings = Findings::default();
    let events = Events::of(mapping, &mut findings);
    let parts = assumptions.iter().chain(properties);
    let names = parts.clone().flat_map(|part| part.lts.alphabet().names().map(str::to_owned)).collect();
    events.check_gaps(mapping, &names, &BTreeSet::new(), &mut findings);
    let watched: Option<Vec<Watched>> =
        parts.map(|part| watch(part, &part.name, BTreeSet::new(), &mut findings)).collect();
    let is_whole = !findings.0.iter().any(Diagnostic::is_error);
    let input = watched.filter(|_| is_whole).map(|watched| {
        let watched: Vec<&Watched> = watched.iter().collect();
        write::watch_input(name, &events, &watched, assumptions.len())
    });
    (input, findings.0)
}

impl<'a> Plan<'a> {
    fn new(input: &'a Input<'a>, findings: &mut Findings) -> Option<Self> {
        let mapping = input.mapping;
        let events = Events::of(mapping, findings);
        let names = |parts: &[Part]| -> BTreeSet<String> {
            parts.iter().flat_map(|part| part.lts.alphabet().names().map(str::to_owned)).collect()
        };
        let assumed = names(input.assumptions);
        let watched: BTreeSet<String> = names(input.properties).union(&assumed).cloned().collect();
        let known: BTreeSet<String> = input.modelled.union(&watched).cloned().collect();
        events.check_known(mapping, &known, findings);
        events.check_gaps(mapping, &watched, input.modelled, findings);
        events.check_signals(mapping, findings);
        let (component, environment) = (&mapping.component, &mapping.environment);
        events.check_made(mapping, component, &watched, findings);
        // Whoever has no thread does nothing.
        let has_whole = !environment.threads.is_empty();
        let has_premise_2 = has_whole && component.stub.is_some();
        if has_premise_2 {
            events.check_made(mapping, environment, &assumed, findings);
        }
        let needs =
            [(has_whole, "[environment] with `threads`"), (component.stub.is_some(), "[component.stub]")];
        for (is_there, what, needs) in
            [(has_whole, "the whole", &needs[..1]), (has_premise_2, "premise 2", &needs)]
        {
            if !is_there {
                let lacks: Vec<&str> =
                    needs.iter().filter(|(is_there, _)| !is_there).map(|(_, it)| *it).collect();
                let message =
                    format!("{what} is not generated: the mapping has no {}", lacks.join(" and no "));
                findings.0.push(Diagnostic::warning(NOT_GENERATED, Span::new(0, 0), message));
            }
        }
        let none = BTreeSet::new();
        let all = |parts: &[Part], findings: &mut Findings| -> Option<Vec<Watched>> {
            parts.iter().map(|part| watch(part, &part.name, none.clone(), findings)).collect()
        };
        let properties = all(input.properties, findings)?;
        let assumptions = all(input.assumptions, findings)?;
        let (own, others): (BTreeSet<String>, BTreeSet<String>) =
            events.actions.iter().cloned().partition(|name| events.is_components(name));
        let component = both(&input.component, &events, &mapping.component, &own, findings)?;
        let environment = match &input.environment {
            Some(part) if has_premise_2 => {
                Some(both(part, &events, &mapping.environment, &others, findings)?)
            }
            _ => None,
        };
        Some(Self {
            input,
            events,
            properties,
            assumptions,
            component,
            environment,
            has_premise_2,
            has_whole,
        })
    }
}

/// What others may do at a part of the design, and what it may do itself: the actions of its own threads, and those that happen
/// in calls of others when it lets them.
fn both(
    part: &Part,
    events: &Events,
    side: &Side,
    own: &BTreeSet<String>,
    findings: &mut Findings,
) -> Option<[Watched; 2]> {
    let waiting = side.calls.iter().filter(|call| call.waits);
    let let_happen = waiting.flat_map(|call| call.signals.iter().map(|signal| (signal, &call.thread.text)));
    let let_happen = let_happen.flat_map(|(signal, thread)| events.actions_of(signal, thread));
    let decided: BTreeSet<String> = own.iter().cloned().chain(let_happen.map(str::to_owned)).collect();
    let others = events.actions.iter().filter(|name| !decided.contains(*name)).cloned().collect();
    let around = watch(part, &format!("around {}", part.name), decided, findings)?;
    let itself = watch(part, &part.name, others, findings)?;
    Some([around, itself])
}

fn watch(part: &Part, name: &str, forgiven: BTreeSet<String>, findings: &mut Findings) -> Option<Watched> {
    match Table::new(&part.lts) {
        Ok(table) => {
            Some(Watched { constant: write::constant(name), name: name.to_owned(), table, forgiven })
        }
        Err(reason) => {
            let help = "`rely minimise --equivalence trace` makes a system deterministic";
            findings.error(NO_MONITOR, Span::new(0, 0), format!("{}: {reason}", part.name), help);
            None
        }
    }
}
