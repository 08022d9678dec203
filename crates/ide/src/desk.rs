//! Texts, questions and what is known, behind one function that takes and gives JSON: for a page in a browser, a local server,
//! or any program that can send nothing but text.
//!
//! A message has one field, which says what it is:
//!
//! - `{"set": {"name": …, "text": …}}` adds or changes a text, `{"remove": "NAME"}` removes one;
//! - `{"ask": REQUEST}` is a question of `rely_session`, answered with the report that the command line prints with `--json`;
//! - `{"view": REQUEST}` asks for runs and pictures;
//! - `{"examples": {}}` asks for models to begin with;
//! - `{"look": {"file": …, "at": …}}` asks what an editor shows. Places are offsets in UTF-16 code units, as in JavaScript.
//!
//! The answer is one JSON value.

use rely_base::{Budget, Limits, Observer, Span};
use rely_session::report::{AnyReport, Finding};
use rely_session::{CheckQuery, Query, Request, ViewRequest, Workspace};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Board, Document, Lines, Standing};

/// How much may be built while somebody types.
const WHILE_TYPING: Limits = Limits { states: Some(100_000), bytes: Some(256 << 20) };

/// Texts, questions and what is known.
#[derive(Default)]
pub struct Desk {
    workspace: Workspace,
    board: Board,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Message {
    Set { name: String, text: String },
    Remove(String),
    Ask(Request),
    View(ViewRequest),
    Look(Look),
    Examples {},
}

/// What is asked about a text as an editor shows it.
#[derive(Deserialize)]
struct Look {
    file: String,
    #[serde(flatten)]
    what: What,
}

#[derive(Deserialize)]
#[serde(tag = "look", rename_all = "lowercase")]
enum What {
    /// What is wrong, the colours, the outline, the folds and the lenses.
    Text,
    Definition {
        at: u32,
    },
    References {
        at: u32,
    },
    Rename {
        at: u32,
        to: String,
    },
    Hover {
        at: u32,
    },
    Complete {
        at: u32,
    },
    Format,
}

impl Desk {
    /// Answers a message; both are JSON.
    ///
    /// # Errors
    /// A message that makes no sense, or a mistake in this program.
    pub fn call(&mut self, message: &str, observer: Option<&dyn Observer>) -> Result<String, String> {
        let message: Message = serde_json::from_str(message).map_err(|error| error.to_string())?;
        let answer = match message {
            Message::Set { name, text } => {
                self.board.set(&name, &text);
                self.workspace.set(name, text);
                json!({})
            }
            Message::Remove(name) => {
                self.board.remove(&name);
                self.workspace.remove(&name);
                json!({})
            }
            Message::Ask(request) => return self.ask(&request, observer),
            Message::View(request) => {
                let viewed =
                    self.workspace.view(&request, observer).map_err(|internal| internal.to_string())?;
                return serde_json::to_string(&viewed).map_err(|error| error.to_string());
            }
            Message::Examples {} => json!(crate::EXAMPLES),
            Message::Look(look) if rely_session::is_of_view(&look.file) => self.look_at_view(&look, observer),
            Message::Look(look) => self.look(&look, observer)?,
        };
        Ok(answer.to_string())
    }

    fn ask(&mut self, request: &Request, observer: Option<&dyn Observer>) -> Result<String, String> {
        let texts = self.board.texts();
        let report = self.workspace.ask(request, observer).map_err(|internal| internal.to_string())?;
        let text = serde_json::to_string(&report).map_err(|error| error.to_string())?;
        // Only answers to the usual questions are what a text is known by.
        let is_usual = request.properties.is_none()
            && request.define.is_empty()
            && request.query == Query::Check(CheckQuery::default());
        if let AnyReport::Check(report) = report
            && is_usual
        {
            self.board.answer(&request.file, texts, report);
        }
        Ok(text)
    }

    /// What there is to see of a view or a picture: what is wrong with it. It is no model, and has no verdicts.
    fn look_at_view(&mut self, look: &Look, observer: Option<&dyn Observer>) -> Value {
        let What::Text = look.what else { return Value::Null };
        let findings = self.workspace.review_view(&look.file, Budget::new(WHILE_TYPING, observer));
        let text = self.workspace.text(&look.file).map(|it| it.text().to_owned()).unwrap_or_default();
        let findings = shown_findings(&findings, &look.file, &Lines::new(&text));
        json!({"findings": findings, "colours": [], "symbols": [], "lenses": [], "folds": [], "is_model": false})
    }

    fn look(&mut self, look: &Look, observer: Option<&dyn Observer>) -> Result<Value, String> {
        let project = self.workspace.text(&look.file).map_err(|finding| finding.message)?;
        let document = Document::new(project);
        let lines = Lines::new(document.text());
        let place = |span: Span| json!([lines.unit(span.start), lines.unit(span.end)]);
        let places = |spans: Vec<Span>| spans.into_iter().map(place).collect::<Vec<_>>();
        let byte = |at: u32| lines.byte_of_unit(at);
        Ok(match &look.what {
            What::Text => {
                let findings = rely_session::review(project, Budget::new(WHILE_TYPING, observer));
                let findings = shown_findings(&findings, &look.file, &lines);
                let colours = document.colours().into_iter().map(|token| {
                    let class = token.name.map_or(format!("{:?}", token.class), |name| format!("{name:?}"));
                    json!([lines.unit(token.span.start), lines.unit(token.span.end), class.to_lowercase()])
                });
                let colours: Vec<Value> = colours.collect();
                let symbol = |it: &crate::Symbol| {
                    json!({"name": it.name, "class": it.class.word(), "place": place(it.place), "extent": place(it.extent)})
                };
                let lens = |it: crate::Lens| {
                    json!({
                        "place": place(it.place), "name": it.name, "title": it.title,
                        "stale": it.standing == Standing::Stale, "trace": it.trace,
                    })
                };
                let folds = document.folds().into_iter().map(|fold| json!([fold.first, fold.last]));
                json!({
                    "findings": findings,
                    "colours": colours,
                    "symbols": document.symbols().iter().map(symbol).collect::<Vec<_>>(),
                    "lenses": document.lenses(&self.board).into_iter().map(lens).collect::<Vec<_>>(),
                    "folds": folds.collect::<Vec<_>>(),
                    "is_model": true,
                })
            }
            What::Definition { at } => json!(document.definition(byte(*at)).map(place)),
            What::References { at } => json!(places(document.references(byte(*at)))),
            What::Rename { at, to } => match document.rename(byte(*at), to) {
                Ok(spans) => json!({"places": places(spans)}),
                Err(error) => json!({"error": error.0}),
            },
            What::Hover { at } => json!(document.hover(byte(*at), &self.board).map(|hover| {
                json!({"place": place(hover.place), "title": hover.title, "code": hover.code, "text": hover.text})
            })),
            What::Complete { at } => {
                let (typed, proposals) = document.completions(byte(*at));
                let proposal =
                    |it: &crate::Proposal| json!({"word": it.word, "class": it.class.map(|class| class.word())});
                json!({"typed": place(typed), "proposals": proposals.iter().map(proposal).collect::<Vec<_>>()})
            }
            What::Format => json!(project.formatted()),
        })
    }
}

/// Findings, those of a text with their places in it.
fn shown_findings(findings: &[Finding], file: &str, lines: &Lines<'_>) -> Vec<Value> {
    let shown = |finding: &Finding| {
        let mut value = serde_json::to_value(finding).unwrap_or_default();
        let own = finding.place.as_ref().filter(|_| finding.file == file);
        value["at"] = json!(own.map(|it| [lines.unit(it.bytes.0), lines.unit(it.bytes.1)]));
        value
    };
    findings.iter().map(shown).collect()
}
