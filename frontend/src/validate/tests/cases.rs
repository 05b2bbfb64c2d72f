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
        geometry!(s, input, InputPrimitive::Undefined);
    }),
    Case(GS, &[Rule::SmGSValidOutputPrimitiveTopology], |s| {
        geometry!(s, topology, OutputTopology::LineList);
    }),
    Case(MS, &[Rule::SmMeshShaderMaxVertexCount], |s| {
        mesh!(s, max_vertices, 1025);
    }),
    Case(MS, &[Rule::SmMeshShaderMaxPrimitiveCount], |s| mesh!(s, max_primitives, 257)),
    Case(MS, &[Rule::SmMeshShaderInOutSize, Rule::SmMeshShaderPayloadSize], |s| {
        mesh!(s, payload_bytes, 48 * 1024);
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
    Case(
        HS,
        &[Rule::SmIsoLineOutputPrimitiveMismatch, Rule::SmTessFactorSizeMatchDomain,
          Rule::SmInsideTessFactorSizeMatchDomain],
        |s| hull!(s, domain, DomainShape::IsoLine),
    ),
    Case(
        HS,
        &[Rule::SmTessFactorSizeMatchDomain, Rule::SmInsideTessFactorSizeMatchDomain],
        |s| hull!(s, domain, DomainShape::Quad),
    ),
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
    Case(VS, &[Rule::MetaDuplicateSysValue, Rule::MetaNoSemanticOverlap, Rule::SmCompletePosition], |s| {
        let mut twin = output(s, SemanticKind::Position).clone();
        twin.name = "".into();
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
    Case(PS, &[Rule::SmUndefinedOutput, Rule::SmPSMultipleDepthSemantic], |s| {
        let mut depth = output(s, SemanticKind::Target).clone();
        depth.semantic = SemanticKind::Depth;
        depth.name = "SV_Depth".into();
        depth.start_row = None;
        depth.columns = 1;
        depth.component = ComponentType::F32;
        entry(s).outputs.push(depth);
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
    Case(CS, &[Rule::MetaValidSamplerMode, Rule::InstrSamplerModeForSample], |s| {
        s.resources.samplers[0].detail.sampler = Some(SamplerKind::Invalid);
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
    Case(CS, &[Rule::InstrCreateHandleImmRangeID, Rule::InstrHandleNotFromCreateHandle], |s| {
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
    // Operations name elements by ID, not by index.
    Case(VS, &[Rule::InstrOpConstRange], |s| entry(s).inputs[0].id = 31),
    Case(VS, &[Rule::InstrOperandRange], |s| set_argument_int(s, 4, 2, 31)),
    // Registers of handles, and what hit objects are made of.
    Case(HEAPS, &[Rule::InstrOpConstRange], |s| set_argument_int(s, 217, 2, 1000)),
    Case(HITS, &[Rule::InstrNoReadingUninitialized], |s| set_argument_undef(s, 262, 2)),
    Case(HITS, &[Rule::InstrResourceKindForTraceRay, Rule::InstrNoReadingUninitialized], |s| {
        set_argument_undef(s, 262, 1);
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
    Case(CS, &[Rule::InstrWriteMaskGapForUAV, Rule::InstrWriteMaskMatchValueForUAVStore], |s| {
        set_argument_int(s, 69, 8, 0);
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
    Case(PS, &[Rule::SmPSTargetCol0, Rule::InstrOperandRange], |s| {
        let target = output(s, SemanticKind::Target);
        target.columns = 3;
        target.start_column = 1;
    }),
    // Variables.
    Case(CS, &[Rule::DeclUsedInternal], |s| groupshared(s, Type::Float)),
    Case(CS, &[Rule::TypesNoMultiDim, Rule::DeclUsedInternal], |s| {
        let element = ty(&mut s.module, Type::Float);
        let element = ty(&mut s.module, Type::Array { element, count: 2 });
        groupshared(s, Type::Array { element, count: 2 });
    }),
    Case(CS, &[Rule::TypesNoVector, Rule::DeclUsedInternal], |s| {
        let element = ty(&mut s.module, Type::Float);
        groupshared(s, Type::Vector { element, count: 2 });
    }),
    Case(CS, &[Rule::TypesIntWidth, Rule::DeclUsedInternal], |s| groupshared(s, Type::Int(24))),
    Case(CS, &[Rule::TypesDefined, Rule::DeclUsedInternal], |s| groupshared(s, Type::Label)),
    Case(CS, &[Rule::TypesNoPtrToPtr, Rule::DeclUsedInternal], |s| {
        let pointee = ty(&mut s.module, Type::Float);
        let field = ty(&mut s.module, Type::Pointer { pointee, address_space: 0 });
        groupshared(s, structure("P", field));
    }),
    Case(CS, &[Rule::DeclDxilNsReserved, Rule::DeclUsedInternal], |s| {
        let field = ty(&mut s.module, Type::Float);
        groupshared(s, structure("dx.own", field));
    }),
    Case(CS, &[Rule::InstrDxilStructUser, Rule::DeclUsedInternal], |s| {
        let field = ty(&mut s.module, Type::Float);
        groupshared(s, structure("dx.types.CBufRet.f32.own", field));
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
    let own = ty(&mut shader.module, own);
    shader.module.globals.push(crate::ir::Global {
        name: "own".into(),
        ty: own,
        address_space: crate::ir::address_space::GROUP_SHARED,
        is_constant: false,
        initializer: None,
        align: 4,
        linkage: crate::ir::Linkage::External,
        value: ValueId::new(0),
    });
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
    (DS, &[Rule::ContainerPartMissing], |p| p.retain(|(name, _)| *name != FourCc::PSG1)),
];

/// The node's operand becomes another number.
fn set_number(module: &mut Module, node: MdId, index: usize, number: u64) {
    let int = ty(module, Type::Int(32));
    module.values.push(ValueData { ty: int, def: ValueDef::Constant(Constant::Int(number)) });
    let value = ValueId::new(module.values.len() - 1);
    let new = module.metadata.nodes.push(MdNode::Value(value));
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

/// Returns the list behind a tag of the entry point's properties.
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
