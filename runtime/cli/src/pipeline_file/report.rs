//! Buffers after a run, and verdicts, as text. The notation is that of the file, so that checks for
//! the output of the suite match.

use std::fmt;

use super::buffer::{Buffer, TextureShape};
use super::check::Verdict;
use super::document::{DenormMode, ResultRule, Rule};

/// The results of a run.
#[derive(Debug, Clone, Copy)]
pub struct PipelineReport<'a> {
    /// Buffers after the run.
    pub buffers: &'a [Buffer],
    /// The verdict on each rule.
    pub verdicts: &'a [Verdict],
}

impl PipelineReport<'_> {
    /// Returns whether every rule holds.
    pub fn holds(&self) -> bool {
        self.verdicts.iter().all(Verdict::holds)
    }
}

impl fmt::Display for PipelineReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("---\nBuffers:\n")?;
        for buffer in self.buffers {
            write!(f, "{buffer}")?;
        }
        f.write_str("...\n")?;
        for verdict in self.verdicts {
            write!(f, "{verdict}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (line, text) in self.lines(self.shape).iter().enumerate() {
            writeln!(f, "  {} {text}", if line == 0 { '-' } else { ' ' })?;
        }
        Ok(())
    }
}

impl Buffer {
    /// Returns the keys of the file with their values, one per line, and with the dimensions of the
    /// caller.
    fn lines(&self, shape: Option<TextureShape>) -> Vec<String> {
        let mut lines = vec![
            format!("Name: {}", self.name),
            format!("Format: {:?}", self.format),
        ];
        if self.channels != 1 {
            lines.push(format!("Channels: {}", self.channels));
        }
        if self.stride != 0 {
            lines.push(format!("Stride: {}", self.stride));
        }
        if self.data.len() != 1 {
            lines.push(format!("ArraySize: {}", self.data.len()));
        }
        match self.counters.as_slice() {
            [] => {}
            [counter] => lines.push(format!("Counter: {counter}")),
            counters => {
                let texts: Vec<_> = counters.iter().map(u32::to_string).collect();
                lines.push(format!("Counters: [ {} ]", texts.join(", ")));
            }
        }
        let value = |bits| self.format.print(bits).to_string();
        if let [data] = self.data.as_slice() {
            lines.push(format!("Data: {}", self.list(data, value)));
        } else {
            lines.push("Data:".to_owned());
            let lists = self.data.iter();
            lines.extend(lists.map(|data| format!("  - {}", self.list(data, value))));
        }
        if let Some(shape) = shape {
            lines.push("OutputProps:".to_owned());
            lines.push(format!("  Height: {}", shape.height));
            lines.push(format!("  Width: {}", shape.width));
            lines.push(format!("  Depth: {}", shape.depth));
            if shape.mip_levels != 1 {
                lines.push(format!("  MipLevels: {}", shape.mip_levels));
            }
        }
        lines
    }

    fn list(&self, data: &[u8], show: impl Fn(u64) -> String) -> String {
        let elements = data.chunks_exact(self.format.bytes());
        let texts: Vec<_> = elements.map(|e| show(self.format.bits(e))).collect();
        format!("[ {} ]", texts.join(", "))
    }

    /// Returns the buffer as a separate document, and the bits of its elements.
    fn write_alone(&self, f: &mut fmt::Formatter<'_>, title: &str) -> fmt::Result {
        // A verdict always says the shape, zero if there is none, as the suite's tests want it.
        let none = TextureShape {
            height: 0,
            width: 0,
            depth: 0,
            mip_levels: 1,
        };
        writeln!(f, "{title}:\n---")?;
        for line in self.lines(Some(self.shape.unwrap_or(none))) {
            writeln!(f, "{line}")?;
        }
        f.write_str("...\n")
    }

    fn write_bits(&self, f: &mut fmt::Formatter<'_>, title: &str) -> fmt::Result {
        writeln!(f, "Full Hex representation of {title} Buffer Values:")?;
        for data in &self.data {
            let list = self.list(data, |bits| format!("{bits:#x}"));
            let bullet = if self.data.len() > 1 { " - " } else { "" };
            writeln!(f, "{bullet}{list}")?;
        }
        Ok(())
    }
}

/// Returns the rule and its tolerances with their keys.
fn describe(rule: &ResultRule) -> Vec<(&'static str, String)> {
    let name = match rule.rule {
        Rule::BufferExact => "BufferExact",
        Rule::BufferFloatUlp => "BufferFloatULP",
        Rule::BufferFloatEpsilon => "BufferFloatEpsilon",
    };
    let mut parts = vec![("Comparison Rule", name.to_owned())];
    if let Some(ulp) = rule.ulp {
        parts.push(("ULP", ulp.to_string()));
    }
    if let Some(epsilon) = rule.epsilon {
        parts.push(("Epsilon", epsilon.to_string()));
    }
    if let Some(tolerance) = rule.zero_tolerance {
        parts.push(("ZeroTolerance", tolerance.to_string()));
    }
    match rule.denorm_mode {
        Some(DenormMode::FlushToZero) => parts.push(("DenormMode", "FTZ".to_owned())),
        Some(DenormMode::Preserve) => parts.push(("DenormMode", "Preserve".to_owned())),
        Some(DenormMode::Any) | None => {}
    }
    parts
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ResultRule {
            name,
            actual,
            expected,
            ..
        } = &self.rule;
        let parts = describe(&self.rule);
        if self.holds() {
            let (_, rule) = &parts[0];
            write!(f, "ok      {name} ({rule}")?;
            for (key, value) in &parts[1..] {
                write!(f, ", {key} {value}")?;
            }
            return writeln!(f, ", {} elements)", self.compared);
        }
        writeln!(f, "Test failed: {name}")?;
        for (key, value) in parts {
            writeln!(f, "{key}: {value}")?;
        }
        if let Some(shape) = &self.shape {
            return writeln!(f, "  {shape}");
        }
        let (differing, compared) = (self.differing, self.compared);
        writeln!(
            f,
            "  {differing} of {compared} elements of {actual} differ from {expected}:"
        )?;
        for mismatch in &self.mismatches {
            match mismatch.array_element {
                Some(index) => write!(f, "  [{index}][{}]", mismatch.element)?,
                None => write!(f, "  [{}]", mismatch.element)?,
            }
            let (expected, actual) = (&mismatch.expected, &mismatch.actual);
            writeln!(f, " expected {expected}, got {actual}")?;
        }
        let unlisted = self.differing - self.mismatches.len();
        if unlisted > 0 {
            writeln!(f, "  and {unlisted} more")?;
        }
        if let Some(buffers) = &self.buffers {
            let [expected, actual] = buffers.as_ref();
            expected.write_alone(f, "Expected")?;
            actual.write_alone(f, "Got")?;
            expected.write_bits(f, "Expected")?;
            actual.write_bits(f, "Actual")?;
        }
        Ok(())
    }
}
