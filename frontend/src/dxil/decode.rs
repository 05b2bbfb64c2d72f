//! From IR to [`Shader`]: reads the metadata that DXIL defines.

use super::debug::Sources;
use super::metadata::{Meta, operand};
use super::ops::classify_all;
use super::shader::{Shader, ShaderModel};
use super::shader_kind::ShaderKind;
use super::{Hints, entry_points, resources, type_annotations};
use crate::container::{Container, InputKind, ProgramBitcode, detect, open_program};
use crate::dxbc::ClassLinkage;
use crate::error::{Error, Result};
use crate::ir::Module;

/// Reads a shader: a DXContainer with DXIL or DXBC, or bare LLVM bitcode. Use [`Shader::read`] for
/// a container that is already parsed.
///
/// # Errors
///
/// If the container, the bitcode or the metadata is malformed or unsupported.
pub fn read_shader(bytes: &[u8]) -> Result<Shader> {
    if detect(bytes) == Some(InputKind::Container) {
        return Shader::read(&Container::parse(bytes)?);
    }
    Shader::of_program(&open_program(bytes)?)
}

/// Reads a shader with its debug information and its sources, if it has any: from the ILDB part
/// where there is one that can be read, or else as [`read_shader`] does.
///
/// # Errors
///
/// If the container, the bitcode or the metadata is malformed or unsupported.
pub fn read_shader_with_debug_info(bytes: &[u8]) -> Result<Shader> {
    if detect(bytes) != Some(InputKind::Container) {
        let mut shader = read_shader(bytes)?;
        shader.sources = Some(Box::new(Sources::of_module(&shader.module)));
        return Ok(shader);
    }
    Shader::read_with_debug_info(&Container::parse(bytes)?)
}

impl Shader {
    /// Reads the shader of a container: its DXIL, or the DXBC of shader models 4.0 to 5.1.
    ///
    /// # Errors
    ///
    /// As [`read_shader`]: `Malformed` for what breaks a rule of the format, `Unsupported` for
    /// versions that are not read.
    pub fn read(container: &Container<'_>) -> Result<Shader> {
        if container.has_dxbc_program() {
            return crate::dxbc::read_shader(container);
        }
        Shader::of_program(&container.program()?)
    }

    /// Reads the shader of a container whose interfaces stand for known class instances, as
    /// D3D11's class linkage has it. Only DXBC has interfaces.
    ///
    /// # Errors
    ///
    /// As [`Shader::read`] and [`crate::dxbc::read_linked_shader`]; if the container is DXIL.
    pub fn read_linked(container: &Container<'_>, linkage: &ClassLinkage) -> Result<Shader> {
        if container.has_dxbc_program() {
            return crate::dxbc::read_linked_shader(container, linkage);
        }
        Err(Error::malformed(
            "class instances for a shader of DXIL, which has no interfaces",
        ))
    }

    /// Reads the shader of a container as [`read_shader_with_debug_info`] does.
    ///
    /// # Errors
    ///
    /// As [`Shader::read`].
    pub fn read_with_debug_info(container: &Container<'_>) -> Result<Shader> {
        // A broken ILDB part is ignored: debug information must not keep a shader from being read.
        let debug = container.debug_program().ok().flatten();
        let mut shader = match debug.and_then(|program| Shader::of_program(&program).ok()) {
            Some(shader) => shader,
            None => Shader::read(container)?,
        };
        let mut sources = Sources::of_module(&shader.module);
        // DXC leaves the lists in the module empty where it writes the sources into a part.
        if sources.files.is_empty() {
            sources = Sources::of_container(container);
        }
        shader.sources = Some(Box::new(sources));
        Ok(shader)
    }

    fn of_program(program: &ProgramBitcode<'_>) -> Result<Shader> {
        let module = crate::bitcode::decode_module(program.bitcode, program.bitcode_offset)?;
        Shader::decode(module)
    }

    /// Reads what a module means.
    ///
    /// # Errors
    ///
    /// The metadata is not what DXIL asks for, or an operation is declared with other types than
    /// its own.
    pub fn decode(module: Module) -> Result<Shader> {
        let mut first = None;
        let shader = Shader::decode_with(module, &mut |error| {
            first.get_or_insert(error);
        })?;
        first.map_or(Ok(shader), Err)
    }

    /// Reads what a module means as [`Shader::decode`] does, but hands every wrong declaration of
    /// an operation to `wrong` and goes on.
    pub(crate) fn decode_with(module: Module, wrong: &mut dyn FnMut(Error)) -> Result<Shader> {
        decode_shader(module, &mut Err, wrong)
    }

    /// Reads what a module means as far as it can be read, for listings: hands every error to
    /// `wrong`, and leaves out the entry point, resource or list that has it. A shader model that
    /// cannot be read is 0.0 of a library.
    ///
    /// # Errors
    ///
    /// None of the metadata can be read.
    pub fn decode_partly(module: Module, wrong: &mut dyn FnMut(Error)) -> Result<Shader> {
        let (mut errors, mut declarations) = (Vec::new(), Vec::new());
        let shader = decode_shader(
            module,
            &mut |error| {
                errors.push(error);
                Ok(())
            },
            &mut |error| declarations.push(error),
        );
        errors.into_iter().chain(declarations).for_each(wrong);
        shader
    }
}

/// Reads what a module means. `handle` decides whether reading goes on after an error, without what
/// could not be read; `wrong` gets every wrong declaration of an operation.
fn decode_shader(
    module: Module,
    handle: &mut dyn FnMut(Error) -> Result<()>,
    wrong: &mut dyn FnMut(Error),
) -> Result<Shader> {
    let meta = Meta::new(&module);
    let shader_model = match decode_shader_model(&meta) {
        Ok(model) => model,
        Err(error) => {
            handle(error)?;
            ShaderModel {
                kind: ShaderKind::Library,
                major: 0,
                minor: 0,
            }
        }
    };
    // Modules of before 1.0 was final do not say; DXC takes them for 1.0.
    let dxil_version = or_default(version(&meta, "dx.version"), handle)?.unwrap_or((1, 0));
    let validator_version = or_default(version(&meta, "dx.valver"), handle)?;
    let entry_points = entry_points::decode(&meta, shader_model.kind, handle)?;
    // DXIL document, "Entry points": every shader but a library has exactly one.
    if entry_points.is_empty() && shader_model.kind != ShaderKind::Library {
        handle(Error::malformed("metadata: the shader has no entry point"))?;
    }
    let list = module.metadata.named("dx.resources").next();
    let list = list.or_else(|| entry_points::resources_of_first(&meta));
    let resources = resources::decode(&meta, list, handle);
    let resources = or_default(resources, handle)?;
    let view_id_state = or_default(decode_view_id_state(&meta), handle)?;
    let type_annotations = or_default(type_annotations::decode(&meta), handle)?;
    let callees = classify_all(&module, wrong);
    let hints = Hints::new(&module);
    Ok(Shader {
        shader_model,
        dxil_version,
        validator_version,
        entry_points,
        resources,
        callees,
        view_id_state,
        type_annotations,
        hints,
        contradictions: Vec::new(),
        sources: None,
        module,
    })
}

fn or_default<T: Default>(
    result: Result<T>,
    handle: &mut dyn FnMut(Error) -> Result<()>,
) -> Result<T> {
    result.or_else(|error| handle(error).map(|()| T::default()))
}

fn decode_shader_model(meta: &Meta<'_>) -> Result<ShaderModel> {
    let node = meta.module.metadata.named("dx.shaderModel").next();
    let node = node.ok_or_else(|| {
        Error::malformed("this is no DXIL: the module does not say its shader model")
    })?;
    let operands = meta.tuple(Some(node), "shader model")?;
    let prefix = meta.text(operand(operands, 0), "shader model's stage")?;
    let kind = ShaderKind::ALL
        .into_iter()
        .find(|kind| kind.prefix() == &*prefix)
        .ok_or_else(|| Error::malformed(format!("metadata: unknown stage \"{prefix}\"")))?;
    let major = meta.u8(operand(operands, 1), "shader model's major version")?;
    let minor = meta.u8(operand(operands, 2), "shader model's minor version")?;
    if major != 6 {
        return Err(Error::unsupported(format!(
            "shader model {major}.{minor}; DXIL is shader model 6"
        )));
    }
    Ok(ShaderModel { kind, major, minor })
}

fn version(meta: &Meta<'_>, name: &str) -> Result<Option<(u8, u8)>> {
    let Some(node) = meta.module.metadata.named(name).next() else {
        return Ok(None);
    };
    let operands = meta.tuple(Some(node), name)?;
    Ok(Some((
        meta.u8(operand(operands, 0), name)?,
        meta.u8(operand(operands, 1), name)?,
    )))
}

fn decode_view_id_state(meta: &Meta<'_>) -> Result<Vec<u32>> {
    let Some(node) = meta.module.metadata.named("dx.viewIdState").next() else {
        return Ok(Vec::new());
    };
    let operands = meta.tuple(Some(node), "view-id state")?;
    let numbers = meta.numbers(operand(operands, 0), "view-id state")?;
    // The elements are i32, so nothing is lost.
    Ok(numbers
        .into_iter()
        .map(|number| u32::try_from(number).unwrap_or(u32::MAX))
        .collect())
}
