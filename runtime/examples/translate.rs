//! Translates a shader to SPIR-V, and prints its bindings.
//!
//! Usage: `cargo run -p dxil-runtime --example translate -- [SHADER [MODULE]]`

#![allow(clippy::print_stdout, reason = "an example shows what it computed")]

use std::error::Error;
use std::path::PathBuf;

use dxil_frontend::container::Container;
use dxil_frontend::dxil::Shader;
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
        for binding in stage
            .interface
            .iter()
            .flat_map(|interface| &interface.bindings)
        {
            let key = binding.resource;
            let resource = shader.resources.find(key.class, key.id);
            let register = resource.map_or_else(String::new, |resource| {
                let letter = resource.class.letter();
                format!("{letter}{}, space{}", resource.lower_bound, resource.space)
            });
            println!(
                "set {} binding {}: {:?} {} ({register})",
                binding.slot.set, binding.slot.binding, binding.kind, binding.name
            );
        }
    }
    Ok(())
}
