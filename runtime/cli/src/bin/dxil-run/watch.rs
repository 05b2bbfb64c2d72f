//! `--watch`: runs again when a file changes.
//!
//! Times and lengths of the files are polled: events of the file system miss changes on network
//! drives, and editors that replace a file instead of writing to it.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use dxil_jit::files;

use crate::args::Args;
use crate::failure::Result;
use crate::includes;
use crate::messages::report_text;

/// Time between two looks at the files.
const PERIOD: Duration = Duration::from_millis(200);

/// Time of the last change and length of each file; `None` for a missing file.
type Stamps = Vec<Option<(SystemTime, u64)>>;

/// Runs whenever a shader, a file that it includes or the pipeline file has changed, until the
/// process is ended. Failures are printed.
pub(crate) fn run(args: &Args, once: impl Fn(&Args) -> Result<()>) -> ! {
    let mut has_run = false;
    loop {
        let before = stamps(args);
        if let Err(failure) = once(args) {
            failure.print();
        }
        // Pipes that the user has named were read in the first run.
        if !std::mem::replace(&mut has_run, true) {
            files::refuse_pipes();
        }
        report_text("watching for changes; Ctrl+C ends");
        while stamps(args) == before {
            sleep(PERIOD);
        }
        // A file that is still being written to changes again.
        let mut last = stamps(args);
        loop {
            sleep(PERIOD);
            let now = stamps(args);
            if now == last {
                break;
            }
            last = now;
        }
    }
}

fn stamps(args: &Args) -> Stamps {
    let stamp = |path: &Path| {
        let metadata = fs::metadata(path).ok()?;
        Some((metadata.modified().ok()?, metadata.len()))
    };
    // What the sources include may change with each of them.
    let included = match args.profile.as_slice() {
        [] => Vec::new(),
        _ => includes::of(&args.shaders, &args.include),
    };
    let files = args.shaders.iter().chain(&args.pipeline).chain(&included);
    files.map(|path| stamp(path)).collect()
}
