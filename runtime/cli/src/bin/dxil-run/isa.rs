//! `--isa`: machine code of GPUs that need not be there.

use std::path::Path;

use dxil_frontend::container::{Container, InputKind, RootSignature, detect};
use dxil_frontend::dxbc::{ClassBinding, ClassLinkage};
use dxil_frontend::dxil::{Shader, ShaderKind, read_shader};
use dxil_jit::files;
use dxil_jit::input::read_module_file;
use dxil_jit::isa::{self, Answer, Forms};
use dxil_jit::json;
use dxil_jit::pipeline_file::{Pipeline, PipelineError};
use dxil_runtime::isa::{Request, Settings, Text};
use dxil_runtime::program::spirv_words;

use crate::args::Args;
use crate::failure::{Failure, Result};
use crate::hlsl;
use crate::messages::write_stdout;
use crate::options::{Assembly, DebugInfo, Other};
use crate::source::ShaderFile;
use crate::spirv_module::is_spirv_file;
use crate::{root_signature, source};

/// Compiles the shaders of the command line, and those to compare with.
pub(crate) fn run(args: &Args) -> Result<()> {
    let mut settings = Settings::default();
    settings.texts = args.assembly.is_some();
    settings.source_lines = args.assembly == Some(Assembly::Source);
    settings.robustness2 = !args.no_robustness2;
    settings.timeout = args.timeout;
    let selections =
        isa::selections(&args.isa).map_err(|error| Failure::usage(error.to_string()))?;
    let Some(selections) = selections else {
        return write_stdout(isa::help(&settings).as_bytes());
    };
    if args.shaders.is_empty() {
        return Err(Failure::usage("--isa compiles shaders: name their files"));
    }
    // HLSL is compiled with debug information, which has the lines.
    let with_lines;
    let args = if settings.source_lines {
        let debug_info = args.debug_info.or(Some(DebugInfo::Lines));
        with_lines = Args {
            debug_info,
            ..args.clone()
        };
        &with_lines
    } else {
        args
    };
    let mut requests = vec![match &args.pipeline {
        None => request(args)?,
        Some(file) => pipeline_request(args, file)?,
    }];
    match &args.compare {
        None => {}
        Some(Other::Files(files)) => {
            let other = Args {
                shaders: files.clone(),
                ..args.clone()
            };
            requests.push(request(&other)?);
        }
        Some(Other::Dxc) => requests.push(dxc_request(args)?),
        Some(_) => {
            return Err(Failure::usage(
                "--isa compares with other shaders: --compare b.dxil, or dxc for DXC's SPIR-V of \
                 the same HLSL",
            ));
        }
    }
    let answers = isa::ask(&selections, &settings, &requests);
    let names: Vec<String> = requests.into_iter().map(|request| request.name).collect();
    let text = if args.json {
        json::document(&isa::json(&answers, &names))
    } else {
        let texts = match args.assembly {
            None => String::new(),
            Some(assembly) => isa::texts(&answers, &names, forms(assembly)),
        };
        isa::table(&answers) + &texts + &without_lines(&answers, settings.source_lines)
    };
    let text = dxil_frontend::escape::escaped_lines(&text).to_string();
    write_stdout(text.as_bytes())?;
    failed(answers)
}

fn forms(assembly: Assembly) -> Forms {
    match assembly {
        Assembly::Machine => Forms::Machine,
        Assembly::Source => Forms::Source,
        Assembly::All => Forms::All,
    }
}

/// Says which GPUs' drivers kept no source lines that were asked for.
fn without_lines(answers: &[Answer], asked: bool) -> String {
    let has_lines = |answer: &&Answer| {
        let compiled = answer.results.iter().flatten();
        let executables = compiled.flat_map(|compiled| &compiled.executables);
        executables
            .flat_map(|executable| &executable.texts)
            .any(Text::has_source_lines)
    };
    let without = answers.iter().filter(|answer| asked && !has_lines(answer));
    let lines = without.map(|answer| {
        format!(
            "\n{}: no source lines; RADV of Mesa 26 keeps them, of shaders with debug information \
             (-Zi -Qembed_debug)\n",
            answer.selection
        )
    });
    lines.collect()
}

/// Returns the first error: the table has said all of them, and the exit code is that of this one.
fn failed(answers: Vec<Answer>) -> Result<()> {
    let results = answers.into_iter().flat_map(|answer| answer.results);
    let mut errors = results.filter_map(std::result::Result::err);
    match errors.next() {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

/// Returns the request for the shaders of a command line.
fn request(args: &Args) -> Result<Request> {
    let names = args.shaders.iter().map(|path| path.display().to_string());
    let name = names.collect::<Vec<_>>().join(" ");
    let mut root = None;
    let mut shaders = Vec::with_capacity(args.shaders.len());
    for (index, path) in args.shaders.iter().enumerate() {
        let bytes = read(args, index, path)?;
        if root.is_none() && args.root_signature.is_some() && !is_spirv_file(path) {
            let file = ShaderFile::open(args, path, &bytes)?;
            root = root_signature::root_signature(args, path, &file)?;
        }
        shaders.push(bytes);
    }
    let mut request = Request::new(&name, shaders);
    request.class_instances = class_instances(args, &request.shaders, |_| &[])?;
    request.entry.clone_from(&args.entry);
    request.root_addresses = args.root_addresses;
    request.native_min_precision = args.native_min_precision;
    if let Some(root) = root {
        let bytes = root.to_bytes().map_err(dxil_runtime::Error::from)?;
        request.root_signature = Some(bytes);
    }
    Ok(request)
}

/// Returns the class instances of each shader: those of the command line, or else those that
/// `of_stage` has for its stage. Those of the command line may be for another stage than a
/// shader's.
fn class_instances<'a>(
    args: &'a Args,
    shaders: &[Vec<u8>],
    of_stage: impl Fn(ShaderKind) -> &'a [ClassBinding],
) -> Result<Vec<Vec<String>>> {
    let mut all = Vec::with_capacity(shaders.len());
    for bytes in shaders {
        let mut instances = &args.class_instance[..];
        if instances.is_empty() && detect(bytes) == Some(InputKind::Container) {
            instances = read_shader(bytes).map_or(&[], |shader| of_stage(shader.shader_model.kind));
        }
        if let ([_], Some(InputKind::Container)) = (shaders, detect(bytes))
            && !instances.is_empty()
        {
            let failed = |error| Failure::from(dxil_runtime::Error::from(error));
            let container = Container::parse(bytes).map_err(failed)?;
            if ClassLinkage::of_bindings(&container, instances)
                .map_err(failed)?
                .is_none()
            {
                let lacks = "class instances: the shader has no interfaces";
                return Err(failed(dxil_frontend::Error::malformed(lacks)));
            }
        }
        all.push(instances.iter().map(ToString::to_string).collect());
    }
    Ok(all)
}

/// Returns the request for a pipeline file with the shaders of the command line.
fn pipeline_request(args: &Args, file: &Path) -> Result<Request> {
    let text = files::read_to_string(file).map_err(|error| Failure::file(file, &error))?;
    let in_file = |error: PipelineError| Failure::from(error).in_file(file);
    let pipeline = Pipeline::parse(&text).map_err(in_file)?;
    let mut request = request(args)?;
    request.class_instances = class_instances(args, &request.shaders, |kind| {
        pipeline.class_instances(kind)
    })?;
    request.name = format!("{} {}", file.display(), request.name);
    let shaders = &request.shaders;
    let modules: Vec<Vec<u32>> = shaders
        .iter()
        .filter_map(|bytes| spirv_words(bytes))
        .collect();
    let planned = if !modules.is_empty() && modules.len() == shaders.len() {
        pipeline.plan_spirv(&modules).map_err(in_file)?.0
    } else {
        let read = |bytes: &Vec<u8>| read_shader(bytes).map_err(dxil_runtime::Error::from);
        let stages: Vec<Shader> = shaders
            .iter()
            .map(read)
            .collect::<std::result::Result<_, _>>()?;
        let stages: Vec<&Shader> = stages.iter().collect();
        let kinds: Vec<_> = stages.iter().map(|stage| stage.shader_model.kind).collect();
        pipeline.check_stages(&kinds).map_err(in_file)?;
        let root = root_of(&request)?;
        pipeline.plan(root.as_ref(), &stages).map_err(in_file)?
    };
    request.graphics = planned.graphics;
    let names = pipeline
        .document
        .shaders
        .iter()
        .map(|shader| shader.entry.clone());
    match planned.ray_tracing {
        Some(state) => request.ray_tracing = Some((names.collect(), state)),
        // The file says which shader of a library it is about.
        None if shaders.len() == 1 && request.entry.is_none() => {
            let is_library = detect(&shaders[0]) == Some(InputKind::Container)
                && read_shader(&shaders[0])
                    .is_ok_and(|shader| shader.shader_model.kind == ShaderKind::Library);
            request.entry = names.take(1).next().filter(|_| is_library);
        }
        None => {}
    }
    Ok(request)
}

/// Returns the root signature of a request: its own, or that of the first shader that has one.
fn root_of(request: &Request) -> Result<Option<RootSignature>> {
    let failed = |error: dxil_frontend::Error| Failure::from(dxil_runtime::Error::from(error));
    if let Some(bytes) = &request.root_signature {
        return RootSignature::from_file(bytes).map(Some).map_err(failed);
    }
    let files = request.shaders.iter().map(Vec::as_slice);
    RootSignature::of_shaders(files).map_err(failed)
}

/// Returns the request for what DXC makes for Vulkan of the HLSL on the command line.
fn dxc_request(args: &Args) -> Result<Request> {
    let mut shaders = Vec::with_capacity(args.shaders.len());
    let mut names = Vec::with_capacity(args.shaders.len());
    for (index, path) in args.shaders.iter().enumerate() {
        let profile = hlsl::profile_of(args, index).ok_or_else(|| {
            Failure::usage("--compare dxc compiles HLSL: give its profile (-T cs_6_6)")
        })?;
        shaders.push(hlsl::compile_for_vulkan(args, path, profile)?);
        names.push(format!("DXC {}", path.display()));
    }
    Ok(Request::new(&names.join(" "), shaders))
}

fn read(args: &Args, index: usize, path: &Path) -> Result<Vec<u8>> {
    if is_spirv_file(path) {
        return Ok(read_module_file(path)?);
    }
    source::file(args, index, path)
}
