//! The code of a function, instruction by instruction, as text and as JSON.
//!
//! A call of a DXIL operation has the names of its operands from the operation table: `%12 =
//! RawBufferLoad.f32(buffer = %3 "data", index = %7, ...)`. Everything else follows LLVM.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use dxil_frontend::dxil::debug::{DebugInfo, Position};
use dxil_frontend::dxil::ops::{
    HandleOp, Op, ResourceProperties, Role, Shown, decode, decode_opcode, op_arguments,
};
use dxil_frontend::dxil::{ComponentType, ResourceIndex, ResourceKind, Shader};
use dxil_frontend::escape::escaped;
use dxil_frontend::ir::print::{InstForm, constant_text, type_text, write_inst};
use dxil_frontend::ir::{
    BlockId, Constant, FuncView, Function, FunctionDecl, Global, Inst, InstData, InstId, Module,
    TypeId, ValueDef, ValueId,
};
use dxil_frontend::tables::HashMap;
use serde_json::{Map, Value, json};

use dxil_translate::cfg::{Cfg, unrotate_loops};
use dxil_translate::describe_vendor_operation;
use dxil_translate::structurize::{self, StructuredCfg};

use crate::cfg::ControlFlow;
use crate::describe::{Fields, list, register_range};
use crate::names::{global_name, handle_names, symbol, value_name};
use crate::source_lines::{SourceLine, SourceLines};

const KEYWORD: Style = AnsiColor::Yellow.on_default();
const OPERATION: Style = AnsiColor::Yellow.on_default().bold();
const LABEL: Style = AnsiColor::Magenta.on_default().bold();
const RESOURCE: Style = AnsiColor::Green.on_default();
const COMMENT: Style = Style::new().dimmed();
const SOURCE: Style = AnsiColor::Cyan.on_default();

/// An instruction before it becomes text or JSON.
struct Line {
    /// Operation or instruction name.
    name: String,
    /// The name and the operands, with styles.
    text: String,
    /// Named operands of a DXIL operation.
    operands: Option<Map<String, Value>>,
    /// Comments after the line.
    comments: Vec<String>,
}

/// A line of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingLine {
    /// The instruction that it is about.
    pub inst: Option<InstId>,
    /// Its text with ANSI styles, without a line feed.
    pub text: String,
}

impl ListingLine {
    fn new(inst: Option<InstId>, text: String) -> Self {
        ListingLine { inst, text }
    }
}

/// Writes the functions of one module.
pub struct Listing<'a> {
    shader: &'a Shader,
    view: FuncView<'a>,
    decl: &'a FunctionDecl,
    handles: HashMap<ValueId, String>,
    predecessors: Vec<Vec<BlockId>>,
    /// The sources, if they are shown.
    lines: Option<SourceLines<'a>>,
}

impl<'a> Listing<'a> {
    /// Prepares a function with a body.
    pub fn new(
        shader: &'a Shader,
        resources: &ResourceIndex<'_>,
        function: &'a Function,
    ) -> Option<Self> {
        let view = FuncView {
            module: &shader.module,
            function,
        };
        let mut predecessors = vec![Vec::new(); function.blocks.len()];
        for block in function.blocks.keys() {
            function.for_each_successor(block, |to| {
                // A switch may have several edges to one block; the block is listed once.
                if let Some(list) = predecessors.get_mut(to.as_u32() as usize)
                    && list.last() != Some(&block)
                {
                    list.push(block);
                }
            });
        }
        Some(Listing {
            shader,
            view,
            decl: shader.module.functions.get(function.id)?,
            handles: handle_names(shader, resources, view),
            predecessors,
            lines: shader.sources.as_deref().map(SourceLines::new),
        })
    }

    /// Returns the function as text.
    pub fn text(&self) -> String {
        let mut out = self.head();
        out.push('\n');
        for block in self.view.function.blocks.keys() {
            self.write_block(&mut out, block);
        }
        out
    }

    fn head(&self) -> String {
        format!(
            "{KEYWORD}function{KEYWORD:#} {} @{}({})",
            self.result_type(),
            symbol(&self.decl.name),
            self.parameters().join(", "),
        )
    }

    /// Writes one block as text.
    pub fn write_block(&self, out: &mut String, block: BlockId) {
        let function = self.view.function;
        self.write_label(out, block);
        out.push('\n');
        let mut shown = None;
        for id in function.block_insts(block) {
            if let Some(data) = function.insts.get(id) {
                self.write_source(out, id, &mut shown);
                self.write_line(out, id, data);
            }
        }
    }

    fn write_label(&self, out: &mut String, block: BlockId) {
        let _ = write!(out, "{LABEL}{block}:{LABEL:#}");
        let preds = self.predecessors_of(block);
        if !preds.is_empty() {
            let names: Vec<String> = preds.iter().map(ToString::to_string).collect();
            let _ = write!(out, "  {COMMENT}; from {}{COMMENT:#}", names.join(" "));
        }
    }

    /// Returns the function as lines of text, each with the instruction that it is about. Labels
    /// and the head of the function belong to no instruction.
    pub fn lines(&self) -> Vec<ListingLine> {
        let function = self.view.function;
        let mut out = vec![ListingLine::new(None, self.head())];
        for block in function.blocks.keys() {
            let mut label = String::new();
            self.write_label(&mut label, block);
            out.push(ListingLine::new(None, label));
            let mut shown = None;
            for id in function.block_insts(block) {
                if let Some(data) = function.insts.get(id) {
                    let mut text = String::new();
                    self.write_source(&mut text, id, &mut shown);
                    self.write_line(&mut text, id, data);
                    let lines = text.lines();
                    out.extend(lines.map(|line| ListingLine::new(Some(id), line.to_owned())));
                }
            }
        }
        out
    }

    /// Returns the control flow of the function.
    pub fn control_flow(&self) -> ControlFlow<'a> {
        ControlFlow::new(self.view, format!("@{}", symbol(&self.decl.name)))
    }

    /// Returns the function as structured for SPIR-V.
    ///
    /// # Errors
    ///
    /// Those of the structurizer: the graph is malformed, or too complex.
    pub fn structured(&self) -> Result<StructuredCfg, dxil_translate::Error> {
        let mut graph = Cfg::build(self.view)?;
        unrotate_loops(&mut graph, self.view);
        structurize::run(graph)
    }

    /// Returns the source line of an instruction, unless it is the line that was shown last.
    fn write_source(&self, out: &mut String, id: InstId, shown: &mut Option<(&'a str, u32)>) {
        let Some(position) = self.position(id) else {
            return;
        };
        let (file, line) = (position.file, position.line);
        if shown.replace((file, line)) == Some((file, line)) {
            return;
        }
        let Some(lines) = &self.lines else { return };
        let SourceLine { file, line, text } = lines.at(position);
        // Source text may contain control characters that a terminal would interpret.
        let text = text.trim().escape_debug().to_string();
        // `escape_debug` also escapes quotes, which are harmless here.
        let text = text.replace("\\\"", "\"").replace("\\'", "'");
        let file = escaped(file);
        let _ = writeln!(out, "  {SOURCE}; {file}:{line}:  {text}{SOURCE:#}");
    }

    /// Returns the source position of an instruction, if sources are shown.
    fn position(&self, id: InstId) -> Option<Position<'a>> {
        self.shader.sources.as_ref()?;
        let info = DebugInfo::of(&self.shader.module)?;
        let place = self.view.function.debug_locs.get(id).copied().flatten()?;
        info.position(&place)
    }

    /// Returns the variable of the source that a call describes: `item[bits 0 to 31] = %58`.
    fn variable(&self, id: InstId) -> Option<String> {
        self.shader.sources.as_ref()?;
        let info = DebugInfo::of(&self.shader.module)?;
        let used = info.variable_use(self.view, id)?;
        let name = info.local_variable(used.variable)?.name;
        let bits = match used.expression.piece {
            Some((first, count)) => {
                let last = u64::from(first) + u64::from(count.max(1)) - 1;
                format!("[bits {first} to {last}]")
            }
            None => String::new(),
        };
        let word = if used.is_memory { "is in" } else { "=" };
        Some(format!(
            "{}{bits} {word} {}",
            name.escape_debug(),
            self.value(used.value)
        ))
    }

    fn write_line(&self, out: &mut String, id: InstId, data: &InstData) {
        if let Some(variable) = self.variable(id) {
            let _ = writeln!(out, "  {COMMENT}; {variable}{COMMENT:#}");
            return;
        }
        let line = self.line(id, data);
        out.push_str("  ");
        if let Some(result) = data.result.expand() {
            let _ = write!(out, "{result} = ");
        }
        out.push_str(&line.text);
        if !line.comments.is_empty() {
            let _ = write!(out, "  {COMMENT}; {}{COMMENT:#}", line.comments.join(", "));
        }
        out.push('\n');
    }

    /// Returns the function as JSON.
    pub fn json(&self) -> Value {
        let function = self.view.function;
        json!({
            "name": &*self.decl.name,
            "result": self.result_type(),
            "parameters": self.parameters(),
            "blocks": list(function.blocks.keys(), |block| json!({
                "name": block.to_string(),
                "predecessors": list(self.predecessors_of(block), |b| json!(b.to_string())),
                "instructions": list(function.block_insts(block), |id| match function.insts.get(id) {
                    Some(data) => self.instruction_json(id, data),
                    None => Value::Null,
                }),
            })),
        })
    }

    fn instruction_json(&self, id: InstId, data: &InstData) -> Value {
        let line = self.line(id, data);
        let mut text = String::new();
        self.write_line(&mut text, id, data);
        let mut fields = Fields::default();
        fields
            .set_some("result", data.result.expand().map(|id| id.to_string()))
            .set("type", type_text(self.view.module, data.ty));
        if let Some(operands) = line.operands {
            if let Some(op) = self.operation(data) {
                let opcode = op.opcode();
                fields
                    .set("operation", opcode.name())
                    .set("opcode", opcode.number())
                    .set("class", opcode.class());
            }
            fields.set("operands", operands);
        } else {
            fields.set("instruction", line.name);
        }
        if let Some(position) = self.position(id) {
            let place = json!({
                "file": position.file, "line": position.line, "column": position.column
            });
            fields.set("source", place);
        }
        let plain = anstream::adapter::strip_str(text.trim()).to_string();
        fields.set("text", plain).finish()
    }

    fn predecessors_of(&self, block: BlockId) -> &[BlockId] {
        self.predecessors
            .get(block.as_u32() as usize)
            .map_or(&[], Vec::as_slice)
    }

    fn result_type(&self) -> String {
        let module = self.view.module;
        match module.types.get(self.decl.ty) {
            dxil_frontend::ir::Type::Function { ret, .. } => type_text(module, *ret),
            _ => type_text(module, self.decl.ty),
        }
    }

    fn parameters(&self) -> Vec<String> {
        let function = self.view.function;
        let count = function.arg_count as usize;
        let first = function.first_value;
        function
            .values
            .iter()
            .take(count)
            .zip(first..)
            .map(|(value, id)| {
                let ty = type_text(self.view.module, value.ty);
                format!("{ty} {}", ValueId::from_u32(id))
            })
            .collect()
    }

    /// Returns the decoded operation, if the instruction calls one.
    fn operation(&self, data: &InstData) -> Option<Op> {
        let args = op_arguments(self.view, &self.shader.callees, &data.inst)?;
        decode(self.view, args).ok()
    }

    fn value(&self, id: ValueId) -> String {
        let mut text = value_name(self.view, id);
        if let Some(name) = self.handles.get(&id) {
            let _ = write!(text, " {RESOURCE}\"{}\"{RESOURCE:#}", name.escape_debug());
        }
        text
    }

    fn values(&self, ids: &[ValueId]) -> String {
        let texts: Vec<String> = ids.iter().map(|id| self.value(*id)).collect();
        texts.join(", ")
    }

    fn line(&self, id: InstId, data: &InstData) -> Line {
        let mut line = match (&data.inst, self.operation(data)) {
            (Inst::Call { callee, .. }, Some(op)) => self.named_call(*callee, &op),
            _ => {
                let mut form = ShortForm {
                    listing: self,
                    name: String::new(),
                    text: String::new(),
                };
                write_inst(&mut form, self.view, id);
                Line {
                    name: form.name,
                    text: form.text,
                    operands: None,
                    comments: Vec::new(),
                }
            }
        };
        if line.operands.is_none()
            && let Some(args) = op_arguments(self.view, &self.shader.callees, &data.inst)
            && let Err(error) = decode_opcode(self.view, args)
        {
            line.comments.push(error.to_string());
        }
        self.add_hints(id, &mut line.comments);
        line
    }

    fn add_hints(&self, id: InstId, comments: &mut Vec<String>) {
        let FuncView { module, function } = self.view;
        let hints = &self.shader.hints;
        if let Some(hint) = hints.branch(module, function, id) {
            comments.push(format!("[{hint:?}]").to_lowercase());
        }
        if let Some(hint) = hints.loop_hint(module, function, id) {
            comments.push(format!("loop: {hint:?}"));
        }
        if hints.is_precise(module, function, id) {
            comments.push("precise".to_owned());
        }
        if hints.is_non_uniform(module, function, id) {
            comments.push("non-uniform".to_owned());
        }
        if let Some(Some(position)) = function.debug_locs.get(id)
            && position.line != 0
        {
            let lines = self.lines.as_ref().zip(self.position(id));
            let line = lines.map_or(position.line, |(lines, position)| lines.at(position).line);
            comments.push(format!("line {line}:{}", position.column));
        }
    }

    fn named_call(&self, callee: ValueId, op: &Op) -> Line {
        let mut name = op.opcode().name().to_owned();
        let decl = self
            .view
            .as_function(callee)
            .and_then(|id| self.view.module.functions.get(id));
        let overload = decl
            .and_then(|decl| decl.name.strip_prefix("dx.op."))
            .and_then(|name| name.split_once('.'));
        if let Some((_, overload)) = overload {
            let _ = write!(name, ".{}", escaped(overload));
        }
        let mut texts = Vec::new();
        let mut operands = Map::new();
        op.show_operands(&mut |operand, role, shown| {
            let (text, json) = self.operand(op, operand, role, shown);
            texts.push(format!("{operand} = {text}"));
            operands.insert(operand.to_owned(), json);
        });
        let operands_text = texts.join(", ");
        Line {
            text: format!("{OPERATION}{name}{OPERATION:#}({operands_text})"),
            name,
            operands: Some(operands),
            comments: describe_vendor_operation(self.shader, self.view, op)
                .into_iter()
                .collect(),
        }
    }

    fn operand(&self, op: &Op, name: &str, role: Role, shown: Shown<'_>) -> (String, Value) {
        match shown {
            Shown::Value(id) => (self.value(id), self.value_json(id, role)),
            Shown::Absent => ("undef".to_owned(), Value::Null),
            Shown::Values(ids) => (
                format!("[{}]", self.values(ids)),
                list(ids, |id| self.value_json(*id, role)),
            ),
            Shown::Optionals(ids) => {
                let text = |id: Option<ValueId>| id.map_or("undef".to_owned(), |id| self.value(id));
                let texts: Vec<String> = ids.iter().map(|id| text(id.expand())).collect();
                (
                    format!("[{}]", texts.join(", ")),
                    list(ids, |id| match id.expand() {
                        Some(id) => self.value_json(id, role),
                        None => Value::Null,
                    }),
                )
            }
            Shown::Int(number) if name == "mask" => (format!("0b{number:04b}"), json!(number)),
            Shown::Int(number) => (number.to_string(), json!(number)),
            Shown::Bool(value) => (value.to_string(), json!(value)),
            Shown::Name(name) => (name.to_owned(), json!(name)),
            Shown::Flags(bits, names) => {
                let text = if names.is_empty() {
                    format!("{bits:#x}")
                } else {
                    names.join("|")
                };
                (text, json!({ "bits": bits, "names": names }))
            }
            Shown::Fields(fields) => {
                let json: Map<String, Value> = fields
                    .iter()
                    .map(|(name, value)| ((*name).to_owned(), json!(value)))
                    .collect();
                (structure_text(op, fields), Value::Object(json))
            }
        }
    }

    fn value_json(&self, id: ValueId, role: Role) -> Value {
        let mut fields = Fields::default();
        fields.set("value", value_name(self.view, id));
        if role.is_handle() {
            fields.set_some("resource", self.handles.get(&id).cloned());
        }
        fields.finish()
    }
}

/// Writes instructions in the form of listings: without types that follow from the rest of the
/// line, with resources beside handles, and with `b1` for blocks.
struct ShortForm<'l, 'a> {
    listing: &'l Listing<'a>,
    name: String,
    text: String,
}

impl InstForm for ShortForm<'_, '_> {
    fn writes_implied_types(&self) -> bool {
        false
    }

    fn word(&mut self, word: &str) {
        if !self.name.is_empty() {
            self.name.push(' ');
        }
        self.name.push_str(word);
        let _ = write!(self.text, "{KEYWORD}{word}{KEYWORD:#}");
    }

    fn text(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn ty(&mut self, ty: TypeId) {
        self.text.push_str(&type_text(self.listing.view.module, ty));
    }

    fn value(&mut self, id: ValueId) {
        self.text.push_str(&self.listing.value(id));
    }

    fn block(&mut self, id: BlockId) {
        let _ = write!(self.text, "{id}");
    }

    fn incoming(&mut self, edges: &[(ValueId, BlockId)]) {
        let edge = |(value, block): &(ValueId, BlockId)| {
            format!("{block}: {}", self.listing.value(*value))
        };
        let edges: Vec<String> = edges.iter().map(edge).collect();
        let _ = write!(self.text, " [{}]", edges.join(", "));
    }

    fn targets(&mut self, _: Option<TypeId>, default: BlockId, cases: &[(ValueId, BlockId)]) {
        let case = |(value, block): &(ValueId, BlockId)| {
            format!("{}: {block}", self.listing.value(*value))
        };
        let cases: Vec<String> = cases.iter().map(case).collect();
        let _ = write!(self.text, "default {default} [{}]", cases.join(", "));
    }

    fn alloca_count(&mut self, _: Option<TypeId>, count: ValueId) {
        let _ = write!(self.text, ", count {}", self.listing.value(count));
    }
}

fn align_text(align: u32) -> String {
    match align {
        0 => String::new(),
        align => format!(", align {align}"),
    }
}

/// Returns a constant structure of an operation, by the names of its fields.
fn structure_text(op: &Op, fields: &[(&'static str, u32)]) -> String {
    match op {
        Op::Handle(HandleOp::CreateHandleFromBinding(create)) => {
            let binding = create.binding;
            register_range(
                binding.class.letter(),
                binding.lower_bound,
                binding.upper_bound,
                binding.space,
            )
        }
        Op::Handle(HandleOp::AnnotateHandle(annotate)) => properties_text(annotate.properties),
        _ => {
            let texts: Vec<String> = fields
                .iter()
                .map(|(name, value)| format!("{name} {value}"))
                .collect();
            format!("{{{}}}", texts.join(", "))
        }
    }
}

fn properties_text(properties: ResourceProperties) -> String {
    let Some(kind) = properties.kind() else {
        return format!("{:#x}, {:#x}", properties.basic, properties.extended);
    };
    let mut text = String::new();
    if properties.is_globally_coherent() {
        text.push_str("globallycoherent ");
    }
    if properties.is_reorder_coherent() {
        text.push_str("reordercoherent ");
    }
    if properties.is_rasterizer_ordered() {
        text.push_str("RasterizerOrdered");
    } else if properties.is_uav() {
        text.push_str("RW");
    }
    let _ = write!(text, "{kind:?}");
    match kind {
        ResourceKind::StructuredBuffer => {
            let _ = write!(text, "<{} bytes>", properties.stride());
            if properties.is_comparison_or_has_counter() {
                text.push_str(" with counter");
            }
        }
        ResourceKind::CBuffer => {
            let _ = write!(text, "<{} bytes>", properties.cbuffer_size());
        }
        ResourceKind::Sampler if properties.is_comparison_or_has_counter() => {
            text.push_str(" (comparison)");
        }
        kind if kind.is_texture() || kind == ResourceKind::TypedBuffer => {
            let number = u64::from(properties.component_type());
            match ComponentType::from_number(number) {
                Some(ty) => {
                    let _ = write!(text, "<{}x{ty:?}>", properties.component_count());
                }
                None => {
                    let _ = write!(text, "<type {number}>");
                }
            }
        }
        _ => {}
    }
    text
}

/// Returns the global variables as text, one line each.
pub fn globals_text(shader: &Shader) -> String {
    let module = &shader.module;
    let mut out = String::new();
    for (id, global) in &module.globals {
        let space = match global.address_space {
            3 => "groupshared ",
            _ => "",
        };
        let word = if global.is_constant {
            "constant"
        } else {
            "global"
        };
        // The value at the start, as in LLVM's text: `[2 x i32] [i32 1, i32 2]`.
        let initializer =
            initializer_text(module, global).map_or(String::new(), |text| format!(" {text}"));
        let _ = writeln!(
            out,
            "{KEYWORD}{word}{KEYWORD:#} {} = {space}{}{initializer}{}",
            global_name(module, id),
            type_text(module, global.ty),
            align_text(global.align),
        );
    }
    out
}

/// Returns the global variables as JSON.
pub fn globals_json(shader: &Shader) -> Value {
    list(shader.module.globals.values(), |global| {
        json!({
            "name": &*global.name,
            "type": type_text(&shader.module, global.ty),
            "address_space": global.address_space,
            "constant": global.is_constant,
            "align": global.align,
            "initializer": initializer_text(&shader.module, global),
        })
    })
}

/// Returns the value of a global variable at the start; `None` if that is undefined.
fn initializer_text(module: &Module, global: &Global) -> Option<String> {
    let initializer = global.initializer?;
    let value = module.values.get(initializer.as_u32() as usize)?;
    if value.def == ValueDef::Constant(Constant::Undef) {
        return None;
    }
    Some(constant_text(module, initializer))
}
