//! Runs into the error state against brute force.

use rely_base::Budget;
use rely_lts::Network;
use rely_omega::{Assertion, Fairness};
use rely_testkit::naive::product::{NaiveProduct, error_in, tuple};
use rely_testkit::networks::{self, Shape};
use rely_testkit::rng::{Rng, seeds};

use super::super::tests::progression::{ACTIONS, Twin};
use super::super::tests::{is_fair, random_assertion, violated};
use super::super::watched::Value;
use super::super::{LtlDecision, check_ltl, free_actions, with_free_actions};
use crate::{Ending, Unknown, Verdict};

const ANY: Budget<'static> = Budget::UNLIMITED;

/// The worst value of any run for an assertion, and the length of the shortest run into the error that leaves it open.
fn expected(network: &Network, assertion: &Assertion) -> Option<(Value, Option<usize>)> {
    let values = Twin::new(network, assertion).errors()?;
    let open = values.iter().filter(|(_, value)| *value == Value::Open).map(|(length, _)| *length).min();
    if violated(network, assertion, is_fair)? {
        return Some((Value::Broken, open));
    }
    Some((values.iter().map(|(_, value)| *value).max().unwrap_or(Value::Good), open))
}

fn value_of(found: &LtlDecision) -> Value {
    match &found.decision.verdict {
        Verdict::Holds(_) => Value::Good,
        Verdict::Violated(_) => Value::Broken,
        Verdict::Unknown(reason) => {
            assert_eq!(*reason, Unknown::ErrorReachable);
            Value::Open
        }
    }
}

#[test]
fn verdicts_are_those_of_all_continuations() {
    let (mut good, mut open, mut broken) = (0, 0, 0);
    for seed in seeds(4000) {
        let mut rng = Rng::new(seed);
        let network = networks::network(&mut rng, &Shape { errors: true, ..Shape::TINY });
        let assertion = random_assertion(&mut rng, &ACTIONS);
        let closed = with_free_actions(&network, &free_actions(network.alphabet(), &assertion));
        if !NaiveProduct::new(&closed).moves.keys().any(|tuple| error_in(&closed, tuple).is_some()) {
            continue;
        }
        let Some((worst, shortest)) = expected(&closed, &assertion) else { continue };
        let found = check_ltl(&network, &assertion, Fairness::Choice, &ANY).unwrap();
        let message = || format!("seed {seed}: {:?}, open {:?}", assertion.formula, found.open);
        assert!(value_of(&found) == worst, "{}", message());
        assert_eq!(found.open.is_some(), worst == Value::Open, "{}", message());
        if let Some(run) = &found.open {
            assert_eq!(Some(run.0.len()), shortest, "{}", message());
            open += 1;
        }
        good += usize::from(worst == Value::Good);
        let counterexample = found.decision.verdict.counterexample();
        broken += usize::from(counterexample.is_some_and(|found| {
            found.ending == Ending::BadPrefix
                && found.trace.last().is_none_or(|step| error_in(&network, &tuple(&step.after)).is_some())
        }));
    }
    let counts = (good, open, broken);
    assert!(good > 30 && open > 150 && broken > 60, "too lopsided: {counts:?}");
}
