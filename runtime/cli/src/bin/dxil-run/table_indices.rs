//! Generated values that select records of shader tables.
//!
//! An index beyond the end of a shader table is undefined behaviour (DirectX Raytracing,
//! "Addressing calculations within shader tables"), and drivers crash. Each table of `--rays` has a
//! record 0, so values that become an index are generated as 0.
//!
//! Values are followed through arithmetic and phis within a function, not through memory or calls.

use dxil_frontend::tables::HashSet;

use dxil_frontend::dxil::ops::{
    BufferOp, HitObjectOp, Op, RayTracingOp, decode, op_arguments, op_giving,
};
use dxil_frontend::dxil::{ComponentType, ElementScalar, ResourceClass, ResourceIndex, Shader};
use dxil_frontend::ir::{FuncView, Inst, Type, ValueDef, ValueId};

use crate::handles::Handles;

/// A value in a resource that selects a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct TableIndex {
    pub(crate) class: ResourceClass,
    /// Number of the resource within its class.
    pub(crate) id: u32,
    /// Offset in bytes within an element, or in a constant buffer; `None` where it is not constant.
    pub(crate) offset: Option<u32>,
}

/// Returns the values of a shader's resources that select records.
pub(crate) fn of(shader: &Shader) -> Vec<TableIndex> {
    let mut found = Vec::new();
    let resources = ResourceIndex::new(&shader.resources);
    for body in &shader.module.bodies {
        let view = FuncView {
            module: &shader.module,
            function: body,
        };
        let mut slice = Slice {
            shader,
            handles: Handles {
                shader,
                resources: &resources,
                view,
            },
            view,
            pending: Vec::new(),
            seen: HashSet::default(),
        };
        for data in body.insts.values() {
            slice.pending.extend(indices(shader, view, &data.inst));
        }
        slice.follow(&mut found);
    }
    found.sort_unstable_by_key(|index| (index.class.letter(), index.id, index.offset));
    found.dedup();
    found
}

/// Returns the operands of an instruction that select records.
fn indices(shader: &Shader, view: FuncView<'_>, inst: &Inst) -> Vec<ValueId> {
    let arguments = op_arguments(view, &shader.callees, inst);
    let op = arguments.and_then(|arguments| decode(view, arguments).ok());
    match op {
        Some(Op::RayTracing(RayTracingOp::TraceRay(op))) => {
            vec![op.ray_contribution, op.geometry_multiplier, op.miss_index]
        }
        Some(Op::RayTracing(RayTracingOp::CallShader(op))) => vec![op.shader_index],
        Some(Op::HitObject(HitObjectOp::HitObjectTraceRay(op))) => {
            vec![op.ray_contribution, op.geometry_multiplier, op.miss_index]
        }
        Some(Op::HitObject(HitObjectOp::HitObjectMakeMiss(op))) => vec![op.miss_index],
        Some(Op::HitObject(HitObjectOp::HitObjectSetShaderTableIndex(op))) => vec![op.index],
        _ => Vec::new(),
    }
}

/// Follows values backwards to the resources that they come from.
struct Slice<'a> {
    shader: &'a Shader,
    handles: Handles<'a>,
    view: FuncView<'a>,
    pending: Vec<ValueId>,
    seen: HashSet<ValueId>,
}

impl Slice<'_> {
    fn follow(&mut self, found: &mut Vec<TableIndex>) {
        while let Some(value) = self.pending.pop() {
            if self.seen.insert(value)
                && let Some(ValueDef::Inst(inst)) = self.view.value(value).map(|value| value.def)
                && let Some(data) = self.view.function.insts.get(inst)
            {
                self.inst(value, data.inst, found);
            }
        }
    }

    fn inst(&mut self, value: ValueId, inst: Inst, found: &mut Vec<TableIndex>) {
        let function = self.view.function;
        match inst {
            Inst::ExtractValue { aggregate, indices } => {
                let component = function.indices_of(indices).first().copied().unwrap_or(0);
                let ty = self.view.type_of(value);
                let bytes = match ty.map(|ty| self.view.module.types.get(ty)) {
                    Some(Type::Int(bits)) => u64::from(*bits).div_ceil(8),
                    _ => 4,
                };
                match op_giving(self.view, &self.shader.callees, aggregate) {
                    Some(op) => found.extend(self.read(&op, component * bytes)),
                    None => self.pending.push(aggregate),
                }
            }
            Inst::Select {
                if_true, if_false, ..
            } => self.pending.extend([if_true, if_false]),
            Inst::Phi { incoming } => {
                let edges = function.edges_of(incoming).iter();
                self.pending.extend(edges.map(|(value, _)| *value));
            }
            Inst::Call { args, .. } => {
                // An operation such as `UMin`; what a function of the module computes is not
                // followed.
                if let Some(op) = op_giving(self.view, &self.shader.callees, value) {
                    match op.resource_operands().resource {
                        Some(_) => found.extend(self.read(&op, 0)),
                        None => self.pending.extend(function.values_of(args)),
                    }
                }
            }
            Inst::Binary { lhs, rhs, .. } => self.pending.extend([lhs, rhs]),
            Inst::Cast { value, .. } => self.pending.push(value),
            Inst::ExtractElement { vector, .. } => self.pending.push(vector),
            _ => {}
        }
    }

    /// Returns the index that an operation reads, if it reads a resource. `component` is an offset
    /// in bytes within its result.
    fn read(&self, op: &Op, component: u64) -> Option<TableIndex> {
        let resource = self.handles.resource(op.resource_operands().resource?)?;
        let constant = |value: ValueId| self.view.constant_int(value);
        let offset = match op {
            Op::Buffer(BufferOp::CBufferLoadLegacy(op)) => {
                constant(op.register).map(|register| register * 16 + component)
            }
            Op::Buffer(BufferOp::RawBufferLoad(op)) => {
                let offset = op.element_offset.expand().and_then(constant);
                offset.map(|offset| offset + component)
            }
            _ => None,
        };
        Some(TableIndex {
            class: resource.class,
            id: resource.id,
            offset: offset.and_then(|offset| u32::try_from(offset).ok()),
        })
    }
}

/// Sets the values at these offsets of each element to 0. `None` is each integer of the element, or
/// the whole element where its scalars are not known.
pub(crate) fn clear(
    bytes: &mut [u8],
    stride: u32,
    scalars: &[ElementScalar],
    offsets: &[Option<u32>],
) {
    let integers = scalars.iter().filter(|scalar| is_integer(scalar.component));
    let integers: Vec<u32> = integers.map(|scalar| scalar.offset).collect();
    for element in bytes.chunks_mut(stride.max(1) as usize) {
        let mut set = |offset: u32| {
            let start = offset as usize;
            let end = (start + 4).min(element.len());
            if let Some(word) = element.get_mut(start..end) {
                word.fill(0);
            }
        };
        for offset in offsets {
            match offset {
                Some(offset) => set(*offset),
                None if !scalars.is_empty() => integers.iter().copied().for_each(&mut set),
                None => (0..stride).step_by(4).for_each(&mut set),
            }
        }
    }
}

fn is_integer(component: ComponentType) -> bool {
    use ComponentType as C;
    matches!(
        component,
        C::I1 | C::I16 | C::U16 | C::I32 | C::U32 | C::I64 | C::U64
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use dxil_frontend::dxil::read_shader;

    #[test]
    fn indices_of_shader_tables_are_found_in_the_buffers_that_they_come_from() {
        let bytes = include_bytes!("../../../../tests/data/rays.dxil");
        let shader = read_shader(bytes).unwrap();
        let found: Vec<_> = of(&shader)
            .iter()
            .map(|index| (index.class.letter(), index.id, index.offset))
            .collect();
        let jobs = shader
            .resources
            .srvs
            .iter()
            .find(|r| (r.space, r.lower_bound) == (0, 1));
        let jobs = jobs.unwrap().id;
        // `Job::contribution` and `Job::miss`.
        assert_eq!(found, [('t', jobs, Some(40)), ('t', jobs, Some(44))]);
    }

    #[test]
    fn values_at_offsets_of_each_element_are_cleared() {
        let mut bytes = [0xff; 24];
        clear(&mut bytes, 12, &[], &[Some(4)]);
        let mut expected = [0xff; 24];
        expected[4..8].fill(0);
        expected[16..20].fill(0);
        assert_eq!(bytes, expected);
        let scalar = |component, offset| ElementScalar {
            path: String::new(),
            offset,
            component,
        };
        let scalars = [scalar(ComponentType::F32, 0), scalar(ComponentType::U32, 4)];
        let mut bytes = [0xff; 8];
        clear(&mut bytes, 8, &scalars, &[None]);
        assert_eq!(bytes, [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
    }
}
