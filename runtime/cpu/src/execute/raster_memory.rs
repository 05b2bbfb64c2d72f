//! State that the invocations of a draw's stage share with their caller while they run.

use std::cell::{Cell, RefCell};

use crate::decode::Kernel;
use crate::schedule::stack::Mask;

/// Something that an invocation of a geometry shader did to a stream.
#[derive(Debug, Clone, Copy)]
pub(super) struct Emission {
    pub(super) lane: u32,
    pub(super) stream: u32,
    /// First word of the vertex; none where the strip was cut.
    pub(super) first: Option<usize>,
}

/// The vertices that a geometry shader's invocations have emitted, in the order of each invocation.
#[derive(Debug, Default)]
pub(super) struct Emitted {
    pub(super) all: Vec<Emission>,
    pub(super) words: Vec<u32>,
    /// Vertices of each lane.
    pub(super) counts: Vec<u32>,
}

/// Vertices and primitives of a mesh shader's group.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MeshGroup {
    /// Vertices and primitives.
    pub counts: [u32; 2],
    /// Words of the vertices, one vertex after the other ([`Kernel::outputs`]).
    pub vertices: Vec<u32>,
    /// Words that the primitives have each ([`Kernel::patch_constants`]).
    pub primitives: Vec<u32>,
    /// The vertices of each primitive; lines have two.
    pub indices: Vec<[u32; 3]>,
}

/// The dispatch of a group of an amplification shader.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MeshDispatch {
    /// Groups of the mesh shader.
    pub groups: [u32; 3],
    /// Bytes of the payload.
    pub payload: Vec<u8>,
}

/// Memory of the stages of a draw.
#[derive(Debug, Default)]
pub(crate) struct RasterMemory {
    /// Helper lanes of a pixel shader.
    pub(super) helpers: Cell<Mask>,
    pub(super) emitted: RefCell<Emitted>,
    pub(super) mesh: RefCell<MeshGroup>,
    /// The payload that a mesh shader reads.
    pub(super) payload: Vec<u8>,
    /// The dispatch of an amplification shader.
    pub(super) dispatch: RefCell<Option<MeshDispatch>>,
}

impl RasterMemory {
    /// Clears what a wave of invocations leaves.
    pub(super) fn begin_wave(&mut self, lanes: usize, helpers: Mask) {
        self.helpers.set(helpers);
        let emitted = self.emitted.get_mut();
        emitted.all.clear();
        emitted.words.clear();
        emitted.counts.clear();
        emitted.counts.resize(lanes, 0);
    }

    /// Clears what a group of a mesh or amplification shader leaves.
    pub(super) fn begin_group(&mut self, kernel: &Kernel) {
        let memory = &kernel.signature;
        let [vertices, primitives] = [memory.max_vertices, memory.max_primitives];
        *self.mesh.get_mut() = MeshGroup {
            counts: [0; 2],
            vertices: vec![0; (vertices * memory.output_words) as usize],
            primitives: vec![0; (primitives * memory.patch_constant_words) as usize],
            indices: vec![[0; 3]; primitives as usize],
        };
        *self.dispatch.get_mut() = None;
    }
}
