//! Text to tokens.

use super::{Result, problem};
use crate::number::{Encoding, Number, ScalarKind};

/// Maximum number of characters of an expression.
const MAX_LENGTH: usize = 1 << 12;

/// A token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Number(Number),
    Name(String),
    /// `%name`.
    Register(String),
    /// An operator or a bracket.
    Sign(&'static str),
}

/// Signs; longer ones come before those that they begin with.
const SIGNS: [&str; 28] = [
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "%", "<", ">", "!", "~",
    "&", "|", "^", "?", ":", "(", ")", "[", "]", ",", ".",
];

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the tokens of a text.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>> {
    if text.len() > MAX_LENGTH {
        return problem("the expression is too long");
    }
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_operand_next = match tokens.last() {
            None => true,
            Some(Token::Sign(sign)) => !matches!(*sign, ")" | "]"),
            Some(_) => false,
        };
        let second = rest.chars().nth(1);
        let starts_number = first.is_ascii_digit()
            || (first == '.' && is_operand_next && second.is_some_and(|c| c.is_ascii_digit()));
        if starts_number {
            let (number, behind) = number(rest)?;
            tokens.push(Token::Number(number));
            rest = behind;
        } else if is_name(first) || first == '$' {
            let end = rest
                .char_indices()
                .skip(1)
                .find(|(_, c)| !is_name(*c))
                .map_or(rest.len(), |(at, _)| at);
            let (name, behind) = rest.split_at(end);
            // Names in namespaces.
            tokens.push(Token::Name(name.to_owned()));
            rest = behind;
        } else if first == '%' && is_operand_next {
            let behind = &rest[1..];
            let is_part = |c: char| is_name(c) || c == '.';
            let end = behind.find(|c| !is_part(c)).unwrap_or(behind.len());
            let (name, behind) = behind.split_at(end);
            tokens.push(Token::Register(name.to_owned()));
            rest = behind;
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            tokens.push(Token::Sign(sign));
            rest = &rest[sign.len()..];
        } else {
            return problem(format!("unexpected {first:?}"));
        }
        rest = rest.trim_start();
    }
    Ok(tokens)
}

/// Reads a number as HLSL writes it; returns what follows.
fn number(text: &str) -> Result<(Number, &str)> {
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        let end = digits.find(|c: char| !c.is_ascii_hexdigit());
        let (digits, rest) = digits.split_at(end.unwrap_or(digits.len()));
        let Ok(value) = u64::from_str_radix(digits, 16) else {
            return problem(format!("0x{digits} is no number"));
        };
        return Ok((integer(value, rest), skip_suffix(rest, "uUlL")));
    }
    let mut end = 0;
    let mut is_float = false;
    let bytes = text.as_bytes();
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'0'..=b'9' => {}
            b'.' if !is_float => is_float = true,
            b'e' | b'E' => {
                is_float = true;
                if matches!(bytes.get(end + 1), Some(b'+' | b'-')) {
                    end += 1;
                }
            }
            _ => break,
        }
        end += 1;
    }
    let (digits, rest) = text.split_at(end);
    let suffix = rest.chars().next();
    if is_float || matches!(suffix, Some('f' | 'F' | 'h' | 'H')) {
        let Ok(value) = digits.parse::<f64>() else {
            return problem(format!("{digits} is no number"));
        };
        let number = match suffix {
            Some('l' | 'L') => Number::new(ScalarKind::new(Encoding::Float, 64), value.to_bits()),
            _ => Number::float(value as f32),
        };
        return Ok((number, skip_suffix(rest, "fFhHlL")));
    }
    match digits.parse::<u64>() {
        Ok(value) => Ok((integer(value, rest), skip_suffix(rest, "uUlL"))),
        Err(_) => problem(format!("{digits} is no number")),
    }
}

fn integer(value: u64, suffix: &str) -> Number {
    let is_unsigned = suffix.starts_with(['u', 'U']);
    let kind = match (is_unsigned, value) {
        (true, 0..=0xffff_ffff) => ScalarKind::UINT,
        (false, 0..=0x7fff_ffff) => ScalarKind::INT,
        (false, 0..=0xffff_ffff) => ScalarKind::UINT,
        _ => ScalarKind::new(Encoding::Unsigned, 64),
    };
    Number::new(kind, value)
}

fn skip_suffix<'a>(text: &'a str, letters: &str) -> &'a str {
    text.trim_start_matches(|c| letters.contains(c))
}
