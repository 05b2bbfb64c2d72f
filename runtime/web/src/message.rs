//! The form of questions and answers: JSON, and bytes beside it.
//!
//! ```text
//! u32            bytes of the JSON text (little-endian, as all numbers)
//! the text       `payloads` in it has the length of each payload
//! the payloads   one after the other
//! ```

use serde_json::{Value, json};

/// A question or an answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Message {
    /// What is asked or answered.
    pub head: Value,
    /// Bytes that belong to it: shaders, contents of resources.
    pub payloads: Vec<Vec<u8>>,
}

impl Message {
    /// Returns a message without payloads.
    pub fn new(head: Value) -> Self {
        Message {
            head,
            payloads: Vec::new(),
        }
    }

    /// Returns a message with payloads.
    pub fn with(head: Value, payloads: Vec<Vec<u8>>) -> Self {
        Message { head, payloads }
    }

    /// Reads a message. What is missing is empty: an empty question gets an error as its answer.
    pub fn decode(bytes: &[u8]) -> Self {
        let Some((length, rest)) = bytes.split_first_chunk::<4>() else {
            return Message::default();
        };
        let length = (u32::from_le_bytes(*length) as usize).min(rest.len());
        let (text, mut rest) = rest.split_at(length);
        let head: Value = serde_json::from_slice(text).unwrap_or_default();
        let lengths = head["payloads"].as_array().map_or(&[][..], Vec::as_slice);
        let mut payloads = Vec::with_capacity(lengths.len());
        for length in lengths {
            let length = length.as_u64().unwrap_or(0) as usize;
            let (payload, others) = rest.split_at(length.min(rest.len()));
            payloads.push(payload.to_vec());
            rest = others;
        }
        Message { head, payloads }
    }

    /// Writes the message.
    pub fn encode(&self) -> Vec<u8> {
        let mut head = self.head.clone();
        let lengths: Vec<usize> = self.payloads.iter().map(Vec::len).collect();
        if let Value::Object(fields) = &mut head {
            fields.insert("payloads".to_owned(), json!(lengths));
        }
        let text = head.to_string();
        let mut bytes = (text.len() as u32).to_le_bytes().to_vec();
        bytes.extend(text.as_bytes());
        for payload in &self.payloads {
            bytes.extend(payload);
        }
        bytes
    }

    /// Returns a text of the question, empty if it has none of that name.
    pub fn text(&self, name: &str) -> &str {
        self.head[name].as_str().unwrap_or_default()
    }

    /// Returns a payload, empty if there is none.
    pub fn payload(&self, index: usize) -> &[u8] {
        self.payloads.get(index).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_as_they_were_written() {
        let message = Message::with(
            json!({ "ask": "open" }),
            vec![vec![1, 2, 3], vec![], vec![4]],
        );
        let read = Message::decode(&message.encode());
        assert_eq!(read.payloads, message.payloads);
        assert_eq!(read.text("ask"), "open");
    }

    #[test]
    fn short_messages_are_read_as_far_as_they_go() {
        for length in 0..12 {
            let bytes = Message::with(json!({ "a": 1 }), vec![vec![7; 9]]).encode();
            let read = Message::decode(&bytes[..length]);
            assert!(read.payloads.iter().all(|payload| payload.len() < 9));
        }
    }
}
