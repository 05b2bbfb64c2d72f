//! Gives slots of an array to hit objects that cannot share a variable.
//!
//! SPIR-V's hit objects can neither be loaded nor copied, but an array of them may be indexed.
//! Where several objects of a class are needed at once ([`crate::analysis::hit_objects`]), the
//! class is such an array, and its values become the numbers of slots: phis and selections choose
//! numbers.
//!
//! ```text
//! h1 = MakeNop                        place(array, 0)    MakeNop
//! loop: h2 = phi h1, h3               loop: n2 = phi 0, n3
//!       h3 = TraceRay                       n3 = the first slot that is not n2
//!                                           place(array, n3)    TraceRay
//!       Invoke h2                           Invoke slot(array, n2)
//! ```
//!
//! An operation takes the first slot that no object holds which is needed later. A new index in a
//! shader table changes the object in its slot; where another value is needed later that can be the
//! same object, the class keeps the indices of records as well ([`records`]).

mod records;

use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::ops::Opcode;
use dxil_frontend::ir::{BinaryOp, FuncId, FuncView, Function, Inst, ValueId};
use dxil_frontend::tables::{HashMap, HashSet};

use crate::analysis::hit_objects::{
    Classes, Lives, Object, Origin, alive_behind, classes, has_operations,
};
use crate::inline::DraftInst;
use crate::pseudo::PseudoCall;
use crate::vectors::ModuleTables;
use crate::vendor::hit_object_values::HitOverload;
use crate::vendor::writer::FunctionWriter;
use crate::{Error, ErrorKind, Result};

use records::Records;

/// Maximum number of slots: the used ones are bits of a word.
const MAX_SLOTS: usize = 32;

/// Returns the shader with slots for hit objects, if some need them.
pub(crate) fn give_slots(shader: &Shader, functions: &[FuncId]) -> Result<Option<Box<Shader>>> {
    if !has_operations(shader) {
        return Ok(None);
    }
    let mut changed: Option<Box<Shader>> = None;
    for &id in functions {
        let Some(view) = shader.view(id) else {
            continue;
        };
        let classes = classes(shader, view)?;
        let without = classes.without_variable(view)?;
        if without.is_empty() {
            continue;
        }
        let arrays = Arrays::of(view, &classes, &without)?;
        let changed = changed.get_or_insert_with(|| Box::new(shader.clone()));
        let tables = &mut ModuleTables::new(&mut changed.module, &mut changed.callees);
        let body = rewrite(view, &classes, &arrays, FunctionWriter::new(view, tables))?;
        let slot = changed.module.functions.get(id).and_then(|decl| decl.body);
        if let Some(slot) = slot.and_then(|index| changed.module.bodies.get_mut(index as usize)) {
            *slot = body;
        }
    }
    Ok(changed)
}

/// An array of hit objects.
#[derive(Clone, Copy)]
struct Array {
    number: u32,
    slots: u32,
    /// Objects from ray queries lack a record at first.
    may_lack_record: bool,
    /// Objects that differ in their records alone share slots.
    keeps_records: bool,
}

/// The arrays of a function.
#[derive(Default)]
struct Arrays {
    /// By class.
    of_class: HashMap<usize, Array>,
    /// Objects whose slots are taken where another one is made.
    lives: Lives,
    /// Objects of arrays by value.
    index: HashMap<ValueId, usize>,
}

impl Arrays {
    fn of(view: FuncView<'_>, classes: &Classes, without: &HashSet<usize>) -> Result<Arrays> {
        let mut arrays = Arrays::default();
        let mut members: HashMap<usize, Vec<usize>> = HashMap::default();
        for (index, &class) in classes.class.iter().enumerate() {
            if without.contains(&class) {
                members.entry(class).or_default().push(index);
                arrays.index.insert(classes.objects[index].value, index);
            }
        }
        let mut ordered: Vec<(usize, Vec<usize>)> = members.into_iter().collect();
        ordered.sort_unstable();
        for (class, members) in ordered {
            let lives = alive_behind(view, &classes.objects, &members)?;
            #[expect(clippy::disallowed_methods, reason = "a maximum")]
            let slots = 1 + lives.values().map(Vec::len).max().unwrap_or(0);
            if slots > MAX_SLOTS {
                return Err(Error::new(ErrorKind::TooComplex(
                    "more than 32 hit objects that are needed at once",
                )));
            }
            let keeps_records = members.iter().any(|&member| {
                let alive = lives.get(&member).map_or(&[][..], Vec::as_slice);
                classes.objects[member].origin == Origin::Changed
                    && changes_another(&classes.objects, &arrays.index, member, alive)
            });
            let may_lack_record = members.iter().any(|&it| classes.objects[it].from_query);
            let number = arrays.of_class.len() as u32;
            let slots = slots as u32;
            arrays.of_class.insert(
                class,
                Array {
                    number,
                    slots,
                    may_lack_record,
                    keeps_records,
                },
            );
            arrays.lives.extend(lives);
        }
        Ok(arrays)
    }
}

/// Returns whether an object which is needed later can be the one that an operation changes.
fn changes_another(
    objects: &[Object],
    index: &HashMap<ValueId, usize>,
    changed: usize,
    alive: &[usize],
) -> bool {
    let own = made_as(objects, index, changed);
    let mut alive = alive.iter();
    alive.any(|&other| !own.is_disjoint(&made_as(objects, index, other)))
}

/// Returns the objects that operations made and that an object can be.
fn made_as(objects: &[Object], index: &HashMap<ValueId, usize>, object: usize) -> HashSet<usize> {
    let mut seen = HashSet::default();
    let mut work = vec![object];
    while let Some(next) = work.pop() {
        if !seen.insert(next) {
            continue;
        }
        if objects[next].origin != Origin::Made {
            work.extend(objects[next].from.iter().filter_map(|from| index.get(from)));
        }
    }
    seen.retain(|&it| objects[it].origin == Origin::Made);
    seen
}

/// Writes a function again.
fn rewrite(
    view: FuncView<'_>,
    classes: &Classes,
    arrays: &Arrays,
    writer: FunctionWriter<'_, '_, '_>,
) -> Result<Function> {
    let mut rewrite = Rewrite {
        classes,
        arrays,
        constants: HashMap::default(),
        records: Records::default(),
        w: writer,
    };
    for block in 0..rewrite.w.blocks() {
        for line in rewrite.w.take_block(block) {
            rewrite.line(view, line)?;
        }
        rewrite.w.end_block(block);
    }
    Ok(rewrite.w.finish())
}

struct Rewrite<'c, 'a, 't, 'm> {
    classes: &'c Classes,
    arrays: &'c Arrays,
    /// Slots that are constants, of objects by index.
    constants: HashMap<usize, u32>,
    records: Records,
    w: FunctionWriter<'a, 't, 'm>,
}

impl Rewrite<'_, '_, '_, '_> {
    fn line(&mut self, view: FuncView<'_>, mut line: DraftInst) -> Result<()> {
        let own = line.data.result.expand();
        let own = own.and_then(|value| Some((value, *self.arrays.index.get(&value)?)));
        if let Some((value, object)) = own
            && self.classes.objects[object].origin == Origin::Chosen
        {
            let choice = line.clone();
            self.choose(&mut line, value);
            self.w.keep(line);
            if self.keeps_records(object) {
                let choice = (&choice, object);
                self.records
                    .choose(&mut self.w, &self.arrays.index, choice)?;
            }
            return Ok(());
        }
        if let Inst::Call {
            callee,
            args,
            fast_math,
        } = line.data.inst
        {
            let operands_of = view.function.values_of(args);
            let mut operands = operands_of.to_vec();
            let mut changes = false;
            for operand in &mut operands {
                if let Some(&object) = self.arrays.index.get(operand) {
                    if self.keeps_records(object) && records::depends_on_record(view, operands_of) {
                        self.restore(object, *operand)?;
                    }
                    *operand = self.object_in(object, *operand)?;
                    changes = true;
                }
            }
            if changes {
                let args = self.w.draft.list(&operands);
                line.data.inst = Inst::Call {
                    callee,
                    args,
                    fast_math,
                };
            }
        }
        if let Some((value, object)) = own {
            let slot = match self.classes.objects[object].origin {
                // The object stays where it is.
                Origin::Changed => self.classes.objects[object].from.first().copied(),
                _ => None,
            };
            let slot = match slot {
                Some(slot) if self.arrays.index.contains_key(&slot) => slot,
                _ => self.free_slot(object)?,
            };
            self.place_next(object, slot)?;
            let index = match (self.classes.objects[object].origin, line.data.inst) {
                (Origin::Changed, Inst::Call { args, .. }) => {
                    self.w.draft.function.values_of(args).get(2).copied()
                }
                _ => None,
            };
            self.w.keep(line);
            self.w.replace(value, slot);
            if self.keeps_records(object) {
                let record = match index {
                    Some(index) => index,
                    None => self.record_in(object, slot)?,
                };
                self.records.set(&mut self.w, object, record);
            }
            return Ok(());
        }
        self.w.keep(line);
        Ok(())
    }

    /// Returns whether an object's class keeps the indices of records.
    fn keeps_records(&self, object: usize) -> bool {
        let class = self.classes.class.get(object);
        let array = class.and_then(|class| self.arrays.of_class.get(class));
        array.is_some_and(|array| array.keeps_records)
    }

    /// Writes a query of the record of the object in a slot.
    fn record_in(&mut self, object: usize, slot: ValueId) -> Result<ValueId> {
        let hit = self.object_in(object, slot)?;
        let word = self.w.int_ty(32);
        let overload = HitOverload::Scalar(word);
        let opcode = Opcode::HitObjectShaderTableIndex;
        self.w.of_hit_object(opcode, overload, word, Some(hit), &[])
    }

    /// Gives the object in a slot its own record again.
    fn restore(&mut self, object: usize, slot: ValueId) -> Result<()> {
        let (objects, index) = (&self.classes.objects, &self.arrays.index);
        if records::may_lack_record(objects, index, object) {
            return Err(Error::unsupported(
                "a hit object of a ray query that is used without a record after one was set for \
                 the same hit: SPIR-V takes no record away",
            ));
        }
        let record = self.records.of(&mut self.w, object);
        let hit = self.object_in(object, slot)?;
        self.place_next(object, slot)?;
        let ty = self.w.hit_object_ty();
        let opcode = Opcode::HitObjectSetShaderTableIndex;
        self.w
            .of_hit_object(opcode, HitOverload::None, ty, Some(hit), &[record])?;
        Ok(())
    }

    /// Makes a phi or a selection of objects one of numbers. Objects become their numbers when all
    /// replacements are applied; what is no object of an array is undefined.
    fn choose(&mut self, line: &mut DraftInst, value: ValueId) {
        let word = self.w.int_ty(32);
        let zero = self.w.word(0);
        line.data.ty = word;
        self.w.set_type(value, word);
        let index = &self.arrays.index;
        let number = |operand: &mut ValueId| {
            if !index.contains_key(operand) {
                *operand = zero;
            }
        };
        match &mut line.data.inst {
            Inst::Phi { incoming } => {
                for edge in incoming.range() {
                    if let Some((operand, _)) = self.w.draft.function.edge_pool.get_mut(edge) {
                        number(operand);
                    }
                }
            }
            Inst::Select {
                if_true, if_false, ..
            } => {
                number(if_true);
                number(if_false);
            }
            _ => {}
        }
    }

    /// Names the object in a slot of its array.
    fn object_in(&mut self, object: usize, slot: ValueId) -> Result<ValueId> {
        let array = self.array_of(object)?;
        let ty = self.w.hit_object_ty();
        let call = PseudoCall::HitObjectSlot {
            array: array.number,
            slots: array.slots,
            may_lack_record: array.may_lack_record,
            slot,
        };
        self.w.pseudo(&call, ty)
    }

    /// Has the next operation put its object into a slot.
    fn place_next(&mut self, object: usize, slot: ValueId) -> Result<()> {
        let array = self.array_of(object)?;
        let void = self.w.void_ty();
        let call = PseudoCall::HitObjectPlace {
            array: array.number,
            slots: array.slots,
            may_lack_record: array.may_lack_record,
            slot,
        };
        self.w.pseudo(&call, void)?;
        Ok(())
    }

    fn array_of(&self, object: usize) -> Result<Array> {
        let class = self.classes.class[object];
        let array = self.arrays.of_class.get(&class).copied();
        array.ok_or_else(|| Error::internal("a hit object without an array"))
    }

    /// Returns the first slot that no object holds which is needed later.
    fn free_slot(&mut self, object: usize) -> Result<ValueId> {
        let alive = self
            .arrays
            .lives
            .get(&object)
            .map_or(&[][..], Vec::as_slice);
        let constants: Option<Vec<u32>> = (alive.iter())
            .map(|other| self.constants.get(other).copied())
            .collect();
        if let Some(constants) = constants {
            let slots = 0..MAX_SLOTS as u32;
            let free = slots.into_iter().find(|slot| !constants.contains(slot));
            let free = free.unwrap_or(0);
            self.constants.insert(object, free);
            return Ok(self.w.word(free));
        }
        let mut used: Option<ValueId> = None;
        for &other in alive {
            let number = self.classes.objects[other].value;
            let one = self.w.word(1);
            let bit = self.w.binary(BinaryOp::Shl, 32, one, number)?;
            used = Some(match used {
                Some(used) => self.w.binary(BinaryOp::Or, 32, used, bit)?,
                None => bit,
            });
        }
        let used = used.unwrap_or_else(|| self.w.word(0));
        let word = self.w.int_ty(32);
        let all = self.w.word(!0);
        let free = self.w.binary(BinaryOp::Xor, 32, used, all)?;
        self.w
            .operation(Opcode::FirstbitLo, Some(word), word, &[free])
    }
}
