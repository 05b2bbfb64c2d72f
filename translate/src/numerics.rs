//! What a device computes where SPIR-V leaves a result open and D3D12 does not.
//!
//! D3D12 defines the result of every conversion, of `frac`, of `f32tof16` and of a division by
//! zero. SPIR-V leaves some of them undefined, and the translator then writes the instructions that
//! make D3D12's result. Graphics processors were built for D3D, so that most of these instructions
//! repeat what the hardware does: six operations per component instead of one conversion. A
//! [`Numerics`] says what a device does by itself, and the translator writes no more than is
//! missing.
//!
//! | driver | float to integer | double to integer | `Fract` | halves toward zero | multiply-add |
//! |---|---|---|---|---|---|
//! | AMD: RADV | clamps, NaN gives 0 | the same | below 1 | by mode | one |
//! | AMD: AMDVLK, proprietary | clamps, NaN gives 0 | the same | below 1 | - | one |
//! | NVIDIA (proprietary, NVK) | clamps, NaN gives 0 | NaN gives 2^31 | can be 1 | - | one |
//! | Intel, Qualcomm, Turnip, Honeykrisp | open | open | open | - | one |
//! | others | open | open | open | - | two |
//!
//! Sources: AMD, "RDNA3 Instruction Set Architecture", `V_CVT_I32_F32`, `V_CVT_U32_F32`,
//! `V_CVT_I32_F64` and `V_CVT_U32_F64` (out-of-range floating-point values, infinity included,
//! saturate, and NaN is converted to 0) and `V_FRACT_F32` (the result is clamped to 0x3f7fffff);
//! NVIDIA, "PTX ISA", `cvt` (a conversion to an integer clamps, and NaN gives 0 unless the operand
//! is an `.f64`) and the absence of an instruction for the fraction. Mesa's compilers pass
//! `OpConvertFToS` and `OpConvertFToU` on to these instructions. Division by zero: none of the four
//! instruction sets has an integer division, and the sequences that replace it end with some number
//! and no trap. Multiply-add: each of these has an instruction for `a * b + c` that costs as much
//! as a sum. Drivers that get two operations sometimes move one of them away from the other first.
//!
//! For Adreno and Apple's GPUs nothing was found that says what a conversion does beyond the range
//! or of NaN: not Mesa's descriptions of their instructions (`ir3-cat1.xml`, `AGX2.xml`, Mesa
//! 25.2), nor "Apple G13 GPU Architecture Reference" by D. Johnson, nor the Metal Shading Language
//! Specification, which leaves it to C++, where it is undefined. Mesa clamps below zero itself
//! before such a conversion on Apple's GPUs (layers of array textures).
//!
//! NVIDIA's instructions take one operand from a constant buffer, or one literal ("CUDA Binary
//! Utilities", lists of instructions; NVK's assembly moves others to registers first). Those of the
//! others take several uniform registers.
//!
//! Accesses to several words of a storage buffer are vectors, but on Honeykrisp: with
//! robustBufferAccess2 it splits a vector into words before it checks bounds, and then computes an
//! address of a row and of a word in it for each of them. NVK takes vectors of 16-bit values apart;
//! Adreno's registers hold them as they are, and words have to be split.
//!
//! A driver that knows the operand of a conversion may compute the result itself, by rules of its
//! host. For that reason conversions of constants are never left to the device.

/// What a device computes by itself. The default knows nothing, which is right for every device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct Numerics {
    /// `OpConvertFToS` and `OpConvertFToU` of floats and halves, to 32 bits.
    pub float_to_int: FloatToInt,
    /// The same of doubles.
    pub double_to_int: FloatToInt,
    /// `PackHalf2x16`.
    pub half_packing: HalfPacking,
    /// `Fract` of a negative number near 0.
    pub fract: Fract,
    /// Integer division by zero, and of the smallest integer by -1.
    pub division: Division,
    /// `a * b + c` of floats, which D3D12 lets the device round once or twice.
    pub multiply_add: MultiplyAdd,
    /// Operands of an instruction that are constants or come from a constant buffer.
    pub constant_operands: ConstantOperands,
    /// Accesses to several words of a storage buffer.
    pub buffer_access: BufferAccess,
}

/// Conversion of a float to an integer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FloatToInt {
    /// As SPIR-V has it: undefined for NaN and for what does not fit.
    #[default]
    Undefined,
    /// As D3D has it: what does not fit becomes the nearest integer that does, and NaN becomes 0
    /// (D3D11.3 functional specification, 22.13.3).
    Clamps,
}

/// Rounding of `PackHalf2x16`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum HalfPacking {
    /// The driver chooses.
    #[default]
    Undefined,
    /// As the execution mode `RoundingModeRTZ` of 16 bits says, where the target has it
    /// ([`Features::ROUND_RTZ_F16`](crate::Features::ROUND_RTZ_F16)): toward zero, as D3D requires.
    FollowsMode,
}

/// Result of `Fract` for numbers whose fraction rounds to 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Fract {
    /// It can be 1.
    #[default]
    ReachesOne,
    /// It is the greatest number below 1.
    StaysBelowOne,
}

/// Integer division without a defined result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Division {
    /// As SPIR-V has it: anything may happen. Processors trap.
    #[default]
    Undefined,
    /// Division by zero gives some number, and the smallest integer divided by -1 wraps.
    GivesNumber,
}

/// Instructions for `a * b + c` of floats, unless it is `precise`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MultiplyAdd {
    /// A product and a sum, which the driver may fuse.
    #[default]
    Two,
    /// `Fma`. Processors without such an instruction would call a function for it.
    One,
}

/// Operands of an instruction for which no registers of the lane are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ConstantOperands {
    /// Several, at no cost.
    #[default]
    Several,
    /// One. The others are moved to registers first.
    One,
}

/// Instructions for neighbouring words of a storage buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BufferAccess {
    /// One access to a vector, whose address is computed and whose bounds are checked once. Two
    /// 16-bit values are a word.
    #[default]
    Vectors,
    /// The same, where vectors of 16-bit values are best loaded as such.
    VectorsOfHalves,
    /// One access for each word, because the driver takes vectors apart where it checks bounds.
    Words,
}

impl Numerics {
    /// What D3D12-on-Vulkan layers take for granted on every device: that it computes as D3D says.
    pub const OF_LAYERS: Numerics = Numerics {
        float_to_int: FloatToInt::Clamps,
        double_to_int: FloatToInt::Clamps,
        half_packing: HalfPacking::FollowsMode,
        fract: Fract::StaysBelowOne,
        division: Division::GivesNumber,
        multiply_add: MultiplyAdd::One,
        constant_operands: ConstantOperands::Several,
        buffer_access: BufferAccess::Vectors,
    };

    const AMD: Numerics = Numerics {
        float_to_int: FloatToInt::Clamps,
        double_to_int: FloatToInt::Clamps,
        half_packing: HalfPacking::Undefined,
        fract: Fract::StaysBelowOne,
        division: Division::GivesNumber,
        multiply_add: MultiplyAdd::One,
        constant_operands: ConstantOperands::Several,
        buffer_access: BufferAccess::Vectors,
    };

    const NVIDIA: Numerics = Numerics {
        float_to_int: FloatToInt::Clamps,
        double_to_int: FloatToInt::Undefined,
        half_packing: HalfPacking::Undefined,
        fract: Fract::ReachesOne,
        division: Division::GivesNumber,
        multiply_add: MultiplyAdd::One,
        constant_operands: ConstantOperands::One,
        buffer_access: BufferAccess::Vectors,
    };

    /// Returns what a driver's devices compute; `driver` is a `VkDriverId`. Unknown drivers, and
    /// those that run shaders on the processor, get the cautious default.
    pub fn of_driver(driver: u32) -> Numerics {
        match driver {
            // AMD_PROPRIETARY, AMD_OPEN_SOURCE.
            1 | 2 => Numerics::AMD,
            // MESA_RADV.
            3 => Numerics {
                half_packing: HalfPacking::FollowsMode,
                ..Numerics::AMD
            },
            // NVIDIA_PROPRIETARY, MESA_NVK.
            4 | 24 => Numerics::NVIDIA,
            // INTEL_PROPRIETARY_WINDOWS, INTEL_OPEN_SOURCE_MESA.
            5 | 6 => Numerics {
                multiply_add: MultiplyAdd::One,
                ..Numerics::default()
            },
            // QUALCOMM_PROPRIETARY, MESA_TURNIP.
            8 | 18 => Numerics {
                multiply_add: MultiplyAdd::One,
                buffer_access: BufferAccess::VectorsOfHalves,
                ..Numerics::default()
            },
            // MESA_HONEYKRISP.
            26 => Numerics {
                multiply_add: MultiplyAdd::One,
                buffer_access: BufferAccess::Words,
                ..Numerics::default()
            },
            _ => Numerics::default(),
        }
    }

    /// Returns whether a driver runs shaders on the processor; `driver` is a `VkDriverId`.
    pub fn is_processor(driver: u32) -> bool {
        // GOOGLE_SWIFTSHADER, MESA_LLVMPIPE.
        matches!(driver, 10 | 13)
    }
}
