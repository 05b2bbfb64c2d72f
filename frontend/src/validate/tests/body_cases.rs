// Included by `tests.rs`: edits of instructions, calls and control flow.

const COVERAGE: &str = "../../../hwtests/shaders/draw/coverage_ps";
const LOAD_MIPS: &str = "../../../hwtests/shaders/textures/load_mips";
const ATOMICS: &str = "../../../hwtests/shaders/atomics/typed";
const NODES: &str = "modules/queue_nodes";
const THREAD_NODES: &str = "modules/thread_nodes";

const BODY_CASES: &[Case] = &[
    // Casts and addresses.
    Case(CS, &[Rule::InstrPtrBitCast], |s| {
        cast_local(s, Type::Float, Type::Double, CastOp::Bitcast, 0);
    }),
    Case(CS, &[Rule::InstrStructBitCast], |s| {
        let float = ty(&mut s.module, Type::Float);
        cast_local(s, structure("own", float), Type::Float, CastOp::Bitcast, 0);
    }),
    Case(CS, &[Rule::InstrNoGenericPtrAddrSpaceCast], |s| {
        cast_local(s, Type::Float, Type::Float, CastOp::AddrSpaceCast, 1);
    }),
    Case(CS, &[Rule::InstrMinPrecisonBitCast], |s| {
        let (half, short) = (ty(&mut s.module, Type::Half), ty(&mut s.module, Type::Int(16)));
        let value = constant(s, half, Constant::Float(0));
        let op = CastOp::Bitcast;
        insert(s, first(), Inst::Cast { op, value }, short);
        entry(s).flags |= ShaderFlags::LOW_PRECISION_PRESENT;
    }),
    Case(CS, &[Rule::InstrInBoundsAccess], |s| {
        let element = ty(&mut s.module, Type::Float);
        let array = local(s, Type::Array { element, count: 4 });
        address(s, array, &[0, 4], element, 0);
    }),
    Case(CS, &[Rule::InstrFailToResloveTGSMPointer], |s| {
        let float = ty(&mut s.module, Type::Float);
        let shared = pointer(s, float, 3);
        let null = constant(s, shared, Constant::Null);
        address(s, null, &[0], float, 3);
    }),
    Case(CS, &[Rule::TypesI8], |s| {
        let byte = ty(&mut s.module, Type::Int(8));
        let one = constant(s, byte, Constant::Int(1));
        let sum = Inst::Binary {
            op: BinaryOp::Add,
            fast_math: FastMath::empty(),
            lhs: one,
            rhs: one,
        };
        insert(s, first(), sum, byte);
    }),
    Case(CS, &[Rule::InstrExtractValue], |s| {
        let float = ty(&mut s.module, Type::Float);
        let own = ty(&mut s.module, structure("own", float));
        let undef = constant(s, own, Constant::Undef);
        let value = constant(s, float, Constant::Float(0));
        let indices = index_list(s, 0);
        let aggregate = insert(
            s,
            first(),
            Inst::InsertValue {
                aggregate: undef,
                value,
                indices,
            },
            own,
        );
        insert(s, InstId::new(1), Inst::ExtractValue { aggregate, indices }, float);
    }),
    // Variables.
    Case(CS, &[Rule::InstrAtomicOpNonGroupsharedOrRecord], |s| {
        let pointer = local(s, Type::Int(32));
        atomic_add(s, pointer);
    }),
    Case(CS, &[Rule::InstrAtomicConst], |s| {
        let pointer = variable(s, Type::Int(32), 3, true);
        atomic_add(s, pointer);
    }),
    Case(CS, &[Rule::SmMaxTGSMSizeOnEntry], |s| {
        let element = ty(&mut s.module, Type::Float);
        let array = variable(s, Type::Array { element, count: 9000 }, 3, false);
        address(s, array, &[0, 0], element, 3);
    }),
    Case(
        PS,
        &[
            Rule::SmTGSMUnsupported,
            Rule::SmIncompatibleRequiresGroup,
            Rule::SmIncompatibleOperation,
        ],
        |s| {
            let element = ty(&mut s.module, Type::Float);
            let array = variable(s, Type::Array { element, count: 4 }, 3, false);
            address(s, array, &[0, 0], element, 3);
        },
    ),
    Case(CS, &[Rule::DeclNotUsedExternal], |s| {
        let element = ty(&mut s.module, Type::Float);
        let array = variable(s, Type::Array { element, count: 4 }, 0, false);
        address(s, array, &[0, 0], element, 0);
    }),
    // Metadata of instructions.
    Case(CS, &[Rule::MetaUsed], |s| attach(s, first(), "own.kind", &[1])),
    Case(CS, &[Rule::MetaValueRange], |s| attach(s, first(), "dx.precise", &[2])),
    Case(CS, &[Rule::MetaControlFlowHintNotOnControlFlow], |s| {
        attach(s, first(), "dx.controlflow.hints", &[0, 0, 1]);
    }),
    Case(CS, &[Rule::MetaInvalidControlFlowHint], |s| {
        let end = end_of_entry(s);
        attach(s, end, "dx.controlflow.hints", &[0, 0, 9]);
    }),
    Case(CS, &[Rule::MetaBranchFlatten], |s| {
        let end = end_of_entry(s);
        attach(s, end, "dx.controlflow.hints", &[0, 0, 1, 2]);
    }),
    Case(CS, &[Rule::MetaForceCaseOnSwitch], |s| {
        let end = end_of_entry(s);
        attach(s, end, "dx.controlflow.hints", &[0, 0, 5]);
    }),
    Case(CS, &[Rule::InstrMinPrecisionNotPrecise], |s| {
        let half = ty(&mut s.module, Type::Half);
        let zero = constant(s, half, Constant::Float(0));
        let sum = Inst::Binary {
            op: BinaryOp::FAdd,
            fast_math: FastMath::empty(),
            lhs: zero,
            rhs: zero,
        };
        insert(s, first(), sum, half);
        attach(s, first(), "dx.precise", &[1]);
        entry(s).flags |= ShaderFlags::LOW_PRECISION_PRESENT;
    }),
    // Calls.
    Case(CS, &[Rule::InstrCallOload], |s| {
        replace(s, |shader, _, inst| match inst {
            Inst::Call {
                callee,
                args,
                fast_math,
            } if call_of(shader, &inst, 93) => Some(Inst::Call {
                callee,
                args: List::new(args.start, args.len - 1),
                fast_math,
            }),
            _ => None,
        });
    }),
    Case(CS, &[Rule::InstrHandleNotFromCreateHandle], |s| {
        let handle = argument(s, 69, 1);
        let ty = argument_type(s, 69, 1);
        let at = call_at(s, 69);
        let own = select(s, at, handle, ty);
        set_argument(s, 69, 1, own);
    }),
    Case(CS, &[Rule::InstrCBufferClassForCBufferHandle], |s| {
        let texture = argument(s, 62, 1);
        set_argument(s, 59, 1, texture);
    }),
    Case(CS, &[Rule::InstrWriteMaskMatchValueForUAVStore], |s| {
        set_argument_int(s, 69, 8, 3);
    }),
    Case(LOAD_MIPS, &[Rule::InstrResourceKindForTextureLoad], |s| {
        srv(s, ResourceKind::Texture2D).kind = ResourceKind::TextureCube;
    }),
    Case(SIZES, &[Rule::InstrUndefResultForGetDimension], |s| {
        let result = s.module.bodies[0].insts[call_at(s, 72)].result.expand().unwrap();
        let other = index_list(s, 1);
        replace(s, |_, _, inst| match inst {
            Inst::ExtractValue { aggregate, .. } if aggregate == result => {
                let indices = other;
                Some(Inst::ExtractValue { aggregate, indices })
            }
            _ => None,
        });
    }),
    Case(ATOMICS, &[Rule::InstrAtomicIntrinNonUAV], |s| {
        s.resources.uavs[0].class = ResourceClass::Srv;
    }),
    Case(COUNTERS, &[Rule::InstrOnlyOneAllocConsume], |s| {
        duplicate(s, 70);
        let old = argument_type(s, 70, 2);
        let view = crate::ir::FuncView {
            module: &s.module,
            function: &s.module.bodies[0],
        };
        let up = view.constant_int(argument(s, 70, 2)) == Some(1);
        let other = constant(s, old, Constant::Int(if up { 255 } else { 1 }));
        set_argument(s, 70, 2, other);
    }),
    Case(EVALUATE, &[Rule::InstrCannotPullPosition], |s| {
        let position = input(s, SemanticKind::Position).id;
        set_argument_int(s, 89, 1, u64::from(position));
    }),
    Case(RAW, &[Rule::Sm64bitRawBufferLoadStore], |s| {
        s.shader_model.minor = 2;
        let at = call_at(s, 139);
        let ret = s.module.bodies[0].insts[at].ty;
        let args: Vec<ValueId> = (0..6).map(|index| argument(s, 139, index)).collect();
        new_call(s, at, ("dx.op.rawBufferLoad.i64", Overload::I64), &args, ret);
    }),
    Case(CS, &[Rule::SmIsSpecialFloat], |s| {
        let half = ty(&mut s.module, Type::Half);
        let bit = ty(&mut s.module, Type::Int(1));
        let args = [int32(s, 8), constant(s, half, Constant::Float(0))];
        new_call(s, first(), ("dx.op.isSpecialFloat.f16", Overload::F16), &args, bit);
        entry(s).flags |= ShaderFlags::LOW_PRECISION_PRESENT;
    }),
    Case(COVERAGE, &[Rule::SmPSCoverageAndInnerCoverage], |s| {
        let int = ty(&mut s.module, Type::Int(32));
        let args = [int32(s, 92)];
        new_call(s, first(), ("dx.op.innerCoverage.i32", Overload::I32), &args, int);
        entry(s).flags |= ShaderFlags::INNER_COVERAGE;
    }),
    Case(
        PS,
        &[
            Rule::InstrBarrierModeForNonCS,
            Rule::SmIncompatibleRequiresGroup,
            Rule::SmIncompatibleOperation,
        ],
        |s| {
            let args = [int32(s, 80), int32(s, 8)];
            let void = void(s);
            new_call(s, first(), ("dx.op.barrier", Overload::Void), &args, void);
        },
    ),
    Case(
        PS,
        &[
            Rule::SmIncompatibleRequiresGroup,
            Rule::SmIncompatibleOperation,
        ],
        |s| {
            let float = ty(&mut s.module, Type::Float);
            let shared = pointer(s, float, 3);
            let null = constant(s, shared, Constant::Null);
            let bit = ty(&mut s.module, Type::Int(1));
            let same = Inst::Cmp {
                predicate: crate::ir::CmpPredicate::IEq,
                fast_math: FastMath::empty(),
                lhs: null,
                rhs: null,
            };
            insert(s, first(), same, bit);
        },
    ),
    // Functions.
    Case(CS, &[Rule::SmOpcodeInInvalidFunction], |s| s.shader_model.minor = 6),
    Case(VS, &[Rule::InstrSignatureOperationNotInEntry], |s| {
        second_function(s);
    }),
    Case(CS, &[Rule::DeclFnIsCalled], |s| {
        let id = s.module.function_named("dx.op.threadId.i32").unwrap();
        let function = function_value(s, id);
        let own = s.module.functions[id].ty;
        let ty = pointer(s, own, 0);
        select(s, first(), function, ty);
    }),
    Case(CS, &[Rule::FlowNoRecursion], |s| {
        let id = s.module.bodies[0].id;
        call_function(s, first(), id);
    }),
    Case(
        LOD,
        &[
            Rule::SmIncompatibleCallInEntry,
            Rule::SmIncompatibleThreadGroupDim,
        ],
        |s| {
            let id = second_function(s);
            let body = &mut s.module.bodies[0];
            body.insts.clear();
            body.blocks.clear();
            append_block(s, ret());
            call_function(s, first(), id);
            entry(s).num_threads = Some([3, 1, 1]);
        },
    ),
    Case(
        LOD,
        &[
            Rule::SmIncompatibleOperation,
            Rule::SmIncompatibleThreadGroupDim,
        ],
        |s| entry(s).num_threads = Some([2, 3, 1]),
    ),
    Case(
        BARRIER_FLAGS,
        &[
            Rule::SmIncompatibleShaderModel,
            Rule::SmIncompatibleOperation,
        ],
        |s| {
            s.dxil_version = (1, 9);
            set_argument_int(s, 244, 2, 8);
        },
    ),
    // Control flow.
    Case(CS, &[Rule::FlowDeadLoop], |s| {
        let own = next_block(s);
        let looping = append_block(s, Inst::Br { target: own });
        branch_at_entry(s, looping);
    }),
    Case(CS, &[Rule::FlowReducible], |s| {
        let exit = append_block(s, ret());
        let first = next_block(s);
        let second = BlockId::new(first.index() + 1);
        let inst = branch(s, second, exit);
        append_block(s, inst);
        let inst = branch(s, first, exit);
        append_block(s, inst);
        let inst = branch(s, first, second);
        let fork = append_block(s, inst);
        branch_at_entry(s, fork);
    }),
    // Mesh and amplification shaders.
    Case(MESH, &[Rule::InstrNonDominatingSetMeshOutputCounts], |s| {
        let store = call_at(s, 171);
        let body = &mut s.module.bodies[0];
        let copy = body.insts[store];
        let first = body.insts.push(copy);
        let end = append(s, ret()).end;
        let exit = s.module.bodies[0].blocks.push(crate::ir::Block { first, end });
        branch_at_entry(s, exit);
    }),
    Case(MS, &[Rule::InstrMultipleGetMeshPayload], |s| {
        duplicate(s, 170);
    }),
    Case(AS, &[Rule::InstrNotOnceDispatchMesh], |s| {
        duplicate(s, 173);
    }),
    Case(AS, &[Rule::InstrNonDominatingDispatchMesh], |s| {
        let exit = append_block(s, ret());
        branch_at_entry(s, exit);
    }),
    // Nodes.
    Case(NODES, &[Rule::InstrNodeRecordHandleUseAfterComplete], |s| {
        body_with(s, 241);
        duplicate(s, 241);
    }),
    Case(THREAD_NODES, &[Rule::InstrSVConflictingLaunchMode], |s| {
        let int = ty(&mut s.module, Type::Int(32));
        let args = [int32(s, 93), int32(s, 0)];
        new_call(s, first(), ("dx.op.threadId.i32", Overload::I32), &args, int);
    }),
    Case(
        THREAD_NODES,
        &[
            Rule::SmIncompatibleDerivLaunch,
            Rule::SmIncompatibleOperation,
        ],
        |s| {
            let float = ty(&mut s.module, Type::Float);
            let args = [int32(s, 83), constant(s, float, Constant::Float(0))];
            new_call(s, first(), ("dx.op.unary.f32", Overload::F32), &args, float);
            for entry in &mut s.entry_points {
                entry.num_threads = entry.num_threads.map(|_| [4, 1, 1]);
            }
        },
    ),
];

fn atomic_add(shader: &mut Shader, pointer: ValueId) {
    let int = ty(&mut shader.module, Type::Int(32));
    let value = int32(shader, 1);
    let add = Inst::AtomicRmw {
        op: crate::ir::AtomicRmwOp::Add,
        pointer,
        value,
        ordering: crate::ir::AtomicOrdering::SeqCst,
        volatile: false,
    };
    let end = end_of_entry(shader);
    insert(shader, end, add, int);
}

/// Inserts a selection of a value or itself.
fn select(shader: &mut Shader, before: InstId, value: ValueId, own: TypeId) -> ValueId {
    let bit = ty(&mut shader.module, Type::Int(1));
    let condition = constant(shader, bit, Constant::Int(1));
    let select = Inst::Select {
        condition,
        if_true: value,
        if_false: value,
    };
    insert(shader, before, select, own)
}

fn call_function(shader: &mut Shader, before: InstId, id: FuncId) {
    let callee = function_value(shader, id);
    let call = Inst::Call {
        callee,
        args: List::EMPTY,
        fast_math: FastMath::empty(),
    };
    let void = void(shader);
    insert(shader, before, call, void);
}
