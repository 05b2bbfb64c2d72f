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

/// Turns the first call of `opcode` into one of `other`, with the operands of that one's first
/// call. Neither returns a value.
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
const SHADOW: &str = "../../../hwtests/shaders/draw/shadow_ps";
const STORES: &str = "../../../hwtests/shaders/textures/store_1d_2d_3d";
const LINES_HS: &str = "../../../hwtests/shaders/tess/lines_hs";
const GATHER_RAW: &str = "../../../hwtests/shaders/newer/gather_raw16";
const POSITIONS: &str = "../../../hwtests/shaders/textures/sample_positions";
const QUERY_PARTS: &str = "../../../translate/filetests/ray_queries/unasked";
const FEEDBACK: &str = "ops/rov_feedback_ps";
const STREAMS: &str = "../../../hwtests/shaders/streams/triangle_gs";

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
    Case(BIAS, &[Rule::InstrSamplerModeForLOD], |s| {
        let mut own = s.resources.samplers[0].clone();
        own.detail.sampler = Some(SamplerKind::Mono);
        let handle = another_handle(s, own);
        set_argument(s, 81, 2, handle);
    }),
    Case(BIAS, &[Rule::InstrResourceKindForCalcLOD], |s| {
        let mut own = s.resources.srvs[0].clone();
        own.kind = ResourceKind::Texture2DMS;
        let handle = another_handle(s, own);
        set_argument(s, 81, 1, handle);
    }),
    Case(BIAS, &[Rule::InstrResourceClassForSamplerGather], |s| {
        s.resources.srvs[0].class = ResourceClass::Uav;
    }),
    Case(TEXELS, &[Rule::InstrResourceClassForUAVStore], |s| {
        s.resources.uavs[0].class = ResourceClass::Srv;
    }),
    Case(SIZES, &[Rule::InstrResourceKindForGetDim], |s| {
        s.resources.srvs[0].kind = ResourceKind::RtAccelerationStructure;
    }),
    Case(
        RAW,
        &[Rule::InstrResourceClassForLoad],
        |s| {
            s.resources.srvs[0].class = ResourceClass::Sampler;
            s.resources.srvs[0].detail.sampler = Some(SamplerKind::Default);
        },
    ),
    Case(
        RAW,
        &[Rule::InstrResourceKindForBufferLoadStore],
        |s| {
            s.resources.srvs[0].kind = ResourceKind::Texture2D;
            s.resources.srvs[0].detail.component = Some(ComponentType::F32);
        },
    ),
    Case(STORES, &[Rule::InstrResourceKindForTextureStore], |s| {
        s.resources.uavs[0].kind = ResourceKind::TypedBuffer;
    }),
    Case(COUNTERS, &[Rule::InstrBufferUpdateCounterOnUAV], |s| {
        let mut own = s.resources.uavs[0].clone();
        own.class = ResourceClass::Srv;
        let handle = another_handle(s, own);
        set_argument(s, 70, 1, handle);
    }),
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
    Case(SHADOW, &[Rule::InstrResourceKindForSampleC], |s| {
        srv(s, ResourceKind::Texture2D).kind = ResourceKind::Texture2DMS;
    }),
    Case(GATHER, &[Rule::InstrResourceKindForGather], |s| {
        srv(s, ResourceKind::Texture2D).kind = ResourceKind::Texture2DMS;
    }),
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
    // A texture in place of the sampler.
    Case(GATHER_RAW, &[Rule::InstrSamplerModeForSample], |s| {
        let texture = argument(s, 223, 1);
        set_argument(s, 223, 2, texture);
    }),
    Case(FEEDBACK, &[Rule::InstrSamplerModeForSample], |s| {
        let texture = argument(s, 174, 2);
        set_argument(s, 174, 3, texture);
    }),
    // The handle is still annotated as the texture that it was.
    Case(GATHER_RAW, &[Rule::InstrOpConstRange], |s| {
        srv(s, ResourceKind::Texture2D).kind = ResourceKind::Texture2DArray;
    }),
    Case(POSITIONS, &[Rule::InstrResourceKindForGetDim], |s| {
        srv(s, ResourceKind::Texture2DMS).kind = ResourceKind::Texture2D;
    }),
    Case(QUERY, &[Rule::InstrResourceKindForTraceRay], |s| {
        srv(s, ResourceKind::RtAccelerationStructure).kind = ResourceKind::Texture2D;
    }),
    Case(QUERY_PARTS, &[Rule::InstrOperandRange], |s| {
        set_argument_int(s, 211, 2, 3)
    }),
    // Loads, stores and sizes.
    Case(
        TEXELS,
        &[Rule::InstrWriteMaskForTypedUAVStore],
        |s| {
            set_argument_int(s, 67, 9, 7);
            set_argument_undef(s, 67, 8);
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
        &[Rule::InstrOffsetOnUAVLoad],
        |s| {
            let offset = int32(s, 1);
            set_argument(s, 66, 6, offset);
            set_argument(s, 66, 7, offset);
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
        &[Rule::MetaBarycentricsFloat3],
        |s| {
            input(s, SemanticKind::Barycentrics).columns = 4;
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
        PS,
        &[Rule::MetaClipCullMaxComponents, Rule::MetaClipCullMaxRows],
        |s| {
            for index in 0..3 {
                let kind = SemanticKind::ClipDistance;
                let mut own = own_element("SV_ClipDistance", kind, 25 + index, 3);
                own.semantic_indices = [index].into();
                entry(s).inputs.push(own);
            }
        },
    ),
    Case(DERIVATIVES, &[Rule::SmNoPSOutputIdx], |s| {
        let target = output(s, SemanticKind::Target);
        target.rows = 2;
        target.semantic_indices = [0, 1].into();
    }),
    Case(PS, &[Rule::MetaSystemValueRows], |s| {
        let kind = SemanticKind::RenderTargetArrayIndex;
        let mut own = own_element("SV_RenderTargetArrayIndex", kind, 25, 1);
        own.component = ComponentType::U32;
        own.interpolation = InterpolationMode::Constant;
        own.rows = 2;
        own.semantic_indices = [0, 1].into();
        entry(s).inputs.push(own);
    }),
    Case(STREAMS, &[Rule::SmMultiStreamMustBePoint], |s| {
        entry(s).outputs[0].stream = 1;
    }),
    Case(VS, &[Rule::MetaIntegerInterpMode], |s| {
        let output = output(s, SemanticKind::Arbitrary);
        output.component = ComponentType::U32;
        output.interpolation = InterpolationMode::Linear;
    }),
    Case(DEPTH, &[Rule::MetaSemanticShouldNotBeAllocated], |s| {
        output(s, SemanticKind::DepthGreaterEqual).start_row = Some(9);
    }),
    Case(PS, &[Rule::MetaInterpModeInOneRow], |s| {
        let own = own_element("OWN", SemanticKind::Arbitrary, 25, 2);
        let mut other = own_element("OTHER", SemanticKind::Arbitrary, 25, 1);
        other.start_column = 2;
        other.interpolation = InterpolationMode::LinearCentroid;
        entry(s).inputs.extend([own, other]);
    }),
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
    // The function is not called, so that it has no entry point to suit.
    Case(CS, &[Rule::SmOpcode], |s| {
        let id = second_function(s);
        entry(s).function = Some(id);
        let int = ty(&mut s.module, Type::Int(32));
        let args = [int32(s, 108)];
        new_call(s, first(), ("dx.op.primitiveID.i32", Overload::I32), &args, int);
    }),
    Case(
        STORES,
        &[Rule::SmIncompatibleStage, Rule::SmIncompatibleOperation],
        |s| entry(s).kind = ShaderKind::Vertex,
    ),
    // Tessellation.
    Case(HS, &[Rule::SmZeroHSInputControlPointWithInput], |s| {
        hull!(s, input_control_points, 0);
        // Which control point an input is of is not known.
        let int = ty(&mut s.module, Type::Int(32));
        for index in 0..s.module.bodies.len() {
            s.module.bodies.swap(0, index);
            let vertex = new_value(s, int, ValueDef::Argument(0));
            let body = &s.module.bodies[0];
            let loads: Vec<List<ValueId>> = body
                .insts
                .values()
                .filter(|data| call_of(s, &data.inst, 4))
                .filter_map(|data| match data.inst {
                    Inst::Call { args, .. } => Some(args),
                    _ => None,
                })
                .collect();
            for args in loads {
                s.module.bodies[0].value_pool[args.start as usize + 4] = vertex;
            }
            s.module.bodies.swap(0, index);
        }
    }),
    Case(HS, &[Rule::SmOutputControlPointsTotalScalars], |s| {
        hull!(s, output_control_points, 32);
        fill_registers(&mut entry(s).outputs, InterpolationMode::Undefined);
    }),
    Case(HS, &[Rule::SmInsideTessFactorSizeMatchDomain], |s| {
        more_factors(s, SemanticKind::InsideTessFactor);
    }),
    Case(HS, &[Rule::SmTessFactorForDomain], |s| {
        let mut factors = entry(s).patch_constants.iter_mut();
        let inside = factors
            .find(|e| e.semantic == SemanticKind::InsideTessFactor)
            .unwrap();
        inside.semantic = SemanticKind::Arbitrary;
        inside.name = "OWN".into();
    }),
    // Mesh and amplification shaders.
    Case(AS, &[Rule::MetaNoEntryPropsForEntry], |s| {
        entry(s).stage = Stage::Other
    }),
    Case(
        MESH,
        &[Rule::InstrMissingSetMeshOutputCounts],
        |s| {
            become_call(s, 168, 171);
            forget_unused(s);
        },
    ),
    Case(MESH, &[Rule::InstrMultipleSetMeshOutputCounts], |s| {
        duplicate(s, 168);
    }),
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
        &[Rule::DeclAllocateRayQueryFlagsAreConst],
        |s| {
            set_argument_undef(s, 178, 1);
            entry(s).flags -= ShaderFlags::RAYTRACING_TIER_1_1;
        },
    ),
    Case(
        QUERY2,
        &[Rule::DeclAllocateRayQuery2FlagsAreConst],
        |s| {
            set_argument_undef(s, 258, 2);
            entry(s).flags -= ShaderFlags::RAYTRACING_TIER_1_1;
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
