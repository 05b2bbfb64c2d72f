//! The command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use dxil_frontend::dxbc::ClassBinding;
use dxil_jit::man_pages::PageArgs;
use dxil_runtime::{Checks, Format};

use crate::bind_points::{BindPoint, ResourceArgument};
use crate::differences::Distance;
use crate::help;
use crate::options::{
    Assembly, BackendName, CheckName, CpuCode, CullName, DebugInfo, DepthTest, Language, Other,
    QueryName, Target, Validation,
};
use crate::parse::{
    Bind, HeapSlot, Levels, Lines, Out, parse_bind, parse_counter, parse_draw, parse_format,
    parse_groups, parse_lines, parse_mips, parse_node_number, parse_out, parse_pixels,
    parse_samples, parse_seconds, parse_size, parse_slot, parse_table,
};

/// Runs a DXIL shader on Vulkan, wgpu or the CPU, and prints what it computed.
#[derive(Debug, Clone, Parser)]
#[command(name = "dxil-run", version, after_help = help::SHORT, after_long_help = help::long(), max_term_width = 110)]
pub(crate) struct Args {
    /// Containers, bitcode, PDB files or, with -T, HLSL; `-` is standard input
    ///
    /// A folder stands for all shaders below it (.dxil, .cso, .pdb, .bc; with -T .hlsl), and a
    /// pattern like `'shaders/**/*_cs.dxil'` for those that match it: each of them is run by
    /// itself, and -o, --reflect name folders then. A shader is a DXContainer with DXIL or DXBC,
    /// raw DXIL bitcode, or a shader PDB file. Several files are the stages of a graphics pipeline,
    /// or libraries to link. With --pipeline they may be SPIR-V, and so may a compute shader with
    /// --dispatch: descriptor set and binding of its resources are space and register (t3,space1).
    #[arg(required_unless_present_any = ["list_devices", "completions", "man", "pipeline", "isa", "debug_adapter"])]
    pub(crate) shaders: Vec<PathBuf>,

    /// Dispatch X by Y by Z thread groups
    #[arg(help_heading = "What to do", long, value_name = "X,Y,Z", value_parser = parse_groups, group = "checkable")]
    pub(crate) dispatch: Option<[u32; 3]>,

    /// Draw N vertices (or mesh shader groups) and some INSTANCES of them
    ///
    /// With --backend cpu stages without a pixel shader run by themselves, and what they give is
    /// printed as so0, so1, ...: a vertex, hull, domain, geometry, mesh or amplification shader, a
    /// vertex shader with a geometry shader or with a hull (and domain) shader, an amplification
    /// with a mesh shader. Without a vertex shader the vertices are the inputs of the first stage.
    #[arg(help_heading = "What to do", long, value_name = "N[,INSTANCES]", value_parser = parse_draw, conflicts_with_all = ["dispatch", "emit"], groups = ["checkable", "drawn"])]
    pub(crate) draw: Option<[u32; 2]>,

    /// Run a pixel shader by itself for W by H pixels, on the CPU
    ///
    /// The inputs are interpolated between three vertices (those of --vertices, or generated),
    /// which lie at the pixels' corners (0, 0), (2W, 0) and (0, 2H). With a vertex for each pixel
    /// each gets its own. The outputs are printed as so0, with a row for each pixel (and sample).
    #[arg(help_heading = "What to do", hide_short_help = true, long, value_name = "WxH", value_parser = parse_pixels, conflicts_with_all = ["dispatch", "draw", "rays", "graph", "pipeline", "emit"], groups = ["checkable", "drawn"])]
    pub(crate) pixels: Option<[u32; 2]>,

    /// Run the ray generation shader of a library for W by H by D rays
    ///
    /// The shader is that of --entry, or the only one. All its other ray tracing shaders are in the
    /// shader tables: miss and callable shaders in the order of the library; the hit groups of the
    /// library's subobjects, or else the n-th closest-hit shader with the n-th any-hit shader for
    /// triangles, followed by each intersection shader with its n-th companions for boxes. Every
    /// record holds what is bound to the registers of its local root signature.
    #[arg(help_heading = "What to do", long, value_name = "W,H,D", value_parser = parse_groups, conflicts_with_all = ["dispatch", "draw", "emit"])]
    pub(crate) rays: Option<[u32; 3]>,

    /// Run the work graph of the libraries
    ///
    /// All nodes are in the graph. It runs level by level, with the records of --records.
    #[arg(help_heading = "What to do", hide_short_help = true, long, conflicts_with_all = ["dispatch", "draw", "rays", "emit", "indirect"])]
    pub(crate) graph: bool,

    /// Run a pipeline file and check its expectations
    ///
    /// The format is that of LLVM's offload-test-suite.
    #[arg(help_heading = "What to do", long, value_name = "FILE", conflicts_with_all = ["dispatch", "draw", "rays", "graph", "indirect", "samples", "query", "bind", "heap", "sampler_heap", "table", "counter", "format", "size", "mips", "emit", "time", "stats"])]
    pub(crate) pipeline: Option<PathBuf>,

    /// Run in two ways and compare: b.dxil, cpu, vulkan:1 or again
    ///
    /// The other way is another shader (as many files as there are shaders, separated by commas), a
    /// backend, a device by its number (`vulkan:1`, `:1`), or the same once more (`again`). Prints
    /// the elements of the results that differ side by side, and with --time whether the times
    /// differ by more than chance. Results that differ end with exit code 1.
    #[arg(help_heading = "What to do", long, value_name = "WITH", value_parser = clap::value_parser!(Other), conflicts_with_all = ["emit", "graph"])]
    pub(crate) compare: Option<Other>,

    /// With --compare: numbers so close count as equal, like 1e-5 or 0.1%
    ///
    /// A percentage is one of the larger number.
    #[arg(
        help_heading = "What to do",
        hide_short_help = true,
        long,
        value_name = "DISTANCE",
        requires = "compare",
        conflicts_with = "isa"
    )]
    pub(crate) tolerance: Option<Distance>,

    /// With --compare: floats that so many steps of a 32-bit float lie between count as equal
    #[arg(
        help_heading = "What to do",
        hide_short_help = true,
        long,
        value_name = "N",
        requires = "compare",
        conflicts_with = "isa"
    )]
    pub(crate) ulp: Option<u32>,

    /// With --compare: a PNG file that shows where the one texture differs
    ///
    /// Equal texels are black, those within the tolerance grey, others red; the brighter, the
    /// larger is the difference.
    #[arg(
        help_heading = "What to do",
        hide_short_help = true,
        long,
        value_name = "FILE",
        requires = "compare",
        conflicts_with = "isa"
    )]
    pub(crate) difference: Option<PathBuf>,

    /// Write SPIR-V, WGSL, MSL, GLSL or HLSL; needs no device
    ///
    /// The languages are spv (words), spvasm (text), wgsl, msl, glsl and hlsl.
    #[arg(
        help_heading = "What to do",
        hide_possible_values = true,
        long,
        value_name = "LANGUAGE"
    )]
    pub(crate) emit: Option<Language>,

    /// Print what the compilers of GPUs count in their code, without the GPUs
    ///
    /// The names are those of `--isa help`; `device` is a GPU of this machine. Shaders may be
    /// SPIR-V too. Several files are the stages of a pipeline; a library with ray tracing shaders
    /// is one, and so is a --pipeline file with its shaders. With --compare other shaders are
    /// compiled besides, or with `--compare dxc` DXC's SPIR-V of the same HLSL. docs/isa.md says
    /// what the numbers mean.
    #[arg(help_heading = "What to do", long, value_name = "GPU,...", value_delimiter = ',', conflicts_with_all = ["dispatch", "draw", "pixels", "rays", "graph", "emit", "time", "stats", "bind", "out"])]
    pub(crate) isa: Vec<String>,

    /// With --isa: print the assembly; `-S=source`: source lines too; `-S=all`: all forms
    ///
    /// Source lines stand in the form before the assembly, where a driver keeps them. All forms
    /// are NIR, and the driver's own.
    #[arg(
        help_heading = "What to do",
        hide_short_help = true,
        short = 'S',
        long,
        value_name = "WHAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "machine",
        requires = "isa"
    )]
    pub(crate) assembly: Option<Assembly>,

    /// File for the output of --emit; default: standard output
    #[arg(
        help_heading = "What to do",
        hide_short_help = true,
        short,
        value_name = "FILE",
        requires = "emit"
    )]
    pub(crate) output: Option<PathBuf>,

    /// With --emit: write bindings, layouts and signatures as JSON
    #[arg(
        help_heading = "What to do",
        hide_short_help = true,
        long,
        value_name = "FILE",
        requires = "emit"
    )]
    pub(crate) reflect: Option<PathBuf>,

    /// With --emit: SPIR-V for devices with VK_EXT_shader_long_vector, where vectors stay whole
    #[arg(
        help_heading = "What to do",
        hide_short_help = true,
        long,
        requires = "emit"
    )]
    pub(crate) long_vectors: bool,

    /// With --emit of a language: descriptors that heaps and arrays without an end have
    ///
    /// WGSL and GLSL, and HLSL for buffers, get a binding for each descriptor and code that chooses
    /// among them: 32 at most. Without this option a shader that may name more than 16 is refused.
    #[arg(
        help_heading = "What to do",
        hide_short_help = true,
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=32),
        requires = "emit"
    )]
    pub(crate) elements: Option<u32>,

    /// List the devices of all backends
    #[arg(help_heading = "What to do", long)]
    pub(crate) list_devices: bool,

    /// Bind contents: t0=in.bin, src=photo.png, Sim.dt=0.1
    ///
    /// The place is a register, a resource, or a field of a constant buffer; see below.
    #[arg(help_heading = "Inputs", long, value_name = "PLACE=WHAT", value_parser = parse_bind)]
    pub(crate) bind: Vec<Bind>,

    /// Size of a resource or render target: u0=256x256, rt0=640x480
    ///
    /// In texels of textures and elements of buffers (u1=1000); heap2=64x64 is a slot of the heap.
    #[arg(help_heading = "Inputs", long, value_name = "PLACE=SIZE", value_parser = parse_size)]
    pub(crate) size: Vec<(ResourceArgument, [u32; 3])>,

    /// Texel format of a typed buffer or texture, like t0=R8G8B8A8_UNORM or heap1=R32_FLOAT
    #[arg(help_heading = "Inputs", hide_short_help = true, long, value_name = "PLACE=FORMAT", value_parser = parse_format)]
    pub(crate) format: Vec<(ResourceArgument, Format)>,

    /// Levels of a texture, like t0=4 or t0=all. Default: those of the file, otherwise one
    ///
    /// Each texel of a level is the mean of those of the level before, unless a file has all
    /// levels.
    #[arg(help_heading = "Inputs", hide_short_help = true, long, value_name = "PLACE=LEVELS", value_parser = parse_mips)]
    pub(crate) mips: Vec<(ResourceArgument, Levels)>,

    /// Initial value of a UAV's hidden counter, like u0=16. Default: 0.
    #[arg(help_heading = "Inputs", hide_short_help = true, long, value_name = "PLACE=N", value_parser = parse_counter)]
    pub(crate) counter: Vec<(ResourceArgument, u32)>,

    /// Fill a slot of the CBV/SRV/UAV heap: an HLSL type and contents, like
    /// 0=StructuredBuffer<uint>=iota:64, 1=RWTexture2D<float4> or 2=null (see below).
    #[arg(help_heading = "Inputs", hide_short_help = true, long, value_name = "SLOT=TYPE[=WHAT]", value_parser = parse_slot)]
    pub(crate) heap: Vec<HeapSlot>,

    /// Fill a slot of the sampler heap, like 0=linear+wrap.
    #[arg(help_heading = "Inputs", hide_short_help = true, long, value_name = "SLOT=SAMPLER", value_parser = parse_slot)]
    pub(crate) sampler_heap: Vec<HeapSlot>,

    /// Start the descriptor table of a root parameter at a slot of its heap, like 0=4.
    #[arg(help_heading = "Inputs", hide_short_help = true, long, value_name = "PARAMETER=SLOT", value_parser = parse_table)]
    pub(crate) table: Vec<(usize, u32)>,

    /// Vertices of a draw, from mesh.obj, mesh.glb or rows.npy
    ///
    /// Of a Wavefront or glTF file (.gltf, .glb) the triangles are drawn, with the attributes that
    /// the shader's semantics name. A .npy array of 32-bit floats has a row for each vertex, with
    /// the numbers of all inputs. Without --draw all of them are drawn.
    #[arg(help_heading = "Inputs", hide_short_help = true, long, value_name = "FILE", conflicts_with_all = ["dispatch", "rays", "graph", "pipeline", "emit"])]
    pub(crate) vertices: Option<PathBuf>,

    /// Root signature from a file, or as text like "CBV(b0), UAV(u0)"
    ///
    /// The file is a container with an RTS0 part, the bytes of such a part, or a root signature in
    /// HLSL. Default: the shader's, or one derived from its declarations.
    #[arg(
        help_heading = "Inputs",
        hide_short_help = true,
        long,
        value_name = "FILE|TEXT"
    )]
    pub(crate) root_signature: Option<PathBuf>,

    /// Class instance that an interface of a DXBC shader stands for: 0=g_sun, lights[2]=Spot,cb=1
    ///
    /// The slot is a number or an interface variable. The instance is a variable of the shader
    /// (ID3D11ClassLinkage::GetClassInstance), or a class, followed by the place of its data
    /// (CreateClassInstance): cb=N, offset=N in registers of 16 bytes, texture=N, sampler=N, each 0
    /// by default. In a container without names the class is a function table, like ft3. Without
    /// this option the shader reads its instances from b14.
    #[arg(
        help_heading = "Inputs",
        hide_short_help = true,
        long,
        value_name = "SLOT=INSTANCE"
    )]
    pub(crate) class_instance: Vec<ClassBinding>,

    /// Pass root descriptors as device addresses, as D3D12 drivers do.
    #[arg(help_heading = "Inputs", hide_short_help = true, long)]
    pub(crate) root_addresses: bool,

    /// Entry point; default: the only one
    #[arg(help_heading = "Inputs", short = 'E', long, value_name = "NAME")]
    pub(crate) entry: Option<String>,

    /// Compile HLSL for a profile with DXC: -T cs_6_6, -T vs_6_0,ps_6_0
    ///
    /// DXC is `dxc` on the path, or what the environment variable DXC names: the program, its
    /// folder, or a command with arguments.
    #[arg(
        help_heading = "Inputs",
        short = 'T',
        long,
        value_name = "PROFILE",
        value_delimiter = ','
    )]
    pub(crate) profile: Vec<String>,

    /// With -T: define a macro, as DXC's -D does
    #[arg(
        help_heading = "Inputs",
        hide_short_help = true,
        short = 'D',
        value_name = "NAME[=VALUE]",
        requires = "profile"
    )]
    pub(crate) define: Vec<String>,

    /// With -T: look for included files in a folder, as DXC's -I does
    #[arg(
        help_heading = "Inputs",
        hide_short_help = true,
        short = 'I',
        value_name = "FOLDER",
        requires = "profile"
    )]
    pub(crate) include: Vec<PathBuf>,

    /// With -T: further arguments for DXC, after `--`: -- -enable-16bit-types -HV 2021
    #[arg(
        last = true,
        hide_short_help = true,
        value_name = "DXC ARGUMENTS",
        requires = "profile"
    )]
    pub(crate) dxc_arguments: Vec<String>,

    /// Write a result: dst=x.npy, u0=x.csv, rt0=x.png (also .bin, .exr)
    ///
    /// The place is a register, a resource, a slot of the heap (heap1), a render target or, with
    /// --pipeline, a buffer. It may be left out where the file name gives it (u0.npy) or where only
    /// one resource is written.
    #[arg(help_heading = "Outputs", long, value_name = "[PLACE=]FILE", value_parser = parse_out)]
    pub(crate) out: Vec<Out>,

    /// Run again whenever a shader or the pipeline file changes
    #[arg(help_heading = "Outputs", long)]
    pub(crate) watch: bool,

    /// Debug in this terminal, on the CPU: break, step, print, back, help
    ///
    /// One wave stops at breakpoints in the source: of a dispatch that of the first thread, or of
    /// thread THREAD of group X,Y,Z (--debug=3,0,0:17), which alone stops then; of --rays that of
    /// a ray (ray:120,80); of --draw that of an invocation of a stage: pixel:120,80 (the last
    /// primitive drawn there; pixel:120,80,5 is primitive 5), vertex:2, control-point:0,1, patch:0,
    /// domain-point:0,3, primitive:1, mesh:0,0,0:17, amplification:0; of --graph that of a node's
    /// group (node:leaf,2:5: thread 5 of group 2). The shader should be compiled
    /// with -Zi -Qembed_debug, and with -Od to keep all variables; without debug information the
    /// disassembly is the source. `help` lists the commands, and docs/debugging.md explains them.
    /// For editors there is dxil-debug.
    #[arg(
        help_heading = "What to do",
        hide_short_help = true,
        long,
        value_name = "WHAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0,0,0",
        conflicts_with_all = ["emit", "time", "compare", "watch", "indirect", "isa"]
    )]
    pub(crate) debug: Option<dxil_debug::Target>,

    /// With --debug: commands instead of those that are typed, like 'break 24; continue; locals'
    ///
    /// After the last one the dispatch runs to its end.
    #[arg(
        help_heading = "What to do",
        hide_short_help = true,
        long,
        value_name = "COMMANDS",
        requires = "debug"
    )]
    pub(crate) debug_commands: Option<String>,

    /// Trace a thread on the CPU: each line that it executes, with the variables that it changes
    ///
    /// WHAT is that of --debug. With --json each line is a JSON object. With --compare the first
    /// line is shown at which the two runs differ.
    #[arg(
        help_heading = "What to do",
        hide_short_help = true,
        long,
        value_name = "WHAT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0,0,0",
        conflicts_with_all = ["debug", "emit", "time", "watch", "indirect", "isa"]
    )]
    pub(crate) trace: Option<dxil_debug::Target>,

    /// With --trace: show these lines alone, like 20 or 20-30
    #[arg(
        help_heading = "What to do",
        hide_short_help = true,
        long,
        value_name = "FIRST[-LAST]",
        value_parser = parse_lines,
        requires = "trace"
    )]
    pub(crate) trace_lines: Option<Lines>,

    /// Serve the Debug Adapter Protocol at standard input and output, or at a port: dxil-debug
    #[arg(
        hide = true,
        long,
        value_name = "PORT",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "0",
        exclusive = true
    )]
    pub(crate) debug_adapter: Option<u16>,

    /// Print only results, not the inputs
    #[arg(help_heading = "Outputs", short, long)]
    pub(crate) quiet: bool,

    /// Print inputs, all values of results, queries and times as JSON
    #[arg(help_heading = "Outputs", long, conflicts_with = "emit")]
    pub(crate) json: bool,

    /// Number of rows of each result to print
    #[arg(
        help_heading = "Outputs",
        hide_short_help = true,
        long,
        value_name = "N",
        default_value_t = 8
    )]
    pub(crate) rows: usize,

    /// Run N more times, and print the time that the device took
    #[arg(help_heading = "Outputs", long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) time: Option<u32>,

    /// Print statistics of the translation.
    #[arg(help_heading = "Outputs", hide_short_help = true, long)]
    pub(crate) stats: bool,

    /// Dispatch or draw indirectly with arguments from a buffer of these contents, like u32:64,1,1
    /// (see below). Each draw takes four words.
    #[arg(
        help_heading = "Draws, indirect work and work graphs",
        hide_short_help = true,
        long,
        value_name = "WHAT"
    )]
    pub(crate) indirect: Option<String>,

    /// Draw with N samples per pixel, and resolve them.
    #[arg(help_heading = "Draws, indirect work and work graphs", hide_short_help = true, long, value_name = "N", requires = "drawn", conflicts_with = "dispatch", value_parser = parse_samples)]
    pub(crate) samples: Option<u32>,

    /// The depth test of a draw [default: less-equal]
    ///
    /// A draw with render targets has a depth buffer of D32_FLOAT, cleared to 1, or to 0 where
    /// farther fragments pass. `off` draws without one.
    #[arg(
        help_heading = "Draws, indirect work and work graphs",
        hide_short_help = true,
        long,
        value_name = "TEST",
        conflicts_with_all = ["dispatch", "rays", "graph", "pipeline", "pixels", "emit"]
    )]
    pub(crate) depth: Option<DepthTest>,

    /// Leave out the front faces or the back faces of a draw [default: none]
    ///
    /// As in D3D12's default state, triangles whose vertices are clockwise in the picture are front
    /// faces. Wavefront files have theirs counter-clockwise, seen with the right hand's axes.
    #[arg(
        help_heading = "Draws, indirect work and work graphs",
        hide_short_help = true,
        long,
        value_name = "FACES",
        conflicts_with_all = ["dispatch", "rays", "graph", "pipeline", "pixels", "emit"]
    )]
    pub(crate) cull: Option<CullName>,

    /// Locations of domain shaders in each patch: f32:0,0,0.5,0.5. Default: corners and centre
    ///
    /// Two numbers for each place, three in triangles.
    #[arg(
        help_heading = "Draws, indirect work and work graphs",
        hide_short_help = true,
        long,
        value_name = "WHAT",
        requires = "draw"
    )]
    pub(crate) locations: Option<String>,

    /// Patch constants of a domain shader without a hull shader: four words for each row.
    #[arg(
        help_heading = "Draws, indirect work and work graphs",
        hide_short_help = true,
        long,
        value_name = "WHAT",
        requires = "draw"
    )]
    pub(crate) patch_constants: Option<String>,

    /// Payload of a mesh shader without an amplification shader.
    #[arg(
        help_heading = "Draws, indirect work and work graphs",
        hide_short_help = true,
        long,
        value_name = "WHAT",
        requires = "draw"
    )]
    pub(crate) payload: Option<String>,

    /// Show the pixels of --pixels the back of their triangle.
    #[arg(
        help_heading = "Draws, indirect work and work graphs",
        hide_short_help = true,
        long,
        requires = "pixels"
    )]
    pub(crate) back_face: bool,

    /// Run a query around the draw.
    #[arg(
        help_heading = "Draws, indirect work and work graphs",
        hide_short_help = true,
        long,
        value_enum,
        value_name = "QUERY",
        requires = "draw",
        conflicts_with = "dispatch"
    )]
    pub(crate) query: Vec<QueryName>,

    /// Records for a program entry of the work graph, one after the other: split=u32:0,64 or
    /// material[2]=in.bin (see below).
    ///
    /// Without contents: one record of zeros whose dispatch grid
    /// is one group, or one empty record. Repeat the option for several entries. Default: one such
    /// record for --entry or the only entry.
    #[arg(
        help_heading = "Draws, indirect work and work graphs",
        hide_short_help = true,
        long,
        value_name = "NODE[=WHAT]",
        requires = "graph",
        // To `requires`, a flag that is not given is there: it has the value false.
        conflicts_with_all = ["dispatch", "draw", "rays", "emit"]
    )]
    pub(crate) records: Vec<String>,

    /// Number of records for a program entry. Default: as many as the contents hold.
    #[arg(help_heading = "Draws, indirect work and work graphs", hide_short_help = true, long, value_name = "NODE=N", requires = "graph", conflicts_with_all = ["dispatch", "draw", "rays", "emit"], value_parser = parse_node_number)]
    pub(crate) record_count: Vec<(String, u32)>,

    /// Stride between records in bytes, a multiple of 4; 0 sends the same record --record-count
    /// times. Default: the size of a record.
    #[arg(help_heading = "Draws, indirect work and work graphs", hide_short_help = true, long, value_name = "NODE=BYTES", requires = "graph", conflicts_with_all = ["dispatch", "draw", "rays", "emit"], value_parser = parse_node_number)]
    pub(crate) record_stride: Vec<(String, u32)>,

    /// vulkan, wgpu or cpu; default: vulkan, or cpu where there is no device
    #[arg(help_heading = "Device", hide_possible_values = true, long, value_enum)]
    pub(crate) backend: Option<BackendName>,

    /// Device number, as --list-devices prints it
    #[arg(help_heading = "Device", long, value_name = "N", default_value_t = 0)]
    pub(crate) device: usize,

    /// Validate the shader, and what is done with Vulkan
    ///
    /// =dxil checks the shader against the rules of DXIL's validator before it is translated.
    /// =layer loads the Vulkan validation layer, whose reports are errors. Default without a list:
    /// all, which is both with the Vulkan backend and =dxil with the others.
    #[arg(
        help_heading = "Device",
        hide_short_help = true,
        long,
        value_name = "WHAT",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        value_delimiter = ',',
        default_missing_value = "all"
    )]
    pub(crate) validate: Vec<Validation>,

    /// Run operations of the preview shader model 6.10, matrices on the CPU alone
    #[arg(help_heading = "Device", hide_short_help = true, long)]
    pub(crate) preview: bool,

    /// Time limit of the work
    #[arg(help_heading = "Device", hide_short_help = true, long, value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    pub(crate) timeout: Duration,

    /// wgpu only: translate through naga even where the adapter accepts SPIR-V.
    #[arg(help_heading = "Device", hide_short_help = true, long)]
    pub(crate) portable: bool,

    /// Vulkan only: check bounds in the shader even where the device has robustness2.
    #[arg(help_heading = "Device", hide_short_help = true, long)]
    pub(crate) no_robustness2: bool,

    /// Vulkan only: take descriptors from heaps (VK_EXT_descriptor_heap) instead of descriptor
    /// sets.
    #[arg(help_heading = "Device", hide_short_help = true, long)]
    pub(crate) descriptor_heaps: bool,

    /// Run on the CPU, and look for data races and other defects
    ///
    /// Without a list the checks are `standard`: what is a defect in every shader. They are races,
    /// bounds, null, alignment, types, uninitialized, barriers, lanes, uniformity, division and
    /// loops. `strict` adds same-value: unordered writes of the same value, which are no race
    /// otherwise. `all` adds that and unwritten, divergence, nan, shift and conversion, which are
    /// often intended. docs/cpu.md tells what each of them means. The findings in shaders that are
    /// compiled with -Zi -Qembed_debug have source lines.
    #[arg(
        help_heading = "Device",
        long,
        value_name = "CHECKS",
        num_args = 0..=1,
        require_equals = true,
        value_delimiter = ',',
        default_missing_value = "standard",
        requires = "checkable"
    )]
    pub(crate) check: Vec<CheckName>,

    /// Findings of --check that are known: lines of KIND [RESOURCE [FILE[:LINE]]]
    ///
    /// A comment in HLSL does the same for its line or the next: `// dxil-jit: ignore(races)`.
    #[arg(
        help_heading = "Device",
        hide_short_help = true,
        long,
        value_name = "FILE",
        requires = "check"
    )]
    pub(crate) suppress: Vec<PathBuf>,

    /// Write the findings of --check as SARIF
    #[arg(
        help_heading = "Device",
        hide_short_help = true,
        long,
        value_name = "FILE",
        requires = "check"
    )]
    pub(crate) sarif: Option<PathBuf>,

    /// cpu only: lanes per wave, a power of two from 4 to 128. Default: as the shader requires, or
    /// 32.
    #[arg(
        help_heading = "CPU backend",
        hide_short_help = true,
        long,
        value_name = "LANES"
    )]
    pub(crate) wave_size: Option<u32>,

    /// cpu only: single-precision denormals keep their value, unless the shader was compiled with
    /// `-denorm ftz`. Default: only with `-denorm preserve`; they count as zero otherwise, as on
    /// D3D12 devices.
    #[arg(help_heading = "CPU backend", hide_short_help = true, long)]
    pub(crate) keep_denormals: bool,

    /// cpu only: how arithmetic is executed; the results are the same. Native code needs a build
    /// with the feature `native`. Checks and watched runs are interpreted. Default: auto.
    #[arg(
        help_heading = "CPU backend",
        hide_short_help = true,
        long,
        value_name = "HOW",
        value_enum
    )]
    pub(crate) cpu_code: Option<CpuCode>,

    /// No option: whether this is the attempt to find the line of an error.
    #[arg(skip)]
    pub(crate) is_second_attempt: bool,

    /// cpu only: maximum number of threads; the results are the same with any number. Default: as
    /// many as the machine runs at once.
    #[arg(help_heading = "CPU backend", hide_short_help = true, long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) threads: Option<u32>,

    /// cpu only: maximum number of basic blocks that waves execute. Default: 2^40.
    #[arg(
        help_heading = "CPU backend",
        hide_short_help = true,
        long,
        value_name = "N"
    )]
    pub(crate) max_steps: Option<u64>,

    /// cpu only: maximum number of MiB of registers and private and groupshared memory. Default:
    /// 1024.
    #[arg(
        help_heading = "CPU backend",
        hide_short_help = true,
        long,
        value_name = "MIB"
    )]
    pub(crate) max_memory: Option<u32>,

    /// Keep the shader's debug information for debuggers and profilers: source lines only, or also
    /// scopes and variables.
    #[arg(help_heading = "Translation", hide_short_help = true, long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "full")]
    pub(crate) debug_info: Option<DebugInfo>,

    /// Translate for vulkan1.1 to vulkan1.4; with --emit also for a GPU, a profile or webgpu
    ///
    /// A GPU is one of --isa. A profile is a JSON file of features and limits: what `--isa GPU
    /// --json` prints as `profile`. With `webgpu`, --emit wgsl refuses what some devices of WebGPU
    /// lack: features, and more resources than all of them have. Default: the device's version, or
    /// 1.3 and all features.
    #[arg(
        help_heading = "Translation",
        hide_short_help = true,
        long,
        value_name = "VERSION|GPU|FILE.json|webgpu"
    )]
    pub(crate) target: Option<Target>,

    /// Give min-precision types 16 bits instead of relaxed 32 bits.
    #[arg(help_heading = "Translation", hide_short_help = true, long)]
    pub(crate) native_min_precision: bool,

    /// Cache translations and pipelines in this folder. Default: dxil-jit in the user's cache
    /// folder.
    #[arg(
        help_heading = "Translation",
        hide_short_help = true,
        long,
        value_name = "FOLDER"
    )]
    pub(crate) cache: Option<PathBuf>,

    /// Use no cache.
    #[arg(
        help_heading = "Translation",
        hide_short_help = true,
        long,
        conflicts_with = "cache"
    )]
    pub(crate) no_cache: bool,

    #[command(flatten)]
    pub(crate) pages: PageArgs,
}

impl Args {
    /// Returns the first value of the hidden counter at a place.
    pub(crate) fn counter_of(&self, place: BindPoint) -> u32 {
        let given = self.counter.iter().find(|(p, _)| *p == place);
        given.map_or(0, |(_, value)| *value)
    }

    /// Returns the places that `--out` names, of a job without a pipeline file.
    pub(crate) fn out_places(&self) -> impl Iterator<Item = BindPoint> {
        self.out.iter().filter_map(|out| out.place.parse().ok())
    }
}

impl Args {
    /// Returns the requested backend, or the one to try first.
    pub(crate) fn backend(&self) -> BackendName {
        // Only the CPU checks, debugs, and runs pixel shaders by themselves.
        let is_on_cpu = !self.check.is_empty() || self.pixels.is_some() || self.is_watched();
        let default = if is_on_cpu {
            BackendName::Cpu
        } else {
            BackendName::Vulkan
        };
        self.backend.unwrap_or(default)
    }

    /// Returns whether the code is watched: in a debugger, or by a trace.
    pub(crate) fn is_watched(&self) -> bool {
        self.debug.is_some() || self.trace.is_some()
    }

    /// Returns whether shaders are checked against the rules of DXIL's validator.
    pub(crate) fn validates_shaders(&self) -> bool {
        let asks = |what| matches!(what, &Validation::Dxil | &Validation::All);
        self.validate.iter().any(asks)
    }

    /// Returns whether the Vulkan validation layer is loaded. Only Vulkan has it: a backend that is
    /// asked for it by name refuses, and one that is asked for everything leaves it out.
    pub(crate) fn loads_layer(&self) -> bool {
        let has_layer = self.backend() == BackendName::Vulkan;
        self.validate.contains(&Validation::Layer)
            || (has_layer && self.validate.contains(&Validation::All))
    }

    /// Returns the defects to look for.
    pub(crate) fn checks(&self) -> Checks {
        let mut checks = Checks::NONE;
        for check in &self.check {
            checks = match check {
                CheckName::Standard => checks.union(Checks::standard()),
                CheckName::Strict => checks.union(Checks::strict()),
                CheckName::All => Checks::ALL,
                CheckName::One(check) => checks.with(*check),
            };
        }
        checks
    }
}
