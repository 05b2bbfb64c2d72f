// dxc: -T lib_6_3
// A structure of the name that linking/caller.hlsl uses, with other members.
struct Particle { float2 position; };
export void advance(inout Particle particle, uint id) { particle.position += id; }
