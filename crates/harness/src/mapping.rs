//! The mapping: which event of the design is which call of the program, and how the program is made and run.

use rely_base::{Diagnostic, Span};

use crate::codes::{BAD_VALUE, MISSING};
use crate::reader::{Findings, Section, Text, parse};

/// What a mapping file says.
#[derive(Clone, Debug)]
pub struct Mapping {
    /// The crate of the program.
    pub program: ProgramCrate,
    /// How far to explore.
    pub bounds: Bounds,
    /// The events.
    pub events: Vec<EventRule>,
    /// Actions of components of the design that the program does not show.
    pub internal: Vec<Text>,
    /// What component and environment share: names, and expressions that make them.
    pub shared: Vec<(Text, Text)>,
    /// Locks that a universal environment may hold.
    pub locks: Vec<Lock>,
    /// The component of premise 1.
    pub component: Side,
    /// The component of premise 2, which is the environment of the other.
    pub environment: Side,
    /// Threads of the whole program that belong to neither, and how they are told to stop.
    pub whole: Side,
}

/// The crate of the program.
#[derive(Clone, Debug)]
pub struct ProgramCrate {
    /// Its name.
    pub name: Text,
    /// Its folder, from that of the mapping.
    pub path: Text,
    /// The features that make its locks those of shuttle.
    pub shuttle: Vec<Text>,
    /// The features that make its locks those of loom.
    pub loom: Vec<Text>,
    /// What is set for the compiler of all crates, for those that use the locks of loom then: `--cfg` of each.
    pub loom_cfg: Vec<Text>,
    /// Whether every execution of the whole program ends by itself.
    pub ends: bool,
    /// The folder of the runtime that it uses, from that of the mapping. Without it the runtime is written beside.
    pub runtime: Option<Text>,
}

/// How far to explore.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The most events of an execution.
    pub events: usize,
    /// The most calls of a universal environment.
    pub calls: usize,
    /// The most preemptions of an execution; any number if there is none.
    pub preemptions: Option<usize>,
    /// The most steps of an execution.
    pub steps: usize,
    /// The most executions; any number if there is none.
    pub executions: Option<usize>,
}

/// Which calls are which actions.
#[derive(Clone, Debug)]
pub struct EventRule {
    /// The method.
    pub method: Text,
    /// The object.
    pub object: Text,
    /// The threads.
    pub threads: Vec<Text>,
    /// The action, with `{thread}` and `{0}`.
    pub action: Text,
    /// The ranges of the values.
    pub values: Vec<(i64, i64)>,
    /// Where it stands.
    pub span: Span,
}

/// A lock that a universal environment may hold.
#[derive(Clone, Debug)]
pub struct Lock {
    /// The object of its events.
    pub object: Text,
    /// An expression that takes it, and signals that.
    pub hold: Text,
}

/// A side of the system: the component, or its environment.
#[derive(Clone, Debug, Default)]
pub struct Side {
    /// An expression that makes it.
    pub make: Option<Text>,
    /// Its threads: names, and what they run.
    pub threads: Vec<(Text, Text)>,
    /// A statement that tells its threads to stop.
    pub stop: Option<Text>,
    /// What others may call.
    pub calls: Vec<Call>,
    /// What stands for it when the other side is checked.
    pub stub: Option<Stub>,
}

/// Something that others may call.
#[derive(Clone, Debug)]
pub struct Call {
    /// The statement.
    pub run: Text,
    /// The thread that runs it.
    pub thread: Text,
    /// The events that it signals: methods and objects.
    pub signals: Vec<Signal>,
    /// How many times, at most.
    pub most: Option<usize>,
    /// Whether it waits until whoever is called lets its events happen, so that their time is the choice of that side.
    pub waits: bool,
}

/// An event, as the program signals it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signal {
    /// The object.
    pub object: String,
    /// The method.
    pub method: String,
    /// Where it stands.
    pub span: Span,
}

/// A stub: methods that may have any of some results.
#[derive(Clone, Debug)]
pub struct Stub {
    /// The trait that it implements.
    pub implements: Text,
    /// The methods.
    pub methods: Vec<StubMethod>,
}

/// A method of a stub.
#[derive(Clone, Debug)]
pub struct StubMethod {
    /// Its signature, as the trait has it.
    pub signature: Text,
    /// The event that it signals.
    pub signals: Option<Signal>,
    /// What may come of it.
    pub outcomes: Vec<StubOutcome>,
}

/// What may come of a method of a stub.
#[derive(Clone, Debug)]
pub struct StubOutcome {
    /// The values of its event.
    pub values: Vec<i64>,
    /// The expression that it returns.
    pub returns: String,
}

impl Mapping {
    /// Reads a mapping. It is whole only if nothing was found.
    pub fn read(text: &str) -> (Self, Vec<Diagnostic>) {
        let (table, mut findings) = parse(text);
        let syntax = findings.0.clone();
        let root = Section::new("the mapping", 0..0, table.get_ref());
        const KEYS: [&str; 9] =
            ["program", "bounds", "event", "internal", "shared", "lock", "component", "environment", "whole"];
        root.check_keys(&KEYS, &mut findings);
        let mapping = Self {
            program: program(&root, &mut findings),
            bounds: bounds(&root, &mut findings),
            events: root.sections("event", &mut findings).iter().map(|it| event(it, &mut findings)).collect(),
            internal: root.texts("internal", &mut findings),
            shared: root.text_table("shared", &mut findings),
            locks: root.sections("lock", &mut findings).iter().map(|it| lock(it, &mut findings)).collect(),
            component: side(&root, "component", SIDE, &mut findings),
            environment: side(&root, "environment", SIDE, &mut findings),
            whole: side(&root, "whole", &["threads", "stop"], &mut findings),
        };
        if mapping.component.make.is_none() {
            let help = "add `[component]` with `make`, the expression that makes it";
            findings.error(
                MISSING,
                Span::new(0, 0),
                "the mapping does not say how the component is made".into(),
                help,
            );
        }
        // What follows from text that could not be read is not said.
        (mapping, if syntax.is_empty() { findings.0 } else { syntax })
    }
}

fn program(root: &Section<'_>, findings: &mut Findings) -> ProgramCrate {
    let nothing = Text { text: String::new(), span: root.span() };
    let Some(section) = root.section("program", findings) else {
        let help = "add `[program]` with `crate` and `path`";
        findings.error(MISSING, root.span(), "the mapping does not say what the program is".into(), help);
        return ProgramCrate {
            name: nothing.clone(),
            path: nothing,
            shuttle: vec![],
            loom: vec![],
            loom_cfg: vec![],
            ends: false,
            runtime: None,
        };
    };
    const KEYS: [&str; 7] = ["crate", "path", "shuttle", "loom", "loom_cfg", "ends", "runtime"];
    section.check_keys(&KEYS, findings);
    ProgramCrate {
        name: section.needed("crate", findings),
        path: section.needed("path", findings),
        shuttle: section.texts("shuttle", findings),
        loom: section.texts("loom", findings),
        loom_cfg: section.texts("loom_cfg", findings),
        ends: section.truth("ends", findings),
        runtime: section.text("runtime", findings),
    }
}

fn bounds(root: &Section<'_>, findings: &mut Findings) -> Bounds {
    let section = root.section("bounds", findings);
    if let Some(section) = &section {
        section.check_keys(&["events", "calls", "preemptions", "steps", "executions"], findings);
    }
    let mut count = |key: &str| section.as_ref().and_then(|section| section.count(key, findings));
    Bounds {
        events: count("events").unwrap_or(20),
        calls: count("calls").unwrap_or(4),
        preemptions: count("preemptions"),
        steps: count("steps").unwrap_or(1000),
        executions: count("executions"),
    }
}

fn event(section: &Section<'_>, findings: &mut Findings) -> EventRule {
    section.check_keys(&["method", "object", "threads", "action", "values"], findings);
    let mut values = Vec::new();
    for text in section.texts("values", findings) {
        match range(&text.text) {
            Some(range) => values.push(range),
            None => {
                let message = format!("`{}` is no range of values", text.text);
                findings.error(
                    BAD_VALUE,
                    text.span,
                    message,
                    "write the first and the last, such as \"0..2\"; at most 1000",
                );
            }
        }
    }
    let threads = section.texts("threads", findings);
    if threads.is_empty() {
        let help = "add `threads = [\"…\"]`; `*` is any thread";
        findings.error(MISSING, section.span(), "[[event]] has no `threads`".into(), help);
    }
    EventRule {
        method: section.needed("method", findings),
        object: section.needed("object", findings),
        threads,
        action: section.needed("action", findings),
        values,
        span: section.span(),
    }
}

/// The most values of a range.
const MOST_VALUES: i64 = 1000;

fn range(text: &str) -> Option<(i64, i64)> {
    let (first, last) = text.split_once("..")?;
    let (first, last) = (first.trim().parse::<i64>().ok()?, last.trim().parse::<i64>().ok()?);
    let count = last.checked_sub(first)?;
    (0..MOST_VALUES).contains(&count).then_some((first, last))
}

fn lock(section: &Section<'_>, findings: &mut Findings) -> Lock {
    section.check_keys(&["object", "hold"], findings);
    Lock { object: section.needed("object", findings), hold: section.needed("hold", findings) }
}

/// What a side may have.
const SIDE: &[&str] = &["make", "threads", "stop", "call", "stub"];

fn side(root: &Section<'_>, name: &str, keys: &[&str], findings: &mut Findings) -> Side {
    let Some(section) = root.section(name, findings) else { return Side::default() };
    section.check_keys(keys, findings);
    Side {
        make: section.text("make", findings),
        threads: section.text_table("threads", findings),
        stop: section.text("stop", findings),
        calls: section.sections("call", findings).iter().map(|it| call(it, findings)).collect(),
        stub: section.section("stub", findings).map(|it| stub(&it, findings)),
    }
}

fn call(section: &Section<'_>, findings: &mut Findings) -> Call {
    section.check_keys(&["run", "thread", "signals", "most", "waits"], findings);
    let signals = section.texts("signals", findings);
    Call {
        run: section.needed("run", findings),
        thread: section.needed("thread", findings),
        signals: signals.iter().filter_map(|text| signal(text, findings)).collect(),
        most: section.count("most", findings),
        waits: section.truth("waits", findings),
    }
}

fn stub(section: &Section<'_>, findings: &mut Findings) -> Stub {
    section.check_keys(&["implements", "method"], findings);
    let methods = section.sections("method", findings);
    Stub {
        implements: section.needed("implements", findings),
        methods: methods.iter().map(|it| stub_method(it, findings)).collect(),
    }
}

fn stub_method(section: &Section<'_>, findings: &mut Findings) -> StubMethod {
    section.check_keys(&["signature", "signals", "outcomes"], findings);
    let mut outcomes = Vec::new();
    for outcome in section.sections("outcomes", findings) {
        outcome.check_keys(&["values", "returns"], findings);
        let returns = outcome.text("returns", findings).map_or_else(|| "()".to_owned(), |text| text.text);
        outcomes.push(StubOutcome { values: outcome.numbers("values", findings), returns });
    }
    if outcomes.is_empty() {
        outcomes.push(StubOutcome { values: Vec::new(), returns: "()".to_owned() });
    }
    let signals = section.text("signals", findings);
    StubMethod {
        signature: section.needed("signature", findings),
        signals: signals.and_then(|text| signal(&text, findings)),
        outcomes,
    }
}

fn signal(text: &Text, findings: &mut Findings) -> Option<Signal> {
    let Some((object, method)) = text.text.rsplit_once('.') else {
        let message = format!("`{}` is no OBJECT.METHOD", text.text);
        findings.error(
            BAD_VALUE,
            text.span,
            message,
            "write the object and the method of the event, such as \"list.add\"",
        );
        return None;
    };
    Some(Signal { object: object.to_owned(), method: method.to_owned(), span: text.span })
}
