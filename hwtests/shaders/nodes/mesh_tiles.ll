; A node that sends a record per patch of tiles to a mesh node, which draws them. HLSL of public compilers has no mesh
; nodes: the metadata of `draw` joins what DXC writes for broadcasting nodes and for mesh shaders.
;! entry = draw
; The record of a draw: what the push constants say, and the number of the draw.
; check: OpCapability DrawParameters
; check: OpCapability MeshShadingEXT
; check: OpEntryPoint MeshEXT
; check: OpExecutionMode $main LocalSize 4 1 1
; check: OpExecutionMode $main OutputVertices 4
; check: OpDecorate $group BuiltIn WorkgroupId
; check: OpDecorate $draw BuiltIn DrawIndex
; check: $draw = OpVariable $p Input
; check: $number = OpLoad $uint $draw
; check: $record = OpIAdd $uint $first $number
; check: OpFunctionCall
; not: WorkgroupSize
; not: SpecId 7
; newer: allocateNodeOutputRecords getNodeRecordPtr outputComplete createNodeOutputHandle annotateNodeHandle
; newer: createNodeInputRecordHandle annotateNodeRecordHandle
; assembled as: 6 6
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.NodeHandle = type { i8* }
%dx.types.NodeInfo = type { i32, i32 }
%dx.types.NodeRecordHandle = type { i8* }
%dx.types.NodeRecordInfo = type { i32, i32 }
%dx.types.ResourceProperties = type { i32, i32 }
%struct.Patch = type { [3 x i32], [2 x i32], i32 }
%struct.RWByteAddressBuffer = type { i32 }

@count = external constant %dx.types.Handle, align 4

; Each of four groups sends a patch of 2 by 1 tiles at its own column, and one of 1 by 2 tiles at the last column.
define void @plan() {
  %row = call i32 @dx.op.groupId.i32(i32 94, i32 0)
  %thread = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %node0 = call %dx.types.NodeHandle @dx.op.createNodeOutputHandle(i32 247, i32 0)
  %node = call %dx.types.NodeHandle @dx.op.annotateNodeHandle(i32 249, %dx.types.NodeHandle %node0, %dx.types.NodeInfo { i32 6, i32 24 })
  %records0 = call %dx.types.NodeRecordHandle @dx.op.allocateNodeOutputRecords(i32 238, %dx.types.NodeHandle %node, i32 1, i1 true)
  %records = call %dx.types.NodeRecordHandle @dx.op.annotateNodeRecordHandle(i32 251, %dx.types.NodeRecordHandle %records0, %dx.types.NodeRecordInfo { i32 38, i32 24 })
  %record = call %struct.Patch addrspace(6)* @dx.op.getNodeRecordPtr.struct.Patch(i32 239, %dx.types.NodeRecordHandle %records, i32 0)
  %gx = getelementptr %struct.Patch, %struct.Patch addrspace(6)* %record, i32 0, i32 0, i32 0
  %gy = getelementptr %struct.Patch, %struct.Patch addrspace(6)* %record, i32 0, i32 0, i32 1
  %gz = getelementptr %struct.Patch, %struct.Patch addrspace(6)* %record, i32 0, i32 0, i32 2
  %px = getelementptr %struct.Patch, %struct.Patch addrspace(6)* %record, i32 0, i32 1, i32 0
  %py = getelementptr %struct.Patch, %struct.Patch addrspace(6)* %record, i32 0, i32 1, i32 1
  %ps = getelementptr %struct.Patch, %struct.Patch addrspace(6)* %record, i32 0, i32 2
  %width = sub i32 2, %thread
  %height = add i32 %thread, 1
  %is_last = icmp eq i32 %thread, 1
  %column = select i1 %is_last, i32 7, i32 %row
  %line = shl i32 %row, 1
  %hundred = mul i32 %row, 10
  %shade = add i32 %hundred, %thread
  store i32 %width, i32 addrspace(6)* %gx, align 4
  store i32 %height, i32 addrspace(6)* %gy, align 4
  store i32 1, i32 addrspace(6)* %gz, align 4
  store i32 %column, i32 addrspace(6)* %px, align 4
  store i32 %line, i32 addrspace(6)* %py, align 4
  store i32 %shade, i32 addrspace(6)* %ps, align 4
  call void @dx.op.outputComplete(i32 241, %dx.types.NodeRecordHandle %records)
  ret void
}

; A tile of one pixel per group, and their number in a buffer.
define void @draw() {
  %in0 = call %dx.types.NodeRecordHandle @dx.op.createNodeInputRecordHandle(i32 250, i32 0)
  %in = call %dx.types.NodeRecordHandle @dx.op.annotateNodeRecordHandle(i32 251, %dx.types.NodeRecordHandle %in0, %dx.types.NodeRecordInfo { i32 97, i32 24 })
  %thread = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %gx = call i32 @dx.op.groupId.i32(i32 94, i32 0)
  %gy = call i32 @dx.op.groupId.i32(i32 94, i32 1)
  %global = call i32 @dx.op.threadId.i32(i32 93, i32 0)
  call void @dx.op.setMeshOutputCounts(i32 168, i32 4, i32 2)
  %record = call %struct.Patch addrspace(6)* @dx.op.getNodeRecordPtr.struct.Patch(i32 239, %dx.types.NodeRecordHandle %in, i32 0)
  %px = getelementptr %struct.Patch, %struct.Patch addrspace(6)* %record, i32 0, i32 1, i32 0
  %py = getelementptr %struct.Patch, %struct.Patch addrspace(6)* %record, i32 0, i32 1, i32 1
  %ps = getelementptr %struct.Patch, %struct.Patch addrspace(6)* %record, i32 0, i32 2
  %x0 = load i32, i32 addrspace(6)* %px, align 4
  %y0 = load i32, i32 addrspace(6)* %py, align 4
  %shade = load i32, i32 addrspace(6)* %ps, align 4
  %right = and i32 %thread, 1
  %down = lshr i32 %thread, 1
  %x1 = add i32 %x0, %gx
  %x2 = add i32 %x1, %right
  %y1 = add i32 %y0, %gy
  %y2 = add i32 %y1, %down
  %xf = uitofp i32 %x2 to float
  %yf = uitofp i32 %y2 to float
  %xs = fmul fast float %xf, 2.500000e-01
  %ys = fmul fast float %yf, 2.500000e-01
  %x = fadd fast float %xs, -1.000000e+00
  %y = fsub fast float 1.000000e+00, %ys
  call void @dx.op.storeVertexOutput.f32(i32 171, i32 0, i32 0, i8 0, float %x, i32 %thread)
  call void @dx.op.storeVertexOutput.f32(i32 171, i32 0, i32 0, i8 1, float %y, i32 %thread)
  call void @dx.op.storeVertexOutput.f32(i32 171, i32 0, i32 0, i8 2, float 5.000000e-01, i32 %thread)
  call void @dx.op.storeVertexOutput.f32(i32 171, i32 0, i32 0, i8 3, float 1.000000e+00, i32 %thread)
  %column = lshr i32 %global, 2
  call void @dx.op.storeVertexOutput.i32(i32 171, i32 1, i32 0, i8 0, i32 %shade, i32 %thread)
  call void @dx.op.storeVertexOutput.i32(i32 171, i32 1, i32 0, i8 1, i32 %column, i32 %thread)
  %is_primitive = icmp ult i32 %thread, 2
  br i1 %is_primitive, label %primitive, label %done

primitive:
  %is_first = icmp eq i32 %thread, 0
  %a = select i1 %is_first, i32 0, i32 2
  %c = select i1 %is_first, i32 2, i32 3
  call void @dx.op.emitIndices(i32 169, i32 %thread, i32 %a, i32 1, i32 %c)
  call void @dx.op.storePrimitiveOutput.i32(i32 172, i32 0, i32 0, i8 0, i32 %gy, i32 %thread)
  br i1 %is_first, label %count_it, label %done

count_it:
  %handle0 = load %dx.types.Handle, %dx.types.Handle* @count, align 4
  %handle1 = call %dx.types.Handle @dx.op.createHandleForLib.dx.types.Handle(i32 160, %dx.types.Handle %handle0)
  %handle = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %handle1, %dx.types.ResourceProperties { i32 4107, i32 0 })
  %old = call i32 @dx.op.atomicBinOp.i32(i32 78, %dx.types.Handle %handle, i32 0, i32 0, i32 undef, i32 undef, i32 1)
  br label %done

done:
  ret void
}

declare %struct.Patch addrspace(6)* @dx.op.getNodeRecordPtr.struct.Patch(i32, %dx.types.NodeRecordHandle, i32) #0
declare %dx.types.NodeRecordHandle @dx.op.allocateNodeOutputRecords(i32, %dx.types.NodeHandle, i32, i1) #2
declare void @dx.op.outputComplete(i32, %dx.types.NodeRecordHandle) #2
declare %dx.types.NodeRecordHandle @dx.op.annotateNodeRecordHandle(i32, %dx.types.NodeRecordHandle, %dx.types.NodeRecordInfo) #0
declare %dx.types.NodeRecordHandle @dx.op.createNodeInputRecordHandle(i32, i32) #0
declare %dx.types.NodeHandle @dx.op.createNodeOutputHandle(i32, i32) #0
declare %dx.types.NodeHandle @dx.op.annotateNodeHandle(i32, %dx.types.NodeHandle, %dx.types.NodeInfo) #0
declare %dx.types.Handle @dx.op.createHandleForLib.dx.types.Handle(i32, %dx.types.Handle) #1
declare %dx.types.Handle @dx.op.annotateHandle(i32, %dx.types.Handle, %dx.types.ResourceProperties) #0
declare i32 @dx.op.atomicBinOp.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32) #2
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32) #0
declare i32 @dx.op.groupId.i32(i32, i32) #0
declare i32 @dx.op.threadId.i32(i32, i32) #0
declare void @dx.op.setMeshOutputCounts(i32, i32, i32) #2
declare void @dx.op.emitIndices(i32, i32, i32, i32, i32) #2
declare void @dx.op.storeVertexOutput.f32(i32, i32, i32, i8, float, i32) #2
declare void @dx.op.storeVertexOutput.i32(i32, i32, i32, i8, i32, i32) #2
declare void @dx.op.storePrimitiveOutput.i32(i32, i32, i32, i8, i32, i32) #2

attributes #0 = { nounwind readnone }
attributes #1 = { nounwind readonly }
attributes #2 = { nounwind }

!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.resources = !{!2}
!dx.entryPoints = !{!5, !7, !20}

!0 = !{i32 1, i32 8}
!1 = !{!"lib", i32 6, i32 8}
!2 = !{null, !3, null, null}
!3 = !{!4}
!4 = !{i32 0, %struct.RWByteAddressBuffer* bitcast (%dx.types.Handle* @count to %struct.RWByteAddressBuffer*), !"count", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!5 = !{null, !"", null, !2, !6}
!6 = !{i32 0, i64 16}
; plan: broadcasting, program entry without records, four groups of two threads.
!7 = !{void ()* @plan, !"plan", null, null, !8}
!8 = !{i32 8, i32 15, i32 13, i32 1, i32 14, i1 true, i32 15, !9, i32 16, i32 -1, i32 18, !10, i32 20, !11, i32 21, !14, i32 4, !19, i32 5, !{i32 0}}
!9 = !{!"plan", i32 0}
!10 = !{i32 4, i32 1, i32 1}
!11 = !{!12}
!12 = !{i32 1, i32 9}
!13 = !{i32 0, i32 24, i32 1, !{i32 0, i32 5, i32 3}, i32 2, i32 4}
!14 = !{!15}
!15 = !{i32 1, i32 6, i32 2, !13, i32 3, i32 2, i32 0, !22}
!19 = !{i32 2, i32 1, i32 1}
; draw: mesh, program entry, groups of four threads, at most two by two of them; four vertices, two triangles.
!20 = !{void ()* @draw, !"draw", !30, null, !21}
!21 = !{i32 8, i32 15, i32 13, i32 4, i32 14, i1 true, i32 15, !22, i32 16, i32 -1, i32 22, !23, i32 20, !24, i32 4, !26, i32 9, !27, i32 5, !{i32 0}}
!22 = !{!"draw", i32 0}
!23 = !{i32 2, i32 2, i32 1}
!24 = !{!25}
!25 = !{i32 1, i32 97, i32 2, !13}
!26 = !{i32 4, i32 1, i32 1}
!27 = !{!26, i32 4, i32 2, i32 2, i32 0}
!30 = !{null, !31, !35}
!31 = !{!32, !33}
!32 = !{i32 0, !"SV_Position", i8 9, i8 3, !34, i8 4, i32 1, i8 4, i32 0, i8 0, !{i32 3, i32 15}}
!33 = !{i32 1, !"ID", i8 5, i8 0, !34, i8 1, i32 1, i8 2, i32 1, i8 0, !{i32 3, i32 3}}
!34 = !{i32 0}
!35 = !{!36}
!36 = !{i32 0, !"LINE", i8 5, i8 0, !34, i8 1, i32 1, i8 1, i32 0, i8 0, !{i32 3, i32 1}}
