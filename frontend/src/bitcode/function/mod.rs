//! FUNCTION_BLOCK: the body of a function.
//!
//! Operands are numbers relative to the next value. A number that is not below it is a forward
//! reference, and where the context does not tell its type, the type follows in the record. Types
//! of results are computed here, since later records depend on them; whether operands resolve and
//! have the types that their instructions ask for is checked by [`super::verify`] when the body is
//! complete.

mod fields;
mod instructions;

use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

use fields::Fields;

use super::block_ids::{
    CONSTANTS_BLOCK, METADATA_ATTACHMENT_BLOCK, METADATA_BLOCK, VALUE_SYMTAB_BLOCK,
};
use super::codes;
use super::constants::{self, value_id};
use super::metadata::{self, Numbering};
use super::stream::{Event, Record, Stream};
use super::symtab::{self, Symbol};
use super::types::TypeDecoder;
use crate::error::{Error, ErrorKind, Result};
use crate::ir::{
    Block, BlockId, Constant, DebugLoc, FuncId, Function, Inst, InstData, InstId, MdId, MdNode,
    Metadata, Type, TypeId, ValueData, ValueDef, ValueId,
};

/// Codes of records.
pub(super) mod code {
    pub(in crate::bitcode) const DECLARE_BLOCKS: u32 = 1;
    pub(in crate::bitcode) const BINOP: u32 = 2;
    pub(in crate::bitcode) const CAST: u32 = 3;
    pub(in crate::bitcode) const GEP_OLD: u32 = 4;
    pub(in crate::bitcode) const SELECT: u32 = 5;
    pub(in crate::bitcode) const EXTRACT_ELEMENT: u32 = 6;
    pub(in crate::bitcode) const INSERT_ELEMENT: u32 = 7;
    pub(in crate::bitcode) const SHUFFLE_VECTOR: u32 = 8;
    pub(in crate::bitcode) const CMP: u32 = 9;
    pub(in crate::bitcode) const RET: u32 = 10;
    pub(in crate::bitcode) const BR: u32 = 11;
    pub(in crate::bitcode) const SWITCH: u32 = 12;
    pub(in crate::bitcode) const UNREACHABLE: u32 = 15;
    pub(in crate::bitcode) const PHI: u32 = 16;
    pub(in crate::bitcode) const ALLOCA: u32 = 19;
    pub(in crate::bitcode) const LOAD: u32 = 20;
    pub(in crate::bitcode) const STORE_OLD: u32 = 24;
    pub(in crate::bitcode) const EXTRACT_VALUE: u32 = 26;
    pub(in crate::bitcode) const INSERT_VALUE: u32 = 27;
    pub(in crate::bitcode) const CMP2: u32 = 28;
    pub(in crate::bitcode) const VSELECT: u32 = 29;
    pub(in crate::bitcode) const INBOUNDS_GEP_OLD: u32 = 30;
    pub(in crate::bitcode) const DEBUG_LOC_AGAIN: u32 = 33;
    pub(in crate::bitcode) const CALL: u32 = 34;
    pub(in crate::bitcode) const DEBUG_LOC: u32 = 35;
    pub(in crate::bitcode) const FENCE: u32 = 36;
    pub(in crate::bitcode) const ATOMIC_RMW: u32 = 38;
    pub(in crate::bitcode) const GEP: u32 = 43;
    pub(in crate::bitcode) const STORE: u32 = 44;
    pub(in crate::bitcode) const CMPXCHG_OLD: u32 = 37;
    pub(in crate::bitcode) const CMPXCHG: u32 = 46;
}

/// The parts of a module that its bodies need.
pub(super) struct Surroundings<'m> {
    pub(super) types: &'m mut TypeDecoder,
    pub(super) values: &'m [ValueData],
    pub(super) metadata: &'m mut Metadata,
    /// Metadata nodes of the module itself.
    pub(super) metadata_count: usize,
    /// Number of attribute sets.
    pub(super) attribute_sets: usize,
}

struct BodyDecoder<'m> {
    types: &'m mut TypeDecoder,
    module_values: &'m [ValueData],
    metadata: &'m mut Metadata,
    numbering: Numbering,
    function: Function,
    void: TypeId,
    /// Number of the next value.
    next_value: u32,
    declared_blocks: u32,
    block_start: InstId,
    uses: Uses,
    /// Types that forward references claim.
    claims: Vec<(ValueId, TypeId)>,
    /// Arguments that are metadata: index in the pool, type, node.
    metadata_args: Vec<(usize, TypeId, MdId)>,
    old_exchanges: Vec<OldExchange>,
    last_loc: Option<DebugLoc>,
    attribute_sets: usize,
}

/// The uses of values, other than those of phis. Nearly all are of values that are surely defined
/// when the instruction is executed: those of the module, those of the entry, and those before it
/// in its block.
#[derive(Debug)]
struct Uses {
    /// Number after the values of the module and, once it is over, of the entry.
    entry_end: u32,
    /// Number of the first value of the block.
    block_first: u32,
    /// The uses of all others.
    far: Vec<FarUse>,
}

impl Uses {
    /// Notes that an instruction uses `value`. `next` is the number of the next value; `at`, which
    /// gives the instruction, is rarely called.
    #[inline]
    fn note(&mut self, value: ValueId, next: u32, at: impl FnOnce() -> InstId) {
        let number = value.as_u32();
        let is_near = number < self.entry_end || (self.block_first..next).contains(&number);
        if !is_near {
            self.note_far(FarUse { value, at: at() });
        }
    }

    #[inline(never)]
    fn note_far(&mut self, used: FarUse) {
        self.far.push(used);
    }
}

/// A compare-exchange of the form from before LLVM 3.7.
struct OldExchange {
    /// The instruction. The one after it takes the old value out of its result; the file counts
    /// both as one.
    exchange: InstId,
    /// The file's number of both.
    number: u32,
    /// Type of the instruction's result.
    pair: TypeId,
}

/// Returns the index of the instruction that the file counts as `number`; of the second one, where
/// it counts two as one.
fn counted(old_exchanges: &[OldExchange], number: u32) -> u32 {
    let before = old_exchanges.partition_point(|old| old.number <= number);
    number.saturating_add(u32::try_from(before).unwrap_or(u32::MAX))
}

/// A use of a value that lies ahead, or in another block than the entry and the use's own.
#[derive(Debug, Clone, Copy)]
pub(super) struct FarUse {
    pub(super) value: ValueId,
    pub(super) at: InstId,
}

/// Decodes the block that was just entered. `id` is the function, `ty` its function type. Returns
/// the uses, other than those of phis, for which [`super::verify`] must look for the definition.
pub(super) fn decode(
    stream: &mut Stream<'_>,
    around: Surroundings<'_>,
    id: FuncId,
    ty: TypeId,
) -> Result<(Function, Vec<FarUse>)> {
    // LLVM Bitcode File Format, "MODULE_CODE_VERSION Record": a function's values are numbered on
    // from those of the module.
    let first_value = u32::try_from(around.values.len())
        .map_err(|_| Error::malformed("too many values in the module"))?;
    let void = around.types.void();
    let numbering = Numbering {
        module: around.metadata_count,
        local: around.metadata.nodes.len(),
    };
    let mut insts = PrimaryMap::new();
    // Typical instructions take 30 bits and more, an operand 8.
    let maximum = stream.remaining_bits() / 32;
    insts.reserve(maximum);
    let mut body = BodyDecoder {
        types: around.types,
        module_values: around.values,
        metadata: around.metadata,
        numbering,
        function: Function {
            id,
            first_value,
            values: Vec::with_capacity(maximum),
            arg_count: 0,
            insts,
            blocks: PrimaryMap::new(),
            value_pool: Vec::with_capacity(maximum),
            edge_pool: Vec::new(),
            number_pool: Vec::new(),
            debug_locs: SecondaryMap::new(),
            call_sites: Vec::new(),
            attachments: Vec::new(),
            function_attachments: Vec::new(),
            value_names: Vec::new(),
            block_names: Vec::new(),
        },
        void,
        next_value: first_value,
        declared_blocks: 0,
        block_start: InstId::from_u32(0),
        uses: Uses {
            entry_end: first_value,
            block_first: first_value,
            far: Vec::new(),
        },
        claims: Vec::new(),
        metadata_args: Vec::new(),
        old_exchanges: Vec::new(),
        last_loc: None,
        attribute_sets: around.attribute_sets,
    };
    body.add_arguments(ty)?;
    body.decode_block(stream)?;
    let function = &body.function;
    stream.charge_graph(function.blocks.len(), function.edge_pool.len())?;
    body.finish()
}

impl BodyDecoder<'_> {
    fn add_arguments(&mut self, ty: TypeId) -> Result<()> {
        let Type::Function { params, .. } = self.types.get(ty) else {
            return Err(Error::malformed("a function's type is not a function type"));
        };
        for (index, param) in (0..).zip(params) {
            self.function.values.push(ValueData {
                ty: *param,
                def: ValueDef::Argument(index),
            });
        }
        self.function.arg_count = u32::try_from(params.len()).unwrap_or(u32::MAX);
        self.sync_next_value()
    }

    /// Sets the next value's number after values were added.
    fn sync_next_value(&mut self) -> Result<()> {
        let next = u32::try_from(self.function.values.len())
            .ok()
            .and_then(|count| self.function.first_value.checked_add(count))
            // Far below `u32::MAX`, which packed options reserve, and below the placeholder of
            // metadata arguments next to it.
            .filter(|next| *next < u32::MAX / 2);
        match next {
            Some(next) => {
                self.next_value = next;
                Ok(())
            }
            None => Err(Error::malformed("too many values in a function")),
        }
    }

    fn decode_block(&mut self, stream: &mut Stream<'_>) -> Result<()> {
        loop {
            match stream.next()? {
                Event::Record(code) => {
                    let record = stream.record();
                    self.decode_record(code, &record).map_err(|error| {
                        let inst = self.function.insts.next_key();
                        let block = self.function.blocks.next_key();
                        error.at_offset(record.offset).in_block(block).at_inst(inst)
                    })?;
                }
                Event::Block(id) => self.decode_sub_block(id, stream)?,
                Event::End => return Ok(()),
            }
        }
    }

    fn decode_sub_block(&mut self, id: u32, stream: &mut Stream<'_>) -> Result<()> {
        match id {
            CONSTANTS_BLOCK => {
                // LLVM writes constants first, and `verify` relies on it to find them all.
                if !self.function.insts.is_empty() {
                    return Err(stream.err(ErrorKind::Malformed(
                        "a function's constants come after its instructions".into(),
                    )));
                }
                stream.enter(id)?;
                let mut tables = constants::ConstantTables {
                    values: &mut self.function.values,
                    value_pool: &mut self.function.value_pool,
                    number_pool: &mut self.function.number_pool,
                };
                constants::decode(stream, self.types, &mut tables)?;
                self.sync_next_value()
            }
            METADATA_BLOCK => {
                stream.enter(id)?;
                // Kinds are the module's; a function has none.
                metadata::decode(stream, self.types, self.numbering, self.metadata).map(|_| ())
            }
            METADATA_ATTACHMENT_BLOCK => {
                stream.enter(id)?;
                let function = &mut self.function;
                let old_exchanges = &self.old_exchanges;
                metadata::decode_attachments(stream, self.numbering, |record, inst, kind, node| {
                    match inst.map(|number| counted(old_exchanges, number)) {
                        // The block of attachments follows the instructions, so the count is final
                        // here.
                        Some(inst) if (inst as usize) < function.insts.len() => {
                            function
                                .attachments
                                .push((InstId::from_u32(inst), kind, node));
                            Ok(())
                        }
                        Some(_) => Err(record.malformed("metadata is attached to no instruction")),
                        None => {
                            function.function_attachments.push((kind, node));
                            Ok(())
                        }
                    }
                })
            }
            VALUE_SYMTAB_BLOCK => {
                stream.enter(id)?;
                let function = &mut self.function;
                symtab::decode(stream, |symbol| match symbol {
                    Symbol::Value(id, name) if id != u32::MAX => {
                        function.value_names.push((ValueId::from_u32(id), name));
                    }
                    Symbol::Block(id, name) if id != u32::MAX => {
                        function.block_names.push((BlockId::from_u32(id), name));
                    }
                    Symbol::Value(..) | Symbol::Block(..) => {}
                })
            }
            // Use-list orders and what newer versions may add.
            _ => stream.skip().map(|_| ()),
        }
    }

    /// Returns the type of a value that is already defined.
    #[inline]
    fn type_of(&self, id: ValueId) -> Option<TypeId> {
        let index = id.index();
        let first = self.function.first_value as usize;
        let value = if index < first {
            self.module_values.get(index)
        } else {
            self.function.values.get(index - first)
        };
        value.map(|value| value.ty)
    }

    /// Returns the constant integer that a value is.
    fn constant_int(&self, id: ValueId) -> Option<u64> {
        let index = id.index();
        let first = self.function.first_value as usize;
        let value = if index < first {
            self.module_values.get(index)
        } else {
            self.function.values.get(index - first)
        };
        match value?.def {
            ValueDef::Constant(Constant::Int(value)) => Some(value),
            ValueDef::Constant(Constant::Null) => Some(0),
            _ => None,
        }
    }

    fn block(&self, number: u64, record: &Record<'_>) -> Result<BlockId> {
        match u32::try_from(number) {
            Ok(number) if number < self.declared_blocks => Ok(BlockId::from_u32(number)),
            _ => Err(record.err(ErrorKind::BadValue {
                what: "block number",
                value: number,
                rule: "the function must have that block",
            })),
        }
    }

    fn push(&mut self, inst: Inst, ty: TypeId, record: &Record<'_>) -> Result<()> {
        if self.function.blocks.len() >= self.declared_blocks as usize {
            return Err(record.malformed("an instruction lies outside of the function's blocks"));
        }
        // Only results with a value take a number; a `void` call takes none.
        let result = if ty == self.void {
            None
        } else {
            if !self.types.is_value(ty) {
                return Err(record.malformed("an instruction's result has a type without values"));
            }
            Some(value_id(self.next_value, record)?)
        };
        let id = self.function.insts.push(InstData {
            inst,
            ty,
            result: result.into(),
        });
        if result.is_some() {
            self.function.values.push(ValueData {
                ty,
                def: ValueDef::Inst(id),
            });
            self.next_value += 1;
            if self.next_value >= u32::MAX / 2 {
                return Err(record.malformed("too many values in a function"));
            }
        }
        // Blocks are not delimited in the file: each terminator ends one, and the next one begins.
        if inst.is_terminator() {
            let end = self.function.insts.next_key();
            self.function.blocks.push(Block {
                first: self.block_start,
                end,
            });
            self.block_start = end;
            self.uses.block_first = self.next_value;
            if self.function.blocks.len() == 1 {
                self.uses.entry_end = self.next_value;
            }
        }
        Ok(())
    }

    fn decode_record(&mut self, code: u32, record: &Record<'_>) -> Result<()> {
        let mut fields = Fields { record, at: 0 };
        match code {
            code::DECLARE_BLOCKS => {
                // Branches name blocks that lie ahead, so their count must come before all
                // instructions.
                self.declared_blocks = record.u32(0, "number of blocks")?;
                if self.declared_blocks == u32::MAX || !self.function.insts.is_empty() {
                    return Err(record.malformed("a function's blocks are declared wrongly"));
                }
                // A block has an instruction at least, and there is room for all of these already.
                let maximum = self.function.values.capacity();
                let blocks = self.declared_blocks as usize;
                self.function.blocks.reserve_exact(blocks.min(maximum));
                Ok(())
            }
            code::CALL => self.decode_call(&mut fields),
            code::BINOP => self.decode_binary(&mut fields),
            code::CAST => {
                let (value, _) = self.typed_value(&mut fields)?;
                let ty = self.types.by_number(fields.next()?, record)?;
                let op = codes::cast_op(fields.next()?)
                    .ok_or_else(|| record.malformed("unknown cast"))?;
                fields.end()?;
                self.push(Inst::Cast { op, value }, ty, record)
            }
            code::EXTRACT_VALUE => {
                let (aggregate, ty) = self.typed_value(&mut fields)?;
                let (indices, ty) = self.member_indices(&mut fields, ty)?;
                self.push(Inst::ExtractValue { aggregate, indices }, ty, record)
            }
            code::INSERT_VALUE => {
                let (aggregate, ty) = self.typed_value(&mut fields)?;
                let (value, _) = self.typed_value(&mut fields)?;
                let (indices, _) = self.member_indices(&mut fields, ty)?;
                self.push(
                    Inst::InsertValue {
                        aggregate,
                        value,
                        indices,
                    },
                    ty,
                    record,
                )
            }
            code::CMP | code::CMP2 => self.decode_compare(&mut fields),
            code::BR => self.decode_branch(&mut fields),
            code::PHI => self.decode_phi(&mut fields),
            code::SELECT | code::VSELECT => {
                let (if_true, ty) = self.typed_value(&mut fields)?;
                let if_false = self.value(&mut fields)?;
                let condition = if code == code::SELECT {
                    self.value(&mut fields)?
                } else {
                    self.typed_value(&mut fields)?.0
                };
                fields.end()?;
                self.push(
                    Inst::Select {
                        condition,
                        if_true,
                        if_false,
                    },
                    ty,
                    record,
                )
            }
            code::GEP | code::GEP_OLD | code::INBOUNDS_GEP_OLD => {
                self.decode_gep(code, &mut fields)
            }
            code::LOAD => self.decode_load(&mut fields),
            code::STORE | code::STORE_OLD => self.decode_store(code, &mut fields),
            code::ALLOCA => self.decode_alloca(&mut fields),
            code::RET => {
                let value = if record.ops.is_empty() {
                    None
                } else {
                    Some(self.typed_value(&mut fields)?.0)
                };
                fields.end()?;
                self.push(
                    Inst::Ret {
                        value: value.into(),
                    },
                    self.void,
                    record,
                )
            }
            code::SWITCH => self.decode_switch(&mut fields),
            code::UNREACHABLE => self.push(Inst::Unreachable, self.void, record),
            code::EXTRACT_ELEMENT | code::INSERT_ELEMENT | code::SHUFFLE_VECTOR => {
                self.decode_vector(code, &mut fields)
            }
            code::ATOMIC_RMW | code::CMPXCHG | code::CMPXCHG_OLD | code::FENCE => {
                self.decode_atomic(code, &mut fields)
            }
            code::DEBUG_LOC => {
                let loc = DebugLoc {
                    line: u32::try_from(fields.next()?).unwrap_or(0),
                    column: u32::try_from(fields.next()?).unwrap_or(0),
                    // Scopes are stored plus one; 0 is none.
                    scope: self.numbering.resolve_optional(fields.next()?, record)?,
                    inlined_at: self.numbering.resolve_optional(fields.next()?, record)?,
                };
                self.last_loc = Some(loc);
                self.set_location(record)
            }
            code::DEBUG_LOC_AGAIN => self.set_location(record),
            // `Unsupported`, not malformed: the records are valid LLVM 3.7, but DXIL has no
            // exceptions and no dynamic dispatch (DXIL document, "Shader restrictions").
            13 | 31 | 40 | 47 | 39 => {
                Err(record.unsupported("exceptions and indirect branches are not part of DXIL"))
            }
            23 => Err(record.unsupported("va_arg is not part of DXIL")),
            41 | 42 | 45 => Err(record.unsupported("atomic loads and stores")),
            _ => Err(record.err(ErrorKind::Unsupported(format!(
                "instruction record {code}, which LLVM 3.7 does not write"
            )))),
        }
    }

    /// Gives the last instruction the last location.
    #[allow(
        clippy::indexing_slicing,
        reason = "indexing a secondary map reads a default and grows"
    )]
    fn set_location(&mut self, record: &Record<'_>) -> Result<()> {
        match self.function.insts.last() {
            Some((inst, _)) => {
                self.function.debug_locs[inst] = self.last_loc;
                Ok(())
            }
            None => Err(record.malformed("a source position comes before all instructions")),
        }
    }

    /// Returns an operand with its type, which follows if the value is not defined yet.
    #[inline]
    fn typed_value(&mut self, fields: &mut Fields<'_, '_>) -> Result<(ValueId, TypeId)> {
        let id = self.value(fields)?;
        match self.type_of(id) {
            Some(ty) => Ok((id, ty)),
            None => {
                let ty = self.types.by_number(fields.next()?, fields.record)?;
                // The type is taken on trust here, since result types must be computed on the way.
                // `finish` compares it with the definition.
                self.claims.push((id, ty));
                Ok((id, ty))
            }
        }
    }

    /// Returns an operand whose type the context gives.
    #[inline]
    fn value(&mut self, fields: &mut Fields<'_, '_>) -> Result<ValueId> {
        let id = fields.value(self.next_value)?;
        self.note_use(id);
        Ok(id)
    }

    /// Notes that the present instruction uses a value.
    #[inline]
    fn note_use(&mut self, value: ValueId) {
        let insts = &self.function.insts;
        self.uses.note(value, self.next_value, || insts.next_key());
    }

    /// Checks what can only be checked at the end, and gives metadata arguments their numbers.
    fn finish(mut self) -> Result<(Function, Vec<FarUse>)> {
        if self.function.blocks.len() != self.declared_blocks as usize {
            return Err(Error::malformed(format!(
                "the function declares {} blocks and has {}",
                self.declared_blocks,
                self.function.blocks.len()
            )));
        }
        if self.declared_blocks == 0 {
            return Err(Error::malformed("the function has a body without blocks"));
        }
        if self.block_start.index() != self.function.insts.len() {
            return Err(Error::malformed(
                "the function's last block has no terminator",
            ));
        }
        for (value, claimed) in &self.claims {
            if self.type_of(*value) != Some(*claimed) {
                return Err(Error::malformed(format!(
                    "value {value} is not of the type that a forward reference to it claims"
                )));
            }
        }
        self.number_old_exchanges()?;
        self.number_metadata_args()?;
        let values = self.function.first_value as usize + self.function.values.len();
        let blocks = self.function.blocks.len();
        let own_nodes = self.metadata.nodes.values().skip(self.numbering.local);
        for node in own_nodes {
            // Metadata of a function may name instructions that follow it, so it can only be
            // checked here.
            if matches!(node, MdNode::Value(value) if value.index() >= values) {
                return Err(Error::malformed(
                    "metadata names a value that does not exist",
                ));
            }
        }
        let function = &mut self.function;
        // Names serve only messages and listings, so one without a value is dropped rather than
        // refused.
        function.value_names.retain(|(id, _)| id.index() < values);
        function.block_names.retain(|(id, _)| id.index() < blocks);
        // Look-ups search them by bisection.
        function.value_names.sort_by_key(|(id, _)| *id);
        function.block_names.sort_by_key(|(id, _)| *id);
        function.attachments.sort_by_key(|(inst, ..)| *inst);
        Ok((self.function, self.uses.far))
    }
}

impl BodyDecoder<'_> {
    /// Gives the pair of each compare-exchange of the old form its value. These values come after
    /// all others, as those of metadata arguments do.
    fn number_old_exchanges(&mut self) -> Result<()> {
        for OldExchange { exchange, pair, .. } in std::mem::take(&mut self.old_exchanges) {
            let value = ValueId::from_u32(self.next_value);
            self.function.values.push(ValueData {
                ty: pair,
                def: ValueDef::Inst(exchange),
            });
            self.sync_next_value()?;
            if let Some(data) = self.function.insts.get_mut(exchange) {
                data.ty = pair;
                data.result = Some(value).into();
            }
            let extract = InstId::from_u32(exchange.as_u32() + 1);
            if let Some(InstData {
                inst: Inst::ExtractValue { aggregate, .. },
                ..
            }) = self.function.insts.get_mut(extract)
            {
                *aggregate = value;
            }
        }
        Ok(())
    }

    /// Gives each metadata argument its own value. These values come after all others, so that the
    /// bitcode's numbering of the function's values stays valid.
    fn number_metadata_args(&mut self) -> Result<()> {
        for (at, ty, node) in std::mem::take(&mut self.metadata_args) {
            if node.index() >= self.metadata.nodes.len() {
                return Err(Error::malformed(format!(
                    "a call's argument is metadata {node}, which does not exist"
                )));
            }
            let value = ValueId::from_u32(self.next_value);
            self.function.values.push(ValueData {
                ty,
                def: ValueDef::Metadata(node),
            });
            self.sync_next_value()?;
            if let Some(slot) = self.function.value_pool.get_mut(at) {
                *slot = value;
            }
        }
        Ok(())
    }
}
