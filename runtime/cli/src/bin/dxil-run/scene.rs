//! Acceleration structures of the command line: from files, or a default scene.
//!
//! The default scene: a square of side 2 around the origin in the plane z = 0, clockwise as seen
//! from negative z, and a box of side 2 around (3, 0, 0), each an instance of its own.

use std::path::Path;

use dxil_jit::files;
use dxil_jit::obj;
use dxil_jit::pipeline_file;
use dxil_runtime::Storage;
use dxil_runtime::job::ResourceView;
use dxil_runtime::scene::{Boxes, Geometry, IDENTITY, Instance, TriangleIndices, Triangles};

use crate::failure::{Failure, Result};
use crate::storage::Maker;

impl Maker<'_> {
    /// Returns the acceleration structure that the command line says, or the default one.
    pub(crate) fn structure(&mut self, given: &str, what: Option<&str>) -> Result<ResourceView> {
        let Some(what) = what else {
            // One default scene serves all registers.
            let top = match self.generated {
                Some(top) => top,
                None => self.make_up_scene(),
            };
            self.generated = Some(top);
            return Ok(ResourceView::AccelerationStructure(top));
        };
        if what == "null" {
            return Ok(ResourceView::Null);
        }
        let path = Path::new(what);
        let text = files::read_to_string(path).map_err(|error| {
            Failure::usage(format!(
                "{given}: {error}; give a scene as an .obj or .yaml file, or null"
            ))
        })?;
        let extension = path.extension().and_then(|extension| extension.to_str());
        let top = match extension.map(str::to_ascii_lowercase).as_deref() {
            Some("obj") => self
                .object(&text)
                .map_err(|why| Failure::malformed(format!("{}: {why}", path.display())))?,
            Some("yaml" | "yml" | "json") => pipeline_file::add_scene(&mut self.planned.job, &text)
                .map_err(|error| Failure::malformed(format!("{}: {error}", path.display())))?,
            _ => {
                return Err(Failure::usage(format!(
                    "{given}: an acceleration structure comes from an .obj or .yaml file, or is null"
                )));
            }
        };
        Ok(ResourceView::AccelerationStructure(top))
    }

    /// Adds the geometries of a Wavefront file to one instance: each object is one.
    fn object(&mut self, text: &str) -> Result<usize, String> {
        let objects = obj::objects(text.as_bytes())?;
        let mut geometries = Vec::with_capacity(objects.len());
        for object in &objects {
            geometries.push(self.triangles(&object.positions, &object.indices));
        }
        let scene = &mut self.planned.job.scene;
        let bottom = scene.add_bottom("objects", geometries);
        Ok(scene.add_top("objects", vec![Instance::new(bottom)]))
    }

    fn triangles(&mut self, positions: &[f32], indices: &[u32]) -> Geometry {
        let job = &mut self.planned.job;
        let bytes = positions.iter().flat_map(|x| x.to_le_bytes()).collect();
        let vertices = job.add_resource("vertices", Storage::Buffer(bytes), false);
        let bytes = indices.iter().flat_map(|i| i.to_le_bytes()).collect();
        let resource = job.add_resource("indices", Storage::Buffer(bytes), false);
        Geometry::Triangles(Triangles {
            indices: Some(TriangleIndices {
                resource,
                offset: 0,
                count: indices.len() as u32,
                wide: true,
            }),
            ..Triangles::new(vertices, (positions.len() / 3) as u32)
        })
    }

    fn make_up_scene(&mut self) -> usize {
        let mut instances = Vec::new();
        if let Some(group) = self.scene.square {
            let corners = [
                -1.0, -1.0, 0.0, -1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 1.0, -1.0, 0.0,
            ];
            let geometry = self.triangles(&corners, &[0, 1, 2, 0, 2, 3]);
            let bottom = self.planned.job.scene.add_bottom("square", vec![geometry]);
            instances.push(Instance {
                hit_group_offset: group,
                ..Instance::new(bottom)
            });
        }
        if let Some(group) = self.scene.cube {
            let job = &mut self.planned.job;
            let bounds = [-1.0f32, -1.0, -1.0, 1.0, 1.0, 1.0];
            let bytes = bounds.iter().flat_map(|x| x.to_le_bytes()).collect();
            let resource = job.add_resource("box", Storage::Buffer(bytes), false);
            let geometry = Geometry::Boxes(Boxes::new(resource, 1));
            let bottom = job.scene.add_bottom("box", vec![geometry]);
            let mut transform = IDENTITY;
            transform[3] = 3.0;
            instances.push(Instance {
                transform,
                id: instances.len() as u32,
                hit_group_offset: group,
                ..Instance::new(bottom)
            });
        }
        self.planned.job.scene.add_top("default", instances)
    }
}
