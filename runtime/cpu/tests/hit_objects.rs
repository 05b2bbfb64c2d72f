//! Hit objects: what they tell of rays and queries, and the shaders that they call.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::Path;
use std::sync::Arc;

use dxil_cpu::resources::{
    AccelerationStructure, Bindings, Component, Dimension, Geometry, Instance, Packing, Primitives,
    RayRecord, RayTables, RecordShader, Register, ResourceView, Storage, TexelLayout, Texture,
};
use dxil_cpu::{Dispatch, Error, Kernel, Limits, Options, RayShader};
use dxil_frontend::asm::assemble;
use dxil_frontend::dxil::{ResourceClass, Shader, read_shader};
use dxil_frontend::ir::print::{Plain, module_text};

fn library(path: &str) -> Shader {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path);
    read_shader(&std::fs::read(path).unwrap()).unwrap()
}

fn of_test(name: &str) -> Shader {
    library(&format!("translate/filetests/hit_objects/{name}.dxil"))
}

fn register(class: ResourceClass) -> Register {
    Register {
        class,
        space: 0,
        index: 0,
    }
}

/// Returns an instance of one geometry, moved.
fn instance(primitives: Primitives, moved: [f32; 3]) -> Instance {
    let [x, y, z] = moved;
    Instance {
        geometries: Arc::new([Geometry {
            is_opaque: false,
            primitives,
        }]),
        object_to_world: [1.0, 0.0, 0.0, x, 0.0, 1.0, 0.0, y, 0.0, 0.0, 1.0, z],
        id: 77,
        mask: 0xff,
        hit_group_offset: 1,
        flags: 0,
    }
}

fn triangle(moved: [f32; 3]) -> Instance {
    let corners = [[-2.0, -2.0, 0.0], [-2.0, 2.0, 0.0], [2.0, -2.0, 0.0]];
    instance(Primitives::Triangles(vec![corners]), moved)
}

fn shader(shader: usize) -> Option<RecordShader> {
    Some(RecordShader {
        shader,
        registers: Vec::new(),
    })
}

fn general(number: usize) -> RayRecord {
    RayRecord {
        general: shader(number),
        ..RayRecord::default()
    }
}

/// A dispatch of rays whose first shader generates them.
struct Run<'a> {
    shaders: Vec<RayShader<'a>>,
    scene: Vec<Instance>,
    tables: RayTables,
    constants: Vec<u8>,
    output: Storage,
    size: [u32; 3],
}

impl<'a> Run<'a> {
    fn new(shaders: &[(&'a Shader, &'a str)], scene: Vec<Instance>) -> Run<'a> {
        let shaders = shaders.iter();
        Run {
            shaders: shaders
                .map(|&(shader, entry)| RayShader { shader, entry })
                .collect(),
            scene,
            tables: RayTables {
                ray_generation: general(0),
                max_recursion: 1,
                ..RayTables::default()
            },
            constants: vec![0; 64],
            output: Storage::buffer(&[0xcd; 512]),
            size: [1, 1, 1],
        }
    }

    /// Runs it and returns the words of `u0`, which is a buffer or a texture.
    fn run(self, is_buffer: bool) -> Result<Vec<u32>, Error> {
        let mut options = Options::default();
        options.preview = true;
        let kernel = Kernel::decode_rays(&self.shaders, &options)?;
        let view = if is_buffer {
            ResourceView::Buffer {
                storage: 0,
                offset: 0,
                size: self.output.to_bytes().len() as u64,
                format: None,
                counter: 0,
            }
        } else {
            ResourceView::Texture {
                storage: 0,
                format: rgba(),
                first_mip: 0,
                mips: 1,
                first_layer: 0,
                layers: 1,
            }
        };
        let bindings = Bindings {
            structures: vec![Arc::new(AccelerationStructure {
                instances: self.scene,
            })],
            registers: vec![
                (
                    register(ResourceClass::Srv),
                    ResourceView::AccelerationStructure(0),
                ),
                (register(ResourceClass::Uav), view),
                (
                    register(ResourceClass::Cbv),
                    ResourceView::Constants(self.constants),
                ),
            ],
            ..Bindings::default()
        };
        let storages = [self.output];
        let dispatch = Dispatch::of_rays(&kernel, &bindings, &storages, &self.tables)?;
        dispatch.run_rays(self.size, &Limits::default())?;
        let bytes = storages[0].to_bytes();
        let words = bytes.as_chunks::<4>().0.iter();
        Ok(words.map(|word| u32::from_le_bytes(*word)).collect())
    }
}

fn rgba() -> TexelLayout {
    TexelLayout {
        component: Component::Float,
        packing: Packing::Plain { bits: 32, count: 4 },
    }
}

fn bits<const N: usize>(values: [f32; N]) -> [u32; N] {
    values.map(f32::to_bits)
}

/// Expects the hit of a ray from (0, 1, 0) along z, as `accessors.hlsl` writes it.
fn expect_ray(words: &[u32], t: f32, object_origin: [f32; 3]) {
    assert_eq!(words[4..6], bits([0.0, t]));
    assert_eq!(words[8..11], bits([0.0, 1.0, 1.0]));
    let [x, y, z] = object_origin;
    assert_eq!(words[11..14], bits([x, y, z - 1.0]));
}

#[test]
fn accessors_tell_of_a_triangle_a_miss_and_nothing() {
    let accessors = of_test("accessors");
    let scene = vec![triangle([0.5, 1.0, 5.0])];
    let words = Run::new(&[(&accessors, "gen")], scene).run(true).unwrap();

    let hit = &words[..32];
    assert_eq!(hit[..4], [1, 0, 0, 0], "a hit");
    expect_ray(hit, 5.0, [-0.5, 0.0, -5.0]);
    assert_eq!(hit[6..8], [1, 254], "the instance's record, a front face");
    // Object to world moves (1, 2, 3) by four times the translation; the way back turns nothing.
    assert_eq!(hit[14..18], bits([4.0, 6.0, 23.0 + 1.0, 24.0]));
    assert_eq!(hit[18..22], [0, 0, 77, 0]);
    assert_eq!(hit[22..25], bits([0.5, 0.375, 0.0]));

    let miss = &words[32..64];
    assert_eq!(miss[..4], [0, 1, 0, 0]);
    expect_ray(miss, 100.0, [0.0, 1.0, 0.0]);
    assert_eq!(miss[6..8], [2, 0]);
    assert_eq!(miss[14..18], bits([2.0, 2.0, 4.0, 4.0]), "unit matrices");
    assert_eq!(miss[18..25], [0; 7]);

    let nothing = &words[64..96];
    assert_eq!(nothing[..4], [0, 0, 1, 0]);
    assert_eq!(nothing[4..14], [0; 10]);
    assert_eq!(nothing[14..18], bits([2.0, 2.0, 4.0, 4.0]));
    assert_eq!(nothing[18..25], [0; 7]);
}

#[test]
fn a_search_for_an_object_calls_any_hit_and_intersection_shaders() {
    let (accessors, others) = (
        of_test("accessors"),
        library("runtime/tests/data/rays.dxil"),
    );
    let shaders = [(&accessors, "gen"), (&others, "Cube"), (&others, "Holes")];
    let bounds = vec![[[-1.0; 3], [1.0; 3]]];
    let boxes = instance(Primitives::Boxes(bounds), [0.5, 1.0, 5.0]);
    let mut run = Run::new(&shaders, vec![boxes]);
    run.tables.hit_groups = vec![
        RayRecord::default(),
        RayRecord {
            intersection: shader(1),
            ..RayRecord::default()
        },
    ];
    let words = run.run(true).unwrap();
    assert_eq!(words[..4], [1, 0, 0, 0]);
    expect_ray(&words, 4.0, [-0.5, 0.0, -5.0]);
    assert_eq!(
        words[6..8],
        [1, 5],
        "the record, the kind that was reported"
    );
    let [x, y] = bits([-0.5, 0.0]);
    assert_eq!(
        words[22..25],
        [2, x, y],
        "the attributes that were reported"
    );

    // The any-hit shader ignores what lies close to the first corner.
    for (moved, is_hit) in [([0.5, 1.0, 5.0], 1), ([1.5, 2.5, 5.0], 0)] {
        let mut run = Run::new(&shaders, vec![triangle(moved)]);
        run.tables.hit_groups = vec![
            RayRecord::default(),
            RayRecord {
                any_hit: shader(2),
                ..RayRecord::default()
            },
        ];
        assert_eq!(run.run(true).unwrap()[..2], [is_hit, 1 - is_hit]);
    }
}

#[test]
fn invoke_calls_the_shader_of_the_hit_or_miss() {
    let library = of_test("trace_invoke");
    let shaders = [(&library, "gen"), (&library, "hit"), (&library, "miss")];
    let run = |max_recursion| {
        let mut run = Run::new(&shaders, vec![triangle([0.0, 0.0, 2.0])]);
        run.tables.miss = vec![general(2)];
        run.tables.hit_groups = vec![
            RayRecord::default(),
            RayRecord {
                closest_hit: shader(1),
                ..RayRecord::default()
            },
        ];
        run.tables.max_recursion = max_recursion;
        run.size = [8, 8, 1];
        let matrix: [f32; 16] = std::array::from_fn(|i| f32::from(u8::from(i % 5 == 0)));
        run.constants = matrix.iter().flat_map(|x| x.to_le_bytes()).collect();
        let texture = Texture {
            dimension: Dimension::D2,
            format: rgba(),
            size: [8, 8, 1],
            layers: 1,
            mips: 1,
            samples: 1,
        };
        run.output = Storage::texture(texture, &[]);
        run.run(false)
    };
    let texels = run(1).unwrap();
    let mut hits = 0;
    for (number, texel) in texels.as_chunks::<4>().0.iter().enumerate() {
        let texel = texel.map(f32::from_bits);
        let [x, y] = [number % 8, number / 8].map(|i| (i as f32 + 0.5) / 4.0 - 1.0);
        // Where the ray meets the triangle's plane, along its sides.
        let (u, v) = ((2.0 * y + 2.0) / 4.0, (2.0 * x + 2.0) / 4.0);
        let length = (x * x + y * y + 1.0).sqrt();
        let expected = if u + v <= 1.0 {
            hits += 1;
            [u, v, 0.0, 1.0]
        } else {
            let [x, y, z] = [x, y, 1.0].map(|d| d / length * 0.5 + 0.5);
            [x, y, z, 0.0]
        };
        for (found, expected) in texel.into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-5, "{number}: {texel:?}");
        }
    }
    assert!(hits > 8 && hits < 56);
    // Calls of hit objects count as those of TraceRay do.
    assert!(matches!(run(0), Err(Error::CallDepth { limit: 0, .. })));
}

#[test]
fn what_a_query_found_becomes_an_object_with_the_record_that_it_is_given() {
    let library = of_test("from_query");
    let shaders = [(&library, "gen"), (&library, "hit")];
    let bounds = vec![[[-0.5, -0.5, 0.0], [1.5, 0.5, 4.0]]];
    let boxes = instance(Primitives::Boxes(bounds), [0.0; 3]);
    let opaque = Instance {
        flags: 4, // D3D12_RAYTRACING_INSTANCE_FLAG_FORCE_OPAQUE
        ..triangle([3.0, 0.5, 5.0])
    };
    let mut run = Run::new(&shaders, vec![boxes, opaque]);
    run.size = [8, 1, 1];
    // Of the first record there is nothing but its arguments.
    run.tables.hit_groups = (0..4)
        .map(|number| RayRecord {
            closest_hit: if number == 1 { shader(1) } else { None },
            arguments: vec![1, 2, 3, 4, 50 + number],
            ..RayRecord::default()
        })
        .collect();
    let words = run.run(true).unwrap();
    let rows = words.as_chunks::<4>().0;
    // Ray 0 hits the box, and calls nothing.
    assert_eq!(rows[0], bits([50.0, 0.0, 0.0, 1.0]));
    // Ray 1 hits it as well: the closest-hit shader sees attributes and kind of the caller.
    assert_eq!(rows[1], bits([1.0, 0.0, 1.0, 7.0]));
    // Rays 2 and 3 hit the triangle.
    assert_eq!(rows[2], bits([52.0, 0.0, 0.0, 1.0]));
    assert_eq!(rows[3], bits([53.0, 0.0, 0.0, 1.0]));
    // The others hit nothing: an empty object takes no record and reads none.
    for row in &rows[4..8] {
        assert_eq!(*row, bits([0.0, 0.0, 0.0, 1.0]));
    }
}

/// Shader model 6.10: clusters, of which there are none, and vertices in object space.
#[test]
fn queries_and_hit_objects_tell_of_clusters_and_vertices() {
    let preview = library("frontend/tests/data/container/sm610_lib.dxil");
    let shaders = [(&preview, "gen"), (&preview, "hit"), (&preview, "miss")];
    // Rays go along y from (index, 0, 0).
    let corners = [[-3.0, 5.0, -3.0], [-3.0, 5.0, 6.0], [9.0, 5.0, 0.0]];
    let scene = vec![instance(
        Primitives::Triangles(vec![corners]),
        [1.0, 1.0, 0.5],
    )];
    let words = Run::new(&shaders, scene).run(true).unwrap();
    // The mean of the corners in object space; the query's cluster is added to its x.
    let none = u32::MAX as f32;
    assert_eq!(words[..4], bits([none, 5.0, 1.0, none]));
}

/// The same of a candidate and of a hit object, and an operation that does nothing. Compilers at
/// hand write none of these, so the text is edited.
#[test]
fn candidates_and_hit_objects_tell_of_vertices_and_nop_does_nothing() {
    let preview = library("frontend/tests/data/container/sm610_lib.dxil");
    let text = module_text(&preview.module, &Plain);
    let committed = "rayQuery_CommittedTriangleObjectPosition.f32(i32";
    // The ray is not opaque, so the first step stops at a candidate and nothing is committed.
    let candidate: &[[&str; 2]] = &[
        [
            "allocateRayQuery(i32 178, i32 1)",
            "allocateRayQuery(i32 178, i32 2)",
        ],
        ["icmp eq i32 %22, 1", "icmp eq i32 %22, 0"],
        [
            "rayQuery_CommittedTriangleObjectPosition",
            "rayQuery_CandidateTriangleObjectPosition",
        ],
        ["i32 -2147483639", "i32 -2147483640"],
        ["i32 -2147483643", "i32 -2147483644"],
    ];
    let object: &[[&str; 2]] = &[
        [
            "(i32 -2147483639, i32 %18)",
            "(i32 -2147483638, %dx.types.HitObject %10)",
        ],
        [
            "CommittedTriangleObjectPosition.f32(i32, i32)",
            "CommittedTriangleObjectPosition.f32(i32, %dx.types.HitObject)",
        ],
        [
            "rayQuery_CommittedTriangleObjectPosition",
            "hitObject_TriangleObjectPosition",
        ],
    ];
    let nop: &[[&str; 2]] = &[
        [
            "  ret void\n",
            "  call void @dx.op.nop(i32 -2147483648)\n  ret void\n",
        ],
        [
            "declare i32 @dx.op.clusterID(i32)",
            "declare void @dx.op.nop(i32)\n\ndeclare i32 @dx.op.clusterID(i32)",
        ],
    ];
    assert!(text.contains(committed), "{text}");
    for edits in [candidate, object, nop] {
        let mut edited = text.clone();
        for [from, to] in edits {
            assert!(edited.contains(from), "{from}: {text}");
            edited = edited.replace(from, to);
        }
        let preview = Shader::decode(assemble(&edited).unwrap()).unwrap();
        let shaders = [(&preview, "gen"), (&preview, "hit"), (&preview, "miss")];
        let corners = [[-3.0, 5.0, -3.0], [-3.0, 5.0, 6.0], [9.0, 5.0, 0.0]];
        let scene = vec![instance(
            Primitives::Triangles(vec![corners]),
            [1.0, 1.0, 0.5],
        )];
        let words = Run::new(&shaders, scene).run(true).unwrap();
        // The mean of the corners, as above.
        let none = u32::MAX as f32;
        assert_eq!(words[..4], bits([none, 5.0, 1.0, none]), "{edits:?}");
    }
}

/// The closest-hit shader of the preview gives the normal of its triangle to another library.
#[test]
fn a_hit_shader_sees_the_vertices_of_its_triangle() {
    let preview = library("frontend/tests/data/container/sm610_lib.dxil");
    let caller = of_test("trace_invoke");
    let shaders = [(&caller, "gen"), (&preview, "hit"), (&preview, "miss")];
    let mut run = Run::new(&shaders, vec![triangle([0.0, 0.0, 2.0])]);
    run.tables.miss = vec![general(2)];
    run.tables.hit_groups = vec![
        RayRecord::default(),
        RayRecord {
            closest_hit: shader(1),
            ..RayRecord::default()
        },
    ];
    run.size = [8, 8, 1];
    let matrix: [f32; 16] = std::array::from_fn(|i| f32::from(u8::from(i % 5 == 0)));
    run.constants = matrix.iter().flat_map(|x| x.to_le_bytes()).collect();
    let texture = Texture {
        dimension: Dimension::D2,
        format: rgba(),
        size: [8, 8, 1],
        mips: 1,
        layers: 1,
        samples: 1,
    };
    run.output = Storage::texture(texture, &[]);
    let words = run.run(false).unwrap();
    let pixels: Vec<&[u32]> = words.chunks_exact(4).collect();
    // (0, 4, 0) x (4, 0, 0) points along -z.
    let normal = bits([0.0, 0.0, -1.0]);
    let hits = pixels.iter().filter(|pixel| pixel[..3] == normal);
    let misses = pixels.iter().filter(|pixel| pixel[..3] == [0; 3]);
    let (hits, misses) = (hits.count(), misses.count());
    assert!(
        hits > 0 && misses > 0 && hits + misses == 64,
        "{hits} {misses}"
    );
}
