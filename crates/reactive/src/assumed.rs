//! What is assumed about the environment of a component: assumptions of the text by name, and rules in the words in which
//! they are printed.
//!
//! **Problem.** A proof about a component says under which rules it holds, and somebody else, such as the judge of a
//! certificate, has to understand them; and a run of the component alone is a false alarm if the environment never behaves
//! as it does in the run. Which rule says so?
//!
//! **Idea.** Rules are read by the parser of the language, where they may be pasted behind `assume`. A run is known by its
//! actions: an event of the interface is there in the microstep that it is chosen in, and the run has a tick for each
//! microstep.

use rely_model as model;

use crate::ast::{BinaryOp, Expr, ExprKind, Item, UnaryOp};
use crate::formula::{Atom, Comparison, Formula};
use crate::parse;
use crate::program::END;
use crate::system::{ComponentId, EventId, System};

/// How a trace writes a step without an action: here, a microstep.
const TAU: &str = "tau";

/// The formula of an assumption about the environment of a component; nothing if it has no meaning for it.
pub fn formula(system: &System, component: ComponentId, assumption: &model::Assumption) -> Option<Formula> {
    match assumption {
        model::Assumption::Written(name) => {
            let mut own = system.assumptions.iter().filter(|written| written.component == component);
            own.find(|written| written.name == *name).map(|written| written.formula.clone())
        }
        model::Assumption::Rule(text) => rule(system, component, text),
    }
}

/// The formula of a rule as it is printed.
fn rule(system: &System, component: ComponentId, text: &str) -> Option<Formula> {
    let text = format!("system S {{ component C {{ assume rule {{\n{text}\n}} }} }}");
    let parse = parse(&text);
    if !parse.diagnostics().is_empty() {
        return None;
    }
    let [only] = &parse.file().systems[..] else { return None };
    let [Item::Component(only)] = &only.items[..] else { return None };
    let [Item::Assume(only)] = &only.items[..] else { return None };
    let takes = &system.component(component).takes;
    let event = |name: &str| takes.iter().copied().find(|&event| system.event(event).name == name);
    Reader { text: &text, event: &event }.formula(&only.formula)
}

/// Reads the formulas that rules stand for.
struct Reader<'t> {
    text: &'t str,
    /// The event of the interface with a name.
    event: &'t dyn Fn(&str) -> Option<EventId>,
}

impl Reader<'_> {
    /// A formula. Its height is bounded, because that of the text is.
    fn formula(&self, expr: &Expr) -> Option<Formula> {
        Some(match &expr.kind {
            ExprKind::Path(path) => {
                let written = self.text.get(path.span.start as usize..path.span.end as usize)?;
                let name: String = written.chars().filter(|letter| !letter.is_whitespace()).collect();
                Formula::Atom(Atom::Event((self.event)(&name)?))
            }
            ExprKind::Unary(UnaryOp::Not, inner) => self.formula(inner)?.negated(),
            ExprKind::Unary(operator @ (UnaryOp::Before | UnaryOp::Old), inner) => {
                let Formula::Atom(Atom::Event(event)) = self.formula(inner)? else { return None };
                Formula::Atom(match operator {
                    UnaryOp::Before => Atom::Before(event),
                    _ => Atom::OldEvent(event),
                })
            }
            ExprKind::Chain(is_any, parts) => {
                let parts = parts.iter().map(|part| self.formula(part)).collect::<Option<Vec<_>>>()?;
                if *is_any { Formula::any(parts) } else { Formula::all(parts) }
            }
            ExprKind::Binary(BinaryOp::Implies, left, right) => {
                Formula::any([self.formula(left)?.negated(), self.formula(right)?])
            }
            ExprKind::Binary(operator, left, right) => {
                let (ExprKind::Ms, ExprKind::Int(number)) = (&left.kind, &right.kind) else { return None };
                match operator {
                    BinaryOp::Equal => Formula::Atom(Atom::Microstep(Comparison::Equal, *number)),
                    BinaryOp::Greater => {
                        Formula::Atom(Atom::Microstep(Comparison::LessEqual, *number)).negated()
                    }
                    _ => return None,
                }
            }
            _ => return None,
        })
    }
}

/// The position of the first of some assumptions that a run of a component alone breaks: the one that is broken earliest,
/// and of these the first in order. Nothing where traces cannot be told apart, because an event is called `tau`.
pub fn first_broken(
    system: &System,
    component: ComponentId,
    trace: &[String],
    assumptions: &[Formula],
) -> Option<usize> {
    if system.events.iter().any(|event| event.action == TAU) {
        return None;
    }
    let takes = &system.component(component).takes;
    let mut microstep: i32 = 0;
    // What is there, what was there in the microstep before, so far in the macrostep, and in the macrostep before.
    let (mut there, mut before): (Vec<EventId>, Vec<EventId>) = (Vec::new(), Vec::new());
    let (mut so_far, mut old): (Vec<EventId>, Vec<EventId>) = (Vec::new(), Vec::new());
    for action in trace {
        let is_end = action == END;
        if !is_end && action != TAU {
            there.extend(takes.iter().copied().filter(|&event| system.event(event).action == *action));
            continue;
        }
        if microstep > 0 {
            let value = |atom: &Atom| match atom {
                Atom::Event(event) => Some(there.contains(event)),
                Atom::Before(event) => Some(before.contains(event)),
                Atom::OldEvent(event) => Some(old.contains(event)),
                Atom::Microstep(comparison, number) => Some(comparison.holds(microstep, *number)),
                _ => None,
            };
            let broken = assumptions.iter().position(|it| it.partial(&value) == Some(false));
            if broken.is_some() {
                return broken;
            }
        }
        so_far.extend(&there);
        before = std::mem::take(&mut there);
        if is_end {
            old = std::mem::take(&mut so_far);
            before.clear();
        }
        microstep = if is_end { 0 } else { microstep.saturating_add(1) };
    }
    None
}
