//! Questions that share the time, and what is said where not everything was looked at.

use std::sync::atomic::{AtomicUsize, Ordering};

use rely_base::{Budget, Limits, Observer, Progress, Resource};

use crate::report::{CheckResult, Verdict, VerifyResult};
use crate::{CheckQuery, Project, Strategy, VerifyQuery, check, verify};

/// A clock that moves one unit each time an analysis reports, which is every few thousand states.
struct Ticks {
    passed: AtomicUsize,
    allowed: usize,
}

impl Observer for Ticks {
    fn observe(&self, _: &Progress) -> Option<Resource> {
        (self.passed.fetch_add(1, Ordering::Relaxed) >= self.allowed).then_some(Resource::Time)
    }

    fn time_used(&self) -> Option<f64> {
        Some(self.passed.load(Ordering::Relaxed) as f64 / self.allowed as f64)
    }
}

fn project(text: &str) -> Project {
    Project::new("m.lts", text, Box::new(|_| Err("nothing".to_owned())))
}

/// The results of `check` with a few words of `--only`, within `allowed` units of time.
fn checked(text: &str, only: &str, allowed: usize) -> Vec<CheckResult> {
    let ticks = Ticks { passed: AtomicUsize::new(0), allowed };
    let only = only.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect();
    let query = CheckQuery { only, ..CheckQuery::default() };
    let budget = Budget::new(Limits::default(), Some(&ticks));
    let report = check(&project(text), &query, budget).expect("runs can be replayed");
    assert!(!report.has_errors(), "{:?}", report.diagnostics);
    report.results
}

fn verdicts(results: &[CheckResult]) -> Vec<(&str, Verdict)> {
    results.iter().map(|result| (result.property.as_str(), result.verdict)).collect()
}

/// Counters of which no two states are alike, so that there is no way round a million states.
const COUNTERS: &str = "\
C(K=1) = C[0], C[i:0..9] = (up[K] -> C[(i + 1) % 10] | when (i == 0) zero[K] -> C[i]).
||S = (forall[k:1..6] C(k)).
assert SLOW = []<>zero[1]
assert FAST = [](up[1] -> []!up[1])
";

const ENOUGH: usize = 1_000_000;

#[test]
fn a_slow_assertion_leaves_time_to_the_others() {
    let within = |only: &str, allowed: usize| -> Vec<Verdict> {
        checked(COUNTERS, only, allowed).iter().map(|result| result.verdict).collect()
    };
    let (slow, fast) = (within("SLOW", 60), within("FAST", 60));
    assert_eq!((slow, fast), (vec![Verdict::Unknown], vec![Verdict::Violated]), "SLOW is not slow");
    let both = checked(COUNTERS, "SLOW FAST", 60);
    assert_eq!(verdicts(&both), [("SLOW", Verdict::Unknown), ("FAST", Verdict::Violated)]);
    let reason = both[0].reason.as_deref().expect("a reason");
    assert!(reason.starts_with("time ran out after "), "{reason}");
    // With as much time as it takes, there are all answers, in the usual order.
    let all = checked(&COUNTERS.replace("1..6", "1..3"), "", ENOUGH);
    let expected = [
        ("deadlock", Verdict::Holds),
        ("safety", Verdict::Holds),
        ("SLOW", Verdict::Holds),
        ("FAST", Verdict::Violated),
    ];
    assert_eq!(verdicts(&all), expected);
}

#[test]
fn a_slow_target_leaves_time_to_the_others() {
    let text = format!("{COUNTERS}P = (a -> STOP).\n||T = (P).\n");
    let results = checked(&text, "SLOW deadlock", 60);
    let told: Vec<(&str, &str, Verdict)> =
        results.iter().map(|it| (it.target.as_str(), it.property.as_str(), it.verdict)).collect();
    assert_eq!(told[1], ("S", "SLOW", Verdict::Unknown));
    assert_eq!(told[2], ("T", "deadlock", Verdict::Violated));
}

#[test]
fn a_slow_property_leaves_time_to_the_others() {
    let text = "\
C(K=1) = C[0], C[i:0..9] = (up[K] -> C[(i + 1) % 10] | when (i == 0) zero[K] -> C[i]).
property SLOW = (up[k:1..6] -> SLOW | zero[k:1..6] -> SLOW).
property FAST = (up[1] -> zero[1] -> FAST).
||S = (forall[k:1..6] C(k) || SLOW || FAST).
";
    let verified = |properties: &[&str], allowed: usize| -> Vec<VerifyResult> {
        let ticks = Ticks { passed: AtomicUsize::new(0), allowed };
        let properties = properties.iter().map(|&name| name.to_owned()).collect();
        let query = VerifyQuery { properties, strategy: Strategy::Monolithic, ..VerifyQuery::about("S") };
        let budget = Budget::new(Limits::default(), Some(&ticks));
        verify(&project(text), &query, budget).expect("runs can be replayed").report.results
    };
    let told = |results: &[VerifyResult]| -> Vec<Verdict> { results.iter().map(|it| it.verdict).collect() };
    assert_eq!(told(&verified(&["SLOW"], 60)), [Verdict::Unknown], "SLOW is not slow");
    assert_eq!(told(&verified(&["SLOW", "FAST"], 60)), [Verdict::Unknown, Verdict::Violated]);
}

/// Counters that go up and down, beside something that fails at once.
const FAILING: &str = "\
C = C[0], C[i:0..9] = (up -> C[(i + 1) % 10] | down -> C[(i + 9) % 10] | when (i == 0) zero -> C[i]).
B = (bad -> ERROR).
||S = (forall[k:1..6] c[k]:C || B).
progress UP = {c[1].up}
";

#[test]
fn progress_beside_a_near_error_is_looked_for_a_little() {
    for only in ["progress", "safety progress", ""] {
        let results = checked(FAILING, only, ENOUGH);
        let result = results.last().expect("progress is asked for");
        assert_eq!((result.property.as_str(), result.verdict), ("UP", Verdict::Unknown));
        let reason = result.reason.as_deref().expect("a reason");
        assert!(reason.contains("safety") && reason.contains("`--only UP`"), "{reason}");
        if !only.is_empty() {
            assert!(result.states < 20_000, "--only {only}: {} states", result.states);
        }
    }
    // Whoever asks for it by name gets an answer about all states.
    let result = checked(&FAILING.replace("1..6", "1..4"), "UP", ENOUGH).remove(0);
    let reason = result.reason.as_deref().expect("a reason");
    assert!(!reason.contains("--only") && reason.contains("no run without an error"), "{reason}");
    assert_eq!(result.states, 10_000);
    // So does whoever wants all states; the progress of every action has no other name.
    let default = FAILING.replace("progress UP = {c[1].up}", "");
    let reason = checked(&default, "progress", ENOUGH).remove(0).reason.expect("a reason");
    assert!(reason.contains("`--no-reduction`"), "{reason}");
}

#[test]
fn a_set_without_progress_is_a_violation_beside_an_error() {
    let text = "P = (z -> G | a -> b -> ERROR), G = (a -> G).\nprogress B = {b}\n";
    for only in ["progress", "B", "safety progress"] {
        let results = checked(text, only, ENOUGH);
        let result = results.last().expect("progress is asked for");
        assert_eq!(
            (result.verdict, result.trace.as_slice()),
            (Verdict::Violated, ["z".to_owned()].as_slice())
        );
        assert_eq!(result.cycle, ["a"]);
        assert!(result.shortest);
    }
}

#[test]
fn what_was_merged_says_so() {
    // All states of a counter are alike, so that the whole has one state; the error is found in the counters as written.
    let text = FAILING.replace(" | when (i == 0) zero -> C[i]", "");
    let results = checked(&text, "deadlock safety", ENOUGH);
    assert_eq!(verdicts(&results), [("deadlock", Verdict::Holds), ("safety", Verdict::Violated)]);
    assert_eq!(results.iter().map(|it| it.equivalent_states_merged).collect::<Vec<_>>(), [true, false]);
    assert_eq!(results[0].states, 1);
    // What holds is not looked for again.
    assert!(results[1].states < 100, "{} states", results[1].states);
    assert!(!checked(&COUNTERS.replace("1..6", "1..3"), "deadlock", ENOUGH)[0].equivalent_states_merged);
}

#[test]
fn a_deadlock_that_was_not_looked_for_to_the_end_is_unknown() {
    // The error is one step away, and the deadlock behind half a million states.
    let text = "\
const N = 80
C(K=1) = C[0], C[i:0..N] = (when (i < N) up[K] -> C[i + 1] | when (i == N) done -> STOP).
B = (bad -> ERROR | up[1] -> OK), OK = (up[1] -> OK).
||S = (forall[k:1..3] C(k) || B).
";
    let deadlock = |only: &[&str]| {
        let only = only.iter().map(|&word| word.to_owned()).collect();
        let query = CheckQuery { only, no_reduction: true, ..CheckQuery::default() };
        let report = check(&project(text), &query, Budget::UNLIMITED).expect("runs can be replayed");
        report.results.into_iter().next().expect("deadlock comes first")
    };
    let beside_error = deadlock(&["deadlock", "safety"]);
    assert_eq!(beside_error.verdict, Verdict::Unknown);
    assert!(beside_error.states < 81 * 81 * 81, "{} states", beside_error.states);
    assert!(beside_error.reason.is_some_and(|reason| reason.contains("ask for it alone")));
    let alone = deadlock(&["deadlock"]);
    assert_eq!((alone.verdict, alone.trace.len()), (Verdict::Violated, 241));
}
