//! Inputs: signature elements, and registers that only some stages have.

use super::context::{FunctionConverter, FunctionPart};
use super::index_value::IndexValue;
use super::ssa::Def;
use crate::dxbc::operations::Operations;
use crate::dxbc::tokens::{File, Operand};
use crate::dxil::ops::Opcode as Op;
use crate::dxil::{ComponentType, SemanticKind, ShaderKind, SignatureElement};
use crate::error::{Error, Result};
use crate::ir::{CmpPredicate, ValueId};

/// Returns a component of an input register.
pub(super) fn load(
    c: &mut FunctionConverter<'_, '_>,
    operand: &Operand,
    component: u8,
) -> Result<Def> {
    match operand.file {
        File::Input
        | File::InputControlPoint
        | File::OutputControlPoint
        | File::InputPatchConstant => load_signature(c, operand, component),
        _ => load_system(c, operand.file, component),
    }
}

/// Returns a component of a register that only some stages have. Each is read once per function.
fn load_system(c: &mut FunctionConverter<'_, '_>, file: File, component: u8) -> Result<Def> {
    let key = (u32::from(file as u8), 0, component);
    if let Some(&known) = c.inputs.get(&key) {
        return Ok(known);
    }
    let int = c.i32();
    let word = |c: &mut FunctionConverter<'_, '_>, op: Op, args: &[ValueId]| -> Result<Def> {
        let ty = c.i32();
        let value = c.call_at(FunctionConverter::START, op, Some(ty), ty, args)?;
        Ok(Def::Int(value))
    };
    let number = c.int(u32::from(component.min(2)));
    let def = match file {
        File::ThreadId => word(c, Op::ThreadId, &[number])?,
        File::ThreadGroupId => word(c, Op::GroupId, &[number])?,
        File::ThreadIdInGroup => word(c, Op::ThreadIdInGroup, &[number])?,
        File::ThreadIdInGroupFlattened => word(c, Op::FlattenedThreadIdInGroup, &[])?,
        File::InputPrimitiveId => word(c, Op::PrimitiveID, &[])?,
        File::OutputControlPointId => word(c, Op::OutputControlPointID, &[])?,
        File::GsInstanceId => word(c, Op::GSInstanceID, &[])?,
        File::InputCoverageMask => word(c, Op::Coverage, &[])?,
        File::InnerCoverage => word(c, Op::InnerCoverage, &[])?,
        // A phase is converted once per instance.
        File::InputForkInstanceId | File::InputJoinInstanceId => return Ok(Def::Bits(c.instance)),
        File::InputDomainPoint => {
            let ty = c.f32();
            let number = c.byte(component.min(2));
            Def::Float(c.call_at(
                FunctionConverter::START,
                Op::DomainLocation,
                Some(ty),
                ty,
                &[number],
            )?)
        }
        File::CycleCounter => {
            let ret = c.shared.module.structure("dx.types.twoi32", [int, int]);
            let pair = c.call(Op::CycleCounterLegacy, None, ret, &[])?;
            // D3D11.3 functional specification, 7.15.2: a shader may poll the counter, so no value
            // is kept.
            return Ok(Def::Int(c.member(
                pair,
                u32::from(component.min(1)),
                int,
            )?));
        }
        other => {
            return Err(Error::unsupported(format!(
                "reading a register of file {other:?}"
            )));
        }
    };
    c.inputs.insert(key, def);
    Ok(def)
}

/// The kind of signature element that an operand reads.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ElementSource {
    Input,
    OutputControlPoint,
    PatchConstant,
}

/// Returns the element of a signature that holds a register's component, with row and column.
pub(super) fn find_element(
    elements: &[SignatureElement],
    stream: u32,
    register: u32,
    component: u8,
) -> Option<(&SignatureElement, u32, u8)> {
    elements.iter().find_map(|element| {
        let row = register.checked_sub(element.start_row?)?;
        let column = u32::from(component).checked_sub(element.start_column)?;
        let is_in = element.stream == stream && row < element.rows && column < element.columns;
        is_in.then(|| (element, row, u8::try_from(column).unwrap_or(0)))
    })
}

/// Returns whether an element's components are floats.
pub(super) fn is_float(element: &SignatureElement) -> bool {
    !matches!(element.component, ComponentType::I32 | ComponentType::U32)
}

fn load_signature(
    c: &mut FunctionConverter<'_, '_>,
    operand: &Operand,
    component: u8,
) -> Result<Def> {
    let source = match operand.file {
        File::OutputControlPoint => ElementSource::OutputControlPoint,
        File::InputPatchConstant => ElementSource::PatchConstant,
        _ => ElementSource::Input,
    };
    let register = operand.indices().last().copied().unwrap_or_default();
    let vertex = match operand.dimensions {
        2 => Some(c.index(operand.indices[0])?),
        _ => None,
    };
    match c.index(register)? {
        IndexValue::Known(register) => load_element(c, source, register, vertex, component),
        IndexValue::Value(index) => {
            let range = (operand.file, register.offset);
            choose_register(c, source, range, (index, component), |c, register| {
                load_element(c, source, register, vertex, component)
            })
        }
    }
}

/// Returns the value of a dynamically indexed register: one of the declared range around `inside`,
/// or 0 for an index outside of that range.
fn choose_register<'a, 's>(
    c: &mut FunctionConverter<'a, 's>,
    source: ElementSource,
    (file, inside): (File, u32),
    (index, component): (ValueId, u8),
    mut load: impl FnMut(&mut FunctionConverter<'a, 's>, u32) -> Result<Def>,
) -> Result<Def> {
    let range = c.declarations.index_ranges.iter().find(|range| {
        let registers = range.first..range.first.saturating_add(range.count);
        range.file == file && registers.contains(&inside)
    });
    // D3D11.3 functional specification, 22.3.30, requires a declaration. Without one, any
    // of the 32 registers may be meant.
    let (first, count) = range.map_or((0, 32), |range| (range.first, range.count));
    let mut def = Def::Bits(0);
    for register in first..first.saturating_add(count.min(64)) {
        if find_element(elements(c, source), 0, register, component).is_none() {
            continue;
        }
        let this = load(c, register)?;
        let number = c.int(register);
        let is_this = c.compare(CmpPredicate::IEq, index, number);
        let floats = matches!(this, Def::Float(_));
        let (this, others) = (c.as_scalar(this, floats), c.as_scalar(def, floats));
        let ty = c.scalar(floats);
        let value = c.select(is_this, this, others, ty);
        def = c.def(value, floats);
    }
    Ok(def)
}

fn elements<'a>(c: &FunctionConverter<'a, '_>, source: ElementSource) -> &'a [SignatureElement] {
    match source {
        ElementSource::Input => &c.signatures.inputs,
        ElementSource::OutputControlPoint => &c.signatures.outputs,
        ElementSource::PatchConstant => &c.signatures.patch_constants,
    }
}

fn load_element(
    c: &mut FunctionConverter<'_, '_>,
    source: ElementSource,
    register: u32,
    vertex: Option<IndexValue>,
    component: u8,
) -> Result<Def> {
    // A register that the signature lacks holds nothing.
    let Some((element, row, column)) = find_element(elements(c, source), 0, register, component)
    else {
        return Ok(Def::Bits(0));
    };
    // DXIL has it in the signature only for reflection (DXIL document, "HLSL signatures and
    // semantics").
    if c.shared.operations == Operations::OfFirstModel
        && source == ElementSource::Input
        && element.semantic == SemanticKind::SampleIndex
    {
        return load_sample_index(c);
    }
    let floats = is_float(element);
    let cache = match vertex {
        None => Some((
            u32::from(File::Input as u8) | (source as u32) << 8,
            register,
            component,
        )),
        Some(_) => None,
    };
    if let Some(&known) = cache.and_then(|cache| c.inputs.get(&cache)) {
        return Ok(known);
    }
    let ty = c.scalar(floats);
    let (id, row, column) = (c.int(element.id), c.int(row), c.byte(column));
    let vertex = vertex.map(|vertex| c.index_id(vertex));
    let int = c.i32();
    let none = c.undef(int);
    // Without a vertex it is the same everywhere, but derivatives want helper lanes to have it too.
    let insert_point = match cache {
        Some(_) => FunctionConverter::START,
        None => super::body::InsertPoint::Block(c.block),
    };
    let value = match source {
        ElementSource::Input => {
            let args = [id, row, column, vertex.unwrap_or(none)];
            c.call_at(insert_point, Op::LoadInput, Some(ty), ty, &args)?
        }
        ElementSource::OutputControlPoint => {
            let args = [id, row, column, vertex.unwrap_or(none)];
            c.call_at(
                insert_point,
                Op::LoadOutputControlPoint,
                Some(ty),
                ty,
                &args,
            )?
        }
        ElementSource::PatchConstant => c.call_at(
            insert_point,
            Op::LoadPatchConstant,
            Some(ty),
            ty,
            &[id, row, column],
        )?,
    };
    let def = c.def(value, floats);
    if let Some(cache) = cache {
        c.inputs.insert(cache, def);
    }
    Ok(def)
}

fn load_sample_index(c: &mut FunctionConverter<'_, '_>) -> Result<Def> {
    let ty = c.i32();
    let place = FunctionConverter::START;
    Ok(Def::Int(c.call_at(
        place,
        Op::SampleIndex,
        Some(ty),
        ty,
        &[],
    )?))
}

/// Returns a component of an input that an `eval_*` instruction interpolates again: at a place that
/// the operation's last arguments say.
pub(super) fn interpolate(
    c: &mut FunctionConverter<'_, '_>,
    operand: &Operand,
    component: u8,
    op: Op,
    place: &[ValueId],
) -> Result<Def> {
    if operand.file != File::Input
        || c.program.kind != ShaderKind::Pixel
        || c.part != FunctionPart::Main
    {
        return Err(Error::malformed("what is interpolated again is no input"));
    }
    let register = operand.indices().last().copied().unwrap_or_default();
    let component = operand.components.source(component);
    match c.index(register)? {
        IndexValue::Known(register) => interpolate_element(c, register, component, op, place),
        IndexValue::Value(index) => {
            let range = (File::Input, register.offset);
            let chosen = (index, component);
            choose_register(c, ElementSource::Input, range, chosen, |c, register| {
                interpolate_element(c, register, component, op, place)
            })
        }
    }
}

fn interpolate_element(
    c: &mut FunctionConverter<'_, '_>,
    register: u32,
    component: u8,
    op: Op,
    place: &[ValueId],
) -> Result<Def> {
    let found = find_element(&c.signatures.inputs, 0, register, component);
    let Some((element, row, column)) = found else {
        return Ok(Def::Bits(0));
    };
    let mut args: smallvec::SmallVec<[ValueId; 5]> =
        smallvec::smallvec![c.int(element.id), c.int(row), c.byte(column)];
    args.extend_from_slice(place);
    let ty = c.f32();
    Ok(Def::Float(c.call(op, Some(ty), ty, &args)?))
}
