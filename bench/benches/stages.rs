//! Criterion benches of each stage over the checked-in shaders: parse, parse and validate,
//! structurize, translate, whole. One iteration is the whole corpus; throughput is bytes of
//! containers.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dxil_bench::{Sample, load_folder, project_root};
use dxil_frontend::dxil::{Shader, read_shader};
use dxil_frontend::ir::FuncView;
use dxil_frontend::validate::{self, validate};
use dxil_translate::cfg::{Cfg, unrotate_loops};
use dxil_translate::{Features, Options, structurize, translate};

fn corpus() -> Vec<(Sample, Shader)> {
    let options = options();
    load_folder(&project_root().join("hwtests/shaders"))
        .expect("the test shaders are part of the checkout")
        .into_iter()
        .filter_map(|sample| {
            let shader = read_shader(&sample.bytes).ok()?;
            translate(&shader, &options).ok()?;
            Some((sample, shader))
        })
        .collect()
}

fn options() -> Options {
    let mut options = Options::default();
    options.target.features = Features::all() - Features::LONG_VECTOR;
    options
}

fn stages(criterion: &mut Criterion) {
    let corpus = corpus();
    let options = options();
    let bytes: usize = corpus.iter().map(|(sample, _)| sample.bytes.len()).sum();
    let mut group = criterion.benchmark_group(format!("{} shaders", corpus.len()));
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("parse", |bencher| {
        bencher.iter(|| {
            corpus
                .iter()
                .filter(|(sample, _)| read_shader(&sample.bytes).is_ok())
                .count()
        });
    });
    group.bench_function("parse and validate", |bencher| {
        let rules = validate::Options::default();
        bencher.iter(|| {
            let samples = corpus.iter().map(|(sample, _)| sample);
            samples
                .filter(|sample| validate(&sample.bytes, &rules).is_valid())
                .count()
        });
    });
    group.bench_function("structurize", |bencher| {
        bencher.iter(|| {
            let functions = corpus.iter().flat_map(|(_, shader)| {
                shader.module.bodies.iter().map(|function| FuncView {
                    module: &shader.module,
                    function,
                })
            });
            functions
                .filter_map(|view| {
                    let mut graph = Cfg::build(view).ok()?;
                    unrotate_loops(&mut graph, view);
                    structurize::run(graph).ok()
                })
                .count()
        });
    });
    group.bench_function("translate", |bencher| {
        bencher.iter(|| {
            corpus
                .iter()
                .filter(|(_, shader)| translate(shader, &options).is_ok())
                .count()
        });
    });
    group.bench_function("whole", |bencher| {
        bencher.iter(|| {
            let translated = corpus.iter().filter(|(sample, _)| {
                read_shader(&sample.bytes).is_ok_and(|shader| translate(&shader, &options).is_ok())
            });
            translated.count()
        });
    });
    group.finish();
}

criterion_group!(benches, stages);
criterion_main!(benches);
