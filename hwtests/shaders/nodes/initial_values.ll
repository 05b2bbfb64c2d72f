; A broadcasting node whose groupshared memory has an initializer: every group begins with it.
; newer: getNodeRecordPtr annotateNodeRecordHandle createNodeInputRecordHandle
; assembled as: 6 6
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.NodeRecordHandle = type { i8* }
%dx.types.NodeRecordInfo = type { i32, i32 }
%dx.types.ResourceProperties = type { i32, i32 }
%struct.Record = type { i32 }
%"class.RWStructuredBuffer<unsigned int>" = type { i32 }

@result = external constant %dx.types.Handle, align 4
@weights = internal addrspace(3) global [4 x i32] [i32 10, i32 20, i32 30, i32 40], align 4

; Input: the number of the record. Each of its 3 groups of 4 threads stores a weight + the group.
define void @spread() {
entry:
  %in0 = call %dx.types.NodeRecordHandle @dx.op.createNodeInputRecordHandle(i32 250, i32 0)
  %in = call %dx.types.NodeRecordHandle @dx.op.annotateNodeRecordHandle(i32 251, %dx.types.NodeRecordHandle %in0, %dx.types.NodeRecordInfo { i32 97, i32 4 })
  %record = call %struct.Record addrspace(6)* @dx.op.getNodeRecordPtr.struct.Record(i32 239, %dx.types.NodeRecordHandle %in, i32 0)
  %field = getelementptr %struct.Record, %struct.Record addrspace(6)* %record, i32 0, i32 0
  %number = load i32, i32 addrspace(6)* %field, align 4
  %thread = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %group = call i32 @dx.op.groupId.i32(i32 94, i32 0)
  %mirror = sub i32 3, %thread
  %place = getelementptr [4 x i32], [4 x i32] addrspace(3)* @weights, i32 0, i32 %mirror
  %weight = load i32, i32 addrspace(3)* %place, align 4
  %value = add i32 %weight, %group
  %groups = mul i32 %number, 3
  %all = add i32 %groups, %group
  %first = mul i32 %all, 4
  %at = add i32 %first, %thread
  %h0 = load %dx.types.Handle, %dx.types.Handle* @result, align 4
  %h1 = call %dx.types.Handle @dx.op.createHandleForLib.dx.types.Handle(i32 160, %dx.types.Handle %h0)
  %h = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %h1, %dx.types.ResourceProperties { i32 4108, i32 4 })
  call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %h, i32 %at, i32 0, i32 %value, i32 undef, i32 undef, i32 undef, i8 1, i32 4)
  call void @dx.op.barrier(i32 80, i32 9)
  store i32 77, i32 addrspace(3)* %place, align 4
  ret void
}

declare %struct.Record addrspace(6)* @dx.op.getNodeRecordPtr.struct.Record(i32, %dx.types.NodeRecordHandle, i32) #0
declare void @dx.op.rawBufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8, i32) #2
declare %dx.types.NodeRecordHandle @dx.op.annotateNodeRecordHandle(i32, %dx.types.NodeRecordHandle, %dx.types.NodeRecordInfo) #0
declare %dx.types.Handle @dx.op.annotateHandle(i32, %dx.types.Handle, %dx.types.ResourceProperties) #0
declare %dx.types.NodeRecordHandle @dx.op.createNodeInputRecordHandle(i32, i32) #0
declare %dx.types.Handle @dx.op.createHandleForLib.dx.types.Handle(i32, %dx.types.Handle) #1
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32) #0
declare i32 @dx.op.groupId.i32(i32, i32) #0
declare void @dx.op.barrier(i32, i32) #3

attributes #0 = { nounwind readnone }
attributes #1 = { nounwind readonly }
attributes #2 = { nounwind }
attributes #3 = { noduplicate nounwind }

!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.resources = !{!2}
!dx.entryPoints = !{!8, !10}

!0 = !{i32 1, i32 8}
!1 = !{!"lib", i32 6, i32 8}
!2 = !{null, !3, null, null}
!3 = !{!4}
!4 = !{i32 0, %"class.RWStructuredBuffer<unsigned int>"* bitcast (%dx.types.Handle* @result to %"class.RWStructuredBuffer<unsigned int>"*), !"result", i32 0, i32 0, i32 1, i32 12, i1 false, i1 false, i1 false, !5}
!5 = !{i32 1, i32 4}
!8 = !{null, !"", null, !2, !9}
!9 = !{i32 0, i64 16}
!10 = !{void ()* @spread, !"spread", null, null, !11}
!11 = !{i32 8, i32 15, i32 13, i32 1, i32 14, i1 true, i32 15, !12, i32 16, i32 -1, i32 18, !19, i32 20, !13, i32 4, !18, i32 5, !{i32 0}}
!12 = !{!"spread", i32 0}
!13 = !{!14}
!14 = !{i32 1, i32 97, i32 2, !15}
!15 = !{i32 0, i32 4, i32 2, i32 4}
!18 = !{i32 4, i32 1, i32 1}
!19 = !{i32 3, i32 1, i32 1}
