//! The examples of [Emmi, Giannakopoulou, Păsăreanu 2008]: figures 1, 2, 7 and 8.
#![allow(dead_code, reason = "each test uses some of them")]

use rely_interface::{Part, System};
use rely_lts::InterfaceAutomaton;
use rely_testkit::interfaces::from_marked;

/// Figure 1a: sends a message over a lossy channel, twice if it has to.
pub(crate) fn msg() -> InterfaceAutomaton {
    let transitions = [
        (0, "msg?", 1),
        (1, "send!", 2),
        (2, "ack?", 6),
        (2, "nack?", 3),
        (3, "send!", 4),
        (4, "ack?", 6),
        (4, "nack?", 5),
        (5, "fail!", 0),
        (6, "ok!", 0),
    ];
    from_marked(7, &transitions, &[])
}

/// Figure 1b: expects no failure.
pub(crate) fn usr() -> InterfaceAutomaton {
    from_marked(2, &[(0, "msg!", 1), (1, "ok?", 0)], &["fail?"])
}

/// Figure 1c: the channel, which delays at most once.
pub(crate) fn env() -> InterfaceAutomaton {
    let transitions =
        [(0, "send?", 1), (1, "ack!", 0), (1, "busy;", 2), (2, "nack!", 3), (3, "send?", 4), (4, "ack!", 0)];
    from_marked(5, &transitions, &[])
}

/// Figure 2a.
pub(crate) fn c_1() -> InterfaceAutomaton {
    from_marked(1, &[(0, "send?", 0)], &["ack!", "nack!"])
}

/// Figure 2b.
pub(crate) fn e_bad() -> InterfaceAutomaton {
    from_marked(2, &[(0, "send?", 1), (1, "ack!", 0), (1, "nack!", 0)], &[])
}

/// Figure 2c, as the learner of the paper must have it: any number of nacks, each after its send.
pub(crate) fn c_3() -> InterfaceAutomaton {
    from_marked(3, &[(0, "send?", 1), (1, "ack!", 0), (1, "nack!", 2), (2, "send?", 1)], &[])
}

/// Figure 2d.
pub(crate) fn e_good() -> InterfaceAutomaton {
    let transitions = [(0, "send?", 1), (1, "ack!", 0), (1, "nack!", 2), (2, "send?", 3), (3, "ack!", 0)];
    from_marked(4, &transitions, &[])
}

/// Figure 7: a counter up to 1, which can be reset.
pub(crate) fn counter() -> InterfaceAutomaton {
    let transitions = [
        (0, "increment?", 1),
        (0, "reset?", 0),
        (1, "reset?", 0),
        (0, "get_val?", 2),
        (2, "return.0!", 0),
        (1, "get_val?", 3),
        (3, "return.1!", 1),
    ];
    from_marked(4, &transitions, &[])
}

/// Figure 8: the estimator, which never resets the counter.
pub(crate) fn estimator() -> InterfaceAutomaton {
    estimator_that(None)
}

/// The estimator, corrected: it resets the counter when it refreshes.
pub(crate) fn fixed_estimator() -> InterfaceAutomaton {
    estimator_that(Some("reset!"))
}

/// States: 0 poor, 1 refreshed, 2 good reading, 3 to ask, 4 asked, 5 good, 6 to reset.
fn estimator_that(resets: Option<&'static str>) -> InterfaceAutomaton {
    let refreshed = if resets.is_some() { 6 } else { 1 };
    let mut transitions = vec![
        (0, "refresh?", refreshed),
        (5, "refresh?", refreshed),
        (1, "sensor_good?", 2),
        (1, "sensor_bad?", 3),
        (2, "increment!", 3),
        (3, "get_val!", 4),
        (4, "return.0?", 0),
        (4, "return.1?", 5),
        (0, "est_poor!", 0),
        (5, "est_good!", 5),
    ];
    transitions.extend([1, 2, 3, 4].map(|state| (state, "est_updating!", state)));
    transitions.extend(resets.map(|resets| (6, resets, 1)));
    from_marked(7, &transitions, if resets.is_some() { &[] } else { &["reset!"] })
}

/// A system of named parts.
pub(crate) fn system(parts: &[(&str, InterfaceAutomaton)]) -> System {
    let parts = parts.iter().map(|(name, automaton)| Part::new(*name, automaton.clone())).collect();
    System::new(parts, Vec::new()).expect("they can be composed")
}
