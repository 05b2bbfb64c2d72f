//! The documents: the chapters of the book and the targets of links exist. This needs no network;
//! external links are not followed.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first problem"
)]

use std::fs;
use std::path::{Path, PathBuf};

use dxil_checkout::root;

/// Returns the Markdown files for readers.
fn documents() -> Vec<PathBuf> {
    let folders = ["", "docs", "docs/upstream", "bench", "fuzz"];
    let mut files: Vec<PathBuf> = folders
        .iter()
        .filter_map(|folder| fs::read_dir(root().join(folder)).ok())
        .flatten()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    files.sort();
    files
}

/// Returns the text without code blocks and code spans, which contain no links.
fn prose(text: &str) -> String {
    let mut out = String::new();
    let mut is_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
            continue;
        }
        if !is_code {
            out.extend(line.split('`').step_by(2));
            out.push('\n');
        }
    }
    out
}

/// Returns the targets of `[text](target)`.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let ends = prose.match_indices("](").map(|(at, _)| &prose[at + 2..]);
    ends.filter_map(|rest| Some(rest[..rest.find(')')?].trim().to_owned()))
        .collect()
}

/// Returns the anchors of the headings, as mdBook and GitHub generate them.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter_map(|line| {
        let title = line.trim_start_matches('#');
        (title.len() < line.len()).then(|| title.strip_prefix(' '))?
    });
    let anchor = |title: &str| {
        let kept = title.trim().to_lowercase();
        let kept = kept
            .chars()
            .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

/// Returns the problem of a link in a document, or `None`.
fn problem(document: &Path, link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, anchor) = match link.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (link, None),
    };
    let target = match path {
        "" => document.to_owned(),
        path => document.parent().unwrap().join(path),
    };
    if !target.exists() {
        return Some(format!("{link}: there is no such file"));
    }
    let anchor = anchor?;
    let text = fs::read_to_string(&target).unwrap();
    (!anchors(&text).iter().any(|found| found == anchor))
        .then(|| format!("{link}: there is no such heading"))
}

#[test]
fn links_lead_to_files_and_headings() {
    let documents = documents();
    assert!(documents.len() > 10, "{documents:?}");
    let mut problems = Vec::new();
    let mut count = 0;
    for document in &documents {
        let text = fs::read_to_string(document).unwrap();
        for link in links(&text) {
            count += 1;
            let problem = problem(document, &link);
            problems.extend(problem.map(|problem| format!("{}: {problem}", document.display())));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(count > 10, "{count} links");
}

/// Returns the pages of the book: the Markdown files of its folder.
fn pages(docs: &Path) -> Vec<String> {
    let names = fs::read_dir(docs)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let pages = names.filter(|name| name.ends_with(".md") && name != "SUMMARY.md");
    pages.collect()
}

#[test]
fn the_book_has_every_page_once() {
    let docs = root().join("docs");
    let book = fs::read_to_string(docs.join("book.toml")).unwrap();
    assert!(book.contains("src = \".\""), "{book}");
    let summary = fs::read_to_string(docs.join("SUMMARY.md")).unwrap();
    let chapters = links(&summary);
    for page in pages(&docs) {
        assert!(chapters.contains(&page), "SUMMARY.md lacks {page}");
    }
    // mdBook requires each chapter exactly once, inside of the book.
    let mut sorted = chapters.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(sorted.len(), chapters.len(), "{chapters:?}");
    assert!(
        chapters.iter().all(|chapter| !chapter.contains('/')),
        "{chapters:?}"
    );
}

#[test]
fn the_readme_is_short_and_shows_two_pictures() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.lines().count() <= 125, "{}", readme.lines().count());
    assert_eq!(readme.matches("![").count(), 2);
    let wide = readme.lines().filter(|line| line.chars().count() > 100);
    let wide: Vec<&str> = wide.filter(|line| !line.starts_with('|')).collect();
    assert!(wide.is_empty(), "{wide:?}");
}

#[test]
fn broken_links_are_found() {
    let document = root().join("docs/commands.md");
    assert_eq!(problem(&document, "#exit-codes"), None);
    assert_eq!(problem(&document, "cpu.md"), None);
    assert_eq!(problem(&document, "https://example.org/x"), None);
    assert!(problem(&document, "nowhere.md").is_some());
    assert!(problem(&document, "cpu.md#nowhere").is_some());
    assert_eq!(
        links("a [b](c.md#d) `[e](f)`\n```\n[g](h)\n```\n"),
        ["c.md#d"]
    );
}

/// `SECURITY.md` tells where memory safety is not the compiler's work.
#[test]
fn the_security_page_names_every_place_with_unsafe_code() {
    let page = fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let begin = page.find("The remaining `unsafe` code is in").unwrap();
    let named = page[begin..].split(';').next().unwrap();
    let named: Vec<&str> = named.split('`').skip(3).step_by(2).collect();
    let mut unnamed = Vec::new();
    for folder in ["frontend/src", "translate", "runtime"] {
        for path in dxil_checkout::files(&root().join(folder), "rs") {
            let place = path
                .strip_prefix(root())
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned();
            // The page leaves these to developers.
            let is_for_developers = place.contains("/tests/")
                || place.contains("/examples/")
                || place.starts_with("runtime/fault-layer");
            let text = fs::read_to_string(&path).unwrap();
            let is_unsafe = text.lines().any(|line| {
                let code = line.split("//").next().unwrap_or_default();
                ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern"]
                    .iter()
                    .any(|word| code.contains(word))
            });
            let is_named = named.iter().any(|name| place.starts_with(name));
            if is_unsafe && !is_for_developers && !is_named {
                unnamed.push(place);
            }
        }
    }
    assert_eq!(unnamed, Vec::<String>::new());
    assert!(named.contains(&"translate/capi"), "{named:?}");
}
