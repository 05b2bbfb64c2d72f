//! Oracles for fuzz targets and property tests, which read everything that bytes may hold. Not part
//! of the interface.
//!
//! Each function returns what the readers return. Its caller checks that it returns at all, in time
//! and within memory; the assertions in here are rules that hold for every input.

use crate::container::pdb_info::PdbRecord;
use crate::container::rdat::{
    FunctionRecord, FunctionStage, NodeFunctionAttribute, Subobject, SubobjectKind,
};
use crate::container::{Container, ProgramSignature, Rdat, RootSignature};
use crate::dxil::debug::{DebugInfo, Sources};
use crate::dxil::{Shader, ops, read_shader};
use crate::error::Result;
use crate::ir::print::{Plain, module_text};
use crate::ir::{FuncView, Module};
use crate::link::link;

/// Numbers for tests that change bytes: a seed means the same everywhere.
#[derive(Debug, Clone)]
pub struct Random(fastrand::Rng);

impl Random {
    /// Returns the generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random(fastrand::Rng::with_seed(seed))
    }

    /// Returns the next 64 random bits.
    #[allow(clippy::should_implement_trait, reason = "there is no last one")]
    pub fn next(&mut self) -> u64 {
        self.0.u64(..)
    }

    /// Returns a number below `limit`, or 0.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.0.u64(..limit)).unwrap_or(0)
    }
}

/// Pieces that text is made of, and that do not belong there.
const PIECES: [&str; 24] = [
    "(",
    ")",
    ",",
    "=",
    "|",
    ":",
    "\n",
    "  ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    "&a ",
    "*a",
    "\"",
    "'",
    "#",
    "-1",
    "1e999",
    "4294967296",
    "\u{1b}[31m",
    "\u{202e}",
    "é",
];

/// Returns a seed with a few changes: pieces put in, parts left out, doubled, or moved, bits
/// flipped.
pub fn changed(random: &mut Random, seed: &[u8]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(40)).min(bytes.len());
        match random.below(5) {
            0 => {
                let piece = PIECES.get(random.below(PIECES.len())).unwrap_or(&"");
                bytes.splice(at..at, piece.bytes());
            }
            1 => drop(bytes.drain(at..end)),
            2 => {
                let part = bytes.get(at..end).unwrap_or_default().to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, part);
            }
            3 => bytes.truncate(bytes.len() - random.below(bytes.len() / 8 + 1)),
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << random.below(8);
                }
            }
        }
    }
    bytes
}

/// Asks a container for everything that it can be asked for, so that a broken file meets every
/// reader.
///
/// # Errors
///
/// The reader's error, unless the bytes are what they should be.
pub fn container(bytes: &[u8]) -> Result<()> {
    let container = Container::parse(bytes)?;
    container.digest();
    let mut first = Ok(());
    let mut note = |result: Result<()>| {
        if first.is_ok() {
            first = result;
        }
    };
    note(container.psv().map(|psv| {
        if let Some(psv) = psv {
            let d = &psv.dependencies;
            let tables = d.inputs_to_outputs.iter().flatten();
            for table in tables
                .chain(&d.inputs_to_patch_constants)
                .chain(&d.patch_constants_to_outputs)
            {
                for input in 0..table.input_components() {
                    assert!(table.outputs_of(input).is_some());
                }
            }
        }
    }));
    note(container.root_signature().and_then(|rs| {
        if let Some(rs) = rs {
            let bytes = rs.to_bytes()?;
            // The written form is compared with itself, since an input may order its payloads
            // differently.
            assert_eq!(RootSignature::from_file(&bytes)?.to_bytes()?, bytes);
        }
        Ok(())
    }));
    note(
        container
            .rdat()
            .and_then(|r| r.map_or(Ok(()), |r| walk_rdat(&r))),
    );
    note(container.pdb_info().and_then(|p| match p {
        Some(p) => walk_rdat(&p.rdat()?),
        None => Ok(()),
    }));
    note(container.source_info().and_then(|info| {
        let contents = info.and_then(|info| info.contents);
        let mut texts = contents.iter().flat_map(|contents| contents.texts());
        texts.try_for_each(|text| text.map(drop))
    }));
    for part in container.parts() {
        if matches!(
            &part.name.0,
            b"ISG1" | b"OSG1" | b"PSG1" | b"ISGN" | b"OSGN" | b"OSG5"
        ) {
            note(ProgramSignature::parse(*part).map(drop));
        }
    }
    note(container.debug_name().map(drop));
    note(container.shader_hash().map(drop));
    note(container.features().map(drop));
    note(container.compiler_version().map(drop));
    note(container.debug_program().map(drop));
    note(container.reflection_program().map(drop));
    first
}

/// Decodes bitcode, prints the module, and reads it as DXIL.
///
/// # Errors
///
/// The reader's error, unless the bytes are what they should be.
pub fn bitcode(bytes: &[u8]) -> Result<()> {
    let module = crate::bitcode::decode_module(bytes, 0)?;
    walk_module(&module);
    // Text is bounded by a multiple of the file, however much its parts are shared.
    assert!(module_text(&module, &Plain).len() <= 4096 * (bytes.len() + 1024));
    walk_debug_info(&module);
    // What can be written reads as the same module.
    if let Ok(written) = crate::bitcode::write_module(&module) {
        let again = crate::bitcode::decode_module(&written, 0)?;
        assert_eq!(module_text(&module, &Plain), module_text(&again, &Plain));
    }
    let shader = Shader::decode(module)?;
    for (id, decl) in &shader.module.functions {
        let Some(function) = shader.module.body(id) else {
            continue;
        };
        assert!(decl.body.is_some());
        let view = FuncView {
            module: &shader.module,
            function,
        };
        for (inst, data) in &function.insts {
            shader.hints.branch(&shader.module, function, inst);
            shader.hints.loop_hint(&shader.module, function, inst);
            if let Some(args) = ops::op_arguments(view, &shader.callees, &data.inst) {
                // A wrong call is an error of the call, not of the module.
                let _ = ops::decode(view, args);
            }
        }
    }
    Ok(())
}

/// Reads a shader PDB file, and the container in it.
///
/// # Errors
///
/// The reader's error, unless the bytes are what they should be.
pub fn pdb(bytes: &[u8]) -> Result<()> {
    container(&crate::container::container_in_pdb(bytes)?)
}

/// Reads a root signature in a container, or the bare part, and checks that a round trip keeps it.
///
/// # Errors
///
/// The reader's error, unless the bytes are what they should be.
pub fn root_signature(bytes: &[u8]) -> Result<()> {
    let signature = RootSignature::from_file(bytes)?;
    let written = signature.to_bytes()?;
    assert_eq!(RootSignature::from_file(&written)?.to_bytes()?, written);
    Ok(())
}

/// Links two libraries in both orders. The first word is the offset of the second library.
///
/// # Errors
///
/// The reader's error, unless the bytes are what they should be.
pub fn linking(bytes: &[u8]) -> Result<()> {
    let truncated = || crate::Error::malformed("no two libraries");
    let (at, rest) = bytes.split_first_chunk::<4>().ok_or_else(truncated)?;
    let at = usize::try_from(u32::from_le_bytes(*at)).unwrap_or(usize::MAX);
    let (one, two) = rest.split_at_checked(at).ok_or_else(truncated)?;
    let (one, two) = (read_shader(one)?, read_shader(two)?);
    let linked = link(&one, &[&two]);
    link(&two, &[&one]).and(linked).map(drop)
}

/// Reads all debug information of a module.
fn walk_debug_info(module: &Module) {
    let sources = Sources::of_module(module);
    let copied: usize = sources.files.iter().map(|file| file.text.len()).sum();
    // What is not UTF-8 takes three bytes for one.
    assert!(copied <= module.metadata.strings.len().saturating_mul(12));
    let Some(info) = DebugInfo::of(module) else {
        return;
    };
    for node in module.metadata.nodes.keys() {
        info.file_of(node);
        info.function_of(node);
        info.ty(node);
        info.local_variable(node);
        info.global_variable(node);
        info.location(node)
            .and_then(|place| info.position_of(&place));
    }
    info.subprograms().count();
    info.global_variables().count();
    for function in &module.bodies {
        let view = FuncView { module, function };
        for inst in function.insts.keys() {
            info.variable_use(view, inst);
            if let Some(&Some(place)) = function.debug_locs.get(inst) {
                info.position(&place);
                info.inlined_at(&place).count();
            }
        }
    }
}

/// Checks what the decoder guarantees of a module.
fn walk_module(module: &Module) {
    for function in &module.bodies {
        let view = FuncView { module, function };
        assert_eq!(function.first_value as usize, module.values.len());
        let mut next = 0;
        for (id, block) in &function.blocks {
            assert_eq!(block.first.as_u32(), next);
            next = block.end.as_u32();
            let insts = function.block_insts(id).len();
            assert!(insts > 0);
            assert!(function.terminator(id).is_terminator());
            function.for_each_successor(id, |to| assert!(function.blocks.is_valid(to)));
        }
        assert_eq!(next as usize, function.insts.len());
        for (id, data) in &function.insts {
            function.for_each_operand(&data.inst, |value| assert!(view.value(value).is_some()));
            if let Some(result) = data.result.expand() {
                let value = view.value(result);
                assert!(value.is_some_and(|value| value.ty == data.ty));
                assert!(value.is_some_and(|v| v.def == crate::ir::ValueDef::Inst(id)));
            }
        }
    }
}

fn walk_rdat(rdat: &Rdat<'_>) -> Result<()> {
    for function in rdat.iter::<FunctionRecord>() {
        let function = function?;
        rdat.string(function.name)?;
        rdat.string(function.unmangled_name)?;
        for resource in rdat.records(function.resources)? {
            rdat.string(resource?.name)?;
        }
        for name in rdat.string_array(function.dependencies)? {
            name?;
        }
        if let FunctionStage::Node(node) = function.stage
            && let Some(node) = rdat.record(node)?
        {
            for attribute in rdat.records(node.attributes)? {
                if let NodeFunctionAttribute::NumThreads(words) = attribute? {
                    rdat.index_array(words)?;
                }
            }
            for io in rdat
                .records(node.inputs)?
                .chain(rdat.records(node.outputs)?)
            {
                for attribute in rdat.records(io?.attributes)? {
                    attribute?;
                }
            }
        }
    }
    for subobject in rdat.iter::<Subobject>() {
        match subobject?.kind {
            SubobjectKind::GlobalRootSignature(bytes)
            | SubobjectKind::LocalRootSignature(bytes) => {
                rdat.root_signature(bytes)?;
            }
            SubobjectKind::SubobjectToExportsAssociation { exports, .. } => {
                rdat.string_array(exports)?
                    .try_for_each(|name| name.map(drop))?;
            }
            _ => {}
        }
    }
    for record in rdat.iter::<PdbRecord>() {
        let record = record?;
        for source in rdat.records(record.sources)? {
            rdat.string(source?.content)?;
        }
        rdat.bytes(record.hash)?;
    }
    Ok(())
}
