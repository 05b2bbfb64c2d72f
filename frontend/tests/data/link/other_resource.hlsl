// dxc: -T lib_6_3
// A constant buffer of a name that linking/caller.hlsl uses, with other members.
cbuffer Shared { float first; float second; float third; };
export uint counted(uint id, out uint twice) {
  twice = third;
  return id;
}
