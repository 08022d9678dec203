//! A film: an animated run as one HTML file that needs nothing else.

use rely_draw::escape_xml;
use serde_json::json;

use super::Animation;

/// It may run its own script, and load nothing.
const POLICY: &str = include_str!("policy.txt");
const STYLE: &str = include_str!("film.css");
const CONTROLS: &str = include_str!("film.js");
const PLAYER: &str = include_str!("../../../../web/player.js");

/// Writes an animation as a page. It may run its own script and load nothing.
pub fn film(animation: &Animation) -> String {
    let walk = &animation.walk;
    let title = escape_xml(&walk.target);
    let actions: Vec<&str> = walk.steps.iter().map(|step| step.action.as_str()).collect();
    let data = json!({ "items": animation.items, "clicks": [], "steps": actions }).to_string();
    // Inside of a script, only `<` could end it.
    let data = data.replace('<', "\\u003c");
    let row = |text: &str| format!("<li><button>{}</button></li>\n", escape_xml(text));
    let rows: String = std::iter::once("start").chain(actions).map(row).collect();
    let end =
        walk.end.as_ref().map_or(String::new(), |end| format!("<p>At the end: {}.</p>\n", escape_xml(end)));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
         <div class=\"bar\"><button id=\"play\">Play</button><button id=\"back\" aria-label=\"one step back\">◀</button>\
         <input id=\"slider\" type=\"range\" min=\"0\" aria-label=\"Step of the run\">\
         <button id=\"on\" aria-label=\"one step on\">▶</button><output id=\"counter\"></output></div>\n\
         <main>\n<figure>{}</figure>\n<ol id=\"steps\" start=\"0\">\n{rows}</ol>\n</main>\n{end}\
         <script type=\"application/json\" id=\"film\">{data}</script>\n\
         <script type=\"module\">\n{PLAYER}\n{CONTROLS}</script>\n</body>\n</html>\n",
        animation.svg
    )
}
