//! Hit objects: what their words say, and the hits of rays and queries as words.

use super::context::Context;
use super::ray_query::{Hit, Query};
use super::shared::RayRun;
use super::table_call::RayRole;
use crate::decode::code::{Complex, HitObjectOp, HitValue, MAX_ATTRIBUTE_WORDS, QueryValue};
use crate::decode::hit_object_words::{HIT_OBJECT_WORDS, Word, state};
use crate::resources::ShaderReference;

/// A hit object of a lane.
#[derive(Debug, Clone, Copy)]
pub(super) struct HitObject {
    words: [u32; HIT_OBJECT_WORDS],
}

impl HitObject {
    pub(super) fn read(word: impl Fn(usize) -> u32) -> HitObject {
        HitObject {
            words: std::array::from_fn(word),
        }
    }

    /// Returns the object of a ray: a miss if nothing is committed.
    pub(super) fn of_ray(query: &Query, record: u32) -> HitObject {
        let mut object = HitObject::with_ray(query);
        object.put(Word::Record, &[record]);
        match &query.committed {
            Some(hit) => object.put_hit(hit, query.structure, state::HAS_RECORD),
            None => object.put(Word::State, &[state::MISS | state::HAS_RECORD]),
        }
        object
    }

    /// Returns the object of a query's committed hit: empty if there is none.
    fn of_query(query: &Query) -> HitObject {
        let Some(hit) = &query.committed else {
            return HitObject {
                words: [0; HIT_OBJECT_WORDS],
            };
        };
        let mut object = HitObject::with_ray(query);
        object.put_hit(hit, query.structure, 0);
        object
    }

    fn with_ray(query: &Query) -> HitObject {
        let mut object = HitObject {
            words: [0; HIT_OBJECT_WORDS],
        };
        object.put(Word::Flags, &[query.flags]);
        object.put(Word::Origin, &query.origin.map(f32::to_bits));
        object.put(Word::TMin, &[query.t_min.to_bits()]);
        object.put(Word::Direction, &query.direction.map(f32::to_bits));
        object.put(Word::T, &[query.t_end.to_bits()]);
        object
    }

    fn put_hit(&mut self, hit: &Hit, structure: Option<usize>, more: u32) {
        let procedural = if hit.is_procedural {
            state::PROCEDURAL
        } else {
            0
        };
        let front = if hit.is_front { state::FRONT } else { 0 };
        self.put(Word::State, &[state::HIT | procedural | front | more]);
        self.put(Word::Structure, &[structure.map_or(0, |n| n as u32 + 1)]);
        self.put(Word::Instance, &[hit.instance]);
        self.put(Word::Geometry, &[hit.geometry]);
        self.put(Word::Primitive, &[hit.primitive]);
        self.put(Word::HitKind, &[hit.shader_kind()]);
        if !hit.is_procedural {
            self.put(Word::Attributes, &hit.barycentrics.map(f32::to_bits));
        }
    }

    pub(super) fn put(&mut self, word: Word, values: &[u32]) {
        self.words[word as usize..][..values.len()].copy_from_slice(values);
    }

    fn get(&self, word: Word) -> u32 {
        self.words[word as usize]
    }

    pub(super) fn words(&self) -> &[u32; HIT_OBJECT_WORDS] {
        &self.words
    }

    pub(super) fn attributes(&self) -> &[u32] {
        &self.words[Word::Attributes as usize..]
    }

    pub(super) fn is_hit(&self) -> bool {
        self.get(Word::State) & state::KINDS == state::HIT
    }

    pub(super) fn is_procedural(&self) -> bool {
        self.is_hit() && self.get(Word::State) & state::PROCEDURAL != 0
    }

    fn has_record(&self) -> bool {
        self.get(Word::State) & state::HAS_RECORD != 0
    }

    /// Returns the ray with its hit, as a called shader sees it.
    pub(super) fn query(&self) -> Query {
        let floats = |word: Word| {
            let first = word as usize;
            [0, 1, 2].map(|axis| f32::from_bits(self.words[first + axis]))
        };
        let [u, v] = [0, 1].map(|index| f32::from_bits(self.attributes()[index]));
        let hit = Hit {
            t: f32::from_bits(self.get(Word::T)),
            barycentrics: [u, v],
            is_front: self.get(Word::State) & state::FRONT != 0,
            is_procedural: self.is_procedural(),
            is_opaque: false,
            instance: self.get(Word::Instance),
            geometry: self.get(Word::Geometry),
            primitive: self.get(Word::Primitive),
            kind: self.get(Word::HitKind),
        };
        Query {
            flags: self.get(Word::Flags),
            origin: floats(Word::Origin),
            direction: floats(Word::Direction),
            t_min: f32::from_bits(self.get(Word::TMin)),
            t_end: f32::from_bits(self.get(Word::T)),
            structure: (self.get(Word::Structure) as usize).checked_sub(1),
            committed: self.is_hit().then_some(hit),
            ..Query::default()
        }
    }

    /// Returns the shader that `Invoke` calls.
    pub(super) fn shader(&self, run: &RayRun<'_>) -> Option<(ShaderReference, RayRole)> {
        if !self.has_record() {
            return None;
        }
        let index = self.get(Word::Record);
        if self.is_hit() {
            let shader = run.tables.hit_group(index).closest_hit?;
            Some((shader, RayRole::ClosestHit))
        } else {
            Some((run.tables.miss(index)?, RayRole::Miss))
        }
    }
}

impl Context<'_> {
    pub(super) fn hit_object(&self, op: HitObjectOp, complex: &Complex) {
        let r = &self.registers;
        for lane in self.on() {
            let word = |index| r.word(complex.source(index), lane);
            let result = match op {
                HitObjectOp::FromQuery { attributes } => {
                    let object = self.object_of_query(lane, attributes, word);
                    for (&dst, &word) in complex.dst.iter().zip(object.words()) {
                        r.set(dst, lane, u64::from(word));
                    }
                    continue;
                }
                HitObjectOp::Value(value) => self.value_of_object(&HitObject::read(word), value),
                HitObjectOp::LocalConstant => {
                    let object = HitObject::read(word);
                    let index = object.get(Word::Record);
                    let run = self.shared.rays.filter(|_| object.has_record());
                    let offset = word(HIT_OBJECT_WORDS);
                    run.map_or(0, |run| {
                        run.tables.local_constant(object.is_hit(), index, offset)
                    })
                }
            };
            r.set(complex.result(0), lane, u64::from(result));
        }
    }

    /// Returns the object of a query; the sources after it are a hit kind and an address of
    /// attributes.
    fn object_of_query(
        &self,
        lane: usize,
        attributes: u32,
        word: impl Fn(usize) -> u32,
    ) -> HitObject {
        let queries = self.queries.borrow();
        let number = word(0) as usize;
        // A handle that no allocation made comes from a malformed module.
        let query = queries.get(number * self.lanes + lane);
        let mut object = HitObject::of_query(query.unwrap_or(&Query::default()));
        // The kind and attributes count for procedural hits alone.
        if object.is_procedural() && attributes != 0 {
            object.put(Word::HitKind, &[word(1)]);
            let mut values = [0; MAX_ATTRIBUTE_WORDS as usize];
            let count = (attributes as usize).min(values.len());
            for (address, value) in (word(2) as usize..).zip(&mut values[..count]) {
                let cell = self.private.get(address.saturating_mul(self.lanes) + lane);
                *value = cell.map_or(0, |cell| cell.get());
            }
            object.put(Word::Attributes, &values);
        }
        object
    }

    /// Returns a value that needs the acceleration structure. Without a hit, object space is world
    /// space (proposal 0027, "HitObject::GetObjectToWorld3x4").
    fn value_of_object(&self, object: &HitObject, value: HitValue) -> u32 {
        let query = object.query();
        if object.is_hit() {
            let structure = self.shared.structure(query.structure);
            return query.value(QueryValue::Committed(value), structure);
        }
        match value {
            HitValue::ObjectOrigin(axis) => query.value(QueryValue::WorldOrigin(axis), None),
            HitValue::ObjectDirection(axis) => query.value(QueryValue::WorldDirection(axis), None),
            HitValue::ObjectToWorld(index) | HitValue::WorldToObject(index) => {
                // Three rows of four columns.
                let is_diagonal = index / 4 == index % 4;
                f32::from(u8::from(is_diagonal)).to_bits()
            }
            _ => 0,
        }
    }
}
