//! What the values of options are read with: times, sizes and definitions.

use std::time::Duration;

/// A constant and its value: `N=5`.
pub(super) fn parse_definition(text: &str) -> Result<(String, i32), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, such as N=5")?;
    let value = value.trim().parse().map_err(|_| format!("`{}` is not a whole number", value.trim()))?;
    Ok((name.trim().to_owned(), value))
}

/// The name of a property or process. An index may stand in brackets, as the model writes it: `WORKS[1]` is `WORKS.1`.
pub(super) fn parse_name(text: &str) -> Result<String, std::convert::Infallible> {
    let begins_with_upper = text.starts_with(char::is_uppercase);
    Ok(match text.strip_suffix(']').filter(|_| begins_with_upper) {
        Some(name) => name.replace("][", ".").replace('[', "."),
        None => text.to_owned(),
    })
}

/// Names that were separated by commas, where commas within parentheses or brackets belong to a name, as in `NODE(0,1)`.
pub(crate) fn whole_names(pieces: &[String]) -> Vec<String> {
    let depth = |name: &str| {
        let count = |letters: [char; 2]| name.matches(letters).count();
        count(['(', '[']).saturating_sub(count([')', ']']))
    };
    let mut names: Vec<String> = Vec::new();
    for piece in pieces {
        match names.last_mut().filter(|name| depth(name) > 0) {
            Some(name) => *name = format!("{name},{piece}"),
            None => names.push(piece.clone()),
        }
    }
    names
}

/// A time: `10s`, `2m`, `500ms`, or seconds.
pub(super) fn parse_duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 = number.trim().parse().map_err(|_| "a time is written 10s, 2m or 500ms".to_owned())?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("`{unit}` is no unit of time; use ms, s, m or h")),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| "a time cannot be negative or endless".to_owned())
}

/// A size in bytes: `500M`, `4G`, or a number.
pub(super) fn parse_size(text: &str) -> Result<usize, String> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: f64 = number.trim().parse().map_err(|_| "a size is written 500M or 4G".to_owned())?;
    let factor = match unit.to_ascii_lowercase().trim_end_matches('b').trim_end_matches('i') {
        "" => 1.0,
        "k" => 1024.0,
        "m" => 1024.0 * 1024.0,
        "g" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err(format!("`{unit}` is no unit of size; use K, M or G")),
    };
    let bytes = number * factor;
    if !(0.0..1e18).contains(&bytes) {
        return Err("a size has to be a positive number of bytes".to_owned());
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked on the line above")]
    Ok(bytes as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_within_parentheses_belong_to_names() {
        let split = |text: &str| whole_names(&text.split(',').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(split("NODE(0,1),M,x:P(1,[2,3]),Q"), ["NODE(0,1)", "M", "x:P(1,[2,3])", "Q"]);
        assert_eq!(split("M)(,N"), ["M)(", "N"]);
    }

    #[test]
    fn times_and_sizes() {
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(parse_duration("3"), Ok(Duration::from_secs(3)));
        for wrong in ["-1s", "-1", "soon"] {
            assert!(parse_duration(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_size("1K"), Ok(1024));
        assert_eq!(parse_size("1.5GiB"), Ok(3 << 29));
        assert!(parse_size("-4M").is_err() && parse_size("4X").is_err());
    }
}
