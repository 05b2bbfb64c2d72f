//! The front end for editors: the Debug Adapter Protocol.
//!
//! The protocol's threads are the lanes of the wave that is debugged. Requests of its own:
//! `dxil/lanes` gives the value of an expression in all lanes side by side, and `dxil/pick` chooses
//! another group and lane.

mod adapter;
mod address;
mod inspect;
mod points;
mod wire;

pub use adapter::{Adapter, Launch};
