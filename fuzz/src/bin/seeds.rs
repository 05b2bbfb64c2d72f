//! `seeds CORPUS CHECKOUT`: writes the seeds that are not files of the checkout: texts of root
//! signatures, cache entries of its shaders, and pictures.

use std::path::{Path, PathBuf};

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

/// Returns files of small pictures of each kind of texel, with their names.
fn pictures() -> Vec<(String, Vec<u8>)> {
    use image::{DynamicImage, ImageFormat};
    let colours = image::RgbaImage::from_fn(9, 5, |x, y| {
        image::Rgba([x * 28, y * 50, x * y * 7, 255 - x * 20].map(|value| value as u8))
    });
    let all = DynamicImage::from(colours);
    let kinds = [
        ("grey.png", all.to_luma8().into(), ImageFormat::Png),
        (
            "grey_alpha.png",
            all.to_luma_alpha8().into(),
            ImageFormat::Png,
        ),
        ("rgb.png", all.to_rgb8().into(), ImageFormat::Png),
        ("rgba16.png", all.to_rgba16().into(), ImageFormat::Png),
        ("grey.jpg", all.to_luma8().into(), ImageFormat::Jpeg),
        ("rgb.jpg", all.to_rgb8().into(), ImageFormat::Jpeg),
        ("rgba.png", all, ImageFormat::Png),
    ];
    let kinds = kinds.into_iter();
    kinds
        .map(|(name, picture, format): (_, DynamicImage, _)| {
            let mut file = std::io::Cursor::new(Vec::new());
            picture.write_to(&mut file, format).unwrap();
            (name.to_owned(), file.into_inner())
        })
        .collect()
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
