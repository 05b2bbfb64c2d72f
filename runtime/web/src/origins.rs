//! Numbers of instructions, by which the page knows what belongs together in its panes.
//!
//! The translator keeps source lines (`OpLine`). Given a made-up source of which each instruction
//! of the listing is a line of its own, the lines in the module say which instruction its code is
//! of.

use dxil_frontend::dxil::Shader;
use dxil_frontend::ir::{DebugLoc, InstId, MdId, MdNode, Metadata, NamedMetadata};

/// METADATA_FILE of LLVM 3.7's bitcode: distinct, name, directory.
const FILE: u32 = 16;
/// METADATA_COMPILE_UNIT: distinct, language, file, and more that nobody asks for here.
const COMPILE_UNIT: u32 = 20;
/// Name of the made-up source.
pub(crate) const NAME: &str = "dxil-web: lines of the listing";

/// The numbers of the instructions of a module: bodies follow each other.
pub(crate) struct Origins {
    /// The number in front of the first one of each body.
    bases: Vec<u32>,
}

impl Origins {
    /// Numbers the instructions of a shader.
    pub(crate) fn of(shader: &Shader) -> Self {
        let mut next = 1_u32;
        let bases = shader.module.bodies.iter().map(|body| {
            let base = next;
            next = next.saturating_add(body.insts.len() as u32);
            base
        });
        Origins {
            bases: bases.collect(),
        }
    }

    /// Returns the number of an instruction in the body with that index.
    pub(crate) fn number(&self, body: usize, inst: InstId) -> u32 {
        let base = self.bases.get(body).copied().unwrap_or(0);
        base.saturating_add(inst.as_u32())
    }

    /// Makes the number of each instruction its source line.
    pub(crate) fn mark(&self, shader: &mut Shader) {
        shader.sources = None;
        let scope = add_source(&mut shader.module.metadata);
        for (index, body) in shader.module.bodies.iter_mut().enumerate() {
            for inst in body.insts.keys() {
                body.debug_locs[inst] = Some(DebugLoc {
                    line: self.number(index, inst),
                    column: 1,
                    scope: Some(scope),
                    inlined_at: None,
                });
            }
        }
    }
}

/// Adds a file and a compile unit, and returns the file.
fn add_source(metadata: &mut Metadata) -> MdId {
    // Ids in records are biased by one: 0 is null.
    let biased = |id: MdId| u64::from(id.as_u32()) + 1;
    let (start, len) = add_text(metadata, NAME);
    let name = metadata.nodes.push(MdNode::String { start, len });
    let file = metadata.nodes.push(MdNode::Debug {
        code: FILE,
        record: Box::new([0, biased(name), biased(name)]),
    });
    let mut record = [0; 16];
    record[2] = biased(file);
    let unit = metadata.nodes.push(MdNode::Debug {
        code: COMPILE_UNIT,
        record: Box::new(record),
    });
    let (name_start, name_len) = add_text(metadata, "llvm.dbg.cu");
    let start = metadata.operands.len() as u32;
    metadata.operands.push(Some(unit));
    metadata.named.push(NamedMetadata {
        name_start,
        name_len,
        start,
        len: 1,
    });
    file
}

fn add_text(metadata: &mut Metadata, text: &str) -> (u32, u32) {
    let start = metadata.strings.len() as u32;
    metadata.strings.extend(text.as_bytes());
    (start, text.len() as u32)
}
