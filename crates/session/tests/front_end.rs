//! A language with a semantics of its own moves in behind the one door: whatever can be asked of a model can be asked of its
//! texts, without a change anywhere else.
//!
//! A text describes a board of lamps, one thing on a line: `lamp NAME on` or `off`, `button NAME: CONDITIONS => CHANGES`, and
//! `never CONDITIONS`; `import` names another text, which is not looked at. A condition is `NAME` or `!NAME`, joined by blanks; a change is a lamp, or a lamp with `!` to switch
//! it off. Buttons can be pressed at any time at which their conditions hold, and all changes are made at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rely_base::{Budget, Code, Diagnostic, Explanation, Span};
use rely_lts::{Behaviour, ExpressionId, Outcome, Program, ProgramBuilder, SlotId, Trigger, UnitId, Values};
use rely_model::{
    Comment, DEFAULT, Declaration, Elaboration, Failure, FrontEnd, Loader, Model, Part, Reading, Reduction,
    Target,
};
use rely_session::report::{Kind, Verdict};
use rely_session::{
    CheckQuery, Languages, Project, Query, Request, Simulation, Strategy, VerifyQuery, Workspace, build,
    certificate, certify, check, draw, target, verify,
};

/// The language of boards.
#[derive(Default)]
struct Boards {
    /// How often a board has been worked out.
    worked_out: Arc<AtomicUsize>,
}

const UNKNOWN_LINE: Code = Code("E9901");
const UNKNOWN_LAMP: Code = Code("E9902");
const UNUSED_LAMP: Code = Code("W9903");

impl FrontEnd for Boards {
    fn endings(&self) -> &'static [&'static str] {
        &["board"]
    }

    fn read(&self, _name: &str, bytes: &[u8]) -> Reading {
        let worked_out = Arc::clone(&self.worked_out);
        Reading::of_text(bytes, |text| Board { worked_out, ..Board::read(text) })
    }

    fn explanations(&self) -> Vec<Explanation> {
        let text = "A line begins with `lamp`, `button` or `never`.";
        vec![Explanation { code: UNKNOWN_LINE, title: "a line means nothing", text }]
    }
}

/// A board, as it is written.
struct Board {
    program: Option<Program>,
    place: Span,
    diagnostics: Vec<Diagnostic>,
    /// Warnings that are found when the board is worked out.
    unused: Vec<Diagnostic>,
    imports: Vec<String>,
    worked_out: Arc<AtomicUsize>,
}

/// A board that is being read.
#[derive(Default)]
struct Reader {
    program: ProgramBuilder,
    lamps: Vec<(String, SlotId)>,
    /// The places of the lamps that nothing has named yet.
    unused: Vec<(String, Span)>,
    imports: Vec<String>,
    diagnostics: Vec<Diagnostic>,
}

impl Board {
    fn read(text: &str) -> Self {
        let mut reader = Reader::default();
        let board = reader.program.unit("BOARD");
        let watch = reader.program.unit("WATCH");
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let place = Span::new(start, start + u32::try_from(line.trim_end().len()).expect("short"));
            start += u32::try_from(line.len()).expect("short");
            reader.line(line.trim(), place, board, watch);
        }
        let program = reader.diagnostics.is_empty().then(|| reader.program.build().expect("it makes sense"));
        let unused = |(name, place): &(String, Span)| {
            Diagnostic::warning(UNUSED_LAMP, *place, format!("nothing switches or reads `{name}`"))
        };
        Self {
            program,
            place: Span::new(0, start),
            diagnostics: reader.diagnostics,
            unused: reader.unused.iter().map(unused).collect(),
            imports: reader.imports,
            worked_out: Arc::default(),
        }
    }
}

impl Reader {
    fn line(&mut self, line: &str, place: Span, board: UnitId, watch: UnitId) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match (word, rest.split_once(' '), rest.split_once(": ")) {
            ("" | "//!", ..) => {}
            ("lamp", Some((name, state)), _) => {
                let slot = self.program.slot(name, Values::Boolean, i32::from(state == "on"));
                self.lamps.push((name.to_owned(), slot));
                self.unused.push((name.to_owned(), place));
            }
            ("import", ..) => self.imports.push(rest.to_owned()),
            ("button", _, Some((name, rest))) => {
                let (conditions, changes) = rest.split_once("=>").unwrap_or(("", rest));
                let guard = self.all(conditions, place);
                let changes: Vec<(SlotId, ExpressionId)> =
                    changes.split_whitespace().filter_map(|change| self.change(change, place)).collect();
                let action = self.program.action(name);
                let mut command = self.program.command(board, Trigger::Action(action), guard).place(place);
                for (slot, value) in changes {
                    command = command.assign(slot, value);
                }
            }
            ("never", ..) => {
                let bad = self.all(rest, place);
                self.program.command(watch, Trigger::Silent, bad).outcome(Outcome::Fail).place(place);
            }
            _ => {
                let message = format!("`{line}` means nothing");
                self.diagnostics.push(Diagnostic::error(UNKNOWN_LINE, place, message));
            }
        }
    }

    fn lamp(&mut self, word: &str, place: Span) -> Option<(SlotId, i64)> {
        let (name, value) = word.strip_prefix('!').map_or((word, 1), |name| (name, 0));
        self.unused.retain(|(unused, _)| unused != name);
        let lamp = self.lamps.iter().find(|(known, _)| known == name);
        if lamp.is_none() {
            let message = format!("there is no lamp `{name}`");
            self.diagnostics.push(Diagnostic::error(UNKNOWN_LAMP, place, message));
        }
        lamp.map(|&(_, slot)| (slot, value))
    }

    fn all(&mut self, conditions: &str, place: Span) -> ExpressionId {
        let lamps: Vec<(SlotId, i64)> =
            conditions.split_whitespace().filter_map(|word| self.lamp(word, place)).collect();
        let conditions: Vec<ExpressionId> =
            lamps.into_iter().map(|(slot, value)| self.program.is(slot, value)).collect();
        self.program.all(conditions)
    }

    fn change(&mut self, word: &str, place: Span) -> Option<(SlotId, ExpressionId)> {
        let (slot, value) = self.lamp(word, place)?;
        Some((slot, self.program.constant(value)))
    }
}

impl Model for Board {
    fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    fn define(&mut self, _constant: &str, _value: i32) -> bool {
        false
    }

    fn declarations(&self) -> Vec<Declaration> {
        Vec::new()
    }

    fn marked_comments(&self) -> Vec<Comment> {
        Vec::new()
    }

    fn imports(&self) -> Vec<&str> {
        self.imports.iter().map(String::as_str).collect()
    }

    fn advice_on_interfaces(&self) -> &'static str {
        "a board is no interface automaton"
    }

    fn elaborate<'a>(&'a self, _loader: &'a Loader<'a>, _budget: Budget<'a>) -> Box<dyn Elaboration + 'a> {
        Box::new(Meaning { board: self, findings: Vec::new() })
    }
}

struct Meaning<'a> {
    board: &'a Board,
    findings: Vec<Diagnostic>,
}

impl Elaboration for Meaning<'_> {
    fn default_targets(&self) -> Vec<String> {
        vec![DEFAULT.to_owned()]
    }

    fn target_names(&self) -> Vec<String> {
        self.default_targets()
    }

    fn target(&mut self, name: &str) -> Result<Target<Behaviour>, Failure> {
        self.board.worked_out.fetch_add(1, Ordering::Relaxed);
        self.findings.clone_from(&self.board.unused);
        let program = self.board.program.clone().ok_or(Failure::Errors)?;
        let part = |unit: &rely_lts::Unit| Part { place: Some(self.board.place), ..Part::new(&unit.name) };
        let parts = program.units().iter().map(part).collect();
        Ok(Target {
            name: name.to_owned(),
            behaviour: program.into(),
            reduction: Reduction::default(),
            parts,
            overapproximates: None,
            uses: Arc::default(),
        })
    }

    fn diagnostics(&self) -> Vec<Diagnostic> {
        self.findings.clone()
    }
}

/// A crossing with two lamps, of which one can be switched on while the other is.
const CROSSING: &str = "\
lamp north off
lamp east off
button to_north: !east => north
button to_east: => east
button clear: => !north !east
never north east
";

fn project(text: &str) -> Project {
    let languages = Languages::all().with(Box::leak(Box::default()) as &'static Boards);
    Project::in_one_of(&languages, "crossing.board", text.as_bytes(), Box::new(|_| Err("none".to_owned())))
}

fn verdicts(project: &Project) -> Vec<(String, Verdict, Vec<String>)> {
    let report = check(project, &CheckQuery::default(), Budget::UNLIMITED).expect("runs can be replayed");
    report.results.into_iter().map(|result| (result.property, result.verdict, result.trace)).collect()
}

#[test]
fn it_is_checked_with_a_trace() {
    let found = verdicts(&project(CROSSING));
    let trace = ["to_north", "to_east", "tau"].map(str::to_owned).to_vec();
    assert_eq!(found[0], ("deadlock".to_owned(), Verdict::Holds, Vec::new()));
    assert_eq!(found[1], ("safety".to_owned(), Verdict::Violated, trace));
}

#[test]
fn steps_say_what_changes() {
    let report =
        check(&project(CROSSING), &CheckQuery::default(), Budget::UNLIMITED).expect("it is replayed");
    let safety = report.results.iter().find(|result| result.kind == Kind::Safety).expect("it is asked");
    let changes: Vec<&str> = safety.steps.iter().flat_map(|it| &it.changes).map(|it| &*it.variable).collect();
    assert_eq!((safety.violates.as_deref(), changes), (Some("WATCH"), vec!["north", "east"]));
    let json = serde_json::to_string(&report).expect("a report is plain data");
    assert!(json.contains(r#""changes":[{"variable":"north","from":"false","to":"true"}]"#), "{json}");
}

#[test]
fn properties_in_another_language_watch_it() {
    let text = "property CLEARED = (to_north -> clear -> CLEARED).\nassert ENDS = <>clear\nprogress CLEARS = {clear}\n";
    let properties = Project::new("p.lts", text, Box::new(|_| Err("none".to_owned())));
    let safe = CROSSING.replace("button to_east: =>", "button to_east: !north =>");
    let found = verdicts(&project(&safe).with_properties(properties));
    let found: Vec<(&str, Verdict)> = found.iter().map(|(name, verdict, _)| (&**name, *verdict)).collect();
    use Verdict::{Holds, Violated};
    assert_eq!(found[..3], [("deadlock", Holds), ("safety", Holds), ("CLEARED", Violated)]);
    assert_eq!(found[3..], [("CLEARS", Holds), ("ENDS", Holds)]);
}

#[test]
fn what_holds_is_certified() {
    let safe = project(&CROSSING.replace("button to_east: =>", "button to_east: !north =>"));
    let report = check(&safe, &CheckQuery::default(), Budget::UNLIMITED).expect("runs can be replayed");
    let written =
        certificate(&safe, &report.results, Budget::UNLIMITED).unwrap_or_else(|_| panic!("it holds"));
    let mut text = Vec::new();
    written.write(&mut text).expect("memory does not fail");
    let accepts = |project: &Project| -> Vec<bool> {
        let judged = certify(project, "c.cert", &text, &[], Budget::UNLIMITED)
            .unwrap_or_else(|_| panic!("it is read"));
        judged.results.iter().map(|result| result.accepted).collect()
    };
    assert_eq!(accepts(&safe), [true, true]);
    assert_eq!(accepts(&project(CROSSING)), [false, false]);
}

#[test]
fn it_is_simulated_drawn_and_verified() {
    let project = project(CROSSING);
    let board = target(&project, None, Budget::UNLIMITED).unwrap_or_else(|_| panic!("it can be read"));
    let mut simulation = Simulation::new(&board).expect("nothing fails at once");
    let choices = simulation.choices();
    let names: Vec<&str> = choices.iter().map(|choice| &*choice.action).collect();
    assert_eq!(names, ["clear", "to_east", "to_north"]);
    simulation.take(choices[2].clone());
    let states = simulation.states().expect("it goes on");
    assert_eq!(states[0], ("north".to_owned(), "true".to_owned()));
    let built = build(&project, None, None, Budget::UNLIMITED).unwrap_or_else(|_| panic!("it is small"));
    assert!(draw(&built).expect("it is small").contains("<svg"));
    let query = VerifyQuery { strategy: Strategy::Monolithic, ..VerifyQuery::about(DEFAULT) };
    let verified = verify(&project, &query, Budget::UNLIMITED).expect("runs can be replayed");
    let verdicts: Vec<Verdict> = verified.report.results.iter().map(|result| result.verdict).collect();
    assert_eq!(verdicts, [Verdict::Violated]);
}

#[test]
fn all_mistakes_are_told_with_their_places() {
    let project = project("lamp a on\nbutton x: b => a\nlump\nnever c\n");
    let report = check(&project, &CheckQuery::default(), Budget::UNLIMITED).expect("nothing is checked");
    let told: Vec<(String, usize)> = report
        .diagnostics
        .iter()
        .map(|finding| (finding.message.clone(), finding.place.as_ref().map_or(0, |place| place.line)))
        .collect();
    let lamp = |name: &str| format!("there is no lamp `{name}`");
    assert_eq!(told, [(lamp("b"), 2), ("`lump` means nothing".to_owned(), 3), (lamp("c"), 4)]);
    assert!(report.results.is_empty());
}

/// A workspace with the board of a text, and how often the board has been worked out.
fn workspace(text: &str) -> (Workspace, &'static AtomicUsize) {
    let boards: &'static Boards = Box::leak(Box::default());
    let mut workspace = Workspace::in_languages(Languages::all().with(boards));
    workspace.set("crossing.board", text);
    (workspace, &boards.worked_out)
}

fn ask(workspace: &mut Workspace, query: Query) -> String {
    let request = Request {
        file: "crossing.board".to_owned(),
        properties: None,
        define: std::collections::BTreeMap::new(),
        max_states: None,
        max_bytes: None,
        query,
    };
    let answer = workspace.ask(&request, None).expect("it is answered");
    serde_json::to_string(&answer).expect("an answer is plain JSON")
}

#[test]
fn ten_questions_work_it_out_once() {
    let with_import = format!("import other.board\n{CROSSING}");
    let with_warning = format!("{CROSSING}lamp spare off\n");
    for (text, warnings) in [(CROSSING, 0), (with_import.as_str(), 0), (with_warning.as_str(), 1)] {
        let (mut workspace, worked_out) = workspace(text);
        let verified = Query::Verify {
            system: DEFAULT.to_owned(),
            properties: Vec::new(),
            strategy: Strategy::Monolithic,
        };
        let mut answers = Vec::new();
        for _ in 0..5 {
            for query in [Query::Check(CheckQuery::default()), verified.clone()] {
                answers.push(ask(&mut workspace, query));
            }
        }
        assert_eq!(worked_out.load(Ordering::Relaxed), 1, "{text}");
        assert!(answers.chunks(2).all(|pair| pair == &answers[..2]), "{answers:#?}");
        assert!(answers.iter().all(|it| it.matches("W9903").count() == warnings), "{answers:#?}");
        // Another text is another board.
        workspace.set("crossing.board", text.replace("to_east:", "to_east: !north"));
        assert_ne!(ask(&mut workspace, Query::Check(CheckQuery::default())), answers[0]);
        assert_eq!(worked_out.load(Ordering::Relaxed), 2);
    }
}
