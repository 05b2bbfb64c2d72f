//! One function: its blocks in an order in which values come before their uses, phis as moves on
//! edges.

use dxil_frontend::dxil::debug::DebugInfo;
use dxil_frontend::ir::{
    BlockId, Constant, FuncId, FuncView, Inst as IrInst, InstId, Type, TypeId, ValueDef, ValueId,
};
use dxil_frontend::tables::HashMap;

use super::code::{
    Block, CONSTANT_BIT, Complex, ComplexOp, Edge, FunctionCode, Inst, RegisterSlot, ResourceShape,
    Terminator,
};
use super::constants::Reader;
use super::denormals::Denormals;
use super::lane_ops::{LaneOp, RegisterKind};
use super::layout::TypeLayout;
use super::loops;
use super::registers;
use super::scalar_type::ScalarType;
use super::tables::ModuleTables;
use super::variable_registers::{VariableRegisters, watched_code};
use crate::error::{CodeLocation, Error, Result};
use crate::schedule::{Reach, meeting_points};

/// Maximum number of registers, blocks and instructions of a function.
const MAX_COUNT: usize = 1 << 24;

/// Maximum number of scalars that the values of a function may have: 128 of the longest vectors,
/// besides 64 for each of its instructions.
const MAX_SCALARS: usize = 1 << 17;

/// A function while it is decoded.
pub(super) struct Decoder<'a, 'b> {
    pub(super) module: &'b mut ModuleTables<'a>,
    pub(super) view: FuncView<'a>,
    pub(super) layout: TypeLayout<'a>,
    pub(super) code: FunctionCode,
    debug: Option<DebugInfo<'a>>,
    /// First and number of the registers of each value, in `pool`.
    values: HashMap<ValueId, (u32, u32)>,
    pool: Vec<RegisterSlot>,
    constants: HashMap<(RegisterKind, u64), RegisterSlot>,
    /// Registers of addresses of variables outside of functions.
    static_addresses: HashMap<u32, RegisterSlot>,
    /// Facts about denormals, where they count as zero.
    pub(super) denormals: Option<Denormals>,
    /// Registers of floats that were flushed, with their registers after that.
    pub(super) flushed: HashMap<RegisterSlot, RegisterSlot>,
    /// The same within the block that is decoded.
    pub(super) flushed_in_block: HashMap<RegisterSlot, RegisterSlot>,
    known: HashMap<RegisterSlot, u64>,
    block: u32,
    pub(super) inst: InstId,
    /// Shadows of values that may be undefined (`shadow`).
    pub(super) shadows: HashMap<RegisterSlot, RegisterSlot>,
    /// Shift counts before they were masked, and the width.
    pub(super) masked: HashMap<RegisterSlot, (RegisterSlot, u32)>,
    /// Variables of the source, of code that can be watched.
    pub(super) variables: VariableRegisters,
}

/// Registers of a value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slots {
    first: u32,
    count: u32,
}

/// Decodes a function of the module.
pub(super) fn decode<'a>(
    module: &mut ModuleTables<'a>,
    function: FuncId,
    debug: Option<DebugInfo<'a>>,
) -> Result<FunctionCode> {
    let shader = module.shader;
    let name = shader
        .module
        .functions
        .get(function)
        .map(|decl| dxil_frontend::dxil::plain_name(&decl.name))
        .unwrap_or_default();
    let Some(view) = shader.view(function) else {
        return Err(Error::Unsupported {
            what: format!("a call of {name}, which no library defines"),
            place: Box::default(),
        });
    };
    let flushes = module.flush_denormals;
    let denormals = flushes.then(|| Denormals::new(view, &shader.callees));
    let layout = TypeLayout::new(&shader.module.types, module.matrices);
    let mut decoder = Decoder {
        denormals,
        flushed: HashMap::default(),
        flushed_in_block: HashMap::default(),
        module,
        view,
        layout,
        code: FunctionCode {
            name: name.into(),
            ..FunctionCode::default()
        },
        debug,
        values: HashMap::default(),
        pool: Vec::new(),
        constants: HashMap::default(),
        static_addresses: HashMap::default(),
        known: HashMap::default(),
        block: 0,
        inst: InstId::from_u32(0),
        shadows: HashMap::default(),
        masked: HashMap::default(),
        variables: VariableRegisters::default(),
    };
    if decoder.module.is_watched {
        decoder.add_variables(debug);
    }
    decoder.run()?;
    let mut code = decoder.code;
    if decoder.module.is_watched {
        registers::drop_unread_components(&mut code);
        let values = (decoder.values, decoder.pool);
        code.watched = Some(Box::new(watched_code(
            view.function,
            &code,
            values,
            decoder.variables,
        )));
    } else {
        loops::merge_phis(&mut code);
        registers::allocate(&mut code);
    }
    if code.narrow_slots.max(code.wide_slots) > RegisterSlot::MAX {
        return Err(Error::BadInput("a function has too many values".into()));
    }
    Ok(code)
}

impl<'a> Decoder<'a, '_> {
    fn run(&mut self) -> Result<()> {
        let function = self.view.function;
        let count = function.blocks.len();
        if count > MAX_COUNT || function.insts.len() > MAX_COUNT {
            return Err(self.unsupported("a function of this size"));
        }
        // Unreachable blocks are left out: their values may be used before they are defined.
        let (order, reachable) = self.reverse_postorder();
        let mut arguments = Vec::new();
        for argument in 0..function.arg_count {
            let id = ValueId::from_u32(function.first_value + argument);
            let ty = self.ty(id)?;
            let slots = self.fresh(ty)?;
            self.set(id, &slots);
            arguments.push((id, ty, slots.clone()));
            self.code.parameters.extend(slots);
        }
        if self.follows_values() {
            self.follow_parameters();
        }
        // A phi's register is read on edges that come before the phi in this order, as loops have
        // them, so all phis get theirs first.
        for &block in &order {
            for inst in function.block_insts(block) {
                if let Some(data) = function.insts.get(inst)
                    && let (IrInst::Phi { .. }, Some(result)) = (data.inst, data.result.expand())
                {
                    self.inst = inst;
                    let slots = self.fresh(data.ty)?;
                    self.set(result, &slots);
                    if self.follows_values() {
                        for slot in slots {
                            self.new_shadow(slot);
                        }
                    }
                }
            }
        }
        let empty = Block {
            first: 0,
            end: 0,
            terminator: Terminator::Unreachable,
            meets: None,
        };
        // Blocks keep their numbers; an unreachable one stays empty.
        self.code.blocks = vec![empty; count];
        let mut successors = vec![Vec::new(); count];
        for &block in &order {
            self.block = block.as_u32();
            self.flushed_in_block.clear();
            let first = self.code.insts.len() as u32;
            for (id, ty, slots) in std::mem::take(&mut arguments) {
                self.note_denormals(id, ty, &slots)?;
            }
            for inst in function.block_insts(block) {
                self.inst = inst;
                let Some(data) = function.insts.get(inst) else {
                    continue;
                };
                if !data.inst.is_terminator() {
                    self.instruction(data)?;
                }
                if self.pool.len() > MAX_SCALARS + 64 * function.insts.len() {
                    return Err(self.unsupported("vectors of more than 131,072 scalars"));
                }
            }
            if self.follows_values() {
                self.follow_terminator(block)?;
            }
            let end = self.code.insts.len() as u32;
            if let Some(decoded) = self.code.blocks.get_mut(block.as_u32() as usize) {
                (decoded.first, decoded.end) = (first, end);
            }
        }
        // After all instructions: the moves of an edge read values of blocks that come later.
        for &block in &order {
            self.block = block.as_u32();
            let terminator = self.terminator(block, &reachable)?;
            if let Some(targets) = successors.get_mut(self.block as usize) {
                *targets = self.targets(&terminator);
            }
            if let Some(decoded) = self.code.blocks.get_mut(self.block as usize) {
                decoded.terminator = terminator;
            }
        }
        self.code.reach = Reach::new(&successors);
        let meets = meeting_points(&successors, &self.code.reach);
        for (block, meets) in self.code.blocks.iter_mut().zip(meets) {
            block.meets = meets;
        }
        Ok(())
    }

    /// Returns the blocks that can be reached, each before those that it dominates.
    fn reverse_postorder(&self) -> (Vec<BlockId>, Vec<bool>) {
        let function = self.view.function;
        let count = function.blocks.len();
        let mut seen = vec![false; count];
        let mut order = Vec::with_capacity(count);
        let successors = |block: BlockId| {
            let mut targets = Vec::new();
            function.for_each_successor(block, |target| targets.push(target));
            targets
        };
        let entry = BlockId::from_u32(0);
        // An explicit stack: a chain of blocks may be longer than the thread's stack allows.
        let mut stack = vec![(entry, successors(entry), 0_usize)];
        if let Some(first) = seen.first_mut() {
            *first = true;
        }
        while let Some((block, targets, next)) = stack.last_mut() {
            match targets.get(*next).copied() {
                Some(target) => {
                    *next += 1;
                    if let Some(seen @ false) = seen.get_mut(target.as_u32() as usize) {
                        *seen = true;
                        stack.push((target, successors(target), 0));
                    }
                }
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
        order.reverse();
        (order, seen)
    }

    fn targets(&self, terminator: &Terminator) -> Vec<u32> {
        let mut targets = Vec::new();
        let mut add = |edge: u32| {
            if let Some(edge) = self.code.edges.get(edge as usize)
                && !targets.contains(&edge.target)
            {
                targets.push(edge.target);
            }
        };
        match terminator {
            Terminator::Return(_) | Terminator::Unreachable => {}
            Terminator::Jump(edge) => add(*edge),
            Terminator::Branch {
                if_true, if_false, ..
            } => {
                add(*if_true);
                add(*if_false);
            }
            Terminator::Switch { cases, default, .. } => {
                cases.iter().for_each(|(_, edge)| add(*edge));
                add(*default);
            }
        }
        targets
    }

    fn terminator(&mut self, block: BlockId, reachable: &[bool]) -> Result<Terminator> {
        let function = self.view.function;
        if let Some(inst) = function.block_insts(block).next_back() {
            self.inst = inst;
        }
        Ok(match *function.terminator(block) {
            IrInst::Ret { value } => {
                let slots = match value.expand() {
                    Some(value) => {
                        let slots = self.slots(value)?;
                        let mut list = self.list(slots);
                        if self.follows_values() {
                            list.extend(self.shadows_of(&list.clone()));
                        }
                        list
                    }
                    None => Vec::new(),
                };
                Terminator::Return(slots.into())
            }
            IrInst::Br { target } => Terminator::Jump(self.edge(block, target)?),
            IrInst::CondBr {
                condition,
                if_true,
                if_false,
            } => Terminator::Branch {
                condition: self.one(condition)?,
                if_true: self.edge(block, if_true)?,
                if_false: self.edge(block, if_false)?,
            },
            IrInst::Switch {
                value,
                default,
                cases,
            } => {
                let slot = self.one(value)?;
                // Many cases may share a target. One edge for each target keeps the moves linear in
                // the number of targets, and lanes that go there stay together.
                let mut edges: HashMap<BlockId, u32> = HashMap::default();
                let mut list = Vec::new();
                for &(case, target) in function.edges_of(cases) {
                    let number = self
                        .view
                        .constant_int(case)
                        .ok_or_else(|| self.malformed("a case is no constant"))?;
                    let edge = match edges.get(&target) {
                        Some(&edge) => edge,
                        None => {
                            let edge = self.edge(block, target)?;
                            edges.insert(target, edge);
                            edge
                        }
                    };
                    list.push((number, edge));
                }
                let default = match edges.get(&default) {
                    Some(&edge) => edge,
                    None => self.edge(block, default)?,
                };
                Terminator::Switch {
                    value: slot,
                    cases: list.into(),
                    default,
                }
            }
            _ => {
                debug_assert!(reachable.get(block.as_u32() as usize) == Some(&true));
                Terminator::Unreachable
            }
        })
    }

    /// Returns the way from a block to another, with the moves of the other's phis.
    fn edge(&mut self, from: BlockId, to: BlockId) -> Result<u32> {
        let function = self.view.function;
        let mut moves: Vec<(RegisterSlot, RegisterSlot, InstId)> = Vec::new();
        for inst in function.block_insts(to) {
            let Some(data) = function.insts.get(inst) else {
                break;
            };
            let IrInst::Phi { incoming } = data.inst else {
                break;
            };
            let pairs = function.edges_of(incoming);
            let (Some(result), Some((value, _))) = (
                data.result.expand(),
                pairs.iter().find(|(_, block)| *block == from),
            ) else {
                continue;
            };
            let to = self.slots(result)?;
            let from = self.slots(*value)?;
            let pairs = self.list(to).into_iter().zip(self.list(from));
            moves.extend(
                pairs
                    .filter(|(to, from)| to != from)
                    .map(|(to, from)| (to, from, inst)),
            );
        }
        if self.follows_values() {
            self.follow_moves(&mut moves);
        }
        let first = self.code.insts.len() as u32;
        self.push_moves(&moves);
        self.code.edges.push(Edge {
            target: to.as_u32(),
            first,
            end: self.code.insts.len() as u32,
        });
        Ok(self.code.edges.len() as u32 - 1)
    }

    /// Moves that happen at once (LLVM Language Reference, "phi"): a register is written when no
    /// other move reads it any more. Where they go round in a circle, one value is copied aside.
    fn push_moves(&mut self, moves: &[(RegisterSlot, RegisterSlot, InstId)]) {
        let mut readers: HashMap<RegisterSlot, u32> = HashMap::default();
        for (_, from, _) in moves {
            *readers.entry(*from).or_default() += 1;
        }
        let targets = moves.iter().enumerate().map(|(i, (to, ..))| (*to, i));
        let target: HashMap<RegisterSlot, usize> = targets.collect();
        let is_read = |readers: &HashMap<RegisterSlot, u32>, slot: RegisterSlot| {
            readers.get(&slot).is_some_and(|count| *count > 0)
        };
        let mut is_done = vec![false; moves.len()];
        let mut ready: Vec<usize> = (0..moves.len())
            .rev()
            .filter(|i| !is_read(&readers, moves[*i].0))
            .collect();
        while let Some(number) = ready.pop() {
            let (to, from, inst) = moves[number];
            self.push_move(to, from, inst);
            is_done[number] = true;
            if let Some(count) = readers.get_mut(&from) {
                *count -= 1;
            }
            let next = target.get(&from).copied();
            ready.extend(next.filter(|next| !is_done[*next] && !is_read(&readers, from)));
        }
        // Each register that is left is read by exactly one of the moves that are left.
        for start in 0..moves.len() {
            if is_done[start] {
                continue;
            }
            let (first, _, inst) = moves[start];
            let copy = self.new_slot(first.kind());
            self.push_move(copy, first, inst);
            let mut next = Some(start);
            while let Some(number) = next.filter(|next| !is_done[*next]) {
                let (to, from, inst) = moves[number];
                self.push_move(to, if from == first { copy } else { from }, inst);
                is_done[number] = true;
                next = target.get(&from).copied();
            }
        }
    }

    pub(super) fn push_move(&mut self, dst: RegisterSlot, from: RegisterSlot, inst: InstId) {
        let op = match dst.kind() {
            RegisterKind::W => LaneOp::MovW,
            RegisterKind::D => LaneOp::MovD,
        };
        self.code.insts.push(Inst::Lane {
            op,
            dst,
            args: [from, RegisterSlot::NONE, RegisterSlot::NONE],
        });
        self.code.origins.push(inst);
    }

    // Values.

    pub(super) fn ty(&self, value: ValueId) -> Result<TypeId> {
        self.view
            .type_of(value)
            .ok_or_else(|| self.malformed("a value without a type"))
    }

    /// Returns the type of a value's scalars, which must all be alike.
    pub(super) fn scalar_of(&self, value: ValueId) -> Result<ScalarType> {
        self.scalar_type(self.ty(value)?)
    }

    pub(super) fn scalar_type(&self, ty: TypeId) -> Result<ScalarType> {
        let types = self.layout.types();
        let scalar = match types.get(ty) {
            Type::Vector { element, .. } => ScalarType::of(types, *element),
            _ => ScalarType::of(types, ty),
        };
        let scalar = scalar.ok_or_else(|| self.unsupported("arithmetic on this type"))?;
        match scalar {
            ScalarType::Int(bits) if bits > 32 && bits != 64 => {
                Err(self.unsupported(format!("integers of {bits} bits")))
            }
            scalar => Ok(scalar),
        }
    }

    pub(super) fn scalars(&self, ty: TypeId) -> Result<Vec<ScalarType>> {
        self.layout
            .scalars(ty)
            .ok_or_else(|| self.unsupported("a value of this type"))
    }

    /// Registers of a value. Constants get theirs when they are first asked for.
    pub(super) fn slots(&mut self, value: ValueId) -> Result<Slots> {
        if let Some(&(first, count)) = self.values.get(&value) {
            return Ok(Slots { first, count });
        }
        let data = self
            .view
            .value(value)
            .ok_or_else(|| self.malformed("a value that is nowhere"))?;
        let is_undefined = matches!(data.def, ValueDef::Constant(Constant::Undef));
        let mut scalars = Vec::new();
        let module = &self.module.shader.module;
        let mut reader = Reader {
            module,
            function: Some(self.view.function),
            layout: &mut self.layout,
            addresses: &self.module.globals.addresses,
        };
        let found = match data.def {
            ValueDef::Inst(_) | ValueDef::Argument(_) | ValueDef::Function(_) => None,
            ValueDef::Metadata(_) => None,
            ValueDef::Global(_) | ValueDef::Constant(_) => {
                reader.each_scalar(value, data.ty, 0, &mut |kind, bits| {
                    // A global array may have millions of scalars; a value that large is refused
                    // afterwards.
                    if scalars.len() <= 1 << 16 {
                        scalars.push((kind, bits));
                    }
                })
            }
        };
        if found.is_none() {
            return Err(self.unsupported(format!("the value {value}")));
        }
        let is_address = self.is_private_pointer(data.ty);
        let slots: Vec<RegisterSlot> = scalars
            .into_iter()
            .map(|(kind, bits)| {
                if is_undefined && self.follows_values() {
                    self.undefined(kind)
                } else if is_address && bits as u32 & CONSTANT_BIT == 0 {
                    self.static_address(bits as u32)
                } else {
                    self.constant(kind, bits)
                }
            })
            .collect();
        Ok(self.set(value, &slots))
    }

    pub(super) fn set(&mut self, value: ValueId, slots: &[RegisterSlot]) -> Slots {
        let first = self.pool.len() as u32;
        self.pool.extend_from_slice(slots);
        let count = slots.len() as u32;
        self.values.insert(value, (first, count));
        Slots { first, count }
    }

    pub(super) fn list(&self, slots: Slots) -> Vec<RegisterSlot> {
        let start = slots.first as usize;
        self.pool[start..start + slots.count as usize].to_vec()
    }

    /// Returns the registers of a value, in a list.
    pub(super) fn all(&mut self, value: ValueId) -> Result<Vec<RegisterSlot>> {
        let slots = self.slots(value)?;
        Ok(self.list(slots))
    }

    /// Returns the only register of a value.
    pub(super) fn one(&mut self, value: ValueId) -> Result<RegisterSlot> {
        let slots = self.slots(value)?;
        match slots.count {
            1 => Ok(self.pool[slots.first as usize]),
            _ => Err(self.unsupported("a vector where a scalar should be")),
        }
    }

    pub(super) fn ones<const N: usize>(
        &mut self,
        values: [ValueId; N],
    ) -> Result<[RegisterSlot; N]> {
        let mut slots = [RegisterSlot::NONE; N];
        for (slot, value) in slots.iter_mut().zip(values) {
            *slot = self.one(value)?;
        }
        Ok(slots)
    }

    /// Returns the register of an operand that may be left out.
    pub(super) fn optional(&mut self, value: impl Into<Option<ValueId>>) -> Result<RegisterSlot> {
        match value.into() {
            Some(value) => self.one(value),
            None => Ok(RegisterSlot::NONE),
        }
    }

    pub(super) fn new_slot(&mut self, kind: RegisterKind) -> RegisterSlot {
        let count = match kind {
            RegisterKind::W => &mut self.code.narrow_slots,
            RegisterKind::D => &mut self.code.wide_slots,
        };
        *count += 1;
        RegisterSlot::new(kind, *count - 1)
    }

    /// Returns the new registers for a value of a type.
    pub(super) fn fresh(&mut self, ty: TypeId) -> Result<Vec<RegisterSlot>> {
        let scalars = self.scalars(ty)?;
        Ok(scalars
            .into_iter()
            .map(|scalar| self.new_slot(scalar.kind()))
            .collect())
    }

    pub(super) fn constant(&mut self, kind: RegisterKind, bits: u64) -> RegisterSlot {
        if let Some(&slot) = self.constants.get(&(kind, bits)) {
            return slot;
        }
        let slot = self.new_slot(kind);
        self.constants.insert((kind, bits), slot);
        self.code.constants.push((slot, bits));
        self.known.insert(slot, bits);
        slot
    }

    /// Returns the bits of a register that holds a constant.
    pub(super) fn known(&self, slot: RegisterSlot) -> Option<u64> {
        self.known.get(&slot).copied()
    }

    fn is_private_pointer(&self, ty: TypeId) -> bool {
        let ty = self.layout.types().get(ty);
        matches!(
            ty,
            Type::Pointer {
                address_space: 0,
                ..
            }
        )
    }

    /// Returns the register of the address of a variable outside of functions. Each invocation of a
    /// ray tracing shader has its own variables, so the address is known when it begins.
    pub(super) fn static_address(&mut self, address: u32) -> RegisterSlot {
        if !self.module.is_ray_pipeline {
            return self.word(address);
        }
        if let Some(&slot) = self.static_addresses.get(&address) {
            return slot;
        }
        let slot = self.new_slot(RegisterKind::W);
        let offset = address.wrapping_sub(self.module.first_static);
        self.static_addresses.insert(address, slot);
        self.code.statics.push((slot, offset));
        slot
    }

    pub(super) fn word(&mut self, value: u32) -> RegisterSlot {
        self.constant(RegisterKind::W, u64::from(value))
    }

    // Code.

    /// Adds an operation on each lane; returns its result.
    pub(super) fn lane(&mut self, op: LaneOp, operands: &[RegisterSlot]) -> Result<RegisterSlot> {
        let result = self.plain_lane(op, operands)?;
        if !self.module.checks.is_empty() {
            self.note_mask(op, operands, result);
            if self.follows_values() {
                self.follow_lane(op, operands, result)?;
            }
            self.probe_float(op, operands, result);
        }
        Ok(result)
    }

    /// Adds the operation alone, without the code of checks.
    pub(super) fn plain_lane(
        &mut self,
        op: LaneOp,
        operands: &[RegisterSlot],
    ) -> Result<RegisterSlot> {
        let (result, kinds) = op.signature();
        let mut args = [RegisterSlot::NONE; 3];
        if operands.len() != kinds.len() || operands.len() > 3 {
            return Err(self.malformed("operands of the wrong number"));
        }
        for ((arg, &operand), &kind) in args.iter_mut().zip(operands).zip(kinds) {
            if operand.is_none() || operand.kind() != kind {
                return Err(self.malformed("an operand of the wrong type"));
            }
            *arg = operand;
        }
        let dst = self.new_slot(result);
        self.code.insts.push(Inst::Lane { op, dst, args });
        self.code.origins.push(self.inst);
        Ok(dst)
    }

    pub(super) fn complex(&mut self, op: ComplexOp, dst: &[RegisterSlot], src: &[RegisterSlot]) {
        if self.module.checks.is_empty() {
            return self.push_complex(op, dst, src);
        }
        self.probe_before(&op, src);
        if !self.follows_values() {
            return self.push_complex(op, dst, src);
        }
        self.follow_before(&op, dst, src);
        if let ComplexOp::Call(_) = op {
            let (mut dst, mut src) = (dst.to_vec(), src.to_vec());
            src.extend(self.shadows_of(&src.clone()));
            let shadows: Vec<_> = dst.iter().map(|slot| self.new_shadow(*slot)).collect();
            dst.extend(shadows);
            return self.push_complex(op, &dst, &src);
        }
        self.push_complex(op.clone(), dst, src);
        self.follow_after(&op, dst, src);
    }

    /// Adds the instruction alone, without the code of checks.
    pub(super) fn push_complex(
        &mut self,
        op: ComplexOp,
        dst: &[RegisterSlot],
        src: &[RegisterSlot],
    ) {
        self.module.uses_quads |= op.looks_at_quad();
        let op = match op {
            ComplexOp::Handle(range) => {
                if let Some(range) = self.module.ranges.get_mut(range as usize) {
                    range.is_used = true;
                }
                ComplexOp::Handle(self.module.first_range + range)
            }
            ComplexOp::HeapHandle { samplers: false } => {
                self.module.uses_resource_heap = true;
                op
            }
            ComplexOp::HeapHandle { samplers: true } => {
                self.module.uses_sampler_heap = true;
                op
            }
            op => op,
        };
        self.code
            .insts
            .push(Inst::Complex(self.code.complex.len() as u32));
        self.code.origins.push(self.inst);
        self.code.complex.push(Complex {
            op,
            dst: dst.into(),
            src: src.into(),
        });
    }

    /// Adds a complex instruction whose result has a type; returns the result's registers.
    pub(super) fn complex_of(
        &mut self,
        op: ComplexOp,
        ty: TypeId,
        src: &[RegisterSlot],
    ) -> Result<Vec<RegisterSlot>> {
        let dst = self.fresh(ty)?;
        self.complex(op, &dst, src);
        Ok(dst)
    }

    /// Returns whether the shape of a handle is said at all.
    pub(super) fn shape(&self, handle: ValueId) -> Option<ResourceShape> {
        self.shape_of(handle)
    }

    // Errors.

    pub(super) fn place(&self) -> Box<CodeLocation> {
        let location = self
            .view
            .function
            .debug_locs
            .get(self.inst)
            .copied()
            .flatten();
        let position = location.and_then(|place| self.debug?.position(&place));
        Box::new(CodeLocation {
            function: self.code.name.clone(),
            block: self.block,
            source: position.map(|position| Box::new(position.into())),
        })
    }

    #[cold]
    pub(super) fn unsupported(&self, what: impl Into<String>) -> Error {
        Error::Unsupported {
            what: what.into(),
            place: self.place(),
        }
    }

    #[cold]
    pub(super) fn malformed(&self, what: impl Into<String>) -> Error {
        Error::Malformed {
            what: what.into(),
            place: self.place(),
        }
    }
}
