//! Animation: a picture that somebody drew, whose parts change with the run of a model.
//!
//! **Problem.** A run is a list of actions, and those who know the system but not the model cannot read it. They know a drawing of
//! it.
//!
//! **Source.** LTSA animates pictures with SceneBeans: scenes in XML, with a language of their own. VisB of `ProB` found a simpler
//! way: an SVG file from any drawing program, and a small JSON file that says which attribute of which element depends on what.
//!
//! **Idea.** A *view* is such a JSON file, `NAME.view.json` beside the model `NAME`. An *item* sets an attribute of an element, by
//! the state of a component or by the last action of several; a *click* does an action. What a view names is looked up in the
//! model and in the picture, and what there is not is reported with its place, as it is for every other text. Values are computed
//! here for each step of a run, so that whoever plays it (`web/player.js`) only sets attributes.
//!
//! **Invariant.** The picture that is given back holds shapes and texts only, whatever the file held ([`svg`]).

mod film;
mod json;
mod svg;
#[cfg(test)]
mod tests;
mod view;

use std::collections::BTreeSet;

use rely_base::{Budget, Code, Diagnostic};
use rely_lts::Behaviour;
use rely_model::Target;
use rely_syntax::nearest;
use serde::Serialize;

use crate::report::Finding;
use crate::simulate::target;
use crate::view::{Moments, Walk, WalkQuery, retrace};
use crate::{Failed, Project};
use json::Text;
use svg::{Drawing, PREFIX};
use view::{By, Item, View, fits};

pub use film::film;

/// A view that cannot be read.
const BAD_VIEW: Code = Code("E0280");

/// A view that names what there is not.
const NO_SUCH_THING: Code = Code("E0281");

/// A picture that cannot be used.
const BAD_PICTURE: Code = Code("E0282");

/// An attribute or a value that a view may not have.
const BAD_VALUE: Code = Code("E0283");

/// What the file of a view ends with.
const ENDING: &str = ".view.json";

/// A run of a target as an animated picture.
#[derive(Clone, Debug, Serialize)]
pub struct Animation {
    /// The run, and what can be done at its end.
    pub walk: Walk,
    /// The picture: shapes and texts only, whatever the file held.
    pub svg: String,
    /// What changes in it.
    pub items: Vec<Animated>,
    /// What can be clicked.
    pub clicks: Vec<Clickable>,
}

/// An attribute that changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Animated {
    /// The `id` of the element, as it is in the picture that is shown.
    pub id: String,
    /// The attribute; `text` is the text of the element.
    pub attribute: String,
    /// Its value before the first step and after each; nothing where it is as it was drawn.
    pub values: Vec<Option<String>>,
}

/// An element that can be clicked.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Clickable {
    /// The `id` of the element, as it is in the picture that is shown.
    pub id: String,
    /// The action that it does.
    pub action: String,
    /// Which of the possible steps of the run that is, if it is possible.
    pub choice: Option<usize>,
    /// Why it is not possible.
    pub reason: Option<String>,
}

/// The name of the view of a model: that of the model, with another ending.
pub fn view_of(model: &str) -> String {
    let name = model.strip_suffix(ENDING).unwrap_or_else(|| model.rsplit_once('.').map_or(model, |it| it.0));
    format!("{name}{ENDING}")
}

/// Whether a file is a part of an animation, and no model: a view or a picture.
pub fn is_of_view(name: &str) -> bool {
    name.ends_with(ENDING) || name.ends_with(".svg")
}

/// The file of the picture of a view, as the view names it; nothing where that cannot be read.
pub fn picture_of(view: &Project) -> Option<String> {
    view::picture_of(view.text())
}

/// Animates a run: of `project`, by a view with its picture, or with the reason why there is no picture. Of these two only the
/// texts are used.
///
/// # Errors
/// When the model, the view or the picture has errors, a limit is met, or it is not clear which target is meant.
pub fn animate(
    project: &Project,
    view_file: &Project,
    picture: Result<&Project, Box<Finding>>,
    query: &WalkQuery,
    budget: Budget<'_>,
) -> Result<Animation, Failed> {
    let (view, found) = View::read(view_file.text());
    if !found.is_empty() {
        return Err(Failed::Errors(found.iter().map(|it| Finding::new(view_file, it)).collect()));
    }
    let picture = picture.map_err(|finding| Failed::Errors(vec![*finding]))?;
    let drawing = svg::read(picture.text());
    let drawing = drawing.map_err(|found| Failed::Errors(vec![Finding::new(picture, &found)]))?;
    // Where none is named, the first one that the view is for is meant.
    let named = match (&query.target, &*view.targets) {
        (None, [first, ..]) => Some(first.text.as_str()),
        (name, _) => name.as_deref(),
    };
    let target = target(project, named, budget)?;
    let (walk, moments) = retrace(&target, project, query, budget)?;
    let mut comparison =
        Comparison { target: &target, moments: &moments, drawing: &drawing, found: Vec::new() };
    comparison.view(&view, project, budget);
    if !comparison.found.is_empty() {
        let findings = comparison.found.iter().map(|it| Finding::new(view_file, it)).collect();
        return Err(Failed::Errors(findings));
    }
    let items = view.items.iter().map(|item| animated(item, &walk, &moments)).collect();
    let clicks = view.clicks.iter().map(|it| clickable(&it.id.text, &it.action.text, &walk)).collect();
    Ok(Animation { walk, svg: drawing.svg, items, clicks })
}

/// Looks up what a view names.
struct Comparison<'t> {
    target: &'t Target<Behaviour>,
    moments: &'t Moments,
    drawing: &'t Drawing,
    found: Vec<Diagnostic>,
}

impl Comparison<'_> {
    fn view(&mut self, view: &View, project: &Project, budget: Budget<'_>) {
        if !view.targets.is_empty() && !view.targets.iter().any(|it| it.text == self.target.name) {
            let (_, all) = project.targets(budget);
            for name in view.targets.iter().filter(|it| !all.contains(&it.text)) {
                self.missing("there is no target", name, all.iter().map(String::as_str));
            }
            if self.found.is_empty() {
                let message = format!("the view is not for the target `{}`", self.target.name);
                self.found.push(Diagnostic::error(NO_SUCH_THING, view.targets[0].span, message));
            }
        }
        for item in &view.items {
            self.element(&item.id);
            match &item.by {
                By::Component(component) => self.states(component, &item.values),
                By::Actions => item.values.iter().for_each(|(pattern, _)| self.action(pattern)),
            }
        }
        for click in &view.clicks {
            self.element(&click.id);
            self.action(&click.action);
        }
    }

    fn missing<'n>(&mut self, what: &str, name: &Text, known: impl Iterator<Item = &'n str>) {
        let found = Diagnostic::error(NO_SUCH_THING, name.span, format!("{what} `{}`", name.text));
        self.found.push(match nearest(&name.text, known) {
            Some(meant) => found.with_help(format!("did you mean `{meant}`?")),
            None => found,
        });
    }

    fn element(&mut self, id: &Text) {
        let ids = &self.drawing.ids;
        if !ids.contains(&id.text) {
            self.missing("the picture has no element with the id", id, ids.iter().map(String::as_str));
        }
    }

    fn action(&mut self, pattern: &Text) {
        let actions = &self.moments.actions;
        if !actions.iter().any(|action| fits(&pattern.text, action)) {
            self.missing("the target has no action", pattern, actions.iter().map(String::as_str));
        }
    }

    fn states(&mut self, component: &Text, values: &[(Text, String)]) {
        // Who starts in its error state goes nowhere, and is nowhere.
        if self.moments.states.is_empty() {
            return;
        }
        let components = self.moments.components();
        let Some(place) = components.iter().position(|name| *name == component.text) else {
            self.missing("the target has no component", component, components.into_iter());
            return;
        };
        // Where not all states are known, any name may be one.
        let Some(states) = self.moments.state_names(self.target, place) else { return };
        for (pattern, _) in values {
            if !states.iter().any(|state| fits(&pattern.text, state)) {
                let what = format!("`{}` has no state", component.text);
                self.missing(&what, pattern, states.iter().map(String::as_str));
            }
        }
    }
}

/// The values of an attribute along a run.
fn animated(item: &Item, walk: &Walk, moments: &Moments) -> Animated {
    let value_for = |name: &str| {
        item.values.iter().find(|(pattern, _)| fits(&pattern.text, name)).map(|(_, value)| value.clone())
    };
    let values = match &item.by {
        By::Component(component) => {
            let state = |moment: &Vec<crate::NamedState>| {
                let named = moment.iter().find(|it| it.name == component.text)?;
                value_for(&named.state)
            };
            moments.states.iter().map(state).collect()
        }
        By::Actions => {
            let mut value = None;
            let after = walk.steps.iter().map(|step| {
                value = value_for(&step.action).or_else(|| value.clone());
                value.clone()
            });
            std::iter::once(None).chain(after).collect()
        }
    };
    Animated { id: format!("{PREFIX}{}", item.id.text), attribute: item.attribute.text.clone(), values }
}

fn clickable(id: &str, pattern: &str, walk: &Walk) -> Clickable {
    let choice = walk.choices.iter().position(|it| fits(pattern, &it.action));
    let refused: BTreeSet<&str> = walk
        .refused
        .iter()
        .filter(|it| fits(pattern, &it.action))
        .flat_map(|it| it.reasons.iter().map(String::as_str))
        .collect();
    let reason = match choice {
        Some(_) => None,
        None if refused.is_empty() => Some("nothing is possible any more".to_owned()),
        None => Some(refused.into_iter().collect::<Vec<_>>().join("; ")),
    };
    let action = match choice {
        Some(place) => walk.choices[place].action.clone(),
        None => pattern.to_owned(),
    };
    Clickable { id: format!("{PREFIX}{id}"), action, choice, reason }
}
