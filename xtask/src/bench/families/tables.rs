//! What was measured, for the book: a summary of each group of families, and a row for each property.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::STRATEGIES;
use super::points::Point;

/// Processor time below this is not compared: it is mostly the start of the program and the ticks of the clock.
const SHORT: f64 = 0.05;

/// Half of what the clock of processor time can tell apart, in seconds.
const TICK: f64 = 0.005;

/// The families that are summed up together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    Seen,
    SetAside,
    Study,
    WholeTasks,
}

impl Group {
    const ALL: [Self; 4] = [Self::Seen, Self::SetAside, Self::Study, Self::WholeTasks];

    fn name(self) -> &'static str {
        match self {
            Self::Seen => "families that were looked at",
            Self::SetAside => "families set aside",
            Self::Study => "five systems, as composites",
            Self::WholeTasks => "five systems, tasks whole",
        }
    }

    fn of(point: &Point) -> Self {
        let is_family =
            !point.property.starts_with('A') || !point.property[1..].starts_with(char::is_numeric);
        match (point.is_set_aside, is_family) {
            (true, _) => Self::SetAside,
            (false, true) => Self::Seen,
            (false, false) if point.family.ends_with("whole-tasks") => Self::WholeTasks,
            (false, false) => Self::Study,
        }
    }
}

/// The answers about one property at one size, by strategy.
#[derive(Default)]
struct Instance<'a> {
    by_strategy: BTreeMap<&'a str, &'a Point>,
}

impl<'a> Instance<'a> {
    /// The run of a strategy, if it gave an answer.
    fn decided(&self, strategy: &str) -> Option<&'a Point> {
        self.by_strategy.get(strategy).copied().filter(|point| point.verdict != "unknown")
    }

    /// How many times the work of the best way alone `auto` has done, and whether that way is the product. Instructions
    /// where both were counted, processor time otherwise; nothing if both are short.
    fn loss(&self) -> Option<(f64, bool)> {
        let auto = self.decided("auto")?;
        let counted = auto.instructions.is_some();
        let cost = |point: &Point| match counted {
            true => point.instructions.unwrap_or(f64::MAX),
            false => point.seconds.max(TICK),
        };
        let others = STRATEGIES.iter().filter(|&&name| name != "auto").filter_map(|name| self.decided(name));
        let best = others.min_by(|one, other| cost(one).total_cmp(&cost(other)))?;
        let is_short = !counted && auto.seconds < SHORT;
        (!is_short).then(|| (cost(auto) / cost(best), best.strategy == STRATEGIES[0]))
    }
}

/// A property, with its sizes.
#[derive(Default)]
struct Subject<'a> {
    sizes: BTreeMap<usize, Instance<'a>>,
}

impl<'a> Subject<'a> {
    fn largest(&self, strategy: &str) -> Option<usize> {
        self.sizes
            .iter()
            .rev()
            .find(|(_, instance)| instance.decided(strategy).is_some())
            .map(|(&size, _)| size)
    }

    /// The product and `auto` at the largest size at which both have answered.
    fn compared(&self) -> Option<(usize, &'a Point, &'a Point)> {
        self.sizes.iter().rev().find_map(|(&size, instance)| {
            Some((size, instance.decided(STRATEGIES[0])?, instance.decided("auto")?))
        })
    }
}

/// Summary and rows, as Markdown.
pub(super) fn table(points: &[Point]) -> String {
    let mut groups: BTreeMap<Group, BTreeMap<(&str, &str), Subject<'_>>> = BTreeMap::new();
    for point in points {
        let subjects = groups.entry(Group::of(point)).or_default();
        let subject = subjects.entry((&point.family, &point.property)).or_default();
        subject.sizes.entry(point.size).or_default().by_strategy.insert(&point.strategy, point);
    }
    let mut text = String::from(SUMMARY);
    for group in Group::ALL {
        if let Some(subjects) = groups.get(&group) {
            summarise(group, subjects, &mut text);
        }
    }
    for group in Group::ALL {
        if let Some(subjects) = groups.get(&group) {
            rows(group, subjects, &mut text);
        }
    }
    text
}

const SUMMARY: &str = "\
| | properties | half the states | half the memory | both | larger sizes | worse than the product | loss, product best | \
loss, otherwise |
|---|--:|--:|--:|--:|--:|--:|---|---|
";

fn summarise(group: Group, subjects: &BTreeMap<(&str, &str), Subject<'_>>, text: &mut String) {
    let compared: Vec<_> = subjects.values().filter_map(Subject::compared).collect();
    let half_states = |(_, product, auto): &(usize, &Point, &Point)| 2 * auto.states <= product.states;
    let half_memory =
        |(_, product, auto): &(usize, &Point, &Point)| 2.0 * auto.megabytes <= product.megabytes;
    let count =
        |test: &dyn Fn(&(usize, &Point, &Point)) -> bool| compared.iter().filter(|item| test(item)).count();
    let larger = |strategy: &'static str, other: &'static str| {
        subjects.values().filter(|subject| subject.largest(strategy) > subject.largest(other)).count()
    };
    let losses: Vec<(f64, bool)> =
        subjects.values().flat_map(|subject| subject.sizes.values()).filter_map(Instance::loss).collect();
    let of = |is_product: bool| -> String {
        let chosen: Vec<f64> =
            losses.iter().filter(|(_, product)| *product == is_product).map(|(loss, _)| *loss).collect();
        let mean = (chosen.iter().map(|loss| loss.ln()).sum::<f64>() / chosen.len().max(1) as f64).exp();
        let most = chosen.iter().copied().fold(0.0, f64::max);
        match chosen.len() {
            0 => "–".to_owned(),
            count => format!("{mean:.2}, at most {most:.2} ({count})"),
        }
    };
    let _ = writeln!(
        text,
        "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
        group.name(),
        subjects.len(),
        count(&half_states),
        count(&half_memory),
        count(&|item| half_states(item) && half_memory(item)),
        larger("auto", STRATEGIES[0]),
        larger(STRATEGIES[0], "auto"),
        of(true),
        of(false),
    );
}

fn rows(group: Group, subjects: &BTreeMap<(&str, &str), Subject<'_>>, text: &mut String) {
    let _ = write!(
        text,
        "\n**{}**\n\n| property | size | product: states | MB | s | `auto`: states | MB | s | decided by | largest: product, \
         `auto` |\n|---|--:|--:|--:|--:|--:|--:|--:|---|---|\n",
        capitalised(group.name())
    );
    let shown = |size: Option<usize>| size.map_or_else(|| "none".to_owned(), |size| size.to_string());
    for ((family, property), subject) in subjects {
        let largest =
            format!("{}, {}", shown(subject.largest(STRATEGIES[0])), shown(subject.largest("auto")));
        let compared = match subject.compared() {
            None => "| – | – | – | – | – | – | – | –".to_owned(),
            Some((size, product, auto)) => format!(
                "| {size} | {} | {:.1} | {:.2} | {} | {:.1} | {:.2} | {}",
                product.states,
                product.megabytes,
                product.seconds,
                auto.states,
                auto.megabytes,
                auto.seconds,
                auto.decided_by
            ),
        };
        let _ = writeln!(text, "| {family} {property} {compared} | {largest} |");
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
