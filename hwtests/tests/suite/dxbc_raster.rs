//! DXBC's instructions of pixel, geometry and hull shaders that no compiler at hand writes. Pixel
//! shaders are assembled and take the signatures of a checked-in one; the others are checked-in
//! ones with some of their instructions replaced by equivalent ones.

use dxil_frontend::FourCc;
use dxil_frontend::container::{Container, Signing, write_container};
use dxil_frontend::dxbc::{Components, Dimension, File, Instruction, Opcode, Operand, Program};
use dxil_frontend::dxil::ShaderKind;
use dxil_hwtests::run::{self, Failure};
use dxil_hwtests::{DrawCase, Picture, Rect, Shader, Tolerance, element::to_bytes};
use dxil_runtime::Format;
use dxil_runtime::graphics::Topology;
use dxil_runtime::job::{AddressMode, Sampler, Texture};

use super::draw_inputs::compared_depths;
use crate::dxbc_assembler::{float, null, number, part, temp, to};

const SIZE: [u32; 2] = [8, 4];
const WHOLE: [u32; 4] = [0, 0, 8, 4];
pub(crate) const PIXELS: Format = Format::Rgba32Float;
const ALL: Components = Components::Mask(0xf);

macro_rules! dxil {
    ($name:literal) => {
        Shader {
            name: $name,
            bytes: include_bytes!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/shaders/",
                $name,
                ".dxil"
            )),
        }
    };
}

macro_rules! dxbc {
    ($name:literal) => {
        include_bytes!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/shaders/",
            $name,
            ".dxbc"
        ))
    };
}

pub(crate) use dxbc;

/// Returns a container with another program in it. It lives as long as the tests.
pub(crate) fn with_program(container: &[u8], program: &Program) -> Result<Shader, Failure> {
    let container = Container::parse(container)?;
    let tokens: Vec<u8> = program
        .to_tokens()?
        .into_iter()
        .flat_map(u32::to_le_bytes)
        .collect();
    let parts: Vec<(FourCc, &[u8])> = container
        .parts()
        .iter()
        .map(|part| match part.name {
            FourCc::SHDR | FourCc::SHEX => (part.name, &tokens[..]),
            name => (name, part.data),
        })
        .collect();
    Ok(Shader {
        name: "an assembled shader",
        bytes: write_container(&parts, Signing::Digest)?.leak(),
    })
}

/// Returns a container in which each instruction is replaced by those that `change` returns.
fn rewritten(
    container: &[u8],
    change: impl Fn(&Program, &Instruction) -> Vec<(Opcode, Vec<Operand>)>,
) -> Result<Shader, Failure> {
    let old = Program::of_container(&Container::parse(container)?)?;
    let mut program = Program {
        instructions: Vec::new(),
        ..old.clone()
    };
    for instruction in &old.instructions {
        let replacement = change(&old, instruction);
        if replacement.is_empty() {
            program.instructions.push(*instruction);
        }
        for (opcode, operands) in replacement {
            program.push(opcode, instruction.token, &operands, &[])?;
        }
    }
    with_program(container, &program)
}

fn input(register: u32) -> Operand {
    Operand::register(File::Input, &[register])
}

fn output() -> Operand {
    Operand::register(File::Output, &[0]).with(ALL)
}

fn texture() -> Operand {
    Operand::register(File::Resource, &[0])
}

fn sampler() -> Operand {
    Operand::register(File::Sampler, &[0]).with(Components::None)
}

/// The texture that a pixel shader samples.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sampled {
    Nothing,
    Texture,
    Comparisons,
}

/// Returns a pixel shader with a colour in `v1`, a texture in `t0` and a sampler in `s0`, that runs
/// these instructions.
fn pixel_shader(sampled: Sampled, code: &[(Opcode, Vec<Operand>)]) -> Result<Shader, Failure> {
    let mut program = Program::new(ShaderKind::Pixel, (5, 0));
    program.push(Opcode::DclGlobalFlags, 1 << 11, &[], &[])?;
    if sampled != Sampled::Nothing {
        let mode = u32::from(sampled == Sampled::Comparisons) << 11;
        program.push(Opcode::DclSampler, mode, &[sampler()], &[])?;
        let dimension = (Dimension::Texture2D as u32) << 11;
        let t0 = texture().with(Components::None);
        program.push(Opcode::DclResource, dimension, &[t0], &[0x5555])?;
    }
    // Linear interpolation.
    program.push(Opcode::DclInputPs, 2 << 11, &[input(1).with(ALL)], &[])?;
    program.push(Opcode::DclOutput, 0, &[output()], &[])?;
    program.push(Opcode::DclTemps, 0, &[], &[4])?;
    for (opcode, operands) in code {
        program.push(*opcode, 0, operands, &[])?;
    }
    program.push(Opcode::Ret, 0, &[], &[])?;
    with_program(dxbc!("draw/color_ps"), &program)
}

fn draw_pixels(pixel_shader: Shader, describe: fn(&mut DrawCase)) -> Result<(), Failure> {
    run::draw(&[dxil!("draw/place_vs"), pixel_shader], describe)
}

/// Moves `r0` to the output.
fn finish() -> (Opcode, Vec<Operand>) {
    (Opcode::Mov, vec![output(), temp(0)])
}

/// Makes `r0` zero unless the status in `r1.x` says that all tiles are mapped.
fn keep_if_mapped() -> [(Opcode, Vec<Operand>); 2] {
    [
        (Opcode::CheckAccessFullyMapped, vec![to(1, 0), part(1, 0)]),
        (Opcode::And, vec![temp(0).with(ALL), temp(0), part(1, 0)]),
    ]
}

/// Returns a rectangle over the whole target, with colours that follow from the position.
fn colored(t: &mut DrawCase, color: impl Fn(f32, f32) -> [f32; 4]) {
    let positions = Rect::new(WHOLE, [0.0; 4]).positions(SIZE);
    let colors = positions.map(|[x, y, ..]| color((x + 1.0) * 4.0, (1.0 - y) * 2.0));
    t.corners(Topology::TriangleList, &positions, &colors);
}

/// Adds four mips that hold their number; the second has as many texels as the target has pixels.
fn numbered_mips(t: &mut DrawCase) {
    colored(t, |column, row| [column / 4.0, row / 4.0, 0.0, 0.0]);
    let texels = [(64, 0.0f32), (16, 1.0), (4, 2.0), (1, 3.0)];
    let data = texels
        .iter()
        .flat_map(|&(count, value)| to_bytes(&vec![[value; 4]; count]))
        .collect();
    let mut texture = Texture::new_2d(PIXELS, 8, 8, data);
    texture.mips = 4;
    t.texture("t0", texture);
    let sampler = Sampler {
        address: [AddressMode::Wrap; 3],
        ..Sampler::default()
    };
    t.sampler("s0", sampler);
}

fn all_are(t: &mut DrawCase, value: [f32; 4]) {
    t.target(
        PIXELS,
        [8, 4, 1],
        vec![value; 32],
        Tolerance::Absolute(1e-3),
    );
}

#[test]
fn a_bias_is_added_to_the_level() -> Result<(), Failure> {
    let r0 = temp(0).with(ALL);
    let operands = vec![r0, input(1), texture(), sampler(), float(1.0)];
    let shader = pixel_shader(Sampled::Texture, &[(Opcode::SampleB, operands), finish()])?;
    draw_pixels(shader, |t| {
        numbered_mips(t);
        all_are(t, [2.0; 4]);
    })
}

#[test]
fn sampling_tells_that_tiles_are_mapped() -> Result<(), Failure> {
    let first = [temp(0).with(ALL), to(1, 0), input(1), texture(), sampler()];
    for (opcode, numbers) in [
        (Opcode::SampleClS, &[0.0][..]),
        (Opcode::SampleBClS, &[0.0, 0.0]),
    ] {
        let numbers = numbers.iter().map(|&value| float(value));
        let operands = first.into_iter().chain(numbers).collect();
        let [check, keep] = keep_if_mapped();
        let code = [(opcode, operands), check, keep, finish()];
        draw_pixels(pixel_shader(Sampled::Texture, &code)?, |t| {
            numbered_mips(t);
            all_are(t, [1.0; 4]);
        })?;
    }
    Ok(())
}

#[test]
fn comparing_in_a_pixel_shader_tells_that_tiles_are_mapped() -> Result<(), Failure> {
    let mut operands = vec![temp(0).with(ALL), to(1, 0), input(1), texture(), sampler()];
    operands.extend([input(1).with(Components::Select(2)), float(0.0)]);
    let [check, keep] = keep_if_mapped();
    let code = [(Opcode::SampleCClS, operands), check, keep, finish()];
    draw_pixels(pixel_shader(Sampled::Comparisons, &code)?, |t| {
        colored(t, |column, row| [column / 8.0, row / 4.0, 0.25, 0.0]);
        compared_depths(t);
        let picture = Picture::of(SIZE, |x, _| [((x / 2) % 2) as f32; 4]);
        t.target(PIXELS, [8, 4, 1], picture.texels, Tolerance::Exact);
    })
}

#[test]
fn lod_gives_the_level_before_and_after_it_is_clamped() -> Result<(), Failure> {
    let operands = vec![output(), input(1), texture(), sampler()];
    let shader = pixel_shader(Sampled::Texture, &[(Opcode::Lod, operands)])?;
    draw_pixels(shader, |t| {
        numbered_mips(t);
        t.sampler(
            "s0",
            Sampler {
                max_lod: 0.5,
                address: [AddressMode::Wrap; 3],
                ..Sampler::default()
            },
        );
        all_are(t, [0.5, 1.0, 0.0, 0.0]);
    })
}

#[test]
fn derivatives_are_coarse_or_fine_along_x_and_y() -> Result<(), Failure> {
    let of = |opcode, component| {
        (
            opcode,
            vec![to(0, component), input(1).with(Components::Select(0))],
        )
    };
    let code = [
        of(Opcode::DerivRtxCoarse, 0),
        of(Opcode::DerivRtyCoarse, 1),
        of(Opcode::DerivRtxFine, 2),
        of(Opcode::DerivRtyFine, 3),
        finish(),
    ];
    draw_pixels(pixel_shader(Sampled::Nothing, &code)?, |t| {
        colored(t, |column, row| [column + 3.0 * row, 0.0, 0.0, 0.0]);
        all_are(t, [1.0, 3.0, 1.0, 3.0]);
    })
}

#[test]
fn inputs_are_evaluated_at_offsets_in_sixteenths_of_a_pixel() -> Result<(), Failure> {
    let offset = Operand::immediate([4, u32::MAX - 7, 0, 0]);
    let code = [(Opcode::EvalSnapped, vec![output(), input(1), offset])];
    draw_pixels(pixel_shader(Sampled::Nothing, &code)?, |t| {
        colored(t, |column, row| [column, row, 0.0, 1.0]);
        let picture = Picture::of(SIZE, |x, y| [x as f32 + 0.75, y as f32, 0.0, 1.0]);
        t.target(PIXELS, [8, 4, 1], picture.texels, Tolerance::Absolute(1e-3));
    })
}

#[test]
fn inputs_are_evaluated_at_samples_and_at_the_centroid() -> Result<(), Failure> {
    // With one sample, both are the centre.
    let code = [
        (
            Opcode::EvalSampleIndex,
            vec![temp(0).with(Components::Mask(3)), input(1), number(0)],
        ),
        (
            Opcode::EvalCentroid,
            vec![
                temp(0).with(Components::Mask(0xc)),
                input(1).with(Components::Swizzle([0, 1, 0, 1])),
            ],
        ),
        finish(),
    ];
    draw_pixels(pixel_shader(Sampled::Nothing, &code)?, |t| {
        colored(t, |column, row| [column, row, 0.0, 1.0]);
        let picture = Picture::of(SIZE, |x, y| {
            let (x, y) = (x as f32 + 0.5, y as f32 + 0.5);
            [x, y, x, y]
        });
        t.target(PIXELS, [8, 4, 1], picture.texels, Tolerance::Absolute(1e-3));
    })
}

#[test]
fn samples_of_the_target_lie_in_the_standard_pattern() -> Result<(), Failure> {
    // D3D11.3, standard multisample patterns: four samples, in sixteenths of a pixel.
    let rasterizer = Operand::register(File::Rasterizer, &[]);
    let at = |index, mask, swizzle| {
        let place = rasterizer.with(Components::Swizzle(swizzle));
        (
            Opcode::SamplePos,
            vec![temp(0).with(Components::Mask(mask)), place, number(index)],
        )
    };
    let code = [at(1, 0x3, [0, 1, 0, 1]), at(2, 0xc, [0, 1, 0, 1]), finish()];
    draw_pixels(pixel_shader(Sampled::Nothing, &code)?, |t| {
        colored(t, |_, _| [0.0; 4]);
        let expected = vec![[0.375f32, -0.125, -0.375, 0.125]; 32];
        t.multisampled(PIXELS, SIZE, 4, expected, Tolerance::Exact);
    })
}

/// Draws two points, of two triangles each, with their numbers as colours.
fn numbered_strips(t: &mut DrawCase) {
    t.vertices(Topology::PointList, 2);
    let picture = Picture::of(SIZE, |x, y| {
        let (x, y) = ((x as f32 + 0.5) / 4.0 - 1.0, 1.0 - (y as f32 + 0.5) / 2.0);
        let mut last = 0.0;
        for (id, k) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let (right, down) = (x + 1.0 - k as f32, 1.0 - id as f32 - y);
            if right > 0.0 && down > 0.0 && right + down < 2.0 {
                last = (id * 10 + k + 5) as f32;
            }
        }
        [last; 4]
    });
    t.target(PIXELS, [8, 4, 1], picture.texels, Tolerance::Exact);
}

/// Draws [`numbered_strips`] with a geometry shader that makes them.
pub(crate) fn draw_strips(geometry_shader: Shader) -> Result<(), Failure> {
    let shaders = [
        dxil!("streams/points_vs"),
        geometry_shader,
        dxil!("streams/primitive_ps"),
    ];
    run::draw(&shaders, numbered_strips)
}

#[test]
fn emit_and_cut_mean_the_first_stream() -> Result<(), Failure> {
    draw_strips(rewritten(
        dxbc!("streams/strips_gs"),
        |_, instruction| match instruction.opcode {
            Opcode::EmitStream => vec![(Opcode::Emit, vec![])],
            Opcode::CutStream => vec![(Opcode::Cut, vec![])],
            _ => Vec::new(),
        },
    )?)
}

#[test]
fn emit_then_cut_ends_the_strip_with_the_vertex() -> Result<(), Failure> {
    // The third vertex of a strip is emitted right before the strip ends.
    let container = dxbc!("streams/strips_gs");
    for has_stream in [true, false] {
        let old = Program::of_container(&Container::parse(container)?)?;
        let mut program = Program {
            instructions: Vec::new(),
            ..old.clone()
        };
        let mut count = 0;
        for (at, instruction) in old.instructions.iter().enumerate() {
            let next = old.instructions.get(at + 1).map(|next| next.opcode);
            let opcode = instruction.opcode;
            let is_last = opcode == Opcode::EmitStream && next == Some(Opcode::CutStream);
            if is_last {
                let operands = old.operands_of(instruction);
                if has_stream {
                    program.push(Opcode::EmitThenCutStream, 0, operands, &[])?;
                } else {
                    program.push(Opcode::EmitThenCut, 0, &[], &[])?;
                }
                count += 1;
            } else if opcode != Opcode::CutStream {
                program.instructions.push(*instruction);
            }
        }
        assert!(count > 0, "no vertex is emitted right before a strip ends");
        draw_strips(with_program(container, &program)?)?;
    }
    Ok(())
}

#[test]
fn a_join_phase_writes_patch_constants_as_a_fork_phase_does() -> Result<(), Failure> {
    let shader = rewritten(dxbc!("tess/quad_hs"), |_, instruction| {
        match instruction.opcode {
            Opcode::HsForkPhase => vec![(Opcode::HsJoinPhase, vec![])],
            _ => Vec::new(),
        }
    })?;
    draw_quad(shader)
}

/// Draws the patch of `tess/quad_hs` with a hull shader that gives the same.
pub(crate) fn draw_quad(hull_shader: Shader) -> Result<(), Failure> {
    let shaders = [
        dxil!("tess/corners_vs"),
        hull_shader,
        // The compilers of DXBC and DXIL give patch constants different registers.
        Shader {
            name: "a domain shader as DXBC",
            bytes: dxbc!("tess/quad_ds"),
        },
        dxil!("tess/color_ps"),
    ];
    run::draw(&shaders, |t| {
        t.vertices(Topology::PatchList(4), 4);
        let picture = Picture::of([8, 8], |x, y| {
            let (u, v) = ((x as f32 + 0.5) / 8.0, 1.0 - (y as f32 + 0.5) / 8.0);
            [3.5 - 1.5 * u + v, 3.5 + 0.5 * u - v, 1.0, 716.0]
        });
        t.target(PIXELS, [8, 8, 1], picture.texels, Tolerance::Absolute(1e-3));
        t.expect(
            "u0",
            vec![[13.0_f32, 13.0, 3.5, 3.5], [1.0, -1.0, 3.5, 7.0]],
        );
    })
}

#[test]
fn a_pixel_shader_may_leave_results_in_the_null_register() -> Result<(), Failure> {
    let angle = input(1).with(Components::Select(0));
    let code = [
        (Opcode::Sincos, vec![null(), temp(0).with(ALL), angle]),
        finish(),
    ];
    draw_pixels(pixel_shader(Sampled::Nothing, &code)?, |t| {
        colored(t, |_, _| [0.0; 4]);
        all_are(t, [1.0; 4]);
    })
}
