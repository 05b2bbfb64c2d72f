//! System values that have an operation of their own, as the caller gives them.

/// System values of an invocation that it reads by operations, not as inputs.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SystemValues {
    /// First vertex of the draw.
    pub start_vertex: u32,
    /// First instance of the draw.
    pub start_instance: u32,
    /// `SV_PrimitiveID`.
    pub primitive: u32,
    /// `SV_GSInstanceID`.
    pub instance: u32,
    /// `SV_OutputControlPointID`.
    pub control_point: u32,
    /// `SV_DomainLocation`.
    pub location: [f32; 3],
    /// `SV_SampleIndex`.
    pub sample: u32,
    /// `SV_Coverage` as an input.
    pub coverage: u32,
    /// `SV_InnerCoverage`.
    pub inner_coverage: u32,
    /// Samples of the render target.
    pub samples: u32,
}

/// Places of the values in a lane's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SystemWord {
    StartVertex,
    StartInstance,
    View,
    Primitive,
    Instance,
    ControlPoint,
    /// Three words.
    Location,
    Sample = 9,
    Coverage,
    InnerCoverage,
    Samples,
}

/// Number of words of [`SystemValues`].
pub(crate) const SYSTEM_WORDS: u32 = 13;

impl SystemValues {
    /// Returns the words in the order of [`SystemWord`]; `view` is `SV_ViewID`.
    pub(crate) fn words(&self, view: u32) -> [u32; SYSTEM_WORDS as usize] {
        let [x, y, z] = self.location.map(f32::to_bits);
        [
            self.start_vertex,
            self.start_instance,
            view,
            self.primitive,
            self.instance,
            self.control_point,
            x,
            y,
            z,
            self.sample,
            self.coverage,
            self.inner_coverage,
            self.samples,
        ]
    }
}
