const CASES: &[Case] = &[
    // Stages.
    Case(CS, &[Rule::SmThreadGroupChannelRange], |s| entry(s).num_threads = Some([64, 1, 0])),
    Case(CS, &[Rule::SmMaxTheadGroup], |s| entry(s).num_threads = Some([1024, 2, 1])),
    Case(CS, &[Rule::SmWaveSizeValue], |s| entry(s).wave_size = wave(5, 5, 0)),
    Case(CS, &[Rule::SmWaveSizeAllZeroWhenUndefined], |s| entry(s).wave_size = wave(0, 8, 0)),
    Case(CS, &[Rule::SmWaveSizeMaxAndPreferredZeroWhenNoRange], |s| {
        entry(s).wave_size = wave(32, 32, 32);
    }),
    Case(CS, &[Rule::SmWaveSizeMaxGreaterThanMin], |s| entry(s).wave_size = wave(32, 16, 0)),
    Case(CS, &[Rule::SmWaveSizePreferredInRange], |s| entry(s).wave_size = wave(16, 32, 8)),
    Case(PS, &[Rule::SmWaveSizeOnComputeOrNode], |s| entry(s).wave_size = wave(32, 32, 0)),
    Case(GS, &[Rule::SmGSInstanceCountRange], |s| geometry!(s, instances, 33)),
    Case(
        GS,
        &[Rule::SmGSOutputVertexCountRange, Rule::SmGSTotalOutputVertexDataRange],
        |s| geometry!(s, max_vertices, 1025),
    ),
    Case(GS, &[Rule::SmGSTotalOutputVertexDataRange], |s| geometry!(s, max_vertices, 1000)),
    Case(GS, &[Rule::SmGSValidInputPrimitive], |s| {
        entry(s).unknown_number = Some((INPUT_PRIMITIVE, 99));
    }),
    Case(GS, &[Rule::SmGSValidOutputPrimitiveTopology], |s| {
        geometry!(s, topology, OutputTopology::LineList);
    }),
    Case(MS, &[Rule::SmMeshShaderMaxVertexCount], |s| {
        mesh!(s, max_vertices, 1025);
    }),
    Case(MS, &[Rule::SmMeshShaderMaxPrimitiveCount], |s| mesh!(s, max_primitives, 257)),
    // 31 KiB of outputs and 16 KiB of payload.
    Case(LAYERS, &[Rule::SmMeshShaderInOutSize], |s| {
        mesh!(s, max_vertices, 256);
        mesh!(s, max_primitives, 1);
        mesh!(s, payload_bytes, 16 * 1024);
        let elements = entry(s).outputs.iter();
        let scalars: u32 = elements.map(|element| element.rows * element.columns).sum();
        for (row, columns) in (20..).zip([4; 8]).take(((31 - scalars) / 4) as usize) {
            let mut own = own_element("OWN", SemanticKind::Arbitrary, row, columns);
            own.semantic_indices = [row].into();
            entry(s).outputs.push(own);
        }
        if !(31 - scalars).is_multiple_of(4) {
            let own = own_element("REST", SemanticKind::Arbitrary, 19, (31 - scalars) % 4);
            entry(s).outputs.push(own);
        }
    }),
    Case(AS, &[Rule::SmAmplificationShaderPayloadSizeDeclared], |s| {
        entry(s).stage = Stage::Amplification { payload_bytes: 0 };
    }),
    Case(AS, &[Rule::SmAmplificationShaderPayloadSize], |s| {
        entry(s).stage = Stage::Amplification {
            payload_bytes: 16 * 1024 + 4,
        };
    }),
    Case(LIB, &[Rule::SmRayShaderPayloadSize], |s| {
        for entry in &mut s.entry_points {
            entry.payload_bytes = entry.payload_bytes.map(|_| 0);
        }
    }),
    // Tessellation.
    Case(HS, &[Rule::SmHSInputControlPointCountRange], |s| hull!(s, input_control_points, 33)),
    Case(HS, &[Rule::SmOutputControlPointCountRange], |s| hull!(s, output_control_points, 0)),
    Case(HS, &[Rule::MetaMaxTessFactor], |s| hull!(s, max_tessellation_factor, 65.0)),
    Case(HS, &[Rule::MetaTessellatorPartition], |s| {
        hull!(s, partitioning, TessellatorPartitioning::Undefined);
    }),
    Case(HS, &[Rule::MetaTessellatorOutputPrimitive], |s| {
        hull!(s, output, TessellatorOutput::Undefined);
    }),
    Case(HS, &[Rule::SmTriOutputPrimitiveMismatch], |s| {
        hull!(s, output, TessellatorOutput::Line);
    }),
    Case(HS, &[Rule::SmValidDomain], |s| hull!(s, domain, DomainShape::Undefined)),
    Case(LINES_HS, &[Rule::SmIsoLineOutputPrimitiveMismatch], |s| {
        hull!(s, output, TessellatorOutput::TriangleCw);
    }),
    Case(HS, &[Rule::SmTessFactorSizeMatchDomain], |s| {
        more_factors(s, SemanticKind::TessFactor);
    }),
    Case(DS, &[Rule::SmDSInputControlPointCountRange], |s| {
        let Stage::Domain { input_control_points, .. } = &mut entry(s).stage else {
            panic!("no domain shader");
        };
        *input_control_points = 33;
    }),
    // Signatures.
    Case(VS, &[Rule::MetaSemanticLen], |s| {
        input(s, SemanticKind::Arbitrary).name = "N".repeat(65).into();
    }),
    Case(VS, &[Rule::MetaSemaKindMatchesName], |s| {
        output(s, SemanticKind::Position).name = "SV_Place".into();
    }),
    Case(VS, &[Rule::MetaSignatureCompType], |s| {
        input(s, SemanticKind::Arbitrary).component = ComponentType::PackedS8x32;
    }),
    Case(VS, &[Rule::MetaSemanticShouldBeAllocated], |s| {
        input(s, SemanticKind::Arbitrary).start_row = None;
    }),
    Case(VS, &[Rule::MetaSemanticCompType], |s| {
        let position = output(s, SemanticKind::Position);
        position.component = ComponentType::F64;
    }),
    Case(VS, &[Rule::SmNoInterpMode], |s| {
        input(s, SemanticKind::Arbitrary).interpolation = InterpolationMode::Constant;
    }),
    Case(VS, &[Rule::SmStreamIndexRange], |s| output(s, SemanticKind::Position).stream = 1),
    Case(VS, &[Rule::MetaSemanticIndexMax], |s| {
        output(s, SemanticKind::Position).semantic_indices = Box::new([1]);
    }),
    Case(VS, &[Rule::MetaSignatureOutOfRange], |s| {
        input(s, SemanticKind::Arbitrary).start_row = Some(32);
    }),
    Case(VS, &[Rule::MetaNoSemanticOverlap], |s| {
        let mut twin = input(s, SemanticKind::Arbitrary).clone();
        twin.start_row = Some(31);
        entry(s).inputs.push(twin);
    }),
    // An element without a name has that of its system value.
    // To a pixel shader an instance is an input like any other.
    Case(PS, &[Rule::MetaDuplicateSysValue], |s| {
        for index in 0..2 {
            let kind = SemanticKind::InstanceId;
            let mut own = own_element("SV_InstanceID", kind, 25 + index, 1);
            own.component = ComponentType::U32;
            own.interpolation = InterpolationMode::Constant;
            own.semantic_indices = [index].into();
            entry(s).inputs.push(own);
        }
    }),
    // An element without a name has that of its system value.
    Case(VS, &[Rule::MetaNoSemanticOverlap, Rule::MetaDuplicateSysValue, Rule::SmCompletePosition], |s| {
        let mut twin = output(s, SemanticKind::Position).clone();
        twin.name = "".into();
        twin.id = 31;
        twin.start_row = Some(31);
        entry(s).outputs.push(twin);
    }),
    Case(VS, &[Rule::MetaSignatureOverlap], |s| {
        let mut twin = input(s, SemanticKind::Arbitrary).clone();
        twin.name = "OTHER".into();
        entry(s).inputs.push(twin);
    }),
    Case(VS, &[Rule::SmSemantic], |s| {
        let mut other = output(s, SemanticKind::Position).clone();
        other.semantic = SemanticKind::Depth;
        other.interpolation = InterpolationMode::Undefined;
        other.name = "SV_Depth".into();
        other.start_row = None;
        entry(s).inputs.push(other);
    }),
    Case(VS, &[Rule::SmPatchConstantOnlyForHSDS], |s| {
        let element = input(s, SemanticKind::Arbitrary).clone();
        entry(s).patch_constants.push(element);
    }),
    Case(CS, &[Rule::SmCSNoSignatures], |s| {
        let vertex = read_shader(&bytes(VS)).unwrap();
        entry(s).inputs = vertex.entry_points[0].inputs.clone();
    }),
    Case(PS, &[Rule::SmPSTargetIndexMatchesRow], |s| {
        output(s, SemanticKind::Target).semantic_indices = Box::new([7]);
    }),
    Case(PS, &[Rule::MetaSemanticIndexMax], |s| {
        let target = output(s, SemanticKind::Target);
        target.start_row = Some(8);
        target.semantic_indices = Box::new([8]);
    }),
    Case(PS, &[Rule::SmPSOutputSemantic, Rule::SmSemantic], |s| {
        let mut other = output(s, SemanticKind::Target).clone();
        other.semantic = SemanticKind::Arbitrary;
        other.name = "OTHER".into();
        entry(s).outputs.push(other);
    }),
    Case(DERIVATIVES, &[Rule::SmUndefinedOutput], |s| {
        let mut own = own_element("SV_Depth", SemanticKind::Depth, 0, 1);
        own.start_row = None;
        own.interpolation = InterpolationMode::Undefined;
        entry(s).outputs.push(own);
    }),
    // Resources.
    Case(CS, &[Rule::MetaDenseResIDs], |s| another_uav(s).id = 9),
    Case(CS, &[Rule::SmResourceRangeOverlap], |s| {
        let space = s.resources.uavs[0].space;
        another_uav(s).space = space;
    }),
    Case(CS, &[Rule::SmROVOnlyInPS], |s| {
        s.resources.uavs[0].detail.rasterizer_ordered = true;
    }),
    Case(CS, &[Rule::MetaStructBufAlignmentOutOfBound], |s| {
        another_uav(s).detail.stride = Some(4096);
    }),
    Case(CS, &[Rule::MetaStructBufAlignment], |s| another_uav(s).detail.stride = Some(5)),
    Case(CS, &[Rule::MetaCoherenceNotOnAppendConsume], |s| {
        let detail = &mut another_uav(s).detail;
        detail.has_counter = true;
        detail.globally_coherent = true;
    }),
    Case(CS, &[Rule::InstrReorderCoherentRequiresSM69], |s| {
        another_uav(s).detail.reorder_coherent = true;
    }),
    Case(CS, &[Rule::SmInvalidTextureKindOnUAV], |s| {
        let uav = another_uav(s);
        uav.kind = ResourceKind::TextureCube;
        uav.detail.component = Some(ComponentType::F32);
        uav.ty = None;
    }),
    Case(CS, &[Rule::SmCounterOnlyOnStructBuf], |s| {
        let uav = another_uav(s);
        uav.kind = ResourceKind::RawBuffer;
        uav.detail.has_counter = true;
    }),
    Case(CS, &[Rule::SmInvalidResourceKind], |s| {
        another_uav(s).kind = ResourceKind::Invalid;
    }),
    Case(CS, &[Rule::SmInvalidSamplerFeedbackType], |s| {
        another_uav(s).kind = ResourceKind::FeedbackTexture2D;
    }),
    Case(CS, &[Rule::SmInvalidResourceCompType], |s| {
        let uav = another_uav(s);
        uav.kind = ResourceKind::Texture2D;
        uav.detail.component = Some(ComponentType::I1);
        uav.ty = None;
    }),
    Case(CS, &[Rule::SmSampleCountOnlyOn2DMS], |s| another_uav(s).detail.sample_count = 4),
    Case(CS, &[Rule::MetaValidSamplerMode], |s| {
        let mut own = s.resources.samplers[0].clone();
        own.id = u32::try_from(s.resources.samplers.len()).unwrap();
        own.space = 77;
        own.detail.sampler = Some(SamplerKind::Invalid);
        s.resources.samplers.push(own);
    }),
    Case(CS, &[Rule::SmCBufferSize], |s| s.resources.cbvs[0].detail.cbuffer_size = 65537),
    Case(CS, &[Rule::SmCBufferTemplateTypeMustBeStruct], |s| {
        s.resources.cbvs[0].ty = Some(ty(&mut s.module, Type::Float));
    }),
    Case(CS, &[Rule::InstrCBufferOutOfBound], |s| {
        s.resources.cbvs[0].detail.cbuffer_size = 8;
        set_argument_int(s, 59, 2, 1);
    }),
    // Flags.
    Case(CS, &[Rule::MetaFlagsUsage], |s| entry(s).flags |= ShaderFlags::WAVE_OPS),
    // Operations and their operands.
    Case(CS, &[Rule::InstrSamplerModeForSample], |s| {
        s.resources.samplers[0].detail.sampler = Some(SamplerKind::Comparison);
    }),
    Case(CS, &[Rule::InstrSampleCompType], |s| {
        srv(s, ResourceKind::Texture2D).detail.component = Some(ComponentType::U32);
    }),
    Case(CS, &[Rule::InstrCreateHandleImmRangeID], |s| {
        duplicate(s, 57);
        set_argument_int(s, 57, 2, 99);
    }),
    Case(CS, &[Rule::InstrIllegalDXILOpCode], |s| set_argument_int(s, 93, 0, 5000)),
    Case(CS, &[Rule::InstrExpDXILOpCodeRequiresExpSM, Rule::SmIncompatibleOperation,
               Rule::SmIncompatibleShaderModel], |s| {
        set_argument_int(s, 93, 0, 0x8000_0001);
    }),
    Case(CS, &[Rule::InstrOpCodeReserved], |s| set_argument_int(s, 93, 0, 226)),
    Case(CS, &[Rule::InstrIllegalDXILOpFunction], |s| set_argument_int(s, 93, 0, 6)),
    Case(CS, &[Rule::InstrOpConst], |s| set_argument_undef(s, 93, 0)),
    Case(VS, &[Rule::InstrOpConstRange], |s| set_argument_int(s, 4, 1, 31)),
    Case(DS, &[Rule::InstrOpConstRange], |s| set_argument_int(s, 104, 1, 31)),
    // Operations name elements by ID, not by index.
    Case(VS, &[Rule::InstrOpConstRange], |s| entry(s).inputs[0].id = 31),
    Case(VS, &[Rule::InstrOperandRange], |s| set_argument_int(s, 4, 2, 31)),
    // Registers of handles, and what hit objects are made of.
    Case(HEAPS, &[Rule::InstrOpConstRange], |s| set_argument_int(s, 217, 2, 1000)),
    Case(HITS, &[Rule::InstrNoReadingUninitialized], |s| set_argument_undef(s, 262, 2)),
    Case(HITS, &[Rule::InstrResourceKindForTraceRay], |s| {
        // The binding and the annotation say that it is a texture of floats.
        s.resources.srvs[0].kind = ResourceKind::Texture2D;
        let ty = argument_type(s, 216, 2);
        let words = [int32(s, 2), int32(s, 0x0109)];
        let words = value_list(s, &words);
        let properties = constant(s, ty, Constant::Aggregate(words));
        let structure = argument(s, 262, 1);
        let body = &mut s.module.bodies[0];
        let mut insts = body.insts.values();
        let annotation = insts.find(|data| data.result.expand() == Some(structure));
        let Inst::Call { args, .. } = annotation.unwrap().inst else {
            panic!("no call");
        };
        body.value_pool[args.start as usize + 2] = properties;
    }),
    Case(HITS, &[Rule::InstrNoReadingUninitialized], |s| set_argument_undef(s, 267, 2)),
    Case(HIT_STATE, &[Rule::InstrOperandRange], |s| set_argument_int(s, 275, 2, 3)),
    Case(VS, &[Rule::SmOperand], |s| set_argument_int(s, 4, 4, 0)),
    Case(VS, &[Rule::SmCompletePosition], |s| {
        let position = entry(s).outputs.iter().position(|e| e.semantic == SemanticKind::Position);
        // One component is written over another one.
        let id = position.unwrap() as u64;
        let body = &s.module.bodies[0];
        let view = crate::ir::FuncView { module: &s.module, function: body };
        let args = body.insts.values().find_map(|data| {
            let Inst::Call { args, .. } = data.inst else { return None };
            let list = crate::dxil::ops::op_arguments(view, &s.callees, &data.inst)?;
            let is = |at: usize, value| view.constant_int(list[at]) == Some(value);
            (is(0, 5) && is(1, id) && is(3, 3)).then_some(args)
        });
        let at = args.unwrap().start as usize + 3;
        let byte = ty(&mut s.module, Type::Int(8));
        let zero = constant(s, byte, Constant::Int(0));
        s.module.bodies[0].value_pool[at] = zero;
    }),
    // Instructions.
    Case(CS, &[Rule::InstrNoUDivByZero], |s| {
        let zero = int32(s, 0);
        replace(s, |shader, id, inst| match inst {
            Inst::Binary { lhs, fast_math, .. }
                if *shader.module.types.get(shader.module.bodies[0].insts[id].ty)
                    == Type::Int(32) =>
            {
                Some(Inst::Binary { op: BinaryOp::UDiv, fast_math, lhs, rhs: zero })
            }
            _ => None,
        });
    }),
    Case(CS, &[Rule::InstrNoIDivByZero], |s| {
        let zero = int32(s, 0);
        replace(s, |shader, id, inst| match inst {
            Inst::Binary { lhs, fast_math, .. }
                if *shader.module.types.get(shader.module.bodies[0].insts[id].ty)
                    == Type::Int(32) =>
            {
                Some(Inst::Binary { op: BinaryOp::SDiv, fast_math, lhs, rhs: zero })
            }
            _ => None,
        });
    }),
    Case(CS, &[Rule::InstrNoReadingUninitialized], |s| {
        let int = ty(&mut s.module, Type::Int(32));
        let undef = constant(s, int, Constant::Undef);
        replace(s, |shader, id, inst| match inst {
            Inst::Binary { lhs, fast_math, op, .. }
                if *shader.module.types.get(shader.module.bodies[0].insts[id].ty)
                    == Type::Int(32) =>
            {
                Some(Inst::Binary { op, fast_math, lhs, rhs: undef })
            }
            _ => None,
        });
    }),
    Case(CS, &[Rule::InstrAllowed], |s| {
        replace(s, |_, _, inst| match inst {
            Inst::Cast { value, .. } => Some(Inst::Cast { op: CastOp::PtrToInt, value }),
            _ => None,
        });
    }),
    // Functions and flow.
    Case(CS, &[Rule::DeclFnAttribute], |s| {
        use crate::ir::{Attribute, AttributeGroup};
        let group = u32::try_from(s.module.attribute_groups.len()).unwrap();
        s.module.attribute_groups.push(AttributeGroup {
            slot: AttributeGroup::FUNCTION,
            attributes: vec![Attribute::String("unknown".into(), None)],
        });
        s.module.attribute_sets.push(Box::new([group]));
        let set = u32::try_from(s.module.attribute_sets.len()).unwrap();
        let function = entry(s).function.unwrap();
        s.module.functions[function].attributes = set;
    }),
    // LLVM's verifier looks at declarations of operations, too.
    Case(CS, &[Rule::DeclFnAttribute], |s| {
        use crate::ir::{Attribute, AttributeGroup};
        // `readnone` and `readonly` (LLVM 3.7, `LLVMBitCodes.h`, attribute kinds).
        let group = u32::try_from(s.module.attribute_groups.len()).unwrap();
        s.module.attribute_groups.push(AttributeGroup {
            slot: AttributeGroup::FUNCTION,
            attributes: vec![Attribute::Enum(20), Attribute::Enum(21)],
        });
        s.module.attribute_sets.push(Box::new([group]));
        let set = u32::try_from(s.module.attribute_sets.len()).unwrap();
        let mut functions = s.module.functions.values_mut();
        let operation = functions.find(|decl| decl.name.starts_with("dx.op.")).unwrap();
        operation.attributes = set;
    }),
    Case(CS, &[Rule::DeclShaderReturnVoid], |s| {
        let int = ty(&mut s.module, Type::Int(32));
        let function = Type::Function { ret: int, params: Default::default(), vararg: false };
        let own = s.module.types.types.push(function);
        let id = entry(s).function.unwrap();
        s.module.functions[id].ty = own;
    }),
    Case(CS, &[Rule::FlowFunctionCall], |s| {
        let (int, void) = (ty(&mut s.module, Type::Int(32)), ty(&mut s.module, Type::Void));
        let params = [int].into_iter().collect();
        let function = Type::Function { ret: void, params, vararg: false };
        let own = s.module.types.types.push(function);
        let id = entry(s).function.unwrap();
        s.module.functions[id].ty = own;
    }),
    Case(LIB, &[Rule::SmRayShaderSignatures], |s| {
        let vertex = read_shader(&bytes(VS)).unwrap();
        let entry = s.entry_points.iter_mut().find(|entry| entry.function.is_some());
        entry.unwrap().inputs = vertex.entry_points[0].inputs.clone();
    }),
    Case(CS, &[Rule::InstrResourceCoordinateMiss], |s| set_argument_undef(s, 62, 3)),
    Case(CS, &[Rule::InstrResourceCoordinateTooMany], |s| {
        let float = argument_type(s, 62, 5);
        let zero = constant(s, float, Constant::Float(0));
        set_argument(s, 62, 5, zero);
    }),
    Case(CS, &[Rule::InstrTextureOffset], |s| {
        set_argument_int(s, 62, 7, 9);
        set_argument_int(s, 62, 8, 0);
    }),
    Case(CS, &[Rule::InstrResourceOffsetMiss], |s| {
        set_argument_int(s, 62, 7, 1);
        set_argument_undef(s, 62, 8);
    }),
    Case(CS, &[Rule::InstrResourceOffsetTooMany], |s| set_argument_int(s, 62, 9, 1)),
    Case(CS, &[Rule::InstrCoordinateCountForStructBuf], |s| set_argument_undef(s, 68, 3)),
    Case(CS, &[Rule::InstrResourceKindForSample], |s| {
        srv(s, ResourceKind::Texture2D).kind = ResourceKind::Texture2DMS;
    }),
    Case(CS, &[Rule::InstrWriteMaskGapForUAV], |s| {
        set_argument_int(s, 69, 8, 5);
        set_argument_undef(s, 69, 5);
        set_argument_undef(s, 69, 7);
    }),
    Case(VS, &[Rule::InstrOload], |s| {
        let id = s.module.function_named("dx.op.loadInput.f32").unwrap();
        s.callees[id] = crate::dxil::ops::Callee::DxOp(crate::dxil::ops::Overload::F64);
    }),
    Case(CS, &[Rule::DeclDxilFnExtern], |s| {
        let id = s.module.function_named("dx.op.threadId.i32").unwrap();
        s.callees[id] = crate::dxil::ops::Callee::Function;
    }),
    Case(CS, &[Rule::DeclUsedExternalFunction], |s| {
        let id = s.module.function_named("dx.op.threadId.i32").unwrap();
        let twin = s.module.functions[id].clone();
        let twin = s.module.functions.push(twin);
        s.callees[twin] = s.callees[id];
    }),
    Case(PS, &[Rule::SmPSTargetCol0], |s| {
        let target = output(s, SemanticKind::Target);
        target.start_column = 1;
    }),
    // Variables.
    Case(CS, &[Rule::DeclUsedInternal], |s| groupshared(s, Type::Float)),
    Case(CS, &[Rule::TypesNoMultiDim], |s| {
        let element = ty(&mut s.module, Type::Float);
        let element = ty(&mut s.module, Type::Array { element, count: 2 });
        used_groupshared(s, Type::Array { element, count: 2 });
    }),
    Case(CS, &[Rule::TypesNoVector], |s| {
        let element = ty(&mut s.module, Type::Float);
        used_groupshared(s, Type::Vector { element, count: 2 });
    }),
    Case(CS, &[Rule::TypesIntWidth], |s| used_groupshared(s, Type::Int(24))),
    Case(CS, &[Rule::TypesDefined], |s| used_groupshared(s, Type::Label)),
    Case(CS, &[Rule::TypesNoPtrToPtr], |s| {
        let pointee = ty(&mut s.module, Type::Float);
        let field = ty(&mut s.module, Type::Pointer { pointee, address_space: 0 });
        used_groupshared(s, structure("P", field));
    }),
    Case(CS, &[Rule::DeclDxilNsReserved], |s| {
        let field = ty(&mut s.module, Type::Float);
        used_groupshared(s, structure("dx.own", field));
    }),
    Case(CS, &[Rule::InstrDxilStructUser], |s| {
        let field = ty(&mut s.module, Type::Float);
        used_groupshared(s, structure("dx.types.CBufRet.f32.own", field));
    }),
];

fn structure(name: &str, field: TypeId) -> Type {
    Type::Struct {
        name: Some(name.into()),
        fields: [field].into_iter().collect(),
        packed: false,
        opaque: false,
    }
}

/// Adds a groupshared variable that nothing uses.
fn groupshared(shader: &mut Shader, own: Type) {
    variable(shader, own, crate::ir::address_space::GROUP_SHARED, false);
}

/// Adds a groupshared variable whose address is taken.
fn used_groupshared(shader: &mut Shader, own: Type) {
    let space = crate::ir::address_space::GROUP_SHARED;
    let element = ty(&mut shader.module, own.clone());
    let base = variable(shader, own, space, false);
    address(shader, base, &[0], element, space);
}

type Parts = Vec<(FourCc, Vec<u8>)>;
type PartsEdit = fn(&mut Parts);

fn part(parts: &mut Parts, name: FourCc) -> &mut Vec<u8> {
    let mut parts = parts.iter_mut();
    parts.find(|(own, _)| *own == name).map(|(_, data)| data).unwrap()
}

/// Edits of the parts of a container, and the rules that they break.
const PART_CASES: &[(&str, &[Rule], PartsEdit)] = &[
    (VS, &[Rule::ContainerPartRepeated], |p| {
        let twin = p.iter().find(|(name, _)| *name == FourCc::HASH).unwrap().clone();
        p.push(twin);
    }),
    (VS, &[Rule::ContainerPartMissing], |p| p.retain(|(name, _)| *name != FourCc::SFI0)),
    (VS, &[Rule::ContainerPartInvalid], |p| p.push((FourCc(*b"WXYZ"), vec![0; 4]))),
    (VS, &[Rule::ContainerPartMatches], |p| part(p, FourCc::SFI0)[0] ^= 1),
    (VS, &[Rule::ContainerContentInvalid], |p| part(p, FourCc::PSV0).truncate(8)),
    (VS, &[Rule::ContainerContentMatches], |p| part(p, FourCc::PSV0)[4] ^= 1),
    (VS, &[Rule::ContainerShaderHash], |p| part(p, FourCc::HASH)[4] ^= 1),
    (VS, &[Rule::SmProgramVersion], |p| part(p, FourCc::DXIL)[0] ^= 1),
    (VS, &[Rule::BitcodeValid], |p| part(p, FourCc::DXIL)[100..160].fill(0)),
    (VS, &[Rule::ContainerRootSignatureIncompatible], |p| {
        p.retain(|(name, _)| *name != FourCc::RTS0);
        // Version 1.0 without parameters and static samplers.
        let words = [1u32, 0, 24, 0, 24, 0];
        p.push((FourCc::RTS0, words.iter().flat_map(|word| word.to_le_bytes()).collect()));
    }),
    (VS, &[Rule::ContainerUnusedItemInTable], |p| add_psv_string(part(p, FourCc::PSV0))),
    (DS, &[Rule::ContainerPartMissing], |p| p.retain(|(name, _)| *name != FourCc::PSG1)),
];

/// Adds a string that nothing names to the table of PSV0.
fn add_psv_string(psv: &mut Vec<u8>) {
    let word = |at: usize| u32::from_le_bytes(psv[at..at + 4].try_into().unwrap()) as usize;
    let mut at = 4 + word(0);
    let resources = word(at);
    at += 4;
    if resources > 0 {
        at += 4 + resources * word(at);
    }
    let bytes = word(at);
    let new = u32::try_from(bytes + 4).unwrap();
    psv[at..at + 4].copy_from_slice(&new.to_le_bytes());
    let end = at + 4 + bytes;
    psv.splice(end..end, *b"own\0");
}

/// Sets an operand of the node to a number.
fn set_number(module: &mut Module, node: MdId, index: usize, number: u64) {
    let new = number_node(module, number);
    set_node(module, node, index, Some(new));
}

fn set_node(module: &mut Module, node: MdId, index: usize, new: Option<MdId>) {
    let MdNode::Tuple { start, .. } = module.metadata.nodes[node] else {
        panic!("no list");
    };
    module.metadata.operands[start as usize + index] = new;
}

fn named(module: &Module, name: &str) -> MdId {
    module.metadata.named(name).next().unwrap()
}

fn operand(module: &Module, node: MdId, index: usize) -> MdId {
    module.metadata.tuple(node).unwrap()[index].unwrap()
}

/// Returns the first element of a signature: 0 inputs, 1 outputs.
fn element(module: &Module, signature: usize) -> MdId {
    let signatures = operand(module, named(module, "dx.entryPoints"), 2);
    operand(module, operand(module, signatures, signature), 0)
}

/// Returns the list after a tag of the entry point's properties.
fn property(module: &Module, wanted: u64) -> MdId {
    let list = operand(module, named(module, "dx.entryPoints"), 4);
    let list = module.metadata.tuple(list).unwrap();
    let mut pairs = list.chunks_exact(2);
    let found = pairs.find(|pair| {
        let MdNode::Value(value) = module.metadata.nodes[pair[0].unwrap()] else {
            return false;
        };
        module.values[value.index()].def == ValueDef::Constant(Constant::Int(wanted))
    });
    found.unwrap()[1].unwrap()
}

/// Numbers of a stage's state: shader, tag of the property, index in its list, and the rule that an
/// unknown number breaks.
const STATE_CASES: &[(&str, u64, usize, Rule)] = &[
    (GS, 1, 0, Rule::SmGSValidInputPrimitive),
    (GS, 1, 3, Rule::SmGSValidOutputPrimitiveTopology),
    (DS, 2, 0, Rule::SmValidDomain),
    (HS, 3, 3, Rule::SmValidDomain),
    (HS, 3, 4, Rule::MetaTessellatorPartition),
    (HS, 3, 5, Rule::MetaTessellatorOutputPrimitive),
];

const MODULE_CASES: &[(&str, Rule, ModuleEdit)] = &[
    (CS, Rule::MetaTarget, |m| m.triple = "spir".into()),
    (CS, Rule::MetaKnown, |m| {
        let at = m.metadata.named.iter().position(|n| m.metadata.name_of(n) == "dx.resources");
        let start = m.metadata.named[at.unwrap()].name_start as usize;
        m.metadata.strings[start] = b'z';
    }),
    (CS, Rule::MetaRequired, |m| {
        let at = m.metadata.named.iter().position(|n| m.metadata.name_of(n) == "dx.entryPoints");
        m.metadata.named.remove(at.unwrap());
    }),
    (CS, Rule::MetaVersionSupported, |m| {
        let node = named(m, "dx.valver");
        set_number(m, node, 1, 99);
    }),
    (CS, Rule::SmDxilVersion, |m| {
        let node = named(m, "dx.version");
        set_number(m, node, 1, 3);
    }),
    (CS, Rule::SmName, |m| {
        let node = named(m, "dx.shaderModel");
        set_number(m, node, 1, 7);
    }),
    (CS, Rule::MetaWellFormed, |m| {
        let node = named(m, "dx.version");
        set_node(m, node, 0, None);
    }),
    (CS, Rule::MetaNoEntryPropsForEntry, |m| {
        let node = named(m, "dx.entryPoints");
        set_node(m, node, 4, None);
    }),
    (VS, Rule::MetaSemaKindValid, |m| {
        let node = element(m, 0);
        set_number(m, node, 3, 99);
    }),
    (VS, Rule::MetaInterpModeValid, |m| {
        let node = element(m, 0);
        set_number(m, node, 5, 99);
    }),
];
