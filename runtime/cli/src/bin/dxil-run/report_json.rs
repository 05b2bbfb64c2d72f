//! `--json`: the report for scripts, with all values.

use dxil_jit::json::document;
use dxil_runtime::format::ComponentValue;
use dxil_runtime::graphics::QueryResult;
use dxil_runtime::job::{ResourceView, Storage};
use serde_json::{Map, Value as Json, json};

use crate::bind_points::BindPoint;
use crate::cells::Cells;
use crate::planned::{Declared, ElementKind};
use crate::report::{RunReport, Subject, hash};

impl RunReport<'_> {
    /// Returns the report as one JSON object, with a line feed at its end.
    pub(crate) fn json(&self) -> String {
        document(&self.json_value())
    }

    /// Returns the same with one more value.
    pub(crate) fn json_with(&self, (name, value): (&str, Json)) -> String {
        let mut report = self.json_value();
        report[name] = value;
        document(&report)
    }

    fn json_value(&self) -> Json {
        let entries: Vec<&str> = match self.subject {
            Subject::Program(program) => {
                let stages = program.stages.iter();
                stages.map(|stage| stage.entry.as_str()).collect()
            }
            Subject::Graph(graph, _) => graph.modules().map(|(name, _)| name).collect(),
        };
        let micros = |time: std::time::Duration| time.as_secs_f64() * 1e6;
        json!({
            "entries": entries,
            "device": {
                "name": self.device.name,
                "backend": self.device.backend.to_string(),
            },
            "translate_us": micros(self.translated),
            "translations_cached": self.cache.map_or(0, |cache| cache.translations_found),
            "pipeline_us": self.prepared.map(micros),
            "device_us": self.outcome.timings.iter().map(|t| micros(*t)).collect::<Vec<f64>>(),
            "inputs": self.json_inputs(),
            "outputs": self.json_outputs(),
            "queries": self.outcome.queries.iter().map(query).collect::<Vec<Json>>(),
        })
    }

    fn json_inputs(&self) -> Vec<Json> {
        let mut inputs = Vec::new();
        for constants in self.constants {
            let BindPoint::Register(register) = constants.place else {
                continue;
            };
            if let Some(ResourceView::Constants(bytes)) = self.job.view(register) {
                inputs.push(json!({
                    "place": constants.place.to_string(),
                    "name": constants.name,
                    "kind": "ConstantBuffer",
                    "generated": constants.is_generated,
                    "elements": elements(bytes, &constants.element),
                }));
            }
        }
        for view in self.views.iter().filter(|view| !view.writable) {
            let storage = self.job.resources.get(view.resource.0);
            let bytes = storage.map_or(&[][..], |resource| match &resource.storage {
                Storage::Buffer(bytes) => bytes,
                Storage::Texture(texture) => &texture.data,
            });
            let mut input = self.json_view(view, bytes);
            input["generated"] = json!(view.is_generated);
            inputs.push(input);
        }
        inputs
    }

    fn json_outputs(&self) -> Vec<Json> {
        let written = self.views.iter().filter(|view| view.writable);
        let each = written.filter_map(|view| {
            let bytes = self.outcome.bytes(view.resource)?;
            let mut output = self.json_view(view, bytes);
            output["hash"] = json!(format!("{:016x}", hash(bytes)));
            if let Some(counter) = self.counter(view) {
                output["counter"] = json!(counter);
            }
            Some(output)
        });
        each.collect()
    }

    fn json_view(&self, view: &Declared, bytes: &[u8]) -> Json {
        let mut value = json!({
            "place": view.place.to_string(),
            "name": view.name,
            "kind": view.kind,
            "elements": elements(bytes, &view.element),
        });
        if let Some(Storage::Texture(texture)) =
            self.job.resources.get(view.resource.0).map(|r| &r.storage)
        {
            value["format"] = json!(texture.format.to_string());
            value["size"] = json!([texture.width, texture.height, texture.depth, texture.layers]);
        }
        value
    }
}

/// Returns the elements as objects by field, as arrays of components, or as plain numbers.
fn elements(bytes: &[u8], element: &ElementKind) -> Vec<Json> {
    let cells = Cells::new(bytes, element);
    let columns = cells.columns();
    let has_names = columns.iter().any(|name| name.len() > 1);
    let one = |index| {
        let mut values = cells.row(index).into_iter().map(number);
        if has_names {
            let fields = columns.iter().cloned().zip(values);
            return Json::Object(fields.collect::<Map<String, Json>>());
        }
        match columns.len() {
            1 => values.next().unwrap_or(Json::Null),
            _ => Json::Array(values.collect()),
        }
    };
    (0..cells.len()).map(one).collect()
}

/// Returns a number as JSON. JSON has no infinities and NaN, which become text.
fn number(value: ComponentValue) -> Json {
    match value {
        ComponentValue::Uint(value) => json!(value),
        ComponentValue::Sint(value) => json!(value),
        ComponentValue::Float(value) if value.is_finite() => json!(value),
        ComponentValue::Float(value) => json!(value.to_string()),
    }
}

fn query(result: &QueryResult) -> Json {
    match result {
        QueryResult::Occlusion(samples) => json!({ "occlusion": samples }),
        QueryResult::BinaryOcclusion(any) => json!({ "any_sample": any }),
        QueryResult::Timestamps(ticks) => json!({ "timestamps": ticks }),
        QueryResult::StreamOutput(counts) => {
            json!({ "stream_output": { "written": counts.written, "needed": counts.needed } })
        }
        QueryResult::PipelineStatistics(counts) => json!({
            "statistics": {
                "input_vertices": counts.input_vertices,
                "input_primitives": counts.input_primitives,
                "vertex_invocations": counts.vertex_invocations,
                "hull_patches": counts.hull_patches,
                "domain_invocations": counts.domain_invocations,
                "geometry_invocations": counts.geometry_invocations,
                "geometry_primitives": counts.geometry_primitives,
                "amplification_invocations": counts.amplification_invocations,
                "mesh_invocations": counts.mesh_invocations,
                "mesh_primitives": counts.mesh_primitives,
                "clipper_invocations": counts.clipper_invocations,
                "clipper_primitives": counts.clipper_primitives,
                "pixel_invocations": counts.pixel_invocations,
            }
        }),
    }
}
