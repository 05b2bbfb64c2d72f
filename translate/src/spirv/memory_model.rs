//! Rewrites a module for the Vulkan memory model, which cooperative matrices require
//! (`SPV_KHR_cooperative_matrix`, "Validation Rules").
//!
//! Under this model an access whose effects other invocations may see is marked
//! (`NonPrivatePointer`, `NonPrivateTexel`), and a barrier that orders accesses also makes them
//! available and visible. The device scope needs a feature of its own
//! (`vulkanMemoryModelDeviceScope`), so UAVs are shared within a queue family. The lowering writes
//! accesses for the GLSL450 model; this pass rewrites them. The model has no decoration `Coherent`:
//! each load of such memory makes visible, and each store makes available, what it accesses
//! (Vulkan, "Memory Model", "Coherent and Volatile Decorations").

use std::collections::BTreeSet;

use dxil_frontend::tables::HashMap;
use rspirv::spirv::{Decoration, StorageClass};

use super::Op;
use super::reader::{ResultForm, instructions};

/// Words before the first instruction.
const HEADER: usize = 5;
/// Memory operand (SPIR-V specification, 3.2.25).
const NON_PRIVATE_POINTER: u32 = 0x20;
/// Memory operands that have a scope: what a store makes available, a load visible.
const MAKE_POINTER_AVAILABLE: u32 = 0x8;
const MAKE_POINTER_VISIBLE: u32 = 0x10;
/// Image operand (3.2.13).
const NON_PRIVATE_TEXEL: u32 = 0x400;
/// Image operands that have a scope.
const MAKE_TEXEL_AVAILABLE: u32 = 0x100;
const MAKE_TEXEL_VISIBLE: u32 = 0x200;
/// Memory semantics (3.2.24).
const ACQUIRE_RELEASE: u32 = 0x8;
/// Both memory semantics, `MakeAvailable` and `MakeVisible` (3.2.24).
const MAKE_AVAILABLE_AND_VISIBLE: u32 = 0x6000;
/// Scopes (3.2.26).
const DEVICE: u32 = 1;
const QUEUE_FAMILY: u32 = 5;

/// Facts about the declarations that the rewrite of functions needs.
#[derive(Default)]
struct DeclaredIds {
    /// Storage classes of pointer types.
    pointer_types: HashMap<u32, u32>,
    /// Storage classes of pointers.
    pointers: HashMap<u32, u32>,
    /// Types and values of constants of one word.
    constants: HashMap<u32, (u32, u32)>,
    /// The other way round.
    constants_by_value: HashMap<(u32, u32), u32>,
    /// Constants to add, by type and value.
    new: HashMap<(u32, u32), u32>,
    bound: u32,
    /// The type of words.
    word: Option<u32>,
    /// Ids that are decorated as coherent: variables, and structures with such members. Pointers
    /// and images that lead there follow.
    coherent: BTreeSet<u32>,
    /// Types of images.
    images: BTreeSet<u32>,
}

/// Returns the words of the module for the Vulkan memory model. The capability and `OpMemoryModel`
/// must be present already.
///
/// # Errors
///
/// Returns a description of what the model cannot express.
pub(crate) fn apply(words: &[u32]) -> Result<Vec<u32>, &'static str> {
    let mut declared = DeclaredIds {
        bound: words.get(3).copied().unwrap_or(0),
        ..DeclaredIds::default()
    };
    let body = words.get(HEADER..).unwrap_or_default();
    for (op, instruction) in instructions(body) {
        declared.note(op, instruction.get(1..).unwrap_or_default())?;
    }
    let mut functions = Vec::with_capacity(words.len());
    let mut globals = words.get(..HEADER).unwrap_or_default().to_vec();
    let mut in_functions = false;
    for (op, instruction) in instructions(body) {
        in_functions |= op == Op::Function;
        let decoration = match op {
            Op::Decorate => instruction.get(2),
            Op::MemberDecorate => instruction.get(3),
            _ => None,
        };
        if decoration == Some(&(Decoration::Coherent as u32)) {
            continue;
        }
        let to = if in_functions {
            &mut functions
        } else {
            &mut globals
        };
        let at = to.len();
        to.extend(instruction);
        declared.rewrite(op, to, at + 1);
        let length = (to.len() - at) as u32;
        if let Some(first) = to.get_mut(at) {
            *first = length << 16 | op as u32;
        }
    }
    #[expect(clippy::disallowed_methods, reason = "sorted")]
    let mut new: Vec<_> = declared.new.iter().map(|(&key, &id)| (id, key)).collect();
    // By id, so that the words do not depend on the order of the hash map.
    new.sort_unstable();
    for (id, (ty, value)) in new {
        // After all declarations: their type is declared by then.
        globals.extend([4 << 16 | Op::Constant as u32, ty, id, value]);
    }
    if let Some(bound) = globals.get_mut(3) {
        *bound = declared.bound;
    }
    globals.extend(functions);
    Ok(globals)
}

impl DeclaredIds {
    /// Records what an instruction before the functions declares.
    fn note(&mut self, op: Op, operands: &[u32]) -> Result<(), &'static str> {
        match *operands {
            [id, class, pointee] if op == Op::TypePointer => {
                self.pointer_types.insert(id, class);
                if self.coherent.contains(&pointee) {
                    self.coherent.insert(id);
                }
            }
            [id, ..] if op == Op::TypeImage => {
                self.images.insert(id);
            }
            // Arrays of blocks and of images.
            [id, element, ..]
                if matches!(op, Op::TypeArray | Op::TypeRuntimeArray)
                    && self.coherent.contains(&element) =>
            {
                self.coherent.insert(id);
            }
            [ty, id, value] if op == Op::Constant => {
                self.constants.insert(id, (ty, value));
                self.constants_by_value.entry((ty, value)).or_insert(id);
            }
            [id, 32, 0] if op == Op::TypeInt => self.word = Some(id),
            [id, decoration, ..] if op == Op::Decorate => self.decorated(id, decoration)?,
            [id, _, decoration, ..] if op == Op::MemberDecorate => {
                self.decorated(id, decoration)?;
            }
            // Any instruction with a pointer type as its type defines a pointer, whichever it is.
            [ty, id, ref operands @ ..] if ResultForm::of(op) == ResultForm::Value => {
                if let Some(&class) = self.pointer_types.get(&ty) {
                    self.pointers.insert(id, class);
                }
                let leads = matches!(
                    op,
                    Op::AccessChain | Op::InBoundsAccessChain | Op::PtrAccessChain | Op::CopyObject
                ) || op == Op::Load && !self.is_data(ty);
                let from = operands.first().filter(|_| leads);
                if self.coherent.contains(&ty) || from.is_some_and(|id| self.coherent.contains(id))
                {
                    self.coherent.insert(id);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Records a decoration.
    fn decorated(&mut self, id: u32, decoration: u32) -> Result<(), &'static str> {
        if decoration == Decoration::Volatile as u32 {
            return Err("matrices beside volatile memory");
        }
        if decoration == Decoration::Coherent as u32 {
            self.coherent.insert(id);
        }
        Ok(())
    }

    /// Returns whether loads of that type give data, not images or pointers.
    fn is_data(&self, ty: u32) -> bool {
        !self.images.contains(&ty) && !self.pointer_types.contains_key(&ty)
    }

    /// Returns whether other invocations reach what a pointer points to.
    fn is_shared(&self, pointer: Option<&u32>) -> bool {
        let class = pointer.and_then(|pointer| self.pointers.get(pointer));
        [
            StorageClass::StorageBuffer,
            StorageClass::PhysicalStorageBuffer,
            StorageClass::Workgroup,
        ]
        .iter()
        .any(|&shared| class == Some(&(shared as u32)))
    }

    /// Returns the constant with that value and with the type of the constant `like`.
    fn constant(&mut self, like: u32, value: u32) -> u32 {
        let ty = self.constants.get(&like).map_or(0, |known| known.0);
        self.constant_of(ty, value)
    }

    /// Returns the constant of that type and value.
    fn constant_of(&mut self, ty: u32, value: u32) -> u32 {
        if let Some(&id) = self.constants_by_value.get(&(ty, value)) {
            return id;
        }
        let bound = &mut self.bound;
        *self.new.entry((ty, value)).or_insert_with(|| {
            *bound += 1;
            *bound - 1
        })
    }

    /// Rewrites the operands of an instruction, which begin at `first`.
    fn rewrite(&mut self, op: Op, words: &mut Vec<u32>, first: usize) {
        let (visible, available) = (MAKE_POINTER_VISIBLE, MAKE_POINTER_AVAILABLE);
        match op {
            Op::Load if self.is_shared(words.get(first + 2)) => {
                self.mark(words, first + 2, first + 3, NON_PRIVATE_POINTER, visible);
            }
            Op::Store if self.is_shared(words.get(first)) => {
                self.mark(words, first, first + 2, NON_PRIVATE_POINTER, available);
            }
            Op::CooperativeMatrixLoadKHR => {
                self.mark(words, first + 2, first + 5, NON_PRIVATE_POINTER, visible);
            }
            Op::CooperativeMatrixStoreKHR => {
                self.mark(words, first, first + 4, NON_PRIVATE_POINTER, available);
            }
            Op::ImageRead | Op::ImageSparseRead => {
                let visible = MAKE_TEXEL_VISIBLE;
                self.mark(words, first + 2, first + 4, NON_PRIVATE_TEXEL, visible);
            }
            Op::ImageWrite => {
                let available = MAKE_TEXEL_AVAILABLE;
                self.mark(words, first, first + 3, NON_PRIVATE_TEXEL, available);
            }
            Op::ControlBarrier => self.strengthen_barrier(words, first + 1),
            Op::MemoryBarrier => self.strengthen_barrier(words, first),
            Op::AtomicStore => self.narrow_scope(words, first + 1),
            op if is_atomic(op) => self.narrow_scope(words, first + 3),
            _ => {}
        }
    }

    /// Sets bits of an optional mask, after which only its own operands stand. An access of
    /// coherent memory, whose pointer or image is at `place`, also gets the bit `across`, whose
    /// scope is the last operand of those that are in use here.
    fn mark(&mut self, words: &mut Vec<u32>, place: usize, mask: usize, bits: u32, across: u32) {
        let scope = match (words.get(place), self.word) {
            (Some(id), Some(word)) if self.coherent.contains(id) => {
                Some(self.constant_of(word, QUEUE_FAMILY))
            }
            _ => None,
        };
        let bits = if scope.is_some() { bits | across } else { bits };
        match words.get_mut(mask) {
            Some(mask) => *mask |= bits,
            None => words.push(bits),
        }
        words.extend(scope);
    }

    /// Makes a barrier that orders accesses make them available and visible too. `scope` is the
    /// position of its memory scope; the semantics follow.
    fn strengthen_barrier(&mut self, words: &mut [u32], scope: usize) {
        self.narrow_scope(words, scope);
        let Some(&semantics) = words.get(scope + 1) else {
            return;
        };
        let value = self.constants.get(&semantics).map_or(0, |known| known.1);
        if value & ACQUIRE_RELEASE != 0 {
            let stronger = self.constant(semantics, value | MAKE_AVAILABLE_AND_VISIBLE);
            if let Some(word) = words.get_mut(scope + 1) {
                *word = stronger;
            }
        }
    }

    /// Replaces the device scope by the queue family's.
    fn narrow_scope(&mut self, words: &mut [u32], at: usize) {
        let Some(scope) = words.get(at).copied() else {
            return;
        };
        if self
            .constants
            .get(&scope)
            .is_some_and(|known| known.1 == DEVICE)
        {
            let family = self.constant(scope, QUEUE_FAMILY);
            if let Some(word) = words.get_mut(at) {
                *word = family;
            }
        }
    }
}

/// Returns whether an instruction is an atomic with a result: type, result, pointer, scope and so
/// on.
fn is_atomic(op: Op) -> bool {
    (Op::AtomicLoad as u32..=Op::AtomicXor as u32).contains(&(op as u32)) || op == Op::AtomicFAddEXT
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inst(op: Op, operands: &[u32]) -> Vec<u32> {
        let mut words = vec![(operands.len() as u32 + 1) << 16 | op as u32];
        words.extend(operands);
        words
    }

    #[test]
    fn accesses_of_coherent_memory_make_available_and_visible() {
        let (storage, constant) = (
            StorageClass::StorageBuffer as u32,
            StorageClass::UniformConstant as u32,
        );
        let coherent = Decoration::Coherent as u32;
        let mut module = vec![0x0723_0203, 0x0001_0600, 0, 40, 0];
        for words in [
            // A member of a block, and an image.
            inst(Op::MemberDecorate, &[10, 0, coherent]),
            inst(Op::Decorate, &[21, coherent]),
            inst(Op::TypeInt, &[1, 32, 0]),
            inst(Op::TypeStruct, &[10, 1]),
            inst(Op::TypePointer, &[11, storage, 10]),
            inst(Op::TypePointer, &[12, storage, 1]),
            inst(Op::Variable, &[11, 13, storage]),
            inst(Op::TypeImage, &[20, 1, 1, 0, 0, 0, 2, 33]),
            inst(Op::TypePointer, &[22, constant, 20]),
            inst(Op::Variable, &[22, 21, constant]),
            // A buffer that is not coherent.
            inst(Op::TypeStruct, &[30, 1]),
            inst(Op::TypePointer, &[31, storage, 30]),
            inst(Op::Variable, &[31, 32, storage]),
            inst(Op::Constant, &[1, 4, 0]),
            inst(Op::Function, &[1, 7, 0, 1]),
            inst(Op::AccessChain, &[12, 14, 13, 4]),
            inst(Op::Load, &[1, 15, 14, 2, 4]),
            inst(Op::Store, &[14, 15]),
            inst(Op::Load, &[20, 23, 21]),
            inst(Op::ImageRead, &[1, 24, 23, 4]),
            inst(Op::ImageWrite, &[23, 4, 24]),
            inst(Op::AccessChain, &[12, 33, 32, 4]),
            inst(Op::Load, &[1, 34, 33]),
        ] {
            module.extend(words);
        }
        let written = apply(&module).unwrap();
        let written: Vec<(Op, &[u32])> = instructions(&written[HEADER..])
            .map(|(op, words)| (op, &words[1..]))
            .collect();
        for expected in [
            (Op::Constant, &[1, 40, QUEUE_FAMILY][..]),
            // Aligned comes first among the mask's operands.
            (Op::Load, &[1, 15, 14, 0x32, 4, 40]),
            (Op::Store, &[14, 15, 0x28, 40]),
            (Op::Load, &[20, 23, 21]),
            (Op::ImageRead, &[1, 24, 23, 4, 0x600, 40]),
            (Op::ImageWrite, &[23, 4, 24, 0x500, 40]),
            (Op::Load, &[1, 34, 33, NON_PRIVATE_POINTER]),
        ] {
            assert!(written.contains(&expected), "{expected:?} of {written:?}");
        }
        let decorations = [Op::Decorate, Op::MemberDecorate];
        assert!(!written.iter().any(|(op, _)| decorations.contains(op)));
    }

    #[test]
    fn shared_accesses_are_not_private_and_barriers_make_them_visible() {
        let workgroup = StorageClass::Workgroup as u32;
        let local = StorageClass::Function as u32;
        let mut module = vec![0x0723_0203, 0x0001_0600, 0, 20, 0];
        for words in [
            inst(Op::TypeInt, &[1, 32, 0]),
            inst(Op::TypePointer, &[2, workgroup, 1]),
            inst(Op::TypePointer, &[3, local, 1]),
            inst(Op::Constant, &[1, 4, DEVICE]),
            inst(Op::Constant, &[1, 5, 0x108]),
            inst(Op::Variable, &[2, 6, workgroup]),
            inst(Op::Function, &[1, 7, 0, 1]),
            inst(Op::Variable, &[3, 8, local]),
            inst(Op::Load, &[1, 9, 6]),
            inst(Op::Load, &[1, 10, 8]),
            inst(Op::Store, &[6, 9]),
            inst(Op::ControlBarrier, &[4, 4, 5]),
        ] {
            module.extend(words);
        }
        let written = apply(&module).unwrap();
        let written: Vec<(u32, &[u32])> = instructions(&written[HEADER..])
            .map(|(op, words)| (op as u32, &words[1..]))
            .collect();
        for expected in [
            (Op::Load as u32, &[1, 9, 6, NON_PRIVATE_POINTER][..]),
            (Op::Load as u32, &[1, 10, 8]),
            (Op::Store as u32, &[6, 9, NON_PRIVATE_POINTER]),
            (Op::Constant as u32, &[1, 20, QUEUE_FAMILY]),
            (
                Op::Constant as u32,
                &[1, 21, 0x108 | MAKE_AVAILABLE_AND_VISIBLE],
            ),
            (Op::ControlBarrier as u32, &[4, 20, 21]),
        ] {
            assert!(written.contains(&expected), "{expected:?} of {written:?}");
        }
    }
}
