//! rely in JavaScript: a workspace that a page, a worker or Node can ask.
//!
//! The engine needs no files, no threads and no clock, so it is whole here. Questions and answers are the JSON of
//! [`Request`] and of the reports that the command line prints with `--json`:
//!
//! ```js
//! const engine = new Engine();
//! engine.set("lamp.lts", "LAMP = (on -> off -> LAMP).");
//! const report = JSON.parse(engine.ask('{"file": "lamp.lts", "query": {"verb": "check"}}'));
//! ```
//!
//! To stop an analysis, give it limits, or end the worker that it runs in.

use rely_session::{Request, Workspace};
use wasm_bindgen::prelude::wasm_bindgen;

/// Texts, and what can be asked about them.
#[wasm_bindgen]
#[derive(Default)]
pub struct Engine {
    workspace: Workspace,
}

#[wasm_bindgen]
impl Engine {
    /// An engine without texts.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text, or changes it. The ending of its name says in which language it is.
    pub fn set(&mut self, name: &str, text: &str) {
        self.workspace.set(name, text);
    }

    /// Removes a text.
    pub fn remove(&mut self, name: &str) {
        self.workspace.remove(name);
    }

    /// Answers a request, both in JSON.
    ///
    /// # Errors
    /// A request that makes no sense, or a mistake in this program; in JavaScript it is thrown.
    pub fn ask(&mut self, request: &str) -> Result<String, String> {
        let request: Request = serde_json::from_str(request).map_err(|error| error.to_string())?;
        let report = self.workspace.ask(&request, None).map_err(|internal| internal.to_string())?;
        serde_json::to_string(&report).map_err(|error| error.to_string())
    }
}
