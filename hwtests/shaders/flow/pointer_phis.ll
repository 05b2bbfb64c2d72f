; Constants are looked at as another type.
; Addresses that are one of several: a select between two groupshared arrays for an atomic, a phi of a local array
; and a local scalar, a select between two tables of constants, a pointer that walks through a table.
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%struct.RWByteAddressBuffer = type { i32 }

@first = internal addrspace(3) global [4 x i32] undef
@second = internal addrspace(3) global [8 x i32] undef
@ints = internal unnamed_addr constant [4 x i32] [i32 10, i32 20, i32 30, i32 40]
@floats = internal unnamed_addr constant [3 x float] [float 1.0, float 2.5, float -4.0]
@viewed = internal unnamed_addr constant [4 x float] [float 1.0, float -0.0, float 2.0, float 0.5]
@more = internal unnamed_addr constant [3 x float] zeroinitializer

define void @main() {
entry:
  %local = alloca [4 x i32]
  %one = alloca i32
  %out = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %low = and i32 %id, 3
  %is0 = icmp eq i32 %id, 0
  br i1 %is0, label %clear, label %cleared
clear:
  %c = phi i32 [ 0, %entry ], [ %c1, %clear ]
  %cp = getelementptr [8 x i32], [8 x i32] addrspace(3)* @second, i32 0, i32 %c
  store i32 0, i32 addrspace(3)* %cp
  %clow = and i32 %c, 3
  %cq = getelementptr [4 x i32], [4 x i32] addrspace(3)* @first, i32 0, i32 %clow
  store i32 100, i32 addrspace(3)* %cq
  %c1 = add i32 %c, 1
  %cmore = icmp ult i32 %c1, 8
  br i1 %cmore, label %clear, label %cleared
cleared:
  call void @dx.op.barrier(i32 80, i32 9)
  %bit = and i32 %id, 1
  %odd = icmp ne i32 %bit, 0
  %seven = and i32 %id, 7
  %pf = getelementptr [4 x i32], [4 x i32] addrspace(3)* @first, i32 0, i32 %low
  %ps = getelementptr [8 x i32], [8 x i32] addrspace(3)* @second, i32 0, i32 %seven
  %target = select i1 %odd, i32 addrspace(3)* %pf, i32 addrspace(3)* %ps
  %ignored = atomicrmw add i32 addrspace(3)* %target, i32 1 monotonic
  call void @dx.op.barrier(i32 80, i32 9)
  %l0 = getelementptr [4 x i32], [4 x i32]* %local, i32 0, i32 0
  store i32 5, i32* %l0
  %l1 = getelementptr [4 x i32], [4 x i32]* %local, i32 0, i32 1
  store i32 6, i32* %l1
  %l2 = getelementptr [4 x i32], [4 x i32]* %local, i32 0, i32 2
  store i32 7, i32* %l2
  %l3 = getelementptr [4 x i32], [4 x i32]* %local, i32 0, i32 3
  store i32 8, i32* %l3
  store i32 9, i32* %one
  br i1 %odd, label %element, label %join
element:
  %pl = getelementptr [4 x i32], [4 x i32]* %local, i32 0, i32 %low
  br label %join
join:
  %p = phi i32* [ %pl, %element ], [ %one, %cleared ]
  %before = load i32, i32* %p
  %changed = add i32 %before, %id
  store i32 %changed, i32* %p
  %v1 = load i32, i32* %l1
  %v3 = load i32, i32* %l3
  %v9 = load i32, i32* %one
  %pfloat = getelementptr [3 x float], [3 x float]* @floats, i32 0, i32 2
  %pmore = getelementptr [3 x float], [3 x float]* @more, i32 0, i32 1
  %table = select i1 %odd, float* %pfloat, float* %pmore
  %entryvalue = load float, float* %table
  %asint = fptosi float %entryvalue to i32
  %begin = getelementptr [4 x i32], [4 x i32]* @ints, i32 0, i32 0
  br label %walk
walk:
  %w = phi i32* [ %begin, %join ], [ %wn, %walk ]
  %i = phi i32 [ 0, %join ], [ %in, %walk ]
  %sum = phi i32 [ 0, %join ], [ %sumn, %walk ]
  %wv = load i32, i32* %w
  %sumn = add i32 %sum, %wv
  %wn = getelementptr i32, i32* %w, i32 1
  %in = add i32 %i, 1
  %again = icmp ule i32 %in, %low
  br i1 %again, label %walk, label %done
done:
  %g1 = load i32, i32 addrspace(3)* %pf
  %g2 = load i32, i32 addrspace(3)* %ps
  %seen = bitcast [4 x float]* @viewed to [4 x i32]*
  %pseen = getelementptr [4 x i32], [4 x i32]* %seen, i32 0, i32 %low
  %bits = load i32, i32* %pseen
  %to = shl i32 %id, 5
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %to, i32 undef, i32 %g1, i32 %g2, i32 %v1, i32 %v3, i8 15)
  %to4 = add i32 %to, 16
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %to4, i32 undef, i32 %v9, i32 %asint, i32 %sumn, i32 %bits, i8 15)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)
declare void @dx.op.barrier(i32, i32)
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)

!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.resources = !{!2}
!dx.entryPoints = !{!6}

!0 = !{i32 1, i32 0}
!1 = !{!"cs", i32 6, i32 0}
!2 = !{null, !3, null, null}
!3 = !{!4}
!4 = !{i32 0, %struct.RWByteAddressBuffer* undef, !"result", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!6 = !{void ()* @main, !"main", null, !2, !7}
!7 = !{i32 0, i64 16, i32 4, !8}
!8 = !{i32 64, i32 1, i32 1}
