//! Registers.

use std::fmt;
use std::str::FromStr;

use dxil_frontend::dxil::ResourceClass;

/// A register: class, space and index, like `t3,space1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Register {
    /// The letter.
    pub class: ResourceClass,
    /// Register space.
    pub space: u32,
    /// Register number.
    pub index: u32,
}

impl Register {
    /// Returns a register of space 0.
    pub fn new(class: ResourceClass, index: u32) -> Self {
        Register {
            class,
            space: 0,
            index,
        }
    }

    /// Returns `t{index}`.
    pub fn srv(index: u32) -> Self {
        Register::new(ResourceClass::Srv, index)
    }

    /// Returns `u{index}`.
    pub fn uav(index: u32) -> Self {
        Register::new(ResourceClass::Uav, index)
    }

    /// Returns `b{index}`.
    pub fn cbv(index: u32) -> Self {
        Register::new(ResourceClass::Cbv, index)
    }

    /// Returns `s{index}`.
    pub fn sampler(index: u32) -> Self {
        Register::new(ResourceClass::Sampler, index)
    }

    /// Returns the same register in another space.
    #[must_use]
    pub fn in_space(mut self, space: u32) -> Self {
        self.space = space;
        self
    }
}

impl fmt::Display for Register {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.class.letter(), self.index)?;
        if self.space != 0 {
            write!(f, ",space{}", self.space)?;
        }
        Ok(())
    }
}

/// A text that is not a register.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a register; write t0, u1, b2 or s3, with `,space1` for another space")]
pub struct BadRegister(pub String);

impl FromStr for Register {
    type Err = BadRegister;

    fn from_str(text: &str) -> Result<Self, BadRegister> {
        let bad = || BadRegister(text.to_owned());
        let (register, space) = match text.split_once(',') {
            Some((register, space)) => {
                let space = space.trim().strip_prefix("space").ok_or_else(bad)?;
                (register.trim(), space.parse().map_err(|_| bad())?)
            }
            None => (text.trim(), 0),
        };
        let mut chars = register.chars();
        let class = match chars.next() {
            Some('t' | 'T') => ResourceClass::Srv,
            Some('u' | 'U') => ResourceClass::Uav,
            Some('b' | 'B') => ResourceClass::Cbv,
            Some('s' | 'S') => ResourceClass::Sampler,
            _ => return Err(bad()),
        };
        let index = chars.as_str().parse().map_err(|_| bad())?;
        Ok(Register {
            class,
            space,
            index,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_print_as_they_parse() {
        for text in ["t0", "u12", "b3,space2", "s0,space4294967280"] {
            assert_eq!(text.parse::<Register>().unwrap().to_string(), text);
        }
        for text in ["", "x0", "t", "t-1", "t0,1", "t0,space", "t0,spacex"] {
            assert!(text.parse::<Register>().is_err(), "{text}");
        }
    }
}
