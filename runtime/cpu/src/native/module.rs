//! The module of a kernel: a function for each of the shader's, and what the executor knows of it.

use wasm_encoder::{
    CodeSection, ExportKind, ExportSection, FunctionSection, MemorySection, MemoryType, Module,
    TypeSection, ValType,
};

use super::function;
use super::layout::MemoryLayout;
use super::plan::{Constants, Plan};
use crate::decode::Kernel;
use crate::decode::code::ComplexOp;

/// Most instructions, and points where code begins, of a kernel that becomes code.
const MAX_INSTS: usize = 1 << 15;
const MAX_POINTS: usize = 1 << 13;
const PAGE: usize = 1 << 16;

/// Returns the name of a function.
pub(super) fn name(number: usize) -> String {
    format!("f{number}")
}

/// Returns the module of a kernel with its plans and layout; none if it has more than becomes code.
pub(super) fn write(kernel: &Kernel) -> Option<(Vec<u8>, Vec<Plan>, MemoryLayout)> {
    let layout = MemoryLayout::new(kernel)?;
    let insts: usize = kernel.functions.iter().map(|code| code.insts.len()).sum();
    let is_executed = |op: &ComplexOp| {
        matches!(
            op,
            ComplexOp::RayCall(_)
                | ComplexOp::EndHit { .. }
                | ComplexOp::Probe(_)
                | ComplexOp::Shadow(_)
        )
    };
    let is_left = insts > MAX_INSTS
        || kernel.functions.iter().any(|code| {
            code.watched.is_some() || code.complex.iter().any(|complex| is_executed(&complex.op))
        });
    if is_left {
        return None;
    }
    let mut types = TypeSection::new();
    types.ty().function([ValType::I32; 7], [ValType::I32]);
    let mut functions = FunctionSection::new();
    let mut exports = ExportSection::new();
    let mut codes = CodeSection::new();
    let mut plans = Vec::with_capacity(kernel.functions.len());
    let mut points = 0;
    for (number, code) in kernel.functions.iter().enumerate() {
        let constants = Constants::new(code);
        let plan = Plan::new(code, &constants);
        points += plan.points as usize;
        if points > MAX_POINTS {
            return None;
        }
        functions.function(0);
        exports.export(&name(number), ExportKind::Func, number as u32);
        codes.function(&function::write(code, &plan, &constants, kernel, &layout));
        plans.push(plan);
    }
    let pages = layout.bytes.div_ceil(PAGE) as u64;
    let mut memories = MemorySection::new();
    memories.memory(MemoryType {
        minimum: pages,
        maximum: Some(pages),
        memory64: false,
        shared: false,
        page_size_log2: None,
    });
    exports.export("memory", ExportKind::Memory, 0);
    let mut module = Module::new();
    module
        .section(&types)
        .section(&functions)
        .section(&memories)
        .section(&exports)
        .section(&codes);
    Some((module.finish(), plans, layout))
}
