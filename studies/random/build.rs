//! Writes random components as Rust code.

#[path = "src/text.rs"]
#[allow(dead_code, reason = "the model is written by a program")]
mod text;

use std::fmt::Write as _;

fn main() {
    println!("cargo:rerun-if-env-changed=RANDOM_TEXTS");
    println!("cargo:rerun-if-changed=src/text.rs");
    let count = std::env::var("RANDOM_TEXTS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let mut code = String::new();
    (0..count).for_each(|number| code.push_str(&text::Text::new(number).rust()));
    code.push_str("/// All of them.\npub static TEXTS: &[Written] = &[\n");
    for number in 0..count {
        let _ = writeln!(
            code,
            "    Written {{ moves: text_{number}::moves, assumption: &text_{number}::ASSUMPTION, property: &text_{number}::PROPERTY }},"
        );
    }
    code.push_str("];\n");
    let folder = std::env::var("OUT_DIR").expect("cargo says where");
    std::fs::write(format!("{folder}/texts.rs"), code).expect("cargo's folder can be written");
}
