//! HLSL types in generated shaders, and the numbers that they may hold.
//!
//! Every float is a multiple of a power of two, and small enough that sums and products are exact.
//! The order of operations and fused multiply-add then make no difference, and results can be
//! compared bit by bit.

/// A scalar type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scalar {
    Bool,
    Int,
    Uint,
    Float,
    /// `int64_t`.
    Long,
    /// `uint64_t`.
    Ulong,
    /// `int16_t`.
    Short,
    /// `uint16_t`.
    Ushort,
    /// `float16_t`.
    Half,
    Double,
    /// `min16float`.
    MinFloat,
}

/// The range of exact floats of a type.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exact {
    /// Maximum magnitude of a variable.
    pub(crate) bound: f64,
    /// A variable is a multiple of 2 to the power of minus this.
    pub(crate) fraction: u32,
    /// Integers below this are exact.
    pub(crate) capacity: f64,
}

impl Scalar {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::Int => "int",
            Scalar::Uint => "uint",
            Scalar::Float => "float",
            Scalar::Long => "int64_t",
            Scalar::Ulong => "uint64_t",
            Scalar::Short => "int16_t",
            Scalar::Ushort => "uint16_t",
            Scalar::Half => "float16_t",
            Scalar::Double => "double",
            Scalar::MinFloat => "min16float",
        }
    }

    /// Returns the range, if it is a float type.
    pub(crate) fn exact(self) -> Option<Exact> {
        let (bound, fraction, bits) = match self {
            Scalar::Float => (512.0, 3, 23),
            Scalar::Half | Scalar::MinFloat => (16.0, 1, 10),
            Scalar::Double => (65536.0, 4, 50),
            _ => return None,
        };
        Some(Exact {
            bound,
            fraction,
            capacity: f64::from(bits).exp2(),
        })
    }

    pub(crate) fn is_float(self) -> bool {
        self.exact().is_some()
    }

    pub(crate) fn is_integer(self) -> bool {
        self != Scalar::Bool && !self.is_float()
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Scalar::Int | Scalar::Long | Scalar::Short)
    }

    /// Returns the unsigned type of the same width.
    pub(crate) fn unsigned(self) -> Scalar {
        match self {
            Scalar::Int => Scalar::Uint,
            Scalar::Long => Scalar::Ulong,
            Scalar::Short => Scalar::Ushort,
            other => other,
        }
    }

    /// Returns the number of bits of an integer type.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Scalar::Long | Scalar::Ulong | Scalar::Double => 64,
            Scalar::Short | Scalar::Ushort | Scalar::Half => 16,
            _ => 32,
        }
    }
}

/// A scalar (width 1) or a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Vector {
    pub(crate) scalar: Scalar,
    pub(crate) width: u32,
}

impl Vector {
    pub(crate) fn new(scalar: Scalar, width: u32) -> Self {
        Vector { scalar, width }
    }

    pub(crate) fn name(self) -> String {
        match self.width {
            1 => self.scalar.name().to_owned(),
            width => format!("{}{width}", self.scalar.name()),
        }
    }
}

/// The type of a variable, member or element.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Type {
    Vector(Vector),
    Matrix(Matrix),
    /// Element type and length.
    Array(Box<Type>, u32),
    /// Index into the structs of the shader.
    Struct(usize),
}

/// A matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Matrix {
    pub(crate) scalar: Scalar,
    pub(crate) rows: u32,
    pub(crate) columns: u32,
    /// Whether it is `row_major`, explicitly or by default.
    pub(crate) order: Option<bool>,
}

impl Matrix {
    pub(crate) fn name(self) -> String {
        format!("{}{}x{}", self.scalar.name(), self.rows, self.columns)
    }

    /// Returns the type with its order, for members.
    pub(crate) fn declared(self) -> String {
        match self.order {
            Some(true) => format!("row_major {}", self.name()),
            Some(false) => format!("column_major {}", self.name()),
            None => self.name(),
        }
    }

    pub(crate) fn row(self) -> Vector {
        Vector::new(self.scalar, self.columns)
    }
}

/// A struct.
#[derive(Debug, Clone)]
pub(crate) struct Struct {
    pub(crate) name: String,
    /// Types of the members `m0`, `m1` ...
    pub(crate) members: Vec<Type>,
}
