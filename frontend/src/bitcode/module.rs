//! The module block, and the entry point of the decoder.
//!
//! Function bodies are decoded last, whatever their place in the file: names, metadata and
//! constants of the module are then known.

use super::attributes;
use super::bits::Bits;
use super::block_ids::{
    CONSTANTS_BLOCK, FUNCTION_BLOCK, METADATA_BLOCK, MODULE_BLOCK, PARAMATTR_BLOCK,
    PARAMATTR_GROUP_BLOCK, TYPE_BLOCK, VALUE_SYMTAB_BLOCK,
};
use super::constants::{self, ConstantTables, value_id};
use super::function::{self, Surroundings};
use super::metadata::{self, Content, Numbering};
use super::stream::{BlockStart, Event, Record, Stream};
use super::symtab::{self, Symbol};
use super::types::TypeDecoder;
use super::wrapper;
use super::{codes, verify};
use crate::error::{Error, ErrorKind, Result};
use crate::ir::{FuncId, FunctionDecl, Global, Module, Type, TypeId, ValueData, ValueDef, ValueId};

pub(super) const VERSION: u32 = 1;
pub(super) const TRIPLE: u32 = 2;
pub(super) const DATA_LAYOUT: u32 = 3;
pub(super) const GLOBAL: u32 = 7;
pub(super) const FUNCTION: u32 = 8;
pub(super) const ALIAS: u32 = 9;

/// `BC` 0xC0DE.
pub(super) const MAGIC: u32 = 0xdec0_4342;

/// Decodes LLVM 3.7 bitcode. `base_offset` is where `bytes` lie in the whole input; error positions
/// count from its start.
///
/// The result is checked: every id resolves, each block ends in its only terminator, operands have
/// the types that their instructions ask for, definitions dominate their uses.
///
/// # Errors
///
/// If the bitcode is malformed, or uses what DXIL does not have.
pub fn decode_module(bytes: &[u8], base_offset: u64) -> Result<Module> {
    let (bytes, base) = wrapper::unwrap(bytes, base_offset)?;
    let mut stream = Stream::new(Bits::new(bytes, base));
    stream.skip_magic(MAGIC)?;
    while !stream.is_at_end() {
        match stream.next()? {
            Event::Block(MODULE_BLOCK) => {
                stream.enter(MODULE_BLOCK)?;
                let mut module = decode(&mut stream)?;
                module.encoded_bytes = bytes.len() as u64;
                return Ok(module);
            }
            Event::Block(_) => {
                stream.skip()?;
            }
            Event::Record(_) | Event::End => {}
        }
    }
    Err(stream.err(ErrorKind::Malformed("the bitcode has no module".into())))
}

/// State of the module block that is resolved at its end.
#[derive(Default)]
struct Pending {
    /// Functions that have a body, in the order in which the bodies come.
    defined: Vec<FuncId>,
    bodies: Vec<BlockStart>,
    /// Blocks with the names of metadata kinds.
    kinds: Vec<BlockStart>,
    relative_ids: bool,
}

fn decode(stream: &mut Stream<'_>) -> Result<Module> {
    let mut module = Module::default();
    // What a small shader has; spares the first growths.
    module.values.reserve(40);
    module.metadata.named.reserve(8);
    module.attribute_sets.reserve(4);
    module.functions.reserve(16);
    let mut types = TypeDecoder::default();
    let mut groups = Vec::new();
    let mut pending = Pending::default();
    // While the module's own blocks are read, numbers are as they stand.
    let numbering = Numbering {
        module: usize::MAX,
        local: 0,
    };
    loop {
        match stream.next()? {
            Event::End => break,
            Event::Record(code) => {
                let record = stream.record();
                decode_record(code, &record, &mut module, &mut types, &mut pending)?;
            }
            // Bodies wait until the end of the module: the symbol table and metadata that they need
            // may follow them in the file.
            Event::Block(FUNCTION_BLOCK) => pending.bodies.push(stream.skip()?),
            Event::Block(id) => match id {
                TYPE_BLOCK => {
                    // A second table would change the meaning of ids that are in use already.
                    if !types.table.is_empty() {
                        return Err(
                            stream.err(ErrorKind::Malformed("there are two type tables".into()))
                        );
                    }
                    stream.enter(id)?;
                    types = TypeDecoder::decode(stream)?;
                }
                PARAMATTR_GROUP_BLOCK => {
                    stream.enter(id)?;
                    attributes::decode_groups(stream, &mut groups)?;
                }
                PARAMATTR_BLOCK => {
                    stream.enter(id)?;
                    attributes::decode_sets(stream, &groups, &mut module.attribute_sets)?;
                }
                CONSTANTS_BLOCK => {
                    stream.enter(id)?;
                    let mut tables = ConstantTables {
                        values: &mut module.values,
                        value_pool: &mut module.value_pool,
                        number_pool: &mut module.number_pool,
                    };
                    constants::decode(stream, &types, &mut tables)?;
                }
                METADATA_BLOCK => {
                    let start = stream.start();
                    stream.enter(id)?;
                    let metadata = &mut module.metadata;
                    match metadata::decode(stream, &types, numbering, metadata)? {
                        // Names of kinds are only decoded if something is attached; most shaders
                        // attach nothing.
                        Content::Kinds => pending.kinds.push(start),
                        Content::Nodes => {}
                    }
                }
                VALUE_SYMTAB_BLOCK => {
                    stream.enter(id)?;
                    decode_names(stream, &mut module)?;
                }
                _ => {
                    stream.skip()?;
                }
            },
        }
    }
    module.attribute_groups = groups.into_iter().map(|(_, group)| group).collect();
    // Before the bodies: their checks rely on the module's constants being well formed.
    verify::check_module(&module, &types)?;
    decode_bodies(stream, &mut module, &mut types, &pending)?;
    let mut bodies = module.bodies.iter();
    if bodies.any(|body| !body.attachments.is_empty() || !body.function_attachments.is_empty()) {
        for start in pending.kinds {
            stream.enter_at(start, METADATA_BLOCK)?;
            metadata::decode_kinds(stream, &mut module.metadata)?;
        }
    }
    // After the bodies, since function metadata goes into the same table.
    metadata::check_references(&module.metadata)?;
    module.types = types.table;
    Ok(module)
}

fn decode_record(
    code: u32,
    record: &Record<'_>,
    module: &mut Module,
    types: &mut TypeDecoder,
    pending: &mut Pending,
) -> Result<()> {
    match code {
        VERSION => match record.get(0, "module version")? {
            1 => {
                pending.relative_ids = true;
                Ok(())
            }
            // Version 0 has absolute operand numbers (LLVM Bitcode File Format,
            // "MODULE_CODE_VERSION Record"). DXC writes version 1 only.
            _ => Err(record.unsupported("bitcode of a module version other than 1")),
        },
        TRIPLE => {
            module.triple = record.text(0);
            Ok(())
        }
        DATA_LAYOUT => {
            module.data_layout = record.text(0);
            Ok(())
        }
        GLOBAL => decode_global(record, module, types),
        FUNCTION => decode_function(record, module, types, pending),
        ALIAS => Err(record.unsupported("aliases are not part of DXIL")),
        _ => Ok(()),
    }
}

fn next_value(module: &Module, record: &Record<'_>) -> Result<ValueId> {
    match u32::try_from(module.values.len()) {
        Ok(number) => value_id(number, record),
        Err(_) => Err(record.malformed("too many values in the module")),
    }
}

fn decode_global(record: &Record<'_>, module: &mut Module, types: &mut TypeDecoder) -> Result<()> {
    const CONSTANT: u64 = 1;
    const EXPLICIT_TYPE: u64 = 2;
    let ty = types.by_number(record.get(0, "global variable")?, record)?;
    let flags = record.get(1, "global variable")?;
    // Without the flag, the record names the pointer type, from which both follow.
    let (ty, address_space) = if flags & EXPLICIT_TYPE != 0 {
        (ty, u32::try_from(flags >> 2).unwrap_or(u32::MAX))
    } else {
        match *types.get(ty) {
            Type::Pointer {
                pointee,
                address_space,
            } => (pointee, address_space),
            _ => return Err(record.malformed("a global variable's type is not a pointer")),
        }
    };
    if address_space > crate::limits::MAX_ADDRESS_SPACE {
        return Err(record.malformed("a global variable's address space is out of range"));
    }
    // Stored plus one, 0 for none. The constant comes later in the file, so `check_module` checks
    // that it exists.
    let initializer = match record.u32(2, "global variable")?.checked_sub(1) {
        Some(number) => Some(value_id(number, record)?),
        None => None,
    };
    let value = next_value(module, record)?;
    let id = module.globals.push(Global {
        name: Box::default(),
        ty,
        address_space,
        is_constant: flags & CONSTANT != 0,
        initializer,
        linkage: codes::linkage(record.get(3, "global variable")?),
        align: codes::alignment(record.get(4, "global variable")?)
            .ok_or_else(|| record.malformed("an alignment is too large"))?,
        // A later form of the record may end before it.
        unnamed_addr: record.ops.get(8).is_some_and(|flag| *flag != 0),
        value,
    });
    let ty = types.pointer_to(ty, address_space);
    module.values.push(ValueData {
        ty,
        def: ValueDef::Global(id),
    });
    Ok(())
}

fn decode_function(
    record: &Record<'_>,
    module: &mut Module,
    types: &mut TypeDecoder,
    pending: &mut Pending,
) -> Result<()> {
    let ty = types.by_number(record.get(0, "function")?, record)?;
    // Older bitcode names the pointer to the function type.
    let ty = types.table.pointee(ty).unwrap_or(ty);
    if !matches!(types.get(ty), Type::Function { .. }) {
        return Err(record.malformed("a function's type is not a function type"));
    }
    // The fields after the attributes only matter to native code.
    let is_declaration = record.get(2, "function")? != 0;
    let attributes = record.u32(4, "function")?;
    // 0 stands for no attributes, so the numbers start at one.
    if attributes as usize > module.attribute_sets.len() {
        return Err(record.malformed("a function names an attribute set that does not exist"));
    }
    let value = next_value(module, record)?;
    let id = module.functions.push(FunctionDecl {
        name: Box::default(),
        ty,
        body: None,
        attributes,
        convention: codes::convention(record.get(1, "function")?),
        linkage: codes::linkage(record.get(3, "function")?),
        value,
    });
    if !is_declaration {
        pending.defined.push(id);
    }
    let ty = types.pointer_to(ty, 0);
    module.values.push(ValueData {
        ty,
        def: ValueDef::Function(id),
    });
    Ok(())
}

/// Reads the module's symbol table. It may only name globals and functions.
fn decode_names(stream: &mut Stream<'_>, module: &mut Module) -> Result<()> {
    let Module {
        values,
        globals,
        functions,
        ..
    } = module;
    symtab::decode(stream, |symbol| {
        let Symbol::Value(number, name) = symbol else {
            return;
        };
        match values.get(number as usize).map(|value| value.def) {
            Some(ValueDef::Global(id)) => {
                if let Some(global) = globals.get_mut(id) {
                    global.name = name;
                }
            }
            Some(ValueDef::Function(id)) => {
                if let Some(function) = functions.get_mut(id) {
                    function.name = name;
                }
            }
            _ => {}
        }
    })
}

fn decode_bodies(
    stream: &mut Stream<'_>,
    module: &mut Module,
    types: &mut TypeDecoder,
    pending: &Pending,
) -> Result<()> {
    if pending.defined.len() != pending.bodies.len() {
        return Err(Error::malformed(format!(
            "{} functions are defined, but there are {} bodies",
            pending.defined.len(),
            pending.bodies.len()
        )));
    }
    // Without a VERSION record the operands are absolute, which is version 0.
    if !pending.bodies.is_empty() && !pending.relative_ids {
        return Err(Error::unsupported("bitcode of before LLVM 3.3"));
    }
    let metadata_count = module.metadata.nodes.len();
    module.bodies.reserve_exact(pending.defined.len());
    // LLVM writes bodies in the order of the function records; nothing else ties them together.
    for (id, start) in pending.defined.iter().zip(&pending.bodies) {
        let ty = match module.functions.get(*id) {
            Some(decl) => decl.ty,
            None => TypeId::from_u32(0),
        };
        let around = Surroundings {
            types,
            values: &module.values,
            metadata: &mut module.metadata,
            metadata_count,
            attribute_sets: module.attribute_sets.len(),
        };
        stream
            .enter_at(*start, FUNCTION_BLOCK)
            .map_err(|error| error.in_function(*id))?;
        let function = function::decode(stream, around, *id, ty)
            .and_then(|(function, far_uses)| {
                verify::check(&function, module, types, &far_uses)?;
                Ok(function)
            })
            .map_err(|error| error.in_function(*id))?;
        let index = u32::try_from(module.bodies.len()).unwrap_or(u32::MAX);
        module.bodies.push(function);
        if let Some(decl) = module.functions.get_mut(*id) {
            decl.body = Some(index);
        }
    }
    Ok(())
}
