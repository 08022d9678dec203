//! Flow analysis of programs, from the question to the certificate, against exploring all states.

#[path = "../../tasks/tests/common/random.rs"]
#[allow(dead_code, reason = "it is shared with tests that use all of it")]
mod random;

use rely_base::{Budget, Limits};
use rely_certificate::Evidence;
use rely_session::report::{CheckResult, Feasible, Verdict, VerifyResult};
use rely_session::{
    CheckQuery, Constraints, Engine, Project, Rule, Strategy, VerifyQuery, certificate, certify, check,
    verify,
};
use rely_testkit::rng::{Rng, is_single_seed, seeds};

const ELEVATOR: &str = include_str!("../../../models/elevator.adb");

const DOORS: &str =
    "DOORS: for events {open, close, move} show no executions satisfy .*; open; [-close]*; move; .*
    where open = car.open_doors, close = car.close_doors, move = car.move_car";

fn project(name: &str, text: &str) -> Project {
    Project::new(name, text, Box::new(|_| Err("no imports".to_owned())))
}

fn program(text: &str, properties: &str) -> Project {
    project("p.adb", text).with_properties(project("p.qre", properties))
}

fn query(engine: Engine, constraints: Constraints) -> CheckQuery {
    CheckQuery { engine, constraints, only: vec!["safety".to_owned()], ..CheckQuery::default() }
}

fn answers(project: &Project, query: &CheckQuery, budget: Budget<'_>) -> Vec<CheckResult> {
    let report = check(project, query, budget).expect("runs can be replayed");
    assert!(!report.has_errors(), "{:?}", report.diagnostics);
    report.results
}

/// The elevator of the dissertation: see its sections 3.1 and 4.3.
#[test]
fn the_spurious_path_of_the_elevator_is_ruled_out_by_its_variable() {
    let project = program(ELEVATOR, DOORS);
    let answer = |constraints: Constraints| {
        let query = query(Engine::Flow, constraints);
        answers(&project, &query, Budget::UNLIMITED).remove(0)
    };
    let none = answer(Constraints::None);
    assert_eq!((none.verdict, none.feasible), (Verdict::Unknown, Some(Feasible(Some(false)))));
    let doors: Vec<&String> =
        none.trace.iter().filter(|it| it.starts_with("car.") && *it != "car.sync").collect();
    assert_eq!(doors, ["car.open_doors", "car.move_car"]);
    let lines: Vec<usize> = none.steps.iter().map(|step| step.places[0].place.line).collect();
    // What the graph passes over is filled in, task by task.
    assert_eq!(lines, [35, 22, 23, 37, 24, 25, 40, 27, 30]);
    assert!(none.flow.expect("flow analysis says what it did").removed_by.contains(&"x".to_owned()));
    for constraints in [Constraints::Named(vec!["x".to_owned()]), Constraints::Auto] {
        let with = answer(constraints);
        assert_eq!(with.verdict, Verdict::Holds);
        let flow = with.flow.expect("flow analysis says what it did");
        assert_eq!(flow.constraints.iter().map(|it| &*it.name).collect::<Vec<_>>(), ["x"]);
    }
    // The control flow of the tasks does not know the value.
    let tasks = answer(Constraints::Named(vec!["car".to_owned(), "controller".to_owned()]));
    assert_eq!((tasks.verdict, tasks.feasible), (Verdict::Unknown, Some(Feasible(Some(false)))));
}

/// What one task alone keeps is proved, and certified, without a look at the others.
#[test]
fn as_few_tasks_are_followed_as_will_do() {
    let program = include_str!("../../../models/gas_station.adb");
    let properties = include_str!("../../../models/gas_station_properties.lts");
    let project = project("p.adb", program).with_properties(project("p.lts", properties));
    let answers = answers(&project, &query(Engine::Flow, Constraints::Auto), Budget::UNLIMITED);
    let followed = |name: &str| {
        let answer = answers.iter().find(|answer| answer.property == name).expect("it is asked");
        assert_eq!(answer.verdict, Verdict::Holds, "{name}");
        answer.flow.clone().expect("flow analysis says what it did").followed
    };
    assert_eq!(followed("A2_2_CUSTOMER1_IN_TURN"), ["customer.1"]);
    assert_eq!(followed("A2_3_PUMP1_IN_TURN"), ["pump.1"]);
    // Who gets the change depends on what the pump remembers.
    let change = followed("A2_4_CHANGE_TO_WHO_PAID");
    assert!(change.contains(&"operator".to_owned()) && change.contains(&"pump.1".to_owned()), "{change:?}");
    let written = certificate(&project, &answers, Budget::UNLIMITED).expect("it fits");
    let threads = |claim: &rely_certificate::Claim| match &claim.evidence {
        Evidence::Flow(proof) => proof.threads.len(),
        _ => usize::MAX,
    };
    assert_eq!(written.claims.iter().map(threads).min(), Some(1));
    let mut text = Vec::new();
    written.write(&mut text).expect("memory takes all");
    let judged = certify(&project, "p.cert", &text, &[], Budget::UNLIMITED).expect("it can be read");
    assert!(judged.results.iter().all(|claim| claim.accepted));
}

/// What is proved about a property by the flow graphs of two groups of tasks.
fn proved(
    project: &Project,
    query: &VerifyQuery<'_>,
    budget: Budget<'_>,
) -> (VerifyResult, rely_session::Certificate) {
    let verified = verify(project, query, budget).expect("runs can be replayed");
    let report = verified.report;
    assert!(!report.has_errors(), "{:?}", report.diagnostics);
    let result = report.results.into_iter().next().expect("one property was asked about");
    (result, verified.certificate)
}

/// The answers of the judge, read from what was written.
fn accepted(project: &Project, certificate: &rely_session::Certificate, budget: Budget<'_>) -> Vec<bool> {
    let mut text = Vec::new();
    certificate.write(&mut text).expect("memory takes all");
    let judged = certify(project, "p.cert", &text, &[], budget).expect("it can be read");
    judged.results.iter().map(|claim| claim.accepted).collect()
}

/// The elevator of the dissertation: see its section 4.3.2.
#[test]
fn the_assumption_of_the_elevator_speaks_of_calls_and_of_the_variable() {
    let project = program(ELEVATOR, DOORS);
    let query = |constraints: Constraints| VerifyQuery {
        properties: vec!["DOORS".to_owned()],
        left: vec!["car".to_owned()],
        strategy: Strategy::Learn,
        by_flow: Some(constraints),
        certify: true,
        ..VerifyQuery::about("elevator")
    };
    let (with, certificate) = proved(&project, &query(Constraints::Auto), Budget::UNLIMITED);
    assert_eq!(with.verdict, Verdict::Holds, "{:?}", with.reason);
    assert_eq!(
        (with.left, with.right),
        (vec!["car".to_owned(), "x".to_owned()], vec!["controller+elevator".to_owned()])
    );
    let alphabet = [
        "car.close_doors",
        "car.move_car",
        "car.open_doors",
        "car.sync",
        "controller.x==false",
        "controller.x==true",
        // The end of the whole program, in which both groups take part.
        "terminate",
        "x=false",
    ];
    assert_eq!(with.assumptions[0].alphabet, alphabet);
    let [claim] = &certificate.claims[..] else { panic!("one claim") };
    assert!(
        matches!(&claim.evidence, Evidence::Flow(proof) if proof.kept.len() == 1),
        "{:?}",
        claim.evidence
    );
    assert_eq!(accepted(&project, &certificate, Budget::UNLIMITED), [true]);
    // Without the variable the doors may be left open, on a path that no run has.
    let (without, _) = proved(&project, &query(Constraints::None), Budget::UNLIMITED);
    assert_eq!(without.verdict, Verdict::Unknown, "{:?}", without.trace);
    assert!(without.reason.is_some_and(|reason| reason.contains("no run of the program")));
}

#[test]
fn proofs_from_flow_graphs_agree_with_the_exact_model() {
    let budget = Budget::new(Limits { states: Some(30_000), bytes: None }, None);
    let (mut held, mut violated, mut open, mut by_flow_of_the_judge) = (0, 0, 0, 0);
    for seed in seeds(80) {
        let mut rng = Rng::new(seed);
        let text = random::random_program(&mut rng);
        let property = random_property(&mut rng, &["y=true", "y=false", "c0.end", "s0.e0", "s0.end", "x=1"]);
        let project = program(&text, &property);
        let by_flow = if rng.chance(1, 3) { Constraints::None } else { Constraints::Auto };
        let strategies =
            [Strategy::Learn, Strategy::Direct, Strategy::Separate, Strategy::Monolithic, Strategy::Auto];
        let strategy = *rng.pick(&strategies);
        let rule =
            *rng.pick(&[Rule::Simple, Rule::Simple, Rule::Alternating, Rule::Symmetric, Rule::Circular]);
        let left = if rng.chance(1, 2) { vec!["s0".to_owned(), "main".to_owned()] } else { Vec::new() };
        let properties = vec!["P".to_owned()];
        let by_flow = Some(by_flow);
        let asked = VerifyQuery {
            properties,
            left,
            strategy,
            rule,
            by_flow,
            certify: true,
            ..VerifyQuery::about("main")
        };
        let (found, certificate) = proved(&project, &asked, budget);
        let exact = answers(&project, &query(Engine::Exact, Constraints::None), budget);
        let exact = exact.iter().find(|it| it.property == "P").expect("it is asked").verdict;
        let context = || format!("seed {seed}: {property} {:?} {:?}\n{text}", found.left, found.trace);
        assert!(
            exact == Verdict::Unknown || found.verdict == Verdict::Unknown || exact == found.verdict,
            "{}",
            context()
        );
        assert_eq!(certificate.claims.len(), usize::from(found.verdict == Verdict::Holds), "{}", context());
        match found.verdict {
            Verdict::Holds => {
                held += 1;
                by_flow_of_the_judge +=
                    usize::from(matches!(certificate.claims[0].evidence, Evidence::Flow(_)));
                assert_eq!(accepted(&project, &certificate, Budget::UNLIMITED), [true], "{}", context());
            }
            Verdict::Violated => violated += 1,
            Verdict::Unknown => open += 1,
        }
    }
    println!("holds {held} ({by_flow_of_the_judge} by flow for the judge), violated {violated}, open {open}");
    let enough = held > 10 && violated > 5 && by_flow_of_the_judge * 2 > held;
    assert!(is_single_seed() || enough, "{held} {by_flow_of_the_judge} {violated} {open}");
}

#[test]
fn where_there_are_no_properties_nothing_looks_answered() {
    let project = project("p.adb", ELEVATOR);
    let query = CheckQuery { engine: Engine::Flow, ..CheckQuery::default() };
    let answers = answers(&project, &query, Budget::UNLIMITED);
    assert!(!answers.is_empty() && answers.iter().all(|answer| answer.verdict == Verdict::Unknown));
}

#[test]
fn where_states_are_too_many_flow_analysis_is_asked() {
    let project = program(ELEVATOR, DOORS);
    // The exact model has more states, and the flow graph fewer.
    let budget = Budget::new(Limits { states: Some(45), bytes: None }, None);
    let query =
        |engine: Engine| CheckQuery { only: vec!["DOORS".to_owned()], engine, ..CheckQuery::default() };
    let found = |engine: Engine| answers(&project, &query(engine), budget).remove(0);
    let (exact, auto) = (found(Engine::Exact), found(Engine::Auto));
    assert_eq!((exact.verdict, exact.engine), (Verdict::Unknown, Some(Engine::Exact)));
    assert_eq!((auto.verdict, auto.engine), (Verdict::Holds, Some(Engine::Flow)));
}

/// A random property over events of a program.
fn random_property(rng: &mut Rng, events: &[&str]) -> String {
    let forms =
        [".*; a; .*; b; .*", ".*; a; a; .*", "(a; b)*", ".*; a; [-b]*", "a?; .*; b; .*", ".*; b; a; .*"];
    let quantifier = ["all", "no"][rng.below(2)];
    let regex = forms[rng.below(forms.len())];
    let a = rng.pick(events);
    let others: Vec<&&str> = events.iter().filter(|event| *event != a).collect();
    let b = rng.pick(&others);
    format!("P: for events {{a, b}} show {quantifier} executions satisfy {regex} where a = {a}, b = {b}")
}

#[test]
fn engines_agree_and_what_holds_by_flow_is_certified() {
    let budget = Budget::new(Limits { states: Some(30_000), bytes: None }, None);
    let (mut violated, mut held, mut open, mut by_flow) = (0, 0, 0, 0);
    for seed in seeds(600) {
        let mut rng = Rng::new(seed);
        let text = random::random_program(&mut rng);
        let events = ["y=true", "y=false", "y==true", "z==1", "c0.end", "main.end", "s0.e0", "s0.end", "x=1"];
        let property = random_property(&mut rng, &events);
        let project = program(&text, &property);
        let choice = match rng.below(3) {
            0 => Constraints::None,
            _ => Constraints::Auto,
        };
        let exact = answers(&project, &query(Engine::Exact, choice.clone()), budget);
        let flow = answers(&project, &query(Engine::Flow, choice), budget);
        for found in &flow {
            let same = exact.iter().find(|exact| exact.property == found.property);
            let exact = same.unwrap_or_else(|| panic!("seed {seed}: {} is asked once", found.property));
            let context = || format!("seed {seed}: {} {property}\n{text}", found.property);
            match (exact.verdict, found.verdict) {
                (Verdict::Holds, Verdict::Violated) | (Verdict::Violated, Verdict::Holds) => {
                    panic!("{:?} and {:?}: {}", exact.verdict, found.verdict, context())
                }
                (_, Verdict::Violated) => violated += 1,
                (_, Verdict::Holds) => held += 1,
                (_, Verdict::Unknown) => open += 1,
            }
        }
        let holding: Vec<CheckResult> = flow.into_iter().filter(|it| it.verdict == Verdict::Holds).collect();
        if holding.is_empty() {
            continue;
        }
        let written = certificate(&project, &holding, budget).expect("it fits");
        by_flow += written.claims.iter().filter(|it| matches!(it.evidence, Evidence::Flow(_))).count();
        let mut text = Vec::new();
        written.write(&mut text).expect("memory takes all");
        let judged = certify(&project, "p.cert", &text, &[], budget).expect("it can be read");
        assert!(judged.results.iter().all(|claim| claim.accepted), "seed {seed}: {property}");
    }
    println!(
        "violated {violated}, holds {held}, open {open}; {by_flow} of those that hold have evidence of flow"
    );
    let enough = violated > 20 && held > 60 && by_flow * 10 > held * 9;
    assert!(enough || is_single_seed(), "{violated} {held} {open} {by_flow}");
}
