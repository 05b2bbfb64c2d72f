//! Samples and stores of texels by format and filter.

use dxil_runtime::Format;
use dxil_runtime::job::{AddressMode, Filter, Job, Outcome, Sampler, Texture};

use super::figure::{Case, Figure, TEXTURES, Unit, shader};
use crate::kernel::checks::result_words;
use crate::kernel::inputs::{constants, register};

/// Texels of a side.
const WIDTH: u32 = 256;
/// Texels of a group's side.
const GROUP: u32 = 16;

/// How a texture is sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Filtering {
    Point,
    Bilinear,
    /// Between two levels, too.
    Trilinear,
    /// Up to eight samples along a line.
    Anisotropic,
}

/// Returns a format with the bytes of a white texel, or of a block of them.
fn formats() -> [(&'static str, Format, Vec<u8>); 8] {
    let half_one: [u8; 2] = 0x3c00u16.to_le_bytes();
    let one = 1.0f32.to_le_bytes();
    // 1.0 has the exponent 15 in five bits before 6, 6 and 5 bits of mantissa.
    let packed: u32 = 15 << 6 | 15 << 17 | 15 << 27;
    // Mantissas of 256 with the exponent 16: 256 · 2^(16 - 15 - 9).
    let shared: u32 = 256 | 256 << 9 | 256 << 18 | 16 << 27;
    [
        ("RGBA8", Format::Rgba8Unorm, vec![255; 4]),
        ("RGBA8 sRGB", Format::Rgba8Srgb, vec![255; 4]),
        ("RGBA16F", Format::Rgba16Float, half_one.repeat(4)),
        ("R32F", Format::R32Float, one.to_vec()),
        ("RGBA32F", Format::Rgba32Float, one.repeat(4)),
        (
            "RG11B10F",
            Format::Rg11b10Float,
            packed.to_le_bytes().to_vec(),
        ),
        ("RGB9E5", Format::Rgb9e5Float, shared.to_le_bytes().to_vec()),
        // Both end points are white.
        (
            "BC1",
            Format::Bc1Unorm,
            vec![255, 255, 255, 255, 0, 0, 0, 0],
        ),
    ]
}

/// Returns the figures of textures.
pub(super) fn figures() -> Vec<Figure> {
    let unit = Unit::Giga("Gtexel/s");
    let mut figures = Vec::new();
    let mut sampled = |name: String, format, texel: Vec<u8>, filtering| {
        let shader = match filtering {
            Filtering::Anisotropic => shader!("sample_gradient"),
            _ => shader!("sample"),
        };
        let case = move |amount| sample(amount, format, &texel, filtering);
        figures.push(Figure::new(TEXTURES, &name, unit, shader, 12, case));
    };
    for (name, format, texel) in formats() {
        sampled(
            format!("{name}, bilinear"),
            format,
            texel,
            Filtering::Bilinear,
        );
    }
    for (name, filtering) in [
        ("point", Filtering::Point),
        ("trilinear", Filtering::Trilinear),
        ("anisotropic 8:1", Filtering::Anisotropic),
    ] {
        let white = vec![255; 4];
        sampled(
            format!("RGBA8, {name}"),
            Format::Rgba8Unorm,
            white,
            filtering,
        );
    }
    for (name, format) in [
        ("RGBA8", Format::Rgba8Unorm),
        ("RGBA16F", Format::Rgba16Float),
        ("R32F", Format::R32Float),
        ("RGBA32F", Format::Rgba32Float),
    ] {
        let case = move |amount| store(amount, format);
        let name = format!("{name}, store");
        figures.push(Figure::new(
            TEXTURES,
            &name,
            unit,
            shader!("store"),
            10,
            case,
        ));
    }
    figures
}

fn sample(amount: u32, format: Format, texel: &[u8], filtering: Filtering) -> Case {
    const ROUNDS: u32 = 16;
    let groups = 1 << amount;
    let mips = match filtering {
        Filtering::Trilinear | Filtering::Anisotropic => WIDTH.ilog2() + 1,
        Filtering::Point | Filtering::Bilinear => 1,
    };
    let mut texture = Texture::new_2d(format, WIDTH, WIDTH, Vec::new());
    texture.mips = mips;
    texture.data = texel.repeat(texture.total_bytes() as usize / texel.len());
    let filter = match filtering {
        Filtering::Point => Filter::Point,
        _ => Filter::Linear,
    };
    let sampler = Sampler {
        min_filter: filter,
        mag_filter: filter,
        mip_filter: match filtering {
            Filtering::Trilinear | Filtering::Anisotropic => Filter::Linear,
            Filtering::Point | Filtering::Bilinear => Filter::Point,
        },
        anisotropy: if filtering == Filtering::Anisotropic {
            8
        } else {
            0
        },
        address: [AddressMode::Wrap; 3],
        ..Sampler::default()
    };
    let lod: f32 = if filtering == Filtering::Trilinear {
        0.5
    } else {
        0.0
    };
    let threads = groups * GROUP * GROUP;
    let mut job = Job::dispatch([groups, 1, 1]);
    job.bind_constants(register("b0"), constants(&[ROUNDS, lod.to_bits()]));
    job.bind_texture(register("t0"), texture);
    job.bind_sampler(register("s0"), sampler);
    let out = job.bind_buffer(register("u0"), vec![0; threads as usize * 4]);
    let expected = f64::from(ROUNDS * 4);
    let check = move |outcome: &Outcome| {
        let words = result_words(outcome, out)?;
        // Weights of filters have eight bits at least (D3D11.3, 7.18.8), and sum to one.
        let far = |word: &u32| (f64::from(f32::from_bits(*word)) / expected - 1.0).abs() > 0.01;
        match words.iter().position(far) {
            None => Ok(()),
            Some(at) => Err(format!(
                "thread {at} has {}, not {expected}",
                f32::from_bits(words[at])
            )),
        }
    };
    Case {
        job,
        work: f64::from(threads) * expected,
        check: Box::new(check),
    }
}

fn store(amount: u32, format: Format) -> Case {
    let rounds = 1 << amount;
    let side = WIDTH / GROUP;
    let mut job = Job::dispatch([side, side, 1]);
    job.bind_constants(register("b0"), constants(&[rounds]));
    let target = Texture::new_2d(format, WIDTH, WIDTH, Vec::new());
    let out = job.bind_texture(register("u0"), target);
    let white: Vec<u8> = match format {
        Format::Rgba8Unorm => vec![255; 4],
        Format::Rgba16Float => 0x3c00u16.to_le_bytes().repeat(4),
        _ => 1.0f32
            .to_le_bytes()
            .repeat(format.block_bytes() as usize / 4),
    };
    let check = move |outcome: &Outcome| {
        let bytes = outcome.bytes(out).ok_or("the texture was not read back")?;
        match bytes.chunks(white.len()).position(|texel| texel != white) {
            None => Ok(()),
            Some(at) => Err(format!("texel {at} is not white")),
        }
    };
    Case {
        job,
        work: f64::from(WIDTH * WIDTH) * f64::from(rounds),
        check: Box::new(check),
    }
}
