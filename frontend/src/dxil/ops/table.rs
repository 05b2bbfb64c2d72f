//! The op table: one row says everything about a DXIL operation. This is the only place with opcode
//! numbers, classes or operand order, beside [`super::preview_table`]; [`super::Opcode`],
//! [`super::Properties`], [`super::Op`] and the decoder are made from it. Facts: the DXIL document
//! ("Operations") and DXC's own table.
//!
//! A row:
//!
//! ```text
//! /// What the operation gives or does, in a sentence.
//! (no., Op = "DXIL name where it differs", "class", [operands after the opcode],
//!     [overloads], memory, (shader model; the same where the linker translates), stages, [flags],
//!     "HLSL")
//! ```
//!
//! Rows stand in sections, `Section = Enumeration { rows in opcode order }`. A section is a
//! [`super::Group`] of operations that belong together. Each group has its own enumeration, and the
//! lowering matches it in one place without a `_` arm, so a new row stops the build there. A pass
//! that has to know which operations read other lanes, take a sampler or write memory consults the
//! row ([`super::Properties`]) and keeps no list.
//!
//! * Operand roles are the aliases of [`super::operands`]: `Const<T>` is an immediate, `Optional`
//!   may be `undef`, `Values<4>` are four operands in a row under one name. `Buffer`, `Texture`,
//!   `Sampler` and their like are handles, `Data` is what the operation writes.
//! * Overloads: `vec` adds native vectors (SM 6.9) of the scalars listed, `vec_only` allows nothing
//!   else.
//! * The last word is the intrinsic, method or system value that HLSL has for it, or the first of
//!   several; empty where HLSL has operators or syntax.
//! * What depends on the shader model beyond the row is in [`super::constraints`].
//! * Stages and flags are constants of [`super::Stages`] and [`super::OpFlags`].

/// Hands every operation's row to the macro `$with`, those of the preview last.
macro_rules! for_each_dxil_op { ($with:ident) => { $crate::dxil::ops::preview_table::with_preview_ops! { $with {
// Floating-point arithmetic.
Float = FloatOp {
    /// Absolute value.
    (  6, FAbs, "unary", [value: Value], [f16 f32 f64 vec], ReadNone, (6, 0), ALL, [], "abs")
    /// Clamps to 0 to 1; NaN gives 0.
    (  7, Saturate, "unary", [value: Value], [f16 f32 f64 vec], ReadNone, (6, 0), ALL, [], "saturate")
    /// Whether a value is NaN.
    (  8, IsNaN, "isSpecialFloat", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "isnan")
    /// Whether a value is an infinity.
    (  9, IsInf, "isSpecialFloat", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "isinf")
    /// Whether a value is neither NaN nor an infinity.
    ( 10, IsFinite, "isSpecialFloat", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "isfinite")
    /// Whether a value is neither zero, denormal, NaN nor an infinity.
    ( 11, IsNormal, "isSpecialFloat", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "isnormal")
    /// Cosine of an angle in radians.
    ( 12, Cos, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "cos")
    /// Sine of an angle in radians.
    ( 13, Sin, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "sin")
    /// Tangent of an angle in radians.
    ( 14, Tan, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "tan")
    /// Arccosine, in radians.
    ( 15, Acos, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "acos")
    /// Arcsine, in radians.
    ( 16, Asin, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "asin")
    /// Arctangent, in radians.
    ( 17, Atan, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "atan")
    /// Hyperbolic cosine.
    ( 18, Hcos, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "cosh")
    /// Hyperbolic sine.
    ( 19, Hsin, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "sinh")
    /// Hyperbolic tangent.
    ( 20, Htan, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "tanh")
    /// Two to the power of a value.
    ( 21, Exp, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "exp2")
    /// Fraction: the value minus its floor.
    ( 22, Frc, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "frac")
    /// Logarithm to base 2.
    ( 23, Log, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "log2")
    /// Square root.
    ( 24, Sqrt, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "sqrt")
    /// Reciprocal of the square root.
    ( 25, Rsqrt, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "rsqrt")
    /// Rounds to the nearest integer, ties to even.
    ( 26, RoundNe = "Round_ne", "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "round")
    /// Rounds towards negative infinity.
    ( 27, RoundNi = "Round_ni", "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "floor")
    /// Rounds towards positive infinity.
    ( 28, RoundPi = "Round_pi", "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "ceil")
    /// Rounds towards zero.
    ( 29, RoundZ = "Round_z", "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [], "trunc")
    /// The greater of two floats; the other one if one is NaN.
    ( 35, FMax, "binary", [a: Value, b: Value], [f16 f32 f64 vec], ReadNone, (6, 0), ALL, [], "max")
    /// The lesser of two floats; the other one if one is NaN.
    ( 36, FMin, "binary", [a: Value, b: Value], [f16 f32 f64 vec], ReadNone, (6, 0), ALL, [], "min")
    /// `a * b + c`, rounded once or twice.
    ( 46, FMad, "tertiary", [a: Value, b: Value, c: Value], [f16 f32 f64 vec], ReadNone, (6, 0), ALL, [], "mad")
    /// `a * b + c`, rounded once.
    ( 47, Fma, "tertiary", [a: Value, b: Value, c: Value], [f64 vec], ReadNone, (6, 0), ALL, [], "fma")
    /// Dot product of two components.
    ( 54, Dot2, "dot2", [a: Values<2>, b: Values<2>], [f16 f32], ReadNone, (6, 0), ALL, [], "dot")
    /// Dot product of three components.
    ( 55, Dot3, "dot3", [a: Values<3>, b: Values<3>], [f16 f32], ReadNone, (6, 0), ALL, [], "dot")
    /// Dot product of four components.
    ( 56, Dot4, "dot4", [a: Values<4>, b: Values<4>], [f16 f32], ReadNone, (6, 0), ALL, [], "dot")
    /// Adds the dot product of two halves each to a float.
    (162, Dot2AddHalf, "dot2AddHalf", [acc: Value, a: Values<2>, b: Values<2>],
        [f32], ReadNone, (6, 4), ALL, [], "dot2add")
}
// Integer arithmetic.
Integer = IntegerOp {
    /// The greater of two signed integers.
    ( 37, IMax, "binary", [a: Value, b: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [], "max")
    /// The lesser of two signed integers.
    ( 38, IMin, "binary", [a: Value, b: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [], "min")
    /// The greater of two unsigned integers.
    ( 39, UMax, "binary", [a: Value, b: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [], "max")
    /// The lesser of two unsigned integers.
    ( 40, UMin, "binary", [a: Value, b: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [], "min")
    /// High and low word of a signed product.
    ( 41, IMul, "binaryWithTwoOuts", [a: Value, b: Value], [i32], ReadNone, (6, 0), ALL, [], "")
    /// High and low word of an unsigned product.
    ( 42, UMul, "binaryWithTwoOuts", [a: Value, b: Value], [i32], ReadNone, (6, 0), ALL, [], "")
    /// Quotient and remainder of unsigned integers; all bits set for a division by zero.
    ( 43, UDiv, "binaryWithTwoOuts", [a: Value, b: Value], [i32], ReadNone, (6, 0), ALL, [], "")
    /// Sum of unsigned integers, and whether it overflows.
    ( 44, UAddc, "binaryWithCarryOrBorrow", [a: Value, b: Value], [i32], ReadNone, (6, 0), ALL, [], "")
    /// Difference of unsigned integers, and whether it borrows.
    ( 45, USubb, "binaryWithCarryOrBorrow", [a: Value, b: Value], [i32], ReadNone, (6, 0), ALL, [], "")
    /// `a * b + c` of signed integers.
    ( 48, IMad, "tertiary", [a: Value, b: Value, c: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [], "mad")
    /// `a * b + c` of unsigned integers.
    ( 49, UMad, "tertiary", [a: Value, b: Value, c: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [], "mad")
    /// Adds the absolute differences of bytes whose reference is not zero.
    ( 50, Msad, "tertiary", [a: Value, b: Value, c: Value], [i32], ReadNone, (6, 0), ALL, [], "msad4")
    /// Adds the dot product of four signed bytes each.
    (163, Dot4AddI8Packed, "dot4AddPacked", [acc: Value, a: Value, b: Value],
        [i32], ReadNone, (6, 4), ALL, [], "dot4add_i8packed")
    /// Adds the dot product of four unsigned bytes each.
    (164, Dot4AddU8Packed, "dot4AddPacked", [acc: Value, a: Value, b: Value],
        [i32], ReadNone, (6, 4), ALL, [], "dot4add_u8packed")
}
// Bit operations, bit casts and legacy conversions.
Bits = BitsOp {
    /// Reverses the order of the bits.
    ( 30, Bfrev, "unary", [value: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [], "reversebits")
    /// Number of bits that are set.
    ( 31, Countbits, "unaryBits", [value: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [], "countbits")
    /// Position of the lowest bit that is set, from the lowest; -1 if there is none.
    ( 32, FirstbitLo, "unaryBits", [value: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [], "firstbitlow")
    /// Position of the highest bit that is set, from the highest; -1 if there is none.
    ( 33, FirstbitHi, "unaryBits", [value: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [], "firstbithigh")
    /// Position of the highest bit unlike the sign, from the highest; -1 if there is none.
    ( 34, FirstbitSHi, "unaryBits", [value: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [], "firstbithigh")
    /// Signed bit field of width `a` at offset `b` of `c`.
    ( 51, Ibfe, "tertiary", [a: Value, b: Value, c: Value], [i32], ReadNone, (6, 0), ALL, [], "")
    /// Unsigned bit field of width `a` at offset `b` of `c`.
    ( 52, Ubfe, "tertiary", [a: Value, b: Value, c: Value], [i32], ReadNone, (6, 0), ALL, [], "")
    /// Inserts a bit field into `base`.
    ( 53, Bfi, "quaternary", [width: Value, offset: Value, value: Value, base: Value],
        [i32], ReadNone, (6, 0), ALL, [], "")
    /// Double of two words.
    (101, MakeDouble, "makeDouble", [lo: Value, hi: Value], [f64], ReadNone, (6, 0), ALL, [], "asdouble")
    /// The two words of a double.
    (102, SplitDouble, "splitDouble", [value: Value], [f64], ReadNone, (6, 0), ALL, [], "asuint")
    /// Bits of an integer of 16 bits as a half.
    (124, BitcastI16toF16, "bitcastI16toF16", [value: Value], [void], ReadNone, (6, 0), ALL, [], "asfloat16")
    /// Bits of a half as an integer of 16 bits.
    (125, BitcastF16toI16, "bitcastF16toI16", [value: Value], [void], ReadNone, (6, 0), ALL, [], "asuint16")
    /// Bits of an integer of 32 bits as a float.
    (126, BitcastI32toF32, "bitcastI32toF32", [value: Value], [void], ReadNone, (6, 0), ALL, [], "asfloat")
    /// Bits of a float as an integer of 32 bits.
    (127, BitcastF32toI32, "bitcastF32toI32", [value: Value], [void], ReadNone, (6, 0), ALL, [], "asuint")
    /// Bits of an integer of 64 bits as a double.
    (128, BitcastI64toF64, "bitcastI64toF64", [value: Value], [void], ReadNone, (6, 0), ALL, [], "")
    /// Bits of a double as an integer of 64 bits.
    (129, BitcastF64toI64, "bitcastF64toI64", [value: Value], [void], ReadNone, (6, 0), ALL, [], "")
    /// Bits of a float that is rounded to a half.
    (130, LegacyF32ToF16, "legacyF32ToF16", [value: Value], [void], ReadNone, (6, 0), ALL, [], "f32tof16")
    /// Float of a half's bits.
    (131, LegacyF16ToF32, "legacyF16ToF32", [value: Value], [void], ReadNone, (6, 0), ALL, [], "f16tof32")
    /// Double to float.
    (132, LegacyDoubleToFloat, "legacyDoubleToFloat", [value: Value], [void], ReadNone, (6, 0), ALL, [], "")
    /// Double to signed integer.
    (133, LegacyDoubleToSInt32, "legacyDoubleToSInt32", [value: Value], [void], ReadNone, (6, 0), ALL, [], "")
    /// Double to unsigned integer.
    (134, LegacyDoubleToUInt32, "legacyDoubleToUInt32", [value: Value], [void], ReadNone, (6, 0), ALL, [], "")
    /// Four integers of the bytes of a word, sign-extended or zero-extended.
    (219, Unpack4x8, "unpack4x8", [mode: Const<UnpackMode>, packed: Value],
        [i16 i32], ReadNone, (6, 6), ALL, [], "unpack_s8s32")
    /// Four integers as the bytes of a word, cut off or clamped.
    (220, Pack4x8, "pack4x8", [mode: Const<PackMode>, values: Values<4>],
        [i16 i32], ReadNone, (6, 6), ALL, [], "pack_u8")
}
// Register files (never written for SM 6).
Register = RegisterOp {
    /// Reads a temporary register.
    (  0, TempRegLoad, "tempRegLoad", [index: Value], [f16 f32 i16 i32], ReadOnly, (6, 0), ALL, [REGISTER], "")
    /// Writes a temporary register.
    (  1, TempRegStore, "tempRegStore", [index: Value, value: Value],
        [f16 f32 i16 i32], ReadWrite, (6, 0), ALL, [REGISTER], "")
    /// Reads an indexable register of minimum precision.
    (  2, MinPrecXRegLoad, "minPrecXRegLoad", [register: Value, index: Value, component: Const<u8>],
        [f16 i16], ReadOnly, (6, 0), ALL, [REGISTER], "")
    /// Writes an indexable register of minimum precision.
    (  3, MinPrecXRegStore, "minPrecXRegStore", [register: Value, index: Value, component: Const<u8>, value: Value],
        [f16 i16], ReadWrite, (6, 0), ALL, [REGISTER], "")
}
// Elements of signatures.
Signature = SignatureOp {
    /// Component of an input element.
    (  4, LoadInput, "loadInput", [element: Const<u32>, row: Value, column: Const<u8>, vertex: Optional],
        [f16 f32 i16 i32], ReadNone, (6, 0), ALL, [SIGNATURE], "")
    /// Writes a component of an output element.
    (  5, StoreOutput, "storeOutput", [element: Const<u32>, row: Value, column: Const<u8>, value: Data],
        [f16 f32 i16 i32], ReadWrite, (6, 0), ALL, [SIGNATURE], "")
    /// Input attribute at an offset from the pixel's centre, in sixteenths of a pixel.
    ( 87, EvalSnapped, "evalSnapped", [element: Const<u32>, row: Value, column: Const<u8>, offset_x: Value, offset_y: Value],
        [f16 f32], ReadNone, (6, 0), PIXEL, [], "EvaluateAttributeSnapped")
    /// Input attribute at a sample.
    ( 88, EvalSampleIndex, "evalSampleIndex", [element: Const<u32>, row: Value, column: Const<u8>, sample_index: Value],
        [f16 f32], ReadNone, (6, 0), PIXEL, [], "EvaluateAttributeAtSample")
    /// Input attribute at the centroid.
    ( 89, EvalCentroid, "evalCentroid", [element: Const<u32>, row: Value, column: Const<u8>],
        [f16 f32], ReadNone, (6, 0), PIXEL, [], "EvaluateAttributeAtCentroid")
    /// Component of a control point that the hull shader has written.
    (103, LoadOutputControlPoint, "loadOutputControlPoint", [element: Const<u32>, row: Value, column: Const<u8>, index: Value],
        [f16 f32 i16 i32], ReadNone, (6, 0), TESSELLATION, [], "")
    /// Component of an element of the patch.
    (104, LoadPatchConstant, "loadPatchConstant", [element: Const<u32>, row: Value, column: Const<u8>],
        [f16 f32 i16 i32], ReadNone, (6, 0), TESSELLATION, [], "")
    /// Writes a component of an element of the patch.
    (106, StorePatchConstant, "storePatchConstant", [element: Const<u32>, row: Value, column: Const<u8>, value: Data],
        [f16 f32 i16 i32], ReadWrite, (6, 0), HULL, [], "")
    /// Input attribute at a vertex of the triangle.
    (137, AttributeAtVertex, "attributeAtVertex", [element: Const<u32>, row: Value, column: Const<u8>, vertex: Const<u8>],
        [f16 f32 i16 i32], ReadNone, (6, 1), PIXEL, [], "GetAttributeAtVertex")
    /// Writes a component of a vertex.
    (171, StoreVertexOutput, "storeVertexOutput", [element: Const<u32>, row: Value, column: Const<u8>, value: Data, vertex_index: Value],
        [f16 f32 i16 i32], ReadWrite, (6, 5), MESH, [], "")
    /// Writes a component of a primitive.
    (172, StorePrimitiveOutput, "storePrimitiveOutput", [element: Const<u32>, row: Value, column: Const<u8>, value: Data, primitive_index: Value],
        [f16 f32 i16 i32], ReadWrite, (6, 5), MESH, [], "")
}
// System values that have an operation of their own.
SystemValue = SystemValueOp {
    /// Position of a sample of the render target.
    ( 76, RenderTargetGetSamplePosition, "renderTargetGetSamplePosition", [index: Value],
        [void], ReadOnly, (6, 0), PIXEL, [], "GetRenderTargetSamplePosition")
    /// Number of samples of the render target.
    ( 77, RenderTargetGetSampleCount, "renderTargetGetSampleCount", [], [void], ReadOnly, (6, 0), PIXEL, [], "GetRenderTargetSampleCount")
    /// Number of the sample that the shader runs for.
    ( 90, SampleIndex, "sampleIndex", [], [i32], ReadNone, (6, 0), PIXEL, [], "SV_SampleIndex")
    /// Mask of the samples that the primitive covers.
    ( 91, Coverage, "coverage", [], [i32], ReadNone, (6, 0), PIXEL, [], "SV_Coverage")
    /// Whether the primitive covers the whole pixel.
    ( 92, InnerCoverage, "innerCoverage", [], [i32], ReadNone, (6, 0), PIXEL, [], "SV_InnerCoverage")
    /// Number of the instance of a geometry shader.
    (100, GSInstanceID, "gsInstanceID", [], [i32], ReadNone, (6, 0), GEOMETRY, [], "SV_GSInstanceID")
    /// Coordinate of the point in the patch's domain.
    (105, DomainLocation, "domainLocation", [component: Const<u8>], [f32], ReadNone, (6, 0), DOMAIN, [], "SV_DomainLocation")
    /// Number of the control point that the hull shader runs for.
    (107, OutputControlPointID, "outputControlPointID", [], [i32], ReadNone, (6, 0), HULL, [], "SV_OutputControlPointID")
    /// Number of the primitive.
    (108, PrimitiveID, "primitiveID", [], [i32], ReadNone, (6, 0), PRIMITIVE, [], "SV_PrimitiveID")
    /// Number of the view.
    (138, ViewID, "viewID", [], [i32], ReadNone, (6, 1), GRAPHICS, [SIGNATURE], "SV_ViewID")
    /// Number that is added to the indices of the draw.
    (256, StartVertexLocation, "startVertexLocation", [], [i32], ReadNone, (6, 8), VERTEX, [], "SV_StartVertexLocation")
    /// Number of the draw's first instance.
    (257, StartInstanceLocation, "startInstanceLocation", [], [i32], ReadNone, (6, 8), VERTEX, [], "SV_StartInstanceLocation")
}
// The position of a thread in its group and dispatch.
ThreadId = ThreadIdOp {
    /// Position of the thread in the dispatch.
    ( 93, ThreadId, "threadId", [component: Const<u32>], [i32], ReadNone, (6, 0), THREAD_GROUP, [], "SV_DispatchThreadID")
    /// Position of the group in the dispatch.
    ( 94, GroupId, "groupId", [component: Const<u32>], [i32], ReadNone, (6, 0), THREAD_GROUP, [], "SV_GroupID")
    /// Position of the thread in its group.
    ( 95, ThreadIdInGroup, "threadIdInGroup", [component: Const<u32>],
        [i32], ReadNone, (6, 0), THREAD_GROUP, [], "SV_GroupThreadID")
    /// Number of the thread in its group.
    ( 96, FlattenedThreadIdInGroup, "flattenedThreadIdInGroup", [], [i32], ReadNone, (6, 0), THREAD_GROUP, [], "SV_GroupIndex")
}
// Output streams of geometry shaders.
Stream = StreamOp {
    /// Appends a vertex to a stream.
    ( 97, EmitStream, "emitStream", [stream: Const<u8>], [void], ReadWrite, (6, 0), GEOMETRY, [], "TriangleStream.Append")
    /// Ends the strip of a stream.
    ( 98, CutStream, "cutStream", [stream: Const<u8>], [void], ReadWrite, (6, 0), GEOMETRY, [], "TriangleStream.RestartStrip")
    /// Appends a vertex to a stream and ends the strip.
    ( 99, EmitThenCutStream, "emitThenCutStream", [stream: Const<u8>],
        [void], ReadWrite, (6, 0), GEOMETRY, [], "")
}
// Mesh and amplification shaders.
Mesh = MeshOp {
    /// Sets the numbers of vertices and primitives.
    (168, SetMeshOutputCounts, "setMeshOutputCounts", [vertex_count: Value, primitive_count: Value],
        [void], ReadWrite, (6, 5), MESH, [], "SetMeshOutputCounts")
    /// Writes the indices of a primitive.
    (169, EmitIndices, "emitIndices", [primitive_index: Value, vertices: Values<3>],
        [void], ReadWrite, (6, 5), MESH, [], "")
    /// Pointer to the payload of the amplification shader.
    (170, GetMeshPayload, "getMeshPayload", [], [udt], ReadOnly, (6, 5), MESH, [], "")
    /// Dispatches mesh shader groups with a payload.
    (173, DispatchMesh, "dispatchMesh", [group_count: Values<3>, payload: Value],
        [udt], ReadWrite, (6, 5), AMPLIFICATION, [], "DispatchMesh")
}
// Waves, quads and the cycle counter.
CrossLane = CrossLaneOp {
    /// Two words of a clock that counts cycles.
    (109, CycleCounterLegacy, "cycleCounterLegacy", [], [void], ReadWrite, (6, 0), ALL, [], "")
    /// Whether the lane is the first active one.
    (110, WaveIsFirstLane, "waveIsFirstLane", [], [void], ReadWrite, (6, 0), ALL, [WAVE], "WaveIsFirstLane")
    /// Number of the lane.
    (111, WaveGetLaneIndex, "waveGetLaneIndex", [], [void], ReadOnly, (6, 0), ALL, [WAVE], "WaveGetLaneIndex")
    /// Number of lanes of a wave.
    (112, WaveGetLaneCount, "waveGetLaneCount", [], [void], ReadNone, (6, 0), ALL, [WAVE], "WaveGetLaneCount")
    /// Whether a condition holds in any active lane.
    (113, WaveAnyTrue, "waveAnyTrue", [condition: Value], [void], ReadWrite, (6, 0), ALL, [WAVE], "WaveActiveAnyTrue")
    /// Whether a condition holds in all active lanes.
    (114, WaveAllTrue, "waveAllTrue", [condition: Value], [void], ReadWrite, (6, 0), ALL, [WAVE], "WaveActiveAllTrue")
    /// Whether all active lanes have the same value.
    (115, WaveActiveAllEqual, "waveActiveAllEqual", [value: Value],
        [f16 f32 f64 i1 i8 i16 i32 i64 vec], ReadWrite, (6, 0), ALL, [WAVE], "WaveActiveAllEqual")
    /// Mask of the active lanes in which a condition holds.
    (116, WaveActiveBallot, "waveActiveBallot", [condition: Value], [void], ReadWrite, (6, 0), ALL, [WAVE], "WaveActiveBallot")
    /// Value of a lane.
    (117, WaveReadLaneAt, "waveReadLaneAt", [value: Value, lane: Value],
        [f16 f32 f64 i1 i8 i16 i32 i64 vec], ReadWrite, (6, 0), ALL, [WAVE], "WaveReadLaneAt")
    /// Value of the first active lane.
    (118, WaveReadLaneFirst, "waveReadLaneFirst", [value: Value],
        [f16 f32 f64 i1 i8 i16 i32 i64 vec], ReadWrite, (6, 0), ALL, [WAVE], "WaveReadLaneFirst")
    /// Sum, product, minimum or maximum over the active lanes.
    (119, WaveActiveOp, "waveActiveOp", [value: Value, op: Const<WaveOp>, sign: Const<Sign>],
        [f16 f32 f64 i1 i8 i16 i32 i64 vec], ReadWrite, (6, 0), ALL, [WAVE], "WaveActiveSum")
    /// Bitwise and, or, exclusive or over the active lanes.
    (120, WaveActiveBit, "waveActiveBit", [value: Value, op: Const<WaveBitOp>],
        [i8 i16 i32 i64 vec], ReadWrite, (6, 0), ALL, [WAVE], "WaveActiveBitAnd")
    /// Sum or product over the active lanes with lower numbers.
    (121, WavePrefixOp, "wavePrefixOp", [value: Value, op: Const<WaveOp>, sign: Const<Sign>],
        [f16 f32 f64 i8 i16 i32 i64 vec], ReadWrite, (6, 0), ALL, [WAVE], "WavePrefixSum")
    /// Value of a lane of the quad.
    (122, QuadReadLaneAt, "quadReadLaneAt", [value: Value, lane: Value],
        [f16 f32 f64 i1 i8 i16 i32 i64 vec], ReadWrite, (6, 0), DERIVATIVE, [WAVE QUAD], "QuadReadLaneAt")
    /// Value of the lane across the quad in a direction.
    (123, QuadOp, "quadOp", [value: Value, op: Const<QuadDirection>],
        [f16 f32 f64 i8 i16 i32 i64 vec], ReadWrite, (6, 0), DERIVATIVE, [WAVE QUAD], "QuadReadAcrossX")
    /// Number of active lanes in which a condition holds.
    (135, WaveAllBitCount, "waveAllOp", [value: Value], [void], ReadWrite, (6, 0), ALL, [WAVE], "WaveActiveCountBits")
    /// Number of active lanes with lower numbers in which a condition holds.
    (136, WavePrefixBitCount, "wavePrefixOp", [value: Value], [void], ReadWrite, (6, 0), ALL, [WAVE], "WavePrefixCountBits")
    /// Mask of the active lanes that have the same value.
    (165, WaveMatch, "waveMatch", [value: Value],
        [f16 f32 f64 i8 i16 i32 i64 vec], ReadWrite, (6, 5), ALL, [WAVE], "WaveMatch")
    /// Sum, product or bitwise operation over the lanes of a mask with lower numbers.
    (166, WaveMultiPrefixOp, "waveMultiPrefixOp", [value: Value, mask: Values<4>, op: Const<WaveMultiPrefixOp>, sign: Const<Sign>],
        [f16 f32 f64 i8 i16 i32 i64 vec], ReadWrite, (6, 5), ALL, [WAVE], "WaveMultiPrefixSum")
    /// Number of lanes of a mask with lower numbers in which a condition holds.
    (167, WaveMultiPrefixBitCount, "waveMultiPrefixBitCount", [value: Value, mask: Values<4>],
        [void], ReadWrite, (6, 5), ALL, [WAVE], "WaveMultiPrefixCountBits")
    /// Whether a condition holds in any or all lanes of the quad.
    (222, QuadVote, "quadVote", [condition: Value, op: Const<QuadVoteKind>],
        [i1], ReadWrite, (6, 7; 6, 0), DERIVATIVE, [WAVE QUAD], "QuadAny")
}
// Derivatives, and the helper lanes that they need.
Derivative = DerivativeOp {
    /// Ends the pixel if a condition holds; the lane stays as a helper.
    ( 82, Discard, "discard", [condition: Value], [void], ReadWrite, (6, 0), PIXEL, [DISCARD], "discard")
    /// Derivative along x, one for the quad.
    ( 83, DerivCoarseX, "unary", [value: Value],
        [f16 f32 vec], ReadNone, (6, 0), DERIVATIVE, [GRADIENT DERIVATIVE], "ddx_coarse")
    /// Derivative along y, one for the quad.
    ( 84, DerivCoarseY, "unary", [value: Value],
        [f16 f32 vec], ReadNone, (6, 0), DERIVATIVE, [GRADIENT DERIVATIVE], "ddy_coarse")
    /// Derivative along x, one for each row of the quad.
    ( 85, DerivFineX, "unary", [value: Value],
        [f16 f32 vec], ReadNone, (6, 0), DERIVATIVE, [GRADIENT DERIVATIVE], "ddx_fine")
    /// Derivative along y, one for each column of the quad.
    ( 86, DerivFineY, "unary", [value: Value],
        [f16 f32 vec], ReadNone, (6, 0), DERIVATIVE, [GRADIENT DERIVATIVE], "ddy_fine")
    /// Whether the lane is a helper.
    (221, IsHelperLane, "isHelperLane", [], [i1], ReadOnly, (6, 6), ALL, [HELPER_LANE], "IsHelperLane")
}
// Barriers.
Barrier = BarrierOp {
    /// Orders memory accesses, and threads of the group.
    ( 80, Barrier, "barrier", [mode: Const<BarrierMode>], [void], NoDuplicate, (6, 0), ALL, [], "GroupMemoryBarrierWithGroupSync")
    /// Orders accesses to kinds of memory.
    (244, BarrierByMemoryType, "barrierByMemoryType", [memory: Const<MemoryTypes>, semantics: Const<BarrierSemantics>],
        [void], NoDuplicate, (6, 8; 6, 0), ALL, [], "Barrier")
    /// Orders accesses to a resource.
    (245, BarrierByMemoryHandle, "barrierByMemoryHandle", [object: Handle, semantics: Const<BarrierSemantics>],
        [void], NoDuplicate, (6, 8), ALL, [], "Barrier")
    /// Orders accesses to a node's record.
    (246, BarrierByNodeRecordHandle, "barrierByNodeRecordHandle", [object: NodeRecord, semantics: Const<BarrierSemantics>],
        [void], NoDuplicate, (6, 8), NODE, [], "Barrier")
}
// Handles of resources: what makes one, and what says more of it.
Handle = HandleOp {
    /// Handle of a resource in a range.
    ( 57, CreateHandle, "createHandle", [class: Const<ResourceClass>, range_id: Const<u32>, index: Value, non_uniform: Const<bool>],
        [void], ReadOnly, (6, 0), ALL, [], "")
    /// Handle of a resource variable, in libraries.
    (160, CreateHandleForLib, "createHandleForLib", [resource: Value], [obj], ReadOnly, (6, 3; 6, 0), ALL, [], "")
    /// Says what kind of resource a handle is of.
    (216, AnnotateHandle, "annotateHandle", [handle: Handle, properties: Const<ResourceProperties>],
        [void], ReadNone, (6, 6; 6, 0), ALL, [], "")
    /// Handle of a resource in a register range.
    (217, CreateHandleFromBinding, "createHandleFromBinding", [binding: Const<ResourceBinding>, index: Value, non_uniform: Const<bool>],
        [void], ReadNone, (6, 6; 6, 0), ALL, [], "")
    /// Handle of a resource in a descriptor heap.
    (218, CreateHandleFromHeap, "createHandleFromHeap", [index: Value, sampler_heap: Const<bool>, non_uniform: Const<bool>],
        [void], ReadNone, (6, 6), ALL, [], "ResourceDescriptorHeap")
}
// Buffers.
Buffer = BufferOp {
    /// Value of a constant buffer at a byte offset.
    ( 58, CBufferLoad, "cbufferLoad", [buffer: ConstantBuffer, byte_offset: Value, align: Const<u32>],
        [f16 f32 f64 i8 i16 i32 i64], ReadOnly, (6, 0), ALL, [], "")
    /// Row of 16 bytes of a constant buffer.
    ( 59, CBufferLoadLegacy, "cbufferLoadLegacy", [buffer: ConstantBuffer, register: Value],
        [f16 f32 f64 i16 i32 i64], ReadOnly, (6, 0), ALL, [], "")
    /// Element of a typed or structured buffer.
    ( 68, BufferLoad, "bufferLoad", [buffer: Buffer, index: Value, element_offset: ElementOffset],
        [f16 f32 i16 i32], ReadOnly, (6, 0), ALL, [], "Buffer.Load")
    /// Writes an element of a typed or structured buffer.
    ( 69, BufferStore, "bufferStore", [buffer: Buffer, index: Value, element_offset: ElementOffset, values: DataList<4>, mask: Const<u8>],
        [f16 f32 i16 i32], ReadWrite, (6, 0), ALL, [], "RWBuffer[]")
    /// Up to four values of a raw or structured buffer.
    (139, RawBufferLoad, "rawBufferLoad", [buffer: Buffer, index: Value, element_offset: ElementOffset, mask: Const<u8>, align: Const<u32>],
        [f16 f32 f64 i16 i32 i64], ReadOnly, (6, 2; 6, 0), ALL, [], "ByteAddressBuffer.Load")
    /// Writes up to four values of a raw or structured buffer.
    (140, RawBufferStore, "rawBufferStore", [buffer: Buffer, index: Value, element_offset: ElementOffset, values: DataList<4>, mask: Const<u8>, align: Const<u32>],
        [f16 f32 f64 i16 i32 i64], ReadWrite, (6, 2; 6, 0), ALL, [], "RWByteAddressBuffer.Store")
}
// Loads, stores, gathers and queries.
Texture = TextureOp {
    /// Texel of a texture, without a sampler.
    ( 66, TextureLoad, "textureLoad", [texture: Texture, mip_or_sample: Optional, coords: Values<3>, offsets: Optionals<3>],
        [f16 f32 i16 i32], ReadOnly, (6, 0), ALL, [], "Texture2D.Load")
    /// Writes a texel.
    ( 67, TextureStore, "textureStore", [texture: Texture, coords: Values<3>, values: DataList<4>, mask: Const<u8>],
        [f16 f32 i16 i32], ReadWrite, (6, 0), ALL, [], "RWTexture2D[]")
    /// Whether all texels of an access were in memory.
    ( 71, CheckAccessFullyMapped, "checkAccessFullyMapped", [status: Value], [i32], ReadOnly, (6, 0), ALL, [RESIDENCY], "CheckAccessFullyMapped")
    /// Sizes of a resource, and its number of levels or samples.
    ( 72, GetDimensions, "getDimensions", [resource: Handle, mip: Optional],
        [void], ReadOnly, (6, 0), ALL, [QUERY], "GetDimensions")
    /// A channel of the four texels that a linear filter would take.
    ( 73, TextureGather, "textureGather", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<2>, channel: Const<u32>],
        [f16 f32 i16 i32], ReadOnly, (6, 0), ALL, [], "Texture2D.Gather")
    /// Comparisons of the four texels that a linear filter would take.
    ( 74, TextureGatherCmp, "textureGatherCmp", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<2>, channel: Const<u32>, reference: Value],
        [f16 f32 i16 i32], ReadOnly, (6, 0), ALL, [COMPARE], "Texture2D.GatherCmp")
    /// Position of a sample of a texture.
    ( 75, Texture2DMSGetSamplePosition, "texture2DMSGetSamplePosition", [texture: Texture, index: Value],
        [void], ReadOnly, (6, 0), ALL, [QUERY], "Texture2DMS.GetSamplePosition")
    /// Level of detail that a sample would take.
    ( 81, CalculateLOD, "calculateLOD", [resource: Handle, sampler: Sampler, coords: Values<3>, clamped: Const<bool>],
        [f32], ReadOnly, (6, 0), DERIVATIVE, [GRADIENT QUERY], "Texture2D.CalculateLevelOfDetail")
    /// Bits of the four texels that a linear filter would take.
    (223, TextureGatherRaw, "textureGatherRaw", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<2>],
        [i16 i32 i64], ReadOnly, (6, 7), ALL, [], "Texture2D.GatherRaw")
    /// Writes a sample of a texel.
    (225, TextureStoreSample, "textureStoreSample", [texture: Texture, coords: Values<3>, values: DataList<4>, mask: Const<u8>, sample: Value],
        [f16 f32 i16 i32], ReadWrite, (6, 7), ALL, [], "RWTexture2DMS.sample[][]")
}
// Sampling.
Sampling = SamplingOp {
    /// Filtered texel; the level follows from derivatives.
    ( 60, Sample, "sample", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<3>, clamp: Optional],
        [f16 f32 i16 i32], ReadOnly, (6, 0), DERIVATIVE, [GRADIENT], "Texture2D.Sample")
    /// Filtered texel; a bias is added to the level.
    ( 61, SampleBias, "sampleBias", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<3>, bias: Value, clamp: Optional],
        [f16 f32 i16 i32], ReadOnly, (6, 0), DERIVATIVE, [GRADIENT], "Texture2D.SampleBias")
    /// Filtered texel of a level.
    ( 62, SampleLevel, "sampleLevel", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<3>, lod: Value],
        [f16 f32 i16 i32], ReadOnly, (6, 0), ALL, [], "Texture2D.SampleLevel")
    /// Filtered texel; the level follows from given gradients.
    ( 63, SampleGrad, "sampleGrad", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<3>, ddx: Values<3>, ddy: Values<3>, clamp: Optional],
        [f16 f32 i16 i32], ReadOnly, (6, 0), ALL, [], "Texture2D.SampleGrad")
    /// Filtered comparisons; the level follows from derivatives.
    ( 64, SampleCmp, "sampleCmp", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<3>, reference: Value, clamp: Optional],
        [f16 f32], ReadOnly, (6, 0), DERIVATIVE, [GRADIENT COMPARE], "Texture2D.SampleCmp")
    /// Filtered comparisons on level 0.
    ( 65, SampleCmpLevelZero, "sampleCmpLevelZero", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<3>, reference: Value],
        [f16 f32], ReadOnly, (6, 0), ALL, [COMPARE], "Texture2D.SampleCmpLevelZero")
    /// Filtered comparisons on a level.
    (224, SampleCmpLevel, "sampleCmpLevel", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<3>, reference: Value, lod: Value],
        [f16 f32], ReadOnly, (6, 7), ALL, [COMPARE], "Texture2D.SampleCmpLevel")
    /// Filtered comparisons; the level follows from given gradients.
    (254, SampleCmpGrad, "sampleCmpGrad", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<3>, reference: Value, ddx: Values<3>, ddy: Values<3>, clamp: Optional],
        [f16 f32], ReadOnly, (6, 8), ALL, [COMPARE], "Texture2D.SampleCmpGrad")
    /// Filtered comparisons; a bias is added to the level.
    (255, SampleCmpBias, "sampleCmpBias", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<3>, reference: Value, bias: Value, clamp: Optional],
        [f16 f32], ReadOnly, (6, 8), DERIVATIVE, [GRADIENT COMPARE], "Texture2D.SampleCmpBias")
}
// Sampler feedback.
Feedback = FeedbackOp {
    /// Records which texels a sample would take.
    (174, WriteSamplerFeedback, "writeSamplerFeedback", [feedback: FeedbackMap, texture: Texture, sampler: Sampler, coords: Values<4>, clamp: Optional],
        [void], ReadWrite, (6, 5), PIXEL_OR_LIBRARY, [GRADIENT], "FeedbackTexture2D.WriteSamplerFeedback")
    /// Records which texels a sample with a bias would take.
    (175, WriteSamplerFeedbackBias, "writeSamplerFeedbackBias", [feedback: FeedbackMap, texture: Texture, sampler: Sampler, coords: Values<4>, bias: Value, clamp: Optional],
        [void], ReadWrite, (6, 5), PIXEL_OR_LIBRARY, [GRADIENT], "FeedbackTexture2D.WriteSamplerFeedbackBias")
    /// Records which texels a sample of a level would take.
    (176, WriteSamplerFeedbackLevel, "writeSamplerFeedbackLevel", [feedback: FeedbackMap, texture: Texture, sampler: Sampler, coords: Values<4>, lod: Value],
        [void], ReadWrite, (6, 5), ALL, [], "FeedbackTexture2D.WriteSamplerFeedbackLevel")
    /// Records which texels a sample with given gradients would take.
    (177, WriteSamplerFeedbackGrad, "writeSamplerFeedbackGrad", [feedback: FeedbackMap, texture: Texture, sampler: Sampler, coords: Values<4>, ddx: Values<3>, ddy: Values<3>, clamp: Optional],
        [void], ReadWrite, (6, 5), ALL, [], "FeedbackTexture2D.WriteSamplerFeedbackGrad")
}
// Atomic operations on resources, and counters.
ResourceAtomic = ResourceAtomicOp {
    /// Changes the counter of a buffer and returns its value.
    ( 70, BufferUpdateCounter, "bufferUpdateCounter", [buffer: Buffer, increment: Const<i8>],
        [void], ReadWrite, (6, 0), ALL, [COUNTER], "RWStructuredBuffer.IncrementCounter")
    /// Atomic operation on a resource; returns the old value.
    ( 78, AtomicBinOp, "atomicBinOp", [resource: Handle, op: Const<AtomicOp>, coords: Values<3>, value: Data],
        [i32 i64], ReadWrite, (6, 0), ALL, [ATOMIC], "InterlockedAdd")
    /// Atomic compare-and-exchange on a resource; returns the old value.
    ( 79, AtomicCompareExchange, "atomicCompareExchange", [resource: Handle, coords: Values<3>, compare: Value, value: Data],
        [i32 i64], ReadWrite, (6, 0), ALL, [ATOMIC], "InterlockedCompareExchange")
}
// Ray queries.
RayQuery = RayQueryOp {
    /// A ray query with constant flags.
    (178, AllocateRayQuery, "allocateRayQuery", [ray_flags: Const<u32>], [void], ReadWrite, (6, 5), ALL, [], "RayQuery")
    /// Begins the traversal of a ray.
    (179, RayQueryTraceRayInline = "RayQuery_TraceRayInline", "rayQuery_TraceRayInline", [query: RayQuery, acceleration_structure: AccelerationStructure, ray_flags: Value, instance_mask: Value, origin: Values<3>, t_min: Value, direction: Values<3>, t_max: Value],
        [void], ReadWrite, (6, 5), ALL, [], "RayQuery.TraceRayInline")
    /// Goes on to the next candidate; whether there is one.
    (180, RayQueryProceed = "RayQuery_Proceed", "rayQuery_Proceed", [query: RayQuery],
        [i1], ReadWrite, (6, 5), ALL, [], "RayQuery.Proceed")
    /// Ends the traversal.
    (181, RayQueryAbort = "RayQuery_Abort", "rayQuery_Abort", [query: RayQuery],
        [void], ReadWrite, (6, 5), ALL, [], "RayQuery.Abort")
    /// Commits the candidate triangle.
    (182, RayQueryCommitNonOpaqueTriangleHit = "RayQuery_CommitNonOpaqueTriangleHit", "rayQuery_CommitNonOpaqueTriangleHit", [query: RayQuery],
        [void], ReadWrite, (6, 5), ALL, [], "RayQuery.CommitNonOpaqueTriangleHit")
    /// Commits a hit of the candidate procedural primitive.
    (183, RayQueryCommitProceduralPrimitiveHit = "RayQuery_CommitProceduralPrimitiveHit", "rayQuery_CommitProceduralPrimitiveHit", [query: RayQuery, t: Value],
        [void], ReadWrite, (6, 5), ALL, [], "RayQuery.CommitProceduralPrimitiveHit")
    /// Kind of the committed hit.
    (184, RayQueryCommittedStatus = "RayQuery_CommittedStatus", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [], "RayQuery.CommittedStatus")
    /// Kind of the candidate.
    (185, RayQueryCandidateType = "RayQuery_CandidateType", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [], "RayQuery.CandidateType")
    /// Element of the candidate's object-to-world matrix.
    (186, RayQueryCandidateObjectToWorld3x4 = "RayQuery_CandidateObjectToWorld3x4", "rayQuery_StateMatrix", [query: RayQuery, row: Const<u32>, column: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [], "RayQuery.CandidateObjectToWorld3x4")
    /// Element of the candidate's world-to-object matrix.
    (187, RayQueryCandidateWorldToObject3x4 = "RayQuery_CandidateWorldToObject3x4", "rayQuery_StateMatrix", [query: RayQuery, row: Const<u32>, column: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [], "RayQuery.CandidateWorldToObject3x4")
    /// Element of the committed hit's object-to-world matrix.
    (188, RayQueryCommittedObjectToWorld3x4 = "RayQuery_CommittedObjectToWorld3x4", "rayQuery_StateMatrix", [query: RayQuery, row: Const<u32>, column: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [HIT_INSTANCE], "RayQuery.CommittedObjectToWorld3x4")
    /// Element of the committed hit's world-to-object matrix.
    (189, RayQueryCommittedWorldToObject3x4 = "RayQuery_CommittedWorldToObject3x4", "rayQuery_StateMatrix", [query: RayQuery, row: Const<u32>, column: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [HIT_INSTANCE], "RayQuery.CommittedWorldToObject3x4")
    /// Whether the candidate procedural primitive is not opaque.
    (190, RayQueryCandidateProceduralPrimitiveNonOpaque = "RayQuery_CandidateProceduralPrimitiveNonOpaque", "rayQuery_StateScalar", [query: RayQuery],
        [i1], ReadOnly, (6, 5), ALL, [], "RayQuery.CandidateProceduralPrimitiveNonOpaque")
    /// Whether the ray meets the candidate triangle's front.
    (191, RayQueryCandidateTriangleFrontFace = "RayQuery_CandidateTriangleFrontFace", "rayQuery_StateScalar", [query: RayQuery],
        [i1], ReadOnly, (6, 5), ALL, [], "RayQuery.CandidateTriangleFrontFace")
    /// Whether the ray meets the committed triangle's front.
    (192, RayQueryCommittedTriangleFrontFace = "RayQuery_CommittedTriangleFrontFace", "rayQuery_StateScalar", [query: RayQuery],
        [i1], ReadOnly, (6, 5), ALL, [], "RayQuery.CommittedTriangleFrontFace")
    /// Barycentric coordinate on the candidate triangle.
    (193, RayQueryCandidateTriangleBarycentrics = "RayQuery_CandidateTriangleBarycentrics", "rayQuery_StateVector", [query: RayQuery, component: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [], "RayQuery.CandidateTriangleBarycentrics")
    /// Barycentric coordinate on the committed triangle.
    (194, RayQueryCommittedTriangleBarycentrics = "RayQuery_CommittedTriangleBarycentrics", "rayQuery_StateVector", [query: RayQuery, component: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [], "RayQuery.CommittedTriangleBarycentrics")
    /// Flags of the ray.
    (195, RayQueryRayFlags = "RayQuery_RayFlags", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [], "RayQuery.RayFlags")
    /// Component of the ray's origin in world space.
    (196, RayQueryWorldRayOrigin = "RayQuery_WorldRayOrigin", "rayQuery_StateVector", [query: RayQuery, component: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [], "RayQuery.WorldRayOrigin")
    /// Component of the ray's direction in world space.
    (197, RayQueryWorldRayDirection = "RayQuery_WorldRayDirection", "rayQuery_StateVector", [query: RayQuery, component: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [], "RayQuery.WorldRayDirection")
    /// Minimum parameter along the ray.
    (198, RayQueryRayTMin = "RayQuery_RayTMin", "rayQuery_StateScalar", [query: RayQuery],
        [f32], ReadOnly, (6, 5), ALL, [], "RayQuery.RayTMin")
    /// Parameter of the candidate triangle along the ray.
    (199, RayQueryCandidateTriangleRayT = "RayQuery_CandidateTriangleRayT", "rayQuery_StateScalar", [query: RayQuery],
        [f32], ReadOnly, (6, 5), ALL, [], "RayQuery.CandidateTriangleRayT")
    /// Parameter of the committed hit along the ray.
    (200, RayQueryCommittedRayT = "RayQuery_CommittedRayT", "rayQuery_StateScalar", [query: RayQuery],
        [f32], ReadOnly, (6, 5), ALL, [], "RayQuery.CommittedRayT")
    /// Number of the candidate's instance.
    (201, RayQueryCandidateInstanceIndex = "RayQuery_CandidateInstanceIndex", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [], "RayQuery.CandidateInstanceIndex")
    /// Identifier that the candidate's instance was given.
    (202, RayQueryCandidateInstanceID = "RayQuery_CandidateInstanceID", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [], "RayQuery.CandidateInstanceID")
    /// Number of the candidate's geometry.
    (203, RayQueryCandidateGeometryIndex = "RayQuery_CandidateGeometryIndex", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [], "RayQuery.CandidateGeometryIndex")
    /// Number of the candidate's primitive.
    (204, RayQueryCandidatePrimitiveIndex = "RayQuery_CandidatePrimitiveIndex", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [], "RayQuery.CandidatePrimitiveIndex")
    /// Component of the ray's origin in the candidate's object space.
    (205, RayQueryCandidateObjectRayOrigin = "RayQuery_CandidateObjectRayOrigin", "rayQuery_StateVector", [query: RayQuery, component: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [], "RayQuery.CandidateObjectRayOrigin")
    /// Component of the ray's direction in the candidate's object space.
    (206, RayQueryCandidateObjectRayDirection = "RayQuery_CandidateObjectRayDirection", "rayQuery_StateVector", [query: RayQuery, component: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [], "RayQuery.CandidateObjectRayDirection")
    /// Number of the committed hit's instance.
    (207, RayQueryCommittedInstanceIndex = "RayQuery_CommittedInstanceIndex", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [HIT_INSTANCE], "RayQuery.CommittedInstanceIndex")
    /// Identifier that the committed hit's instance was given.
    (208, RayQueryCommittedInstanceID = "RayQuery_CommittedInstanceID", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [HIT_INSTANCE], "RayQuery.CommittedInstanceID")
    /// Number of the committed hit's geometry.
    (209, RayQueryCommittedGeometryIndex = "RayQuery_CommittedGeometryIndex", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [], "RayQuery.CommittedGeometryIndex")
    /// Number of the committed hit's primitive.
    (210, RayQueryCommittedPrimitiveIndex = "RayQuery_CommittedPrimitiveIndex", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [], "RayQuery.CommittedPrimitiveIndex")
    /// Component of the ray's origin in the committed hit's object space.
    (211, RayQueryCommittedObjectRayOrigin = "RayQuery_CommittedObjectRayOrigin", "rayQuery_StateVector", [query: RayQuery, component: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [HIT_INSTANCE], "RayQuery.CommittedObjectRayOrigin")
    /// Component of the ray's direction in the committed hit's object space.
    (212, RayQueryCommittedObjectRayDirection = "RayQuery_CommittedObjectRayDirection", "rayQuery_StateVector", [query: RayQuery, component: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [HIT_INSTANCE], "RayQuery.CommittedObjectRayDirection")
    /// What the candidate's instance adds to the number of the hit group.
    (214, RayQueryCandidateInstanceContributionToHitGroupIndex = "RayQuery_CandidateInstanceContributionToHitGroupIndex", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [], "RayQuery.CandidateInstanceContributionToHitGroupIndex")
    /// What the committed hit's instance adds to the number of the hit group.
    (215, RayQueryCommittedInstanceContributionToHitGroupIndex = "RayQuery_CommittedInstanceContributionToHitGroupIndex", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [HIT_INSTANCE], "RayQuery.CommittedInstanceContributionToHitGroupIndex")
    /// A ray query with constant flags of rays and of the query.
    (258, AllocateRayQuery2, "allocateRayQuery2", [ray_flags: Const<u32>, query_flags: Const<u32>],
        [void], ReadWrite, (6, 9), ALL, [], "RayQuery")
}
// Stages of ray tracing pipelines.
RayTracing = RayTracingOp {
    /// Identifier that the instance was given.
    (141, InstanceID, "instanceID", [], [i32], ReadNone, (6, 3), HIT, [], "InstanceID")
    /// Number of the instance.
    (142, InstanceIndex, "instanceIndex", [], [i32], ReadNone, (6, 3), HIT, [], "InstanceIndex")
    /// Kind of the hit.
    (143, HitKind, "hitKind", [], [i32], ReadNone, (6, 3), HIT, [], "HitKind")
    /// Flags of the ray.
    (144, RayFlags, "rayFlags", [], [i32], ReadNone, (6, 3), HIT_OR_MISS, [], "RayFlags")
    /// Position of the ray in the dispatch.
    (145, DispatchRaysIndex, "dispatchRaysIndex", [component: Const<u8>],
        [i32], ReadNone, (6, 3), RAY_TRACING, [], "DispatchRaysIndex")
    /// Size of the dispatch.
    (146, DispatchRaysDimensions, "dispatchRaysDimensions", [component: Const<u8>],
        [i32], ReadNone, (6, 3), RAY_TRACING, [], "DispatchRaysDimensions")
    /// Component of the ray's origin in world space.
    (147, WorldRayOrigin, "worldRayOrigin", [component: Const<u8>], [f32], ReadNone, (6, 3), HIT_OR_MISS, [], "WorldRayOrigin")
    /// Component of the ray's direction in world space.
    (148, WorldRayDirection, "worldRayDirection", [component: Const<u8>],
        [f32], ReadNone, (6, 3), HIT_OR_MISS, [], "WorldRayDirection")
    /// Component of the ray's origin in object space.
    (149, ObjectRayOrigin, "objectRayOrigin", [component: Const<u8>], [f32], ReadNone, (6, 3), HIT, [], "ObjectRayOrigin")
    /// Component of the ray's direction in object space.
    (150, ObjectRayDirection, "objectRayDirection", [component: Const<u8>], [f32], ReadNone, (6, 3), HIT, [], "ObjectRayDirection")
    /// Element of the object-to-world matrix.
    (151, ObjectToWorld, "objectToWorld", [row: Const<u32>, column: Const<u8>],
        [f32], ReadNone, (6, 3), HIT, [], "ObjectToWorld3x4")
    /// Element of the world-to-object matrix.
    (152, WorldToObject, "worldToObject", [row: Const<u32>, column: Const<u8>],
        [f32], ReadNone, (6, 3), HIT, [], "WorldToObject3x4")
    /// Minimum parameter along the ray.
    (153, RayTMin, "rayTMin", [], [f32], ReadNone, (6, 3), HIT_OR_MISS, [], "RayTMin")
    /// Parameter of the hit, or maximum parameter, along the ray.
    (154, RayTCurrent, "rayTCurrent", [], [f32], ReadOnly, (6, 3), HIT_OR_MISS, [], "RayTCurrent")
    /// Ends an any-hit shader and drops the hit.
    (155, IgnoreHit, "ignoreHit", [], [void], NoReturn, (6, 3), ANY_HIT, [], "IgnoreHit")
    /// Ends an any-hit shader and the traversal with this hit.
    (156, AcceptHitAndEndSearch, "acceptHitAndEndSearch", [], [void], NoReturn, (6, 3), ANY_HIT, [], "AcceptHitAndEndSearch")
    /// Traces a ray.
    (157, TraceRay, "traceRay", [acceleration_structure: AccelerationStructure, ray_flags: Value, instance_mask: Value, ray_contribution: Value, geometry_multiplier: Value, miss_index: Value, origin: Values<3>, t_min: Value, direction: Values<3>, t_max: Value, payload: Value],
        [udt], ReadWrite, (6, 3), RAY_CALLER, [], "TraceRay")
    /// Reports a hit of a procedural primitive; whether it is accepted.
    (158, ReportHit, "reportHit", [t_hit: Value, hit_kind: Value, attributes: Value],
        [udt], ReadWrite, (6, 3), INTERSECTION, [], "ReportHit")
    /// Calls a callable shader.
    (159, CallShader, "callShader", [shader_index: Value, parameter: Value],
        [udt], ReadWrite, (6, 3), SHADER_CALLER, [], "CallShader")
    /// Number of the primitive.
    (161, PrimitiveIndex, "primitiveIndex", [], [i32], ReadNone, (6, 3), HIT, [], "PrimitiveIndex")
    /// Number of the geometry.
    (213, GeometryIndex, "geometryIndex", [], [i32], ReadNone, (6, 5), HIT, [], "GeometryIndex")
}
// Hit objects (SM 6.9).
HitObject = HitObjectOp {
    /// Traces a ray and returns its hit, without calling a hit or miss shader.
    (262, HitObjectTraceRay = "HitObject_TraceRay", "hitObject_TraceRay", [acceleration_structure: AccelerationStructure, ray_flags: Value, instance_mask: Value, ray_contribution: Value, geometry_multiplier: Value, miss_index: Value, origin: Values<3>, t_min: Value, direction: Values<3>, t_max: Value, payload: Value],
        [udt], ReadWrite, (6, 9), RAY_CALLER, [], "HitObject::TraceRay")
    /// Hit object of a ray query's hit.
    (263, HitObjectFromRayQuery = "HitObject_FromRayQuery", "hitObject_FromRayQuery", [query: RayQuery],
        [void], ReadOnly, (6, 9), RAY_CALLER, [], "HitObject::FromRayQuery")
    /// Hit object of a ray query's hit, with kind and attributes.
    (264, HitObjectFromRayQueryWithAttrs = "HitObject_FromRayQueryWithAttrs", "hitObject_FromRayQueryWithAttrs", [query: RayQuery, hit_kind: Value, attributes: Value],
        [udt], ReadOnly, (6, 9), RAY_CALLER, [], "HitObject::FromRayQuery")
    /// Hit object of a miss.
    (265, HitObjectMakeMiss = "HitObject_MakeMiss", "hitObject_MakeMiss", [ray_flags: Value, miss_index: Value, origin: Values<3>, t_min: Value, direction: Values<3>, t_max: Value],
        [void], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::MakeMiss")
    /// Hit object of nothing.
    (266, HitObjectMakeNop = "HitObject_MakeNop", "hitObject_MakeNop", [],
        [void], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::MakeNop")
    /// Calls the closest-hit or miss shader of a hit object.
    (267, HitObjectInvoke = "HitObject_Invoke", "hitObject_Invoke", [hit: HitObject, payload: Value],
        [udt], ReadWrite, (6, 9), RAY_CALLER, [], "HitObject::Invoke")
    /// Lets the device reorder threads by their hit objects and hints.
    (268, MaybeReorderThread, "maybeReorderThread", [hit: HitObject, coherence_hint: Value, hint_bits: Value],
        [void], ReadWrite, (6, 9), RAY_GENERATION, [], "MaybeReorderThread")
    /// Whether it is a miss.
    (269, HitObjectIsMiss = "HitObject_IsMiss", "hitObject_StateScalar", [hit: HitObject],
        [i1], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::IsMiss")
    /// Whether it is a hit.
    (270, HitObjectIsHit = "HitObject_IsHit", "hitObject_StateScalar", [hit: HitObject],
        [i1], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::IsHit")
    /// Whether it is nothing.
    (271, HitObjectIsNop = "HitObject_IsNop", "hitObject_StateScalar", [hit: HitObject],
        [i1], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::IsNop")
    /// Flags of the ray.
    (272, HitObjectRayFlags = "HitObject_RayFlags", "hitObject_StateScalar", [hit: HitObject],
        [i32], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::GetRayFlags")
    /// Minimum parameter along the ray.
    (273, HitObjectRayTMin = "HitObject_RayTMin", "hitObject_StateScalar", [hit: HitObject],
        [f32], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::GetRayTMin")
    /// Parameter of the hit, or maximum parameter, along the ray.
    (274, HitObjectRayTCurrent = "HitObject_RayTCurrent", "hitObject_StateScalar", [hit: HitObject],
        [f32], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::GetRayTCurrent")
    /// Component of the ray's origin in world space.
    (275, HitObjectWorldRayOrigin = "HitObject_WorldRayOrigin", "hitObject_StateVector", [hit: HitObject, component: Const<u32>],
        [f32], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::GetWorldRayOrigin")
    /// Component of the ray's direction in world space.
    (276, HitObjectWorldRayDirection = "HitObject_WorldRayDirection", "hitObject_StateVector", [hit: HitObject, component: Const<u32>],
        [f32], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::GetWorldRayDirection")
    /// Component of the ray's origin in object space.
    (277, HitObjectObjectRayOrigin = "HitObject_ObjectRayOrigin", "hitObject_StateVector", [hit: HitObject, component: Const<u32>],
        [f32], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::GetObjectRayOrigin")
    /// Component of the ray's direction in object space.
    (278, HitObjectObjectRayDirection = "HitObject_ObjectRayDirection", "hitObject_StateVector", [hit: HitObject, component: Const<u32>],
        [f32], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::GetObjectRayDirection")
    /// Element of the object-to-world matrix.
    (279, HitObjectObjectToWorld3x4 = "HitObject_ObjectToWorld3x4", "hitObject_StateMatrix", [hit: HitObject, row: Const<u32>, column: Const<u32>],
        [f32], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::GetObjectToWorld3x4")
    /// Element of the world-to-object matrix.
    (280, HitObjectWorldToObject3x4 = "HitObject_WorldToObject3x4", "hitObject_StateMatrix", [hit: HitObject, row: Const<u32>, column: Const<u32>],
        [f32], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::GetWorldToObject3x4")
    /// Number of the geometry.
    (281, HitObjectGeometryIndex = "HitObject_GeometryIndex", "hitObject_StateScalar", [hit: HitObject],
        [i32], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::GetGeometryIndex")
    /// Number of the instance.
    (282, HitObjectInstanceIndex = "HitObject_InstanceIndex", "hitObject_StateScalar", [hit: HitObject],
        [i32], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::GetInstanceIndex")
    /// Identifier that the instance was given.
    (283, HitObjectInstanceID = "HitObject_InstanceID", "hitObject_StateScalar", [hit: HitObject],
        [i32], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::GetInstanceID")
    /// Number of the primitive.
    (284, HitObjectPrimitiveIndex = "HitObject_PrimitiveIndex", "hitObject_StateScalar", [hit: HitObject],
        [i32], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::GetPrimitiveIndex")
    /// Kind of the hit.
    (285, HitObjectHitKind = "HitObject_HitKind", "hitObject_StateScalar", [hit: HitObject],
        [i32], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::GetHitKind")
    /// Number of the record in the shader table.
    (286, HitObjectShaderTableIndex = "HitObject_ShaderTableIndex", "hitObject_StateScalar", [hit: HitObject],
        [i32], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::GetShaderTableIndex")
    /// Hit object with another record in the shader table.
    (287, HitObjectSetShaderTableIndex = "HitObject_SetShaderTableIndex", "hitObject_SetShaderTableIndex", [hit: HitObject, index: Value],
        [void], ReadNone, (6, 9), RAY_CALLER, [], "HitObject::SetShaderTableIndex")
    /// Word of the local root arguments of the record.
    (288, HitObjectLoadLocalRootTableConstant = "HitObject_LoadLocalRootTableConstant", "hitObject_LoadLocalRootTableConstant", [hit: HitObject, offset: Value],
        [void], ReadOnly, (6, 9), RAY_CALLER, [], "HitObject::LoadLocalRootTableConstant")
    /// Copies the attributes of the hit.
    (289, HitObjectAttributes = "HitObject_Attributes", "hitObject_Attributes", [hit: HitObject, attributes: Value],
        [udt], ArgMemOnly, (6, 9), RAY_CALLER, [], "HitObject::GetAttributes")
}
// Nodes of work graphs (SM 6.8).
Node = NodeOp {
    /// Allocates records of a node output.
    (238, AllocateNodeOutputRecords, "allocateNodeOutputRecords", [output: NodeHandle, count: Value, per_thread: Const<bool>],
        [void], ReadWrite, (6, 8), NODE, [], "NodeOutput.GetThreadNodeOutputRecords")
    /// Pointer to a record.
    (239, GetNodeRecordPtr, "getNodeRecordPtr", [record: NodeRecord, index: Value],
        [udt], ReadNone, (6, 8), NODE, [], "")
    /// Counts records of an empty node output.
    (240, IncrementOutputCount, "incrementOutputCount", [output: NodeHandle, count: Value, per_thread: Const<bool>],
        [void], ReadWrite, (6, 8), NODE, [], "EmptyNodeOutput.ThreadIncrementOutputCount")
    /// Hands records to their node.
    (241, OutputComplete, "outputComplete", [output: NodeRecord], [void], ReadWrite, (6, 8), NODE, [], "ThreadNodeOutputRecords.OutputComplete")
    /// Number of records that a node is given.
    (242, GetInputRecordCount, "getInputRecordCount", [input: NodeRecord], [void], ReadOnly, (6, 8), NODE, [], "GroupNodeInputRecords.Count")
    /// Whether this group is the last that is done with the shared input record.
    (243, FinishedCrossGroupSharing, "finishedCrossGroupSharing", [input: NodeRecord],
        [void], ReadWrite, (6, 8), NODE, [], "RWDispatchNodeInputRecord.FinishedCrossGroupSharing")
    /// Handle of a node output.
    (247, CreateNodeOutputHandle, "createNodeOutputHandle", [metadata_index: Const<u32>],
        [void], ReadNone, (6, 8), NODE, [], "")
    /// Handle of an element of an array of nodes.
    (248, IndexNodeHandle, "indexNodeHandle", [node: NodeHandle, index: Value],
        [void], ReadNone, (6, 8), NODE, [], "NodeOutputArray[]")
    /// Says what kind of node a handle is of.
    (249, AnnotateNodeHandle, "annotateNodeHandle", [node: NodeHandle, properties: Const<NodeInfo>],
        [void], ReadNone, (6, 8), NODE, [], "")
    /// Handle of a node's input records.
    (250, CreateNodeInputRecordHandle, "createNodeInputRecordHandle", [metadata_index: Const<u32>],
        [void], ReadNone, (6, 8), NODE, [], "")
    /// Says what kind of records a handle is of.
    (251, AnnotateNodeRecordHandle, "annotateNodeRecordHandle", [record: NodeRecord, properties: Const<NodeRecordInfo>],
        [void], ReadNone, (6, 8), NODE, [], "")
    /// Whether there is a node at an output.
    (252, NodeOutputIsValid, "nodeOutputIsValid", [output: NodeHandle], [void], ReadOnly, (6, 8), NODE, [], "NodeOutput.IsValid")
    /// Number of times that a node may still call itself.
    (253, GetRemainingRecursionLevels, "getRemainingRecursionLevels", [], [void], ReadOnly, (6, 8), NODE, [], "GetRemainingRecursionLevels")
}
// Native vectors as a whole (SM 6.9).
Vector = VectorOp {
    /// Vector of a raw or structured buffer.
    (303, RawBufferVectorLoad, "rawBufferVectorLoad", [buffer: Buffer, index: Value, element_offset: ElementOffset, align: Const<u32>],
        [f16 f32 f64 i16 i32 i64 vec], ReadOnly, (6, 9), ALL, [], "ByteAddressBuffer.Load")
    /// Writes a vector of a raw or structured buffer.
    (304, RawBufferVectorStore, "rawBufferVectorStore", [buffer: Buffer, index: Value, element_offset: ElementOffset, value: Data, align: Const<u32>],
        [f16 f32 f64 i16 i32 i64 vec], ReadWrite, (6, 9), ALL, [], "RWByteAddressBuffer.Store")
    /// Bitwise and of all elements of a vector.
    (309, VectorReduceAnd, "vectorReduce", [a: Value],
        [vec_only i1 i8 i16 i32 i64], ReadNone, (6, 9), ALL, [], "all")
    /// Bitwise or of all elements of a vector.
    (310, VectorReduceOr, "vectorReduce", [a: Value], [vec_only i1 i8 i16 i32 i64], ReadNone, (6, 9), ALL, [], "any")
    /// Dot product of two vectors.
    (311, FDot, "dot", [a: Value, b: Value], [vec_only f16 f32], ReadNone, (6, 9), ALL, [], "dot")
}
}}}}
pub(super) use for_each_dxil_op;

/// Hands every opcode that is kept free to the macro `$with`: number and DXIL's name for the gap.
macro_rules! for_each_reserved_op {
    ($with:ident) => {
        $with! {
            (226, Reserved0)
            (227, Reserved1)
            (228, Reserved2)
            (229, Reserved3)
            (230, Reserved4)
            (231, Reserved5)
            (232, Reserved6)
            (233, Reserved7)
            (234, Reserved8)
            (235, Reserved9)
            (236, Reserved10)
            (237, Reserved11)
            (259, ReservedA0)
            (260, ReservedA1)
            (261, ReservedA2)
            (290, ReservedB28)
            (291, ReservedB29)
            (292, ReservedB30)
            (293, ReservedC0)
            (294, ReservedC1)
            (295, ReservedC2)
            (296, ReservedC3)
            (297, ReservedC4)
            (298, ReservedC5)
            (299, ReservedC6)
            (300, ReservedC7)
            (301, ReservedC8)
            (302, ReservedC9)
            (305, ReservedD0)
            (306, ReservedD1)
            (307, ReservedD2)
            (308, ReservedD3)
        }
    };
}
pub(super) use for_each_reserved_op;
