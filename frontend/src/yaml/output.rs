//! The text, laid out as LLVM's YAML writer does: values in a column, flow lists of limited width,
//! quotes where LLVM sets them.

use std::fmt::Write;

use crate::escape::is_hidden;

/// Column after which a flow list goes on in the next line.
const WRAP: usize = 70;

/// Width of a key with its colon and the blanks after it.
const KEY_WIDTH: usize = 17;

/// A text under construction. A record is a mapping, in an entry of a list or under a key.
#[derive(Debug)]
pub(super) struct Output {
    text: String,
    indent: usize,
    /// The next key follows the dash of a list.
    in_item: bool,
}

impl Output {
    /// Returns a text that has only the line that names the kind of file.
    pub(super) fn new(kind: &str) -> Self {
        Output {
            text: format!("--- !{kind}\n"),
            indent: 0,
            in_item: false,
        }
    }

    /// Returns the text.
    pub(super) fn finish(mut self) -> String {
        self.text.push_str("...\n");
        self.text
    }

    fn begin_line(&mut self) {
        let spaces = if self.in_item {
            // The dash stands in the indent of the mapping.
            self.indent.saturating_sub(2)
        } else {
            self.indent
        };
        self.text.extend(std::iter::repeat_n(' ', spaces));
        if self.in_item {
            self.text.push_str("- ");
            self.in_item = false;
        }
    }

    fn key(&mut self, key: &str, pads: bool) {
        self.begin_line();
        self.text.push_str(key);
        self.text.push(':');
        if pads {
            let blanks = (KEY_WIDTH - 1).saturating_sub(key.len()).max(1);
            self.text.extend(std::iter::repeat_n(' ', blanks));
        }
    }

    /// Writes a value that needs no quotes.
    pub(super) fn field(&mut self, key: &str, value: impl std::fmt::Display) {
        self.key(key, true);
        // A string takes all that is written to it.
        let _ = writeln!(self.text, "{value}");
    }

    /// Writes a text, in quotes if it would be read as something else.
    pub(super) fn text(&mut self, key: &str, value: &str) {
        self.key(key, true);
        quote(&mut self.text, value);
        self.text.push('\n');
    }

    /// Writes a mapping under a key.
    pub(super) fn mapping<E>(
        &mut self,
        key: &str,
        fields: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        self.key(key, false);
        self.text.push('\n');
        self.indent += 2;
        let written = fields(self);
        self.indent -= 2;
        written
    }

    /// Begins a list under a key; each of its items goes between [`begin_item`](Self::begin_item)
    /// and [`end_item`](Self::end_item), and after all of them stands [`end_list`](Self::end_list).
    pub(super) fn begin_list(&mut self, key: &str, is_empty: bool) {
        self.key(key, is_empty);
        self.text.push_str(if is_empty { "[]\n" } else { "\n" });
        self.indent += 2;
    }

    pub(super) fn end_list(&mut self) {
        self.indent -= 2;
    }

    pub(super) fn begin_item(&mut self) {
        self.indent += 2;
        self.in_item = true;
    }

    pub(super) fn end_item(&mut self) {
        self.indent -= 2;
        self.in_item = false;
    }

    /// Writes numbers on as few lines as fit, as the value of a key.
    pub(super) fn numbers(&mut self, key: &str, numbers: impl Iterator<Item = Number>) {
        self.key(key, true);
        self.flow(numbers);
    }

    /// Writes numbers on as few lines as fit, as an item of a list.
    pub(super) fn number_item(&mut self, numbers: impl Iterator<Item = Number>) {
        self.begin_item();
        self.begin_line();
        self.flow(numbers);
        self.end_item();
    }

    fn flow(&mut self, numbers: impl Iterator<Item = Number>) {
        let line = self.text.rfind('\n').map_or(0, |end| end + 1);
        let start = self.text.len() - line;
        let mut column = start + 2;
        self.text.push_str("[ ");
        let mut before = "";
        for number in numbers {
            self.text.push_str(before);
            column += before.len();
            if column > WRAP {
                self.text.push('\n');
                self.text.extend(std::iter::repeat_n(' ', start + 2));
                column = start + 2;
            }
            let at = self.text.len();
            // A string takes all that is written to it.
            let _ = match number {
                Number::Decimal(number) => write!(self.text, "{number}"),
                Number::Hexadecimal(number) => write!(self.text, "0x{number:X}"),
            };
            column += self.text.len() - at;
            before = ", ";
        }
        self.text.push_str(" ]\n");
    }
}

/// A number as it is shown.
#[derive(Debug, Clone, Copy)]
pub(super) enum Number {
    Decimal(u32),
    Hexadecimal(u32),
}

/// Writes a text as LLVM's `needsQuotes` and `escape` have it.
fn quote(out: &mut String, text: &str) {
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || b"_-^., \t".contains(&byte);
    if text
        .bytes()
        .any(|byte| byte.is_ascii_control() && byte != b'\t' || byte >= 0x80)
    {
        out.push('"');
        for c in text.chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\0' => out.push_str("\\0"),
                '\x07' => out.push_str("\\a"),
                '\x08' => out.push_str("\\b"),
                '\t' => out.push_str("\\t"),
                '\n' => out.push_str("\\n"),
                '\x0b' => out.push_str("\\v"),
                '\x0c' => out.push_str("\\f"),
                '\r' => out.push_str("\\r"),
                '\x1b' => out.push_str("\\e"),
                c if is_hidden(c) => {
                    // A string takes all that is written to it.
                    let _ = match u32::from(c) {
                        code @ ..=0xff => write!(out, "\\x{code:02X}"),
                        code @ ..=0xffff => write!(out, "\\u{code:04X}"),
                        code => write!(out, "\\U{code:08X}"),
                    };
                }
                c => out.push(c),
            }
        }
        out.push('"');
        return;
    }
    let first = text.bytes().next();
    let needs_quotes = first.is_none_or(|byte| b"-?:\\,[]{}#&*!|>'\"%@`".contains(&byte))
        || text.starts_with([' ', '\t'])
        || text.ends_with([' ', '\t'])
        || !text.bytes().all(is_safe)
        || ["null", "Null", "NULL", "~"].contains(&text)
        || ["true", "True", "TRUE", "false", "False", "FALSE"].contains(&text)
        || is_numeric(text);
    if needs_quotes {
        out.push('\'');
        out.push_str(&text.replace('\'', "''"));
        out.push('\'');
    } else {
        out.push_str(text);
    }
}

/// Returns whether a reader would take a text for a number (YAML 1.2, 10.3.2).
fn is_numeric(text: &str) -> bool {
    if [".nan", ".NaN", ".NAN"].contains(&text) {
        return true;
    }
    let tail = text.strip_prefix(['-', '+']).unwrap_or(text);
    if [".inf", ".Inf", ".INF"].contains(&tail) {
        return true;
    }
    for (prefix, radix) in [("0o", 8), ("0x", 16)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            return !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
        }
    }
    let digits = |text: &str| text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let after =
        |text: &str, left: usize| text.get(text.len() - left..).unwrap_or_default().to_owned();
    let whole = after(tail, digits(tail));
    let has_whole = whole.len() < tail.len();
    let fraction = whole.strip_prefix('.');
    let rest = fraction.map_or(whole.clone(), |fraction| after(fraction, digits(fraction)));
    let has_fraction = fraction.is_some_and(|fraction| rest.len() < fraction.len());
    if !has_whole && !has_fraction {
        return false;
    }
    let Some(exponent) = rest.strip_prefix(['e', 'E']) else {
        return rest.is_empty();
    };
    let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    !exponent.is_empty() && exponent.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns a number with six significant digits, as C's `%g` has it.
pub(super) fn six_digits(value: f32) -> String {
    if value.is_nan() {
        return if value.is_sign_negative() {
            "-nan"
        } else {
            "nan"
        }
        .into();
    }
    if value.is_infinite() {
        return if value < 0.0 { "-inf" } else { "inf" }.into();
    }
    let scientific = format!("{:.5e}", f64::from(value));
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let strip = |digits: &str| {
        if digits.contains('.') {
            digits
                .trim_end_matches('0')
                .trim_end_matches('.')
                .to_owned()
        } else {
            digits.to_owned()
        }
    };
    if (-4..6).contains(&exponent) {
        let decimals = usize::try_from(5 - exponent).unwrap_or(0);
        strip(&format!("{:.decimals$}", f64::from(value)))
    } else {
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{}e{sign}{:02}", strip(mantissa), exponent.abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What LLVM 23.1's obj2yaml wrote for elements of these names.
    #[test]
    fn quotes_are_those_of_llvm() {
        let plain = [
            "A_B", "a-b", "a^b", "a.b", "a,b", "a b", "y", "1_000", "0b1", "_", "...", ".", "0x",
            "1a", "_1", "inf", "nan", "0xG", "1e", "e5",
        ];
        let single = [
            "", "a/b", "a:b", "-a", "~", "null", "True", "1", "0x1f", "1.5", "1e5", ".5", "+1",
            ".inf", "+.inf", ".nan", "0o7", "%a", "a}", "=", "a~", "-", "+", "1.", "08", "$a",
        ];
        let quoted = |text: &str| {
            let mut out = String::new();
            quote(&mut out, text);
            out
        };
        for text in plain {
            assert_eq!(quoted(text), text);
        }
        for text in single {
            assert_eq!(quoted(text), format!("'{text}'"));
        }
        assert_eq!(quoted("a'b"), "'a''b'");
        assert_eq!(quoted("\x01"), "\"\\x01\"");
        assert_eq!(quoted("\u{200b}\u{e0001}"), "\"\\u200B\\U000E0001\"");
        assert_eq!(quoted("é\n\\"), "\"é\\n\\\\\"");
    }

    /// `printf("%g")` of glibc.
    #[test]
    fn floats_have_six_digits() {
        let cases = [
            (0.0, "0"),
            (-0.5, "-0.5"),
            (16.0, "16"),
            (f32::MAX, "3.40282e+38"),
            (1e-5, "1e-05"),
            (0.1, "0.1"),
            (123_456.7, "123457"),
            (1_234_567.0, "1.23457e+06"),
            (0.000_123_456_7, "0.000123457"),
            (999_999.9, "1e+06"),
            (f32::INFINITY, "inf"),
        ];
        for (value, text) in cases {
            assert_eq!(six_digits(value), text);
        }
    }
}
