//! Every shape becomes a valid module or a typed error, in both styles.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeSet;

use dxil_frontend::Category;
use dxil_frontend::dxil::read_shader;
use dxil_frontend::ir::print::{Plain, module_text};
use dxil_shapes::{Family, GraphFamily, all_families, container};
use dxil_translate::{Options, Style, translate};
use dxil_validator::{Environment, Rules, validate};

/// Translates a member of a family in a style, and validates the module. Returns the code of the
/// error, if there is one.
fn outcome(family: Family, n: u32, style: Style) -> Option<&'static str> {
    let name = format!("{} {n} {style:?}", family.name());
    let bytes = container(family, n);
    let shader = read_shader(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut options = Options::default();
    options.target.style = style;
    match translate(&shader, &options) {
        Ok(translation) => {
            validate(&translation.words, Rules::strict(Environment::Vulkan1_3))
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            None
        }
        Err(error) => {
            assert_ne!(error.category(), Category::Malformed, "{name}: {error}");
            Some(error.code())
        }
    }
}

#[test]
fn every_shape_is_valid_or_refused_with_a_limit() {
    let mut refused = BTreeSet::new();
    for family in all_families() {
        for n in [1, 2, 3, 9, 33, 150] {
            for style in [Style::Native, Style::Portable] {
                if let Some(code) = outcome(family, n, style) {
                    refused.insert((family.name(), code));
                }
            }
        }
    }
    let refused: Vec<_> = refused
        .iter()
        .map(|(name, code)| (&**name, *code))
        .collect();
    assert_eq!(refused, []);
}

#[test]
fn random_graphs_become_valid_modules() {
    for seed in 0..60 {
        let family = Family::Graph(GraphFamily::Random(seed));
        for style in [Style::Native, Style::Portable] {
            assert_eq!(
                outcome(family, 20 + 3 * seed as u32, style),
                None,
                "seed {seed}"
            );
        }
    }
}

#[test]
fn listings_grow_with_the_container() {
    for family in all_families() {
        let text = |n| {
            let bytes = container(family, n);
            let shader = read_shader(&bytes).unwrap();
            (bytes.len(), module_text(&shader.module, &Plain).len())
        };
        let (bytes, characters) = text(400);
        assert!(
            characters <= 64 * bytes + 65536,
            "{}: {characters} characters for {bytes} bytes",
            family.name()
        );
    }
}
