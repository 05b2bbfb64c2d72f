//! Round trips through a language: the shader is written in HLSL or GLSL, a compiler of that
//! language compiles the text, and the result runs with the inputs and expectations of the case.
//!
//! The compilers are optional. Without one, the text is written and nothing runs.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use dxil_frontend::container::{Container, RootSignature};
use dxil_frontend::dxil::{ResourceClass, read_shader};
use dxil_runtime::language::{self, IMMEDIATES_SPACE, Language, PortableModule};
use dxil_runtime::program::{CompileOptions, Layout, Program, SetLayout};
use dxil_runtime::root_signature::formats_of;
use dxil_runtime::{Device, ShaderCode};
use dxil_translate::{
    BindingMap, BindingUse, DescriptorKind, DescriptorSlot, Location, Options, ResourceKey,
    Translation, VulkanVersion,
};

use crate::Case;
use crate::shader::{Failure, Shader};

/// The reason why a text is not a program.
pub(crate) enum Stop {
    /// There is no compiler.
    NoCompiler(String),
    /// The compiler or the translator failed.
    Failed(Failure),
}

impl<E> From<E> for Stop
where
    Failure: From<E>,
{
    fn from(error: E) -> Self {
        Stop::Failed(error.into())
    }
}

/// The text of a shader in a language, and its program without code.
pub(crate) struct Text {
    language: Language,
    text: String,
    program: Program,
    /// Given if the text has the registers and heaps of the shader, so that the program is made
    /// anew.
    again: Option<Again>,
}

/// What a program is made of besides the shader.
struct Again {
    root: Option<RootSignature>,
}

/// Writes the text of a shader. No compiler is needed.
///
/// # Errors
///
/// If the shader cannot be read, or the translator, naga or the round trip refuses it.
pub(crate) fn write(
    shader: &Shader,
    case: &Case,
    device: &dyn Device,
    language: Language,
) -> Result<Text, Failure> {
    let parsed = read_shader(shader.bytes)?;
    let root = Container::parse(shader.bytes)?.root_signature()?;
    let mut profile = language::profile(VulkanVersion::V1_3, language).with_elements(16);
    profile.subgroup_sizes = device.profile().subgroup_sizes;
    let formats = formats_of(&case.job);
    let mut options = CompileOptions::default();
    options.native_min_precision = case.native_min_precision;
    let mut program = Program::compile(&parsed, root.as_ref(), &profile, &formats, &options)?;
    let Some(stage) = program.stages.first_mut() else {
        return Err(Failure::new("no stage"));
    };
    let ShaderCode::SpirV(words) = &stage.code else {
        return Err(Failure::new("no SPIR-V"));
    };
    let every = [
        ResourceClass::Srv,
        ResourceClass::Uav,
        ResourceClass::Sampler,
    ];
    let mut resources = every.iter().flat_map(|class| parsed.resources.of(*class));
    let has_no_end =
        !case.job.resource_heap.is_empty() || resources.any(|resource| resource.count.is_none());
    let rows = || {
        let interfaces = stage.interface.iter();
        interfaces.flat_map(|interface| &interface.bindings)
    };
    // The text declares a part of such an array of buffers, and other elements would read something
    // else.
    let is_part = |row: &BindingUse| {
        let resource = parsed.resources.find(row.resource.class, row.resource.id);
        row.count.is_some() && resource.is_none_or(|resource| resource.count.is_none())
    };
    if has_no_end && (language != Language::Hlsl || rows().any(is_part)) {
        return Err(Failure::new(
            "heaps and arrays without end, of which the text has a part",
        ));
    }
    let module = PortableModule::read(words)?;
    // Arrays have other bindings than the elements that a layout of this target has.
    if language == Language::Hlsl && rows().any(|row| row.count != Some(1)) {
        let text = module.write_hlsl_with_registers(&program.layout)?;
        return Ok(Text {
            language,
            text,
            program,
            again: Some(Again { root }),
        });
    }
    let text = module.write(language, stage.kind, &stage.entry)?;
    stage.interface = None;
    if language == Language::Glsl {
        program.layout = glsl_layout(&program.layout, &module)?;
    }
    Ok(Text {
        language,
        text,
        program,
        again: None,
    })
}

impl Text {
    /// Returns the program with the words that a compiler makes of the text, for a device.
    pub(crate) fn compile(self, shader: &Shader, device: &dyn Device) -> Result<Program, Stop> {
        let mut program = self.program;
        if self.again.is_some() {
            let bytes = container_of_hlsl(shader, &self.text)?;
            let parsed = read_shader(&bytes)?;
            let root = self.again.and_then(|again| again.root);
            let options = CompileOptions::default();
            let profile = device.profile();
            let compiled = Program::compile(&parsed, root.as_ref(), profile, &|_| None, &options);
            return Ok(compiled?);
        }
        for stage in &mut program.stages {
            let (words, entry) = match self.language {
                Language::Hlsl => {
                    let required = stage.required_subgroup_size.unwrap_or(0);
                    let translation = through_hlsl(shader, &self.text, device, required)?;
                    (translation.words, translation.interface.entry)
                }
                Language::Glsl => (compile_glsl(shader, &self.text)?, "main".to_owned()),
                language @ (Language::Wgsl | Language::Msl) => {
                    return Err(Stop::NoCompiler(format!("of {}", language.name())));
                }
            };
            stage.code = ShaderCode::SpirV(words.into());
            stage.entry = entry;
        }
        Ok(program)
    }
}

/// Compiles the text with DXC, and translates the result.
fn through_hlsl(
    shader: &Shader,
    text: &str,
    device: &dyn Device,
    required_subgroup_size: u32,
) -> Result<Translation, Stop> {
    let container = container_of_hlsl(shader, text)?;
    let parsed = read_shader(&container)?;
    let mut bindings = BindingMap::new();
    for class in [
        ResourceClass::Cbv,
        ResourceClass::Srv,
        ResourceClass::Uav,
        ResourceClass::Sampler,
    ] {
        for resource in parsed.resources.of(class) {
            let (set, binding) = (resource.space, resource.lower_bound);
            // The immediates come back as a constant buffer in a space of their own.
            let location = if set == u32::from(IMMEDIATES_SPACE) {
                Location::PushConstants {
                    first_word: 0,
                    words: 32,
                }
            } else {
                Location::Descriptor {
                    slot: DescriptorSlot { set, binding },
                    first_index: 0,
                    counter: None,
                    format: None,
                }
            };
            let id = resource.id;
            bindings.insert(ResourceKey { class, id }, location);
        }
    }
    let profile = device.profile();
    let mut options = Options::default();
    options.target = profile.target;
    options.bindings = bindings;
    options.bounds_checks = !profile.robust;
    options.required_subgroup_size = required_subgroup_size;
    let translation = dxil_translate::translate(&parsed, &options)
        .map_err(|error| Failure::new(format!("{}, of its HLSL: {error}", shader.name)))?;
    Ok(translation)
}

/// Compiles the text with DXC.
fn container_of_hlsl(shader: &Shader, text: &str) -> Result<Vec<u8>, Stop> {
    let dxc = dxc().ok_or_else(|| Stop::NoCompiler("there is no DXC".to_owned()))?;
    let entry = entry_of_hlsl(text);
    let arguments = [
        "-T",
        "cs_6_6",
        "-HV",
        "2018",
        "-enable-16bit-types",
        "-E",
        entry,
    ];
    compile(
        shader,
        text,
        "hlsl",
        Command::new(dxc).args(arguments).arg("-Fo"),
    )
}

/// Returns the name of the entry point in the text: naga renames entry points whose names the
/// language has reserved.
fn entry_of_hlsl(text: &str) -> &str {
    let after = text
        .split_once("[numthreads(")
        .map_or("", |(_, after)| after);
    // The function is on the line after its attribute.
    let line = after.lines().nth(1).unwrap_or_default();
    let name = line
        .strip_prefix("void ")
        .and_then(|line| line.split_once('('));
    name.map_or("main", |(name, _)| name)
}

/// Returns the layout of GLSL, which combines textures and samplers and has no root constants, so
/// that no layout of the runtime fits.
fn glsl_layout(layout: &Layout, module: &PortableModule) -> Result<Layout, Failure> {
    let bindings = module.glsl_bindings();
    let mut set = SetLayout::default();
    for (group, old) in (0..).zip(&layout.sets) {
        for slot in &old.slots {
            let Some(&binding) = bindings.get(&(group, slot.binding)) else {
                continue;
            };
            use DescriptorKind::{StorageBuffer, StorageImage, UniformBuffer};
            if !matches!(slot.kind, StorageBuffer | StorageImage | UniformBuffer) {
                return Err(Failure::new(format!("a {:?} in GLSL", slot.kind)));
            }
            let mut slot = slot.clone();
            slot.binding = binding.into();
            set.slots.push(slot);
        }
    }
    if !layout.push_constants.is_empty() {
        return Err(Failure::new("root constants in GLSL"));
    }
    set.slots.sort_by_key(|slot| slot.binding);
    Ok(Layout {
        sets: vec![set],
        ..Layout::default()
    })
}

fn compile_glsl(shader: &Shader, text: &str) -> Result<Vec<u32>, Stop> {
    let arguments = [
        "-V",
        "--quiet",
        "--target-env",
        "vulkan1.3",
        "-S",
        "comp",
        "-o",
    ];
    let mut command = Command::new("glslangValidator");
    let bytes = compile(shader, text, "comp", command.args(arguments))?;
    Ok(bytes
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect())
}

/// Runs a compiler whose last arguments are the output and the input.
fn compile(
    shader: &Shader,
    text: &str,
    extension: &str,
    command: &mut Command,
) -> Result<Vec<u8>, Stop> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = shader.name.replace('/', "-");
    let name = format!("dxil-jit-{}-{count}-{name}", std::process::id());
    let input = std::env::temp_dir().join(format!("{name}.{extension}"));
    let output = input.with_extension("out");
    let failed = |error: std::io::Error| Failure::new(format!("{}: {error}", input.display()));
    std::fs::write(&input, text).map_err(failed)?;
    let result = match command.arg(&output).arg(&input).output() {
        Ok(result) => result,
        Err(error) => return Err(Stop::NoCompiler(format!("there is no compiler: {error}"))),
    };
    let compiled = std::fs::read(&output);
    // Files that are left over do no harm.
    for file in [&input, &output] {
        let _ = std::fs::remove_file(file);
    }
    match compiled {
        Ok(bytes) if result.status.success() => Ok(bytes),
        _ => {
            let said = [result.stdout, result.stderr].concat();
            Err(Stop::Failed(Failure::new(format!(
                "{}: its {extension} does not compile:\n{}\n{text}",
                shader.name,
                String::from_utf8_lossy(&said)
            ))))
        }
    }
}

/// Returns the folder where `tools/get-dxc.sh` has put DXC, or `None` if it has not run.
fn dxc() -> Option<PathBuf> {
    let cache = std::env::var_os("DXIL_JIT_CACHE").map(PathBuf::from);
    let cache = cache.or_else(|| {
        let base = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
        let base = base.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")));
        Some(base?.join("dxil-jit"))
    })?;
    Some(cache.join("dxc").join("dxc")).filter(|path| path.is_file())
}
