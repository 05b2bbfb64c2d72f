//! From DXBC to the form that DXIL is read to.
//!
//! * `walk` turns structured tokens into the blocks and regions of `flow`; `rotation` says which
//!   loops test at their end;
//! * `registers` finds what is a variable, and `ssa` which definition of it a read sees;
//! * `sources` reads and writes operands; `inputs`, `outputs`, `constants`, `memory` and
//!   `resources` are where they lie, `arrays`, `resource_table` and `index_value` their data;
//! * `arithmetic`, `doubles`, `textures` and `buffers` are the instructions by family, `access`
//!   what the last two share, and `precision` how exactly they compute;
//! * `body` and `module` collect what the IR is made of.

mod access;
mod arithmetic;
mod arrays;
mod body;
mod buffers;
mod constants;
mod constructs;
mod context;
mod doubles;
mod flow;
mod flow_builder;
mod handles;
mod index_value;
mod inputs;
mod instance_range;
mod instances;
mod memory;
mod module;
mod operands;
mod outputs;
mod phi_types;
mod precision;
mod registers;
mod resource_table;
mod resources;
mod rotation;
mod sources;
mod ssa;
mod stores;
mod textures;
mod walk;

pub(super) use self::stores::merge_neighbors;

use self::context::{FunctionConverter, FunctionPart, Shared};
use self::flow::{ConstructTree, Exit, StepKind, Stretch};
use self::operands::InstructionOperands;
use super::declarations::{Declarations, has_phases};
use super::linkage::Linked;
use super::opcode::Opcode as O;
use super::operations::Operations;
use super::reader::Program;
use super::signature::Signatures;
use super::tokens::{Instruction, Operand};
use crate::dxil::ops::{Opcode as Op, classify_callees};
use crate::dxil::{
    EntryPoint, Hints, Shader, ShaderFlags, ShaderKind, ShaderModel, Stage, TypeAnnotations,
};
use crate::error::{Error, Result};
use crate::ir::{FuncId, Function, Inst, Linkage, ValueId};
use crate::tables::HashMap;

/// Converts a shader.
pub(super) fn run(
    program: &Program,
    declarations: &Declarations,
    signatures: Signatures,
    linked: Option<&Linked>,
    operations: Operations,
) -> Result<Shader> {
    let mut module = module::ModuleBuilder::new();
    let resources = resource_table::ResourceTable::new(declarations, &mut module)?;
    let mut shared = Shared {
        program,
        declarations,
        signatures: &signatures,
        arrays: registers::find_arrays(program),
        module,
        resources,
        group_arrays: HashMap::default(),
        constants: None,
        linked,
        operations,
        instance_rows: None,
        instance_buffer: None,
        instance_ranges: HashMap::default(),
        instance_textures: 0,
    };
    let labels = walk::find_labels(program);
    let rotations = rotation::find(program);
    let mut bodies: Vec<(FuncId, body::BodyBuilder)> = Vec::new();
    let mut entry_function = None;
    let mut patch_constant_function = None;
    let mut parts = parts(program, declarations)?;
    let has_control_points = |part: &(FunctionPart, _)| part.0 == FunctionPart::ControlPoint;
    if operations == Operations::OfFirstModel
        && has_phases(program.kind)
        && !parts.iter().any(has_control_points)
    {
        // An entry point of DXIL has a function, even where it would only copy.
        parts.insert(0, (FunctionPart::PassThrough, Vec::new()));
    }
    for (part, stretches) in parts {
        let flow = walk::build(program, &labels, &rotations, &stretches)?;
        let name = match part {
            FunctionPart::PatchConstant => "patch_constants",
            _ => ENTRY,
        };
        let void = shared.module.types.void;
        // Declared before its body: values of the module come first, and the body's are numbered
        // after them.
        let (id, _) = shared.module.declare(name, void, &[]);
        let body = convert_function(&mut shared, part, &flow)?;
        bodies.push((id, body));
        match part {
            FunctionPart::PatchConstant => patch_constant_function = Some(id),
            _ => entry_function = Some(id),
        }
    }
    let Shared {
        module: builder,
        resources,
        ..
    } = shared;
    let mut module = builder.module;
    module.encoded_bytes = program.bytes();
    // All values of the module are there, so those of bodies can be numbered.
    let first_value = module::pool_index(module.values.len())?;
    for (id, body) in bodies {
        let function: Function = body.finish(id, first_value)?;
        let index = module::pool_index(module.bodies.len())?;
        module.bodies.push(function);
        if let Some(declaration) = module.functions.get_mut(id) {
            declaration.body = Some(index);
            declaration.linkage = Linkage::External;
        }
    }
    let entry = EntryPoint {
        function: entry_function,
        name: ENTRY.into(),
        kind: program.kind,
        inputs: signatures.inputs,
        outputs: signatures.outputs,
        patch_constants: signatures.patch_constants,
        flags: flags(declarations),
        num_threads: declarations.thread_group,
        wave_size: None,
        payload_bytes: None,
        attribute_bytes: None,
        auto_binding_space: None,
        root_signature: None,
        other_properties: Vec::new(),
        stage: stage(program.kind, declarations, patch_constant_function),
        unknown_number: None,
    };
    if program.kind == ShaderKind::Compute && entry.num_threads.is_none() {
        return Err(Error::malformed(
            "a compute shader without dcl_thread_group",
        ));
    }
    let callees = classify_callees(&module)?;
    Ok(Shader {
        shader_model: ShaderModel {
            kind: program.kind,
            major: program.version.0,
            minor: program.version.1,
        },
        dxil_version: (1, 0),
        validator_version: None,
        entry_points: vec![entry],
        resources: resources.list,
        contradictions: resources.contradictions,
        callees,
        view_id_state: Vec::new(),
        type_annotations: TypeAnnotations::default(),
        hints: Hints::new(&module),
        sources: None,
        module,
    })
}

/// Maximum number of instances of all fork and join phases together: far above the 128 scalar patch
/// constants that a patch has (D3D11.3 functional specification, 10.8.4).
const MAX_PHASE_INSTANCES: usize = 1 << 12;

/// Name of the entry point: DXBC has none.
const ENTRY: &str = "main";

/// Returns the functions of a shader, each with the code that it runs.
fn parts(
    program: &Program,
    declarations: &Declarations,
) -> Result<Vec<(FunctionPart, Vec<Stretch>)>> {
    let end = module::pool_index(program.instructions.len())?;
    if !has_phases(program.kind) {
        let all = Stretch {
            first: 0,
            end,
            instance: 0,
        };
        return Ok(vec![(FunctionPart::Main, vec![all])]);
    }
    let mut parts = Vec::new();
    let mut patch_constants = Vec::new();
    for phase in &declarations.phases {
        let stretch = |instance| Stretch {
            first: phase.first,
            end: phase.end,
            instance,
        };
        // D3D11.3 functional specification, 10.5.2, lets an implementation run the other phases one
        // after the other. DXIL has one function for all of them (DXIL document, "Hull shader
        // representation").
        if phase.opcode == O::HsControlPointPhase {
            if !parts.is_empty() {
                return Err(Error::malformed("a second control-point phase"));
            }
            parts.push((FunctionPart::ControlPoint, vec![stretch(0)]));
            continue;
        }
        // D3D11.3 functional specification, 10.8.4: at most 128 instances, one per scalar patch
        // constant.
        const MOST: u32 = 128;
        if phase.instances > MOST {
            return Err(Error::unsupported(format!(
                "a phase of {} instances; {MOST} is the most",
                phase.instances
            )));
        }
        // A phase of few tokens may be repeated 128 times, so that the number of phases does not
        // bound the work.
        if patch_constants.len() + phase.instances as usize > MAX_PHASE_INSTANCES {
            return Err(Error::new(crate::ErrorKind::Limit {
                what: "instances of fork and join phases",
                value: patch_constants.len() as u64 + u64::from(phase.instances),
                limit: MAX_PHASE_INSTANCES as u64,
            }));
        }
        patch_constants.extend((0..phase.instances).map(stretch));
    }
    parts.push((FunctionPart::PatchConstant, patch_constants));
    Ok(parts)
}

fn convert_function(
    shared: &mut Shared<'_>,
    part: FunctionPart,
    flow: &ConstructTree,
) -> Result<body::BodyBuilder> {
    let program = shared.program;
    let variables = registers::find_variables(program, shared.declarations, &shared.arrays, flow);
    let mut c = FunctionConverter::new(shared, part, flow, variables);
    for (number, block) in (0..).zip(&flow.blocks) {
        c.start_block(number, block.instance);
        for step in block.steps.clone() {
            // Reads look up definitions in front of this step, so an instruction that writes what
            // it reads sees the old value.
            c.step = step;
            let Some(step) = flow.steps.get(step as usize) else {
                continue;
            };
            c.instance = step.instance;
            match step.kind {
                StepKind::End => outputs::store_all(&mut c)?,
                StepKind::Instruction(index) => {
                    let instruction = instruction(program, index)?;
                    convert_instruction(&mut c, instruction)
                        .map_err(|error| error.at_offset(u64::from(instruction.offset)))?;
                }
            }
        }
        // The terminator's operand is read after all steps of the block.
        c.step = block.steps.end;
        end_block(&mut c, number, &block.exit)?;
    }
    c.complete_phis()?;
    // Phis are made before their operands are known, so many turn out to have only one value.
    c.body.remove_trivial_phis();
    c.choose_phi_types();
    c.body.remove_dead_instructions();
    Ok(c.body)
}

fn instruction(program: &Program, index: u32) -> Result<&Instruction> {
    let found = program.instructions.get(index as usize);
    found.ok_or_else(|| Error::new(crate::ErrorKind::Internal("an instruction beyond the end")))
}

fn convert_instruction(c: &mut FunctionConverter<'_, '_>, instruction: &Instruction) -> Result<()> {
    let row = instruction.opcode.row();
    if !row.stages.allows(c.program.kind) {
        return Err(Error::malformed(format!(
            "{} in a {} shader, which has no such instruction",
            row.mnemonic,
            c.program.kind.prefix()
        )));
    }
    // For conversions that do not go component by component: one precise component makes all of
    // them precise. `each` narrows it.
    c.set_precision(instruction, 0xf);
    let program = c.program;
    let o = InstructionOperands::new(instruction, program.operands_of(instruction));
    c.set_min_precision(&o);
    c.named_resource = instance_range::NamedResource::of(instruction);
    if arithmetic::convert(c, &o)? || textures::convert(c, &o)? || buffers::convert(c, &o)? {
        return Ok(());
    }
    let void = c.shared.module.types.void;
    match instruction.opcode {
        // D3D11.3 functional specification, 22.5.1: the pixel is flagged and execution continues,
        // so that neighbors keep their derivatives. DXIL's operation does the same.
        O::Discard => {
            let condition = condition(c, instruction)?;
            c.call(Op::Discard, None, void, &[condition])?;
        }
        O::Sync => {
            let mode = barrier_mode(instruction);
            let mode = c.int(mode);
            c.call(Op::Barrier, None, void, &[mode])?;
        }
        O::Emit | O::EmitStream => emit(c, &o, Op::EmitStream)?,
        O::Cut | O::CutStream => emit(c, &o, Op::CutStream)?,
        O::EmitThenCut | O::EmitThenCutStream => emit(c, &o, Op::EmitThenCutStream)?,
        O::EvalSnapped | O::EvalSampleIndex | O::EvalCentroid => evaluate(c, &o)?,
        // Devices without a debug layer go on.
        O::Abort | O::DebugBreak => {}
        other => {
            return Err(Error::unsupported(format!(
                "the instruction {}",
                other.mnemonic()
            )));
        }
    }
    Ok(())
}

/// Returns whether an instruction's condition holds.
fn condition(
    c: &mut FunctionConverter<'_, '_>,
    instruction: &Instruction,
) -> Result<crate::ir::ValueId> {
    let program = c.program;
    let Some(operand) = program.operands_of(instruction).first() else {
        return Err(Error::new(crate::ErrorKind::Internal(
            "a condition without operand",
        )));
    };
    let value = c.condition(operand, 0)?;
    if instruction.tests_nonzero() {
        return Ok(value);
    }
    let ty = c.i1();
    let one = c.bool(true);
    Ok(c.binary(crate::ir::BinaryOp::Xor, ty, value, one))
}

/// Returns the flags of `sync` as those of DXIL's barrier.
fn barrier_mode(instruction: &Instruction) -> u32 {
    let flag = |bit, mode: u32| {
        if instruction.control(bit, 1) != 0 {
            mode
        } else {
            0
        }
    };
    // D3D11.3 functional specification, 22.17.7: `_ugroup` (bit 13) and `_uglobal` (14) fence UAVs,
    // `_g` (12) shared memory, and `_t` (11) waits for the group.
    let group_memory = flag(13, 4);
    let device_memory = flag(14, 2);
    flag(11, 1)
        | flag(12, 8)
        // All of the device's includes the group's.
        | if device_memory != 0 { device_memory } else { group_memory }
}

fn emit(c: &mut FunctionConverter<'_, '_>, o: &InstructionOperands<'_>, op: Op) -> Result<()> {
    let stream = o.first().map_or(0, Operand::first_index);
    if stream > 3 {
        return Err(Error::malformed("a stream beyond the fourth"));
    }
    // A cut ends the strip and appends no vertex.
    if op != Op::CutStream {
        outputs::store_vertex(c, stream)?;
    }
    let void = c.shared.module.types.void;
    let stream = c.byte(u8::try_from(stream).unwrap_or(0));
    c.call(op, None, void, &[stream])?;
    Ok(())
}

fn evaluate(c: &mut FunctionConverter<'_, '_>, o: &InstructionOperands<'_>) -> Result<()> {
    let (op, places): (_, &[u8]) = match o.instruction.opcode {
        O::EvalSnapped => (Op::EvalSnapped, &[0, 1]),
        O::EvalSampleIndex => (Op::EvalSampleIndex, &[0]),
        _ => (Op::EvalCentroid, &[]),
    };
    let mut place: smallvec::SmallVec<[ValueId; 2]> = smallvec::SmallVec::new();
    for &part in places {
        place.push(c.int_source(o.at(2)?, part)?);
    }
    arithmetic::each(c, o, |c, component| {
        inputs::interpolate(c, o.at(1)?, component, op, &place)
    })
}

fn end_block(c: &mut FunctionConverter<'_, '_>, number: u32, exit: &Exit) -> Result<()> {
    use crate::ir::BlockId;
    let block = BlockId::from_u32;
    let program = c.program;
    let inst = match exit {
        Exit::Return => Inst::Ret { value: None.into() },
        Exit::Jump(target) => Inst::Br {
            target: block(*target),
        },
        Exit::Branch {
            instruction: index,
            holds,
            fails,
        } => {
            let instruction = instruction(program, *index)?;
            let operand = program.operands_of(instruction).first();
            let operand =
                operand.ok_or_else(|| Error::malformed("a branch without a condition"))?;
            let mut condition = c.condition(operand, 0)?;
            let mut goes_as_said = instruction.tests_nonzero();
            while let Some(opposite) = c.body.negated_operand(condition) {
                condition = opposite;
                goes_as_said = !goes_as_said;
            }
            // A test for zero goes the other way.
            let (if_true, if_false) = if goes_as_said {
                (*holds, *fails)
            } else {
                (*fails, *holds)
            };
            Inst::CondBr {
                condition,
                if_true: block(if_true),
                if_false: block(if_false),
            }
        }
        Exit::Switch {
            instruction: index,
            cases,
            default,
        } => {
            let instruction = instruction(program, *index)?;
            let operand = program.operands_of(instruction).first();
            let operand = operand.ok_or_else(|| Error::malformed("a switch without a value"))?;
            let value = c.int_source(operand, 0)?;
            let mut known = crate::tables::HashSet::default();
            let mut pairs = Vec::with_capacity(cases.len());
            for &(label, target) in cases {
                if !known.insert(label) {
                    return Err(Error::malformed(format!("a switch has {label} twice")));
                }
                pairs.push((c.int(label), target));
            }
            let cases = c.body.edges(&pairs)?;
            Inst::Switch {
                value,
                default: block(*default),
                cases,
            }
        }
    };
    c.body.terminate(number, inst);
    Ok(())
}

fn flags(declarations: &Declarations) -> ShaderFlags {
    let bit = |bit: u32| declarations.global_flags >> bit & 1 != 0;
    let mut flags = ShaderFlags::empty();
    // D3D11.3 functional specification, 22.3.2: bit 11 is REFACTORING_ALLOWED, the opposite of
    // DXIL's flag.
    flags.set(ShaderFlags::DISABLE_MATH_REFACTORING, !bit(11));
    flags.set(ShaderFlags::ENABLE_DOUBLE_PRECISION, bit(12));
    flags.set(ShaderFlags::FORCE_EARLY_DEPTH_STENCIL, bit(13));
    flags.set(ShaderFlags::ENABLE_RAW_AND_STRUCTURED_BUFFERS, bit(14));
    flags.set(ShaderFlags::DISABLE_OPTIMIZATIONS, bit(15));
    flags.set(ShaderFlags::LOW_PRECISION_PRESENT, bit(16));
    flags.set(ShaderFlags::ENABLE_DOUBLE_EXTENSIONS, bit(17));
    flags.set(ShaderFlags::ENABLE_MSAD, bit(18));
    flags.set(ShaderFlags::ALL_RESOURCES_BOUND, bit(19));
    flags
}

fn stage(
    kind: ShaderKind,
    declarations: &Declarations,
    patch_constant_function: Option<FuncId>,
) -> Stage {
    let geometry = &declarations.geometry;
    let tessellation = &declarations.tessellation;
    match kind {
        ShaderKind::Geometry => Stage::Geometry {
            input: geometry.input,
            max_vertices: geometry.max_vertices,
            // D3D11.3 functional specification, 22.3.9: without `dcl_stream` everything belongs to
            // stream 0.
            active_streams: geometry.streams.max(1),
            topology: geometry.topology,
            instances: geometry.instances,
        },
        ShaderKind::Hull => Stage::Hull {
            patch_constant_function,
            input_control_points: tessellation.input_control_points,
            output_control_points: tessellation.output_control_points,
            domain: tessellation.domain,
            partitioning: tessellation.partitioning,
            output: tessellation.output,
            max_tessellation_factor: tessellation.max_factor,
        },
        ShaderKind::Domain => Stage::Domain {
            domain: tessellation.domain,
            input_control_points: tessellation.input_control_points,
        },
        _ => Stage::Other,
    }
}
