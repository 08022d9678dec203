//! Views that fit and views that do not; pictures that are hostile.

use rely_base::Budget;

use super::svg::{read, safe_value};
use super::*;

const LAMP: &str = "LAMP = (on -> off -> LAMP | smash -> BROKEN), BROKEN = (sweep -> STOP).";

const PICTURE: &str = r##"<?xml version="1.0"?><!-- drawn --><svg xmlns="http://www.w3.org/2000/svg" width="40px" height="30">
<style>circle { fill: red }</style><g id="lamp" onclick="alert(1)"><circle id="bulb" r="3" style="fill:#fff;stroke:url(#shine)"/></g>
<text id="label">a &amp; b</text><script>alert(1)</script></svg>"##;

const VIEW: &str = r#"{ "picture": "lamp.svg",
  "items": [
    { "id": "bulb", "attribute": "fill", "component": "LAMP", "states": { "LAMP": "grey", "LAMP after on": "gold", "*": "black" } },
    { "id": "label", "attribute": "text", "actions": { "o*": "<b>", "smash": "!" } } ],
  "clicks": [ { "id": "lamp", "action": "o*" } ] }
"#;

fn file(name: &str, text: &str) -> Project {
    Project::new(name, text, Box::new(|_| Err("no imports".into())))
}

fn animated(model: &str, view: &str, picture: &str, choices: &[usize]) -> Result<Animation, Failed> {
    let query = WalkQuery { choices: choices.to_vec(), ..WalkQuery::default() };
    let picture = file("lamp.svg", picture);
    animate(&file("lamp.lts", model), &file("lamp.view.json", view), Ok(&picture), &query, Budget::UNLIMITED)
}

/// What is wrong, as `line:column code message help`.
fn wrong(view: &str) -> Vec<String> {
    let Err(Failed::Errors(findings)) = animated(LAMP, view, PICTURE, &[]) else { return Vec::new() };
    let place =
        |it: &Finding| it.place.as_ref().map_or(String::new(), |at| format!("{}:{}", at.line, at.column));
    findings
        .iter()
        .map(|it| format!("{} {} {} {}", place(it), it.code, it.message, it.help.as_deref().unwrap_or("")))
        .collect()
}

#[test]
fn values_follow_the_run() {
    // on, off, smash, sweep.
    let shown = animated(LAMP, VIEW, PICTURE, &[0, 0, 1, 0]).expect("nothing is wrong");
    let actions: Vec<&str> = shown.walk.steps.iter().map(|step| step.action.as_str()).collect();
    assert_eq!(actions, ["on", "off", "smash", "sweep"]);
    let values = |place: usize| {
        let item: &Animated = &shown.items[place];
        item.values.iter().map(|value| value.as_deref().unwrap_or("-")).collect::<Vec<_>>()
    };
    assert_eq!(values(0), ["grey", "gold", "grey", "black", "black"]);
    assert_eq!(values(1), ["-", "<b>", "<b>", "!", "!"]);
    assert_eq!(shown.clicks[0].choice, None);
    assert!(
        shown.clicks[0].reason.as_deref().is_some_and(|it| it.contains("LAMP is at")),
        "{:?}",
        shown.clicks
    );
    let start = animated(LAMP, VIEW, PICTURE, &[]).expect("nothing is wrong");
    assert_eq!((start.clicks[0].action.as_str(), start.clicks[0].choice), ("on", Some(0)));
    assert_eq!(start.clicks[0].id, "view-lamp");
}

#[test]
fn a_picture_holds_only_shapes_and_texts() {
    let drawing = read(PICTURE).expect("a picture");
    assert_eq!(drawing.ids, ["lamp", "bulb", "label"]);
    for left_out in ["script", "alert", "onclick", "style", "<?xml", "<!--"] {
        assert!(!drawing.svg.contains(left_out), "{}", drawing.svg);
    }
    for kept in
        ["viewBox=\"0 0 40 30\"", "id=\"view-bulb\"", "fill=\"#fff\"", "url(#view-shine)", "a &amp; b"]
    {
        assert!(drawing.svg.contains(kept), "{kept}: {}", drawing.svg);
    }
}

#[test]
fn what_is_no_picture_is_refused_and_never_a_crash() {
    for text in [
        "",
        "<svg",
        "<svg>",
        "</svg>",
        "<svg></g></svg>",
        "<svg a></svg>",
        "<svg a=b></svg>",
        "<svg a='></svg>",
        "<p></p>",
        "<svg/><svg/>",
        "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>",
        "<svg><!-- </svg>",
        "<svg><é></svg>",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
    assert!(read(&format!("<svg>{}", "<g>".repeat(100_000))).is_err());
    // Every beginning, and every text with a character left out.
    for (at, _) in PICTURE.char_indices() {
        let _ = read(&PICTURE[..at]);
        let _ = read(&format!("{}{}", &PICTURE[..at], &PICTURE[at + 1..]));
        let _ = read(&format!("{}é<{}", &PICTURE[..at], &PICTURE[at..]));
    }
}

#[test]
fn values_load_nothing() {
    for value in ["red", "rgb(1, 2, 3)", "translate(3 4) rotate(5)", "url(#a)", "url('#a') none", ""] {
        assert!(safe_value(value).is_some(), "{value}");
    }
    for value in [
        "url(http://a.b/)",
        "URL( 'data:x')",
        "image-set(\"a\")",
        "u\\72l(x)",
        "@import",
        "url(#a",
        "src(\"x\")",
        "/**/url(x)",
        "a</script>",
    ] {
        assert_eq!(safe_value(value), None, "{value}");
    }
}

#[test]
fn what_a_view_names_has_to_be_there() {
    assert_eq!(wrong(VIEW), Vec::<String>::new());
    let changed = |from: &str, to: &str| {
        assert!(VIEW.contains(from), "{from}");
        wrong(&VIEW.replacen(from, to, 1))
    };
    let one = |from: &str, to: &str, expected: &str| {
        let found = changed(from, to);
        assert!(found.len() == 1 && found[0].starts_with(expected), "{from} → {to}: {found:?}");
    };
    one(
        "\"bulb\"",
        "\"bulp\"",
        "3:13 E0281 the picture has no element with the id `bulp` did you mean `bulb`?",
    );
    one(
        "\"component\": \"LAMP\"",
        "\"component\": \"LAMB\"",
        "3:55 E0281 the target has no component `LAMB`",
    );
    one("\"LAMP after on\"", "\"LAMP after no\"", "3:91 E0281 `LAMP` has no state `LAMP after no`");
    one("\"smash\"", "\"smosh\"", "4:69 E0281 the target has no action `smosh` did you mean `smash`?");
    one("\"fill\"", "\"fil\"", "3:34 E0283 `fil` is no attribute");
    one("\"grey\"", "\"url(http://x)\"", "3:83 E0283");
    one("\"clicks\"", "\"click\"", "5:3 E0280 a view has no `click` did you mean `clicks`?");
    one("\"picture\": \"lamp.svg\",", "", "1:1 E0280 a view needs `picture`");
    one("\"actions\"", "\"states\"", "4:5 E0280 an item has either");
    one("] }\n", "]", "5:48 E0280 this is no JSON");
    one("\"lamp.svg\",", "\"lamp.svg\", \"targets\": [\"LIGHT\"],", " E0315 process `LIGHT` is not defined");
    for text in ["", "[]", "{}", "3", "{\"picture\": 3, \"items\": {}, \"clicks\": [[]]}"] {
        assert!(!wrong(text).is_empty(), "{text}");
    }
}

#[test]
fn a_film_is_one_file_that_loads_nothing() {
    let shown = animated(LAMP, VIEW, PICTURE, &[0, 1]).expect("nothing is wrong");
    let page = film(&shown);
    assert!(
        page.contains("default-src 'none'")
            && !page.contains("http://www.w3.org/1999")
            && !page.contains("<b>")
    );
    assert_eq!(page.matches("<script").count(), 2, "{page}");
    assert_eq!(page.matches("</script").count(), 2, "{page}");
}
