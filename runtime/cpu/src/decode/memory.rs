//! Variables, addresses, loads and atomics through pointers.

use dxil_frontend::dxil::ops::AtomicOp;
use dxil_frontend::ir::{
    AtomicRmwOp, Constant, ConstantExpr, Inst, Type, TypeId, ValueDef, ValueId, address_space,
};

use super::code::{ComplexOp, RegisterSlot, Shadow, Space};
use super::constants::{field_offset, sign_extended};
use super::function::Decoder;
use super::lane_ops::{LaneOp, RegisterKind};
use super::scalar_type::ScalarType;
use crate::error::Result;

impl Decoder<'_, '_> {
    /// Returns the memory that a pointer refers to: by its type, or by the variable that a constant
    /// casts to another address space.
    pub(super) fn space_of(&self, pointer: ValueId) -> Result<Space> {
        self.check_view(pointer)?;
        let global = self.view.global_of(pointer);
        let global = global.and_then(|global| self.view.module.globals.get(global));
        if global.is_some_and(|global| global.address_space == address_space::GROUP_SHARED) {
            return Ok(Space::Shared);
        }
        match *self.layout.types().get(self.ty(pointer)?) {
            Type::Pointer {
                address_space: 0, ..
            } => Ok(Space::Private),
            Type::Pointer {
                address_space: 3, ..
            } => Ok(Space::Shared),
            Type::Pointer {
                address_space: 6, ..
            } if self.module.is_node => Ok(Space::Record),
            Type::Pointer { address_space, .. } => {
                Err(self.unsupported(format!("pointers of address space {address_space}")))
            }
            _ => Err(self.malformed("a memory access through no pointer")),
        }
    }

    pub(super) fn alloca(
        &mut self,
        allocated: TypeId,
        count: ValueId,
    ) -> Result<Vec<RegisterSlot>> {
        /// Maximum number of words of one lane's variables.
        const MAX_WORDS: u64 = 1 << 20;
        let count = self
            .view
            .constant_int(count)
            .ok_or_else(|| self.unsupported("variables of a length that is not constant"))?;
        let words = self.layout.words(allocated).saturating_mul(count);
        let offset = self.code.private_words;
        let end = u64::from(offset).saturating_add(words);
        if end > MAX_WORDS {
            return Err(self.unsupported("local variables of more than 4 MiB"));
        }
        self.code.private_words = end as u32;
        let slot = self.new_slot(RegisterKind::W);
        self.complex(ComplexOp::Alloca(offset), &[slot], &[]);
        if self.follows_values() {
            let (first, words) = (offset, end as u32 - offset);
            let op = ComplexOp::Shadow(Shadow::Alloca { first, words });
            self.push_complex(op, &[], &[]);
        }
        Ok(vec![slot])
    }

    pub(super) fn load(&mut self, pointer: ValueId, ty: TypeId) -> Result<Vec<RegisterSlot>> {
        // A resource is loaded as the handle of its descriptor.
        if let Some((range, index)) = self.resource_variable(pointer) {
            let first = self
                .module
                .ranges
                .get(range as usize)
                .map_or(0, |range| range.first);
            let mut register = self.word(first);
            for (index, elements) in index {
                let index = self.index_slot(index)?;
                register = match elements {
                    1 => self.lane(LaneOp::Add32, &[register, index])?,
                    _ => {
                        let elements = self.word(elements);
                        self.lane(LaneOp::Mad32, &[index, elements, register])?
                    }
                };
            }
            let slot = self.new_slot(RegisterKind::W);
            self.complex(ComplexOp::Handle(range), &[slot], &[register]);
            return Ok(vec![slot]);
        }
        self.probe_indices(pointer, true)?;
        let pointer_slot = self.one(pointer)?;
        let space = self.space_of(pointer)?;
        if space == Space::Record {
            return self.record_load(pointer_slot, ty);
        }
        let words = self.layout.words(ty);
        let pointer_slot = self.inside_of_variable(pointer, pointer_slot, words)?;
        self.complex_of(ComplexOp::Load(space), ty, &[pointer_slot])
    }

    /// Returns an address of groupshared memory; where it leaves its variable, one that is nowhere:
    /// loads beyond the end give 0, and stores and atomics are dropped (DXIL document,
    /// "Out-of-bounds behavior"). `words` is the size of what is accessed.
    pub(super) fn inside_of_variable(
        &mut self,
        pointer: ValueId,
        address: RegisterSlot,
        words: u64,
    ) -> Result<RegisterSlot> {
        /// An address beyond all memory, as are those of the words after it.
        const NOWHERE: u32 = 1 << 31;
        let Some((first, size)) = self.group_variable(pointer) else {
            return Ok(address);
        };
        // The number of addresses where such a value is inside.
        let places = size.saturating_add(1).saturating_sub(words.max(1)) as u32;
        if let Some(known) = self.known(address)
            && (known as u32).wrapping_sub(first) < places
        {
            return Ok(address);
        }
        let (first, places, nowhere) = (self.word(first), self.word(places), self.word(NOWHERE));
        let offset = self.lane(LaneOp::Sub32, &[address, first])?;
        let is_inside = self.lane(LaneOp::ULt32, &[offset, places])?;
        self.lane(LaneOp::SelectW, &[is_inside, address, nowhere])
    }

    /// Refuses a pointer to narrower elements than those of the memory that it is cast from: each
    /// scalar of up to 32 bits has a word, so the parts of one have no addresses.
    pub(super) fn check_view(&self, pointer: ValueId) -> Result<()> {
        let types = self.layout.types();
        let bits = |pointer: ValueId| {
            let pointee = self
                .view
                .type_of(pointer)
                .and_then(|ty| types.pointee(ty))?;
            types.scalar_bits(types.first_scalar(pointee))
        };
        let source = match self.view.value(pointer).map(|value| value.def) {
            Some(ValueDef::Inst(inst)) => match self.view.function.insts.get(inst) {
                Some(data) => match data.inst {
                    Inst::Cast { value, .. } => Some(value),
                    _ => None,
                },
                None => None,
            },
            Some(ValueDef::Constant(Constant::Expr(ConstantExpr::Cast { value, .. }))) => {
                Some(value)
            }
            _ => None,
        };
        if let Some(from) = source.and_then(bits)
            && let Some(to) = bits(pointer)
            && to < from.min(32)
        {
            return Err(self.unsupported("memory of wider elements as an array of narrower ones"));
        }
        Ok(())
    }

    /// Returns address and words of the groupshared variable that a pointer leads into; `None` for
    /// other memory, and where it may be one of several.
    fn group_variable(&mut self, pointer: ValueId) -> Option<(u32, u64)> {
        let global = self.view.global_of(pointer)?;
        let global = self.view.module.globals.get(global)?;
        if global.address_space != address_space::GROUP_SHARED {
            return None;
        }
        let first = *self.module.globals.addresses.get(&global.value)?;
        Some((first, self.layout.words(global.ty)))
    }

    /// Returns an index as a number of 32 bits.
    pub(super) fn index_slot(&mut self, index: ValueId) -> Result<RegisterSlot> {
        let ty = self.scalar_of(index)?;
        let slot = self.one(index)?;
        match ty {
            ScalarType::Int(64) => self.lane(LaneOp::Low, &[slot]),
            ScalarType::Int(bits) if bits < 32 => self.signed(bits, slot),
            _ => Ok(slot),
        }
    }

    pub(super) fn address(&mut self, operands: &[ValueId]) -> Result<Vec<RegisterSlot>> {
        let (&base, indices) = operands
            .split_first()
            .ok_or_else(|| self.malformed("an address of nothing"))?;
        // Pointers to resources have no address; the load looks through them (`resource_variable`).
        if self.resource_variable(base).is_some() {
            return Ok(vec![self.word(0)]);
        }
        if self.is_record(base) {
            return self.record_address(base, indices);
        }
        self.check_view(base)?;
        let bad = "an address in a type that has no members";
        let mut ty = self
            .layout
            .types()
            .pointee(self.ty(base)?)
            .ok_or_else(|| self.malformed(bad))?;
        let mut address = self.one(base)?;
        // Constant parts of the address are added up here, so that a constant address costs one
        // addition.
        let mut known = 0_u32;
        for (position, &index) in indices.iter().enumerate() {
            if position > 0 {
                match self.layout.types().get(ty) {
                    Type::Array { element, .. } | Type::Vector { element, .. } => ty = *element,
                    Type::Struct { fields, .. } => {
                        let fields = fields.clone();
                        let number = self.view.constant_int(index);
                        let (field, before) = number
                            .and_then(|number| field_offset(&mut self.layout, &fields, number))
                            .ok_or_else(|| self.malformed(bad))?;
                        ty = field;
                        known = known.wrapping_add(before as u32);
                        continue;
                    }
                    _ => return Err(self.malformed(bad)),
                }
            }
            let step = self.layout.words(ty) as u32;
            if let Some(number) = self.view.constant_int(index) {
                let bits = self.layout.types().scalar_bits(self.ty(index)?);
                let number = sign_extended(number, bits.unwrap_or(64)) as u32;
                known = known.wrapping_add(number.wrapping_mul(step));
                continue;
            }
            let index = self.index_slot(index)?;
            let step = self.word(step);
            address = self.lane(LaneOp::Mad32, &[index, step, address])?;
        }
        if known != 0 {
            let known = self.word(known);
            address = self.lane(LaneOp::Add32, &[address, known])?;
        }
        Ok(vec![address])
    }

    pub(super) fn atomic(
        &mut self,
        op: AtomicRmwOp,
        pointer: ValueId,
        value: ValueId,
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        self.probe_indices(pointer, false)?;
        let space = self.space_of(pointer)?;
        let words = self.layout.words(ty);
        let [address, mut value] = self.ones([pointer, value])?;
        let pointer = self.inside_of_variable(pointer, address, words)?;
        let op = match op {
            AtomicRmwOp::Xchg => AtomicOp::Exchange,
            AtomicRmwOp::Add => AtomicOp::Add,
            // D3D12 has no atomic subtraction; adding the negative value is the same modulo 2^n.
            AtomicRmwOp::Sub => {
                let (op, zero) = match value.kind() {
                    RegisterKind::W => (LaneOp::Sub32, self.word(0)),
                    RegisterKind::D => (LaneOp::Sub64, self.constant(RegisterKind::D, 0)),
                };
                value = self.lane(op, &[zero, value])?;
                AtomicOp::Add
            }
            AtomicRmwOp::And => AtomicOp::And,
            AtomicRmwOp::Or => AtomicOp::Or,
            AtomicRmwOp::Xor => AtomicOp::Xor,
            AtomicRmwOp::Max => AtomicOp::IMax,
            AtomicRmwOp::Min => AtomicOp::IMin,
            AtomicRmwOp::UMax => AtomicOp::UMax,
            AtomicRmwOp::UMin => AtomicOp::UMin,
            AtomicRmwOp::Nand => return Err(self.unsupported("an atomic nand")),
        };
        self.complex_of(ComplexOp::Atomic(space, op), ty, &[pointer, value])
    }

    /// Loads a component of an indexable min-precision register: of a row of floats or of integers
    /// in their bits (DXIL document, "MinPrecXRegLoad").
    pub(super) fn indexable_load(
        &mut self,
        register: ValueId,
        place: (ValueId, u8),
        ty: TypeId,
    ) -> Result<Vec<RegisterSlot>> {
        let address = self.indexable_address(register, place)?;
        let space = self.space_of(register)?;
        let word = self.new_slot(RegisterKind::W);
        self.complex(ComplexOp::Load(space), &[word], &[address]);
        Ok(vec![match self.scalar_type(ty)? {
            ScalarType::Half => self.lane(LaneOp::FloatToHalf, &[word])?,
            ScalarType::Int(16) => {
                let low = self.word(0xffff);
                self.lane(LaneOp::And32, &[word, low])?
            }
            _ => word,
        }])
    }

    /// Stores a component of an indexable min-precision register.
    pub(super) fn indexable_store(
        &mut self,
        register: ValueId,
        place: (ValueId, u8),
        value: ValueId,
    ) -> Result<Vec<RegisterSlot>> {
        let address = self.indexable_address(register, place)?;
        let space = self.space_of(register)?;
        let slot = self.one(value)?;
        let word = match self.scalar_of(value)? {
            ScalarType::Half => self.lane(LaneOp::HalfToFloat, &[slot])?,
            _ => slot,
        };
        self.complex(ComplexOp::Store(space), &[], &[address, word]);
        Ok(Vec::new())
    }

    /// Returns the address of an indexed register, which has four components of a word each.
    fn indexable_address(
        &mut self,
        register: ValueId,
        (index, component): (ValueId, u8),
    ) -> Result<RegisterSlot> {
        if component > 3 {
            return Err(self.malformed("a register has four components"));
        }
        let (base, index) = (self.one(register)?, self.index_slot(index)?);
        let (four, component) = (self.word(4), self.word(u32::from(component)));
        let row = self.lane(LaneOp::Mad32, &[index, four, base])?;
        self.lane(LaneOp::Add32, &[row, component])
    }

    /// Returns the address of a temporary register, which all functions share. Registers of 16 bits
    /// and those of 32 are two files (DXIL document, "TempRegLoad").
    pub(super) fn temporary_register(
        &mut self,
        index: ValueId,
        is_narrow: bool,
    ) -> Result<RegisterSlot> {
        const MAX_REGISTERS: u64 = 4096 * 4;
        let index = self
            .view
            .constant_int(index)
            .filter(|&index| index < MAX_REGISTERS)
            .ok_or_else(|| self.unsupported("a temporary register without constant index"))?;
        let statics = &mut self.module.globals.statics;
        let registers = &mut self.module.temporary_registers;
        let address = *registers.entry((is_narrow, index)).or_insert_with(|| {
            statics.push(0);
            statics.len() as u32 - 1
        });
        Ok(self.static_address(address))
    }
}
