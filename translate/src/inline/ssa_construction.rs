//! SSA construction for objects: finds the value that a variable holds at each point of a function.
//!
//! Values at the ends of blocks are looked up as in Braun et al., "Simple and Efficient
//! Construction of Static Single Assignment Form" (2013), where every block is complete from the
//! beginning.

use cranelift_entity::EntityRef;
use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::ops::Callee;
use dxil_frontend::ir::{
    CmpPredicate, Constant, FastMath, FuncId, Inst, InstData, Type, TypeId, ValueDef, ValueId,
};
use dxil_frontend::tables::{HashMap, HashSet};

use super::objects::Objects;
use super::unused_names;
use super::{DraftFunction, DraftInst};
use crate::inline::state::{Pointee, SsaConstruction, VariableElement};
use crate::{Error, Result};

/// Maximum number of rounds that search for addresses: one per step from a variable against the
/// order of blocks.
const MAX_ROUNDS: usize = 64;

/// Maximum number of loads of one of several objects, those that they are expanded to included.
const MAX_LOADS: u32 = 1 << 12;

/// Maximum number of objects of one variable.
const MAX_OBJECTS: u64 = 256;

impl<'a, 'd> SsaConstruction<'a, 'd> {
    pub(super) fn new(
        objects: &'a Objects,
        shader: &'a Shader,
        draft: &'d mut DraftFunction,
    ) -> Result<Self> {
        let types = &shader.module.types;
        let mut bools = types.types.iter();
        let bool = bools.find(|(_, ty)| matches!(ty, Type::Int(1)));
        let bool = bool.map(|(id, _)| id);
        let mut variables = HashMap::default();
        let mut defined = HashMap::default();
        let mut predecessors = vec![Vec::new(); draft.blocks.len()];
        for (block, lines) in draft.blocks.iter().enumerate() {
            for line in lines {
                let Some(result) = line.data.result.expand() else {
                    continue;
                };
                defined.insert(result, (block, line.data));
                if let Inst::Alloca { allocated, .. } = line.data.inst
                    && let Some(count) = objects.count(types, allocated)
                {
                    if count > MAX_OBJECTS {
                        return Err(Error::unsupported(format!("a variable of {count} objects")));
                    }
                    variables.insert(result, allocated);
                }
            }
            for successor in draft.successors(block) {
                if let Some(list) = predecessors.get_mut(successor.index())
                    && list.last() != Some(&block)
                {
                    list.push(block);
                }
            }
        }
        let heads = vec![Vec::new(); draft.blocks.len()];
        #[expect(clippy::disallowed_methods, reason = "collected into a set")]
        let addresses = variables.keys().copied().collect();
        let mut pass = SsaConstruction {
            objects,
            shader,
            draft,
            addresses,
            variables,
            predecessors,
            defined,
            at_end: HashMap::default(),
            at_start: HashMap::default(),
            started: Vec::new(),
            handles: HashMap::default(),
            chosen: HashSet::default(),
            made: Vec::new(),
            behind: HashMap::default(),
            heads,
            loads: 0,
            depth: 0,
            bool: bool.ok_or_else(|| Error::internal("a module without booleans"))?,
        };
        pass.find_addresses()?;
        Ok(pass)
    }

    /// Finds the addresses that are computed from a variable's. Blocks come in any order, so the
    /// search repeats until it finds no more.
    pub(super) fn find_addresses(&mut self) -> Result<()> {
        for _ in 0..MAX_ROUNDS {
            let before = self.addresses.len();
            for line in self.draft.blocks.iter().flatten() {
                let base = match line.data.inst {
                    Inst::Gep { operands, .. } => {
                        self.draft.function.values_of(operands).first().copied()
                    }
                    Inst::Cast { value, .. } => Some(value),
                    _ => None,
                };
                if base.is_some_and(|base| self.addresses.contains(&base)) {
                    self.addresses.extend(line.data.result.expand());
                }
            }
            if self.addresses.len() == before {
                return Ok(());
            }
        }
        Err(Error::unsupported(
            "addresses of objects against the order of blocks",
        ))
    }

    pub(super) fn block(&mut self, block: usize) -> Result<()> {
        let Some(lines) = self.draft.blocks.get_mut(block) else {
            return Ok(());
        };
        let lines = std::mem::take(lines);
        let mut written: Vec<DraftInst> = Vec::with_capacity(lines.len());
        for line in lines {
            if self.keeps(block, &line.data, &mut written)? {
                written.push(line);
            }
        }
        if let Some(lines) = self.draft.blocks.get_mut(block) {
            *lines = written;
        }
        Ok(())
    }

    /// Processes one instruction. Returns whether it stays.
    pub(super) fn keeps(
        &mut self,
        block: usize,
        data: &InstData,
        written: &mut Vec<DraftInst>,
    ) -> Result<bool> {
        match data.inst {
            Inst::Alloca { .. } | Inst::Gep { .. } | Inst::Cast { .. } => {
                let result = data.result.expand();
                Ok(!result.is_some_and(|result| self.addresses.contains(&result)))
            }
            Inst::Load { pointer, .. } if self.objects.is_object(data.ty) => {
                let Some(result) = data.result.expand() else {
                    return Ok(true);
                };
                if let Pointee::Name = self.pointee(pointer)? {
                    return Ok(true);
                }
                let value = self.load(block, pointer, data, written)?;
                self.draft.replace(result, value);
                Ok(false)
            }
            Inst::Store { pointer, value, .. } if self.addresses.contains(&pointer) => {
                match self.pointee(pointer)? {
                    Pointee::Slot(slot) => {
                        self.at_end.insert((slot, block), value);
                    }
                    Pointee::Computed {
                        variable,
                        first,
                        count,
                        index,
                    } => {
                        for number in 0..count {
                            let slot = (variable, first + number);
                            let old = self.read(slot, block);
                            let is_it = self.equals(index, number, written)?;
                            let ty = self.slot_type(slot);
                            let new = self.select(is_it, value, old, ty, written);
                            self.at_end.insert((slot, block), new);
                        }
                    }
                    Pointee::Name | Pointee::Either { .. } => {
                        return Err(Error::unsupported("a store to one of several objects"));
                    }
                }
                Ok(false)
            }
            Inst::Call { callee, args, .. } => {
                let args = self.draft.function.values_of(args);
                let has_address = args.iter().any(|arg| self.addresses.contains(arg));
                let operand = args.get(1).copied();
                let function = match self.shader.module.values.get(callee.index()) {
                    Some(data) => match data.def {
                        ValueDef::Function(function) => Some(function),
                        _ => None,
                    },
                    None => None,
                };
                let kind = function.map(|function| self.shader.callees[function]);
                if has_address {
                    return match kind {
                        Some(Callee::Ignored) => Ok(false),
                        Some(Callee::Function) => Err(self.undefined(function)),
                        _ => Err(Error::unsupported("the address of an object as an operand")),
                    };
                }
                #[expect(clippy::disallowed_methods, reason = "whether there is one")]
                let mut creators = self.objects.creators.values();
                let creates = creators.any(|creator| Some(creator.function) == function);
                if let (true, Some(operand), Some(result)) =
                    (creates, operand, data.result.expand())
                    && !self.is_name(operand)
                {
                    self.made.push((result, operand));
                    return Ok(false);
                }
                Ok(true)
            }
            Inst::Store { value, .. } if self.addresses.contains(&value) => {
                Err(Error::unsupported("the address of an object in memory"))
            }
            _ => Ok(true),
        }
    }

    /// Returns the error for a call that passes objects to a function without a body. Functions
    /// with a body have been inlined by now.
    fn undefined(&self, function: Option<FuncId>) -> Error {
        let decl = function.and_then(|function| self.shader.module.functions.get(function));
        let name = decl.map_or("?", |decl| decl.name.trim_start_matches('\u{1}'));
        Error::unsupported(format!("a call of the undefined function {name}"))
    }

    /// Returns whether a value was loaded from a resource's own variable.
    pub(super) fn is_name(&self, value: ValueId) -> bool {
        match self.defined.get(&value) {
            Some((_, data)) => match data.inst {
                Inst::Load { pointer, .. } => matches!(self.pointee(pointer), Ok(Pointee::Name)),
                _ => false,
            },
            None => false,
        }
    }

    /// Loads an object from something other than a resource's own variable.
    pub(super) fn load(
        &mut self,
        block: usize,
        pointer: ValueId,
        data: &InstData,
        written: &mut Vec<DraftInst>,
    ) -> Result<ValueId> {
        // Each `Either` loads twice, and they nest: without a bound the number of loads doubles per
        // level.
        self.loads += 1;
        if self.loads > MAX_LOADS {
            return Err(Error::unsupported(format!(
                "more than {MAX_LOADS} loads of objects out of memory"
            )));
        }
        match self.pointee(pointer)? {
            Pointee::Slot(slot) => Ok(self.read(slot, block)),
            Pointee::Computed {
                variable,
                first,
                count,
                index,
            } => {
                let mut found = self.read((variable, first), block);
                for number in 1..count {
                    let slot = (variable, first + number);
                    let value = self.read(slot, block);
                    let is_it = self.equals(index, number, written)?;
                    let ty = self.slot_type(slot);
                    found = self.select(is_it, value, found, ty, written);
                }
                Ok(found)
            }
            Pointee::Either {
                condition,
                if_true,
                if_false,
            } => {
                let if_true = self.load(block, if_true, data, written)?;
                let if_false = self.load(block, if_false, data, written)?;
                let ty = self.objects.value_type(&self.shader.module.types, data.ty);
                Ok(self.select(condition, if_true, if_false, ty, written))
            }
            Pointee::Name => {
                let Inst::Load {
                    align, volatile, ..
                } = data.inst
                else {
                    return Err(Error::internal("a load that is none"));
                };
                let result = self.draft.value(data.ty, UNSET);
                let data = InstData {
                    inst: Inst::Load {
                        pointer,
                        align,
                        volatile,
                    },
                    ty: data.ty,
                    result: result.into(),
                };
                self.defined.insert(result, (block, data));
                written.push(DraftInst::new(data));
                Ok(result)
            }
        }
    }

    pub(super) fn slot_type(&self, slot: VariableElement) -> TypeId {
        let types = &self.shader.module.types;
        let ty = self.variables.get(&slot.0).copied();
        ty.map_or(self.bool, |ty| self.objects.value_type(types, ty))
    }

    /// Returns the value of a slot at the current position in a block.
    pub(super) fn read(&mut self, slot: VariableElement, block: usize) -> ValueId {
        if let Some(&value) = self.at_end.get(&(slot, block)) {
            return value;
        }
        if let Some(&value) = self.at_start.get(&(slot, block)) {
            return value;
        }
        let ty = self.slot_type(slot);
        let is_entry = self.predecessors.get(block).is_none_or(Vec::is_empty);
        // A variable that nothing was stored to holds an undefined object.
        let value = if is_entry {
            self.draft.value(ty, ValueDef::Constant(Constant::Undef))
        } else {
            self.draft.value(ty, UNSET)
        };
        self.handles.insert(value, value);
        // Before the operands are known, as Braun et al. do, so that a read in a loop finds the
        // phi. `phis` adds them.
        self.at_start.insert((slot, block), value);
        if !is_entry {
            self.started.push((slot, block, value));
        }
        value
    }

    pub(super) fn equals(
        &mut self,
        index: ValueId,
        number: u32,
        written: &mut Vec<DraftInst>,
    ) -> Result<ValueId> {
        let ty = self
            .type_of(index)
            .ok_or_else(|| Error::internal("an index without a type"))?;
        let constant = Constant::Int(u64::from(number));
        let constant = self.draft.value(ty, ValueDef::Constant(constant));
        let result = self.draft.value(self.bool, UNSET);
        written.push(DraftInst::new(InstData {
            inst: Inst::Cmp {
                predicate: CmpPredicate::IEq,
                fast_math: FastMath::default(),
                lhs: index,
                rhs: constant,
            },
            ty: self.bool,
            result: result.into(),
        }));
        Ok(result)
    }

    pub(super) fn select(
        &mut self,
        condition: ValueId,
        if_true: ValueId,
        if_false: ValueId,
        ty: TypeId,
        written: &mut Vec<DraftInst>,
    ) -> ValueId {
        let result = self.draft.value(ty, UNSET);
        self.handles.insert(result, result);
        self.chosen.insert(result);
        written.push(DraftInst::new(InstData {
            inst: Inst::Select {
                condition,
                if_true,
                if_false,
            },
            ty,
            result: result.into(),
        }));
        result
    }
}

/// The definition of a new value; `DraftFunction::finish` sets the real one.
pub(super) const UNSET: ValueDef = ValueDef::Argument(u32::MAX);

impl Objects {
    /// Replaces variables of objects by values.
    pub(super) fn make_values(&self, shader: &Shader, draft: &mut DraftFunction) -> Result<()> {
        let mut pass = SsaConstruction::new(self, shader, draft)?;
        for block in 0..pass.draft.blocks.len() {
            pass.block(block)?;
        }
        let made = std::mem::take(&mut pass.made);
        for (result, name) in made {
            let handle = pass.handle(name)?;
            pass.draft.replace(result, handle);
        }
        pass.choices()?;
        pass.phis()?;
        pass.write();
        draft.apply_replacements();
        unused_names::remove(self, draft);
        Ok(())
    }
}
