//! Metadata as it stands in the module, before it is read as DXIL: names, versions, and numbers
//! whose meaning must be known to read on.

use super::context::{Sink, short};
use super::rules::Rule;
use crate::container::fourcc::FourCc;
use crate::dxil::{InterpolationMode, SemanticKind, ShaderKind};
use crate::error::Location;
use crate::ir::{Constant, MdId, MdNode, Metadata, Module, NamedMetadata, ValueDef};

/// Minor number of the newest validator version: DXC 1.9 writes 1.10.
pub(super) const NEWEST: u8 = 10;

/// The last tags of properties: of SRVs (stride), of UAVs (`reordercoherent`), and of signature
/// elements (used components).
const NEWEST_SRV_TAG: u64 = 1;
const NEWEST_UAV_TAG: u64 = 4;
const NEWEST_ELEMENT_TAG: u64 = 3;

/// Named metadata of DXIL.
const KNOWN: &[&str] = &[
    "dx.version",
    "dx.valver",
    "dx.shaderModel",
    "dx.entryPoints",
    "dx.resources",
    "dx.typeAnnotations",
    "dx.viewIdState",
    "dx.dxrPayloadAnnotations",
    "dx.subobjects",
    "dx.rootSignature",
    "dx.intermediateOptions",
    "dx.source.contents",
    "dx.source.defines",
    "dx.source.mainFileName",
    "dx.source.args",
    "dx.dxilSourceHash",
    "dx.targetTypes",
    "llvm.ident",
    "llvm.module.flags",
    "llvm.dbg.cu",
];

struct MetadataCheck<'a> {
    module: &'a Module,
    sink: &'a Sink,
}

/// Checks the metadata of a module.
pub(super) fn check(module: &Module, sink: &Sink) {
    let check = MetadataCheck { module, sink };
    check.names();
    check.versions();
    if &*module.triple != "dxil-ms-dx" {
        let triple = short(&module.triple);
        check.report(Rule::MetaTarget, format_args!("the triple is {triple}"));
    }
    if !is_data_layout(&module.data_layout) {
        let layout = short(&module.data_layout);
        check.report(Rule::BitcodeValid, format_args!("the data layout {layout}"));
    }
    let model = check.shader_model();
    check.type_annotations();
    check.resources();
    check.entry_points(model);
}

/// Returns whether LLVM can read a data layout (LLVM Language Reference, "Data Layout"): sizes and
/// alignments in bits, which are bytes but for the sizes of integers.
fn is_data_layout(layout: &str) -> bool {
    let is_bits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_bytes =
        |text: &str| is_bits(text) && text.parse::<u32>().is_ok_and(|bits| bits.is_multiple_of(8));
    layout.split('-').all(|spec| {
        let mut letters = spec.chars();
        let first = letters.next();
        let rest = letters.as_str();
        let mut fields = rest.split(':');
        let size = fields.next().unwrap_or_default();
        match first {
            None => layout.is_empty(),
            Some('e' | 'E') => rest.is_empty(),
            Some('m') => rest.starts_with(':'),
            Some('n') => rest.split(':').all(is_bits),
            Some('S') => is_bytes(size),
            Some('p' | 'i' | 'v' | 'f' | 'a' | 's') => is_bits(size) && fields.all(is_bytes),
            Some(_) => false,
        }
    })
}

/// Returns the validator version that a module asks for.
pub(super) fn validator_version(module: &Module) -> Option<(u64, u64)> {
    let node = module.metadata.named("dx.valver").next()?;
    let operands = module.metadata.tuple(node)?;
    Some((
        int(module, *operands.first()?)?,
        int(module, *operands.get(1)?)?,
    ))
}

fn int(module: &Module, node: Option<MdId>) -> Option<u64> {
    let value = module.metadata.value(node?)?;
    match module.values.get(value.as_u32() as usize)?.def {
        ValueDef::Constant(Constant::Int(value)) => Some(value),
        ValueDef::Constant(Constant::Null) => Some(0),
        _ => None,
    }
}

/// A shader model.
#[derive(Debug, Clone, Copy)]
struct Model {
    kind: Option<ShaderKind>,
    minor: u64,
}

impl MetadataCheck<'_> {
    fn metadata(&self) -> &Metadata {
        &self.module.metadata
    }

    fn report(&self, rule: Rule, detail: impl std::fmt::Display) {
        let location = Location {
            part: Some(FourCc::DXIL),
            ..Location::default()
        };
        self.sink.report(rule, location, detail);
    }

    fn names(&self) {
        for named in &self.metadata().named {
            let name = self.metadata().name_of(named);
            if !KNOWN.contains(&&*name) {
                let detail = format_args!("the metadata !{}", short(&name));
                self.report(Rule::MetaKnown, detail);
            }
            if name == "llvm.ident" {
                self.identifications(named);
            }
            // A list names nodes: no values and no strings.
            let is_node = |id: MdId| {
                let node = self.metadata().nodes.get(id);
                matches!(node, Some(MdNode::Tuple { .. } | MdNode::Debug { .. }))
            };
            if !self.metadata().nodes_of(named).all(is_node) {
                let detail = format_args!("!{} lists something other than nodes", short(&name));
                self.report(Rule::BitcodeValid, detail);
            }
        }
    }

    /// Checks that the nodes of `llvm.ident` are strings, as LLVM's verifier has it.
    fn identifications(&self, named: &NamedMetadata) {
        let metadata = self.metadata();
        let is_string = |node: MdId| match metadata.tuple(node) {
            Some(&[Some(text)]) => metadata.string(text).is_some(),
            _ => false,
        };
        if !metadata.nodes_of(named).all(is_string) {
            self.report(
                Rule::BitcodeValid,
                "a node of !llvm.ident is not one string",
            );
        }
    }

    /// Returns the two numbers of a version; reports another form.
    fn version(&self, name: &str) -> Option<(u64, u64)> {
        let mut nodes = self.metadata().named(name);
        let node = nodes.next()?;
        let operands = self.metadata().tuple(node).unwrap_or_default();
        let numbers = match *operands {
            [major, minor] => int(self.module, major).zip(int(self.module, minor)),
            _ => None,
        };
        if numbers.is_none() || nodes.next().is_some() {
            let detail = format_args!("{name} is one pair of numbers");
            self.report(Rule::MetaWellFormed, detail);
            return None;
        }
        numbers
    }

    fn versions(&self) {
        if let Some((major, minor)) = self.version("dx.valver")
            && (major != 1 || minor > u64::from(NEWEST))
            // 0.0 asks for no validation.
            && (major, minor) != (0, 0)
        {
            let detail = format_args!("validator version {major}.{minor}");
            self.report(Rule::MetaVersionSupported, detail);
        }
        if let Some((major, minor)) = self.version("dx.version")
            && (major != 1 || minor > u64::from(self.sink.newest_shader_model()))
        {
            let detail = format_args!("DXIL version {major}.{minor}");
            self.report(Rule::MetaVersionSupported, detail);
        }
    }

    fn shader_model(&self) -> Option<Model> {
        let mut nodes = self.metadata().named("dx.shaderModel");
        let Some(node) = nodes.next() else {
            self.report(Rule::MetaRequired, "there is no dx.shaderModel");
            return None;
        };
        if nodes.next().is_some() {
            self.report(Rule::MetaWellFormed, "dx.shaderModel is one node");
        }
        let operands = self.metadata().tuple(node).unwrap_or_default();
        let prefix = operands.first().copied().flatten();
        let prefix = prefix.and_then(|node| self.metadata().string(node));
        let at = |index: usize| int(self.module, operands.get(index).copied().flatten());
        let (Some(prefix), Some(major), Some(minor)) = (prefix, at(1), at(2)) else {
            self.report(
                Rule::MetaWellFormed,
                "dx.shaderModel is a stage and a version",
            );
            return None;
        };
        let kind = ShaderKind::ALL
            .into_iter()
            .find(|kind| kind.prefix() == prefix);
        if kind.is_none() || major != 6 || minor > u64::from(self.sink.newest_shader_model()) {
            let prefix = short(prefix);
            let detail = format_args!("shader model {prefix}_{major}_{minor}");
            self.report(Rule::SmName, detail);
        } else if let Some((1, dxil)) = self.version("dx.version")
            && dxil != minor
        {
            let detail = format_args!("DXIL 1.{dxil} in shader model 6.{minor}");
            self.report(Rule::SmDxilVersion, detail);
        }
        Some(Model { kind, minor })
    }

    fn type_annotations(&self) {
        for node in self.metadata().named("dx.typeAnnotations") {
            let operands = self.metadata().tuple(node).unwrap_or_default();
            let tag = int(self.module, operands.first().copied().flatten());
            // From DXIL 1.2 on there is always an entry after the tag.
            let short_list = operands.len() < 3 && self.version("dx.version") >= Some((1, 2));
            if !matches!(tag, Some(0 | 1)) || short_list {
                let detail = "type annotations are a tag, 0 or 1, and what is annotated";
                self.report(Rule::MetaWellFormed, detail);
            }
        }
    }

    /// Reports tags of a list of tags and values that are unknown.
    fn tags(&self, list: Option<MdId>, newest: u64, what: &str) {
        let list = list.and_then(|list| self.metadata().tuple(list));
        for tag in list.unwrap_or_default().iter().step_by(2) {
            if let Some(tag) = int(self.module, *tag).filter(|tag| *tag > newest) {
                let detail = format_args!("{what} has a property with the unknown tag {tag}");
                self.report(Rule::MetaWellFormed, detail);
            }
        }
    }

    fn resources(&self) {
        let metadata = self.metadata();
        let tuple = |node: &Option<MdId>| node.and_then(|node| metadata.tuple(node));
        let classes = metadata.named("dx.resources").next();
        let classes = classes.and_then(|node| metadata.tuple(node));
        // The place of the list of properties, and its newest tag: of SRVs and UAVs.
        let lists = [(8, NEWEST_SRV_TAG), (10, NEWEST_UAV_TAG)];
        for (class, (place, newest)) in classes.unwrap_or_default().iter().zip(lists) {
            for resource in tuple(class).unwrap_or_default().iter().filter_map(tuple) {
                let list = resource.get(place).copied().flatten();
                self.tags(list, newest, "a resource");
            }
        }
    }

    fn entry_points(&self, model: Option<Model>) {
        let mut nodes = self.metadata().named("dx.entryPoints").peekable();
        if nodes.peek().is_none() {
            self.report(Rule::MetaRequired, "there is no dx.entryPoints");
        }
        for node in nodes {
            let operands = self.metadata().tuple(node).unwrap_or_default();
            if operands.len() < 5 {
                self.report(Rule::MetaWellFormed, "an entry point has five operands");
                continue;
            }
            let at = |index: usize| operands.get(index).copied().flatten();
            if let Some(signatures) = at(2).and_then(|node| self.metadata().tuple(node)) {
                for signature in signatures.iter().take(3).flatten() {
                    self.signature(*signature);
                }
            }
            let properties = at(4).and_then(|node| self.metadata().tuple(node));
            if let (Some(properties), Some(model)) = (properties, model) {
                self.properties(properties, model);
            }
            let is_grouped = model.and_then(|model| model.kind).is_some_and(|kind| {
                matches!(
                    kind,
                    ShaderKind::Compute
                        | ShaderKind::Geometry
                        | ShaderKind::Hull
                        | ShaderKind::Domain
                        | ShaderKind::Mesh
                        | ShaderKind::Amplification
                )
            });
            if is_grouped && properties.is_none() {
                self.report(Rule::MetaNoEntryPropsForEntry, "there are no properties");
            }
        }
    }

    /// Numbers of a signature that must be known.
    fn signature(&self, signature: MdId) {
        for element in self.metadata().tuple(signature).unwrap_or_default() {
            let operands = element.and_then(|element| self.metadata().tuple(element));
            let operands = operands.unwrap_or_default();
            let at = |index: usize| int(self.module, operands.get(index).copied().flatten());
            if operands.len() < 10 {
                self.report(
                    Rule::MetaWellFormed,
                    "a signature element has eleven operands",
                );
                continue;
            }
            if let Some(kind) = at(3)
                && SemanticKind::from_number(kind).is_none()
            {
                self.report(
                    Rule::MetaSemaKindValid,
                    format_args!("semantic kind {kind}"),
                );
            }
            if let Some(mode) = at(5)
                && InterpolationMode::from_number(mode).is_none()
            {
                let detail = format_args!("interpolation mode {mode}");
                self.report(Rule::MetaInterpModeValid, detail);
            }
            let list = operands.get(10).copied().flatten();
            self.tags(list, NEWEST_ELEMENT_TAG, "a signature element");
        }
    }

    fn properties(&self, properties: &[Option<MdId>], model: Model) {
        let mut has_wave_size = false;
        for pair in properties.chunks_exact(2) {
            let [tag, value] = *pair else {
                continue;
            };
            let list = value.and_then(|value| self.metadata().tuple(value));
            let list = list.unwrap_or_default();
            if let Some(tag @ (11 | 23)) = int(self.module, tag) {
                if has_wave_size {
                    self.report(Rule::SmWaveSizeTagDuplicate, "there are two wave sizes");
                }
                has_wave_size = true;
                self.wave_size(tag == 23, list, model);
            }
        }
    }

    fn wave_size(&self, is_range: bool, list: &[Option<MdId>], model: Model) {
        let minor = model.minor;
        if is_range && minor < 8 {
            let detail = format_args!("shader model 6.{minor}");
            self.report(Rule::SmWaveSizeRangeNeedsSM68Plus, detail);
        }
        if !is_range && !(6..8).contains(&minor) {
            let detail = format_args!("shader model 6.{minor}");
            self.report(Rule::SmWaveSizeNeedsSM66or67, detail);
        }
        let (count, rule) = if is_range {
            (3, Rule::SmWaveSizeRangeExpectsThreeParams)
        } else {
            (1, Rule::SmWaveSizeExpectsOneParam)
        };
        if list.len() != count {
            self.report(rule, format_args!("{} numbers", list.len()));
        }
        if list.iter().any(|node| int(self.module, *node).is_none()) {
            let detail = "a wave size is not a constant";
            self.report(Rule::SmWaveSizeNeedsConstantOperands, detail);
        }
    }
}
