//! Stages that a pipeline needs and a request does not give: a hull shader has a vertex shader
//! before it and a domain shader after it.
//!
//! A partner passes values through: it fills everything that the given stage reads, from vertex
//! attributes or from a number that the driver does not know, and reads everything that it writes.
//! So the driver can remove nothing of the given stage.

use dxil_frontend::dxil::ShaderKind;
use rspirv::binary::Assemble;
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{BuiltIn, Decoration, ExecutionMode, ExecutionModel, Op, StorageClass};

use super::maker::{Maker, Source};
use super::module::Reflected;
use crate::error::{Error, Result};
use crate::program::StageCode;

/// The name of a partner's entry point.
const ENTRY: &str = "partner";

/// Adds the stages that are missing.
///
/// # Errors
///
/// A stage is missing between two that are given: nobody knows what it would pass on.
pub(super) fn complete(stages: &mut Vec<StageCode>) -> Result<()> {
    use ShaderKind as K;
    let given: Vec<K> = stages.iter().map(|stage| stage.kind).collect();
    let has = |kind| given.contains(&kind);
    let missing = |what: &str| {
        Err(Error::BadJob(format!(
            "these stages make no part of a pipeline: give the {what} shader too"
        )))
    };
    let last = [K::Vertex, K::Domain, K::Geometry, K::Mesh];
    if has(K::Hull) != has(K::Domain) {
        match (has(K::Hull), has(K::Geometry) || has(K::Pixel)) {
            (true, true) => return missing("domain"),
            (false, _) if has(K::Vertex) => return missing("hull"),
            _ => {}
        }
    }
    if has(K::Amplification) && has(K::Pixel) && !has(K::Mesh) {
        return missing("mesh");
    }
    if has(K::Pixel) && !last.iter().any(|kind| has(*kind)) {
        // A driver compiles it by itself.
        return Ok(());
    }
    if has(K::Amplification) && !has(K::Mesh) {
        stages.push(mesh_after(&read(stages, K::Amplification)?));
    }
    if has(K::Mesh) && !has(K::Amplification) {
        stages.extend(amplification_before(&read(stages, K::Mesh)?));
    }
    if has(K::Hull) && !has(K::Domain) {
        stages.push(domain_after(&read(stages, K::Hull)?));
    }
    if has(K::Domain) && !has(K::Hull) {
        stages.push(hull_before(&read(stages, K::Domain)?));
    }
    if !has(K::Vertex) && (has(K::Hull) || has(K::Domain)) {
        stages.push(vertex_before(&read(stages, K::Hull)?, true));
    } else if !has(K::Vertex) && has(K::Geometry) {
        stages.push(vertex_before(&read(stages, K::Geometry)?, true));
    }
    Ok(())
}

/// Adds a vertex shader to a pixel shader without any stage before it: a whole pipeline has one.
///
/// # Errors
///
/// The code is not SPIR-V.
pub(super) fn complete_pixel(stages: &mut Vec<StageCode>) -> Result<()> {
    if let [pixel] = &stages[..]
        && pixel.kind == ShaderKind::Pixel
    {
        let vertex = vertex_before(&read(stages, ShaderKind::Pixel)?, false);
        stages.push(vertex);
    }
    Ok(())
}

fn read(stages: &[StageCode], kind: ShaderKind) -> Result<Reflected> {
    let stage = stages.iter().find(|stage| stage.kind == kind);
    let stage = stage.ok_or_else(|| Error::BadJob(format!("no {} shader", kind.prefix())))?;
    Reflected::read(stage.spirv()?)
}

/// Something that goes from one stage to the next.
struct Varying {
    /// Type of the variable, for all vertices of a primitive if it is `arrayed`.
    ty: u32,
    /// Type for one vertex.
    element: u32,
    /// Vertices, where the variable is an array of one element for each.
    arrayed: Option<u32>,
    decorations: Vec<(Decoration, Option<u32>)>,
}

/// Returns what a stage takes (`Input`) or gives (`Output`) that another stage gives or takes.
/// System values of the stage itself are none of that.
fn varyings(module: &Reflected, class: StorageClass, per_vertex: bool) -> Vec<Varying> {
    const PASSED: [BuiltIn; 4] = [
        BuiltIn::Position,
        BuiltIn::PointSize,
        BuiltIn::ClipDistance,
        BuiltIn::CullDistance,
    ];
    let variables = module.variables().filter(|(_, found, _)| *found == class);
    let found = variables.filter_map(|(id, _, ty)| {
        let of = |decoration| module.decoration(id, decoration);
        let is_patch = of(Decoration::Patch).is_some();
        // What a pixel shader reads without interpolation has a value of each vertex too.
        let is_arrayed = (per_vertex && !is_patch) || of(Decoration::PerVertexKHR).is_some();
        let (element, arrayed) = match module.array(ty) {
            Some((element, length)) if is_arrayed => (element, length),
            _ => (ty, None),
        };
        let is_passed = match (of(Decoration::Location), of(Decoration::BuiltIn)) {
            (Some(_), _) => true,
            (None, Some(built_in)) => PASSED.iter().any(|one| *one as u32 == built_in),
            // A block of built-in values: `gl_PerVertex`.
            (None, None) => module.operands(element).0 == Some(Op::TypeStruct),
        };
        let kept = [
            Decoration::Location,
            Decoration::Component,
            Decoration::BuiltIn,
            Decoration::Patch,
        ];
        let decorations = kept.into_iter().filter_map(|decoration| {
            let value = of(decoration)?;
            Some((
                decoration,
                (decoration != Decoration::Patch).then_some(value),
            ))
        });
        is_passed.then(|| Varying {
            ty,
            element,
            arrayed,
            decorations: decorations.collect(),
        })
    });
    found.collect()
}

impl Varying {
    fn is_patch(&self) -> bool {
        self.decorations
            .iter()
            .any(|(decoration, _)| *decoration == Decoration::Patch)
    }

    /// Declares it in a partner, for all vertices or for one.
    fn declare(&self, maker: &mut Maker, class: StorageClass, ty: u32) -> u32 {
        let variable = maker.variable(class, ty);
        for (decoration, value) in &self.decorations {
            let operand = value.map(|value| match decoration {
                Decoration::BuiltIn => {
                    BuiltIn::from_u32(value).map_or(Operand::LiteralBit32(value), Operand::BuiltIn)
                }
                _ => Operand::LiteralBit32(value),
            });
            maker.decorate(variable, *decoration, operand);
        }
        variable
    }
}

fn stage(
    kind: ShaderKind,
    maker: Maker,
    model: ExecutionModel,
    modes: Vec<Instruction>,
) -> StageCode {
    let module = maker.finish(model, ENTRY, modes);
    StageCode::of_spirv(kind, module.assemble(), ENTRY)
}

fn mode(mode: ExecutionMode, values: &[u32]) -> Instruction {
    // The maker puts the entry point in front.
    let values = values.iter().map(|value| Operand::LiteralBit32(*value));
    let operands = std::iter::once(Operand::ExecutionMode(mode)).chain(values);
    Instruction::new(Op::ExecutionMode, None, None, operands.collect())
}

/// Returns the vertex shader that writes what a hull, geometry or pixel shader reads: of all
/// vertices of a primitive (`per_vertex`), or of one.
fn vertex_before(next: &Reflected, per_vertex: bool) -> StageCode {
    let mut maker = Maker::of(next);
    let mut source = Source::Attributes { scalars: 0 };
    for varying in varyings(next, StorageClass::Input, per_vertex) {
        let output = varying.declare(&mut maker, StorageClass::Output, varying.element);
        if let Some(value) = maker.fresh(next, varying.element, &mut source) {
            maker.store(output, value);
        }
        source.align();
    }
    stage(
        ShaderKind::Vertex,
        maker,
        ExecutionModel::Vertex,
        Vec::new(),
    )
}

/// The modes of tessellation, which either of its stages may declare.
const DOMAINS: [ExecutionMode; 3] = [
    ExecutionMode::Triangles,
    ExecutionMode::Quads,
    ExecutionMode::Isolines,
];
const SPACINGS: [ExecutionMode; 3] = [
    ExecutionMode::SpacingEqual,
    ExecutionMode::SpacingFractionalEven,
    ExecutionMode::SpacingFractionalOdd,
];
const WINDINGS: [ExecutionMode; 2] = [ExecutionMode::VertexOrderCw, ExecutionMode::VertexOrderCcw];

/// Returns the first of each group of modes, if the other stage has none of the group.
fn missing_modes(other: &Reflected) -> Vec<Instruction> {
    let groups: [&[ExecutionMode]; 3] = [&DOMAINS, &SPACINGS, &WINDINGS];
    let missing = groups
        .into_iter()
        .filter(|group| !group.iter().any(|mode| other.has_mode(*mode)));
    missing.map(|group| mode(group[0], &[])).collect()
}

/// Returns the hull shader that writes what a domain shader reads.
fn hull_before(next: &Reflected) -> StageCode {
    let mut maker = Maker::of(next);
    let uint = maker.uint();
    let invocation = maker.built_in(StorageClass::Input, BuiltIn::InvocationId, uint);
    let invocation = maker.load(uint, invocation);
    let patch = maker.built_in(StorageClass::Input, BuiltIn::PrimitiveId, uint);
    let mut source = Source::Counter {
        base: maker.load(uint, patch),
        next: 0,
    };
    let mut points = 1;
    for varying in varyings(next, StorageClass::Input, true) {
        if let (Some(length), false) = (varying.arrayed, varying.is_patch()) {
            points = length;
            let input = varying.declare(&mut maker, StorageClass::Input, varying.ty);
            let output = varying.declare(&mut maker, StorageClass::Output, varying.ty);
            let from = maker.element(StorageClass::Input, varying.element, input, invocation);
            let value = maker.load(varying.element, from);
            let to = maker.element(StorageClass::Output, varying.element, output, invocation);
            maker.store(to, value);
        } else {
            let output = varying.declare(&mut maker, StorageClass::Output, varying.ty);
            if let Some(value) = maker.fresh(next, varying.ty, &mut source) {
                maker.store(output, value);
            }
        }
    }
    for (built_in, count) in [(BuiltIn::TessLevelOuter, 4), (BuiltIn::TessLevelInner, 2)] {
        let ty = maker.floats(count);
        let output = maker.built_in(StorageClass::Output, built_in, ty);
        maker.decorate(output, Decoration::Patch, None);
        let parts: Vec<u32> = (0..count).map(|_| maker.scalar(&mut source)).collect();
        let value = maker.construct(ty, parts);
        maker.store(output, value);
    }
    let mut modes = missing_modes(next);
    modes.push(mode(ExecutionMode::OutputVertices, &[points]));
    stage(
        ShaderKind::Hull,
        maker,
        ExecutionModel::TessellationControl,
        modes,
    )
}

/// Returns the domain shader that reads what a hull shader writes.
fn domain_after(previous: &Reflected) -> StageCode {
    let mut maker = Maker::of(previous);
    let uint = maker.uint();
    let patch = maker.built_in(StorageClass::Input, BuiltIn::PrimitiveId, uint);
    let patch = maker.load(uint, patch);
    for varying in varyings(previous, StorageClass::Output, true) {
        let input = varying.declare(&mut maker, StorageClass::Input, varying.ty);
        let value = match varying.arrayed {
            Some(length) => {
                let index = maker.modulo(patch, length);
                let from = maker.element(StorageClass::Input, varying.element, input, index);
                maker.load(varying.element, from)
            }
            None => maker.load(varying.ty, input),
        };
        maker.add_all(previous, varying.element, value);
    }
    let ty = maker.float_vector();
    let position = maker.built_in(StorageClass::Output, BuiltIn::Position, ty);
    let sum = maker.sum();
    let value = maker.construct(ty, vec![sum; 4]);
    maker.store(position, value);
    let modes = missing_modes(previous);
    stage(
        ShaderKind::Domain,
        maker,
        ExecutionModel::TessellationEvaluation,
        modes,
    )
}

/// Returns the payload of amplification and mesh shaders.
fn payload(module: &Reflected) -> Option<u32> {
    let mut variables = module.variables();
    let found = variables.find(|(_, class, _)| *class == StorageClass::TaskPayloadWorkgroupEXT);
    found.map(|(_, _, ty)| ty)
}

/// Returns the mesh shader that reads the payload of an amplification shader: one triangle.
fn mesh_after(previous: &Reflected) -> StageCode {
    let mut maker = Maker::of(previous);
    if let Some(ty) = payload(previous) {
        let input = maker.variable(StorageClass::TaskPayloadWorkgroupEXT, ty);
        let value = maker.load(ty, input);
        maker.add_all(previous, ty, value);
    }
    let [three, one, zero] = [3, 1, 0].map(|value| maker.constant(value));
    maker.set_mesh_outputs(three, one);
    let vector = maker.float_vector();
    let positions = maker.array(vector, three);
    let output = maker.built_in(StorageClass::Output, BuiltIn::Position, positions);
    let sum = maker.sum();
    let value = maker.construct(vector, vec![sum; 4]);
    for vertex in 0..3 {
        let vertex = maker.constant(vertex);
        let to = maker.element(StorageClass::Output, vector, output, vertex);
        maker.store(to, value);
    }
    let corners = maker.uint_vector3();
    let triangles = maker.array(corners, one);
    let built_in = BuiltIn::PrimitiveTriangleIndicesEXT;
    let indices = maker.built_in(StorageClass::Output, built_in, triangles);
    let to = maker.element(StorageClass::Output, corners, indices, zero);
    let parts = [0, 1, 2].map(|corner| maker.constant(corner));
    let value = maker.construct(corners, parts.to_vec());
    maker.store(to, value);
    let modes = vec![
        mode(ExecutionMode::LocalSize, &[1, 1, 1]),
        mode(ExecutionMode::OutputTrianglesEXT, &[]),
        mode(ExecutionMode::OutputVertices, &[3]),
        mode(ExecutionMode::OutputPrimitivesEXT, &[1]),
    ];
    stage(ShaderKind::Mesh, maker, ExecutionModel::MeshEXT, modes)
}

/// Returns the amplification shader that writes the payload of a mesh shader, if it has one.
fn amplification_before(next: &Reflected) -> Option<StageCode> {
    let ty = payload(next)?;
    let mut maker = Maker::of(next);
    let output = maker.variable(StorageClass::TaskPayloadWorkgroupEXT, ty);
    let uint = maker.uint();
    let lane = maker.built_in(StorageClass::Input, BuiltIn::LocalInvocationIndex, uint);
    let mut source = Source::Counter {
        base: maker.load(uint, lane),
        next: 0,
    };
    if let Some(value) = maker.fresh(next, ty, &mut source) {
        maker.store(output, value);
    }
    maker.emit_mesh_tasks(output);
    let modes = vec![mode(ExecutionMode::LocalSize, &[1, 1, 1])];
    let code = stage(
        ShaderKind::Amplification,
        maker,
        ExecutionModel::TaskEXT,
        modes,
    );
    Some(code)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use dxil_frontend::dxil::read_shader;
    use dxil_translate::VulkanVersion;
    use dxil_validator::{Environment, Rules, validate_foreign};

    use super::*;
    use crate::device::Profile;
    use crate::program::{CompileOptions, Program};

    /// Returns the stages of a shader's pipeline, and validates those that were made.
    fn completed(path: &Path) -> Vec<ShaderKind> {
        let shader = read_shader(&std::fs::read(path).unwrap()).unwrap();
        let profile = Profile::offline(VulkanVersion::V1_3);
        let options = CompileOptions::default();
        let program = Program::compile(&shader, None, &profile, &|_| None, &options);
        let mut stages = program.unwrap().stages;
        complete(&mut stages).unwrap();
        for made in stages.iter().filter(|stage| stage.entry == ENTRY) {
            let words = made.spirv().unwrap();
            let rules = Rules::relaxed(Environment::Vulkan1_3);
            if let Err(error) = validate_foreign(words, rules) {
                panic!("{}, {:?}: {error}", path.display(), made.kind);
            }
        }
        stages.iter().map(|stage| stage.kind).collect()
    }

    #[test]
    fn every_stage_by_itself_becomes_a_valid_pipeline() {
        use ShaderKind as K;
        let shaders = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hwtests/shaders");
        let mut found = 0;
        for folder in ["tess", "streams", "mesh", "raster"] {
            for entry in std::fs::read_dir(shaders.join(folder)).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                let expected: &[K] = match name.strip_suffix(".dxil") {
                    Some(name) if name.ends_with("_hs") => &[K::Hull, K::Domain, K::Vertex],
                    Some(name) if name.ends_with("_ds") => &[K::Domain, K::Hull, K::Vertex],
                    Some(name) if name.ends_with("_gs") => &[K::Geometry, K::Vertex],
                    Some(name) if name.ends_with("_as") => &[K::Amplification, K::Mesh],
                    Some(name) if name.ends_with("_ms") && name.starts_with("tiles") => {
                        &[K::Mesh, K::Amplification]
                    }
                    Some(name) if name.ends_with("_vs") => &[K::Vertex],
                    Some(name) if name.ends_with("_ps") => &[K::Pixel],
                    _ => continue,
                };
                assert_eq!(completed(&path), expected, "{name}");
                found += 1;
            }
        }
        assert!(found > 60, "{found}");
    }

    #[test]
    fn every_pixel_shader_gets_a_vertex_shader_that_writes_what_it_reads() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hwtests/shaders/raster");
        let mut found = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if !path.to_string_lossy().ends_with("_ps.dxil") {
                continue;
            }
            let shader = read_shader(&std::fs::read(&path).unwrap()).unwrap();
            let profile = Profile::offline(VulkanVersion::V1_3);
            let options = CompileOptions::default();
            let program = Program::compile(&shader, None, &profile, &|_| None, &options);
            let mut stages = program.unwrap().stages;
            complete_pixel(&mut stages).unwrap();
            let [pixel, vertex] = &stages[..] else {
                panic!("{}: {} stages", path.display(), stages.len());
            };
            let words = vertex.spirv().unwrap();
            let rules = Rules::relaxed(Environment::Vulkan1_3);
            if let Err(error) = validate_foreign(words, rules) {
                panic!("{}: {error}", path.display());
            }
            // Locations and components, read by this test.
            let places = |words: &[u32], class: StorageClass| {
                let module = Reflected::read(words).unwrap();
                let variables: Vec<u32> = module
                    .variables()
                    .filter(|(_, found, _)| *found == class)
                    .map(|(id, ..)| id)
                    .collect();
                let mut places: Vec<_> = variables
                    .into_iter()
                    .filter_map(|id| {
                        let component = module.decoration(id, Decoration::Component);
                        Some((module.decoration(id, Decoration::Location)?, component))
                    })
                    .collect();
                places.sort_unstable();
                places
            };
            let read = places(pixel.spirv().unwrap(), StorageClass::Input);
            assert_eq!(
                read,
                places(words, StorageClass::Output),
                "{}",
                path.display()
            );
            found += usize::from(!read.is_empty());
        }
        assert!(found >= 10, "{found}");
    }

    #[test]
    fn a_gap_between_given_stages_is_an_error() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hwtests/shaders/tess");
        let code = |name: &str| {
            let shader = read_shader(&std::fs::read(path.join(name)).unwrap()).unwrap();
            let profile = Profile::offline(VulkanVersion::V1_3);
            let options = CompileOptions::default();
            let program = Program::compile(&shader, None, &profile, &|_| None, &options);
            program.unwrap().stages.remove(0)
        };
        for (names, missing) in [
            (["lines_hs.dxil", "color_ps.dxil"], "domain"),
            (["corners_vs.dxil", "lines_ds.dxil"], "hull"),
        ] {
            let error = complete(&mut names.map(code).to_vec())
                .unwrap_err()
                .to_string();
            assert!(
                error.contains(&format!("give the {missing} shader")),
                "{error}"
            );
        }
    }
}
