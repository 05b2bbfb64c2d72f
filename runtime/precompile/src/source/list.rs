//! Lists: text files with one pipeline per line.

use std::path::Path;

use dxil_jit::files;

use super::file_pipeline::FilePipeline;
use crate::error::Problem;

/// Reads a list. Each line has the files of one pipeline, separated by spaces; empty lines and
/// those that begin with `#` are none. Paths are relative to the folder of the list.
pub(super) fn read(path: &Path) -> Result<Vec<FilePipeline>, Problem> {
    let text = files::read_to_string(path).map_err(|error| Problem::file(path, &error))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut pipelines = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first().is_none_or(|first| first.starts_with('#')) {
            continue;
        }
        let files = words.iter().map(|word| folder.join(word)).collect();
        pipelines.push(FilePipeline::of(files));
    }
    Ok(pipelines)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_pipeline() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.txt");
        std::fs::write(&path, "# title\n\na.dxil\n  vs.dxil\tps.dxil root.rts \n").unwrap();
        let lines = read(&path).unwrap();
        let names: Vec<Vec<&str>> = lines
            .iter()
            .map(|line| {
                let names = line.files.iter().map(|file| file.file_name().unwrap());
                names.map(|name| name.to_str().unwrap()).collect()
            })
            .collect();
        assert_eq!(
            names,
            [vec!["a.dxil"], vec!["vs.dxil", "ps.dxil", "root.rts"]]
        );
        assert!(lines[0].files[0].starts_with(folder.path()));
    }
}
