//! Files that no compiler writes: what they cost, and that they are refused where nothing valid can
//! come of them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use dxil_frontend::Category;
use dxil_frontend::dxil::read_shader;
use dxil_frontend::ir::print::{Plain, module_text};
use dxil_translate::{Options, Style, Target, translate, translate_bytes};
use dxil_validator::{Environment, Rules, validate};

#[test]
fn a_constant_that_others_are_made_of_is_computed_once() {
    // Thirty sums, each of the one before and itself.
    let bytes = include_bytes!("data/constants_used_twice.bin");
    let shader = read_shader(bytes).unwrap();
    for style in [Style::Native, Style::Portable] {
        let options = Options {
            target: Target {
                style,
                ..Target::default()
            },
            ..Options::default()
        };
        let words = translate(&shader, &options).unwrap().words;
        assert!(words.len() < 512, "{} words", words.len());
        validate(&words, Rules::strict(Environment::Vulkan1_3)).unwrap();
    }
    let text = module_text(&shader.module, &Plain);
    assert!(text.len() < 64 << 10, "{} bytes of text", text.len());
}

#[test]
fn an_operation_that_is_declared_with_another_result_is_malformed() {
    let bytes = include_bytes!("data/declared_with_16_bits.bin");
    let error = translate_bytes(bytes, &Options::default()).unwrap_err();
    assert_eq!(error.category(), Category::Malformed);
    let text = error.to_string();
    assert!(
        text.contains("dx.op.flattenedThreadIdInGroup.i32 is declared with another result"),
        "{text}"
    );
}
