//! Mistakes that the program can be made with.

/// What is wrong with the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Nothing.
    None,
    /// A guest waits without looking again once it has a listener.
    NoSecondLook,
    /// The keeper notifies before it opens.
    EarlyNotify,
    /// The keeper does not notify.
    NoNotify,
}

impl Fault {
    /// All of them, with their names.
    pub const ALL: [(&'static str, Self); 4] = [
        ("none", Self::None),
        ("no-second-look", Self::NoSecondLook),
        ("early-notify", Self::EarlyNotify),
        ("no-notify", Self::NoNotify),
    ];

    /// The fault that the variable GATE_FAULT names.
    ///
    /// # Panics
    /// When there is no such fault.
    pub fn chosen() -> Self {
        let name = std::env::var("GATE_FAULT").unwrap_or_else(|_| "none".to_owned());
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        found.unwrap_or_else(|| panic!("there is no fault {name}")).1
    }
}
