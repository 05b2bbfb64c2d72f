//! Counts: the words of a module by kind of instruction, and the operations of a shader.

use std::collections::BTreeMap;

use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::ops::{decode_opcode, op_arguments};
use dxil_frontend::ir::FuncView;
use serde_json::{Value, json};

/// Number of instructions and of words by name.
type Counts = BTreeMap<String, [usize; 2]>;

/// Number of words of a module's header (SPIR-V specification, 2.3).
const HEADER: usize = 5;

/// Returns the words and the instructions of a module, by kind and by instruction.
pub(crate) fn of_spirv(words: &[u32]) -> Value {
    let mut kinds = Counts::new();
    let mut instructions = Counts::new();
    kinds.insert("header".to_owned(), [0, HEADER.min(words.len())]);
    let mut rest = words.get(HEADER..).unwrap_or_default();
    while let Some(first) = rest.first() {
        let length = ((first >> 16) as usize).clamp(1, rest.len());
        let name = match rspirv::spirv::Op::from_u32(first & 0xffff) {
            Some(op) => format!("{op:?}"),
            None => format!("{}", first & 0xffff),
        };
        add(&mut kinds, kind_of(&name), length);
        add(&mut instructions, &format!("Op{name}"), length);
        rest = rest.get(length..).unwrap_or_default();
    }
    json!({ "kinds": rows(&kinds), "instructions": rows(&instructions) })
}

/// Returns the instructions of a shader: DXIL operations by name, all else as LLVM.
pub(crate) fn of_shader(shader: &Shader) -> Value {
    let mut counts = Counts::new();
    let module = &shader.module;
    for function in &module.bodies {
        let view = FuncView { module, function };
        for block in function.blocks.keys() {
            for id in function.block_insts(block) {
                let Some(data) = function.insts.get(id) else {
                    continue;
                };
                let name = match op_arguments(view, &shader.callees, &data.inst) {
                    Some(args) => match decode_opcode(view, args) {
                        Ok(opcode) => opcode.name().to_owned(),
                        Err(_) => "unknown operation".to_owned(),
                    },
                    None => llvm_name(&format!("{:?}", data.inst)),
                };
                add(&mut counts, &name, 1);
            }
        }
    }
    rows(&counts)
}

/// Returns the name of an LLVM instruction from its debug form: `Load` of `Load { .. }`.
fn llvm_name(debug: &str) -> String {
    let end = debug.find(|c: char| !c.is_ascii_alphanumeric());
    let name = debug.get(..end.unwrap_or(debug.len())).unwrap_or_default();
    format!("llvm {}", name.to_lowercase())
}

fn add(counts: &mut Counts, name: &str, words: usize) {
    let [count, sum] = counts.entry(name.to_owned()).or_default();
    *count += 1;
    *sum += words;
}

/// Returns rows of name, count and words, the largest first.
fn rows(counts: &Counts) -> Value {
    let mut rows: Vec<(&String, &[usize; 2])> = counts.iter().collect();
    rows.sort_by_key(|(_, [count, words])| std::cmp::Reverse((*words, *count)));
    rows.iter()
        .map(|(name, [count, words])| json!([name, count, words]))
        .collect()
}

/// Returns the kind of an instruction, by the sections of the SPIR-V specification (3.52).
fn kind_of(name: &str) -> &'static str {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    if starts(&["Type"]) {
        "types"
    } else if starts(&["Constant", "SpecConstant", "Undef"]) {
        "constants"
    } else if starts(&[
        "Capability",
        "Extension",
        "ExtInstImport",
        "MemoryModel",
        "EntryPoint",
        "ExecutionMode",
    ]) {
        "mode setting"
    } else if starts(&[
        "Decorate",
        "MemberDecorate",
        "Name",
        "MemberName",
        "Source",
        "String",
        "Line",
        "NoLine",
        "ModuleProcessed",
    ]) {
        "names and decorations"
    } else if starts(&["Atomic"]) {
        "atomics"
    } else if starts(&["Image", "SampledImage"]) {
        "images"
    } else if starts(&[
        "Load",
        "Store",
        "AccessChain",
        "InBoundsAccessChain",
        "Variable",
        "ArrayLength",
        "CopyMemory",
        "PtrAccessChain",
    ]) {
        "memory"
    } else if starts(&[
        "Label",
        "Branch",
        "Switch",
        "Phi",
        "LoopMerge",
        "SelectionMerge",
        "Return",
        "Kill",
        "Unreachable",
        "Terminate",
        "DemoteToHelper",
        "Function",
    ]) {
        "control flow and functions"
    } else if starts(&["ControlBarrier", "MemoryBarrier"]) {
        "barriers"
    } else if starts(&["Group", "Subgroup"]) {
        "subgroups"
    } else if starts(&["Composite", "Vector", "CopyObject", "Transpose"]) {
        "composites"
    } else if starts(&[
        "Convert", "UConvert", "SConvert", "FConvert", "Bitcast", "Quantize",
    ]) {
        "conversions"
    } else if starts(&[
        "RayQuery",
        "Trace",
        "Report",
        "Ignore",
        "HitObject",
        "ExecuteCallable",
    ]) {
        "rays"
    } else if starts(&["Ext"]) {
        "extended instructions"
    } else {
        "arithmetic and logic"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_counted_by_kind() {
        // OpCapability Shader, OpTypeVoid, OpTypeInt 32 0.
        let words = [
            0x0723_0203,
            0x1_0600,
            0,
            9,
            0,
            2 << 16 | 17,
            1,
            2 << 16 | 19,
            1,
            4 << 16 | 21,
            2,
            32,
            0,
        ];
        let counted = of_spirv(&words);
        let expected = json!([["types", 2, 6], ["header", 0, 5], ["mode setting", 1, 2]]);
        assert_eq!(counted["kinds"], expected);
        let sum: u64 = counted["kinds"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row[2].as_u64().unwrap())
            .sum();
        assert_eq!(sum, words.len() as u64);
    }
}
