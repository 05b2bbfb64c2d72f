// dxc: -T cs_6_0 -E main
// An array in the elements of a structured buffer: one index of rows, without a byte offset between.
// count: 0 OpShiftRightLogical
// count: 4 OpLoad
// count: 1 OpStore
struct Element { float4 rows[4]; };
StructuredBuffer<Element> t : register(t0);
RWStructuredBuffer<Element> u : register(u0);
[numthreads(8, 1, 1)]
void main(uint id : SV_GroupIndex, uint group : SV_GroupID) {
  u[group].rows[id] = t[group].rows[id + 1] + t[group].rows[2 * id];
}
