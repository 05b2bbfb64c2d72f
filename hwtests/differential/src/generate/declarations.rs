//! Declarations in front of the functions: structs, constants, static variables.

use super::generator::Generator;
use super::place_expression::{Piece, PlaceExpression};
use super::types::{Matrix, Scalar, Struct, Type, Vector};

impl Generator {
    pub(super) fn declarations(&mut self) {
        if self.features.structs {
            for _ in 0..self.random.between(1, 3) {
                self.declare_struct();
            }
        }
        self.line("static uint thread;");
        self.line("static uint local;");
        for name in ["thread", "local"] {
            let uint = Vector::new(Scalar::Uint, 1);
            self.places.push(PlaceExpression {
                local: false,
                ..PlaceExpression::read_only(name, uint)
            });
        }
        if self.features.doubles {
            self.line("double clean(double d) { uint low, high; asuint(d, low, high); return double(low & 1023u); }");
            self.line("uint bits(double d) { uint low, high; asuint(d, low, high); return low * 31u + high; }");
        }
        if self.features.statics {
            self.declare_statics();
        }
        if self.features.constants {
            for register in 0..self.random.between(1, 2) {
                self.declare_constants(register);
            }
        }
        self.declare_memory();
        self.declare_shared();
    }

    /// Returns a scalar type for memory.
    pub(super) fn memory_scalar(&mut self) -> Scalar {
        let scalars: Vec<Scalar> = self
            .features
            .scalars()
            .into_iter()
            .filter(|scalar| match scalar {
                Scalar::MinFloat => false,
                Scalar::Half => self.features.raw_halves,
                _ => true,
            })
            .collect();
        *self.random.pick(&scalars)
    }

    pub(super) fn vector_type(&mut self, scalar: Scalar) -> Vector {
        let width = if self.random.percent(50) {
            1
        } else {
            self.random.between(2, 4)
        };
        Vector::new(scalar, width)
    }

    pub(super) fn matrix_type(&mut self, member: bool) -> Matrix {
        // The SPIR-V of DXC cannot express column-major integer matrices in memory.
        let floats = self.features.floats && self.random.percent(if member { 85 } else { 60 });
        let scalar = if floats {
            Scalar::Float
        } else {
            *self.random.pick(&[Scalar::Int, Scalar::Uint])
        };
        let order = if member {
            *self.random.pick(&[None, Some(true), Some(false)])
        } else {
            None
        };
        Matrix {
            scalar,
            rows: self.random.between(2, 4),
            columns: self.random.between(2, 4),
            order,
        }
    }

    /// Returns the type of a member of a struct or constant buffer.
    fn member_type(&mut self, depth: u32) -> Type {
        match self.random.below(100) {
            0..=19 if self.features.matrices => Type::Matrix(self.matrix_type(true)),
            20..=39 if self.features.arrays && depth < 2 => {
                let element = self.member_type(depth + 1);
                Type::Array(Box::new(element), self.random.between(1, 4))
            }
            40..=54 if !self.structs.is_empty() && depth < 2 => {
                Type::Struct(self.random.below(self.structs.len() as u32) as usize)
            }
            _ => {
                let scalar = self.memory_scalar();
                Type::Vector(self.vector_type(scalar))
            }
        }
    }

    /// Returns a declaration with a type.
    pub(super) fn declared(&self, kind: &Type, name: &str) -> String {
        let mut lengths = String::new();
        let mut kind = kind;
        while let Type::Array(element, length) = kind {
            lengths.push_str(&format!("[{length}]"));
            kind = element;
        }
        let base = match kind {
            Type::Vector(vector) => vector.name(),
            Type::Matrix(matrix) => matrix.declared(),
            Type::Struct(index) => self.structs[*index].name.clone(),
            Type::Array(..) => unreachable!("arrays were taken off"),
        };
        format!("{base} {name}{lengths}")
    }

    fn declare_struct(&mut self) {
        let name = self.name("S");
        let members: Vec<Type> = (0..self.random.between(1, 5))
            .map(|_| self.member_type(0))
            .collect();
        self.line(&format!("struct {name} {{"));
        for (number, member) in members.iter().enumerate() {
            let declared = self.declared(member, &format!("m{number}"));
            self.line(&format!("  {declared};"));
        }
        self.line("};");
        self.structs.push(Struct { name, members });
    }

    fn declare_statics(&mut self) {
        for _ in 0..self.random.between(1, 3) {
            let name = self.name("g");
            let scalars = self.features.scalars();
            let scalar = *self.random.pick(&scalars);
            let vector = self.vector_type(scalar);
            let places = std::mem::take(&mut self.places);
            let initial = self.value(vector, 0);
            self.places = places;
            self.line(&format!("static {} {name} = {initial};", vector.name()));
            self.add_place(PlaceExpression {
                local: false,
                ..PlaceExpression::local(&name, Type::Vector(vector))
            });
        }
        let name = self.name("table");
        let length = self.random.between(3, 9);
        let values: Vec<String> = (0..length)
            .map(|_| format!("{}u", self.random.word() as u32))
            .collect();
        self.line(&format!(
            "static const uint {name}[{length}] = {{ {} }};",
            values.join(", ")
        ));
        self.add_place(PlaceExpression {
            writable: false,
            local: false,
            pieces: vec![Piece::Text(name), Piece::Index(length)],
            ..PlaceExpression::local("", Type::Vector(Vector::new(Scalar::Uint, 1)))
        });
    }

    fn declare_constants(&mut self, register: u32) {
        let members: Vec<Type> = (0..self.random.between(1, 7))
            .map(|_| self.member_type(0))
            .collect();
        let buffer = self.name("C");
        self.line(&format!("cbuffer {buffer} : register(b{register}) {{"));
        let mut places = Vec::new();
        for member in members {
            let name = self.name("c");
            let declared = self.declared(&member, &name);
            self.line(&format!("  {declared};"));
            places.push(PlaceExpression {
                writable: false,
                raw: true,
                local: false,
                uniform: true,
                ..PlaceExpression::local(&name, member)
            });
        }
        self.line("};");
        for place in places {
            self.add_place(place);
        }
    }
}
