// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! The caller's options. Every number that the ABI knows is accepted; `docs/capi.md` says which of
//! them change what is written and which have nothing to change here.

use std::ffi::c_uint;

use dxil_frontend::dxil::ops::Opcode;
use dxil_frontend::dxil::{Resource, Shader};
use dxil_translate::{
    DescriptorChecks, DescriptorSlot, Features, FeedbackTexel, InstructionCheck, InstructionChecks,
    Instrumentation, LocalTables, Numerics, Options, Quirks, RasterSamples, SignatureOptions,
    Vendor, VendorOptions, VulkanVersion, Workarounds,
};

use super::option_shapes::*;
use super::quirks;
use super::types::{Bool, ResultCode};
use super::types::{ERROR_INVALID_ARGUMENT, ERROR_UNSUPPORTED_FEATURE, SUCCESS};

/// The version of both interfaces for instrumentation.
const INSTRUMENTATION_VERSION: c_uint = 2;

/// `VK_DRIVER_ID_MESA_RADV`.
const RADV: c_uint = 3;

/// The largest option number that is known.
const LAST_OPTION: c_uint = 56;

/// Returns the numbers of an array.
///
/// # Safety
/// `first` is null or has `count` numbers during `'a`.
unsafe fn numbers<'a>(first: *const c_uint, count: c_uint) -> &'a [c_uint] {
    if first.is_null() {
        return &[];
    }
    // SAFETY: passed on.
    unsafe { std::slice::from_raw_parts(first, count as usize) }
}

/// Returns whether the option's number is one that the ABI knows.
pub(super) fn is_known(option: c_uint) -> bool {
    (1..=LAST_OPTION).contains(&option)
}

/// The caller's settings, in the translator's terms where it has them.
#[derive(Debug, Clone)]
pub(super) struct Settings {
    /// Words of root constants and table indices, after the root descriptors.
    pub(super) root_constant_words: u32,
    /// Root descriptors: two words each.
    pub(super) root_descriptors: u32,
    /// Uniform buffer in the place of push constants.
    pub(super) root_constant_block: Option<DescriptorSlot>,
    /// Constant buffers in heaps are storage buffers.
    pub(super) storage_buffer_constants: bool,
    /// Pointers into physical memory are there.
    pub(super) device_addresses: bool,
    /// Alignment of storage buffer descriptors in bytes.
    pub(super) ssbo_alignment: u32,
    /// Typed buffers in heaps have range tables.
    pub(super) typed_ranges: bool,
    /// Pairs per descriptor in a range table.
    pub(super) range_stride: u32,
    /// First pair for raw and structured buffers.
    pub(super) untyped_range_offset: u32,
    /// First pair for typed buffers.
    pub(super) typed_range_offset: u32,
    /// Sizes of descriptors in shader records' handles of tables, as powers of two.
    pub(super) local_tables: LocalTables,
    /// Pipelines may skip a kind of primitive.
    pub(super) pipelines_cull_primitives: bool,
    /// Rays of pipelines may meet opacity micromaps (SPV_KHR_opacity_micromap).
    pub(super) pipelines_meet_micromaps: bool,
    /// Elements of 8 bytes per descriptor in a table of counters' addresses.
    pub(super) address_stride: u32,
    /// First such element.
    pub(super) address_offset: u32,
    /// Optional features of the target.
    pub(super) features: Features,
    /// Min-precision values have 16 bits.
    pub(super) native_min_precision: bool,
    /// Subgroup size to say, where the shader leaves it open.
    pub(super) forced_subgroup_size: u32,
    /// The forced size is required of the pipeline too.
    pub(super) forced_size_is_required: bool,
    /// `SV_Target1` is the second source of a blend.
    pub(super) dual_source_blending: bool,
    /// Components of render targets, permuted.
    output_swizzles: Vec<[u8; 4]>,
    /// Whether helper lanes take part in wave operations is left to the device.
    helper_lanes_in_waves: bool,
    /// The workarounds that apply.
    workarounds: Workarounds,
    /// Samples per pixel of the render targets.
    samples: RasterSamples,
    /// The module has notes about the root signature for tools.
    pub(super) notes: bool,
    /// Indices into descriptor heaps end with the heaps.
    pub(super) heap_robustness: bool,
    /// The position is the same in all pipelines.
    invariant_position: bool,
    /// Register and space of the UAV that NVAPI's operations go through.
    nvapi: Option<(c_uint, c_uint)>,
    /// The checks that the module makes while it runs.
    pub(super) instrumentation: Instrumentation,
    /// Multiview as asked for.
    pub(super) views: Option<Views>,
    /// `VkDriverId` of the device, if the caller says it.
    driver: Option<c_uint>,
}

/// Multiview.
#[derive(Debug, Clone, Copy)]
pub(super) struct Views {
    /// Specialization constant that maps the view's index to a view instance.
    pub(super) index_constant: Option<u32>,
    /// Specialization constant that maps a view instance to its viewport.
    pub(super) viewport_constant: Option<u32>,
    /// The stage is the last one before rasterization.
    pub(super) is_last: bool,
}

/// Returns the features that the ABI presupposes: Vulkan 1.1 and what D3D12 requires of a device.
fn granted() -> Features {
    Features::FLOAT16
        | Features::FLOAT64
        | Features::INT16
        | Features::INT64
        | Features::STORAGE_16BIT
        | Features::BUFFER_INT64_ATOMICS
        | Features::SHARED_INT64_ATOMICS
        | Features::IMAGE_INT64_ATOMICS
        | Features::STORAGE_WRITE_WITHOUT_FORMAT
        | Features::STORAGE_MULTISAMPLE
        | Features::IMAGE_GATHER_EXTENDED
        | Features::MIN_LOD
        | Features::SPARSE_RESIDENCY
        | Features::DESCRIPTOR_INDEXING
        | Features::SUBGROUP
        | Features::SUBGROUP_QUAD
        | Features::SUBGROUP_CLUSTERED
        | Features::SUBGROUP_EXTENDED_TYPES
        // The older extension, in rows only, until options 40 and 51 say more.
        | Features::COMPUTE_DERIVATIVES_LINEAR
        | Features::FRAGMENT_INTERLOCK
        | Features::MESH_SHADER
        | Features::MULTIVIEW
        | Features::STENCIL_EXPORT
        | Features::VIEWPORT_INDEX_LAYER
        | Features::SHADING_RATE
        | Features::CLIP_CULL_DISTANCE
        | Features::SAMPLE_RATE_SHADING
        | Features::FULLY_COVERED
        | Features::TESSELLATION
        | Features::GEOMETRY
        | Features::TRANSFORM_FEEDBACK
        | Features::MAINTENANCE8
        | Features::RAY_QUERY
        | Features::RAY_TRACING
        | Features::RAY_PRIMITIVE_CULLING
        // Shaders of model 6.9 ask for both only on devices that have them.
        | Features::OPACITY_MICROMAP_KHR
        | Features::INVOCATION_REORDER
        | Features::ROBUSTNESS2
        | Features::IMAGE_CUBE_ARRAY
        | Features::DRAW_PARAMETERS
        | Features::IMAGE_1D
        | Features::STORES_AND_ATOMICS
        // Layers tell games of AGS's matrices where the device has them, with bytes as elements
        // and the memory model that they need. Other modules use neither.
        | Features::COOPERATIVE_MATRIX
        | Features::VULKAN_MEMORY_MODEL
        | Features::INT8
        // A layer takes shader model 6.2 only from devices that have both.
        | Features::DENORM_PRESERVE_F32
        | Features::DENORM_FLUSH_F32
}

/// Returns the workarounds of a caller that sets no options. Relaxed precision is off until option
/// 23 asks for it, and typed UAVs have R32 formats until option 10 allows loads without a format.
fn default_workarounds() -> Workarounds {
    let mut workarounds = Workarounds::default();
    workarounds.full_min_precision = true;
    workarounds.quirks = Quirks::LOADED_UAVS_ARE_R32;
    workarounds
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            root_constant_words: 0,
            root_descriptors: 0,
            root_constant_block: None,
            storage_buffer_constants: false,
            device_addresses: false,
            ssbo_alignment: 1,
            typed_ranges: false,
            range_stride: 1,
            untyped_range_offset: 0,
            typed_range_offset: 0,
            local_tables: LocalTables::default(),
            pipelines_cull_primitives: false,
            pipelines_meet_micromaps: false,
            address_stride: 1,
            address_offset: 0,
            features: granted(),
            native_min_precision: false,
            forced_subgroup_size: 0,
            forced_size_is_required: false,
            dual_source_blending: false,
            output_swizzles: Vec::new(),
            helper_lanes_in_waves: false,
            workarounds: default_workarounds(),
            samples: RasterSamples::default(),
            notes: false,
            heap_robustness: false,
            invariant_position: false,
            nvapi: None,
            instrumentation: Instrumentation::default(),
            views: None,
            driver: None,
        }
    }
}

impl Settings {
    /// Reads an option.
    ///
    /// # Safety
    /// `option` is null, or the structure that its number says.
    pub(super) unsafe fn add(&mut self, option: *const OptionBase) -> ResultCode {
        if option.is_null() {
            return ERROR_INVALID_ARGUMENT;
        }
        // SAFETY: every option begins with its number.
        let number = unsafe { (*option).number };
        macro_rules! read {
            ($ty:ty) => {
                // SAFETY: the number says which structure it is.
                unsafe { option.cast::<$ty>().read() }
            };
        }
        match number {
            1 => self.feature(Features::DEMOTE_TO_HELPER, read!(Flag).1),
            2 => self.dual_source_blending = read!(Flag).1 != 0,
            3 => {
                let Array(_, swizzles, count) = read!(Array);
                // SAFETY: the caller keeps the header's rules: as many numbers as it says.
                self.output_swizzles = unsafe { numbers(swizzles, count) }
                    .iter()
                    .map(|packed| [0, 2, 4, 6].map(|bit| (packed >> bit & 3) as u8))
                    .collect();
            }
            4 => {
                let NumberFlag(_, count, specialized) = read!(NumberFlag);
                self.samples = if specialized != 0 {
                    RasterSamples::Specialized { spec_id: count }
                } else {
                    RasterSamples::Constant(count)
                };
            }
            5 => {
                let Numbers2Flag(_, set, binding, enable) = read!(Numbers2Flag);
                self.root_constant_block = (enable != 0).then_some(DescriptorSlot { set, binding });
            }
            6 => self.storage_buffer_constants = read!(Flag).1 != 0,
            7 => {
                self.device_addresses = read!(Flag).1 != 0;
                self.feature(Features::BUFFER_DEVICE_ADDRESS, read!(Flag).1);
            }
            9 => self.ssbo_alignment = read!(Number).1.max(1),
            8 => {
                let Numbers2(_, resource_shift, sampler_shift) = read!(Numbers2);
                self.local_tables = LocalTables {
                    resource_shift: resource_shift.min(31),
                    sampler_shift: sampler_shift.min(31),
                };
            }
            18 => self.pipelines_cull_primitives = read!(Flag).1 != 0,
            10 => self.feature(Features::STORAGE_READ_WITHOUT_FORMAT, read!(Flag).1),
            12 => self.typed_ranges = read!(Flag).1 != 0,
            13 => {
                let Numbers3(_, untyped, typed, stride) = read!(Numbers3);
                self.untyped_range_offset = untyped;
                self.typed_range_offset = typed;
                self.range_stride = stride;
            }
            14 => self.feature(Features::INPUT_OUTPUT_16BIT, read!(Flag).1),
            16 => self.native_min_precision = read!(Flag).1 != 0,
            17 => self.feature(Features::INTEGER_DOT_PRODUCT, read!(Flag).1),
            19 => self.invariant_position = read!(Flag).1 != 0,
            20 => self.feature(Features::SCALAR_BLOCK_LAYOUT, read!(Flags2).1),
            21 => self.feature(Features::BARYCENTRICS, read!(Flag).1),
            22 => self
                .workarounds
                .quirks
                .set(Quirks::ROBUST_ADDRESSES, read!(Flag).1 != 0),
            23 => self.workarounds.full_min_precision = read!(Flag).1 == 0,
            24 => {
                let Numbers2(_, stride, offset) = read!(Numbers2);
                self.address_stride = stride.max(1);
                self.address_offset = offset;
            }
            25 => {
                let NumberFlag(_, size, required) = read!(NumberFlag);
                self.forced_subgroup_size = size;
                self.forced_size_is_required = required != 0;
                self.workarounds.lane_count = (size != 0).then_some(size);
            }
            26 => {
                let Flags2(_, half, double) = read!(Flags2);
                self.feature(Features::DENORM_PRESERVE_F16, half);
                self.feature(Features::DENORM_PRESERVE_F64, double);
            }
            27 => self.helper_lanes_in_waves = read!(Flag).1 == 0,
            32 => self.feature(Features::OPACITY_MICROMAP, read!(Flag).1),
            28 => self.feature(Features::SUBGROUP_PARTITIONED, read!(Flag).1),
            39 => self.driver = Some(read!(Numbers2).1),
            35 => self.heap_robustness = read!(Flag).1 != 0,
            15 => return self.watch_descriptors(&read!(DescriptorInstrumentation)),
            41 => return self.watch_instructions(&read!(InstructionInstrumentation)),
            43 => quirks::robustness(&mut self.workarounds, &read!(Flags3)),
            36 => self.feature(Features::COMPUTE_DERIVATIVES_LINEAR, read!(Flag).1),
            37 => {
                let Flags3(_, quads, reconvergence, _) = read!(Flags3);
                self.feature(Features::QUAD_CONTROL, quads);
                self.feature(Features::MAXIMAL_RECONVERGENCE, reconvergence);
            }
            40 => {
                let Flags2(_, nv, khr) = read!(Flags2);
                self.feature(Features::COMPUTE_DERIVATIVES_LINEAR, nv | khr);
                self.feature(Features::COMPUTE_DERIVATIVES_KHR, khr);
            }
            51 => self.feature(Features::COMPUTE_DERIVATIVES_QUADS, read!(Flag).1),
            30 => quirks::precise(&mut self.workarounds, &read!(Flags2)),
            33 => quirks::hints(&mut self.workarounds, &read!(Flags5)),
            42 => match quirks::quirk(read!(Number).1) {
                Some(quirk) => self.workarounds.quirks |= quirk,
                None => return ERROR_UNSUPPORTED_FEATURE,
            },
            44 => {
                let max = read!(Number).1;
                self.workarounds.max_tessellation = (max != 0).then_some(max);
            }
            45 => self.feature(Features::VULKAN_MEMORY_MODEL, read!(Flag).1),
            46 => self.feature(Features::MATRIX_FLOAT8, read!(Flags2).1),
            47 => {
                let FlagNumbers2(_, enabled, register, space) = read!(FlagNumbers2);
                self.nvapi = (enabled != 0).then_some((register, space));
                // Games ask the layer for each operation before they use it. The operations that
                // dxil-spirv lacks stay zero: no layer enables their extensions, and a module that
                // declares one fails even where the operation is never run.
                self.feature(
                    Features::DEVICE_CLOCK
                        | Features::CLUSTER_ACCELERATION_STRUCTURE
                        | Features::INVOCATION_REORDER_NV,
                    enabled,
                );
            }
            48 => self.notes = read!(Flag).1 != 0,
            49 => {
                let MultiviewOption(_, enabled, last, index, viewport) = read!(MultiviewOption);
                let named = |id: c_uint| (id != c_uint::MAX).then_some(id);
                self.views = (enabled != 0).then(|| Views {
                    index_constant: named(index),
                    viewport_constant: named(viewport),
                    is_last: last != 0,
                });
            }
            53 => {
                let Flags2(_, in_pipelines, in_old_queries) = read!(Flags2);
                self.pipelines_meet_micromaps = in_pipelines != 0;
                self.workarounds
                    .quirks
                    .set(Quirks::OLD_RAY_QUERIES_MEET_MICROMAPS, in_old_queries != 0);
            }
            54 => self.feature(Features::FLOAT_CONTROLS2, read!(Flag).1),
            56 => {
                let Flags3(_, half, single, double) = read!(Flags3);
                self.feature(Features::FMA_F16, half);
                self.feature(Features::FMA_F32, single);
                self.feature(Features::FMA_F64, double);
            }
            other if is_known(other) => {}
            _ => return ERROR_UNSUPPORTED_FEATURE,
        }
        SUCCESS
    }

    fn watch_descriptors(&mut self, option: &DescriptorInstrumentation) -> ResultCode {
        let &DescriptorInstrumentation(_, enabled, version, set, binding, heap_set, heap, hash) =
            option;
        if enabled != 0 && version != INSTRUMENTATION_VERSION {
            return ERROR_UNSUPPORTED_FEATURE;
        }
        let reports = DescriptorSlot { set, binding };
        let heap = DescriptorSlot {
            set: heap_set,
            binding: heap,
        };
        let checks = DescriptorChecks::new(reports, heap, hash);
        self.instrumentation.descriptors = (enabled != 0).then_some(checks);
        SUCCESS
    }

    fn watch_instructions(&mut self, option: &InstructionInstrumentation) -> ResultCode {
        let &InstructionInstrumentation(
            _,
            enabled,
            version,
            set,
            binding,
            payload_set,
            payload,
            hash,
            kind,
        ) = option;
        let check = match kind {
            0 => InstructionCheck::NonFinite,
            1 => InstructionCheck::WrittenNonFinite,
            2 => InstructionCheck::FlushNan,
            3 => InstructionCheck::Assumptions,
            4 => InstructionCheck::Synchronization,
            _ if enabled != 0 => return ERROR_UNSUPPORTED_FEATURE,
            _ => InstructionCheck::NonFinite,
        };
        if enabled != 0 && version != INSTRUMENTATION_VERSION {
            return ERROR_UNSUPPORTED_FEATURE;
        }
        let control = DescriptorSlot { set, binding };
        let payload = DescriptorSlot {
            set: payload_set,
            binding: payload,
        };
        let checks = InstructionChecks::new(control, payload, hash, check);
        self.instrumentation.instructions = (enabled != 0).then_some(checks);
        SUCCESS
    }

    /// Returns whether no memory is behind a UAV, since a vendor's operations are written as
    /// accesses to it.
    pub(super) fn is_of_vendor(&self, resource: &Resource) -> bool {
        Vendor::of(resource, &self.vendor()).is_some()
    }

    fn vendor(&self) -> VendorOptions {
        let mut vendor = VendorOptions::default();
        vendor.nvapi_uav = self.nvapi;
        // Games create shaders with operations that the device lacks, and never run them.
        vendor.zero_missing = true;
        vendor
    }

    /// Returns whether instructions are watched for that.
    pub(super) fn watches(&self, check: InstructionCheck) -> bool {
        let wanted = self.instrumentation.instructions;
        wanted.is_some_and(|wanted| wanted.check == check)
    }

    fn signature(&self) -> SignatureOptions {
        let mut signature = SignatureOptions::default();
        signature.dual_source_blending = self.dual_source_blending;
        signature.output_swizzles = self.output_swizzles.clone();
        signature.invariant_position = self.invariant_position;
        signature.raster_samples = self.samples;
        signature
    }

    /// Returns whether ray queries of a shader meet micromaps, which takes a newer version of
    /// SPIR-V.
    pub(super) fn queries_meet_micromaps(&self, shader: &Shader) -> bool {
        let forced = self
            .workarounds
            .quirks
            .contains(Quirks::OLD_RAY_QUERIES_MEET_MICROMAPS);
        let mut functions = shader.module.functions.values();
        functions.any(|function| {
            Opcode::AllocateRayQuery2.is_called_by(&function.name)
                || forced && Opcode::AllocateRayQuery.is_called_by(&function.name)
        })
    }

    fn feature(&mut self, feature: Features, there: Bool) {
        self.features.set(feature, there != 0);
    }

    /// Says what the device computes by itself. Layers take for granted that it computes as D3D
    /// says, which is right for graphics processors, and that nobody sees how a half is rounded.
    fn computes_as_d3d(&self, options: &mut Options) {
        if self.driver.is_some_and(Numerics::is_processor) {
            return;
        }
        options.target.numerics = Numerics::OF_LAYERS;
        // What is fastest depends on the driver, not on D3D.
        let of_driver = self.driver.map(Numerics::of_driver).unwrap_or_default();
        options.target.numerics.buffer_access = of_driver.buffer_access;
        options.target.numerics.constant_operands = of_driver.constant_operands;
        options.fast_half_packing = true;
        // RADV has the mode where it keeps denormals of halves: from GFX9 on, which computes in
        // halves.
        let has_mode =
            self.driver == Some(RADV) && self.features.contains(Features::DENORM_PRESERVE_F16);
        options
            .target
            .features
            .set(Features::ROUND_RTZ_F16, has_mode);
    }

    /// Returns the translator's options, bindings aside.
    pub(super) fn options(&self, entry: Option<&str>) -> Options {
        let mut options = Options::default();
        // Layers ask for these checks by a quirk.
        options.unchecked_group_memory = true;
        options.target.vulkan = VulkanVersion::V1_1;
        options.target.features = self.features;
        self.computes_as_d3d(&mut options);
        if !self.features.contains(Features::COMPUTE_DERIVATIVES_LINEAR) {
            // Option 51 refines the others.
            options.target.features -= Features::COMPUTE_DERIVATIVES_QUADS;
        }
        options.entry = entry.map(str::to_owned);
        // Layers expect this name, whatever the shader calls its entry point.
        options.entry_name = Some("main".to_owned());
        options.native_min_precision = self.native_min_precision;
        options.required_subgroup_size = if self.forced_size_is_required {
            self.forced_subgroup_size
        } else {
            0
        };
        options.helper_lanes_in_waves = self.helper_lanes_in_waves;
        options.workarounds = self.workarounds;
        options.signature = self.signature();
        options.feedback = FeedbackTexel::Neighbours;
        options.vendor = self.vendor();
        options.instrumentation = self.instrumentation;
        options
    }
}
