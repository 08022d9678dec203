//! Plain data as the protocol writes it.

use rely_base::{Span, TokenClass};
use rely_ide::{Coloured, FoldKind, Lines, Symbol};
use rely_model::NameClass;
use rely_session::report::{Finding, Level, Place};
use serde_json::{Value, json};

/// What the server can do.
pub(super) fn capabilities() -> Value {
    json!({
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": false}},
            "hoverProvider": true,
            "definitionProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "documentSymbolProvider": true,
            "renameProvider": {"prepareProvider": true},
            "completionProvider": {},
            "foldingRangeProvider": true,
            "documentFormattingProvider": true,
            "codeActionProvider": {"codeActionKinds": ["quickfix"]},
            "codeLensProvider": {"resolveProvider": false},
            "executeCommandProvider": {"commands": ["rely.check", "rely.cancel", "rely.trace"]},
            "semanticTokensProvider": {
                "legend": {"tokenTypes": TOKEN_TYPES, "tokenModifiers": ["definition", "readonly"]},
                "full": true,
            },
        },
        "serverInfo": {"name": "rely", "version": env!("CARGO_PKG_VERSION")},
    })
}

const TOKEN_TYPES: [&str; 13] = [
    "comment",
    "keyword",
    "number",
    "string",
    "operator",
    "variable",
    "parameter",
    "type",
    "class",
    "function",
    "property",
    "event",
    "interface",
];

/// The number of the type of a token; nothing for one that needs no colour.
fn token_type(token: &Coloured) -> Option<usize> {
    let name = match token.name {
        None => match token.class {
            TokenClass::Comment => "comment",
            TokenClass::Keyword => "keyword",
            TokenClass::Number => "number",
            TokenClass::Text => "string",
            TokenClass::Sign => "operator",
            TokenClass::Name => return None,
        },
        Some(name) => match name {
            NameClass::Constant | NameClass::Variable => "variable",
            NameClass::Parameter => "parameter",
            NameClass::Range | NameClass::Set => "type",
            NameClass::Process | NameClass::Composite => "class",
            NameClass::Local => "function",
            NameClass::Property | NameClass::Progress | NameClass::Formula => "interface",
            NameClass::Fluent | NameClass::Menu => "property",
            NameClass::Action => "event",
            NameClass::Predefined => "keyword",
            NameClass::Unknown => return None,
        },
    };
    TOKEN_TYPES.iter().position(|known| *known == name)
}

/// The tokens as numbers: each relative to the one before it, a line at a time.
pub(super) fn semantic_tokens(text: &str, tokens: &[Coloured]) -> Vec<u32> {
    let lines = Lines::new(text);
    let mut data = Vec::new();
    let mut last = (0, 0);
    for token in tokens {
        let Some(kind) = token_type(token) else { continue };
        let is_readonly = token.name == Some(NameClass::Constant);
        let modifiers = u32::from(token.introduces) | u32::from(is_readonly) << 1;
        for line in pieces(text, token.span) {
            let (start, end) = (lines.position(line.start), lines.position(line.end));
            let column = if start.line == last.0 { start.column - last.1 } else { start.column };
            let length = end.column.saturating_sub(start.column);
            if length > 0 {
                let kind = u32::try_from(kind).unwrap_or(0);
                data.extend([start.line - last.0, column, length, kind, modifiers]);
                last = (start.line, start.column);
            }
        }
    }
    data
}

/// A place, cut at the ends of lines.
fn pieces(text: &str, span: Span) -> Vec<Span> {
    let mut start = span.start as usize;
    let end = span.end as usize;
    let mut pieces = Vec::new();
    for line in text.get(start..end).unwrap_or_default().split_inclusive('\n') {
        let length = line.trim_end_matches(['\n', '\r']).len();
        let number = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        pieces.push(Span::new(number(start), number(start + length)));
        start += line.len();
    }
    pieces
}

pub(super) fn range(lines: &Lines<'_>, span: Span) -> Value {
    let place = |byte: u32| {
        let place = lines.position(byte);
        json!({"line": place.line, "character": place.column})
    };
    json!({"start": place(span.start), "end": place(span.end)})
}

/// The bytes of a place.
pub(super) fn span(place: &Place) -> Span {
    Span::new(place.bytes.0, place.bytes.1)
}

pub(super) fn location(uri: &str, lines: &Lines<'_>, span: Span) -> Value {
    json!({"uri": uri, "range": range(lines, span)})
}

/// A finding as a diagnostic. One without a place, or about another file, stands at the beginning.
pub(super) fn diagnostic(uri: &str, lines: &Lines<'_>, finding: &Finding) -> Value {
    let severity = match finding.severity {
        Level::Error => 1,
        Level::Warning => 2,
        Level::Note => 3,
    };
    let is_own = finding.file == uri;
    let place = finding.place.as_ref().filter(|_| is_own).map_or(Span::new(0, 0), span);
    let mut message = finding.message.clone();
    if !is_own && !finding.file.is_empty() {
        message = format!("{}: {message}", finding.file);
    }
    if let Some(help) = &finding.help {
        message = format!("{message}\n{help}");
    }
    let notes = finding
        .notes
        .iter()
        .map(|note| json!({"location": location(uri, lines, span(&note.place)), "message": note.message}));
    json!({
        "range": range(lines, place),
        "severity": severity,
        "code": finding.code,
        "source": "rely",
        "message": message,
        "relatedInformation": notes.collect::<Vec<_>>(),
    })
}

pub(super) fn symbol(lines: &Lines<'_>, symbol: &Symbol) -> Value {
    let kind = match symbol.class {
        NameClass::Constant => 14,
        NameClass::Range | NameClass::Set => 10,
        NameClass::Process | NameClass::Composite => 5,
        NameClass::Local => 12,
        NameClass::Property | NameClass::Progress | NameClass::Formula => 11,
        NameClass::Fluent => 7,
        _ => 13,
    };
    let children: Vec<Value> = symbol.children.iter().map(|child| self::symbol(lines, child)).collect();
    json!({
        "name": symbol.name,
        "detail": symbol.class.word(),
        "kind": kind,
        "range": range(lines, symbol.extent.to(symbol.place)),
        "selectionRange": range(lines, symbol.place),
        "children": children,
    })
}

pub(super) fn completion_kind(class: Option<NameClass>) -> u32 {
    match class {
        None | Some(NameClass::Predefined) => 14,
        Some(NameClass::Constant) => 21,
        Some(NameClass::Range | NameClass::Set) => 13,
        Some(NameClass::Process | NameClass::Composite) => 7,
        Some(NameClass::Local) => 3,
        Some(NameClass::Property | NameClass::Progress | NameClass::Formula) => 8,
        Some(NameClass::Action) => 23,
        Some(_) => 6,
    }
}

pub(super) fn fold_kind(kind: FoldKind) -> &'static str {
    match kind {
        FoldKind::Region => "region",
        FoldKind::Comment => "comment",
    }
}
