//! Class instances: `this` registers, and the resources that code names by them (D3D11.3 functional
//! specification, 7.19 and 22.7.20).
//!
//! Where the caller has named the instances, both are known, or are one of few. Otherwise a
//! constant buffer has the registers, and each type of resource is an array
//! ([`super::super::read_shader`]).

use super::constants;
use super::context::FunctionConverter;
use super::handles;
use super::index_value::IndexValue;
use super::instance_range::{InstanceRange, NamedResource, indexed};
use super::resource_table::Known;
use super::ssa::Def;
use crate::dxbc::declarations::ResourceDeclaration;
use crate::dxbc::linkage::Linked;
use crate::dxbc::tokens::Operand;
use crate::dxil::ResourceClass;
use crate::error::{Error, Result};
use crate::ir::{CmpPredicate, ValueId};

/// Register of the constant buffer with the instances: the first one that an application has no
/// slot for (`D3D11_COMMONSHADER_CONSTANT_BUFFER_API_SLOT_COUNT`).
const INSTANCE_BUFFER: u32 = 14;

/// First number of ranges that no instruction names: registers are smaller.
const FIRST_RANGE: u32 = 1 << 16;

/// Returns a component of a `this` register.
pub(super) fn this(
    c: &mut FunctionConverter<'_, '_>,
    operand: &Operand,
    component: u8,
) -> Result<Def> {
    let index = c.index(operand.indices[0])?;
    match c.shared.linked {
        None => Err(Error::malformed(
            "a `this` register in a shader without interfaces",
        )),
        Some(&Linked::Buffer { slots }) => buffer_row(c, index, slots, component),
        Some(Linked::Known { .. }) => known_row(c, index, 0, component),
    }
}

/// Returns the number of an interface slot's function table.
pub(super) fn table(c: &mut FunctionConverter<'_, '_>, operand: &Operand) -> Result<Def> {
    let index = c.index(operand.indices[0])?;
    match c.shared.linked {
        None => Err(Error::malformed("an interface slot without interfaces")),
        Some(Linked::Buffer { .. }) => buffer_row(c, index, 0, 0),
        Some(Linked::Known { this, .. }) => {
            let first = u32::try_from(this.len()).unwrap_or(0);
            known_row(c, index, first, 0)
        }
    }
}

/// Reads a row of the buffer with the instances.
fn buffer_row(
    c: &mut FunctionConverter<'_, '_>,
    index: IndexValue,
    first: u32,
    component: u8,
) -> Result<Def> {
    let class = ResourceClass::Cbv;
    let Some(&Linked::Buffer { slots }) = c.shared.linked else {
        return Err(indexed());
    };
    let known = match c.shared.instance_buffer {
        Some(known) => known,
        None => {
            let range = NamedResource::default().range(class)?;
            // Before shader model 5.1 the number of a resource is its register; ranges have any.
            let resources = &c.shared.resources.known;
            let is_free = |id: &u32| !resources.contains_key(&(class, *id));
            let known = match resources.get(&(class, INSTANCE_BUFFER)) {
                Some(&known) if !c.program.has_ranges() => known,
                _ => {
                    let id = (INSTANCE_BUFFER..).find(is_free).unwrap_or(INSTANCE_BUFFER);
                    let mut declared = range.declaration(id, (0, INSTANCE_BUFFER, 1));
                    declared.registers = 2 * slots;
                    c.declare(&declared)?
                }
            };
            c.shared.instance_buffer = Some(known);
            known
        }
    };
    let register = IndexValue::Known(INSTANCE_BUFFER);
    let handle = handles::create(c, class, &known, register, false)?;
    let row = c.sum(index, first);
    let row = c.index_id(row);
    constants::load_row(c, handle, row, component, false)
}

/// Reads a row of the known instances: those of `this`, then those of function tables.
fn known_row(
    c: &mut FunctionConverter<'_, '_>,
    index: IndexValue,
    first: u32,
    component: u8,
) -> Result<Def> {
    let Some(Linked::Known { this, tables }) = c.shared.linked else {
        return Err(indexed());
    };
    // No table has this number: tables are counted by the tokens of a program.
    let table = |table: &Option<u32>| [table.unwrap_or(u32::MAX), 0, 0, 0];
    let rows = this.iter().map(|instance| instance.row);
    let rows = rows.chain(tables.iter().map(table));
    match c.sum(index, first) {
        IndexValue::Known(row) => {
            let row = rows.into_iter().nth(row as usize).unwrap_or_default();
            Ok(Def::Bits(
                row.get(usize::from(component)).copied().unwrap_or(0),
            ))
        }
        IndexValue::Value(row) => {
            let count = u32::try_from(this.len() + tables.len()).unwrap_or(u32::MAX);
            let known = c.shared.instance_rows;
            let (variable, def) =
                constants::load_table(c, (known, "class_instances"), rows, count, row, component)?;
            c.shared.instance_rows = Some(variable);
            Ok(def)
        }
    }
}

/// Returns the resource whose register an instruction computes, and its handle.
pub(super) fn handle(
    c: &mut FunctionConverter<'_, '_>,
    class: ResourceClass,
    operand: &Operand,
) -> Result<(Known, ValueId)> {
    let range = c.named_resource.range(class)?;
    let index = c.index(operand.indices[0])?;
    match (c.shared.linked, index) {
        (None, _) => Err(indexed()),
        (Some(Linked::Buffer { .. }), _) => {
            let id = c.instance_range(range)?;
            let known = c.shared.resources.known.get(&(class, id)).copied();
            let known = known.ok_or_else(indexed)?;
            let handle = handles::create(c, class, &known, index, false)?;
            Ok((known, handle))
        }
        (Some(Linked::Known { .. }), IndexValue::Known(register)) => {
            let known = c.register_of(range, register)?.ok_or_else(|| {
                Error::malformed(format!(
                    "a class instance names {}{register}, which is declared as another type",
                    class.letter()
                ))
            })?;
            let index = IndexValue::Known(register);
            let handle = handles::create(c, class, &known, index, false)?;
            Ok((known, handle))
        }
        (Some(Linked::Known { this, .. }), IndexValue::Value(index)) => {
            let offset = operand.indices[0].offset;
            let mut registers: Vec<u32> = this
                .iter()
                .filter_map(|instance| instance.register(class, offset))
                .collect();
            registers.sort_unstable();
            registers.dedup();
            one_of(c, range, &registers, index)
        }
    }
}

/// Returns the resource of one of several registers, by the number that code has computed.
fn one_of(
    c: &mut FunctionConverter<'_, '_>,
    range: InstanceRange,
    registers: &[u32],
    index: ValueId,
) -> Result<(Known, ValueId)> {
    let mut chosen: Option<(Known, ValueId)> = None;
    for &register in registers {
        // Instances of other classes name other types.
        let Some(known) = c.register_of(range, register)? else {
            continue;
        };
        let place = IndexValue::Known(register);
        let handle = handles::create(c, range.class, &known, place, false)?;
        let Some((first, others)) = chosen else {
            chosen = Some((known, handle));
            continue;
        };
        let number = c.int(register);
        let is_this = c.compare(CmpPredicate::IEq, index, number);
        let ty = c.shared.module.types.handle;
        chosen = Some((first, c.select(is_this, handle, others, ty)));
    }
    chosen.ok_or_else(|| {
        Error::malformed(format!(
            "no class instance names a register {} of the type that is read",
            range.class.letter()
        ))
    })
}

impl FunctionConverter<'_, '_> {
    /// Declares a resource that the program does not.
    fn declare(&mut self, declared: &ResourceDeclaration) -> Result<Known> {
        let shared = &mut *self.shared;
        shared.resources.add(declared, &mut shared.module)?;
        let key = (declared.class, declared.id);
        shared
            .resources
            .known
            .get(&key)
            .copied()
            .ok_or_else(indexed)
    }

    /// Returns the resource of a register that a class instance names; none if it is declared as
    /// another type. The program need not declare it.
    fn register_of(&mut self, range: InstanceRange, register: u32) -> Result<Option<Known>> {
        if register >= FIRST_RANGE {
            return Err(indexed());
        }
        match self.shared.resources.known.get(&(range.class, register)) {
            Some(&known) => Ok(Some(known).filter(|known| range.is_of(known))),
            None => self
                .declare(&range.declaration(register, (0, register, 1)))
                .map(Some),
        }
    }

    /// Returns the number of the array with all resources of a type.
    fn instance_range(&mut self, range: InstanceRange) -> Result<u32> {
        if let Some(&known) = self.shared.instance_ranges.get(&range) {
            return Ok(known);
        }
        let id = FIRST_RANGE + u32::try_from(self.shared.instance_ranges.len()).unwrap_or(0);
        // Numbers of slots: `D3D11_COMMONSHADER_CONSTANT_BUFFER_API_SLOT_COUNT`, `.._SAMPLER_..`,
        // `.._INPUT_RESOURCE_..`.
        let (space, count) = match range.class {
            ResourceClass::Cbv => (1, 14),
            ResourceClass::Sampler => (1 + u32::from(range.compares), 16),
            _ => {
                self.shared.instance_textures += 1;
                (self.shared.instance_textures, 128)
            }
        };
        self.declare(&range.declaration(id, (space, 0, count)))?;
        self.shared.instance_ranges.insert(range, id);
        Ok(id)
    }

    /// Returns an index plus a constant.
    fn sum(&mut self, index: IndexValue, offset: u32) -> IndexValue {
        match index {
            IndexValue::Known(known) => IndexValue::Known(known.wrapping_add(offset)),
            IndexValue::Value(value) if offset == 0 => IndexValue::Value(value),
            IndexValue::Value(value) => {
                let (ty, offset) = (self.i32(), self.int(offset));
                IndexValue::Value(self.binary(crate::ir::BinaryOp::Add, ty, value, offset))
            }
        }
    }
}
