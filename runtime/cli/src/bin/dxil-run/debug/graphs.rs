//! Nodes of work graphs in a debugger.
//!
//! The graph runs once, which records the group of the node; then that group runs in the debugger,
//! by itself.

use dxil_debug::{Lanes, Program as DebugProgram, Session, Target, wave_of_thread};
use dxil_runtime::Kernel;
use dxil_runtime::program::ShaderCode;
use dxil_runtime::work_graph::{GraphOutcome, RecordedNode};

use super::client::{Client, code_of, warn_without_lines};
use super::debugged::Debugged;
use crate::args::Args;
use crate::failure::{Failure, Result};
use crate::graph::{ReadyGraph, ready};
use crate::progress::Progress;

/// What is debugged: a thread of a group of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NodeThread {
    name: String,
    group: u32,
    thread: u32,
}

/// Debugs a node of the graph.
pub(super) fn debug(args: &Args, target: Target, client: Client<'_>) -> Result<Option<Debugged>> {
    let progress = Progress::start("opening the device");
    let ready = ready(args, &progress)?;
    progress.finish();
    let wanted = wanted_of(&ready, target)?;
    let outcome = sessions(&ready, wanted, client)?;
    Ok(outcome.map(|outcome| {
        let text = ready.report(&outcome);
        Debugged::Graph(Box::new((ready, text, outcome.results)))
    }))
}

/// Returns what is debugged: without a name it is the first group of the first entry with records.
fn wanted_of(ready: &ReadyGraph, target: Target) -> Result<NodeThread> {
    let first = Target::Thread {
        group: [0; 3],
        thread: None,
    };
    match target {
        Target::Node {
            name,
            group,
            thread,
        } => Ok(NodeThread {
            name,
            group,
            thread,
        }),
        target if target == first => {
            let input = ready.inputs.first();
            let entry = ready.graph.entries().find(|entry| {
                input.is_some_and(|input| (entry.node, entry.index) == (&input.node, input.index))
            });
            let entry = entry.ok_or_else(|| Failure::usage("the work graph has no records"))?;
            Ok(NodeThread {
                name: entry.entry.to_owned(),
                group: 0,
                thread: 0,
            })
        }
        _ => Err(Failure::usage(
            "of a work graph a group of a node is debugged, like --debug=node:split,3:17",
        )),
    }
}

/// Runs the graph, and records the group; none where the node does not launch so many.
fn record<'g>(
    ready: &'g ReadyGraph,
    wanted: &NodeThread,
) -> Result<(GraphOutcome, Option<RecordedNode<'g>>)> {
    let names: Vec<&str> = ready.graph.programs().map(|(name, _)| name).collect();
    if !names.contains(&wanted.name.as_str()) {
        return Err(Failure::usage(format!(
            "the work graph has no node {}; there are: {}",
            wanted.name,
            names.join(", ")
        )));
    }
    let (graph, with) = (&ready.graph, (&*ready.device, &ready.job));
    let found = graph.record(with, &ready.inputs, (&wanted.name, wanted.group as usize))?;
    Ok(found)
}

fn absent(wanted: &NodeThread) -> String {
    let NodeThread {
        name,
        group,
        thread,
    } = wanted;
    format!("{name} launches no group {group}, or the group has no thread {thread}")
}

fn kernel_of<'n>(recorded: &'n RecordedNode<'_>) -> Result<&'n Kernel> {
    match recorded.program().stages.first().map(|stage| &stage.code) {
        Some(ShaderCode::Dxil(executable)) => Ok(executable.kernel()),
        _ => Err(Failure::unsupported("debugging this node")),
    }
}

/// Returns the code of a node.
fn code<'n>(
    ready: &'n ReadyGraph,
    recorded: &'n RecordedNode<'_>,
    wanted: &NodeThread,
) -> Result<DebugProgram<'n>> {
    let libraries = &ready.libraries;
    let has_node = |number: &usize| {
        let shader = libraries.shaders.get(*number);
        shader.is_some_and(|shader| shader.entry_point(&wanted.name).is_some())
    };
    let number = (0..libraries.shaders.len()).find(has_node).unwrap_or(0);
    let parts = libraries
        .shaders
        .get(number)
        .zip(libraries.reflections.get(number))
        .zip(ready.args.shaders.get(number));
    let Some(((shader, reflection), path)) = parts else {
        return Err(Failure::unsupported("debugging this node"));
    };
    let lanes = Lanes::Node(wanted.name.clone(), wanted.group);
    code_of(
        &ready.args,
        (number, path),
        (shader, reflection, kernel_of(recorded)?),
        lanes,
    )
}

/// Debugs one group after the other, as the user chooses; returns the outcome of the graph, or
/// nothing where the user has ended the session.
fn sessions(
    ready: &ReadyGraph,
    mut wanted: NodeThread,
    client: Client<'_>,
) -> Result<Option<GraphOutcome>> {
    let has_thread = |recorded: &RecordedNode<'_>, wanted: &NodeThread| -> Result<bool> {
        let threads: u32 = kernel_of(recorded)?.num_threads().iter().product();
        Ok(wanted.thread < threads)
    };
    let (outcome, recorded) = record(ready, &wanted)?;
    let Some(mut recorded) = recorded.filter(|found| has_thread(found, &wanted).unwrap_or(false))
    else {
        return Err(Failure::usage(absent(&wanted)));
    };
    let first = code(ready, &recorded, &wanted)?;
    warn_without_lines(&first);
    let Some((front, mut breakpoints, stops_on_entry)) = client.begin(&ready.args, &first) else {
        return Ok(None);
    };
    drop(first);
    let mut stops = stops_on_entry;
    let follows = true;
    loop {
        let code = code(ready, &recorded, &wanted)?;
        let lanes = kernel_of(&recorded)?.wave_size();
        let wave = wave_of_thread(recorded.group(), wanted.thread, lanes);
        let mut session = Session::new(&code, &mut *front, breakpoints, wave, (stops, follows));
        let done = recorded.run(&mut session);
        breakpoints = std::mem::take(&mut session.breakpoints);
        let picked = session.picked.take();
        match (done, picked) {
            (Ok(()), _) => return Ok(Some(outcome)),
            (
                Err(error),
                Some(Target::Node {
                    name,
                    group,
                    thread,
                }),
            ) if error.code() == "stopped" => {
                stops = true;
                let other = NodeThread {
                    name,
                    group,
                    thread,
                };
                if other.name != wanted.name {
                    // Places of breakpoints are those of one node's code.
                    front.output("this is another node: debug it by itself");
                    continue;
                }
                match record(ready, &other)? {
                    (_, Some(found)) if has_thread(&found, &other)? => {
                        (wanted, recorded) = (other, found);
                    }
                    // The one before is shown again.
                    _ => front.output(&absent(&other)),
                }
            }
            (Err(error), _) if error.code() == "stopped" => return Ok(None),
            (Err(error), _) => return Err(error.into()),
        }
    }
}
