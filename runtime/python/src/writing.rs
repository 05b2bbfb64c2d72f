//! Writing containers: DXBC as DXIL, assembly, passes, parts.

use dxil_frontend::FourCc;
use dxil_frontend::build::{DebugParts, Remake};
use dxil_frontend::container::{CompilerVersion, Container, ContainerBuilder, Signing, sign};
use dxil_frontend::dxil::{Shader, read_shader};
use dxil_frontend::opt::{self, Pass};
use dxil_frontend::{asm, build, parts, upgrade, yaml};
use dxil_runtime::Error;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::{ToPython, argument};

type Written = dxil_frontend::Result<Vec<u8>>;

/// Returns what the work gives, which runs without Python's lock.
pub(crate) fn written<'py>(
    py: Python<'py>,
    work: impl FnOnce() -> Written + Send,
) -> PyResult<Bound<'py, PyBytes>> {
    let bytes = py.detach(|| work().map_err(Error::from)).to_python(py)?;
    Ok(PyBytes::new(py, &bytes))
}

/// Returns a DXBC shader as a container with DXIL.
#[pyfunction]
pub(crate) fn upgrade_dxbc(py: Python<'_>, bytes: Vec<u8>) -> PyResult<Bound<'_, PyBytes>> {
    written(py, || {
        upgrade::to_dxil(&Container::parse(&bytes)?)?.build(Signing::Digest)
    })
}

/// Returns the container of assembly.
#[pyfunction]
pub(crate) fn assemble(py: Python<'_>, text: String) -> PyResult<Bound<'_, PyBytes>> {
    written(py, || {
        let shader = Shader::decode(asm::assemble(&text)?)?;
        build::container(&shader)?.build(Signing::Digest)
    })
}

/// Returns a container after passes.
#[pyfunction]
pub(crate) fn optimize(
    py: Python<'_>,
    bytes: Vec<u8>,
    passes: String,
) -> PyResult<Bound<'_, PyBytes>> {
    let passes = Pass::list(&passes).map_err(|why| argument(py, why))?;
    written(py, || {
        let old = Container::parse(&bytes)?;
        let shader = opt::optimize(&Shader::read(&old)?, &passes)?;
        build::container_like(&shader, &old)?.build(Signing::Digest)
    })
}

/// Returns a container with its modules written again.
#[pyfunction]
pub(crate) fn rewrite(py: Python<'_>, bytes: Vec<u8>) -> PyResult<Bound<'_, PyBytes>> {
    written(py, || {
        let old = Container::parse(&bytes)?;
        parts::rewrite(&old, |_, _| Ok(()))?.build(Signing::Digest)
    })
}

/// Returns the YAML that describes a container.
#[pyfunction]
pub(crate) fn to_yaml(py: Python<'_>, bytes: Vec<u8>) -> PyResult<String> {
    let text = py.detach(|| {
        let text = Container::parse(&bytes).and_then(|container| yaml::from_container(&container));
        text.map_err(Error::from)
    });
    text.to_python(py)
}

/// Returns the signed container that YAML describes.
#[pyfunction]
pub(crate) fn from_yaml(py: Python<'_>, text: String) -> PyResult<Bound<'_, PyBytes>> {
    written(py, || sign(&yaml::to_container(&text)?))
}

/// Returns names and contents of a container's parts, in order.
#[pyfunction]
pub(crate) fn parts_of<'py>(
    py: Python<'py>,
    bytes: &[u8],
) -> PyResult<Vec<(String, Bound<'py, PyBytes>)>> {
    let container = Container::parse(bytes).map_err(Error::from).to_python(py)?;
    let parts = container.parts().iter();
    Ok(parts
        .map(|part| (part.name.to_string(), PyBytes::new(py, part.data)))
        .collect())
}

/// Returns the signed container of parts.
#[pyfunction]
pub(crate) fn from_parts(
    py: Python<'_>,
    parts: Vec<(String, Vec<u8>)>,
) -> PyResult<Bound<'_, PyBytes>> {
    let mut builder = ContainerBuilder::new();
    for (name, content) in parts {
        let name: [u8; 4] = name
            .as_bytes()
            .try_into()
            .map_err(|_| argument(py, format!("{name:?} is no name of a part")))?;
        builder.push(FourCc(name), content);
    }
    written(py, || builder.build(Signing::Digest))
}

/// Version, number of commits, commit and text of a compiler.
type Version = (u16, u16, u32, String, String);

/// Returns a container with all parts made anew. `None` is as before.
#[pyfunction]
pub(crate) fn make_parts<'py>(
    py: Python<'py>,
    bytes: Vec<u8>,
    debug: Option<String>,
    reflection: Option<bool>,
    version: Option<Version>,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut wanted = Remake::default();
    wanted.debug = match debug.as_deref() {
        None => None,
        Some("keep") => Some(DebugParts::Keep),
        Some("name") => Some(DebugParts::Name),
        Some("module") => Some(DebugParts::Module),
        Some(_) => {
            let message = format!("debug_info is {debug:?}; use keep, name or module");
            return Err(argument(py, message));
        }
    };
    wanted.reflection = reflection;
    wanted.version = version.as_ref().map(|version| CompilerVersion {
        major: version.0,
        minor: version.1,
        flags: 0,
        commit_count: version.2,
        commit: &version.3,
        custom: &version.4,
    });
    written(py, || build::remake(&bytes, &wanted)?.build(Signing::Digest))
}

/// Returns the container of a shader with the functions of libraries.
#[pyfunction]
pub(crate) fn link(
    py: Python<'_>,
    bytes: Vec<u8>,
    libraries: Vec<Vec<u8>>,
) -> PyResult<Bound<'_, PyBytes>> {
    written(py, || {
        let shaders = libraries.iter().map(|library| read_shader(library));
        let shaders: Vec<Shader> = shaders.collect::<dxil_frontend::Result<_>>()?;
        let shaders: Vec<&Shader> = shaders.iter().collect();
        build::linked(&bytes, &shaders)?.build(Signing::Digest)
    })
}
