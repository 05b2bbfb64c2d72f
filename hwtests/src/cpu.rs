//! Cases on the CPU executor, without and with checks. A list has the expected findings with
//! reasons.

use std::collections::BTreeSet;

use dxil_frontend::container::Container;
use dxil_runtime::program::CompileOptions;
use dxil_runtime::root_signature::formats_of;
use dxil_runtime::{Backend, Finding, Outcome, Program};

use crate::run::{
    Configuration, Failure, judge_listed, optimized_form, outcome_of, shared_device, upgraded_form,
};
use crate::{Case, Shader};

/// Lanes of a wave on the CPU if the shader does not require a number.
const CPU_WAVE_SIZE: u32 = 32;

/// Runs a case on the CPU. With the feature `native` native code has to give the same bytes. The
/// list of `refusals` has what the executor cannot do.
///
/// # Errors
///
/// If the shader is refused and not in the list, or in the list and not refused, or a result is not
/// the expected one.
pub fn plain(
    (name, refusals): (&str, &str),
    shader: &Shader,
    describe: fn(&mut Case),
) -> Result<(), Failure> {
    let (case, result) = on_cpu(Configuration::Cpu, shader, describe)?;
    if cfg!(feature = "native")
        && let Ok(interpreted) = &result
    {
        let native = on_cpu(Configuration::CpuNative, shader, describe)?.1?;
        if native.resources != interpreted.resources || native.counters != interpreted.counters {
            return Err(Failure("native code gives other bytes".to_owned()));
        }
    }
    let runs = result.is_ok();
    let result = result.map(drop);
    judge_listed(&case, result, name, ("cpu_refusals.txt", refusals))?;
    // The same case runs with the optimized shader.
    if runs && let Some(smaller) = optimized_form(shader)? {
        bytes_on_cpu(Configuration::Cpu, shader, &smaller, describe)?
            .1
            .map_err(|Failure(error)| Failure(format!("optimized: {error}")))?;
    }
    // The same case runs with the DXBC of the shader, converted to DXIL, where there is one.
    let Some(newer) = upgraded_form(shader)? else {
        return Ok(());
    };
    let (case, result) = bytes_on_cpu(Configuration::Cpu, shader, &newer, describe)?;
    let result = result.map(drop);
    judge_listed(&case, result, name, ("cpu_refusals.txt", refusals))
        .map_err(|Failure(error)| Failure(format!("from DXBC: {error}")))
}

/// Runs a case with all checks. `listed` has the lines of all cases: `case: finding: reason`, where
/// a finding is a kind and the name of the resource, if there is one.
///
/// # Errors
///
/// If the checks find something that is not listed, do not find what is listed, or a result is not
/// the expected one.
pub fn with_checks(
    (name, listed): (&str, &str),
    shader: &Shader,
    describe: fn(&mut Case),
) -> Result<(), Failure> {
    compare((name, listed), &findings_of(shader, describe)?)
}

/// Returns the findings of all checks in a case on the CPU, or nothing if the executor cannot run
/// it.
fn findings_of(shader: &Shader, describe: fn(&mut Case)) -> Result<Vec<Finding>, Failure> {
    let (_, result) = on_cpu(Configuration::CpuChecked, shader, describe)?;
    let error = match result {
        Ok(outcome) => return Ok(outcome.findings),
        Err(Failure(error)) => error,
    };
    // Without checks it must fail in the same way; whether it may is the affair of that test.
    match on_cpu(Configuration::Cpu, shader, describe)?.1 {
        Err(Failure(other)) if other == error => Ok(Vec::new()),
        _ => Err(Failure(format!("only with checks: {error}"))),
    }
}

/// Returns a case with the outcome of its run on the CPU.
fn on_cpu(
    configuration: Configuration,
    shader: &Shader,
    describe: fn(&mut Case),
) -> Result<(Case, Result<Outcome, Failure>), Failure> {
    bytes_on_cpu(configuration, shader, shader.bytes, describe)
}

/// Returns a case with the outcome of its run on the CPU, with another container of the shader and
/// its root signature.
fn bytes_on_cpu(
    configuration: Configuration,
    shader: &Shader,
    bytes: &[u8],
    describe: fn(&mut Case),
) -> Result<(Case, Result<Outcome, Failure>), Failure> {
    let device = shared_device(configuration)?;
    let mut case = Case::new(Backend::Cpu, CPU_WAVE_SIZE);
    case.features = device.profile().target.features;
    describe(&mut case);
    let attempt = || {
        let parsed = dxil_frontend::dxil::read_shader(bytes)?;
        let root = Container::parse(shader.bytes)?.root_signature()?;
        let mut options = CompileOptions::default();
        options.native_min_precision = case.native_min_precision;
        let formats = formats_of(&case.job);
        let root = root.as_ref();
        let program = Program::compile(&parsed, root, device.profile(), &formats, &options)?;
        outcome_of(&*device, shader.name, &program, &case)
    };
    let result = attempt();
    Ok((case, result))
}

fn compare((name, listed): (&str, &str), findings: &[Finding]) -> Result<(), Failure> {
    let mut expected = BTreeSet::new();
    for line in listed.lines().filter(|line| !line.starts_with('#')) {
        match line.split(": ").collect::<Vec<_>>().as_slice() {
            [case, finding, _reason, ..] if *case == name => {
                expected.insert((*finding).to_owned());
            }
            [_, _, _, ..] => {}
            _ if line.is_empty() => {}
            _ => return Err(Failure(format!("not 'case: finding: reason': {line}"))),
        }
    }
    let mut wrong = Vec::new();
    for finding in findings {
        if !expected.contains(&summary(finding)) {
            wrong.push(format!("{name}: {}: {finding}", summary(finding)));
        }
    }
    let found: BTreeSet<String> = findings.iter().map(summary).collect();
    for line in expected.difference(&found) {
        wrong.push(format!("{name}: {line}: listed, but not found"));
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Failure(wrong.join("\n")))
    }
}

/// Returns the name of a finding in the list.
fn summary(finding: &Finding) -> String {
    let kind = finding.kind.code();
    format!("{kind} {}", finding.resource).trim_end().to_owned()
}
