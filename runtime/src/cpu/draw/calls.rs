//! The calls of a draw: itself, or those of a buffer of arguments.

use dxil_cpu::resources::Storage;

use crate::error::{Error, Result};
use crate::graphics::{Draw, DrawCall, Indices};
use crate::resource::ResourceId;

/// Returns the calls with their arguments.
pub(super) fn calls(draw: &Draw, is_mesh: bool, storages: &[Storage]) -> Result<Vec<Draw>> {
    let DrawCall::Indirect(indirect) = draw.call else {
        return Ok(vec![draw.clone()]);
    };
    let bytes = contents(storages, indirect.arguments)?;
    let count = match indirect.count {
        Some((buffer, at)) => word(&contents(storages, buffer)?, at).min(indirect.draws),
        None => indirect.draws,
    };
    // The number comes from memory; each draw has arguments of its own there.
    let words = draw.argument_bytes(is_mesh) / 4;
    let call = |number: u32| {
        let first = indirect.offset + u64::from(number) * u64::from(indirect.stride);
        let arguments: Vec<u32> = (0..u64::from(words))
            .map(|at| word(&bytes, first + 4 * at))
            .collect();
        direct(draw, &arguments)
    };
    Ok((0..count).map(call).collect())
}

/// Returns the draw with arguments from a buffer: `D3D12_DISPATCH_MESH_ARGUMENTS`,
/// `D3D12_DRAW_ARGUMENTS` or `D3D12_DRAW_INDEXED_ARGUMENTS`.
fn direct(draw: &Draw, arguments: &[u32]) -> Draw {
    let mut call = draw.clone();
    call.call = match *arguments {
        [x, y, z] => DrawCall::Meshes([x, y, z]),
        [count, instances, first, first_instance] => DrawCall::Vertices {
            count,
            instances,
            first,
            first_instance,
        },
        [count, instances, first, base_vertex, first_instance] => {
            call.indices = call.indices.map(|indices| Indices {
                base_vertex: base_vertex as i32,
                ..indices
            });
            DrawCall::Vertices {
                count,
                instances,
                first,
                first_instance,
            }
        }
        _ => call.call,
    };
    call
}

fn contents(storages: &[Storage], id: ResourceId) -> Result<Vec<u8>> {
    let storage = storages.get(id.0).map(Storage::to_bytes);
    storage.ok_or_else(|| Error::BadJob("the arguments are no buffer".into()))
}

/// Returns the word at a byte; 0 beyond the end.
fn word(bytes: &[u8], at: u64) -> u32 {
    let at = usize::try_from(at).unwrap_or(usize::MAX);
    let word = bytes.get(at..).and_then(<[u8]>::first_chunk);
    word.map_or(0, |word| u32::from_le_bytes(*word))
}
