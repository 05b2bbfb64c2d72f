// The protocol of the instrumentation is dxil-spirv's:
// Copyright (c) 2019-2022 Hans-Kristian Arntzen for Valve Corporation, SPDX-License-Identifier: MIT
// (the licence is in THIRD-PARTY.md).

//! Code that watches the shader and reports to a layer's buffers (see
//! [`Instrumentation`](crate::Instrumentation)).
//!
//! The files below have one check each; this one has the buffers and the functions that checks
//! call. A function gets an id when the first call of it is written, and its body at the end, after
//! all others.

pub(super) mod assumptions;
pub(super) mod descriptor_checks;
pub(super) mod non_finite;
mod report_buffers;
mod reports;
pub(super) mod state;
pub(super) mod synchronization;

use crate::lower::context::{Context, Input};
use crate::{Error, PortableForm, Result};

/// Refuses instrumentation that the target cannot have.
pub(super) fn begin(input: &Input<'_>) -> Result<()> {
    let wanted = &input.options.instrumentation;
    let is_wanted = wanted.descriptors.is_some() || wanted.instructions.is_some();
    if is_wanted && !input.consumer().instrumentation {
        let form = PortableForm::Instrumentation;
        return Err(Error::portable(form, "instrumentation"));
    }
    Ok(())
}

/// Writes the functions that checks have called. Runs after all other code.
pub(super) fn finish(cx: &mut Context<'_>) -> Result<()> {
    // The functions of race checks call the report, so they come first.
    synchronization::write_synchronization(cx)?;
    if let (Some(id), Some(wanted)) = (
        cx.module.instruments.report,
        cx.input.options.instrumentation.instructions,
    ) {
        reports::write_report(cx, id, &wanted)?;
    }
    if let (Some(id), Some(wanted)) = (
        cx.module.instruments.check_descriptor,
        cx.input.options.instrumentation.descriptors,
    ) {
        descriptor_checks::write_descriptor_check(cx, id, &wanted)?;
    }
    Ok(())
}
