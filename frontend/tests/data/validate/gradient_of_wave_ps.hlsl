// Which lanes take part decides about the derivative.
float4 main(float at : AT) : SV_Target
{
    return ddx(WavePrefixSum(at));
}
