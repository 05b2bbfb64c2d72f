// dxc: -T lib_6_3
// Attributes belong to the hit: a shader that changes them changes its own copy.
//! targets = vulkan1.3
// check: $attributes = OpVariable $a HitAttributeKHR
// not:   OpStore $attributes
struct Payload {
    float2 sum;
};
struct Attributes {
    float weights[4];
};

[shader("closesthit")]
void Scale(inout Payload payload, Attributes attributes) {
    for (uint i = 0; i < 4; ++i)
        attributes.weights[i] *= 2;
    payload.sum = float2(attributes.weights[PrimitiveIndex() & 3], attributes.weights[0]);
}
