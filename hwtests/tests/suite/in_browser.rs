//! Cases whose WGSL a headless Chromium runs on SwiftShader. Without a browser, the test says so
//! and checks nothing: `tools/setup-vulkan.sh browser` brings one.

use std::path::Path;

use dxil_hwtests::browser;
use dxil_hwtests::run::{BrowserCase, in_browser};

/// Returns the cases: those of which all resources are buffers.
macro_rules! cases {
    ($($group:ident::$name:ident),* $(,)?) => {
        [$((
            concat!(stringify!($group), "::", stringify!($name)),
            crate::$group::$name::SHADER,
            crate::$group::$name::describe,
        )),*]
    };
}

#[test]
fn a_browser_runs_dispatches() {
    let Some(command) = browser::find() else {
        eprintln!("not checked: there is no Chromium (tools/setup-vulkan.sh browser brings one)");
        return;
    };
    let cases: [BrowserCase; 37] = cases![
        arith::integer_arithmetic_wraps,
        arith::unsigned_division_by_zero_gives_all_ones,
        arith::integer_comparisons,
        arith::bit_searches_answer_minus_one_for_none,
        atomics::raw_buffer_atomics,
        atomics::compare_exchange_loops_end,
        atomics::float_compare_exchange_compares_bits,
        buffers::raw_loads_and_stores_of_one_to_four_words,
        buffers::raw_templates_move_structs,
        buffers::structured_stride_12_round_trips,
        buffers::structured_members_lie_where_d3d_puts_them,
        buffers::partial_stores_keep_the_other_components,
        cbuffers::members_pack_into_rows,
        cbuffers::rows_take_dynamic_indices,
        cbuffers::matrices_by_rows_and_by_columns,
        float_arith::float_arithmetic,
        float_arith::rounding_is_to_even,
        flow::hints_change_nothing,
        float_arith::dot_products,
        flow::nested_ifs,
        flow::switch_with_shared_labels_and_a_default_inside,
        flow::returns_from_ifs_and_loops,
        flow::switch_inside_a_loop_breaks_and_continues_it,
        flow::local_arrays_take_dynamic_indices,
        groupshared::groups_reverse_their_elements,
        groupshared::initial_values_are_restored_for_each_group,
        groupshared::barriers_in_a_loop,
        groupshared::histograms_of_many_groups,
        groupshared::lists_of_a_group_are_read_in_tiles,
        groupshared::scans_switch_halves_between_barriers,
        litmus::reads_of_a_place_never_go_back,
        loops::for_while_and_do_loops,
        loops::several_breaks_and_continues,
        loops::three_nested_loops_with_a_flag,
        loops::phis_read_before_any_is_written,
        loops::trip_counts_depend_on_data,
        loops::loop_with_four_ways_out,
    ];
    let profile = Path::new(env!("CARGO_TARGET_TMPDIR")).join("in_browser");
    let problems = in_browser(&cases, &command, &profile).unwrap();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
