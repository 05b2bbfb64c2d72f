//! Writes the notes about the root signature for tools, and hints to drivers.

use crate::lower::context::Input;
use crate::spirv::{Builder, Id};
use crate::{Quirks, SignatureNote};

/// Maximum number of bytes in one instruction.
const CHUNK: usize = 64 * 1024;

/// The instruction that asks drivers to run thread groups side by side.
const CONCURRENT_GROUPS: u32 = 15;

/// Tells the driver about quirks that only it can implement.
pub(in crate::lower) fn signal_quirks(b: &mut Builder, input: &Input<'_>) {
    if input.has_quirk(Quirks::GROUPS_WAIT_FOR_EACH_OTHER) {
        let set = b.import_non_semantic("NonSemantic.dxil-spirv.quirks");
        b.non_semantic(set, CONCURRENT_GROUPS, &[]);
    }
}

/// Writes the notes. Runs after all code, so that their constants do not mix with the code's.
pub(in crate::lower) fn write_notes(b: &mut Builder, input: &Input<'_>) {
    let options = input.options;
    if options.notes.is_empty() {
        return;
    }
    let set = b.import_non_semantic("NonSemantic.dxil-spirv.signature");
    for note in &options.notes {
        match note {
            SignatureNote::Parameter {
                kind,
                parameter,
                place: [first, second],
            } => {
                let kind = b.string(kind);
                let numbers = [*parameter, *first, *second].map(|n| b.const_u32(n));
                b.non_semantic(set, 0, &[kind, numbers[0], numbers[1], numbers[2]]);
            }
            SignatureNote::Bytes { tag, bytes } => {
                for chunk in bytes.chunks(CHUNK) {
                    let mut operands: Vec<Id> = vec![b.string(tag)];
                    for part in chunk.chunks(4) {
                        let mut word = [0; 4];
                        for (to, &from) in word.iter_mut().zip(part) {
                            *to = from;
                        }
                        operands.push(b.const_u32(u32::from_le_bytes(word)));
                    }
                    b.non_semantic(set, 1, &operands);
                }
            }
        }
    }
}
