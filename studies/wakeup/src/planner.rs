//! The two threads.

use std::sync::Arc;

use crate::{Fault, Signals};

/// What the runner asks of the planner.
pub trait Plan {
    /// Make a plan.
    fn signal_plan(&self);
}

/// Waits for `plan`, and signals `work`: it has the event that it waits for.
#[derive(Debug)]
pub struct Planner {
    plan: Signals,
    rounds: u8,
}

impl Planner {
    /// A planner that makes some plans.
    pub fn new(rounds: u8, fault: Fault) -> Self {
        Self { plan: Signals::new("plan", fault), rounds }
    }

    /// The thread.
    pub fn run(&self, work: &Signals) {
        let mut noticed = 0;
        for _ in 0..self.rounds {
            self.plan.wait_beyond(noticed);
            match self.plan.notice() {
                Some(signals) => noticed = signals,
                None => return,
            }
            work.signal();
        }
    }

    /// Ends the thread when it has nothing to plan.
    pub fn stop(&self) {
        self.plan.stop();
    }
}

impl Plan for Planner {
    fn signal_plan(&self) {
        self.plan.signal();
    }
}

/// Signals `plan`, and waits for `work`.
#[derive(Debug)]
pub struct Runner {
    work: Arc<Signals>,
    rounds: u8,
}

impl Runner {
    /// A runner that asks for some plans.
    pub fn new(rounds: u8, work: Arc<Signals>) -> Self {
        Self { work, rounds }
    }

    /// The thread.
    pub fn run(&self, planner: &impl Plan) {
        let mut noticed = 0;
        for _ in 0..self.rounds {
            planner.signal_plan();
            self.work.wait_beyond(noticed);
            match self.work.notice() {
                Some(signals) => noticed = signals,
                None => return,
            }
        }
    }
}
