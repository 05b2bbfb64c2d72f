//! Translates a shader to SPIR-V, writes the module, and lists what a pipeline has to bind.
//!
//! Usage: `cargo run -p dxil-translate --example to_spirv -- SHADER [MODULE]`

#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use std::error::Error;

use dxil_frontend::dxil::read_shader;
use dxil_translate::{
    BindingMap, DescriptorSlot, Features, Location, Options, ResourceKey, Style, Target,
    VulkanVersion, translate,
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let file = arguments.next().ok_or("which shader?")?;
    let shader = read_shader(&std::fs::read(file)?)?;

    // The caller decides where resources are: here register spaces are descriptor sets, and each
    // resource gets the next binding.
    let mut bindings = BindingMap::new();
    for (resource, binding) in shader.resources.iter().zip(0..) {
        let key = ResourceKey {
            class: resource.class,
            id: resource.id,
        };
        let location = Location::Descriptor {
            slot: DescriptorSlot {
                set: resource.space,
                binding,
            },
            first_index: 0,
            // Append and consume buffers have their counters elsewhere.
            counter: None,
            // Typed UAVs need one where the device cannot access them without.
            format: None,
        };
        bindings.insert(key, location);
    }
    let mut options = Options::default();
    options.bindings = bindings;
    // The module uses nothing that the target lacks. This one has all that the translator knows; an
    // application takes what its device has enabled.
    options.target = Target::new(VulkanVersion::V1_3, Style::Native, Features::all());
    let translation = match translate(&shader, &options) {
        Ok(translation) => translation,
        Err(error) => {
            // What it is about, and whether the shader is malformed or not supported.
            println!("{:?} (code {})", error.category(), error.code());
            return Err(error.into());
        }
    };

    let interface = &translation.interface;
    println!("{}: {} words", interface.entry, translation.words.len());
    for binding in &interface.bindings {
        let slot = binding.slot;
        let access = if binding.writable { "written" } else { "read" };
        println!(
            "set {} binding {}: {:?}, {access}",
            slot.set, slot.binding, binding.kind
        );
    }
    println!("needs {:?}", interface.capabilities);
    if let Some(file) = arguments.next() {
        let module: Vec<u8> = (translation.words.iter())
            .flat_map(|word| word.to_le_bytes())
            .collect();
        std::fs::write(file, module)?;
    }
    Ok(())
}
