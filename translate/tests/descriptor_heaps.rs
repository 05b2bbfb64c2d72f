//! Modules with descriptor heaps and large buffers: every shader of this repository stays valid,
//! with all that it declares in the heaps.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::fmt::Write as _;
use std::path::Path;

use dxil_frontend::dxil::{EntryPoint, Shader, read_shader};
use dxil_translate::{
    BindingMap, Counter, DescriptorHeaps, DescriptorSlot, Features, Location, Options, ResourceKey,
    Translation, translate,
};
use dxil_validator::{Environment, Rules, validate_all};

/// Returns places in the heaps, of which a push constant says where they begin.
fn in_heaps(shader: &Shader, entry: &EntryPoint) -> BindingMap {
    let mut bindings = BindingMap::new();
    bindings.descriptor_heaps = Some(DescriptorHeaps::default());
    let slot = |binding| DescriptorSlot { set: 0, binding };
    for (resource, number) in shader.resources.iter().zip(0..) {
        let key = ResourceKey {
            class: resource.class,
            id: resource.id,
        };
        let location = Location::Heap {
            slot: slot(0),
            // The push constants of a node hold its records.
            table_word: (!entry.is_node()).then_some(0),
            offset: number,
            counter: Some(Counter::Buffer(slot(number))),
            ranges: None,
        };
        bindings.insert(key, location);
    }
    bindings
}

#[test]
fn every_shader_is_valid_with_heaps_and_large_buffers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut modules: Vec<(String, Translation)> = Vec::new();
    let mut report = String::new();
    for folder in ["hwtests/shaders", "translate/filetests"] {
        for path in dxil_checkout::files(&root.join(folder), "dxil") {
            let Ok(shader) = read_shader(&std::fs::read(&path).unwrap()) else {
                continue;
            };
            let shader = dxil_checkout::linked(&path, shader);
            for entry in shader.entry_points.iter().filter(|e| !e.name.is_empty()) {
                let mut options = Options::default();
                options.target.features = Features::all();
                options.entry = Some(entry.name.to_string());
                // What cannot be said in any way is another test's.
                options.bindings.resource_heap = Some(DescriptorSlot { set: 7, binding: 0 });
                options.bindings.sampler_heap = Some(DescriptorSlot { set: 7, binding: 1 });
                if translate(&shader, &options).is_err() {
                    continue;
                }
                options.bindings = in_heaps(&shader, entry);
                options.large_buffers = true;
                let label = format!("{} {}", path.display(), entry.name);
                match translate(&shader, &options) {
                    Ok(translation) => modules.push((label, translation)),
                    Err(error) => writeln!(report, "{label}: {error}").unwrap(),
                }
            }
        }
    }
    let declare = |name: &str| {
        let declared = modules.iter().filter(|(_, module)| {
            let extensions = &module.interface.extensions;
            extensions.iter().any(|extension| extension == name)
        });
        declared.count()
    };
    assert_eq!(declare("SPV_EXT_shader_64bit_indexing"), modules.len());
    let with_heaps = declare("SPV_EXT_descriptor_heap");
    assert!(with_heaps > 500, "{with_heaps} modules access heaps");
    let mut rules = Rules::relaxed(Environment::Vulkan1_3);
    rules.scalar_block_layout = true;
    let inputs: Vec<_> = modules
        .iter()
        .map(|(_, module)| (module.words.as_slice(), rules))
        .collect();
    for ((label, _), answer) in modules.iter().zip(validate_all(&inputs)) {
        if let Err(failure) = answer {
            writeln!(report, "{label}: {failure}").unwrap();
        }
    }
    assert!(report.is_empty(), "\n{report}");
}
