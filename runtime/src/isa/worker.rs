//! The child process in which a driver runs.

use std::env;
use std::io;
use std::process;
use std::time::Duration;

use super::compile::compile;
use super::compiler::VARIABLE;
use super::message::{self, Compiled, Names, Request};
use crate::device::{self, Backend, Capture, OpenOptions, ProfileFile};

/// Serves as the worker of the program that started this process with [`super::Compiler`], and does
/// not return; returns at once in any other process. Call it at the start of `main`.
pub fn serve_if_worker() {
    let Ok(settings) = env::var(VARIABLE) else {
        return;
    };
    let code = match serve(&settings) {
        Ok(()) => 0,
        // The other side has gone, or never was a `Compiler`.
        Err(_) => 1,
    };
    process::exit(code);
}

/// Opens the device, says its names, and answers requests until there are no more.
fn serve(settings: &str) -> io::Result<()> {
    let (input, output) = (&mut io::stdin().lock(), &mut io::stdout().lock());
    let source_lines = settings.split(' ').nth(1) == Some("lines");
    let opened = OpenOptions::of_worker(settings).map(|options| device::open(&options));
    let device = match opened {
        None => return Err(io::Error::other("settings of another version")),
        Some(Ok(device)) => device,
        Some(Err(error)) => {
            return message::write(output, &Err::<Names, String>(error.to_string()));
        }
    };
    let info = device.info();
    let names = Names {
        device: info.name.clone(),
        driver: info.driver.clone(),
        profile: ProfileFile::of(device.profile()),
    };
    message::write(output, &Ok::<Names, String>(names))?;
    while let Some(mut request) = message::read::<Request>(input)? {
        request.source_lines |= source_lines;
        let compiled: Result<Compiled, String> =
            compile(&*device, &request).map_err(|error| error.to_string());
        message::write(output, &compiled)?;
    }
    Ok(())
}

impl OpenOptions {
    /// Returns what [`Settings::for_worker`] wrote.
    fn of_worker(settings: &str) -> Option<OpenOptions> {
        let mut words = settings.split(' ');
        let mut options = OpenOptions::new(Backend::Vulkan);
        options.index = words.next()?.parse().ok()?;
        options.capture = match words.next()? {
            "texts" | "lines" => Capture::Texts,
            _ => Capture::Statistics,
        };
        options.robustness2 = words.next()? == "robustness2";
        options.timeout = Duration::from_secs(60);
        Some(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Settings;

    #[test]
    fn settings_reach_the_worker() {
        for (texts, robustness2) in [(true, false), (false, true)] {
            let mut settings = Settings::default();
            (settings.texts, settings.robustness2) = (texts, robustness2);
            let options = OpenOptions::of_worker(&settings.for_worker(3)).unwrap();
            assert_eq!(options.index, 3);
            assert_eq!(options.capture == Capture::Texts, texts);
            assert_eq!(options.robustness2, robustness2);
        }
        assert!(OpenOptions::of_worker("yes").is_none());
    }
}
