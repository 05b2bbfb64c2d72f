//! Which conditions the first thread decides, which stay, and which are refused. The rules are
//! WGSL's (15.2 "Uniformity").

use naga::back::wgsl::{WriterFlags, write_string};

use super::*;

/// Returns the text after the pass: the same as before if nothing changed.
fn proven_text(body: &str) -> Result<String, &'static str> {
    let text = format!(
        "struct Words {{ words: array<u32> }}
        @group(0) @binding(0) var<storage, read_write> written: Words;
        @group(0) @binding(1) var<storage> constant: Words;
        @group(0) @binding(2) var<uniform> settings: vec4<u32>;
        var<workgroup> shared_count: u32;
        @compute @workgroup_size(64)
        fn main(
            @builtin(local_invocation_index) thread: u32,
            @builtin(workgroup_id) group: vec3<u32>,
        ) {{ {body} }}"
    );
    let module = naga::front::wgsl::parse_str(&text).unwrap_or_else(|error| panic!("{error}"));
    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
    let info = validator.validate(&module).unwrap();
    let changed = proven(&module, &info)?;
    let (module, info) = changed.as_ref().map_or((&module, &info), |(m, i)| (m, i));
    Ok(write_string(module, info, WriterFlags::empty()).unwrap())
}

/// Asserts how many conditions come from the first thread.
#[track_caller]
fn exchanges(body: &str, count: usize) {
    let text = proven_text(body).unwrap();
    assert_eq!(
        text.matches("workgroupUniformLoad(").count(),
        count,
        "{text}"
    );
}

#[test]
fn conditions_from_memory_that_may_be_written_come_from_the_first_thread() {
    exchanges("if written.words[3] > 2 { workgroupBarrier(); }", 1);
    exchanges("if shared_count > 2 { workgroupBarrier(); }", 1);
    exchanges("if constant.words[thread] > 2 { workgroupBarrier(); }", 1);
    exchanges(
        "switch written.words[0] { case 1: { workgroupBarrier(); } default: {} }",
        1,
    );
    exchanges("if written.words[3] > 2 { written.words[thread] = 1; }", 0);
}

#[test]
fn conditions_that_are_proven_uniform_stay() {
    exchanges("if settings.x > 2 { workgroupBarrier(); }", 0);
    exchanges("if constant.words[group.x] > 2 { workgroupBarrier(); }", 0);
    let counted = "for (var i = 0u; i < settings.x; i++) { workgroupBarrier(); }";
    exchanges(counted, 0);
    // A part of the threads leaves the inner loop early, and meets the others after it.
    let inner = "for (var i = 0u; i < settings.x; i++) {
        for (var k = 0u; k < 8; k++) { if k == thread { break; } written.words[k] = 1; }
        workgroupBarrier();
    }";
    exchanges(inner, 0);
}

#[test]
fn variables_that_flow_makes_different_are_not_uniform() {
    let differs = "var a = 0u;
        if written.words[thread] == 1 { a = 1u; }
        if a == 1 { workgroupBarrier(); }";
    exchanges(differs, 1);
    // The count of rounds differs before the barrier is reached.
    let rounds = "var rounds = 0u;
        loop { if written.words[thread + rounds] == 0 { break; } rounds++; }
        if rounds > 3 { workgroupBarrier(); }";
    exchanges(rounds, 1);
}

#[test]
fn every_way_out_of_a_loop_with_a_barrier_is_one_for_all() {
    let body = "loop {
        if written.words[0] == 1 { break; }
        if written.words[1] == 1 { continue; }
        workgroupBarrier();
        if written.words[2] == 1 { return; }
    }";
    exchanges(body, 3);
    exchanges(
        "if written.words[0] == 1 { return; } workgroupBarrier();",
        1,
    );
    exchanges(
        "workgroupBarrier(); if written.words[0] == 1 { return; }",
        0,
    );
    // A switch's own breaks leave no loop.
    let switch = "loop {
        switch settings.x { case 1: { if written.words[0] == 1 { break; } written.words[1] = 1; } default: {} }
        workgroupBarrier();
        if settings.y == 1 { break; }
    }";
    exchanges(switch, 0);
}

#[test]
fn an_exchange_is_a_barrier_for_the_conditions_around_it() {
    // The return makes the inner condition one for all, and so the loop's way out.
    let body = "loop {
            if written.words[1] == 1 { break; }
            if written.words[0] == 1 { return; }
        }
        workgroupBarrier();";
    exchanges(body, 2);
}

#[test]
fn barriers_under_arithmetic_on_the_thread_are_refused() {
    for body in [
        "if thread < 32 { workgroupBarrier(); }",
        "if thread > settings.x { return; } workgroupBarrier();",
        "var i = thread; loop { if i > 99 { break; } workgroupBarrier(); i += 64u; }",
    ] {
        assert_eq!(proven_text(body), Err(REASON), "{body}");
    }
}
