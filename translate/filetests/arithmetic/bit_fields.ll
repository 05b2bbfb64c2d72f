; Width and offset count modulo 32; a field that leaves the word ends with it.
; check: $mask = OpConstant $uint 31
; check: OpBitwiseAnd $uint $width_word $mask
; check: OpBitFieldSExtract
; check: OpBitFieldUExtract
; check: OpBitFieldInsert
; check: UMin
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%struct.RWByteAddressBuffer = type { i32 }

define void @main() {
  %in = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %out = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %at = mul i32 %id, 16
  %row = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %in, i32 %at, i32 undef)
  %a = extractvalue %dx.types.ResRet.i32 %row, 0
  %b = extractvalue %dx.types.ResRet.i32 %row, 1
  %c = extractvalue %dx.types.ResRet.i32 %row, 2
  %d = extractvalue %dx.types.ResRet.i32 %row, 3
  %ibfe = call i32 @dx.op.tertiary.i32(i32 51, i32 %a, i32 %b, i32 %c)
  %ubfe = call i32 @dx.op.tertiary.i32(i32 52, i32 %a, i32 %b, i32 %c)
  %bfi = call i32 @dx.op.quaternary.i32(i32 53, i32 %a, i32 %b, i32 %c, i32 %d)
  %imad = call i32 @dx.op.tertiary.i32(i32 48, i32 %a, i32 %b, i32 %c)
  %umad = call i32 @dx.op.tertiary.i32(i32 49, i32 %d, i32 %b, i32 %c)
  %umin = call i32 @dx.op.binary.i32(i32 40, i32 %c, i32 %d)
  %to = mul i32 %id, 24
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %to, i32 undef, i32 %ibfe, i32 %ubfe, i32 %bfi, i32 %umad, i8 15)
  %to4 = add i32 %to, 16
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %to4, i32 undef, i32 %umin, i32 %imad, i32 undef, i32 undef, i8 3)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)
declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32)
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)
declare i32 @dx.op.tertiary.i32(i32, i32, i32, i32)
declare i32 @dx.op.quaternary.i32(i32, i32, i32, i32, i32)
declare i32 @dx.op.binary.i32(i32, i32, i32)

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
!7 = !{i32 0, i64 16, i32 4, !8}
!8 = !{i32 64, i32 1, i32 1}
