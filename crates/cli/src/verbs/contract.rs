//! `rely contract`

use std::fmt::Write;

use rely_session::report::{ContractResult, ContractSize, Verdict};
use rely_session::{Combined, ContractQuery, Operation};

use super::assume::Destination;
use super::compatible::written;
use super::convert::note_lost;
use crate::args::Contract;
use crate::context::{Context, Exit, Usage};
use crate::render::{Style, counted};

pub(crate) fn run(context: &Context, verb: &Contract) -> anyhow::Result<Exit> {
    let operation = Operation::from_name(&verb.operation).expect("the command line allows these only");
    let (least, most) = operation.arity();
    if !(least..=most).contains(&verb.operands.len()) {
        let wanted = match (least, most) {
            (least, most) if least == most => counted(least, "operand"),
            (least, _) => format!("at least {}", counted(least, "operand")),
        };
        return Err(Usage(format!("{} takes {wanted}", verb.operation)).into());
    }
    if operation == Operation::Consistent && verb.output.is_some() {
        return Err(Usage("consistent gives no contract to write; conjoin does".to_owned()).into());
    }
    let destination = verb.output.as_deref().map(Destination::of).transpose()?;
    let project = context.open_one(&verb.model.file)?;
    let query = ContractQuery { operation, operands: verb.operands.clone() };
    let Combined { report, contract } = rely_session::contract(&project, &query, context.watch.budget())?;
    if report.has_errors() {
        return Ok(context.fail(&report, std::slice::from_ref(&project)));
    }
    if let (Some(destination), Some(contract)) = (&destination, &contract) {
        destination.save(context, contract)?;
        note_lost(context, contract, destination.format, destination.path);
    }
    if context.global.json {
        context.answer(&report);
    } else {
        context.show_findings(&report.diagnostics, std::slice::from_ref(&project));
        let mut text: String = report.results.iter().map(|result| render(context.style, result)).collect();
        if let (None, Some(contract), false) = (&destination, &contract, context.global.quiet) {
            text.push('\n');
            text.push_str(&written(contract)?);
        }
        context.print(&text)?;
    }
    let verdicts: Vec<_> = report.results.iter().map(|result| result.verdict).collect();
    Ok(Exit::of_verdicts(&verdicts))
}

fn render(style: Style, result: &ContractResult) -> String {
    let subject = format!("{} {}", result.operation, style.bold(result.operands.join(", ")));
    if let (Verdict::Unknown | Verdict::Violated, Some(reason)) = (result.verdict, &result.reason) {
        let what =
            if result.verdict == Verdict::Unknown { style.yellow("unknown") } else { style.red("none") };
        return format!("{subject}: {what}, {reason}\n");
    }
    if let Some(ContractSize { states, transitions, inputs, outputs }) = &result.contract {
        let marked = |names: &[String], mark: char| -> Vec<String> {
            names.iter().map(|name| format!("{name}{mark}")).collect()
        };
        let actions = [marked(inputs, '?'), marked(outputs, '!')].concat().join(", ");
        let size = format!("{}, {}", counted(*states, "state"), counted(*transitions, "transition"));
        return match actions.is_empty() {
            true => format!("{subject}: {size}\n"),
            false => format!("{subject}: {size} over {actions}\n"),
        };
    }
    let verdict = match result.verdict {
        Verdict::Holds => style.green("yes"),
        Verdict::Violated | Verdict::Unknown => style.red("no"),
    };
    let mut text = format!("{subject}: {verdict}\n");
    if !result.disputed.is_empty() {
        let _ = writeln!(text, "  one receives what another sends: {}", result.disputed.join(", "));
    }
    if let Some(dead_end) = &result.dead_end {
        let when =
            if dead_end.is_empty() { "at once".to_owned() } else { format!("after {}", dead_end.join(", ")) };
        let _ = writeln!(text, "  {when} each could go on, and all together cannot");
    }
    text
}
