//! Ray queries.

use super::context::Context;
use super::ray_query::{Hit, Query, Stopped};
use crate::decode::code::{Complex, QueryOp};
use crate::error::{Error, Result};
use crate::resources::Descriptor;

impl Context<'_> {
    /// Executes an operation on ray queries.
    ///
    /// # Errors
    ///
    /// [`Error::Stopped`] where the caller's limits end a search.
    pub(super) fn ray_query(&self, op: QueryOp, complex: &Complex) -> Result<()> {
        let r = &self.registers;
        let src = |index| complex.source(index);
        let dst = complex.result(0);
        let mut queries = self.queries.borrow_mut();
        for lane in self.on() {
            if let QueryOp::Allocate { number, flags } = op {
                if let Some(query) = queries.get_mut(number as usize * self.lanes + lane) {
                    *query = Query {
                        template_flags: flags,
                        ..Query::default()
                    };
                }
                r.set(dst, lane, u64::from(number));
                continue;
            }
            let number = r.word(src(0), lane) as usize;
            // A handle that no allocation made, from a malformed module.
            let Some(query) = queries.get_mut(number * self.lanes + lane) else {
                r.set(dst, lane, 0);
                continue;
            };
            let float = |index: usize| f32::from_bits(r.word(src(index), lane));
            let structure = self.shared.structure(query.structure);
            match op {
                QueryOp::Allocate { .. } => {}
                QueryOp::Trace => {
                    let structure = match *self.shared.descriptor(r.word(src(1), lane)) {
                        Descriptor::AccelerationStructure(number) => Some(number),
                        _ => None,
                    };
                    *query = Query {
                        template_flags: query.template_flags,
                        flags: query.template_flags | r.word(src(2), lane),
                        mask: r.word(src(3), lane) & 0xff,
                        structure,
                        origin: [4, 5, 6].map(float),
                        direction: [7, 8, 9].map(float),
                        t_min: float(10),
                        t_end: float(11),
                        ..Query::default()
                    };
                }
                QueryOp::Proceed => {
                    let found = query.proceed(structure, self.shared.stop);
                    let found = found.map_err(|Stopped| self.stopped())?;
                    r.set(dst, lane, u64::from(found));
                }
                QueryOp::Abort => query.has_ended = true,
                QueryOp::CommitTriangle => query.commit(query.candidate),
                QueryOp::CommitProcedural => query.commit(Hit {
                    t: float(1),
                    ..query.candidate
                }),
                QueryOp::Value(value) => {
                    r.set(dst, lane, u64::from(query.value(value, structure)));
                }
            }
        }
        Ok(())
    }

    #[cold]
    fn stopped(&self) -> Error {
        let site = self.site.get();
        let place = self.shared.kernel.place_of(site.function, site.index);
        Error::Stopped { place }
    }
}
