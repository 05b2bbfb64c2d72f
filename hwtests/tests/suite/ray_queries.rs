//! Inline ray tracing: what queries find in acceleration structures, against the same world traced
//! here.

use dxil_frontend::dxil::ResourceClass::Srv;
use dxil_hwtests::{
    Case,
    element::{Random, Tolerance, to_bytes},
    rows,
    tracer::{
        CULL_BACK, CULL_FRONT, CULL_NON_OPAQUE, CULL_OPAQUE, FORCE_NON_OPAQUE, FORCE_OPAQUE,
        Meeting, Primitives, Ray, SKIP_PROCEDURAL, SKIP_TRIANGLES, TracedGeometry, World, apply,
        dot, inverse, minus, ray_in,
    },
};
use dxil_runtime::{
    Format, Register, ResourceView,
    graphics::Topology,
    job::HeapView,
    scene::{Instance, InstanceFlags},
};

/// Traces rays in a world: binds the structures, the rays and the two outputs of a shader.
fn trace(t: &mut Case, world: &World, rays: &[Ray]) {
    // wgpu's instances have no hit group offsets.
    t.wgpu_refuses("instances with");
    t.portable_refuses("rayQuery");
    world.bind(&mut t.job, Register::srv(0));
    let bytes: Vec<u8> = rays.iter().flat_map(Ray::bytes).collect();
    t.input("t1", &bytes);
    t.groups(rays.len() as u32 / 8, 1, 1);
}

fn point(random: &mut Random, reach: f32) -> [f32; 3] {
    [0; 3].map(|_| random.float(-reach, reach))
}

fn triangles(random: &mut Random, count: usize, opaque: bool) -> TracedGeometry {
    let mut triangle = || {
        let middle = point(random, 1.0);
        [0; 3].map(|_| {
            let corner = point(random, 0.9);
            [0, 1, 2].map(|k| middle[k] + corner[k])
        })
    };
    TracedGeometry {
        primitives: Primitives::Triangles(rows(count, |_| triangle())),
        opaque,
    }
}

fn boxes(random: &mut Random, count: usize, opaque: bool) -> TracedGeometry {
    let mut bounds = || {
        let low = point(random, 1.2);
        [low, low.map(|x| x + random.float(0.2, 0.8))]
    };
    TracedGeometry {
        primitives: Primitives::Boxes(rows(count, |_| bounds())),
        opaque,
    }
}

/// Returns an instance with a random place, turned, stretched, and sometimes mirrored.
fn instance(random: &mut Random, bottom: usize, number: usize) -> Instance {
    let mut transform = [0.0_f32; 12];
    for row in 0..3 {
        for column in 0..3 {
            transform[row * 4 + column] = random.float(-0.3, 0.3);
        }
        transform[row * 4 + row] += random.float(0.7, 1.4);
        transform[row * 4 + 3] = random.float(-2.0, 2.0);
    }
    if number % 3 == 1 {
        transform[0..4].iter_mut().for_each(|x| *x = -*x);
    }
    Instance {
        transform,
        id: random.below(1 << 24),
        mask: [0xff, 0x0f, 0xf0, 0x81][number % 4],
        hit_group_offset: random.below(1 << 24),
        ..Instance::new(bottom)
    }
}

fn world_of(random: &mut Random, shapes: Vec<Vec<TracedGeometry>>, count: usize) -> World {
    let kinds = shapes.len();
    let mut world = World {
        shapes,
        instances: rows(count, |number| instance(random, number % kinds, number)),
    };
    world.instances[1].flags = InstanceFlags::TRIANGLE_FRONT_COUNTERCLOCKWISE;
    world.instances[2].flags = InstanceFlags::TRIANGLE_CULL_DISABLE;
    world
}

fn floats(values: impl IntoIterator<Item = f64>) -> impl Iterator<Item = f32> {
    values.into_iter().map(|value| value as f32)
}

/// Returns the results of `rays/nearest` for a ray, words and floats.
fn hit_of(world: &World, ray: &Ray, own_flags: u32) -> (Vec<u32>, Vec<f32>) {
    let asked = Ray {
        flags: ray.flags | own_flags,
        ..*ray
    };
    let mut words = vec![0, asked.flags];
    let mut numbers = vec![ray.t_min];
    numbers.extend(ray.origin);
    numbers.extend(ray.direction);
    if let Some(hit) = world.nearest(&asked) {
        let placed = &world.instances[hit.instance];
        words[0] = 1;
        words.extend([hit.instance as u32, placed.id]);
        words.extend([hit.geometry as u32, hit.primitive as u32]);
        words.extend([placed.hit_group_offset, hit.front.into()]);
        let (origin, direction) = ray_in(placed, ray);
        numbers.extend(floats([hit.t].into_iter().chain(hit.weights)));
        numbers.extend(floats(origin.into_iter().chain(direction)));
        numbers.extend(placed.transform);
        numbers.extend(floats(inverse(&placed.transform)));
    }
    words.resize(8, 0);
    numbers.resize(40, 0.0);
    (words, numbers)
}

/// Asserts that at least this many of the rays meet something, and as many do not.
#[track_caller]
fn assert_mixed(hits: usize, rays: usize, minimum: usize) {
    assert!(
        (minimum..=rays - minimum).contains(&hits),
        "{hits} of {rays} rays meet something"
    );
}

gpu_case!(
    queries_return_all_properties_of_the_nearest_hit,
    "rays/nearest",
    |t| {
        let mut random = Random::new(700);
        let shapes = vec![
            vec![
                triangles(&mut random, 6, true),
                triangles(&mut random, 4, false),
            ],
            vec![triangles(&mut random, 5, true)],
        ];
        let world = world_of(&mut random, shapes, 6);
        let flags = [0, CULL_BACK, CULL_FRONT];
        let rays = world.rays(&mut random, 256, &flags, &[0xff, 0x01, 0x10, 0x80, 0x1f0]);
        trace(t, &world, &rays);
        let all: Vec<_> = rays
            .iter()
            .map(|ray| hit_of(&world, ray, FORCE_OPAQUE))
            .collect();
        assert_mixed(
            all.iter().filter(|(words, _)| words[0] != 0).count(),
            256,
            50,
        );
        t.expect(
            "u0",
            all.iter().flat_map(|(words, _)| words.clone()).collect(),
        );
        t.expect_near(
            "u1",
            all.iter().flat_map(|(_, floats)| floats.clone()).collect(),
            Tolerance::Absolute(2e-3),
        );
    }
);

/// Returns a row of `rays/candidates`: ten words and fifteen floats.
fn sums_of(world: &World, ray: &Ray, found: &[Meeting]) -> ([u32; 10], [f32; 15]) {
    let (mut words, mut floats) = ([0_u32; 10], [0.0_f64; 15]);
    for hit in found {
        let placed = &world.instances[hit.instance];
        let mut add = |at: usize, value: u32| words[at] = words[at].wrapping_add(value);
        add(2, hit.primitive as u32 + 1);
        add(3, hit.geometry as u32 + 1);
        add(4, hit.instance as u32 + 1);
        add(5, placed.id);
        add(6, placed.hit_group_offset);
        add(if hit.is_box { 1 } else { 0 }, 1);
        add(7, u32::from(hit.front && !hit.is_box));
        add(8, u32::from(hit.opaque && hit.is_box));
        let mut add = |at: usize, values: &[f64]| {
            for (sum, value) in floats[at..].iter_mut().zip(values) {
                *sum += value;
            }
        };
        if !hit.is_box {
            add(0, &[hit.t]);
            add(1, &hit.weights);
        }
        let (origin, direction) = ray_in(placed, ray);
        add(3, &origin);
        add(6, &direction);
        let moved = apply(&placed.transform.map(f64::from), [1.0, 2.0, 3.0], 1.0);
        add(9, &moved);
        add(
            12,
            &apply(&inverse(&placed.transform), [3.0, 1.0, 2.0], 1.0),
        );
    }
    (words, floats.map(|sum| sum as f32))
}

gpu_case!(
    queries_return_all_properties_of_their_candidates,
    "rays/candidates",
    |t| {
        let mut random = Random::new(701);
        let shapes = vec![
            vec![
                triangles(&mut random, 5, false),
                triangles(&mut random, 4, false),
            ],
            // Four boxes each, as the shader counts them.
            vec![boxes(&mut random, 4, true), boxes(&mut random, 4, false)],
        ];
        let mut world = world_of(&mut random, shapes, 7);
        world.instances[5].flags = InstanceFlags::FORCE_OPAQUE;
        world.instances[6].flags = InstanceFlags::FORCE_NON_OPAQUE;
        let flags = [
            0,
            FORCE_NON_OPAQUE,
            CULL_BACK,
            CULL_FRONT,
            CULL_OPAQUE,
            CULL_NON_OPAQUE,
            SKIP_TRIANGLES,
            SKIP_PROCEDURAL,
        ];
        let rays = world.rays(&mut random, 256, &flags, &[0xff, 0xff, 0x0f]);
        trace(t, &world, &rays);
        let found: Vec<Vec<Meeting>> = rays
            .iter()
            .map(|ray| world.meetings(ray).unwrap())
            .collect();
        assert_mixed(found.iter().filter(|all| !all.is_empty()).count(), 256, 40);
        let bounds = world.shapes[1]
            .iter()
            .flat_map(|part| match &part.primitives {
                Primitives::Boxes(boxes) => boxes.clone(),
                Primitives::Triangles(_) => Vec::new(),
            });
        t.input("t2", &bounds.collect::<Vec<_>>());
        let sums: Vec<_> = rays
            .iter()
            .zip(&found)
            .map(|(ray, found)| sums_of(&world, ray, found))
            .collect();
        t.expect("u0", sums.iter().map(|(words, _)| *words).collect());
        t.expect_near(
            "u1",
            sums.iter().map(|(_, floats)| *floats).collect(),
            Tolerance::Absolute(1e-2),
        );
    }
);

/// Returns the sphere in a box, which touches its nearest sides.
fn sphere_in([low, high]: [[f32; 3]; 2]) -> [f32; 4] {
    let middle = [0, 1, 2].map(|k| (low[k] + high[k]) / 2.0);
    let radius = [0, 1, 2].map(|k| (high[k] - low[k]) / 2.0);
    let radius = radius.into_iter().fold(f32::INFINITY, f32::min);
    [middle[0], middle[1], middle[2], radius]
}

/// Returns the distance at which a ray meets a sphere from outside; the outer `None` is a ray that
/// touches it only just.
#[allow(
    clippy::option_option,
    reason = "too close to say, and no hit, are two things"
)]
fn meet_sphere(origin: [f64; 3], direction: [f64; 3], sphere: [f32; 4]) -> Option<Option<f64>> {
    let [x, y, z, radius] = sphere.map(f64::from);
    let from = minus(origin, [x, y, z]);
    let (a, b) = (dot(direction, direction), dot(from, direction));
    let below = b * b - a * (dot(from, from) - radius * radius);
    if below.abs() < 1e-2 {
        return None;
    }
    Some((below > 0.0).then(|| (-b - below.sqrt()) / a))
}

gpu_case!(shaders_commit_hits_of_their_own, "rays/spheres", |t| {
    let mut random = Random::new(703);
    let balls = boxes(&mut random, 6, false);
    let Primitives::Boxes(bounds) = &balls.primitives else {
        return;
    };
    let spheres: Vec<[f32; 4]> = bounds.iter().map(|bounds| sphere_in(*bounds)).collect();
    let shapes = vec![vec![triangles(&mut random, 5, false)], vec![balls]];
    let world = world_of(&mut random, shapes, 6);
    // What the ray meets in the end: nothing, a triangle (1) or a sphere (2); `None` if that is not
    // clear.
    let outcome = |ray: &Ray| {
        let free = Ray { flags: 0, ..*ray };
        let mut best: Option<(f64, u32, Meeting)> = None;
        for hit in world.meetings(&free)? {
            let (t, kind) = if hit.is_box {
                let (origin, direction) = ray_in(&world.instances[hit.instance], ray);
                let met = meet_sphere(origin, direction, spheres[hit.primitive])?;
                (met.filter(|&t| t > f64::from(ray.t_min)), 2)
            } else {
                if (hit.weights[0] - 0.5).abs() < 1e-3 {
                    return None;
                }
                (Some(hit.t).filter(|_| hit.weights[0] < 0.5), 1)
            };
            let Some(t) = t.filter(|&t| t < f64::from(ray.t_max)) else {
                continue;
            };
            match best {
                Some((nearest, ..)) if (nearest - t).abs() < 1e-3 => return None,
                Some((nearest, ..)) if nearest < t => {}
                _ => best = Some((t, kind, hit)),
            }
        }
        Some(best)
    };
    let mut rays = world.rays(&mut random, 400, &[0, 0, 0, 1], &[0xff]);
    rays.retain(|ray| outcome(ray).is_some());
    rays.truncate(256);
    trace(t, &world, &rays);
    t.input("t2", &spheres);
    let (mut words, mut distances) = (Vec::new(), Vec::new());
    let mut hits = 0;
    for ray in &rays {
        let best = outcome(ray).unwrap();
        hits += usize::from(best.is_some());
        let first_only = ray.flags != 0;
        words.push(match best {
            Some(_) if first_only => [1, 0, 0, 0],
            Some((_, kind, hit)) => [
                kind,
                hit.instance as u32,
                world.instances[hit.instance].id,
                hit.primitive as u32,
            ],
            None => [0; 4],
        });
        distances.push(match best {
            _ if first_only => 0.0,
            Some((t, ..)) => t as f32,
            None => -1.0,
        });
    }
    assert_mixed(hits, 256, 40);
    t.expect("u0", words);
    t.expect_near("u1", distances, Tolerance::Absolute(1e-3));
});

/// Returns two triangles over part of the square from 0 to 8, at a depth.
fn wall(depth: f32, reach: f32) -> World {
    let corner = |x: f32, y: f32| [x * reach, y * reach, depth];
    let part = TracedGeometry {
        primitives: Primitives::Triangles(vec![
            [corner(0.0, 0.0), corner(0.0, 1.0), corner(1.0, 0.0)],
            [corner(0.0, 1.0), corner(1.0, 1.0), corner(1.0, 0.0)],
        ]),
        opaque: true,
    };
    World {
        shapes: vec![vec![part]],
        instances: vec![Instance::new(0)],
    }
}

/// Returns the ray of a thread in `rays/heap`, `rays/root` and `rays/several`.
fn ray_of(id: usize, z: f32) -> Ray {
    let origin = [(id % 4) as f32 + 0.25, (id / 4) as f32 + 0.25, z];
    Ray::new(origin, [0.0, 0.0, 1.0])
}

/// The permitted error of a distance.
const NEAR: Tolerance = Tolerance::Relative(1e-6);

fn distance(world: &World, ray: &Ray) -> f32 {
    world.nearest(ray).map_or(-1.0, |hit| hit.t as f32)
}

gpu_case!(
    queries_in_an_array_trace_structures_in_an_array,
    "rays/several",
    |t| {
        t.portable_refuses("rayQuery");
        let worlds = [wall(1.0, 2.6), wall(2.0, 1.6), wall(3.0, 8.0)];
        for (register, world) in (0..).zip(&worlds) {
            world.bind(&mut t.job, Register::srv(register));
        }
        let turn = 2_u32;
        t.constants("b0", to_bytes(&[turn, 0, 0, 0]));
        let traced = |id: usize, i: usize| {
            let ray = ray_of(id, -10.0 * i as f32);
            distance(&worlds[(i + id) % 3], &ray)
        };
        t.expect_near("u0", rows(8, |id| [0, 1, 2].map(|i| traced(id, i))), NEAR);
    }
);

gpu_case!(structures_from_the_heap, "rays/heap", |t| {
    t.wgpu_refuses("rayTraversalPrimitiveCulling");
    t.portable_refuses("rayQuery");
    let worlds = [wall(1.0, 2.6), wall(2.0, 8.0)];
    let mut slots = vec![HeapView {
        class: Srv,
        view: ResourceView::Null,
    }];
    for world in &worlds {
        let top = world.add_to(&mut t.job);
        slots.push(HeapView {
            class: Srv,
            view: ResourceView::AccelerationStructure(top),
        });
    }
    t.job.resource_heap = slots;
    t.expect_near(
        "u0",
        rows(8, |id| distance(&worlds[id % 2], &ray_of(id, -3.0))),
        NEAR,
    );
});

gpu_case!(structures_behind_a_root_descriptor, "rays/root", |t| {
    t.portable_refuses("rayQuery");
    let world = wall(4.5, 2.6);
    world.bind(&mut t.job, Register::srv(0));
    t.expect_near(
        "u0",
        rows(8, |id| distance(&world, &ray_of(id, -3.0))),
        NEAR,
    );
});

gpu_case!(
    properties_of_a_missing_hit_are_harmless,
    "rays/nothing_committed",
    |t| {
        t.portable_refuses("rayQuery");
        wall(4.5, 2.6).bind(&mut t.job, Register::srv(0));
        t.expect("u0", vec![0_u32; 8]);
        t.expect_that("u1", 8, |_: &[f32]| Ok(()));
    }
);

gpu_case!(merged_queries_keep_their_flags, "rays/merged", |t| {
    t.portable_refuses("rayQuery");
    let world = wall(4.5, 2.6);
    world.bind(&mut t.job, Register::srv(0));
    let expected = |id: usize| match (id & 2, id & 1) {
        (0, 0) => distance(&world, &ray_of(id, -3.0)),
        // RAY_FLAG_CULL_OPAQUE, and RAY_FLAG_ACCEPT_FIRST_HIT_AND_END_SEARCH of the call.
        (0, _) => -1.0,
        _ => distance(&world, &ray_of(id, -10.0)),
    };
    t.expect_near("u0", rows(8, expected), NEAR);
});

draw_case!(
    vertex_and_pixel_shaders_trace_rays,
    ["rays/reflect_vs", "rays/reflect_ps"],
    |t| {
        let world = wall(2.0, 5.6);
        world.bind(&mut t.job, Register::srv(0));
        t.vertices(Topology::TriangleList, 3);
        let pixels = rows(64, |pixel| {
            let origin = [(pixel % 8) as f32 + 0.25, (pixel / 8) as f32 + 0.25, -3.0];
            match world.nearest(&Ray::new(origin, [0.0, 0.0, 1.0])) {
                Some(hit) => [hit.t, hit.weights[0], hit.weights[1], 5.0].map(|x| x as f32),
                None => [0.0, 0.0, 0.0, 5.0],
            }
        });
        t.target(
            Format::Rgba32Float,
            [8, 8, 1],
            pixels,
            Tolerance::Absolute(1e-4),
        );
    }
);
