//! Twice the DXBC becomes about twice the code, step by step: counts of instructions, of the
//! structurizer's steps, and of words.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use dxil_frontend::dxil::read_shader;
use dxil_shapes::{DXBC_FAMILIES, DxbcFamily, Family, container};
use dxil_translate::cfg::Cfg;
use dxil_translate::structurize;
use dxil_translate::{Options, Style, translate};

/// Returns the instructions of the entry point, steps of the structurizer, and words.
fn counts(family: DxbcFamily, n: u32, style: Style) -> [usize; 3] {
    let name = format!("{family:?} {n} {style:?}");
    let bytes = container(Family::Dxbc(family), n);
    let shader = read_shader(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
    let instructions = shader.module.bodies.iter().map(|b| b.insts.len()).sum();
    let entry = shader.entry_points[0].function.unwrap();
    let graph = Cfg::build(shader.view(entry).unwrap()).unwrap();
    let (_, steps) = structurize::run_counted(graph, style.control_flow()).unwrap();
    let mut options = Options::default();
    options.target.style = style;
    let translation = translate(&shader, &options);
    let words = translation.unwrap_or_else(|error| panic!("{name}: {error}"));
    [instructions, steps as usize, words.words.len()]
}

#[test]
fn twice_the_dxbc_becomes_about_twice_the_steps_and_words() {
    // Below 500 levels, nested constructs take fewer words for each level.
    for family in DXBC_FAMILIES {
        for style in [Style::Native, Style::Portable] {
            let sizes = [500, 1000, 2000].map(|n| counts(family, n, style));
            for pair in sizes.windows(2) {
                for (half, whole) in pair[0].iter().zip(&pair[1]) {
                    assert!(10 * whole <= 23 * half, "{family:?} {style:?}: {sizes:?}");
                }
            }
        }
    }
}
