; newer: hitObject_MakeNop hitObject_MakeMiss hitObject_Invoke hitObject_SetShaderTableIndex
;! targets = vulkan1.3
; Both objects are one slot; the index of the older one's record is read before it is changed, and set again.
; check: $array = OpTypeArray $object $one
; check: OpHitObjectRecordMissEXT $hit
; check: $old = OpHitObjectGetShaderBindingTableRecordIndexEXT $uint $hit2
; check: $kept = OpPhi $uint $old $a $zero $b
; check: OpHitObjectSetShaderBindingTableRecordIndexEXT $hit3 $three
; check: OpHitObjectSetShaderBindingTableRecordIndexEXT $hit4 $kept
; check: OpHitObjectExecuteShaderEXT $hit5
; check: OpHitObjectSetShaderBindingTableRecordIndexEXT $hit6 $three
; check: OpHitObjectExecuteShaderEXT $hit7
; count: 3 OpHitObjectSetShaderBindingTableRecordIndexEXT
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.HitObject = type { i8* }
%struct.Payload = type { i32 }

define void @main() {
entry:
  %payload = alloca %struct.Payload
  %end = call i32 @dx.op.dispatchRaysIndex.i32(i32 145, i8 0)
  %first = call %dx.types.HitObject @dx.op.hitObject_MakeMiss(i32 265, i32 0, i32 %end, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0, float 1.0, float 1.0)
  %second = call %dx.types.HitObject @dx.op.hitObject_SetShaderTableIndex(i32 287, %dx.types.HitObject %first, i32 3)
  call void @dx.op.hitObject_Invoke.struct.Payload(i32 267, %dx.types.HitObject %first, %struct.Payload* %payload)
  call void @dx.op.hitObject_Invoke.struct.Payload(i32 267, %dx.types.HitObject %second, %struct.Payload* %payload)
  ret void
}

declare i32 @dx.op.dispatchRaysIndex.i32(i32, i8)
declare %dx.types.HitObject @dx.op.hitObject_MakeNop(i32)
declare %dx.types.HitObject @dx.op.hitObject_SetShaderTableIndex(i32, %dx.types.HitObject, i32)
declare %dx.types.HitObject @dx.op.hitObject_MakeMiss(i32, i32, i32, float, float, float, float, float, float, float, float)
declare void @dx.op.hitObject_Invoke.struct.Payload(i32, %dx.types.HitObject, %struct.Payload*)

!dx.version = !{!0}
!dx.valver = !{!1}
!dx.shaderModel = !{!2}
!dx.entryPoints = !{!3, !4}

!0 = !{i32 1, i32 6}
!1 = !{i32 1, i32 6}
!2 = !{!"lib", i32 6, i32 6}
!3 = !{null, !"", null, null, null}
!4 = !{void ()* @main, !"main", null, null, !5}
!5 = !{i32 8, i32 7}
