//! The lines above targets and properties: what is known of them, or that it can be asked.

use std::collections::BTreeSet;

use rely_base::{Budget, Limits, Span};
use rely_model::NameClass;
use rely_session::report::{CheckResult, Kind, Verdict};

use crate::board::is_made_by;
use crate::{Board, Document, Known, Standing};

/// How much may be built to know which targets there are.
const LIMITS: Limits = Limits { states: Some(10_000), bytes: Some(64 << 20) };

/// A line above a declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lens {
    /// The place of the name that is declared.
    pub place: Span,
    /// The target or property.
    pub name: String,
    /// What is known, in a line.
    pub title: String,
    /// Whether that is about the text as it is.
    pub standing: Standing,
    /// The target and property of the first answer with a trace.
    pub trace: Option<(String, String)>,
}

impl Document<'_> {
    /// The lines above targets that are checked, and above properties.
    pub fn lenses(&self, board: &Board) -> Vec<Lens> {
        let targets: BTreeSet<String> =
            self.project.targets(Budget::new(LIMITS, None)).0.into_iter().collect();
        let standing = board.standing(self.project.name());
        let symbols = self.symbols().into_iter();
        let lens = |symbol: crate::Symbol| {
            let is_target = symbol.class == NameClass::Composite || targets.contains(&symbol.name);
            let is_property =
                matches!(symbol.class, NameClass::Property | NameClass::Progress | NameClass::Formula);
            if !is_target && !is_property {
                return None;
            }
            let known = board.known(self.project.name()).filter(|known| match is_property {
                true => is_about_property(known.result, &symbol.name),
                false => known.result.target == symbol.name,
            });
            let known: Vec<Known<'_>> = known.collect();
            if known.is_empty() && is_property {
                return None;
            }
            let trace = known.iter().map(|it| it.result).find(|it| it.verdict == Verdict::Violated);
            Some(Lens {
                place: symbol.place,
                title: title(&known, standing),
                name: symbol.name,
                standing,
                trace: trace.map(|it| (it.target.clone(), it.property.clone())),
            })
        };
        symbols.filter_map(lens).collect()
    }
}

fn is_about_property(result: &CheckResult, name: &str) -> bool {
    is_made_by(&result.property, name) || result.violates.as_deref().is_some_and(|it| is_made_by(it, name))
}

/// What is known, in a line.
fn title(known: &[Known<'_>], standing: Standing) -> String {
    let answers: Vec<String> = known.iter().map(|it| short_answer(it.result)).collect();
    let states = known.iter().map(|it| it.result.states).max().unwrap_or(0);
    let mut line = answers.join(" · ");
    if states > 0 {
        line.push_str(&format!(" · {states} states"));
    }
    match standing {
        Standing::Queued => "check waits".to_owned(),
        Standing::Running => "checking …".to_owned(),
        Standing::Stale if !known.is_empty() => format!("stale: {line}"),
        Standing::Fresh if !known.is_empty() => line,
        _ => "check".to_owned(),
    }
}

fn short_answer(result: &CheckResult) -> String {
    let question = question(result);
    match result.verdict {
        Verdict::Holds => format!("{question} ✓"),
        Verdict::Violated => format!("{question} ✗ {}", length(result)),
        Verdict::Unknown => format!("{question} ?"),
    }
}

fn length(result: &CheckResult) -> String {
    let steps = result.trace.len() + result.cycle.len();
    format!("{steps} step{}", if steps == 1 { "" } else { "s" })
}

/// A question, as people read it.
fn question(result: &CheckResult) -> String {
    match result.kind {
        Kind::Deadlock | Kind::Divergence => result.property.clone(),
        Kind::Safety if result.property == "safety" => match &result.violates {
            Some(violates) => format!("safety ({violates})"),
            None => "safety".to_owned(),
        },
        Kind::Safety | Kind::Progress | Kind::Ltl => result.property.clone(),
    }
}

/// An answer in words: `deadlock violated after 10 steps`.
pub fn answer_in_words(result: &CheckResult) -> String {
    let question = question(result);
    let expected = match result.expected {
        Some(expected) if expected == result.verdict => ", as expected",
        Some(_) => ", which is not what the text expects",
        None => "",
    };
    let reason = result.reason.as_ref().map_or(String::new(), |reason| format!(": {reason}"));
    match result.verdict {
        Verdict::Holds => format!("{question} holds{expected}"),
        Verdict::Violated => format!("{question} violated after {}{expected}{reason}", length(result)),
        Verdict::Unknown => format!("{question} unknown{expected}{reason}"),
    }
}
