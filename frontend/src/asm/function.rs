//! A function's body: its blocks, and the names of values.

use cranelift_entity::packed_option::PackedOption;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

use super::constants::{ConstantTable, Context};
use super::lexer::{Name, TokenKind};
use super::parser::{Parser, text_of};
use super::tables::Tables;
use crate::error::{Error, Result};
use crate::ir::{
    Block, BlockId, CallSite, FuncId, Function, Inst, InstData, InstId, List, MdId, Type, TypeId,
    ValueDef, ValueId,
};
use crate::tables::HashMap;

/// Stands for an instruction that is not read yet.
const AHEAD: u32 = u32::MAX - 1;

/// Reads a body.
pub(super) struct FunctionReader<'m, 't> {
    pub(super) tables: &'m mut Tables,
    pub(super) parser: Parser<'t>,
    /// All values of the function.
    pub(super) table: ConstantTable,
    pub(super) insts: PrimaryMap<InstId, InstData>,
    pub(super) edge_pool: Vec<(ValueId, BlockId)>,
    pub(super) call_sites: Vec<(InstId, CallSite)>,
    blocks: PrimaryMap<BlockId, Block>,
    attachments: Vec<(InstId, u32, MdId)>,
    value_names: Vec<(ValueId, Box<str>)>,
    block_names: Vec<(BlockId, Box<str>)>,
    locals: HashMap<Name, ValueId>,
    /// Values that were used and are not defined yet.
    ahead: HashMap<Name, ValueId>,
    /// Labels in the order in which they are first named; each with its block, once that begins.
    labels: HashMap<Name, BlockId>,
    places: Vec<Option<BlockId>>,
    /// The next number that LLVM gives to a value or block without a name.
    next_number: u32,
    void: TypeId,
    ret: TypeId,
}

impl<'m, 't> FunctionReader<'m, 't> {
    pub(super) fn new(tables: &'m mut Tables, parser: Parser<'t>, first_value: usize) -> Self {
        let void = tables.types.void();
        FunctionReader {
            tables,
            parser,
            table: ConstantTable::new(first_value),
            insts: PrimaryMap::new(),
            edge_pool: Vec::new(),
            call_sites: Vec::new(),
            blocks: PrimaryMap::new(),
            attachments: Vec::new(),
            value_names: Vec::new(),
            block_names: Vec::new(),
            locals: HashMap::default(),
            ahead: HashMap::default(),
            labels: HashMap::default(),
            places: Vec::new(),
            next_number: 0,
            void,
            ret: void,
        }
    }

    /// Reads the body from its brace on. `ty` is the function's type.
    pub(super) fn read(
        mut self,
        id: FuncId,
        ty: TypeId,
        names: Vec<Option<Name>>,
    ) -> Result<Function> {
        let Type::Function { ret, params, .. } = self.tables.types.table.get(ty).clone() else {
            return Err(self.parser.error("a function has no function type"));
        };
        self.ret = ret;
        for ((index, ty), name) in (0..).zip(params.iter()).zip(names) {
            let value = self.table.push(*ty, ValueDef::Argument(index));
            self.name(name, value)?;
        }
        self.parser.expect(b'{')?;
        while !self.parser.take(b'}') {
            self.block()?;
        }
        #[expect(clippy::disallowed_methods, reason = "a minimum")]
        let missing = self.ahead.keys().min();
        if let Some(name) = missing {
            let message = format!("the value {} is not defined", shown(name));
            return Err(self.parser.error(&message));
        }
        let first_value = u32::try_from(self.table.first).unwrap_or(u32::MAX);
        let mut function = Function {
            id,
            first_value,
            values: self.table.values,
            arg_count: u32::try_from(params.len()).unwrap_or(u32::MAX),
            insts: self.insts,
            blocks: self.blocks,
            value_pool: self.table.value_pool,
            edge_pool: self.edge_pool,
            number_pool: self.table.number_pool,
            debug_locs: SecondaryMap::new(),
            call_sites: self.call_sites,
            attachments: self.attachments,
            function_attachments: Vec::new(),
            value_names: self.value_names,
            block_names: self.block_names,
        };
        function.value_names.sort_by_key(|(value, _)| *value);
        function.block_names.sort_by_key(|(block, _)| *block);
        place_blocks(&mut function, &self.places)
            .map_err(|()| self.parser.error("a label has no block"))?;
        Ok(function)
    }

    /// Gives a value its name, or the next number.
    fn name(&mut self, name: Option<Name>, value: ValueId) -> Result<()> {
        let name = match name {
            Some(Name::Text(text)) => {
                self.value_names.push((value, text_of(&text)));
                Name::Text(text)
            }
            Some(Name::Number(number)) if number != self.next_number => {
                let message = format!("%{number} has to be %{}", self.next_number);
                return Err(self.parser.error(&message));
            }
            _ => self.take_number(),
        };
        if self.locals.insert(name, value).is_some() {
            return Err(self.parser.error("a value is defined twice"));
        }
        Ok(())
    }

    fn take_number(&mut self) -> Name {
        let number = self.next_number;
        self.next_number += 1;
        Name::Number(number)
    }

    /// Reads a block with its label, if it has one.
    fn block(&mut self) -> Result<()> {
        let id = self.blocks.next_key();
        let name = match self.parser.peek() {
            Some(TokenKind::Label(text)) => {
                self.parser.at += 1;
                let number: Option<u32> =
                    str::from_utf8(text).ok().and_then(|text| text.parse().ok());
                match number {
                    Some(number) if number == self.next_number => self.take_number(),
                    _ => {
                        self.block_names.push((id, text_of(text)));
                        Name::Text(text.clone())
                    }
                }
            }
            _ => self.take_number(),
        };
        let label = self.label_of(&name);
        match self.places.get_mut(label.index()) {
            Some(place @ None) => *place = Some(id),
            _ => return Err(self.parser.error("a block is defined twice")),
        }
        let first = self.insts.next_key();
        loop {
            if self.instruction()? {
                break;
            }
        }
        let end = self.insts.next_key();
        self.blocks.push(Block { first, end });
        Ok(())
    }

    /// Reads an instruction. Returns whether it ends its block.
    fn instruction(&mut self) -> Result<bool> {
        let name = match self.parser.peek() {
            Some(TokenKind::Local(name)) => {
                self.parser.at += 1;
                self.parser.expect(b'=')?;
                Some(name.clone())
            }
            _ => None,
        };
        let (inst, ty) = self.operation()?;
        let id = self.insts.next_key();
        let mut result = PackedOption::default();
        if ty != self.void {
            // A number that is not written is the next one.
            let name = name.unwrap_or(Name::Number(self.next_number));
            let value = match self.ahead.remove(&name) {
                Some(value) if self.type_of(value)? == ty => value,
                Some(_) => return Err(self.parser.error("a value was used with another type")),
                None => self.table.push(ty, ValueDef::Inst(id)),
            };
            let index = value.index() - self.table.first;
            if let Some(data) = self.table.values.get_mut(index) {
                data.def = ValueDef::Inst(id);
            }
            self.name(Some(name), value)?;
            result = Some(value).into();
        } else if name.is_some() {
            return Err(self
                .parser
                .error("an instruction without result has a name"));
        }
        self.insts.push(InstData { inst, ty, result });
        while self.parser.take(b',') {
            let Some(TokenKind::Metadata(Name::Text(kind))) = self.parser.next() else {
                return Err(self.parser.error("an instruction has too many operands"));
            };
            let node = self.tables.metadata.reference(&mut self.parser)?;
            let node = node.ok_or_else(|| self.parser.error("a metadata node is missing"))?;
            let kind = self.tables.metadata.kind(kind);
            self.attachments.push((id, kind, node));
        }
        Ok(inst.is_terminator())
    }

    /// Takes a comma, unless metadata follows it, which ends the operands.
    pub(super) fn more(&mut self) -> bool {
        let is_metadata = matches!(
            self.parser.peek_at(1),
            Some(TokenKind::Metadata(Name::Text(_)))
        );
        !is_metadata && self.parser.take(b',')
    }

    pub(super) fn comma(&mut self) -> Result<()> {
        self.parser.expect(b',')
    }

    pub(super) fn ty(&mut self) -> Result<TypeId> {
        self.tables.types.parse(&mut self.parser)
    }

    pub(super) fn void(&self) -> TypeId {
        self.void
    }

    /// Returns the type that the function returns.
    pub(super) fn ret(&self) -> TypeId {
        self.ret
    }

    pub(super) fn type_of(&self, id: ValueId) -> Result<TypeId> {
        let index = id.index().checked_sub(self.table.first);
        if let Some(index) = index {
            let data = self.table.values.get(index);
            return data
                .map(|data| data.ty)
                .ok_or_else(|| self.parser.error("no value"));
        }
        // A variable or function.
        #[expect(clippy::disallowed_methods, reason = "a value has one name")]
        let mut globals = self.tables.globals.values();
        let found = globals.find(|(value, _)| *value == id);
        found
            .map(|(_, ty)| *ty)
            .ok_or_else(|| self.parser.error("no value"))
    }

    /// Reads a type and a value of it.
    pub(super) fn typed(&mut self) -> Result<(ValueId, TypeId)> {
        let ty = self.ty()?;
        Ok((self.value(ty)?, ty))
    }

    /// Reads a value.
    pub(super) fn value(&mut self, ty: TypeId) -> Result<ValueId> {
        let Some(TokenKind::Local(name)) = self.parser.peek() else {
            let mut context = Context {
                types: &mut self.tables.types,
                globals: &self.tables.globals,
            };
            return self.table.parse(&mut self.parser, &mut context, ty);
        };
        let known = self.locals.get(name).or_else(|| self.ahead.get(name));
        let id = match known.copied() {
            Some(id) => id,
            None => {
                let ahead = ValueDef::Inst(InstId::from_u32(AHEAD));
                let id = self.table.push(ty, ahead);
                self.ahead.insert(name.clone(), id);
                id
            }
        };
        if self.type_of(id)? != ty {
            let message = format!("the value {} has another type", shown(name));
            return Err(self.parser.error(&message));
        }
        self.parser.at += 1;
        Ok(id)
    }

    /// Reads an argument of type `metadata`.
    pub(super) fn metadata(&mut self, ty: TypeId) -> Result<ValueId> {
        let node = match self.tables.metadata.reference(&mut self.parser)? {
            Some(node) => node,
            None => {
                let (value, _) = self.typed()?;
                let nodes = &mut self.tables.metadata.metadata.nodes;
                nodes.push(crate::ir::MdNode::Value(value))
            }
        };
        Ok(self.table.push(ty, ValueDef::Metadata(node)))
    }

    /// Reads `label %name`.
    pub(super) fn label(&mut self) -> Result<BlockId> {
        self.parser.expect_word("label")?;
        self.block_name()
    }

    /// Reads the name of a block. The id counts labels; it becomes that of the block at the end.
    pub(super) fn block_name(&mut self) -> Result<BlockId> {
        let name = self.parser.local()?;
        Ok(self.label_of(name))
    }

    fn label_of(&mut self, name: &Name) -> BlockId {
        if let Some(label) = self.labels.get(name) {
            return *label;
        }
        let label = BlockId::new(self.places.len());
        self.places.push(None);
        self.labels.insert(name.clone(), label);
        label
    }

    pub(super) fn list(&mut self, values: &[ValueId]) -> List<ValueId> {
        let start = self.table.value_pool.len();
        self.table.value_pool.extend_from_slice(values);
        List::from_range(start..self.table.value_pool.len())
    }

    pub(super) fn edges(&mut self, edges: &[(ValueId, BlockId)]) -> List<(ValueId, BlockId)> {
        let start = self.edge_pool.len();
        self.edge_pool.extend_from_slice(edges);
        List::from_range(start..self.edge_pool.len())
    }

    pub(super) fn unknown(&mut self, word: &str) -> Error {
        self.parser.at -= 1;
        self.parser
            .error(&format!("`{word}` is no instruction of DXIL"))
    }
}

fn shown(name: &Name) -> String {
    match name {
        Name::Number(number) => format!("%{number}"),
        Name::Text(text) => format!("%{}", text_of(text)),
    }
}

/// Replaces labels by blocks.
fn place_blocks(function: &mut Function, places: &[Option<BlockId>]) -> Result<(), ()> {
    let place = |label: &mut BlockId| -> Result<(), ()> {
        *label = places.get(label.index()).copied().flatten().ok_or(())?;
        Ok(())
    };
    for (_, label) in &mut function.edge_pool {
        place(label)?;
    }
    for data in function.insts.values_mut() {
        match &mut data.inst {
            Inst::Br { target } => place(target)?,
            Inst::CondBr {
                if_true, if_false, ..
            } => {
                place(if_true)?;
                place(if_false)?;
            }
            Inst::Switch { default, .. } => place(default)?,
            _ => {}
        }
    }
    Ok(())
}
