//! Reads shaders for the commands: from a file or standard input, and from a PDB file the container
//! in it ([`dxil_inspect::input`]).

use std::fmt;
use std::path::Path;

use dxil_frontend::FourCc;
use dxil_frontend::container::{Container, DebugName, container_in_pdb};
pub use dxil_inspect::input::is_spirv;
use dxil_inspect::input::{NoShader, check_program, container_of};

use crate::exit::Exit;
use crate::files;
use crate::paths::InputFile;

/// The reason why a shader cannot be read: the message, and the exit code.
#[derive(Debug)]
pub struct InputError {
    /// The exit code.
    pub exit: Exit,
    /// The file and the reason.
    pub message: String,
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for InputError {}

/// Returns the bytes of a shader: of a PDB file, those of the container in it. `-` is standard
/// input.
///
/// # Errors
///
/// Fails where the file cannot be read, where it is a PDB file without program, and where it is
/// none of container, bitcode and PDB file.
pub fn read_shader_file(path: &Path) -> Result<Vec<u8>, InputError> {
    shader_in(path, read(path)?)
}

/// Returns the bytes of a shader as [`read_shader_file`] does, and also those of a PDB file
/// without program.
///
/// # Errors
///
/// Fails where the file cannot be read, and where it is none of container, bitcode and PDB file.
pub fn read_container_file(path: &Path) -> Result<Vec<u8>, InputError> {
    container_in(path, read(path)?)
}

/// Returns the bytes of a shader as [`read_shader_file`] does; a pipe that a walk has found is not
/// opened.
///
/// # Errors
///
/// Fails as [`read_shader_file`] does.
pub fn read_shader(file: &InputFile) -> Result<Vec<u8>, InputError> {
    shader_in(&file.path, bytes_of(file)?)
}

/// Returns the bytes of a container as [`read_container_file`] does; a pipe that a walk has found
/// is not opened.
///
/// # Errors
///
/// Fails as [`read_container_file`] does.
pub fn read_container(file: &InputFile) -> Result<Vec<u8>, InputError> {
    container_in(&file.path, bytes_of(file)?)
}

/// Returns the bytes of a shader as [`read_shader_file`] does, and those of a SPIR-V module.
///
/// # Errors
///
/// Fails as [`read_shader_file`] does.
pub fn read_module_file(path: &Path) -> Result<Vec<u8>, InputError> {
    module_in(path, read(path)?)
}

/// Returns the bytes of a module as [`read_module_file`] does; a pipe that a walk has found is not
/// opened.
///
/// # Errors
///
/// Fails as [`read_shader_file`] does.
pub fn read_module(file: &InputFile) -> Result<Vec<u8>, InputError> {
    module_in(&file.path, bytes_of(file)?)
}

fn read(path: &Path) -> Result<Vec<u8>, InputError> {
    files::read(path).map_err(|error| failed(path, Exit::from(&error), &error.to_string()))
}

fn bytes_of(file: &InputFile) -> Result<Vec<u8>, InputError> {
    let failed = |error: std::io::Error| failed(&file.path, Exit::from(&error), &error.to_string());
    file.read().map_err(failed)
}

fn module_in(path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, InputError> {
    if path != Path::new("-") && is_spirv(&bytes) {
        return Ok(bytes);
    }
    shader_in(path, bytes)
}

fn shader_in(path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, InputError> {
    let bytes = container_in(path, bytes)?;
    check_program(&bytes).map_err(|problem| no_shader(path, &problem))?;
    Ok(bytes)
}

fn container_in(path: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, InputError> {
    container_of(bytes).map_err(|problem| no_shader(path, &problem))
}

/// Returns the container of the PDB file that a shader's debug name (ILDN) names, if it lies beside
/// the shader: the name alone counts, without folders. A file of another shader is none.
pub fn pdb_beside(path: &Path, bytes: &[u8]) -> Option<Vec<u8>> {
    let container = Container::parse(bytes).ok()?;
    let name = debug_file_name(&container)?;
    let found = files::read_found(&path.with_file_name(name)).ok()?;
    let found = container_in_pdb(&found).ok()?;
    has_same_hash(&Container::parse(&found).ok()?, &container).then_some(found)
}

/// Returns whether a shader and a PDB belong together: both have the same hash, or none.
pub fn has_same_hash(shader: &Container<'_>, pdb: &Container<'_>) -> bool {
    let [shader, pdb] = [shader, pdb].map(|container| container.part(FourCc::HASH));
    shader.map(|part| part.data) == pdb.map(|part| part.data)
}

/// Returns the name of the PDB file that a shader's debug name (ILDN) names, without folders.
pub fn debug_file_name<'a>(container: &Container<'a>) -> Option<&'a str> {
    let name = DebugName::parse(container.part(FourCc::ILDN)?).ok()?;
    // DXC on Windows writes backslashes.
    name.name.rsplit(['/', '\\']).next()
}

fn no_shader(path: &Path, problem: &NoShader) -> InputError {
    failed(path, Exit::from(problem.category), &problem.message)
}

fn failed(path: &Path, exit: Exit, message: &str) -> InputError {
    InputError {
        exit,
        message: format!("{}: {message}", name_of(path)),
    }
}

/// Returns a file's name for messages.
pub fn name_of(path: &Path) -> String {
    if path == Path::new("-") {
        "standard input".to_owned()
    } else {
        path.display().to_string()
    }
}
