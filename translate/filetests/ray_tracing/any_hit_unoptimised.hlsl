// dxc: -T lib_6_3 -Od
// Without optimisation the compiler goes on after the end of a hit: it is the end all the same, in loops too.
//! targets = vulkan1.3
// check: OpEntryPoint AnyHitKHR $main "Search"
// check: OpLoopMerge
// check: OpIgnoreIntersectionKHR
// check: = OpLabel
struct Payload {
    uint mask;
    uint tries;
};

[shader("anyhit")]
void Search(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes) {
    for (uint bit = 0; bit < 32; ++bit) {
        payload.tries += 1;
        if ((payload.mask >> bit & 1) != 0) {
            if (bit == PrimitiveIndex()) {
                IgnoreHit();
            } else if (bit > HitKind()) {
                AcceptHitAndEndSearch();
            }
        }
    }
}
