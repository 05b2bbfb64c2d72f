// dxc: -T lib_6_3
// Defines what linking/callee.hlsl defines.
export uint counted(uint id, out uint twice) {
  twice = id;
  return id;
}
