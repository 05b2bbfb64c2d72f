//! The module: where its entities are, and the order in which they are read.

use cranelift_entity::EntityRef;

use super::attributes::{Attributes, Slots, convention, slot};
use super::constants::{ConstantTable, Context};
use super::function::FunctionReader;
use super::lexer::{Name, Token, TokenKind};
use super::names;
use super::parser::{Parser, text_of};
use super::tables::Tables;
use super::types::address_space;
use crate::error::Result;
use crate::ir::{
    Attribute, FuncId, FunctionDecl, Global, GlobalId, Linkage, Module, Type, TypeId, TypeList,
    ValueDef, ValueId,
};

/// Places of entities among the tokens. What one refers to may come later in the text.
#[derive(Default)]
struct Places<'t> {
    targets: Vec<usize>,
    types: Vec<(&'t Name, usize)>,
    attributes: Vec<usize>,
    globals: Vec<usize>,
    /// Functions, and whether each has a body.
    functions: Vec<(usize, bool)>,
    nodes: Vec<(&'t Name, usize)>,
}

/// A function's header.
struct Header {
    name: Name,
    decl: FunctionDecl,
    params: Vec<Option<Name>>,
}

/// Returns the module that tokens describe; its ids need not be in the order of bitcode.
pub(super) fn parse(tokens: &[Token]) -> Result<Module> {
    let places = find(tokens)?;
    let at = |at: usize| Parser { tokens, at };
    let mut module = Module::default();
    let mut tables = Tables::default();
    for place in &places.targets {
        target(&mut at(*place), &mut module)?;
    }
    for place in &places.attributes {
        tables.attributes.definition(&mut at(*place))?;
    }
    for (name, place) in &places.types {
        tables.types.definition(&mut at(*place), name)?;
    }
    tables.types.sort();
    let mut table = ConstantTable::new(0);
    let mut initializers = Vec::new();
    for place in &places.globals {
        let mut parser = at(*place);
        let id = global(&mut parser, &mut module, &mut tables, &mut table)?;
        initializers.push((id, parser.at));
    }
    let mut bodies = Vec::new();
    for (place, has_body) in &places.functions {
        let mut parser = at(*place);
        let header = header(&mut parser, &mut tables)?;
        let named = (header.name, header.decl);
        let id = declare(&parser, named, &mut module, &mut tables, &mut table)?;
        if *has_body {
            bodies.push((id, header.params, parser.at));
        }
    }
    constants(
        tokens,
        &places,
        &initializers,
        &mut module,
        &mut tables,
        &mut table,
    )?;
    let first_value = table.values.len();
    module.values = table.values;
    module.value_pool = table.value_pool;
    module.number_pool = table.number_pool;
    for (id, params, place) in bodies {
        let ty = module
            .functions
            .get(id)
            .map_or(TypeId::new(0), |decl| decl.ty);
        let reader = FunctionReader::new(&mut tables, at(place), first_value);
        let body = reader.read(id, ty, params)?;
        let index = u32::try_from(module.bodies.len()).unwrap_or(u32::MAX);
        module.bodies.push(body);
        if let Some(decl) = module.functions.get_mut(id) {
            decl.body = Some(index);
        }
    }
    module.types = tables.types.table;
    module.metadata = tables.metadata.metadata;
    tables.attributes.finish(&mut module);
    Ok(module)
}

/// Finds the entities: what begins one lies outside of all brackets.
fn find(tokens: &[Token]) -> Result<Places<'_>> {
    let mut places = Places::default();
    let mut parser = Parser { tokens, at: 0 };
    while let Some(token) = parser.peek() {
        let is_definition = parser.peek_at(1) == Some(&TokenKind::Punct(b'='));
        let content = parser.at + 2;
        match token {
            TokenKind::Local(name) if is_definition => places.types.push((name, content)),
            TokenKind::Global(_) if is_definition => places.globals.push(parser.at),
            TokenKind::Metadata(name) if is_definition => places.nodes.push((name, content)),
            TokenKind::Word(word) => match &**word {
                "target" => places.targets.push(parser.at + 1),
                "define" | "declare" => {
                    places.functions.push((parser.at + 1, &**word == "define"));
                }
                "attributes" => places.attributes.push(parser.at + 1),
                // LLVM's later versions write the name of the source; DXIL keeps none.
                "source_filename" => {}
                _ if begins_line(tokens, parser.at) => {
                    let what = format!("`{word}` begins nothing");
                    return Err(parser.error(&what));
                }
                _ => {}
            },
            TokenKind::Punct(b'{' | b'(' | b'[') => {
                parser.skip_brackets()?;
                continue;
            }
            _ => {}
        }
        parser.at += 1;
    }
    Ok(places)
}

/// Returns whether a token is the first of its line and does not go on with what stands before it.
fn begins_line(tokens: &[Token], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).and_then(|before| tokens.get(before)) else {
        return true;
    };
    let goes_on = matches!(before.kind, TokenKind::Punct(b'=' | b','));
    !goes_on
        && tokens
            .get(at)
            .is_some_and(|token| token.line != before.line)
}

/// Reads a line such as `target triple = "..."` behind its first word.
fn target(parser: &mut Parser<'_>, module: &mut Module) -> Result<()> {
    let what = parser.word()?;
    parser.expect(b'=')?;
    let text = text_of(parser.text()?);
    match what {
        "datalayout" => module.data_layout = text,
        "triple" => module.triple = text,
        _ => return Err(parser.error("a target has a data layout and a triple")),
    }
    Ok(())
}

/// Reads initial values and metadata.
fn constants(
    tokens: &[Token],
    places: &Places<'_>,
    initializers: &[(GlobalId, usize)],
    module: &mut Module,
    tables: &mut Tables,
    table: &mut ConstantTable,
) -> Result<()> {
    let at = |at: usize| Parser { tokens, at };
    let mut context = Context {
        types: &mut tables.types,
        globals: &tables.globals,
    };
    for (id, place) in initializers {
        let mut parser = at(*place);
        let Some(global) = module.globals.get_mut(*id) else {
            continue;
        };
        let is_declared = matches!(
            parser.peek(),
            None | Some(TokenKind::Global(_) | TokenKind::Local(_) | TokenKind::Metadata(_))
        ) && parser.peek_at(1) == Some(&TokenKind::Punct(b'='));
        let begins_entity = matches!(
            parser.peek_word(),
            Some("define" | "declare" | "attributes" | "target")
        );
        let has_value = parser.peek().is_some() && !is_declared && !begins_entity;
        if has_value && !parser.is_punct(b',') {
            global.initializer = Some(table.parse(&mut parser, &mut context, global.ty)?);
        }
        if parser.take(b',') {
            parser.expect_word("align")?;
            global.align = parser.number("an alignment")?;
        }
    }
    // Nodes may name each other, so all are known before the first is read.
    for (name, place) in &places.nodes {
        if let Name::Number(number) = name
            && !tables.metadata.announce(*number)
        {
            return Err(at(*place).error(&format!("the node !{number} is defined twice")));
        }
    }
    for (name, place) in &places.nodes {
        let parser = &mut at(*place);
        match name {
            Name::Number(number) => tables.metadata.node(parser, *number, table, &mut context)?,
            Name::Text(name) => tables.metadata.named(parser, name, table, &mut context)?,
        }
    }
    Ok(())
}

/// Reads a variable up to its initial value.
fn global(
    parser: &mut Parser<'_>,
    module: &mut Module,
    tables: &mut Tables,
    table: &mut ConstantTable,
) -> Result<GlobalId> {
    let name = parser.global()?;
    parser.expect(b'=')?;
    let mut linkage = Linkage::External;
    while let Some(word) = parser.peek_word()
        && let Some(named) = names::linkage(word)
    {
        linkage = named;
        parser.at += 1;
    }
    let unnamed_addr = parser.take_word("unnamed_addr");
    let space = match parser.peek_word() {
        Some("addrspace") => address_space(parser)?,
        _ => 0,
    };
    let is_constant = match parser.word()? {
        "constant" => true,
        "global" => false,
        _ => return Err(parser.error("a variable is `global` or `constant`")),
    };
    let ty = tables.types.parse(parser)?;
    let pointer = tables.types.pointer(ty, space);
    let id = module.globals.next_key();
    let value = table.push(pointer, ValueDef::Global(id));
    if tables
        .globals
        .insert(name.clone(), (value, pointer))
        .is_some()
    {
        return Err(parser.error("a name is defined twice"));
    }
    module.globals.push(Global {
        name: plain(name),
        ty,
        address_space: space,
        is_constant,
        initializer: None,
        align: 0,
        linkage,
        unnamed_addr,
        value,
    });
    Ok(id)
}

/// Returns a name as text; one that is a number has none.
fn plain(name: &Name) -> Box<str> {
    match name {
        Name::Text(text) => text_of(text),
        Name::Number(_) => Box::default(),
    }
}

/// Reads a function's header after `define` or `declare`.
fn header(parser: &mut Parser<'_>, tables: &mut Tables) -> Result<Header> {
    let mut linkage = Linkage::External;
    if let Some(named) = parser.peek_word().and_then(names::linkage) {
        linkage = named;
        parser.at += 1;
    }
    let convention = convention(parser);
    let mut slots: Slots = vec![(0, Attributes::beside(parser)?)];
    let ret = tables.types.parse(parser)?;
    let name = parser.global()?;
    let mut types = TypeList::new();
    let mut params = Vec::new();
    let mut vararg = false;
    parser.expect(b'(')?;
    parser.list(b')', |parser| {
        if parser.take_word("...") {
            vararg = true;
            return Ok(());
        }
        types.push(tables.types.parse(parser)?);
        let attributes: Vec<Attribute> = Attributes::beside(parser)?;
        slots.push((slot(types.len() - 1), attributes));
        params.push(match parser.peek() {
            Some(TokenKind::Local(_)) => Some(parser.local()?.clone()),
            _ => None,
        });
        Ok(())
    })?;
    parser.take_word("unnamed_addr");
    tables.attributes.of_function(parser, &mut slots)?;
    let ty = tables.types.intern(Type::Function {
        ret,
        params: types,
        vararg,
    });
    Ok(Header {
        name: name.clone(),
        decl: FunctionDecl {
            name: plain(name),
            ty,
            body: None,
            attributes: tables.attributes.set(slots),
            convention,
            linkage,
            // Its value gets its id when it is declared.
            value: ValueId::new(0),
        },
        params,
    })
}

fn declare(
    parser: &Parser<'_>,
    (name, decl): (Name, FunctionDecl),
    module: &mut Module,
    tables: &mut Tables,
    table: &mut ConstantTable,
) -> Result<FuncId> {
    let pointer = tables.types.pointer(decl.ty, 0);
    let id = module.functions.next_key();
    let value = table.push(pointer, ValueDef::Function(id));
    if tables.globals.insert(name, (value, pointer)).is_some() {
        return Err(parser.error("a name is defined twice"));
    }
    module.functions.push(FunctionDecl { value, ..decl });
    Ok(id)
}
