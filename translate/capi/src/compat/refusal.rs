// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Reasons why a caller's answers cannot be used for a translation.

/// The reason why there are no options for a translation.
#[derive(Debug)]
pub(super) enum Refusal {
    /// A callback refused a resource.
    Unmapped(String),
    /// An answer that makes no sense here.
    Bad(String),
    /// The shader cannot be read.
    Shader(dxil_translate::Error),
}
