// dxc: -T cs_6_0 -E main
// One Jacobi step of the seven-point Laplacian in a cube; the border stays as it is.
cbuffer Parameters : register(b0) {
    uint width;
};
StructuredBuffer<float> source : register(t0);
RWStructuredBuffer<float> target : register(u0);

[numthreads(32, 4, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    uint row = width;
    uint slice = width * width;
    uint at = id.z * slice + id.y * row + id.x;
    if (any(id == 0) || any(id == width - 1)) {
        target[at] = source[at];
        return;
    }
    float around = source[at - 1] + source[at + 1] + source[at - row] + source[at + row]
        + source[at - slice] + source[at + slice];
    target[at] = around / 6;
}
