//! The actions of a design, and which event of the program is which of them.

/// In [`EventKey::actions`]: the event with these values is none of the design.
pub const NO_ACTION: u32 = u32::MAX;

/// A design, as far as its events go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Design {
    /// Its name.
    pub name: &'static str,
    /// The digest of what it was made from.
    pub digest: u64,
    /// The names of the actions; the number of an action is its place here.
    pub actions: &'static [&'static str],
    /// The events, sorted by method, object and thread.
    pub events: &'static [EventKey],
}

/// An event of the program: a method of an object, called in a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EventKey {
    /// The method.
    pub method: &'static str,
    /// The object.
    pub object: &'static str,
    /// The thread; `*` is any thread that has no event of its own for this method and object.
    pub thread: &'static str,
    /// The values that belong to it.
    pub values: &'static [ValueRange],
    /// For each combination of values, the last of which changes fastest, the action, or [`NO_ACTION`].
    pub actions: &'static [u32],
}

/// The values that are possible: from the first to the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValueRange(pub i64, pub i64);

/// Why an event is none of the design.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unknown {
    /// No event has this method, object and thread.
    Key,
    /// There is one, and its values are others.
    Values,
}

/// An event that the design knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    /// The place of its key among the events.
    pub(crate) key: u32,
    /// The place of its values among their combinations.
    pub(crate) place: u32,
    /// The action that it is.
    pub(crate) action: u32,
}

impl Design {
    /// The action that an event is.
    ///
    /// # Errors
    /// Why it is none.
    pub fn action(&self, thread: &str, method: &str, object: &str, values: &[i64]) -> Result<u32, Unknown> {
        self.find(thread, method, object, values).map(|found| found.action)
    }

    /// All actions that a method may be, whatever the values.
    pub fn actions_of(&self, thread: &str, method: &str, object: &str) -> &'static [u32] {
        self.place_of(thread, method, object).map_or(&[], |place| self.events[place].actions)
    }

    pub(crate) fn find(
        &self,
        thread: &str,
        method: &str,
        object: &str,
        values: &[i64],
    ) -> Result<Found, Unknown> {
        let key = self.place_of(thread, method, object).ok_or(Unknown::Key)?;
        let (place, action) = self.events[key].action(values).ok_or(Unknown::Values)?;
        let number = |place: usize| u32::try_from(place).map_err(|_| Unknown::Values);
        Ok(Found { key: number(key)?, place: number(place)?, action })
    }

    fn place_of(&self, thread: &str, method: &str, object: &str) -> Option<usize> {
        let place = |thread: &str| {
            let wanted = (method, object, thread);
            self.events.binary_search_by(|key| (key.method, key.object, key.thread).cmp(&wanted)).ok()
        };
        place(thread).or_else(|| place("*"))
    }

    /// The name of an action.
    pub fn action_name(&self, action: u32) -> &'static str {
        self.actions.get(action as usize).copied().unwrap_or("?")
    }
}

impl EventKey {
    /// The place of some values, and their action.
    fn action(&self, values: &[i64]) -> Option<(usize, u32)> {
        if values.len() != self.values.len() {
            return None;
        }
        let mut place = 0;
        for (&value, &range) in values.iter().zip(self.values) {
            if !(range.0..=range.1).contains(&value) {
                return None;
            }
            place = place * range.width() + usize::try_from(value - range.0).ok()?;
        }
        let action = self.actions.get(place).copied()?;
        (action != NO_ACTION).then_some((place, action))
    }

    /// The values at a place.
    pub(crate) fn values_at(&self, mut place: usize) -> Vec<i64> {
        let mut values = Vec::new();
        for range in self.values.iter().rev() {
            values.push(range.0 + i64::try_from(place % range.width()).unwrap_or_default());
            place /= range.width();
        }
        values.reverse();
        values
    }
}

impl ValueRange {
    /// How many values there are; at least one, so that places can be divided by it.
    fn width(self) -> usize {
        usize::try_from(self.1.saturating_sub(self.0)).unwrap_or(0).saturating_add(1)
    }
}
