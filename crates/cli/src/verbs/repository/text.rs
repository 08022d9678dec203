//! Packages as lines of text.

use std::fmt::Write as _;
use std::path::Path;

use rely_base::printable;
use rely_session::report::{PackageResult, PackageStatus, PackagedProperty, Verdict};

use crate::render::Style;

/// A package, and if that is wanted its interface and properties, and what it is recognised by.
pub(super) fn render(
    result: &PackageResult,
    (is_detailed, has_digest): (bool, bool),
    style: Style,
) -> String {
    let name = style.bold(printable(&result.name));
    let mut text = format!("{name}: {}", status(result.status, style));
    if let Some(reason) = &result.reason {
        let _ = write!(text, ", {}", printable(reason));
    }
    let is_kept = |it: &&PackagedProperty| it.kept;
    let kept = result.properties.iter().filter(is_kept).count();
    let holding = result.properties.iter().filter(|it| it.verdict == Verdict::Holds).count();
    match result.status {
        PackageStatus::Packaged | PackageStatus::Stale | PackageStatus::Exported => {
            let _ = write!(text, ", with {}", properties(result.properties.len()));
        }
        PackageStatus::Added | PackageStatus::Replaced | PackageStatus::Verified => {
            let _ = write!(text, ", with {}", properties(holding));
        }
        _ => {}
    }
    if result.status == PackageStatus::Replaced && kept > 0 {
        let _ = write!(text, "; the evidence for {kept} of them is still accepted");
    }
    text.push('\n');
    if is_detailed {
        interface(&mut text, result);
    }
    if let Some(digest) = result.digest.as_ref().filter(|_| has_digest) {
        let _ = writeln!(text, "  {}", style.dim(format!("content {digest}")));
    }
    for property in &result.properties {
        let is_shown = is_detailed || property.verdict == Verdict::Violated || property.reason.is_some();
        if is_shown {
            line(&mut text, property, is_detailed, style);
        }
    }
    text
}

fn properties(count: usize) -> String {
    if count == 1 { "1 property".to_owned() } else { format!("{count} properties") }
}

fn status(status: PackageStatus, style: Style) -> String {
    match status {
        PackageStatus::Added => style.green("added"),
        PackageStatus::Replaced => style.green("replaced"),
        PackageStatus::Packaged => "packaged".to_owned(),
        PackageStatus::Verified => style.green("verified"),
        PackageStatus::Stale => style.yellow("stale: its file has changed"),
        PackageStatus::Refused => style.red("refused"),
        PackageStatus::Damaged => style.red("damaged"),
        PackageStatus::Found => style.green("found"),
        PackageStatus::Unsuited => style.yellow("not known to be what is wanted"),
        PackageStatus::Removed => "removed".to_owned(),
        PackageStatus::Exported => "exported".to_owned(),
    }
}

fn interface(text: &mut String, result: &PackageResult) {
    if !result.component.is_empty() {
        let file = Path::new(&result.file).file_name().unwrap_or_default().to_string_lossy();
        let _ = writeln!(text, "  component {} of {}", printable(&result.component), printable(&file));
    }
    for (what, messages) in
        [("takes", &result.inputs), ("gives", &result.outputs), ("actions", &result.actions)]
    {
        if !messages.is_empty() {
            let _ = writeln!(text, "  {what} {}", printable(&messages.join(", ")));
        }
    }
}

fn line(text: &mut String, property: &PackagedProperty, is_detailed: bool, style: Style) {
    let verdict = match property.verdict {
        Verdict::Holds => format!(" {}", style.green("holds")),
        Verdict::Violated => format!(" {}", style.red("violated")),
        Verdict::Unknown if property.reason.is_some() => format!(" {}", style.yellow("unknown")),
        Verdict::Unknown => String::new(),
    };
    let _ = write!(text, "  {}{verdict}", printable(&property.name));
    match &property.reason {
        Some(reason) => _ = writeln!(text, ": {}", printable(reason)),
        None => text.push('\n'),
    }
    if !is_detailed {
        return;
    }
    if let Some(claim) = property.claim.as_ref().filter(|claim| **claim != property.name) {
        let _ = writeln!(text, "    {}", printable(claim));
    }
    if !property.assuming.is_empty() {
        let _ = writeln!(text, "    assuming {}", printable(&property.assuming.join(", ")));
    }
    if !property.from.is_empty() {
        let _ = writeln!(text, "    from {}", printable(&property.from.join(", ")));
    }
}
