// Names, numbers and layouts of the interface are dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! The library that gets shaders of shader model 5 (DXBC), handle by handle. The environment
//! variable `DXIL_JIT_DXBC_LIBRARY` names it: the path of a shared object with the same ABI.

use std::sync::OnceLock;

pub(super) use super::functions::Functions as Delegate;
use super::thread_state::log_error;

/// Name of the environment variable.
pub(super) const VARIABLE: &str = "DXIL_JIT_DXBC_LIBRARY";

/// The library, if the environment names one. It is loaded on first use.
pub(super) fn delegate() -> Option<&'static Delegate> {
    static LIBRARY: OnceLock<Option<Delegate>> = OnceLock::new();
    LIBRARY
        .get_or_init(|| {
            let path = std::env::var_os(VARIABLE).filter(|path| !path.is_empty())?;
            // SAFETY: whoever names a library there vouches for its ABI.
            match unsafe { Delegate::open(&path) } {
                Ok(delegate) if is_other(&delegate) => Some(delegate),
                Ok(_) => {
                    log_error("the library for DXBC shaders is this library itself");
                    None
                }
                Err(error) => {
                    log_error(&format!(
                        "the library for DXBC shaders, {}, cannot be loaded: {error}",
                        path.display()
                    ));
                    None
                }
            }
        })
        .as_ref()
}

/// Whether it is another library than this one.
fn is_other(library: &Delegate) -> bool {
    let theirs = library.set_log as usize;
    theirs != super::thread_state::dxil_spv_set_thread_log_callback as *const () as usize
}
