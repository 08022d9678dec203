//! Any bytes are read as .aut; what can be read is written and read again without a change.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rely_lts::format::aut::{self, Spelling};

fuzz_target!(|bytes: &[u8]| {
    match aut::read(bytes) {
        Err(errors) => {
            assert!((1..=aut::MAX_ERRORS + 2).contains(&errors.len()), "{} errors", errors.len());
            for error in &errors {
                assert!(error.offset <= bytes.len() && error.line > 0 && error.column > 0, "{error:?}");
                error.to_diagnostic();
            }
        }
        Ok(lts) => {
            let mut text = Vec::new();
            if aut::write(&lts, Spelling::default(), &mut text).is_ok() {
                let again = aut::read(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
                let mut text_again = Vec::new();
                aut::write(&again, Spelling::default(), &mut text_again).expect("it was written before");
                // The error state moves to the end, and actions are numbered anew: the texts are compared.
                assert!(text == text_again, "another system is read back");
            }
        }
    }
});
