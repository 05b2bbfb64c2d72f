//! Statements.

use super::generator::{Flow, Generator};
use super::place_expression::PlaceExpression;
use super::types::{Matrix, Scalar, Type, Vector};

const COMPONENTS: [char; 4] = ['x', 'y', 'z', 'w'];

impl Generator {
    /// Writes several statements into the current block.
    pub(super) fn statements(&mut self, count: u32) {
        for _ in 0..count {
            if self.statements_left == 0 {
                return;
            }
            self.statements_left -= 1;
            self.cost += self.flow.times;
            self.statement();
        }
    }

    fn statement(&mut self) {
        for _ in 0..10 {
            if self.try_statement() {
                return;
            }
        }
        self.declare_variable();
    }

    /// Writes a statement of some kind, if that kind is allowed here.
    fn try_statement(&mut self) -> bool {
        if self.features.jumps {
            return self.try_control_flow();
        }
        let nested = self.flow.depth < 5;
        match self.random.below(100) {
            0..=9 => self.declare_variable(),
            10..=29 => return self.assign(),
            30..=44 if nested => self.choose(),
            45..=57 if nested && self.features.loops => return self.repeat(),
            58..=63 if nested && self.features.switches => self.switch(),
            64..=68 if self.flow.depth > 0 => return self.leave(),
            69..=73 => return self.call(),
            74..=81 => return self.wave(),
            82..=86 => return self.exchange(),
            87..=89 => return self.atomic(),
            90..=95 => return self.access_memory(),
            96..=99 => return self.dump(),
            _ => return false,
        }
        true
    }

    /// Writes a statement of some kind, mostly control flow, if that kind is allowed here.
    fn try_control_flow(&mut self) -> bool {
        let nested = self.flow.depth < 6;
        match self.random.below(100) {
            0..=21 => return self.assign(),
            22..=41 if nested => self.choose(),
            42..=56 if nested => return self.repeat(),
            57..=74 if nested => self.switch(),
            75..=90 if self.flow.depth > 0 => return self.leave(),
            91..=93 => return self.call(),
            94..=96 => return self.dump(),
            97..=99 => self.declare_variable(),
            _ => return false,
        }
        true
    }

    /// Writes a nested block. The scope of its declarations ends with it.
    fn block(&mut self, flow: Flow, write: impl FnOnce(&mut Self)) {
        let scope = self.places.len();
        let outer = std::mem::replace(&mut self.flow, flow);
        self.indent += 1;
        write(self);
        self.indent -= 1;
        self.flow = outer;
        self.places.truncate(scope);
    }

    fn inner(&self, uniform: bool) -> Flow {
        Flow {
            uniform: self.flow.uniform && uniform,
            depth: self.flow.depth + 1,
            ..self.flow.clone()
        }
    }

    pub(super) fn declare_variable(&mut self) {
        let name = self.name("v");
        match self.random.below(100) {
            0..=11 if self.features.matrices => {
                let matrix = self.matrix_type(false);
                let value = self.matrix_value(matrix);
                self.line(&format!("{} {name} = {value};", matrix.name()));
                self.add_place(PlaceExpression::local(&name, Type::Matrix(matrix)));
            }
            12..=24 if self.features.arrays => self.declare_array(&name),
            25..=39 if !self.structs.is_empty() => self.declare_struct_variable(&name),
            _ => {
                let scalars = self.features.scalars();
                let scalar = *self.random.pick(&scalars);
                let vector = self.vector_type(scalar);
                let value = self.value(vector, 3);
                self.line(&format!("{} {name} = {value};", vector.name()));
                self.add_place(PlaceExpression::local(&name, Type::Vector(vector)));
            }
        }
    }

    fn declare_array(&mut self, name: &str) {
        let scalars = self.features.scalars();
        let scalar = *self.random.pick(&scalars);
        let vector = self.vector_type(scalar);
        let length = self.random.between(2, 6);
        let kind = Type::Array(Box::new(Type::Vector(vector)), length);
        let declared = self.declared(&kind, name);
        if self.random.percent(60) {
            let values: Vec<String> = (0..length).map(|_| self.value(vector, 1)).collect();
            self.line(&format!("{declared} = {{ {} }};", values.join(", ")));
        } else {
            self.line(&format!("{declared};"));
            let counter = self.name("i");
            self.line(&format!(
                "for (uint {counter} = 0u; {counter} < {length}u; ++{counter}) {{"
            ));
            let flow = self.inner(true);
            self.block(flow, |generator| {
                generator.flow.times *= u64::from(length);
                let uint = Vector::new(Scalar::Uint, 1);
                generator
                    .places
                    .push(PlaceExpression::read_only(&counter, uint));
                let value = generator.value(vector, 2);
                generator.line(&format!("{name}[{counter}] = {value};"));
            });
            self.line("}");
        }
        self.add_place(PlaceExpression::local(name, kind));
    }

    fn declare_struct_variable(&mut self, name: &str) {
        let index = self.random.below(self.structs.len() as u32) as usize;
        let kind = Type::Struct(index);
        let wanted = kind.clone();
        let from = if self.random.percent(60) {
            self.find_place(|place| place.kind == wanted)
        } else {
            None
        };
        let type_name = self.structs[index].name.clone();
        let mut place = PlaceExpression::local(name, kind);
        match from {
            Some(from) => {
                let text = self.render(&from);
                place.raw = from.raw;
                place.writable = !from.raw;
                self.line(&format!("{type_name} {name} = {text};"));
            }
            None => self.line(&format!("{type_name} {name} = ({type_name})0;")),
        }
        self.add_place(place);
    }

    /// Returns a value for a variable of a type.
    pub(super) fn matrix_value(&mut self, matrix: Matrix) -> String {
        let wanted = Type::Matrix(Matrix {
            order: None,
            ..matrix
        });
        let same = |place: &PlaceExpression| {
            place.matrix().is_some_and(|other| {
                Type::Matrix(Matrix {
                    order: None,
                    ..other
                }) == wanted
                    && !place.raw
            })
        };
        let transposed = |place: &PlaceExpression| {
            place.matrix().is_some_and(|other| {
                other.scalar == matrix.scalar
                    && other.rows == matrix.columns
                    && other.columns == matrix.rows
                    && !place.raw
            })
        };
        match self.random.below(4) {
            0 => {
                if let Some(place) = self.find_place(same) {
                    return self.render(&place);
                }
            }
            1 => {
                if let Some(place) = self.find_place(transposed) {
                    return format!("transpose({})", self.render(&place));
                }
            }
            2 if matrix.scalar == Scalar::Uint => {
                if let (Some(a), Some(b)) = (self.find_place(same), self.find_place(same)) {
                    let operator = *self.random.pick(&["+", "-", "*"]);
                    return format!("({} {operator} {})", self.render(&a), self.render(&b));
                }
            }
            _ => {}
        }
        let rows: Vec<String> = (0..matrix.rows)
            .map(|_| self.value(matrix.row(), 1))
            .collect();
        format!("{}({})", matrix.name(), rows.join(", "))
    }

    fn assign(&mut self) -> bool {
        let Some(place) = self.find_writable(|place| !place.raw) else {
            return false;
        };
        let text = self.render(&place);
        match place.kind.clone() {
            Type::Vector(vector) => self.assign_vector(&text, vector),
            Type::Matrix(matrix) => match self.random.below(3) {
                0 => {
                    let value = self.matrix_value(matrix);
                    self.line(&format!("{text} = {value};"));
                }
                1 => {
                    let row = self.index(matrix.rows);
                    self.assign_vector(&format!("{text}[{row}]"), matrix.row());
                }
                _ => {
                    let (row, column) = (
                        self.random.below(matrix.rows),
                        self.random.below(matrix.columns),
                    );
                    let element = Vector::new(matrix.scalar, 1);
                    self.assign_vector(&format!("{text}._m{row}{column}"), element);
                }
            },
            kind => {
                let wanted = kind;
                let Some(from) = self.find_place(|place| place.kind == wanted && !place.raw) else {
                    return false;
                };
                let from = self.render(&from);
                self.line(&format!("{text} = {from};"));
            }
        }
        true
    }

    fn assign_vector(&mut self, text: &str, vector: Vector) {
        let scalar = Vector::new(vector.scalar, 1);
        if vector.width > 1 && self.features.components && self.random.percent(50) {
            if self.random.percent(40) {
                let index = self.index(vector.width);
                let value = self.value(scalar, 2);
                return self.line(&format!("{text}[{index}] = {value};"));
            }
            let mut order: Vec<u32> = (0..vector.width).collect();
            let count = self.random.between(1, vector.width);
            let mut swizzle = String::new();
            for _ in 0..count {
                let at = self.random.below(order.len() as u32) as usize;
                swizzle.push(COMPONENTS[order.swap_remove(at) as usize]);
            }
            let value = self.value(Vector::new(vector.scalar, count), 2);
            return self.line(&format!("{text}.{swizzle} = {value};"));
        }
        let line = match (vector.scalar, self.random.below(10)) {
            (scalar, 0) if scalar.is_integer() && !scalar.is_signed() && vector.width == 1 => {
                let step = *self.random.pick(&["++", "--"]);
                if self.random.percent(50) {
                    format!("{text}{step};")
                } else {
                    format!("{step}{text};")
                }
            }
            (scalar, 1..=4) if scalar.is_integer() => {
                let operators = if scalar.is_signed() {
                    &["^", "|", "&"][..]
                } else {
                    &["+", "-", "*", "^", "|", "&"][..]
                };
                let operator = *self.random.pick(operators);
                let value = self.value(vector, 3);
                format!("{text} {operator}= {value};")
            }
            _ => {
                let value = self.value(vector, 3);
                format!("{text} = {value};")
            }
        };
        self.line(&line);
    }

    /// Returns a condition, and whether it is uniform in the group.
    fn branch_condition(&mut self) -> (String, bool) {
        if self.flow.uniform && self.random.percent(45) {
            let place = self.find_place(|place| {
                place.uniform
                    && place
                        .vector()
                        .is_some_and(|vector| vector.scalar == Scalar::Uint && vector.width == 1)
                    && place
                        .pieces
                        .iter()
                        .all(|piece| matches!(piece, super::place_expression::Piece::Text(_)))
            });
            let text = match place {
                Some(place) => self.render(&place),
                None => "group.x".to_owned(),
            };
            let (mask, than) = (self.random.between(1, 7), self.random.below(4));
            return (format!("({text} & {mask}u) > {than}u"), true);
        }
        (self.condition(1, 3), false)
    }

    /// Writes `if`, with or without `else`.
    fn choose(&mut self) {
        let (condition, uniform) = self.branch_condition();
        let attribute = *self.random.pick(&["", "", "", "[branch] ", "[flatten] "]);
        self.line(&format!("{attribute}if ({condition}) {{"));
        let flow = self.inner(uniform);
        let count = self.random.between(1, 4);
        self.block(flow, |generator| {
            generator.statements(count);
            if generator.random.percent(15) {
                generator.jump();
            }
        });
        if self.random.percent(50) {
            if self.random.percent(30) {
                let condition = self.condition(1, 2);
                self.line(&format!("}} else if ({condition}) {{"));
            } else {
                self.line("} else {")
            }
            let flow = self.inner(false);
            let count = self.random.between(1, 4);
            self.block(flow, |generator| {
                generator.statements(count);
                if generator.random.percent(15) {
                    generator.jump();
                }
            });
        }
        self.line("}");
    }

    /// Writes `break`, `continue` or `return` under a condition.
    fn leave(&mut self) -> bool {
        if self.flow.uniform || !self.can_jump() {
            return false;
        }
        let condition = self.condition(1, 2);
        self.line(&format!("if ({condition}) {{"));
        let flow = self.inner(false);
        let count = self.random.below(3);
        self.block(flow, |generator| {
            generator.statements(count);
            generator.jump();
        });
        self.line("}");
        true
    }

    fn can_jump(&self) -> bool {
        self.flow.in_loop || self.may_return() || self.may_leave_switch()
    }

    /// Returns whether a `break` out of the middle of a case is allowed.
    fn may_leave_switch(&self) -> bool {
        self.flow.in_switch && self.features.jumps
    }

    fn may_return(&self) -> bool {
        self.features.early_returns && self.flow.may_return && !self.flow.uniform
    }

    /// Writes `break`, `continue` or `return`. The block ends after it.
    fn jump(&mut self) {
        if self.flow.uniform {
            return;
        }
        let mut ways = Vec::new();
        if self.flow.in_loop {
            ways.extend_from_slice(&["continue;"]);
            if !self.flow.in_switch {
                ways.extend_from_slice(&["break;", "break;"]);
            }
        }
        if self.may_leave_switch() {
            ways.push("break;");
        }
        if self.may_return() {
            ways.push("return");
        }
        if ways.is_empty() {
            return;
        }
        match *self.random.pick(&ways) {
            "return" => match self.flow.returns.clone() {
                Some(kind) => {
                    let value = self.returned(&kind);
                    self.line(&format!("return {value};"));
                }
                None => self.line("return;"),
            },
            configuration => self.line(configuration),
        }
    }

    /// Writes a loop that terminates.
    fn repeat(&mut self) -> bool {
        let maximum = self.random.between(1, 6);
        let budget = if self.in_function { 64 } else { 1500 };
        if self.flow.times * u64::from(maximum) > budget {
            return false;
        }
        // A loop that all threads execute equally often may contain barriers, and then no thread
        // may leave it early.
        let uniform = self.flow.uniform && !self.features.jumps && self.random.percent(40);
        let counter = self.name("i");
        let bound = if uniform || self.random.percent(50) {
            format!("{maximum}u")
        } else {
            let value = self.value(Vector::new(Scalar::Uint, 1), 1);
            format!("({value}) % {}u", maximum + 1)
        };
        let attribute = *self
            .random
            .pick(&["", "", "", "[loop] ", "[unroll] ", "[fastopt] "]);
        // DXC -O3 unrolls loops with several jumps wrongly.
        let unrolled = !self.features.jumps && !bound.contains('(');
        let attribute = match (attribute, unrolled) {
            ("[unroll] ", false) => "",
            (attribute, _) => attribute,
        };
        let shape = self.random.below(10);
        let head = match shape {
            0..=5 => {
                format!("{attribute}for (uint {counter} = 0u; {counter} < {bound}; ++{counter}) {{")
            }
            6..=7 => {
                self.line(&format!("uint {counter} = 0u;"));
                let more = if uniform {
                    String::new()
                } else {
                    format!(" && {}", self.condition(1, 2))
                };
                // Both operands may be evaluated; the counter bounds the loop.
                format!("while ({counter}++ < {maximum}u{more}) {{")
            }
            _ => {
                self.line(&format!("uint {counter} = 0u;"));
                "do {".to_owned()
            }
        };
        self.line(&head);
        let mut flow = self.inner(uniform);
        flow.in_loop = !uniform;
        flow.in_switch = false;
        flow.times *= u64::from(maximum);
        flow.may_return &= !uniform;
        let count = self.random.between(2, 6);
        self.block(flow, |generator| {
            let uint = Vector::new(Scalar::Uint, 1);
            let mut place = PlaceExpression::read_only(&counter, uint);
            place.uniform = uniform;
            generator.places.push(place);
            generator.statements(count);
        });
        if shape < 8 {
            self.line("}");
        } else {
            let more = if uniform {
                String::new()
            } else {
                format!(" && {}", self.condition(1, 2))
            };
            self.line(&format!("}} while (++{counter} < {maximum}u{more});"));
        }
        true
    }

    fn switch(&mut self) {
        let scalar = *self.random.pick(&[Scalar::Int, Scalar::Uint]);
        let value = self.value(Vector::new(scalar, 1), 2);
        let range = self.random.between(2, 8);
        // The SPIR-V back end of DXC crashes on literal selectors.
        let name = self.name("v");
        let declared = Vector::new(scalar, 1);
        self.line(&format!("{} {name} = {value};", declared.name()));
        self.add_place(PlaceExpression::local(&name, Type::Vector(declared)));
        let value = name;
        let selector = match scalar {
            Scalar::Int => format!("{value} & {}", range.next_power_of_two() - 1),
            _ => format!("{value} % {range}u"),
        };
        self.line(&format!("switch ({selector}) {{"));
        let mut labels: Vec<u32> = (0..=range).collect();
        let cases = self.random.between(1, range.min(6));
        let default = self.random.below(cases + 2);
        for case in 0..=cases {
            let last = case == cases;
            if last && default != case {
                break;
            }
            if default == case {
                self.line("default:");
            }
            if !last {
                let at = self.random.below(labels.len() as u32) as usize;
                let label = labels.swap_remove(at);
                self.line(&format!(
                    "case {label}{}:",
                    if scalar == Scalar::Int { "" } else { "u" }
                ));
            }
            if !last && self.random.percent(15) {
                continue;
            }
            // The label leads straight to the end of the switch.
            if self.features.jumps && self.random.percent(20) {
                self.line("break;");
                continue;
            }
            let mut flow = self.inner(false);
            flow.in_switch = true;
            let count = self.random.between(1, 3);
            let through = if self.features.jumps { 30 } else { 12 };
            let through = !last && case + 1 < cases && self.random.percent(through);
            self.line("{");
            self.block(flow, |generator| {
                generator.statements(count);
                match generator.random.percent(20) && generator.can_jump() {
                    true => generator.jump(),
                    false if through => {}
                    false => generator.line("break;"),
                }
            });
            self.line("}");
        }
        // A label must have a statement.
        self.line("break;");
        self.line("}");
    }

    /// Returns the text of a word that depends on the value of a place.
    fn word(&mut self, text: &str, vector: Vector, raw: bool) -> String {
        let mut words = Vec::new();
        for component in &COMPONENTS[..vector.width as usize] {
            let part = match vector.width {
                1 => text.to_owned(),
                _ => format!("{text}.{component}"),
            };
            words.push(match vector.scalar {
                Scalar::Bool => format!("({part} ? 1u : 0u)"),
                Scalar::Uint => part,
                Scalar::Int | Scalar::Ushort => format!("uint({part})"),
                Scalar::Short => format!("uint(int({part}))"),
                Scalar::Long | Scalar::Ulong => {
                    format!("(uint({part}) ^ uint({part} >> 32) * 7u)")
                }
                Scalar::Float if raw => format!("asuint({part})"),
                Scalar::Half if raw => format!("uint(asuint16({part}))"),
                Scalar::Double if raw => format!("bits({part})"),
                Scalar::Float => format!("uint(int({part} * 8.0f))"),
                Scalar::Half => format!("uint(int({part} * float16_t(2.0f)))"),
                Scalar::MinFloat => format!("uint(int({part} * min16float(2.0f)))"),
                Scalar::Double => format!("uint(int({part} * 16.0L))"),
            });
        }
        words
            .into_iter()
            .reduce(|sum, word| format!("({sum} * 31u + {word})"))
            .unwrap_or_default()
    }

    /// Stores the value of a place into memory of the thread.
    fn dump(&mut self) -> bool {
        if self.flow.pure {
            return false;
        }
        let Some(place) = self.find_place(|place| place.vector().is_some()) else {
            return false;
        };
        self.dump_place(&place)
    }

    fn dump_place(&mut self, place: &PlaceExpression) -> bool {
        let text = self.render(place);
        let (text, vector) = match place.kind {
            Type::Vector(vector) => (text, vector),
            Type::Matrix(matrix) => {
                let row = self.random.below(matrix.rows);
                (format!("{text}[{row}]"), matrix.row())
            }
            _ => return false,
        };
        let word = self.word(&text, vector, place.raw);
        let out = self.out_word();
        if self.random.percent(60) {
            self.line(&format!("{out} = {word};"))
        } else {
            self.line(&format!("{out} = {out} * 33u ^ {word};"))
        }
        true
    }

    /// Writes the values of variables at the end of `main`.
    pub(super) fn dump_all(&mut self) {
        let places: Vec<PlaceExpression> = self
            .places
            .iter()
            .filter(|place| place.writable || place.raw && place.local)
            .cloned()
            .collect();
        let skipped = places.len().saturating_sub(60);
        for place in &places[skipped..] {
            self.dump_place(place);
        }
    }
}
