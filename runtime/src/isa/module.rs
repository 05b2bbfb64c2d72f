//! The interface of SPIR-V modules: where their resources are, and the state of a pipeline that
//! takes and gives what they declare.

use std::borrow::Cow;

use dxil_frontend::tables::HashMap;

use dxil_frontend::dxil::{ResourceClass, ResourceKind, ShaderKind};
use dxil_translate::DescriptorKind;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{BuiltIn, Decoration, Dim, ExecutionMode, ExecutionModel, Op, StorageClass};

use crate::error::{Error, Result};
use crate::format::Format;
use crate::graphics::{Attribute, DepthState, GraphicsState, TargetState, Topology, VertexSlot};
use crate::program::{BindingSlot, Layout, PushConstant, PushSource, SetLayout, SlotSource};
use crate::resource::Register;

/// Highest number of a descriptor set, and of a binding in it. Layouts have a place for each.
const MAX_SET: u32 = 31;
const MAX_BINDING: u32 = 0xffff;

/// Deepest nesting of types. A valid module has no cycles; this ends the search in others.
const MAX_DEPTH: u32 = 32;

/// Number of render targets of D3D12.
const MAX_TARGETS: usize = 8;

/// A module whose types, constants and decorations are found by id.
pub(super) struct Reflected {
    module: Module,
    types: HashMap<u32, usize>,
    decorations: HashMap<(u32, Decoration), u32>,
    member_offsets: HashMap<(u32, u32), u32>,
}

impl Reflected {
    /// Reads a module.
    pub(super) fn read(words: &[u32]) -> Result<Self> {
        let module = rspirv::dr::load_words(without_debug(words))
            .map_err(|error| Error::Compiler(format!("this is no SPIR-V: {error}")))?;
        let globals = module.types_global_values.iter().enumerate();
        let types = globals.filter_map(|(index, inst)| Some((inst.result_id?, index)));
        let types = types.collect();
        let mut decorations = HashMap::default();
        let mut member_offsets = HashMap::default();
        for annotation in &module.annotations {
            match annotation.operands.as_slice() {
                [
                    Operand::IdRef(id),
                    Operand::Decoration(decoration),
                    rest @ ..,
                ] => {
                    let number = match rest.first() {
                        Some(Operand::LiteralBit32(number)) => *number,
                        Some(Operand::BuiltIn(built_in)) => *built_in as u32,
                        _ => 0,
                    };
                    decorations.insert((*id, *decoration), number);
                }
                [
                    Operand::IdRef(id),
                    Operand::LiteralBit32(member),
                    Operand::Decoration(Decoration::Offset),
                    Operand::LiteralBit32(offset),
                ] => {
                    member_offsets.insert((*id, *member), *offset);
                }
                _ => {}
            }
        }
        Ok(Reflected {
            module,
            types,
            decorations,
            member_offsets,
        })
    }

    /// Returns stage and name of an entry point: the one of that name, or the first.
    pub(super) fn entry(&self, name: Option<&str>) -> Result<(ShaderKind, String)> {
        let points = self.module.entry_points.iter();
        let mut points = points.filter_map(|point| match point.operands.as_slice() {
            [
                Operand::ExecutionModel(model),
                _,
                Operand::LiteralString(found),
                ..,
            ] => Some((*model, found)),
            _ => None,
        });
        let found = points.find(|(_, found)| name.is_none_or(|name| name == *found));
        let (model, found) = found.ok_or_else(|| {
            Error::Compiler(match name {
                Some(name) => format!("there is no entry point {name}"),
                None => "the module has no entry point".to_owned(),
            })
        })?;
        let kind = stage_of_model(model).ok_or_else(|| {
            Error::Unsupported(format!("one shader of the stage {model:?} by itself"))
        })?;
        Ok((kind, found.clone()))
    }

    fn instruction(&self, id: u32) -> Option<&Instruction> {
        let index = self.types.get(&id)?;
        self.module.types_global_values.get(*index)
    }

    pub(super) fn decoration(&self, id: u32, decoration: Decoration) -> Option<u32> {
        self.decorations.get(&(id, decoration)).copied()
    }

    pub(super) fn operands(&self, id: u32) -> (Option<Op>, &[Operand]) {
        match self.instruction(id) {
            Some(inst) => (Some(inst.class.opcode), &inst.operands),
            None => (None, &[]),
        }
    }

    fn constant(&self, id: u32) -> Option<u32> {
        match self.operands(id) {
            (Some(Op::Constant | Op::SpecConstant), [Operand::LiteralBit32(value)]) => Some(*value),
            _ => None,
        }
    }

    /// Returns element and length of an array; a runtime array has no length.
    pub(super) fn array(&self, ty: u32) -> Option<(u32, Option<u32>)> {
        match self.operands(ty) {
            (Some(Op::TypeArray), [Operand::IdRef(element), Operand::IdRef(length)]) => {
                Some((*element, Some(self.constant(*length)?)))
            }
            (Some(Op::TypeRuntimeArray), [Operand::IdRef(element)]) => Some((*element, None)),
            _ => None,
        }
    }

    /// Returns the variables: id, storage class, and the type that they hold.
    pub(super) fn variables(&self) -> impl Iterator<Item = (u32, StorageClass, u32)> {
        let globals = self.module.types_global_values.iter();
        let variables = globals.filter(|inst| inst.class.opcode == Op::Variable);
        variables.filter_map(|inst| {
            match (inst.operands.first(), self.operands(inst.result_type?)) {
                (
                    Some(Operand::StorageClass(class)),
                    (Some(Op::TypePointer), [_, Operand::IdRef(ty)]),
                ) => Some((inst.result_id?, *class, *ty)),
                _ => None,
            }
        })
    }

    pub(super) fn module(&self) -> &Module {
        &self.module
    }

    /// Returns whether an entry point has an execution mode.
    pub(super) fn has_mode(&self, mode: ExecutionMode) -> bool {
        let modes = self.module.execution_modes.iter();
        let mut modes = modes.filter_map(|inst| inst.operands.get(1));
        modes.any(|found| *found == Operand::ExecutionMode(mode))
    }

    /// Returns the types of the parts of a composite; none for other types.
    pub(super) fn parts(&self, ty: u32) -> Vec<u32> {
        match self.operands(ty) {
            (
                Some(Op::TypeVector | Op::TypeMatrix),
                [Operand::IdRef(element), Operand::LiteralBit32(count)],
            ) => vec![*element; *count as usize],
            (Some(Op::TypeArray), [Operand::IdRef(element), Operand::IdRef(length)]) => {
                vec![*element; self.constant(*length).unwrap_or(0) as usize]
            }
            (Some(Op::TypeStruct), members) => {
                let members = members.iter();
                members.filter_map(Operand::id_ref_any).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the number of scalars in a type.
    pub(super) fn scalars(&self, ty: u32, depth: u32) -> u32 {
        if depth == 0 {
            return u32::MAX;
        }
        let scalars = |ty: &u32| self.scalars(*ty, depth - 1);
        match self.operands(ty) {
            (
                Some(Op::TypeVector | Op::TypeMatrix),
                [Operand::IdRef(element), Operand::LiteralBit32(count)],
            ) => scalars(element).saturating_mul(*count),
            (Some(Op::TypeArray), [Operand::IdRef(element), Operand::IdRef(length)]) => {
                scalars(element).saturating_mul(self.constant(*length).unwrap_or(u32::MAX))
            }
            (Some(Op::TypeStruct), members) => {
                let members = members.iter().filter_map(Operand::id_ref_any);
                members.fold(0, |sum, member| sum.saturating_add(scalars(&member)))
            }
            _ => 1,
        }
    }

    /// Returns the size of a type in bytes.
    fn size(&self, ty: u32, depth: u32) -> u32 {
        if depth == 0 {
            return 0;
        }
        let size = |ty: &u32| self.size(*ty, depth - 1);
        match self.operands(ty) {
            (Some(Op::TypeInt | Op::TypeFloat), [Operand::LiteralBit32(bits), ..]) => bits / 8,
            (
                Some(Op::TypeVector | Op::TypeMatrix),
                [Operand::IdRef(element), Operand::LiteralBit32(count)],
            ) => size(element).saturating_mul(*count),
            (Some(Op::TypeArray), [Operand::IdRef(element), Operand::IdRef(length)]) => {
                let stride = self.decoration(ty, Decoration::ArrayStride);
                let stride = stride.unwrap_or_else(|| size(element));
                stride.saturating_mul(self.constant(*length).unwrap_or(1))
            }
            (Some(Op::TypePointer), _) => 8,
            (Some(Op::TypeStruct), members) => {
                let ends = (0..).zip(members).map(|(member, operand)| match operand {
                    Operand::IdRef(inner) => {
                        let offset = self.member_offsets.get(&(ty, member));
                        offset.copied().unwrap_or(0).saturating_add(size(inner))
                    }
                    _ => 0,
                });
                ends.max().unwrap_or(0)
            }
            _ => 4,
        }
    }

    /// Adds the module's resources to a layout; an unbounded array gets so many descriptors.
    pub(super) fn add_to(&self, layout: &mut Layout, unbounded: u32) -> Result<()> {
        for (id, class, ty) in self.variables() {
            if class == StorageClass::PushConstant {
                let words = self.size(ty, MAX_DEPTH).div_ceil(4);
                if layout.push_constant_bytes() < words.saturating_mul(4) {
                    let register = Register::new(ResourceClass::Cbv, 0).in_space(u32::MAX);
                    let source = PushSource::Constants { register, words };
                    layout.push_constants = vec![PushConstant {
                        first_word: 0,
                        source,
                    }];
                }
                continue;
            }
            let place = [Decoration::DescriptorSet, Decoration::Binding];
            let [Some(set), Some(binding)] = place.map(|d| self.decoration(id, d)) else {
                continue;
            };
            if set > MAX_SET || binding > MAX_BINDING {
                return Err(Error::Unsupported(format!("set {set}, binding {binding}")));
            }
            let (ty, count) = match self.array(ty) {
                Some((element, length)) => (element, length),
                None => (ty, Some(1)),
            };
            let kind = self.descriptor(class, ty).ok_or_else(|| {
                let what = self.operands(ty).0;
                Error::Unsupported(format!("set {set}, binding {binding}: {what:?}"))
            })?;
            let register = Register::new(ResourceClass::Uav, binding).in_space(set);
            let source = SlotSource::Registers(register);
            let slot = BindingSlot {
                count: count.unwrap_or(unbounded),
                unbounded: count.is_none(),
                ..BindingSlot::new(binding, kind, source, ResourceKind::Invalid)
            };
            let set = set as usize;
            if layout.sets.len() <= set {
                layout.sets.resize(set + 1, SetLayout::default());
            }
            let slots = &mut layout.sets[set].slots;
            // Several variables may see the same descriptor, as different things.
            match slots.iter_mut().find(|slot| slot.binding == binding) {
                Some(there) => {
                    there.count = there.count.max(slot.count);
                    if there.kind != kind && !there.other_kinds.contains(&kind) {
                        there.other_kinds.push(kind);
                    }
                }
                None => slots.push(slot),
            }
        }
        for set in &mut layout.sets {
            set.slots.sort_by_key(|slot| slot.binding);
        }
        Ok(())
    }

    fn descriptor(&self, class: StorageClass, ty: u32) -> Option<DescriptorKind> {
        use DescriptorKind as D;
        Some(match self.operands(ty) {
            (Some(Op::TypeSampler), _) => D::Sampler,
            (Some(Op::TypeAccelerationStructureKHR), _) => D::AccelerationStructure,
            (
                Some(Op::TypeImage),
                [
                    _,
                    Operand::Dim(dim),
                    _,
                    _,
                    _,
                    Operand::LiteralBit32(usage),
                    ..,
                ],
            ) => match (dim, *usage == 2) {
                (Dim::DimSubpassData, _) => D::InputAttachment,
                (Dim::DimBuffer, false) => D::UniformTexelBuffer,
                (Dim::DimBuffer, true) => D::StorageTexelBuffer,
                (_, false) => D::SampledImage,
                (_, true) => D::StorageImage,
            },
            (Some(Op::TypeStruct), _) => {
                let block = self.decoration(ty, Decoration::BufferBlock);
                if class == StorageClass::Uniform && block.is_none() {
                    D::UniformBuffer
                } else {
                    D::StorageBuffer
                }
            }
            _ => return None,
        })
    }

    /// Adds to the state of a graphics pipeline what this stage takes or gives.
    pub(super) fn add_state(&self, kind: ShaderKind, state: &mut GraphicsState) {
        match kind {
            ShaderKind::Vertex => self.attributes(state),
            ShaderKind::Hull => {
                // One that reads no control point takes patches of any size.
                state.topology = Topology::PatchList(self.control_points().unwrap_or(1));
            }
            ShaderKind::Geometry => {
                if let Some(topology) = self.input_topology() {
                    state.topology = topology;
                }
            }
            ShaderKind::Pixel => self.targets(state),
            _ => {}
        }
    }

    /// Returns locations, numbers of locations, and formats of the variables of a class.
    fn locations(&self, class: StorageClass) -> Vec<(u32, u32, Format)> {
        let variables = self.variables().filter(|(_, found, _)| *found == class);
        let mut all: Vec<_> = variables
            .filter_map(|(id, _, ty)| {
                let location = self.decoration(id, Decoration::Location)?;
                let (ty, rows) = match self.array(ty) {
                    Some((element, length)) => (element, length.unwrap_or(1)),
                    None => (ty, 1),
                };
                Some((location, rows.min(64), self.format(ty)))
            })
            .collect();
        all.sort_by_key(|(location, ..)| *location);
        // Several variables may share a location, with different components.
        all.dedup_by_key(|(location, ..)| *location);
        all
    }

    fn format(&self, ty: u32) -> Format {
        let scalar = match self.operands(ty) {
            (Some(Op::TypeVector), [Operand::IdRef(element), _]) => *element,
            _ => ty,
        };
        match self.operands(scalar) {
            (Some(Op::TypeInt), [_, Operand::LiteralBit32(0)]) => Format::Rgba32Uint,
            (Some(Op::TypeInt), _) => Format::Rgba32Sint,
            _ => Format::Rgba32Float,
        }
    }

    fn attributes(&self, state: &mut GraphicsState) {
        let mut offset = 0;
        for (location, rows, format) in self.locations(StorageClass::Input) {
            for row in 0..rows {
                state.attributes.push(Attribute {
                    row: location.saturating_add(row),
                    format,
                    slot: 0,
                    offset,
                });
                offset += 16;
            }
        }
        if offset > 0 {
            state.vertex_slots.push(VertexSlot {
                stride: offset,
                per_instance: false,
            });
        }
    }

    fn targets(&self, state: &mut GraphicsState) {
        for (location, rows, format) in self.locations(StorageClass::Output) {
            for row in 0..rows {
                let index = location.saturating_add(row) as usize;
                if index >= MAX_TARGETS {
                    break;
                }
                let targets = &mut state.targets;
                if targets.len() <= index {
                    targets.resize(index + 1, TargetState::new(Format::Rgba32Float));
                }
                targets[index].format = format;
            }
        }
        let writes_depth = self.variables().any(|(id, class, _)| {
            class == StorageClass::Output
                && self.decoration(id, Decoration::BuiltIn) == Some(BuiltIn::FragDepth as u32)
        });
        if writes_depth {
            state.depth = Some(DepthState::new(Format::D32Float));
        }
    }

    /// Returns the number of control points that a hull shader reads: the length of its inputs.
    fn control_points(&self) -> Option<u32> {
        let mut inputs = self
            .variables()
            .filter(|(_, class, _)| *class == StorageClass::Input);
        let points = inputs.find_map(|(_, _, ty)| self.array(ty)?.1);
        points.filter(|points| (1..=32).contains(points))
    }

    fn input_topology(&self) -> Option<Topology> {
        let modes = self.module.execution_modes.iter();
        let mut modes = modes.filter_map(|mode| mode.operands.get(1));
        modes.find_map(|mode| {
            Some(match mode {
                Operand::ExecutionMode(ExecutionMode::InputPoints) => Topology::PointList,
                Operand::ExecutionMode(ExecutionMode::InputLines) => Topology::LineList,
                Operand::ExecutionMode(ExecutionMode::InputLinesAdjacency) => {
                    Topology::LineListAdjacency
                }
                Operand::ExecutionMode(ExecutionMode::Triangles) => Topology::TriangleList,
                Operand::ExecutionMode(ExecutionMode::InputTrianglesAdjacency) => {
                    Topology::TriangleListAdjacency
                }
                _ => return None,
            })
        })
    }
}

/// Returns a module without debug information between its types, which are instructions of a set
/// that rspirv reads in functions only.
fn without_debug(words: &[u32]) -> Cow<'_, [u32]> {
    const HEADER: usize = 5;
    let opcode = |at: usize| words.get(at).map(|word| word & 0xffff);
    let length = |at: usize| words.get(at).map_or(0, |word| (word >> 16) as usize);
    let is_debug = |at: usize| {
        [Op::ExtInst, Op::ExtInstWithForwardRefsKHR]
            .iter()
            .any(|op| opcode(at) == Some(*op as u32))
    };
    // Up to the first function, or to what is no instruction.
    let mut places = Vec::new();
    let mut at = HEADER;
    while opcode(at).is_some_and(|found| found != Op::Function as u32) && length(at) > 0 {
        places.push(at);
        at += length(at);
    }
    if !places.iter().any(|place| is_debug(*place)) {
        return Cow::Borrowed(words);
    }
    let mut kept = words.get(..HEADER).unwrap_or_default().to_vec();
    for place in places.into_iter().filter(|place| !is_debug(*place)) {
        kept.extend(words.get(place..place + length(place)).unwrap_or_default());
    }
    kept.extend(words.get(at..).unwrap_or_default());
    Cow::Owned(kept)
}

/// Returns the stage of an execution model that a pipeline can have by itself or with others; ray
/// tracing shaders are none.
pub fn stage_of_model(model: ExecutionModel) -> Option<ShaderKind> {
    Some(match model {
        ExecutionModel::GLCompute => ShaderKind::Compute,
        ExecutionModel::Vertex => ShaderKind::Vertex,
        ExecutionModel::Fragment => ShaderKind::Pixel,
        ExecutionModel::Geometry => ShaderKind::Geometry,
        ExecutionModel::TessellationControl => ShaderKind::Hull,
        ExecutionModel::TessellationEvaluation => ShaderKind::Domain,
        ExecutionModel::MeshEXT => ShaderKind::Mesh,
        ExecutionModel::TaskEXT => ShaderKind::Amplification,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_information_between_types_is_left_out() {
        let inst = |op: Op, operands: &[u32]| {
            let head = ((operands.len() as u32 + 1) << 16) | op as u32;
            [&[head], operands].concat()
        };
        let header = [0x0723_0203, 0x0001_0600, 0, 9, 0];
        let before = inst(Op::TypeVoid, &[1]);
        let debug = inst(Op::ExtInst, &[1, 2, 3, 35]);
        let after = inst(Op::TypeFunction, &[4, 1]);
        let code = [
            inst(Op::Function, &[1, 5, 0, 4]),
            inst(Op::ExtInst, &[1, 6, 3, 23]),
        ]
        .concat();
        let whole = [&header[..], &before, &debug, &after, &code].concat();
        let kept = [&header[..], &before, &after, &code].concat();
        assert_eq!(without_debug(&whole), kept);
        assert_eq!(without_debug(&kept), kept);
        // What is no instruction stays as it is.
        let cut = [&header[..], &debug, &[0, 7]].concat();
        assert_eq!(without_debug(&cut), [&header[..], &[0, 7]].concat());
        assert_eq!(without_debug(&[1, 2]).as_ref(), [1, 2]);
    }
}
