//! Constant buffers: their bytes, from the command line or generated.

use dxil_frontend::dxil::{Element, ElementScalar};
use dxil_frontend::reflection::Layout;

use crate::args::Args;
use crate::bind_points::BindPoint;
use crate::camera::{Camera, Frame};
use crate::contents::Contents;
use crate::expected::Expected;
use crate::failure::{Failure, Result};
use crate::parse::Bind;
use crate::planned::{Constants, Planned};
use crate::storage::pattern_scalar;
use crate::{camera, table_indices, typed};

/// Maximum number of scalars of a constant buffer: those of 64 KiB.
pub(crate) const MAX_SCALARS: usize = 1 << 14;

/// A declared constant buffer.
pub(crate) struct Constant<'a> {
    /// Its register.
    pub(crate) place: BindPoint,
    /// Name in the source; may be empty.
    pub(crate) name: &'a str,
    /// Its fields, where they are known.
    pub(crate) layout: Option<&'a Layout>,
    /// Bytes that the shader declares.
    pub(crate) size: usize,
    /// Bytes that the job gives it.
    pub(crate) capacity: usize,
    /// Offsets of values that select records of shader tables.
    pub(crate) table_indices: &'a [Option<u32>],
}

impl Constant<'_> {
    /// Returns the bytes, and notes the buffer for the report. `given` is what the command line
    /// gives as a whole, `binds` has its fields, and `args` what a camera shows.
    pub(crate) fn add(
        &self,
        planned: &mut Planned,
        given: Option<&Contents>,
        binds: &[&Bind],
        args: &Args,
    ) -> Result<Vec<u8>> {
        let layout = self.layout;
        let scalars = layout.map_or(Vec::new(), |layout| layout.scalars(MAX_SCALARS));
        let mut bytes = match given {
            Some(contents) => Expected {
                name: self.name,
                layout,
                scalars: scalars.clone(),
                ..Expected::untyped(self.place, self.capacity)
            }
            .constants(contents, self.size)?,
            None => {
                let mut bytes = generated(&scalars, self.capacity);
                let stride = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
                table_indices::clear(&mut bytes, stride, &scalars, self.table_indices);
                bytes
            }
        };
        for bind in binds.iter().filter(|bind| bind.field.is_some()) {
            let path = bind.field.as_deref().unwrap_or_default();
            let bad = |why: String| Failure::usage(format!("{bind}: {why}"));
            let layout = layout.ok_or_else(|| {
                bad("the container has no names of fields; bind all bytes, like b0=f32:1,2".into())
            })?;
            let what = match Camera::parse(&bind.what) {
                None => bind.what.clone(),
                Some(camera) => {
                    typed::check_square_matrix(layout, path).map_err(bad)?;
                    let matrix = camera.map_err(bad)?.matrix(&Frame::of(args)?);
                    camera::numbers(&matrix)
                }
            };
            typed::write_field(layout, path, &what, &mut bytes).map_err(bad)?;
        }
        let element = Element {
            scalars,
            size: self.size as u32,
        };
        let constants =
            Constants::new(self.place, self.name, element, bytes.len(), given.is_none());
        planned.constants.push(constants);
        Ok(bytes)
    }
}

/// Returns 1, 2, 3 ... in the fields' own types.
fn generated(scalars: &[ElementScalar], capacity: usize) -> Vec<u8> {
    let words = (0..(capacity / 4) as u32).flat_map(|word| (word + 1).to_le_bytes());
    let mut bytes: Vec<u8> = words.collect();
    for scalar in scalars {
        // The number of the word that the scalar lies in.
        let value = pattern_scalar(scalar.component, scalar.offset / 4 + 1);
        let start = scalar.offset as usize;
        if let Some(target) = bytes.get_mut(start..start + value.len()) {
            target.copy_from_slice(&value);
        }
    }
    bytes
}
