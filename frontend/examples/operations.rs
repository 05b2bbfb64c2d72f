//! Counts the DXIL operations that each function of a shader calls.
//!
//! Usage: `cargo run -p dxil-frontend --example operations -- SHADER`

#![allow(clippy::print_stdout, reason = "an example shows what it found")]

use std::collections::BTreeMap;
use std::error::Error;

use dxil_frontend::dxil::ops::{decode, op_arguments};
use dxil_frontend::dxil::read_shader;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).ok_or("which shader?")?;
    // A container, the bitcode of one, or a PDB file.
    let shader = read_shader(&std::fs::read(file)?)?;
    for (id, function) in &shader.module.functions {
        // Declarations have no body to look at.
        let Some(view) = shader.view(id) else {
            continue;
        };
        println!(
            "{}: {} instructions",
            function.name,
            view.function.insts.len()
        );
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for data in view.function.insts.values() {
            if let Some(arguments) = op_arguments(view, &shader.callees, &data.inst) {
                // A struct with named operands: `calls::BufferLoad { handle, index, .. }`.
                let operation = decode(view, arguments)?;
                *counts.entry(operation.opcode().name()).or_default() += 1;
            }
        }
        for (name, count) in counts {
            println!("{count:6} {name}");
        }
    }
    Ok(())
}
