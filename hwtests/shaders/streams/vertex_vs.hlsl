// dxc: -T vs_6_0 -E main
// What a vertex leaves behind: whole elements, some of their components, rows of an array.
struct O {
  float4 pos : SV_Position;
  float3 a : A;
  uint2 b : B;
  float2 rows[3] : ROW;
  float clip[2] : SV_ClipDistance;
};
O main(uint id : SV_VertexID, uint instance : SV_InstanceID) {
  O o;
  o.pos = float4(id, instance, 0.5, 1);
  o.a = float3(id + 0.25, id + 0.5, id + 0.75);
  o.b = uint2(id * 10, instance * 10);
  o.rows[0] = float2(1, 2) + id;
  o.rows[1] = float2(3, 4) + id;
  o.rows[2] = float2(5, 6) + id;
  // The row is only known at run time.
  o.rows[id % 3] += 100;
  o.clip[0] = id;
  o.clip[1] = 7;
  return o;
}
