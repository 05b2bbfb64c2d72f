//! Options of a translation: the target as data, and the caller's choices.

use bitflags::bitflags;

use crate::{
    BindingMap, Instrumentation, Numerics, SignatureNote, SignatureOptions, VendorOptions,
    Workarounds,
};

/// Options of a translation. Start from [`Options::default`] and set fields.
#[derive(Debug, Clone, Default, Hash)]
#[non_exhaustive]
pub struct Options {
    /// The device's Vulkan version and features. Default: Vulkan 1.3 with nothing optional.
    pub target: Target,
    /// The location of each resource. Resources without one take [`BindingMap::default_location`].
    pub bindings: BindingMap,
    /// Entry point to translate, by the name that the source has for it or by the mangled one;
    /// default: the only one.
    pub entry: Option<String>,
    /// Name of the entry point in the SPIR-V module; default: its name in the source.
    pub entry_name: Option<String>,
    /// Emit bounds checks of buffers and texels in code, for devices without robustness2.
    pub bounds_checks: bool,
    /// Leave out the checks of indices into groupshared memory. By default loads beyond a
    /// variable's end give 0, and stores and atomics there are dropped (DXIL document,
    /// "Out-of-bounds behavior"); indices that are proven to be inside need no code. Drivers check
    /// nothing there: what lies after the memory of a thread group may be anything.
    pub unchecked_group_memory: bool,
    /// Translate operations of the preview shader model 6.10, which still change. Without leave
    /// they are a typed error.
    pub preview: bool,
    /// Reach what lies beyond the first 4 GiB of storage buffers (SPV_EXT_shader_64bit_indexing),
    /// as far as 32 bits can count a buffer's words: 16 GiB, and 64 GiB where the elements of a
    /// structured buffer are rows of 16 bytes. Needs shader64BitIndexing and shaderInt64.
    /// Experimental: no device has run such modules yet.
    pub large_buffers: bool,
    /// Emit `OpName`s.
    pub debug_info: bool,
    /// The debug information of the source that the module keeps, if the shader has any
    /// ([`read_shader_with_debug_info`](dxil_frontend::dxil::read_shader_with_debug_info)).
    pub source: SourceDebugInfo,
    /// Use 16-bit arithmetic for min-precision types (`min16float` ...) instead of 32-bit with
    /// `RelaxedPrecision`. Needs the target's 16-bit features.
    pub native_min_precision: bool,
    /// `f32tof16` by `PackHalf2x16`, one instruction whose rounding the driver chooses, instead of
    /// rounding toward zero as D3D requires.
    pub fast_half_packing: bool,
    /// Subgroup size to require where the shader requires none or allows several (0: none).
    pub required_subgroup_size: u32,
    /// Let the device decide whether helper lanes of pixel shaders take part in wave operations.
    /// Default: they do not, as in D3D12, unless the shader requests it.
    pub helper_lanes_in_waves: bool,
    /// The connection of signature elements to other stages and to the pipeline's state.
    pub signature: SignatureOptions,
    /// Encoding of sampler feedback maps.
    pub feedback: FeedbackTexel,
    /// Notes about the root signature for tools.
    pub notes: Vec<SignatureNote>,
    /// Deviations from D3D12's rules for particular shaders and drivers.
    pub workarounds: Workarounds,
    /// The treatment of vendors' shader extensions.
    pub vendor: VendorOptions,
    /// Checks that the module makes while it runs.
    pub instrumentation: Instrumentation,
    /// Measure how long each step takes: [`Translation::timings`](crate::Translation::timings).
    pub timings: bool,
}

/// Debug information of the source that a module keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SourceDebugInfo {
    /// Nothing.
    #[default]
    None,
    /// The texts, and the line and column of each instruction: `OpSource` and `OpLine`, which are
    /// core SPIR-V.
    Lines,
    /// The texts, and for each instruction its line, its scope, and where it was inlined;
    /// functions, types and variables with their values: `NonSemantic.Shader.DebugInfo.100`, which
    /// debuggers read. Before SPIR-V 1.6 it needs VK_KHR_shader_non_semantic_info. In the portable
    /// style it is as [`SourceDebugInfo::Lines`].
    Full,
}

/// Storage image that emulates a sampler feedback map, which Vulkan does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FeedbackTexel {
    /// A storage image of format `R32Uint` with one texel per mip region; a texel holds the minimum
    /// mip that was requested, or one bit per mip.
    #[default]
    Mips,
    /// A storage image of format `R64Uint` for both kinds of map, as D3D12-on-Vulkan layers decode
    /// it: a texel has four bits per mip, lowest the most detailed one, that say whether the region
    /// itself was used (1) and from it the ones to its right (2), below it (4) and diagonal to it
    /// (8). Regions are counted in each mip by itself. The lowest four bits of the image's width
    /// and height are the logarithms of the region's size. Needs shaderImageInt64Atomics.
    Neighbours,
}

/// A target: Vulkan version, style and features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct Target {
    /// Vulkan version; it decides the SPIR-V version (1.3, 1.5, 1.6, 1.6).
    pub vulkan: VulkanVersion,
    /// Native SPIR-V, or the subset that naga's front end takes.
    pub style: Style,
    /// Optional features that the target has.
    pub features: Features,
    /// What the target computes by itself where SPIR-V leaves a result open.
    pub numerics: Numerics,
}

impl Target {
    /// Returns a target with these features, of whose results nothing is known.
    pub fn new(vulkan: VulkanVersion, style: Style, features: Features) -> Self {
        Target {
            vulkan,
            style,
            features,
            numerics: Numerics::default(),
        }
    }
}

/// Vulkan versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum VulkanVersion {
    /// 1.1, SPIR-V 1.3.
    V1_1,
    /// 1.2, SPIR-V 1.5.
    V1_2,
    /// 1.3, SPIR-V 1.6.
    #[default]
    V1_3,
    /// 1.4, SPIR-V 1.6.
    V1_4,
}

impl VulkanVersion {
    /// Returns the SPIR-V version word of the module header.
    pub fn spirv_version(self) -> u32 {
        match self {
            VulkanVersion::V1_1 => 0x0001_0300,
            VulkanVersion::V1_2 => 0x0001_0500,
            VulkanVersion::V1_3 | VulkanVersion::V1_4 => 0x0001_0600,
        }
    }
}

/// Subset of SPIR-V that modules use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Style {
    /// Everything that Vulkan allows.
    #[default]
    Native,
    /// Only what naga's SPIR-V front end takes: one variable per binding, typed buffers as storage
    /// buffers, formats on storage images, ... Control flow is what languages with C's `switch`,
    /// `break` and `continue` can say: nothing leaves a loop from inside of a `switch`, no case
    /// falls through to the next, and a loop's continue target only goes back. (naga writes a
    /// continue block in front of the loop's body, where values of the body do not exist.)
    Portable,
}

bitflags! {
    /// Optional device features, by Vulkan's names.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct Features: u128 {
        /// shaderFloat16.
        const FLOAT16 = 1 << 0;
        /// shaderFloat64.
        const FLOAT64 = 1 << 1;
        /// shaderInt8.
        const INT8 = 1 << 2;
        /// shaderInt16.
        const INT16 = 1 << 3;
        /// shaderInt64.
        const INT64 = 1 << 4;
        /// storageBuffer16BitAccess.
        const STORAGE_16BIT = 1 << 5;
        /// storageBuffer8BitAccess.
        const STORAGE_8BIT = 1 << 6;
        /// uniformAndStorageBuffer16BitAccess.
        const UNIFORM_16BIT = 1 << 7;
        /// storageInputOutput16.
        const INPUT_OUTPUT_16BIT = 1 << 8;
        /// shaderBufferInt64Atomics.
        const BUFFER_INT64_ATOMICS = 1 << 9;
        /// shaderSharedInt64Atomics.
        const SHARED_INT64_ATOMICS = 1 << 10;
        /// shaderImageInt64Atomics.
        const IMAGE_INT64_ATOMICS = 1 << 11;
        /// shaderStorageImageReadWithoutFormat.
        const STORAGE_READ_WITHOUT_FORMAT = 1 << 12;
        /// shaderStorageImageWriteWithoutFormat.
        const STORAGE_WRITE_WITHOUT_FORMAT = 1 << 13;
        /// shaderStorageImageMultisample.
        const STORAGE_MULTISAMPLE = 1 << 14;
        /// shaderImageGatherExtended.
        const IMAGE_GATHER_EXTENDED = 1 << 15;
        /// shaderResourceMinLod.
        const MIN_LOD = 1 << 16;
        /// shaderResourceResidency.
        const SPARSE_RESIDENCY = 1 << 17;
        /// sampledImageArrayNonUniformIndexing and its relatives, runtimeDescriptorArray.
        const DESCRIPTOR_INDEXING = 1 << 18;
        /// bufferDeviceAddress.
        const BUFFER_DEVICE_ADDRESS = 1 << 19;
        /// vulkanMemoryModel.
        const VULKAN_MEMORY_MODEL = 1 << 20;
        /// subgroupBasic, Vote, Arithmetic, Ballot, Shuffle in this stage.
        const SUBGROUP = 1 << 21;
        /// subgroupQuad in this stage.
        const SUBGROUP_QUAD = 1 << 22;
        /// shaderSubgroupExtendedTypes.
        const SUBGROUP_EXTENDED_TYPES = 1 << 23;
        /// shaderSubgroupPartitioned (VK_NV_shader_subgroup_partitioned).
        const SUBGROUP_PARTITIONED = 1 << 24;
        /// shaderMaximalReconvergence.
        const MAXIMAL_RECONVERGENCE = 1 << 25;
        /// shaderQuadControl.
        const QUAD_CONTROL = 1 << 26;
        /// computeDerivativeGroupLinear: derivatives of thread groups whose quads are four threads
        /// in a row. Without it, derivatives are differences between lanes (subgroupQuad or
        /// shuffles). See also `COMPUTE_DERIVATIVES_KHR`.
        const COMPUTE_DERIVATIVES_LINEAR = 1 << 27;
        /// shaderDemoteToHelperInvocation.
        const DEMOTE_TO_HELPER = 1 << 28;
        /// shaderIntegerDotProduct.
        const INTEGER_DOT_PRODUCT = 1 << 29;
        /// shaderDenormPreserveFloat32 (float controls).
        const DENORM_PRESERVE_F32 = 1 << 30;
        /// shaderDenormFlushToZeroFloat32.
        const DENORM_FLUSH_F32 = 1 << 31;
        /// shaderSignedZeroInfNanPreserveFloat32.
        const SIGNED_ZERO_INF_NAN_F32 = 1 << 32;
        /// shaderRoundingModeRTZFloat16.
        const ROUND_RTZ_F16 = 1 << 33;
        /// fragmentShaderBarycentric.
        const BARYCENTRICS = 1 << 34;
        /// fragmentShaderPixelInterlock / SampleInterlock.
        const FRAGMENT_INTERLOCK = 1 << 35;
        /// shaderClock.
        const SHADER_CLOCK = 1 << 36;
        /// VK_EXT_mesh_shader.
        const MESH_SHADER = 1 << 37;
        /// Multiview.
        const MULTIVIEW = 1 << 38;
        /// fragmentStencilExport (VK_EXT_shader_stencil_export).
        const STENCIL_EXPORT = 1 << 39;
        /// shaderOutputViewportIndex / shaderOutputLayer.
        const VIEWPORT_INDEX_LAYER = 1 << 40;
        /// primitiveFragmentShadingRate.
        const SHADING_RATE = 1 << 41;
        /// shaderClipDistance and shaderCullDistance.
        const CLIP_CULL_DISTANCE = 1 << 42;
        /// sampleRateShading.
        const SAMPLE_RATE_SHADING = 1 << 43;
        /// tessellationShader.
        const TESSELLATION = 1 << 44;
        /// geometryShader.
        const GEOMETRY = 1 << 45;
        /// transformFeedback and geometryStreams.
        const TRANSFORM_FEEDBACK = 1 << 46;
        /// rayQuery.
        const RAY_QUERY = 1 << 47;
        /// rayTracingPipeline.
        const RAY_TRACING = 1 << 48;
        /// robustBufferAccess2 with null descriptors: the device checks buffer bounds.
        const ROBUSTNESS2 = 1 << 49;
        /// shaderBufferFloat32Atomics (exchange, load, store).
        const BUFFER_FLOAT32_ATOMICS = 1 << 50;
        /// scalarBlockLayout.
        const SCALAR_BLOCK_LAYOUT = 1 << 51;
        /// workgroupMemoryExplicitLayout, with its 8- and 16-bit forms.
        const WORKGROUP_EXPLICIT_LAYOUT = 1 << 52;
        /// maintenance8: offsets that are not constant in image operations.
        const MAINTENANCE8 = 1 << 53;
        /// shaderImageCubeArray, 1D images, buffer images: the core image features.
        const IMAGE_CUBE_ARRAY = 1 << 54;
        /// shaderDrawParameters.
        const DRAW_PARAMETERS = 1 << 55;
        /// shaderSubgroupRotate / clustered operations.
        const SUBGROUP_CLUSTERED = 1 << 56;
        /// shaderFloatControls2: replaces the signed-zero-inf-nan modes where the target does not
        /// have those.
        const FLOAT_CONTROLS2 = 1 << 57;
        /// sampledImage 1D and buffer formats.
        const IMAGE_1D = 1 << 58;
        /// fragmentStoresAndAtomics, vertexPipelineStoresAndAtomics.
        const STORES_AND_ATOMICS = 1 << 59;
        /// fullyCoveredFragmentShaderInputVariable (VK_EXT_conservative_rasterization).
        const FULLY_COVERED = 1 << 60;
        /// shaderDenormPreserveFloat16, independent of other widths (denormBehaviorIndependence).
        const DENORM_PRESERVE_F16 = 1 << 61;
        /// shaderDenormPreserveFloat64, independent of other widths.
        const DENORM_PRESERVE_F64 = 1 << 62;
        /// shaderSignedZeroInfNanPreserveFloat16.
        const SIGNED_ZERO_INF_NAN_F16 = 1 << 63;
        /// shaderSignedZeroInfNanPreserveFloat64.
        const SIGNED_ZERO_INF_NAN_F64 = 1 << 64;
        /// Not a Vulkan feature: the reader of the portable SPIR-V implements
        /// [`pseudo_atomics`](crate::pseudo_atomics).
        const PSEUDO_IMAGE_ATOMICS = 1 << 65;
        /// rayTraversalPrimitiveCulling.
        const RAY_PRIMITIVE_CULLING = 1 << 66;
        /// micromap (VK_EXT_opacity_micromap).
        const OPACITY_MICROMAP = 1 << 67;
        /// rayTracingInvocationReorder (VK_EXT_ray_tracing_invocation_reorder).
        const INVOCATION_REORDER = 1 << 68;
        /// micromap of VK_KHR_opacity_micromap, for targets that have no `OPACITY_MICROMAP`. Needs
        /// SPIR-V 1.4.
        const OPACITY_MICROMAP_KHR = 1 << 69;
        /// Not a Vulkan feature: the reader of the portable SPIR-V lacks casts between floats of 64
        /// or 16 bits and their bits. Each `OpBitcast` of these, between a double and a vector of
        /// two words or between a half and 16 bits, is the whole body of a function, which the
        /// reader replaces.
        const CASTS_IN_FUNCTIONS = 1 << 70;
        /// cooperativeMatrix (VK_KHR_cooperative_matrix), with the formats that a shader uses and
        /// 16 rows and 16 columns in compute shaders.
        const COOPERATIVE_MATRIX = 1 << 71;
        /// shaderBFloat16Type and shaderBFloat16CooperativeMatrix (VK_KHR_shader_bfloat16).
        const MATRIX_BFLOAT16 = 1 << 72;
        /// shaderFloat8 and shaderFloat8CooperativeMatrix (VK_EXT_shader_float8).
        const MATRIX_FLOAT8 = 1 << 73;
        /// shaderFmaFloat16 (VK_KHR_shader_fma). Without it, `Fma` is left to the driver, which may
        /// round the product.
        const FMA_F16 = 1 << 74;
        /// shaderFmaFloat32 (VK_KHR_shader_fma).
        const FMA_F32 = 1 << 75;
        /// shaderFmaFloat64 (VK_KHR_shader_fma).
        const FMA_F64 = 1 << 76;
        /// shaderDeviceClock.
        const DEVICE_CLOCK = 1 << 77;
        /// clusterAccelerationStructure (VK_NV_cluster_acceleration_structure).
        const CLUSTER_ACCELERATION_STRUCTURE = 1 << 78;
        /// cooperativeMatrix with 8 rows and 8 columns, for targets without `COOPERATIVE_MATRIX`: a
        /// shader's matrices are four of these.
        const COOPERATIVE_MATRIX_8 = 1 << 79;
        /// descriptorHeap (VK_EXT_descriptor_heap) and shaderUntypedPointers, for
        /// [`BindingMap::descriptor_heaps`].
        const DESCRIPTOR_HEAP = 1 << 80;
        /// rayTracingInvocationReorder of VK_NV_ray_tracing_invocation_reorder. NVAPI's hit objects
        /// use it where the target has it, those of shader model 6.9 only where the target lacks
        /// `INVOCATION_REORDER`.
        const INVOCATION_REORDER_NV = 1 << 81;
        /// shader64BitIndexing (VK_EXT_shader_64bit_indexing), for [`Options::large_buffers`].
        const SHADER_64BIT_INDEXING = 1 << 82;
        /// longVector (VK_EXT_shader_long_vector), with vectors of up to 1024 components.
        const LONG_VECTOR = 1 << 83;
        /// rayTracingPositionFetch (VK_KHR_ray_tracing_position_fetch).
        const RAY_TRACING_POSITION_FETCH = 1 << 84;
        /// spheres and linearSweptSpheres (VK_NV_ray_tracing_linear_swept_spheres).
        const LINEAR_SWEPT_SPHERES = 1 << 85;
        /// computeDerivativeGroupQuads: quads of two by two threads. Without it, threads of a group
        /// come in another order, so that four in a row are such a quad.
        const COMPUTE_DERIVATIVES_QUADS = 1 << 86;
        /// The features for derivatives in compute shaders come from
        /// VK_KHR_compute_shader_derivatives. Without it, they come from the extension of NV, which
        /// modules then declare (SPV_NV_compute_shader_derivatives).
        const COMPUTE_DERIVATIVES_KHR = 1 << 87;
        /// Not a Vulkan feature: the reader of the portable SPIR-V implements
        /// [`pseudo_arrays`](crate::pseudo_arrays) of textures and samplers. Heaps, arrays without
        /// an end, long ones and those with an index per lane are one variable then; the others
        /// have one variable per element.
        const PORTABLE_TEXTURE_ARRAYS = 1 << 88;
        /// Not a Vulkan feature: as `PORTABLE_TEXTURE_ARRAYS` of buffers, which are arrays of
        /// SPIR-V.
        const PORTABLE_BUFFER_ARRAYS = 1 << 89;
    }
}

impl Features {
    /// Features that naga's SPIR-V front end accepts. A portable target has no others, whatever the
    /// caller sets. 16-bit integers are missing because naga accepts no constants of them.
    pub const PORTABLE: Features = Features::FLOAT16
        .union(Features::FLOAT64)
        .union(Features::INT64)
        .union(Features::BUFFER_INT64_ATOMICS)
        .union(Features::SHARED_INT64_ATOMICS)
        .union(Features::STORAGE_MULTISAMPLE)
        .union(Features::DESCRIPTOR_INDEXING)
        .union(Features::SUBGROUP)
        .union(Features::BARYCENTRICS)
        .union(Features::MULTIVIEW)
        .union(Features::GEOMETRY)
        .union(Features::CLIP_CULL_DISTANCE)
        .union(Features::SAMPLE_RATE_SHADING)
        .union(Features::IMAGE_CUBE_ARRAY)
        .union(Features::IMAGE_1D)
        .union(Features::STORES_AND_ATOMICS)
        .union(Features::DRAW_PARAMETERS)
        .union(Features::ROBUSTNESS2);
}

impl Options {
    /// Returns whether the code checks buffer bounds itself.
    pub(crate) fn checks_bounds(&self) -> bool {
        self.bounds_checks && !self.target.features.contains(Features::ROBUSTNESS2)
    }

    /// Returns whether the code checks indices into groupshared memory.
    pub(crate) fn checks_group_memory(&self) -> bool {
        let robust = crate::Quirks::ROBUST_GROUP_ARRAYS;
        !self.unchecked_group_memory || self.workarounds.quirks.contains(robust)
    }
}
