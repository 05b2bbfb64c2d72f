//! `dxil_jit._native`: what the Python package calls.
//!
//! Bytes and JSON cross the boundary, so that the wheel depends on no version of NumPy; the Python
//! part makes arrays of them. Work that takes long runs without Python's global lock.

mod disassembly;
mod error;
mod job;
mod machine_code;
mod reflection;
mod validation;
mod writing;

use std::sync::Arc;
use std::time::Duration;

use dxil_frontend::container::{Container, RootSignature, container_in_pdb, is_pdb};
use dxil_frontend::dxbc::{ClassBinding, ClassLinkage};
use dxil_frontend::reflection::Reflection;
use dxil_runtime::device::{self, Backend, DeviceInfo, DeviceKind, OpenOptions};
use dxil_runtime::language::{self, Language, PortableModule, WebGpu};
use dxil_runtime::program::{CompileOptions, Program, ShaderCode};
use dxil_runtime::root_signature::formats_of;
use dxil_runtime::{Error, Profile};
use dxil_translate::VulkanVersion;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::{ToPython, argument};

/// A shader that was read.
#[pyclass(frozen, module = "dxil_jit._native")]
struct Shader {
    shader: dxil_frontend::dxil::Shader,
    root: Option<RootSignature>,
    reflection: Reflection,
    /// The container.
    bytes: Vec<u8>,
    /// Whether operations of the preview shader model may be translated and run.
    preview: bool,
}

#[pymethods]
impl Shader {
    #[new]
    fn new(
        py: Python<'_>,
        bytes: Vec<u8>,
        class_instances: Vec<String>,
        preview: bool,
    ) -> PyResult<Self> {
        let class_instances = class_instances.iter().map(|text| {
            let binding = text.parse();
            binding.map_err(|why: String| argument(py, format!("class instance {text}: {why}")))
        });
        let class_instances: Vec<ClassBinding> = class_instances.collect::<PyResult<_>>()?;
        py.detach(|| -> Result<Shader, Error> {
            let bytes = if is_pdb(&bytes) {
                container_in_pdb(&bytes)?
            } else {
                bytes
            };
            let shader = read(&bytes, &class_instances)?;
            let root = match Container::parse(&bytes) {
                Ok(container) => container.root_signature()?,
                // Bare bitcode has no parts.
                Err(_) => None,
            };
            let reflection = Reflection::read(&shader, &bytes);
            Ok(Shader {
                shader,
                root,
                reflection,
                bytes,
                preview,
            })
        })
        .to_python(py)
    }

    /// Returns the container, or what the shader was read from.
    fn container<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes)
    }

    /// Returns the entry points, resources and layouts as JSON.
    fn reflect(&self) -> String {
        reflection::json(&self.shader, &self.reflection).to_string()
    }

    fn disassemble(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| disassembly::text(&self.shader, &self.bytes))
            .to_python(py)
    }

    /// Returns SPIR-V words as little-endian bytes, or the text of another language.
    fn translate<'py>(
        &self,
        py: Python<'py>,
        target: &str,
        entry: Option<String>,
        vulkan: &str,
        elements: Option<u32>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let version = match vulkan {
            "1.1" => VulkanVersion::V1_1,
            "1.2" => VulkanVersion::V1_2,
            "1.3" => VulkanVersion::V1_3,
            "1.4" => VulkanVersion::V1_4,
            _ => {
                return Err(argument(
                    py,
                    format!("vulkan is {vulkan:?}; use 1.1, 1.2, 1.3 or 1.4"),
                ));
            }
        };
        let language = match target {
            "spirv" => None,
            "wgsl" | "webgpu" => Some(Language::Wgsl),
            "msl" => Some(Language::Msl),
            "glsl" => Some(Language::Glsl),
            "hlsl" => Some(Language::Hlsl),
            _ => {
                let message =
                    format!("target is {target:?}; use spirv, wgsl, webgpu, msl, glsl or hlsl");
                return Err(argument(py, message));
            }
        };
        let code = py
            .detach(|| self.code(language, target == "webgpu", entry, version, elements))
            .to_python(py)?;
        Ok(match code {
            Translated::Words(bytes) => PyBytes::new(py, &bytes).into_any(),
            Translated::Text(text) => text.into_pyobject(py)?.into_any(),
        })
    }
}

/// Reads a shader; its interfaces, if it has any, stand for the class instances.
fn read(
    bytes: &[u8],
    class_instances: &[ClassBinding],
) -> Result<dxil_frontend::dxil::Shader, Error> {
    if class_instances.is_empty() {
        return Ok(dxil_frontend::dxil::read_shader(bytes)?);
    }
    let container = Container::parse(bytes)?;
    let linkage = ClassLinkage::of_bindings(&container, class_instances)?;
    let linkage = linkage.ok_or_else(|| {
        Error::BadJob("class instances for a shader without interfaces".to_owned())
    })?;
    Ok(dxil_frontend::dxil::Shader::read_linked(
        &container, &linkage,
    )?)
}

enum Translated {
    Words(Vec<u8>),
    Text(String),
}

impl Shader {
    fn code(
        &self,
        language: Option<Language>,
        for_webgpu: bool,
        entry: Option<String>,
        version: VulkanVersion,
        elements: Option<u32>,
    ) -> Result<Translated, Error> {
        let profile = match (language, elements) {
            (Some(language), None) => language::profile(version, language),
            (Some(language), Some(elements)) => {
                language::profile(version, language).with_elements(elements)
            }
            (None, _) => Profile::offline(version),
        };
        let mut options = CompileOptions::default();
        options.entry = entry;
        options.preview = self.preview;
        // Texts have the names of the source.
        options.debug_info = language.is_some();
        let root = self.root.as_ref();
        let program = Program::compile(&self.shader, root, &profile, &|_| None, &options);
        let program = program.map_err(|error| match language {
            Some(language) => language::explained(error, language),
            None => error,
        })?;
        let [stage] = program.stages.as_slice() else {
            return Err(Error::BadJob("the program has not one stage".into()));
        };
        let ShaderCode::SpirV(words) = &stage.code else {
            return Err(Error::BadJob("the program is not SPIR-V".into()));
        };
        Ok(match language {
            Some(language) => {
                let module = PortableModule::read(words)?;
                Translated::Text(if for_webgpu {
                    module.write_webgpu(&WebGpu::default())?
                } else {
                    module.write(language, stage.kind, &stage.entry)?
                })
            }
            None => Translated::Words(words.iter().flat_map(|w| w.to_le_bytes()).collect()),
        })
    }
}

/// A device that was opened.
#[pyclass(frozen, module = "dxil_jit._native")]
struct Device {
    device: Arc<dyn device::Device>,
}

fn backend_of(py: Python<'_>, name: &str) -> PyResult<Backend> {
    match name {
        "vulkan" => Ok(Backend::Vulkan),
        "cpu" => Ok(Backend::Cpu),
        _ => Err(argument(
            py,
            format!("backend is {name:?}; use vulkan or cpu"),
        )),
    }
}

/// Backend, number, name, driver, API and kind of a device.
type Description = (String, usize, String, String, String, &'static str);

fn describe(info: &DeviceInfo) -> Description {
    let kind = match info.kind {
        DeviceKind::Discrete => "discrete",
        DeviceKind::Integrated => "integrated",
        DeviceKind::Virtual => "virtual",
        DeviceKind::Cpu => "cpu",
        DeviceKind::Other => "other",
    };
    let (name, driver, api) = (info.name.clone(), info.driver.clone(), info.api.clone());
    (
        info.backend.to_string(),
        info.index,
        name,
        driver,
        api,
        kind,
    )
}

/// Returns the devices of a backend.
#[pyfunction]
fn list_devices(py: Python<'_>, backend: &str) -> PyResult<Vec<Description>> {
    let backend = backend_of(py, backend)?;
    let devices = py.detach(|| device::list_devices(backend)).to_python(py)?;
    Ok(devices.iter().map(describe).collect())
}

#[pymethods]
impl Device {
    #[new]
    fn new(
        py: Python<'_>,
        backend: &str,
        index: usize,
        timeout: f64,
        threads: Option<usize>,
    ) -> PyResult<Self> {
        let mut options = OpenOptions::new(backend_of(py, backend)?);
        options.index = index;
        options.threads = threads;
        options.timeout = Duration::try_from_secs_f64(timeout)
            .map_err(|error| argument(py, format!("timeout: {error}")))?;
        let device = py.detach(|| device::open(&options)).to_python(py)?;
        Ok(Device { device })
    }

    fn describe(&self) -> Description {
        describe(self.device.info())
    }

    /// Runs a dispatch; returns the bytes of the UAVs by register, hidden counters, and the times
    /// of the timed runs in microseconds.
    fn run(
        &self,
        py: Python<'_>,
        shader: &Shader,
        groups: [u32; 3],
        bindings: Vec<job::Binding>,
        entry: Option<String>,
        iterations: u32,
    ) -> PyResult<job::Results> {
        py.detach(|| -> Result<job::Results, Error> {
            let planned = job::plan(groups, bindings, iterations)?;
            let mut options = CompileOptions::default();
            options.entry = entry;
            options.preview = shader.preview;
            let root = shader.root.as_ref();
            let profile = self.device.profile();
            let program = {
                let formats = formats_of(&planned.job);
                Program::compile(&shader.shader, root, profile, &formats, &options)?
            };
            let outcome = self.device.run(&program, &planned.job)?;
            Ok(planned.results(outcome))
        })
        .to_python(py)
    }
}

/// Returns the table of DXIL operations as JSON. The Python part documents the keys.
#[pyfunction]
fn operations() -> String {
    use dxil_frontend::dxil::ops::Opcode;
    let all = Opcode::ALL.iter().chain(Opcode::PREVIEW);
    let rows: Vec<_> = all.map(|op| op.row()).collect();
    serde_json::json!(rows).to_string()
}

/// Returns the native module.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Shader>()?;
    module.add_class::<Device>()?;
    module.add_function(wrap_pyfunction!(list_devices, module)?)?;
    module.add_function(wrap_pyfunction!(operations, module)?)?;
    module.add_function(wrap_pyfunction!(writing::upgrade_dxbc, module)?)?;
    module.add_function(wrap_pyfunction!(writing::assemble, module)?)?;
    module.add_function(wrap_pyfunction!(writing::optimize, module)?)?;
    module.add_function(wrap_pyfunction!(writing::rewrite, module)?)?;
    module.add_function(wrap_pyfunction!(writing::to_yaml, module)?)?;
    module.add_function(wrap_pyfunction!(writing::from_yaml, module)?)?;
    module.add_function(wrap_pyfunction!(writing::parts_of, module)?)?;
    module.add_function(wrap_pyfunction!(writing::from_parts, module)?)?;
    module.add_function(wrap_pyfunction!(writing::make_parts, module)?)?;
    module.add_function(wrap_pyfunction!(writing::link, module)?)?;
    module.add_function(wrap_pyfunction!(validation::validate, module)?)?;
    module.add_function(wrap_pyfunction!(validation::sign, module)?)?;
    module.add_function(wrap_pyfunction!(validation::digest, module)?)?;
    module.add_function(wrap_pyfunction!(machine_code::machine_code, module)?)?;
    module.add_function(wrap_pyfunction!(machine_code::machine_code_gpus, module)?)?;
    module.add_function(wrap_pyfunction!(machine_code::serve_machine_code, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
