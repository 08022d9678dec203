//! What a system consists of, for a study: its tasks, and the properties that can be asked of it.

use rely_base::Budget;
use rely_model::Failure;

use crate::meaning::Meaning;
use crate::parts::Library;
use crate::{Failed, Project};

/// A task of a system: a part of its composition as it is written, with everything that is inside of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// Its name.
    pub name: String,
    /// The full names of its components.
    pub components: Vec<String>,
}

/// What there is to study.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Survey {
    /// The tasks of the system, in order.
    pub tasks: Vec<Task>,
    /// The properties: those among the parts of the system, or, if there are none, all property processes of the file.
    pub properties: Vec<String>,
    /// Everything that can be named as a property.
    pub names: Vec<String>,
}

impl Survey {
    /// The components of some tasks. A name that is no task stands for itself.
    pub fn components_of(&self, names: &[String]) -> Vec<String> {
        let components = |name: &String| match self.tasks.iter().find(|task| task.name == *name) {
            Some(task) => task.components.clone(),
            None => vec![name.clone()],
        };
        names.iter().flat_map(components).collect()
    }

    /// All ways to divide the tasks into two groups, by the tasks of the first one; nothing if there are too many tasks.
    pub fn splits(&self) -> Option<Vec<Vec<String>>> {
        const MOST_TASKS: usize = 16;
        if self.tasks.len() > MOST_TASKS {
            return None;
        }
        let all: u32 = (1 << self.tasks.len()) - 1;
        let chosen = |set: u32| -> Vec<String> {
            let tasks = self.tasks.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
            tasks.map(|(_, task)| task.name.clone()).collect()
        };
        Some((1..all).map(chosen).collect())
    }
}

/// All processes and composites of a file.
pub fn targets(project: &Project) -> Vec<String> {
    Meaning::of(project, Budget::UNLIMITED).all_targets()
}

/// Looks at a system.
///
/// # Errors
/// The model has errors, or is too large to be looked at.
pub fn survey(project: &Project, system: &str, budget: Budget<'_>) -> Result<Survey, Failed> {
    let mut library = Library::of(std::slice::from_ref(project), budget);
    let network = match library.system(system) {
        Ok(network) if !library.has_errors() => network,
        Ok(_) | Err(Failure::Errors) => return Err(Failed::Errors(library.findings())),
        Err(Failure::Exhausted(exhausted)) => return Err(Failed::Exhausted(exhausted, library.findings())),
    };
    let mut tasks: Vec<Task> = Vec::new();
    let mut properties: Vec<String> = Vec::new();
    for component in network.components() {
        if library.table.is_property(&component.name) {
            properties.push(component.name.clone());
            continue;
        }
        // A task is the outermost composite that a component is in: `DISPATCHER` for `DISPATCHER.CONTROL`.
        let name = library.table.path(&component.name).swap_remove(0);
        match tasks.iter_mut().find(|task| task.name == name) {
            Some(task) => task.components.push(component.name.clone()),
            None => tasks.push(Task { name, components: vec![component.name.clone()] }),
        }
    }
    let names = library.names();
    if properties.is_empty() {
        properties = library.declared_properties();
    }
    let assertions = Meaning::of(project, budget).assertions(&|_| true).unwrap_or_default();
    let assertions = assertions.into_iter().map(|assertion| assertion.name);
    let names = names.into_iter().chain(properties.iter().cloned()).chain(assertions).collect();
    Ok(Survey { tasks, properties, names })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_has_tasks_properties_and_splits() {
        let text = "const N = 2
            A = (a -> b -> A). ||PAIR = (x:A || y:A). C = (c -> C).
            property P = (x.a -> x.b -> P). property Q = (c -> Q).
            ||INSIDE = (PAIR || C || z[1..N]:C || P). ||BESIDE = (PAIR || C).";
        let project = Project::new("m.lts", text, Box::new(|_| Err("no imports".into())));
        let look =
            |system| survey(&project, system, Budget::UNLIMITED).unwrap_or_else(|_| panic!("no errors"));
        let inside = look("INSIDE");
        let names: Vec<&str> = inside.tasks.iter().map(|task| task.name.as_str()).collect();
        assert_eq!(names, ["PAIR", "C", "z.1:C", "z.2:C"]);
        assert_eq!(inside.properties, ["P"]);
        assert_eq!(inside.splits().map(|splits| splits.len()), Some(14));
        assert_eq!(inside.components_of(&["PAIR".into(), "z".into()]), ["PAIR.x:A", "PAIR.y:A", "z"]);
        assert_eq!(look("BESIDE").properties, ["P", "Q"]);
        assert_eq!(look("BESIDE").splits(), Some(vec![vec!["PAIR".to_owned()], vec!["C".to_owned()]]));
        assert!(matches!(survey(&project, "NONE", Budget::UNLIMITED), Err(Failed::Errors(_))));
    }
}
