//! A library's ray tracing shaders as one pipeline.

use dxil_cpu::RayShader;
use dxil_cpu::resources::{RayRecord, RayTables, RecordShader};
use dxil_frontend::dxil::{Shader, ShaderKind};

/// The shaders, and tables with a record for each of them.
pub(crate) struct RayLibrary<'a> {
    pub(crate) shaders: Vec<RayShader<'a>>,
    pub(crate) tables: RayTables,
}

impl<'a> RayLibrary<'a> {
    /// Returns the pipeline of a library of which a ray tracing shader was chosen; rays begin in
    /// its first ray generation shader.
    pub(crate) fn new(shader: &'a Shader, chosen: &str) -> Option<Self> {
        use ShaderKind as K;
        let kind_of = |name: &str| shader.entry_point(name).map(|entry| entry.kind);
        let is_ray = |kind: ShaderKind| {
            matches!(
                kind,
                K::RayGeneration
                    | K::Miss
                    | K::ClosestHit
                    | K::AnyHit
                    | K::Intersection
                    | K::Callable
            )
        };
        kind_of(chosen).filter(|kind| is_ray(*kind))?;
        let entries = shader.entry_points.iter();
        let entries: Vec<_> = entries.filter(|entry| is_ray(entry.kind)).collect();
        let mut tables = RayTables {
            max_recursion: 3,
            ..RayTables::default()
        };
        let record = |number| {
            Some(RecordShader {
                shader: number,
                registers: Vec::new(),
            })
        };
        let mut generation = None;
        let mut group = RayRecord {
            arguments: vec![1, 2, 3],
            ..RayRecord::default()
        };
        for (number, entry) in entries.iter().enumerate() {
            let general = || RayRecord {
                general: record(number),
                arguments: vec![4, 5],
                ..RayRecord::default()
            };
            match entry.kind {
                K::Miss => tables.miss.push(general()),
                K::Callable => tables.callable.push(general()),
                K::ClosestHit => group.closest_hit = record(number),
                K::AnyHit => group.any_hit = record(number),
                K::Intersection => group.intersection = record(number),
                _ => generation = generation.or_else(|| Some(general())),
            }
        }
        tables.ray_generation = generation?;
        tables.hit_groups = vec![group.clone(), group];
        let shaders = entries.into_iter().map(|entry| RayShader {
            shader,
            entry: &entry.name,
        });
        Some(RayLibrary {
            shaders: shaders.collect(),
            tables,
        })
    }
}
