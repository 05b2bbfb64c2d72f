//! DXIL, ILDB and STAT, which hold modules, and HASH.

use std::fmt::Write as _;

use crate::bitcode::{decode_module, write_module};
use crate::container::{
    Container, ContainerBuilder, ProgramBitcode, ProgramHeader, ShaderHash, md5,
};
use crate::dxil::Shader;
use crate::error::{Error, Result};
use crate::{FourCc, ir::Module, opt};

/// The parts that hold modules.
const PROGRAMS: [FourCc; 3] = [FourCc::DXIL, FourCc::ILDB, FourCc::STAT];

/// Returns the content of the DXIL part: the module as it is, with a header.
///
/// # Errors
///
/// As [`write_module`].
pub fn program(shader: &Shader) -> Result<Vec<u8>> {
    header(shader).with_bitcode(&write_module(&shader.module)?)
}

/// Returns the content of STAT: the module without bodies and debug information, but with all
/// names, from which D3D12's reflection reads. It names validator 0.0, the newest one, as DXC's
/// does. DXC's also counts instructions (`dx.counters`), and says which fields of constant buffers
/// are used.
///
/// # Errors
///
/// If the module cannot be written.
pub fn reflection(shader: &Shader) -> Result<Vec<u8>> {
    let bitcode = write_module(&opt::for_reflection(shader)?)?;
    header(shader).with_bitcode(&bitcode)
}

/// Returns the name of the PDB file that DXC gives to a shader: the digits of the hash.
pub fn pdb_name(digest: &[u8; 16]) -> String {
    let mut name = String::with_capacity(36);
    for byte in digest {
        // A string takes all that is written to it.
        let _ = write!(name, "{byte:02x}");
    }
    name.push_str(".pdb");
    name
}

/// Returns the header of a shader's program, its size left open.
pub fn header(shader: &Shader) -> ProgramHeader {
    let model = shader.shader_model;
    ProgramHeader {
        kind: model.kind,
        major: model.major,
        minor: model.minor,
        dxil_version: shader.dxil_version,
        size_in_words: 0,
    }
}

/// Returns the content of HASH for a program without source information: zero flags and the MD5 sum
/// of its bitcode.
pub fn hash(bitcode: &[u8]) -> [u8; 20] {
    hash_with_flags(0, bitcode)
}

fn hash_with_flags(flags: u32, bitcode: &[u8]) -> [u8; 20] {
    let mut content = [0; 20];
    let (first, rest) = content.split_at_mut(4);
    first.copy_from_slice(&flags.to_le_bytes());
    rest.copy_from_slice(&md5(bitcode));
    content
}

/// Writes the modules of a container again (DXIL, ILDB and STAT), each with `change` applied to it,
/// and HASH for the new ones, if there is a HASH. The other parts stay as they are.
///
/// # Errors
///
/// If a module cannot be read or written, or `change` fails.
pub fn rewrite<'a>(
    container: &Container<'a>,
    mut change: impl FnMut(FourCc, &mut Module) -> Result<()>,
) -> Result<ContainerBuilder<'a>> {
    let mut builder = ContainerBuilder::of(container);
    for name in PROGRAMS {
        let Some(part) = container.part(name) else {
            continue;
        };
        let old = ProgramBitcode::parse(part)?;
        let in_part = |error: Error| error.in_part(name);
        let mut module = decode_module(old.bitcode, old.bitcode_offset).map_err(in_part)?;
        change(name, &mut module).map_err(in_part)?;
        let bitcode = write_module(&module).map_err(in_part)?;
        // A program part has a header; only bare bitcode has none.
        if let Some(header) = old.header {
            builder.set(name, header.with_bitcode(&bitcode).map_err(in_part)?);
        }
        if let Some(part) = container.part(FourCc::HASH) {
            let hash = ShaderHash::parse(part)?;
            let hashed = if hash.includes_source() {
                FourCc::ILDB
            } else {
                FourCc::DXIL
            };
            if hashed == name {
                let content = hash_with_flags(hash.flags, &bitcode);
                builder.set(FourCc::HASH, content.to_vec());
            }
        }
    }
    Ok(builder)
}
