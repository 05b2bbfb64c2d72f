//! Behaviour that D3D12 does not guarantee but some shaders rely on, and choices that a layer makes
//! for a driver or a game. By default none of them apply.

use bitflags::bitflags;

use crate::structurize::{LoopHint, SelectionHint};

bitflags! {
    /// Guarantees beyond those of D3D12 that shaders may rely on.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct Quirks: u32 {
        /// All float arithmetic is `precise`: two passes over the same geometry compute equal
        /// positions.
        const PRECISE = 1 << 0;
        /// A `precise` multiply-add is one fused operation instead of two roundings.
        const PRECISE_FMA = 1 << 1;
        /// A descriptor index that is not a constant may differ between lanes, marked or not.
        const NON_UNIFORM_INDICES = 1 << 2;
        /// A barrier that waits for the thread group orders UAV memory too.
        const GROUP_BARRIERS_ORDER_UAVS = 1 << 3;
        /// The same, in shaders that have a barrier for UAV memory anywhere.
        const UAV_BARRIERS_ARE_CONTAGIOUS = 1 << 4;
        /// Phis of loop headers whose first value is undefined begin with 0.
        const LOOPS_BEGIN_WITH_ZERO = 1 << 5;
        /// `rsqrt` of 0 is the largest number, and so is 1 / `sqrt`.
        const FINITE_RSQRT = 1 << 6;
        /// `SV_ShadingRate` is not written, and reads as 0 (one invocation per pixel).
        const NO_SHADING_RATE = 1 << 7;
        /// A quad read from an inactive lane gives 0 (compute shaders).
        const ZERO_FROM_INACTIVE_QUAD_LANES = 1 << 8;
        /// In thread groups of 32 threads, waves behave as if they had at most 32 lanes.
        const NARROW_WAVES_IN_NARROW_GROUPS = 1 << 9;
        /// A mesh shader that sets more vertices or primitives than it declares emits none.
        const MESH_COUNTS_CHECKED = 1 << 10;
        /// Explicit levels of cube maps never reach mips smaller than 8x8.
        const NO_SMALL_CUBE_MIPS = 1 << 11;
        /// The lanes of a wave access group-shared memory in lockstep.
        const LOCKSTEP_GROUP_MEMORY = 1 << 13;
        /// Constant buffers at device addresses read as 0 past their declared size.
        const ROBUST_ADDRESSES = 1 << 12;
        /// Ray queries of shader models before 6.9, which cannot request opacity micromaps, use
        /// them.
        const OLD_RAY_QUERIES_MEET_MICROMAPS = 1 << 14;
        /// Tells the driver that thread groups wait for each other: instruction 15 of the set
        /// `NonSemantic.dxil-spirv.quirks`.
        const GROUPS_WAIT_FOR_EACH_OTHER = 1 << 15;
        /// Elements past the end of local arrays read as 0, and writes to them are dropped.
        const ROBUST_LOCAL_ARRAYS = 1 << 16;
        /// ... of arrays in group-shared memory, for atomics too.
        const ROBUST_GROUP_ARRAYS = 1 << 17;
        /// ... of arrays of constants.
        const ROBUST_CONSTANT_ARRAYS = 1 << 18;
        /// Typed UAVs that are loaded from have one 32-bit component where the target has no loads
        /// without a format, however many components the shader declares: D3D12 allows no other
        /// view there ("Typed Unordered Access View (UAV) Loads").
        const LOADED_UAVS_ARE_R32 = 1 << 19;
        /// `f16tof32` computes with integers and floats of 32 bits, so that denormal halves survive
        /// on drivers that flush them. Has no effect on targets with
        /// [`Features::DENORM_PRESERVE_F16`](crate::Features::DENORM_PRESERVE_F16).
        const EXACT_HALF_TO_FLOAT = 1 << 20;
    }
}

/// Workarounds and hints that a caller can choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Workarounds {
    /// The guarantees that the shader may rely on.
    pub quirks: Quirks,
    /// Whether the shader's own hints for branches and loops are passed on.
    pub shader_hints: bool,
    /// Hint for selections that have none.
    pub selections: SelectionHint,
    /// Hint for loops that have none.
    pub loops: LoopHint,
    /// Value of `WaveGetLaneCount` in place of the device's subgroup size.
    pub lane_count: Option<u32>,
    /// Maximum tessellation factor; larger ones are clamped to it.
    pub max_tessellation: Option<u32>,
    /// Do not tell the driver that min-precision values may be computed in 16 bits.
    pub full_min_precision: bool,
}

impl Default for Workarounds {
    fn default() -> Self {
        Workarounds {
            quirks: Quirks::empty(),
            shader_hints: true,
            selections: SelectionHint::None,
            loops: LoopHint::None,
            lane_count: None,
            max_tessellation: None,
            full_min_precision: false,
        }
    }
}
