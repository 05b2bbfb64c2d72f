//! Ray tracing pipelines: calls of shaders by way of shader tables (DirectX Raytracing
//! specification, "Raytracing pipeline flow").
//!
//! A call has a frame of its own between the frame of the caller and those of the shaders that it
//! calls. Each time the frame is on top, it decides which shader comes next: lanes that call the
//! same shader with the same record run it together, one after the other group of lanes.

use super::context::{Context, lanes_of};
use super::frame::CallFrame;
use super::hit_objects::HitObject;
use super::lanes::Registers;
use super::ray_query::{Hit, Query, Stopped};
use super::shared::{RayRun, Shared};
use super::table_call::{CallKind, LaneCall, RayRole, TableCall, Verdict};
use super::wave::{MAX_CALLS, Wave};
use crate::decode::Kernel;
use crate::decode::code::{Complex, MAX_ATTRIBUTE_WORDS, QueryValue, RayCall, RayValue, slot};
use crate::decode::hit_object_words::{HIT_OBJECT_WORDS, Word};
use crate::error::{CodeLocation, Error, Result};
use crate::resources::{Descriptor, ResolvedRecord, ShaderReference};
use crate::schedule::stack::Mask;

/// Words of barycentrics, the attributes of triangles.
const BARYCENTRIC_WORDS: u32 = 2;
/// Private memory of a call: attributes of the committed hit, barycentrics of the candidate.
const CALL_WORDS: u32 = MAX_ATTRIBUTE_WORDS + BARYCENTRIC_WORDS;

const SKIP_CLOSEST_HIT_SHADER: u32 = 0x8;

/// Returns the index of the record of a hit: the ray's contribution, the geometry's and the
/// instance's (DirectX Raytracing specification, "Hit group table indexing").
fn record_index(shared: &Shared<'_>, lane: &LaneCall, hit: &Hit) -> u32 {
    let instances = shared
        .structure(lane.query.structure)
        .map_or(&[][..], |found| &found.instances);
    let instance = instances.get(hit.instance as usize);
    lane.multiplier
        .wrapping_mul(hit.geometry)
        .wrapping_add(lane.contribution)
        .wrapping_add(instance.map_or(0, |instance| instance.hit_group_offset))
}

fn record_of(shared: &Shared<'_>, run: &RayRun<'_>, lane: &LaneCall, hit: &Hit) -> ResolvedRecord {
    run.tables.hit_group(record_index(shared, lane, hit))
}

impl Wave {
    /// Begins a call: a ray, a reported hit or a callable shader.
    pub(super) fn begin_table_call(
        &mut self,
        shared: &Shared<'_>,
        call: RayCall,
        site: (u32, u32),
        place: Box<CodeLocation>,
    ) -> Result<()> {
        let depth = |limit| Error::CallDepth {
            limit,
            place: place.clone(),
        };
        let Some(run) = shared.rays else {
            return Ok(());
        };
        if self.depth + 2 >= MAX_CALLS {
            return Err(depth(MAX_CALLS));
        }
        let number = self.active_table_calls;
        let calls = self.table_calls.get_mut();
        let is_ray = |call: &&TableCall| {
            let kind = call.kind;
            kind.is_search() || kind == CallKind::Shade
        };
        let rays = calls[..number].iter().filter(is_ray).count();
        let counts = !matches!(call, RayCall::Report(_) | RayCall::Shader);
        // Deeper recursion removes the device in D3D12.
        if counts && rays >= run.tables.max_recursion as usize {
            return Err(depth(run.tables.max_recursion as usize));
        }
        if calls.len() <= number {
            calls.push(TableCall {
                lanes: vec![LaneCall::default(); self.lanes],
                ..TableCall::default()
            });
        }
        let (function, index) = site;
        let code = &shared.kernel.functions[function as usize];
        let caller = &self.frames[self.depth - 1];
        let Some((_, mask)) = caller.stack.current() else {
            return Ok(());
        };
        let chunks = self.lanes.div_ceil(super::lanes::WIDTH);
        let registers = Registers {
            narrow: &self.narrow[caller.narrow..],
            wide: &self.wide[caller.wide..],
            chunks,
        };
        let (search, src) = (caller.ray, &code.complex[index as usize].src);
        let (reported, rest) = calls.split_at_mut(number);
        let new = &mut rest[0];
        new.kind = match call {
            RayCall::Trace => CallKind::Search,
            RayCall::TraceObject => CallKind::ObjectSearch,
            RayCall::Invoke => CallKind::Shade,
            RayCall::Report(words) => CallKind::Report { search, words },
            RayCall::Shader => CallKind::Callable,
        };
        (new.running, new.site) = (0, site);
        for lane in lanes_of(mask) {
            let word = |index| registers.word(slot(src, index), lane);
            new.lanes[lane] = match call {
                RayCall::Trace | RayCall::TraceObject => traced(shared, run, word),
                RayCall::Invoke => invoked(run, word),
                RayCall::Report(_) => {
                    let search = reported.get_mut(search).map(|ray| &mut ray.lanes[lane]);
                    search.map_or_else(LaneCall::default, |ray| report(shared, run, ray, word))
                }
                RayCall::Shader => LaneCall {
                    pointer: word(1),
                    wants: run.tables.callable(word(0)).map(|s| (s, RayRole::General)),
                    ..LaneCall::default()
                },
            };
        }
        let frame = CallFrame {
            function,
            narrow: caller.narrow + code.narrow_slots as usize * chunks,
            wide: caller.wide + code.wide_slots as usize * chunks,
            private: caller.private + code.private_words,
            statics: caller.statics,
            locals: caller.locals,
            role: caller.role,
            ray: caller.ray,
            ..CallFrame::default()
        };
        let attributes = frame.private;
        self.push_table_call(frame, number, mask);
        if call == RayCall::Invoke {
            self.hand_attributes_over(&code.complex[index as usize], attributes, mask);
        }
        Ok(())
    }

    /// Writes the attributes of the hit objects to where the shaders that are called see them.
    fn hand_attributes_over(&self, complex: &Complex, first: u32, mask: Mask) {
        let Some(registers) = self.caller_registers() else {
            return;
        };
        for lane in lanes_of(mask) {
            let object = HitObject::read(|index| registers.word(complex.source(index), lane));
            self.write_private(lane, first, object.attributes());
        }
    }

    fn push_table_call(&mut self, frame: CallFrame, number: usize, mask: Mask) {
        let private = (frame.private + CALL_WORDS) as usize * self.lanes;
        if self.private.len() < private {
            self.private.resize(private, std::cell::Cell::new(0));
        }
        if self.frames.len() <= self.depth {
            self.frames.push(CallFrame::default());
        }
        let place = &mut self.frames[self.depth];
        // The stack is kept for its memory.
        let mut stack = std::mem::take(&mut place.stack);
        stack.start(mask);
        *place = CallFrame {
            stack,
            table_call: Some(number),
            ..frame
        };
        self.depth += 1;
        self.active_table_calls = number + 1;
    }

    /// Goes on with a call whose frame is on top: calls the next shader, or returns.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`] where the caller's limits end a search, and [`Error::Memory`].
    pub(super) fn continue_table_call(
        &mut self,
        shared: &Shared<'_>,
        number: usize,
        place: impl Fn() -> Box<CodeLocation>,
    ) -> Result<()> {
        let Some((run, mask)) = shared.rays.zip(self.frames[self.depth - 1].stack.current()) else {
            return Ok(());
        };
        let mask = mask.1;
        let calls = self.table_calls.get_mut();
        if calls[number].kind.is_search() {
            search(shared, run, &mut calls[number], mask)
                .map_err(|Stopped| Error::Stopped { place: place() })?;
        }
        let call = &mut calls[number];
        call.running = 0;
        // Lanes that want the same shader with the same record run it together.
        let mut next = None;
        for lane in lanes_of(mask) {
            let wants = call.lanes[lane].wants;
            if wants.is_some() && (next.is_none() || next == wants) {
                next = wants;
                call.running |= 1 << lane;
                call.lanes[lane].wants = None;
                call.lanes[lane].verdict = Verdict::Accepted;
            }
        }
        match next {
            Some((shader, role)) => self.call_shader(shared.kernel, number, shader, role),
            None => {
                self.end_table_call(shared, number, mask);
                Ok(())
            }
        }
    }

    /// Calls a shader for the running lanes of a call.
    fn call_shader(
        &mut self,
        kernel: &Kernel,
        number: usize,
        shader: ShaderReference,
        role: RayRole,
    ) -> Result<()> {
        let base = &self.frames[self.depth - 1];
        let kind = self.table_calls.get_mut()[number].kind;
        let ray = match kind {
            CallKind::Report { search, .. } => search,
            CallKind::Search | CallKind::ObjectSearch | CallKind::Shade | CallKind::Callable => {
                number
            }
        };
        let attributes = base.private;
        // Each invocation begins with the initial values of its variables.
        let first_statics = kernel.first_statics(shader.function);
        let statics = base.private + CALL_WORDS;
        let frame = CallFrame {
            function: shader.function,
            narrow: base.narrow,
            wide: base.wide,
            private: statics + first_statics.len() as u32,
            statics,
            locals: shader.locals,
            role,
            ray,
            ..CallFrame::default()
        };
        let running = self.table_calls.get_mut()[number].running;
        self.push(kernel, &frame, running)?;
        self.write_statics(statics, first_statics);
        let parameters = &kernel.functions[shader.function as usize].parameters;
        let calls = self.table_calls.borrow();
        let registers = self.registers();
        for lane in lanes_of(running) {
            let of_call = &calls[number].lanes[lane];
            let of_ray = &calls[ray].lanes[lane];
            let pointer = match role {
                RayRole::General => of_call.pointer,
                _ => of_ray.pointer,
            };
            let hit = match role {
                RayRole::ClosestHit => of_ray.query.committed,
                _ => Some(of_ray.query.candidate),
            };
            let attributes = match (kind, role) {
                (CallKind::Report { .. }, _) => of_call.attributes,
                (_, RayRole::ClosestHit) => attributes,
                _ => attributes + MAX_ATTRIBUTE_WORDS,
            };
            if let Some(hit) = hit.filter(|hit| !hit.is_procedural) {
                for (address, value) in (attributes..).zip(hit.barycentrics) {
                    self.private[address as usize * self.lanes + lane].set(value.to_bits());
                }
            }
            registers.set(slot(parameters, 0), lane, u64::from(pointer));
            registers.set(slot(parameters, 1), lane, u64::from(attributes));
        }
        Ok(())
    }

    /// Returns from a call that has no shader left to call.
    fn end_table_call(&mut self, shared: &Shared<'_>, number: usize, mask: Mask) {
        let calls = self.table_calls.get_mut();
        match calls[number].kind {
            CallKind::Search => {
                let Some(run) = shared.rays else { return };
                calls[number].kind = CallKind::Shade;
                for lane in lanes_of(mask) {
                    let ray = &mut calls[number].lanes[lane];
                    ray.wants = shader_of_result(shared, run, ray);
                }
                return;
            }
            CallKind::ObjectSearch => self.end_object_search(shared, number, mask),
            CallKind::Report { search, words } => {
                self.depth -= 1;
                self.active_table_calls = number;
                self.end_report(shared.kernel, number, (search, words), mask);
                return;
            }
            CallKind::Shade | CallKind::Callable => {}
        }
        self.depth -= 1;
        self.active_table_calls = number;
    }

    /// Gives the caller the hit objects of a search.
    fn end_object_search(&self, shared: &Shared<'_>, number: usize, mask: Mask) {
        let frame = &self.frames[self.depth - 1];
        let calls = self.table_calls.borrow();
        let (function, index) = calls[number].site;
        let dst = &shared.kernel.functions[function as usize].complex[index as usize].dst;
        let Some(registers) = self.caller_registers() else {
            return;
        };
        for lane in lanes_of(mask) {
            let ray = &calls[number].lanes[lane];
            let record = match &ray.query.committed {
                Some(hit) => record_index(shared, ray, hit),
                None => ray.miss,
            };
            let mut object = HitObject::of_ray(&ray.query, record);
            if object.is_procedural() {
                let mut attributes = [0; MAX_ATTRIBUTE_WORDS as usize];
                self.read_private(lane, frame.private, &mut attributes);
                object.put(Word::Attributes, &attributes);
            }
            for (&dst, &word) in dst.iter().zip(object.words()) {
                registers.set(dst, lane, u64::from(word));
            }
        }
    }

    /// Commits the reported hits that were accepted, and tells the intersection shader.
    fn end_report(
        &mut self,
        kernel: &Kernel,
        number: usize,
        (search, words): (usize, u32),
        mask: Mask,
    ) {
        let is_search = |frame: &CallFrame| frame.table_call == Some(search);
        let Some(base) = self.frames[..self.depth].iter().rposition(is_search) else {
            return;
        };
        let committed = self.frames[base].private;
        let registers = self.registers();
        let mut ended = 0;
        let mut calls = self.table_calls.borrow_mut();
        let (function, index) = calls[number].site;
        let dst = slot(
            &kernel.functions[function as usize].complex[index as usize].dst,
            0,
        );
        for lane in lanes_of(mask) {
            let report = &calls[number].lanes[lane];
            let (attributes, verdict) = (report.attributes, report.verdict);
            let is_accepted = report.is_valid && verdict != Verdict::Ignored;
            registers.set(dst, lane, u64::from(is_accepted));
            if !is_accepted {
                continue;
            }
            for word in 0..words {
                let place = |address: u32| (address + word) as usize * self.lanes + lane;
                let from = self
                    .private
                    .get(place(attributes))
                    .map_or(0, |cell| cell.get());
                self.private[place(committed)].set(from);
            }
            let query = &mut calls[search].lanes[lane].query;
            query.commit(query.candidate);
            query.has_ended |= verdict == Verdict::AcceptedAndEnded;
            // The search ends, and the intersection shader with it (DirectX Raytracing
            // specification, "ReportHit").
            if query.has_ended {
                ended |= 1 << lane;
            }
        }
        drop(calls);
        self.end_lanes(kernel, base, ended);
    }

    /// Ends the any-hit shader of the running lanes.
    pub(super) fn end_hit(&mut self, kernel: &Kernel, accepts: bool, mask: Mask) {
        let is_call = |frame: &CallFrame| frame.table_call.is_some();
        let Some(base) = self.frames[..self.depth].iter().rposition(is_call) else {
            return;
        };
        if let Some(number) = self.frames[base].table_call {
            let call = &mut self.table_calls.get_mut()[number];
            for lane in lanes_of(mask) {
                call.lanes[lane].verdict = if accepts {
                    Verdict::AcceptedAndEnded
                } else {
                    Verdict::Ignored
                };
            }
        }
        self.end_lanes(kernel, base, mask);
    }

    /// Ends lanes in all frames above one.
    fn end_lanes(&mut self, kernel: &Kernel, base: usize, lanes: Mask) {
        for frame in &mut self.frames[base + 1..self.depth] {
            let reach = &kernel.functions[frame.function as usize].reach;
            if frame.stack.remove(lanes, reach) {
                frame.next = None;
            }
        }
    }
}

/// Returns a ray as an instruction traces it.
fn traced(shared: &Shared<'_>, run: &RayRun<'_>, word: impl Fn(usize) -> u32) -> LaneCall {
    let float = |index| f32::from_bits(word(index));
    let structure = match *shared.descriptor(word(0)) {
        Descriptor::AccelerationStructure(number) => Some(number),
        _ => None,
    };
    LaneCall {
        query: Query {
            flags: word(1) | run.tables.flags,
            mask: word(2) & 0xff,
            structure,
            origin: [6, 7, 8].map(float),
            t_min: float(9),
            direction: [10, 11, 12].map(float),
            t_end: float(13),
            ..Query::default()
        },
        // Four and sixteen bits count (DirectX Raytracing specification, "TraceRay").
        contribution: word(3) & 0xf,
        multiplier: word(4) & 0xf,
        miss: word(5) & 0xffff,
        pointer: word(14),
        ..LaneCall::default()
    }
}

/// Returns the call that a hit object asks for.
fn invoked(run: &RayRun<'_>, word: impl Fn(usize) -> u32) -> LaneCall {
    let object = HitObject::read(&word);
    LaneCall {
        query: object.query(),
        pointer: word(HIT_OBJECT_WORDS),
        wants: object.shader(run),
        ..LaneCall::default()
    }
}

/// Returns a reported hit, and makes it the ray's candidate.
fn report(
    shared: &Shared<'_>,
    run: &RayRun<'_>,
    ray: &mut LaneCall,
    word: impl Fn(usize) -> u32,
) -> LaneCall {
    let t = f32::from_bits(word(0));
    // Both ends are inclusive (DirectX Raytracing specification, "Ray extents").
    let is_valid = t >= ray.query.t_min && t <= ray.query.t_end;
    let mut wants = None;
    if is_valid {
        (ray.query.candidate.t, ray.query.candidate.kind) = (t, word(1));
        let record = record_of(shared, run, ray, &ray.query.candidate);
        let asks = record.any_hit.filter(|_| !ray.query.candidate.is_opaque);
        wants = asks.map(|shader| (shader, RayRole::AnyHit));
    }
    LaneCall {
        attributes: word(2),
        wants,
        is_valid,
        ..LaneCall::default()
    }
}

/// Takes up the search where the last shader has left it, until each lane wants a shader or has no
/// candidates left.
fn search(
    shared: &Shared<'_>,
    run: &RayRun<'_>,
    call: &mut TableCall,
    mask: Mask,
) -> Result<(), Stopped> {
    for lane in lanes_of(mask) {
        let was_called = call.running >> lane & 1 != 0;
        let ray = &mut call.lanes[lane];
        // An intersection shader has reported its hits itself.
        if was_called && !ray.query.candidate.is_procedural {
            if ray.verdict != Verdict::Ignored {
                ray.query.commit(ray.query.candidate);
            }
            ray.query.has_ended |= ray.verdict == Verdict::AcceptedAndEnded;
        }
        let structure = shared.structure(ray.query.structure);
        while ray.wants.is_none() && ray.query.proceed(structure, shared.stop)? {
            let hit = ray.query.candidate;
            let record = record_of(shared, run, ray, &hit);
            if hit.is_procedural {
                ray.wants = record.intersection.map(|s| (s, RayRole::Intersection));
            } else if let Some(shader) = record.any_hit {
                ray.wants = Some((shader, RayRole::AnyHit));
            } else {
                ray.query.commit(hit);
            }
        }
    }
    Ok(())
}

/// Returns the shader that is called at the end of a search.
fn shader_of_result(
    shared: &Shared<'_>,
    run: &RayRun<'_>,
    ray: &LaneCall,
) -> Option<(ShaderReference, RayRole)> {
    let Some(hit) = &ray.query.committed else {
        return Some((run.tables.miss(ray.miss)?, RayRole::Miss));
    };
    if ray.query.flags & SKIP_CLOSEST_HIT_SHADER != 0 {
        return None;
    }
    let shader = record_of(shared, run, ray, hit).closest_hit?;
    Some((shader, RayRole::ClosestHit))
}

impl Context<'_> {
    /// Loads a value of the ray that the shader is called for, or of the dispatch.
    pub(super) fn ray_value(&self, value: RayValue, complex: &Complex) {
        let calls = self.table_calls.borrow();
        for lane in self.on() {
            let bits = match value {
                RayValue::Index(axis) => self.ray_index(lane)[usize::from(axis.min(2))],
                RayValue::Dimensions(axis) => {
                    let size = self.shared.rays.map_or([0; 3], |run| run.size);
                    size[usize::from(axis.min(2))]
                }
                _ => calls.get(self.ray).map_or(0, |call| {
                    let query = &call.lanes[lane].query;
                    self.value_of_ray(value, query)
                }),
            };
            self.registers.set(complex.result(0), lane, u64::from(bits));
        }
    }

    fn ray_index(&self, lane: usize) -> [u32; 3] {
        let Some(run) = self.shared.rays else {
            return [0; 3];
        };
        let [width, height, _] = run.size.map(|side| side.max(1));
        let number = self.group.number * self.shared.kernel.wave_size() + lane as u32;
        [
            number % width,
            number / width % height,
            number / width / height,
        ]
    }

    fn value_of_ray(&self, value: RayValue, query: &Query) -> u32 {
        let is_candidate = matches!(self.role, RayRole::AnyHit | RayRole::Intersection);
        let of_hit = |value| {
            if is_candidate {
                QueryValue::Candidate(value)
            } else {
                QueryValue::Committed(value)
            }
        };
        let value = match value {
            RayValue::Flags => QueryValue::RayFlags,
            RayValue::Origin(axis) => QueryValue::WorldOrigin(axis),
            RayValue::Direction(axis) => QueryValue::WorldDirection(axis),
            RayValue::TMin => QueryValue::TMin,
            // In an any-hit shader that of the hit that is asked about, elsewhere the end of the
            // ray so far (DirectX Raytracing specification, "RayTCurrent").
            RayValue::TCurrent if self.role == RayRole::AnyHit => {
                return query.candidate.t.to_bits();
            }
            RayValue::TCurrent => QueryValue::CommittedT,
            RayValue::HitKind => {
                let committed = query.committed.unwrap_or_default();
                let hit = if is_candidate {
                    query.candidate
                } else {
                    committed
                };
                return hit.shader_kind();
            }
            RayValue::Hit(value) => of_hit(value),
            RayValue::Index(_) | RayValue::Dimensions(_) => return 0,
        };
        query.value(value, self.shared.structure(query.structure))
    }
}
