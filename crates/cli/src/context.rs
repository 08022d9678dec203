//! What every verb needs: the options, the watch, and the ways to end.

use std::cell::{Cell, RefCell};
use std::fmt::Display;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use rely_session::report::{Finding, Level, Report, Verdict};
use rely_session::{INTERNAL, Internal, LIMIT_REACHED, Project, UNREADABLE, WRONG_USAGE};
use serde::Serialize;

use crate::args::{Global, Model, Properties, When};
use crate::files::Unusable;
use crate::render::{self, Style};
use crate::watch::Watch;
use crate::{files, paths, patience, terminal};

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
        } else if patience::is_stopped(error) {
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

    /// The status where what questions a verdict is a failure if that is asked for.
    pub(crate) fn unless_strict(self, is_strict: bool, is_doubtful: bool) -> Self {
        match self {
            Self::Success | Self::Inconclusive if is_strict && is_doubtful => Self::Violated,
            _ => self,
        }
    }
}

impl Exit {
    /// The status of verdicts, each with the expected one if there is one. A verdict as expected is a success, and another
    /// one is a failure; only where a limit left the answer open it is not known whether it is one.
    pub(crate) fn of_expected(verdicts: impl Iterator<Item = (Verdict, Option<Verdict>)>) -> Self {
        let judged = verdicts.map(|(verdict, expected)| match (verdict, expected) {
            (_, None) => verdict,
            (_, Some(expected)) if verdict == expected => Verdict::Holds,
            (Verdict::Unknown, Some(_)) => Verdict::Unknown,
            (Verdict::Holds | Verdict::Violated, Some(_)) => Verdict::Violated,
        });
        Self::of_verdicts(&judged.collect::<Vec<_>>())
    }
}

/// The command was used in a way that makes no sense.
#[derive(Debug)]
pub(crate) struct Usage(pub(crate) String);

impl Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// The object of `--json`, which is printed when the verb has ended: until then more may be found.
trait Object {
    /// Adds what was found since.
    fn add(&mut self, findings: Vec<Finding>);

    /// Takes the results away: where the input has errors there are none.
    fn forget_results(&mut self);

    /// The object as text.
    fn text(&self) -> serde_json::Result<String>;
}

impl<R: Serialize> Object for Report<R> {
    fn add(&mut self, findings: Vec<Finding>) {
        self.diagnostics.extend(findings);
    }

    fn forget_results(&mut self) {
        self.results.clear();
    }

    fn text(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }
}

/// The options that mean the same everywhere, and the watch.
pub(crate) struct Context {
    pub(crate) global: Global,
    /// The name of the verb.
    pub(crate) command: &'static str,
    /// The file that was opened first.
    file: RefCell<String>,
    /// With `--json`, what was found and is in no object yet.
    findings: RefCell<Vec<Finding>>,
    /// The files that models import: nothing is written over them.
    imported: RefCell<Vec<PathBuf>>,
    /// Whether something has been found that the user denies.
    has_denied: Cell<bool>,
    /// With `--json`, the answer as far as it is known.
    object: RefCell<Option<Box<dyn Object>>>,
    /// With `--json`, whether something has been printed that is no object.
    has_printed: Cell<bool>,
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
            imported: RefCell::default(),
            object: RefCell::default(),
            has_denied: Cell::new(false),
            has_printed: Cell::new(false),
        }
    }

    /// Reads models, and gives their constants the values that were asked for. A file that is named twice is read once.
    pub(crate) fn open<'a>(&self, paths: impl IntoIterator<Item = &'a Path>) -> anyhow::Result<Vec<Project>> {
        let (mut projects, mut known) = (Vec::new(), Vec::new());
        for path in paths {
            let file = paths::identity(path);
            if known.contains(&file) {
                continue;
            }
            known.push(file);
            if projects.is_empty() {
                self.file.replace(files::name_of(path));
            }
            let project = files::open(path, &self.watch.patience())?;
            self.imported.borrow_mut().extend(paths::imported_by(path, &project));
            projects.push(project);
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

    /// Reads a model and the file of properties beside it.
    pub(crate) fn open_with(&self, model: &Model, beside: &Properties) -> anyhow::Result<Project> {
        let paths = std::iter::once(&*model.file).chain(beside.properties.as_deref());
        let mut projects = self.open(paths)?.into_iter();
        let project = projects.next().expect("a path gives a project");
        Ok(match projects.next() {
            Some(properties) => project.with_properties(properties),
            None => project,
        })
    }

    /// The findings without those that the user allows; those that are denied are remembered.
    pub(crate) fn weighed(&self, findings: &[Finding]) -> Vec<Finding> {
        let is_warning = |finding: &Finding| finding.severity != Level::Error;
        let is_one =
            |codes: &[String], finding: &Finding| codes.contains(&finding.code) && is_warning(finding);
        if findings.iter().any(|finding| finding.denied || is_one(&self.global.deny, finding)) {
            self.has_denied.set(true);
        }
        findings.iter().filter(|finding| !is_one(&self.global.allow, finding)).cloned().collect()
    }

    /// Shows findings on standard error; with `--json` they are part of the object instead.
    pub(crate) fn show_findings(&self, findings: &[Finding], projects: &[Project]) {
        self.watch.finish();
        let findings = &self.weighed(findings)[..];
        if self.global.json {
            self.findings.borrow_mut().extend(findings.iter().cloned());
            return;
        }
        let is_shown = |finding: &&Finding| {
            !self.global.quiet || finding.severity == Level::Error || finding.questions_verdicts()
        };
        let shown = findings.iter().filter(is_shown);
        let text = |finding: &Finding| {
            projects.iter().map(|project| project.text_of(&finding.file)).find(|text| !text.is_empty())
        };
        for finding in shown {
            let rendered =
                render::findings::render(finding, text(finding).unwrap_or_default(), self.error_style);
            self.say_lines(&(rendered + "\n"));
        }
        let errors = findings.iter().filter(|finding| finding.severity == Level::Error).count();
        if errors > 0 {
            let hint = findings.iter().find(|finding| finding.severity == Level::Error);
            let hint = hint.map_or(String::new(), |finding| format!("; try `rely explain {}`", finding.code));
            say(render::counted(errors, "error") + &hint);
        }
    }

    /// Warns on standard error of what an answer may not mean, whatever is asked for; with `--json` that is part of the
    /// answer.
    pub(crate) fn warn(&self, about: &str, warnings: &[String]) {
        if self.global.json {
            return;
        }
        self.watch.finish();
        for warning in warnings {
            let warning = terminal::one_line(&format!("{about}: {warning}")).into_owned();
            self.say_lines(&format!("{} {warning}", self.error_style.yellow("warning:")));
        }
    }

    /// Warns of several answers about one target. A warning that several of them have is said once.
    pub(crate) fn warn_of_all(&self, target: &str, answers: &[(String, &[String])]) {
        let all = answers.iter().flat_map(|(_, warnings)| *warnings);
        let mut said: Vec<&String> = Vec::new();
        for warning in all {
            if said.contains(&warning) {
                continue;
            }
            said.push(warning);
            let doubtful = answers.iter().filter(|(_, warnings)| warnings.contains(warning));
            let questions: Vec<&str> = doubtful.map(|(question, _)| question.as_str()).collect();
            self.warn(&format!("{target}: {}", questions.join(", ")), std::slice::from_ref(warning));
        }
    }

    /// Prints an answer to standard output, in colours if they are wanted; somebody who stops reading is no error.
    pub(crate) fn print(&self, text: &str) -> anyhow::Result<()> {
        print(&if self.style.coloured { terminal::styled(text) } else { terminal::plain(text) })
    }

    /// Says some lines on standard error, in colours if they are wanted.
    fn say_lines(&self, text: &str) {
        let text = if self.error_style.coloured { terminal::styled(text) } else { terminal::plain(text) };
        // If that is not possible, there is nowhere else to say so.
        let _ = writeln!(std::io::stderr(), "{text}");
    }

    /// Remarks on standard error on what the verb does, unless only verdicts are wanted.
    pub(crate) fn remark(&self, text: impl Display) {
        if !self.global.quiet {
            self.watch.finish();
            say(format_args!("rely: {text}"));
        }
    }

    /// Says that a limit ended the work before there was a result.
    pub(crate) fn stop(&self, why: &str) {
        self.watch.finish();
        say(format_args!("rely: {why}"));
        let finding = Finding::about(&self.file.borrow(), LIMIT_REACHED, why);
        self.findings.borrow_mut().push(Finding { severity: Level::Warning, ..finding });
    }

    /// Writes a file.
    pub(crate) fn write(
        &self,
        path: &Path,
        content: impl FnOnce(&mut files::Output<'_>) -> Result<(), String>,
    ) -> anyhow::Result<()> {
        if self.imported.borrow().contains(&paths::identity(path)) {
            let name = path.display();
            return Err(Usage(format!("{name} would be written over: the model imports it")).into());
        }
        files::write(path, &self.watch.patience(), content)
    }

    /// Keeps the answer for the object that is printed in the end.
    pub(crate) fn answer<R: Serialize + Clone + 'static>(&self, report: &Report<R>) {
        let diagnostics = self.weighed(&report.diagnostics);
        self.object.replace(Some(Box::new(Report { diagnostics, ..report.clone() })));
    }

    /// Says that a verb has printed what is no object of the contract.
    pub(crate) fn has_printed(&self) {
        self.has_printed.set(true);
    }

    /// Says why nothing could be done; with `--json` the object on standard output says it, too.
    fn give_up(&self, error: &anyhow::Error) -> Exit {
        let exit = Exit::of(error);
        say(format_args!("rely: {error:#}"));
        let code = match exit {
            Exit::Usage => WRONG_USAGE,
            Exit::Internal => INTERNAL,
            _ => UNREADABLE,
        };
        let file = match error.downcast_ref::<Unusable>() {
            Some(unusable) => unusable.path.display().to_string(),
            None => self.file.borrow().clone(),
        };
        self.findings.borrow_mut().push(Finding::about(&file, code, &format!("{error:#}")));
        exit
    }

    /// The status of a verb that has ended; with `--json`, standard output holds an object, whatever happened.
    pub(crate) fn finish(&self, result: anyhow::Result<Exit>) -> Exit {
        self.watch.finish();
        let exit = result.unwrap_or_else(|error| self.give_up(&error));
        let is_passed = matches!(exit, Exit::Success | Exit::Inconclusive);
        let exit = if is_passed && self.has_denied.get() { Exit::Violated } else { exit };
        if !self.global.json || self.has_printed.get() {
            return exit;
        }
        let mut object = self.object.take().unwrap_or_else(|| {
            Box::new(Report::<()>::new(self.command, Vec::new(), Vec::new())) as Box<dyn Object>
        });
        object.add(self.findings.take());
        if matches!(exit, Exit::Usage | Exit::Errors | Exit::Internal) {
            object.forget_results();
        }
        let text = object.text().map_err(|error| Internal(error.to_string()).into());
        match text.and_then(|text| print_json(&text)) {
            Ok(()) => exit,
            Err(error) => self.give_up(&error),
        }
    }

    /// Shows a report whose input has errors.
    pub(crate) fn fail<R: Serialize + Clone + 'static>(
        &self,
        report: &Report<R>,
        projects: &[Project],
    ) -> Exit {
        match self.global.json {
            true => self.answer(report),
            false => self.show_findings(&report.diagnostics, projects),
        }
        Exit::Errors
    }
}

/// Prints text without colours to standard output; somebody who stops reading is no error.
pub(crate) fn print_text(text: &str) -> anyhow::Result<()> {
    print(&terminal::plain(text))
}

/// Prints a JSON text to standard output; somebody who stops reading is no error.
pub(crate) fn print_json(text: &str) -> anyhow::Result<()> {
    print(&terminal::json(text))
}

fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(anyhow::Error::new(error).context("cannot write to standard output"))
        }
        _ => Ok(()),
    }
}

/// Says a sentence on standard error. If that is not possible, there is nowhere else to say so.
pub(crate) fn say(text: impl Display) {
    let _ = writeln!(std::io::stderr(), "{}", terminal::one_line(&text.to_string()));
}
