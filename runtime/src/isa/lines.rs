//! Source lines in the forms of a driver that keeps them: RADV of Mesa 26, in ACO's IR.

use dxil_frontend::tables::HashMap;
use rspirv::dr::Operand;
use rspirv::spirv::Op;

use super::module::Reflected;
use crate::error::Result;
use crate::executable::{Executable, WITH_LINES};

/// The setting of RADV that keeps lines, and its environment variable.
pub(super) const SETTING: (&str, &str) = ("RADV_DEBUG", "nirdebuginfo");

/// The lines of source files, by name.
pub(super) type Sources = HashMap<String, Vec<String>>;

/// Adds the source files that a module contains (`OpSource`).
pub(super) fn add_sources(words: &[u32], sources: &mut Sources) -> Result<()> {
    let module = Reflected::read(words)?;
    let mut names: HashMap<u32, &str> = HashMap::default();
    for inst in &module.module().debug_string_source {
        match (inst.class.opcode, inst.result_id, inst.operands.as_slice()) {
            (Op::String, Some(id), [Operand::LiteralString(text)]) => {
                names.insert(id, text);
            }
            (Op::Source, _, [.., Operand::IdRef(file), Operand::LiteralString(text)]) => {
                if let Some(name) = names.get(file) {
                    let lines = text.lines().map(str::to_owned);
                    sources.insert((*name).to_owned(), lines.collect());
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Puts the text of source lines into the forms that name lines.
pub(super) fn annotate(executables: &mut [Executable], sources: &Sources) {
    for text in executables
        .iter_mut()
        .flat_map(|executable| &mut executable.texts)
    {
        if let Some(annotated) = annotated(&text.text, sources) {
            text.text = annotated;
            text.name.push_str(WITH_LINES);
        }
    }
}

/// Returns a text in which comments that name a line of a source have its text, one before all
/// instructions of a line; `None` for a text without such comments.
fn annotated(text: &str, sources: &Sources) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let (mut pending, mut shown, mut any) = (None, None, false);
    for line in text.lines() {
        if let Some(place) = place(line) {
            // Mesa 25 has numbers of another text, without a name. Of instructions that the
            // compiler removed only the comments are left.
            pending = Some(place).filter(|(file, number)| *number > 0 && !file.is_empty());
            any |= pending.is_some();
            continue;
        }
        if let Some(place) = pending.take()
            && shown != Some(place)
        {
            let (file, number) = place;
            let lines = sources.get(file);
            let source = lines.and_then(|lines| lines.get(number - 1));
            let source = source.map_or("", |source| source.trim());
            out.push_str(&format!("// {file}:{number}: {source}\n"));
            shown = Some(place);
        }
        out.push_str(line);
        out.push('\n');
    }
    any.then_some(out)
}

/// Reads a comment as `// 0x10 shader.hlsl:3:7`: file and line.
fn place(line: &str) -> Option<(&str, usize)> {
    let comment = line.trim_start().strip_prefix("// ")?;
    let place = match comment.split_once(' ') {
        Some((offset, rest)) if offset.starts_with("0x") => rest,
        _ => comment,
    };
    let (rest, column) = place.rsplit_once(':')?;
    let (file, number) = rest.rsplit_once(':')?;
    column.parse::<usize>().ok()?;
    Some((file, number.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shown_once_before_its_instructions() {
        let source = "float f;\nOut[i] = f * 2; // doubled";
        let lines = source.lines().map(str::to_owned).collect();
        let sources = Sources::from_iter([("a b.hlsl".to_owned(), lines)]);
        let text = "BB0\n\t// 0xa0 a b.hlsl:1:1\n\t// 0xb0 a b.hlsl:2:5\n\t v1: %5 = v_mul\n\t// \
                    0xb4 a b.hlsl:2:1\n\tbuffer_store\n\t// (null):0:0\n\ts_endpgm\n/* no: 1:1 */\n";
        assert_eq!(
            annotated(text, &sources).unwrap(),
            "BB0\n// a b.hlsl:2: Out[i] = f * 2; // doubled\n\t v1: %5 = v_mul\n\tbuffer_store\n\
             \ts_endpgm\n/* no: 1:1 */\n"
        );
        assert_eq!(annotated("BB0\n\ts_endpgm ; bfb00000\n", &sources), None);
    }
}
