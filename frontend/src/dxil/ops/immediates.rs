//! Immediates: what the constant operands of operations stand for. Numbers as in the DXIL document
//! and, for shader models 6.6 and later, as DXC writes them.

use bitflags::bitflags;

use crate::dxil::{ComponentType, ResourceClass, ResourceKind};

macro_rules! immediate_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $no:expr,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $($(#[$variant_doc])* $variant = $no),* }

        impl $name {
            /// Returns the variant with this number in DXIL.
            pub const fn from_number(number: u64) -> Option<Self> {
                $(if number == $no as u64 {
                    return Some(Self::$variant);
                })*
                None
            }

            /// Returns the name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => stringify!($variant)),* }
            }
        }
    };
}

immediate_enum! {
    /// Operation of [`super::Opcode::AtomicBinOp`].
    AtomicOp {
        /// Integer sum.
        Add = 0,
        /// Bitwise and.
        And = 1,
        /// Bitwise or.
        Or = 2,
        /// Bitwise exclusive or.
        Xor = 3,
        /// Signed minimum.
        IMin = 4,
        /// Signed maximum.
        IMax = 5,
        /// Unsigned minimum.
        UMin = 6,
        /// Unsigned maximum.
        UMax = 7,
        /// Replaces the value.
        Exchange = 8,
    }
}
immediate_enum! {
    /// Reduction or scan over a wave.
    WaveOp {
        /// Sum.
        Sum = 0,
        /// Product.
        Product = 1,
        /// Minimum.
        Min = 2,
        /// Maximum.
        Max = 3,
    }
}
immediate_enum! {
    /// Signedness of the integers of a wave operation.
    Sign {
        /// Signed integers, or floats.
        Signed = 0,
        /// Unsigned integers.
        Unsigned = 1,
    }
}
immediate_enum! {
    /// Bitwise reduction over a wave.
    WaveBitOp {
        /// And.
        And = 0,
        /// Or.
        Or = 1,
        /// Exclusive or.
        Xor = 2,
    }
}
immediate_enum! {
    /// Scan over the lanes of a mask.
    WaveMultiPrefixOp {
        /// Sum.
        Sum = 0,
        /// Bitwise and.
        And = 1,
        /// Bitwise or.
        Or = 2,
        /// Bitwise exclusive or.
        Xor = 3,
        /// Product.
        Product = 4,
    }
}
immediate_enum! {
    /// The lane of the quad that is read.
    QuadDirection {
        /// The horizontal neighbour.
        AcrossX = 0,
        /// The vertical neighbour.
        AcrossY = 1,
        /// The diagonal neighbour.
        AcrossDiagonal = 2,
    }
}
immediate_enum! {
    /// How the elements of a matrix lie in memory.
    MatrixLayout {
        /// Row by row.
        RowMajor = 0,
        /// Column by column.
        ColumnMajor = 1,
        /// As the device multiplies best.
        MulOptimal = 2,
        /// The same of the transposed matrix.
        MulOptimalTranspose = 3,
        /// As the device accumulates outer products best.
        OuterProductOptimal = 4,
        /// The same of the transposed matrix.
        OuterProductOptimalTranspose = 5,
    }
}
immediate_enum! {
    /// Type of the elements of a matrix, or of what a vector's scalars hold: a scalar of 32 bits
    /// has several elements of less than that, the first one in its low bits. Numbers from 19 on
    /// are those of matrices alone.
    MatrixComponent {
        /// Signed integer of 16 bits.
        I16 = ComponentType::I16 as isize,
        /// Unsigned integer of 16 bits.
        U16 = ComponentType::U16 as isize,
        /// Signed integer of 32 bits.
        I32 = ComponentType::I32 as isize,
        /// Unsigned integer of 32 bits.
        U32 = ComponentType::U32 as isize,
        /// Signed integer of 64 bits.
        I64 = ComponentType::I64 as isize,
        /// Unsigned integer of 64 bits.
        U64 = ComponentType::U64 as isize,
        /// `half`.
        F16 = ComponentType::F16 as isize,
        /// `float`.
        F32 = ComponentType::F32 as isize,
        /// `double`.
        F64 = ComponentType::F64 as isize,
        /// Signed integer of 8 bits.
        I8 = 19,
        /// Unsigned integer of 8 bits.
        U8 = 20,
        /// Float of 8 bits with an exponent of 4 and without infinities.
        F8E4M3FN = 21,
        /// Float of 8 bits with an exponent of 5.
        F8E5M2 = 22,
        /// Float of 16 bits with an exponent of 8.
        BFloat16 = 23,
    }
}
immediate_enum! {
    /// Vote within a quad.
    QuadVoteKind {
        /// True if any lane's condition is.
        Any = 0,
        /// True if all lanes' conditions are.
        All = 1,
    }
}
immediate_enum! {
    /// The extension of the four bytes.
    UnpackMode {
        /// Zero-extended.
        Unsigned = 0,
        /// Sign-extended.
        Signed = 1,
    }
}
immediate_enum! {
    /// The conversion of four integers to bytes.
    PackMode {
        /// The low bits.
        Truncate = 0,
        /// Clamped to 0..=255.
        ClampUnsigned = 1,
        /// Clamped to -128..=127.
        ClampSigned = 2,
    }
}

bitflags! {
    /// Mode of [`super::Opcode::Barrier`]. Bits beyond the named ones are kept.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct BarrierMode: u32 {
        /// All threads of the group wait for each other.
        const SYNC_THREAD_GROUP = 1 << 0;
        /// UAV accesses become visible on the whole device.
        const UAV_FENCE_GLOBAL = 1 << 1;
        /// UAV accesses become visible in the group.
        const UAV_FENCE_THREAD_GROUP = 1 << 2;
        /// Groupshared accesses become visible in the group.
        const TGSM_FENCE = 1 << 3;
        const _ = !0;
    }

    /// Memory that a barrier of SM 6.8 orders. Bits beyond the named ones are kept.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct MemoryTypes: u32 {
        /// UAVs.
        const UAV = 1 << 0;
        /// Groupshared variables.
        const GROUP_SHARED = 1 << 1;
        /// Input records of a node.
        const NODE_INPUT = 1 << 2;
        /// Output records of a node.
        const NODE_OUTPUT = 1 << 3;
        const _ = !0;
    }

    /// The semantics of a barrier of SM 6.8. Bits without a name are kept.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub struct BarrierSemantics: u32 {
        /// All threads of the group wait for each other.
        const GROUP_SYNC = 1 << 0;
        /// Accesses become visible in the group.
        const GROUP_SCOPE = 1 << 1;
        /// Accesses become visible on the device.
        const DEVICE_SCOPE = 1 << 2;
        /// Accesses become visible across a thread reorder (SM 6.9).
        const REORDER_SCOPE = 1 << 3;
        const _ = !0;
    }
}

/// Binding of [`super::Opcode::CreateHandleFromBinding`] (`%dx.types.ResBind`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ResourceBinding {
    /// First register of the range.
    pub lower_bound: u32,
    /// Last register of the range; `u32::MAX` for an unbounded one.
    pub upper_bound: u32,
    /// Register space.
    pub space: u32,
    /// SRV, UAV, constant buffer or sampler: the register's letter.
    pub class: ResourceClass,
}

/// Properties of [`super::Opcode::AnnotateHandle`] (`%dx.types.ResourceProperties`): the two words
/// as they are, and views of their fields. The fields are those of DXC's
/// `DxilResourceProperties.h`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ResourceProperties {
    /// Kind and flags.
    pub basic: u32,
    /// By kind: component type and count, structure stride, constant buffer size or feedback kind.
    pub extended: u32,
}

impl ResourceProperties {
    /// Returns the kind of resource, if the number is known.
    pub fn kind(self) -> Option<ResourceKind> {
        ResourceKind::from_number(u64::from(self.basic & 0xff))
    }

    /// Returns the power of two that the base of a raw or structured buffer is known to be aligned
    /// to, in bytes; 0 is unknown.
    pub const fn base_align_log2(self) -> u32 {
        (self.basic >> 8) & 0xf
    }

    /// Returns whether it is a UAV.
    pub const fn is_uav(self) -> bool {
        self.basic & (1 << 12) != 0
    }

    /// Returns whether it is a rasterizer-ordered view.
    pub const fn is_rasterizer_ordered(self) -> bool {
        self.basic & (1 << 13) != 0
    }

    /// Returns whether it is `globallycoherent`.
    pub const fn is_globally_coherent(self) -> bool {
        self.basic & (1 << 14) != 0
    }

    /// Returns whether a sampler is a comparison sampler, or a structured buffer has a counter; the
    /// bit has no meaning for other resources.
    pub const fn is_comparison_or_has_counter(self) -> bool {
        self.basic & (1 << 15) != 0
    }

    /// Returns whether it is `reordercoherent` (SM 6.9).
    pub const fn is_reorder_coherent(self) -> bool {
        self.basic & (1 << 16) != 0
    }

    /// Returns the class, which follows from the kind and the UAV flag.
    pub fn class(self) -> Option<ResourceClass> {
        Some(match self.kind()? {
            ResourceKind::Invalid => return None,
            ResourceKind::Sampler => ResourceClass::Sampler,
            ResourceKind::CBuffer => ResourceClass::Cbv,
            _ if self.is_uav() => ResourceClass::Uav,
            _ => ResourceClass::Srv,
        })
    }

    /// Returns the number of a typed resource's component type ([`crate::dxil::ComponentType`]).
    pub const fn component_type(self) -> u32 {
        self.extended & 0xff
    }

    /// Returns the number of components that the shader declares for a typed resource, 1 to 4.
    pub const fn component_count(self) -> u32 {
        (self.extended >> 8) & 0xff
    }

    /// Returns the number of samples of a multisampled texture; 0 if not declared.
    pub const fn sample_count(self) -> u32 {
        (self.extended >> 16) & 0xff
    }

    /// Returns the number of bytes per element of a structured buffer.
    pub const fn stride(self) -> u32 {
        self.extended
    }

    /// Returns the size of a constant buffer in bytes.
    pub const fn cbuffer_size(self) -> u32 {
        self.extended
    }
}

/// Properties of [`super::Opcode::AnnotateNodeHandle`] (`%dx.types.NodeInfo`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodeInfo {
    /// Kind and flags of the node's input or output.
    pub flags: u32,
    /// Bytes per record.
    pub record_size: u32,
}

/// Properties of [`super::Opcode::AnnotateNodeRecordHandle`] (`%dx.types.NodeRecordInfo`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodeRecordInfo {
    /// Kind and flags of the node's input or output.
    pub flags: u32,
    /// Bytes per record.
    pub record_size: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resource_properties_split_into_their_fields() {
        // RWStructuredBuffer with counter, stride 16, globally coherent.
        let props = ResourceProperties {
            basic: 12 | 4 << 8 | 1 << 12 | 1 << 14 | 1 << 15,
            extended: 16,
        };
        assert_eq!(props.kind(), Some(ResourceKind::StructuredBuffer));
        assert_eq!(props.class(), Some(ResourceClass::Uav));
        assert_eq!(props.base_align_log2(), 4);
        assert_eq!(props.stride(), 16);
        assert!(props.is_globally_coherent() && props.is_comparison_or_has_counter());
        assert!(!props.is_rasterizer_ordered() && !props.is_reorder_coherent());

        // Texture2D<float4>.
        let props = ResourceProperties {
            basic: 2,
            extended: 9 | 4 << 8,
        };
        assert_eq!(props.class(), Some(ResourceClass::Srv));
        assert_eq!((props.component_type(), props.component_count()), (9, 4));
    }

    #[test]
    fn enums_refuse_numbers_that_dxil_does_not_have() {
        assert_eq!(AtomicOp::from_number(8), Some(AtomicOp::Exchange));
        assert_eq!(AtomicOp::from_number(9), None);
        assert_eq!(WaveOp::from_number(3).map(WaveOp::name), Some("Max"));
        assert_eq!(PackMode::from_number(3), None);
    }
}
