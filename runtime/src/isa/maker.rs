//! Writes a module that has the types of another one, and one function.

use rspirv::dr::{Block, Function, Instruction, Module, Operand};
use rspirv::spirv::{BuiltIn, Decoration, ExecutionModel, FunctionControl, Op, StorageClass, Word};

use super::module::Reflected;

/// Vertex attributes that every driver has.
const MAX_ATTRIBUTES: u32 = 16;

/// Values of more scalars are left undefined: payloads have up to 16 KiB.
const MAX_SCALARS: u32 = 256;

/// Deepest nesting of types.
const MAX_DEPTH: u32 = 8;

/// The first version of SPIR-V whose entry points name all variables, as a header has it.
const NAMES_ALL: u32 = 0x0001_0400;

/// Where values come from that the driver must not know.
pub(super) enum Source {
    /// Vertex attributes of four floats, one after the other.
    Attributes {
        /// Scalars that were taken.
        scalars: u32,
    },
    /// A number of the invocation, with another number added to it for each value.
    Counter {
        /// The number, of type `uint`.
        base: Word,
        /// The one that is added next.
        next: u32,
    },
}

impl Source {
    /// Ends an attribute: a variable begins a new one.
    pub(super) fn align(&mut self) {
        if let Source::Attributes { scalars } = self {
            *scalars = scalars.next_multiple_of(4);
        }
    }
}

/// A module that is being made.
pub(super) struct Maker {
    module: Module,
    next: Word,
    body: Vec<Instruction>,
    interface: Vec<(StorageClass, Word)>,
    attributes: Vec<Word>,
    /// The sum of what was read.
    sum: Option<Word>,
    ended: bool,
}

impl Maker {
    /// Returns a module with capabilities, types and constants of another one.
    pub(super) fn of(other: &Reflected) -> Maker {
        let mut module = other.module().clone();
        module.functions.clear();
        module.entry_points.clear();
        module.execution_modes.clear();
        module.debug_names.clear();
        module.debug_string_source.clear();
        module.debug_module_processed.clear();
        let is_variable =
            |inst: &Instruction| matches!(inst.class.opcode, Op::Variable | Op::Line | Op::NoLine);
        module.types_global_values.retain(|inst| !is_variable(inst));
        let types = module.types_global_values.iter();
        let known: dxil_frontend::tables::HashSet<Word> =
            types.filter_map(|inst| inst.result_id).collect();
        module
            .annotations
            .retain(|inst| match inst.operands.first() {
                Some(Operand::IdRef(target)) => known.contains(target),
                _ => false,
            });
        Maker {
            next: module.header.as_ref().map_or(1, |header| header.bound),
            module,
            body: Vec::new(),
            interface: Vec::new(),
            attributes: Vec::new(),
            sum: None,
            ended: false,
        }
    }

    fn id(&mut self) -> Word {
        self.next += 1;
        self.next - 1
    }

    /// Returns a type or constant: the one that is there, or a new one.
    fn global(&mut self, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
        let mut all = self.module.types_global_values.iter();
        let same = all.find(|inst| {
            inst.class.opcode == op && inst.result_type == ty && inst.operands == operands
        });
        if let Some(id) = same.and_then(|inst| inst.result_id) {
            return id;
        }
        let id = self.id();
        let inst = Instruction::new(op, ty, Some(id), operands);
        self.module.types_global_values.push(inst);
        id
    }

    pub(super) fn uint(&mut self) -> Word {
        let operands = vec![Operand::LiteralBit32(32), Operand::LiteralBit32(0)];
        self.global(Op::TypeInt, None, operands)
    }

    fn float(&mut self) -> Word {
        self.global(Op::TypeFloat, None, vec![Operand::LiteralBit32(32)])
    }

    fn vector(&mut self, element: Word, count: u32) -> Word {
        let operands = vec![Operand::IdRef(element), Operand::LiteralBit32(count)];
        self.global(Op::TypeVector, None, operands)
    }

    pub(super) fn float_vector(&mut self) -> Word {
        let float = self.float();
        self.vector(float, 4)
    }

    pub(super) fn uint_vector3(&mut self) -> Word {
        let uint = self.uint();
        self.vector(uint, 3)
    }

    pub(super) fn constant(&mut self, value: u32) -> Word {
        let uint = self.uint();
        self.global(Op::Constant, Some(uint), vec![Operand::LiteralBit32(value)])
    }

    pub(super) fn array(&mut self, element: Word, length: Word) -> Word {
        // Not that of another array type, which may have a stride.
        let id = self.id();
        let operands = vec![Operand::IdRef(element), Operand::IdRef(length)];
        let inst = Instruction::new(Op::TypeArray, None, Some(id), operands);
        self.module.types_global_values.push(inst);
        id
    }

    /// Returns the type of an array of floats.
    pub(super) fn floats(&mut self, count: u32) -> Word {
        let (float, length) = (self.float(), self.constant(count));
        self.array(float, length)
    }

    fn pointer(&mut self, class: StorageClass, ty: Word) -> Word {
        let operands = vec![Operand::StorageClass(class), Operand::IdRef(ty)];
        self.global(Op::TypePointer, None, operands)
    }

    pub(super) fn variable(&mut self, class: StorageClass, ty: Word) -> Word {
        let (pointer, id) = (self.pointer(class, ty), self.id());
        let operands = vec![Operand::StorageClass(class)];
        let inst = Instruction::new(Op::Variable, Some(pointer), Some(id), operands);
        self.module.types_global_values.push(inst);
        self.interface.push((class, id));
        id
    }

    pub(super) fn decorate(&mut self, id: Word, decoration: Decoration, value: Option<Operand>) {
        let operands = [Operand::IdRef(id), Operand::Decoration(decoration)];
        let operands = operands.into_iter().chain(value).collect();
        let inst = Instruction::new(Op::Decorate, None, None, operands);
        self.module.annotations.push(inst);
    }

    pub(super) fn built_in(&mut self, class: StorageClass, built_in: BuiltIn, ty: Word) -> Word {
        let variable = self.variable(class, ty);
        self.decorate(
            variable,
            Decoration::BuiltIn,
            Some(Operand::BuiltIn(built_in)),
        );
        variable
    }

    fn emit(&mut self, op: Op, ty: Word, operands: Vec<Operand>) -> Word {
        let id = self.id();
        self.body
            .push(Instruction::new(op, Some(ty), Some(id), operands));
        id
    }

    pub(super) fn load(&mut self, ty: Word, from: Word) -> Word {
        self.emit(Op::Load, ty, vec![Operand::IdRef(from)])
    }

    pub(super) fn store(&mut self, to: Word, value: Word) {
        let operands = vec![Operand::IdRef(to), Operand::IdRef(value)];
        self.body
            .push(Instruction::new(Op::Store, None, None, operands));
    }

    /// Returns the pointer to an element of an array.
    pub(super) fn element(
        &mut self,
        class: StorageClass,
        ty: Word,
        array: Word,
        index: Word,
    ) -> Word {
        let pointer = self.pointer(class, ty);
        let operands = vec![Operand::IdRef(array), Operand::IdRef(index)];
        self.emit(Op::AccessChain, pointer, operands)
    }

    pub(super) fn construct(&mut self, ty: Word, parts: Vec<Word>) -> Word {
        let parts = parts.into_iter().map(Operand::IdRef).collect();
        self.emit(Op::CompositeConstruct, ty, parts)
    }

    pub(super) fn modulo(&mut self, value: Word, of: u32) -> Word {
        let (uint, of) = (self.uint(), self.constant(of.max(1)));
        self.emit(
            Op::UMod,
            uint,
            vec![Operand::IdRef(value), Operand::IdRef(of)],
        )
    }

    /// Returns a float that the driver does not know.
    pub(super) fn scalar(&mut self, source: &mut Source) -> Word {
        let float = self.float();
        match source {
            Source::Counter { base, next } => {
                let (base, uint) = (*base, self.uint());
                *next += 1;
                let added = self.constant(*next);
                let operands = vec![Operand::IdRef(base), Operand::IdRef(added)];
                let sum = self.emit(Op::IAdd, uint, operands);
                self.emit(Op::ConvertUToF, float, vec![Operand::IdRef(sum)])
            }
            Source::Attributes { scalars } => {
                let (attribute, component) = (*scalars / 4, *scalars % 4);
                *scalars += 1;
                let vector = self.float_vector();
                if attribute < MAX_ATTRIBUTES && component == 0 {
                    let variable = self.variable(StorageClass::Input, vector);
                    let location = Operand::LiteralBit32(attribute);
                    self.decorate(variable, Decoration::Location, Some(location));
                    let value = self.load(vector, variable);
                    self.attributes.push(value);
                }
                let value = self.attributes[(attribute % MAX_ATTRIBUTES) as usize];
                let operands = vec![Operand::IdRef(value), Operand::LiteralBit32(component)];
                let value = self.emit(Op::CompositeExtract, float, operands);
                // A value that two outputs have may become one.
                if attribute < MAX_ATTRIBUTES {
                    value
                } else {
                    self.emit(Op::FNegate, float, vec![Operand::IdRef(value)])
                }
            }
        }
    }

    /// Returns a value of a type of the other module; `None` for one of too many scalars.
    pub(super) fn fresh(
        &mut self,
        types: &Reflected,
        ty: Word,
        source: &mut Source,
    ) -> Option<Word> {
        (types.scalars(ty, MAX_DEPTH) <= MAX_SCALARS).then(|| self.value(types, ty, source))
    }

    fn value(&mut self, types: &Reflected, ty: Word, source: &mut Source) -> Word {
        let parts = types.parts(ty);
        if !parts.is_empty() {
            let parts = parts
                .into_iter()
                .map(|part| self.value(types, part, source));
            let parts = parts.collect();
            return self.construct(ty, parts);
        }
        let scalar = self.scalar(source);
        let operands = vec![Operand::IdRef(scalar)];
        match types.operands(ty) {
            (Some(Op::TypeFloat), [Operand::LiteralBit32(32)]) => scalar,
            (Some(Op::TypeFloat), _) => self.emit(Op::FConvert, ty, operands),
            (Some(Op::TypeInt), [Operand::LiteralBit32(32), ..]) => {
                self.emit(Op::Bitcast, ty, operands)
            }
            (Some(Op::TypeInt), _) => self.emit(Op::ConvertFToU, ty, operands),
            _ => self.emit(Op::Undef, ty, Vec::new()),
        }
    }

    /// Adds all scalars of a value to the sum.
    pub(super) fn add_all(&mut self, types: &Reflected, ty: Word, value: Word) {
        if types.scalars(ty, MAX_DEPTH) <= MAX_SCALARS {
            self.add(types, ty, value);
        }
    }

    fn add(&mut self, types: &Reflected, ty: Word, value: Word) {
        let parts = types.parts(ty);
        if !parts.is_empty() {
            for (index, part) in (0..).zip(parts) {
                let operands = vec![Operand::IdRef(value), Operand::LiteralBit32(index)];
                let inner = self.emit(Op::CompositeExtract, part, operands);
                self.add(types, part, inner);
            }
            return;
        }
        let float = self.float();
        let operands = vec![Operand::IdRef(value)];
        let term = match types.operands(ty) {
            (Some(Op::TypeFloat), [Operand::LiteralBit32(32)]) => value,
            (Some(Op::TypeFloat), _) => self.emit(Op::FConvert, float, operands),
            (Some(Op::TypeInt), _) => self.emit(Op::ConvertUToF, float, operands),
            _ => return,
        };
        self.sum = Some(match self.sum {
            None => term,
            Some(sum) => {
                let operands = vec![Operand::IdRef(sum), Operand::IdRef(term)];
                self.emit(Op::FAdd, float, operands)
            }
        });
    }

    /// Returns the sum of what was read.
    pub(super) fn sum(&mut self) -> Word {
        match self.sum {
            Some(sum) => sum,
            None => {
                let (float, zero) = (self.float(), self.constant(0));
                self.emit(Op::ConvertUToF, float, vec![Operand::IdRef(zero)])
            }
        }
    }

    pub(super) fn set_mesh_outputs(&mut self, vertices: Word, primitives: Word) {
        let operands = vec![Operand::IdRef(vertices), Operand::IdRef(primitives)];
        let inst = Instruction::new(Op::SetMeshOutputsEXT, None, None, operands);
        self.body.push(inst);
    }

    /// Ends an amplification shader with one group of the mesh shader.
    pub(super) fn emit_mesh_tasks(&mut self, payload: Word) {
        let one = self.constant(1);
        let operands = [one, one, one, payload].map(Operand::IdRef).to_vec();
        let inst = Instruction::new(Op::EmitMeshTasksEXT, None, None, operands);
        self.body.push(inst);
        self.ended = true;
    }

    /// Returns the module, with its function as an entry point.
    pub(super) fn finish(
        mut self,
        model: ExecutionModel,
        name: &str,
        modes: Vec<Instruction>,
    ) -> Module {
        let void = self.global(Op::TypeVoid, None, Vec::new());
        let kind = self.global(Op::TypeFunction, None, vec![Operand::IdRef(void)]);
        let (function, label) = (self.id(), self.id());
        let names_all = self
            .module
            .header
            .as_ref()
            .is_some_and(|h| h.version >= NAMES_ALL);
        let listed = |class: &StorageClass| {
            names_all || matches!(class, StorageClass::Input | StorageClass::Output)
        };
        let entry = [
            Operand::ExecutionModel(model),
            Operand::IdRef(function),
            Operand::LiteralString(name.to_owned()),
        ];
        let interface = self.interface.iter().filter(|(class, _)| listed(class));
        let interface = interface.map(|(_, id)| Operand::IdRef(*id));
        let operands = entry.into_iter().chain(interface).collect();
        let inst = Instruction::new(Op::EntryPoint, None, None, operands);
        self.module.entry_points.push(inst);
        for mut mode in modes {
            mode.operands.insert(0, Operand::IdRef(function));
            self.module.execution_modes.push(mode);
        }
        if !self.ended {
            self.body
                .push(Instruction::new(Op::Return, None, None, Vec::new()));
        }
        let control = Operand::FunctionControl(FunctionControl::NONE);
        let operands = vec![control, Operand::IdRef(kind)];
        self.module.functions.push(Function {
            def: Some(Instruction::new(
                Op::Function,
                Some(void),
                Some(function),
                operands,
            )),
            end: Some(Instruction::new(Op::FunctionEnd, None, None, Vec::new())),
            parameters: Vec::new(),
            blocks: vec![Block {
                label: Some(Instruction::new(Op::Label, None, Some(label), Vec::new())),
                instructions: self.body,
            }],
        });
        if let Some(header) = &mut self.module.header {
            header.bound = self.next;
        }
        self.module
    }
}
