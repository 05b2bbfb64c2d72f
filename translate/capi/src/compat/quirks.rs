// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! The options that work around drivers and shaders, in the translator's terms.

use std::ffi::c_uint;

use dxil_translate::structurize::{LoopHint, SelectionHint};
use dxil_translate::{Quirks, Workarounds};

use super::option_shapes::{Flags2, Flags3, Flags5};

/// The largest quirk number that is known.
const LAST: c_uint = 17;

/// Returns the quirk with a number; an empty set if there is nothing to change here, and `None` for
/// an unknown number.
pub(super) fn quirk(number: c_uint) -> Option<Quirks> {
    Some(match number {
        1 => Quirks::UAV_BARRIERS_ARE_CONTAGIOUS,
        2 => Quirks::NO_SMALL_CUBE_MIPS,
        3 | 6 => Quirks::ROBUST_ADDRESSES,
        4 => Quirks::MESH_COUNTS_CHECKED,
        5 | 16 => Quirks::NON_UNIFORM_INDICES,
        7 => Quirks::GROUP_BARRIERS_ORDER_UAVS,
        8 => Quirks::LOCKSTEP_GROUP_MEMORY,
        9 => Quirks::LOOPS_BEGIN_WITH_ZERO,
        10 => Quirks::FINITE_RSQRT,
        11 => Quirks::NO_SHADING_RATE,
        12 => Quirks::ZERO_FROM_INACTIVE_QUAD_LANES,
        13 => Quirks::PRECISE_FMA,
        14 => Quirks::NARROW_WAVES_IN_NARROW_GROUPS,
        15 => Quirks::GROUPS_WAIT_FOR_EACH_OTHER,
        17 => Quirks::EXACT_HALF_TO_FLOAT,
        0..=LAST => Quirks::empty(),
        _ => return None,
    })
}

/// Applies `PRECISE_CONTROL`. The compiler has already propagated `precise` to the operands of an
/// operation.
pub(super) fn precise(workarounds: &mut Workarounds, option: &Flags2) {
    let &Flags2(_, forced, _propagated) = option;
    workarounds.quirks.set(Quirks::PRECISE, forced != 0);
}

/// Handles `EXTENDED_ROBUSTNESS`.
pub(super) fn robustness(workarounds: &mut Workarounds, option: &Flags3) {
    let &Flags3(_, group, local, constants) = option;
    for (quirk, wanted) in [
        (Quirks::ROBUST_GROUP_ARRAYS, group),
        (Quirks::ROBUST_LOCAL_ARRAYS, local),
        (Quirks::ROBUST_CONSTANT_ARRAYS, constants),
    ] {
        workarounds.quirks.set(quirk, wanted != 0);
    }
}

/// Handles `BRANCH_CONTROL`.
pub(super) fn hints(workarounds: &mut Workarounds, option: &Flags5) {
    let &Flags5(_, from_shader, unroll, dont_unroll, flatten, branch) = option;
    workarounds.shader_hints = from_shader != 0;
    workarounds.loops = if dont_unroll != 0 {
        LoopHint::DontUnroll
    } else if unroll != 0 {
        LoopHint::Unroll
    } else {
        LoopHint::None
    };
    workarounds.selections = if branch != 0 {
        SelectionHint::Branch
    } else if flatten != 0 {
        SelectionHint::Flatten
    } else {
        SelectionHint::None
    };
}
