; Payloads have no long vectors in SPIR-V (SPV_EXT_long_vector, 2.16.1), so that the vectors of this shader are arrays.
;! targets = vulkan1.3
; not: LongVectorEXT
; check: OpTypeArray
; count: 8 OpFAdd
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%struct.Payload = type { <8 x float>, i32 }

define void @"\01?Sky@@YAXUPayload@@@Z"(%struct.Payload* noalias nocapture %payload) {
  %at = getelementptr inbounds %struct.Payload, %struct.Payload* %payload, i32 0, i32 0
  %old = load <8 x float>, <8 x float>* %at, align 4
  %new = fadd fast <8 x float> %old, <float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00>
  store <8 x float> %new, <8 x float>* %at, align 4
  ret void
}

!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.entryPoints = !{!2, !4}

!0 = !{i32 1, i32 3}
!1 = !{!"lib", i32 6, i32 3}
!2 = !{null, !"", null, null, !3}
!3 = !{i32 0, i64 0}
!4 = !{void (%struct.Payload*)* @"\01?Sky@@YAXUPayload@@@Z", !"\01?Sky@@YAXUPayload@@@Z", null, null, !5}
!5 = !{i32 8, i32 11, i32 6, i32 36, i32 5, !6}
!6 = !{i32 0}
