//! `rely certify`

use std::path::Path;

use rely_base::printable;
use rely_session::report::{CertifyResult, ClaimedComponent, Finding, Kind, Level};
use rely_session::{Certificate, NO_CERTIFICATE};

use crate::args::Certify;
use crate::context::{Context, Exit};
use crate::files;
use crate::render::verdict::under;

pub(crate) fn run(context: &Context, verb: &Certify) -> anyhow::Result<Exit> {
    let name = verb.certificate.display().to_string();
    let patience = context.watch.patience();
    let certificate = files::read_text(&verb.certificate, &patience, files::weight_of_json)?;
    let project = context.open_with(&verb.model, &verb.properties)?;
    let report =
        match rely_session::certify(&project, &name, &certificate, &verb.expect, context.watch.budget()) {
            Ok(report) => report,
            Err(failed) => return super::fail(context, &failed, &project),
        };
    if context.global.json {
        context.answer(&report);
    } else {
        context.show_findings(&report.diagnostics, std::slice::from_ref(&project));
        let text: String = report.results.iter().map(|result| line(context, result)).collect();
        context.print(&text)?;
    }
    let accepted = report.results.iter().all(|result| result.accepted);
    let is_doubtful = context.weighed(&report.diagnostics).iter().any(Finding::questions_verdicts);
    Ok(if accepted && !(verb.strict && is_doubtful) { Exit::Success } else { Exit::Violated })
}

/// Writes a certificate, unless it claims nothing: such a file would be worth nothing.
pub(super) fn save(context: &Context, path: &Path, certificate: &Certificate) -> anyhow::Result<()> {
    if certificate.claims.is_empty() {
        warn_of_none(context, path, "nothing holds that could be certified");
        return Ok(());
    }
    context.write(path, |out| certificate.write(out).map_err(|error| error.to_string()))
}

/// Warns that no certificate is written.
pub(super) fn warn_of_none(context: &Context, path: &Path, why: &str) {
    let message = format!("no certificate is written: {why}");
    let finding = Finding::about(&path.display().to_string(), NO_CERTIFICATE, &message);
    let help = path.exists().then(|| "the file that is there is from an earlier run".to_owned());
    context.show_findings(&[Finding { severity: Level::Warning, help, ..finding }], &[]);
}

fn line(context: &Context, result: &CertifyResult) -> String {
    let style = context.style;
    let target = match result.target.as_str() {
        "" => String::new(),
        target => format!("{}: ", style.bold(printable(target))),
    };
    let property = printable(&result.property);
    let what = match (&result.components, result.kind) {
        (Some(components), _) => format!("property {property}{}", numbered(components)),
        (None, Kind::Deadlock | Kind::Safety | Kind::Divergence) => property.into_owned(),
        (None, Kind::Progress) => format!("progress {property}"),
        (None, Kind::Ltl) if result.is_commitment => {
            format!("property {property}{}", under(result.fairness))
        }
        (None, Kind::Ltl) => format!("assert {property}{}", under(result.fairness)),
    };
    let why = if result.derived { ": whatever can fail is claimed above" } else { "" };
    match result.reason.as_deref().map(printable) {
        None => format!("{target}{what} {}{why}\n", style.green("certified")),
        Some(reason) => format!("{target}{what} {}: {reason}\n", style.red("rejected")),
    }
}

/// Which components a claim is about: several may have the same name.
fn numbered(components: &[ClaimedComponent]) -> String {
    let numbers: Vec<String> = components.iter().map(|component| component.number.to_string()).collect();
    match components {
        [] => " (nothing can fail)".to_owned(),
        [first, ..] if first.beside => " (beside the system)".to_owned(),
        [_] => format!(" (component {})", numbers[0]),
        _ => format!(" (components {})", numbers.join(", ")),
    }
}
