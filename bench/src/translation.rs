//! Tables of translation speed: growth with the size of the control flow, and whole folders.

use std::path::PathBuf;

use anyhow::Context;
use dxil_bench::{
    Sample, best_of, full_target, load_folder, median, project_root, translate_bytes,
};
use dxil_frontend::dxil::read_shader;
use dxil_frontend::ir::FuncView;
use dxil_frontend::validate::{self, validate};
use dxil_translate::cfg::{Cfg, unrotate_loops};
use dxil_translate::{Options, structurize};

use crate::memory::MEMORY;

/// Returns a table of time and memory for shaders whose control flow grows.
///
/// # Errors
///
/// A shader cannot be read or translated.
pub(crate) fn scaling() -> anyhow::Result<String> {
    let folder = project_root().join("bench/shapes");
    let samples = load_folder(&folder).with_context(|| format!("reading {}", folder.display()))?;
    let options = Options::default();
    let mut table = String::from(
        "| shape | n | DXIL bytes | SPIR-V words | bytes to SPIR-V, ms | peak memory, MiB \
         | growth for 2 × n | validation, ms | growth for 2 × n |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    // glibc returns memory to the system when enough of it is free at the end of the heap, and
    // fresh memory costs half as much as translating into it, so that some runs of a few megabytes
    // would include that cost. After one large block was freed, glibc keeps its memory, as in a
    // program that translates one shader after the other.
    drop(std::hint::black_box(vec![1_u8; 24 << 20]));
    let mut last: Option<(String, f64, f64)> = None;
    for Sample { name, bytes } in &samples {
        let (shape, n) = name
            .split_once('_')
            .context("shape files are named SHAPE_N.dxil")?;
        let before = MEMORY.current_usage_as_mb();
        MEMORY.reset_peak_usage();
        let words = translate_bytes(bytes, &options).with_context(|| name.clone())?;
        let peak = MEMORY.peak_usage_as_mb() - before;
        // Other programs interrupt now and then: only the best of many runs is the cost of the
        // work.
        let ms = best_of(60, || translate_bytes(bytes, &options)).as_secs_f64() * 1e3;
        let validation_ms = best_of(60, || validate_all_rules(bytes)).as_secs_f64() * 1e3;
        let [growth, validation_growth] = match &last {
            Some((previous, time, validation)) if previous == shape => {
                [ms / time, validation_ms / validation].map(|growth| format!("{growth:.2}"))
            }
            _ => [String::new(), String::new()],
        };
        let n: u32 = n.parse()?;
        table += &format!(
            "| {shape} | {n} | {} | {words} | {ms:.3} | {peak:.2} | {growth} | {validation_ms:.3} \
             | {validation_growth} |\n",
            bytes.len()
        );
        last = Some((shape.to_owned(), ms, validation_ms));
    }
    Ok(table)
}

/// Validates a container by the rules of the validator version that it asks for.
fn validate_all_rules(bytes: &[u8]) -> validate::ValidationReport {
    validate(bytes, &validate::Options::default())
}

/// Returns a table of what the structurizer does to all functions of some folders.
pub(crate) fn structure(mut folders: Vec<PathBuf>, list: bool) -> anyhow::Result<String> {
    if folders.is_empty() {
        folders = vec![project_root().join("hwtests/shaders")];
    }
    let mut text = String::from(
        "| folder | functions | blocks in | blocks out | selections | loops | routing blocks | selectors | dispatchers | copied blocks | repaired phis |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let mut listing = String::new();
    for folder in &folders {
        let mut functions = 0;
        let mut total = structurize::Statistics::default();
        for Sample { name, bytes } in load_folder(folder)? {
            let Ok(shader) = read_shader(&bytes) else {
                continue;
            };
            for function in &shader.module.bodies {
                let view = FuncView {
                    module: &shader.module,
                    function,
                };
                let mut graph = Cfg::build(view)?;
                unrotate_loops(&mut graph, view);
                let form = structurize::run(graph).with_context(|| name.clone())?;
                let s = form.statistics;
                functions += 1;
                total.add(s);
                if s.selectors + s.dispatchers + s.repaired_phis > 0 {
                    listing += &format!(
                        "{name} {}: {} blocks, {} selectors, {} dispatchers, {} repaired phis\n",
                        function.id, s.blocks_in, s.selectors, s.dispatchers, s.repaired_phis
                    );
                }
            }
        }
        text += &format!(
            "| {} | {functions} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
            folder.display(),
            total.blocks_in,
            total.blocks_out,
            total.selections,
            total.loops,
            total.routing_blocks,
            total.selectors,
            total.dispatchers,
            total.duplicated_blocks,
            total.repaired_phis
        );
    }
    if list {
        text += &format!("\n{listing}");
    }
    Ok(text)
}

/// Returns a table of the times per shader of some folders.
///
/// # Errors
///
/// A folder cannot be read.
pub(crate) fn corpus(mut folders: Vec<PathBuf>, runs: u32, list: bool) -> anyhow::Result<String> {
    if folders.is_empty() {
        folders = vec![project_root().join("hwtests/shaders")];
    }
    let mut samples = Vec::new();
    for folder in &folders {
        samples
            .extend(load_folder(folder).with_context(|| format!("reading {}", folder.display()))?);
    }
    let mut options = Options::default();
    options.target = full_target();
    let mut parse = Vec::new();
    let mut validation = Vec::new();
    let mut whole = Vec::new();
    let mut rows = Vec::new();
    let mut refused = 0;
    let mut translated_bytes = 0;
    let mut peak_memory = 0.0_f32;
    for Sample { name, bytes } in &samples {
        let before = MEMORY.current_usage_as_mb();
        MEMORY.reset_peak_usage();
        if translate_bytes(bytes, &options).is_err() {
            refused += 1;
            continue;
        }
        peak_memory = peak_memory.max(MEMORY.peak_usage_as_mb() - before);
        let us = best_of(runs, || translate_bytes(bytes, &options)).as_secs_f64() * 1e6;
        parse.push(best_of(runs, || read_shader(bytes)).as_secs_f64() * 1e6);
        validation.push(best_of(runs, || validate_all_rules(bytes)).as_secs_f64() * 1e6);
        whole.push(us);
        translated_bytes += bytes.len();
        rows.push((us, name, bytes.len()));
    }
    let total_us: f64 = whole.iter().sum();
    let parse_us: f64 = parse.iter().sum();
    let validation_us: f64 = validation.iter().sum();
    let count = whole.len().max(1) as f64;
    let mut text = format!(
        "{} shaders, {refused} refused, {translated_bytes} bytes of containers\n\n\
         | stage | median, µs | mean, µs | MB/s |\n|---|---|---|---|\n",
        whole.len()
    );
    let throughput = |us: f64| translated_bytes as f64 / us.max(1e-9);
    text += &format!(
        "| parse | {:.1} | {:.1} | {:.1} |\n",
        median(&mut parse),
        parse_us / count,
        throughput(parse_us)
    );
    text += &format!(
        "| parse and validate | {:.1} | {:.1} | {:.1} |\n",
        median(&mut validation),
        validation_us / count,
        throughput(validation_us)
    );
    text += &format!(
        "| bytes to SPIR-V | {:.1} | {:.1} | {:.1} |\n",
        median(&mut whole),
        total_us / count,
        throughput(total_us)
    );
    text += &format!("\nPeak memory of one translation: {peak_memory:.2} MiB\n");
    if list {
        rows.sort_by(|a, b| b.0.total_cmp(&a.0));
        text += "\n| shader | bytes | µs |\n|---|---|---|\n";
        for (us, name, bytes) in rows {
            text += &format!("| {name} | {bytes} | {us:.1} |\n");
        }
    }
    Ok(text)
}
