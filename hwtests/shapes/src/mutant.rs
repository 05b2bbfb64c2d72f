//! Mutants of containers.

use dxil_frontend::oracle::Random;

use crate::container::Parts;

/// Returns the container with changed records in its bitcode, and sometimes changed bytes of
/// another part; `None` if it has no readable program.
pub fn mutant(container: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let mut parts = Parts::of(container)?;
    if random.below(4) == 0 {
        let chosen = random.below(parts.parts.len());
        let (_, data) = &mut parts.parts[chosen];
        if chosen != parts.program && !data.is_empty() {
            let at = random.below(data.len());
            data[at] ^= 1 << random.below(8);
        }
    }
    let mut records = parts.records()?;
    records.mutate(random);
    let bitcode = records.write();
    parts.with_bitcode(&bitcode)
}
