//! Random HLSL.
//!
//! The shader of a seed terminates, stays in bounds, has no undefined behaviour and exactly one
//! correct result: loops are bounded, indices are in range, barriers separate accesses to shared
//! memory, and floats are exact (`types`). All correct compilers thus give the same bits. Each seed
//! uses a subset of the language ([`Features`]), so that each feature in it is frequent.

mod declarations;
mod expression;
mod expressions;
mod features;
mod float_expressions;
mod functions;
mod generator;
mod leaves;
mod memory;
mod parallel;
mod place_expression;
mod places;
mod statements;
mod types;

pub use features::Features;

use crate::random::Random;
use generator::{Flow, Generator, Memory, Shared};
use place_expression::PlaceExpression;
use types::Scalar;

/// A generated shader.
#[derive(Debug, Clone)]
pub struct Source {
    /// HLSL. The first line contains the arguments of DXC, the second the number of thread groups.
    pub text: String,
}

/// Returns the shader of a seed.
pub fn shader(seed: u64) -> Source {
    shader_of(seed, Features::choose)
}

/// Returns the shader of a seed that consists of control flow ([`Features::control_flow`]).
pub fn control_flow(seed: u64) -> Source {
    shader_of(seed, Features::control_flow)
}

fn shader_of(seed: u64, choose: fn(&mut Random) -> Features) -> Source {
    let mut random = Random::new(seed);
    let features = choose(&mut random);
    let mut generator = Generator::new(random, features);
    generator.shader(seed);
    Source {
        text: generator.text,
    }
}

impl Generator {
    fn new(random: Random, features: Features) -> Self {
        Generator {
            random,
            features,
            threads: [1; 3],
            groups: [1; 3],
            structs: Vec::new(),
            functions: Vec::new(),
            text: String::new(),
            indent: 0,
            places: Vec::new(),
            flow: Flow {
                uniform: true,
                in_loop: false,
                in_switch: false,
                times: 1,
                depth: 0,
                returns: None,
                pure: false,
                may_return: true,
            },
            next_name: 0,
            next_out: 0,
            cost: 0,
            statements_left: 0,
            in_function: true,
            shared: Shared::default(),
            memory: Memory::default(),
        }
    }

    /// Returns the text.
    fn shader(&mut self, seed: u64) {
        let (model, arguments) = self.features.arguments();
        self.choose_threads();
        let [x, y, z] = self.groups;
        self.line(&format!("// dxc: -T cs_{model} -E main{arguments}"));
        self.line(&format!("// groups: {x} {y} {z}; seed {seed}"));
        self.declarations();
        self.write_functions();
        self.write_main();
    }

    fn choose_threads(&mut self) {
        let shapes = [
            [8, 1, 1],
            [32, 1, 1],
            [64, 1, 1],
            [13, 1, 1],
            [8, 8, 1],
            [4, 4, 2],
            [4, 2, 1],
            [16, 2, 1],
        ];
        let quads = [[8, 1, 1], [32, 1, 1], [64, 1, 1], [8, 8, 1], [4, 4, 1]];
        self.threads = if self.features.quads {
            *self.random.pick(&quads)
        } else {
            *self.random.pick(&shapes)
        };
        let groups = [[1, 1, 1], [2, 1, 1], [1, 2, 1], [1, 1, 2]];
        self.groups = *self.random.pick(&groups);
    }

    fn group_size(&self) -> u32 {
        self.threads.iter().product()
    }

    fn write_main(&mut self) {
        let [x, y, z] = self.threads;
        if self.features.minor >= 6 && self.features.wave_size {
            self.line("[WaveSize(8)]");
        }
        self.line(&format!("[numthreads({x}, {y}, {z})]"));
        self.line("void main(uint3 group : SV_GroupID, uint3 at : SV_DispatchThreadID, uint3 inside : SV_GroupThreadID, uint index : SV_GroupIndex) {");
        self.indent += 1;
        self.line("local = index;");
        let [gx, gy, _] = self.groups;
        let size = self.group_size();
        self.line(&format!(
            "thread = index + {size}u * (group.x + {gx}u * (group.y + {gy}u * group.z));"
        ));
        self.flow = Flow {
            uniform: true,
            in_loop: false,
            in_switch: false,
            times: 1,
            depth: 0,
            returns: None,
            pure: false,
            may_return: true,
        };
        let uint = |width| types::Vector::new(Scalar::Uint, width);
        for (name, width) in [("group", 3), ("at", 3), ("inside", 3), ("index", 1)] {
            self.places
                .push(PlaceExpression::read_only(name, uint(width)));
        }
        self.start_shared();
        self.in_function = false;
        self.cost = 0;
        self.statements_left = self.random.between(12, 70);
        let count = self.random.between(8, 24);
        for _ in 0..4 {
            self.declare_variable();
        }
        self.statements(count);
        self.dump_all();
        self.indent -= 1;
        self.line("}");
    }

    fn line(&mut self, line: &str) {
        for _ in 0..self.indent {
            self.text.push_str("  ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn name(&mut self, prefix: &str) -> String {
        self.next_name += 1;
        format!("{prefix}{}", self.next_name)
    }
}
