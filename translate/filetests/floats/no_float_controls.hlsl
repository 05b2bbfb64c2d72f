// dxc: -T cs_6_2 -E main -enable-16bit-types -denorm preserve
// A target without float controls gets none.
//! without = DENORM_PRESERVE_F32 DENORM_PRESERVE_F16 SIGNED_ZERO_INF_NAN_F32 SIGNED_ZERO_INF_NAN_F16
// not:   DenormPreserve
// not:   SignedZeroInfNanPreserve
// not:   SPV_KHR_float_controls
RWStructuredBuffer<half> Data : register(u0);
[numthreads(64, 1, 1)]
void main(uint id : SV_GroupIndex) {
  Data[id] = Data[id] * (half)0.5;
}
