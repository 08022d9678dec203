//! The answers of LTSA as they are stored.

use std::collections::BTreeMap;

use serde::Deserialize;

#[derive(Deserialize)]
pub(crate) struct Answers {
    pub(crate) files: BTreeMap<String, FileAnswer>,
}

#[derive(Deserialize)]
pub(crate) struct FileAnswer {
    pub(crate) targets: BTreeMap<String, TargetAnswer>,
}

#[derive(Deserialize)]
pub(crate) struct TargetAnswer {
    pub(crate) kind: String,
    pub(crate) target: String,
    pub(crate) compile: Option<Size>,
    pub(crate) compose: Option<Size>,
    pub(crate) minimise: Option<Size>,
    pub(crate) safety: Option<Judgement>,
    pub(crate) progress: Option<Judgement>,
    pub(crate) progress_composed: Option<Judgement>,
    #[serde(default)]
    pub(crate) asserts: BTreeMap<String, Judgement>,
}

#[derive(Deserialize)]
pub(crate) struct Size {
    pub(crate) error: Option<String>,
    #[serde(default)]
    pub(crate) states: usize,
    #[serde(default)]
    pub(crate) transitions: usize,
    #[serde(default)]
    pub(crate) has_error: bool,
}

#[derive(Deserialize)]
pub(crate) struct Judgement {
    pub(crate) error: Option<String>,
    #[serde(default)]
    pub(crate) verdict: String,
    #[serde(default)]
    pub(crate) trace: Vec<String>,
}
