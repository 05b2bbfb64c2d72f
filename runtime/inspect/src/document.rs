//! The document to print: named sections, each a JSON value, and the errors of reading it.
//!
//! Text and JSON are two renderings of the same document, so they have the same content.

use dxil_frontend::{Category, Error, FourCc};
use serde_json::{Map, Value, json};

/// One section.
#[derive(Debug)]
pub struct Section {
    /// Key in the JSON object.
    pub key: &'static str,
    /// Part of the container with the content.
    pub part: Option<FourCc>,
    /// Content.
    pub value: Value,
    /// Text (code) that replaces the content in the text rendering.
    pub text: Option<String>,
}

/// The contents of one file.
#[derive(Debug)]
pub struct Document {
    /// Name of the file.
    pub file: String,
    /// Sections in the order of printing.
    pub sections: Vec<Section>,
    /// Errors of parts that could not be read.
    pub errors: Vec<Error>,
    /// What the reader of the document should know besides.
    pub notes: Vec<String>,
}

impl Document {
    /// Returns a document without sections.
    pub fn new(file: String) -> Self {
        Document {
            file,
            sections: Vec::new(),
            errors: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds a section, or the error that prevents it.
    pub fn add(&mut self, key: &'static str, part: Option<FourCc>, value: Result<Value, Error>) {
        match value {
            Ok(value) => self.sections.push(Section {
                key,
                part,
                value,
                text: None,
            }),
            Err(error) => self.errors.push(match part {
                Some(part) => error.in_part(part),
                None => error,
            }),
        }
    }

    /// Adds a section with `text` as its text rendering.
    pub fn add_text(
        &mut self,
        key: &'static str,
        part: Option<FourCc>,
        value: Value,
        text: String,
    ) {
        self.sections.push(Section {
            key,
            part,
            value,
            text: Some(text),
        });
    }

    /// Returns the document as one JSON object. If several sections have the same key (unknown
    /// parts), its value is an array.
    pub fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("file".to_owned(), json!(self.file));
        for section in &self.sections {
            let repeated = self
                .sections
                .iter()
                .filter(|s| s.key == section.key)
                .count()
                > 1;
            if repeated {
                let entry = object
                    .entry(section.key)
                    .or_insert_with(|| Value::Array(Vec::new()));
                if let Value::Array(list) = entry {
                    list.push(section.value.clone());
                }
            } else {
                object.insert(section.key.to_owned(), section.value.clone());
            }
        }
        let errors = self.errors.iter().map(error_json).collect::<Vec<_>>();
        object.insert("errors".to_owned(), Value::Array(errors));
        Value::Object(object)
    }
}

fn error_json(error: &Error) -> Value {
    let location = error.location();
    json!({
        "message": error.to_string(),
        "category": match error.category() {
            Category::Malformed => "malformed",
            Category::Unsupported => "unsupported",
            Category::Internal => "internal",
        },
        "part": location.part.map(|part| part.to_string()),
        "offset": location.offset,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_stand_in_the_document_and_repeated_sections_become_a_list() {
        let mut document = Document::new("x".to_owned());
        document.add("part", None, Ok(json!(1)));
        document.add("part", None, Ok(json!(2)));
        document.add("hash", None, Ok(json!({})));
        document.add("features", Some(FourCc::SFI0), Err(Error::malformed("no")));
        let json = document.to_json();
        assert_eq!(json["part"], json!([1, 2]));
        assert_eq!(json["hash"], json!({}));
        assert_eq!(json["errors"][0]["message"], "part SFI0: no");
        assert_eq!(json["errors"][0]["category"], "malformed");
        assert!(json.get("features").is_none());
    }
}
