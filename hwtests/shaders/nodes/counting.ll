; A node that recurses and appends to a buffer with a hidden counter; what it appends is scaled by a constant.
; newer: allocateNodeOutputRecords getNodeRecordPtr outputComplete createNodeOutputHandle annotateNodeHandle
; newer: createNodeInputRecordHandle annotateNodeRecordHandle nodeOutputIsValid getRemainingRecursionLevels
; assembled as: 6 6
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.NodeHandle = type { i8* }
%dx.types.NodeInfo = type { i32, i32 }
%dx.types.NodeRecordHandle = type { i8* }
%dx.types.NodeRecordInfo = type { i32, i32 }
%dx.types.ResourceProperties = type { i32, i32 }
%dx.types.CBufRet.i32 = type { i32, i32, i32, i32 }
%struct.Step = type { i32 }
%struct.Scale = type { i32 }
%"class.RWStructuredBuffer<unsigned int>" = type { i32 }

@result = external constant %dx.types.Handle, align 4
@scale = external constant %dx.types.Handle, align 4

; Input: a number. Appends scale * number + levels that are left, and sends the number below it twice.
define void @spread() {
entry:
  %in0 = call %dx.types.NodeRecordHandle @dx.op.createNodeInputRecordHandle(i32 250, i32 0)
  %in = call %dx.types.NodeRecordHandle @dx.op.annotateNodeRecordHandle(i32 251, %dx.types.NodeRecordHandle %in0, %dx.types.NodeRecordInfo { i32 33, i32 4 })
  %record = call %struct.Step addrspace(6)* @dx.op.getNodeRecordPtr.struct.Step(i32 239, %dx.types.NodeRecordHandle %in, i32 0)
  %field = getelementptr %struct.Step, %struct.Step addrspace(6)* %record, i32 0, i32 0
  %number = load i32, i32 addrspace(6)* %field, align 4
  %c0 = load %dx.types.Handle, %dx.types.Handle* @scale, align 4
  %c1 = call %dx.types.Handle @dx.op.createHandleForLib.dx.types.Handle(i32 160, %dx.types.Handle %c0)
  %c = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %c1, %dx.types.ResourceProperties { i32 13, i32 4 })
  %row = call %dx.types.CBufRet.i32 @dx.op.cbufferLoadLegacy.i32(i32 59, %dx.types.Handle %c, i32 0)
  %scale = extractvalue %dx.types.CBufRet.i32 %row, 0
  %scaled = mul i32 %number, %scale
  %left = call i32 @dx.op.getRemainingRecursionLevels(i32 253)
  %value = add i32 %scaled, %left
  %h0 = load %dx.types.Handle, %dx.types.Handle* @result, align 4
  %h1 = call %dx.types.Handle @dx.op.createHandleForLib.dx.types.Handle(i32 160, %dx.types.Handle %h0)
  %h = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %h1, %dx.types.ResourceProperties { i32 36876, i32 4 })
  %at = call i32 @dx.op.bufferUpdateCounter(i32 70, %dx.types.Handle %h, i8 1)
  call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %h, i32 %at, i32 0, i32 %value, i32 undef, i32 undef, i32 undef, i8 1, i32 4)
  %own0 = call %dx.types.NodeHandle @dx.op.createNodeOutputHandle(i32 247, i32 0)
  %own = call %dx.types.NodeHandle @dx.op.annotateNodeHandle(i32 249, %dx.types.NodeHandle %own0, %dx.types.NodeInfo { i32 6, i32 4 })
  %may = call i1 @dx.op.nodeOutputIsValid(i32 252, %dx.types.NodeHandle %own)
  %big = icmp ugt i32 %number, 1
  %goes = and i1 %may, %big
  %count = select i1 %goes, i32 2, i32 0
  %out0 = call %dx.types.NodeRecordHandle @dx.op.allocateNodeOutputRecords(i32 238, %dx.types.NodeHandle %own, i32 %count, i1 true)
  %out = call %dx.types.NodeRecordHandle @dx.op.annotateNodeRecordHandle(i32 251, %dx.types.NodeRecordHandle %out0, %dx.types.NodeRecordInfo { i32 38, i32 4 })
  br i1 %goes, label %send, label %done

send:
  %less = sub i32 %number, 1
  %p0 = call %struct.Step addrspace(6)* @dx.op.getNodeRecordPtr.struct.Step(i32 239, %dx.types.NodeRecordHandle %out, i32 0)
  %f0 = getelementptr %struct.Step, %struct.Step addrspace(6)* %p0, i32 0, i32 0
  store i32 %less, i32 addrspace(6)* %f0, align 4
  %p1 = call %struct.Step addrspace(6)* @dx.op.getNodeRecordPtr.struct.Step(i32 239, %dx.types.NodeRecordHandle %out, i32 1)
  %f1 = getelementptr %struct.Step, %struct.Step addrspace(6)* %p1, i32 0, i32 0
  store i32 %less, i32 addrspace(6)* %f1, align 4
  br label %done

done:
  call void @dx.op.outputComplete(i32 241, %dx.types.NodeRecordHandle %out)
  ret void
}

declare %struct.Step addrspace(6)* @dx.op.getNodeRecordPtr.struct.Step(i32, %dx.types.NodeRecordHandle, i32) #0
declare %dx.types.CBufRet.i32 @dx.op.cbufferLoadLegacy.i32(i32, %dx.types.Handle, i32) #1
declare i32 @dx.op.bufferUpdateCounter(i32, %dx.types.Handle, i8) #2
declare i32 @dx.op.getRemainingRecursionLevels(i32) #1
declare %dx.types.NodeRecordHandle @dx.op.allocateNodeOutputRecords(i32, %dx.types.NodeHandle, i32, i1) #2
declare void @dx.op.outputComplete(i32, %dx.types.NodeRecordHandle) #2
declare i1 @dx.op.nodeOutputIsValid(i32, %dx.types.NodeHandle) #1
declare void @dx.op.rawBufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8, i32) #2
declare %dx.types.NodeRecordHandle @dx.op.annotateNodeRecordHandle(i32, %dx.types.NodeRecordHandle, %dx.types.NodeRecordInfo) #0
declare %dx.types.Handle @dx.op.annotateHandle(i32, %dx.types.Handle, %dx.types.ResourceProperties) #0
declare %dx.types.NodeRecordHandle @dx.op.createNodeInputRecordHandle(i32, i32) #0
declare %dx.types.NodeHandle @dx.op.createNodeOutputHandle(i32, i32) #0
declare %dx.types.NodeHandle @dx.op.annotateNodeHandle(i32, %dx.types.NodeHandle, %dx.types.NodeInfo) #0
declare %dx.types.Handle @dx.op.createHandleForLib.dx.types.Handle(i32, %dx.types.Handle) #1

attributes #0 = { nounwind readnone }
attributes #1 = { nounwind readonly }
attributes #2 = { nounwind }

!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.resources = !{!2}
!dx.entryPoints = !{!8, !10}

!0 = !{i32 1, i32 8}
!1 = !{!"lib", i32 6, i32 8}
!2 = !{null, !3, !6, null}
!3 = !{!4}
!4 = !{i32 0, %"class.RWStructuredBuffer<unsigned int>"* bitcast (%dx.types.Handle* @result to %"class.RWStructuredBuffer<unsigned int>"*), !"result", i32 0, i32 0, i32 1, i32 12, i1 false, i1 true, i1 false, !5}
!5 = !{i32 1, i32 4}
!6 = !{!7}
!7 = !{i32 0, %struct.Scale* bitcast (%dx.types.Handle* @scale to %struct.Scale*), !"Scale", i32 0, i32 0, i32 1, i32 4, null}
!8 = !{null, !"", null, !2, !9}
!9 = !{i32 0, i64 16}
!10 = !{void ()* @spread, !"spread", null, null, !11}
!11 = !{i32 8, i32 15, i32 13, i32 3, i32 14, i1 true, i32 15, !12, i32 16, i32 -1, i32 19, i32 3, i32 20, !13, i32 21, !16, i32 4, !18, i32 5, !{i32 0}}
!12 = !{!"spread", i32 0}
!13 = !{!14}
!14 = !{i32 1, i32 33, i32 2, !15}
!15 = !{i32 0, i32 4, i32 2, i32 4}
!16 = !{!17}
!17 = !{i32 1, i32 6, i32 2, !15, i32 3, i32 2, i32 0, !12}
!18 = !{i32 1, i32 1, i32 1}
