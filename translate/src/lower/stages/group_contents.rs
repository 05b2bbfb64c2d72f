//! First contents of groupshared memory.
//!
//! The initializer of a variable is its value when a group begins (LLVM Language Reference, "Global
//! Variables"). DXC writes one where all threads would store the same constant first. SPIR-V has
//! initializers of `Workgroup` variables for zeros only, so one thread stores the constants, and
//! the others wait for it:
//!
//! ```text
//! entry: [thread 0 stores the constants]; OpControlBarrier; call shader
//! ```

use crate::lower::blocks;
use crate::lower::context::Context;
use crate::lower::memory::barrier;
use crate::lower::signatures::inputs;
use crate::spirv::{BuiltIn, Op};

/// Returns whether there are any. The shader's functions are lowered before.
pub(super) fn exist(cx: &Context<'_>) -> bool {
    !cx.module.memory.group_contents().is_empty()
}

/// Writes the code that stores them, before the shader's function is called.
pub(super) fn store(cx: &mut Context<'_>) {
    if !exist(cx) {
        return;
    }
    let bool_ty = cx.b.bool();
    let thread = inputs::load_u32_built_in(cx, BuiltIn::LocalInvocationIndex);
    let zero = cx.b.const_u32(0);
    let first = cx.b.emit(Op::IEqual, bool_ty, &[thread, zero]);
    let part = blocks::begin_if(cx, first);
    for index in 0..cx.module.memory.group_contents().len() {
        let (variable, contents) = cx.module.memory.group_contents()[index];
        cx.b.store(variable, contents);
    }
    blocks::end_if(cx, part);
    barrier::group_barrier(cx);
}
