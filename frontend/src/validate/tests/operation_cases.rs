// Included by `tests.rs`: edits of operations, each with the rules that it breaks.

/// Sets an argument to a number of its own floating-point type.
fn set_argument_float(shader: &mut Shader, opcode: u64, index: usize, value: f32) {
    let old = argument_type(shader, opcode, index);
    let value = constant(shader, old, Constant::Float(u64::from(value.to_bits())));
    set_argument(shader, opcode, index, value);
}

fn call_of(shader: &Shader, data: &Inst, opcode: u64) -> bool {
    let body = &shader.module.bodies[0];
    let view = crate::ir::FuncView {
        module: &shader.module,
        function: body,
    };
    let args = crate::dxil::ops::op_arguments(view, &shader.callees, data);
    args.is_some_and(|args| view.constant_int(args[0]) == Some(opcode))
}

/// The first call of `opcode` becomes what the first call of `other` is. Neither gives a value.
fn become_call(shader: &mut Shader, opcode: u64, other: u64) {
    let body = &shader.module.bodies[0];
    let found = body
        .insts
        .values()
        .find(|data| call_of(shader, &data.inst, other));
    let new = found.unwrap_or_else(|| panic!("no call of {other}")).inst;
    replace(shader, |shader, _, inst| {
        call_of(shader, &inst, opcode).then_some(new)
    });
}

fn sampler_mode(shader: &mut Shader, mode: SamplerKind) {
    for sampler in &mut shader.resources.samplers {
        sampler.detail.sampler = Some(mode);
    }
}

const FUNCTIONS: &str = "../../../translate/filetests/arithmetic/functions";
const DERIVATIVES: &str = "../../../hwtests/shaders/draw/derivatives_ps";
const BARRIERS: &str = "../../../translate/filetests/barriers/modes";
const BARRIER_FLAGS: &str = "../../../hwtests/shaders/newer/barrier_flags";
const BIAS: &str = "../../../hwtests/shaders/draw/uv_bias_ps";
const COMPARE: &str = "../../../hwtests/shaders/textures/compare";
const LOD: &str = "../../../hwtests/shaders/textures/level_of_detail";
const GATHER: &str = "../../../hwtests/shaders/textures/gather";
const TEXELS: &str = "../../../translate/filetests/textures/wide_texels";
const MULTISAMPLED: &str = "../../../hwtests/shaders/textures/multisampled";
const SIZES: &str = "../../../translate/filetests/buffers/sizes";
const COUNTERS: &str = "../../../hwtests/shaders/buffers/counter";
const STATUS: &str = "../../../hwtests/shaders/buffers/access_status";
const RAW: &str = "../../../translate/filetests/buffers/raw_words";
const EVALUATE: &str = "../../../hwtests/shaders/raster/evaluate_ps";
const VERTICES: &str = "../../../translate/filetests/pixel/attribute_at_vertex";
const BARYCENTRICS: &str = "../../../translate/filetests/pixel/barycentrics";
const LINES: &str = "../../../hwtests/shaders/tess/lines_ds";
const MESH: &str = "../../../translate/filetests/mesh/no_indices";
const QUERY: &str = "../../../translate/filetests/ray_queries/needs_ray_query";
const QUERY2: &str = "ops/omm_query_cs";
const REORDER: &str = "../../../translate/filetests/hit_objects/reorder_hint";
const HIT_ROOT: &str = "ops/hit_from_query";
const STREAMS: &str = "../../../hwtests/shaders/streams/triangle_gs";
const CLIP: &str = "../../../hwtests/shaders/draw/clip_vs";

/// Edits of operations and of what they work on.
const OPERATION_CASES: &[Case] = &[
    // Functions without a value at infinity.
    Case(FUNCTIONS, &[Rule::InstrNoIndefiniteAcos], |s| {
        set_argument_float(s, 15, 1, f32::INFINITY);
    }),
    Case(FUNCTIONS, &[Rule::InstrNoIndefiniteAsin], |s| {
        set_argument_float(s, 16, 1, f32::NEG_INFINITY);
    }),
    Case(FUNCTIONS, &[Rule::InstrNoIndefiniteLog], |s| {
        set_argument_float(s, 23, 1, f32::INFINITY)
    }),
    Case(DERIVATIVES, &[Rule::InstrNoIndefiniteDsxy], |s| {
        set_argument_float(s, 83, 1, f32::INFINITY);
    }),
    // Barriers.
    Case(BARRIERS, &[Rule::InstrBarrierModeNoMemory], |s| {
        set_argument_int(s, 80, 1, 1)
    }),
    Case(BARRIERS, &[Rule::InstrBarrierModeUselessUGroup], |s| {
        set_argument_int(s, 80, 1, 6)
    }),
    Case(BARRIER_FLAGS, &[Rule::InstrBarrierFlagInvalid], |s| {
        set_argument_int(s, 244, 1, 0x100)
    }),
    Case(
        BARRIER_FLAGS,
        &[Rule::InstrBarrierNonConstantFlagArgument],
        |s| {
            set_argument_undef(s, 244, 2);
        },
    ),
    Case(BARRIER_FLAGS, &[Rule::InstrBarrierRequiresNode], |s| {
        set_argument_int(s, 244, 1, 4)
    }),
    // Sampling.
    Case(BIAS, &[Rule::InstrImmBiasForSampleB], |s| {
        set_argument_float(s, 61, 10, 16.0)
    }),
    Case(COMPARE, &[Rule::InstrSamplerModeForSampleC], |s| {
        sampler_mode(s, SamplerKind::Default)
    }),
    Case(
        BIAS,
        &[
            Rule::InstrSamplerModeForLOD,
            Rule::InstrSamplerModeForSample,
        ],
        |s| {
            sampler_mode(s, SamplerKind::Mono);
        },
    ),
    Case(
        BIAS,
        &[
            Rule::InstrResourceKindForCalcLOD,
            Rule::InstrResourceKindForSample,
        ],
        |s| {
            srv(s, ResourceKind::Texture2D).kind = ResourceKind::Texture2DMS;
        },
    ),
    Case(BIAS, &[Rule::InstrResourceClassForSamplerGather], |s| {
        s.resources.srvs[0].class = ResourceClass::Uav;
    }),
    Case(TEXELS, &[Rule::InstrResourceClassForUAVStore], |s| {
        s.resources.uavs[0].class = ResourceClass::Srv;
    }),
    Case(
        SIZES,
        &[
            Rule::InstrResourceKindForGetDim,
            Rule::SmInvalidResourceKind,
        ],
        |s| {
            s.resources.srvs[0].kind = ResourceKind::CBuffer;
        },
    ),
    Case(
        RAW,
        &[Rule::InstrResourceClassForLoad, Rule::MetaValidSamplerMode],
        |s| {
            s.resources.srvs[0].class = ResourceClass::Sampler;
        },
    ),
    Case(
        RAW,
        &[
            Rule::InstrResourceKindForBufferLoadStore,
            Rule::SmInvalidResourceCompType,
        ],
        |s| {
            s.resources.srvs[0].kind = ResourceKind::Texture2D;
        },
    ),
    Case(
        TEXELS,
        &[
            Rule::InstrResourceKindForTextureStore,
            Rule::InstrResourceKindForTextureLoad,
        ],
        |s| {
            s.resources.uavs[0].kind = ResourceKind::TypedBuffer;
        },
    ),
    Case(
        COUNTERS,
        &[
            Rule::InstrBufferUpdateCounterOnUAV,
            Rule::InstrResourceClassForUAVStore,
        ],
        |s| {
            for uav in &mut s.resources.uavs {
                uav.class = ResourceClass::Srv;
            }
        },
    ),
    Case(
        LOD,
        &[
            Rule::SmIncompatibleThreadGroupDim,
            Rule::SmIncompatibleOperation,
        ],
        |s| {
            entry(s).num_threads = Some([3, 1, 1]);
        },
    ),
    Case(
        COMPARE,
        &[
            Rule::InstrResourceKindForSampleC,
            Rule::InstrResourceCoordinateMiss,
            Rule::InstrResourceKindForGather,
        ],
        |s| {
            srv(s, ResourceKind::Texture2D).kind = ResourceKind::Texture3D;
        },
    ),
    Case(
        GATHER,
        &[
            Rule::InstrResourceKindForGather,
            Rule::InstrResourceCoordinateMiss,
        ],
        |s| {
            srv(s, ResourceKind::Texture2D).kind = ResourceKind::Texture3D;
        },
    ),
    Case(
        BIAS,
        &[
            Rule::InstrResourceOffsetTooMany,
            Rule::InstrResourceCoordinateMiss,
        ],
        |s| {
            srv(s, ResourceKind::Texture2D).kind = ResourceKind::TextureCube;
            let offset = int32(s, 1);
            set_argument(s, 61, 7, offset);
        },
    ),
    // Loads, stores and sizes.
    Case(
        TEXELS,
        &[
            Rule::InstrWriteMaskForTypedUAVStore,
            Rule::InstrWriteMaskMatchValueForUAVStore,
        ],
        |s| {
            set_argument_int(s, 67, 9, 7);
        },
    ),
    Case(TEXELS, &[Rule::InstrUndefinedValueForUAVStore], |s| {
        set_argument_undef(s, 67, 5)
    }),
    Case(TEXELS, &[Rule::InstrMipOnUAVLoad], |s| {
        let mip = int32(s, 1);
        set_argument(s, 66, 2, mip);
    }),
    Case(
        TEXELS,
        &[Rule::InstrOffsetOnUAVLoad, Rule::InstrResourceOffsetMiss],
        |s| {
            let offset = int32(s, 1);
            set_argument(s, 66, 6, offset);
        },
    ),
    Case(MULTISAMPLED, &[Rule::InstrSampleIndexForLoad2DMS], |s| {
        set_argument_undef(s, 66, 2)
    }),
    Case(SIZES, &[Rule::InstrMipLevelForGetDimension], |s| {
        let mip = int32(s, 0);
        set_argument(s, 72, 2, mip);
    }),
    Case(RAW, &[Rule::InstrConstAlignForRawBuf], |s| {
        set_argument_undef(s, 139, 5)
    }),
    Case(RAW, &[Rule::InstrCoordinateCountForRawTypedBuf], |s| {
        let offset = int32(s, 0);
        set_argument(s, 139, 3, offset);
    }),
    Case(STATUS, &[Rule::InstrCheckAccessFullyMapped], |s| {
        let status = int32(s, 1);
        set_argument(s, 71, 1, status);
    }),
    Case(
        COUNTERS,
        &[Rule::InstrBufferUpdateCounterOnResHasCounter],
        |s| {
            for uav in &mut s.resources.uavs {
                uav.detail.has_counter = false;
            }
        },
    ),
    // Inputs at other places.
    Case(EVALUATE, &[Rule::InstrEvalInterpolationMode], |s| {
        for input in &mut entry(s).inputs {
            input.interpolation = InterpolationMode::Constant;
        }
    }),
    Case(
        VERTICES,
        &[Rule::InstrAttributeAtVertexNoInterpolation],
        |s| {
            for input in &mut entry(s).inputs {
                input.interpolation = InterpolationMode::Linear;
            }
        },
    ),
    Case(LINES, &[Rule::SmDomainLocationIdxOOB], |s| {
        set_argument_int(s, 105, 1, 2)
    }),
    Case(BARYCENTRICS, &[Rule::MetaBarycentricsInterpolation], |s| {
        input(s, SemanticKind::Barycentrics).interpolation = InterpolationMode::Constant;
    }),
    Case(
        BARYCENTRICS,
        &[Rule::MetaBarycentricsFloat3, Rule::InstrOperandRange],
        |s| {
            input(s, SemanticKind::Barycentrics).columns = 2;
        },
    ),
    Case(
        BARYCENTRICS,
        &[Rule::MetaBarycentricsTwoPerspectives],
        |s| {
            let mut twin = input(s, SemanticKind::Barycentrics).clone();
            twin.semantic_indices = [1].into();
            entry(s).inputs.push(twin);
        },
    ),
    Case(
        CLIP,
        &[
            Rule::MetaClipCullMaxComponents,
            Rule::MetaClipCullMaxRows,
            Rule::SmUndefinedOutput,
        ],
        |s| {
            let mut twin = output(s, SemanticKind::ClipDistance).clone();
            (twin.columns, twin.start_column, twin.start_row) = (4, 0, Some(20));
            twin.semantic_indices = [7].into();
            let mut third = twin.clone();
            third.start_row = Some(21);
            third.semantic_indices = [8].into();
            entry(s).outputs.extend([twin, third]);
        },
    ),
    Case(
        PS,
        &[Rule::SmNoPSOutputIdx, Rule::MetaNoSemanticOverlap],
        |s| {
            let target = output(s, SemanticKind::Target);
            target.rows = 2;
            target.semantic_indices = [0, 1].into();
        },
    ),
    Case(
        VS,
        &[Rule::MetaSystemValueRows, Rule::MetaInterpModeInOneRow],
        |s| {
            let position = output(s, SemanticKind::Position);
            position.rows = 2;
            position.semantic_indices = [0, 1].into();
        },
    ),
    Case(STREAMS, &[Rule::SmMultiStreamMustBePoint], |s| {
        entry(s).outputs[0].stream = 1;
    }),
    Case(VS, &[Rule::MetaIntegerInterpMode], |s| {
        let output = output(s, SemanticKind::Arbitrary);
        output.component = ComponentType::U32;
        output.interpolation = InterpolationMode::Linear;
    }),
    Case(
        PS,
        &[
            Rule::MetaSemanticShouldNotBeAllocated,
            Rule::MetaDuplicateSysValue,
            Rule::MetaNoSemanticOverlap,
            Rule::SmUndefinedOutput,
        ],
        |s| {
            let mut coverage = output(s, SemanticKind::Target).clone();
            coverage.semantic = SemanticKind::Coverage;
            coverage.name = "SV_Coverage".into();
            coverage.component = ComponentType::U32;
            (coverage.columns, coverage.start_row) = (1, Some(0));
            entry(s).outputs.push(coverage);
        },
    ),
    Case(
        VS,
        &[Rule::MetaInterpModeInOneRow, Rule::InstrOperandRange],
        |s| {
            let mut twin = output(s, SemanticKind::Arbitrary).clone();
            (twin.start_column, twin.columns) = (3, 1);
            twin.name = "TWIN".into();
            twin.interpolation = InterpolationMode::LinearCentroid;
            let row = twin.start_row;
            for output in &mut entry(s).outputs {
                if output.start_row == row {
                    output.columns = 2;
                }
            }
            entry(s).outputs.push(twin);
        },
    ),
    // Shader models and stages.
    Case(
        LOD,
        &[
            Rule::SmIncompatibleDerivInComputeShaderModel,
            Rule::SmIncompatibleOperation,
        ],
        |s| {
            s.shader_model.minor = 5;
        },
    ),
    Case(
        QUERY,
        &[
            Rule::SmOpcode,
            Rule::SmIncompatibleOperation,
            Rule::SmIncompatibleShaderModel,
        ],
        |s| s.shader_model.minor = 4,
    ),
    Case(
        DERIVATIVES,
        &[
            Rule::SmIncompatibleStage,
            Rule::SmIncompatibleOperation,
            Rule::SmNoInterpMode,
            Rule::SmSemantic,
        ],
        |s| {
            entry(s).kind = ShaderKind::Vertex;
        },
    ),
    // Tessellation.
    Case(
        HS,
        &[
            Rule::SmZeroHSInputControlPointWithInput,
            Rule::InstrOperandRange,
        ],
        |s| {
            hull!(s, input_control_points, 0);
        },
    ),
    Case(
        HS,
        &[
            Rule::SmOutputControlPointsTotalScalars,
            Rule::MetaSignatureOutOfRange,
        ],
        |s| {
            hull!(s, output_control_points, 32);
            let mut outputs = entry(s).outputs.iter_mut();
            outputs.next().unwrap().columns = 1000;
        },
    ),
    Case(
        HS,
        &[
            Rule::SmInsideTessFactorSizeMatchDomain,
            Rule::MetaSignatureOverlap,
        ],
        |s| {
            let mut factors = entry(s).patch_constants.iter_mut();
            let inside = factors
                .find(|e| e.semantic == SemanticKind::InsideTessFactor)
                .unwrap();
            inside.rows += 1;
        },
    ),
    Case(
        HS,
        &[Rule::SmTessFactorForDomain, Rule::InstrOpConstRange],
        |s| {
            entry(s)
                .patch_constants
                .retain(|e| e.semantic != SemanticKind::InsideTessFactor);
        },
    ),
    // Mesh and amplification shaders.
    Case(AS, &[Rule::MetaNoEntryPropsForEntry], |s| {
        entry(s).stage = Stage::Other
    }),
    Case(
        MESH,
        &[
            Rule::InstrMissingSetMeshOutputCounts,
            Rule::DeclUsedExternalFunction,
        ],
        |s| {
            become_call(s, 168, 171);
        },
    ),
    Case(
        MESH,
        &[
            Rule::InstrMultipleSetMeshOutputCounts,
            Rule::SmCompletePosition,
        ],
        |s| {
            become_call(s, 171, 168);
        },
    ),
    Case(
        MS,
        &[
            Rule::SmMeshVSigRowCount,
            Rule::MetaSignatureOutOfRange,
            Rule::SmMeshTotalSigRowCount,
        ],
        |s| {
            entry(s).outputs[0].start_row = Some(32);
        },
    ),
    // Ray queries and hit objects.
    Case(
        QUERY,
        &[
            Rule::DeclAllocateRayQueryFlagsAreConst,
            Rule::MetaFlagsUsage,
        ],
        |s| {
            set_argument_undef(s, 178, 1);
        },
    ),
    Case(
        QUERY2,
        &[
            Rule::DeclAllocateRayQuery2FlagsAreConst,
            Rule::MetaFlagsUsage,
        ],
        |s| {
            set_argument_undef(s, 258, 2);
        },
    ),
    Case(
        QUERY2,
        &[Rule::DeclAllowOpacityMicromapsExpectedGivenForceOMM2State],
        |s| {
            set_argument_int(s, 258, 1, 0x400);
            set_argument_int(s, 258, 2, 0);
        },
    ),
    Case(HIT_STATE, &[Rule::InstrUndefHitObject], |s| {
        set_argument_undef(s, 275, 1)
    }),
    Case(HIT_ROOT, &[Rule::InstrParamMultiple], |s| {
        set_argument_int(s, 288, 2, 3)
    }),
    Case(
        REORDER,
        &[Rule::InstrMayReorderThreadUndefCoherenceHintParam],
        |s| {
            set_argument_undef(s, 268, 3);
        },
    ),
];
