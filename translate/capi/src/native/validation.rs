//! Validation of containers, and their digests.

use std::ffi::{CString, c_char};

use dxil_frontend::container::{Container, DigestStatus};
use dxil_frontend::validate::{Options, Severity, ValidationReport, Violation, validate};

use super::{DxilJitCode, DxilJitError, bad_argument, bytes_of, caught, copy, report};
use crate::compat::c_string;
use crate::handles::Table;

/// The reports that are alive. Callers have handles of them.
static REPORTS: Table<DxilJitReport> = Table::new(5);

/// Also warn of gradients and barriers in control flow that may differ between lanes, and of
/// gradients that depend on wave operations (`UNI.*`). D3D12 accepts such shaders.
pub const DXIL_JIT_VALIDATE_UNIFORMITY: u32 = 1;

/// Take the preview shader model 6.10 for a released one.
pub const DXIL_JIT_VALIDATE_PREVIEW: u32 = 1 << 1;

/// First byte that a container's digest covers; the digest is stored in front, from byte 4.
const HASHED_FROM: usize = 20;

/// Severities of violations.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DxilJitSeverity {
    /// D3D12 accepts the shader.
    Warning = 0,
    /// D3D12 refuses the shader.
    Error = 1,
}

/// The result of comparing the digest that a container stores with the digest of its content.
#[repr(u32)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DxilJitDigestStatus {
    /// The stored digest is zero: the container was not signed.
    Unsigned = 0,
    /// Both are equal.
    Valid = 1,
    /// The marker of preview compilers is stored (all bytes are 2).
    Preview = 2,
    /// The marker that tells runtimes to skip the check is stored (all bytes are 1).
    Bypass = 3,
    /// They differ: the container was changed after it was signed.
    Mismatch = 4,
}

/// A rule that a shader breaks, and where. Strings live as long as the report. Numbers that are not
/// known are all ones.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DxilJitViolation {
    /// Name of the rule, as `INSTR.INBOUNDSACCESS`.
    pub rule: *const c_char,
    /// A sentence about this violation.
    pub detail: *const c_char,
    /// Severity, position, rule and detail in one line.
    pub message: *const c_char,
    /// Name of the function; null if the position is in no function.
    pub function_name: *const c_char,
    /// Source file of the instruction; null if the container has no debug information about it.
    pub file: *const c_char,
    /// Byte offset in the input.
    pub offset: u64,
    /// A `dxil_jit_severity`.
    pub severity: u32,
    /// Function of the module.
    pub function: u32,
    /// Block of the function.
    pub block: u32,
    /// Instruction of the function.
    pub instruction: u32,
    /// Line in the source file, from 1; 0 if `file` is null.
    pub line: u32,
    /// Column in the source file, from 1; 0 if it is not known.
    pub column: u32,
    /// Part of the container, as a string; empty if not known.
    pub part: [c_char; 8],
}

/// The result of a validation. Pointers live as long as the report.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DxilJitReportContent {
    /// No violation is an error.
    pub is_valid: bool,
    /// Minor number of the validator version (1.x) whose rules were checked.
    pub validator_minor: u32,
    /// Violations: those of the container first, then those of the module in its order.
    pub violations: *const DxilJitViolation,
    /// Number of them, at most 10,000.
    pub violation_count: usize,
    /// Number of violations beyond that.
    pub omitted_count: usize,
}

/// The result of a validation. Read it with `dxil_jit_report_content`.
pub struct DxilJitReport {
    content: DxilJitReportContent,
    /// The violations that `content` points to.
    _violations: Vec<DxilJitViolation>,
    /// The strings that the violations point to.
    _strings: Vec<CString>,
}

// SAFETY: the pointers point into vectors and strings beside them, which never change.
unsafe impl Send for DxilJitReport {}
// SAFETY: as above.
unsafe impl Sync for DxilJitReport {}

impl DxilJitReport {
    fn new(report: &ValidationReport) -> Self {
        let mut strings = Vec::new();
        let mut keep = |text: &str| {
            let string = c_string(text);
            // The characters stay where they are when the vector grows.
            let pointer = string.as_ptr();
            strings.push(string);
            pointer
        };
        let violations: Vec<DxilJitViolation> = report
            .violations
            .iter()
            .map(|violation| DxilJitViolation::new(violation, &mut keep))
            .collect();
        DxilJitReport {
            content: DxilJitReportContent {
                is_valid: report.is_valid(),
                validator_minor: u32::from(report.validator_minor),
                violations: violations.as_ptr(),
                violation_count: violations.len(),
                omitted_count: report.left_out,
            },
            _violations: violations,
            _strings: strings,
        }
    }
}

impl DxilJitViolation {
    fn new(violation: &Violation, keep: &mut impl FnMut(&str) -> *const c_char) -> Self {
        let location = &violation.location;
        let source = location.source.as_deref();
        let mut part = [0; 8];
        if let Some(name) = location.part {
            copy(&mut part, &name.0);
        }
        DxilJitViolation {
            rule: keep(violation.rule.name()),
            detail: keep(&violation.detail),
            message: keep(&violation.to_string()),
            function_name: violation
                .function
                .as_deref()
                .map_or(std::ptr::null(), &mut *keep),
            file: source.map_or(std::ptr::null(), |source| keep(&source.file)),
            offset: location.offset.unwrap_or(u64::MAX),
            severity: match violation.severity {
                Severity::Warning => DxilJitSeverity::Warning,
                Severity::Error => DxilJitSeverity::Error,
            } as u32,
            function: location.function.map_or(u32::MAX, |id| id.as_u32()),
            block: location.block.map_or(u32::MAX, |id| id.as_u32()),
            instruction: location.inst.map_or(u32::MAX, |id| id.as_u32()),
            line: source.map_or(0, |source| source.line),
            column: source.map_or(0, |source| source.column),
            part,
        }
    }
}

/// Returns the error for a report that is not valid: its first violation that is an error.
fn first_error(report: &ValidationReport) -> Option<Box<DxilJitError>> {
    if report.is_valid() {
        return None;
    }
    let mut all = report.violations.iter();
    let first = all.find(|violation| violation.severity == Severity::Error);
    let message = first.map_or_else(String::new, ToString::to_string);
    let mut error = DxilJitError::new(DxilJitCode::Malformed, &message);
    copy(&mut error.name, b"breaks-rule");
    if let Some(Violation { location, .. }) = first {
        error.set_location(location);
    }
    Some(error)
}

/// Runs a call and writes its error, if the caller wants it. A panic is `Internal`.
///
/// # Safety
/// `error` is null or can be written.
unsafe fn run(
    error: *mut DxilJitError,
    call: impl FnOnce() -> Result<(), Box<DxilJitError>>,
) -> DxilJitCode {
    let outcome = caught(call);
    // SAFETY: the caller keeps the rule above.
    unsafe { report(outcome, error) }
}

/// Checks a shader against the rules of DXIL's validator: a DXContainer, or bare bitcode without
/// the rules about containers.
///
/// `validator_minor` is the minor number of the validator version (1.x) whose rules apply; a
/// negative number selects the version that the module asks for. `flags` are `DXIL_JIT_VALIDATE_`
/// bits; others are ignored. Returns `DXIL_JIT_CODE_OK` for a valid shader and
/// `DXIL_JIT_CODE_MALFORMED` for one that breaks a rule; `*error` is then the first violation. In
/// both cases `*report` is a new report with all violations, which the caller frees with
/// `dxil_jit_report_free`. After any other result `*report` is null. `report` and `error` may be
/// null. May be called from many threads at once.
///
/// # Safety
/// `bytes` is null or points to `size` bytes; `report` and `error` are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_validate(
    bytes: *const u8,
    size: usize,
    validator_minor: i32,
    flags: u32,
    report: *mut *mut DxilJitReport,
    error: *mut DxilJitError,
) -> DxilJitCode {
    let mut handle: *mut DxilJitReport = std::ptr::null_mut();
    let call = || {
        // SAFETY: the caller keeps the rules above.
        let bytes = unsafe { bytes_of(bytes, size) }?;
        let minor = match validator_minor {
            ..0 => None,
            minor => Some(u8::try_from(minor).unwrap_or(u8::MAX)),
        };
        let mut options = Options::default();
        options.validator_minor = minor;
        options.uniformity = flags & DXIL_JIT_VALIDATE_UNIFORMITY != 0;
        options.preview = flags & DXIL_JIT_VALIDATE_PREVIEW != 0;
        let found = validate(bytes, &options);
        if !report.is_null() {
            handle = REPORTS.insert(Box::new(DxilJitReport::new(&found)));
            if handle.is_null() {
                return Err(bad_argument("a million reports are alive"));
            }
        }
        first_error(&found).map_or(Ok(()), Err)
    };
    // SAFETY: the caller keeps the rules above.
    let code = unsafe { run(error, call) };
    if !report.is_null() {
        // SAFETY: as above.
        unsafe { report.write(handle) };
    }
    code
}

/// Returns the content of a report. It lives as long as the report. Null for null, and for a report
/// that was freed.
///
/// # Safety
/// Nobody frees the report meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_report_content(
    report: *const DxilJitReport,
) -> *const DxilJitReportContent {
    // SAFETY: the table gives null or a report that is alive; nobody frees it meanwhile.
    let report = unsafe { REPORTS.get(report).as_ref() };
    report.map_or(std::ptr::null(), |report| &raw const report.content)
}

/// Frees a report. Nothing happens for null, and for a report that was freed.
///
/// # Safety
/// Nobody uses the report's content afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_report_free(report: *mut DxilJitReport) {
    drop(REPORTS.remove(report));
}

/// Computes the digest of a container's content, of DXIL or DXBC, and compares it with the digest
/// that the container stores.
///
/// `digest` gets the 16 bytes of the computed digest, `*status` a `dxil_jit_digest_status`. Both
/// and `error` may be null. Returns `DXIL_JIT_CODE_MALFORMED` for bytes that are no container.
///
/// # Safety
/// `bytes` is null or points to `size` bytes; `digest` is null or points to 16 bytes that can be
/// written; `status` and `error` are null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_digest(
    bytes: *const u8,
    size: usize,
    digest: *mut u8,
    status: *mut u32,
    error: *mut DxilJitError,
) -> DxilJitCode {
    let call = || {
        // SAFETY: the caller keeps the rules above.
        let bytes = unsafe { bytes_of(bytes, size) }?;
        let container =
            Container::parse(bytes).map_err(|e| Box::<DxilJitError>::from(&e.into()))?;
        if !digest.is_null() {
            // SAFETY: as above.
            unsafe {
                digest.cast::<[u8; 16]>().write(container.compute_digest());
            }
        }
        if !status.is_null() {
            let found = match container.digest() {
                DigestStatus::Unsigned => DxilJitDigestStatus::Unsigned,
                DigestStatus::Valid => DxilJitDigestStatus::Valid,
                DigestStatus::Preview => DxilJitDigestStatus::Preview,
                DigestStatus::Bypass => DxilJitDigestStatus::Bypass,
                DigestStatus::Mismatch => DxilJitDigestStatus::Mismatch,
            };
            // SAFETY: as above.
            unsafe { status.write(found as u32) };
        }
        Ok(())
    };
    // SAFETY: the caller keeps the rules above.
    unsafe { run(error, call) }
}

/// Signs a container, of DXIL or DXBC: writes the digest of its content into its header. Nothing is
/// validated; D3D12 trusts the digest, so call `dxil_jit_validate` first.
///
/// `error` may be null. Returns `DXIL_JIT_CODE_MALFORMED` for bytes that are no container, which
/// stay as they are.
///
/// # Safety
/// `bytes` is null or points to `size` bytes that can be written and that no other thread uses;
/// `error` is null or can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dxil_jit_sign(
    bytes: *mut u8,
    size: usize,
    error: *mut DxilJitError,
) -> DxilJitCode {
    let call = || {
        let digest = {
            // SAFETY: the caller keeps the rules above.
            let content = unsafe { bytes_of(bytes, size) }?;
            let container =
                Container::parse(content).map_err(|e| Box::<DxilJitError>::from(&e.into()))?;
            container.compute_digest()
        };
        const DIGEST_FROM: usize = HASHED_FROM - 16;
        // SAFETY: as above; a container that was parsed has a header of at least 32 bytes.
        unsafe { bytes.add(DIGEST_FROM).cast::<[u8; 16]>().write(digest) };
        Ok(())
    };
    // SAFETY: the caller keeps the rules above.
    unsafe { run(error, call) }
}
