//! The events of a program: every rule of the mapping, for every thread and all values.

use std::collections::{BTreeMap, BTreeSet};

use rely_base::Span;
use rely_syntax::nearest;

use crate::codes::{GAP, NEVER_MADE, NO_ACTION, NO_EVENT, TWO_EVENTS};
use crate::mapping::{EventRule, Mapping, Side, Signal};
use crate::reader::Findings;

/// An event: a method of an object in a thread.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Key {
    pub(crate) method: String,
    pub(crate) object: String,
    pub(crate) thread: String,
}

/// What belongs to an event.
#[derive(Clone, Debug)]
pub(crate) struct Event {
    pub(crate) values: Vec<(i64, i64)>,
    /// The action for each combination of values, the last of which changes fastest.
    pub(crate) actions: Vec<String>,
}

/// All events, and the actions that they are.
#[derive(Debug, Default)]
pub(crate) struct Events {
    pub(crate) events: BTreeMap<Key, Event>,
    /// All actions, sorted.
    pub(crate) actions: Vec<String>,
    /// The threads of the component.
    component: BTreeSet<String>,
}

/// At most this many names are listed in a message.
const MOST_NAMES: usize = 8;

/// The most combinations of values of an event.
const MOST_COMBINATIONS: usize = 10_000;

impl Events {
    /// The events of a mapping.
    pub(crate) fn of(mapping: &Mapping, findings: &mut Findings) -> Self {
        let component = mapping.component.threads.iter().map(|(name, _)| name.text.clone()).collect();
        let mut events = Self { component, ..Self::default() };
        let mut actions = BTreeSet::new();
        for rule in &mapping.events {
            let combinations = combinations(&rule.values);
            if combinations.len() > MOST_COMBINATIONS {
                let message = format!("{} combinations of values are too many", combinations.len());
                findings.error(NO_ACTION, rule.span, message, "give smaller ranges");
                continue;
            }
            for thread in &rule.threads {
                let action = |values: &Vec<i64>| action_name(rule, &thread.text, values);
                let named: Vec<String> = combinations.iter().map(action).collect();
                actions.extend(named.iter().cloned());
                let key = Key {
                    method: rule.method.text.clone(),
                    object: rule.object.text.clone(),
                    thread: thread.text.clone(),
                };
                let event = Event { values: rule.values.clone(), actions: named };
                if events.events.insert(key, event).is_some() {
                    let (method, object) = (&rule.method.text, &rule.object.text);
                    let message =
                        format!("`{method}` of `{object}` in thread `{}` is an event already", thread.text);
                    findings.error(TWO_EVENTS, thread.span, message, "remove one, or use other threads");
                }
            }
        }
        events.actions = actions.into_iter().collect();
        events
    }

    /// The action of a call.
    pub(crate) fn action(&self, thread: &str, method: &str, object: &str, values: &[i64]) -> Option<String> {
        let key = |thread: &str| Key {
            method: method.to_owned(),
            object: object.to_owned(),
            thread: thread.to_owned(),
        };
        let event = self.events.get(&key(thread)).or_else(|| self.events.get(&key("*")))?;
        let place = combinations(&event.values).iter().position(|known| known == values)?;
        Some(event.actions[place].clone())
    }

    /// The number of an action.
    pub(crate) fn number(&self, action: &str) -> Option<usize> {
        self.actions.binary_search_by(|known| known.as_str().cmp(action)).ok()
    }

    /// Whether an action is one of the component's own threads.
    pub(crate) fn is_components(&self, action: &str) -> bool {
        let is_it = |(key, event): (&Key, &Event)| {
            self.component.contains(&key.thread) && event.actions.iter().any(|known| known == action)
        };
        self.events.iter().any(is_it)
    }

    /// Reports actions of events that the design does not have.
    pub(crate) fn check_known(&self, mapping: &Mapping, known: &BTreeSet<String>, findings: &mut Findings) {
        for rule in &mapping.events {
            let names = rule.threads.iter().flat_map(|thread| {
                combinations(&rule.values).into_iter().map(|values| action_name(rule, &thread.text, &values))
            });
            if let Some(strange) = names.into_iter().find(|name| !known.contains(name)) {
                let help = match nearest(&strange, known.iter().map(String::as_str)) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => "the actions of a component are listed by `rely compose --json`".to_owned(),
                };
                findings.error(
                    NO_ACTION,
                    rule.action.span,
                    format!("the design has no action `{strange}`"),
                    help,
                );
            }
        }
        for internal in mapping.internal.iter().filter(|internal| !known.contains(&internal.text)) {
            let meant = nearest(&internal.text, known.iter().map(String::as_str));
            let help = meant.map_or("remove it".to_owned(), |meant| format!("did you mean `{meant}`?"));
            findings.error(
                NO_ACTION,
                internal.span,
                format!("the design has no action `{}`", internal.text),
                help,
            );
        }
    }

    /// Reports actions that are watched and have no event, and actions of models that are neither events nor internal.
    pub(crate) fn check_gaps(
        &self,
        mapping: &Mapping,
        watched: &BTreeSet<String>,
        modelled: &BTreeSet<String>,
        findings: &mut Findings,
    ) {
        let is_internal = |name: &String| mapping.internal.iter().any(|internal| internal.text == *name);
        let has_event = |name: &String| self.number(name).is_some();
        let unseen: Vec<&String> = watched.iter().filter(|name| !has_event(name)).collect();
        let unshown = modelled.iter().filter(|name| !has_event(name) && !watched.contains(*name));
        let unshown: Vec<&String> = unshown.filter(|name| !is_internal(name)).collect();
        let mut report = |names: &[&String], what: &str, help: &str| {
            if let Some(first) = names.first() {
                let shown: Vec<String> =
                    names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
                let more = names.len().saturating_sub(MOST_NAMES);
                let more = if more == 0 { String::new() } else { format!(" and {more} more") };
                let message = format!("no event is {}{more}, {what}", shown.join(", "));
                findings.error(GAP, Span::new(0, 0), message, help.replace("{}", first));
            }
        };
        report(&unseen, "which property or assumption watch", "add an [[event]] whose action is \"{}\"");
        report(&unshown, "which the design has", "add an [[event]], or \"{}\" to `internal`");
    }

    /// Reports signals of calls, and methods of stubs, that are no events.
    pub(crate) fn check_signals(&self, mapping: &Mapping, findings: &mut Findings) {
        for (side, name) in [(&mapping.component, "component"), (&mapping.environment, "environment")] {
            for call in &side.calls {
                for signal in &call.signals {
                    self.check_signal(signal, Some(&call.thread.text), findings);
                }
            }
            let methods = side.stub.iter().flat_map(|stub| &stub.methods);
            for (signal, method) in methods.filter_map(|method| Some((method.signals.as_ref()?, method))) {
                self.check_signal(signal, None, findings);
                let arities: BTreeSet<usize> =
                    self.of_signal(signal).map(|(_, event)| event.values.len()).collect();
                for outcome in method.outcomes.iter().filter(|it| !arities.contains(&it.values.len())) {
                    let message =
                        format!("an outcome has {} values, and its event others", outcome.values.len());
                    findings.error(
                        NO_EVENT,
                        method.signature.span,
                        message,
                        format!("see the [[event]] and [{name}.stub]"),
                    );
                }
            }
        }
    }

    fn check_signal(&self, signal: &Signal, thread: Option<&str>, findings: &mut Findings) {
        let fits = |key: &Key| thread.is_none_or(|thread| key.thread == thread || key.thread == "*");
        if self.of_signal(signal).any(|(key, _)| fits(key)) {
            return;
        }
        let written = format!("{}.{}", signal.object, signal.method);
        let place = thread.map_or(String::new(), |thread| format!(" in thread `{thread}`"));
        let known: Vec<String> =
            self.events.keys().map(|key| format!("{}.{}", key.object, key.method)).collect();
        let help = match nearest(&written, known.iter().map(String::as_str)) {
            Some(meant) if meant != written => format!("did you mean `{meant}`?"),
            _ => "add an [[event]] for it".to_owned(),
        };
        findings.error(NO_EVENT, signal.span, format!("there is no event `{written}`{place}"), help);
    }

    fn of_signal<'e>(&'e self, signal: &'e Signal) -> impl Iterator<Item = (&'e Key, &'e Event)> {
        self.events.iter().filter(|(key, _)| key.method == signal.method && key.object == signal.object)
    }

    /// The actions that an event may be in a thread, whatever its values.
    pub(crate) fn actions_of<'e>(&'e self, signal: &'e Signal, thread: &str) -> BTreeSet<&'e str> {
        let fits = |key: &Key| key.thread == thread || key.thread == "*";
        let events = self.of_signal(signal).filter(|(key, _)| fits(key));
        events.flat_map(|(_, event)| event.actions.iter().map(String::as_str)).collect()
    }

    /// Reports watched events that what stands for the other side never makes.
    ///
    /// `side` is what is checked; `others` are the watched actions that the other side has to be able to make.
    pub(crate) fn check_made(
        &self,
        mapping: &Mapping,
        side: &Side,
        others: &BTreeSet<String>,
        findings: &mut Findings,
    ) {
        let stub =
            if std::ptr::eq(side, &mapping.environment) { &mapping.component } else { &mapping.environment };
        let is_environment = std::ptr::eq(side, &mapping.environment);
        for (key, event) in &self.events {
            let of_other = self.component.contains(&key.thread) == is_environment;
            let is_watched = event.actions.iter().any(|action| others.contains(action));
            if !of_other || !is_watched {
                continue;
            }
            let signals = |signal: &Signal| signal.object == key.object && signal.method == key.method;
            let is_called = side.calls.iter().any(|call| {
                (call.thread.text == key.thread || key.thread == "*") && call.signals.iter().any(signals)
            });
            let is_lock = ["lock", "unlock"].contains(&key.method.as_str())
                && side.calls.iter().any(|call| call.thread.text == key.thread)
                && mapping.locks.iter().any(|lock| lock.object.text == key.object);
            let methods = stub.stub.iter().flat_map(|stub| &stub.methods);
            let is_stubbed = is_environment && methods.flat_map(|method| &method.signals).any(signals);
            if !(is_called || is_lock || is_stubbed) {
                let message =
                    format!("nothing makes `{}`, event `{}.{}`", event.actions[0], key.object, key.method);
                let name = if is_environment { "environment" } else { "component" };
                let help = format!(
                    "add a [[{name}.call]] of thread `{}` that signals it, or a [[lock]]",
                    key.thread
                );
                findings.error(NEVER_MADE, Span::new(0, 0), message, help);
            }
        }
    }
}

/// The action of a rule, for a thread and values.
fn action_name(rule: &EventRule, thread: &str, values: &[i64]) -> String {
    let mut name = rule.action.text.replace("{thread}", thread);
    for (i, value) in values.iter().enumerate() {
        name = name.replace(&format!("{{{i}}}"), &value.to_string());
    }
    // Indices may be written as in FSP.
    name.replace('[', ".").replace(']', "")
}

/// All combinations of values; at most one more than are allowed.
fn combinations(ranges: &[(i64, i64)]) -> Vec<Vec<i64>> {
    let mut all: Vec<Vec<i64>> = vec![Vec::new()];
    for &(first, last) in ranges {
        all = all
            .into_iter()
            .flat_map(|values| {
                (first..=last).map(move |value| values.iter().copied().chain([value]).collect::<Vec<i64>>())
            })
            .take(MOST_COMBINATIONS + 1)
            .collect();
    }
    all
}
