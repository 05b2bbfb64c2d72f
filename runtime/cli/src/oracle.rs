//! Functions for fuzz targets and property tests. Not part of the interface.

use dxil_frontend::dxil::{ComponentType, ElementScalar};
use dxil_runtime::oracle::passed;
use dxil_runtime::{Format, Job};

use crate::picture::Picture;
use crate::pipeline_file::{self, Pipeline};
use crate::{npy, obj};

/// Parses bytes as a pipeline file and as a scene; returns whether they are a pipeline file.
/// Messages must be bounded and free of control characters.
pub fn yaml(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    passed(pipeline_file::add_scene(&mut Job::dispatch([1; 3]), &text));
    passed(Pipeline::parse(&text))
}

/// Reads bytes as a NumPy file; returns whether they are one.
pub fn numpy(bytes: &[u8]) -> bool {
    let Some(Ok(array)) = npy::Array::read(bytes) else {
        return false;
    };
    let scalar = |path: &str, offset| ElementScalar {
        path: path.into(),
        offset,
        component: ComponentType::F32,
    };
    let _ = array.check(&[scalar("x", 0), scalar("y", 4)], 8);
    array.texels(4);
    true
}

/// Reads bytes as a picture; returns whether they are one. It is as large as it says.
pub fn picture(bytes: &[u8]) -> bool {
    let Some(Ok(picture)) = Picture::read(bytes) else {
        return false;
    };
    // Formats of four channels take a texel for each; larger pictures only repeat that.
    let texels = u64::from(picture.width) * u64::from(picture.height);
    if texels <= 1 << 16 {
        for (format, size) in [(Format::Rgba8Unorm, 4), (Format::Rgba32Float, 16)] {
            let encoded = picture.encode(format);
            assert_eq!(encoded.map(|bytes| bytes.len() as u64), Some(texels * size));
        }
    }
    true
}

/// Reads bytes as a Wavefront file; returns whether they are one with triangles.
pub fn obj(bytes: &[u8]) -> bool {
    if let Ok(objects) = obj::objects(bytes) {
        for object in &objects {
            let vertices = object.positions.len() / 3;
            let mut indices = object.indices.iter();
            assert!(indices.all(|index| (*index as usize) < vertices));
        }
    }
    obj::mesh(bytes).is_ok()
}
