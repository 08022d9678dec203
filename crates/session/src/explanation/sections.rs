//! The sections about one answer: the question, the parts, the argument, the coverage, and how to re-check it.

use super::page::{Block, Table, Words, counted, grouped};
use super::{
    Argument, Explanation, Member, Origin, Question, Source, again, argument, covered, earlier, pictures,
    refuted,
};
use crate::report::Verdict;

/// A part with more states than this is not drawn.
const DRAWN: usize = 60;

/// Maximum number of lines of a definition, together with those that it depends on.
const MOST_LINES: usize = 80;

/// Writes everything about an answer.
pub(super) fn write(explanation: &Explanation, article: &str, origin: &Origin, blocks: &mut Vec<Block>) {
    let Explanation { system, property, verdict, .. } = explanation;
    let title = match (verdict, explanation.question) {
        (Verdict::Holds, Question::Property) => Words::of_name(property).text(" holds in ").name(system),
        (Verdict::Violated, Question::Property) => {
            Words::of_name(property).text(" is violated in ").name(system)
        }
        (Verdict::Holds, Question::Compatibility) => {
            Words::new("The parts of ").name(system).text(" are compatible")
        }
        (Verdict::Violated, Question::Compatibility) => {
            Words::new("The parts of ").name(system).text(" are not compatible")
        }
        (Verdict::Holds, Question::Refinement) => Words::of_name(system).text(" refines ").name(property),
        (Verdict::Violated, Question::Refinement) => {
            Words::of_name(system).text(" does not refine ").name(property)
        }
        (Verdict::Unknown, Question::Property) => {
            Words::of_name(property).text(" is not decided in ").name(system)
        }
        (Verdict::Unknown, Question::Compatibility) => {
            Words::new("It is not decided whether the parts of ").name(system).text(" are compatible")
        }
        (Verdict::Unknown, Question::Refinement) => {
            Words::new("It is not decided whether ").name(system).text(" refines ").name(property)
        }
    };
    blocks.push(Block::Article(article.to_owned(), title));
    blocks.push(Block::Answer(*verdict, answer(explanation)));
    for warning in &explanation.warnings {
        blocks.push(Block::Warning(Words::new(warning)));
    }
    blocks.push(Block::Facts(how(explanation)));
    let contents = blocks.len();
    earlier::write(explanation, blocks);
    question(explanation, blocks);
    parts(explanation, blocks);
    match &explanation.argument {
        Argument::Run(run) => refuted::write(explanation, run, blocks),
        _ => argument::write(explanation, blocks),
    }
    covered::write(explanation, blocks);
    again::write(explanation, origin, blocks);
    let titles = blocks[contents..].iter().filter_map(|block| match block {
        Block::Heading(3, title) => Some(title.plain()),
        _ => None,
    });
    let titles = Block::Sections(titles.collect());
    blocks.insert(contents, titles);
}

/// The answer in a sentence.
fn answer(explanation: &Explanation) -> Words {
    let Explanation { property, system, argument, members, .. } = explanation;
    let parts = members.iter().filter(|member| !member.standing.is_goal()).count();
    let about_parts = explanation.is_about_parts();
    let holds = || match explanation.question {
        Question::Property if about_parts => {
            Words::new("No run of ").name(system).text(" leads to an ERROR of ").names(explanation.goal())
        }
        Question::Property => Words::new("No run of ").name(system).text(" breaks ").name(property),
        Question::Compatibility => Words::new("In every run of ")
            .name(system)
            .text(", what a part sends can be taken by the one it is sent to"),
        Question::Refinement => Words::of_name(system)
            .text(" accepts at least the inputs of ")
            .name(property)
            .text(", and sends at most its outputs"),
    };
    match argument {
        Argument::Rule(proof) => {
            let assumptions = counted(proof.assumptions.len(), "assumption");
            let sizes = proof.assumptions.iter().map(|one| counted(one.lts.proper_state_count(), "state"));
            let sizes = sizes.collect::<Vec<_>>().join(" and ");
            let groups = proof.groups.len();
            holds().text(format!(
                ". It was proved from its parts: {groups} groups, the rule {}, and {assumptions} ({sizes}).",
                proof.rule
            ))
        }
        Argument::Localisation { inside, .. } => holds().text(format!(
            ". {} of {} are enough to see it, whatever the others do.",
            inside.len(),
            counted(parts, if about_parts { "other part" } else { "part" })
        )),
        Argument::Reduction { compositions, .. } => holds().text(format!(
            ". It was seen after {}, without building the product of everything.",
            counted(compositions.len(), "composition")
        )),
        Argument::Product { .. } => holds().text(". Every state that the whole can reach was looked at."),
        Argument::Run(run) => {
            let steps = counted(run.steps.len(), "step");
            let words = match explanation.question {
                Question::Property if about_parts => {
                    let failed = run.components.get(run.failed).map_or("", String::as_str);
                    Words::new("A part of ")
                        .name(system)
                        .text(" fails by itself: ")
                        .name(failed)
                        .text(" does so")
                }
                Question::Property => Words::of_name(system).text(" breaks ").name(property),
                Question::Compatibility => Words::of_name(system).text(" goes wrong"),
                Question::Refinement => Words::of_name(system).text(" differs from ").name(property),
            };
            let words = words.text(format!(" in {steps}"));
            match (run.steps.last(), run.is_shortest) {
                (None, _) => words.text(": it begins in its error state."),
                (Some(last), true) => words.text(", and not in fewer, with ").name(&last.action).text("."),
                (Some(last), false) => words.text(", with ").name(&last.action).text("."),
            }
        }
        Argument::Nothing => {
            let words = Words::new("There is no answer. ");
            let words = match explanation.asked.as_str() {
                "auto" => words.text("A higher limit, or a rule with another split, may give one: "),
                _ => words
                    .text("A higher limit, another strategy or another split may give one: ")
                    .name("--strategy auto")
                    .text(" lets several take turns, and "),
            };
            words.name("rely decompose").text(" ranks the splits.")
        }
    }
}

/// How the answer was found.
fn how(explanation: &Explanation) -> Vec<(&'static str, Words)> {
    let mut facts = vec![("Strategy asked for", Words::new(&explanation.asked))];
    let is_what_was_asked_for = explanation.asked.split(' ').next() == Some(&explanation.strategy);
    if !is_what_was_asked_for && explanation.verdict != Verdict::Unknown {
        facts.push(("Decided by", Words::new(&explanation.strategy)));
    }
    let is_said_later = matches!(&explanation.argument, Argument::Run(run) if run.fault.is_some());
    if let Some(reason) = explanation.reason.as_ref().filter(|_| !is_said_later) {
        let what = if explanation.verdict == Verdict::Unknown { "Why there is no answer" } else { "Because" };
        facts.push((what, Words::new(reason)));
    }
    let mut effort = format!("at most {} at once", counted(explanation.peak_states, "state"));
    if explanation.queries > 0 {
        effort = format!("{effort}, {} asked by learners", counted(explanation.queries, "word"));
    }
    if explanation.conjectures > 0 {
        effort = format!("{effort}, {}", counted(explanation.conjectures, "conjecture"));
    }
    facts.push(("Effort", Words::new(effort)));
    facts
}

/// The property, or the parts that can fail.
fn question(explanation: &Explanation, blocks: &mut Vec<Block>) {
    let goal: Vec<&Member> = explanation.members.iter().filter(|one| one.standing.is_goal()).collect();
    if goal.is_empty() {
        return;
    }
    let what = match explanation.question {
        Question::Refinement => "The specification",
        _ if explanation.is_about_parts() => "What can fail",
        _ => "The property",
    };
    blocks.push(Block::Heading(3, Words::new(what)));
    if explanation.is_about_parts() {
        let words = match goal.len() {
            1 => {
                "This is no property, but a part with an ERROR of its own. The question is whether it fails by itself."
            }
            _ => {
                "These are no properties, but parts with an ERROR of their own. The question is whether one of them fails \
                 by itself."
            }
        };
        blocks.push(Block::Paragraph(Words::new(words)));
    }
    for member in goal {
        let lts = &member.lts;
        let size = format!(
            " has {} and {}",
            counted(lts.proper_state_count(), "state"),
            counted(lts.alphabet().len(), "action")
        );
        let words = Words::of_name(&member.name).text(size).text(": ").names(lts.alphabet().sorted_names());
        blocks.push(Block::Paragraph(words.text(".")));
        if let Some(source) = &member.source {
            written(source, blocks);
        }
        if lts.state_count() <= DRAWN {
            blocks.push(Block::Picture(pictures::member(member)));
        }
    }
}

/// A definition as it stands in the text.
fn written(source: &Source, blocks: &mut Vec<Block>) {
    let words = Words::new("As written in ").name(&source.file).text(format!(", {}:", place(source)));
    blocks.push(Block::Paragraph(words));
    let shown = source.lines.iter().take(MOST_LINES).cloned().collect();
    blocks.push(Block::Listing(shown));
    match source.lines.len().saturating_sub(MOST_LINES) {
        0 => {}
        more => blocks.push(Block::Paragraph(Words::new(format!("And {}.", counted(more, "more line"))))),
    }
}

fn place(source: &Source) -> String {
    match source.place {
        (first, last) if first == last => format!("line {first}"),
        (first, last) => format!("lines {first}–{last}"),
    }
}

/// Which other parts can fail, and what that means for the answer.
fn fails_beside(explanation: &Explanation) -> Option<Words> {
    let names = explanation.fails_beside.iter().map(String::as_str);
    let words = Words::default().names(names);
    Some(words.text(match explanation.fails_beside.len() {
        0 => return None,
        1 => {
            " has an ERROR of its own. The answer is about runs up to the step in which it fails by itself, that step \
             included. Whether it does is the question ERROR."
        }
        _ => {
            " have an ERROR of their own. The answer is about runs up to the step in which the first of them fails by \
             itself, that step included. Whether one does is the question ERROR."
        }
    }))
}

/// The parts, and which actions they share.
fn parts(explanation: &Explanation, blocks: &mut Vec<Block>) {
    blocks.push(Block::Heading(3, Words::new("The parts")));
    let is_split = explanation.members.iter().any(|member| member.group.is_some());
    let is_placed =
        explanation.members.iter().any(|member| member.standing.acts() && member.source.is_some());
    let mut head = vec![("Part", false)];
    if is_placed {
        head.push(("Defined in", false));
    }
    if is_split {
        head.push(("Group", false));
    }
    head.extend([("States", true), ("Transitions", true), ("Actions", true)]);
    let row = |member: &Member| {
        let mut row = vec![Words::of_name(&member.name)];
        if is_placed {
            row.push(Words::new(member.source.as_ref().map_or_else(String::new, place)));
        }
        if is_split {
            row.push(match (member.group, member.standing.is_goal()) {
                (Some(group), _) => Words::new(format!("M{}", group + 1)),
                (None, true) => Words::new("P"),
                (None, false) => Words::default(),
            });
        }
        let lts = &member.lts;
        let numbers = [lts.proper_state_count(), lts.transition_count(), lts.alphabet().len()];
        row.extend(numbers.map(|number| Words::new(grouped(number))));
        row
    };
    let parts = explanation.members.iter().filter(|member| member.standing.acts());
    blocks.push(Block::Table(Table { head, rows: parts.map(row).collect() }));
    if is_split && explanation.is_about_parts() {
        let words = Words::new("In no group: ").names(explanation.goal());
        blocks.push(Block::Paragraph(words.text(". In the rule, this is P, which is not to fail.")));
    }
    if let Some(words) = fails_beside(explanation) {
        blocks.push(Block::Paragraph(words));
    }
    if let Some(picture) = pictures::connections(explanation) {
        blocks.push(Block::Picture(picture));
    }
}
