// Included by `tests.rs`: edits of signatures, resources, entry points and headers of functions.

const DEPTH: &str = "../../../hwtests/shaders/raster/depth_greater_ps";
const POSITION: &str = "../../../translate/filetests/pixel/conservative_depth";
const BROADCASTING: &str = "../../../translate/filetests/nodes/broadcasting";
const LAYERS: &str = "../../../hwtests/shaders/mesh/layers_ms";

const DECLARATION_CASES: &[Case] = &[
    // Signatures.
    Case(HS, &[Rule::MetaSignatureIndexConflict], |s| {
        let constants = &mut entry(s).patch_constants;
        let mut factors = constants.iter();
        let factor = factors.find(|e| e.semantic == SemanticKind::TessFactor).unwrap();
        let row = factor.start_row.unwrap();
        let mut own = own_element("OWN", SemanticKind::Arbitrary, row, 1);
        own.interpolation = InterpolationMode::Undefined;
        own.rows = factor.rows + 1;
        own.semantic_indices = (0..own.rows).collect();
        constants.push(own);
    }),
    Case(PS, &[Rule::MetaSignatureIllegalComponentOrder], |s| {
        let mut layer = own_element(
            "SV_RenderTargetArrayIndex",
            SemanticKind::RenderTargetArrayIndex,
            25,
            1,
        );
        let mut own = own_element("OWN", SemanticKind::Arbitrary, 25, 1);
        own.start_column = 1;
        for element in [&mut layer, &mut own] {
            element.component = ComponentType::U32;
            element.interpolation = InterpolationMode::Constant;
        }
        entry(s).inputs.extend([layer, own]);
    }),
    Case(VS, &[Rule::MetaSignatureDataWidth], |s| {
        let mut small = own_element("SMALL", SemanticKind::Arbitrary, 25, 1);
        small.component = ComponentType::F16;
        let mut own = own_element("OWN", SemanticKind::Arbitrary, 25, 1);
        own.start_column = 1;
        for mut element in [small, own] {
            element.interpolation = InterpolationMode::Undefined;
            entry(s).inputs.push(element);
        }
        entry(s).flags |= ShaderFlags::USE_NATIVE_LOW_PRECISION;
    }),
    // 64 bits have no width, so they fit after no other element; others fit after them.
    Case(VS, &[Rule::MetaSignatureDataWidth], |s| {
        let narrow = own_element("NARROW", SemanticKind::Arbitrary, 25, 1);
        let mut wide = own_element("WIDE", SemanticKind::Arbitrary, 25, 1);
        (wide.component, wide.start_column) = (ComponentType::U64, 1);
        for mut element in [narrow, wide] {
            element.interpolation = InterpolationMode::Undefined;
            entry(s).inputs.push(element);
        }
    }),
    Case(PS, &[Rule::MetaClipCullMaxRows], |s| {
        for index in 0..3 {
            let kind = SemanticKind::ClipDistance;
            let mut own = own_element("SV_ClipDistance", kind, 25 + index, 1);
            own.semantic_indices = [index].into();
            entry(s).inputs.push(own);
        }
    }),
    Case(POSITION, &[Rule::SmPSConsistentInterp], |s| {
        input(s, SemanticKind::Position).interpolation = InterpolationMode::Linear;
    }),
    Case(DEPTH, &[Rule::SmPSMultipleDepthSemantic], |s| {
        let mut depths = entry(s).outputs.iter();
        let greater = SemanticKind::DepthGreaterEqual;
        let mut second = depths.find(|e| e.semantic == greater).unwrap().clone();
        let first = u64::from(second.id);
        second.semantic = SemanticKind::Depth;
        second.name = "SV_Depth".into();
        second.id = u32::try_from(entry(s).outputs.len()).unwrap();
        let id = u64::from(second.id);
        entry(s).outputs.push(second);
        // What is stored to the one is stored to the other.
        let stores: Vec<InstId> = s.module.bodies[0].insts.keys().collect();
        let store = stores.into_iter().find(|at| {
            let inst = s.module.bodies[0].insts[*at].inst;
            let Inst::Call { args, .. } = inst else {
                return false;
            };
            let view = crate::ir::FuncView {
                module: &s.module,
                function: &s.module.bodies[0],
            };
            let args = s.module.bodies[0].values_of(args);
            call_of(s, &inst, 5) && view.constant_int(args[1]) == Some(first)
        });
        let data = s.module.bodies[0].insts[store.unwrap()];
        let Inst::Call {
            callee,
            args,
            fast_math,
        } = data.inst
        else {
            panic!("no call");
        };
        let mut args = s.module.bodies[0].values_of(args).to_vec();
        args[1] = int32(s, id);
        let args = value_list(s, &args);
        let copy = Inst::Call {
            callee,
            args,
            fast_math,
        };
        insert(s, store.unwrap(), copy, data.ty);
    }),
    Case(PS, &[Rule::SmViewIDNeedsSlot], |s| {
        fill_registers(&mut entry(s).inputs, InterpolationMode::Linear);
    }),
    Case(LAYERS, &[Rule::SmConstantInterpMode], |s| {
        let own = own_element("OWN", SemanticKind::Arbitrary, 20, 1);
        entry(s).patch_constants.push(own);
    }),
    // Constant buffers and textures.
    Case(CS, &[Rule::SmCBufferOffsetOverlap], |s| {
        lay_out(s, &[(Type::Float, 0), (Type::Float, 0)], 16);
    }),
    Case(CS, &[Rule::SmCBufferElementOverflow], |s| {
        lay_out(s, &[(Type::Float, 0), (Type::Float, 16)], 16);
    }),
    Case(CS, &[Rule::SmCBufferArrayOffsetAlignment], |s| {
        let element = ty(&mut s.module, Type::Float);
        lay_out(s, &[(Type::Array { element, count: 2 }, 4)], 64);
    }),
    Case(CS, &[Rule::MetaTextureType], |s| {
        let element = ty(&mut s.module, Type::Double);
        let vector = ty(&mut s.module, Type::Vector { element, count: 4 });
        let own = ty(&mut s.module, structure("own", vector));
        srv(s, ResourceKind::Texture2D).ty = Some(own);
    }),
    // Entry points.
    Case(CS, &[Rule::MetaEntryFunction], |s| {
        let void = void(s);
        let function = function_type(void, &[]);
        let id = declare(s, "own", function);
        entry(s).function = Some(id);
    }),
    Case(CS, &[Rule::MetaComputeWithNode], |s| {
        let mut nodes = read_shader(&bytes(BROADCASTING)).unwrap();
        body_with(&mut nodes, 250);
        entry(s).stage = Stage::Node(Box::new(node(&mut nodes).clone()));
    }),
    Case(HS, &[Rule::SmHullPassThruControlPointCountMatch], |s| {
        let id = entry(s).function.unwrap();
        s.module.functions[id].body = None;
        forget_unused(s);
        let Stage::Hull {
            output_control_points,
            ..
        } = entry(s).stage
        else {
            panic!("no hull shader");
        };
        hull!(s, input_control_points, output_control_points - 1);
    }),
    // Mesh shaders.
    Case(MS, &[Rule::SmMeshShaderPayloadSize], |s| mesh!(s, payload_bytes, 17 * 1024)),
    Case(MS, &[Rule::SmMeshShaderPayloadSizeDeclared], |s| mesh!(s, payload_bytes, 0)),
    Case(LAYERS, &[Rule::SmMeshShaderOutputSize], |s| {
        mesh!(s, max_vertices, 256);
        mesh!(s, max_primitives, 1);
        let elements = entry(s).outputs.iter();
        let scalars: u32 = elements.map(|element| element.rows * element.columns).sum();
        let mut own = own_element("OWN", SemanticKind::Arbitrary, 20, 4);
        own.rows = (38 - scalars) / 4;
        own.semantic_indices = (0..own.rows).collect();
        entry(s).outputs.push(own);
    }),
    Case(
        LAYERS,
        &[
            Rule::SmMeshPSigRowCount,
            Rule::SmMeshTotalSigRowCount,
            Rule::MetaSignatureOutOfRange,
        ],
        |s| {
            let mut own = own_element("OWN", SemanticKind::Arbitrary, 32, 1);
            own.interpolation = InterpolationMode::Constant;
            entry(s).patch_constants.push(own);
        },
    ),
    Case(LAYERS, &[Rule::SmMeshTotalSigRowCount], |s| {
        let own = own_element("OWN", SemanticKind::Arbitrary, 31, 1);
        entry(s).outputs.push(own);
    }),
    // Parameters of functions.
    Case(CS, &[Rule::DeclFnFlattenParam], |s| {
        let id = second_function(s);
        let float = ty(&mut s.module, Type::Float);
        let own = ty(&mut s.module, structure("own", float));
        let (param, void) = (pointer(s, own, 0), void(s));
        set_function_type(s, id, void, &[param]);
    }),
    Case(CS, &[Rule::DeclResourceInFnSig], |s| {
        let id = second_function(s);
        let handle = argument_type(s, 69, 1);
        set_function_type(s, id, handle, &[]);
    }),
    Case(LIB, &[Rule::DeclPayloadStruct], |s| {
        let (id, mut params) = function_of(s, ShaderKind::ClosestHit);
        let float = ty(&mut s.module, Type::Float);
        params[0] = pointer(s, float, 0);
        let void = void(s);
        set_function_type(s, id, void, &params);
    }),
    // A structure by value instead of its address.
    Case(LIB, &[Rule::DeclPayloadStruct], |s| {
        let (id, mut params) = function_of(s, ShaderKind::ClosestHit);
        // Those of a pointer.
        s.module.functions[id].attributes = 0;
        params[0] = s.module.types.pointee(params[0]).unwrap();
        let void = void(s);
        set_function_type(s, id, void, &params);
    }),
    Case(LIB, &[Rule::DeclAttrStruct], |s| {
        let (id, mut params) = function_of(s, ShaderKind::ClosestHit);
        let float = ty(&mut s.module, Type::Float);
        params[1] = pointer(s, float, 0);
        let void = void(s);
        set_function_type(s, id, void, &params);
    }),
    Case(LIB, &[Rule::DeclParamStruct], |s| {
        let (id, mut params) = function_of(s, ShaderKind::Miss);
        let float = ty(&mut s.module, Type::Float);
        params[0] = pointer(s, float, 0);
        let void = void(s);
        set_function_type(s, id, void, &params);
        for entry in &mut s.entry_points {
            if entry.function == Some(id) {
                entry.kind = ShaderKind::Callable;
            }
        }
    }),
    Case(LIB, &[Rule::DeclExtraArgs], |s| {
        let (id, mut params) = function_of(s, ShaderKind::ClosestHit);
        params.push(params[0]);
        let void = void(s);
        set_function_type(s, id, void, &params);
    }),
    // Attributes: of a parameter that there is not, of pointers, twice for one slot; a declaration
    // that is visible inside only.
    Case(CS, &[Rule::BitcodeValid], |s| give_attributes(s, &[(20, NO_UNWIND)])),
    Case(CS, &[Rule::BitcodeValid], |s| give_attributes(s, &[(1, NO_CAPTURE)])),
    Case(CS, &[Rule::BitcodeValid], |s| {
        let function = AttributeGroup::FUNCTION;
        give_attributes(s, &[(function, NO_UNWIND), (function, NO_UNWIND)]);
    }),
    Case(CS, &[Rule::BitcodeValid], |s| {
        let mut functions = s.module.functions.values_mut();
        let declaration = functions.find(|decl| decl.body.is_none()).unwrap();
        declaration.linkage = Linkage::Internal;
    }),
    Case(LIB, &[Rule::DeclShaderMissingArg], |s| {
        let (id, mut params) = function_of(s, ShaderKind::ClosestHit);
        s.module.functions[id].attributes = 0;
        params.pop();
        let void = void(s);
        set_function_type(s, id, void, &params);
    }),
    // Nodes.
    Case(BROADCASTING, &[Rule::DeclMultipleNodeInputs], |s| {
        body_with(s, 250);
        let inputs = &mut node(s).inputs;
        inputs.push(inputs[0].clone());
    }),
    Case(BROADCASTING, &[Rule::DeclNodeLaunchInputType], |s| {
        body_with(s, 250);
        node(s).inputs[0].flags.remove(crate::container::rdat::NodeIoFlags::THREAD_RECORD);
    }),
];

/// Fills what is free of the registers of a signature.
/// Attributes of LLVM 3.7 by number.
const NO_CAPTURE: u64 = 11;
const NO_UNWIND: u64 = 18;

/// Gives the first operation an attribute in each of these slots.
fn give_attributes(shader: &mut Shader, slots: &[(u32, u64)]) {
    let module = &mut shader.module;
    let first = u32::try_from(module.attribute_groups.len()).unwrap();
    for (slot, attribute) in slots {
        module.attribute_groups.push(AttributeGroup {
            slot: *slot,
            attributes: vec![Attribute::Enum(*attribute)],
        });
    }
    let last = u32::try_from(module.attribute_groups.len()).unwrap();
    module.attribute_sets.push((first..last).collect());
    let set = u32::try_from(module.attribute_sets.len()).unwrap();
    let mut functions = module.functions.values_mut();
    let operation = functions.find(|decl| decl.name.starts_with("dx.op."));
    operation.unwrap().attributes = set;
}

fn fill_registers(elements: &mut Vec<SignatureElement>, mode: InterpolationMode) {
    for row in 0..32 {
        let mut mode = mode;
        let mut end = 0;
        for element in &*elements {
            let first = element.start_row.unwrap_or(u32::MAX);
            if (first..first.saturating_add(element.rows)).contains(&row) {
                mode = element.interpolation;
                end = end.max(element.start_column + element.columns);
            }
        }
        if end == 4 {
            continue;
        }
        let mut own = own_element("OWN", SemanticKind::Arbitrary, row, 4 - end);
        own.start_column = end;
        own.semantic_indices = [row].into();
        own.interpolation = mode;
        if mode == InterpolationMode::Constant {
            own.component = ComponentType::U32;
        }
        elements.push(own);
    }
}

/// Gives tessellation factors one row more, in registers that are free.
fn more_factors(shader: &mut Shader, kind: SemanticKind) {
    let mut factors = entry(shader).patch_constants.iter_mut();
    let factor = factors.find(|element| element.semantic == kind).unwrap();
    factor.rows += 1;
    factor.start_row = Some(20);
    factor.semantic_indices = (0..factor.rows).collect();
}

/// Wave sizes, which the reader of the metadata makes one of.
const WAVE_SIZE_CASES: &[(&str, Rule, ModuleEdit)] = &[
    (CS, Rule::SmWaveSizeNeedsSM66or67, |m| {
        set_shader_model(m, 5);
        add_wave_size(m, 11, &[32]);
    }),
    (CS, Rule::SmWaveSizeRangeNeedsSM68Plus, |m| {
        set_shader_model(m, 7);
        add_wave_size(m, 23, &[16, 32, 0]);
    }),
    (CS, Rule::SmWaveSizeRangeExpectsThreeParams, |m| {
        set_shader_model(m, 8);
        add_wave_size(m, 23, &[16, 32]);
    }),
    (CS, Rule::SmWaveSizeExpectsOneParam, |m| {
        set_shader_model(m, 6);
        add_wave_size(m, 11, &[16, 32]);
    }),
    (CS, Rule::SmWaveSizeTagDuplicate, |m| {
        set_shader_model(m, 6);
        add_wave_size(m, 11, &[32]);
        add_wave_size(m, 11, &[32]);
    }),
    (CS, Rule::SmWaveSizeNeedsConstantOperands, |m| {
        set_shader_model(m, 6);
        add_property(m, 11, &[None]);
    }),
];
