//! Families of operations, and the table of which operations a consumer supports.
//!
//! The family follows from the row (its section, stages and flags), so a new row needs no entry
//! here.

use std::fmt::Write;

use super::{Group, OpFlags, Opcode, Role, Stages};

/// The subject of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Arithmetic, bits and conversions.
    Arithmetic,
    /// Handles of resources.
    Handles,
    /// Constant, raw, structured and typed buffers.
    Buffers,
    /// Textures and samplers.
    Textures,
    /// Atomics on resources.
    Atomics,
    /// Sampler feedback.
    Feedback,
    /// Exchange in a wave or quad.
    Waves,
    /// Barriers.
    Barriers,
    /// Derivatives, discard and queries of pixel shaders.
    Pixel,
    /// Identity of a thread in its group.
    Compute,
    /// Signatures.
    Signatures,
    /// Vertex, geometry, hull and domain shaders.
    Geometry,
    /// Mesh and amplification shaders.
    Mesh,
    /// Ray tracing pipelines.
    RayTracing,
    /// Ray queries.
    RayQueries,
    /// Hit objects and thread reordering (SM 6.9).
    HitObjects,
    /// Work graphs.
    WorkGraphs,
    /// Register files that shader model 6 does not have.
    Legacy,
    /// The preview shader model.
    Preview,
}

impl Family {
    /// All families of released shader models, in the order of the table.
    pub const ALL: [Family; 18] = [
        Family::Arithmetic,
        Family::Handles,
        Family::Buffers,
        Family::Textures,
        Family::Atomics,
        Family::Feedback,
        Family::Waves,
        Family::Barriers,
        Family::Compute,
        Family::Pixel,
        Family::Signatures,
        Family::Geometry,
        Family::Mesh,
        Family::RayQueries,
        Family::RayTracing,
        Family::HitObjects,
        Family::WorkGraphs,
        Family::Legacy,
    ];

    /// Returns the name in tables.
    pub const fn name(self) -> &'static str {
        match self {
            Family::Arithmetic => "Arithmetic, bits, conversions",
            Family::Handles => "Resource handles",
            Family::Buffers => "Buffers",
            Family::Textures => "Textures and samplers",
            Family::Atomics => "Atomics and counters",
            Family::Feedback => "Sampler feedback",
            Family::Waves => "Waves and quads",
            Family::Barriers => "Barriers",
            Family::Pixel => "Derivatives and pixel shaders",
            Family::Compute => "Thread ids",
            Family::Signatures => "Inputs and outputs",
            Family::Geometry => "Vertex, geometry and tessellation",
            Family::Mesh => "Mesh and amplification",
            Family::RayTracing => "Ray tracing pipelines",
            Family::RayQueries => "Ray queries",
            Family::HitObjects => "Hit objects, reordering",
            Family::WorkGraphs => "Work graphs",
            Family::Legacy => "Unused by SM 6",
            Family::Preview => "Preview of SM 6.10",
        }
    }
}

impl Opcode {
    /// Returns the operation's family.
    pub fn family(self) -> Family {
        let row = self.properties();
        match row.group {
            Group::Float | Group::Integer | Group::Bits => Family::Arithmetic,
            Group::Register => Family::Legacy,
            Group::Handle => Family::Handles,
            Group::Buffer => Family::Buffers,
            Group::Texture | Group::Sampling => Family::Textures,
            Group::Feedback => Family::Feedback,
            Group::ResourceAtomic => Family::Atomics,
            Group::CrossLane => Family::Waves,
            Group::Derivative => Family::Pixel,
            Group::ThreadId => Family::Compute,
            Group::Stream => Family::Geometry,
            Group::Mesh => Family::Mesh,
            Group::RayQuery => Family::RayQueries,
            Group::RayTracing => Family::RayTracing,
            Group::HitObject => Family::HitObjects,
            Group::Node => Family::WorkGraphs,
            Group::Barrier if row.stages == Stages::NODE => Family::WorkGraphs,
            Group::Barrier => Family::Barriers,
            Group::Vector if row.takes(Role::Buffer) => Family::Buffers,
            Group::Vector => Family::Arithmetic,
            Group::Preview | Group::LinAlg => Family::Preview,
            // Elements and system values are listed with their stage, unless several have them.
            Group::Signature | Group::SystemValue => match row.stages {
                _ if row.flags.contains(OpFlags::SIGNATURE) => Family::Signatures,
                Stages::PIXEL => Family::Pixel,
                Stages::MESH => Family::Mesh,
                _ => Family::Geometry,
            },
        }
    }
}

/// Returns a Markdown table: per family how many operations `supports` holds for, and which ones
/// not.
pub fn coverage_table(supports: impl Fn(Opcode) -> bool) -> String {
    let mut out = String::from("| Family | Supported | Not supported |\n|---|---:|---|\n");
    let (mut all, mut good) = (0, 0);
    for family in Family::ALL {
        let members = Opcode::ALL.iter().filter(|op| op.family() == family);
        let (yes, no): (Vec<Opcode>, Vec<Opcode>) = members.partition(|op| supports(**op));
        let total = yes.len() + no.len();
        all += total;
        good += yes.len();
        let missing = match (yes.len(), no.len()) {
            (_, 0) => String::new(),
            (0, _) => "all".to_owned(),
            _ => {
                let names: Vec<String> = no.iter().map(|op| format!("`{op}`")).collect();
                names.join(", ")
            }
        };
        let _ = writeln!(
            out,
            "| {} | {} of {total} | {missing} |",
            family.name(),
            yes.len(),
        );
    }
    let _ = writeln!(out, "| **All** | **{good} of {all}** | |");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_find_their_family() {
        for (op, family) in [
            (Opcode::FMad, Family::Arithmetic),
            (Opcode::BitcastF32toI32, Family::Arithmetic),
            (Opcode::FDot, Family::Arithmetic),
            (Opcode::CBufferLoadLegacy, Family::Buffers),
            (Opcode::RawBufferVectorStore, Family::Buffers),
            (Opcode::Sample, Family::Textures),
            (Opcode::CalculateLOD, Family::Textures),
            (Opcode::TextureStoreSample, Family::Textures),
            (Opcode::WriteSamplerFeedbackGrad, Family::Feedback),
            (Opcode::QuadVote, Family::Waves),
            (Opcode::WaveMatch, Family::Waves),
            (Opcode::BarrierByMemoryHandle, Family::Barriers),
            (Opcode::BarrierByNodeRecordHandle, Family::WorkGraphs),
            (Opcode::DerivFineY, Family::Pixel),
            (Opcode::Discard, Family::Pixel),
            (Opcode::ThreadId, Family::Compute),
            (Opcode::EmitStream, Family::Geometry),
            (Opcode::DomainLocation, Family::Geometry),
            (Opcode::StartVertexLocation, Family::Geometry),
            (Opcode::PrimitiveID, Family::Geometry),
            (Opcode::EmitIndices, Family::Mesh),
            (Opcode::DispatchMesh, Family::Mesh),
            (Opcode::TraceRay, Family::RayTracing),
            (Opcode::IgnoreHit, Family::RayTracing),
            (Opcode::PrimitiveIndex, Family::RayTracing),
            (Opcode::RayQueryProceed, Family::RayQueries),
            (Opcode::HitObjectMakeNop, Family::HitObjects),
            (Opcode::GetNodeRecordPtr, Family::WorkGraphs),
        ] {
            assert_eq!(op.family(), family, "{op}");
        }
    }

    #[test]
    fn the_table_counts_every_operation_once() {
        let table = coverage_table(|op| op != Opcode::FMad && op.family() != Family::WorkGraphs);
        assert!(table.contains("| `FMad` |"), "{table}");
        assert!(table.contains("| Work graphs | 0 of 14 | all |"), "{table}");
        let total: usize = Family::ALL
            .iter()
            .map(|family| {
                Opcode::ALL
                    .iter()
                    .filter(|op| op.family() == *family)
                    .count()
            })
            .sum();
        assert_eq!(total, Opcode::ALL.len());
    }
}
