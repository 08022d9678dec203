//! Any bytes are read as a transition system in JSON; what can be read is written and read again without a change.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rely_lts::format::json;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(lts) = json::read(bytes) {
        let mut text = Vec::new();
        json::write(&lts, &mut text).expect("memory can be written to");
        let again = json::read(&text).unwrap_or_else(|errors| panic!("{errors:?}"));
        assert!(again == lts, "another system is read back");
    }
});
