//! Ray tracing pipelines on the device, from a DXIL library to what each ray left: all stages,
//! recursion, shader tables with local arguments, sizes, and what is refused.
//!
//! Each test of what shaders do runs on Vulkan and on the CPU executor. These tests need a Vulkan
//! driver with ray tracing pipelines (lavapipe has them); without one they fail.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use dxil_frontend::dxil::{Shader, read_shader};
use dxil_runtime::cache::SourceHash;
use dxil_runtime::device::{self, Backend, Device, OpenOptions};
use dxil_runtime::job::{Job, Register, ResourceView};
use dxil_runtime::program::CompileOptions;
use dxil_runtime::ray_program::{LibraryState, RayStage, hit_groups, ray_shaders};
use dxil_runtime::ray_tracing::{
    LocalArgument, RayCount, RayDispatch, RayTracingState, Record, ShaderGroup, ShaderTable,
};
use dxil_runtime::root_signature::{RootDescriptors, parse_text};
use dxil_runtime::scene::{
    Boxes, Geometry, GeometryFlags, IDENTITY, Instance, TriangleIndices, Triangles,
};
use dxil_runtime::{Cache, Error, Outcome, Program, Result, Storage, Work};

const LIBRARY: &[u8] = include_bytes!("data/rays.dxil");

fn device() -> &'static Arc<dyn Device> {
    static DEVICE: OnceLock<Arc<dyn Device>> = OnceLock::new();
    DEVICE.get_or_init(|| open(None))
}

/// Returns both devices that run pipelines.
fn devices() -> [&'static Arc<dyn Device>; 2] {
    static CPU: OnceLock<Arc<dyn Device>> = OnceLock::new();
    let cpu = CPU.get_or_init(|| device::open(&OpenOptions::new(Backend::Cpu)).unwrap());
    [device(), cpu]
}

fn open(cache: Option<Arc<Cache>>) -> Arc<dyn Device> {
    let mut options = OpenOptions::new(Backend::Vulkan);
    options.timeout = Duration::from_secs(30);
    options.validate = std::env::var_os("DXIL_JIT_VALIDATE").is_some();
    options.cache = cache;
    device::open(&options).unwrap_or_else(|error| panic!("these tests need a device: {error}"))
}

/// The library, with what its subobjects say.
struct Library {
    shader: Shader,
    state: LibraryState,
    names: Vec<String>,
}

impl Library {
    fn read() -> Self {
        let shader = read_shader(LIBRARY).unwrap();
        let names = ray_shaders(&shader).map(|(name, _)| name.to_owned());
        Library {
            names: names.collect(),
            state: LibraryState::read(LIBRARY).unwrap(),
            shader,
        }
    }

    fn stages(&self) -> Vec<RayStage<'_>> {
        let stage = |name: &'_ String| RayStage {
            shader: &self.shader,
            entry: self.names.iter().find(|n| *n == name).unwrap(),
            local_root: self.state.local_root(name),
            source: Some(SourceHash::of(LIBRARY)),
        };
        self.names.iter().map(stage).collect()
    }

    fn ray_state(&self) -> RayTracingState {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let (max_recursion, _) = self.state.pipeline_config.unwrap();
        let (max_payload_bytes, max_attribute_bytes) = self.state.shader_config.unwrap();
        RayTracingState {
            hit_groups: hit_groups(&self.state.hit_groups, &names).unwrap(),
            max_recursion,
            max_payload_bytes,
            max_attribute_bytes,
            ..RayTracingState::default()
        }
    }

    fn compile(&self, stages: &[RayStage<'_>], options: &CompileOptions) -> Result<Program> {
        self.compile_for(&**device(), stages, options)
    }

    fn compile_for(
        &self,
        device: &dyn Device,
        stages: &[RayStage<'_>],
        options: &CompileOptions,
    ) -> Result<Program> {
        Program::compile_rays(
            stages,
            self.ray_state(),
            self.state.global_root.as_ref(),
            device.profile(),
            &|_| None,
            options,
        )
    }

    fn program(&self, device: &dyn Device) -> Program {
        self.compile_for(device, &self.stages(), &CompileOptions::default())
            .unwrap()
    }

    fn shader(&self, name: &str) -> Record {
        let is_it = |stage: &String| dxil_frontend::dxil::plain_name(stage) == name;
        let index = self.names.iter().position(is_it);
        Record::new(ShaderGroup::Shader(index.unwrap()))
    }

    fn hit(&self, name: &str) -> Record {
        let groups = &self.state.hit_groups;
        let index = groups.iter().position(|group| group.name == name);
        Record::new(ShaderGroup::Hit(index.unwrap()))
    }
}

/// A ray with what `TraceRay` is told.
#[derive(Debug, Clone, Copy)]
struct Ray {
    origin: [f32; 3],
    direction: [f32; 3],
    tmin: f32,
    tmax: f32,
    mask: u32,
    flags: u32,
    contribution: u32,
    miss: u32,
}

impl Ray {
    fn down(x: f32, y: f32) -> Self {
        Ray {
            origin: [x, y, 3.0],
            direction: [0.0, 0.0, -1.0],
            tmin: 0.0,
            tmax: 50.0,
            mask: 0xff,
            flags: 0,
            contribution: 0,
            miss: 0,
        }
    }
}

/// The results of a ray: value, depth, distance, and the callable shader's result for the value.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Found(u32, u32, f32, u32);

fn words(values: impl IntoIterator<Item = u32>) -> Vec<u8> {
    values.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn floats(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_le_bytes).collect()
}

fn moved(x: f32, z: f32) -> [f32; 12] {
    let mut transform = IDENTITY;
    (transform[3], transform[11]) = (x, z);
    transform
}

/// Adds columns, 4 apart: a plain square, one with holes over another, a box, a mirror under a
/// square, two mirrors, a square whose record is null, two geometries.
fn scene(job: &mut Job) {
    let corners = [
        -1.0, -1.0, 0.0, -1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, -1.0, 0.0,
    ];
    let vertices = job.add_resource("vertices", Storage::Buffer(floats(corners)), false);
    let indices = words([0, 1, 2, 0, 2, 3]);
    let indices = job.add_resource("indices", Storage::Buffer(indices), false);
    let square = |flags| {
        Geometry::Triangles(Triangles {
            indices: Some(TriangleIndices {
                resource: indices,
                offset: 0,
                count: 6,
                wide: true,
            }),
            flags,
            ..Triangles::new(vertices, 4)
        })
    };
    let Geometry::Triangles(plain) = square(GeometryFlags::OPAQUE) else {
        panic!("a square is of triangles");
    };
    let bounds = floats([-1.0, -1.0, -1.0, 1.0, 1.0, 1.0]);
    let bounds = job.add_resource("bounds", Storage::Buffer(bounds), false);
    let scene = &mut job.scene;
    let opaque = scene.add_bottom("opaque", vec![square(GeometryFlags::OPAQUE)]);
    let open = scene.add_bottom("open", vec![square(GeometryFlags::empty())]);
    let cube = scene.add_bottom("box", vec![Geometry::Boxes(Boxes::new(bounds, 1))]);
    let two = scene.add_bottom(
        "two",
        vec![
            Geometry::Triangles(Triangles {
                transform: Some(moved(0.0, -1.0)),
                ..plain
            }),
            Geometry::Triangles(Triangles {
                transform: Some(moved(2.0, 1.0)),
                ..plain
            }),
        ],
    );
    let instance = |bottom, x, z, id, hit_group_offset| Instance {
        transform: moved(x, z),
        id,
        hit_group_offset,
        ..Instance::new(bottom)
    };
    let instances = vec![
        instance(opaque, 0.0, 0.0, 1, 0),
        instance(open, 4.0, 0.0, 2, 2),
        instance(opaque, 4.0, -1.0, 3, 0),
        instance(cube, 8.0, 0.0, 4, 3),
        instance(opaque, 12.0, 0.0, 5, 4),
        instance(opaque, 12.0, 5.0, 6, 0),
        instance(opaque, 16.0, 0.0, 7, 4),
        instance(opaque, 16.0, 5.0, 8, 4),
        instance(opaque, 20.0, 0.0, 9, 5),
        Instance {
            mask: 2,
            ..instance(two, 24.0, 0.0, 10, 0)
        },
    ];
    let top = scene.add_top("columns", instances);
    job.bind(Register::srv(0), ResourceView::AccelerationStructure(top));
}

const PALETTE: [u32; 4] = [3, 5, 11, 13];

/// Returns a dispatch of those rays with the tables that the tests' scene asks for.
fn job(library: &Library, rays: &[Ray], size: [u32; 3]) -> Job {
    let mut job = Job::dispatch([0; 3]);
    scene(&mut job);
    let bytes = rays.iter().flat_map(|ray| {
        let [x, y, z] = ray.origin.map(f32::to_bits);
        let [a, b, c] = ray.direction.map(f32::to_bits);
        let (tmin, tmax) = (ray.tmin.to_bits(), ray.tmax.to_bits());
        let Ray {
            mask,
            flags,
            contribution,
            miss,
            ..
        } = *ray;
        [
            x,
            y,
            z,
            tmin,
            a,
            b,
            c,
            tmax,
            mask,
            flags,
            contribution,
            miss,
        ]
    });
    job.bind_buffer(Register::srv(1), words(bytes));
    job.bind_buffer(Register::uav(0), vec![0; rays.len() * 16]);
    let palette = job.add_resource("palette", Storage::Buffer(words(PALETTE)), false);
    let with = |record: Record, material: u32, factor: u32| {
        record
            .with(LocalArgument::Constants(words([material, factor])))
            .with(LocalArgument::Address(ResourceView::buffer(palette)))
    };
    let table = ShaderTable {
        ray_generation: library.shader("Generate"),
        miss: vec![
            with(library.shader("Sky"), 40, 2),
            library.shader("Void"),
            with(library.shader("Sky"), 60, 3),
        ],
        hit_groups: vec![
            with(library.hit("Plain"), 0, 1),
            with(library.hit("Plain"), 1, 2),
            with(library.hit("Pierced"), 2, 3),
            library.hit("Cubes"),
            library.hit("Mirrors"),
            Record::default(),
        ],
        callable: vec![
            library.shader("Double"),
            with(library.shader("Triple"), 9, 0),
        ],
    };
    job.work = Work::DispatchRays(Box::new(RayDispatch {
        table,
        count: RayCount::Direct(size),
    }));
    job
}

fn results(job: &Job, outcome: &Outcome) -> Vec<Found> {
    let Some(ResourceView::Buffer(view)) = job.view(Register::uav(0)) else {
        panic!("u0 is a buffer");
    };
    let bytes = outcome.bytes(view.resource).unwrap();
    let words: Vec<u32> = bytes
        .chunks_exact(4)
        .map(|b| u32::from_le_bytes(b.try_into().unwrap()))
        .collect();
    words
        .chunks_exact(4)
        .map(|w| Found(w[0], w[1], f32::from_bits(w[2]), w[3]))
        .collect()
}

/// Returns the results of closest-hit shader `Solid` for a square: the record's material and
/// factor, the instance, the geometry, the place within the square, and whether its front is seen.
fn solid(record: (u32, u32), id: u32, geometry: u32, [x, y]: [f32; 2], front: bool) -> u32 {
    let primitive = u32::from(x > y);
    PALETTE[record.0 as usize] * 1000
        + id * 100
        + geometry * 50
        + primitive * 10
        + u32::from(front)
        + record.1 * 10000
}

/// Returns the callable shaders' result for a value.
fn called(index: usize, value: u32) -> u32 {
    match index % 2 {
        0 => value * 2,
        _ => value * 3 + 9,
    }
}

fn check(rays: &[Ray], size: [u32; 3], expected: &[(u32, u32, f32)]) {
    let library = Library::read();
    let job = job(&library, rays, size);
    for device in devices() {
        let outcome = device.run(&library.program(&**device), &job).unwrap();
        let found = results(&job, &outcome);
        assert_eq!(found.len(), expected.len());
        for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
            let (value, depth, t) = *expected;
            let same = found.0 == value && found.1 == depth && (found.2 - t).abs() < 1e-4;
            assert!(
                same && found.3 == called(i, value),
                "{:?} ray {i} {:?}: {found:?}, expected {expected:?}",
                device.info().backend,
                rays[i]
            );
        }
    }
}

#[test]
fn every_stage_leaves_what_it_should() {
    let places = [[-0.5f32, 0.3], [0.6, -0.2], [0.3, 0.8], [-0.7, -0.9]];
    let (mut rays, mut expected) = (Vec::new(), Vec::new());
    for [x, y] in places {
        let at = |column: u32| Ray::down(column as f32 * 4.0 + x, y);
        let mut expect = |ray, value, depth, t| {
            rays.push(ray);
            expected.push((value, depth, t));
        };
        expect(at(0), solid((0, 1), 1, 0, [x, y], false), 0, 3.0);
        // Another record of the same group, through TraceRay's contribution.
        let other = Ray {
            contribution: 1,
            ..at(0)
        };
        expect(other, solid((1, 2), 1, 0, [x, y], false), 0, 3.0);
        // The any-hit shader lets rays through where the barycentrics' sum is small.
        let sum = if x > y {
            (x + 1.0) / 2.0
        } else {
            (y + 1.0) / 2.0
        };
        if sum < 0.5 {
            expect(at(1), solid((0, 1), 3, 0, [x, y], false), 0, 4.0)
        } else {
            expect(at(1), solid((2, 3), 2, 0, [x, y], false), 0, 3.0)
        }
        // RAY_FLAG_FORCE_OPAQUE: it is not asked.
        let forced = Ray { flags: 1, ..at(1) };
        expect(forced, solid((2, 3), 2, 0, [x, y], false), 0, 3.0);
        let face = ((x + 1.0) * 50.0).round() as u32 * 100 + ((y + 1.0) * 40.0).round() as u32;
        expect(at(2), 5_000_000 + 200_000 + 50_000 + face, 0, 2.0);
        // The mirror sends the ray up to the square above, whose front it sees.
        expect(at(3), solid((0, 1), 6, 0, [x, y], true), 1, 5.0);
        expect(at(4), 999, 4, 5.0);
        expect(at(5), 1, 0, -2.0);
        expect(at(6), solid((0, 1), 10, 0, [x, y], false), 0, 4.0);
        // The second geometry has the next record.
        let second = Ray::down(26.0 + x, y);
        expect(second, solid((1, 2), 10, 1, [x, y], false), 0, 2.0);
    }
    let count = rays.len() as u32;
    check(&rays, [count, 1, 1], &expected);
    // The same rays in three dimensions.
    check(&rays, [4, count / 8, 2], &expected);
}

#[test]
fn rays_that_miss_call_the_shader_of_their_index() {
    let nowhere = Ray::down(100.0, 0.0);
    let rays = [
        nowhere,
        Ray { miss: 1, ..nowhere },
        Ray { miss: 2, ..nowhere },
        // Too short, culled, and with no bit of the instance's mask.
        Ray {
            tmax: 2.9,
            ..Ray::down(0.0, 0.1)
        },
        Ray {
            flags: 0x10,
            miss: 2,
            ..Ray::down(0.0, 0.1)
        },
        Ray {
            mask: 1,
            ..Ray::down(24.0, 0.1)
        },
        // RAY_FLAG_SKIP_CLOSEST_HIT_SHADER: a hit that calls nothing.
        Ray {
            flags: 8,
            ..Ray::down(0.0, 0.1)
        },
    ];
    let sky = (40 + PALETTE[2], 0, -1.0);
    let other = (60 + PALETTE[3], 0, -1.0);
    let expected = [sky, (77, 0, -2.0), other, sky, other, sky, (1, 0, -2.0)];
    check(&rays, [7, 1, 1], &expected);
}

#[test]
fn the_number_of_rays_may_lie_in_a_buffer() {
    let library = Library::read();
    let rays: Vec<Ray> = (0..12)
        .map(|i| Ray::down(i as f32 * 0.1 - 0.6, 0.7))
        .collect();
    let mut job = job(&library, &rays, [0; 3]);
    let bytes = Storage::Buffer(words([9, 9, 3, 2, 1]));
    let arguments = job.add_resource("arguments", bytes, false);
    let Work::DispatchRays(dispatch) = &mut job.work else {
        panic!("rays are dispatched");
    };
    dispatch.count = RayCount::Indirect {
        arguments,
        offset: 8,
    };
    let beyond = RayCount::Indirect {
        arguments,
        offset: 12,
    };
    for device in devices() {
        let program = library.program(&**device);
        let found = results(&job, &device.run(&program, &job).unwrap());
        let there = found.iter().take_while(|found| found.0 != 0).count();
        assert_eq!(there, 6, "{found:?}");
        let mut job = job.clone();
        let Work::DispatchRays(dispatch) = &mut job.work else {
            panic!("rays are dispatched");
        };
        dispatch.count = beyond;
        let error = device.run(&program, &job).unwrap_err();
        assert!(matches!(error, Error::BadJob(_)), "{error}");
    }
}

#[test]
fn no_rays_and_no_records_do_nothing() {
    for device in devices() {
        nothing_is_called(&**device);
    }
}

fn nothing_is_called(device: &dyn Device) {
    let library = Library::read();
    let program = library.program(device);
    let rays = [Ray::down(0.0, 0.1), Ray::down(100.0, 0.0)];
    let none = job(&library, &rays, [0, 1, 1]);
    let found = results(&none, &device.run(&program, &none).unwrap());
    assert_eq!(found, [Found(0, 0, 0.0, 0); 2]);
    // Empty tables: neither hits nor misses nor calls do anything.
    let mut bare = job(&library, &rays, [2, 1, 1]);
    let Work::DispatchRays(dispatch) = &mut bare.work else {
        panic!("rays are dispatched");
    };
    dispatch.table.miss.clear();
    dispatch.table.hit_groups.clear();
    dispatch.table.callable.clear();
    let found = results(&bare, &device.run(&program, &bare).unwrap());
    assert_eq!(found, [Found(1, 0, -2.0, 1); 2]);
    // No scene at all.
    let mut null = job(&library, &rays, [2, 1, 1]);
    null.bind(Register::srv(0), ResourceView::Null);
    let found = results(&null, &device.run(&program, &null).unwrap());
    assert_eq!(found[0].0, 40 + PALETTE[2]);
}

#[test]
fn local_tables_are_windows_on_the_heap() {
    let library = Library::read();
    let local = parse_text(
        "RootConstants(num32BitConstants = 2, b0, space = 1), DescriptorTable(SRV(t0, space = 1))",
    )
    .unwrap();
    let with_local = |device: &dyn Device| -> Program {
        let mut stages = library.stages();
        for stage in &mut stages {
            stage.local_root = stage.local_root.and(Some(&local));
        }
        library
            .compile_for(device, &stages, &CompileOptions::default())
            .unwrap()
    };
    let rays = [Ray::down(0.2, 0.1)];
    let mut job = job(&library, &rays, [1, 1, 1]);
    // What the registers see goes to the heap, and the record says where.
    let constants = Register::cbv(0).in_space(1);
    job.bind_constants(constants, words([1, 2]));
    let palette = job.add_resource("other palette", Storage::Buffer(words([1, 8])), false);
    job.bind(Register::srv(0).in_space(1), ResourceView::buffer(palette));
    let first = job.local_arguments(&local).unwrap();
    assert_eq!(first[1], LocalArgument::Table(0));
    let arguments = job.local_arguments(&local).unwrap();
    assert_eq!(arguments[1], LocalArgument::Table(1));
    let Work::DispatchRays(dispatch) = &mut job.work else {
        panic!("rays are dispatched");
    };
    let table = &mut dispatch.table;
    for record in table
        .hit_groups
        .iter_mut()
        .chain(&mut table.miss)
        .chain(&mut table.callable)
    {
        if !record.arguments.is_empty() {
            record.arguments.clone_from(&arguments);
        }
    }
    for device in devices() {
        let found = results(&job, &device.run(&with_local(&**device), &job).unwrap());
        assert_eq!(found[0].0, 8 * 1000 + 100 + 10 + 2 * 10000, "{found:?}");
    }
}

#[test]
fn acceleration_structures_may_be_root_descriptors_by_address() {
    let library = Library::read();
    let mut options = CompileOptions::default();
    options.root_descriptors = RootDescriptors::Addresses;
    let program = library.compile(&library.stages(), &options).unwrap();
    assert!(program.layout.sets.is_empty(), "{:?}", program.layout);
    let rays = [Ray::down(0.2, 0.1), Ray::down(100.0, 0.0)];
    let mut job = job(&library, &rays, [2, 1, 1]);
    let found = results(&job, &device().run(&program, &job).unwrap());
    assert_eq!(found[0].0, solid((0, 1), 1, 0, [0.2, 0.1], false));
    assert_eq!(found[1].0, 40 + PALETTE[2]);
    job.bind(Register::srv(0), ResourceView::Null);
    let found = results(&job, &device().run(&program, &job).unwrap());
    assert_eq!(found[0].0, 40 + PALETTE[2]);
}

#[test]
fn what_contradicts_itself_or_is_too_much_is_refused() {
    for device in devices() {
        refuses(&**device);
    }
}

fn refuses(device: &dyn Device) {
    let library = Library::read();
    let program = library.program(device);
    let rays = [Ray::down(0.0, 0.1)];
    let prepare = |alter: &dyn Fn(&mut RayTracingState)| {
        let mut program = program.clone();
        alter(program.ray_tracing.as_mut().unwrap());
        match device.prepare(&program) {
            Ok(_) => panic!("it was taken"),
            Err(error) => error,
        }
    };
    let error = prepare(&|state| state.max_recursion = 1000);
    assert!(
        error.to_string().contains("levels of ray recursion: 1000"),
        "{error}"
    );
    assert!(matches!(error, Error::Limit { .. }));
    let error = prepare(&|state| state.max_attribute_bytes = 4096);
    assert!(matches!(error, Error::Limit { .. }), "{error}");
    let error = prepare(&|state| state.hit_groups[2].intersection = None);
    assert!(
        error.to_string().contains("need an intersection"),
        "{error}"
    );
    let run = |alter: &dyn Fn(&mut RayDispatch)| {
        let mut job = job(&library, &rays, [1, 1, 1]);
        let Work::DispatchRays(dispatch) = &mut job.work else {
            panic!("rays are dispatched");
        };
        alter(dispatch);
        device.run(&program, &job).unwrap_err()
    };
    let error = run(&|d| d.count = RayCount::Direct([u32::MAX; 3]));
    assert!(matches!(error, Error::Limit { .. }), "{error}");
    let error = run(&|d| d.table.miss[0] = library.hit("Plain"));
    assert!(
        error.to_string().contains("record 0 of the miss table"),
        "{error}"
    );
    let huge = LocalArgument::Constants(vec![0; 1 << 20]);
    let error = run(&|d| d.table.miss[0].arguments = vec![huge.clone()]);
    assert!(
        error.to_string().contains("bytes of a shader record"),
        "{error}"
    );
    let error = run(&|d| d.table.miss[0].arguments.clear());
    assert!(
        error
            .to_string()
            .contains("reads 16 bytes of local root arguments, the record has 0"),
        "{error}"
    );
    let compile = |alter: &dyn Fn(&mut RayTracingState)| {
        let mut state = library.ray_state();
        alter(&mut state);
        let (root, profile) = (library.state.global_root.as_ref(), device.profile());
        let options = CompileOptions::default();
        Program::compile_rays(&library.stages(), state, root, profile, &|_| None, &options)
            .map(drop)
            .unwrap_err()
            .to_string()
    };
    let error = compile(&|state| state.max_payload_bytes = 8);
    assert!(
        error.contains("have 12 bytes, the pipeline's may have 8"),
        "{error}"
    );
    let error = compile(&|state| state.max_attribute_bytes = 8);
    assert!(error.contains("the attributes of Cubic"), "{error}");
    // Work of another kind, in both directions.
    let mut other = job(&library, &rays, [1, 1, 1]);
    other.work = Work::Dispatch([1; 3]);
    let error = device.run(&program, &other).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("dispatches rays, and nothing else"),
        "{error}"
    );
}

#[test]
fn translations_and_pipelines_of_libraries_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::read();
    let count = library.names.len() as u64;
    for (found, made) in [(0, count), (count, 0)] {
        let cache = Arc::new(Cache::open(folder.path(), 1 << 26).unwrap());
        let mut options = CompileOptions::default();
        options.cache = Some(dxil_runtime::Cached {
            cache: Arc::clone(&cache),
            sources: Vec::new(),
        });
        let device = open(Some(Arc::clone(&cache)));
        let mut program = library.compile(&library.stages(), &options).unwrap();
        device.prepare(&program).unwrap();
        let counts = cache.statistics();
        assert_eq!(
            (counts.translations_found, counts.translations_made),
            (found, made)
        );
        let pipelines = (counts.pipelines_found, counts.pipelines_made);
        assert_eq!(pipelines, if made == 0 { (1, 0) } else { (0, 1) });
        // Other groups of the same shaders are another pipeline.
        if made != 0 {
            program.ray_tracing.as_mut().unwrap().hit_groups.pop();
            device.prepare(&program).unwrap();
            assert_eq!(cache.statistics().pipelines_made, 2);
        }
    }
}
