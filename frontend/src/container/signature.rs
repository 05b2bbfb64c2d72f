//! Program signatures: ISG1, OSG1, PSG1, and the older layouts ISGN, OSGN, PCSG (no stream, no
//! minimum precision) and OSG5 (stream, no minimum precision).

use super::fourcc::FourCc;
use super::header::Part;
use crate::error::{Error, ErrorKind, Result};
use crate::reader::{Reader, Strings};

/// A signature: which values pass a stage boundary, and where they are packed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramSignature<'a> {
    /// Part that it came from; it determines direction and layout.
    pub part: FourCc,
    /// The elements in file order.
    pub parameters: Vec<SignatureParameter<'a>>,
}

/// One element: one row of one semantic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignatureParameter<'a> {
    /// Geometry stream; 0 in layouts that have none.
    pub stream: u32,
    /// Semantic name as written, `SV_Position` and such included; empty without one.
    pub semantic_name: &'a str,
    /// Semantic index.
    pub semantic_index: u32,
    /// Meaning to the fixed function units.
    pub system_value: SystemValue,
    /// Type of each component.
    pub component_type: SignatureComponentType,
    /// Packing register; `None` where it takes none (`SV_Depth` ...).
    pub register: Option<u32>,
    /// Components of the register, bit 0 is x.
    pub mask: u8,
    /// Input: components that are always read. Output: components that are never written.
    pub usage_mask: u8,
    /// Minimum precision; `Default` in layouts that have none.
    pub min_precision: MinPrecision,
}

macro_rules! numbered_enum {
    ($(#[$doc:meta])* $name:ident: $int:ty { $($(#[$vdoc:meta])* $variant:ident = $number:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$vdoc])* $variant,)*
            /// A number that is not known here.
            Other($int),
        }

        impl $name {
            /// Returns the variant with this number in the file; every number has a value.
            pub fn from_number(number: $int) -> Self {
                match number {
                    $($number => $name::$variant,)*
                    other => $name::Other(other),
                }
            }

            /// Returns the number in the file.
            pub fn number(self) -> $int {
                match self {
                    $($name::$variant => $number,)*
                    $name::Other(number) => number,
                }
            }
        }
    };
}
pub(super) use numbered_enum;

numbered_enum! {
    /// System value of a signature element (`D3D_NAME`).
    #[allow(missing_docs, reason = "D3D's own names")]
    SystemValue: u32 {
        Undefined = 0,
        Position = 1,
        ClipDistance = 2,
        CullDistance = 3,
        RenderTargetArrayIndex = 4,
        ViewportArrayIndex = 5,
        VertexId = 6,
        PrimitiveId = 7,
        InstanceId = 8,
        IsFrontFace = 9,
        SampleIndex = 10,
        FinalQuadEdgeTessFactor = 11,
        FinalQuadInsideTessFactor = 12,
        FinalTriEdgeTessFactor = 13,
        FinalTriInsideTessFactor = 14,
        FinalLineDetailTessFactor = 15,
        FinalLineDensityTessFactor = 16,
        Barycentrics = 23,
        ShadingRate = 24,
        CullPrimitive = 25,
        Target = 64,
        Depth = 65,
        Coverage = 66,
        DepthGreaterEqual = 67,
        DepthLessEqual = 68,
        StencilRef = 69,
        InnerCoverage = 70,
    }
}

numbered_enum! {
    /// Component type of a signature element.
    #[allow(missing_docs, reason = "the names say it")]
    SignatureComponentType: u32 {
        Unknown = 0,
        U32 = 1,
        I32 = 2,
        F32 = 3,
        U16 = 4,
        I16 = 5,
        F16 = 6,
        U64 = 7,
        I64 = 8,
        F64 = 9,
    }
}

numbered_enum! {
    /// Minimum precision of a signature element.
    #[allow(missing_docs, reason = "D3D's own names")]
    MinPrecision: u32 {
        Default = 0,
        Float16 = 1,
        Float2_8 = 2,
        Reserved = 3,
        SInt16 = 4,
        UInt16 = 5,
        Any16 = 0xf0,
        Any10 = 0xf1,
    }
}

/// The optional fields of a layout of elements.
#[derive(Clone, Copy)]
struct ElementLayout {
    stream: bool,
    min_precision: bool,
}

impl ElementLayout {
    fn of(part: FourCc) -> Self {
        let (stream, min_precision) = match part {
            FourCc::ISGN | FourCc::OSGN | FourCc::PCSG => (false, false),
            FourCc::OSG5 => (true, false),
            _ => (true, true),
        };
        ElementLayout {
            stream,
            min_precision,
        }
    }
}

impl<'a> ProgramSignature<'a> {
    /// Reads a signature part; its name determines the layout.
    ///
    /// # Errors
    ///
    /// If the part is malformed.
    pub fn parse(part: Part<'a>) -> Result<Self> {
        parse_signature(part).map_err(|e| e.in_part(part.name))
    }
}

fn parse_signature(part: Part<'_>) -> Result<ProgramSignature<'_>> {
    let layout = ElementLayout::of(part.name);
    let size = 24 + 4 * (usize::from(layout.stream) + usize::from(layout.min_precision));
    let mut reader = part.reader();
    let count = reader.u32("signature header")? as usize;
    let start_offset = reader.offset();
    let start = reader.u32("signature header")? as usize;
    let mut elements = part
        .reader()
        .at(start, "signature elements")
        .map_err(|e| e.at_offset(start_offset))?;
    let mut elements = elements.sub(count.saturating_mul(size), "signature elements")?;
    // Name offsets count from the start of the part, not from a table of strings.
    let strings = Strings::new(part.data, part.offset);
    let mut parameters = Vec::with_capacity(count);
    while !elements.is_empty() {
        parameters.push(parse_parameter(&mut elements, layout, strings)?);
    }
    Ok(ProgramSignature {
        part: part.name,
        parameters,
    })
}

fn parse_parameter<'a>(
    reader: &mut Reader<'a>,
    layout: ElementLayout,
    strings: Strings<'a>,
) -> Result<SignatureParameter<'a>> {
    const WHAT: &str = "signature element";
    let stream = if layout.stream { reader.u32(WHAT)? } else { 0 };
    let name = reader.u32(WHAT)?;
    let semantic_index = reader.u32(WHAT)?;
    let system_value = SystemValue::from_number(reader.u32(WHAT)?);
    let component_type = SignatureComponentType::from_number(reader.u32(WHAT)?);
    let register = reader.u32(WHAT)?;
    let mask_offset = reader.offset();
    let mask = reader.u8(WHAT)?;
    let usage_mask = reader.u8(WHAT)?;
    if mask > 0xf {
        return Err(Error::new(ErrorKind::BadValue {
            what: "component mask of a signature element",
            value: u64::from(mask),
            rule: "a register has four components",
        })
        .at_offset(mask_offset));
    }
    reader.u16(WHAT)?;
    let min_precision = if layout.min_precision {
        MinPrecision::from_number(reader.u32(WHAT)?)
    } else {
        MinPrecision::Default
    };
    Ok(SignatureParameter {
        stream,
        // DirectX Container document, "Signature Parts": 0 denotes no name.
        semantic_name: match name {
            0 => "",
            name => strings.name(name, "semantic name")?,
        },
        semantic_index,
        system_value,
        component_type,
        register: Some(register).filter(|&r| r != u32::MAX),
        mask,
        usage_mask,
        min_precision,
    })
}
