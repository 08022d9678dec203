//! `check` of composites that are too large for one search.

use rely_base::{Budget, Limits};
use rely_session::report::{CheckResult, Verdict};
use rely_session::{CheckQuery, Project, certificate, certify, check};

/// Twenty clients share four connections. One whose connection breaks forgets to give it back. A property for each client, and
/// one for all of them.
const POOL: &str = "
const K = 4
const C = 20
range Cl = 1..C
POOL = FREE[K],
FREE[n:0..K] = (when (n > 0) grant[Cl] -> FREE[n-1] | when (n == 0) refuse[Cl] -> FREE[n]
              | when (n < K) release[Cl] -> FREE[n+1]).
CLIENT(I=1) = (want[I] -> TRY[0]),
TRY[t:0..2] = (request[I] -> (grant[I] -> USE
    | refuse[I] -> if t < 2 then (later[I] -> TRY[t+1]) else (fail[I] -> CLIENT))),
USE = (query[I] -> (ok[I] -> release[I] -> CLIENT | broken[I] -> CLIENT)).
property AT_MOST_K = USED[0],
USED[n:0..K] = (when (n < K) grant[Cl] -> USED[n+1] | when (n > 0) release[Cl] -> USED[n-1]).
property OWN(I=1) = (grant[I] -> query[I] -> OWN).
||SYSTEM = (POOL || forall[i:Cl] CLIENT(i) || AT_MOST_K || forall[i:Cl] OWN(i)).
";

fn project(text: &str) -> Project {
    Project::new("m.lts", text, Box::new(|_| Err("there are no imports".to_owned())))
}

fn checked(text: &str, only: &[&str], states: usize) -> Vec<CheckResult> {
    let only = only.iter().map(|&word| word.to_owned()).collect();
    let query = CheckQuery { only, targets: vec!["SYSTEM".to_owned()], ..CheckQuery::default() };
    let budget = Budget::new(Limits { states: Some(states), bytes: None }, None);
    check(&project(text), &query, budget).expect("runs can be replayed").results
}

#[test]
fn safety_of_a_large_pool_is_shown_by_parts_and_certified() {
    let results = checked(POOL, &["safety"], 10_000_000);
    let [safety] = &results[..] else { panic!("{results:?}") };
    assert_eq!((safety.verdict, safety.by_parts), (Verdict::Holds, Some(21)), "{safety:?}");
    assert!(safety.states < 100_000, "{}", safety.states);
    let claims = certificate(&project(POOL), &results, Budget::UNLIMITED).expect("it can be certified");
    let mut text = Vec::new();
    claims.write(&mut text).expect("memory takes it");
    let judged = certify(&project(POOL), "certificate", &text, &[], Budget::UNLIMITED).expect("a judge");
    assert!(judged.results.iter().all(|result| result.accepted), "{:?}", judged.results);
    let whole: Vec<_> = judged.results.iter().filter(|result| result.property == "safety").collect();
    assert!(whole.len() == 1 && whole[0].derived, "{:?}", judged.results);
}

#[test]
fn deadlock_needs_the_whole_and_says_so() {
    let results = checked(POOL, &["deadlock", "safety"], 400_000);
    let [deadlock, safety] = &results[..] else { panic!("{results:?}") };
    assert_eq!((safety.verdict, safety.by_parts), (Verdict::Holds, Some(21)));
    assert_eq!(deadlock.verdict, Verdict::Unknown);
    let reason = deadlock.reason.as_deref().unwrap_or_default();
    assert!(reason.ends_with("a deadlock is one of the whole"), "{reason}");
}

#[test]
fn failure_that_lies_deep_is_hunted_down() {
    // The coordinator does not wait until its decision has been carried out.
    let text = include_str!("../../../models/families/two-phase-commit.lts");
    let text: String =
        text.lines().filter(|line| !line.starts_with("//!")).flat_map(|line| [line, "\n"]).collect();
    let text = text
        .replace("const N = 3", "const N = 25")
        .replace("||SYSTEM = (COORDINATOR", "||SYSTEM = (DONE_BEFORE_END || COORDINATOR");
    let results = checked(&text, &["safety"], 1_000_000);
    let [safety] = &results[..] else { panic!("{results:?}") };
    assert_eq!(safety.verdict, Verdict::Violated, "{safety:?}");
    assert_eq!(safety.violates.as_deref(), Some("DONE_BEFORE_END"));
    assert!(!safety.shortest && safety.trace.len() > 100, "{}", safety.trace.len());
}
