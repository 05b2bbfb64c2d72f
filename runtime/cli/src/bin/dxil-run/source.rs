//! The source of a shader: what is kept of it in the code, and where an error is in it.

use std::fmt::Write as _;
use std::path::Path;

use dxil_frontend::container::{Container, InputKind, RootSignature, detect};
use dxil_frontend::dxbc::{ClassBinding, ClassLinkage};
use dxil_frontend::dxil::debug::DebugInfo as DebugMetadata;
use dxil_frontend::dxil::{Shader, read_shader, read_shader_with_debug_info};
use dxil_frontend::reflection::Reflection;
use dxil_frontend::validate::{
    Options as ValidatorOptions, Rule, Severity, validate, validate_container,
};
use dxil_jit::input::read_shader_file;
use dxil_runtime::Profile;
use dxil_runtime::cache::SourceHash;
use dxil_runtime::ray_program::LibraryState;
use dxil_translate::{SourceDebugInfo, VulkanVersion, debug_instruction_name};
use rspirv::binary::{Disassemble, ParseAction};
use rspirv::dr::{Instruction, ModuleHeader, Operand};
use rspirv::spirv::Op;

use crate::args::Args;
use crate::failure::{self, Context as _, Failure, Result};
use crate::hlsl;
use crate::messages::say_warning;
use crate::options::{BackendName, DebugInfo};
use crate::style::Style;

/// Returns the debug information that `--debug-info` keeps.
pub(crate) fn kept(args: &Args) -> SourceDebugInfo {
    match args.debug_info {
        None => SourceDebugInfo::None,
        Some(DebugInfo::Lines) => SourceDebugInfo::Lines,
        Some(DebugInfo::Full) => SourceDebugInfo::Full,
    }
}

/// Returns the same for a device: before Vulkan 1.3 non-semantic instruction sets need an
/// extension, so only lines are kept.
pub(crate) fn kept_for(args: &Args, profile: &Profile) -> SourceDebugInfo {
    match kept(args) {
        SourceDebugInfo::Full if profile.target.vulkan < VulkanVersion::V1_3 => {
            SourceDebugInfo::Lines
        }
        kept => kept,
    }
}

/// Returns the bytes of the n-th shader of the command line: of a PDB file, those of the container
/// in it; of HLSL, what DXC makes of it.
pub(crate) fn file(args: &Args, index: usize, path: &Path) -> Result<Vec<u8>> {
    hlsl::check_profiles(&args.profile, &args.shaders)?;
    match hlsl::profile_of(args, index) {
        Some(profile) => hlsl::compile(args, path, profile),
        None => Ok(read_shader_file(path)?),
    }
}

/// Checks a shader against the rules of DXIL's validator: its container, or the bytes of a file
/// that is none or a malformed one. A missing signature is accepted here, and DXBC has no such
/// rules.
fn check_rules(
    path: &Path,
    bytes: &[u8],
    container: Option<&Container<'_>>,
    preview: bool,
) -> Result<()> {
    let mut options = ValidatorOptions::default();
    options.preview = preview;
    let report = match container {
        Some(container) if container.has_dxbc_program() => return Ok(()),
        Some(container) => validate_container(container, &options),
        None => validate(bytes, &options),
    };
    let violations = report.violations.iter();
    let lines: Vec<String> = violations
        .filter(|v| v.severity == Severity::Error && v.rule != Rule::ContainerDigest)
        .map(|violation| format!("{}: {violation}", path.display()))
        .collect();
    if lines.is_empty() && report.left_out == 0 {
        return Ok(());
    }
    Err(Failure::job(format!(
        "the shader breaks rules of DXIL's validator\n{}",
        lines.join("\n")
    )))
}

/// The file of a shader, whose container is parsed once.
pub(crate) struct ShaderFile<'a> {
    /// Absent for bare bitcode, which has no parts.
    container: Option<Container<'a>>,
    bytes: &'a [u8],
    /// What its interfaces stand for.
    class_instances: &'a [ClassBinding],
    /// Whether the instances are for this shader, so that it must have interfaces; those of a
    /// command line may be for another stage.
    has_interfaces: bool,
}

impl<'a> ShaderFile<'a> {
    /// Parses the container in the bytes of a file, and checks the rules of DXIL's validator if
    /// `--validate` asks for it.
    ///
    /// # Errors
    ///
    /// For a malformed container, and for a shader that breaks a rule.
    pub(crate) fn open(args: &'a Args, path: &Path, bytes: &'a [u8]) -> Result<Self> {
        let container = match detect(bytes) {
            Some(InputKind::Container) => Container::parse(bytes).map(Some),
            _ => Ok(None),
        };
        // First, because the validator says more of a malformed container than the parser's error.
        if args.validates_shaders() {
            let parsed = container.as_ref().ok().and_then(Option::as_ref);
            check_rules(path, bytes, parsed, args.preview)?;
        }
        let container = container.context(path)?;
        Ok(ShaderFile {
            container,
            bytes,
            class_instances: &args.class_instance,
            has_interfaces: args.shaders.len() == 1,
        })
    }

    /// Replaces the class instances by those that a pipeline file has for this shader.
    pub(crate) fn with_class_instances(mut self, class_instances: &'a [ClassBinding]) -> Self {
        self.class_instances = class_instances;
        self.has_interfaces = true;
        self
    }

    /// Returns the shader, with its debug information if that is kept.
    pub(crate) fn shader(&self, args: &Args) -> dxil_frontend::Result<Shader> {
        self.read(args)
    }

    fn read(&self, args: &Args) -> dxil_frontend::Result<Shader> {
        // Errors of the CPU backend name the line that they are about, so lines are kept for it.
        let with_lines = args.backend() == BackendName::Cpu;
        let debug_info = args.debug_info.or(with_lines.then_some(DebugInfo::Lines));
        if let Some(linkage) = self.class_linkage()? {
            // Only DXBC has interfaces, and its containers have no debug information that is read.
            return match &self.container {
                Some(container) => Shader::read_linked(container, &linkage),
                None => read_shader(self.bytes),
            };
        }
        match (&self.container, debug_info) {
            (Some(container), None) => Shader::read(container),
            (Some(container), Some(_)) => Shader::read_with_debug_info(container),
            (None, None) => read_shader(self.bytes),
            (None, Some(_)) => read_shader_with_debug_info(self.bytes),
        }
    }

    /// Returns the class instances of the shader's interfaces, if it has any and they are given.
    fn class_linkage(&self) -> dxil_frontend::Result<Option<ClassLinkage>> {
        let linkage = match &self.container {
            Some(container) => ClassLinkage::of_bindings(container, self.class_instances)?,
            None => None,
        };
        if linkage.is_none() && !self.class_instances.is_empty() && self.has_interfaces {
            return Err(dxil_frontend::Error::malformed(
                "class instances: the shader has no interfaces",
            ));
        }
        Ok(linkage)
    }

    /// Returns the key of the shader in the cache: its bytes, and the class instances that it is
    /// read with.
    pub(crate) fn hash(&self) -> dxil_frontend::Result<SourceHash> {
        let bytes = SourceHash::of(self.bytes);
        Ok(match self.class_linkage()? {
            Some(linkage) => {
                let linkage = SourceHash::of(format!("{linkage:?}").as_bytes());
                SourceHash::of_sources(&[bytes, linkage])
            }
            None => bytes,
        })
    }

    /// Returns the names and layouts of the shader's resources.
    pub(crate) fn reflection(&self, shader: &Shader) -> Reflection {
        Reflection::of(shader, self.container.as_ref())
    }

    /// Warns where `--debug-info` is asked for and the file has none.
    pub(crate) fn check_debug_info(&self, args: &Args, path: &Path, shader: &Shader) {
        if args.debug_info.is_some()
            && !args.is_second_attempt
            && DebugMetadata::of(&shader.module).is_none()
        {
            let warning = format!(
                "{}: --debug-info does nothing, the shader has no debug information; compile it with \
                 -Zi -Qembed_debug, or give its PDB file",
                path.display()
            );
            say_warning(Style::for_stderr(), &warning);
        }
    }

    /// Returns the root signature that the file has.
    pub(crate) fn root_signature(&self) -> dxil_frontend::Result<Option<RootSignature>> {
        match &self.container {
            Some(container) => container.root_signature(),
            None => Ok(None),
        }
    }

    /// Returns the subobjects of a library.
    pub(crate) fn library_state(&self) -> dxil_runtime::Result<LibraryState> {
        match &self.container {
            Some(container) => LibraryState::of(container),
            None => Ok(LibraryState::default()),
        }
    }
}

/// Returns a failure to translate an instruction, with its line: from debug information, which was
/// not read for the first attempt.
pub(crate) fn located(
    args: &Args,
    outcome: Result<()>,
    run: fn(&Args) -> Result<()>,
) -> Result<()> {
    let Err(failure) = outcome else { return Ok(()) };
    if !failure.wants_source() || args.debug_info.is_some() {
        return Err(failure);
    }
    let again = Args {
        debug_info: Some(DebugInfo::Lines),
        is_second_attempt: true,
        ..args.clone()
    };
    match failure::guarded(|| run(&again)) {
        Err(found) if found.exit() == failure.exit() => Err(found),
        _ => Err(failure),
    }
}

/// Returns a module as text, instruction by instruction; also one with instructions of sets that
/// mean nothing to a device.
pub(crate) fn disassemble(words: &[u32]) -> Result<String> {
    let mut text = Text::default();
    rspirv::binary::parse_words(words, &mut text)
        .map_err(|error| Failure::job(format!("disassembling: {error}")))?;
    Ok(text.out)
}

#[derive(Default)]
struct Text {
    out: String,
    /// The imported set of debug information.
    set: Option<u32>,
}

impl rspirv::binary::Consumer for Text {
    fn initialize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn finalize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn consume_header(&mut self, header: ModuleHeader) -> ParseAction {
        let _ = writeln!(self.out, "{}", header.disassemble());
        ParseAction::Continue
    }

    fn consume_instruction(&mut self, inst: Instruction) -> ParseAction {
        if inst.class.opcode == Op::ExtInstImport
            && matches!(inst.operands.first(), Some(Operand::LiteralString(name)) if name.starts_with("NonSemantic.Shader."))
        {
            self.set = inst.result_id;
        }
        let mut line = inst.disassemble();
        if let (
            Op::ExtInst,
            [
                Operand::IdRef(set),
                Operand::LiteralExtInstInteger(number),
                ..,
            ],
        ) = (inst.class.opcode, inst.operands.as_slice())
            && Some(*set) == self.set
            && let Some(name) = debug_instruction_name(*number)
        {
            line = line.replacen(&format!("%{set} {number}"), &format!("%{set} {name}"), 1);
        }
        let _ = writeln!(self.out, "{line}");
        ParseAction::Continue
    }
}
