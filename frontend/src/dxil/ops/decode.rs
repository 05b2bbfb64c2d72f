//! One struct with named operands per operation, one enumeration per section of the table, [`Op`]
//! over all of them, and [`decode`].

use super::immediates::{
    AtomicOp, BarrierMode, BarrierSemantics, MatrixComponent, MatrixLayout, MemoryTypes, NodeInfo,
    NodeRecordInfo, PackMode, QuadDirection, QuadVoteKind, ResourceBinding, ResourceProperties,
    Sign, UnpackMode, WaveBitOp, WaveOp,
};
use super::operands::{
    AccelerationStructure, Buffer, Const, ConstantBuffer, Data, DataList, ElementOffset,
    FeedbackMap, Handle, NodeHandle, NodeRecord, Operand, OperandReader, Optional, Optionals, Role,
    Sampler, Shown, Texture, Value, Values,
};
use super::table::for_each_dxil_op;
use super::{Opcode, immediates, operands};
use crate::dxil::ResourceClass;
use crate::ir::{FuncView, ValueId};
use crate::{Error, ErrorKind, Result};

/// Types that share a name with an operation's struct.
mod role {
    pub(super) use super::operands::{HitObject, RayQuery};
}

/// The structs with named operands.
macro_rules! define_calls {
    ($($group:ident = $enum:ident { $(#[doc = $doc:literal] (
        $no:literal, $op:ident $(= $name:literal)?, $class:literal,
        [$($operand:ident: $role:ident $(<$parameter:tt>)?),*],
        $overloads:tt, $memory:ident, $sm:tt, $stages:ident, $flags:tt, $hlsl:literal
    ))* })*) => {
        $($(
            #[doc = concat!("Operands of opcode ", $no, ".")]
            #[doc = ""]
            #[doc = $doc]
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub struct $op {
                $(
                    #[doc = concat!("`", stringify!($role $(<$parameter>)?), "`, see [`operands`].")]
                    pub $operand: operand_type!($role $(<$parameter>)?),
                )*
            }
        )*)*

        impl Op {
            /// Hands name, role and content of each operand to `show`, in the order of the call.
            #[allow(unused_variables, reason = "some operations have no operands")]
            pub fn show_operands(&self, show: &mut dyn FnMut(&'static str, Role, Shown<'_>)) {
                match self {
                    $($(Op::$group($enum::$op(call)) => {
                        $(call.$operand.show(&mut |shown| {
                            show(stringify!($operand), Role::$role, shown);
                        });)*
                    })*)*
                }
            }

            /// Returns the operands that have to do with a resource.
            #[allow(unused_variables, reason = "some operations have no operands")]
            pub fn resource_operands(&self) -> ResourceOperands<'_> {
                let mut found = ResourceOperands::default();
                match self {
                    $($(Op::$group($enum::$op(call)) => {
                        $(note_operand!(found, call.$operand, $role);)*
                    })*)*
                }
                found
            }
        }

        impl Opcode {
            /// Returns the arguments after the opcode that a call of the operation has.
            pub const fn operand_count(self) -> usize {
                match self {
                    $($(Opcode::$op => {
                        0 $(+ <operand_type!($role $(<$parameter>)?) as Operand>::COUNT)*
                    })*)*
                }
            }
        }

        fn decode_operands(args: &mut OperandReader<'_>) -> Result<Op> {
            Ok(match args.op {
                $($(Opcode::$op => Op::$group($enum::$op(
                    $op { $($operand: Operand::take(args, stringify!($operand))?),* }
                )),)*)*
            })
        }
    };
}

/// The enumerations: one for each section of the table, and [`Op`] over all sections.
macro_rules! define_enums {
    ($($group:ident = $enum:ident { $(
        #[doc = $doc:literal] ($no:literal, $op:ident $($row:tt)*)
    )* })*) => {
        /// A decoded call of an operation, by the section of the table that its row stands in.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Op {
            $(
                #[doc = concat!("A call of [`Group::", stringify!($group), "`](super::Group::", stringify!($group), ").")]
                $group($enum),
            )*
        }

        impl Op {
            /// Returns the called operation.
            pub fn opcode(&self) -> Opcode {
                match self { $(Op::$group(op) => op.opcode(),)* }
            }
        }

        $(
            #[doc = concat!("A decoded call of an operation of [`Group::", stringify!($group), "`](super::Group::", stringify!($group), ").")]
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub enum $enum { $(#[doc = $doc] $op($op),)* }

            impl $enum {
                /// Returns the called operation.
                pub fn opcode(&self) -> Opcode {
                    match self { $($enum::$op(_) => Opcode::$op),* }
                }
            }
        )*
    };
}

/// The operands of a call that have to do with a resource, by their roles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ResourceOperands<'a> {
    /// The buffer, texture or acceleration structure.
    pub resource: Option<ValueId>,
    /// The sampler.
    pub sampler: Option<ValueId>,
    /// The feedback map.
    pub feedback: Option<ValueId>,
    /// The offset in an element.
    pub element_offset: Option<ValueId>,
    /// The written value.
    pub data: &'a [ValueId],
}

macro_rules! note_operand {
    ($found:ident, $operand:expr, Sampler) => {
        $found.sampler = Some($operand);
    };
    ($found:ident, $operand:expr, FeedbackMap) => {
        $found.feedback = Some($operand);
    };
    ($found:ident, $operand:expr, Handle) => {
        $found.resource = Some($operand);
    };
    ($found:ident, $operand:expr, ConstantBuffer) => {
        $found.resource = Some($operand);
    };
    ($found:ident, $operand:expr, Buffer) => {
        $found.resource = Some($operand);
    };
    ($found:ident, $operand:expr, Texture) => {
        $found.resource = Some($operand);
    };
    ($found:ident, $operand:expr, AccelerationStructure) => {
        $found.resource = Some($operand);
    };
    ($found:ident, $operand:expr, ElementOffset) => {
        $found.element_offset = $operand.expand();
    };
    ($found:ident, $operand:expr, Data) => {
        $found.data = std::slice::from_ref(&$operand);
    };
    ($found:ident, $operand:expr, DataList) => {
        $found.data = &$operand;
    };
    ($found:ident, $operand:expr, $role:ident) => {};
}

// An operation and a role or immediate may have the same name (`HitObject`, `WaveMultiPrefixOp`).
macro_rules! operand_type {
    (RayQuery) => { role::RayQuery };
    (HitObject) => { role::HitObject };
    (Const<WaveMultiPrefixOp>) => { Const<immediates::WaveMultiPrefixOp> };
    ($role:ident) => { $role };
    ($role:ident<$parameter:tt>) => { $role<$parameter> };
}

for_each_dxil_op!(define_calls);
for_each_dxil_op!(define_enums);

/// Decodes a call: `args` are its arguments, the opcode first. Checks the number of operands and
/// that immediates are constants with a known meaning; types are the callee's business.
///
/// # Errors
///
/// If the opcode is unknown, or the operands do not fit it.
pub fn decode(view: FuncView<'_>, args: &[ValueId]) -> Result<Op> {
    let (opcode, rest) = split_opcode(view, args)?;
    decode_rest(view, opcode, rest)
}

/// Decodes a call whose opcode is known from [`decode_opcode`]; `args` are its arguments, the
/// opcode first.
///
/// # Errors
///
/// If the operands do not fit the opcode.
pub fn decode_known(view: FuncView<'_>, opcode: Opcode, args: &[ValueId]) -> Result<Op> {
    decode_rest(view, opcode, args.get(1..).unwrap_or_default())
}

/// Decodes the operands after the opcode.
fn decode_rest(view: FuncView<'_>, opcode: Opcode, rest: &[ValueId]) -> Result<Op> {
    // Checked once, so that `OperandReader` can take its arguments one after the other.
    if rest.len() != opcode.operand_count() {
        return Err(Error::new(ErrorKind::OperandCount {
            op: opcode.name(),
            want: opcode.operand_count(),
            got: rest.len(),
        }));
    }
    decode_operands(&mut OperandReader {
        view,
        op: opcode,
        rest: rest.iter(),
    })
}

/// Decodes only the opcode of a call; `args` are its arguments.
///
/// # Errors
///
/// If the opcode is not a constant, or unknown.
#[inline]
pub fn decode_opcode(view: FuncView<'_>, args: &[ValueId]) -> Result<Opcode> {
    split_opcode(view, args).map(|(opcode, _)| opcode)
}

#[inline]
fn split_opcode<'a>(view: FuncView<'_>, args: &'a [ValueId]) -> Result<(Opcode, &'a [ValueId])> {
    let Some((first, rest)) = args.split_first() else {
        return Err(Error::malformed(
            "a DXIL operation is called without opcode",
        ));
    };
    match view.constant_int(*first) {
        Some(number) => Ok((Opcode::from_number(number)?, rest)),
        None => Err(Error::malformed(
            "the opcode of a DXIL operation is not a constant",
        )),
    }
}

#[cfg(test)]
mod tests {
    use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

    use super::super::AtomicOp;
    use super::*;
    use crate::ir::{Constant, FuncId, Function, List, Module, TypeId, ValueData, ValueDef};

    /// A module that has nothing but constants, and an empty function to look at them from.
    struct Constants {
        module: Module,
        function: Function,
    }

    impl Constants {
        fn new(constants: &[Constant], pool: &[usize]) -> Self {
            let ty = TypeId::new(0);
            let values: Vec<ValueData> = constants
                .iter()
                .map(|&constant| ValueData {
                    ty,
                    def: ValueDef::Constant(constant),
                })
                .collect();
            let function = Function {
                id: FuncId::new(0),
                first_value: u32::try_from(values.len()).unwrap(),
                values: vec![ValueData {
                    ty,
                    def: ValueDef::Argument(0),
                }],
                arg_count: 1,
                insts: PrimaryMap::new(),
                blocks: PrimaryMap::new(),
                value_pool: Vec::new(),
                edge_pool: Vec::new(),
                number_pool: Vec::new(),
                debug_locs: SecondaryMap::new(),
                call_sites: Vec::new(),
                attachments: Vec::new(),
                function_attachments: Vec::new(),
                value_names: Vec::new(),
                block_names: Vec::new(),
            };
            let module = Module {
                values,
                value_pool: pool.iter().map(|&index| ValueId::new(index)).collect(),
                ..Module::default()
            };
            Constants { module, function }
        }

        /// Decodes a call whose arguments have these value numbers; the number after the last
        /// constant is the function's argument.
        fn decode(&self, args: &[usize]) -> Result<Op> {
            let args: Vec<ValueId> = args.iter().map(|&index| ValueId::new(index)).collect();
            let view = FuncView {
                module: &self.module,
                function: &self.function,
            };
            decode(view, &args)
        }
    }

    fn v(index: usize) -> ValueId {
        ValueId::new(index)
    }

    #[test]
    fn operands_have_names_and_undef_leaves_an_optional_out() {
        let c = Constants::new(
            &[
                Constant::Int(139),
                Constant::Int(0b0011),
                Constant::Int(4),
                Constant::Undef,
            ],
            &[],
        );
        let Op::Buffer(BufferOp::RawBufferLoad(load)) = c.decode(&[0, 4, 4, 3, 1, 2]).unwrap()
        else {
            panic!("opcode 139 is RawBufferLoad");
        };
        assert_eq!((load.buffer, load.index), (v(4), v(4)));
        assert!(load.element_offset.is_none());
        assert_eq!((load.mask, load.align), (3, 4));
    }

    #[test]
    fn lists_take_their_operands_in_order() {
        let c = Constants::new(&[Constant::Int(78), Constant::Int(7), Constant::Undef], &[]);
        let op = c.decode(&[0, 3, 1, 3, 2, 2, 3]).unwrap();
        assert_eq!(
            op,
            Op::ResourceAtomic(ResourceAtomicOp::AtomicBinOp(AtomicBinOp {
                resource: v(3),
                op: AtomicOp::UMax,
                coords: [v(3), v(2), v(2)],
                value: v(3),
            }))
        );
        let mut names = Vec::new();
        op.show_operands(&mut |name, _, shown| names.push(format!("{name} {shown:?}")));
        assert_eq!(
            names,
            [
                "resource Value(%3)",
                "op Name(\"UMax\")",
                "coords Values([%3, %2, %2])",
                "value Value(%3)",
            ]
        );
    }

    #[test]
    fn structures_of_constants_become_fields() {
        let c = Constants::new(
            &[
                Constant::Int(217),
                Constant::Int(2),
                Constant::Int(1),
                Constant::Null,
                Constant::Aggregate(List::new(0, 4)),
            ],
            &[1, 1, 3, 2],
        );
        let Op::Handle(HandleOp::CreateHandleFromBinding(handle)) =
            c.decode(&[0, 4, 5, 2]).unwrap()
        else {
            panic!("opcode 217 is CreateHandleFromBinding");
        };
        assert_eq!(
            handle.binding,
            ResourceBinding {
                lower_bound: 2,
                upper_bound: 2,
                space: 0,
                class: ResourceClass::Uav,
            }
        );
        assert!(handle.non_uniform);
        // All zero is written as `zeroinitializer`: b0, space 0 would be class 2, t0 is this.
        let Op::Handle(HandleOp::CreateHandleFromBinding(handle)) =
            c.decode(&[0, 3, 5, 3]).unwrap()
        else {
            panic!("opcode 217 is CreateHandleFromBinding");
        };
        assert_eq!(handle.binding.class, ResourceClass::Srv);
    }

    #[test]
    fn wrong_calls_say_what_is_wrong() {
        let c = Constants::new(
            &[
                Constant::Int(78),
                Constant::Int(9),
                Constant::Int(93),
                Constant::Undef,
            ],
            &[],
        );
        for (args, message) in [
            (&[][..], "a DXIL operation is called without opcode"),
            (&[4], "the opcode of a DXIL operation is not a constant"),
            (&[2], "ThreadId takes 1 operands, this call has 0"),
            (&[2, 1, 1], "ThreadId takes 1 operands, this call has 2"),
            (
                &[2, 4],
                "ThreadId: operand component must be a constant integer",
            ),
            (
                &[2, 3],
                "ThreadId: operand component must be a constant integer",
            ),
            (
                &[0, 4, 1, 4, 4, 4, 4],
                "AtomicBinOp: operand op has an unknown number",
            ),
        ] {
            assert_eq!(c.decode(args).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn every_row_decodes_with_as_many_operands_as_it_shows() {
        for &opcode in Opcode::ALL {
            let number = Constant::Int(u64::from(opcode.number()));
            let c = Constants::new(&[number, Constant::Null], &[]);
            let mut args = vec![1; opcode.operand_count() + 1];
            args[0] = 0;
            let op = c.decode(&args).unwrap();
            assert_eq!(op.opcode(), opcode);
            let mut shown = Vec::new();
            let mut count = 0;
            op.show_operands(&mut |name, _, content| {
                shown.push(name);
                count += match content {
                    Shown::Values(values) => values.len(),
                    Shown::Optionals(values) => values.len(),
                    _ => 1,
                };
            });
            let names: Vec<_> = opcode
                .properties()
                .operands
                .iter()
                .map(|o| o.name)
                .collect();
            assert_eq!(shown, names);
            assert_eq!(count, opcode.operand_count(), "{opcode}");
        }
    }
}
