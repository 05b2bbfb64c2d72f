//! Declarations of a shader: resources, registers, properties of its stage. Collected in one walk.

use super::opcode::Opcode;
use super::reader::Program;
use super::tokens::{Dimension, File, Instruction, Operand};
use crate::dxil::{
    ComponentType, DomainShape, InputPrimitive, InterpolationMode, OutputTopology, ResourceClass,
    ResourceKind, SamplerKind, ShaderKind, TessellatorOutput, TessellatorPartitioning,
};
use crate::error::{Error, ErrorKind, Result};
use crate::limits;
use crate::tables::HashMap;

/// A declared resource, or range of resources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceDeclaration {
    /// Class: its register letter.
    pub class: ResourceClass,
    /// The number by which instructions refer to it: the register, or in shader model 5.1 the
    /// range's number.
    pub id: u32,
    /// Register space.
    pub space: u32,
    /// First register.
    pub lower_bound: u32,
    /// Number of registers; `None` is unbounded.
    pub count: Option<u32>,
    /// Shape.
    pub kind: ResourceKind,
    /// Type of a typed resource's components.
    pub component: Option<ComponentType>,
    /// Bytes of a structured buffer's element.
    pub stride: Option<u32>,
    /// Samples of a multisampled texture, 0 if not stated.
    pub sample_count: u32,
    /// Size of a constant buffer in registers of 16 bytes, 0 if not stated.
    pub registers: u32,
    /// Kind of a sampler.
    pub sampler: Option<SamplerKind>,
    /// `globallycoherent`.
    pub globally_coherent: bool,
    /// Rasterizer ordered.
    pub rasterizer_ordered: bool,
    /// Has a counter.
    pub has_counter: bool,
}

/// A declared input or output register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegisterDeclaration {
    /// File.
    pub file: File,
    /// Number within the signature; `None` where the file is one register.
    pub register: Option<u32>,
    /// Components.
    pub mask: u8,
    /// Interpolation of a pixel shader's input.
    pub interpolation: InterpolationMode,
}

/// Registers that are indexed dynamically.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexRange {
    /// File.
    pub file: File,
    /// First register.
    pub first: u32,
    /// Number of registers.
    pub count: u32,
    /// Components.
    pub mask: u8,
}

/// Group-shared memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupShared {
    /// Bytes of an element; `None` for raw memory.
    pub stride: Option<u32>,
    /// Bytes in all.
    pub bytes: u32,
}

/// A phase of a hull shader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Phase {
    /// The instruction that starts it.
    pub opcode: Opcode,
    /// First instruction after that.
    pub first: u32,
    /// One past the last.
    pub end: u32,
    /// Number of instances that run.
    pub instances: u32,
}

/// Properties that tessellation stages declare.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tessellation {
    /// Control points in.
    pub input_control_points: u32,
    /// Control points out.
    pub output_control_points: u32,
    /// Domain.
    pub domain: DomainShape,
    /// Partitioning.
    pub partitioning: TessellatorPartitioning,
    /// Output primitive.
    pub output: TessellatorOutput,
    /// Largest factor.
    pub max_factor: f32,
}

/// Properties that geometry shaders declare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Geometry {
    /// Input primitive.
    pub input: InputPrimitive,
    /// Topology of the first stream.
    pub topology: OutputTopology,
    /// Maximum number of vertices per invocation.
    pub max_vertices: u32,
    /// Invocations per primitive.
    pub instances: u32,
    /// Bit per declared stream.
    pub streams: u32,
}

/// All declarations of a shader.
#[derive(Debug, Clone, PartialEq)]
pub struct Declarations {
    /// Resources, in order.
    pub resources: Vec<ResourceDeclaration>,
    /// Input and output registers, in order.
    pub registers: Vec<RegisterDeclaration>,
    /// Ranges that are indexed.
    pub index_ranges: Vec<IndexRange>,
    /// Length of each indexable file of temporaries.
    pub indexable: HashMap<u32, u32>,
    /// Group-shared memory by number.
    pub group_shared: HashMap<u32, GroupShared>,
    /// `dcl_globalFlags`: the token's bits.
    pub global_flags: u32,
    /// Thread group.
    pub thread_group: Option<[u32; 3]>,
    /// Geometry shaders' properties.
    pub geometry: Geometry,
    /// Hull and domain shaders' properties.
    pub tessellation: Tessellation,
    /// Phases of a hull shader.
    pub phases: Vec<Phase>,
}

impl Declarations {
    /// Collects what a program declares.
    ///
    /// # Errors
    /// If a declaration is malformed, or larger than D3D allows.
    pub fn of_program(program: &Program) -> Result<Self> {
        let mut declarations = Declarations {
            resources: Vec::new(),
            registers: Vec::new(),
            index_ranges: Vec::new(),
            indexable: HashMap::default(),
            group_shared: HashMap::default(),
            global_flags: 0,
            thread_group: None,
            geometry: Geometry {
                input: InputPrimitive::Undefined,
                topology: OutputTopology::Undefined,
                max_vertices: 0,
                instances: 1,
                streams: 0,
            },
            tessellation: Tessellation {
                input_control_points: 0,
                output_control_points: 0,
                domain: DomainShape::Undefined,
                partitioning: TessellatorPartitioning::Undefined,
                output: TessellatorOutput::Undefined,
                // D3D11.3 functional specification, 10.13: the declaration is optional, and 64 is
                // its largest value.
                max_factor: 64.0,
            },
            phases: Vec::new(),
        };
        for (index, instruction) in (0..).zip(&program.instructions) {
            let reader = DeclarationReader {
                program,
                instruction,
                words: program.words_of(instruction),
            };
            declarations
                .add(index, &reader)
                .map_err(|error| error.at_offset(u64::from(instruction.offset)))?;
        }
        let end = u32::try_from(program.instructions.len()).unwrap_or(u32::MAX);
        if let Some(phase) = declarations.phases.last_mut() {
            phase.end = end;
        }
        Ok(declarations)
    }

    /// Returns whether an output register is indexed dynamically: written so, or read so by a join
    /// phase.
    pub fn is_indexed_output(&self, register: u32) -> bool {
        let mut ranges = self.output_ranges();
        ranges
            .any(|range| (range.first..range.first.saturating_add(range.count)).contains(&register))
    }

    /// Returns one past the last output register that is indexed dynamically.
    pub fn end_of_indexed_outputs(&self) -> u32 {
        let ends = self.output_ranges();
        ends.map(|range| range.first.saturating_add(range.count))
            .max()
            .unwrap_or(0)
    }

    fn output_ranges(&self) -> impl Iterator<Item = &IndexRange> {
        let ranges = self.index_ranges.iter();
        ranges.filter(|range| matches!(range.file, File::Output | File::InputPatchConstant))
    }

    fn add(&mut self, index: u32, reader: &DeclarationReader<'_>) -> Result<()> {
        use Opcode as O;
        let instruction = reader.instruction;
        match instruction.opcode {
            O::DclResource
            | O::DclResourceRaw
            | O::DclResourceStructured
            | O::DclUavTyped
            | O::DclUavRaw
            | O::DclUavStructured
            | O::DclConstantBuffer
            | O::DclSampler => self.resources.push(reader.resource()?),
            O::DclInput | O::DclInputSgv | O::DclInputSiv => {
                self.add_register(reader, InterpolationMode::Undefined);
            }
            O::DclInputPs | O::DclInputPsSgv | O::DclInputPsSiv => {
                let mode = u64::from(instruction.control(11, 4));
                let mode = InterpolationMode::from_number(mode);
                self.add_register(reader, mode.unwrap_or(InterpolationMode::Undefined));
            }
            O::DclOutput | O::DclOutputSgv | O::DclOutputSiv => {
                self.add_register(reader, InterpolationMode::Undefined);
            }
            O::DclIndexRange => {
                let operand = reader.operand()?;
                let count = reader.word(0);
                let indices = operand.indices();
                // D3D11.3 functional specification, 22.3.30: the range is one of attributes; an
                // index of vertices before it does not count.
                let first = indices.last().map_or(0, |index| index.offset);
                // No signature has more registers.
                if count > 64 || first > 64 {
                    return Err(Error::new(ErrorKind::Limit {
                        what: "registers of an index range",
                        value: u64::from(count.max(first)),
                        limit: 64,
                    }));
                }
                self.index_ranges.push(IndexRange {
                    file: operand.file,
                    first,
                    count,
                    mask: operand.components.mask(),
                });
            }
            O::DclIndexableTemp => {
                let length = reader.word(1);
                // D3D11.3 functional specification, 22.3.36: all temporaries together have at most
                // 4096 registers.
                if length > limits::MAX_DXBC_INDEXABLE {
                    return Err(Error::new(ErrorKind::Limit {
                        what: "registers of an indexable file",
                        value: u64::from(length),
                        limit: u64::from(limits::MAX_DXBC_INDEXABLE),
                    }));
                }
                let known = self.indexable.entry(reader.word(0)).or_insert(0);
                *known = length.max(*known);
            }
            O::DclTgsmRaw => {
                let bytes = reader.word(0);
                self.add_group_shared(reader, None, Some(bytes))?;
            }
            O::DclTgsmStructured => {
                let stride = reader.word(0);
                self.add_group_shared(reader, Some(stride), stride.checked_mul(reader.word(1)))?;
            }
            O::DclGlobalFlags => self.global_flags |= instruction.token & 0x00ff_f800,
            O::DclThreadGroup => {
                self.thread_group = Some([reader.word(0), reader.word(1), reader.word(2)]);
            }
            O::HsControlPointPhase | O::HsForkPhase | O::HsJoinPhase => {
                if let Some(phase) = self.phases.last_mut() {
                    phase.end = index;
                }
                self.phases.push(Phase {
                    opcode: instruction.opcode,
                    first: index + 1,
                    end: index + 1,
                    instances: 1,
                });
            }
            O::DclHsForkPhaseInstanceCount | O::DclHsJoinPhaseInstanceCount => {
                if let Some(phase) = self.phases.last_mut() {
                    phase.instances = reader.word(0);
                }
            }
            _ => self.add_stage_property(reader)?,
        }
        Ok(())
    }

    fn add_stage_property(&mut self, reader: &DeclarationReader<'_>) -> Result<()> {
        use Opcode as O;
        let instruction = reader.instruction;
        let unknown = |what: &'static str, value: u32| {
            Error::new(ErrorKind::BadValue {
                what,
                value: u64::from(value),
                rule: "D3D has no such number",
            })
        };
        match instruction.opcode {
            O::DclGsInputPrimitive => {
                let number = instruction.control(11, 6);
                self.geometry.input = InputPrimitive::from_number(u64::from(number))
                    .ok_or_else(|| unknown("input primitive", number))?;
            }
            O::DclGsOutputPrimitiveTopology => {
                let number = instruction.control(11, 7);
                let topology = OutputTopology::from_number(u64::from(number))
                    .ok_or_else(|| unknown("output topology", number))?;
                if self.geometry.topology == OutputTopology::Undefined {
                    self.geometry.topology = topology;
                }
            }
            O::DclMaxOutputVertexCount => self.geometry.max_vertices = reader.word(0),
            O::DclGsInstanceCount => self.geometry.instances = reader.word(0).max(1),
            O::DclStream => {
                let stream = reader.operand()?.first_index();
                // D3D11.3 functional specification, 22.3.9: streams 0 to 3.
                if stream > 3 {
                    return Err(unknown("stream", stream));
                }
                self.geometry.streams |= 1 << stream;
            }
            O::DclInputControlPointCount => {
                self.tessellation.input_control_points = instruction.control(11, 6);
            }
            O::DclOutputControlPointCount => {
                self.tessellation.output_control_points = instruction.control(11, 6);
            }
            O::DclTessDomain => {
                let number = instruction.control(11, 2);
                self.tessellation.domain = DomainShape::from_number(u64::from(number))
                    .ok_or_else(|| unknown("tessellator domain", number))?;
            }
            O::DclTessPartitioning => {
                let number = instruction.control(11, 3);
                self.tessellation.partitioning =
                    TessellatorPartitioning::from_number(u64::from(number))
                        .ok_or_else(|| unknown("partitioning", number))?;
            }
            O::DclTessOutputPrimitive => {
                let number = instruction.control(11, 3);
                self.tessellation.output = TessellatorOutput::from_number(u64::from(number))
                    .ok_or_else(|| unknown("output primitive of the tessellator", number))?;
            }
            O::DclHsMaxTessFactor => {
                self.tessellation.max_factor = f32::from_bits(reader.word(0));
            }
            _ => {}
        }
        Ok(())
    }

    fn add_register(&mut self, reader: &DeclarationReader<'_>, interpolation: InterpolationMode) {
        let Ok(operand) = reader.operand() else {
            return;
        };
        self.registers.push(RegisterDeclaration {
            file: operand.file,
            register: operand.indices().last().map(|index| index.offset),
            mask: operand.components.mask(),
            interpolation,
        });
    }

    fn add_group_shared(
        &mut self,
        reader: &DeclarationReader<'_>,
        stride: Option<u32>,
        bytes: Option<u32>,
    ) -> Result<()> {
        // D3D11.3 functional specification, 22.3.45: a group has 32 KiB of shared memory in all.
        let limit = limits::MAX_DXBC_GROUP_SHARED;
        let bytes = bytes.filter(|&bytes| bytes <= limit).ok_or_else(|| {
            Error::new(ErrorKind::Limit {
                what: "bytes of group-shared memory",
                value: u64::from(bytes.unwrap_or(u32::MAX)),
                limit: u64::from(limit),
            })
        })?;
        let id = reader.operand()?.first_index();
        self.group_shared.insert(id, GroupShared { stride, bytes });
        Ok(())
    }
}

/// A declaration's tokens.
struct DeclarationReader<'a> {
    program: &'a Program,
    instruction: &'a Instruction,
    words: &'a [u32],
}

impl DeclarationReader<'_> {
    fn operand(&self) -> Result<&Operand> {
        let operands = self.program.operands_of(self.instruction);
        operands
            .first()
            .ok_or_else(|| Error::malformed("a declaration without a register"))
    }

    fn word(&self, index: usize) -> u32 {
        self.words.get(index).copied().unwrap_or(0)
    }

    fn resource(&self) -> Result<ResourceDeclaration> {
        use Opcode as O;
        let operand = self.operand()?;
        let opcode = self.instruction.opcode;
        let class = match opcode {
            O::DclConstantBuffer => ResourceClass::Cbv,
            O::DclSampler => ResourceClass::Sampler,
            O::DclUavTyped | O::DclUavRaw | O::DclUavStructured => ResourceClass::Uav,
            _ => ResourceClass::Srv,
        };
        let [first, second, third] = operand.indices.map(|index| index.offset);
        let has_ranges = self.program.has_ranges();
        // The tokens in front of the space.
        let own_words = match opcode {
            O::DclResource
            | O::DclUavTyped
            | O::DclResourceStructured
            | O::DclUavStructured
            | O::DclConstantBuffer => 1,
            _ => 0,
        };
        let (lower_bound, count, space) = match has_ranges {
            // Before 5.1 an operand names one register of the only space.
            false => (first, Some(1), 0),
            // Shader model 5.1 names a range: its number, first and last register.
            true if third == u32::MAX => (second, None, self.word(own_words)),
            true => {
                let count = third
                    .checked_sub(second)
                    .and_then(|count| count.checked_add(1))
                    .ok_or_else(|| {
                        Error::malformed("a range of registers ends before it begins")
                    })?;
                (second, Some(count), self.word(own_words))
            }
        };
        let uav_flags = |bit| class == ResourceClass::Uav && self.instruction.control(bit, 1) != 0;
        let is_structured = matches!(opcode, O::DclResourceStructured | O::DclUavStructured);
        let mut resource = ResourceDeclaration {
            class,
            id: first,
            space,
            lower_bound,
            count,
            kind: ResourceKind::Invalid,
            component: None,
            stride: is_structured.then(|| self.word(0)),
            sample_count: 0,
            registers: 0,
            sampler: None,
            globally_coherent: uav_flags(16),
            rasterizer_ordered: uav_flags(17),
            has_counter: is_structured && uav_flags(23),
        };
        resource.kind = match opcode {
            O::DclConstantBuffer => {
                resource.registers = if has_ranges { self.word(0) } else { second };
                ResourceKind::CBuffer
            }
            O::DclSampler => {
                resource.sampler = Some(match self.instruction.control(11, 4) {
                    0 => SamplerKind::Default,
                    1 => SamplerKind::Comparison,
                    2 => SamplerKind::Mono,
                    _ => SamplerKind::Invalid,
                });
                ResourceKind::Sampler
            }
            O::DclResourceRaw | O::DclUavRaw => ResourceKind::RawBuffer,
            O::DclResourceStructured | O::DclUavStructured => ResourceKind::StructuredBuffer,
            _ => {
                if class == ResourceClass::Srv {
                    resource.sample_count = self.instruction.control(16, 7);
                }
                resource.component = Some(component_type(self.word(0) & 0xf)?);
                let number = self.instruction.control(11, 5);
                Dimension::from_number(number)
                    .and_then(Dimension::typed_kind)
                    .ok_or_else(|| {
                        Error::new(ErrorKind::BadValue {
                            what: "dimension of a resource",
                            value: u64::from(number),
                            rule: "a typed resource is a buffer or a texture",
                        })
                    })?
            }
        };
        if resource
            .stride
            // D3D11.3 functional specification, 5.4.2: the stride is at most 2048 bytes. Conversion
            // divides it into words, so it must be a multiple of four.
            .is_some_and(|stride| stride % 4 != 0 || stride > 2048)
        {
            return Err(Error::malformed(
                "the stride of a structured buffer is no multiple of 4 up to 2048",
            ));
        }
        Ok(resource)
    }
}

/// Returns a return type of a resource.
pub(super) fn component_type(number: u32) -> Result<ComponentType> {
    Ok(match number {
        1 => ComponentType::UNormF32,
        2 => ComponentType::SNormF32,
        3 => ComponentType::I32,
        // A double is two words.
        4 | 7 => ComponentType::U32,
        5 | 6 => ComponentType::F32,
        _ => {
            return Err(Error::new(ErrorKind::BadValue {
                what: "return type of a resource",
                value: u64::from(number),
                rule: "1 to 7",
            }));
        }
    })
}

/// Returns whether a stage has phases.
pub(super) fn has_phases(kind: ShaderKind) -> bool {
    kind == ShaderKind::Hull
}
