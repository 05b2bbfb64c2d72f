//! Operations that only stages of a draw have.

use super::context::{Context, lanes_of};
use super::dimensions::sample_place;
use super::raster_memory::{Emission, MeshDispatch, RasterMemory};
use crate::decode::code::{Complex, ComplexOp, Space, slot};
use crate::decode::lane_ops::RegisterKind;
use crate::decode::raster_code::RasterOp;
use crate::decode::record_layout::RecordScalar;
use crate::schedule::stack::Mask;

/// Groups of a mesh shader in one direction, and in all (mesh shader specification,
/// "DispatchMesh").
const MAX_GROUPS: u32 = 1 << 16;
const MAX_GROUPS_IN_ALL: u64 = 1 << 22;

/// Returns the bytes of a payload: the end of its last scalar.
fn payload_bytes(scalars: &[RecordScalar]) -> usize {
    let end = |scalar: &RecordScalar| (scalar.offset + scalar.bytes) as usize;
    scalars.iter().map(end).max().unwrap_or(0)
}

fn kind_of(scalar: &RecordScalar) -> RegisterKind {
    if scalar.bytes > 4 {
        RegisterKind::D
    } else {
        RegisterKind::W
    }
}

impl Context<'_> {
    /// Returns the helper lanes that an instruction leaves out.
    pub(super) fn left_out(&self, op: &ComplexOp) -> Mask {
        let Some(raster) = &self.group.raster else {
            return 0;
        };
        let helpers = raster.helpers.get() & self.mask;
        let with_waves = self.shared.kernel.waves_include_helpers;
        if helpers != 0 && op.leaves_out_helpers(with_waves) {
            helpers
        } else {
            0
        }
    }

    /// Gives helper lanes, which an instruction has left out, the result of the first other lane:
    /// a loop that waits for such a result then ends for them as well.
    pub(super) fn follow_first(&self, complex: &Complex, helpers: Mask) {
        let first = lanes_of(self.mask & !helpers).next();
        for &dst in &complex.dst {
            let value = first.map_or(0, |first| self.registers.get(dst, first));
            for lane in lanes_of(helpers) {
                self.registers.set(dst, lane, value);
            }
        }
    }

    /// Executes an operation of a stage of a draw.
    pub(super) fn raster(&self, op: &RasterOp, complex: &Complex) {
        let Some(raster) = &self.group.raster else {
            return;
        };
        let r = &self.registers;
        let word = |index: usize, lane: usize| r.word(slot(&complex.src, index), lane);
        match op {
            RasterOp::MeshCounts => {
                let memory = &self.shared.kernel.signature;
                let maximum = [memory.max_vertices, memory.max_primitives];
                for lane in self.on() {
                    let counts = [word(0, lane).min(maximum[0]), word(1, lane).min(maximum[1])];
                    raster.mesh.borrow_mut().counts = counts;
                }
            }
            RasterOp::MeshIndices => {
                let mut mesh = raster.mesh.borrow_mut();
                for lane in self.on() {
                    let indices = [1, 2, 3].map(|index| word(index, lane));
                    if let Some(place) = mesh.indices.get_mut(word(0, lane) as usize) {
                        *place = indices;
                    }
                }
            }
            RasterOp::VertexOutput => {
                let mesh = &mut *raster.mesh.borrow_mut();
                let size = self.shared.kernel.signature.output_words;
                self.store_outputs(&mut mesh.vertices, size, complex);
            }
            RasterOp::PrimitiveOutput => {
                let mesh = &mut *raster.mesh.borrow_mut();
                let size = self.shared.kernel.signature.patch_constant_words;
                self.store_outputs(&mut mesh.primitives, size, complex);
            }
            RasterOp::Payload { at, scalars } => {
                for lane in self.on() {
                    self.load_payload(&raster.payload, (*at, scalars), lane);
                    r.set(slot(&complex.dst, 0), lane, u64::from(*at));
                }
            }
            RasterOp::DispatchMesh {
                is_groupshared,
                scalars,
            } => {
                let space = if *is_groupshared {
                    Space::Shared
                } else {
                    Space::Private
                };
                self.dispatch_mesh(raster, (space, scalars), complex);
            }
            RasterOp::Emit(stream) => self.emit(raster, u32::from(*stream)),
            RasterOp::Cut(stream) => {
                let mut emitted = raster.emitted.borrow_mut();
                for lane in self.on() {
                    emitted.all.push(Emission {
                        lane: lane as u32,
                        stream: u32::from(*stream),
                        first: None,
                    });
                }
            }
            RasterOp::Discard => {
                let lanes = self.on().filter(|lane| word(0, *lane) != 0);
                let discarded = lanes.fold(0, |mask: Mask, lane| mask | 1 << lane);
                raster.helpers.set(raster.helpers.get() | discarded);
            }
            RasterOp::IsHelper => {
                for lane in self.on() {
                    let is_helper = raster.helpers.get() >> lane & 1;
                    r.set(slot(&complex.dst, 0), lane, is_helper as u64);
                }
            }
            RasterOp::SamplePosition => {
                for lane in self.on() {
                    let place = sample_place(word(0, lane), word(1, lane));
                    for (&dst, part) in complex.dst.iter().zip(place) {
                        r.set(dst, lane, u64::from(part.to_bits()));
                    }
                }
            }
        }
    }

    /// Stores words of a group's vertices or primitives; what lies after the last one is dropped.
    fn store_outputs(&self, words: &mut [u32], size: u32, complex: &Complex) {
        let r = &self.registers;
        for lane in self.on() {
            let [place, value, index] =
                [0, 1, 2].map(|index| r.word(slot(&complex.src, index), lane));
            let at = u64::from(index) * u64::from(size) + u64::from(place);
            let at = usize::try_from(at).unwrap_or(usize::MAX);
            if let Some(word) = words.get_mut(at) {
                *word = value;
            }
        }
    }

    /// Copies the payload to a lane's memory; what the caller's lacks is zero.
    fn load_payload(&self, payload: &[u8], (at, scalars): (u32, &[RecordScalar]), lane: usize) {
        let mut address = at;
        for scalar in scalars {
            let start = scalar.offset as usize;
            let bytes = payload.get(start..start.saturating_add(scalar.bytes as usize));
            let bytes = bytes.unwrap_or_default().iter().enumerate();
            let value = bytes.fold(0, |value, (index, byte)| {
                value | u64::from(*byte) << (8 * index)
            });
            self.write_value(Space::Private, address, lane, kind_of(scalar), value);
            address += scalar.bytes.div_ceil(4);
        }
    }

    /// Dispatches mesh groups for the first wave that reaches the operation: all threads ask for
    /// the same.
    fn dispatch_mesh(
        &self,
        raster: &RasterMemory,
        (space, scalars): (Space, &[RecordScalar]),
        complex: &Complex,
    ) {
        let mut dispatch = raster.dispatch.borrow_mut();
        let Some(lane) = self.on().next().filter(|_| dispatch.is_none()) else {
            return;
        };
        let r = &self.registers;
        let [x, y, z, mut address] =
            [0, 1, 2, 3].map(|index| r.word(slot(&complex.src, index), lane));
        let mut payload = vec![0; payload_bytes(scalars)];
        for scalar in scalars {
            let value = self.read_value(space, address, lane, kind_of(scalar));
            let start = scalar.offset as usize;
            let bytes = &value.to_le_bytes()[..scalar.bytes.min(8) as usize];
            if let Some(place) = payload.get_mut(start..start + bytes.len()) {
                place.copy_from_slice(bytes);
            }
            address = address.wrapping_add(scalar.bytes.div_ceil(4));
        }
        let groups = [x, y, z];
        let all = groups
            .iter()
            .map(|n| u64::from(*n))
            .fold(1, u64::saturating_mul);
        // More groups are an error in D3D12, and none of them runs.
        let is_valid = groups.iter().all(|n| *n < MAX_GROUPS) && all <= MAX_GROUPS_IN_ALL;
        *dispatch = Some(MeshDispatch {
            groups: if is_valid { groups } else { [0; 3] },
            payload,
        });
    }

    /// Adds the outputs of each lane to a stream. Vertices beyond the declared number are dropped
    /// (D3D11.3, 22.8.16).
    fn emit(&self, raster: &RasterMemory, stream: u32) {
        let memory = &self.shared.kernel.signature;
        let emitted = &mut *raster.emitted.borrow_mut();
        for lane in self.on() {
            let Some(count) = emitted.counts.get_mut(lane) else {
                continue;
            };
            if *count >= memory.max_vertices {
                continue;
            }
            *count += 1;
            let first = emitted.words.len();
            let addresses = memory.outputs_at..memory.outputs_at + memory.output_words;
            let words = addresses.map(|address| {
                let kind = RegisterKind::W;
                self.read_value(Space::Private, address, lane, kind) as u32
            });
            emitted.words.extend(words);
            emitted.all.push(Emission {
                lane: lane as u32,
                stream,
                first: Some(first),
            });
        }
    }
}
