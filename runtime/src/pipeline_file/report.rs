//! Buffers after a run and verdicts as text. Buffers are written in the keys and number notation of
//! the file, so that checks written against the suite's own output match.

use std::fmt;

use super::buffer::Buffer;
use super::check::Verdict;

/// What a run came to, to be shown.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    /// Buffers after the run.
    pub buffers: &'a [Buffer],
    /// What came of each rule.
    pub verdicts: &'a [Verdict],
}

impl Report<'_> {
    /// Whether every rule holds.
    pub fn holds(&self) -> bool {
        self.verdicts.iter().all(Verdict::holds)
    }
}

impl fmt::Display for Report<'_> {
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
        writeln!(f, "  - Name: {}", self.name)?;
        writeln!(f, "    Format: {:?}", self.format)?;
        if self.channels != 1 {
            writeln!(f, "    Channels: {}", self.channels)?;
        }
        if self.stride != 0 {
            writeln!(f, "    Stride: {}", self.stride)?;
        }
        if self.data.len() != 1 {
            writeln!(f, "    ArraySize: {}", self.data.len())?;
        }
        match self.counters.as_slice() {
            [] => {}
            [counter] => writeln!(f, "    Counter: {counter}")?,
            counters => {
                let texts: Vec<_> = counters.iter().map(u32::to_string).collect();
                writeln!(f, "    Counters: [ {} ]", texts.join(", "))?;
            }
        }
        if let [data] = self.data.as_slice() {
            f.write_str("    Data: ")?;
            self.list(f, data)?;
        } else {
            f.write_str("    Data:\n")?;
            for data in &self.data {
                f.write_str("      - ")?;
                self.list(f, data)?;
            }
        }
        if let Some(shape) = self.shape {
            f.write_str("    OutputProps:\n")?;
            writeln!(f, "      Height: {}", shape.height)?;
            writeln!(f, "      Width: {}", shape.width)?;
            writeln!(f, "      Depth: {}", shape.depth)?;
            if shape.mip_levels != 1 {
                writeln!(f, "      MipLevels: {}", shape.mip_levels)?;
            }
        }
        Ok(())
    }
}

impl Buffer {
    fn list(&self, f: &mut fmt::Formatter<'_>, data: &[u8]) -> fmt::Result {
        f.write_str("[")?;
        for (index, element) in data.chunks_exact(self.format.bytes()).enumerate() {
            f.write_str(if index == 0 { " " } else { ", " })?;
            write!(f, "{}", self.format.print(self.format.bits(element)))?;
        }
        f.write_str(" ]\n")
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Verdict { name, rule, .. } = self;
        if self.holds() {
            return writeln!(f, "ok      {name} ({rule}, {} elements)", self.compared);
        }
        writeln!(f, "FAILED  {name} ({rule})")?;
        if let Some(shape) = &self.shape {
            return writeln!(f, "  {shape}");
        }
        let (differing, compared) = (self.differing, self.compared);
        writeln!(
            f,
            "  {differing} of {compared} elements of {} differ from {}:",
            self.actual, self.expected
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
        Ok(())
    }
}
