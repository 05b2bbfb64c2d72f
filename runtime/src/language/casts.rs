//! Pseudo-casts: the bodies of the functions that cast between floats and their bits.

use dxil_translate::pseudo_casts::{DOUBLE_OF_WORDS, HALF_OF_WORD, WORD_OF_HALF, WORDS_OF_DOUBLE};

use super::written::Written;

/// A cast in a language: the name of its function, the types of the result and of the parameter
/// `v`, and the statements of the body.
type Cast = (&'static str, &'static str, &'static str, &'static str);

/// Casts in GLSL.
const GLSL: &[Cast] = &[
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
const HLSL: &[Cast] = &[
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

/// Gives the functions of pseudo-casts the bodies of GLSL.
///
/// # Errors
///
/// A reason if there is a cast that GLSL or its writer lacks.
pub(super) fn restore_glsl(written: &Written<'_>, text: String) -> Result<String, &'static str> {
    restore(written.module, text, GLSL)
}

/// Gives the functions of pseudo-casts the bodies of HLSL.
///
/// # Errors
///
/// A reason if there is a cast that HLSL or its writer lacks.
pub(super) fn restore_hlsl(written: &Written<'_>, text: String) -> Result<String, &'static str> {
    restore(written.module, text, HLSL)
}

fn restore(module: &naga::Module, text: String, casts: &[Cast]) -> Result<String, &'static str> {
    const REFUSED: &str = "a cast between a float and its bits";
    let mut text = text;
    for name in [DOUBLE_OF_WORDS, WORDS_OF_DOUBLE, HALF_OF_WORD, WORD_OF_HALF] {
        let is_it = |function: &naga::Function| function.name.as_deref() == Some(name);
        if !module.functions.iter().any(|(_, function)| is_it(function)) {
            continue;
        }
        let mut all = casts.iter();
        let cast = all.find(|(known, ..)| *known == name);
        let &(_, result, parameter, body) = cast.ok_or(REFUSED)?;
        // From the return type to the end of naga's body.
        let head = format!("{result} {name}({parameter} ");
        let start = text.find(&head).ok_or(REFUSED)?;
        let rest = text.get(start..).ok_or(REFUSED)?;
        let end = start + rest.find("\n}\n").ok_or(REFUSED)? + "\n}\n".len();
        text.replace_range(start + head.len()..end, &format!("v) {{ {body} }}\n"));
    }
    Ok(text)
}
