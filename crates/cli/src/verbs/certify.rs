//! `rely certify`

use std::path::Path;

use rely_session::report::{CertifyResult, Kind, Report};
use rely_session::{Certificate, Failed};

use crate::args::Certify;
use crate::context::{Context, Exit, print_text};
use crate::files;

pub(crate) fn run(context: &Context, verb: &Certify) -> anyhow::Result<Exit> {
    let name = verb.certificate.display().to_string();
    let certificate = files::read(&verb.certificate)?;
    let project = context.open_one(&verb.model.file)?;
    let report = match rely_session::certify(&project, &name, &certificate, context.watch.budget()) {
        Ok(report) => report,
        Err(Failed::Errors(findings)) => {
            return context.fail(
                &Report::<CertifyResult>::new("certify", Vec::new(), findings),
                std::slice::from_ref(&project),
            );
        }
        Err(failed) => {
            if let (true, Failed::Exhausted(_, findings)) = (context.global.json, &failed) {
                context.print_json(&Report::<CertifyResult>::new("certify", Vec::new(), findings.clone()))?;
            }
            return super::fail(context, &failed, &project);
        }
    };
    if context.global.json {
        context.print_json(&report)?;
    } else {
        context.show_findings(&report.diagnostics, std::slice::from_ref(&project));
        let text: String = report.results.iter().map(|result| line(context, result)).collect();
        print_text(&text)?;
    }
    let accepted = report.results.iter().all(|result| result.accepted);
    Ok(if accepted { Exit::Success } else { Exit::Violated })
}

/// Writes a certificate, and says so if it is worth nothing.
pub(super) fn save(context: &Context, path: &Path, certificate: &Certificate) -> anyhow::Result<()> {
    if certificate.claims.is_empty() && !context.global.quiet {
        eprintln!("rely: the certificate claims nothing");
    }
    files::write(path, |out| certificate.write(out).map_err(|error| error.to_string()))
}

fn line(context: &Context, result: &CertifyResult) -> String {
    let style = context.style;
    let target = style.bold(&result.target);
    let what = match result.kind {
        Kind::Deadlock | Kind::Safety | Kind::Divergence => result.property.clone(),
        Kind::Progress => format!("progress {}", result.property),
        Kind::Ltl => format!("assert {}", result.property),
    };
    match &result.reason {
        None => format!("{target}: {what} {}\n", style.green("certified")),
        Some(reason) => format!("{target}: {what} {}: {reason}\n", style.red("rejected")),
    }
}
