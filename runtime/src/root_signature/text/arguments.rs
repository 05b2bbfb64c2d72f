//! The arguments of a call, each taken at most once.

use super::error::{Result, error, fail};
use super::grammar::{Argument, Call, FieldValue};
use super::names::{Names, VISIBILITIES, filter_of};
use dxil_frontend::container::root_signature::{
    Filter, RootParameter, RootParameterKind, ShaderVisibility,
};

/// A call's arguments; each is taken once.
pub(super) struct Arguments<'a, 'c> {
    call: &'c Call<'a>,
    taken: Vec<bool>,
}

impl<'a, 'c> Arguments<'a, 'c> {
    pub(super) fn new(call: &'c Call<'a>) -> Self {
        Arguments {
            call,
            taken: vec![false; call.arguments.len()],
        }
    }

    /// Returns the value of a key; twice is an error.
    pub(super) fn take(
        &mut self,
        wanted: Option<&str>,
    ) -> Result<Option<(usize, &'c FieldValue<'a>)>> {
        let mut found = None;
        for (argument, taken) in self.call.arguments.iter().zip(&mut self.taken) {
            let Argument::Value { offset, key, value } = argument else {
                continue;
            };
            let same = match (key, wanted) {
                (Some(key), Some(wanted)) => key.eq_ignore_ascii_case(wanted),
                (None, None) => true,
                _ => false,
            };
            if !same {
                continue;
            }
            *taken = true;
            if found.replace((*offset, value)).is_some() {
                let name = wanted.unwrap_or("the register");
                return fail(*offset, &format!("{name} is there twice"));
            }
        }
        Ok(found)
    }

    /// Returns the nested calls.
    pub(super) fn calls(&mut self) -> impl Iterator<Item = &'c Call<'a>> {
        let mut calls = Vec::new();
        for (argument, taken) in self.call.arguments.iter().zip(&mut self.taken) {
            if let Argument::Call(call) = argument {
                *taken = true;
                calls.push(call);
            }
        }
        calls.into_iter()
    }

    pub(super) fn register(&mut self, letters: &[char]) -> Result<(char, u32)> {
        let at = self.call.offset;
        let found = self.take(None)?;
        let wanted = || {
            let letters: Vec<_> = letters.iter().map(|letter| format!("{letter}0")).collect();
            format!(
                "{} needs a register like {}",
                self.call.name,
                letters.join(" or ")
            )
        };
        let (at, word) = match found {
            Some((at, FieldValue::Words(words))) if words.len() == 1 => (at, words[0]),
            Some((at, _)) => return fail(at, &wanted()),
            None => return fail(at, &wanted()),
        };
        let mut chars = word.chars();
        let letter = chars.next().map(|c| c.to_ascii_lowercase());
        match (
            letter.filter(|c| letters.contains(c)),
            chars.as_str().parse(),
        ) {
            (Some(letter), Ok(number)) => Ok((letter, number)),
            _ => fail(at, &wanted()),
        }
    }

    pub(super) fn number(&mut self, key: &str) -> Result<Option<u32>> {
        match self.take(Some(key))? {
            None => Ok(None),
            Some((at, FieldValue::Number(n))) => whole(at, key, *n).map(Some),
            Some((at, FieldValue::Words(_))) => fail(at, &format!("{key} is a number")),
        }
    }

    /// Returns a number, or the word for an absent one.
    pub(super) fn number_or(&mut self, key: &str, none: &str) -> Result<Option<Option<u32>>> {
        match self.take(Some(key))? {
            None => Ok(None),
            Some((at, FieldValue::Number(n))) => whole(at, key, *n).map(|n| Some(Some(n))),
            Some((_, FieldValue::Words(words)))
                if words.len() == 1 && words[0].eq_ignore_ascii_case(none) =>
            {
                Ok(Some(None))
            }
            Some((at, _)) => fail(at, &format!("{key} is a number or {none}")),
        }
    }

    pub(super) fn float(&mut self, key: &str) -> Result<Option<f32>> {
        match self.take(Some(key))? {
            None => Ok(None),
            Some((_, FieldValue::Number(n))) => Ok(Some(*n as f32)),
            Some((at, _)) => fail(at, &format!("{key} is a number")),
        }
    }

    pub(super) fn choice<T: Copy>(
        &mut self,
        key: &str,
        prefix: &str,
        names: Names<T>,
    ) -> Result<Option<T>> {
        let Some((at, value)) = self.take(Some(key))? else {
            return Ok(None);
        };
        let word = match value {
            FieldValue::Words(words) if words.len() == 1 => words[0].to_ascii_uppercase(),
            _ => return fail(at, &format!("{key} is one word")),
        };
        let name = word.strip_prefix(prefix);
        let found = name.and_then(|name| names.iter().find(|(other, _)| *other == name));
        match found {
            Some((_, value)) => Ok(Some(*value)),
            None => fail(at, &format!("{key} has no value {word}")),
        }
    }

    pub(super) fn filter(&mut self) -> Result<Option<Filter>> {
        let Some((at, value)) = self.take(Some("filter"))? else {
            return Ok(None);
        };
        let word = match value {
            FieldValue::Words(words) if words.len() == 1 => words[0].to_ascii_uppercase(),
            _ => return fail(at, "filter is one word"),
        };
        let found = word.strip_prefix("FILTER_").and_then(filter_of);
        let unknown = || error(at, &format!("filter has no value {word}"));
        found.ok_or_else(unknown).map(Some)
    }

    pub(super) fn visibility(&mut self) -> Result<ShaderVisibility> {
        let found = self.choice("visibility", "SHADER_VISIBILITY_", VISIBILITIES)?;
        Ok(found.unwrap_or(ShaderVisibility::All))
    }

    pub(super) fn flags<T>(&mut self, names: Names<u32>, make: fn(u32) -> T) -> Result<Option<T>> {
        let Some((at, value)) = self.take(Some("flags"))? else {
            return Ok(None);
        };
        flags(at, value, names).map(make).map(Some)
    }

    /// Returns flags that are the only argument.
    pub(super) fn only_flags<T: Default>(
        &mut self,
        names: Names<u32>,
        make: fn(u32) -> T,
    ) -> Result<T> {
        match self.take(None)? {
            Some((at, value)) => flags(at, value, names).map(make),
            None => Ok(T::default()),
        }
    }

    pub(super) fn parameter(&mut self, kind: RootParameterKind) -> Result<RootParameter> {
        let visibility = self.visibility()?;
        Ok(RootParameter { visibility, kind })
    }

    /// Refuses a call with arguments that were not taken.
    pub(super) fn finish(self) -> Result<()> {
        for (argument, taken) in self.call.arguments.iter().zip(&self.taken) {
            if *taken {
                continue;
            }
            let (offset, what) = match argument {
                Argument::Call(call) => (call.offset, call.name),
                Argument::Value { offset, key, .. } => (*offset, key.unwrap_or("this argument")),
            };
            return fail(offset, &format!("{} has no {what}", self.call.name));
        }
        Ok(())
    }
}

pub(super) fn whole(at: usize, key: &str, number: f64) -> Result<u32> {
    // Numbers are parsed as floats, which hold every 32-bit integer exactly.
    if number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number) {
        Ok(number as u32)
    } else {
        fail(at, &format!("{key} is a whole number of 32 bits"))
    }
}

pub(super) fn flags(at: usize, value: &FieldValue<'_>, names: Names<u32>) -> Result<u32> {
    let words = match value {
        FieldValue::Number(0.0) => return Ok(0),
        FieldValue::Number(_) => return fail(at, "flags are names, or 0"),
        FieldValue::Words(words) => words,
    };
    let mut all = 0;
    for word in words {
        let found = names
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(word));
        let (_, bit) = found.ok_or_else(|| error(at, &format!("there is no flag {word}")))?;
        all |= bit;
    }
    Ok(all)
}
