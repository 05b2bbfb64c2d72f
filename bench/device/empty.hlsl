// dxc: -T cs_6_0 -E main
// Threads that do nothing.
[numthreads(64, 1, 1)]
void main() {
}
