//! Descriptor tables: from a heap and the place of each table in it to what each register sees.

use dxil_frontend::container::root_signature::{
    DescriptorRangeType, RootParameterKind, RootSignature,
};
use dxil_frontend::dxil::ResourceClass;

use super::check::table_offsets;
use crate::error::{Error, Result};
use crate::job::{Binding, Job, Register, ResourceView};

impl Job {
    /// Binds the descriptors of descriptor tables, as `SetComputeRootDescriptorTable` does. Each
    /// element of `tables` is the index of a root parameter and the heap slot at which its table
    /// starts. Slots after the end of the heap are null.
    ///
    /// # Errors
    ///
    /// [`Error::RootSignature`] if a parameter is not a descriptor table, or [`Error::BadJob`] if a
    /// descriptor does not fit its range.
    pub fn set_tables(&mut self, root: &RootSignature, tables: &[(usize, u32)]) -> Result<()> {
        for (parameter, start) in tables {
            for binding in table(root, *parameter, *start, self)? {
                self.bind(binding.register, binding.view);
            }
        }
        Ok(())
    }
}

fn table(root: &RootSignature, parameter: usize, start: u32, job: &Job) -> Result<Vec<Binding>> {
    let bad = |problem: &str| Error::RootSignature(format!("root parameter {parameter} {problem}"));
    let found = root.parameters.get(parameter).map(|found| &found.kind);
    let Some(RootParameterKind::Table(ranges)) = found else {
        return Err(bad("is no descriptor table"));
    };
    let offsets =
        table_offsets(ranges).ok_or_else(|| bad("continues behind an unbounded range"))?;
    let mut bindings = Vec::new();
    for (range, offset) in ranges.iter().zip(offsets) {
        let (class, length) = match range.ty {
            DescriptorRangeType::Srv => (ResourceClass::Srv, job.resource_heap.len()),
            DescriptorRangeType::Uav => (ResourceClass::Uav, job.resource_heap.len()),
            DescriptorRangeType::Cbv => (ResourceClass::Cbv, job.resource_heap.len()),
            DescriptorRangeType::Sampler => (ResourceClass::Sampler, job.sampler_heap.len()),
            DescriptorRangeType::Other(number) => {
                return Err(bad(&format!("has a range of the unknown type {number}")));
            }
        };
        let first = start.saturating_add(offset);
        let left = u32::try_from(length)
            .unwrap_or(u32::MAX)
            .saturating_sub(first);
        // Only as far as the heap goes: an unbounded range would otherwise bind 2^32 registers.
        for index in 0..range.count.map_or(left, |count| count.min(left)) {
            let slot = (first + index) as usize;
            let register = Register::new(class, range.base_register.saturating_add(index));
            let register = register.in_space(range.space);
            let view = match class {
                ResourceClass::Sampler => job
                    .sampler_heap
                    .get(slot)
                    .copied()
                    .map(ResourceView::Sampler),
                _ => match job.resource_heap.get(slot) {
                    // A null descriptor fits a range of any class.
                    Some(heap) if matches!(heap.view, ResourceView::Null) => {
                        Some(ResourceView::Null)
                    }
                    Some(heap) if heap.class != class => {
                        return Err(Error::BadView {
                            register,
                            problem: format!(
                                "heap slot {slot} has a {:?} descriptor, the table's range {:?}",
                                heap.class, class
                            ),
                        });
                    }
                    other => other.map(|heap| heap.view.clone()),
                },
            };
            let view = view.unwrap_or(ResourceView::Null);
            bindings.push(Binding { register, view });
        }
    }
    Ok(bindings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{HeapView, ResourceId, Sampler};
    use crate::root_signature::parse_text;

    fn job() -> Job {
        let mut job = Job::dispatch([1; 3]);
        let slot = |class, resource| HeapView {
            class,
            view: ResourceView::buffer(ResourceId(resource)),
        };
        job.resource_heap = vec![
            slot(ResourceClass::Srv, 0),
            slot(ResourceClass::Srv, 1),
            slot(ResourceClass::Uav, 2),
            HeapView {
                class: ResourceClass::Srv,
                view: ResourceView::Null,
            },
            slot(ResourceClass::Cbv, 4),
        ];
        job.sampler_heap = vec![Sampler::default(); 2];
        job
    }

    #[test]
    fn tables_are_windows_on_the_heap() {
        let root = parse_text(
            "DescriptorTable(SRV(t3, numDescriptors = 1), UAV(u0, space = 2)), \
             DescriptorTable(CBV(b0, offset = 2), SRV(t8, offset = 1)), \
             DescriptorTable(Sampler(s1, numDescriptors = unbounded))",
        );
        let mut job = job();
        job.set_tables(&root.unwrap(), &[(0, 1), (1, 2), (2, 1)])
            .unwrap();
        let sees = |register: &str, id: usize| {
            let register: Register = register.parse().unwrap();
            assert_eq!(
                job.view(register),
                Some(&ResourceView::buffer(ResourceId(id))),
                "{register}"
            );
        };
        sees("t3", 1);
        sees("u0,space2", 2);
        sees("b0", 4);
        assert_eq!(job.view(Register::srv(8)), Some(&ResourceView::Null));
        assert_eq!(
            job.view(Register::sampler(1)),
            Some(&ResourceView::Sampler(Sampler::default()))
        );
        assert_eq!(job.view(Register::sampler(2)), None);
    }

    #[test]
    fn descriptors_of_another_class_are_refused() {
        let root = parse_text("CBV(b0), DescriptorTable(UAV(u0))").unwrap();
        let error = job().set_tables(&root, &[(1, 0)]).unwrap_err().to_string();
        assert!(error.contains("heap slot 0"), "{error}");
        let error = job().set_tables(&root, &[(0, 0)]).unwrap_err().to_string();
        assert!(error.contains("no descriptor table"), "{error}");
    }
}
