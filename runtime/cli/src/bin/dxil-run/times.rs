//! Times as text.

use std::time::Duration;

pub(crate) fn show_time(time: Duration) -> String {
    let us = time.as_secs_f64() * 1e6;
    if us < 1000.0 {
        format!("{us:.1} us")
    } else if us < 1e6 {
        format!("{:.2} ms", us / 1e3)
    } else {
        format!("{:.2} s", us / 1e6)
    }
}
