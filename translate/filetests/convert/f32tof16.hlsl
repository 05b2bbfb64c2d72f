// dxc: -T cs_6_0 -E main
// A half is made in integers: toward zero, at most the largest number, infinite or NaN only if the float is.
// not:   PackHalf2x16
// check: OpBitcast
// check: OpBitwiseAnd
// check: UMin
// check: OpConvertFToU
// check: OpIEqual
// check: OpUGreaterThan
// check: UMin
// check: OpBitwiseOr
RWStructuredBuffer<float> In : register(u0);
RWStructuredBuffer<uint> Out : register(u1);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Out[id] = f32tof16(In[id]);
}
