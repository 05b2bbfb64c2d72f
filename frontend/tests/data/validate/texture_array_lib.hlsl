// DXC's flags leave out loads from arrays of writable textures.
RWTexture2D<float4> textures[4] : register(u0);
RWByteAddressBuffer result : register(u4);

[shader("raygeneration")]
void main()
{
    uint2 at = DispatchRaysIndex().xy;
    result.Store4(0, asuint(textures[at.x & 3][at]));
}
