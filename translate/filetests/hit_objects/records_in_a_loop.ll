; newer: hitObject_MakeMiss hitObject_Invoke hitObject_SetShaderTableIndex
;! targets = vulkan1.3
; Each round sets another record, and the object of the round before is needed after that: phis choose among slots
; and among records.
; check: $old = OpPhi $uint $read $has $zero $has_not
; check: $i = OpPhi $uint $zero $entry $next $back
; check: $slot = OpPhi $uint $zero $entry $same $back
; check: $record = OpPhi $uint $old $entry $i $back
; check: OpHitObjectSetShaderBindingTableRecordIndexEXT $hit $i
; check: OpHitObjectSetShaderBindingTableRecordIndexEXT $hit2 $record
; check: OpHitObjectExecuteShaderEXT
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.HitObject = type { i8* }
%struct.Payload = type { i32 }

define void @main() {
entry:
  %payload = alloca %struct.Payload
  %end = call i32 @dx.op.dispatchRaysIndex.i32(i32 145, i8 0)
  %first = call %dx.types.HitObject @dx.op.hitObject_MakeMiss(i32 265, i32 0, i32 %end, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0, float 1.0, float 1.0)
  br label %again
again:
  %i = phi i32 [ 0, %entry ], [ %next, %again ]
  %hit = phi %dx.types.HitObject [ %first, %entry ], [ %new, %again ]
  %new = call %dx.types.HitObject @dx.op.hitObject_SetShaderTableIndex(i32 287, %dx.types.HitObject %hit, i32 %i)
  call void @dx.op.hitObject_Invoke.struct.Payload(i32 267, %dx.types.HitObject %hit, %struct.Payload* %payload)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %end
  br i1 %more, label %again, label %done
done:
  ret void
}

declare i32 @dx.op.dispatchRaysIndex.i32(i32, i8)
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
