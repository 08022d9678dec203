//! The state of the server: the texts that are open, what is known of them, and what is to be said.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::time::Instant;

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use rely_base::{Budget, Limits};
use rely_ide::{Board, Lines, Standing, answer_in_words};
use rely_session::Workspace;
use rely_session::report::{CheckResult, Finding, Report, Verdict};
use serde_json::{Value, json};

use super::Event;
use super::checks::{Allowed, Brief, Found, Running};
use super::edits::apply;
use super::protocol;
use super::view::Viewer;
use crate::args::Global;
use crate::context::Exit;

/// How much may be built while somebody types.
const WHILE_TYPING: Limits = Limits { states: Some(100_000), bytes: Some(256 << 20) };

/// How many files one text may import, directly and through others.
const MOST_IMPORTS: usize = 100;

/// How many steps of a trace are told beside a diagnostic.
const MOST_STEPS: usize = 50;

/// A text that is open.
pub(super) struct Open {
    pub(super) text: String,
    version: Value,
    /// The text under its URI, and the files that it imports under the names that it gives them.
    pub(super) workspace: Workspace,
    pub(super) board: Board,
    pub(super) findings: Vec<Finding>,
    /// Whether something is to be published about it.
    is_dirty: bool,
}

/// Whether the server goes on.
pub(super) enum Next {
    GoOn,
    End(Exit),
}

/// The server.
pub(super) struct Server {
    pub(super) open: BTreeMap<String, Open>,
    allowed: Allowed,
    events: Sender<Event>,
    running: Option<Running>,
    queue: VecDeque<String>,
    /// Answers views of runs, once there was one.
    viewer: Option<Viewer>,
    messages: Vec<Message>,
    /// How many requests have been sent to the editor.
    asked: i32,
    shows_progress: bool,
    refreshes_lenses: bool,
    has_shut_down: bool,
}

impl Server {
    pub(super) fn new(global: &Global, events: Sender<Event>) -> Self {
        Self {
            open: BTreeMap::new(),
            allowed: Allowed::by(global),
            events,
            running: None,
            queue: VecDeque::new(),
            viewer: None,
            messages: Vec::new(),
            asked: 0,
            shows_progress: false,
            refreshes_lenses: false,
            has_shut_down: false,
        }
    }

    /// What there is to say, once.
    pub(super) fn take_messages(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.messages)
    }

    /// Ends what is going on.
    pub(super) fn stop(&mut self) {
        self.queue.clear();
        if let Some(running) = &self.running {
            running.cancel();
        }
        if let Some(viewer) = &self.viewer {
            viewer.stop();
        }
    }

    pub(super) fn handle(&mut self, event: Event) -> Next {
        match event {
            Event::Message(Message::Request(request)) => self.request(request),
            Event::Message(Message::Notification(notification)) => return self.notification(&notification),
            Event::Message(Message::Response(_)) => {}
            Event::Found(found) => self.found(found),
            Event::Viewed(id, answer) => self.respond(id, answer.map(Value::from).map_err(failed)),
            Event::End => return Next::End(if self.has_shut_down { Exit::Success } else { Exit::Violated }),
        }
        Next::GoOn
    }

    fn request(&mut self, Request { id, method, params }: Request) {
        if method == "rely/call" {
            return self.view(id, &params);
        }
        if method == "shutdown" {
            self.has_shut_down = true;
            self.stop();
        }
        let answer = std::panic::AssertUnwindSafe(|| match method.as_str() {
            "initialize" => Ok(self.initialize(&params)),
            "shutdown" => Ok(Value::Null),
            "workspace/executeCommand" => self.execute(&params),
            _ => self.answer(&method, &params),
        });
        let answer = std::panic::catch_unwind(answer).unwrap_or_else(|_| {
            Err((ErrorCode::InternalError as i32, "there is a mistake in rely: no answer".to_owned()))
        });
        self.respond(id, answer);
    }

    fn respond(&mut self, id: RequestId, answer: Result<Value, (i32, String)>) {
        let response = match answer {
            Ok(value) => Response::new_ok(id, value),
            Err((code, message)) => Response::new_err(id, code, message),
        };
        self.messages.push(response.into());
    }

    /// Passes a message of a view on; the answer comes later.
    fn view(&mut self, id: RequestId, params: &Value) {
        let message = params["message"].as_str().unwrap_or_default().to_owned();
        if self.viewer.is_none() {
            self.viewer = Viewer::start(self.allowed.time, self.events.clone()).ok();
        }
        if !self.viewer.as_ref().is_some_and(|viewer| viewer.ask(id.clone(), message)) {
            self.viewer = None;
            self.respond(id, Err(failed("views cannot be answered".to_owned())));
        }
    }

    fn initialize(&mut self, params: &Value) -> Value {
        let client = &params["capabilities"];
        self.shows_progress = client["window"]["workDoneProgress"] == true;
        self.refreshes_lenses = client["workspace"]["codeLens"]["refreshSupport"] == true;
        protocol::capabilities()
    }

    fn notification(&mut self, Notification { method, params }: &Notification) -> Next {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default().to_owned();
        match method.as_str() {
            "exit" => {
                let exit = if self.has_shut_down { Exit::Success } else { Exit::Violated };
                return Next::End(exit);
            }
            "textDocument/didOpen" => self.opened(&uri, &params["textDocument"]),
            "textDocument/didChange" => {
                let changes = params["contentChanges"].as_array().map_or(&[][..], Vec::as_slice);
                if let Some(open) = self.open.get_mut(&uri) {
                    open.text = apply(std::mem::take(&mut open.text), changes);
                    open.version = params["textDocument"]["version"].clone();
                    open.has_changed(&uri);
                }
            }
            "textDocument/didSave" => {
                self.read_imports_again();
                self.ask(&uri);
            }
            "workspace/didChangeWatchedFiles" => self.read_imports_again(),
            "textDocument/didClose" => self.closed(&uri),
            "rely/stop" => {
                if let Some(viewer) = &self.viewer {
                    viewer.stop();
                }
            }
            "window/workDoneProgress/cancel" => {
                let token = params["token"].as_str().unwrap_or_default().to_owned();
                self.cancel(token.strip_prefix(PROGRESS).unwrap_or_default());
            }
            _ => {}
        }
        Next::GoOn
    }

    fn opened(&mut self, uri: &str, document: &Value) {
        let text = document["text"].as_str().unwrap_or_default().to_owned();
        let mut open = Open {
            text,
            version: document["version"].clone(),
            workspace: Workspace::default(),
            board: Board::default(),
            findings: Vec::new(),
            is_dirty: true,
        };
        open.has_changed(uri);
        self.open.insert(uri.to_owned(), open);
    }

    fn closed(&mut self, uri: &str) {
        self.cancel(uri);
        if self.open.remove(uri).is_some() {
            self.notify("textDocument/publishDiagnostics", json!({"uri": uri, "diagnostics": []}));
        }
    }

    /// Reads all imported files once more: they may have been saved.
    fn read_imports_again(&mut self) {
        for (uri, open) in &mut self.open {
            open.read_imports(uri, true);
            open.is_dirty = true;
        }
    }

    fn execute(&mut self, params: &Value) -> Result<Value, (i32, String)> {
        let argument = |place: usize| params["arguments"][place].as_str().unwrap_or_default().to_owned();
        let uri = argument(0);
        match params["command"].as_str() {
            Some("rely.check") => self.ask(&uri),
            Some("rely.cancel") => self.cancel(&uri),
            Some("rely.trace") => {
                let Some(open) = self.open.get(&uri) else { return Ok(Value::Null) };
                let trace = open.trace(&uri, &argument(1), &argument(2));
                if let Some(trace) = &trace {
                    self.notify("window/showMessage", json!({"type": 3, "message": trace}));
                }
                return Ok(json!(trace));
            }
            _ => return Err((ErrorCode::InvalidParams as i32, "there is no such command".to_owned())),
        }
        Ok(Value::Null)
    }

    /// Asks for the verdicts of a text: at once, or when those that are asked for are known.
    fn ask(&mut self, uri: &str) {
        let Some(open) = self.open.get_mut(uri) else { return };
        open.board.ask(uri, Standing::Queued);
        // Whoever asks again has another text in mind.
        if let Some(running) = self.running.as_ref().filter(|running| running.uri == uri) {
            running.cancel();
        }
        if !self.queue.iter().any(|waiting| waiting == uri) {
            self.queue.push_back(uri.to_owned());
        }
        self.start_next();
        self.refresh();
    }

    fn start_next(&mut self) {
        while self.running.is_none() {
            let Some(uri) = self.queue.pop_front() else { return };
            let Some(open) = self.open.get_mut(&uri) else { continue };
            let started = Running::start(&uri, open.board.texts(), self.allowed, self.events.clone());
            match started {
                Ok(running) => {
                    open.board.ask(&uri, Standing::Running);
                    self.running = Some(running);
                    self.begin_progress(&uri);
                }
                Err(_) => open.board.cancel(&uri),
            }
        }
    }

    fn cancel(&mut self, uri: &str) {
        self.queue.retain(|waiting| waiting != uri);
        if let Some(running) = self.running.as_ref().filter(|running| running.uri == uri) {
            running.cancel();
        }
        if let Some(open) = self.open.get_mut(uri) {
            open.board.cancel(uri);
        }
        self.refresh();
    }

    fn found(&mut self, found: Found) {
        match found {
            Found::Progress(uri, states) => {
                let message = format!("{states} states");
                self.progress(&uri, &json!({"kind": "report", "message": message, "cancellable": true}));
            }
            Found::Answers { uri, about, answers } => {
                let was_cancelled = self.running.take().is_some_and(|running| running.is_cancelled());
                self.progress(&uri, &json!({"kind": "end"}));
                self.keep(&uri, about, answers, was_cancelled);
                self.start_next();
                self.refresh();
            }
        }
    }

    fn keep(
        &mut self,
        uri: &str,
        about: std::sync::Arc<BTreeMap<String, String>>,
        answers: Result<Report<CheckResult>, String>,
        was_cancelled: bool,
    ) {
        let waits_again = self.queue.iter().any(|waiting| waiting == uri);
        let Some(open) = self.open.get_mut(uri) else { return };
        open.is_dirty = true;
        match answers {
            // A partial answer that somebody did not want to wait for is none.
            _ if was_cancelled => open.board.cancel(uri),
            Ok(report) => open.board.answer(uri, about, report),
            Err(reason) => {
                open.board.cancel(uri);
                self.notify("window/showMessage", json!({"type": 1, "message": reason}));
            }
        }
        if waits_again && let Some(open) = self.open.get_mut(uri) {
            open.board.ask(uri, Standing::Queued);
        }
    }

    /// Says what is wrong with the texts that have changed.
    pub(super) fn publish(&mut self) {
        let dirty: Vec<String> =
            self.open.iter().filter(|(_, open)| open.is_dirty).map(|(uri, _)| uri.clone()).collect();
        for uri in dirty {
            let Some(open) = self.open.get_mut(&uri) else { continue };
            open.is_dirty = false;
            open.look(&uri);
            let text = open.text.clone();
            let lines = Lines::new(&text);
            let mut diagnostics: Vec<Value> =
                open.findings.iter().map(|finding| protocol::diagnostic(&uri, &lines, finding)).collect();
            diagnostics.extend(open.violations(&uri, &lines));
            let params = json!({"uri": uri, "version": open.version, "diagnostics": diagnostics});
            self.notify("textDocument/publishDiagnostics", params);
        }
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.messages.push(Notification { method: method.to_owned(), params }.into());
    }

    fn ask_editor(&mut self, method: &str, params: Value) {
        self.asked += 1;
        let id = RequestId::from(self.asked);
        self.messages.push(Request { id, method: method.to_owned(), params }.into());
    }

    /// Asks the editor to show the lenses anew.
    fn refresh(&mut self) {
        if self.refreshes_lenses {
            self.ask_editor("workspace/codeLens/refresh", Value::Null);
        }
    }

    fn begin_progress(&mut self, uri: &str) {
        if self.shows_progress {
            self.ask_editor("window/workDoneProgress/create", json!({"token": format!("{PROGRESS}{uri}")}));
            let name = uri.rsplit('/').next().unwrap_or(uri);
            let title = format!("rely check {name}");
            self.progress(uri, &json!({"kind": "begin", "title": title, "cancellable": true}));
        }
    }

    fn progress(&mut self, uri: &str, value: &Value) {
        if self.shows_progress {
            self.notify("$/progress", json!({"token": format!("{PROGRESS}{uri}"), "value": value}));
        }
    }
}

/// How the tokens of progress begin.
const PROGRESS: &str = "check ";

impl Open {
    /// Reads the text anew.
    fn has_changed(&mut self, uri: &str) {
        self.workspace.set(uri, self.text.clone());
        self.board.set(uri, &self.text);
        self.is_dirty = true;
        self.read_imports(uri, false);
    }

    /// Reads the files that the text imports, directly and through others; those that are known only if that is wanted.
    fn read_imports(&mut self, uri: &str, again: bool) {
        let Some(folder) = path_of(uri).and_then(|path| path.parent().map(PathBuf::from)) else { return };
        let mut names = vec![uri.to_owned()];
        let mut next = 0;
        while let Some(name) = names.get(next).cloned() {
            next += 1;
            let imports: Vec<String> = match self.workspace.text(&name) {
                Ok(project) => project.imports().into_iter().map(str::to_owned).collect(),
                Err(_) => Vec::new(),
            };
            for import in imports {
                if names.len() > MOST_IMPORTS || names.contains(&import) {
                    continue;
                }
                if (again || self.workspace.text(&import).is_err())
                    && let Ok(bytes) = crate::files::read(&folder.join(&import))
                {
                    self.board.set(&import, &String::from_utf8_lossy(&bytes));
                    self.workspace.set(import.clone(), bytes);
                }
                names.push(import);
            }
        }
    }

    /// Finds what is wrong with the text, without any search.
    fn look(&mut self, uri: &str) {
        let brief = Brief(Instant::now());
        self.findings = match self.workspace.text(uri) {
            Ok(project) => rely_session::review(project, Budget::new(WHILE_TYPING, Some(&brief))),
            Err(finding) => vec![*finding],
        };
    }

    /// What does not hold of the text as it is, at the name of the target, with the steps that show it.
    fn violations(&mut self, uri: &str, lines: &Lines<'_>) -> Vec<Value> {
        let Ok(project) = self.workspace.text(uri) else { return Vec::new() };
        let declarations = project.declarations();
        let told = self.board.known(uri).filter(|known| !known.is_stale).filter_map(|known| {
            let result = known.result;
            let is_failure = match result.expected {
                Some(expected) => expected != result.verdict,
                None => result.verdict == Verdict::Violated,
            };
            if !is_failure {
                return None;
            }
            let declared = |name: &str| declarations.iter().find(|it| *it.name == *name).map(|it| it.place);
            let place = declared(&result.target).or_else(|| declared(&result.property));
            let place = place.unwrap_or(rely_base::Span::new(0, 0));
            Some(json!({
                "range": protocol::range(lines, place),
                "severity": 2,
                "code": "violated",
                "source": "rely check",
                "message": format!("{}: {}{}", result.target, answer_in_words(result), actions(result)),
                "relatedInformation": steps(uri, lines, result),
            }))
        });
        told.collect()
    }

    /// A trace, a line for each step.
    fn trace(&self, uri: &str, target: &str, property: &str) -> Option<String> {
        let is_meant = |result: &&CheckResult| result.target == target && result.property == property;
        let known = self.board.known(uri).find(|known| is_meant(&known.result))?;
        let result = known.result;
        let stale = if known.is_stale { " (of an earlier text)" } else { "" };
        let mut text = format!("{target}: {}{stale}", answer_in_words(result));
        for (number, step) in result.steps.iter().chain(&result.cycle_steps).enumerate() {
            if number == result.steps.len() {
                text.push_str("\nand then for ever:");
            }
            let movers = step.components.iter().filter_map(|&part| result.components.get(part));
            let movers: Vec<&str> = movers.map(String::as_str).collect();
            text.push_str(&format!("\n{:>4}  {}  {}", number + 1, step.action, movers.join(", ")));
        }
        Some(text)
    }
}

/// The error of a request that could not be answered.
fn failed(reason: String) -> (i32, String) {
    (ErrorCode::RequestFailed as i32, reason)
}

/// The actions of a trace, as many as can be read at a glance.
fn actions(result: &CheckResult) -> String {
    const SHOWN: usize = 20;
    let all: Vec<&str> = result.trace.iter().chain(&result.cycle).map(String::as_str).collect();
    match all.len() {
        0 => String::new(),
        count if count > SHOWN => format!("\n{}, …", all[..SHOWN].join(", ")),
        _ => format!("\n{}", all.join(", ")),
    }
}

/// The steps of a trace that have places in the text.
fn steps(uri: &str, lines: &Lines<'_>, result: &CheckResult) -> Vec<Value> {
    let all = result.steps.iter().chain(&result.cycle_steps).enumerate();
    let told = all.flat_map(|(number, step)| {
        step.places.iter().map(move |place| {
            let component = result.components.get(place.component).map_or("", String::as_str);
            let message = format!("{}. {} ({component})", number + 1, step.action);
            json!({"location": protocol::location(uri, lines, protocol::span(&place.place)), "message": message})
        })
    });
    told.take(MOST_STEPS).collect()
}

/// The file that a URI means.
pub(super) fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = &rest[rest.find('/')?..];
    let mut bytes = Vec::with_capacity(path.len());
    let mut left = path.bytes();
    while let Some(byte) = left.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = [left.next()?, left.next()?];
        bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uris_of_files_are_paths() {
        let path = |uri| path_of(uri).map(|path| path.display().to_string());
        assert_eq!(path("file:///a/b%20c/%C3%A9.lts").as_deref(), Some("/a/b c/é.lts"));
        assert_eq!(path("file://host/a.lts").as_deref(), Some("/a.lts"));
        for nonsense in ["untitled:x", "file://", "file:///%F", "file:///%zz", "file:///%FF"] {
            assert_eq!(path(nonsense), None, "{nonsense}");
        }
    }
}
