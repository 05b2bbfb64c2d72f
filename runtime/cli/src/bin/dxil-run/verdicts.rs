//! Prints what came of the rules of a pipeline file.

use std::path::Path;

use dxil_frontend::escape::escaped_lines;
use dxil_jit::pipeline_file::{Buffer, Pipeline, PipelineReport, PlannedJob};
use dxil_runtime::{Outcome, Storage};

use crate::args::Args;
use crate::failure::{Failure, Result};
use crate::output::{self, PlaceContents};
use crate::parse::Out;
use crate::planned::ElementKind;

/// What came of a run of a pipeline file.
pub(crate) struct Verdicts<'a> {
    /// The buffers that are shown, and what came of each rule.
    pub(crate) text: String,
    outs: Vec<(&'a Out, Buffer)>,
    /// Rules that do not hold, and all.
    failed: (usize, usize),
}

impl<'a> Verdicts<'a> {
    /// Compares what a run has left with what the file expects.
    pub(crate) fn of(
        args: &'a Args,
        pipeline: &Pipeline,
        planned: &PlannedJob,
        outcome: &Outcome,
    ) -> Result<Verdicts<'a>> {
        let buffers = planned.buffers(pipeline, outcome);
        let verdicts = pipeline.check(&buffers)?;
        // What goes to a file is not shown as well: pictures are long.
        let outs = args.out.iter();
        let outs = outs.map(|out| Ok((out, find_buffer(pipeline, &buffers, out)?.clone())));
        let outs: Vec<(&Out, Buffer)> = outs.collect::<Result<_>>()?;
        let is_shown = |buffer: &&Buffer| !outs.iter().any(|(_, out)| out.name == buffer.name);
        let shown: Vec<Buffer> = buffers.iter().filter(is_shown).cloned().collect();
        let report = PipelineReport {
            buffers: &shown,
            verdicts: &verdicts,
        };
        let failed = verdicts.iter().filter(|verdict| !verdict.holds()).count();
        Ok(Verdicts {
            text: escaped_lines(&report.to_string()).to_string(),
            outs,
            failed: (failed, verdicts.len()),
        })
    }

    /// Writes what `--out` asks for.
    pub(crate) fn write_outputs(&self) -> Result<()> {
        let mut outs = self.outs.iter();
        outs.try_for_each(|(out, buffer)| write_buffer(buffer, out))
    }

    /// Prints them, and writes what `--out` asks for; a rule that does not hold is a failure.
    pub(crate) fn show(&self, file: &Path) -> Result<()> {
        crate::messages::write_stdout(self.text.as_bytes())?;
        self.write_outputs()?;
        match self.failed {
            (0, _) => Ok(()),
            (failed, all) => Err(Failure::job(format!(
                "{failed} of {all} expectations of {} do not hold",
                file.display()
            ))),
        }
    }
}

/// Prints the buffers and what came of each rule, and writes what `--out` asks for.
pub(crate) fn show(
    args: &Args,
    file: &Path,
    pipeline: &Pipeline,
    planned: &PlannedJob,
    outcome: &Outcome,
) -> Result<()> {
    Verdicts::of(args, pipeline, planned, outcome)?.show(file)
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
