; CBufferLoad: single values at byte offsets, of every width.
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%struct.RWByteAddressBuffer = type { i32 }
%Constants = type { [64 x i32] }

define void @main() {
  %in = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %out = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)
  %cb = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 2, i32 0, i32 0, i1 false)
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %base = mul i32 %id, 4
  %w = call i32 @dx.op.cbufferLoad.i32(i32 58, %dx.types.Handle %cb, i32 %base, i32 4)
  %pair = and i32 %id, 31
  %base8 = mul i32 %pair, 8
  %q = call i64 @dx.op.cbufferLoad.i64(i32 58, %dx.types.Handle %cb, i32 %base8, i32 8)
  %qlo = trunc i64 %q to i32
  %qs = lshr i64 %q, 32
  %qhi = trunc i64 %qs to i32
  %base2 = mul i32 %id, 2
  %h = call i16 @dx.op.cbufferLoad.i16(i32 58, %dx.types.Handle %cb, i32 %base2, i32 2)
  %hw = zext i16 %h to i32
  %f = call float @dx.op.cbufferLoad.f32(i32 58, %dx.types.Handle %cb, i32 12, i32 4)
  %fa = call float @dx.op.unary.f32(i32 6, float %f)
  %fw = bitcast float %fa to i32
  %to = mul i32 %id, 20
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %to, i32 undef, i32 %w, i32 %qlo, i32 %qhi, i32 %hw, i8 15)
  %to4 = add i32 %to, 16
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %to4, i32 undef, i32 %fw, i32 undef, i32 undef, i32 undef, i8 1)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)
declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32)
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)
declare i32 @dx.op.cbufferLoad.i32(i32, %dx.types.Handle, i32, i32)
declare i64 @dx.op.cbufferLoad.i64(i32, %dx.types.Handle, i32, i32)
declare i16 @dx.op.cbufferLoad.i16(i32, %dx.types.Handle, i32, i32)
declare float @dx.op.cbufferLoad.f32(i32, %dx.types.Handle, i32, i32)
declare float @dx.op.unary.f32(i32, float)

!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.resources = !{!2}
!dx.entryPoints = !{!6}

!0 = !{i32 1, i32 2}
!1 = !{!"cs", i32 6, i32 2}
!2 = !{null, !3, !9, null}
!3 = !{!4, !5}
!4 = !{i32 0, %struct.RWByteAddressBuffer* undef, !"source", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!5 = !{i32 1, %struct.RWByteAddressBuffer* undef, !"result", i32 0, i32 1, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!6 = !{void ()* @main, !"main", null, !2, !7}
!7 = !{i32 0, i64 9437232, i32 4, !8}
!8 = !{i32 64, i32 1, i32 1}
!9 = !{!10}
!10 = !{i32 0, %Constants* undef, !"constants", i32 0, i32 0, i32 1, i32 256, null}
