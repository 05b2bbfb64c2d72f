//! Builds shaders from nothing: resources, operations of the table, arithmetic and control flow,
//! without knowledge of bitcode or metadata.
//!
//! ```
//! # fn main() -> Result<(), dxil_frontend::Error> {
//! use dxil_frontend::build::{Scalar, ShaderBuilder};
//! use dxil_frontend::dxil::ops::Opcode;
//! use dxil_frontend::ir::BinaryOp;
//!
//! // dst[id] = id * 3
//! let mut shader = ShaderBuilder::compute("main", [64, 1, 1]);
//! let dst = shader.uav_buffer("dst", 0, 0);
//! let mut code = shader.code();
//! let zero = code.i32(0);
//! let id = code.op(Opcode::ThreadId, Scalar::I32, &[zero])?;
//! let three = code.i32(3);
//! let tripled = code.binary(BinaryOp::Mul, id, three)?;
//! let four = code.i32(4);
//! let at = code.binary(BinaryOp::Mul, id, four)?;
//! let handle = code.handle(dst)?;
//! code.store_word(handle, at, tripled)?;
//! code.ret()?;
//! let shader = shader.finish()?;
//! assert_eq!(shader.entry_points[0].num_threads, Some([64, 1, 1]));
//! # Ok(())
//! # }
//! ```
//!
//! [`container`] makes a container of the result, or of any other module.

mod code;
mod container;
mod module;
mod operations;
mod remake;
mod types;

pub use code::{BlockRef, CodeBuilder, Value};
pub use container::{DebugParts, Extras, container, container_like, container_of, container_with};
pub use remake::{Remake, linked, remake};
pub use types::Scalar;

use module::ModuleBuilder;

use crate::dxil::ops::classify_callees;
use crate::dxil::{
    EntryPoint, Hints, Resource, ResourceClass, ResourceDetail, ResourceKind, Resources, Shader,
    ShaderFlags, ShaderKind, ShaderModel, Stage, TypeAnnotations, described,
};
use crate::error::Result;
use crate::ir::Module;

/// A declared resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ResourceRef {
    class: ResourceClass,
    id: u32,
    lower_bound: u32,
}

/// A shader with one entry point under construction.
#[derive(Debug)]
pub struct ShaderBuilder {
    module: ModuleBuilder,
    model: ShaderModel,
    entry: EntryPoint,
    resources: Resources,
}

impl ShaderBuilder {
    /// Returns a compute shader of shader model 6.0 without resources and code. `threads` is the
    /// size of a group.
    pub fn compute(name: &str, threads: [u32; 3]) -> Self {
        ShaderBuilder {
            module: ModuleBuilder::new(name),
            model: ShaderModel {
                kind: ShaderKind::Compute,
                major: 6,
                minor: 0,
            },
            entry: EntryPoint {
                function: None,
                name: name.into(),
                kind: ShaderKind::Compute,
                inputs: Vec::new(),
                outputs: Vec::new(),
                patch_constants: Vec::new(),
                flags: ShaderFlags::empty(),
                num_threads: Some(threads),
                wave_size: None,
                payload_bytes: None,
                attribute_bytes: None,
                auto_binding_space: None,
                root_signature: None,
                other_properties: Vec::new(),
                stage: Stage::Other,
                unknown_number: None,
            },
            resources: Resources::default(),
        }
    }

    /// Sets the minor version of the shader model, 6.x. Handles are created in the same way in all
    /// versions up to 6.5, which are what this builder writes.
    pub fn shader_model(&mut self, minor: u8) -> &mut Self {
        self.model.minor = minor;
        self
    }

    /// Adds flags to those that declared resources and used operations bring.
    pub fn flags(&mut self, flags: ShaderFlags) -> &mut Self {
        self.entry.flags |= flags;
        self
    }

    /// Declares a read-only buffer of bytes (`ByteAddressBuffer`) at register `t`.
    pub fn srv_buffer(&mut self, name: &str, register: u32, space: u32) -> ResourceRef {
        let detail = ResourceDetail::default();
        let kind = ResourceKind::RawBuffer;
        self.resource(ResourceClass::Srv, kind, name, (register, space), detail)
    }

    /// Declares a writable buffer of bytes (`RWByteAddressBuffer`) at register `u`.
    pub fn uav_buffer(&mut self, name: &str, register: u32, space: u32) -> ResourceRef {
        let detail = ResourceDetail::default();
        let kind = ResourceKind::RawBuffer;
        self.resource(ResourceClass::Uav, kind, name, (register, space), detail)
    }

    /// Declares a constant buffer of that many bytes at register `b`.
    pub fn constant_buffer(
        &mut self,
        name: &str,
        register: u32,
        space: u32,
        bytes: u32,
    ) -> ResourceRef {
        let detail = ResourceDetail {
            cbuffer_size: bytes,
            ..ResourceDetail::default()
        };
        let kind = ResourceKind::CBuffer;
        self.resource(ResourceClass::Cbv, kind, name, (register, space), detail)
    }

    /// Declares any resource of one register. `place` is the register and its space.
    pub fn resource(
        &mut self,
        class: ResourceClass,
        kind: ResourceKind,
        name: &str,
        place: (u32, u32),
        detail: ResourceDetail,
    ) -> ResourceRef {
        let list = match class {
            ResourceClass::Srv => &mut self.resources.srvs,
            ResourceClass::Uav => &mut self.resources.uavs,
            ResourceClass::Cbv => &mut self.resources.cbvs,
            ResourceClass::Sampler => &mut self.resources.samplers,
        };
        let id = u32::try_from(list.len()).unwrap_or(u32::MAX);
        list.push(Resource {
            class,
            id,
            variable: None,
            ty: None,
            name: name.into(),
            space: place.1,
            lower_bound: place.0,
            count: Some(1),
            kind,
            detail,
        });
        if matches!(
            kind,
            ResourceKind::RawBuffer | ResourceKind::StructuredBuffer
        ) {
            self.entry.flags |= ShaderFlags::ENABLE_RAW_AND_STRUCTURED_BUFFERS;
        }
        ResourceRef {
            class,
            id,
            lower_bound: place.0,
        }
    }

    /// Returns the writer of the entry point's code, which goes on where the last one ended.
    pub fn code(&mut self) -> CodeBuilder<'_> {
        CodeBuilder::new(&mut self.module, &mut self.entry.flags, self.model)
    }

    /// Returns the shader, read from the module that it becomes.
    ///
    /// # Errors
    ///
    /// If a block has no end, or the code breaks a rule of the IR: a use before its definition, an
    /// operand of another type.
    pub fn finish(self) -> Result<Shader> {
        let mut entry = self.entry;
        let (module, function) = self.module.finish()?;
        entry.function = Some(function);
        let shader = Shader {
            shader_model: self.model,
            dxil_version: (1, self.model.minor),
            // The first version of the validator that a shader model needs has its number.
            validator_version: Some((1, self.model.minor)),
            entry_points: vec![entry],
            resources: self.resources,
            callees: classify_callees(&module)?,
            view_id_state: Vec::new(),
            type_annotations: TypeAnnotations::default(),
            hints: Hints::new(&module),
            contradictions: Vec::new(),
            sources: None,
            module,
        };
        // Through bitcode, so that what it promises is checked.
        let bitcode = crate::bitcode::write_module(&described(&shader)?)?;
        let module: Module = crate::bitcode::decode_module(&bitcode, 0)?;
        Shader::decode(module)
    }
}
