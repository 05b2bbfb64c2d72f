//! Operand roles and how an operand of each role is read from a call.
//!
//! The table says `index: Value, mask: Const<u8>`; the words are type aliases of this file, so that
//! the decoded struct has the field `mask: u8`. `Operand` reads a field; [`Shown`] is its form in
//! listings.

use cranelift_entity::packed_option::{PackedOption, ReservedValue};

use super::Opcode;
use super::immediates::{
    AtomicOp, BarrierMode, BarrierSemantics, MatrixComponent, MatrixLayout, MemoryTypes, NodeInfo,
    NodeRecordInfo, PackMode, QuadDirection, QuadVoteKind, ResourceBinding, ResourceProperties,
    Sign, UnpackMode, WaveBitOp, WaveMultiPrefixOp, WaveOp,
};
use crate::dxil::ResourceClass;
use crate::ir::{Constant, FuncView, ValueId};
use crate::{Error, ErrorKind, Result};

/// Any value, `undef` included.
pub type Value = ValueId;
/// That many values under one name.
pub type Values<const N: usize> = [ValueId; N];
/// A value that is left out by passing `undef`.
pub type Optional = PackedOption<ValueId>;
/// That many optional values under one name.
pub type Optionals<const N: usize> = [PackedOption<ValueId>; N];
/// The handle of any resource (`%dx.types.Handle`).
pub type Handle = ValueId;
/// The handle of a constant buffer.
pub type ConstantBuffer = ValueId;
/// The handle of another buffer.
pub type Buffer = ValueId;
/// The handle of a texture.
pub type Texture = ValueId;
/// The handle of a sampler.
pub type Sampler = ValueId;
/// The handle of a sampler feedback map.
pub type FeedbackMap = ValueId;
/// The handle of an acceleration structure.
pub type AccelerationStructure = ValueId;
/// A value that is written to a resource or an output.
pub type Data = ValueId;
/// That many values that are written.
pub type DataList<const N: usize> = [ValueId; N];
/// Offset in an element of a structured buffer, in bytes; absent for other buffers.
pub type ElementOffset = PackedOption<ValueId>;
/// A node handle (`%dx.types.NodeHandle`).
pub type NodeHandle = ValueId;
/// A node record handle (`%dx.types.NodeRecordHandle`).
pub type NodeRecord = ValueId;
/// A hit object (`%dx.types.HitObject`).
pub type HitObject = ValueId;
/// A ray query: the `i32` that `AllocateRayQuery` gives.
pub type RayQuery = ValueId;
/// An immediate: a constant in the call.
pub type Const<T> = T;

/// The roles by name, for listings and checks over the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// [`Value`].
    Value,
    /// [`Values`].
    Values,
    /// [`Optional`].
    Optional,
    /// [`Optionals`].
    Optionals,
    /// [`Handle`].
    Handle,
    /// [`ConstantBuffer`].
    ConstantBuffer,
    /// [`Buffer`].
    Buffer,
    /// [`Texture`].
    Texture,
    /// [`Sampler`].
    Sampler,
    /// [`FeedbackMap`].
    FeedbackMap,
    /// [`AccelerationStructure`].
    AccelerationStructure,
    /// [`Data`].
    Data,
    /// [`DataList`].
    DataList,
    /// [`ElementOffset`].
    ElementOffset,
    /// [`NodeHandle`].
    NodeHandle,
    /// [`NodeRecord`].
    NodeRecord,
    /// [`HitObject`].
    HitObject,
    /// [`RayQuery`].
    RayQuery,
    /// [`Const`].
    Const,
}

impl Role {
    /// The roles that are handles of resources.
    pub const HANDLES: [Role; 7] = [
        Role::Handle,
        Role::ConstantBuffer,
        Role::Buffer,
        Role::Texture,
        Role::Sampler,
        Role::FeedbackMap,
        Role::AccelerationStructure,
    ];

    /// Returns whether it is the handle of a resource.
    pub fn is_handle(self) -> bool {
        Role::HANDLES.contains(&self)
    }
}

/// An operand as a listing shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown<'a> {
    /// A value.
    Value(ValueId),
    /// An optional value that is left out.
    Absent,
    /// Values under one name.
    Values(&'a [ValueId]),
    /// Optional values under one name.
    Optionals(&'a [PackedOption<ValueId>]),
    /// An integer.
    Int(i64),
    /// A boolean.
    Bool(bool),
    /// A variant of an enumeration.
    Name(&'static str),
    /// A set of flags.
    Flags(u32, &'a [&'static str]),
    /// A structure of numbers.
    Fields(&'a [(&'static str, u32)]),
}

/// The arguments of one call, while they are being read.
pub(super) struct OperandReader<'a> {
    pub(super) view: FuncView<'a>,
    pub(super) op: Opcode,
    pub(super) rest: std::slice::Iter<'a, ValueId>,
}

impl<'a> OperandReader<'a> {
    fn next(&mut self) -> Result<ValueId> {
        // The decoder compares the counts first.
        self.rest
            .next()
            .copied()
            .ok_or_else(|| ErrorKind::Internal("operand list ended early").into())
    }

    #[cold]
    fn err(&self, operand: &'static str, problem: &'static str) -> Error {
        Error::new(ErrorKind::Operand {
            op: self.op.name(),
            operand,
            problem,
        })
    }

    fn int(&mut self, operand: &'static str) -> Result<u64> {
        let id = self.next()?;
        self.view
            .constant_int(id)
            .ok_or_else(|| self.err(operand, "must be a constant integer"))
    }

    /// Returns the fields of a constant structure of integers.
    fn fields<const N: usize>(&mut self, operand: &'static str) -> Result<[u32; N]> {
        let id = self.next()?;
        let mut out = [0; N];
        match self.view.constant(id) {
            // LLVM writes a structure of zeros as `zeroinitializer`.
            Some(Constant::Null) => {}
            Some(Constant::Aggregate(list)) => {
                let elements = self.view.constant_elements(id, list);
                if elements.len() != N {
                    return Err(self.err(operand, "has the wrong number of fields"));
                }
                for (field, element) in out.iter_mut().zip(elements) {
                    *field = self
                        .view
                        .constant_int(*element)
                        .and_then(|value| u32::try_from(value).ok())
                        .ok_or_else(|| self.err(operand, "must hold constant integers"))?;
                }
            }
            _ => return Err(self.err(operand, "must be a constant structure")),
        }
        Ok(out)
    }
}

/// A field of a decoded operation: how many arguments it takes, how it is read and shown.
pub(super) trait Operand: Sized {
    /// Arguments of the call.
    const COUNT: usize;
    /// Reads it.
    fn take(args: &mut OperandReader<'_>, name: &'static str) -> Result<Self>;
    /// Shows it.
    fn show(&self, show: &mut dyn FnMut(Shown<'_>));
}

impl Operand for ValueId {
    const COUNT: usize = 1;
    #[inline]
    fn take(args: &mut OperandReader<'_>, _: &'static str) -> Result<Self> {
        args.next()
    }
    fn show(&self, show: &mut dyn FnMut(Shown<'_>)) {
        show(Shown::Value(*self));
    }
}

impl<const N: usize> Operand for [ValueId; N] {
    const COUNT: usize = N;
    #[inline]
    fn take(args: &mut OperandReader<'_>, _: &'static str) -> Result<Self> {
        let mut out = [ValueId::reserved_value(); N];
        for value in &mut out {
            *value = args.next()?;
        }
        Ok(out)
    }
    fn show(&self, show: &mut dyn FnMut(Shown<'_>)) {
        show(Shown::Values(self));
    }
}

impl Operand for PackedOption<ValueId> {
    const COUNT: usize = 1;
    #[inline]
    fn take(args: &mut OperandReader<'_>, _: &'static str) -> Result<Self> {
        let id = args.next()?;
        Ok(match args.view.constant(id) {
            // DXIL has no optional operands: `undef` marks the unused ones, such as coordinates
            // beyond a texture's dimensions.
            Some(Constant::Undef) => None.into(),
            _ => id.into(),
        })
    }
    fn show(&self, show: &mut dyn FnMut(Shown<'_>)) {
        show(self.expand().map_or(Shown::Absent, Shown::Value));
    }
}

impl<const N: usize> Operand for [PackedOption<ValueId>; N] {
    const COUNT: usize = N;
    #[inline]
    fn take(args: &mut OperandReader<'_>, name: &'static str) -> Result<Self> {
        let mut out = [PackedOption::default(); N];
        for value in &mut out {
            *value = <PackedOption<ValueId> as Operand>::take(args, name)?;
        }
        Ok(out)
    }
    fn show(&self, show: &mut dyn FnMut(Shown<'_>)) {
        show(Shown::Optionals(self));
    }
}

macro_rules! integer_operands {
    ($($ty:ident),*) => { $(
        impl Operand for $ty {
            const COUNT: usize = 1;
            #[inline]
            fn take(args: &mut OperandReader<'_>, name: &'static str) -> Result<Self> {
                let value = args.int(name)?;
                $ty::try_from(value).map_err(|_| args.err(name, "is too wide"))
            }
            fn show(&self, show: &mut dyn FnMut(Shown<'_>)) {
                show(Shown::Int(i64::from(*self)));
            }
        }
    )* };
}
integer_operands!(u8, u32);

impl Operand for i8 {
    const COUNT: usize = 1;
    fn take(args: &mut OperandReader<'_>, name: &'static str) -> Result<Self> {
        // Constants are kept zero-extended.
        Ok(u8::take(args, name)?.cast_signed())
    }
    fn show(&self, show: &mut dyn FnMut(Shown<'_>)) {
        show(Shown::Int(i64::from(*self)));
    }
}

impl Operand for bool {
    const COUNT: usize = 1;
    #[inline]
    fn take(args: &mut OperandReader<'_>, name: &'static str) -> Result<Self> {
        Ok(args.int(name)? != 0)
    }
    fn show(&self, show: &mut dyn FnMut(Shown<'_>)) {
        show(Shown::Bool(*self));
    }
}

macro_rules! enum_operands {
    ($($ty:ident),*) => { $(
        impl Operand for $ty {
            const COUNT: usize = 1;
            fn take(args: &mut OperandReader<'_>, name: &'static str) -> Result<Self> {
                let number = args.int(name)?;
                $ty::from_number(number).ok_or_else(|| args.err(name, "has an unknown number"))
            }
            fn show(&self, show: &mut dyn FnMut(Shown<'_>)) {
                show(Shown::Name(self.name()));
            }
        }
    )* };
}
enum_operands!(
    AtomicOp,
    WaveOp,
    Sign,
    WaveBitOp,
    WaveMultiPrefixOp,
    QuadDirection,
    QuadVoteKind,
    UnpackMode,
    PackMode,
    MatrixLayout,
    MatrixComponent
);

impl Operand for ResourceClass {
    const COUNT: usize = 1;
    fn take(args: &mut OperandReader<'_>, name: &'static str) -> Result<Self> {
        let number = args.int(name)?;
        ResourceClass::from_number(number).ok_or_else(|| args.err(name, "is not a resource class"))
    }
    fn show(&self, show: &mut dyn FnMut(Shown<'_>)) {
        show(Shown::Name(match self {
            ResourceClass::Srv => "SRV",
            ResourceClass::Uav => "UAV",
            ResourceClass::Cbv => "CBV",
            ResourceClass::Sampler => "Sampler",
        }));
    }
}

macro_rules! flag_operands {
    ($($ty:ident),*) => { $(
        impl Operand for $ty {
            const COUNT: usize = 1;
            fn take(args: &mut OperandReader<'_>, name: &'static str) -> Result<Self> {
                // Unknown bits are kept, so that lowering can refuse a barrier that it does not
                // understand.
                Ok($ty::from_bits_retain(u32::take(args, name)?))
            }
            fn show(&self, show: &mut dyn FnMut(Shown<'_>)) {
                let names: Vec<&'static str> = self.iter_names().map(|(name, _)| name).collect();
                show(Shown::Flags(self.bits(), &names));
            }
        }
    )* };
}
flag_operands!(BarrierMode, MemoryTypes, BarrierSemantics);

impl Operand for ResourceBinding {
    const COUNT: usize = 1;
    fn take(args: &mut OperandReader<'_>, name: &'static str) -> Result<Self> {
        let [lower_bound, upper_bound, space, class] = args.fields(name)?;
        Ok(ResourceBinding {
            lower_bound,
            upper_bound,
            space,
            class: ResourceClass::from_number(u64::from(class))
                .ok_or_else(|| args.err(name, "names no resource class"))?,
        })
    }
    fn show(&self, show: &mut dyn FnMut(Shown<'_>)) {
        show(Shown::Fields(&[
            ("lower_bound", self.lower_bound),
            ("upper_bound", self.upper_bound),
            ("space", self.space),
            ("class", self.class as u32),
        ]));
    }
}

impl Operand for ResourceProperties {
    const COUNT: usize = 1;
    fn take(args: &mut OperandReader<'_>, name: &'static str) -> Result<Self> {
        let [basic, extended] = args.fields(name)?;
        Ok(ResourceProperties { basic, extended })
    }
    fn show(&self, show: &mut dyn FnMut(Shown<'_>)) {
        show(Shown::Fields(&[
            ("basic", self.basic),
            ("extended", self.extended),
        ]));
    }
}

macro_rules! node_operands {
    ($($ty:ident),*) => { $(
        impl Operand for $ty {
            const COUNT: usize = 1;
            fn take(args: &mut OperandReader<'_>, name: &'static str) -> Result<Self> {
                let [flags, record_size] = args.fields(name)?;
                Ok($ty { flags, record_size })
            }
            fn show(&self, show: &mut dyn FnMut(Shown<'_>)) {
                show(Shown::Fields(&[
                    ("flags", self.flags),
                    ("record_size", self.record_size),
                ]));
            }
        }
    )* };
}
node_operands!(NodeInfo, NodeRecordInfo);
