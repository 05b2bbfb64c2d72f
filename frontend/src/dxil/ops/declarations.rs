//! Parameter and result types of the functions of DXIL operations: all operations of a class share
//! one type, which the overload completes. Facts: the DXIL document ("Operations") and DXC's own
//! table.

use super::Opcode;
use super::function_names::split_once;
use super::overload::Overload;
use crate::dxil::matrix_name;
use crate::ir::{Module, Type, TypeId, TypeTable};
use crate::{Error, Result};

/// The types of every class, sorted by its name: `result:parameters after the opcode`, a letter
/// (see [`Expected`]) for each.
const CLASSES: &[(&str, &str)] = &[
    ("acceptHitAndEndSearch", "v:"),
    ("allocateNodeOutputRecords", "R:Ni1"),
    ("allocateRayQuery", "i:i"),
    ("allocateRayQuery2", "i:ii"),
    ("annotateHandle", "H:H2"),
    ("annotateNodeHandle", "N:N2"),
    ("annotateNodeRecordHandle", "R:R2"),
    ("atomicBinOp", "o:Hiiiio"),
    ("atomicCompareExchange", "o:Hiiioo"),
    ("attributeAtVertex", "o:ii88"),
    ("barrier", "v:i"),
    ("barrierByMemoryHandle", "v:Hi"),
    ("barrierByMemoryType", "v:ii"),
    ("barrierByNodeRecordHandle", "v:Ri"),
    ("binary", "o:oo"),
    ("binaryWithCarryOrBorrow", "c:oo"),
    ("binaryWithTwoOuts", "2:oo"),
    ("bitcastF16toI16", "s:h"),
    ("bitcastF32toI32", "i:f"),
    ("bitcastF64toI64", "l:d"),
    ("bitcastI16toF16", "h:s"),
    ("bitcastI32toF32", "f:i"),
    ("bitcastI64toF64", "d:l"),
    ("bufferLoad", "S:Hii"),
    ("bufferStore", "v:Hiioooo8"),
    ("bufferUpdateCounter", "i:H8"),
    ("calculateLOD", "f:HHfff1"),
    ("callShader", "v:ip"),
    ("cbufferLoad", "o:Hii"),
    ("cbufferLoadLegacy", "C:Hi"),
    ("checkAccessFullyMapped", "1:i"),
    ("clusterID", "i:"),
    ("coverage", "i:"),
    ("createHandle", "H:8ii1"),
    ("createHandleForLib", "H:a"),
    ("createHandleFromBinding", "H:Bi1"),
    ("createHandleFromHeap", "H:i11"),
    ("createNodeInputRecordHandle", "R:i"),
    ("createNodeOutputHandle", "N:i"),
    ("cutStream", "v:8"),
    ("cycleCounterLegacy", "2:"),
    ("debugBreak", "v:"),
    ("discard", "v:1"),
    ("dispatchMesh", "v:iiip"),
    ("dispatchRaysDimensions", "i:8"),
    ("dispatchRaysIndex", "i:8"),
    ("domainLocation", "f:8"),
    ("dot", "e:oo"),
    ("dot2", "o:oooo"),
    ("dot2AddHalf", "o:ohhhh"),
    ("dot3", "o:oooooo"),
    ("dot4", "o:oooooooo"),
    ("dot4AddPacked", "i:iii"),
    ("emitIndices", "v:iiii"),
    ("emitStream", "v:8"),
    ("emitThenCutStream", "v:8"),
    ("evalCentroid", "o:ii8"),
    ("evalSampleIndex", "o:ii8i"),
    ("evalSnapped", "o:ii8ii"),
    ("finishedCrossGroupSharing", "1:R"),
    ("flattenedThreadIdInGroup", "i:"),
    ("geometryIndex", "i:"),
    ("getDimensions", "4:Hi"),
    ("getGroupWaveCount", "i:"),
    ("getGroupWaveIndex", "i:"),
    ("getInputRecordCount", "i:R"),
    ("getMeshPayload", "p:"),
    ("getNodeRecordPtr", "p:Ri"),
    ("getRemainingRecursionLevels", "i:"),
    ("groupId", "i:i"),
    ("gsInstanceID", "i:"),
    ("hitKind", "i:"),
    ("hitObject_Attributes", "v:Jp"),
    ("hitObject_FromRayQuery", "J:i"),
    ("hitObject_FromRayQueryWithAttrs", "J:iip"),
    ("hitObject_Invoke", "v:Jp"),
    ("hitObject_LoadLocalRootTableConstant", "i:Ji"),
    ("hitObject_MakeMiss", "J:iiffffffff"),
    ("hitObject_MakeNop", "J:"),
    ("hitObject_SetShaderTableIndex", "J:Ji"),
    ("hitObject_StateMatrix", "o:Jii"),
    ("hitObject_StateScalar", "o:J"),
    ("hitObject_StateVector", "o:Ji"),
    ("hitObject_TraceRay", "J:Hiiiiiffffffffp"),
    ("hitObject_TriangleObjectPosition", "9:J"),
    ("ignoreHit", "v:"),
    ("incrementOutputCount", "v:Ni1"),
    ("indexNodeHandle", "N:Ni"),
    ("innerCoverage", "i:"),
    ("instanceID", "i:"),
    ("instanceIndex", "i:"),
    ("isDebuggingEnabled", "1:"),
    ("isHelperLane", "1:"),
    ("isSpecialFloat", "b:o"),
    ("legacyDoubleToFloat", "f:d"),
    ("legacyDoubleToSInt32", "i:d"),
    ("legacyDoubleToUInt32", "i:d"),
    ("legacyF16ToF32", "f:i"),
    ("legacyF32ToF16", "i:f"),
    ("linAlgConvert", "w:wii"),
    ("linAlgCopyConvertMatrix", "M:M1"),
    ("linAlgFillMatrix", "M:x"),
    ("linAlgMatVecMul", "w:M1wi"),
    ("linAlgMatVecMulAdd", "w:M1wiw"),
    ("linAlgMatrixAccumulate", "M:MM"),
    ("linAlgMatrixAccumulateToDescriptor", "v:MHiiii"),
    ("linAlgMatrixAccumulateToMemory", "v:Mgiiii"),
    ("linAlgMatrixGetCoordinate", "k:Mi"),
    ("linAlgMatrixGetElement", "x:Mi"),
    ("linAlgMatrixLength", "i:M"),
    ("linAlgMatrixLoadFromDescriptor", "M:Hiiii"),
    ("linAlgMatrixLoadFromMemory", "M:giii"),
    ("linAlgMatrixMultiply", "M:MM"),
    ("linAlgMatrixMultiplyAccumulate", "M:MMM"),
    ("linAlgMatrixOuterProduct", "M:ww"),
    ("linAlgMatrixQueryAccumulatorLayout", "i:"),
    ("linAlgMatrixSetElement", "M:Mix"),
    ("linAlgMatrixStoreToDescriptor", "v:MHiiii"),
    ("linAlgMatrixStoreToMemory", "v:Mgiii"),
    ("linAlgVectorAccumulateToDescriptor", "v:Hiiw"),
    ("loadInput", "o:ii8i"),
    ("loadOutputControlPoint", "o:ii8i"),
    ("loadPatchConstant", "o:ii8"),
    ("makeDouble", "d:ii"),
    ("maybeReorderThread", "v:Jii"),
    ("minPrecXRegLoad", "o:pi8"),
    ("minPrecXRegStore", "v:pi8o"),
    ("nodeOutputIsValid", "1:N"),
    ("nop", "v:"),
    ("objectRayDirection", "f:8"),
    ("objectRayOrigin", "f:8"),
    ("objectToWorld", "f:i8"),
    ("outputComplete", "v:R"),
    ("outputControlPointID", "i:"),
    ("pack4x8", "i:8oooo"),
    ("primitiveID", "i:"),
    ("primitiveIndex", "i:"),
    ("quadOp", "o:o8"),
    ("quadReadLaneAt", "o:oi"),
    ("quadVote", "1:18"),
    ("quaternary", "o:oooo"),
    ("rawBufferLoad", "S:Hii8i"),
    ("rawBufferStore", "v:Hiioooo8i"),
    ("rawBufferVectorLoad", "V:Hiii"),
    ("rawBufferVectorStore", "v:Hiioi"),
    ("rayFlags", "i:"),
    ("rayQuery_Abort", "v:i"),
    ("rayQuery_CandidateTriangleObjectPosition", "9:i"),
    ("rayQuery_CommitNonOpaqueTriangleHit", "v:i"),
    ("rayQuery_CommitProceduralPrimitiveHit", "v:if"),
    ("rayQuery_CommittedTriangleObjectPosition", "9:i"),
    ("rayQuery_Proceed", "1:i"),
    ("rayQuery_StateMatrix", "o:ii8"),
    ("rayQuery_StateScalar", "o:i"),
    ("rayQuery_StateVector", "o:i8"),
    ("rayQuery_TraceRayInline", "v:iHiiffffffff"),
    ("rayTCurrent", "f:"),
    ("rayTMin", "f:"),
    ("renderTargetGetSampleCount", "i:"),
    ("renderTargetGetSamplePosition", "F:i"),
    ("reportHit", "1:fip"),
    ("sample", "S:HHffffiiif"),
    ("sampleBias", "S:HHffffiiiff"),
    ("sampleCmp", "S:HHffffiiiff"),
    ("sampleCmpBias", "S:HHffffiiifff"),
    ("sampleCmpGrad", "S:HHffffiiiffffffff"),
    ("sampleCmpLevel", "S:HHffffiiiff"),
    ("sampleCmpLevelZero", "S:HHffffiiif"),
    ("sampleGrad", "S:HHffffiiifffffff"),
    ("sampleIndex", "i:"),
    ("sampleLevel", "S:HHffffiiif"),
    ("setMeshOutputCounts", "v:ii"),
    ("splitDouble", "2:d"),
    ("startInstanceLocation", "i:"),
    ("startVertexLocation", "i:"),
    ("storeOutput", "v:ii8o"),
    ("storePatchConstant", "v:ii8o"),
    ("storePrimitiveOutput", "v:ii8oi"),
    ("storeVertexOutput", "v:ii8oi"),
    ("tempRegLoad", "o:i"),
    ("tempRegStore", "v:io"),
    ("tertiary", "o:ooo"),
    ("texture2DMSGetSamplePosition", "F:Hi"),
    ("textureGather", "S:HHffffiii"),
    ("textureGatherCmp", "S:HHffffiiif"),
    ("textureGatherRaw", "S:HHffffii"),
    ("textureLoad", "S:Hiiiiiii"),
    ("textureStore", "v:Hiiioooo8"),
    ("textureStoreSample", "v:Hiiioooo8i"),
    ("threadId", "i:i"),
    ("threadIdInGroup", "i:i"),
    ("traceRay", "v:Hiiiiiffffffffp"),
    ("triangleObjectPosition", "9:"),
    ("unary", "o:o"),
    ("unaryBits", "n:o"),
    ("unpack4x8", "U:8i"),
    ("vectorReduce", "e:o"),
    ("viewID", "i:"),
    ("waveActiveAllEqual", "b:o"),
    ("waveActiveBallot", "4:1"),
    ("waveActiveBit", "o:o8"),
    ("waveActiveOp", "o:o88"),
    ("waveAllOp", "i:1"),
    ("waveAllTrue", "1:1"),
    ("waveAnyTrue", "1:1"),
    ("waveGetLaneCount", "i:"),
    ("waveGetLaneIndex", "i:"),
    ("waveIsFirstLane", "1:"),
    ("waveMatch", "4:o"),
    ("waveMultiPrefixBitCount", "i:1iiii"),
    ("waveMultiPrefixOp", "o:oiiii88"),
    ("wavePrefixOp", "o:o88"),
    ("waveReadLaneAt", "o:oi"),
    ("waveReadLaneFirst", "o:o"),
    ("worldRayDirection", "f:8"),
    ("worldRayOrigin", "f:8"),
    ("worldToObject", "f:i8"),
    ("writeSamplerFeedback", "v:HHHfffff"),
    ("writeSamplerFeedbackBias", "v:HHHffffff"),
    ("writeSamplerFeedbackGrad", "v:HHHfffffffffff"),
    ("writeSamplerFeedbackLevel", "v:HHHfffff"),
];

/// Number of [`SLOTS`].
const SLOT_COUNT: usize = 512;

/// The index of each class in the table, at the hash of its name or after it; `u8::MAX` in the
/// other slots. A bisection would compare seven names for each declaration.
static SLOTS: [u8; SLOT_COUNT] = fill_slots();

#[allow(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn fill_slots() -> [u8; SLOT_COUNT] {
    let mut slots = [u8::MAX; SLOT_COUNT];
    let mut index: u8 = 0;
    while (index as usize) < CLASSES.len() {
        let mut slot = slot_of(CLASSES[index as usize].0.as_bytes());
        while slots[slot] != u8::MAX {
            slot = (slot + 1) % SLOT_COUNT;
        }
        slots[slot] = index;
        index += 1;
    }
    slots
}

/// Returns the first slot that a name may be in.
#[allow(clippy::indexing_slicing, reason = "the index is below the length")]
const fn slot_of(name: &[u8]) -> usize {
    let mut state: u32 = 0x811c_9dc5;
    let mut at = 0;
    while at < name.len() {
        state = (state ^ name[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (state ^ state >> 16) as usize % SLOT_COUNT
}

/// Returns the types of a class.
fn row_of(class: &str) -> Option<&'static str> {
    let mut slot = slot_of(class.as_bytes());
    loop {
        // The number of an empty slot is that of no class.
        let (name, row) = CLASSES.get(usize::from(*SLOTS.get(slot)?))?;
        if *name == class {
            return Some(row);
        }
        slot = (slot + 1) % SLOT_COUNT;
    }
}

/// `WavePrefixBitCount` shares its class with an operation that has overloads.
const PREFIX_BIT_COUNT: &str = "i:1";

/// Returns the letters of a class: result, and operands after the opcode; `None` for a class that
/// no operation has. `has_no_overload` tells the operations of `wavePrefixOp` apart.
pub(crate) fn declaration_of(
    class: &str,
    has_no_overload: bool,
) -> Option<(&'static str, &'static str)> {
    let row = match (class, has_no_overload) {
        ("wavePrefixOp", true) => PREFIX_BIT_COUNT,
        _ => row_of(class)?,
    };
    split_once(row, b':')
}

/// The meaning of a letter in the table.
struct Expected<'a> {
    types: &'a TypeTable,
    overload: OverloadShape,
}

/// An overload: its scalar, and the number of elements of a native vector (SM 6.9).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OverloadShape {
    scalar: Overload,
    vector: Option<u32>,
}

/// Refuses the declaration of an operation that has other types than its class and overload say;
/// `operation` is the function's name without `dx.op.`. Classes that no operation has are refused
/// where they are called.
///
/// # Errors
///
/// Malformed input, with the position and the name of the function.
pub(super) fn check_declaration(
    module: &Module,
    ty: TypeId,
    operation: &str,
    overload: Overload,
) -> Result<()> {
    let (class, suffix) = split_once(operation, b'.').unwrap_or((operation, ""));
    let by_own_name = || row_of(Opcode::with_own_name(class)?.class());
    let Some(row) = row_of(class).or_else(by_own_name) else {
        // A class of a newer DXIL version: calls of it fail in `decode`, with the opcode.
        return Ok(());
    };
    let row = match (class, overload) {
        // Two operations share the class name; the bit count has no overload.
        ("wavePrefixOp", Overload::Void) => PREFIX_BIT_COUNT,
        _ => row,
    };
    let (result, operands) = split_once(row, b':').unwrap_or((row, ""));
    let types = &module.types;
    let wrong = |what: &dyn std::fmt::Display| {
        Error::malformed(format!("dx.op.{operation} is declared with {what}"))
    };
    let Type::Function {
        ret,
        params,
        vararg: false,
    } = types.get(ty)
    else {
        return Err(wrong(&"a variable number of operands"));
    };
    let overload = match overload {
        Overload::Other => OverloadShape::of_vector(suffix),
        scalar => OverloadShape {
            scalar,
            vector: None,
        },
    };
    let expected = Expected { types, overload };
    if params.len() != operands.len() + 1 {
        return Err(wrong(&format_args!("{} operands", params.len())));
    }
    if !result.bytes().all(|letter| expected.is(letter, *ret)) {
        return Err(wrong(&"another result"));
    }
    for (index, (letter, param)) in std::iter::once(b'i')
        .chain(operands.bytes())
        .zip(params)
        .enumerate()
    {
        if !expected.is(letter, *param) {
            return Err(wrong(&format_args!("another operand {index}")));
        }
    }
    if class.starts_with("linAlg")
        && suffix != matrix_suffix(types, (result, *ret), (operands, params))
    {
        return Err(wrong(&"types that its name does not have"));
    }
    Ok(())
}

/// Returns what follows the class in the name of an operation on matrices: the types of the result
/// and of the operands that it does not fix.
fn matrix_suffix(
    types: &TypeTable,
    (result, ret): (&str, TypeId),
    (operands, params): (&str, &[TypeId]),
) -> String {
    let all = result.bytes().chain(operands.bytes());
    let all = all.zip(std::iter::once(&ret).chain(params.iter().skip(1)));
    let free = all.filter(|(letter, _)| matches!(letter, b'M' | b'w' | b'x' | b'g'));
    let names = free.map(|(_, ty)| matrix_overload(types, *ty));
    names.collect::<Vec<String>>().join(".")
}

/// Returns a type as it stands in the name of an operation on matrices: `mC8M16N16U0S0`, `v4f32`,
/// `i32`; of an address the type of what lies there.
fn matrix_overload(types: &TypeTable, ty: TypeId) -> String {
    match types.get(ty) {
        Type::Pointer { pointee, .. } => matrix_overload(types, *pointee),
        Type::Vector { element, count } => format!("v{count}{}", matrix_overload(types, *element)),
        Type::Half => "f16".to_owned(),
        Type::Float => "f32".to_owned(),
        Type::Double => "f64".to_owned(),
        Type::Int(width) => format!("i{width}"),
        _ => format!("m{}", matrix_name(types, ty).unwrap_or_default()),
    }
}

impl OverloadShape {
    /// Returns the shape that the suffix of a name means (`v4f32`); one without a type for any
    /// other text.
    fn of_vector(suffix: &str) -> OverloadShape {
        let parts = suffix.strip_prefix('v').and_then(|rest| {
            let scalar = rest.find(|c: char| !c.is_ascii_digit())?;
            Some(rest.split_at(scalar))
        });
        let (count, scalar) = parts.unwrap_or_default();
        OverloadShape {
            scalar: Overload::of_scalar(scalar).unwrap_or(Overload::Other),
            vector: Some(count.parse().unwrap_or(0)),
        }
    }
}

impl Expected<'_> {
    /// Returns whether a type is the one that the letter denotes.
    fn is(&self, letter: u8, ty: TypeId) -> bool {
        let types = self.types;
        match letter {
            b'v' => matches!(types.get(ty), Type::Void),
            b'1' => self.is_int(1, ty),
            b'8' => self.is_int(8, ty),
            b's' => self.is_int(16, ty),
            b'i' => self.is_int(32, ty),
            b'l' => self.is_int(64, ty),
            b'h' => matches!(types.get(ty), Type::Half),
            b'f' => matches!(types.get(ty), Type::Float),
            b'd' => matches!(types.get(ty), Type::Double),
            // The overload, its element, and booleans and `i32` in its shape.
            b'o' => self.shaped(ty, |element| self.is_scalar(self.overload.scalar, element)),
            b'e' => self.is_scalar(self.overload.scalar, ty),
            b'b' => self.shaped(ty, |element| self.is_int(1, element)),
            b'n' => self.shaped(ty, |element| self.is_int(32, element)),
            // Handles.
            b'H' => self.is_object("Handle", ty),
            b'N' => self.is_object("NodeHandle", ty),
            b'R' => self.is_object("NodeRecordHandle", ty),
            b'J' => self.is_object("HitObject", ty),
            // An address, and the value of a resource.
            b'p' => matches!(types.get(ty), Type::Pointer { .. }),
            // `createHandleForLib` takes the resource object itself, whose structure the source
            // defines.
            b'a' => !matches!(
                types.get(ty),
                Type::Pointer { .. } | Type::Void | Type::Label | Type::Metadata
            ),
            // Structures: what resources, vectors and constant buffers give, pairs and quadruples.
            b'S' => self.has_fields("ooooi", ty),
            b'V' => self.has_fields("oi", ty),
            b'C' => match self.overload.scalar {
                Overload::F64 | Overload::I64 => self.has_fields("oo", ty),
                // Min precision is stored in 32 bits.
                Overload::F16 | Overload::I16 => {
                    // Native 16-bit types have eight to a register of 16 bytes.
                    self.has_fields("oooooooo", ty) || self.has_fields("oooo", ty)
                }
                _ => self.has_fields("oooo", ty),
            },
            b'U' => self.has_fields("oooo", ty),
            b'2' => self.has_fields("ii", ty),
            b'c' => self.has_fields("i1", ty),
            b'4' => self.has_fields("iiii", ty),
            b'F' => self.has_fields("ff", ty),
            // The vertices of a triangle.
            b'9' => self.is_vector(9, ty, |element| {
                matches!(self.types.get(element), Type::Float)
            }),
            // Of matrices: themselves, vectors and scalars that the name alone tells, addresses in
            // groupshared memory, and a row and column.
            b'M' => matrix_name(self.types, ty).is_some(),
            b'w' => {
                matches!(self.types.get(ty), Type::Vector { element, .. } if self.is_scalar_of_matrix(*element))
            }
            b'x' => self.is_scalar_of_matrix(ty),
            b'g' => matches!(
                self.types.get(ty),
                Type::Pointer {
                    address_space: 3,
                    ..
                }
            ),
            b'k' => self.is_vector(2, ty, |element| self.is_int(32, element)),
            b'B' => self.has_fields("iii8", ty),
            _ => false,
        }
    }

    fn is_vector(&self, count: u32, ty: TypeId, fits: impl Fn(TypeId) -> bool) -> bool {
        match *self.types.get(ty) {
            Type::Vector {
                element,
                count: found,
            } => found == count && fits(element),
            _ => false,
        }
    }

    /// Returns whether a type may be the element of a vector beside a matrix.
    fn is_scalar_of_matrix(&self, ty: TypeId) -> bool {
        [b's', b'i', b'l', b'h', b'f', b'd']
            .into_iter()
            .any(|letter| self.is(letter, ty))
    }

    fn is_int(&self, width: u8, ty: TypeId) -> bool {
        matches!(*self.types.get(ty), Type::Int(found) if found == u16::from(width))
    }

    fn is_scalar(&self, scalar: Overload, ty: TypeId) -> bool {
        match scalar {
            Overload::F16 => self.is(b'h', ty),
            Overload::F32 => self.is(b'f', ty),
            Overload::F64 => self.is(b'd', ty),
            Overload::I1 => self.is_int(1, ty),
            Overload::I8 => self.is_int(8, ty),
            Overload::I16 => self.is_int(16, ty),
            Overload::I32 => self.is_int(32, ty),
            Overload::I64 => self.is_int(64, ty),
            Overload::Void | Overload::Other => false,
        }
    }

    /// Returns whether a type is the overload's vector of elements that fit, or such a scalar.
    fn shaped(&self, ty: TypeId, fits: impl Fn(TypeId) -> bool) -> bool {
        match (self.overload.vector, self.types.get(ty)) {
            (
                Some(count),
                Type::Vector {
                    element,
                    count: found,
                },
            ) => count == *found && fits(*element),
            (Some(_), _) => false,
            (None, _) => fits(ty),
        }
    }

    fn has_fields(&self, letters: &str, ty: TypeId) -> bool {
        let Type::Struct { fields, .. } = self.types.get(ty) else {
            return false;
        };
        fields.len() == letters.len()
            && letters
                .bytes()
                .zip(fields)
                .all(|(letter, &field)| self.is(letter, field))
    }

    /// Returns whether a type is `%dx.types.NAME`; linking adds a number to a name that is taken.
    fn is_object(&self, name: &str, ty: TypeId) -> bool {
        let Type::Struct {
            name: Some(found), ..
        } = self.types.get(ty)
        else {
            return false;
        };
        let number = found
            .strip_prefix("dx.types.")
            .and_then(|found| found.strip_prefix(name));
        number.is_some_and(|number| number.is_empty() || number.starts_with('.'))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::dxil::ops::{Opcode, Overloads};

    /// Every type that a declaration can be made of.
    struct Types {
        module: Module,
        by_letter: BTreeMap<String, TypeId>,
    }

    const SCALARS: [(&str, Overload); 8] = [
        ("f16", Overload::F16),
        ("f32", Overload::F32),
        ("f64", Overload::F64),
        ("i1", Overload::I1),
        ("i8", Overload::I8),
        ("i16", Overload::I16),
        ("i32", Overload::I32),
        ("i64", Overload::I64),
    ];

    impl Types {
        fn new() -> Self {
            let mut types = Types {
                module: Module::default(),
                by_letter: BTreeMap::new(),
            };
            let plain = [
                ("v", Type::Void),
                ("1", Type::Int(1)),
                ("8", Type::Int(8)),
                ("s", Type::Int(16)),
                ("i", Type::Int(32)),
                ("l", Type::Int(64)),
                ("h", Type::Half),
                ("f", Type::Float),
                ("d", Type::Double),
            ];
            for (letter, ty) in plain {
                types.add(letter, ty);
            }
            for letter in ["1", "8", "s", "i", "l", "h", "f", "d"] {
                for count in [2, 4] {
                    let element = types.get(letter);
                    types.add(&format!("{letter}{count}"), Type::Vector { element, count });
                }
            }
            let pointer = Type::Pointer {
                pointee: types.get("8"),
                address_space: 0,
            };
            types.add("p", pointer);
            for (letter, name) in [
                ("H", "dx.types.Handle"),
                ("N", "dx.types.NodeHandle"),
                ("R", "dx.types.NodeRecordHandle"),
                ("J", "dx.types.HitObject"),
                ("a", "struct.Buffer"),
            ] {
                types.structure(letter, &["p"], Some(name));
            }
            types
        }

        fn add(&mut self, letter: &str, ty: Type) -> TypeId {
            let id = self.module.types.types.push(ty);
            self.by_letter.insert(letter.to_owned(), id);
            id
        }

        fn get(&self, letter: &str) -> TypeId {
            self.by_letter[letter]
        }

        fn structure(&mut self, letter: &str, fields: &[&str], name: Option<&str>) -> TypeId {
            let fields = fields.iter().map(|field| self.get(field)).collect();
            self.add(
                letter,
                Type::Struct {
                    fields,
                    packed: false,
                    opaque: false,
                    name: name.map(Into::into),
                },
            )
        }

        /// Returns the letter's own type for an overload.
        fn of(&mut self, letter: char, overload: &str, count: Option<u32>) -> TypeId {
            let scalar = match overload {
                "f16" => "h",
                "f32" => "f",
                "f64" => "d",
                "i1" => "1",
                "i8" => "8",
                "i16" => "s",
                "i32" => "i",
                "i64" => "l",
                _ => "v",
            };
            let shaped = |scalar: &str| match count {
                Some(count) => format!("{scalar}{count}"),
                None => scalar.to_owned(),
            };
            let whole = shaped(scalar);
            let whole = whole.as_str();
            match letter {
                'o' => self.get(whole),
                'e' => self.get(scalar),
                'b' => self.get(&shaped("1")),
                'n' => self.get(&shaped("i")),
                'S' => self.structure("S", &[whole, whole, whole, whole, "i"], None),
                'V' => self.structure("V", &[whole, "i"], None),
                'C' if matches!(overload, "f64" | "i64") => {
                    self.structure("C", &[whole, whole], None)
                }
                'C' | 'U' => self.structure("C", &[whole; 4], None),
                '2' => self.structure("2", &["i", "i"], None),
                'c' => self.structure("c", &["i", "1"], None),
                '4' => self.structure("4", &["i"; 4], None),
                'F' => self.structure("F", &["f", "f"], None),
                'B' => self.structure("B", &["i", "i", "i", "8"], None),
                other => self.get(&other.to_string()),
            }
        }

        fn check(&mut self, types: &[TypeId], name: &str, overload: Overload) -> Result<()> {
            let ty = self.module.types.types.push(Type::Function {
                ret: types[0],
                params: types[1..].iter().copied().collect(),
                vararg: false,
            });
            check_declaration(&self.module, ty, name, overload)
        }
    }

    /// Returns the overloads of an operation: suffix, scalar, and elements of a vector.
    fn overloads(op: Opcode) -> Vec<(String, Overload, &'static str, Option<u32>)> {
        let set = op.properties().overloads;
        let mut found = Vec::new();
        for (name, overload) in SCALARS {
            let flag = Overloads::from_bits_retain(
                1 << (1 + SCALARS.iter().position(|s| s.0 == name).unwrap()),
            );
            if !set.contains(flag) {
                continue;
            }
            if set.contains(Overloads::SCALAR) || !set.contains(Overloads::VECTOR) {
                found.push((format!(".{name}"), overload, name, None));
            }
            if set.contains(Overloads::VECTOR) {
                found.push((format!(".v4{name}"), Overload::Other, name, Some(4)));
            }
        }
        if found.is_empty() {
            let suffix = if set.contains(Overloads::VOID) {
                (String::new(), Overload::Void)
            } else {
                (".struct.T".to_owned(), Overload::Other)
            };
            found.push((suffix.0, suffix.1, "", None));
        }
        found
    }

    #[test]
    fn classes_are_sorted() {
        assert!(CLASSES.is_sorted_by(|a, b| a.0 < b.0));
        assert!(CLASSES.len() < usize::from(u8::MAX));
        for (name, row) in CLASSES {
            assert_eq!(row_of(name), Some(*row));
        }
        assert_eq!(row_of("none"), None);
    }

    #[test]
    fn every_operation_takes_and_gives_the_types_of_its_class_and_no_other() {
        let mut types = Types::new();
        let mut refused = 0;
        for &op in Opcode::ALL {
            for (suffix, overload, scalar, count) in overloads(op) {
                let name = format!("{}{suffix}", op.class());
                let row = match (op.class(), overload) {
                    ("wavePrefixOp", Overload::Void) => PREFIX_BIT_COUNT,
                    (class, _) => CLASSES.iter().find(|row| row.0 == class).unwrap().1,
                };
                let (result, operands) = row.split_once(':').unwrap();
                assert_eq!(operands.len(), op.operand_count(), "{op:?}");
                let letters: String = [result, "i", operands].concat();
                let right: Vec<TypeId> = letters
                    .chars()
                    .map(|letter| types.of(letter, scalar, count))
                    .collect();
                types.check(&right, &name, overload).unwrap();
                let all: Vec<TypeId> = types.by_letter.values().copied().collect();
                for (position, letter) in letters.chars().enumerate() {
                    for &other in &all {
                        let same = types.module.types.get(other)
                            == types.module.types.get(right[position]);
                        // Of resources of libraries and addresses there are many types.
                        if same || letter == 'a' || matches!(letter, 'C' | 'U') {
                            continue;
                        }
                        let mut wrong = right.clone();
                        wrong[position] = other;
                        let error = types.check(&wrong, &name, overload);
                        assert!(error.is_err(), "{name}: {letter} at {position}");
                        refused += 1;
                    }
                }
                let fewer = &right[..right.len() - 1];
                assert!(types.check(fewer, &name, overload).is_err(), "{name}");
                let more = [&right[..], &right[1..2]].concat();
                assert!(types.check(&more, &name, overload).is_err(), "{name}");
                // Where the overload shows in a type, no other suffix has the same.
                if letters.contains(['o', 'e', 'b', 'n', 'S', 'V', 'C', 'U']) {
                    for (other, overload) in SCALARS {
                        let shows = letters.contains(['o', 'e', 'S', 'V', 'C', 'U']);
                        if shows && other != scalar {
                            let name = format!("{}.{other}", op.class());
                            assert!(types.check(&right, &name, overload).is_err(), "{name}");
                        }
                    }
                }
            }
        }
        assert!(refused > 20_000, "{refused}");
    }
}
