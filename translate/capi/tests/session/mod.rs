//! A parsed shader and a converter for it, through the functions of the ABI.
#![allow(dead_code, reason = "each test program uses a part of it")]
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "every call is to the ABI, with handles and places that live"
)]

use std::ffi::{CStr, CString, c_void};
use std::path::Path;

use dxil_jit::compat::option_shapes::*;
use dxil_jit::compat::types::*;
use dxil_jit::compat::*;
use rspirv::binary::{Consumer, Disassemble, ParseAction};

/// The questions that the remappers are asked, and their answers.
#[derive(Default)]
pub(crate) struct Answers {
    /// Semantic or class with register, in order.
    pub(crate) asked: Vec<String>,
    /// Kinds of resources that SRVs were asked about.
    pub(crate) kinds: Vec<u32>,
    pub(crate) srv: SrvVulkanBinding,
    pub(crate) uav: UavVulkanBinding,
    pub(crate) cbv: CbvVulkanBinding,
    pub(crate) sampler: VulkanBinding,
}

/// The text of a module, an instruction per line; rspirv's own modules have no place for
/// non-semantic instructions outside of functions.
#[derive(Default)]
struct Lines(String);

impl Consumer for Lines {
    fn initialize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn finalize(&mut self) -> ParseAction {
        ParseAction::Continue
    }

    fn consume_header(&mut self, _: rspirv::dr::ModuleHeader) -> ParseAction {
        ParseAction::Continue
    }

    fn consume_instruction(&mut self, instruction: rspirv::dr::Instruction) -> ParseAction {
        let is_glsl = instruction.class.opcode == spirv::Op::ExtInst;
        self.0.push_str(&instruction.disassemble());
        if let (true, Some(&rspirv::dr::Operand::LiteralExtInstInteger(number))) =
            (is_glsl, instruction.operands.get(1))
            && let Some(glsl) = rspirv::spirv::GlslStd450Op::from_u32(number)
        {
            self.0.push(' ');
            self.0.push_str(&format!("{glsl:?}"));
        }
        self.0.push('\n');
        ParseAction::Continue
    }
}

/// A converter with all that it needs.
pub(crate) struct Session {
    blob: BlobHandle,
    converter: ConverterHandle,
    /// The callbacks get this pointer too, so nothing here may claim it for itself.
    answers: *mut Answers,
}

type BlobHandle = *mut Object<Blob>;
type ConverterHandle = *mut Object<Converter>;

/// Returns the bytes of one of the test shaders that run.
pub(crate) fn shader(name: &str) -> Vec<u8> {
    container(&format!("hwtests/shaders/{name}"))
}

/// Returns the bytes of one of the repository's containers.
pub(crate) fn container(name: &str) -> Vec<u8> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = here.join(format!("../../{name}.dxil"));
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

unsafe extern "C" fn srv(
    user: *mut c_void,
    asked: *const D3dBinding,
    place: *mut SrvVulkanBinding,
) -> Bool {
    unsafe {
        let answers = &mut *user.cast::<Answers>();
        answers.asked.push(register('t', &*asked));
        answers.kinds.push((*asked).kind);
        place.write(answers.srv);
    }
    1
}

unsafe extern "C" fn uav(
    user: *mut c_void,
    asked: *const D3dUavBinding,
    place: *mut UavVulkanBinding,
) -> Bool {
    unsafe {
        let answers = &mut *user.cast::<Answers>();
        answers.asked.push(register('u', &(*asked).d3d_binding));
        place.write(answers.uav);
    }
    1
}

unsafe extern "C" fn cbv(
    user: *mut c_void,
    asked: *const D3dBinding,
    place: *mut CbvVulkanBinding,
) -> Bool {
    unsafe {
        let answers = &mut *user.cast::<Answers>();
        answers.asked.push(register('b', &*asked));
        place.write(answers.cbv);
    }
    1
}

unsafe extern "C" fn sampler(
    user: *mut c_void,
    asked: *const D3dBinding,
    place: *mut VulkanBinding,
) -> Bool {
    unsafe {
        let answers = &mut *user.cast::<Answers>();
        answers.asked.push(register('s', &*asked));
        place.write(answers.sampler);
    }
    1
}

fn register(letter: char, asked: &D3dBinding) -> String {
    match asked.register_index {
        u32::MAX => format!("{letter} heap"),
        number => format!("{letter}{number}"),
    }
}

impl Session {
    pub(crate) fn new(bytes: &[u8]) -> Session {
        let mut blob: BlobHandle = std::ptr::null_mut();
        let mut converter: ConverterHandle = std::ptr::null_mut();
        unsafe {
            let code = dxil_spv_parse_dxil_blob(bytes.as_ptr().cast(), bytes.len(), &raw mut blob);
            assert_eq!(code, SUCCESS);
            assert_eq!(dxil_spv_create_converter(blob, &raw mut converter), SUCCESS);
        }
        Session {
            blob,
            converter,
            answers: Box::into_raw(Box::default()),
        }
    }

    pub(crate) fn of(name: &str) -> Session {
        Session::new(&shader(name))
    }

    pub(crate) fn answers(&mut self) -> &mut Answers {
        // No callback runs while this is held.
        unsafe { &mut *self.answers }
    }

    /// Returns the user data for callbacks of the test's own.
    pub(crate) fn user(&self) -> *mut c_void {
        self.answers.cast()
    }

    pub(crate) fn handle(&self) -> ConverterHandle {
        self.converter
    }

    pub(crate) fn blob(&self) -> BlobHandle {
        self.blob
    }

    /// Has the remappers give the answers.
    pub(crate) fn remap(&mut self) {
        let user = self.answers.cast();
        unsafe {
            dxil_spv_converter_set_srv_remapper(self.converter, Some(srv), user);
            dxil_spv_converter_set_uav_remapper(self.converter, Some(uav), user);
            dxil_spv_converter_set_cbv_remapper(self.converter, Some(cbv), user);
            dxil_spv_converter_set_sampler_remapper(self.converter, Some(sampler), user);
        }
    }

    /// Adds an option; its first field is the base.
    pub(crate) fn option<T>(&mut self, option: T) {
        let code = unsafe {
            dxil_spv_converter_add_option(self.converter, (&raw const option).cast::<OptionBase>())
        };
        assert_eq!(code, SUCCESS);
    }

    pub(crate) fn flag(&mut self, number: u32) {
        self.option(Flag(OptionBase { number }, 1));
    }

    pub(crate) fn meta(&mut self, meta: u32, kind: u32, set: u32, binding: u32) -> ResultCode {
        unsafe { dxil_spv_converter_set_meta_descriptor(self.converter, meta, kind, set, binding) }
    }

    pub(crate) fn run(&mut self) -> ResultCode {
        unsafe { dxil_spv_converter_run(self.converter) }
    }

    /// Translates, has the module validated, and gives it as text.
    pub(crate) fn text(&mut self) -> String {
        assert_eq!(self.run(), SUCCESS);
        let words = self.words();
        #[cfg(not(miri))]
        {
            use dxil_validator::{Environment, Rules, validate};
            let environment = match words[1] {
                0..=0x0001_0300 => Environment::Vulkan1_1,
                _ => Environment::Vulkan1_3,
            };
            validate(&words, Rules::strict(environment)).unwrap();
        }
        text_of(&words)
    }

    pub(crate) fn words(&self) -> Vec<u32> {
        let mut compiled = CompiledSpirv {
            data: std::ptr::null(),
            size: 0,
        };
        unsafe {
            let code = dxil_spv_converter_get_compiled_spirv(self.converter, &raw mut compiled);
            assert_eq!(code, SUCCESS);
            std::slice::from_raw_parts(compiled.data.cast(), compiled.size / 4).to_vec()
        }
    }

    /// Returns a number that a query returns.
    pub(crate) fn number(
        &self,
        query: unsafe extern "C" fn(ConverterHandle, *mut u32) -> ResultCode,
    ) -> u32 {
        let mut number = 77;
        let code = unsafe { query(self.converter, &raw mut number) };
        assert_eq!(code, SUCCESS);
        number
    }

    pub(crate) fn entry_name(&self) -> String {
        let mut name = std::ptr::null();
        unsafe {
            let code = dxil_spv_converter_get_compiled_entry_point(self.converter, &raw mut name);
            assert_eq!(code, SUCCESS);
            CStr::from_ptr(name).to_str().unwrap().to_owned()
        }
    }

    pub(crate) fn set_entry(&mut self, name: &str) {
        let name = CString::new(name).unwrap();
        unsafe { dxil_spv_converter_set_entry_point(self.converter, name.as_ptr()) };
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        unsafe {
            dxil_spv_converter_free(self.converter);
            dxil_spv_parsed_blob_free(self.blob);
            drop(Box::from_raw(self.answers));
        }
    }
}

/// Returns a module as text.
pub(crate) fn text_of(words: &[u32]) -> String {
    let mut lines = Lines::default();
    rspirv::binary::parse_words(words, &mut lines).unwrap();
    lines.0
}

/// Returns whether a line of the text has all of these words.
pub(crate) fn has(text: &str, words: &[&str]) -> bool {
    lines(text, words) != 0
}

/// Returns the number of lines that have all of these words.
pub(crate) fn lines(text: &str, words: &[&str]) -> usize {
    text.lines()
        .filter(|line| {
            words
                .iter()
                .all(|word| line.split_whitespace().any(|w| w == *word))
        })
        .count()
}
