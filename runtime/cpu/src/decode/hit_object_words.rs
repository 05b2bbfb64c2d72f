//! The words of hit objects.
//!
//! A hit object has no memory of its own: its value is the list of the words that say all of it, a
//! register each. Phis, copies and calls then need nothing more for it, and any number of objects
//! may be alive at once.

use dxil_frontend::ir::Type;

use super::code::MAX_ATTRIBUTE_WORDS;

/// Words of a hit object.
pub(crate) const HIT_OBJECT_WORDS: usize = Word::Attributes as usize + MAX_ATTRIBUTE_WORDS as usize;

/// The words of a hit object. All are zero in an empty one (`MakeNop`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    /// See [`state`].
    State,
    Flags,
    /// Index into the table of hit groups or miss shaders.
    Record,
    Origin,
    TMin = 6,
    Direction,
    /// End of the ray, or the distance of the hit.
    T = 10,
    /// Number of the acceleration structure, plus one.
    Structure,
    Instance,
    Geometry,
    Primitive,
    HitKind,
    /// Barycentrics of a triangle, or what the intersection shader has reported.
    Attributes,
}

/// Values of [`Word::State`]; zero is an empty object.
pub(crate) mod state {
    pub(crate) const MISS: u32 = 1;
    pub(crate) const HIT: u32 = 2;
    pub(crate) const KINDS: u32 = MISS | HIT;
    pub(crate) const PROCEDURAL: u32 = 4;
    pub(crate) const FRONT: u32 = 8;
    /// It has an index into a shader table: what comes from a query has none before it is set.
    pub(crate) const HAS_RECORD: u32 = 16;
}

/// Returns whether values of a type are hit objects.
pub(crate) fn is_hit_object(ty: &Type) -> bool {
    matches!(ty, Type::Struct { name: Some(name), .. } if &**name == "dx.types.HitObject")
}
