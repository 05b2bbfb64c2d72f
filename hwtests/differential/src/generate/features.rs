//! The parts of the language that a shader uses.

use super::types::Scalar;
use crate::random::Random;

macro_rules! features {
    ($($(#[$doc:meta])* $name:ident: $percent:literal,)*) => {
        /// Parts of the language.
        #[derive(Debug, Clone, Default)]
        #[allow(missing_docs, reason = "the names say it")]
        pub struct Features {
            $($(#[$doc])* pub $name: bool,)*
            /// HLSL 2021: logical operators short-circuit.
            pub newest: bool,
            /// Minor number of the shader model.
            pub minor: u32,
            /// Whether branches, loops, switches and jumps prevail over everything else.
            pub jumps: bool,
        }

        impl Features {
            /// Returns a random subset.
            pub fn choose(random: &mut Random) -> Self {
                let mut features = Features::default();
                $(features.$name = random.percent($percent);)*
                features.newest = random.percent(20);
                features.minor = *random.pick(&[0, 0, 2, 4, 5, 6]);
                features.settle();
                features
            }
        }
    };
}

features! {
    loops: 80,
    switches: 50,
    early_returns: 40,
    functions: 50,
    /// Whether some functions are not inlined.
    calls: 30,
    /// `[WaveSize]`.
    wave_size: 10,
    arrays: 50,
    structs: 50,
    matrices: 30,
    statics: 30,
    floats: 70,
    halves: 20,
    /// Halves with arbitrary bits, which the SPIR-V of DXC cannot express.
    raw_halves: 15,
    sixteen: 25,
    sixtyfour: 30,
    doubles: 20,
    min_precision: 10,
    waves: 50,
    quads: 15,
    groupshared: 40,
    atomics: 30,
    constants: 50,
    structured: 60,
    byte_address: 40,
    typed: 30,
    textures: 30,
    resource_arrays: 15,
    bits: 60,
    /// Whether operations on vectors are written per component.
    components: 60,
}

impl Features {
    /// Returns a random subset for shaders that consist of control flow. They compute 32-bit
    /// integers and use buffers alone, which every Vulkan device has, and their results do not
    /// depend on the wave size.
    pub fn control_flow(random: &mut Random) -> Self {
        Features {
            loops: true,
            switches: true,
            early_returns: random.percent(50),
            functions: random.percent(40),
            calls: random.percent(20),
            arrays: random.percent(20),
            constants: random.percent(30),
            structured: random.percent(40),
            bits: random.percent(40),
            components: random.percent(60),
            newest: random.percent(20),
            jumps: true,
            ..Features::default()
        }
    }

    /// Removes features that exclude each other.
    fn settle(&mut self) {
        if self.halves {
            self.floats = true;
        }
        if self.halves || self.sixteen {
            self.minor = self.minor.max(2);
            self.min_precision = false;
        }
        if self.min_precision {
            self.floats = true;
        }
    }

    /// Returns the shader model and further arguments for DXC.
    pub(super) fn arguments(&self) -> (String, String) {
        let mut arguments = String::new();
        if self.halves || self.sixteen {
            arguments.push_str(" -enable-16bit-types");
        }
        if self.newest {
            arguments.push_str(" -HV 2021");
        }
        (format!("6_{}", self.minor), arguments)
    }

    /// Returns the types of variables.
    pub(super) fn scalars(&self) -> Vec<Scalar> {
        let mut scalars = vec![Scalar::Int, Scalar::Uint, Scalar::Bool];
        let mut add = |wanted: bool, more: &[Scalar]| {
            if wanted {
                scalars.extend_from_slice(more);
            }
        };
        add(self.floats, &[Scalar::Float, Scalar::Float]);
        add(self.halves, &[Scalar::Half]);
        add(self.sixteen, &[Scalar::Short, Scalar::Ushort]);
        add(self.sixtyfour, &[Scalar::Long, Scalar::Ulong]);
        add(self.doubles, &[Scalar::Double]);
        add(self.min_precision, &[Scalar::MinFloat]);
        scalars
    }
}
