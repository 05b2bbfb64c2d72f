// Included by `tests.rs`: edits of operations on matrices, each with the rules that it breaks.

const MATRICES: &str = "ops/matrices_cs";

const LOAD: u64 = 0x8000_000e;
const STORE: u64 = 0x8000_0014;
const ACCUMULATE: u64 = 0x8000_001b;
const SUM: u64 = 0x8000_0018;
const PRODUCT: u64 = 0x8000_0019;
const BIASED_PRODUCT: u64 = 0x8000_001a;
const MULTIPLY: u64 = 0x8000_0017;
const MULTIPLY_ADD: u64 = 0x8000_000b;
const CONVERT: u64 = 0x8000_000d;

/// Fields of an entry of `dx.targetTypes`.
const COMPONENT: usize = 1;
const ROWS: usize = 2;
const COLUMNS: usize = 3;
const USE: usize = 4;
const SCOPE: usize = 5;

/// Returns a node of metadata that is that number.
fn md_number(module: &Module, wanted: u64) -> MdId {
    let is_it = |node: &MdNode| match node {
        MdNode::Value(value) => match module.values[value.index()].def {
            ValueDef::Constant(Constant::Int(number)) => number == wanted,
            ValueDef::Constant(Constant::Null) => wanted == 0,
            _ => false,
        },
        _ => false,
    };
    let mut nodes = module.metadata.nodes.iter();
    let found = nodes.find(|(_, node)| is_it(node));
    found.unwrap_or_else(|| panic!("no metadata is {wanted}")).0
}

/// Changes what `dx.targetTypes` says of a matrix type.
fn set_matrix(shader: &mut Shader, name: &str, field: usize, value: u64) {
    let module = &mut shader.module;
    let number = md_number(module, value);
    let nodes: Vec<MdId> = module.metadata.named("dx.targetTypes").collect();
    for node in nodes {
        let MdNode::Tuple { start, .. } = module.metadata.nodes[node] else {
            continue;
        };
        let key = module.metadata.operands[start as usize].unwrap();
        let key = module.metadata.value(key).unwrap();
        let ty = module.values[key.index()].ty;
        if is_matrix(module, ty, name) {
            module.metadata.operands[start as usize + field] = Some(number);
            return;
        }
    }
    panic!("no matrix {name}");
}

fn is_matrix(module: &Module, ty: TypeId, name: &str) -> bool {
    let Type::Struct {
        name: Some(found), ..
    } = module.types.get(ty)
    else {
        return false;
    };
    found.strip_prefix("dx.types.LinAlgMatrix") == Some(name)
}

/// Returns the first value of a matrix type.
fn matrix(shader: &Shader, name: &str) -> ValueId {
    let body = &shader.module.bodies[0];
    let mut insts = body.insts.values();
    let found = insts.find(|data| is_matrix(&shader.module, data.ty, name));
    found.unwrap().result.expand().unwrap()
}

/// Returns the handle that the last annotation before the end of the first ones gives: of the SRV,
/// then of the UAV.
fn handle_number(shader: &Shader, number: usize) -> ValueId {
    let body = &shader.module.bodies[0];
    let insts = body.insts.values();
    let mut handles = insts.filter(|data| call_of(shader, &data.inst, 216));
    handles.nth(number).unwrap().result.expand().unwrap()
}

/// Edits of operations on matrices.
const MATRIX_CASES: &[Case] = &[
    // A use that does not exist makes the entry one of no matrix.
    Case(MATRICES, &[Rule::InstrLinAlgMetadataMissing], |s| {
        set_matrix(s, "C8M4N4U1S1", USE, 6);
    }),
    Case(MATRICES, &[Rule::InstrLinAlgIllegalKDim], |s| {
        set_matrix(s, "C8M4N4U1S1", ROWS, 2);
    }),
    Case(MATRICES, &[Rule::InstrLinAlgIllegalComponentType], |s| {
        set_matrix(s, "C8M4N4U1S1", COMPONENT, 1);
    }),
    Case(MATRICES, &[Rule::InstrLinAlgMatrixScopeMismatch2], |s| {
        set_matrix(s, "C8M4N4U1S1", SCOPE, 0);
    }),
    Case(MATRICES, &[Rule::InstrLinAlgMatrixScopeMismatch], |s| {
        set_matrix(s, "C9M4N4U0S0", SCOPE, 1);
    }),
    Case(MATRICES, &[Rule::InstrLinAlgMatrixUseMismatch], |s| {
        set_matrix(s, "C9M4N4U0S0", USE, 2);
    }),
    Case(MATRICES, &[Rule::InstrLinAlgMatrixUseMismatch2], |s| {
        let sum = matrix(s, "C9M4N4U2S1");
        set_argument(s, SUM, 2, sum);
    }),
    Case(MATRICES, &[Rule::InstrLinAlgMatrixNotExactMatch], |s| {
        let left = matrix(s, "C9M4N4U0S1");
        set_argument(s, SUM, 1, left);
    }),
    Case(MATRICES, &[Rule::InstrLinAlgMatrixScopeReqLayout2], |s| {
        set_argument_int(s, ACCUMULATE, 5, 0);
    }),
    Case(MATRICES, &[Rule::InstrLinAlgMatrixLayoutReqStride], |s| {
        set_argument_int(s, ACCUMULATE, 4, 16);
    }),
    Case(MATRICES, &[Rule::InstrLinAlgMatrixDimVectorMismatch], |s| {
        set_matrix(s, "C9M4N4U0S0", ROWS, 2);
    }),
    Case(MATRICES, &[Rule::InstrLinAlgMatrixDimKVecKMismatch], |s| {
        set_matrix(s, "C9M4N4U0S0", COLUMNS, 8);
    }),
    Case(
        MATRICES,
        &[Rule::InstrLinAlgMatrixOutputBiasVecMismatch],
        |s| {
            let element = ty(&mut s.module, Type::Int(32));
            let vector = Type::Vector { element, count: 4 };
            let vector = ty(&mut s.module, vector);
            let bias = constant(s, vector, Constant::Null);
            set_argument(s, BIASED_PRODUCT, 5, bias);
        },
    ),
    Case(
        MATRICES,
        &[Rule::InstrLinAlgMatrixUnsignedFloatTypeNotAllowed],
        |s| set_argument_int(s, PRODUCT, 2, 0),
    ),
    Case(
        MATRICES,
        &[Rule::InstrLinAlgMatrixLoadThreadRequiresBAB],
        |s| {
            let uav = handle_number(s, 1);
            set_argument(s, LOAD, 1, uav);
        },
    ),
    Case(MATRICES, &[Rule::InstrLinAlgMatrixRequiresRWBAB], |s| {
        let srv = handle_number(s, 0);
        set_argument(s, STORE, 2, srv);
    }),
    Case(MATRICES, &[Rule::InstrLinAlgMatrixRequiresLayout2], |s| {
        set_argument_int(s, STORE, 5, 2);
    }),
    Case(MATRICES, &[Rule::InstrLinAlgMatrix2PartsMustMatch], |s| {
        let of_group = matrix(s, "C9M4N4U0S2");
        set_argument(s, CONVERT, 1, of_group);
    }),
    Case(MATRICES, &[Rule::InstrLinAlgMatrixScopeMustMatch3], |s| {
        let of_group = matrix(s, "C9M4N4U0S2");
        set_argument(s, MULTIPLY, 1, of_group);
    }),
    Case(MATRICES, &[Rule::InstrLinAlgMatrixScopeMustMatch4], |s| {
        let of_group = matrix(s, "C9M4N4U0S2");
        set_argument(s, MULTIPLY_ADD, 1, of_group);
    }),
    Case(MATRICES, &[Rule::InstrLinAlgMatrixMatrixKDimMustMatch], |s| {
        set_matrix(s, "C9M4N4U1S2", ROWS, 8);
    }),
    Case(
        MATRICES,
        &[Rule::InstrLinAlgMatrixMatrixResDimMustMatch],
        |s| set_matrix(s, "C9M4N4U2S2", ROWS, 8),
    ),
    Case(MATRICES, &[Rule::InstrParamMinimumValue], |s| {
        set_argument_int(s, LOAD, 5, 0);
    }),
    // The shader has 64 bytes of groupshared memory.
    Case(MATRICES, &[Rule::SmExplicitTGSMSizeOnEntry], |s| {
        let bytes = md_number(&s.module, 8);
        entry(s).other_properties.push((24, Some(bytes)));
    }),
];
