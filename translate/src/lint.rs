//! Lints: patterns that are allowed and probably mistakes.

use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::ops::{OpFlags, decode_opcode, op_arguments};
use dxil_frontend::ir::{FuncView, Inst, Type, ValueId};

use crate::Result;
use crate::entry::{choose_entry, reachable_functions};

/// Something that is probably a mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Lint {
    /// Threads of a group write and read groupshared memory, and the shader has no barrier. It
    /// works only where the threads run in lockstep, or where each thread uses its own memory.
    #[error("groupshared memory is written and read, and there is no barrier")]
    NoBarrier,
}

/// Address space of groupshared memory (DXIL.rst, Memory accesses).
const GROUPSHARED: u32 = 3;

/// Runs the lints on an entry point; `entry` is as in [`Options`](crate::Options).
///
/// # Errors
///
/// If there is no such entry point, or its code is malformed.
pub fn lint(shader: &Shader, entry: Option<&str>) -> Result<Vec<Lint>> {
    let entry = choose_entry(shader, entry)?;
    let threads = entry.num_threads.unwrap_or([1; 3]);
    let module = &shader.module;
    let (mut read, mut written, mut barrier) = (false, false, false);
    for id in reachable_functions(shader, entry) {
        let Some(function) = module.body(id) else {
            continue;
        };
        let view = FuncView { module, function };
        let is_shared = |pointer: ValueId| {
            view.type_of(pointer).is_some_and(|ty| {
                matches!(
                    *module.types.get(ty),
                    Type::Pointer {
                        address_space: GROUPSHARED,
                        ..
                    }
                )
            })
        };
        for data in function.insts.values() {
            match data.inst {
                Inst::Load { pointer, .. } => read |= is_shared(pointer),
                Inst::Store { pointer, .. } => written |= is_shared(pointer),
                _ => {
                    if let Some(args) = op_arguments(view, &shader.callees, &data.inst) {
                        barrier |= decode_opcode(view, args)?
                            .flags()
                            .contains(OpFlags::BARRIER);
                    }
                }
            }
        }
    }
    let alone = threads.iter().all(|&n| n <= 1);
    let suspicious = read && written && !barrier && !alone;
    Ok(suspicious.then_some(Lint::NoBarrier).into_iter().collect())
}
