//! Values for specialization constants, written into the module: what a pipeline would do, but
//! visible.

use dxil_frontend::tables::HashMap;

use numbers::*;

/// Numbers of the SPIR-V specification (section "Instructions", "Decoration").
mod numbers {
    pub(super) const OP_DECORATE: u32 = 71;
    pub(super) const OP_SPEC_CONSTANT_TRUE: u32 = 48;
    pub(super) const OP_SPEC_CONSTANT_FALSE: u32 = 49;
    pub(super) const OP_SPEC_CONSTANT: u32 = 50;
    pub(super) const SPEC_ID: u32 = 1;
    /// Words before the first instruction.
    pub(super) const HEADER: usize = 5;
}

/// Gives 32-bit and boolean specialization constants other defaults, by their ids. Ids that the
/// module does not have are left alone.
pub fn specialize(words: &[u32], values: &[(u32, u32)]) -> Vec<u32> {
    let mut words = words.to_vec();
    let mut wanted: HashMap<u32, u32> = HashMap::default();
    // One pass is enough: decorations come before types and constants in a module (SPIR-V
    // specification, 2.4).
    let mut at = HEADER;
    while let Some(&head) = words.get(at) {
        let length = (head >> 16) as usize;
        // A length of zero is invalid; counting it as one word keeps the loop from standing still.
        let Some(instruction) = words.get_mut(at..at + length.max(1)) else {
            break;
        };
        match (head & 0xffff, &mut *instruction) {
            (OP_DECORATE, [_, target, SPEC_ID, id]) => {
                if let Some((_, value)) = values.iter().find(|(wish, _)| wish == id) {
                    wanted.insert(*target, *value);
                }
            }
            (OP_SPEC_CONSTANT, [_, _, result, literal]) => {
                if let Some(value) = wanted.get(result) {
                    *literal = *value;
                }
            }
            (OP_SPEC_CONSTANT_TRUE | OP_SPEC_CONSTANT_FALSE, [head, _, result]) => {
                if let Some(value) = wanted.get(result) {
                    let op = match value {
                        0 => OP_SPEC_CONSTANT_FALSE,
                        _ => OP_SPEC_CONSTANT_TRUE,
                    };
                    *head = (*head & !0xffff) | op;
                }
            }
            _ => {}
        }
        at += length.max(1);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_get_the_values_of_their_ids() {
        let module = [
            0x0723_0203,
            0x0001_0300,
            0,
            9,
            0,
            // Constants 5 and 6 have ids 100 and 3.
            4 << 16 | OP_DECORATE,
            5,
            SPEC_ID,
            100,
            4 << 16 | OP_DECORATE,
            6,
            SPEC_ID,
            3,
            4 << 16 | OP_SPEC_CONSTANT,
            1,
            5,
            0,
            3 << 16 | OP_SPEC_CONSTANT_TRUE,
            2,
            6,
        ];
        let words = specialize(&module, &[(100, 42), (3, 0), (7, 1)]);
        assert_eq!(words[16], 42);
        assert_eq!(words[17], 3 << 16 | OP_SPEC_CONSTANT_FALSE);
        // A broken length ends it.
        assert_eq!(specialize(&module[..15], &[(100, 1)]), module[..15]);
    }
}
