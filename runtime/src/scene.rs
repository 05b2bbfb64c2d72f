//! Acceleration structures as data: geometries, instances, and the structures made of them.
//!
//! The words are D3D12's (DXR specification, "Geometry and acceleration structures";
//! `D3D12_RAYTRACING_GEOMETRY_DESC` and `D3D12_RAYTRACING_INSTANCE_DESC`). Vertices, indices and
//! boxes lie in buffers of the job, which the build reads as they are before the work.

use bitflags::bitflags;

use crate::error::{Error, Result};
use crate::format::Format;
use crate::resource::{Resource, ResourceId, Storage};

/// Rows of a 3x4 matrix: three rows of four, the last column moves.
pub type Transform = [f32; 12];

/// The transform that changes nothing.
pub const IDENTITY: Transform = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];

/// Maximum that an instance's id or hit group offset may be: both have 24 bits.
pub const MAX_24_BITS: u32 = (1 << 24) - 1;

/// Bytes of a box: least x, y, z and greatest x, y, z (`D3D12_RAYTRACING_AABB`).
pub const BOX_BYTES: u32 = 24;

bitflags! {
    /// `D3D12_RAYTRACING_GEOMETRY_FLAGS`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct GeometryFlags: u32 {
        /// No any-hit shader runs.
        const OPAQUE = 1;
        /// The any-hit shader runs once for each primitive that a ray hits.
        const NO_DUPLICATE_ANY_HIT = 2;
    }
}

bitflags! {
    /// `D3D12_RAYTRACING_INSTANCE_FLAGS`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct InstanceFlags: u8 {
        /// Neither side of a triangle is culled.
        const TRIANGLE_CULL_DISABLE = 1;
        /// Counter-clockwise triangles face the front; without it clockwise ones do.
        const TRIANGLE_FRONT_COUNTERCLOCKWISE = 2;
        /// All geometries count as opaque.
        const FORCE_OPAQUE = 4;
        /// No geometry counts as opaque.
        const FORCE_NON_OPAQUE = 8;
    }
}

/// The index buffer of triangles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TriangleIndices {
    /// The buffer.
    pub resource: ResourceId,
    /// First byte.
    pub offset: u64,
    /// Number of indices, three for a triangle.
    pub count: u32,
    /// Whether they have 32 bits instead of 16.
    pub wide: bool,
}

/// Triangles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Triangles {
    /// Buffer of the vertices.
    pub vertices: ResourceId,
    /// First byte.
    pub offset: u64,
    /// Format of a position.
    pub format: Format,
    /// Bytes from a vertex to the next.
    pub stride: u32,
    /// Vertices; without indices three for a triangle.
    pub count: u32,
    /// Indices, if any.
    pub indices: Option<TriangleIndices>,
    /// The transform of vertices before the structure is built.
    pub transform: Option<Transform>,
    /// `D3D12_RAYTRACING_GEOMETRY_FLAGS`: opaque, any-hit once.
    pub flags: GeometryFlags,
}

/// Boxes around procedural primitives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Boxes {
    /// The buffer.
    pub resource: ResourceId,
    /// First byte.
    pub offset: u64,
    /// Bytes from a box to the next; a multiple of 8.
    pub stride: u32,
    /// Boxes.
    pub count: u32,
    /// `D3D12_RAYTRACING_GEOMETRY_FLAGS`: opaque, any-hit once.
    pub flags: GeometryFlags,
}

/// A geometry of a bottom-level acceleration structure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Geometry {
    /// Triangles.
    Triangles(Triangles),
    /// Procedural primitives.
    Boxes(Boxes),
}

/// A bottom-level acceleration structure: geometries of one kind.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BottomLevel {
    /// Name for messages.
    pub name: String,
    /// Its geometries.
    pub geometries: Vec<Geometry>,
}

/// An instance in a top-level acceleration structure.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// Index into [`Scene::bottom`]; `None` is an instance that no ray hits.
    pub bottom: Option<usize>,
    /// From the bottom level's space to the world's.
    pub transform: Transform,
    /// `InstanceID()`, 24 bits.
    pub id: u32,
    /// A ray sees it if its own mask has a bit of this one.
    pub mask: u8,
    /// `InstanceContributionToHitGroupIndex`, 24 bits.
    pub hit_group_offset: u32,
    /// `D3D12_RAYTRACING_INSTANCE_FLAGS`: culling, winding, opacity.
    pub flags: InstanceFlags,
}

impl Instance {
    /// Returns an instance of a bottom level without transformation, visible to all rays.
    pub fn new(bottom: usize) -> Self {
        Instance {
            bottom: Some(bottom),
            transform: IDENTITY,
            id: 0,
            mask: 0xff,
            hit_group_offset: 0,
            flags: InstanceFlags::empty(),
        }
    }
}

/// A top-level acceleration structure: what a register sees.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TopLevel {
    /// Name for messages.
    pub name: String,
    /// Its instances; `InstanceIndex()` counts them.
    pub instances: Vec<Instance>,
}

/// The acceleration structures of a job.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Scene {
    /// Bottom level.
    pub bottom: Vec<BottomLevel>,
    /// Top level; views name them by index.
    pub top: Vec<TopLevel>,
}

impl Triangles {
    /// Returns tightly packed `float3` positions, opaque, without indices.
    pub fn new(vertices: ResourceId, count: u32) -> Self {
        Triangles {
            vertices,
            offset: 0,
            format: Format::Rgb32Float,
            stride: 12,
            count,
            indices: None,
            transform: None,
            flags: GeometryFlags::OPAQUE,
        }
    }

    /// Returns the number of triangles.
    pub fn primitives(&self) -> u32 {
        self.indices.map_or(self.count, |indices| indices.count) / 3
    }
}

impl Boxes {
    /// Returns tightly packed boxes, opaque.
    pub fn new(resource: ResourceId, count: u32) -> Self {
        Boxes {
            resource,
            offset: 0,
            stride: BOX_BYTES,
            count,
            flags: GeometryFlags::OPAQUE,
        }
    }
}

impl Geometry {
    /// Returns the kind of primitives: triangles or boxes.
    pub fn primitives(&self) -> u32 {
        match self {
            Geometry::Triangles(triangles) => triangles.primitives(),
            Geometry::Boxes(boxes) => boxes.count,
        }
    }
}

impl Scene {
    /// Adds a bottom level.
    pub fn add_bottom(&mut self, name: &str, geometries: Vec<Geometry>) -> usize {
        self.bottom.push(BottomLevel {
            name: name.to_owned(),
            geometries,
        });
        self.bottom.len() - 1
    }

    /// Adds a top level.
    pub fn add_top(&mut self, name: &str, instances: Vec<Instance>) -> usize {
        self.top.push(TopLevel {
            name: name.to_owned(),
            instances,
        });
        self.top.len() - 1
    }

    /// Checks that all ranges are inside their resources, and that every name refers to something.
    /// A device is not asked.
    pub(crate) fn check(&self, resources: &[Resource]) -> Result<()> {
        for bottom in &self.bottom {
            let who = format!("bottom-level acceleration structure `{}`", bottom.name);
            bottom
                .check(resources)
                .map_err(|problem| Error::BadJob(format!("{who}: {problem}")))?;
        }
        for top in &self.top {
            for (index, instance) in top.instances.iter().enumerate() {
                instance.check(self.bottom.len()).map_err(|problem| {
                    let name = &top.name;
                    Error::BadJob(format!(
                        "top-level acceleration structure `{name}`, instance {index}: {problem}"
                    ))
                })?;
            }
        }
        Ok(())
    }
}

impl Instance {
    fn check(&self, bottoms: usize) -> Result<(), String> {
        if self.bottom.is_some_and(|bottom| bottom >= bottoms) {
            return Err("its bottom level does not exist".to_owned());
        }
        for (what, value) in [("id", self.id), ("hit group offset", self.hit_group_offset)] {
            if value > MAX_24_BITS {
                return Err(format!("its {what} {value} has more than 24 bits"));
            }
        }
        let both = InstanceFlags::FORCE_OPAQUE | InstanceFlags::FORCE_NON_OPAQUE;
        if self.flags.contains(both) {
            return Err("it cannot be forced to be opaque and to be not".to_owned());
        }
        Ok(())
    }
}

impl BottomLevel {
    /// Returns whether its geometries are boxes; one without any counts as triangles.
    pub fn is_procedural(&self) -> bool {
        matches!(self.geometries.first(), Some(Geometry::Boxes(_)))
    }

    fn check(&self, resources: &[Resource]) -> Result<(), String> {
        for (index, geometry) in self.geometries.iter().enumerate() {
            // VUID-VkAccelerationStructureBuildGeometryInfoKHR-type-03792 and DXR both want
            // geometries of one type.
            if matches!(geometry, Geometry::Boxes(_)) != self.is_procedural() {
                return Err("it has triangles and boxes; each structure takes one kind".to_owned());
            }
            match geometry {
                Geometry::Triangles(triangles) => triangles.check(resources),
                Geometry::Boxes(boxes) => boxes.check(resources),
            }
            .map_err(|problem| format!("geometry {index}: {problem}"))?;
        }
        Ok(())
    }
}

impl Triangles {
    fn check(&self, resources: &[Resource]) -> Result<(), String> {
        let part = BufferRange {
            what: "vertices",
            resource: self.vertices,
            offset: self.offset,
            stride: self.stride,
            bytes: self.format.block_bytes(),
            count: self.count,
        };
        part.bytes_of(resources)?;
        // Positions are aligned to a component, not to a whole position: the vertex stride may be
        // 12 for `float3`.
        let component = self.format.block_bytes() / self.format.components().max(1) as u32;
        let aligned = u64::from(component.max(1));
        if !self.offset.is_multiple_of(aligned) || !u64::from(self.stride).is_multiple_of(aligned) {
            return Err(format!(
                "vertices are at {} and {} bytes apart, and a component has {component}",
                self.offset, self.stride
            ));
        }
        match self.indices {
            None if !self.count.is_multiple_of(3) => Err(format!(
                "{} vertices are no whole number of triangles",
                self.count
            )),
            None => Ok(()),
            Some(indices) => indices.check(resources, self.count),
        }
    }
}

impl TriangleIndices {
    fn check(&self, resources: &[Resource], vertices: u32) -> Result<(), String> {
        if !self.count.is_multiple_of(3) {
            return Err(format!(
                "{} indices are no whole number of triangles",
                self.count
            ));
        }
        let size: u32 = if self.wide { 4 } else { 2 };
        if !self.offset.is_multiple_of(u64::from(size)) {
            return Err(format!("its indices start at {}, within one", self.offset));
        }
        let part = BufferRange {
            what: "indices",
            resource: self.resource,
            offset: self.offset,
            stride: size,
            bytes: size,
            count: self.count,
        };
        let bytes = part.bytes_of(resources)?;
        // A device reads the vertex that an index names without a check, so every index is checked
        // here.
        let greatest = if self.wide {
            greatest(bytes.as_chunks().0, u32::from_le_bytes)
        } else {
            greatest(bytes.as_chunks().0, |b| u16::from_le_bytes(b).into())
        };
        match greatest {
            Some(index) if index >= vertices => Err(format!(
                "index {index} is behind the last of {vertices} vertices"
            )),
            _ => Ok(()),
        }
    }
}

fn greatest<const N: usize>(chunks: &[[u8; N]], read: fn([u8; N]) -> u32) -> Option<u32> {
    chunks.iter().map(|chunk| read(*chunk)).max()
}

impl Boxes {
    fn check(&self, resources: &[Resource]) -> Result<(), String> {
        if !self.offset.is_multiple_of(8) || !self.stride.is_multiple_of(8) {
            return Err(format!(
                "boxes are at {} and {} bytes apart; both must be multiples of 8",
                self.offset, self.stride
            ));
        }
        let part = BufferRange {
            what: "boxes",
            resource: self.resource,
            offset: self.offset,
            stride: self.stride,
            bytes: BOX_BYTES,
            count: self.count,
        };
        part.bytes_of(resources).map(drop)
    }
}

/// Elements of a buffer.
struct BufferRange {
    what: &'static str,
    resource: ResourceId,
    offset: u64,
    stride: u32,
    /// Bytes of an element, without the gap to the next.
    bytes: u32,
    count: u32,
}

impl BufferRange {
    /// Returns the bytes from the first element's first byte to the last one's last.
    fn bytes_of<'a>(&self, resources: &'a [Resource]) -> Result<&'a [u8], String> {
        let what = self.what;
        let resource = resources.get(self.resource.0);
        let resource =
            resource.ok_or_else(|| format!("the buffer of its {what} does not exist"))?;
        let Storage::Buffer(bytes) = &resource.storage else {
            return Err(format!("its {what} lie in a texture, {}", resource.name));
        };
        // With one element the stride is never used, so any stride is good.
        if self.count > 1 && self.stride < self.bytes {
            return Err(format!(
                "its {what} have {} bytes and are {} apart",
                self.bytes, self.stride
            ));
        }
        if self.count == 0 {
            return Ok(&[]);
        }
        // Without the last gap: a buffer may end with the last element.
        let length = u64::from(self.count - 1) * u64::from(self.stride) + u64::from(self.bytes);
        let end = self.offset.saturating_add(length);
        let inside = usize::try_from(self.offset)
            .ok()
            .zip(usize::try_from(end).ok())
            .and_then(|(start, end)| bytes.get(start..end));
        inside.ok_or_else(|| {
            format!(
                "its {} {what} need bytes {}..{end} of {}, which has {}",
                self.count,
                self.offset,
                resource.name,
                bytes.len()
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(bytes: Vec<u8>) -> Resource {
        Resource {
            name: "data".to_owned(),
            storage: Storage::Buffer(bytes),
            read_back: false,
            mapped_tiles: None,
        }
    }

    fn problem(geometry: Geometry, resources: &[Resource]) -> Option<String> {
        let mut scene = Scene::default();
        scene.add_bottom("shape", vec![geometry]);
        scene.check(resources).err().map(|error| error.to_string())
    }

    #[test]
    fn geometry_lies_inside_of_its_buffers() {
        let resources = [buffer(vec![0; 72])];
        let good = Triangles::new(ResourceId(0), 6);
        let check = |triangles| problem(Geometry::Triangles(triangles), &resources);
        assert_eq!(check(good), None);
        for (triangles, says) in [
            (Triangles { count: 9, ..good }, "0..108 of data"),
            (Triangles { offset: 4, ..good }, "4..76"),
            (
                Triangles {
                    offset: 2,
                    count: 3,
                    ..good
                },
                "a component has 4",
            ),
            (Triangles { stride: 8, ..good }, "8 apart"),
            (Triangles { count: 5, ..good }, "whole number"),
            (
                Triangles {
                    vertices: ResourceId(1),
                    ..good
                },
                "does not exist",
            ),
            (
                Triangles {
                    stride: u32::MAX,
                    ..good
                },
                "which has 72",
            ),
            (
                Triangles {
                    offset: u64::MAX - 3,
                    ..good
                },
                "which has 72",
            ),
        ] {
            let error = check(triangles).unwrap_or_default();
            assert!(error.contains(says), "{error} says not: {says}");
        }
        let boxes = Boxes::new(ResourceId(0), 3);
        assert_eq!(problem(Geometry::Boxes(boxes), &resources), None);
        let boxes = Boxes { offset: 8, ..boxes };
        let error = problem(Geometry::Boxes(boxes), &resources).unwrap_or_default();
        assert!(error.contains("8..80"), "{error}");
        let boxes = Boxes {
            offset: 4,
            count: 1,
            ..boxes
        };
        let error = problem(Geometry::Boxes(boxes), &resources).unwrap_or_default();
        assert!(error.contains("multiples of 8"), "{error}");
    }

    #[test]
    fn indices_name_vertices() {
        let words: Vec<u8> = [0u16, 1, 2, 3]
            .iter()
            .flat_map(|i| i.to_le_bytes())
            .collect();
        let resources = [buffer(vec![0; 36]), buffer(words)];
        let with = |count, offset, wide| {
            let indices = TriangleIndices {
                resource: ResourceId(1),
                offset,
                count,
                wide,
            };
            let triangles = Triangles {
                indices: Some(indices),
                ..Triangles::new(ResourceId(0), 3)
            };
            problem(Geometry::Triangles(triangles), &resources)
        };
        assert_eq!(with(3, 0, false), None);
        assert!(with(3, 2, false).is_some_and(|e| e.contains("index 3 is behind")));
        assert!(with(3, 0, true).is_some_and(|e| e.contains("0..12 of data")));
        assert!(with(2, 0, false).is_some_and(|e| e.contains("whole number")));
        assert!(with(3, 1, false).is_some_and(|e| e.contains("within one")));
    }

    #[test]
    fn instances_are_checked() {
        let mut scene = Scene::default();
        let bottom = scene.add_bottom("nothing", Vec::new());
        let good = Instance::new(bottom);
        let mut check = |instance: Instance| {
            scene.top.clear();
            scene.add_top("scene", vec![instance]);
            scene.check(&[]).err().map(|error| error.to_string())
        };
        assert_eq!(check(good.clone()), None);
        assert_eq!(
            check(Instance {
                bottom: None,
                ..good.clone()
            }),
            None
        );
        for (instance, says) in [
            (
                Instance {
                    bottom: Some(1),
                    ..good.clone()
                },
                "does not exist",
            ),
            (
                Instance {
                    id: 1 << 24,
                    ..good.clone()
                },
                "its id 16777216",
            ),
            (
                Instance {
                    hit_group_offset: 1 << 24,
                    ..good.clone()
                },
                "hit group offset",
            ),
            (
                Instance {
                    flags: InstanceFlags::all(),
                    ..good.clone()
                },
                "forced",
            ),
        ] {
            let error = check(instance).unwrap_or_default();
            assert!(error.contains(says), "{error} says not: {says}");
        }
    }

    #[test]
    fn a_bottom_level_holds_one_kind() {
        let resources = [buffer(vec![0; 36])];
        let mut scene = Scene::default();
        scene.add_bottom(
            "both",
            vec![
                Geometry::Triangles(Triangles::new(ResourceId(0), 3)),
                Geometry::Boxes(Boxes::new(ResourceId(0), 1)),
            ],
        );
        let error = scene.check(&resources).map_err(|error| error.to_string());
        assert!(error.is_err_and(|e| e.contains("one kind")));
    }
}
