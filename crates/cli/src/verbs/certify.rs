//! `rely certify`

use std::path::Path;

use rely_base::printable;
use rely_session::report::{CertifyResult, Finding, Kind, Level};
use rely_session::{Certificate, NO_CERTIFICATE};

use crate::args::Certify;
use crate::context::{Context, Exit};
use crate::files;

pub(crate) fn run(context: &Context, verb: &Certify) -> anyhow::Result<Exit> {
    let name = verb.certificate.display().to_string();
    let patience = context.watch.patience();
    let certificate = files::read_text(&verb.certificate, &patience, files::weight_of_json)?;
    let project = context.open_one(&verb.model.file)?;
    let report = match rely_session::certify(&project, &name, &certificate, context.watch.budget()) {
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
    Ok(if accepted { Exit::Success } else { Exit::Violated })
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
    let target = style.bold(printable(&result.target));
    // Nothing that is rejected must look like a line that says something else.
    let property = printable(&result.property);
    let what = match result.kind {
        Kind::Deadlock | Kind::Safety | Kind::Divergence => property.into_owned(),
        Kind::Progress => format!("progress {property}"),
        Kind::Ltl => format!("assert {property}"),
    };
    match result.reason.as_deref().map(printable) {
        None => format!("{target}: {what} {}\n", style.green("certified")),
        Some(reason) => format!("{target}: {what} {}: {reason}\n", style.red("rejected")),
    }
}
