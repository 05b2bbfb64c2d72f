//! Text and type of a place.

use super::types::{Matrix, Type, Vector};

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
    /// Whether it may hold any bits; other floats hold exact values only.
    pub(super) raw: bool,
    /// Whether it is local to the function.
    pub(super) local: bool,
    /// Whether it is uniform in the group.
    pub(super) uniform: bool,
}

impl PlaceExpression {
    /// Returns a local variable.
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

    /// Returns a place that is not assigned.
    pub(super) fn read_only(name: &str, vector: Vector) -> Self {
        PlaceExpression {
            writable: false,
            ..PlaceExpression::local(name, Type::Vector(vector))
        }
    }

    pub(super) fn with(&self, more: impl IntoIterator<Item = Piece>, kind: Type) -> Self {
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

    /// Returns whether it is an element of memory that only this thread uses.
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
