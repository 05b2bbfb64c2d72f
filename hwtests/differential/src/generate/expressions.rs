//! Expressions without side effects.

use super::expression::{Expression, plain};
use super::generator::Generator;
use super::types::{Scalar, Type, Vector};

impl Generator {
    /// Returns an expression whose value a variable of the type may hold.
    pub(super) fn value(&mut self, wanted: Vector, depth: u32) -> String {
        let expression = self.expression(wanted, depth);
        self.narrow(expression, wanted).text
    }

    pub(super) fn expression(&mut self, wanted: Vector, depth: u32) -> Expression {
        if depth == 0 {
            return self.leaf(wanted);
        }
        if self.random.percent(8)
            && let Some(call) = self.pure_call(wanted, depth)
        {
            return call;
        }
        if wanted.width > 1 && self.random.percent(15) {
            return self.constructed(wanted, depth);
        }
        if self.random.percent(8)
            && let Some(product) = self.product(wanted)
        {
            return product;
        }
        match wanted.scalar {
            Scalar::Bool => plain(self.condition(wanted.width, depth)),
            scalar if scalar.is_float() => self.float(wanted, depth),
            _ => plain(self.integer(wanted, depth)),
        }
    }

    /// Returns a vector made from parts.
    fn constructed(&mut self, wanted: Vector, depth: u32) -> Expression {
        let mut parts = Vec::new();
        let (mut left, mut bound, mut fraction) = (wanted.width, 0.0f64, 0);
        while left > 0 {
            let width = self.random.between(1, left.min(3));
            let part = self.expression(Vector::new(wanted.scalar, width), depth - 1);
            bound = bound.max(part.bound);
            fraction = fraction.max(part.fraction);
            parts.push(part.text);
            left -= width;
        }
        // The range of the parts may be too large together.
        let vector = Expression {
            text: format!("{}({})", wanted.name(), parts.join(", ")),
            bound,
            fraction,
        };
        match wanted.scalar.exact() {
            Some(exact) if bound * f64::from(fraction).exp2() > exact.capacity => self.leaf(wanted),
            _ => vector,
        }
    }

    /// Returns `mul` of a matrix and a vector.
    fn product(&mut self, wanted: Vector) -> Option<Expression> {
        if wanted.width < 2 || !matches!(wanted.scalar, Scalar::Float | Scalar::Uint) {
            return None;
        }
        let from_left = self.random.percent(50);
        let place = self.find_place(|place| {
            place.matrix().is_some_and(|matrix| {
                let width = if from_left {
                    matrix.rows
                } else {
                    matrix.columns
                };
                matrix.scalar == wanted.scalar && !place.raw && width == wanted.width
            })
        })?;
        let matrix = place.matrix()?;
        let text = self.render(&place);
        let other = if from_left {
            matrix.columns
        } else {
            matrix.rows
        };
        let vector = self.value(Vector::new(wanted.scalar, other), 1);
        let text = if from_left {
            format!("mul({text}, {vector})")
        } else {
            format!("mul({vector}, {text})")
        };
        Some(match wanted.scalar.exact() {
            None => plain(text),
            Some(exact) => Expression {
                text,
                bound: exact.bound * exact.bound * f64::from(other),
                fraction: exact.fraction * 2,
            },
        })
    }

    fn pure_call(&mut self, wanted: Vector, depth: u32) -> Option<Expression> {
        let budget = 400 / self.flow.times.max(1);
        let fitting: Vec<usize> = (0..self.functions.len())
            .filter(|&index| {
                let function = &self.functions[index];
                function.pure
                    && function.cost <= budget
                    && function.returns == Some(Type::Vector(wanted))
            })
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let function = self.functions[*self.random.pick(&fitting)].clone();
        self.cost += function.cost * self.flow.times;
        let mut arguments = Vec::new();
        for (_, kind) in &function.parameters {
            arguments.push(match kind {
                Type::Vector(vector) => self.value(*vector, depth - 1),
                other => {
                    let other = other.clone();
                    let place = self.find_place(|place| place.kind == other && !place.raw)?;
                    self.render(&place)
                }
            });
        }
        let text = format!("{}({})", function.name, arguments.join(", "));
        Some(self.bounded(text, wanted.scalar))
    }

    fn integer(&mut self, wanted: Vector, depth: u32) -> String {
        let scalar = wanted.scalar;
        let name = wanted.name();
        let one = format!("{}(1)", scalar.name());
        let mut next = |depth: u32| self.expression(wanted, depth).text;
        let (a, b) = (next(depth - 1), next(depth.saturating_sub(2)));
        let c = next(0);
        let last_bit = scalar.bits() - 1;
        let distance = format!("({b} & {}({last_bit}))", scalar.name());
        let unsigned = Vector::new(scalar.unsigned(), wanted.width).name();
        let u = |text: &str| {
            if scalar.is_signed() {
                format!("(({unsigned})({text}))")
            } else {
                text.to_owned()
            }
        };
        match self.random.below(30) {
            0..=3 => self.wrapping(wanted, &format!("{} + {}", u(&a), u(&b))),
            4..=6 => self.wrapping(wanted, &format!("{} - {}", u(&a), u(&b))),
            7..=8 => self.wrapping(wanted, &format!("{} * {}", u(&a), u(&b))),
            9 => format!("({a} & {b})"),
            10 => format!("({a} | {b})"),
            11..=12 => format!("({a} ^ {b})"),
            13 => format!("({a} << {distance})"),
            14 => format!("({a} >> {distance})"),
            15 => {
                if scalar.is_signed() {
                    format!("(({a} >> {one}) / ({b} | {one}))")
                } else {
                    format!("({a} / ({b} | {one}))")
                }
            }
            16 => {
                if scalar.is_signed() {
                    format!("(({a} >> {one}) % ({b} | {one}))")
                } else {
                    format!("({a} % ({b} | {one}))")
                }
            }
            17 => format!("min({a}, {b})"),
            18 => format!("max({a}, {b})"),
            19 => {
                if self.random.percent(50) {
                    format!("clamp({a}, min({b}, {c}), max({b}, {c}))")
                } else {
                    self.wrapping(wanted, &format!("mad({}, {}, {})", u(&a), u(&b), u(&c)))
                }
            }
            20 => format!("(~{a})"),
            21 => self.wrapping(
                wanted,
                &format!("{} - {}", u(&format!("(({name})0)")), u(&a)),
            ),
            22 if scalar.is_signed() => format!("abs({a} >> {one})"),
            23 if scalar == Scalar::Int => format!("sign({a})"),
            24..=26 if self.features.bits && matches!(scalar, Scalar::Int | Scalar::Uint) => {
                let function = match self.random.below(5) {
                    0 => "countbits",
                    1 => "reversebits",
                    // For negative integers the SPIR-V of DXC searches for the highest one instead
                    // of the highest zero.
                    2 if scalar == Scalar::Uint => "firstbithigh",
                    3 => "firstbitlow",
                    _ => return self.bit_cast(wanted, depth),
                };
                format!("(({name})({function}({a})))")
            }
            27 if wanted.width == 1 && scalar == Scalar::Uint => {
                let vector = Vector::new(scalar, self.random.between(2, 4));
                let left = self.expression(vector, depth - 1).text;
                let right = self.expression(vector, 0).text;
                format!("dot({left}, {right})")
            }
            _ => {
                // In HLSL 2021 conditions of `?:` are scalars.
                let condition = if self.random.percent(30) && !self.features.newest {
                    self.condition(wanted.width, depth - 1)
                } else {
                    self.condition(1, depth - 1)
                };
                format!("({condition} ? {a} : {b})")
            }
        }
    }

    /// Returns unsigned arithmetic, cast to a type that may be signed: DXC's optimizer assumes that
    /// signed integers do not overflow.
    fn wrapping(&self, wanted: Vector, text: &str) -> String {
        if wanted.scalar.is_signed() {
            format!("(({})({text}))", wanted.name())
        } else {
            format!("({text})")
        }
    }

    /// Returns the bits of a value as another type.
    fn bit_cast(&mut self, wanted: Vector, depth: u32) -> String {
        let float = Vector::new(Scalar::Float, wanted.width);
        let other = match wanted.scalar {
            Scalar::Int => Scalar::Uint,
            _ => Scalar::Int,
        };
        let cast = match wanted.scalar {
            Scalar::Int => "asint",
            _ => "asuint",
        };
        if self.features.floats && self.random.percent(50) {
            // Zero is left out, since its sign is not exact.
            let value = self.value(float, depth - 1);
            return match wanted.scalar {
                Scalar::Uint if self.random.percent(40) => {
                    format!("f32tof16(floor(abs({value})) + 1.0f)")
                }
                _ => format!("{cast}(abs({value}) + 1.0f)"),
            };
        }
        let inner = self
            .expression(Vector::new(other, wanted.width), depth - 1)
            .text;
        if self.random.percent(50) {
            format!("{cast}({inner})")
        } else {
            // A float that is only copied keeps its bits.
            format!("{cast}(asfloat(({inner} & 0x7fffff) | 0x3f000000))")
        }
    }

    /// Returns a vector of bools.
    pub(super) fn condition(&mut self, width: u32, depth: u32) -> String {
        let wanted = Vector::new(Scalar::Bool, width);
        if depth == 0 {
            return self.leaf(wanted).text;
        }
        match self.random.below(12) {
            0 => format!("(!{})", self.condition(width, depth - 1)),
            1..=2 if width == 1 || !self.features.newest => {
                let operator = *self.random.pick(&["&&", "||"]);
                let left = self.condition(width, depth - 1);
                let right = self.condition(width, depth.saturating_sub(2));
                format!("({left} {operator} {right})")
            }
            3 if width == 1 => {
                let function = *self.random.pick(&["any", "all"]);
                let width = self.random.between(2, 4);
                format!("{function}({})", self.condition(width, depth - 1))
            }
            4 => self.leaf(wanted).text,
            _ => {
                let scalars = self.features.scalars();
                let scalar = *self.random.pick(&scalars);
                let scalar = if scalar == Scalar::Bool {
                    Scalar::Uint
                } else {
                    scalar
                };
                let vector = Vector::new(scalar, width);
                let operator = *self.random.pick(&["<", ">", "<=", ">=", "==", "!="]);
                let left = self.expression(vector, depth - 1).text;
                let right = self.expression(vector, depth.saturating_sub(2)).text;
                format!("({left} {operator} {right})")
            }
        }
    }
}
