; Handles of nodes and of records that are chosen by phis and selects, and handed to functions, as DXC writes them
; without optimisations.
; newer: allocateNodeOutputRecords getNodeRecordPtr outputComplete createNodeOutputHandle indexNodeHandle
; newer: annotateNodeHandle createNodeInputRecordHandle annotateNodeRecordHandle nodeOutputIsValid
; assembled as: 6 6
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.NodeHandle = type { i8* }
%dx.types.NodeInfo = type { i32, i32 }
%dx.types.NodeRecordHandle = type { i8* }
%dx.types.NodeRecordInfo = type { i32, i32 }
%dx.types.ResourceProperties = type { i32, i32 }
%struct.Order = type { i32, i32 }
%struct.RWByteAddressBuffer = type { i32 }

@result = external constant %dx.types.Handle, align 4

; Input: `which` and `base`. Bit 0 of `which` chooses `high` over `low`, bit 1 the branch that asks for the records,
; bit 2 the missing node, bit 3 a place in the array.
define void @pick() {
entry:
  %in0 = call %dx.types.NodeRecordHandle @dx.op.createNodeInputRecordHandle(i32 250, i32 0)
  %in = call %dx.types.NodeRecordHandle @dx.op.annotateNodeRecordHandle(i32 251, %dx.types.NodeRecordHandle %in0, %dx.types.NodeRecordInfo { i32 97, i32 8 })
  %which = call i32 @read(%dx.types.NodeRecordHandle %in, i32 0)
  %base = call i32 @read(%dx.types.NodeRecordHandle %in, i32 1)
  %thread = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %low0 = call %dx.types.NodeHandle @dx.op.createNodeOutputHandle(i32 247, i32 0)
  %low = call %dx.types.NodeHandle @dx.op.annotateNodeHandle(i32 249, %dx.types.NodeHandle %low0, %dx.types.NodeInfo { i32 6, i32 8 })
  %high0 = call %dx.types.NodeHandle @dx.op.createNodeOutputHandle(i32 247, i32 1)
  %high = call %dx.types.NodeHandle @dx.op.annotateNodeHandle(i32 249, %dx.types.NodeHandle %high0, %dx.types.NodeInfo { i32 6, i32 8 })
  %absent0 = call %dx.types.NodeHandle @dx.op.createNodeOutputHandle(i32 247, i32 2)
  %absent = call %dx.types.NodeHandle @dx.op.annotateNodeHandle(i32 249, %dx.types.NodeHandle %absent0, %dx.types.NodeInfo { i32 6, i32 8 })
  %array = call %dx.types.NodeHandle @dx.op.createNodeOutputHandle(i32 247, i32 3)
  %gap0 = call %dx.types.NodeHandle @dx.op.indexNodeHandle(i32 248, %dx.types.NodeHandle %array, i32 1)
  %gap = call %dx.types.NodeHandle @dx.op.annotateNodeHandle(i32 249, %dx.types.NodeHandle %gap0, %dx.types.NodeInfo { i32 22, i32 8 })
  %end0 = call %dx.types.NodeHandle @dx.op.indexNodeHandle(i32 248, %dx.types.NodeHandle %array, i32 2)
  %end = call %dx.types.NodeHandle @dx.op.annotateNodeHandle(i32 249, %dx.types.NodeHandle %end0, %dx.types.NodeInfo { i32 22, i32 8 })
  %bit0 = and i32 %which, 1
  %is_high = icmp ne i32 %bit0, 0
  %bit1 = and i32 %which, 2
  %is_left = icmp ne i32 %bit1, 0
  %bit2 = and i32 %which, 4
  %is_absent = icmp ne i32 %bit2, 0
  %bit3 = and i32 %which, 8
  %is_end = icmp ne i32 %bit3, 0
  %node = select i1 %is_high, %dx.types.NodeHandle %high, %dx.types.NodeHandle %low
  br i1 %is_left, label %left, label %right

left:
  %one = call %dx.types.NodeRecordHandle @dx.op.allocateNodeOutputRecords(i32 238, %dx.types.NodeHandle %node, i32 1, i1 true)
  %one_a = call %dx.types.NodeRecordHandle @dx.op.annotateNodeRecordHandle(i32 251, %dx.types.NodeRecordHandle %one, %dx.types.NodeRecordInfo { i32 38, i32 8 })
  br label %join

right:
  %other = call %dx.types.NodeRecordHandle @dx.op.allocateNodeOutputRecords(i32 238, %dx.types.NodeHandle %high, i32 1, i1 true)
  %other_a = call %dx.types.NodeRecordHandle @dx.op.annotateNodeRecordHandle(i32 251, %dx.types.NodeRecordHandle %other, %dx.types.NodeRecordInfo { i32 38, i32 8 })
  br label %join

join:
  %records = phi %dx.types.NodeRecordHandle [ %one_a, %left ], [ %other_a, %right ]
  %finished = phi %dx.types.NodeRecordHandle [ %one_a, %left ], [ zeroinitializer, %right ]
  %at = add i32 %base, %thread
  call void @fill(%dx.types.NodeRecordHandle %records, i32 %at, i32 %thread)
  call void @dx.op.outputComplete(i32 241, %dx.types.NodeRecordHandle %records)
  call void @dx.op.outputComplete(i32 241, %dx.types.NodeRecordHandle %finished)
  %maybe = select i1 %is_absent, %dx.types.NodeHandle %absent, %dx.types.NodeHandle %node
  %there = call i1 @dx.op.nodeOutputIsValid(i32 252, %dx.types.NodeHandle %maybe)
  %place = select i1 %is_end, %dx.types.NodeHandle %end, %dx.types.NodeHandle %gap
  %there2 = call i1 @valid(%dx.types.NodeHandle %place)
  %a = zext i1 %there to i32
  %b = zext i1 %there2 to i32
  %b2 = shl i32 %b, 1
  %both = or i32 %a, %b2
  %more = icmp eq i32 %thread, 0
  br i1 %more, label %report, label %done

report:
  %handle0 = load %dx.types.Handle, %dx.types.Handle* @result, align 4
  %handle1 = call %dx.types.Handle @dx.op.createHandleForLib.dx.types.Handle(i32 160, %dx.types.Handle %handle0)
  %handle = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %handle1, %dx.types.ResourceProperties { i32 4107, i32 0 })
  %byte = shl i32 %base, 2
  %behind = add i32 %byte, 32
  call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %handle, i32 %behind, i32 undef, i32 %both, i32 undef, i32 undef, i32 undef, i8 1, i32 4)
  br label %done

done:
  ret void
}

define internal i32 @read(%dx.types.NodeRecordHandle %records, i32 %field) #3 {
  %record = call %struct.Order addrspace(6)* @dx.op.getNodeRecordPtr.struct.Order(i32 239, %dx.types.NodeRecordHandle %records, i32 0)
  %first = getelementptr %struct.Order, %struct.Order addrspace(6)* %record, i32 0, i32 0
  %second = getelementptr %struct.Order, %struct.Order addrspace(6)* %record, i32 0, i32 1
  %a = load i32, i32 addrspace(6)* %first, align 4
  %b = load i32, i32 addrspace(6)* %second, align 4
  %is_first = icmp eq i32 %field, 0
  %value = select i1 %is_first, i32 %a, i32 %b
  ret i32 %value
}

define internal void @fill(%dx.types.NodeRecordHandle %records, i32 %at, i32 %value) #3 {
  %record = call %struct.Order addrspace(6)* @dx.op.getNodeRecordPtr.struct.Order(i32 239, %dx.types.NodeRecordHandle %records, i32 0)
  %first = getelementptr %struct.Order, %struct.Order addrspace(6)* %record, i32 0, i32 0
  store i32 %at, i32 addrspace(6)* %first, align 4
  %second = getelementptr %struct.Order, %struct.Order addrspace(6)* %record, i32 0, i32 1
  store i32 %value, i32 addrspace(6)* %second, align 4
  ret void
}

define internal i1 @valid(%dx.types.NodeHandle %node) #3 {
  %there = call i1 @dx.op.nodeOutputIsValid(i32 252, %dx.types.NodeHandle %node)
  ret i1 %there
}

define void @low() {
  call void @take(i32 1000)
  ret void
}

define void @high() {
  call void @take(i32 2000)
  ret void
}

define void @tail() {
  call void @take(i32 3000)
  ret void
}

define internal void @take(i32 %add) #3 {
  %in0 = call %dx.types.NodeRecordHandle @dx.op.createNodeInputRecordHandle(i32 250, i32 0)
  %in = call %dx.types.NodeRecordHandle @dx.op.annotateNodeRecordHandle(i32 251, %dx.types.NodeRecordHandle %in0, %dx.types.NodeRecordInfo { i32 33, i32 8 })
  %at = call i32 @read(%dx.types.NodeRecordHandle %in, i32 0)
  %value = call i32 @read(%dx.types.NodeRecordHandle %in, i32 1)
  %sum = add i32 %value, %add
  %byte = shl i32 %at, 2
  %handle0 = load %dx.types.Handle, %dx.types.Handle* @result, align 4
  %handle1 = call %dx.types.Handle @dx.op.createHandleForLib.dx.types.Handle(i32 160, %dx.types.Handle %handle0)
  %handle = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %handle1, %dx.types.ResourceProperties { i32 4107, i32 0 })
  call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %handle, i32 %byte, i32 undef, i32 %sum, i32 undef, i32 undef, i32 undef, i8 1, i32 4)
  ret void
}

declare %struct.Order addrspace(6)* @dx.op.getNodeRecordPtr.struct.Order(i32, %dx.types.NodeRecordHandle, i32) #0
declare %dx.types.NodeRecordHandle @dx.op.allocateNodeOutputRecords(i32, %dx.types.NodeHandle, i32, i1) #2
declare void @dx.op.outputComplete(i32, %dx.types.NodeRecordHandle) #2
declare i1 @dx.op.nodeOutputIsValid(i32, %dx.types.NodeHandle) #1
declare void @dx.op.rawBufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8, i32) #2
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32) #0
declare %dx.types.NodeRecordHandle @dx.op.annotateNodeRecordHandle(i32, %dx.types.NodeRecordHandle, %dx.types.NodeRecordInfo) #0
declare %dx.types.Handle @dx.op.annotateHandle(i32, %dx.types.Handle, %dx.types.ResourceProperties) #0
declare %dx.types.NodeRecordHandle @dx.op.createNodeInputRecordHandle(i32, i32) #0
declare %dx.types.NodeHandle @dx.op.createNodeOutputHandle(i32, i32) #0
declare %dx.types.NodeHandle @dx.op.indexNodeHandle(i32, %dx.types.NodeHandle, i32) #0
declare %dx.types.NodeHandle @dx.op.annotateNodeHandle(i32, %dx.types.NodeHandle, %dx.types.NodeInfo) #0
declare %dx.types.Handle @dx.op.createHandleForLib.dx.types.Handle(i32, %dx.types.Handle) #1

attributes #0 = { nounwind readnone }
attributes #1 = { nounwind readonly }
attributes #2 = { nounwind }
attributes #3 = { noinline nounwind }

!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.resources = !{!2}
!dx.entryPoints = !{!5, !7, !20, !30, !40}

!0 = !{i32 1, i32 8}
!1 = !{!"lib", i32 6, i32 8}
!2 = !{null, !3, null, null}
!3 = !{!4}
!4 = !{i32 0, %struct.RWByteAddressBuffer* bitcast (%dx.types.Handle* @result to %struct.RWByteAddressBuffer*), !"result", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!5 = !{null, !"", null, !2, !6}
!6 = !{i32 0, i64 16}
; pick: broadcasting, program entry, one group of four threads.
!7 = !{void ()* @pick, !"pick", null, null, !8}
!8 = !{i32 8, i32 15, i32 13, i32 1, i32 14, i1 true, i32 15, !9, i32 16, i32 -1, i32 18, !10, i32 20, !11, i32 21, !14, i32 4, !19, i32 5, !{i32 0}}
!9 = !{!"pick", i32 0}
!10 = !{i32 1, i32 1, i32 1}
!11 = !{!12}
!12 = !{i32 1, i32 97, i32 2, !13}
!13 = !{i32 0, i32 8, i32 2, i32 4}
!14 = !{!15, !16, !17, !18}
!15 = !{i32 1, i32 6, i32 2, !13, i32 3, i32 4, i32 0, !22}
!16 = !{i32 1, i32 6, i32 2, !13, i32 3, i32 4, i32 0, !32}
!17 = !{i32 1, i32 6, i32 2, !13, i32 3, i32 4, i32 0, !{!"absent", i32 0}, i32 6, i1 true}
!18 = !{i32 1, i32 22, i32 2, !13, i32 3, i32 4, i32 0, !{!"tails", i32 0}, i32 5, i32 3, i32 6, i1 true}
!19 = !{i32 4, i32 1, i32 1}
; low, high and tails[2]: a thread each.
!20 = !{void ()* @low, !"low", null, null, !21}
!21 = !{i32 8, i32 15, i32 13, i32 3, i32 15, !22, i32 16, i32 -1, i32 20, !23, i32 4, !10, i32 5, !{i32 0}}
!22 = !{!"low", i32 0}
!23 = !{!24}
!24 = !{i32 1, i32 33, i32 2, !13}
!30 = !{void ()* @high, !"high", null, null, !31}
!31 = !{i32 8, i32 15, i32 13, i32 3, i32 15, !32, i32 16, i32 -1, i32 20, !23, i32 4, !10, i32 5, !{i32 0}}
!32 = !{!"high", i32 0}
!40 = !{void ()* @tail, !"tail", null, null, !41}
!41 = !{i32 8, i32 15, i32 13, i32 3, i32 15, !42, i32 16, i32 -1, i32 20, !23, i32 4, !10, i32 5, !{i32 0}}
!42 = !{!"tails", i32 2}
