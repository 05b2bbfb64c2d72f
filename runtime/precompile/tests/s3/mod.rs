//! An S3 server in another process, and a proxy that makes some of its answers fail.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Returns a port that nobody listens at.
pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.local_addr().unwrap().port()
}

/// moto's server, which ends with the test.
pub(crate) struct Server {
    pub(crate) port: u16,
    child: Child,
}

impl Drop for Server {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

/// Where `tools/test-object-store.sh` puts the server.
fn program() -> Option<PathBuf> {
    if let Some(path) = std::env::var_os("DXIL_JIT_MOTO_SERVER") {
        return Some(path.into());
    }
    let variable = |name| std::env::var_os(name).map(PathBuf::from);
    let cache = variable("DXIL_JIT_CACHE").or_else(|| {
        let caches = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
        Some(caches?.join("dxil-jit"))
    });
    let program = cache?.join("object-store/bin/moto_server");
    program.exists().then_some(program)
}

impl Server {
    /// Starts a server without any objects; `None` where there is no program for it.
    #[allow(clippy::print_stderr, reason = "a test that does nothing says why")]
    pub(crate) fn start() -> Option<Self> {
        let Some(program) = program() else {
            eprintln!("no S3 server (tools/test-object-store.sh brings it): nothing was tested");
            return None;
        };
        let port = free_port();
        let child = Command::new(program)
            .args(["-H", "127.0.0.1", "-p", &port.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Server { port, child };
        let mut waits = 0;
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            waits += 1;
            assert!(waits < 900, "the server does not start");
            std::thread::sleep(Duration::from_millis(100));
        }
        Some(server)
    }

    pub(crate) fn make_bucket(&self, bucket: &str) {
        assert_eq!(self.ask("PUT", &format!("/{bucket}"), &[]).0, 200);
    }

    pub(crate) fn put(&self, bucket: &str, key: &str, bytes: &[u8]) {
        assert_eq!(self.ask("PUT", &format!("/{bucket}/{key}"), bytes).0, 200);
    }

    pub(crate) fn get(&self, bucket: &str, key: &str) -> Vec<u8> {
        let (status, body) = self.ask("GET", &format!("/{bucket}/{key}"), &[]);
        assert_eq!(status, 200);
        body
    }

    /// Returns the keys of all objects.
    pub(crate) fn objects(&self, bucket: &str) -> Vec<String> {
        let (status, body) = self.ask("GET", &format!("/{bucket}?list-type=2"), &[]);
        assert_eq!(status, 200);
        let text = String::from_utf8(body).unwrap();
        assert!(text.contains("<IsTruncated>false"), "more than a page");
        let keys = text.split("<Key>").skip(1);
        keys.map(|rest| rest.split("</Key>").next().unwrap().to_owned())
            .collect()
    }

    fn ask(&self, method: &str, path: &str, body: &[u8]) -> (u16, Vec<u8>) {
        // The server takes any signature; the region and the service are read from it.
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\
             Authorization: AWS4-HMAC-SHA256 Credential=tester/20260101/us-east-1/s3/aws4_request, \
             SignedHeaders=host, Signature=0\r\nContent-Length: {}\r\n\r\n",
            self.port,
            body.len()
        );
        let answer = exchange(self.port, &[head.as_bytes(), body].concat());
        let end = head_end(&answer).unwrap();
        let head = String::from_utf8_lossy(&answer[..end]).into_owned();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        (status, answer[end..].to_vec())
    }
}

/// Sends a request that closes its connection. Returns the answer.
fn exchange(port: u16, request: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    stream.write_all(request).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    answer
}

/// Returns where the body begins.
fn head_end(bytes: &[u8]) -> Option<usize> {
    let end = bytes.windows(4).position(|window| window == b"\r\n\r\n")?;
    Some(end + 4)
}

/// A proxy that lets one request in ten fail: by an error, by a connection that ends before or
/// after the server did what it was asked, and by half an answer.
pub(crate) struct Faults {
    pub(crate) port: u16,
    failed: Arc<AtomicU64>,
}

impl Faults {
    pub(crate) fn start(server: u16) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let failed = Arc::new(AtomicU64::new(0));
        let (requests, counted) = (Arc::new(AtomicU64::new(0)), Arc::clone(&failed));
        // Threads end with the test's process.
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (requests, failed) = (Arc::clone(&requests), Arc::clone(&counted));
                std::thread::spawn(move || serve(client, server, &requests, &failed));
            }
        });
        Faults { port, failed }
    }

    pub(crate) fn failed(&self) -> u64 {
        self.failed.load(Ordering::Relaxed)
    }
}

/// Serves one request of a connection, and ends it.
fn serve(mut client: TcpStream, server: u16, requests: &AtomicU64, failed: &AtomicU64) {
    let Some(request) = request(&mut client) else {
        return;
    };
    let number = requests.fetch_add(1, Ordering::Relaxed);
    let fault = (number % 10 == 3).then_some(number / 10 % 4);
    if fault.is_some() {
        failed.fetch_add(1, Ordering::Relaxed);
    }
    let answer = match fault {
        Some(0) => {
            b"HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_vec()
        }
        Some(1) => Vec::new(),
        Some(2) => {
            exchange(server, &request);
            Vec::new()
        }
        Some(_) => {
            let mut answer = exchange(server, &request);
            answer.truncate(answer.len() * 2 / 3);
            answer
        }
        None => exchange(server, &request),
    };
    _ = client.write_all(&answer);
    _ = client.shutdown(Shutdown::Both);
}

/// Reads a request. Returns it as one that closes its connection.
fn request(client: &mut TcpStream) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 1 << 16];
    let end = loop {
        let count = client.read(&mut buffer).ok()?;
        bytes.extend_from_slice(&buffer[..count]);
        match head_end(&bytes) {
            Some(end) => break end,
            None if count == 0 => return None,
            None => {}
        }
    };
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse::<usize>().unwrap())
    });
    let total = end + length.unwrap_or(0);
    while bytes.len() < total {
        let count = client.read(&mut buffer).ok()?;
        if count == 0 {
            return None;
        }
        bytes.extend_from_slice(&buffer[..count]);
    }
    let mut closing = head.trim_end().replace("connection: keep-alive\r\n", "");
    closing.push_str("\r\nConnection: close\r\n\r\n");
    Some([closing.as_bytes(), &bytes[end..]].concat())
}
