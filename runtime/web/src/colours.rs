//! Styled text for the page: the ANSI styles of the commands, as runs of text with a class.

use serde_json::{Value, json};

/// Returns a text without styles.
pub(crate) fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

/// Returns a line as a list of runs: a text, or `[class, text]`. The classes are names of ANSI
/// colours, and `dim`.
pub(crate) fn runs(line: &str) -> Value {
    let mut runs = Vec::new();
    let mut class: Option<&'static str> = None;
    let mut push = |class: Option<&'static str>, text: &str| {
        if !text.is_empty() {
            runs.push(match class {
                Some(class) => json!([class, text]),
                None => json!(text),
            });
        }
    };
    for (index, piece) in line.split('\u{1b}').enumerate() {
        // The first piece has no escape in front of it.
        let style = (index > 0)
            .then(|| piece.strip_prefix('[')?.split_once('m'))
            .flatten();
        match style {
            Some((codes, text)) => {
                class = class_of(codes, class);
                push(class, text);
            }
            None => push(class, piece),
        }
    }
    Value::Array(runs)
}

/// Returns the class after a sequence of styles. Bold is left to the page.
fn class_of(codes: &str, before: Option<&'static str>) -> Option<&'static str> {
    let mut class = before;
    for code in codes.split(';') {
        class = match code {
            "" | "0" => None,
            "2" => Some("dim"),
            "31" => Some("red"),
            "32" => Some("green"),
            "33" => Some("yellow"),
            "35" => Some("magenta"),
            "36" => Some("cyan"),
            _ => class,
        };
    }
    class
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_become_classes() {
        let line = "a\u{1b}[1m\u{1b}[33mAdd\u{1b}[0m(\u{1b}[32m\"x\"\u{1b}[0m)  \u{1b}[2m; c";
        let expected = json!([
            "a",
            ["yellow", "Add"],
            "(",
            ["green", "\"x\""],
            ")  ",
            ["dim", "; c"]
        ]);
        assert_eq!(runs(line), expected);
        assert_eq!(plain(line), "aAdd(\"x\")  ; c");
    }
}
