//! Prints what came of the rules of a pipeline file.

use std::path::Path;

use dxil_frontend::shown::escaped_lines;
use dxil_jit::pipeline_file::{Buffer, Pipeline, PipelineReport, PlannedJob};
use dxil_runtime::{Outcome, Storage};

use crate::args::Args;
use crate::failure::{Failure, Result};
use crate::output::{self, PlaceContents};
use crate::parse::Out;
use crate::planned::ElementKind;

/// Prints the buffers and what came of each rule, and writes what `--out` asks for.
pub(crate) fn show(
    args: &Args,
    file: &Path,
    pipeline: &Pipeline,
    planned: &PlannedJob,
    outcome: &Outcome,
) -> Result<()> {
    let buffers = planned.buffers(pipeline, outcome);
    let verdicts = pipeline.check(&buffers)?;
    // What goes to a file is not shown as well: pictures are long.
    let outs = args.out.iter();
    let outs = outs.map(|out| Ok((out, find_buffer(pipeline, &buffers, out)?)));
    let outs: Vec<(&Out, &Buffer)> = outs.collect::<Result<_>>()?;
    let is_shown = |buffer: &&Buffer| !outs.iter().any(|(_, out)| out.name == buffer.name);
    let shown: Vec<Buffer> = buffers.iter().filter(is_shown).cloned().collect();
    let report = PipelineReport {
        buffers: &shown,
        verdicts: &verdicts,
    };
    let report = escaped_lines(&report.to_string()).to_string();
    crate::messages::write_stdout(report.as_bytes())?;
    for (out, buffer) in outs {
        write_buffer(buffer, out)?;
    }
    let failed = verdicts.iter().filter(|verdict| !verdict.holds()).count();
    match failed {
        0 => Ok(()),
        _ => Err(Failure::job(format!(
            "{failed} of {} expectations of {} do not hold",
            verdicts.len(),
            file.display()
        ))),
    }
}

/// Returns the buffer that an `--out` means: by its name, or the render target where only a file is
/// given.
pub(crate) fn find_buffer<'a>(
    pipeline: &Pipeline,
    buffers: &'a [Buffer],
    out: &Out,
) -> Result<&'a Buffer> {
    let find = |name: &str| buffers.iter().find(|buffer| buffer.name == name);
    let bindings = pipeline.document.bindings.as_ref();
    let target = bindings.and_then(|bindings| bindings.render_target.as_deref());
    let target = target.filter(|_| out.is_bare).and_then(find);
    find(&out.place).or(target).ok_or_else(|| {
        let names: Vec<&str> = buffers.iter().map(|buffer| buffer.name.as_str()).collect();
        let names = names.join(", ");
        Failure::usage(format!(
            "{out}: the pipeline file has no buffer `{}`; it has {names}",
            out.place
        ))
    })
}

/// Writes what a buffer of the file holds after the run.
fn write_buffer(buffer: &Buffer, out: &Out) -> Result<()> {
    let texture = buffer.texture()?;
    let element = ElementKind::Texel(texture.format);
    let storage = Storage::Texture(texture);
    let bytes = buffer.data.first().map_or(&[][..], Vec::as_slice);
    let picture = PlaceContents {
        name: &buffer.name,
        element: &element,
        layout: None,
        size: None,
        is_cube: false,
        storage: Some(&storage),
    };
    output::write_file(&picture, bytes, &out.file)
}
