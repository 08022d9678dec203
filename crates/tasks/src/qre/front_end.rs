//! Files of quantified regular expressions as one of the languages that rely reads: property processes, and nothing else.

use rely_base::{Budget, Diagnostic, Explanation, Span};
use rely_lts::{Behaviour, Component, Network};
use rely_model::{
    Comment, DEFAULT, Declaration, DeclarationKind, END_OF_EXECUTION, Elaboration, Failure, FrontEnd, Loader,
    Model, Part, Reading, Target,
};

use super::{Qre, parse_qre};
use crate::codes;

/// The front end for quantified regular expressions.
pub struct QreFiles;

impl FrontEnd for QreFiles {
    fn endings(&self) -> &'static [&'static str] {
        &["qre"]
    }

    fn read(&self, _name: &str, bytes: &[u8]) -> Reading {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let (properties, diagnostics) = parse_qre(&text);
        Reading { model: Box::new(File { properties, diagnostics }), text }
    }

    /// Those of the programs that the properties are about have their codes, too.
    fn explanations(&self) -> Vec<Explanation> {
        Vec::new()
    }
}

/// A file of properties that has been read.
struct File {
    properties: Vec<Qre>,
    diagnostics: Vec<Diagnostic>,
}

impl Model for File {
    fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    fn define(&mut self, _constant: &str, _value: i32) -> bool {
        false
    }

    fn declarations(&self) -> Vec<Declaration> {
        let kind = DeclarationKind::Process { is_property: true, is_interface: false };
        let declaration = |property: &Qre| Declaration {
            name: property.name.as_str().into(),
            kind,
            place: property.span,
            extent: property.span,
            mentions: Vec::new(),
        };
        self.properties.iter().map(declaration).collect()
    }

    fn marked_comments(&self) -> Vec<Comment> {
        Vec::new()
    }

    fn advice_on_interfaces(&self) -> &'static str {
        "quantified regular expressions are properties, and no interface automata"
    }

    fn elaborate<'a>(&'a self, _loader: &'a Loader<'a>, _budget: Budget<'a>) -> Box<dyn Elaboration + 'a> {
        Box::new(Meaning { file: self, diagnostics: Vec::new() })
    }
}

/// What the file means.
struct Meaning<'a> {
    file: &'a File,
    diagnostics: Vec<Diagnostic>,
}

impl Elaboration for Meaning<'_> {
    fn default_targets(&self) -> Vec<String> {
        vec![DEFAULT.to_owned()]
    }

    fn target_names(&self) -> Vec<String> {
        self.file.properties.iter().map(|property| property.name.clone()).collect()
    }

    fn target(&mut self, name: &str) -> Result<Target<Behaviour>, Failure> {
        let Some(property) = self.file.properties.iter().find(|property| property.name == name) else {
            let message = match name {
                DEFAULT => "there is nothing but properties in this file".to_owned(),
                _ => format!("there is no property `{name}`"),
            };
            let unknown = Diagnostic::error(codes::QRE_ALONE, Span::new(0, 0), message)
                .with_help("name it beside a program: `rely check FILE.adb --properties FILE.qre`");
            if !self.diagnostics.contains(&unknown) {
                self.diagnostics.push(unknown);
            }
            return Err(Failure::Errors);
        };
        let component = Component::new(name, property.lts(Some(END_OF_EXECUTION)));
        let target = Target::of_processes(name, Network::new(vec![component]));
        let part = Part { place: Some(property.span), ..Part::property(name) };
        Ok(Target { parts: vec![part], ..target }.into())
    }

    fn diagnostics(&self) -> Vec<Diagnostic> {
        self.diagnostics.clone()
    }
}
