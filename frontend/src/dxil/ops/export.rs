//! The table as data, for documents and tools: [`OperationRow`] is a row in plain words.

use super::{Opcode, Overloads, Stages};
use crate::dxil::ShaderKind;

/// A row of the op table.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OperationRow {
    /// The opcode.
    pub number: u32,
    /// DXIL's name.
    pub name: &'static str,
    /// What the operation gives or does, in a sentence.
    pub description: &'static str,
    /// HLSL's intrinsic, method or system value, or the first of several.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "str::is_empty"))]
    pub hlsl: &'static str,
    /// The middle of the function's name, `dx.op.CLASS.OVERLOAD`.
    pub class: &'static str,
    /// The section of the table.
    pub group: String,
    /// Operands after the opcode.
    pub operands: Vec<OperandRow>,
    /// Effect on memory: a variant of [`super::Memory`].
    pub memory: String,
    /// Overloads and stages by shader model, in ascending order.
    pub constraints: Vec<ConstraintRow>,
    /// Shader model of a shader linked from a newer library, if the linker translates the
    /// operation.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub translated_shader_model: Option<String>,
    /// Further facts: names of [`super::OpFlags`].
    pub flags: Vec<&'static str>,
}

/// An operand.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct OperandRow {
    /// Its name.
    pub name: &'static str,
    /// A variant of [`super::Role`].
    pub role: String,
    /// Type of an immediate, or length of a list; empty otherwise.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "str::is_empty"))]
    pub parameter: &'static str,
}

/// Overloads and stages from a shader model on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ConstraintRow {
    /// The shader model, such as `6.6`.
    pub shader_model: String,
    /// Overloads as in the function's name, `vector` for vectors of them, empty without any.
    pub overloads: Vec<&'static str>,
    /// Names of stages; `all` for each that the shader model has.
    pub stages: Vec<String>,
}

impl Opcode {
    /// Returns the operation's row as data.
    pub fn row(self) -> OperationRow {
        let row = self.properties();
        let version = |(major, minor)| format!("{major}.{minor}");
        let is_translated = row.translated_shader_model != row.shader_model;
        let mut constraints: Vec<ConstraintRow> = (self.constraints().into_iter())
            .map(|constraint| ConstraintRow {
                shader_model: version(constraint.shader_model),
                overloads: overload_names(constraint.overloads),
                stages: stage_names(constraint.stages, constraint.shader_model),
            })
            .collect();
        // All stages stay all stages when a shader model adds one.
        constraints.dedup_by(|b, a| (&a.overloads, &a.stages) == (&b.overloads, &b.stages));
        OperationRow {
            number: self.number(),
            name: row.name,
            description: row.description,
            hlsl: row.hlsl,
            class: row.class,
            group: format!("{:?}", row.group),
            operands: (row.operands.iter())
                .map(|operand| OperandRow {
                    name: operand.name,
                    role: format!("{:?}", operand.role),
                    parameter: operand.parameter,
                })
                .collect(),
            memory: format!("{:?}", row.memory),
            constraints,
            translated_shader_model: is_translated.then(|| version(row.translated_shader_model)),
            flags: row.flags.iter_names().map(|(name, _)| name).collect(),
        }
    }
}

/// Returns the words of an overload set.
fn overload_names(overloads: Overloads) -> Vec<&'static str> {
    [
        (Overloads::F16, "f16"),
        (Overloads::F32, "f32"),
        (Overloads::F64, "f64"),
        (Overloads::I1, "i1"),
        (Overloads::I8, "i8"),
        (Overloads::I16, "i16"),
        (Overloads::I32, "i32"),
        (Overloads::I64, "i64"),
        (Overloads::UDT, "structure"),
        (Overloads::OBJECT, "object"),
        (Overloads::VECTOR, "vector"),
    ]
    .into_iter()
    .filter(|(bit, _)| overloads.contains(*bit))
    .map(|(_, name)| name)
    .collect()
}

fn stage_names(stages: Stages, shader_model: (u8, u8)) -> Vec<String> {
    let exist = |kind: &ShaderKind| kind.min_shader_model() <= shader_model;
    let kinds = ShaderKind::ALL.into_iter().filter(exist);
    if kinds.clone().all(|kind| stages.allows(kind)) {
        return vec!["all".to_owned()];
    }
    kinds
        .filter(|kind| stages.allows(*kind))
        .map(|kind| format!("{kind:?}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_in_words_what_the_table_says() {
        // "DXIL Operation Specification Example" of the TableGen note, with later shader models.
        let sin = Opcode::Sin.row();
        assert_eq!((sin.number, sin.class, sin.hlsl), (13, "unary", "sin"));
        assert_eq!(sin.memory, "ReadNone");
        assert_eq!(sin.constraints[0].shader_model, "6.0");
        assert_eq!(sin.constraints[0].overloads, ["f16", "f32"]);
        assert_eq!(sin.constraints[0].stages, ["all"]);
        let newest = sin.constraints.last().unwrap();
        assert_eq!(newest.shader_model, "6.9");
        assert_eq!(newest.overloads, ["f16", "f32", "vector"]);

        let load = Opcode::RawBufferLoad.row();
        assert_eq!(load.constraints[0].shader_model, "6.2");
        assert_eq!(load.translated_shader_model.as_deref(), Some("6.0"));
        assert_eq!(load.operands[3].name, "mask");
        assert_eq!(load.operands[3].parameter, "u8");

        let discard = Opcode::Discard.row();
        assert_eq!(discard.constraints.len(), 1);
        assert_eq!(discard.constraints[0].stages, ["Pixel"]);
        assert_eq!(discard.flags, ["DISCARD"]);
    }

    #[test]
    fn each_row_has_one_sentence_and_hlsl_names_have_no_blanks() {
        for &op in Opcode::ALL {
            let row = op.row();
            let text = row.description;
            assert!(text.ends_with('.') && !text.contains(". "), "{op}: {text}");
            let first = text.trim_start_matches('`').chars().next().unwrap();
            assert!(
                first.is_uppercase() || text.starts_with('`'),
                "{op}: {text}"
            );
            assert!(!row.hlsl.contains(' '), "{op}: {}", row.hlsl);
            // Operations that have a name in HLSL have DXIL's own where that is an intrinsic.
            if row.name.starts_with("RayQuery_") {
                assert!(row.hlsl.starts_with("RayQuery."), "{op}: {}", row.hlsl);
                let method = row.hlsl.trim_start_matches("RayQuery.");
                assert!(row.name.ends_with(method), "{op}: {}", row.hlsl);
            }
        }
    }
}
