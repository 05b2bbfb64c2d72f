//! The state of the conversion of a function: the body, the position in it, and values of any type.

use super::arrays::{GroupArray, LocalArray};
use super::body::{BodyBuilder, InsertPoint};
use super::flow::ConstructTree;
use super::instance_range::{InstanceRange, NamedResource};
use super::module::ModuleBuilder;
use super::resource_table::{Known, ResourceTable};
use super::ssa::{Def, ReachingDef, RegisterComponent, RegisterVariable, Variables};
use crate::dxbc::declarations::Declarations;
use crate::dxbc::linkage::Linked;
use crate::dxbc::operations::Operations;
use crate::dxbc::reader::Program;
use crate::dxbc::signature::Signatures;
use crate::dxil::ops::Opcode as Op;
use crate::error::{Error, ErrorKind, Result};
use crate::ir::{BinaryOp, CastOp, CmpPredicate, FastMath, Inst, TypeId, ValueId};
use crate::limits;
use crate::tables::HashMap;

/// The function of a shader that is being converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FunctionPart {
    /// The only one.
    Main,
    /// A hull shader's control-point phase.
    ControlPoint,
    /// A hull shader's control-point phase that the shader leaves out: it copies inputs.
    PassThrough,
    /// A hull shader's fork and join phases.
    PatchConstant,
}

/// The state that all functions of a shader share.
pub(super) struct Shared<'a> {
    pub(super) program: &'a Program,
    pub(super) declarations: &'a Declarations,
    pub(super) signatures: &'a Signatures,
    /// Indexable files of temporaries that are memory.
    pub(super) arrays: crate::tables::HashMap<u32, u8>,
    pub(super) module: ModuleBuilder,
    pub(super) resources: ResourceTable,
    /// Group-shared memory that has been used.
    pub(super) group_arrays: HashMap<u32, GroupArray>,
    /// The immediate constant buffer, once it has been used.
    pub(super) constants: Option<ValueId>,
    /// The source of what interfaces stand for; none of a shader without interfaces.
    pub(super) linked: Option<&'a Linked>,
    /// The operations that it may use.
    pub(super) operations: Operations,
    /// The rows of known class instances, once code has indexed them.
    pub(super) instance_rows: Option<ValueId>,
    /// The constant buffer with the class instances, once code has read it.
    pub(super) instance_buffer: Option<Known>,
    /// Ranges of resources that class instances name.
    pub(super) instance_ranges: HashMap<InstanceRange, u32>,
    /// Number of types of textures and buffers among them.
    pub(super) instance_textures: u32,
}

/// A type that a value can be asked for as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum ReadType {
    Int,
    Float,
    Bool,
    /// A float of minimum precision.
    Half,
}

/// A computation without side effects, which a block needs once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Pure {
    Binary(BinaryOp, FastMath, ValueId, ValueId),
    Compare(CmpPredicate, ValueId, ValueId),
    Call(Op, ValueId, Option<ValueId>),
    Cast(CastOp, ValueId, TypeId),
}

/// A row of a constant buffer that has been loaded.
#[derive(Debug, Clone, Copy)]
pub(super) struct LoadedRow {
    pub(super) value: ValueId,
    /// The sequence of code that loads it.
    pub(super) region: u32,
    /// Its components, as far as code has read them.
    pub(super) components: [Option<ValueId>; 4],
}

/// Conversion of one function.
pub(super) struct FunctionConverter<'a, 's> {
    pub(super) shared: &'s mut Shared<'a>,
    pub(super) program: &'a Program,
    pub(super) declarations: &'a Declarations,
    pub(super) signatures: &'a Signatures,
    pub(super) part: FunctionPart,
    pub(super) flow: &'s ConstructTree,
    pub(super) variables: Variables,
    pub(super) body: BodyBuilder,
    /// The current block.
    pub(super) block: u32,
    pub(super) step: u32,
    pub(super) instance: u32,
    /// Whether arithmetic may be regrouped.
    pub(super) fast_math: FastMath,
    /// Whether the present instruction may compute floats in 16 bits.
    pub(super) min_precision: bool,
    /// What the present instruction says of a resource that it does not name by its register.
    pub(super) named_resource: NamedResource,
    /// Results of the current block. Operands are converted component by component, so an index or
    /// a modifier that components share would otherwise be computed for each of them.
    computed: HashMap<Pure, ValueId>,
    /// Casts that have been made.
    casts: HashMap<(ValueId, ReadType), ValueId>,
    /// Handles of resources whose index is constant.
    pub(super) handles: HashMap<(u32, u32), ValueId>,
    /// Inputs that have been read: file, register, component.
    pub(super) inputs: HashMap<(u32, u32, u8), Def>,
    /// Registers of constant buffers that code has read: handle, register, whether as floats.
    pub(super) constant_rows: HashMap<(ValueId, ValueId, bool), LoadedRow>,
    /// Local arrays.
    pub(super) arrays: HashMap<(u32, u32), LocalArray>,
}

impl<'a, 's> FunctionConverter<'a, 's> {
    pub(super) fn new(
        shared: &'s mut Shared<'a>,
        part: FunctionPart,
        flow: &'s ConstructTree,
        variables: Variables,
    ) -> Self {
        let void = shared.module.types.void;
        FunctionConverter {
            program: shared.program,
            declarations: shared.declarations,
            signatures: shared.signatures,
            shared,
            part,
            flow,
            variables,
            body: BodyBuilder::new(flow.blocks.len(), void),
            block: 0,
            step: 0,
            instance: 0,
            fast_math: FastMath::default(),
            min_precision: false,
            named_resource: NamedResource::default(),
            computed: HashMap::default(),
            casts: HashMap::default(),
            handles: HashMap::default(),
            inputs: HashMap::default(),
            constant_rows: HashMap::default(),
            arrays: HashMap::default(),
        }
    }

    /// Starts a block, which sees nothing that other blocks have computed.
    pub(super) fn start_block(&mut self, number: u32, instance: u32) {
        self.block = number;
        self.instance = instance;
        // Values of another block need not dominate this one. Casts, handles and inputs stay: they
        // lie after their operand or at the start of the function.
        self.computed.clear();
    }

    /// Returns the sequence that the present block is part of.
    pub(super) fn region(&self) -> u32 {
        let block = self.flow.blocks.get(self.block as usize);
        block.map_or(0, |block| block.region)
    }

    /// Returns whether what has been converted of a sequence so far dominates the present block.
    /// That holds for this block's sequence and for all around it: code can leave a sequence early,
    /// but it cannot enter one in the middle.
    pub(super) fn is_dominated_by(&self, sequence: u32) -> bool {
        let mut inner = self.region();
        while inner != sequence {
            let parent = self.flow.regions.get(inner as usize);
            match parent.map(|region| region.parent) {
                Some(parent) if parent != inner => inner = parent,
                // The root is its own parent.
                _ => return false,
            }
        }
        true
    }

    pub(super) fn i1(&self) -> TypeId {
        self.shared.module.types.i1
    }

    pub(super) fn i32(&self) -> TypeId {
        self.shared.module.types.i32
    }

    pub(super) fn f32(&self) -> TypeId {
        self.shared.module.types.f32
    }

    pub(super) fn f64(&self) -> TypeId {
        self.shared.module.types.f64
    }

    /// Returns `float` or `i32`.
    pub(super) fn scalar(&self, is_float: bool) -> TypeId {
        if is_float { self.f32() } else { self.i32() }
    }

    pub(super) fn int(&mut self, value: u32) -> ValueId {
        let ty = self.i32();
        self.body.constant(ty, false, Some(u64::from(value)))
    }

    pub(super) fn byte(&mut self, value: u8) -> ValueId {
        let ty = self.shared.module.types.i8;
        self.body.constant(ty, false, Some(u64::from(value)))
    }

    pub(super) fn bool(&mut self, value: bool) -> ValueId {
        let ty = self.i1();
        self.body.constant(ty, false, Some(u64::from(value)))
    }

    pub(super) fn float(&mut self, value: f32) -> ValueId {
        let ty = self.f32();
        self.body
            .constant(ty, true, Some(u64::from(value.to_bits())))
    }

    pub(super) fn double(&mut self, bits: u64) -> ValueId {
        let ty = self.f64();
        self.body.constant(ty, true, Some(bits))
    }

    pub(super) fn undef(&mut self, ty: TypeId) -> ValueId {
        self.body.constant(ty, false, None)
    }

    /// Adds an instruction with a result to the present block.
    pub(super) fn emit(&mut self, inst: Inst, ty: TypeId) -> ValueId {
        self.body
            .emit(InsertPoint::Block(self.block), inst, ty, true)
    }

    /// Adds an instruction without result to the present block.
    pub(super) fn run(&mut self, inst: Inst) {
        let void = self.shared.module.types.void;
        self.body
            .emit(InsertPoint::Block(self.block), inst, void, false);
    }

    /// Calls a DXIL operation in the present block.
    pub(super) fn call(
        &mut self,
        op: Op,
        overload: Option<TypeId>,
        ret: TypeId,
        args: &[ValueId],
    ) -> Result<ValueId> {
        self.call_at(InsertPoint::Block(self.block), op, overload, ret, args)
    }

    /// Calls a DXIL operation.
    pub(super) fn call_at(
        &mut self,
        place: InsertPoint,
        op: Op,
        overload: Option<TypeId>,
        ret: TypeId,
        args: &[ValueId],
    ) -> Result<ValueId> {
        let number = self.int(op.number());
        let mut all: smallvec::SmallVec<[ValueId; 20]> = smallvec::smallvec![number];
        all.extend_from_slice(args);
        let void = self.shared.module.types.void;
        let types: smallvec::SmallVec<[TypeId; 20]> = all
            .iter()
            .map(|&value| self.body.type_of(value).unwrap_or(void))
            .collect();
        // The arguments' types make the declaration, and `classify_callees` compares it with the
        // table when the module is complete.
        let (callee, ret) = self.shared.module.operation(op, overload, ret, &types);
        let args = self.body.list(&all)?;
        let inst = Inst::Call {
            callee,
            args,
            fast_math: self.fast_math,
        };
        Ok(self.body.emit(place, inst, ret, ret != void))
    }

    /// Returns a member of a structure.
    pub(super) fn member(&mut self, aggregate: ValueId, index: u32, ty: TypeId) -> Result<ValueId> {
        self.member_at(InsertPoint::Block(self.block), aggregate, index, ty)
    }

    /// Returns a member of a structure.
    pub(super) fn member_at(
        &mut self,
        place: InsertPoint,
        aggregate: ValueId,
        index: u32,
        ty: TypeId,
    ) -> Result<ValueId> {
        let indices = self.body.index_list(index)?;
        let inst = Inst::ExtractValue { aggregate, indices };
        Ok(self.body.emit(place, inst, ty, true))
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        ty: TypeId,
        lhs: ValueId,
        rhs: ValueId,
    ) -> ValueId {
        let fast_math = self.fast_math;
        let inst = Inst::Binary {
            op,
            fast_math,
            lhs,
            rhs,
        };
        self.once(Pure::Binary(op, fast_math, lhs, rhs), inst, ty)
    }

    pub(super) fn compare(
        &mut self,
        predicate: CmpPredicate,
        lhs: ValueId,
        rhs: ValueId,
    ) -> ValueId {
        let ty = self.i1();
        let inst = Inst::Cmp {
            predicate,
            fast_math: FastMath::default(),
            lhs,
            rhs,
        };
        self.once(Pure::Compare(predicate, lhs, rhs), inst, ty)
    }

    /// Adds an instruction unless this block has computed the same.
    fn once(&mut self, what: Pure, inst: Inst, ty: TypeId) -> ValueId {
        if let Some(&known) = self.computed.get(&what) {
            return known;
        }
        let value = self.emit(inst, ty);
        self.computed.insert(what, value);
        value
    }

    /// Calls an operation without side effects on one or two values of a type, and returns a value
    /// of that type.
    pub(super) fn pure_call(
        &mut self,
        op: Op,
        ty: TypeId,
        value: ValueId,
        other: Option<ValueId>,
    ) -> Result<ValueId> {
        let what = Pure::Call(op, value, other);
        if let Some(&known) = self.computed.get(&what) {
            return Ok(known);
        }
        let args: smallvec::SmallVec<[ValueId; 2]> = [value].into_iter().chain(other).collect();
        let result = self.call(op, Some(ty), ty, &args)?;
        self.computed.insert(what, result);
        Ok(result)
    }

    pub(super) fn select(
        &mut self,
        condition: ValueId,
        if_true: ValueId,
        if_false: ValueId,
        ty: TypeId,
    ) -> ValueId {
        self.emit(
            Inst::Select {
                condition,
                if_true,
                if_false,
            },
            ty,
        )
    }

    pub(super) fn cast(&mut self, op: CastOp, value: ValueId, ty: TypeId) -> ValueId {
        self.emit(Inst::Cast { op, value }, ty)
    }

    /// Returns a cast that this block makes once.
    pub(super) fn pure_cast(&mut self, op: CastOp, value: ValueId, ty: TypeId) -> ValueId {
        self.once(Pure::Cast(op, value, ty), Inst::Cast { op, value }, ty)
    }

    /// Returns a cast right after a value, which all later uses share; `from` is the form of the
    /// value itself, which a cast back gives.
    pub(super) fn cast_behind(
        &mut self,
        value: ValueId,
        (to, from): (ReadType, ReadType),
        inst: Inst,
        ty: TypeId,
    ) -> ValueId {
        if let Some(&known) = self.casts.get(&(value, to)) {
            return known;
        }
        let cast = self.body.emit(InsertPoint::Behind(value), inst, ty, true);
        self.casts.insert((value, to), cast);
        self.casts.insert((cast, from), value);
        cast
    }

    /// Returns a value in another form, where one has been made.
    pub(super) fn known_cast(&self, value: ValueId, wanted: ReadType) -> Option<ValueId> {
        self.casts.get(&(value, wanted)).copied()
    }

    /// Notes a value's other form.
    pub(super) fn set_cast(&mut self, value: ValueId, wanted: ReadType, form: ValueId) {
        self.casts.insert((value, wanted), form);
    }

    /// Returns a component as an `i32`.
    pub(super) fn as_int(&mut self, def: Def) -> ValueId {
        let ty = self.i32();
        let (value, op, from) = match def {
            Def::Bits(bits) => return self.int(bits),
            Def::Int(value) => return value,
            Def::Float(value) => (value, CastOp::Bitcast, ReadType::Float),
            Def::Mask(value) => (value, CastOp::SExt, ReadType::Bool),
        };
        let inst = Inst::Cast { op, value };
        self.cast_behind(value, (ReadType::Int, from), inst, ty)
    }

    /// Returns a component as a `float`.
    pub(super) fn as_float(&mut self, def: Def) -> ValueId {
        let ty = self.f32();
        let value = match def {
            Def::Bits(bits) => {
                let ty = self.f32();
                return self.body.constant(ty, true, Some(u64::from(bits)));
            }
            Def::Float(value) => return value,
            Def::Int(_) | Def::Mask(_) => self.as_int(def),
        };
        let inst = Inst::Cast {
            op: CastOp::Bitcast,
            value,
        };
        self.cast_behind(value, (ReadType::Float, ReadType::Int), inst, ty)
    }

    /// Returns a component as a `float` or an `i32`.
    pub(super) fn as_scalar(&mut self, def: Def, is_float: bool) -> ValueId {
        if is_float {
            self.as_float(def)
        } else {
            self.as_int(def)
        }
    }

    /// Returns whether any bit of a component is set.
    pub(super) fn as_bool(&mut self, def: Def) -> ValueId {
        match def {
            Def::Bits(bits) => self.bool(bits != 0),
            Def::Mask(value) => value,
            Def::Int(_) | Def::Float(_) => {
                let value = self.as_int(def);
                let zero = self.int(0);
                let ty = self.i1();
                let inst = Inst::Cmp {
                    predicate: CmpPredicate::INe,
                    fast_math: FastMath::default(),
                    lhs: value,
                    rhs: zero,
                };
                // A test does not lead back to the value.
                if let Some(&known) = self.casts.get(&(value, ReadType::Bool)) {
                    return known;
                }
                let test = self.body.emit(InsertPoint::Behind(value), inst, ty, true);
                self.casts.insert((value, ReadType::Bool), test);
                test
            }
        }
    }

    /// Returns a value as a component.
    pub(super) fn def(&self, value: ValueId, is_float: bool) -> Def {
        if is_float {
            Def::Float(value)
        } else {
            Def::Int(value)
        }
    }

    /// Returns the current definition of a register's component.
    pub(super) fn read(&mut self, register: RegisterComponent) -> Def {
        match self.variables.find(register) {
            Some(variable) => self.read_at(variable, self.block, self.step),
            None => Def::Bits(0),
        }
    }

    /// Returns the definition of a variable in a block, in front of a step.
    fn read_at(&mut self, variable: RegisterVariable, block: u32, step: u32) -> Def {
        match self.variables.look_up(self.flow, variable, block, step) {
            ReachingDef::Def(def) => def,
            ReachingDef::Phi(join) => {
                let is_float = self.variables.variable_is_float(variable);
                let ty = self.scalar(is_float);
                let phi = self.body.phi(join, ty);
                let def = self.def(phi, is_float);
                self.variables.add_phi(variable, join, def);
                def
            }
        }
    }

    /// Gives all phis their operands. That may need further phis, which get theirs, too.
    pub(super) fn complete_phis(&mut self) -> Result<()> {
        let mut count = 0;
        while let Some(open) = self.variables.next_open() {
            let preds = self.flow.blocks.get(open.block as usize);
            let preds = preds.map_or(&[] as &[u32], |block| &block.preds);
            let is_float = matches!(open.def, Def::Float(_));
            // Phis times predecessors can grow quadratically with the program, hence the limit.
            count += preds.len();
            if count > limits::MAX_DXBC_PHI_OPERANDS {
                return Err(Error::new(ErrorKind::Limit {
                    what: "values that meet where control flow joins",
                    value: count as u64,
                    limit: limits::MAX_DXBC_PHI_OPERANDS as u64,
                }));
            }
            let mut incoming: Vec<(ValueId, u32)> = Vec::with_capacity(preds.len());
            for &pred in preds {
                let end = self
                    .flow
                    .blocks
                    .get(pred as usize)
                    .map_or(0, |b| b.steps.end);
                let def = self.read_at(open.variable, pred, end);
                let value = self.as_scalar(def, is_float);
                incoming.push((value, pred));
            }
            if let Some(phi) = open.def.value().expand() {
                self.body.set_incoming(phi, incoming);
            }
        }
        Ok(())
    }
}
