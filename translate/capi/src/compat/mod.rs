// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! The ABI of dxil-spirv's C library, API 2.74.
//!
//! One file per part: `types` has structures and numbers, `blob` the functions on a parsed shader,
//! `converter` those on a translation, `options` and `quirks` the caller's choices and
//! `option_shapes` their structures, `bindings` and `signatures` the callbacks that become a
//! [`BindingMap`](dxil_translate::BindingMap) before translation, `meta` the descriptors that only
//! the layer knows, `notes` the notes for tools, `refusal` the reasons why an answer cannot be
//! used, `wave_hints` numbers of lanes that suit a shader. `boundary` has handles, `memory` bytes
//! and text, `log` and `thread_state` the state of a thread.

pub mod option_shapes;
pub mod types;

mod bindings;
mod blob;
mod boundary;
mod converter;
mod local_roots;
mod log;
mod memory;
mod meta;
mod nodes;
mod options;
mod quirks;
mod refusal;
mod signature_notes;
mod signatures;
mod subobjects;
mod thread_state;
mod wave_hints;

pub use blob::*;
pub use boundary::Object;
pub use converter::*;
pub(crate) use memory::c_string;
pub use thread_state::*;
