// The protocol of the instrumentation is dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! The checks that a module has so far.

use dxil_frontend::tables::HashMap;

use crate::spirv::Id;

/// Indices that were checked in the current block, the types, and the checked index.
#[derive(Debug, Default)]
pub(super) struct CheckedIndices {
    pub(super) label: Id,
    /// By index and types.
    pub(super) known: HashMap<(Id, u32), Id>,
}

/// The module's checks so far.
#[derive(Debug, Default)]
pub(in crate::lower) struct Instruments {
    /// Number of the last check of an instruction.
    pub(super) instructions: u32,
    /// Number of the last check of a descriptor.
    pub(super) descriptors: u32,
    /// The function that reports an instruction.
    pub(super) report: Option<Id>,
    /// The function that checks a descriptor.
    pub(super) check_descriptor: Option<Id>,
    /// The checks in the current block.
    pub(super) checked: crate::lower::instrument::state::CheckedIndices,
    pub(super) synchronization: crate::lower::instrument::state::Functions,
}

/// The functions, once they are called.
#[derive(Debug, Default)]
pub(super) struct Functions {
    /// By kind of access.
    pub(super) validate: [Option<Id>; 3],
}
