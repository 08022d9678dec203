//! rely in JavaScript: texts and questions that a page, a worker or Node can send.
//!
//! The engine needs no files, no threads and no clock, so it is whole here. Questions and answers are the JSON of
//! [`rely_ide::Desk`]:
//!
//! ```js
//! const engine = new Engine();
//! engine.call('{"set": {"name": "lamp.lts", "text": "LAMP = (on -> off -> LAMP)."}}');
//! const report = JSON.parse(engine.call('{"ask": {"file": "lamp.lts", "query": {"verb": "check"}}}'));
//! ```
//!
//! To stop an analysis, give it limits, or end the worker that it runs in.

use rely_ide::Desk;
use wasm_bindgen::prelude::wasm_bindgen;

/// Texts, and what can be asked about them.
#[wasm_bindgen]
#[derive(Default)]
pub struct Engine {
    desk: Desk,
}

#[wasm_bindgen]
impl Engine {
    /// An engine without texts.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers a message, both in JSON.
    ///
    /// # Errors
    /// A message that makes no sense, or a mistake in this program; in JavaScript it is thrown.
    pub fn call(&mut self, message: &str) -> Result<String, String> {
        self.desk.call(message, None)
    }
}
