// dxc: -T lib_6_3
// Attributes are copied to the one variable of the stage. The end of the ray moves with each report.
//! targets = vulkan1.3
// check: OpEntryPoint IntersectionKHR $main "Sphere"
// check: OpDecorate $far BuiltIn RayTmaxKHR
// check: OpDecorate $far Volatile
// check: $reported = OpVariable $a HitAttributeKHR
// check: OpStore $reported $attributes
// check: $accepted = OpReportIntersectionKHR $bool $t $kind
// count: 1 OpVariable $a HitAttributeKHR
// count: 2 OpReportIntersectionKHR
struct Attributes {
    float3 normal;
    uint side;
};

[shader("intersection")]
void Sphere() {
    float3 origin = ObjectRayOrigin(), direction = ObjectRayDirection();
    float a = dot(direction, direction), b = dot(origin, direction), c = dot(origin, origin) - 1;
    float d = b * b - a * c;
    if (d < 0)
        return;
    float2 t = (-b + float2(-1, 1) * sqrt(d)) / a;
    Attributes attributes;
    attributes.normal = origin + t.x * direction;
    attributes.side = 0;
    if (t.x < RayTMin() || !ReportHit(t.x, 7, attributes)) {
        attributes.normal = origin + t.y * direction;
        attributes.side = 1;
        if (t.y < RayTCurrent())
            ReportHit(t.y, 8, attributes);
    }
}
