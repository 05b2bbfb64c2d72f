//! Places: variables, members, elements, whatever can be read or assigned.

use super::Generator;
use super::types::{Matrix, Scalar, Type, Vector};

/// Part of the text of a place.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece {
    Text(String),
    /// An index below this.
    Index(u32),
    /// An index below this that may differ between lanes and chooses a resource.
    Resource(u32),
}

/// A place.
#[derive(Debug, Clone)]
pub(super) struct PlaceExpression {
    pub(super) pieces: Vec<Piece>,
    pub(super) kind: Type,
    pub(super) writable: bool,
    /// Holds any bits, where floats are only some numbers otherwise.
    pub(super) raw: bool,
    /// Belongs to the function; others are memory, or static.
    pub(super) local: bool,
    /// The same in all threads of a group.
    pub(super) uniform: bool,
}

impl PlaceExpression {
    /// A local variable.
    pub(super) fn local(name: &str, kind: Type) -> Self {
        PlaceExpression {
            pieces: vec![Piece::Text(name.to_owned())],
            kind,
            writable: true,
            raw: false,
            local: true,
            uniform: false,
        }
    }

    /// Something that is not assigned.
    pub(super) fn read_only(name: &str, vector: Vector) -> Self {
        PlaceExpression {
            writable: false,
            ..PlaceExpression::local(name, Type::Vector(vector))
        }
    }

    fn with(&self, more: impl IntoIterator<Item = Piece>, kind: Type) -> Self {
        let mut place = self.clone();
        place.pieces.extend(more);
        place.kind = kind;
        place
    }

    pub(super) fn vector(&self) -> Option<Vector> {
        match self.kind {
            Type::Vector(vector) => Some(vector),
            _ => None,
        }
    }

    /// Whether it is an element of memory that this thread alone uses.
    pub(super) fn is_own_memory(&self) -> bool {
        matches!(&self.pieces[..], [Piece::Text(text), ..] if text.ends_with("[thread]") || text.ends_with("[local]"))
    }

    pub(super) fn matrix(&self) -> Option<Matrix> {
        match self.kind {
            Type::Matrix(matrix) => Some(matrix),
            _ => None,
        }
    }
}

impl Generator {
    /// Makes a place and all that it consists of known.
    pub(super) fn add_place(&mut self, place: PlaceExpression) {
        match &place.kind {
            Type::Vector(_) | Type::Matrix(_) => {}
            Type::Array(element, length) => {
                let element = place.with([Piece::Index(*length)], (**element).clone());
                self.add_place(element);
            }
            Type::Struct(index) => {
                for (number, member) in self.structs[*index].members.clone().into_iter().enumerate()
                {
                    let member = place.with([Piece::Text(format!(".m{number}"))], member);
                    self.add_place(member);
                }
            }
        }
        self.places.push(place);
    }

    /// The text of a place; indices are computed anew each time.
    pub(super) fn render(&mut self, place: &PlaceExpression) -> String {
        let mut text = String::new();
        for piece in &place.pieces {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Index(length) => {
                    let index = self.index(*length);
                    text.push_str(&format!("[{index}]"));
                }
                Piece::Resource(length) => {
                    let index = self.index(*length);
                    text.push_str(&format!("[NonUniformResourceIndex({index})]"));
                }
            }
        }
        text
    }

    /// An index below a length.
    pub(super) fn index(&mut self, length: u32) -> String {
        if length == 1 || self.random.percent(30) {
            return format!("{}", self.random.below(length));
        }
        let index = self.leaf(Vector::new(Scalar::Uint, 1)).text;
        match length.is_power_of_two() && self.random.percent(60) {
            true => format!("({index}) & {}u", length - 1),
            false => format!("({index}) % {length}u"),
        }
    }

    /// A place that satisfies a condition.
    pub(super) fn find_place(
        &mut self,
        wanted: impl Fn(&PlaceExpression) -> bool,
    ) -> Option<PlaceExpression> {
        let found: Vec<usize> = (0..self.places.len())
            .filter(|&index| wanted(&self.places[index]))
            .collect();
        if found.is_empty() {
            return None;
        }
        // The newest places are the most interesting ones.
        let last = found.len() - 1;
        let at = match self.random.percent(50) {
            true => last - self.random.below(found.len().min(4) as u32) as usize,
            false => self.random.below(found.len() as u32) as usize,
        };
        Some(self.places[found[at]].clone())
    }

    /// A place that may be assigned here.
    pub(super) fn find_writable(
        &mut self,
        wanted: impl Fn(&PlaceExpression) -> bool,
    ) -> Option<PlaceExpression> {
        let pure = self.flow.pure;
        self.find_place(|place| place.writable && (place.local || !pure) && wanted(place))
    }
}
