//! Which vectors stay whole.

use dxil_frontend::dxil::ShaderKind;
use dxil_frontend::ir::{Type, TypeId, TypeTable};

use crate::options::Features;
use crate::vectors::rules::{MAX_CORE_ELEMENTS, MAX_ELEMENTS, vector_of};
use crate::{Instrumentation, Options};

/// Returns the maximum number of elements of a vector in SPIR-V.
pub(crate) fn max_vector_size(options: &Options) -> u32 {
    if options.target.features.contains(Features::LONG_VECTOR) {
        MAX_ELEMENTS
    } else {
        MAX_CORE_ELEMENTS
    }
}

/// Which vectors stay whole.
#[derive(Debug, Clone, Copy)]
pub(super) struct WholeVectors {
    /// Maximum number of elements of a value.
    in_values: u32,
    /// Maximum number of elements in memory.
    in_memory: u32,
}

impl WholeVectors {
    /// Returns the vectors that stay whole in a shader with these types.
    pub(super) fn new(types: &TypeTable, kind: ShaderKind, options: &Options) -> Self {
        // The checks of an instrumented module take scalars.
        let is_instrumented = options.instrumentation != Instrumentation::default();
        if is_instrumented || !options.consumer().compact_code {
            return WholeVectors {
                in_values: 0,
                in_memory: MAX_CORE_ELEMENTS,
            };
        }
        // Payloads and hit attributes have no long vectors (SPV_EXT_long_vector, 2.16.1).
        let size = if has_payload(kind) && has_aggregate_of_long_vectors(types) {
            MAX_CORE_ELEMENTS
        } else {
            max_vector_size(options)
        };
        WholeVectors {
            in_values: size,
            in_memory: size,
        }
    }

    /// Returns whether a value of that many elements stays whole.
    pub(super) fn keep(self, count: u32) -> bool {
        (2..=self.in_values).contains(&count)
    }

    /// Returns whether vectors of that many elements stay in memory.
    pub(super) fn are_in_memory(self, count: u32) -> bool {
        (2..=self.in_memory).contains(&count)
    }
}

fn has_payload(kind: ShaderKind) -> bool {
    use ShaderKind::*;
    matches!(
        kind,
        RayGeneration | Intersection | AnyHit | ClosestHit | Miss | Callable | Mesh | Amplification
    )
}

fn has_aggregate_of_long_vectors(types: &TypeTable) -> bool {
    let is_long =
        |&ty: &TypeId| vector_of(types, ty).is_some_and(|(_, count)| count > MAX_CORE_ELEMENTS);
    types.types.values().any(|ty| match ty {
        Type::Struct { fields, .. } => fields.iter().any(is_long),
        Type::Array { element, .. } => is_long(element),
        _ => false,
    })
}
