//! The interface of a SPIR-V module, from its decorations: entry points, and the type and layout of
//! each resource.
//!
//! D3D12's registers stand for Vulkan's places: set 1, binding 3 is `t3,space1`, `u3,space1`,
//! `b3,space1` or `s3,space1`, depending on what is declared there.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use dxil_frontend::dxil::{ResourceClass, ResourceKind, ShaderKind};
use dxil_frontend::reflection::{Layout, LayoutField, LayoutType, ReflectedResource, Reflection};
use dxil_frontend::tables::HashMap;
use dxil_jit::files;
use dxil_jit::input::is_spirv;
use dxil_runtime::Format;
use dxil_runtime::isa::stage_of_model;
use dxil_runtime::program::spirv_words;
use dxil_translate::{DescriptorKind, TexelFormat};
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Decoration, Dim, ExecutionMode, Op, StorageClass};

use crate::args::Args;
use crate::failure::{Context, Failure, Result};
use crate::spirv_samplers::{self, Bound};
use crate::spirv_types::{Types, component_of, texel_format};

/// A module and what it declares.
pub(crate) struct SpirvModule {
    /// The words.
    pub(crate) words: Vec<u32>,
    /// Entry points with their stages.
    pub(crate) entry_points: Vec<SpirvEntry>,
    /// Bound variables, ordered by set and binding.
    pub(crate) resources: Vec<SpirvResource>,
    /// The push-constant block.
    pub(crate) push_constants: Option<Layout>,
}

/// An entry point.
#[derive(Debug, Clone)]
pub(crate) struct SpirvEntry {
    /// Its name.
    pub(crate) name: String,
    /// Its stage.
    pub(crate) kind: ShaderKind,
    /// Threads of a group, of compute shaders.
    pub(crate) threads: [u32; 3],
}

/// A bound variable.
#[derive(Debug, Clone)]
pub(crate) struct SpirvResource {
    /// Id of the variable.
    pub(crate) variable: u32,
    /// Name, kind, layout and the register that stands for set and binding.
    pub(crate) reflected: ReflectedResource,
    /// The binding: the register's number, but for a sampler that was where a texture is.
    pub(crate) binding: u32,
    /// Descriptor type.
    pub(crate) descriptor: DescriptorKind,
    /// Texel format, of textures and texel buffers.
    pub(crate) format: Option<Format>,
    /// Whether a depth texture is declared.
    pub(crate) is_depth: bool,
}

impl SpirvResource {
    fn bound(&self) -> Bound {
        Bound {
            variable: self.variable,
            descriptor: self.descriptor,
            set: self.reflected.space,
            binding: self.binding,
            count: self.reflected.count.unwrap_or(1),
        }
    }
}

/// Returns whether a file is a SPIR-V module. Standard input can be read only once, so it never
/// counts as one.
pub(crate) fn is_spirv_file(path: &Path) -> bool {
    let is_file = std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    let mut start = [0; 4];
    is_file
        && File::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok())
        && is_spirv(&start)
}

impl SpirvModule {
    /// Returns the module of the command line, or `None` if its shaders are not SPIR-V.
    ///
    /// # Errors
    ///
    /// Fails for several files of which one is SPIR-V, and for modules that cannot be read.
    pub(crate) fn of_arguments(args: &Args) -> Result<Option<SpirvModule>> {
        if args.emit.is_some() {
            // The reader of shaders reports that SPIR-V needs no translation.
            return Ok(None);
        }
        let Some(path) = args.shaders.iter().find(|path| is_spirv_file(path)) else {
            return Ok(None);
        };
        if args.shaders.len() > 1 {
            return Err(Failure::unsupported(
                "one compute shader in SPIR-V can be run; for several stages say in a pipeline file what is bound: --pipeline FILE",
            ));
        }
        let bytes = files::read(path).map_err(|error| Failure::file(path, &error))?;
        let words = spirv_words(&bytes)
            .ok_or_else(|| Failure::malformed("this is no SPIR-V"))
            .context(path)?;
        SpirvModule::read(words).context(path).map(Some)
    }

    /// Reads a module.
    ///
    /// # Errors
    ///
    /// Fails for modules that are malformed, or declare what has no counterpart in D3D12.
    pub(crate) fn read(mut words: Vec<u32>) -> Result<SpirvModule> {
        let module = rspirv::dr::load_words(&words)
            .map_err(|error| Failure::malformed(format!("this SPIR-V cannot be read: {error}")))?;
        let types = Types::of(&module);
        let mut resources = Vec::new();
        let mut push_constants = None;
        for variable in &module.types_global_values {
            if variable.class.opcode != Op::Variable {
                continue;
            }
            let Some(Operand::StorageClass(class)) = variable.operands.first() else {
                continue;
            };
            if *class == StorageClass::PushConstant {
                push_constants = pointee(&types, variable).and_then(|ty| types.layout(ty));
            } else if let Some(resource) = resource(&types, variable, *class)? {
                resources.push(resource);
            }
        }
        let mut bound: Vec<Bound> = resources.iter().map(SpirvResource::bound).collect();
        spirv_samplers::separate(&mut bound, &mut words)?;
        for (resource, bound) in resources.iter_mut().zip(&bound) {
            resource.binding = bound.binding;
        }
        let place = |r: &SpirvResource| (r.reflected.space, r.binding);
        resources.sort_by_key(place);
        for pair in resources.windows(2) {
            let [first, second] = pair else { continue };
            if place(first) == place(second) && first.descriptor != second.descriptor {
                let (set, binding) = place(first);
                return Err(Failure::unsupported(format!(
                    "set {set}, binding {binding}: variables of different kinds are on one binding"
                )));
            }
        }
        // Several variables may alias one descriptor.
        resources.dedup_by_key(|resource| place(resource));
        Ok(SpirvModule {
            entry_points: entry_points(&module),
            resources,
            push_constants,
            words,
        })
    }

    /// Returns names and layouts of the resources.
    pub(crate) fn reflection(&self) -> Reflection {
        let mut reflection = Reflection::default();
        let resources = self.resources.iter();
        reflection.resources = resources.map(|r| r.reflected.clone()).collect();
        reflection
    }
}

fn entry_points(module: &Module) -> Vec<SpirvEntry> {
    let modes: HashMap<u32, [u32; 3]> = module
        .execution_modes
        .iter()
        .filter_map(|mode| match mode.operands.as_slice() {
            [
                Operand::IdRef(function),
                Operand::ExecutionMode(ExecutionMode::LocalSize),
                Operand::LiteralBit32(x),
                Operand::LiteralBit32(y),
                Operand::LiteralBit32(z),
            ] => Some((*function, [*x, *y, *z])),
            _ => None,
        })
        .collect();
    let points = module.entry_points.iter();
    points
        .filter_map(|point| match point.operands.as_slice() {
            [
                Operand::ExecutionModel(model),
                Operand::IdRef(function),
                Operand::LiteralString(name),
                ..,
            ] => Some(SpirvEntry {
                name: name.clone(),
                kind: stage_of_model(*model)?,
                threads: modes.get(function).copied().unwrap_or([1; 3]),
            }),
            _ => None,
        })
        .collect()
}

/// Returns the type that a variable's pointer points to.
fn pointee(types: &Types<'_>, variable: &Instruction) -> Option<u32> {
    types.pointee(variable.result_type?)
}

/// Returns the resource of a bound variable; `None` for variables without a binding.
fn resource(
    types: &Types<'_>,
    variable: &Instruction,
    class: StorageClass,
) -> Result<Option<SpirvResource>> {
    let Some(id) = variable.result_id else {
        return Ok(None);
    };
    let number = |decoration| types.decoration(id, decoration);
    let (Some(set), Some(binding)) = (
        number(Decoration::DescriptorSet),
        number(Decoration::Binding),
    ) else {
        return Ok(None);
    };
    let Some(mut ty) = pointee(types, variable) else {
        return Ok(None);
    };
    let mut count = Some(1);
    if let Some((element, length)) = types.array(ty) {
        (ty, count) = (element, length);
    }
    let declared = declared(types, id, ty, class)
        .map_err(|why| Failure::unsupported(format!("set {set}, binding {binding}: {why}")))?;
    let name = [id, ty].into_iter().find_map(|id| types.name(id));
    let reflected = ReflectedResource {
        name: name.unwrap_or_default().to_owned(),
        class: declared.class,
        kind: declared.kind,
        register: binding,
        count,
        space: set,
        layout: declared.layout,
        element: None,
    };
    Ok(Some(SpirvResource {
        variable: id,
        reflected,
        binding,
        descriptor: declared.descriptor,
        format: declared.format,
        is_depth: declared.is_depth,
    }))
}

/// The kind of a resource.
struct DeclaredKind {
    class: ResourceClass,
    kind: ResourceKind,
    descriptor: DescriptorKind,
    layout: Option<Layout>,
    format: Option<Format>,
    is_depth: bool,
}

fn declared(
    types: &Types<'_>,
    variable: u32,
    ty: u32,
    storage: StorageClass,
) -> Result<DeclaredKind, String> {
    use DescriptorKind as D;
    use ResourceClass::{Cbv, Sampler, Srv, Uav};
    let plain = |class, kind, descriptor| DeclaredKind {
        class,
        kind,
        descriptor,
        layout: None,
        format: None,
        is_depth: false,
    };
    match types.opcode(ty) {
        Some(Op::TypeSampler) => Ok(plain(Sampler, ResourceKind::Sampler, D::Sampler)),
        Some(Op::TypeAccelerationStructureKHR) => Ok(plain(
            Srv,
            ResourceKind::RtAccelerationStructure,
            D::AccelerationStructure,
        )),
        Some(Op::TypeSampledImage) => Err(
            "a combined image sampler, for which D3D12 has no register; a pipeline file cannot bind it either"
                .to_owned(),
        ),
        Some(Op::TypeImage) => image(types, ty),
        Some(Op::TypeStruct) => {
            // Before SPIR-V 1.3 a storage buffer is a `Uniform` variable whose type has
            // `BufferBlock`.
            let is_old_storage = types.decoration(ty, Decoration::BufferBlock).is_some();
            if storage == StorageClass::Uniform && !is_old_storage {
                return Ok(DeclaredKind {
                    layout: types.layout(ty),
                    ..plain(Cbv, ResourceKind::CBuffer, D::UniformBuffer)
                });
            }
            // The decoration may be on the variable or on each member.
            let is_read_only = types.decoration(variable, Decoration::NonWritable).is_some()
                || types.all_members_have(ty, Decoration::NonWritable);
            let class = if is_read_only { Srv } else { Uav };
            let layout = types.elements_of_block(ty);
            let kind = match &layout {
                Some(layout) if !is_words(layout) => ResourceKind::StructuredBuffer,
                _ => ResourceKind::RawBuffer,
            };
            Ok(DeclaredKind {
                layout,
                ..plain(class, kind, D::StorageBuffer)
            })
        }
        other => Err(format!("{other:?}, which dxil-run cannot bind")),
    }
}

/// Returns whether elements are single 32-bit words without a name, as byte address buffers are
/// declared.
fn is_words(layout: &Layout) -> bool {
    let [
        LayoutField {
            name, ty, array, ..
        },
    ] = layout.fields.as_slice()
    else {
        return false;
    };
    let is_word = matches!(
        ty,
        LayoutType::Numeric {
            component: dxil_frontend::dxil::ComponentType::U32,
            rows: 1,
            columns: 1,
            ..
        }
    );
    name.is_empty() && array.is_empty() && is_word
}

fn image(types: &Types<'_>, ty: u32) -> Result<DeclaredKind, String> {
    use DescriptorKind as D;
    use ResourceKind as K;
    let [
        Operand::IdRef(sampled),
        Operand::Dim(dim),
        Operand::LiteralBit32(depth),
        Operand::LiteralBit32(arrayed),
        Operand::LiteralBit32(multisampled),
        Operand::LiteralBit32(usage),
        Operand::ImageFormat(format),
        ..,
    ] = types.operands(ty)
    else {
        return Err("an image without a type".to_owned());
    };
    let kind = match (dim, *arrayed != 0, *multisampled != 0) {
        (Dim::DimBuffer, ..) => K::TypedBuffer,
        (Dim::Dim1D, false, _) => K::Texture1D,
        (Dim::Dim1D, true, _) => K::Texture1DArray,
        (Dim::Dim2D, false, false) => K::Texture2D,
        (Dim::Dim2D, true, false) => K::Texture2DArray,
        (Dim::Dim2D, false, true) => K::Texture2DMS,
        (Dim::Dim2D, true, true) => K::Texture2DMSArray,
        (Dim::Dim3D, ..) => K::Texture3D,
        (Dim::DimCube, false, _) => K::TextureCube,
        (Dim::DimCube, true, _) => K::TextureCubeArray,
        _ => return Err(format!("an image of dimension {dim:?}")),
    };
    // `Sampled` is 2 for images that are read and written without a sampler.
    let is_storage = *usage == 2;
    let (class, descriptor) = match (kind, is_storage) {
        (K::TypedBuffer, false) => (ResourceClass::Srv, D::UniformTexelBuffer),
        (K::TypedBuffer, true) => (ResourceClass::Uav, D::StorageTexelBuffer),
        (_, false) => (ResourceClass::Srv, D::SampledImage),
        (_, true) => (ResourceClass::Uav, D::StorageImage),
    };
    let component = component_of(types.instruction(*sampled));
    let component = component.ok_or_else(|| "an image of another type than numbers".to_owned())?;
    let natural = || Format::from(TexelFormat::natural(component, 4));
    Ok(DeclaredKind {
        class,
        kind,
        descriptor,
        layout: None,
        format: Some(texel_format(*format).unwrap_or_else(natural)),
        is_depth: *depth == 1,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &str) -> SpirvModule {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data");
        let bytes = std::fs::read(folder.join(file)).unwrap();
        SpirvModule::read(spirv_words(&bytes).unwrap()).unwrap()
    }

    #[test]
    fn resources_have_the_registers_of_their_places() {
        let module = read("tex.spv");
        let places: Vec<String> = module
            .resources
            .iter()
            .map(|resource| resource.reflected.registers())
            .collect();
        let kinds: Vec<ResourceKind> = module
            .resources
            .iter()
            .map(|resource| resource.reflected.kind)
            .collect();
        assert_eq!(places.len(), 4, "{places:?}");
        assert!(kinds.contains(&ResourceKind::Texture2D), "{kinds:?}");
        assert!(kinds.contains(&ResourceKind::Sampler), "{kinds:?}");
        assert!(kinds.contains(&ResourceKind::TypedBuffer), "{kinds:?}");
        let [entry] = module.entry_points.as_slice() else {
            panic!("one entry point");
        };
        assert_eq!(
            (entry.kind, entry.threads),
            (ShaderKind::Compute, [8, 8, 1])
        );
    }

    #[test]
    fn a_texture_and_a_sampler_on_one_binding_are_two_registers_and_two_bindings() {
        let module = read("one_binding.spv");
        let shown: Vec<(String, u32)> = module
            .resources
            .iter()
            .map(|it| (it.reflected.registers(), it.binding))
            .collect();
        let of = |name: &str| shown.iter().find(|(register, _)| register == name);
        let (Some((_, texture)), Some((_, sampler))) = (of("t0"), of("s0")) else {
            panic!("{shown:?}");
        };
        assert_ne!(texture, sampler);
        // The module says the same.
        let again = rspirv::dr::load_words(&module.words).unwrap();
        for resource in &module.resources {
            let types = Types::of(&again);
            let binding = types.decoration(resource.variable, Decoration::Binding);
            assert_eq!(binding, Some(resource.binding));
        }
    }

    #[test]
    fn words_that_are_no_module_are_malformed() {
        assert!(SpirvModule::read(vec![0x0723_0203, 0x0001_0600, 0, 9, 0, 0xffff_0013]).is_err());
    }
}
