//! Communication between threads: waves, quads, shared memory, atomics.
//!
//! Wave operations may be in divergent control flow. Operations that read a given lane are only
//! where all lanes are active.

use super::generator::Generator;
use super::place_expression::PlaceExpression;
use super::types::{Scalar, Type, Vector};

/// Atomic operations that commute.
const ATOMICS: [&str; 6] = ["Add", "And", "Or", "Xor", "Min", "Max"];

/// Number of words of the shared array.
const SHARED_WORDS: u32 = 8;

impl Generator {
    /// Writes the declarations.
    pub(super) fn declare_shared(&mut self) {
        let size = self.group_size();
        if self.features.groupshared {
            for _ in 0..self.random.between(1, 2) {
                let scalar = self.memory_scalar();
                let vector = self.vector_type(scalar);
                let name = self.name("x");
                self.line(&format!("groupshared {} {name}[{size}];", vector.name()));
                self.shared.exchanges.push((name, vector));
            }
            let kind = if !self.structs.is_empty() && self.random.percent(50) {
                Type::Struct(self.random.below(self.structs.len() as u32) as usize)
            } else {
                let scalar = self.memory_scalar();
                Type::Vector(self.vector_type(scalar))
            };
            let name = self.name("own");
            let array = Type::Array(Box::new(kind.clone()), size);
            let declared = self.declared(&array, &name);
            self.line(&format!("groupshared {declared};"));
            let zero = self.declared(&kind, "").trim().to_owned();
            self.shared.own.push(format!("{name}[local] = ({zero})0;"));
            self.add_place(PlaceExpression {
                local: false,
                ..PlaceExpression::local(&format!("{name}[local]"), kind)
            });
        }
        if self.features.atomics {
            if self.features.groupshared {
                self.line(&format!("groupshared uint words[{SHARED_WORDS}];"));
                self.shared.words = Some("words".to_owned());
            }
            let name = self.name("A");
            let uav = 8;
            self.line(&format!(
                "RWStructuredBuffer<uint> {name} : register(u{uav});"
            ));
            self.shared.atomics = Some(name);
        }
    }

    /// Writes the initialization of shared memory.
    pub(super) fn start_shared(&mut self) {
        for line in self.shared.own.clone() {
            self.line(&line);
        }
    }

    /// Writes a phase between barriers. All threads of the group are active.
    pub(super) fn exchange(&mut self) -> bool {
        if !self.flow.uniform {
            return false;
        }
        if self.shared.words.is_some() && self.random.percent(40) {
            self.shared_atomics();
            return true;
        }
        if self.shared.exchanges.is_empty() {
            return false;
        }
        let (name, vector) = self.random.pick(&self.shared.exchanges).clone();
        let value = self.value(vector, 2);
        self.line(&format!("{name}[local] = {value};"));
        self.barrier();
        let index = self.index(self.group_size());
        self.declare(vector, &format!("{name}[{index}]"), false);
        self.barrier();
        true
    }

    fn barrier(&mut self) {
        let barrier = *self.random.pick(&[
            "GroupMemoryBarrierWithGroupSync",
            "AllMemoryBarrierWithGroupSync",
        ]);
        self.line(&format!("{barrier}();"));
    }

    /// Writes atomics on shared words between barriers, and reads of the results.
    fn shared_atomics(&mut self) {
        self.line(&format!(
            "if (local < {SHARED_WORDS}u) words[local] = local * 77u;"
        ));
        self.barrier();
        let operation = *self.random.pick(&ATOMICS);
        let index = self.index(SHARED_WORDS);
        let value = self.value(Vector::new(Scalar::Uint, 1), 2);
        let atomic = format!("Interlocked{operation}(words[{index}], {value});");
        if self.random.percent(50) {
            let condition = self.condition(1, 2);
            self.line(&format!("if ({condition}) {atomic}"));
        } else {
            self.line(&atomic)
        }
        self.barrier();
        let index = self.index(SHARED_WORDS);
        self.declare(
            Vector::new(Scalar::Uint, 1),
            &format!("words[{index}]"),
            false,
        );
        self.barrier();
    }

    /// Writes an atomic on memory that only this thread accesses, so that its result is defined.
    fn own_atomic(&mut self) -> bool {
        let Some(place) = self.find_writable(|place| {
            let word = |scalar| place.kind == Type::Vector(Vector::new(scalar, 1));
            !place.local && place.is_own_memory() && (word(Scalar::Uint) || word(Scalar::Int))
        }) else {
            return false;
        };
        let Some(vector) = place.vector() else {
            return false;
        };
        let text = self.render(&place);
        let (value, old) = (self.value(vector, 2), self.name("v"));
        self.line(&format!("{} {old};", vector.name()));
        match self.random.below(8) {
            0 => self.line(&format!("InterlockedExchange({text}, {value}, {old});")),
            1 => {
                let compared = self.value(vector, 1);
                self.line(&format!(
                    "InterlockedCompareExchange({text}, {compared}, {value}, {old});"
                ));
            }
            number => {
                let operation = ATOMICS[number as usize - 2];
                self.line(&format!("Interlocked{operation}({text}, {value}, {old});"));
            }
        }
        self.add_place(PlaceExpression::local(&old, Type::Vector(vector)));
        true
    }

    /// Writes an atomic on memory of the whole dispatch, without using its result.
    pub(super) fn atomic(&mut self) -> bool {
        if self.features.atomics && self.random.percent(50) && self.own_atomic() {
            return true;
        }
        let Some(name) = self.shared.atomics.clone() else {
            return false;
        };
        if self.flow.pure {
            return false;
        }
        let number = self.random.below(ATOMICS.len() as u32);
        let index = self.index(16);
        let value = self.value(Vector::new(Scalar::Uint, 1), 2);
        self.line(&format!(
            "Interlocked{}({name}[{number}u + 8u * ({index})], {value});",
            ATOMICS[number as usize]
        ));
        true
    }

    /// Writes a wave or quad operation whose result becomes a new variable.
    pub(super) fn wave(&mut self) -> bool {
        if self.flow.pure {
            return false;
        }
        if self.features.quads && self.flow.uniform && self.random.percent(60) {
            return self.quad();
        }
        if !self.features.waves {
            return false;
        }
        let scalars: Vec<Scalar> = self
            .features
            .scalars()
            .into_iter()
            .filter(|scalar| *scalar != Scalar::MinFloat)
            .collect();
        let scalar = *self.random.pick(&scalars);
        let vector = self.vector_type(scalar);
        let whole = self.group_size().is_multiple_of(8);
        let uint = Vector::new(Scalar::Uint, 1);
        let bool_ = Vector::new(Scalar::Bool, 1);
        match self.random.below(14) {
            0 => {
                let condition = self.condition(1, 2);
                self.declare(uint, &format!("WaveActiveCountBits({condition})"), false);
            }
            1 => {
                let condition = self.condition(1, 2);
                self.declare(uint, &format!("WavePrefixCountBits({condition})"), false);
            }
            2 => {
                let condition = self.condition(1, 2);
                let function = *self
                    .random
                    .pick(&["WaveActiveAllTrue", "WaveActiveAnyTrue"]);
                self.declare(bool_, &format!("{function}({condition})"), false);
            }
            3 => {
                let condition = self.condition(1, 2);
                self.declare(
                    Vector::new(Scalar::Uint, 4),
                    &format!("WaveActiveBallot({condition})"),
                    false,
                );
            }
            4 => self.declare(bool_, "WaveIsFirstLane()", false),
            5 => self.declare(uint, "WaveGetLaneIndex()", false),
            6 if whole && self.flow.uniform && scalar != Scalar::Bool => {
                let value = self.value(vector, 2);
                let lane = self.index(8);
                self.declare(vector, &format!("WaveReadLaneAt({value}, {lane})"), false);
            }
            7..=8 if scalar != Scalar::Bool => {
                let value = self.value(vector, 2);
                self.declare(vector, &format!("WaveReadLaneFirst({value})"), false);
            }
            9 if scalar != Scalar::Bool => {
                // For vectors, the SPIR-V of DXC is rarely valid.
                let vector = if self.random.percent(90) {
                    Vector::new(scalar, 1)
                } else {
                    vector
                };
                let value = self.value(vector, 2);
                let bools = Vector::new(Scalar::Bool, vector.width);
                self.declare(bools, &format!("WaveActiveAllEqual({value})"), false);
            }
            _ if scalar == Scalar::Bool => {
                self.declare(uint, "WaveActiveCountBits(true)", false);
            }
            _ => self.reduction(vector),
        }
        true
    }

    fn reduction(&mut self, vector: Vector) {
        let scalar = vector.scalar;
        if scalar.is_float() {
            // Sums over all lanes stay exact; 64 halves would exceed the range.
            let functions: &[&str] = match scalar {
                Scalar::Half => &["WaveActiveMin", "WaveActiveMax"],
                _ => &[
                    "WaveActiveSum",
                    "WaveActiveMin",
                    "WaveActiveMax",
                    "WavePrefixSum",
                ],
            };
            let function = *self.random.pick(functions);
            let value = self.value(vector, 2);
            let name = vector.name();
            let limit = scalar.exact().map_or(0.0, |exact| exact.bound);
            let value =
                format!("clamp({function}({value}), ({name})-{limit:?}, ({name}){limit:?})");
            return self.declare(vector, &value, false);
        }
        let mut functions = vec![
            "WaveActiveSum",
            "WaveActiveProduct",
            "WaveActiveMin",
            "WaveActiveMax",
            "WavePrefixSum",
            "WavePrefixProduct",
        ];
        if matches!(scalar, Scalar::Uint | Scalar::Ulong) {
            functions.extend_from_slice(&[
                "WaveActiveBitAnd",
                "WaveActiveBitOr",
                "WaveActiveBitXor",
            ]);
        }
        let function = *self.random.pick(&functions);
        let value = self.value(vector, 2);
        self.declare(vector, &format!("{function}({value})"), false);
    }

    fn quad(&mut self) -> bool {
        let scalars: Vec<Scalar> = self
            .features
            .scalars()
            .into_iter()
            .filter(|scalar| !matches!(scalar, Scalar::MinFloat | Scalar::Bool))
            .collect();
        let scalar = *self.random.pick(&scalars);
        let vector = self.vector_type(scalar);
        let value = self.value(vector, 2);
        let call = match self.random.below(4) {
            0 => format!("QuadReadAcrossX({value})"),
            1 => format!("QuadReadAcrossY({value})"),
            2 => format!("QuadReadAcrossDiagonal({value})"),
            _ => format!("QuadReadLaneAt({value}, {}u)", self.random.below(4)),
        };
        self.declare(vector, &call, false);
        true
    }
}
