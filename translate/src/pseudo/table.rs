//! The table of pseudo-operations. A row is made of a sentence, the name, the function's name
//! without prefix and type, the operands with their roles ([`super::operands`]), and whether the
//! operation is cross-lane (`Wave`) or not (`Thread`).
//!
//! The result's type is that of the call: a word where no sentence says otherwise, and a structure
//! of words where it says "words".

/// Hands every row to the macro `$with`.
macro_rules! for_each_pseudo_op { ($with:ident) => { $with! {
    /// The number of the draw in a multi-draw (`DrawIndex`).
    (DrawIndex, "drawIndex", [], Thread)
    /// A scan over the wave, of the value's type. The lane's own value counts if it is `inclusive`.
    (WaveScan, "waveScan",
        [value: Value, op: Const<WaveOp>, sign: Const<Sign>, inclusive: Const<bool>], Wave)
    /// The words of a matrix in a buffer. Offset and stride are in bytes.
    (MatrixLoad, "matrixLoad",
        [buffer: Value, offset: Value, stride: Value, ty: Const<MatrixType>], Wave)
    /// Stores the words of a matrix in a buffer.
    (MatrixStore, "matrixStore",
        [buffer: Value, offset: Value, stride: Value, ty: Const<MatrixType>, words: Rest], Wave)
    /// The words of a matrix in a groupshared array of words. Index and stride are in words.
    (MatrixSharedLoad, "matrixSharedLoad",
        [array: Value, index: Value, stride: Value, ty: Const<MatrixType>], Wave)
    /// Stores the words of a matrix in a groupshared array.
    (MatrixSharedStore, "matrixSharedStore",
        [array: Value, index: Value, stride: Value, ty: Const<MatrixType>, words: Rest], Wave)
    /// The words of a matrix at a device address. Offset and stride are in bytes.
    (MatrixGlobalLoad, "matrixGlobalLoad",
        [low: Value, high: Value, offset: Value, stride: Value, ty: Const<MatrixType>], Wave)
    /// Stores the words of a matrix at a device address.
    (MatrixGlobalStore, "matrixGlobalStore",
        [low: Value, high: Value, offset: Value, stride: Value, ty: Const<MatrixType>, words: Rest],
        Wave)
    /// The words of `a * b + c`.
    (MatrixMultiply, "matrixMultiply",
        [formats: Const<ProductFormats>, a: Counted, b: Counted, c: Counted], Wave)
    /// The words of a matrix in another format, another role, or both.
    (MatrixConvert, "matrixConvert",
        [old: Const<MatrixType>, new: Const<MatrixType>, saturate: Const<bool>, words: Rest], Wave)
    /// The words of a matrix whose elements are all the same.
    (MatrixFill, "matrixFill", [ty: Const<MatrixType>, value: Value], Wave)
    /// The number of elements that a lane has; four of 8 bits count as one.
    (MatrixLength, "matrixLength", [ty: Const<MatrixType>], Wave)
    /// The words of the results of arithmetic on elements at the same position.
    (MatrixElementwise, "matrixElementwise",
        [op: Const<ElementwiseOp>, ty: Const<MatrixType>, a: Counted, b: Counted], Wave)
    /// The device's clock: its low and its high word.
    (RealtimeClock, "realtimeClock", [], Thread)
    /// The bits of a vertex's weight in the pixel.
    (Barycentric, "barycentric", [mode: Const<BarycentricMode>, vertex: Const<u32>], Thread)
    /// The number of the cluster that the ray hit.
    (ClusterId, "clusterId", [], Thread)
    /// The number of the cluster of a query's candidate or committed hit.
    (QueryClusterId, "queryClusterId", [query: Value, committed: Const<bool>], Thread)
    /// An atomic on the float, or the two halves, in a word of a buffer. Returns the old word.
    (FloatAtomic, "floatAtomic",
        [resource: Value, coords: Coordinates, value: Value, op: Const<FloatAtomic>], Thread)
    /// The object in a slot of an array of hit objects.
    (HitObjectSlot, "hitObjectSlot",
        [array: Const<u32>, slots: Const<u32>, may_lack_record: Const<bool>, slot: Word], Thread)
    /// The next operation that makes a hit object puts it into this slot. No result.
    (HitObjectPlace, "hitObjectPlace",
        [array: Const<u32>, slots: Const<u32>, may_lack_record: Const<bool>, slot: Word], Thread)
    /// The next `HitObject_TraceRay` traces no ray but records this hit. `index` is that of the
    /// record, or the offset to which the geometry's number times `factor` is added. No result.
    (HitObjectRecord, "hitObjectRecord",
        [instance: Value, geometry: Value, primitive: Value, kind: Value, index: Value,
            factor: Value, is_record: Const<bool>, attributes: Value], Thread)
    /// The number of the cluster that was hit, or -1.
    (HitObjectClusterId, "hitObjectClusterId", [hit: HitObject], Thread)
    /// The words of a property of what the ray hit.
    (HitGeometry, "hitGeometry", [property: Const<HitGeometry>], Thread)
    /// The words of a property of what a query's ray hit.
    (QueryGeometry, "queryGeometry",
        [query: Value, committed: Const<bool>, property: Const<HitGeometry>], Thread)
    /// The words of a property of what was hit; zeros where there is no hit.
    (HitObjectGeometry, "hitObjectGeometry", [hit: HitObject, property: Const<HitGeometry>], Thread)
    /// The word at a device address plus an offset in bytes.
    (LoadAtAddress, "loadAtAddress", [low: Value, high: Value, offset: Value], Thread)
    /// A vector of these elements.
    (Vector, "vector", [elements: Rest], Thread)
} } }

pub(super) use for_each_pseudo_op;
