; Casts between 16-bit integers and halves.
; check: OpBitcast $half
; check: FAbs
; check: OpBitcast $ushort
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%struct.RWByteAddressBuffer = type { i32 }

define void @main() {
  %in = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %out = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %at = mul i32 %id, 4
  %row = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %in, i32 %at, i32 undef)
  %a = extractvalue %dx.types.ResRet.i32 %row, 0
  %h = trunc i32 %a to i16
  %f = call half @dx.op.bitcastI16toF16(i32 124, i16 %h)
  %n = call half @dx.op.unary.f16(i32 6, half %f)
  %b16 = call i16 @dx.op.bitcastF16toI16(i32 125, half %n)
  %r = zext i16 %b16 to i32
  %normal = call i1 @dx.op.isSpecialFloat.f16(i32 11, half %f)
  %q = zext i1 %normal to i32
  %to = mul i32 %id, 8
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %to, i32 undef, i32 %r, i32 %q, i32 undef, i32 undef, i8 3)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)
declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32)
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)
declare half @dx.op.bitcastI16toF16(i32, i16)
declare i16 @dx.op.bitcastF16toI16(i32, half)
declare i1 @dx.op.isSpecialFloat.f16(i32, half)
declare half @dx.op.unary.f16(i32, half)

!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.resources = !{!2}
!dx.entryPoints = !{!6}

!0 = !{i32 1, i32 2}
!1 = !{!"cs", i32 6, i32 2}
!2 = !{null, !3, null, null}
!3 = !{!4, !5}
!4 = !{i32 0, %struct.RWByteAddressBuffer* undef, !"source", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!5 = !{i32 1, %struct.RWByteAddressBuffer* undef, !"result", i32 0, i32 1, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!6 = !{void ()* @main, !"main", null, !2, !7}
!7 = !{i32 0, i64 8388656, i32 4, !8}
!8 = !{i32 64, i32 1, i32 1}
