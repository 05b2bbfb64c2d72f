//! Containers with another program.

use dxil_frontend::container::fourcc::FourCc;
use dxil_frontend::container::{Container, Signing, write_container};

use dxil_frontend::oracle::Random;

use crate::records::Records;

/// Bytes of the program header in front of the bitcode ("DXIL Container Format",
/// "DxilProgramHeader").
const HEADER: usize = 24;

/// The parts of a container, the program among them.
pub(crate) struct Parts {
    pub(crate) parts: Vec<(FourCc, Vec<u8>)>,
    pub(crate) program: usize,
}

impl Parts {
    /// Returns the parts of a container; `None` if it has no program.
    pub(crate) fn of(container: &[u8]) -> Option<Parts> {
        let container = Container::parse(container).ok()?;
        let parts = container.parts().iter();
        let parts: Vec<(FourCc, Vec<u8>)> =
            parts.map(|part| (part.name, part.data.to_vec())).collect();
        let mut names = parts.iter().map(|(name, _)| *name);
        let program = names.position(|name| name == FourCc(*b"DXIL"))?;
        Some(Parts { parts, program })
    }

    /// Returns the records of the program; `None` if its bitstream is malformed.
    pub(crate) fn records(&self) -> Option<Records> {
        let (_, data) = self.parts.get(self.program)?;
        Records::read(data.get(HEADER..)?).ok()
    }

    /// Takes over up to three parts of another container, but for the program.
    pub(crate) fn exchange(&mut self, other: &Parts, random: &mut Random) {
        for _ in 0..=random.below(3) {
            let place = random.below(other.parts.len());
            let (name, data) = &other.parts[place];
            if place == other.program {
                continue;
            }
            match self.parts.iter_mut().find(|(own, _)| own == name) {
                Some((_, own)) => own.clone_from(data),
                None => self.parts.push((*name, data.clone())),
            }
        }
    }

    /// Returns the container with other bitcode.
    pub(crate) fn with_bitcode(mut self, bitcode: &[u8]) -> Option<Vec<u8>> {
        let (_, data) = self.parts.get_mut(self.program)?;
        data.truncate(HEADER);
        data.extend(bitcode);
        let words = (data.len() / 4) as u32;
        data.get_mut(4..8)?.copy_from_slice(&words.to_le_bytes());
        let size = bitcode.len() as u32;
        data.get_mut(20..24)?.copy_from_slice(&size.to_le_bytes());
        let parts = self.parts.iter();
        let parts: Vec<(FourCc, &[u8])> =
            parts.map(|(name, data)| (*name, data.as_slice())).collect();
        write_container(&parts, Signing::None).ok()
    }
}
