//! The Vulkan memory model, which cooperative matrices ask for (SPV_KHR_cooperative_matrix).
//!
//! In it an access that other invocations may see the effects of says so (`NonPrivatePointer`,
//! `NonPrivateTexel`), a barrier that orders accesses makes them available and visible too, and the
//! scope of the device is a feature of its own: UAVs are shared within a queue family. Lowering
//! writes accesses as the model of GLSL has them; this writes them again. `Coherent` is no
//! decoration of this model, so that modules with it are refused.

use rspirv::spirv::{Decoration, Op, StorageClass};
use rustc_hash::FxHashMap;

/// Words before the first instruction.
const HEADER: usize = 5;
const NON_PRIVATE_POINTER: u32 = 0x20;
const NON_PRIVATE_TEXEL: u32 = 0x400;
const ACQUIRE_RELEASE: u32 = 0x8;
const MAKE_AVAILABLE_AND_VISIBLE: u32 = 0x6000;
const DEVICE: u32 = 1;
const QUEUE_FAMILY: u32 = 5;

/// What the functions need of what is declared before them.
#[derive(Default)]
struct Declared {
    /// Storage classes of pointer types.
    pointer_types: FxHashMap<u32, u32>,
    /// Storage classes of pointers.
    pointers: FxHashMap<u32, u32>,
    /// Types and values of constants of one word.
    constants: FxHashMap<u32, (u32, u32)>,
    /// Constants that are needed too, by type and value.
    new: FxHashMap<(u32, u32), u32>,
    bound: u32,
}

/// Instructions as opcode and operands.
fn instructions(words: &[u32]) -> impl Iterator<Item = (u32, &[u32])> {
    let mut rest = words.get(HEADER..).unwrap_or_default();
    std::iter::from_fn(move || {
        let first = *rest.first()?;
        let length = (first >> 16).max(1) as usize;
        let (instruction, behind) = rest.split_at_checked(length)?;
        rest = behind;
        Some((first & 0xffff, instruction.get(1..)?))
    })
}

/// The module in the Vulkan memory model; its capability and `OpMemoryModel` are there already.
///
/// # Errors
/// What the model has no place for.
pub(crate) fn apply(words: &[u32]) -> Result<Vec<u32>, &'static str> {
    let mut declared = Declared {
        bound: words.get(3).copied().unwrap_or(0),
        ..Declared::default()
    };
    for (opcode, operands) in instructions(words) {
        declared.note(opcode, operands)?;
    }
    let mut functions = Vec::with_capacity(words.len());
    let mut globals = words.get(..HEADER).unwrap_or_default().to_vec();
    let mut in_functions = false;
    for (opcode, operands) in instructions(words) {
        in_functions |= opcode == Op::Function as u32;
        let to = if in_functions {
            &mut functions
        } else {
            &mut globals
        };
        let at = to.len();
        to.push(0);
        to.extend(operands);
        declared.rewrite(opcode, to, at + 1);
        let length = (to.len() - at) as u32;
        if let Some(first) = to.get_mut(at) {
            *first = length << 16 | opcode;
        }
    }
    let mut new: Vec<_> = declared.new.iter().map(|(&key, &id)| (id, key)).collect();
    new.sort_unstable();
    for (id, (ty, value)) in new {
        globals.extend([4 << 16 | Op::Constant as u32, ty, id, value]);
    }
    if let Some(bound) = globals.get_mut(3) {
        *bound = declared.bound;
    }
    globals.extend(functions);
    Ok(globals)
}

impl Declared {
    fn note(&mut self, opcode: u32, operands: &[u32]) -> Result<(), &'static str> {
        let is = |op: Op| opcode == op as u32;
        match *operands {
            [id, class, _] if is(Op::TypePointer) => {
                self.pointer_types.insert(id, class);
            }
            [ty, id, value] if is(Op::Constant) => {
                self.constants.insert(id, (ty, value));
            }
            [_, decoration, ..] if is(Op::Decorate) => return coherent(decoration),
            [_, _, decoration, ..] if is(Op::MemberDecorate) => return coherent(decoration),
            [ty, id, ..] => {
                if let Some(&class) = self.pointer_types.get(&ty) {
                    self.pointers.insert(id, class);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether other invocations reach what a pointer points to.
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

    /// The constant with that value, of the type of another.
    fn constant(&mut self, like: u32, value: u32) -> u32 {
        let ty = self.constants.get(&like).map_or(0, |known| known.0);
        let mut known = self.constants.iter();
        if let Some((&id, _)) = known.find(|(_, known)| **known == (ty, value)) {
            return id;
        }
        let bound = &mut self.bound;
        *self.new.entry((ty, value)).or_insert_with(|| {
            *bound += 1;
            *bound - 1
        })
    }

    /// Rewrites the operands that begin at `first`.
    fn rewrite(&mut self, opcode: u32, words: &mut Vec<u32>, first: usize) {
        let is = |op: Op| opcode == op as u32;
        let operand = |words: &[u32], number: usize| words.get(first + number).copied();
        // Sets bits of the mask that may stand at that place.
        let mark =
            |words: &mut Vec<u32>, number: usize, bits: u32| match words.get_mut(first + number) {
                Some(mask) => *mask |= bits,
                None => words.push(bits),
            };
        if is(Op::Load) && self.is_shared(words.get(first + 2)) {
            mark(words, 3, NON_PRIVATE_POINTER);
        } else if is(Op::Store) && self.is_shared(words.get(first)) {
            mark(words, 2, NON_PRIVATE_POINTER);
        } else if is(Op::CooperativeMatrixLoadKHR) {
            mark(words, 5, NON_PRIVATE_POINTER);
        } else if is(Op::CooperativeMatrixStoreKHR) {
            mark(words, 4, NON_PRIVATE_POINTER);
        } else if is(Op::ImageRead) || is(Op::ImageSparseRead) {
            mark(words, 4, NON_PRIVATE_TEXEL);
        } else if is(Op::ImageWrite) {
            mark(words, 3, NON_PRIVATE_TEXEL);
        } else if is(Op::ControlBarrier) || is(Op::MemoryBarrier) {
            let number = usize::from(is(Op::ControlBarrier));
            self.narrow_scope(words, first + number);
            let semantics = operand(words, number + 1);
            let known = semantics.and_then(|id| Some((id, self.constants.get(&id)?.1)));
            if let Some((id, value)) = known
                && value & ACQUIRE_RELEASE != 0
            {
                let stronger = self.constant(id, value | MAKE_AVAILABLE_AND_VISIBLE);
                if let Some(word) = words.get_mut(first + number + 1) {
                    *word = stronger;
                }
            }
        } else if is(Op::AtomicStore) {
            self.narrow_scope(words, first + 1);
        } else if is_atomic(opcode) {
            self.narrow_scope(words, first + 3);
        }
    }

    /// Makes a scope that is the device the queue family.
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

/// Atomics with a result; the scope is the second operand behind the pointer's place.
fn is_atomic(opcode: u32) -> bool {
    (Op::AtomicLoad as u32..=Op::AtomicXor as u32).contains(&opcode)
        || opcode == Op::AtomicFAddEXT as u32
}

fn coherent(decoration: u32) -> Result<(), &'static str> {
    let refused = [Decoration::Coherent, Decoration::Volatile];
    if refused.iter().any(|&one| one as u32 == decoration) {
        Err("matrices beside memory that is globally coherent")
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_accesses_are_not_private_and_barriers_make_them_visible() {
        let inst = |op: Op, operands: &[u32]| {
            let mut words = vec![(operands.len() as u32 + 1) << 16 | op as u32];
            words.extend(operands);
            words
        };
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
        let written: Vec<(u32, &[u32])> = instructions(&written).collect();
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
