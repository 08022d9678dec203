//! Tasks as one of the languages that rely reads.

use std::sync::Arc;

use rely_base::{Budget, Diagnostic, Explanation, Id, SourceToken, Span};
use rely_lts::{Behaviour, ComponentId};
use rely_model::{
    Comment, DEFAULT, Declaration, DeclarationKind, Elaboration, Failure, FlowModel, FrontEnd, Loader, Model,
    Naming, Part, Reading, Target,
};

use crate::ast::{self, Ident};
use crate::{Elaborator, Parse, explanations, parse};

/// The front end for concurrent Ada programs.
pub struct Tasks;

impl FrontEnd for Tasks {
    fn endings(&self) -> &'static [&'static str] {
        &["adb", "ads", "ada"]
    }

    fn read(&self, _name: &str, bytes: &[u8]) -> Reading {
        Reading::of_text(bytes, |text| Source { parse: parse(text), comments: marked_comments(text) })
    }

    fn explanations(&self) -> Vec<Explanation> {
        explanations().copied().collect()
    }
}

/// A program that has been read.
struct Source {
    parse: Parse,
    comments: Vec<Comment>,
}

/// The comments that begin with `--!`. A string ends on its line, so each line can be looked at alone.
fn marked_comments(text: &str) -> Vec<Comment> {
    let mut comments = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let mut quotes = 0;
        let begin = line.char_indices().find(|&(at, character)| {
            quotes += usize::from(character == '"');
            quotes % 2 == 0 && line[at..].starts_with("--")
        });
        if let Some((at, _)) = begin
            && line[at..].starts_with("--!")
            && let Ok(start) = u32::try_from(start + at)
        {
            comments.push(Comment { text: line[at..].trim_end().to_owned(), start });
        }
        start += line.len();
    }
    comments
}

impl Model for Source {
    fn diagnostics(&self) -> &[Diagnostic] {
        self.parse.diagnostics()
    }

    fn define(&mut self, constant: &str, value: i32) -> bool {
        self.parse.define(constant, value)
    }

    fn declarations(&self) -> Vec<Declaration> {
        let file = self.parse.file();
        let Some(main) = &file.main else { return Vec::new() };
        let mut tasks = Vec::new();
        for (_, package) in &file.packages {
            add_tasks(&format!("{}.", package.name.text), &package.declarations, &mut tasks);
        }
        if let Some((declarations, _)) = &main.body {
            add_tasks("", declarations, &mut tasks);
        }
        let mentions = tasks.iter().map(|task| Arc::clone(&task.name)).collect();
        let whole = of(&main.name, DeclarationKind::Composite { is_property: false }, main.end, mentions);
        tasks.into_iter().chain([whole]).collect()
    }

    fn marked_comments(&self) -> Vec<Comment> {
        self.comments.clone()
    }

    fn tokens(&self, text: &str) -> Vec<SourceToken> {
        rely_syntax::classify(text, &crate::lexer::lex_counting(text).tokens)
    }

    fn advice_on_interfaces(&self) -> &'static str {
        "tasks are no interface automata: which task calls and which accepts does not decide who may refuse"
    }

    fn elaborate<'a>(&'a self, _loader: &'a Loader<'a>, budget: Budget<'a>) -> Box<dyn Elaboration + 'a> {
        Box::new(Elaborator::new(&self.parse, budget))
    }
}

/// The tasks whose bodies are among declarations, those of packages included.
fn add_tasks(prefix: &str, declarations: &[ast::Declaration], tasks: &mut Vec<Declaration>) {
    for declaration in declarations {
        match declaration {
            ast::Declaration::TaskBody(body) => {
                let kind = DeclarationKind::Process { is_property: false, is_interface: false };
                let name = Ident { text: format!("{prefix}{}", body.name.text).into(), span: body.name.span };
                tasks.push(of(&name, kind, body.end, Vec::new()));
            }
            ast::Declaration::Package(package) => {
                add_tasks(&format!("{prefix}{}.", package.name.text), &package.declarations, tasks);
            }
            _ => {}
        }
    }
}

fn of(name: &Ident, kind: DeclarationKind, end: Span, mentions: Vec<Arc<str>>) -> Declaration {
    let extent = Span::new(name.span.start, end.end);
    Declaration { name: name.text.to_lowercase().into(), kind, place: name.span, extent, mentions }
}

impl Elaboration for Elaborator<'_> {
    fn default_targets(&self) -> Vec<String> {
        Self::default_targets(self)
    }

    fn target_names(&self) -> Vec<String> {
        Self::target_names(self)
    }

    fn has_target(&self, name: &str) -> bool {
        name == DEFAULT
            || self.may_be_part(name)
            || Self::target_names(self).iter().any(|known| known == name)
    }

    fn target(&mut self, name: &str) -> Result<Target<Behaviour>, Failure> {
        Self::target(self, name).map(Target::into)
    }

    fn naming(&mut self) -> Result<Naming, Failure> {
        Ok(self.exact()?.naming.clone())
    }

    fn properties_of(&mut self, target: &str) -> Result<Vec<String>, Failure> {
        if target != DEFAULT && !Self::target_names(self).iter().any(|known| known == target) {
            return Ok(Vec::new());
        }
        Ok(self.exact()?.race_names().map(str::to_owned).collect())
    }

    fn watched_target(
        &mut self,
        name: &str,
        property: &str,
    ) -> Result<(Target<Behaviour>, ComponentId), Failure> {
        let mut target = Self::target(self, name)?;
        let budget = self.budget();
        let race = self.exact()?.race(property, &budget).map_err(Failure::Exhausted)?;
        let (race, names) = race.ok_or(Failure::Errors)?;
        let watcher = ComponentId::from_index(target.parts.len());
        target.parts.push(Part { states: Some(Arc::new(names)), ..Part::property(&race.name) });
        target.behaviour = target.behaviour.with_components([race]);
        Ok((target.into(), watcher))
    }

    fn has_flow(&self) -> bool {
        true
    }

    fn flow(&mut self, _target: &str) -> Result<Box<dyn FlowModel>, Failure> {
        Ok(Box::new(self.constrained()?))
    }

    fn is_used(&self, _definition: &str) -> bool {
        true
    }

    fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut diagnostics = Self::diagnostics(self).to_vec();
        diagnostics.sort_by_key(|diagnostic| (diagnostic.span.start, diagnostic.span.end, diagnostic.code));
        diagnostics
    }
}
