//! Why something holds, in words.

use rely_assume::Composition;

use super::page::{Block, Table, Words, counted, grouped};
use super::{Argument, AssumptionShown, Explanation, RuleProof, pictures};
use crate::report::Forbidden;

/// Writes the argument for an answer.
pub(super) fn write(explanation: &Explanation, blocks: &mut Vec<Block>) {
    match &explanation.argument {
        Argument::Nothing | Argument::Run(_) => {}
        Argument::Rule(proof) => {
            blocks.push(Block::Heading(3, Words::new("The proof")));
            rule(explanation, proof, blocks);
        }
        Argument::Product { inside, states, has_priority } => {
            blocks.push(Block::Heading(3, Words::new("The proof")));
            product(explanation, inside, *states, *has_priority, blocks);
        }
        Argument::Localisation { inside, states } => {
            blocks.push(Block::Heading(3, Words::new("The proof")));
            localisation(explanation, inside, *states, blocks);
        }
        Argument::Reduction { compositions, proof } => {
            blocks.push(Block::Heading(3, Words::new("The proof")));
            reduction(explanation, compositions, blocks);
            if let Some(proof) = proof {
                blocks.push(Block::Heading(4, Words::new("The same with assumptions")));
                blocks.push(Block::Paragraph(Words::new(
                    "After each composition, what is left of the property is the weakest assumption about the parts that \
                     have not been composed yet. So the reduction is a proof by the chain rule, too. Its premises have \
                     been checked one by one on the parts as they are written.",
                )));
                rule(explanation, proof, blocks);
            }
        }
    }
}

fn name(explanation: &Explanation, part: usize) -> &str {
    explanation.members.get(part).map_or("", |member| member.name.as_str())
}

fn names<'e>(explanation: &'e Explanation, parts: &'e [usize]) -> impl Iterator<Item = &'e str> + use<'e> {
    parts.iter().map(|&part| name(explanation, part))
}

/// The property in question, in the middle of a sentence.
fn goal(explanation: &Explanation) -> Words {
    match explanation.is_about_parts() {
        true => Words::default().names(explanation.goal()),
        false => Words::new("the property"),
    }
}

/// The failure that must not happen, in the middle of a sentence.
fn failure(explanation: &Explanation) -> &'static str {
    if explanation.is_about_parts() { "a part fails by itself" } else { "the property fails" }
}

/// The parts that are not in a list.
fn others(explanation: &Explanation, inside: &[usize]) -> Vec<usize> {
    let parts = explanation.members.iter().enumerate().filter(|(_, member)| !member.standing.is_goal());
    parts.map(|(i, _)| i).filter(|part| !inside.contains(part)).collect()
}

/// The product of some parts and of the components that must not fail.
fn product_of(explanation: &Explanation, inside: &[usize]) -> Words {
    let words = Words::new("The product of ").names(names(explanation, inside));
    words.text(if inside.is_empty() { "" } else { " and " }).chained(goal(explanation))
}

fn product(
    explanation: &Explanation,
    inside: &[usize],
    states: Option<usize>,
    has_priority: bool,
    blocks: &mut Vec<Block>,
) {
    let mut words = product_of(explanation, inside);
    let failure = failure(explanation);
    words = words.text(format!(" was searched for a state in which {failure}, and there is none."));
    if let Some(states) = states {
        words = words.text(format!(" It has {}.", counted(states, "state")));
    }
    if has_priority {
        words = words.text(" The system has priority, so no rule applies.");
    }
    blocks.push(Block::Paragraph(words));
    let outside = others(explanation, inside);
    if !outside.is_empty() {
        let words =
            Words::new("Left out: ").names(names(explanation, &outside)).text(". They share no action with ");
        let words = words.chained(goal(explanation)).text(
            ", not even through others, so they can neither bring a failure about nor keep one from happening.",
        );
        blocks.push(Block::Paragraph(words));
    }
}

fn localisation(explanation: &Explanation, inside: &[usize], states: Option<usize>, blocks: &mut Vec<Block>) {
    let mut words = product_of(explanation, inside);
    words = match states {
        Some(states) => words.text(format!(" has {}. In none of them ", counted(states, "state"))),
        None => words.text(" was searched. In none of its states "),
    };
    words = words.text(format!(
        "{}, although the actions of all other parts are free to occur.",
        failure(explanation)
    ));
    if inside.is_empty() && !explanation.is_about_parts() {
        words = Words::new("The property cannot fail at all, whatever the parts do.");
    }
    blocks.push(Block::Paragraph(words));
    let outside = others(explanation, inside);
    if !outside.is_empty() {
        let words = Words::new("Not needed: ").names(names(explanation, &outside)).text(".");
        blocks.push(Block::Paragraph(words));
        blocks.push(Block::Paragraph(Words::new(
            "Why leaving parts out is sound: a part can only refuse. Without it, its actions are free to occur, so \
             every run of the whole is still there, seen by the parts that are left. What cannot fail without it cannot \
             fail with it.",
        )));
    }
    if !inside.is_empty() {
        blocks.push(Block::Paragraph(Words::new(
            "Why these parts: each was taken in because it refused a run that failed with those taken in before it, or \
             because with it fewer actions are free to occur. Together they suffice. That each of them is needed, too, \
             was not looked at.",
        )));
    }
}

fn reduction(explanation: &Explanation, compositions: &[Composition], blocks: &mut Vec<Block>) {
    let (piece, end) = match explanation.is_about_parts() {
        true => ("what can fail", "nothing fails in the whole, either"),
        false => ("the property", "the property holds in the whole"),
    };
    blocks.push(Block::Paragraph(Words::new(format!(
        "Pieces were composed two at a time. After each composition, actions that no other piece has are hidden, and the \
         result is reduced to what can affect the others; in the piece with {piece}, runs that can no longer fail \
         are cut off. When nothing in it can fail any more, {end}."
    ))));
    let whole = |has_goal: bool, parts: &[usize]| {
        let words = if has_goal { goal(explanation) } else { Words::default() };
        match (has_goal, parts.is_empty()) {
            (true, true) => words,
            (true, false) => words.text(" ‖ ").names(names(explanation, parts)),
            (false, _) => words.names(names(explanation, parts)),
        }
    };
    let row = |(i, one): (usize, &Composition)| {
        let [first, second] = one.before.map(grouped);
        let after = match (one.after, one.can_fail) {
            (0, _) if one.can_fail => "only the error".to_owned(),
            (_, true) => grouped(one.after),
            (_, false) if one.has_goal => "nothing can fail".to_owned(),
            (_, false) => grouped(one.after),
        };
        let first_words = whole(one.has_goal, &one.first);
        let second_words = whole(false, &one.second);
        vec![
            Words::number(i + 1),
            first_words,
            Words::new(first),
            second_words,
            Words::new(second),
            Words::new(after),
        ]
    };
    if compositions.is_empty() {
        blocks.push(Block::Paragraph(Words::new(
            "No composition was needed: a look at single actions shows that nothing can fail.",
        )));
    } else {
        let head = vec![
            ("Step", true),
            ("Piece", false),
            ("States", true),
            ("Composed with", false),
            ("States", true),
            ("After reduction", true),
        ];
        let rows = compositions.iter().enumerate().map(row).collect();
        blocks.push(Block::Table(Table { head, rows }));
    }
    let used: Vec<usize> =
        compositions.iter().flat_map(|one| one.first.iter().chain(&one.second)).copied().collect();
    let unused = others(explanation, &used);
    if !unused.is_empty() {
        let words = Words::new("Never composed: ").names(names(explanation, &unused)).text(
            ". Of these, at most the actions that they never take were needed, which can be seen without composing \
             them: a part can only refuse, and what cannot fail without it cannot fail with it.",
        );
        blocks.push(Block::Paragraph(words));
    }
}

fn rule(explanation: &Explanation, proof: &RuleProof, blocks: &mut Vec<Block>) {
    let statements = proof.premises.iter().map(|premise| premise.statement.clone()).collect();
    blocks.push(Block::Inference {
        name: proof.rule.clone(),
        premises: statements,
        conclusion: proof.conclusion.clone(),
    });
    let group = |(i, group): (usize, &super::Group)| {
        let states = group.states.map_or_else(|| "not counted".to_owned(), grouped);
        vec![
            Words::new(format!("M{}", i + 1)),
            Words::default().names(names(explanation, &group.parts)),
            Words::new(states),
        ]
    };
    blocks.push(Block::Table(Table {
        head: vec![("Group", false), ("Parts", false), ("States by itself", true)],
        rows: proof.groups.iter().enumerate().map(group).collect(),
    }));
    let grouped_parts: Vec<usize> = proof.groups.iter().flat_map(|group| group.parts.clone()).collect();
    let ungrouped = others(explanation, &grouped_parts);
    if !ungrouped.is_empty() {
        let words = Words::new("In no group: ").names(names(explanation, &ungrouped));
        blocks.push(Block::Paragraph(
            words.text(". A part can only refuse, so what cannot fail without it cannot fail with it."),
        ));
    }
    let premise = |(i, premise): (usize, &super::PremiseShown)| {
        vec![
            Words::number(i + 1),
            Words::new(&premise.statement),
            Words::new(&premise.words),
            Words::new(premise.states.map_or_else(|| "not counted".to_owned(), grouped)),
        ]
    };
    blocks.push(Block::Table(Table {
        head: vec![("", true), ("Premise", false), ("In words", false), ("States", true)],
        rows: proof.premises.iter().enumerate().map(premise).collect(),
    }));
    blocks.push(Block::Paragraph(Words::new(format!("Why the conclusion follows: {}.", proof.soundness))));
    for condition in &proof.conditions {
        blocks.push(Block::Paragraph(Words::new(format!("Side condition: {condition}."))));
    }
    for assumption in &proof.assumptions {
        self::assumption(proof, assumption, blocks);
    }
}

fn assumption(proof: &RuleProof, assumption: &AssumptionShown, blocks: &mut Vec<Block>) {
    let AssumptionShown { name, lts, between, stands_for, forbids, further, .. } = assumption;
    blocks.push(Block::Heading(4, Words::new(format!("Assumption {name}"))));
    blocks.push(Block::Paragraph(Words::new(between)));
    let groups: Vec<String> = stands_for.iter().map(|group| format!("M{}", group + 1)).collect();
    let sizes: Vec<Option<usize>> =
        stands_for.iter().map(|&group| proof.groups.get(group).and_then(|group| group.states)).collect();
    let beside = match sizes.as_slice() {
        [Some(states)] => format!("; {} has {}", groups.join(", "), counted(*states, "state")),
        [None] => format!("; those of {} were not counted", groups.join(", ")),
        _ => format!("; it stands for {}", groups.join(" ‖ ")),
    };
    let size = format!(
        "{}, {}{beside}",
        counted(lts.proper_state_count(), "state"),
        counted(lts.transition_count(), "transition")
    );
    blocks.push(Block::Facts(vec![
        ("Size", Words::new(size)),
        ("Over", Words::default().names(lts.alphabet().sorted_names())),
    ]));
    if forbids.is_empty() {
        blocks.push(Block::Paragraph(Words::new("It forbids nothing.")));
    } else {
        let roles = if assumption.roles.is_some() {
            "at this interface, there must not be"
        } else {
            "what it stands for must not do"
        };
        blocks.push(Block::Paragraph(Words::new(format!("In words: {roles}:"))));
        let mut list: Vec<Words> = forbids.iter().map(forbidden).collect();
        if *further > 0 {
            list.push(Words::new(format!("and more, in {}", counted(*further, "further state"))));
        }
        blocks.push(Block::List(list));
    }
    blocks.push(Block::Picture(pictures::assumption(assumption)));
}

fn forbidden(forbidden: &Forbidden) -> Words {
    let when = match forbidden.after.is_empty() {
        true => Words::new("at the start: "),
        false => Words::new("after ").names(forbidden.after.iter().map(String::as_str)).text(": "),
    };
    when.names(forbidden.actions.iter().map(String::as_str))
}
