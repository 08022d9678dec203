//! Pages: for every way of proving, for hostile names, for nothing at all; and what they say is true.

mod conditions;
mod counts;
mod failing;
mod kept;
mod written;

use std::sync::Arc;

use rely_base::{Alphabet, Budget, Label, Limits, StateId};
use rely_lts::LtsBuilder;

use super::{
    Argument, AssumptionShown, Connection, Details, Explanation, Group, Member, Origin, PageFormat,
    PremiseShown, Question, Refutation, RuleProof, RunStep, Source, Standing, explanation_page,
};
use crate::report::{
    AssumptionFault, BrokenAssumption, ComponentCoverage, CoverageResult, Forbidden, Reused, Untaken, Verdict,
};
use crate::{
    Algorithm, InterfaceMethod, InterfaceQuery, InterfaceRule, Project, Rule, Strategy, Verified,
    VerifyQuery, verify, verify_interface,
};

const MODEL: &str = "
    INPUT  = (in -> send -> ack -> INPUT).
    OUTPUT = (send -> out -> ack -> OUTPUT).
    HASTY  = (out -> send -> ack -> HASTY | send -> ack -> HASTY).
    OTHER  = (tick -> OTHER).
    MUTE   = (tick -> MUTE)+{say, hush}.
    property ORDER  = (in -> out -> ORDER).
    property SILENT = (say -> hush -> SILENT).
    ||SYS  = (INPUT || OUTPUT || OTHER || ORDER).
    ||PAIR = (INPUT || OUTPUT || ORDER).
    ||BAD  = (INPUT || HASTY || ORDER).
    EAGER  = (in -> EAGER | out -> EAGER).
    STRICT = (in -> wait -> out -> STRICT).
    ||NEAR = (EAGER || STRICT || ORDER).
    ||MUTED = (MUTE || OTHER || SILENT).
    CELL(I=0) = (put[I] -> get[I] -> CELL | skip[I] -> CELL).
    property FAIR = (put[0] -> get[0] -> FAIR).
    ||CELLS = (forall[i:0..11] CELL(i) || FAIR).
";

const FORMATS: [PageFormat; 3] = [PageFormat::Text, PageFormat::Markdown, PageFormat::Html];

fn verified(system: &str, rule: Rule, strategy: Strategy, budget: Budget<'_>) -> Verified {
    let project = Project::new("model.lts", MODEL, Box::new(|_| Err("no imports".into())));
    let details = Details { explanation: true, coverage: true };
    let query = VerifyQuery { rule, strategy, details, ..VerifyQuery::about(system) };
    verify(&project, &query, budget).unwrap_or_else(|error| panic!("{error}"))
}

fn origin() -> Origin {
    Origin {
        program: "rely 0".to_owned(),
        text: "A = (a -> A). // <b>\n".to_owned(),
        digests: vec![("model.lts".to_owned(), "0123abcd".to_owned())],
        certificate_digest: None,
        constants: vec![("N".to_owned(), 3)],
        file: "model.lts".to_owned(),
        command: "rely verify model.lts".to_owned(),
        certificate: Some("rely verify model.lts --certificate p".to_owned()),
        judge: "rely certify p model.lts".to_owned(),
    }
}

fn page(explanations: &[Explanation], format: PageFormat) -> String {
    let page = explanation_page(explanations, &origin(), format);
    if format == PageFormat::Html {
        well_formed(&page).unwrap_or_else(|error| panic!("{error}\n{page}"));
    }
    page
}

/// Whether every element of a document is closed, and no ampersand stands alone.
fn well_formed(document: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = document.strip_prefix("<!DOCTYPE html>").ok_or("no document type")?;
    while let Some(at) = rest.find('<') {
        let known = ["amp;", "lt;", "gt;", "quot;", "#39;"];
        if let Some(bad) =
            rest[..at].split('&').skip(1).find(|part| !known.iter().any(|k| part.starts_with(k)))
        {
            return Err(format!("a bare ampersand before {bad}"));
        }
        let end = rest[at..].find('>').ok_or("a tag without an end")? + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
        if tag.starts_with('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> closes nothing"));
            }
        } else if !tag.ends_with('/') && !["meta", "wbr"].contains(&name) {
            open.push(name);
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("left open: {open:?}")) }
}

#[test]
fn the_check_of_documents_can_fail() {
    assert!(well_formed("<!DOCTYPE html><p>a &amp; b<br/></p>").is_ok());
    for wrong in ["<p></p>", "<!DOCTYPE html><p>", "<!DOCTYPE html><p></b>", "<!DOCTYPE html>a & b<p></p>"] {
        assert!(well_formed(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn every_strategy_and_every_rule_has_a_page() {
    let mut proved = 0;
    for strategy in Strategy::ALL {
        for rule in Rule::ALL {
            for system in ["SYS", "PAIR", "BAD"] {
                let verified = verified(system, rule, strategy, Budget::UNLIMITED);
                let [result] = &verified.report.results[..] else { panic!("one property") };
                let [explanation] = &verified.explanations[..] else { panic!("one explanation") };
                let what = format!("{system} {rule} {strategy:?}");
                let expected = if system == "BAD" { Verdict::Violated } else { Verdict::Holds };
                assert_eq!((result.verdict, explanation.verdict), (expected, expected), "{what}");
                let texts = FORMATS.map(|format| page(&verified.explanations, format));
                assert_eq!(texts[0], page(&verified.explanations, PageFormat::Text), "{what}");
                for premise in &result.premises {
                    assert!(texts.iter().all(|text| text.contains(premise)), "{what} does not say {premise}");
                }
                proved += usize::from(matches!(explanation.argument, Argument::Rule(_)));
                match &explanation.argument {
                    Argument::Rule(proof) => {
                        assert_eq!(Some(&proof.rule), result.rule.as_ref(), "{what}");
                        assert_eq!(proof.assumptions.len(), result.assumptions.len(), "{what}");
                        let counted =
                            proof.premises.iter().filter(|premise| premise.states.is_some()).count();
                        assert!(counted + 1 >= proof.premises.len(), "{what}");
                        let largest = proof.premises.iter().filter_map(|premise| premise.states).max();
                        assert!(
                            Some(result.peak_states) >= largest,
                            "{what}: {} {largest:?}",
                            result.peak_states
                        );
                    }
                    Argument::Run(run) => {
                        let actions: Vec<&str> = run.steps.iter().map(|step| step.action.as_str()).collect();
                        assert_eq!(actions, result.trace, "{what}");
                        assert_eq!(run.is_shortest, result.shortest, "{what}");
                        assert_eq!(run.premises.is_some(), result.rule.is_some(), "{what}");
                    }
                    Argument::Reduction { compositions, .. } => {
                        assert_eq!((result.strategy.as_str(), &result.rule), ("reduce", &None), "{what}");
                        // The last one is the first after which nothing can fail any more.
                        let failing: Vec<bool> =
                            compositions.iter().filter(|one| one.has_goal).map(|one| one.can_fail).collect();
                        assert!(
                            failing.iter().rev().skip(1).all(|&can_fail| can_fail),
                            "{what}: {failing:?}"
                        );
                        assert!(!failing.is_empty(), "{what}");
                    }
                    Argument::Nothing => panic!("{what} has no argument"),
                    _ => assert_eq!(result.rule, None, "{what}"),
                }
            }
        }
    }
    assert!(proved > 12, "only {proved} proofs by a rule");
}

#[test]
fn a_page_without_an_answer_names_the_rule() {
    let budget = Budget::new(Limits { states: Some(2), bytes: None }, None);
    for (rule, strategy) in [
        (Rule::Simple, Strategy::Learn),
        (Rule::Chain, Strategy::Learn),
        (Rule::Simple, Strategy::Direct),
        (Rule::Symmetric, Strategy::Direct),
    ] {
        let verified = verified("PAIR", rule, strategy, budget);
        assert_eq!(verified.report.results[0].verdict, Verdict::Unknown, "{rule} {strategy:?}");
        let expected = format!(" {} with the rule {rule}\n", strategy.name());
        let text = page(&verified.explanations, PageFormat::Text);
        assert!(text.contains(&expected), "{rule} {strategy:?}: {text}");
    }
}

const INTERFACES: &str = "
    interface CLIENT = (ask! -> answer? -> CLIENT).
    interface PUSHY  = (ask! -> ask! -> answer? -> PUSHY).
    interface SERVER = (ask? -> answer! -> SERVER).
    interface FRONT  = (call? -> ask! -> answer? -> reply! -> FRONT).
    interface ECHO   = (call? -> reply! -> ECHO).
    property ORDER = (ask -> answer -> ORDER).
    property ODD   = (answer -> ask -> ODD).
    ||GOOD = (CLIENT || SERVER).
    ||BAD  = (PUSHY || SERVER).
    ||OPEN = (FRONT || SERVER).
";

/// The answer to a question about interface automata.
fn asked(system: &str, rule: InterfaceRule, method: InterfaceMethod, what: &str) -> Verified {
    let project = Project::new("model.lts", INTERFACES, Box::new(|_| Err("no imports".into())));
    let is_property = matches!(rule, InterfaceRule::Prop | InterfaceRule::Hybrid);
    let query = InterfaceQuery {
        system: system.to_owned(),
        properties: if is_property { vec![what.to_owned()] } else { Vec::new() },
        specification: if is_property { String::new() } else { what.to_owned() },
        left: Vec::new(),
        rule,
        method,
        every_environment: false,
        weak: false,
        sizes: false,
        certify: false,
        details: Details { explanation: true, coverage: true },
        clock: &|| 0,
    };
    verify_interface(&project, &query, Budget::UNLIMITED).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_rule_for_interface_automata_has_a_page() {
    use InterfaceRule::{AltRef, Compat, Hybrid, Prop};
    let methods =
        [InterfaceMethod::Direct, InterfaceMethod::Learn(Algorithm::default()), InterfaceMethod::Monolithic];
    let questions = [
        ("GOOD", Compat, "", "The parts of GOOD are compatible"),
        ("BAD", Compat, "", "The parts of BAD are not compatible"),
        ("GOOD", Prop, "ORDER", "ORDER holds in GOOD"),
        ("GOOD", Prop, "ODD", "ODD is violated in GOOD"),
        ("GOOD", Hybrid, "ORDER", "ORDER holds in GOOD"),
        ("BAD", Hybrid, "ORDER", "ORDER is violated in BAD"),
        ("OPEN", AltRef, "ECHO", "OPEN refines ECHO"),
    ];
    for (system, rule, what, said) in questions {
        for method in methods {
            let verified = asked(system, rule, method, what);
            assert!(!verified.report.has_errors(), "{:?}", verified.report.diagnostics);
            let ([result], [explanation]) = (&verified.report.results[..], &verified.explanations[..]) else {
                panic!("{system} {rule}: one answer and one explanation")
            };
            let texts = FORMATS.map(|format| page(&verified.explanations, format));
            assert!(texts[0].contains(said), "{system} {rule} {method:?}: {}", texts[0]);
            let mut premises = result.premises.iter();
            assert!(premises.all(|premise| texts[0].contains(premise.as_str())), "{}", texts[0]);
            match &explanation.argument {
                Argument::Rule(proof) => {
                    assert!(proof.premises.iter().all(|premise| premise.states.is_some()));
                }
                Argument::Product { .. } => assert_eq!(method, InterfaceMethod::Monolithic),
                Argument::Run(run) => assert_eq!(run.steps.len(), result.trace.len()),
                other => panic!("{system} {rule} {method:?}: {other:?}"),
            }
        }
    }
}

#[test]
fn a_violation_says_who_acted_and_what_was_allowed() {
    let verified = verified("BAD", Rule::Simple, Strategy::Learn, Budget::UNLIMITED);
    let text = page(&verified.explanations, PageFormat::Text);
    assert!(text.contains("HASTY acts: it does out. ORDER is in its state 0 then"), "{text}");
    assert!(text.contains("What it allows there: in."), "{text}");
    assert!(text.contains("What the system could have done instead in that moment: in."), "{text}");
    assert!(text.contains("M2 does it all the same"), "{text}");
    assert!(!text.contains("certificate has everything"), "{text}");
}

#[test]
fn a_part_that_is_left_out_is_named() {
    let verified = verified("SYS", Rule::Simple, Strategy::Localise, Budget::UNLIMITED);
    let Argument::Localisation { inside, states } = &verified.explanations[0].argument else {
        panic!("localised")
    };
    assert!(!inside.contains(&2) && states.is_some(), "{inside:?}");
    let text = page(&verified.explanations, PageFormat::Text);
    assert!(text.contains("Not needed: OTHER"), "{text}");
    // The page does not claim that each part inside is needed.
    assert!(
        text.replace('\n', " ").contains("Together they suffice. That each of them is needed, too, was not"),
        "{text}"
    );
    assert!(!text.contains("each of them refuses a run"), "{text}");
}

#[test]
fn what_holds_vacuously_is_a_warning() {
    let verified = verified("MUTED", Rule::Simple, Strategy::Monolithic, Budget::UNLIMITED);
    let coverage = verified.report.results[0].coverage.as_ref().expect("it was asked for");
    assert!(coverage.exhaustive && !coverage.exercised && coverage.witness.is_none());
    let mute = &coverage.components[0];
    assert_eq!(
        (mute.name.as_str(), mute.never.as_slice()),
        ("MUTE", &["hush".to_owned(), "say".to_owned()][..])
    );
    let text = page(&verified.explanations, PageFormat::Text);
    assert!(text.contains("Warning: No. None of its actions ever occurs"), "{text}");
}

#[test]
fn a_near_miss_names_who_is_ready_and_who_refuses() {
    let verified = verified("NEAR", Rule::Simple, Strategy::Auto, Budget::UNLIMITED);
    let coverage = verified.report.results[0].coverage.as_ref().expect("it was asked for");
    assert!(coverage.exhaustive && coverage.exercised);
    let order = coverage.components.iter().find(|one| one.property).expect("the property");
    assert_eq!((order.states_visited, order.transitions_taken), (2, 2));
    assert_eq!((order.forbidden, order.forbidden_approached), (2, 2));
    let text = page(&verified.explanations, PageFormat::Text).replace('\n', " ");
    let said = "At the very start, ORDER forbids out, which EAGER is ready for. Only STRICT keeps it from happening.";
    assert!(text.contains(said), "{text}");
}

#[test]
fn a_limit_is_said() {
    let budget = Budget::new(Limits { states: Some(300), bytes: None }, None);
    let verified = verified("CELLS", Rule::Simple, Strategy::Localise, budget);
    let coverage = verified.report.results[0].coverage.as_ref().expect("it was asked for");
    assert!(!coverage.exhaustive && coverage.states <= 300);
    let text = page(&verified.explanations, PageFormat::Text);
    assert!(text.contains("too large to be looked at completely"), "{text}");
    assert!(FORMATS.iter().all(|&format| !page(&verified.explanations, format).is_empty()));
}

#[test]
fn no_answers_give_a_page() {
    for format in FORMATS {
        assert!(page(&[], format).contains("There is no answer to explain."));
    }
}

/// A system with names that try to get out of a page.
fn hostile() -> Explanation {
    let name = "<script>alert(\"x\")</script> & `code` | ](http://x) 'quoted' \u{202e}\u{7}\n# heading";
    let mut builder = LtsBuilder::with_states([name, "b"].into_iter().collect::<Alphabet>(), 2);
    let states = [StateId::from_raw(0), StateId::from_raw(1)];
    builder.add_transition(states[0], Label::from_raw(1), states[1]);
    builder.add_transition(states[1], Label::from_raw(2), states[0]);
    let lts = Arc::new(builder.build());
    let names = || vec![name.to_owned()];
    let member = |is_property: bool| Member {
        name: name.to_owned(),
        definition: name.to_owned(),
        standing: if is_property { Standing::Property } else { Standing::Part },
        group: (!is_property).then_some(0),
        lts: lts.clone(),
        roles: None,
        source: Some(Source { file: name.to_owned(), place: (1, 2), lines: vec![(1, name.to_owned())] }),
    };
    let assumption = AssumptionShown {
        name: "A1".to_owned(),
        lts: lts.clone(),
        roles: None,
        between: name.to_owned(),
        stands_for: vec![0, 7],
        forbids: vec![Forbidden { after: names(), actions: names() }],
        further: 1,
    };
    let proof = RuleProof {
        rule: name.to_owned(),
        conclusion: name.to_owned(),
        groups: vec![Group { parts: vec![0], states: None }],
        premises: vec![PremiseShown { statement: name.to_owned(), words: name.to_owned(), states: None }],
        assumptions: vec![assumption],
        conditions: names(),
        soundness: name.to_owned(),
    };
    let covered = |property| ComponentCoverage {
        name: name.to_owned(),
        property,
        states: 2,
        states_visited: 1,
        transitions: 0,
        transitions_taken: 0,
        forbidden: 1,
        forbidden_approached: 0,
        never: names(),
        untaken: vec![Untaken { source: 0, action: name.to_owned(), target: 1, source_visited: true }],
        further: 3,
    };
    Explanation {
        system: name.to_owned(),
        property: name.to_owned(),
        question: Question::Property,
        verdict: Verdict::Holds,
        asked: name.to_owned(),
        strategy: "learn".to_owned(),
        reason: Some(name.to_owned()),
        warnings: names(),
        members: vec![member(false), member(true)],
        fails_beside: names(),
        connections: vec![Connection { members: vec![0, 1], actions: names() }],
        argument: Argument::Rule(proof),
        coverage: CoverageResult {
            exhaustive: true,
            states: 2,
            components: vec![covered(false), covered(true)],
            exercised: false,
            witness: None,
        },
        peak_states: 0,
        queries: 0,
        conjectures: 1,
        identities: vec![(name.to_owned(), name.to_owned())],
        reused: Some(Reused { changed: names(), ..Reused::default() }),
        broken_assumption: Some(BrokenAssumption {
            index: Some(1),
            fault: AssumptionFault::Breached,
            premise: Some(name.to_owned()),
            parts: names(),
            trace: names(),
        }),
        is_rechecked: false,
    }
}

fn hostile_run(name: &str) -> Refutation {
    Refutation {
        components: vec![name.to_owned(), name.to_owned()],
        standings: vec![Standing::Part, Standing::Property],
        steps: vec![RunStep { action: name.to_owned(), movers: vec![0, 1], state: None }],
        is_shortest: false,
        failed: 1,
        state: 0,
        allowed: vec![name.to_owned()],
        alternatives: vec![name.to_owned()],
        premises: Some(name.to_owned()),
        fault: Some(name.to_owned()),
    }
}

#[test]
fn hostile_names_stay_names() {
    let holds = hostile();
    let mut violated = hostile();
    violated.verdict = Verdict::Violated;
    violated.argument = Argument::Run(Box::new(hostile_run(&violated.system)));
    for explanations in [vec![holds.clone()], vec![violated.clone()], vec![holds, violated]] {
        let html = page(&explanations, PageFormat::Html);
        assert!(!html.contains("<script") && !html.contains("src="));
        // A page leads nowhere but to itself.
        assert!(html.split("href=").skip(1).all(|rest| rest.starts_with("\"#")), "{html}");
        for format in FORMATS {
            let page = page(&explanations, format);
            assert!(!page.contains('\u{7}'), "a control character");
            let is_text = format == PageFormat::Text;
            assert!(
                is_text || !page.lines().any(|line| line.starts_with("# heading")),
                "a name made a heading"
            );
        }
    }
}
