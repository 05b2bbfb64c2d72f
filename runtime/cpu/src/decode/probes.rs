//! Probes: what the checks look at before and after instructions.
//!
//! Decoding adds them only for checks that are asked for, so that code without checks has none.

use dxil_frontend::dxil::ResourceKind;
use dxil_frontend::ir::{CastOp, Inst as IrInst, Type, ValueDef, ValueId};

use super::code::{
    ComplexOp, FloatWidth, MemoryScalar, Probe, RegisterSlot, ResourceShape, ViewRequirements, slot,
};
use super::constants::sign_extended;
use super::function::Decoder;
use super::lane_ops::LaneOp;
use crate::check::Check;
use crate::error::Result;

/// Longest chain of addresses that is followed.
const MAX_STEPS: u32 = 8;

/// Returns the number of coordinates of a texel, the layer included.
fn coordinates(shape: Option<ResourceShape>) -> usize {
    use ResourceKind as K;
    match shape.map(|shape| shape.kind) {
        Some(K::Texture1D | K::TypedBuffer | K::RawBuffer) => 1,
        Some(K::Texture2DArray | K::Texture2DMSArray | K::Texture3D | K::TextureCube) => 3,
        Some(K::TextureCubeArray) => 4,
        // Without a shape the operands that every resource has are looked at.
        None => 1,
        _ => 2,
    }
}

fn is_structured(shape: Option<ResourceShape>) -> bool {
    shape.is_some_and(|shape| shape.kind == ResourceKind::StructuredBuffer)
}

impl Decoder<'_, '_> {
    fn probe(&mut self, probe: Probe, src: &[RegisterSlot]) {
        self.push_complex(ComplexOp::Probe(probe), &[], src);
    }

    /// Emits the probes that come before an instruction.
    pub(super) fn probe_before(&mut self, op: &ComplexOp, src: &[RegisterSlot]) {
        use ComplexOp as C;
        if self.has_check(Check::Divergence)
            && matches!(
                op,
                C::Vote { .. }
                    | C::AllEqual(_)
                    | C::Ballot
                    | C::BitCount { .. }
                    | C::ReadLaneAt
                    | C::ReadFirstLane
                    | C::Reduce(..)
                    | C::Scan(..)
                    | C::Match
                    | C::MultiScan(..)
                    | C::MultiBitCount
            )
        {
            self.probe(Probe::Converged, &[]);
        }
        let (shape, scalar) = match *op {
            C::BufferLoad { shape, scalar } | C::TextureLoad { shape, scalar } => {
                (shape, Some(scalar))
            }
            C::BufferStore { shape, scalar, .. } | C::TextureStore { shape, scalar, .. } => {
                (shape, Some(scalar))
            }
            C::ResourceAtomic { shape, .. } | C::ResourceCompareExchange { shape } => (shape, None),
            C::Sample(ref op) => (op.texture, Some(op.scalar)),
            C::Gather(ref op) => (op.texture, Some(op.scalar)),
            C::ConstantValue(scalar) => {
                if self.has_check(Check::Alignment) {
                    self.probe_alignment(scalar, slot(src, 1), RegisterSlot::NONE);
                }
                return;
            }
            _ => return,
        };
        if self.has_check(Check::Types) {
            let wanted = ViewRequirements {
                shape,
                is_float: scalar.map(|s| {
                    matches!(
                        s,
                        MemoryScalar::F16
                            | MemoryScalar::F32
                            | MemoryScalar::F64
                            | MemoryScalar::MinFloat
                    )
                }),
                compares: match op {
                    C::Sample(op) => Some(op.compare),
                    C::Gather(op) => Some(op.compare),
                    _ => None,
                },
            };
            self.probe(Probe::View(wanted), &[slot(src, 0), slot(src, 1)]);
        }
        let is_atomic = matches!(
            op,
            C::ResourceAtomic { .. } | C::ResourceCompareExchange { .. }
        );
        let is_buffer = matches!(op, C::BufferLoad { .. } | C::BufferStore { .. }) || is_atomic;
        if !is_buffer {
            return;
        }
        let scalar = scalar.unwrap_or(MemoryScalar::I32);
        match shape.map(|shape| shape.kind) {
            Some(ResourceKind::RawBuffer) if self.has_check(Check::Alignment) => {
                self.probe_alignment(scalar, slot(src, 1), RegisterSlot::NONE);
            }
            Some(ResourceKind::StructuredBuffer) => {
                let stride = shape.map_or(0, |shape| shape.stride);
                let offset = slot(src, 2);
                if offset.is_none() {
                    return;
                }
                if self.has_check(Check::Alignment) {
                    self.probe_alignment(scalar, offset, RegisterSlot::NONE);
                }
                let known = self.known(offset);
                let is_inside = known.is_some_and(|offset| {
                    offset.saturating_add(u64::from(scalar.bytes())) <= u64::from(stride)
                });
                if self.has_check(Check::Bounds) && stride != 0 && !is_inside {
                    let bytes = scalar.bytes();
                    let probe = Probe::Element {
                        stride,
                        bytes,
                        is_read: matches!(op, C::BufferLoad { .. }),
                    };
                    self.probe(probe, &[slot(src, 0), offset]);
                }
            }
            _ => {}
        }
    }

    fn probe_alignment(&mut self, scalar: MemoryScalar, a: RegisterSlot, b: RegisterSlot) {
        // Wide scalars are read as words.
        let bytes = scalar.bytes().min(4);
        let is_aligned = self
            .known(a)
            .is_some_and(|address| address.is_multiple_of(u64::from(bytes)));
        if bytes > 1 && !(is_aligned && b.is_none()) {
            self.probe(Probe::Aligned { bytes }, &[a, b]);
        }
    }

    /// Probes the index of a resource that is not marked as non-uniform.
    pub(super) fn probe_uniform(&mut self, index: RegisterSlot, resource: &str) {
        if self.has_check(Check::Uniformity) && self.known(index).is_none() {
            let resource = resource.into();
            self.probe(Probe::Uniform { resource }, &[index]);
        }
    }

    /// Probes what operations on floats make of finite numbers.
    pub(super) fn probe_float(
        &mut self,
        op: LaneOp,
        operands: &[RegisterSlot],
        result: RegisterSlot,
    ) {
        use LaneOp as L;
        if !self.has_check(Check::Nan) {
            return;
        }
        let (width, from) = match op {
            L::FAdd
            | L::FSub
            | L::FMul
            | L::FDiv
            | L::FRem
            | L::FMad
            | L::FAddFlush
            | L::FSubFlush
            | L::FMulFlush
            | L::FDivFlush
            | L::FMadFlush
            | L::Exp
            | L::Log
            | L::Sqrt
            | L::Rsqrt
            | L::Tan
            | L::Acos
            | L::Asin
            | L::Hcos
            | L::Hsin => (FloatWidth::Single, FloatWidth::Single),
            L::DAdd | L::DSub | L::DMul | L::DDiv | L::DRem | L::DMad | L::DFma => {
                (FloatWidth::Double, FloatWidth::Double)
            }
            L::FloatToHalf => (FloatWidth::Half, FloatWidth::Single),
            L::DoubleToHalf => (FloatWidth::Half, FloatWidth::Double),
            L::DoubleToFloat => (FloatWidth::Single, FloatWidth::Double),
            _ => return,
        };
        let mut src = vec![result];
        src.extend_from_slice(operands);
        self.probe(Probe::Finite { width, from }, &src);
    }

    /// Probes the indices of arrays on the way to a pointer that is accessed.
    ///
    /// At the access and not where the address is computed: an address out of bounds that nothing
    /// uses is not a defect, and compilers compute addresses early.
    pub(super) fn probe_indices(&mut self, pointer: ValueId, is_read: bool) -> Result<()> {
        if !self.has_check(Check::Bounds) {
            return Ok(());
        }
        let mut pointer = pointer;
        for _ in 0..MAX_STEPS {
            let Some(ValueDef::Inst(inst)) = self.view.value(pointer).map(|value| value.def) else {
                return Ok(());
            };
            match self.view.function.insts.get(inst).map(|data| data.inst) {
                Some(IrInst::Gep { operands, .. }) => {
                    let operands = self.view.function.values_of(operands);
                    let Some((&base, indices)) = operands.split_first() else {
                        return Ok(());
                    };
                    let variable = self.variable_name(base);
                    let Some(mut ty) = self.layout.types().pointee(self.ty(base)?) else {
                        return Ok(());
                    };
                    for &index in indices.iter().skip(1) {
                        let (element, count) = match self.layout.types().get(ty) {
                            Type::Array { element, count } => (*element, *count),
                            Type::Vector { element, count } => (*element, u64::from(*count)),
                            Type::Struct { fields, .. } => {
                                let number = self.view.constant_int(index).unwrap_or(u64::MAX);
                                match fields.get(usize::try_from(number).unwrap_or(usize::MAX)) {
                                    Some(field) => ty = *field,
                                    None => return Ok(()),
                                }
                                continue;
                            }
                            _ => return Ok(()),
                        };
                        ty = element;
                        let bits = self.layout.types().scalar_bits(self.ty(index)?);
                        let known = self.view.constant_int(index);
                        let known = known.map(|n| sign_extended(n, bits.unwrap_or(64)));
                        if known.is_some_and(|number| number < count) {
                            continue;
                        }
                        let slot = self.index_slot(index)?;
                        let bytes = u32::try_from(self.layout.words(element) * 4);
                        let probe = Probe::Index {
                            variable: variable.clone(),
                            count,
                            bytes: bytes.unwrap_or(u32::MAX),
                            is_read,
                        };
                        self.probe(probe, &[slot]);
                    }
                    pointer = base;
                }
                Some(IrInst::Cast {
                    op: CastOp::Bitcast,
                    value,
                }) => pointer = value,
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    /// Returns the name of the variable that a pointer points to.
    fn variable_name(&self, mut pointer: ValueId) -> Box<str> {
        for _ in 0..MAX_STEPS {
            match self.view.value(pointer).map(|value| value.def) {
                Some(ValueDef::Global(_)) => {
                    let module = &self.module.shader.module;
                    let mut globals = module.globals.iter().map(|(_, global)| global);
                    let global = globals.find(|global| global.value == pointer);
                    return global
                        .map_or("", |g| dxil_frontend::dxil::plain_name(&g.name))
                        .into();
                }
                Some(ValueDef::Inst(inst)) => {
                    match self.view.function.insts.get(inst).map(|data| data.inst) {
                        Some(IrInst::Gep { operands, .. }) => {
                            match self.view.function.values_of(operands).first() {
                                Some(&base) => pointer = base,
                                None => break,
                            }
                        }
                        Some(IrInst::Cast { value, .. }) => pointer = value,
                        _ => break,
                    }
                }
                _ => break,
            }
        }
        let names = &self.view.function.value_names;
        let name = names.iter().find(|(value, _)| *value == pointer);
        name.map_or("a local variable", |(_, name)| name).into()
    }

    /// Requires the operands that decide something to be defined.
    pub(super) fn require_uses(&mut self, op: &ComplexOp, src: &[RegisterSlot]) {
        use ComplexOp as C;
        let mut used: Vec<RegisterSlot> = Vec::new();
        match op {
            C::Load(_) => used.extend(src),
            C::Store(super::code::Space::Private) => used.push(slot(src, 0)),
            C::Store(super::code::Space::Shared) => used.extend(src),
            C::Atomic(..) | C::CompareExchange(_) => used.extend(src),
            C::Handle(_) | C::HeapHandle { .. } => used.extend(src),
            C::ConstantRow { .. } | C::ConstantValue(_) => used.push(slot(src, 1)),
            C::BufferLoad { shape, .. } => {
                used.push(slot(src, 1));
                if is_structured(*shape) {
                    used.push(slot(src, 2));
                }
            }
            C::BufferStore { shape, mask, .. } => {
                used.push(slot(src, 1));
                if is_structured(*shape) {
                    used.push(slot(src, 2));
                }
                let values = src.iter().skip(3).enumerate();
                used.extend(
                    values
                        .filter(|(number, _)| *number >= 32 || mask >> number & 1 != 0)
                        .map(|(_, slot)| *slot),
                );
            }
            C::TextureLoad { shape, .. } => {
                used.extend(src.iter().skip(2).take(coordinates(*shape).min(3)));
            }
            C::TextureStore { shape, mask, .. } => {
                used.extend(src.iter().skip(1).take(coordinates(*shape).min(3)));
                let values = src.iter().skip(4).take(4).enumerate();
                used.extend(
                    values
                        .filter(|(number, _)| mask >> number & 1 != 0)
                        .map(|(_, slot)| *slot),
                );
            }
            C::Sample(super::code::SampleOp { texture, .. })
            | C::Gather(super::code::GatherOp { texture, .. }) => {
                used.extend(src.iter().skip(2).take(coordinates(*texture)));
            }
            C::ResourceAtomic { shape, .. } => {
                used.extend(src.iter().skip(1).take(coordinates(*shape).min(3)));
                used.push(slot(src, 4));
            }
            C::ResourceCompareExchange { shape } => {
                used.extend(src.iter().skip(1).take(coordinates(*shape).min(3)));
                used.extend(src.iter().skip(4));
            }
            C::Vote { .. }
            | C::AllEqual(_)
            | C::Ballot
            | C::BitCount { .. }
            | C::Reduce(..)
            | C::Scan(..)
            | C::Match
            | C::MultiScan(..)
            | C::MultiBitCount
            | C::QuadVote(_) => used.extend(src),
            C::ReadLaneAt | C::QuadReadLaneAt => used.push(slot(src, 0)),
            C::RayQuery(_) => used.extend(src.iter().skip(1)),
            C::LevelOfDetail { shape, .. } => {
                let kind = shape.map(|shape| shape.kind);
                // The layer does not matter.
                let is_array = matches!(
                    kind,
                    Some(
                        ResourceKind::Texture1DArray
                            | ResourceKind::Texture2DArray
                            | ResourceKind::TextureCubeArray
                    )
                );
                let count = coordinates(*shape) - usize::from(is_array);
                used.extend(src.iter().skip(2).take(count));
            }
            C::WriteFeedback(super::code::FeedbackWrite { texture, .. }) => {
                used.extend(src.iter().skip(3).take(coordinates(*texture)));
            }
            _ => {}
        }
        self.require_defined(used);
    }
}
