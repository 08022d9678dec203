//! Pages of answers that were kept: they say so, and say the same.

use std::cell::RefCell;
use std::collections::BTreeMap;

use rely_assume::{Key, Memory};
use rely_base::Budget;

use super::super::{Argument, Details, Explanation, PageFormat};
use super::{MODEL, page};
use crate::report::Verdict;
use crate::{Project, Rule, Strategy, Verified, VerifyQuery, verify_with_memory};

/// Keeps everything.
#[derive(Default)]
struct Notes(RefCell<BTreeMap<Key, Vec<u8>>>);

impl Memory for Notes {
    fn is_trusted(&self) -> bool {
        true
    }

    fn recall(&self, key: &Key) -> Option<Vec<u8>> {
        self.0.borrow().get(key).cloned()
    }

    fn remember(&self, entries: &[(Key, Vec<u8>)]) {
        self.0.borrow_mut().extend(entries.iter().cloned());
    }
}

impl Notes {
    /// Changes a piece of text wherever it occurs. How often it did.
    fn forge(&self, from: &str, to: &str) -> usize {
        let mut changed = 0;
        for value in self.0.borrow_mut().values_mut() {
            let text = String::from_utf8_lossy(value).into_owned();
            changed += text.matches(from).count();
            *value = text.replace(from, to).into_bytes();
        }
        changed
    }
}

fn asked(
    text: &str,
    system: &str,
    rule: Rule,
    strategy: Strategy,
    explained: bool,
    notes: &Notes,
) -> Verified {
    let project = Project::new("model.lts", text, Box::new(|_| Err("no imports".into())));
    let details = Details { explanation: explained, coverage: false };
    let query = VerifyQuery { rule, strategy, details, ..VerifyQuery::about(system) };
    verify_with_memory(&project, &query, Some(notes), Budget::UNLIMITED)
        .unwrap_or_else(|error| panic!("{error}"))
}

/// A page without the section about what was known before.
fn without_the_past(explanations: &[Explanation]) -> String {
    let forgotten =
        explanations.iter().map(|explanation| Explanation { reused: None, ..explanation.clone() });
    page(&forgotten.collect::<Vec<_>>(), PageFormat::Text)
}

#[test]
fn a_kept_answer_has_the_same_page() {
    for strategy in Strategy::ALL {
        for rule in Rule::ALL {
            for system in ["SYS", "PAIR", "BAD"] {
                let what = format!("{system} {rule} {strategy:?}");
                let notes = Notes::default();
                let first = asked(MODEL, system, rule, strategy, true, &notes);
                let again = asked(MODEL, system, rule, strategy, true, &notes);
                let reused = again.explanations[0].reused.as_ref().expect(&what);
                assert!(first.explanations[0].reused.is_none() && reused.verdict, "{what}");
                assert_eq!(
                    page(&first.explanations, PageFormat::Text),
                    without_the_past(&again.explanations),
                    "{what}"
                );
                let text = page(&again.explanations, PageFormat::Text).replace('\n', " ");
                assert!(text.contains("The answer was found in an earlier run, and kept."), "{what}: {text}");
                let is_rule = matches!(again.explanations[0].argument, Argument::Rule(_));
                let is_checked = is_rule && rule != Rule::Symmetric;
                let said = match again.explanations[0].verdict {
                    Verdict::Violated => "has been replayed on the components for this page",
                    _ if is_checked => "its premises have been checked once more for this page",
                    _ if is_rule => "Not all of its premises were checked again",
                    _ => "It was not found again for this page",
                };
                assert!(text.contains(said), "{what}: {text}");
            }
        }
    }
}

#[test]
fn an_answer_that_was_kept_without_a_page_has_one() {
    for strategy in Strategy::ALL {
        let notes = Notes::default();
        let first = asked(MODEL, "PAIR", Rule::Simple, strategy, false, &notes);
        assert!(first.explanations.is_empty());
        let again = asked(MODEL, "PAIR", Rule::Simple, strategy, true, &notes);
        assert!(again.explanations[0].reused.as_ref().is_some_and(|reused| reused.verdict), "{strategy:?}");
        assert!(!matches!(again.explanations[0].argument, Argument::Nothing), "{strategy:?}");
    }
}

#[test]
fn what_was_forged_in_the_store_is_not_on_a_page() {
    let notes = Notes::default();
    let first = asked(MODEL, "PAIR", Rule::Simple, Strategy::Direct, true, &notes);
    let assumption = |verified: &Verified| match &verified.explanations[0].argument {
        Argument::Rule(proof) => proof.assumptions[0].lts.clone(),
        other => panic!("{other:?}"),
    };
    // An assumption about other actions makes no premise true.
    assert!(notes.forge("\\\"send\\\"", "\\\"sent\\\"") > 0);
    let again = asked(MODEL, "PAIR", Rule::Simple, Strategy::Direct, true, &notes);
    assert!(again.explanations[0].reused.as_ref().is_none_or(|reused| !reused.verdict));
    assert_eq!(assumption(&first), assumption(&again));
}

#[test]
fn a_change_is_told() {
    let notes = Notes::default();
    let query = |text: &str| asked(text, "PAIR", Rule::Simple, Strategy::Learn, true, &notes);
    query(MODEL);
    let slower = MODEL.replace("(send -> out -> ack -> OUTPUT)", "(send -> check -> out -> ack -> OUTPUT)");
    let text = page(&query(&slower).explanations, PageFormat::Text);
    assert!(
        text.contains("Changed since the last proof: OUTPUT. Known from before: 1 of 2 premises"),
        "{text}"
    );
    let hasty = MODEL.replace("(send -> out -> ack -> OUTPUT)", "(send -> ack -> out -> OUTPUT)");
    let text = page(&query(&hasty).explanations, PageFormat::Text).replace('\n', " ");
    assert!(text.contains("of the earlier proof, premise"), "{text}");
}

#[test]
fn a_part_that_was_removed_and_a_property_that_changed_are_told() {
    let text_of = |strategy: Strategy, from: &str, to: &str| {
        let notes = Notes::default();
        asked(MODEL, "SYS", Rule::Simple, strategy, true, &notes);
        let changed = MODEL.replace(from, to);
        assert_ne!(changed, MODEL);
        let again = asked(&changed, "SYS", Rule::Simple, strategy, true, &notes);
        assert_eq!(again.report.results[0].verdict, Verdict::Holds);
        page(&again.explanations, PageFormat::Text).replace('\n', " ")
    };
    for strategy in [Strategy::Learn, Strategy::Auto] {
        let text = text_of(strategy, "INPUT || OUTPUT || OTHER || ORDER", "INPUT || OUTPUT || ORDER");
        assert!(text.contains("Removed since the last proof: OTHER"), "{text}");
        let text = text_of(strategy, "(in -> out -> ORDER)", "(in -> out -> ORDER | out -> ORDER)");
        assert!(text.contains("Changed since the last proof: the property"), "{text}");
    }
}

#[test]
fn a_rule_is_named_beside_a_strategy_that_uses_one() {
    let mut standing = 0;
    for strategy in Strategy::ALL {
        for system in ["SYS", "PAIR"] {
            let notes = Notes::default();
            asked(MODEL, system, Rule::Simple, strategy, true, &notes);
            let slower =
                MODEL.replace("(send -> out -> ack -> OUTPUT)", "(send -> check -> out -> ack -> OUTPUT)");
            for _ in 0..2 {
                let again = asked(&slower, system, Rule::Simple, strategy, true, &notes);
                let result = &again.report.results[0];
                let decided = Strategy::from_name(&result.strategy).expect("the name of a strategy");
                assert_eq!(decided.uses_a_rule(), result.rule.is_some(), "{system} {strategy:?}: {result:?}");
                standing += usize::from(result.rule.is_some() && !strategy.uses_a_rule());
            }
        }
    }
    assert!(standing > 0, "an answer without a rule was never taken for a proof");
}
