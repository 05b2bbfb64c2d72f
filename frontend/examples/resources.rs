//! Lists a shader's entry points and its resources, with their names and the layouts of buffers.
//!
//! Usage: `cargo run -p dxil-frontend --example resources -- SHADER`

#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use std::error::Error;

use dxil_frontend::container::Container;
use dxil_frontend::dxil::Shader;
use dxil_frontend::reflection::Reflection;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).ok_or("which shader?")?;
    let bytes = std::fs::read(file)?;
    let container = Container::parse(&bytes)?;
    let shader = Shader::read(&container)?;
    for entry in &shader.entry_points {
        print!("{} ({:?} shader)", entry.name, entry.kind);
        match entry.num_threads {
            Some([x, y, z]) => println!(": groups of {x}x{y}x{z} threads"),
            None => println!(),
        }
    }
    // DXC strips names from the code and keeps them in the STAT part.
    let reflection = Reflection::of(&shader, Some(&container));
    for resource in &reflection.resources {
        let (registers, name) = (resource.registers(), &resource.name);
        println!("{registers} {name}: {:?}", resource.kind);
        if let Some(layout) = &resource.layout {
            // Fields with their types, offsets and sizes in bytes.
            print!("{layout}");
        }
    }
    Ok(())
}
