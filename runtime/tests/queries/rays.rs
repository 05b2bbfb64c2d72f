//! Rays of the probe and what they hit.

/// A ray of the probe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ray {
    pub(crate) origin: [f32; 3],
    pub(crate) direction: [f32; 3],
    pub(crate) reach: [f32; 2],
    pub(crate) mask: u32,
    pub(crate) flags: u32,
}

impl Ray {
    /// Returns a ray straight down on a place of the plane.
    pub(crate) fn down(x: f32, y: f32) -> Self {
        Ray {
            origin: [x, y, 10.0],
            direction: [0.0, 0.0, -1.0],
            reach: [0.0, 100.0],
            mask: 0xff,
            flags: 0,
        }
    }
}

/// `RAY_FLAG_CULL_BACK_FACING_TRIANGLES` and its like (DXR specification, "Ray flags").
pub(crate) const CULL_BACK: u32 = 0x10;
pub(crate) const CULL_FRONT: u32 = 0x20;
pub(crate) const CULL_OPAQUE: u32 = 0x40;
pub(crate) const CULL_NON_OPAQUE: u32 = 0x80;
pub(crate) const SKIP_TRIANGLES: u32 = 0x100;
pub(crate) const SKIP_PROCEDURAL: u32 = 0x200;

/// The hit that the probe found.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Hit {
    pub(crate) status: u32,
    pub(crate) instance_id: u32,
    pub(crate) instance_index: u32,
    pub(crate) geometry: u32,
    pub(crate) primitive: u32,
    pub(crate) hit_group_offset: u32,
    pub(crate) front: u32,
    pub(crate) t: f32,
    pub(crate) barycentrics: [f32; 2],
}
