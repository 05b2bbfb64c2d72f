//! Modules in debug form against the structure that the specification of
//! `NonSemantic.Shader.DebugInfo.100` gives: operands of each instruction, where an instruction may
//! stand, and what it may refer to.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::path::Path;

use dxil_frontend::dxil::read_shader_with_debug_info;
use dxil_frontend::tables::HashMap;
use dxil_translate::{Features, Options, SourceDebugInfo, Style, Target, VulkanVersion, translate};
use rspirv::spirv::Op;

/// The kind of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `OpString`.
    Text,
    /// `OpConstant` of 32 bits.
    Number,
    /// `OpConstantTrue` or `OpConstantFalse`.
    Bool,
    /// `DebugSource`.
    Source,
    /// `DebugCompilationUnit`.
    Unit,
    /// A debug type, or `OpTypeVoid` as a function's result.
    Type,
    /// `DebugTypeVector`.
    Vector,
    /// `DebugTypeFunction`.
    FunctionType,
    /// `DebugTypeMember`, `DebugTypeInheritance` or `DebugFunction`.
    Member,
    /// A scope: compilation unit, function, lexical block or composite type.
    Scope,
    /// `DebugFunction`.
    Function,
    /// `OpFunction`.
    Definition,
    /// `DebugInlinedAt`.
    Inlined,
    /// `DebugLocalVariable`.
    Local,
    /// `OpVariable` or a constant.
    Variable,
    /// `OpVariable` or `OpFunctionParameter`.
    Memory,
    /// Any value.
    Value,
    /// `DebugExpression`.
    Expression,
}

use Kind::*;

/// An instruction: number, name, operands, optional operands, and what may follow any number of
/// times.
type InstructionRow = (
    u32,
    &'static str,
    &'static [Kind],
    &'static [Kind],
    Option<Kind>,
);

/// Sections 4.1 to 4.10 of the specification, as far as the translator writes them.
const TABLE: [InstructionRow; 26] = [
    (0, "DebugInfoNone", &[], &[], None),
    (
        1,
        "DebugCompilationUnit",
        &[Number, Number, Source, Number],
        &[],
        None,
    ),
    (
        2,
        "DebugTypeBasic",
        &[Text, Number, Number, Number],
        &[],
        None,
    ),
    (5, "DebugTypeArray", &[Type, Number], &[], Some(Number)),
    (6, "DebugTypeVector", &[Type, Number], &[], None),
    (8, "DebugTypeFunction", &[Number, Type], &[], Some(Type)),
    (
        10,
        "DebugTypeComposite",
        &[
            Text, Number, Source, Number, Number, Scope, Text, Number, Number,
        ],
        &[],
        Some(Member),
    ),
    (
        11,
        "DebugTypeMember",
        &[Text, Type, Source, Number, Number, Number, Number, Number],
        &[Number],
        None,
    ),
    (
        18,
        "DebugGlobalVariable",
        &[
            Text, Type, Source, Number, Number, Scope, Text, Variable, Number,
        ],
        &[Member],
        None,
    ),
    (
        20,
        "DebugFunction",
        &[
            Text,
            FunctionType,
            Source,
            Number,
            Number,
            Scope,
            Text,
            Number,
            Number,
        ],
        &[Value],
        None,
    ),
    (
        21,
        "DebugLexicalBlock",
        &[Source, Number, Number, Scope],
        &[Text],
        None,
    ),
    (23, "DebugScope", &[Scope], &[Inlined], None),
    (24, "DebugNoScope", &[], &[], None),
    (25, "DebugInlinedAt", &[Number, Scope], &[Inlined], None),
    (
        26,
        "DebugLocalVariable",
        &[Text, Type, Source, Number, Number, Scope, Number],
        &[Number],
        None,
    ),
    (
        28,
        "DebugDeclare",
        &[Local, Memory, Expression],
        &[],
        Some(Number),
    ),
    (
        29,
        "DebugValue",
        &[Local, Value, Expression],
        &[],
        Some(Number),
    ),
    (31, "DebugExpression", &[], &[], Some(Value)),
    (35, "DebugSource", &[Text], &[Text], None),
    (
        101,
        "DebugFunctionDefinition",
        &[Function, Definition],
        &[],
        None,
    ),
    (102, "DebugSourceContinued", &[Text], &[], None),
    (
        103,
        "DebugLine",
        &[Source, Number, Number, Number, Number],
        &[],
        None,
    ),
    (104, "DebugNoLine", &[], &[], None),
    (
        107,
        "DebugEntryPoint",
        &[Function, Unit, Text, Text],
        &[],
        None,
    ),
    (108, "DebugTypeMatrix", &[Vector, Number, Bool], &[], None),
    (
        12,
        "DebugTypeInheritance",
        &[Type, Number, Number, Number],
        &[],
        None,
    ),
];

/// Instructions that stand in blocks of functions; all others stand in front of the first function.
const LOCAL: [u32; 7] = [23, 24, 28, 29, 101, 103, 104];

/// The instruction that defines an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Defined {
    /// An instruction of SPIR-V itself.
    Core(u32),
    /// One of the set.
    Debug(u32),
}

fn fits(kind: Kind, defined: Defined, has_32_bits: bool) -> bool {
    let core =
        |ops: &[Op]| matches!(defined, Defined::Core(op) if ops.iter().any(|o| *o as u32 == op));
    let debug = |numbers: &[u32]| matches!(defined, Defined::Debug(n) if numbers.contains(&n));
    // What is unknown or does not apply is `DebugInfoNone` (section 4.2).
    if debug(&[0]) && kind != Text {
        return true;
    }
    match kind {
        Text => core(&[Op::String]),
        Number => core(&[Op::Constant]) && has_32_bits,
        Bool => core(&[Op::ConstantTrue, Op::ConstantFalse]),
        Source => debug(&[35]),
        Unit => debug(&[1]),
        Type => debug(&[2, 3, 4, 5, 6, 7, 8, 9, 10, 108]) || core(&[Op::TypeVoid]),
        Vector => debug(&[6]),
        FunctionType => debug(&[8]),
        Member => debug(&[11, 12, 20]),
        Scope => debug(&[1, 10, 20, 21]),
        Function => debug(&[20]),
        Definition => core(&[Op::Function]),
        Inlined => debug(&[25]),
        Local => debug(&[26]),
        Variable => core(&[Op::Variable, Op::Constant, Op::ConstantComposite]),
        Memory => core(&[Op::Variable, Op::FunctionParameter]),
        Value => true,
        Expression => debug(&[31]),
    }
}

/// Returns a module's instructions: opcode and all words after the first.
fn instructions(words: &[u32]) -> Vec<(u32, &[u32])> {
    let mut rest = &words[5..];
    let mut all = Vec::new();
    while let [header, ..] = *rest {
        let (inst, next) = rest.split_at((header >> 16) as usize);
        all.push((header & 0xffff, &inst[1..]));
        rest = next;
    }
    all
}

/// Returns the violations of the specification, and the number of global variables that name a
/// SPIR-V variable.
fn check(words: &[u32]) -> (Vec<String>, usize) {
    let mut problems = Vec::new();
    let mut linked = 0;
    let mut defined: HashMap<u32, Defined> = HashMap::default();
    let (mut void, mut int) = (0, Vec::new());
    let mut wide = Vec::new();
    let mut set = None;
    let mut function = None;
    let mut definitions = 0;
    for (opcode, operands) in instructions(words) {
        let is = |op: Op| opcode == op as u32;
        if is(Op::ExtInstImport) {
            let name: Vec<u8> = operands[1..].iter().flat_map(|w| w.to_le_bytes()).collect();
            if name.starts_with(b"NonSemantic.Shader.DebugInfo.100\0") {
                set = Some(operands[0]);
            }
        }
        if is(Op::TypeVoid) {
            void = operands[0];
        }
        if is(Op::TypeInt) && operands[1] == 32 {
            int.push(operands[0]);
        }
        if is(Op::Constant) && !int.contains(&operands[0]) {
            wide.push(operands[1]);
        }
        if is(Op::Function) {
            function = Some(operands[1]);
            definitions = 0;
        }
        let is_debug = is(Op::ExtInst) && Some(operands[2]) == set;
        // Types, strings and labels have their id first; what gives a value has its type there.
        let result = match opcode {
            o if o == Op::String as u32 || o == Op::TypeVoid as u32 => Some(operands[0]),
            o if [
                Op::Constant,
                Op::ConstantTrue,
                Op::ConstantFalse,
                Op::ConstantComposite,
                Op::Variable,
                Op::Function,
                Op::FunctionParameter,
            ]
            .iter()
            .any(|op| *op as u32 == o) =>
            {
                Some(operands[1])
            }
            _ => None,
        };
        if let Some(id) = result {
            defined.insert(id, Defined::Core(opcode));
        }
        if !is_debug {
            continue;
        }
        let (number, arguments) = (operands[3], &operands[4..]);
        let Some((_, name, fixed, optional, more)) =
            TABLE.iter().find(|(known, ..)| *known == number)
        else {
            problems.push(format!("instruction {number} is not in the table"));
            continue;
        };
        if operands[0] != void {
            problems.push(format!("{name}: its type is not void"));
        }
        if LOCAL.contains(&number) != function.is_some() {
            problems.push(format!("{name} stands where it must not"));
        }
        let maximum = match more {
            Some(_) => usize::MAX,
            None => fixed.len() + optional.len(),
        };
        if !(fixed.len()..=maximum).contains(&arguments.len()) {
            problems.push(format!("{name} has {} operands", arguments.len()));
            continue;
        }
        let kinds = fixed.iter().chain(*optional).copied();
        let kinds = kinds.chain(std::iter::repeat(more.unwrap_or(Value)));
        for (index, (argument, kind)) in arguments.iter().zip(kinds).enumerate() {
            let found = defined.get(argument).copied();
            let fits = match found {
                Some(found) => fits(kind, found, !wide.contains(argument)),
                // Results of the code, which are not kept here.
                None => kind == Value,
            };
            if !fits {
                problems.push(format!("{name}, operand {index}: {found:?} is no {kind:?}"));
            }
        }
        match number {
            18 => {
                let found = defined.get(&arguments[7]);
                linked += usize::from(found == Some(&Defined::Core(Op::Variable as u32)));
            }
            101 => {
                definitions += 1;
                if function != Some(arguments[1]) || definitions > 1 {
                    problems.push(format!(
                        "{name} is not the only one, or of another function"
                    ));
                }
            }
            _ => {}
        }
        defined.insert(operands[1], Defined::Debug(number));
    }
    if set.is_none() {
        problems.push("the set is not imported".to_owned());
    }
    (problems, linked)
}

fn translated(name: &str) -> Vec<u32> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hwtests/shaders/debug");
    let bytes = std::fs::read(root.join(name).with_extension("dxil")).unwrap();
    let shader = read_shader_with_debug_info(&bytes).unwrap();
    let mut options = Options::default();
    options.target = Target::new(VulkanVersion::V1_3, Style::Native, Features::all());
    options.source = SourceDebugInfo::Full;
    let entry = shader.entry_points.iter().find(|e| e.function.is_some());
    options.entry = entry.map(|entry| entry.name.to_string());
    translate(&shader, &options).unwrap().words
}

#[test]
fn debug_form_has_the_structure_of_the_specification() {
    for name in ["inlined", "unoptimised", "typed", "traced"] {
        let (problems, _) = check(&translated(name));
        assert!(problems.is_empty(), "{name}:\n{}", problems.join("\n"));
    }
}

#[test]
fn descriptions_of_resources_name_their_variables() {
    // `Out`; the compiler removed `In`, whose words cancel out.
    let (_, linked) = check(&translated("typed"));
    assert_eq!(linked, 1);
    // `In`, `Out`, `tile` and `table`.
    let (_, linked) = check(&translated("inlined"));
    assert_eq!(linked, 4);
}

#[test]
fn the_check_finds_operands_of_another_kind() {
    let mut words = translated("inlined");
    let mut at = 5;
    let mut changed = false;
    while at < words.len() && !changed {
        let (length, opcode) = ((words[at] >> 16) as usize, words[at] & 0xffff);
        // The name of a basic type becomes its size.
        if opcode == Op::ExtInst as u32 && words[at + 4] == 2 {
            words[at + 5] = words[at + 6];
            changed = true;
        }
        at += length;
    }
    let (problems, _) = check(&words);
    assert!(
        problems
            .iter()
            .any(|p| p.starts_with("DebugTypeBasic, operand 0")),
        "{problems:?}"
    );
}
