//! What certificates of `verify` are about.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use rely_base::Budget;
use rely_certificate::Evidence;
use rely_session::{Key, Memory, Project, Strategy, VerifyQuery, certify, verify_with_memory};

const TEXT: &str = "
    USER = (take -> give -> USER).
    LOCK = (take -> {give, open} -> LOCK).
    DOOR = (open -> shut -> DOOR).
    LAMP = (on -> off -> LAMP).
    property TURNS = (take -> give -> TURNS).
    ||S = (LAMP || DOOR || USER || LOCK || TURNS).
";

fn project() -> Project {
    Project::new("s.lts", TEXT, Box::new(|_| Err("there are no imports".to_owned())))
}

/// The evidence that a query leads to, after the judge has accepted it.
fn evidence(query: &VerifyQuery<'_>, memory: Option<&dyn Memory>) -> Evidence {
    let project = project();
    let verified = verify_with_memory(&project, query, memory, Budget::UNLIMITED).expect("no mistake");
    let mut certificate = verified.certificate;
    let mut text = Vec::new();
    certificate.write(&mut text).expect("a vector can be written to");
    let judged = certify(&project, "certificate", &text, &[], Budget::UNLIMITED).expect("it can be judged");
    let (derived, claimed): (Vec<_>, Vec<_>) = judged.results.iter().partition(|result| result.derived);
    assert!(claimed.len() == 1 && claimed[0].accepted && derived.len() == 1, "{:?}", judged.results);
    certificate.claims.pop().expect("there is one claim").evidence
}

/// The parts that a certificate speaks about.
fn parts(strategy: Strategy, certify: bool) -> Vec<usize> {
    match evidence(&VerifyQuery { strategy, certify, ..VerifyQuery::about("S") }, None) {
        Evidence::Composition(proof) => {
            assert!(!certify || strategy == Strategy::Monolithic, "a reduction has evidence of its own");
            proof.groups.concat()
        }
        Evidence::Reduction(proof) => {
            assert!(certify, "nobody asked for it");
            proof.parts
        }
        _ => panic!("properties are proved by composition or reduction"),
    }
}

#[test]
fn parts_that_are_not_needed_are_not_in_the_certificate() {
    for certify in [false, true] {
        assert_eq!(parts(Strategy::Monolithic, certify), [1, 2, 3], "nothing reaches the lamp");
        assert_eq!(parts(Strategy::Localise, certify), [2], "the user suffices");
    }
    assert_eq!(parts(Strategy::Reduce, false), [1, 2, 3]);
    assert_eq!(parts(Strategy::Reduce, true), [2]);
}

/// Keeps everything, and says how often it was of use.
#[derive(Default)]
struct Notes {
    known: RefCell<HashMap<Key, Vec<u8>>>,
    recalled: Cell<usize>,
}

impl Memory for Notes {
    fn is_trusted(&self) -> bool {
        true
    }

    fn recall(&self, key: &Key) -> Option<Vec<u8>> {
        let found = self.known.borrow().get(key).cloned();
        self.recalled.set(self.recalled.get() + usize::from(found.is_some()));
        found
    }

    fn remember(&self, entries: &[(Key, Vec<u8>)]) {
        self.known.borrow_mut().extend(entries.iter().cloned());
    }
}

#[test]
fn what_is_remembered_has_the_same_evidence() {
    for strategy in [Strategy::Reduce, Strategy::Localise] {
        let query = VerifyQuery { strategy, certify: true, ..VerifyQuery::about("S") };
        let notes = Notes::default();
        let first = evidence(&query, Some(&notes));
        let before = notes.recalled.get();
        let second = evidence(&query, Some(&notes));
        assert!(notes.recalled.get() > before, "the answer is known");
        assert_eq!(first, second);
        assert!(matches!(first, Evidence::Reduction(_)));
    }
}
