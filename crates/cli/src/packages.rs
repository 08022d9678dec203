//! Where packaged components are kept.

use std::cell::RefCell;
use std::path::PathBuf;

use rely_repository::Packages as Store;
use rely_session::{Package, Packages};

use crate::context::say;

/// The packages of a repository, for those who look for evidence. What is damaged is left out, and that is said.
pub(crate) struct Shelved {
    store: Store,
    troubles: RefCell<Vec<String>>,
}

impl Shelved {
    /// The repository in a folder, if one is named and there is one.
    ///
    /// # Errors
    /// What is there cannot be read.
    pub(crate) fn open(folder: Option<PathBuf>) -> anyhow::Result<Option<Self>> {
        let Some(folder) = folder else { return Ok(None) };
        let Some(store) = Store::open(&folder)? else {
            say(format_args!("rely: there is no repository in {}", folder.display()));
            return Ok(None);
        };
        Ok(Some(Self { store, troubles: RefCell::default() }))
    }

    /// Says on standard error what could not be used.
    pub(crate) fn warn(&self) {
        for trouble in self.troubles.take() {
            say(format_args!("rely: {trouble}"));
        }
    }

    fn note(&self, trouble: String) {
        let mut troubles = self.troubles.borrow_mut();
        if !troubles.contains(&trouble) {
            troubles.push(trouble);
        }
    }
}

impl Packages for Shelved {
    fn of_component(&self, component: &str) -> Vec<Package> {
        let names = self.store.names().unwrap_or_else(|trouble| {
            self.note(trouble.to_string());
            Vec::new()
        });
        let mut packages = Vec::new();
        for name in names {
            match self.store.get(&name) {
                Ok(Some(content)) => match Package::from_json(&content) {
                    Ok(package) if package.component == component => packages.push(package),
                    Ok(_) => {}
                    Err(reason) => self.note(format!("the package {name} is of no use: {reason}")),
                },
                Ok(None) => {}
                Err(trouble) => self.note(trouble.to_string()),
            }
        }
        packages
    }
}
