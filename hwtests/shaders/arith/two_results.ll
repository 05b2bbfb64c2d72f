; IMul, UMul, UDiv, UAddc and USubb of words 0 and 1 of each row, both results of each.
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%struct.RWByteAddressBuffer = type { i32 }
%dx.types.twoi32 = type { i32, i32 }
%dx.types.i32c = type { i32, i1 }

define void @main() {
  %in = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %out = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %at = mul i32 %id, 8
  %row = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %in, i32 %at, i32 undef)
  %a = extractvalue %dx.types.ResRet.i32 %row, 0
  %b = extractvalue %dx.types.ResRet.i32 %row, 1
  %imul = call %dx.types.twoi32 @dx.op.binaryWithTwoOuts.i32(i32 41, i32 %a, i32 %b)
  %imul0 = extractvalue %dx.types.twoi32 %imul, 0
  %imul1 = extractvalue %dx.types.twoi32 %imul, 1
  %umul = call %dx.types.twoi32 @dx.op.binaryWithTwoOuts.i32(i32 42, i32 %a, i32 %b)
  %umul0 = extractvalue %dx.types.twoi32 %umul, 0
  %umul1 = extractvalue %dx.types.twoi32 %umul, 1
  %udiv = call %dx.types.twoi32 @dx.op.binaryWithTwoOuts.i32(i32 43, i32 %a, i32 %b)
  %udiv0 = extractvalue %dx.types.twoi32 %udiv, 0
  %udiv1 = extractvalue %dx.types.twoi32 %udiv, 1
  %addc = call %dx.types.i32c @dx.op.binaryWithCarryOrBorrow.i32(i32 44, i32 %a, i32 %b)
  %addc0 = extractvalue %dx.types.i32c %addc, 0
  %addcc = extractvalue %dx.types.i32c %addc, 1
  %addc1 = zext i1 %addcc to i32
  %subb = call %dx.types.i32c @dx.op.binaryWithCarryOrBorrow.i32(i32 45, i32 %a, i32 %b)
  %subb0 = extractvalue %dx.types.i32c %subb, 0
  %subbc = extractvalue %dx.types.i32c %subb, 1
  %subb1 = zext i1 %subbc to i32
  %to = mul i32 %id, 40
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %to, i32 undef, i32 %imul0, i32 %imul1, i32 %umul0, i32 %umul1, i8 15)
  %to4 = add i32 %to, 16
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %to4, i32 undef, i32 %udiv0, i32 %udiv1, i32 %addc0, i32 %addc1, i8 15)
  %to8 = add i32 %to, 32
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %to8, i32 undef, i32 %subb0, i32 %subb1, i32 undef, i32 undef, i8 3)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)
declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32)
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)
declare %dx.types.twoi32 @dx.op.binaryWithTwoOuts.i32(i32, i32, i32)
declare %dx.types.i32c @dx.op.binaryWithCarryOrBorrow.i32(i32, i32, i32)

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
