//! Scenes of triangles and boxes: as acceleration structures for a job, and traced on the CPU,
//! every ray against every primitive (DirectX Raytracing specification, "Fixed function
//! ray-triangle intersection specification", "Instance flags", "Ray flags").

use dxil_runtime::job::{Job, ResourceView};
use dxil_runtime::scene::{
    Boxes, Geometry, GeometryFlags, Instance, InstanceFlags, Transform, Triangles,
};
use dxil_runtime::{Register, Storage};

use crate::element::{Bytes, Random, to_bytes};

/// `RAY_FLAG_FORCE_OPAQUE`.
pub const FORCE_OPAQUE: u32 = 0x1;
/// `RAY_FLAG_FORCE_NON_OPAQUE`.
pub const FORCE_NON_OPAQUE: u32 = 0x2;
/// `RAY_FLAG_CULL_BACK_FACING_TRIANGLES`.
pub const CULL_BACK: u32 = 0x10;
/// `RAY_FLAG_CULL_FRONT_FACING_TRIANGLES`.
pub const CULL_FRONT: u32 = 0x20;
/// `RAY_FLAG_CULL_OPAQUE`.
pub const CULL_OPAQUE: u32 = 0x40;
/// `RAY_FLAG_CULL_NON_OPAQUE`.
pub const CULL_NON_OPAQUE: u32 = 0x80;
/// `RAY_FLAG_SKIP_TRIANGLES`.
pub const SKIP_TRIANGLES: u32 = 0x100;
/// `RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES`.
pub const SKIP_PROCEDURAL: u32 = 0x200;

/// A point or a direction.
pub type Vector = [f64; 3];

/// Minimum distance of a ray to an edge, a corner or another hit. Within it the specification
/// leaves the result to the device.
const CLEARANCE: f64 = 1e-3;

/// Primitives of a geometry.
#[derive(Debug, Clone)]
pub enum Primitives {
    /// Corners of the triangles.
    Triangles(Vec<[[f32; 3]; 3]>),
    /// Minimum and maximum corners of the boxes.
    Boxes(Vec<[[f32; 3]; 2]>),
}

/// A geometry of a bottom-level structure.
#[derive(Debug, Clone)]
pub struct TracedGeometry {
    /// Its primitives.
    pub primitives: Primitives,
    /// Whether it is flagged as opaque.
    pub opaque: bool,
}

/// A scene.
#[derive(Debug, Clone, Default)]
pub struct World {
    /// Geometries of each bottom-level structure.
    pub shapes: Vec<Vec<TracedGeometry>>,
    /// Instances of the bottom-level structures.
    pub instances: Vec<Instance>,
}

/// A ray in the layout of the shaders: `float3, float, float3, float, uint, uint`.
#[derive(Debug, Clone, Copy)]
pub struct Ray {
    /// Origin.
    pub origin: [f32; 3],
    /// Minimum distance, in lengths of the direction.
    pub t_min: f32,
    /// Direction.
    pub direction: [f32; 3],
    /// Maximum distance, in lengths of the direction.
    pub t_max: f32,
    /// Instance mask: instances with a common bit are visible.
    pub mask: u32,
    /// `RAY_FLAG_`s, or a number with a meaning of the shader.
    pub flags: u32,
}

impl Ray {
    /// Returns a ray without a maximum distance, to which all instances are visible.
    pub fn new(origin: [f32; 3], direction: [f32; 3]) -> Self {
        Ray {
            origin,
            t_min: 0.0,
            direction,
            t_max: 100.0,
            mask: 0xff,
            flags: 0,
        }
    }

    /// Returns the bytes of a ray in a structured buffer.
    pub fn bytes(&self) -> Vec<u8> {
        Bytes::new()
            .put(self.origin)
            .put(self.t_min)
            .put(self.direction)
            .put(self.t_max)
            .put([self.mask, self.flags])
            .0
    }
}

/// A hit: a triangle that a ray intersects, or a box that it enters.
#[derive(Debug, Clone, Copy)]
pub struct Meeting {
    /// Distance in lengths of the direction; for a box, to the point of entry.
    pub t: f64,
    /// Barycentric coordinates: weights of the second and third corner.
    pub weights: [f64; 2],
    /// Whether the ray hits the front.
    pub front: bool,
    /// Whether it is a box.
    pub is_box: bool,
    /// Whether the primitive is opaque.
    pub opaque: bool,
    /// Number of the instance.
    pub instance: usize,
    /// Number of the geometry.
    pub geometry: usize,
    /// Number of the primitive.
    pub primitive: usize,
}

impl World {
    /// Adds the scene to a job as an acceleration structure, and returns its number.
    pub fn add_to(&self, job: &mut Job) -> usize {
        let first = job.scene.bottom.len();
        for parts in &self.shapes {
            let mut geometries = Vec::new();
            for part in parts {
                // Without this flag a device may call an any-hit shader twice for one triangle, and
                // counts could not be compared.
                let mut flags = GeometryFlags::NO_DUPLICATE_ANY_HIT;
                flags.set(GeometryFlags::OPAQUE, part.opaque);
                geometries.push(match &part.primitives {
                    Primitives::Triangles(triangles) => {
                        let corners: Vec<[f32; 3]> = triangles.iter().flatten().copied().collect();
                        let data = Storage::Buffer(to_bytes(&corners));
                        let vertices = job.add_resource("corners", data, false);
                        let count = corners.len() as u32;
                        Geometry::Triangles(Triangles {
                            flags,
                            ..Triangles::new(vertices, count)
                        })
                    }
                    Primitives::Boxes(boxes) => {
                        let data = Storage::Buffer(to_bytes(boxes));
                        let bounds = job.add_resource("boxes", data, false);
                        Geometry::Boxes(Boxes {
                            flags,
                            ..Boxes::new(bounds, boxes.len() as u32)
                        })
                    }
                });
            }
            job.scene.add_bottom("shape", geometries);
        }
        let moved = |instance: &Instance| Instance {
            bottom: instance.bottom.map(|bottom| bottom + first),
            ..instance.clone()
        };
        job.scene
            .add_top("world", self.instances.iter().map(moved).collect())
    }

    /// Binds the scene as an acceleration structure.
    pub fn bind(&self, job: &mut Job, register: Register) {
        let top = self.add_to(job);
        job.bind(register, ResourceView::AccelerationStructure(top));
    }

    /// Returns all hits that the flags of the ray allow, in no order. `None` if the ray comes too
    /// close to an edge, a corner, or to two primitives at once.
    pub fn meetings(&self, ray: &Ray) -> Option<Vec<Meeting>> {
        let mut found: Vec<Meeting> = Vec::new();
        for (instance, placed) in self.instances.iter().enumerate() {
            let Some(parts) = placed
                .bottom
                .filter(|_| u32::from(placed.mask) & ray.mask != 0)
                .and_then(|bottom| self.shapes.get(bottom))
            else {
                continue;
            };
            let (origin, direction) = ray_in(placed, ray);
            for (geometry, part) in parts.iter().enumerate() {
                let opaque = is_opaque(part, placed, ray.flags);
                // The cull flags look at the opacity after the flags of the instance; with the
                // ray's own opacity flags they exclude each other ("Ray flags").
                let cull = if opaque { CULL_OPAQUE } else { CULL_NON_OPAQUE };
                if ray.flags & cull != 0 {
                    continue;
                }
                let meeting = Meeting {
                    t: 0.0,
                    weights: [0.0; 2],
                    front: false,
                    is_box: false,
                    opaque,
                    instance,
                    geometry,
                    primitive: 0,
                };
                match &part.primitives {
                    Primitives::Triangles(triangles) if ray.flags & SKIP_TRIANGLES == 0 => {
                        for (primitive, &corners) in triangles.iter().enumerate() {
                            let met = meet_triangle(origin, direction, corners)?;
                            let Some((t, weights, clockwise)) = met else {
                                continue;
                            };
                            let turned = InstanceFlags::TRIANGLE_FRONT_COUNTERCLOCKWISE;
                            // The facing is defined in object space, so that mirroring instances do
                            // not change it ("Instance flags").
                            let front = clockwise != placed.flags.contains(turned);
                            let cull = if front { CULL_FRONT } else { CULL_BACK };
                            let both = placed.flags.contains(InstanceFlags::TRIANGLE_CULL_DISABLE);
                            if ray.flags & cull != 0 && !both {
                                continue;
                            }
                            let meeting = Meeting {
                                t,
                                weights,
                                front,
                                primitive,
                                ..meeting
                            };
                            // Only what is not culled has to keep clear of the ray's ends.
                            if in_reach(ray, t)? {
                                found.push(meeting);
                            }
                        }
                    }
                    Primitives::Boxes(boxes) if ray.flags & SKIP_PROCEDURAL == 0 => {
                        for (primitive, &bounds) in boxes.iter().enumerate() {
                            let Some([enter, leave]) = meet_box(origin, direction, bounds)? else {
                                continue;
                            };
                            // A ray may begin or end in a box.
                            in_reach(ray, enter)?;
                            in_reach(ray, leave)?;
                            if enter < f64::from(ray.t_max) && leave > f64::from(ray.t_min) {
                                found.push(Meeting {
                                    t: enter,
                                    is_box: true,
                                    primitive,
                                    ..meeting
                                });
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        // Two hits at nearly the same distance may be found in either order.
        let mut distances: Vec<f64> = found.iter().map(|meeting| meeting.t).collect();
        distances.sort_by(f64::total_cmp);
        let clear = distances.windows(2).all(|w| w[1] - w[0] > CLEARANCE);
        clear.then_some(found)
    }

    /// Returns the nearest hit.
    pub fn nearest(&self, ray: &Ray) -> Option<Meeting> {
        let found = self.meetings(ray)?;
        found.into_iter().min_by(|a, b| a.t.total_cmp(&b.t))
    }

    /// Returns random rays that start around the scene and point into it. None comes too close to
    /// an edge.
    pub fn rays(
        &self,
        random: &mut Random,
        count: usize,
        flags: &[u32],
        masks: &[u32],
    ) -> Vec<Ray> {
        let mut rays = Vec::new();
        while rays.len() < count {
            let mut point = |reach: f32| [0; 3].map(|_| random.float(-reach, reach));
            let (from, to) = (point(8.0), point(1.5));
            let direction = [0, 1, 2].map(|k| (to[k] - from[k]) / 4.0);
            let mut ray = Ray::new(from, direction);
            let pick = |list: &[u32]| list.get(rays.len() % list.len().max(1)).copied();
            ray.flags = pick(flags).unwrap_or(0);
            ray.mask = pick(masks).unwrap_or(0xff);
            ray.t_min = random.float(0.0, 2.0);
            ray.t_max = random.float(4.0, 12.0);
            if self.meetings(&ray).is_some() {
                rays.push(ray);
            }
        }
        rays
    }
}

/// Returns whether a geometry is opaque. Flags of the ray override flags of the instance, which
/// override the flag of the geometry.
fn is_opaque(part: &TracedGeometry, placed: &Instance, flags: u32) -> bool {
    let mut opaque = part.opaque;
    if placed.flags.contains(InstanceFlags::FORCE_OPAQUE) {
        opaque = true;
    }
    if placed.flags.contains(InstanceFlags::FORCE_NON_OPAQUE) {
        opaque = false;
    }
    if flags & FORCE_OPAQUE != 0 {
        opaque = true;
    }
    if flags & FORCE_NON_OPAQUE != 0 {
        opaque = false;
    }
    opaque
}

/// Returns whether a distance lies between the ray's ends; `None` if too close to one.
fn in_reach(ray: &Ray, t: f64) -> Option<bool> {
    let (from, to) = (f64::from(ray.t_min), f64::from(ray.t_max));
    let near_an_end = (t - from).abs().min((t - to).abs()) < CLEARANCE;
    (!near_an_end).then_some(t > from && t < to)
}

/// Returns the ray in the space of an instance.
pub fn ray_in(placed: &Instance, ray: &Ray) -> (Vector, Vector) {
    let back = inverse(&placed.transform);
    (
        apply(&back, ray.origin.map(f64::from), 1.0),
        apply(&back, ray.direction.map(f64::from), 0.0),
    )
}

/// Returns the product of a 3×4 matrix and a vector.
pub fn apply(m: &[f64; 12], v: Vector, w: f64) -> Vector {
    [0, 4, 8].map(|row| m[row] * v[0] + m[row + 1] * v[1] + m[row + 2] * v[2] + m[row + 3] * w)
}

/// Returns the inverse of a transform.
pub fn inverse(m: &Transform) -> [f64; 12] {
    let at = |row: usize, column: usize| f64::from(m[row * 4 + column]);
    let column = |c: usize| [at(0, c), at(1, c), at(2, c)];
    let [a, b, c] = [column(0), column(1), column(2)];
    let det = dot(a, cross(b, c));
    let rows = [cross(b, c), cross(c, a), cross(a, b)].map(|row| row.map(|x| x / det));
    let mut out = [0.0; 12];
    for (index, row) in rows.iter().enumerate() {
        out[index * 4..index * 4 + 3].copy_from_slice(row);
        out[index * 4 + 3] = -dot(*row, column(3));
    }
    out
}

/// Returns the cross product.
fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// Returns the dot product.
pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Returns the difference.
pub fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Returns distance, barycentric coordinates, and whether the corners are clockwise as seen from
/// the origin of the ray in a left-handed space. The outer `None` is a ray that comes too close to
/// an edge.
#[allow(
    clippy::option_option,
    reason = "too close to say, and no hit, are two things"
)]
fn meet_triangle(
    origin: Vector,
    direction: Vector,
    corners: [[f32; 3]; 3],
) -> Option<Option<(f64, [f64; 2], bool)>> {
    let [a, b, c] = corners.map(|corner| corner.map(f64::from));
    let (ab, ac) = (minus(b, a), minus(c, a));
    let p = cross(direction, ac);
    let det = dot(ab, p);
    // The ray is nearly parallel to the triangle, or the triangle nearly has no area.
    if det.abs() < CLEARANCE {
        return None;
    }
    let from = minus(origin, a);
    let u = dot(from, p) / det;
    let q = cross(from, ab);
    let v = dot(direction, q) / det;
    let inner = u.min(v).min(1.0 - u - v);
    if inner.abs() < CLEARANCE {
        return None;
    }
    Some((inner > 0.0).then(|| (dot(ac, q) / det, [u, v], det > 0.0)))
}

/// Returns the distances at which the ray enters and leaves a box. The outer `None` is a ray that
/// comes too close to an edge.
#[allow(
    clippy::option_option,
    reason = "too close to say, and no hit, are two things"
)]
fn meet_box(origin: Vector, direction: Vector, bounds: [[f32; 3]; 2]) -> Option<Option<[f64; 2]>> {
    let [low, high] = bounds.map(|corner| corner.map(f64::from));
    let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
    for k in 0..3 {
        let ends = [low[k], high[k]].map(|end| (end - origin[k]) / direction[k]);
        enter = enter.max(ends[0].min(ends[1]));
        leave = leave.min(ends[0].max(ends[1]));
    }
    if (leave - enter).abs() < CLEARANCE {
        return None;
    }
    Some((leave > enter).then_some([enter, leave]))
}
