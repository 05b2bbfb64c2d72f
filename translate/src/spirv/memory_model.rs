//! Rewrites a module for the Vulkan memory model, which cooperative matrices require
//! (`SPV_KHR_cooperative_matrix`, "Validation Rules").
//!
//! Under this model an access whose effects other invocations may see is marked
//! (`NonPrivatePointer`, `NonPrivateTexel`), and a barrier that orders accesses also makes them
//! available and visible. The device scope needs a feature of its own
//! (`vulkanMemoryModelDeviceScope`), so UAVs are shared within a queue family. The lowering writes
//! accesses for the GLSL450 model; this pass rewrites them. The model has no decoration `Coherent`,
//! so modules with it are refused.

use rspirv::spirv::{Decoration, StorageClass};
use rustc_hash::FxHashMap;

use super::Op;
use super::reader::instructions;

/// Words before the first instruction.
const HEADER: usize = 5;
/// Memory operand (SPIR-V specification, 3.2.25).
const NON_PRIVATE_POINTER: u32 = 0x20;
/// Image operand (3.2.13).
const NON_PRIVATE_TEXEL: u32 = 0x400;
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
    pointer_types: FxHashMap<u32, u32>,
    /// Storage classes of pointers.
    pointers: FxHashMap<u32, u32>,
    /// Types and values of constants of one word.
    constants: FxHashMap<u32, (u32, u32)>,
    /// The other way round.
    constants_by_value: FxHashMap<(u32, u32), u32>,
    /// Constants to add, by type and value.
    new: FxHashMap<(u32, u32), u32>,
    bound: u32,
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
    let mut new: Vec<_> = declared.new.iter().map(|(&key, &id)| (id, key)).collect();
    // By id, so that the words do not depend on the order of the hash map.
    new.sort_unstable();
    for (id, (ty, value)) in new {
        // Behind all declarations: their type is declared by then.
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
            [id, class, _] if op == Op::TypePointer => {
                self.pointer_types.insert(id, class);
            }
            [ty, id, value] if op == Op::Constant => {
                self.constants.insert(id, (ty, value));
                self.constants_by_value.entry((ty, value)).or_insert(id);
            }
            [_, decoration, ..] if op == Op::Decorate => return coherent(decoration),
            [_, _, decoration, ..] if op == Op::MemberDecorate => return coherent(decoration),
            // Any instruction with a pointer type as its type defines a pointer, whichever it is.
            [ty, id, ..] => {
                if let Some(&class) = self.pointer_types.get(&ty) {
                    self.pointers.insert(id, class);
                }
            }
            _ => {}
        }
        Ok(())
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
        // Sets bits of an optional mask, the last operand.
        let set_bits =
            |words: &mut Vec<u32>, number: usize, bits: u32| match words.get_mut(first + number) {
                Some(mask) => *mask |= bits,
                None => words.push(bits),
            };
        match op {
            Op::Load if self.is_shared(words.get(first + 2)) => {
                set_bits(words, 3, NON_PRIVATE_POINTER);
            }
            Op::Store if self.is_shared(words.get(first)) => {
                set_bits(words, 2, NON_PRIVATE_POINTER);
            }
            Op::CooperativeMatrixLoadKHR => set_bits(words, 5, NON_PRIVATE_POINTER),
            Op::CooperativeMatrixStoreKHR => set_bits(words, 4, NON_PRIVATE_POINTER),
            Op::ImageRead | Op::ImageSparseRead => set_bits(words, 4, NON_PRIVATE_TEXEL),
            Op::ImageWrite => set_bits(words, 3, NON_PRIVATE_TEXEL),
            Op::ControlBarrier => self.strengthen_barrier(words, first + 1),
            Op::MemoryBarrier => self.strengthen_barrier(words, first),
            Op::AtomicStore => self.narrow_scope(words, first + 1),
            op if is_atomic(op) => self.narrow_scope(words, first + 3),
            _ => {}
        }
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
