//! The findings of `--check`, without suppressed ones, as text, JSON and SARIF.

use std::fmt::Write as _;
use std::path::Path;

use dxil_frontend::SourcePosition;
use dxil_frontend::dxil::debug::Sources;
use dxil_frontend::escape::message;
use dxil_jit::files;
use dxil_jit::sarif;
use dxil_runtime::{Finding, FindingKind, Participant};
use serde_json::{Value, json};

use crate::args::Args;
use crate::failure::{Failure, Result};
use crate::messages::write_stdout;

/// Begins a comment in HLSL that suppresses findings of its line and of the next one.
const COMMENT: &str = "dxil-jit: ignore(";

/// A line of a suppression file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Suppression {
    kinds: Vec<FindingKind>,
    /// `*` is every resource.
    resource: String,
    /// File, and its line; empty is every file.
    file: String,
    line: Option<u32>,
}

/// Findings that are to be reported.
pub(crate) struct Findings<'a> {
    shown: Vec<&'a Finding>,
    suppressed: usize,
    sources: &'a Sources,
}

/// Returns the kinds that a name denotes: that of a kind, of a check, or `all`.
fn kinds_of(name: &str) -> Option<Vec<FindingKind>> {
    let is_meant =
        |kind: &&FindingKind| name == "all" || kind.code() == name || kind.check().name() == name;
    let kinds: Vec<FindingKind> = FindingKind::ALL.iter().filter(is_meant).copied().collect();
    (!kinds.is_empty()).then_some(kinds)
}

/// Reads suppressions: `KIND [RESOURCE [FILE[:LINE]]]`, one per line.
fn parse_rules(path: &Path, text: &str) -> Result<Vec<Suppression>> {
    let mut rules = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_whitespace();
        let Some(name) = words.next() else { continue };
        let kinds = kinds_of(name).ok_or_else(|| {
            let name = message(name);
            Failure::job(format!(
                "{}:{number}: {name} is neither a check nor a kind of finding",
                path.display()
            ))
        })?;
        let resource = words.next().unwrap_or("*").to_owned();
        let place = words.next().unwrap_or_default();
        let (file, line) = match place.rsplit_once(':') {
            Some((file, line)) if line.parse::<u32>().is_ok() => (file, line.parse().ok()),
            _ => (place, None),
        };
        rules.push(Suppression {
            kinds,
            resource,
            file: file.to_owned(),
            line,
        });
    }
    Ok(rules)
}

/// Returns the places that a finding names.
fn positions(finding: &Finding) -> impl Iterator<Item = &SourcePosition> {
    let first = finding.first.as_ref().map(|first| &first.place);
    let places = [first, Some(&finding.second.place), finding.origin.as_ref()];
    let places = places.into_iter().flatten();
    places.filter_map(|place| place.source.as_deref())
}

impl Suppression {
    fn covers(&self, finding: &Finding) -> bool {
        let is_place = |position: &SourcePosition| {
            // The name without its folders, as build systems add them.
            let is_file = *position.file == *self.file
                || position.file.rsplit(['/', '\\']).next() == Some(&self.file);
            is_file && self.line.is_none_or(|line| line == position.line)
        };
        self.kinds.contains(&finding.kind)
            && (self.resource == "*" || self.resource == finding.resource)
            && (self.file.is_empty() || positions(finding).any(is_place))
    }
}

/// Returns whether a comment at one of the finding's lines, or alone on the line before, suppresses
/// it.
fn has_comment(finding: &Finding, sources: &Sources) -> bool {
    let names = |text: &str| -> bool {
        let Some((_, list)) = text.split_once(COMMENT) else {
            return false;
        };
        let list = list.split(')').next().unwrap_or_default();
        let kinds = list.split(',').filter_map(|name| kinds_of(name.trim()));
        kinds.flatten().any(|kind| kind == finding.kind)
    };
    positions(finding).any(|position| {
        let line = |number| sources.line(&position.file, number);
        let is_alone = |text: &&str| text.trim_start().starts_with("//");
        line(position.line).is_some_and(names)
            || position
                .line
                .checked_sub(1)
                .and_then(line)
                .filter(is_alone)
                .is_some_and(names)
    })
}

impl<'a> Findings<'a> {
    /// Leaves out what the command line or the source suppresses.
    pub(crate) fn new(args: &Args, findings: &'a [Finding], sources: &'a Sources) -> Result<Self> {
        let mut rules = Vec::new();
        for path in &args.suppress {
            let text = files::read_to_string(path).map_err(|error| Failure::file(path, &error))?;
            rules.extend(parse_rules(path, &text)?);
        }
        let is_shown = |finding: &&Finding| {
            !rules.iter().any(|rule| rule.covers(finding)) && !has_comment(finding, sources)
        };
        let shown: Vec<&Finding> = findings.iter().filter(is_shown).collect();
        Ok(Findings {
            suppressed: findings.len() - shown.len(),
            shown,
            sources,
        })
    }

    /// Returns the text of a line of the source.
    fn source_line(&self, position: &SourcePosition) -> Option<&str> {
        let line = self.sources.line(&position.file, position.line)?;
        Some(line.trim())
    }

    /// Returns a line per finding, with the lines of the source that it names.
    pub(crate) fn text(&self) -> String {
        let mut text = String::from("\n");
        for finding in &self.shown {
            let line = format!("{}: {finding}", finding.kind.code());
            text.push_str(&message(&line));
            text.push('\n');
            let mut known = Vec::new();
            for position in positions(finding) {
                let place = (&position.file, position.line);
                if known.contains(&place) {
                    continue;
                }
                known.push(place);
                if let Some(source) = self.source_line(position) {
                    let source = format!("{}:{}: {source}", position.file, position.line);
                    let _ = writeln!(text, "    {}", message(&source));
                }
            }
        }
        if self.shown.is_empty() {
            text.push_str("check: no defects found");
            if self.suppressed > 0 {
                let _ = write!(text, ", {} suppressed", self.suppressed);
            }
            text.push('\n');
        }
        text
    }

    fn participant(&self, participant: &Participant) -> Value {
        json!({
            "group": participant.group,
            "thread": participant.thread,
            "access": participant.access.name(),
            "function": &*participant.place.function,
            "block": participant.place.block,
            "source": participant.place.source.as_deref().map(|source| self.source(source)),
        })
    }

    fn source(&self, position: &SourcePosition) -> Value {
        json!({
            "file": &*position.file,
            "line": position.line,
            "column": position.column,
            "text": self.source_line(position),
        })
    }

    /// Returns the findings as a JSON array.
    pub(crate) fn json(&self) -> Value {
        let each = self.shown.iter().map(|finding| {
            let origin = finding.origin.as_ref();
            json!({
                "kind": finding.kind.code(),
                "check": finding.kind.check().name(),
                "resource": finding.resource,
                "byte": finding.byte,
                "texel": finding.texel,
                "detail": finding.detail,
                "first": finding.first.as_ref().map(|first| self.participant(first)),
                "second": self.participant(&finding.second),
                "origin": origin.and_then(|o| o.source.as_deref()).map(|s| self.source(s)),
                "count": finding.count,
            })
        });
        Value::Array(each.collect())
    }

    /// Returns a SARIF log.
    fn sarif(&self, shader: &Path) -> String {
        let mut kinds: Vec<FindingKind> = self.shown.iter().map(|finding| finding.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let rules: Vec<(&str, &str)> = kinds
            .iter()
            .map(|kind| (kind.code(), kind.description()))
            .collect();
        let location = |position: &SourcePosition| {
            sarif::source_location(&position.file, position.line, position.column)
        };
        let results: Vec<Value> = self
            .shown
            .iter()
            .map(|finding| {
                // Without debug information the shader itself is all that can be named.
                let main = match finding.second.place.source.as_deref() {
                    Some(position) => location(position),
                    None => json!({ "physicalLocation": {
                        "artifactLocation": { "uri": shader.display().to_string() }
                    } }),
                };
                let second = finding.second.place.source.as_deref();
                let others = positions(finding).filter(|position| Some(*position) != second);
                json!({
                    "ruleId": finding.kind.code(),
                    "level": "error",
                    "message": { "text": finding.to_string() },
                    "locations": [main],
                    "relatedLocations": others.map(location).collect::<Vec<Value>>(),
                    "occurrenceCount": finding.count.max(1),
                })
            })
            .collect();
        sarif::log("dxil-run", &rules, &results)
    }

    /// Prints and writes the findings. They are a failure.
    pub(crate) fn report(&self, args: &Args) -> Result<()> {
        if !args.json {
            write_stdout(self.text().as_bytes())?;
        }
        if let Some(path) = &args.sarif {
            let shader = args.shaders.first().map_or(Path::new(""), |path| path);
            let log = self.sarif(shader);
            files::write(path, log.as_bytes()).map_err(|error| Failure::file(path, &error))?;
        }
        match self.shown.len() {
            0 => Ok(()),
            1 => Err(Failure::defects("1 defect found")),
            count => Err(Failure::defects(format!("{count} defects found"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_kind_resource_and_place() {
        let path = Path::new("list");
        let text = "# a comment\nraces tile blur.hlsl:12\n\nout-of-bounds # all of them\n";
        let rules = parse_rules(path, text).unwrap();
        assert_eq!(rules.len(), 2);
        assert!(rules[0].kinds.contains(&FindingKind::GroupsharedRace));
        let place = (rules[0].file.as_str(), rules[0].line);
        assert_eq!(
            (rules[0].resource.as_str(), place),
            ("tile", ("blur.hlsl", Some(12)))
        );
        assert_eq!(rules[1].kinds, [FindingKind::OutOfBounds]);
        assert_eq!(rules[1].resource, "*");
        assert!(parse_rules(path, "racing").is_err());
    }
}
