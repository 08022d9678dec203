//! The view: what its file says, before it is compared with a model and a picture.

use rely_base::{Diagnostic, Span};
use rely_syntax::nearest;

use super::json::{Node, Text, Value, parse};
use super::svg::{ATTRIBUTES, safe_value};
use super::{BAD_VALUE, BAD_VIEW};

/// The attribute that stands for the text of an element.
pub(super) const TEXT: &str = "text";

/// What a view file says.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct View {
    /// The targets that it is for; any, if there are none.
    pub(super) targets: Vec<Text>,
    /// What changes in the picture.
    pub(super) items: Vec<Item>,
    /// What can be clicked.
    pub(super) clicks: Vec<Click>,
}

/// An attribute of an element that changes.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Item {
    pub(super) id: Text,
    pub(super) attribute: Text,
    pub(super) by: By,
    /// Patterns, each with the value of the attribute; the first that fits counts.
    pub(super) values: Vec<(Text, String)>,
}

/// What an attribute depends on.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum By {
    /// The state of a component.
    Component(Text),
    /// The last action that fits a pattern.
    Actions,
}

/// An element that can be clicked.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Click {
    pub(super) id: Text,
    /// A pattern for the action.
    pub(super) action: Text,
}

/// Whether a pattern fits a name: it is the name, or its beginning with `*` behind it.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => pattern == name,
    }
}

/// The file of the picture, as a view file names it.
pub(super) fn picture_of(text: &str) -> Option<String> {
    let Value::Table(entries) = parse(text).ok()?.value else { return None };
    let (_, node) = entries.into_iter().find(|(key, _)| key.text == "picture")?;
    match node.value {
        Value::Text(name) => Some(name),
        _ => None,
    }
}

impl View {
    /// Reads a view file. The view is whole only if nothing was found.
    pub(super) fn read(text: &str) -> (Self, Vec<Diagnostic>) {
        let mut reader = Reader { found: Vec::new() };
        let root = match parse(text) {
            Ok(root) => root,
            Err((span, message)) => {
                let found = Diagnostic::error(BAD_VIEW, span, format!("this is no JSON: {message}"));
                return (Self::default(), vec![found]);
            }
        };
        let view = reader.view(&root);
        (view.unwrap_or_default(), reader.found)
    }
}

/// Collects what is wrong.
struct Reader {
    found: Vec<Diagnostic>,
}

impl Reader {
    fn wrong(&mut self, span: Span, message: &str) {
        self.found.push(Diagnostic::error(BAD_VIEW, span, message));
    }

    fn view(&mut self, root: &Node) -> Option<View> {
        let entries = self.table(root, "a view", &["picture", "targets", "items", "clicks"])?;
        self.needed(root, entries, "a view", "picture");
        if let Some(picture) = value_of(entries, "picture") {
            self.text(picture);
        }
        let mut view = View::default();
        for node in self.list(entries, "targets") {
            view.targets.extend(self.text(node));
        }
        for node in self.list(entries, "items") {
            view.items.extend(self.item(node));
        }
        for node in self.list(entries, "clicks") {
            view.clicks.extend(self.click(node));
        }
        Some(view)
    }

    fn item(&mut self, node: &Node) -> Option<Item> {
        let entries = self.table(node, "an item", &["id", "attribute", "component", "states", "actions"])?;
        let id = self.needed(node, entries, "an item", "id").and_then(|it| self.text(it));
        let attribute = self.needed(node, entries, "an item", "attribute").and_then(|it| self.text(it));
        let of = |name: &str| value_of(entries, name);
        let (by, values) = match (of("component"), of("states"), of("actions")) {
            (Some(component), Some(states), None) => (By::Component(self.text(component)?), states),
            (None, None, Some(actions)) => (By::Actions, actions),
            _ => {
                self.wrong(node.span, "an item has either `component` and `states`, or `actions`");
                return None;
            }
        };
        let attribute = attribute?;
        if attribute.text != TEXT && !ATTRIBUTES.contains(&&*attribute.text) {
            let message = format!("`{}` is no attribute that a view can change", attribute.text);
            let found = Diagnostic::error(BAD_VALUE, attribute.span, message);
            let known = ATTRIBUTES.into_iter().chain([TEXT]);
            self.found.push(match nearest(&attribute.text, known) {
                Some(meant) => found.with_help(format!("did you mean `{meant}`?")),
                None => found,
            });
        }
        let values = self.values(values, attribute.text == TEXT);
        Some(Item { id: id?, attribute, by, values })
    }

    fn values(&mut self, node: &Node, is_text: bool) -> Vec<(Text, String)> {
        let Value::Table(entries) = &node.value else {
            self.wrong(node.span, "this has to be a table from names to values: {\"NAME\": \"VALUE\"}");
            return Vec::new();
        };
        let mut values = Vec::new();
        for (name, node) in entries {
            let Some(value) = self.text(node) else { continue };
            let safe = if is_text { Some(value.text.clone()) } else { safe_value(&value.text) };
            match safe {
                Some(safe) => values.push((name.clone(), safe)),
                None => self.found.push(
                    Diagnostic::error(BAD_VALUE, value.span, "this value may not stand in an attribute")
                        .with_help("values are plain, or refer to the picture itself: `url(#NAME)`"),
                ),
            }
        }
        values
    }

    fn click(&mut self, node: &Node) -> Option<Click> {
        let entries = self.table(node, "a click", &["id", "action"])?;
        let id = self.needed(node, entries, "a click", "id").and_then(|it| self.text(it));
        let action = self.needed(node, entries, "a click", "action").and_then(|it| self.text(it));
        Some(Click { id: id?, action: action? })
    }

    /// The entries of a table, all of which are known.
    fn table<'n>(&mut self, node: &'n Node, what: &str, known: &[&str]) -> Option<&'n [(Text, Node)]> {
        let Value::Table(entries) = &node.value else {
            self.wrong(node.span, &format!("{what} is a table: {{\"{}\": …}}", known.join("\": …, \"")));
            return None;
        };
        for (key, _) in entries.iter().filter(|(key, _)| !known.contains(&&*key.text)) {
            let message = format!("{what} has no `{}`", key.text);
            let found = Diagnostic::error(BAD_VIEW, key.span, message);
            self.found.push(match nearest(&key.text, known.iter().copied()) {
                Some(meant) => found.with_help(format!("did you mean `{meant}`?")),
                None => found.with_help(format!("it has {}", known.join(", "))),
            });
        }
        Some(entries)
    }

    fn needed<'n>(
        &mut self,
        node: &Node,
        entries: &'n [(Text, Node)],
        what: &str,
        name: &str,
    ) -> Option<&'n Node> {
        let found = value_of(entries, name);
        if found.is_none() {
            let brace = Span::new(node.span.start, node.span.start.saturating_add(1));
            self.wrong(brace, &format!("{what} needs `{name}`"));
        }
        found
    }

    fn list<'n>(&mut self, entries: &'n [(Text, Node)], name: &str) -> &'n [Node] {
        match value_of(entries, name) {
            None => &[],
            Some(Node { value: Value::List(nodes), .. }) => nodes,
            Some(node) => {
                self.wrong(node.span, &format!("`{name}` has to be a list: [ … ]"));
                &[]
            }
        }
    }

    fn text(&mut self, node: &Node) -> Option<Text> {
        if let Value::Text(text) = &node.value {
            return Some(Text { span: node.span, text: text.clone() });
        }
        self.wrong(node.span, "this has to be a string: \"…\"");
        None
    }
}

fn value_of<'n>(entries: &'n [(Text, Node)], name: &str) -> Option<&'n Node> {
    entries.iter().find(|(key, _)| key.text == name).map(|(_, node)| node)
}
