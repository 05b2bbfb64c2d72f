; A shader of model 6.10 whose odd threads ask a debugger to stop.
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResourceProperties = type { i32, i32 }
%dx.types.ResBind = type { i32, i32, i32, i8 }
%"class.RWStructuredBuffer<unsigned int>" = type { i32 }

define void @main() {
  %1 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 0, i32 0, i8 1 }, i32 0, i1 false)
  %2 = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %3 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %1, %dx.types.ResourceProperties { i32 4108, i32 4 })
  %4 = and i32 %2, 1
  %5 = icmp ne i32 %4, 0
  br i1 %5, label %odd, label %end

odd:
  call void @dx.op.debugBreak(i32 -2147483615)
  br label %end

end:
  %6 = call i1 @dx.op.isDebuggingEnabled(i32 -2147483614)
  %7 = zext i1 %6 to i32
  call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %3, i32 %2, i32 0, i32 %7, i32 undef, i32 undef, i32 undef, i8 1, i32 4)
  ret void
}

declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32) #0
declare void @dx.op.rawBufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8, i32) #1
declare %dx.types.Handle @dx.op.annotateHandle(i32, %dx.types.Handle, %dx.types.ResourceProperties) #0
declare %dx.types.Handle @dx.op.createHandleFromBinding(i32, %dx.types.ResBind, i32, i1) #0
declare void @dx.op.debugBreak(i32) #2
declare i1 @dx.op.isDebuggingEnabled(i32) #0

attributes #0 = { nounwind readnone }
attributes #1 = { nounwind }
attributes #2 = { noduplicate nounwind }

!dx.version = !{!1}
!dx.valver = !{!2}
!dx.shaderModel = !{!3}
!dx.resources = !{!4}
!dx.entryPoints = !{!8}

!1 = !{i32 1, i32 10}
!2 = !{i32 1, i32 10}
!3 = !{!"cs", i32 6, i32 10}
!4 = !{null, !5, null, null}
!5 = !{!6}
!6 = !{i32 0, %"class.RWStructuredBuffer<unsigned int>"* undef, !"", i32 0, i32 0, i32 1, i32 12, i1 false, i1 false, i1 false, !7}
!7 = !{i32 1, i32 4}
!8 = !{void ()* @main, !"main", null, !4, !9}
!9 = !{i32 0, i64 16, i32 4, !10}
!10 = !{i32 32, i32 1, i32 1}
