//! Translates a shader to SPIR-V, and prints its bindings with their registers, names and layouts.
//!
//! Usage: `cargo run -p dxil-runtime --example translate -- [SHADER [MODULE]]`

#![allow(clippy::print_stdout, reason = "an example shows what it computed")]

use std::error::Error;
use std::path::PathBuf;

use dxil_frontend::container::Container;
use dxil_frontend::dxil::Shader;
use dxil_frontend::reflection::Reflection;
use dxil_runtime::program::{CompileOptions, ShaderCode};
use dxil_runtime::{Profile, Program};
use dxil_translate::VulkanVersion;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/saxpy.dxil");
    let file = arguments.next().unwrap_or_else(|| default.into());
    let bytes = std::fs::read(file)?;
    let container = Container::parse(&bytes)?;
    let shader = Shader::read(&container)?;
    let root = container.root_signature()?;
    // DXC strips names from the code, and keeps them in the STAT part.
    let reflection = Reflection::of(&shader, Some(&container));

    // Without a device: a target that has every feature of the translator.
    let profile = Profile::offline(VulkanVersion::V1_3);
    let options = CompileOptions::default();
    let program = Program::compile(&shader, root.as_ref(), &profile, &|_| None, &options)?;
    for stage in &program.stages {
        let ShaderCode::SpirV(words) = &stage.code else {
            continue;
        };
        println!("{}: {} words of SPIR-V", stage.entry, words.len());
        if let Some(file) = arguments.next() {
            let module: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            std::fs::write(file, module)?;
        }
        let bindings = stage.interface.iter().flat_map(|i| &i.bindings);
        for binding in bindings {
            let key = binding.resource;
            let mut declared = shader.resources.iter().zip(&reflection.resources);
            let found =
                declared.find(|(resource, _)| (resource.class, resource.id) == (key.class, key.id));
            let (registers, name, layout) = match found {
                Some((_, found)) => (
                    found.registers(),
                    found.name.as_str(),
                    found.layout.as_ref(),
                ),
                None => (String::new(), binding.name.as_ref(), None),
            };
            let slot = binding.slot;
            println!(
                "set {} binding {}: {:?} {registers} {name}",
                slot.set, slot.binding, binding.kind
            );
            if let Some(layout) = layout {
                print!("{layout}");
            }
        }
    }
    Ok(())
}
