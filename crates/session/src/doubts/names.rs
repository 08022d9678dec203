//! Warnings of names that no process has, with the consequence, and the names that may have been meant.
//!
//! An action of a property, a formula or a progress property that no process has says nothing about the system. Most
//! often its name is misspelt (`comit`), or a prefix was forgotten, as in `a` where there are `x.a` and `y.a`.

use std::collections::BTreeSet;

use rely_model::Watched;
use rely_syntax::nearest;

use crate::check::list;

/// Maximum number of names that are offered for one name.
const OFFERED: usize = 3;

/// Maximum number of names in one warning for which advice is given.
const ADVISED: usize = 3;

/// Maximum number of pairs of names that are compared for one warning.
const MOST_COMPARISONS: usize = 1 << 15;

/// The consequence for an action that no process has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fate {
    /// It may happen at any time: a property has it, and no process can refuse it.
    Free,
    /// It never happens; something only waits for it.
    Never,
}

impl Fate {
    fn of_one(self) -> &'static str {
        match self {
            Self::Free => "it is free to occur at any time",
            Self::Never => "it never occurs",
        }
    }

    fn of_several(self) -> &'static str {
        match self {
            Self::Free => "they are free to occur at any time",
            Self::Never => "they never occur",
        }
    }
}

/// The actions that can be meant by a name, sorted.
pub(crate) struct Names<'n> {
    known: Vec<&'n str>,
}

impl<'n> Names<'n> {
    pub(crate) fn new(known: BTreeSet<&'n str>) -> Self {
        Self { known: known.into_iter().collect() }
    }

    /// Whether some process has an action.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.known.binary_search(&name).is_ok()
    }

    /// A warning of actions that no component has, if there are any.
    pub(crate) fn warning(&self, absent: &[String], fate: Fate) -> Option<String> {
        self.sentence(absent, "no component has", "", fate)
    }

    /// A warning of actions that properties have, but no process.
    pub(crate) fn warning_of_watched(&self, absent: &[String], fate: Fate) -> Option<String> {
        self.sentence(absent, "nothing but a property has", "", fate)
    }

    /// A warning of actions that only the property in question has.
    pub(crate) fn warning_of_goal(&self, absent: &[String]) -> Option<String> {
        self.sentence(absent, "only the property has", "", Fate::Free)
    }

    /// Which names may have been meant by an unknown one, as the end of a sentence.
    pub(crate) fn advice(&self, name: &str) -> String {
        match &likely(name, &self.known)[..] {
            [] => String::new(),
            offered => format!("; did you mean {}?", offered.join(" or ")),
        }
    }

    /// Warnings of the actions of properties that no process has, one for each definition of a property.
    pub(crate) fn warnings_of_properties(&self, unowned: &[Watched]) -> Vec<String> {
        let mut by_definition: Vec<(&str, BTreeSet<&String>)> = Vec::new();
        for Watched { definition, actions, .. } in unowned {
            match by_definition.iter_mut().find(|(other, _)| *other == &**definition) {
                Some((_, all)) => all.extend(actions),
                None => by_definition.push((definition, actions.iter().collect())),
            }
        }
        let warning = |(property, actions): (&str, BTreeSet<&String>)| {
            let absent: Vec<String> = actions.into_iter().cloned().collect();
            self.sentence(&absent, "no process has", &format!(" of property {property}"), Fate::Free)
        };
        by_definition.into_iter().filter_map(warning).collect()
    }

    /// A sentence for the user: which actions are absent, what follows from that, and which actions may have been
    /// meant. Names with advice come first, so that they are shown even if only some are listed.
    fn sentence(&self, absent: &[String], nobody: &str, of: &str, fate: Fate) -> Option<String> {
        let mut comparisons = MOST_COMPARISONS / self.known.len().max(1);
        let mut advised: Vec<(&String, Vec<&str>)> = Vec::new();
        let mut others: Vec<&String> = Vec::new();
        for name in absent {
            let offered = if comparisons > 0 { likely(name, &self.known) } else { Vec::new() };
            comparisons = comparisons.saturating_sub(1);
            if offered.is_empty() { others.push(name) } else { advised.push((name, offered)) }
        }
        let names: Vec<String> = advised.iter().map(|(name, _)| *name).chain(others).cloned().collect();
        let becomes = match names.len() {
            0 => return None,
            1 => fate.of_one(),
            _ => fate.of_several(),
        };
        let mut message = format!("{nobody} {}{of}: {becomes}", list(&names));
        let advice = advised.iter().take(ADVISED).map(|(name, offered)| match names.len() {
            1 => offered.join(" or "),
            _ => format!("{} for {name}", offered.join(" or ")),
        });
        let advice: Vec<String> = advice.collect();
        if !advice.is_empty() {
            message.push_str(&format!("; did you mean {}?", advice.join(", ")));
        }
        Some(message)
    }
}

/// Warnings of outputs that no part takes and that are similar to an input that no part sends.
pub(crate) fn near_misses(outputs: &[String], inputs: &[String]) -> Vec<String> {
    let names = Names::new(inputs.iter().map(String::as_str).collect());
    let near = |output: &String| {
        let input = misspelt(output, &names)?;
        Some(format!(
            "no part receives {output}, and no part sends {input}: both are open, unless one of them is misspelt"
        ))
    };
    let few = outputs.iter().take(MOST_COMPARISONS / names.known.len().max(1));
    few.filter_map(near).collect()
}

/// The action that is probably meant by a name. A name that differs only in an index is not a misspelling.
pub(super) fn misspelt<'n>(name: &str, names: &Names<'n>) -> Option<&'n str> {
    let without_digits = |name: &str| name.replace(|c: char| c.is_ascii_digit(), "");
    likely(name, &names.known).into_iter().find(|other| without_digits(other) != without_digits(name))
}

/// The actions that may be meant by a name: those that have it after a prefix, or else the nearest one.
fn likely<'n>(name: &str, known: &[&'n str]) -> Vec<&'n str> {
    let is_prefixed = |action: &&str| action.strip_suffix(name).is_some_and(|prefix| prefix.ends_with('.'));
    let prefixed: Vec<&str> = known.iter().copied().filter(is_prefixed).take(OFFERED).collect();
    if !prefixed.is_empty() {
        return prefixed;
    }
    // Names with a single letter are all similar, so they are not compared.
    let is_letter = name.len() == 1;
    nearest(name, known.iter().copied()).filter(|_| !is_letter).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warning(absent: &[&str], fate: Fate) -> Option<String> {
        let names = Names::new(["commit", "x.rest", "x.work", "y.rest", "y.work"].into());
        let absent: Vec<String> = absent.iter().map(|&name| name.to_owned()).collect();
        names.warning(&absent, fate)
    }

    #[test]
    fn what_may_be_meant_is_offered() {
        let told = |absent: &[&str]| warning(absent, Fate::Never).expect("something is absent");
        assert_eq!(told(&["comit"]), "no component has comit: it never occurs; did you mean commit?");
        assert_eq!(told(&["work"]), "no component has work: it never occurs; did you mean x.work or y.work?");
        assert_eq!(told(&["zebra"]), "no component has zebra: it never occurs");
        assert_eq!(warning(&[], Fate::Never), None);
    }

    #[test]
    fn names_with_advice_come_first() {
        let many = "abcdefghijklmnopq".chars().map(|c| c.to_string().repeat(9)).collect::<Vec<_>>();
        let absent: Vec<&str> = many.iter().map(String::as_str).chain(["comit", "y.wrk"]).collect();
        let told = warning(&absent, Fate::Free).expect("something is absent");
        assert!(told.starts_with("no component has comit, y.wrk, aaaaaaaaa, "), "{told}");
        let end = "and 7 more: they are free to occur at any time; did you mean commit for comit, y.work for y.wrk?";
        assert!(told.ends_with(end), "{told}");
    }

    #[test]
    fn an_output_and_an_input_that_nearly_meet_are_told() {
        let near = |outputs: &[&str], inputs: &[&str]| {
            let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
            near_misses(&owned(outputs), &owned(inputs))
        };
        let expected = "no part receives mesage, and no part sends message: both are open, unless one of them is misspelt";
        assert_eq!(near(&["mesage", "done"], &["message", "start"]), [expected]);
        assert_eq!(near(&["send.1", "put"], &["send.2", "get"]), [""; 0]);
    }

    #[test]
    fn copies_of_a_property_share_a_warning() {
        let names = Names::new(["a.go"].into());
        let of = |property: &str, definition: &str, action: &str| Watched {
            property: property.to_owned(),
            definition: definition.into(),
            actions: vec![action.to_owned()],
        };
        let unowned = [of("a:P", "P", "a.goo"), of("Q", "Q", "x"), of("b:P", "P", "b.goo")];
        assert_eq!(
            names.warnings_of_properties(&unowned),
            [
                "no process has a.goo, b.goo of property P: they are free to occur at any time; did you mean a.go \
                 for a.goo?",
                "no process has x of property Q: it is free to occur at any time",
            ]
        );
    }
}
