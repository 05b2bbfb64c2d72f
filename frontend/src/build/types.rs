//! Types of values and operations.

use crate::dxil::ops::Overload;
use crate::ir::{Type, TypeId, TypeList, TypeTable};
use crate::tables::HashMap;

/// The scalar that an operation is called for, or that a constant has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// For operations without overload.
    Void,
    /// `half`.
    F16,
    /// `float`.
    F32,
    /// `double`.
    F64,
    /// `i1`.
    I1,
    /// `i8`.
    I8,
    /// `i16`.
    I16,
    /// `i32`.
    I32,
    /// `i64`.
    I64,
}

impl From<Scalar> for Overload {
    fn from(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Void => Overload::Void,
            Scalar::F16 => Overload::F16,
            Scalar::F32 => Overload::F32,
            Scalar::F64 => Overload::F64,
            Scalar::I1 => Overload::I1,
            Scalar::I8 => Overload::I8,
            Scalar::I16 => Overload::I16,
            Scalar::I32 => Overload::I32,
            Scalar::I64 => Overload::I64,
        }
    }
}

impl Scalar {
    pub(super) fn ty(self) -> Type {
        match self {
            Scalar::Void => Type::Void,
            Scalar::F16 => Type::Half,
            Scalar::F32 => Type::Float,
            Scalar::F64 => Type::Double,
            Scalar::I1 => Type::Int(1),
            Scalar::I8 => Type::Int(8),
            Scalar::I16 => Type::Int(16),
            Scalar::I32 => Type::Int(32),
            Scalar::I64 => Type::Int(64),
        }
    }
}

/// The type table under construction; each type is in it once.
#[derive(Debug, Default)]
pub(super) struct Types {
    pub(super) table: TypeTable,
    known: HashMap<Type, TypeId>,
}

impl Types {
    pub(super) fn id(&mut self, ty: Type) -> TypeId {
        let table = &mut self.table.types;
        let known = self.known.entry(ty);
        *known.or_insert_with_key(|ty| table.push(ty.clone()))
    }

    fn scalar(&mut self, scalar: Scalar) -> TypeId {
        self.id(scalar.ty())
    }

    fn structure(&mut self, name: &str, fields: &[TypeId]) -> TypeId {
        self.id(Type::Struct {
            name: Some(name.into()),
            fields: TypeList::from_slice(fields),
            packed: false,
            opaque: false,
        })
    }

    /// Returns an object that stands for something: a structure of a pointer.
    fn object(&mut self, name: &str) -> TypeId {
        let pointee = self.scalar(Scalar::I8);
        let pointer = self.id(Type::Pointer {
            pointee,
            address_space: 0,
        });
        self.structure(name, &[pointer])
    }

    /// Returns the type that a letter of the operations' declarations means for an overload; `None`
    /// for types that come from the source. Names are DXC's.
    pub(super) fn of_letter(
        &mut self,
        letter: u8,
        overload: Scalar,
        class: &str,
    ) -> Option<TypeId> {
        let i32_ty = self.scalar(Scalar::I32);
        let suffix = Overload::from(overload).suffix().unwrap_or_default();
        Some(match letter {
            b'v' => self.scalar(Scalar::Void),
            b'1' | b'b' => self.scalar(Scalar::I1),
            b'8' => self.scalar(Scalar::I8),
            b's' => self.scalar(Scalar::I16),
            b'i' | b'n' => i32_ty,
            b'l' => self.scalar(Scalar::I64),
            b'h' => self.scalar(Scalar::F16),
            b'f' => self.scalar(Scalar::F32),
            b'd' => self.scalar(Scalar::F64),
            b'o' | b'e' => self.scalar(overload),
            b'H' => self.object("dx.types.Handle"),
            b'N' => self.object("dx.types.NodeHandle"),
            b'R' => self.object("dx.types.NodeRecordHandle"),
            b'J' => self.object("dx.types.HitObject"),
            b'S' => {
                let ty = self.scalar(overload);
                let name = format!("dx.types.ResRet.{suffix}");
                self.structure(&name, &[ty, ty, ty, ty, i32_ty])
            }
            b'C' => {
                let ty = self.scalar(overload);
                let name = format!("dx.types.CBufRet.{suffix}");
                let count = match overload {
                    Scalar::F64 | Scalar::I64 => 2,
                    _ => 4,
                };
                self.structure(&name, &vec![ty; count])
            }
            b'c' => {
                let bit = self.scalar(Scalar::I1);
                self.structure("dx.types.i32c", &[i32_ty, bit])
            }
            b'2' => {
                let name = match class {
                    "splitDouble" => "dx.types.splitdouble",
                    "annotateHandle" => "dx.types.ResourceProperties",
                    _ => "dx.types.twoi32",
                };
                self.structure(name, &[i32_ty, i32_ty])
            }
            b'4' => {
                let name = match class {
                    "getDimensions" => "dx.types.Dimensions",
                    _ => "dx.types.fouri32",
                };
                self.structure(name, &[i32_ty; 4])
            }
            b'F' => {
                let ty = self.scalar(Scalar::F32);
                self.structure("dx.types.SamplePos", &[ty, ty])
            }
            b'B' => {
                let byte = self.scalar(Scalar::I8);
                self.structure("dx.types.ResBind", &[i32_ty, i32_ty, i32_ty, byte])
            }
            _ => return None,
        })
    }
}
