// dxc: -T ps_6_0 -E main
//! options = portable
// error: an Evaluate function in portable SPIR-V
float4 main(float4 rows[2] : ROWS) : SV_Target { return EvaluateAttributeCentroid(rows[1]); }
