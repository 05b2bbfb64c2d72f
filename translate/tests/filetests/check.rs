//! Looks at the text of a module.

use dxil_frontend::tables::HashMap;
use dxil_validator as validator;
use rspirv::binary::Disassemble;

use crate::spec::Spec;

/// Returns the module as lines of words, ids renumbered in order of appearance.
pub(crate) fn disassemble(module: &[u32]) -> Vec<Vec<String>> {
    // rspirv knows an older form of what makes hit objects of ray queries.
    let text = match rspirv::dr::load_words(module) {
        Ok(module) => module.disassemble(),
        Err(_) => validator::disassemble(module).expect("SPIRV-Tools reads what we write"),
    };
    let mut numbers: HashMap<String, usize> = HashMap::default();
    text.lines()
        .map(|line| {
            line.split_whitespace()
                .map(|word| match word.strip_prefix('%') {
                    Some(_) => {
                        let next = numbers.len() + 1;
                        let number = numbers.entry(word.to_owned()).or_insert(next);
                        format!("%{number}")
                    }
                    None => word.to_owned(),
                })
                .collect()
        })
        .collect()
}

/// Returns whether a line contains `pattern`; binds `$` names.
fn matches(line: &[String], pattern: &[String], names: &mut HashMap<String, String>) -> bool {
    if pattern.len() > line.len() {
        return false;
    }
    (0..=line.len() - pattern.len()).any(|start| {
        let mut bound = names.clone();
        let all = pattern.iter().zip(&line[start..]).all(|(want, have)| {
            if want.starts_with('$') {
                have.starts_with('%') && bound.entry(want.clone()).or_insert(have.clone()) == have
            } else {
                want == have
            }
        });
        if all {
            *names = bound;
        }
        all
    })
}

/// Checks that a module is as the comments say.
pub(crate) fn run_checks(spec: &Spec, lines: &[Vec<String>]) -> Result<(), String> {
    let mut names = HashMap::default();
    let mut rest = lines;
    for check in &spec.checks {
        let found = rest
            .iter()
            .position(|line| matches(line, check, &mut names));
        match found {
            Some(at) => rest = &rest[at + 1..],
            None => return Err(format!("no line has `{}`", check.join(" "))),
        }
    }
    for not in &spec.nots {
        if let Some(line) = lines
            .iter()
            .find(|line| matches(line, not, &mut names.clone()))
        {
            return Err(format!("`{}` has `{}`", line.join(" "), not.join(" ")));
        }
    }
    for (count, pattern) in &spec.counts {
        let found = lines
            .iter()
            .filter(|line| matches(line, pattern, &mut names.clone()))
            .count();
        if found != *count {
            return Err(format!(
                "{found} lines have `{}`, not {count}",
                pattern.join(" ")
            ));
        }
    }
    Ok(())
}
