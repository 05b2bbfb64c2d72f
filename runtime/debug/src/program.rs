//! The code that is debugged: the place in the source that each instruction comes from.

use dxil_cpu::Kernel;
use dxil_frontend::dxil::debug::{DebugInfo, Sources};
use dxil_frontend::dxil::ops::{Opcode, classify_callees, decode_opcode, op_arguments};
use dxil_frontend::dxil::{Shader, plain_name};
use dxil_frontend::ir::print::{Annotate, function_text};
use dxil_frontend::ir::{DebugLoc, FuncId, FuncView, Inst, InstId, MdId, Module};
use dxil_frontend::reflection::Reflection;
use dxil_frontend::tables::HashMap;

use crate::lanes::Lanes;

/// Number of a [`Site`] that does not exist.
const NOWHERE: u32 = u32::MAX;

/// A file with code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Name, as the compiler was given it.
    pub name: String,
    /// Text, where the shader or its PDB file has it.
    pub text: Option<String>,
}

/// A place in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Site {
    /// Number of the file.
    pub file: u32,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 is unknown.
    pub column: u32,
    /// The scope of its names.
    pub scope: Option<MdId>,
    /// The location that its function was inlined at.
    pub inlined_at: Option<MdId>,
    /// Number of functions that were inlined into each other here.
    pub inlined: u32,
    /// Number of the line in this call: lines are equal if file, line, function and the place that
    /// it was inlined at are.
    pub key: u32,
}

/// The code that is debugged.
pub struct Program<'a> {
    /// The shader.
    pub shader: &'a Shader,
    /// Names and layouts of its resources.
    pub reflection: &'a Reflection,
    /// Its debug information.
    pub debug: Option<DebugInfo<'a>>,
    /// What the lanes of the wave are.
    pub lanes: Lanes,
    /// The groups of the dispatch, where that is known: others cannot be chosen.
    pub groups: Option<[u32; 3]>,
    /// Files; the main one comes first.
    pub files: Vec<SourceFile>,
    /// The functions that are executed, the entry point first.
    order: Vec<FuncId>,
    /// Lines of the listing of each function, by instruction.
    listing: HashMap<FuncId, Vec<u32>>,
    /// The calls of operations, by function.
    operations: HashMap<FuncId, Vec<(InstId, Opcode)>>,
    sites: Vec<Site>,
    /// The site of each instruction of each function that is executed.
    functions: HashMap<FuncId, Vec<u32>>,
    /// Number of the listing among the files.
    listing_file: u32,
}

/// Numbers instructions in a listing.
struct Numbers;

impl Annotate for Numbers {
    fn comment(&self, _view: FuncView<'_>, inst: InstId) -> Option<String> {
        Some(format!("#{}", inst.as_u32()))
    }
}

/// Finds sites, each once.
#[derive(Default)]
struct Sites {
    sites: Vec<Site>,
    by_location: HashMap<DebugLoc, u32>,
    keys: HashMap<(u32, u32, Option<MdId>, Option<MdId>), u32>,
}

/// Returns the calls of operations of all functions that a kernel executes, in order.
fn operations_of(module: &Module, kernel: &Kernel) -> HashMap<FuncId, Vec<(InstId, Opcode)>> {
    // A module that was decoded has right declarations.
    let callees = classify_callees(module).unwrap_or_default();
    let of_function = |function: FuncId| {
        let view = FuncView {
            module,
            function: module.body(function)?,
        };
        let insts = view.function.insts.iter();
        let all = insts.filter_map(|(inst, data)| {
            let arguments = op_arguments(view, &callees, &data.inst)?;
            Some((inst, decode_opcode(view, arguments).ok()?))
        });
        Some((function, all.collect()))
    };
    kernel.watched_functions().filter_map(of_function).collect()
}

/// Returns whether an instruction is no code of its line: one that makes the handle of a resource,
/// which DXC puts at the start of the function with the line of a use, and one that only tells
/// where a variable is.
fn has_no_line(view: FuncView<'_>, inst: InstId) -> bool {
    let data = view.function.insts.get(inst);
    let Some(Inst::Call { callee, .. }) = data.map(|data| data.inst) else {
        return false;
    };
    let decl = view
        .as_function(callee)
        .and_then(|callee| view.module.functions.get(callee));
    decl.is_some_and(|decl| {
        let starts = ["dx.op.createHandle", "dx.op.annotateHandle", "llvm.dbg."];
        starts.iter().any(|start| decl.name.starts_with(start))
    })
}

impl<'a> Program<'a> {
    /// Reads the places of all instructions that a kernel executes. `sources` are texts of files
    /// besides those that the shader itself holds.
    pub fn new(
        shader: &'a Shader,
        reflection: &'a Reflection,
        kernel: &Kernel,
        sources: Sources,
    ) -> Program<'a> {
        let module = &shader.module;
        let own = Sources::of_module(module);
        let sources = if own.files.is_empty() { sources } else { own };
        let debug = DebugInfo::of(module);
        let mut program = Program {
            shader,
            reflection,
            debug,
            lanes: Lanes::Threads,
            groups: None,
            files: Vec::new(),
            order: kernel.watched_functions().collect(),
            listing: HashMap::default(),
            operations: operations_of(module, kernel),
            sites: Vec::new(),
            functions: HashMap::default(),
            listing_file: 0,
        };
        let main = sources.main.as_deref();
        let main = main.or_else(|| debug?.main_file().map(|file| file.name));
        if let Some(main) = main {
            program.file(main, &sources);
        }
        for file in &sources.files {
            program.file(&file.name, &sources);
        }
        let mut sites = Sites::default();
        let functions = program.order.clone();
        let mut has_lines = false;
        for &function in &functions {
            let Some(body) = module.body(function) else {
                continue;
            };
            let view = FuncView {
                module,
                function: body,
            };
            let numbers = body.insts.keys().map(|inst| {
                if has_no_line(view, inst) {
                    return NOWHERE;
                }
                let location = body.debug_locs.get(inst).copied().flatten();
                location.map_or(NOWHERE, |location| {
                    program.site_of(&mut sites, &location, &sources)
                })
            });
            let numbers: Vec<u32> = numbers.collect();
            has_lines |= numbers.iter().any(|number| *number != NOWHERE);
            program.functions.insert(function, numbers);
        }
        program.list(&functions);
        if !has_lines {
            program.debug = None;
            sites = Sites::default();
            for &function in &functions {
                let lines = program.listing.get(&function).cloned().unwrap_or_default();
                let numbers = lines.iter().map(|&line| {
                    if line == 0 {
                        return NOWHERE;
                    }
                    let (number, key) = (sites.sites.len() as u32, line);
                    sites.sites.push(Site {
                        file: program.listing_file,
                        line,
                        column: 0,
                        scope: None,
                        inlined_at: None,
                        inlined: 1,
                        key,
                    });
                    number
                });
                program.functions.insert(function, numbers.collect());
            }
        }
        program.sites = sites.sites;
        program
    }

    /// Returns the number of a file.
    fn file(&mut self, name: &str, sources: &Sources) -> u32 {
        let known = self.files.iter().position(|file| file.name == name);
        known.unwrap_or_else(|| {
            self.files.push(SourceFile {
                name: name.to_owned(),
                text: sources.text(name).map(str::to_owned),
            });
            self.files.len() - 1
        }) as u32
    }

    fn site_of(&mut self, sites: &mut Sites, location: &DebugLoc, sources: &Sources) -> u32 {
        if let Some(&known) = sites.by_location.get(location) {
            return known;
        }
        let number = self.new_site(sites, location, sources).unwrap_or(NOWHERE);
        sites.by_location.insert(*location, number);
        number
    }

    fn new_site(
        &mut self,
        sites: &mut Sites,
        location: &DebugLoc,
        sources: &Sources,
    ) -> Option<u32> {
        let debug = self.debug?;
        let position = debug.position(location)?;
        let file = self.file(position.file, sources);
        let function = debug.function_of(location.scope?).map(|(id, _)| id);
        let key = (file, position.line, function, location.inlined_at);
        let next = sites.keys.len() as u32;
        let key = *sites.keys.entry(key).or_insert(next);
        sites.sites.push(Site {
            file,
            line: position.line,
            column: position.column,
            scope: location.scope,
            inlined_at: location.inlined_at,
            inlined: 1 + debug.inlined_at(location).count() as u32,
            key,
        });
        Some(sites.sites.len() as u32 - 1)
    }

    /// Makes the listing of the functions, which is the source of those without one.
    fn list(&mut self, functions: &[FuncId]) {
        let module = &self.shader.module;
        let mut text = String::new();
        let mut line = 1;
        for &function in functions {
            let count = module.body(function).map_or(0, |body| body.insts.len());
            let mut lines = vec![0; count];
            for row in function_text(module, function, &Numbers).lines() {
                // The comment with the number is followed by others.
                let number = row.rsplit_once("; #").map(|(_, behind)| {
                    let end = behind.find(|c: char| !c.is_ascii_digit());
                    behind
                        .get(..end.unwrap_or(behind.len()))
                        .unwrap_or_default()
                });
                let number = number.and_then(|number| number.parse::<usize>().ok());
                if let Some(place) = number.and_then(|number| lines.get_mut(number)) {
                    *place = line;
                }
                text.push_str(row);
                text.push('\n');
                line += 1;
            }
            text.push('\n');
            line += 1;
            self.listing.insert(function, lines);
        }
        self.files.push(SourceFile {
            name: "disassembly.ll".to_owned(),
            text: Some(text),
        });
        self.listing_file = self.files.len() as u32 - 1;
    }

    /// Returns the place of an instruction, if it has one.
    pub fn site(&self, function: FuncId, inst: InstId) -> Option<&Site> {
        let sites = self.functions.get(&function)?;
        let number = *sites.get(inst.as_u32() as usize)?;
        self.sites.get(number as usize)
    }

    /// Returns the place of an instruction, or else of the next one of its block that has any, or
    /// of the one before.
    pub fn site_near(&self, function: FuncId, inst: InstId) -> Option<&Site> {
        let body = self.shader.module.body(function)?;
        let block = body
            .blocks
            .values()
            .find(|block| block.first <= inst && inst < block.end)?;
        let after = (inst.as_u32()..block.end.as_u32()).map(InstId::from_u32);
        let before = (block.first.as_u32()..inst.as_u32()).rev();
        let before = before.map(InstId::from_u32);
        after
            .chain(before)
            .find_map(|inst| self.site(function, inst))
    }

    /// Returns the operation that an instruction calls.
    pub fn operation(&self, function: FuncId, inst: InstId) -> Option<Opcode> {
        let all = self.operations.get(&function)?;
        let at = all.binary_search_by_key(&inst, |(inst, _)| *inst).ok()?;
        all.get(at).map(|(_, opcode)| *opcode)
    }

    /// Returns the operations of a name, as DXIL or HLSL has it, that the code calls.
    pub fn operations_named(&self, name: &str) -> Vec<Opcode> {
        let is_named = |opcode: &Opcode| {
            let names = [opcode.name(), opcode.row().hlsl];
            names.iter().any(|own| own.eq_ignore_ascii_case(name))
        };
        let functions = self.order.iter();
        let calls = functions.filter_map(|function| self.operations.get(function));
        let all = calls.flatten().map(|(_, opcode)| *opcode);
        let mut all: Vec<Opcode> = all.filter(is_named).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns all places with code.
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// Returns the line of an instruction in the listing.
    pub fn listing_line(&self, function: FuncId, inst: InstId) -> Option<u32> {
        let lines = self.listing.get(&function)?;
        let line = lines.get(inst.as_u32() as usize).copied();
        line.filter(|line| *line > 0)
    }

    /// Returns the number of the listing among the files.
    pub fn listing_file(&self) -> u32 {
        self.listing_file
    }

    /// Returns the instruction in a line of the listing.
    pub fn listed(&self, line: u32) -> Option<(FuncId, InstId)> {
        self.order.iter().find_map(|&function| {
            let lines = self.listing.get(&function)?;
            let inst = lines.iter().position(|known| *known == line)?;
            Some((function, InstId::from_u32(inst as u32)))
        })
    }

    /// Returns the file that a path names: the one of that name, or the only one whose name has the
    /// same end.
    pub fn file_named(&self, path: &str) -> Option<u32> {
        let normal = |name: &str| name.replace('\\', "/");
        let wanted = normal(path);
        let exact = self.files.iter().position(|f| normal(&f.name) == wanted);
        if let Some(at) = exact {
            return Some(at as u32);
        }
        let last = |name: &str| normal(name).rsplit('/').next().map(str::to_owned);
        let files = self.files.iter().enumerate();
        let mut alike = files.filter(|(_, file)| last(&file.name) == last(path));
        match (alike.next(), alike.next()) {
            (Some((at, _)), None) => Some(at as u32),
            _ => None,
        }
    }

    /// Returns the lines with code that a line stands for: itself, or else the next one of its file
    /// that has code.
    pub fn line_with_code(&self, file: u32, line: u32) -> Option<u32> {
        let lines = self.sites.iter().filter(|site| site.file == file);
        lines
            .map(|site| site.line)
            .filter(|known| *known >= line)
            .min()
    }

    /// Returns the text of a line.
    pub fn line_text(&self, file: u32, line: u32) -> Option<&str> {
        let text = self.files.get(file as usize)?.text.as_ref()?;
        text.lines().nth(line.checked_sub(1)? as usize)
    }

    /// Returns the instruction with a number in the listing; the entry point's where several
    /// functions have it.
    pub fn instruction(&self, number: u32) -> Option<(FuncId, InstId)> {
        let inst = InstId::from_u32(number);
        let has_it = |function: &&FuncId| self.listing_line(**function, inst).is_some();
        self.order
            .iter()
            .find(has_it)
            .map(|function| (*function, inst))
    }

    /// Returns whether code comes from a function of that name.
    pub fn has_function(&self, name: &str) -> bool {
        let Some(debug) = self.debug else {
            let mut functions = self.order.iter();
            return functions.any(|function| self.function_name(*function) == name);
        };
        self.sites.iter().any(|site| {
            let function = site.scope.and_then(|scope| debug.function_of(scope));
            function.is_some_and(|(_, function)| function.name == name)
        })
    }

    /// Returns the name of a function of the module.
    pub fn function_name(&self, function: FuncId) -> &str {
        let decl = self.shader.module.functions.get(function);
        decl.map_or("", |decl| plain_name(&decl.name))
    }
}
