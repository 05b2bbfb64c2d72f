//! Shaders that other compilers than DXC wrote (docs/producers.md).

use dxil_hwtests::rows;

gpu_case!(
    mesa_a_compare_exchange_of_the_old_form_gives_the_old_value,
    "producers/mesa_exchange",
    |t| {
        // One thread finds 0 and leaves its number, 1 to 64, in the slot. The others get 0.
        t.expect_that("u0", 64, |slots: &[u32]| {
            let slots = (1u32..).zip(slots.iter().copied());
            let taken: Vec<(u32, u32)> = slots.filter(|(_, slot)| *slot != 0).collect();
            match *taken {
                [(number, slot)] if number == slot => Ok(()),
                _ => Err(format!("who took the slot, and its content: {taken:?}")),
            }
        });
    }
);

gpu_case!(
    mesa_an_array_of_0_registers_is_unbounded,
    "producers/mesa_unbounded",
    |t| {
        for index in 0..4 {
            t.input(
                &format!("u{index},space1"),
                &rows(8, |i| 10 * index + i as u32),
            );
        }
        t.expect("u0", rows(8, |i| 10 * (i as u32 & 3) + i as u32 + 100));
    }
);

gpu_case!(
    gogpu_an_unknown_memory_order_is_the_strongest,
    "producers/gogpu_bits",
    |t| {
        let input = rows(8, |i| 0x0123_4567_u32.rotate_left(3 * i as u32));
        t.input("t0", &input);
        let sum: u32 = input.iter().map(|value| value >> 4 & 0xff).sum();
        let results: Vec<u32> = input
            .iter()
            .map(|value| sum & !0x00ff_0000 | (value & 0xff) << 16)
            .collect();
        t.expect("u1", results);
    }
);

gpu_case!(
    gogpu_operations_have_their_own_names,
    "producers/own_names",
    |t| {
        let start: Vec<[u32; 4]> = rows(8, |i| {
            let bits = 0x9e37_79b9_u32.wrapping_mul(i as u32 + 1);
            [bits, bits.rotate_left(13), 0, 0]
        });
        let results: Vec<[u32; 4]> = rows(8, |i| {
            let [v, w, ..] = start[i];
            let field = 0x7f << 9;
            let size = (i as f32 - 3.25).floor().abs().max(2.0) as u32;
            [
                v << 9 & field | w & !field,
                v >> 3 & 0x1f,
                v.count_ones() << 16 | size,
                w.reverse_bits(),
            ]
        });
        t.update("u0", &start, results);
    }
);
