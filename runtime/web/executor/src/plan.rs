//! A dispatch: what it needs, and the job made of what the page gives.

use dxil_frontend::dxil::ShaderKind;
use dxil_runtime::job::{
    BufferView, Comparison, Filter, Job, ResourceId, ResourceView, Sampler, Storage,
};
use serde_json::{Value, json};

use crate::contents;
use crate::failure::{Failure, Result};
use crate::message::Message;
use crate::resources::{Declared, Shape, declared};
use crate::source::Source;

/// A job, and what is known of its registers.
pub(crate) struct Planned {
    /// The job.
    pub(crate) job: Job,
    /// The registers with their resources; constants and samplers have none.
    pub(crate) bound: Vec<(Declared, Option<ResourceId>)>,
}

/// Answers the registers of a compute shader, for a dispatch of as many groups as the question
/// says.
pub(crate) fn answer(question: &Message) -> Result<Message> {
    let source = Source::of(question)?;
    let groups = groups(question)?;
    let (threads, size) = threads(&source, question, groups)?;
    let all = declared(&source, threads)?;
    let all: Vec<Value> = all.iter().map(Declared::json).collect();
    Ok(Message::new(
        json!({ "registers": all, "group_size": size, "groups": groups }),
    ))
}

/// Returns the number of groups.
pub(crate) fn groups(question: &Message) -> Result<[u32; 3]> {
    let given = &question.head["groups"];
    let mut groups = [1; 3];
    for (index, side) in groups.iter_mut().enumerate() {
        if let Some(number) = given[index].as_u64() {
            // Direct3D 11.3 functional specification, 7.7: 65,535 groups in each direction.
            if number > 65_535 {
                return Err(Failure::job(
                    "a dispatch has up to 65535 groups in each direction",
                ));
            }
            *side = number as u32;
        }
    }
    Ok(groups)
}

/// Returns the threads of the dispatch and of a group.
fn threads(source: &Source, question: &Message, groups: [u32; 3]) -> Result<([u32; 3], [u32; 3])> {
    let entry = source.entry(question)?;
    if entry.kind != ShaderKind::Compute {
        return Err(Failure::unsupported(
            "the page runs compute shaders; dxil-run runs draws, rays and work graphs",
        ));
    }
    let size = entry.num_threads.unwrap_or([1; 3]);
    let mut threads = groups;
    for (side, size) in threads.iter_mut().zip(size) {
        *side = side.saturating_mul(size);
    }
    Ok((threads, size))
}

/// Makes the job.
pub(crate) fn plan(source: &Source, question: &Message) -> Result<Planned> {
    let groups = groups(question)?;
    let (threads, _) = threads(source, question, groups)?;
    let mut job = Job::dispatch(groups);
    let mut bound = Vec::new();
    for declared in declared(source, threads)? {
        let name = declared.register.to_string();
        let given = question.head["registers"].as_array();
        let given = given.and_then(|all| all.iter().find(|one| one["register"] == *name));
        let given = given.unwrap_or(&Value::Null);
        let register = declared.register;
        let id = match &declared.shape {
            Shape::Sampler { compares } => {
                job.bind_sampler(register, sampler(*compares));
                None
            }
            Shape::Constants(_) => {
                job.bind_constants(register, contents::bytes(&declared, given, question)?);
                None
            }
            Shape::Buffer(format) => {
                let bytes = contents::bytes(&declared, given, question)?;
                let id = job.add_resource(&name, Storage::Buffer(bytes), declared.writable);
                let view = BufferView {
                    resource: id,
                    offset: 0,
                    size: None,
                    format: *format,
                    counter: declared.has_counter.then_some(0),
                };
                job.bind(register, ResourceView::Buffer(view));
                Some(id)
            }
            Shape::Texture(texture) => {
                let mut texture = contents::sized(texture, given);
                let shaped = Declared {
                    shape: Shape::Texture(texture.clone()),
                    ..declared.clone()
                };
                texture.data = contents::bytes(&shaped, given, question)?;
                Some(job.bind_texture(register, texture))
            }
        };
        bound.push((declared, id));
    }
    Ok(Planned { job, bound })
}

/// Returns a linear sampler.
fn sampler(compares: bool) -> Sampler {
    Sampler {
        min_filter: Filter::Linear,
        mag_filter: Filter::Linear,
        mip_filter: Filter::Linear,
        comparison: compares.then_some(Comparison::LessEqual),
        ..Sampler::default()
    }
}
