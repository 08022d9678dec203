//! Every rule is broken once, and what looks like breaking it is let through.

use super::*;

/// What is wrong with the code of a file that is in order otherwise.
fn in_file(path: &str, code: &str) -> Vec<String> {
    check_source(Path::new(path), &format!("//! A file.\n{code}\n"))
}

fn in_library(code: &str) -> Vec<String> {
    in_file("crates/lts/src/x.rs", code)
}

fn assert_found(problems: &[String], what: &str) {
    assert!(problems.len() == 1 && problems[0].contains(what), "{what}: {problems:?}");
}

#[test]
fn any_text() {
    let of = |name: &str, text: &str| check_text(Path::new(name), text);
    assert_eq!(of("a.md", "one\ntwo\n"), [""; 0]);
    assert_eq!(of("a.svg", "one \n"), [""; 0]);
    assert_found(&of("a.md", "one\ntwo \n"), "a.md:2: blanks");
    assert_found(&of("a.md", "one\ntwo"), "no newline");
}

#[test]
fn heads_and_lengths() {
    let path = Path::new("crates/lts/src/x.rs");
    assert_eq!(check_source(path, "//! A file.\n"), [""; 0]);
    assert_found(&check_source(path, "use std::fmt;\n"), "at its head");
    let long = |lines: usize| in_library(&"fn f() {}\n".repeat(lines)).len();
    assert_eq!((long(MAX_LINES - 2), long(MAX_LINES)), (0, 1));
}

#[test]
fn banned_everywhere() {
    for word in BANNED {
        for path in ["crates/cli/src/x.rs", "crates/lts/tests/x.rs", "xtask/src/x.rs"] {
            assert_found(&in_file(path, &format!("fn f() {{ {word}) }}")), word);
        }
    }
    assert_found(&in_file("fuzz/fuzz_targets/x.rs", "fn f() { unsafe { g() } }"), "unsafe has no place");
    assert_eq!(in_library("#![forbid(unsafe_code)]\n// unsafe\nfn unsafely() {}"), [""; 0]);
}

#[test]
fn state_that_all_share() {
    for kind in ["Mutex<u8>", "std::sync::RwLock<u8>", "AtomicUsize", "OnceLock<u8>", "LazyLock<Mutex<u8>>"] {
        for public in ["", "pub ", "    pub(crate) "] {
            let code = format!("{public}static SHARED: {kind} = new();");
            assert_found(&in_file("crates/cli/src/x.rs", &code), "is a global variable");
        }
    }
    assert_found(&in_library("static mut COUNT: u8 = 0;"), "static mut has no place");
    assert_found(&in_library("thread_local! {}"), "thread_local! has no place");
    assert_eq!(
        in_library(
            "static NAMES: [&str; 2] = [\"a\", \"b\"];\nstatic START: LazyLock<u8> = new();\nlet x: Mutex<u8> = new();"
        ),
        [""; 0]
    );
}

#[test]
fn libraries_have_no_effects() {
    for effect in EFFECTS {
        let code = format!("fn f() {{ {effect}(x) }}");
        assert_found(&in_library(&code), &format!("{effect} has no place in a library"));
        let outside =
            ["crates/cli/src/x.rs", "crates/lts/tests/x.rs", "crates/lts/src/a/tests.rs", "xtask/src/x.rs"];
        for path in outside {
            assert_eq!(in_file(path, &code), [""; 0], "{path}");
        }
    }
    assert_found(&in_library("use std::{fmt, fs};"), "std::fs");
    assert_found(
        &in_library("use std::{\n    fmt,\n    io::{self, Read},\n    env::{args, vars},\n};"),
        "std::env",
    );
    assert_eq!(in_library("use std::{fmt, io::{self, Write}};\n// println!\nfn blueprint() {}"), [""; 0]);
}

#[test]
fn tests_are_left_out_and_what_comes_after_them_is_not() {
    let tests = "#[cfg(test)]\n#[allow(x)]\nmod tests {\n    fn f() {\n        println!();\n    }\n}\n";
    assert_eq!(in_library(tests), [""; 0]);
    assert_found(&in_library(&format!("{tests}fn g() {{ println!() }}")), "println!");
    assert_found(&in_library("#[cfg(test)]\nmod naive;\nuse std::fs::File;"), "std::fs");
    let method =
        "impl X {\n    #[cfg(test)]\n    fn f(\n        a: u8,\n    ) {\n        println!();\n    }\n";
    assert_eq!(in_library(&format!("{method}}}")), [""; 0]);
    assert_found(&in_library(&format!("{method}    fn g() {{ println!() }}\n}}")), "println!");
}

#[test]
fn one_table_names_the_front_ends() {
    let code = "use rely_fsp::Fsp;";
    assert_found(&in_library(code), "names rely_fsp");
    assert_eq!(in_file("crates/session/src/languages.rs", code), [""; 0]);
    assert_eq!(in_file("crates/session/tests/ended.rs", code), [""; 0]);
}

#[test]
fn naive_twins_are_naive() {
    let in_testkit = |code: &str| in_file("crates/testkit/src/naive/x.rs", code);
    assert_eq!(
        in_testkit("use rely_lts::{Lts, equivalence::Equivalence};\nfn compare() { a.cmp(b) }"),
        [""; 0]
    );
    assert_found(&in_testkit("use rely_lts::{Lts, equivalence::{Equivalence, minimise}};"), "minimise");
    assert_found(&in_testkit("let x = rely_lts::operators::hide(lts);"), "operators");
    assert_found(&in_testkit("let x = network.condensed(budget);"), "condensed");
}

#[test]
fn names_that_say_nothing() {
    for (code, name) in [
        ("struct StateManager;", "StateManager"),
        ("    pub(crate) fn helper_of(x: u8) {}", "helper_of"),
        ("pub mod utils;", "utils"),
        ("pub trait AbstractRule {}", "AbstractRule"),
    ] {
        assert_found(&in_library(code), &format!("{name} says nothing"));
    }
    assert_found(&in_file("crates/lts/src/util.rs", ""), "util says nothing");
    let good =
        "struct Abstraction;\nfn abstract_environment() {}\nfn utility() {}\nlet helper = \"struct Util\";";
    assert_eq!(in_library(good), [""; 0]);
}
