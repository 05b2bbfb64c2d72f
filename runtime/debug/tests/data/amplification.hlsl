// dxc: -T as_6_5 -E main -Zi -Qembed_debug -Od
// An amplification shader whose groups each dispatch one mesh group more.
struct Payload
{
    uint first;
};

groupshared Payload payload;

[numthreads(1, 1, 1)]
void main(uint group : SV_GroupID)
{
    uint count = group + 1;
    payload.first = group * 10;
    DispatchMesh(count, 1, 1, payload);
}
