//! Places: variables, members and elements that can be read or assigned.

use super::generator::Generator;
use super::place_expression::{Piece, PlaceExpression};
use super::types::{Scalar, Type, Vector};

impl Generator {
    /// Adds a place and its parts to the scope.
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

    /// Returns the text of a place, with new random indices.
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

    /// Returns an index below a length.
    pub(super) fn index(&mut self, length: u32) -> String {
        if length == 1 || self.random.percent(30) {
            return format!("{}", self.random.below(length));
        }
        let index = self.leaf(Vector::new(Scalar::Uint, 1)).text;
        if length.is_power_of_two() && self.random.percent(60) {
            format!("({index}) & {}u", length - 1)
        } else {
            format!("({index}) % {length}u")
        }
    }

    /// Returns a random place that satisfies a condition.
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
        // Recent places are preferred.
        let last = found.len() - 1;
        let at = if self.random.percent(50) {
            last - self.random.below(found.len().min(4) as u32) as usize
        } else {
            self.random.below(found.len() as u32) as usize
        };
        Some(self.places[found[at]].clone())
    }

    /// Returns a random place that may be assigned here.
    pub(super) fn find_writable(
        &mut self,
        wanted: impl Fn(&PlaceExpression) -> bool,
    ) -> Option<PlaceExpression> {
        let pure = self.flow.pure;
        self.find_place(|place| place.writable && (place.local || !pure) && wanted(place))
    }
}
