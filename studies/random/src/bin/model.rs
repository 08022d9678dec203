//! `model COUNT`: prints random components in FSP; `PREMISE_…` of each is safe if its premise holds within the depth.
#![allow(clippy::print_stdout, reason = "this is what it is for")]

use random::case::{CALLS, OWN_STEPS};

fn main() {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(60);
    print!("{}", random::text::model(count, OWN_STEPS, CALLS));
}
