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
                // Labels are numbered in the order of the text, and a state's transitions are written in that order.
                assert!(lines(&text) == lines(&text_again), "another system is read back");
            }
        }
    }
});

fn lines(text: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
    lines.sort_unstable();
    lines
}
