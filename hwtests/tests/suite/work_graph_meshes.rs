//! Mesh nodes of work graphs: records become draws. No public compiler writes mesh nodes; the
//! library is assembled from text.

use dxil_frontend::container::rdat::NodeLaunch;
use dxil_frontend::dxil::{Shader as DecodedShader, Stage, read_shader};
use dxil_hwtests::element::from_bytes;
use dxil_hwtests::run::{Failure, mesh_work_graph};
use dxil_hwtests::{Shader, texture};
use dxil_runtime::Format;
use dxil_runtime::graphics::{Attachment, Draw, GraphicsState, TargetState};
use dxil_runtime::job::{Dimension, Job, ResourceId, Storage, Work};
use dxil_runtime::work_graph::{GraphOutcome, MeshProgram};
use dxil_translate::{Features, Options, translate};

use super::work_graphs::{expect, input, levels, library, with_uav, words};

const SIDE: u32 = 8;

fn tiles() -> Shader {
    library(
        "nodes/mesh_tiles",
        include_bytes!("../../shaders/nodes/mesh_tiles.dxil"),
    )
}

fn decoded() -> Result<DecodedShader, Failure> {
    Ok(read_shader(tiles().bytes)?)
}

fn pixel_shader() -> Result<DecodedShader, Failure> {
    Ok(read_shader(include_bytes!(
        "../../shaders/nodes/mesh_tiles_ps.dxil"
    ))?)
}

/// Returns a job with a counter in `u0` that draws to one target.
fn drawing_job() -> (Job, ResourceId) {
    let mut job = with_uav(vec![0; 4]);
    let texels = vec![0f32; (SIDE * SIDE * 4) as usize];
    let image = texture(
        Dimension::D2,
        Format::Rgba32Float,
        [SIDE, SIDE, 1],
        1,
        &texels,
    );
    let target = job.add_resource("target", Storage::Texture(image), true);
    job.work = Work::Draw(Box::new(Draw {
        targets: vec![Attachment::new(target)],
        ..Draw::default()
    }));
    (job, target)
}

fn state() -> GraphicsState {
    GraphicsState {
        targets: vec![TargetState::new(Format::Rgba32Float)],
        ..GraphicsState::default()
    }
}

/// A patch of tiles: its grid, its first tile, and its shade.
type Patch = ([u32; 3], [u32; 2], u32);

/// Returns what patches leave in the target: shade, column and line in the grid.
fn picture(patches: &[Patch]) -> Vec<[f32; 4]> {
    let mut texels = vec![[0.0; 4]; (SIDE * SIDE) as usize];
    for &([width, height, _], [left, top], shade) in patches {
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let at = (top + y) * SIDE + left + x;
            texels[at as usize] = [shade as f32, x as f32, y as f32, 1.0];
        }
    }
    texels
}

fn run(inputs: &[Patch]) -> Result<(Vec<[f32; 4]>, GraphOutcome), Failure> {
    let pixel = pixel_shader()?;
    let programs = [MeshProgram {
        node: "draw",
        pixel: Some(&pixel),
        state: state(),
    }];
    let (job, target) = drawing_job();
    let records: Vec<u32> = inputs
        .iter()
        .flat_map(|(grid, first, shade)| [&grid[..], first, &[*shade]].concat())
        .collect();
    let inputs = match inputs.len() as u32 {
        0 => input("plan", &[], 1),
        count => input("draw", &records, count),
    };
    let outcome = mesh_work_graph(&tiles(), &programs, &job, &[inputs])?;
    let texels: Vec<f32> = from_bytes(outcome.results.bytes(target).unwrap_or_default());
    let texels = texels.chunks(4).map(|t| [t[0], t[1], t[2], t[3]]);
    Ok((texels.collect(), outcome))
}

/// Each record that a node sends is drawn with its own grid; what the draws write to buffers and
/// targets stays.
#[test]
fn records_become_draws_of_their_grids() -> Result<(), Failure> {
    let (texels, outcome) = run(&[])?;
    let patches: Vec<Patch> = (0..4)
        .flat_map(|row| {
            let tall: Patch = ([1, 2, 1], [7, 2 * row], 10 * row + 1);
            [([2, 1, 1], [row, 2 * row], 10 * row), tall]
        })
        .collect();
    expect("groups", &words(&outcome, 0)[0], &16)?;
    let want = levels(&[&[("plan", 1)], &[("draw", 8)]]);
    expect("levels", &outcome.levels, &want)?;
    expect("texels", &texels, &picture(&patches))
}

/// A mesh node may be an entry of its graph; a grid without groups draws nothing.
#[test]
fn a_mesh_node_takes_records_from_the_host() -> Result<(), Failure> {
    let patches: [Patch; 4] = [
        ([2, 2, 1], [1, 1], 5),
        ([0, 2, 1], [0, 6], 6),
        ([1, 1, 1], [6, 3], 7),
        ([2, 1, 1], [3, 7], 8),
    ];
    let (texels, outcome) = run(&patches)?;
    expect("groups", &words(&outcome, 0)[0], &7)?;
    expect("texels", &texels, &picture(&patches))
}

#[test]
fn what_a_mesh_node_needs_is_said() -> Result<(), Failure> {
    let has = |error: &str, text: &str| expect(error, &error.contains(text), &true);
    let inputs = [input("draw", &[1, 1, 1, 0, 0, 0], 1)];
    let error = mesh_work_graph(&tiles(), &[], &drawing_job().0, &inputs).unwrap_err();
    has(&format!("{error:?}"), "the mesh node draw needs a program")?;
    let pixel = pixel_shader()?;
    let program = MeshProgram {
        node: "draw",
        pixel: Some(&pixel),
        state: state(),
    };
    // The job has no targets.
    let job = with_uav(vec![0; 4]);
    let error = mesh_work_graph(&tiles(), &[program], &job, &inputs).unwrap_err();
    has(&format!("{error:?}"), "a mesh node needs a job that draws")?;
    // A leaf sends nothing.
    let mut sends = decoded()?;
    let mut outputs = Vec::new();
    for entry in &mut sends.entry_points {
        match &mut entry.stage {
            Stage::Node(node) if node.launch == NodeLaunch::Mesh => node.outputs = outputs.clone(),
            Stage::Node(node) => outputs = node.outputs.clone(),
            _ => {}
        }
    }
    let error = translate(&sends, &draw_options(Features::all())).unwrap_err();
    has(&error.to_string(), "a mesh node that sends records")
}

fn draw_options(features: Features) -> Options {
    let mut options = Options::default();
    options.entry = Some("draw".into());
    options.target.features = features;
    options
}

/// Without the number of the draw, a layer draws the records one by one.
#[test]
fn a_target_without_draw_numbers_reads_none() -> Result<(), Failure> {
    let shader = decoded()?;
    let reads = |features| {
        let made = translate(&shader, &draw_options(features)).unwrap();
        format!("{:?}", made.interface.capabilities).contains("DrawParameters")
    };
    expect("with", &reads(Features::all()), &true)?;
    let without = Features::all() - Features::DRAW_PARAMETERS;
    expect("without", &reads(without), &false)
}
