//! RDEF: what D3DReflect says of a DXBC shader: constant buffers with their variables, and resource
//! bindings. The layout is that of `ID3D11ShaderReflection` and its structures
//! (`D3D11_SHADER_BUFFER_DESC`, `D3D11_SHADER_VARIABLE_DESC`, `D3D11_SHADER_INPUT_BIND_DESC`); all
//! offsets count from the start of the part.

use super::header::Part;
use crate::error::{Error, ErrorKind, Result};
use crate::limits::MAX_NAME_BYTES;
use crate::reader::Reader;

/// Maximum number of records that a part may name: buffers, variables, members and bindings
/// together.
const MAX_RECORDS: u32 = 1 << 16;

/// Deepest nesting of structures that is read.
const MAX_DEPTH: u32 = 16;

/// Content of the RDEF part.
#[derive(Debug, Clone, PartialEq)]
pub struct ResourceDefinitions<'a> {
    /// Shader model (major, minor).
    pub version: (u8, u8),
    /// Flags of the compilation (`D3DCOMPILE_*`).
    pub flags: u32,
    /// The compiler's name.
    pub creator: &'a str,
    /// Constant and texture buffers, in order.
    pub buffers: Vec<BufferDefinition<'a>>,
    /// Bound resources, in order.
    pub bindings: Vec<ResourceBindingDefinition<'a>>,
}

/// A constant buffer, texture buffer, or the element of a structured buffer.
#[derive(Debug, Clone, PartialEq)]
pub struct BufferDefinition<'a> {
    /// Name.
    pub name: &'a str,
    /// `D3D_CBUFFER_TYPE`: 0 constants, 1 texture buffer, 2 interface pointers, 3 element of a
    /// resource.
    pub kind: u32,
    /// Size in bytes.
    pub bytes: u32,
    /// Variables, in order.
    pub variables: Vec<VariableDefinition<'a>>,
}

/// A variable of a buffer, or a member of a structure.
#[derive(Debug, Clone, PartialEq)]
pub struct VariableDefinition<'a> {
    /// Name.
    pub name: &'a str,
    /// Offset in bytes: in the buffer, or in the structure that it is a member of.
    pub offset: u32,
    /// Size in bytes; 0 for members, whose records have none.
    pub bytes: u32,
    /// Whether the shader uses it. It is not known per member.
    pub is_used: bool,
    /// Type as HLSL writes it, without the length of an array: `float4x4`, `struct`.
    pub ty: String,
    /// Length of an array; 0 for what is none.
    pub elements: u16,
    /// Members of a structure.
    pub members: Vec<VariableDefinition<'a>>,
}

/// A bound resource (`D3D11_SHADER_INPUT_BIND_DESC`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResourceBindingDefinition<'a> {
    /// Name.
    pub name: &'a str,
    /// `D3D_SHADER_INPUT_TYPE`.
    pub kind: u32,
    /// `D3D_RESOURCE_RETURN_TYPE`.
    pub return_type: u32,
    /// `D3D_SRV_DIMENSION`.
    pub dimension: u32,
    /// Samples of a multisampled texture, stride of a structured buffer.
    pub samples: u32,
    /// First register.
    pub register: u32,
    /// Number of resources; 0 is unbounded.
    pub count: u32,
    /// `D3D_SHADER_INPUT_FLAGS`.
    pub flags: u32,
    /// Register space: 0 before shader model 5.1.
    pub space: u32,
}

impl ResourceBindingDefinition<'_> {
    /// Returns the kind of binding, as in fxc's listings: `cbuffer`, `texture`, `UAV`.
    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            0 => "cbuffer",
            1 => "tbuffer",
            2 | 5 | 7 => "texture",
            3 => "sampler",
            4 | 6 | 8..=11 => "UAV",
            _ => "unknown",
        }
    }

    /// Returns the letter of its registers.
    pub fn letter(&self) -> char {
        match self.kind {
            0 => 'b',
            3 => 's',
            4 | 6 | 8..=11 => 'u',
            _ => 't',
        }
    }
}

impl<'a> ResourceDefinitions<'a> {
    /// Reads the part.
    ///
    /// # Errors
    /// If an offset leads out of the part, or there is more than any shader has.
    pub fn parse(part: Part<'a>) -> Result<Self> {
        let mut parser = DefinitionParser {
            part: part.reader(),
            left: MAX_RECORDS,
            variable_bytes: 24,
            binding_bytes: 32,
        };
        parser.run().map_err(|error| error.in_part(part.name))
    }
}

struct DefinitionParser<'a> {
    part: Reader<'a>,
    /// Records that may still be read.
    left: u32,
    variable_bytes: usize,
    binding_bytes: usize,
}

impl<'a> DefinitionParser<'a> {
    fn run(&mut self) -> Result<ResourceDefinitions<'a>> {
        let mut header = self.part;
        let (buffers, buffers_at) = (self.word(&mut header)?, self.word(&mut header)?);
        let (bindings, bindings_at) = (self.word(&mut header)?, self.word(&mut header)?);
        let [minor, major, ..] = self.word(&mut header)?.to_le_bytes();
        let flags = self.word(&mut header)?;
        let creator = self.word(&mut header)?;
        if major >= 5 {
            // `RD11`, or a number of 5.1: then the sizes of the records.
            self.word(&mut header)?;
            self.word(&mut header)?;
            self.word(&mut header)?;
            // At least the known fields must fit, and a larger stride is only padding.
            self.binding_bytes = self.word(&mut header)?.clamp(32, 64) as usize;
            self.variable_bytes = self.word(&mut header)?.clamp(24, 64) as usize;
        }
        let creator = self.text(creator)?;
        let buffers = self.records(buffers, buffers_at, 24, Self::buffer)?;
        let binding_bytes = self.binding_bytes;
        let bindings = self.records(bindings, bindings_at, binding_bytes, Self::binding)?;
        Ok(ResourceDefinitions {
            version: (major, minor),
            flags,
            creator,
            buffers,
            bindings,
        })
    }

    fn word(&self, reader: &mut Reader<'a>) -> Result<u32> {
        reader.u32("resource definitions")
    }

    /// Returns the records of that size from an offset on.
    fn records<T>(
        &mut self,
        count: u32,
        at: u32,
        bytes: usize,
        mut read: impl FnMut(&mut Self, Reader<'a>) -> Result<T>,
    ) -> Result<Vec<T>> {
        // One budget for the whole part: types are shared by offset, so a small part could name the
        // same members again and again.
        self.left = self.left.checked_sub(count).ok_or_else(|| {
            Error::new(ErrorKind::Limit {
                what: "records of the resource definitions",
                value: u64::from(count),
                limit: u64::from(MAX_RECORDS),
            })
        })?;
        if count == 0 {
            return Ok(Vec::new());
        }
        let mut records = self.part.at(at as usize, "resource definitions")?;
        let mut found = Vec::new();
        for _ in 0..count {
            let record = records.sub(bytes, "resource definitions")?;
            found.push(read(self, record)?);
        }
        Ok(found)
    }

    /// Returns the text at an offset, up to its zero.
    fn text(&self, at: u32) -> Result<&'a str> {
        let bytes = self.part.at(at as usize, "name")?.rest();
        // Many records may name one long text, each of which is read again.
        let bytes = bytes.get(..MAX_NAME_BYTES).unwrap_or(bytes);
        let end = bytes.iter().position(|&byte| byte == 0);
        if end.is_none() && bytes.len() == MAX_NAME_BYTES {
            return Err(Error::new(ErrorKind::Limit {
                what: "bytes of a name",
                value: bytes.len() as u64 + 1,
                limit: MAX_NAME_BYTES as u64,
            }));
        }
        let text = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
        std::str::from_utf8(text).map_err(|_| Error::malformed("a name is not UTF-8"))
    }

    fn buffer(&mut self, mut record: Reader<'a>) -> Result<BufferDefinition<'a>> {
        let name = self.word(&mut record)?;
        let (count, at) = (self.word(&mut record)?, self.word(&mut record)?);
        let bytes = self.word(&mut record)?;
        self.word(&mut record)?;
        let kind = self.word(&mut record)?;
        let variable_bytes = self.variable_bytes;
        Ok(BufferDefinition {
            name: self.text(name)?,
            kind,
            bytes,
            variables: self.records(count, at, variable_bytes, Self::variable)?,
        })
    }

    fn binding(&mut self, mut record: Reader<'a>) -> Result<ResourceBindingDefinition<'a>> {
        let name = self.word(&mut record)?;
        let mut word = || record.u32("resource binding");
        let (kind, return_type, dimension, samples) = (word()?, word()?, word()?, word()?);
        let (register, count, flags) = (word()?, word()?, word()?);
        Ok(ResourceBindingDefinition {
            name: self.text(name)?,
            kind,
            return_type,
            dimension,
            samples,
            register,
            count,
            flags,
            // Shader model 5.1 appends it, and the range's number.
            space: word().unwrap_or(0),
        })
    }

    fn variable(&mut self, mut record: Reader<'a>) -> Result<VariableDefinition<'a>> {
        /// `D3D_SVF_USED`.
        const USED: u32 = 2;
        let name = self.word(&mut record)?;
        let offset = self.word(&mut record)?;
        let bytes = self.word(&mut record)?;
        let flags = self.word(&mut record)?;
        let ty = self.word(&mut record)?;
        let (ty, elements, members) = self.ty(ty, MAX_DEPTH)?;
        Ok(VariableDefinition {
            name: self.text(name)?,
            offset,
            bytes,
            is_used: flags & USED != 0,
            ty,
            elements,
            members,
        })
    }

    /// Reads a type: its name, its length as an array, its members.
    fn ty(&mut self, at: u32, depth: u32) -> Result<(String, u16, Vec<VariableDefinition<'a>>)> {
        let mut record = self.part.at(at as usize, "type")?;
        let mut half = || record.u16("type");
        let (class, scalar, rows, columns) = (half()?, half()?, half()?, half()?);
        let (elements, members) = (half()?, half()?);
        let members_at = record.u32("type")?;
        // A member may name its own structure's offset, so recursion is bounded.
        let Some(deeper) = depth.checked_sub(1) else {
            return Err(Error::malformed("structures nest too deep"));
        };
        let members = if class == STRUCT {
            self.records(u32::from(members), members_at, 12, |this, mut record| {
                let name = this.word(&mut record)?;
                let ty = this.word(&mut record)?;
                let offset = this.word(&mut record)?;
                let (ty, elements, members) = this.ty(ty, deeper)?;
                Ok(VariableDefinition {
                    name: this.text(name)?,
                    offset,
                    bytes: 0,
                    is_used: false,
                    ty,
                    elements,
                    members,
                })
            })?
        } else {
            Vec::new()
        };
        Ok((type_name(class, scalar, rows, columns), elements, members))
    }
}

/// `D3D_SVC_STRUCT`.
const STRUCT: u16 = 5;

/// Returns a type as HLSL writes it (`D3D_SHADER_VARIABLE_CLASS`, `D3D_SHADER_VARIABLE_TYPE`).
fn type_name(class: u16, scalar: u16, rows: u16, columns: u16) -> String {
    let scalar = match scalar {
        0 => "void",
        1 => "bool",
        2 => "int",
        3 => "float",
        4 => "string",
        19 => "uint",
        20 => "uint8_t",
        39 => "double",
        53 => "min8float",
        54 => "min10float",
        55 => "min16float",
        56 => "min12int",
        57 => "min16int",
        58 => "min16uint",
        _ => "object",
    };
    match class {
        0 => scalar.to_owned(),
        1 => format!("{scalar}{columns}"),
        2 => format!("row_major {scalar}{rows}x{columns}"),
        3 => format!("{scalar}{rows}x{columns}"),
        STRUCT => "struct".to_owned(),
        6 | 7 => "interface".to_owned(),
        _ => scalar.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FourCc;

    fn part(words: &[u32], text: &str) -> Vec<u8> {
        let bytes = words.iter().flat_map(|word| word.to_le_bytes());
        bytes.chain(text.bytes()).collect()
    }

    fn parsed(bytes: &[u8]) -> Result<ResourceDefinitions<'_>> {
        ResourceDefinitions::parse(Part {
            name: FourCc::RDEF,
            offset: 0,
            data: bytes,
        })
    }

    /// Returns a constant buffer with one `float4`, bound to `b1`: 4.0's records.
    fn one_buffer() -> Vec<u8> {
        const NAMES: u32 = (7 + 8 + 6 + 6 + 4) * 4;
        let words = [
            // Header.
            &[1, 28, 1, 28 + 24 + 24 + 16, 0xffff_0400, 0, NAMES][..],
            // Buffer.
            &[NAMES + 4, 1, 28 + 24, 16, 0, 0],
            // Variable.
            &[NAMES + 6, 0, 16, 2, 28 + 24 + 24, 0],
            // Type: a vector of four floats.
            &[1 | 3 << 16, 1 | 4 << 16, 0, 0],
            // Binding.
            &[NAMES + 4, 0, 0, 0, 0, 1, 1, 0],
        ];
        part(&words.concat(), "fxc\0B\0v\0")
    }

    #[test]
    fn a_buffer_has_its_variables_and_a_binding_its_register() {
        let bytes = one_buffer();
        let found = parsed(&bytes).unwrap();
        assert_eq!((found.version, found.creator), ((4, 0), "fxc"));
        let [buffer] = &found.buffers[..] else {
            panic!("{found:?}")
        };
        assert_eq!((buffer.name, buffer.bytes), ("B", 16));
        let variable = &buffer.variables[0];
        assert_eq!((variable.name, &*variable.ty), ("v", "float4"));
        assert!(variable.is_used && variable.elements == 0);
        let binding = &found.bindings[0];
        let bound = (binding.name, binding.letter(), binding.register);
        assert_eq!(bound, ("B", 'b', 1));
        assert_eq!(binding.kind_name(), "cbuffer");
    }

    #[test]
    fn truncated_definitions_are_malformed() {
        let bytes = one_buffer();
        for length in 0..bytes.len() - 8 {
            assert!(parsed(&bytes[..length]).is_err(), "{length}");
        }
    }

    #[test]
    fn counts_that_no_shader_has_are_refused() {
        let mut bytes = one_buffer();
        bytes[..4].copy_from_slice(&u32::MAX.to_le_bytes());
        let error = parsed(&bytes).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Limit { .. }), "{error}");
    }
}
