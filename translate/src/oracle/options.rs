//! Options of all kinds, from random numbers.

use dxil_frontend::oracle::Random;

use crate::workarounds::Quirks;
use crate::{
    Features, FeedbackTexel, Numerics, Options, SourceDebugInfo, Style, Target, VulkanVersion,
};

/// Returns options for a target that exists: any version, style and features, and any of the
/// choices that need no slot of the caller's.
pub fn any_options(random: &mut Random) -> Options {
    let mut options = Options {
        target: any_target(random),
        bounds_checks: random.below(2) == 0,
        debug_info: random.below(2) == 0,
        native_min_precision: random.below(2) == 0,
        fast_half_packing: random.below(4) == 0,
        helper_lanes_in_waves: random.below(4) == 0,
        source: pick(
            random,
            &[
                SourceDebugInfo::None,
                SourceDebugInfo::Lines,
                SourceDebugInfo::Full,
            ],
        ),
        required_subgroup_size: pick(random, &[0, 0, 0, 4, 8, 16, 32, 64]),
        feedback: pick(random, &[FeedbackTexel::Mips, FeedbackTexel::Neighbours]),
        ..Options::default()
    };
    let signature = &mut options.signature;
    signature.dual_source_blending = random.below(8) == 0;
    signature.invariant_position = random.below(4) == 0;
    signature.raw_vertex_and_instance_ids = random.below(4) == 0;
    signature.write_point_size = random.below(4) == 0;
    if random.below(8) == 0 {
        signature.output_swizzles = vec![[2, 1, 0, 3]; 8];
    }
    let workarounds = &mut options.workarounds;
    if random.below(2) == 0 {
        workarounds.quirks = Quirks::from_bits_truncate(low_word(random) & low_word(random));
    }
    workarounds.full_min_precision = random.below(4) == 0;
    workarounds.shader_hints = random.below(4) != 0;
    workarounds.max_tessellation = (random.below(8) == 0).then_some(8);
    workarounds.lane_count = (random.below(8) == 0).then_some(32);
    options
}

/// Returns a target with all features, with none, with all but one, with one, or with any.
fn any_target(random: &mut Random) -> Target {
    let vulkan = pick(
        random,
        &[
            VulkanVersion::V1_1,
            VulkanVersion::V1_2,
            VulkanVersion::V1_3,
            VulkanVersion::V1_4,
        ],
    );
    let style = pick(random, &[Style::Native, Style::Native, Style::Portable]);
    let one = Features::from_bits_truncate(1 << random.below(128));
    let features = match random.below(8) {
        0..=2 => Features::all(),
        3 => Features::empty(),
        4 => Features::all() - one,
        5 => one,
        _ => {
            let bits = u128::from(random.next()) << 64 | u128::from(random.next());
            Features::from_bits_truncate(bits)
        }
    };
    let mut target = Target::new(vulkan, style, features);
    target.numerics = pick(
        random,
        &[
            Numerics::default(),
            Numerics::OF_LAYERS,
            Numerics::of_driver(3),
            Numerics::of_driver(4),
        ],
    );
    target
}

fn pick<T: Copy>(random: &mut Random, from: &[T]) -> T {
    from[random.below(from.len())]
}

fn low_word(random: &mut Random) -> u32 {
    random.next() as u32
}
