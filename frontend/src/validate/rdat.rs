//! RDAT against the module: a record for each resource and each function with a body, in the
//! module's order.

use super::bodies::Bodies;
use super::context::{ValidationContext, short};
use super::handles::global_in_module;
use super::rules::Rule;
use crate::container::fourcc::FourCc;
use crate::container::rdat::{
    FunctionRecord, IndexArrayRef, Rdat, RdatRecord, ResourceRecord, ResourceRecordFlags,
    StringRef, Subobject, SubobjectKind,
};
use crate::container::{Container, Part};
use crate::dxil::ops::Callee;
use crate::dxil::{EntryPoint, Resource, ResourceClass, ShaderFlags, ShaderKind, plain_name};
use crate::error::{Error, Result};
use crate::ir::{FuncId, Inst};
use crate::parts::features_of;
use crate::reader::Words;
use crate::tables::HashSet;

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
            check.frame(&rdat);
            check.resources(&rdat)?;
            check.functions(&rdat)?;
            check.unused(&rdat)
        }
        None => Ok(()),
    });
    if let Err(error) = result {
        cx.sink().error(Rule::ContainerContentInvalid, &error);
    }
}

/// Numbers of the sub-parts with strings and with lists of numbers.
const STRINGS: u32 = 1;
const LISTS: u32 = 2;

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

    /// Checks the layout: sub-parts follow each other to the end, and records have the size that
    /// goes with the validator version.
    fn frame(&self, rdat: &Rdat<'_>) {
        let sub_parts = rdat.sub_parts();
        // Version and number of sub-parts, their offsets, and then a header of 8 bytes for each.
        let mut at = 8 + 4 * sub_parts.len();
        let is_free = self.cx.shader.validator_version == Some((0, 0));
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
                // 0.0 asks for no validation, so any version is right.
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

    /// Returns the resources in the order of their records.
    fn declared(&self) -> impl Iterator<Item = &'a Resource> {
        let all = &self.cx.shader.resources;
        let samplers = all.cbvs.iter().chain(&all.samplers);
        samplers.chain(&all.srvs).chain(&all.uavs)
    }

    fn resources(&self, rdat: &Rdat<'_>) -> Result<()> {
        let mut declared = self.declared();
        for record in rdat.iter::<ResourceRecord>() {
            let record = record?;
            let Some(resource) = declared.next() else {
                self.report(format_args!("more resources than the module has"));
                return Ok(());
            };
            let last = match resource.count {
                Some(count) => resource.lower_bound.wrapping_add(count).wrapping_sub(1),
                None => u32::MAX,
            };
            let name = rdat.string(record.name)?;
            let differs = [
                ("class", record.class != resource.class),
                ("id", record.id != resource.id),
                ("kind", record.kind != resource.kind),
                ("space", record.space != resource.space),
                ("first register", record.lower_bound != resource.lower_bound),
                ("last register", record.upper_bound != last),
                ("name", name != &*resource.name),
                ("flags", record.flags != flags_of(resource)),
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

    /// Reports strings and lists that no record names. From version 1.8 on more kinds of records
    /// name them, which are not looked at.
    fn unused(&self, rdat: &Rdat<'_>) -> Result<()> {
        if self.cx.minor() >= 8 {
            return Ok(());
        }
        let mut strings = HashSet::default();
        let mut lists = HashSet::default();
        for record in rdat.iter::<ResourceRecord>() {
            strings.insert(record?.name);
        }
        let mut list_of_strings = |list: IndexArrayRef, strings: &mut HashSet<StringRef>| {
            // A list that several records share is read once.
            if lists.insert(list) {
                let names = rdat.index_array(list)?;
                strings.extend(names.iter().map(StringRef));
            }
            Ok::<(), Error>(())
        };
        for record in rdat.iter::<FunctionRecord>() {
            let record = record?;
            strings.extend([record.name, record.unmangled_name]);
            list_of_strings(record.dependencies.0, &mut strings)?;
        }
        for record in rdat.iter::<Subobject>() {
            let record = record?;
            strings.insert(record.name);
            match record.kind {
                SubobjectKind::SubobjectToExportsAssociation { subobject, exports } => {
                    strings.insert(subobject);
                    list_of_strings(exports.0, &mut strings)?;
                }
                SubobjectKind::HitGroup {
                    any_hit,
                    closest_hit,
                    intersection,
                    ..
                } => strings.extend([any_hit, closest_hit, intersection]),
                _ => {}
            }
        }
        for record in rdat.iter::<FunctionRecord>() {
            lists.insert(record?.resources.rows);
        }
        for sub_part in rdat.sub_parts() {
            match sub_part.ty {
                STRINGS => {
                    let mut at = 0;
                    for text in sub_part.data.split(|byte| *byte == 0) {
                        if !text.is_empty() && !strings.contains(&StringRef(at)) {
                            let text = String::from_utf8_lossy(text);
                            self.report(format_args!("nothing names {}", short(&text)));
                        }
                        at = at.saturating_add(u32::try_from(text.len() + 1).unwrap_or(u32::MAX));
                    }
                }
                LISTS => {
                    let words = Words::new(sub_part.data);
                    let mut at = 0;
                    while let Some(count) = words.get(at as usize) {
                        if !lists.contains(&IndexArrayRef(at)) {
                            self.report(format_args!("nothing names the list at {at}"));
                        }
                        at = at.saturating_add(count).saturating_add(1);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn functions(&self, rdat: &Rdat<'_>) -> Result<()> {
        let module = self.cx.module();
        let mut bodies = module
            .functions
            .iter()
            .filter(|(id, _)| module.body(*id).is_some());
        for record in rdat.iter::<FunctionRecord>() {
            let record = record?;
            let name = rdat.string(record.name)?;
            let Some((id, decl)) = bodies.next() else {
                self.report(format_args!("the module has no function {}", short(name)));
                continue;
            };
            if name != &*decl.name {
                self.report(format_args!(
                    "{}, the module has {}",
                    short(name),
                    short(&decl.name)
                ));
                return Ok(());
            }
            if let Some(field) = self.differs(rdat, &record, id)? {
                self.report(format_args!(
                    "the {field} of {} is another in the module",
                    short(name)
                ));
            }
        }
        for (_, decl) in bodies {
            self.report(format_args!("{} is missing", short(&decl.name)));
        }
        Ok(())
    }

    /// Returns the first field of a function's record that is not that of the module.
    fn differs(
        &self,
        rdat: &Rdat<'_>,
        record: &FunctionRecord,
        id: FuncId,
    ) -> std::result::Result<Option<&'static str>, Error> {
        let cx = self.cx;
        let entry = cx.entry(id);
        // A patch-constant function is a plain function of the library.
        let kind = entry.map_or(ShaderKind::Library, |entry| entry.kind);
        if record.kind != kind && !(kind == ShaderKind::Mesh && record.kind == ShaderKind::Node) {
            return Ok(Some("stage"));
        }
        let name = cx.module().functions.get(id).map_or("", |decl| &decl.name);
        let unmangled = if name.starts_with("\u{1}?") {
            plain_name(name)
        } else {
            name
        };
        if rdat.string(record.unmangled_name)? != unmangled {
            return Ok(Some("unmangled name"));
        }
        let (payload, attributes) = entry.map_or((0, 0), sizes_of);
        if (record.payload_bytes, record.attribute_bytes) != (payload, attributes) {
            return Ok(Some("payload or attributes"));
        }
        let own = rdat.index_array(record.resources.rows)?;
        let is_none = record.resources.rows.0 == u32::MAX;
        // No resources are no list, rather than an empty one.
        if !own.iter().eq(self.resources_of(id)) || own.is_empty() != is_none {
            return Ok(Some("list of resources"));
        }
        let IndexArrayRef(list) = record.dependencies.0;
        let names = rdat.index_array(IndexArrayRef(list))?;
        let mut called = self.externals_of(id);
        for name in names.iter() {
            let Some(function) = called.next() else {
                return Ok(Some("list of external functions"));
            };
            if rdat.string(StringRef(name))? != function {
                return Ok(Some("list of external functions"));
            }
        }
        if called.next().is_some() || names.is_empty() != (list == u32::MAX) {
            return Ok(Some("list of external functions"));
        }
        if self
            .bodies
            .uses
            .get(id)
            .is_some_and(|uses| uses.is_experimental)
            || cx.minor() >= 8
        {
            return Ok(None);
        }
        let uses = self.bodies.uses.get(id).copied().unwrap_or_default();
        // Bits of the stages that this version of the validator knows.
        let known = if cx.minor() < 5 {
            (1 << 13) - 1
        } else {
            (1 << 15) - 1
        };
        let mask = match kind {
            ShaderKind::Library => uses.stages & known,
            kind => uses.stages & 1 << kind as u16,
        };
        // Version 1.4 counted wave operations in another way.
        if cx.minor() >= 5 && record.stage_mask != u32::from(mask) {
            return Ok(Some("mask of stages"));
        }
        let module = cx.flags();
        let native = ShaderFlags::USE_NATIVE_LOW_PRECISION;
        let flags = uses.flags | module & native;
        let mut target = uses.shader_model;
        if flags.contains(native | ShaderFlags::LOW_PRECISION_PRESENT) {
            target = target.max((6, 2));
        } else if flags.intersects(ShaderFlags::BARYCENTRICS | ShaderFlags::VIEW_ID) {
            target = target.max((6, 1));
        }
        let encoded = |(major, minor): (u8, u8)| {
            (kind as u32) << 16 | u32::from(major) << 4 | u32::from(minor)
        };
        // Versions 1.6 and 1.7 took annotated handles for operations of shader model 6.6, which
        // they are not in libraries.
        let counts_handles = cx.is_sm(6) && (6..=7).contains(&cx.minor());
        let is_target = record.min_shader_target == encoded(target)
            || counts_handles && record.min_shader_target == encoded(target.max((6, 6)));
        if !is_target {
            return Ok(Some("minimum target"));
        }
        if record.features != features_of(flags) {
            return Ok(Some("features"));
        }
        Ok(None)
    }

    /// Returns the names of the functions that a function calls and other libraries define, in the
    /// order of their declarations.
    fn externals_of(&self, id: FuncId) -> impl Iterator<Item = &'a str> {
        let cx = self.cx;
        let mut called: Vec<FuncId> = Vec::new();
        if let Some(view) = cx.shader.view(id) {
            for data in view.function.insts.values() {
                if let Inst::Call { callee, .. } = data.inst
                    && let Some(callee) = view.as_function(callee)
                    && cx.module().body(callee).is_none()
                    && cx.shader.callees.get(callee) == Some(&Callee::Function)
                {
                    called.push(callee);
                }
            }
        }
        called.sort_unstable();
        called.dedup();
        called.into_iter().filter_map(move |callee| {
            let name = &*cx.module().functions.get(callee)?.name;
            (!name.starts_with("llvm.")).then_some(name)
        })
    }

    /// Returns the rows of the resources whose variables a function names.
    fn resources_of(&self, id: FuncId) -> impl Iterator<Item = u32> {
        let named: HashSet<_> = self
            .bodies
            .operands
            .globals_of(id)
            .iter()
            .copied()
            .collect();
        let rows = (0u32..).zip(self.declared());
        let module = self.cx.module();
        rows.filter_map(move |(row, resource)| {
            let global = global_in_module(module, resource.variable?)?;
            named.contains(&global).then_some(row)
        })
    }
}

fn flags_of(resource: &Resource) -> ResourceRecordFlags {
    use ResourceRecordFlags as F;
    let mut flags = F::empty();
    if resource.class == ResourceClass::Uav {
        let detail = &resource.detail;
        flags.set(F::UAV_COUNTER, detail.has_counter);
        flags.set(F::UAV_GLOBALLY_COHERENT, detail.globally_coherent);
        flags.set(F::UAV_RASTERIZER_ORDERED, detail.rasterizer_ordered);
        flags.set(F::ATOMICS64_USE, detail.atomic64);
        flags.set(F::UAV_REORDER_COHERENT, detail.reorder_coherent);
    }
    flags
}

/// Returns the bytes of payload (or parameter) and attributes of a ray tracing shader.
fn sizes_of(entry: &EntryPoint) -> (u32, u32) {
    let payload = entry.payload_bytes.unwrap_or(0);
    match entry.kind {
        ShaderKind::AnyHit | ShaderKind::ClosestHit => {
            (payload, entry.attribute_bytes.unwrap_or(0))
        }
        ShaderKind::Miss | ShaderKind::Callable => (payload, 0),
        _ => (0, 0),
    }
}
