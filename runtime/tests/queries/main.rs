//! Acceleration structures on the device: what ray queries find in them, against the same scene
//! traced here.
//!
//! These tests need a Vulkan driver with ray queries (lavapipe has them); without one they fail.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod rays;
mod tracer;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use dxil_frontend::dxil::{ResourceClass, ResourceKind, ShaderKind, read_shader};
use dxil_runtime::device::{self, Backend, Device, OpenOptions, Pipeline};
use dxil_runtime::job::{HeapView, Job, Register, ResourceId, ResourceView};
use dxil_runtime::program::{
    BindingSlot, CompileOptions, Layout, Program, SetLayout, StageCode, spirv_words,
};
use dxil_runtime::root_signature::{RootDescriptors, parse_text};
use dxil_runtime::scene::{
    Boxes, Geometry, GeometryFlags, IDENTITY, Instance, InstanceFlags, Scene, Transform,
    TriangleIndices, Triangles,
};
use dxil_runtime::{Error, Format, Result, Storage};
use dxil_translate::DescriptorKind;

use rays::{
    CULL_BACK, CULL_FRONT, CULL_NON_OPAQUE, CULL_OPAQUE, Hit, Ray, SKIP_PROCEDURAL, SKIP_TRIANGLES,
};
use tracer::expect;

fn device() -> &'static Arc<dyn Device> {
    static DEVICE: OnceLock<Arc<dyn Device>> = OnceLock::new();
    DEVICE.get_or_init(|| {
        let mut options = OpenOptions::new(Backend::Vulkan);
        options.timeout = Duration::from_secs(30);
        options.validate = std::env::var_os("DXIL_JIT_VALIDATE").is_some();
        device::open(&options).unwrap_or_else(|error| panic!("these tests need a device: {error}"))
    })
}

/// Returns the probe shader as DXC made it, with its layout by hand.
fn probe() -> &'static dyn Pipeline {
    static PIPELINE: OnceLock<Box<dyn Pipeline>> = OnceLock::new();
    let made = PIPELINE.get_or_init(|| {
        let words = spirv_words(include_bytes!("../data/probe.spv")).unwrap();
        let buffer = DescriptorKind::StorageBuffer;
        let structured = ResourceKind::StructuredBuffer;
        let slots = vec![
            BindingSlot::of_register(
                10,
                DescriptorKind::AccelerationStructure,
                Register::srv(0),
                ResourceKind::RtAccelerationStructure,
            ),
            BindingSlot::of_register(11, buffer, Register::srv(1), structured),
            BindingSlot::of_register(20, buffer, Register::uav(0), structured),
        ];
        let layout = Layout {
            sets: vec![SetLayout { slots }],
            ..Layout::default()
        };
        let stage = StageCode::of_spirv(ShaderKind::Compute, words, "main");
        let program = Program::of_compute(stage, layout);
        device().prepare(&program).unwrap()
    });
    &**made
}

/// Returns the same shader as the translator makes it: with descriptors, and with addresses as root
/// descriptors.
fn translated() -> &'static [Box<dyn Pipeline>; 2] {
    static PIPELINES: OnceLock<[Box<dyn Pipeline>; 2]> = OnceLock::new();
    PIPELINES.get_or_init(|| {
        [RootDescriptors::Bindings, RootDescriptors::Addresses].map(|root_descriptors| {
            let shader = read_shader(include_bytes!("../data/probe.dxil")).unwrap();
            let root = parse_text("SRV(t0), DescriptorTable(SRV(t1), UAV(u0))").unwrap();
            let mut options = CompileOptions::default();
            options.root_descriptors = root_descriptors;
            let profile = device().profile();
            let program =
                Program::compile(&shader, Some(&root), profile, &|_| None, &options).unwrap();
            device().prepare(&program).unwrap()
        })
    })
}

/// Returns the same shader on wgpu, as SPIR-V that passes through.
fn wgpu() -> &'static dyn Pipeline {
    static PIPELINE: OnceLock<Box<dyn Pipeline>> = OnceLock::new();
    let made = PIPELINE.get_or_init(|| {
        let mut options = OpenOptions::new(Backend::Wgpu);
        options.timeout = Duration::from_secs(30);
        let device = device::open(&options).unwrap();
        let shader = read_shader(include_bytes!("../data/probe.dxil")).unwrap();
        let options = CompileOptions::default();
        let program = Program::compile(&shader, None, device.profile(), &|_| None, &options);
        device.prepare(&program.unwrap()).unwrap()
    });
    &**made
}

/// Returns whether wgpu can express all of a scene.
fn is_for_wgpu(scene: &Scene) -> bool {
    let mut instances = scene.top.iter().flat_map(|top| &top.instances);
    instances.all(|i| i.flags.is_empty() && i.hit_group_offset == 0)
}

fn words(values: impl IntoIterator<Item = u32>) -> Vec<u8> {
    values.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn floats(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_le_bytes).collect()
}

/// Returns a job with geometry; rays come later.
fn job() -> Job {
    Job::dispatch([0, 1, 1])
}

fn buffer(job: &mut Job, bytes: Vec<u8>) -> ResourceId {
    job.add_resource("geometry", Storage::Buffer(bytes), false)
}

/// Sends those rays through what the job binds to t0. Returns where the hits will be.
fn with_rays(job: &mut Job, rays: &[Ray]) -> ResourceId {
    let bytes = rays.iter().flat_map(|ray| {
        let [x, y, z] = ray.origin.map(f32::to_bits);
        let [a, b, c] = ray.direction.map(f32::to_bits);
        let [from, to] = ray.reach.map(f32::to_bits);
        [x, y, z, from, a, b, c, to, ray.mask, ray.flags, 0, 0]
    });
    job.bind_buffer(Register::srv(1), words(bytes));
    let hits = job.bind_buffer(Register::uav(0), vec![0xee; rays.len() * 48]);
    job.work = dxil_runtime::Work::Dispatch([rays.len().div_ceil(8) as u32, 1, 1]);
    hits
}

/// Sends rays through what the job binds to t0.
fn trace(mut job: Job, rays: &[Ray]) -> Result<Vec<Hit>> {
    let hits = with_rays(&mut job, rays);
    let outcome = probe().run(&job)?;
    for pipeline in translated() {
        let other = pipeline.run(&job).unwrap();
        assert!(
            other.bytes(hits) == outcome.bytes(hits),
            "DXC's SPIR-V says otherwise"
        );
    }
    if is_for_wgpu(&job.scene) {
        let other = wgpu().run(&job).unwrap();
        assert!(
            other.bytes(hits) == outcome.bytes(hits),
            "wgpu says otherwise"
        );
    }
    let bytes = outcome.bytes(hits).unwrap();
    let read = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    Ok((0..rays.len())
        .map(|i| {
            let at = |word: usize| read(i * 48 + word * 4);
            Hit {
                status: at(0),
                instance_id: at(1),
                instance_index: at(2),
                geometry: at(3),
                primitive: at(4),
                hit_group_offset: at(5),
                front: at(6),
                t: f32::from_bits(at(7)),
                barycentrics: [f32::from_bits(at(8)), f32::from_bits(at(9))],
            }
        })
        .collect())
}

fn close(a: f32, b: f32) -> bool {
    (a - b).abs() <= 1e-4 * b.abs().max(1.0)
}

/// Traces the rays on the device and here.
fn check(job: Job, rays: &[Ray]) -> Vec<Hit> {
    let expected: Vec<Hit> = rays.iter().map(|ray| expect(&job, ray)).collect();
    let found = trace(job, rays).unwrap();
    for ((ray, found), expected) in rays.iter().zip(&found).zip(&expected) {
        let numbers = |hit: &Hit| [hit.t, hit.barycentrics[0], hit.barycentrics[1]];
        let same = numbers(found)
            .iter()
            .zip(numbers(expected))
            .all(|(a, b)| close(*a, b));
        let discrete = Hit {
            t: expected.t,
            barycentrics: expected.barycentrics,
            ..*found
        };
        assert!(
            same && discrete == *expected,
            "{ray:?}\nfound    {found:?}\nexpected {expected:?}"
        );
    }
    found
}

/// Returns the numbers of rays that hit triangles and boxes.
fn counts(hits: &[Hit]) -> (usize, usize) {
    let of = |status| hits.iter().filter(|hit| hit.status == status).count();
    (of(1), of(2))
}

/// Returns two triangles that make the unit square around the origin, seen clockwise from above,
/// with indices.
fn quad(job: &mut Job) -> Triangles {
    let corners = [
        -0.5, -0.5, 0.0, -0.5, 0.5, 0.0, 0.5, 0.5, 0.0, 0.5, -0.5, 0.0,
    ];
    let vertices = buffer(job, floats(corners));
    let indices = [0u16, 1, 2, 0, 2, 3];
    let bytes = indices.iter().flat_map(|i| i.to_le_bytes()).collect();
    let resource = buffer(job, bytes);
    Triangles {
        indices: Some(TriangleIndices {
            resource,
            offset: 0,
            count: 6,
            wide: false,
        }),
        ..Triangles::new(vertices, 4)
    }
}

/// Returns the unit cube as a procedural primitive.
fn cube(job: &mut Job) -> Boxes {
    let bounds = [-0.5, -0.5, -0.5, 0.5, 0.5, 0.5];
    Boxes::new(buffer(job, floats(bounds)), 1)
}

fn moved(x: f32, y: f32, z: f32) -> Transform {
    [1.0, 0.0, 0.0, x, 0.0, 1.0, 0.0, y, 0.0, 0.0, 1.0, z]
}

/// Returns rays straight down on a grid of odd places, none on an edge.
fn grid(half: f32, steps: i32) -> Vec<Ray> {
    let place = |i: i32| (i as f32 + 0.37) / steps as f32 * 2.0 * half - half;
    (0..steps * steps)
        .map(|i| Ray::down(place(i % steps), place(i / steps)))
        .collect()
}

/// Returns a floor, turned and scaled squares above it, and cubes.
fn town() -> Job {
    let mut job = job();
    let quad = quad(&mut job);
    let cube = cube(&mut job);
    let scene = &mut job.scene;
    let flat = scene.add_bottom(
        "flat",
        vec![
            Geometry::Triangles(Triangles {
                transform: Some(moved(0.0, 0.0, -1.0)),
                ..quad
            }),
            Geometry::Triangles(Triangles {
                flags: GeometryFlags::empty(),
                transform: Some(moved(1.0, 0.25, 0.5)),
                ..quad
            }),
        ],
    );
    let solid = scene.add_bottom("solid", vec![Geometry::Boxes(cube)]);
    let floor = [8.0, 0.0, 0.0, 0.0, 0.0, 8.0, 0.0, 0.0, 0.0, 0.0, 1.0, -2.0];
    let turned = [0.8, -0.6, 0.0, -2.0, 0.6, 0.8, 0.0, 1.0, 0.0, 0.0, 1.5, 1.0];
    let leaning = [1.0, 0.0, 0.0, 2.0, 0.0, 0.8, 0.6, -1.0, 0.0, -0.6, 0.8, 0.5];
    let instance = |bottom, transform, id| Instance {
        transform,
        id,
        hit_group_offset: id * 3,
        ..Instance::new(bottom)
    };
    let instances = vec![
        instance(flat, floor, 100),
        instance(flat, turned, 0x00ff_ffff / 3),
        Instance {
            mask: 2,
            ..instance(solid, leaning, 7)
        },
        instance(solid, moved(-1.5, -2.0, 0.0), 9),
        Instance {
            flags: InstanceFlags::TRIANGLE_FRONT_COUNTERCLOCKWISE,
            ..instance(flat, moved(0.5, 2.0, 2.0), 11)
        },
        Instance {
            flags: InstanceFlags::TRIANGLE_CULL_DISABLE | InstanceFlags::FORCE_OPAQUE,
            ..instance(flat, moved(0.0, -3.0, 1.0), 12)
        },
        Instance {
            bottom: None,
            ..instance(0, IDENTITY, 13)
        },
    ];
    let top = scene.add_top("town", instances);
    job.bind(Register::srv(0), ResourceView::AccelerationStructure(top));
    job
}

#[test]
fn rays_find_what_lies_in_a_scene_of_many_instances() {
    let rays = grid(4.0, 24);
    let hits = check(town(), &rays);
    let (triangles, boxes) = counts(&hits);
    assert!(
        triangles > 300 && boxes > 10,
        "{triangles} and {boxes} hits"
    );
    let mut ids: Vec<u32> = hits.iter().map(|hit| hit.instance_id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert!(ids.len() >= 6, "{ids:?}");
}

#[test]
fn rays_at_an_angle_find_the_same_as_the_reference() {
    let rays: Vec<Ray> = (0..200)
        .map(|i| {
            let turn = i as f32 * 0.61;
            let (x, y) = (turn.cos() * 5.0, turn.sin() * 5.0);
            let aim = [(i % 7) as f32 * 0.71 - 2.0, (i % 11) as f32 * 0.43 - 2.0];
            Ray {
                origin: [x, y, 4.0],
                direction: [aim[0] - x, aim[1] - y, -4.3],
                reach: [0.01, 3.0],
                ..Ray::down(0.0, 0.0)
            }
        })
        .collect();
    let (triangles, boxes) = counts(&check(town(), &rays));
    assert!(triangles > 100 && boxes > 5, "{triangles} and {boxes} hits");
}

#[test]
fn ray_flags_cull_what_they_say() {
    for flags in [
        CULL_BACK,
        CULL_FRONT,
        CULL_OPAQUE,
        CULL_NON_OPAQUE,
        SKIP_TRIANGLES,
        SKIP_PROCEDURAL,
    ] {
        let rays: Vec<Ray> = grid(4.0, 12)
            .into_iter()
            .map(|ray| Ray { flags, ..ray })
            .collect();
        check(town(), &rays);
    }
}

#[test]
fn rays_see_instances_whose_mask_they_share() {
    // The floor is seen by all rays, so that no whole wave of them goes astray.
    let mut job = job();
    let quad = quad(&mut job);
    let flat = job
        .scene
        .add_bottom("flat", vec![Geometry::Triangles(quad)]);
    let floor = [8.0, 0.0, 0.0, 0.0, 0.0, 8.0, 0.0, 0.0, 0.0, 0.0, 1.0, -2.0];
    let mut instances = vec![Instance {
        transform: floor,
        ..Instance::new(flat)
    }];
    for i in 0..8u32 {
        instances.push(Instance {
            transform: moved(i as f32 - 3.5, 0.0, i as f32 * 0.1),
            mask: 1 << i,
            id: i + 1,
            ..Instance::new(flat)
        });
    }
    let top = job.scene.add_top("masks", instances);
    job.bind(Register::srv(0), ResourceView::AccelerationStructure(top));
    for mask in [1u32, 0x0f, 0x80, 0xaa, 0xff] {
        let rays: Vec<Ray> = grid(4.0, 10)
            .into_iter()
            .map(|ray| Ray { mask, ..ray })
            .collect();
        check(job.clone(), &rays);
    }
}

#[test]
fn vertices_and_indices_start_where_they_are_said_to() {
    let mut job = job();
    // A vertex of 20 bytes after 8 that are none, and words of indices after one that is none.
    let mut vertices = vec![0xff; 8];
    for v in [[-1.0f32, -1.0, 0.0], [-1.0, 1.0, 0.0], [1.0, 1.0, 0.5]] {
        vertices.extend(floats(v));
        vertices.extend([0xff; 8]);
    }
    let vertices = buffer(&mut job, vertices);
    let indices = buffer(&mut job, words([77, 0, 1, 2]));
    let triangles = Triangles {
        offset: 8,
        stride: 20,
        indices: Some(TriangleIndices {
            resource: indices,
            offset: 4,
            count: 3,
            wide: true,
        }),
        ..Triangles::new(vertices, 3)
    };
    let bottom = job
        .scene
        .add_bottom("odd", vec![Geometry::Triangles(triangles)]);
    let top = job.scene.add_top("odd", vec![Instance::new(bottom)]);
    job.bind(Register::srv(0), ResourceView::AccelerationStructure(top));
    let (hits, _) = counts(&check(job, &grid(1.0, 8)));
    assert!((20..=44).contains(&hits), "{hits}");
}

#[test]
fn positions_may_have_other_formats() {
    let half = |x: f32| half_bits(x).to_le_bytes();
    let flat = [-0.5f32, -0.5, -0.5, 0.5, 0.5, 0.5];
    let halves = |per: usize| -> Vec<u8> {
        let vertex = |v: &[f32]| {
            let mut bytes: Vec<u8> = v.iter().flat_map(|x| half(*x)).collect();
            bytes.resize(per * 2, 0);
            bytes
        };
        flat.chunks(2).flat_map(vertex).collect()
    };
    let sixteenth = |x: f32| ((x * 32767.0) as i16).to_le_bytes();
    for (format, stride, bytes) in [
        (Format::Rg32Float, 8, floats(flat)),
        (Format::Rg16Float, 4, halves(2)),
        (Format::Rgba16Float, 8, halves(4)),
        (
            Format::Rg16Snorm,
            4,
            flat.iter().flat_map(|x| sixteenth(*x)).collect(),
        ),
    ] {
        let mut job = job();
        let vertices = buffer(&mut job, bytes);
        let triangles = Triangles {
            format,
            stride,
            ..Triangles::new(vertices, 3)
        };
        let bottom = job
            .scene
            .add_bottom("flat", vec![Geometry::Triangles(triangles)]);
        let top = job.scene.add_top("flat", vec![Instance::new(bottom)]);
        job.bind(Register::srv(0), ResourceView::AccelerationStructure(top));
        let hits = trace(job, &[Ray::down(-0.2, 0.2), Ray::down(0.2, -0.2)]).unwrap();
        assert_eq!(
            hits.iter().map(|h| h.status).collect::<Vec<_>>(),
            [1, 0],
            "{format}"
        );
        assert!(close(hits[0].t, 10.0), "{format}: {:?}", hits[0]);
    }
}

/// Returns a number that binary16 has exactly.
fn half_bits(x: f32) -> u16 {
    let bits = x.to_bits();
    let exponent = ((bits >> 23) & 0xff) as i32 - 127 + 15;
    ((bits >> 16) & 0x8000) as u16 | (exponent << 10) as u16 | ((bits >> 13) & 0x3ff) as u16
}

#[test]
fn nothing_is_hit_where_nothing_is() {
    let rays = grid(1.0, 4);
    let all_miss = |job: Job, what: &str| {
        let hits = trace(job, &rays).unwrap_or_else(|error| panic!("{what}: {error}"));
        let missed = Hit {
            t: 100.0,
            ..Hit::default()
        };
        assert!(hits.iter().all(|hit| *hit == missed), "{what}: {hits:?}");
    };
    let with = |fill: &dyn Fn(&mut Job) -> Vec<Instance>| {
        let mut job = job();
        let instances = fill(&mut job);
        let top = job.scene.add_top("scene", instances);
        job.bind(Register::srv(0), ResourceView::AccelerationStructure(top));
        job
    };
    let mut null = job();
    null.bind(Register::srv(0), ResourceView::Null);
    all_miss(null, "null");
    all_miss(with(&|_| Vec::new()), "no instances");
    let inactive = |_: &mut Job| {
        vec![Instance {
            bottom: None,
            ..Instance::new(0)
        }]
    };
    all_miss(with(&inactive), "an instance of nothing");
    let hollow = |job: &mut Job| vec![Instance::new(job.scene.add_bottom("hollow", Vec::new()))];
    all_miss(with(&hollow), "no geometries");
    let zero = |job: &mut Job| {
        let nothing = buffer(job, Vec::new());
        let triangles = Geometry::Triangles(Triangles::new(nothing, 0));
        vec![Instance::new(job.scene.add_bottom("zero", vec![triangles]))]
    };
    all_miss(with(&zero), "no triangles");
    let no_boxes = |job: &mut Job| {
        let nothing = buffer(job, Vec::new());
        let boxes = Geometry::Boxes(Boxes::new(nothing, 0));
        vec![Instance::new(job.scene.add_bottom("zero", vec![boxes]))]
    };
    all_miss(with(&no_boxes), "no boxes");
    let degenerate = |job: &mut Job| {
        let points = buffer(job, vec![0; 36]);
        let triangles = Geometry::Triangles(Triangles::new(points, 3));
        vec![Instance::new(
            job.scene.add_bottom("point", vec![triangles]),
        )]
    };
    all_miss(with(&degenerate), "a triangle without area");
    // NaN in the first component makes a primitive inactive (DXR specification, "Degenerate
    // primitives").
    let inactive_triangle = |job: &mut Job| {
        let points = buffer(job, floats([f32::NAN; 9]));
        let triangles = Geometry::Triangles(Triangles::new(points, 3));
        vec![Instance::new(
            job.scene.add_bottom("inactive", vec![triangles]),
        )]
    };
    all_miss(with(&inactive_triangle), "an inactive triangle");
}

#[test]
fn many_instances_and_many_triangles_are_found() {
    let mut job = job();
    let quad = quad(&mut job);
    let bottom = job
        .scene
        .add_bottom("tile", vec![Geometry::Triangles(quad)]);
    let instances = (0..4096u32).map(|i| Instance {
        transform: moved((i % 64) as f32, (i / 64) as f32, 0.0),
        id: i,
        ..Instance::new(bottom)
    });
    let top = job.scene.add_top("tiles", instances.collect());
    job.bind(Register::srv(0), ResourceView::AccelerationStructure(top));
    let rays: Vec<Ray> = (0..512u32)
        .map(|i| {
            let tile = i * 8 + i % 8;
            Ray::down((tile % 64) as f32 + 0.2, (tile / 64) as f32 - 0.1)
        })
        .collect();
    for (i, hit) in (0u32..).zip(trace(job, &rays).unwrap()) {
        assert_eq!((hit.status, hit.instance_id), (1, i * 8 + i % 8));
    }
}

#[test]
fn scenes_that_contradict_themselves_are_refused() {
    let rays = [Ray::down(0.0, 0.0)];
    let refused = |alter: &dyn Fn(&mut Scene), says: &str| {
        let mut job = town();
        alter(&mut job.scene);
        match trace(job, &rays) {
            Err(Error::BadJob(message)) => assert!(message.contains(says), "{message}"),
            other => panic!("{says}: {other:?}"),
        }
    };
    refused(&|scene| scene.top[0].instances[1].id = 1 << 24, "24 bits");
    refused(
        &|scene| scene.top[0].instances[1].bottom = Some(9),
        "instance 1",
    );
    refused(
        &|scene| {
            let taken = scene.bottom[1].geometries[0];
            scene.bottom[0].geometries.push(taken);
        },
        "one kind",
    );
    refused(
        &|scene| {
            let Geometry::Triangles(triangles) = &mut scene.bottom[0].geometries[0] else {
                panic!("triangles come first");
            };
            triangles.count = 3;
        },
        "index 3 is behind the last of 3 vertices",
    );
    let mut job = town();
    job.bind(Register::srv(0), ResourceView::AccelerationStructure(5));
    let error = trace(job, &rays).unwrap_err();
    assert!(matches!(error, Error::BadView { .. }), "{error}");
    let mut job = town();
    let id = buffer(&mut job, vec![0; 16]);
    job.bind(Register::srv(0), ResourceView::buffer(id));
    let error = trace(job, &rays).unwrap_err().to_string();
    assert!(
        error.contains("an acceleration structure there, the job binds a buffer"),
        "{error}"
    );
}

#[test]
fn positions_of_formats_that_no_device_takes_are_refused() {
    let mut job = town();
    let vertices = buffer(&mut job, vec![0; 64]);
    let triangles = Triangles {
        format: Format::Rgba32Uint,
        stride: 16,
        ..Triangles::new(vertices, 3)
    };
    job.scene
        .add_bottom("integers", vec![Geometry::Triangles(triangles)]);
    let error = trace(job, &[Ray::down(0.0, 0.0)]).unwrap_err();
    assert!(matches!(error, Error::Unsupported(_)), "{error}");
}

#[test]
fn heaps_hold_acceleration_structures() {
    let shader = read_shader(include_bytes!("../data/heap_rays.dxil")).unwrap();
    let profile = device().profile();
    let options = CompileOptions::default();
    let program = Program::compile(&shader, None, profile, &|_| None, &options).unwrap();
    let mut job = Job::dispatch([1; 3]);
    let quad = quad(&mut job);
    let bottom = job
        .scene
        .add_bottom("quad", vec![Geometry::Triangles(quad)]);
    let top = job.scene.add_top("quad", vec![Instance::new(bottom)]);
    let results = job.add_resource("results", Storage::Buffer(vec![0xee; 16]), true);
    let slot = |class, view| HeapView { class, view };
    job.resource_heap = vec![
        slot(ResourceClass::Uav, ResourceView::buffer(results)),
        slot(ResourceClass::Srv, ResourceView::AccelerationStructure(top)),
        slot(ResourceClass::Srv, ResourceView::Null),
    ];
    let outcome = device().run(&program, &job).unwrap();
    let expected = words([1, 3f32.to_bits(), 0, 50f32.to_bits()]);
    assert_eq!(outcome.bytes(results), Some(&expected[..]));
}

#[test]
fn wgpu_refuses_what_its_instances_lack() {
    let rays = [Ray::down(0.0, 0.0)];
    let refused = |alter: &dyn Fn(&mut Instance), says: &str| {
        let mut job = job();
        let quad = quad(&mut job);
        let bottom = job
            .scene
            .add_bottom("quad", vec![Geometry::Triangles(quad)]);
        let mut instance = Instance::new(bottom);
        alter(&mut instance);
        let top = job.scene.add_top("quad", vec![instance]);
        job.bind(Register::srv(0), ResourceView::AccelerationStructure(top));
        with_rays(&mut job, &rays);
        let error = wgpu().run(&job).unwrap_err();
        assert!(matches!(error, Error::Unsupported(_)), "{error}");
        assert!(error.to_string().contains(says), "{error}");
    };
    refused(
        &|instance| instance.hit_group_offset = 1,
        "hit group offsets",
    );
    refused(
        &|instance| instance.flags = InstanceFlags::FORCE_OPAQUE,
        "flags",
    );
}
