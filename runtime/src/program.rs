//! Shaders that are ready for a device: code per stage, and where each register lives.

use std::sync::Arc;

use dxil_frontend::dxil::{ResourceKind, ShaderKind};
use dxil_translate::{DescriptorKind, Interface, TexelFormat, structurize::Statistics};

use crate::job::{Register, Sampler};

/// Code of one stage.
#[derive(Debug, Clone)]
pub enum Code {
    /// SPIR-V words.
    SpirV(Arc<[u32]>),
    /// WGSL text (wgpu only).
    Wgsl(Arc<str>),
}

/// One stage of a program.
#[derive(Debug, Clone)]
pub struct StageCode {
    /// Stage.
    pub kind: ShaderKind,
    /// Its code.
    pub code: Code,
    /// Name of the entry point in the code.
    pub entry: String,
    /// Subgroup size that the pipeline must have.
    pub required_subgroup_size: Option<u32>,
    /// Reflection of translated code.
    pub interface: Option<Interface>,
    /// What the structurizer had to do.
    pub structure: Option<Statistics>,
}

/// Stages and their layout: what a pipeline is made of.
#[derive(Debug, Clone)]
pub struct Program {
    /// One stage for compute; several for graphics.
    pub stages: Vec<StageCode>,
    /// Where each register lives.
    pub layout: Layout,
}

/// Where each register lives on the device.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Layout {
    /// Descriptor sets; the index is the set's number.
    pub sets: Vec<SetLayout>,
    /// What the push-constant words hold.
    pub push_constants: Vec<PushConstant>,
}

/// One descriptor set.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SetLayout {
    /// Its bindings, by rising number.
    pub slots: Vec<Slot>,
}

/// One binding: a descriptor or an array of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot {
    /// Binding number.
    pub binding: u32,
    /// Descriptor type.
    pub kind: DescriptorKind,
    /// Number of descriptors.
    pub count: u32,
    /// Whether the shader declares a runtime array here.
    pub unbounded: bool,
    /// Where its descriptors come from.
    pub source: SlotSource,
    /// Shape that the shader declares; `Invalid` where it is not known.
    pub shape: ResourceKind,
    /// Format that the code was made for.
    pub format: Option<TexelFormat>,
    /// Whether the shader may write to it.
    pub writable: bool,
    /// Bytes of an element of a structured buffer, 0 where it does not matter.
    pub stride: u32,
    /// Name in the source, for messages.
    pub name: String,
}

/// Where the descriptors of a [`Slot`] come from.
#[derive(Debug, Clone, PartialEq)]
pub enum SlotSource {
    /// Registers from that one upwards.
    Registers(Register),
    /// The hidden counters of the UAVs from that register upwards.
    Counters(Register),
    /// The job's CBV/SRV/UAV heap.
    ResourceHeap,
    /// The hidden counters of the heap's UAVs.
    HeapCounters,
    /// The job's sampler heap.
    SamplerHeap,
    /// A static sampler of the root signature.
    StaticSampler(Sampler),
}

/// A run of push-constant words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushConstant {
    /// First word.
    pub first_word: u32,
    /// What they hold.
    pub source: PushSource,
}

/// What push-constant words hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PushSource {
    /// Root constants: the first words of what the job binds to this constant-buffer register.
    Constants {
        /// The register.
        register: Register,
        /// Number of words.
        words: u32,
    },
    /// Two words: the device address of what the job binds to this register.
    Address(Register),
}

impl Layout {
    /// Bytes of push constants, from 0.
    pub fn push_constant_bytes(&self) -> u32 {
        self.push_constants
            .iter()
            .map(|run| {
                let words = match run.source {
                    PushSource::Constants { words, .. } => words,
                    PushSource::Address(_) => 2,
                };
                (run.first_word + words) * 4
            })
            .max()
            .unwrap_or(0)
    }
}
