// dxc: -T cs_6_0 -E main
// Prices of European call options; x: spot, y: strike, z: years. The normal distribution by a polynomial.
cbuffer Parameters : register(b0) {
    float rate;
    float volatility;
};
StructuredBuffer<float3> contracts : register(t0);
RWStructuredBuffer<float> prices : register(u0);

float normal(float d) {
    float k = 1 / (1 + 0.2316419 * abs(d));
    float tail = exp(-0.5 * d * d) * 0.39894228
        * k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
    return d > 0 ? 1 - tail : tail;
}

[numthreads(64, 1, 1)]
void main(uint3 id : SV_DispatchThreadID) {
    float3 c = contracts[id.x];
    float spread = volatility * sqrt(c.z);
    float d1 = (log(c.x / c.y) + (rate + 0.5 * volatility * volatility) * c.z) / spread;
    prices[id.x] = c.x * normal(d1) - c.y * exp(-rate * c.z) * normal(d1 - spread);
}
