//! RDAT against the module: a record for each resource and each function with a body, in the
//! module's order, laid out as a compiler does.

use super::bodies::Bodies;
use super::context::{ValidationContext, first_difference, short};
use super::needs::of_module;
use super::rules::Rule;
use crate::container::fourcc::FourCc;
use crate::container::rdat::{FunctionRecord, Rdat, RdatRecord, ResourceRecord, Subobject};
use crate::container::{Container, Part};
use crate::dxil::ShaderKind;
use crate::error::Result;
use crate::ir::FuncId;
use crate::parts::{
    FunctionNeeds, RdatWriter, resource_flags, resources_in_order, sizes_of, subobjects_of,
    unmangled_name,
};

/// Checks the part.
pub(super) fn check(
    cx: &ValidationContext<'_>,
    container: &Container<'_>,
    part: Part<'_>,
    bodies: &Bodies,
) {
    let check = RdatCheck { cx, part, bodies };
    let result = container.rdat().and_then(|rdat| match rdat {
        Some(rdat) => {
            let before = cx.sink().len();
            check.frame(&rdat);
            check.resources(&rdat)?;
            let functions = check.functions(&rdat)?;
            match functions {
                // What differs has been told.
                Some(functions) if cx.sink().len() == before => check.bytes(&rdat, &functions),
                _ => Ok(()),
            }
        }
        None => Ok(()),
    });
    if let Err(error) = result {
        cx.sink().error(Rule::ContainerContentInvalid, &error);
    }
}

struct RdatCheck<'a, 'c> {
    cx: &'c ValidationContext<'a>,
    part: Part<'c>,
    bodies: &'c Bodies,
}

impl<'a> RdatCheck<'a, '_> {
    fn report(&self, detail: std::fmt::Arguments<'_>) {
        let (name, offset) = (self.part.name, self.part.offset);
        debug_assert_eq!(name, FourCc::RDAT);
        let rule = Rule::ContainerPartMatches;
        self.cx.sink().in_part(rule, name, offset, detail);
    }

    /// Returns whether the module asks for no validation: then any version is right.
    fn is_free(&self) -> bool {
        self.cx.shader.validator_version == Some((0, 0))
    }

    /// Checks the layout: sub-parts follow each other to the end, and records have the size that
    /// goes with the validator version.
    fn frame(&self, rdat: &Rdat<'_>) {
        let sub_parts = rdat.sub_parts();
        // Version and number of sub-parts, their offsets, and then a header of 8 bytes for each.
        let mut at = 8 + 4 * sub_parts.len();
        let is_free = self.is_free();
        for sub_part in sub_parts {
            if sub_part.offset != self.part.offset + at as u64 + 8 {
                self.report(format_args!(
                    "the sub-part {} is not after the others",
                    sub_part.ty
                ));
                return;
            }
            at += 8 + sub_part.data.len();
            let word = |index: usize| {
                let bytes = sub_part.data.get(index..)?.first_chunk::<4>()?;
                Some(u32::from_le_bytes(*bytes))
            };
            let own = match sub_part.ty {
                ResourceRecord::TABLE => 32,
                FunctionRecord::TABLE if is_free => continue,
                FunctionRecord::TABLE if self.cx.minor() < 8 => 44,
                FunctionRecord::TABLE => 52,
                Subobject::TABLE => 24,
                _ => continue,
            };
            let (count, stride) = (word(0).unwrap_or(0), word(4).unwrap_or(0));
            if stride != own {
                self.report(format_args!("records of {stride} bytes instead of {own}"));
            }
            let bytes = 8 + u64::from(count) * u64::from(stride);
            if bytes.next_multiple_of(4) != sub_part.data.len() as u64 {
                self.report(format_args!("a table of {count} records has another size"));
            }
        }
        if at != self.part.data.len() {
            self.report(format_args!(
                "{at} bytes of {} are in use",
                self.part.data.len()
            ));
        }
    }

    fn resources(&self, rdat: &Rdat<'_>) -> Result<()> {
        let mut declared = resources_in_order(self.cx.shader);
        for record in rdat.iter::<ResourceRecord>() {
            let record = record?;
            let Some(resource) = declared.next() else {
                self.report(format_args!("more resources than the module has"));
                return Ok(());
            };
            let last = resource.last_register();
            let name = rdat.string(record.name)?;
            let differs = [
                ("class", record.class != resource.class),
                ("id", record.id != resource.id),
                ("kind", record.kind != resource.kind),
                ("space", record.space != resource.space),
                ("first register", record.lower_bound != resource.lower_bound),
                ("last register", record.upper_bound != last),
                ("name", name != &*resource.name),
                ("flags", record.flags != resource_flags(resource)),
            ];
            if let Some((field, _)) = differs.into_iter().find(|(_, differs)| *differs) {
                self.report(format_args!(
                    "the {field} of the resource {:?} {} is another in the module",
                    record.class, record.id
                ));
            }
        }
        let missing = declared.count();
        if missing > 0 {
            self.report(format_args!(
                "{missing} resources of the module are missing"
            ));
        }
        Ok(())
    }

    /// Checks the functions. Returns what they need, where a validator version may say one thing or
    /// another as the part has it; `None` if there are others.
    fn functions(&self, rdat: &Rdat<'_>) -> Result<Option<Vec<FunctionNeeds>>> {
        let mut all = of_module(self.cx, self.bodies);
        if let Some(writer) = RdatWriter::new(self.cx.shader) {
            let more = writer.features_of_subobjects(&subobjects_of(rdat)?);
            all.iter_mut().for_each(|needs| needs.features |= more);
        }
        let mut needed = all.iter_mut();
        for record in rdat.iter::<FunctionRecord>() {
            let record = record?;
            let name = rdat.string(record.name)?;
            let Some(needs) = needed.next() else {
                self.report(format_args!("the module has no function {}", short(name)));
                return Ok(None);
            };
            let own = self.cx.module().functions.get(needs.function);
            let own = own.map_or("", |decl| &decl.name);
            if name != own {
                self.report(format_args!(
                    "{}, the module has {}",
                    short(name),
                    short(own)
                ));
                return Ok(None);
            }
            self.adopt(&record, needs);
            if let Some(field) = self.differs(rdat, &record, needs)? {
                self.report(format_args!(
                    "the {field} of {} is another in the module",
                    short(name)
                ));
            }
        }
        let missing: Vec<FuncId> = needed.map(|needs| needs.function).collect();
        for id in &missing {
            let name = self.cx.name_of(*id);
            self.report(format_args!("{name} is missing"));
        }
        Ok(missing.is_empty().then_some(all))
    }

    /// Takes over what the record of a function may say in more than one way.
    fn adopt(&self, record: &FunctionRecord, needs: &mut FunctionNeeds) {
        let minor = self.cx.minor();
        let uses = self.bodies.uses.get(needs.function);
        if needs.kind == ShaderKind::Mesh && record.kind == ShaderKind::Node {
            needs.kind = record.kind;
        }
        let [.., low, _, _] = record.min_shader_target.to_be_bytes();
        let stored_kind = u32::from(low);
        let stored_model = (
            (record.min_shader_target >> 4 & 0xf) as u8,
            (record.min_shader_target & 0xf) as u8,
        );
        let is_plain = record.min_shader_target >> 24 == 0
            && record.min_shader_target & 0xff00 == 0
            && stored_kind == needs.kind as u32;
        // What version 0.0 counts depends on the compiler.
        if self.is_free() || uses.is_some_and(|uses| uses.is_experimental) {
            needs.features = record.features;
            needs.stage_mask = record.stage_mask;
            if is_plain {
                needs.shader_model = stored_model;
            }
            return;
        }
        // Version 1.4 counted wave operations in another way.
        if minor < 5 {
            needs.stage_mask = record.stage_mask;
        }
    }

    /// Returns the first field of a function's record that is not that of the module.
    fn differs(
        &self,
        rdat: &Rdat<'_>,
        record: &FunctionRecord,
        needs: &FunctionNeeds,
    ) -> Result<Option<&'static str>> {
        let cx = self.cx;
        let name = cx.module().functions.get(needs.function);
        let name = name.map_or("", |decl| &decl.name);
        let sizes = cx.entry(needs.function).map_or((0, 0), sizes_of);
        let names = rdat.string_array(record.dependencies)?;
        let names: Vec<&str> = names.collect::<Result<_>>()?;
        let externals = needs.externals.iter();
        let externals = externals.filter_map(|id| cx.module().functions.get(*id));
        let (major, minor) = needs.shader_model;
        let target = (needs.kind as u32) << 16 | u32::from(major) << 4 | u32::from(minor);
        let stored = rdat.index_array(record.resources.rows)?;
        let differs = [
            ("stage", record.kind != needs.kind),
            (
                "unmangled name",
                rdat.string(record.unmangled_name)? != unmangled_name(name),
            ),
            (
                "payload or attributes",
                (record.payload_bytes, record.attribute_bytes) != sizes,
            ),
            (
                "list of resources",
                !stored.iter().eq(needs.resources.iter().copied()),
            ),
            (
                "list of external functions",
                !names.into_iter().eq(externals.map(|decl| &*decl.name)),
            ),
            ("mask of stages", record.stage_mask != needs.stage_mask),
            ("minimum target", record.min_shader_target != target),
            ("features", record.features != needs.features),
        ];
        let first = differs.into_iter().find(|(_, differs)| *differs);
        Ok(first.map(|(field, _)| field))
    }

    /// Compares the part with what a compiler writes, byte by byte. The module does not have the
    /// subobjects, so these are as the part has them.
    fn bytes(&self, rdat: &Rdat<'_>, functions: &[FunctionNeeds]) -> Result<()> {
        let Some(mut writer) = RdatWriter::new(self.cx.shader) else {
            return Ok(());
        };
        if self.is_free() {
            let table = rdat.stride::<FunctionRecord>();
            writer = writer.with_nodes(table.is_none_or(|stride| stride >= 52));
        } else {
            writer = writer.with_nodes(self.cx.minor() >= 8);
        }
        let expected = writer.write(functions, &subobjects_of(rdat)?)?;
        let stored = self.part.data;
        if expected == stored {
            return Ok(());
        }
        let at = first_difference(&expected, stored);
        let now = stored.get(at);
        let own = expected.get(at);
        self.report(format_args!(
            "byte {at} is {now:02x?}, a compiler writes {own:02x?}"
        ));
        Ok(())
    }
}
