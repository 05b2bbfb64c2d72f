//! What is measured of a device: a shader, its work, and the unit of the result.

use crate::kernel::checks::Check;
use dxil_runtime::job::{Job, Outcome};

/// A group of figures that belong in one table and one plot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Family {
    /// The word of the command line.
    pub(crate) name: &'static str,
    /// A description in one line.
    pub(crate) about: &'static str,
    /// What the parameter of its figures is, with its unit; empty if they have none.
    pub(crate) parameter: &'static str,
}

/// All families, in the order in which they are measured.
pub(crate) const FAMILIES: [Family; 9] = [
    ARITHMETIC, BANDWIDTH, LATENCY, ATOMICS, TEXTURES, WAVES, OCCUPANCY, LAUNCH, TRANSFER,
];

pub(crate) const ARITHMETIC: Family = Family {
    name: "arithmetic",
    about: "independent chains of multiply-adds by type, and matrix units; a multiply-add counts as two",
    parameter: "",
};
pub(crate) const BANDWIDTH: Family = Family {
    name: "bandwidth",
    about: "reads of 16 bytes, all threads together, by the bytes that they go round in",
    parameter: "working set, bytes",
};
pub(crate) const LATENCY: Family = Family {
    name: "latency",
    about: "one thread's reads, each at the address that the one before gave, in random order",
    parameter: "working set, bytes",
};
pub(crate) const ATOMICS: Family = Family {
    name: "atomics",
    about: "additions of 32 bits, all threads to one address or each to its own",
    parameter: "",
};
pub(crate) const TEXTURES: Family = Family {
    name: "textures",
    about: "samples and stores of texels by format and filter, in a texture of 256 by 256",
    parameter: "",
};
pub(crate) const WAVES: Family = Family {
    name: "waves",
    about: "wave operations, counted for each lane",
    parameter: "",
};
pub(crate) const OCCUPANCY: Family = Family {
    name: "occupancy",
    about: "dependent reads by many groups, by the groupshared memory of each group of 64",
    parameter: "groupshared memory, bytes",
};
pub(crate) const LAUNCH: Family = Family {
    name: "launch",
    about: "dispatches, groups and barriers without work",
    parameter: "",
};
pub(crate) const TRANSFER: Family = Family {
    name: "transfer",
    about: "a buffer to the device, and there and back, with the runtime's own copies",
    parameter: "bytes",
};

/// The unit of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// 10⁹ of them in a second: more is better. The word names what is counted.
    Giga(&'static str),
    /// Nanoseconds for each piece of work: less is better.
    Nanoseconds,
    /// Microseconds for each piece of work: less is better.
    Microseconds,
}

impl Unit {
    /// Returns the unit's name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Unit::Giga(name) => name,
            Unit::Nanoseconds => "ns",
            Unit::Microseconds => "µs",
        }
    }

    /// Returns whether more of it is better.
    pub(crate) fn more_is_better(self) -> bool {
        matches!(self, Unit::Giga(_))
    }

    /// Returns the figure of work that took some seconds.
    pub(crate) fn value(self, work: f64, seconds: f64) -> f64 {
        match self {
            Unit::Giga(_) => work / seconds / 1e9,
            Unit::Nanoseconds => seconds / work * 1e9,
            Unit::Microseconds => seconds / work * 1e6,
        }
    }
}

/// How the time of a figure is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Clock {
    /// By the device's timestamps around a dispatch.
    Device,
    /// By the host's clock around a whole run: upload, dispatch, reading back.
    Host,
    /// As `Host`, less the time of a run of the same shader with the least work.
    HostBeyondLeast,
}

/// A dispatch of some amount of work.
pub(crate) struct Case {
    pub(crate) job: Job,
    /// Pieces of work in the figure's unit.
    pub(crate) work: f64,
    pub(crate) check: Check,
}

/// Returns by what the work of a case has to be multiplied, which the device alone knows.
pub(crate) type Factor = fn(&Outcome) -> Result<f64, String>;

/// A figure that can be measured.
pub(crate) struct Figure {
    pub(crate) family: Family,
    pub(crate) name: String,
    /// The value of the family's parameter.
    pub(crate) parameter: Option<u64>,
    pub(crate) unit: Unit,
    pub(crate) clock: Clock,
    /// The container of the shader.
    pub(crate) shader: &'static [u8],
    /// Maximum of the argument of `case`.
    pub(crate) most: u32,
    /// Returns the dispatch whose work is 2ⁿ times the least.
    pub(crate) case: Box<dyn Fn(u32) -> Case>,
    /// What the work is multiplied by.
    pub(crate) factor: Option<Factor>,
}

impl Figure {
    /// Returns a figure without a parameter, by the device's clock.
    pub(crate) fn new(
        family: Family,
        name: &str,
        unit: Unit,
        shader: &'static [u8],
        most: u32,
        case: impl Fn(u32) -> Case + 'static,
    ) -> Self {
        Figure {
            family,
            name: name.to_owned(),
            parameter: None,
            unit,
            clock: Clock::Device,
            shader,
            most,
            case: Box::new(case),
            factor: None,
        }
    }

    /// Multiplies its work by what a run says.
    pub(crate) fn times(mut self, factor: Factor) -> Self {
        self.factor = Some(factor);
        self
    }

    /// Gives it a value of the family's parameter.
    pub(crate) fn of(mut self, parameter: u64) -> Self {
        self.parameter = Some(parameter);
        self
    }

    /// Takes its time by another clock.
    pub(crate) fn by(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }
}

/// Returns the container of a shader of `bench/device`.
macro_rules! shader {
    ($name:literal) => {
        include_bytes!(concat!("../../device/", $name, ".dxil")).as_slice()
    };
}
pub(crate) use shader;
