//! Pictures: of the components of a target, of a target as a whole, and of an assumption.

use rely_base::Budget;
use rely_lts::{Behaviour, Lts};
use rely_model::{StateNames, Target};
use serde::Serialize;

use super::walk::component_systems;
use crate::build::{Built, Failed, Format, write};
use crate::simulate::target;
use crate::{AssumeQuery, Internal, Project, assume, build_single, draw, draw_around};

/// Components with more states than this are not drawn as a whole: nobody could read the picture.
const READABLE: usize = 150;

/// How far around its start a system is drawn that is too large.
const AROUND: usize = 3;

/// A picture of a system.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Picture {
    /// The name of the system.
    pub name: String,
    /// How many states it has.
    pub states: usize,
    /// The picture, as SVG; states and arrows carry the numbers of states. Nothing if it is too large.
    pub svg: Option<String>,
    /// What there is to say about it: why there is none, or that it is a part.
    pub remark: Option<String>,
}

/// Pictures of the components of a target, in their order; none if its parts are no transition systems.
///
/// # Errors
/// When the input has errors, a limit is met, or it is not clear which target is meant.
pub fn component_pictures(
    project: &Project,
    name: Option<&str>,
    budget: Budget<'_>,
) -> Result<Vec<Picture>, Failed> {
    let target = target(project, name, budget)?;
    let systems = component_systems(&target).into_iter().enumerate();
    Ok(systems.map(|(i, (name, lts))| of_component(&target, i, name, lts)).collect())
}

fn of_component(target: &Target<Behaviour>, place: usize, name: &str, lts: &Lts) -> Picture {
    let states = lts.state_count();
    if states > READABLE {
        let remark = format!("{states} states are too many for a picture that can be read");
        return Picture { name: name.to_owned(), states, svg: None, remark: Some(remark) };
    }
    let names = target.parts.get(place).and_then(|part| part.states.as_deref());
    let drawn = draw(&built(name, lts.clone(), names.cloned()));
    Picture { name: name.to_owned(), states, remark: drawn.as_ref().err().cloned(), svg: drawn.ok() }
}

fn built(name: &str, lts: Lts, states: Option<StateNames>) -> Built {
    Built { target: name.to_owned(), lts, roles: None, states, findings: Vec::new() }
}

/// A picture of a target as one system; of what is near its start, if it is too large.
///
/// # Errors
/// When the input has errors, a limit is met, or it is not clear which target is meant.
pub fn whole_picture(project: &Project, name: Option<&str>, budget: Budget<'_>) -> Result<Picture, Failed> {
    let built = build_single(project, name, budget)?;
    let states = built.lts.state_count();
    let whole = if states <= READABLE { draw(&built) } else { Err(String::new()) };
    let (drawn, remark) = match whole {
        Ok(svg) => (Ok(svg), None),
        Err(_) => {
            let remark = format!("what is at most {AROUND} steps away from the start, of {states} states");
            (draw_around(&built, AROUND), Some(remark))
        }
    };
    let remark = drawn.as_ref().err().cloned().or(remark);
    Ok(Picture { name: built.target, states, svg: drawn.ok(), remark })
}

/// An assumption, in words, as a picture and as FSP.
#[derive(Clone, Debug, Serialize)]
pub struct AssumptionView {
    /// The answer of `assume`.
    pub report: crate::report::Report<crate::report::AssumeResult>,
    /// The assumption as a picture, if there is one.
    pub picture: Option<Picture>,
    /// The assumption as a process.
    pub fsp: Option<String>,
}

/// What components need of their environment, to be shown.
///
/// # Errors
/// A mistake in this program, such as a counterexample that cannot be replayed.
pub fn shown_assumption(
    project: &Project,
    query: &AssumeQuery,
    budget: Budget<'_>,
) -> Result<AssumptionView, Internal> {
    const NAME: &str = "ASSUMPTION";
    let assumed = assume(std::slice::from_ref(project), query, budget)?;
    let Some(lts) = assumed.assumption else {
        return Ok(AssumptionView { report: assumed.report, picture: None, fsp: None });
    };
    let built = built(NAME, Lts::clone(&lts), None);
    let states = built.lts.state_count();
    let drawn = draw(&built);
    let picture =
        Picture { name: NAME.to_owned(), states, remark: drawn.as_ref().err().cloned(), svg: drawn.ok() };
    let mut fsp = Vec::new();
    let written = write(&built, Format::Fsp, &mut fsp);
    let fsp = written.ok().and_then(|()| String::from_utf8(fsp).ok());
    Ok(AssumptionView { report: assumed.report, picture: Some(picture), fsp })
}
