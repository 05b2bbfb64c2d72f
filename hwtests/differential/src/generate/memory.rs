//! Buffers and textures.

use super::generator::{Generator, OUT_WORDS};
use super::place_expression::{Piece, PlaceExpression};
use super::types::{Scalar, Type, Vector};

impl Generator {
    fn srv(&mut self, count: u32) -> u32 {
        self.memory.srvs += count;
        self.memory.srvs - count
    }

    fn uav(&mut self) -> u32 {
        self.memory.uavs += 1;
        self.memory.uavs - 1
    }

    pub(super) fn declare_memory(&mut self) {
        let out = self.uav();
        self.line(&format!("RWStructuredBuffer<uint> Out : register(u{out});"));
        if self.features.structured {
            for _ in 0..self.random.between(1, 3) {
                self.declare_structured();
            }
        }
        if self.features.byte_address {
            let (name, srv) = (self.name("B"), self.srv(1));
            self.line(&format!("ByteAddressBuffer {name} : register(t{srv});"));
            self.memory.bytes.push(name);
            let (name, uav) = (self.name("UB"), self.uav());
            self.line(&format!("RWByteAddressBuffer {name} : register(u{uav});"));
            self.memory.own_bytes.push(name);
        }
        if self.features.typed {
            let vector = self.texel();
            let (name, srv) = (self.name("F"), self.srv(1));
            self.line(&format!(
                "Buffer<{}> {name} : register(t{srv});",
                vector.name()
            ));
            self.memory.typed.push((name, vector));
            let vector = self.texel();
            let (name, uav) = (self.name("UF"), self.uav());
            self.line(&format!(
                "RWBuffer<{}> {name} : register(u{uav});",
                vector.name()
            ));
            self.memory.own_typed.push((name, vector));
        }
        if self.features.textures {
            for _ in 0..self.random.between(1, 2) {
                let vector = self.texel();
                let (name, srv) = (self.name("T"), self.srv(1));
                let declared = vector.name();
                self.line(&format!("Texture2D<{declared}> {name} : register(t{srv});"));
                self.memory.textures.push((name, vector));
            }
            let vector = self.texel();
            let (name, uav) = (self.name("UT"), self.uav());
            let declared = vector.name();
            self.line(&format!(
                "RWTexture2D<{declared}> {name} : register(u{uav});"
            ));
            self.memory.own_textures.push((name, vector));
            self.line("SamplerState point_sampler : register(s0);");
            self.line("SamplerState linear_sampler : register(s1);");
        }
    }

    /// Returns a type of texels.
    fn texel(&mut self) -> Vector {
        let scalars: &[Scalar] = if self.features.floats {
            &[Scalar::Float, Scalar::Float, Scalar::Int, Scalar::Uint]
        } else {
            &[Scalar::Int, Scalar::Uint]
        };
        let scalar = *self.random.pick(scalars);
        Vector::new(scalar, *self.random.pick(&[1, 2, 4]))
    }

    fn declare_structured(&mut self) {
        let mut element = || -> Type {
            if !self.structs.is_empty() && self.random.percent(70) {
                Type::Struct(self.random.below(self.structs.len() as u32) as usize)
            } else {
                let scalar = self.memory_scalar();
                Type::Vector(self.vector_type(scalar))
            }
        };
        let (kind, own) = (element(), element());
        let text = |generator: &Self, kind: &Type| generator.declared(kind, "");
        let count = if self.features.resource_arrays {
            self.random.between(1, 4)
        } else {
            1
        };
        let (name, srv) = (self.name("T"), self.srv(count));
        let (element, dimension) = (text(self, &kind), format!("[{count}]"));
        self.line(&format!(
            "StructuredBuffer<{}> {name}{} : register(t{srv});",
            element.trim(),
            if count > 1 { &dimension } else { "" }
        ));
        let mut pieces = vec![Piece::Text(name)];
        if count > 1 {
            pieces.push(Piece::Resource(count));
        }
        pieces.push(Piece::Index(64));
        self.add_place(PlaceExpression {
            pieces,
            writable: false,
            raw: true,
            local: false,
            ..PlaceExpression::local("", kind)
        });
        let (name, uav) = (self.name("U"), self.uav());
        let element = text(self, &own);
        self.line(&format!(
            "RWStructuredBuffer<{}> {name} : register(u{uav});",
            element.trim()
        ));
        self.add_place(PlaceExpression {
            local: false,
            ..PlaceExpression::local(&format!("{name}[thread]"), own)
        });
    }

    /// Writes a load from or a store to a resource, and returns whether there is a suitable one.
    pub(super) fn access_memory(&mut self) -> bool {
        let mut choices: Vec<fn(&mut Self)> = Vec::new();
        if !self.memory.bytes.is_empty() {
            choices.push(Self::load_bytes);
            if !self.flow.pure {
                choices.push(Self::access_own_bytes);
            }
        }
        if !self.memory.typed.is_empty() {
            choices.push(Self::load_typed);
            if !self.flow.pure {
                choices.push(Self::access_own_typed);
            }
        }
        if !self.memory.textures.is_empty() {
            choices.push(Self::load_texture);
            choices.push(Self::load_texture);
            if !self.flow.pure {
                choices.push(Self::access_own_texture);
            }
        }
        if choices.is_empty() {
            return false;
        }
        let choice = *self.random.pick(&choices);
        choice(self);
        true
    }

    /// Declares a variable with a value.
    pub(super) fn declare(&mut self, vector: Vector, value: &str, raw: bool) {
        let name = self.name("v");
        self.line(&format!("{} {name} = {value};", vector.name()));
        self.add_place(PlaceExpression {
            raw,
            writable: !raw,
            ..PlaceExpression::local(&name, Type::Vector(vector))
        });
    }

    fn load_bytes(&mut self) {
        let name = self.random.pick(&self.memory.bytes).clone();
        self.load_bytes_at(&name, "");
    }

    fn load_bytes_at(&mut self, name: &str, base: &str) {
        let index = self.index(16);
        if self.random.percent(40) {
            let width = self.random.between(1, 4);
            let function = ["Load", "Load2", "Load3", "Load4"][width as usize - 1];
            let value = format!("{name}.{function}({base}({index}) * 4u)");
            self.declare(Vector::new(Scalar::Uint, width), &value, false);
            return;
        }
        let scalar = self.memory_scalar();
        let vector = self.vector_type(scalar);
        // The SPIR-V of DXC rounds addresses of 16-bit values down to whole words.
        let unit = (scalar.bits() / 8).max(4);
        let value = format!("{name}.Load<{}>({base}({index}) * {unit}u)", vector.name());
        self.declare(vector, &value, scalar.is_float());
    }

    fn access_own_bytes(&mut self) {
        let name = self.random.pick(&self.memory.own_bytes).clone();
        if self.random.percent(40) {
            return self.load_bytes_at(&name, "thread * 256u + ");
        }
        let index = self.index(16);
        if self.random.percent(50) {
            let width = self.random.between(1, 4);
            let function = ["Store", "Store2", "Store3", "Store4"][width as usize - 1];
            let value = self.value(Vector::new(Scalar::Uint, width), 2);
            return self.line(&format!(
                "{name}.{function}(thread * 256u + ({index}) * 4u, {value});"
            ));
        }
        let mut scalar = self.memory_scalar();
        if !scalar.is_integer() {
            scalar = Scalar::Int;
        }
        let vector = self.vector_type(scalar);
        // The SPIR-V of DXC rounds addresses of 16-bit values down to whole words.
        let unit = (scalar.bits() / 8).max(4);
        let value = self.value(vector, 2);
        self.line(&format!(
            "{name}.Store<{}>(thread * 256u + ({index}) * {unit}u, {value});",
            vector.name()
        ));
    }

    fn load_typed(&mut self) {
        let (name, vector) = self.random.pick(&self.memory.typed).clone();
        let index = self.index(64);
        self.declare(
            vector,
            &format!("{name}[{index}]"),
            vector.scalar.is_float(),
        );
    }

    fn access_own_typed(&mut self) {
        let (name, vector) = self.random.pick(&self.memory.own_typed).clone();
        if self.random.percent(50) {
            self.declare(vector, &format!("{name}[thread]"), false)
        } else {
            let value = self.value(vector, 2);
            self.line(&format!("{name}[thread] = {value};"));
        }
    }

    fn access_own_texture(&mut self) {
        let (name, vector) = self.random.pick(&self.memory.own_textures).clone();
        let at = "uint2(thread & 15u, thread >> 4)";
        if self.random.percent(50) {
            self.declare(vector, &format!("{name}[{at}]"), false)
        } else {
            let value = self.value(vector, 2);
            self.line(&format!("{name}[{at}] = {value};"));
        }
    }

    /// Returns coordinates: textures have 16×16 texels. Those of floats hold small multiples of
    /// 1/8.
    fn load_texture(&mut self) {
        let (name, vector) = self.random.pick(&self.memory.textures).clone();
        let (x, y) = (self.index(8), self.index(8));
        let (dx, dy) = (
            self.random.below(8) as i32 - 4,
            self.random.below(8) as i32 - 4,
        );
        let float = vector.scalar.is_float();
        match self.random.below(if float { 7 } else { 3 }) {
            0 => {
                let value = format!("{name}.Load(int3(({x}) + 4u, ({y}) + 4u, 0))");
                self.declare(vector, &value, false);
            }
            1 => {
                let value =
                    format!("{name}.Load(int3(({x}) + 4u, ({y}) + 4u, 0), int2({dx}, {dy}))");
                self.declare(vector, &value, false);
            }
            2 => {
                let (width, height) = (self.name("v"), self.name("v"));
                self.line(&format!("uint {width}, {height};"));
                self.line(&format!("{name}.GetDimensions({width}, {height});"));
                for name in [width, height] {
                    self.add_place(PlaceExpression::local(
                        &name,
                        Type::Vector(Vector::new(Scalar::Uint, 1)),
                    ));
                }
            }
            3 => {
                let value = format!(
                    "floor({name}.SampleGrad(linear_sampler, (float2({x}, {y}) + 4.0f) / 16.0f, float2(0.0625f, 0.0f), float2(0.0f, 0.0625f)))"
                );
                self.declare(vector, &value, false);
            }
            4 => {
                let value = format!(
                    "{name}.SampleLevel(point_sampler, (float2({x}, {y}) + 4.5f) / 16.0f, 0.0f, int2({dx}, {dy}))"
                );
                self.declare(vector, &value, false);
            }
            5 => {
                let value = format!(
                    "floor({name}.SampleLevel(linear_sampler, (float2({x}, {y}) + 4.0f) / 16.0f, 0.0f))"
                );
                self.declare(vector, &value, false);
            }
            _ => {
                let channel =
                    ["Red", "Green", "Blue", "Alpha"][self.random.below(vector.width) as usize];
                let value = format!(
                    "{name}.Gather{channel}(point_sampler, (float2({x}, {y}) + 4.0f) / 16.0f, int2({dx}, {dy}))"
                );
                self.declare(Vector::new(Scalar::Float, 4), &value, false);
            }
        }
    }

    /// Returns a word that belongs to the thread.
    pub(super) fn out_word(&mut self) -> String {
        let word = self.next_out % OUT_WORDS;
        self.next_out += 1;
        format!("Out[thread * {OUT_WORDS}u + {word}u]")
    }
}
