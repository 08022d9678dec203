//! What every verb needs: the options, the watch, and the ways to end.

use std::cell::{Cell, RefCell};
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
        if error.is::<Internal>() || error.is::<Unprinted>() {
            Self::Internal
        } else if error.is::<Usage>() {
            Self::Usage
        } else if files::is_stopped(error) {
            Self::Inconclusive
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

/// Standard output cannot be written.
#[derive(Debug)]
pub(crate) struct Unprinted(std::io::Error);

impl std::fmt::Display for Unprinted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot write to standard output: {}", self.0)
    }
}

impl std::error::Error for Unprinted {}

/// The options that mean the same everywhere, and the watch.
pub(crate) struct Context {
    pub(crate) global: Global,
    /// The name of the verb.
    pub(crate) command: &'static str,
    /// The file that was opened first.
    file: RefCell<String>,
    /// With `--json`, what was found and is in no object yet.
    findings: RefCell<Vec<Finding>>,
    /// With `--json`, whether the object has been printed: there is exactly one.
    is_answered: Cell<bool>,
    pub(crate) watch: Watch,
    /// For what goes to standard output.
    pub(crate) style: Style,
    /// For what goes to standard error.
    pub(crate) error_style: Style,
}

impl Context {
    pub(crate) fn new(global: Global, command: &'static str) -> Self {
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
            command,
            file: RefCell::default(),
            findings: RefCell::default(),
            is_answered: Cell::new(false),
        }
    }

    /// Reads models, and gives their constants the values that were asked for.
    pub(crate) fn open<'a>(&self, paths: impl IntoIterator<Item = &'a Path>) -> anyhow::Result<Vec<Project>> {
        let mut projects = Vec::new();
        for path in paths {
            if projects.is_empty() {
                self.file.replace(path.display().to_string());
            }
            projects.push(files::open(path, &self.watch.patience())?);
        }
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
            if !self.is_answered.get() {
                self.findings.borrow_mut().extend(findings.iter().cloned());
            }
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

    /// Warns on standard error of what an answer may not mean; with `--json` that is part of the answer.
    pub(crate) fn warn(&self, about: &str, warnings: &[String]) {
        if self.global.json || self.global.quiet {
            return;
        }
        self.watch.finish();
        for warning in warnings {
            eprintln!("{} {about}: {warning}", self.error_style.yellow("warning:"));
        }
    }

    /// Prints the object to standard output; there is only one.
    pub(crate) fn print_json(&self, value: &impl Serialize) -> anyhow::Result<()> {
        self.watch.finish();
        self.is_answered.set(true);
        let findings = self.findings.take();
        if findings.is_empty() {
            return print_text(&(serde_json::to_string_pretty(value)? + "\n"));
        }
        let mut value = serde_json::to_value(value)?;
        if let Some(diagnostics) = value["diagnostics"].as_array_mut() {
            diagnostics.extend(findings.iter().map(serde_json::to_value).collect::<Result<Vec<_>, _>>()?);
        }
        print_text(&(serde_json::to_string_pretty(&value)? + "\n"))
    }

    /// Says that a verb has printed what is no object of the contract, such as a script.
    pub(crate) fn has_printed(&self) {
        self.is_answered.set(true);
    }

    /// Says why nothing could be done; with `--json` the object on standard output says it, too.
    pub(crate) fn give_up(&self, error: &anyhow::Error) -> Exit {
        let exit = Exit::of(error);
        eprintln!("rely: {error:#}");
        let code = match exit {
            Exit::Usage => rely_session::WRONG_USAGE,
            Exit::Internal => rely_session::INTERNAL,
            _ => Code("E0001"),
        };
        self.findings.borrow_mut().push(Finding::about(&self.file.borrow(), code, &format!("{error:#}")));
        exit
    }

    /// The status of a verb that has ended; with `--json`, standard output holds an object, whatever happened.
    pub(crate) fn finish(&self, result: anyhow::Result<Exit>) -> Exit {
        self.watch.finish();
        let exit = result.unwrap_or_else(|error| self.give_up(&error));
        if !self.global.json || self.is_answered.get() {
            return exit;
        }
        let report = Report::<()>::new(self.command, Vec::new(), self.findings.take());
        if self.print_json(&report).is_err() { Exit::Internal } else { exit }
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
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Unprinted(error).into()),
        _ => Ok(()),
    }
}
