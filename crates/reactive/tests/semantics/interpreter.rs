//! An interpreter of systems, written from the rules of the step semantics over the abstract syntax.
//!
//! It knows names, not numbers, and flattens nothing. It is for texts without indices in which every state is declared with
//! `state`, and in which no two events have the same name.
//!
//! The rules:
//! - *start*: in a stable configuration a set of inputs arrives, and the first microstep begins;
//! - *advance*: in a microstep each machine with enabled transitions takes one; what they send is there afterwards, and
//!   nothing else;
//! - *stutter*: a machine without enabled transitions stays;
//! - *end*: where no machine has an enabled transition, the outputs of the macrostep are delivered and it ends;
//! - a component alone gets events of others after each microstep, and may wait where it could end.

use std::collections::{BTreeMap, BTreeSet};

use rely_reactive::ast::{
    BinaryOp, Direction, Expr, ExprKind, Instant, Item, MachinePart, PropertyDef, SystemDef, TransitionDef,
    UnaryOp,
};

/// Which machines are there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Part {
    Whole,
    Component(String),
    Environment(String),
}

impl Part {
    fn has(&self, component: &str) -> bool {
        match self {
            Self::Whole => true,
            Self::Component(own) => own == component,
            Self::Environment(other) => other != component,
        }
    }
}

struct Machine<'a> {
    /// The name with the component: `C0.M1`.
    name: String,
    component: String,
    /// For each state the one around it.
    around: BTreeMap<&'a str, Option<&'a str>>,
    /// For each state with states in it, and for the machine itself, the first state.
    first: BTreeMap<Option<&'a str>, &'a str>,
    transitions: Vec<&'a TransitionDef>,
}

/// A configuration, and what has to be remembered to go on from it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Configuration {
    /// The innermost state of each machine.
    pub(crate) states: BTreeMap<String, String>,
    /// For each machine and each state that it is in, the macrosteps that have ended since it was entered.
    pub(crate) ages: BTreeMap<(String, String), i32>,
    pub(crate) ms: i32,
    /// What machines sent in the last microstep, outputs included.
    pub(crate) sent: BTreeSet<String>,
    /// What the environment has chosen.
    pub(crate) chosen: BTreeSet<String>,
    /// The outputs that are still to be delivered.
    pub(crate) due: BTreeSet<String>,
    pub(crate) delivering: bool,
    /// For properties: what was there in this macrostep and in the one before, and the states at its start.
    occurred: BTreeSet<String>,
    before: BTreeSet<String>,
    start: BTreeMap<String, String>,
}

pub(crate) struct Interpreter<'a> {
    part: Part,
    machines: Vec<Machine<'a>>,
    /// All inputs and outputs in the order of declaration.
    inputs: Vec<String>,
    outputs: Vec<String>,
    /// Inputs of which at most one comes at a time.
    groups: Vec<BTreeSet<String>>,
    /// What machines that are not there send and others read, in order.
    taken: Vec<String>,
    pub(crate) properties: Vec<(String, String, &'a PropertyDef)>,
    assumptions: Vec<&'a Expr>,
    /// Where the microstep counter stops.
    limit: i32,
    /// The longest age that matters.
    oldest: i32,
}

impl<'a> Interpreter<'a> {
    /// The interpreter of a part of a system. `order` are the names of all events, in the order in which sets are chosen;
    /// `watched` is a property that is to be judged.
    pub(crate) fn new(
        def: &'a SystemDef,
        part: &Part,
        limit: i32,
        oldest: i32,
        order: &[String],
        watched: Option<&PropertyDef>,
    ) -> Self {
        let mut it = Self {
            part: part.clone(),
            machines: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            groups: Vec::new(),
            taken: Vec::new(),
            properties: Vec::new(),
            assumptions: Vec::new(),
            limit,
            oldest,
        };
        let mut all = Vec::new();
        it.items(&def.items, "", &mut all);
        for item in &def.items {
            if let Item::Component(component) = item {
                it.items(&component.items, &component.name.text, &mut all);
            }
        }
        let (inside, outside): (Vec<Machine<'_>>, Vec<Machine<'_>>) =
            all.into_iter().partition(|machine| part.has(&machine.component));
        let mut read = reads(&inside);
        if let Some(property) = watched {
            events(&property.formula, &mut read);
        }
        for assumption in &it.assumptions {
            events(assumption, &mut read);
        }
        let sent = sends(&outside);
        it.machines = inside;
        it.taken =
            order.iter().filter(|event| read.contains(*event) && sent.contains(*event)).cloned().collect();
        if *part != Part::Whole {
            it.inputs.retain(|event| read.contains(event));
        }
        it.inputs.sort_by_key(|event| order.iter().position(|known| known == event));
        it.outputs.sort_by_key(|event| order.iter().position(|known| known == event));
        it
    }

    fn items(&mut self, items: &'a [Item], component: &str, machines: &mut Vec<Machine<'a>>) {
        for item in items {
            match item {
                Item::Events(def) => {
                    let names: Vec<String> =
                        def.events.iter().map(|event| event.name.text.to_string()).collect();
                    if def.is_one_of {
                        self.groups.push(names.iter().cloned().collect());
                    }
                    match def.direction {
                        Direction::Input => self.inputs.extend(names),
                        Direction::Output => self.outputs.extend(names),
                        Direction::Takes | Direction::Gives => {}
                    }
                }
                Item::Machine(def) => {
                    let name = match component {
                        "" => def.name.text.to_string(),
                        _ => format!("{component}.{}", def.name.text),
                    };
                    let (around, first) = (BTreeMap::new(), BTreeMap::new());
                    let mut machine = Machine {
                        name,
                        component: component.to_owned(),
                        around,
                        first,
                        transitions: Vec::new(),
                    };
                    parts(&def.body, None, &mut machine);
                    machines.push(machine);
                }
                Item::Property(def) => {
                    let name = match component {
                        "" => def.name.text.to_string(),
                        _ => format!("{component}.{}", def.name.text),
                    };
                    self.properties.push((name, component.to_owned(), def));
                }
                Item::Assume(def) if self.part == Part::Component(component.to_owned()) => {
                    self.assumptions.push(&def.formula);
                }
                _ => {}
            }
        }
    }

    pub(crate) fn initial(&self) -> Configuration {
        let states: BTreeMap<String, String> = self
            .machines
            .iter()
            .map(|machine| (machine.name.clone(), machine.innermost(None).to_owned()))
            .collect();
        let mut ages = BTreeMap::new();
        for machine in &self.machines {
            for state in machine.active(&states[&machine.name]) {
                ages.insert((machine.name.clone(), state.to_owned()), 1);
            }
        }
        Configuration {
            start: states.clone(),
            states,
            ages,
            ms: 0,
            sent: BTreeSet::new(),
            chosen: BTreeSet::new(),
            due: BTreeSet::new(),
            delivering: false,
            occurred: BTreeSet::new(),
            before: BTreeSet::new(),
        }
    }

    /// The transitions of a machine that are enabled.
    fn enabled(&self, machine: &Machine<'a>, c: &Configuration) -> Vec<&'a TransitionDef> {
        let active = machine.active(&c.states[&machine.name]);
        let is_enabled = |transition: &&&TransitionDef| {
            let from = &*transition.from.name.text;
            let age = c.ages.get(&(machine.name.clone(), from.to_owned())).copied().unwrap_or(0);
            let see = |event: &str| c.sent.contains(event) || c.chosen.contains(event);
            active.contains(&from)
                && transition.condition.as_ref().is_none_or(|condition| {
                    evaluate(
                        condition,
                        &Sight {
                            event: &see,
                            old_event: &|_| false,
                            state: &|path, state| self.is_in(&c.states, &machine.component, path, state),
                            old_state: &|_, _| false,
                            after: &|count| c.ms == 0 && age == count,
                            ms: c.ms,
                        },
                    )
                })
        };
        machine.transitions.iter().filter(is_enabled).copied().collect()
    }

    fn is_in(&self, states: &BTreeMap<String, String>, component: &str, path: &str, state: &str) -> bool {
        let own = format!("{component}.{path}");
        let machine = self.machines.iter().find(|it| it.name == own);
        let machine = machine.or_else(|| self.machines.iter().find(|it| it.name == path));
        let machine = machine.expect("the machine is there");
        machine.active(&states[&machine.name]).contains(&state)
    }

    /// Whether no machine can move.
    pub(crate) fn is_still(&self, c: &Configuration) -> bool {
        self.machines.iter().all(|machine| self.enabled(machine, c).is_empty())
    }

    fn is_allowed(&self, c: &Configuration) -> bool {
        let see = |event: &str| c.sent.contains(event) || c.chosen.contains(event);
        let sight = Sight {
            event: &see,
            old_event: &|_| false,
            state: &|_, _| false,
            old_state: &|_, _| false,
            after: &|_| false,
            ms: c.ms,
        };
        c.ms == 0 || self.assumptions.iter().all(|formula| evaluate(formula, &sight))
    }

    /// All steps: an action or nothing, and the configuration after it.
    pub(crate) fn steps(&self, c: &Configuration) -> Vec<(Option<String>, Configuration)> {
        let mut steps = Vec::new();
        let (list, may_choose) = if c.ms == 0 { (&self.inputs, true) } else { (&self.taken, !c.delivering) };
        let last = list.iter().rposition(|event| c.chosen.contains(event));
        for event in list.iter().skip(last.map_or(0, |last| last + 1)).filter(|_| may_choose) {
            let mut next = c.clone();
            next.chosen.insert(event.clone());
            if self.groups.iter().all(|group| group.intersection(&next.chosen).count() <= 1) {
                steps.push((Some(event.clone()), next));
            }
        }
        let is_open = self.part != Part::Whole;
        let is_still = self.is_still(c);
        let may_go_on = c.ms == 0 || (!c.delivering && (is_open || !is_still));
        if may_go_on && self.is_allowed(c) {
            steps.extend(self.microsteps(c).into_iter().map(|next| (None, next)));
        }
        if c.ms > 0 && is_still && self.is_allowed(c) {
            match self.outputs.iter().find(|output| c.due.contains(*output)) {
                Some(output) => {
                    let mut next = c.clone();
                    next.due.remove(output);
                    next.delivering = is_open;
                    steps.push((Some(output.clone()), next));
                }
                None => steps.push((Some("end".to_owned()), self.ended(c))),
            }
        }
        steps
    }

    fn microsteps(&self, c: &Configuration) -> Vec<Configuration> {
        let mut base = c.clone();
        base.occurred.extend(c.sent.iter().chain(&c.chosen).cloned());
        base.sent.clear();
        base.chosen.clear();
        base.ms = (c.ms + 1).min(self.limit);
        let mut all = vec![base];
        for machine in &self.machines {
            let enabled = self.enabled(machine, c);
            if enabled.is_empty() {
                continue;
            }
            all = all
                .iter()
                .flat_map(|c| {
                    enabled.iter().map(|transition| self.moved(machine, c, transition)).collect::<Vec<_>>()
                })
                .collect();
        }
        all
    }

    fn moved(&self, machine: &Machine<'a>, c: &Configuration, transition: &TransitionDef) -> Configuration {
        let mut next = c.clone();
        let (from, to) = (&*transition.from.name.text, &*transition.to.name.text);
        let old = c.states[&machine.name].clone();
        let new = machine.innermost(Some(to)).to_owned();
        // A state that strictly contains both ends is neither left nor entered.
        let stays = |state: &str| machine.contains(state, from) && machine.contains(state, to);
        for state in machine.active(&old).into_iter().filter(|state| !stays(state)) {
            next.ages.remove(&(machine.name.clone(), state.to_owned()));
        }
        for state in machine.active(&new).into_iter().filter(|state| !stays(state)) {
            next.ages.insert((machine.name.clone(), state.to_owned()), 0);
        }
        next.states.insert(machine.name.clone(), new);
        for event in &transition.outputs {
            let event = event.name.text.to_string();
            if self.outputs.contains(&event) {
                next.due.insert(event.clone());
            }
            next.sent.insert(event);
        }
        next
    }

    fn ended(&self, c: &Configuration) -> Configuration {
        let mut next = c.clone();
        next.before = c.occurred.iter().chain(&c.sent).chain(&c.chosen).cloned().collect();
        next.occurred.clear();
        next.sent.clear();
        next.chosen.clear();
        next.ms = 0;
        next.delivering = false;
        next.start = next.states.clone();
        for age in next.ages.values_mut() {
            *age = (*age + 1).min(self.oldest);
        }
        next
    }

    /// Whether a property is broken where a step leaves a configuration: a microstep, or the end of the macrostep.
    pub(crate) fn is_broken(
        &self,
        property: &PropertyDef,
        component: &str,
        c: &Configuration,
        ends: bool,
    ) -> bool {
        if c.ms == 0 {
            return false;
        }
        let see: Box<dyn Fn(&str) -> bool> = match &property.instant {
            Instant::Macrostep if !ends => return false,
            Instant::Macrostep => Box::new(|event: &str| {
                c.occurred.contains(event) || c.sent.contains(event) || c.chosen.contains(event)
            }),
            Instant::Microstep(number) => {
                if let Some(Expr { kind: ExprKind::Int(number), .. }) = number
                    && *number != c.ms
                {
                    return false;
                }
                Box::new(|event: &str| match self.inputs.iter().any(|input| input == event) {
                    true => c.ms == 1 && c.occurred.contains(event),
                    false => c.sent.contains(event) || c.chosen.contains(event),
                })
            }
        };
        !evaluate(
            &property.formula,
            &Sight {
                event: &*see,
                old_event: &|event| c.before.contains(event),
                state: &|path, state| self.is_in(&c.states, component, path, state),
                old_state: &|path, state| self.is_in(&c.start, component, path, state),
                after: &|_| false,
                ms: c.ms,
            },
        )
    }
}

impl Machine<'_> {
    /// The first innermost state of a state, or of the machine.
    fn innermost(&self, state: Option<&str>) -> &str {
        let mut at = state.map(|state| *self.around.get_key_value(state).expect("a state").0);
        while let Some((_, inner)) = self.first.get_key_value(&at) {
            at = Some(inner);
        }
        at.expect("a machine has a state")
    }

    /// A state and all those around it.
    fn active(&self, state: &str) -> Vec<&str> {
        let mut at = self.around.get_key_value(state).map(|(state, _)| *state);
        let mut active = Vec::new();
        while let Some(state) = at {
            active.push(state);
            at = self.around[state];
        }
        active
    }

    /// Whether a state is strictly inside of another one.
    fn contains(&self, outer: &str, inner: &str) -> bool {
        outer != inner && self.active(inner).contains(&outer)
    }
}

fn parts<'a>(body: &'a [MachinePart], around: Option<&'a str>, machine: &mut Machine<'a>) {
    for part in body {
        match part {
            MachinePart::State(state) => {
                machine.around.insert(&state.name.text, around);
                machine.first.entry(around).or_insert(&state.name.text);
                parts(&state.body, Some(&state.name.text), machine);
            }
            MachinePart::Transition(transition) => machine.transitions.push(transition),
        }
    }
}

fn reads(machines: &[Machine<'_>]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for transition in machines.iter().flat_map(|machine| &machine.transitions) {
        if let Some(condition) = &transition.condition {
            events(condition, &mut names);
        }
    }
    names
}

/// The events of a formula.
fn events(expr: &Expr, names: &mut BTreeSet<String>) {
    match &expr.kind {
        ExprKind::Path(path) if path.segments.len() == 1 => {
            names.insert(path.segments[0].name.text.to_string());
        }
        ExprKind::Unary(_, inner) => events(inner, names),
        ExprKind::Binary(_, left, right) => {
            events(left, names);
            events(right, names);
        }
        ExprKind::Chain(_, parts) => parts.iter().for_each(|part| events(part, names)),
        _ => {}
    }
}

fn sends(machines: &[Machine<'_>]) -> BTreeSet<String> {
    let transitions = machines.iter().flat_map(|machine| &machine.transitions);
    transitions.flat_map(|it| &it.outputs).map(|event| event.name.text.to_string()).collect()
}

/// What the atoms of a formula mean.
struct Sight<'s> {
    event: &'s dyn Fn(&str) -> bool,
    old_event: &'s dyn Fn(&str) -> bool,
    state: &'s dyn Fn(&str, &str) -> bool,
    old_state: &'s dyn Fn(&str, &str) -> bool,
    after: &'s dyn Fn(i32) -> bool,
    ms: i32,
}

fn evaluate(expr: &Expr, sight: &Sight<'_>) -> bool {
    match &expr.kind {
        ExprKind::Truth(value) => *value,
        ExprKind::Path(path) => match &path.segments[..] {
            [event] => (sight.event)(&event.name.text),
            [machine @ .., state] => {
                let machine: Vec<&str> = machine.iter().map(|segment| &*segment.name.text).collect();
                (sight.state)(&machine.join("."), &state.name.text)
            }
            [] => unreachable!("a path has a segment"),
        },
        ExprKind::Unary(UnaryOp::Not, inner) => !evaluate(inner, sight),
        ExprKind::Unary(UnaryOp::Old, inner) => {
            evaluate(inner, &Sight { event: sight.old_event, state: sight.old_state, ..*sight })
        }
        ExprKind::Unary(UnaryOp::After, count) => (sight.after)(number(count, sight)),
        ExprKind::Chain(true, parts) => parts.iter().any(|part| evaluate(part, sight)),
        ExprKind::Chain(false, parts) => parts.iter().all(|part| evaluate(part, sight)),
        ExprKind::Binary(BinaryOp::Implies, left, right) => !evaluate(left, sight) || evaluate(right, sight),
        ExprKind::Binary(BinaryOp::Iff, left, right) => evaluate(left, sight) == evaluate(right, sight),
        ExprKind::Binary(BinaryOp::Equal, left, right) => number(left, sight) == number(right, sight),
        ExprKind::Binary(BinaryOp::Less, left, right) => number(left, sight) < number(right, sight),
        ExprKind::Binary(BinaryOp::GreaterEqual, left, right) => number(left, sight) >= number(right, sight),
        other => panic!("{other:?} is not for this interpreter"),
    }
}

fn number(expr: &Expr, sight: &Sight<'_>) -> i32 {
    match &expr.kind {
        ExprKind::Int(value) => *value,
        ExprKind::Ms => sight.ms,
        other => panic!("{other:?} is no number"),
    }
}
