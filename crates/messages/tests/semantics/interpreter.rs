//! Message components, interpreted: from the abstract syntax and the semantics in words alone.
//!
//! A configuration has, for each process, its state, whether the action of the state is still to be done, its variables, and
//! its queue. Nothing here is clever, and nothing here is shared with the elaborator or the program.

mod actions;

use std::collections::{BTreeMap, BTreeSet};

use rely_messages::ast::{
    Body, ComponentDef, Definition, Expr, ExprKind, File, Index, Path, Primitive, ProcessDef, TypeExpr,
    TypeKind,
};
use rely_messages::{Environment, Options, Overflow, Unexpected};

/// A process with its name, the folder of the component that it is in, and its index.
pub(super) struct Instance<'f> {
    pub(super) name: String,
    folder: String,
    def: &'f ProcessDef,
    primitive: &'f Primitive,
    index: Option<(String, i64)>,
}

/// A message with its values.
pub(super) type Message = (String, Vec<i64>);

/// What a process knows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Local {
    pub(super) state: String,
    pub(super) is_entering: bool,
    pub(super) variables: BTreeMap<String, Vec<i64>>,
    pub(super) queue: Vec<Message>,
}

/// What all processes know.
pub(super) type Configuration = Vec<Local>;

/// How a step ends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum End {
    At(Configuration),
    Fail,
    Cut,
}

/// Where an output goes: the inputs of processes, and whether it leaves the system.
#[derive(Clone, Default, Debug)]
struct Route {
    /// Full names of inputs, such as `b.in0`.
    inputs: Vec<String>,
    leaves: bool,
}

pub(super) struct Interpreter<'f> {
    constants: BTreeMap<String, i64>,
    types: BTreeMap<String, &'f TypeExpr>,
    components: BTreeMap<String, &'f ComponentDef>,
    literals: BTreeMap<String, i64>,
    pub(super) instances: Vec<Instance<'f>>,
    /// The outputs by full name, such as `a.out0`.
    routes: BTreeMap<String, Route>,
    /// The open inputs by full name.
    open: Vec<String>,
    options: Options,
}

/// An action that fails.
struct Failed;

/// A path through an action: the variables, and the messages so far with their full names.
type Path1 = (BTreeMap<String, Vec<i64>>, Vec<Sent>);

/// A message that is sent: to a process, or by an output.
#[derive(Clone, Debug)]
enum Sent {
    To(usize, Message),
    Out(String, Message),
}

impl<'f> Interpreter<'f> {
    pub(super) fn new(file: &'f File, target: &str, options: Options) -> Self {
        let mut it = Self {
            constants: BTreeMap::new(),
            types: BTreeMap::new(),
            components: BTreeMap::new(),
            literals: BTreeMap::new(),
            instances: Vec::new(),
            routes: BTreeMap::new(),
            open: Vec::new(),
            options,
        };
        for definition in &file.definitions {
            match definition {
                Definition::Const { name, value } => {
                    let value = it.constant(value);
                    it.constants.insert(name.text.to_string(), value);
                }
                Definition::Type { name, value } => {
                    it.types.insert(name.text.to_string(), value);
                    if let TypeKind::Enumeration(names) = &value.kind {
                        it.literals.extend(
                            names.iter().zip(0..).map(|(name, value)| (name.text.to_string(), value)),
                        );
                    }
                }
                Definition::Component(def) => _ = it.components.insert(def.name.text.to_string(), def),
                Definition::Import { .. } | Definition::Property(_) => panic!("tests have neither"),
            }
        }
        let (inputs, outputs) = it.unfold(target, "");
        it.open = inputs;
        for output in outputs {
            it.routes.get_mut(&output).expect("it was made by the component").leaves = true;
        }
        it
    }

    /// Adds the processes of a component; gives the full names of its open inputs and outputs.
    fn unfold(&mut self, component: &str, folder: &str) -> (Vec<String>, Vec<String>) {
        let def = self.components[component];
        match &def.body {
            Body::Primitive(primitive) => {
                for process in &primitive.processes {
                    for index in self.range(process.index.as_ref()) {
                        let dot = index.as_ref().map_or(String::new(), |(_, value)| format!(".{value}"));
                        let name = format!("{folder}{}{dot}", process.name.text);
                        let folder = folder.to_owned();
                        self.instances.push(Instance { name, folder, def: process, primitive, index });
                    }
                }
                let full = |name: &str| format!("{folder}{name}");
                let outputs: Vec<String> = primitive.outputs.iter().map(|it| full(&it.name.text)).collect();
                self.routes.extend(outputs.iter().map(|name| (name.clone(), Route::default())));
                (primitive.inputs.iter().map(|it| full(&it.name.text)).collect(), outputs)
            }
            Body::Composition { parts, wirings } => {
                let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
                for part in parts {
                    let name = part.name.as_ref().unwrap_or(&part.component);
                    for index in self.range(part.index.as_ref()) {
                        let dot = index.as_ref().map_or(String::new(), |(_, value)| format!(".{value}"));
                        let inner =
                            self.unfold(&part.component.text, &format!("{folder}{}{dot}.", name.text));
                        inputs.extend(inner.0);
                        outputs.extend(inner.1);
                    }
                }
                let mut connected = Vec::new();
                let mut inside = Vec::new();
                for wiring in wirings {
                    let output = self.border(&format!("{folder}{}", dotted(&wiring.output)), &outputs);
                    for input in &wiring.inputs {
                        let input = self.border(&format!("{folder}{}", dotted(input)), &inputs);
                        self.routes.get_mut(&output).expect("it is an output").inputs.push(input.clone());
                        connected.push(input);
                    }
                    if !wiring.exported {
                        inside.push(output);
                    }
                }
                inputs.retain(|input| !connected.contains(input));
                let exported: Vec<String> = wirings
                    .iter()
                    .filter(|wiring| wiring.exported)
                    .map(|wiring| self.border(&format!("{folder}{}", dotted(&wiring.output)), &outputs))
                    .collect();
                outputs.retain(|output| exported.contains(output) || !inside.contains(output));
                (inputs, outputs)
            }
        }
    }

    /// The full name of a message at the border of a part: the part may be composed itself.
    fn border(&self, written: &str, known: &[String]) -> String {
        let exact = known.iter().find(|name| *name == written);
        let inner = || {
            let (folder, name) = written.rsplit_once('.').expect("a part and a message");
            let fits =
                |it: &&String| it.starts_with(&format!("{folder}.")) && it.ends_with(&format!(".{name}"));
            known.iter().find(fits).unwrap_or_else(|| panic!("{written} is not among {known:?}"))
        };
        exact.unwrap_or_else(inner).clone()
    }

    /// The inputs that come from outside, and the outputs that go there.
    pub(super) fn interface(&self) -> (BTreeSet<String>, BTreeSet<String>) {
        let leaving = self.routes.iter().filter(|(_, route)| route.leaves).map(|(name, _)| name.clone());
        (self.open.iter().cloned().collect(), leaving.collect())
    }

    fn range(&self, index: Option<&Index>) -> Vec<Option<(String, i64)>> {
        let Some(index) = index else { return vec![None] };
        let variable = index.variable.as_ref().map_or(String::new(), |name| name.text.to_string());
        let (low, high) = self.bounds(index);
        (low..=high).map(|value| Some((variable.clone(), value))).collect()
    }

    fn bounds(&self, index: &Index) -> (i64, i64) {
        match (&index.high, &index.low.kind) {
            (Some(high), _) => (self.constant(&index.low), self.constant(high)),
            (None, ExprKind::Path { path, .. }) => self.type_bounds(self.types[&*path.parts[0].0.text]),
            (None, _) => (self.constant(&index.low), self.constant(&index.low)),
        }
    }

    fn type_bounds(&self, ty: &TypeExpr) -> (i64, i64) {
        match &ty.kind {
            TypeKind::Bool => (0, 1),
            TypeKind::Range(low, high) => (self.constant(low), self.constant(high)),
            TypeKind::Enumeration(names) => (0, i64::try_from(names.len()).expect("few names") - 1),
            TypeKind::Named(name) => self.type_bounds(self.types[&*name.text]),
        }
    }

    fn constant(&self, expr: &Expr) -> i64 {
        self.value(expr, &BTreeMap::new(), None).unwrap_or_else(|Failed| panic!("constants are defined"))
    }

    pub(super) fn initial(&self) -> Configuration {
        let local = |instance: &Instance<'_>| {
            let variables = instance.def.variables.iter().map(|variable| {
                let length = variable.index.as_ref().map_or(1, |index| {
                    let (low, high) = self.bounds(index);
                    high - low + 1
                });
                let first = match &variable.initial {
                    Some(initial) => {
                        let value = self.value(initial, &BTreeMap::new(), Some(instance));
                        value.unwrap_or_else(|Failed| panic!("first values are constant"))
                    }
                    None => self.type_bounds(&variable.ty).0,
                };
                let values = vec![first; usize::try_from(length).expect("a length")];
                (variable.name.text.to_string(), values)
            });
            let start = &instance.def.states[0];
            Local {
                state: start.name.text.to_string(),
                is_entering: !start.action.is_empty(),
                variables: variables.collect(),
                queue: Vec::new(),
            }
        };
        self.instances.iter().map(local).collect()
    }

    /// All steps of a configuration, in words.
    pub(super) fn steps(&self, at: &Configuration) -> Vec<(String, End)> {
        let mut found = Vec::new();
        for (number, instance) in self.instances.iter().enumerate() {
            if at[number].is_entering {
                self.act(number, instance, at, &mut found);
            } else if let Some((message, values)) = at[number].queue.first() {
                self.take(number, instance, message, values, at, &mut found);
            }
        }
        if self.options.environment == Environment::Universal && !self.open.is_empty() {
            found.push(("nothing".to_owned(), End::At(at.clone())));
            for input in &self.open {
                for (to, message) in self.arrivals(input) {
                    let sent = [Sent::To(to, message)];
                    found.push((self.sent_label("ENV", &sent), self.deliver(at.clone(), &sent)));
                }
            }
        }
        found
    }

    /// Every way in which an input may arrive.
    fn arrivals(&self, input: &str) -> Vec<(usize, Message)> {
        let (to, name) = self.taker(input);
        let def = self.instances[to].primitive.inputs.iter().find(|def| *def.name.text == *name);
        let mut all = vec![Vec::new()];
        for (_, ty) in &def.expect("it is an input").params {
            let (low, high) = self.type_bounds(ty);
            let longer = |before: &Vec<i64>| {
                let before = before.clone();
                (low..=high).map(move |value| before.iter().copied().chain([value]).collect())
            };
            all = all.iter().flat_map(longer).collect();
        }
        all.into_iter().map(|values| (to, (name.clone(), values))).collect()
    }

    /// The process that takes an input with a full name, and the name without the folder.
    fn taker(&self, input: &str) -> (usize, String) {
        for (number, instance) in self.instances.iter().enumerate() {
            if let Some(name) = input.strip_prefix(&instance.folder)
                && instance.primitive.inputs.iter().any(|def| &*def.name.text == name)
                && instance.def.transitions.iter().any(|transition| &*transition.message.text == name)
            {
                return (number, name.to_owned());
            }
        }
        panic!("nobody takes {input}");
    }

    fn act(
        &self,
        number: usize,
        instance: &Instance<'_>,
        at: &Configuration,
        found: &mut Vec<(String, End)>,
    ) {
        let state = instance.def.states.iter().find(|state| *state.name.text == *at[number].state);
        let start = (at[number].variables.clone(), Vec::new());
        for end in self.run(&state.expect("it is a state").action, vec![Ok(start)], instance) {
            let Ok((variables, sent)) = end else {
                found.push(("failure".to_owned(), End::Fail));
                continue;
            };
            let mut after = at.clone();
            (after[number].is_entering, after[number].variables) = (false, variables);
            let label = match sent.is_empty() {
                true => format!("{} does {}", instance.name, at[number].state),
                false => self.sent_label(&instance.name, &sent),
            };
            found.push((label, self.deliver(after, &sent)));
        }
    }

    fn sent_label(&self, sender: &str, sent: &[Sent]) -> String {
        let mut text = format!("{sender} sends");
        for it in sent {
            match it {
                Sent::To(to, (name, values)) => {
                    text += &format!(" {}.{name}{values:?}", self.instances[*to].name);
                }
                Sent::Out(output, (_, values)) => {
                    for input in &self.routes[output].inputs {
                        let (to, name) = self.taker(input);
                        text += &format!(" {}.{name}{values:?}", self.instances[to].name);
                    }
                    text += &format!(" out {output}{values:?}");
                }
            }
        }
        text
    }

    /// Puts messages into queues.
    fn deliver(&self, mut after: Configuration, sent: &[Sent]) -> End {
        let mut deliveries = Vec::new();
        for it in sent {
            match it {
                Sent::To(to, message) => deliveries.push((*to, message.clone())),
                Sent::Out(output, (_, values)) => {
                    for input in &self.routes[output].inputs {
                        let (to, name) = self.taker(input);
                        deliveries.push((to, (name, values.clone())));
                    }
                }
            }
        }
        let mut overflows = false;
        for (to, message) in deliveries {
            overflows |= after[to].queue.len() >= self.bound(to);
            after[to].queue.push(message);
        }
        match (overflows, self.options.overflow) {
            (false, _) => End::At(after),
            (true, Overflow::Cut) => End::Cut,
            (true, Overflow::Fail) => End::Fail,
        }
    }

    fn bound(&self, process: usize) -> usize {
        let instance = &self.instances[process];
        let written = instance.def.queue.as_ref().or(instance.primitive.queue.as_ref());
        let written = written.map_or(4, |bound| {
            let value = self.value(bound, &BTreeMap::new(), Some(instance));
            value.unwrap_or_else(|Failed| panic!("bounds are constant"))
        });
        self.options.queue.map_or(usize::try_from(written).expect("a bound"), |bound| bound as usize)
    }

    fn take(
        &self,
        number: usize,
        instance: &Instance<'_>,
        message: &str,
        values: &[i64],
        at: &Configuration,
        found: &mut Vec<(String, End)>,
    ) {
        let mut taken = at.clone();
        taken[number].queue.remove(0);
        let what = format!("{}.{message}{values:?}", instance.name);
        let mut is_taken = false;
        for transition in &instance.def.transitions {
            let starts_here = transition.from.iter().filter(|from| *from.text == *at[number].state).count();
            if starts_here == 0 || &*transition.message.text != message {
                continue;
            }
            let mut after = taken.clone();
            let patterns = transition.patterns.as_deref().unwrap_or_default();
            let fits = patterns.iter().zip(values).all(|(pattern, value)| {
                let name = match &pattern.kind {
                    ExprKind::Path { path, .. } => path.as_name().map(|name| name.text.to_string()),
                    _ => None,
                };
                let name = name.unwrap_or_default();
                if name == "_" {
                    return true;
                }
                match after[number].variables.get_mut(&name) {
                    Some(variable) => {
                        variable[0] = *value;
                        true
                    }
                    None => {
                        self.value(pattern, &BTreeMap::new(), Some(instance)).is_ok_and(|it| it == *value)
                    }
                }
            });
            if fits {
                is_taken = true;
                let to = instance.def.states.iter().find(|state| state.name.text == transition.to.text);
                after[number].state = transition.to.text.to_string();
                after[number].is_entering = !to.expect("it is a state").action.is_empty();
                found.push((format!("takes {what}"), End::At(after)));
            }
        }
        if !is_taken {
            match self.options.unexpected {
                Unexpected::Wait => {}
                Unexpected::Drop => found.push((format!("drops {what}"), End::At(taken))),
                Unexpected::Fail => found.push(("failure".to_owned(), End::Fail)),
            }
        }
    }
}

/// A path as text.
fn dotted(path: &Path) -> String {
    let mut text = String::new();
    for (name, index) in &path.parts {
        if !text.is_empty() {
            text.push('.');
        }
        text += &name.text;
        if let Some(Index { low, .. }) = index
            && let ExprKind::Int(value) = low.kind
        {
            text += &format!(".{value}");
        }
    }
    text
}
