//! Who wrote a value: the search for the instruction that changed it last, and for its lane.

use dxil_cpu::watch::Moment;
use dxil_frontend::dxil::ResourceKind;
use dxil_frontend::dxil::ops::{Opcode, classify_callees, op_arguments};
use dxil_frontend::ir::{FuncView, Inst, ValueId};

use crate::breakpoints::{DataBreakpoint, change};
use crate::expression::{ExpressionError, Scope};
use crate::number::ScalarKind;
use crate::program::Program;
use crate::resources;
use crate::stack::StackFrame;
use crate::value::{Known, Leaf, Place, Value, to_source};
use crate::variables::{scalar_of, scalars_of, words_of};

/// A value whose writer is looked for.
pub(crate) struct Search {
    data: DataBreakpoint,
    /// The value where the search began, if all of it lies in memory: its places stay the same,
    /// whatever becomes of the indices that have named it.
    places: Option<Value>,
    last: Option<Value>,
}

impl Search {
    /// Returns a search for the writer of what a [`data_id`](crate::data_id) names.
    ///
    /// # Errors
    ///
    /// What is wrong with the expression.
    pub(crate) fn new(
        id: &str,
        scope: Scope<'_, '_>,
        stack: &[StackFrame],
    ) -> Result<Search, ExpressionError> {
        let data = DataBreakpoint::new(0, id)?;
        let is_memory = |leaf: &Leaf| match leaf.place {
            Place::Private { .. } | Place::Shared { .. } | Place::Buffer { .. } => true,
            Place::None | Place::Part { .. } => false,
        };
        let value = data.value(scope, stack);
        let places = value.filter(|value| value.leaves.iter().all(is_memory));
        Ok(Search {
            data,
            places,
            last: None,
        })
    }

    /// Returns the text of the expression.
    pub(crate) fn into_text(self) -> String {
        self.data.text
    }

    /// Returns how the value has changed since the last call, in words.
    pub(crate) fn changed(&mut self, scope: Scope<'_, '_>, stack: &[StackFrame]) -> Option<String> {
        let value = match &self.places {
            Some(places) => read_again(scope, places),
            None => self.data.value(scope, stack)?,
        };
        let last = self.last.replace(value);
        change(&self.data.text, last.as_ref()?, self.last.as_ref()?)
    }

    /// Returns the lane that the instruction writes the value for, the last one where several do;
    /// none where that is not known: for values in registers, and texels.
    pub(crate) fn writer(&self, program: &Program<'_>, moment: &Moment<'_>) -> Option<usize> {
        let places = self.places.as_ref()?;
        let stride = stride_of(program, places);
        let mut lanes = (0..moment.lanes()).filter(|lane| moment.active() >> lane & 1 != 0);
        let writes = |lane: &usize| {
            written(program, moment, (*lane, stride)).is_some_and(|range| {
                let mut leaves = places.leaves.iter();
                leaves.any(|leaf| range.has(leaf.place))
            })
        };
        lanes.rfind(writes)
    }
}

/// Reads the value at the same places again.
fn read_again(scope: Scope<'_, '_>, value: &Value) -> Value {
    let mut kinds = Vec::with_capacity(value.leaves.len());
    value.ty.each_scalar(0, &mut |_, kind| kinds.push(kind));
    let leaves = value.leaves.iter().zip(kinds);
    let leaves = leaves.map(|(leaf, kind)| Leaf {
        known: bits_at(scope, leaf.place, kind).map_or(Known::Outside, Known::Bits),
        place: leaf.place,
    });
    Value {
        ty: value.ty.clone(),
        leaves: leaves.collect(),
    }
}

fn bits_at(scope: Scope<'_, '_>, place: Place, kind: ScalarKind) -> Option<u64> {
    let moment = scope.moment;
    let scalar = match place {
        Place::Buffer { register, at } => return moment.buffer_word(register, at, kind.bits / 8),
        Place::Shared { address, ty } => scalar_of(ty, |at| {
            moment.shared_word(address.wrapping_add(at)).map(u64::from)
        }),
        Place::Private { address, ty } => scalar_of(ty, |at| {
            let word = moment.word(scope.lane, address.wrapping_add(at));
            word.map(u64::from)
        }),
        Place::None | Place::Part { .. } => None,
    };
    Some(to_source(scalar?, kind))
}

/// What an instruction writes for a lane.
enum Written {
    /// Words of memory, from an address on.
    Words { address: u32, count: u32 },
    /// Bytes of a buffer.
    Bytes { at: u64, count: u64 },
}

impl Written {
    fn has(&self, place: Place) -> bool {
        match (self, place) {
            (Written::Words { address, count }, Place::Shared { address: own, .. })
            | (Written::Words { address, count }, Place::Private { address: own, .. }) => own
                .checked_sub(*address)
                .is_some_and(|offset| offset < *count),
            (Written::Bytes { at, count }, Place::Buffer { at: own, .. }) => {
                own.checked_sub(*at).is_some_and(|offset| offset < *count)
            }
            _ => false,
        }
    }
}

/// Returns what the instruction before which the wave has stopped writes for a lane; none for
/// instructions that write to no memory. `stride` is that of a structured buffer.
fn written(
    program: &Program<'_>,
    moment: &Moment<'_>,
    (lane, stride): (usize, Option<u64>),
) -> Option<Written> {
    let call = moment.depth().checked_sub(1)?;
    let frame = moment.frame(call)?;
    let module = &program.shader.module;
    let view = FuncView {
        module,
        function: module.body(frame.function)?,
    };
    let inst = &view.function.insts.get(frame.inst)?.inst;
    let bits = |value: ValueId| moment.value(call, value, lane)?.first().copied();
    if let Inst::Store { pointer, value, .. }
    | Inst::AtomicRmw { pointer, value, .. }
    | Inst::CmpXchg { pointer, value, .. } = *inst
    {
        let scalars = scalars_of(&module.types, view.value(value)?.ty)?;
        return Some(Written::Words {
            address: bits(pointer)? as u32,
            count: scalars.into_iter().map(words_of).sum(),
        });
    }
    let callees = classify_callees(module).ok()?;
    let args = op_arguments(view, &callees, inst)?;
    // The places of index, offset and first value among the arguments, of which the first is the
    // opcode, and the number of values.
    let (index, offset, value, count) = match program.operation(frame.function, frame.inst)? {
        Opcode::BufferStore | Opcode::RawBufferStore => {
            let mask = args.get(8).and_then(|mask| bits(*mask)).unwrap_or(1);
            (2, 3, 4, 8 - u64::from((mask as u8).leading_zeros()))
        }
        Opcode::AtomicBinOp => (3, 4, 6, 1),
        Opcode::AtomicCompareExchange => (2, 3, 6, 1),
        _ => return None,
    };
    let at = |number: usize| args.get(number).copied();
    let scalar = scalars_of(&module.types, view.value(at(value)?)?.ty)?;
    let bytes: u64 = scalar
        .into_iter()
        .map(|ty| u64::from(words_of(ty)) * 4)
        .sum();
    let index = u64::from(bits(at(index)?)? as u32);
    let start = match stride {
        Some(stride) => {
            let offset = at(offset).and_then(bits).unwrap_or(0) as u32;
            index.checked_mul(stride)?.checked_add(u64::from(offset))?
        }
        None => index,
    };
    Some(Written::Bytes {
        at: start,
        count: bytes * count,
    })
}

/// Returns the bytes of an element of the structured buffer that a value lies in; none for values
/// elsewhere.
fn stride_of(program: &Program<'_>, value: &Value) -> Option<u64> {
    let Place::Buffer { register, .. } = value.leaves.first()?.place else {
        return None;
    };
    let is_it = |resource: &resources::Resource<'_>| {
        let declared = resource.declared;
        let place = register.index.checked_sub(declared.register);
        (declared.class, declared.space) == (register.class, register.space)
            && place.is_some_and(|place| declared.count.is_none_or(|count| place < count))
    };
    let found = resources::all(program).find(is_it)?;
    let is_structured = found.declared.kind == ResourceKind::StructuredBuffer;
    found.stride().filter(|_| is_structured).map(u64::from)
}
