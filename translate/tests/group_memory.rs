//! The cost of the checks of groupshared memory: words of the modules of all checked-in shaders
//! with such memory, with the checks and without. And atomics on what is no such memory.

#![allow(
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use dxil_checkout::shaders;
use dxil_frontend::asm::assemble;
use dxil_frontend::dxil::{EntryPoint, Shader, read_shader};
use dxil_frontend::ir::address_space;
use dxil_frontend::ir::print::{Plain, module_text};
use dxil_translate::{Category, Features, Options, VulkanVersion, translate};

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

/// Groupshared variables become variables of a thread: atomics on them are a typed error, since
/// Vulkan has none there (VUID-StandaloneSpirv-None-04686).
#[test]
fn atomics_on_variables_of_a_thread_are_refused() {
    let mut refused = 0;
    for path in shaders() {
        // There atomics stand for a vendor's operations.
        if path.components().any(|part| part.as_os_str() == "vendor") {
            continue;
        }
        let Ok(shader) = read_shader(&std::fs::read(&path).unwrap()) else {
            continue;
        };
        let text = module_text(&shader.module, &Plain);
        let is_atomic = |line: &str| line.contains("atomicrmw") || line.contains("cmpxchg");
        let mut lines = text.lines();
        if !lines.any(|line| is_atomic(line) && line.contains("addrspace(3)")) {
            continue;
        }
        let text = text.replace(" addrspace(3)", "");
        let Ok(module) = assemble(&text) else {
            continue;
        };
        let Ok(shader) = Shader::decode(module) else {
            continue;
        };
        let mut options = Options::default();
        options.target.vulkan = VulkanVersion::V1_3;
        options.target.features = Features::all();
        let [entry] = &*shader.entry_points else {
            continue;
        };
        options.entry = Some(entry.plain_name().to_owned());
        let Err(error) = translate(&shader, &options) else {
            panic!("{} is translated", path.display());
        };
        assert_eq!(
            error.category(),
            Category::Unsupported,
            "{}: {error}",
            path.display()
        );
        refused += 1;
    }
    assert!(refused > 5, "{refused}");
}
