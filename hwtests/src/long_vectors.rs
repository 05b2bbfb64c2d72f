//! Replaces the long vectors of a module by arrays, so that modules for VK_EXT_shader_long_vector
//! run on devices without it.
//!
//! A vector of more than four components becomes an array. Instructions that move composites take
//! arrays as they take vectors. All others become one instruction per component, as SPIR-V defines
//! them ("the operation is done per component"); dot products, reductions, shuffles and accesses at
//! computed indices are written out. This knows SPIR-V alone, and nothing of how the translator
//! came to a module.

use dxil_frontend::tables::HashMap;

use rspirv::binary::Assemble;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Capability, Op, StorageClass, Word};

use crate::shader::Failure;

const EXTENSION: &str = "SPV_EXT_long_vector";

/// Returns the module without long vectors.
///
/// # Errors
///
/// If the words are not a module, or an instruction takes long vectors in a form that this does not
/// know.
pub fn without_long_vectors(words: &[u32]) -> Result<Vec<u32>, Failure> {
    let mut module = rspirv::dr::load_words(words)
        .map_err(|error| Failure::new(format!("not a module: {error}")))?;
    let mut expansion = Expansion::new(&mut module);
    expansion.functions(&mut module)?;
    let Expansion { bound, globals, .. } = expansion;
    module.types_global_values.extend(globals);
    if let Some(header) = &mut module.header {
        header.bound = bound;
    }
    Ok(module.assemble())
}

/// A long vector type.
#[derive(Debug, Clone, Copy)]
struct Long {
    component: Word,
    count: u32,
}

struct Expansion {
    bound: Word,
    /// The long vector types, which are arrays now.
    long: HashMap<Word, Long>,
    /// Types of the values.
    types: HashMap<Word, Word>,
    /// The vector types of the module: component type and count.
    short: HashMap<Word, Long>,
    /// The decorations of results, which hold for the result of each component.
    decorations: HashMap<Word, Vec<Instruction>>,
    uint: Word,
    literals: HashMap<u32, Word>,
    pointers: HashMap<Word, Word>,
    /// New types and constants.
    globals: Vec<Instruction>,
    /// New variables of the function.
    variables: Vec<Instruction>,
    /// New decorations.
    annotations: Vec<Instruction>,
}

fn literal(inst: &Instruction, index: usize) -> u32 {
    match inst.operands.get(index) {
        Some(Operand::LiteralBit32(value)) => *value,
        _ => 0,
    }
}

fn ids(inst: &Instruction) -> Vec<Word> {
    let ids = inst.operands.iter().filter_map(Operand::id_ref_any);
    ids.collect()
}

impl Expansion {
    /// Turns the long vector types of a module into array types.
    fn new(module: &mut Module) -> Self {
        let is_long = |inst: &Instruction| !matches!(inst.operands.first(), Some(Operand::Capability(it)) if *it == Capability::LongVectorEXT);
        module.capabilities.retain(is_long);
        module.extensions.retain(
            |inst| !matches!(inst.operands.first(), Some(Operand::LiteralString(it)) if it == EXTENSION),
        );
        let mut expansion = Expansion {
            bound: module.header.as_ref().map_or(1, |header| header.bound),
            long: HashMap::default(),
            types: HashMap::default(),
            short: HashMap::default(),
            decorations: HashMap::default(),
            uint: 0,
            literals: HashMap::default(),
            pointers: HashMap::default(),
            globals: Vec::new(),
            variables: Vec::new(),
            annotations: Vec::new(),
        };
        for inst in &module.annotations {
            if inst.class.opcode == Op::Decorate
                && let Some(Operand::IdRef(target)) = inst.operands.first()
            {
                let of = expansion.decorations.entry(*target).or_default();
                of.push(inst.clone());
            }
        }
        let is_uint = |inst: &Instruction| {
            inst.class.opcode == Op::TypeInt && (literal(inst, 0), literal(inst, 1)) == (32, 0)
        };
        let old = std::mem::take(&mut module.types_global_values);
        // The lengths of arrays come before the arrays, and their type before them.
        let mut new: Vec<Instruction> = old.iter().filter(|inst| is_uint(inst)).cloned().collect();
        expansion.uint = match new.first().and_then(|inst| inst.result_id) {
            Some(known) => known,
            None => {
                let id = expansion.fresh();
                let operands = vec![Operand::LiteralBit32(32), Operand::LiteralBit32(0)];
                new.push(Instruction::new(Op::TypeInt, None, Some(id), operands));
                id
            }
        };
        for mut inst in old.into_iter().filter(|inst| !is_uint(inst)) {
            if let (Some(ty), Some(id)) = (inst.result_type, inst.result_id) {
                expansion.types.insert(id, ty);
            }
            if inst.class.opcode == Op::TypeVector
                && let Some(id) = inst.result_id
            {
                let vector = Long {
                    component: ids(&inst)[0],
                    count: literal(&inst, 1),
                };
                if vector.count > 4 {
                    let length = expansion.literal(vector.count);
                    new.append(&mut expansion.globals);
                    let operands = vec![Operand::IdRef(vector.component), Operand::IdRef(length)];
                    inst = Instruction::new(Op::TypeArray, None, Some(id), operands);
                    expansion.long.insert(id, vector);
                } else {
                    expansion.short.insert(id, vector);
                }
            }
            new.push(inst);
        }
        module.types_global_values = new;
        expansion
    }

    fn fresh(&mut self) -> Word {
        self.bound += 1;
        self.bound - 1
    }

    /// Returns an unsigned constant.
    fn literal(&mut self, value: u32) -> Word {
        if let Some(&known) = self.literals.get(&value) {
            return known;
        }
        let id = self.fresh();
        self.literals.insert(value, id);
        let operands = vec![Operand::LiteralBit32(value)];
        let inst = Instruction::new(Op::Constant, Some(self.uint), Some(id), operands);
        self.globals.push(inst);
        id
    }

    fn functions(&mut self, module: &mut Module) -> Result<(), Failure> {
        for function in &mut module.functions {
            for parameter in &function.parameters {
                self.note(parameter);
            }
            // A phi names values of later blocks, but all other uses come after definitions.
            for inst in function.blocks.iter().flat_map(|block| &block.instructions) {
                self.note(inst);
            }
            for block in &mut function.blocks {
                let mut code = Vec::with_capacity(block.instructions.len());
                for inst in block.instructions.drain(..) {
                    self.instruction(inst, &mut code)?;
                }
                block.instructions = code;
            }
            if let Some(first) = function.blocks.first_mut() {
                let variables = std::mem::take(&mut self.variables);
                first.instructions.splice(0..0, variables);
            }
        }
        module.annotations.append(&mut self.annotations);
        Ok(())
    }

    fn note(&mut self, inst: &Instruction) {
        if let (Some(ty), Some(id)) = (inst.result_type, inst.result_id) {
            self.types.insert(id, ty);
        }
    }

    /// Returns the long vector type of a value.
    fn long_of(&self, value: Word) -> Option<Long> {
        self.long.get(self.types.get(&value)?).copied()
    }

    fn emit(
        &mut self,
        code: &mut Vec<Instruction>,
        op: Op,
        ty: Word,
        operands: Vec<Operand>,
    ) -> Word {
        let id = self.fresh();
        self.types.insert(id, ty);
        code.push(Instruction::new(op, Some(ty), Some(id), operands));
        id
    }

    fn extract(
        &mut self,
        code: &mut Vec<Instruction>,
        ty: Word,
        composite: Word,
        index: u32,
    ) -> Word {
        let operands = vec![Operand::IdRef(composite), Operand::LiteralBit32(index)];
        self.emit(code, Op::CompositeExtract, ty, operands)
    }

    /// Gives a result the decorations of another one.
    fn decorate_like(&mut self, like: Word, id: Word) {
        for decoration in self.decorations.get(&like).into_iter().flatten() {
            let mut copy = decoration.clone();
            copy.operands[0] = Operand::IdRef(id);
            self.annotations.push(copy);
        }
    }

    fn instruction(
        &mut self,
        inst: Instruction,
        code: &mut Vec<Instruction>,
    ) -> Result<(), Failure> {
        let result = inst.result_type.and_then(|ty| self.long.get(&ty).copied());
        let operands = ids(&inst);
        let long = operands.iter().find_map(|&id| self.long_of(id));
        if result.is_none() && long.is_none() {
            code.push(inst);
            return Ok(());
        }
        match inst.class.opcode {
            // An array goes wherever a vector does.
            Op::Load
            | Op::Store
            | Op::Phi
            | Op::FunctionCall
            | Op::ReturnValue
            | Op::CompositeExtract
            | Op::CompositeInsert
            | Op::CopyObject
            | Op::Undef => code.push(inst),
            Op::Select if self.long_of(operands[0]).is_none() => code.push(inst),
            Op::CompositeConstruct => self.construct(inst, &operands, code),
            Op::VectorShuffle => self.shuffle(inst, &operands, code),
            Op::VectorExtractDynamic => self.extract_dynamic(inst, &operands, code),
            Op::VectorInsertDynamic => self.insert_dynamic(inst, &operands, code),
            Op::Dot => self.dot(inst, &operands, code),
            Op::Any => self.reduce(Op::LogicalOr, inst, &operands, code),
            Op::All => self.reduce(Op::LogicalAnd, inst, &operands, code),
            op => match result {
                Some(result) if long.is_none_or(|long| long.count == result.count) => {
                    self.each(inst, result, code);
                }
                _ => return Err(Failure::new(format!("{op:?} of long vectors"))),
            },
        }
        Ok(())
    }

    /// Applies an instruction to each component.
    fn each(&mut self, inst: Instruction, result: Long, code: &mut Vec<Instruction>) {
        let mut made = Vec::new();
        for index in 0..result.count {
            let mut operands = inst.operands.clone();
            for operand in &mut operands {
                if let Operand::IdRef(id) = *operand
                    && let Some(long) = self.long_of(id)
                {
                    *operand = Operand::IdRef(self.extract(code, long.component, id, index));
                }
            }
            let id = self.emit(code, inst.class.opcode, result.component, operands);
            if let Some(like) = inst.result_id {
                self.decorate_like(like, id);
            }
            made.push(Operand::IdRef(id));
        }
        self.finish(inst, Op::CompositeConstruct, made, code);
    }

    /// Writes an instruction with the result of `inst`.
    fn finish(
        &mut self,
        inst: Instruction,
        op: Op,
        operands: Vec<Operand>,
        code: &mut Vec<Instruction>,
    ) {
        let (ty, id) = (inst.result_type, inst.result_id);
        code.push(Instruction::new(op, ty, id, operands));
    }

    /// Puts components together; vectors may stand for several of them.
    fn construct(&mut self, inst: Instruction, parts: &[Word], code: &mut Vec<Instruction>) {
        let is_vector = inst
            .result_type
            .is_some_and(|ty| self.long.contains_key(&ty));
        let mut made = Vec::new();
        for &part in parts {
            let ty = self.types.get(&part).copied().unwrap_or(0);
            match self.short.get(&ty).or(self.long.get(&ty)).copied() {
                Some(vector) if is_vector => {
                    for index in 0..vector.count {
                        let id = self.extract(code, vector.component, part, index);
                        made.push(Operand::IdRef(id));
                    }
                }
                _ => made.push(Operand::IdRef(part)),
            }
        }
        self.finish(inst, Op::CompositeConstruct, made, code);
    }

    fn shuffle(&mut self, inst: Instruction, operands: &[Word], code: &mut Vec<Instruction>) {
        let shape = |this: &Self, id: Word| {
            let ty = this.types.get(&id).copied().unwrap_or(0);
            this.long.get(&ty).or(this.short.get(&ty)).copied()
        };
        let (a, b) = (operands[0], operands[1]);
        let (Some(first), Some(second)) = (shape(self, a), shape(self, b)) else {
            return;
        };
        let mut made = Vec::new();
        for pick in &inst.operands[2..] {
            let &Operand::LiteralBit32(pick) = pick else {
                continue;
            };
            made.push(Operand::IdRef(if pick == u32::MAX {
                self.emit(code, Op::Undef, first.component, Vec::new())
            } else if pick < first.count {
                self.extract(code, first.component, a, pick)
            } else {
                self.extract(code, second.component, b, pick - first.count)
            }));
        }
        self.finish(inst, Op::CompositeConstruct, made, code);
    }

    /// Returns the address of a component in a new variable that holds a vector.
    fn component_of_copy(
        &mut self,
        vector: Word,
        index: Word,
        code: &mut Vec<Instruction>,
    ) -> (Word, Word) {
        let ty = self.types.get(&vector).copied().unwrap_or(0);
        let component = self.long.get(&ty).map_or(0, |long| long.component);
        let [whole, part] = [ty, component].map(|ty| self.pointer(ty));
        let variable = self.fresh();
        let class = vec![Operand::StorageClass(StorageClass::Function)];
        let inst = Instruction::new(Op::Variable, Some(whole), Some(variable), class);
        self.variables.push(inst);
        let stored = vec![Operand::IdRef(variable), Operand::IdRef(vector)];
        code.push(Instruction::new(Op::Store, None, None, stored));
        let chain = vec![Operand::IdRef(variable), Operand::IdRef(index)];
        (variable, self.emit(code, Op::AccessChain, part, chain))
    }

    fn pointer(&mut self, pointee: Word) -> Word {
        if let Some(&known) = self.pointers.get(&pointee) {
            return known;
        }
        let id = self.fresh();
        self.pointers.insert(pointee, id);
        let class = Operand::StorageClass(StorageClass::Function);
        let operands = vec![class, Operand::IdRef(pointee)];
        let inst = Instruction::new(Op::TypePointer, None, Some(id), operands);
        self.globals.push(inst);
        id
    }

    fn extract_dynamic(
        &mut self,
        inst: Instruction,
        operands: &[Word],
        code: &mut Vec<Instruction>,
    ) {
        let (_, part) = self.component_of_copy(operands[0], operands[1], code);
        self.finish(inst, Op::Load, vec![Operand::IdRef(part)], code);
    }

    fn insert_dynamic(
        &mut self,
        inst: Instruction,
        operands: &[Word],
        code: &mut Vec<Instruction>,
    ) {
        let (variable, part) = self.component_of_copy(operands[0], operands[2], code);
        let stored = vec![Operand::IdRef(part), Operand::IdRef(operands[1])];
        code.push(Instruction::new(Op::Store, None, None, stored));
        self.finish(inst, Op::Load, vec![Operand::IdRef(variable)], code);
    }

    fn dot(&mut self, inst: Instruction, operands: &[Word], code: &mut Vec<Instruction>) {
        let Some(long) = self.long_of(operands[0]) else {
            return;
        };
        let mut sum = None;
        for index in 0..long.count {
            let [a, b] = [operands[0], operands[1]].map(|vector| {
                let id = self.extract(code, long.component, vector, index);
                Operand::IdRef(id)
            });
            let product = self.emit(code, Op::FMul, long.component, vec![a, b]);
            sum = Some(match sum {
                Some(sum) => {
                    let terms = vec![Operand::IdRef(sum), Operand::IdRef(product)];
                    self.emit(code, Op::FAdd, long.component, terms)
                }
                None => product,
            });
        }
        let sum = sum.map(Operand::IdRef).into_iter().collect();
        self.finish(inst, Op::CopyObject, sum, code);
    }

    fn reduce(
        &mut self,
        op: Op,
        inst: Instruction,
        operands: &[Word],
        code: &mut Vec<Instruction>,
    ) {
        let Some(long) = self.long_of(operands[0]) else {
            return;
        };
        let mut all = self.extract(code, long.component, operands[0], 0);
        for index in 1..long.count {
            let next = self.extract(code, long.component, operands[0], index);
            let both = vec![Operand::IdRef(all), Operand::IdRef(next)];
            all = self.emit(code, op, long.component, both);
        }
        self.finish(inst, Op::CopyObject, vec![Operand::IdRef(all)], code);
    }
}
