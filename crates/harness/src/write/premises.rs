//! The premises in Rust: programs that are run, and what watches them.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::automata::all;
use super::{identifier, string};
use crate::mapping::{Call, Side, Stub};
use crate::{Explorer, Plan, Watched};

/// What there is to check: the name of a function, the question, who watches and how, and the program.
struct Premise {
    name: String,
    question: String,
    watched: Vec<(String, &'static str)>,
    program: &'static str,
    /// Whether threads that wait for ever are a failure.
    ends: bool,
}

fn premises_of(plan: &Plan<'_>) -> Vec<Premise> {
    let named = |watched: &[Watched], reaction: &'static str| -> Vec<(String, &'static str)> {
        watched.iter().map(|it| (it.constant.clone(), reaction)).collect()
    };
    let names =
        |watched: &[Watched]| watched.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(" and ");
    let assumed = if plan.assumptions.is_empty() { "true".to_owned() } else { names(&plan.assumptions) };
    let property = names(&plan.properties);
    let component = &plan.input.component.name;
    let mut watched = named(&plan.assumptions, "Prune");
    watched.extend(named(&plan.properties, "Check"));
    let question = format!("premise 1, <{assumed}> {component} <{property}>");
    let mut premises = vec![
        Premise {
            name: "premise_1".to_owned(),
            question: question.clone(),
            watched: watched.clone(),
            program: "component_alone",
            ends: false,
        },
        Premise {
            name: "premise_1_encoded".to_owned(),
            question: format!("{question}, assumption encoded"),
            watched,
            program: "component_guided",
            ends: false,
        },
    ];
    let environment = plan.input.environment.as_ref().map_or("environment", |part| &part.name);
    if plan.has_premise_2 {
        premises.extend(plan.assumptions.iter().map(|assumption| Premise {
            name: format!("premise_2_{}", identifier(&assumption.name)),
            question: format!("premise 2, <true> {environment} <{}>", assumption.name),
            watched: vec![(assumption.constant.clone(), "Check")],
            program: "environment_alone",
            ends: false,
        }));
    }
    if plan.has_whole {
        premises.push(Premise {
            name: "whole".to_owned(),
            question: format!("the whole program, {property}"),
            watched: named(&plan.properties, "Check"),
            program: "everything",
            ends: false,
        });
    }
    if plan.has_whole && plan.input.mapping.program.ends {
        premises.push(Premise {
            name: "whole_ends".to_owned(),
            question: "the whole program ends".to_owned(),
            watched: Vec::new(),
            program: "everything",
            ends: true,
        });
    }
    let refines = |[around, itself]: &[Watched; 2], name: &str, program: &'static str| Premise {
        name: name.to_owned(),
        question: format!("the program refines {}", itself.name),
        watched: vec![(around.constant.clone(), "Prune"), (itself.constant.clone(), "Check")],
        program,
        ends: false,
    };
    premises.push(refines(&plan.component, "component_refines_its_model", "component_alone"));
    if let Some(environment) = &plan.environment {
        premises.push(refines(environment, "environment_refines_its_model", "environment_alone"));
    }
    premises
}

/// The names of the premises.
pub(crate) fn premise_names(plan: &Plan<'_>) -> Vec<String> {
    premises_of(plan).into_iter().map(|premise| premise.name).collect()
}

/// `premises.rs`.
pub(super) fn premises(plan: &Plan<'_>) -> String {
    let mapping = plan.input.mapping;
    let premises = premises_of(plan);
    let mut text = "//! The premises: what is run, and what watches it.\n\n".to_owned();
    text.push_str("use std::sync::Arc;\n\nuse rely_runtime::{Reaction, Watch, WatchBuilder};\n\n");
    let used: BTreeSet<&String> = premises.iter().flat_map(|it| &it.watched).map(|(name, _)| name).collect();
    let constants = all(plan).map(|it| &it.constant).filter(|name| used.contains(name)).cloned();
    let mut constants: Vec<String> = constants.chain(["DESIGN".to_owned()]).collect();
    constants.sort();
    constants.dedup();
    let _ = writeln!(text, "use crate::automata::{{{}}};", constants.join(", "));
    text.push_str("use crate::explore::{Threads, Way, allows, choose, explore, is_over, pause};\n");
    let claim = if has_claims(plan) { "Claim, " } else { "" };
    let _ = writeln!(text, "use crate::outcome::{{Bounds, {claim}Outcome}};");
    let stubs = [&mapping.component, &mapping.environment].into_iter().filter_map(|side| side.stub.as_ref());
    for stub in stubs {
        // So that calls need not name the trait; those that do, do not need this.
        let name = stub.implements.text.split('<').next().unwrap_or_default().trim();
        let _ = writeln!(
            text,
            "#[allow(unused_imports, reason = \"calls may name the trait\")]\nuse {name} as _;"
        );
    }
    text.push('\n');
    let number = |bound: Option<usize>| bound.map_or("usize::MAX".to_owned(), |bound| bound.to_string());
    let bounds = &mapping.bounds;
    let _ = writeln!(
        text,
        "/// How far to explore, as the mapping says.\npub const BOUNDS: Bounds = Bounds {{\n    events: {},\n    calls: {},\n    \
         preemptions: {},\n    steps: {},\n    executions: {},\n    ends: false,\n}};",
        bounds.events,
        bounds.calls,
        number(bounds.preemptions),
        bounds.steps,
        number(bounds.executions)
    );
    for premise in &premises {
        let bounds = if premise.ends { "Bounds { ends: true, ..bounds }" } else { "bounds" };
        let watched: String = premise
            .watched
            .iter()
            .map(|(constant, reaction)| format!(".with(&{constant}, Reaction::{reaction})"))
            .collect();
        let _ = writeln!(
            text,
            "\n/// {}.\npub fn {}(bounds: Bounds, way: Way) -> Outcome {{\n    fn watch() -> WatchBuilder {{\n        \
             Watch::builder(&DESIGN){watched}\n    }}\n    explore({}, {bounds}, way, watch, {}).signalling({})\n}}",
            premise.question,
            premise.name,
            string(&premise.question),
            premise.program,
            claims_of(plan, premise.program)
        );
    }
    text.push_str(CHOICE);
    let component = Stage { plan, checked: "component", side: &mapping.component };
    text.push_str(&component.program(
        "component_alone",
        "The component in its universal environment",
        Some(false),
    ));
    text.push_str(&component.program(
        "component_guided",
        "The component in an environment that keeps the assumptions where it can",
        Some(true),
    ));
    if plan.has_whole {
        let everything = Stage { plan, checked: "everything", side: &mapping.environment };
        text.push_str(&everything.program("everything", "Component and environment", None));
    }
    if plan.has_premise_2 {
        let environment = Stage { plan, checked: "environment", side: &mapping.environment };
        text.push_str(&environment.program(
            "environment_alone",
            "The environment, with a stub for the component",
            Some(false),
        ));
        if let Some(stub) = &mapping.component.stub {
            text.push_str(&stub_type(stub));
        }
    }
    text
}

/// What the calls of a universal environment signal, as the mapping says. One that asks the assumptions need not make every call.
fn claims_of(plan: &Plan<'_>, program: &str) -> String {
    let side = match program {
        "component_alone" => &plan.input.mapping.component,
        "environment_alone" => &plan.input.mapping.environment,
        _ => return "&[]".to_owned(),
    };
    let mut claims = String::new();
    for call in &side.calls {
        for signal in &call.signals {
            let thread = &call.thread.text;
            let actions = plan.events.actions_of(signal, thread);
            let actions: Vec<String> = actions.iter().map(|action| string(action)).collect();
            let event = format!("{}.{} in thread {thread}", signal.object, signal.method);
            let _ = write!(
                claims,
                "\n        Claim {{ call: {}, event: {}, actions: &[{}] }},",
                string(statement(&call.run.text)),
                string(&event),
                actions.join(", ")
            );
        }
    }
    if claims.is_empty() { "&[]".to_owned() } else { format!("&[{claims}\n    ]") }
}

fn has_claims(plan: &Plan<'_>) -> bool {
    premises_of(plan).iter().any(|premise| claims_of(plan, premise.program) != "&[]")
}

/// How an environment chooses.
const CHOICE: &str = "
/// What an environment does next: one of some possibilities, or nothing more.
fn next(possible: &[bool]) -> Option<usize> {
    let open: Vec<usize> = (0..possible.len()).filter(|&i| possible[i]).collect();
    match choose(open.len() + 1) {
        0 => None,
        i => Some(open[i - 1]),
    }
}
";

/// A program that is run for a premise.
struct Stage<'p> {
    plan: &'p Plan<'p>,
    /// `component`, `environment` or `everything`.
    checked: &'static str,
    side: &'p Side,
}

impl Stage<'_> {
    /// The function that starts the threads; `guided` says whether universal environments ask the assumptions.
    fn program(&self, name: &str, what: &str, guided: Option<bool>) -> String {
        let mapping = self.plan.input.mapping;
        let mut made: Vec<(&str, &str)> =
            mapping.shared.iter().map(|(variable, make)| (&*variable.text, &*make.text)).collect();
        let both = [("component", &mapping.component), ("environment", &mapping.environment)];
        for (variable, side) in both {
            match &side.make {
                Some(make) if self.runs(variable) => made.push((variable, &make.text)),
                _ if variable == "component" && !self.runs(variable) => made.push((variable, "Stub")),
                _ => {}
            }
        }
        let known: Vec<&str> = made.iter().map(|(variable, _)| *variable).collect();
        let (mut body, mut stops) = (String::new(), String::new());
        let sides = [both[0], both[1], ("everything", &mapping.whole)];
        for (_, side) in sides.iter().filter(|(variable, _)| self.runs(variable)) {
            for (thread, runs) in &side.threads {
                body.push_str(&spawn(
                    "spawn",
                    &thread.text,
                    &format!("        {};\n", statement(&runs.text)),
                    &known,
                ));
            }
            if let Some(stop) = &side.stop {
                let _ = writeln!(stops, "        {};", statement(&stop.text));
            }
        }
        if let Some(is_guided) = guided {
            let callers: BTreeSet<&str> =
                self.side.calls.iter().map(|call| call.thread.text.as_str()).collect();
            for caller in callers {
                let calls: Vec<&Call> =
                    self.side.calls.iter().filter(|call| call.thread.text == caller).collect();
                let universal = self.universal(caller, &calls, is_guided);
                body.push_str(&spawn("spawn_environment", caller, &universal, &known));
            }
        }
        let _ = writeln!(body, "    threads.run(|| {{\n{stops}    }});");
        // What nobody uses is not made.
        let mut lets = Vec::new();
        for (variable, make) in made.into_iter().rev() {
            let uses = |text: &str| mentions(text, variable);
            if uses(&body) || lets.iter().any(|(_, make): &(&str, &str)| uses(make)) {
                lets.push((variable, make));
            }
        }
        let lets =
            lets.iter().rev().map(|(variable, make)| format!("    let {variable} = Arc::new({make});\n"));
        let lets: String = lets.collect();
        format!("\n/// {what}.\nfn {name}(threads: &Threads) {{\n{lets}{body}}}\n")
    }

    /// Whether a side is run as it is.
    fn runs(&self, side: &str) -> bool {
        self.checked == side || self.checked == "everything"
    }

    /// The body of a universal environment: zero or more calls, in any order, under a lock or not.
    fn universal(&self, thread: &str, calls: &[&Call], is_guided: bool) -> String {
        let mapping = self.plan.input.mapping;
        let has_event = |object: &str| {
            self.plan
                .events
                .events
                .keys()
                .any(|key| key.method == "lock" && key.object == object && key.thread == thread)
        };
        let locks: Vec<_> = mapping.locks.iter().filter(|lock| has_event(&lock.object.text)).collect();
        let allowed = |method: &str, object: &str| match is_guided {
            true => format!("allows({}, {}, {})", string(thread), string(method), string(object)),
            false => "true".to_owned(),
        };
        let is_possible = |i: usize, call: &Call| {
            let mut conditions: Vec<String> =
                call.most.iter().map(|most| format!("used[{i}] < {most}")).collect();
            if is_guided {
                let any: Vec<String> =
                    call.signals.iter().map(|it| allowed(&it.method, &it.object)).collect();
                conditions.extend((!any.is_empty()).then(|| {
                    if any.len() == 1 { any[0].clone() } else { format!("({})", any.join(" || ")) }
                }));
            }
            if conditions.is_empty() { "true".to_owned() } else { conditions.join(" && ") }
        };
        let possible: Vec<String> = calls.iter().enumerate().map(|(i, call)| is_possible(i, call)).collect();
        let counts = calls.iter().any(|call| call.most.is_some());
        let mut text = String::from("        let mut left = BOUNDS.calls;\n");
        if counts {
            let _ = writeln!(text, "        let mut used = [0_usize; {}];", calls.len());
        }
        let arms = |indent: &str, first: usize| -> String {
            let arm = |(i, call): (usize, &&Call)| {
                let count = if counts { format!("\n{indent}        used[{i}] += 1;") } else { String::new() };
                let run = statement(&call.run.text);
                format!(
                    "{indent}    Some({}) => {{{count}\n{indent}        {run};\n{indent}    }}\n",
                    first + i
                )
            };
            calls.iter().enumerate().map(arm).collect()
        };
        let mut outer: Vec<String> = locks.iter().map(|lock| allowed("lock", &lock.object.text)).collect();
        outer.extend(possible.iter().cloned());
        // What is allowed may change while others run, so they may run before each choice.
        let pause = |indent: &str| if is_guided { format!("{indent}pause();\n") } else { String::new() };
        text.push_str("        while left > 0 && !is_over() {\n            left -= 1;\n");
        text.push_str(&pause("            "));
        let _ = writeln!(text, "            match next(&[{}]) {{", outer.join(", "));
        for (i, lock) in locks.iter().enumerate() {
            let _ = writeln!(
                text,
                "                Some({i}) => {{\n                    let guard = {};",
                lock.hold.text
            );
            text.push_str(
                "                    while left > 0 && !is_over() {\n                        left -= 1;\n",
            );
            text.push_str(&pause("                        "));
            let _ = writeln!(text, "                        match next(&[{}]) {{", possible.join(", "));
            text.push_str(&arms("                        ", 0));
            text.push_str(
                "                            _ => break,\n                        }\n                    }\n",
            );
            text.push_str("                    drop(guard);\n                }\n");
        }
        text.push_str(&arms("            ", locks.len()));
        text.push_str("                _ => break,\n            }\n        }\n");
        text
    }
}

/// The statement that starts a thread with clones of what it uses.
fn spawn(how: &str, thread: &str, body: &str, known: &[&str]) -> String {
    let used: Vec<&&str> = known.iter().filter(|variable| mentions(body, variable)).collect();
    let clones: String = used.iter().map(|it| format!("        let {it} = Arc::clone(&{it});\n")).collect();
    format!(
        "    {{\n{clones}        threads.{how}({}, move || {{\n{}        }});\n    }}\n",
        string(thread),
        indented(body)
    )
}

fn indented(body: &str) -> String {
    body.lines().map(|line| format!("    {line}\n")).collect()
}

/// A statement without its semicolon.
fn statement(text: &str) -> &str {
    text.trim().trim_end_matches(';')
}

/// Whether a text has a word.
fn mentions(text: &str, word: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_letter) && !text[at + word.len()..].starts_with(is_letter))
}

/// The stub for the component.
fn stub_type(stub: &Stub) -> String {
    let mut text =
        "\n/// Stands for the component: each method may have any of its results.\nstruct Stub;\n".to_owned();
    let _ = writeln!(text, "\nimpl {} for Stub {{", stub.implements.text);
    for (i, method) in stub.methods.iter().enumerate() {
        let gap = if i == 0 { "" } else { "\n" };
        let _ = writeln!(text, "{gap}    {} {{", method.signature.text.trim());
        let signal = |values: &[i64]| match &method.signals {
            Some(signal) => {
                let values: Vec<String> = values.iter().map(i64::to_string).collect();
                let (method, object) = (string(&signal.method), string(&signal.object));
                format!("rely_runtime::event({method}, {object}, &[{}]);", values.join(", "))
            }
            None => String::new(),
        };
        match &method.outcomes[..] {
            [only] => {
                let _ = writeln!(text, "        {}", signal(&only.values));
                if only.returns != "()" {
                    let _ = writeln!(text, "        {}", only.returns);
                }
            }
            several => {
                let _ = writeln!(text, "        match choose({}) {{", several.len());
                for (i, outcome) in several.iter().enumerate() {
                    let pattern = if i + 1 == several.len() { "_".to_owned() } else { i.to_string() };
                    let _ = writeln!(
                        text,
                        "            {pattern} => {{\n                {}\n                {}\n            }}",
                        signal(&outcome.values),
                        outcome.returns
                    );
                }
                text.push_str("        }\n");
            }
        }
        text.push_str("    }\n");
    }
    text.push_str("}\n");
    text
}

/// `tests/premises.rs`.
pub(super) fn tests(plan: &Plan<'_>) -> String {
    let way = match plan.input.explorer {
        Explorer::Shuttle => "depth first",
        Explorer::Loom => "by loom",
    };
    let mut text = format!(
        "//! Every premise, explored {way}.\n\nuse harness::explore::Way;\nuse harness::premises::{{self, BOUNDS}};\n"
    );
    for premise in premises_of(plan) {
        let _ = writeln!(
            text,
            "\n#[test]\nfn {0}() {{\n    premises::{0}(BOUNDS, Way::DepthFirst).expect_holds();\n}}",
            premise.name
        );
    }
    // Its head is for whoever reads the template.
    text.extend(include_str!("../../templates/current.rs").split_inclusive('\n').skip(1));
    text
}
