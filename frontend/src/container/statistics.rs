//! STAT of DXBC: the counts that fxc keeps of a shader (`D3D11_SHADER_DESC`). In a container of
//! DXIL a part of this name holds a module.

use super::header::Part;
use crate::error::Result;

/// The counts, in the order of the part; later compilers write more of them.
const NAMES: [&str; 38] = [
    "instructions",
    "temporary_registers",
    "definitions",
    "declarations",
    "float_instructions",
    "integer_instructions",
    "unsigned_instructions",
    "static_flow_control",
    "dynamic_flow_control",
    "macro_instructions",
    "temporary_arrays",
    "array_instructions",
    "cut_instructions",
    "emit_instructions",
    "texture_samples",
    "texture_loads",
    "texture_comparisons",
    "texture_biases",
    "texture_gradients",
    "moves",
    "conditional_moves",
    "conversions",
    "bitwise_instructions",
    "input_primitive",
    "output_topology",
    "max_output_vertices",
    "unknown_26",
    "unknown_27",
    "has_sample_frequency",
    "patch_constants",
    "control_points",
    "geometry_instances",
    "hull_output_primitive",
    "hull_partitioning",
    "tessellator_domain",
    "barriers",
    "interlocked_operations",
    "texture_stores",
];

/// Content of the STAT part of a DXBC container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShaderStatistics {
    counts: Vec<u32>,
}

impl ShaderStatistics {
    /// Reads the part. Words after the known ones are left out.
    ///
    /// # Errors
    /// If it ends within a word.
    pub fn parse(part: Part<'_>) -> Result<Self> {
        let mut reader = part.reader();
        let mut counts = Vec::new();
        while !reader.is_empty() && counts.len() < NAMES.len() {
            let count = reader.u32("statistics");
            counts.push(count.map_err(|error| error.in_part(part.name))?);
        }
        Ok(ShaderStatistics { counts })
    }

    /// Returns the counts with their names.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u32)> {
        NAMES.into_iter().zip(self.counts.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FourCc;

    #[test]
    fn counts_have_names_and_longer_parts_are_read() {
        let bytes: Vec<u8> = (0..64_u32).flat_map(u32::to_le_bytes).collect();
        let parse = |data| {
            ShaderStatistics::parse(Part {
                name: FourCc::STAT,
                offset: 0,
                data,
            })
        };
        let found: Vec<_> = parse(&bytes).unwrap().iter().collect();
        assert_eq!(found.len(), NAMES.len());
        assert_eq!(found[1], ("temporary_registers", 1));
        assert!(parse(&bytes[..5]).is_err());
    }
}
