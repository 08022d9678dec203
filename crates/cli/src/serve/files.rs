//! The files of the page, which are part of this program.

use super::http::Answer;

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// A file of the page, by its path.
pub(super) fn file(path: &str) -> Option<Answer> {
    let script = |text: &'static str| Answer::file(SCRIPT, text);
    Some(match path {
        // The page asks the program that it comes from, and not an engine of its own.
        "/" | "/index.html" => {
            let page = include_str!("../../../../web/index.html");
            let native =
                page.replace("name=\"engine\" content=\"wasm\"", "name=\"engine\" content=\"native\"");
            Answer::file(HTML, native)
        }
        "/page.css" => Answer::file("text/css; charset=utf-8", include_str!("../../../../web/page.css")),
        "/page.js" => script(include_str!("../../../../web/page.js")),
        "/editor.js" => script(include_str!("../../../../web/editor.js")),
        "/engine.js" => script(include_str!("../../../../web/engine.js")),
        "/link.js" => script(include_str!("../../../../web/link.js")),
        "/trace.js" => script(include_str!("../../../../web/trace.js")),
        "/player.js" => script(include_str!("../../../../web/player.js")),
        "/parts.js" => script(include_str!("../../../../web/parts.js")),
        _ => return None,
    })
}
