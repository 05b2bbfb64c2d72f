//! Profiles as files: what a device has, so that modules are made for it elsewhere.

use dxil_cpu::Checks;
use dxil_translate::{
    BufferAccess, ConstantOperands, Features, Numerics, Style, Target, VulkanVersion,
};
use serde::{Deserialize, Serialize};

use super::profile::{Limits, Profile};
use crate::error::{Error, Result};

/// A [`Profile`] of a Vulkan device as it is written to a file. Parts that a file leaves out are as
/// in [`Profile::offline`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProfileFile {
    /// Vulkan version, like `1.3`.
    pub vulkan: String,
    /// Names of [`Features`], in rising order.
    pub features: Vec<String>,
    /// What the device computes as D3D12 defines it: names of the fields of [`Numerics`], and
    /// `word_accesses` if its driver takes vectors of buffers apart, `half_accesses` if it loads
    /// vectors of 16-bit values best as such.
    pub numerics: Vec<String>,
    /// Minimum and maximum number of lanes of a subgroup.
    pub subgroup_sizes: (u32, u32),
    /// Whether out-of-bounds accesses are the device's work.
    pub robust: bool,
    /// Whether buffers have device addresses.
    pub device_addresses: bool,
    /// Whether storage images need a format in the code.
    pub storage_image_formats: bool,
    /// Whether code can ask if what it read has memory.
    pub residency: bool,
    /// Limits.
    pub limits: Limits,
}

const VERSIONS: [(&str, VulkanVersion); 4] = [
    ("1.1", VulkanVersion::V1_1),
    ("1.2", VulkanVersion::V1_2),
    ("1.3", VulkanVersion::V1_3),
    ("1.4", VulkanVersion::V1_4),
];

impl Default for ProfileFile {
    fn default() -> Self {
        ProfileFile::of(&Profile::offline(VulkanVersion::V1_3))
    }
}

impl ProfileFile {
    /// Returns what a file says of a Vulkan device.
    pub fn of(profile: &Profile) -> Self {
        let mut versions = VERSIONS.iter();
        let version = versions.find(|(_, version)| *version == profile.target.vulkan);
        let features = profile.target.features.iter_names();
        ProfileFile {
            vulkan: version.map_or("1.3", |(name, _)| name).to_owned(),
            features: features.map(|(name, _)| name.to_owned()).collect(),
            numerics: numerics_names(&profile.target.numerics),
            subgroup_sizes: profile.subgroup_sizes,
            robust: profile.robust,
            device_addresses: profile.device_addresses,
            storage_image_formats: profile.storage_image_formats,
            residency: profile.residency,
            limits: profile.limits,
        }
    }

    /// Returns the profile.
    ///
    /// # Errors
    ///
    /// [`Error::BadProfile`] for a version or a feature that does not exist.
    pub fn profile(&self) -> Result<Profile> {
        let unknown = |what: &str, name: &str| Error::BadProfile(format!("no {what} `{name}`"));
        let mut versions = VERSIONS.iter();
        let version = versions.find(|(name, _)| *name == self.vulkan);
        let (_, vulkan) = version.ok_or_else(|| unknown("Vulkan version", &self.vulkan))?;
        let mut features = Features::empty();
        for name in &self.features {
            features |= Features::from_name(name).ok_or_else(|| unknown("feature", name))?;
        }
        let mut target = Target::new(*vulkan, Style::Native, features);
        for name in &self.numerics {
            add_numeric(&mut target.numerics, name).ok_or_else(|| unknown("result", name))?;
        }
        Ok(Profile {
            target,
            limits: self.limits,
            subgroup_sizes: self.subgroup_sizes,
            robust: self.robust,
            device_addresses: self.device_addresses,
            storage_image_formats: self.storage_image_formats,
            residency: self.residency,
            texel_buffers: true,
            dense_bindings: false,
            descriptor_heaps: None,
            executes_dxil: false,
            keep_denormals: false,
            checks: Checks::NONE,
        })
    }
}

/// Returns the names of what a device computes as D3D12 defines it.
fn numerics_names(numerics: &Numerics) -> Vec<String> {
    let names = [
        "float_to_int",
        "double_to_int",
        "half_packing",
        "fract",
        "division",
        "multiply_add",
        "one_constant_operand",
        "word_accesses",
        "half_accesses",
    ];
    // What its name changes is not said yet; the others are.
    let has = |name: &&str| {
        let mut more = *numerics;
        add_numeric(&mut more, name).is_some() && more == *numerics
    };
    names.into_iter().filter(has).map(str::to_owned).collect()
}

/// Takes one result from what D3D12-on-Vulkan layers take for granted; `None` for an unknown name.
fn add_numeric(numerics: &mut Numerics, name: &str) -> Option<()> {
    let defined = Numerics::OF_LAYERS;
    match name {
        "float_to_int" => numerics.float_to_int = defined.float_to_int,
        "double_to_int" => numerics.double_to_int = defined.double_to_int,
        "half_packing" => numerics.half_packing = defined.half_packing,
        "fract" => numerics.fract = defined.fract,
        "division" => numerics.division = defined.division,
        "multiply_add" => numerics.multiply_add = defined.multiply_add,
        "one_constant_operand" => numerics.constant_operands = ConstantOperands::One,
        "word_accesses" => numerics.buffer_access = BufferAccess::Words,
        "half_accesses" => numerics.buffer_access = BufferAccess::VectorsOfHalves,
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_read_as_it_was_written() {
        for vulkan in VERSIONS.map(|(_, version)| version) {
            let mut profile = Profile::offline(vulkan);
            profile.target.features.remove(Features::RAY_QUERY);
            profile.limits.descriptor_sets = 8;
            profile.robust = false;
            profile.target.numerics = Numerics::of_driver(3);
            assert_eq!(ProfileFile::of(&profile).profile().unwrap(), profile);
        }
    }

    #[test]
    fn a_feature_that_does_not_exist_is_an_error() {
        let mut file = ProfileFile::default();
        file.features.push("RAY_QUERRY".to_owned());
        let error = file.profile().unwrap_err().to_string();
        assert!(error.contains("no feature `RAY_QUERRY`"), "{error}");
    }
}
