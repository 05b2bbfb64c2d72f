//! Tokens to expressions, with the precedence of C.

use super::lexer::{Token, tokens};
use super::{Expression, ExpressionError, Result, problem};
use crate::number::BinaryOp;

/// Deepest nesting of an expression.
const MAX_DEPTH: u32 = 64;

/// Operators by precedence, the weakest first.
const LEVELS: [&[(&str, BinaryOp)]; 10] = [
    &[("||", BinaryOp::LogicalOr)],
    &[("&&", BinaryOp::LogicalAnd)],
    &[("|", BinaryOp::Or)],
    &[("^", BinaryOp::Xor)],
    &[("&", BinaryOp::And)],
    &[("==", BinaryOp::Equal), ("!=", BinaryOp::NotEqual)],
    &[
        ("<", BinaryOp::Less),
        ("<=", BinaryOp::LessEqual),
        (">", BinaryOp::Greater),
        (">=", BinaryOp::GreaterEqual),
    ],
    &[("<<", BinaryOp::Shl), (">>", BinaryOp::Shr)],
    &[("+", BinaryOp::Add), ("-", BinaryOp::Sub)],
    &[
        ("*", BinaryOp::Mul),
        ("/", BinaryOp::Div),
        ("%", BinaryOp::Rem),
    ],
];

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
}

/// Reads an expression.
///
/// # Errors
///
/// What is wrong with the text.
pub fn parse(text: &str) -> Result<Expression, ExpressionError> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        at: 0,
        depth: 0,
    };
    let expression = parser.choice()?;
    match parser.tokens.get(parser.at) {
        None => Ok(expression),
        Some(token) => problem(format!("unexpected {}", shown(token))),
    }
}

fn shown(token: &Token) -> String {
    match token {
        Token::Number(number) => number.to_string(),
        Token::Name(name) => name.clone(),
        Token::Register(name) => format!("%{name}"),
        Token::Sign(sign) => (*sign).to_owned(),
    }
}

impl Parser {
    fn takes(&mut self, sign: &str) -> bool {
        let is_it = matches!(self.tokens.get(self.at), Some(Token::Sign(s)) if *s == sign);
        self.at += usize::from(is_it);
        is_it
    }

    fn needs(&mut self, sign: &str) -> Result<()> {
        if self.takes(sign) {
            return Ok(());
        }
        match self.tokens.get(self.at) {
            Some(token) => problem(format!("expected {sign}, not {}", shown(token))),
            None => problem(format!("expected {sign} at the end")),
        }
    }

    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth >= MAX_DEPTH {
            return problem("the expression nests too deeply");
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn choice(&mut self) -> Result<Expression, ExpressionError> {
        self.deeper(|parser| {
            let condition = parser.binary(0)?;
            if !parser.takes("?") {
                return Ok(condition);
            }
            let first = parser.choice()?;
            parser.needs(":")?;
            let second = parser.choice()?;
            Ok(Expression::Choice(Box::new([condition, first, second])))
        })
    }

    fn binary(&mut self, level: usize) -> Result<Expression, ExpressionError> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.binary(level + 1)?;
        loop {
            let found = match self.tokens.get(self.at) {
                Some(Token::Sign(sign)) => operators.iter().find(|(known, _)| known == sign),
                _ => None,
            };
            let Some(&(_, op)) = found else {
                return Ok(left);
            };
            self.at += 1;
            let right = self.binary(level + 1)?;
            left = Expression::Binary(op, Box::new(left), Box::new(right));
        }
    }

    fn unary(&mut self) -> Result<Expression, ExpressionError> {
        for (sign, op) in [("-", '-'), ("!", '!'), ("~", '~')] {
            if self.takes(sign) {
                let operand = self.deeper(Parser::unary)?;
                return Ok(Expression::Unary(op, Box::new(operand)));
            }
        }
        if self.takes("+") {
            return self.deeper(Parser::unary);
        }
        self.postfix()
    }

    fn postfix(&mut self) -> Result<Expression, ExpressionError> {
        let mut expression = self.primary()?;
        loop {
            if self.takes("[") {
                let mut indices = vec![self.choice()?];
                while self.takes(",") {
                    indices.push(self.choice()?);
                }
                self.needs("]")?;
                expression = Expression::Index(Box::new(expression), indices);
            } else if self.takes(".") {
                let name = match self.tokens.get(self.at) {
                    Some(Token::Name(name)) => name.clone(),
                    _ => return problem("a name is missing behind the point"),
                };
                self.at += 1;
                expression = Expression::Member(Box::new(expression), name);
            } else {
                return Ok(expression);
            }
        }
    }

    fn primary(&mut self) -> Result<Expression, ExpressionError> {
        let Some(token) = self.tokens.get(self.at).cloned() else {
            return problem("an operand is missing at the end");
        };
        self.at += 1;
        match token {
            Token::Number(number) => Ok(Expression::Number(number)),
            Token::Register(name) => Ok(Expression::Register(name)),
            Token::Name(name) => {
                if !self.takes("(") {
                    return Ok(Expression::Name(name));
                }
                let mut arguments = Vec::new();
                if !self.takes(")") {
                    arguments.push(self.choice()?);
                    while self.takes(",") {
                        arguments.push(self.choice()?);
                    }
                    self.needs(")")?;
                }
                Ok(Expression::Call(name, arguments))
            }
            Token::Sign("(") => {
                // A cast, like `(float)i`.
                let cast = match (self.tokens.get(self.at), self.tokens.get(self.at + 1)) {
                    (Some(Token::Name(name)), Some(Token::Sign(")"))) => {
                        crate::number::ScalarKind::named(name).map(|_| name.clone())
                    }
                    _ => None,
                };
                if let Some(name) = cast {
                    self.at += 2;
                    let operand = self.deeper(Parser::unary)?;
                    return Ok(Expression::Call(name, vec![operand]));
                }
                let inner = self.choice()?;
                self.needs(")")?;
                Ok(inner)
            }
            Token::Sign(sign) => problem(format!("unexpected {sign}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Number;

    #[test]
    fn operators_bind_as_in_c() {
        let number = |n| Box::new(Expression::Number(Number::int(n)));
        let product = Expression::Binary(BinaryOp::Mul, number(2), number(3));
        let sum = Expression::Binary(BinaryOp::Add, number(1), Box::new(product));
        assert_eq!(parse("1 + 2*3"), Ok(sum));
        let member = |inner, name: &str| Expression::Member(Box::new(inner), name.to_owned());
        let index = Expression::Index(Box::new(Expression::Name("In".into())), vec![*number(3)]);
        assert_eq!(
            parse("In[3].position.x"),
            Ok(member(member(index, "position"), "x"))
        );
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, wrong) in [
            ("1 +", "an operand is missing at the end"),
            ("(1", "expected ) at the end"),
            ("a b", "unexpected b"),
            ("a #", "unexpected '#'"),
            ("v.", "a name is missing behind the point"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), wrong, "{text}");
        }
        let deep = "(".repeat(1000);
        assert_eq!(
            parse(&deep).unwrap_err().to_string(),
            "the expression nests too deeply"
        );
        let signs = "-".repeat(2000);
        assert!(parse(&signs).is_err());
    }
}
