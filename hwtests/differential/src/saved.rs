//! A folder of shaders with what DXC made of them, so that runs on several devices execute the same
//! forms and DXC runs once.

use std::path::{Path, PathBuf};

use crate::compare::Forms;
use crate::compile::{Dxc, Form};

/// The extensions of the files of a shader, beside `hlsl`.
const FORMS: [(Form, &str); 3] = [
    (Form::Optimized, "o3"),
    (Form::Unoptimized, "od"),
    (Form::SpirV, "spv"),
];

/// Returns the forms of a shader that has this name in the folder. Those that the folder lacks are
/// compiled first, and added; an error message of DXC is kept too.
///
/// # Errors
///
/// If DXC does not compile the shader to optimized DXIL, or a file cannot be read or written.
pub fn forms(dxc: &Dxc, folder: &Path, name: &str, text: &str) -> Result<Forms, String> {
    let source = folder.join(name).with_extension("hlsl");
    if std::fs::read_to_string(&source).ok().as_deref() != Some(text) {
        std::fs::create_dir_all(folder).map_err(|error| said(folder, &error))?;
        for (_, extension) in FORMS {
            for file in files(&source, extension) {
                let _ = std::fs::remove_file(file);
            }
        }
        write(&source, text.as_bytes())?;
    }
    let [optimized, unoptimized, spirv] =
        FORMS.map(|(form, extension)| saved_form(dxc, &source, form, extension));
    Ok(Forms {
        source: text.to_owned(),
        optimized: optimized?,
        unoptimized,
        spirv,
    })
}

/// Returns the file of a form, and the file of DXC's error message.
fn files(source: &Path, extension: &str) -> [PathBuf; 2] {
    [
        source.with_extension(extension),
        source.with_extension(format!("{extension}.error")),
    ]
}

fn saved_form(dxc: &Dxc, source: &Path, form: Form, extension: &str) -> Result<Vec<u8>, String> {
    let [compiled, refused] = files(source, extension);
    if let Ok(bytes) = std::fs::read(&compiled) {
        return Ok(bytes);
    }
    if let Ok(message) = std::fs::read_to_string(&refused) {
        return Err(message);
    }
    let result = dxc.compile(source, form);
    match &result {
        Ok(bytes) => write(&compiled, bytes)?,
        Err(message) => write(&refused, message.as_bytes())?,
    }
    result
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(path, bytes).map_err(|error| said(path, &error))
}

fn said(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}
