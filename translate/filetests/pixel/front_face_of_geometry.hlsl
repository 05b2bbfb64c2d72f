// dxc: -T ps_6_0 -E main
// The face comes from the geometry shader.
//! signature = front_face_is_data
// check: OpDecorate $face Location 1
// check: OpDecorate $face Flat
// not: FrontFacing
float4 main(float4 pos : SV_Position, bool face : SV_IsFrontFace) : SV_Target { return face ? pos : 0; }
