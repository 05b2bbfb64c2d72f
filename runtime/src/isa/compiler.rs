//! Starts workers, and notices when their driver crashes or hangs.

use std::env;
use std::ffi::OsString;
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::gpus::Selection;
use super::lines;
use super::message::{self, Compiled, Names, Request};
use crate::device::ProfileFile;
use crate::error::{Error, Result};

/// The environment variable that makes a process a worker: the number of the device, and the
/// settings.
pub(super) const VARIABLE: &str = "DXIL_JIT_ISA_WORKER";

/// Bytes of a crashed driver's last words in an error.
const MAX_WORDS: usize = 400;

/// How to compile.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Settings {
    /// Return intermediate forms and assembly. Drivers take longer.
    pub texts: bool,
    /// Keep the lines of the shader's source beside the code, where a driver can: RADV of Mesa 26.
    /// It takes texts, and shaders with debug information.
    pub source_lines: bool,
    /// Out-of-bounds accesses are the device's work, as D3D12 layers want it; without, code checks.
    pub robustness2: bool,
    /// Longest time for one request.
    pub timeout: Duration,
    /// The program to start as the worker, with its arguments. It must call
    /// [`super::serve_if_worker`]. Default: this one.
    pub worker: Option<(PathBuf, Vec<OsString>)>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            texts: false,
            source_lines: false,
            robustness2: true,
            timeout: Duration::from_secs(60),
            worker: None,
        }
    }
}

impl Settings {
    /// Returns the settings for the environment of a worker, for the device with that number.
    pub(super) fn for_worker(&self, index: usize) -> String {
        let texts = match (self.texts, self.source_lines) {
            (true, true) => "lines",
            (true, false) => "texts",
            (false, _) => "statistics",
        };
        let robust = if self.robustness2 {
            "robustness2"
        } else {
            "plain"
        };
        format!("{index} {texts} {robust}")
    }
}

/// A GPU's compiler, in a child process that ends with this value.
pub struct Compiler {
    selection: Selection,
    settings: Settings,
    names: Names,
    /// The process; a crash ends it, and the next request starts another one.
    worker: Option<Worker>,
}

struct Worker {
    process: Child,
    requests: Option<ChildStdin>,
    answers: Receiver<Answer>,
    /// The end of what it wrote to the standard error output.
    words: Receiver<String>,
}

enum Answer {
    Names(std::result::Result<Names, String>),
    Compiled(std::result::Result<Compiled, String>),
}

impl Compiler {
    /// Starts a worker for a device.
    ///
    /// # Errors
    ///
    /// [`Error::Compiler`] if the driver is missing or does not start.
    pub fn start(selection: &Selection, settings: &Settings) -> Result<Compiler> {
        let mut compiler = Compiler {
            selection: *selection,
            settings: settings.clone(),
            names: Names::default(),
            worker: None,
        };
        compiler.restart()?;
        Ok(compiler)
    }

    /// Returns the driver's name of the device.
    pub fn device(&self) -> &str {
        &self.names.device
    }

    /// Returns the driver with its version.
    pub fn driver(&self) -> &str {
        &self.names.driver
    }

    /// Returns what modules for the device may use.
    pub fn profile(&self) -> &ProfileFile {
        &self.names.profile
    }

    /// Returns what it compiles for.
    pub fn selection(&self) -> Selection {
        self.selection
    }

    /// Compiles a shader or a pipeline.
    ///
    /// # Errors
    ///
    /// [`Error::Compiler`] if the shader cannot be read or translated, if the device lacks
    /// something, and if the driver crashes or takes too long; the next request starts it again.
    pub fn compile(&mut self, request: &Request) -> Result<Compiled> {
        if self.worker.is_none() {
            self.restart()?;
        }
        let Some(worker) = &mut self.worker else {
            return Err(self.problem(&request.name, "the driver does not start"));
        };
        // An error here is the end of the process, which the answer tells of.
        if let Some(requests) = &mut worker.requests {
            drop(message::write(requests, request));
        }
        match self.answer(&request.name)? {
            Answer::Compiled(Ok(compiled)) => Ok(compiled),
            Answer::Compiled(Err(error)) => Err(self.problem(&request.name, &error)),
            Answer::Names(_) => Err(self.problem(&request.name, "an answer out of turn")),
        }
    }

    /// Starts the process, and reads the names of its device.
    fn restart(&mut self) -> Result<()> {
        self.worker = Some(Worker::start(self.selection, &self.settings)?);
        match self.answer("opening the device")? {
            Answer::Names(Ok(names)) => {
                self.names = names;
                Ok(())
            }
            Answer::Names(Err(error)) => Err(self.problem("opening the device", &error)),
            Answer::Compiled(_) => Err(self.problem("opening the device", "an answer too early")),
        }
    }

    /// Waits for the next answer. What about it fails ends the worker.
    fn answer(&mut self, what: &str) -> Result<Answer> {
        let Some(worker) = &mut self.worker else {
            return Err(self.problem(what, "the driver does not run"));
        };
        let problem = match worker.answers.recv_timeout(self.settings.timeout) {
            Ok(answer) => return Ok(answer),
            Err(RecvTimeoutError::Timeout) => {
                format!("the driver took longer than {:?}", self.settings.timeout)
            }
            Err(RecvTimeoutError::Disconnected) => worker.end(),
        };
        self.worker = None;
        Err(self.problem(what, &problem))
    }

    fn problem(&self, what: &str, problem: &str) -> Error {
        Error::Compiler(format!("{what}, {}: {problem}", self.selection))
    }
}

impl Worker {
    fn start(selection: Selection, settings: &Settings) -> Result<Worker> {
        let failed = |error: io::Error| Error::Compiler(format!("starting {selection}: {error}"));
        let (program, arguments) = match &settings.worker {
            Some(given) => given.clone(),
            None => (env::current_exe().map_err(failed)?, Vec::new()),
        };
        let mut command = match selection {
            Selection::Absent(_, driver) => {
                let mut command = Command::new(driver.launcher().ok_or_else(|| driver.missing())?);
                command.arg(program);
                command
            }
            Selection::Present(_) => Command::new(program),
        };
        let index = match selection {
            Selection::Absent(..) => 0,
            Selection::Present(index) => index,
        };
        command
            .args(arguments)
            .env(VARIABLE, settings.for_worker(index))
            .envs(selection.variable())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if settings.source_lines {
            let (name, value) = lines::SETTING;
            let mut settings = env::var_os(name).unwrap_or_default();
            if !settings.is_empty() {
                settings.push(",");
            }
            settings.push(value);
            command.env(name, settings);
        }
        let mut process = command.spawn().map_err(failed)?;
        let requests = process.stdin.take();
        let (sender, answers) = mpsc::channel();
        if let Some(mut output) = process.stdout.take() {
            thread::spawn(move || {
                let Ok(Some(names)) = message::read(&mut output) else {
                    return;
                };
                let mut answer = Answer::Names(names);
                // The end of either side ends the thread.
                while sender.send(answer).is_ok() {
                    let Ok(Some(compiled)) = message::read(&mut output) else {
                        return;
                    };
                    answer = Answer::Compiled(compiled);
                }
            });
        }
        let (sender, words) = mpsc::channel();
        if let Some(errors) = process.stderr.take() {
            thread::spawn(move || drop(sender.send(last_words(errors))));
        }
        Ok(Worker {
            process,
            requests,
            answers,
            words,
        })
    }

    /// Returns how a process ended that answers no more.
    fn end(&mut self) -> String {
        drop(self.requests.take());
        // Output ends a moment before the process does; a driver's threads may keep it alive.
        for _ in 0..100 {
            if !matches!(self.process.try_wait(), Ok(None)) {
                break;
            }
            thread::sleep(Duration::from_millis(20));
        }
        drop(self.process.kill());
        let status = match self.process.wait() {
            Ok(status) => status.to_string(),
            Err(error) => error.to_string(),
        };
        let words = self.words.recv_timeout(Duration::from_secs(1));
        let words = words.unwrap_or_default();
        let colon = if words.is_empty() { "" } else { ": " };
        format!("the driver crashed ({status}){colon}{words}")
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.requests.take());
        // It may be in the middle of a shader.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// Returns the last line of a stream, without its start if it is long.
fn last_words(mut from: impl Read) -> String {
    let mut kept = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        match from.read(&mut buffer) {
            Ok(0) | Err(_) => break,
            Ok(count) => kept.extend_from_slice(&buffer[..count]),
        }
        let surplus = kept.len().saturating_sub(buffer.len());
        kept.drain(..surplus);
    }
    let text = String::from_utf8_lossy(&kept);
    let line = text.lines().rfind(|line| !line.trim().is_empty());
    let line: Vec<char> = line.unwrap_or_default().trim().chars().collect();
    line[line.len().saturating_sub(MAX_WORDS)..]
        .iter()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_of_a_driver_is_kept() {
        let text = format!("{}\nnir: assertion failed\n\n", "x".repeat(10_000));
        assert_eq!(last_words(text.as_bytes()), "nir: assertion failed");
        assert_eq!(last_words(&b""[..]), "");
        let long = "y".repeat(5000);
        assert_eq!(last_words(long.as_bytes()).len(), MAX_WORDS);
    }
}
