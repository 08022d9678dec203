//! Any bytes are read as a certificate and judged; one that was tampered with is never accepted for a wrong claim.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rely_base::{Budget, Limits};
use rely_session::Project;

/// A model for which not everything holds: `SAFE` is violated, `STUCK` deadlocks, and `LIVE` and `ALWAYS` fail.
const MODEL: &str = "\
P = (a -> b -> P | c -> STOP).
property SAFE = (a -> SAFE).
||STUCK = (P || SAFE).
progress LIVE = {b}
assert ALWAYS = []<>b
";

fuzz_target!(|bytes: &[u8]| {
    let project = Project::new("fuzz.lts", MODEL, Box::new(|_| Err("no imports".to_owned())));
    let budget = Budget::new(Limits { states: Some(2000), bytes: Some(16 << 20) }, None);
    if let Ok(report) = rely_session::certify(&project, "fuzz.cert", bytes, &[], budget) {
        for result in report.results {
            assert!(!result.accepted, "{result:?} is wrong");
        }
    }
});
