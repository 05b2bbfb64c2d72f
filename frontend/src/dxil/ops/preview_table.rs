//! The rows of the experimental table 0x8000: operations of the preview shader model 6.10. Names,
//! numbers and operands still move, and stand here alone. Facts: DXC's own table (commit
//! 9a3e225da); HLSL proposal 0035 for the matrices.
//!
//! A row is one of [`super::table`]. Matrices (`%dx.types.LinAlgMatrix...`) are plain values.

/// Adds the rows to those of the core table, and hands all to the macro `$with`.
macro_rules! with_preview_ops { ($with:ident { $($core:tt)* }) => { $with! {
$($core)*
// The preview, but for matrices.
Preview = PreviewOp {
    /// Nothing.
    (0x8000_0000, ExperimentalNop, "nop", [], [void], ReadNone, (6, 10), ALL, [], "")
    /// Number of the wave in its group.
    (0x8000_0001, GetGroupWaveIndex, "getGroupWaveIndex", [], [void], ReadNone, (6, 10), THREAD_GROUP, [WAVE], "GetGroupWaveIndex")
    /// Number of waves of the group.
    (0x8000_0002, GetGroupWaveCount, "getGroupWaveCount", [], [void], ReadNone, (6, 10), THREAD_GROUP, [WAVE], "GetGroupWaveCount")
    /// Identifier of the cluster of the hit triangle.
    (0x8000_0003, ClusterID, "clusterID", [], [void], ReadNone, (6, 10), CANDIDATE_OR_CLOSEST_HIT, [], "ClusterID")
    /// Identifier of the cluster of the candidate.
    (0x8000_0004, RayQueryCandidateClusterID = "RayQuery_CandidateClusterID", "rayQuery_StateScalar", [query: RayQuery], [i32], ReadOnly, (6, 10), ALL, [], "RayQuery.CandidateClusterID")
    /// Identifier of the cluster of the hit.
    (0x8000_0005, RayQueryCommittedClusterID = "RayQuery_CommittedClusterID", "rayQuery_StateScalar", [query: RayQuery], [i32], ReadOnly, (6, 10), ALL, [], "RayQuery.CommittedClusterID")
    /// Identifier of the cluster of the hit.
    (0x8000_0006, HitObjectClusterID = "HitObject_ClusterID", "hitObject_StateScalar", [hit: HitObject], [i32], ReadNone, (6, 10), RAY_CALLER, [], "HitObject::GetClusterID")
    /// Vertices of the hit triangle in object space.
    (0x8000_0007, TriangleObjectPosition, "triangleObjectPosition", [], [f32], ReadNone, (6, 10), CANDIDATE_OR_CLOSEST_HIT, [], "TriangleObjectPositions")
    /// Vertices of the candidate in object space.
    (0x8000_0008, RayQueryCandidateTriangleObjectPosition = "RayQuery_CandidateTriangleObjectPosition", "rayQuery_CandidateTriangleObjectPosition", [query: RayQuery],
        [f32], ReadOnly, (6, 10), ALL, [], "RayQuery.CandidateTriangleObjectPositions")
    /// Vertices of the hit triangle in object space.
    (0x8000_0009, RayQueryCommittedTriangleObjectPosition = "RayQuery_CommittedTriangleObjectPosition", "rayQuery_CommittedTriangleObjectPosition", [query: RayQuery],
        [f32], ReadOnly, (6, 10), ALL, [], "RayQuery.CommittedTriangleObjectPositions")
    /// Vertices of the hit triangle in object space.
    (0x8000_000a, HitObjectTriangleObjectPosition = "HitObject_TriangleObjectPosition", "hitObject_TriangleObjectPosition", [hit: HitObject],
        [f32], ReadNone, (6, 10), RAY_CALLER, [], "HitObject::TriangleObjectPositions")
    /// Stops in a debugger, if there is one.
    (0x8000_0021, DebugBreak, "debugBreak", [], [void], NoDuplicate, (6, 10), ALL, [], "DebugBreak")
    /// Whether there is a debugger.
    (0x8000_0022, IsDebuggingEnabled, "isDebuggingEnabled", [], [void], ReadWrite, (6, 10), ALL, [], "IsDebuggingEnabled")
}
// Matrices of the preview.
LinAlg = LinAlgOp {
    /// Product of two matrices, added to a third one.
    (0x8000_000b, LinAlgMatrixMultiplyAccumulate, "linAlgMatrixMultiplyAccumulate", [a: Value, b: Value, c: Value],
        [obj], ReadWrite, (6, 10), COMPUTE_OR_LIBRARY, [], "dx::linalg::MultiplyAccumulate")
    /// Matrix whose elements are all a value.
    (0x8000_000c, LinAlgFillMatrix, "linAlgFillMatrix", [value: Value],
        [obj], ReadWrite, (6, 10), COMPUTE_OR_LIBRARY, [], "dx::linalg::Matrix::Splat")
    /// Matrix with other components or another use, transposed if asked for.
    (0x8000_000d, LinAlgCopyConvertMatrix, "linAlgCopyConvertMatrix", [source: Value, transpose: Const<bool>],
        [obj], ReadWrite, (6, 10), COMPUTE_OR_LIBRARY, [], "dx::linalg::Matrix::Cast")
    /// Matrix from a buffer.
    (0x8000_000e, LinAlgMatrixLoadFromDescriptor, "linAlgMatrixLoadFromDescriptor", [buffer: Buffer, offset: Value, stride: Value, layout: Const<MatrixLayout>, align: Const<u32>],
        [obj], ReadWrite, (6, 10), ALL, [], "dx::linalg::Matrix::Load")
    /// Matrix from groupshared memory.
    (0x8000_000f, LinAlgMatrixLoadFromMemory, "linAlgMatrixLoadFromMemory", [memory: Value, offset: Value, stride: Value, layout: Const<MatrixLayout>],
        [obj], ReadWrite, (6, 10), COMPUTE_OR_LIBRARY, [], "dx::linalg::Matrix::Load")
    /// Number of elements that the thread holds.
    (0x8000_0010, LinAlgMatrixLength, "linAlgMatrixLength", [matrix: Value],
        [obj], ReadWrite, (6, 10), COMPUTE_OR_LIBRARY, [], "dx::linalg::Matrix::Length")
    /// Row and column of one of the thread's elements.
    (0x8000_0011, LinAlgMatrixGetCoordinate, "linAlgMatrixGetCoordinate", [matrix: Value, index: Value],
        [obj], ReadWrite, (6, 10), COMPUTE_OR_LIBRARY, [], "dx::linalg::Matrix::GetCoordinate")
    /// One of the thread's elements.
    (0x8000_0012, LinAlgMatrixGetElement, "linAlgMatrixGetElement", [matrix: Value, index: Value],
        [obj], ReadWrite, (6, 10), COMPUTE_OR_LIBRARY, [], "dx::linalg::Matrix::Get")
    /// Matrix with another value of one of the thread's elements.
    (0x8000_0013, LinAlgMatrixSetElement, "linAlgMatrixSetElement", [matrix: Value, index: Value, value: Value],
        [obj], ReadWrite, (6, 10), COMPUTE_OR_LIBRARY, [], "dx::linalg::Matrix::Set")
    /// Writes a matrix to a buffer.
    (0x8000_0014, LinAlgMatrixStoreToDescriptor, "linAlgMatrixStoreToDescriptor", [matrix: Data, buffer: Buffer, offset: Value, stride: Value, layout: Const<MatrixLayout>, align: Const<u32>],
        [obj], ReadWrite, (6, 10), COMPUTE_OR_LIBRARY, [], "dx::linalg::Matrix::Store")
    /// Writes a matrix to groupshared memory.
    (0x8000_0015, LinAlgMatrixStoreToMemory, "linAlgMatrixStoreToMemory", [matrix: Value, memory: Value, offset: Value, stride: Value, layout: Const<MatrixLayout>],
        [obj], ReadWrite, (6, 10), COMPUTE_OR_LIBRARY, [], "dx::linalg::Matrix::Store")
    /// Operand whose layout accumulators have on the device: 0 the left one, 1 the right one.
    (0x8000_0016, LinAlgMatrixQueryAccumulatorLayout, "linAlgMatrixQueryAccumulatorLayout", [],
        [void], ReadWrite, (6, 10), ALL, [], "dx::linalg::AccumulatorLayout")
    /// Product of two matrices.
    (0x8000_0017, LinAlgMatrixMultiply, "linAlgMatrixMultiply", [a: Value, b: Value],
        [obj], ReadWrite, (6, 10), COMPUTE_OR_LIBRARY, [], "dx::linalg::Multiply")
    /// Sum of an accumulator and a matrix of another use.
    (0x8000_0018, LinAlgMatrixAccumulate, "linAlgMatrixAccumulate", [a: Value, b: Value],
        [obj], ReadWrite, (6, 10), COMPUTE_OR_LIBRARY, [], "dx::linalg::Matrix::Accumulate")
    /// Product of a matrix and a vector.
    (0x8000_0019, LinAlgMatVecMul, "linAlgMatVecMul", [matrix: Value, output_signed: Const<bool>, vector: Value, interpretation: Const<MatrixComponent>],
        [obj], ReadWrite, (6, 10), ALL, [], "dx::linalg::Multiply")
    /// Product of a matrix and a vector, added to a vector.
    (0x8000_001a, LinAlgMatVecMulAdd, "linAlgMatVecMulAdd", [matrix: Value, output_signed: Const<bool>, vector: Value, interpretation: Const<MatrixComponent>, bias: Value],
        [obj], ReadWrite, (6, 10), ALL, [], "dx::linalg::MultiplyAdd")
    /// Adds a matrix to one in a buffer, element by element.
    (0x8000_001b, LinAlgMatrixAccumulateToDescriptor, "linAlgMatrixAccumulateToDescriptor", [matrix: Data, buffer: Buffer, offset: Value, stride: Value, layout: Const<MatrixLayout>, align: Const<u32>],
        [obj], ReadWrite, (6, 10), ALL, [], "dx::linalg::Matrix::InterlockedAccumulate")
    /// Adds a matrix to one in groupshared memory, element by element.
    (0x8000_001c, LinAlgMatrixAccumulateToMemory, "linAlgMatrixAccumulateToMemory", [matrix: Value, memory: Value, target: Const<MatrixComponent>, offset: Value, stride: Value, layout: Const<MatrixLayout>],
        [obj], ReadWrite, (6, 10), COMPUTE_OR_LIBRARY, [], "dx::linalg::Matrix::InterlockedAccumulate")
    /// Matrix of the products of the elements of two vectors.
    (0x8000_001d, LinAlgMatrixOuterProduct, "linAlgMatrixOuterProduct", [a: Value, b: Value],
        [obj], ReadWrite, (6, 10), ALL, [], "dx::linalg::OuterProduct")
    /// Vector with other components.
    (0x8000_001e, LinAlgConvert, "linAlgConvert", [vector: Value, from: Const<MatrixComponent>, to: Const<MatrixComponent>],
        [obj], ReadWrite, (6, 10), ALL, [], "dx::linalg::Convert")
    /// Adds a vector to one in a buffer, element by element.
    (0x8000_001f, LinAlgVectorAccumulateToDescriptor, "linAlgVectorAccumulateToDescriptor", [buffer: Buffer, offset: Value, align: Const<u32>, vector: Data],
        [obj], ReadWrite, (6, 10), ALL, [], "dx::linalg::InterlockedAccumulate")
}
}}}
pub(super) use with_preview_ops;
