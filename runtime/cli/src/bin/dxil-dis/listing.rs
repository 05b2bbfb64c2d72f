//! The code of a function, instruction by instruction, as text and as JSON.
//!
//! A call of a DXIL operation is written with its operands' names, which come from the op table:
//! `%12 = RawBufferLoad.f32(buffer = %3 "data", index = %7, ...)`. Everything else follows LLVM.

use std::collections::HashMap;
use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use dxil_frontend::dxil::debug::{DebugInfo, Position};
use dxil_frontend::dxil::ops::{
    HandleOp, Op, ResourceProperties, Role, Shown, decode, decode_opcode, op_arguments,
};
use dxil_frontend::dxil::{ComponentType, ResourceKind, Shader};
use dxil_frontend::ir::print::type_text;
use dxil_frontend::ir::{
    BlockId, FastMath, FuncView, Function, FunctionDecl, Inst, InstData, InstId, ValueId,
};
use dxil_frontend::shown::escaped;
use serde_json::{Map, Value, json};

use dxil_translate::cfg::{Cfg, unrotate_loops};
use dxil_translate::describe_vendor_operation;
use dxil_translate::structurize::{self, StructuredCfg};

use crate::cfg::ControlFlow;
use crate::describe::{Fields, list, register_range};
use crate::names::{global_name, handle_names, symbol, value_name};

const KEYWORD: Style = AnsiColor::Yellow.on_default();
const OPERATION: Style = AnsiColor::Yellow.on_default().bold();
const LABEL: Style = AnsiColor::Magenta.on_default().bold();
const RESOURCE: Style = AnsiColor::Green.on_default();
const COMMENT: Style = Style::new().dimmed();
const SOURCE: Style = AnsiColor::Cyan.on_default();

/// What an instruction is, before it becomes text or JSON.
struct Line {
    /// Operation or instruction name.
    name: String,
    /// Style of the name.
    style: Style,
    /// What follows the name, styled.
    rest: String,
    /// Named operands of a DXIL operation.
    operands: Option<Map<String, Value>>,
    /// Remarks behind the line.
    comments: Vec<String>,
}

/// Writes the functions of one module.
pub(crate) struct Listing<'a> {
    shader: &'a Shader,
    view: FuncView<'a>,
    decl: &'a FunctionDecl,
    handles: HashMap<ValueId, String>,
    predecessors: Vec<Vec<BlockId>>,
}

impl<'a> Listing<'a> {
    /// Prepares a function with a body.
    pub(crate) fn new(shader: &'a Shader, function: &'a Function) -> Option<Self> {
        let view = FuncView {
            module: &shader.module,
            function,
        };
        let mut predecessors = vec![Vec::new(); function.blocks.len()];
        for block in function.blocks.keys() {
            function.for_each_successor(block, |to| {
                if let Some(list) = predecessors.get_mut(to.as_u32() as usize)
                    && !list.contains(&block)
                {
                    list.push(block);
                }
            });
        }
        Some(Listing {
            shader,
            view,
            decl: shader.module.functions.get(function.id)?,
            handles: handle_names(shader, view),
            predecessors,
        })
    }

    /// The function as text.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        let function = self.view.function;
        let _ = writeln!(
            out,
            "{KEYWORD}function{KEYWORD:#} {} @{}({})",
            self.result_type(),
            symbol(&self.decl.name),
            self.parameters().join(", "),
        );
        for block in function.blocks.keys() {
            self.write_block(&mut out, block);
        }
        out
    }

    /// One block as text.
    pub(crate) fn write_block(&self, out: &mut String, block: BlockId) {
        let function = self.view.function;
        let _ = write!(out, "{LABEL}{block}:{LABEL:#}");
        let preds = self.predecessors_of(block);
        if !preds.is_empty() {
            let names: Vec<String> = preds.iter().map(ToString::to_string).collect();
            let _ = write!(out, "  {COMMENT}; from {}{COMMENT:#}", names.join(" "));
        }
        out.push('\n');
        let mut shown = None;
        for id in function.block_insts(block) {
            if let Some(data) = function.insts.get(id) {
                self.write_source(out, id, &mut shown);
                self.write_line(out, id, data);
            }
        }
    }

    /// Control flow of the function.
    pub(crate) fn control_flow(&self) -> ControlFlow<'a> {
        ControlFlow::new(self.view, format!("@{}", symbol(&self.decl.name)))
    }

    /// The function as structured for SPIR-V.
    pub(crate) fn structured(&self) -> Result<StructuredCfg, dxil_translate::Error> {
        let mut graph = Cfg::build(self.view)?;
        unrotate_loops(&mut graph, self.view);
        structurize::run(graph)
    }

    /// The line of the source that an instruction came from, unless it is the one that was shown
    /// last.
    fn write_source(&self, out: &mut String, id: InstId, shown: &mut Option<(&'a str, u32)>) {
        let Some(position) = self.position(id) else {
            return;
        };
        let (file, line) = (position.file, position.line);
        if shown.replace((file, line)) == Some((file, line)) {
            return;
        }
        let sources = self.shader.sources.as_deref();
        let text = sources.and_then(|sources| sources.line(file, line));
        let text = text.unwrap_or_default().trim().escape_debug().to_string();
        // Quotes are no escape sequences in source.
        let text = text.replace("\\\"", "\"").replace("\\'", "'");
        let file = escaped(file);
        let _ = writeln!(out, "  {SOURCE}; {file}:{line}:  {text}{SOURCE:#}");
    }

    /// Where an instruction came from, if the sources are to be shown.
    fn position(&self, id: InstId) -> Option<Position<'a>> {
        self.shader.sources.as_ref()?;
        let info = DebugInfo::of(&self.shader.module)?;
        let place = self.view.function.debug_locs.get(id).copied().flatten()?;
        info.position(&place)
    }

    /// What a call says of a variable of the source: `item[bits 0 to 31] = %58`.
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
        let style = line.style;
        let _ = write!(out, "{style}{}{style:#}{}", line.name, line.rest);
        if !line.comments.is_empty() {
            let _ = write!(out, "  {COMMENT}; {}{COMMENT:#}", line.comments.join(", "));
        }
        out.push('\n');
    }

    /// The function as JSON.
    pub(crate) fn json(&self) -> Value {
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

    /// The decoded operation, if the instruction calls one.
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

    fn typed(&self, id: ValueId) -> String {
        let ty = self
            .view
            .type_of(id)
            .map_or_else(|| "?".to_owned(), |ty| type_text(self.view.module, ty));
        format!("{ty} {}", self.value(id))
    }

    fn line(&self, id: InstId, data: &InstData) -> Line {
        let mut line = match data.inst {
            Inst::Call {
                callee,
                args,
                fast_math,
            } => self.call(data, callee, self.view.function.values_of(args), fast_math),
            _ => {
                let (name, rest) = self.plain(data);
                Line {
                    name,
                    style: KEYWORD,
                    rest,
                    operands: None,
                    comments: Vec::new(),
                }
            }
        };
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
            comments.push(format!("line {}:{}", position.line, position.column));
        }
    }

    fn call(
        &self,
        data: &InstData,
        callee: ValueId,
        args: &[ValueId],
        fast_math: FastMath,
    ) -> Line {
        let module = self.view.module;
        if let Some(op) = self.operation(data) {
            return self.named_call(callee, &op);
        }
        let mut comments = Vec::new();
        if let Some(args) = op_arguments(self.view, &self.shader.callees, &data.inst)
            && let Err(error) = decode_opcode(self.view, args)
        {
            comments.push(error.to_string());
        }
        let arguments: Vec<String> = args.iter().map(|arg| self.typed(*arg)).collect();
        Line {
            name: "call".to_owned(),
            style: KEYWORD,
            rest: format!(
                "{} {} {}({})",
                fast_math_words(fast_math),
                type_text(module, data.ty),
                value_name(self.view, callee),
                arguments.join(", "),
            ),
            operands: None,
            comments,
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
        Line {
            name,
            style: OPERATION,
            rest: format!("({})", texts.join(", ")),
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

    /// Name and rest of an instruction that is not a call.
    fn plain(&self, data: &InstData) -> (String, String) {
        let function = self.view.function;
        let module = self.view.module;
        let ty = || type_text(module, data.ty);
        let v = |id| self.value(id);
        let t = |id| self.typed(id);
        match data.inst {
            Inst::Binary {
                op,
                fast_math,
                lhs,
                rhs,
            } => (
                lower(op),
                format!("{} {}, {}", fast_math_words(fast_math), t(lhs), v(rhs)),
            ),
            Inst::Cast { op, value } => (lower(op), format!(" {} to {}", t(value), ty())),
            Inst::Cmp {
                predicate,
                fast_math,
                lhs,
                rhs,
            } => {
                let name = lower(predicate);
                let (kind, predicate) = name.split_at(1);
                (
                    format!("{kind}cmp {predicate}"),
                    format!("{} {}, {}", fast_math_words(fast_math), t(lhs), v(rhs)),
                )
            }
            Inst::Select {
                condition,
                if_true,
                if_false,
            } => (
                "select".to_owned(),
                format!(" {}, {}, {}", v(condition), t(if_true), v(if_false)),
            ),
            Inst::Phi { incoming } => {
                let edges: Vec<String> = function
                    .edges_of(incoming)
                    .iter()
                    .map(|(value, block)| format!("{block}: {}", v(*value)))
                    .collect();
                (
                    "phi".to_owned(),
                    format!(" {} [{}]", ty(), edges.join(", ")),
                )
            }
            Inst::Call { .. } => ("call".to_owned(), String::new()),
            Inst::Alloca {
                allocated,
                count,
                align,
            } => (
                "alloca".to_owned(),
                format!(
                    " {}, count {}{}",
                    type_text(module, allocated),
                    v(count),
                    align_text(align)
                ),
            ),
            Inst::Load {
                pointer,
                align,
                volatile,
            } => (
                "load".to_owned(),
                format!(
                    "{} {}, {}{}",
                    volatile_text(volatile),
                    ty(),
                    v(pointer),
                    align_text(align)
                ),
            ),
            Inst::Store {
                pointer,
                value,
                align,
                volatile,
            } => (
                "store".to_owned(),
                format!(
                    "{} {}, {}{}",
                    volatile_text(volatile),
                    t(value),
                    v(pointer),
                    align_text(align)
                ),
            ),
            Inst::Gep { inbounds, operands } => {
                let operands = function.values_of(operands);
                let word = if inbounds { " inbounds" } else { "" };
                let (base, indices) = operands.split_first().map_or_else(
                    || (String::new(), String::new()),
                    |(base, indices)| (t(*base), self.values(indices)),
                );
                (
                    "getelementptr".to_owned(),
                    format!("{word} {base}, {indices}"),
                )
            }
            Inst::ExtractValue { aggregate, indices } => (
                "extractvalue".to_owned(),
                format!(
                    " {}{}",
                    t(aggregate),
                    indices_text(function.indices_of(indices))
                ),
            ),
            Inst::InsertValue {
                aggregate,
                value,
                indices,
            } => (
                "insertvalue".to_owned(),
                format!(
                    " {}, {}{}",
                    t(aggregate),
                    t(value),
                    indices_text(function.indices_of(indices))
                ),
            ),
            Inst::ExtractElement { vector, index } => (
                "extractelement".to_owned(),
                format!(" {}, {}", t(vector), v(index)),
            ),
            Inst::InsertElement {
                vector,
                value,
                index,
            } => (
                "insertelement".to_owned(),
                format!(" {}, {}, {}", t(vector), t(value), v(index)),
            ),
            Inst::ShuffleVector { a, b, mask } => (
                "shufflevector".to_owned(),
                format!(" {}, {}, {}", t(a), v(b), v(mask)),
            ),
            Inst::AtomicRmw {
                op,
                pointer,
                value,
                ordering,
                volatile,
            } => (
                format!("atomicrmw {}", lower(op)),
                format!(
                    "{} {}, {} {}",
                    volatile_text(volatile),
                    t(pointer),
                    t(value),
                    lower(ordering)
                ),
            ),
            Inst::CmpXchg {
                pointer,
                compare,
                value,
                ordering,
                volatile,
            } => (
                "cmpxchg".to_owned(),
                format!(
                    "{} {}, {}, {} {}",
                    volatile_text(volatile),
                    t(pointer),
                    t(compare),
                    v(value),
                    lower(ordering)
                ),
            ),
            Inst::Fence { ordering } => ("fence".to_owned(), format!(" {}", lower(ordering))),
            Inst::Ret { value } => (
                "ret".to_owned(),
                value
                    .expand()
                    .map_or_else(String::new, |id| format!(" {}", t(id))),
            ),
            Inst::Br { target } => ("br".to_owned(), format!(" {target}")),
            Inst::CondBr {
                condition,
                if_true,
                if_false,
            } => (
                "br".to_owned(),
                format!(" {}, {if_true}, {if_false}", v(condition)),
            ),
            Inst::Switch {
                value,
                default,
                cases,
            } => {
                let cases: Vec<String> = function
                    .edges_of(cases)
                    .iter()
                    .map(|(value, block)| format!("{}: {block}", v(*value)))
                    .collect();
                (
                    "switch".to_owned(),
                    format!(" {}, default {default} [{}]", t(value), cases.join(", ")),
                )
            }
            Inst::Unreachable => ("unreachable".to_owned(), String::new()),
        }
    }
}

/// LLVM's spelling of a variant: its name in lower case.
fn lower(variant: impl std::fmt::Debug) -> String {
    format!("{variant:?}").to_lowercase()
}

fn fast_math_words(fast_math: FastMath) -> String {
    if fast_math.contains(FastMath::FAST) {
        return " fast".to_owned();
    }
    let words = [
        (FastMath::NO_NANS, " nnan"),
        (FastMath::NO_INFS, " ninf"),
        (FastMath::NO_SIGNED_ZEROS, " nsz"),
        (FastMath::ALLOW_RECIPROCAL, " arcp"),
    ];
    words
        .iter()
        .filter(|(flag, _)| fast_math.contains(*flag))
        .map(|(_, word)| *word)
        .collect()
}

fn align_text(align: u32) -> String {
    match align {
        0 => String::new(),
        align => format!(", align {align}"),
    }
}

fn volatile_text(volatile: bool) -> &'static str {
    if volatile { " volatile" } else { "" }
}

fn indices_text(indices: &[u64]) -> String {
    indices.iter().fold(String::new(), |mut text, index| {
        let _ = write!(text, ", {index}");
        text
    })
}

/// A constant structure of an operation, in the words of its fields.
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

/// Global variables, one line each.
pub(crate) fn globals_text(shader: &Shader) -> String {
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
        let _ = writeln!(
            out,
            "{KEYWORD}{word}{KEYWORD:#} {} = {space}{}{}",
            global_name(module, id),
            type_text(module, global.ty),
            align_text(global.align),
        );
    }
    out
}

/// Global variables as JSON.
pub(crate) fn globals_json(shader: &Shader) -> Value {
    list(shader.module.globals.values(), |global| {
        json!({
            "name": &*global.name,
            "type": type_text(&shader.module, global.ty),
            "address_space": global.address_space,
            "constant": global.is_constant,
            "align": global.align,
        })
    })
}
