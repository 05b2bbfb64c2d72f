//! A case: the inputs of a shader and the results that it must give.
//!
//! The expectation is computed on the CPU, by a plain function of the inputs, before anything runs.

use dxil_runtime::graphics::QueryResult;
use dxil_runtime::language::Language;
use dxil_runtime::{
    Backend, Format, Job, Register, ResourceView, Storage, Work,
    job::{BufferView, ResourceId, Sampler, Texture},
};
use dxil_translate::Features;

use crate::element::{Element, Tolerance, from_bytes, to_bytes};

/// Fills outputs before the shader runs, so that a missing write is visible.
pub(crate) const FILL: u8 = 0xa5;

/// Checks the bytes of one resource after the run.
type Verify = Box<dyn Fn(&[u8]) -> Result<(), String>>;

/// Checks the results of queries.
type VerifyQueries = Box<dyn Fn(&[QueryResult]) -> Result<(), String>>;

/// An execution test: a job and checks of its results.
pub struct Case {
    /// The job for the runtime.
    pub job: Job,
    /// Number of lanes of a wave on the device.
    pub wave_size: u32,
    /// Optional features of the device.
    pub features: Features,
    /// Translate min-precision types to native 16 bits.
    pub native_min_precision: bool,
    /// What the translator takes the device to compute by itself, if not what its driver is known
    /// for.
    pub numerics: Option<dxil_translate::Numerics>,
    /// The treatment of vendors' shader extensions.
    pub vendor: dxil_translate::VendorOptions,
    checks: Vec<(String, ResourceId, Verify)>,
    counters: Vec<(Register, u32)>,
    heap_counters: Vec<(u32, u32)>,
    queries: Vec<VerifyQueries>,
    refusal: Option<String>,
    lacking: Option<String>,
    portable_refusal: Option<String>,
    lost: Vec<(Language, String)>,
    backend: Backend,
}

/// Parses the name of a register. Panics on a misspelled name, which is a bug of the test.
#[track_caller]
fn register(name: &str) -> Register {
    match name.parse() {
        Ok(register) => register,
        Err(error) => unreachable!("{error}"),
    }
}

/// Returns a message with the first difference between results and expectations, and the number of
/// differences.
pub(crate) fn compare<T: Element>(
    got: &[T],
    expected: &[T],
    tolerance: Tolerance,
) -> Result<(), String> {
    if got.len() != expected.len() {
        return Err(format!(
            "{} elements, expected {}",
            got.len(),
            expected.len()
        ));
    }
    let wrong: Vec<usize> = (0..got.len())
        .filter(|&index| !got[index].matches(expected[index], tolerance))
        .collect();
    if wrong.is_empty() {
        return Ok(());
    }
    let mut text = format!("{} of {} elements differ:", wrong.len(), got.len());
    // A few are enough to see what is wrong.
    for &index in wrong.iter().take(12) {
        text.push_str(&format!(
            "\n  [{index}] is {:?} ({}), expected {:?} ({})",
            got[index],
            hex(got[index]),
            expected[index],
            hex(expected[index])
        ));
    }
    Err(text)
}

fn hex<T: Element>(value: T) -> String {
    let mut bytes = to_bytes(&[value]);
    // The highest byte first, as numbers are written.
    bytes.reverse();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Case {
    /// Returns a case of one thread group without bound resources.
    pub fn new(backend: Backend, wave_size: u32) -> Self {
        Case {
            job: Job::dispatch([1, 1, 1]),
            wave_size,
            features: Features::empty(),
            native_min_precision: false,
            numerics: None,
            vendor: dxil_translate::VendorOptions::default(),
            checks: Vec::new(),
            counters: Vec::new(),
            heap_counters: Vec::new(),
            queries: Vec::new(),
            refusal: None,
            lacking: None,
            portable_refusal: None,
            lost: Vec::new(),
            backend,
        }
    }

    /// Sets the number of thread groups.
    pub fn groups(&mut self, x: u32, y: u32, z: u32) {
        self.job.work = Work::Dispatch([x, y, z]);
    }

    /// Binds a constant, raw or structured buffer for reading.
    pub fn input<T: Element>(&mut self, name: &str, values: &[T]) -> ResourceId {
        self.job.bind_buffer(register(name), to_bytes(values))
    }

    /// Binds a typed buffer for reading.
    pub fn typed_input<T: Element>(&mut self, name: &str, format: Format, values: &[T]) {
        self.job
            .bind_typed_buffer(register(name), format, to_bytes(values));
    }

    /// Binds a texture for reading.
    pub fn texture(&mut self, name: &str, texture: Texture) {
        self.job.bind_texture(register(name), texture);
    }

    /// Binds a sampler.
    pub fn sampler(&mut self, name: &str, sampler: Sampler) {
        self.job.bind_sampler(register(name), sampler);
    }

    /// Binds the bytes of a constant buffer or of root constants.
    pub fn constants(&mut self, name: &str, bytes: Vec<u8>) {
        self.job.bind_constants(register(name), bytes);
    }

    /// Binds another view of a resource that is bound already.
    pub fn view(&mut self, name: &str, view: ResourceView) {
        self.job.bind(register(name), view);
    }

    /// Binds a buffer that the shader must fill with exactly these values.
    pub fn expect<T: Element>(&mut self, name: &str, expected: Vec<T>) {
        self.expect_near(name, expected, Tolerance::Exact);
    }

    /// Binds a buffer that the shader must fill with these values, up to a tolerance.
    pub fn expect_near<T: Element>(&mut self, name: &str, expected: Vec<T>, tolerance: Tolerance) {
        let initial = vec![FILL; expected.len() * T::BYTES];
        let id = self.job.bind_buffer(register(name), initial);
        self.check(name, id, move |got| compare(got, &expected, tolerance));
    }

    /// Binds a buffer that the shader must fill with `count` elements that satisfy a check.
    pub fn expect_that<T: Element>(
        &mut self,
        name: &str,
        count: usize,
        verify: impl Fn(&[T]) -> Result<(), String> + 'static,
    ) {
        let initial = vec![FILL; count * T::BYTES];
        let id = self.job.bind_buffer(register(name), initial);
        self.check(name, id, verify);
    }

    /// Binds a buffer that holds `initial` before the run and must hold `expected` after it.
    pub fn update<T: Element, U: Element>(
        &mut self,
        name: &str,
        initial: &[T],
        expected: Vec<U>,
    ) -> ResourceId {
        let id = self.job.bind_buffer(register(name), to_bytes(initial));
        self.check(name, id, move |got| {
            compare(got, &expected, Tolerance::Exact)
        });
        id
    }

    /// Binds a buffer that holds `initial` before the run and must hold `expected` after it, up to
    /// a tolerance.
    pub fn update_near<T: Element, U: Element>(
        &mut self,
        name: &str,
        initial: &[T],
        expected: Vec<U>,
        tolerance: Tolerance,
    ) {
        let id = self.job.bind_buffer(register(name), to_bytes(initial));
        self.check(name, id, move |got| compare(got, &expected, tolerance));
    }

    /// Binds a typed buffer that holds `initial` before the run and must hold `expected` after it.
    pub fn typed_update<T: Element>(
        &mut self,
        name: &str,
        format: Format,
        initial: &[T],
        expected: Vec<T>,
        tolerance: Tolerance,
    ) {
        let id = self
            .job
            .bind_typed_buffer(register(name), format, to_bytes(initial));
        self.check(name, id, move |got| compare(got, &expected, tolerance));
    }

    /// Binds a texture that must hold `expected` after the run.
    pub fn texture_update<T: Element>(
        &mut self,
        name: &str,
        texture: Texture,
        expected: Vec<T>,
        tolerance: Tolerance,
    ) {
        let id = self.job.bind_texture(register(name), texture);
        self.check(name, id, move |got| compare(got, &expected, tolerance));
    }

    /// Binds a structured buffer with a hidden counter, and checks both after the run.
    pub fn counted<T: Element>(
        &mut self,
        name: &str,
        initial: &[T],
        counter: (u32, u32),
        verify: impl Fn(&[T]) -> Result<(), String> + 'static,
    ) {
        let at = register(name);
        let id = self
            .job
            .add_resource(name, Storage::Buffer(to_bytes(initial)), true);
        self.job.bind(
            at,
            ResourceView::Buffer(BufferView {
                resource: id,
                offset: 0,
                size: None,
                format: None,
                counter: Some(counter.0),
            }),
        );
        self.counters.push((at, counter.1));
        self.check(name, id, move |got: &[T]| verify(got));
    }

    /// Checks the hidden counter of a UAV in a slot of the heap after the run.
    pub fn heap_counter(&mut self, slot: u32, expected: u32) {
        self.heap_counters.push((slot, expected));
    }

    /// Adds a resource without a register, for the heaps. Its contents are read back if a check
    /// needs them.
    pub fn resource(&mut self, name: &str, storage: Storage, read_back: bool) -> ResourceId {
        self.job.add_resource(name, storage, read_back)
    }

    /// Expects an error that contains this text, on every device.
    pub fn must_be_refused(&mut self, text: &str) {
        self.refusal = Some(text.to_owned());
    }

    /// Returns the backend that runs the case.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// Allows an error that contains this text: the device may lack what the case needs.
    pub fn may_lack(&mut self, text: &str) {
        self.lacking = Some(text.to_owned());
    }

    /// Returns the text of the error for a device that lacks what the case needs.
    pub(crate) fn lacking(&self) -> Option<&str> {
        self.lacking.as_deref()
    }

    /// Expects an error that contains this text on wgpu, which cannot express the shader.
    pub fn wgpu_refuses(&mut self, text: &str) {
        if self.backend == Backend::Wgpu {
            self.must_be_refused(text);
        }
    }

    /// Allows an error that contains this text on wgpu without passthrough.
    pub fn portable_refuses(&mut self, text: &str) {
        self.portable_refusal = Some(text.to_owned());
    }

    /// Notes a property that the text of a language loses, so that the results of the shader
    /// differ.
    pub fn text_loses(&mut self, language: Language, what: &str) {
        self.lost.push((language, what.to_owned()));
    }

    /// Returns the property that the text of a language loses.
    pub(crate) fn lost(&self, language: Language) -> Option<&str> {
        let mut all = self.lost.iter();
        all.find(|(of, _)| *of == language)
            .map(|(_, what)| what.as_str())
    }

    /// Returns the text of the error that is allowed without passthrough.
    pub(crate) fn portable_refusal(&self) -> Option<&str> {
        self.portable_refusal.as_deref().or(self.refusal())
    }

    /// Returns the text of the error that the case expects.
    pub(crate) fn refusal(&self) -> Option<&str> {
        self.refusal.as_deref()
    }

    /// Adds a check of a resource's contents after the run.
    pub fn check<T: Element>(
        &mut self,
        name: &str,
        id: ResourceId,
        verify: impl Fn(&[T]) -> Result<(), String> + 'static,
    ) {
        self.checks.push((
            name.to_owned(),
            id,
            Box::new(move |bytes| verify(&from_bytes(bytes))),
        ));
    }

    /// Adds a check that a resource holds exactly these values.
    pub fn check_equal<T: Element>(&mut self, name: &str, id: ResourceId, expected: Vec<T>) {
        self.check(name, id, move |got| {
            compare(got, &expected, Tolerance::Exact)
        });
    }

    /// Adds a check of the results of a draw's queries.
    pub fn check_queries(
        &mut self,
        verify: impl Fn(&[QueryResult]) -> Result<(), String> + 'static,
    ) {
        self.queries.push(Box::new(verify));
    }

    /// Returns a message for each check that an outcome fails.
    pub fn failures(&self, outcome: &dxil_runtime::Outcome) -> Vec<String> {
        let mut failures = Vec::new();
        // Such a case would always pass.
        if self.checks.is_empty() && self.queries.is_empty() {
            failures.push("the case checks nothing".to_owned());
        }
        for (name, id, verify) in &self.checks {
            match outcome.bytes(*id) {
                None => failures.push(format!("{name}: was not read back")),
                Some(bytes) => {
                    if let Err(text) = verify(bytes) {
                        failures.push(format!("{name}: {text}"));
                    }
                }
            }
        }
        for verify in &self.queries {
            if let Err(text) = verify(&outcome.queries) {
                failures.push(format!("queries: {text}"));
            }
        }
        for (at, expected) in &self.counters {
            match outcome.counters.iter().find(|(name, _)| name == at) {
                None => failures.push(format!("{at}: its counter was not read back")),
                Some((_, got)) if got != expected => {
                    failures.push(format!("{at}: counter is {got}, expected {expected}"));
                }
                Some(_) => {}
            }
        }
        for (slot, expected) in &self.heap_counters {
            match outcome.heap_counters.iter().find(|(name, _)| name == slot) {
                None => failures.push(format!("slot {slot}: its counter was not read back")),
                Some((_, got)) if got != expected => {
                    failures.push(format!(
                        "slot {slot}: counter is {got}, expected {expected}"
                    ));
                }
                Some(_) => {}
            }
        }
        failures
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_names_element_and_values() {
        let text = compare(&[1u32, 2], &[1, 3], Tolerance::Exact).unwrap_err();
        assert_eq!(
            text,
            "1 of 2 elements differ:\n  [1] is 2 (00000002), expected 3 (00000003)"
        );
    }

    #[test]
    fn a_case_without_checks_fails() {
        let case = Case::new(Backend::Vulkan, 8);
        assert_eq!(
            case.failures(&dxil_runtime::Outcome::default()),
            ["the case checks nothing"]
        );
    }
}
