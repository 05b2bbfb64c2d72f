//! Containers as YAML, as LLVM's `obj2yaml` prints and its `yaml2obj` reads them.
//!
//! ```text
//! document.rs  text to a tree; output.rs  the layout of the text
//! fields.rs    one description of a record for both directions
//! object.rs    header and parts; psv.rs, signature.rs, root_signature.rs, sources.rs,
//!              small.rs  what each part has
//! names.rs     names of numbers and bits
//! ```
//!
//! The schema is that of LLVM 23. Parts that it does not have (RDAT, STAT, all of DXBC) are there
//! with their size alone, so they come back as zeros; so do unknown flags, and PSV0 of version 4
//! comes back in version 3. Numbers without a name in the schema, at which LLVM stops, stand for
//! themselves.

mod document;
mod fields;
mod names;
mod object;
mod output;
mod psv;
mod root_signature;
mod signature;
mod small;
mod sources;

use crate::container::Container;
use crate::error::{Error, ErrorKind, Result};
use object::Object;

/// Largest text, in bytes.
const MAX_TEXT: usize = 1 << 30;

/// Returns the text that describes a container.
///
/// # Errors
///
/// If a part that the schema knows is malformed.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use dxil_frontend::container::Container;
/// use dxil_frontend::yaml;
///
/// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/tests/data/saxpy.dxil");
/// let bytes = std::fs::read(file)?;
/// let text = yaml::from_container(&Container::parse(&bytes)?)?;
/// assert!(text.contains("  - Name:            PSV0\n"));
/// let again = yaml::to_container(&text)?;
/// assert_eq!(again.len(), bytes.len());
/// # Ok(())
/// # }
/// ```
pub fn from_container(container: &Container<'_>) -> Result<String> {
    fields::write(&mut Object::of(container)?, "dxcontainer")
}

/// Returns the bytes of the container that a text describes. Like LLVM, it computes what the text
/// leaves out (offsets, sizes of the file and of programs), takes the rest as it is, and computes
/// no digest.
///
/// # Errors
///
/// If the text is malformed, which the error says with its line, or contradicts itself.
pub fn to_container(text: &str) -> Result<Vec<u8>> {
    if text.len() > MAX_TEXT {
        return Err(Error::new(ErrorKind::Limit {
            what: "bytes of YAML",
            value: text.len() as u64,
            limit: MAX_TEXT as u64,
        }));
    }
    fields::read::<Object>(&document::parse(text)?)?.write()
}
