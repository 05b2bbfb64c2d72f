//! What an invocation of a draw's stage is of.

use std::fmt;

use dxil_frontend::dxil::ShaderKind;

/// An invocation of a draw's stage or a group of a node, as a user names it. Instances of the draw
/// count on: vertices, patches and primitives have numbers in the whole draw but for those of
/// vertices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Invocation {
    /// A vertex shader's.
    Vertex {
        /// Number of the vertex in the order of the draw: not an index.
        vertex: u32,
        /// Instance of the draw.
        instance: u32,
    },
    /// A hull shader's.
    ControlPoint {
        /// Number of the patch.
        patch: u32,
        /// Number of the control point that it makes.
        point: u32,
    },
    /// A patch constant function's.
    PatchConstants {
        /// Number of the patch.
        patch: u32,
    },
    /// A domain shader's.
    DomainPoint {
        /// Number of the patch.
        patch: u32,
        /// Number of the point in the patch, in the order of the tessellator.
        point: u32,
    },
    /// A geometry shader's.
    Primitive {
        /// Number of the primitive.
        primitive: u32,
        /// `SV_GSInstanceID`.
        instance: u32,
    },
    /// A pixel shader's.
    Pixel {
        /// Column and row.
        at: [u32; 2],
        /// Number of the primitive.
        primitive: u32,
        /// The sample, of a shader that runs for each of them.
        sample: Option<u32>,
    },
    /// A group of an amplification or mesh shader.
    Group {
        /// Which of the two.
        stage: ShaderKind,
        /// The group; of a mesh shader in the dispatch of its amplification shader's group.
        group: [u32; 3],
    },
    /// A group of a node of a work graph.
    NodeGroup {
        /// Number of the group in the run of the node.
        number: u32,
    },
}

impl Invocation {
    /// Returns the stage that runs it.
    pub fn stage(&self) -> ShaderKind {
        match self {
            Invocation::Vertex { .. } => ShaderKind::Vertex,
            Invocation::ControlPoint { .. } | Invocation::PatchConstants { .. } => ShaderKind::Hull,
            Invocation::DomainPoint { .. } => ShaderKind::Domain,
            Invocation::Primitive { .. } => ShaderKind::Geometry,
            Invocation::Pixel { .. } => ShaderKind::Pixel,
            Invocation::Group { stage, .. } => *stage,
            Invocation::NodeGroup { .. } => ShaderKind::Node,
        }
    }
}

impl fmt::Display for Invocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Invocation::Vertex { vertex, instance } => {
                write!(f, "vertex {vertex}")?;
                match instance {
                    0 => Ok(()),
                    _ => write!(f, " of instance {instance}"),
                }
            }
            Invocation::ControlPoint { patch, point } => {
                write!(f, "control point {point} of patch {patch}")
            }
            Invocation::PatchConstants { patch } => write!(f, "patch {patch}"),
            Invocation::DomainPoint { patch, point } => {
                write!(f, "domain point {point} in patch {patch}")
            }
            Invocation::Primitive {
                primitive,
                instance,
            } => {
                write!(f, "primitive {primitive}")?;
                match instance {
                    0 => Ok(()),
                    _ => write!(f, ", instance {instance}"),
                }
            }
            Invocation::Pixel {
                at: [x, y],
                primitive,
                sample,
            } => {
                write!(f, "pixel {x},{y} of primitive {primitive}")?;
                match sample {
                    None => Ok(()),
                    Some(sample) => write!(f, ", sample {sample}"),
                }
            }
            Invocation::Group {
                stage,
                group: [x, y, z],
            } => write!(f, "{} group {x},{y},{z}", stage.prefix()),
            Invocation::NodeGroup { number } => write!(f, "group {number} of the node"),
        }
    }
}
