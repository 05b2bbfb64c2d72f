; Two records with other properties for one variable (INSTR.RESOURCEMAPTOSINGLEENTRY).
; Its translation ends with an error: it calls a function that nothing defines.
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%"class.RWStructuredBuffer<float>" = type { float }
%dx.types.Handle = type { i8* }

@"\01?Out@@3V?$RWStructuredBuffer@M@@A" = external constant %"class.RWStructuredBuffer<float>", align 4

define void @main() {
  %1 = load %"class.RWStructuredBuffer<float>", %"class.RWStructuredBuffer<float>"* @"\01?Out@@3V?$RWStructuredBuffer@M@@A", align 4
  %2 = call i32 @dx.op.threadId.i32(i32 93, i32 0)  ; ThreadId
  %3 = uitofp i32 %2 to float
  %4 = call float @"\01?helper@@YAMM@Z"(float %3)
  %5 = call %dx.types.Handle @"dx.op.createHandleForLib.class.RWStructuredBuffer<float>"(i32 160, %"class.RWStructuredBuffer<float>" %1)  ; CreateHandleForLib
  call void @dx.op.rawBufferStore.f32(i32 140, %dx.types.Handle %5, i32 %2, i32 0, float %4, float undef, float undef, float undef, i8 1, i32 4)  ; RawBufferStore "Out"
  ret void
}

declare float @"\01?helper@@YAMM@Z"(float)

; Function Attrs: nounwind readnone
declare i32 @dx.op.threadId.i32(i32, i32) #0

; Function Attrs: nounwind
declare void @dx.op.rawBufferStore.f32(i32, %dx.types.Handle, i32, i32, float, float, float, float, i8, i32) #1

; Function Attrs: nounwind readonly
declare %dx.types.Handle @"dx.op.createHandleForLib.class.RWStructuredBuffer<float>"(i32, %"class.RWStructuredBuffer<float>") #2

attributes #0 = { nounwind readnone }
attributes #1 = { nounwind }
attributes #2 = { nounwind readonly }

!llvm.ident = !{!0}
!dx.version = !{!1}
!dx.valver = !{!2}
!dx.shaderModel = !{!3}
!dx.resources = !{!4}
!dx.typeAnnotations = !{!8, !11}
!dx.entryPoints = !{!19, !21}

!0 = !{!"clang version 3.7 (tags/RELEASE_370/final)"}
!1 = !{i32 1, i32 3}
!2 = !{i32 1, i32 7}
!3 = !{!"lib", i32 6, i32 3}
!4 = !{null, !5, null, null}
!5 = !{!6, !9001}
!6 = !{i32 0, %"class.RWStructuredBuffer<float>"* @"\01?Out@@3V?$RWStructuredBuffer@M@@A", !"Out", i32 0, i32 0, i32 1, i32 12, i1 false, i1 false, i1 false, !7}
!7 = !{i32 1, i32 4}
!8 = !{i32 0, %"class.RWStructuredBuffer<float>" undef, !9}
!9 = !{i32 4, !10}
!10 = !{i32 6, !"h", i32 3, i32 0, i32 7, i32 9}
!11 = !{i32 1, float (float)* @"\01?helper@@YAMM@Z", !12, void ()* @main, !17}
!12 = !{!13, !16}
!13 = !{i32 1, !14, !15}
!14 = !{i32 7, i32 9}
!15 = !{}
!16 = !{i32 0, !14, !15}
!17 = !{!18}
!18 = !{i32 0, !15, !15}
!19 = !{null, !"", null, !4, !20}
!20 = !{i32 0, i64 65552}
!21 = !{void ()* @main, !"main", null, null, !22}
!22 = !{i32 8, i32 5, i32 4, !23, i32 5, !24}
!23 = !{i32 1, i32 1, i32 1}
!24 = !{i32 0}

!9001 = !{i32 1, %"class.RWStructuredBuffer<float>"* @"\01?Out@@3V?$RWStructuredBuffer@M@@A", !"Out", i32 0, i32 7, i32 1, i32 11, i1 false, i1 false, i1 false, null}
