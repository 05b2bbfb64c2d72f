// Included by `tests.rs`: edits of bodies, types and metadata that the cases share.

/// Adds an instruction in front of another one of the first body; returns its result.
fn insert(shader: &mut Shader, before: InstId, inst: Inst, ty: TypeId) -> ValueId {
    let is_void = *shader.module.types.get(ty) == Type::Void;
    let body = &mut shader.module.bodies[0];
    for value in &mut body.values {
        if let ValueDef::Inst(id) = &mut value.def
            && *id >= before
        {
            *id = InstId::new(id.index() + 1);
        }
    }
    for block in body.blocks.values_mut() {
        if block.first > before {
            block.first = InstId::new(block.first.index() + 1);
        }
        if block.end > before {
            block.end = InstId::new(block.end.index() + 1);
        }
    }
    for (id, ..) in &mut body.attachments {
        if *id >= before {
            *id = InstId::new(id.index() + 1);
        }
    }
    let result = ValueId::new(body.first_value as usize + body.values.len());
    if !is_void {
        let def = ValueDef::Inst(before);
        body.values.push(ValueData { ty, def });
    }
    let mut insts: Vec<InstData> = body.insts.values().copied().collect();
    let result_of = if is_void { None } else { Some(result) };
    let data = InstData {
        inst,
        ty,
        result: result_of.into(),
    };
    insts.insert(before.index(), data);
    body.insts = insts.into_iter().collect();
    body.debug_locs.clear();
    result
}

fn first() -> InstId {
    InstId::new(0)
}

fn void(shader: &mut Shader) -> TypeId {
    ty(&mut shader.module, Type::Void)
}

fn pointer(shader: &mut Shader, pointee: TypeId, address_space: u32) -> TypeId {
    let pointer = Type::Pointer {
        pointee,
        address_space,
    };
    ty(&mut shader.module, pointer)
}

/// Adds a local variable at the start of the first body.
fn local(shader: &mut Shader, own: Type) -> ValueId {
    let allocated = ty(&mut shader.module, own);
    let count = int32(shader, 1);
    let pointer = pointer(shader, allocated, 0);
    let alloca = Inst::Alloca {
        allocated,
        count,
        align: 4,
    };
    insert(shader, first(), alloca, pointer)
}

/// Casts the address of a new local variable to a pointer to another type.
fn cast_local(shader: &mut Shader, from: Type, to: Type, op: CastOp, space: u32) {
    let value = local(shader, from);
    let to = ty(&mut shader.module, to);
    let to = pointer(shader, to, space);
    insert(shader, InstId::new(1), Inst::Cast { op, value }, to);
}

/// Adds a variable of the module; returns its address.
fn variable(shader: &mut Shader, own: Type, address_space: u32, is_constant: bool) -> ValueId {
    let own = ty(&mut shader.module, own);
    let id = shader.module.globals.push(crate::ir::Global {
        name: "own".into(),
        ty: own,
        address_space,
        is_constant,
        initializer: None,
        align: 4,
        linkage: crate::ir::Linkage::External,
        unnamed_addr: false,
        value: ValueId::new(0),
    });
    let ty = pointer(shader, own, address_space);
    new_value(shader, ty, ValueDef::Global(id))
}

/// Adds a value to the first body.
fn new_value(shader: &mut Shader, ty: TypeId, def: ValueDef) -> ValueId {
    shader.module.bodies[0].push_value(ty, def)
}

fn function_value(shader: &mut Shader, id: FuncId) -> ValueId {
    let own = shader.module.functions[id].ty;
    let ty = pointer(shader, own, 0);
    new_value(shader, ty, ValueDef::Function(id))
}

fn value_list(shader: &mut Shader, values: &[ValueId]) -> List<ValueId> {
    let pool = &mut shader.module.bodies[0].value_pool;
    let start = u32::try_from(pool.len()).unwrap();
    pool.extend_from_slice(values);
    List::new(start, u32::try_from(values.len()).unwrap())
}

fn index_list(shader: &mut Shader, index: u64) -> List<u32> {
    let pool = &mut shader.module.bodies[0].number_pool;
    pool.push(index);
    List::new(u32::try_from(pool.len() - 1).unwrap(), 1)
}

/// Takes the address of the first element of a variable.
fn address(shader: &mut Shader, base: ValueId, indices: &[u64], element: TypeId, space: u32) {
    let mut operands = vec![base];
    for index in indices {
        operands.push(int32(shader, *index));
    }
    let operands = value_list(shader, &operands);
    let ty = pointer(shader, element, space);
    let gep = Inst::Gep {
        inbounds: true,
        operands,
    };
    let end = end_of_entry(shader);
    insert(shader, end, gep, ty);
}

/// Returns the terminator of the first block.
fn end_of_entry(shader: &Shader) -> InstId {
    let blocks = &shader.module.bodies[0].blocks;
    InstId::new(blocks[BlockId::from_u32(0)].end.index() - 1)
}

/// Adds an instruction after all others of the first body; returns where it is.
fn append(shader: &mut Shader, inst: Inst) -> crate::ir::Block {
    let ty = void(shader);
    let result = None.into();
    let insts = &mut shader.module.bodies[0].insts;
    let first = insts.push(InstData { inst, ty, result });
    let end = InstId::new(first.index() + 1);
    crate::ir::Block { first, end }
}

/// Adds a block that has nothing but its terminator.
fn append_block(shader: &mut Shader, inst: Inst) -> BlockId {
    let block = append(shader, inst);
    shader.module.bodies[0].blocks.push(block)
}

fn next_block(shader: &Shader) -> BlockId {
    BlockId::new(shader.module.bodies[0].blocks.len())
}

fn ret() -> Inst {
    Inst::Ret { value: None.into() }
}

/// Branches on a constant.
fn branch(shader: &mut Shader, if_true: BlockId, if_false: BlockId) -> Inst {
    let bit = ty(&mut shader.module, Type::Int(1));
    let condition = constant(shader, bit, Constant::Int(1));
    Inst::CondBr {
        condition,
        if_true,
        if_false,
    }
}

/// Puts a block before the first one that branches to it or to the other one.
fn branch_at_entry(shader: &mut Shader, other: BlockId) {
    let entry = BlockId::new(0);
    let old = shader.module.bodies[0].blocks[entry];
    let old = shader.module.bodies[0].blocks.push(old);
    let inst = branch(shader, old, other);
    shader.module.bodies[0].blocks[entry] = append(shader, inst);
}

/// Declares the function of an operation and inserts a call of it.
fn new_call(
    shader: &mut Shader,
    before: InstId,
    (name, overload): (&str, Overload),
    args: &[ValueId],
    ret: TypeId,
) -> ValueId {
    let view = crate::ir::FuncView {
        module: &shader.module,
        function: &shader.module.bodies[0],
    };
    let params = args.iter().map(|arg| view.type_of(*arg).unwrap()).collect();
    let function = Type::Function {
        ret,
        params,
        vararg: false,
    };
    let id = declare(shader, name, function);
    shader.callees[id] = crate::dxil::ops::Callee::DxOp(overload);
    let callee = function_value(shader, id);
    let args = value_list(shader, args);
    let call = Inst::Call {
        callee,
        args,
        fast_math: FastMath::empty(),
    };
    insert(shader, before, call, ret)
}

/// Adds a function without a body.
fn declare(shader: &mut Shader, name: &str, function: Type) -> FuncId {
    let ty = ty(&mut shader.module, function);
    shader.module.functions.push(crate::ir::FunctionDecl {
        name: name.into(),
        ty,
        body: None,
        attributes: 0,
        convention: 0,
        linkage: crate::ir::Linkage::External,
        value: ValueId::new(0),
    })
}

fn function_type(ret: TypeId, params: &[TypeId]) -> Type {
    Type::Function {
        ret,
        params: params.iter().copied().collect(),
        vararg: false,
    }
}

/// Returns the first call of an operation in the first body.
fn call_at(shader: &Shader, opcode: u64) -> InstId {
    let mut insts = shader.module.bodies[0].insts.iter();
    let found = insts.find(|(_, data)| call_of(shader, &data.inst, opcode));
    found.unwrap_or_else(|| panic!("no call of {opcode}")).0
}

fn argument(shader: &Shader, opcode: u64, index: usize) -> ValueId {
    let inst = shader.module.bodies[0].insts[call_at(shader, opcode)].inst;
    let Inst::Call { args, .. } = inst else {
        panic!("no call");
    };
    shader.module.bodies[0].values_of(args)[index]
}

/// Inserts a copy of the first call of an operation, with a list of arguments of its own, before
/// that call.
fn duplicate(shader: &mut Shader, opcode: u64) -> InstId {
    let at = call_at(shader, opcode);
    let mut data = shader.module.bodies[0].insts[at];
    if let Inst::Call { args, .. } = &mut data.inst {
        let values = shader.module.bodies[0].values_of(*args).to_vec();
        *args = value_list(shader, &values);
    }
    insert(shader, at, data.inst, data.ty);
    at
}

/// Declares a resource like one of the shader in a space of its own, and creates a handle of it.
fn another_handle(shader: &mut Shader, mut own: Resource) -> ValueId {
    let resources = &mut shader.resources;
    let (class, list) = match own.class {
        ResourceClass::Srv => (0, &mut resources.srvs),
        ResourceClass::Uav => (1, &mut resources.uavs),
        ResourceClass::Cbv => (2, &mut resources.cbvs),
        ResourceClass::Sampler => (3, &mut resources.samplers),
    };
    own.id = u32::try_from(list.len()).unwrap();
    own.space = 77;
    let (id, register) = (u64::from(own.id), u64::from(own.lower_bound));
    list.push(own);
    let at = duplicate(shader, 57);
    for (index, number) in [(1, class), (2, id), (3, register)] {
        set_argument_int(shader, 57, index, number);
    }
    shader.module.bodies[0].insts[at].result.expand().unwrap()
}

/// Makes the first body that calls the operation the first one of the module.
fn body_with(shader: &mut Shader, opcode: u64) {
    for index in 0..shader.module.bodies.len() {
        let first = shader.module.bodies[0].id;
        let other = shader.module.bodies[index].id;
        shader.module.bodies.swap(0, index);
        shader.module.functions[other].body = Some(0);
        if other != first {
            shader.module.functions[first].body = Some(u32::try_from(index).unwrap());
        }
        let mut insts = shader.module.bodies[0].insts.values();
        if insts.any(|data| call_of(shader, &data.inst, opcode)) {
            return;
        }
    }
    panic!("no function calls {opcode}");
}

/// Adds a copy of the first body as a function that is not an entry point.
fn second_function(shader: &mut Shader) -> FuncId {
    let mut body = shader.module.bodies[0].clone();
    let mut decl = shader.module.functions[body.id].clone();
    decl.name = "own".into();
    decl.body = Some(u32::try_from(shader.module.bodies.len()).unwrap());
    body.id = shader.module.functions.push(decl);
    let id = body.id;
    shader.module.bodies.push(body);
    id
}

/// Gives declarations of operations without calls the form of LLVM's own, which no rule is about.
fn forget_unused(shader: &mut Shader) {
    let mut called = BTreeSet::new();
    for decl in shader.module.functions.values() {
        let body = decl.body.map(|body| &shader.module.bodies[body as usize]);
        for function in body.into_iter() {
            let view = crate::ir::FuncView {
                module: &shader.module,
                function,
            };
            called.extend(function.insts.values().filter_map(|data| match data.inst {
                Inst::Call { callee, .. } => view.as_function(callee),
                _ => None,
            }));
        }
    }
    let ids: Vec<FuncId> = shader.module.functions.keys().collect();
    for id in ids {
        let decl = &mut shader.module.functions[id];
        if decl.name.starts_with("dx.op.") && !called.contains(&id) {
            decl.name = "llvm.donothing".into();
            shader.callees[id] = crate::dxil::ops::Callee::Ignored;
        }
    }
}

fn set_function_type(shader: &mut Shader, id: FuncId, ret: TypeId, params: &[TypeId]) {
    let function = function_type(ret, params);
    shader.module.functions[id].ty = ty(&mut shader.module, function);
}

/// Returns the function of the first entry point of a stage and the types of its parameters.
fn function_of(shader: &Shader, kind: ShaderKind) -> (FuncId, Vec<TypeId>) {
    let mut entries = shader.entry_points.iter();
    let found = entries.find(|entry| entry.kind == kind && entry.function.is_some());
    let id = found.unwrap_or_else(|| panic!("no {kind:?}")).function.unwrap();
    let own = shader.module.functions[id].ty;
    let Type::Function { params, .. } = shader.module.types.get(own) else {
        panic!("no function type");
    };
    (id, params.to_vec())
}

/// Returns the node that the first body is.
fn node(shader: &mut Shader) -> &mut crate::dxil::Node {
    let id = shader.module.bodies[0].id;
    let mut entries = shader.entry_points.iter_mut();
    let entry = entries.find(|entry| entry.function == Some(id)).unwrap();
    match &mut entry.stage {
        Stage::Node(node) => node,
        other => panic!("{other:?}"),
    }
}

/// Returns an element of a signature that no operation names.
fn own_element(name: &str, semantic: SemanticKind, row: u32, columns: u32) -> SignatureElement {
    SignatureElement {
        id: 77,
        name: name.into(),
        semantic,
        semantic_indices: [0].into(),
        component: ComponentType::F32,
        interpolation: InterpolationMode::Linear,
        rows: 1,
        columns,
        start_row: Some(row),
        start_column: 0,
        stream: 0,
        usage_mask: None,
        dynamic_index_mask: 0,
    }
}

/// Gives the first constant buffer fields of these types and offsets.
fn lay_out(shader: &mut Shader, fields: &[(Type, u32)], size: u32) {
    let types = fields.iter().map(|(field, _)| ty(&mut shader.module, field.clone()));
    let own = Type::Struct {
        name: Some("own".into()),
        fields: types.collect(),
        packed: false,
        opaque: false,
    };
    let ty = ty(&mut shader.module, own);
    let field = |offset| crate::dxil::FieldAnnotation {
        offset: Some(offset),
        ..Default::default()
    };
    let fields = fields.iter().map(|(_, offset)| field(*offset)).collect();
    let annotation = crate::dxil::StructAnnotation { ty, size, fields };
    shader.type_annotations.structs.push(annotation);
    shader.resources.cbvs[0].ty = Some(ty);
}

fn number_node(module: &mut Module, number: u64) -> MdId {
    let int = ty(module, Type::Int(32));
    let def = ValueDef::Constant(Constant::Int(number));
    module.values.push(ValueData { ty: int, def });
    let value = ValueId::new(module.values.len() - 1);
    module.metadata.nodes.push(MdNode::Value(value))
}

fn list_node(module: &mut Module, operands: &[Option<MdId>]) -> MdId {
    let metadata = &mut module.metadata;
    let start = u32::try_from(metadata.operands.len()).unwrap();
    metadata.operands.extend_from_slice(operands);
    metadata.nodes.push(MdNode::Tuple {
        distinct: false,
        start,
        len: u32::try_from(operands.len()).unwrap(),
    })
}

/// Attaches a list of numbers to an instruction of the first body.
fn attach(shader: &mut Shader, inst: InstId, name: &str, numbers: &[u64]) {
    let module = &mut shader.module;
    let operands: Vec<Option<MdId>> = numbers
        .iter()
        .map(|number| Some(number_node(module, *number)))
        .collect();
    let node = list_node(module, &operands);
    let metadata = &mut module.metadata;
    let id = metadata.kind(name).unwrap_or_else(|| {
        let start = u32::try_from(metadata.strings.len()).unwrap();
        metadata.strings.extend_from_slice(name.as_bytes());
        let len = u32::try_from(name.len()).unwrap();
        let id = 1000;
        metadata.kinds.push(crate::ir::MetadataKind { id, start, len });
        id
    });
    let list = &mut module.bodies[0].attachments;
    let at = list.partition_point(|(own, ..)| *own < inst);
    list.insert(at, (inst, id, node));
}

/// Adds a property to the entry point.
fn add_property(module: &mut Module, tag: u64, list: &[Option<MdId>]) {
    let entry = named(module, "dx.entryPoints");
    let old = operand(module, entry, 4);
    let mut pairs = module.metadata.tuple(old).unwrap().to_vec();
    let (tag, list) = (number_node(module, tag), list_node(module, list));
    pairs.extend([Some(tag), Some(list)]);
    let new = list_node(module, &pairs);
    set_node(module, entry, 4, Some(new));
}

fn add_wave_size(module: &mut Module, tag: u64, lanes: &[u64]) {
    let lanes: Vec<Option<MdId>> = lanes
        .iter()
        .map(|lanes| Some(number_node(module, *lanes)))
        .collect();
    add_property(module, tag, &lanes);
}

fn set_shader_model(module: &mut Module, minor: u64) {
    let model = named(module, "dx.shaderModel");
    set_number(module, model, 2, minor);
    let version = named(module, "dx.version");
    set_number(module, version, 1, minor);
}
