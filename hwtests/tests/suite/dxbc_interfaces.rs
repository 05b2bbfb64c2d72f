//! Calls through interfaces (`fcall`), on the Vulkan device and on the executor: with class
//! instances that the caller names, and with those of the buffer that a shader reads otherwise.
//! Expectations are arithmetic (D3D11.3 functional specification, 7.19, 22.7.19 and 22.7.20).

use std::path::Path;

use dxil_frontend::FourCc;
use dxil_frontend::container::{Container, Signing, write_container};
use dxil_frontend::dxbc::{
    ClassBinding, ClassInstance, ClassLinkage, Components, Dimension, File, Implementation, Opcode,
    Operand, OperandIndex, Program, ReflectedInterface,
};
use dxil_frontend::dxil::{Shader, ShaderKind};
use dxil_hwtests::element::{from_bytes, to_bytes};
use dxil_hwtests::run::{self, Failure};
use dxil_runtime::job::{Job, Sampler, Texture};
use dxil_runtime::{Format, Register};

use crate::dxbc_assembler::{Test, float, number, part, temp, to};

const ALL: Components = Components::Mask(0xf);

/// A class as the IFCE part lists it.
struct Class {
    name: &'static str,
    /// Registers of constants, textures, samplers.
    counts: [u16; 3],
}

/// An IFCE part: classes, and for each interface its slots and its classes with their tables.
/// Instances have a name, a class, and their place.
fn ifce(
    classes: &[Class],
    instances: &[(&str, u16, [u16; 4])],
    interfaces: &[(u32, &[(u16, u32)])],
) -> Vec<u8> {
    let slots: u32 = interfaces.iter().map(|(slots, _)| slots).sum();
    let interfaces_at = 36;
    let classes_at = interfaces_at + 16 * interfaces.len();
    let instances_at = classes_at + 12 * classes.len();
    let lists_at = instances_at + 16 * instances.len();
    let count = |len: usize| u32::try_from(len).expect("parts are small");
    // What the records name comes after all of them.
    let mut rest: Vec<u8> = Vec::new();
    let at = |rest: &Vec<u8>| count(lists_at + rest.len());
    let mut part: Vec<u8> = Vec::new();
    for word in [
        count(instances.len()),
        count(classes.len()),
        count(interfaces.len()),
        slots,
        count(instances_at),
        count(classes_at),
        count(interfaces_at),
        0,
        0,
    ] {
        part.extend(word.to_le_bytes());
    }
    for (slots, candidates) in interfaces {
        part.extend(slots.to_le_bytes());
        part.extend(count(candidates.len()).to_le_bytes());
        part.extend(at(&rest).to_le_bytes());
        candidates
            .iter()
            .for_each(|(ty, _)| rest.extend(ty.to_le_bytes()));
        rest.resize(rest.len().next_multiple_of(4), 0xab);
        part.extend(at(&rest).to_le_bytes());
        let tables = candidates.iter();
        tables.for_each(|(_, table)| rest.extend(table.to_le_bytes()));
    }
    let mut halves = |part: &mut Vec<u8>, name: &str, halves: &[u16]| {
        part.extend(at(&rest).to_le_bytes());
        rest.extend(name.as_bytes());
        rest.push(0);
        halves
            .iter()
            .for_each(|half| part.extend(half.to_le_bytes()));
    };
    for (number, Class { name, counts }) in (0..).zip(classes) {
        halves(&mut part, name, &[number, counts[0], counts[1], counts[2]]);
    }
    for (name, class, [buffer, offset, texture, sampler]) in instances {
        let record = [*class, 1, *buffer, *offset, *texture, *sampler];
        halves(&mut part, name, &record);
    }
    part.extend(rest);
    part
}

/// Returns a container with a program and an IFCE part.
fn with_classes(program: &Program, ifce: &[u8]) -> Result<Vec<u8>, Failure> {
    let tokens = program.to_tokens()?;
    let tokens: Vec<u8> = tokens
        .iter()
        .flat_map(|token| token.to_le_bytes())
        .collect();
    let parts = [(FourCc::IFCE, ifce), (FourCc::SHEX, &tokens)];
    Ok(write_container(&parts, Signing::Digest)?)
}

fn read_linked(bytes: &[u8], linkage: &ClassLinkage) -> dxil_frontend::Result<Shader> {
    Shader::read_linked(&Container::parse(bytes)?, linkage)
}

fn read(bytes: &[u8]) -> dxil_frontend::Result<Shader> {
    Shader::read(&Container::parse(bytes)?)
}

/// Runs a shader of [`Test`] with one thread on both backends, which have to agree; `input` is
/// `r0`. Returns the row that it stores.
fn run(shader: &Shader, mut job: Job, input: [u32; 4]) -> Result<[u32; 4], Failure> {
    job.bind_buffer(Register::srv(0), to_bytes(&[input]));
    let out = job.bind_buffer(Register::uav(0), vec![0xa5; 16]);
    let rows: Vec<[u32; 4]> = [run::job(shader, &job)?, run::job_on_cpu(shader, &job)?]
        .iter()
        .filter_map(|outcome| outcome.bytes(out))
        .flat_map(from_bytes::<[u32; 4]>)
        .collect();
    let [vulkan, cpu] = rows[..] else {
        return Err(Failure::new("nothing was read back".to_owned()));
    };
    assert_eq!(vulkan, cpu, "Vulkan and the executor");
    Ok(vulkan)
}

/// The buffer that a shader reads its instances from: function tables, then `this` registers.
fn bind_instances(job: &mut Job, tables: &[u32], this: &[[u32; 4]]) {
    let tables = tables.iter().map(|&table| [table, 0, 0, 0]);
    let rows: Vec<[u32; 4]> = tables.chain(this.iter().copied()).collect();
    job.bind_buffer(Register::cbv(14), to_bytes(&rows));
}

fn label(test: &mut Test, body: u32) -> Result<(), Failure> {
    let body = Operand::register(File::FunctionBody, &[body]).with(Components::None);
    test.add(Opcode::Label, &[body])
}

/// Returns `fp#[index + offset]`.
fn interface(test: &mut Test, first: u32, offset: u32, by: Option<Operand>) -> Operand {
    let mut operand = Operand::register(File::Interface, &[first, offset]).with(Components::None);
    operand.indices[1] = relative(test, offset, by);
    operand
}

/// Returns an index that a register is added to.
fn relative(test: &mut Test, offset: u32, by: Option<Operand>) -> OperandIndex {
    let relative = by.map(|by| {
        let place = test.program.operands.len();
        test.program.operands.push(by);
        u32::try_from(place).expect("programs are small")
    });
    OperandIndex { offset, relative }
}

/// Returns a register whose number is in a component of `r4`.
fn by_r4(test: &mut Test, file: File, component: u8) -> Operand {
    let mut operand = Operand::register(file, &[0]);
    operand.indices[0] = relative(test, 0, Some(part(4, component)));
    operand
}

fn declare_tables(test: &mut Test, tables: &[&[u32]]) -> Result<(), Failure> {
    let mut bodies: Vec<u32> = tables.concat();
    bodies.sort_unstable();
    bodies.dedup();
    for body in bodies {
        test.declare(Opcode::DclFunctionBody, 0, &[], &[body])?;
    }
    for (number, bodies) in (0..).zip(tables) {
        let mut words = vec![
            number,
            u32::try_from(bodies.len()).expect("tables are small"),
        ];
        words.extend(*bodies);
        test.declare(Opcode::DclFunctionTable, 0, &[], &words)?;
    }
    Ok(())
}

fn declare_interface(
    test: &mut Test,
    first: u32,
    (slots, call_sites): (u32, u32),
    tables: &[u32],
) -> Result<(), Failure> {
    let count = u32::try_from(tables.len()).expect("lists are small");
    let mut words = vec![first, call_sites, slots << 16 | count];
    words.extend(tables);
    test.declare(Opcode::DclInterface, 0, &[], &words)
}

fn call(test: &mut Test, interface: Operand, call_site: u32) -> Result<(), Failure> {
    test.declare(Opcode::InterfaceCall, 0, &[interface], &[call_site])
}

/// Two slots with two call sites each, and three classes: one adds 10 and then 100, one doubles and
/// triples, and one leaves the first call as it is and negates in the second. The shader declares
/// an instance `chosen` of the class that multiplies.
fn arithmetic(version: (u8, u8)) -> Result<Vec<u8>, Failure> {
    let mut test = Test::of_version(1, version)?;
    declare_tables(&mut test, &[&[0, 1], &[2, 3], &[4, 5]])?;
    declare_interface(&mut test, 0, (1, 2), &[0, 1, 2])?;
    declare_interface(&mut test, 1, (1, 2), &[1, 2])?;
    test.add(Opcode::Mov, &[temp(3).with(ALL), temp(0)])?;
    for (slot, site) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let interface = interface(&mut test, slot, 0, None);
        call(&mut test, interface, site)?;
    }
    test.store()?;
    let (target, value) = (temp(3).with(ALL), temp(3));
    let doubled = [target, value, value];
    for (body, opcode, second) in [
        (0, Opcode::Iadd, Some(number(10))),
        (1, Opcode::Iadd, Some(number(100))),
        (2, Opcode::Iadd, Some(value)),
        (3, Opcode::Imul, Some(number(3))),
        (4, Opcode::Mov, None),
        (5, Opcode::Ineg, None),
    ] {
        label(&mut test, body)?;
        match (opcode, second) {
            (Opcode::Imul, Some(second)) => {
                let unused = Operand::register(File::Null, &[]).with(Components::None);
                test.add(opcode, &[unused, target, value, second])?;
            }
            (opcode, Some(second)) => test.add(opcode, &[target, value, second])?,
            (opcode, None) => test.add(opcode, &doubled[..2])?,
        }
        test.add(Opcode::Ret, &[])?;
    }
    let class = |name| Class {
        name,
        counts: [0; 3],
    };
    let part = ifce(
        &[class("Adds"), class("Multiplies"), class("Negates")],
        &[("chosen", 1, [0; 4])],
        &[(1, &[(0, 0), (1, 1), (2, 2)]), (1, &[(1, 1), (2, 2)])],
    );
    with_classes(&test.program, &part)
}

/// Returns what the program makes of a number, with these classes in its slots.
fn expected(x: i32, classes: [u32; 2]) -> i32 {
    let method = |class: u32, site: u32, x: i32| match (class, site) {
        (0, 0) => x + 10,
        (0, _) => x + 100,
        (1, 0) => x * 2,
        (1, _) => x * 3,
        (_, 0) => x,
        (..) => -x,
    };
    let sites = [(0, 0), (1, 0), (0, 1), (1, 1)];
    let steps = sites.iter();
    steps.fold(x, |x, &(slot, site)| method(classes[slot], site, x))
}

const INPUT: [i32; 4] = [1, -7, 1000, 0];

fn check_arithmetic(row: [u32; 4], classes: [u32; 2]) {
    let wanted = INPUT.map(|x| expected(x, classes).cast_unsigned());
    assert_eq!(row, wanted, "{classes:?}");
}

/// Shader models with interfaces.
const VERSIONS: [(u8, u8); 2] = [(5, 0), (5, 1)];

#[test]
fn a_call_site_runs_the_function_of_the_class_that_is_bound() -> Result<(), Failure> {
    let input = INPUT.map(i32::cast_unsigned);
    let names = ["Adds", "Multiplies", "Negates"];
    for version in VERSIONS {
        let container = arithmetic(version)?;
        for classes in [[0, 1], [1, 2], [2, 1]] {
            let mut linkage = ClassLinkage::default();
            for (slot, class) in (0..).zip(classes) {
                linkage.bind(slot, ClassInstance::of_class(names[class as usize]))?;
            }
            let shader = read_linked(&container, &linkage)?;
            assert_eq!(shader.resources.iter().count(), 2, "t0 and u0");
            let row = run(&shader, Job::dispatch([1, 1, 1]), input)?;
            check_arithmetic(row, classes);
        }
    }
    Ok(())
}

#[test]
fn function_tables_of_a_buffer_select_the_functions() -> Result<(), Failure> {
    for version in VERSIONS {
        let shader = read(&arithmetic(version)?)?;
        for classes in [[0, 2], [1, 1], [2, 1]] {
            let mut job = Job::dispatch([1, 1, 1]);
            bind_instances(&mut job, &classes, &[[0; 4]; 2]);
            let row = run(&shader, job, INPUT.map(i32::cast_unsigned))?;
            check_arithmetic(row, classes);
        }
    }
    Ok(())
}

/// The tests of the commands and of the Python package have no assembler.
#[test]
fn the_checked_in_container_is_this_program() -> Result<(), Failure> {
    let container = arithmetic((5, 0))?;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("pipelines/class_instances.dxbc");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&file, &container).expect("the checkout can be written to");
    }
    let there = std::fs::read(&file).unwrap_or_default();
    assert!(there == container, "BLESS=1 writes {} anew", file.display());
    Ok(())
}

#[test]
fn class_instances_have_text() -> Result<(), Failure> {
    let bytes = arithmetic((5, 0))?;
    let container = Container::parse(&bytes)?;
    let linked = |bindings: [&str; 2]| {
        let bindings = bindings.map(|text| text.parse::<ClassBinding>().expect("a binding"));
        ClassLinkage::of_bindings(&container, &bindings)
    };
    // Of a class by its name, of the instance `chosen`, and of a function table.
    for (bindings, classes) in [
        (["0=Adds", "1=Negates"], [0, 2]),
        (["0=chosen", "1=ft2"], [1, 2]),
        (["0=ft1", "1=Multiplies,cb=3"], [1, 1]),
    ] {
        let linkage = linked(bindings)?.expect("the shader has interfaces");
        let shader = read_linked(&bytes, &linkage)?;
        let row = run(
            &shader,
            Job::dispatch([1, 1, 1]),
            INPUT.map(i32::cast_unsigned),
        )?;
        check_arithmetic(row, classes);
    }
    let error = linked(["light=Adds", "1=Negates"]).unwrap_err().to_string();
    assert!(error.contains("class instance light=Adds: "), "{error}");
    assert_eq!(ClassLinkage::of_bindings(&container, &[])?, None);
    Ok(())
}

#[test]
fn data_of_instances_is_refused_in_shader_model_5_1() -> Result<(), Failure> {
    let error = read(&with_data((5, 1))?).unwrap_err().to_string();
    assert!(
        error.contains("not supported") && error.contains("5.1"),
        "{error}"
    );
    Ok(())
}

/// `this` registers of four slots, and their classes: constant buffer, register, texture, sampler.
const THIS: [[u32; 4]; 4] = [[0, 0, 0, 0], [1, 2, 1, 0], [1, 0, 2, 1], [0, 3, 1, 1]];
const TABLES: [u32; 4] = [0, 1, 0, 1];

/// Element `row` of constant buffer `buffer`.
fn constant(buffer: u32, row: u32) -> f32 {
    (buffer * 100 + row) as f32 + 0.5
}

/// The only texel of a texture.
fn texel(texture: u32) -> f32 {
    2.0 + texture as f32
}

/// A slot chosen by `r0.x`, whose class reads its second register of constants and its texture: one
/// adds them, the other multiplies them.
fn with_data(version: (u8, u8)) -> Result<Vec<u8>, Failure> {
    let mut test = Test::of_version(1, version)?;
    declare_tables(&mut test, &[&[0], &[1]])?;
    declare_interface(&mut test, 0, (4, 1), &[0, 1])?;
    // `dcl_interface_dynamicindexed`
    if let Some(declaration) = test.program.instructions.last_mut() {
        declaration.token |= 1 << 11;
    }
    let chosen = interface(&mut test, 0, 0, Some(part(0, 0)));
    call(&mut test, chosen, 0)?;
    test.store()?;
    for (body, opcode) in [(0, Opcode::Add), (1, Opcode::Mul)] {
        label(&mut test, body)?;
        let mut this = Operand::register(File::ThisPointer, &[0]);
        this.indices[0] = relative(&mut test, 0, Some(part(0, 0)));
        test.add(Opcode::Mov, &[temp(4).with(ALL), this])?;
        let texture = by_r4(&mut test, File::Resource, 2);
        let sampler = by_r4(&mut test, File::Sampler, 3);
        let sample = [to(5, 0), float(0.5), texture, sampler, float(0.0)];
        test.add(Opcode::SampleL, &sample)?;
        if let Some(sample) = test.program.instructions.last_mut() {
            sample.extended.dimension = Some((Dimension::Texture2D, 0));
            sample.extended.return_types = Some(0x5555);
        }
        let mut constants = Operand::register(File::ConstantBuffer, &[0, 1]);
        constants.indices[0] = relative(&mut test, 0, Some(part(4, 0)));
        constants.indices[1] = relative(&mut test, 1, Some(part(4, 1)));
        let constants = constants.with(Components::Select(2));
        test.add(opcode, &[temp(3).with(ALL), part(5, 0), constants])?;
        test.add(Opcode::Ret, &[])?;
    }
    let class = |name| Class {
        name,
        counts: [2, 1, 1],
    };
    let place = |slot: usize| THIS[slot].map(|number| number as u16);
    let part = ifce(
        &[class("Sum"), class("Product")],
        &[("first", 0, place(0)), ("second", 1, place(1))],
        &[(4, &[(0, 0), (1, 1)])],
    );
    with_classes(&test.program, &part)
}

/// Returns a job with the data of the instances in a register space.
fn with_resources(space: u32) -> Job {
    let mut job = Job::dispatch([1, 1, 1]);
    for buffer in 0..2 {
        let rows: Vec<[f32; 4]> = (0..8)
            .map(|row| [0.0, 0.0, constant(buffer, row), 0.0])
            .collect();
        job.bind_buffer(Register::cbv(buffer).in_space(space), to_bytes(&rows));
        job.bind_sampler(
            Register::sampler(buffer).in_space(space),
            Sampler::default(),
        );
    }
    for number in 0..3 {
        let bytes = to_bytes(&[texel(number)]);
        let texture = Texture::new_2d(Format::R32Float, 1, 1, bytes);
        // `t0` of space 0 is the input of the test.
        let register = if space == 0 { number + 1 } else { number };
        job.bind_texture(Register::srv(register).in_space(space), texture);
    }
    job
}

fn check_data(shader: &Shader, make_job: impl Fn() -> Job) -> Result<(), Failure> {
    for (slot, (this, table)) in (0..).zip(THIS.iter().zip(TABLES)) {
        let row = run(shader, make_job(), [slot, 0, 0, 0])?;
        let (texel, constant) = (texel(this[2]), constant(this[0], this[1] + 1));
        let wanted = match table {
            0 => texel + constant,
            _ => texel * constant,
        };
        assert_eq!(row.map(f32::from_bits), [wanted; 4], "slot {slot}");
    }
    Ok(())
}

#[test]
fn known_instances_have_their_data_in_the_registers_that_they_name() -> Result<(), Failure> {
    let container = with_data((5, 0))?;
    let parsed = Container::parse(&container)?;
    let mut linkage = ClassLinkage::default();
    for (slot, (this, table)) in (0..).zip(THIS.iter().zip(TABLES)) {
        let class = ["Sum", "Product"][table as usize];
        let mut instance = ClassInstance {
            implementation: Implementation::Class(class.into()),
            constant_buffer: this[0],
            constant_offset: this[1],
            texture: this[2],
            sampler: this[3],
        };
        if let Some(name) = ["first", "second"].get(slot as usize) {
            assert_eq!(ClassInstance::named(&parsed, name)?, instance, "{name}");
        }
        instance.texture += 1;
        linkage.bind(slot, instance)?;
    }
    check_data(&read_linked(&container, &linkage)?, || with_resources(0))
}

#[test]
fn instances_of_a_buffer_have_their_data_in_arrays() -> Result<(), Failure> {
    check_data(&read(&with_data((5, 0))?)?, || {
        let mut job = with_resources(1);
        bind_instances(&mut job, &TABLES, &THIS);
        job
    })
}

#[test]
fn a_slot_that_is_not_bound_calls_nothing() -> Result<(), Failure> {
    let container = with_data((5, 0))?;
    let mut linkage = ClassLinkage::default();
    let mut sum = ClassInstance::of_class("Sum");
    sum.texture = 1;
    linkage.bind(0, sum)?;
    let shader = read_linked(&container, &linkage)?;
    // The shader has the registers of the only instance.
    let job = || {
        let mut job = Job::dispatch([1, 1, 1]);
        let rows = [
            [0.0, 0.0, constant(0, 0), 0.0],
            [0.0, 0.0, constant(0, 1), 0.0],
        ];
        job.bind_buffer(Register::cbv(0), to_bytes(&rows));
        job.bind_sampler(Register::sampler(0), Sampler::default());
        let bytes = to_bytes(&[texel(0)]);
        job.bind_texture(
            Register::srv(1),
            Texture::new_2d(Format::R32Float, 1, 1, bytes),
        );
        job
    };
    // Nothing has written `r3`.
    assert_eq!(run(&shader, job(), [2, 0, 0, 0])?, [0; 4]);
    let wanted = texel(0) + constant(0, 1);
    let row = run(&shader, job(), [0; 4])?;
    assert_eq!(row.map(f32::from_bits), [wanted; 4]);
    Ok(())
}

#[test]
fn reflection_lists_interfaces_with_the_classes_that_they_take() -> Result<(), Failure> {
    let container = arithmetic((5, 0))?;
    let found = ReflectedInterface::all(&Container::parse(&container)?)?;
    let lists: Vec<_> = found
        .iter()
        .map(|it| (it.slot, it.slots, &it.tables[..]))
        .collect();
    assert_eq!(lists, [(0, 1, &[0, 1, 2][..]), (1, 1, &[1, 2][..])]);
    assert_eq!(found[1].classes, ["Multiplies", "Negates"]);
    Ok(())
}

#[test]
fn classes_that_cannot_be_bound_are_refused_with_those_that_can() -> Result<(), Failure> {
    let container = arithmetic((5, 0))?;
    let refused = |slots: &[(u32, &str)]| -> Result<String, Failure> {
        let mut linkage = ClassLinkage::default();
        for &(slot, class) in slots {
            linkage.bind(slot, ClassInstance::of_class(class))?;
        }
        let error = read_linked(&container, &linkage).err();
        Ok(error.map(|error| error.to_string()).unwrap_or_default())
    };
    let message = refused(&[(0, "Adds"), (1, "Adds")])?;
    assert!(
        message.contains("slot 1, which takes Multiplies, Negates"),
        "{message}"
    );
    let message = refused(&[(0, "Adds")])?;
    assert!(message.contains("slot 1 is called and has no"), "{message}");
    let message = refused(&[(0, "Adds"), (1, "Negates"), (2, "Adds")])?;
    assert!(message.contains("the shader has 2 slots"), "{message}");
    Ok(())
}

#[test]
fn a_shader_without_interfaces_takes_no_instances() -> Result<(), Failure> {
    let mut test = Test::new(1)?;
    test.store()?;
    let container = test.program.to_container()?;
    let mut linkage = ClassLinkage::default();
    linkage.bind(0, ClassInstance::of_class("Any"))?;
    let error = read_linked(&container, &linkage).unwrap_err().to_string();
    assert!(error.contains("the shader has 0 slots"), "{error}");
    assert_eq!(test.program.kind, ShaderKind::Compute);
    Ok(())
}
