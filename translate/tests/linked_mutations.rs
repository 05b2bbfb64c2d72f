//! Libraries with changed bits, linked and translated: no panic, no error of our own, and what is
//! translated is valid.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use dxil_checkout::root;
use dxil_frontend::dxil::read_shader;
use dxil_frontend::link::link;
use dxil_frontend::oracle::Random;
use dxil_translate::{Category, Features, Options, Style, Target, VulkanVersion, translate};
use dxil_validator::{Environment, Rules, validate_all};

#[test]
fn linked_libraries_with_changed_bits_become_valid_modules_or_errors() {
    let folder = root().join("hwtests/shaders/linking");
    let bytes = ["caller", "callee", "objects", "object_functions"]
        .map(|name| std::fs::read(folder.join(name).with_extension("dxil")).unwrap());
    let whole = bytes.clone().map(|bytes| read_shader(&bytes).unwrap());
    let mut options = Options::default();
    options.target = Target::new(VulkanVersion::V1_3, Style::Native, Features::all());
    let mut random = Random::new(1);
    let mut modules = Vec::new();
    for round in 0..3000 {
        let at = round % 4;
        let mut changed = bytes[at].clone();
        let first = changed.len() / 2;
        for _ in 0..1 + random.below(3) {
            let bit = first * 8 + random.below((changed.len() - first) * 8);
            changed[bit / 8] ^= 1 << (bit % 8);
        }
        let Ok(shader) = read_shader(&changed) else {
            continue;
        };
        let linked = match at % 2 {
            0 => link(&shader, &[&whole[at + 1]]),
            _ => link(&whole[at - 1], &[&shader]),
        };
        let Ok(linked) = linked else {
            continue;
        };
        match translate(&linked, &options) {
            Ok(translation) => modules.push(translation.words),
            Err(error) => assert_ne!(error.category(), Category::Internal, "{round}: {error}"),
        }
    }
    assert!(modules.len() > 50, "{} modules", modules.len());
    let rules = Rules::relaxed(Environment::Vulkan1_3);
    let inputs: Vec<_> = modules
        .iter()
        .map(|words| (words.as_slice(), rules))
        .collect();
    for answer in validate_all(&inputs) {
        answer.unwrap();
    }
}
