//! What fuzz targets and property tests call. Not part of the interface.

use dxil_runtime::Job;
use dxil_runtime::oracle::passed;

use crate::pipeline_file::{self, Pipeline};

/// Parses bytes as a pipeline file and as a scene; returns whether they are a pipeline file.
/// Messages must be bounded and free of control characters.
pub fn yaml(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    passed(pipeline_file::add_scene(&mut Job::dispatch([1; 3]), &text));
    passed(Pipeline::parse(&text))
}
