//! The state of a ray query: each ray is held against each primitive, in the order of instances,
//! geometries and primitives (DirectX Raytracing specification, "RayQuery").

use crate::decode::code::{HitValue, QueryValue};
use crate::resources::{
    AccelerationStructure, Instance, Primitives, cross, dot, inverse, transformed,
};

// Ray flags.
const FORCE_OPAQUE: u32 = 0x1;
const FORCE_NON_OPAQUE: u32 = 0x2;
const ACCEPT_FIRST_HIT_AND_END_SEARCH: u32 = 0x4;
const CULL_BACK_FACING_TRIANGLES: u32 = 0x10;
const CULL_FRONT_FACING_TRIANGLES: u32 = 0x20;
const CULL_OPAQUE: u32 = 0x40;
const CULL_NON_OPAQUE: u32 = 0x80;
const SKIP_TRIANGLES: u32 = 0x100;
const SKIP_PROCEDURAL_PRIMITIVES: u32 = 0x200;

const HIT_KIND_TRIANGLE_FRONT_FACE: u32 = 254;
const HIT_KIND_TRIANGLE_BACK_FACE: u32 = 255;

// Instance flags.
const TRIANGLE_CULL_DISABLE: u8 = 1;
const TRIANGLE_FRONT_COUNTERCLOCKWISE: u8 = 2;
const INSTANCE_FORCE_OPAQUE: u8 = 4;
const INSTANCE_FORCE_NON_OPAQUE: u8 = 8;

/// A primitive that a ray hits.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hit {
    pub(super) t: f32,
    pub(super) barycentrics: [f32; 2],
    pub(super) is_front: bool,
    pub(super) is_procedural: bool,
    pub(super) is_opaque: bool,
    pub(super) instance: u32,
    pub(super) geometry: u32,
    pub(super) primitive: u32,
    /// The report of the intersection shader.
    pub(super) kind: u32,
}

impl Hit {
    /// Returns the kind that shaders see.
    pub(super) fn shader_kind(&self) -> u32 {
        match (self.is_procedural, self.is_front) {
            (true, _) => self.kind,
            (false, true) => HIT_KIND_TRIANGLE_FRONT_FACE,
            (false, false) => HIT_KIND_TRIANGLE_BACK_FACE,
        }
    }
}

/// A ray query of a lane.
#[derive(Debug, Clone, Default)]
pub(crate) struct Query {
    /// Flags of the query's type.
    pub(super) template_flags: u32,
    pub(super) flags: u32,
    pub(super) mask: u32,
    pub(super) structure: Option<usize>,
    pub(super) origin: [f32; 3],
    pub(super) direction: [f32; 3],
    pub(super) t_min: f32,
    /// The end of the ray: its own end, or the committed hit.
    pub(super) t_end: f32,
    /// Instance, geometry and primitive that come next.
    pub(super) next: [usize; 3],
    pub(super) has_ended: bool,
    /// Primitives, geometries and instances that were looked at.
    pub(super) looked_at: u32,
    pub(super) candidate: Hit,
    pub(super) committed: Option<Hit>,
}

/// Primitives between two looks at the callback that ends a run.
const PRIMITIVES_PER_LOOK: u32 = 1 << 10;

/// The caller's limits have ended the run.
pub(super) struct Stopped;

impl Query {
    /// Goes on to the next candidate; whether there is one.
    ///
    /// # Errors
    ///
    /// [`Stopped`] if `stop` says so.
    pub(super) fn proceed(
        &mut self,
        structure: Option<&AccelerationStructure>,
        stop: Option<&(dyn Fn() -> bool + Sync)>,
    ) -> Result<bool, Stopped> {
        let instances = structure.map_or(&[][..], |structure| &structure.instances);
        // The ray in the space of an instance, and the number of that instance.
        let mut ray = (usize::MAX, [0.0; 3], [0.0; 3]);
        while !self.has_ended {
            let [instance_number, geometry_number, primitive] = self.next;
            self.looked_at = self.looked_at.wrapping_add(1);
            if self.looked_at.is_multiple_of(PRIMITIVES_PER_LOOK) && stop.is_some_and(|stop| stop())
            {
                return Err(Stopped);
            }
            let Some(instance) = instances.get(instance_number) else {
                break;
            };
            let is_seen = u32::from(instance.mask) & self.mask != 0;
            let geometry = instance.geometries.get(geometry_number);
            let Some(geometry) = geometry.filter(|_| is_seen) else {
                self.next = [instance_number + 1, 0, 0];
                continue;
            };
            let is_opaque = self.is_opaque(geometry.is_opaque, instance.flags);
            let culls = if is_opaque {
                CULL_OPAQUE
            } else {
                CULL_NON_OPAQUE
            };
            let (count, skips) = match &geometry.primitives {
                Primitives::Triangles(all) => (all.len(), SKIP_TRIANGLES),
                Primitives::Boxes(all) => (all.len(), SKIP_PROCEDURAL_PRIMITIVES),
            };
            if primitive >= count || self.flags & (culls | skips) != 0 {
                self.next = [instance_number, geometry_number + 1, 0];
                continue;
            }
            self.next[2] += 1;
            // Each primitive is tested in its instance's space, in double precision: the result is
            // the reference for devices.
            if ray.0 != instance_number {
                let back = inverse(&instance.object_to_world);
                let origin = transformed(&back, self.origin.map(f64::from), 1.0);
                let direction = transformed(&back, self.direction.map(f64::from), 0.0);
                ray = (instance_number, origin, direction);
            }
            let (_, origin, direction) = ray;
            let hit = match &geometry.primitives {
                Primitives::Triangles(all) => {
                    self.triangle(origin, direction, all[primitive], instance.flags)
                }
                Primitives::Boxes(all) => self.procedural(origin, direction, all[primitive]),
            };
            let Some(hit) = hit else { continue };
            let hit = Hit {
                is_opaque,
                instance: instance_number as u32,
                geometry: geometry_number as u32,
                primitive: primitive as u32,
                ..hit
            };
            // Opaque triangles are committed at once; the shader decides about all other
            // candidates.
            if is_opaque && !hit.is_procedural {
                self.commit(hit);
            } else {
                self.candidate = hit;
                return Ok(true);
            }
        }
        self.has_ended = true;
        Ok(false)
    }

    /// Returns whether a geometry is opaque: the ray's flags win over the instance's, and those
    /// over the geometry's.
    fn is_opaque(&self, geometry: bool, instance: u8) -> bool {
        match (self.flags, instance) {
            (flags, _) if flags & FORCE_OPAQUE != 0 => true,
            (flags, _) if flags & FORCE_NON_OPAQUE != 0 => false,
            (_, instance) if instance & INSTANCE_FORCE_OPAQUE != 0 => true,
            (_, instance) if instance & INSTANCE_FORCE_NON_OPAQUE != 0 => false,
            _ => geometry,
        }
    }

    pub(super) fn commit(&mut self, hit: Hit) {
        self.t_end = hit.t;
        self.committed = Some(hit);
        self.has_ended |= self.flags & ACCEPT_FIRST_HIT_AND_END_SEARCH != 0;
    }

    fn triangle(
        &self,
        origin: [f64; 3],
        direction: [f64; 3],
        corners: [[f32; 3]; 3],
        instance_flags: u8,
    ) -> Option<Hit> {
        let [a, b, c] = corners.map(|corner| corner.map(f64::from));
        let minus = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
        let (ab, ac) = (minus(b, a), minus(c, a));
        let p = cross(direction, ac);
        let determinant = dot(ab, p);
        // The ray is parallel to the triangle, or the triangle is degenerate.
        if determinant == 0.0 {
            return None;
        }
        let from = minus(origin, a);
        let u = dot(from, p) / determinant;
        let q = cross(from, ab);
        let v = dot(direction, q) / determinant;
        if u < 0.0 || v < 0.0 || u + v > 1.0 {
            return None;
        }
        // Clockwise triangles face the front in a left-handed space, unless the instance's flag
        // says otherwise; its transform changes nothing.
        let is_front =
            (determinant > 0.0) != (instance_flags & TRIANGLE_FRONT_COUNTERCLOCKWISE != 0);
        let culls = if is_front {
            CULL_FRONT_FACING_TRIANGLES
        } else {
            CULL_BACK_FACING_TRIANGLES
        };
        if self.flags & culls != 0 && instance_flags & TRIANGLE_CULL_DISABLE == 0 {
            return None;
        }
        let t = (dot(ac, q) / determinant) as f32;
        // The ends of a ray are exclusive for triangles and inclusive for procedural primitives
        // (DXR specification, "Ray extents").
        (t > self.t_min && t < self.t_end).then_some(Hit {
            t,
            barycentrics: [u as f32, v as f32],
            is_front,
            ..Hit::default()
        })
    }

    /// Returns whether the ray passes through a box between its ends.
    fn procedural(
        &self,
        origin: [f64; 3],
        direction: [f64; 3],
        bounds: [[f32; 3]; 2],
    ) -> Option<Hit> {
        let [low, high] = bounds.map(|corner| corner.map(f64::from));
        let (mut enter, mut leave) = (f64::from(self.t_min), f64::from(self.t_end));
        for axis in 0..3 {
            // Division by zero would give NaN where the origin lies on the border.
            if direction[axis] == 0.0 {
                if origin[axis] < low[axis] || origin[axis] > high[axis] {
                    return None;
                }
                continue;
            }
            let ends = [low, high].map(|end| (end[axis] - origin[axis]) / direction[axis]);
            enter = enter.max(ends[0].min(ends[1]));
            leave = leave.min(ends[0].max(ends[1]));
        }
        (enter <= leave).then_some(Hit {
            t: enter as f32,
            is_procedural: true,
            ..Hit::default()
        })
    }

    fn hit_value(&self, hit: &Hit, value: HitValue, instance: Option<&Instance>) -> u32 {
        let component =
            |all: [f64; 3], index: u8| (all[usize::from(index.min(2))] as f32).to_bits();
        let back = || instance.map_or([0.0; 12], |instance| inverse(&instance.object_to_world));
        match value {
            HitValue::ObjectToWorld(index) => instance.map_or(0, |instance| {
                instance.object_to_world[usize::from(index)].to_bits()
            }),
            HitValue::WorldToObject(index) => (back()[usize::from(index)] as f32).to_bits(),
            HitValue::IsNonOpaque => u32::from(!hit.is_opaque),
            HitValue::FrontFace => u32::from(hit.is_front),
            HitValue::Barycentric(index) => hit.barycentrics[usize::from(index.min(1))].to_bits(),
            HitValue::RayT => hit.t.to_bits(),
            HitValue::InstanceIndex => hit.instance,
            HitValue::InstanceId => instance.map_or(0, |instance| instance.id),
            HitValue::GeometryIndex => hit.geometry,
            HitValue::PrimitiveIndex => hit.primitive,
            HitValue::ObjectOrigin(index) => {
                let origin = self.origin.map(f64::from);
                component(transformed(&back(), origin, 1.0), index)
            }
            HitValue::ObjectDirection(index) => {
                let direction = self.direction.map(f64::from);
                component(transformed(&back(), direction, 0.0), index)
            }
            HitValue::TriangleVertex(scalar) => {
                let geometry = instance.and_then(|all| all.geometries.get(hit.geometry as usize));
                let Some(Primitives::Triangles(triangles)) = geometry.map(|it| &it.primitives)
                else {
                    return 0;
                };
                let triangle = triangles.get(hit.primitive as usize);
                let vertex = triangle.and_then(|all| all.get(usize::from(scalar / 3)));
                vertex.map_or(0, |vertex| vertex[usize::from(scalar % 3)].to_bits())
            }
            HitValue::HitGroupOffset => instance.map_or(0, |instance| instance.hit_group_offset),
        }
    }

    pub(super) fn value(
        &self,
        value: QueryValue,
        structure: Option<&AccelerationStructure>,
    ) -> u32 {
        let instance = |hit: &Hit| structure?.instances.get(hit.instance as usize);
        let component = |all: [f32; 3], index: u8| all[usize::from(index.min(2))].to_bits();
        match value {
            QueryValue::CommittedStatus => match &self.committed {
                None => 0,
                Some(hit) if !hit.is_procedural => 1,
                Some(_) => 2,
            },
            QueryValue::CandidateType => u32::from(self.candidate.is_procedural),
            QueryValue::RayFlags => self.flags,
            QueryValue::WorldOrigin(index) => component(self.origin, index),
            QueryValue::WorldDirection(index) => component(self.direction, index),
            QueryValue::TMin => self.t_min.to_bits(),
            QueryValue::CommittedT => self.t_end.to_bits(),
            QueryValue::Candidate(value) => {
                self.hit_value(&self.candidate, value, instance(&self.candidate))
            }
            QueryValue::Committed(value) => {
                let hit = self.committed.unwrap_or_default();
                self.hit_value(&hit, value, instance(&hit))
            }
        }
    }
}
