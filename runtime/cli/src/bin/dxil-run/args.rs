//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use clap_complete::Shell;
use dxil_runtime::graphics::Query;
use dxil_runtime::{Backend, Checks, Format, Register};
use dxil_translate::VulkanVersion;

use crate::file_kind::FileKind;
use crate::places::{BindPoint, slot_name};

const EXAMPLES: &str = "\
Examples:
  dxil-run cs.dxil --dispatch 64,1,1
      create the resources that the shader declares, run it, print every UAV
  dxil-run cs.dxil --dispatch 4,4,1 --bind t0=photo.png --out u0=blurred.png
  dxil-run cs.dxil --dispatch 1,1,1 --bind b0=f32:0.5,2 --bind t0=in.bin --bind u0,space1=zeros:4096
  dxil-run cs.dxil --emit spvasm
      translate only; needs no device
  dxil-run cs.dxil --dispatch 1024,1,1 --time 50
  dxil-run cs.dxil --dispatch 4,1,1 --check
      run it on the CPU, and look for data races and other defects
  dxil-run vs.dxil ps.dxil --draw 3 --out rt0.png
  dxil-run lib.dxil --rays 64,64 --bind t0=house.obj --out u0=picture.png
      a ray tracing library
  dxil-run lib.dxil --graph --records split=u32:0,64,70,73 --bind u0=zeros:320
      a work graph; the node `split` gets records of two words each
  dxil-run cs.dxil --dispatch 1 --heap 0=srv=in.png --heap '1=RWBuffer<float4>' --sampler-heap 0=linear+wrap
      for shaders that index ResourceDescriptorHeap and SamplerDescriptorHeap
  dxil-run cs.dxil --dispatch 1 --heap '4=uav=zeros:64' --table 0=4
      the table of root parameter 0 starts at slot 4 of the heap

What --bind takes after `REGISTER=`, and --indirect and --records:
  zeros:N  iota:N  random:N         N bytes of zeros, of 0, 1, 2 ..., of noise; without `:N`, the size that fits
  f32:1,2,3 (f16 f64 u8 u16 u32 u64 i8 i16 i32 i64)   numbers; types can be mixed: u32:7,f32:0.5,1
  FILE.png                          an image, for textures
  FILE                              the bytes of any other file
  FILE.obj                          triangles of a Wavefront file, for acceleration structures; or FILE.yaml with the
                                    Buffers and AccelerationStructures of a pipeline file (the first TLAS is used).
                                    Default: a square of side 2 around the origin in the plane z = 0, clockwise as
                                    seen from negative z, and a box of side 2 around (3, 0, 0)
  null                              a null descriptor: reads give zero, writes are dropped, no ray hits
  point | linear | anisotropic      a sampler, with options after +: wrap mirror clamp border mirroronce
                                    (u=wrap for one axis), less lessequal ..., minimum maximum,
                                    mip=point min=linear, bias=0.5 minlod=1 maxlod=3, anisotropy=8,
                                    border=white (black, transparent, 1/0/0/1)

What --heap takes after `SLOT=`: a type, optionally followed by `=` and what --bind takes:
  StructuredBuffer<float4> RWStructuredBuffer<uint> StructuredBuffer<48>    (48 bytes an element)
  ByteAddressBuffer RWByteAddressBuffer Buffer<float> RWBuffer<uint> ConstantBuffer
  Texture2D<float4> RWTexture2D<float> Texture2DArray TextureCube Texture3D ...
  RaytracingAccelerationStructure
  srv uav cbv                       buffers of 32-bit words (with an image: a texture)
  null                              a null descriptor, which is also the default of every slot
  RWBuffer<uint>=heap3              the resource of slot 3, viewed as that type

Exit codes:
  0  done (with --pipeline: all expectations hold)
  1  the job or its results are wrong
  2  the command line is wrong
  3  the input file is malformed
  4  the input is valid, but this program or the device does not support it
  5  no Vulkan loader or no device
  6  the work did not end in time, memory ran out, or the device was lost
  7  the validation layer reported an error
  8  --check found defects
  70 an internal error of this program";

/// Runs a DXIL shader on Vulkan, wgpu or the CPU, and prints what it computed.
#[derive(Debug, Clone, Parser)]
#[command(name = "dxil-run", version, after_help = EXAMPLES, max_term_width = 110)]
pub(crate) struct Args {
    /// DXContainer, raw DXIL bitcode or shader PDB file (with --pipeline also SPIR-V). Several
    /// files are the stages of a graphics pipeline, or libraries to link.
    #[arg(required_unless_present_any = ["list_devices", "completions", "pipeline"])]
    pub(crate) shaders: Vec<PathBuf>,

    /// Dispatch X by Y by Z thread groups.
    #[arg(long, value_name = "X,Y,Z", value_parser = parse_groups)]
    pub(crate) dispatch: Option<[u32; 3]>,

    /// Run the ray generation shader of a library (--entry, or the only one) for W by H by D rays.
    /// All its other ray tracing shaders are in the shader tables: miss and callable shaders in
    /// the order of the library; the hit groups of the library's subobjects, or else the n-th
    /// closest-hit shader with the n-th any-hit shader for triangles, followed by each
    /// intersection shader with its n-th companions for boxes. Every record holds what is bound
    /// to the registers of its local root signature.
    #[arg(long, value_name = "W,H,D", value_parser = parse_groups, conflicts_with_all = ["dispatch", "draw", "emit"])]
    pub(crate) rays: Option<[u32; 3]>,

    /// Run the work graph of all nodes of the libraries, level by level, with the records of
    /// --records.
    #[arg(long, conflicts_with_all = ["dispatch", "draw", "rays", "emit", "indirect"])]
    pub(crate) graph: bool,

    /// Records for a program entry of the work graph, one after the other: split=u32:0,64 or
    /// material[2]=in.bin (see below). Without contents: one record of zeros whose dispatch grid
    /// is one group, or one empty record. Repeat the option for several entries. Default: one such
    /// record for --entry or the only entry.
    #[arg(long, value_name = "NODE[=WHAT]", requires = "graph")]
    pub(crate) records: Vec<String>,

    /// Number of records for a program entry. Default: as many as the contents hold.
    #[arg(long, value_name = "NODE=N", requires = "graph", value_parser = parse_node_number)]
    pub(crate) record_count: Vec<(String, u32)>,

    /// Stride between records in bytes, a multiple of 4; 0 sends the same record --record-count
    /// times. Default: the size of a record.
    #[arg(long, value_name = "NODE=BYTES", requires = "graph", value_parser = parse_node_number)]
    pub(crate) record_stride: Vec<(String, u32)>,

    /// Draw VERTICES vertices (or mesh shader groups) and INSTANCES instances.
    #[arg(long, value_name = "VERTICES[,INSTANCES]", value_parser = parse_draw, conflicts_with = "dispatch")]
    pub(crate) draw: Option<[u32; 2]>,

    /// Dispatch or draw indirectly with arguments from a buffer of these contents, like u32:64,1,1
    /// (see below). Each draw takes four words.
    #[arg(long, value_name = "WHAT")]
    pub(crate) indirect: Option<String>,

    /// Draw with N samples per pixel, and resolve them.
    #[arg(long, value_name = "N", requires = "draw", conflicts_with = "dispatch", value_parser = parse_samples)]
    pub(crate) samples: Option<u32>,

    /// Run a query around the draw.
    #[arg(
        long,
        value_enum,
        value_name = "QUERY",
        requires = "draw",
        conflicts_with = "dispatch"
    )]
    pub(crate) query: Vec<QueryName>,

    /// Bind contents to a register, like t0=in.bin or u0,space1=zeros:4096 (see below).
    #[arg(long, value_name = "REGISTER=WHAT", value_parser = parse_pair::<Register>)]
    pub(crate) bind: Vec<(Register, String)>,

    /// Fill a slot of the CBV/SRV/UAV heap: an HLSL type and contents, like
    /// 0=StructuredBuffer<uint>=iota:64, 1=RWTexture2D<float4> or 2=null (see below).
    #[arg(long, value_name = "SLOT=TYPE[=WHAT]", value_parser = parse_slot)]
    pub(crate) heap: Vec<Slot>,

    /// Fill a slot of the sampler heap, like 0=linear+wrap.
    #[arg(long, value_name = "SLOT=SAMPLER", value_parser = parse_slot)]
    pub(crate) sampler_heap: Vec<Slot>,

    /// Start the descriptor table of a root parameter at a slot of its heap, like 0=4.
    #[arg(long, value_name = "PARAMETER=SLOT", value_parser = parse_table)]
    pub(crate) table: Vec<(usize, u32)>,

    /// Initial value of a UAV's hidden counter, like u0=16. Default: 0.
    #[arg(long, value_name = "PLACE=N", value_parser = parse_counter)]
    pub(crate) counter: Vec<(BindPoint, u32)>,

    /// Texel format of a typed buffer or texture, like t0=R8G8B8A8_UNORM or heap1=R32_FLOAT.
    #[arg(long, value_name = "PLACE=FORMAT", value_parser = parse_format)]
    pub(crate) format: Vec<(BindPoint, Format)>,

    /// Size of a texture (texels), buffer (elements) or render target, like u0=256x256, u1=1000,
    /// heap2=64x64 or rt0=640x480.
    #[arg(long, value_name = "PLACE=SIZE", value_parser = parse_size)]
    pub(crate) size: Vec<(BindPoint, [u32; 3])>,

    /// Write the contents of a register, heap slot, render target or (with --pipeline) buffer after
    /// the run to a .bin, .npy, .png, .exr or .csv file, like u0=out.npy, heap1=out.csv or
    /// rt0=picture.png. PLACE may be left out where the file name gives it (u0.npy) or where only
    /// one resource is written.
    #[arg(long, value_name = "[PLACE=]FILE", value_parser = parse_out)]
    pub(crate) out: Vec<Out>,

    /// Entry point. Default: the only one.
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Option<String>,

    /// Root signature: a container with an RTS0 part, the bytes of such a part, a file with a root
    /// signature in HLSL, or that text itself, like "CBV(b0), UAV(u0)". Default: the shader's, or
    /// one derived from its declarations.
    #[arg(long, value_name = "FILE|TEXT")]
    pub(crate) root_signature: Option<PathBuf>,

    /// Pass root descriptors as device addresses, as D3D12 drivers do.
    #[arg(long)]
    pub(crate) root_addresses: bool,

    /// Write the shader in this language.
    #[arg(long, value_name = "LANGUAGE")]
    pub(crate) emit: Option<Language>,

    /// Keep the shader's debug information for debuggers and profilers: source lines only, or also
    /// scopes and variables.
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "full")]
    pub(crate) debug_info: Option<DebugInfo>,

    /// Where --emit writes; default: standard output.
    #[arg(short, value_name = "FILE", requires = "emit")]
    pub(crate) output: Option<PathBuf>,

    /// Translate for this Vulkan version. Default: the device's, or 1.3 without one.
    #[arg(long, value_name = "VERSION")]
    pub(crate) target: Option<TargetVersion>,

    /// Cache translations and pipelines in this folder. Default: dxil-jit in the user's cache
    /// folder.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) cache: Option<PathBuf>,

    /// Use no cache.
    #[arg(long, conflicts_with = "cache")]
    pub(crate) no_cache: bool,

    /// Run N more times, and print the time that the device took.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) time: Option<u32>,

    /// Run a pipeline file (the format of LLVM's offload-test-suite), and check its expectations.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dispatch", "draw", "rays", "graph", "indirect", "samples", "query", "bind", "heap", "sampler_heap", "table", "counter", "format", "size", "emit", "time", "stats"])]
    pub(crate) pipeline: Option<PathBuf>,

    /// Load the Vulkan validation layer; its reports are errors.
    #[arg(long)]
    pub(crate) validate: bool,

    /// Give min-precision types 16 bits instead of relaxed 32 bits.
    #[arg(long)]
    pub(crate) native_min_precision: bool,

    /// Print statistics of the translation.
    #[arg(long)]
    pub(crate) stats: bool,

    /// Backend. Default: vulkan, or cpu for a dispatch on a machine without a Vulkan device.
    #[arg(long, value_enum)]
    pub(crate) backend: Option<BackendName>,

    /// cpu only: lanes per wave, a power of two from 4 to 128. Default: as the shader requires, or
    /// 32.
    #[arg(long, value_name = "LANES")]
    pub(crate) wave_size: Option<u32>,

    /// Run on the CPU, and look for defects: data races, accesses out of bounds, reads of
    /// groupshared memory that nothing has written, and barriers that not all threads reach.
    /// Default without a list: all of them. Shaders with -Zi -Qembed_debug have source lines.
    #[arg(
        long,
        value_name = "CHECKS",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        value_delimiter = ',',
        default_missing_value = "races,bounds,uninitialized,barriers",
        requires = "dispatch"
    )]
    pub(crate) check: Vec<CheckName>,

    /// cpu only: maximum number of threads; the results are the same with any number. Default: as
    /// many as the machine runs at once.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) threads: Option<u32>,

    /// cpu only: maximum number of basic blocks that waves execute. Default: 2^40.
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,

    /// cpu only: maximum number of MiB of registers and private and groupshared memory. Default:
    /// 1024.
    #[arg(long, value_name = "MIB")]
    pub(crate) max_memory: Option<u32>,

    /// wgpu only: translate through naga even where the adapter accepts SPIR-V.
    #[arg(long)]
    pub(crate) portable: bool,

    /// Vulkan only: check bounds in the shader even where the device has robustness2.
    #[arg(long)]
    pub(crate) no_robustness2: bool,

    /// Device number, as --list-devices prints it.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) device: usize,

    /// List the devices of all backends.
    #[arg(long)]
    pub(crate) list_devices: bool,

    /// Time limit of the work.
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    pub(crate) timeout: Duration,

    /// Number of rows of each UAV to print.
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) rows: usize,

    /// Print a completion script for a shell.
    #[arg(long, value_name = "SHELL")]
    pub(crate) completions: Option<Shell>,
}

impl Args {
    /// First value of the hidden counter at a place.
    pub(crate) fn counter_of(&self, place: BindPoint) -> u32 {
        let said = self.counter.iter().rfind(|(p, _)| *p == place);
        said.map_or(0, |(_, value)| *value)
    }

    /// The places that `--out` names, of a job without a pipeline file.
    pub(crate) fn out_places(&self) -> impl Iterator<Item = BindPoint> {
        self.out.iter().filter_map(|out| out.place.parse().ok())
    }
}

/// A file that `--out` writes.
#[derive(Debug, Clone)]
pub(crate) struct Out {
    /// Register, slot, render target or buffer name; the stem of the file where PLACE is left out.
    pub(crate) place: String,
    /// Whether PLACE is left out.
    pub(crate) is_bare: bool,
    /// The file.
    pub(crate) file: String,
}

impl std::fmt::Display for Out {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_bare {
            write!(f, "--out {}", self.file)
        } else {
            write!(f, "--out {}={}", self.place, self.file)
        }
    }
}

/// A slot of a heap with its contents.
#[derive(Debug, Clone)]
pub(crate) struct Slot {
    /// Its number.
    pub(crate) slot: u32,
    /// Type and contents, or a sampler.
    pub(crate) what: String,
}

/// How much debug information is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DebugInfo {
    /// Source texts and line numbers (OpSource, OpLine).
    Lines,
    /// Also functions, inlined calls, types and variables (NonSemantic.Shader.DebugInfo.100).
    Full,
}

/// What --emit writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// SPIR-V words.
    Spv,
    /// SPIR-V as text.
    Spvasm,
    /// WGSL, through naga.
    Wgsl,
    /// Metal Shading Language, through naga.
    Msl,
    /// GLSL 4.60, through naga.
    Glsl,
    /// HLSL for shader model 6, through naga.
    Hlsl,
}

/// Vulkan versions by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TargetVersion {
    /// SPIR-V 1.3.
    #[value(name = "vulkan1.1")]
    V1_1,
    /// SPIR-V 1.5.
    #[value(name = "vulkan1.2")]
    V1_2,
    /// SPIR-V 1.6.
    #[value(name = "vulkan1.3")]
    V1_3,
    /// SPIR-V 1.6.
    #[value(name = "vulkan1.4")]
    V1_4,
}

impl TargetVersion {
    /// Returns the translator's value.
    pub(crate) fn version(self) -> VulkanVersion {
        match self {
            TargetVersion::V1_1 => VulkanVersion::V1_1,
            TargetVersion::V1_2 => VulkanVersion::V1_2,
            TargetVersion::V1_3 => VulkanVersion::V1_3,
            TargetVersion::V1_4 => VulkanVersion::V1_4,
        }
    }
}

/// Queries by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum QueryName {
    /// Number of samples that pass all tests.
    Occlusion,
    /// Whether any sample passes.
    AnySample,
    /// Pipeline statistics.
    Statistics,
    /// Device ticks between the start and the end.
    Timestamps,
}

impl QueryName {
    /// Returns the runtime's value.
    pub(crate) fn query(self) -> Query {
        match self {
            QueryName::Occlusion => Query::Occlusion,
            QueryName::AnySample => Query::BinaryOcclusion,
            QueryName::Timestamps => Query::Timestamps,
            QueryName::Statistics => Query::PipelineStatistics,
        }
    }
}

impl Args {
    /// Returns the requested backend, or the one to try first.
    pub(crate) fn backend(&self) -> BackendName {
        let default = if self.check.is_empty() {
            BackendName::Vulkan
        } else {
            BackendName::Cpu
        };
        self.backend.unwrap_or(default)
    }

    /// Returns the defects to look for.
    pub(crate) fn checks(&self) -> Checks {
        let mut checks = Checks::default();
        for check in &self.check {
            match check {
                CheckName::Races => checks.races = true,
                CheckName::Bounds => checks.bounds = true,
                CheckName::Uninitialized => checks.uninitialized = true,
                CheckName::Barriers => checks.barriers = true,
            }
        }
        checks
    }
}

/// Checks by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckName {
    /// Data races in groupshared memory and UAVs.
    Races,
    /// Accesses out of bounds.
    Bounds,
    /// Reads of groupshared memory that nothing has written.
    Uninitialized,
    /// Barriers that not all threads of a group reach.
    Barriers,
}

/// Backends by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BackendName {
    /// Vulkan through ash.
    Vulkan,
    /// wgpu.
    Wgpu,
    /// The CPU; needs no driver.
    Cpu,
}

impl BackendName {
    /// Returns the runtime's value.
    pub(crate) fn backend(self) -> Backend {
        match self {
            BackendName::Vulkan => Backend::Vulkan,
            BackendName::Wgpu => Backend::Wgpu,
            BackendName::Cpu => Backend::Cpu,
        }
    }
}

fn parse_groups(text: &str) -> Result<[u32; 3], String> {
    let numbers: Result<Vec<u32>, _> = text.split(',').map(|n| n.trim().parse()).collect();
    match numbers.as_deref() {
        Ok([x]) => Ok([*x, 1, 1]),
        Ok([x, y]) => Ok([*x, *y, 1]),
        Ok([x, y, z]) => Ok([*x, *y, *z]),
        _ => Err("write one to three numbers, like 64,1,1".into()),
    }
}

/// `KEY=VALUE`; the key may hold a comma, never an equals sign.
fn parse_pair<K: std::str::FromStr<Err: ToString>>(text: &str) -> Result<(K, String), String> {
    let (key, value) = text
        .split_once('=')
        .ok_or("there is no `=` in it; write REGISTER=VALUE")?;
    let key = key.parse().map_err(|e: K::Err| e.to_string())?;
    Ok((key, value.to_owned()))
}

/// `SLOT=WHAT`, where the slot is a number, also as `heap3` or `heap[3]`.
fn parse_slot(text: &str) -> Result<Slot, String> {
    let (slot, what) = parse_pair::<String>(text)?;
    let number = slot.trim().parse().ok();
    let slot = number.or_else(|| slot_name(&slot));
    let slot = slot.ok_or("write the number of the slot, like 3=...")?;
    Ok(Slot { slot, what })
}

fn parse_counter(text: &str) -> Result<(BindPoint, u32), String> {
    let (place, value) = parse_pair(text)?;
    let value = value.trim().parse();
    Ok((place, value.map_err(|_| "write a number, like u0=16")?))
}

fn parse_table(text: &str) -> Result<(usize, u32), String> {
    let (parameter, slot) = parse_pair::<usize>(text)?;
    let number = slot.trim().parse().ok();
    let slot = number.or_else(|| slot_name(&slot));
    Ok((
        parameter,
        slot.ok_or("write root parameter and slot, like 0=4")?,
    ))
}

fn parse_format(text: &str) -> Result<(BindPoint, Format), String> {
    let (register, value) = parse_pair(text)?;
    let format: Format = value
        .parse()
        .map_err(|e: dxil_runtime::format::BadFormat| e.to_string())?;
    Ok((register, format))
}

fn parse_draw(text: &str) -> Result<[u32; 2], String> {
    let numbers: Result<Vec<u32>, _> = text.split(',').map(|n| n.trim().parse()).collect();
    match numbers.as_deref() {
        Ok([vertices]) => Ok([*vertices, 1]),
        Ok([vertices, instances]) => Ok([*vertices, *instances]),
        _ => Err("write one or two numbers, like 3 or 36,10".into()),
    }
}

/// `PLACE=FILE`, or only a file.
fn parse_out(text: &str) -> Result<Out, String> {
    let (place, file) = match text.split_once('=') {
        Some((place, file)) => (Some(place), file),
        None => (None, text),
    };
    FileKind::of(file)?;
    let stem = std::path::Path::new(file)
        .file_stem()
        .and_then(|stem| stem.to_str());
    Ok(Out {
        place: place.or(stem).unwrap_or_default().to_owned(),
        is_bare: place.is_none(),
        file: file.to_owned(),
    })
}

fn parse_size(text: &str) -> Result<(BindPoint, [u32; 3]), String> {
    let (register, value) = parse_pair(text)?;
    let numbers: Result<Vec<u32>, _> = value.split('x').map(str::parse).collect();
    let size = match numbers.as_deref() {
        Ok([x]) => [*x, 1, 1],
        Ok([x, y]) => [*x, *y, 1],
        Ok([x, y, z]) => [*x, *y, *z],
        _ => return Err("write a size as 64, 64x64 or 64x64x4".into()),
    };
    Ok((register, size))
}

fn parse_node_number(text: &str) -> Result<(String, u32), String> {
    let bad = || "write NODE=NUMBER, like split=16 or material[2]=16".to_owned();
    let (node, number) = text.split_once('=').ok_or_else(bad)?;
    Ok((node.to_owned(), number.parse().map_err(|_| bad())?))
}

fn parse_samples(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(samples @ (1 | 2 | 4 | 8 | 16 | 32 | 64)) => Ok(samples),
        _ => Err("write 1, 2, 4, 8, 16, 32 or 64".into()),
    }
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    text.parse()
        .ok()
        .and_then(|seconds: f64| Duration::try_from_secs_f64(seconds).ok())
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "write a number of seconds, like 10 or 0.5".into())
}
