//! Float expressions with exact values: results do not depend on rounding.

use super::expression::Expression;
use super::generator::Generator;
use super::types::{Scalar, Vector};

impl Generator {
    pub(super) fn float(&mut self, wanted: Vector, depth: u32) -> Expression {
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

    /// Returns an expression whose value a variable may hold.
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
