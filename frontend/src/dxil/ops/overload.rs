//! [`Overload`]: the type in the name of an operation's function.

/// Overload of a DXIL operation, from the function's name: `dx.op.unary.f32`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Overload {
    /// No overload (`dx.op.barrier`).
    Void,
    /// `f16`.
    F16,
    /// `f32`.
    F32,
    /// `f64`.
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
    /// A user-defined type or object (`dx.op.storeRayPayload.struct.P`, vectors `v4f32`): see the
    /// function's type.
    Other,
}

impl Overload {
    /// Returns the end of a function's name, `f32`; nothing for what is no scalar.
    pub fn suffix(self) -> Option<&'static str> {
        Some(match self {
            Overload::Void | Overload::Other => return None,
            Overload::F16 => "f16",
            Overload::F32 => "f32",
            Overload::F64 => "f64",
            Overload::I1 => "i1",
            Overload::I8 => "i8",
            Overload::I16 => "i16",
            Overload::I32 => "i32",
            Overload::I64 => "i64",
        })
    }

    /// Returns the overload of a scalar: `f32`.
    pub(crate) fn of_scalar(suffix: &str) -> Option<Overload> {
        use Overload as O;
        let scalars = [O::F32, O::I32, O::F16, O::I16, O::F64, O::I64, O::I1, O::I8];
        scalars
            .into_iter()
            .find(|scalar| scalar.suffix() == Some(suffix))
    }
}
