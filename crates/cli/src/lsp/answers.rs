//! Answers about what stands in a text: hovers, definitions, references, names, colours, folds, lenses, quick fixes.

use lsp_server::ErrorCode;
use rely_base::Span;
use rely_ide::{Document, Lines};
use rely_session::report::Finding;
use serde_json::{Value, json};

use super::edits::position;
use super::protocol;
use super::server::{Open, Server};

/// Why a request has no answer.
type Refused = (i32, String);

impl Server {
    /// The answer to a request about an open text; nothing where no such text is open.
    pub(super) fn answer(&mut self, method: &str, params: &Value) -> Result<Value, Refused> {
        if !KNOWN.contains(&method) {
            return Err((ErrorCode::MethodNotFound as i32, format!("there is no method {method}")));
        }
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let Some(open) = self.open.get_mut(uri) else { return Ok(Value::Null) };
        open.answer(uri, method, params)
    }
}

const KNOWN: [&str; 13] = [
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/documentSymbol",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/completion",
    "textDocument/foldingRange",
    "textDocument/formatting",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/semanticTokens/full",
];

impl Open {
    fn answer(&mut self, uri: &str, method: &str, params: &Value) -> Result<Value, Refused> {
        let Ok(project) = self.workspace.text(uri) else { return Ok(Value::Null) };
        let document = Document::new(project);
        let lines = Lines::new(&self.text);
        let byte = position(&params["position"]).map_or(0, |place| lines.byte(place));
        let ranges =
            |spans: Vec<Span>| spans.into_iter().map(|span| json!({"range": protocol::range(&lines, span)}));
        let refuse = |reason: String| (ErrorCode::RequestFailed as i32, reason);
        Ok(match method {
            "textDocument/hover" => json!(document.hover(byte, &self.board).map(|hover| {
                let code = hover.code.map(|code| format!("```fsp\n{code}\n```"));
                let paragraphs: Vec<String> =
                    [hover.title].into_iter().chain(code).chain(hover.text).collect();
                json!({
                    "contents": {"kind": "markdown", "value": paragraphs.join("\n\n")},
                    "range": protocol::range(&lines, hover.place),
                })
            })),
            "textDocument/definition" => {
                json!(document.definition(byte).map(|span| protocol::location(uri, &lines, span)))
            }
            "textDocument/references" => {
                let wants_all = params["context"]["includeDeclaration"] != false;
                let definition = document.definition(byte).filter(|_| !wants_all);
                let places = document.references(byte).into_iter().filter(|place| Some(*place) != definition);
                json!(places.map(|span| protocol::location(uri, &lines, span)).collect::<Vec<_>>())
            }
            "textDocument/documentHighlight" => json!(ranges(document.references(byte)).collect::<Vec<_>>()),
            "textDocument/documentSymbol" => {
                let symbols = document.symbols();
                json!(symbols.iter().map(|symbol| protocol::symbol(&lines, symbol)).collect::<Vec<_>>())
            }
            "textDocument/prepareRename" => {
                let place = document.can_rename(byte).map_err(|error| refuse(error.0))?;
                protocol::range(&lines, place)
            }
            "textDocument/rename" => {
                let to = params["newName"].as_str().unwrap_or_default();
                let places = document.rename(byte, to).map_err(|error| refuse(error.0))?;
                let edits = places.into_iter();
                let edits = edits.map(|span| json!({"range": protocol::range(&lines, span), "newText": to}));
                json!({"changes": {uri: edits.collect::<Vec<_>>()}})
            }
            "textDocument/completion" => {
                let (typed, proposals) = document.completions(byte);
                let item = |proposal: rely_ide::Proposal| {
                    json!({
                        "label": proposal.word,
                        "kind": protocol::completion_kind(proposal.class),
                        "detail": proposal.class.map(rely_model::NameClass::word),
                        "textEdit": {"range": protocol::range(&lines, typed), "newText": proposal.word},
                    })
                };
                json!(proposals.into_iter().map(item).collect::<Vec<_>>())
            }
            "textDocument/foldingRange" => {
                let fold = |fold: rely_ide::Fold| json!({"startLine": fold.first, "endLine": fold.last, "kind": protocol::fold_kind(fold.kind)});
                json!(document.folds().into_iter().map(fold).collect::<Vec<_>>())
            }
            "textDocument/formatting" => match project.formatted() {
                Some(text) if text != self.text => {
                    let whole = Span::new(0, u32::try_from(self.text.len()).unwrap_or(u32::MAX));
                    json!([{"range": protocol::range(&lines, whole), "newText": text}])
                }
                Some(_) => json!([]),
                None => Value::Null,
            },
            "textDocument/codeAction" => json!(actions(uri, &lines, &self.findings, &params["range"])),
            "textDocument/codeLens" => {
                let lenses = document.lenses(&self.board).into_iter();
                json!(lenses.flat_map(|lens| lens_commands(uri, &lines, lens)).collect::<Vec<_>>())
            }
            _ => json!({"data": protocol::semantic_tokens(&self.text, &document.colours())}),
        })
    }
}

/// A lens as commands: to check, and to show a trace.
fn lens_commands(uri: &str, lines: &Lines<'_>, lens: rely_ide::Lens) -> Vec<Value> {
    let range = protocol::range(lines, lens.place);
    let command = |title: &str, command: &str, arguments: Value| json!({"range": range, "command": {"title": title, "command": command, "arguments": arguments}});
    let mut commands = vec![command(&lens.title, "rely.check", json!([uri]))];
    if let Some((target, property)) = lens.trace {
        commands.push(command("show trace", "rely.trace", json!([uri, target, property])));
    }
    commands
}

/// The ways to mend what was found at some lines.
fn actions(uri: &str, lines: &Lines<'_>, findings: &[Finding], range: &Value) -> Vec<Value> {
    let place = |name: &str| position(&range[name]).map_or(0, |place| lines.byte(place));
    let asked = Span::new(place("start"), place("end").max(place("start")));
    let mut actions = Vec::new();
    for finding in findings.iter().filter(|finding| finding.file == uri) {
        for fix in &finding.fixes {
            let span = protocol::span(&fix.place);
            if span.overlaps(asked) {
                let edit = json!({"range": protocol::range(lines, span), "newText": fix.text});
                actions.push(json!({
                    "title": format!("write `{}`", fix.text),
                    "kind": "quickfix",
                    "diagnostics": [protocol::diagnostic(uri, lines, finding)],
                    "isPreferred": finding.fixes.len() == 1,
                    "edit": {"changes": {uri: [edit]}},
                }));
            }
        }
    }
    actions
}
