//! Bodies of the functions that are casts between floats and their bits, in the texts of languages.

use super::casts::{Cast, FloatCasts};
use super::text_context::TextContext;
use super::tokens::{Edits, Tokens};

/// Gives the functions the bodies of GLSL (4.60, 8.4 "Floating-Point Pack and Unpack Functions").
///
/// # Errors
///
/// A reason if the text lacks the function.
pub(super) fn write_glsl(written: &TextContext<'_>, text: String) -> Result<String, &'static str> {
    with_bodies(written.casts, text, |cast| match cast {
        Cast::DoubleOfWords => Some(["double", "uvec2", "return packDouble2x32($);"]),
        Cast::WordsOfDouble => Some(["uvec2", "double", "return unpackDouble2x32($);"]),
        // The profile of GLSL has no halves.
        Cast::HalfOfBits | Cast::BitsOfHalf => None,
    })
}

/// Gives the functions the bodies of HLSL (Intrinsic Functions, "asdouble", "asuint"; HLSL 2018,
/// "asfloat16", "asuint16").
///
/// # Errors
///
/// A reason if the text lacks the function.
pub(super) fn write_hlsl(written: &TextContext<'_>, text: String) -> Result<String, &'static str> {
    with_bodies(written.casts, text, |cast| {
        Some(match cast {
            Cast::DoubleOfWords => ["double", "uint2", "return asdouble($.x, $.y);"],
            Cast::WordsOfDouble => [
                "uint2",
                "double",
                "uint2 words; asuint($, words.x, words.y); return words;",
            ],
            Cast::HalfOfBits => ["half", "uint16_t", "return asfloat16($);"],
            Cast::BitsOfHalf => ["uint16_t", "half", "return asuint16($);"],
        })
    })
}

/// Replaces the bodies of casts. `form` returns the types of result and parameter, and the body
/// with `$` for the parameter. A text in which a cast's function is not found exactly once is
/// refused.
fn with_bodies(
    casts: &FloatCasts,
    text: String,
    form: impl Fn(Cast) -> Option<[&'static str; 3]>,
) -> Result<String, &'static str> {
    const REFUSED: &str = "a cast between a float and its bits";
    let mut text = text;
    for cast in casts.casts() {
        let [result, parameter, body] = form(cast).ok_or(REFUSED)?;
        let tokens = Tokens::of(&text);
        let head = [result, "*", "(", parameter, "*", ")", "{"];
        let is_it =
            |&at: &usize| tokens.are(at, &head) && tokens.get(at + 1).starts_with(cast.name());
        let mut found = (0..tokens.count()).filter(is_it);
        let (Some(at), None) = (found.next(), found.next()) else {
            return Err(REFUSED);
        };
        let (name, open) = (tokens.get(at + 4), at + 6);
        let end = tokens.closing(open).ok_or(REFUSED)?;
        let mut edits = Edits::default();
        let inner = tokens.range(open).end..tokens.range(end).start;
        edits.replace(inner, format!(" {} ", body.replace('$', name)));
        text = edits.apply(&text);
    }
    Ok(text)
}
