//! Pseudo-casts: the bodies of the functions that cast between floats and their bits.

use dxil_translate::pseudo_casts::{DOUBLE_OF_WORDS, HALF_OF_WORD, WORD_OF_HALF, WORDS_OF_DOUBLE};

/// A cast in a language: the name of its function, the types of the result and of the parameter
/// `v`, and the statements of the body.
pub(super) type Cast = (&'static str, &'static str, &'static str, &'static str);

/// Casts in GLSL.
pub(super) const GLSL: &[Cast] = &[
    (
        DOUBLE_OF_WORDS,
        "double",
        "uvec2",
        "return packDouble2x32(v);",
    ),
    (
        WORDS_OF_DOUBLE,
        "uvec2",
        "double",
        "return unpackDouble2x32(v);",
    ),
];

/// Casts in HLSL.
pub(super) const HLSL: &[Cast] = &[
    (
        DOUBLE_OF_WORDS,
        "double",
        "uint2",
        "return asdouble(v.x, v.y);",
    ),
    (
        WORDS_OF_DOUBLE,
        "uint2",
        "double",
        "uint2 words; asuint(v, words.x, words.y); return words;",
    ),
    (
        HALF_OF_WORD,
        "half",
        "uint",
        "return asfloat16(uint16_t(v));",
    ),
    (WORD_OF_HALF, "uint", "half", "return uint(asuint16(v));"),
];

/// Returns the text in which the functions of pseudo-casts have the language's bodies.
///
/// # Errors
///
/// The name of a function that has no body in the language.
pub(super) fn restore(
    module: &naga::Module,
    text: String,
    casts: &[Cast],
) -> Result<String, &'static str> {
    let mut text = text;
    for name in [DOUBLE_OF_WORDS, WORDS_OF_DOUBLE, HALF_OF_WORD, WORD_OF_HALF] {
        let is_it = |function: &naga::Function| function.name.as_deref() == Some(name);
        if !module.functions.iter().any(|(_, function)| is_it(function)) {
            continue;
        }
        let mut all = casts.iter();
        let &(_, result, parameter, body) = all.find(|(known, ..)| *known == name).ok_or(name)?;
        // From the return type to the end of naga's body.
        let head = format!("{result} {name}({parameter} ");
        let start = text.find(&head).ok_or(name)?;
        let rest = text.get(start..).ok_or(name)?;
        let end = start + rest.find("\n}\n").ok_or(name)? + "\n}\n".len();
        text.replace_range(start + head.len()..end, &format!("v) {{ {body} }}\n"));
    }
    Ok(text)
}
