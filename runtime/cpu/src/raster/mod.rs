//! The fixed functions of a draw, after the D3D11.3 functional specification: pure code between the
//! stages of shaders.
//!
//! | file | chapter | what it does |
//! |---|---|---|
//! | `assemble` | 8.10 | primitives of a topology |
//! | `clip` | 15.4 | clips points, lines and triangles |
//! | `viewport` | 3.4.1, 15.6 | from clip space to fixed-point places in the target |
//! | `setup` | 3.4, 15.10 | planes of a primitive, facing, depth bias |
//! | `scan` | 3.4.2 | the quads of pixels that a triangle or point covers |
//! | `line` | 3.4.3 | the quads of pixels on a line |
//! | `interpolate` | 3.5.5, 16.4 | weights of the vertices at a place |
//! | `depth_stencil` | 17.8 to 17.12 | depth and stencil test |
//! | `blend` | 17.1 to 17.7 | blending and logic operations |
//! | `target` | 17.15, 19 | texels of what is drawn to |
//! | `tessellate` | 11.7 | points and primitives of a patch |

mod assemble;
mod blend;
mod clip;
mod corner;
mod depth_stencil;
mod interpolate;
mod line;
mod quad;
mod scan;
mod setup;
mod state;
mod target;
mod tessellate;
mod viewport;

pub use assemble::{Assembled, assemble};
pub use blend::{Merge, TargetMerge, alpha_coverage};
pub use clip::{CLIP_DISTANCES, Clipper};
pub use corner::Corner;
pub use depth_stencil::{DepthTest, Tested};
pub use interpolate::{Weights, centroid};
pub use quad::Quad;
pub use scan::Scan;
pub use setup::{BiasedDepth, Planes, Primitive, Shape};
pub use state::{
    Blend, BlendFactor, BlendOp, Cull, DepthBias, LogicOp, StencilFace, StencilOp, StencilState,
    Topology, Viewport,
};
pub use target::{Place, Target};
pub use tessellate::{Tessellation, Tessellator};
pub use viewport::{Placed, SUBPIXELS, Transform};
