//! Where the inputs and outputs of an invocation lie in its lane's memory.

use dxil_frontend::dxil::{ComponentType, EntryPoint, SignatureElement};

use crate::error::{Error, Result};

/// Words of a row.
pub(crate) const ROW_WORDS: u32 = 4;
/// Maximum number of words of all elements: D3D12 has 32 rows, and system values besides.
const MAX_WORDS: u32 = 1 << 12;

/// Where an element of a signature lies among the words of an invocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ElementPlace {
    /// The element's number.
    pub id: u32,
    /// First word; each row has four.
    pub first: u32,
    /// Number of rows.
    pub rows: u32,
}

/// System values that have an operation of their own, in the order of their words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SystemWord {
    StartVertex,
    StartInstance,
    View,
}

/// Number of [`SystemWord`]s.
const SYSTEM_WORDS: u32 = 3;

/// The memory of an invocation's inputs and outputs.
#[derive(Debug, Clone, Default)]
pub(crate) struct SignatureMemory {
    pub(crate) inputs: Vec<ElementPlace>,
    pub(crate) outputs: Vec<ElementPlace>,
    /// First words of the system values, of the inputs and of the outputs in a lane's memory.
    pub(super) system_at: u32,
    pub(crate) inputs_at: u32,
    pub(crate) outputs_at: u32,
    pub(crate) input_words: u32,
    pub(crate) output_words: u32,
}

fn places(elements: &[SignatureElement]) -> (Vec<ElementPlace>, u32) {
    let mut next = 0_u32;
    let place = |element: &SignatureElement| {
        let first = next;
        next = next.saturating_add(element.rows.saturating_mul(ROW_WORDS));
        ElementPlace {
            id: element.id,
            first,
            rows: element.rows,
        }
    };
    let places = elements.iter().map(place).collect();
    (places, next)
}

impl SignatureMemory {
    /// Makes room for an entry point's elements behind the other variables of a lane.
    pub(super) fn new(entry: &EntryPoint, statics: &mut Vec<u32>) -> Result<SignatureMemory> {
        let (inputs, input_words) = places(&entry.inputs);
        let (outputs, output_words) = places(&entry.outputs);
        if input_words.max(output_words) > MAX_WORDS {
            return Err(Error::BadInput("a signature of more than 1024 rows".into()));
        }
        let system_at = statics.len() as u32;
        let inputs_at = system_at + SYSTEM_WORDS;
        let outputs_at = inputs_at + input_words;
        statics.resize((outputs_at + output_words) as usize, 0);
        Ok(SignatureMemory {
            inputs,
            outputs,
            system_at,
            inputs_at,
            outputs_at,
            input_words,
            output_words,
        })
    }
}

/// Returns the numbers of the outputs whose integers have a sign.
pub(super) fn signed_outputs(entry: &EntryPoint) -> Vec<u32> {
    let signed = entry
        .outputs
        .iter()
        .filter(|element| matches!(element.component, ComponentType::I16 | ComponentType::I32));
    signed.map(|element| element.id).collect()
}
