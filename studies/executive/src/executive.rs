//! The thread that runs plans.

use std::sync::Arc;

use crate::{ActionExecution, Condition, ConditionChecks, Exec};

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

/// When a wake-up call is cleared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Care {
    /// After `exec` has been given back and taken again, so that others need not wait. This is the bug.
    Hasty,
    /// In the critical section in which it was read.
    Careful,
}

/// Runs a plan.
#[derive(Debug)]
pub struct Executive {
    exec: Arc<Exec>,
    plan: Vec<Node>,
    care: Care,
    actions: ActionExecution,
}

impl Executive {
    /// An executive for a plan.
    pub fn new(exec: Arc<Exec>, plan: Vec<Node>, care: Care) -> Self {
        Self { exec, plan, care, actions: ActionExecution::default() }
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
        let mut holding = self.exec.hold();
        while checker.get_saved_wakeup().is_none() {
            if *holding {
                return false;
            }
            holding = self.exec.wait(holding);
        }
        if self.care == Care::Hasty {
            drop(holding);
            holding = self.exec.hold();
        }
        checker.delete_saved_wakeup();
        drop(holding);
        true
    }
}
