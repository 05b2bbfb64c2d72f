//! Variables that hold objects become values.
//!
//! A handle that is loaded from a resource's own variable only names the resource; `createHandleForLib` makes a handle of
//! it. Here that happens where the name is loaded, so that what goes through variables, phis and selections is a handle
//! already. A variable of several objects is one per object; a computed index selects among them.
//!
//! Values at the ends of blocks are looked up as in Braun et al., "Simple and Efficient Construction of Static Single
//! Assignment Form" (2013), where every block is complete from the beginning.

use cranelift_entity::EntityRef;
use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::ops::{Callee, Opcode};
use dxil_frontend::ir::{
    BlockId, CmpPredicate, Constant, FastMath, FuncId, FuncView, Inst, InstData, Type, TypeId,
    TypeTable, ValueDef, ValueId,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::draft::{Draft, Line};
use crate::{Error, Result};

/// Most objects that one variable may hold.
const MOST_OBJECTS: u64 = 256;

/// Deepest nesting of arrays of objects, and of addresses in one.
const MOST_DEPTH: u32 = 16;

/// Types of objects, and the operations that make handles of names.
#[derive(Default)]
pub(super) struct Objects {
    /// What makes a handle of a name of that type.
    creators: FxHashMap<TypeId, Creator>,
    /// Hit objects, which are what they are.
    hit_object: Option<TypeId>,
}

#[derive(Clone, Copy)]
struct Creator {
    function: FuncId,
    handle: TypeId,
}

/// What a phi takes from where.
type Edges = Vec<(ValueId, BlockId)>;

/// A variable's place for one object.
type Slot = (ValueId, u32);

impl Objects {
    pub(super) fn of(shader: &Shader) -> Self {
        let mut objects = Objects::default();
        let types = &shader.module.types;
        for (id, decl) in &shader.module.functions {
            if matches!(shader.callees[id], Callee::DxOp(_))
                && decl.name.starts_with("dx.op.createHandleForLib")
                && let Type::Function { ret, params, .. } = types.get(decl.ty)
                && let Some(&name) = params.get(1)
            {
                let creator = Creator {
                    function: id,
                    handle: *ret,
                };
                objects.creators.insert(name, creator);
            }
        }
        objects.hit_object = types.types.iter().find_map(|(id, ty)| match ty {
            Type::Struct {
                name: Some(name), ..
            } if &**name == "dx.types.HitObject" => Some(id),
            _ => None,
        });
        objects
    }

    fn is_object(&self, ty: TypeId) -> bool {
        self.creators.contains_key(&ty) || self.hit_object == Some(ty)
    }

    /// Whether it is an object or an array of them.
    pub(super) fn holds(&self, types: &TypeTable, ty: TypeId) -> bool {
        self.count(types, ty).is_some()
    }

    /// Number of objects in an object or array.
    fn count(&self, types: &TypeTable, mut ty: TypeId) -> Option<u64> {
        let mut all = 1_u64;
        for _ in 0..MOST_DEPTH {
            if self.is_object(ty) {
                return Some(all);
            }
            let Type::Array { element, count } = *types.get(ty) else {
                return None;
            };
            all = all.checked_mul(count)?;
            ty = element;
        }
        None
    }

    /// Type of what a variable of such objects holds when they are handles.
    fn value_type(&self, types: &TypeTable, mut ty: TypeId) -> TypeId {
        for _ in 0..MOST_DEPTH {
            match *types.get(ty) {
                Type::Array { element, .. } => ty = element,
                _ => break,
            }
        }
        self.creators.get(&ty).map_or(ty, |creator| creator.handle)
    }

    /// Whether a function has variables of objects, or handles that are not made of a resource's own variable.
    pub(super) fn are_in_memory(&self, view: FuncView<'_>) -> bool {
        let types = &view.module.types;
        view.function.insts.values().any(|data| match data.inst {
            Inst::Alloca { allocated, .. } => self.holds(types, allocated),
            Inst::Phi { .. } | Inst::Select { .. } => {
                self.creators
                    .get(&super::behind(types, data.ty))
                    .is_some_and(|creator| {
                        // A handle may be one of several; a name or its address is none.
                        data.ty != creator.handle
                    })
            }
            _ => false,
        })
    }

    /// Lets no object be in memory.
    pub(super) fn make_values(&self, shader: &Shader, draft: &mut Draft) -> Result<()> {
        let mut pass = Pass::new(self, shader, draft)?;
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
        Ok(())
    }
}

struct Pass<'a, 'd> {
    objects: &'a Objects,
    shader: &'a Shader,
    draft: &'d mut Draft,
    /// Variables of objects, with their types.
    variables: FxHashMap<ValueId, TypeId>,
    /// Addresses in them.
    addresses: FxHashSet<ValueId>,
    predecessors: Vec<Vec<usize>>,
    /// What defines a value, and in which block.
    defined: FxHashMap<ValueId, (usize, InstData)>,
    /// What slots hold at the ends of blocks that write them.
    at_end: FxHashMap<(Slot, usize), ValueId>,
    /// Phis that stand for a slot at the start of a block, in the order of their making.
    at_start: FxHashMap<(Slot, usize), ValueId>,
    started: Vec<(Slot, usize, ValueId)>,
    /// Handles of names, by the name; what is a handle already is its own.
    handles: FxHashMap<ValueId, ValueId>,
    /// Phis and selections of handles that were written here, whose operands are names still.
    chosen: FxHashSet<ValueId>,
    /// `createHandleForLib` of something but a resource's own variable: result and operand.
    made: Vec<(ValueId, ValueId)>,
    /// Lines to be written behind the one that defines a value, and at the starts of blocks.
    behind: FxHashMap<ValueId, Vec<Line>>,
    heads: Vec<Vec<Line>>,
    bool: TypeId,
}

/// Where an address leads.
enum Place {
    /// A resource's own variable.
    Name,
    /// One object of a variable.
    Slot(Slot),
    /// One of several objects of a variable, by a computed index.
    Computed {
        variable: ValueId,
        first: u32,
        count: u32,
        index: ValueId,
    },
    Either {
        condition: ValueId,
        if_true: ValueId,
        if_false: ValueId,
    },
}

impl<'a, 'd> Pass<'a, 'd> {
    fn new(objects: &'a Objects, shader: &'a Shader, draft: &'d mut Draft) -> Result<Self> {
        let types = &shader.module.types;
        let mut bools = types.types.iter();
        let bool = bools.find(|(_, ty)| matches!(ty, Type::Int(1)));
        let bool = bool.map(|(id, _)| id);
        let mut variables = FxHashMap::default();
        let mut defined = FxHashMap::default();
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
                    if count > MOST_OBJECTS {
                        return Err(Error::unsupported(format!("a variable of {count} objects")));
                    }
                    variables.insert(result, allocated);
                }
            }
            for successor in draft.successors(block) {
                if let Some(list) = predecessors.get_mut(successor.index())
                    && !list.contains(&block)
                {
                    list.push(block);
                }
            }
        }
        let heads = vec![Vec::new(); draft.blocks.len()];
        let mut pass = Pass {
            objects,
            shader,
            draft,
            addresses: variables.keys().copied().collect(),
            variables,
            predecessors,
            defined,
            at_end: FxHashMap::default(),
            at_start: FxHashMap::default(),
            started: Vec::new(),
            handles: FxHashMap::default(),
            chosen: FxHashSet::default(),
            made: Vec::new(),
            behind: FxHashMap::default(),
            heads,
            bool: bool.ok_or_else(|| Error::internal("a module without booleans"))?,
        };
        pass.find_addresses();
        Ok(pass)
    }

    /// Addresses that are computed from a variable's. Blocks come in any order, so this goes on until nothing is found.
    fn find_addresses(&mut self) {
        loop {
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
                return;
            }
        }
    }

    fn block(&mut self, block: usize) -> Result<()> {
        let Some(lines) = self.draft.blocks.get_mut(block) else {
            return Ok(());
        };
        let lines = std::mem::take(lines);
        let mut written: Vec<Line> = Vec::with_capacity(lines.len());
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

    /// Looks at one instruction; whether it stays.
    fn keeps(&mut self, block: usize, data: &InstData, written: &mut Vec<Line>) -> Result<bool> {
        match data.inst {
            Inst::Alloca { .. } | Inst::Gep { .. } | Inst::Cast { .. } => {
                let result = data.result.expand();
                Ok(!result.is_some_and(|result| self.addresses.contains(&result)))
            }
            Inst::Load { pointer, .. } if self.objects.is_object(data.ty) => {
                let Some(result) = data.result.expand() else {
                    return Ok(true);
                };
                if let Place::Name = self.place(pointer)? {
                    return Ok(true);
                }
                let value = self.load(block, pointer, data, written)?;
                self.draft.replace(result, value);
                Ok(false)
            }
            Inst::Store { pointer, value, .. } if self.addresses.contains(&pointer) => {
                match self.place(pointer)? {
                    Place::Slot(slot) => {
                        self.at_end.insert((slot, block), value);
                    }
                    Place::Computed {
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
                    Place::Name | Place::Either { .. } => {
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
                        _ => Err(Error::unsupported("the address of an object as an operand")),
                    };
                }
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

    /// Whether a value was loaded from a resource's own variable.
    fn is_name(&self, value: ValueId) -> bool {
        match self.defined.get(&value) {
            Some((_, data)) => match data.inst {
                Inst::Load { pointer, .. } => matches!(self.place(pointer), Ok(Place::Name)),
                _ => false,
            },
            None => false,
        }
    }

    /// Loads an object from something but a resource's own variable.
    fn load(
        &mut self,
        block: usize,
        pointer: ValueId,
        data: &InstData,
        written: &mut Vec<Line>,
    ) -> Result<ValueId> {
        match self.place(pointer)? {
            Place::Slot(slot) => Ok(self.read(slot, block)),
            Place::Computed {
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
            Place::Either {
                condition,
                if_true,
                if_false,
            } => {
                let if_true = self.load(block, if_true, data, written)?;
                let if_false = self.load(block, if_false, data, written)?;
                let ty = self.objects.value_type(&self.shader.module.types, data.ty);
                Ok(self.select(condition, if_true, if_false, ty, written))
            }
            Place::Name => {
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
                written.push(Line::new(data));
                Ok(result)
            }
        }
    }

    fn slot_type(&self, slot: Slot) -> TypeId {
        let types = &self.shader.module.types;
        let ty = self.variables.get(&slot.0).copied();
        ty.map_or(self.bool, |ty| self.objects.value_type(types, ty))
    }

    /// What a slot holds now, at this place of a block.
    fn read(&mut self, slot: Slot, block: usize) -> ValueId {
        if let Some(&value) = self.at_end.get(&(slot, block)) {
            return value;
        }
        if let Some(&value) = self.at_start.get(&(slot, block)) {
            return value;
        }
        let ty = self.slot_type(slot);
        let is_entry = self.predecessors.get(block).is_none_or(Vec::is_empty);
        let value = match is_entry {
            true => self.draft.value(ty, ValueDef::Constant(Constant::Undef)),
            false => self.draft.value(ty, UNSET),
        };
        self.handles.insert(value, value);
        self.at_start.insert((slot, block), value);
        if !is_entry {
            self.started.push((slot, block, value));
        }
        value
    }

    fn equals(&mut self, index: ValueId, number: u32, written: &mut Vec<Line>) -> Result<ValueId> {
        let ty = self
            .type_of(index)
            .ok_or_else(|| Error::internal("an index without a type"))?;
        let constant = Constant::Int(u64::from(number));
        let constant = self.draft.value(ty, ValueDef::Constant(constant));
        let result = self.draft.value(self.bool, UNSET);
        written.push(Line::new(InstData {
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

    fn select(
        &mut self,
        condition: ValueId,
        if_true: ValueId,
        if_false: ValueId,
        ty: TypeId,
        written: &mut Vec<Line>,
    ) -> ValueId {
        let result = self.draft.value(ty, UNSET);
        self.handles.insert(result, result);
        self.chosen.insert(result);
        written.push(Line::new(InstData {
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

    fn type_of(&self, value: ValueId) -> Option<TypeId> {
        let first = self.draft.function.first_value as usize;
        let data = match value.index().checked_sub(first) {
            None => self.shader.module.values.get(value.index()),
            Some(local) => self.draft.function.values.get(local),
        };
        data.map(|data| data.ty)
    }

    /// Where an address leads that an object is loaded from or stored to.
    fn place(&self, pointer: ValueId) -> Result<Place> {
        let mut steps: Vec<Vec<ValueId>> = Vec::new();
        let mut at = pointer;
        for _ in 0..MOST_DEPTH {
            if let Some(&ty) = self.variables.get(&at) {
                return self.slot(at, ty, &steps);
            }
            match self.defined.get(&at).map(|(_, data)| data.inst) {
                Some(Inst::Gep { operands, .. }) => {
                    let operands = self.draft.function.values_of(operands);
                    let Some((&base, indices)) = operands.split_first() else {
                        break;
                    };
                    steps.push(indices.to_vec());
                    at = base;
                }
                Some(Inst::Select {
                    condition,
                    if_true,
                    if_false,
                }) if steps.is_empty() => {
                    return Ok(Place::Either {
                        condition,
                        if_true,
                        if_false,
                    });
                }
                Some(Inst::Cast { value, .. }) if !self.addresses.contains(&value) => at = value,
                None => return Ok(Place::Name),
                _ => break,
            }
        }
        Err(Error::unsupported(
            "a resource that is reached through a phi of addresses or an expression",
        ))
    }

    fn slot(&self, variable: ValueId, mut ty: TypeId, steps: &[Vec<ValueId>]) -> Result<Place> {
        let unknown = || Error::unsupported("an object in memory at a computed address");
        let types = &self.shader.module.types;
        let view = |value: ValueId| self.constant(value);
        let mut first = 0_u64;
        let mut computed: Option<(ValueId, u32)> = None;
        for indices in steps.iter().rev() {
            let Some((&outer, inner)) = indices.split_first() else {
                return Err(unknown());
            };
            if view(outer) != Some(0) {
                return Err(unknown());
            }
            for &index in inner {
                let Type::Array { element, count } = *types.get(ty) else {
                    return Err(unknown());
                };
                let stride = self.objects.count(types, element).ok_or_else(unknown)?;
                ty = element;
                match view(index) {
                    Some(number) if number < count => first += number * stride,
                    Some(_) => return Err(unknown()),
                    None if computed.is_none() && stride == 1 => {
                        computed = Some((index, u32::try_from(count).map_err(|_| unknown())?));
                    }
                    None => return Err(unknown()),
                }
            }
        }
        if !self.objects.is_object(ty) {
            return Err(unknown());
        }
        let first = u32::try_from(first).map_err(|_| unknown())?;
        Ok(match computed {
            None => Place::Slot((variable, first)),
            Some((index, count)) => Place::Computed {
                variable,
                first,
                count,
                index,
            },
        })
    }

    /// A constant index.
    fn constant(&self, value: ValueId) -> Option<u64> {
        let first = self.draft.function.first_value as usize;
        let data = match value.index().checked_sub(first) {
            None => self.shader.module.values.get(value.index()),
            Some(local) => self.draft.function.values.get(local),
        };
        match data?.def {
            ValueDef::Constant(Constant::Int(number)) => Some(number),
            ValueDef::Constant(Constant::Null) => Some(0),
            _ => None,
        }
    }

    /// The handle that a name, or a phi or selection of names, stands for.
    fn handle(&mut self, name: ValueId) -> Result<ValueId> {
        let name = self.draft.now(name);
        if let Some(&known) = self.handles.get(&name) {
            return Ok(known);
        }
        let Some(ty) = self.type_of(name) else {
            return Err(Error::internal("an object without a type"));
        };
        if self.objects.hit_object == Some(ty) {
            return Ok(name);
        }
        let Some(&creator) = self.objects.creators.get(&ty) else {
            return Err(Error::unsupported("an object that is no resource"));
        };
        let Some(&(block, data)) = self.defined.get(&name) else {
            // Undefined, or the null handle.
            let undefined = ValueDef::Constant(Constant::Undef);
            let undefined = self.draft.value(creator.handle, undefined);
            self.handles.insert(name, undefined);
            return Ok(undefined);
        };
        let result = self.draft.value(creator.handle, UNSET);
        self.handles.insert(name, result);
        self.handles.insert(result, result);
        let inst = match data.inst {
            Inst::Load { .. } => {
                let decl = self.shader.module.functions.get(creator.function);
                let decl = decl.ok_or_else(|| Error::internal("an operation is lost"))?;
                let number = match self.shader.module.types.get(decl.ty) {
                    Type::Function { params, .. } => params.first().copied(),
                    _ => None,
                };
                let number = number.ok_or_else(|| Error::internal("an operation is lost"))?;
                let opcode = u64::from(Opcode::CreateHandleForLib.number());
                let opcode = ValueDef::Constant(Constant::Int(opcode));
                let opcode = self.draft.value(number, opcode);
                Inst::Call {
                    callee: decl.value,
                    args: self.draft.list(&[opcode, name]),
                    fast_math: FastMath::default(),
                }
            }
            Inst::Phi { incoming } => {
                let incoming = self.draft.function.edges_of(incoming).to_vec();
                let mut edges = Vec::with_capacity(incoming.len());
                for (value, from) in incoming {
                    edges.push((self.handle(value)?, from));
                }
                let incoming = self.draft.edges(&edges);
                Inst::Phi { incoming }
            }
            Inst::Select {
                condition,
                if_true,
                if_false,
            } => Inst::Select {
                condition,
                if_true: self.handle(if_true)?,
                if_false: self.handle(if_false)?,
            },
            _ => return Err(Error::unsupported("a resource that an expression gives")),
        };
        let line = Line::new(InstData {
            inst,
            ty: creator.handle,
            result: result.into(),
        });
        match inst {
            Inst::Phi { .. } => {
                if let Some(head) = self.heads.get_mut(block) {
                    head.push(line);
                }
            }
            _ => self.behind.entry(name).or_default().push(line),
        }
        Ok(result)
    }

    /// Lets selections that were written here choose among handles.
    fn choices(&mut self) -> Result<()> {
        for block in 0..self.draft.blocks.len() {
            let lines = self.draft.blocks.get(block).map_or(0, Vec::len);
            for at in 0..lines {
                let line = self.draft.blocks.get(block).and_then(|lines| lines.get(at));
                let Some(data) = line.map(|line| line.data) else {
                    continue;
                };
                let is_chosen = data
                    .result
                    .expand()
                    .is_some_and(|result| self.chosen.contains(&result));
                if let (
                    true,
                    Inst::Select {
                        condition,
                        if_true,
                        if_false,
                    },
                ) = (is_chosen, data.inst)
                {
                    let inst = Inst::Select {
                        condition,
                        if_true: self.handle(if_true)?,
                        if_false: self.handle(if_false)?,
                    };
                    let line = self.draft.blocks.get_mut(block);
                    if let Some(line) = line.and_then(|lines| lines.get_mut(at)) {
                        line.data.inst = inst;
                    }
                }
            }
        }
        Ok(())
    }

    /// Fills in what slots hold at the starts of blocks. Phis of one value are that value.
    fn phis(&mut self) -> Result<()> {
        let mut operands: Vec<(usize, ValueId, Edges)> = Vec::new();
        let mut next = 0;
        while let Some(&(slot, block, phi)) = self.started.get(next) {
            next += 1;
            let predecessors = self.predecessors.get(block).cloned().unwrap_or_default();
            let mut edges = Vec::with_capacity(predecessors.len());
            for from in predecessors {
                let value = self.read(slot, from);
                edges.push((self.handle(value)?, BlockId::new(from)));
            }
            operands.push((block, phi, edges));
        }
        loop {
            let before = operands.len();
            let draft = &mut *self.draft;
            operands.retain(|(_, phi, edges)| {
                let mut others = edges
                    .iter()
                    .map(|&(value, _)| draft.now(value))
                    .filter(|value| value != phi);
                let Some(first) = others.next() else {
                    return true;
                };
                if others.all(|other| other == first) {
                    draft.replace(*phi, first);
                    return false;
                }
                true
            });
            if operands.len() == before {
                break;
            }
        }
        for (block, phi, edges) in operands {
            // A switch may lead to a block several times, and a phi names its block as often.
            let mut all = Vec::with_capacity(edges.len());
            for (value, from) in edges {
                let successors = self.draft.successors(from.index());
                let times = successors.iter().filter(|to| to.index() == block).count();
                all.extend(std::iter::repeat_n((value, from), times));
            }
            let incoming = self.draft.edges(&all);
            let ty = self.type_of(phi).unwrap_or(self.bool);
            if let Some(head) = self.heads.get_mut(block) {
                head.push(Line::new(InstData {
                    inst: Inst::Phi { incoming },
                    ty,
                    result: phi.into(),
                }));
            }
        }
        Ok(())
    }

    /// Writes the new lines where they belong.
    fn write(&mut self) {
        for (block, head) in std::mem::take(&mut self.heads).into_iter().enumerate() {
            let Some(lines) = self.draft.blocks.get_mut(block) else {
                continue;
            };
            let old = std::mem::take(lines);
            let mut new = head;
            for line in old {
                let behind = line
                    .data
                    .result
                    .expand()
                    .and_then(|result| self.behind.remove(&result));
                new.push(line);
                new.extend(behind.into_iter().flatten());
            }
            *lines = new;
        }
    }
}

/// Where a value comes from is said when the function is put together.
const UNSET: ValueDef = ValueDef::Argument(u32::MAX);
