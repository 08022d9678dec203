//! The executive in production: with the locks of the standard library, and a watch that logs.
//!
//! Beside it lies `automata.rs` of the harness; `cargo xtask studies` puts both into a program, and runs it. It prints what
//! has happened, as `rely monitor --check` reads it.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is a command-line tool")]

#[allow(dead_code, reason = "models of both sides are there as well")]
mod automata;

use std::error::Error;
use std::sync::Arc;
use std::thread::Builder;

use executive::{CondChecker, Exec, Executive, Fault, TimerChecker, plan};
use rely_runtime::{Reaction, Watch};

use crate::automata::{ASSUMPTION, DESIGN, HELD, TAKEN_ONCE};

fn main() -> Result<(), Box<dyn Error>> {
    let watch = Watch::builder(&DESIGN)
        .with(&HELD, Reaction::Log)
        .with(&ASSUMPTION, Reaction::Log)
        .with(&TAKEN_ONCE, Reaction::Log)
        .keep(256)
        .on_violation(|report| eprintln!("{report}"))
        .build()?;
    let watch = Arc::new(watch);
    rely_runtime::install(Arc::clone(&watch)).expect("there is no other");
    run()?;
    watch.report().steps.iter().for_each(|step| println!("{}", step.to_json()));
    Ok(())
}

/// One plan, which waits for one of two conditions. Both hold.
fn run() -> Result<(), Box<dyn Error>> {
    let exec = Arc::new(Exec::default());
    let checker = Arc::new(CondChecker::new(Arc::clone(&exec), Fault::chosen()));
    let looking = {
        let checker = Arc::clone(&checker);
        Builder::new().name("checker".into()).spawn(move || checker.run())?
    };
    let timer = TimerChecker::new(Arc::clone(&exec), 1);
    let ticking = Builder::new().name("timer".into()).spawn(move || timer.run())?;
    let running = {
        let (executive, checker) = (Executive::new(exec, plan(2, || true), Fault::chosen()), Arc::clone(&checker));
        Builder::new().name("executive".into()).spawn(move || executive.run(&*checker))?
    };
    for thread in [running, ticking] {
        thread.join().expect("nobody panics");
    }
    checker.stop();
    looking.join().expect("nobody panics");
    Ok(())
}
