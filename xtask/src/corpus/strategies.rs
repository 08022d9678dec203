//! Every strategy of `verify` on every composite that has something to prove: all have to give the verdict of the
//! product, and whatever *holds* has to have a certificate that the judge accepts.
//!
//! A composite of two parts or more is asked for its own properties, which are the property processes and error states
//! among its parts, and for every property process and assertion of its file that is no part of it. Assertions that are
//! no safety properties are left out, and so are properties that know no action of the composite.
//!
//! A strategy that meets a limit is counted apart; that is never a difference. Where the product itself meets one, the
//! first strategy that answers is what the others are compared with. Limits on time make the counts depend on the
//! machine, but not whether the command succeeds.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, ensure};
use rely_base::{Budget, Exhausted, Limits};
use rely_lts::{Component, Network};
use rely_session::report::{Verdict, VerifyResult};
use rely_session::{Certificate, Failed, Project, Rule, Strategy, VerifyQuery};

use super::answers::FileAnswer;
use super::compare::{self, Deadline};

/// The strategies as `rely verify --strategy` names them, the product first.
const STRATEGIES: [(&str, Strategy, Rule); 11] = [
    ("monolithic", Strategy::Monolithic, Rule::Simple),
    ("localise", Strategy::Localise, Rule::Simple),
    ("reduce", Strategy::Reduce, Rule::Simple),
    ("auto", Strategy::Auto, Rule::Simple),
    ("direct", Strategy::Direct, Rule::Simple),
    ("learn", Strategy::Learn, Rule::Simple),
    ("separate", Strategy::Separate, Rule::Simple),
    ("abstract", Strategy::Abstract, Rule::Simple),
    ("chain", Strategy::Learn, Rule::Chain),
    ("symmetric", Strategy::Learn, Rule::Symmetric),
    ("circular", Strategy::Learn, Rule::Circular),
];

/// What a strategy may use for the properties of one target, and the judge for one claim.
const PATIENCE: Duration = Duration::from_secs(1);
const MOST_STATES: usize = 200_000;
const MOST_BYTES: usize = 1 << 30;

/// How a strategy did on some properties.
#[derive(Clone, Copy, Default)]
struct Tally {
    agree: usize,
    unknown: usize,
    differ: usize,
    /// Answers that the product gave, because the strategy does not apply.
    on_product: usize,
    certified: usize,
    rejected: usize,
    /// Claims on which the judge met a limit.
    unjudged: usize,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.agree += other.agree;
        self.unknown += other.unknown;
        self.differ += other.differ;
        self.on_product += other.on_product;
        self.certified += other.certified;
        self.rejected += other.rejected;
        self.unjudged += other.unjudged;
    }
}

/// What the strategies did on some targets.
#[derive(Default)]
pub(crate) struct Examined {
    targets: usize,
    /// Properties that are parts of their target, and those that look on from outside.
    own: usize,
    others: usize,
    tallies: [Tally; STRATEGIES.len()],
    /// Where a strategy or the judge met a limit.
    limits: Vec<String>,
    /// Differences, rejected certificates and mistakes, each with its place.
    failures: Vec<String>,
}

impl Examined {
    /// Takes in what was found elsewhere.
    pub(crate) fn add(&mut self, other: Self) {
        self.targets += other.targets;
        self.own += other.own;
        self.others += other.others;
        for (tally, other) in self.tallies.iter_mut().zip(&other.tallies) {
            tally.add(other);
        }
        self.limits.extend(other.limits);
        self.limits.sort();
        self.failures.extend(other.failures);
        self.failures.sort();
    }

    /// Fails if anything differs.
    pub(crate) fn judge(&self) -> Result<()> {
        let count = self.failures.len();
        ensure!(count == 0, "{count} answers of strategies that differ or have no good certificate");
        Ok(())
    }
}

impl fmt::Display for Examined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in self.limits.iter().chain(&self.failures) {
            writeln!(f, "{line}")?;
        }
        let Self { targets, own, others, .. } = self;
        writeln!(
            f,
            "{own} properties of {targets} composites, and {others} that look on, by every strategy:"
        )?;
        writeln!(
            f,
            "{:<12}{:>7}{:>9}{:>8}{:>12}{:>11}{:>10}{:>10}",
            "strategy", "agree", "unknown", "differ", "on product", "certified", "rejected", "unjudged"
        )?;
        for ((name, ..), tally) in STRATEGIES.iter().zip(&self.tallies) {
            let Tally { agree, unknown, differ, on_product, certified, rejected, unjudged } = tally;
            writeln!(
                f,
                "{name:<12}{agree:>7}{unknown:>9}{differ:>8}{on_product:>12}{certified:>11}{rejected:>10}{unjudged:>10}"
            )?;
        }
        Ok(())
    }
}

/// Examines all composites of a file.
pub(crate) fn file(path: &Path, name: &str, expected: &FileAnswer) -> Examined {
    let mut examined = Examined::default();
    let Ok(project) = compare::project(path, name) else { return examined };
    for target in expected.targets.values().filter(|target| target.kind != "process") {
        let subject = Subject { project: &project, file: name, target: &target.target };
        let Some(network) = subject.network(subject.target) else { continue };
        if network.components().len() < 2 {
            continue;
        }
        let own = subject.examine(&[], &mut examined);
        let mut others = 0;
        for property in properties(project.text_of(name)).chain(target.asserts.keys().cloned()) {
            if subject.looks_on(&network, &property) {
                others += subject.examine(&[property], &mut examined);
            }
        }
        examined.own += own;
        examined.others += others;
        examined.targets += usize::from(own + others > 0);
    }
    examined
}

/// The names of the property processes that a text defines.
fn properties(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix("property")?.trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        rest.starts_with(|c: char| c.is_ascii_uppercase()).then(|| rest[..end].to_owned())
    })
}

/// A composite of the corpus.
struct Subject<'a> {
    project: &'a Project,
    file: &'a str,
    target: &'a str,
}

/// What a strategy says about the properties of a target.
struct Told {
    results: Vec<VerifyResult>,
    certificate: Certificate,
}

impl Subject<'_> {
    /// The components of a target of the file, if there is one.
    fn network(&self, target: &str) -> Option<Network> {
        let deadline = Deadline::after(PATIENCE);
        let target = rely_session::target(self.project, Some(target), budget(&deadline));
        target.ok().and_then(|target| target.behaviour.as_network().cloned())
    }

    /// Whether a property is no part of a network but knows some action of it. Of assertions nobody asks what they know.
    fn looks_on(&self, network: &Network, property: &str) -> bool {
        let is_it = |part: &Component| {
            let plain = part.name.split('(').next().unwrap_or_default();
            plain.rsplit(['.', ':']).next() == Some(property)
        };
        let is_part = network.components().iter().any(is_it);
        let knows = |own: Network| own.alphabet().names().any(|name| network.alphabet().contains(name));
        !is_part && self.network(property).is_none_or(knows)
    }

    /// Asks for some properties, or for those among the parts if none are named, and counts them.
    fn examine(&self, properties: &[String], examined: &mut Examined) -> usize {
        let mut told = Vec::new();
        for (name, strategy, rule) in STRATEGIES {
            match self.ask(properties, strategy, rule) {
                Ok(Some(answers)) => told.push(answers),
                // There is nothing to prove, which no strategy changes.
                Ok(None) => return 0,
                Err(mistake) => {
                    examined.failures.push(self.line(name, &properties.join(" "), &mistake));
                    return 0;
                }
            }
        }
        for (strategy, answers) in told.iter().enumerate() {
            self.compare(strategy, &told, examined);
            self.certify(strategy, answers, examined);
        }
        told[0].results.len()
    }

    /// The answers of a strategy; none if there is nothing to prove.
    fn ask(&self, properties: &[String], strategy: Strategy, rule: Rule) -> Result<Option<Told>, String> {
        let deadline = Deadline::after(PATIENCE);
        let properties = properties.to_vec();
        let query =
            VerifyQuery { properties, strategy, rule, certify: true, ..VerifyQuery::about(self.target) };
        let verified = rely_session::verify(self.project, &query, budget(&deadline))
            .map_err(|internal| internal.to_string())?;
        let is_asked = !verified.report.has_errors();
        Ok(is_asked.then_some(Told { results: verified.report.results, certificate: verified.certificate }))
    }

    /// Compares the answers of a strategy with those of the first one that knows.
    fn compare(&self, strategy: usize, told: &[Told], examined: &mut Examined) {
        let name = STRATEGIES[strategy].0;
        let tally = &mut examined.tallies[strategy];
        let verdict = |told: &Told, property: usize| told.results.get(property).map(|result| result.verdict);
        for property in 0..told[0].results.len() {
            let mut known = told.iter().filter_map(|told| verdict(told, property));
            let reference = known.find(|&verdict| verdict != Verdict::Unknown);
            // Where a limit is met before there are any questions, there is a single answer.
            let Some(result) = told[strategy].results.get(property) else {
                tally.unknown += 1;
                continue;
            };
            if result.verdict == Verdict::Unknown {
                tally.unknown += 1;
                let reason = result.reason.as_deref().unwrap_or_default();
                examined.limits.push(self.line(name, &result.property, &format!("unknown: {reason}")));
                continue;
            }
            tally.on_product += usize::from(name != result.strategy && result.strategy == "monolithic");
            if Some(result.verdict) == reference {
                tally.agree += 1;
                continue;
            }
            tally.differ += 1;
            let what = format!("DIFFERENT {:?}, where another strategy says {reference:?}", result.verdict);
            examined.failures.push(self.line(name, &result.property, &what));
        }
    }

    /// Has every claim judged, each by itself, so that a limit on one says nothing about the others.
    fn certify(&self, strategy: usize, told: &Told, examined: &mut Examined) {
        let name = STRATEGIES[strategy].0;
        let tally = &mut examined.tallies[strategy];
        let holds = told.results.iter().filter(|result| result.verdict == Verdict::Holds).count();
        if told.certificate.claims.len() != holds {
            examined.failures.push(self.line(name, "", "REJECTED there is no claim about what holds"));
        }
        for claim in &told.certificate.claims {
            match self.judged(&Certificate::new(vec![claim.clone()])) {
                Ok(None) => tally.certified += 1,
                Ok(Some(rejection)) => {
                    tally.rejected += 1;
                    let what = format!("REJECTED {rejection}");
                    examined.failures.push(self.line(name, &claim.property, &what));
                }
                Err(exhausted) => {
                    tally.unjudged += 1;
                    let what = format!("the judge met a limit: {exhausted}");
                    examined.limits.push(self.line(name, &claim.property, &what));
                }
            }
        }
    }

    /// Why a certificate of one claim is not accepted, written and read again.
    fn judged(&self, certificate: &Certificate) -> Result<Option<String>, Exhausted> {
        let deadline = Deadline::after(PATIENCE);
        let mut text = Vec::new();
        certificate.write(&mut text).expect("a vector can be written to");
        match rely_session::certify(self.project, "certificate", &text, &[], budget(&deadline)) {
            Ok(report) => {
                // What follows from the claim is judged with it.
                let (derived, claimed): (Vec<_>, Vec<_>) =
                    report.results.into_iter().partition(|result| result.derived);
                match &claimed[..] {
                    [result] if result.accepted && derived.iter().all(|result| result.accepted) => Ok(None),
                    results => Ok(Some(results.iter().filter_map(|result| result.reason.clone()).collect())),
                }
            }
            Err(Failed::Exhausted(exhausted, _)) => Err(exhausted),
            Err(_) => Ok(Some("it cannot be read".to_owned())),
        }
    }

    fn line(&self, strategy: &str, property: &str, what: &str) -> String {
        format!("{} {} {property} {strategy}: {what}", self.file, self.target)
    }
}

fn budget(deadline: &Deadline) -> Budget<'_> {
    Budget::new(Limits { states: Some(MOST_STATES), bytes: Some(MOST_BYTES) }, Some(deadline))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
        USER = (take -> give -> USER).
        LOCK = (take -> give -> LOCK).
        LAMP = (on -> off -> LAMP).
        property TURNS = (take -> give -> TURNS).
        property DARK = (off -> on -> DARK).
        ||S = (USER || LOCK || LAMP || TURNS || DARK).
    ";

    fn project() -> Project {
        Project::new("s.lts", TEXT, Box::new(|_| Err("there are no imports".to_owned())))
    }

    #[test]
    fn all_strategies_agree_and_are_certified() {
        let project = project();
        let subject = Subject { project: &project, file: "s.lts", target: "S" };
        let mut examined = Examined::default();
        assert_eq!(subject.examine(&[], &mut examined), 2);
        assert!(examined.judge().is_ok(), "{examined}");
        let is_right = |tally: &Tally| (tally.agree, tally.differ, tally.certified) == (2, 0, 1);
        assert!(examined.tallies.iter().all(is_right), "{examined}");
    }

    #[test]
    fn a_wrong_verdict_is_a_difference_and_a_wrong_claim_is_rejected() {
        let project = project();
        let subject = Subject { project: &project, file: "s.lts", target: "S" };
        let ask = |strategy| {
            subject
                .ask(&[], strategy, Rule::Simple)
                .expect("no mistake")
                .expect("there is something to prove")
        };
        let mut told = vec![ask(Strategy::Monolithic), ask(Strategy::Localise)];
        let broken = told[1].results.iter_mut().find(|result| result.verdict == Verdict::Violated);
        broken.expect("DARK is broken").verdict = Verdict::Holds;
        let mut examined = Examined::default();
        subject.compare(1, &told, &mut examined);
        assert_eq!((examined.tallies[1].agree, examined.tallies[1].differ), (1, 1), "{examined}");
        // What is now said to hold has no claim, and the claim that there is speaks of another property.
        told[1].certificate.claims[0].property = "DARK".to_owned();
        subject.certify(1, &told[1], &mut examined);
        assert_eq!((examined.tallies[1].certified, examined.tallies[1].rejected), (0, 1), "{examined}");
        assert_eq!(examined.failures.len(), 3, "{examined}");
        assert!(examined.judge().is_err());
    }

    #[test]
    fn properties_that_are_no_parts_look_on_if_they_know_an_action() {
        assert_eq!(properties(TEXT).collect::<Vec<_>>(), ["TURNS", "DARK"]);
        let project = project();
        let subject = Subject { project: &project, file: "s.lts", target: "S" };
        let network = |name: &str| subject.network(name).expect("it is defined");
        assert!(!subject.looks_on(&network("S"), "DARK"), "it is a part");
        assert!(subject.looks_on(&network("LAMP"), "DARK"));
        assert!(!subject.looks_on(&network("USER"), "DARK"), "they share no action");
    }
}
