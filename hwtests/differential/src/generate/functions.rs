//! Functions with in, out and inout parameters.

use super::generator::{Direction, Flow, Function, Generator};
use super::place_expression::PlaceExpression;
use super::types::Type;

impl Generator {
    pub(super) fn write_functions(&mut self) {
        if self.features.functions {
            for _ in 0..self.random.between(1, 4) {
                self.write_function();
            }
        }
    }

    fn function_type(&mut self) -> Type {
        if !self.structs.is_empty() && self.random.percent(25) {
            return Type::Struct(self.random.below(self.structs.len() as u32) as usize);
        }
        let scalars = self.features.scalars();
        let scalar = *self.random.pick(&scalars);
        let vector = Type::Vector(self.vector_type(scalar));
        if self.features.arrays && self.random.percent(15) {
            Type::Array(Box::new(vector), self.random.between(2, 4))
        } else {
            vector
        }
    }

    fn write_function(&mut self) {
        let name = self.name("f");
        let pure = self.random.percent(50);
        let mut parameters = Vec::new();
        for _ in 0..self.random.between(1, 4) {
            let direction = if pure {
                Direction::In
            } else {
                *self
                    .random
                    .pick(&[Direction::In, Direction::Out, Direction::InOut])
            };
            parameters.push((direction, self.function_type()));
        }
        let returns = if pure || self.random.percent(60) {
            let scalars = self.features.scalars();
            let scalar = *self.random.pick(&scalars);
            Some(if !pure && self.random.percent(30) {
                match self.function_type() {
                    Type::Array(element, _) => *element,
                    other => other,
                }
            } else {
                Type::Vector(self.vector_type(scalar))
            })
        } else {
            None
        };
        let scope = self.places.len();
        let mut declared = Vec::new();
        let mut outs = Vec::new();
        for (direction, kind) in &parameters {
            let parameter = self.name("p");
            let word = match direction {
                Direction::In => "",
                Direction::Out => "out ",
                Direction::InOut => "inout ",
            };
            declared.push(format!("{word}{}", self.declared(kind, &parameter)));
            match direction {
                Direction::Out => outs.push((parameter, kind.clone())),
                _ => self.add_place(PlaceExpression::local(&parameter, kind.clone())),
            }
        }
        let result = match &returns {
            Some(kind) => self.declared(kind, "").trim().to_owned(),
            None => "void".to_owned(),
        };
        // Functions that are not inlined take pointers.
        let attribute = if self.features.calls && self.random.percent(60) {
            "[noinline] "
        } else {
            ""
        };
        self.line(&format!(
            "{attribute}{result} {name}({}) {{",
            declared.join(", ")
        ));
        self.indent += 1;
        self.flow = Flow {
            uniform: false,
            in_loop: false,
            in_switch: false,
            times: 1,
            depth: 1,
            returns: returns.clone(),
            pure,
            may_return: true,
        };
        self.cost = 1;
        for (parameter, kind) in outs {
            self.initialise(&parameter, &kind);
            self.add_place(PlaceExpression::local(&parameter, kind));
        }
        self.statements_left = self.random.between(3, 16);
        let count = self.random.between(2, 7);
        self.statements(count);
        if let Some(kind) = &returns {
            let value = self.returned(kind);
            self.line(&format!("return {value};"));
        }
        self.indent -= 1;
        self.line("}");
        self.places.truncate(scope);
        let cost = self.cost;
        self.functions.push(Function {
            name,
            returns,
            parameters,
            pure,
            cost,
        });
    }

    /// Returns the statement that initializes a variable.
    pub(super) fn initialise(&mut self, name: &str, kind: &Type) {
        match kind {
            Type::Array(element, length) => {
                for index in 0..*length {
                    self.initialise(&format!("{name}[{index}]"), element);
                }
            }
            Type::Struct(index) => {
                let text = format!("{name} = ({})0;", self.structs[*index].name);
                self.line(&text);
            }
            Type::Vector(vector) => {
                let value = self.value(*vector, 1);
                self.line(&format!("{name} = {value};"));
            }
            Type::Matrix(matrix) => {
                let value = self.matrix_value(*matrix);
                self.line(&format!("{name} = {value};"));
            }
        }
    }

    /// Returns a value of a type for `return` and arguments.
    pub(super) fn returned(&mut self, kind: &Type) -> String {
        match kind {
            Type::Vector(vector) => self.value(*vector, 2),
            Type::Matrix(matrix) => self.matrix_value(*matrix),
            Type::Struct(index) => {
                let wanted = kind.clone();
                match self.find_place(|place| place.kind == wanted && !place.raw) {
                    Some(place) => self.render(&place),
                    None => format!("({})0", self.structs[*index].name),
                }
            }
            Type::Array(..) => {
                let wanted = kind.clone();
                match self.find_place(|place| place.kind == wanted && !place.raw) {
                    Some(place) => self.render(&place),
                    None => {
                        let name = self.name("a");
                        let declared = self.declared(kind, &name);
                        self.line(&format!("{declared};"));
                        self.initialise(&name, kind);
                        name
                    }
                }
            }
        }
    }

    /// Returns a call that may have side effects, as a statement.
    pub(super) fn call(&mut self) -> bool {
        let budget = 3000 / self.flow.times.max(1);
        let pure = self.flow.pure;
        let fitting: Vec<usize> = (0..self.functions.len())
            .filter(|&index| {
                let function = &self.functions[index];
                (function.pure || !pure) && function.cost <= budget
            })
            .collect();
        if fitting.is_empty() {
            return false;
        }
        let function = self.functions[*self.random.pick(&fitting)].clone();
        self.cost += function.cost * self.flow.times;
        let mut arguments = Vec::new();
        let mut taken: Vec<String> = Vec::new();
        for (direction, kind) in &function.parameters {
            if *direction == Direction::In {
                arguments.push(self.returned(kind));
                continue;
            }
            // Only whole variables, and each only once: HLSL does not define the order in which
            // parts are written back.
            let wanted = kind.clone();
            let place = self.find_place(|place| {
                place.local
                    && place.writable
                    && !place.raw
                    && place.pieces.len() == 1
                    && place.kind == wanted
                    && !taken.contains(&place_name(place))
            });
            let name = match place {
                Some(place) => self.render(&place),
                None => {
                    let name = self.name("v");
                    let declared = self.declared(kind, &name);
                    self.line(&format!("{declared};"));
                    self.initialise(&name, kind);
                    self.add_place(PlaceExpression::local(&name, kind.clone()));
                    name
                }
            };
            taken.push(name.clone());
            arguments.push(name);
        }
        let call = format!("{}({})", function.name, arguments.join(", "));
        match &function.returns {
            None => self.line(&format!("{call};")),
            Some(kind) => {
                let name = self.name("v");
                let declared = self.declared(kind, &name);
                self.line(&format!("{declared} = {call};"));
                self.add_place(PlaceExpression::local(&name, kind.clone()));
            }
        }
        true
    }
}

fn place_name(place: &PlaceExpression) -> String {
    match place.pieces.first() {
        Some(super::place_expression::Piece::Text(name)) => name.clone(),
        _ => String::new(),
    }
}
