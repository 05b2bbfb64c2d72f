//! The files that HLSL sources include, so that `--watch` sees their changes.

use std::borrow::Cow;
use std::io::Read;
use std::path::{Path, PathBuf};

use dxil_frontend::tables::HashSet;
use dxil_jit::files;

/// Maximum number of files, and of bytes of each that are looked at.
const MAX_FILES: usize = 1000;
const MAX_BYTES: u64 = 1 << 20;

/// Returns the files that these sources include, those files' includes, and so on. A name is looked
/// for beside the file that has it, then in the folders of `-I`. Conditions are not evaluated: a
/// file too many only causes a run too many.
pub(crate) fn of(sources: &[PathBuf], folders: &[PathBuf]) -> Vec<PathBuf> {
    // Files by their real paths: `a/../b.hlsl` is `b.hlsl`.
    let mut seen: HashSet<PathBuf> = HashSet::default();
    let mut queue: Vec<PathBuf> = sources.to_vec();
    let mut found = Vec::new();
    while let Some(path) = queue.pop() {
        let Some(text) = text_of(&path) else { continue };
        let beside = path.parent().map(Path::to_path_buf);
        for name in names(&text) {
            let places = beside.iter().chain(folders);
            // The first file that is there; if none is, the first place, where it may appear.
            let mut places = places.map(|folder| folder.join(&*name));
            let first = places.next();
            let included = first.clone().into_iter().chain(places);
            let included = included.into_iter().find(|path| path.is_file()).or(first);
            if let Some(included) = included
                && found.len() < MAX_FILES
                && seen.insert(included.canonicalize().unwrap_or_else(|_| included.clone()))
            {
                found.push(included.clone());
                queue.push(included);
            }
        }
    }
    found
}

fn text_of(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    let file = files::open_found(path).ok()?;
    file.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the names in `#include "name"` and `#include <name>`, and the files of Slang's modules
/// in `import name;`.
fn names(text: &str) -> impl Iterator<Item = Cow<'_, str>> {
    text.lines().filter_map(|line| {
        if let Some(module) = line.trim_start().strip_prefix("import ") {
            // `import a.b;` is `a/b.slang`.
            let name = module.split(';').next()?.trim().trim_matches('"');
            let is_name = !name.is_empty() && !name.contains(char::is_whitespace);
            return is_name.then(|| Cow::Owned(format!("{}.slang", name.replace('.', "/"))));
        }
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("include")?.trim_start();
        let (end, rest) = match rest.chars().next()? {
            '"' => ('"', &rest[1..]),
            '<' => ('>', &rest[1..]),
            _ => return None,
        };
        let name = &rest[..rest.find(end)?];
        (!name.is_empty()).then_some(Cow::Borrowed(name))
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn includes_of_includes_are_found_beside_the_file_and_in_folders() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("inner")).unwrap();
        fs::create_dir(at("shared")).unwrap();
        let source = "#include \"inner/a.hlsli\"\n # include <b.hlsli> // x\n//#include \"no\"\n";
        fs::write(at("main.hlsl"), source).unwrap();
        fs::write(
            at("inner/a.hlsli"),
            "#include \"c.hlsli\"\n#include \"../main.hlsl\"",
        )
        .unwrap();
        fs::write(at("inner/c.hlsli"), "#include \"missing.hlsli\"").unwrap();
        fs::write(
            at("shared/b.hlsli"),
            "import lights.sun;\nimport what is it\n",
        )
        .unwrap();
        let mut found = of(&[at("main.hlsl")], &[at("shared")]);
        found.sort();
        let mut expected = [
            at("inner/../main.hlsl"),
            at("inner/a.hlsli"),
            at("inner/c.hlsli"),
            at("inner/missing.hlsli"),
            at("shared/b.hlsli"),
            at("shared/lights/sun.slang"),
        ];
        expected.sort();
        assert_eq!(found, expected);
    }
}
