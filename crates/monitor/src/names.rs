//! Names that every language takes: identifiers made from the name of a model, and the text of comments.

/// The most characters of a model's name that become part of an identifier.
const MAX_STEM: usize = 60;

/// The name of a type: `MUTEX_ASSUMPTION` gives `MutexAssumptionMonitor`.
///
/// The word at the end keeps it apart from keywords and from the types that the generated code uses.
pub(crate) fn type_name(model: &str) -> String {
    let mut name = String::new();
    for word in words(model) {
        // A word in capitals is shouted, not abbreviated.
        let is_shouted = !word.bytes().any(|byte| byte.is_ascii_lowercase());
        let mut letters = word.chars();
        name.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        name.extend(letters.map(|letter| if is_shouted { letter.to_ascii_lowercase() } else { letter }));
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, 'M');
    }
    if !name.ends_with("Monitor") {
        name.push_str("Monitor");
    }
    name
}

/// The prefix of functions, and the name of a file: `MUTEX_ASSUMPTION` gives `mutex_assumption_monitor`.
pub(crate) fn snake_name(model: &str) -> String {
    let mut name = words(model).join("_").to_ascii_lowercase();
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert_str(0, "m_");
    }
    if name.is_empty() {
        name.push_str("monitor");
    } else if name != "monitor" && !name.ends_with("_monitor") {
        name.push_str("_monitor");
    }
    name
}

/// The letters and digits of a name, in words, up to a length.
fn words(model: &str) -> Vec<String> {
    let short: String =
        model.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { ' ' }).take(MAX_STEM).collect();
    short.split_ascii_whitespace().map(str::to_owned).collect()
}

/// A name as it may stand in a comment of any of the languages.
///
/// Even there a line may end too late (`\` in C) or be an error (`\u` in Java), or a word be taken for a declaration
/// (`coding:` in Python); so only letters and what is between the parts of a name are kept.
pub(crate) fn in_comment(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " ._-[]()".contains(c);
    name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_made_of_words() {
        for (model, expected_type, expected_snake) in [
            ("MUTEX_ASSUMPTION", "MutexAssumptionMonitor", "mutex_assumption_monitor"),
            ("Writer", "WriterMonitor", "writer_monitor"),
            ("roverExec", "RoverExecMonitor", "roverexec_monitor"),
            ("SELF", "SelfMonitor", "self_monitor"),
            ("None", "NoneMonitor", "none_monitor"),
            ("MONITOR", "Monitor", "monitor"),
            ("MY_MONITOR", "MyMonitor", "my_monitor"),
            ("", "Monitor", "monitor"),
            ("é*/\n", "Monitor", "monitor"),
            ("2PC", "M2pcMonitor", "m_2pc_monitor"),
            ("a b-c.1", "ABC1Monitor", "a_b_c_1_monitor"),
            ("__x__", "XMonitor", "x_monitor"),
        ] {
            assert_eq!(type_name(model), expected_type);
            assert_eq!(snake_name(model), expected_snake);
        }
        assert_eq!(type_name(&"x".repeat(1000)).len(), MAX_STEM + "Monitor".len());
    }

    #[test]
    fn comments_are_one_harmless_line() {
        assert_eq!(in_comment("P[1].a\n\\u0041 coding: x */"), "P[1].a__u0041 coding_ x __");
    }
}
