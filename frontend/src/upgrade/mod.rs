//! DXBC shaders as DXIL: containers that a runtime for Direct3D 12 takes like those of a compiler.
//!
//! ```text
//! dxbc          the shader, with operations of shader model 6.0
//! names         of resources, from RDEF
//! layouts       of buffers, from RDEF
//! signatures    places that DXIL allows, and what the code uses of each element
//! dependencies  which outputs depend on which inputs (dx.viewIdState)
//! attributes    what the operations do to memory
//! ```
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use dxil_frontend::container::{Container, Signing};
//! use dxil_frontend::upgrade;
//! use dxil_frontend::validate::{Options, validate};
//!
//! # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../hwtests/shaders/arith/float_basic.dxbc");
//! let old = std::fs::read(file)?;
//! let new = upgrade::to_dxil(&Container::parse(&old)?)?.build(Signing::Digest)?;
//! assert!(validate(&new, &Options::default()).is_valid());
//! # Ok(())
//! # }
//! ```

mod attributes;
mod dependencies;
mod layouts;
mod names;
mod signatures;

use crate::FourCc;
use crate::build;
use crate::container::{Container, ContainerBuilder};
use crate::dxbc;
use crate::dxil::{Shader, ShaderModel, described};
use crate::error::Result;
use crate::validate::code_flags;

/// Shader model of what is written: nothing in DXBC needs a later one.
const MODEL: (u8, u8) = (6, 0);

/// Version of the validator that the module names, on which the layout of some parts depends. Later
/// ones share names in signatures, about which builds of DXC 1.7 differ.
const VALIDATOR: (u8, u8) = (1, 6);

/// Returns the DXBC shader of a container as a container with DXIL of shader model 6.0: SFI0,
/// signatures, PSV0, HASH and DXIL, and the root signature and private data of the DXBC.
///
/// Resources keep registers, spaces, and their names and fields in RDEF; the entry point is `main`.
/// Signature elements keep their registers. Where DXIL allows no such order within a register
/// (system values left of others), components move to the right, in all stages with these elements
/// alike.
///
/// A shader with interfaces reads from `b14` which classes they stand for
/// ([`dxbc::read_shader`]).
///
/// # Errors
///
/// If the container has no DXBC, if it is malformed, or if it uses what conversion does not know or
/// what DXIL does not have.
pub fn to_dxil(container: &Container<'_>) -> Result<ContainerBuilder<'static>> {
    let mut shader = dxbc::read_shader_of_first_model(container)?;
    let (major, minor) = MODEL;
    shader.shader_model = ShaderModel {
        major,
        minor,
        ..shader.shader_model
    };
    shader.dxil_version = (1, 0);
    shader.validator_version = Some(VALIDATOR);
    names::set(&mut shader, container)?;
    signatures::adapt(&mut shader)?;
    attributes::set(&mut shader)?;
    shader.view_id_state = dependencies::list(&shader);
    let flags = code_flags(&shader);
    for entry in &mut shader.entry_points {
        entry.flags = flags;
    }
    let shader = Shader::decode(described(&shader)?)?;
    let mut builder = build::container(&shader)?;
    for name in [FourCc::RTS0, FourCc::PRIV] {
        if let Some(part) = container.part(name) {
            builder.set(name, part.data.to_vec());
        }
    }
    Ok(builder)
}
