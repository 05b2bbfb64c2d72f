//! Text behind the options in `-h` and `--help`.

use dxil_jit::exit::TABLE;

/// The end of `-h`.
pub(crate) const SHORT: &str = "\
Examples:
  dxil-run cs.dxil --dispatch 64,1,1           run it with generated inputs, print every UAV
  dxil-run cs.dxil --dispatch 4,4 --bind src=photo.png --bind Sim.dt=0.1 --out dst=x.png
  dxil-run vs.dxil ps.dxil --draw 3 --out rt0.png

--debug steps through the source; --help has all options, what --bind takes, and the exit codes.";

/// Returns the end of `--help`.
pub(crate) fn long() -> String {
    format!("{LONG}\n\n{TABLE}")
}

const LONG: &str = "\
Examples:
  dxil-run cs.dxil --dispatch 64,1,1
      create the resources that the shader declares, run it, print every UAV
  dxil-run cs.dxil --dispatch 4,4,1 --bind t0=photo.png --out u0=blurred.png
  dxil-run cs.dxil --dispatch 4,4,1 --bind src=photo.png --bind Sim.dt=0.1 --out dst=result.npy
      resources and fields of constant buffers by their names in the source
  dxil-run cs.dxil --dispatch 1,1,1 --bind b0=f32:0.5,2 --bind t0=in.bin --bind u0,space1=zeros:4096
  dxil-run a.hlsl -T cs_6_6 -E main --dispatch 4
      compile with DXC first
  dxil-run cs.dxil --emit spvasm
      translate only; needs no device
  dxil-run cs.dxil --dispatch 1024,1,1 --time 50
  dxil-run cs.dxil --dispatch 4,1,1 --check
      run it on the CPU, and look for data races and other defects
  dxil-run cs.dxil --dispatch 4,1,1 --debug=1,0,0:17
      debug thread 17 of the second group: breakpoints, steps, variables
  dxil-run vs.dxil ps.dxil --draw 3 --out rt0.png
  dxil-run vs.dxil gs.dxil --draw 3 --backend cpu
  dxil-run ps.dxil --pixels 8x8 --out so0=pixels.npy
      stages by themselves, without a rasterizer
  dxil-run lib.dxil --rays 64,64 --bind t0=house.obj --out u0=picture.png
      a ray tracing library
  dxil-run lib.dxil --graph --records split=u32:0,64,70,73 --bind u0=zeros:320
      a work graph; the node `split` gets records of two words each
  dxil-run cs.dxil --dispatch 1 --heap 0=srv=in.png --heap '1=RWBuffer<float4>' --sampler-heap 0=linear
      for shaders that index ResourceDescriptorHeap and SamplerDescriptorHeap
  dxil-run cs.dxil --dispatch 1 --heap '4=uav=zeros:64' --table 0=4
      the table of root parameter 0 starts at slot 4 of the heap

What stands before the first `=` of --bind, --format, --size, --counter and --out:
  t0  u1,space2                     a register
  src  lights[2]                    a resource by its name in the source; of an array one element
  heap3  rt0  so0                   a slot of the heap, a render target, what stages give that run
                                    by themselves (not for --bind)
  Sim.dt  b0.lights[1].dir  dt      --bind only: a field of a constant buffer, with numbers as many
                                    as the field has; the other fields keep what they have. A float4x4
                                    may be a camera that shows all of --vertices: camera (view and
                                    projection, for mul(matrix, position)), view, projection, with
                                    options after +: from=X/Y/Z at=X/Y/Z fov=45, rows (for
                                    mul(position, matrix))

What --bind takes after it, and --indirect and --records:
  zeros:N  iota:N  random:N         N bytes of zeros, of 0, 1, 2 ..., of noise; without `:N`, the size that fits
  f32:1,2,3 (f16 f64 u8 u16 u32 u64 i8 i16 i32 i64)   numbers; types can be mixed: u32:7,f32:0.5,1
  FILE.png  FILE.jpg                an image, for textures
  FILE.dds  FILE.ktx2               a texture with its format and all its levels, layers, faces and slices
  FILE.npy                          a NumPy array. Its dtype, its shape and its order (C) must fit what the shader
                                    declares: nothing is converted. Structures have structured dtypes
  FILE.json  {...}  [...]           JSON: an object for a constant buffer, an array of objects (or of numbers) for a
                                    structured buffer; fields that are left out are zero
  FILE                              the bytes of any other file
  FILE.obj                          triangles of a Wavefront file, for acceleration structures; or FILE.yaml with the
                                    Buffers and AccelerationStructures of a pipeline file (the first TLAS is used).
                                    Default: a square of side 2 around the origin in the plane z = 0, clockwise as
                                    seen from negative z, and a box of side 2 around (3, 0, 0)
  null                              a null descriptor: reads give zero, writes are dropped, no ray hits
  point | linear | anisotropic      a sampler, with options after +: wrap mirror clamp border mirroronce
                                    (u=wrap for one axis), less lessequal ..., minimum maximum,
                                    mip=point min=linear, bias=0.5 minlod=1 maxlod=3, anisotropy=8,
                                    border=white (black, transparent, 1/0/0/1)

What --heap takes after `SLOT=`: a type, optionally followed by `=` and what --bind takes:
  StructuredBuffer<float4> RWStructuredBuffer<uint> StructuredBuffer<48>    (48 bytes an element)
  ByteAddressBuffer RWByteAddressBuffer Buffer<float> RWBuffer<uint> ConstantBuffer
  Texture2D<float4> RWTexture2D<float> Texture2DArray TextureCube Texture3D ...
  RaytracingAccelerationStructure
  srv uav cbv                       buffers of 32-bit words (with an image: a texture)
  null                              a null descriptor, which is also the default of every slot
  RWBuffer<uint>=heap3              the resource of slot 3, viewed as that type";
