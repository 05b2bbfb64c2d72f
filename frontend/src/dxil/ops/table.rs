//! The op table: one row says everything about a DXIL operation. This is the only place with opcode
//! numbers, classes or operand order; [`super::Opcode`], [`super::Properties`], [`super::Op`] and
//! the decoder are made from it. Facts: the DXIL document ("Operations") and DXC's own table.
//!
//! A row:
//!
//! ```text
//! (no., Op = "DXIL name where it differs", "class", [operands after the opcode],
//!     [overloads], memory, (shader model; the same where the linker translates), stages, [flags])
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
//! * Stages and flags are constants of [`super::Stages`] and [`super::OpFlags`].

/// Hands every operation's row to the macro `$with`.
macro_rules! for_each_dxil_op { ($with:ident) => { $with! {
// Floating-point arithmetic.
Float = FloatOp {
    (  6, FAbs, "unary", [value: Value], [f16 f32 f64 vec], ReadNone, (6, 0), ALL, [])
    (  7, Saturate, "unary", [value: Value], [f16 f32 f64 vec], ReadNone, (6, 0), ALL, [])
    (  8, IsNaN, "isSpecialFloat", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    (  9, IsInf, "isSpecialFloat", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 10, IsFinite, "isSpecialFloat", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 11, IsNormal, "isSpecialFloat", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 12, Cos, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 13, Sin, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 14, Tan, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 15, Acos, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 16, Asin, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 17, Atan, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 18, Hcos, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 19, Hsin, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 20, Htan, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 21, Exp, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 22, Frc, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 23, Log, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 24, Sqrt, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 25, Rsqrt, "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 26, RoundNe = "Round_ne", "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 27, RoundNi = "Round_ni", "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 28, RoundPi = "Round_pi", "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 29, RoundZ = "Round_z", "unary", [value: Value], [f16 f32 vec], ReadNone, (6, 0), ALL, [])
    ( 35, FMax, "binary", [a: Value, b: Value], [f16 f32 f64 vec], ReadNone, (6, 0), ALL, [])
    ( 36, FMin, "binary", [a: Value, b: Value], [f16 f32 f64 vec], ReadNone, (6, 0), ALL, [])
    ( 46, FMad, "tertiary", [a: Value, b: Value, c: Value], [f16 f32 f64 vec], ReadNone, (6, 0), ALL, [])
    ( 47, Fma, "tertiary", [a: Value, b: Value, c: Value], [f64 vec], ReadNone, (6, 0), ALL, [])
    ( 54, Dot2, "dot2", [a: Values<2>, b: Values<2>], [f16 f32], ReadNone, (6, 0), ALL, [])
    ( 55, Dot3, "dot3", [a: Values<3>, b: Values<3>], [f16 f32], ReadNone, (6, 0), ALL, [])
    ( 56, Dot4, "dot4", [a: Values<4>, b: Values<4>], [f16 f32], ReadNone, (6, 0), ALL, [])
    (162, Dot2AddHalf, "dot2AddHalf", [acc: Value, a: Values<2>, b: Values<2>],
        [f32], ReadNone, (6, 4), ALL, [])
}
// Integer arithmetic.
Integer = IntegerOp {
    ( 37, IMax, "binary", [a: Value, b: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [])
    ( 38, IMin, "binary", [a: Value, b: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [])
    ( 39, UMax, "binary", [a: Value, b: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [])
    ( 40, UMin, "binary", [a: Value, b: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [])
    ( 41, IMul, "binaryWithTwoOuts", [a: Value, b: Value], [i32], ReadNone, (6, 0), ALL, [])
    ( 42, UMul, "binaryWithTwoOuts", [a: Value, b: Value], [i32], ReadNone, (6, 0), ALL, [])
    ( 43, UDiv, "binaryWithTwoOuts", [a: Value, b: Value], [i32], ReadNone, (6, 0), ALL, [])
    ( 44, UAddc, "binaryWithCarryOrBorrow", [a: Value, b: Value], [i32], ReadNone, (6, 0), ALL, [])
    ( 45, USubb, "binaryWithCarryOrBorrow", [a: Value, b: Value], [i32], ReadNone, (6, 0), ALL, [])
    ( 48, IMad, "tertiary", [a: Value, b: Value, c: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [])
    ( 49, UMad, "tertiary", [a: Value, b: Value, c: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [])
    ( 50, Msad, "tertiary", [a: Value, b: Value, c: Value], [i32], ReadNone, (6, 0), ALL, [])
    (163, Dot4AddI8Packed, "dot4AddPacked", [acc: Value, a: Value, b: Value],
        [i32], ReadNone, (6, 4), ALL, [])
    (164, Dot4AddU8Packed, "dot4AddPacked", [acc: Value, a: Value, b: Value],
        [i32], ReadNone, (6, 4), ALL, [])
}
// Bit operations, bit casts and legacy conversions.
Bits = BitsOp {
    ( 30, Bfrev, "unary", [value: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [])
    ( 31, Countbits, "unaryBits", [value: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [])
    ( 32, FirstbitLo, "unaryBits", [value: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [])
    ( 33, FirstbitHi, "unaryBits", [value: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [])
    ( 34, FirstbitSHi, "unaryBits", [value: Value], [i16 i32 i64 vec], ReadNone, (6, 0), ALL, [])
    ( 51, Ibfe, "tertiary", [a: Value, b: Value, c: Value], [i32], ReadNone, (6, 0), ALL, [])
    ( 52, Ubfe, "tertiary", [a: Value, b: Value, c: Value], [i32], ReadNone, (6, 0), ALL, [])
    ( 53, Bfi, "quaternary", [width: Value, offset: Value, value: Value, base: Value],
        [i32], ReadNone, (6, 0), ALL, [])
    (101, MakeDouble, "makeDouble", [lo: Value, hi: Value], [f64], ReadNone, (6, 0), ALL, [])
    (102, SplitDouble, "splitDouble", [value: Value], [f64], ReadNone, (6, 0), ALL, [])
    (124, BitcastI16toF16, "bitcastI16toF16", [value: Value], [void], ReadNone, (6, 0), ALL, [])
    (125, BitcastF16toI16, "bitcastF16toI16", [value: Value], [void], ReadNone, (6, 0), ALL, [])
    (126, BitcastI32toF32, "bitcastI32toF32", [value: Value], [void], ReadNone, (6, 0), ALL, [])
    (127, BitcastF32toI32, "bitcastF32toI32", [value: Value], [void], ReadNone, (6, 0), ALL, [])
    (128, BitcastI64toF64, "bitcastI64toF64", [value: Value], [void], ReadNone, (6, 0), ALL, [])
    (129, BitcastF64toI64, "bitcastF64toI64", [value: Value], [void], ReadNone, (6, 0), ALL, [])
    (130, LegacyF32ToF16, "legacyF32ToF16", [value: Value], [void], ReadNone, (6, 0), ALL, [])
    (131, LegacyF16ToF32, "legacyF16ToF32", [value: Value], [void], ReadNone, (6, 0), ALL, [])
    (132, LegacyDoubleToFloat, "legacyDoubleToFloat", [value: Value], [void], ReadNone, (6, 0), ALL, [])
    (133, LegacyDoubleToSInt32, "legacyDoubleToSInt32", [value: Value], [void], ReadNone, (6, 0), ALL, [])
    (134, LegacyDoubleToUInt32, "legacyDoubleToUInt32", [value: Value], [void], ReadNone, (6, 0), ALL, [])
    (219, Unpack4x8, "unpack4x8", [mode: Const<UnpackMode>, packed: Value],
        [i16 i32], ReadNone, (6, 6), ALL, [])
    (220, Pack4x8, "pack4x8", [mode: Const<PackMode>, values: Values<4>],
        [i16 i32], ReadNone, (6, 6), ALL, [])
}
// Register files (never written for SM 6).
Register = RegisterOp {
    (  0, TempRegLoad, "tempRegLoad", [index: Value], [f16 f32 i16 i32], ReadOnly, (6, 0), ALL, [REGISTER])
    (  1, TempRegStore, "tempRegStore", [index: Value, value: Value],
        [f16 f32 i16 i32], ReadWrite, (6, 0), ALL, [REGISTER])
    (  2, MinPrecXRegLoad, "minPrecXRegLoad", [register: Value, index: Value, component: Const<u8>],
        [f16 i16], ReadOnly, (6, 0), ALL, [REGISTER])
    (  3, MinPrecXRegStore, "minPrecXRegStore", [register: Value, index: Value, component: Const<u8>, value: Value],
        [f16 i16], ReadWrite, (6, 0), ALL, [REGISTER])
}
// Elements of signatures.
Signature = SignatureOp {
    (  4, LoadInput, "loadInput", [element: Const<u32>, row: Value, column: Const<u8>, vertex: Optional],
        [f16 f32 i16 i32], ReadNone, (6, 0), ALL, [SIGNATURE])
    (  5, StoreOutput, "storeOutput", [element: Const<u32>, row: Value, column: Const<u8>, value: Data],
        [f16 f32 i16 i32], ReadWrite, (6, 0), ALL, [SIGNATURE])
    ( 87, EvalSnapped, "evalSnapped", [element: Const<u32>, row: Value, column: Const<u8>, offset_x: Value, offset_y: Value],
        [f16 f32], ReadNone, (6, 0), PIXEL, [])
    ( 88, EvalSampleIndex, "evalSampleIndex", [element: Const<u32>, row: Value, column: Const<u8>, sample_index: Value],
        [f16 f32], ReadNone, (6, 0), PIXEL, [])
    ( 89, EvalCentroid, "evalCentroid", [element: Const<u32>, row: Value, column: Const<u8>],
        [f16 f32], ReadNone, (6, 0), PIXEL, [])
    (103, LoadOutputControlPoint, "loadOutputControlPoint", [element: Const<u32>, row: Value, column: Const<u8>, index: Value],
        [f16 f32 i16 i32], ReadNone, (6, 0), TESSELLATION, [])
    (104, LoadPatchConstant, "loadPatchConstant", [element: Const<u32>, row: Value, column: Const<u8>],
        [f16 f32 i16 i32], ReadNone, (6, 0), TESSELLATION, [])
    (106, StorePatchConstant, "storePatchConstant", [element: Const<u32>, row: Value, column: Const<u8>, value: Data],
        [f16 f32 i16 i32], ReadWrite, (6, 0), HULL, [])
    (137, AttributeAtVertex, "attributeAtVertex", [element: Const<u32>, row: Value, column: Const<u8>, vertex: Const<u8>],
        [f16 f32 i16 i32], ReadNone, (6, 1), PIXEL, [])
    (171, StoreVertexOutput, "storeVertexOutput", [element: Const<u32>, row: Value, column: Const<u8>, value: Data, vertex_index: Value],
        [f16 f32 i16 i32], ReadWrite, (6, 5), MESH, [])
    (172, StorePrimitiveOutput, "storePrimitiveOutput", [element: Const<u32>, row: Value, column: Const<u8>, value: Data, primitive_index: Value],
        [f16 f32 i16 i32], ReadWrite, (6, 5), MESH, [])
}
// System values that have an operation of their own.
SystemValue = SystemValueOp {
    ( 76, RenderTargetGetSamplePosition, "renderTargetGetSamplePosition", [index: Value],
        [void], ReadOnly, (6, 0), PIXEL, [])
    ( 77, RenderTargetGetSampleCount, "renderTargetGetSampleCount", [], [void], ReadOnly, (6, 0), PIXEL, [])
    ( 90, SampleIndex, "sampleIndex", [], [i32], ReadNone, (6, 0), PIXEL, [])
    ( 91, Coverage, "coverage", [], [i32], ReadNone, (6, 0), PIXEL, [])
    ( 92, InnerCoverage, "innerCoverage", [], [i32], ReadNone, (6, 0), PIXEL, [])
    (100, GSInstanceID, "gsInstanceID", [], [i32], ReadNone, (6, 0), GEOMETRY, [])
    (105, DomainLocation, "domainLocation", [component: Const<u8>], [f32], ReadNone, (6, 0), DOMAIN, [])
    (107, OutputControlPointID, "outputControlPointID", [], [i32], ReadNone, (6, 0), HULL, [])
    (108, PrimitiveID, "primitiveID", [], [i32], ReadNone, (6, 0), PRIMITIVE, [])
    (138, ViewID, "viewID", [], [i32], ReadNone, (6, 1), GRAPHICS, [SIGNATURE])
    (256, StartVertexLocation, "startVertexLocation", [], [i32], ReadNone, (6, 8), VERTEX, [])
    (257, StartInstanceLocation, "startInstanceLocation", [], [i32], ReadNone, (6, 8), VERTEX, [])
}
// The position of a thread in its group and dispatch.
ThreadId = ThreadIdOp {
    ( 93, ThreadId, "threadId", [component: Const<u32>], [i32], ReadNone, (6, 0), THREAD_GROUP, [])
    ( 94, GroupId, "groupId", [component: Const<u32>], [i32], ReadNone, (6, 0), THREAD_GROUP, [])
    ( 95, ThreadIdInGroup, "threadIdInGroup", [component: Const<u32>],
        [i32], ReadNone, (6, 0), THREAD_GROUP, [])
    ( 96, FlattenedThreadIdInGroup, "flattenedThreadIdInGroup", [], [i32], ReadNone, (6, 0), THREAD_GROUP, [])
}
// Output streams of geometry shaders.
Stream = StreamOp {
    ( 97, EmitStream, "emitStream", [stream: Const<u8>], [void], ReadWrite, (6, 0), GEOMETRY, [])
    ( 98, CutStream, "cutStream", [stream: Const<u8>], [void], ReadWrite, (6, 0), GEOMETRY, [])
    ( 99, EmitThenCutStream, "emitThenCutStream", [stream: Const<u8>],
        [void], ReadWrite, (6, 0), GEOMETRY, [])
}
// Mesh and amplification shaders.
Mesh = MeshOp {
    (168, SetMeshOutputCounts, "setMeshOutputCounts", [vertex_count: Value, primitive_count: Value],
        [void], ReadWrite, (6, 5), MESH, [])
    (169, EmitIndices, "emitIndices", [primitive_index: Value, vertices: Values<3>],
        [void], ReadWrite, (6, 5), MESH, [])
    (170, GetMeshPayload, "getMeshPayload", [], [udt], ReadOnly, (6, 5), MESH, [])
    (173, DispatchMesh, "dispatchMesh", [group_count: Values<3>, payload: Value],
        [udt], ReadWrite, (6, 5), AMPLIFICATION, [])
}
// Waves, quads and the cycle counter.
CrossLane = CrossLaneOp {
    (109, CycleCounterLegacy, "cycleCounterLegacy", [], [void], ReadWrite, (6, 0), ALL, [])
    (110, WaveIsFirstLane, "waveIsFirstLane", [], [void], ReadWrite, (6, 0), ALL, [WAVE])
    (111, WaveGetLaneIndex, "waveGetLaneIndex", [], [void], ReadOnly, (6, 0), ALL, [WAVE])
    (112, WaveGetLaneCount, "waveGetLaneCount", [], [void], ReadNone, (6, 0), ALL, [WAVE])
    (113, WaveAnyTrue, "waveAnyTrue", [condition: Value], [void], ReadWrite, (6, 0), ALL, [WAVE])
    (114, WaveAllTrue, "waveAllTrue", [condition: Value], [void], ReadWrite, (6, 0), ALL, [WAVE])
    (115, WaveActiveAllEqual, "waveActiveAllEqual", [value: Value],
        [f16 f32 f64 i1 i8 i16 i32 i64 vec], ReadWrite, (6, 0), ALL, [WAVE])
    (116, WaveActiveBallot, "waveActiveBallot", [condition: Value], [void], ReadWrite, (6, 0), ALL, [WAVE])
    (117, WaveReadLaneAt, "waveReadLaneAt", [value: Value, lane: Value],
        [f16 f32 f64 i1 i8 i16 i32 i64 vec], ReadWrite, (6, 0), ALL, [WAVE])
    (118, WaveReadLaneFirst, "waveReadLaneFirst", [value: Value],
        [f16 f32 f64 i1 i8 i16 i32 i64 vec], ReadWrite, (6, 0), ALL, [WAVE])
    (119, WaveActiveOp, "waveActiveOp", [value: Value, op: Const<WaveOp>, sign: Const<Sign>],
        [f16 f32 f64 i1 i8 i16 i32 i64 vec], ReadWrite, (6, 0), ALL, [WAVE])
    (120, WaveActiveBit, "waveActiveBit", [value: Value, op: Const<WaveBitOp>],
        [i8 i16 i32 i64 vec], ReadWrite, (6, 0), ALL, [WAVE])
    (121, WavePrefixOp, "wavePrefixOp", [value: Value, op: Const<WaveOp>, sign: Const<Sign>],
        [f16 f32 f64 i8 i16 i32 i64 vec], ReadWrite, (6, 0), ALL, [WAVE])
    (122, QuadReadLaneAt, "quadReadLaneAt", [value: Value, lane: Value],
        [f16 f32 f64 i1 i8 i16 i32 i64 vec], ReadWrite, (6, 0), DERIVATIVE, [WAVE QUAD])
    (123, QuadOp, "quadOp", [value: Value, op: Const<QuadDirection>],
        [f16 f32 f64 i8 i16 i32 i64 vec], ReadWrite, (6, 0), DERIVATIVE, [WAVE QUAD])
    (135, WaveAllBitCount, "waveAllOp", [value: Value], [void], ReadWrite, (6, 0), ALL, [WAVE])
    (136, WavePrefixBitCount, "wavePrefixOp", [value: Value], [void], ReadWrite, (6, 0), ALL, [WAVE])
    (165, WaveMatch, "waveMatch", [value: Value],
        [f16 f32 f64 i8 i16 i32 i64 vec], ReadWrite, (6, 5), ALL, [WAVE])
    (166, WaveMultiPrefixOp, "waveMultiPrefixOp", [value: Value, mask: Values<4>, op: Const<WaveMultiPrefixOp>, sign: Const<Sign>],
        [f16 f32 f64 i8 i16 i32 i64 vec], ReadWrite, (6, 5), ALL, [WAVE])
    (167, WaveMultiPrefixBitCount, "waveMultiPrefixBitCount", [value: Value, mask: Values<4>],
        [void], ReadWrite, (6, 5), ALL, [WAVE])
    (222, QuadVote, "quadVote", [condition: Value, op: Const<QuadVoteKind>],
        [i1], ReadWrite, (6, 7; 6, 0), DERIVATIVE, [WAVE QUAD])
}
// Derivatives, and the helper lanes that they need.
Derivative = DerivativeOp {
    ( 82, Discard, "discard", [condition: Value], [void], ReadWrite, (6, 0), PIXEL, [DISCARD])
    ( 83, DerivCoarseX, "unary", [value: Value],
        [f16 f32 vec], ReadNone, (6, 0), DERIVATIVE, [GRADIENT DERIVATIVE])
    ( 84, DerivCoarseY, "unary", [value: Value],
        [f16 f32 vec], ReadNone, (6, 0), DERIVATIVE, [GRADIENT DERIVATIVE])
    ( 85, DerivFineX, "unary", [value: Value],
        [f16 f32 vec], ReadNone, (6, 0), DERIVATIVE, [GRADIENT DERIVATIVE])
    ( 86, DerivFineY, "unary", [value: Value],
        [f16 f32 vec], ReadNone, (6, 0), DERIVATIVE, [GRADIENT DERIVATIVE])
    (221, IsHelperLane, "isHelperLane", [], [i1], ReadOnly, (6, 6), ALL, [HELPER_LANE])
}
// Barriers.
Barrier = BarrierOp {
    ( 80, Barrier, "barrier", [mode: Const<BarrierMode>], [void], NoDuplicate, (6, 0), ALL, [])
    (244, BarrierByMemoryType, "barrierByMemoryType", [memory: Const<MemoryTypes>, semantics: Const<BarrierSemantics>],
        [void], NoDuplicate, (6, 8; 6, 0), ALL, [])
    (245, BarrierByMemoryHandle, "barrierByMemoryHandle", [object: Handle, semantics: Const<BarrierSemantics>],
        [void], NoDuplicate, (6, 8), ALL, [])
    (246, BarrierByNodeRecordHandle, "barrierByNodeRecordHandle", [object: NodeRecord, semantics: Const<BarrierSemantics>],
        [void], NoDuplicate, (6, 8), NODE, [])
}
// Handles of resources: what makes one, and what says more of it.
Handle = HandleOp {
    ( 57, CreateHandle, "createHandle", [class: Const<ResourceClass>, range_id: Const<u32>, index: Value, non_uniform: Const<bool>],
        [void], ReadOnly, (6, 0), ALL, [])
    (160, CreateHandleForLib, "createHandleForLib", [resource: Value], [obj], ReadOnly, (6, 3; 6, 0), ALL, [])
    (216, AnnotateHandle, "annotateHandle", [handle: Handle, properties: Const<ResourceProperties>],
        [void], ReadNone, (6, 6; 6, 0), ALL, [])
    (217, CreateHandleFromBinding, "createHandleFromBinding", [binding: Const<ResourceBinding>, index: Value, non_uniform: Const<bool>],
        [void], ReadNone, (6, 6; 6, 0), ALL, [])
    (218, CreateHandleFromHeap, "createHandleFromHeap", [index: Value, sampler_heap: Const<bool>, non_uniform: Const<bool>],
        [void], ReadNone, (6, 6), ALL, [])
}
// Buffers.
Buffer = BufferOp {
    ( 58, CBufferLoad, "cbufferLoad", [buffer: ConstantBuffer, byte_offset: Value, align: Const<u32>],
        [f16 f32 f64 i8 i16 i32 i64], ReadOnly, (6, 0), ALL, [])
    ( 59, CBufferLoadLegacy, "cbufferLoadLegacy", [buffer: ConstantBuffer, register: Value],
        [f16 f32 f64 i16 i32 i64], ReadOnly, (6, 0), ALL, [])
    ( 68, BufferLoad, "bufferLoad", [buffer: Buffer, index: Value, element_offset: ElementOffset],
        [f16 f32 i16 i32], ReadOnly, (6, 0), ALL, [])
    ( 69, BufferStore, "bufferStore", [buffer: Buffer, index: Value, element_offset: ElementOffset, values: DataList<4>, mask: Const<u8>],
        [f16 f32 i16 i32], ReadWrite, (6, 0), ALL, [])
    (139, RawBufferLoad, "rawBufferLoad", [buffer: Buffer, index: Value, element_offset: ElementOffset, mask: Const<u8>, align: Const<u32>],
        [f16 f32 f64 i16 i32 i64], ReadOnly, (6, 2; 6, 0), ALL, [])
    (140, RawBufferStore, "rawBufferStore", [buffer: Buffer, index: Value, element_offset: ElementOffset, values: DataList<4>, mask: Const<u8>, align: Const<u32>],
        [f16 f32 f64 i16 i32 i64], ReadWrite, (6, 2; 6, 0), ALL, [])
}
// Loads, stores, gathers and queries.
Texture = TextureOp {
    ( 66, TextureLoad, "textureLoad", [texture: Texture, mip_or_sample: Optional, coords: Values<3>, offsets: Optionals<3>],
        [f16 f32 i16 i32], ReadOnly, (6, 0), ALL, [])
    ( 67, TextureStore, "textureStore", [texture: Texture, coords: Values<3>, values: DataList<4>, mask: Const<u8>],
        [f16 f32 i16 i32], ReadWrite, (6, 0), ALL, [])
    ( 71, CheckAccessFullyMapped, "checkAccessFullyMapped", [status: Value], [i32], ReadOnly, (6, 0), ALL, [RESIDENCY])
    ( 72, GetDimensions, "getDimensions", [resource: Handle, mip: Optional],
        [void], ReadOnly, (6, 0), ALL, [QUERY])
    ( 73, TextureGather, "textureGather", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<2>, channel: Const<u32>],
        [f16 f32 i16 i32], ReadOnly, (6, 0), ALL, [])
    ( 74, TextureGatherCmp, "textureGatherCmp", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<2>, channel: Const<u32>, reference: Value],
        [f16 f32 i16 i32], ReadOnly, (6, 0), ALL, [COMPARE])
    ( 75, Texture2DMSGetSamplePosition, "texture2DMSGetSamplePosition", [texture: Texture, index: Value],
        [void], ReadOnly, (6, 0), ALL, [QUERY])
    ( 81, CalculateLOD, "calculateLOD", [resource: Handle, sampler: Sampler, coords: Values<3>, clamped: Const<bool>],
        [f32], ReadOnly, (6, 0), DERIVATIVE, [GRADIENT QUERY])
    (223, TextureGatherRaw, "textureGatherRaw", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<2>],
        [i16 i32 i64], ReadOnly, (6, 7), ALL, [])
    (225, TextureStoreSample, "textureStoreSample", [texture: Texture, coords: Values<3>, values: DataList<4>, mask: Const<u8>, sample: Value],
        [f16 f32 i16 i32], ReadWrite, (6, 7), ALL, [])
}
// Sampling.
Sampling = SamplingOp {
    ( 60, Sample, "sample", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<3>, clamp: Optional],
        [f16 f32 i16 i32], ReadOnly, (6, 0), DERIVATIVE, [GRADIENT])
    ( 61, SampleBias, "sampleBias", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<3>, bias: Value, clamp: Optional],
        [f16 f32 i16 i32], ReadOnly, (6, 0), DERIVATIVE, [GRADIENT])
    ( 62, SampleLevel, "sampleLevel", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<3>, lod: Value],
        [f16 f32 i16 i32], ReadOnly, (6, 0), ALL, [])
    ( 63, SampleGrad, "sampleGrad", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<3>, ddx: Values<3>, ddy: Values<3>, clamp: Optional],
        [f16 f32 i16 i32], ReadOnly, (6, 0), ALL, [])
    ( 64, SampleCmp, "sampleCmp", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<3>, reference: Value, clamp: Optional],
        [f16 f32], ReadOnly, (6, 0), DERIVATIVE, [GRADIENT COMPARE])
    ( 65, SampleCmpLevelZero, "sampleCmpLevelZero", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<3>, reference: Value],
        [f16 f32], ReadOnly, (6, 0), ALL, [COMPARE])
    (224, SampleCmpLevel, "sampleCmpLevel", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<3>, reference: Value, lod: Value],
        [f16 f32], ReadOnly, (6, 7), ALL, [COMPARE])
    (254, SampleCmpGrad, "sampleCmpGrad", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<3>, reference: Value, ddx: Values<3>, ddy: Values<3>, clamp: Optional],
        [f16 f32], ReadOnly, (6, 8), ALL, [COMPARE])
    (255, SampleCmpBias, "sampleCmpBias", [texture: Texture, sampler: Sampler, coords: Values<4>, offsets: Optionals<3>, reference: Value, bias: Value, clamp: Optional],
        [f16 f32], ReadOnly, (6, 8), DERIVATIVE, [GRADIENT COMPARE])
}
// Sampler feedback.
Feedback = FeedbackOp {
    (174, WriteSamplerFeedback, "writeSamplerFeedback", [feedback: FeedbackMap, texture: Texture, sampler: Sampler, coords: Values<4>, clamp: Optional],
        [void], ReadWrite, (6, 5), PIXEL_OR_LIBRARY, [GRADIENT])
    (175, WriteSamplerFeedbackBias, "writeSamplerFeedbackBias", [feedback: FeedbackMap, texture: Texture, sampler: Sampler, coords: Values<4>, bias: Value, clamp: Optional],
        [void], ReadWrite, (6, 5), PIXEL_OR_LIBRARY, [GRADIENT])
    (176, WriteSamplerFeedbackLevel, "writeSamplerFeedbackLevel", [feedback: FeedbackMap, texture: Texture, sampler: Sampler, coords: Values<4>, lod: Value],
        [void], ReadWrite, (6, 5), ALL, [])
    (177, WriteSamplerFeedbackGrad, "writeSamplerFeedbackGrad", [feedback: FeedbackMap, texture: Texture, sampler: Sampler, coords: Values<4>, ddx: Values<3>, ddy: Values<3>, clamp: Optional],
        [void], ReadWrite, (6, 5), ALL, [])
}
// Atomic operations on resources, and counters.
ResourceAtomic = ResourceAtomicOp {
    ( 70, BufferUpdateCounter, "bufferUpdateCounter", [buffer: Buffer, increment: Const<i8>],
        [void], ReadWrite, (6, 0), ALL, [COUNTER])
    ( 78, AtomicBinOp, "atomicBinOp", [resource: Handle, op: Const<AtomicOp>, coords: Values<3>, value: Data],
        [i32 i64], ReadWrite, (6, 0), ALL, [ATOMIC])
    ( 79, AtomicCompareExchange, "atomicCompareExchange", [resource: Handle, coords: Values<3>, compare: Value, value: Data],
        [i32 i64], ReadWrite, (6, 0), ALL, [ATOMIC])
}
// Ray queries.
RayQuery = RayQueryOp {
    (178, AllocateRayQuery, "allocateRayQuery", [ray_flags: Const<u32>], [void], ReadWrite, (6, 5), ALL, [])
    (179, RayQueryTraceRayInline = "RayQuery_TraceRayInline", "rayQuery_TraceRayInline", [query: RayQuery, acceleration_structure: AccelerationStructure, ray_flags: Value, instance_mask: Value, origin: Values<3>, t_min: Value, direction: Values<3>, t_max: Value],
        [void], ReadWrite, (6, 5), ALL, [])
    (180, RayQueryProceed = "RayQuery_Proceed", "rayQuery_Proceed", [query: RayQuery],
        [i1], ReadWrite, (6, 5), ALL, [])
    (181, RayQueryAbort = "RayQuery_Abort", "rayQuery_Abort", [query: RayQuery],
        [void], ReadWrite, (6, 5), ALL, [])
    (182, RayQueryCommitNonOpaqueTriangleHit = "RayQuery_CommitNonOpaqueTriangleHit", "rayQuery_CommitNonOpaqueTriangleHit", [query: RayQuery],
        [void], ReadWrite, (6, 5), ALL, [])
    (183, RayQueryCommitProceduralPrimitiveHit = "RayQuery_CommitProceduralPrimitiveHit", "rayQuery_CommitProceduralPrimitiveHit", [query: RayQuery, t: Value],
        [void], ReadWrite, (6, 5), ALL, [])
    (184, RayQueryCommittedStatus = "RayQuery_CommittedStatus", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [])
    (185, RayQueryCandidateType = "RayQuery_CandidateType", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [])
    (186, RayQueryCandidateObjectToWorld3x4 = "RayQuery_CandidateObjectToWorld3x4", "rayQuery_StateMatrix", [query: RayQuery, row: Const<u32>, column: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [])
    (187, RayQueryCandidateWorldToObject3x4 = "RayQuery_CandidateWorldToObject3x4", "rayQuery_StateMatrix", [query: RayQuery, row: Const<u32>, column: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [])
    (188, RayQueryCommittedObjectToWorld3x4 = "RayQuery_CommittedObjectToWorld3x4", "rayQuery_StateMatrix", [query: RayQuery, row: Const<u32>, column: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [HIT_INSTANCE])
    (189, RayQueryCommittedWorldToObject3x4 = "RayQuery_CommittedWorldToObject3x4", "rayQuery_StateMatrix", [query: RayQuery, row: Const<u32>, column: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [HIT_INSTANCE])
    (190, RayQueryCandidateProceduralPrimitiveNonOpaque = "RayQuery_CandidateProceduralPrimitiveNonOpaque", "rayQuery_StateScalar", [query: RayQuery],
        [i1], ReadOnly, (6, 5), ALL, [])
    (191, RayQueryCandidateTriangleFrontFace = "RayQuery_CandidateTriangleFrontFace", "rayQuery_StateScalar", [query: RayQuery],
        [i1], ReadOnly, (6, 5), ALL, [])
    (192, RayQueryCommittedTriangleFrontFace = "RayQuery_CommittedTriangleFrontFace", "rayQuery_StateScalar", [query: RayQuery],
        [i1], ReadOnly, (6, 5), ALL, [])
    (193, RayQueryCandidateTriangleBarycentrics = "RayQuery_CandidateTriangleBarycentrics", "rayQuery_StateVector", [query: RayQuery, component: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [])
    (194, RayQueryCommittedTriangleBarycentrics = "RayQuery_CommittedTriangleBarycentrics", "rayQuery_StateVector", [query: RayQuery, component: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [])
    (195, RayQueryRayFlags = "RayQuery_RayFlags", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [])
    (196, RayQueryWorldRayOrigin = "RayQuery_WorldRayOrigin", "rayQuery_StateVector", [query: RayQuery, component: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [])
    (197, RayQueryWorldRayDirection = "RayQuery_WorldRayDirection", "rayQuery_StateVector", [query: RayQuery, component: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [])
    (198, RayQueryRayTMin = "RayQuery_RayTMin", "rayQuery_StateScalar", [query: RayQuery],
        [f32], ReadOnly, (6, 5), ALL, [])
    (199, RayQueryCandidateTriangleRayT = "RayQuery_CandidateTriangleRayT", "rayQuery_StateScalar", [query: RayQuery],
        [f32], ReadOnly, (6, 5), ALL, [])
    (200, RayQueryCommittedRayT = "RayQuery_CommittedRayT", "rayQuery_StateScalar", [query: RayQuery],
        [f32], ReadOnly, (6, 5), ALL, [])
    (201, RayQueryCandidateInstanceIndex = "RayQuery_CandidateInstanceIndex", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [])
    (202, RayQueryCandidateInstanceID = "RayQuery_CandidateInstanceID", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [])
    (203, RayQueryCandidateGeometryIndex = "RayQuery_CandidateGeometryIndex", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [])
    (204, RayQueryCandidatePrimitiveIndex = "RayQuery_CandidatePrimitiveIndex", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [])
    (205, RayQueryCandidateObjectRayOrigin = "RayQuery_CandidateObjectRayOrigin", "rayQuery_StateVector", [query: RayQuery, component: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [])
    (206, RayQueryCandidateObjectRayDirection = "RayQuery_CandidateObjectRayDirection", "rayQuery_StateVector", [query: RayQuery, component: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [])
    (207, RayQueryCommittedInstanceIndex = "RayQuery_CommittedInstanceIndex", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [HIT_INSTANCE])
    (208, RayQueryCommittedInstanceID = "RayQuery_CommittedInstanceID", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [HIT_INSTANCE])
    (209, RayQueryCommittedGeometryIndex = "RayQuery_CommittedGeometryIndex", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [])
    (210, RayQueryCommittedPrimitiveIndex = "RayQuery_CommittedPrimitiveIndex", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [])
    (211, RayQueryCommittedObjectRayOrigin = "RayQuery_CommittedObjectRayOrigin", "rayQuery_StateVector", [query: RayQuery, component: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [HIT_INSTANCE])
    (212, RayQueryCommittedObjectRayDirection = "RayQuery_CommittedObjectRayDirection", "rayQuery_StateVector", [query: RayQuery, component: Const<u8>],
        [f32], ReadOnly, (6, 5), ALL, [HIT_INSTANCE])
    (214, RayQueryCandidateInstanceContributionToHitGroupIndex = "RayQuery_CandidateInstanceContributionToHitGroupIndex", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [])
    (215, RayQueryCommittedInstanceContributionToHitGroupIndex = "RayQuery_CommittedInstanceContributionToHitGroupIndex", "rayQuery_StateScalar", [query: RayQuery],
        [i32], ReadOnly, (6, 5), ALL, [HIT_INSTANCE])
    (258, AllocateRayQuery2, "allocateRayQuery2", [ray_flags: Const<u32>, query_flags: Const<u32>],
        [void], ReadWrite, (6, 9), ALL, [])
}
// Stages of ray tracing pipelines.
RayTracing = RayTracingOp {
    (141, InstanceID, "instanceID", [], [i32], ReadNone, (6, 3), HIT, [])
    (142, InstanceIndex, "instanceIndex", [], [i32], ReadNone, (6, 3), HIT, [])
    (143, HitKind, "hitKind", [], [i32], ReadNone, (6, 3), HIT, [])
    (144, RayFlags, "rayFlags", [], [i32], ReadNone, (6, 3), HIT_OR_MISS, [])
    (145, DispatchRaysIndex, "dispatchRaysIndex", [component: Const<u8>],
        [i32], ReadNone, (6, 3), RAY_TRACING, [])
    (146, DispatchRaysDimensions, "dispatchRaysDimensions", [component: Const<u8>],
        [i32], ReadNone, (6, 3), RAY_TRACING, [])
    (147, WorldRayOrigin, "worldRayOrigin", [component: Const<u8>], [f32], ReadNone, (6, 3), HIT_OR_MISS, [])
    (148, WorldRayDirection, "worldRayDirection", [component: Const<u8>],
        [f32], ReadNone, (6, 3), HIT_OR_MISS, [])
    (149, ObjectRayOrigin, "objectRayOrigin", [component: Const<u8>], [f32], ReadNone, (6, 3), HIT, [])
    (150, ObjectRayDirection, "objectRayDirection", [component: Const<u8>], [f32], ReadNone, (6, 3), HIT, [])
    (151, ObjectToWorld, "objectToWorld", [row: Const<u32>, column: Const<u8>],
        [f32], ReadNone, (6, 3), HIT, [])
    (152, WorldToObject, "worldToObject", [row: Const<u32>, column: Const<u8>],
        [f32], ReadNone, (6, 3), HIT, [])
    (153, RayTMin, "rayTMin", [], [f32], ReadNone, (6, 3), HIT_OR_MISS, [])
    (154, RayTCurrent, "rayTCurrent", [], [f32], ReadOnly, (6, 3), HIT_OR_MISS, [])
    (155, IgnoreHit, "ignoreHit", [], [void], NoReturn, (6, 3), ANY_HIT, [])
    (156, AcceptHitAndEndSearch, "acceptHitAndEndSearch", [], [void], NoReturn, (6, 3), ANY_HIT, [])
    (157, TraceRay, "traceRay", [acceleration_structure: AccelerationStructure, ray_flags: Value, instance_mask: Value, ray_contribution: Value, geometry_multiplier: Value, miss_index: Value, origin: Values<3>, t_min: Value, direction: Values<3>, t_max: Value, payload: Value],
        [udt], ReadWrite, (6, 3), RAY_CALLER, [])
    (158, ReportHit, "reportHit", [t_hit: Value, hit_kind: Value, attributes: Value],
        [udt], ReadWrite, (6, 3), INTERSECTION, [])
    (159, CallShader, "callShader", [shader_index: Value, parameter: Value],
        [udt], ReadWrite, (6, 3), SHADER_CALLER, [])
    (161, PrimitiveIndex, "primitiveIndex", [], [i32], ReadNone, (6, 3), HIT, [])
    (213, GeometryIndex, "geometryIndex", [], [i32], ReadNone, (6, 5), HIT, [])
}
// Hit objects (SM 6.9).
HitObject = HitObjectOp {
    (262, HitObjectTraceRay = "HitObject_TraceRay", "hitObject_TraceRay", [acceleration_structure: AccelerationStructure, ray_flags: Value, instance_mask: Value, ray_contribution: Value, geometry_multiplier: Value, miss_index: Value, origin: Values<3>, t_min: Value, direction: Values<3>, t_max: Value, payload: Value],
        [udt], ReadWrite, (6, 9), RAY_CALLER, [])
    (263, HitObjectFromRayQuery = "HitObject_FromRayQuery", "hitObject_FromRayQuery", [query: RayQuery],
        [void], ReadOnly, (6, 9), RAY_CALLER, [])
    (264, HitObjectFromRayQueryWithAttrs = "HitObject_FromRayQueryWithAttrs", "hitObject_FromRayQueryWithAttrs", [query: RayQuery, hit_kind: Value, attributes: Value],
        [udt], ReadOnly, (6, 9), RAY_CALLER, [])
    (265, HitObjectMakeMiss = "HitObject_MakeMiss", "hitObject_MakeMiss", [ray_flags: Value, miss_index: Value, origin: Values<3>, t_min: Value, direction: Values<3>, t_max: Value],
        [void], ReadNone, (6, 9), RAY_CALLER, [])
    (266, HitObjectMakeNop = "HitObject_MakeNop", "hitObject_MakeNop", [],
        [void], ReadNone, (6, 9), RAY_CALLER, [])
    (267, HitObjectInvoke = "HitObject_Invoke", "hitObject_Invoke", [hit: HitObject, payload: Value],
        [udt], ReadWrite, (6, 9), RAY_CALLER, [])
    (268, MaybeReorderThread, "maybeReorderThread", [hit: HitObject, coherence_hint: Value, hint_bits: Value],
        [void], ReadWrite, (6, 9), RAY_GENERATION, [])
    (269, HitObjectIsMiss = "HitObject_IsMiss", "hitObject_StateScalar", [hit: HitObject],
        [i1], ReadNone, (6, 9), RAY_CALLER, [])
    (270, HitObjectIsHit = "HitObject_IsHit", "hitObject_StateScalar", [hit: HitObject],
        [i1], ReadNone, (6, 9), RAY_CALLER, [])
    (271, HitObjectIsNop = "HitObject_IsNop", "hitObject_StateScalar", [hit: HitObject],
        [i1], ReadNone, (6, 9), RAY_CALLER, [])
    (272, HitObjectRayFlags = "HitObject_RayFlags", "hitObject_StateScalar", [hit: HitObject],
        [i32], ReadNone, (6, 9), RAY_CALLER, [])
    (273, HitObjectRayTMin = "HitObject_RayTMin", "hitObject_StateScalar", [hit: HitObject],
        [f32], ReadNone, (6, 9), RAY_CALLER, [])
    (274, HitObjectRayTCurrent = "HitObject_RayTCurrent", "hitObject_StateScalar", [hit: HitObject],
        [f32], ReadNone, (6, 9), RAY_CALLER, [])
    (275, HitObjectWorldRayOrigin = "HitObject_WorldRayOrigin", "hitObject_StateVector", [hit: HitObject, component: Const<u32>],
        [f32], ReadNone, (6, 9), RAY_CALLER, [])
    (276, HitObjectWorldRayDirection = "HitObject_WorldRayDirection", "hitObject_StateVector", [hit: HitObject, component: Const<u32>],
        [f32], ReadNone, (6, 9), RAY_CALLER, [])
    (277, HitObjectObjectRayOrigin = "HitObject_ObjectRayOrigin", "hitObject_StateVector", [hit: HitObject, component: Const<u32>],
        [f32], ReadNone, (6, 9), RAY_CALLER, [])
    (278, HitObjectObjectRayDirection = "HitObject_ObjectRayDirection", "hitObject_StateVector", [hit: HitObject, component: Const<u32>],
        [f32], ReadNone, (6, 9), RAY_CALLER, [])
    (279, HitObjectObjectToWorld3x4 = "HitObject_ObjectToWorld3x4", "hitObject_StateMatrix", [hit: HitObject, row: Const<u32>, column: Const<u32>],
        [f32], ReadNone, (6, 9), RAY_CALLER, [])
    (280, HitObjectWorldToObject3x4 = "HitObject_WorldToObject3x4", "hitObject_StateMatrix", [hit: HitObject, row: Const<u32>, column: Const<u32>],
        [f32], ReadNone, (6, 9), RAY_CALLER, [])
    (281, HitObjectGeometryIndex = "HitObject_GeometryIndex", "hitObject_StateScalar", [hit: HitObject],
        [i32], ReadNone, (6, 9), RAY_CALLER, [])
    (282, HitObjectInstanceIndex = "HitObject_InstanceIndex", "hitObject_StateScalar", [hit: HitObject],
        [i32], ReadNone, (6, 9), RAY_CALLER, [])
    (283, HitObjectInstanceID = "HitObject_InstanceID", "hitObject_StateScalar", [hit: HitObject],
        [i32], ReadNone, (6, 9), RAY_CALLER, [])
    (284, HitObjectPrimitiveIndex = "HitObject_PrimitiveIndex", "hitObject_StateScalar", [hit: HitObject],
        [i32], ReadNone, (6, 9), RAY_CALLER, [])
    (285, HitObjectHitKind = "HitObject_HitKind", "hitObject_StateScalar", [hit: HitObject],
        [i32], ReadNone, (6, 9), RAY_CALLER, [])
    (286, HitObjectShaderTableIndex = "HitObject_ShaderTableIndex", "hitObject_StateScalar", [hit: HitObject],
        [i32], ReadNone, (6, 9), RAY_CALLER, [])
    (287, HitObjectSetShaderTableIndex = "HitObject_SetShaderTableIndex", "hitObject_SetShaderTableIndex", [hit: HitObject, index: Value],
        [void], ReadNone, (6, 9), RAY_CALLER, [])
    (288, HitObjectLoadLocalRootTableConstant = "HitObject_LoadLocalRootTableConstant", "hitObject_LoadLocalRootTableConstant", [hit: HitObject, offset: Value],
        [void], ReadOnly, (6, 9), RAY_CALLER, [])
    (289, HitObjectAttributes = "HitObject_Attributes", "hitObject_Attributes", [hit: HitObject, attributes: Value],
        [udt], ArgMemOnly, (6, 9), RAY_CALLER, [])
}
// Nodes of work graphs (SM 6.8).
Node = NodeOp {
    (238, AllocateNodeOutputRecords, "allocateNodeOutputRecords", [output: NodeHandle, count: Value, per_thread: Const<bool>],
        [void], ReadWrite, (6, 8), NODE, [])
    (239, GetNodeRecordPtr, "getNodeRecordPtr", [record: NodeRecord, index: Value],
        [udt], ReadNone, (6, 8), NODE, [])
    (240, IncrementOutputCount, "incrementOutputCount", [output: NodeHandle, count: Value, per_thread: Const<bool>],
        [void], ReadWrite, (6, 8), NODE, [])
    (241, OutputComplete, "outputComplete", [output: NodeRecord], [void], ReadWrite, (6, 8), NODE, [])
    (242, GetInputRecordCount, "getInputRecordCount", [input: NodeRecord], [void], ReadOnly, (6, 8), NODE, [])
    (243, FinishedCrossGroupSharing, "finishedCrossGroupSharing", [input: NodeRecord],
        [void], ReadWrite, (6, 8), NODE, [])
    (247, CreateNodeOutputHandle, "createNodeOutputHandle", [metadata_index: Const<u32>],
        [void], ReadNone, (6, 8), NODE, [])
    (248, IndexNodeHandle, "indexNodeHandle", [node: NodeHandle, index: Value],
        [void], ReadNone, (6, 8), NODE, [])
    (249, AnnotateNodeHandle, "annotateNodeHandle", [node: NodeHandle, properties: Const<NodeInfo>],
        [void], ReadNone, (6, 8), NODE, [])
    (250, CreateNodeInputRecordHandle, "createNodeInputRecordHandle", [metadata_index: Const<u32>],
        [void], ReadNone, (6, 8), NODE, [])
    (251, AnnotateNodeRecordHandle, "annotateNodeRecordHandle", [record: NodeRecord, properties: Const<NodeRecordInfo>],
        [void], ReadNone, (6, 8), NODE, [])
    (252, NodeOutputIsValid, "nodeOutputIsValid", [output: NodeHandle], [void], ReadOnly, (6, 8), NODE, [])
    (253, GetRemainingRecursionLevels, "getRemainingRecursionLevels", [], [void], ReadOnly, (6, 8), NODE, [])
}
// Native vectors as a whole (SM 6.9).
Vector = VectorOp {
    (303, RawBufferVectorLoad, "rawBufferVectorLoad", [buffer: Buffer, index: Value, element_offset: ElementOffset, align: Const<u32>],
        [f16 f32 f64 i16 i32 i64 vec], ReadOnly, (6, 9), ALL, [])
    (304, RawBufferVectorStore, "rawBufferVectorStore", [buffer: Buffer, index: Value, element_offset: ElementOffset, value: Data, align: Const<u32>],
        [f16 f32 f64 i16 i32 i64 vec], ReadWrite, (6, 9), ALL, [])
    (309, VectorReduceAnd, "vectorReduce", [a: Value],
        [vec_only i1 i8 i16 i32 i64], ReadNone, (6, 9), ALL, [])
    (310, VectorReduceOr, "vectorReduce", [a: Value], [vec_only i1 i8 i16 i32 i64], ReadNone, (6, 9), ALL, [])
    (311, FDot, "dot", [a: Value, b: Value], [vec_only f16 f32], ReadNone, (6, 9), ALL, [])
}
}}}
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
