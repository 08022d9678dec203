//! Actions that a progress property names and no component has. They never occur, so that a property of nothing else is
//! violated by whatever goes on for ever: often only a prefix was forgotten, as in `a` where there are `x.a` and `y.a`.
//! Called by `check`.

use rely_fsp::{ProgressProperty, nearest};
use rely_lts::Network;

/// How many names are offered in place of one.
const OFFERED: usize = 3;

/// What to say about a progress property whose actions the target does not have, if there are such actions.
pub(crate) fn absent_actions(network: &Network, property: &ProgressProperty) -> Option<String> {
    let alphabet = network.alphabet();
    let named = property.condition.iter().flatten().chain(&property.actions);
    let mut absent: Vec<&str> = named.map(String::as_str).filter(|name| !alphabet.contains(name)).collect();
    absent.sort_unstable();
    absent.dedup();
    let first = *absent.first()?;
    let known = alphabet.sorted_names();
    let never = if absent.len() == 1 { "it never occurs" } else { "they never occur" };
    let names: Vec<String> = absent.iter().map(|&name| name.to_owned()).collect();
    let mut message = format!("no component has {}: {never}", super::check::list(&names));
    let offered = likely(first, &known);
    if !offered.is_empty() {
        message.push_str(&format!("; did you mean {}?", offered.join(" or ")));
    }
    Some(message)
}

/// The actions that may be meant by a name: those that have it behind a prefix, or else the one that is nearest.
fn likely<'n>(name: &str, known: &[&'n str]) -> Vec<&'n str> {
    let is_prefixed = |action: &&str| action.strip_suffix(name).is_some_and(|prefix| prefix.ends_with('.'));
    let prefixed: Vec<&str> = known.iter().copied().filter(is_prefixed).take(OFFERED).collect();
    if !prefixed.is_empty() { prefixed } else { nearest(name, known.iter().copied()).into_iter().collect() }
}

#[cfg(test)]
mod tests {
    use rely_base::Budget;

    use crate::{CheckQuery, Project, check};

    /// What is warned of when the progress property of two workers is checked.
    fn warnings(property: &str) -> Vec<String> {
        let text =
            format!("P = (work -> rest -> P | stop -> STOP). ||S = (x:P || y:P). progress G = {property}");
        let project = Project::new("team.lts", text, Box::new(|_| Err("no imports".to_owned())));
        let query = CheckQuery { only: vec!["G".to_owned()], ..CheckQuery::default() };
        let report = check(&project, &query, Budget::UNLIMITED).unwrap_or_else(|error| panic!("{error}"));
        report.results.into_iter().flat_map(|result| result.warnings).collect()
    }

    #[test]
    fn a_forgotten_prefix_is_a_warning() {
        assert_eq!(
            warnings("{work}"),
            ["no component has work: it never occurs; did you mean x.work or y.work?"]
        );
        assert_eq!(
            warnings("{x.work, rest, y.wrk}"),
            ["no component has rest, y.wrk: they never occur; did you mean x.rest or y.rest?"]
        );
        assert_eq!(warnings("{x.wrk}"), ["no component has x.wrk: it never occurs; did you mean x.work?"]);
        // A warning that says more comes instead.
        let vacuous = "it holds vacuously: none of the actions exists, nor does the condition recur";
        assert_eq!(warnings("if {x.work} then {q}"), [vacuous]);
    }

    #[test]
    fn what_exists_is_no_warning() {
        assert_eq!(warnings("{x.work}"), Vec::<String>::new());
        assert_eq!(warnings("if {x.work} then {y.work, y.rest}"), Vec::<String>::new());
    }
}
