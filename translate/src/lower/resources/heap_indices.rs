// The protocol of the instrumentation is dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Indices into descriptor heaps that are kept inside of the heap.

use crate::Assumption;
use crate::lower::context::Context;
use crate::lower::instrument::assumptions;
use crate::lower::resources::layer_words;
use crate::lower::resources::layer_words::LAST_SAMPLER;
use crate::spirv::{GLOp, Id, Op};

/// Returns an index into a heap: reports an index past the end, and clamps it.
pub(in crate::lower) fn index_assumed_in_heap(
    cx: &mut Context<'_>,
    index: Id,
    samplers: bool,
) -> Id {
    let Some(size) = cx.input.options.bindings.heap_size else {
        return index;
    };
    let (word, bool_ty) = (cx.b.u32(), cx.b.bool());
    let (holds, max, what) = if samplers {
        let last = cx.b.const_u32(LAST_SAMPLER);
        let holds = cx.b.emit(Op::ULessThanEqual, bool_ty, &[index, last]);
        (holds, last, Assumption::InSamplerHeap)
    } else {
        let size = layer_words::heap_size(cx, size);
        let holds = cx.b.emit(Op::ULessThan, bool_ty, &[index, size]);
        (holds, size, Assumption::InResourceHeap)
    };
    assumptions::assume(cx, holds, what);
    cx.b.glsl(GLOp::UMin, word, &[index, max])
}

/// Returns an index into a descriptor heap. An index past the end selects the descriptor after the
/// last one, which is null; sampler heaps have no such descriptor, so there it selects the last
/// one.
pub(super) fn bounded_heap_index(cx: &mut Context<'_>, index: Id, samplers: bool) -> Id {
    let Some(size) = cx.input.options.bindings.heap_size else {
        return index;
    };
    // Then the check is made where the descriptor is used.
    // The report needs the index as the shader computed it.
    if assumptions::watches(&cx.input) {
        return index;
    }
    let max = if samplers {
        cx.b.const_u32(layer_words::LAST_SAMPLER)
    } else {
        layer_words::heap_size(cx, size)
    };
    let word = cx.b.u32();
    cx.b.glsl(GLOp::UMin, word, &[index, max])
}
