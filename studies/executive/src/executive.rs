//! The thread that runs plans.

use std::sync::Arc;

use crate::{ActionExecution, Condition, ConditionChecks, Exec, Fault};

/// A node of a plan: an action, and the conditions one of which has to hold before it.
#[derive(Clone, Debug)]
pub struct Node {
    /// What to wait for.
    pub conditions: Vec<Condition>,
    /// What to do then.
    pub action: &'static str,
}

/// A plan of one node with some conditions, which hold when a function says so.
pub fn plan(conditions: u8, holds: impl Fn() -> bool + Send + Sync + 'static) -> Vec<Node> {
    let holds: Arc<dyn Fn() -> bool + Send + Sync> = Arc::new(holds);
    let conditions = (0..conditions).map(|id| Condition { id, holds: Arc::clone(&holds) });
    vec![Node { conditions: conditions.collect(), action: "drive" }]
}

/// Runs a plan.
#[derive(Debug)]
pub struct Executive {
    exec: Arc<Exec>,
    plan: Vec<Node>,
    fault: Fault,
    actions: ActionExecution,
}

impl Executive {
    /// An executive for a plan.
    pub fn new(exec: Arc<Exec>, plan: Vec<Node>, fault: Fault) -> Self {
        Self { exec, plan, fault, actions: ActionExecution::default() }
    }

    /// The thread: waits for a condition of each node, and does its action.
    pub fn run(&self, checker: &impl ConditionChecks) {
        for node in &self.plan {
            for condition in &node.conditions {
                checker.add_condition_check(condition.clone());
            }
            if !self.wait_for_call(checker) {
                return;
            }
            for condition in &node.conditions {
                checker.remove_condition_check(condition.id);
            }
            self.actions.execute(node.action);
        }
    }

    /// What has been done.
    pub fn actions(&self) -> &ActionExecution {
        &self.actions
    }

    /// Waits for a wake-up call and clears it; `false` if the executive is to stop.
    fn wait_for_call(&self, checker: &impl ConditionChecks) -> bool {
        if self.fault == Fault::UnlockedGet && checker.get_saved_wakeup().is_some() {
            checker.delete_saved_wakeup();
            return true;
        }
        let mut holding = self.exec.hold();
        if self.fault == Fault::EarlyClear {
            checker.delete_saved_wakeup();
        }
        while checker.get_saved_wakeup().is_none() {
            if *holding {
                return false;
            }
            holding = self.exec.wait(holding);
        }
        match self.fault {
            Fault::HastyClear => {
                drop(holding);
                holding = self.exec.hold();
                checker.delete_saved_wakeup();
                drop(holding);
            }
            Fault::LateClear => {
                drop(holding);
                checker.delete_saved_wakeup();
            }
            Fault::NoClear | Fault::EarlyClear => drop(holding),
            _ => {
                checker.delete_saved_wakeup();
                drop(holding);
            }
        }
        true
    }
}
