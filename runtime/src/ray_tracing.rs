//! Ray tracing pipelines and dispatches as data: hit groups, shader tables, local root arguments.
//!
//! The words are D3D12's (DXR specification, "State objects" and "Shader tables"). A shader table
//! names the groups of its pipeline by what they are made of; identifiers, strides and alignments
//! are the device's business.

use crate::error::{Error, Result};
use crate::program::StageCode;
use crate::resource::{ResourceId, ResourceView};
use dxil_frontend::dxil::ShaderKind;
use serde::{Deserialize, Serialize};

/// The kind of geometry of a hit group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub enum HitGroupKind {
    /// Triangles.
    #[default]
    Triangles,
    /// Boxes, with an intersection shader.
    Procedural,
}

/// A hit group; the shaders are indices into [`Program::stages`](crate::Program::stages).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct HitGroup {
    /// Its export name.
    pub name: String,
    /// The kind of its geometry.
    pub kind: HitGroupKind,
    /// Closest-hit shader.
    pub closest_hit: Option<usize>,
    /// Any-hit shader.
    pub any_hit: Option<usize>,
    /// Intersection shader.
    pub intersection: Option<usize>,
}

/// Returns the hit groups of libraries that define none: the n-th closest-hit shader with the n-th
/// any-hit shader for triangles, followed by each intersection shader with the closest-hit and
/// any-hit shader of its number for boxes.
pub fn paired_hit_groups(kinds: &[ShaderKind]) -> Vec<HitGroup> {
    let of = |kind| {
        let all = kinds.iter().enumerate().filter(move |(_, k)| **k == kind);
        all.map(|(index, _)| index).collect::<Vec<_>>()
    };
    let closest = of(ShaderKind::ClosestHit);
    let any = of(ShaderKind::AnyHit);
    let group = |index: usize| HitGroup {
        closest_hit: closest.get(index).copied(),
        any_hit: any.get(index).copied(),
        ..HitGroup::default()
    };
    let mut groups: Vec<HitGroup> = (0..closest.len().max(any.len()))
        .map(|index| HitGroup {
            name: format!("triangles {index}"),
            ..group(index)
        })
        .collect();
    for (index, intersection) in of(ShaderKind::Intersection).into_iter().enumerate() {
        groups.push(HitGroup {
            name: format!("boxes {index}"),
            kind: HitGroupKind::Procedural,
            intersection: Some(intersection),
            ..group(index)
        });
    }
    groups
}

/// State of a ray tracing pipeline besides its shaders.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RayTracingState {
    /// Hit groups.
    pub hit_groups: Vec<HitGroup>,
    /// Maximum nesting of rays traced from hit and miss shaders: 1 allows those of the ray
    /// generation shader only.
    pub max_recursion: u32,
    /// Maximum number of bytes of a payload or of callable shaders' data.
    pub max_payload_bytes: u32,
    /// Maximum number of bytes of attributes.
    pub max_attribute_bytes: u32,
    /// No ray hits triangles (`D3D12_RAYTRACING_PIPELINE_FLAG_SKIP_TRIANGLES`).
    pub skip_triangles: bool,
    /// No ray hits boxes (`D3D12_RAYTRACING_PIPELINE_FLAG_SKIP_PROCEDURAL_PRIMITIVES`).
    pub skip_procedural: bool,
}

/// The shader or hit group of a record in a shader table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ShaderGroup {
    /// A ray generation, miss or callable shader, by its index among the program's stages.
    Shader(usize),
    /// A hit group, by its index in [`RayTracingState::hit_groups`].
    Hit(usize),
}

/// An argument of the local root signature, as it lies in a record.
#[derive(Debug, Clone, PartialEq)]
pub enum LocalArgument {
    /// Root constants, or any bytes.
    Constants(Vec<u8>),
    /// A root descriptor: the device address of a buffer or acceleration structure, 8 bytes at a
    /// multiple of 8.
    Address(ResourceView),
    /// A descriptor table: the number of its first descriptor in the heap, 8 bytes at a multiple of
    /// 8.
    Table(u32),
}

/// A record of a shader table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    /// The shader group that it calls; `None` is the null identifier, which does nothing.
    pub group: Option<ShaderGroup>,
    /// Local root arguments, in order.
    pub arguments: Vec<LocalArgument>,
}

impl Record {
    /// Returns a record without local arguments.
    pub fn new(group: ShaderGroup) -> Self {
        Record {
            group: Some(group),
            arguments: Vec::new(),
        }
    }

    /// Returns the record with one more argument.
    #[must_use]
    pub fn with(mut self, argument: LocalArgument) -> Self {
        self.arguments.push(argument);
        self
    }

    /// Returns the size of the arguments in bytes.
    pub fn argument_bytes(&self) -> u64 {
        self.arguments
            .iter()
            .fold(0, |at, argument| match argument {
                LocalArgument::Constants(bytes) => at + bytes.len() as u64,
                // Addresses and handles are eight bytes, aligned to eight (DXR specification,
                // "Shader table memory initialization").
                LocalArgument::Address(_) | LocalArgument::Table(_) => at.next_multiple_of(8) + 8,
            })
    }
}

/// The shader tables of a dispatch.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ShaderTable {
    /// The ray generation shader.
    pub ray_generation: Record,
    /// Miss shaders.
    pub miss: Vec<Record>,
    /// Hit groups.
    pub hit_groups: Vec<Record>,
    /// Callable shaders.
    pub callable: Vec<Record>,
}

/// A number of rays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RayCount {
    /// Width, height and depth.
    Direct([u32; 3]),
    /// As three words in a buffer say.
    Indirect {
        /// The buffer.
        arguments: ResourceId,
        /// Their first byte.
        offset: u64,
    },
}

/// `DispatchRays`.
#[derive(Debug, Clone, PartialEq)]
pub struct RayDispatch {
    /// The shader tables.
    pub table: ShaderTable,
    /// The number of rays that are generated.
    pub count: RayCount,
}

/// Returns whether a stage makes a shader group of its own. The others are parts of hit groups.
pub fn is_general(kind: ShaderKind) -> bool {
    matches!(
        kind,
        ShaderKind::RayGeneration | ShaderKind::Miss | ShaderKind::Callable
    )
}

/// Returns whether a stage belongs to a ray tracing pipeline.
pub(crate) fn is_ray_tracing(kind: ShaderKind) -> bool {
    is_general(kind)
        || matches!(
            kind,
            ShaderKind::ClosestHit | ShaderKind::AnyHit | ShaderKind::Intersection
        )
}

impl RayTracingState {
    /// Checks that the hit groups consist of shaders of their kinds, and the stages belong to a
    /// pipeline of this kind.
    pub(crate) fn check(&self, stages: &[StageCode]) -> Result<()> {
        if let Some(other) = stages.iter().find(|stage| !is_ray_tracing(stage.kind)) {
            return Err(Error::BadJob(format!(
                "a {} shader cannot be part of a ray tracing pipeline",
                other.kind.prefix()
            )));
        }
        let mut kinds = stages.iter().map(|stage| stage.kind);
        if !kinds.any(|kind| kind == ShaderKind::RayGeneration) {
            return Err(Error::BadJob(
                "a ray tracing pipeline needs a ray generation shader".into(),
            ));
        }
        for group in &self.hit_groups {
            let bad = |problem: String| {
                Err(Error::BadJob(format!(
                    "hit group `{}`: {problem}",
                    group.name
                )))
            };
            for (shader, kind, what) in [
                (group.closest_hit, ShaderKind::ClosestHit, "closest-hit"),
                (group.any_hit, ShaderKind::AnyHit, "any-hit"),
                (group.intersection, ShaderKind::Intersection, "intersection"),
            ] {
                match shader.map(|index| stages.get(index)) {
                    Some(Some(stage)) if stage.kind != kind => {
                        return bad(format!("`{}` is no {what} shader", stage.entry));
                    }
                    Some(None) => return bad(format!("its {what} shader does not exist")),
                    _ => {}
                }
            }
            match (group.kind, group.intersection) {
                (HitGroupKind::Triangles, Some(_)) => {
                    return bad("triangles take no intersection shader".into());
                }
                (HitGroupKind::Procedural, None) => {
                    return bad("procedural primitives need an intersection shader".into());
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl ShaderTable {
    /// Checks that every record calls a shader of its table's kind.
    pub(crate) fn check(&self, stages: &[ShaderKind], hit_groups: usize) -> Result<()> {
        let bad = |what: &str, index: usize, problem: &str| {
            Err(Error::BadJob(format!(
                "record {index} of the {what} table {problem}"
            )))
        };
        // A null record is allowed everywhere but here: without a ray generation shader nothing
        // runs.
        if self.ray_generation.group.is_none() {
            return bad("ray generation", 0, "calls nothing");
        }
        let ray_generation = std::slice::from_ref(&self.ray_generation);
        for (what, records, kind) in [
            (
                "ray generation",
                ray_generation,
                Some(ShaderKind::RayGeneration),
            ),
            ("miss", &self.miss, Some(ShaderKind::Miss)),
            ("hit group", &self.hit_groups, None),
            ("callable", &self.callable, Some(ShaderKind::Callable)),
        ] {
            for (index, record) in records.iter().enumerate() {
                // A null identifier is legal and runs nothing (DXR specification, "Shader
                // identifier").
                let fits = match record.group {
                    None => true,
                    Some(ShaderGroup::Shader(shader)) => {
                        kind.is_some() && stages.get(shader).copied() == kind
                    }
                    Some(ShaderGroup::Hit(group)) => kind.is_none() && group < hit_groups,
                };
                if !fits {
                    return bad(what, index, "calls something else");
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage(kind: ShaderKind) -> StageCode {
        StageCode::of_spirv(kind, [], &format!("{kind:?}"))
    }

    #[test]
    fn shaders_are_paired_by_their_numbers() {
        use ShaderKind as K;
        let kinds = [
            K::RayGeneration,
            K::ClosestHit,
            K::Intersection,
            K::ClosestHit,
            K::AnyHit,
        ];
        let groups = paired_hit_groups(&kinds);
        let shaders = |group: &HitGroup| (group.closest_hit, group.any_hit, group.intersection);
        assert_eq!(
            groups.iter().map(shaders).collect::<Vec<_>>(),
            [
                (Some(1), Some(4), None),
                (Some(3), None, None),
                (Some(1), Some(4), Some(2)),
            ]
        );
        assert!(paired_hit_groups(&[K::RayGeneration]).is_empty());
    }

    #[test]
    fn hit_groups_are_made_of_shaders_of_their_kinds() {
        let stages = [
            stage(ShaderKind::RayGeneration),
            stage(ShaderKind::ClosestHit),
            stage(ShaderKind::Intersection),
        ];
        let check = |group: HitGroup| {
            let state = RayTracingState {
                hit_groups: vec![group],
                ..RayTracingState::default()
            };
            state.check(&stages).map_err(|error| error.to_string())
        };
        let triangles = HitGroup {
            name: "group".to_owned(),
            closest_hit: Some(1),
            ..HitGroup::default()
        };
        assert_eq!(check(HitGroup::default()), Ok(()));
        assert_eq!(check(triangles.clone()), Ok(()));
        let procedural = HitGroup {
            kind: HitGroupKind::Procedural,
            ..triangles.clone()
        };
        for (group, says) in [
            (
                HitGroup {
                    any_hit: Some(1),
                    ..triangles.clone()
                },
                "`ClosestHit` is no any-hit shader",
            ),
            (
                HitGroup {
                    closest_hit: Some(3),
                    ..triangles.clone()
                },
                "does not exist",
            ),
            (
                HitGroup {
                    intersection: Some(2),
                    ..triangles
                },
                "take no intersection",
            ),
            (procedural, "need an intersection"),
        ] {
            let error = check(group).unwrap_err();
            assert!(error.contains(says), "{error} says not: {says}");
        }
        let state = RayTracingState::default();
        let error = state.check(&stages[1..]).unwrap_err().to_string();
        assert!(error.contains("needs a ray generation shader"), "{error}");
        let error = state.check(&[stage(ShaderKind::Compute)]).unwrap_err();
        assert!(error.to_string().contains("a cs shader"), "{error}");
    }

    #[test]
    fn records_call_what_their_table_is_for() {
        let stages = [ShaderKind::RayGeneration, ShaderKind::Miss];
        let good = ShaderTable {
            ray_generation: Record::new(ShaderGroup::Shader(0)),
            miss: vec![Record::new(ShaderGroup::Shader(1)), Record::default()],
            hit_groups: vec![Record::new(ShaderGroup::Hit(0))],
            callable: Vec::new(),
        };
        let check = |table: &ShaderTable| table.check(&stages, 1).map_err(|e| e.to_string());
        assert_eq!(check(&good), Ok(()));
        let mut bad = good.clone();
        bad.miss[1] = Record::new(ShaderGroup::Shader(0));
        assert!(
            check(&bad)
                .unwrap_err()
                .contains("record 1 of the miss table")
        );
        let mut bad = good.clone();
        bad.hit_groups[0] = Record::new(ShaderGroup::Hit(1));
        assert!(check(&bad).unwrap_err().contains("hit group table"));
        let mut bad = good;
        bad.ray_generation = Record::default();
        assert!(check(&bad).unwrap_err().contains("calls nothing"));
    }

    #[test]
    fn addresses_are_aligned_in_a_record() {
        let record = Record::default()
            .with(LocalArgument::Constants(vec![1, 2, 3, 4]))
            .with(LocalArgument::Table(3))
            .with(LocalArgument::Constants(vec![0; 4]));
        assert_eq!(record.argument_bytes(), 20);
    }
}
