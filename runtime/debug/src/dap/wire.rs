//! Messages of the Debug Adapter Protocol: a header with the length, then JSON
//! ("Debug Adapter Protocol, Overview", "Base protocol").

use std::io::{self, BufRead, Read, Write};

use serde_json::{Value, json};

/// Maximum number of bytes of a message.
const MAX_MESSAGE: usize = 1 << 24;

/// Reads the next message; none at the end of the stream.
///
/// # Errors
///
/// For streams that break, and for what is no message.
pub(super) fn read(input: &mut impl BufRead) -> io::Result<Option<Value>> {
    let bad = |text: &str| io::Error::new(io::ErrorKind::InvalidData, text.to_owned());
    let mut length = None;
    loop {
        let mut line = String::new();
        // A header is short; a stream without line ends must not fill the memory.
        if input.by_ref().take(4096).read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let length = length.ok_or_else(|| bad("a message without Content-Length"))?;
    if length > MAX_MESSAGE {
        return Err(bad("a message that is too long"));
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body)?;
    let value = serde_json::from_slice(&body)?;
    Ok(Some(value))
}

/// Writes messages, each with its number.
pub(super) struct Writer {
    out: Box<dyn Write>,
    next: u64,
}

impl Writer {
    pub(super) fn new(out: Box<dyn Write>) -> Self {
        Writer { out, next: 1 }
    }

    fn send(&mut self, mut message: Value) {
        message["seq"] = json!(self.next);
        self.next += 1;
        let body = message.to_string();
        // A client that is gone reads nothing; the end of its messages ends the session.
        let _ = write!(self.out, "Content-Length: {}\r\n\r\n{body}", body.len());
        let _ = self.out.flush();
    }

    pub(super) fn event(&mut self, name: &str, body: Value) {
        self.send(json!({ "type": "event", "event": name, "body": body }));
    }

    pub(super) fn respond(&mut self, request: &Request, result: Result<Value, String>) {
        let mut message = json!({
            "type": "response",
            "request_seq": request.seq,
            "command": request.command,
            "success": result.is_ok(),
        });
        match result {
            Ok(body) => message["body"] = body,
            Err(error) => {
                message["message"] = json!(error);
                message["body"] = json!({ "error": { "id": 1, "format": error } });
            }
        }
        self.send(message);
    }
}

/// A request of the client.
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub(super) seq: u64,
    pub(super) command: String,
    pub(super) arguments: Value,
}

impl Request {
    /// Returns the request in a message; none for responses.
    pub(super) fn of(message: &Value) -> Option<Request> {
        Some(Request {
            seq: message["seq"].as_u64()?,
            command: message["command"].as_str()?.to_owned(),
            arguments: message["arguments"].clone(),
        })
        .filter(|_| message["type"] == "request")
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.arguments[name].as_str()
    }

    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.arguments[name].as_u64()
    }

    pub(super) fn list(&self, name: &str) -> &[Value] {
        self.arguments[name].as_array().map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_have_a_header_with_their_length() {
        let mut input = "Content-Length: 13\r\nX-Other: 1\r\n\r\n{\"seq\": 1234}".as_bytes();
        let message = read(&mut input).unwrap().unwrap();
        assert_eq!(message["seq"], 1234);
        assert!(read(&mut input).unwrap().is_none());
        for broken in [
            "\r\n{}",
            "Content-Length: 99\r\n\r\n{}",
            "Content-Length: 2\r\n\r\n{]",
        ] {
            assert!(read(&mut broken.as_bytes()).is_err(), "{broken}");
        }
    }
}
