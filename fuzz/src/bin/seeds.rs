//! `seeds CORPUS CHECKOUT`: writes the seeds that are not files of the checkout: pictures, texts of
//! root signatures, and cache entries of its shaders.

use std::io::Cursor;
use std::path::{Path, PathBuf};

use image::{DynamicImage, ImageFormat};

fn main() {
    let mut folders = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(corpus), Some(checkout)) = (folders.next(), folders.next()) else {
        eprintln!("seeds CORPUS CHECKOUT");
        std::process::exit(2);
    };
    let write = |target: &str, name: &str, bytes: &[u8]| {
        let folder = corpus.join(target);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name), bytes).unwrap();
    };
    for (name, picture) in pictures() {
        write("picture", &name, &picture);
    }
    let mut files = Vec::new();
    files_below(&checkout, &mut files);
    for file in &files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let contents = std::fs::read(file).unwrap();
        match file.extension().and_then(|extension| extension.to_str()) {
            Some("dxil" | "dxbc") if contents.len() < 8 << 10 => {
                if let Some(entry) = dxil_runtime::oracle::cache_entry_of(&contents) {
                    write("cache_entry", &name, &entry);
                }
            }
            Some("hlsl") => {
                let text = String::from_utf8_lossy(&contents);
                if text.contains("RootSignature(") {
                    write("root_signature_text", &name, literals(&text).as_bytes());
                }
            }
            _ => {}
        }
    }
}

/// PNG and JPEG files of each layout of texels that the encoders write.
fn pictures() -> Vec<(String, Vec<u8>)> {
    let picture = image::RgbaImage::from_fn(13, 7, |x, y| {
        image::Rgba([x as u8 * 19, y as u8 * 36, (x * y) as u8, 255 - x as u8])
    });
    let picture = DynamicImage::from(picture);
    let layouts = [
        ("grey8", DynamicImage::from(picture.to_luma8())),
        ("grey8-alpha", DynamicImage::from(picture.to_luma_alpha8())),
        ("grey16", DynamicImage::from(picture.to_luma16())),
        ("rgb8", DynamicImage::from(picture.to_rgb8())),
        ("rgb16", DynamicImage::from(picture.to_rgb16())),
        ("rgba16", DynamicImage::from(picture.to_rgba16())),
        ("rgba8", picture),
    ];
    let mut files = Vec::new();
    for (name, picture) in layouts {
        for (extension, format) in [("png", ImageFormat::Png), ("jpg", ImageFormat::Jpeg)] {
            let mut file = Cursor::new(Vec::new());
            // JPEG has no alpha and no 16 bits.
            if picture.write_to(&mut file, format).is_ok() {
                files.push((format!("{name}.{extension}"), file.into_inner()));
            }
        }
    }
    files
}

/// Returns the string literals of a source as one: parts of a root signature, nearly always.
fn literals(source: &str) -> String {
    source.split('"').skip(1).step_by(2).collect()
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_made = |name: &std::ffi::OsStr| name == "target" || name == "fuzz";
        if path.is_file() {
            files.push(path);
        } else if path.is_dir() && !path.file_name().is_some_and(is_made) {
            files_below(&path, files);
        }
    }
}
