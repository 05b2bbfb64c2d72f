//! Mutants of containers.

use dxil_frontend::container::fourcc::FourCc;
use dxil_frontend::container::{Container, Signing, write_container};
use dxil_frontend::oracle::Random;

use crate::records::Records;

/// Bytes of the program header in front of the bitcode ("DXIL Container Format",
/// "DxilProgramHeader").
const HEADER: usize = 24;

/// Returns the container with changed records in its bitcode, and sometimes changed bytes of
/// another part; `None` if it has no readable program.
pub fn mutant(container: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let container = Container::parse(container).ok()?;
    let mut parts: Vec<(FourCc, Vec<u8>)> = container
        .parts()
        .iter()
        .map(|part| (part.name, part.data.to_vec()))
        .collect();
    let program = parts
        .iter()
        .position(|(name, _)| *name == FourCc(*b"DXIL"))?;
    if random.below(4) == 0 {
        let chosen = random.below(parts.len());
        let (_, data) = &mut parts[chosen];
        if chosen != program && !data.is_empty() {
            let at = random.below(data.len());
            data[at] ^= 1 << random.below(8);
        }
    }
    let data = &mut parts[program].1;
    let mut records = Records::read(data.get(HEADER..)?).ok()?;
    records.mutate(random);
    let bitcode = records.write();
    data.truncate(HEADER);
    data.extend(&bitcode);
    let words = (data.len() / 4) as u32;
    data.get_mut(4..8)?.copy_from_slice(&words.to_le_bytes());
    let size = bitcode.len() as u32;
    data.get_mut(20..24)?.copy_from_slice(&size.to_le_bytes());
    let parts: Vec<(FourCc, &[u8])> = parts
        .iter()
        .map(|(name, data)| (*name, data.as_slice()))
        .collect();
    write_container(&parts, Signing::None).ok()
}
