//! The state of calls by way of shader tables.

use super::ray_query::Query;
use crate::resources::ShaderReference;
use crate::schedule::stack::Mask;

/// The reason of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum RayRole {
    /// Ray generation and callable shaders, which see no ray.
    #[default]
    General,
    Miss,
    ClosestHit,
    AnyHit,
    Intersection,
}

/// The decision of an any-hit shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Verdict {
    #[default]
    Accepted,
    Ignored,
    /// `AcceptHitAndEndSearch`.
    AcceptedAndEnded,
}

/// A lane's part of a call.
#[derive(Debug, Clone, Default)]
pub(super) struct LaneCall {
    pub(super) query: Query,
    pub(super) contribution: u32,
    pub(super) multiplier: u32,
    pub(super) miss: u32,
    /// Address of the payload or parameter.
    pub(super) pointer: u32,
    /// Address of the reported attributes.
    pub(super) attributes: u32,
    /// Shader that is to be called, and for what.
    pub(super) wants: Option<(ShaderReference, RayRole)>,
    pub(super) verdict: Verdict,
    /// Whether a reported hit lies within the ray.
    pub(super) is_valid: bool,
}

/// A call by way of shader tables.
#[derive(Debug, Clone, Default)]
pub(super) struct TableCall {
    pub(super) kind: CallKind,
    pub(super) lanes: Vec<LaneCall>,
    /// Lanes of the shader that was called last.
    pub(super) running: Mask,
    /// The calling instruction, which receives the results of a report.
    pub(super) site: (u32, u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum CallKind {
    /// Looks for hits.
    #[default]
    Search,
    /// Looks for hits, and gives a hit object.
    ObjectSearch,
    /// Calls closest-hit and miss shaders.
    Shade,
    /// A reported hit of the search of that number.
    Report {
        search: usize,
        words: u32,
    },
    Callable,
}

impl CallKind {
    pub(super) fn is_search(self) -> bool {
        matches!(self, CallKind::Search | CallKind::ObjectSearch)
    }
}
