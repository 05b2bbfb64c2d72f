//! Optimization: passes over the typed IR.
//!
//! ```text
//! inlining      calls of functions with bodies
//! mem2reg       variables on the stack become values
//! folding       constants, identities, branches on constants; blocks in one line become one
//! dead_code     what has no effect and no use
//! loop_hints    [unroll] and [loop] on loops
//! strip         no pass: debug information, names, bodies
//! ```
//!
//! A pass keeps what the code computes: results, the order of accesses to memory that others see,
//! and which lanes take part in operations across a wave. It works on a copy of the body whose
//! blocks are lists ([`DraftFunction`]). Functions, variables and declarations that nothing needs
//! are left out at the end, and metadata and shader flags say what is left.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use dxil_frontend::dxil::read_shader;
//! use dxil_frontend::opt::{self, Pass};
//!
//! # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/container/skin_vs.dxil");
//! let shader = read_shader(&std::fs::read(file)?)?;
//! let smaller = opt::optimize(&shader, Pass::DEFAULT)?;
//! let size = |shader: &dxil_frontend::dxil::Shader| shader.module.bodies[0].insts.len();
//! assert!(size(&smaller) <= size(&shader));
//! # Ok(())
//! # }
//! ```

mod cleanup;
mod context;
mod dead_code;
mod edges;
mod folding;
mod inlining;
mod loop_hints;
mod mem2reg;
mod scalars;
mod strip;

use std::fmt;

pub use self::strip::{for_reflection, without_debug_info, without_names};

use self::context::Context;
use crate::dxil::ops::classify_callees;
use crate::dxil::{Hints, Shader, ShaderKind, described};
use crate::error::Result;
use crate::ir::DraftFunction;
use crate::validate::code_flags;

/// A pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pass {
    /// Puts the bodies of functions in the place of their calls.
    Inline,
    /// Makes values of variables on the stack: scalars and vectors, and the elements of arrays
    /// whose indices are all constant.
    Mem2Reg,
    /// Computes what is constant, removes branches on constants and the blocks that only they lead
    /// to, and joins blocks that run one after the other.
    Fold,
    /// Removes instructions without effect whose results nothing uses, and stores to variables that
    /// nothing reads.
    DeadCode,
    /// Asks for all loops without a hint to be unrolled (`[unroll]`).
    UnrollHints,
    /// Asks for all loops without a hint to stay loops (`[loop]`).
    LoopHints,
}

impl Pass {
    /// The passes of `dxil-opt` without `--passes`.
    pub const DEFAULT: &'static [Pass] = &[Pass::Inline, Pass::Mem2Reg, Pass::Fold, Pass::DeadCode];

    /// All passes: the names that commands and libraries have for them, and what each does.
    pub const TABLE: [(Pass, &'static str, &'static str); 6] = [
        (
            Pass::Inline,
            "inline",
            "Put the bodies of functions in the place of their calls",
        ),
        (
            Pass::Mem2Reg,
            "mem2reg",
            "Make values of variables and of arrays with constant indices",
        ),
        (
            Pass::Fold,
            "fold",
            "Compute constants, remove branches on them, join blocks",
        ),
        (
            Pass::DeadCode,
            "dead-code",
            "Remove instructions without effect and use",
        ),
        (
            Pass::UnrollHints,
            "unroll-hints",
            "Ask for loops without a hint to be unrolled",
        ),
        (
            Pass::LoopHints,
            "loop-hints",
            "Ask for loops without a hint to stay loops",
        ),
    ];

    /// Returns the pass of that name.
    pub fn named(name: &str) -> Option<Pass> {
        let found = Pass::TABLE.iter().find(|(_, known, _)| *known == name);
        found.map(|(pass, ..)| *pass)
    }

    /// Returns the passes that a list of names with commas between them names; all of
    /// [`Pass::DEFAULT`] for an empty one.
    ///
    /// # Errors
    ///
    /// Names the first word that is no pass.
    pub fn list(names: &str) -> std::result::Result<Vec<Pass>, String> {
        if names.is_empty() {
            return Ok(Pass::DEFAULT.to_vec());
        }
        let pass =
            |name: &str| Pass::named(name).ok_or_else(|| format!("no pass is called {name:?}"));
        names.split(',').map(pass).collect()
    }
}

/// Writes the name.
impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = Pass::TABLE.iter().find(|(pass, ..)| pass == self);
        f.write_str(row.map_or("", |(_, name, _)| name))
    }
}

/// Returns the shader after these passes, in this order.
///
/// # Errors
///
/// If functions call each other in a circle, if inlining would make too much of them, or if the
/// shader has what [`described`] does not write.
pub fn optimize(shader: &Shader, passes: &[Pass]) -> Result<Shader> {
    let mut shader = shader.clone();
    for pass in passes {
        match *pass {
            Pass::Inline => inlining::run(&mut shader)?,
            Pass::Mem2Reg => each_body(&mut shader, mem2reg::run)?,
            Pass::Fold => each_body(&mut shader, folding::run)?,
            Pass::DeadCode => each_body(&mut shader, dead_code::run)?,
            Pass::UnrollHints => loop_hints::run(&mut shader, true)?,
            Pass::LoopHints => loop_hints::run(&mut shader, false)?,
        }
    }
    finish(shader)
}

/// Rewrites each body.
fn each_body(
    shader: &mut Shader,
    pass: fn(&Context<'_>, &mut DraftFunction) -> Result<()>,
) -> Result<()> {
    let mut bodies = Vec::with_capacity(shader.module.bodies.len());
    let cx = Context {
        module: &shader.module,
        callees: &shader.callees,
    };
    for body in &shader.module.bodies {
        let mut draft = DraftFunction::of(body);
        pass(&cx, &mut draft)?;
        bodies.push(draft.finish());
    }
    shader.module.bodies = bodies;
    Ok(())
}

/// Leaves out functions, variables and constants that nothing needs, and describes the rest.
fn finish(mut shader: Shader) -> Result<Shader> {
    cleanup::run(&mut shader);
    shader.callees = classify_callees(&shader.module)?;
    shader.hints = Hints::new(&shader.module);
    let flags = code_flags(&shader);
    let is_library = shader.shader_model.kind == ShaderKind::Library;
    for entry in &mut shader.entry_points {
        // A library's flags stand in the entry for the whole module.
        if !is_library || entry.function.is_none() {
            entry.flags = flags;
        }
    }
    Shader::decode(described(&shader)?)
}
