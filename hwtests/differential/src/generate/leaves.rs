//! Variables, literals and conversions: the leaves of expressions.

use super::expression::{COMPONENTS, Expression, plain};
use super::generator::Generator;
use super::place_expression::PlaceExpression;
use super::types::{Matrix, Scalar, Type, Vector};

impl Generator {
    /// Returns a variable, a literal, or a converted variable.
    pub(super) fn leaf(&mut self, wanted: Vector) -> Expression {
        match self.random.below(100) {
            0..=19 => self.literal(wanted),
            20..=34 => self
                .converted(wanted)
                .unwrap_or_else(|| self.literal(wanted)),
            _ => self
                .variable(wanted)
                .or_else(|| self.converted(wanted))
                .unwrap_or_else(|| self.literal(wanted)),
        }
    }

    fn variable(&mut self, wanted: Vector) -> Option<Expression> {
        let place = self.find_place(|place| match &place.kind {
            Type::Vector(vector) => vector.scalar == wanted.scalar,
            Type::Matrix(matrix) => matrix.scalar == wanted.scalar,
            _ => false,
        })?;
        Some(self.read(&place, wanted.width))
    }

    /// Returns `width` components of a place.
    fn read(&mut self, place: &PlaceExpression, width: u32) -> Expression {
        let text = self.render(place);
        let (text, vector) = match place.kind {
            Type::Matrix(matrix) => self.read_matrix(text, matrix, width),
            Type::Vector(vector) => (text, vector),
            _ => unreachable!("only vectors and matrices are read"),
        };
        let text = if place.raw {
            self.clean(&text, vector)
        } else {
            text
        };
        let text = match (vector.width == width, self.random.percent(75)) {
            (true, true) => text,
            (true, false) if width == 1 => text,
            _ => {
                let swizzle: String = (0..width)
                    .map(|_| COMPONENTS[self.random.below(vector.width) as usize])
                    .collect();
                format!("{text}.{swizzle}")
            }
        };
        self.bounded(text, vector.scalar)
    }

    /// Returns a row, an element or some elements of a matrix.
    fn read_matrix(&mut self, text: String, matrix: Matrix, width: u32) -> (String, Vector) {
        let row = self.index(matrix.rows);
        match self.random.below(3) {
            0 if width > 1 => {
                let elements: String = (0..width)
                    .map(|_| {
                        let row = self.random.below(matrix.rows);
                        format!("_m{row}{}", self.random.below(matrix.columns))
                    })
                    .collect();
                (
                    format!("{text}.{elements}"),
                    Vector::new(matrix.scalar, width),
                )
            }
            1 => {
                let column = self.index(matrix.columns);
                (
                    format!("{text}[{row}][{column}]"),
                    Vector::new(matrix.scalar, 1),
                )
            }
            _ => (format!("{text}[{row}]"), matrix.row()),
        }
    }

    /// Returns an expression with the range of variables of its type.
    pub(super) fn bounded(&mut self, text: String, scalar: Scalar) -> Expression {
        match scalar.exact() {
            None => plain(text),
            Some(exact) => Expression {
                text,
                bound: exact.bound,
                fraction: exact.fraction,
            },
        }
    }

    /// Returns arbitrary bits as a float that a variable may hold.
    fn clean(&mut self, text: &str, vector: Vector) -> String {
        let name = vector.name();
        match vector.scalar {
            Scalar::Float => format!("(({name})(asuint({text}) & 255u))"),
            Scalar::Half => format!("(({name})(asuint16({text}) & uint16_t(15)))"),
            Scalar::Double if vector.width == 1 => format!("clean({text})"),
            Scalar::Double => {
                let parts: Vec<String> = COMPONENTS[..vector.width as usize]
                    .iter()
                    .map(|c| format!("clean({text}.{c})"))
                    .collect();
                format!("{name}({})", parts.join(", "))
            }
            _ => text.to_owned(),
        }
    }

    pub(super) fn literal(&mut self, wanted: Vector) -> Expression {
        let name = wanted.name();
        if wanted.width > 1 && self.random.percent(50) {
            let parts: Vec<Expression> = (0..wanted.width)
                .map(|_| self.literal(Vector::new(wanted.scalar, 1)))
                .collect();
            let text: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
            return self.bounded(format!("{name}({})", text.join(", ")), wanted.scalar);
        }
        let scalar = self.scalar_literal(wanted.scalar);
        let text = match wanted.width {
            1 => scalar,
            _ => format!("(({name}){scalar})"),
        };
        self.bounded(text, wanted.scalar)
    }

    fn scalar_literal(&mut self, scalar: Scalar) -> String {
        let name = scalar.name();
        if let Some(exact) = scalar.exact() {
            let units = f64::from(exact.fraction).exp2();
            let maximum = (exact.bound * units) as u32;
            let magnitude = if self.random.percent(60) {
                f64::from(self.random.below(5))
            } else {
                f64::from(self.random.below(maximum)) / units
            };
            let negative = self.random.percent(30) && magnitude != 0.0;
            let sign = if negative { "-" } else { "" };
            return match scalar {
                Scalar::Float => format!("({sign}{magnitude:?}f)"),
                Scalar::Double => format!("({sign}{magnitude:?}L)"),
                _ => format!("{name}({sign}{magnitude:?}f)"),
            };
        }
        if scalar == Scalar::Bool {
            return format!("{}", self.random.percent(50));
        }
        let interesting: [u64; 12] = [
            0,
            1,
            2,
            3,
            5,
            7,
            31,
            255,
            65535,
            0x7fff_ffff,
            0x8000_0000,
            u64::MAX,
        ];
        let value = match self.random.percent(80) {
            true => *self.random.pick(&interesting[..8]),
            false if self.random.percent(50) => *self.random.pick(&interesting),
            false => self.random.word(),
        };
        let bits = scalar.bits();
        let value = value & (u64::MAX >> (64 - bits));
        match scalar {
            Scalar::Uint => format!("{value}u"),
            Scalar::Int => match value as u32 as i32 {
                i32::MIN => "int(0x80000000u)".to_owned(),
                value => format!("int({value})"),
            },
            Scalar::Long | Scalar::Ulong => format!(
                "({name}({}u) << 32 | {name}({}u))",
                value >> 32,
                value & 0xffff_ffff
            ),
            _ => format!("{name}({})", value & 0x7fff),
        }
    }

    /// Returns a variable of another type, converted.
    fn converted(&mut self, wanted: Vector) -> Option<Expression> {
        let place = self.find_place(|place| {
            place.vector().is_some_and(|vector| {
                vector.scalar != wanted.scalar
                    && (vector.width >= wanted.width || vector.width == 1)
            })
        })?;
        let from = place.vector()?.scalar;
        let inner = self.read(&place, wanted.width);
        Some(self.convert(inner, from, wanted))
    }

    /// Returns a conversion that HLSL and SPIR-V both define.
    pub(super) fn convert(
        &mut self,
        inner: Expression,
        from: Scalar,
        wanted: Vector,
    ) -> Expression {
        let name = wanted.name();
        let Expression {
            text,
            bound,
            fraction,
        } = inner;
        let to = wanted.scalar;
        if from == to {
            return Expression {
                text,
                bound,
                fraction,
            };
        }
        let uint = |scalar| Vector::new(scalar, wanted.width).name();
        if let Some(exact) = to.exact() {
            if from == Scalar::Bool {
                return Expression {
                    text: format!("(({name})({text}))"),
                    bound: 1.0,
                    fraction: 0,
                };
            }
            if from.is_float() {
                let fits = bound * f64::from(fraction).exp2() <= exact.capacity;
                return if fits {
                    Expression {
                        text: format!("(({name})({text}))"),
                        bound,
                        fraction,
                    }
                } else {
                    Expression {
                        text: format!("(({name})(({})({text}) & 7))", uint(Scalar::Int)),
                        bound: 7.0,
                        fraction: 0,
                    }
                };
            }
            let mask = if exact.bound > 255.0 { 255 } else { 15 };
            let signed = from.is_signed() && self.random.percent(40);
            let text = if signed {
                format!(
                    "(({name})(({text} & {0}({mask})) - {0}({1})))",
                    from.name(),
                    mask / 2
                )
            } else {
                format!("(({name})({text} & {}({mask})))", from.name())
            };
            return Expression {
                text,
                bound: f64::from(mask),
                fraction: 0,
            };
        }
        let text = match (from.is_float(), to) {
            (true, Scalar::Uint | Scalar::Ushort | Scalar::Ulong) => {
                format!("(({name})(abs({text})))")
            }
            (true, Scalar::Long) if from == Scalar::Half => {
                format!("(({name})(({})({text})))", uint(Scalar::Int))
            }
            _ => format!("(({name})({text}))"),
        };
        plain(text)
    }
}
