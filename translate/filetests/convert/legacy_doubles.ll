; Bit casts as operations, and conversions of doubles that cut off and saturate; NaN gives 0.
; check: OpBitcast
; check: OpConvertFToS
; check: OpConvertFToU
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%struct.RWByteAddressBuffer = type { i32 }

define void @main() {
  %in = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %out = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %at = mul i32 %id, 8
  %row = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %in, i32 %at, i32 undef)
  %a = extractvalue %dx.types.ResRet.i32 %row, 0
  %b = extractvalue %dx.types.ResRet.i32 %row, 1
  %f = call float @dx.op.bitcastI32toF32(i32 126, i32 %a)
  %i = call i32 @dx.op.bitcastF32toI32(i32 127, float %f)
  %normal = call i1 @dx.op.isSpecialFloat.f32(i32 11, float %f)
  %n = zext i1 %normal to i32
  %lo = zext i32 %a to i64
  %wide = zext i32 %b to i64
  %hi = shl i64 %wide, 32
  %w = or i64 %hi, %lo
  %d = call double @dx.op.bitcastI64toF64(i32 128, i64 %w)
  %fl = call float @dx.op.legacyDoubleToFloat(i32 132, double %d)
  %flw = call i32 @dx.op.bitcastF32toI32(i32 127, float %fl)
  %si = call i32 @dx.op.legacyDoubleToSInt32(i32 133, double %d)
  %ui = call i32 @dx.op.legacyDoubleToUInt32(i32 134, double %d)
  %twice = fadd double %d, %d
  %w2 = call i64 @dx.op.bitcastF64toI64(i32 129, double %twice)
  %w2lo = trunc i64 %w2 to i32
  %w2s = lshr i64 %w2, 32
  %w2hi = trunc i64 %w2s to i32
  %to = mul i32 %id, 28
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %to, i32 undef, i32 %i, i32 %n, i32 %flw, i32 %si, i8 15)
  %to4 = add i32 %to, 16
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %to4, i32 undef, i32 %ui, i32 %w2lo, i32 %w2hi, i32 undef, i8 7)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)
declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32)
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)
declare float @dx.op.bitcastI32toF32(i32, i32)
declare i32 @dx.op.bitcastF32toI32(i32, float)
declare i1 @dx.op.isSpecialFloat.f32(i32, float)
declare double @dx.op.bitcastI64toF64(i32, i64)
declare i64 @dx.op.bitcastF64toI64(i32, double)
declare float @dx.op.legacyDoubleToFloat(i32, double)
declare i32 @dx.op.legacyDoubleToSInt32(i32, double)
declare i32 @dx.op.legacyDoubleToUInt32(i32, double)

!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.resources = !{!2}
!dx.entryPoints = !{!6}

!0 = !{i32 1, i32 0}
!1 = !{!"cs", i32 6, i32 0}
!2 = !{null, !3, null, null}
!3 = !{!4, !5}
!4 = !{i32 0, %struct.RWByteAddressBuffer* undef, !"source", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!5 = !{i32 1, %struct.RWByteAddressBuffer* undef, !"result", i32 0, i32 1, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!6 = !{void ()* @main, !"main", null, !2, !7}
!7 = !{i32 0, i64 1048596, i32 4, !8}
!8 = !{i32 64, i32 1, i32 1}
