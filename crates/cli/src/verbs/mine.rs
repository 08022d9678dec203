//! `rely mine`

use rely_base::{column_width, printable};
use rely_session::report::MineResult;
use rely_session::{Memory, Window};

use crate::args::Mine;
use crate::cache::Cache;
use crate::context::{Context, Exit};

pub(crate) fn run(context: &Context, verb: &Mine) -> anyhow::Result<Exit> {
    let project = context.open_one(&verb.model.file)?;
    let cache = Cache::open(&verb.kept, &context.watch.patience())?;
    let memory = cache.as_ref().map(|cache| cache as &dyn Memory);
    let (window, budget) = (window(verb.window), context.watch.budget());
    let mined = rely_session::mine(&project, &verb.component, window, memory, budget);
    if let Some(cache) = &cache {
        cache.warn();
    }
    let report = match mined {
        Ok(report) => report,
        Err(failed) => return super::fail(context, &failed, &project),
    };
    if context.global.json {
        context.answer(&report);
    } else {
        context.show_findings(&report.diagnostics, std::slice::from_ref(&project));
        let text: String = report.results.iter().map(|result| shown(context, result)).collect();
        context.print(&text)?;
    }
    Ok(Exit::Success)
}

/// The window of `steps` steps; the command line allows 1 and 2 only.
pub(super) fn window(steps: u8) -> Window {
    if steps == 1 { Window::One } else { Window::Two }
}

fn shown(context: &Context, result: &MineResult) -> String {
    let component = context.style.bold(printable(&result.component));
    if result.lines.is_empty() {
        let nothing = "may rely on nothing: its environment does whatever the interface allows";
        return format!("{component} {nothing}\n{}", lost(result));
    }
    let width = column_width(result.lines.iter().map(|line| line.text.as_str()));
    let mut text = format!("{component} may rely on\n");
    for line in &result.lines {
        text.push_str(&format!("    {:width$}  {:>9}\n", printable(&line.text), line.support));
    }
    text.push_str(&format!(
        "{} configurations; {} further rules follow from these\n",
        result.configurations, result.redundant
    ));
    if result.by_part {
        text.push_str("the environment is large, so its components were looked at one by one: rules that need several of them together are not among these\n");
    }
    if result.reused {
        text.push_str("nothing in the environment has changed: these are the rules of an earlier run\n");
    }
    text + &lost(result)
}

/// What does not hold any more since an earlier run, and which proofs that breaks.
fn lost(result: &MineResult) -> String {
    if result.gone.is_empty() {
        return String::new();
    }
    let mut text = "the environment has changed, and does not keep any more to\n".to_owned();
    result.gone.iter().for_each(|rule| text.push_str(&format!("    {}\n", printable(rule))));
    if !result.broken_proofs.is_empty() {
        let proofs: Vec<_> = result.broken_proofs.iter().map(|name| printable(name)).collect();
        text.push_str(&format!("earlier proofs rest on that: {}\n", proofs.join(", ")));
    }
    text
}
