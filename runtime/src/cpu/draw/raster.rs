//! Primitives to quads: clipping, setup and scan of one primitive after the other.

use std::collections::VecDeque;
use std::rc::Rc;

use dxil_cpu::raster::{Clipper, Corner, Cull, DepthBias, Placed, Primitive, Quad, Scan};

use super::attachments::{Attachments, View};
use super::primitives::PrimitiveSet;
use super::vertex_layout::VertexLayout;
use crate::graphics::GraphicsState;

/// Primitives between two questions whether the run is to stop.
const PRIMITIVES_OF_A_TURN: usize = 1 << 10;

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
    bounds: [u32; 4],
}

/// Quads of primitives, in their order.
pub(super) struct Quads<'a> {
    set: &'a PrimitiveSet<'a>,
    layout: VertexLayout,
    state: &'a GraphicsState,
    attachments: &'a Attachments<'a>,
    clippers: Vec<Clipper>,
    /// The view, which is the first layer that is drawn to.
    view: u32,
    /// The next primitive.
    next: usize,
    parts: VecDeque<Drawn>,
    current: Option<(Rc<Drawn>, Scan)>,
    quads: VecDeque<Quad>,
    rows: Vec<Quad>,
    stop: Option<&'a (dyn Fn() -> bool + Sync)>,
    pub(super) is_stopped: bool,
    /// Primitives that came, and those that are drawn.
    pub(super) clipped: [u64; 2],
}

impl<'a> Quads<'a> {
    pub(super) fn new(
        set: &'a PrimitiveSet<'a>,
        state: &'a GraphicsState,
        attachments: &'a Attachments<'a>,
        view: u32,
    ) -> Quads<'a> {
        let views = attachments.views.iter();
        let clipper = |view: &View| Clipper::new(&view.transform, state.depth_clamp);
        Quads {
            set,
            layout: VertexLayout::new(set.producer),
            state,
            attachments,
            clippers: views.map(clipper).collect(),
            view,
            next: 0,
            parts: VecDeque::new(),
            current: None,
            quads: VecDeque::new(),
            rows: Vec::new(),
            stop: None,
            is_stopped: false,
            clipped: [0; 2],
        }
    }

    /// Asks every so often whether the run is to stop.
    pub(super) fn watch(&mut self, stop: Option<&'a (dyn Fn() -> bool + Sync)>) {
        self.stop = stop;
    }

    /// Returns the next quad with its primitive.
    pub(super) fn next(&mut self) -> Option<(Rc<Drawn>, Quad)> {
        loop {
            if let (Some(quad), Some((drawn, _))) = (self.quads.pop_front(), &self.current) {
                return Some((Rc::clone(drawn), quad));
            }
            if let Some((_, scan)) = &mut self.current {
                if scan.next_rows(&mut self.rows) {
                    self.quads.extend(self.rows.drain(..));
                    continue;
                }
                self.current = None;
            }
            if let Some(part) = self.parts.pop_front() {
                let scan = Scan::new(&part.primitive.shape, self.attachments.samples, part.bounds);
                self.current = Some((Rc::new(part), scan));
                continue;
            }
            if self.next >= self.set.count() || self.is_stopped {
                return None;
            }
            let number = self.next;
            self.next += 1;
            self.set_up(number);
            if self.next.is_multiple_of(PRIMITIVES_OF_A_TURN) {
                self.is_stopped = self.stop.is_some_and(|stop| stop());
            }
        }
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
            (1, [point, ..]) => self.parts.push_back(drawn(Primitive::point(point), true)),
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
                        self.parts.push_back(drawn(primitive, is_front));
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
