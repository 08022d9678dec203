//! What every verb needs: the options, the watch, and the ways to end.

use std::io::{IsTerminal, Write};
use std::path::Path;

use rely_base::Code;
use rely_session::Internal;
use rely_session::Project;
use rely_session::report::{Finding, Level, Report, Verdict};
use serde::Serialize;

use crate::args::{Global, When};
use crate::files;
use crate::render::{self, Style};
use crate::watch::Watch;

/// The exit status; the numbers are a contract.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Everything asked for holds, or the command did its work.
    Success = 0,
    /// Something is violated.
    Violated = 1,
    /// Wrong usage.
    Usage = 2,
    /// The input has errors.
    Errors = 3,
    /// A limit was reached.
    Inconclusive = 4,
    /// A mistake in this program.
    Internal = 5,
}

impl Exit {
    /// The status of an error that ends the program.
    pub(crate) fn of(error: &anyhow::Error) -> Self {
        if error.is::<Internal>() {
            Self::Internal
        } else if error.is::<Usage>() {
            Self::Usage
        } else {
            Self::Errors
        }
    }

    /// The status of a list of verdicts: a violation counts more than a limit.
    pub(crate) fn of_verdicts(verdicts: &[Verdict]) -> Self {
        if verdicts.contains(&Verdict::Violated) {
            Self::Violated
        } else if verdicts.contains(&Verdict::Unknown) {
            Self::Inconclusive
        } else {
            Self::Success
        }
    }
}

/// The command was used in a way that makes no sense.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// The options that mean the same everywhere, and the watch.
pub(crate) struct Context {
    pub(crate) global: Global,
    pub(crate) watch: Watch,
    /// For what goes to standard output.
    pub(crate) style: Style,
    /// For what goes to standard error.
    pub(crate) error_style: Style,
}

impl Context {
    pub(crate) fn new(global: Global) -> Self {
        let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let coloured = |terminal: bool| match global.color {
            When::Always => true,
            When::Never => false,
            When::Auto => terminal && !no_color,
        };
        let interactive = std::io::stderr().is_terminal() && !global.quiet;
        Self {
            watch: Watch::new(&global, interactive),
            style: Style { coloured: coloured(std::io::stdout().is_terminal()) },
            error_style: Style { coloured: coloured(std::io::stderr().is_terminal()) },
            global,
        }
    }

    /// Reads models, and gives their constants the values that were asked for.
    pub(crate) fn open<'a>(&self, paths: impl IntoIterator<Item = &'a Path>) -> anyhow::Result<Vec<Project>> {
        let mut projects = paths.into_iter().map(files::open).collect::<Result<Vec<_>, _>>()?;
        for (name, value) in &self.global.define {
            let having = projects.iter_mut().filter_map(|project| project.define(name, *value).then_some(()));
            if having.count() == 0 {
                let names: Vec<&str> = projects.iter().map(Project::name).collect();
                let message = format!("--define: {} has no constant `{name}`", names.join(", "));
                return Err(Usage(message).into());
            }
        }
        Ok(projects)
    }

    /// Reads one model.
    pub(crate) fn open_one(&self, path: &Path) -> anyhow::Result<Project> {
        let mut projects = self.open([path])?;
        Ok(projects.pop().expect("a path gives a project"))
    }

    /// Shows findings on standard error; with `--json` they are part of the object instead.
    pub(crate) fn show_findings(&self, findings: &[Finding], projects: &[Project]) {
        self.watch.finish();
        if self.global.json {
            return;
        }
        let shown = findings.iter().filter(|finding| !self.global.quiet || finding.severity == Level::Error);
        let text = |finding: &Finding| {
            projects.iter().map(|project| project.text_of(&finding.file)).find(|text| !text.is_empty())
        };
        for finding in shown {
            eprintln!(
                "{}\n",
                render::findings::render(finding, text(finding).unwrap_or_default(), self.error_style)
            );
        }
        let errors = findings.iter().filter(|finding| finding.severity == Level::Error).count();
        if errors > 0 {
            let hint = findings.iter().find(|finding| finding.severity == Level::Error);
            let hint = hint.map_or(String::new(), |finding| format!("; try `rely explain {}`", finding.code));
            eprintln!("{}{hint}", render::counted(errors, "error"));
        }
    }

    /// Prints an object to standard output.
    pub(crate) fn print_json(&self, value: &impl Serialize) -> anyhow::Result<()> {
        self.watch.finish();
        print_text(&(serde_json::to_string_pretty(value)? + "\n"))
    }

    /// Says why nothing could be done; with `--json` there is an object on standard output all the same.
    pub(crate) fn give_up(&self, error: &anyhow::Error) -> Exit {
        let exit = Exit::of(error);
        eprintln!("rely: {error:#}");
        if self.global.json {
            let finding = Finding::without_place(Code("E0001"), &format!("{error:#}"));
            let report = Report::<()>::new("rely", Vec::new(), vec![finding]);
            if self.print_json(&report).is_err() {
                return Exit::Internal;
            }
        }
        exit
    }

    /// Shows a report whose input has errors.
    pub(crate) fn fail<R: Serialize>(
        &self,
        report: &Report<R>,
        projects: &[Project],
    ) -> anyhow::Result<Exit> {
        if self.global.json {
            self.print_json(report)?;
        }
        self.show_findings(&report.diagnostics, projects);
        Ok(Exit::Errors)
    }
}

/// Prints to standard output; somebody who stops reading is no error.
pub(crate) fn print_text(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
