// dxc: -T lib_6_3
// A stage has one variable for attributes at most.
//! targets = vulkan1.3
// error: hit attributes of several types in one intersection shader
struct A {
    float a;
};
struct B {
    uint2 b;
};

[shader("intersection")]
void Both() {
    A a = { 1.5 };
    B b = { uint2(1, 2) };
    ReportHit(1, 0, a);
    ReportHit(2, 0, b);
}
