//! The uses of a resource by an operation. All of it follows from the operation's row in the op
//! table.

use dxil_frontend::dxil::ops::{
    BarrierMode, BarrierOp, BarrierSemantics, BufferOp, Group, Memory, MemoryTypes, Op, OpFlags,
    Opcode, ResourceOperands, Role, VectorOp,
};
use dxil_frontend::ir::{Constant, FuncView, Type, TypeId, ValueId};

use super::view::{ScalarCounts, Usage};
use crate::analysis::raw_offsets::RawOffset;

/// The handles of an operation and the usage it means.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct HandleAccess {
    /// The resource; `None` if the operation has none.
    pub(super) handle: Option<ValueId>,
    /// The sampler.
    pub(super) sampler: Option<ValueId>,
    /// The feedback map, which is changed by atomics.
    pub(super) feedback: Option<ValueId>,
    /// The kind of use.
    pub(super) usage: Usage,
    /// Values that are read or written, if that is a buffer.
    pub(super) scalars: ScalarCounts,
}

/// Returns whether the plan needs to know the operands: of handles, barriers, and operations that
/// end lanes.
pub(super) fn is_planned(opcode: Opcode) -> bool {
    let row = opcode.properties();
    row.takes_handles()
        || row.flags.intersects(OpFlags::BARRIER | OpFlags::DISCARD)
        || row.group == Group::Handle
}

/// Returns whether an operation is a barrier for UAV memory, and whether it waits for the thread
/// group.
pub(super) fn barrier_of(op: &Op) -> (bool, bool) {
    let Op::Barrier(op) = op else {
        return (false, false);
    };
    let sync = |semantics: BarrierSemantics| semantics.contains(BarrierSemantics::GROUP_SYNC);
    match op {
        BarrierOp::Barrier(op) => (
            op.mode
                .intersects(BarrierMode::UAV_FENCE_GLOBAL | BarrierMode::UAV_FENCE_THREAD_GROUP),
            op.mode.contains(BarrierMode::SYNC_THREAD_GROUP),
        ),
        BarrierOp::BarrierByMemoryType(op) => {
            (op.memory.contains(MemoryTypes::UAV), sync(op.semantics))
        }
        BarrierOp::BarrierByMemoryHandle(op) => (true, sync(op.semantics)),
        BarrierOp::BarrierByNodeRecordHandle(op) => (false, sync(op.semantics)),
    }
}

/// Returns the handles that an operation works on: resource, sampler, feedback map.
pub(crate) fn handles_of(op: &Op) -> [Option<ValueId>; 3] {
    match accessed_by(op) {
        Some(operands) => [operands.resource, operands.sampler, operands.feedback],
        None => [None; 3],
    }
}

/// Returns the operands that have to do with a resource that an operation accesses.
fn accessed_by(op: &Op) -> Option<ResourceOperands<'_>> {
    // A barrier on an object orders memory, and a handle that is annotated is not used yet: neither
    // needs a descriptor.
    match op {
        Op::Barrier(_) | Op::Handle(_) => None,
        op => Some(op.resource_operands()),
    }
}

/// Returns the access of the operation. `used` has a bit for each member of its result that is
/// used; `packed_halves` says whether 16-bit values have 16 bits in memory.
pub(super) fn access_of(
    op: &Op,
    view: FuncView<'_>,
    result: Option<ValueId>,
    used: u8,
    packed_halves: bool,
) -> HandleAccess {
    let Some(operands) = accessed_by(op).filter(|operands| operands.resource.is_some()) else {
        return HandleAccess::default();
    };
    let row = op.opcode().properties();
    let result_width = || {
        let types = &view.module.types;
        let first = result.and_then(|id| view.type_of(id)).map(|ty| {
            if let Type::Struct { fields, .. } = types.get(ty) {
                fields.first().copied().unwrap_or(ty)
            } else {
                ty
            }
        });
        width(view, first, packed_halves)
    };
    // Atomics are integers: they count against an array of floats, on which each would need a cast.
    let scalars = if row.flags.contains(OpFlags::ATOMIC) {
        ScalarCounts {
            floats: 0,
            others: 1,
        }
    } else if row.takes(Role::ConstantBuffer) || row.takes(Role::Buffer) {
        match operands.data.first() {
            Some(&data) => scalars_of(view, view.type_of(data), 1, packed_halves),
            None => scalars_of(
                view,
                result.and_then(|id| view.type_of(id)),
                u32::from(used).count_ones(),
                packed_halves,
            ),
        }
    } else {
        ScalarCounts::default()
    };
    let data_width = || {
        let data = operands.data.first().and_then(|&it| view.type_of(it));
        width(view, data, packed_halves)
    };
    // An absent one is that of a raw or typed buffer.
    let offset = match operands.element_offset.map(|it| view.constant_int(it)) {
        Some(None) => Usage::DYNAMIC_OFFSET,
        Some(Some(_)) | None => Usage::empty(),
    };
    // Results end with the residency status: that of a vector is member 1, that of four components
    // member 4.
    let last = if row.group == Group::Vector { 1 } else { 4 };
    let status = match used >> last & 1 {
        0 => Usage::empty(),
        _ => Usage::RESIDENCY,
    };
    let is_buffer = row.takes(Role::Buffer);
    let reads = row.memory == Memory::ReadOnly;
    let vectors = match raw_words(op, view, used) {
        Some(_)
            if is_16bit(
                view,
                operands.data.first().copied().or(result),
                packed_halves,
            ) =>
        {
            Usage::VECTORS_16
        }
        Some((offset, words)) if has_rows(RawOffset::of(view, offset), words) => Usage::VECTORS,
        _ => Usage::empty(),
    };
    let usage = if row.flags.contains(OpFlags::COUNTER) {
        Usage::COUNTER
    } else if row.flags.contains(OpFlags::ATOMIC) {
        atomic(data_width())
    } else if row.flags.intersects(OpFlags::QUERY | OpFlags::FEEDBACK) {
        match operands.sampler {
            Some(_) => Usage::QUERIED | Usage::SAMPLED,
            None => Usage::QUERIED,
        }
    } else if operands.sampler.is_some() {
        let filtered = if row.flags.contains(OpFlags::COMPARE) {
            Usage::COMPARED
        } else {
            Usage::SAMPLED
        };
        filtered | Usage::READ | status
    } else if row.takes(Role::AccelerationStructure) {
        Usage::READ
    } else if row.takes(Role::ConstantBuffer) {
        Usage::READ | Usage::WIDTH_32
    } else if is_buffer && reads {
        Usage::READ | aligned(result_width(), op, view) | status | offset | vectors
    } else if is_buffer {
        Usage::WRITE | aligned(data_width(), op, view) | offset | vectors
    } else if reads {
        Usage::READ | status
    } else {
        Usage::WRITE
    };
    HandleAccess {
        handle: operands.resource,
        sampler: operands.sampler,
        feedback: operands.feedback,
        usage,
        scalars,
    }
}

/// Returns the byte offset of an access to a raw buffer, or that in the element of a structured
/// buffer if it is computed, and the number of values that the access moves.
fn raw_words(op: &Op, view: FuncView<'_>, used: u8) -> Option<(ValueId, u32)> {
    let loaded = u32::from(used & 0xf).count_ones();
    let (index, offset, count) = match op {
        Op::Buffer(BufferOp::BufferLoad(op)) => (op.index, op.element_offset, loaded),
        Op::Buffer(BufferOp::RawBufferLoad(op)) => (op.index, op.element_offset, loaded),
        Op::Buffer(BufferOp::BufferStore(op)) => {
            (op.index, op.element_offset, u32::from(op.mask).count_ones())
        }
        Op::Buffer(BufferOp::RawBufferStore(op)) => {
            (op.index, op.element_offset, u32::from(op.mask).count_ones())
        }
        _ => return None,
    };
    // Structured buffers have an offset in the element; of raw ones it is undefined, or the place
    // of a part of a long vector.
    let is_constant = |&offset: &ValueId| {
        view.constant_int(offset).is_some()
            || matches!(view.constant(offset), Some(Constant::Undef))
    };
    let computed = offset.expand().filter(|offset| !is_constant(offset));
    (count > 1).then_some((computed.unwrap_or(index), count))
}

/// Returns whether a value, or the first member of a struct, takes 16 bits in memory.
fn is_16bit(view: FuncView<'_>, value: Option<ValueId>, packed_halves: bool) -> bool {
    let types = &view.module.types;
    let ty = value
        .and_then(|id| view.type_of(id))
        .map(|ty| match types.get(ty) {
            Type::Struct { fields, .. } => fields.first().copied().unwrap_or(ty),
            _ => ty,
        });
    width(view, ty, packed_halves) == Usage::WIDTH_16
}

/// Returns whether rows of a buffer may hold several of so many words.
fn has_rows(offset: RawOffset, words: u32) -> bool {
    offset.has_rows(2) || words >= 3 && offset.has_rows(3)
}

/// Counts values of a type, or of a struct's first member.
fn scalars_of(
    view: FuncView<'_>,
    ty: Option<TypeId>,
    count: u32,
    packed_halves: bool,
) -> ScalarCounts {
    let types = &view.module.types;
    let first = ty.map(|ty| match types.get(ty) {
        Type::Struct { fields, .. } => fields.first().copied().unwrap_or(ty),
        _ => ty,
    });
    // A vector counts for all of its elements.
    let (scalar, count) = match first.map(|ty| types.get(ty)) {
        Some(&Type::Vector { element, count }) => (Some(element), count),
        _ => (first, count),
    };
    let is_float = scalar.is_some_and(|scalar| match types.get(scalar) {
        Type::Float => true,
        // A min-precision float is a whole one in memory.
        Type::Half => !packed_halves,
        _ => false,
    });
    let (floats, others) = if is_float { (count, 0) } else { (0, count) };
    ScalarCounts { floats, others }
}

fn atomic(width: Usage) -> Usage {
    if width == Usage::WIDTH_64 {
        Usage::ATOMIC_64
    } else {
        Usage::ATOMIC_32 | Usage::WIDTH_32
    }
}

/// Returns the width of a buffer access, with a note if it is of 64 bits and not known to be
/// aligned to as many.
fn aligned(width: Usage, op: &Op, view: FuncView<'_>) -> Usage {
    let (align, index, offset) = match op {
        Op::Buffer(BufferOp::RawBufferLoad(op)) => (op.align, op.index, op.element_offset),
        Op::Buffer(BufferOp::RawBufferStore(op)) => (op.align, op.index, op.element_offset),
        Op::Vector(VectorOp::RawBufferVectorLoad(op)) => (op.align, op.index, op.element_offset),
        Op::Vector(VectorOp::RawBufferVectorStore(op)) => (op.align, op.index, op.element_offset),
        // Converted texels lie at multiples of their size.
        _ => return width,
    };
    // DXC says 4 for all raw buffers, whatever their address is. Their offset in the element is
    // undefined, that of structured buffers is not.
    let is_raw = |offset: ValueId| matches!(view.constant(offset), Some(Constant::Undef));
    match width {
        Usage::WIDTH_64
            if align < 8
                && !(offset.expand().is_none_or(is_raw)
                    && RawOffset::of(view, index).is_multiple_of_8()) =>
        {
            width | Usage::MISALIGNED_64
        }
        width => width,
    }
}

fn width(view: FuncView<'_>, ty: Option<TypeId>, packed_halves: bool) -> Usage {
    let types = &view.module.types;
    let bits = ty.and_then(|ty| types.scalar_bits(types.scalar_of(ty)));
    match bits {
        Some(16) if packed_halves => Usage::WIDTH_16,
        Some(64) => Usage::WIDTH_64,
        _ => Usage::WIDTH_32,
    }
}
