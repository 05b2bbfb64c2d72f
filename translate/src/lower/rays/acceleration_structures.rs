//! Acceleration structures: descriptors, or device addresses that are turned into one.

use dxil_frontend::ir::ValueId;

use crate::interface::Shape;
use crate::lower::Lowering;
use crate::spirv::{Id, Op};
use crate::{Error, Location, Result};

impl Lowering<'_> {
    /// The acceleration structure that a handle names. The capability that its type needs is the user's
    /// to declare: ray queries and ray tracing stages each bring one.
    pub(in crate::lower) fn acceleration_structure(&mut self, handle: ValueId) -> Result<Id> {
        let handle = self.handle(handle)?;
        if handle.view.shape != Shape::AccelerationStructure {
            return Err(Error::malformed(format!(
                "rays are traced in {}",
                handle.view.describe()
            )));
        }
        let address = match handle.view.location {
            Location::DeviceAddress { first_word } => self.root_address(&handle, first_word)?,
            Location::AddressTable {
                slot,
                stride,
                first,
                ..
            } => self.load_pair(slot, handle.index, stride, first),
            _ => return Ok(self.object(&handle)?.0),
        };
        let ty = self.b.acceleration_structure();
        Ok(self
            .b
            .emit(Op::ConvertUToAccelerationStructureKHR, ty, &[address]))
    }
}
