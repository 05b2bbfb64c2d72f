// The protocol of the instrumentation is dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Checks that a shader makes while it runs and reports into a layer's buffers: whether descriptors
//! have the type that the shader expects, where a NaN comes from, whether two memory accesses race.
//! The protocols are those of vkd3d-proton's debug builds, with version 2 of dxil-spirv's
//! interfaces; the fields of [`DescriptorChecks`] and [`InstructionChecks`] document the layout.

use crate::DescriptorSlot;

/// Checks of a module. The default is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Instrumentation {
    /// Descriptors that are taken from heaps of resources.
    pub descriptors: Option<DescriptorChecks>,
    /// Instructions.
    pub instructions: Option<InstructionChecks>,
}

/// Whether the descriptors that a shader takes from a heap of resources exist, are of the right
/// type, belong to a resource that is alive, and were made before the work was submitted. Other
/// descriptors are reported and replaced by the one after the heap's last, which the layer keeps
/// null.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DescriptorChecks {
    /// Storage buffer of words that reports go to:
    ///
    /// | word | what |
    /// |---:|---|
    /// | 0, 1 | the shader's hash |
    /// | 2 | index of the descriptor |
    /// | 3 | number of the heap |
    /// | 4 | cookie of the resource |
    /// | 5 | number of faults; only the first one since it was 0 is reported |
    /// | 6 | number of the check in the shader |
    /// | 7, 8 | wanted and found types, bits as in `DescriptorTypes` of the code |
    /// | 9 | what is wrong, written last: 1 past the end of the heap, 2 wrong type, 4 destroyed, 8 newer than the submission |
    /// | 10 | time of the submission |
    /// | 11... | a bit per cookie: the resource is alive |
    pub reports: DescriptorSlot,
    /// Storage buffer of words: descriptors of the heap, its number, then three for each
    /// descriptor: cookie, time, types.
    pub heap: DescriptorSlot,
    /// The hash to report.
    pub shader_hash: u64,
}

impl DescriptorChecks {
    /// Returns checks that write to `reports` and read `heap`.
    pub fn new(reports: DescriptorSlot, heap: DescriptorSlot, shader_hash: u64) -> Self {
        DescriptorChecks {
            reports,
            heap,
            shader_hash,
        }
    }
}

/// Checks of instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct InstructionChecks {
    /// Storage buffer of words. The lower half of word `i` says which of the entries `i * 16 ...`
    /// are taken, the upper half which are complete. Entries are taken by a hash of shader and
    /// instruction. In the second last word [`InstructionCheck::Synchronization`] finds the number
    /// of the dispatch, in the last one it counts invocations; what lies between is its table of
    /// addresses.
    pub control: DescriptorSlot,
    /// Storage buffer of entries, a power of two, of four words: the shader's hash, the number of
    /// the check in the shader, a value.
    pub payload: DescriptorSlot,
    /// The hash to report.
    pub shader_hash: u64,
    /// The check.
    pub check: InstructionCheck,
}

impl InstructionChecks {
    /// Returns checks that write to `control` and `payload`.
    pub fn new(
        control: DescriptorSlot,
        payload: DescriptorSlot,
        shader_hash: u64,
        check: InstructionCheck,
    ) -> Self {
        InstructionChecks {
            control,
            payload,
            shader_hash,
            check,
        }
    }
}

/// The property that instructions are checked for. Every invocation reports at most once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum InstructionCheck {
    /// Results that are infinite or NaN; the value of a report is the float.
    NonFinite,
    /// The same for values that are written to outputs and UAVs.
    WrittenNonFinite,
    /// Nothing is reported; every NaN result becomes 0.
    FlushNan,
    /// Rules of D3D12 that hardware does not check; the value of a report is an [`Assumption`].
    Assumptions,
    /// Buffer accesses of one dispatch that race for lack of a barrier; the value of a report is
    /// the dispatch's number.
    Synchronization,
}

/// Rules that shaders have to follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Assumption {
    /// All lanes of a quad take part in a derivative.
    QuadIsWhole = 1_234_000_001,
    /// A mesh has at most as many vertices as declared.
    MeshVertices,
    /// ... and primitives.
    MeshPrimitives,
    /// An index lies in a heap of samplers.
    InSamplerHeap,
    /// ... of resources.
    InResourceHeap,
    /// The index of a descriptor is the same in all lanes, or marked as `NonUniformResourceIndex`.
    UniformIndex,
    /// A read of a root constant buffer lies in the 64 KiB that one can have.
    InRootConstants,
    /// An index lies in an array of group-shared memory.
    InGroupShared,
    /// ... of constants.
    InConstantArray,
    /// ... of local variables.
    InLocalArray,
    /// The byte offset into a raw buffer has not wrapped around.
    RawOffset,
    /// ... that of a structured buffer's element.
    StructuredOffset,
}
