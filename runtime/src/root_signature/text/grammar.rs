//! The text of a root signature as a tree of calls, whatever their names.

use winnow::ascii::float;
use winnow::combinator::{alt, cut_err, delimited, opt, peek, preceded, repeat, separated};
use winnow::error::{ContextError, StrContext, StrContextValue};
use winnow::prelude::*;
use winnow::stream::LocatingSlice;
use winnow::token::take_while;

/// `Name(argument, ...)`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call<'a> {
    pub(super) offset: usize,
    pub(super) name: &'a str,
    pub(super) arguments: Vec<Argument<'a>>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Argument<'a> {
    /// A range of a table.
    Call(Call<'a>),
    /// `key = value`, or a value alone.
    Value {
        offset: usize,
        key: Option<&'a str>,
        value: FieldValue<'a>,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum FieldValue<'a> {
    Number(f64),
    /// Words with `|` between them; one is the usual case.
    Words(Vec<&'a str>),
}

pub(super) type Input<'a> = LocatingSlice<&'a str>;
pub(super) type Parsed<T> = winnow::Result<T, winnow::error::ErrMode<ContextError>>;

fn blank<'a>(input: &mut Input<'a>) -> Parsed<&'a str> {
    take_while(0.., |c: char| c.is_whitespace() || c == '"' || c == '\\').parse_next(input)
}

fn symbol<'a>(
    text: &'static str,
) -> impl Parser<Input<'a>, &'a str, winnow::error::ErrMode<ContextError>> {
    delimited(blank, text, blank)
        .context(StrContext::Expected(StrContextValue::StringLiteral(text)))
}

fn word<'a>(input: &mut Input<'a>) -> Parsed<&'a str> {
    let start = |c: char| c.is_ascii_alphabetic() || c == '_';
    let rest = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (take_while(1, start), take_while(0.., rest))
        .take()
        .parse_next(input)
}

pub(super) fn root<'a>(input: &mut Input<'a>) -> Parsed<Vec<Call<'a>>> {
    let calls = separated(0.., call, symbol(","));
    delimited(blank, calls, (opt(symbol(",")), blank)).parse_next(input)
}

fn call<'a>(input: &mut Input<'a>) -> Parsed<Call<'a>> {
    let (name, span) = word.with_span().parse_next(input)?;
    symbol("(").parse_next(input)?;
    let none = peek(")").map(|_| Vec::new());
    // After a parenthesis nothing else can match, so errors are final there (`cut_err`): they
    // point at the argument that is wrong and not at the call.
    let some = separated(1.., cut_err(argument), symbol(","));
    let arguments = alt((none, some)).parse_next(input)?;
    cut_err(preceded(blank, ")"))
        .context(StrContext::Expected(StrContextValue::StringLiteral(")")))
        .parse_next(input)?;
    Ok(Call {
        offset: span.start,
        name,
        arguments,
    })
}

fn argument<'a>(input: &mut Input<'a>) -> Parsed<Argument<'a>> {
    let keyed = (opt((word, symbol("=")).map(|(key, _)| key)), value).with_span();
    let plain = keyed.map(|((key, value), span)| Argument::Value {
        offset: span.start,
        key,
        value,
    });
    alt((call.map(Argument::Call), plain))
        .context(StrContext::Expected(StrContextValue::Description(
            "an argument",
        )))
        .parse_next(input)
}

fn value<'a>(input: &mut Input<'a>) -> Parsed<FieldValue<'a>> {
    let number =
        (float::<_, f64, _>, opt(alt(("f", "F")))).map(|(number, _)| FieldValue::Number(number));
    let words =
        (word, repeat(0.., preceded(symbol("|"), word))).map(|(first, rest): (_, Vec<_>)| {
            let mut words = vec![first];
            words.extend(rest);
            FieldValue::Words(words)
        });
    // Words first: the number parser would take `inf` and `nan`, which are words here.
    alt((words, number)).parse_next(input)
}
