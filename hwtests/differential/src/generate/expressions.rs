//! Expressions without side effects.

use super::generator::Generator;
use super::place_expression::PlaceExpression;
use super::types::{Matrix, Scalar, Type, Vector};

/// Text of an expression, and of a float how large it may be.
#[derive(Debug, Clone)]
pub(super) struct Expression {
    pub(super) text: String,
    /// Greatest magnitude.
    pub(super) bound: f64,
    /// It is a multiple of 2 to the power of minus this.
    pub(super) fraction: u32,
}

fn plain(text: String) -> Expression {
    Expression {
        text,
        bound: 0.0,
        fraction: 0,
    }
}

const COMPONENTS: [char; 4] = ['x', 'y', 'z', 'w'];

impl Generator {
    /// An expression whose value a variable of that type may hold.
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

    /// A variable, a literal, or a conversion of a variable.
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

    /// Some components of a place, as many as wanted.
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

    /// A row, an element or some elements of a matrix.
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

    /// Returns what a variable of a type holds.
    fn bounded(&mut self, text: String, scalar: Scalar) -> Expression {
        match scalar.exact() {
            None => plain(text),
            Some(exact) => Expression {
                text,
                bound: exact.bound,
                fraction: exact.fraction,
            },
        }
    }

    /// Any bits as a float that a variable may hold.
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

    fn literal(&mut self, wanted: Vector) -> Expression {
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
            let most = (exact.bound * units) as u32;
            let magnitude = if self.random.percent(60) {
                f64::from(self.random.below(5))
            } else {
                f64::from(self.random.below(most)) / units
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

    /// A variable of another type, converted.
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

    /// A conversion that both languages define.
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

    /// A vector out of parts.
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
        // The bounds of the parts may be too much together.
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

    /// `mul` of a matrix and a vector.
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
                    // Of signed integers DXC's SPIR-V looks for the first one, also where a zero is
                    // meant.
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
                // In HLSL 2021 only scalars choose.
                let condition = if self.random.percent(30) && !self.features.newest {
                    self.condition(wanted.width, depth - 1)
                } else {
                    self.condition(1, depth - 1)
                };
                format!("({condition} ? {a} : {b})")
            }
        }
    }

    /// Unsigned arithmetic whose result has a type that may be signed: DXC's optimizer takes it
    /// that signed integers do not overflow.
    fn wrapping(&self, wanted: Vector, text: &str) -> String {
        if wanted.scalar.is_signed() {
            format!("(({})({text}))", wanted.name())
        } else {
            format!("({text})")
        }
    }

    /// Bits seen as another type.
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
            // The bits of zero are left out: its sign is not exact.
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
            // A float that no operation looks at keeps its bits.
            format!("{cast}(asfloat(({inner} & 0x7fffff) | 0x3f000000))")
        }
    }

    /// A vector of bools.
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

    fn float(&mut self, wanted: Vector, depth: u32) -> Expression {
        let scalar = wanted.scalar;
        let a = self.expression(wanted, depth - 1);
        let plain_function =
            |function: &str, a: Expression, bound: f64, fraction: u32| Expression {
                text: format!("{function}({})", a.text),
                bound,
                fraction,
            };
        let whole = a.bound.ceil() + 1.0;
        // Doubles have few functions.
        match self
            .random
            .below(if scalar == Scalar::Double { 14 } else { 24 })
        {
            0..=3 => self.sum(a, wanted, depth),
            4..=6 => self.times(a, wanted, depth),
            7 => Expression {
                text: format!("(-{})", a.text),
                ..a
            },
            8 => {
                let (bound, fraction) = (a.bound, a.fraction);
                plain_function("abs", a, bound, fraction)
            }
            9..=10 => {
                let b = self.expression(wanted, depth.saturating_sub(2));
                let function = *self.random.pick(&["min", "max"]);
                Expression {
                    text: format!("{function}({}, {})", a.text, b.text),
                    bound: a.bound.max(b.bound),
                    fraction: a.fraction.max(b.fraction),
                }
                .or_first(a, scalar)
            }
            11..=13 => {
                let b = self.expression(wanted, depth.saturating_sub(2));
                let width = if self.features.newest || self.random.percent(60) {
                    1
                } else {
                    wanted.width
                };
                let condition = self.condition(width, depth - 1);
                Expression {
                    text: format!("({condition} ? {} : {})", a.text, b.text),
                    bound: a.bound.max(b.bound),
                    fraction: a.fraction.max(b.fraction),
                }
                .or_first(a, scalar)
            }
            14 => plain_function("floor", a, whole, 0),
            15 => plain_function("ceil", a, whole, 0),
            16 => plain_function("trunc", a, whole, 0),
            17 => plain_function("round", a, whole, 0),
            18 => {
                let fraction = a.fraction;
                plain_function("frac", a, 1.0, fraction)
            }
            19 => {
                let fraction = a.fraction;
                plain_function("saturate", a, 1.0, fraction)
            }
            20 => Expression {
                text: format!("(({})(sign({})))", wanted.name(), a.text),
                bound: 1.0,
                fraction: 0,
            },
            21 => {
                let b = self.expression(wanted, 0);
                Expression {
                    text: format!("step({}, {})", a.text, b.text),
                    bound: 1.0,
                    fraction: 0,
                }
            }
            22 if wanted.width == 1 => {
                let vector = Vector::new(scalar, self.random.between(2, 4));
                let exact = scalar.exact();
                let (left, right) = (self.leaf(vector), self.leaf(vector));
                let sum = Expression {
                    bound: left.bound * right.bound * f64::from(vector.width),
                    fraction: left.fraction + right.fraction,
                    text: format!("dot({}, {})", left.text, right.text),
                };
                match exact {
                    Some(exact) if sum.units() <= exact.capacity => sum,
                    _ => a,
                }
            }
            _ => {
                // Modulo a power of two.
                let modulus = *self.random.pick(&["1.0f", "2.0f", "8.0f"]);
                Expression {
                    text: format!("fmod({}, (({}){modulus}))", a.text, wanted.name()),
                    bound: 8.0,
                    fraction: a.fraction,
                }
            }
        }
    }

    fn sum(&mut self, a: Expression, wanted: Vector, depth: u32) -> Expression {
        let b = self.expression(wanted, depth.saturating_sub(2));
        let a = self.narrow(a, wanted);
        let b = self.narrow(b, wanted);
        let operator = *self.random.pick(&["+", "-"]);
        Expression {
            text: format!("({} {operator} {})", a.text, b.text),
            bound: a.bound + b.bound,
            fraction: a.fraction.max(b.fraction),
        }
    }

    fn times(&mut self, a: Expression, wanted: Vector, depth: u32) -> Expression {
        let b = self.expression(wanted, depth.saturating_sub(2));
        let a = self.narrow(a, wanted);
        let b = self.narrow(b, wanted);
        let product = Expression {
            text: format!("({} * {})", a.text, b.text),
            bound: a.bound * b.bound,
            fraction: a.fraction + b.fraction,
        };
        if self.random.percent(70) || wanted.scalar == Scalar::Half {
            return product;
        }
        let c = self.leaf(wanted);
        let c = self.narrow(c, wanted);
        let text = match wanted.scalar {
            Scalar::Double => format!("({} + {})", product.text, c.text),
            _ => format!("mad({}, {}, {})", a.text, b.text, c.text),
        };
        Expression {
            text,
            bound: product.bound + c.bound,
            fraction: product.fraction.max(c.fraction),
        }
    }

    /// Makes an expression one that a variable may hold.
    pub(super) fn narrow(&mut self, expression: Expression, wanted: Vector) -> Expression {
        let Some(exact) = wanted.scalar.exact() else {
            return expression;
        };
        let Expression {
            mut text,
            mut bound,
            mut fraction,
        } = expression;
        if fraction > exact.fraction {
            text = match wanted.scalar {
                Scalar::Double => {
                    let int = Vector::new(Scalar::Int, wanted.width).name();
                    format!(
                        "(({})(({int})(clamp({text}, -65536.0L, 65536.0L))))",
                        wanted.name()
                    )
                }
                _ => format!("trunc({text})"),
            };
            fraction = 0;
        }
        if bound > exact.bound {
            let (name, limit) = (wanted.name(), exact.bound);
            text = format!("clamp({text}, ({name})-{limit:?}, ({name}){limit:?})");
            bound = exact.bound;
        }
        Expression {
            text,
            bound,
            fraction,
        }
    }
}

impl Expression {
    /// Returns how many multiples of its unit it may be.
    fn units(&self) -> f64 {
        self.bound * f64::from(self.fraction).exp2()
    }

    /// Itself if it is exact, or else the first of its operands.
    fn or_first(self, first: Expression, scalar: Scalar) -> Expression {
        match scalar.exact() {
            Some(exact) if self.units() > exact.capacity => first,
            _ => self,
        }
    }
}
