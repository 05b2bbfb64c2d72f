//! One case per rule: a good shader, an edit, and the rule that the edit breaks, alone where the
//! rules allow it.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::panic::AssertUnwindSafe;
use std::path::Path;

use cranelift_entity::EntityRef;

use super::context::Sink;
use super::{Check, Options, Rule, Severity, check_shader, metadata, validate};
use crate::bitcode::{decode_module, write_module};
use crate::container::fourcc::FourCc;
use crate::container::{Container, Signing, open_program, sign, write_container};
use crate::dxil::entry_points::INPUT_PRIMITIVE;
use crate::dxil::ops::Overload;
use crate::dxil::{
    ComponentType, DomainShape, EntryPoint, InterpolationMode, OutputTopology, Resource,
    ResourceClass, ResourceKind, SamplerKind, SemanticKind, Shader, ShaderFlags, ShaderKind,
    SignatureElement, Stage, TessellatorOutput, TessellatorPartitioning, WaveSize, described,
    read_shader,
};
use crate::ir::{
    Attribute, AttributeGroup, BinaryOp, BlockId, CastOp, Constant, FastMath, FuncId, Inst,
    InstData, InstId, Linkage, List, MdId, MdNode, Module, Type, TypeId, ValueData, ValueDef,
    ValueId,
};

const CS: &str = "modules/mixed_cs";
const VS: &str = "container/skin_vs";
const PS: &str = "container/view_ps";
const HS: &str = "modules/hull";
const DS: &str = "container/patch_ds";
const GS: &str = "modules/geometry";
const MS: &str = "container/meshlet_ms";
const AS: &str = "container/meshlet_as";
const LIB: &str = "modules/payload_access";
const HEAPS: &str = "../../../hwtests/shaders/newer/counters";
const HITS: &str = "../../../translate/filetests/hit_objects/trace_invoke";
const HIT_STATE: &str = "../../../translate/filetests/hit_objects/accessors";

fn bytes(file: &str) -> Vec<u8> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    std::fs::read(data.join(file).with_extension("dxil")).unwrap()
}

fn names(sink: Sink) -> Vec<&'static str> {
    let (violations, _) = sink.finish();
    let names: BTreeSet<&str> = violations.iter().map(|v| v.rule.name()).collect();
    names.into_iter().collect()
}

fn rules_of(shader: &Shader) -> Vec<&'static str> {
    let sink = Sink::new(metadata::NEWEST);
    check_shader(shader, None, &sink);
    names(sink)
}

type Edit = fn(&mut Shader);
type ModuleEdit = fn(&mut Module);

/// The edit on its own must break nothing but these rules; the first one is what it is about, and
/// the others follow from it.
struct Case(&'static str, &'static [Rule], Edit);

fn entry(shader: &mut Shader) -> &mut EntryPoint {
    &mut shader.entry_points[0]
}

fn input(shader: &mut Shader, kind: SemanticKind) -> &mut SignatureElement {
    let mut inputs = shader.entry_points[0].inputs.iter_mut();
    inputs.find(|element| element.semantic == kind).unwrap()
}

fn output(shader: &mut Shader, kind: SemanticKind) -> &mut SignatureElement {
    let mut outputs = shader.entry_points[0].outputs.iter_mut();
    outputs.find(|element| element.semantic == kind).unwrap()
}

fn wave(min: u32, max: u32, preferred: u32) -> Option<WaveSize> {
    Some(WaveSize {
        min,
        max,
        preferred,
    })
}

fn srv(shader: &mut Shader, kind: ResourceKind) -> &mut Resource {
    let mut srvs = shader.resources.srvs.iter_mut();
    srvs.find(|resource| resource.kind == kind).unwrap()
}

/// Reads a resource like the first UAV, with the next id and a register of its own.
fn another_uav(shader: &mut Shader) -> &mut Resource {
    let mut uav = shader.resources.uavs[0].clone();
    uav.id = u32::try_from(shader.resources.uavs.len()).unwrap();
    uav.space = 77;
    shader.resources.uavs.push(uav);
    shader.resources.uavs.last_mut().unwrap()
}

/// Returns the type, which is added where the module does not have it.
fn ty(module: &mut Module, wanted: Type) -> TypeId {
    let found = module.types.types.iter().find(|(_, ty)| **ty == wanted);
    match found.map(|(id, _)| id) {
        Some(id) => id,
        None => module.types.types.push(wanted),
    }
}

/// Reads a constant of the first function's body.
fn constant(shader: &mut Shader, ty: TypeId, constant: Constant) -> ValueId {
    shader.module.bodies[0].push_value(ty, ValueDef::Constant(constant))
}

/// Replaces the first instruction of the first body that the function accepts.
fn replace(shader: &mut Shader, mut change: impl FnMut(&Shader, InstId, Inst) -> Option<Inst>) {
    let ids: Vec<InstId> = shader.module.bodies[0].insts.keys().collect();
    for id in ids {
        let inst = shader.module.bodies[0].insts[id].inst;
        if let Some(new) = change(shader, id, inst) {
            shader.module.bodies[0].insts[id].inst = new;
            return;
        }
    }
    panic!("no instruction fits");
}

fn int32(shader: &mut Shader, value: u64) -> ValueId {
    let int = ty(&mut shader.module, Type::Int(32));
    constant(shader, int, Constant::Int(value))
}

/// Sets an argument of the first call of the operation, counted from the opcode.
fn set_argument(shader: &mut Shader, opcode: u64, index: usize, value: ValueId) {
    let body = &shader.module.bodies[0];
    let view = crate::ir::FuncView {
        module: &shader.module,
        function: body,
    };
    let args = body.insts.values().find_map(|data| match data.inst {
        Inst::Call { args, .. } => {
            let first = body.values_of(args).first()?;
            let is_operation = crate::dxil::ops::op_arguments(view, &shader.callees, &data.inst);
            is_operation?;
            (view.constant_int(*first) == Some(opcode)).then_some(args)
        }
        _ => None,
    });
    let at = args.unwrap_or_else(|| panic!("no call of {opcode}")).start as usize + index;
    shader.module.bodies[0].value_pool[at] = value;
}

fn set_argument_int(shader: &mut Shader, opcode: u64, index: usize, value: u64) {
    let old = argument_type(shader, opcode, index);
    let value = constant(shader, old, Constant::Int(value));
    set_argument(shader, opcode, index, value);
}

fn set_argument_undef(shader: &mut Shader, opcode: u64, index: usize) {
    let old = argument_type(shader, opcode, index);
    let value = constant(shader, old, Constant::Undef);
    set_argument(shader, opcode, index, value);
}

fn argument_type(shader: &Shader, opcode: u64, index: usize) -> TypeId {
    let body = &shader.module.bodies[0];
    let view = crate::ir::FuncView {
        module: &shader.module,
        function: body,
    };
    let found = body.insts.values().find_map(|data| {
        let args = crate::dxil::ops::op_arguments(view, &shader.callees, &data.inst)?;
        (view.constant_int(args[0]) == Some(opcode)).then(|| view.type_of(args[index]).unwrap())
    });
    found.unwrap_or_else(|| panic!("no call of {opcode}"))
}

macro_rules! hull {
    ($shader:ident, $field:ident, $value:expr) => {{
        let Stage::Hull { $field, .. } = &mut entry($shader).stage else {
            panic!("no hull shader");
        };
        *$field = $value;
    }};
}

macro_rules! geometry {
    ($shader:ident, $field:ident, $value:expr) => {{
        let Stage::Geometry { $field, .. } = &mut entry($shader).stage else {
            panic!("no geometry shader");
        };
        *$field = $value;
    }};
}

macro_rules! mesh {
    ($shader:ident, $field:ident, $value:expr) => {{
        let Stage::Mesh { $field, .. } = &mut entry($shader).stage else {
            panic!("no mesh shader");
        };
        *$field = $value;
    }};
}

include!("tests/edits.rs");
include!("tests/cases.rs");
include!("tests/operation_cases.rs");
include!("tests/body_cases.rs");
include!("tests/declaration_cases.rs");
include!("tests/matrix_cases.rs");

/// Returns all edits of shaders that are read.
fn shader_cases() -> impl Iterator<Item = &'static Case> {
    CASES
        .iter()
        .chain(OPERATION_CASES)
        .chain(BODY_CASES)
        .chain(DECLARATION_CASES)
        .chain(MATRIX_CASES)
}

/// Returns all edits of metadata that is not read yet.
fn module_cases() -> impl Iterator<Item = &'static (&'static str, Rule, ModuleEdit)> {
    MODULE_CASES.iter().chain(WAVE_SIZE_CASES)
}

#[test]
fn the_shaders_that_are_edited_break_no_rule() {
    let files: BTreeSet<&str> = shader_cases().map(|Case(file, ..)| *file).collect();
    for file in files {
        let shader = read_shader(&bytes(file)).unwrap();
        assert_eq!(rules_of(&shader), [""; 0], "{file}");
    }
}

#[test]
fn each_edit_breaks_its_rule_and_nothing_else() {
    let mut problems = String::new();
    for Case(file, rules, edit) in shader_cases() {
        let mut shader = read_shader(&bytes(file)).unwrap();
        let edited = std::panic::catch_unwind(AssertUnwindSafe(|| edit(&mut shader)));
        if edited.is_err() {
            problems += &format!("{file} {}: the edit does not apply\n", rules[0].name());
            continue;
        }
        let mut expected: Vec<&str> = rules.iter().map(|rule| rule.name()).collect();
        expected.sort_unstable();
        let found = rules_of(&shader);
        if found != expected {
            problems += &format!("{file} {}: found {found:?}\n", rules[0].name());
        }
    }
    assert!(problems.is_empty(), "{problems}");
}

#[test]
fn each_edit_of_metadata_breaks_its_rule_and_nothing_else() {
    let mut problems = String::new();
    for (file, rule, edit) in module_cases() {
        let bytes = bytes(file);
        let program = open_program(&bytes).unwrap();
        let mut module = decode_module(program.bitcode, 0).unwrap();
        edit(&mut module);
        let sink = Sink::new(metadata::NEWEST);
        metadata::check(&module, &sink);
        let found = names(sink);
        if found != [rule.name()] {
            problems += &format!("{file} {}: found {found:?}\n", rule.name());
        }
    }
    assert!(problems.is_empty(), "{problems}");
}

#[test]
fn an_unknown_number_of_a_stage_breaks_its_rule_and_is_not_translated() {
    for (file, tag, index, rule) in STATE_CASES {
        let bytes = bytes(file);
        let program = open_program(&bytes).unwrap();
        let mut module = decode_module(program.bitcode, 0).unwrap();
        let state = property(&module, *tag);
        set_number(&mut module, state, *index, 99);
        let shader = Shader::decode(module).unwrap();
        assert!(rules_of(&shader).contains(&rule.name()), "{file} {rule}");
        let error = shader.entry_points[0].check_state().unwrap_err();
        assert!(error.to_string().contains("0x63"), "{error}");
    }
}

#[test]
fn a_system_value_that_the_table_has_as_arbitrary_is_arbitrary() {
    // DXIL document, "HLSL signatures and semantics": SV_Position is "Arb" as an input of vertex
    // shaders, and a system value as their output.
    let read = |signature: &dyn Fn(&mut Shader) -> &mut Vec<SignatureElement>| {
        let mut shader = read_shader(&bytes(VS)).unwrap();
        let element = &mut signature(&mut shader)[0];
        element.name = "SV_Position".into();
        element.semantic = SemanticKind::Position;
        let written = write_module(&described(&shader).unwrap()).unwrap();
        read_shader(&written).unwrap()
    };
    let input = read(&|shader| &mut entry(shader).inputs);
    let element = &input.entry_points[0].inputs[0];
    assert_eq!(&*element.name, "SV_Position");
    assert_eq!(element.semantic, SemanticKind::Arbitrary);
    let output = read(&|shader| &mut entry(shader).outputs);
    let element = &output.entry_points[0].outputs[0];
    assert_eq!(element.semantic, SemanticKind::Position);
}

#[test]
fn tags_of_resources_belong_to_their_class() {
    // DXC's reader knows the tags 0 and 1 of SRVs; UAVs have the kind of feedback (2), too.
    let bytes = bytes(CS);
    let program = open_program(&bytes).unwrap();
    let resources = |module: &Module| {
        let classes = named(module, "dx.resources");
        [0, 1].map(|class| operand(module, operand(module, classes, class), 0))
    };
    for is_srv in [true, false] {
        let mut module = decode_module(program.bitcode, 0).unwrap();
        let [srv, uav] = resources(&module);
        let (changed, other) = if is_srv {
            ((srv, 8), (uav, 10))
        } else {
            ((uav, 10), (srv, 8))
        };
        // Both may share their properties.
        set_node(&mut module, other.0, other.1, None);
        let properties = operand(&module, changed.0, changed.1);
        set_number(&mut module, properties, 0, 2);
        let sink = Sink::new(metadata::NEWEST);
        metadata::check(&module, &sink);
        let found = names(sink);
        let is_unknown = found == [Rule::MetaWellFormed.name()];
        assert_eq!(is_unknown, is_srv, "{found:?}");
    }
}

#[test]
fn rows_of_a_signature_element_are_bounded() {
    // The number of rows is a loop count of readers.
    for (index, number) in [(6, 33), (6, 0xffff_fff0), (8, 0x1_0000)] {
        let bytes = bytes(VS);
        let program = open_program(&bytes).unwrap();
        let mut module = decode_module(program.bitcode, 0).unwrap();
        let node = element(&module, 0);
        set_number(&mut module, node, index, number);
        let error = Shader::decode(module).unwrap_err();
        assert!(
            error.to_string().contains("of a signature element"),
            "{error}"
        );
    }
}

#[test]
fn a_declaration_with_other_types_does_not_hide_what_else_is_wrong() {
    let bytes = bytes(CS);
    let program = open_program(&bytes).unwrap();
    let mut module = decode_module(program.bitcode, 0).unwrap();
    let wrong = module
        .functions
        .values_mut()
        .find(|decl| decl.name.starts_with("dx.op.threadId."));
    let own_type = module
        .types
        .types
        .iter()
        .find(|(_, ty)| matches!(ty, Type::Function { params, .. } if params.is_empty()));
    wrong.unwrap().ty = own_type.unwrap().0;
    let target = named(&module, "dx.valver");
    set_number(&mut module, target, 1, 99);
    let mut errors = 0;
    let shader = Shader::decode_with(module.clone(), &mut |_| errors += 1);
    assert!(shader.is_ok() && errors == 1);
    assert!(Shader::decode(module).is_err());
}

#[test]
fn each_edit_of_parts_breaks_its_rules_and_nothing_else() {
    let mut problems = String::new();
    for (file, rules, edit) in PART_CASES {
        let bytes = bytes(file);
        let container = Container::parse(&bytes).unwrap();
        let parts = container.parts().iter();
        let mut parts: Parts = parts.map(|part| (part.name, part.data.to_vec())).collect();
        edit(&mut parts);
        let parts: Vec<(FourCc, &[u8])> = parts
            .iter()
            .map(|(name, data)| (*name, &data[..]))
            .collect();
        let edited = write_container(&parts, Signing::Digest).unwrap();
        let report = validate(&edited, &Options::default());
        let found: BTreeSet<Rule> = report.violations.iter().map(|v| v.rule).collect();
        if !found.iter().eq(rules.iter()) {
            problems += &format!("{file} {}: found {found:?}\n", rules[0].name());
        }
    }
    assert!(problems.is_empty(), "{problems}");
}

#[test]
fn a_digest_of_other_content_is_a_violation() {
    let mut changed = bytes(VS);
    changed[5] ^= 1;
    let report = validate(&changed, &Options::default());
    let rules: Vec<Rule> = report.violations.iter().map(|v| v.rule).collect();
    assert_eq!(rules, [Rule::ContainerDigest]);
    let signed = sign(&changed).unwrap();
    assert!(validate(&signed, &Options::default()).violations.is_empty());
}

/// Returns the rules that have a case here, for the documentation's count.
pub(super) fn tested() -> BTreeSet<Rule> {
    let own = shader_cases().map(|Case(_, rules, _)| rules[0]);
    own.chain(module_cases().map(|(_, rule, _)| *rule))
        .chain(PART_CASES.iter().map(|(_, rules, _)| rules[0]))
        .chain([Rule::ContainerDigest])
        .chain(DIVERGENT.iter().map(|(_, rule)| *rule))
        .chain(BY_HAND.iter().map(|(_, rule)| *rule))
        .collect()
}

/// Shaders with divergent control flow, and the one rule that each breaks if it is asked for.
const DIVERGENT: &[(&str, Rule)] = &[
    ("validate/divergent_gradient_ps", Rule::UniGradientFlow),
    ("validate/divergent_loop_ps", Rule::UniGradientFlow),
    ("validate/divergent_barrier_cs", Rule::UniThreadSync),
    (
        "validate/gradient_of_wave_ps",
        Rule::UniNoWaveSensitiveGradient,
    ),
];

fn with_uniformity(file: &str) -> Vec<Rule> {
    let options = Options {
        uniformity: true,
        ..Options::default()
    };
    let report = validate(&bytes(file), &options);
    report.violations.iter().map(|found| found.rule).collect()
}

#[test]
fn divergent_control_flow_is_a_warning_where_it_is_asked_for() {
    for (file, rule) in DIVERGENT {
        assert_eq!(with_uniformity(file), [*rule], "{file}");
        assert_eq!(rule.info().severity, Severity::Warning);
        let report = validate(&bytes(file), &Options::default());
        assert!(report.violations.is_empty(), "{file}");
    }
    for file in ["validate/uniform_ps", "validate/uniform_cs"] {
        assert_eq!(with_uniformity(file), [], "{file}");
    }
}

/// Shaders written as text that break one rule about the variables of resources: libraries that
/// store to one, and that have two records for one.
const BY_HAND: &[(&str, Rule)] = &[
    ("validate/store_to_resource_lib", Rule::InstrResourceUser),
    (
        "validate/two_records_lib",
        Rule::InstrResourceMapToSingleEntry,
    ),
];

#[test]
fn variables_of_resources_are_only_loaded_and_stand_for_one_resource() {
    for (file, rule) in BY_HAND {
        let report = validate(&bytes(file), &Options::default());
        let found: Vec<Rule> = report.violations.iter().map(|found| found.rule).collect();
        assert!(found.contains(rule), "{file}: {found:?}");
        assert!(found.iter().all(|found| found == rule), "{file}: {found:?}");
    }
}

#[test]
fn every_rule_that_is_checked_has_an_edit_that_breaks_it() {
    let checked = Rule::ALL.iter().copied().filter(|rule| rule.is_checked());
    let checked: BTreeSet<Rule> = checked.collect();
    let tested = tested();
    let without: Vec<&Rule> = checked.difference(&tested).collect();
    assert!(without.is_empty(), "without an edit: {without:?}");
    let unchecked: Vec<&Rule> = tested.difference(&checked).collect();
    assert!(unchecked.is_empty(), "not checked: {unchecked:?}");
}

/// Rules that no edit can break alone, and why.
const NEVER_ALONE: &[(Rule, &str)] = &[
    (
        Rule::MetaClipCullMaxComponents,
        "two registers have eight components",
    ),
    (Rule::InstrExpDXILOpCodeRequiresExpSM, ENTRY),
    (Rule::InstrBarrierModeForNonCS, GROUP),
    (Rule::SmTGSMUnsupported, GROUP),
    (
        Rule::SmPSOutputSemantic,
        "it is a rule about system values of one stage",
    ),
    (
        Rule::SmGSOutputVertexCountRange,
        "1025 vertices have more than 1024 scalars",
    ),
    (Rule::SmMeshVSigRowCount, REGISTERS),
    (Rule::SmMeshPSigRowCount, REGISTERS),
    (Rule::SmIncompatibleCallInEntry, ENTRY),
    (Rule::SmIncompatibleOperation, ENTRY),
    (Rule::SmIncompatibleStage, ENTRY),
    (Rule::SmIncompatibleShaderModel, ENTRY),
    (Rule::SmIncompatibleThreadGroupDim, ENTRY),
    (Rule::SmIncompatibleDerivInComputeShaderModel, ENTRY),
    (Rule::SmIncompatibleRequiresGroup, ENTRY),
    (Rule::SmIncompatibleDerivLaunch, ENTRY),
];
const ENTRY: &str = "one rule is about the entry point, the other one about what does not suit it";
const GROUP: &str = "the entry point does not suit what needs a thread group either";
const REGISTERS: &str = "no register of a signature comes after the 32nd one";

/// Returns the fewest other rules that an edit for a rule breaks as well.
fn companions() -> BTreeMap<Rule, BTreeSet<Rule>> {
    let mut fewest: BTreeMap<Rule, BTreeSet<Rule>> = BTreeMap::new();
    let lists = shader_cases().map(|Case(_, rules, _)| *rules);
    for rules in lists.chain(PART_CASES.iter().map(|(_, rules, _)| *rules)) {
        let others: BTreeSet<Rule> = rules[1..].iter().copied().collect();
        let own = fewest.entry(rules[0]).or_insert_with(|| others.clone());
        if others.len() < own.len() {
            *own = others;
        }
    }
    for (_, rule, _) in module_cases() {
        fewest.insert(*rule, BTreeSet::new());
    }
    fewest
}

#[test]
fn rules_that_are_never_broken_alone_are_listed() {
    let others = companions();
    let others = others.iter().filter(|(_, others)| !others.is_empty());
    let found: Vec<Rule> = others.map(|(rule, _)| *rule).collect();
    let listed: Vec<Rule> = NEVER_ALONE.iter().map(|(rule, _)| *rule).collect();
    assert_eq!(found, listed);
}

const BEGIN: &str = "<!-- rules: made by a test, do not edit -->\n";

/// Returns the lists of rules that `docs/validator.md` ends with.
fn lists() -> String {
    let tested = tested();
    let official = Rule::ALL.iter().filter(|rule| !Rule::OWN.contains(rule));
    let (checked, open): (Vec<&Rule>, Vec<&Rule>) = official.partition(|rule| rule.is_checked());
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{} of {} rules are checked. Each of {} has an edit in `frontend/src/validate/tests`,\nor a \
         shader, that breaks it: {} rules alone, {} with other rules.\n\n## Rules that are checked\n",
        checked.len(),
        checked.len() + open.len(),
        checked.iter().filter(|rule| tested.contains(rule)).count(),
        tested
            .iter()
            .filter(|rule| !Rule::OWN.contains(rule))
            .count()
            - NEVER_ALONE.len(),
        NEVER_ALONE.len(),
    );
    text += "| Rule | From | What it asks for |\n|---|---|---|\n";
    for rule in checked {
        let info = rule.info();
        let (name, since, message) = (info.name, info.since, info.message);
        let _ = writeln!(text, "| `{name}` | 1.{since} | {message} |");
    }
    text +=
        "\n## Rules that are never broken alone\n\n| Rule | Broken with | Why |\n|---|---|---|\n";
    let companions = companions();
    for (rule, reason) in NEVER_ALONE {
        let others = companions.get(rule).into_iter().flatten();
        let names: Vec<String> = others.map(|other| format!("`{}`", other.name())).collect();
        let _ = writeln!(
            text,
            "| `{}` | {} | {reason} |",
            rule.name(),
            names.join(", ")
        );
    }
    text += "\n## Rules that are not checked\n\n| Rule | Reason |\n|---|---|\n";
    for rule in open {
        if let Check::Not(reason) = rule.info().check {
            let _ = writeln!(text, "| `{}` | {reason} |", rule.name());
        }
    }
    text += "\n## Rules that are not Microsoft's\n\n| Rule | What it asks for |\n|---|---|\n";
    for rule in Rule::OWN {
        let _ = writeln!(text, "| `{}` | {} |", rule.name(), rule.info().message);
    }
    text
}

#[test]
fn the_documentation_lists_the_rules_as_they_are() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/validator.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (prose, listed) = text.split_once(BEGIN).unwrap();
    let lists = lists();
    // "n of all rules", as the lists begin.
    let count = lists.split(" are checked").next().unwrap();
    let readme = std::fs::read_to_string(path.with_file_name("../README.md")).unwrap();
    assert!(readme.contains(count), "README.md does not say {count}");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, format!("{prose}{BEGIN}{lists}")).unwrap();
        return;
    }
    assert!(listed == lists, "BLESS=1 writes the lists again");
}
