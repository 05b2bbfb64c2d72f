//! A headless Chromium, for tests of WGSL in a browser's WebGPU.
//!
//! The browser is the command that the environment variable `CHROMIUM` names, one in the cache
//! folder of the tests (`tools/setup-vulkan.sh browser`), or one on the path. It draws with
//! SwiftShader. A page is served to it by a server in this process, which also takes the page's
//! answers.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Returns the browser of this machine.
pub fn find() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return Some(named.into());
    }
    let cache = std::env::var_os("DXIL_JIT_CACHE").map(PathBuf::from);
    let cache =
        cache.or_else(|| Some(Path::new(&std::env::var_os("HOME")?).join(".cache/dxil-jit")));
    let cached = cache.map(|cache| cache.join("run-browser"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let on_path =
        std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    let mut all = cached.into_iter().chain(on_path);
    all.find(|command| command.is_file())
}

/// A page with what it asks for, by path: `/` is the page itself.
#[derive(Debug, Default)]
pub struct Site {
    /// Bytes that the page fetches.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Site {
    /// Opens the page, and returns the bodies of what it sent to `/answer`, until it sends
    /// something to `/end`. `profile` is a folder that the browser may fill.
    ///
    /// # Errors
    ///
    /// If the browser does not start, or the page does not end in time.
    pub fn visit(
        &self,
        browser: &Path,
        profile: &Path,
        limit: Duration,
    ) -> Result<Vec<Vec<u8>>, String> {
        let listener = TcpListener::bind("127.0.0.1:0").map_err(|error| error.to_string())?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        listener
            .set_nonblocking(true)
            .map_err(|error| error.to_string())?;
        let child = Command::new(browser)
            .args([
                "--headless",
                "--no-sandbox",
                "--no-first-run",
                "--enable-unsafe-webgpu",
                "--use-webgpu-adapter=swiftshader",
            ])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg(format!("http://{address}/"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: {error}", browser.display()))?;
        let mut child = Killed(child);
        let end = Instant::now() + limit;
        let mut answers = Vec::new();
        while Instant::now() < end {
            let Ok((stream, _)) = listener.accept() else {
                if let Ok(Some(status)) = child.0.try_wait() {
                    return Err(format!("{} ended: {status}", browser.display()));
                }
                std::thread::sleep(Duration::from_millis(5));
                continue;
            };
            // A connection that breaks is asked for again by the browser.
            if let Ok(true) = self.answer(stream, &mut answers) {
                return Ok(answers);
            }
        }
        let last = answers
            .last()
            .map(|last| String::from_utf8_lossy(last).into_owned());
        Err(format!(
            "the page did not end in {limit:?}; its last of {} answers was {last:?}",
            answers.len()
        ))
    }

    /// Answers a request. Returns whether the page has ended.
    fn answer(&self, stream: TcpStream, answers: &mut Vec<Vec<u8>>) -> std::io::Result<bool> {
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(Duration::from_secs(20)))?;
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let mut words = line.split_whitespace();
        let (method, path) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let (method, path) = (method.to_owned(), path.to_owned());
        let mut length = 0;
        loop {
            line.clear();
            reader.read_line(&mut line)?;
            let header = line.trim().to_ascii_lowercase();
            if header.is_empty() {
                break;
            }
            if let Some(value) = header.strip_prefix("content-length:") {
                length = value.trim().parse().unwrap_or(0);
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let found = match (method.as_str(), path.as_str()) {
            ("POST", "/answer") => {
                answers.push(body);
                Some(&[][..])
            }
            ("POST", "/end") => Some(&[][..]),
            _ => self.files.get(&path).map(Vec::as_slice),
        };
        let status = if found.is_some() {
            "200 OK"
        } else {
            "404 Not Found"
        };
        let kind = match path.rsplit_once('.') {
            None if path == "/" => "text/html; charset=utf-8",
            Some((_, "html")) => "text/html; charset=utf-8",
            Some((_, "css")) => "text/css; charset=utf-8",
            Some((_, "js")) => "text/javascript; charset=utf-8",
            Some((_, "wasm")) => "application/wasm",
            _ => "application/octet-stream",
        };
        let content = found.unwrap_or_default();
        let mut stream = reader.into_inner();
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            content.len()
        )?;
        stream.write_all(content)?;
        stream.flush()?;
        Ok(method == "POST" && path == "/end")
    }
}

/// A process that ends with this value.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        _ = self.0.kill();
        _ = self.0.wait();
    }
}
