// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! The structures of the options. Many options share one shape; a test compares every one of them
//! with the header's structure.

#![allow(
    missing_docs,
    reason = "include/dxil_spirv_c_options.h names the fields of each option"
)]

use std::ffi::{c_char, c_uint};

use super::types::Bool;

/// The header of all options.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct OptionBase {
    /// The number of the option.
    pub number: c_uint,
}

/// One truth value.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Flag(pub OptionBase, pub Bool);

/// Two truth values.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Flags2(pub OptionBase, pub Bool, pub Bool);

/// Three truth values.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Flags3(pub OptionBase, pub Bool, pub Bool, pub Bool);

/// One number.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Number(pub OptionBase, pub c_uint);

/// Two numbers.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Numbers2(pub OptionBase, pub c_uint, pub c_uint);

/// Three numbers.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Numbers3(pub OptionBase, pub c_uint, pub c_uint, pub c_uint);

/// A number and a truth value.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct NumberFlag(pub OptionBase, pub c_uint, pub Bool);

/// Two numbers and a truth value.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Numbers2Flag(pub OptionBase, pub c_uint, pub c_uint, pub Bool);

/// An array of numbers.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Array(pub OptionBase, pub *const c_uint, pub c_uint);

/// Multiview.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct MultiviewOption(pub OptionBase, pub Bool, pub Bool, pub c_uint, pub c_uint);

/// A string.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Text(pub OptionBase, pub *const c_char);

/// Five truth values.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Flags5(
    pub OptionBase,
    pub Bool,
    pub Bool,
    pub Bool,
    pub Bool,
    pub Bool,
);

/// A truth value and two numbers.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct FlagNumbers2(pub OptionBase, pub Bool, pub c_uint, pub c_uint);

/// A truth value, and four that have no meaning yet.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct FlagReserved(pub OptionBase, pub Bool, pub [Bool; 4]);

/// Instrumentation of descriptors: whether, version, two bindings, the shader's hash.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DescriptorInstrumentation(
    pub OptionBase,
    pub Bool,
    pub c_uint,
    pub c_uint,
    pub c_uint,
    pub c_uint,
    pub c_uint,
    pub u64,
);

/// Instrumentation of instructions: the same, and of what kind it is.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct InstructionInstrumentation(
    pub OptionBase,
    pub Bool,
    pub c_uint,
    pub c_uint,
    pub c_uint,
    pub c_uint,
    pub c_uint,
    pub u64,
    pub c_uint,
);
