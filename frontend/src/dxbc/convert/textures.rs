//! Textures and typed buffers: sampling, gathering, loads, stores, queries.

use super::access::{
    CallArguments, load_call, push_components, raw_load, raw_store, source, write_components,
    write_loaded, write_status,
};
use super::context::FunctionConverter;
use super::operands::InstructionOperands;
use super::resource_table::Known;
use super::resources;
use super::ssa::Def;
use crate::dxbc::opcode::{Opcode as O, OperandRole};
use crate::dxbc::tokens::{Components, File, Operand};
use crate::dxil::ops::Opcode as Op;
use crate::dxil::{ResourceClass, ResourceKind};
use crate::error::{Error, ErrorKind, Result};
use crate::ir::{BinaryOp, CastOp, TypeId, ValueId};

/// Converts an instruction that reads or writes textures; `false` if it is none.
pub(super) fn convert(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
) -> Result<bool> {
    match o.instruction.opcode {
        O::Sample | O::SampleClS => sample(c, o, Op::Sample)?,
        O::SampleB | O::SampleBClS => sample(c, o, Op::SampleBias)?,
        O::SampleL | O::SampleLS => sample(c, o, Op::SampleLevel)?,
        O::SampleD | O::SampleDClS => sample(c, o, Op::SampleGrad)?,
        O::SampleC | O::SampleCClS => sample(c, o, Op::SampleCmp)?,
        O::SampleCLz | O::SampleCLzS => sample(c, o, Op::SampleCmpLevelZero)?,
        O::Gather4 | O::Gather4S | O::Gather4Po | O::Gather4PoS => {
            gather(c, o, Op::TextureGather)?;
        }
        O::Gather4C | O::Gather4CS | O::Gather4PoC | O::Gather4PoCS => {
            gather(c, o, Op::TextureGatherCmp)?;
        }
        O::Ld | O::LdS | O::LdMs | O::LdMsS | O::LdUavTyped | O::LdUavTypedS => load(c, o)?,
        O::StoreUavTyped => store(c, o)?,
        O::Lod => level(c, o)?,
        O::Resinfo => size(c, o)?,
        O::Bufinfo => buffer_size(c, o)?,
        O::SampleInfo => sample_count(c, o)?,
        O::SamplePos => sample_position(c, o)?,
        O::CheckAccessFullyMapped => {
            super::arithmetic::each(c, o, |c, component| {
                let status = c.int_source(o.at(1)?, component)?;
                let (int, bool) = (c.i32(), c.i1());
                let mapped = c.call(Op::CheckAccessFullyMapped, Some(int), bool, &[status])?;
                Ok(Def::Mask(mapped))
            })?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Texture, sampler and coordinates: the first operands of everything that filters.
struct Filtered<'o> {
    texture: Known,
    operand: &'o Operand,
    args: CallArguments,
}

fn filtered<'o>(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'o>,
) -> Result<Filtered<'o>> {
    let operand = o.by_role(OperandRole::Srv, 0)?;
    let (texture, handle) = resources::handle(c, ResourceClass::Srv, operand)?;
    if !texture.kind.is_texture() {
        return Err(Error::malformed("a buffer is sampled"));
    }
    let (_, sampler) = resources::handle(
        c,
        ResourceClass::Sampler,
        o.by_role(OperandRole::Sampler, 0)?,
    )?;
    let mut args: CallArguments = smallvec::smallvec![handle, sampler];
    let coordinates = o.by_role(OperandRole::Coords, 0)?;
    push_components(c, &mut args, coordinates, true, (texture.coordinates(), 4))?;
    Ok(Filtered {
        texture,
        operand,
        args,
    })
}

/// Appends the instruction's own offsets; those of all zeros are left out.
fn offsets(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    args: &mut CallArguments,
    texture: &Known,
    all: u8,
) {
    let offsets = o.instruction.extended.offsets;
    let ty = c.i32();
    let is_cube = matches!(
        texture.kind,
        ResourceKind::TextureCube | ResourceKind::TextureCubeArray
    );
    // D3D11.3 functional specification, 22.4.15: cube maps have no offsets.
    let has_any = offsets.iter().any(|&offset| offset != 0) && !is_cube;
    for (component, offset) in (0..all).zip(offsets) {
        let value = if has_any && component < texture.dimensions() {
            c.int(i32::from(offset).cast_unsigned())
        } else {
            c.undef(ty)
        };
        args.push(value);
    }
}

fn sample(c: &mut FunctionConverter<'_, '_>, o: &InstructionOperands<'_>, op: Op) -> Result<()> {
    let Filtered {
        texture,
        operand,
        mut args,
    } = filtered(c, o)?;
    offsets(c, o, &mut args, &texture, 3);
    match op {
        Op::SampleBias | Op::SampleLevel | Op::SampleCmp | Op::SampleCmpLevelZero => {
            args.push(c.float_source(o.by_role(OperandRole::One, 0)?, 0)?);
        }
        Op::SampleGrad => {
            for which in [1, 2] {
                let derivative = o.by_role(OperandRole::Coords, which)?;
                push_components(c, &mut args, derivative, true, (texture.dimensions(), 3))?;
            }
        }
        _ => {}
    }
    if matches!(
        op,
        Op::Sample | Op::SampleBias | Op::SampleCmp | Op::SampleGrad
    ) {
        // The least level comes last.
        let which = usize::from(matches!(op, Op::SampleBias | Op::SampleCmp));
        let ty = c.f32();
        // The opcodes that take a clamp are those with a status (`sample_cl_s`).
        args.push(if o.has_status() {
            let clamp = o.by_role(OperandRole::One, which)?;
            // A clamp to level 0 has no effect. SPIR-V's `MinLod` needs a capability that not all
            // devices have, so it is left out.
            if clamp.is_immediate() && clamp.words[0] == 0 {
                c.undef(ty)
            } else {
                c.float_source(clamp, 0)?
            }
        } else {
            c.undef(ty)
        });
    }
    let is_comparison = matches!(op, Op::SampleCmp | Op::SampleCmpLevelZero);
    let floats = texture.is_float() || is_comparison;
    finish_load(c, o, op, (operand, floats), &args)
}

/// Calls an operation that returns four components and a status, and writes them.
fn finish_load(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    op: Op,
    (operand, is_float): (&Operand, bool),
    args: &[ValueId],
) -> Result<()> {
    let ty = c.scalar(is_float);
    let result = load_call(c, op, ty, args)?;
    write_loaded(c, o, result, is_float, operand.components, 0)
}

fn gather(c: &mut FunctionConverter<'_, '_>, o: &InstructionOperands<'_>, op: Op) -> Result<()> {
    let Filtered {
        texture,
        operand,
        mut args,
    } = filtered(c, o)?;
    let is_programmable = matches!(
        o.instruction.opcode,
        O::Gather4Po | O::Gather4PoS | O::Gather4PoC | O::Gather4PoCS
    );
    if is_programmable {
        let operand = o.by_role(OperandRole::Coords, 1)?;
        for component in 0..2 {
            // D3D11.3 functional specification, 22.4.4: the low six bits count, with a sign. DXIL's
            // operation does the same with what is computed.
            let offset = match c.int_def(operand, component)? {
                Def::Bits(bits) => Def::Bits(((bits << 26).cast_signed() >> 26).cast_unsigned()),
                computed => computed,
            };
            args.push(c.as_int(offset));
        }
    } else {
        offsets(c, o, &mut args, &texture, 2);
    }
    // D3D11.3 functional specification, 22.4.4: the sampler operand selects the component to
    // gather.
    let channel = match o.by_role(OperandRole::Sampler, 0)?.components {
        Components::Select(channel) => channel,
        Components::Swizzle([channel, ..]) => channel,
        _ => 0,
    };
    args.push(c.int(u32::from(channel)));
    let mut floats = texture.is_float();
    if op == Op::TextureGatherCmp {
        args.push(c.float_source(o.by_role(OperandRole::One, 0)?, 0)?);
        floats = true;
    }
    finish_load(c, o, op, (operand, floats), &args)
}

/// Appends the address of a texel: three integers, of which the resource uses as many as it has
/// coordinates.
fn push_texel(
    c: &mut FunctionConverter<'_, '_>,
    args: &mut CallArguments,
    coordinates: &Operand,
    resource: &Known,
) -> Result<()> {
    push_components(c, args, coordinates, false, (resource.coordinates(), 3))
}

fn load(c: &mut FunctionConverter<'_, '_>, o: &InstructionOperands<'_>) -> Result<()> {
    let is_uav = matches!(o.instruction.opcode, O::LdUavTyped | O::LdUavTypedS);
    let role = if is_uav {
        OperandRole::Uav
    } else {
        OperandRole::Srv
    };
    let operand = o.by_role(role, 0)?;
    let class = resources::class_of(operand)?;
    let (resource, handle) = resources::handle(c, class, operand)?;
    let coordinates = o.by_role(OperandRole::Coords, 0)?;
    if resource.component.is_none() {
        return load_untyped(c, o, (class, &resource, handle), coordinates, operand);
    }
    let floats = resource.is_float();
    let none = {
        let ty = c.i32();
        c.undef(ty)
    };
    if resource.is_buffer() {
        let index = c.int_source(coordinates, 0)?;
        finish_load(
            c,
            o,
            Op::BufferLoad,
            (operand, floats),
            &[handle, index, none],
        )
    } else {
        let names_sample = matches!(o.instruction.opcode, O::LdMs | O::LdMsS);
        if names_sample != is_multisampled(&resource) {
            c.shared.resources.contradict(class, resource.id);
        }
        let mip = if is_multisampled(&resource) {
            // An instruction that names none means the first sample.
            if names_sample {
                c.int_source(o.by_role(OperandRole::One, 0)?, 0)?
            } else {
                c.int(0)
            }
        } else if is_uav {
            none
        } else {
            // D3D11.3 functional specification, 22.4.6: the level is the last component, whatever
            // the dimension.
            c.int_source(coordinates, 3)?
        };
        let mut args: CallArguments = smallvec::smallvec![handle, mip];
        push_texel(c, &mut args, coordinates, &resource)?;
        if is_uav {
            args.extend([none; 3])
        } else {
            offsets(c, o, &mut args, &resource, 3)
        }
        finish_load(c, o, Op::TextureLoad, (operand, floats), &args)
    }
}

fn is_multisampled(resource: &Known) -> bool {
    matches!(
        resource.kind,
        ResourceKind::Texture2DMS | ResourceKind::Texture2DMSArray
    )
}

/// Returns the address of a typed access to a buffer without a type: index and offset of a raw
/// access, and the number of words. A texel of a structured buffer is an element, one of a raw
/// buffer begins at any word.
fn untyped_address(
    c: &mut FunctionConverter<'_, '_>,
    class: ResourceClass,
    resource: &Known,
    coordinates: &Operand,
) -> Result<([ValueId; 2], u8)> {
    c.shared.resources.contradict(class, resource.id);
    let index = c.int_source(coordinates, 0)?;
    let int = c.i32();
    match (resource.kind, resource.stride) {
        (ResourceKind::StructuredBuffer, Some(stride)) => {
            let words = u8::try_from(stride / 4).unwrap_or(4).clamp(1, 4);
            Ok(([index, c.int(0)], words))
        }
        (ResourceKind::RawBuffer, _) => {
            let four = c.int(4);
            let bytes = c.binary(BinaryOp::Mul, int, index, four);
            Ok(([bytes, c.undef(int)], 4))
        }
        _ => Err(Error::unsupported(
            "a typed access to what is no buffer and has no type",
        )),
    }
}

/// Converts a typed load of a raw or structured buffer. Words after an element are 0.
fn load_untyped(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    (class, resource, handle): (ResourceClass, &Known, ValueId),
    coordinates: &Operand,
    operand: &Operand,
) -> Result<()> {
    let (address, words) = untyped_address(c, class, resource, coordinates)?;
    let int = c.i32();
    let result = raw_load(c, handle, address, int, words)?;
    let mut parts = [Def::Bits(0); 4];
    for (number, part) in (0..u32::from(words)).zip(&mut parts) {
        *part = Def::Int(c.member(result, number, int)?);
    }
    write_components(c, o, &parts, operand.components)?;
    write_status(c, o, result)
}

/// Converts a typed store to a raw or structured buffer. Components after an element are dropped.
fn store_untyped(
    c: &mut FunctionConverter<'_, '_>,
    o: &InstructionOperands<'_>,
    (resource, handle): (&Known, ValueId),
    coordinates: &Operand,
) -> Result<()> {
    let class = ResourceClass::Uav;
    let (address, words) = untyped_address(c, class, resource, coordinates)?;
    let source = o.by_role(OperandRole::Vec4, 0)?;
    let int = c.i32();
    let mut values = CallArguments::new();
    push_components(c, &mut values, source, false, (words, 4))?;
    let &[x, y, z, w] = &values[..] else {
        return Err(Error::new(ErrorKind::Internal(
            "a store of other than four components",
        )));
    };
    raw_store(c, handle, address, int, [x, y, z, w], (1 << words) - 1)
}

fn store(c: &mut FunctionConverter<'_, '_>, o: &InstructionOperands<'_>) -> Result<()> {
    let operand = o.by_role(OperandRole::Store, 0)?;
    let (resource, handle) = resources::handle(c, ResourceClass::Uav, operand)?;
    let coordinates = o.by_role(OperandRole::Coords, 0)?;
    if resource.component.is_none() {
        return store_untyped(c, o, (&resource, handle), coordinates);
    }
    let operand = o.by_role(OperandRole::Vec4, 0)?;
    let floats = resource.is_float();
    let ty = c.scalar(floats);
    let mut args: CallArguments = smallvec::smallvec![handle];
    let op = if resource.is_buffer() {
        let int = c.i32();
        args.push(c.int_source(coordinates, 0)?);
        args.push(c.undef(int));
        Op::BufferStore
    } else {
        push_texel(c, &mut args, coordinates, &resource)?;
        Op::TextureStore
    };
    // D3D11.3 functional specification, 22.4.9: a typed store writes all components.
    for component in 0..4 {
        args.push(source(c, operand, component, floats)?);
    }
    args.push(c.byte(0xf));
    let void = c.shared.module.types.void;
    c.call(op, Some(ty), void, &args)?;
    Ok(())
}

fn level(c: &mut FunctionConverter<'_, '_>, o: &InstructionOperands<'_>) -> Result<()> {
    let operand = o.by_role(OperandRole::Srv, 0)?;
    let (texture, handle) = resources::handle(c, ResourceClass::Srv, operand)?;
    let (_, sampler) = resources::handle(
        c,
        ResourceClass::Sampler,
        o.by_role(OperandRole::Sampler, 0)?,
    )?;
    let coordinates = o.by_role(OperandRole::Coords, 0)?;
    let mut args: CallArguments = smallvec::smallvec![handle, sampler];
    push_components(c, &mut args, coordinates, true, (texture.dimensions(), 3))?;
    let ty = c.f32();
    let mut parts = [Def::Bits(0); 4];
    // D3D11.3 functional specification, 22.5.6: the result is (clamped, not clamped, 0, 0).
    for (part, clamped) in parts.iter_mut().zip([true, false]) {
        let mut args = args.clone();
        args.push(c.bool(clamped));
        *part = Def::Float(c.call(Op::CalculateLOD, Some(ty), ty, &args)?);
    }
    write_components(c, o, &parts, operand.components)
}

/// Returns a resource's dimensions, as the operation gives them.
fn dimensions(
    c: &mut FunctionConverter<'_, '_>,
    handle: ValueId,
    mip: ValueId,
) -> Result<(ValueId, TypeId)> {
    let int = c.i32();
    let ret = c
        .shared
        .module
        .structure("dx.types.Dimensions", [int, int, int, int]);
    Ok((c.call(Op::GetDimensions, None, ret, &[handle, mip])?, int))
}

fn size(c: &mut FunctionConverter<'_, '_>, o: &InstructionOperands<'_>) -> Result<()> {
    const RECIPROCAL: u32 = 1;
    const UINT: u32 = 2;
    let operand = o.by_role(OperandRole::Resource, 0)?;
    let class = resources::class_of(operand)?;
    let (resource, handle) = resources::handle(c, class, operand)?;
    let is_multisampled = is_multisampled(&resource);
    let int = c.i32();
    let level = if class == ResourceClass::Uav || is_multisampled {
        c.undef(int)
    } else {
        c.int_source(o.by_role(OperandRole::One, 0)?, 0)?
    };
    let (sizes, int) = dimensions(c, handle, level)?;
    let form = o.instruction.control(11, 2);
    let mut parts = [Def::Bits(0); 4];
    for (number, part) in (0..).zip(&mut parts) {
        let is_size = number < u32::from(resource.coordinates());
        let is_cube = matches!(
            resource.kind,
            ResourceKind::TextureCube | ResourceKind::TextureCubeArray
        );
        // A cube has the size of a face; its array the number of cubes after that.
        let is_size =
            is_size && !(is_cube && number == 2 && resource.kind == ResourceKind::TextureCube);
        let value = match number {
            // D3D11.3 functional specification, 22.4.14: a UAV has one level. DXIL returns the
            // number of samples here for multisampled textures, which have one level, too.
            3 if is_multisampled || class == ResourceClass::Uav => c.int(1),
            3 => c.member(sizes, 3, int)?,
            // D3D11.3 functional specification, 22.4.14: sizes of a mip beyond the last are 0.
            // DXIL's operation does the same.
            _ if is_size => c.member(sizes, number, int)?,
            _ => c.int(0),
        };
        *part = match form {
            UINT => Def::Int(value),
            _ => {
                let ty = c.f32();
                let float = c.cast(CastOp::UiToFp, value, ty);
                // D3D11.3 functional specification, 22.4.14: `_rcpFloat` applies to sizes, not to
                // lengths of arrays and numbers of mips.
                let is_reciprocal = form == RECIPROCAL
                    && number < u32::from(resource.dimensions().min(if is_cube { 2 } else { 3 }));
                Def::Float(if is_reciprocal {
                    let one = c.float(1.0);
                    c.binary(BinaryOp::FDiv, ty, one, float)
                } else {
                    float
                })
            }
        };
    }
    write_components(c, o, &parts, operand.components)
}

fn buffer_size(c: &mut FunctionConverter<'_, '_>, o: &InstructionOperands<'_>) -> Result<()> {
    let operand = o.by_role(OperandRole::Resource, 0)?;
    let class = resources::class_of(operand)?;
    let (_, handle) = resources::handle(c, class, operand)?;
    let int = c.i32();
    let none = c.undef(int);
    let (sizes, int) = dimensions(c, handle, none)?;
    // D3D11.3 functional specification, 22.4.1: elements, or bytes of a raw buffer. DXIL's
    // operation counts alike.
    let value = Def::Int(c.member(sizes, 0, int)?);
    write_components(c, o, &[value; 4], operand.components)
}

fn sample_count(c: &mut FunctionConverter<'_, '_>, o: &InstructionOperands<'_>) -> Result<()> {
    const UINT: u32 = 1;
    let operand = o.by_role(OperandRole::Resource, 0)?;
    let int = c.i32();
    let count = if operand.file == File::Rasterizer {
        c.call(Op::RenderTargetGetSampleCount, None, int, &[])?
    } else {
        let (resource, handle) = resources::handle(c, ResourceClass::Srv, operand)?;
        if is_multisampled(&resource) {
            let none = c.undef(int);
            let (sizes, int) = dimensions(c, handle, none)?;
            c.member(sizes, 3, int)?
        } else {
            let class = ResourceClass::Srv;
            c.shared.resources.contradict(class, resource.id);
            c.int(1)
        }
    };
    let count = match o.instruction.control(11, 2) {
        UINT => Def::Int(count),
        _ => {
            let ty = c.f32();
            Def::Float(c.cast(CastOp::UiToFp, count, ty))
        }
    };
    // D3D11.3 functional specification, 22.4.21: the result is (count, 0, 0, 0).
    let zero = Def::Bits(0);
    write_components(c, o, &[count, zero, zero, zero], operand.components)
}

fn sample_position(c: &mut FunctionConverter<'_, '_>, o: &InstructionOperands<'_>) -> Result<()> {
    let operand = o.by_role(OperandRole::Resource, 0)?;
    let index = c.int_source(o.by_role(OperandRole::One, 0)?, 0)?;
    let float = c.f32();
    let ret = c
        .shared
        .module
        .structure("dx.types.SamplePos", [float, float]);
    let position = if operand.file == File::Rasterizer {
        c.call(Op::RenderTargetGetSamplePosition, None, ret, &[index])?
    } else {
        let (_, handle) = resources::handle(c, ResourceClass::Srv, operand)?;
        c.call(
            Op::Texture2DMSGetSamplePosition,
            None,
            ret,
            &[handle, index],
        )?
    };
    let x = Def::Float(c.member(position, 0, float)?);
    let y = Def::Float(c.member(position, 1, float)?);
    write_components(
        c,
        o,
        &[x, y, Def::Bits(0), Def::Bits(0)],
        operand.components,
    )
}
