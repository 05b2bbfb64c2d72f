//! The cost of the checks of groupshared memory: words of the modules of all checked-in shaders
//! with such memory, with the checks and without.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use dxil_checkout::shaders;
use dxil_frontend::dxil::{EntryPoint, read_shader};
use dxil_frontend::ir::address_space;
use dxil_translate::{Features, Options, VulkanVersion, translate};

#[test]
fn most_indices_into_groupshared_memory_are_proven() {
    let (mut modules, mut checked_modules, mut plain, mut checked) = (0, 0, 0, 0);
    for path in shaders() {
        let Ok(shader) = read_shader(&std::fs::read(&path).unwrap()) else {
            continue;
        };
        let mut globals = shader.module.globals.values();
        if !globals.any(|global| global.address_space == address_space::GROUP_SHARED) {
            continue;
        }
        for entry in &shader.entry_points {
            let words = |unchecked: bool| {
                let mut options = Options::default();
                options.target.vulkan = VulkanVersion::V1_3;
                options.target.features = Features::all();
                options.entry = Some(EntryPoint::plain_name(entry).to_owned());
                options.unchecked_group_memory = unchecked;
                translate(&shader, &options).map(|translation| translation.words.len())
            };
            let (Ok(with), Ok(without)) = (words(false), words(true)) else {
                continue;
            };
            modules += 1;
            checked_modules += usize::from(with != without);
            plain += without;
            checked += with;
            if with != without {
                println!("{}: {without} words, {with} with checks", path.display());
            }
        }
    }
    println!(
        "{checked_modules} of {modules} modules have checks: {plain} words without, {checked} with"
    );
    assert!(modules > 50, "{modules}");
    // Two of three modules need no check, and all together grow by less than a twentieth.
    assert!(
        checked_modules * 3 < modules,
        "{checked_modules} of {modules}"
    );
    assert!(checked * 20 < plain * 21, "{plain}, {checked}");
}
