//! Mistakes that the program can be made with, to see that the premises find them.

/// What is wrong with the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Nothing.
    None,
    /// The executive gives `exec` back between reading a call and clearing it, so that others need not wait. This is the
    /// mistake of the K9 rover.
    HastyClear,
    /// The executive looks for a call before it takes `exec`.
    UnlockedGet,
    /// The executive clears a call after it has given `exec` back.
    LateClear,
    /// The executive does not clear a call.
    NoClear,
    /// The executive clears a call before it looks whether there is one.
    EarlyClear,
    /// The checker does not take `exec`.
    UnlockedWake,
    /// The checker looks for a call again when it has given `exec` back.
    SecondLook,
    /// The checker leaves a call without looking.
    BlindPut,
    /// The checker leaves a call though there is one.
    SecondPut,
    /// The checker does something that the design does not know.
    UnknownEvent,
}

impl Fault {
    /// All of them, with their names.
    pub const ALL: [(&'static str, Self); 11] = [
        ("none", Self::None),
        ("hasty-clear", Self::HastyClear),
        ("unlocked-get", Self::UnlockedGet),
        ("late-clear", Self::LateClear),
        ("no-clear", Self::NoClear),
        ("early-clear", Self::EarlyClear),
        ("unlocked-wake", Self::UnlockedWake),
        ("second-look", Self::SecondLook),
        ("blind-put", Self::BlindPut),
        ("second-put", Self::SecondPut),
        ("unknown-event", Self::UnknownEvent),
    ];

    /// The fault that the variable EXECUTIVE_FAULT names.
    ///
    /// # Panics
    /// When there is no such fault.
    pub fn chosen() -> Self {
        let name = std::env::var("EXECUTIVE_FAULT").unwrap_or_else(|_| "none".to_owned());
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        found.unwrap_or_else(|| panic!("there is no fault {name}")).1
    }
}
