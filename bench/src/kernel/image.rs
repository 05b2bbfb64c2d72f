//! Pictures: fractals, ray marching, filters.

use dxil_runtime::Format;
use dxil_runtime::job::{Job, Outcome, Texture};

use super::checks::{at_all_indices, nearly, result_words};
use super::inputs::{constants, floats, fractions, register};
use super::workload::Workload;

fn square(width: usize) -> Job {
    let tiles = width as u32 / 16;
    Job::dispatch([tiles, tiles, 1])
}

pub(super) fn mandelbrot(scale: u32) -> Workload {
    let width = 128 << (scale / 2);
    let limit = 128;
    let mut expected = Vec::with_capacity(width * width);
    for y in 0..width {
        for x in 0..width {
            let c = (
                x as f32 / width as f32 * 3.0 - 2.25,
                y as f32 / width as f32 * 3.0 - 1.5,
            );
            let mut z = (0.0f32, 0.0f32);
            let mut i = 0;
            while i < limit && z.0 * z.0 + z.1 * z.1 < 4.0 {
                z = (z.0 * z.0 - z.1 * z.1 + c.0, 2.0 * z.0 * z.1 + c.1);
                i += 1;
            }
            expected.push(i);
        }
    }
    let steps: u32 = expected.iter().sum();
    let mut job = square(width);
    job.bind_constants(register("b0"), constants(&[width as u32, limit]));
    let out = job.bind_buffer(register("u0"), vec![0; width * width * 4]);
    let check = move |outcome: &Outcome| {
        let found = result_words(outcome, out)?;
        let differ = found.iter().zip(&expected).filter(|(a, b)| a != b).count();
        // Near the edge of the set the last bit of a product decides.
        if differ > expected.len() / 100 {
            return Err(format!("{differ} of {} points differ", expected.len()));
        }
        Ok(())
    };
    Workload {
        job,
        bytes: 0.0,
        operations: f64::from(steps) * 10.0,
        check: Box::new(check),
    }
}

type Point = [f32; 3];

fn along(from: Point, towards: Point, t: f32) -> Point {
    std::array::from_fn(|i| from[i] + towards[i] * t)
}

fn length(v: &[f32]) -> f32 {
    v.iter().map(|x| x * x).sum::<f32>().sqrt()
}

fn scene(p: Point) -> f32 {
    let sphere = length(&[p[0], p[1] - 0.5, p[2]]) - 0.5;
    let torus = length(&[length(&[p[0] - 0.3, p[2] - 0.2]) - 1.0, p[1] - 0.2]) - 0.2;
    sphere.min(torus).min(p[1])
}

fn march(from: Point, towards: Point, steps: &mut f64) -> f32 {
    let mut t = 0.05;
    for _ in 0..48 {
        let near = scene(along(from, towards, t));
        *steps += 1.0;
        if near < 0.001 || t > 20.0 {
            break;
        }
        t += near;
    }
    t
}

pub(super) fn ray_march(scale: u32) -> Workload {
    let width = 128 << (scale / 2);
    let unit = |v: Point| v.map(|x| x / length(&v));
    let mut steps = 0.0;
    let mut expected = Vec::with_capacity(width * width);
    for y in 0..width {
        for x in 0..width {
            let screen = [x, y].map(|at| (at as f32 + 0.5) / width as f32 * 2.0 - 1.0);
            let eye = [0.0, 1.5, -3.0];
            let ray = unit([screen[0], -screen[1] - 0.3, 1.5]);
            let t = march(eye, ray, &mut steps);
            let light = unit([0.6, 0.8, -0.3]);
            let from = along(along(eye, ray, t), light, 0.01);
            let is_lit = march(from, light, &mut steps) > 10.0;
            expected.push(t.min(20.0) * if is_lit { 1.0 } else { 0.25 });
        }
    }
    let mut job = square(width);
    job.bind_constants(register("b0"), constants(&[width as u32]));
    let out = job.bind_buffer(register("u0"), vec![0; width * width * 4]);
    Workload {
        job,
        bytes: 0.0,
        operations: steps * 30.0,
        // Rays that graze an edge hit or miss.
        check: nearly(out, at_all_indices(expected), 0.01, 0.02),
    }
}

pub(super) fn gaussian_blur(scale: u32) -> Workload {
    let width = 128 << (scale / 2);
    let texels = fractions(width * width * 4, 50);
    let weights = [1.0f32, 4.0, 6.0, 4.0, 1.0].map(|weight| weight / 16.0);
    let at = |x: i32, y: i32, channel: usize| {
        let last = width as i32 - 1;
        let (x, y) = (x.clamp(0, last) as usize, y.clamp(0, last) as usize);
        texels[(y * width + x) * 4 + channel]
    };
    let mut expected = Vec::with_capacity(texels.len());
    for index in 0..texels.len() {
        let (texel, channel) = (index / 4, index % 4);
        let (x, y) = ((texel % width) as i32, (texel / width) as i32);
        let mut sum = 0.0;
        for (j, wy) in (-2..).zip(weights) {
            for (i, wx) in (-2..).zip(weights) {
                sum += at(x + i, y + j, channel) * wx * wy;
            }
        }
        expected.push(sum);
    }
    let mut job = square(width);
    let format = Format::Rgba32Float;
    let size = width as u32;
    job.bind_texture(
        register("t0"),
        Texture::new_2d(format, size, size, floats(&texels)),
    );
    let out = job.bind_texture(
        register("u0"),
        Texture::new_2d(format, size, size, Vec::new()),
    );
    Workload {
        job,
        bytes: texels.len() as f64 * 8.0,
        operations: texels.len() as f64 * 50.0,
        check: nearly(out, at_all_indices(expected), 1e-5, 0.0),
    }
}

pub(super) fn bilateral(scale: u32) -> Workload {
    let width = 64 << (scale / 2);
    let texels = fractions(width * width, 51);
    let (space, range) = (0.1f32, 8.0f32);
    let at = |x: i32, y: i32| {
        let last = width as i32 - 1;
        let (x, y) = (x.clamp(0, last) as usize, y.clamp(0, last) as usize);
        texels[y * width + x]
    };
    let mut expected = Vec::with_capacity(texels.len());
    for index in 0..texels.len() {
        let (x, y) = ((index % width) as i32, (index / width) as i32);
        let (mut sum, mut total) = (0.0, 0.0);
        for j in -3..=3 {
            for i in -3..=3 {
                let there = at(x + i, y + j);
                let contrast = there - at(x, y);
                let far = (i * i + j * j) as f32;
                let weight = (-far * space - contrast * contrast * range).exp();
                sum += there * weight;
                total += weight;
            }
        }
        expected.push(sum / total);
    }
    let mut job = square(width);
    let format = Format::R32Float;
    let size = width as u32;
    let words = [space.to_bits(), range.to_bits()];
    job.bind_constants(register("b0"), constants(&words));
    job.bind_texture(
        register("t0"),
        Texture::new_2d(format, size, size, floats(&texels)),
    );
    let out = job.bind_texture(
        register("u0"),
        Texture::new_2d(format, size, size, Vec::new()),
    );
    Workload {
        job,
        bytes: texels.len() as f64 * 8.0,
        operations: texels.len() as f64 * 49.0 * 10.0,
        check: nearly(out, at_all_indices(expected), 1e-4, 0.0),
    }
}
