//! Mistakes that the program can be made with.

/// What is wrong with the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Nothing.
    None,
    /// A thread looks whether there was a signal, lets the mutex go, and then waits.
    HastyWait,
    /// The count is raised without waking anybody.
    SilentSignal,
}

impl Fault {
    /// All of them, with their names.
    pub const ALL: [(&'static str, Self); 3] =
        [("none", Self::None), ("hasty-wait", Self::HastyWait), ("silent-signal", Self::SilentSignal)];

    /// The fault that the variable WAKEUP_FAULT names.
    ///
    /// # Panics
    /// When there is no such fault.
    pub fn chosen() -> Self {
        let name = std::env::var("WAKEUP_FAULT").unwrap_or_else(|_| "none".to_owned());
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        found.unwrap_or_else(|| panic!("there is no fault {name}")).1
    }
}
