//! Primitives to what is rasterized: clipping and setup.

use dxil_cpu::raster::{Clipper, Corner, Cull, DepthBias, Placed, Primitive, SUBPIXELS, Shape};

use super::attachments::{Attachments, View};
use super::primitives::PrimitiveSet;
use super::vertex_layout::VertexLayout;
use crate::graphics::GraphicsState;

/// Primitives that are set up at a time: each takes some hundred bytes.
const CHUNK: usize = 1 << 14;

/// A primitive (or a part of a clipped one) in the target.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) primitive: Primitive,
    /// Its number in the set.
    pub(super) number: usize,
    pub(super) vertices: [u32; 3],
    pub(super) is_front: bool,
    pub(super) layer: u32,
    pub(super) depths: [f32; 2],
    /// Left, top, right and bottom of the viewport and scissor in pixels, the last two not
    /// included.
    pub(super) bounds: [u32; 4],
}

impl Drawn {
    /// Returns an area of pixels that has the primitive, with the same borders as the bounds.
    pub(super) fn area(&self) -> [u32; 4] {
        let places: &[[i64; 2]] = match &self.primitive.shape {
            Shape::Triangle(corners) => corners,
            Shape::Line(ends) => ends,
            Shape::Point(place) => std::slice::from_ref(place),
        };
        let pixels = |axis: usize| places.iter().map(move |at| at[axis].div_euclid(SUBPIXELS));
        let [left, top, right, bottom] = self.bounds;
        // A pixel more on each side: points and lines have a width.
        let first = |axis: usize, least: u32| {
            let at = pixels(axis).min().unwrap_or(0) - 1;
            u32::try_from(at).unwrap_or(0).max(least)
        };
        let end = |axis: usize, most: u32| {
            let at = pixels(axis).max().unwrap_or(0) + 2;
            u32::try_from(at).unwrap_or(0).min(most)
        };
        [first(0, left), first(1, top), end(0, right), end(1, bottom)]
    }
}

/// Sets primitives up in their order.
pub(super) struct Setup<'a> {
    set: &'a PrimitiveSet<'a>,
    layout: VertexLayout,
    state: &'a GraphicsState,
    attachments: &'a Attachments<'a>,
    clippers: Vec<Clipper>,
    /// The view, which is the layer that is drawn to.
    view: u32,
    /// The next primitive.
    next: usize,
    parts: Vec<Drawn>,
    /// Primitives that came, and those that are drawn.
    pub(super) clipped: [u64; 2],
}

impl<'a> Setup<'a> {
    pub(super) fn new(
        set: &'a PrimitiveSet<'a>,
        state: &'a GraphicsState,
        attachments: &'a Attachments<'a>,
        view: u32,
    ) -> Setup<'a> {
        let views = attachments.views.iter();
        let clipper = |view: &View| Clipper::new(&view.transform, state.depth_clamp);
        Setup {
            set,
            layout: VertexLayout::new(set.producer),
            state,
            attachments,
            clippers: views.map(clipper).collect(),
            view,
            next: 0,
            parts: Vec::new(),
            clipped: [0; 2],
        }
    }

    /// Returns what is drawn of the next primitives, or nothing where there are no more.
    pub(super) fn next_parts(&mut self) -> Option<Vec<Drawn>> {
        let end = self.set.count().min(self.next + CHUNK);
        if self.next >= end {
            return None;
        }
        for number in self.next..end {
            self.set_up(number);
        }
        self.next = end;
        Some(std::mem::take(&mut self.parts))
    }

    /// Clips a primitive and sets up its parts.
    fn set_up(&mut self, number: usize) {
        let set = self.set;
        self.clipped[0] += 1;
        if !(1..=3).contains(&set.size) {
            return;
        }
        let own = set.vertices(number);
        if self.layout.is_culled(set, number, own[0])
            || Clipper::is_culled(&self.layout.cull_distances(set, own), set.size)
        {
            return;
        }
        let [layer, viewport] = self.layout.target(set, number, own[0]);
        let index = if (viewport as usize) < self.clippers.len() {
            viewport
        } else {
            0
        };
        let (Some(view), Some(clipper)) = (
            self.attachments.view(index),
            self.clippers.get(index as usize),
        ) else {
            return;
        };
        // A layer that does not exist is the first one (D3D11.3, 15.15).
        let layer = if self.state.view_mask != 0 {
            self.view
        } else {
            layer
        };
        let layer = if layer < self.attachments.layers {
            layer
        } else {
            0
        };
        let mut corners = Vec::with_capacity(set.size);
        for (at, vertex) in own.iter().enumerate().take(set.size) {
            let Some(position) = self.layout.position(set, *vertex) else {
                return;
            };
            corners.push(Corner::of_vertex(position, at));
        }
        let mut vertex_w = [1.0; 3];
        for (w, corner) in vertex_w.iter_mut().zip(&corners) {
            *w = corner.position[3];
        }
        let distances = self.layout.clip_distances(set, own);
        let polygon = clipper.clip(&corners, &distances);
        let placed: Vec<Placed> = polygon.iter().map(|c| view.transform.place(c)).collect();
        let drawn = |primitive: Primitive, is_front: bool| Drawn {
            primitive,
            number,
            vertices: own,
            is_front,
            layer,
            depths: view.depths,
            bounds: view.bounds,
        };
        let before = self.parts.len();
        match (set.size, &placed[..]) {
            (1, [point, ..]) => self.parts.push(drawn(Primitive::point(point), true)),
            (2, [from, to]) => {
                let line = Primitive::line([from, to], vertex_w);
                self.parts.extend(line.map(|line| drawn(line, true)));
            }
            (3, [first, rest @ ..]) => {
                for pair in rest.windows(2) {
                    let [second, third] = pair else { continue };
                    let corners = [first, second, third];
                    let is_last = std::ptr::eq(third, &rest[rest.len() - 1]);
                    let is_first = std::ptr::eq(second, &rest[0]);
                    for (primitive, is_front) in
                        self.triangle(corners, vertex_w, [is_first, is_last])
                    {
                        self.parts.push(drawn(primitive, is_front));
                    }
                }
            }
            _ => {}
        }
        self.clipped[1] += u64::from(self.parts.len() > before);
    }

    /// Returns what is drawn of a triangle: itself or, as wire frame, its edges; with whether its
    /// front is seen. The triangle is a part of a fan; `[is_first, is_last]` tells which.
    fn triangle(
        &self,
        corners: [&Placed; 3],
        vertex_w: [f64; 3],
        [is_first, is_last]: [bool; 2],
    ) -> Vec<(Primitive, bool)> {
        let setup = Primitive::triangle(corners, vertex_w);
        // A triangle without area shows its back (D3D11.3, 15.11.1).
        let is_front = setup.is_some_and(|t| t.is_clockwise != self.state.front_counter_clockwise);
        let is_culled = match self.state.cull {
            Cull::None => false,
            Cull::Front => is_front,
            Cull::Back => !is_front,
        };
        if is_culled {
            return Vec::new();
        }
        let bias = self
            .state
            .depth_bias
            .filter(|bias| *bias != DepthBias::default());
        let bias = match (&setup, bias) {
            (Some(setup), Some(bias)) => {
                let depths = corners.map(|corner| corner.depth);
                setup.depth_bias(&bias, self.attachments.biased_depth(), &depths)
            }
            _ => 0.0,
        };
        let mut all: Vec<Primitive> = if self.state.wireframe {
            // Of the fan's edges those between its triangles are not drawn, and of the polygon's
            // not those that clipping has made (15.13).
            let [a, b, c] = corners;
            let edges = [(a, b, is_first), (b, c, true), (c, a, is_last)];
            let lines = edges.into_iter().filter_map(|(from, to, is_edge)| {
                let is_own = is_edge && from.edge < 3;
                is_own
                    .then(|| Primitive::line([from, to], vertex_w))
                    .flatten()
            });
            lines.collect()
        } else {
            setup.into_iter().collect()
        };
        if bias != 0.0 {
            all.iter_mut()
                .for_each(|primitive| primitive.add_depth(bias));
        }
        all.into_iter()
            .map(|primitive| (primitive, is_front))
            .collect()
    }
}
