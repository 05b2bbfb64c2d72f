//! The table of stages and shader models says what becomes of the checked-in shaders.
//!
//! Every entry point of every `.dxil` of the checkout is translated for a target that has every
//! feature; the table counts, per stage and shader model, how many there are and how many are
//! translated. What is not translated must be refused as unsupported, never as malformed or by a
//! bug of ours. `BLESS=1` rewrites the table.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::collections::BTreeMap;

use dxil_checkout::{assert_coverage_table, linked, shaders};
use dxil_frontend::dxil::{ShaderKind, read_shader};
use dxil_translate::{BindingMap, Category, Counter, DescriptorSlot, Features, Options, translate};

#[test]
fn the_table_of_stages_is_true() {
    let heap = |binding| Some(DescriptorSlot { set: 7, binding });
    let mut bindings = BindingMap::new();
    bindings.resource_heap = heap(0);
    bindings.sampler_heap = heap(1);
    bindings.resource_heap_counters = heap(2).map(Counter::Buffer);
    let mut options = Options::default();
    options.target.features = Features::all();
    options.bindings = bindings;
    // (stage, minor version) -> (translated, all)
    let mut counts: BTreeMap<(ShaderKind, u8), (u32, u32)> = BTreeMap::new();
    for path in shaders() {
        let bytes = std::fs::read(&path).unwrap();
        // Containers without a shader (a root signature alone) are the frontend's own tests'
        // matter.
        let Ok(shader) = read_shader(&bytes) else {
            continue;
        };
        // What it is linked with may be newer.
        let minor = shader.shader_model.minor;
        let shader = linked(&path, shader);
        // A library counts by its entry points; its own one has no function.
        for entry in shader
            .entry_points
            .iter()
            .filter(|entry| entry.kind != ShaderKind::Library)
        {
            let mut options = options.clone();
            options.entry = Some(entry.name.to_string());
            let count = counts.entry((entry.kind, minor)).or_default();
            count.1 += 1;
            match translate(&shader, &options) {
                Ok(_) => count.0 += 1,
                Err(error) => {
                    assert_eq!(
                        error.category(),
                        Category::Unsupported,
                        "{} {}: {error}",
                        path.display(),
                        entry.name
                    );
                }
            }
        }
    }
    let minors: Vec<u8> = (0..=9).collect();
    let mut table = String::from("| Stage |");
    for minor in &minors {
        table += &format!(" 6.{minor} |");
    }
    table += "\n|---|";
    table += &"---:|".repeat(minors.len());
    table += "\n";
    for kind in ShaderKind::ALL {
        if !counts.keys().any(|&(found, _)| found == kind) {
            continue;
        }
        table += &format!("| {kind:?} |");
        for &minor in &minors {
            table += &match counts.get(&(kind, minor)) {
                Some((translated, all)) => format!(" {translated}/{all} |"),
                None => " |".to_owned(),
            };
        }
        table += "\n";
    }
    assert_coverage_table("stages and shader models", &table);
}
